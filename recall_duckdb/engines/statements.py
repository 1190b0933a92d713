"""The statements that a session of DuckDB runs about tables, views and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from sqlglot import exp, parse_one

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import executable


@lru_cache(maxsize=256)
def without_rows(relation: exp.Expr) -> str:
    """Return the text of a statement that selects the columns of a relation and no row."""
    return executable(exp.select("*").from_(relation).limit(0))


@lru_cache(maxsize=256)
def counting(relation: exp.Expr, most: int) -> str:
    """Return the text of a statement that counts the rows of a relation, up to a number."""
    first = exp.select(trees.literal(1)).from_(relation).limit(most)
    return executable(exp.select(exp.Count(this=exp.Star())).from_(first.subquery("rows_of_relation")), copy=False)


@lru_cache(maxsize=256)
def reading_settings(*names: str) -> str:
    """Return the text of a statement that reads settings of the connection."""
    return executable(exp.select(*(exp.func("current_setting", trees.literal(name)) for name in names)), copy=False)


@lru_cache(maxsize=1)
def without_effect() -> str:
    """Return the text of a statement that every connection runs unless its transaction failed or rows are unfetched."""
    return executable(exp.select(trees.literal(1)), copy=False)


@lru_cache(maxsize=1)
def number_of_transaction() -> str:
    """Return the text of a statement that reads the number of the current transaction."""
    return executable(exp.select(exp.func("txid_current")), copy=False)


def removal(table: exp.Table) -> exp.Expr:
    """Return the statement that removes a table if it is there."""
    statement = parse_one("DROP TABLE IF EXISTS stored", read="duckdb")  # sqlglot's versions build different trees
    for stored in list(statement.find_all(exp.Table)):
        stored.replace(table.copy())
    return statement


@lru_cache(maxsize=256)
def about_schema(form: Literal["CREATE SCHEMA stored", "USE stored", "DROP SCHEMA stored CASCADE"], name: str) -> str:
    """Return the text of a statement of this form about a schema of this name."""
    statement = parse_one(form, read="duckdb")  # sqlglot's versions build different trees
    for stored in list(statement.find_all(exp.Identifier)):
        stored.replace(trees.identifier(name))
    return executable(statement, copy=False)


def catalog_entry(kind: str, parts: Sequence[str]) -> exp.Select:
    """Return the statement that finds the user's tables or views that a name can mean, with their full names.

    A name without a schema means what it means in SQL: an entry on the search path, and none of another schema.
    """
    columns = [trees.column(name) for name in ("database_name", "schema_name", f"{kind}_name")]
    is_on_path = exp.func("in_search_path", *columns[:2])
    wanted = [_is(columns[2], parts[-1]), exp.not_(trees.column("internal"))]
    wanted.append(_in_schema(parts[:-1]) if len(parts) > 1 else is_on_path)
    kinds = [trees.literal(len(parts) == 1), trees.column("temporary"), *map(_is_current, ("database", "schema"))]
    condition = exp.and_(*wanted, copy=False)
    return exp.select(*columns, *kinds, copy=False).from_(exp.func(f"duckdb_{kind}s")).where(condition, copy=False)


def known_tables() -> exp.Select:
    """Return the statement that lists the tables and views: the name, and the name with what SQL needs before it."""
    path = [trees.column(name) for name in ("table_catalog", "table_schema")]
    name = trees.column("table_name")
    full = exp.func("concat_ws", trees.literal("."), *path, name)
    known = exp.case().when(exp.func("in_search_path", *path), name).else_(full)
    tables = exp.Table(this=trees.identifier("tables"), db=trees.identifier("information_schema"))
    return exp.select(name, known).from_(tables)


def schemas_of(parts: Sequence[str]) -> exp.Select:
    """Return the statement that finds the schemas in which a table of this name would be created."""
    here = exp.and_(*map(_is_current, ("database", "schema")))
    wanted = here if len(parts) == 1 else _in_schema(parts[:-1], is_created=True)
    columns = map(trees.column, ("database_name", "schema_name"))
    return exp.select(*columns).from_(exp.func("duckdb_schemas")).where(wanted)


def _in_schema(parts: Sequence[str], *, is_created: bool = False) -> exp.Expr:
    """Return the condition that an entry is in a schema: schema, database with its main schema, or database.schema."""
    database, schema = trees.column("database_name"), trees.column("schema_name")
    if len(parts) > 1:
        return exp.and_(_is(database, parts[0]), _is(schema, parts[1]))
    condition = _is(schema, parts[0])
    condition = exp.and_(condition, _is_current("database")) if is_created else condition
    return exp.paren(exp.or_(condition, exp.and_(_is(database, parts[0]), _is(schema, "main"))), copy=False)


def _is(column: exp.Expr, name: str) -> exp.Expr:
    """Return the condition that a column holds a name, in any case."""
    return exp.EQ(this=exp.Lower(this=column.copy()), expression=exp.Lower(this=trees.literal(name)))


def _is_current(kind: str) -> exp.Expr:
    """Return the condition that an entry is in the current database or schema."""
    return exp.EQ(this=trees.column(f"{kind}_name"), expression=exp.func(f"current_{kind}"))


@lru_cache(maxsize=256)
def text_of_lists(types: tuple[tuple[str, str], ...]) -> str:
    """Return the text of the SELECT of columns with these names and types, as `of_lists` does."""
    return executable(of_lists(dict(types)), copy=False)


def of_lists(types: Mapping[str, str]) -> exp.Select:
    """Return the SELECT of columns that are lists in parameters, in order, each cast to its type."""
    names = {name: trees.identifier(name) for name in types}
    lists = [
        exp.alias_(exp.func("unnest", exp.Placeholder(this=str(number))), name)
        for number, name in enumerate(names.values(), start=1)
    ]
    typed = [
        exp.alias_(exp.cast(exp.Column(this=names[name]), _type_of(kind), dialect="duckdb"), names[name])
        for name, kind in types.items()
    ]
    return exp.select(*typed).from_(exp.select(*lists).subquery("given"))


def _type_of(kind: str) -> str:
    """Return a type that a table can have: DuckDB stores a column of NULL alone as INTEGER."""
    return "INTEGER" if kind.strip('"') == "NULL" else kind
