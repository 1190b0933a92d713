"""The charts of a report, drawn from its contents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recall_duckdb.comparison.shown import metric_name
from recall_duckdb.reporting import charts
from recall_duckdb.reporting.charts import PAGE
from recall_duckdb.reporting.contents import Contents, named
from recall_duckdb.reporting.decisions import slice_name
from recall_duckdb.reporting.page import Figures

_MOST_CURVES = 4
_MOST_CHANGES = 9
_MOST_SLICES = 30
_MOST_RUNS = 200
_LINES = ("solid", "dashed", "dotted")


def drawn(contents: Contents) -> Figures:
    """Return the charts of a report; raises `MissingPackageError` without Altair."""
    notes: dict[str, str] = {}
    places = map(charts.place_of, range(len(contents.models)))
    legend = [
        (model, PAGE.series[color], _LINES[dashes]) for model, (color, dashes) in zip(contents.models, places, strict=True)
    ]
    return Figures(
        legend=legend,
        curves=_curves(contents, notes),
        changes=_changes(contents, notes),
        slices=_slices(contents, notes),
        trend=_trend(contents, notes),
        notes=notes,
    )


def _curves(contents: Contents, notes: dict[str, str]) -> list[tuple[str, str]]:
    found = charts.curves(_means(contents), contents.by, contents.models, PAGE)
    if found:
        notes["curves"] = f"Bands are {contents.settings.confidence * 100:g}% intervals of the means."
    if len(found) > _MOST_CURVES:
        notes["curves"] += f" {len(found) - _MOST_CURVES} further metrics are not drawn."
    return [(name, charts.svg(chart)) for name, chart in list(found.items())[:_MOST_CURVES]]


def _changes(contents: Contents, notes: dict[str, str]) -> list[tuple[str, str]]:
    is_compared = contents.comparison is not None
    found = list(contents.bars.items())
    if any(len(rows) < rows[0]["pairs"] for _, rows in found):
        notes["changes"] = "The bars are evenly spaced queries, because there are too many to draw each one."
    else:
        notes["changes"] = "Each bar is a query."
    if len(found) > _MOST_CHANGES:
        notes["changes"] += f" {len(found) - _MOST_CHANGES} further charts are left out."
    drawn = []
    for (metric, model), rows in found[:_MOST_CHANGES]:
        chart = charts.changes(rows, "", PAGE, are_changes=is_compared)
        drawn.append((f"{metric} of {model}" + (f" minus {contents.settings.baseline}" if is_compared else ""), charts.svg(chart)))
    return drawn


def _slices(contents: Contents, notes: dict[str, str]) -> list[tuple[str, str]]:
    is_compared = contents.comparison is not None
    value = "delta" if is_compared else "value"
    rows = _means(contents) if contents.comparison is None else contents.comparison.to_dicts()
    rows = [row for row in rows if any(row[name] is not None for name in contents.by) and row[value] is not None]
    sizes: dict[str, int] = {}
    for row in rows:
        name = slice_name(row, contents.by)
        sizes[name] = max(sizes.get(name, 0), row["queries"] or 0)
    largest = sorted(sizes, key=lambda name: -sizes[name])[:_MOST_SLICES]
    order = {name: place for place, name in enumerate(name for name in sizes if name in largest)}
    if sizes:
        notes["slices"] = f"Lines are {contents.settings.confidence * 100:g}% intervals, each on its own."
    if len(sizes) > _MOST_SLICES:
        notes["slices"] += f" The {_MOST_SLICES} slices with the most queries, of {len(sizes):,}, are shown."
    drawn = []
    for metric in map(named, contents.main):
        shown = [
            {"model": row["model"], "slice": slice_name(row, contents.by), "value": row[value], "low": row["low"], "high": row["high"]}
            for row in rows
            if metric_name(row) == metric and slice_name(row, contents.by) in order
        ]
        shown.sort(key=lambda row: order[row["slice"]])
        if shown:
            chart = charts.slices(shown, "", contents.models, PAGE, are_changes=is_compared)
            drawn.append((metric, charts.svg(chart)))
    return drawn


def _trend(contents: Contents, notes: dict[str, str]) -> list[tuple[str, str]]:
    times = sorted({row["time"] for row in contents.trend})[-_MOST_RUNS:]
    rows = [row for row in contents.trend if row["value"] is not None and row["time"] in times]
    differ = [name for name in ("policies", "version") if len({row[name] for row in rows}) > 1]
    if len(times) > 1:
        notes["trend"] = f"{len(times)} runs." + "".join(f" Their {name} differ{'' if name == 'policies' else 's'}." for name in differ)
    drawn = []
    for metric in contents.main if len(times) > 1 else ():
        own = [row for row in rows if (row["metric"], row["k"]) == metric]
        if own:
            drawn.append((named(metric), charts.svg(charts.trend(own, "", contents.models, PAGE))))
    return drawn


def _means(contents: Contents) -> Sequence[Mapping[str, Any]]:
    """Return the means with their intervals; a weighted result has none."""
    if contents.intervals is not None:
        return contents.intervals.to_dicts()
    return [{**row, "low": None, "high": None} for row in contents.result.to_dicts()]
