"""Files and frames that are ambiguous, or that change while they are read, are refused."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars as pl
import pyarrow
import pytest
from asking import Patch, fails
from pyarrow import parquet

from recall_duckdb import ArgumentError, DataError, EngineError, UnknownNameError, check, evaluate, sql
from recall_duckdb.cli import main
from recall_duckdb.engines import DuckDB
from recall_duckdb.reading.files import Files, watch

RUN: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: dict[str, list[Any]] = {"query": ["q1", "q2"], "item": ["b", "c"], "relevance": [1, 1]}


def write(path: Path, columns: dict[str, list[Any]] = RUN) -> Path:
    """Write columns to a file in the format of its extension."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pl.DataFrame(columns)
    writers: dict[str, Callable[[Path], Any]] = {
        ".parquet": frame.write_parquet,
        ".csv": frame.write_csv,
        ".json": frame.write_ndjson,
    }
    writers[path.suffix](path)
    return path


def refused(*messages: str, run: Any, qrels: Any = QRELS, metrics: Any = "rr", **options: Any) -> None:
    with pytest.raises(DataError) as caught:
        evaluate(run, qrels, metrics, **options)
    for text in messages:
        assert text in str(caught.value)


# Directories named like a column.


@pytest.mark.product
@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("directory", ["score=1", "SCORE=1", "score=1/part=2", "item=z", "query=q1", "score=a%20b"])
def test_a_directory_with_the_name_of_a_column_is_refused(suffix: str, directory: str, tmp_path: Path) -> None:
    path = write(tmp_path / directory / f"run.{suffix}")
    first = directory.partition("/")[0]
    column = first.partition("=")[0].lower()
    refused(f"'{column}'", f"the directory '{first}'", "Rename one of the two", run=path)


@pytest.mark.parametrize(
    "given",
    [
        lambda folder: folder,
        lambda folder: str(folder / "*" / "*.parquet"),
        lambda folder: str(folder / "**" / "run.parquet"),
        lambda folder: [folder / "score=1" / "run.parquet", folder / "score=2" / "run.parquet"],
        lambda folder: f"file://{folder}/score=1/run.parquet",
    ],
)
def test_a_directory_with_the_name_of_a_column_is_found_however_the_files_are_given(
    given: Callable[[Path], Any], tmp_path: Path
) -> None:
    write(tmp_path / "score=1" / "run.parquet", {name: values[:2] for name, values in RUN.items()})
    write(tmp_path / "score=2" / "run.parquet", {name: values[2:] for name, values in RUN.items()})
    refused("the directory 'score=", "'score'", run=given(tmp_path))


@pytest.mark.parametrize(
    ("directory", "columns", "options"),
    [
        ("relevance=1", {**RUN, "relevance": [0, 1, 1]}, {}),
        ("rank=1", {**RUN, "rank": [1, 2, 1]}, {"rank": "rank", "qrels": QRELS}),
        ("system=x", {**RUN, "system": ["m", "m", "m"]}, {"model": "system", "qrels": QRELS}),
        ("day=1", {**RUN, "day": [3, 3, 3]}, {"by": "day", "qrels": QRELS}),
    ],
)
def test_a_directory_with_the_name_of_any_column_that_is_read_is_refused(
    directory: str, columns: dict[str, list[Any]], options: dict[str, Any], tmp_path: Path
) -> None:
    run = write(tmp_path / directory / "run.parquet", columns)
    refused(f"'{directory}'", f"'{directory.partition('=')[0]}'", run=run, **{"qrels": None, **options})


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("directory", ["day=1", "score%3D1", "score=1=2", "rank=1"])
def test_a_directory_that_overrides_no_column_that_is_read_is_accepted(
    suffix: str, directory: str, tmp_path: Path
) -> None:
    path = write(tmp_path / directory / f"run.{suffix}", {**RUN, "rank": [3, 4, 5]})
    assert evaluate(path, QRELS, "rr").value("rr") == 0.75
    if directory == "day=1":
        assert evaluate(path, QRELS, "rr", by="day").value("rr", by={"day": 1 if suffix == "parquet" else "1"}) == 0.75


def test_a_directory_of_only_some_files_overrides_nothing(tmp_path: Path) -> None:
    write(tmp_path / "score=1" / "run.parquet", {name: values[:2] for name, values in RUN.items()})
    write(tmp_path / "rest" / "run.parquet", {name: values[2:] for name, values in RUN.items()})
    assert evaluate(tmp_path, QRELS, "rr").value("rr") == 0.75


def test_a_directory_does_not_override_a_trec_file(tmp_path: Path) -> None:
    path = tmp_path / "line=1" / "run.trec"
    path.parent.mkdir()
    path.write_text("q1 Q0 a 1 0.9 m\nq1 Q0 b 2 0.8 m\nq2 Q0 c 1 0.7 m\n")
    assert evaluate(path, QRELS, "rr").value("rr") == 0.75


# Files that change.


def judged_by(change: Callable[[], object]) -> dict[str, Any]:
    """Return as arguments a connection, and a view of the qrels that calls `change` when its first row is read.

    `evaluate` lists the files before it reads a row. Reading the view calls the function in it.
    """
    connection, done = duckdb.connect(), list[object]()

    def relevance_of(value: int) -> int:
        if not done:
            done.append(change())
        return value

    connection.create_function("relevance_of", relevance_of, ["BIGINT"], "BIGINT", side_effects=True)
    connection.register("qrels_frame", pl.DataFrame(QRELS).to_arrow())
    connection.execute("CREATE TABLE judged AS FROM qrels_frame")
    connection.unregister("qrels_frame")
    connection.execute("CREATE VIEW qrels AS SELECT query, item, relevance_of(relevance) AS relevance FROM judged")
    return {"qrels": "qrels", "connection": connection}


def replace(path: Path) -> None:
    """Replace a file with a new file that has other scores."""
    write(path.with_name(f"new{path.suffix}"), {**RUN, "score": [0.1, 0.8, 0.7]}).replace(path)


def rewrite(path: Path) -> None:
    """Write other scores to the same file."""
    write(path, {**RUN, "score": [0.1, 0.8, 0.75]})


CHANGES: dict[str, Callable[[Path], object]] = {"replaced": replace, "written": rewrite, "removed": Path.unlink}


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_an_evaluation_is_an_error(change: str, suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"run.{suffix}")
    judged_while = judged_by(lambda: CHANGES[change](path))
    message = "was removed" if change == "removed" else "changed"
    refused(f"run: the file {str(path)!r} {message} while it was being read", "Run again", run=path, **judged_while)
    left = judged_while["connection"].execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert left == [("judged",)]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_a_check_is_an_error(change: str, tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    fails(DataError, "while it was being read", check, path, **judged_by(lambda: CHANGES[change](path)))


def test_a_trec_file_that_changes_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 a 1 0.9 m\nq1 Q0 b 2 0.8 m\nq2 Q0 c 1 0.7 m\n")
    refused(f"{str(path)!r} changed", run=path, **judged_by(lambda: path.write_text("q1 Q0 b 1 0.9 m\n")))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda folder: write(folder / "b.parquet"), "b.parquet' appeared"),
        (lambda folder: (folder / "a.parquet").unlink(), "a.parquet' was removed"),
        (lambda folder: replace(folder / "a.parquet"), "a.parquet' changed"),
    ],
)
@pytest.mark.parametrize("given", [lambda folder: folder, lambda folder: str(folder / "[ab].parquet")])
def test_a_file_that_appears_or_disappears_in_a_folder_is_an_error(
    given: Callable[[Path], Any], change: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    write(folder / "a.parquet")
    refused(message, run=given(folder), **judged_by(lambda: change(folder)))


def test_optional_inputs_are_watched(tmp_path: Path) -> None:
    path = write(tmp_path / "exclude.parquet", {"query": ["q9"], "item": ["a"]})
    judged_while = judged_by(lambda: os.utime(path, ns=(0, 0)))
    refused("exclude: the file", "changed", run=write(tmp_path / "run.csv"), exclude=path, **judged_while)


def test_an_error_caused_by_a_change_says_that_the_file_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    judged_while = judged_by(lambda: path.write_bytes(b"cut short"))
    refused(f"{str(path)!r} changed while it was being read", run=path, **judged_while)


@pytest.mark.parametrize("given", [lambda folder: folder, lambda folder: str(folder / "*.parquet")])
def test_an_error_in_a_transaction_is_not_replaced_by_an_error_about_files(
    given: Callable[[Path], Any], tmp_path: Path
) -> None:
    write(tmp_path / "run.parquet")
    with duckdb.connect() as connection:
        relevance = "CAST('x' || random() AS DOUBLE) AS relevance"
        connection.execute(f"CREATE VIEW qrels AS SELECT 'q1' AS query, 'a' AS item, {relevance}")
        connection.begin()
        with pytest.raises(EngineError, match="Could not convert string 'x"):
            evaluate(given(tmp_path), "qrels", "rr", connection=connection)


def test_a_file_whose_server_stops_reporting_its_state_counts_as_unchanged(tmp_path: Path, monkeypatch: Patch) -> None:
    path = str(write(tmp_path / "run.parquet"))
    for before, now in (((1, 2), ()), ((), (1, 2)), ((), ())):
        monkeypatch.setattr(Files, "look", lambda *_, state=now: {path: state})
        Files("run", {path: path}, {path: before}).check(DuckDB(duckdb.connect()))


def test_no_table_is_created_from_a_changed_file(tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    judged_while = judged_by(lambda: replace(path))
    refused("changed", run=path, **judged_while, create="kept")
    found = judged_while["connection"].execute("SELECT table_name FROM duckdb_tables()").fetchall()
    assert found == [("judged",)]


def test_an_unreachable_url_is_not_watched() -> None:
    url = "https://localhost:1/size=3/run.parquet"
    assert watch("run", {url: url}, DuckDB(duckdb.connect())).states in ({}, {url: ()})


# CSV files that are malformed, or whose later lines DuckDB would read differently.

FAR = 25_000  # lines; DuckDB detects the format from the first 20,480
LINES = [f"q{number // 5},d{number},0.{number}" for number in range(30_000)]


def write_csv(path: Path, lines: list[str], header: str = "query,item,score", end: str = "\n") -> Path:
    """Write unchanged lines to a CSV file."""
    path.write_text("".join(f"{line}{end}" for line in [header, *lines]), newline="")
    return path


def judged(item: str) -> dict[str, list[Any]]:
    """Return qrels with one relevant item for the query q0."""
    return {"query": ["q0"], "item": [item], "relevance": [1]}


@pytest.mark.product
@pytest.mark.parametrize("count", [20, len(LINES)])
@pytest.mark.parametrize("line", ['q1,"a,0.5', '"q1,a,0.5', 'q1,a,"0.5', 'q1,"15" screen",0.5'])
@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_an_unclosed_quote_is_refused_with_its_line(place: str, line: str, count: int, tmp_path: Path) -> None:
    at = {"first": 0, "middle": count * 5 // 6, "last": count}[place]
    path = write_csv(tmp_path / "run.csv", [*LINES[:at], line, *LINES[at:count]])
    refused(f"line {at + 2} of {str(path)!r}", repr(line), "unterminated quote", "Correct the line", run=path)


@pytest.mark.product
@pytest.mark.parametrize("at", [0, 10, FAR])
@pytest.mark.parametrize(("line", "found"), [("q1,a", 2), ("q1", 1), ("q1,a,0.5,x", 4)])
def test_a_line_with_too_few_or_too_many_values_is_refused(line: str, found: int, at: int, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", [*LINES[:at], line, *LINES[at:]])
    refused(f"line {at + 2} of {str(path)!r}", f"'{line}'", f"Expected Number of Columns: 3 Found: {found}", run=path)


@pytest.mark.parametrize(("number", "is_grade"), [("127", True), ("127.1", False)])
def test_a_fourth_field_above_127_is_no_relevance(number: str, is_grade: bool, tmp_path: Path) -> None:
    path = tmp_path / "judged.txt"
    path.write_text(f"q1 0 a {number}\nq2 0 b 1\n")
    if is_grade:
        assert evaluate({"q1": ["a"], "q2": ["a"]}, path, "recall@1").value("recall@1") == 0.5
    else:
        refused(
            f"is no TREC file: its fourth field holds {number}, which is no relevance", run={"q1": ["a"]}, qrels=path
        )


def test_a_header_with_fewer_names_than_the_next_lines_is_kept(tmp_path: Path) -> None:
    """Given three lines of which only the last two have four fields, DuckDB would skip the header and the first."""
    path = write_csv(tmp_path / "run.csv", ["q0,a,1", "q1,a,1,x", "q2,a,1,x"])
    refused(f"line 3 of {str(path)!r}", "'q1,a,1,x'", "Expected Number of Columns: 3 Found: 4", run=path)


def test_a_late_score_that_is_not_a_number_is_refused_with_its_line(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", [*LINES[:FAR], "q1,a,high"])
    refused(
        f"line {FAR + 2} of {str(path)!r}",
        """Could not convert string "high" to 'DOUBLE'""",
        "Correct the value",
        run=path,
    )


def test_a_malformed_header_and_text_that_is_not_utf_8_are_refused_with_their_line(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", LINES[:20], header='query,"item,score')
    refused(f"line 1 of {str(path)!r}", "unterminated quote", run=path)
    path = write_csv(tmp_path / "run.csv", [*LINES[:FAR], 'q1,"a,0.5'])
    fails(DataError, f"line {FAR + 2} of", check, path, QRELS)
    path = write_csv(tmp_path / "run.csv", LINES)
    path.write_bytes(path.read_bytes() + "q1,café,0.5\n".encode("latin-1"))
    refused(f"line {len(LINES) + 2} of {str(path)!r}", "Write the file in UTF-8", run=path)


def test_several_csv_files_are_read_by_column_name_and_may_have_only_a_header(tmp_path: Path) -> None:
    write_csv(tmp_path / "1.csv", ["q0,a,0.5"])
    write_csv(tmp_path / "2.csv", ['"b",q0,0.9'], header="item,query,score", end="\r\n")
    write_csv(tmp_path / "3.csv", [])
    three = [tmp_path / f"{number}.csv" for number in (1, 2, 3)]
    for given, shown in ((str(tmp_path / "*.csv"), "*.csv; "), (three, "1.csv and 2 more; ")):
        assert shown in evaluate(given, judged("b"), "rr").read_as[0]
        assert [evaluate(given, judged(item), "rr").value("rr") for item in "ab"] == [0.5, 1]


def test_a_comment_is_refused_and_ids_with_a_number_sign_are_read(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", ["q0,#a,0.9", "#q1,b,0.8"])
    assert evaluate(path, judged("#a"), "rr").value("rr") == 1
    assert evaluate(path, {"query": ["#q1"], "item": ["b"], "relevance": [1]}, "rr").value("rr") == 1
    path = write_csv(tmp_path / "run.csv", [*LINES[:5], "# second part", "#q1,b,0.8"])
    refused(f"line 7 of {str(path)!r}", "'# second part'", run=path)


@pytest.mark.product
@pytest.mark.parametrize("at", [5, FAR])
@pytest.mark.parametrize(
    ("value", "item"), [('"a"', "a"), ('"a,b"', "a,b"), ('"a ""b"" c"', 'a "b" c'), ("a's", "a's")]
)
def test_a_quoted_value_is_read_the_same_on_any_line(value: str, item: str, at: int, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", [*LINES[5 : at + 5], f"q0,{value},1.5"])
    assert evaluate(path, judged(item), "rr").value("rr") == 1


def test_a_quote_after_a_backslash_is_read_as_spark_writes_it(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", ['q0,"15\\" screen",0.5', 'q1,"a",0.4'])
    assert evaluate(path, judged('15" screen'), "rr").value("rr") == 1


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(("suffix", "mark"), [("csv", ";"), ("tsv", "\t"), ("csv", "|")])
def test_a_file_with_another_delimiter_or_line_end_is_read_just_as_strictly(
    suffix: str, mark: str, end: str, tmp_path: Path
) -> None:
    def written(line: str) -> Path:
        lines = [each.replace(",", mark) for each in [*LINES[:5], line]]
        return write_csv(tmp_path / f"run.{suffix}", lines, mark.join(RUN), end)

    assert evaluate(written('q0,"a",0.9'), judged("a"), "rr").value("rr") == 1
    refused("line 7 of", "unterminated quote", run=written('q0,"a,0.9'))


def test_lines_above_the_header_are_skipped(tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", ["# of 2020", "query,item,score", *LINES[:5]], header="# A run")
    assert evaluate(path, judged("d4"), "rr").value("rr") == 1
    path = write_csv(path, ["# of 2020", "query,item,score", *LINES[:FAR], "q1,a"], header="# A run")
    refused(f"line {FAR + 4} of", "Found: 2", run=path)


@pytest.mark.parametrize("lines", [["q0,'tis,0.5", "q0,dogs',0.4"], ["'q0','a',0.5", "'q0','b,c',0.4"]])
def test_single_quotes_that_would_join_lines_are_refused(lines: list[str], tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", lines)
    refused(f"run: {str(path)!r} has values in single quotes", "with double quotes", run=path)


@pytest.mark.parametrize("count", [20, len(LINES)])
def test_a_malformed_line_of_a_later_file_is_refused_with_its_file(count: int, tmp_path: Path) -> None:
    first = write_csv(tmp_path / "1.csv", LINES[:5])
    second = write_csv(tmp_path / "2.csv", [*LINES[5:count], 'q1,"a,0.5'])
    for given in (str(tmp_path / "*.csv"), [first, second]):
        refused(f"line {count - 3} of {str(second)!r}", "unterminated quote", run=given)


def test_csv_files_in_different_formats_are_refused(tmp_path: Path) -> None:
    first = write_csv(tmp_path / "1.csv", LINES[:5])
    other = write_csv(tmp_path / "2.csv", [line.replace(",", ";") for line in LINES[5:9]], header="query;item;score")
    refused(f"the files {str(first)!r} and {str(other)!r} differ in their delimiter", run=[first, other])
    above = write_csv(tmp_path / "3.csv", ["of 2020", "query,item,score", *LINES[5:9]], header="A run")
    refused(f"the files {str(above)!r} and {str(first)!r} differ", "lines above the header", run=[above, first])


@pytest.mark.parametrize("text", ["", "\n", " \n"])
@pytest.mark.parametrize("name", ["0.csv", "2.csv"])
def test_an_empty_csv_file_among_others_is_refused(name: str, text: str, tmp_path: Path) -> None:
    write_csv(tmp_path / "1.csv", LINES[:5])
    (tmp_path / name).write_text(text)
    refused(f"run: {str(tmp_path / name)!r} holds no rows", run=str(tmp_path / "*.csv"))


def test_the_statement_can_be_written_before_the_csv_file_exists(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    statement = str(sql(path, "judged", "rr"))
    write_csv(path, [*LINES[5 : FAR + 5], 'q0,"a",1.5'])
    connection = duckdb.connect().execute("CREATE TABLE judged AS SELECT 'q0' AS query, 'a' AS item, 1 AS relevance")
    assert [row[3] for row in connection.execute(statement).fetchall()] == [1]


# Columns with the same name.


@pytest.mark.parametrize(
    ("header", "line"),
    [
        *((header, "1,2,3,4") for header in ("query,item,score,score", "query,item,score, score")),
        ('score,query,item,"score"', "1,2,3,4"),
        ("score_1,query,item,score,score", "9,q0,a,0.5,0.4"),
    ],
)
def test_a_csv_file_with_duplicate_column_names_is_refused(header: str, line: str, tmp_path: Path) -> None:
    path = write_csv(tmp_path / "run.csv", [line], header)
    refused("several columns are named 'score'", "Rename or remove the others", run=path)
    write_csv(tmp_path / "a.csv", LINES[:5])  # the other is a later file
    refused("several columns are named 'score'", run=str(tmp_path / "*.csv"))


def arrow_frame(names: list[str]) -> Any:
    values = [["q0", "q0"], ["a", "b"], [0.5, 0.4], [0.4, 0.5], [7, 8]]
    return pyarrow.Table.from_arrays([pyarrow.array(column) for column in values[: len(names)]], names=names)


def pandas_frame(names: list[str]) -> Any:
    frame = arrow_frame(list("12345")[: len(names)]).to_pandas()
    frame.columns = names
    return frame


@pytest.mark.parametrize("frame", [arrow_frame, pandas_frame])
def test_a_frame_with_duplicate_column_names_is_refused(frame: Callable[[list[str]], Any]) -> None:
    refused("run (the ", "several columns are named 'score'", run=frame(["query", "item", "score", "score"]))


def test_a_relation_with_duplicate_column_names_is_refused() -> None:
    with duckdb.connect() as connection:
        run = connection.sql("SELECT 'q0' AS query, 'a' AS item, 0.1 AS score, 0.9 AS score")
        refused("run (the DuckDBPyRelation given): several columns are named 'score'", run=run, connection=connection)
        run = connection.sql("SELECT 'q1' AS query, 'b' AS item, 0.1 AS score, 0.9 AS score_1, 1 AS note, 2 AS note")
        assert evaluate(run, QRELS, "rr", connection=connection).value("rr") == 0.5


def test_a_parquet_file_with_duplicate_column_names_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    parquet.write_table(arrow_frame(["query", "item", "score", "score"]), path)
    refused(f"run ({path}): several columns are named 'score'", run=path)
    write(tmp_path / "other.parquet")
    refused("several columns are named 'score'", run=str(tmp_path / "*.parquet"))


def given_as(kind: str, folder: Path, names: list[str]) -> Any:
    """Return a run with these column names as a file or frame."""
    if kind == "csv":
        lines = ["q0,a,0.5,0.4,7", "q0,b,0.4,0.5,8"]
        return write_csv(
            folder / "run.csv", [line if len(names) == 5 else line[:-2] for line in lines], ",".join(names)
        )
    if kind == "parquet":
        parquet.write_table(arrow_frame(names), folder / "run.parquet")
        return folder / "run.parquet"
    return arrow_frame(names) if kind == "arrow" else pandas_frame(names)


def test_names_in_json_that_differ_only_in_case_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text('{"query": "q", "item": "b", "Score": 1, "SCORE": 2, "note_1": 1, "Note": 1}\n')
    refused("several columns are named 'Score', or differ only in case", run=path)
    path.write_text('{"query": "q", "item": "b", "score": 1, "score_1": 2, "SCORE_2": 3}\n')
    assert evaluate(path, {"q": ["b"]}, "rr", score="score_1").value("rr") == 1


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrow", "pandas"])
def test_columns_of_similar_names_are_refused_only_if_one_is_read(kind: str, tmp_path: Path) -> None:
    run = given_as(kind, tmp_path, ["query", "item", "Score", "SCORE"])
    for name in ("score", "Score"):
        fails(DataError, "named 'Score', or differ only in case", evaluate, run, judged("b"), "rr", score=name)
    run = given_as(kind, tmp_path, ["query", "item", "score", "score_1"])
    assert evaluate(run, judged("b"), "rr").value("rr") == 0.5
    assert evaluate(run, judged("b"), "rr", score="score_1").value("rr") == 1
    if kind != "arrow":  # DuckDB 1 refuses such an Arrow table itself
        run = given_as(kind, tmp_path, ["query", "item", "score", "note", "note"])
        assert evaluate(run, judged("b"), "rr").value("rr") == 0.5


ONE: dict[str, list[Any]] = {"query": [1], "item": [2], "relevance": [1]}


def test_a_name_without_a_schema_means_what_it_means_in_sql() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE SCHEMA archive")
        connection.execute("CREATE TABLE archive.old AS SELECT 1 AS query, 2 AS item, 3.0 AS score")
        with pytest.raises(UnknownNameError, match=r"view 'old'\. Did you mean 'memory\.archive\.old'\?"):
            evaluate("old", QRELS, connection=connection)
        connection.execute("SET search_path = 'main,archive'")
        assert evaluate("old", ONE, "rr", connection=connection).value("rr") == 1


@pytest.mark.parametrize("name", ["columns", "tables", "pg_class"])
def test_a_table_may_be_called_like_a_view_of_the_engine(name: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE {name} AS SELECT 1 AS query, 2 AS item, 3.0 AS score")
        assert evaluate(name, ONE, "rr", connection=connection).value("rr") == 1


@pytest.mark.parametrize(
    ("name", "line"),
    [
        *((f"run.{ending}", "pandas.read_pickle") for ending in ("pkl", "pickle", "PKL", "pkl.gz")),
        *((f"run.{ending}", "pandas.read_excel") for ending in ("xlsx", "xls")),
        ("run.feather", "pandas.read_feather"),
        ("run.npy", "numpy.load"),
        ("run.npz", "numpy.load"),
        ("run.zip", "pandas.read_csv"),
    ],
)
def test_files_of_other_formats_are_refused_with_the_line_that_reads_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, line: str
) -> None:
    path, judged = tmp_path / name, {"q": ["a"]}
    path.write_bytes(b"PK\x03\x04")
    for run, qrels, side in ((path, judged, "run"), (judged, path, "qrels"), ([path], judged, "run")):
        with pytest.raises(ArgumentError, match="a format that is not read") as error:
            evaluate(run, qrels, "rr")
        assert str(error.value).startswith(f"{side}: {str(path)!r} is a .")
        assert str(error.value).endswith(f"a format that is not read. Pass {line}({str(path)!r})")
    main(["evaluate", str(path), "--qrels", str(path)])
    fix = capsys.readouterr().err.partition("a format that is not read. ")[2].rstrip()
    written = f"Write it as parquet in Python: {line}({str(path)!r}).to_parquet({str(tmp_path / 'run.parquet')!r})"
    assert fix == (written if line.startswith("pandas.") else f"In Python, pass {line}({str(path)!r})")


@pytest.mark.parametrize("library", ["duckdb", "sqlite3"])
def test_a_database_is_no_run(tmp_path: Path, capsys: pytest.CaptureFixture[str], library: str) -> None:
    path = tmp_path / "runs.db"
    with closing({"duckdb": duckdb, "sqlite3": sqlite3}[library].connect(str(path))) as connection:
        connection.execute("CREATE TABLE run AS SELECT 'q' AS query, 'a' AS item, 1.0 AS score")
        connection.commit()
    with pytest.raises(ArgumentError) as error:
        evaluate(path, ONE, "rr")
    assert str(error.value) == (
        f"run: {str(path)!r} is a database. Pass connection={library}.connect({str(path)!r}) and the name of a table"
    )
    main(["evaluate", str(path), "--qrels", str(path)])
    assert capsys.readouterr().err.endswith(f"is a database. Pass --database {path} and the name of a table\n")


def test_a_binary_file_is_refused_without_the_options_of_duckdb(tmp_path: Path) -> None:
    path = tmp_path / "run.bin"
    path.write_bytes(bytes(range(256)) * 4)
    with pytest.raises(DataError, match="This file is not utf-8 encoded. Write the file in UTF-8") as error:
        evaluate(path, ONE, "rr")
    assert "ignore_errors" not in str(error.value)


def test_the_line_for_a_pickle_reads_frames_and_dicts(tmp_path: Path) -> None:
    for run in ({"q": ["a"]}, pandas.DataFrame({"query": ["q"], "item": ["a"], "score": [1.0]})):
        pandas.to_pickle(run, tmp_path / "run.pkl")
        with pytest.raises(ArgumentError) as error:
            evaluate(tmp_path / "run.pkl", {"q": ["a"]}, "rr")
        line = str(error.value).partition("Pass ")[2]
        assert evaluate(eval(line, {"pandas": pandas}), {"q": ["a"]}, "rr").value("rr") == 1
