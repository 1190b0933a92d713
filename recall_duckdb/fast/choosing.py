"""Chooses the fast plans for a question by its metrics and its run, before anything else runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import reduce
from operator import or_

from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.fast import ideal_lists, label_lists, packed_lists, score_cutoffs
from recall_duckdb.fast.base import Facts, FastPlan, Prepared, Rule, supports
from recall_duckdb.fast.limits import limits_of
from recall_duckdb.fast.stacked_scores import with_stacked_scores
from recall_duckdb.stages import stage

# In the order in which they are tried: label lists hold packed lists, which build on ideal lists. Packed lists make
# score cutoffs unnecessary.
RULES: tuple[Rule, ...] = (
    ideal_lists.choose,
    label_lists.choose,
    packed_lists.choose,
    score_cutoffs.choose,
)
# With fewer rows, choosing a plan costs more than it saves.
_MANY_ROWS = 100_000
# Hashed lists with tied scores are open: use hashes only if fewer tied pairs than this are expected in a list.
_EQUAL_SCORES = 0.1


@dataclass(frozen=True)
class Chosen:
    """A question, and the fast plans that were chosen for it.

    Attributes:
        plan: the question with no relation replaced, for the data checks.
        fast_plans: in the order of the rules; empty for most questions.
    """

    plan: Plan
    fast_plans: tuple[FastPlan, ...] = ()

    @property
    def faster(self) -> Plan:
        """The question with the replacements of all fast plans."""
        replacements = reduce(or_, (each.replacements() for each in self.fast_plans), Replacements())
        return replace(self.plan, replacements=replacements)

    def settled_checks(self) -> frozenset[str]:
        """Return the names of the checks of rows to skip: they find nothing, or `prepare` says if they are needed."""
        return frozenset().union(*(each.settled_checks() for each in self.fast_plans))

    def prepare(self) -> Prepared:
        """Run the steps before the statement, after the rows were checked."""
        return reduce(or_, (each.prepare() for each in self.fast_plans), Prepared())


def choose(plan: Plan, session: Session, *, many_rows: int = _MANY_ROWS, equal_scores: float = _EQUAL_SCORES) -> Chosen:
    """Return the fast plans for a question.

    Args:
        plan: the question, with no relation replaced.
        session: where to run it; only DuckDB has fast plans.
        many_rows: use no fast plan for runs with fewer rows.
        equal_scores: the most tied pairs to expect per list for plans that are slow with ties.
    """
    plan = with_stacked_scores(plan, session)
    if not (isinstance(session, DuckDB) and _ranks_rows_in_place(plan) and supports(plan.policies)):
        return Chosen(plan)
    stage("choosing a plan")
    run = limits_of(plan, session, "run_source")
    if run is None or run.rows < many_rows:
        return Chosen(plan)
    qrels = limits_of(plan, session, "qrels_source") if plan.variant("qrels") == "rows" else None
    facts = Facts(plan, session, run, qrels, equal_scores)
    chosen = Chosen(plan)
    for rule in RULES:
        fast_plan = rule(replace(facts, replacements=chosen.faster.replacements))
        if fast_plan is not None:
            chosen = Chosen(plan, (*chosen.fast_plans, fast_plan))
    return chosen


def _ranks_rows_in_place(plan: Plan) -> bool:
    """Return True if the rows of the run are ranked as given; otherwise reading them again costs more than a scan.

    Fast plans judge whole queries, not slices of items.
    """
    shape = plan.inputs.run_shape
    is_given = plan.resolve("candidates") == "run" and shape in ("scores", "ranks") and plan.variant("run") == shape
    return is_given and not plan.inputs.of_items
