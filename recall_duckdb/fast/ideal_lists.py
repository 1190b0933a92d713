"""Judge without a window over the qrels: the gains of a query, in ideal order, are a list.

judged/apart has the items of the run and the places of the ideal order in separate rows.
"""

from __future__ import annotations

from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.fast.base import Facts, FastPlan
from recall_duckdb.fast.partitions import kept_bytes

# Sort the gains if metrics look deeper than this down the ideal order, but not all the way.
_DEEPEST = 128
# The lists of gains cannot be partitioned and may take this share of the memory limit; a gain of a whole list takes
# this many bytes. Measured to the limit.
_SHARE, _GAIN_BYTES = 1 / 4, 32


class IdealLists(FastPlan):
    """Gains in ideal order as one list for each query."""

    def replacements(self) -> Replacements:
        """Return separate rows for ranks and ideal ranks; grades are faster to compute again than to store."""
        return Replacements(variants={"judged": "apart", "placed": "ranked"}, in_place=frozenset({"graded"}))


def are_used(replacements: Replacements) -> bool:
    """Return True if this plan was chosen, which others build on."""
    return replacements.variants.get("judged") == "apart"


def choose(facts: Facts) -> FastPlan | None:
    """Use it if no metric needs a rank and an ideal rank in one row, and the lists fit in memory."""
    plan, qrels, session = facts.plan, facts.qrels, facts.session
    if qrels is None or not _are_linear(plan) or (plan.ideal_depth or 0) > _DEEPEST:
        return None
    depth = plan.ideal_depth
    taken = qrels.rows * _GAIN_BYTES if depth is None else kept_bytes(qrels, depth, session)
    return IdealLists() if taken <= _SHARE * session.resources[0] else None


def _are_linear(plan: Plan) -> bool:
    """Return True if all metrics are sums over the columns of judged. The user's own may not be, whatever they say."""
    linear = all(metric.is_of_ours and metric.template.is_plain and metric.has_expectation for metric in plan.metrics)
    return linear and plan.policies.ties != "expected"
