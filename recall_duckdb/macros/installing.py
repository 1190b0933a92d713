"""Install the table macros in a database, and remove them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import duckdb

from recall_duckdb.definitions import templates
from recall_duckdb.errors import ArgumentTypeError, EngineError, commas, quote

FILE = "recall_duckdb.sql"
SCHEMA = "recall_duckdb"
CREATE_SCHEMA = f"CREATE SCHEMA IF NOT EXISTS {SCHEMA};"
LIST = "recall_duckdb_macros"
"""The macro that lists our macros, by which `install` knows what it created."""


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
    yourself. In a database that is called `recall_duckdb` itself, they are created in its schema `main`, so that calls
    are the same.

    Args:
        connection: a DuckDB connection that may write to its current database.

    Raises:
        ArgumentTypeError: the connection is not one of DuckDB.
        EngineError: the schema holds something of the same name that `install` has not created, or DuckDB cannot
            create macros, for example because an attached database is named like the schema.

    Example:
        >>> connection = duckdb.connect()
        >>> install(connection)
        >>> _ = connection.execute("CREATE TABLE run AS SELECT 'q1' AS query, 'a' AS item, 0.9 AS score")
        >>> _ = connection.execute("CREATE TABLE qrels AS SELECT 'q1' AS query, 'a' AS item, 1 AS relevance")
        >>> connection.execute("FROM recall_duckdb.recall_at_k('run', 'qrels', 5)").fetchall()
        [('recall', 5, 1.0, 1)]
    """
    created = set(re.findall(rf"CREATE OR REPLACE MACRO {SCHEMA}\.(\w+)\(", macro_file()))
    with _explain_errors("install", connection):
        schema = _schema(connection)
        names, ours = _names_in(connection, schema), _ours(connection, schema)
        taken = sorted((names - ours) & created)
        if taken:
            raise EngineError(
                f"the schema {schema!r} holds {commas(taken)}, which install has not created",
                argument="install",
                fix="Rename these, or install into another database",
            )
        text = macro_file()
        if schema != SCHEMA:
            text = text.partition(CREATE_SCHEMA)[2]
        # An earlier version may have created macros that this one does not have.
        _at_once(connection, [*_drop_statements(sorted(ours - created)), text])


def uninstall(connection: duckdb.DuckDBPyConnection) -> None:
    """Remove the schema `recall_duckdb` and its macros from the connection's current database, if they are there.

    In a database that is called `recall_duckdb` itself, the macros are removed from its schema `main`.

    Raises:
        ArgumentTypeError: the connection is not one of DuckDB.
        EngineError: the schema holds something that `install` has not created, or DuckDB cannot remove it.

    Example:
        >>> connection = duckdb.connect()
        >>> install(connection)
        >>> uninstall(connection)
        >>> connection.execute("SELECT count(*) FROM duckdb_functions() WHERE schema_name = 'recall_duckdb'").fetchall()
        [(0,)]
    """
    with _explain_errors("uninstall", connection):
        schema = _schema(connection)
        names, ours = _names_in(connection, schema), _ours(connection, schema)
        others = sorted(names - ours)
        if schema != SCHEMA:
            _at_once(connection, _drop_statements(sorted(ours)))
        elif others:
            raise EngineError(
                f"the schema {SCHEMA!r} holds {commas(others)}, which install has not created",
                argument="uninstall",
                fix="Drop these first",
            )
        elif ours:
            _at_once(connection, [f"DROP SCHEMA {SCHEMA} CASCADE"])


def _schema(connection: duckdb.DuckDBPyConnection) -> str:
    """Return the schema of the macros: `main` in a database that is called like their schema."""
    names = "SELECT lower(database_name), database_name = current_database() FROM duckdb_databases()"
    databases = dict(connection.execute(names).fetchall())
    if databases.get(SCHEMA) is False:
        raise EngineError(
            f"a database is named {SCHEMA!r}, like the schema of the macros, so that DuckDB cannot tell them apart",
            fix="Attach it under another name",
        )
    return "main" if databases.get(SCHEMA) else SCHEMA


def _names_in(connection: duckdb.DuckDBPyConnection, schema: str) -> set[str]:
    found: set[str] = set()
    for kind in ("function", "table", "view", "type", "sequence"):
        listed = connection.table_function(f"duckdb_{kind}s").filter("database_name = current_database()")
        found |= {name for of, name in listed.project(f"schema_name, {kind}_name").fetchall() if of == schema}
    return found


def _ours(connection: duckdb.DuckDBPyConnection, schema: str) -> set[str]:
    """Return the names of the macros that `install` has created."""
    if LIST not in _names_in(connection, schema):
        return set()
    [(names,)] = connection.execute(f"SELECT {SCHEMA}.{LIST}()").fetchall()
    return set(names)


def _drop_statements(names: Sequence[str]) -> list[str]:
    return [f'DROP {kind} IF EXISTS {SCHEMA}."{name}"' for name in names for kind in ("MACRO", "MACRO TABLE")]


def _at_once(connection: duckdb.DuckDBPyConnection, statements: Sequence[str]) -> None:
    """Run statements, all or none of them; within a transaction of the user, as part of it."""
    current = "SELECT txid_current()"
    is_within = connection.execute(current).fetchall() == connection.execute(current).fetchall()
    transaction = statements if is_within else ["BEGIN", *statements, "COMMIT"]
    try:
        for statement in transaction:
            connection.execute(statement)
    except duckdb.Error:
        if not is_within:
            with suppress(duckdb.TransactionException):  # a failed COMMIT has ended the transaction
                connection.execute("ROLLBACK")
        raise


@contextmanager
def _explain_errors(command: str, connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Raise DuckDB's errors as `EngineError`."""
    if not isinstance(connection, duckdb.DuckDBPyConnection):
        raise ArgumentTypeError(
            f"a DuckDB connection is expected, as duckdb.connect() returns, not {quote(connection)}", argument=command
        )
    try:
        yield
    except duckdb.Error as error:
        raise EngineError(str(error), argument=command) from error
