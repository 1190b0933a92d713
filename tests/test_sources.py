"""Files and frames that could be read in two ways, or that change while they are read, are refused."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from recall_duckdb import DataError, check, evaluate
from recall_duckdb.engines import DuckDB
from recall_duckdb.files import Files, unchanged

RUN: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: dict[str, list[Any]] = {"query": ["q1", "q2"], "item": ["b", "c"], "relevance": [1, 1]}


def write(path: Path, columns: dict[str, list[Any]] = RUN) -> Path:
    """Write columns to a file of the format that its ending names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frame = pl.DataFrame(columns)
    writers: dict[str, Callable[[Path], Any]] = {
        ".parquet": frame.write_parquet,
        ".csv": frame.write_csv,
        ".json": frame.write_ndjson,
    }
    writers[path.suffix](path)
    return path


def refused(*said: str, run: Any, qrels: Any = QRELS, metrics: Any = "rr", **options: Any) -> None:
    with pytest.raises(DataError) as caught:
        evaluate(run, qrels, metrics, **options)
    for text in said:
        assert text in str(caught.value)


# Directories that have the name of a column.


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("directory", ["score=1", "SCORE=1", "score=1/part=2", "item=z", "query=q1", "score=a%20b"])
def test_a_directory_with_the_name_of_a_column_is_refused(suffix: str, directory: str, tmp_path: Path) -> None:
    path = write(tmp_path / directory / f"run.{suffix}")
    first = directory.partition("/")[0]
    column = first.partition("=")[0].lower()
    refused(f"'{column}'", f"the directory '{first}'", "Rename the directory", run=path)


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
def test_such_a_directory_is_found_however_the_files_are_given(given: Callable[[Path], Any], tmp_path: Path) -> None:
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
def test_such_a_directory_is_refused_for_every_column_that_is_read(
    directory: str, columns: dict[str, list[Any]], options: dict[str, Any], tmp_path: Path
) -> None:
    run = write(tmp_path / directory / "run.parquet", columns)
    refused(f"'{directory}'", f"'{directory.partition('=')[0]}'", run=run, **{"qrels": None, **options})


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("directory", ["day=1", "score%3D1", "score=1=2", "rank=1"])
def test_a_directory_that_overrides_no_column_that_is_read_is_fine(suffix: str, directory: str, tmp_path: Path) -> None:
    path = write(tmp_path / directory / f"run.{suffix}", {**RUN, "rank": [3, 4, 5]})
    assert evaluate(path, QRELS, "rr").value("rr") == 0.75
    if directory == "day=1":
        assert evaluate(path, QRELS, "rr", by="day").value("rr", by={"day": "1" if suffix == "csv" else 1}) == 0.75


def test_a_directory_that_only_some_files_have_overrides_nothing(tmp_path: Path) -> None:
    write(tmp_path / "score=1" / "run.parquet", {name: values[:2] for name, values in RUN.items()})
    write(tmp_path / "rest" / "run.parquet", {name: values[2:] for name, values in RUN.items()})
    assert evaluate(tmp_path, QRELS, "rr").value("rr") == 0.75


def test_a_directory_does_not_change_what_a_trec_file_says(tmp_path: Path) -> None:
    path = tmp_path / "line=1" / "run.trec"
    path.parent.mkdir()
    path.write_text("q1 Q0 a 1 0.9 m\nq1 Q0 b 2 0.8 m\nq2 Q0 c 1 0.7 m\n")
    assert evaluate(path, QRELS, "rr").value("rr") == 0.75


# Files that change.


def judged_by(connection: duckdb.DuckDBPyConnection, change: Callable[[], object]) -> str:
    """Make a view of the qrels that makes a change when its rows are first read, and return its name.

    `evaluate` finds the files before it reads a row, and reads a view by calling the function in it.
    """
    done: list[object] = []

    def relevance_of(value: int) -> int:
        if not done:
            done.append(change())
        return value

    connection.create_function("relevance_of", relevance_of, ["BIGINT"], "BIGINT", side_effects=True)
    connection.register("qrels_frame", pl.DataFrame(QRELS).to_arrow())
    connection.execute("CREATE TABLE judged AS FROM qrels_frame")
    connection.unregister("qrels_frame")
    connection.execute("CREATE VIEW qrels AS SELECT query, item, relevance_of(relevance) AS relevance FROM judged")
    return "qrels"


def replace(path: Path) -> None:
    """Write the same rows with other scores to another file, and give it the name of the first."""
    write(path.with_name(f"new{path.suffix}"), {**RUN, "score": [0.1, 0.8, 0.7]}).replace(path)


def rewrite(path: Path) -> None:
    """Write other scores to the same file."""
    write(path, {**RUN, "score": [0.1, 0.8, 0.75]})


CHANGES: dict[str, Callable[[Path], object]] = {"replaced": replace, "written": rewrite, "removed": Path.unlink}


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json"])
@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_an_evaluation_is_an_error(change: str, suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path / f"run.{suffix}")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: CHANGES[change](path))
    said = "was removed" if change == "removed" else "changed"
    refused(
        f"run: the file {str(path)!r} {said} while it was being read", "Run again", run=path, qrels=qrels,
        connection=connection,
    )  # fmt: skip
    left = [name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    assert left == ["judged"]


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_changes_during_a_check_is_an_error(change: str, tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: CHANGES[change](path))
    with pytest.raises(DataError, match="while it was being read"):
        check(path, qrels, connection=connection)


def test_a_trec_file_that_changes_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text("q1 Q0 a 1 0.9 m\nq1 Q0 b 2 0.8 m\nq2 Q0 c 1 0.7 m\n")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: path.write_text("q1 Q0 b 1 0.9 m\n"))
    refused(f"{str(path)!r} changed", run=path, qrels=qrels, connection=connection)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda folder: write(folder / "b.parquet"), "b.parquet' appeared"),
        (lambda folder: (folder / "a.parquet").unlink(), "a.parquet' was removed"),
        (lambda folder: replace(folder / "a.parquet"), "a.parquet' changed"),
    ],
)
@pytest.mark.parametrize("given", [lambda folder: folder, lambda folder: str(folder / "[ab].parquet")])
def test_a_file_that_comes_or_goes_in_a_folder_is_an_error(
    given: Callable[[Path], Any], change: Callable[[Path], object], said: str, tmp_path: Path
) -> None:
    folder = tmp_path / "run"
    write(folder / "a.parquet")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: change(folder))
    refused(said, run=given(folder), qrels=qrels, connection=connection)


def test_the_qrels_and_the_relations_beside_are_watched_too(tmp_path: Path) -> None:
    path = write(tmp_path / "exclude.parquet", {"query": ["q9"], "item": ["a"]})
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: os.utime(path, ns=(0, 0)))
    refused("exclude: the file", "changed", run=write(tmp_path / "run.csv"), qrels=qrels, exclude=path,
            connection=connection)  # fmt: skip


def test_an_error_that_a_change_caused_says_that_the_file_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: path.write_bytes(b"cut short"))
    refused(f"{str(path)!r} changed while it was being read", run=path, qrels=qrels, connection=connection)


def test_a_file_that_stays_as_it_is_gives_numbers(tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    connection = duckdb.connect()
    qrels = judged_by(connection, path.read_bytes)
    assert evaluate(path, qrels, "rr", connection=connection).value("rr") == 0.75
    assert evaluate(path, qrels, "rr", connection=connection, create="kept").value("rr") == 0.75


def test_no_table_is_created_from_a_file_that_changed(tmp_path: Path) -> None:
    path = write(tmp_path / "run.parquet")
    connection = duckdb.connect()
    qrels = judged_by(connection, lambda: replace(path))
    refused("changed", run=path, qrels=qrels, connection=connection, create="kept")
    assert connection.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("judged",)]


def test_plain_paths_are_watched_without_a_statement(tmp_path: Path) -> None:
    paths = [str(write(tmp_path / "run.parquet")), str(write(tmp_path / "run[1].csv"))]
    closed = duckdb.connect()
    session = DuckDB(closed)
    closed.close()  # a statement would now raise
    patterns = dict(zip(paths, [paths[0], paths[1].replace("[", "[[]")], strict=True))
    states = Files("run", patterns).look(session)
    assert list(states) == paths
    with unchanged([Files("run", patterns, states)], session):
        pass
    with pytest.raises(DataError, match="changed"), unchanged([Files("run", patterns, states)], session):
        replace(Path(paths[0]))


def test_a_url_is_left_to_whoever_reads_it() -> None:
    url = "https://localhost:1/size=3/run.parquet"
    assert Files("run", {url: url}).look(DuckDB(duckdb.connect())) in ({}, {url: ()})
