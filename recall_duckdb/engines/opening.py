"""Opens a session over whatever connection a user has."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import iscoroutinefunction
from types import ModuleType
from typing import Any

import duckdb

from recall_duckdb.dialects import DIALECTS, find_dialect, spoken_through
from recall_duckdb.engines.base import Session
from recall_duckdb.engines.dbapi import Warehouse
from recall_duckdb.engines.duckdb import DuckDB
from recall_duckdb.engines.spark import Spark
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, commas


def open_session(
    connection: Any = None, dialect: str | None = None, sources: Sequence[object] = (), *, only_written: bool = False
) -> Session:
    """Return a session over the user's connection, or over a new in-memory DuckDB.

    Args:
        connection: a DuckDB connection, a DB-API 2.0 connection or a SparkSession.
        dialect: whose SQL it takes; by default the one of the connection's driver.
        sources: what is to be read, among which relations of DuckDB say whose connection that is.
        only_written: statements are for another place and are not run.

    Raises:
        ArgumentTypeError: the connection is of no such kind.
        ArgumentError: the dialect is unknown, or is not the connection's.
        UnknownNameError: there is no such dialect.
    """
    if dialect is not None:
        find_dialect(dialect)
    if connection is None or isinstance(connection, duckdb.DuckDBPyConnection):
        if dialect not in (None, "duckdb") and not only_written:
            there = "there is no connection=" if connection is None else "connection= is DuckDB's"
            fix = "Pass a connection to that engine, or call sql() for the statement"
            raise ArgumentError(f"{there}, so {dialect!r} cannot run", argument="dialect", fix=fix)
        return DuckDB(connection, sources, dialect or "duckdb")
    spoken = spoken_through(type(connection).__module__)
    target = dialect or next(iter(spoken), None)
    if target == "duckdb":
        raise ArgumentError("'duckdb' needs a DuckDB connection, as duckdb.connect() returns", argument="dialect")
    kind = f"{type(connection).__module__}.{type(connection).__qualname__}".removeprefix("builtins.")
    if spoken and target not in spoken:
        fix = f"Leave dialect= out, or pass {commas(spoken)}"
        raise ArgumentError(f"a {kind} does not run {target!r}", argument="dialect", fix=fix)
    if kind.startswith("pyspark.sql.") and hasattr(connection, "createDataFrame"):
        return Spark(connection, target or "spark")
    is_asynchronous = iscoroutinefunction(getattr(connection, "commit", None))
    if not callable(getattr(connection, "cursor", None)) or isinstance(connection, ModuleType) or is_asynchronous:
        hint = "; of a SQLAlchemy engine, pass raw_connection()" if hasattr(connection, "raw_connection") else ""
        hint = ": it is asynchronous, and one of its driver's that is not would do" if is_asynchronous else hint
        told = "a DuckDB connection, a DB-API 2.0 connection or a SparkSession is expected, not"
        raise ArgumentTypeError(f"{told} {kind}{hint}", argument="connection")
    if target is None:
        fix = f"Pass dialect=, one of {commas(DIALECTS)}"
        raise ArgumentError(f"the SQL dialect of a {kind} is unknown", argument="dialect", fix=fix)
    return Warehouse(connection, target)
