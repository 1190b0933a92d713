"""The intervals of means: exact for zeros and ones, otherwise Student's, Wilson's or the bootstrap."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist
from typing import Any

import pytest
from asking import error_of, output_of
from scipy.special import betaincinv

from recall_duckdb import compare, evaluate
from recall_duckdb.errors import UnknownNameError
from recall_duckdb.result import Result

pytestmark = pytest.mark.filterwarnings("ignore::recall_duckdb.errors.RecallWarning")


def hits(found: int, queries: int, metrics: str = "hit_rate@1") -> Result:
    """Return the result of a run that finds the relevant item of some queries."""
    keys = list(range(queries))
    run = {"query": keys, "item": ["a" if key < found else "b" for key in keys], "score": [1.0] * queries}
    return evaluate(run, {"query": keys, "item": ["a"] * queries, "relevance": [1] * queries}, metrics)


def only(result: Result, **settings: Any) -> dict[str, Any]:
    [row] = result.intervals(**settings).to_dicts()
    return row


def exact(found: int, queries: int, confidence: float = 0.95) -> Any:
    """Return the interval of Clopper and Pearson, from scipy."""
    tail = (1 - confidence) / 2
    low = betaincinv(found, queries - found + 1, tail) if found else 0
    high = betaincinv(found + 1, queries - found, 1 - tail) if found < queries else 1
    return pytest.approx((low, high), rel=1e-9, abs=1e-12)


def test_shares_have_exact_intervals() -> None:
    assert only(hits(10, 10))["low"] == pytest.approx(0.6915, abs=5e-5)
    assert repr(hits(7, 10).intervals()).splitlines()[2:] == [
        "hit_rate@1  run         10  0.7000  [0.3475, 0.9333]  0.4830  0.0000  1.0000  1.0000",
        "exact (Clopper-Pearson) interval of the mean; sd, q10, median and q90 of the values of queries",
    ]


@pytest.mark.parametrize("queries", [2, 3, 10, 97, 3000])
def test_exact_intervals_are_those_of_scipy(queries: int) -> None:
    for found in sorted({0, 1, 2, queries // 3, queries - 1, queries}):
        result = hits(found, queries)
        for confidence in (0.5, 0.95, 0.999999):
            row = only(result, confidence=confidence)
            assert row["interval_method"] == "exact"
            assert (row["low"], row["high"]) == exact(found, queries, confidence)


def test_models_and_slices_have_their_own_intervals() -> None:
    keys = list(range(6))
    runs = {
        name: {"query": keys, "item": items, "score": [1.0] * 6, "half": ["x", "x", "x", "y", "y", "y"]}
        for name, items in {"good": ["a"] * 6, "poor": ["a", "b", "b", "a", "b", "b"]}.items()
    }
    qrels = {"query": keys, "item": ["a"] * 6, "relevance": [1] * 6}
    rows = evaluate(runs, qrels, ["recall@1", "hits@1"], by="half").intervals().to_dicts()
    assert len(rows) == 12
    for row in rows:
        assert (row["low"], row["high"]) == exact(round(row["value"] * row["queries"]), row["queries"])


def test_other_intervals_end_where_the_metric_ends() -> None:
    run = {"query": [1, 2, 2, 3], "item": ["a", "b", "c", "d"], "score": [1.0, 2.0, 1.0, 1.0]}
    qrels = {"query": [1, 2, 3], "item": ["a", "c", "d"], "relevance": [1, 1, 1]}
    result = evaluate(run, qrels, ["rr", "dcg"])
    rr, dcg = result.intervals().to_dicts()
    assert (rr["interval_method"], rr["high"]) == ("t", 1.0)
    assert dcg["high"] > 1  # the cumulative gain has no upper bound
    assert result.intervals(interval="t").value("rr", "high") > 1
    wilson = result.intervals(interval="wilson").to_dicts()[0]
    assert (round(wilson["low"], 4), round(wilson["high"], 4), wilson["interval_method"]) == (0.31, 0.9823, "wilson")


@pytest.mark.parametrize(("found", "queries"), [(0, 4), (3, 4), (4, 4), (37, 90)])
def test_wilsons_interval_ends_where_the_share_is_as_far_as_chance_allows(found: int, queries: int) -> None:
    row = only(hits(found, queries), interval="wilson", confidence=0.9)
    assert row["low"] <= row["value"] <= row["high"]
    assert row["low"] < row["high"]
    for end in (row["low"], row["high"]):
        variance = NormalDist().inv_cdf(0.95) ** 2 * end * (1 - end) / queries
        assert (end - row["value"]) ** 2 == pytest.approx(variance, abs=1e-12)


def test_wilsons_interval_needs_values_from_0_to_1() -> None:
    run = {"query": [1, 1, 2], "item": ["a", "b", "c"], "score": [2.0, 1.0, 1.0], "relevance": [1, 1, 1]}
    row = only(evaluate(run, metrics="hits"), interval="wilson")
    assert (row["low"], row["high"], row["interval_method"]) == (None, None, None)


def test_differences_have_no_interval_of_shares() -> None:
    keys = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0], "relevance": [1, 0]}
    with pytest.raises(UnknownNameError, match="interval: 'wilson' is not one of 't', 'bootstrap'"):
        evaluate({"old": keys, "new": keys}, metrics="rr").compare("old", interval="wilson")  # type: ignore[arg-type]


def test_the_command_line_names_the_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.csv").write_text("query,item,score,relevance\n1,a,1,1\n2,b,1,0\n3,c,1,1\n")
    call = ["evaluate", str(tmp_path / "run.csv"), "-m", "hit_rate@1"]
    for name, interval in {"auto": "[0.0943, 0.9916]", "wilson": "[0.2077, 0.9385]", "t": "[-0.7676, 2.1009]"}.items():
        assert interval in output_of(capsys, *call, "--intervals", "--interval", name)
    assert "--interval: there is no interval to find. Pass --intervals too" in error_of(
        capsys, *call, "--interval", "t"
    )


def test_values_in_percent_are_not_cut_at_1() -> None:
    """Given files with recall on a scale of 0 to 100, intervals hold the means."""
    values = {"query": [1, 2, 3, 4], "recall@10": [20.0, 80.0, 50.0, 40.0]}
    other = {"query": [1, 2, 3, 4], "recall@10": [30.0, 85.0, 55.0, 47.0]}
    for row in compare({"a": values, "b": other}, baseline="a").leaderboard().to_dicts():
        assert row["low"] < row["value"] < row["high"]
