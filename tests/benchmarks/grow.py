"""Measure how the cost of an evaluation grows with rows, models, metrics and depth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.data import METRIC_SETS, build
from benchmarks.harness import Case, Measured, run_case
from benchmarks.own import THIRTY
from benchmarks.subjects import Job

ROWS = [1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000]


def grow(
    folder: Path,
    sizes: Sequence[int],
    *,
    memory_limit: str,
    repeats: int,
    timeout: float,
    tell: Callable[[str], None],
) -> dict[str, list[Case]]:
    """Run evaluations along each axis. All axes except rows use the middle of the sizes."""
    middle = sizes[len(sizes) // 2]

    def case(what: str, run: str, rows: int, metrics: list[str], models: int = 1) -> Case:
        job = Job(
            run=str(build(folder, run, rows, 100)),
            qrels=str(build(folder, "qrels", rows, 100)),
            metrics=metrics,
            memory_limit=memory_limit,
            folder=str(folder),
            options={"score": [f"model_{number}" for number in range(1, models + 1)]} if run == "models" else {},
        )
        started = Case(run, rows, what, [Measured("ours")])
        return run_case(started, job, repeats=repeats, timeout=timeout, tell=tell)

    seven = METRIC_SETS["k50"]
    return {
        "rows": [case(f"{rows:,}", "clustered", rows, seven) for rows in sizes],
        f"models, {middle:,} rows": [case(str(models), "models", middle, seven, models) for models in (1, 2, 4, 8)],
        f"metrics, {middle:,} rows": [
            case(str(len(metrics)), "clustered", middle, metrics) for metrics in (["recall@10"], seven, THIRTY)
        ],
        f"K of recall@K, {middle:,} rows": [
            case(str(k), "clustered", middle, [f"recall@{k}"]) for k in (1, 10, 50, 100)
        ],
    }
