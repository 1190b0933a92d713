"""The three bars of the package, measured: what importing costs, what our own work adds, what 20 M rows need.

    python tests/benchmarks/bars.py [ROWS]

Prints a table: import time beyond DuckDB's, the overhead of one evaluation of 10,000 rows beyond the SQL, and the time
and peak memory of an evaluation of ROWS rows (20 million by default, 100 a query) from parquet under a memory limit of
2 GB, clustered by query and shuffled. CPU seconds are of this process and its threads.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from recall_duckdb import engines, evaluate

METRICS = ["recall@5,10,20,50", "ndcg@10", "ap@10", "rr@10"]
RUN = """
    SELECT
        i // 100 AS query, hash(i) % 1000000 + (i % 100) * 1000000 AS item,
        hash(i + 7) % 1000000007 / 1000000007 AS score
    FROM range($rows) AS t (i)
"""
QRELS = """
    SELECT i // 100 AS query, hash(i) % 1000000 + (i % 100) * 1000000 AS item, 1 AS relevance
    FROM range($rows) AS t (i) WHERE hash(i + 99) % 20 = 0
    UNION ALL
    SELECT i // 10 AS query, 200000000 + i AS item, 1 + hash(i) % 3 AS relevance
    FROM range($rows // 10) AS t (i) WHERE hash(i) % 2 = 0
"""


def cpu() -> float:
    """The CPU seconds that this process has used."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def build(folder: Path, rows: int) -> None:
    """Write run.parquet, shuffled.parquet and qrels.parquet to a folder."""
    with duckdb.connect() as connection:
        connection.execute("SET preserve_insertion_order = true")
        for name, statement in (("run", RUN), ("qrels", QRELS)):
            relation = connection.sql(statement, params={"rows": rows})
            relation.write_parquet(str(folder / f"{name}.parquet"))
        run = connection.read_parquet(str(folder / "run.parquet"))
        run.order("hash(query * 1000003 + item)").write_parquet(str(folder / "shuffled.parquet"))


def import_cost() -> float:
    """CPU seconds of importing the package beyond importing DuckDB, the median of seven processes."""
    code = "import time, duckdb; start = time.process_time(); import recall_duckdb; print(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(7)]
    return statistics.median(float(run.stdout) for run in runs)


def overhead(folder: Path) -> tuple[float, float]:
    """Wall seconds of one evaluation, and those of them that are not spent in DuckDB; medians of fifteen."""
    spent = {"duckdb": 0.0}

    def timed(work: Callable[..., Any], sign: int) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            try:
                return work(*arguments, **options)
            finally:
                spent["duckdb"] += sign * (time.perf_counter() - start)

        return call

    # Statements are written within the calls that run them, so that their writing is taken off again.
    for owner, name, sign in (
        (engines, "render", -1),
        (engines.Session, "execute", 1),
        (engines.Session, "describe", 1),
    ):
        setattr(owner, name, timed(getattr(owner, name), sign))
    totals, own = [], []
    for _ in range(16):
        spent["duckdb"], start = 0.0, time.perf_counter()
        evaluate(folder / "run.parquet", folder / "qrels.parquet", METRICS)
        total = time.perf_counter() - start
        totals.append(total)
        own.append(total - spent["duckdb"])
    return statistics.median(totals[1:]), statistics.median(own[1:])


def main() -> None:
    """Measure and print."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000_000
    print(f"import recall_duckdb, beyond duckdb    {import_cost():8.4f} s CPU   (bar 0.15)")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder, rows)
        for file in ("run", "shuffled"):
            with duckdb.connect(config={"memory_limit": "2GB", "temp_directory": str(folder / "spill")}) as connection:
                start, before = time.perf_counter(), cpu()
                result = evaluate(folder / f"{file}.parquet", folder / "qrels.parquet", METRICS, connection=connection)
                wall, used = time.perf_counter() - start, cpu() - before
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{rows:,} rows, 2 GB, {file:9} {wall:8.2f} s wall {used:8.2f} s CPU {peak:8.0f} MB peak so far")
            del result
        build(folder, 10_000)
        total, own = overhead(folder)
    print(f"evaluate 10,000 rows                   {total:8.4f} s wall, of which our own {own:.4f} s   (bar 0.05)")


if __name__ == "__main__":
    main()
