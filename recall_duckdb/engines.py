"""Runs statements: where they run, what was bound there for one evaluation, and what that left behind."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import Any
from uuid import uuid4

import duckdb
import sqlglot.dialects.duckdb  # noqa: F401  which the first statement would otherwise load
from sqlglot import exp, parse_one

from recall_duckdb import trees
from recall_duckdb.dialects import executable
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    EngineError,
    RecallError,
    malformed_line,
)

# DuckDB's type by column name; `.id` is its kind ('bigint', 'varchar', 'list', …), its text the whole type.
Columns = Mapping[str, Any]


# A relation of DuckDB 1 does not keep its connection open, as one of DuckDB 2 does: `evaluate(…).means.filter(…)` would
# find it closed. So the connections of the last evaluations stay open until later ones take their place.
_recent: deque[duckdb.DuckDBPyConnection] = deque(maxlen=16)


class Session(ABC):
    """Where statements run, and the names that one evaluation binds there.

    Attributes:
        dialect: whose SQL runs there.
        target: whose SQL is written; another one only where a statement is printed, not run.
        name: what a message calls it.
        stays: whether what is made there is there afterwards, for whoever gave the connection.
    """

    dialect: str
    target: str
    name: str
    stays = True

    @abstractmethod
    def rows(self, statement: exp.Query) -> list[tuple[Any, ...]]:
        """The rows of a statement; raises `EngineError` with the engine's message where it does not run."""

    def dicts(self, statement: exp.Query) -> list[dict[str, Any]]:
        """The rows of a statement by column name; raises `EngineError` as `rows` does."""
        names = statement.named_selects
        return [dict(zip(names, row, strict=True)) for row in self.rows(statement)]

    @abstractmethod
    def relation(self, statement: exp.Query) -> duckdb.DuckDBPyRelation:
        """A statement's rows as a relation of DuckDB."""

    @abstractmethod
    def describe(self, relation: exp.Expr) -> Columns:
        """The columns of a relation and their types."""

    @abstractmethod
    def bind(self, value: object, role: str) -> exp.Table:
        """A Python object under a name that a statement can read, without a copy of its data."""

    @abstractmethod
    def create(self, table: exp.Table, statement: exp.Query) -> None:
        """Write the rows of a statement to a new table of that name, which stays."""

    @abstractmethod
    def store(self, statement: exp.Query) -> exp.Table | None:
        """The rows of a statement under a name that outlives `release`; None where nothing may be written."""

    @abstractmethod
    def drop(self, table: exp.Table) -> None:
        """Remove what was stored."""

    @contextmanager
    def undoing(self, table: exp.Table | None) -> Iterator[None]:
        """Remove what was stored if what is done with it fails, without a word that would hide why."""
        try:
            yield
        except BaseException:
            if table is not None:
                with suppress(
                    EngineError
                ):  # a transaction that has failed takes nothing more, and takes it back itself
                    self.drop(table)
            raise

    @abstractmethod
    def release(self) -> None:
        """Unbind the inputs that were Python objects."""

    @abstractmethod
    def write(self, statement: exp.Query, path: str, form: str) -> None:
        """Write the rows of a statement to a file, as parquet, csv or json."""


def creation(table: exp.Table, statement: exp.Query, *, kind: str = "TABLE", temporary: bool = False) -> exp.Create:
    """The statement that makes a table or view of the rows of another, whose order goes: some engines refuse it."""
    statement.set("order", None)
    properties = exp.Properties(expressions=[exp.TemporaryProperty()]) if temporary else None
    return exp.Create(this=table, kind=kind, expression=statement, properties=properties)


class DuckDB(Session):
    """A connection to DuckDB.

    Inputs that are Python objects are bound as temporary views or tables until `release`; nothing else is written to
    the connection but the temporary table of per-query values that a result reads from.
    """

    dialect, name = "duckdb", "DuckDB"

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        sources: Sequence[object] = (),
        target: str = "duckdb",
    ) -> None:
        self.given = connection is not None
        self.target = target
        if connection is None and any(isinstance(source, duckdb.DuckDBPyRelation) for source in sources):
            connection = duckdb.default_connection()  # where duckdb.sql(…) puts its relations
        self._given = connection
        self.stays = connection is not None
        self._views: list[str] = []
        self._tables: list[str] = []
        if connection is not None:
            self._check_collation()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection given, or one in memory, made when it is first needed."""
        if self._given is not None:
            return self._given
        # Spilled data of a connection in memory would otherwise land in the working directory.
        own = duckdb.connect(config={"temp_directory": tempfile.gettempdir()})
        if int(duckdb.__version__.split(".")[0]) < 2:
            _recent.append(own)
        return own

    @cached_property
    def resources(self) -> tuple[int, int]:
        """How many bytes of memory its statements may take, and how many threads."""
        settings = [exp.func("current_setting", trees.literal(name)) for name in ("memory_limit", "threads")]
        [(memory, threads)] = self.rows(exp.select(*settings))
        number, unit = str(memory).split()
        return int(float(number) * 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"].index(unit)), int(threads)

    def _check_collation(self) -> None:
        [(collation,)] = self.rows(exp.select(exp.func("current_setting", trees.literal("default_collation"))))
        if collation and str(collation).casefold() != "binary":
            raise ArgumentError(
                f"connection: its default_collation is {collation!r}, under which different ids are equal: "
                "run SET default_collation = '' first"
            )

    def execute(self, statement: exp.Expr, parameters: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        """Run a statement, which is spent; raises `EngineError` with DuckDB's message where it does not run."""
        try:
            return self.connection.execute(executable(statement, copy=False), list(parameters))
        except (duckdb.Error, RuntimeError, UnicodeError) as error:
            raise _failed("run a statement", error) from error

    def rows(self, statement: exp.Query) -> list[tuple[Any, ...]]:
        """The rows of a statement; raises `EngineError` as `execute` does."""
        cursor = self.execute(statement)
        try:  # some errors show only now, such as a package that a value needs in Python
            return cursor.fetchall()
        except (duckdb.Error, ImportError, ValueError, OverflowError) as error:
            if hasattr(self.connection, "abort"):  # DuckDB 2 would take the rest of the rows for yet to come
                self.connection.abort()
            raise _failed("give the rows of a statement", error) from error

    def relation(self, statement: exp.Query) -> duckdb.DuckDBPyRelation:
        """A statement as a relation, which runs when it is read."""
        return self.connection.sql(executable(statement))

    def describe(self, relation: exp.Expr) -> Columns:
        """The columns of a relation and their types, without reading its rows; raises `duckdb.Error`."""
        empty = self.connection.sql(executable(exp.select("*").from_(relation).limit(0)))
        return dict(zip(empty.columns, empty.types, strict=True))

    def table(self, name: str) -> exp.Table | None:
        """The table or view of that name, bare or qualified, or None where the connection holds none.

        It comes qualified in full, since a relation of the pipeline may have the same name.
        """
        if self._given is None:
            return None  # nothing is in one that is new
        meanings = [[name]] if "." not in name else [[name], name.split(".")][: 2 if name.count(".") <= 2 else 1]
        entries = [_catalog_entry(kind, parts) for parts in meanings for kind in ("table", "view")]
        found = self.rows(trees.union_all(entries))
        if not found:
            return None
        # First the name as a whole, then what DuckDB would take it for: temporary, of the current database and schema.
        first = max(found, key=lambda row: tuple(row[3:]))
        keys = ("catalog", "db", "this")
        return exp.Table(**{key: trees.identifier(part) for key, part in zip(keys, first[:3], strict=True)})

    def bind(self, value: object, role: str) -> exp.Table:
        """A frame or relation under a name that a statement can read, without a copy of its data."""
        name = f"recall_duckdb input {role}"  # no name that a user's own relation has
        try:
            self.connection.register(name, value)
        except Exception as error:  # DuckDB asks the object for its data, which may raise anything
            raise ArgumentTypeError(_not_readable(role, value, error)) from error
        self._views.append(name)
        return exp.Table(this=trees.identifier(name))

    def load(self, columns: Mapping[str, Sequence[object]], role: str) -> exp.Table:
        """Python lists, one a column, as a temporary table."""
        name = f"recall_duckdb input {role}"
        table = exp.Table(this=trees.identifier(name))
        projections = [
            exp.alias_(exp.func("unnest", exp.Placeholder(this=str(number))), trees.identifier(column))
            for number, column in enumerate(columns, start=1)
        ]
        try:
            self.execute(creation(table, exp.select(*projections), temporary=True), list(columns.values()))
        except EngineError as error:
            raise ArgumentTypeError(f"{role}: DuckDB cannot take these values: {error.__cause__}") from error
        self._tables.append(name)
        return table

    def create(self, table: exp.Table, statement: exp.Query) -> None:
        """Write the rows of a statement to a new table of that name, which stays."""
        self.execute(creation(table, statement))

    def store(self, statement: exp.Query) -> exp.Table:
        """The rows of a statement as a temporary table that outlives `release`."""
        table = exp.Table(this=trees.identifier(f"recall_duckdb_{uuid4().hex}"))
        self.execute(creation(table, statement, temporary=True))
        return table

    def append(self, table: exp.Table, statement: exp.Query) -> None:
        """Add the rows of a statement to a temporary table that was stored."""
        self.execute(exp.Insert(this=table.copy(), expression=statement))

    def write(self, statement: exp.Query, path: str, form: str) -> None:
        """Write the rows of a statement to a file, as parquet, csv or json."""
        options = [exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var(form.upper()))]
        files = [trees.literal(path)]
        self.execute(exp.Copy(this=statement.subquery(), kind=False, files=files, params=options))

    def drop(self, table: exp.Table) -> None:
        """Remove a temporary table that was stored."""
        statement = parse_one("DROP TABLE IF EXISTS stored", read="duckdb")
        for stored in list(statement.find_all(exp.Table)):
            stored.replace(table.copy())
        self.execute(statement)

    def release(self) -> None:
        """Unbind the inputs that were Python objects."""
        for name in self._views:
            self.connection.unregister(name)
        for name in self._tables:
            self.drop(exp.Table(this=trees.identifier(name)))
        self._views, self._tables = [], []


def _catalog_entry(kind: str, parts: Sequence[str]) -> exp.Select:
    """The tables or views that a name can mean: their full names, and whether they are temporary and where we are."""
    columns = [trees.column(name) for name in ("database_name", "schema_name", f"{kind}_name")]
    wanted = [
        exp.EQ(this=exp.Lower(this=column.copy()), expression=exp.Lower(this=trees.literal(part)))
        for column, part in zip(
            reversed(columns), reversed(parts), strict=False
        )  # a bare name says nothing of its schema
    ]
    current = [
        exp.EQ(this=column.copy(), expression=exp.func(f"current_{part}"))
        for column, part in zip(columns[:2], ("database", "schema"), strict=True)
    ]
    kinds = [trees.literal(len(parts) == 1), trees.column("temporary"), *current]
    condition = exp.and_(*wanted, copy=False)
    return exp.select(*columns, *kinds, copy=False).from_(exp.func(f"duckdb_{kind}s")).where(condition, copy=False)


def _failed(what: str, error: Exception) -> RecallError:
    line = malformed_line(error)
    if line is not None:
        return DataError(line)
    if not isinstance(error, duckdb.OutOfMemoryException):
        return EngineError(f"DuckDB could not {what}: {error}")
    first, _, _ = str(error).partition("\n")
    return EngineError(
        "DuckDB ran out of memory: raise its memory_limit (--memory-limit), let it take fewer threads (--threads), or "
        f"ask for cutoffs where whole lists are not needed ({first})"
    )


def _not_readable(role: str, value: object, error: Exception) -> str:
    if isinstance(value, duckdb.DuckDBPyRelation):
        return f"{role}: the relation is of another connection: pass that one as connection= ({error})"
    return (
        f"{role}: a {type(value).__name__} cannot be read; pass a path, a table name with connection=, a DuckDB "
        f"relation, a pandas, polars or pyarrow table, or a dict of columns ({error})"
    )
