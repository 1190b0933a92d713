"""The charts that Python returns, in the colors of a white page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from recall_duckdb.comparison.comparison import Inputs, Key, rows_of_queries
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import metric_name
from recall_duckdb.errors import ArgumentError, shown
from recall_duckdb.frames import need
from recall_duckdb.reporting.contents import MOST_BARS

if TYPE_CHECKING:
    from recall_duckdb.reporting.charts import Chart


def curves(rows: Sequence[Mapping[str, Any]], by: Sequence[str], models: Sequence[object], metric: str | None) -> Chart:
    """Return the chart of `Result.plot`, from the rows of `Result.intervals`; raises as it does."""
    need("report", "altair")
    from recall_duckdb.reporting import charts

    look = charts.look_of(charts.Look(), has_baseline=False)
    found = charts.curves(rows, by, models, look)
    chosen = list(found) if metric is None else [metric]
    if not found or not isinstance(chosen[0], str) or chosen[0] not in found:
        which = "no metric was" if metric is None else f"{shown(metric)} was not"
        raise ArgumentError(
            f"metric: {which} asked for at several cutoffs. Evaluate it at several, as in 'recall@1,5,10,20'"
        )
    return charts.next_to_each_other([found[name] for name in chosen], look)


def changes(inputs: Inputs, settings: Settings, metric: Key, models: Sequence[object]) -> Chart:
    """Return the chart of `Comparison.plot`, from values of queries on DuckDB."""
    need("report", "altair")
    from recall_duckdb.reporting import charts

    rows = rows_of_queries(inputs, settings, metric, "bars", MOST_BARS)
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
