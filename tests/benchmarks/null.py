"""Simulate comparisons in which nothing differs, and count how often each test says that something does.

    python -m benchmarks.null [--comparisons 2000] [--queries 67]     in the folder tests

Both systems have the same distribution of values: nDCG from 0 to 1, with zeros and ones, about the difficulty of each
query. A test at 0.05 should say "different" in 5 % of the comparisons. With 67 queries the sign test can come near
that: its p-values are discrete, and 0.0499 is the share of its largest below 0.05. Ties are rare in these values.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any, get_args

import pyarrow

from recall_duckdb import compare
from recall_duckdb.comparison.settings import Test


def values(comparisons: int, queries: int, chance: random.Random) -> dict[str, list[Any]]:
    """Return the values of one system: a row for each comparison and query."""
    rows: dict[str, list[Any]] = {"comparison": [], "query": [], "old": [], "new": []}
    for comparison in range(comparisons):
        for query in range(queries):
            difficulty = chance.betavariate(2, 2)
            rows["comparison"].append(comparison)
            rows["query"].append(query)
            for system in ("old", "new"):
                rows[system].append(min(1.0, max(0.0, chance.gauss(difficulty, 0.25))))
    return rows


def rejected(rows: dict[str, list[Any]], test: Test) -> float:
    """Return the share of comparisons whose p is below 0.05."""
    keys = {name: rows[name] for name in ("comparison", "query")}
    files = {system: pyarrow.table({**keys, "ndcg@10": rows[system]}) for system in ("old", "new")}
    found = compare(
        files,
        baseline="old",
        query=["comparison", "query"],
        by="comparison",
        metrics="ndcg@10",
        test=test,
        samples=2000,
    )
    ps = [row["p"] for row in found.to_dicts() if row["comparison"] is not None]
    return float(sum(p < 0.05 for p in ps) / len(ps))


def main() -> None:
    """Print the share of each test."""
    parser = argparse.ArgumentParser(description="Count false alarms of each test.")
    parser.add_argument("--comparisons", type=int, default=2000)
    parser.add_argument("--queries", type=int, default=67)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rows = values(asked.comparisons, asked.queries, random.Random(asked.seed))
    for test in get_args(Test):
        began = time.perf_counter()
        share = rejected(rows, test)
        print(f"{test}: {share:.4f} of {asked.comparisons} comparisons, {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
