"""The charts of reports and of `plot()`, written for Vega-Lite: means, differences, changes of queries, and trends."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.comparison.shown import Rows, is_over_all, mark_of, percent, slice_name, write_metric
from recall_duckdb.errors import ArgumentError, commas, quote, shorten, some
from recall_duckdb.frames import is_installed, need
from recall_duckdb.report import metric_name, printable

if TYPE_CHECKING:
    import altair

    from recall_duckdb.reporting.contents import Contents

    Chart: TypeAlias = "altair.Chart | altair.LayerChart | altair.HConcatChart | altair.ConcatChart"

NO_CHARTS = "the report has no charts: they need altair and vl-convert-python (pip install '.[report]' in a clone)"
OVERLAP = "Intervals of each mean alone. Models whose intervals overlap may still differ: compare() pairs queries."
MOST_BARS = 140  # of a chart, two pixels each
Spec: TypeAlias = "dict[str, Any]"  # a chart of Vega-Lite
# The colors have the names of a page's style sheet. These are for `plot()`, on white, which is readable in a dark
# notebook too. More models repeat the series, with dashes of lines; the first of it is for the baseline.
_SERIES = ("#6b7280", "#2563eb", "#d97706", "#0d9488", "#9333ea", "#db2777", "#65a30d", "#0891b2")
_WHITE = {f"var(--series-{number})": color for number, color in enumerate(_SERIES)}
_WHITE |= {"var(--muted)": "#374151", "var(--line)": "#d1d5db", "var(--better)": "#0d9488", "var(--worse)": "#dc2626"}
_GREY, _BLUE, *_ = _COLORS = list(_WHITE)[: len(_SERIES)]
_INK, _GRID, BETTER, WORSE = list(_WHITE)[len(_SERIES) :]
_DASHES: tuple[list[int], ...] = ([1, 0], [6, 3], [2, 2])
_WIDTH, _HEIGHT, _ROW = 280, 190, 24
_MOST_IN_ROW = 3  # charts of metrics
_MOST_BANDS = 4  # models; of more, the first has a band
MOST_SLICES = 30
_MOST_RUNS = 200


class Figures(NamedTuple):
    """The charts of a section of a report: a note above them, and their images as SVG."""

    note: str = ""
    images: Sequence[str] = ()


def _place(models: Sequence[object], model: object, baseline: object) -> tuple[str, int]:
    """Return the color of a model, and the number of its dashes; only the baseline is grey."""
    if model == baseline:
        return _GREY, 0
    repeats, place = divmod([each for each in models if each != baseline].index(model), len(_COLORS) - 1)
    return _COLORS[place + 1], repeats % len(_DASHES)


def _told_apart(models: Sequence[object], baseline: object) -> Spec:
    """Return how color and dashes tell models apart."""
    names, places = list(map(_text, models)), [_place(models, model, baseline) for model in models]
    field = {"field": "model", "type": "nominal"}
    return {
        "color": {**field, "scale": {"domain": names, "range": [color for color, _ in places]}},
        "strokeDash": {**field, "scale": {"domain": names, "range": [_DASHES[dash] for _, dash in places]}},
    }


def _chart(title: str, values: Rows, encoding: Spec, *layers: Spec, height: int = _HEIGHT) -> Spec:
    """Return a chart of rows, with encodings that all layers have."""
    data = {"values": [{**row, "model": _text(row["model"])} if "model" in row else row for row in values]}
    drawn = layers[0] if len(layers) == 1 else {"layer": list(layers)}
    shared = {**encoding, **(layers[0]["encoding"] if len(layers) == 1 else {})}
    return {"title": _text(title), "width": _WIDTH, "height": height, "data": data, **drawn, "encoding": shared}


def _layer(mark: str, encoding: Spec, **how: Any) -> Spec:
    return {"mark": {"type": mark, **how}, "encoding": encoding}


def _axis(
    field: str, title: str | None = None, scale: Spec | None = None, kind: str = "quantitative", **axis: Any
) -> Spec:
    return {"field": field, "type": kind, "axis": {"title": title, **axis}, "scale": scale or {"zero": True}}


def _text(name: object) -> str:
    return printable(str(name))


def _keep(rows: Rows, *names: str) -> Rows:
    return [{name: row[name] for name in names} for row in rows]


def curves(rows: Rows, by: Sequence[str], models: Sequence[object], baseline: object) -> dict[str, Spec]:
    """Return a chart for each metric with several cutoffs; rows are those of `Result.intervals`."""
    of_metrics: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        if is_over_all(row, by) and row["value"] is not None and row["k"] is not None:
            of_metrics.setdefault(row["metric"], []).append(row)
    several = {metric: each for metric, each in of_metrics.items() if len({row["k"] for row in each}) > 1}
    return {metric: _curve(each, metric, models, baseline) for metric, each in several.items()}


def _curve(rows: Rows, metric: str, models: Sequence[object], baseline: object) -> Spec:
    """Return a metric against its cutoff for every model, with bands for intervals; of many models, one has a band."""
    cutoffs, shared = sorted({row["k"] for row in rows}), _told_apart(models, baseline)
    scale = {"type": "log" if cutoffs[-1] / cutoffs[0] >= 20 else "linear", "nice": False, "zero": False}
    labels: Spec = {"format": "d", "labelOverlap": "greedy", "labelSeparation": 6}
    shared["x"] = _axis("k", "k", scale, values=cutoffs, grid=False, **labels)
    value, low = (_axis(name, None, {"zero": False}) for name in ("value", "low"))
    band = _layer("area", {"y": low, "y2": {"field": "high"}}, opacity=0.15)
    layers = [band, _layer("line", {"y": value}, strokeWidth=2)]
    layers.append(_layer("point", {"y": value, "strokeDash": {"value": [1, 0]}}, filled=True, size=24, opacity=1))
    if len(models) > _MOST_BANDS:
        first = next(model for model in models if model != baseline)
        band["transform"] = [{"filter": {"field": "model", "oneOf": [_text(first)]}}]
        chosen = {"field": "model", "oneOf": [_text(first), _text(baseline)]}
        wide = {"condition": {"test": chosen, "value": 3}, "value": 1.5}
        layers[1:] = [_layer("line", {"y": value, "strokeWidth": wide})]
    return _chart(f"{metric} against k", _keep(rows, "model", "k", "value", "low", "high"), shared, *layers)


def intervals(rows: Rows, title: str) -> Spec:
    """Return a dot with its interval for each row, on one scale with 0, in their order.

    Rows have `label`, delta, low, high, and `kind`, which says if the row is better or worse; "" if it is neither.
    """
    delta, low = (_axis(each, None, {"zero": True}, tickCount=5) for each in ("delta", "low"))
    colors = {"▲": BETTER, "▼": WORSE}.items()
    tests = [{"test": {"field": "kind", "equal": kind}, "value": color} for kind, color in colors]
    names, axis = [_text(row["label"]) for row in rows], {"title": None, "labelLimit": 240}
    shared = {
        "y": {"field": "label", "type": "nominal", "sort": names, "axis": axis},
        "color": {"condition": tests, "value": _GREY},
    }
    zero = _layer("rule", {"x": {"datum": 0, "type": "quantitative"}}, strokeDash=[4, 3], color=_INK)
    layers = [
        {**zero, "data": {"values": [{}]}},
        _layer("rule", {**shared, "x": low, "x2": {"field": "high"}}, strokeWidth=2),
        _layer("point", {**shared, "x": delta}, filled=True, size=60, opacity=1),
    ]
    values = [{**row, "label": _text(row["label"])} for row in _keep(rows, "label", "delta", "low", "high", "kind")]
    return _chart(title, values, {}, *layers, height=max(_ROW * len(rows), 60))


def of_queries(bars: Mapping[tuple[Key, object], Rows], settings: Settings, *, are_changes: bool) -> list[Spec]:
    """Return a chart of the queries for each metric and model; those of a metric have one scale."""
    minus, drawn = f" minus {settings.baseline}" if are_changes else "", []
    for (metric, model), rows in bars.items():
        deltas = [0.0, *(float(row["delta"]) for (other, _), each in bars.items() if other == metric for row in each)]
        is_lower, title = are_changes and metric[0] in settings.lower, f"{write_metric(metric)} of {model}{minus}"
        ends = min(deltas), max(deltas)
        drawn.append(changes(rows, title, ends, are_changes=are_changes, is_lower=is_lower))
    return drawn


def changes(rows: Rows, title: str, ends: Sequence[float], *, are_changes: bool, is_lower: bool = False) -> Spec:
    """Return the change, or the value, of each query as a bar; rows have place, pairs, delta, with the worst first."""
    pairs = rows[0]["pairs"]
    gap = 0.1 if pairs <= _WIDTH // 5 else 0.0
    starts = [0, *(row["place"] for row in rows)]
    values = [
        {"start": start + gap, "end": row["place"] - gap, "delta": row["delta"], "zero": 0}
        for start, row in zip(starts, rows, strict=False)
    ]
    colors = (BETTER, WORSE) if are_changes else (_BLUE, _BLUE)
    rises, falls = reversed(colors) if is_lower else colors
    domain = {"domain": [0, pairs], "nice": False}
    what = f"{pairs:,} queries by {'change' if are_changes else 'value'}"
    encoding = {
        "x": _axis("start", what, domain, grid=False, tickMinStep=1, tickCount=4, format=",d"),
        "y": _axis("delta", None, {"domain": list(ends), "nice": True}),
        **{"x2": {"field": "end"}, "y2": {"field": "zero"}},
        "color": {"condition": {"test": "datum.delta < 0", "value": falls}, "value": rises},
    }
    return _chart(title, values, {}, _layer("rect", encoding))


def trend(rows: Rows, metric: str, models: Sequence[object], baseline: object = None) -> Spec:
    """Return the mean of a metric over time; rows have time (UTC), model and value."""
    values = [{**row, "time": f"{row['time'].isoformat()}Z"} for row in _keep(rows, "model", "value", "time")]
    shared = _told_apart(models, baseline)
    dashes = shared.pop("strokeDash")
    ticks: Spec = {"grid": False, "tickCount": 3, "format": "%Y-%m-%d %H:%M"}
    shared["x"] = _axis("time", "time of the run (UTC)", {"type": "utc"}, "temporal", **ticks)
    shared["y"] = _axis("value", _text(metric), {"zero": False})
    line = _layer("line", {"strokeDash": dashes}, strokeWidth=2)
    return _chart(metric, values, shared, line, _layer("point", {}, filled=True, size=24, opacity=1))


def _together(charts: Sequence[Spec], note: str = "") -> Spec:
    """Return charts next to each other, with their colors for text and axes, and a note below the title."""
    several = {"concat": charts, "columns": _MOST_IN_ROW} if len(charts) > _MOST_IN_ROW else {"hconcat": charts}
    chart: Spec = charts[0] if len(charts) == 1 else several
    if note:
        lines, small = textwrap.wrap(note, 60), {"color": _INK, "fontSize": 11, "fontWeight": "normal"}
        titled = {"text": chart.get("title"), "subtitle": lines, "subtitleColor": _INK, "subtitleFontSize": 11}
        chart = {**chart, "title": titled if "title" in chart else {"text": lines, **small}}
    colors, of_lines = {"labelColor": _INK, "titleColor": _INK}, ("domainColor", "tickColor", "gridColor")
    # Symbols of the legend have the dashes of lines, not the opacity of bands.
    legend = {"title": None, "labelLimit": 200, "symbolOpacity": 1, "symbolType": "stroke", "symbolStrokeWidth": 2.5}
    sizes = {"titleFontWeight": "normal", "labelFontSize": 11, "titleFontSize": 11}
    config = {
        **{"font": "system-ui, sans-serif", "view": {"stroke": None}, "aria": False},
        "title": {"color": _INK, "fontSize": 13, "anchor": "start"},
        "legend": {**colors, **legend},
        "axis": {**colors, **dict.fromkeys(of_lines, _GRID), **sizes},
    }
    return {**chart, "config": config}


def _label(row: Mapping[str, Any], by: Sequence[str]) -> str:
    return " · ".join(filter(None, [slice_name(row, by), str(row["model"])]))


def plot_means(rows: Rows, by: Sequence[str], models: Sequence[object], metric: str | None, baseline: object) -> Chart:
    """Return the chart of `Result.plot`, from the rows of `Result.intervals`; raises as it does."""
    need("report", "altair")
    found = curves(rows, by, models, baseline)
    dots: dict[str, list[dict[str, Any]]] = {}
    for row in [row for row in rows if row["value"] is not None]:
        dot = {**row, "label": _label(row, by), "delta": row["value"], "kind": ""}
        dots.setdefault(metric_name(row), []).append(dot)
    names = list(found or dots) if metric is None else [metric]
    drawn = found | {name: intervals(each, name) for name, each in dots.items() if name in names}
    if not names or not isinstance(names[0], str) or names[0] not in drawn:
        told = f"{quote(metric)} is not in this result" if dots else "the result has no mean"
        raise ArgumentError(told, argument="metric", fix=f"It has {commas([*found, *dots])}" if dots else None)
    has_intervals = any(row["low"] is not None for row in rows)
    return _shown([drawn[name] for name in names], OVERLAP if has_intervals and len(models) > 1 else "")


def plot_pairs(ranked: Rows, pairs: Rows, metric: Key, settings: Settings) -> Chart:
    """Return the chart of `Leaderboard.plot`: how the other models differ from the best one."""
    of_metric = [row for row in ranked if (row["metric"], row["k"]) == metric and row["value"] is not None]
    best = min(of_metric, key=lambda row: row["place"])["model"] if of_metric else None
    found = differences(pairs, [row["model"] for row in of_metric], write_metric(metric), best)
    return plot_differences(list(found.values()), [], replace(settings, baseline=best))


def differences(
    pairs: Iterable[Mapping[str, Any]], models: Sequence[object], metric: str, reference: object
) -> dict[object, dict[str, Any]]:
    """Return how each other model differs from one by a metric, in the order of the leaderboard."""
    of_models: dict[object, dict[str, Any]] = {}
    for pair in pairs:
        if metric_name(pair) != metric or reference not in (pair["model"], pair["baseline_model"]):
            continue
        row = dict(pair)
        if pair["model"] == reference:
            turned = {"low": "high", "high": "low", "delta": "delta"}
            row |= {name: None if pair[of] is None else -pair[of] for name, of in turned.items()}
            row |= {"model": pair["baseline_model"], "value": pair["baseline"], "baseline": pair["value"]}
            row |= {"wins": pair["losses"], "losses": pair["wins"]}
        of_models[row["model"]] = row
    return {model: of_models[model] for model in models if model in of_models}


def plot_differences(rows: Rows, by: Sequence[str], settings: Settings) -> Chart:
    """Return the chart of `Comparison.plot`: how models differ from the baseline, the best first, then large slices."""
    need("report", "altair")
    rows = [row for row in rows if row["delta"] is not None]
    sign = -1 if rows and rows[0]["metric"] in settings.lower else 1
    over_all = sorted((row for row in rows if is_over_all(row, by)), key=lambda row: -sign * row["delta"])
    places = {row["model"]: place for place, row in enumerate(over_all)}
    in_slices = [row for row in rows if not is_over_all(row, by)]
    in_slices.sort(key=lambda row: (-(row["queries"] or 0), slice_name(row, by), places.get(row["model"], 0)))
    rows_drawn = [*over_all, *in_slices[:MOST_SLICES]]
    shown = [{**row, "label": _label(row, by), "kind": mark_of(row, settings)} for row in rows_drawn]
    title = f"{metric_name(rows[0]) if rows else ''}: each model minus {settings.baseline}"
    note = f"{percent(settings.confidence)} intervals. Grey: no clear difference.{cut_note(len(in_slices))}"
    return _shown([intervals(shown, title)], note)


def cut_note(lines: int) -> str:
    """Return the note on lines of slices that a plot leaves out, if there are any."""
    return f" Of {lines:,} lines of slices, the {MOST_SLICES} with the most queries are shown." * (lines > MOST_SLICES)


def plot_queries(bars: Mapping[tuple[Key, object], Rows], settings: Settings) -> Chart:
    """Return the chart of `Comparison.plot(queries=True)`, from the bars of queries."""
    need("report", "altair")
    return _shown(of_queries(bars, settings, are_changes=True))


def _shown(charts: Sequence[Spec], note: str = "") -> Chart:
    """Return a chart of Altair, with colors for a white background."""
    import altair

    text = json.dumps({**_together(charts, note), "background": "white"})
    for name, color in _WHITE.items():
        text = text.replace(name, color)
    return altair.Chart.from_dict(json.loads(text))


def has_charts() -> bool:
    """Return True if the packages that draw charts are installed."""
    return is_installed("altair") and is_installed("vl_convert")


def draw_figures(contents: Contents) -> dict[str, Figures]:
    """Return the charts of a report, by the titles of their sections."""
    baseline = None if contents.comparison is None else contents.settings.baseline
    return {
        "Means against k": _draw_curves(contents, baseline),
        "Values of queries" if contents.comparison is None else "Changes of queries": _draw_changes(contents),
        "Trend of means": _draw_trend(contents, baseline),
    }


def _draw_curves(contents: Contents, baseline: object) -> Figures:
    found = curves(contents.means, contents.by, contents.models, baseline)
    note = ""
    if found and contents.intervals is not None:
        which = " of the first model" if len(contents.models) > _MOST_BANDS else ""
        note = f"Bands are {percent(contents.settings.confidence)} intervals of the means{which}."
        if contents.comparison is not None:
            note += " Models whose bands overlap may still differ: the comparison pairs their queries."
    return _draw(list(found.values()), note)


def _draw_changes(contents: Contents) -> Figures:
    bars = {key: rows for key, rows in contents.bars.items() if key[1] in [each.model for each in contents.decisions]}
    drawn = of_queries(bars, contents.settings, are_changes=contents.comparison is not None)
    is_part = any(len(rows) < rows[0]["pairs"] for rows in bars.values())
    return _draw(drawn, f"Each bar is one query{'; evenly spaced queries are shown' * is_part}." if drawn else "")


def _draw_trend(contents: Contents, baseline: object) -> Figures:
    if contents.trend is None:
        return Figures()
    rows = [row for row in contents.trend if row["value"] is not None]
    runs = list(dict.fromkeys(row["run_id"] for row in sorted(rows, key=lambda row: row["time"])))[-_MOST_RUNS:]
    others = contents.trend_others
    held = some([shorten(printable(name)) for name in others], 3)
    also = f" It also holds {held}. A trend joins runs of the same name, as in bm25=monday.parquet." if others else ""
    if len(runs) < 2:
        return Figures(f"The history holds no earlier mean of these models and metrics.{also}")
    rows = [row for row in rows if row["run_id"] in set(runs)]
    nouns = {"policies": "policies", "version": "versions"}
    differ = [f" They used different {nouns[name]}." for name in nouns if len({row[name] for row in rows}) > 1]
    note = f"The last {len(runs)} runs.{''.join(differ)}{also}"
    of_metrics = {name: [row for row in rows if metric_name(row) == name] for name in map(write_metric, contents.main)}
    return _draw([trend(each, name, contents.models, baseline) for name, each in of_metrics.items() if each], note)


def _draw(charts: Sequence[Spec], note: str) -> Figures:
    """Return charts as SVG, with the colors of the page."""
    if not charts:
        return Figures(note)
    import vl_convert

    specs = [_together([{**chart, "title": textwrap.wrap(chart["title"], 44)}]) for chart in charts]
    for spec in specs:  # a phone shows 340 pixels
        spec["config"]["legend"] |= {"orient": "bottom", "columns": 1}
        spec["config"] |= {"background": "transparent"}
    return Figures(note, [vl_convert.vegalite_to_svg(spec) for spec in specs])
