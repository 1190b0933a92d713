"""How much of the lists is judged, and what a decision would be if the other items were relevant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from shlex import quote as quote_for_shell
from typing import TYPE_CHECKING, Any

from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.answering.planning import has_at_most, planned
from recall_duckdb.comparison.settings import Key
from recall_duckdb.comparison.shown import is_over_all
from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.definitions import reading, templates
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import can_pass, spell
from recall_duckdb.question import EvaluateQuestion, PoolQuestion
from recall_duckdb.question.metrics import Metric
from recall_duckdb.stages import stage

if TYPE_CHECKING:
    from recall_duckdb.result_data import ResultData

_USUAL_DEPTH = 10  # whose items are counted for a metric of the whole list
_LOW, _APART = 0.9, 0.05  # a share of judged items is low below this, and shares differ by more than this
_MOST_NAMED = 3  # models of a sentence
# The arguments of `pool` that a call names in another way, or that change nothing there.
_NOT_OF_POOL = {
    "run",
    "qrels",
    "metrics",
    "dialect",
    "by",
    "slices",
    "item_by",
    "item_slices",
    "query_slices",
    "weights",
}
# What a metric may read to be lowest if no unjudged item is relevant, and highest if all are. Others divide by what is
# judged in all, or count items judged not relevant.
_BOUNDED = frozenset({"model", "query", "rank", "retrieved", "hits", "found", "is_first", "gain", "top_gain"})


@dataclass(frozen=True)
class Judging:
    """How much is judged of the lists of models, and the means if all unjudged items were relevant."""

    metric: str  # the metric that decides, as in "ndcg@10"
    depth: int  # how many items of each list were looked at
    shares: Mapping[object, float]  # the mean share of judged items among these, by model
    none: Mapping[object, float]  # the mean if no unjudged item is relevant, as it was evaluated, by model
    every: Mapping[object, float]  # the mean if every unjudged item were relevant, by model
    items: int  # how many unjudged items the metric reads, over all models
    pool: str  # the call or the command that lists them
    is_lower_better: bool = False  # True if a lower mean is better
    is_bounded: bool = True  # True if the mean after judging is between the two, whatever the judgements
    reads_all: bool = False  # True if the metric reads more items than the first `depth`

    @property
    def matters(self) -> bool:
        """True if the shares differ, or if one of them is low."""
        return _matter(self.shares)

    def is_open(self, better: object, worse: object) -> bool:
        """Return True if the better model may be the worse one after judging.

        If the means after judging have bounds, these overlap. Otherwise the worse model has items that are not judged;
        if a lower mean is better, those of the better model can turn the decision too.
        """
        if not self.matters or not {better, worse} <= {*self.every}:
            return False
        if not self.is_bounded:
            models = {better, worse} if self.is_lower_better else {worse}
            return self.reads_all or any(self.shares[model] < 1 for model in models)
        ranges = [sorted((self.none[model], self.every[model])) for model in (better, worse)]
        (low, _), (_, high) = ranges
        return low <= high

    @property
    def sentences(self) -> list[str]:
        """The shares, the means if none or all unjudged items were relevant, and what to judge; or nothing."""
        if not self.matters:
            return []
        models, items = list(self.every), "item" if self.items == 1 else f"{self.items:,} items"
        if len(models) > _MOST_NAMED:  # the two that would be best
            best = min if self.is_lower_better else max
            models = list(dict.fromkeys(best(values, key=values.__getitem__) for values in (self.none, self.every)))
        none, every = (
            ", ".join(f"{values[model]:.4f} for {model}" for model in models) for values in (self.none, self.every)
        )
        return [
            _say(self.shares, self.depth),
            f"If no unjudged item is relevant, {self.metric} is {none}.",
            f"If all of them are, it is {every}.",
            f"{self.pool} lists the {items} to judge.",
        ]


def _matter(shares: Mapping[object, float]) -> bool:
    """Return True if shares of judged items differ, or if one of them is low."""
    values = shares.values()
    return bool(values) and (min(values) < _LOW or max(values) - min(values) > _APART)


def _say(shares: Mapping[object, float], depth: int | None) -> str:
    """Return the shares of a few models, or the lowest and the highest of many."""
    which = "of the whole lists" if depth is None else f"of the first {depth}"
    if len(shares) <= _MOST_NAMED:
        return f"Judged {which}: {', '.join(f'{share:.0%} for {model}' for model, share in shares.items())}."
    (lowest, low), *_, (highest, high) = sorted(shares.items(), key=lambda item: item[1])
    return f"Judged {which}: from {low:.0%} for {lowest} to {high:.0%} for {highest}."


def say_judged(data: ResultData) -> list[str]:
    """Return what the means of `judged` say if they are low or differ: a line for their first cutoff, or nothing.

    It is nothing too if nobody judged items as not relevant, as with clicks.
    """
    shares: dict[int | None, dict[object, float]] = {}
    for row in data.means:
        if row["metric"] == "judged" and row["value"] is not None and is_over_all(row, data.plan.inputs.by):
            shares.setdefault(row["k"], {})[row["model"]] = row["value"]
    for depth, of_models in shares.items():
        if _matter(of_models) and not _are_all_relevant(data):
            said = _say({model: of_models[model] for model in data.counts if model in of_models}, depth)
            missing = any(counts.missing for counts in data.counts.values()) and data.plan.policies.missing == "zero"
            zero = ", and queries missing from a run as 0% judged" if missing else ""
            return [f"{said} Unjudged items count as not relevant{zero}; recall-duckdb pool lists them"]
    return []


def _are_all_relevant(data: ResultData) -> bool:
    """Return True if no judged item is irrelevant; the qrels are read again."""
    question = data.question
    with (
        open_session(question.connection, question.dialect, question.sources()) as session,
        planned(question, session, data.plan.inputs.watched) as plan,
    ):
        return checking.find_fault("all_relevant", plan, session) is not None


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
    none = _over_all([row for row in data.means if (row["metric"], row["k"]) == key], data.plan)
    with (
        open_session(question.connection, question.dialect, question.sources()) as session,
        planned(question, session) as original,
    ):
        plan = replace(original, metrics=[metric])
        if not isinstance(session, DuckDB) or not _may_lack(plan, metric):
            return None
        if most is not None and not has_at_most(most, plan, session):
            return None
        stage("looking at unjudged items")
        return _look(plan, session, metric, none, models, _call_of_pool(question, str(metric)))


def _may_lack(plan: Plan, metric: Metric) -> bool:
    """Return True if a list may hold items that are not judged, and judgements of them would change the metric."""
    return (
        plan.has_qrels
        and not plan.has("labelled")
        and plan.policies.unjudged == "keep"
        and metric.mean == "arithmetic"
        and not reading.never_decides(metric.template)
        and reading.needs_judgements(metric.template)
    )


def _look(
    plan: Plan, session: DuckDB, metric: Metric, none: Mapping[object, float], models: Sequence[object], call: str
) -> Judging | None:
    depth = metric.k or _USUAL_DEPTH
    judged = Metric(templates.own_metrics()["judged"], depth)
    if checking.find_fault("unjudged_items", replace(plan, metrics=[judged]), session) is None:
        return None
    shares = _means(replace(plan, metrics=[judged]), session, {})
    table = session.store(Statement(plan).of_comparison("all_relevant"))
    try:
        [(_, _, items)] = session.rows(Statement(plan).of_counts(["pool"]))
        assumed = replace(plan, replacements=Replacements(reads={("graded", "judgements"): "all_relevant"}))
        every = _means(assumed, session, {"all_relevant": table})
    finally:
        session.drop(table)
    is_lower_better = reading.is_better_lower(metric.template)
    known = [model for model in models if None not in (shares.get(model), every.get(model), none.get(model))]
    shares, none, every = ({model: values[model] for model in known} for values in (shares, none, every))
    return Judging(
        str(metric),
        depth,
        shares,
        none,
        every,
        items,
        call,
        is_lower_better,
        is_bounded=_reads(metric) <= _BOUNDED and not is_lower_better and plan.policies.no_relevant != "skip",
        reads_all=metric.k is None,
    )


def _call_of_pool(question: EvaluateQuestion, metric: str) -> str:
    """Return the call that lists the unjudged items, or the command on the command line, which takes no connection."""
    given: dict[str, Any] = {}
    for each in fields(PoolQuestion):
        value = getattr(question, each.name, each.default)
        is_default = value == each.default if isinstance(value, (str, float)) else value is each.default
        if not is_default and each.name not in _NOT_OF_POOL:
            given[each.name] = value
    if can_pass("connection"):
        plain = (str, list, tuple, int, float, type(None))
        said = (
            f", {name}={value!r}" if isinstance(value, plain) else f", {name}={name}" for name, value in given.items()
        )
        return f'recall_duckdb.pool(run, qrels, "{metric}"{"".join(said)})'
    said = (
        spell(name, [quote_for_shell("none" if each is None else str(each)) for each in values])
        for name, value in given.items()
        for values in [value if isinstance(value, (list, tuple)) else [value]]
    )
    return " ".join([f"recall-duckdb pool RUN --qrels QRELS -m {quote_for_shell(metric)}", *said])


def _means(plan: Plan, session: DuckDB, bound: Mapping[str, exp.Expr]) -> dict[object, float]:
    """Return the means over all queries, by model."""
    return _over_all(session.dicts(Statement(plan, bound).of("means")), plan)


def _reads(metric: Metric) -> set[str]:
    """Return the columns that a metric reads, with those of judged that hold a sum of is_relevant."""
    return {column.name for column in metric.template.tree("expected").find_all(exp.Column)}


def _over_all(means: Sequence[Mapping[str, Any]], plan: Plan) -> dict[object, float]:
    """Return the means over all queries, by model, of means of one metric."""
    return {row["model"]: row["value"] for row in means if is_over_all(row, plan.inputs.by)}
