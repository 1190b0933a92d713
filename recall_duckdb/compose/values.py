"""The names of result columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count


def apart_from(users: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Return our column names, apart from the user's: a name that the user has gets `_1`, or the next free number.

    >>> apart_from(["query", "Rank"], ["relevance", "rank"])
    ['relevance', 'rank_1']
    """
    theirs = {name.casefold() for name in users}

    def free(name: str) -> str:
        numbered_names = (f"{name}_{number}" for number in count(1))
        return next(each for each in numbered_names if each not in theirs.union(ours))

    return [free(name) if name in theirs else name for name in ours]
