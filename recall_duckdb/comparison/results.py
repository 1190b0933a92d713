"""Compares the models of an evaluation."""

from __future__ import annotations

from recall_duckdb.comparison import comparison
from recall_duckdb.comparison.comparison import Comparison, Inputs, Intervals, Leaderboard
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.sums import QueryValues
from recall_duckdb.errors import ArgumentError, can_pass
from recall_duckdb.result_data import ResultData


def compare(data: ResultData, settings: Settings) -> Comparison:
    """Return the comparison of `Result.compare`; raises as it does."""
    data.model(settings.baseline, "baseline")
    if len(data.counts) < 2:
        way = "call recall_duckdb.compare with" if can_pass("connection") else "pass --values and"
        raise ArgumentError(
            "the result has one model, so there is nothing to compare",
            argument="baseline",
            fix=f"Evaluate several runs at once, or {way} files of values",
        )
    with data.explaining_lost_values():
        return comparison.compare_models(comparable(data), settings)


def leaderboard(data: ResultData, settings: Settings) -> Leaderboard:
    """Return the leaderboard of `Result.leaderboard`; raises as it does."""
    with data.explaining_lost_values():
        return comparison.leaderboard(comparable(data), settings)


def intervals(data: ResultData, settings: Settings) -> Intervals:
    """Return the intervals of `Result.intervals`; raises as it does."""
    with data.explaining_lost_values():
        return comparison.intervals(comparable(data, "a weighted mean has no interval"), settings)


def comparable(data: ResultData, problem: str = "a weighted result cannot be compared") -> Inputs:
    """Return the values of queries, and the means of other metrics.

    Raises:
        ArgumentError: the result is weighted.
        DataError: no query has a value.
    """
    data.check_values()
    plan = data.plan
    if plan.has("weights"):
        raise ArgumentError(problem, argument="weights", fix="Evaluate without weights")
    data.session.check_fetched()
    statement, inputs = data.statement, plan.inputs
    relation = statement.of_table("per_query") if data.stored is None else data.stored
    metrics = {(metric.name, metric.k): metric for metric in plan.metrics}
    columns = {key: metric.column for key, metric in metrics.items() if metric.mean == "arithmetic"}
    reported = [{**row, "queries": None} for row in data.means if (row["metric"], row["k"]) not in columns]
    values = QueryValues(relation, inputs.query, inputs.by, columns, inputs.one_model, inputs.of_items, inputs.slices)
    definitions = {metric.name: metric.template for metric in plan.metrics}
    return Inputs(data.session, values, reported, list(metrics), data.finalizer, data, definitions, list(data.counts))
