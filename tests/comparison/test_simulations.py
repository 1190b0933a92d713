"""In simulations, intervals of skewed means hold the true mean, and leaderboards seldom find a difference of none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow
import pytest

from recall_duckdb import compare

Draw = Callable[[Any, tuple[int, int]], Any]
# How values are drawn, from the most common kinds of metrics, and their mean.
SKEWED: dict[str, tuple[Draw, float]] = {
    "beta(0.3, 2)": (lambda random, size: random.beta(0.3, 2, size), 0.3 / 2.3),
    "beta(0.5, 3)": (lambda random, size: random.beta(0.5, 3, size), 0.5 / 3.5),
    "1 / rank of the first relevant item": (
        lambda random, size: 1 / random.geometric(0.15, size),
        0.15 / 0.85 * -np.log(0.15),
    ),
    "gains of two queries in five": (
        lambda random, size: np.where(random.random(size) < 0.6, 0, random.beta(0.5, 3, size)),
        0.4 * 0.5 / 3.5,
    ),
}


def covered(queries: int, interval: str, times: int) -> dict[str, float]:
    """Return, by kind of values, the share of intervals of 95 % that hold the mean. A metric is a simulation."""
    random, shares = np.random.default_rng(queries), {}
    for kind, (draw, mean) in SKEWED.items():
        hits = 0
        for seed in range(times // 100):
            columns = {f"own@{number}": column for number, column in enumerate(draw(random, (100, queries)), start=1)}
            zeros = {name: np.zeros(queries) for name in columns}
            keys = {"query": range(queries)}
            values = {"zero": pyarrow.table({**keys, **zeros}), "own": pyarrow.table({**keys, **columns})}
            found = compare(values, baseline="zero", interval=interval, seed=seed).to_dicts()  # type: ignore[arg-type]
            hits += sum(row["low"] <= mean <= row["high"] for row in found)
        shares[kind] = hits / times
    return shares


@pytest.mark.nightly
@pytest.mark.parametrize(("queries", "times"), [(20, 200), (20, 2000), (30, 2000), (50, 2000)])
def test_the_bootstrap_holds_the_mean_of_skewed_values(queries: int, times: int) -> None:
    """Student's interval holds it less often: see docs/decisions/no-scipy.md."""
    shares = covered(queries, "bootstrap", times)
    assert sum(shares.values()) / len(shares) >= 0.94
    assert min(shares.values()) >= 0.93


@pytest.mark.nightly
@pytest.mark.parametrize(("test", "leaderboards"), [("t", 100), ("t", 1000), ("sign", 1000), ("randomization", 1000)])
def test_a_leaderboard_of_equal_models_seldom_has_two_letters(test: Any, leaderboards: int) -> None:
    """Given ten models that differ by chance alone, at most one leaderboard in twenty says that two differ."""
    random, queries, wrong = np.random.default_rng(5), 50, 0
    for _ in range(leaderboards // 100):
        ease = random.beta(0.5, 1, (100, queries))
        values = {}
        for model in "abcdefghij":
            columns = {f"recall@{number}": random.binomial(10, each) / 10 for number, each in enumerate(ease, start=1)}
            values[model] = pyarrow.table({"query": range(queries), **columns})
        pairs = compare(values, baseline="a", test=test, samples=2_000).leaderboard().pairs
        wrong += len({pair["k"] for pair in pairs if pair["p_adjusted"] is not None and pair["p_adjusted"] < 0.05})
    assert wrong / leaderboards <= 0.05
