"""What a report concludes: which model is better, by which metric, and what its charts and lists say about it."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from folders import ROOT

from recall_duckdb import Comparison, Result, compare, evaluate
from recall_duckdb.comparison.distributions import queries_needed
from recall_duckdb.definitions import templates
from recall_duckdb.reporting import charts, decisions
from recall_duckdb.reporting.contents import Contents
from recall_duckdb.reporting.page import slices

QUERIES = [f"q{number}" for number in range(10)]
QRELS: dict[str, list[Any]] = {"query": QUERIES, "item": ["a"] * 10, "relevance": [1] * 10}
Show = Callable[..., tuple[Contents, dict[str, charts.Figures]]]


def run_of(ranks: list[int]) -> dict[str, list[Any]]:
    """Return a run with the relevant item of each query on this rank."""
    rows = [
        (query, "a" if place == rank else f"x{place}", -place)
        for query, rank in zip(QUERIES, ranks, strict=True)
        for place in range(1, max(ranks) + 1)
    ]
    return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "score"))}


def runs() -> dict[str, dict[str, list[Any]]]:
    """Return two runs: b is better for nine queries, and worse for the last."""
    return {"a": run_of([5, 4, 5, 6, 5, 4, 5, 6, 5, 2]), "b": run_of([1, 2, 1, 2, 1, 1, 2, 1, 2, 3])}


def compared(values: dict[str, dict[str, list[Any]]], **settings: Any) -> Comparison:
    return compare(values, baseline="a", **settings)


def decided(found: Comparison, metric: str) -> decisions.Decision:
    return decisions.decide_between(found, [], metric)


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    """A function that writes a report and returns what it holds."""

    def shown(result: Result, **options: Any) -> tuple[Contents, dict[str, charts.Figures]]:
        caught: list[Any] = []

        def catch(*given: Any) -> str:
            caught.extend(given)
            return ""

        monkeypatch.setattr("recall_duckdb.reporting.page.page", catch)
        result.report(tmp_path / "report.html", **options)
        contents, figures = caught
        return contents, figures

    return shown


def test_a_lower_value_is_better_if_the_metric_says_so(show: Show) -> None:
    contents, figures = show(evaluate(runs(), QRELS, "average_rank@10"), baseline="a")
    [decision] = contents.decisions
    assert decision.mark == "▲"
    assert decision.numbers.startswith("average_rank@10 (lower is better) is 1.6000 instead of 4.7000: -66% (95% ")
    assert decision.sentence.endswith("p < 0.001), better for 9 queries and worse for 1.")
    [held] = contents.queries
    assert [change.query for change in held.worst] == [("q9",)]
    assert len(held.best) == 9
    assert all(change.is_better for change in held.best)
    assert contents.comparison is not None
    assert "-3.1000 ▲" in repr(contents.comparison)
    assert "9/0/1" in repr(contents.comparison)
    assert "lower is better: average_rank@10" in repr(contents.comparison)
    rows = contents.comparison.changes("average_rank@10").fetchall()
    assert rows[0][0] == "q9"
    [svg] = figures["Changes of queries"].images
    assert svg.index("var(--worse)") < svg.index("var(--better)")  # the largest loss comes first
    contents, _ = show(evaluate(runs()["b"], QRELS, "average_rank@10"), queries=1)
    assert [change.query for change in contents.queries[0].worst] == [("q9",)]


def test_the_values_of_a_file_have_the_direction_of_their_metric() -> None:
    metric = "fall_out(of=judged)@5"
    values: dict[str, dict[str, list[Any]]] = {
        "a": {"query": QUERIES, metric: [0.5 + number / 100 for number in range(10)]},
        "b": {"query": QUERIES, metric: [0.25, *(0.2 + number / 100 for number in range(1, 10))]},
    }
    found = compared(values)
    assert "▲" in repr(found)
    assert decided(found, metric).verdict == "Ship b instead of a"


def test_the_guide_lists_the_metrics_of_which_lower_is_better() -> None:
    guide = (ROOT / "docs" / "guide" / "comparison.md").read_text("utf-8")
    listed = guide.partition("Higher is better, except for ")[2].partition(", and for [your own")[0]
    heads = templates.own_metrics().items()
    assert re.findall(r"\w+_\w+|\w+(?=,| and|$)", listed.replace("\n", " ")) == sorted(
        name for name, template in heads if template.head.get("Better") == "lower"
    )


def test_the_sign_test_says_which_model_wins_more_queries() -> None:
    values: dict[str, dict[str, list[Any]]] = {
        "a": {"query": list(range(11)), "rr": [0.0] * 10 + [1.0]},
        "b": {"query": list(range(11)), "rr": [0.1] * 10 + [0.0]},
    }
    found = compared(values, test="sign")
    decision = decided(found, "rr")
    assert decision.mark == "▲"
    assert decision.sentence.startswith("Ship b instead of a. rr is 0.0909 instead of 0.0909: ")
    assert decision.sentence.endswith("p = 0.0117 by the sign test), better for 10 queries and worse for 1.")
    assert "▲" in repr(found).split("baseline:")[0]
    worse = decided(compare(dict(reversed(values.items())), baseline="b", test="sign"), "rr")
    assert worse.sentence.startswith("Keep b: a is worse. rr is 0.0909 instead of 0.0909: ")
    assert worse.sentence.endswith("p = 0.0117 by the sign test), better for 1 query and worse for 10.")


@pytest.mark.slow
def test_slices_without_any_difference_are_not_named(show: Show) -> None:
    made = random.Random(1)
    run: dict[str, list[Any]] = {"query": [], "item": [], "a": [], "b": []}
    for query in range(4000):
        for item in "xyz":
            for name, value in zip(run, (query, item, made.random(), made.random()), strict=True):
                run[name].append(value)
    qrels = {"query": list(range(4000)), "item": ["x"] * 4000, "relevance": [1] * 4000}
    qrels["part"] = [query % 400 for query in range(4000)]
    found = evaluate(run, qrels, "rr", score=["a", "b"], by="part")
    alone = [row for row in found.compare("a").to_dicts() if row["part"] is not None and row["p_adjusted"] < 0.05]
    assert len(alone) > 5
    contents, _ = show(found, baseline="a", queries=0, check=False)
    [line] = contents.decisions[0].against
    assert line.startswith("No clear difference in 400 of 400 slices (p adjusted for slices): ")
    assert "slices" not in " ".join(contents.decisions[0].sure)
    assert contents.comparison is not None
    assert not re.search("[▲▼]", str(contents.comparison.shown.body)), "the table of slices agrees with the cards"


@pytest.mark.slow
def test_a_slice_with_a_clear_difference_is_named_and_green(show: Show) -> None:
    models = {**runs(), "c": runs()["a"]}
    found = evaluate(models, {**QRELS, "kind": ["x"] * 8 + ["y"] * 2}, "rr", by="kind")
    contents, _ = show(found, baseline="a")
    drawn = slices(contents)
    kinds = re.findall(r'<tr class="(\w*)"><th>kind=(. · .)</th>', drawn)
    assert kinds == [("better", "x · b"), ("", "x · c"), ("", "y · b"), ("", "y · c")]
    assert "Green: better, red: worse, grey: no clear difference (p adjusted for slices)." in drawn
    assert "Better in 1 of 2 slices (p adjusted for slices): kind=x." in contents.decisions[0].sure
    contents, _ = show(found, baseline="a", correction="none")
    assert "Better in 1 of 2 slices (p not adjusted): kind=x." in contents.decisions[0].sure


@pytest.mark.parametrize(
    ("losing", "verdict"),
    [
        (0, "Ship b instead of a"),
        (1, "Ship b instead of a, but not for kind=0"),
        (3, "Ship b instead of a, but not for kind=0, kind=1 and kind=2"),
        (5, "Ship b instead of a, but not for kind=0, kind=1 and 3 more"),
        (8, "No clear difference between b and a, but b is better for kind=8 and kind=9, and b is worse for kind=0, "
            "kind=1 and 6 more"),
        (9, "Keep a: b is worse, but b is better for kind=9"),
    ],
)  # fmt: skip
def test_the_verdict_names_slices_in_which_it_is_wrong(losing: int, verdict: str) -> None:
    """Given ten slices of ten queries, b loses some by 0.11 and wins the others by 0.49."""
    common: dict[str, list[Any]] = {"query": list(range(100)), "kind": [query // 10 for query in range(100)]}
    of_b = [(0.3 if query // 10 < losing else 0.9) - query % 3 / 100 for query in range(100)]
    found = compared({"a": {**common, "rr": [0.4] * 100}, "b": {**common, "rr": of_b}}, by="kind")
    in_slices = [row for row in found.to_dicts() if row["kind"] is not None]
    assert decisions.decide_between(found, in_slices, "rr").verdict == verdict


def test_the_verdict_names_metrics_that_lose() -> None:
    lower = [0.4 - query % 3 / 100 for query in range(9)]
    other = {"a": {"rr": lower, "ap": [0.9] * 9}, "b": {"rr": [0.5] * 9, "ap": lower}}
    values = {model: {"query": [*range(9)], **columns} for model, columns in other.items()}
    assert decided(compared(values), "rr").verdict == "Ship b instead of a, but it is worse on ap"
    assert best_of(values, "rr").verdict == "Ship b, the best of 2 models by rr, but a is better on ap"


def test_a_difference_without_a_p_is_not_tested(show: Show) -> None:
    models = {"a": run_of([2] * 10), "b": run_of([1] * 10)}
    found = evaluate(models, {**QRELS, "kind": ["x"] * 9 + ["y"]}, "rr", by="kind")
    assert "not tested, so they share a letter: a and b on rr" in repr(found.leaderboard())
    best, between = (show(found, baseline=baseline)[0].decisions[0] for baseline in (None, "a"))
    assert best.verdict == "b has the highest rr of 2 models, but there is no test against a"
    assert "Not tested in 2 of 2 slices: kind=x, kind=y." in between.against


def test_the_best_model_is_compared_in_slices_without_a_baseline(show: Show) -> None:
    models = {"a": run_of([5, 6] * 4 + [1, 1]), "b": run_of([1] * 8 + [5, 6])}
    contents, _ = show(evaluate(models, {**QRELS, "kind": ["x"] * 8 + ["y"] * 2}, "rr", by="kind"))
    assert contents.decisions[0].verdict == "b has the highest rr of 2 models, but a is better for kind=y"
    assert "In slices (p adjusted for slices): a is better for kind=y." in contents.decisions[0].against


@pytest.mark.slow
def test_slices_by_several_columns_are_told_apart(show: Show) -> None:
    qrels = {**QRELS, "c1": ["x, y"] * 5 + ["x"] * 5, "c2": ["z"] * 5 + ["y, z"] * 5}
    contents, _ = show(evaluate(runs(), qrels, "rr", by=["c1", "c2"], slices="crossed"), baseline="a")
    drawn = slices(contents)
    assert "c1=x, y, c2=z" in drawn
    assert "c1=x, c2=y, z" in drawn
    assert contents.queries[0].worst[0].slice_name == "c1=x, c2=y, z"


@pytest.mark.parametrize(
    ("baseline", "worst", "best"),
    [("a", ["q9"], ["q7", "q4"]), ("b", ["q7", "q0"], ["q9"])],  # q0, q2 and q4 change by the same, q7 by more
)
def test_as_many_queries_are_listed_as_asked_for(baseline: str, worst: list[str], best: list[str], show: Show) -> None:
    contents, _ = show(evaluate(runs(), QRELS, "rr"), baseline=baseline, queries=2)
    [held] = contents.queries
    assert [change.query for change in held.worst] == [(query,) for query in worst]
    assert [change.query for change in held.best] == [(query,) for query in best]


@pytest.mark.slow
def test_a_wider_tie_is_in_the_words_and_not_in_the_lists(show: Show) -> None:
    contents, _ = show(evaluate(runs(), QRELS, "rr"), baseline="a", tie_within=0.5)
    assert contents.decisions[0].sentence.endswith(
        "better by more than 0.5 for 5 queries and worse by more than 0.5 for 0."
    )
    [held] = contents.queries
    assert held.worst == []
    assert len(held.best) == 5


def test_the_first_metric_with_values_of_queries_decides(show: Show) -> None:
    catalog = {"item": ["a", *(f"x{place}" for place in range(1, 7))]}
    contents, _ = show(evaluate(runs(), QRELS, ["coverage@3", "recall@3"], catalog=catalog), baseline="a")
    assert contents.basis == "recall@3 decides: it is the first metric with a value for each query."


@pytest.mark.slow
def test_a_median_is_not_called_a_mean(show: Show) -> None:
    contents, _ = show(evaluate(run_of([2] * 10), QRELS, "rr(mean=median)"))
    assert contents.decisions[0].sentence == "run has a value of 0.5000 for rr(mean=median)."


def test_notes_name_tests_and_intervals_only_where_there_are_any() -> None:
    found = evaluate(runs(), QRELS, "rr(mean=median)")
    assert found.compare("a").shown.notes == ["baseline: a"]
    assert found.intervals().shown.notes == []
    full = evaluate(runs(), QRELS, "rr")
    assert full.compare("a").shown.notes[0].endswith("Student's interval of delta")
    assert full.intervals().shown.notes[0].startswith("Student's interval of the mean; sd")


@pytest.mark.parametrize(("judged", "shown", "left_out"), [(41, 41, 0), (42, 40, 2)])
def test_a_query_lists_40_items(judged: int, shown: int, left_out: int, show: Show) -> None:
    qrels = {"q": {f"x{number}": int(number == 0) for number in range(judged)}}
    contents, _ = show(evaluate({"q": ["x0"]}, qrels, "rr"), check=False)
    [[change]] = [held.worst for held in contents.queries]
    assert (len(change.items), change.left_out) == (shown, left_out)


@pytest.mark.slow
def test_lists_never_hide_a_single_thing(show: Show, tmp_path: Path) -> None:
    """Given one thing more than a list shows, it is shown: "and 1 more" takes as much room."""
    for count, shown, note in ((10, 9, ""), (11, 8, "The queries of 2 more models are not shown.")):
        many = {f"model {number}": run_of([1 + number % 3] * 10) for number in range(count)}
        contents, _ = show(evaluate(many, QRELS, "rr"), baseline="model 0", check=False)
        assert (len(contents.queries), contents.queries_note) == (shown, note)
    equal = {name: run_of([1] * 10) for name in "abcdef"}
    contents, _ = show(evaluate(equal, QRELS, "rr"), check=False)
    assert contents.decisions[0].verdict == "a, b, c, d, e and f have the same rr, the highest of 6 models"
    metrics = ["rr", "ap", "ndcg@5", "ndcg@6", "ndcg@7", "ndcg@8", "rbp"]
    contents, _ = show(evaluate(runs(), QRELS, metrics), baseline="a", check=False)
    assert contents.main == [("rr", None), ("ap", None), ("ndcg", 5), ("rbp", None)]
    assert "Also better on ap, ndcg@5, ndcg@6, ndcg@7, ndcg@8, rbp." in contents.decisions[0].sure
    contents, _ = show(evaluate(runs(), QRELS, ["rr", "ap", "ndcg", "rbp", "recall@3"]), check=False)
    assert len(contents.main) == 4


@pytest.mark.slow
def test_the_parts_of_a_run_are_one_point_of_the_trend(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "history"
    first, second = evaluate(run_of([2] * 10), QRELS, "rr"), evaluate(run_of([2] * 10), QRELS, "recall@1")
    first.append(path, run_id="1")
    second.append(path, run_id="1")
    [[start]] = duckdb.connect().execute(f"SELECT min(time) FROM '{path}/*.parquet'").fetchall()
    contents, figures = show(evaluate(run_of([1] * 10), QRELS, ["rr", "recall@1"]), history=path)
    assert contents.trend is not None
    assert {row["time"] for row in contents.trend if row["run_id"] == "1"} == {start}
    assert "The last 2 runs." in figures["Trend of means"].note


@pytest.mark.slow
def test_a_history_without_earlier_means_says_so(show: Show, tmp_path: Path) -> None:
    path = tmp_path / "history"
    found = evaluate(run_of([2] * 10), QRELS, "rr")
    found.append(path)
    nothing = charts.Figures("The history holds no earlier mean of these models and metrics.")
    _, figures = show(found, history=path)
    assert figures["Trend of means"] == nothing
    _, figures = show(evaluate(run_of([2] * 10), QRELS, "recall@1"), history=path)
    assert figures["Trend of means"] == nothing


def best_of(values: dict[str, dict[str, list[Any]]], metric: str, **settings: Any) -> decisions.Decision:
    """Return the decision about the best of several models."""
    found = compare(values, baseline=next(iter(values)), **settings).leaderboard()
    decision = decisions.decide_best(found, metric)
    assert decision is not None
    return decision


def test_a_model_that_wins_fewer_queries_is_not_called_the_best() -> None:
    """Given the sign test, a model with the highest mean is not better than one that wins more queries."""
    queries = list(range(30))
    values: dict[str, dict[str, list[Any]]] = {
        "A": {"query": queries, "rr": [1.0] * 8 + [0.4] * 22},
        "B": {"query": queries, "rr": [0.0] * 8 + [0.5] * 22},
        "C": {"query": queries, "rr": [0.0] * 30},
    }
    decision = best_of(values, "rr", test="sign")
    assert decision.mark == "="
    assert decision.verdict == "A has the highest rr of 3 models, but B beats it"
    assert decision.sure[1].startswith("It wins more queries than C (each p < ")
    assert decision.against[0] == (
        "On the 30 queries that both have, rr is 0.3667 for B and 0.5600 for A; B wins 22 and A 8 (p = 0.0161)."
    )
    assert best_of({name: values[name] for name in "AC"}, "rr", test="sign").mark == "▲"


@pytest.mark.parametrize(("correction", "tests"), [("holm", 3), ("none", 1)])
def test_the_more_pairs_are_tested_the_more_queries_the_best_model_needs(correction: str, tests: int) -> None:
    """Given the best of three models and a second that is lower by 0.075 on average, three pairs are tested."""
    values: dict[str, dict[str, list[Any]]] = {
        "A": {"query": list(range(40)), "rr": [1.0] * 12 + [0.5] * 6 + [0.8] * 22},
        "B": {"query": list(range(40)), "rr": [0.5] * 12 + [1.0] * 6 + [0.8] * 22},
        "C": {"query": list(range(40)), "rr": [0.1] * 40},
    }
    [pair, *_] = compare({name: values[name] for name in "BA"}, baseline="B").to_dicts()
    needed = queries_needed(pair["delta"], pair["sd"], 1 - 0.05 / tests)
    assert needed is not None
    decision = best_of(values, "rr", correction=correction)
    assert decision.verdict == "Ship A: it has the highest rr of 3 models"
    assert decision.ties == "B is as good as far as 40 queries can tell"
    assert decision.sure[-1] == (
        f"About {round(needed - 40, -1)} more queries would settle a difference between A and B as large as this one."
    )


def test_a_model_that_is_worse_for_common_queries_is_not_called_the_best() -> None:
    """Given values for half of the queries, the mean of a model is higher, and each of its values lower."""
    values: dict[str, dict[str, list[Any]]] = {
        "u": {"query": list(range(10)), "rr": [0.7 + query / 100 for query in range(10)]},
        "v": {"query": list(range(20)), "rr": [0.8 + query / 90 for query in range(10)] + [0.1] * 10},
    }
    decision = best_of(values, "rr")
    assert decision.mark == "="
    assert decision.verdict == "u has the highest rr of 2 models, but v beats it"
    assert decision.against[0].startswith("On the 10 queries that both have, rr is 0.8500 for v and 0.7450 for u; ")


def test_models_with_the_same_mean_are_both_named() -> None:
    queries = list(range(10))
    low: dict[str, list[Any]] = {"query": queries, "rr": [0.1 + query / 100 for query in queries]}
    high: dict[str, list[Any]] = {"query": queries, "rr": [0.5 + query / 90 for query in queries]}
    decision = best_of({"one": high, "low": low, "two": high}, "rr")
    assert (decision.mark, decision.verdict) == ("=", "one and two have the same rr, the highest of 3 models")
    assert decision.sure[1].startswith("one is clearly better than low (each p ")
