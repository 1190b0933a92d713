"""Draws ids of many kinds, with the DuckDB types of the columns that hold them, and the types of numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from ctypes import c_float
from datetime import date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

from random_data.case import Ids

TEXTS = (
    *("", " ", "a", "A", "b", "B", "Z", "z", "é", "e\u0301", "漢", "😀", "\uffff", "c d", "c,d", "$k", "'", '"', "\\"),
    *("7", "07", "007", "7.0", "10", "9", "-1", "1e3", "NULL", "null", "NaN", "inf", "true"),
)
# Ids lie around these numbers, where types and packed numbers have their limits.
LIMITS = tuple(
    sign * 2**bits for bits in (7, 8, 15, 16, 22, 26, 28, 29, 30, 31, 32, 53, 61, 62, 63) for sign in (1, -1)
)
# The smallest and the largest number of each type.
WHOLE = {
    **{f"{name}INT": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in (("TINY", 8), ("SMALL", 16))},
    **{name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for name, bits in (("INTEGER", 32), ("BIGINT", 64))},
    **{f"U{name}": (0, 2**bits - 1) for name, bits in (("TINYINT", 8), ("SMALLINT", 16), ("INTEGER", 32))},
    **{"UBIGINT": (0, 2**64 - 1), "HUGEINT": (-(2**127), 2**127 - 1), "UHUGEINT": (0, 2**128 - 1)},
}
DECIMAL, SHORT_DECIMAL = "DECIMAL(38,0)", "DECIMAL(18,4)"
WIDE = ("HUGEINT", "UHUGEINT")
NOT_IN_ARROW = (*WIDE, "UUID")
KINDS = ("text", "text", "small", "limit", "limit", "range", "range", "wide", "decimal", "uuid", "date", "timestamp")


def drawn(random: Random, count: int, source: str, *, whole: bool = False, doubles: bool = True) -> Ids:
    """Return this many ids of one kind, in types that a source of this kind can hold.

    Whole: mostly whole numbers. Doubles: run or qrels may hold whole numbers as doubles.
    """
    kind = random.choice([*KINDS[:7], *(() if source == "dict" else KINDS[7:])])
    if whole and random.random() < 0.7:
        kind = random.choice(["small", "limit", "range"])
    if kind == "wide" and source != "table":
        kind = "decimal"
    if kind == "uuid" and source == "arrow":
        kind = "text"
    count += 2  # that no data set holds
    if kind == "text":
        known = random.sample(TEXTS, min(count, len(TEXTS)))
        return Ids(kind, [*known, *(f"i{number}" for number in range(len(known), count))], ("VARCHAR", "VARCHAR"))
    if kind == "uuid":
        return Ids(kind, [str(UUID(int=random.getrandbits(128))) for _ in range(count)], ("UUID", "UUID"))
    if kind in ("date", "timestamp"):
        first = datetime(random.choice([1, 1969, 2024]), 12, 27, 23, 59, 58)
        days = [(first.date() + timedelta(days=number)).isoformat() for number in range(count)]
        times = [(first + timedelta(seconds=number)).isoformat(" ") for number in range(count)]
        return Ids(kind, [*(days if kind == "date" else times)], (kind.upper(), kind.upper()))
    numbers = _whole(random, kind, count)
    return Ids(kind, [*numbers], _types(random, kind, numbers, source, doubles=doubles))


def _types(random: Random, kind: str, numbers: Sequence[int], source: str, *, doubles: bool) -> tuple[str, str]:
    """Draw two types that hold these numbers and compare exactly."""
    low, high = min(numbers), max(numbers)
    known = _fitting(low, high, source)
    if max(-low, high) < 10**38:
        known.append(DECIMAL)
    first = DECIMAL if kind == "decimal" else random.choice(known)
    # An UHUGEINT compares exactly with unsigned numbers only.
    others = [name for name in known if "UHUGEINT" not in (first, name) or first[0] == name[0] == "U"]
    if doubles and first != "UHUGEINT" and max(-low, high) < 2**53:
        others.append("DOUBLE")
    types = [first, random.choice([first, *others])]
    random.shuffle(types)
    return types[0], types[1]


def _fitting(low: float, high: float, source: str) -> list[str]:
    """Return the types of whole numbers that hold this range, and that the source has."""
    fit = [name for name, (least, most) in WHOLE.items() if least <= low and high <= most]
    return [name for name in fit if source == "table" or name not in WIDE]


def _whole(random: Random, kind: str, count: int) -> list[int]:
    if kind == "small":
        start = random.choice([0, 0, 1, -3, -30])
        return list(range(start, start + count))
    if kind == "limit":  # a dense range next to a limit
        start = random.choice(LIMITS) - random.choice([0, 1, count // 2, count])
        start = min(max(start, -(2**63)), 2**64 - count)
        return list(range(start, start + count))
    if kind == "range":  # the lowest and highest id of this many bits, and ids between them
        low = random.choice([0, 0, 1, -1, -(2**29), -(2**31), 10**12, -(2**62), -(2**63)])
        span = 2 ** random.choice([8, 22, 26, 28, 29, 30, 31, 32, 53, 61, 62, 63]) + random.choice([-1, 0, 1])
        high = min(low + max(span, 2 * count), 2**63 - 1)
        low = min(low, high - 2 * count)
    else:
        high = random.choice([2**64, 2**100, 10**38 - 1 if kind == "decimal" else 2**127 - 1])
        low = random.choice([0, -high])
    held = {low, high}
    while len(held) < count:
        held.add(random.randint(low, high))
    found = list(held)
    random.shuffle(found)
    return found


def number_type(random: Random, values: Sequence[float | None], source: str) -> str:
    """Draw a DuckDB type that holds these numbers exactly."""
    held = [value for value in values if value is not None]
    if any(isinstance(value, bool) for value in held):
        return "BOOLEAN"
    are_floats = all(c_float(value).value == value for value in held if not math.isnan(value))
    if any(isinstance(value, float) and not math.isfinite(value) for value in held):
        return "FLOAT" if are_floats and random.random() < 0.3 else "DOUBLE"
    found = ["DOUBLE"] if all(value == float(value) for value in held) else []
    found += ["FLOAT"] if are_floats else []
    if all(value == round(value, 4) and abs(value) < 10**9 for value in held):
        found.append(SHORT_DECIMAL)
    if all(isinstance(value, int) for value in held):
        found += _fitting(min(held, default=0), max(held, default=0), source)
    return random.choice(found)


_PYTHON: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("FLOAT", "DOUBLE"), float),
    **dict.fromkeys(WIDE, str),
    **dict.fromkeys((DECIMAL, SHORT_DECIMAL), lambda value: Decimal(str(value))),
    **{"DATE": date.fromisoformat, "TIMESTAMP": datetime.fromisoformat},
}


def typed(value: Any, kind: str) -> Any:
    """Return a value as Python's object for a DuckDB type; what Arrow has no type for stays text."""
    if value is None:
        return None
    if kind.endswith("[]"):
        return [typed(each, kind[:-2]) for each in value]
    if kind.startswith("MAP("):
        of_key, _, of_number = kind[4:-1].partition(", ")
        return {typed(key, of_key): typed(number, of_number) for key, number in value.items()}
    return _PYTHON[kind](value) if kind in _PYTHON else value


def plain(value: Any) -> Any:
    """Return an id of a result as the reference writes it."""
    if isinstance(value, datetime):
        return value.isoformat(" ")
    if isinstance(value, (date, UUID)):
        return str(value)
    return int(value) if isinstance(value, (Decimal, float)) else value
