"""Judge without a window over the qrels: each query has a list of its gains in ideal order.

judged/apart holds the items of the run and the ranks of the ideal order in separate rows.
"""

from __future__ import annotations

from recall_duckdb.compose import Replacements
from recall_duckdb.fast.base import Facts, FastPlan
from recall_duckdb.fast.partitions import kept_bytes

# Sort the gains instead if metrics read deeper ranks of the ideal order than this, but not the whole order.
_DEEPEST = 128
# Lists of gains cannot be partitioned and may take _SHARE of the memory limit. In a whole list, a gain takes
# _GAIN_BYTES. Measured up to the limit.
_SHARE, _GAIN_BYTES = 1 / 4, 32


class IdealLists(FastPlan):
    """One list of gains in ideal order for each query."""

    def replacements(self) -> Replacements:
        """Return separate rows for ranks and ideal ranks; grades are faster to recompute than to store."""
        return Replacements(variants={"judged": "apart", "placed": "ranked"}, in_place=frozenset({"graded"}))


def are_used(replacements: Replacements) -> bool:
    """Return True if this plan was chosen, so that others can build on it."""
    return replacements.variants.get("judged") == "apart"


def choose(facts: Facts) -> FastPlan | None:
    """Use ideal lists if no metric needs a rank and an ideal rank in one row, and the lists fit in memory."""
    plan, qrels, session = facts.plan, facts.qrels, facts.session
    if qrels is None or not plan.is_linear or (plan.ideal_depth or 0) > _DEEPEST:
        return None
    depth = plan.ideal_depth
    taken = qrels.rows * _GAIN_BYTES if depth is None else kept_bytes(qrels, depth, session)
    return IdealLists() if taken <= _SHARE * session.resources[0] else None
