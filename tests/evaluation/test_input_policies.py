"""Policies for incomplete input: unjudged items, ranks with gaps, empty data, and questions without qrels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from asking import Output, fails, output_of

from recall_duckdb import check, evaluate, pool, sql
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError

RUN: dict[str, Any] = {"query": [1, 1, 1, 1, 2, 2], "item": list("abcdab"), "score": [4.0, 3.0, 2.0, 1.0, 2.0, 1.0]}
QRELS = {"query": [1, 1, 1, 2], "item": list("bdca"), "relevance": [0, 1, -1, 1]}
CATALOG = {"item": list("abcdef")}
TRAINING = {"query": [7, 7, 8], "item": list("aba")}
EMPTY_RUN: dict[str, list[Any]] = {"query": [], "item": [], "score": []}
EMPTY_QRELS: dict[str, list[Any]] = {"query": [], "item": [], "relevance": []}
RANKED = {"query": [1, 1, 1, 2, 2], "item": list("abcab"), "rank": [1, 3, 4, 2, 5]}
LIKED = {"query": [1, 2], "item": list("ca"), "relevance": [1, 1]}


def values(*args: Any, **options: Any) -> dict[str, float | None]:
    result = evaluate(*args, **options)
    return {row["metric"] + (f"@{row['k']}" if row["k"] else ""): row["value"] for row in result.to_dicts()}


GIVEN: dict[str, Any] = {"rank": "rank", "ranks": "given"}
RENUMBER: dict[str, Any] = {"rank": "rank", "ranks": "renumber"}
RANKS = {"query": RUN["query"], "item": RUN["item"], "rank": [1, 2, 3, 4, 1, 2]}
LISTS = {"query": [1, 2], "item": [list("abcd"), list("ab")]}
HALF_JUDGED = {"query": [1, 1, 2], "item": list("bdz"), "score": [2.0, 1.0, 1.0]}
WITHOUT_B = {"query": [1], "item": ["b"]}
ROUGH = {"query": [1, 1, 1], "item": list("abc"), "rank": [-0.5, 7.0, 7.0]}
ONE_B = {"query": [1], "item": ["b"], "relevance": [1]}
LATE = {"query": [1, 1, 1], "item": list("abc"), "rank": [1, 5, 6]}
A_NOT_C = {"query": [1, 1], "item": list("ac"), "relevance": [1, 0]}
TWICE = {"query": [1, 1, 2], "item": list("cca"), "relevance": [0, 1, 1]}
WHOLE = {**RANKED, "rank": [1, 2, 3, 1, 2]}
A_TWICE = {"query": [1] * 4, "item": list("abac"), "rank": [1, 2, 3, 4]}
ONE_C = {"query": [1], "item": ["c"], "relevance": [1]}
FIVE_AND_ONE = {"query": [1, 2], "item": ["c", "a"], "rank": [5, 1]}
NOTHING_RELEVANT = {**QRELS, "relevance": [0, 0, 0, 0]}
FOUR = {"query": [1, 1, 1, 2], "item": list("abca"), "score": [3.0, 2.0, 1.0, 1.0]}
OF_FOUR = {"query": [1, 1, 2], "item": list("bca"), "relevance": [1, 1, 1]}
SHOWN = {"q": ["a", "x", "b"], "r": ["c"]}
NEAR = {"q": ["a", "b", "c", "d"], "r": ["d", "c"]}
LABELLED = {"query": ["q", "r"], "item": [*SHOWN.values()], "near": [*NEAR.values()]}
ALLOW: dict[str, Any] = {"empty": "allow"}
TIED = {"q": dict.fromkeys("abc", 0.5)}


@pytest.mark.parametrize(
    ("run", "qrels", "options", "expected"),
    [
        # Query 1 keeps b (rank 1) and d (rank 2). a is not judged, and c, below 0, is pooled but not judged.
        (RUN, QRELS, {}, {"rr": (1 / 4 + 1) / 2, "recall@1": 0.5, "judged@2": 0.5}),
        (RUN, QRELS, {"unjudged": "drop"}, {"rr": (1 / 2 + 1) / 2, "recall@2": 1.0, "judged@2": 1.0}),
        (RANKS, QRELS, {"unjudged": "drop", "rank": "rank"}, {"rr": 0.75}),
        (LISTS, QRELS, {"unjudged": "drop"}, {"rr": 0.75}),
        # A query without judged items is missing.
        (HALF_JUDGED, QRELS, {"unjudged": "drop"}, {"rr": 0.25}),
        (HALF_JUDGED, QRELS, {"unjudged": "drop", "missing": "skip"}, {"rr": 0.5}),
        # Of a, b and c of query 1, b and c are in the qrels, c with relevance below 0. Of a and b of query 2, a is.
        (RUN, QRELS, {}, {"judged@3": (2 / 3 + 1 / 2) / 2, "judged(over=k)@3": (2 / 3 + 1 / 3) / 2}),
        (RUN, QRELS, {}, {"unjudged@3": (2 / 3 + 1 / 3) / 2}),
        # Given p = 1/2 and only the first of two items judged, the second has 1/4 and those below the list 1/4.
        ({"q": ["a", "b"]}, {"q": {"a": 1, "b": -1}}, {}, {"rbp_residual(p=0.5)": 0.5}),
        ({"q": ["a", "b"]}, {"q": {"a": 1, "b": 0}}, {}, {"rbp_residual(p=0.5)": 0}),
        # Given ranks keep gaps, also if items are removed.
        (RANKED, LIKED, GIVEN, {"rr": (1 / 4 + 1 / 2) / 2, "recall@3": 0.5}),
        ({**RANKED, "rank": [1.0, 3.0, 4.0, 2.0, 5.0]}, LIKED, GIVEN, {"rr": (1 / 4 + 1 / 2) / 2, "recall@3": 0.5}),
        (RANKED, LIKED, RENUMBER, {"rr": (1 / 3 + 1) / 2, "recall@3": 1.0}),
        (RANKED, LIKED, {**GIVEN, "exclude": WITHOUT_B}, {"rr": (1 / 4 + 1 / 2) / 2}),
        (RANKED, LIKED, {**RENUMBER, "exclude": WITHOUT_B}, {"rr": (1 / 2 + 1) / 2}),
        (LATE, A_NOT_C, {**GIVEN, "exclude": WITHOUT_B}, {"precision(over=retrieved)@3": 1 / 2}),
        (LATE, A_NOT_C, {**GIVEN, "unjudged": "drop"}, {"precision(over=retrieved)@3": 1 / 2}),
        (LATE, A_NOT_C, {**GIVEN, "depth": 5}, {"precision(over=retrieved)@3": 1 / 2}),
        # A list that the depth cuts to nothing is missing.
        (FIVE_AND_ONE, LIKED, {**GIVEN, "missing": "skip"}, {"rr": (1 / 5 + 1) / 2, "num_q": 2}),
        (FIVE_AND_ONE, LIKED, {**GIVEN, "missing": "skip", "depth": 2}, {"rr": 1.0, "num_q": 1}),
        # Renumbered ranks only give the order: c before b, as among scores.
        (ROUGH, ONE_B, RENUMBER, {"rr": 1 / 3}),
        (ROUGH, ONE_B, {**RENUMBER, "ties": "item"}, {"rr": 1 / 2}),
        # The best duplicate counts: the higher judgement, and the lower rank if ranks are renumbered.
        (WHOLE, TWICE, {"rank": "rank", "duplicates": "best"}, {"rr": (1 / 3 + 1) / 2}),
        ({"query": [1, 2], "item": [list("abc"), list("ab")]}, TWICE, {"duplicates": "best"}, {"rr": (1 / 3 + 1) / 2}),
        (A_TWICE, ONE_C, {**RENUMBER, "duplicates": "best"}, {"rr": 1 / 3}),
        # Empty data.
        (EMPTY_RUN, QRELS, ALLOW, {"rr": 0.0, "num_q": 2}),
        (EMPTY_RUN, QRELS, {**ALLOW, "missing": "skip"}, {"rr": None}),
        (RUN, NOTHING_RELEVANT, ALLOW, {"rr": 0.0}),
        (RUN, NOTHING_RELEVANT, {**ALLOW, "no_relevant": "skip"}, {"rr": None}),
        (RUN, QRELS, {**ALLOW, "training": {"query": [], "item": []}}, {"popularity@2": None, "rr": 0.625}),
        # The order of equal scores.
        (TIED, {"q": ["b"]}, {}, {"rr": 1 / 2}),
        (TIED, {"q": ["c"]}, {"ties": "item"}, {"rr": 1 / 3}),
        (TIED, {"q": ["a"]}, {"ties": "optimistic"}, {"rr": 1.0}),
        (TIED, {"q": ["c"]}, {"ties": "pessimistic"}, {"rr": 1 / 3}),
        # Depth cuts each list.
        (FOUR, OF_FOUR, {"depth": 2}, {"recall": 0.75, "recall@3": 0.75, "precision": 0.75, "rr": 0.75, "num_ret": 3}),
        (FOUR, OF_FOUR, {"depth": 2}, {"recall@1": 0.5}),
        (FOUR, OF_FOUR, {}, {"recall@1": 0.5}),
        # qrels_depth keeps the nearest of each list of relevant items.
        (SHOWN, NEAR, {"qrels_depth": 1}, {"recall@1": 0.5, "recall@3": 0.5}),
        (SHOWN, NEAR, {"qrels_depth": 2}, {"recall@1": 0.5, "recall@3": 0.75}),
        (SHOWN, NEAR, {"qrels_depth": 9}, {"recall@3": 0.5}),
        (SHOWN, NEAR, {}, {"recall@3": 0.5}),
        (SHOWN, {"query": ["q", "r"], "item": [*NEAR.values()]}, {"qrels_depth": 2}, {"recall@3": 0.75}),
        (LABELLED, None, {"relevance": "near", "qrels_depth": 2}, {"recall@3": 0.75}),
    ],
)
def test_the_values_under_each_policy(run: Any, qrels: Any, options: dict[str, Any], expected: dict[str, Any]) -> None:
    assert values(run, qrels, [*expected], **options) == expected


AB = {"query": ["q", "q"], "item": ["a", "b"]}
SCORES = {**AB, "score": [0.1, 0.9]}
DISTANCES = {**AB, "distance": [0.1, 0.9]}
TWO = {"lists": {"q": ["a", "b"]}, "scores": {"q": {"a": 0.1, "b": 0.9}}}
MIXED: dict[str, Any] = {"ranks": {**AB, "rank": [1, 2]}, "scores": SCORES, "gaps": {**AB, "rank": [1, 3]}}
NULL_LABELS = {"query": [1, 2], "item": [["a"], ["b"]], "relevance": [["a"], None]}
NULL_LIST = {"lists": {"query": [1, 2], "item": [["a"], None]}, "scores": {1: {"a": 1.0}, 2: {"b": 1.0}}}
SYSTEMS: dict[str, Any] = {"model": "system", "empty": "allow"}
TWO_MODELS = {"model": ["A", "B"], "query": [1, 1], "item": ["b", "z"], "score": [1.0, 1.0]}
HALF_NULL = {"model": ["A", "B"], "query": [1, 1], "item": ["b", "b"], "score": [1.0, None]}
ALL_NULL = {**RUN, "system": ["A"] * 6, "score": [None] * 6}
FROM_1 = r"not different numbers from 1 on .* query=1.*If ranks begin with 0, add 1"
NO_MODEL = "column 'system' names no model: the run has no rows"


@pytest.mark.parametrize(
    ("error", "message", "run", "qrels", "options"),
    [
        (DataError, FROM_1, {**RANKED, "rank": [0, 1, 2, 1, 2]}, LIKED, GIVEN),
        (DataError, FROM_1, {**RANKED, "rank": [1, 1, 2, 1, 2]}, LIKED, GIVEN),
        (
            DataError, r"If ranks begin with 0, add 1.*ranks='renumber'",
            {**RANKED, "rank": [0, 1, 2, 0, 1]}, LIKED, {"rank": "rank"},
        ),
        (
            DataError, r"'rank' is NULL, or not a whole number .* query=1, item='b'",
            {**RANKED, "rank": [1, 1.5, 3, 1, 2]}, LIKED, {"rank": "rank"},
        ),
        (ArgumentError, "ranks: 'given' needs a rank column", RUN, QRELS, {"ranks": "given"}),
        (ArgumentError, "min_score: 1.0 needs a score", RANKED, LIKED, {**RENUMBER, "min_score": 1}),
        (DataError, "duplicates='best'", WHOLE, TWICE, {"rank": "rank"}),
        (
            DataError, "list .*you can pass duplicates='best' with ranks='renumber' instead",
            A_TWICE, ONE_C, {"rank": "rank", "duplicates": "best"},
        ),
        (DataError, "The run has no rows", EMPTY_RUN, QRELS, {}),
        (DataError, "No row of the qrels is relevant", RUN, NOTHING_RELEVANT, {}),
        (DataError, "the model is NULL in the run", {**RUN, "system": ["one"] * 5 + [None]}, QRELS, SYSTEMS),
        (DataError, NO_MODEL, {**EMPTY_RUN, "system": []}, QRELS, SYSTEMS),
        (DataError, NO_MODEL, {**EMPTY_RUN, "system": []}, EMPTY_QRELS, SYSTEMS),
        (
            DataError, "names no model: the run has no rows, or nulls='drop' removes all of them",
            ALL_NULL, QRELS, {**SYSTEMS, "nulls": "drop"},
        ),
        (
            DataError, "A run has no rows .*model='other'.* unjudged='drop'",
            {"run": RUN, "other": {"query": [1], "item": ["z"], "score": [1.0]}}, QRELS, {"unjudged": "drop"},
        ),
        (
            DataError, "Every row of a model is left out.* model='B'.* unjudged='drop'",
            TWO_MODELS, QRELS, {"model": "model", "unjudged": "drop"},
        ),
        *(
            (
                DataError, "Every row of a model is left out.* model='B'.* nulls='drop'",
                HALF_NULL, QRELS, {"model": "model", "nulls": "drop", "empty": empty},
            )
            for empty in ("allow", "error")
        ),
        *(
            (ArgumentError, "depth: must be a whole number from 1 to", FOUR, OF_FOUR, {"depth": depth})
            for depth in (0, 2.5, "many")
        ),
        (ArgumentError, "depth: 'auc' needs whole lists", FOUR, OF_FOUR, {"metrics": "auc", "depth": 2}),
        (ArgumentError, "depth: ties='expected' needs whole lists", FOUR, OF_FOUR, {"depth": 2, "ties": "expected"}),
        (ArgumentError, "qrels_depth: must be a whole number from 1 to", SHOWN, NEAR, {"qrels_depth": 0}),
        (
            ArgumentError, "qrels_depth: it cuts the lists of relevant items",
            SHOWN, None, {"metrics": "overlap@1", "qrels_depth": 1},
        ),
        (
            ArgumentError, r"min_score: 0\.5 needs a score in every run, but .*'item' holds lists",
            TWO, {"q": ["a"]}, {"min_score": 0.5},
        ),
        (
            DataError, "values of column 'rank' in a query are not 1, 2, 3 .* model='gaps'",
            MIXED, {"q": ["a"]}, {"rank": "rank"},
        ),
        (ArgumentError, "ranks='given' needs ranks in every run, but run 'scores' has no", MIXED, {"q": ["a"]}, GIVEN),
        (
            DataError, r"is NULL in the qrels .* If a query has nothing relevant, give it an empty list or map\.",
            NULL_LABELS, None, {},
        ),
        (DataError, "NULL in the run .* model='lists', query=2, item=None", NULL_LIST, {1: ["a"], 2: ["b"]}, {}),
    ],
)  # fmt: skip
def test_what_a_policy_does_not_allow_is_refused(
    error: type[Exception], message: str, run: Any, qrels: Any, options: dict[str, Any]
) -> None:
    fails(error, message, evaluate, run, qrels, **{"metrics": "rr", **options})


@pytest.mark.parametrize(
    ("runs", "options", "expected"),
    [
        ({"ranks": MIXED["ranks"], "scores": SCORES}, {"rank": "rank"}, [1.0, 0.5]),
        ({"scores": SCORES, "ranks": MIXED["ranks"]}, {"rank": "rank"}, [0.5, 1.0]),
        (
            {"ranks": MIXED["ranks"], "scores": DISTANCES},
            {"rank": "rank", "score": "distance", "order": "ascending"},
            [1.0, 1.0],
        ),
        (MIXED, RENUMBER, [1.0, 0.5, 1.0]),
        (TWO, {}, [1.0, 0.5]),
        ({"lists": {"q": ["a", "b"]}, "scores": SCORES}, {}, [1.0, 0.5]),
        (
            {"lists": {"q": ["a", "b"]}, "distances": {**DISTANCES, "distance": [0.9, 0.1]}},
            {"score": "distance", "order": "ascending"},
            [1.0, 0.5],
        ),
        ({"lists": {"q": ["b", "a"]}, "ranks": MIXED["ranks"]}, {"rank": "rank"}, [0.5, 1.0]),
    ],
)
def test_one_run_may_hold_ranks_or_lists_and_another_scores(
    runs: Any, options: dict[str, Any], expected: list[float]
) -> None:
    result = evaluate(runs, {"q": ["a"]}, "rr", **options)
    assert [result.value("rr", model=model) for model in runs] == expected


def test_check_and_notes_know_the_policies() -> None:
    assert evaluate(RUN, QRELS, "rr", unjudged="drop").counts["run"].run_rows_dropped == 3
    assert "only the first 2 of each list relevant" in evaluate(SHOWN, NEAR, "recall@3", qrels_depth=2).notes[0]
    assert {fault.check for fault in check(MIXED, {"q": ["a", "b"]}, "rr", rank="rank")} == {"ranks"}
    sound = {"ranks": MIXED["ranks"], "scores": SCORES}
    assert check(sound, {"q": ["a", "b"]}, "rr", rank="rank").clean


@pytest.mark.parametrize("others", ["", ",recall@5", ",recall@10", ",recall,num_ret"])
def test_given_ranks_retrieve_all_items_of_a_list_whatever_else_is_asked(others: str) -> None:
    """The list holds three items, so that min(k, n) is 3 at k = 3, although only a is at a rank up to 3."""
    run = {"query": [1, 1, 1], "item": list("abc"), "rank": [1, 5, 6]}
    qrels = {"query": [1], "item": ["a"], "relevance": [1]}
    expected = {
        "precision(over=retrieved)@3": 1 / 3,
        "f1(over=retrieved)@3": 2 * 1 / (3 + 1),
        "fbeta(beta=2,over=retrieved)@3": 5 * 1 / (3 + 4 * 1),
        "judged@3": 1 / 3,
        "unjudged@3": 2 / 3,
    }
    found = values(run, qrels, ",".join(expected) + others, rank="rank", ranks="given")
    assert {name: found[name] for name in expected} == expected
    assert values(run, qrels, f"precision@3{others}", rank="rank", ranks="given", precision="retrieved") == {
        **{name: value for name, value in found.items() if name not in expected},
        "precision@3": 1 / 3,
    }


@pytest.mark.slow
def test_a_list_with_given_ranks_below_every_cutoff_is_not_missing() -> None:
    run: dict[str, Any] = {"query": [1, 2], "item": list("aa"), "rank": [1, 3]}
    qrels = {"query": [1, 2], "item": list("aa"), "relevance": [1, 1]}
    policies: list[dict[str, Any]] = [{"missing": missing} for missing in ("zero", "skip", "error")]
    for options in policies:
        found = evaluate(run, qrels, "recall@1", rank="rank", ranks="given", **options)
        assert [(row["value"], row["queries"]) for row in found.to_dicts()] == [(0.5, 2)]
        assert (found.counts["run"].retrieved, found.counts["run"].both) == (2, 2)
    alone = {name: column[1:] for name, column in run.items()}
    assert values(alone, qrels, "recall@1", rank="rank", ranks="given") == {"recall@1": 0.0}
    # Each of two lists holds one item, so that no pair has an item in common at k = 1.
    assert values(run, qrels, "overlap@1", rank="rank", ranks="given") == {"overlap@1": 0.0}
    with pytest.raises(DataError, match="fewer candidates than k = 2"):
        evaluate(run, qrels, "recall@2", rank="rank", ranks="given", short="error")
    evaluate(run, qrels, "recall@1", rank="rank", ranks="given", short="error")


LIST_TWICE, JUDGED_TWICE = {"query": [1], "item": [["x", "x", "a", "b", "a"]]}, {"query": [1], "item": [["b", "b"]]}


@pytest.mark.parametrize(
    ("run", "qrels", "rr"),
    [
        ({"query": [1, 1, 1], "item": ["a", "a", "b"], "score": [2, 1, 3]}, {1: ["a"]}, 1 / 2),
        ({1: {"a": 2, "b": 1}}, JUDGED_TWICE, 1 / 2),
        (LIST_TWICE, {1: {"a": 1}}, 1 / 2),
        (LIST_TWICE, JUDGED_TWICE, 1 / 3),
        ({1: ["x", "x", "a", "b", "a"]}, {1: ["b", "b"]}, 1 / 3),
        ([["x", "x", "a", "b"]], [["b"]], 1 / 3),
    ],
)
def test_duplicates_are_refused_or_the_best_counts(run: Any, qrels: Any, rr: float) -> None:
    """In a list, an item keeps its first place, and the items behind a copy move up."""
    fails(DataError, "duplicates='best'", evaluate, run, qrels, "rr")
    result = evaluate(run, qrels, ["rr", "recall@3"], duplicates="best")
    assert [row["value"] for row in result.to_dicts()] == [rr, 1]


def test_an_empty_run_among_others_is_a_model() -> None:
    result = evaluate({"full": RUN, "none": EMPTY_RUN}, QRELS, "rr", empty="allow")
    assert result.means.fetchall() == [("full", "rr", None, 0.625, 2), ("none", "rr", None, 0.0, 2)]
    assert result.counts["none"].missing == 2


@pytest.mark.slow
def test_a_model_without_judged_items_is_a_model() -> None:
    run = {**RUN, "system": ["full"] * 4 + ["none"] * 2, "item": list("abcdxy")}
    result = evaluate(run, QRELS, "rr", model="system", unjudged="drop", empty="allow")
    assert result.means.fetchall() == [("full", "rr", None, 0.25, 2), ("none", "rr", None, 0.0, 2)]


@pytest.mark.parametrize("run", [RUN, EMPTY_RUN])
def test_empty_qrels_have_a_mean_over_no_queries(run: dict[str, Any]) -> None:
    result = evaluate(run, EMPTY_QRELS, "rr,recall@2", empty="allow")
    assert result.means.fetchall() == [("run", "rr", None, None, 0), ("run", "recall", 2, None, 0)]
    assert result.per_query.fetchall() == []
    two = evaluate({"a": run, "b": run}, EMPTY_QRELS, "rr", empty="allow").means.fetchall()
    assert two == [("a", "rr", None, None, 0), ("b", "rr", None, None, 0)]


def test_metrics_that_need_no_judgements_need_no_qrels() -> None:
    assert values(RUN, metrics="coverage@2,overlap@2", catalog=CATALOG) == {"coverage@2": 2 / 6, "overlap@2": 1.0}
    assert values({"query": [1, 2], "item": [["a", "b"], ["a"]]}, metrics="overlap@2") == {"overlap@2": 0.5}
    sliced = evaluate({**RUN, "country": list("xxxxyy")}, metrics="popularity@2", training=TRAINING, by="country")
    assert [(row["country"], row["value"]) for row in sliced.to_dicts()] == [(None, 0.75), ("x", 0.75), ("y", 0.75)]
    assert "without relevant" not in repr(sliced)
    assert "relevance" not in sql("run", metrics="overlap@2", dialect="postgres").partition("qrels")[0]
    fails(ArgumentError, "no_relevant: 'skip' needs judgements", evaluate, RUN, metrics="overlap@2", no_relevant="skip")


def test_without_qrels_every_query_of_the_run_counts() -> None:
    two = {"long": RUN, "short": {name: column[:4] for name, column in RUN.items()}}
    assert evaluate(two, metrics="popularity@2", training=TRAINING).value("popularity@2", model="short") == 0.75
    assert evaluate(two, metrics="popularity@2", training=TRAINING).counts["short"].missing == 1
    judged = {"query": [1, 2], "item": ["z", "z"], "relevance": [1, 1]}
    with_qrels = values(RUN, judged, "overlap@2,popularity@2", training=TRAINING)
    assert values(RUN, metrics="overlap@2,popularity@2", training=TRAINING) == with_qrels


def test_a_pool_holds_the_unjudged_items_that_a_metric_reads() -> None:
    runs = {"one": RUN, "two": {"query": [1, 1, 3], "item": list("zab"), "score": [2.0, 1.0, 1.0]}}
    found = pool(runs, QRELS, "ndcg@1,rr@2")
    assert found.columns == ["query", "item", "best_rank", "models"]
    # Query 3 is not judged at all. c of query 1 is only pooled, but below rank 2.
    assert found.fetchall() == [(1, "a", 1, 2), (1, "z", 1, 1), (2, "b", 2, 1), (3, "b", 1, 1)]
    assert pool(RUN, metrics="ndcg@1").fetchall() == [(1, "a", 1, 1), (2, "a", 1, 1)]


def test_a_pool_has_the_names_of_the_user_and_follows_policies() -> None:
    run = {"item": [1, 1], "query": ["a", "b"], "score": [2.0, 1.0]}  # the names of the two columns are swapped
    qrels = {"item": [1], "query": ["a"], "relevance": [0]}
    found = pool(run, qrels, "recall@2", query="item", item="query", min_score=1.5)
    assert (found.columns, found.fetchall()) == (["item", "query", "best_rank", "models"], [])
    found = pool(run, qrels, "recall@2", query="item", item="query")
    assert found.fetchall() == [(1, "b", 2, 1)]


def test_models_in_a_column_are_in_the_result_if_no_query_is_judged() -> None:
    run = {"model": ["A", "A", "B"], "query": [1, 2, 1], "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]}
    exclude = {"query": [1], "item": ["a"]}
    for pairs, retrieved in ((None, [2, 1]), (exclude, [1, 0])):
        result = evaluate(run, EMPTY_QRELS, "rr", model="model", empty="allow", exclude=pairs)
        assert [(row["model"], row["value"], row["queries"]) for row in result.to_dicts()] == [
            ("A", None, 0),
            ("B", None, 0),
        ]
        assert [counts.retrieved for counts in result.counts.values()] == retrieved
    assert evaluate(RUN, EMPTY_QRELS, "rr", empty="allow").counts["run"].retrieved == 2


def test_a_pool_is_ordered_by_query_rank_and_item_and_leaves_no_table_on_the_connection() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE run AS SELECT range // 40 AS query, range % 40 AS item, range % 5 AS score FROM range(9999)"
        )
        connection.execute("CREATE TABLE other AS SELECT query, item, hash(item, query) % 97 AS score FROM run")
        found = pool({"run": "run", "other": "other"}, None, "rr@9", connection=connection)
        rows = found.fetchall()
        assert rows == sorted(rows, key=lambda row: (row[0], row[2], row[1]))
        assert rows == found.fetchall()
        assert [row[0] for row in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()] == [
            "other",
            "run",
        ]


def test_a_pool_refuses_a_duplicate_item_in_the_part_of_a_list_that_the_metrics_read() -> None:
    run = {"query": [7, 7, 7], "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}
    with pytest.raises(DataError, match=r"The run holds an item \(column 'item'\) more than once .*query=7, item='a'"):
        pool(run, metrics="recall@3")
    assert pool(run, metrics="recall@2").fetchall() == [(7, "a", 1, 1), (7, "b", 2, 1)]
    assert pool(run, metrics="recall@3", duplicates="best").fetchall() == [(7, "a", 1, 1), (7, "b", 2, 1)]


def test_a_column_of_a_pool_gets_a_number_if_the_user_has_its_name() -> None:
    run = {"Models": [1], "best_rank": ["a"], "score": [1.0]}
    found = pool(run, metrics="recall@3", query="Models", item="best_rank")
    assert (found.columns, found.fetchall()) == (["Models", "best_rank", "best_rank_1", "models_1"], [(1, "a", 1, 1)])
    statement = sql("run", metrics="recall@3", query="Models", item="best_rank", pool=True)
    assert 'AS "best_rank_1"' in statement


def test_the_command_line_prints_a_pool(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 2 m\nq1 Q0 b 2 1 m\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    arguments = ["pool", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"), "-m", "P_5"]
    assert output_of(capsys, *arguments) == "query,item,best_rank,models\nq1,b,2,1\n"
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"query": "q1", "item": "b", "best_rank": 2, "models": 1}]


def test_qrels_depth_cuts_neighbours_in_arrays() -> None:
    generator = np.random.default_rng(0)
    near = np.array([generator.permutation(500)[:100] for _ in range(8)])
    found = np.array([generator.permutation(each[:14])[:10] for each in near])
    recall = np.mean([len({*one} & {*other[:10]}) / 10 for one, other in zip(found, near, strict=True)])
    assert values(found, near, "recall@10", qrels_depth=10) == {"recall@10": pytest.approx(recall)}
    assert check(found, near, "recall@10", qrels_depth=10).clean


@pytest.mark.parametrize(
    ("qrels", "what"),
    [
        ([("q", "a", 1)], "single items"),
        ({"q": {"a": 1}}, "single items"),
        ({"q": {"a": 1}, "r": {}}, "maps"),
        ({"q": {"a", "b"}}, "sets, which have no order"),
    ],
)
def test_qrels_depth_needs_lists(qrels: Any, what: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"holds {what}, but qrels_depth= cuts lists, best first. Pass lists"):
        evaluate({"q": ["a"]}, qrels, qrels_depth=1)


def test_the_command_line_and_written_statements_cut_the_truth(tmp_path: Path, capsys: Output) -> None:
    connection = duckdb.connect().execute("CREATE TABLE run AS SELECT 'q' AS query, ['a', 'b'] AS item")
    connection.execute("CREATE TABLE near AS SELECT 'q' AS query, ['a', 'c', 'b'] AS item")
    for name in ("run", "near"):
        connection.execute(f"COPY {name} TO '{tmp_path}/{name}.parquet'")
    text = sql("run", "near", "recall@2", qrels_depth=2, connection=connection)
    assert [row[3] for row in connection.sql(text).fetchall()] == [0.5]
    arguments = ["evaluate", f"{tmp_path}/run.parquet", "--qrels", f"{tmp_path}/near.parquet", "-m", "recall@2"]
    assert json.loads(output_of(capsys, *arguments, "--qrels-depth", "2", "--format", "json"))[0]["value"] == 0.5


@pytest.mark.parametrize("nulls", ["error", "last"])
@pytest.mark.parametrize(
    ("empty", "run", "qrels", "side"),
    [
        ([], {"query": [1, 2], "item": [["a"], ["b"]]}, {"query": [1, 2], "item": [["a"], None]}, "qrels"),
        ({}, {"query": [1, 2], "item": [["a"], ["b"]]}, {"query": [1, 2], "item": [{"a": 1}, None]}, "qrels"),
        ([], {"query": [1, 2], "item": [["a"], None]}, {1: ["a"], 2: ["b"]}, "run"),
        ({}, {"query": [1, 2], "item": [{"a": 0.5}, None]}, {1: ["a"], 2: ["b"]}, "run"),
    ],
)
def test_a_null_list_is_refused_or_left_out_but_an_empty_list_is_not(
    empty: Any, run: Any, qrels: Any, side: str, nulls: Any
) -> None:
    for ask in (evaluate, pool) if nulls == "error" else (evaluate,):
        with pytest.raises(DataError, match=rf"NULL in the {side} \(1 case\), for example query=2, item=None"):
            ask(run, qrels, "recall@1", nulls=nulls)
    kept = evaluate(run, qrels, "recall@1", nulls="drop")
    expected = (1.0, 1) if side == "qrels" else (0.5, 2)  # a query that is missing from the run is still judged
    assert (kept.value("recall@1"), kept.counts["run"].judged) == expected
    assert f"1 row of the {side} left out" in kept.notes[0]
    given = run if side == "run" else qrels
    given = {**given, "item": [given["item"][0], empty]}
    run, qrels = (given, qrels) if side == "run" else (run, given)
    assert evaluate(run, qrels, "recall@1", nulls=nulls).value("recall@1") == 0.5


def test_check_counts_null_lists_once() -> None:
    found = check({1: ["a"], 2: ["b"]}, {"query": [1, 2], "item": [["a"], None]}, "recall@1")
    assert [(fault.check, fault.faults) for fault in found] == [("qrels_ids", 1), ("unjudged_queries", 1)]
