"""The decision of a report: a sentence for each model, and details."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import interval_text, metric_name, number_text, p_text

_MOST = 5  # how many metrics or slices a sentence names


@dataclass(frozen=True)
class Decision:
    """What a report says of one model.

    Attributes:
        mark: ▲ if it is better than the baseline, ▼ if it is worse, = if no difference is clear, • without a test.
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


def compared(rows: Sequence[Mapping[str, Any]], by: Sequence[str], settings: Settings, metric: str) -> list[Decision]:
    """Return the decision of each model that was compared, by one metric."""
    return [
        _of_model([row for row in rows if row["model"] == model], by, settings, metric)
        for model in dict.fromkeys(row["model"] for row in rows)
    ]


def alone(rows: Sequence[Mapping[str, Any]], by: Sequence[str], settings: Settings, metric: str) -> list[Decision]:
    """Return a sentence for each model about the interval of its mean of one metric."""
    found = []
    for row in rows:
        if metric_name(row) == metric and is_over_all(row, by):
            queries = "" if row["queries"] is None else f" over {_queries(row['queries'])}"
            value = "no value" if row["value"] is None else f"a mean of {number_text(row['value'])}"
            found.append(Decision("•", f"{row['model']} has {value} for {metric}{queries}", _within(row, settings)))
    return found


def _of_model(rows: Sequence[Mapping[str, Any]], by: Sequence[str], settings: Settings, metric: str) -> Decision:
    over_all = [row for row in rows if is_over_all(row, by)]
    row = next(row for row in over_all if metric_name(row) == metric)
    mark = mark_of(row, settings)
    details = [] if row["queries"] is None else [_counts(row, metric)]
    slices = [each for each in rows if metric_name(each) == metric and not is_over_all(each, by)]
    for sign, word in (("▲", "better"), ("▼", "worse")):
        others = [metric_name(each) for each in over_all if each is not row and mark_of(each, settings) == sign]
        if others:
            details.append(f"{f'Also {word}' if sign == mark else word.capitalize()} on {_some(others)}.")
        where = [slice_name(each, by) for each in slices if mark_of(each, settings) == sign]
        if where:
            details.append(f"{word.capitalize()} in {len(where)} of {len(slices)} slices: {_some(where)}.")
    return Decision(mark, *_verdict(row, mark, settings, metric), details)


def mark_of(row: Mapping[str, Any], settings: Settings) -> str:
    """Return ▲ or ▼ for a significant difference, = for one that is not, and • where there is no test."""
    if row["p_adjusted"] is None:
        return "=" if row["delta"] == 0 and row["queries"] else "•"
    if row["p_adjusted"] >= 1 - settings.confidence:
        return "="
    return "▲" if row["delta"] > 0 else "▼"


def is_over_all(row: Mapping[str, Any], by: Sequence[str]) -> bool:
    """Return True if a row is about all queries, not a slice."""
    return all(row[name] is None for name in by)


def slice_name(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """Return the slice of a row, as in "NL", or "NL, heavy" for two columns."""
    return ", ".join(str(row[name]) for name in by if row[name] is not None)


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
        verdict = f"{model} is {'better' if mark == '▲' else 'worse'} than {baseline}"
        if mark == "=":
            verdict = f"No clear difference between {model} and {baseline}"
        return verdict, f"{means} ({', '.join(filter(None, [*parts, _p(row)]))})"
    why = "the metric has one value for the whole run"
    if row["queries"] is not None:
        few = row["queries"] < 2
        why = "one query cannot be tested" if few else "all queries differ by the same amount"
    return f"No test of {model} against {baseline}", f"{means} ({', '.join(filter(None, parts))}); {why}"


def _within(row: Mapping[str, Any], settings: Settings, *, sign: bool = False) -> str:
    found = interval_text(row["low"], row["high"], sign=sign)
    return f"{settings.confidence * 100:g}% interval {found}" if found else ""


def _p(row: Mapping[str, Any]) -> str:
    text = p_text(row["p_adjusted"])
    return f"p {text[0]} {text[1:]}" if text.startswith("<") else f"p = {text}"


def _counts(row: Mapping[str, Any], metric: str) -> str:
    wins, ties, losses = (f"{row[name]:,}" for name in ("wins", "ties", "losses"))
    return f"{metric} is higher for {wins} of {_queries(row['queries'])}, equal for {ties} and lower for {losses}."


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST} more" if len(names) > _MOST else ""
    return f"{', '.join(names[:_MOST])}{more}"
