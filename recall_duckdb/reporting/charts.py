"""The charts, made with Altair: recall against k, changes of queries, and the trend of means."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from io import StringIO
from math import log10
from typing import Any, TypeAlias, TypeVar

import altair as alt

from recall_duckdb.comparison.shown import Rows, is_over_all
from recall_duckdb.frames import is_installed
from recall_duckdb.report import printable

Chart: TypeAlias = "alt.Chart | alt.LayerChart | alt.HConcatChart | alt.ConcatChart"
C = TypeVar("C", alt.Chart, alt.LayerChart)

# More models repeat the colors, with dashes of lines.
COLORS = ("#6b7280", "#2563eb", "#d97706", "#0d9488", "#9333ea", "#db2777", "#65a30d", "#0891b2")
DASHES: tuple[list[int], ...] = ([1, 0], [6, 3], [2, 2])
_WIDTH, _HEIGHT = 280, 190
_LETTER, _GAP = 7, 10  # the width of a digit of a label, and the least gap between two labels
_MOST_IN_ROW = 3  # charts of metrics


@dataclass(frozen=True)
class Look:
    """The colors of a chart.

    Attributes:
        series: the colors of models; the first is that of the baseline.
        ink: the color of text.
        grid: the color of grid lines and axes.
        better: the color of gains.
        worse: the color of losses.
        legend: True to name the models in the chart.
        background: the color behind the chart.
    """

    series: Sequence[str] = COLORS
    ink: str = "#374151"
    grid: str = "#d1d5db"
    better: str = "#0d9488"
    worse: str = "#dc2626"
    legend: bool = True
    background: str = "white"  # readable in a dark notebook too


# In a page, a style sheet gives the colors, for light and dark, and the page itself names the models.
PAGE = Look(
    [f"var(--series-{number})" for number in range(len(COLORS))],
    "var(--muted)",
    "var(--line)",
    "var(--better)",
    "var(--worse)",
    legend=False,
    background="transparent",
)


def look_of(look: Look, *, has_baseline: bool) -> Look:
    """Return a look without the color of the baseline if there is none."""
    return look if has_baseline else replace(look, series=look.series[1:])


def place_of(number: int, look: Look) -> tuple[str, int]:
    """Return the color of a model, and the number of its dashes."""
    repeats, place = divmod(number, len(look.series))
    return look.series[place], repeats % len(DASHES)


def svg(chart: alt.Chart | alt.LayerChart) -> str:
    """Return a chart of a page as SVG."""
    written = StringIO()
    next_to_each_other([chart], PAGE).save(written, format="svg")
    return written.getvalue()


def curves(rows: Rows, by: Sequence[str], models: Sequence[object], look: Look) -> dict[str, alt.LayerChart]:
    """Return a chart for each metric with several cutoffs; rows are those of `Result.intervals`."""
    of_metrics: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if is_over_all(row, by) and row["value"] is not None and row["k"] is not None:
            of_metrics.setdefault(row["metric"], []).append(row)
    several = {metric: each for metric, each in of_metrics.items() if len({row["k"] for row in each}) > 1}
    return {metric: curve(each, metric, models, look) for metric, each in several.items()}


def curve(rows: Rows, metric: str, models: Sequence[object], look: Look) -> alt.LayerChart:
    """Return a metric against its cutoff for every model, with bands for intervals; rows have k, value, low, high."""
    cutoffs = sorted({row["k"] for row in rows})
    is_wide = cutoffs[-1] / cutoffs[0] >= 20
    axis = alt.Axis(title="k", values=_ticks(cutoffs, is_wide=is_wide), grid=False, format="d", labelOverlap=False)
    scale = alt.Scale(type="log" if is_wide else "linear", nice=False, zero=False)
    base = alt.Chart(_data(rows, "k", "value", "low", "high")).encode(
        x=alt.X("k:Q", axis=axis, scale=scale), color=_color(models, look), strokeDash=_dash(models, look)
    )
    y = alt.Axis(title=None)
    band = base.mark_area(opacity=0.15).encode(y=alt.Y("low:Q", axis=y, scale=alt.Scale(zero=False)), y2="high:Q")
    line = base.mark_line(strokeWidth=2).encode(y="value:Q")
    dots = base.mark_point(filled=True, size=24, opacity=1).encode(y="value:Q", strokeDash=alt.value([1, 0]))
    return _size(alt.LayerChart(layer=[band, line, dots]), f"{metric} against k", look)


def bars(rows: Rows, title: str, models: Sequence[object], look: Look) -> alt.LayerChart:
    """Return a bar with an interval for the mean of each model; rows have model, value, low, high."""
    names = [_text(model) for model in models]
    base = alt.Chart(_data(rows, "value", "low", "high"))
    base = base.encode(y=alt.Y("model:N", sort=names, axis=alt.Axis(title=None, labelLimit=200)))
    colors = _color(models, replace(look, legend=False))  # the axis names the models
    bar = base.mark_bar(opacity=0.6).encode(x=alt.X("value:Q", axis=alt.Axis(title=None, tickCount=5)), color=colors)
    rule = base.mark_rule(strokeWidth=2, color=look.ink).encode(x="low:Q", x2="high:Q")
    return _size(alt.LayerChart(layer=[bar, rule]), title, look, height=max(24 * len(names), 60))


def extent(rows: Rows) -> tuple[float, float]:
    """Return the lowest and the highest change of rows, and 0."""
    deltas = [0.0, *(float(row["delta"]) for row in rows)]
    return min(deltas), max(deltas)


def changes(
    rows: Rows,
    title: str,
    look: Look,
    *,
    are_changes: bool,
    is_better_lower: bool = False,
    ends: tuple[float, float] | None = None,
) -> alt.Chart:
    """Return the change, or the value, of each query as a bar; rows have place, pairs, delta, with the worst first.

    The axis of changes has these ends, so that charts of one metric have one scale.
    """
    pairs = rows[0]["pairs"] if rows else 0
    gap = 0.1 if pairs <= _WIDTH // 5 else 0.0
    starts = [0, *(row["place"] for row in rows)]
    values = [
        {"start": start + gap, "end": row["place"] - gap, "delta": row["delta"], "zero": 0}
        for start, row in zip(starts, rows, strict=False)
    ]
    what = "change" if are_changes else "value"
    axis = alt.Axis(title=f"{pairs:,} queries by {what}", grid=False, tickMinStep=1, tickCount=4, format=",d")
    rises, falls = (look.better, look.worse) if are_changes else (look.series[0], look.series[0])
    if is_better_lower:
        rises, falls = falls, rises
    chart: alt.Chart = alt.Chart(alt.InlineData(values=values)).mark_rect()
    chart = chart.encode(
        x=alt.X("start:Q", axis=axis, scale=alt.Scale(domain=[0, max(pairs, 1)], nice=False)),
        x2="end:Q",
        y=alt.Y("delta:Q", axis=alt.Axis(title=None), scale=alt.Scale(domain=ends or extent(rows), nice=True)),
        y2="zero:Q",
        color=alt.condition("datum.delta < 0", alt.value(falls), alt.value(rises)),
    )
    return _size(chart, title, look)


def trend(rows: Rows, metric: str, models: Sequence[object], look: Look) -> alt.LayerChart:
    """Return the mean of a metric over time; rows have time (UTC), model and value."""
    values = [{**row, "time": f"{row['time'].isoformat()}Z"} for row in rows]
    axis = alt.Axis(title="time of the run (UTC)", grid=False, tickCount=4, labelOverlap=True)
    base = alt.Chart(_data(values, "value", "time")).encode(
        x=alt.X("time:T", axis=axis, scale=alt.Scale(type="utc")),
        y=alt.Y("value:Q", axis=alt.Axis(title=_text(metric)), scale=alt.Scale(zero=False)),
        color=_color(models, look),
    )
    line = base.mark_line(strokeWidth=2).encode(strokeDash=_dash(models, look))
    dots = base.mark_point(filled=True, size=24, opacity=1)
    return _size(alt.LayerChart(layer=[line, dots]), metric, look)


def next_to_each_other(charts: Sequence[alt.Chart | alt.LayerChart], look: Look, note: str = "") -> Chart:
    """Return charts next to each other, with their colors for text and axes, and a note below the title."""
    is_row = len(charts) <= _MOST_IN_ROW
    chart: Any = (
        charts[0] if len(charts) == 1 else alt.hconcat(*charts) if is_row else alt.concat(*charts, columns=_MOST_IN_ROW)
    )
    if note:
        chart = chart.properties(title=_with_note(chart, note, look))
    axis = alt.AxisConfig(
        labelColor=look.ink,
        titleColor=look.ink,
        titleFontWeight="normal",
        domainColor=look.grid,
        tickColor=look.grid,
        gridColor=look.grid,
        labelFontSize=11,
        titleFontSize=11,
    )
    config = alt.Config(
        background=look.background,
        font="system-ui, sans-serif",
        view=alt.ViewConfig(stroke=None),
        aria=False,
        title=alt.TitleConfig(color=look.ink, fontSize=13, anchor="start"),
        legend=alt.LegendConfig(labelColor=look.ink, titleColor=look.ink),
        axis=axis,
    )
    styled: Chart = chart.properties(config=config)
    return styled


def for_notebooks(chart: Chart) -> Chart:
    """Return a chart that a notebook shows as an image, which needs no network, above the interactive form.

    Another renderer that the user chose shows the chart as it always does, and so does a notebook if the package that
    makes images is not installed.
    """
    if is_installed("vl_convert"):  # Altair would store the attribute in the specification
        object.__setattr__(chart, "_repr_mimebundle_", partial(_mimebundle, chart))
    return chart


def _mimebundle(chart: Chart, *arguments: Any, **options: Any) -> Any:
    """Return what a notebook shows of a chart, by type."""
    shown: Any = type(chart)._repr_mimebundle_(chart, *arguments, **options)
    form = shown.get("text/html") if isinstance(shown, dict) else None
    if form is None or alt.renderers.active != "default":
        return shown
    image = StringIO()
    chart.save(image, format="svg")
    return {**shown, "text/html": f"{image.getvalue()}<details><summary>interactive</summary>{form}</details>"}


def _with_note(chart: Any, note: str, look: Look) -> alt.TitleParams:
    """Return the title of a chart with a note below, or the note alone if charts have their own titles."""
    lines = textwrap.wrap(note, 60)
    if chart.title is alt.Undefined:
        return alt.TitleParams(lines, fontWeight="normal", color=look.ink, fontSize=11)
    return alt.TitleParams(chart.title, subtitle=lines, subtitleColor=look.ink, subtitleFontSize=11)


def _data(rows: Rows, *columns: str) -> alt.InlineData:
    """Return columns of rows as the data of a chart, with the names of models as text."""
    return alt.InlineData(
        values=[{"model": _text(row["model"]), **{name: row[name] for name in columns}} for row in rows]
    )


def _text(name: object) -> str:
    return printable(str(name))


def _color(models: Sequence[object], look: Look) -> alt.Color:
    colors = [place_of(number, look)[0] for number in range(len(models))]
    return alt.Color("model:N", scale=_scale(models, colors), legend=_legend(look))


def _dash(models: Sequence[object], look: Look) -> alt.StrokeDash:
    dashes = [DASHES[place_of(number, look)[1]] for number in range(len(models))]
    return alt.StrokeDash("model:N", scale=_scale(models, dashes), legend=_legend(look))


def _scale(models: Sequence[object], values: Sequence[Any]) -> alt.Scale:
    return alt.Scale(domain=[_text(model) for model in models], range=values)


def _legend(look: Look) -> alt.Legend | None:
    """Return the legend of models: its symbols have the dashes of lines, not the opacity of bands."""
    if not look.legend:
        return None
    return alt.Legend(title=None, labelLimit=200, symbolOpacity=1, symbolType="stroke", symbolStrokeWidth=2.5)


def _ticks(cutoffs: Sequence[int], *, is_wide: bool) -> list[int]:
    """Return the cutoffs to label: the first and the last, and others whose labels do not touch."""
    places = [log10(cutoff) if is_wide else float(cutoff) for cutoff in cutoffs]
    width = (places[-1] - places[0]) or 1.0
    at = {cutoff: (place - places[0]) / width * _WIDTH for cutoff, place in zip(cutoffs, places, strict=True)}

    def is_apart(one: int, other: int) -> bool:
        letters = len(str(one)) + len(str(other))
        return abs(at[one] - at[other]) >= letters / 2 * _LETTER + _GAP

    ticks = [cutoffs[0], cutoffs[-1]]
    for cutoff in cutoffs[1:-1]:
        if all(is_apart(cutoff, tick) for tick in ticks):
            ticks.append(cutoff)
    return sorted(set(ticks))


def _size(chart: C, title: str, look: Look, *, height: int = _HEIGHT) -> C:
    """Return a chart with a size and, unless the page has its own titles, a title."""
    sized: C = chart.properties(width=_WIDTH, height=height)
    return sized.properties(title=_text(title)) if look.legend else sized
