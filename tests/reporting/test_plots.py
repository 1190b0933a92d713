"""The charts that `Result.plot` and `Comparison.plot` return."""

from __future__ import annotations

import re
from datetime import datetime
from io import StringIO
from itertools import pairwise
from typing import Any

import pytest
from asking import fails

from recall_duckdb import Comparison, Result, compare, evaluate
from recall_duckdb.errors import ArgumentError, UnknownNameError
from recall_duckdb.reporting import charts

RUN = {
    "query": [1, 1, 2, 2, 3, 3],
    "item": ["a", "b", "a", "b", "a", "b"],
    "old": [2, 1, 1, 2, 1, 2],
    "new": [1, 2, 2, 1, 1, 2],
}
QRELS = {"query": [1, 2, 3], "item": ["a", "a", "b"], "relevance": [1, 1, 1], "country": ["NL", "NL", "BE"]}


def result(*metrics: str, **options: Any) -> Result:
    return evaluate(RUN, QRELS, list(metrics), score=["old", "new"], **options)


def rows_of(chart: Any) -> list[dict[str, Any]]:
    """Return the rows that a chart draws."""
    drawn = chart.to_dict()
    return list(drawn["datasets"][drawn["data"]["name"]] if "datasets" in drawn else drawn["data"]["values"])


def deltas(chart: Any) -> list[float]:
    return [row["delta"] for row in rows_of(chart)]


@pytest.mark.slow
def test_a_plot_has_a_line_with_a_band_for_every_model() -> None:
    found = result("recall@1,2", "rr", by="country")
    chart = found.plot()
    assert type(chart).__name__ == "LayerChart"
    assert [layer["mark"]["type"] for layer in chart.to_dict()["layer"]] == ["area", "line", "point"]
    expected = [
        {name: row[name] for name in ("model", "k", "value", "low", "high")}
        for row in found.intervals().to_dicts()
        if row["country"] is None and row["k"]
    ]
    assert rows_of(chart) == expected
    assert chart.to_dict()["title"]["text"] == "recall against k"
    assert "may still differ: compare() pairs" in " ".join(chart.to_dict()["title"]["subtitle"])


def test_a_metric_with_one_cutoff_has_a_dot_for_every_model_also_in_slices() -> None:
    found = result("recall@1", by="country")
    chart = found.plot()
    assert chart.to_dict() == found.plot("recall@1").to_dict()
    rows = [(row["label"], row["delta"], row["low"], row["high"]) for row in rows_of(chart)]
    slices = ["", "country=BE · ", "country=NL · "]
    assert [label for label, *_ in rows] == [f"{each}{model}" for model in ("old", "new") for each in slices]
    assert [each[1:] for each in rows] == [
        (row["value"], row["low"], row["high"]) for row in found.intervals().to_dicts()
    ]


def test_several_metrics_are_next_to_each_other() -> None:
    found = result("recall@1,2", "ndcg@1,2")
    chart = found.plot()
    assert type(chart).__name__ == "HConcatChart"
    assert [part["title"] for part in chart.to_dict()["hconcat"]] == ["recall against k", "ndcg against k"]
    assert type(found.plot("ndcg")).__name__ == "LayerChart"


def comparison() -> Comparison:
    return result("rr", "recall@1").compare("old")


def test_the_plot_of_a_comparison_has_a_bar_for_every_query() -> None:
    chart = comparison().plot(queries=True)
    assert type(chart).__name__ == "Chart"
    assert deltas(chart) == [-0.5, 0.0, 0.5]
    assert chart.to_dict()["title"] == "rr of new minus old"
    assert deltas(comparison().plot("recall@1", model="new", queries=True)) == [-1.0, 0.0, 1.0]


def test_many_queries_have_evenly_spaced_bars() -> None:
    numbers = list(range(1000))
    values = {"a": {"query": numbers, "rr": [0.0] * 1000}, "b": {"query": numbers, "rr": [n / 1000 for n in numbers]}}
    chart = compare(values, baseline="a").plot(queries=True)
    bars = deltas(chart)
    assert len(bars) == 140
    assert (bars[0], bars[-1]) == (0.0, 0.999)
    steps = {round(after - before, 3) for before, after in pairwise(bars[1:])}
    assert steps == {0.007, 0.008}


def test_charts_render_with_hostile_names() -> None:
    name = "<script>alert(1)</script>\n"
    run = {"query": [1, 2], "item": ["a", "a"], "old": [1, 1], name: [1, 2]}
    found = evaluate(run, QRELS, "recall@1,2", score=["old", name])
    for drawn in map(svg, (found.plot(), found.compare("old").plot(queries=True))):
        assert "<script" not in drawn
        assert "&lt;script&gt;" in drawn


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: result("recall@1,2").plot("ndcg"),
            ArgumentError,
            "metric: 'ndcg' is not in this result. It has 'recall', 'recall@1', 'recall@2'",
        ),
        (
            lambda: comparison().plot("ap"),
            UnknownNameError,
            "metric: 'ap' is not in this table. It has 'rr', 'recall@1'",
        ),
        (lambda: comparison().plot(model="x"), UnknownNameError, "model: there is no model 'x'. Models: 'new'"),
    ],
)
def test_a_wrong_argument_is_named(call: Any, kind: type[Exception], message: str) -> None:
    fails(kind, re.escape(message), call)


def test_a_closed_result_and_a_metric_of_the_whole_run_have_no_bars() -> None:
    found = result("rr", "coverage@1", catalog={"item": ["a", "b"]})
    shown = found.compare("old")
    fails(ArgumentError, "'coverage@1' has no values of queries", shown.plot, "coverage@1", queries=True)
    found.close()
    fails(ArgumentError, "the result was closed", shown.plot, queries=True)
    assert rows_of(shown.plot())


def svg(chart: Any) -> str:
    text = StringIO()
    chart.save(text, format="svg")
    return text.getvalue()


def test_the_legend_has_the_colors_and_dashes_of_the_lines() -> None:
    runs = {f"m{number}": {**RUN, "score": RUN["old"]} for number in range(9)}
    chart = evaluate(runs, QRELS, "recall@1,2").plot(baseline="m0")
    assert chart.to_dict()["layer"][0]["transform"] == [{"filter": {"field": "model", "oneOf": ["m1"]}}]
    drawn = svg(chart)
    legend = drawn[drawn.index('class="mark-symbol role-legend-symbol"') :]
    symbols = re.findall(r'stroke="(#\w+)" stroke-width="2.5" stroke-dasharray="([\d,]+)" opacity="1"', legend)
    lines = re.findall(r'stroke="(#\w+)" stroke-width="(?:1.5|3)" stroke-dasharray="([\d,]+)"', drawn)
    assert len(symbols) == 9
    assert sorted(symbols) == sorted(lines)
    assert symbols[8] == (symbols[1][0], "6,3")


def test_a_trend_is_over_the_time_in_utc() -> None:
    rows = [{"model": "a", "value": 0.5, "time": datetime(2026, 1, 1, hour)} for hour in (9, 14)]
    chart = charts.trend(rows, "recall@10", ["a"])
    encoding = chart["encoding"]
    assert (encoding["x"]["axis"]["title"], encoding["y"]["axis"]["title"]) == ("time of the run (UTC)", "recall@10")
    assert encoding["x"]["scale"] == {"type": "utc"}
    assert [row["time"] for row in chart["data"]["values"]] == ["2026-01-01T09:00:00Z", "2026-01-01T14:00:00Z"]


def test_changes_of_one_metric_have_one_scale() -> None:
    values = {name: {"query": [1, 2], "rr": [0.5, 0.1 * n]} for n, name in enumerate("abc")}
    charts = compare(values, baseline="a").plot(queries=True).to_dict()["hconcat"]
    scales = [(chart["encoding"]["x"]["scale"], chart["encoding"]["y"]["scale"]["domain"]) for chart in charts]
    assert scales == [({"domain": [0, 2], "nice": False}, [0.0, 0.2])] * 2


@pytest.mark.parametrize(("last", "kind"), [(20, "log"), (19, "linear")])
def test_weighted_means_have_no_bands_and_cutoffs_far_apart_a_logarithmic_scale(last: int, kind: str) -> None:
    chart = result(f"recall@1,{last}", weights={"query": [1, 2, 3], "weight": [1.0, 3.0, 1.0]}).plot()
    assert {row["low"] for row in rows_of(chart)} == {None}
    assert chart.to_dict()["encoding"]["x"]["scale"] == {"type": kind, "nice": False, "zero": False}


def test_a_comparison_draws_differences_also_in_slices() -> None:
    run = {**RUN, "best": [2, 1, 2, 1, 1, 2]}
    found = evaluate(run, QRELS, "rr", score=["old", "new", "best"], by="country").compare("old")
    drawn = found.plot().to_dict()
    assert (drawn["title"]["text"], drawn["background"]) == ("rr: each model minus old", "white")
    assert [layer["mark"]["type"] for layer in drawn["layer"]] == ["rule", "rule", "point"]
    labels = [f"{each}{model}" for each in ("", "country=NL · ", "country=BE · ") for model in ("best", "new")]
    assert drawn["layer"][1]["encoding"]["y"]["sort"] == labels  # the largest slice comes first
    assert drawn["layer"][1]["encoding"]["x"]["scale"]["zero"]
    queries = [f"q{number}" for number in range(40)]  # each is a slice of its own
    many = {"query": queries, "item": ["a"] * 40, "old": [1] * 40, "new": [2] * 40}
    qrels = {"query": queries, "item": ["a"] * 40, "relevance": [1] * 40, "name": queries}
    drawn = evaluate(many, qrels, "rr", score=["old", "new"], by="name").compare("old").plot().to_dict()
    note = "Of 40 lines of slices, the 30 with the most queries are shown."
    assert " ".join(drawn["title"]["subtitle"]).endswith(note)


def test_a_leaderboard_draws_the_distance_to_the_best_model() -> None:
    tenths = {name: 0.1 * number for number, name in enumerate("abc")}
    values = {name: {"query": [1, 2], "rr": [0.5, rr], "ap": [0.5, 0.5 - rr]} for name, rr in tenths.items()}
    board = compare(values, baseline="a").leaderboard()
    assert board.plot("ap").to_dict()["title"]["text"] == "ap: each model minus a"
    chart = board.plot()
    assert chart.to_dict()["title"]["text"] == "rr: each model minus c"
    assert [row["label"] for row in rows_of(chart)] == ["b", "a"]
