"""A database in memory that stays open, because opening one takes longer than a small question."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from itertools import count
from typing import Any
from weakref import finalize

import duckdb

from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import WITHOUT_EFFECT

# By process, because a database may not be used after a fork.
_databases: dict[int, duckdb.DuckDBPyConnection] = {}
# Files of one size that were written in the same second look the same to the cache.
_READ_ANEW: dict[str, Any] = {"enable_external_file_cache": False}
_numbers = count(1)
_parsed: dict[str, duckdb.Statement] = {}

# The schemas of connections that are gone, which the next connection removes. A finalizer must not: it may run in any
# thread, and while the database runs a statement.
_left: deque[tuple[int, str]] = deque()


def connect_to_shared() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database, with a schema of its own for what a user makes of its relations.

    The database is opened once, and again after an internal error ended it.
    """
    process = os.getpid()
    database = _databases.get(process) or _databases.setdefault(process, connect(**_READ_ANEW))
    connection = database.cursor()
    try:
        connection.execute(WITHOUT_EFFECT).fetchall()
    except duckdb.FatalException:
        _databases.pop(process, None)
        return connect_to_shared()
    schema = None
    while _left:
        with suppress(IndexError, duckdb.Error):  # another thread took the last, or DuckDB cannot remove it
            made_by, name = _left.popleft()
            if made_by == process:
                connection.execute(f"DROP SCHEMA {name} CASCADE")
                schema = name
    schema = schema or f"recall_duckdb_{next(_numbers)}"
    connection.execute(f"CREATE SCHEMA {schema}")
    connection.execute(f"USE {schema}")
    connection.execute("SET SESSION default_collation = ''")  # a result's relation may have set it for all
    finalize(connection, _left.append, (process, schema)).atexit = False
    return connection


def parsed(text: str, connection: duckdb.DuckDBPyConnection) -> duckdb.Statement:
    """Return a parsed statement, which is kept: no setting of a connection changes how it is parsed."""
    statement = _parsed.get(text)
    if statement is None:
        [statement] = connection.extract_statements(text)
        if len(_parsed) >= 256:
            _parsed.clear()
        _parsed[text] = statement
    return statement
