"""Two databases in memory for small questions, because opening one takes longer than such a question.

One answers them, and runs no statement of a user. The other has the relations of their results.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from functools import lru_cache
from itertools import count
from weakref import finalize

import duckdb

from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import about_schema

# By process, because a database may not be used after a fork.
_databases: dict[int, duckdb.DuckDBPyConnection] = {}
_internal_databases: dict[int, duckdb.DuckDBPyConnection] = {}
_numbers = count(1)

# The schemas of connections that are gone, which the next connection removes. A finalizer must not: it may run in any
# thread, and while the database runs a statement.
_left: deque[tuple[int, str]] = deque()


# These take 2 ms a statement, and find nothing that shortens it.
_IDLE_OPTIMIZERS = "join_order,expression_rewriter,common_subexpressions,statistics_propagation"


def connect_to_internal() -> duckdb.DuckDBPyConnection:
    """Return a connection to the database that answers small questions; it reads every file anew, and writes none.

    One thread is enough for few rows, and none is lost in a fork.
    """
    process = os.getpid()
    database = _internal_databases.get(process)
    if database is None:
        config: dict[str, str | int | float | list[str]] = {
            "threads": 1,
            "temp_directory": "",
            "enable_external_file_cache": False,
            "disabled_optimizers": _IDLE_OPTIMIZERS,
        }
        database = _internal_databases.setdefault(process, duckdb.connect(config=config))
    return database.cursor()


@lru_cache(maxsize=128)
def parsed(text: str) -> duckdb.Statement:
    """Return a statement that is parsed, which any connection can run.

    Settings of the user's connection do not change how it is parsed. Parsing takes a quarter of the time of a small
    comparison.
    """
    with connect_to_internal() as connection:
        [statement] = connection.extract_statements(text)
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
    connection.execute(about_schema("CREATE SCHEMA stored", schema))
    connection.execute(about_schema("USE stored", schema))
    finalize(connection, _left.append, (process, schema)).atexit = False
    return connection
