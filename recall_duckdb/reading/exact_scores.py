"""Scores beyond double precision, which are compared as they are: BIGINT, HUGEINT and DECIMAL of many digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

# A DOUBLE holds this many digits of any decimal number.
_DIGITS = 15
_SMALL = frozenset({"tinyint", "smallint", "integer", "utinyint", "usmallint", "uinteger"})
_LARGE = frozenset({"bigint", "ubigint", "hugeint"})


def in_one_type(scores: Sequence[exp.Expr], kinds: Sequence[Any]) -> list[exp.Expr]:
    """Return scores of several types as DECIMAL with the decimals of all; a score that does not fit is NULL."""
    if len(set(map(str, kinds))) < 2:
        return list(scores)
    decimals = max(int(dict(kind.children)["scale"]) if kind.id == "decimal" else 0 for kind in kinds)
    shared = exp.DataType.build(f"DECIMAL(38, {decimals})", dialect="duckdb")
    return [exp.TryCast(this=score, to=shared.copy()) for score in scores]


def may_exceed_double(kind: Any) -> bool:
    """Return True if numbers of a type may have more digits than a DOUBLE."""
    return kind is not None and str(kind.id) in _LARGE | {"decimal"}


def exact_type(kinds: Sequence[Any], *, ascending: bool) -> str | None:
    """Return the type that compares all these columns of scores exactly; None if that is DOUBLE, or if none does.

    A BIGINT cannot always be negated, so that ascending scores are of type HUGEINT.
    """
    names = {"" if kind is None else str(kind.id) for kind in kinds}
    if names <= _SMALL | _LARGE and names & _LARGE:
        is_bigint = names <= _SMALL | {"bigint"} and not ascending
        return "BIGINT" if is_bigint else "HUGEINT"
    if names == {"decimal"} and len(set(map(str, kinds))) == 1:
        return str(kinds[0]) if int(dict(kinds[0].children)["precision"]) > _DIGITS else None
    return None
