"""Partitions of the queries, so that the lists of `max(number, k)` fit in memory: DuckDB cannot spill them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from recall_duckdb.compose import Plan
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.limits import Limits

# max(number, k) keeps k numbers for each list and thread: LIST_BYTES for a list, and NUMBER_BYTES for each number. It
# may take SHARE of the memory limit: if the rows of a list are scattered, DuckDB restarts it again and again, and needs
# six times as much.
LIST_BYTES, NUMBER_BYTES, SHARE = 128, 8, 1 / 8
# Each partition scans the relation. Allow only a few if the alternative is not much slower, or the scan is slower.
MANY_PARTITIONS, FEW_PARTITIONS = 64, 8


@dataclass(frozen=True)
class Partition:
    """Some of the queries: a share of their hashes or, if queries are integers, a range."""

    number: int = 0
    of: int = 1
    range: tuple[int, int] | None = None

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters of a file that runs once for each partition."""
        low, high = self.range or (0, 0)
        return {
            "part": self.number,
            "parts": self.of,
            "by_range": self.range is not None,
            "part_low": low,
            "part_high": high,
        }


def kept_bytes(limits: Limits, k: int, session: DuckDB) -> int:
    """Return the bytes that `max(number, k + 1)` keeps for all lists."""
    return limits.lists * (LIST_BYTES + NUMBER_BYTES * (k + 1)) * session.resources[1]


def partitions(plan: Plan, session: DuckDB, limits: Limits, k: int, most: int) -> tuple[Partition, ...]:
    """Return partitions that keep `k` numbers per list within SHARE; empty if more than `most` would be needed."""
    count = max(1, ceil(kept_bytes(limits, k, session) / (SHARE * session.resources[0])))
    if count > (most if len(plan.inputs.query) == 1 else 1):
        return ()
    if count == 1 or limits.queries is None:
        return tuple(Partition(number, count) for number in range(count))
    low, high = limits.queries
    starts = [low + (high + 1 - low) * number // count for number in range(count + 1)]
    return tuple(Partition(n, count, (starts[n], starts[n + 1] - 1)) for n in range(count))
