"""The statements that a session of DuckDB runs about tables, views and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

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


def removal(table: exp.Table) -> exp.Expr:
    """Return the statement that removes a table if it is there."""
    statement = parse_one("DROP TABLE IF EXISTS stored", read="duckdb")  # sqlglot's versions build different trees
    for stored in list(statement.find_all(exp.Table)):
        stored.replace(table.copy())
    return statement


def partitioned(statement: exp.Query, folder: str, column: str) -> exp.Copy:
    """Return the statement that writes rows to parquet files in a folder for each value of a column."""
    options = {
        "FORMAT": exp.var("PARQUET"),
        "COMPRESSION": exp.var("UNCOMPRESSED"),  # faster to write and read; the files are temporary
        "PARTITION_BY": exp.Paren(this=trees.column(column)),
    }
    parameters = [exp.CopyParameter(this=exp.var(name), expression=value) for name, value in options.items()]
    return exp.Copy(this=statement.subquery(), kind=False, files=[trees.literal(folder)], params=parameters)


def catalog_entry(kind: str, parts: Sequence[str]) -> exp.Select:
    """Return the statement that finds the tables or views that a name can mean, with their full names."""
    columns = [trees.column(name) for name in ("database_name", "schema_name", f"{kind}_name")]
    wanted = [
        exp.EQ(this=exp.Lower(this=column.copy()), expression=exp.Lower(this=trees.literal(part)))
        for column, part in zip(reversed(columns), reversed(parts), strict=False)  # a bare name has no schema
    ]
    current = [
        exp.EQ(this=column.copy(), expression=exp.func(f"current_{part}"))
        for column, part in zip(columns[:2], ("database", "schema"), strict=True)
    ]
    kinds = [trees.literal(len(parts) == 1), trees.column("temporary"), *current]
    condition = exp.and_(*wanted, copy=False)
    return exp.select(*columns, *kinds, copy=False).from_(exp.func(f"duckdb_{kind}s")).where(condition, copy=False)


def of_lists(types: Mapping[str, str]) -> exp.Select:
    """Return the SELECT of columns that are lists in parameters, in order, each cast to its type."""
    names = {name: trees.identifier(name) for name in types}
    lists = [
        exp.alias_(exp.func("unnest", exp.Placeholder(this=str(number))), name)
        for number, name in enumerate(names.values(), start=1)
    ]
    typed = [
        exp.alias_(exp.cast(exp.Column(this=names[name]), kind, dialect="duckdb"), names[name])
        for name, kind in types.items()
    ]
    return exp.select(*typed).from_(exp.select(*lists).subquery("given"))
