"""Runs and qrels in the shapes of other libraries give what the same data give as columns."""

from __future__ import annotations

from typing import Any

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from asking import fails
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, ERR, P, Qrel, R, ScoredDoc, nDCG

from recall_duckdb import ArgumentError, ArgumentTypeError, DataError, UnknownNameError, evaluate
from recall_duckdb.question.metrics import parse

RUN: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q1", "q2"],
    "item": ["a", "b", "c", "a"],
    "score": [0.9, 0.8, 0.7, 0.6],
}
QRELS: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q2", "q3"],
    "item": ["b", "x", "a", "y"],
    "relevance": [1, 2, 1, 1],
}
ROWS = list(zip(RUN["query"], RUN["item"], RUN["score"], strict=True))
JUDGEMENTS = list(zip(QRELS["query"], QRELS["item"], QRELS["relevance"], strict=True))
NESTED_RUN = {"q1": {"a": 0.9, "b": 0.8, "c": 0.7}, "q2": {"a": 0.6}}
NESTED_QRELS = {"q1": {"b": 1, "x": 2}, "q2": {"a": 1}, "q3": {"y": 1}}
METRICS = ["recall@1,3", "ndcg@3", "rr"]


def values(run: object, qrels: object, **arguments: Any) -> list[dict[str, Any]]:
    with evaluate(run, qrels, METRICS, **arguments) as result:
        return result.to_dicts()


EXPECTED = values(RUN, QRELS)


@pytest.mark.product
@pytest.mark.parametrize(
    "run",
    [
        NESTED_RUN,
        {"q1": ["a", "b", "c"], "q2": ["a"]},
        {"q1": np.array(["a", "b", "c"]), "q2": np.array(["a"])},
        ROWS,
        tuple(ROWS),
        [ScoredDoc(*row) for row in ROWS],
        iter([ScoredDoc(*row) for row in ROWS]),
        [{"query": query, "item": item, "score": score} for query, item, score in ROWS],
    ],
    ids=["nested", "lists", "arrays", "tuples", "tuple", "ScoredDoc", "iterator", "records"],
)
@pytest.mark.parametrize(
    "qrels",
    [
        NESTED_QRELS,
        JUDGEMENTS,
        [Qrel(*row) for row in JUDGEMENTS],
        [Qrel(*row, iteration="0") for row in JUDGEMENTS],
        [{"query": query, "item": item, "relevance": relevance} for query, item, relevance in JUDGEMENTS],
    ],
    ids=["nested", "tuples", "Qrel", "Qrel with iteration", "records"],
)
def test_every_shape_gives_the_values_of_columns(run: object, qrels: object) -> None:
    run = iter([ScoredDoc(*row) for row in ROWS]) if hasattr(run, "__next__") else run
    assert values(run, qrels) == EXPECTED


@pytest.mark.parametrize("items", [list, tuple, set, frozenset])
def test_items_in_a_list_or_set_are_relevant(items: type) -> None:
    relevant = {"q1": items(["b", "x"]), "q2": items(["a"]), "q3": items(["y"])}
    columns = {**QRELS, "relevance": [1, 1, 1, 1]}
    assert values(NESTED_RUN, relevant) == values(RUN, columns)
    assert values(NESTED_RUN, relevant, relevance=None) == values(RUN, columns)


def test_the_names_of_columns_do_not_matter() -> None:
    assert values(NESTED_RUN, NESTED_QRELS, query="user", item="movie", score="points", relevance="stars") == EXPECTED


def test_named_runs_may_have_any_shape() -> None:
    runs = {"dicts": NESTED_RUN, "tuples": ROWS, "columns": RUN}
    with evaluate(runs, NESTED_QRELS, "ndcg@3") as result:
        assert len({result.value("ndcg@3", model=name) for name in runs}) == 1
    lists = {"one": {"q1": ["a", "b"], "q2": ["a"]}, "other": {"q1": ["b"]}}
    with evaluate(lists, NESTED_QRELS, "recall@1") as result:
        assert [result.value("recall@1", model=name) for name in lists] == [1 / 3, 1 / 6]


def test_a_query_of_several_columns_is_a_tuple() -> None:
    run = {("ann", 1): {"tea": 0.9, "jam": 0.5}, ("ann", 2): {"rye": 0.3}}
    qrels = {("ann", 1): {"jam": 1}, ("ann", 2): {"rye": 1}}
    with evaluate(run, qrels, "rr", query=["user", "day"]) as result:
        assert result.per_query.order("day").fetchall() == [("run", "ann", 1, 0.5), ("run", "ann", 2, 1.0)]


def test_queries_and_items_may_be_numbers() -> None:
    assert evaluate({1: {7: 0.5, 8: 0.4}}, {1: {8: 1}}, "rr").value("rr") == 0.5


def test_a_query_without_items_is_not_in_the_run() -> None:
    result = evaluate({"q1": {"a": 1.0}, "q2": {}}, {"q1": {"a": 1}, "q2": {"a": 1}}, "rr")
    assert result.counts["run"].missing == 1


def test_paths_by_model_name_stay_paths() -> None:
    fails(UnknownNameError, "there is no file 'missing.parquet'", evaluate, {"bm25": ["missing.parquet"]}, QRELS)


def test_a_dict_with_the_name_of_a_column_holds_columns() -> None:
    with pytest.raises(
        UnknownNameError,
        match=r"has no columns 'query', 'item' \(query=, item=\). Did you mean query='user', item='doc'",
    ):
        evaluate({"user": [1, 1], "doc": ["a", "b"], "score": [0.9, 0.8]}, QRELS)


@pytest.mark.parametrize(
    ("run", "error", "said"),
    [
        ([("q1", "a")], ArgumentTypeError, r"run: \('q1', 'a'\) has 2 values, but query, item, score are expected"),
        ([{"query": 1, "item": 2}, {"query": 1}], ArgumentTypeError, "run: record 1 is {'query': 1}, but the first"),
        ([("q1", "a", 1.0), ("q1", "a", 0.5)], DataError, "more than once"),
        ({"q1": {"a": None}}, DataError, "NULL"),
        ([], ArgumentTypeError, "run: a list cannot be read"),
        ({}, ArgumentError, "run: the dict is empty"),
        ({"m": {}}, ArgumentError, "run 'm': the dict is empty"),
    ],
    ids=["short tuple", "other fields", "duplicate", "no score", "empty list", "empty dict", "empty run"],
)
def test_a_wrong_shape_is_an_error(run: Any, error: type[Exception], said: str) -> None:
    fails(error, said, evaluate, run, QRELS, "rr")


SCORES = st.dictionaries(st.sampled_from("abcde"), st.floats(-1e6, 1e6, width=32), min_size=1)
GRADES = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 3), min_size=1)


RUNS = st.fixed_dictionaries({"q1": SCORES, "q2": SCORES})
JUDGED = st.fixed_dictionaries({"q1": GRADES, "q2": st.just({"a": 1, "b": 0})})


@given(run=RUNS, qrels=JUDGED)
def test_dicts_give_the_values_of_pytrec_eval(run: dict[str, Any], qrels: dict[str, Any]) -> None:
    measures = {"ndcg_cut_3", "recall_2", "map"}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, measures).evaluate(run)
    with evaluate(run, qrels, ["ndcg@3", "recall@2", "ap"], semantics="trec_eval_9") as result:
        ours = {query: row for _, query, *row in result.per_query.fetchall()}
    for query, row in ours.items():
        expected = [theirs[query][name] for name in ("ndcg_cut_3", "recall_2", "map")]
        assert row == pytest.approx(expected, abs=1e-12)


def test_measures_of_ir_measures_are_metrics() -> None:
    measures = [nDCG @ 10, P(rel=2) @ 5, AP, R @ 2, ERR @ 5]
    assert list(map(str, parse(measures))) == [
        "ndcg@10", "precision(threshold=2)@5", "ap", "recall@2", "err@5"
    ]  # fmt: skip
    assert list(map(str, parse(nDCG @ 10))) == ["ndcg@10"]
    with evaluate(NESTED_RUN, NESTED_QRELS, [nDCG @ 10, R @ 2], semantics="trec_eval_9") as result:
        theirs = ir_measures.calc_aggregate([nDCG @ 10, R @ 2], NESTED_QRELS, NESTED_RUN)
        assert result.value("nDCG@10") == pytest.approx(theirs[nDCG @ 10], abs=1e-12)
        assert result.value("R@2") == pytest.approx(theirs[R @ 2], abs=1e-12)


def test_a_range_is_all_its_cutoffs() -> None:
    assert list(map(str, parse("recall@1-3,5,ndcg@2-3"))) == [
        "recall@1", "recall@2", "recall@3", "recall@5", "ndcg@2", "ndcg@3"
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["recall@3-1", "recall@0-2", "recall@1-5000"])
def test_a_range_that_is_none_is_an_error(text: str) -> None:
    fails(ArgumentError, "is not a range of cutoffs. Write the lower one first", parse, text)
