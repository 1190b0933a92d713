"""Rewrites a statement's values for an engine: NaN, decimals, floats, collations and literals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from sqlglot import exp, parse_one

from recall_duckdb.definitions import trees
from recall_duckdb.dialects.structure import Rewrite
from recall_duckdb.errors import ArgumentError

DOUBLE, FLOAT, DECIMAL = exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT, exp.DataType.Type.DECIMAL


def compare_bytes(collation: str, *, character_set: str = "", is_text: bool = True) -> Rewrite:
    """Compare text ids by their bytes, as trec_eval does, under the collation of an engine that has others.

    Under a language's order ties fall otherwise, and in some engines a = A.

    Args:
        collation: its name there.
        character_set: the only one that the collation is of, where it is of one.
        is_text: whether every id that may have a collation is text; an enum has none in PostgreSQL.
    """

    def change(statement: exp.Expr) -> None:
        for collate in list(statement.find_all(exp.Collate)):
            if not is_text:
                collate.set("this", exp.cast(collate.this, "TEXT"))
            if character_set:
                kind = exp.DataType(this=exp.DataType.Type.CHARACTER_SET, kind=exp.var(character_set))
                collate.set("this", exp.Cast(this=collate.this, to=kind))
            collate.set("expression", parse_one(collation, into=exp.Identifier, read="duckdb"))

    return change


def collated_models(statement: exp.Expr) -> None:
    """Collate model names: under the default collation of MySQL and SQL Server, "a" equals "A"."""
    for alias in list(statement.find_all(exp.Alias)):
        if alias.alias == "model" and isinstance(alias.this, exp.Literal) and alias.find_ancestor(exp.CTE):
            alias.set("this", exp.Collate(this=alias.this, expression=exp.to_identifier("binary")))


def text_is_no_number(statement: exp.Expr) -> None:
    """Read text in a numeric column as NULL: SQLite keeps text there, such as '' from a CSV, and casts it to 0."""
    for table in statement.find_all(exp.Table):
        select = table.parent_select
        for cast in _casts(select, DOUBLE) if trees.is_of_user(table) and select else []:
            if isinstance(cast.this, exp.Column):
                kind = exp.func("typeof", cast.this.copy())
                is_number = exp.In(this=kind, expressions=[exp.Literal.string(name) for name in ("integer", "real")])
                cast.replace(exp.Case(ifs=[exp.If(this=is_number, true=cast.copy())]))


def nan_is_null(statement: exp.Expr) -> None:
    """Remove NaN tests for an engine that stores no NaN and has no function for it."""
    for case in list(statement.find_all(exp.Case)):
        branches = [branch for branch in case.args["ifs"] if not isinstance(branch.this, exp.IsNan)]
        if branches:
            case.set("ifs", branches)
        else:
            case.replace(case.args.get("default") or exp.null())
    for test in list(statement.find_all(exp.IsNan)):  # NULL stays NULL, everything else is false
        test.replace(exp.paren(exp.NEQ(this=test.this, expression=test.this.copy()), copy=False))


def nan_without_statistics(statement: exp.Expr) -> None:
    """Hide the tested number from DuckDB 2, which decides isnan(x) by the statistics of parquet files.

    Writers leave NaN out of these statistics, so isnan(x) would be false for every row, and a column of 1.0 and NaN
    would be the constant 1.0. DuckDB keeps no statistics of a union's value.
    """
    for test in trees.find(statement, exp.IsNan):
        member = exp.PropertyEQ(this=exp.to_identifier("x"), expression=test.this)
        union = exp.Anonymous(this="union_value", expressions=[member])
        test.set("this", exp.Anonymous(this="union_extract", expressions=[union, exp.Literal.string("x")]))


def _nan_test(written: Callable[[exp.Expr], exp.Expr]) -> Rewrite:
    """Return a rewrite of isnan(x), which is written so."""

    def change(statement: exp.Expr) -> None:
        for test in list(statement.find_all(exp.IsNan)):
            test.replace(written(test.this))

    return change


# PostgreSQL and Snowflake have no isnan(), and NaN equals itself there.
nan_by_comparison = _nan_test(lambda x: exp.EQ(this=x, expression=exp.cast(exp.Literal.string("NaN"), "DOUBLE")))
# Hive, StarRocks and older Doris have no isnan().
nan_by_text = _nan_test(lambda x: exp.EQ(this=exp.Lower(this=exp.cast(x, "TEXT")), expression=trees.literal("nan")))
is_nan = _nan_test(lambda x: exp.Is(this=x, expression=exp.var("NAN")))  # Oracle has IS NAN instead of isnan()
isnan = _nan_test(lambda x: exp.Anonymous(this="isnan", expressions=[x]))  # DataFusion has DuckDB's name


def varying_relevance(statement: exp.Expr) -> None:
    """Hide that each item's relevance is 1: DataFusion sorts by no constant, even behind a LEFT JOIN that adds NULL."""
    for alias in list(statement.find_all(exp.Alias)):
        if alias.alias == "relevance" and isinstance(alias.parent, exp.Select) and not alias.find(exp.Column):
            for item in (each for each in alias.parent.expressions if each.alias == "item" and not each.find(exp.Max)):
                is_missing = exp.Is(this=item.this.copy(), expression=exp.null())
                alias.set("this", exp.Case(ifs=[exp.If(this=is_missing, true=exp.null())], default=alias.this))


def decimal_of_no_null(statement: exp.Expr) -> None:
    """Replace NULL by 0 in exact sums: ClickHouse also casts the value stored under a NULL, and fails on NaN."""
    for cast in _whole_decimals(statement):
        if isinstance(cast.parent, exp.Sum):
            cast.set("this", exp.Coalesce(this=cast.this, expressions=[exp.cast(exp.Literal.number(0), "DOUBLE")]))


def decimal_by_text(statement: exp.Expr) -> None:
    """Cast doubles to decimals through text: a direct cast keeps 15 digits in PostgreSQL, and a sum of 1s is not 1."""
    for cast in _whole_decimals(statement):
        cast.set("this", exp.cast(cast.this, "TEXT"))


def decimal_of_any_size(statement: exp.Expr) -> None:
    """Round before an unsized decimal: RisingWave rejects a decimal with a size."""
    for cast in _whole_decimals(statement):
        cast.set("to", exp.DataType.build("DECIMAL"))
        cast.set("this", exp.Round(this=cast.this))


def shorter_decimals(statement: exp.Expr) -> None:
    """Use decimals of 36 digits, the most that Exasol has.

    That is enough for sums up to 10^36 / 2^70 = 8e14, and within a query up to 10^36 / 2^80 = 8e11.
    """
    for cast in _whole_decimals(statement):
        cast.set("to", exp.DataType.build("DECIMAL(36, 0)"))


def _casts(statement: exp.Expr, kind: object) -> list[exp.Cast]:
    return [cast for cast in statement.find_all(exp.Cast) if cast.to.this is kind]


def _whole_decimals(statement: exp.Expr) -> list[exp.Cast]:
    """Return the casts that make sums exact; a user's metric file may have other casts."""
    return [cast for cast in _casts(statement, DECIMAL) if cast.to == exp.DataType.build("DECIMAL(38, 0)")]


def _named_type(name: str) -> exp.DataType:
    """Return a type by a name that sqlglot does not change."""
    return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name)


def _number(text: str) -> exp.Literal:
    """Return a number literal that sqlglot writes unchanged."""
    return exp.Literal(this=text, is_string=False)


def binary_doubles(statement: exp.Expr) -> None:
    """Use binary types: DOUBLE PRECISION and FLOAT are decimal in Oracle, hold no NaN and do not round to 32 bits.

    Numbers are written 0.5d: text depends on the session's decimal separator, and 1.7e308 is too large for a NUMBER.
    """
    for cast in _casts(statement, DOUBLE):
        text = cast.this.name.lower() if isinstance(cast.this, exp.Literal) else ""
        if text and (cast.this.is_string or "e" in text):
            cast.set("this", _number(f"{text}d"))
        cast.set("to", _named_type("BINARY_DOUBLE"))
    for cast in _casts(statement, FLOAT):
        cast.set("to", _named_type("BINARY_FLOAT"))


def real(statement: exp.Expr) -> None:
    """Use a 32-bit float: FLOAT has 64 bits in SQL Server, so scores that tie under trec_eval_9 would differ.

    FLOAT(24) is REAL: sqlglot would turn REAL into FLOAT when it reads the statement again, as SQLMesh does.
    """
    for cast in _casts(statement, FLOAT):
        cast.set("to", _named_type("FLOAT(24)"))


def float_by_arithmetic(statement: exp.Expr) -> None:
    """Round to 32 bits by arithmetic, for engines whose FLOAT has 64 bits or fails on the smallest numbers.

    The sum x + 2^29 x keeps the 24 bits of x that a 32-bit float has, rounded half to even as it would be; of what lies
    below its normal numbers, 1.5 * 2^-97 + x keeps what is a multiple of 2^-149.
    """
    for cast in _casts(statement, DOUBLE):
        if isinstance(cast.this, exp.Cast) and cast.this.to.this is FLOAT:
            score = cast.this.this
            large, small = exp.Mul(this=score.copy(), expression=_double(2.0**29)), _double(1.5 * 2.0**-97)
            is_low = exp.LT(this=exp.Abs(this=score.copy()), expression=_double(2.0**-126))
            of_low, of_others = _surviving_bits(score, small), _surviving_bits(score, large)
            cast.replace(exp.Case(ifs=[exp.If(this=is_low, true=of_low)], default=of_others))


def _surviving_bits(number: exp.Expr, other: exp.Expr) -> exp.Expr:
    """Return the bits of a number that survive adding and subtracting another."""
    total = exp.paren(exp.Add(this=number.copy(), expression=other.copy()))
    return exp.Sub(this=total, expression=other.copy())


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(value)), "DOUBLE")


def powers_above_zero(statement: exp.Expr) -> None:
    """Replace powers below e^-600 by 0: PostgreSQL raises an error if a power, or a product with one, underflows."""
    for power in [*statement.find_all(exp.Exp), *statement.find_all(exp.Pow)]:
        base, is_low = power.this, None
        number = base.this if isinstance(base, exp.Cast) else base
        if isinstance(power, exp.Exp) and base.find(exp.Window):  # a product, as the sum of its logarithms
            is_low = base.copy() < -600
        elif isinstance(power, exp.Pow) and isinstance(number, exp.Literal) and 0 < float(number.name) < 1:
            is_low = power.expression.copy() > int(-600 / math.log(float(number.name)))
        if is_low is not None:
            power.replace(exp.Case(ifs=[exp.If(this=is_low, true=trees.literal(0))], default=power.copy()))


def bare_numbers(statement: exp.Expr) -> None:
    """Write numbers without quotes: Exasol reads quoted ones by the decimal separator of the session."""
    for cast in _casts(statement, DOUBLE):
        if isinstance(cast.this, exp.Literal):
            cast.set("this", _number(cast.this.name))


def signed_places(statement: exp.Expr) -> None:
    """Cast ranks to BIGINT: MySQL's are unsigned, and a negative difference or product of them fails."""
    for window in list(statement.find_all(exp.Window)):
        call = window.this  # sqlglot's versions parse it differently
        name = call.name if isinstance(call, exp.Anonymous) else call.key
        if name.lower().replace("_", "") in ("rownumber", "rank", "denserank", "ntile"):
            window.replace(exp.cast(window.copy(), "BIGINT"))


def without_variables(statement: exp.Expr) -> None:
    """Split ${…} in text: Spark and Hive replace it by the value of a setting, even in string literals."""
    for text in list(statement.find_all(exp.Literal)):
        if text.is_string and "${" in text.name:
            parts = [f"{part}$" for part in text.name.split("${")]
            parts = [parts[0], *("{" + part for part in parts[1:])]
            texts = map(exp.Literal.string, [*parts[:-1], parts[-1].removesuffix("$")])
            text.replace(exp.Concat(expressions=[*texts], safe=False, coalesce=False))
    for name in statement.find_all(exp.Identifier):
        if "${" in name.name:
            raise ArgumentError(
                f"the name {name.name!r} holds ${{, which Spark and Hive take for a setting: rename it in a view"
            )


def text_as_it_is(statement: exp.Expr) -> None:
    """Leave out casts of columns to text: these engines need a length, or cut at 30. Such columns are text already."""
    for cast in _casts(statement, exp.DataType.Type.VARCHAR):
        if isinstance(cast.this, exp.Column) and not cast.to.expressions:
            cast.replace(cast.this)


def text_of_any_length(statement: exp.Expr) -> None:
    """Cast to the longest text in Redshift, whose TEXT has 256 bytes; VARCHAR(MAX) would not run on PostgreSQL."""
    for cast in statement.find_all(exp.Cast):
        if cast.to.is_type(exp.DataType.Type.TEXT, exp.DataType.Type.VARCHAR) and not cast.to.expressions:
            cast.set("to", _named_type("VARCHAR(65535)"))


def literals_of_one_type(statement: exp.Expr) -> None:
    """Cast literals to one type: in Teradata the first SELECT of a union decides, and 'recall' after 'ap' is 're'."""
    for union in list(statement.find_all(exp.SetOperation)):
        if isinstance(union.parent, exp.SetOperation):
            continue
        for columns in zip(*(branch.expressions for branch in trees.branches(union)), strict=True):
            literals = [column.unalias() for column in columns]
            if all(isinstance(literal, exp.Literal) for literal in literals):
                width = max(len(literal.name) for literal in literals)
                is_text = any(literal.is_string for literal in literals)
                kind = _named_type(f"VARCHAR({width}) CHARACTER SET UNICODE" if is_text else "INTEGER")
                for literal in literals:
                    literal.replace(exp.Cast(this=literal.copy(), to=kind.copy()))


def literals_as_lists(statement: exp.Expr) -> None:
    """Replace a composed union of SELECTs of literals by one SELECT that unnests lists.

    DuckDB takes 6 s to plan a join with a union of 500 SELECTs. A union in a metric file stays as it is: it may remove
    duplicates, have a LIMIT or match columns by name.
    """
    for union in trees.find(statement, exp.Union):
        is_outermost = trees.mark_of(union, "is_composed") and not isinstance(union.parent, exp.SetOperation)
        if not is_outermost or not all(map(_is_of_literals, trees.branches(union))):
            continue
        columns = zip(*(branch.expressions for branch in trees.branches(union)), strict=True)
        lists = [
            exp.alias_(exp.Explode(this=exp.Array(expressions=[value.this for value in column])), column[0].alias)
            for column in columns
        ]
        union.replace(exp.Select(expressions=lists))


def _is_of_literals(select: exp.Expr) -> bool:
    is_bare = isinstance(select, exp.Select) and {key for key, value in select.args.items() if value} == {"expressions"}
    values = [value.unalias() for value in select.expressions]
    inner = [value.this if isinstance(value, exp.Cast) else value for value in values]
    return is_bare and all(isinstance(value, (exp.Literal, exp.Null)) for value in inner)


def shorter_values(statement: exp.Expr) -> None:
    """Write x for x AS x, and NULLIF(x, y) for CASE WHEN x = y THEN NULL ELSE x END, where that is the same."""
    for alias in trees.find(statement, exp.Alias):
        column, is_projection = alias.this, isinstance(alias.parent, exp.Select) and alias.arg_key == "expressions"
        if is_projection and isinstance(column, exp.Column) and not column.table and column.this == alias.args["alias"]:
            column.add_comments(alias.comments)
            alias.replace(column)
    for case in trees.find(statement, exp.Case):
        [branch, *others] = case.args["ifs"]
        test = branch.this
        is_null = not others and isinstance(test, exp.EQ) and isinstance(branch.args["true"], exp.Null)
        if case.this is None and is_null and test.this == case.args.get("default"):
            case.replace(exp.Nullif(this=test.this, expression=test.expression))


def mark_doubles(statement: exp.Expr) -> None:
    """Mark divisions of doubles as doubles, so that sqlglot does not cast them again."""
    for division in trees.find(statement, exp.Div):
        for part in (division, division.left, division.right):
            if trees.is_double(part):
                part.type = exp.DataType.build(DOUBLE)


def numbers_without_casts(statement: exp.Expr, *, everywhere: bool) -> None:
    """Write 0.8 for CAST('0.8' AS DOUBLE), everywhere or where it is compared; a double keeps 15 digits."""
    for cast in _casts(statement, DOUBLE):
        is_compared = isinstance(cast.parent, (exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE))
        text = cast.this.name if isinstance(cast.this, exp.Literal) and cast.this.is_string else "e"
        is_asked = is_compared or (everywhere and not isinstance(cast.parent, exp.Alias))
        if is_asked and re.fullmatch(r"[0.]*[1-9]?(\.?\d){0,14}", text):
            cast.replace(_number(text.removesuffix(".0") if is_compared else text))


def powers_of_whole_numbers(statement: exp.Expr) -> None:
    """Write POWER(2, 70) for an engine where that is a double as well."""
    for power in trees.find(statement, exp.Pow):
        for part in ("this", "expression"):
            cast = power.args[part]
            if isinstance(cast, exp.Cast) and cast.this.is_int and cast.to.this is DOUBLE:
                power.set(part, cast.this)
