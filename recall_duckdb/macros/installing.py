"""Install the table macros in a database, and remove them."""

from __future__ import annotations

import re

import duckdb

from recall_duckdb.definitions import templates
from recall_duckdb.errors import EngineError, commas
from recall_duckdb.macros.names import FILE, LIST, SCHEMA


def macro_file() -> str:
    """Return the SQL that creates the table macros, for any client of DuckDB.

    Returns:
        The text of `sql/recall_duckdb.sql`: it creates the schema `recall_duckdb` and the macros in it.

    Example:
        >>> macro_file().splitlines()[0]
        '-- recall_duckdb: ranking metrics as table macros. Written by `python -m recall_duckdb.macros`.'
    """
    return (templates.sql_folder() / FILE).read_text("utf-8")


def install(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table macros in the schema `recall_duckdb` of the connection's current database.

    Macros of an earlier `install` are replaced. If anything fails, nothing is created.

    Args:
        connection: a DuckDB connection that may write to its current database.

    Raises:
        EngineError: the schema holds something of the same name that `install` has not created, or DuckDB cannot
            create macros.

    Example:
        >>> connection = duckdb.connect()
        >>> install(connection)
        >>> _ = connection.execute("CREATE TABLE run AS SELECT 'q1' AS query, 'a' AS item, 0.9 AS score")
        >>> _ = connection.execute("CREATE TABLE qrels AS SELECT 'q1' AS query, 'a' AS item, 1 AS relevance")
        >>> connection.execute("FROM recall_duckdb.recall_at_k('run', 'qrels', 5)").fetchall()
        [('recall', 5, 1.0, 1)]
    """
    held, ours = _held(connection), _ours(connection)
    created = set(re.findall(rf"CREATE OR REPLACE MACRO {SCHEMA}\.(\w+)\(", macro_file()))
    taken = sorted((held - ours) & created)
    if taken:
        raise EngineError(
            f"install: the schema {SCHEMA!r} holds {commas(taken)}, which install has not created. "
            "Rename these, or install into another database"
        )
    _at_once(connection, macro_file())


def uninstall(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove the schema `recall_duckdb` and its macros from the connection's current database, if they are there.

    Raises:
        EngineError: the schema holds something that `install` has not created, or DuckDB cannot remove it.

    Example:
        >>> connection = duckdb.connect()
        >>> install(connection)
        >>> uninstall(connection)
        >>> connection.execute("SELECT count(*) FROM duckdb_functions() WHERE schema_name = 'recall_duckdb'").fetchall()
        [(0,)]
    """
    held, ours = _held(connection), _ours(connection)
    others = sorted(held - ours)
    if others:
        raise EngineError(
            f"uninstall: the schema {SCHEMA!r} holds {commas(others)}, which install has not created. Drop these first"
        )
    if ours:
        _at_once(connection, f"DROP SCHEMA {SCHEMA} CASCADE")


def _held(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of everything in the schema."""
    rows = connection.execute(
        "SELECT function_name FROM duckdb_functions() WHERE schema_name = $1 AND database_name = current_database() "
        "UNION SELECT table_name FROM duckdb_tables() WHERE schema_name = $1 AND database_name = current_database() "
        "UNION SELECT view_name FROM duckdb_views() WHERE schema_name = $1 AND database_name = current_database()",
        [SCHEMA],
    ).fetchall()
    return {name for (name,) in rows}


def _ours(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of the macros that `install` has created."""
    if LIST not in _held(connection):
        return set()
    [(names,)] = connection.execute(f"SELECT {SCHEMA}.{LIST}()").fetchall()
    return set(names)


def _at_once(connection: duckdb.DuckDBPyConnection, statements: str) -> None:
    """Run statements, all or none of them."""
    try:
        connection.execute("BEGIN")
        is_ours = True
    except duckdb.TransactionException:  # the user has begun one
        is_ours = False
    try:
        connection.execute(statements)
    except duckdb.Error as error:
        if is_ours:
            connection.execute("ROLLBACK")
        raise EngineError(f"install: {error}") from error
    if is_ours:
        connection.execute("COMMIT")
