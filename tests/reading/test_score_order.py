"""Distances as scores: low ones come first."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import error_of, fails, output_of

from recall_duckdb import ArgumentError, RecallWarning, UnknownNameError, agreement, check, evaluate, pool, sql
from recall_duckdb.macros.installing import install

NEAR = {"query": [1, 1, 1], "item": [5, 6, 7], "distance": [0.1, 0.2, 0.3]}
JUDGED = {"query": [1], "item": [5], "relevance": [1]}
ASCENDING: dict[str, Any] = {"score": "distance", "order": "ascending"}


def test_the_lowest_distance_comes_first() -> None:
    assert evaluate(NEAR, JUDGED, "rr", **ASCENDING).value("rr") == 1
    assert evaluate(NEAR, JUDGED, "rr", score="distance", order="descending").value("rr") == 1 / 3


DISTANCES = (
    *("distance", "_distance", "Dist", "L2", "cosine_distance", "cos_dist", "dists", "l2dist", "neg_dist2"),
    *("embedding_distance", "neighborDistance", "vec_dist", "dist_cos", "score_distance", "Cosine-Distance"),
    *("array_cosine_distance(a, b)", "list_distance(a, b)", "array_negative_inner_product(a, b)"),
)


@pytest.mark.product
@pytest.mark.parametrize("name", DISTANCES)
@pytest.mark.parametrize("ask", [evaluate, check, pool, sql])
def test_a_distance_is_refused_until_its_order_is_given(ask: Any, name: str) -> None:
    expected = (
        f"^score: '{re.escape(name)}' is usually a distance, of which the lowest is the best. Pass order='ascending' "
        "or, if the highest is the best, order='descending'$"
    )
    fails(ArgumentError, expected, ask, NEAR, JUDGED, "rr", score=name)


@pytest.mark.slow
def test_a_macro_refuses_a_distance_until_its_order_is_written() -> None:
    connection = duckdb.connect()
    install(connection)
    connection.execute("CREATE TABLE qrels AS SELECT 1 AS query, 5 AS item, 1 AS relevance")
    for name in DISTANCES:
        connection.execute(f'CREATE OR REPLACE TABLE run AS SELECT 1 AS query, 5 AS item, 0.1 AS "{name}"')
        call = f"FROM recall_duckdb.recall_at_k('run', 'qrels', k := 2, score := '{name}'"
        with pytest.raises(duckdb.InvalidInputException, match=f"'{re.escape(name)}' is usually a distance"):
            connection.execute(f"{call})").fetchall()
        asked: dict[str, Any] = {"score": name, "order": "ascending", "form": "macro", "name": "of_distances"}
        connection.execute(sql("run", "qrels", "recall@2", **asked).replace("CREATE", "CREATE OR REPLACE", 1))
        assert connection.execute("SELECT value FROM of_distances('run', 'qrels')").fetchall() == [(1,)]


@pytest.mark.parametrize("name", ["district", "distinct_score", "distribution", "l2_norm", "dot", "inner_product"])
def test_other_names_are_no_distances(name: str) -> None:
    assert evaluate({"query": [1, 1], "item": [5, 6], name: [2, 1]}, JUDGED, "rr", score=name).value("rr") == 1


@pytest.mark.product
@pytest.mark.parametrize(
    "name", ["rank", "Position", "pos", "_rank", "ranking", "place", "item_rank", "ranks", "pos_rank"]
)
@pytest.mark.parametrize("ask", [evaluate, check, pool, sql])
def test_a_rank_as_a_score_is_refused_until_its_order_is_given(ask: Any, name: str) -> None:
    expected = (
        f"^score: '{name}' is usually a rank, of which the lowest is the best. Pass rank='{name}', or "
        "order='ascending' or, if the highest is the best, order='descending'$"
    )
    fails(ArgumentError, expected, ask, NEAR, JUDGED, "rr", score=name)
    fails(ArgumentError, expected, ask, NEAR, JUDGED, "rr", score=["new", name])


def test_a_rank_as_a_score_has_the_order_that_is_given() -> None:
    run = {"query": [1, 1, 1], "item": [5, 6, 7], "position": [1, 2, 3]}
    asked: list[tuple[dict[str, Any], float]] = [
        ({"score": "position", "order": "ascending"}, 1),
        ({"score": "position", "order": "descending"}, 1 / 3),
        ({"rank": "position"}, 1),
    ]
    for given, expected in asked:
        assert evaluate(run, JUDGED, "rr", **given).value("rr") == expected


def test_scores_and_distances_of_several_runs_need_one_column() -> None:
    runs = {"bm25": {"query": [1], "item": [5], "score": [0.3]}, "dense": NEAR}
    for given in ({}, ASCENDING):
        with pytest.raises(
            UnknownNameError, match="If other runs hold scores, make one column of them: minus the distance"
        ):
            evaluate(runs, JUDGED, "rr", **given)


def test_a_distance_is_suggested_if_there_is_no_score() -> None:
    fails(UnknownNameError, "Did you mean score='distance' with order='ascending'?", evaluate, NEAR, JUDGED, "rr")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"order": "up"}, "order: 'up' is not one of 'descending', 'ascending'"),
        ({**ASCENDING, "min_score": 0.2}, "min_score: it is a lowest score, but with order='ascending' low"),
        (
            {"rank": "distance", "order": "ascending"},
            r"order: 'ascending' needs a score, but the run has a rank column\. Leave it out",
        ),
    ],
)
def test_an_order_without_effect_or_meaning_is_refused(given: dict[str, Any], message: str) -> None:
    fails(ArgumentError, message, evaluate, NEAR, JUDGED, "rr", **given)


@pytest.mark.parametrize(
    "values",
    [
        "(-9223372036854775808)::BIGINT, 0::BIGINT, 9223372036854775807::BIGINT",
        "0::UBIGINT, 1::UBIGINT, 18446744073709551615::UBIGINT",
        "-1.5::DECIMAL(38, 2), 0::DECIMAL(38, 2), 2::DECIMAL(38, 2)",
        "'-inf'::DOUBLE, 0::DOUBLE, 'inf'::DOUBLE",
        "1::FLOAT, 2::FLOAT, NULL::FLOAT",
        "1::DOUBLE, 2::DOUBLE, 'nan'::DOUBLE",
    ],
)
def test_values_of_every_type_are_ranked_from_the_lowest(values: str) -> None:
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE run AS SELECT 1 AS query, unnest([5, 6, 7]) AS item, unnest([{values}]) AS score")
    for item, rank in ((5, 1), (6, 2), (7, 3)):
        judged = {"query": [1], "item": [item], "relevance": [1]}
        given: dict[str, Any] = {"order": "ascending", "nulls": "last", "connection": connection}
        assert evaluate("run", judged, "rr", **given).value("rr") == 1 / rank


def test_zeros_of_both_signs_are_tied() -> None:
    run = {"query": [1, 1], "item": [5, 6], "score": [0.0, -0.0]}
    values = [evaluate(run, JUDGED, "rr", order="ascending", ties=ties).value("rr") for ties in ("item", "item_desc")]
    assert values == [1, 0.5]


def test_the_lowest_distance_of_a_duplicate_counts() -> None:
    run = {"query": [1, 1, 1], "item": [5, 6, 5], "score": [3.0, 2.0, 1.0]}
    assert evaluate(run, JUDGED, "rr", order="ascending", duplicates="best").value("rr") == 1


def test_distances_may_be_equal_only_in_32_bits() -> None:
    run = {"query": [1, 1], "item": [5, 6], "score": [1 + 1e-12, 1.0]}
    given: dict[str, Any] = {"order": "ascending", "ties": "item"}
    assert evaluate(run, JUDGED, "rr", **given).value("rr") == 0.5
    assert evaluate(run, JUDGED, "rr", semantics="trec_eval_9", **given).value("rr") == 1


def test_check_shows_the_distances_of_the_user() -> None:
    run = {**NEAR, "distance": [0.1, 0.2, float("-inf")]}
    found = {fault.check: fault for fault in check(run, JUDGED, "rr@1", **ASCENDING)}
    assert found["run_infinite"].examples == [{"query": 1, "item": 7, "distance": float("-inf")}]
    tied = {**NEAR, "distance": [0.2, 0.2, 0.3]}
    found = {fault.check: fault for fault in check(tied, JUDGED, "rr@1", **ASCENDING)}
    assert found["ties"].examples[0]["distance"] == 0.2


def test_labels_pools_and_agreement_follow_the_order() -> None:
    labelled = {**NEAR, "relevance": [1, 0, 0]}
    assert evaluate(labelled, metrics="rr", **ASCENDING).value("rr") == 1
    assert pool(NEAR, JUDGED, "rr@2", **ASCENDING).fetchall() == [(1, 6, 2, 1)]
    lists = {"query": [1, 1], "item": [5, 6], "old": [1.0, 2.0], "new": [3.0, 2.0]}
    found = agreement(lists, baseline="old", k=1, score=["old", "new"], order="ascending")
    assert found.value("jaccard") == 0


def test_the_command_line_takes_the_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.csv").write_text("query,item,distance\n1,5,0.1\n1,6,0.2\n")
    (tmp_path / "qrels.csv").write_text("query,item,relevance\n1,5,1\n")
    asked = [str(tmp_path / "run.csv"), "--qrels", str(tmp_path / "qrels.csv"), "-m", "rr"]
    assert "rr      1.0000" in output_of(capsys, "evaluate", *asked, "--score", "distance", "--order", "ascending")
    assert "Pass --order ascending or" in error_of(capsys, "evaluate", *asked, "--score", "distance")
    assert "Pass --rank rank, or --order ascending or" in error_of(capsys, "evaluate", *asked, "--score", "rank")


@pytest.mark.product
@pytest.mark.parametrize(
    ("given", "roles"),
    [
        ({"item": "query"}, "query, item: both name the column 'query'"),
        ({"score": "Item"}, r"score, item: both name the column 'item' \(upper and lower case are the same\)"),
        ({"rank": "item"}, "item, rank: both name the column 'item'"),
        ({"model": "item"}, "item, model: both name the column 'item'"),
        ({"qrels_item": "query"}, "qrels_query, qrels_item: both name the column 'query'"),
        ({"relevance": "item"}, "qrels_item, relevance: both name the column 'item'"),
        ({"qrels": None, "relevance": "score"}, "score, relevance: both name the column 'score'"),
    ],
)
@pytest.mark.parametrize("ask", [evaluate, check, sql])
def test_one_column_in_two_roles_is_refused(ask: Any, given: dict[str, Any], roles: str) -> None:
    run = {**NEAR, "score": [1, 2, 3], "relevance": [1, 0, 0]}
    with pytest.raises(ArgumentError, match=f"{roles}, but a column has one meaning. Name two columns"):
        ask(**{"run": run, "qrels": JUDGED, "metrics": "rr", **given})


def test_a_column_of_lists_may_be_called_score() -> None:
    """Lists are in rank order, so that no score is read."""
    lists = {"score": [1], "item": [["a", "b"]], "relevance": [["b"]]}
    assert evaluate(lists, metrics="rr", query="score").value("rr") == 0.5
    with pytest.raises(ArgumentError, match="score, item: both name the column 'score'"):
        evaluate({"query": [1], "score": [5]}, {"query": [1], "score": [5], "relevance": [1]}, "rr", item="score")


def test_slices_may_be_a_column_of_the_query() -> None:
    run = {"user": [1], "day": [2], "item": [5], "score": [1]}
    qrels = {"user": [1], "day": [2], "item": [5], "relevance": [1]}
    found = evaluate(run, qrels, "rr", query=["user", "day"], by="day").to_dicts()
    assert [(row["day"], row["value"]) for row in found] == [(None, 1.0), (2, 1.0)]


REVERSED = (
    "relevant items rank below most other items of their lists, as if column 'score' were read in the wrong order"
)


def placed(places: list[int], *, items_are_shared: bool = False, tied: bool = False) -> tuple[Any, Any]:
    """Return lists of ten items, with the relevant item of each at a place, and the qrels."""
    run: dict[str, list[Any]] = {"query": [], "item": [], "score": []}
    for query, place in enumerate(places):
        others = iter(range(1, 10))
        for rank in range(1, 11):
            number = 0 if rank == place else next(others)
            run["query"].append(query)
            run["item"].append(number if items_are_shared else 10 * query + number)
            run["score"].append(query % 2 if tied else 1 / rank)
    queries = range(len(places))
    items = [0 if items_are_shared else 10 * query for query in queries]
    return run, {"query": [*queries], "item": items, "relevance": [1] * len(places)}


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("metric", ["recall@1", "ndcg"])
def test_a_note_says_that_relevant_items_have_the_lowest_scores(metric: str) -> None:
    run, qrels = placed([10, 8] * 12)
    with pytest.warns(RecallWarning, match=REVERSED):
        note, large = (evaluate(*given, metric).notes[-1] for given in ((run, qrels), placed([10, 8] * 1200)))
    assert "relevant=24, percent_above=89" in note
    assert "in a sample of up to 100 queries" in large
    assert "If low values are the best, as those of distances are, pass order='ascending'" in note
    assert evaluate(run, qrels, metric, order="ascending").notes == ["run: 24 queries judged, 24 retrieved"]
    with pytest.warns(RecallWarning, match="If high values are the best, pass order='descending'"):
        evaluate(*placed([1] * 24), metric, order="ascending")


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    "given",
    [
        pytest.param(placed([1, 3] * 50), id="a good model"),
        pytest.param(placed([*range(1, 11)] * 10), id="a random order"),
        pytest.param(placed([*range(3, 11)] * 12), id="a bad model, for which 61 % of the others are above"),
        pytest.param(placed([10] * 15), id="too few queries"),
        pytest.param(placed([10] * 100, items_are_shared=True), id="one item that everybody buys, ranked last"),
        pytest.param(placed([10] * 100, tied=True), id="no order"),
    ],
)
def test_a_bad_order_is_not_a_wrong_order(given: tuple[Any, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(evaluate(*given, "recall@1").notes) == 1
    assert "reversed_scores" not in {fault.check for fault in check(*given, "recall@1")}


@pytest.mark.usefixtures("any_size")
def test_the_order_of_each_model_is_looked_at() -> None:
    (near, qrels), (far, _) = placed([10] * 16), placed([1] * 16)
    with pytest.warns(RecallWarning, match="model='dense', relevant=16, percent_above=100"):
        evaluate({"bm25": far, "dense": near}, qrels, "recall@1")


def test_items_that_exclude_removes_do_not_count_as_ranked_above() -> None:
    run, qrels = placed([10] * 16)
    pairs = list(zip(run["query"], run["item"], strict=True))
    seen = [pair for pair in pairs if pair[1] % 10 not in (0, 9)]
    exclude = dict(zip(("query", "item"), map(list, zip(*seen, strict=True)), strict=True))
    moved = {**run, "score": [0 if item % 10 == 9 else score for _, item, score in zip(*run.values(), strict=True)]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate(moved, qrels, "recall@1", exclude=exclude).value("recall@1") == 1


def test_ranks_get_no_note_of_their_order() -> None:
    run, qrels = placed([10] * 16)
    ranked = {"query": run["query"], "item": run["item"], "rank": [*range(1, 11)] * 16}
    assert len(evaluate(ranked, qrels, "recall@1", rank="rank").notes) == 1
