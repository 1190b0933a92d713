"""Finds single lines of text files: the first one, and the place of one."""

from __future__ import annotations

from glob import escape

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError
from recall_duckdb.inputs.files import is_remote
from recall_duckdb.inputs.formats.base import Request


def first_line(request: Request) -> str:
    """Return the first line of the first file that is not empty; "" if there is none."""
    return next(iter(first_lines_of(request, 1)), "")


def first_lines_of(request: Request, count: int) -> list[str]:
    """Return the first lines of the first file that are not empty."""
    file = next(iter(request.watched.states or request.paths))
    request.session.describe(_lines(_pattern(file)).subquery())  # raises duckdb.Error if it is not text
    return first_lines(_pattern(file), 0, count, request.session)


def first_lines(pattern: str, skip: int, count: int, session: DuckDB) -> list[str]:
    """Return some of the first lines of a file that are not empty, after those to skip."""
    is_empty = exp.Is(this=trees.column("line"), expression=exp.null())
    statement = _lines(pattern).where(exp.Not(this=is_empty)).limit(count).offset(skip)
    return [str(line) for _, line in session.rows(statement)]


def place_of(line: str, request: Request) -> tuple[str, int]:
    """Return the file that holds a line, and the line's number there."""
    for file in request.watched.states or request.paths:
        statement = _lines(_pattern(file)).where(exp.EQ(this=trees.column("line"), expression=trees.literal(line)))
        for number, _ in request.session.rows(statement.limit(1)):
            return file, int(number)
    raise DataError(
        f"the file {request.label!r} changed while it was being read", argument=request.side, fix="Run again"
    )


def _pattern(file: str) -> str:
    return file if is_remote(file) else escape(file)


def _lines(pattern: str) -> exp.Select:
    tree = templates.relations()["text_lines"][""].tree()
    trees.bind(tree, {"path": pattern})
    return exp.select("line_number", "line").from_(tree.subquery("lines"))
