"""The charts of a report, drawn from its contents."""

from __future__ import annotations

from collections.abc import Mapping

import altair as alt

from recall_duckdb.comparison.shown import metric_name, percent, write_metric
from recall_duckdb.errors import number_shown, shorten
from recall_duckdb.report import printable
from recall_duckdb.reporting import charts, markup
from recall_duckdb.reporting.charts import Look
from recall_duckdb.reporting.contents import Contents

_MOST_CURVES = 4
_MOST_RUNS = 200
_MOST_NAMES = 6  # of runs
_LINES = ("solid", "dashed", "dotted")


def draw_figures(contents: Contents) -> dict[str, str]:
    """Return the charts of a report as HTML, by the titles of their sections."""
    look = charts.look_of(charts.PAGE, has_baseline=contents.comparison is not None)
    places = [charts.place_of(number, look) for number in range(len(contents.models))]
    swatch = '<li><span class="swatch" style="border-top:3px {} {}"></span>{}</li>'
    looks = zip(contents.models, places, strict=True)
    shown = (swatch.format(_LINES[dash], color, markup.name(model)) for model, (color, dash) in looks)
    legend = f'<ul class="legend">{"".join(shown)}</ul>'
    return {
        "Means against k": _curves(contents, look, legend),
        "Values of queries" if contents.comparison is None else "Changes of queries": _changes(contents, look),
        "Trend of means": _trend(contents, look, legend),
    }


def _curves(contents: Contents, look: Look, legend: str) -> str:
    curves = charts.curves(contents.means, contents.by, contents.models, look)
    has_bands = bool(curves) and contents.intervals is not None
    note = f"Bands are {percent(contents.settings.confidence)} intervals of the means." if has_bands else ""
    if has_bands and contents.comparison is not None:
        note += " Models whose bands overlap may still differ: the comparison pairs their queries."
    most = number_shown(len(curves), _MOST_CURVES)
    if most < len(curves):
        note += f" {len(curves) - most} further metrics are not drawn."
    return _draw(dict(list(curves.items())[:most]), note, legend)


def _changes(contents: Contents, look: Look) -> str:
    is_compared = contents.comparison is not None
    minus = f" minus {contents.settings.baseline}" if is_compared else ""
    decided = [each.model for each in contents.decisions]
    bars = {key: rows for key, rows in contents.bars.items() if key[1] in decided}
    note = "Each bar is one query." if bars else ""
    if any(len(rows) < rows[0]["pairs"] for rows in bars.values()):
        note = "Each bar is one query; evenly spaced queries are shown."
    drawn = {}
    for (metric, model), rows in bars.items():
        is_lower = is_compared and metric[0] in contents.settings.lower
        chart = charts.changes(rows, "", look, are_changes=is_compared, is_better_lower=is_lower)
        drawn[f"{write_metric(metric)} of {model}{minus}"] = chart
    return _draw(drawn, note)


def _trend(contents: Contents, look: Look, legend: str) -> str:
    if contents.trend is None:
        return ""
    rows = [row for row in contents.trend if row["value"] is not None]
    runs = list(dict.fromkeys(row["run_id"] for row in sorted(rows, key=lambda row: row["time"])))[-_MOST_RUNS:]
    if len(runs) < 2:
        return markup.mute("The history holds no earlier mean of these models and metrics.")
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
    return _draw(drawn, note, legend)


def _draw(drawn: Mapping[str, alt.Chart | alt.LayerChart], note: str, legend: str = "") -> str:
    """Return charts, by their titles, below a note."""
    caption = "<figure><figcaption>{}</figcaption>{}</figure>"
    shown = "".join(caption.format(markup.text(title), charts.svg(chart)) for title, chart in drawn.items())
    return markup.mute(note) + (f'{legend}<div class="charts">{shown}</div>' if shown else "")
