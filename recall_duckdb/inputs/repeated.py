"""Finds names that several columns of a source have: DuckDB gives all but the first a number, as in score_1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import duckdb


def were_renamed(columns: Iterable[str]) -> dict[str, list[str]]:
    """Return the columns that DuckDB may have renamed, each with the columns whose name it may have had.

    >>> were_renamed(["score", "score_1", "score_1_1", "label_1"])
    {'score_1': ['score'], 'score_1_1': ['score_1', 'score']}
    """
    origins: dict[str, list[str]] = {}
    all_names = set(columns)
    for column in columns:
        name, _, number = column.rpartition("_")
        while number.isdigit():
            if name in all_names:
                origins.setdefault(column, []).append(name)
            name, _, number = name.rpartition("_")
    return origins


def repeated_names(columns: Iterable[str], in_source: Iterable[str]) -> frozenset[str]:
    """Return the names that several columns have, given the names that are written in the file or frame."""
    written = set(in_source)
    return frozenset(name for column, names in were_renamed(columns).items() if column not in written for name in names)


def names_as_written(frame: Any, columns: Iterable[str]) -> list[str]:
    """Return the names of the columns as a frame or relation has them; other kinds have no two columns of one name."""
    package = type(frame).__module__.partition(".")[0]
    names = frame.schema.names if package == "pyarrow" else columns
    if package == "pandas" or isinstance(frame, duckdb.DuckDBPyRelation):
        names = getattr(frame, "columns", columns)  # a Series has none
    return [str(name) for name in names]
