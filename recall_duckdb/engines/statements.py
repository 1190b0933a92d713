"""The statements that a session of DuckDB runs about tables, views and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from sqlglot import exp, parse_one

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import executable

# A statement that every connection runs unless its transaction failed or rows are unfetched.
WITHOUT_EFFECT = "SELECT 1"
NUMBER_OF_TRANSACTION = "SELECT system.main.txid_current()"


@lru_cache(maxsize=256)
def without_rows(relation: exp.Expr) -> str:
    """Return the text of a statement that selects the columns of a relation and no row."""
    return executable(exp.select("*").from_(relation).limit(0))


@lru_cache(maxsize=256)
def counting(relation: exp.Expr, most: int) -> str:
    """Return the text of a statement that counts the rows of a relation, up to a number."""
    first = exp.select(trees.literal(1)).from_(relation).limit(most)
    return executable(exp.select(exp.Count(this=exp.Star())).from_(first.subquery("rows_of_relation")), copy=False)


def removal(table: exp.Table) -> exp.Expr:
    """Return the statement that removes a table if it is there."""
    return parse_one(f"DROP TABLE IF EXISTS {table.sql('duckdb')}", read="duckdb")


# The user's tables and views that a name can mean, with their full names. A name without a schema means what it means
# in SQL: an entry on the search path, and none of another schema. `a.b` is b in the schema a, or in the database a.
_ENTRIES = """
    SELECT
        database_name, schema_name, name,
        $schema IS NULL, temporary, database_name = current_database(), schema_name = current_schema()
    FROM (
        SELECT database_name, schema_name, table_name AS name, temporary FROM duckdb_tables() WHERE NOT internal
        UNION ALL SELECT database_name, schema_name, view_name, temporary FROM duckdb_views() WHERE NOT internal
    ) AS entries
    WHERE lower(name) = lower($name) AND CASE
        WHEN $schema IS NULL THEN in_search_path(database_name, schema_name)
        WHEN $database IS NULL THEN
            lower(schema_name) = lower($schema) OR (lower(database_name) = lower($schema) AND schema_name = 'main')
        ELSE lower(database_name) = lower($database) AND lower(schema_name) = lower($schema)
    END"""
# The schemas in which a table of such a name would be created.
_SCHEMAS = """
    SELECT database_name, schema_name FROM duckdb_schemas() WHERE CASE
        WHEN $schema IS NULL THEN database_name = current_database() AND schema_name = current_schema()
        WHEN $database IS NULL THEN
            (lower(schema_name) = lower($schema) AND database_name = current_database())
            OR (lower(database_name) = lower($schema) AND schema_name = 'main')
        ELSE lower(database_name) = lower($database) AND lower(schema_name) = lower($schema)
    END"""
_KNOWN_TABLES = """
    SELECT table_name, CASE WHEN in_search_path(table_catalog, table_schema) THEN table_name
        ELSE concat_ws('.', table_catalog, table_schema, table_name) END AS full_name
    FROM information_schema.tables"""


def _about(text: str, parts: Sequence[str]) -> exp.Select:
    """Return a statement about a name of one to three parts."""
    tree = trees.parse(text)
    trees.bind(tree, dict(zip(("name", "schema", "database"), [*reversed(parts), None, None], strict=False)))
    return tree


@lru_cache(maxsize=256)
def catalog_entries(*meanings: tuple[str, ...]) -> str:
    """Return the text of the statement that finds the tables and views that a name can mean, by its possible parts."""
    return executable(trees.union_all([_about(_ENTRIES, parts) for parts in meanings]), copy=False)


def schemas_of(parts: Sequence[str]) -> exp.Select:
    """Return the statement that finds the schemas in which a table of this name would be created."""
    return _about(_SCHEMAS, parts)


def known_tables() -> exp.Select:
    """Return the statement that lists the tables and views: the name, and the name with what SQL needs before it."""
    return trees.parse(_KNOWN_TABLES)


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
