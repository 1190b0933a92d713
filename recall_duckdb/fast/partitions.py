"""Partitions of the queries, and what `max(number, k)` keeps for them: it cannot spill, so it has to fit in memory."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from recall_duckdb.compose import Plan
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.limits import Limits

# max(number, k) keeps k numbers for each list and thread: the bytes of a list, and of each number. It may take this
# share of the memory limit: if lists are scattered, DuckDB starts them over and over, and needs six times as much.
LIST_BYTES, NUMBER_BYTES, SHARE = 128, 8, 1 / 8
# Each partition is a scan of the relation. Use few if the alternative is not much slower or the scan is not so fast.
MANY_PARTITIONS, FEW_PARTITIONS = 64, 8


@dataclass(frozen=True)
class Partition:
    """Some of the queries: those with a hash or, if queries are whole numbers, those in a range."""

    number: int = 0
    of: int = 1
    range: tuple[int, int] | None = None

    @property
    def parameters(self) -> dict[str, Value]:
        """The parameters of a file that is run once for each partition."""
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
    """Return partitions that keep `k` numbers a list within the share of memory; none if it takes more than `most`."""
    count = max(1, ceil(kept_bytes(limits, k, session) / (SHARE * session.resources[0])))
    if count > (most if len(plan.inputs.query) == 1 else 1):
        return ()
    if count == 1 or limits.queries is None:
        return tuple(Partition(number, count) for number in range(count))
    low, high = limits.queries
    starts = [low + (high + 1 - low) * number // count for number in range(count + 1)]
    return tuple(Partition(n, count, (starts[n], starts[n + 1] - 1)) for n in range(count))
