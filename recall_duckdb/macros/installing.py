"""Install the table macros in a database, and remove them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import duckdb
from sqlglot import exp

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

    Macros of an earlier `install` are replaced. If anything fails, nothing is created. Within a transaction, commit it
    yourself.

    Args:
        connection: a DuckDB connection that may write to its current database.

    Raises:
        EngineError: the schema holds something of the same name that `install` has not created, or DuckDB cannot
            create macros, for example because a database is named like the schema.

    Example:
        >>> connection = duckdb.connect()
        >>> install(connection)
        >>> _ = connection.execute("CREATE TABLE run AS SELECT 'q1' AS query, 'a' AS item, 0.9 AS score")
        >>> _ = connection.execute("CREATE TABLE qrels AS SELECT 'q1' AS query, 'a' AS item, 1 AS relevance")
        >>> connection.execute("FROM recall_duckdb.recall_at_k('run', 'qrels', 5)").fetchall()
        [('recall', 5, 1.0, 1)]
    """
    created = set(re.findall(rf"CREATE OR REPLACE MACRO {SCHEMA}\.(\w+)\(", macro_file()))
    with _explained("install"):
        held, ours = _held(connection), _ours(connection)
        taken = sorted((held - ours) & created)
        if taken:
            raise EngineError(
                f"install: the schema {SCHEMA!r} holds {commas(taken)}, which install has not created. "
                "Rename these, or install into another database"
            )
        # An earlier version may have created macros that this one does not have.
        _at_once(connection, [*map(_dropped, sorted(ours - created)), macro_file()])


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
    with _explained("uninstall"):
        held, ours = _held(connection), _ours(connection)
        others = sorted(held - ours)
        if others:
            raise EngineError(
                f"uninstall: the schema {SCHEMA!r} holds {commas(others)}, which install has not created. "
                "Drop these first"
            )
        if ours:
            _at_once(connection, [f"DROP SCHEMA {SCHEMA} CASCADE"])


def _held(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of everything in the schema."""
    databases = connection.execute("SELECT database_name FROM duckdb_databases()").fetchall()
    if (SCHEMA,) in databases:
        raise EngineError(
            f"a database is named {SCHEMA!r}, like the schema of the macros, so that DuckDB cannot tell them apart. "
            "Attach it under another name"
        )
    objects = (templates.sql_folder() / "table_macros" / "schema_objects.sql").read_text("utf-8")
    return {name for (name,) in connection.execute(objects, {"schema": SCHEMA}).fetchall()}


def _ours(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """Return the names of the macros that `install` has created."""
    if LIST not in _held(connection):
        return set()
    [(names,)] = connection.execute(f"SELECT {SCHEMA}.{LIST}()").fetchall()
    return set(names)


def _dropped(macro: str) -> str:
    return f"DROP MACRO TABLE IF EXISTS {SCHEMA}.{exp.to_identifier(macro, quoted=True).sql('duckdb')}"


def _at_once(connection: duckdb.DuckDBPyConnection, statements: Sequence[str]) -> None:
    """Run statements, all or none of them; within a transaction of the user, as part of it."""
    current = "SELECT txid_current()"
    if connection.execute(current).fetchall() == connection.execute(current).fetchall():
        for statement in statements:
            connection.execute(statement)
        return
    connection.execute("BEGIN")
    try:
        for statement in statements:
            connection.execute(statement)
        connection.execute("COMMIT")
    except duckdb.Error:
        _roll_back(connection)
        raise


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    with suppress(duckdb.TransactionException):  # a failed COMMIT has ended the transaction
        connection.execute("ROLLBACK")


@contextmanager
def _explained(command: str) -> Iterator[None]:
    """Raise DuckDB's errors as `EngineError`."""
    try:
        yield
    except duckdb.Error as error:
        raise EngineError(f"{command}: {error}") from error
