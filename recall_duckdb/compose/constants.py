"""Substitutes columns that are constant, and folds what they decide."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from recall_duckdb.compose.scopes import (
    Scopes,
    find_own,
    in_window,
    is_nullable,
    is_plain,
)
from recall_duckdb.definitions import folding
from recall_duckdb.definitions.trees import is_double

_CONSTANT = (
    exp.Literal, exp.Boolean, exp.Null, exp.Cast, exp.DataType, exp.DataTypeParam, exp.Pow, exp.Paren, exp.Neg,
)  # fmt: skip

_DOUBLE = exp.DataType.Type.DOUBLE


def substitute(scopes: Scopes) -> bool:
    """Replace, in place, columns that are constant in the relation that they are read from, and fold what this decides.

    Return True if there was one.
    """
    changed = False
    for select in scopes.selects:
        if is_plain(select):
            changed |= _substitute_columns(scopes, select)
        changed |= _fold(scopes, select)
    return changed


def is_constant(expression: exp.Expr) -> bool:
    """Return True for an expression of literals alone, whose type is known."""
    if isinstance(expression, exp.Null) or not isinstance(expression, _CONSTANT):
        return False
    return all(isinstance(node, _CONSTANT) for node in expression.walk())


def _value(scopes: Scopes, item: exp.Expr, name: str) -> exp.Expr | None:
    """Return the value that a column has in every row of a relation, or None."""
    values = scopes.projection(item, name)
    same = bool(values) and is_constant(values[0]) and all(each == values[0] for each in values[1:])
    return values[0] if same else None


def _substitute_columns(scopes: Scopes, select: exp.Select) -> bool:
    changed = False
    for column in find_own(select, exp.Column):
        item = scopes.resolve(select, column)
        value = None if item is None else _value(scopes, item, column.name)
        if item is None or value is None:
            continue
        if is_nullable(item):
            changed |= scopes.joins_fill_nulls and _fold_match(scopes, select, column, item, value)
        else:
            _put(select, column, value.copy())
            changed = True
    return changed


def _fold_match(scopes: Scopes, select: exp.Select, column: exp.Column, item: exp.Expr, value: exp.Expr) -> bool:
    """Fold CASE WHEN flag = 1 THEN x END to x, if flag is 1 in all rows of the joined relation that x comes from."""
    test = column.parent
    branch = test.parent if test is not None else None
    case = branch.parent if branch is not None else None
    if not (isinstance(test, exp.EQ) and isinstance(branch, exp.If) and isinstance(case, exp.Case)):
        return False
    if case.this is not None or case.args.get("default") is not None or len(case.args["ifs"]) != 1:
        return False
    result = branch.args["true"]
    if test.expression != value or not isinstance(result, exp.Column) or scopes.resolve(select, result) is not item:
        return False
    case.replace(result)
    return True


def _put(select: exp.Select, column: exp.Column, value: exp.Expr) -> None:
    """Put a constant in the place of a column, or remove the column where a constant has no effect."""
    parent = column.parent
    if isinstance(parent, exp.Group):
        _remove_key(parent, column)
    elif isinstance(parent, exp.Ordered):
        order = parent.parent
        assert isinstance(order, exp.Order)
        if isinstance(order.parent, exp.Window) and len(order.expressions) == 1:
            # Snowflake and others refuse ROW_NUMBER() without ORDER BY. The key of the partition orders nothing either.
            parent.replace(exp.Ordered(this=order.parent.args["partition_by"][0].copy()))
            return
        parent.pop()
        if not order.expressions:
            order.pop()
    elif parent is select:
        column.replace(exp.alias_(value, column.name))
    elif isinstance(value, exp.Pow):  # a call, which needs no parentheses
        column.replace(value)
    else:
        folding.settle(column, value)


def _remove_key(group: exp.Group, column: exp.Column) -> None:
    """Remove a constant from GROUP BY, which has other keys."""
    column.pop()
    assert group.expressions


def _fold(scopes: Scopes, select: exp.Select) -> bool:
    changed = False
    for node in find_own(select, *_FOLDS):
        replacement = _FOLDS[type(node)](node) if type(node) in _FOLDS else None
        if replacement is None and type(node) is exp.Cast and _is_double_column(scopes, select, node):
            replacement = node.this
        if replacement is not None and node.parent is not None:
            if node.parent is select and node.arg_key == "expressions":
                replacement = exp.alias_(replacement, node.output_name)
            folding.settle(node, replacement)
            changed = True
    return changed


def _same_cast(cast: exp.Expr) -> exp.Expr | None:
    """Return a double that is cast to a double again."""
    is_cast = type(cast) is exp.Cast and cast.to.this is _DOUBLE
    return cast.this.unnest() if is_cast and is_double(cast.this) else None


def _is_double_column(scopes: Scopes, select: exp.Select, cast: exp.Expr) -> bool:
    """Return True if a column that is cast to a double is a double in the relation that it is read from."""
    if not isinstance(cast.this, exp.Column) or cast.args["to"].this is not _DOUBLE:
        return False
    item = scopes.resolve(select, cast.this)
    values = [] if item is None else scopes.projection(item, cast.this.name)
    return bool(values) and all(map(is_double, values))


def _number(node: exp.Expr) -> int | None:
    """Return the whole number that a literal is, also as a double."""
    literal = node.this if type(node) is exp.Cast and node.to.this is _DOUBLE else node
    return int(literal.name) if isinstance(literal, exp.Literal) and literal.is_int else None


def _no_nan(test: exp.Expr) -> exp.Expr | None:
    return None if _number(test.this) is None else exp.false()


def _fold_comparison(test: exp.Expr) -> exp.Expr | None:
    left, right = _number(test.this), _number(test.expression)
    if left is None or right is None:
        return None
    return exp.convert(left > right if isinstance(test, exp.GT) else left >= right)


def _count_ones(total: exp.Expr) -> exp.Expr | None:
    """Return COUNT(*) for CAST(SUM(1) AS …) of a group, which has rows."""
    select = total.parent_select
    is_group = isinstance(total.parent, exp.Cast) and select is not None and select.args.get("group") is not None
    is_ones = total.this == exp.Literal.number(1) and not in_window(total)
    return exp.Count(this=exp.Star(), big_int=True) if is_group and is_ones else None


def _unequal(nullif: exp.Expr) -> exp.Expr | None:
    """Return the number of NULLIF(number, 0) that is not 0."""
    return nullif.this if _number(nullif.this) and nullif.expression == exp.Literal.number(0) else None


_FOLDS: dict[type[exp.Expr], Callable[[exp.Expr], exp.Expr | None]] = {
    exp.Cast: _same_cast,
    exp.GT: _fold_comparison,
    exp.GTE: _fold_comparison,
    exp.IsNan: _no_nan,
    exp.Nullif: _unequal,
    exp.Sum: _count_ones,
}
