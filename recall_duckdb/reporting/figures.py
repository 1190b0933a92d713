"""The charts of a report, drawn from its contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recall_duckdb.comparison.shown import metric_name
from recall_duckdb.reporting import charts
from recall_duckdb.reporting.charts import Look
from recall_duckdb.reporting.contents import Contents, named
from recall_duckdb.reporting.decisions import is_over_all, slice_name
from recall_duckdb.reporting.page import Figures, Group

_MOST_CURVES = 4
_MOST_CHANGES = 9
_MOST_SLICES = 30
_MOST_RUNS = 200
_LINES = ("solid", "dashed", "dotted")


def drawn(contents: Contents) -> Figures:
    """Return the charts of a report."""
    look = charts.look_of(charts.PAGE, has_baseline=contents.comparison is not None)
    places = [charts.place_of(number, look) for number in range(len(contents.models))]
    legend = [(model, color, _LINES[dashes]) for model, (color, dashes) in zip(contents.models, places, strict=True)]
    groups = (group(contents, look) for group in (_curves, _changes, _slices, _trend))
    return Figures(legend, *groups)


def _curves(contents: Contents, look: Look) -> Group:
    found = charts.curves(_means(contents), contents.by, contents.models, look)
    note = "" if contents.intervals is None else f"Bands are {_confidence(contents)} intervals of the means."
    if len(found) > _MOST_CURVES:
        note += f" {len(found) - _MOST_CURVES} further metrics are not drawn."
    return Group([(name, charts.svg(chart)) for name, chart in list(found.items())[:_MOST_CURVES]], note)


def _changes(contents: Contents, look: Look) -> Group:
    is_compared = contents.comparison is not None
    minus = f" minus {contents.settings.baseline}" if is_compared else ""
    found = list(contents.bars.items())
    note = "Each bar is a query."
    if any(len(rows) < rows[0]["pairs"] for _, rows in found):
        note = "Each bar is one of many queries, at an even distance."
    if len(found) > _MOST_CHANGES:
        note += f" {len(found) - _MOST_CHANGES} further charts are left out."
    drawn = [
        (f"{metric} of {model}{minus}", charts.svg(charts.changes(rows, "", look, are_changes=is_compared)))
        for (metric, model), rows in found[:_MOST_CHANGES]
    ]
    return Group(drawn, note)


def _slices(contents: Contents, look: Look) -> Group:
    is_compared, by = contents.comparison is not None, contents.by
    rows = _means(contents) if contents.comparison is None else contents.comparison.to_dicts()
    means: dict[str, list[dict[str, Any]]] = {}  # by metric
    sizes: dict[str, int] = {}  # by slice
    for row in rows:
        value = row["delta" if is_compared else "value"]
        if value is not None and not is_over_all(row, by):
            name = slice_name(row, by)
            sizes[name] = max(sizes.get(name, 0), row["queries"] or 0)
            own = {"model": row["model"], "slice": name, "value": value, "low": row["low"], "high": row["high"]}
            means.setdefault(metric_name(row), []).append(own)
    largest = set(sorted(sizes, key=lambda name: -sizes[name])[:_MOST_SLICES])
    note = f"Lines are {_confidence(contents)} intervals, not adjusted for the number of slices."
    if len(sizes) > _MOST_SLICES:
        note += f" Of {len(sizes):,} slices, the {_MOST_SLICES} with the most queries are shown."
    drawn = []
    for metric in map(named, contents.main):
        shown = [row for row in means.get(metric, []) if row["slice"] in largest]
        if shown:
            chart = charts.slices(shown, "", contents.models, look, are_changes=is_compared)
            drawn.append((metric, charts.svg(chart)))
    return Group(drawn, note)


def _trend(contents: Contents, look: Look) -> Group:
    times = set(sorted({row["time"] for row in contents.trend})[-_MOST_RUNS:])
    rows = [row for row in contents.trend if row["value"] is not None and row["time"] in times]
    if len(times) < 2:
        return Group([])
    note = f"The last {len(times)} runs."
    for name, text in (("policies", "They used different policies."), ("version", "They used different versions.")):
        if len({row[name] for row in rows}) > 1:
            note += f" {text}"
    drawn = []
    for metric in contents.main:
        own = [row for row in rows if (row["metric"], row["k"]) == metric]
        if own:
            drawn.append((named(metric), charts.svg(charts.trend(own, "", contents.models, look))))
    return Group(drawn, note)


def _means(contents: Contents) -> Sequence[Mapping[str, Any]]:
    """Return the means with their intervals; a weighted result has none."""
    if contents.intervals is not None:
        return contents.intervals.to_dicts()
    return [{**row, "low": None, "high": None} for row in contents.result.to_dicts()]


def _confidence(contents: Contents) -> str:
    return f"{contents.settings.confidence * 100:g}%"
