"""Chooses what DuckDB does faster than by definition, with the same answer, by what is known before anything runs.

The files in `sql/2_ranking` and `sql/3_judging` are the definition, and what every other engine runs. What decides is
the question (which metrics, how deep), the shape of the run, and the sizes and ranges that `sql/duckdb/limits.sql`
tells.
"""

from __future__ import annotations

from math import inf

from recall_duckdb.compose import Plan
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.fast.forms import FastPlan, Forms
from recall_duckdb.fast.judgements import are_single, looked_through
from recall_duckdb.fast.limits import SHARE, Limits, bytes_kept, limits_of
from recall_duckdb.fast.packing import DEEPEST, packing_of
from recall_duckdb.fast.stacking import with_stacked_scores
from recall_duckdb.stages import stage

# Under this number of rows, choosing a plan costs more than it saves.
_MANY_ROWS = 100_000
# A bar pays for a second scan of the rows where it leaves less than this share of them.
_WORTHWHILE = 0.4
# And no deeper than this, since the lists that it is found in are handled by the thousand.
_DEEPEST_BAR = 1000
# The share of the memory limit for the gains of the ideal order, which cannot go in parts, and what a gain takes.
# Measured to the limit.
_IDEAL_SHARE, _GAIN_BYTES = 1 / 4, 32
# Where items go by their hash, equal scores leave a list open: so many pairs of them may be expected in each, as a
# sample of the scores tells.
_EQUAL_SCORES = 0.1

# Checks that are left to the lists where these are packed: made only if one is open, or if ranks may go on below one
# that is short or has none of those that are kept.
_OF_OPEN, _OF_SHORT = frozenset({"ranks", "run_scores"}), frozenset({"ranks_gap"})


def choose(
    plan: Plan, session: Session, *, many_rows: int = _MANY_ROWS, equal_scores: float = _EQUAL_SCORES
) -> FastPlan:
    """The same question with the forms that answer it fastest there; of fewer rows than many, as it is defined.

    Lists are not packed by hashes where so many pairs of equal scores are to be expected in each.
    """
    plan = with_stacked_scores(plan, session)
    shape, depth = plan.inputs.run_shape, plan.depth
    # Where the candidates are not the run's rows as they lie, a second look at them costs more than a scan.
    is_plain = plan.called("candidates") == "run" and shape in ("scores", "ranks") and plan.variant("run") == shape
    if not (isinstance(session, DuckDB) and is_plain):
        return FastPlan.of(plan)
    stage("choosing a plan")
    run = limits_of(plan, session, "run_source")
    if run is None or run.rows < many_rows:
        return FastPlan.of(plan)
    qrels = limits_of(plan, session, "qrels_source") if plan.variant("qrels") == "rows" else None
    memory = session.resources[0]
    apart = qrels is not None and _can_part(plan) and _ideal_kept(plan, qrels, session) <= _IDEAL_SHARE * memory
    share = run.lists * depth / run.rows if depth is not None and depth <= _DEEPEST_BAR else inf
    packing = packing_of(plan, session, run, qrels, share, equal_scores) if qrels and apart else None
    bars = shape == "scores" and share < _WORTHWHILE and bytes_kept(run, depth or 0, session) <= SHARE * memory
    barred = packing is None and bars
    parts, too_many = looked_through(plan, session, run, qrels) if qrels else ((), 0)
    return FastPlan.of(plan, Forms(apart, packing, barred, parts, too_many))


def _can_part(plan: Plan) -> bool:
    """Whether no metric looks at a rank and an ideal rank in one row, or far down the ideal order, but not all the way.

    A metric of a user's own may, whatever its head says of ties.
    """
    linear = all(metric.is_of_ours and metric.template.is_plain and metric.has_expectation for metric in plan.metrics)
    return linear and plan.policies.ties != "expected" and (plan.ideal_depth or 0) <= DEEPEST


def _ideal_kept(plan: Plan, qrels: Limits, session: DuckDB) -> int:
    """The bytes that the gains of the ideal order take."""
    return qrels.rows * _GAIN_BYTES if plan.ideal_depth is None else bytes_kept(qrels, plan.ideal_depth, session)


def later_checks(plan: FastPlan) -> frozenset[str]:
    """Return the checks of rows that are made once the lists are packed."""
    return frozenset() if plan.forms.packing is None else _OF_OPEN | _OF_SHORT


def settled_checks(plan: FastPlan, session: Session) -> frozenset[str]:
    """Look for some faults in a faster way; returns the checks that find nothing, as is known then."""
    return frozenset({"qrels_duplicates"}) if are_single(plan, session) else frozenset()


def open_checks(plan: FastPlan) -> frozenset[str]:
    """Return those of `later_checks` that may find something in the lists that were packed.

    All may, where the plan is by definition since a list was open.
    """
    packing = plan.forms.packing
    of_open = _OF_OPEN if packing is None or packing.any_open else frozenset()
    of_short = _OF_SHORT if packing is None or packing.any_short else frozenset()
    return of_open | of_short
