"""A path such as `retrieved.doc_id` names a field of the objects in a column."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow
import pytest
from asking import fails

from recall_duckdb import RecallWarning, check, evaluate, sql
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, UnknownNameError

# What a retriever returned for two questions, and what it should have returned.
ROWS: list[dict[str, Any]] = [
    {"id": "q1", "retrieved": [{"doc": "a", "score": 0.9}, {"doc": "b", "score": 0.5}], "expected": [{"doc": "b"}]},
    {"id": "q2", "retrieved": [{"doc": "c", "score": 0.7}], "expected": [{"doc": "c"}, {"doc": "d"}]},
]
NAMES: dict[str, Any] = {"query": "id", "item": "retrieved.doc", "relevance": "expected.doc"}


def in_json_lines(folder: Path, rows: list[dict[str, Any]] = ROWS) -> str:
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return str(folder / "rows.jsonl")


def in_parquet(folder: Path, rows: list[dict[str, Any]]) -> str:
    duckdb.sql(f"COPY (FROM '{in_json_lines(folder, rows)}') TO '{folder}/rows.parquet'")
    return f"{folder}/rows.parquet"


SOURCES: dict[str, Callable[[Path, list[dict[str, Any]]], Any]] = {
    "JSON": in_json_lines,
    "parquet": in_parquet,
    "pandas": lambda _, rows: pd.DataFrame(rows),
    "polars": lambda _, rows: pl.DataFrame(rows),
    "pyarrow": lambda _, rows: pyarrow.Table.from_pylist(rows),
    "records": lambda _, rows: rows,
    "DuckDB": lambda folder, rows: duckdb.read_json(in_json_lines(folder, rows)),
}
EVERY = pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)


@EVERY
def test_a_path_names_the_ids_in_lists_of_objects(make: Any, tmp_path: Path) -> None:
    result = evaluate(make(tmp_path, ROWS), metrics="recall@1,2", **NAMES)
    assert (result.value("recall@1"), result.value("recall@2")) == (0.25, 0.75)
    assert check(make(tmp_path, ROWS), metrics="recall@1", **NAMES).clean


def test_run_and_qrels_may_be_apart(tmp_path: Path) -> None:
    truth = {"id": ["q1", "q2"], "item": ["b", "c"], "relevance": [1, 1]}
    result = evaluate(in_json_lines(tmp_path), truth, "rr", query="id", item="retrieved.doc", qrels_item="item")
    assert result.value("rr") == 0.75


def test_a_path_goes_through_objects_and_lists(tmp_path: Path) -> None:
    """The answer of Elasticsearch: hits.hits is a list of objects with an _id."""
    rows = [{"query": "q", "answer": {"hits": {"hits": [{"_id": "a"}, {"_id": "b"}]}}}]
    (tmp_path / "answers.json").write_text(json.dumps(rows))
    found = evaluate(tmp_path / "answers.json", {"q": {"b": 1}}, "rr", item="answer.hits.hits._id")
    assert found.value("rr") == 0.5


def test_a_path_names_single_values_too() -> None:
    rows = [{"query": "q", "hit": {"doc": doc, "score": score}} for doc, score in (("a", 0.5), ("b", 0.9))]
    frame = pl.DataFrame(rows)
    assert evaluate(frame, {"q": {"a": 1}}, "rr", item="hit.doc", score="hit.score").value("rr") == 0.5
    assert "hit" in sql(frame, {"q": {"a": 1}}, "rr", item="hit.doc", score="hit.score")


def test_a_column_whose_name_has_a_dot_comes_first() -> None:
    frame = pl.DataFrame({"query": ["q"], "hit.doc": ["b"], "hit": [{"doc": "a"}], "score": [1.0]})
    assert evaluate(frame, {"q": {"b": 1}}, "rr", item="hit.doc").value("rr") == 1


def test_an_unknown_field_is_refused_with_those_that_are_there() -> None:
    with pytest.raises(UnknownNameError, match="'retrieved' has no field 'docid'. Its fields: 'doc', 'score'"):
        evaluate(pl.DataFrame(ROWS), metrics="rr", **{**NAMES, "item": "retrieved.docid"})
    with pytest.raises(UnknownNameError, match="has no column 'id.doc'"):
        evaluate(pl.DataFrame(ROWS), metrics="rr", **{**NAMES, "item": "id.doc"})


def test_ids_in_json_keep_their_type_and_text(tmp_path: Path) -> None:
    """DuckDB would take a date from the first rows, and make 7 of "007"."""
    rows = [{"query": "q", "hits": [{"id": "2024-01-02"}, {"id": "007"}, {"id": 8}]}]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)))
    judged = {"query": ["q"] * 3, "item": ["2024-01-02", "007", "8"], "relevance": [1, 1, 1]}
    found = evaluate(tmp_path / "run.jsonl", judged, "recall@3", item="hits.id", qrels_item="item")
    assert found.value("recall@3") == 1


@pytest.mark.parametrize("make", [dict, pd.DataFrame])
def test_a_field_that_mixes_text_and_numbers_is_refused_where_it_is_read(make: Any) -> None:
    hits = [{"id": "a", "n": 1, "source": {"no": 7}}, {"id": 3, "n": "x", "source": {"no": "b"}}]
    run = make({"query": ["q"], "hits": [hits]})
    for field, values in {"hits.id": "'a' and 3", "hits.source.no": "'b' and 7"}.items():
        with pytest.raises(ArgumentTypeError, match=f"'{field}' .item=. mixes text and other values, such as {values}"):
            evaluate(run, {"q": ["a", "3"]}, "recall@2", item=field)
    sound = make({"query": ["q"], "hits": [[{"id": "a", "n": 1}, {"id": "b", "n": "x"}]]})
    assert evaluate(sound, {"q": ["a", "c"]}, "recall@2", item="hits.id").value("recall@2") == 0.5


# Two queries: a relevant document at rank 2 of 2, and none judged as relevant.
TRACES: list[dict[str, Any]] = [
    {
        "id": "q1",
        "hits": [{"doc": "a", "score": 0.5, "good": False}, {"doc": "b", "score": 0.4, "good": True}],
        "judged": [{"doc": "a", "grade": 0}, {"doc": "b", "grade": 2}, {"doc": "c", "grade": 1}],
    },
    {"id": "q2", "hits": [{"doc": "a", "score": 0.5, "good": False}], "judged": []},
]


@EVERY
def test_items_and_grades_are_fields_of_the_same_objects(make: Any, tmp_path: Path) -> None:
    """A query whose list is empty counts as 0."""
    paths: dict[str, Any] = {"query": "id", "item": "hits.doc", "qrels_item": "judged.doc"}
    run = make(tmp_path, TRACES)
    for qrels in (None, run):
        found = evaluate(run, qrels, "rr,recall@2", relevance="judged.grade", **paths)
        assert (found.value("rr"), found.value("recall@2")) == (0.25, 0.25)
    assert evaluate(run, metrics="recall@2", relevance=None, **paths).value("recall@2") == pytest.approx(1 / 3)
    for relevance in ("judged.doc", "relevance"):
        names = {**paths, "relevance": relevance}
        if relevance == "judged.doc":
            del names["qrels_item"]
        with pytest.raises(
            DataError, match=r"'judged.grade' in the same objects is 0 for some, .* pass qrels_item='judg"
        ):
            evaluate(run, metrics="rr", **names)


@EVERY
def test_labels_and_scores_are_fields_of_the_objects_of_the_items(make: Any, tmp_path: Path) -> None:
    paths: dict[str, Any] = {"query": "id", "item": "hits.doc", "relevance": "hits.good"}
    assert evaluate(make(tmp_path, TRACES), metrics="rr", **paths).value("rr") == 0.25
    reverse = {"score": "hits.score", "order": "ascending", **paths}
    assert evaluate(make(tmp_path, TRACES), metrics="rr", **reverse).value("rr") == 0.5


def test_scores_in_objects_that_contradict_the_lists_are_said() -> None:
    rows = [{"query": "q", "hits": [{"doc": "a", "score": 0.1, "page": 2}, {"doc": "b", "score": 0.9, "page": 1}]}]
    said = r"'hits.doc' are ranked by position, but 'hits.score' orders .*doc=\['a', 'b'\], .* pass score='hits.score'"
    with pytest.warns(RecallWarning, match=said):
        assert evaluate(rows, {"q": ["b"]}, "rr", item="hits.doc").value("rr") == 0.5
    [fault] = [each for each in check(rows, {"q": ["b"]}, "rr", item="hits.doc") if each.check == "unread_scores"]
    assert fault.do == "If it holds their scores, pass score='hits.score'."
    assert evaluate(rows, {"q": ["b"]}, "rr", item="hits.doc", score="hits.score").value("rr") == 1
    assert len(evaluate(rows, {"q": ["b"]}, "rr", item="hits.doc", score="hits.score").notes) == 1
    labelled = [{**rows[0], "gold": ["b"]}]
    arguments: dict[str, Any] = {"run": labelled, "metrics": "rr", "item": "hits.doc", "score": "hits.score"}
    advice = r"one row, as qrels_item='gold' without relevance="
    fails(ArgumentTypeError, advice, evaluate, **arguments, relevance="gold")
    assert evaluate(**arguments, qrels_item="gold").value("rr") == 1


@pytest.mark.parametrize("numbers", [[0.9, 0.1], [0.5, 0.5]])
def test_numbers_in_the_order_of_the_lists_explain_it(numbers: list[float]) -> None:
    hits = [
        {"doc": doc, "score": number, "price": price}
        for doc, number, price in zip("ab", numbers, [1.5, 2.5], strict=True)
    ]
    found = evaluate([{"query": "q", "hits": hits}], {"q": ["b"]}, "rr", item="hits.doc")
    assert found.notes == ["run: 1 query judged, 1 retrieved"]


@pytest.mark.parametrize("key", ["results", "hits", "response", "documents"])
def test_a_path_decides_and_not_the_name_of_the_key(key: str) -> None:
    rows = [{"user": "q", key: [{"id": "a"}, {"id": "b"}]}]
    assert evaluate(rows, {"q": ["b"]}, "rr", query="user", item=f"{key}.id").value("rr") == 0.5
    fails(UnknownNameError, rf"Did you mean item='{key}.id'\?", evaluate, rows, {"q": ["b"]}, "rr", query="user")


def test_judged_items_in_the_runs_of_several_models_are_refused() -> None:
    for first, fix in ((TRACES, ", the same for all"), ("a.json", ". If each file holds them, pass qrels='a.json'")):
        with pytest.raises(ArgumentError, match=f"run: for several models, pass the judged items as qrels=.*{fix}"):
            evaluate({"a": first, "b": TRACES}, metrics="rr", query="id", item="hits.doc", qrels_item="judged.doc")
