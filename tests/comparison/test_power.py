"""The number of queries that a difference needs matches scipy's noncentral t distribution."""

from __future__ import annotations

import math
from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest

from recall_duckdb import compare, evaluate
from recall_duckdb.comparison.distributions import detectable, queries_needed
from recall_duckdb.result import Result


def power(queries: int, effect: float, confidence: float) -> float:
    """Return the power of Student's two-sided test, from scipy, whose import takes a second."""
    from scipy import stats

    df, shift = queries - 1, effect * math.sqrt(queries)
    critical = stats.t.ppf((1 + confidence) / 2, df)
    below = stats.nct.cdf(-critical, df, shift)  # NaN if it is 0
    return float(stats.nct.sf(critical, df, shift) + (0 if math.isnan(below) else below))


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
@pytest.mark.parametrize("queries", [5, 6, 10, 30, 100, 1_000, 10_000, 100_000, 1_000_000])
def test_the_detectable_difference_is_that_of_scipy(queries: int, confidence: float) -> None:
    found = detectable(queries, 1.0, confidence)
    assert found is not None
    assert power(queries, found, confidence) == pytest.approx(0.8, abs=5e-9)  # as exact as 1e-8 of the difference
    assert detectable(queries, 0.25, confidence) == pytest.approx(found / 4, rel=1e-14)


@pytest.mark.parametrize("effect", [0.02, 0.05, 0.1, 0.3, 0.5, 1.0, 2.0])
def test_the_queries_needed_are_the_fewest_with_a_power_of_080(effect: float) -> None:
    for confidence in (0.9, 0.95):
        needed = queries_needed(effect * 0.3, 0.3, confidence)
        assert needed is not None
        assert power(needed, effect, confidence) >= 0.8 > power(needed - 1, effect, confidence)
        assert queries_needed(-effect * 0.3, 0.3, confidence) == needed


def test_the_queries_of_a_tiny_difference_are_found_in_steps_that_halve() -> None:
    """Given a difference that needs 10^10 queries, the search does not count down one by one."""
    for delta, sd, confidence in ((2e-6, 0.2236, 0.95), (1e-5, 0.5, 0.8)):
        needed = queries_needed(delta, sd, confidence)
        assert needed is not None
        critical = NormalDist().inv_cdf((1 + confidence) / 2) + NormalDist().inv_cdf(0.8)
        assert needed == pytest.approx((critical * sd / delta) ** 2, rel=2e-3)


def test_without_a_difference_or_a_spread_nothing_is_needed() -> None:
    nothing = [queries_needed(0.0, 1.0, 0.95), queries_needed(0.5, 0.0, 0.95), queries_needed(None, None, 0.95)]
    assert [*nothing, queries_needed(1e-9, 1.0, 0.95)] == [None] * 4
    assert [detectable(1, 1.0, 0.95), detectable(10, 0.0, 0.95), detectable(None, None, 0.95)] == [None] * 3


def test_a_comparison_has_both_numbers() -> None:
    old = {"query": list(range(40)), "rr": [0.5] * 40}
    new = {"query": list(range(40)), "rr": [1.0] * 12 + [0.25] * 16 + [0.5] * 12}
    [row] = compare({"old": old, "new": new}, baseline="old").to_dicts()
    assert row["p"] > 0.05
    assert row["detectable"] == detectable(40, row["sd"], 0.95) > row["delta"]
    assert row["queries_needed"] == queries_needed(row["delta"], row["sd"], 0.95)
    assert row["queries_needed"] > 40


def forty_queries(*models: str) -> Result:
    """Return the result of a model, and of others without a clear difference."""
    names = [str(number) for number in range(40)]
    run: dict[str, list[Any]] = {"query": names * 2, "item": ["a"] * 40 + ["x"] * 40}
    run["old"] = [1.0] * 20 + [3.0] * 20 + [2.0] * 40
    run |= dict.fromkeys(models, [3.0] * 12 + [1.0] * 8 + [1.0] * 6 + [3.0] * 14 + [2.0] * 40)
    qrels = {"query": names, "item": ["a"] * 40, "relevance": [1] * 40}
    return evaluate(run, qrels, "rr", score=["old", *models])


def more_queries(result: Result, path: Path) -> list[int]:
    """Return how many more queries a report says that a difference takes, in two digits."""
    result.report(path / "report.html", baseline="old", check=False)
    page = (path / "report.html").read_text("utf-8")
    return [int(part.split()[-1]) for part in page.split(" more queries would settle a difference as large")[:-1]]


def test_a_report_says_how_many_more_queries_would_settle_it(tmp_path: Path) -> None:
    result = forty_queries("new")
    more = result.compare("old").value("rr", "queries_needed") - 40
    [said] = more_queries(result, tmp_path)
    assert abs(said - more) <= max(more // 20, 1)


def test_the_more_models_a_report_compares_the_more_queries_a_difference_needs(tmp_path: Path) -> None:
    """With p adjusted for two models, a difference is found if p is below 0.025."""
    result = forty_queries("new", "other")
    row, _ = result.compare("old").to_dicts()
    needed = queries_needed(row["delta"], row["sd"], 0.975)
    assert needed is not None
    assert needed > row["queries_needed"]
    assert any(abs(said - needed + 40) <= max((needed - 40) // 20, 1) for said in more_queries(result, tmp_path))
