"""Runs statements in a Spark session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary, finalize

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import render
from recall_duckdb.engines.base import Columns, Composed, tree_of
from recall_duckdb.engines.dbapi import Warehouse, duckdb_type
from recall_duckdb.errors import EngineError, first_line

# Stored views to remove, with their data frames, by session. As in DuckDB, the next evaluation removes them.
_leftovers: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


class Spark(Warehouse):
    """A SparkSession. Data frames and parquet files are read as temporary views, as is what is stored."""

    def __init__(self, connection: Any, dialect: str) -> None:
        super().__init__(connection, dialect)
        self._views: list[str] = []
        self._stored: dict[str, Any] = {}
        self._kept_frames: dict[str, Any] = {}
        self._left = _leftovers.setdefault(connection, {})
        self._sweep()

    def _text(self, statement: exp.Query) -> str:
        return super()._text(_without_own_names(statement))

    def _ask(self, text: str) -> tuple[list[str], list[Sequence[Any]]]:
        frame = self.connection.sql(text)
        return list(frame.columns), list(frame.collect())

    def describe(self, relation: exp.Expr) -> Columns:
        """Return the columns of a relation and their types, without reading its rows."""
        frame = self.connection.sql(render(exp.select("*").from_(relation.copy()), self.dialect))
        return {field.name: duckdb_type(field.dataType) for field in frame.schema.fields}

    def bind(self, value: object, role: str) -> exp.Table:
        """Register a data frame or parquet files, and return the name that statements can read."""
        if isinstance(value, list):
            value = self.connection.read.parquet(*value)
        if not hasattr(value, "createOrReplaceTempView"):
            return super().bind(value, role)
        name = f"recall_duckdb_{uuid4().hex}"
        value.createOrReplaceTempView(name)
        self._views.append(name)
        return exp.Table(this=trees.identifier(name))

    def _run(self, text: str) -> None:
        self.connection.sql(text)

    def store(self, statement: exp.Query | Composed) -> exp.Table:
        """Store the rows of a statement in Spark as a temporary view until `release`, unless it is kept."""
        name = f"recall_duckdb_{uuid4().hex}"
        try:
            frame = self.connection.sql(render(_without_own_names(tree_of(statement)), self.dialect)).persist()
        except Exception as error:
            raise EngineError(f"{self.name} could not run a statement: {first_line(error)}") from error
        frame.createOrReplaceTempView(name)
        self._stored[name] = frame
        return exp.Table(this=trees.identifier(name))

    def keep(self, table: exp.Table, owner: object) -> finalize[..., Any]:
        """Keep a stored view until its owner is collected, or for good if the returned finalizer is detached."""
        frame = self._kept_frames[table.name] = self._stored.pop(table.name)
        finalizer = finalize(owner, self._left.__setitem__, table.name, frame)
        finalizer.atexit = False
        return finalizer

    def drop(self, table: exp.Table) -> None:
        """Remove a stored view. If the session refuses, the next evaluation there removes it."""
        self._left[table.name] = self._stored.pop(table.name, None) or self._kept_frames.pop(table.name, None)
        self._sweep()

    def release(self) -> None:
        """Remove the data frames and files, and every stored view that was not kept."""
        self._left.update(dict.fromkeys(self._views), **self._stored)
        self._views, self._stored = [], {}
        self._sweep()

    def _sweep(self) -> None:
        """Remove what is left over, unless the session is stopped: that must not hide the error of an evaluation."""
        for name, frame in list(self._left.items()):
            try:
                if frame is not None:
                    frame.unpersist()
                self.connection.catalog.dropTempView(name)
            except Exception:  # whatever py4j raises
                continue
            self._left.pop(name, None)


def _without_own_names(statement: exp.Query) -> exp.Query:
    """Return the statement with `query AS query` as `query`, which Spark takes for another column, and shuffles again.

    Without these names, a statement with several windows takes two thirds of the time.
    """
    statement = statement.copy()
    for alias in list(statement.find_all(exp.Alias)):
        column, name = alias.this, alias.args["alias"]
        if isinstance(column, exp.Column) and column.this == name and not (column.table or name.args.get("quoted")):
            alias.replace(column)
    return statement
