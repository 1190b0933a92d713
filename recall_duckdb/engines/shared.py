"""One database in memory for the results of small questions, because opening one takes longer than such a question."""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from itertools import count
from weakref import finalize

import duckdb

from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import schema_creation, schema_removal, schema_use

# By process, because a database may not be used after a fork.
_databases: dict[int, duckdb.DuckDBPyConnection] = {}
_numbers = count(1)

# The schemas of connections that are gone, which the next connection removes. A finalizer must not: it may run in any
# thread, and while the database runs a statement.
_left: deque[tuple[int, str]] = deque()


def connect_to_shared() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database, with a schema of its own for what a user makes of its relations."""
    process = os.getpid()
    database = _databases.get(process)
    if database is None:
        database = _databases.setdefault(process, connect())
    connection, schema = database.cursor(), None
    while _left:
        with suppress(IndexError, duckdb.Error):  # another thread took the last, or DuckDB cannot remove it
            made_by, name = _left.popleft()
            if made_by == process:
                connection.execute(schema_removal(name))
                schema = name
    schema = schema or f"recall_duckdb_{next(_numbers)}"
    connection.execute(schema_creation(schema))
    connection.execute(schema_use(schema))
    finalize(connection, _left.append, (process, schema)).atexit = False
    return connection
