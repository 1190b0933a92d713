"""The charts of a report, drawn from its contents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from recall_duckdb.comparison.settings import Key
from recall_duckdb.comparison.shown import is_over_all, metric_name, percent, slice_name, write_metric
from recall_duckdb.errors import number_shown, shorten
from recall_duckdb.report import printable
from recall_duckdb.reporting import charts
from recall_duckdb.reporting.charts import Look
from recall_duckdb.reporting.contents import Contents
from recall_duckdb.reporting.page import Figures, Group, Series

_MOST_CURVES = 4
_MOST_CHANGES = 9
_MOST_SLICES = 30
_MOST_RUNS = 200
_MOST_NAMES = 6  # of runs
_LINES = ("solid", "dashed", "dotted")
_DOTS = ("●", "■", "✚")  # as charts.SHAPES


def draw_figures(contents: Contents) -> Figures:
    """Return the charts of a report."""
    look = charts.look_of(charts.PAGE, has_baseline=contents.comparison is not None)
    places = [charts.place_of(number, look) for number in range(len(contents.models))]
    legend = [
        Series(model, color, _LINES[place], _DOTS[place])
        for model, (color, place) in zip(contents.models, places, strict=True)
    ]
    groups = (group(contents, look) for group in (_curves, _changes, _slices, _trend))
    return Figures(legend, *groups)


def _curves(contents: Contents, look: Look) -> Group:
    curves = charts.curves(contents.means, contents.by, contents.models, look)
    has_bands = bool(curves) and contents.intervals is not None
    note = f"Bands are {_confidence(contents)} intervals of the means." if has_bands else ""
    if has_bands and contents.comparison is not None:
        note += " Models whose bands overlap may still differ: the comparison pairs their queries."
    most = number_shown(len(curves), _MOST_CURVES)
    if most < len(curves):
        note += f" {len(curves) - most} further metrics are not drawn."
    return _draw(dict(list(curves.items())[:most]), note)


def _changes(contents: Contents, look: Look) -> Group:
    is_compared = contents.comparison is not None
    minus = f" minus {contents.settings.baseline}" if is_compared else ""
    bars = list(contents.bars.items())
    note = "Each bar is one query." if bars else ""
    if any(len(rows) < rows[0]["pairs"] for _, rows in bars):
        note = "Each bar is one query; evenly spaced queries are shown."
    most = number_shown(len(bars), _MOST_CHANGES)
    if most < len(bars):
        note += f" {len(bars) - most} more charts are not shown."
    rows_of_metrics: dict[Key, list[Mapping[str, Any]]] = {}
    for (metric, _), rows in bars:
        rows_of_metrics.setdefault(metric, []).extend(rows)
    drawn = {}
    for (metric, model), rows in bars[:most]:
        is_lower = is_compared and metric[0] in contents.settings.lower
        ends = charts.extent(rows_of_metrics[metric])
        drawn[f"{write_metric(metric)} of {model}{minus}"] = charts.changes(
            rows, "", look, are_changes=is_compared, is_better_lower=is_lower, ends=ends
        )
    return _draw(drawn, note)


def _slices(contents: Contents, look: Look) -> Group:
    is_compared, by = contents.comparison is not None, contents.by
    rows = contents.means if contents.comparison is None else contents.comparison.to_dicts()
    means: dict[str, list[dict[str, Any]]] = {}  # by metric
    sizes: dict[tuple[Any, ...], int] = {}  # by slice
    for row in rows:
        value = row["delta" if is_compared else "value"]
        if value is not None and not is_over_all(row, by):
            key = tuple(row[name] for name in by)
            sizes[key] = max(sizes.get(key, 0), row["queries"] or 0)
            shown = {**row, "key": key, "slice": slice_name(row, by), "value": value}
            means.setdefault(metric_name(row), []).append(shown)
    largest = set(sorted(sizes, key=lambda key: -sizes[key])[:_MOST_SLICES])
    note = f"Lines are {_confidence(contents)} intervals, not adjusted for the number of slices."
    if len(sizes) > _MOST_SLICES:
        note += f" Of {len(sizes):,} slices, the {_MOST_SLICES} with the most queries are shown."
    drawn = {}
    for metric in map(write_metric, contents.main):
        of_metric = [row for row in means.get(metric, []) if row["key"] in largest]
        if of_metric:
            drawn[metric] = charts.slices(of_metric, "", contents.models, look, are_changes=is_compared)
    return _draw(drawn, note if drawn else "")


def _trend(contents: Contents, look: Look) -> Group:
    if contents.trend is None:
        return Group([])
    rows = [row for row in contents.trend if row["value"] is not None]
    runs = list(dict.fromkeys(row["run_id"] for row in sorted(rows, key=lambda row: row["time"])))[-_MOST_RUNS:]
    if len(runs) < 2:
        return Group([], "The history holds no earlier mean of these models and metrics.")
    run_ids = set(runs)
    rows = [row for row in rows if row["run_id"] in run_ids]
    names = ["this one" if run is None else shorten(printable(str(run))) for run in runs[-_MOST_NAMES:]]
    note = f"The last {len(runs)} runs. {'In order' if len(names) == len(runs) else 'The last of them'}: "
    note += f"{', '.join(names)}."
    for name, text in (("policies", "They used different policies."), ("version", "They used different versions.")):
        if len({row[name] for row in rows}) > 1:
            note += f" {text}"
    drawn = {}
    for metric in map(write_metric, contents.main):
        of_metric = [row for row in rows if metric_name(row) == metric]
        if of_metric:
            drawn[metric] = charts.trend(of_metric, metric, contents.models, look)
    return _draw(drawn, note)


def _draw(drawn: Mapping[str, alt.Chart | alt.LayerChart], note: str) -> Group:
    """Return charts, by their titles, as SVG."""
    return Group([(title, charts.svg(chart)) for title, chart in drawn.items()], note)


def _confidence(contents: Contents) -> str:
    return percent(contents.settings.confidence)
