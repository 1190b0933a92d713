"""Measure `evaluate` in Spark against one statement by hand, on a cluster of two executors on this machine.

python -m benchmarks.spark FOLDER [ROWS]     in the folder tests; needs pyspark and Java; keeps the data in the folder

Both take turns in one session, and their values must agree. The first round is not counted.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.data import METRIC_SETS, files
from recall_duckdb import evaluate

ROUNDS = 3
BY_HAND = Path(__file__).parent / "sql" / "spark.sql"


def session(master: str = "local-cluster[2,1,3072]") -> Any:
    """Return a Spark session; by default on two executors with one core and 3 GB each."""
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    settings = {
        "spark.executor.memory": "3g",
        "spark.sql.shuffle.partitions": "16",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def measured(spark: Any, folder: Path, data: str, rows: int, rounds: int) -> tuple[float, float]:
    """Return the median wall seconds of `evaluate` and of the statement by hand; raises if their values differ."""
    for name, path in zip(("run", "qrels"), files(folder, data, rows), strict=True):
        spark.read.parquet(str(path)).createOrReplaceTempView(name)
    subjects: dict[str, Callable[[], list[float]]] = {
        "ours": lambda: _ours(spark),
        "by hand": lambda: list(spark.sql(BY_HAND.read_text("utf-8")).collect()[0]),
    }
    taken: dict[str, list[float]] = {name: [] for name in subjects}
    values: dict[str, list[float]] = {}
    for _ in range(rounds + 1):
        for name, run in subjects.items():
            before = time.perf_counter()
            values[name] = run()
            taken[name].append(time.perf_counter() - before)
    ours, by_hand = values.values()
    if max(abs(one - other) for one, other in zip(ours, by_hand, strict=True)) > 1e-9:
        raise ValueError(f"the values differ: {values}")
    return statistics.median(taken["ours"][1:]), statistics.median(taken["by hand"][1:])


def _ours(spark: Any) -> list[float]:
    with evaluate("run", "qrels", METRIC_SETS["k50"], connection=spark) as result:
        return [row["value"] for row in result.to_dicts()]


def main() -> None:
    """Print the seconds of both, and their ratio."""
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000
    folder.mkdir(parents=True, exist_ok=True)
    spark = session()
    for data in ("clustered", "shuffled"):
        ours, by_hand = measured(spark, folder, data, rows, ROUNDS)
        print(f"{rows:,} rows, {data}: ours {ours:.1f} s, by hand {by_hand:.1f} s: {ours / by_hand:.2f}", flush=True)


if __name__ == "__main__":
    main()
