"""Partitions of the queries, so that the lists of `max(number, k)` fit in memory: DuckDB cannot spill them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.limits import Limits, row_of, selects_of
from recall_duckdb.stages import each_part, stage

# max(number, k) keeps k numbers for each list and thread: LIST_BYTES for a list, and NUMBER_BYTES for each number. It
# may take SHARE of the memory limit: if the rows of a list are scattered, DuckDB restarts it again and again, and needs
# six times as much.
LIST_BYTES, NUMBER_BYTES, SHARE = 128, 8, 1 / 8
# Unless partitions are written, each scans the run: allow only a few if the alternative is not much slower.
MANY_PARTITIONS, FEW_PARTITIONS = 64, 8
# Instead of more than _MANY_SCANS, write the numbers to the disk once, in at least _FILES partitions: finding the tops
# of a partition is faster if its lists fit in the cache. A row takes at most _ROW_BYTES there.
_MANY_SCANS, _FILES, _ROW_BYTES = 4, 32, 32


@dataclass(frozen=True)
class Partitions:
    """How the queries are partitioned: by their hashes or, if they are whole numbers, by ranges.

    Attributes:
        count: the number of partitions.
        queries: the range of the queries, None if they are not whole numbers.
        are_written: True if the numbers of all candidates are written to the disk first, False if each partition scans
            the run.
    """

    count: int = 1
    queries: tuple[int, int] | None = None
    are_written: bool = False

    @property
    def scans(self) -> int:
        """How often the run is scanned."""
        return 1 if self.are_written else self.count

    @contextmanager
    def statements(self, plan: Plan, session: DuckDB, numbers: str) -> Iterator[Iterator[exp.Select]]:
        """Yield the statements that select tops from the relation `numbers`, one for each partition."""
        if not self.are_written:
            plans = [_with(plan, self.parameters(number)) for number in range(self.count)]
            yield (Statement(each).of_table("tops") for each in each_part("ranking", plans))
            return
        stage("writing partitions")
        with session.write_partitions(self.assign_partitions(plan, numbers), "part") as written:
            whole = _with(plan, Partitions().parameters(0))
            yield (Statement(whole, {numbers: each}).of_table("tops") for each in each_part("ranking", written))

    def parameters(self, number: int) -> dict[str, Value]:
        """Return the parameters of the statement that scans the run for one partition."""
        first, last = self.queries or (0, 0)
        low, following = (first + (last + 1 - first) * each // self.count for each in (number, number + 1))
        is_range = self.queries is not None and self.count > 1
        return {
            "part": number,
            "parts": self.count,
            "by_range": is_range,
            "part_low": low if is_range else 0,
            "part_high": following - 1 if is_range else 0,
        }

    def assign_partitions(self, plan: Plan, numbers: str) -> exp.Select:
        """Return the statement that selects the relation `numbers` with the partition of each row."""
        low, high = self.queries or (0, 0)
        variant = Replacements(variants={"partitioned_numbers": numbers})
        parameters = {"query_low": low, "query_high": high, "parts": self.count}
        partitioned = _with(replace(plan, replacements=plan.replacements | variant), parameters)
        return Statement(partitioned).of_table("partitioned_numbers")


def kept_bytes(limits: Limits, k: int, session: DuckDB) -> int:
    """Return the bytes that `max(number, k + 1)` keeps for all lists."""
    return list_bytes(limits.lists, k, session)


def list_bytes(lists: int, k: int, session: DuckDB) -> int:
    """Return the bytes that `max(number, k + 1)` keeps for this many lists."""
    return lists * (LIST_BYTES + NUMBER_BYTES * (k + 1)) * session.resources[1]


def partitions(plan: Plan, session: DuckDB, limits: Limits, k: int, most: int) -> Partitions | None:
    """Return partitions that keep `k` numbers per list within SHARE; None if more than `most` would be needed."""
    count = max(1, ceil(kept_bytes(limits, k, session) / (SHARE * session.resources[0])))
    if count > (most if len(plan.inputs.query) == 1 else 1):
        return None
    if count > _MANY_SCANS and _are_worth_writing(plan, session, limits, count):
        return Partitions(max(count, _FILES), limits.queries, are_written=True)
    return Partitions(count, limits.queries)


def _are_worth_writing(plan: Plan, session: DuckDB, limits: Limits, count: int) -> bool:
    """Return True if the disk has room, and a scan by range would read most of the run each time.

    Such a scan reads less if the first rows of the run hold only queries of a partition. Queries must be of a type that
    parquet files keep.
    """
    if limits.queries is None or plan.inputs.run_shape != "scores":
        return False
    if session.scratch_bytes() < limits.rows * _ROW_BYTES:
        return False
    [select] = selects_of(plan, "run_source")
    sample = row_of(session, "query_sample", select)
    if sample["query_low"] is None or sample["query_type"] == "HUGEINT":
        return False
    low, high = limits.queries
    return bool((sample["query_high"] - sample["query_low"]) * count > high - low)


def _with(plan: Plan, parameters: Mapping[str, Value]) -> Plan:
    """Return a plan with further parameters for the files that replace definitions."""
    return replace(plan, replacements=plan.replacements | Replacements(parameters=parameters))
