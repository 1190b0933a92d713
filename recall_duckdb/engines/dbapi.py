"""Runs statements over any DB-API 2.0 connection."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import render
from recall_duckdb.engines.base import Columns, Composed, Session, creation, tree_of
from recall_duckdb.engines.duckdb import DuckDB
from recall_duckdb.errors import ArgumentTypeError, EngineError, first_line, kind_of

# DuckDB's type for each Python type that drivers return.
_TYPES: list[tuple[tuple[type, ...], str]] = [
    ((bool,), "BOOLEAN"),
    ((int,), "BIGINT"),
    ((float,), "DOUBLE"),
    ((Decimal,), "DECIMAL(38, 10)"),
    ((str,), "VARCHAR"),
    ((datetime.datetime,), "TIMESTAMP"),
    ((datetime.date,), "DATE"),
    ((UUID,), "UUID"),
    ((bytes, bytearray, memoryview), "BLOB"),
    ((dict,), "MAP(VARCHAR, DOUBLE)"),
    ((list, tuple), "VARCHAR[]"),
]


class _Types(Mapping[str, Any]):
    """The columns of a table, each with its type, which is looked up when it is first asked for."""

    def __init__(self, names: Sequence[str], look_up: Callable[[str], Any]) -> None:
        self._names, self._look_up = names, look_up
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(name)
        if name not in self._known:
            self._known[name] = self._look_up(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Warehouse(Session):
    """A DB-API 2.0 connection. Only `create` writes to it: a user may have read permission only.

    What it was asked once it is not asked again: the answers of an evaluation are of one time. Transactions are the
    user's: none is begun, committed or rolled back here.
    """

    def __init__(self, connection: Any, dialect: str) -> None:
        self.connection, self.dialect, self.target, self.name = connection, dialect, dialect, dialect
        self._answers: dict[str, list[Iterable[Any]]] = {}

    def rows(self, statement: exp.Query | Composed) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; raises `EngineError` with the engine's message where it does not run."""
        return [tuple(map(_plain, row)) for row in self._answer(self._text(tree_of(statement)))]

    def _text(self, statement: exp.Query) -> str:
        return render(_with_plain_names(statement), self.dialect, copy=False)

    def _answer(self, text: str) -> list[Iterable[Any]]:
        if text not in self._answers:
            self._answers[text] = self._fetch(text)
        return self._answers[text]

    def _fetch(self, text: str) -> list[Iterable[Any]]:
        """Return the rows of a statement with values as the driver returns them."""
        try:
            _, rows = self._ask(text)
        except Exception as error:  # each driver has its own errors
            raise EngineError(f"{self.name} could not run a statement: {first_line(error)}") from error
        # A row is a dict if the user configured the connection so.
        return [row.values() if isinstance(row, Mapping) else row for row in rows]

    def _ask(self, text: str) -> tuple[list[str], list[Sequence[Any]]]:
        """Return the columns and rows of a statement; raises the driver's own errors."""
        with closing(self.connection.cursor()) as cursor:
            cursor.execute(text)
            return [str(column[0]) for column in cursor.description], list(cursor.fetchall())

    def describe(self, relation: exp.Expr) -> Columns:
        """Return the columns of a table; the type of each is that of one of its values.

        Raises whatever the driver does where the table is not there, or not to be read.
        """
        never = exp.EQ(this=trees.literal(1), expression=trees.literal(0))
        names, _ = self._ask(render(exp.select("*").from_(relation.copy()).where(never), self.dialect))
        return _Types(names, lambda name: self._type_of(relation, name))

    def _type_of(self, relation: exp.Expr, name: str) -> Any:
        column = exp.Column(this=trees.identifier(name))
        some = exp.select(exp.alias_(column, "held")).from_(relation.copy())
        text = self._text(some.where(exp.Not(this=exp.Is(this=column.copy(), expression=exp.null()))).limit(1))
        held = [_plain(value, fractions=False) for (value,) in self._answer(text)]  # Decimal, also of whole numbers
        return duckdb.sqltype(_type_named(*held[:1]))

    def bind(self, value: object, role: str) -> exp.Table:
        """Refuse a value that is not in the connection's database."""
        are_rows = isinstance(value, dict) and type(value) is not dict  # columns made of lists or dicts of the user
        what = repr(value[0]) if isinstance(value, list) else "a Python object" if are_rows else kind_of(value)
        raise ArgumentTypeError(f"{what} is not in {self.name}", argument=role, fix="Name a table or view there")

    def create(self, table: exp.Table, statement: exp.Query) -> None:
        """Write the rows of a statement to a new table of that name, which stays."""
        try:
            self._run(render(creation(table, statement), self.dialect))
        except Exception as error:  # each driver has its own errors
            raise EngineError(f"{self.name} could not create the table: {first_line(error)}") from error

    def _run(self, text: str) -> None:
        """Run what has no rows; raises whatever the driver does."""
        with closing(self.connection.cursor()) as cursor:
            cursor.execute(text)

    @cached_property
    def _here(self) -> DuckDB:
        return DuckDB()

    def relation(self, statement: exp.Query) -> duckdb.DuckDBPyRelation:
        """Return a statement's rows as a relation of DuckDB, fetched into memory."""
        return self._here.relation(self._fetch_rows(statement))

    def write(self, statement: exp.Query, path: str, file_format: str) -> None:
        """Write the rows of a statement to a file here, as parquet, csv or json."""
        self._here.write(self._fetch_rows(statement), path, file_format)

    def _fetch_rows(self, statement: exp.Query) -> exp.Select:
        """Fetch the rows of a statement into DuckDB's memory, and return a SELECT over them."""
        text = self._text(statement)
        names, rows = statement.named_selects, self._answers[text] if text in self._answers else self._fetch(text)
        plain = [tuple(map(_plain, row)) for row in rows]
        columns = {name: [row[place] for row in plain] for place, name in enumerate(names)}
        table = self._here.load(columns, f"fetched {uuid4().hex}")
        typed = {name: exp.cast(trees.column(name, quoted=True), _type_of(name, columns[name])) for name in names}
        return exp.select(*(exp.alias_(each, name, quoted=True) for name, each in typed.items())).from_(table)


def _with_plain_names(statement: exp.Query) -> exp.Query:
    """Return the statement with our own column names, because the user's may be invalid in this engine."""
    statement = statement.copy()
    for number, column in enumerate(statement.selects, start=1):
        alias = column.args.get("alias")
        if isinstance(alias, exp.Identifier) and alias.quoted:
            column.set("alias", exp.to_identifier(f"column_{number}"))
    return statement


def duckdb_type(kind: Any) -> Any:
    """Spark's type as DuckDB's."""
    names = {
        "string": "VARCHAR", "byte": "TINYINT", "short": "SMALLINT", "integer": "INTEGER", "long": "BIGINT",
        "float": "FLOAT", "double": "DOUBLE", "boolean": "BOOLEAN", "date": "DATE", "timestamp": "TIMESTAMP",
        "timestamp_ntz": "TIMESTAMP", "binary": "BLOB", "void": "NULL", "struct": "STRUCT(a BIGINT)",
        "map": "MAP(VARCHAR, DOUBLE)", "array": "VARCHAR[]", "decimal": "DECIMAL(38, 10)",
    }  # fmt: skip
    name = str(kind.typeName()).partition("(")[0]
    name = "string" if name in ("char", "varchar") or name.startswith("string") else name
    return duckdb.sqltype(names.get(name, "NULL"))


def _type_named(value: object = None) -> str:
    return next((kind for kinds, kind in _TYPES if isinstance(value, kinds)), "NULL")


def _type_of(name: str, values: Sequence[object]) -> str:
    """Return the type of a fetched column; without values it is DOUBLE for `value`, else a whole number."""
    unknown = "DOUBLE" if name == "value" else "BIGINT"
    if any(isinstance(value, float) for value in values):
        return "DOUBLE"
    if any(isinstance(value, int) and abs(value) >= 2**63 for value in values):
        return "HUGEINT" if all(abs(value) < 2**127 for value in values if isinstance(value, int)) else "DOUBLE"
    if any(isinstance(value, datetime.datetime) and value.tzinfo is not None for value in values):
        return "TIMESTAMPTZ"
    return next((_type_named(value) for value in values if value is not None), unknown)


def _plain(value: Any, *, fractions: bool = True) -> Any:
    """Return a number of any driver type as an int or, if it has a fraction and these are asked for, as a float."""
    if not isinstance(value, Decimal):
        return value
    return (
        int(value) if value.is_finite() and value == value.to_integral_value() else float(value) if fractions else value
    )
