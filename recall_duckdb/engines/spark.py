"""Runs statements in a Spark session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import uuid4

from sqlglot import exp

from recall_duckdb import trees
from recall_duckdb.dialects import render
from recall_duckdb.engines.base import Columns
from recall_duckdb.engines.dbapi import Warehouse, duckdb_type
from recall_duckdb.errors import EngineError, first_line


class Spark(Warehouse):
    """A SparkSession. Data frames and parquet files are read as temporary views, as is what is stored."""

    def __init__(self, connection: Any, dialect: str) -> None:
        super().__init__(connection, dialect)
        self._views: list[str] = []
        self._stored: dict[str, Any] = {}
        self._kept: set[str] = set()

    def _ask(self, text: str) -> tuple[list[str], list[Sequence[Any]]]:
        frame = self.connection.sql(text)
        return list(frame.columns), list(frame.collect())

    def describe(self, relation: exp.Expr) -> Columns:
        """The columns of a relation and their types, without reading its rows."""
        frame = self.connection.sql(render(exp.select("*").from_(relation.copy()), self.dialect))
        return {field.name: duckdb_type(field.dataType) for field in frame.schema.fields}

    def bind(self, value: object, role: str) -> exp.Table:
        """A data frame, or parquet files by their paths, under a name that a statement can read."""
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

    def store(self, statement: exp.Query) -> exp.Table:
        """Store the rows of a statement in Spark as a temporary view until `release`, unless it is kept."""
        name = f"recall_duckdb_{uuid4().hex}"
        try:
            frame = self.connection.sql(render(statement, self.dialect)).persist()
        except Exception as error:
            raise EngineError(f"{self.name} could not run a statement: {first_line(error)}") from error
        frame.createOrReplaceTempView(name)
        self._stored[name] = frame
        return exp.Table(this=trees.identifier(name))

    def keep(self, table: exp.Table, owner: object) -> None:  # noqa: ARG002
        """Keep a stored view until `drop`."""
        self._kept.add(table.name)

    def drop(self, table: exp.Table) -> None:
        """Remove a stored view."""
        frame = self._stored.pop(table.name, None)
        if frame is not None:
            frame.unpersist()
            self.connection.catalog.dropTempView(table.name)

    def release(self) -> None:
        """Remove the data frames and files, and every stored view that was not kept."""
        for name in self._views:
            self.connection.catalog.dropTempView(name)
        self._views = []
        for name in self._stored.keys() - self._kept:
            self.drop(exp.Table(this=trees.identifier(name)))
