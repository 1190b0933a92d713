"""Writes a statement in an engine's SQL; every difference between dialects lives here and nowhere else."""

from __future__ import annotations

import re

from sqlglot import ErrorLevel, exp, transforms
from sqlglot.errors import SqlglotError

from recall_duckdb.errors import EngineError, UnknownNameError, listed, nearest

DIALECTS = (
    "athena",
    "bigquery",
    "clickhouse",
    "databricks",
    "datafusion",
    "doris",
    "duckdb",
    "hive",
    "materialize",
    "mysql",
    "oracle",
    "postgres",
    "presto",
    "redshift",
    "risingwave",
    "snowflake",
    "spark",
    "sqlite",
    "starrocks",
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
    _without_clashes(statement)
    for rewrite in _REWRITES.get(dialect, ()):
        rewrite(statement)
    try:
        return statement.sql(
            dialect=_WRITERS.get(dialect, dialect), pretty=pretty, comments=pretty, unsupported_level=ErrorLevel.RAISE
        )
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


def _nan_by_text(statement: exp.Expr) -> None:
    """Hive and StarRocks have no function for NaN, older Doris neither, and not all hold it equal to itself."""
    for test in list(statement.find_all(exp.IsNan)):
        text = exp.Lower(this=exp.cast(test.this, "TEXT"))
        test.replace(exp.EQ(this=text, expression=exp.Literal.string("nan")))


def _largest_for_infinity(statement: exp.Expr) -> None:
    """An engine without infinity reads 'inf' as 0 or NULL, which would rank the highest scores last."""
    for cast in statement.find_all(exp.Cast):
        if cast.this.is_string and cast.this.name in ("inf", "-inf"):
            cast.set("this", exp.Literal.string(cast.this.name.replace("inf", "1.7976931348623157e308")))


def _float_by_arithmetic(statement: exp.Expr) -> None:
    """A double rounded to 32 bits, where FLOAT has 64 and scores would not be tied, or fails on the smallest ones.

    Veltkamp's splitting keeps 24 bits of what is a normal number as a float; what lies below has a fixed last bit. Only
    a score half-way between two floats may become the other one.
    """
    for cast in list(statement.find_all(exp.Cast)):
        if cast.to.is_type("double") and isinstance(cast.this, exp.Cast) and cast.this.to.is_type("float"):
            score, last = cast.this.this, _double(1.5 * 2.0**-97)
            times = exp.paren(exp.Mul(this=score.copy(), expression=_double(2.0**29 + 1)))
            split = exp.Sub(this=times, expression=exp.paren(exp.Sub(this=times.copy(), expression=score.copy())))
            fixed = exp.Sub(this=exp.paren(exp.Add(this=score.copy(), expression=last)), expression=last.copy())
            is_low = exp.LT(this=exp.Abs(this=score.copy()), expression=_double(2.0**-126))
            cast.replace(exp.Case(ifs=[exp.If(this=is_low, true=fixed)], default=split))


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(value)), "DOUBLE")


def _signed_places(statement: exp.Expr) -> None:
    """MySQL counts places without a sign, and fails where a difference or product of them is below 0."""
    for window in list(statement.find_all(exp.Window)):
        if not isinstance(window.this, exp.AggFunc) or window.this.key == "rank":  # sqlglot 30 calls rank an aggregate
            window.replace(exp.cast(window.copy(), "BIGINT"))


def _names_of_any_case(statement: exp.Expr) -> None:
    """Snowflake keeps a name that was not quoted in capitals, so that "query" finds no QUERY, but query does.

    A name with a capital in it, one that needs quotes or one that is reserved stays as it is.
    """
    for name in statement.find_all(exp.Identifier):
        if name.quoted and re.fullmatch("[a-z_][a-z0-9_]*", name.name) and name.name not in _RESERVED_BY_SNOWFLAKE:
            name.set("quoted", False)


def _peers_as_partition(statement: exp.Expr) -> None:
    """Rows of equal keys as a partition: Redshift has no RANGE, the others not this frame or with one key only."""
    for window in statement.find_all(exp.Window):
        frame = window.args.get("spec")
        if frame and (frame.args["kind"], frame.args["start"], frame.args["end"]) == ("RANGE", *["CURRENT ROW"] * 2):
            keys = [ordered.this for ordered in window.args["order"].expressions]
            window.set("partition_by", [*(window.args.get("partition_by") or []), *keys])
            window.set("order", None)
            window.set("spec", None)


def _decimal_of_any_size(statement: exp.Expr) -> None:
    """RisingWave refuses a decimal of a size that is given; what the size rounds is rounded."""
    for cast in statement.find_all(exp.Cast):
        if cast.to.is_type("decimal"):
            cast.set("to", exp.DataType.build("DECIMAL"))
            cast.set("this", exp.Round(this=cast.this))


def _decimal_of_no_null(statement: exp.Expr) -> None:
    """ClickHouse casts what lies below a NULL too, which may be NaN, and fails; a sum takes 0 as it takes NULL."""
    for cast in list(statement.find_all(exp.Cast)):
        if cast.to.is_type("decimal"):
            cast.set("this", exp.Coalesce(this=cast.this, expressions=[exp.cast(exp.Literal.number(0), "DOUBLE")]))


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


# What no column of Snowflake can be called without quotes.
_RESERVED_BY_SNOWFLAKE = {
    "account", "all", "alter", "and", "any", "as", "asof", "between", "by", "case", "cast", "check", "column",
    "connect", "connection", "constraint", "create", "cross", "current", "current_date", "current_time",
    "current_timestamp", "current_user", "database", "default", "define", "delete", "distinct", "drop", "else",
    "exists", "false", "following", "for", "from", "full", "grant", "group", "gscluster", "having", "ilike", "in",
    "increment", "inner", "insert", "intersect", "into", "is", "issue", "join", "lateral", "left", "like",
    "localtime", "localtimestamp", "match_condition", "match_recognize", "minus", "natural", "not", "null", "of",
    "on", "or", "order", "organization", "qualify", "regexp", "revoke", "right", "rlike", "row", "rows", "sample",
    "schema", "select", "set", "some", "start", "table", "tablesample", "then", "to", "trigger", "true", "try_cast",
    "union", "unique", "update", "using", "values", "view", "when", "whenever", "where", "with",
}  # fmt: skip

# Dialects that sqlglot has not, and the one it writes for them.
_WRITERS = {"datafusion": "postgres"}

# What a dialect says otherwise than sqlglot writes it for it, each with the wrong result it prevents.
_REWRITES = {
    "clickhouse": (_decimal_of_no_null,),
    "sqlite": (_nan_is_null, _largest_for_infinity, _float_by_arithmetic),
    "mysql": (_nan_is_null, _largest_for_infinity, _float_by_arithmetic, _signed_places),
    "doris": (_nan_by_text, _largest_for_infinity, _peers_as_partition),
    "starrocks": (_nan_by_text, _largest_for_infinity, _peers_as_partition),
    "tsql": (_nan_is_null, _largest_for_infinity, _float_by_arithmetic, _on_for_using),
    "datafusion": (_isnan, _on_for_using),
    "hive": (_nan_by_text, _peers_as_partition),
    "postgres": (
        _nan_by_comparison,
        _float_by_arithmetic,
    ),
    "redshift": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition),
    "materialize": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition),
    "risingwave": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition, _decimal_of_any_size),
    "bigquery": (_float_by_arithmetic,),
    "snowflake": (_names_of_any_case, _nan_by_comparison, _peers_as_partition, _float_by_arithmetic),
}
