"""Two databases in memory that stay open, because opening one takes longer than a small question.

One answers questions with few rows, and runs no statement of a user. The other answers questions with more rows, and
has the relations of results.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any
from weakref import finalize

import duckdb

from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import WITHOUT_EFFECT

# By process, because a database may not be used after a fork, and by what it is for.
_databases: dict[tuple[int, str], duckdb.DuckDBPyConnection] = {}
# Files of one size that were written in the same second look the same to the cache.
_READ_ANEW: dict[str, Any] = {"enable_external_file_cache": False}
_numbers = count(1)
_parsed: dict[str, duckdb.Statement] = {}

# The schemas of connections that are gone, which the next connection removes. A finalizer must not: it may run in any
# thread, and while the database runs a statement.
_left: deque[tuple[int, str]] = deque()


def _connect(
    to: str, open_database: Callable[[], duckdb.DuckDBPyConnection], use: Callable[[duckdb.DuckDBPyConnection], object]
) -> duckdb.DuckDBPyConnection:
    """Return a connection to a database, which is opened once, and opened again after an internal error ended it."""
    key = os.getpid(), to
    database = _databases.get(key) or _databases.setdefault(key, open_database())
    connection = database.cursor()
    try:
        use(connection)
    except duckdb.FatalException:
        _databases.pop(key, None)
        return _connect(to, open_database, use)
    return connection


def connect_to_internal() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database that answers small questions; it reads every file anew, and writes none.

    One thread is enough for few rows, and none is lost in a fork.
    """
    # The optimizers take 2 ms a statement, and find nothing that shortens it.
    idle = "join_order,expression_rewriter,common_subexpressions,statistics_propagation"
    config = {"threads": 1, "temp_directory": "", "disabled_optimizers": idle, **_READ_ANEW}
    return _connect(
        "small questions",
        lambda: duckdb.connect(config=config),
        lambda connection: connection.execute(WITHOUT_EFFECT).fetchall(),
    )


def connect_to_shared() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database, with a schema of its own for what a user makes of its relations."""

    def use_schema(connection: duckdb.DuckDBPyConnection) -> None:
        schema, process = None, os.getpid()
        while _left:
            with suppress(IndexError, duckdb.Error):  # another thread took the last, or DuckDB cannot remove it
                made_by, name = _left.popleft()
                if made_by == process:
                    connection.execute(f"DROP SCHEMA {name} CASCADE")
                    schema = name
        schema = schema or f"recall_duckdb_{next(_numbers)}"
        connection.execute(f"CREATE SCHEMA {schema}")
        connection.execute(f"USE {schema}")
        finalize(connection, _left.append, (process, schema)).atexit = False

    return _connect("questions", lambda: connect(**_READ_ANEW), use_schema)


def parsed(text: str, connection: duckdb.DuckDBPyConnection) -> duckdb.Statement:
    """Return a parsed statement, which is kept: no setting of a connection changes how it is parsed."""
    statement = _parsed.get(text)
    if statement is None:
        [statement] = connection.extract_statements(text)
        if len(_parsed) >= 256:
            _parsed.clear()
        _parsed[text] = statement
    return statement
