"""Slices of queries from a table of queries, such as users with their countries."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from asking import fails

from recall_duckdb import ArgumentError, ArgumentTypeError, DataError, UnknownNameError, check, evaluate
from recall_duckdb.cli import main

RUN: dict[str, list[Any]] = {
    "user": ["ann", "ann", "bob", "cat"],
    "item": ["a", "b", "a", "c"],
    "score": [2.0, 1.0, 1.0, 1.0],
}
QRELS: dict[str, list[Any]] = {"user": ["ann", "bob", "cat"], "item": ["b", "a", "x"], "relevance": [1, 1, 1]}
# dan is in no run.
USERS: dict[str, list[Any]] = {"user": ["ann", "bob", "cat", "dan"], "country": ["NL", "DE", "NL", "FR"]}


def means(**arguments: Any) -> list[tuple[Any, ...]]:
    result = evaluate(RUN, QRELS, "rr", query="user", by="country", **arguments)
    return [(row["country"], row["value"], row["queries"]) for row in result.to_dicts()]


def test_the_slice_of_a_query_comes_from_a_table_of_queries() -> None:
    assert means(query_slices=USERS) == [(None, 0.5, 3), ("DE", 1.0, 1), ("NL", 0.25, 2)]


def test_a_dict_names_the_slice_of_each_query() -> None:
    assert means(query_slices={"ann": "NL", "bob": "DE", "cat": "NL"}) == means(query_slices=USERS)


def test_the_table_decides_although_the_qrels_have_such_a_column() -> None:
    qrels = {**QRELS, "country": ["x", "y", "z"]}
    result = evaluate(RUN, qrels, "rr", query="user", by="country", query_slices=USERS)
    assert [row["country"] for row in result.to_dicts()] == [None, "DE", "NL"]


def test_slices_of_several_models_labelled_runs_and_two_columns() -> None:
    users = {**USERS, "age": [20, 20, 30, 30]}
    run = {**RUN, "relevance": [0, 1, 1, 0]}
    asked: dict[str, Any] = {"by": ["country", "age"], "slices": "crossed", "query_slices": users}
    result = evaluate({"a": run, "b": run}, metrics="rr", query="user", **asked)
    rows = [(row["model"], row["country"], row["age"], row["value"]) for row in result.to_dicts()]
    one = [(None, None, 0.5), ("DE", 20, 1.0), ("NL", 20, 0.5), ("NL", 30, 0.0)]
    assert rows == [("a", *row) for row in one] + [("b", *row) for row in one]


def test_the_values_are_those_of_slices_in_the_qrels() -> None:
    of_user = dict(zip(USERS["user"], USERS["country"], strict=True))
    qrels = {**QRELS, "country": [of_user[user] for user in QRELS["user"]]}
    asked: dict[str, Any] = {"metrics": ["recall@1", "ndcg", "coverage@2"], "query": "user", "by": "country"}
    catalog = {"item": ["a", "b", "c", "x"]}
    mine = evaluate(RUN, QRELS, **asked, catalog=catalog, query_slices=USERS)
    theirs = evaluate(RUN, qrels, **asked, catalog=catalog)
    assert mine.to_dicts() == theirs.to_dicts()
    assert mine.per_query.fetchall() == theirs.per_query.fetchall()


def test_a_user_without_a_slice_is_refused_or_counts_in_the_total_alone() -> None:
    users = {"user": ["ann", "bob"], "country": ["NL", "DE"]}
    with pytest.raises(DataError, match=r"'country' is NULL for a judged query, or no row .* example user='cat'"):
        means(query_slices=users)
    assert means(query_slices=users, nulls="drop") == [(None, 0.5, 3), ("DE", 1.0, 1), ("NL", 0.5, 1)]


def test_a_user_with_two_rows_is_refused() -> None:
    users = {"user": [*USERS["user"], "ann"], "country": [*USERS["country"], "NL"]}
    fails(DataError, r"more than one row in query_slices \(1 case\), for example user='ann'", means, query_slices=users)
    faults = check(RUN, QRELS, query="user", by="country", query_slices=users)
    assert "query_slices_duplicates" in {fault.check for fault in faults}


def test_a_table_without_by_and_a_column_that_it_lacks_are_refused() -> None:
    with pytest.raises(ArgumentError, match=r"^query_slices: pass by= too, which names the column of it"):
        evaluate(RUN, QRELS, "rr", query="user", query_slices=USERS)
    with pytest.raises(UnknownNameError, match=r"query_slices .* has no column 'city' \(by=\)"):
        evaluate(RUN, QRELS, "rr", query="user", by="city", query_slices=USERS)


def test_a_column_of_the_query_is_no_column_of_the_table() -> None:
    with pytest.raises(
        ArgumentError, match=r"^by: 'user' names the query\. Name a column of query_slices= with slices"
    ):
        evaluate(RUN, QRELS, "rr", query="user", by="user", query_slices=USERS)


def test_ids_of_another_type_are_refused() -> None:
    with pytest.raises(ArgumentTypeError, match="run and query_slices differ in type: column 'user'"):
        means(query_slices={"user": [1, 2, 3], "country": ["NL", "DE", "NL"]})


def test_the_command_line_reads_the_table_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, columns in (("run", RUN), ("qrels", QRELS), ("users", USERS)):
        pl.DataFrame(columns).write_parquet(tmp_path / f"{name}.parquet")
    run, qrels, users = (str(tmp_path / f"{name}.parquet") for name in ("run", "qrels", "users"))
    options = ["--query", "user", "-m", "rr", "--by", "country", "--query-slices", users, "--format", "csv"]
    assert main(["evaluate", run, "--qrels", qrels, *options]) == 0
    assert capsys.readouterr().out.splitlines()[2:] == ["run,DE,rr,,1.0,1", "run,NL,rr,,0.25,2"]
