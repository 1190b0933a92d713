"""Rank only items that reach the score cutoff of their list: its k-th highest score."""

from __future__ import annotations

from math import inf

from recall_duckdb.compose import Replacements
from recall_duckdb.fast.base import Facts, FastPlan
from recall_duckdb.fast.partitions import SHARE, kept_bytes

# Use score cutoffs only if fewer than this share of the rows can reach them.
MOST_SURVIVORS = 0.4
# Keep at most this many scores per list: DuckDB keeps the scores of thousands of lists at a time.
DEEPEST = 1000


class ScoreCutoffs(FastPlan):
    """A score cutoff for each list."""

    def replacements(self) -> Replacements:
        """Return contenders as the relation to rank: the items that reach the score cutoff of their list."""
        return Replacements(reads={("ranked", "candidates"): "contenders"})


def survivors(facts: Facts) -> float:
    """Return the share of the rows that reach the score cutoff of their list, infinite if there is no cutoff."""
    depth = facts.plan.depth
    return inf if depth is None or depth > DEEPEST else facts.run.lists * depth / facts.run.rows


def choose(facts: Facts) -> FastPlan | None:
    """Use score cutoffs if lists are long and no plan chosen before replaces the candidates."""
    session = facts.session
    if ("ranked", "candidates") in facts.replacements.reads or facts.plan.inputs.run_shape != "scores":
        return None
    if survivors(facts) >= MOST_SURVIVORS:
        return None
    fits = kept_bytes(facts.run, facts.plan.depth or 0, session) <= SHARE * session.resources[0]
    return ScoreCutoffs() if fits else None
