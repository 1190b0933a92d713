"""How much of the lists is judged, and whether judging more items may turn a decision."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from types import NoneType
from typing import TYPE_CHECKING, Any

from recall_duckdb import checking
from recall_duckdb.answering.planning import has_at_most, opened
from recall_duckdb.comparison.settings import Key
from recall_duckdb.comparison.shown import is_over_all
from recall_duckdb.compose import Statement
from recall_duckdb.definitions import reading, templates
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import can_pass, spell
from recall_duckdb.question import EvaluateQuestion, PoolQuestion
from recall_duckdb.question.metrics import Metric
from recall_duckdb.reading.formats import name_of

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
    call: str = ""  # the call that lists them

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
        """The shares, or the lowest and the highest of many, and how much to judge; nothing if all is well."""
        if not self.matters:
            return []
        named = [f"{share:.0%} for {model}" for model, share in self.shares.items()]
        if len(named) > _MOST_NAMED:
            ends = sorted(self.shares.items(), key=lambda item: item[1])
            named = ["from " + " to ".join(f"{share:.0%} for {model}" for model, share in (ends[0], ends[-1]))]
        items = "item" if self.items == 1 else f"{self.items:,} items"
        depth = self.metric.k or _USUAL_DEPTH
        return [f"Judged of the first {depth}: {', '.join(named)}. This lists the {items} to judge:", self.call]


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
    with opened(question) as (session, plan):
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
        share = Metric(templates.own_metrics()["judged"], metric.k or _USUAL_DEPTH)
        judged = replace(plan, metrics=[share], policies=replace(plan.policies, missing="skip"))  # no list, no share
        if checking.find_fault("unjudged_items", judged, session) is None:
            return None
        [(_, _, items)] = session.rows(Statement(replace(plan, metrics=[metric])).of_counts(["pool"]))
        means = [row for row in session.dicts(Statement(judged).of("means")) if is_over_all(row, plan.inputs.by)]
    held = {row["model"]: row["value"] for row in means if row["value"] is not None}
    shares = {model: held[model] for model in models if model in held}
    return Judging(metric, shares, items, pool_call(question, str(metric)))


def pool_call(question: EvaluateQuestion, metric: str) -> str:
    """Return the call of `pool` with the arguments of a question and one metric, as its reader writes it.

    In Python, data in memory have the names of their arguments.

    >>> pool_call(EvaluateQuestion("a.csv", {"q1": {"i": 1}}, query="user", unjudged="drop"), "recall@10")
    "recall_duckdb.pool(run='a.csv', qrels=qrels, metrics='recall@10', query='user', unjudged='drop')"
    """
    given: dict[str, Any] = {"run": question.run, "qrels": question.qrels, "metrics": metric}
    for each in fields(PoolQuestion):
        value = getattr(question, each.name, each.default)
        if each.name != "slices" and value is not each.default:
            given.setdefault(each.name, value)
    if can_pass("connection"):
        return f"recall_duckdb.pool({', '.join(f'{name}={_written(name, each)}' for name, each in given.items())})"
    runs, connection = given.pop("run"), given.pop("connection", None)
    named = runs if isinstance(runs, dict) else {name_of(runs): runs}
    words = [path if name == name_of(path) else f"{name}={path}" for name, path in named.items()]
    if connection is not None:
        opened = connection.execute("SELECT path FROM duckdb_databases() WHERE path IS NOT NULL").fetchall()
        given["database"] = [path for (path,) in opened]
    for name, value in given.items():
        for each in value if isinstance(value, list) else [value]:
            words += [spell(name), "none" if each is None else str(each)]
    return f"recall-duckdb pool {shlex.join(words)} > pool.csv"


def _written(name: str, value: Any) -> str:
    """Return a value as Python reads it, or the name of its argument if it is data in memory."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
    return repr(value) if all(isinstance(each, (str, int, float, NoneType)) for each in inner) else name
