"""Sort the items of each query to find out whether one may be judged twice, without grouping by item."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.base import Facts, FastPlan
from recall_duckdb.fast.partitions import FEW_PARTITIONS, Partition, partitions
from recall_duckdb.stages import each_part

# Scan lists for duplicates only if they are shorter than 1.5 × the average and than 2,000 judgements.
_LONGER, _MOST_JUDGEMENTS = 1.5, 2000


@dataclass(frozen=True)
class RepeatedJudgements(FastPlan):
    """The check qrels_duplicates, run only if a query may judge an item twice.

    Attributes:
        plan: the question.
        session: where to run it.
        partitions: the partitions of the queries to scan one after the other.
        too_many: a query with this many judgements or more is not scanned, and may judge an item twice.
    """

    plan: Plan
    session: DuckDB
    partitions: tuple[Partition, ...]
    too_many: int

    def settled(self) -> frozenset[str]:
        """Return qrels_duplicates, unless a query may judge an item twice."""
        parts = each_part("checking judgements", self.partitions)
        found = any(self.session.rows(self.statement(part).limit(1)) for part in parts)
        return frozenset() if found else frozenset({"qrels_duplicates"})

    def statement(self, partition: Partition) -> exp.Select:
        """Return the statement that selects the queries of a partition that may judge an item twice."""
        own = Replacements(parameters={"too_many": self.too_many, **partition.parameters})
        return Statement(replace(self.plan, replacements=own)).of_table("repeated_judgements")


def choose(facts: Facts) -> FastPlan | None:
    """Use this plan if there are at least as many judgements as candidates; with fewer, grouping is as fast."""
    qrels = facts.qrels
    if qrels is None or not qrels.are_items_small or not qrels.are_lists_counted or qrels.rows < facts.run.rows:
        return None
    too_many = ceil(_LONGER * qrels.rows / qrels.lists) + 1
    if too_many > _MOST_JUDGEMENTS:
        return None
    parts = partitions(facts.plan, facts.session, qrels, too_many, FEW_PARTITIONS)
    return RepeatedJudgements(facts.plan, facts.session, parts, too_many) if parts else None
