"""Reads cutoffs: the k of recall@k, and ranges such as recall@1-10."""

from __future__ import annotations

import operator
import re

from recall_duckdb.errors import ArgumentError, quote

# 18 digits: definitions add k to other integers, and the sum must fit in 64 bits.
LARGEST_K = 10**18 - 1
EXPECTED = f"k must be a whole number from 1 to {LARGEST_K}"
# The most cutoffs of a range such as recall@1-10: each is a column.
_MOST_CUTOFFS = 1000


def cutoff_range(written: str, text: str) -> list[str]:
    """Return the cutoffs of a range such as 1-10, or the one cutoff.

    >>> cutoff_range("1-3", "recall@1-3")
    ['1', '2', '3']
    """
    bounds = re.fullmatch(r"(\d{1,18})\s*-\s*(\d{1,18})", written)
    if bounds is None:
        return [written]
    low, high = map(int, bounds.groups())
    if not 1 <= low <= high < low + _MOST_CUTOFFS:
        raise ArgumentError(
            f"{quote(text)}: {written} is not a range of cutoffs",
            fix=f"Write the lower one first, with at most {_MOST_CUTOFFS} cutoffs, as in 1-10",
        )
    return [str(k) for k in range(low, high + 1)]


def cutoff(k: object, text: str | None = None) -> int | None:
    """Return a cutoff from 1 to `LARGEST_K`, or None for the whole list; raises `ArgumentError` for other values.

    It may be text only as part of a metric's name, which is `text`.
    """
    if k is None:
        return None
    where = f" in {quote(text)}" if text else ""
    if isinstance(k, str) and text is not None:
        if not re.fullmatch(r"\s*[0-9]{1,18}\s*", k):
            hint = "Between metrics stands a comma" if re.match(r"[0-9]+\s+[A-Za-z]", k) else ""
            raise ArgumentError(f"{EXPECTED}, not {quote(k.strip())}{where}", fix=hint)
        k = int(k)
    try:
        whole = operator.index(int(k) if isinstance(k, float) and k.is_integer() else k)  # type: ignore[arg-type]
    except TypeError:
        whole = 0
    if not 1 <= whole <= LARGEST_K or isinstance(k, bool):
        raise ArgumentError(f"{EXPECTED}, not {quote(k)}{where}")
    return whole
