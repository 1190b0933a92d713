"""What a report shows, read from a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timezone
from typing import Any

from recall_duckdb import __version__
from recall_duckdb.checking import Faults, name_followed
from recall_duckdb.comparison import comparison
from recall_duckdb.comparison.comparison import Comparison, Inputs, Intervals, Leaderboard, comparable, rows_of_queries
from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.comparison.shown import Rows, is_over_all, mark_of, slice_name, write_metric
from recall_duckdb.compose import Plan
from recall_duckdb.definitions.reading import is_better_lower, never_decides
from recall_duckdb.errors import number_shown
from recall_duckdb.evaluation import check_question, explain_queries
from recall_duckdb.question import CheckQuestion, EvaluateQuestion
from recall_duckdb.reading.texts import Texts
from recall_duckdb.report import cut
from recall_duckdb.reporting import decisions, history
from recall_duckdb.reporting.charts import MOST_BARS
from recall_duckdb.reporting.decisions import Decision
from recall_duckdb.reporting.judging import Judging, find_judging
from recall_duckdb.result_data import ResultData
from recall_duckdb.texts import missing, texts_of, without_repeats

MOST_CHECKED = 500_000  # rows of the run; checks take about 5 seconds for a million
_MOST_METRICS = 4  # with charts of their own
_MOST_MODELS = 8  # whose queries are listed
_MOST_ITEMS = 40  # of a query


@dataclass(frozen=True)
class Changed:
    """A query among the worst or the best."""

    query: tuple[object, ...]  # the values of the query columns
    slice_name: str  # the slice of the query, or an empty text
    baseline: float  # the value under the baseline, 0 without one
    value: float  # the value under the model
    delta: float  # the difference
    is_better: bool  # True if the value under the model is better
    # Item, relevance, rank under the baseline, rank, and change, in the order of the ranks
    items: Sequence[tuple[Any, ...]] = ()
    left_out: int = 0  # how many further items there are


@dataclass(frozen=True)
class Queries:
    """The worst and the best queries of a model."""

    model: object
    worst: list[Changed]
    best: list[Changed]


@dataclass(frozen=True)
class Contents:
    """What a report shows."""

    data: ResultData  # the result, for its counts, means and statement
    models: list[object]  # the models in the order of the leaderboard, after the baseline
    by: list[str]  # the columns of slices
    settings: Settings  # how models were compared
    main: list[Key]  # the metrics with charts of their own: the first cutoff of each
    basis: str  # which metric decides, and why; an empty text if it is the first one
    policies: Mapping[str, Any]  # the policies by name
    comparison: Comparison | None  # with the baseline, if there is one; p is adjusted for the number of slices too
    intervals: Intervals | None  # the intervals of the means, unless the result is weighted
    decisions: list[Decision] = field(default_factory=list)  # one, or one for each model if nothing is compared
    leaderboard: Leaderboard | None = None  # the models in order, if there are several; None if the result is weighted
    rivals: Sequence[str] = ()  # without a baseline, which models are better than the best one in which slices
    judging: Judging | None = None  # how much of the lists is judged; None if all of it is, or if it is unknown
    bars: dict[tuple[Key, object], list[dict[str, Any]]] = field(default_factory=dict)  # changes, by metric and model
    # The worst and best queries by the first metric, those of the decision's model first
    queries: list[Queries] = field(default_factory=list)
    queries_note: str = ""  # how many models have no list of queries, and how many ids no text, or an empty text
    texts: Texts = field(default_factory=dict)  # the texts of queries and items by id, if there are any
    trend: list[dict[str, Any]] | None = None  # of earlier runs and this one, oldest first; None without a history
    trend_others: list[str] = field(default_factory=list)  # the models of the history that are not drawn
    faults: Faults | None = None  # what the checks found; None if they did not run
    created: datetime = field(default_factory=lambda: datetime.now(timezone.utc))  # when the report was made, in UTC

    @property
    def first(self) -> str:
        """The metric that decides."""
        return write_metric(self.main[0])

    @property
    def in_slices(self) -> Rows:
        """The comparison in slices or, without one, the means there."""
        rows = self.means if self.comparison is None else self.comparison.to_dicts()
        return [row for row in rows if not is_over_all(row, self.by)]

    @property
    def judged(self) -> list[str]:
        """How much is judged, and the call that lists what to judge; nothing if all is well."""
        return [] if self.judging is None else self.judging.sentences

    @property
    def means(self) -> list[dict[str, Any]]:
        """The means with their intervals; those of a weighted result have none."""
        weighted = [{**row, "low": None, "high": None} for row in self.data.means]
        return weighted if self.intervals is None else self.intervals.to_dicts()


def gather_contents(
    data: ResultData, settings: Settings, compared: Comparison | None, queries: int, check: bool | None, texts: object
) -> Contents:
    """Return what a report shows; runs a statement for each main metric, one for each model, and one for texts."""
    plan, models = data.plan, list(data.counts)
    lower = frozenset(each.name for each in plan.metrics if is_better_lower(each.template))
    inputs = None if plan.has("weights") else comparable(data)
    if inputs is not None and inputs.values.metrics:
        inputs, settings = inputs.on_duckdb(), inputs.settings_of(settings)
    intervals = None if inputs is None else comparison.intervals(inputs, settings.of_means)
    main = _main(plan, inputs)
    most = None if check else MOST_CHECKED
    ranked, rivals = None, list[str]()
    if inputs is not None and len(models) > (1 if compared is None else 2):
        ranked = comparison.leaderboard(inputs, replace(settings, baseline=None), main[0])
        models = list(dict.fromkeys([*ranked.models, *models]))
        if compared is None and inputs.values.by and main[0] in inputs.values.metrics:
            rivals = _rivals(replace(inputs, values=inputs.values.of(main[0])), replace(settings, baseline=models[0]))
    if compared is not None:
        models.sort(key=lambda model: model != settings.baseline)
    judging = None if check is False else find_judging(data, main[0], models, most)
    contents = Contents(
        data=data,
        models=models,
        by=plan.inputs.by,
        settings=replace(settings, lower=lower) if compared is None else compared.settings,
        main=main,
        basis=_basis(plan, main[0]),
        policies=plan.policies.settings(),
        comparison=compared,
        intervals=intervals,
        leaderboard=ranked,
        rivals=rivals,
        judging=judging,
        faults=None if check is False else _faults(data.question, most),
    )
    contents = replace(contents, decisions=decisions.decide(contents))
    contents = contents if inputs is None else _with_queries(contents, inputs, queries)
    return contents if texts is None else _with_texts(contents, texts)


def _rivals(inputs: Inputs, settings: Settings) -> list[str]:
    """Return which models are better than the baseline of the settings in which slices."""
    found, by = comparison.compare_models(inputs, replace(settings, over_slices=True)), inputs.values.by
    rows = [row for row in found.to_dicts() if mark_of(row, found.settings) == "▲" and not is_over_all(row, by)]
    return [f"{row['model']} is better for {cut(slice_name(row, by))}" for row in rows]


def _with_queries(contents: Contents, inputs: Inputs, queries: int) -> Contents:
    """Return the contents with the changes of queries, and with the items of the worst and best ones."""
    settings, main, plan = contents.settings, contents.main, contents.data.plan
    bars: dict[tuple[Key, object], list[dict[str, Any]]] = {}
    compared_by = [metric for metric in main if metric in inputs.values.metrics]
    for metric in compared_by:
        for row in rows_of_queries(inputs, settings, metric, "bars", MOST_BARS):
            bars.setdefault((metric, row["model"]), []).append(row)
    shown = _queries(inputs, settings, main[0], queries) if queries and compared_by else []
    order = list(dict.fromkeys([*(each.model for each in contents.decisions), *contents.models]))
    shown.sort(key=lambda each: order.index(each.model))
    most = number_shown(len(shown), _MOST_MODELS)
    note = f"The queries of {len(shown) - most} more models are not shown." if most < len(shown) else ""
    shown = shown[:most]
    if plan.has_qrels:
        question = contents.data.question
        shown = [_with_items(each, question, settings.baseline, main[0][1] or 10, plan) for each in shown]
    return replace(contents, bars=bars, queries=shown, queries_note=note)


def _with_texts(contents: Contents, texts: object) -> Contents:
    changes = [change for each in contents.queries for change in (*each.worst, *each.best)]
    items = ((item,) for change in changes for item, *_ in change.items)
    ids = {"query": without_repeats(change.query for change in changes), "item": without_repeats(items)}
    found = texts_of(contents.data.question, texts, ids)
    lost = missing({key: {each: by_id.get(each) for each in ids[key]} for key, by_id in found.items()})
    notes = [contents.queries_note, *([f"{lost}: the id stands alone."] if lost else [])]
    return replace(contents, texts=found, queries_note=" ".join(filter(None, notes)))


def with_trend(contents: Contents, file: str, means: Sequence[Mapping[str, Any]]) -> Contents:
    """Return the contents with the means of a history, and these as those of its last run.

    The parts of a run, which were added one after another, have the time of the first.
    """
    models, found = set(map(str, contents.models)), history.read(file, contents.main)
    earlier = [row for row in found if row["model"] in models]
    others = dict.fromkeys(row["model"] for row in found if row["model"] not in models)
    times = {row["run_id"]: row["time"] for row in reversed(earlier)}  # the oldest are first
    trend = [{**row, "time": times[row["run_id"]]} for row in earlier]
    now = {"run_id": None, "time": contents.created.replace(tzinfo=None), "version": __version__}
    now["policies"] = history.as_json(contents.policies)
    over_all = [row for row in means if is_over_all(row, contents.by)]
    trend += [{**row, **now} for row in over_all if (row["metric"], row["k"]) in contents.main]
    return replace(contents, trend=trend, trend_others=[*others])


def _basis(plan: Plan, metric: Key) -> str:
    """Return which metric decides, and why; an empty text if it is the first one."""
    first, why = plan.metrics[0], "it is the first metric with a value for each query"
    if never_decides(first.template):
        why = f"{first} says nothing about quality"
    return "" if (first.name, first.k) == metric else f"{write_metric(metric)} decides: {why}."


def _main(plan: Plan, inputs: Inputs | None) -> list[Key]:
    """Return the first cutoff of each metric: those about quality first, of these those with values of queries."""
    keys = [(metric.name, metric.k) for metric in plan.metrics]
    first = list({name: (name, k) for name, k in reversed(keys)}.values())[::-1]
    descriptive = {metric.name for metric in plan.metrics if never_decides(metric.template)}
    compared = [] if inputs is None else [key for key in first if key in inputs.values.metrics]
    first.sort(key=lambda key: (key[0] in descriptive, key not in compared))
    return first[:_MOST_METRICS]


def _queries(inputs: Inputs, settings: Settings, metric: Key, most: int) -> list[Queries]:
    """Return the worst and best queries of each model; only the worst without a baseline."""
    names = inputs.values.users_names
    keys = [name for name in names if name.startswith("query")]
    by = {name: users for name, users in names.items() if name.startswith("slice")}
    by_model: dict[object, Queries] = {}
    for row in rows_of_queries(inputs, settings, metric, "extremes", most):
        queries = by_model.setdefault(row["model"], Queries(row["model"], [], []))
        change = Changed(
            tuple(row[name] for name in keys),
            slice_name({users: row[name] for name, users in by.items()}, list(by.values())),
            row["baseline"],
            row["value"],
            row["delta"],
            (row["delta"] < 0) if metric[0] in settings.lower else (row["delta"] > 0),
        )
        is_worst, is_best = row["place"] <= most, row["place"] > row["pairs"] - most
        if is_worst and (settings.baseline is None or not (row["is_tie"] or change.is_better)):
            queries.worst.append(change)
        if is_best and settings.baseline is not None and change.is_better and not row["is_tie"]:
            queries.best.insert(0, change)
    return list(by_model.values())


def _with_items(queries: Queries, question: EvaluateQuestion, baseline: object, k: int, plan: Plan) -> Queries:
    keys = {change.query: None for change in (*queries.worst, *queries.best)}
    items: dict[tuple[object, ...], list[tuple[Any, ...]]] = {}
    if keys:
        for row in explain_queries(
            question, list(keys), baseline, queries.model, k, plan.inputs.watched, must_exist=False
        ).fetchall():
            place = len(next(iter(keys)))
            items.setdefault(row[:place], []).append(row[place:])

    def fill(change: Changed) -> Changed:
        rows = items.get(change.query, [])
        # What is relevant or in the top of a list stays; judged items that are neither are left out first.
        by_use = sorted(range(len(rows)), key=lambda place: rows[place][4] is None and not (rows[place][1] or 0) > 0)
        shown = [rows[place] for place in sorted(by_use[: number_shown(len(rows), _MOST_ITEMS)])]
        return replace(change, items=shown, left_out=len(rows) - len(shown))

    return Queries(queries.model, [*map(fill, queries.worst)], [*map(fill, queries.best)])


def _faults(question: EvaluateQuestion, most: int | None) -> Faults | None:
    """Return what the checks find, or None if the run has more than `most` rows."""
    values = {each.name: getattr(question, each.name) for each in fields(CheckQuestion) if hasattr(question, each.name)}
    values["metrics"] = list(map(str, question.parsed_metrics))  # the argument may be an iterator, which is spent
    faults = check_question(CheckQuestion(**values), most=most)
    return None if faults is None else name_followed(faults, question.policies.settings())
