"""Reads the name of a table, in parts between dots, a query in parentheses, or a call such as `delta_scan('recs')`."""

from __future__ import annotations

import re
from typing import TypeGuard

import duckdb
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import find_dialect
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, first_line, is_sound, quote
from recall_duckdb.reading.files import path_kind

_FIX = "Write it as (SELECT …), with the tables and functions of this connection"
_CALL = r"[A-Za-z_]\w*(?:\.\w+)*"  # the name of a table function
_PART = r'(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[(?:[^\]]|\]\])+\])(?=\.|$)|[^.]+'


def table_named(name: str, side: str) -> exp.Table:
    """Parse the name of a table that cannot be looked up; a part stays quoted if it was, or must be."""
    if not isinstance(name, str):
        raise ArgumentTypeError(f"the name of a table is expected, not {quote(name)}", argument=side)
    check_no_query(name, side)
    if not is_sound(name) or not re.fullmatch(rf"({_PART})(\.({_PART})){{0,2}}", name):
        fix = "It has one to three parts between dots: quote a part that holds a dot itself"
        raise ArgumentError(f"{quote(name)} cannot be the name of a table", argument=side, fix=fix)
    parts = [_part(text) for text in reversed(re.findall(_PART, name))]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))


def check_no_query(name: str, side: str) -> None:
    """Refuse a query without parentheses."""
    if re.match(r"\s*(select|with|from)\s", name, re.IGNORECASE):
        raise ArgumentError(f"{quote(name)} is a query, not a table", argument=side, fix="Put it in parentheses")


def meanings(name: str) -> list[list[str]]:
    """Return what a name may mean where it can be looked up: the whole text, or the parts between its dots, unquoted.

    >>> meanings('run'), meanings('"s.t".run')
    ([['run']], [['"s.t".run'], ['s.t', 'run']])
    """
    if not re.fullmatch(rf"({_PART})(\.({_PART})){{0,2}}", name):
        return [[name]]
    parts = [_part(text).name for text in re.findall(_PART, name)]
    return [[name]] if parts == [name] else [[name], parts]


def _part(text: str) -> exp.Identifier:
    if len(text) > 2 and (text[0], text[-1]) in (('"', '"'), ("`", "`"), ("[", "]")):
        return trees.identifier(text[1:-1].replace(text[-1] * 2, text[-1]))
    return exp.to_identifier(text, quoted=not re.fullmatch("[A-Za-z_][A-Za-z0-9_$]*", text))


def is_query(value: object) -> TypeGuard[str]:
    """Return True for a text in parentheses, or a call such as read_parquet('…'), that is no path."""
    is_text = isinstance(value, str) and re.fullmatch(rf"\s*({_CALL})?\(.+\)\s*", value, re.DOTALL) is not None
    return is_text and not path_kind(str(value))


def _in_parentheses(query: str) -> str:
    is_call = re.match(rf"\s*{_CALL}\(", query) is not None
    return f"(SELECT * FROM {query})" if is_call else query  # noqa: S608 - it is the user's query


def rows_of_query(query: str, session: DuckDB, side: str) -> duckdb.DuckDBPyRelation:
    """Return the rows of a query as DuckDB reads it; raises `ArgumentError` for anything else than one query."""
    query = _in_parentheses(query)
    try:
        statements = session.connection.extract_statements(query)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            raise ArgumentError("one query is expected, and no other statement", argument=side, fix=_FIX)
        return session.connection.sql(query)
    except duckdb.Error as error:
        raise ArgumentError(f"DuckDB cannot read the query: {first_line(error)}", argument=side, fix=_FIX) from error


def subquery(query: str, dialect: str, side: str) -> exp.Subquery:
    """Return a query as part of a statement in a dialect; raises `ArgumentError` as `rows_of_query` does."""
    try:
        tree = parse_one(_in_parentheses(query), read=find_dialect(dialect).writer or dialect).unnest()
    except SqlglotError as error:
        text = f"the query cannot be read as SQL of {dialect}: {first_line(error)}"
        raise ArgumentError(text, argument=side, fix=_FIX) from error
    if not isinstance(tree, exp.Query):
        raise ArgumentError("one query is expected, and no other statement", argument=side, fix=_FIX)
    return tree.subquery("source")
