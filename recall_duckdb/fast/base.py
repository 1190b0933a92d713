"""What a fast plan is: what it replaces, and what runs before the statement that uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.limits import Limits


@dataclass(frozen=True)
class Facts:
    """What a rule decides by.

    Attributes:
        plan: the question, by definition.
        session: the DuckDB session, with its memory limit and threads.
        run: the size and ranges of the run.
        qrels: the size and ranges of the qrels, None if they are unknown.
        equal_scores: how many pairs of equal scores a list may have for plans that are slow with them.
        replacements: what the plans that were chosen before replace.
    """

    plan: Plan
    session: DuckDB
    run: Limits
    qrels: Limits | None
    equal_scores: float
    replacements: Replacements = field(default_factory=Replacements)


@dataclass(frozen=True)
class Prepared:
    """A fast plan that is ready to use.

    Attributes:
        replacements: what it replaces, now that its first steps have run.
        bound: the temporary tables that these have stored, by relation. Drop them after use.
        unsettled: the names of the checks that were put off and still have to be made.
    """

    replacements: Replacements = field(default_factory=Replacements)
    bound: Mapping[str, exp.Table] = field(default_factory=dict)
    unsettled: frozenset[str] = frozenset()

    def __or__(self, later: Prepared) -> Prepared:
        """Return both; for the same name, the later ones apply."""
        return Prepared(
            self.replacements | later.replacements, {**self.bound, **later.bound}, self.unsettled | later.unsettled
        )


class FastPlan:
    """A fast plan that was chosen for a question. A subclass says what it replaces."""

    def replacements(self) -> Replacements:
        """Return the files and relations that it uses in place of the definitions."""
        return Replacements()

    def settled(self) -> frozenset[str]:
        """Return the names of the checks to skip: they find nothing, or `prepared` tells whether they are needed."""
        return frozenset()

    def prepared(self) -> Prepared:
        """Run what comes before the statement, once the rows are checked."""
        return Prepared(self.replacements())


# Returns a fast plan for a question, None if it is not worth it or does not apply.
Rule = Callable[[Facts], FastPlan | None]
