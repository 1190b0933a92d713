"""Reads the expression that gives the unit of an item, such as `split_part(item, '#', 1)`."""

from __future__ import annotations

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from recall_duckdb.definitions import trees
from recall_duckdb.definitions.volatile import volatile_call
from recall_duckdb.errors import ArgumentError, commas, quote

ITEM = "item"
# What has no value for a single item.
_OF_ROWS = (exp.Query, exp.Table, exp.AggFunc, exp.Window, exp.Unnest, exp.Explode, exp.Star)


def unit_of_item(text: str) -> exp.Expr | None:
    """Return the expression over the column `item` in a text; None for a path, the name of a table or a query.

    Raises:
        ArgumentError: it reads something else, or its value may change from call to call.
    """
    try:
        tree = parse_one(text, read="duckdb")
    except SqlglotError:
        return None
    columns = [column for column in trees.find(tree, exp.Column) if not isinstance(column.this, exp.Star)]
    others = sorted({column.sql("duckdb") for column in columns if column.sql("duckdb").casefold() != ITEM})
    is_value = isinstance(tree, (exp.Func, exp.DPipe, exp.Bracket, exp.Paren)) or not others
    if isinstance(tree, (exp.Column, exp.Query, exp.Command)) or not columns or not is_value:
        return None
    volatile = volatile_call(tree)
    wrong = f"calls {volatile}, whose value may change" if volatile else f"reads {commas(others)}" if others else ""
    try:
        trees.check_modulo(tree)
    except ValueError as error:
        raise ArgumentError(str(error), argument="item_map", fix="As in item - (item % 10)") from None
    if not wrong and trees.find(tree, *_OF_ROWS, exp.Placeholder, exp.Parameter):
        wrong = "has no value for a single item"
    if wrong:
        fix = "Write an expression over the column item alone, such as split_part(item, '#', 1), or pass a table with"
        raise ArgumentError(f"{quote(text)} {wrong}", argument="item_map", fix=f"{fix} the columns item and unit")
    for column in columns:
        column.set("this", exp.to_identifier(ITEM))
    return tree
