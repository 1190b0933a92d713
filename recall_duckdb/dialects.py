"""Writes a statement in an engine's SQL; every difference between dialects lives here and nowhere else."""

from __future__ import annotations

from sqlglot import ErrorLevel, exp, transforms
from sqlglot.errors import SqlglotError

from recall_duckdb.errors import EngineError, UnknownNameError, listed, nearest

DIALECTS = (
    "athena",
    "bigquery",
    "clickhouse",
    "databricks",
    "duckdb",
    "hive",
    "mysql",
    "oracle",
    "postgres",
    "presto",
    "redshift",
    "snowflake",
    "spark",
    "sqlite",
    "trino",
    "tsql",
)


def render(statement: exp.Expr, dialect: str = "duckdb", *, pretty: bool = False) -> str:
    """The text of a statement; pretty: one clause a line, with the comments, for people to read.

    Raises:
        UnknownNameError: the dialect is not known; the message holds the nearest name.
        EngineError: the dialect has no way to say what the statement says.
    """
    if dialect not in DIALECTS:
        raise UnknownNameError(
            f"there is no dialect {dialect!r}.{nearest(dialect, DIALECTS)} Known: {listed(DIALECTS)}"
        )
    if dialect == "duckdb":
        return statement.sql(dialect="duckdb", pretty=pretty, comments=pretty)
    statement = _without_qualify(_without_hints(statement.copy()))
    try:
        return statement.sql(dialect=dialect, pretty=pretty, comments=pretty, unsupported_level=ErrorLevel.RAISE)
    except SqlglotError as error:
        raise EngineError(f"{dialect} cannot express this statement: {error}") from error


def _without_hints(statement: exp.Expr) -> exp.Expr:
    """MATERIALIZED is a hint on cost that only some engines parse; the collation "binary" is DuckDB's."""
    for cte in statement.find_all(exp.CTE):
        cte.set("materialized", None)
    for collate in list(statement.find_all(exp.Collate)):
        collate.replace(collate.this)
    return statement


def _without_qualify(statement: exp.Expr) -> exp.Expr:
    """QUALIFY as a filter on a subquery; sqlglot's own names for it begin with an underscore, which Oracle refuses."""
    for select in reversed(list(statement.find_all(exp.Select))):  # the inner ones first
        if select.args.get("qualify"):
            replacement = transforms.eliminate_qualify(select.copy())
            for name in replacement.find_all(exp.Identifier):
                if name.name in ("_t", "_w"):
                    name.set("this", f"ranked{name.name}")
            if select.parent is None:
                return replacement
            select.replace(replacement)
    return statement
