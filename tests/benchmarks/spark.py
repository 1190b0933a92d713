"""Measure `evaluate` and the macro of dbt in Spark against one statement by hand, on two executors on this machine.

python -m benchmarks.spark FOLDER [ROWS]     in the folder tests; needs pyspark and Java; keeps the data in the folder

They take turns in one session, and their values must agree. The first round is not counted.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from macros import Package

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


def measured(spark: Any, folder: Path, data: str, rows: int, rounds: int) -> dict[str, float]:
    """Return the median wall seconds of each subject, the statement by hand last; raises if their values differ."""
    for name, path in zip(("run", "qrels"), files(folder, data, rows), strict=True):
        spark.read.parquet(str(path)).createOrReplaceTempView(name)
    subjects: dict[str, Callable[[], list[float]]] = {
        "ours": lambda: _ours(spark),
        "macro": lambda: _macro(spark),
        "by hand": lambda: list(spark.sql(BY_HAND.read_text("utf-8")).collect()[0]),
    }
    taken: dict[str, list[float]] = {name: [] for name in subjects}
    values: dict[str, list[float]] = {}
    for _ in range(rounds + 1):
        for name, run in subjects.items():
            before = time.perf_counter()
            values[name] = run()
            taken[name].append(time.perf_counter() - before)
    for each in zip(*values.values(), strict=True):
        if max(each) - min(each) > 1e-9:
            raise ValueError(f"the values differ: {values}")
    return {name: statistics.median(seconds[1:]) for name, seconds in taken.items()}


def _ours(spark: Any) -> list[float]:
    with evaluate("run", "qrels", METRIC_SETS["k50"], connection=spark) as result:
        return [row["value"] for row in result.to_dicts()]


def _macro(spark: Any) -> list[float]:
    statement = Package("spark", ()).call("evaluate", list(METRIC_SETS["k50"]), "run", "qrels")
    found = {(row["metric"], row["k"]): row["value"] for row in spark.sql(statement).collect()}
    asked = (metric.split("@") for metric in METRIC_SETS["k50"])
    return [found[name, int(k)] for name, k in asked]


def main() -> None:
    """Print the seconds of each subject, as multiples of the statement by hand too."""
    folder, rows = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20_000_000
    folder.mkdir(parents=True, exist_ok=True)
    spark = session()
    for data in ("clustered", "shuffled"):
        seconds = measured(spark, folder, data, rows, ROUNDS)
        ratios = [f"{name} {taken:.1f} s ({taken / seconds['by hand']:.2f})" for name, taken in seconds.items()]
        print(f"{rows:,} rows, {data}: {', '.join(ratios)}", flush=True)


if __name__ == "__main__":
    main()
