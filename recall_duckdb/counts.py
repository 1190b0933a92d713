"""The numbers of queries and rows behind the means, and the notes below a table that tell them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recall_duckdb.compose import Plan
from recall_duckdb.errors import digits

_MOST_NAMES = 3  # of a line that is about all models


@dataclass(frozen=True)
class Counts:
    """The number of queries and rows behind the means of a model.

    Attributes:
        judged: queries of the qrels. The means are over these, unless a policy leaves some out.
        retrieved: queries of the run.
        both: judged queries that the run has.
        without_relevant: judged queries without relevant items.
        run_rows_dropped: rows of the run that `nulls`, `duplicates`, `unjudged`, `exclude` or `items` removed.
        qrels_rows_dropped: rows of the qrels that these removed.

    Example:
        >>> Counts(judged=3, retrieved=2, both=2, without_relevant=1).missing
        1
    """

    judged: int
    retrieved: int
    both: int
    without_relevant: int
    run_rows_dropped: int = 0
    qrels_rows_dropped: int = 0

    @property
    def missing(self) -> int:
        """The number of judged queries that the run lacks."""
        return self.judged - self.both

    @property
    def unjudged(self) -> int:
        """The number of queries of the run that the qrels lack; they are ignored."""
        return self.retrieved - self.both


def notes(plan: Plan, counts: Mapping[Any, Counts], means: Sequence[dict[str, Any]]) -> list[str]:
    """Return how many queries and rows count, and what was left out: a line for the models of which it is the same."""
    models: dict[str, list[str]] = {}
    for model, each in counts.items():
        models.setdefault("; ".join(_parts(plan, model, each, means)), []).append(str(model))
    return [f"{_names(each, len(counts))}: {line}" for line, each in models.items()]


def _names(models: Sequence[str], count: int) -> str:
    """Return the names of models, or that these are all, if they are many."""
    return f"all {count} models" if len(models) == count > _MOST_NAMES else ", ".join(models)


def _parts(plan: Plan, model: object, counts: Counts, means: Sequence[dict[str, Any]]) -> list[str]:
    policies = plan.policies
    counted = {"zero": "counted as 0", "skip": "left out", "error": ""}
    kind = "judged, " if plan.has_qrels else "in the runs, "
    parts = [f"{queries_text(counts.judged)} {kind}{counts.both:,} retrieved"]
    if counts.missing:
        parts.append(f"{counts.missing:,} missing from the run, {counted[policies.missing]}")
    if counts.without_relevant:
        parts.append(f"{counts.without_relevant:,} without relevant items, {counted[policies.no_relevant]}")
    if counts.unjudged:
        parts.append(f"{counts.unjudged:,} retrieved but not judged, ignored")
    for side, dropped in (("run", counts.run_rows_dropped), ("qrels", counts.qrels_rows_dropped)):
        if dropped or (side == "run" and plan.resolve("candidates") != "run"):
            parts.append(f"{dropped:,} {'row' if dropped == 1 else 'rows'} of the {side} left out")
    if policies.min_score is not None:
        parts.append(f"scores below {digits(policies.min_score)} not recommended")
    if policies.qrels_depth is not None:
        parts.append(f"only the first {policies.qrels_depth:,} of each list relevant")
    if plan.has("weights"):
        parts.append("queries weighted")
    return [*parts, *_means_of(plan, model, counts.judged, means)]


def _means_of(plan: Plan, model: object, judged: int, means: Sequence[dict[str, Any]]) -> list[str]:
    """Return the number of queries of each mean that does not cover all judged queries."""
    rows = [row for row in means if row["model"] == model and all(row[name] is None for name in plan.inputs.by)]
    whole = {metric.name for metric in plan.metrics if metric.template.of_whole_run}
    numbers: dict[int, list[str]] = {}
    for row in rows:
        if row["metric"] not in whole and row["queries"] != judged:
            name = row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"
            numbers.setdefault(row["queries"], []).append(name)
    every = len([row for row in rows if row["metric"] not in whole])
    said = {queries: "means" if len(names) == every else ", ".join(names) for queries, names in numbers.items()}
    return [f"{names} of {queries_text(queries)}" for queries, names in said.items()]


def queries_text(count: int) -> str:
    """Return a number of queries for readers."""
    return f"{count:,} {'query' if count == 1 else 'queries'}"
