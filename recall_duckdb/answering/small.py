"""Tells whether a question has few rows, from the arguments alone: opening a database would take longer than it."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from math import inf
from os import PathLike, fspath
from pathlib import Path

import duckdb

from recall_duckdb.answering.planning import has_at_most
from recall_duckdb.compose import Plan
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.engines.opening import open_session
from recall_duckdb.engines.shared import connect_to_internal
from recall_duckdb.question import Question
from recall_duckdb.reading.cells import is_sparse
from recall_duckdb.reading.formats.parquet import rows_in

FEW_ROWS = 20_000  # with more, threads save time
_BYTES_PER_LINE = 6  # the shortest line of a text file: 1,1,1


def open_for(question: Question) -> Session:
    """Return a session for a question: on the user's connection, or for few rows on a database of one thread."""
    session = open_session(question.connection, question.dialect, question.sources())
    if isinstance(session, DuckDB) and not session.stays and has_few(question):
        return DuckDB(internal=connect_to_internal(), has_little=True)
    return session


def is_small(plan: Plan, session: Session) -> bool:
    """Return True if a question has so few rows that the values of its queries are read into memory."""
    return isinstance(session, DuckDB) and (session.has_little or has_at_most(FEW_ROWS, plan, session))


def has_few(question: Question) -> bool:
    """Return True if the data of a question have few rows, in all of its score columns."""
    values = (question.run, question.qrels, *question.optional_inputs().values())
    rows, scores = 0.0, max(1, len(question.names.scores))
    for size in (size for value in values for size in _sizes(value)):
        rows += size * scores
        if rows > FEW_ROWS:
            return False
    return True


def _sizes(value: object) -> Iterator[float]:
    """Return at least how many rows each part of a value holds, without reading them; infinity if that is not known."""
    if isinstance(value, (str, PathLike)):
        yield _rows_of_file(fspath(value))
    elif isinstance(value, Mapping):  # columns, queries or runs
        for each in value.values():
            yield from [len(each)] if isinstance(each, (list, tuple)) else _sizes(each)
    elif value is not None:
        are_paths = isinstance(value, (list, tuple)) and any(isinstance(each, (str, PathLike)) for each in value[:1])
        is_sized = hasattr(value, "__len__") and not are_paths and not isinstance(value, duckdb.DuckDBPyRelation)
        is_sized = is_sized and getattr(value, "ndim", 1) > 0 and not is_sparse(value)
        yield 1 if isinstance(value, (int, float)) else len(value) if is_sized else inf  # type: ignore[arg-type]


def _rows_of_file(path: str) -> float:
    """Return the number of rows of a parquet file, or at least that of a text file; infinity for anything else."""
    try:
        status, endings = Path(path).stat(), Path(path.casefold()).suffixes
    except (OSError, ValueError):  # a table's name, a pattern, a URL or no file
        return inf
    if endings[-1:] in ([".gz"], [".zst"]) or not stat.S_ISREG(status.st_mode):
        return inf
    if endings[-1:] not in ([".parquet"], [".parq"], [".pq"]):
        return status.st_size / _BYTES_PER_LINE
    with suppress(duckdb.Error):  # reading the file reports it
        rows = rows_in([path], connect_to_internal)
        return inf if rows is None else float(rows)
    return inf
