"""Writes a statement as a person would: without the casts and hints that change nothing."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.definitions import folding, trees
from recall_duckdb.definitions.trees import FROM, is_double

_DOUBLE = exp.DataType.Type.DOUBLE


def write_plainly(statement: exp.Query, *, divides_as_doubles: bool, is_of_ours: bool = True) -> None:
    """Remove, in place, what a statement with plain sums does not need.

    Args:
        statement: a statement of `compose`, before the rewrites of a dialect.
        divides_as_doubles: whether the quotient of two whole numbers is a double.
        is_of_ours: whether no metric is a file of the user, which may need a test that ours do not.
    """
    is_tied = any(cte.alias == "tied_groups" for cte in statement.ctes)  # whose rows have no rank in the ideal order
    of_whole_lists = [test for test in trees.find(statement, exp.LTE) if is_of_ours and test.left == test.right]
    for test in of_whole_lists:  # each row of these relations has a rank
        relation = "" if test.parent_select is None else test.parent_select.args[FROM].this.name
        is_known = (test.left.name == "ideal_rank" and not is_tied) or relation in ("ranked", "shown")
        folding.settle(test, exp.true() if is_known else test.left.is_(exp.null()).not_())
    for logarithm in trees.find(statement, exp.Ln):
        _replace_cast(logarithm.this)
    for case in trees.find(statement, exp.Case):
        default, results = case.args.get("default"), [each.args["true"] for each in case.args["ifs"]]
        are_numbers = all(isinstance(each, exp.Literal) for each in results)
        if type(default) is exp.Cast and default.this.is_int and not are_numbers:
            _replace_cast(default)
    for division in trees.find(statement, exp.Div):
        if divides_as_doubles or is_double(division.left):
            _replace_cast(division.right.this if isinstance(division.right, exp.Nullif) else division.right)
        if divides_as_doubles and not is_double(division.right):
            _replace_cast(division.left)
        division.type = exp.DataType.build(_DOUBLE)
    for key in trees.find(statement, exp.Ordered):
        if not key.args.get("nulls_first"):
            key.set("desc", key.args.get("desc") or None)  # without the word ASC
        is_first = is_of_ours and key.arg_key == "expressions" and not key.index  # there, gains of 0 are alike
        if is_first and key.this.sql() == "CASE WHEN relevance > 0 THEN relevance ELSE 0 END":
            key.set("this", trees.column("relevance"))
    for cte in statement.ctes:
        cte.set("materialized", None)
        if cte.this.args.get("group") is not None:
            _write_group(cte.this, is_of_ours=is_of_ours)


def _write_group(select: exp.Select, *, is_of_ours: bool) -> None:
    """Remove COALESCE and NULLIF around what is never NULL or 0 in a SELECT with GROUP BY; DISTINCT for keys alone."""
    for guard in reversed(trees.find(select, exp.Coalesce, exp.Nullif) if is_of_ours else []):
        is_count = type(guard.this) is exp.Count and guard.this.this == exp.Star()  # a group has rows
        if is_count or (type(guard) is exp.Coalesce and _has_value(guard.this)):
            guard.replace(guard.this)
    is_of_keys = select.args["group"].expressions == [each.unalias() for each in select.expressions]
    if is_of_keys and select.args.get("having") is None:
        select.set("group", None)
        select.set("distinct", exp.Distinct())
        select.comments = [f"{each.partition(',')[0].rstrip()} " for each in select.comments or []]


def _has_value(node: exp.Expr) -> bool:
    """Return True if the value of a metric in a group is never NULL: it is made of sums of CASE … ELSE."""
    of_cases = [isinstance(each, exp.Count) or type(each.this) is exp.Case for each in node.find_all(exp.AggFunc)]
    may_be_null = node.find(exp.Nullif) or any(not case.args.get("default") for case in node.find_all(exp.Case))
    return bool(of_cases) and all(of_cases) and not may_be_null


def _replace_cast(node: exp.Expr | None) -> None:
    """Replace CAST(x AS DOUBLE) by x, and the double '2.0' by the number 2."""
    if type(node) is exp.Cast and node.to.this is _DOUBLE:
        value = node.this
        if isinstance(value, exp.Literal) and value.is_string:
            if not float(value.name).is_integer():
                return
            value = exp.Literal.number(int(float(value.name)))
        is_operand = isinstance(value, exp.Binary) and isinstance(node.parent, exp.Binary)
        node.replace(exp.paren(value) if is_operand else value)
