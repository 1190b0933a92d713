"""Measure the cost of comparisons, in CPU seconds of this process.

python -m benchmarks.compared     in the folder tests
"""

from __future__ import annotations

import resource
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from recall_duckdb import compare

METRICS = 7


def write(folder: Path, models: int, queries: int) -> dict[str, Path]:
    """Write a parquet file of values for each model; they are hashes of row numbers, with ties."""
    found = {}
    for model in range(models):
        numbers = (f"round(hash(query, {model}, {number}) / 2.0 ** 64, {3 + number})" for number in range(METRICS))
        columns = ", ".join(f'{each} AS "metric@{number}"' for number, each in enumerate(numbers, start=1))
        path = folder / f"model_{model}_{queries}.parquet"
        rows = f"SELECT query, {columns} FROM range({queries}) AS queries (query)"
        duckdb.execute(f"COPY ({rows}) TO '{path}'")
        found[f"model_{model}"] = path
    return found


def seconds(values: dict[str, Path], **how: Any) -> float:
    """Return the CPU seconds of a comparison."""
    connection = duckdb.connect(config={"threads": 2})
    before = resource.getrusage(resource.RUSAGE_SELF)
    compare(values, baseline="model_0", connection=connection, **how)
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the best of three rounds of each case."""
    with tempfile.TemporaryDirectory() as name:
        many, few = write(Path(name), 4, 1_000_000), write(Path(name), 2, 7_000)
        cases: dict[str, tuple[dict[str, Path], dict[str, Any]]] = {
            "1,000,000 queries, 4 models": (many, {}),
            "7,000 queries, randomization, 10,000 samples": (few, {"test": "randomization", "samples": 10_000}),
            "7,000 queries, bootstrap, 2,000 samples": (few, {"interval": "bootstrap", "samples": 2_000}),
        }
        for case, (values, how) in cases.items():
            print(f"{case}, {METRICS} metrics: {min(seconds(values, **how) for _ in range(3)):.2f} s")


if __name__ == "__main__":
    main()
