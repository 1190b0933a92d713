"""Rewrites a statement's structure for an engine: subqueries, joins, names and clauses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import cast

from sqlglot import exp, transforms

from recall_duckdb.definitions import trees
from recall_duckdb.errors import ArgumentError, spell

# Changes a statement in place. The type is a string because sqlglot 27 has another name for it.
Rewrite = Callable[["exp.Expr"], None]


def without_hints(statement: exp.Expr) -> None:
    """Remove MATERIALIZED, a hint on cost that only some engines parse."""
    for cte in statement.find_all(exp.CTE):
        cte.set("materialized", None)


def without_collations(statement: exp.Expr) -> None:
    """Remove collations for an engine that compares text by its bytes by default."""
    for collate in list(statement.find_all(exp.Collate)):
        collate.replace(collate.this)


def without_qualify(statement: exp.Expr) -> exp.Expr:
    """Replace QUALIFY by a filter on a subquery, and return the statement, whose outermost SELECT may be a new one.

    sqlglot names the subquery with a leading underscore, which Oracle rejects.
    """
    for select in reversed(list(statement.find_all(exp.Select))):  # inner queries first
        if select.args.get("qualify"):
            said, select.comments = select.comments, None
            replacement = transforms.eliminate_qualify(select.copy())
            replacement.comments = said
            for name in replacement.find_all(exp.Identifier):
                if name.name in ("_t", "_w"):
                    name.set("this", f"ranked{name.name}")
            if select.parent is None:
                return replacement
            select.replace(replacement)
    return statement


def without_clashes(statement: exp.Expr) -> None:
    """Rename every CTE that has the name of a table of the user.

    SQLite, and ClickHouse in some places, read `WITH run AS (SELECT … FROM run)` as a circular reference.
    """
    tables = list(statement.find_all(exp.Table))
    theirs = {table.name.casefold() for table in tables if trees.is_of_user(table)}
    for cte in statement.find_all(exp.CTE):
        old = cte.alias
        if old.casefold() not in theirs or trees.is_of_user(cte):
            continue
        new = f"{old}_rows"
        while new in theirs:
            new += "_of_ours"
        cte.set("alias", exp.TableAlias(this=exp.to_identifier(new)))
        for table in tables:
            if table.name == old and not trees.is_of_user(table):
                table.set("this", exp.to_identifier(new))
                select = table.parent_select
                for column in select.find_all(exp.Column) if select and not table.alias else []:
                    if column.table == old:  # in a user's metric file
                        column.set("table", exp.to_identifier(new))


def in_upper_case(statement: exp.Expr) -> None:
    """Write the user's names in capitals: the engine reads an unquoted user_id as USER_ID."""
    for name in statement.find_all(exp.Identifier):
        if (name._meta or {}).get("as_given") and re.fullmatch("[a-z_][a-z0-9_]*", name.name):
            name.set("this", name.name.upper())


def quote_reserved_words(*words: str) -> Rewrite:
    """Quote column names of the pipeline that are reserved words in the dialect."""

    def change(statement: exp.Expr) -> None:
        for name in list(statement.find_all(exp.Identifier)):
            if name.name in words and not name.args.get("quoted"):
                name.set("quoted", True)

    return change


def columns_of_tables(statement: exp.Expr) -> None:
    """Qualify the user's columns with their relation: run."query".

    SQLite reads "qurey" as text if there is no such column, which puts all rows into one query. ClickHouse reads
    "query" as the alias of that name in the same SELECT instead of the user's column.
    """
    for select in statement.find_all(exp.Select):
        relation = only_relation(select)
        if relation is None or not any(trees.is_of_user(table) for table in relation.find_all(exp.Table)):
            continue
        for column in _unqualified(select):
            if column.this.args.get("quoted"):
                column.set("table", exp.to_identifier(relation.alias_or_name, quoted=True))


def columns_of_answer(statement: exp.Expr) -> None:
    """Qualify output columns: in `query AS "user_id", slice AS "query"`, ClickHouse reads query as slice."""
    select = statement.find(exp.Select)
    relation = None if select is None else only_relation(select)
    aliases = [each.args["alias"] for each in select.expressions if isinstance(each, exp.Alias)] if select else []
    if select is None or relation is None or not any(alias.args.get("quoted") for alias in aliases):
        return
    answer = set(select.named_selects)
    for column in _unqualified(select):
        if column.name not in answer or column.find_ancestor(exp.Order) is None:
            column.set("table", exp.to_identifier(relation.alias_or_name))


def _unqualified(select: exp.Select) -> list[exp.Column]:
    """Return the columns of a SELECT, without those of its subqueries, that name no relation."""
    return [column for column in trees.find(select, exp.Column) if not column.table and column.parent_select is select]


def only_relation(select: exp.Select) -> exp.Expr | None:
    """Return the only relation that a SELECT reads, if it has a name."""
    relation = _first_relation(select)
    if relation is None or select.args.get("joins") or not relation.alias_or_name:
        return None
    return relation


def _first_relation(select: exp.Select) -> exp.Expr | None:
    source = select.args.get(trees.FROM)
    return None if source is None else cast("exp.Expr", source.this)


def peers_as_partition(statement: exp.Expr) -> None:
    """Replace RANGE frames over equal keys by a partition: Redshift has no RANGE, other engines not this frame."""
    for window in statement.find_all(exp.Window):
        frame = window.args.get("spec")
        if frame and (frame.args["kind"], frame.args["start"], frame.args["end"]) == ("RANGE", *["CURRENT ROW"] * 2):
            keys = [ordered.this for ordered in window.args["order"].expressions]
            window.set("partition_by", [*(window.args.get("partition_by") or []), *keys])
            window.set("order", None)
            window.set("spec", None)


def on_for_using(statement: exp.Expr) -> None:
    """Replace USING by ON with qualified keys, for engines without USING or with ambiguous keys after it."""
    columns = {cte.alias: cte.this.named_selects for cte in statement.find_all(exp.CTE)}
    for select in statement.find_all(exp.Select):
        joins, first = select.args.get("joins") or [], _first_relation(select)
        if first is None or not any(join.args.get("using") for join in joins):
            continue
        owners: dict[str, str] = {}  # by column name: the first relation that has the column
        for relation, join in [(first, None), *((join.this, join) for join in joins)]:
            names = _columns_in(relation, columns)
            alias = relation.alias_or_name
            keys = [key.name for key in join.args.get("using") or []] if join is not None else []
            if join is not None and keys:
                if join.side in ("RIGHT", "FULL"):
                    fix = "Start with the relation that has all rows, and LEFT JOIN the others"
                    told = f"a metric file has a {join.side} JOIN with USING, which this dialect lacks"
                    raise ArgumentError(told, fix=fix)
                pairs = [exp.EQ(this=exp.column(key, owners[key]), expression=exp.column(key, alias)) for key in keys]
                join.set("using", None)
                join.set("on", exp.and_(*pairs, copy=False))
            for name in names:
                owners.setdefault(name, alias)
        conditions = [join.args["on"] for join in joins if join.args.get("on")]
        shared = {column.name for condition in conditions for column in condition.find_all(exp.Column)}
        for column in _unqualified(select):
            if column.name in shared:
                column.set("table", exp.to_identifier(owners[column.name]))


def _columns_in(relation: exp.Expr, columns: dict[str, list[str]]) -> list[str]:
    """Return the names of a relation's columns; raises `ArgumentError` if they are not known."""
    if isinstance(relation, exp.Subquery):
        return list(relation.named_selects)
    if relation.name not in columns:
        told = f"a metric file joins {relation.sql('duckdb')}, whose columns are unknown, but this dialect needs the"
        fix = "Join a relation of the pipeline or a subquery"
        raise ArgumentError(f"{told} columns of all joined relations", fix=fix)
    return columns[relation.name]


def qualify_columns(statement: exp.Expr) -> None:
    """Qualify every column: sqlglot's Exasol reads a column that has the name of an alias as the alias, LOCAL.query.

    sqlglot 27 writes GROUP BY 1 for such a column, which is a constant in Oracle. Keys are on both sides of ON by now.
    """
    columns = {cte.alias: cte.this.named_selects for cte in statement.find_all(exp.CTE)}
    for select in statement.find_all(exp.Select):
        first = _first_relation(select)
        if first is None:
            continue
        relations = [first, *(join.this for join in select.args.get("joins") or [])]
        owners: dict[str, str] = {}
        for relation in relations if len(relations) > 1 else []:
            names = _columns_in(relation, columns)
            owners = {**dict.fromkeys(names, relation.alias_or_name), **owners}
        for column in _unqualified(select):
            order = column.find_ancestor(exp.Order)
            if order is None or order.parent is not select:
                column.set("table", exp.to_identifier(owners.get(column.name, relations[0].alias_or_name)))


def from_dual(statement: exp.Expr) -> None:
    """Add FROM dual: Oracle before 23ai has no SELECT without FROM."""
    for select in list(statement.find_all(exp.Select)):
        if _first_relation(select) is None:
            select.from_("dual", copy=False)


def from_one_row(statement: exp.Expr) -> None:
    """Add a FROM clause: Teradata rejects a SELECT without one in a set operation (error 3888)."""
    for select in list(statement.find_all(exp.Select)):
        if _first_relation(select) is None and isinstance(select.parent, exp.SetOperation):
            select.from_(exp.select(exp.alias_(exp.Literal.number(1), "one")).subquery("one_row"), copy=False)


def unique_subqueries(statement: exp.Expr) -> None:
    """Give every derived table a name of its own, as Teradata requires."""
    taken = {each.alias_or_name for each in statement.find_all(exp.CTE, exp.Table)}
    for subquery in statement.find_all(exp.Subquery):
        name, number = subquery.alias, 1
        while name in taken:
            number += 1
            name = f"{subquery.alias}_{number}"
        subquery.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
        taken.add(name)


def with_data(statement: exp.Expr) -> None:
    """Put the query of a new table in parentheses and add WITH DATA, as Teradata requires."""
    if isinstance(statement, exp.Create) and statement.kind == "TABLE":
        statement.set("expression", statement.expression.subquery(copy=False))
        statement.set("properties", exp.Properties(expressions=[exp.WithDataProperty(no=False)]))


def no_new_tables(statement: exp.Expr) -> None:
    """Refuse to create a table: Materialize cannot create one from a query."""
    if isinstance(statement, exp.Create) and statement.kind == "TABLE":
        fix = f"Pass {spell('form', 'view')} and materialize it there"
        raise ArgumentError("Materialize cannot create a table from a query", argument="form", fix=fix)
