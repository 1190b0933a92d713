"""Metrics beyond accuracy, and the optional inputs. Every expected number was computed by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from asking import fails

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError, DataError, RecallError, UnknownNameError

# The lists: u1 b a z, u2 c a, u3 nothing. u4 is not judged, so its list is ignored.
RUN = {
    "query": ["u1", "u1", "u1", "u2", "u2", "u4"],
    "item": ["b", "a", "z", "c", "a", "e"],
    "score": [0.9, 0.8, 0.5, 0.7, 0.1, 0.3],
}
QRELS = {"query": ["u1", "u1", "u2", "u3"], "item": ["a", "x", "c", "c"], "relevance": [1, 3, 1, 1]}
# All three training queries contain a; one of them contains b.
TRAINING = {"query": ["u1", "u2", "u3", "u3", "u3"], "item": ["a", "a", "b", "a", "a"]}
CATALOG = {"item": ["a", "b", "c", "d", "e", "f"]}
FEATURES = {"item": ["a", "a", "b", "b", "c"], "feature": ["red", "old", "red", "new", "red"]}
PAIRS = {"item": ["a", "z"], "other": ["b", "b"], "similarity": [0.5, 0.1]}


def values(metric: str, **options: Any) -> tuple[dict[str, float | None], float | None, int]:
    """Return the value of each query, the mean, and the number of queries in the mean."""
    result = evaluate(RUN, QRELS, metric, **options)
    per_query = {row[1]: row[2] for row in result.per_query.fetchall() if len(row) > 2}
    return per_query, result.value(metric), result.to_dicts()[0]["queries"]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("coverage@1", 2 / 6),  # b and c, of six
        ("coverage@2", 3 / 6),  # b, c and a, of six; z is not in the catalog
        ("coverage", 3 / 6),
        ("gini@1", (5 * 1 + 6 * 1) * 2 / (6 * 2) - 7 / 6),  # 0 0 0 0 1 1
        ("gini@2", (4 * 1 + 5 * 1 + 6 * 2) * 2 / (6 * 4) - 7 / 6),  # 0 0 0 1 1 2
    ],
)
def test_coverage_and_gini_count_the_items_of_the_catalog(metric: str, value: float) -> None:
    per_query, mean, _ = values(metric, catalog=CATALOG)
    assert per_query == {}  # a metric of the whole run has no values per query
    assert mean == pytest.approx(value, rel=0, abs=1e-12)


@pytest.mark.parametrize(("metric", "value"), [("overlap@1", 0), ("overlap@2", 1 / 2), ("overlap", 1 / 3)])
def test_overlap_is_the_share_of_the_top_k_that_two_lists_have_in_common(metric: str, value: float) -> None:
    assert values(metric)[1] == pytest.approx(value, rel=0, abs=1e-12)


OBVIOUS = {"obvious": {"query": ["u1", "u1", "u2", "u2"], "item": ["b", "b", "a", "z"]}}
OF_TRAINING, OF_FEATURES, OF_PAIRS = {"training": TRAINING}, {"features": FEATURES}, {"pairs": PAIRS}
UNSEEN = math.log2(3)  # one of three training queries contains b; none contains c, which counts as one


@pytest.mark.parametrize(
    ("metric", "inputs", "u1", "u2"),
    [
        # The share of the training queries that hold an item, and minus its logarithm.
        ("popularity@2", OF_TRAINING, (1 / 3 + 1) / 2, (0 + 1) / 2),
        ("novelty@2", OF_TRAINING, UNSEEN / 2, UNSEEN / 2),
        # a is the most popular item and b the second; c, x and z are in no training query, so n = 6 are above them.
        ("serendipity@2", {**OF_TRAINING, "catalog": CATALOG}, 0, ((7 - 1) + 0) / (2 * 6)),
        ("unexpectedness@2", OBVIOUS, 1 / 2, 1 / 2),
        ("unexpectedness@1", OBVIOUS, 0, 1),
        # One minus the mean cosine of the features, and of the given similarities.
        ("diversity@2", OF_FEATURES, 1 - 1 / 2, 1 - 1 / math.sqrt(2)),
        ("diversity", OF_FEATURES, 1 - (1 / 2) / 3, 1 - 1 / math.sqrt(2)),  # z has no features: its similarities are 0
        ("diversity@1", OF_FEATURES, None, None),
        ("pair_diversity@2", OF_PAIRS, 0.5, 1.0),
        ("pair_diversity", OF_PAIRS, 1 - (0.5 + 0.1 + 0) / 3, 1.0),
    ],
)
def test_a_metric_of_the_items_of_a_list(
    metric: str, inputs: dict[str, Any], u1: float | None, u2: float | None
) -> None:
    """The query u3 has no list, so its value is undefined, and it is not in the mean."""
    per_query, mean, queries = values(metric, **inputs)
    assert per_query == {"u1": pytest.approx(u1), "u2": pytest.approx(u2), "u3": None}
    assert mean == (None if u1 is None or u2 is None else pytest.approx((u1 + u2) / 2, rel=0, abs=1e-12))
    assert queries == (0 if u1 is None else 2)


def test_serendipity_is_that_of_rectools() -> None:
    """The example of RecTools 0.19, Serendipity."""
    run = {"query": [1, 1, 2, 2, 3, 4, 4], "item": [1, 2, 2, 3, 3, 2, 3], "rank": [1, 2, 1, 2, 1, 1, 2]}
    qrels = {"query": [1, 1, 2, 2, 3, 4], "item": [1, 2, 2, 3, 2, 2]}
    training = {"query": [1, 1, 2, 2, 3], "item": [1, 2, 1, 2, 1]}
    found = evaluate(
        run, qrels, "serendipity@1,2", rank="rank", relevance=None, training=training, catalog={"item": [1, 2, 3, 4]}
    )
    assert [row[2:] for row in found.per_query.fetchall()] == [(0, 0), (0.25, 0.5), (0, 0), (0.25, 0.125)]


def test_metrics_of_the_whole_run_have_no_slices() -> None:
    qrels = {**QRELS, "country": ["NL", "NL", "BE", "BE"]}
    rows = evaluate(RUN, qrels, ["overlap@2", "recall@2"], by="country").to_dicts()
    assert [(row["country"], row["metric"], row["value"], row["queries"]) for row in rows] == [
        (None, "overlap", 0.5, 3), (None, "recall", 0.5, 3), ("BE", "overlap", None, 0), ("BE", "recall", 0.5, 2),
        ("NL", "overlap", None, 0), ("NL", "recall", 0.5, 1),
    ]  # fmt: skip


def test_metrics_of_the_whole_run_read_the_lists_of_the_queries_that_count() -> None:
    """With no_relevant="skip", u2 and its list {a} do not count, so that the lists are {b, c} and {b}."""
    run = {"query": ["u1", "u1", "u2", "u3"], "item": ["b", "c", "a", "b"], "score": [2, 1, 1, 1]}
    qrels = {"query": ["u1", "u2", "u3"], "item": ["b", "a", "b"], "relevance": [2, 0, 1]}
    asked: dict[str, Any] = {"metrics": "coverage,gini,overlap@1", "catalog": {"item": ["a", "b", "c", "d"]}}
    weights = {"query": ["u1", "u2", "u3"], "weight": [1, 5, 0]}  # they have no effect on metrics of the whole run

    def found(**options: Any) -> list[tuple[float | None, int]]:
        return [(row["value"], row["queries"]) for row in evaluate(run, qrels, **asked, **options).to_dicts()]

    # How often each item of the catalog is recommended: 0, 1, 1, 2, and without u2 0, 0, 1, 2.
    every = [(3 / 4, 3), (pytest.approx((-3 * 0 - 1 * 1 + 1 * 1 + 3 * 2) / (4 * 4)), 3), (1 / 3, 3)]
    counted = [(2 / 4, 2), (pytest.approx((1 * 1 + 3 * 2) / (4 * 3)), 2), (1, 2)]
    assert found() == every
    assert found(no_relevant="skip") == found(no_relevant="skip", weights=weights) == counted
    assert found(no_relevant="skip", threshold=2)[0] == (2 / 4, 1)  # of u1 alone


def test_items_after_an_excluded_item_move_up() -> None:
    before = evaluate(RUN, QRELS, ["recall@1", "rr"])
    after = evaluate(RUN, QRELS, ["recall@1", "rr"], exclude={"query": ["u1", "u9"], "item": ["b", "b"]})
    assert (before.value("recall@1"), before.value("rr")) == (1 / 3, (1 / 2 + 1) / 3)
    assert (after.value("recall@1"), after.value("rr")) == ((1 / 2 + 1) / 3, 2 / 3)
    assert after.counts["run"].run_rows_dropped == 1
    assert "1 row of the run left out" in repr(after)


def test_optional_inputs_name_their_columns_as_the_run_or_the_qrels_do() -> None:
    run = {"user": ["u1", "u1"], "movie": ["b", "a"], "score": [2.0, 1.0]}
    qrels = {"uid": ["u1"], "mid": ["a"], "relevance": [1]}
    names: dict[str, Any] = {"query": "user", "item": "movie", "qrels_query": "uid", "qrels_item": "mid"}
    for exclude in ({"user": ["u1"], "movie": ["b"]}, {"uid": ["u1"], "mid": ["b"]}):
        assert evaluate(run, qrels, "rr", exclude=exclude, **names).value("rr") == 1
    with pytest.raises(UnknownNameError, match=r"exclude .* has no column 'movie' .* Its columns: 'user', 'film'"):
        evaluate(run, qrels, "rr", exclude={"user": ["u1"], "film": ["b"]}, **names)


def test_weights_of_queries_apply_to_the_mean() -> None:
    weights = {"query": ["u1", "u2", "u3", "u9"], "weight": [1, 3, 0, 1e23]}  # u9 is not judged
    result = evaluate(RUN, QRELS, ["recall@2", "ap(mean=geometric)", "num_rel"], weights=weights)
    assert result.value("recall@2") == pytest.approx((1 * 1 / 2 + 3 * 1 + 0) / 4, rel=0, abs=1e-12)
    assert result.value("gm_map") == pytest.approx(((1 / 4) ** 1 * 1**3) ** (1 / 4), rel=0, abs=1e-12)
    assert result.value("num_rel") == 4  # a total ignores weights
    scaled = {**weights, "weight": [weight * 1e-300 for weight in (1, 3, 0, 100)]}
    assert evaluate(RUN, QRELS, "recall@2", weights=scaled).value("recall@2") == result.value("recall@2")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metrics": "novelty@3"}, ArgumentError, r"novelty@3 needs training=: .* query, item: .* popularity"),
        ({"metrics": "coverage"}, ArgumentError, r"coverage needs catalog=: a relation with the columns item"),
        ({"metrics": "gini@5"}, ArgumentError, r"gini@5 needs catalog="),
        ({"metrics": "diversity@5"}, ArgumentError, r"diversity@5 needs features="),
        ({"metrics": "pair_diversity"}, ArgumentError, r"pair_diversity needs pairs="),
        ({"training": TRAINING}, ArgumentError, r"training: no requested metric reads it"),
        ({"weights": {"query": ["u1"], "weight": ["x"]}}, TypeError, r"weights .* 'weight' .* weight is a number"),
        ({"weights": {"query": ["u1", "u2"], "weight": [1, 1]}}, DataError, r"no weight.* query='u3'"),
        ({"weights": {"query": ["u1", "u2", "u3"], "weight": [0, 0, 0]}}, DataError, r"no weight is above 0"),
        ({"weights": {"query": ["u1", "u1"], "weight": [1, 1]}}, DataError, r"more than one weight .* query='u1'"),
        ({"weights": {"query": ["u1"], "weight": [-1]}}, DataError, r"negative or infinite .* weight=-1"),
        ({"items": {"item": [1, 2]}}, TypeError, r"run and items differ in type: .* column 'item' of items is INTEGER"),
        (
            {"metrics": "diversity", "features": {**FEATURES, "weight": [1.0, None, 1.0, 1.0, 1.0]}},
            DataError,
            r"weight is NULL in features, or a weight is infinite .* item='a', feature='old'",
        ),
        (
            {"metrics": "pair_diversity", "pairs": {**PAIRS, "similarity": [0.5, 7.0]}},
            DataError,
            r"not between -1 and 1 .* similarity=7.0",
        ),
    ],
)
def test_a_fault_of_an_optional_input_raises(options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        evaluate(RUN, QRELS, **options)
    assert isinstance(caught.value, RecallError)


TWO = {"query": ["a", "a", "b", "b", "c", "c"], "item": ["x", "y"] * 3, "score": [2.0, 1.0] * 3}
JUDGED = {"query": ["a", "b", "c"], "item": ["x", "y", "x"], "relevance": [1, 1, 2]}


@pytest.mark.parametrize("scale", [1, 1e-5, 1e-9, 1e-100, 1e100])
def test_diversity_does_not_depend_on_the_scale_of_an_items_weights(scale: float) -> None:
    features = {"item": ["x", "x", "y", "y"], "feature": ["f", "g", "f", "h"], "weight": [1.0, 1.0, scale, scale]}
    assert evaluate(TWO, JUDGED, "diversity@2", features=features).value("diversity@2") == pytest.approx(
        1 / 2, abs=1e-12
    )


def test_items_that_keep_everything_keep_a_query_with_an_empty_list_of_relevant_items() -> None:
    run = {"query": ["a", "b"], "item": [["x", "y"], ["x"]]}
    qrels = {"query": ["a", "b"], "item": [["y"], []]}
    assert (
        evaluate(run, qrels, "rr", items={"item": ["x", "y", "z"]}).to_dicts() == evaluate(run, qrels, "rr").to_dicts()
    )


def test_ranks_below_the_cutoff_are_checked_if_items_above_are_excluded() -> None:
    run = {"query": ["a"] * 4, "item": ["p", "q", "r", "s"], "rank": [1, 2, 7, 7]}
    qrels = {"query": ["a"], "item": ["s"], "relevance": [1]}
    with pytest.raises(DataError, match="not 1, 2, 3 and so on"):
        evaluate(run, qrels, "recall@1", rank="rank", exclude={"query": ["a", "a"], "item": ["p", "q"]})


def test_the_notes_count_the_queries_of_a_mean_over_fewer_queries() -> None:
    result = evaluate(RUN, QRELS, ["recall@2", "novelty@2"], training=TRAINING)
    assert "3 queries judged, 2 retrieved; 1 missing from the run, counted as 0" in repr(result)
    assert result.notes[0].endswith("; novelty@2 of 2 queries")


def test_the_threshold_of_one_metric_is_no_error_for_the_others() -> None:
    result = evaluate(TWO, JUDGED, ["recall@1", "recall(threshold=5)@1"], no_relevant="error")
    assert result.value("recall(threshold=5)@1") == 0
    assert result.value("recall@1") == evaluate(TWO, JUDGED, "recall@1").value("recall@1")
    fails(DataError, "never at or above the threshold 5", evaluate, TWO, JUDGED, "recall@1", threshold=5)


def test_skipping_queries_without_relevant_items_applies_to_every_threshold() -> None:
    metrics = ["recall@1", "recall(threshold=2)@1"]
    for order in (metrics, metrics[::-1]):
        result = evaluate(TWO, JUDGED, order, no_relevant="skip")
        assert {row["metric"]: row["queries"] for row in result.to_dicts()} == {"recall": 3, "recall(threshold=2)": 1}
        assert result.counts["run"].without_relevant == 0  # by the threshold of the policy


def test_one_name_for_two_columns_raises() -> None:
    run = {"query": ["a", "a"], "other": ["x", "y"], "score": [2.0, 1.0]}
    qrels = {"query": ["a"], "other": ["x"], "relevance": [1]}
    pairs = {"item": ["x"], "other": ["y"], "similarity": [1.0]}
    with pytest.raises(ArgumentError, match="two of its columns would have the same name"):
        evaluate(run, qrels, "pair_diversity@2", item="other", pairs=pairs)
    with pytest.raises(ArgumentError, match="query: the result has a column 'rr' for the metric"):
        evaluate(
            {"rr": ["a"], "item": ["x"], "score": [1.0]},
            {"rr": ["a"], "item": ["x"], "relevance": [1]},
            "rr",
            query="rr",
        )


def test_lines_in_trec_format_name_the_query_without_its_slice() -> None:
    qrels = {**JUDGED, "country": ["NL", "NL", "BE"]}
    lines = evaluate(TWO, qrels, ["rr", "num_rel(mean=arithmetic)"], by="country").to_trec(each_query=True).splitlines()
    assert lines[:2] == ["recip_rank            \ta\t1.0000", "num_rel(mean=arithmetic)\ta\t1.0000"]


def test_dropped_rows_are_counted_for_each_model() -> None:
    other = {"query": ["u1", "u1"], "item": ["a", "c"], "score": [1.0, 0.5]}
    result = evaluate({"full": RUN, "short": other}, QRELS, exclude={"query": ["u1", "u1"], "item": ["a", "b"]})
    assert {name: counts.run_rows_dropped for name, counts in result.counts.items()} == {"full": 2, "short": 1}


def test_exclude_may_be_a_file_of_trec_qrels(tmp_path: Path) -> None:
    (tmp_path / "seen").write_text("u1 0 b 1\n")
    assert evaluate(RUN, QRELS, "rr", exclude=tmp_path / "seen").value("rr") == 2 / 3
