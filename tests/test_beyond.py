"""Metrics beyond accuracy, and the relations beside run and qrels: every number here was computed by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError, DataError, RecallError, UnknownNameError

# The lists: u1 b a z, u2 c a, u3 nothing; u4 is not judged, so its list plays no part.
RUN = {
    "query": ["u1", "u1", "u1", "u2", "u2", "u4"],
    "item": ["b", "a", "z", "c", "a", "e"],
    "score": [0.9, 0.8, 0.5, 0.7, 0.1, 0.3],
}
QRELS = {"query": ["u1", "u1", "u2", "u3"], "item": ["a", "x", "c", "c"], "relevance": [1, 3, 1, 1]}
# a is held by u1, u2 and u3 of the three, b by one of them.
TRAINING = {"query": ["u1", "u2", "u3", "u3", "u3"], "item": ["a", "a", "b", "a", "a"]}
CATALOG = {"item": ["a", "b", "c", "d", "e", "f"]}
FEATURES = {"item": ["a", "a", "b", "b", "c"], "feature": ["red", "old", "red", "new", "red"]}
PAIRS = {"item": ["a", "z"], "other": ["b", "b"], "similarity": [0.5, 0.1]}


def values(metric: str, **options: Any) -> tuple[dict[str, float | None], float | None, int]:
    """The values of each query, the mean, and how many queries it is the mean of."""
    result = evaluate(RUN, QRELS, metric, **options)
    per_query = {row[1]: row[2] for row in result.per_query.fetchall() if len(row) > 2}
    return per_query, result.value(metric), result.to_dicts()[0]["queries"]


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("coverage@1", 2 / 6),  # b and c, of six
        ("coverage@2", 3 / 6),  # and a; z is not in the catalog
        ("coverage", 3 / 6),
        ("gini@1", (5 * 1 + 6 * 1) * 2 / (6 * 2) - 7 / 6),  # 0 0 0 0 1 1
        ("gini@2", (4 * 1 + 5 * 1 + 6 * 2) * 2 / (6 * 4) - 7 / 6),  # 0 0 0 1 1 2
    ],
)
def test_metrics_of_the_catalog(metric: str, value: float) -> None:
    per_query, mean, _ = values(metric, catalog=CATALOG)
    assert per_query == {}  # a value of the whole run has no place among those of the queries
    assert mean == pytest.approx(value, rel=0, abs=1e-12)


@pytest.mark.parametrize(("metric", "value"), [("overlap@1", 0), ("overlap@2", 1 / 2), ("overlap", 1 / 3)])
def test_overlap_is_the_share_of_the_top_k_that_two_lists_have_in_common(metric: str, value: float) -> None:
    assert values(metric)[1] == pytest.approx(value, rel=0, abs=1e-12)


def test_popularity_is_the_share_of_the_training_queries_that_hold_an_item() -> None:
    per_query, mean, queries = values("popularity@2", training=TRAINING)
    assert per_query == {"u1": pytest.approx((1 / 3 + 1) / 2), "u2": pytest.approx((0 + 1) / 2), "u3": None}
    assert mean == pytest.approx((2 / 3 + 1 / 2) / 2, rel=0, abs=1e-12)
    assert queries == 2  # u3 has no list: there is nothing to be popular, so it is left out


def test_novelty_is_the_mean_of_minus_the_logarithm_of_popularity() -> None:
    per_query, mean, queries = values("novelty@2", training=TRAINING)
    unseen = math.log2(3)  # b has one holder in three, and c, which nobody holds, counts as having one
    assert per_query == {"u1": pytest.approx(unseen / 2), "u2": pytest.approx(unseen / 2), "u3": None}
    assert mean == pytest.approx(unseen / 2, rel=0, abs=1e-12)
    assert queries == 2


def test_diversity_is_one_minus_the_mean_cosine_of_the_features() -> None:
    per_query, _, queries = values("diversity@2", features=FEATURES)
    assert per_query == {"u1": pytest.approx(1 - 1 / 2), "u2": pytest.approx(1 - 1 / math.sqrt(2)), "u3": None}
    assert queries == 2
    per_query, _, _ = values("diversity", features=FEATURES)  # z has no features: it is unlike a and b
    assert per_query["u1"] == pytest.approx(1 - (1 / 2) / 3)
    assert values("diversity@1", features=FEATURES)[0] == {"u1": None, "u2": None, "u3": None}


def test_features_may_have_weights() -> None:
    weighted = {**FEATURES, "weight": [3.0, 4.0, 1.0, 0.0, 2.0]}  # a = (3, 4), b = (1, 0), c = (2, 0)
    per_query, _, _ = values("diversity@2", features=weighted)
    assert per_query == {"u1": pytest.approx(1 - 3 / 5), "u2": pytest.approx(1 - 3 / 5), "u3": None}


def test_pair_diversity_is_one_minus_the_mean_of_the_similarities_given() -> None:
    per_query, _, _ = values("pair_diversity@2", pairs=PAIRS)
    assert per_query == {"u1": 0.5, "u2": 1.0, "u3": None}
    per_query, _, _ = values("pair_diversity", pairs=PAIRS)
    assert per_query["u1"] == pytest.approx(1 - (0.5 + 0.1 + 0) / 3)


def test_metrics_of_the_whole_run_have_no_slices() -> None:
    qrels = {**QRELS, "country": ["NL", "NL", "BE", "BE"]}
    rows = evaluate(RUN, qrels, ["overlap@2", "recall@2"], by="country").to_dicts()
    assert [(row["country"], row["metric"], row["value"], row["queries"]) for row in rows] == [
        (None, "overlap", 0.5, 3),
        (None, "recall", 0.5, 3),
        ("BE", "overlap", None, 0),
        ("BE", "recall", 0.5, 2),
        ("NL", "overlap", None, 0),
        ("NL", "recall", 0.5, 1),
    ]


def test_what_is_excluded_makes_room_for_what_comes_after_it() -> None:
    before = evaluate(RUN, QRELS, ["recall@1", "rr"])
    after = evaluate(RUN, QRELS, ["recall@1", "rr"], exclude={"query": ["u1", "u9"], "item": ["b", "b"]})
    assert (before.value("recall@1"), before.value("rr")) == (1 / 3, (1 / 2 + 1) / 3)
    assert (after.value("recall@1"), after.value("rr")) == ((1 / 2 + 1) / 3, 2 / 3)
    assert after.counts["run"].run_rows_dropped == 1
    assert "1 row of the run dropped" in repr(after)


@pytest.mark.parametrize(
    ("run", "options"),
    [
        ({"query": ["u1"] * 3, "item": ["b", "a", "z"], "rank": [1, 2, 3]}, {"rank": "rank"}),
        ({"query": ["u1"], "item": [["b", "a", "z"]]}, {}),
    ],
)
def test_what_is_excluded_makes_room_in_ranks_and_lists_too(run: dict[str, Any], options: dict[str, Any]) -> None:
    qrels = {"query": ["u1"], "item": ["a"], "relevance": [1]}
    assert evaluate(run, qrels, "rr", **options).value("rr") == 1 / 2
    assert evaluate(run, qrels, "rr", exclude={"query": ["u1"], "item": ["b"]}, **options).value("rr") == 1


def test_items_restrict_run_and_qrels() -> None:
    result = evaluate(RUN, QRELS, ["recall@1", "num_rel", "num_ret"], items={"item": ["a", "c"]})
    assert result.per_query.fetchall() == [
        ("run", "u1", 1.0, 1.0, 1.0),
        ("run", "u2", 1.0, 1.0, 2.0),
        ("run", "u3", 0.0, 1.0, 0.0),
    ]
    only_x = evaluate(RUN, QRELS, "recall@1", items={"item": ["x", "b"]})
    assert [row[1] for row in only_x.per_query.fetchall()] == ["u1"]  # of u2 and u3 no judged item is left


def test_the_relations_beside_have_the_columns_of_the_run_or_of_the_qrels() -> None:
    run = {"user": ["u1", "u1"], "movie": ["b", "a"], "score": [2.0, 1.0]}
    qrels = {"uid": ["u1"], "mid": ["a"], "relevance": [1]}
    names: dict[str, Any] = {"query": "user", "item": "movie", "qrels_query": "uid", "qrels_item": "mid"}
    for exclude in ({"user": ["u1"], "movie": ["b"]}, {"uid": ["u1"], "mid": ["b"]}):
        assert evaluate(run, qrels, "rr", exclude=exclude, **names).value("rr") == 1
    with pytest.raises(UnknownNameError, match=r"exclude .* has no column 'movie' .* Its columns: 'user', 'film'"):
        evaluate(run, qrels, "rr", exclude={"user": ["u1"], "film": ["b"]}, **names)


def test_weights_weigh_the_queries_in_the_mean() -> None:
    weights = {"query": ["u1", "u2", "u3", "u9"], "weight": [1, 3, 0, 100]}
    result = evaluate(RUN, QRELS, ["recall@2", "ap(mean=geometric)", "num_rel"], weights=weights)
    assert result.value("recall@2") == pytest.approx((1 * 1 / 2 + 3 * 1 + 0) / 4, rel=0, abs=1e-12)
    assert result.value("gm_map") == pytest.approx(((1 / 4) ** 1 * 1**3) ** (1 / 4), rel=0, abs=1e-12)
    assert result.value("num_rel") == 4  # a total is a total
    scaled = {**weights, "weight": [weight * 1e-300 for weight in (1, 3, 0, 100)]}
    assert evaluate(RUN, QRELS, "recall@2", weights=scaled).value("recall@2") == result.value("recall@2")


def test_ids_of_csv_are_read_as_the_ids_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "seen.csv").write_text("query,item\n1,007\n")
    numbers = {"query": [1, 1], "item": [7, 8], "score": [2.0, 1.0]}
    texts = {"query": [1, 1], "item": ["007", "8"], "score": [2.0, 1.0]}
    qrels: dict[str, Any] = {"query": [1], "item": [8], "relevance": [1]}
    assert evaluate(numbers, qrels, "rr", exclude=tmp_path / "seen.csv").value("rr") == 1
    assert evaluate(texts, {**qrels, "item": ["8"]}, "rr", exclude=tmp_path / "seen.csv").value("rr") == 1


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"metrics": "novelty@3"}, ArgumentError, r"novelty@3 needs training=: .* query, item: .* popularity"),
        ({"metrics": "coverage"}, ArgumentError, r"coverage needs catalog=: a relation with the columns item"),
        ({"metrics": "gini@5"}, ArgumentError, r"gini@5 needs catalog="),
        ({"metrics": "diversity@5"}, ArgumentError, r"diversity@5 needs features="),
        ({"metrics": "pair_diversity"}, ArgumentError, r"pair_diversity needs pairs="),
        ({"training": TRAINING}, ArgumentError, r"training: no metric that was asked for reads it"),
        ({"weights": {"query": ["u1"], "weight": ["x"]}}, TypeError, r"weights .* 'weight' .* weight is a number"),
        ({"weights": {"query": ["u1", "u2"], "weight": [1, 1]}}, DataError, r"no weight.* query='u3'"),
        ({"weights": {"query": ["u1", "u2", "u3"], "weight": [0, 0, 0]}}, DataError, r"no weight is above 0"),
        ({"weights": {"query": ["u1", "u1"], "weight": [1, 1]}}, DataError, r"more than one weight .* query='u1'"),
        ({"weights": {"query": ["u1"], "weight": [-1]}}, DataError, r"NULL, negative or infinite .* weight=-1"),
        ({"items": {"item": [1, 2]}}, TypeError, r"run and items differ in type: .* column 'item' of items is INTEGER"),
        (
            {"metrics": "diversity", "features": {**FEATURES, "weight": [1.0, None, 1.0, 1.0, 1.0]}},
            DataError,
            r"weight of a feature is NULL or infinite .* item='a', feature='old'",
        ),
        (
            {"metrics": "pair_diversity", "pairs": {**PAIRS, "similarity": [0.5, 7.0]}},
            DataError,
            r"not between -1 and 1 .* similarity=7.0",
        ),
    ],
)
def test_what_is_wrong_with_a_relation_beside_is_said(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        evaluate(RUN, QRELS, **options)
    assert isinstance(caught.value, RecallError)
