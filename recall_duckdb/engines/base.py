"""What statements run on: the interface of all engines."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Protocol, TypeVar
from weakref import finalize

import duckdb
from sqlglot import exp

# DuckDB's type by column name; `.id` is its kind ('bigint', 'varchar', 'list', …), its text the whole type.
Columns = Mapping[str, Any]

S = TypeVar("S", bound="Session")


class Composed(Protocol):
    """A statement that is composed when a session needs it."""

    def tree(self) -> exp.Query:
        """Compose the statement."""

    def text(self) -> tuple[str, list[str]] | None:
        """Return the text for DuckDB and its parameters if they are kept, or None."""


def tree_of(statement: exp.Query | Composed) -> exp.Query:
    """Return the tree of a statement."""
    return statement if isinstance(statement, exp.Query) else statement.tree()


class Session(ABC):
    """Where statements run, and the names that one evaluation binds there; `with` releases these.

    Attributes:
        dialect: whose SQL runs there.
        target: whose SQL is written; another one only where a statement is printed, not run.
        name: what a message calls it.
        stays: whether objects created on the connection outlive the evaluation.
    """

    dialect: str
    target: str
    name: str
    stays = True

    def __enter__(self: S) -> S:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @abstractmethod
    def rows(self, statement: exp.Query | Composed) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; raises `EngineError` with the engine's message if it fails."""

    def dicts(self, statement: exp.Query | Composed) -> list[dict[str, Any]]:
        """Return the rows of a statement by column name; raises `EngineError` as `rows` does."""
        tree = tree_of(statement)
        return [dict(zip(tree.named_selects, row, strict=True)) for row in self.rows(tree)]

    def rows_and_types(self, statement: exp.Query | Composed) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Return the rows of a statement and DuckDB's types of its columns; raises `EngineError` as `rows` does."""
        relation = self.relation(tree_of(statement))
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        return [dict(zip(types, row, strict=True)) for row in relation.fetchall()], types

    @abstractmethod
    def relation(self, statement: exp.Query) -> duckdb.DuckDBPyRelation:
        """Return a statement's rows as a relation of DuckDB."""

    @abstractmethod
    def describe(self, relation: exp.Expr) -> Columns:
        """Return the columns of a relation and their types."""

    @abstractmethod
    def bind(self, value: object, role: str) -> exp.Table:
        """Register a Python object without copying its data, and return the name that statements can read."""

    @abstractmethod
    def create(self, table: exp.Table, statement: exp.Query) -> None:
        """Write the rows of a statement to a new table of that name, which stays."""

    def store(self, statement: exp.Query | Composed) -> exp.Table | None:  # noqa: B027  only what stores tables
        """Store the rows of a statement until `release`, unless they are kept; returns None if it cannot write."""

    def keep(self, table: exp.Table, owner: object) -> finalize[..., Any] | None:  # noqa: B027
        """Keep a stored table after `release`, at least until `drop` or until its owner is collected.

        Returns a finalizer if a collected owner means that the table goes; detach it to keep the table.
        """

    def values(self, statement: exp.Query | Composed) -> duckdb.DuckDBPyRelation:
        """Return the rows of a statement as a relation that needs no stored table."""
        return self.relation(tree_of(statement))

    def drop(self, table: exp.Table) -> None:  # noqa: B027  only what stores tables
        """Remove a stored table. If the connection refuses, the next evaluation there removes it."""

    def check_fetched(self) -> None:  # noqa: B027  only DuckDB tells
        """Raise `ArgumentError` if rows of the last statement are unfetched, as far as the engine reports it."""

    def release(self) -> None:  # noqa: B027  only what binds or stores something
        """Remove the inputs that were Python objects, and every stored table that was not kept."""

    @abstractmethod
    def write(self, statement: exp.Query, path: str, file_format: str) -> None:
        """Write the rows of a statement to a file, as parquet, csv or json."""


def creation(table: exp.Table, statement: exp.Query, *, kind: str = "TABLE", temporary: bool = False) -> exp.Create:
    """Return the statement that creates a table or view from a SELECT, without ORDER BY, which some engines refuse."""
    statement.set("order", None)
    properties = exp.Properties(expressions=[exp.TemporaryProperty()]) if temporary else None
    return exp.Create(this=table, kind=kind, expression=statement, properties=properties)
