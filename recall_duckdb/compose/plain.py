"""Writes a statement as a person would: without the casts and hints that change nothing."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.definitions import folding, trees
from recall_duckdb.definitions.trees import FROM, WITH, is_double

_DOUBLE = exp.DataType.Type.DOUBLE


def write_plainly(statement: exp.Query, *, divides_as_doubles: bool, is_of_ours: bool = True) -> None:
    """Remove, in place, what a statement with plain sums does not need.

    Args:
        statement: a statement of `compose`, before the rewrites of a dialect.
        divides_as_doubles: whether the quotient of two whole numbers is a double.
        is_of_ours: whether no metric is a file of the user, which may need a test that ours do not.
    """
    of_whole_lists = [test for test in trees.find(statement, exp.LTE) if is_of_ours and test.left == test.right]
    for test in of_whole_lists:  # each row of these relations has a rank
        relation = "" if test.parent_select is None else test.parent_select.args[FROM].this.name
        is_known = test.left.name == "ideal_rank" or relation in ("ranked", "shown")
        folding.settle(test, exp.true() if is_known else test.left.is_(exp.null()).not_())
    for logarithm in trees.find(statement, exp.Ln):
        _replace_cast(logarithm.this)
    for case in trees.find(statement, exp.Case):
        default, results = case.args.get("default"), [each.args["true"] for each in case.args["ifs"]]
        are_numbers = all(isinstance(each, exp.Literal) for each in results)
        if type(default) is exp.Cast and default.this.is_int and not are_numbers:
            _replace_cast(default)
    for division in trees.find(statement, exp.Div):
        if is_double(division.left):
            _replace_cast(division.right.this if isinstance(division.right, exp.Nullif) else division.right)
        if divides_as_doubles and not is_double(division.right):
            _replace_cast(division.left)
        division.type = exp.DataType.build(_DOUBLE)
    for key in trees.find(statement, exp.Ordered):
        if not key.args.get("nulls_first"):
            key.set("desc", key.args.get("desc") or None)  # without the word ASC
        if is_of_ours and key.this.sql() == "CASE WHEN relevance > 0 THEN relevance ELSE 0 END":
            key.set("this", trees.column("relevance"))  # gains of 0 may have any order
    with_ = statement.args.get(WITH)
    for cte in with_.expressions if with_ is not None else []:
        cte.set("materialized", None)
        select, group = cte.this, cte.this.args.get("group")
        only_keys = group is not None and group.expressions == [each.unalias() for each in select.expressions]
        if only_keys and select.args.get("having") is None:
            select.set("group", None)
            select.set("distinct", exp.Distinct())


def _replace_cast(node: exp.Expr | None) -> None:
    """Replace CAST(x AS DOUBLE) by x, and the double '2.0' by the number 2."""
    if type(node) is exp.Cast and node.to.this is _DOUBLE:
        value = node.this
        if isinstance(value, exp.Literal) and value.is_string and float(value.name).is_integer():
            value = exp.Literal.number(int(float(value.name)))
        is_operand = isinstance(value, exp.Binary) and isinstance(node.parent, exp.Binary)
        node.replace(exp.paren(value) if is_operand else value)
