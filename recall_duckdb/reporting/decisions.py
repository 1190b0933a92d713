"""The decision of a report: a sentence for each model, and details."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.distributions import queries_needed
from recall_duckdb.comparison.leaderboard import beats
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import (
    Rows,
    interval_text,
    is_over_all,
    mark_of,
    metric_name,
    number_text,
    p_text,
    percent,
    slice_name,
)
from recall_duckdb.errors import digits, some

if TYPE_CHECKING:
    from recall_duckdb.comparison.comparison import Comparison, Leaderboard
    from recall_duckdb.reporting.judging import Judging

_OPEN = "?"  # marks a decision that judging more items may turn
_ON_JUDGED = "on the judged items, but unjudged items may turn this"
_MOST_MORE = 20  # times the queries there are; with more, a difference is called small
_MOST = 5  # how many metrics or slices a sentence names
_ADJUSTED = dict.fromkeys(("holm", "bonferroni", "bh"), " (p adjusted for slices)") | {"none": " (p not adjusted)"}


@dataclass(frozen=True)
class Decision:
    """The decision about one model.

    Attributes:
        mark: ▲ if it is better than the baseline, ▼ if it is worse, = if no difference is clear, • without a test, ? if
            judging more items may turn it.
        verdict: what to conclude.
        numbers: the numbers behind it, by the metric that decides; empty if the verdict holds them.
        details: further sentences.
    """

    mark: str
    verdict: str
    numbers: str = ""
    details: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """The decision as one sentence."""
        return f"{': '.join(filter(None, [self.verdict, self.numbers]))}."


def decide_between(found: Comparison, slices: Rows, metric: str, judging: Judging | None = None) -> list[Decision]:
    """Return the decision about each model that was compared, by one metric.

    Args:
        found: the comparison.
        slices: the comparison in each slice by this metric, with p-values adjusted for the number of slices.
        metric: the metric with its cutoff.
        judging: how much of the lists is judged, if that is known.
    """
    baseline, decisions = found.settings.baseline, list[Decision]()
    rows = [row for row in found.to_dicts() if is_over_all(row, found.by)]
    models = dict.fromkeys(row["model"] for row in rows)
    for model in models:
        of_model, in_slices = ([row for row in each if row["model"] == model] for each in (rows, slices))
        decision = _of_model(of_model, in_slices, found, metric, len(models))
        better, worse = (model, baseline) if decision.mark == "▲" else (baseline, model)
        if judging is not None and decision.mark in ("▲", "▼") and judging.is_open(better, worse):
            decision = replace(decision, mark=_OPEN, verdict=f"{decision.verdict} {_ON_JUDGED}")
        decisions.append(decision)
    return decisions


def decide_best(found: Leaderboard, metric: str, judging: Judging | None = None) -> Decision | None:
    """Return which model is best by one metric with its cutoff and what it beats, from a leaderboard.

    None for a single model, without values, or for a metric that never decides. It is open if judging more items may
    turn it.
    """
    settings, pairs = found.settings, [pair for pair in found.pairs if metric_name(pair) == metric]
    ranked = [row for row in found.to_dicts() if metric_name(row) == metric and row["value"] is not None]
    if len(ranked) < 2 or ranked[0]["metric"] in settings.descriptive:
        return None
    best, others = ranked[0], ranked[1:]
    of_best = {
        pair["model"] if pair["baseline_model"] == best["model"] else pair["baseline_model"]: pair
        for pair in pairs
        if best["model"] in (pair["model"], pair["baseline_model"])
    }
    better = {model: (beats(pair, settings) or (None,))[0] for model, pair in of_best.items()}
    beaten = [row for row in others if better.get(row["model"]) == best["model"]]
    lost = [row for row in others if better.get(row["model"]) == row["model"]]
    level_with = [row for row in others if row not in beaten and row not in lost]
    same = [row for row in level_with if row["value"] == best["value"]]
    numbers = ", ".join(filter(None, [f"{number_text(best['value'])}{_over(best)}", _within(best, settings)]))
    highest = _has_best(best, same, len(ranked), settings)
    details = [f"Lower is better for {metric}."] if best["metric"] in settings.lower else []
    if best["letters"] is None:
        return Decision("•", highest, f"{numbers}; the models were not tested", details)
    if beaten:
        which = "all others" if len(beaten) == len(others) else _some([row["model"] for row in beaten])
        worst_p = max(of_best[row["model"]]["p_adjusted"] for row in beaten)
        details.append(_wins(str(best["model"]) if same else "It", which, worst_p, settings))
    details += [_lost(of_best[row["model"]], best["model"]) for row in lost[:_MOST]]
    open_to = [] if judging is None else [row for row in beaten if judging.is_open(best["model"], row["model"])]
    open_to += [] if judging is None else [row for row in lost if judging.is_open(row["model"], best["model"])]
    if open_to:
        names = _some([row["model"] for row in open_to])
        return Decision(_OPEN, f"{highest} {_ON_JUDGED}", numbers, [*details, f"Judging may turn it for {names}."])
    if lost:
        return Decision("=", f"{highest}, but {_win([row['model'] for row in lost], settings)}", numbers, details)
    if level_with:
        first = level_with[0]["model"]
        if first in of_best:
            details += _more_queries(of_best[first], settings, len(pairs), f"{best['model']} and {first}")
        close = [_with_p(row["model"], of_best) for row in level_with if row not in same]
        clear = f", without a clear difference from {_some(close)}" if close else ""
        return Decision("=", f"{highest}{clear}", numbers, details)
    return Decision("▲", f"{best['model']} is the best of {len(ranked):,} models by {metric}", numbers, details)


def _with_p(model: object, of_best: Mapping[object, Mapping[str, Any]]) -> str:
    """Return the name of a model, with the p of its difference from the best one if they were tested."""
    pair = of_best.get(model)
    return str(model) if pair is None or pair["p_adjusted"] is None else f"{model} ({_p(pair)})"


def _wins(it: str, which: str, worst_p: float, settings: Settings) -> str:
    """Return which models the best one beats, as a sentence."""
    how = "wins more queries than" if settings.test == "sign" else "is clearly better than"
    return f"{it} {how} {which} (each {_p({'p_adjusted': worst_p}).replace('p =', 'p ≤')})."


def _win(names: Sequence[object], settings: Settings) -> str:
    """Return that models beat the one with the best mean."""
    is_one = len(names) == 1
    if settings.test == "sign":
        return f"{_some(names)} {'wins' if is_one else 'win'} more queries"
    return f"{_some(names)} {'is' if is_one else 'are'} clearly better on the queries that both have"


def _has_best(best: Mapping[str, Any], same: Sequence[Mapping[str, Any]], count: int, settings: Settings) -> str:
    """Return which model has the best mean of `count` models, with those that have the same mean."""
    metric, highest = metric_name(best), "lowest" if best["metric"] in settings.lower else "highest"
    if not same:
        return f"{best['model']} has the {highest} {metric} of {count:,} models"
    names = some([row["model"] for row in (best, *same)], _MOST, last=" and ")
    return f"{names} have the same {metric}, the {highest} of {count:,} models"


def _lost(pair: Mapping[str, Any], best: object) -> str:
    """Return the numbers of a pair that the model with the best mean loses."""
    other = pair["model"] if pair["baseline_model"] == best else pair["baseline_model"]
    values = {pair["model"]: pair["value"], pair["baseline_model"]: pair["baseline"]}
    wins = {pair["model"]: pair["wins"], pair["baseline_model"]: pair["losses"]}
    means = (
        f"{metric_name(pair)} is {number_text(values[other])} for {other} and {number_text(values[best])} for {best}"
    )
    won = f"{other} wins {wins[other]:,} and {best} {wins[best]:,}"
    return f"On the {_queries(pair['queries'])} that both have, {means}; {won} ({_p(pair)})."


def _more_queries(row: Mapping[str, Any], settings: Settings, tests: int, models: str = "") -> list[str]:
    """Return how many more queries a difference as large as this one needs; nothing if it needs no more.

    If p is adjusted for this many tests, each needs a p as small as with Bonferroni's correction, at most.
    """
    tests = 1 if settings.correction == "none" else tests
    needed = queries_needed(row["delta"], row["sd"], 1 - (1 - settings.confidence) / tests)
    if needed is None or not row["queries"] or needed <= row["queries"]:
        return []
    more = needed - row["queries"]
    rounded = round(more, 1 - len(str(more))) if more < 10 else round(more, 2 - len(str(more)))
    between = f" between {models}" if models else ""
    if rounded > _MOST_MORE * row["queries"]:
        return [f"A difference{between} as small as this one would take about {rounded:,} more queries to settle."]
    queries = "query" if rounded == 1 else "queries"
    return [f"About {rounded:,} more {queries} would settle a difference{between} as large as this one."]


def _over(row: Mapping[str, Any]) -> str:
    return "" if row["queries"] is None else f" over {_queries(row['queries'])}"


def describe_alone(rows: Rows, by: Sequence[str], settings: Settings, metric: str) -> list[Decision]:
    """Return a sentence for each model about the interval of its mean of one metric."""
    decisions = []
    for row in rows:
        if metric_name(row) == metric and is_over_all(row, by):
            has = f"a mean of {number_text(row['value'])} for {metric}"
            if row["value"] is None:
                has = f"no value for {metric}"
            elif row["queries"] is None:
                has = f"{metric} of {number_text(row['value'])}"
            decisions.append(Decision("•", f"{row['model']} has {has}{_over(row)}", _within(row, settings)))
    return decisions


def _of_model(rows: Rows, slices: Rows, found: Comparison, metric: str, tests: int) -> Decision:
    """Return the decision about one model, from its rows over all queries and those in slices."""
    settings = found.settings
    row = next(row for row in rows if metric_name(row) == metric)
    if row["metric"] in settings.descriptive:
        return Decision("•", f"{metric} does not say which of {row['model']} and {settings.baseline} is better")
    mark = mark_of(row, settings)
    details = [f"Lower is better for {metric}."] if row["metric"] in settings.lower else []
    if row["queries"] is not None:
        details.append(_counts(row, settings, metric))
        if mark == "=":
            details += _more_queries(row, settings, tests)
    for sign, word in (("▲", "better"), ("▼", "worse")):
        others = [
            metric_name(each)
            for each in rows
            if each is not row and each["metric"] not in settings.descriptive and mark_of(each, settings) == sign
        ]
        if others:
            details.append(f"{f'Also {word}' if sign == mark else word.capitalize()} on {_some(others)}.")
        where = [slice_name(each, found.by) for each in slices if mark_of(each, settings) == sign]
        if where:
            count = f"{len(where):,} of {len(slices):,} slices"
            details.append(f"{word.capitalize()} in {count}{_ADJUSTED[settings.correction]}: {_some(where)}.")
    return Decision(mark, *_verdict(row, mark, settings, metric), details)


def _verdict(row: Mapping[str, Any], mark: str, settings: Settings, metric: str) -> tuple[str, str]:
    """Return the verdict on a model, and the numbers behind it."""
    model, baseline = row["model"], settings.baseline
    if row["delta"] is None:
        return f"{model} and {baseline} cannot be compared on {metric}", "one of them has no value"
    if mark == "=" and row["p_adjusted"] is None:
        same = f"{number_text(row['value'])} on average"
        return f"{model} and {baseline} have the same {metric} for {_queries(row['queries'])}", same
    means = f"{metric} is {number_text(row['value'])} instead of {number_text(row['baseline'])}"
    parts = [number_text(row["delta"], sign=True), _within(row, settings, sign=True)]
    if row["p_adjusted"] is not None:
        if mark != "=" and settings.test == "sign":
            verdict = f"{model} wins {'more' if mark == '▲' else 'fewer'} queries than {baseline}"
            counts = f"{row['wins']:,} won and {row['losses']:,} lost ({_p(row)})"
            return verdict, f"{counts}; {means} ({', '.join(filter(None, parts))})"
        verdict = f"{model} is {'better' if mark == '▲' else 'worse'} than {baseline}"
        if mark == "=":
            verdict = f"No clear difference between {model} and {baseline}"
        return verdict, f"{means} ({', '.join(filter(None, [*parts, _p(row)]))})"
    why = "the metric has one value for the whole run"
    if row["queries"] is not None:
        few = row["queries"] < 2
        why = "one query cannot be tested" if few else "all queries differ by the same amount"
    return f"{model} was not tested against {baseline}", f"{means} ({', '.join(filter(None, parts))}); {why}"


def _within(row: Mapping[str, Any], settings: Settings, *, sign: bool = False) -> str:
    interval = interval_text(row["low"], row["high"], sign=sign)
    return f"{percent(settings.confidence)} interval {interval}" if interval else ""


def _p(row: Mapping[str, Any]) -> str:
    text = p_text(row["p_adjusted"])
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def _counts(row: Mapping[str, Any], settings: Settings, metric: str) -> str:
    wins, ties, losses = (f"{row[name]:,}" for name in ("wins", "ties", "losses"))
    better, worse = ("lower", "higher") if row["metric"] in settings.lower else ("higher", "lower")
    won = f"{wins} of {_queries(row['queries'])}"
    if settings.tie_within:
        most = digits(settings.tie_within)
        return (
            f"{metric} is {better} by more than {most} for {won}, within {most} for {ties} "
            f"and {worse} by more than {most} for {losses}."
        )
    return f"{metric} is {better} for {won}, equal for {ties} and {worse} for {losses}."


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def _some(names: Sequence[object]) -> str:
    return some(names, _MOST)
