"""Mistakes that users make at first, and the messages that they get."""

from __future__ import annotations

import os
import re
import sqlite3
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from asking import QRELS, RUN, Output, Patch, error_of, fails, load, metric_file, output_of, refused, renamed
from engines import ENGINES, Engine, on

from recall_duckdb import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    MetricFileError,
    RecallWarning,
    UnknownNameError,
    check,
    compare,
    evaluate,
    paths,
    precision_at_k,
    recall_at_k,
    sql,
)
from recall_duckdb.advice.files import unreadable
from recall_duckdb.cli import main
from recall_duckdb.definitions import reading, templates
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.cutoffs import LARGEST_K

PURCHASES = {"query": QRELS["query"], "item": QRELS["item"]}
METRICS = ["recall@1,3", "ndcg@3", "ap", "num_rel", "err(max_grade=2)@3"]


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
    refused(UnknownNameError, "If every row of the qrels is relevant, pass relevance=None", qrels="purchases", **there)
    load(shop, {"recs": renamed(RUN, item="doc_id")})
    there["run"] = "recs"
    refused(UnknownNameError, "no column 'item' (item=). Did you mean item='doc_id'?", qrels="qrels", **there)


def test_relevance_none_needs_qrels() -> None:
    told = "relevance=None means that every row of the qrels is relevant, but no qrels= was given"
    for function in (evaluate, sql, check):
        fails(ArgumentError, told, function, RUN, relevance=None)


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


def test_a_usual_name_is_suggested_as_an_option_of_the_command(tmp_path: Path, capsys: Output) -> None:
    pl.DataFrame(renamed(RUN, query="user_id", item="movie", score="rating")).write_csv(tmp_path / "run.csv")
    pl.DataFrame(QRELS).write_csv(tmp_path / "qrels.csv")
    command = ["evaluate", tmp_path / "run.csv", "--qrels", tmp_path / "qrels.csv"]
    told = "Did you mean --query user_id, --item movie, --score rating?"
    assert told in error_of(capsys, *command)
    command += ["--query", "user_id", "--item", "movie", "--score", "rating"]
    told = "has no columns 'user_id', 'movie' (--qrels-query, --qrels-item). Did you mean --qrels-query query, --qr"
    assert told in error_of(capsys, *command)
    assert output_of(capsys, *command, "--qrels-query", "query", "--qrels-item", "item")


RUN_LINE = "q1 Q0 a 1 0.5 tag\n"
AS_TREC_RUN = "form of a TREC run file (query Q0 item rank score tag)"
MALFORMED: list[tuple[str, str, str, list[str]]] = [  # the argument, the file, its text, and the message
    ("run", "empty.parquet", "", ["cannot be read as parquet"]),
    ("run", "run.txt", f"{RUN_LINE}q1 Q0 b 2 tag\n", [AS_TREC_RUN, "'q1 Q0 b 2 tag'"]),
    # Its ranks must not be read as relevance.
    ("qrels", "run", RUN_LINE, ["TREC qrels file", "It has the form of a TREC run file: pass it as the run"]),
    ("run", "qrels", "q1 0 a 1\n", [": pass it as the "]),  # without a look at the other file
    ("qrels", "qrels.txt", "q1 0 a 2 1 1\n", ["qrels.txt', line 1", "form of a TREC qrels file"]),
    ("run", "empty.csv", "", ["empty.csv' holds no rows"]),
    ("run", "header.csv", "query,item,score\n", ["The run has no rows. Check the path or SQL of the run"]),
    ("run", "run.csv", "query,item,score\nq1,a,NaN\nq1,b,0.5\n", ["is NULL or NaN"]),
    ("run", "bm25.run", "u Q0 a 1 0,9 bm25\n", ["'0,9' has a decimal comma: write '0.9'"]),
    ("run", "bm25.txt", "u Q0 a 1 0,9 bm25\n", ["'0,9' has a decimal comma: write '0.9'"]),
    ("run", "spelled.csv", "query,item,score\nq2,1,2\nq2,01,1\n", ["'item' are spelled in another way", "'01'"]),
]


@pytest.mark.parametrize(("argument", "name", "text", "parts"), MALFORMED)
def test_a_malformed_file_is_named(argument: str, name: str, text: str, parts: list[str], tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    numbered = {"qrels": {"q2": [1]}} if name == "spelled.csv" else {}
    refused(DataError, *parts, **{**numbered, argument: tmp_path / name})


def test_a_file_that_is_cut_short_is_named(tmp_path: Path) -> None:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    (tmp_path / "cut.parquet").write_bytes((tmp_path / "run.parquet").read_bytes()[:-40])
    told = "cut.parquet", "cannot be read as parquet", "cut short", "fetch it again"
    refused(DataError, *told, run=tmp_path / "cut.parquet")
    (tmp_path / "run.txt").write_text(RUN_LINE)
    refused(ArgumentError, "different formats", run=[str(tmp_path / "run.parquet"), str(tmp_path / "run.txt")])
    refused(ArgumentError, "has fixed columns", run=tmp_path / "run.txt", query=["user", "day"])
    (tmp_path / "broken").write_text("q1 0 a 1\nq1 0\n")
    assert "pass it as" not in refused(DataError, qrels=tmp_path / "broken")


def test_ids_in_csv_may_be_text_next_to_whole_numbers(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query,item,score\n1,x3,3\n1,99999999999999999999,2\n1,2,1\n")
    assert evaluate(tmp_path / "run.csv", {1: [2]}, "rr").value("rr") == 1 / 3


def test_parquet_files_with_differing_columns_raise(tmp_path: Path) -> None:
    one, other = tmp_path / "run_1.parquet", tmp_path / "run_2.parquet"
    pl.DataFrame({"query": [1], "item": [7], "score": [0.5]}).write_parquet(one)
    pl.DataFrame({"query": [1], "item": ["007"], "score": [0.4]}).write_parquet(other)
    told = "column 'item' (item=): it is BIGINT in", "run_1.parquet', VARCHAR in"
    for run in (tmp_path, [one, other]):
        refused(DataError, *told, run=run, qrels={1: ["7"]})
    pl.DataFrame({"query": [1], "item": [8]}).write_parquet(other)
    refused(DataError, "run_2.parquet' has no column 'score'", run=tmp_path, qrels={1: [7]}, nulls="drop")


def test_a_metric_file_that_reads_a_table_function_is_refused(tmp_path: Path) -> None:
    for value, rest, told in (
        ("count(*)", ", read_text('/etc/hostname')", "READ_TEXT('/etc/hostname')"),
        ("count(*)", "CROSS JOIN read_csv('x.csv') AS files", "READ_CSV('x.csv')"),
        ("count(*)", ", range(3) AS numbers (number)", ""),
        ("count(*)", ", duckdb_settings()", "DUCKDB_SETTINGS()"),
        ("(SELECT count(*) FROM glob('*'))", "", "GLOB('*')"),
    ):
        folder = metric_file(tmp_path, "own", value, f"FROM judged {rest}")
        parts = f"{folder}/own.sql: ", f"reads the table function {told}"
        refused(MetricFileError, *parts, metrics="own", metric_folder=folder)


def test_a_metric_file_of_many_parentheses_is_computed_or_refused(tmp_path: Path) -> None:
    """The compiled sqlglot parses deeper nesting than the Python one."""
    path = metric_file(tmp_path, "own", "(" * 300 + "1" + ")" * 300) / "own.sql"
    try:
        found: object = evaluate(RUN, QRELS, "own", metric_folder=tmp_path).value("own")
    except MetricFileError as error:
        found = str(error).partition(" statement: ")[0]
    assert found in (1, f"{path}: cannot be read as one SELECT")


def test_a_pipe_directory_or_broken_link_among_metric_files_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "own.sql")
    told = refused(MetricFileError, metrics="own", metric_folder=tmp_path)
    assert "own.sql: is a FIFO (named pipe). Write the metric to" in told
    (tmp_path / "own.sql").unlink()
    (tmp_path / "folder.sql").mkdir()
    refused(MetricFileError, "folder.sql: cannot be read: Is a directory.", metric_folder=tmp_path)
    (tmp_path / "folder.sql").rmdir()
    (tmp_path / "broken.sql").symlink_to(tmp_path / "nowhere")
    refused(MetricFileError, "broken.sql: cannot be read: No such file or directory.", metric_folder=tmp_path)


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
        refused(UnknownNameError, f"run: there is no file '{missing}'", run=[held, missing])
        pattern = tmp_path / f"*.no.{ending}"
        refused(UnknownNameError, f"run: there is no file '{pattern}'", run=[held, pattern])
    (tmp_path / "run.trec").write_text("q1 Q0 a 1 0.5 tag\n")
    missing = tmp_path / "missing.trec"
    refused(
        UnknownNameError,
        f"there is no file '{missing}'; for a table or view, pass connection=",
        run=[tmp_path / "run.trec", missing],
    )


def test_a_folder_without_parquet_files_is_listed(tmp_path: Path) -> None:
    told = f"run: the folder '{tmp_path}' holds no parquet files; it "
    refused(UnknownNameError, f"{told}is empty", run=tmp_path)
    pl.DataFrame(RUN).write_csv(tmp_path / "run.csv")
    refused(UnknownNameError, f"{told}holds 'run.csv': pass the files or a glob", run=str(tmp_path))
    for number in range(4):
        (tmp_path / f"{number}.txt").touch()
    refused(UnknownNameError, f"{told}holds '0.txt', '1.txt', '2.txt' and 2 more: pass", run=tmp_path)


@contextmanager
def as_a_user_without_rights() -> Iterator[None]:
    """If this process is root, who may open all files, let all its threads open files as the user nobody."""
    user = os.geteuid()
    os.seteuid(user or 65534)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder has no mode")
@pytest.mark.parametrize("ending", ["parquet", "csv", "json", "trec"])
def test_missing_permission_to_read_a_file_is_reported(ending: str) -> None:
    with tempfile.TemporaryDirectory() as folder:  # all its parents are open to every user
        path = Path(folder) / f"run.{ending}"
        if ending == "trec":
            path.write_text("q1 Q0 a 1 0.5 tag\n")
        else:
            getattr(pl.DataFrame(RUN), f"write_{ending}")(path)
        evaluate(path, QRELS, "recall@1")  # imports what the next calls need
        Path(folder).chmod(0o755)
        path.chmod(0)
        with as_a_user_without_rights():
            told = refused(DataError, run=path)
        assert f"run: permission denied: '{path}' may not be read by this user" in told
        path.chmod(0o644)
        Path(folder).chmod(0)
        with as_a_user_without_rights():
            told = refused(DataError, run=path)
        assert f"run: permission denied: '{path}' may not be read by this user" in told
        Path(folder).chmod(0o755)


@pytest.mark.product
@pytest.mark.parametrize("text", ["", "[]", " \n", "[\n]\n"])
@pytest.mark.parametrize("ending", ["json", "jsonl", "ndjson"])
def test_a_json_file_without_rows_is_reported(tmp_path: Path, text: str, ending: str) -> None:
    path = tmp_path / f"empty.{ending}"
    path.write_text(text)
    refused(DataError, f"run: '{path}' holds no rows", run=path)
    refused(DataError, f"qrels: '{path}' holds no rows", qrels=path)
    refused(DataError, f"exclude: '{path}' holds no rows", exclude=path)


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
        fault = f"line 2 of {str(path)!r} is malformed (it begins 'q1,a,{score}'): Error when converting column"
        assert refused(DataError, fault, run=path).endswith("Correct the value, or name another column")
    path.write_text("query,item,score\nq1,a,NaN\nq1,b,0.5\n")
    refused(DataError, "is NULL or NaN", run=path)
    for scores in (("0,5", "1,25"), ("1.000,5", "9.000,25"), ("1,000,000.5", "9,000,000.25")):
        path.write_text("query;item;score\nq1;a;{}\nq1;b;{}\n".format(*scores))
        read = refused(DataError, "Could not convert string", run=path).partition("this reads them: ")[2]
        assert evaluate(read, {"query": ["q1"], "item": ["a"], "relevance": [1]}, "rr").value("rr") == 0.5
    path.write_text("query;item;score\nq1;a;1,000,000\nq1;b;2,000,000\n")
    assert "read_csv" not in refused(DataError, "Could not convert string", run=path)  # DuckDB reads it as text
    rows = "".join(f"q{number},a,{number}\n" for number in range(5_000))
    path.write_text(f"query,item,score\n{rows}q1,b,foo\nq1,c,bar\n")
    refused(DataError, f"line 5002 of {str(path)!r} is malformed (it begins 'q1,b,foo')", run=path)


MANY = range(30_000)  # more rows than DuckDB samples to detect the format of a file


WRONG = {
    '{"query":': "is malformed: ",
    '{"query": "q", "item": "a", "score": "high"}': "holds a value of another type than",
}


@pytest.mark.parametrize(("line", "fault"), WRONG.items())
def test_a_wrong_line_late_in_a_json_file_is_a_data_error(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "run.jsonl"
    rows = "".join(f'{{"query": "q{row}", "item": "a", "score": 0.5}}\n' for row in MANY)
    path.write_text(f"{rows}\n \n{line}\n")
    found = refused(DataError, run=path)
    assert f"'{path}' {fault}" in found
    assert f"in line {len(MANY) + 3}: " in found
    assert "Correct the " in found


def test_a_trec_run_needs_qrels(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 0.5 tag\n")
    refused(ArgumentError, "is a TREC run, which holds no labels. Pass qrels=", run=tmp_path / "run", qrels=None)
    assert error_of(capsys, "check", tmp_path / "run").endswith("is a TREC run, which holds no labels. Pass --qrels\n")
    assert "is_sound" not in refused(UnknownNameError, run=tmp_path / "run", by="day")


def test_an_extension_that_cannot_be_installed_is_named() -> None:
    error = duckdb.IOException(
        "An error occurred while trying to automatically install the required extension 'httpfs:\nFailed to download"
    )
    assert str(unreadable("run", "s3://x/y.parquet", "parquet", error)).startswith(
        "run: 's3://x/y.parquet' needs DuckDB's extension httpfs, which could not be installed. Run INSTALL httpfs"
    )


def test_a_list_is_suggested_for_names_with_commas(tmp_path: Path, capsys: Output) -> None:
    refused(UnknownNameError, "Did you mean query=['query', 'day']?", query="query,day")
    refused(UnknownNameError, "Did you mean by=['a', 'b']?", by="a,b")
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    call = ["check", tmp_path / "run.parquet", "--qrels", tmp_path / "run.parquet", "--relevance", "none"]
    assert "Did you mean --query query --query day?" in error_of(capsys, *call, "--query", "query,day")
    told = error_of(capsys, *call, "--skip", "short,ties")
    assert "Did you mean --skip short --skip ties?" in told
    assert all(repr(name) in told for name in templates.checks())


def test_a_pipe_is_refused(capsys: Output) -> None:
    assert "is a pipe, but files are read more than once" in error_of(capsys, "evaluate", "-", "--qrels", "qrels.csv")
    assert error_of(capsys, "evaluate", "recs", "--qrels", "q.csv") == "recall-duckdb: run: there is no file 'recs'\n"


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
    assert is_pipe in error_of(capsys, *command, pipe)
    assert is_pipe.partition(", but")[0] in error_of(capsys, *command[:2], "--qrels", pipe)


def test_a_folder_that_is_no_data_is_refused_at_once(tmp_path: Path, monkeypatch: Patch, capsys: Output) -> None:
    monkeypatch.setattr(paths, "_MOST_FOLDERS", 3)
    too_large = "is too large to search for parquet files. Name the files, a folder that holds them, or a glob"
    for run in ("/", "//", str(Path("/") / ".." / "..")):
        refused(ArgumentError, f"run: the folder {run!r} {too_large}", run=run)
    for name in "abcd":
        (tmp_path / name).mkdir()
    refused(ArgumentError, f"run: the folder {str(tmp_path)!r} {too_large}", run=tmp_path)
    pl.DataFrame({**RUN, "relevance": 1}).write_parquet(tmp_path / "run.parquet")
    assert evaluate(tmp_path, QRELS, "rr").value("rr") == 0.75
    assert f"--not-below: the folder '/' {too_large}" in error_of(
        capsys, "evaluate", str(tmp_path / "run.parquet"), "-m", "rr", "--not-below", "/"
    )


def test_a_missing_column_of_judged_is_named_with_the_metric_file(tmp_path: Path) -> None:
    metric_file(tmp_path, "own", "sum(foo)")
    refused(
        MetricFileError,
        f"{tmp_path}/own.sql: judged has no column 'foo'. Its columns: 'model', 'query', 'item'",
        metrics="own",
        metric_folder=tmp_path,
    )
    metric_file(tmp_path, "own", "sum(Relevnt)")
    refused(MetricFileError, "Did you mean 'relevant'?", metrics="own", metric_folder=tmp_path)
    metric_file(tmp_path, "own", "sum(HITS)")
    assert evaluate(RUN, QRELS, "own", metric_folder=tmp_path).value("own") == 1


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
