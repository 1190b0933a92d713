"""Comparisons and intervals as tables for readers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, TypeAlias

from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.errors import digits, some
from recall_duckdb.report import Table, metric_name

Rows: TypeAlias = "Sequence[Mapping[str, Any]]"

_TESTS = {"t": "paired t-test", "randomization": "randomization test", "sign": "sign test"}
_CORRECTIONS = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
_CLEAR = ("▲", "▼")
_INTERVALS = {
    "exact": "exact (Clopper-Pearson) interval",
    "t": "Student's interval",
    "wilson": "Wilson's interval",
    "bootstrap": "bootstrap interval",
}


def write_metric(metric: Key) -> str:
    """Return a metric with its cutoff, as in `recall@10`."""
    return metric_name({"metric": metric[0], "k": metric[1]})


def is_over_all(row: Mapping[str, Any], by: Sequence[str]) -> bool:
    """Return True if a row is about all queries, not a slice."""
    return all(row[name] is None for name in by)


def slice_name(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """Return the slice of a row, as in "country=NL, segment=heavy"; an empty text over all queries."""
    return ", ".join(f"{name}={row[name]}" for name in by if row[name] is not None)


def comparison_table(
    rows: list[dict[str, Any]], columns: Iterable[str], by: Sequence[str], settings: Settings, more_notes: Iterable[str]
) -> Table:
    """Return a comparison as a table: a row for each slice, metric and model; notes say how it was made."""
    header = [str(settings.baseline), "value", "delta", "relative"]
    header += [f"{percent(settings.confidence)} interval", "wins/ties/losses", "p"]

    def cells(row: Mapping[str, Any]) -> list[str]:
        mark = "" if row["metric"] in settings.descriptive else mark_of(row, settings)
        return [
            number_text(row["baseline"]),
            number_text(row["value"]),
            f"{number_text(row['delta'], sign=True)} {mark if mark in _CLEAR else ' '}",
            "" if row["relative"] is None else f"{row['relative']:+.1%}",
            interval_text(row["low"], row["high"], sign=True),
            "/".join(f"{row[name]:,}" for name in ("wins", "ties", "losses")) if row["wins"] is not None else "",
            p_text(row["p_adjusted"]),
        ]

    parts = [f"baseline: {settings.baseline}"]
    if any(row["p"] is not None for row in rows):
        is_adjusted = by and settings.correction != "none" and not settings.over_slices
        models = " for models, not for slices" if is_adjusted else ""
        parts += [f"{test_text(settings)}{models}", f"▲ better, ▼ worse at p < {level(settings)}"]
    if any(row["low"] is not None for row in rows):
        parts.append(f"{_INTERVALS[settings.interval]} of delta")
    slices = ", or both in different slices (counted twice)" if by else ""
    unpaired = [
        f"{row['unpaired']:,} for {row['model']} on {metric_name(row)}"
        for row in rows
        if row["unpaired"] and is_over_all(row, by)
    ]
    notes = ["; ".join(parts), *lower_note(rows, settings), *left_out_note(sorted(set(unpaired)), slices), *more_notes]
    return _table(rows, columns, by, header, cells, notes)


def intervals_table(
    rows: list[dict[str, Any]], columns: Iterable[str], by: Sequence[str], settings: Settings, _: Iterable[str]
) -> Table:
    """Return intervals as a table: a row for each slice, metric and model; a note says how they were computed."""
    quantiles = ("sd", "q10", "median", "q90")
    metrics: dict[str, dict[str, None]] = {}
    for row in rows:
        if row["interval_method"] is not None:
            metrics.setdefault(row["interval_method"], {})[metric_name(row)] = None
    parts = [
        f"{_INTERVALS[name]} of the mean{f' of {some(list(each))}' if len(metrics) > 1 else ''}"
        for name, each in metrics.items()
    ]
    if any(row["median"] is not None for row in rows):
        parts.append("sd, q10, median and q90 of the values of queries")

    def cells(row: Mapping[str, Any]) -> list[str]:
        interval = interval_text(row["low"], row["high"])
        return [number_text(row["value"]), interval, *(number_text(row[name]) for name in quantiles)]

    header = ["value", f"{percent(settings.confidence)} interval", *quantiles]
    return _table(rows, columns, by, header, cells, ["; ".join(parts)] if parts else [])


def _table(
    rows: list[dict[str, Any]],
    columns: Iterable[str],
    by: Sequence[str],
    numbers: Sequence[str],
    cells: Callable[[Mapping[str, Any]], list[str]],
    notes: Sequence[str],
) -> Table:
    """Return a table with rows by slice, then metric, so that models are next to each other, and these numbers."""
    shown = [row for row in rows if row["value"] is not None or row["queries"] is not None]
    slices = places(tuple(row[name] for name in by) for row in shown)
    metrics = places(map(metric_name, shown))
    shown.sort(key=lambda row: (slices[tuple(row[name] for name in by)], metrics[metric_name(row)]))
    body = []
    for row in shown:
        names = [*("all" if row[name] is None else str(row[name]) for name in by), metric_name(row), str(row["model"])]
        body.append([*names, "" if row["queries"] is None else f"{row['queries']:,}", *cells(row)])
    header = [*by, "metric", "model", "queries", *numbers]
    return Table(header, body, notes, len(numbers) + 1, rows, list(columns))


def places(names: Iterable[Any]) -> dict[Any, int]:
    """Return the places of names, each once, from 0."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def lower_note(rows: Rows, settings: Settings) -> list[str]:
    """Return a note on the metrics for which lower is better, if there are any."""
    lower = dict.fromkeys(metric_name(row) for row in rows if row["metric"] in settings.lower)
    return [f"lower is better: {', '.join(lower)}"] if lower else []


def left_out_note(unpaired: Sequence[str], slices: str = "") -> list[str]:
    """Return a note on queries that are no pairs, if there are any; `slices` says what else may be the cause."""
    why = f"queries left out because only one of the two models has a value{slices}"
    return [f"{why}: {some(unpaired)}"] if unpaired else []


def mark_of(row: Mapping[str, Any], settings: Settings) -> str:
    """Return ▲ if a model is significantly better, ▼ if worse, = if neither, and • where there is no test.

    The sign test says which model wins more queries, and the other tests which has the better mean.
    """
    if row["p_adjusted"] is None:
        return "=" if row["delta"] == 0 and row["queries"] else "•"
    if row["p_adjusted"] >= 1 - settings.confidence:
        return "="
    change = row["wins"] - row["losses"] if settings.test == "sign" else gain_of(row, settings)
    return "▲" if change > 0 else "▼" if change < 0 else "="


def gain_of(row: Mapping[str, Any], settings: Settings) -> float:
    """Return how much better the mean of a model is than that of the baseline: delta, or -delta if lower is better."""
    return float(-row["delta"] if row["metric"] in settings.lower else row["delta"])


def test_text(settings: Settings) -> str:
    """Return the test and the correction of p-values, as in `p: paired t-test, adjusted by Holm`."""
    adjusted = "" if settings.correction == "none" else f", adjusted by {_CORRECTIONS[settings.correction]}"
    return f"p: {_TESTS[settings.test]}{adjusted}"


def level(settings: Settings) -> str:
    """Return the p below which a difference is significant, as the user wrote it: 1 - 0.95 is 0.05."""
    return digits(float(1 - Decimal(str(settings.confidence))))


def number_text(value: float | None, *, sign: bool = False) -> str:
    """Return a number with four decimals, and with its sign if asked; an empty text for None."""
    return "" if value is None else f"{value:+.4f}" if sign else f"{value:.4f}"


def interval_text(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Return an interval for readers, or an empty text if there is none."""
    return "" if low is None else f"[{number_text(low, sign=sign)}, {number_text(high, sign=sign)}]"


def percent(share: float) -> str:
    """Return a share as a percentage with all its digits.

    >>> percent(0.95), percent(0.9999999), percent(0.57)
    ('95%', '99.99999%', '57%')
    """
    return f"{(100 * Decimal(str(share))).normalize():f}%"


def p_text(p: float | None) -> str:
    """Return a p-value for readers.

    >>> p_text(0.0312), p_text(0.00002), p_text(0.0)
    ('0.0312', '2e-05', '<1e-300')
    """
    if p is None or p < 1e-300:  # doubles below it lose digits and become 0
        return "" if p is None else "<1e-300"
    return f"{p:.4f}" if p >= 0.0001 else f"{p:.0e}"
