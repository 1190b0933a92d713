"""Measure what this package costs outside the engine: importing, composing, a small evaluation, and a command.

    python -m benchmarks.own FOLDER

Prints seconds and ratios as JSON. It runs in its own process, so that the first statement is really the first.
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
ROWS, FEW_ROWS = 10_000, 1_000
THIRTY = [
    f"{metric}@{k}" for metric in ("recall", "precision", "ndcg", "hit_rate", "ap") for k in (1, 3, 5, 10, 20, 50)
]

COMMANDS = {
    "--version": ["--version"],
    "--help": ["--help"],
    "evaluate": [
        *("evaluate", "fixtures/seeds/objects.parquet", "--query", "object", "--relevance", "relevant"),
        *("--score", "Random scores", "--score", "KNN scores", "-m", "recall@3,4", "-m", "ndcg@10"),
    ],
}


def importing() -> float:
    """Return the CPU seconds of importing the package after DuckDB, the median of seven processes."""
    code = "import time, duckdb; start = time.process_time(); import recall_duckdb; print(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(7)]
    return statistics.median(float(run.stdout) for run in runs)


def composing() -> tuple[float, float, float]:
    """Return CPU seconds for a statement of 30 metrics: the first time, composing it again, and writing it as text.

    The first time includes parsing the templates. The other two are medians of fifteen.
    """
    from recall_duckdb.dialects import render
    from recall_duckdb.engines.opening import open_session
    from recall_duckdb.evaluation import compose_statement
    from recall_duckdb.question import SqlQuestion

    composing, writing = [], []
    for _ in range(16):
        start = time.process_time()
        session = open_session(None, None, ["run", "qrels"], only_written=True)
        statement = compose_statement(SqlQuestion("run", "qrels", THIRTY), session)
        between = time.process_time()
        render(statement, pretty=True, copy=False)
        composing.append(between - start)
        writing.append(time.process_time() - between)
    return composing[0] + writing[0], statistics.median(composing[1:]), statistics.median(writing[1:])


def evaluating(run: Path, qrels: Path, metrics: list[str]) -> tuple[float, float]:
    """Return the wall seconds of one evaluation, and those spent outside DuckDB; medians of fifteen."""
    from recall_duckdb import evaluate
    from recall_duckdb.engines import duckdb as engine

    spent, depth = 0.0, 0

    def timed(work: Callable[..., Any], sign: int) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            nonlocal spent, depth
            # Only the outermost of nested calls counts. Writing a statement is nested, but it is our own work.
            counts = depth == 0 or sign < 0
            depth += 1
            start = time.perf_counter()
            try:
                return work(*arguments, **options)
            finally:
                depth -= 1
                spent += sign * counts * (time.perf_counter() - start)

        return call

    for owner, name, sign in (
        (engine, "executable", -1),
        (engine.DuckDB, "rows", 1),
        (engine.DuckDB, "rows_of", 1),
        (engine.DuckDB, "execute", 1),
        (engine.DuckDB, "describe", 1),
    ):
        setattr(owner, name, timed(getattr(owner, name), sign))
    totals, own = [], []
    for _ in range(16):
        spent, start = 0.0, time.perf_counter()
        evaluate(run, qrels, metrics)
        total = time.perf_counter() - start
        totals.append(total)
        own.append(total - spent)
    return statistics.median(totals[1:]), statistics.median(own[1:])


def commanding() -> dict[str, float]:
    """Return the CPU time of commands as multiples of importing DuckDB, the medians of seven rounds."""
    found: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(7):
        importing = cpu_of("-c", "import duckdb")
        for name, arguments in COMMANDS.items():
            found[name].append(cpu_of("-m", "recall_duckdb", *arguments) / importing)
    return {f"the command {name} / importing duckdb, CPU": statistics.median(each) for name, each in found.items()}


def cpu_of(*arguments: str) -> float:
    """Return the CPU seconds of a process of Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reading(run: Path, qrels: Path, metrics: list[str]) -> float:
    """Return the CPU time of an evaluation whose rows are read as frames, as a multiple of an evaluation alone.

    It is the median of fifteen.
    """
    from recall_duckdb import evaluate

    found = []
    for _ in range(16):
        start = time.process_time()
        evaluate(run, qrels, metrics)
        alone = time.process_time() - start
        start = time.process_time()
        result = evaluate(run, qrels, metrics)
        result.means.df(), result.per_query.df(), result.per_query.pl(), result.per_query.to_arrow_table()
        result.to_pandas(), repr(result)
        found.append((time.process_time() - start) / alone)
    return statistics.median(found[1:])


def main(folder: Path) -> dict[str, float]:
    """Measure all of these."""
    from benchmarks.data import METRIC_SETS, build

    first, composed, written = composing()
    run, qrels = (build(folder, name, FEW_ROWS, 10) for name in ("clustered", "qrels"))
    read = reading(run, qrels, METRIC_SETS["few"])
    run, qrels = (build(folder, name, ROWS, 100) for name in ("clustered", "qrels"))
    total, own = evaluating(run, qrels, METRIC_SETS["k50"])
    return {
        "importing beyond duckdb, CPU s": importing(),
        "composing and writing 30 metrics the first time, CPU s": first,
        "composing 30 metrics, CPU s": composed,
        "writing them, CPU s": written,
        "evaluating 10,000 rows, wall s": total,
        "of which outside DuckDB, wall s": own,
        "evaluating 1,000 rows and reading them as frames / evaluating them, CPU": read,
        **commanding(),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
