"""The charts that Python returns, in the colors of a white page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.comparison.shown import Rows, is_over_all, metric_name, write_metric
from recall_duckdb.errors import ArgumentError, commas, quote
from recall_duckdb.frames import is_installed, need

if TYPE_CHECKING:
    from recall_duckdb.reporting.charts import Chart

NO_CHARTS = (
    "the report has no charts, because they need altair and vl-convert-python: pip install '.[report]' in a clone"
)
OVERLAP = "Intervals of each mean alone. Models whose intervals overlap may still differ: compare() pairs queries."
MOST_BARS = 140  # of a chart, two pixels each


def need_altair() -> None:
    """Raise `MissingPackageError` if Altair is not installed, which the module `charts` imports."""
    need("report", "altair")


def means(rows: Rows, by: Sequence[str], models: Sequence[object], metric: str | None) -> Chart:
    """Return the chart of `Result.plot`, from the rows of `Result.intervals`; raises as it does."""
    need_altair()
    from recall_duckdb.reporting import charts

    look = charts.look_of(charts.Look(), has_baseline=False)
    curves = charts.curves(rows, by, models, look)
    over_all = [row for row in rows if is_over_all(row, by) and row["value"] is not None]
    of_means: dict[str, list[Mapping[str, Any]]] = {}
    for row in over_all:
        of_means.setdefault(metric_name(row), []).append(row)
    names = [metric] if metric is not None else list(curves or of_means)
    drawn = [
        curves[name] if name in curves else charts.bars(of_means[name], name, models, look)
        for name in names
        if isinstance(name, str) and (name in curves or name in of_means)
    ]
    if len(drawn) < len(names):
        raise ArgumentError(
            f"{quote(metric)} is not in this result", argument="metric", fix=f"It has {commas([*curves, *of_means])}"
        )
    has_intervals = any(row["low"] is not None for row in over_all)
    note = OVERLAP if has_intervals and len(models) > 1 else ""
    return charts.for_notebooks(charts.next_to_each_other(drawn, look, note))


def changes(rows: Rows, settings: Settings, metric: Key, models: Sequence[object]) -> Chart:
    """Return the chart of `Comparison.plot`, from the bars of queries; Altair is installed."""
    from recall_duckdb.reporting import charts

    name, ends = write_metric(metric), charts.extent(rows)
    drawn = [
        charts.changes(
            [row for row in rows if row["model"] == model],
            f"{name}: {model} minus {settings.baseline}",
            charts.Look(),
            are_changes=True,
            is_better_lower=metric[0] in settings.lower,
            ends=ends,
        )
        for model in models
    ]
    return charts.for_notebooks(charts.next_to_each_other(drawn, charts.Look()))


def has_charts() -> bool:
    """Return True if the packages that draw charts are installed."""
    return is_installed("altair") and is_installed("vl_convert")
