"""What many tests need: a call that must fail, and commands with the text that they print."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from recall_duckdb import evaluate
from recall_duckdb.cli import main

Output = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch


def fails(kind: type[BaseException], message: str, call: Callable[..., object], *given: Any, **named: Any) -> str:
    """Return the text of the error of a call, which must be of this kind and match the message."""
    with pytest.raises(kind, match=message or None) as caught:
        call(*given, **named)
    text = str(caught.value)
    del caught  # which would keep the objects of the call until a collection
    return text


Columns = dict[str, list[Any]]
RUN: Columns = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: Columns = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}


def renamed(columns: Columns, **names: str) -> Columns:
    """Return columns, some with other names."""
    return {names.get(name, name): values for name, values in columns.items()}


def refused(kind: type[BaseException], *parts: str, run: Any = RUN, qrels: Any = QRELS, **arguments: Any) -> str:
    """Return the message of evaluate()'s error, which must be of this kind and contain the parts."""
    told = fails(kind, "", evaluate, run, qrels, **arguments)
    for part in parts:
        assert part in told
    return told


def nightly_but(kept: Iterable[Any], cases: Iterable[Any]) -> list[Any]:
    """Return cases to parametrize a test; those not kept run each night."""
    held = list(kept)
    return [case if case in held else pytest.param(case, marks=pytest.mark.nightly) for case in cases]


def output_of(capsys: Output, *arguments: object) -> str:
    """Return what a command prints, which must succeed."""
    assert main([str(each) for each in arguments]) == 0
    return capsys.readouterr().out


def error_of(capsys: Output, *arguments: object) -> str:
    """Return the error of a command, which must exit with 2."""
    assert main([str(each) for each in arguments]) == 2
    return capsys.readouterr().err


def load(connection: sqlite3.Connection, tables: Mapping[str, Mapping[str, list[Any]]]) -> None:
    """Create tables in SQLite, whose columns have no types."""
    for name, columns in tables.items():
        connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", list(zip(*columns.values(), strict=True)))


def metric_file(
    folder: Path, name: str, value: str, rest: str = "FROM judged", before: str = "", head: str = ""
) -> Path:
    """Write a metric file with this value, and return its folder."""
    text = f"{before}SELECT model AS model, query AS query, {value} AS {name} {rest} GROUP BY model, query"
    (folder / f"{name}.sql").write_text(f"-- A metric.\n--\n-- Grain:  one row per (model, query).\n{head}{text}\n")
    return folder
