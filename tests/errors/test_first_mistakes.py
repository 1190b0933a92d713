"""Mistakes that users make at first, and the messages that they get."""

from __future__ import annotations

import ctypes
import inspect
import os
import re
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from asking import Output, Patch, error_of, fails, load, output_of
from engines import ENGINES, Engine, on

from recall_duckdb import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    MetricFileError,
    RecallError,
    RecallWarning,
    UnknownNameError,
    agreement,
    check,
    compare,
    evaluate,
    paths,
    precision_at_k,
    recall,
    recall_at_k,
    sql,
)
from recall_duckdb.advice.files import unreadable
from recall_duckdb.checking import Faults
from recall_duckdb.cli import main
from recall_duckdb.definitions import reading, templates
from recall_duckdb.errors import quote
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.cutoffs import LARGEST_K
from recall_duckdb.question.policies import Policies
from recall_duckdb.result import Result

Columns = dict[str, list[Any]]
RUN: Columns = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: Columns = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}
PURCHASES: Columns = {"query": QRELS["query"], "item": QRELS["item"]}
METRICS = ["recall@1,3", "ndcg@3", "ap", "num_rel", "err(max_grade=2)@3"]


def message(kind: type[RecallError], run: Any = RUN, qrels: Any = QRELS, **arguments: Any) -> str:
    """Return the message of evaluate()'s error, which must be of this kind."""
    with pytest.raises(kind) as caught:
        evaluate(run, qrels, **arguments)
    return str(caught.value)


def renamed(columns: Columns, **names: str) -> Columns:
    return {names.get(name, name): values for name, values in columns.items()}


def without(columns: Columns, *names: str) -> Columns:
    return {name: values for name, values in columns.items() if name not in names}


# Interactions without a relevance column.


@pytest.mark.parametrize("policies", [{}, {"nulls": "drop"}, {"duplicates": "best"}, {"by": "country"}])
def test_every_row_of_the_qrels_is_relevant_with_relevance_none(policies: dict[str, Any]) -> None:
    country = {"country": ["NL", "NL", "BE"]} if "by" in policies else {}
    expected = evaluate(RUN, {**QRELS, **country}, METRICS, **policies).to_dicts()
    assert evaluate(RUN, {**PURCHASES, **country}, METRICS, relevance=None, **policies).to_dicts() == expected
    graded = {**QRELS, "relevance": [0, 5, None]}  # not read
    assert evaluate(RUN, graded, "num_rel", relevance=None).value("num_rel") == 3
    lists = {"query": ["q1", "q2"], "item": [["b", "x"], ["c"]]}
    assert evaluate(RUN, lists, METRICS, relevance=None).to_dicts() == evaluate(RUN, lists, METRICS).to_dicts()
    faults = check(RUN, {"query": ["q1", "q1", "q3"], "item": ["b", "b", "x"]}, "recall@1", relevance=None)
    assert {fault.check for fault in faults} == {"qrels_duplicates", "missing", "unjudged_queries"}


def test_relevance_none_is_refused_without_qrels_and_for_maps_to_relevance() -> None:
    maps = {"query": ["q1"], "item": [{"b": 0.0, "x": 2.0}]}
    assert "relevance=None means that every row of the qrels is relevant, but column 'item' (item=) holds maps" in (
        message(ArgumentError, qrels=maps, relevance=None).replace("qrels_item=", "item=")
    )
    told = "relevance=None means that every row of the qrels is relevant, but no qrels= was given"
    for function in (evaluate, sql, check):
        fails(ArgumentError, told, function, RUN, relevance=None)
    with pytest.raises(ArgumentError, match="the qrels have relevance 1, which is below 2"):
        evaluate(RUN, PURCHASES, relevance=None, threshold=2)
    assert evaluate(RUN, PURCHASES, "recall@3", relevance=None, threshold=1).value("recall@3") == 0.75


def test_relevance_none_works_for_files(tmp_path: Path) -> None:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(PURCHASES).write_parquet(tmp_path / "purchases.parquet")
    pl.DataFrame(PURCHASES).write_csv(tmp_path / "purchases.csv")
    (tmp_path / "purchases.qrels").write_text("q1 0 b 0\nq1 0 x 1\nq2 0 c 2\n")
    for name in ("purchases.parquet", "purchases.csv", "purchases.qrels"):
        result = evaluate(tmp_path / "run.parquet", tmp_path / name, METRICS, relevance=None)
        assert result.to_dicts() == evaluate(RUN, QRELS, METRICS).to_dicts()


@pytest.fixture
def shop() -> Iterator[sqlite3.Connection]:
    """A DB-API connection whose table of purchases has no relevance column."""
    connection = sqlite3.connect(":memory:")
    load(connection, {"run": RUN, "purchases": PURCHASES, "qrels": QRELS})
    yield connection
    connection.close()


def test_relevance_none_works_over_a_connection(shop: sqlite3.Connection) -> None:
    there: dict[str, Any] = {"run": "run", "connection": shop}
    asked_for = ["recall@1,3", "ndcg@3", "ap"]
    expected = evaluate(qrels="qrels", metrics=asked_for, **there).to_dicts()
    assert evaluate(qrels="purchases", metrics=asked_for, relevance=None, **there).to_dicts() == expected
    assert check(qrels="purchases", relevance=None, **there).checks
    with pytest.raises(UnknownNameError, match="If every row of the qrels is relevant, pass relevance=None"):
        evaluate(qrels="purchases", **there)


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_relevance_none_works_on_every_engine(engine: Engine) -> None:
    engine.load({"run": RUN, "qrels": PURCHASES})
    there = {"connection": engine.connect(), "dialect": engine.dialect}
    found = evaluate("run", "qrels", ["recall@1,3", "ap"], relevance=None, **there).to_dicts()
    expected = evaluate(RUN, QRELS, ["recall@1,3", "ap"]).to_dicts()
    assert [row["value"] for row in found] == pytest.approx([row["value"] for row in expected], abs=1e-12)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "tsql", "bigquery"])
def test_relevance_none_in_written_sql_reads_no_column(dialect: str) -> None:
    text = sql("run", "purchases", "recall@3", relevance=None, dialect=dialect)
    assert not any(quoted in text for quoted in ('"relevance"', "`relevance`", "[relevance]", '"RELEVANCE"'))


def test_relevance_none_works_on_the_command_line(tmp_path: Path, capsys: Output) -> None:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(PURCHASES).write_parquet(tmp_path / "purchases.parquet")
    command = [str(tmp_path / "run.parquet"), "--qrels", str(tmp_path / "purchases.parquet"), "-m", "num_rel"]
    assert (
        "has no column 'relevance' (--relevance). If every row of the qrels is relevant, pass --relevance none. "
        "Its columns: 'query', 'item'" in error_of(capsys, "evaluate", *command)
    )
    assert "num_rel    3" in output_of(capsys, "evaluate", *command, "--relevance", "none")
    assert main(["sql", *command, "--relevance", "none"]) == 0
    assert main(["check", *command, "--relevance", "none", "--skip", "short"]) == 0
    assert (
        ": --relevance none means that every row of the qrels is relevant, but no --qrels was given. Pass --qrels"
        in (error_of(capsys, "evaluate", command[0], "--relevance", "none"))
    )


def test_relevance_none_is_suggested_for_qrels_without_relevance() -> None:
    assert (
        "qrels (the dict given) has no column 'relevance' (relevance=). If every row of the qrels is relevant, pass "
        "relevance=None. Its columns: 'query', 'item'" in message(UnknownNameError, qrels=PURCHASES)
    )
    assert "relevance=None" not in message(UnknownNameError, qrels=PURCHASES, relevance="grade")
    for text in ("none", "None"):
        assert "If every row of the qrels is relevant, pass relevance=None" in message(UnknownNameError, relevance=text)
    assert "to judge by. Pass qrels=. Its columns" in message(UnknownNameError, qrels=None)
    labelled = {**RUN, "label": [0, 1, 1]}
    assert "relevance='label'? Otherwise pass qrels=. Its" in message(UnknownNameError, run=labelled, qrels=None)


# Usual column names.


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        *[("query", name) for name in ("query_id", "qid", "user", "user_id", "userId", "session", "topic", "query-id")],
        *[("item", name) for name in ("item_id", "doc_id", "docid", "DocNo", "doc", "document", "product_id")],
        *[("item", name) for name in ("movie_id", "movieId", "corpus-id", "ItemID")],
        *[("score", name) for name in ("similarity", "prediction", "Predicted", "rating")],
    ],
)
def test_a_usual_name_of_a_column_of_the_run_is_suggested(argument: str, name: str) -> None:
    told = message(UnknownNameError, run=renamed(RUN, **{argument: name}))
    assert f"has no column '{argument}' ({argument}=). Did you mean {argument}={name!r}?" in told


@pytest.mark.parametrize("name", ["label", "rating", "grade", "target", "rel", "qrel", "Relevant", "score"])
def test_a_usual_name_of_relevance_is_suggested(name: str) -> None:
    told = message(UnknownNameError, qrels=renamed(QRELS, relevance=name))
    assert f"Did you mean relevance={name!r}? If every row of the qrels is relevant, pass relevance=None." in told
    if name != "score":  # a run has its own score
        labelled = {**RUN, name: [0, 1, 1]}
        assert f"to judge by. Did you mean relevance={name!r}?" in message(UnknownNameError, run=labelled, qrels=None)


def test_usual_names_are_suggested_for_other_roles_and_a_similar_spelling_first(shop: sqlite3.Connection) -> None:
    for name in ("system", "run", "run_id", "method"):
        run = {**RUN, name: ["bm25"] * 3}
        assert f"Did you mean model={name!r}?" in message(UnknownNameError, run=run, model="model")
    for argument, name in (("query", "topic"), ("item", "docno")):
        told = message(UnknownNameError, qrels=renamed(QRELS, **{argument: name}))
        assert f"qrels (the dict given) has no column '{argument}' (qrels_{argument}=). " in told
        assert f"Did you mean qrels_{argument}={name!r}?" in told
    assert "Did you mean rank='position'?" in message(UnknownNameError, run=renamed(RUN, score="position"))
    run = {**renamed(RUN, item="product"), "doc_id": [1, 2, 3]}
    assert "Did you mean item='product'?" in message(UnknownNameError, run=run, item="prodct")
    assert "Did you mean item='doc_id'?" in message(UnknownNameError, run=run)
    told = message(UnknownNameError, run=renamed(RUN, query="user_id", item="movie_id"))
    assert "Did you mean query='user_id', item='movie_id'?" in told
    values = pd.DataFrame({"user_id": [1, 2], "recall@1": [0.0, 1.0]})
    fails(UnknownNameError, "Did you mean query='user_id'", compare, {"a": values, "b": values}, baseline="a")
    load(shop, {"recs": renamed(RUN, item="doc_id")})
    with pytest.raises(UnknownNameError, match=r"no column 'item' \(item=\). Did you mean item='doc_id'\?"):
        evaluate("recs", "qrels", connection=shop)
    connection = duckdb.connect()
    connection.execute("CREATE TABLE recs AS SELECT 1 AS query, 1 AS item, 1 AS score")
    with pytest.raises(UnknownNameError, match="run: there is no file, table or view 'recz'. Did you mean 'recs'?"):
        evaluate("recz", QRELS, connection=connection)


def test_a_column_that_another_argument_names_is_not_suggested() -> None:
    run, qrels = renamed(RUN, query="user"), {**renamed(QRELS, query="user"), "day": [1, 1, 1]}
    told = message(UnknownNameError, run=run, qrels=qrels, query=["user", "day"])
    assert "has no column 'day' (query=). Its columns" in told


def test_a_usual_name_is_suggested_as_an_option_of_the_command(tmp_path: Path, capsys: Output) -> None:
    pl.DataFrame(renamed(RUN, item="doc_id")).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(QRELS).write_parquet(tmp_path / "qrels.parquet")
    command = ["evaluate", str(tmp_path / "run.parquet"), "--qrels", str(tmp_path / "qrels.parquet")]
    assert "has no column 'item' (--item). Did you mean --item doc_id?" in error_of(capsys, *command)
    assert main([*command, "--item", "doc_id"]) == 2
    assert "has no column 'doc_id' (--qrels-item). Did you mean --qrels-item item?" in capsys.readouterr().err
    assert main([*command, "--item", "doc_id", "--qrels-item", "item"]) == 0


# Swapped run and qrels.


def test_swapped_run_and_qrels_are_reported() -> None:
    told = message(UnknownNameError, run=QRELS, qrels=RUN)
    assert "run (the dict given) has no column 'score' (score=), but the qrels (the dict given) have one" in told
    assert "Are run and qrels swapped?" in told
    assert "swapped?" in message(UnknownNameError, run=PURCHASES, qrels=RUN, relevance=None)
    ranked = renamed(RUN, score="position")
    assert "'position' (rank=)" in message(UnknownNameError, run=QRELS, qrels=ranked, rank="position")


def test_run_and_qrels_are_not_called_swapped_if_swapping_does_not_help() -> None:
    ranked = {**PURCHASES, "rank": [1, 2, 1]}
    assert "swapped?" not in message(UnknownNameError, run=ranked, qrels=RUN, relevance=None)
    other_names = renamed(RUN, query="qid", item="doc")
    names = {"qrels_query": "qid", "qrels_item": "doc", "relevance": None}
    assert "swapped?" not in message(UnknownNameError, run=PURCHASES, qrels=other_names, **names)


def test_qrels_with_relevance_named_score_are_not_reported_as_swapped() -> None:
    beir = renamed(QRELS, relevance="score")
    assert "Did you mean relevance='score'?" in message(UnknownNameError, qrels=beir)
    assert "swapped" not in message(UnknownNameError, run=renamed(RUN, score="similarity"), qrels=beir)
    lists = {"query": ["q1", "q2"], "item": [["a", "b"], ["c"]]}
    assert evaluate(lists, beir, "recall@1", relevance=None).value("recall@1") == 0.5


def test_swapped_trec_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.4 tag\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    assert evaluate(tmp_path / "run", tmp_path / "qrels", "rr").value("rr") == 1
    for arguments in ({"run": tmp_path / "qrels"}, {"qrels": tmp_path / "run"}):
        assert ": pass it as the " in message(DataError, **arguments)  # without a look at the other file
    (tmp_path / "broken").write_text("q1 0 a 1\nq1 0\n")
    assert "pass it as" not in message(DataError, qrels=tmp_path / "broken")


# Arguments of the wrong kind.


class Unwritable:
    """A value whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError


def odd_values() -> dict[str, Any]:
    """Return values that a user might pass by mistake. Some can be read only once, so each call makes new ones."""
    return {
        "None": None, "True": True, "5": 5, "0": 0, "1.5": 1.5, "bytes": b"x", "empty list": [], "empty dict": {},
        "object": object(), "NaN": float("nan"), "infinity": float("inf"), "function": len, "class": int,
        "huge text": "x" * 100_000, "long path": "a/" * 2_500 + "x.csv", "set": {"a"}, "empty text": "",
        "huge number": 10**400, "number without text": 10**5_000, "number above 64 bits": 2**63,
        "generator": (each for each in [1]), "array": np.array([1, 2]), "frame": pd.DataFrame(),
        "series": pd.Series(["a", "b"]), "list of None": [None], "list of lists": [["a"]], "dict of numbers": {"a": 5},
        "NUL": "a\0b", "lone surrogate": "\ud800", "no text": Unwritable(), "range": range(3),
        "huge fraction": Fraction(10**400), "path": Path("nowhere"), "exception": ValueError("x"),
        "columns of numbers": {"query": 5, "item": 5, "score": 5},
        "columns of objects": {"query": [object()], "item": [object()], "score": [object()]},
    }  # fmt: skip


FUNCTIONS: dict[Any, dict[str, Any]] = {
    evaluate: {"run": RUN, "qrels": QRELS, "metrics": "recall@1"},
    check: {"run": RUN, "qrels": QRELS, "metrics": "recall@1"},
    sql: {"run": "run", "qrels": "qrels", "metrics": "recall@1"},
    recall_at_k: {"y_true": [1, 0], "y_score": [0.2, 0.1], "k": 1},
    precision_at_k: {"y_true": [1, 0], "y_score": [0.2, 0.1], "k": 1},
    recall: {"recommended": ["a"], "relevant": ["a"], "k": 1},
}
POLICIES = list(Policies.__dataclass_fields__)


def arguments_of(function: Any) -> list[str]:
    """Return the arguments of a function, with each policy."""
    names = list(inspect.signature(function).parameters)
    return [name for name in names if name != "options"] + (POLICIES if "options" in names else [])


def fault(function: Any, arguments: dict[str, Any]) -> str | None:
    """Return what is wrong with the outcome of a call: neither an answer nor an error of this package."""
    try:
        answer = function(**arguments)
    except RecallError:
        return None
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"
    if isinstance(answer, Result):
        answer.close()
    return None if isinstance(answer, (Result, Faults, str, float, type(None))) else f"returns {answer!r}"


def faults_of_odd_values(function: Any, asked: dict[str, Any]) -> list[str]:
    """Return the faults of calls with an odd value of each argument."""
    found = {
        f"{function.__name__}({argument}={kind})": fault(function, {**asked, argument: value})
        for argument in arguments_of(function)
        for kind, value in odd_values().items()
    }
    return [f"{call} {wrong}" for call, wrong in found.items() if wrong]


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_value_of_any_kind_gives_an_answer_or_a_recall_error(function: Any) -> None:
    assert faults_of_odd_values(function, FUNCTIONS[function]) == []


@pytest.mark.slow
@pytest.mark.parametrize("function", [evaluate, sql, check])
def test_a_value_of_any_kind_gives_an_answer_or_a_recall_error_over_a_connection(
    function: Any, shop: sqlite3.Connection
) -> None:
    there = {"run": "run", "qrels": "qrels", "metrics": "recall@1", "connection": shop}
    assert faults_of_odd_values(function, there) == []


@pytest.mark.parametrize(
    ("arguments", "kind", "told"),
    [
        ({"relevance": 1}, ArgumentTypeError, "relevance: a column name, or a list of them, is expected, not 1"),
        ({"query": 5}, ArgumentTypeError, "query: a column name, or a list of them, is expected, not 5"),
        ({"rank": 5}, ArgumentTypeError, "rank: a column name, or a list of them, is expected, not 5"),
        ({"model": {}}, ArgumentTypeError, "model: a column name, or a list of them, is expected, not {}"),
        ({"min_score": 10**400}, ArgumentError, "min_score: a finite number is expected (below 1.8e308), not 1000"),
        ({"threshold": 10**9999}, ArgumentError, "threshold: a finite number is expected (below 1.8e308), not a value"),
        ({"threshold": Unwritable()}, ArgumentTypeError, "threshold: a number is expected, not a value of type"),
        ({"metric_folder": 5}, ArgumentTypeError, "metric_folder: the path of a folder, or a list, is expected, not 5"),
        ({"metric_folder": "x" * 5000}, ArgumentError, "is not a folder that holds .sql files"),
        ({"run": (row for row in [1, 2])}, ArgumentTypeError, "run: a list cannot be read; pass a path"),
        ({"ties": ["item"]}, UnknownNameError, "ties: ['item'] is not one of"),
    ],
)
def test_an_argument_of_the_wrong_kind_is_named(arguments: dict[str, Any], kind: type[RecallError], told: str) -> None:
    assert told in message(kind, **arguments)


HEAD = "-- A metric.\n--\n-- Grain: one row per (model, query).\n"


def metric_file(reads: str, value: str = "count(*)") -> str:
    select = f"SELECT model AS model, query AS query, CAST({value} AS DOUBLE) AS own"
    return f"{HEAD}{select} FROM judged {reads} GROUP BY model, query"


def test_a_metric_file_that_reads_a_table_function_is_refused(tmp_path: Path) -> None:
    for text, told in (
        (metric_file(", read_text('/etc/hostname')"), "reads the table function READ_TEXT('/etc/hostname')"),
        (metric_file("CROSS JOIN read_csv('x.csv') AS files"), "reads the table function READ_CSV('x.csv')"),
        (metric_file(", range(3) AS numbers (number)"), "reads the table function"),
        (metric_file(", duckdb_settings()"), "reads the table function DUCKDB_SETTINGS()"),
        (metric_file("", "(SELECT count(*) FROM glob('*'))"), "reads the table function GLOB('*')"),
    ):
        (tmp_path / "own.sql").write_text(text)
        found = message(MetricFileError, metrics="own", metric_folder=tmp_path)
        assert f"{tmp_path}/own.sql: " in found
        assert told in found


def test_a_metric_file_of_many_parentheses_is_computed_or_refused(tmp_path: Path) -> None:
    """The compiled sqlglot parses deeper nesting than the Python one."""
    path = tmp_path / "own.sql"
    path.write_text(metric_file("", "(" * 300 + "1" + ")" * 300))
    try:
        found: object = evaluate(RUN, QRELS, "own", metric_folder=tmp_path).value("own")
    except MetricFileError as error:
        found = str(error).partition(" statement: ")[0]
    assert found in (1, f"{path}: cannot be read as one SELECT")


def test_a_pipe_directory_or_broken_link_among_metric_files_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.sql")
    told = message(MetricFileError, metrics="own", metric_folder=tmp_path)
    assert "own.sql: is a FIFO (named pipe). Write the metric to" in told
    (tmp_path / "own.sql").unlink()
    (tmp_path / "folder.sql").mkdir()
    assert "folder.sql: cannot be read: Is a directory." in message(MetricFileError, metric_folder=tmp_path)
    (tmp_path / "folder.sql").rmdir()
    (tmp_path / "broken.sql").symlink_to(tmp_path / "nowhere")
    assert "broken.sql: cannot be read: No such file or directory." in message(MetricFileError, metric_folder=tmp_path)


# Cutoffs.


@pytest.mark.parametrize(
    "k", [10**18, 2**63, 10**400, 10**9999, 1e18, 1e300, float("inf"), "9" * 19, "9" * 5000], ids=quote
)
def test_a_cutoff_that_is_too_large_raises_with_the_largest(k: Any) -> None:
    rule = "k must be a whole number from 1 to 999999999999999999, not"
    if isinstance(k, str):
        assert rule in message(ArgumentError, metrics=f"recall@{k}")
    else:
        fails(ArgumentError, rule, recall, [1], [1], k=k)


@pytest.mark.slow
def test_the_largest_cutoff_computes_every_metric(shop: sqlite3.Connection) -> None:
    names = [name for name, template in metrics.catalog().items() if "k" in template.parameters]
    names = [name for name in names if not OPTIONAL_INPUTS.keys() & reading.inputs_of(metrics.catalog()[name])]
    asked_for = [f"{name}@{LARGEST_K}" for name in names]
    for ties in ("item_desc", "pessimistic"):
        found = evaluate(RUN, QRELS, asked_for, ties=ties)
        assert all(row["value"] is not None for row in found.to_dicts())
    assert evaluate("run", "qrels", asked_for, connection=shop).value(f"recall@{LARGEST_K}") == 0.75


# Files.


def test_the_missing_file_of_a_list_is_named(tmp_path: Path) -> None:
    for ending in ("parquet", "csv", "json"):
        held = tmp_path / f"held.{ending}"
        getattr(pl.DataFrame(RUN), f"write_{ending}")(held)
        missing = tmp_path / f"missing.{ending}"
        assert f"run: there is no file '{missing}'" in message(UnknownNameError, run=[held, missing])
        pattern = tmp_path / f"*.no.{ending}"
        assert f"run: there is no file '{pattern}'" in message(UnknownNameError, run=[held, pattern])
    (tmp_path / "run.trec").write_text("q1 Q0 a 1 0.5 tag\n")
    missing = tmp_path / "missing.trec"
    assert f"there is no file '{missing}'; for a table or view, pass connection=" in message(
        UnknownNameError, run=[tmp_path / "run.trec", missing]
    )


def test_a_folder_without_parquet_files_is_listed(tmp_path: Path) -> None:
    told = f"run: the folder '{tmp_path}' holds no parquet files; it "
    assert f"{told}is empty" in message(UnknownNameError, run=tmp_path)
    pl.DataFrame(RUN).write_csv(tmp_path / "run.csv")
    assert f"{told}holds 'run.csv': pass the files or a glob" in message(UnknownNameError, run=str(tmp_path))
    for number in range(4):
        (tmp_path / f"{number}.txt").touch()
    assert f"{told}holds '0.txt', '1.txt', '2.txt' and 2 more: pass" in message(UnknownNameError, run=tmp_path)


@contextmanager
def as_a_user_without_rights() -> Iterator[None]:
    """If this process is root, who may open all files, let this thread open files as the user nobody."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None)
    libc.setfsuid(65534)
    try:
        yield
    finally:
        libc.setfsuid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="root may open all files; only Linux can give up this right")
@pytest.mark.parametrize("ending", ["parquet", "csv", "json", "trec"])
def test_missing_permission_to_read_a_file_is_reported(ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # all its parents are open to every user
        path = Path(folder) / f"run.{ending}"
        if ending == "trec":
            path.write_text("q1 Q0 a 1 0.5 tag\n")
        else:
            getattr(pl.DataFrame(RUN), f"write_{ending}")(path)
        Path(folder).chmod(0o755)
        path.chmod(0)
        with as_a_user_without_rights():
            told = message(DataError, run=path)
        assert f"run: permission denied: '{path}' may not be read by this user" in told
        path.chmod(0o644)
        Path(folder).chmod(0)
        with as_a_user_without_rights():
            told = message(DataError, run=path)
        assert f"run: permission denied: '{path}' may not be read by this user" in told
        Path(folder).chmod(0o755)


@pytest.mark.product
@pytest.mark.parametrize("text", ["", "[]", " \n", "[\n]\n"])
@pytest.mark.parametrize("ending", ["json", "jsonl", "ndjson"])
def test_a_json_file_without_rows_is_reported(tmp_path: Path, text: str, ending: str) -> None:
    path = tmp_path / f"empty.{ending}"
    path.write_text(text)
    assert f"run: '{path}' holds no rows" in message(DataError, run=path)
    assert f"qrels: '{path}' holds no rows" in message(DataError, qrels=path)
    assert f"exclude: '{path}' holds no rows" in message(DataError, exclude=path)


@pytest.mark.parametrize("lowest", ["-inf", "-Infinity", "-INF"])
def test_an_infinite_score_in_csv_is_a_number(tmp_path: Path, lowest: str) -> None:
    path = tmp_path / "run.csv"
    path.write_text(f"query,item,score\nq1,a,{lowest}\nq1,b,0.5\nq1,c,+inf\n")
    qrels = {"query": ["q1"], "item": ["b"], "relevance": [1]}
    assert evaluate(path, qrels, "rr").value("rr") == 0.5  # after c
    assert [fault.check for fault in check(path, qrels, "rr")] == ["run_infinite"]
    path.write_text(f"query,item,score\nq1,a,{lowest}\n")  # DuckDB detects a date
    assert evaluate(path, {"query": ["q1"], "item": ["a"], "relevance": [1]}, "rr").value("rr") == 1


def test_scores_in_csv_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    for score in ("NA", "2024-01-01", "high"):
        path.write_text(f"query,item,score\nq1,a,{score}\nq1,b,{score}\n")
        told = message(ArgumentTypeError, run=path)
        assert f"column 'score' (score=) holds {score!r}, but a score is a number. Name another column, or cor" in told
    path.write_text("query,item,score\nq1,a,NaN\nq1,b,0.5\n")
    assert "is NULL or NaN" in message(DataError, run=path)
    rows = "".join(f"q{number},a,{number}\n" for number in range(5_000))
    path.write_text(f"query,item,score\n{rows}q1,b,foo\nq1,c,bar\n")
    assert "column 'score' (score=) holds 'foo', but a score is a number. Name another column, or correct" in message(
        ArgumentTypeError, path
    )


MANY = range(30_000)  # more rows than DuckDB samples to detect the format of a file


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"query":', "is malformed: "),
        ('{"query": "q", "item": "a", "score": "high"}', "holds a value of another type than its first rows"),
    ],
)
def test_a_wrong_line_late_in_a_json_file_is_a_data_error(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "run.jsonl"
    rows = "".join(f'{{"query": "q{row}", "item": "a", "score": 0.5}}\n' for row in MANY)
    path.write_text(f"{rows}{line}\n")
    found = message(DataError, run=path)
    assert f"'{path}' {fault}" in found
    assert "in line 3000" in found
    assert "Correct the " in found


# Malformed files and columns.


def cli(capsys: Output, *arguments: object) -> str:
    """Return the error of a command that must exit with 2."""
    assert main([str(argument) for argument in arguments]) == 2
    return capsys.readouterr().err


def test_a_trec_run_needs_qrels(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 0.5 tag\n")
    assert "is a TREC run, which holds no labels. Pass qrels=" in message(ArgumentError, tmp_path / "run", None)
    assert cli(capsys, "check", tmp_path / "run").endswith("is a TREC run, which holds no labels. Pass --qrels\n")
    assert "is_sound" not in message(UnknownNameError, tmp_path / "run", by="day")


def test_an_extension_that_cannot_be_installed_is_named() -> None:
    error = duckdb.IOException(
        "An error occurred while trying to automatically install the required extension 'httpfs:\nFailed to download"
    )
    assert str(unreadable("run", "s3://x/y.parquet", "parquet", error)).startswith(
        "run: 's3://x/y.parquet' needs DuckDB's extension httpfs, which could not be installed. Run INSTALL httpfs"
    )


def test_a_list_is_suggested_for_names_with_commas(tmp_path: Path, capsys: Output) -> None:
    assert "Did you mean query=['query', 'day']?" in message(UnknownNameError, query="query,day")
    assert "Did you mean by=['a', 'b']?" in message(UnknownNameError, by="a,b")
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    call = ["check", tmp_path / "run.parquet", "--qrels", tmp_path / "run.parquet", "--relevance", "none"]
    assert "Did you mean --query query --query day?" in cli(capsys, *call, "--query", "query,day")
    told = cli(capsys, *call, "--skip", "short,ties")
    assert "Did you mean --skip short --skip ties?" in told
    assert all(repr(name) in told for name in templates.checks())


def test_renaming_is_suggested_for_a_column_of_an_optional_input(capsys: Output) -> None:
    exclude = {"uid": ["q1"], "pid": ["a"]}
    told = message(UnknownNameError, exclude=exclude)
    assert "exclude (the dict given) has no columns 'query', 'item' (query=, item=)" in told
    assert "Rename its column 'uid' to 'query'. Rename its column 'pid' to 'item'." in told
    assert "Rename its column 'pid' to 'item'" in message(
        UnknownNameError, metrics="coverage@3", catalog={"pid": ["a"]}
    )


def test_a_pipe_is_refused(capsys: Output) -> None:
    assert "is a pipe, but files are read more than once" in cli(capsys, "evaluate", "-", "--qrels", "qrels.csv")
    assert cli(capsys, "evaluate", "recs", "--qrels", "q.csv") == "recall-duckdb: run: there is no file 'recs'\n"


@pytest.mark.parametrize("ending", ["csv", "parquet", "json", "tsv.gz", "run"])
def test_what_is_no_regular_file_is_refused_by_name(tmp_path: Path, ending: str, capsys: Output) -> None:
    (tmp_path / "folder").mkdir()
    pipe = tmp_path / "folder" / f"pipe.{ending}"
    os.mkfifo(pipe)
    is_pipe = f"{str(pipe)!r} is a FIFO (named pipe), but files are read more than once. Name a regular file"
    fails(ArgumentError, re.escape(f"run: {is_pipe}"), evaluate, pipe, QRELS)
    fails(ArgumentError, re.escape(f"qrels: {is_pipe}"), evaluate, RUN, [str(pipe)])
    fails(ArgumentError, re.escape(f"exclude: {is_pipe}"), evaluate, RUN, QRELS, exclude=str(pipe))
    with pytest.raises(ArgumentError, match=re.escape(f"values of 'a': {is_pipe}")):
        compare({"a": str(pipe), "b": str(pipe)}, baseline="a")
    pl.DataFrame({**RUN, "relevance": 1}).write_csv(tmp_path / "run.csv")
    command = ["evaluate", str(tmp_path / "run.csv"), "--not-below"]
    assert is_pipe in cli(capsys, *command, pipe)
    assert is_pipe.partition(", but")[0] in cli(capsys, *command[:2], "--qrels", pipe)


def test_a_folder_that_is_no_data_is_refused_at_once(tmp_path: Path, monkeypatch: Patch, capsys: Output) -> None:
    monkeypatch.setattr(paths, "_MOST_FOLDERS", 3)
    too_large = "is too large to search for parquet files. Name the files, a folder that holds them, or a glob"
    for run in ("/", "//", str(Path("/") / ".." / "..")):
        assert f"run: the folder {run!r} {too_large}" in message(ArgumentError, run=run)
    for name in "abcd":
        (tmp_path / name).mkdir()
    assert f"run: the folder {str(tmp_path)!r} {too_large}" in message(ArgumentError, run=tmp_path)
    pl.DataFrame({**RUN, "relevance": 1}).write_parquet(tmp_path / "run.parquet")
    assert evaluate(tmp_path, QRELS, "rr").value("rr") == 0.75
    assert f"--not-below: the folder '/' {too_large}" in cli(
        capsys, "evaluate", str(tmp_path / "run.parquet"), "-m", "rr", "--not-below", "/"
    )


def test_no_common_query_and_nothing_relevant_are_explained() -> None:
    other = {**QRELS, "query": ["q8", "q8", "q9"]}
    assert message(DataError, qrels=other).startswith(
        "The run holds none of the queries of the qrels (2 cases), for example query='q8'. Compare"
    )
    assert message(DataError, qrels={**QRELS, "relevance": [0, 0, 0]}).startswith(
        "No row of the qrels is relevant: column 'relevance' is never above 0. Check"
    )


def test_a_missing_column_of_judged_is_named_with_the_metric_file(tmp_path: Path) -> None:
    (tmp_path / "own.sql").write_text(metric_file("", "sum(foo)"))
    assert f"{tmp_path}/own.sql: judged has no column 'foo'. Its columns: 'model', 'query', 'item'" in message(
        MetricFileError, metrics="own", metric_folder=tmp_path
    )
    (tmp_path / "own.sql").write_text(metric_file("", "sum(Relevnt)"))
    assert "Did you mean 'relevant'?" in message(MetricFileError, metrics="own", metric_folder=tmp_path)
    (tmp_path / "own.sql").write_text(metric_file("", "sum(HITS)"))
    assert evaluate(RUN, QRELS, "own", metric_folder=tmp_path).value("own") == 1


@pytest.mark.slow
def test_numbers_of_the_user_keep_their_digits() -> None:
    graded = {**QRELS, "relevance": [0.1] * len(QRELS["relevance"])}
    for threshold, said in ((0.12345678, "0.12345678"), (12345678, "12345678"), (2.0, "2"), (np.float64(2.5), "2.5")):
        told = message(DataError, qrels=graded, threshold=threshold)
        assert f"'relevance' is never at or above the threshold {said}." in told
    high = {**QRELS, "relevance": [8.5] * len(QRELS["relevance"])}
    told = message(DataError, qrels=high, metrics="err(max_grade=7.1234567)")
    assert "'relevance' is above 7.1234567, the max_grade of" in told
    assert "scores below 0.12345678 not recommended" in repr(evaluate(RUN, QRELS, min_score=0.12345678))
    lists = {"old": {"q": ["a", "b"]}, "new": {"q": ["b", "a"]}}
    assert "p = 0.87654321" in repr(agreement(lists, baseline="old", p=0.87654321))


def test_the_confidence_keeps_its_digits() -> None:
    values = {"old": {"q": [1, 2, 3], "rr": [0.25, 0.5, 1]}, "new": {"q": [1, 2, 3], "rr": [0.5, 0.5, 0.9]}}
    text = repr(compare(values, baseline="old", query="q", confidence=0.9999999))
    assert "99.99999% interval" in text
    assert "worse at p < 1e-07" in text
    assert "95% interval" in repr(compare(values, baseline="old", query="q"))


def test_ids_instead_of_labels_and_scores_get_a_warning() -> None:
    with pytest.warns(RecallWarning, match=r"call recall_duckdb.recall\(recommended, relevant, k\)"):
        assert recall_at_k([10, 12, 15], [99, 98, 97], 3) == 1.0
    for labels, scores in (([1, 1, 1], [3, 2, 1]), ([2, 0, 1], [3, 2, 1]), ([3, 2, 1], [0.5, 0.4, 0.3])):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert precision_at_k(labels, scores, 1) == 1.0


def test_relevance_none_works_for_large_runs() -> None:
    connection = duckdb.connect()
    connection.execute("""
        CREATE TABLE run AS SELECT row // 20 AS query, row * 7 % 997 AS item, hash(row) / 2e19 AS score
        FROM range(120000) AS rows (row);
        CREATE TABLE purchases AS SELECT query, item FROM run WHERE item % 3 = 0;
        CREATE TABLE qrels AS SELECT *, 1 AS relevance FROM purchases;
    """)
    asked_for = ["recall@5,10", "ndcg@10", "ap@5"]
    expected = evaluate("run", "qrels", asked_for, connection=connection).to_dicts()
    assert evaluate("run", "purchases", asked_for, relevance=None, connection=connection).to_dicts() == expected


def test_keys_of_two_parts_need_two_columns_of_the_query() -> None:
    run = {("en", "u"): ["a", "b"]}
    fails(ArgumentTypeError, r"its keys have 2 parts, .*\['query_1', 'query_2'\]", evaluate, run, {("en", "u"): ["b"]})
    assert evaluate(run, {("en", "u"): ["b"]}, "rr", query=["query_1", "query_2"]).value("rr") == 0.5
    series = pd.Series(run)
    fails(ArgumentTypeError, r"run.rename_axis\(.*\.reset_index\(\)", evaluate, series, {("en", "u"): ["b"]})
    run = series.rename_axis(["query_1", "query_2"]).rename("item").reset_index()
    assert evaluate(run, {("en", "u"): ["b"]}, "rr", query=["query_1", "query_2"]).value("rr") == 0.5


@pytest.mark.parametrize(
    ("text", "told"),
    [("u,b\nv,c\nu,a\n", "in qrels_columns='doc,page' with relevance=None"),
     ("u,b,1700000000\nv,c,1700000001\n", "in qrels_columns='doc,page,time' with relevance=None")],
)  # fmt: skip
def test_qrels_without_a_header_or_grades_are_named_by_the_question(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "clicks.csv"
    path.write_text(text)
    names: dict[str, Any] = {"qrels_query": "doc", "qrels_item": "page"}
    fails(UnknownNameError, re.escape(told), evaluate, {"u": ["a", "b"]}, path, "rr", **names)
    asked = {**names, "qrels_columns": told.split("'")[1], "relevance": None}
    assert evaluate({"u": ["a", "b"]}, path, "rr", **asked).value("rr") is not None


def test_a_decimal_comma_in_a_trec_run_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "bm25.run", tmp_path / "bm25.txt"):
        path.write_text("u Q0 a 1 0,9 bm25\n")
        fails(DataError, "'0,9' has a decimal comma: write '0.9'", evaluate, path, {"u": ["a"]}, "rr")


def test_padding_and_missing_values_are_named() -> None:
    fails(DataError, "If -1 only fills up short lists, leave it out", evaluate, {"u": [1]}, {"u": [-1, 2, -1]}, "rr")
    run = {"query": ["u", None], "item": ["a", "b"], "score": [2, 1]}
    fails(DataError, r"^Column 'query' is NULL in the run \(1 case\)", evaluate, run, {"u": ["a"]}, "rr")


def test_scores_of_retrieved_objects_are_not_suggested_as_relevance() -> None:
    rows = [{"query": "u", "found": [{"id": "a", "score": 0.3}], "expected": ["a"]}]
    fails(UnknownNameError, "to judge by. Pass qrels=.", evaluate, rows, None, "rr", item="found.id")
