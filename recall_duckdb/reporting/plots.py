"""The charts that Python returns, in the colors of a white page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import metric_name
from recall_duckdb.errors import ArgumentError, MissingPackageError, quote
from recall_duckdb.frames import need

if TYPE_CHECKING:
    from recall_duckdb.reporting.charts import Chart

NO_CHARTS = (
    "the report has no charts, because they need altair and vl-convert-python: pip install 'recall-duckdb[report]'"
)
MOST_BARS = 140  # of a chart, two pixels each


def need_altair() -> None:
    """Raise `MissingPackageError` if Altair is not installed, which the module `charts` imports."""
    need("report", "altair")


def curves(rows: Sequence[Mapping[str, Any]], by: Sequence[str], models: Sequence[object], metric: str | None) -> Chart:
    """Return the chart of `Result.plot`, from the rows of `Result.intervals`; raises as it does."""
    need_altair()
    from recall_duckdb.reporting import charts

    look = charts.look_of(charts.Look(), has_baseline=False)
    by_metric = charts.curves(rows, by, models, look)
    chosen = list(by_metric) if metric is None else [metric]
    if not by_metric or not isinstance(chosen[0], str) or chosen[0] not in by_metric:
        which = "no metric was" if metric is None else f"{quote(metric)} was not"
        raise ArgumentError(
            f"{which} asked for at several cutoffs",
            argument="metric",
            fix="Evaluate it at several, as in 'recall@1,5,10,20'",
        )
    return charts.next_to_each_other([by_metric[name] for name in chosen], look)


def changes(
    rows: Sequence[Mapping[str, Any]], settings: Settings, metric: tuple[str, int | None], models: Sequence[object]
) -> Chart:
    """Return the chart of `Comparison.plot`, from the bars of queries; Altair is installed."""
    from recall_duckdb.reporting import charts

    name = metric_name({"metric": metric[0], "k": metric[1]})
    drawn = [
        charts.changes(
            [row for row in rows if row["model"] == model],
            f"{name}: {model} minus {settings.baseline}",
            charts.Look(),
            are_changes=True,
            is_better_lower=metric[0] in settings.lower,
        )
        for model in models
    ]
    return charts.next_to_each_other(drawn, charts.Look())


def has_charts() -> bool:
    """Return True if the packages that draw charts are installed."""
    try:
        need("report", "altair", "vl_convert")
    except MissingPackageError:
        return False
    return True
