"""A query in parentheses, such as `(FROM delta_scan('recs'))`, as a source."""

from __future__ import annotations

import re
from typing import TypeGuard

import duckdb
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from recall_duckdb.dialects import find_dialect
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, first_line
from recall_duckdb.inputs.files import path_kind

_FIX = "Write it as (SELECT …), with the tables and functions of this connection"


def is_query(value: object) -> TypeGuard[str]:
    """Return True for a text in parentheses that is no path."""
    is_text = isinstance(value, str) and re.fullmatch(r"\s*\(.+\)\s*", value, re.DOTALL) is not None
    return is_text and not path_kind(str(value))


def rows_of(query: str, session: DuckDB, side: str) -> duckdb.DuckDBPyRelation:
    """Return the rows of a query as DuckDB reads it; raises `ArgumentError` for anything else than one query."""
    try:
        statements = session.connection.extract_statements(query)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ArgumentError("one query is expected, and no other statement", argument=side, fix=_FIX)
        return session.connection.sql(query)
    except duckdb.Error as error:
        raise ArgumentError(f"DuckDB cannot read the query: {first_line(error)}", argument=side, fix=_FIX) from error


def subquery(query: str, dialect: str, side: str) -> exp.Subquery:
    """Return a query as part of a statement that is written in a dialect; raises `ArgumentError` as `rows_of` does."""
    try:
        tree = parse_one(query, read=find_dialect(dialect).writer or dialect).unnest()
    except SqlglotError as error:
        raise ArgumentError(
            f"the query cannot be read as SQL of {dialect}: {first_line(error)}", argument=side, fix=_FIX
        ) from error
    if not isinstance(tree, exp.Query):
        raise ArgumentError("one query is expected, and no other statement", argument=side, fix=_FIX)
    return tree.subquery("source")
