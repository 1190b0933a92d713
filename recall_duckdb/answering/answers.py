"""What an answer holds, and what the statements share that say whether the data are sound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, nextafter
from typing import Any, TypeAlias

from sqlglot import exp

from recall_duckdb.compose import Plan
from recall_duckdb.counts import Counts
from recall_duckdb.noting import Note
from recall_duckdb.question.policies import Policies

# The policies that statements with columns of soundness take into account. With another value than the default of any
# other policy, a question is answered by definition, so that a new policy is right before these know it.
_SUPPORTED = {
    *("no_relevant", "missing", "short", "ties", "duplicates", "nulls", "precision", "unjudged", "ranks", "empty"),
    *("padding", "semantics", "ids", "order", "threshold", "min_score", "qrels_depth", "depth"),
}


def supports(policies: Policies) -> bool:
    """Return True if statements with columns of soundness take all policies into account that are not the default."""
    usual = Policies().settings()
    return all(name in _SUPPORTED or value == usual[name] for name, value in policies.settings().items())


# The texts of statements, by the names of columns and their types.
Texts: TypeAlias = dict[tuple[tuple[str, str], ...], str]


@dataclass(frozen=True)
class Values:
    """The values of queries in memory: the columns of the relation `per_query`, and their types.

    `texts` are the statements that read them, which questions of the same form share.
    """

    columns: Mapping[str, list[Any]]
    types: Mapping[str, str]
    texts: Texts


@dataclass(frozen=True)
class Answer:
    """The answer to a question: its plan, counts by model, rows of means, and values of queries.

    The values are in memory, in a stored table, or neither. `notes` say what the data suggest.
    """

    plan: Plan
    counts: dict[object, Counts]
    means: list[dict[str, Any]]
    values: Values | None = None
    per_query: exp.Table | None = None
    notes: Sequence[Note] = ()


def largest_relevance(plan: Plan) -> float:
    """Return the number that every relevance is below if the checks of the qrels find nothing."""
    is_exponential = any(judging.gain == "exponential" for judging in plan.judgings)
    largest = 40.0 if is_exponential else 1e12
    if isinstance(plan.max_grade, (int, float)):
        largest = min(largest, nextafter(plan.max_grade * 1.0000001, inf))  # as in sql/checks/grades.sql
    return largest


def in_order_of_names(plan: Plan, counts: dict[object, Counts]) -> dict[object, Counts] | None:
    """Return the counts in the order in which the user named the models; None if one is missing."""
    names = plan.inputs.models
    if not counts or (names is not None and set(names) != set(counts)):
        return None
    return counts if names is None else {name: counts[name] for name in names}
