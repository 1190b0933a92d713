"""Folds what a literal decides: `coalesce(10, rank)` becomes `10`, and a condition that is true is removed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from sqlglot import exp


def settle(node: exp.Expr, replacement: exp.Expr) -> None:
    """Replace a node, then every ancestor that is decided by now."""
    while node.parent is not None:  # a part that was folded away has no parent
        above = node.parent
        if isinstance(replacement, exp.Binary):
            operator = isinstance(above, (exp.Binary, exp.Unary)) and not isinstance(above, (exp.Connector, exp.Paren))
            if operator or (isinstance(above, exp.And) and isinstance(replacement, exp.Or)):
                replacement = exp.Paren(this=replacement)
        node.replace(replacement)
        node = replacement
        parent = node.parent
        if isinstance(parent, exp.If):
            parent = parent.parent
        if parent is None or parent.parent is None:  # it was folded away, and its parts are elsewhere
            return
        fold = _FOLDS.get(type(parent))
        folded = fold(parent) if fold else None
        if folded is None or folded is parent:  # it stays, or was removed
            return
        node, replacement = parent, folded


def _is_constant(node: exp.Expr | None) -> bool:
    return isinstance(node, (exp.Literal, exp.Boolean, exp.Null))


def truth(node: exp.Expr | None) -> bool | None:
    """Return the truth of a node that is TRUE or FALSE; None for others."""
    return bool(node.this) if isinstance(node, exp.Boolean) else None


def _fold_comparison(node: Any) -> exp.Expr | None:
    if not (_is_constant(node.left) and _is_constant(node.right)):
        return None
    if isinstance(node.left, exp.Null) or isinstance(node.right, exp.Null):
        return exp.null()
    return exp.convert((node.left == node.right) == isinstance(node, exp.EQ))


def _fold_is(node: Any) -> exp.Expr | None:
    tested = node.this.this if isinstance(node.this, exp.Cast) else node.this  # 0.7 is CAST('0.7' AS DOUBLE)
    decided = isinstance(node.expression, exp.Null) and _is_constant(tested)
    return exp.convert(isinstance(tested, exp.Null)) if decided else None


def _fold_not(node: Any) -> exp.Expr | None:
    known = truth(node.this)
    return None if known is None else exp.convert(not known)


def _fold_paren(node: Any) -> exp.Expr | None:
    """Remove parentheses around anything but an operator, and around one condition among others."""
    inner = node.this
    among_conditions = isinstance(node.parent, (exp.Connector, exp.Where)) and not isinstance(inner, exp.Connector)
    return cast("exp.Expr", inner) if among_conditions or not isinstance(inner, exp.Binary) else None


def _fold_order_key(node: Any) -> exp.Expr | None:
    return _remove(node) if _is_constant(node.this) else None


def _fold_clause(node: Any) -> exp.Expr | None:
    if not truth(node.this):
        return None
    if isinstance(node.parent, exp.Filter):
        node.parent.replace(node.parent.this)
        return node  # type: ignore[no-any-return]
    return _remove(node)


def _remove(node: exp.Expr) -> exp.Expr:
    node.pop()
    return node


def _fold_connector(node: Any) -> exp.Expr | None:
    decisive = isinstance(node, exp.Or)  # TRUE decides an OR, FALSE an AND
    for side, other in ((node.left, node.right), (node.right, node.left)):
        known = truth(side)
        if known is not None:
            rest = other.unnest() if isinstance(node.parent, exp.Where) else other
            return exp.convert(decisive) if known == decisive else rest
    return None


def _fold_coalesce(node: Any) -> exp.Expr | None:
    arguments = [node.this, *node.expressions]
    if not _is_constant(arguments[0]):
        return None
    if not isinstance(arguments[0], exp.Null) or len(arguments) == 1:
        return cast("exp.Expr", arguments[0])
    if len(arguments) == 2:
        return cast("exp.Expr", arguments[1])
    return exp.Coalesce(this=arguments[1], expressions=arguments[2:])


def _fold_case(node: Any) -> exp.Expr | None:
    if node.this is not None:  # CASE x WHEN y is never folded: x and y would both have to be constants
        return None
    branches: list[exp.If] = []
    for branch in node.args["ifs"]:
        known = truth(branch.this)
        if known is False:
            continue
        if known is True:
            if not branches:
                return cast("exp.Expr", branch.args["true"])
            return exp.Case(ifs=branches, default=branch.args["true"])
        branches.append(branch)
    if not branches:
        return cast("exp.Expr", node.args.get("default") or exp.null())
    if len(branches) == len(node.args["ifs"]):
        return None
    return exp.Case(ifs=branches, default=node.args.get("default"))


# Each returns what replaces a node: a simpler node, the node itself if it was removed, or None if it stays.
_FOLDS: dict[type[exp.Expr], Callable[[Any], exp.Expr | None]] = {
    exp.EQ: _fold_comparison,
    exp.NEQ: _fold_comparison,
    exp.Is: _fold_is,
    exp.Not: _fold_not,
    exp.Paren: _fold_paren,
    exp.And: _fold_connector,
    exp.Or: _fold_connector,
    exp.Coalesce: _fold_coalesce,
    exp.Case: _fold_case,
    exp.Ordered: _fold_order_key,
    exp.Where: _fold_clause,
    exp.Qualify: _fold_clause,
    exp.Having: _fold_clause,
}
