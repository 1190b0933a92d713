"""Writes a statement in an engine's SQL, and knows how each dialect was tried; what differs is in `rewrites`."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from recall_duckdb import trees
from recall_duckdb.builtins import name_in_full
from recall_duckdb.errors import EngineError, UnknownNameError, listed, nearest, shown
from recall_duckdb.rewrites import WRITERS, literals_as_lists, rewrite

DIALECTS = (
    "athena",
    "bigquery",
    "clickhouse",
    "databricks",
    "datafusion",
    "doris",
    "duckdb",
    "exasol",
    "fabric",
    "hive",
    "materialize",
    "mysql",
    "oracle",
    "postgres",
    "presto",
    "redshift",
    "risingwave",
    "snowflake",
    "spark",
    "sqlite",
    "starrocks",
    "teradata",
    "trino",
    "tsql",
)

# How text ids compare where that is not by their bytes, or may not be; not said where a collation is written.
TEXT = {
    "exasol": "by their bytes; '' is NULL",
    "fabric": "by their bytes under the usual collation, but for spaces at their end",
    "mysql": "as the column's collation has it, often blind to case; equal scores rank as elsewhere under "
    "utf8mb4_0900_bin alone",
    "oracle": "by their bytes under NLS_SORT=BINARY and NLS_COMP=BINARY; '' is NULL",
    "postgres": "as the column's collation has it; equal scores rank as elsewhere under C alone",
    "redshift": "by their bytes, but for spaces at their end",
    "teradata": "by their bytes where columns are CASESPECIFIC, but for spaces at their end",
    "tsql": "as the column's collation has it, often blind to case; equal scores rank as elsewhere under "
    "Latin1_General_100_BIN2_UTF8 alone",
}

_ALSO_CALLED = {"mariadb": "mysql", "mssql": "tsql", "sqlserver": "tsql", "synapse": "fabric", "postgresql": "postgres"}

# Engines that compute a relation anew wherever it is read, and refuse a statement that grows too large by that.
REPEATING = ("athena", "presto", "trino")


def known(dialect: str) -> str:
    """Return the dialect; raises `UnknownNameError` with the nearest name if there is none of this name."""
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        text = dialect if isinstance(dialect, str) else ""
        called = _ALSO_CALLED.get(text.casefold().replace(" ", ""), text)
        raise UnknownNameError(
            f"there is no dialect {shown(dialect)}.{nearest(called, DIALECTS)} Known: {listed(DIALECTS)}"
        )
    return dialect


@lru_cache
def _evidence() -> dict[str, dict[str, Any]]:
    """What the tests of the engines wrote down: by dialect a label, the engines, the number of statements."""
    found: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "evidence.json").read_text("utf-8"))
    return found


def evidence(dialect: str) -> str:
    """How a dialect was tried: executed, executed on a relative, emulated, parsed or only generated, and on what.

    >>> evidence("postgres")
    'executed: PostgreSQL'
    """
    if dialect == "duckdb":
        return "executed: DuckDB, whose numbers the others are held against"
    held = _evidence().get(dialect)
    return "generated only" if held is None else f"{held['label']}: {', '.join(held['on'])}"


def describe(statement: exp.Query, head: Sequence[str], dialect: str) -> None:
    """Give the statement a comment at its head: the lines given, the dialect with its evidence, how text compares."""
    lines = [*head, f"dialect: {dialect} ({evidence(dialect)})"]
    if dialect in TEXT and statement.find(exp.Collate) is None:
        lines.append(f"text ids compare {TEXT[dialect]}")
    filled = [textwrap.fill(line, 110, subsequent_indent="  ") for line in lines]
    holder = statement.args.get("with_") or statement.args["with"]  # as sqlglot 27 calls it
    text = "\n".join(filled).replace("*/", "* /")
    holder.add_comments([f"\n{text}\n"])


def render(statement: exp.Expr, dialect: str = "duckdb", *, pretty: bool = False, copy: bool = True) -> str:
    """The text of a statement; pretty: one clause a line, with the comments, for people to read.

    Without a copy, the statement is spent: what the dialect has other words for is rewritten in it.

    Raises:
        UnknownNameError: the dialect is not known; the message holds the nearest name.
        EngineError: the dialect has no way to say what the statement says.
    """
    own = statement.copy() if copy else statement
    return write(rewrite(own, known(dialect)), dialect, pretty=pretty, copy=False)


def executable(statement: exp.Expr, *, copy: bool = True) -> str:
    """The text of a statement that DuckDB runs, in which no macro of the connection replaces a built-in function."""
    own = literals_as_lists(rewrite(statement.copy() if copy else statement, "duckdb"))
    name_in_full(own)
    return write(own, "duckdb", copy=False)


@lru_cache
def _indents_names() -> bool:
    """Whether sqlglot indents what follows a line break in a name, as if that were no part of it: 27 does."""
    return '"\n"' not in exp.select(trees.identifier("\n")).sql("duckdb", pretty=True)


def write(statement: exp.Expr, dialect: str, *, pretty: bool = False, copy: bool = True) -> str:
    """The text of what is in a dialect's own words already; raises as `render` does. Without a copy, it is spent."""
    if pretty and _indents_names():
        pretty = not any("\n" in name.name for name in trees.find(statement, exp.Identifier))
    try:
        return statement.sql(
            dialect=WRITERS.get(dialect, dialect),
            pretty=pretty,
            comments=pretty,
            unsupported_level=ErrorLevel.RAISE,
            copy=copy,
        )
    except SqlglotError as error:
        raise EngineError(f"{dialect} cannot express this statement: {error}") from error
