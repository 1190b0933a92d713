"""Writes a statement in the SQL of an engine, and says how each dialect was tested."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from recall_duckdb import __version__
from recall_duckdb.definitions import trees
from recall_duckdb.dialects.layout import short_lines
from recall_duckdb.dialects.qualified import name_in_full
from recall_duckdb.dialects.registry import DIALECTS, find_dialect
from recall_duckdb.dialects.structure import without_clashes, without_hints, without_qualify
from recall_duckdb.dialects.values import (
    literals_as_lists,
    mark_doubles,
    nan_without_statistics,
    powers_of_whole_numbers,
    shorter_values,
)
from recall_duckdb.errors import EngineError


@lru_cache
def evidence(dialect: str) -> str:
    """Return how a dialect was tested (executed, on a relative, emulated, parsed or generated only), and on what.

    >>> evidence("postgres")
    'executed: PostgreSQL'
    """
    if dialect == "duckdb":
        return "executed: DuckDB, the reference for the others"
    records: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "evidence.json").read_text("utf-8"))
    record = records.get(dialect)
    return "generated only" if record is None else f"{record['label']}: {', '.join(record['on'])}"


def add_head(statement: exp.Query, head: Sequence[str], dialect: str) -> None:
    """Add a comment at the head of a statement: the lines given, the version, the dialect, how text compares."""
    first, *others = head
    lines = [f"{first}; by recall_duckdb {__version__} for {dialect} ({evidence(dialect)})", *others]
    if DIALECTS[dialect].text_order and statement.find(exp.Collate) is None:
        lines.append(f"text ids compare {DIALECTS[dialect].text_order}")
    text = "\n".join(textwrap.fill(line, 118, subsequent_indent="  ") for line in lines).replace("*/", "* /")
    statement.args[trees.WITH].add_comments([f"\n{text}\n"])


def rewrite(statement: exp.Expr, dialect: str, *, qualify: bool = False) -> exp.Expr:
    """Return the statement rewritten for a dialect. The statement passed must not be used again.

    With `qualify`, QUALIFY stays if the dialect has it.
    """
    if dialect == "duckdb":
        nan_without_statistics(statement)
        return statement
    record = DIALECTS[dialect]
    without_hints(statement)
    if not (qualify and record.has_qualify):
        statement = without_qualify(statement)
    without_clashes(statement)
    for change in (*record.by_bytes, *record.rewrites):
        change(statement)
    return statement


def render(statement: exp.Expr, dialect: str = "duckdb", *, copy: bool = True) -> str:
    """Return the text of a statement.

    Without a copy, the statement is rewritten in place and must not be used again.

    Raises:
        UnknownNameError: the dialect is not known; the message holds the nearest name.
        EngineError: the dialect has no way to say what the statement says.
    """
    tree = statement.copy() if copy else statement
    return write(rewrite(tree, find_dialect(dialect).name), dialect, copy=False)


def rewrite_for_readers(statement: exp.Expr, dialect: str) -> exp.Expr:
    """Return a statement in a dialect as `rewrite` does, with the shortest forms that the dialect has."""
    mark_doubles(statement)
    if find_dialect(dialect).powers_are_doubles:
        powers_of_whole_numbers(statement)
    if dialect == "duckdb":  # statements that run name the user's tables in full
        without_clashes(statement)
    tree = rewrite(statement, dialect, qualify=True)
    shorter_values(tree)
    return tree


def readable(statement: exp.Expr, dialect: str) -> str:
    """Return the text of a statement for readers, with comments. The statement must not be used again.

    Raises as `render` does.
    """
    tree = rewrite_for_readers(statement, find_dialect(dialect).name)
    has_breaks = any("\n" in name.name for name in trees.find(tree, exp.Identifier))
    return write(tree, dialect, pretty=not (has_breaks and _indents_names()), copy=False)


def executable(statement: exp.Expr, *, copy: bool = True) -> str:
    """Return the text that DuckDB runs, in which no macro of the connection can replace a built-in function."""
    tree = rewrite(statement.copy() if copy else statement, "duckdb")
    literals_as_lists(tree)
    name_in_full(tree)
    return write(tree, "duckdb", copy=False)


@lru_cache
def _indents_names() -> bool:
    """Return whether sqlglot indents after a line break inside a name, as version 27 does."""
    return '"\n"' not in exp.select(trees.identifier("\n")).sql("duckdb", pretty=True)


def write(statement: exp.Expr, dialect: str, *, pretty: bool = False, copy: bool = True) -> str:
    """Return the text of a statement that is already rewritten; raises as `render` does.

    With `pretty`, it has comments, and short lines.
    """
    writer, level = DIALECTS[dialect].writer or dialect, ErrorLevel.RAISE
    try:
        if not pretty:
            return statement.sql(writer, comments=False, unsupported_level=level, copy=copy)
        return str(short_lines(writer)(unsupported_level=level).generate(statement, copy=copy))
    except SqlglotError as error:
        raise EngineError(f"{dialect} cannot express this statement: {error}") from error
