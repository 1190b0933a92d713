"""Writes a statement in an engine's SQL; every difference between dialects lives here and nowhere else."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot import ErrorLevel, exp, parse_one, transforms
from sqlglot.errors import SqlglotError

from recall_duckdb.errors import ArgumentError, EngineError, UnknownNameError, listed, nearest

DIALECTS = (
    "athena",
    "bigquery",
    "clickhouse",
    "databricks",
    "datafusion",
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


def known(dialect: str) -> str:
    """The dialect; raises `UnknownNameError` with the nearest name where there is none of this name."""
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        raise UnknownNameError(
            f"there is no dialect {dialect!r}.{nearest(str(dialect), DIALECTS)} Known: {listed(DIALECTS)}"
        )
    return dialect


@lru_cache
def _evidence() -> dict[str, dict[str, Any]]:
    """What the tests of the engines wrote down: by dialect a label, the engines, the number of statements."""
    found: dict[str, dict[str, Any]] = json.loads((Path(__file__).parent / "evidence.json").read_text("utf-8"))
    return found


def evidence(dialect: str) -> str:
    """How a dialect was tried: executed, executed on a relative, emulated, parsed or only generated, and on what.

    >>> evidence("postgres")
    'executed: PostgreSQL'
    """
    if dialect == "duckdb":
        return "executed: DuckDB, whose numbers the others are held against"
    held = _evidence().get(dialect)
    return "generated only" if held is None else f"{held['label']}: {', '.join(held['on'])}"


def describe(statement: exp.Query, head: Sequence[str], dialect: str) -> None:
    """Give the statement a comment at its head: the lines given, the dialect with its evidence, how text compares."""
    lines = [*head, f"dialect: {dialect} ({evidence(dialect)})"]
    if dialect in TEXT and statement.find(exp.Collate) is None:
        lines.append(f"text ids: {TEXT[dialect]}")
    filled = [textwrap.fill(line, 110, subsequent_indent="  ") for line in lines]
    holder = statement.args.get("with_") or statement.args["with"]  # as sqlglot 27 calls it
    text = "\n".join(filled).replace("*/", "* /")
    holder.add_comments([f"\n{text}\n"])


def render(statement: exp.Expr, dialect: str = "duckdb", *, pretty: bool = False) -> str:
    """The text of a statement; pretty: one clause a line, with the comments, for people to read.

    Raises:
        UnknownNameError: the dialect is not known; the message holds the nearest name.
        EngineError: the dialect has no way to say what the statement says.
    """
    if known(dialect) == "duckdb":
        return statement.sql(dialect="duckdb", pretty=pretty, comments=pretty)
    statement = _without_qualify(_without_hints(statement.copy()))
    _without_clashes(statement)
    _compared_by_bytes(statement, dialect)
    for rewrite in _REWRITES.get(dialect, ()):
        rewrite(statement)
    try:
        return statement.sql(
            dialect=WRITERS.get(dialect, dialect), pretty=pretty, comments=pretty, unsupported_level=ErrorLevel.RAISE
        )
    except SqlglotError as error:
        raise EngineError(f"{dialect} cannot express this statement: {error}") from error


def _without_hints(statement: exp.Expr) -> exp.Expr:
    """MATERIALIZED is a hint on cost that only some engines parse."""
    for cte in statement.find_all(exp.CTE):
        cte.set("materialized", None)
    return statement


def _compared_by_bytes(statement: exp.Expr, dialect: str) -> None:
    """Text ids compare by their bytes, as in trec_eval: under a language's order, ties fall otherwise; a = A in some.

    An engine that is not listed compares by bytes unless a column was made to do otherwise.
    """
    for collate in list(statement.find_all(exp.Collate)):
        if dialect in COLLATIONS:
            collate.set("expression", parse_one(COLLATIONS[dialect], into=exp.Identifier, read="duckdb"))
        else:
            collate.replace(collate.this)


def _folded_up(statement: exp.Expr) -> None:
    """A name as users write it, user_id, is USER_ID where names without quotes are kept in capitals."""
    for name in statement.find_all(exp.Identifier):
        if (name._meta or {}).get("as_given") and re.fullmatch("[a-z_][a-z0-9_]*", name.name):
            name.set("this", name.name.upper())


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


def _without_clashes(statement: exp.Expr) -> None:
    """A relation of ours that has the name of a table of the user's is called otherwise.

    `WITH run AS (SELECT … FROM run)` is a circle to SQLite, and to ClickHouse in parts.
    """
    tables = list(statement.find_all(exp.Table))
    theirs = {table.name.casefold() for table in tables if table.meta.get("of_the_user")}
    for cte in statement.find_all(exp.CTE):
        old = cte.alias
        if old.casefold() not in theirs:
            continue
        new = next(name for name in (f"{old}_rows", f"{old}_of_ours") if name not in theirs)
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(new)))
        for table in tables:
            if table.name == old and not table.meta.get("of_the_user"):
                table.set("this", exp.to_identifier(new))


def _columns_of_tables(statement: exp.Expr) -> None:
    """SQLite takes "qurey" for a text where there is no such column, and all rows for one query; not so run."qurey"."""
    for table in statement.find_all(exp.Table):
        select = table.parent_select
        if not table.meta.get("of_the_user") or select is None:
            continue
        for column in select.find_all(exp.Column):
            if column.this.args.get("quoted") and not column.table:
                column.set("table", exp.to_identifier(table.alias_or_name, quoted=True))


def _nan_is_null(statement: exp.Expr) -> None:
    """An engine that stores no NaN has none to look for, and no function for it."""
    for case in list(statement.find_all(exp.Case)):
        first = case.args["ifs"][0]
        if isinstance(first.this, exp.IsNan):
            case.replace(case.args["default"])
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.Is(this=test.this, expression=exp.null()))


def _nan_by_comparison(statement: exp.Expr) -> None:
    """PostgreSQL and Snowflake have no function for NaN, which equals itself there."""
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.EQ(this=test.this, expression=exp.cast(exp.Literal.string("NaN"), "DOUBLE")))


def _decimal_of_no_null(statement: exp.Expr) -> None:
    """ClickHouse casts what lies below a NULL too, which may be NaN, and fails; a sum takes 0 as it takes NULL."""
    for cast in list(statement.find_all(exp.Cast)):
        if cast.to.is_type("decimal"):
            cast.set("this", exp.Coalesce(this=cast.this, expressions=[exp.cast(exp.Literal.number(0), "DOUBLE")]))


def _without_short_floats(statement: exp.Expr) -> None:
    """A FLOAT of 64 bits tells 1 and 1 + 1e-12 apart, which trec_eval 9 does not: other ranks, without a word."""
    for cast in statement.find_all(exp.Cast):
        if cast.to.is_type(exp.DataType.Type.FLOAT):
            raise ArgumentError(
                "semantics: 'trec_eval_9' compares scores as 32-bit floats, which this dialect does not have: round "
                "the scores in a view, or leave it out"
            )


def _without_variables(statement: exp.Expr) -> None:
    """Spark and Hive put a setting's value in the place of ${its name} before they read a statement, in texts too."""
    for text in list(statement.find_all(exp.Literal)):
        if text.is_string and "${" in text.name:
            parts = [f"{part}$" for part in text.name.split("${")]
            parts = [parts[0], *("{" + part for part in parts[1:])]
            parts[-1] = parts[-1].removesuffix("$")
            text.replace(
                exp.Concat(expressions=[exp.Literal.string(part) for part in parts], safe=False, coalesce=False)
            )
    for name in statement.find_all(exp.Identifier):
        if "${" in name.name:
            raise ArgumentError(
                f"the name {name.name!r} holds ${{, which Spark and Hive take for a setting: rename it in a view"
            )


def _isnan(statement: exp.Expr) -> None:
    """DataFusion has the function of the name that DuckDB has."""
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.Anonymous(this="isnan", expressions=[test.this]))


def _on_for_using(statement: exp.Expr) -> None:
    """Keys of joins written out and qualified, where there is no USING or it leaves them ambiguous."""
    columns = {cte.alias: cte.this.named_selects for cte in statement.find_all(exp.CTE)}
    for select in statement.find_all(exp.Select):
        joins = select.args.get("joins") or []
        if not any(join.args.get("using") for join in joins):
            continue
        source = select.args.get("from_") or select.args["from"]
        held: dict[str, str] = {}  # the first relation that has a column, by the column's name
        for relation, join in [(source.this, None), *((join.this, join) for join in joins)]:
            own = relation.named_selects if isinstance(relation, exp.Subquery) else columns[relation.name]
            alias = relation.alias_or_name
            keys = [key.name for key in join.args.get("using") or []] if join is not None else []
            if join is not None and keys:
                pairs = [exp.EQ(this=exp.column(key, held[key]), expression=exp.column(key, alias)) for key in keys]
                join.set("using", None)
                join.set("on", exp.and_(*pairs, copy=False))
            for name in own:
                held.setdefault(name, alias)
        shared = {key for join in joins if join.args.get("on") for key in _names_in(join.args["on"])}
        for column in list(select.find_all(exp.Column)):
            if not column.table and column.name in shared and column.parent_select is select:
                column.set("table", exp.to_identifier(held[column.name]))


def _names_in(condition: exp.Expr) -> set[str]:
    return {column.name for column in condition.find_all(exp.Column)}


# How text compares where its type is not known, so that no collation is written: ids must compare by their bytes.
TEXT = {
    "postgres": "they compare as the column's collation has it; let that be C",
}

# The order of text by its bytes, in the engines that have others, one of which may be the default.
COLLATIONS = {
    "mysql": "utf8mb4_bin",
    "postgres": '"C"',
    "sqlite": "BINARY",
    "tsql": "Latin1_General_BIN2",
}

# Dialects that sqlglot has not, and the one it writes for them.
WRITERS = {"datafusion": "postgres"}

# What a dialect says otherwise than sqlglot writes it for it, each with the wrong result it prevents.
_REWRITES = {
    "clickhouse": (_decimal_of_no_null,),
    "databricks": (_without_variables,),
    "hive": (_without_variables,),
    "spark": (_without_variables,),
    "sqlite": (_nan_is_null, _columns_of_tables, _without_short_floats),
    "mysql": (_nan_is_null,),
    "tsql": (_nan_is_null, _on_for_using),
    "datafusion": (_isnan, _on_for_using),
    "postgres": (_nan_by_comparison,),
    "oracle": (_folded_up,),
    "redshift": (_nan_by_comparison,),
    "snowflake": (_nan_by_comparison, _folded_up, _without_short_floats),
    "bigquery": (_without_short_floats,),
}
