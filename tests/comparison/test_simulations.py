"""In simulations, intervals of skewed means hold the true mean, and leaderboards seldom find a difference of none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from recall_duckdb import compare

# How values are drawn, from the most common kinds of metrics, and their mean.
SKEWED: dict[str, tuple[Any, float]] = {
    "beta(0.3, 2)": (lambda random, size: random.beta(0.3, 2, size), 0.3 / 2.3),
    "beta(0.5, 3)": (lambda random, size: random.beta(0.5, 3, size), 0.5 / 3.5),
    "1 / first relevant rank": (lambda random, size: 1 / random.geometric(0.15, size), -0.15 / 0.85 * np.log(0.15)),
    "60 % zeros": (lambda random, size: (random.random(size) < 0.4) * random.beta(0.5, 3, size), 0.4 * 0.5 / 3.5),
}


def columns(simulations: Any) -> dict[str, Any]:
    """Return values of queries in which each metric is a simulation."""
    names = {f"recall@{number}": values for number, values in enumerate(simulations, start=1)}
    return {"query": list(range(len(simulations[0]))), **names}


def covered(queries: int, interval: Any, times: int) -> dict[str, float]:
    """Return, by kind of values, the share of intervals of 95 % that hold the mean."""
    random, shares = np.random.default_rng(queries), {}
    for kind, (draw, mean) in SKEWED.items():
        hits = 0
        for seed in range(times // 100):
            values = draw(random, (100, queries))
            models = {"zero": columns(0 * values), "own": columns(values)}
            found = compare(models, baseline="zero", interval=interval, seed=seed).to_dicts()
            hits += sum(row["low"] <= mean <= row["high"] for row in found)
        shares[kind] = hits / times
    return shares


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize(("queries", "times"), [(20, 200), (20, 2000), (30, 2000), (50, 2000)])
def test_the_bootstrap_holds_the_mean_of_skewed_values(queries: int, times: int) -> None:
    """Student's interval holds it less often: see docs/decisions.md."""
    shares = covered(queries, "bootstrap", times)
    assert sum(shares.values()) / len(shares) >= 0.94
    assert min(shares.values()) >= 0.93


@pytest.mark.nightly
@pytest.mark.parametrize(("test", "times"), [("t", 20), ("t", 1000), ("sign", 1000), ("randomization", 1000)])
def test_a_leaderboard_of_equal_models_seldom_has_two_letters(test: Any, times: int) -> None:
    """Given ten models that differ by chance alone, at most one leaderboard in twenty says that two differ."""
    random, wrong = np.random.default_rng(5), 0
    for _ in range(0, times, 100):
        ease = random.beta(0.5, 1, (min(times, 100), 50))
        models = {model: columns(random.binomial(10, ease) / 10) for model in "abcdefghij"}
        pairs = compare(models, baseline="a", test=test, samples=2_000).leaderboard().pairs
        wrong += len({pair["k"] for pair in pairs if pair["p_adjusted"] is not None and pair["p_adjusted"] < 0.05})
    assert wrong / times <= 0.05
