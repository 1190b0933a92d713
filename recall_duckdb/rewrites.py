"""What a dialect says otherwise than sqlglot writes it: a small rewrite for each, which names the fault it prevents."""

from __future__ import annotations

import re
import typing
from collections.abc import Callable, Iterator

from sqlglot import exp, parse_one, transforms
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.exasol import Exasol

from recall_duckdb import trees
from recall_duckdb.errors import ArgumentError, told

Rewrite = Callable[["exp.Expr"], None]  # quoted, since sqlglot 27 calls it otherwise
DOUBLE, FLOAT, DECIMAL = exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT, exp.DataType.Type.DECIMAL


def rewrite(statement: exp.Expr, dialect: str) -> exp.Expr:
    """The statement as the dialect has it; the one given is spent."""
    if dialect == "duckdb":
        _nan_without_statistics(statement)
        return statement
    statement = _without_qualify(_without_hints(statement))
    without_clashes(statement)
    _compared_by_bytes(statement, dialect)
    for change in _REWRITES.get(dialect, ()):
        change(statement)
    return statement


def literals_as_lists(statement: exp.Expr) -> exp.Expr:
    """Write a union of SELECTs of literals as one SELECT that unnests lists; the statement given is spent.

    DuckDB takes 6 s to plan a join with a union of 500 SELECTs.
    """
    for union in trees.find(statement, exp.Union):
        if isinstance(union.parent, exp.SetOperation) or not all(map(_is_of_literals, _branches(union))):
            continue
        columns = zip(*(branch.expressions for branch in _branches(union)), strict=True)
        lists = [
            exp.alias_(exp.Explode(this=exp.Array(expressions=[value.this for value in column])), column[0].alias)
            for column in columns
        ]
        union.replace(exp.Select(expressions=lists))
    return statement


def _is_of_literals(select: exp.Expr) -> bool:
    is_bare = isinstance(select, exp.Select) and {key for key, value in select.args.items() if value} == {"expressions"}
    values = [value.unalias() for value in select.expressions]
    inner = [value.this if isinstance(value, exp.Cast) else value for value in values]
    return is_bare and all(isinstance(value, (exp.Literal, exp.Null)) for value in inner)


def _without_hints(statement: exp.Expr) -> exp.Expr:
    """MATERIALIZED is a hint on cost that only some engines parse."""
    for cte in statement.find_all(exp.CTE):
        cte.set("materialized", None)
    return statement


def _compared_by_bytes(statement: exp.Expr, dialect: str) -> None:
    """Text ids compare by their bytes, as in trec_eval: under a language's order, ties fall otherwise; a = A in some.

    An engine that is not listed compares by bytes unless a column was made to do otherwise.
    """
    if dialect in ("mysql", "tsql"):  # where the usual collation takes the models "a" and "A" for one
        for alias in list(statement.find_all(exp.Alias)):
            if alias.alias == "model" and isinstance(alias.this, exp.Literal) and alias.find_ancestor(exp.CTE):
                alias.set("this", exp.Collate(this=alias.this, expression=exp.to_identifier("binary")))
    for collate in list(statement.find_all(exp.Collate)):
        if dialect == "postgres":  # an enum has no collation
            collate.set("this", exp.cast(collate.this, "TEXT"))
        if dialect == "mysql":  # the collation is one of this character set alone
            character_set = exp.DataType(this=exp.DataType.Type.CHARACTER_SET, kind=exp.var("utf8mb4"))
            collate.set("this", exp.Cast(this=collate.this, to=character_set))
        if dialect in COLLATIONS:
            collate.set("expression", parse_one(COLLATIONS[dialect], into=exp.Identifier, read="duckdb"))
        else:
            collate.replace(collate.this)


def _in_upper_case(statement: exp.Expr) -> None:
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


def without_clashes(statement: exp.Expr) -> None:
    """A relation of ours that has the name of a table of the user's is called otherwise.

    `WITH run AS (SELECT … FROM run)` is a circle to SQLite, and to ClickHouse in parts.
    """
    tables = list(statement.find_all(exp.Table))
    theirs = {table.name.casefold() for table in tables if table.meta.get("of_the_user")}
    for cte in statement.find_all(exp.CTE):
        old = cte.alias
        if old.casefold() not in theirs or cte.meta.get("of_the_user"):
            continue
        new = f"{old}_rows"
        while new in theirs:
            new += "_of_ours"
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(new)))
        for table in tables:
            if table.name == old and not table.meta.get("of_the_user"):
                table.set("this", exp.to_identifier(new))
                select = table.parent_select
                for column in select.find_all(exp.Column) if select and not table.alias else []:
                    if column.table == old:  # in a metric file of a user's
                        column.set("table", exp.to_identifier(new))


def _columns_of_tables(statement: exp.Expr) -> None:
    """A column of a user's is said with its relation: run."query".

    SQLite takes "qurey" for a text where there is no such column, and all rows for one query; ClickHouse takes "query"
    for the column that is called so in the same SELECT, whatever the user's holds.
    """
    for select in statement.find_all(exp.Select):
        relation = _only_relation(select)
        if relation is None or not any(table.meta.get("of_the_user") for table in relation.find_all(exp.Table)):
            continue
        for column in select.find_all(exp.Column):
            if column.this.args.get("quoted") and not column.table and column.parent_select is select:
                column.set("table", exp.to_identifier(relation.alias_or_name, quoted=True))


def _columns_of_answer(statement: exp.Expr) -> None:
    """And in `query AS "user_id", slice AS "query"` it takes query for slice."""
    select = statement.find(exp.Select)
    relation = None if select is None else _only_relation(select)
    if select is None or relation is None or not any(_is_named_by_user(column) for column in select.expressions):
        return
    for column in select.find_all(exp.Column):
        if not column.table and column.parent_select is select:
            column.set("table", exp.to_identifier(relation.alias_or_name))


def _is_named_by_user(column: exp.Expr) -> bool:
    return isinstance(column, exp.Alias) and bool(column.args["alias"].args.get("quoted"))


def _only_relation(select: exp.Select) -> exp.Expr | None:
    """What a SELECT reads, if it is one relation with a name."""
    source = select.args.get("from_") or select.args.get("from")
    if source is None or select.args.get("joins") or not source.this.alias_or_name:
        return None
    return typing.cast("exp.Expr", source.this)


def _text_is_no_number(statement: exp.Expr) -> None:
    """SQLite keeps a text in a column of numbers, as '' from a CSV, and casts it to 0."""
    for table in statement.find_all(exp.Table):
        select = table.parent_select
        for cast in _casts(select, DOUBLE) if table.meta.get("of_the_user") and select else []:
            if isinstance(cast.this, exp.Column):
                kind = exp.func("typeof", cast.this.copy())
                is_number = exp.In(this=kind, expressions=[exp.Literal.string(name) for name in ("integer", "real")])
                cast.replace(exp.Case(ifs=[exp.If(this=is_number, true=cast.copy())]))


def _nan_is_null(statement: exp.Expr) -> None:
    """An engine that stores no NaN has none to look for, and no function for it."""
    for case in list(statement.find_all(exp.Case)):
        kept = [branch for branch in case.args["ifs"] if not isinstance(branch.this, exp.IsNan)]
        if kept:
            case.set("ifs", kept)
        else:
            case.replace(case.args.get("default") or exp.null())
    for test in list(statement.find_all(exp.IsNan)):  # NULL for NULL, and else false
        test.replace(exp.paren(exp.NEQ(this=test.this, expression=test.this.copy()), copy=False))


def _nan_without_statistics(statement: exp.Expr) -> None:
    """Hide the tested number from DuckDB 2, which decides isnan(x) by the statistics of parquet files.

    Writers leave NaN out of these statistics, so isnan(x) would be false for every row, and a column of 1.0 and NaN
    would be the constant 1.0. DuckDB keeps no statistics of a union's value.
    """
    for test in trees.find(statement, exp.IsNan):
        member = exp.PropertyEQ(this=exp.to_identifier("x"), expression=test.this)
        union = exp.Anonymous(this="union_value", expressions=[member])
        test.set("this", exp.Anonymous(this="union_extract", expressions=[union, exp.Literal.string("x")]))


def _nan_by_comparison(statement: exp.Expr) -> None:
    """PostgreSQL and Snowflake have no function for NaN, which equals itself there."""
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.EQ(this=test.this, expression=exp.cast(exp.Literal.string("NaN"), "DOUBLE")))


def _nan_by_text(statement: exp.Expr) -> None:
    """Hive and StarRocks have no function for NaN, older Doris neither, and not all hold it equal to itself."""
    for test in list(statement.find_all(exp.IsNan)):
        text = exp.Lower(this=exp.cast(test.this, "TEXT"))
        test.replace(exp.EQ(this=text, expression=exp.Literal.string("nan")))


def _is_nan(statement: exp.Expr) -> None:
    """Oracle has a condition for NaN, and no function."""
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.Is(this=test.this, expression=exp.var("NAN")))


def _isnan(statement: exp.Expr) -> None:
    """DataFusion has the function of the name that DuckDB has."""
    for test in list(statement.find_all(exp.IsNan)):
        test.replace(exp.Anonymous(this="isnan", expressions=[test.this]))


def _decimal_of_no_null(statement: exp.Expr) -> None:
    """ClickHouse casts what lies below a NULL too, which may be NaN, and fails; a sum takes 0 as it takes NULL."""
    for cast in _whole_decimals(statement):
        if isinstance(cast.parent, exp.Sum):
            cast.set("this", exp.Coalesce(this=cast.this, expressions=[exp.cast(exp.Literal.number(0), "DOUBLE")]))


def _decimal_by_text(statement: exp.Expr) -> None:
    """PostgreSQL keeps 15 digits of a double as a decimal, and all in its text: a sum of 1s would be no whole."""
    for cast in _whole_decimals(statement):
        cast.set("this", exp.cast(cast.this, "TEXT"))


def _decimal_of_any_size(statement: exp.Expr) -> None:
    """RisingWave refuses a decimal of a size that is given; what the size rounds is rounded."""
    for cast in _whole_decimals(statement):
        cast.set("to", exp.DataType.build("DECIMAL"))
        cast.set("this", exp.Round(this=cast.this))


def _shorter_decimals(statement: exp.Expr) -> None:
    """Exasol has 36 digits at most.

    They are enough: 36 leave room for sums to 10^36 / 2^70, which is 8e14, and within a query to 10^36 / 2^80, 8e11.
    """
    for cast in _whole_decimals(statement):
        cast.set("to", exp.DataType.build("DECIMAL(36, 0)"))


def _casts(statement: exp.Expr, kind: object) -> list[exp.Cast]:
    return [cast for cast in statement.find_all(exp.Cast) if cast.to.this is kind]


def _whole_decimals(statement: exp.Expr) -> list[exp.Cast]:
    """The casts by which sums are exact; a metric file of a user's may have others."""
    return [cast for cast in _casts(statement, DECIMAL) if cast.to == exp.DataType.build("DECIMAL(38, 0)")]


def _named_type(name: str) -> exp.DataType:
    """A type that an engine has under a name that sqlglot would write otherwise."""
    return exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=name)


def _number(text: str) -> exp.Literal:
    """A number as it is written here."""
    return exp.Literal(this=text, is_string=False)


def _binary_doubles(statement: exp.Expr) -> None:
    """DOUBLE PRECISION and FLOAT are decimal in Oracle: they hold no NaN, and 1 + 1e-12 as 32 bits is not 1 in them.

    A number is written 0.5d: text is read by the session's decimal sign, and 1.7e308 is too large for a NUMBER.
    """
    for cast in _casts(statement, DOUBLE):
        text = cast.this.name.lower() if isinstance(cast.this, exp.Literal) else ""
        if text and (cast.this.is_string or "e" in text):
            cast.set("this", _number(f"{text}d"))
        cast.set("to", _named_type("BINARY_DOUBLE"))
    for cast in _casts(statement, FLOAT):
        cast.set("to", _named_type("BINARY_FLOAT"))


def _real(statement: exp.Expr) -> None:
    """FLOAT has 64 bits in SQL Server: scores of trec_eval_9 that are equal as 32 bits would differ.

    It is REAL by another name: REAL becomes FLOAT where sqlglot reads the statement again, as SQLMesh does.
    """
    for cast in _casts(statement, FLOAT):
        cast.set("to", _named_type("FLOAT(24)"))


def _float_by_arithmetic(statement: exp.Expr) -> None:
    """A double rounded to 32 bits, where FLOAT has 64 and scores would not be tied, or fails on the smallest ones.

    The sum x + 2^29 x keeps the 24 bits of x that a 32-bit float has, rounded half to even as it would be; of what lies
    below its normal numbers, 1.5 * 2^-97 + x keeps what is a multiple of 2^-149.
    """
    for cast in _casts(statement, DOUBLE):
        if isinstance(cast.this, exp.Cast) and cast.this.to.this is FLOAT:
            score = cast.this.this
            large, small = exp.Mul(this=score.copy(), expression=_double(2.0**29)), _double(1.5 * 2.0**-97)
            is_low = exp.LT(this=exp.Abs(this=score.copy()), expression=_double(2.0**-126))
            cast.replace(exp.Case(ifs=[exp.If(this=is_low, true=_kept(score, small))], default=_kept(score, large)))


def _kept(number: exp.Expr, other: exp.Expr) -> exp.Expr:
    """What of a number is left when another is added and taken away again."""
    total = exp.paren(exp.Add(this=number.copy(), expression=other.copy()))
    return exp.Sub(this=total, expression=other.copy())


def _double(value: float) -> exp.Expr:
    return exp.cast(exp.Literal.string(repr(value)), "DOUBLE")


def _bare_numbers(statement: exp.Expr) -> None:
    """Text is read by the decimal sign of the session in Exasol, a number is not."""
    for cast in _casts(statement, DOUBLE):
        if isinstance(cast.this, exp.Literal):
            cast.set("this", _number(cast.this.name))


def _signed_places(statement: exp.Expr) -> None:
    """MySQL counts places without a sign, and fails where a difference or product of them is below 0."""
    for window in list(statement.find_all(exp.Window)):
        call = window.this  # known by another name, or by none, to each version of sqlglot
        name = call.name if isinstance(call, exp.Anonymous) else call.key
        if name.lower().replace("_", "") in ("rownumber", "rank", "denserank", "ntile"):
            window.replace(exp.cast(window.copy(), "BIGINT"))


def _quoted(*words: str) -> Rewrite:
    """Names of ours that are reserved words, and a syntax error when bare."""

    def change(statement: exp.Expr) -> None:
        for name in list(statement.find_all(exp.Identifier)):
            if name.name in words and not name.args.get("quoted"):
                name.set("quoted", True)

    return change


def _peers_as_partition(statement: exp.Expr) -> None:
    """Rows of equal keys as a partition: Redshift has no RANGE, the others not this frame or with one key only."""
    for window in statement.find_all(exp.Window):
        frame = window.args.get("spec")
        if frame and (frame.args["kind"], frame.args["start"], frame.args["end"]) == ("RANGE", *["CURRENT ROW"] * 2):
            keys = [ordered.this for ordered in window.args["order"].expressions]
            window.set("partition_by", [*(window.args.get("partition_by") or []), *keys])
            window.set("order", None)
            window.set("spec", None)


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
            own = _columns_in(relation, columns)
            alias = relation.alias_or_name
            keys = [key.name for key in join.args.get("using") or []] if join is not None else []
            if join is not None and keys:
                if join.side in ("RIGHT", "FULL"):
                    raise ArgumentError(
                        f"a metric file has a {join.side} JOIN with USING, which this dialect has not: let it begin "
                        "with the relation of all rows, and join the others from the left"
                    )
                pairs = [exp.EQ(this=exp.column(key, held[key]), expression=exp.column(key, alias)) for key in keys]
                join.set("using", None)
                join.set("on", exp.and_(*pairs, copy=False))
            for name in own:
                held.setdefault(name, alias)
        shared = {key for join in joins if join.args.get("on") for key in _names_in(join.args["on"])}
        for column in list(select.find_all(exp.Column)):
            if not column.table and column.name in shared and column.parent_select is select:
                column.set("table", exp.to_identifier(held[column.name]))


def _columns_in(relation: exp.Expr, columns: dict[str, list[str]]) -> list[str]:
    """The names of a relation's columns; raises `ArgumentError` where they are not known."""
    if isinstance(relation, exp.Subquery):
        return list(relation.named_selects)
    if relation.name not in columns:
        raise ArgumentError(
            f"a metric file joins {relation.sql('duckdb')}, whose columns are not known: this dialect needs those "
            "of all that is joined. Join a relation of the pipeline or a subquery"
        )
    return columns[relation.name]


def _names_in(condition: exp.Expr) -> set[str]:
    return {column.name for column in condition.find_all(exp.Column)}


def _qualified(statement: exp.Expr) -> None:
    """Columns with their relation: one that has the name of an alias is LOCAL.query, the alias, in sqlglot's Exasol.

    And sqlglot 27 writes GROUP BY 1 for it, which is a constant to Oracle. Keys stand on both sides of ON by now.
    """
    columns = {cte.alias: cte.this.named_selects for cte in statement.find_all(exp.CTE)}
    for select in statement.find_all(exp.Select):
        source = select.args.get("from_") or select.args.get("from")
        if source is None:
            continue
        relations = [source.this, *(join.this for join in select.args.get("joins") or [])]
        held: dict[str, str] = {}
        for relation in relations if len(relations) > 1 else []:
            own = _columns_in(relation, columns)
            held = {**dict.fromkeys(own, relation.alias_or_name), **held}
        for column in list(select.find_all(exp.Column)):
            order = column.find_ancestor(exp.Order)
            may_be_alias = order is not None and order.parent is select
            if not column.table and column.parent_select is select and not may_be_alias:
                column.set("table", exp.to_identifier(held.get(column.name, relations[0].alias_or_name)))


def _without_from(statement: exp.Expr) -> Iterator[exp.Select]:
    for select in list(statement.find_all(exp.Select)):
        if not (select.args.get("from_") or select.args.get("from")):
            yield select


def _from_dual(statement: exp.Expr) -> None:
    """Oracle has no SELECT without FROM before 23ai."""
    for select in _without_from(statement):
        select.from_("dual", copy=False)


def _from_one_row(statement: exp.Expr) -> None:
    """Teradata refuses a SELECT without FROM in a set operation (error 3888)."""
    for select in _without_from(statement):
        if isinstance(select.parent, exp.SetOperation):
            select.from_(exp.select(exp.alias_(exp.Literal.number(1), "one")).subquery("one_row"), copy=False)


def _literals_of_one_type(statement: exp.Expr) -> None:
    """The first SELECT of a union makes its types in Teradata: 'recall' after 'ap' is 're', 128 after 1 an error."""
    for union in list(statement.find_all(exp.SetOperation)):
        if isinstance(union.parent, exp.SetOperation):
            continue
        for columns in zip(*(branch.expressions for branch in _branches(union)), strict=True):
            literals = [column.unalias() for column in columns]
            if all(isinstance(literal, exp.Literal) for literal in literals):
                width = max(len(literal.name) for literal in literals)
                is_text = any(literal.is_string for literal in literals)
                kind = _named_type(f"VARCHAR({width}) CHARACTER SET UNICODE" if is_text else "INTEGER")
                for literal in literals:
                    literal.replace(exp.Cast(this=literal.copy(), to=kind.copy()))


def _branches(query: exp.Expr) -> list[exp.Expr]:
    """The SELECTs of a set operation, in their order."""
    found, ahead = [], [query]
    while ahead:
        node = ahead.pop()
        if isinstance(node, exp.SetOperation):
            ahead += [node.expression, node.this]
        else:
            found.append(node)
    return found


def _unique_subqueries(statement: exp.Expr) -> None:
    """Teradata wants another correlation name for every derived table of a statement."""
    taken = {each.alias_or_name for each in statement.find_all(exp.CTE, exp.Table)}
    for subquery in statement.find_all(exp.Subquery):
        name, number = subquery.alias, 1
        while name in taken:
            number += 1
            name = f"{subquery.alias}_{number}"
        subquery.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
        taken.add(name)


def _with_data(statement: exp.Expr) -> None:
    """Teradata wants the query of a new table in parentheses, and to be told to fill the table."""
    if isinstance(statement, exp.Create) and statement.kind == "TABLE":
        statement.set("expression", statement.expression.subquery(copy=False))
        statement.set("properties", exp.Properties(expressions=[exp.WithDataProperty(no=False)]))


def _no_new_tables(statement: exp.Expr) -> None:
    """Materialize makes no table of a query."""
    if isinstance(statement, exp.Create) and statement.kind == "TABLE":
        raise ArgumentError(
            f"table: Materialize makes no table of a query; pass {told('view')}, and make it materialized there"
        )


class _Exasol(Exasol):
    """NULL is the largest value to Exasol (Teiid's manual); sqlglot 27 takes it for the smallest, 30 for the last.

    Either leaves out a NULLS LAST, and the largest of a query would be NULL.
    """

    NULL_ORDERING = "nulls_are_large"


# The order of text by its bytes, in the engines that have others, one of which may be the default.
COLLATIONS = {
    "fabric": "Latin1_General_100_BIN2_UTF8",
    "mysql": "utf8mb4_bin",
    "postgres": '"C"',
    "sqlite": "BINARY",
    "tsql": "Latin1_General_100_BIN2_UTF8",
}

# Dialects that sqlglot has not, and the one it writes for them; or one that it knows otherwise than it is.
WRITERS: dict[str, str | type[Dialect]] = {"datafusion": "postgres", "exasol": _Exasol}

_REWRITES: dict[str, tuple[Rewrite, ...]] = {
    "bigquery": (_float_by_arithmetic,),
    "clickhouse": (_decimal_of_no_null, _columns_of_tables, _columns_of_answer),
    "databricks": (_without_variables,),
    "datafusion": (_isnan, _on_for_using),
    "doris": (_nan_by_text, _peers_as_partition),
    "exasol": (
        _nan_is_null,
        _float_by_arithmetic,
        _bare_numbers,
        _shorter_decimals,
        _on_for_using,
        _qualified,
        _quoted("before", "catalog", "found", "others", "value"),
        _in_upper_case,
    ),
    "fabric": (_nan_is_null, _real, _on_for_using),
    "hive": (_nan_by_text, _peers_as_partition, _without_variables),
    "materialize": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition, _no_new_tables),
    "mysql": (_nan_is_null, _float_by_arithmetic, _signed_places),
    "oracle": (_is_nan, _binary_doubles, _from_dual, _on_for_using, _qualified, _quoted("share"), _in_upper_case),
    "postgres": (_nan_by_comparison, _float_by_arithmetic, _decimal_by_text),
    "redshift": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition),
    "risingwave": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition, _decimal_of_any_size),
    "snowflake": (_nan_by_comparison, _float_by_arithmetic, _peers_as_partition, _in_upper_case),
    "spark": (_without_variables,),
    "sqlite": (_nan_is_null, _float_by_arithmetic, _text_is_no_number, _columns_of_tables),
    "starrocks": (_nan_by_text, _peers_as_partition, _quoted("before")),
    "teradata": (
        _nan_is_null,
        _float_by_arithmetic,
        _peers_as_partition,
        _literals_of_one_type,
        _from_one_row,
        _unique_subqueries,
        _on_for_using,
        _quoted("before", "found", "rank", "value"),
        _with_data,
    ),
    "tsql": (_nan_is_null, _real, _on_for_using),
}
