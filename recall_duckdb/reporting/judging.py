"""How much of the lists is judged, and whether judging more items may turn a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_duckdb import checking
from recall_duckdb.answering.planning import has_at_most, planned
from recall_duckdb.comparison.settings import Key
from recall_duckdb.comparison.shown import is_over_all
from recall_duckdb.compose import Statement
from recall_duckdb.definitions import reading, templates
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import can_pass
from recall_duckdb.question.metrics import Metric

if TYPE_CHECKING:
    from recall_duckdb.result_data import ResultData

_USUAL_DEPTH = 10  # whose items are counted for a metric of the whole list
_LOW, _APART = 0.9, 0.05  # a share of judged items is low below this, and shares differ by more than this
_MOST_NAMED = 3  # models of a sentence


@dataclass(frozen=True)
class Judging:
    """How much is judged of the lists of models."""

    metric: Metric  # the metric that decides
    shares: Mapping[object, float]  # the mean share of judged items among the first ones, by model
    items: int  # how many unjudged items the metric reads, over all models

    @property
    def matters(self) -> bool:
        """True if the shares differ, or if one of them is low."""
        values = self.shares.values()
        return bool(values) and (min(values) < _LOW or max(values) - min(values) > _APART)

    def is_open(self, better: object, worse: object) -> bool:
        """Return True if the better model may be the worse one after judging: the worse one has unjudged items.

        If a lower mean is better, those of the better model can turn the decision too, and so can items below the depth
        that was looked at, which a metric without a cutoff reads.
        """
        if not self.matters or not {better, worse} <= {*self.shares}:
            return False
        models = {better, worse} if reading.is_better_lower(self.metric.template) else {worse}
        return self.metric.k is None or any(self.shares[model] < 1 for model in models)

    @property
    def sentences(self) -> list[str]:
        """The shares, or the lowest and the highest of many, and how to list what to judge; nothing if all is well."""
        if not self.matters:
            return []
        named = [f"{share:.0%} for {model}" for model, share in self.shares.items()]
        if len(named) > _MOST_NAMED:
            ends = sorted(self.shares.items(), key=lambda item: item[1])
            named = ["from " + " to ".join(f"{share:.0%} for {model}" for model, share in (ends[0], ends[-1]))]
        pool = "recall_duckdb.pool" if can_pass("connection") else "recall-duckdb pool"
        items = "item" if self.items == 1 else f"{self.items:,} items"
        return [
            f"Judged of the first {self.metric.k or _USUAL_DEPTH}: {', '.join(named)}.",
            f"{pool} lists the {items} to judge, given the same run, qrels, columns and policies, and {self.metric}.",
        ]


def find_judging(data: ResultData, key: Key, models: Sequence[object], most: int | None) -> Judging | None:
    """Return how much is judged; None if all of it is, if nobody judged items as not relevant, or if it is unknown.

    Args:
        data: the result. Run and qrels are read again.
        key: the metric that decides, and its cutoff.
        models: the models, in the order to name them.
        most: how many rows the run may have; None for any number.
    """
    question = data.question
    metric = next(each for each in data.plan.metrics if (each.name, each.k) == key)
    with (
        open_session(question.connection, question.dialect, question.sources()) as session,
        planned(question, session) as plan,
    ):
        may_lack = (  # a list may hold items that are not judged, and judging them would change the metric
            plan.has_qrels
            and not plan.has("labelled")
            and plan.policies.unjudged == "keep"
            and metric.mean == "arithmetic"
            and not reading.never_decides(metric.template)
            and reading.needs_judgements(metric.template)
        )
        if not isinstance(session, DuckDB) or not may_lack:
            return None
        if most is not None and not has_at_most(most, plan, session):
            return None
        judged = replace(plan, metrics=[Metric(templates.own_metrics()["judged"], metric.k or _USUAL_DEPTH)])
        if checking.find_fault("unjudged_items", judged, session) is None:
            return None
        [(_, _, items)] = session.rows(Statement(replace(plan, metrics=[metric])).of_counts(["pool"]))
        means = [row for row in session.dicts(Statement(judged).of("means")) if is_over_all(row, plan.inputs.by)]
    shares = {row["model"]: row["value"] for row in means if row["value"] is not None}
    return Judging(metric, {model: shares[model] for model in models if model in shares}, items)
