"""Two databases in memory that stay open, because opening one takes longer than a small question.

One answers questions with few rows, and runs no statement of a user. The other answers questions with more rows, and
has the relations of results.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from itertools import count
from typing import Any
from weakref import finalize

import duckdb

from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import about_schema, without_effect

# By process, because a database may not be used after a fork.
_databases: dict[int, duckdb.DuckDBPyConnection] = {}
_internal_databases: dict[int, duckdb.DuckDBPyConnection] = {}
_numbers = count(1)
_parsed: dict[str, duckdb.Statement] = {}

# The schemas of connections that are gone, which the next connection removes. A finalizer must not: it may run in any
# thread, and while the database runs a statement.
_left: deque[tuple[int, str]] = deque()


def connect_to_internal() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database that answers small questions; it reads every file anew, and writes none.

    One thread is enough for few rows, and none is lost in a fork.
    """
    process = os.getpid()
    database = _internal_databases.get(process)
    if database is None:
        # The optimizers take 2 ms a statement, and find nothing that shortens it.
        idle = "join_order,expression_rewriter,common_subexpressions,statistics_propagation"
        config: dict[str, Any] = {"threads": 1, "temp_directory": "", "disabled_optimizers": idle}
        database = duckdb.connect(config={**config, "enable_external_file_cache": False})
        database = _internal_databases.setdefault(process, database)
    connection = database.cursor()
    try:
        connection.execute(without_effect()).fetchall()
    except duckdb.FatalException:  # an internal error of DuckDB ended the database
        _internal_databases.pop(process, None)
        return connect_to_internal()
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


def connect_to_shared() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database, with a schema of its own for what a user makes of its relations."""
    process = os.getpid()
    database = _databases.get(process)
    if database is None:
        # Files of one size that were written in the same second look the same to the cache.
        database = _databases.setdefault(process, connect(enable_external_file_cache=False))
    connection, schema = database.cursor(), None
    while _left:
        with suppress(IndexError, duckdb.Error):  # another thread took the last, or DuckDB cannot remove it
            made_by, name = _left.popleft()
            if made_by == process:
                connection.execute(about_schema("DROP SCHEMA stored CASCADE", name))
                schema = name
    schema = schema or f"recall_duckdb_{next(_numbers)}"
    try:
        connection.execute(about_schema("CREATE SCHEMA stored", schema))
    except duckdb.FatalException:  # an internal error of DuckDB ended the database
        _databases.pop(process, None)
        return connect_to_shared()
    connection.execute(about_schema("USE stored", schema))
    finalize(connection, _left.append, (process, schema)).atexit = False
    return connection
