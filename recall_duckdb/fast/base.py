"""The interface of a fast plan: what it replaces, and what runs before the statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.limits import Limits, row_of, selects_of
from recall_duckdb.question.policies import Policies

# The policies that fast plans take into account. With another value than the default of any other policy, a question is
# answered by definition, so that a new policy is right before fast plans know it.
_SUPPORTED = {
    *("no_relevant", "missing", "short", "ties", "duplicates", "nulls", "precision", "unjudged", "ranks", "empty"),
    *("padding", "semantics", "ids", "order", "threshold", "min_score", "qrels_depth", "depth"),
}


def supports(policies: Policies) -> bool:
    """Return True if fast plans take all policies into account that are not the default."""
    usual = Policies().settings()
    return all(name in _SUPPORTED or value == usual[name] for name, value in policies.settings().items())


@dataclass(frozen=True)
class Facts:
    """The facts that a rule decides by.

    Attributes:
        plan: the question, with no relation replaced.
        session: the DuckDB session, with its memory limit and threads.
        run: the size and ranges of the run.
        qrels: the size and ranges of the qrels, None if they are unknown.
        equal_scores: the most tied pairs to expect per list for plans that are slow with ties.
        replacements: the replacements of the plans chosen so far.
    """

    plan: Plan
    session: DuckDB
    run: Limits
    qrels: Limits | None
    equal_scores: float
    replacements: Replacements = field(default_factory=Replacements)

    @cached_property
    def typical_score(self) -> float | None:
        """The absolute score that few rows of a sample exceed; None if the sample has no finite score."""
        typical = [each["typical"] for each in self.samples("typical_score")]
        return max((each for each in typical if each is not None), default=None)

    def samples(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a file of `sql/duckdb` that looks at the run, one for each source."""
        return [row_of(self.session, name, select) for select in selects_of(self.plan, "run_source")]


@dataclass(frozen=True)
class Prepared:
    """A fast plan whose first steps have run.

    Attributes:
        replacements: what it replaces.
        bound: the temporary tables that these steps stored, by relation. Drop them after use.
        unsettled: the names of postponed checks that still have to run.
    """

    replacements: Replacements = field(default_factory=Replacements)
    bound: Mapping[str, exp.Table] = field(default_factory=dict)
    unsettled: frozenset[str] = frozenset()

    def __or__(self, later: Prepared) -> Prepared:
        """Return both; for the same name, the later value applies."""
        return Prepared(
            self.replacements | later.replacements, {**self.bound, **later.bound}, self.unsettled | later.unsettled
        )


class FastPlan:
    """A fast plan chosen for a question. A subclass says what it replaces."""

    def replacements(self) -> Replacements:
        """Return the files and relations that it uses in place of the definitions."""
        return Replacements()

    def settled_checks(self) -> frozenset[str]:
        """Return the names of the checks to skip: they find nothing, or `prepare` says if they are needed."""
        return frozenset()

    def prepare(self) -> Prepared:
        """Run the steps before the statement, after the rows were checked."""
        return Prepared(self.replacements())


# Returns a fast plan for a question, or None if the plan does not apply or saves nothing.
Rule = Callable[[Facts], FastPlan | None]
