"""Measure what this package costs outside the engine: importing, composing, small questions, many models, a command.

    python -m benchmarks.own FOLDER [ROUNDS]

Prints seconds and ratios as JSON: medians of fifteen rounds, or of ROUNDS, and of half as many new processes. It runs
in its own process, so that the first statement is really the first.
"""

from __future__ import annotations

import compileall
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


def importing(rounds: int) -> float:
    """Return the CPU seconds of importing the package after DuckDB, in a new process."""
    code = "import time, duckdb; start = time.process_time(); import recall_duckdb; print(time.process_time() - start)"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True) for _ in range(rounds)]
    return statistics.median(float(run.stdout) for run in runs)


def composing(rounds: int) -> tuple[float, float, float]:
    """Return CPU seconds for a statement of 30 metrics: the first time, composing it again, and writing it as text.

    The first time includes parsing the templates.
    """
    from recall_duckdb.dialects import render
    from recall_duckdb.engines.opening import open_session
    from recall_duckdb.evaluation import compose_statement
    from recall_duckdb.question import SqlQuestion

    composing, writing = [], []
    for _ in range(1 + rounds):
        start = time.process_time()
        session = open_session(None, None, ["run", "qrels"], only_written=True)
        statement = compose_statement(SqlQuestion("run", "qrels", THIRTY), session)
        between = time.process_time()
        render(statement, pretty=True, copy=False)
        composing.append(between - start)
        writing.append(time.process_time() - between)
    return composing[0] + writing[0], statistics.median(composing[1:]), statistics.median(writing[1:])


def evaluating(run: Path, qrels: Path, metrics: list[str], rounds: int) -> tuple[float, float]:
    """Return the wall seconds of one evaluation, and those spent outside DuckDB."""
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
    for _ in range(1 + rounds):
        spent, start = 0.0, time.perf_counter()
        evaluate(run, qrels, metrics)
        total = time.perf_counter() - start
        totals.append(total)
        own.append(total - spent)
    return statistics.median(totals[1:]), statistics.median(own[1:])


def commanding(rounds: int) -> dict[str, float]:
    """Return the CPU time of commands as multiples of importing DuckDB."""
    compileall.compile_dir(ROOT / "recall_duckdb", quiet=1)  # as an installer does
    ratios: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(rounds):
        importing = cpu_of("-c", "import duckdb")
        for name, arguments in COMMANDS.items():
            ratios[name].append(cpu_of("-m", "recall_duckdb", *arguments) / importing)
    return {f"the command {name} / importing duckdb, CPU": statistics.median(each) for name, each in ratios.items()}


def cpu_of(*arguments: str) -> float:
    """Return the CPU seconds of a process of Python."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def following(run: Path, qrels: Path, metrics: list[str], rounds: int) -> dict[str, float]:
    """Return the CPU time of what follows an evaluation, as multiples of an evaluation alone.

    Relations are read after an evaluation, which counts too. The others are calls of their own.
    """
    import duckdb

    from recall_duckdb import agreement, check, evaluate, pool

    connection = duckdb.connect()
    models = {"old": run, "new": run}
    result = evaluate(models, qrels, metrics)

    def read(place: duckdb.DuckDBPyConnection | None = None) -> None:
        one = evaluate(run, qrels, metrics, connection=place)
        one.means.df(), one.per_query.df(), one.per_query.pl(), one.per_query.to_arrow_table()
        one.to_pandas(), repr(one)

    def alone(place: duckdb.DuckDBPyConnection | None = None) -> None:
        evaluate(run, qrels, metrics, connection=place)

    def both() -> None:
        evaluate(models, qrels, metrics)

    steps: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
        "evaluating 1,000 rows and reading them as frames / evaluating them": (read, alone),
        "the same on a connection": (lambda: read(connection), lambda: alone(connection)),
        "comparing two models of 1,000 rows / evaluating them": (lambda: result.compare(baseline="old"), both),
        "intervals of two models / evaluating them": (result.intervals, both),
        "agreement of two models / evaluating them": (lambda: agreement(models, baseline="old", k=10), both),
        "checking 1,000 rows / evaluating them": (lambda: check(run, qrels), alone),
        "pooling 1,000 rows / evaluating them": (lambda: pool(run, qrels, metrics), alone),
    }
    ratios: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(1 + rounds):
        for name, (step, evaluation) in steps.items():
            ratios[name].append(seconds(step) / seconds(evaluation))
    return {f"{name}, CPU": statistics.median(each[1:]) for name, each in ratios.items()}


def seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds that some work takes."""
    before = time.process_time()
    work()
    return time.process_time() - before


def many_models(folder: Path) -> dict[str, float]:
    """Return the CPU seconds of a comparison of 100 models, and those for each of 300 models of 1,000 rows.

    The models are score columns of one frame, and then files. Each is the second of two calls.
    """
    import numpy

    from recall_duckdb import compare, evaluate

    random, queries = numpy.random.default_rng(1), numpy.arange(1_000)
    metrics = [f"recall@{k}" for k in range(1, 8)]
    values = {f"m{n}": {"query": queries, **{name: random.random(1_000) for name in metrics}} for n in range(100)}
    keys = {"query": numpy.repeat(numpy.arange(100), 10), "item": numpy.tile(numpy.arange(10), 100)}
    qrels = {**keys, "relevance": (random.random(1_000) < 0.2).astype(int)}
    scores = {f"m{n}": random.random(1_000) for n in range(300)}
    paths = {
        name: write_parquet(folder / f"model-{name}.parquet", {**keys, "score": each}) for name, each in scores.items()
    }
    steps: dict[str, Callable[[], object]] = {
        "comparing 100 models by 7 metrics of 1,000 queries, CPU s": lambda: compare(values, baseline="m0"),
        "evaluating one of 300 score columns, CPU s": lambda: evaluate(
            {**keys, **scores}, qrels, "recall@10", score=[*scores]
        ),
        "evaluating one of 300 files, CPU s": lambda: evaluate(paths, qrels, "recall@10"),
    }
    spent = {name: min(seconds(step), seconds(step)) for name, step in steps.items()}
    return {name: each / (300 if "one of 300" in name else 1) for name, each in spent.items()}


def write_parquet(path: Path, columns: dict[str, Any]) -> Path:
    """Write columns to a parquet file, and return its path."""
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.table(columns), path)
    return path


def calling_macros(rounds: int) -> float:
    """Return the CPU time of a table macro as a multiple of that of its statement as a macro without arguments.

    The statement checks nothing.
    """
    import duckdb

    from recall_duckdb import install, sql

    connection = duckdb.connect(config={"threads": 2})
    install(connection)
    pairs = "SELECT n // 100 AS query, n * 7919 % 1000003 AS item FROM range(1000) AS numbers (n)"
    connection.execute(f"CREATE TABLE run AS SELECT query, item, hash(query, item) / 2.0 ** 64 AS score FROM ({pairs})")
    connection.execute(f"CREATE TABLE qrels AS SELECT query, item, 1 AS relevance FROM ({pairs}) WHERE item % 20 = 3")
    statement = sql("run", "qrels", "recall@10", connection=connection)
    connection.execute(f"CREATE MACRO bare() AS TABLE {statement}")
    calls = ("FROM recall_duckdb.recall_at_k('run', 'qrels', 10)", "FROM bare()")

    def time_of(call: str) -> float:
        return seconds(lambda: connection.execute(call).fetchall())

    spent = [[time_of(call) for call in calls] for _ in range(1 + rounds)]
    return statistics.median(macro / bare for macro, bare in spent[1:])


def main(folder: Path, rounds: int = 15) -> dict[str, float]:
    """Measure all of these."""
    from benchmarks.data import METRIC_SETS, build

    first, composed, written = composing(rounds)
    run, qrels = (build(folder, name, FEW_ROWS, 10) for name in ("clustered", "qrels"))
    follow = following(run, qrels, METRIC_SETS["few"], rounds)
    run, qrels = (build(folder, name, ROWS, 100) for name in ("clustered", "qrels"))
    total, own = evaluating(run, qrels, METRIC_SETS["k50"], rounds)
    return {
        "importing beyond duckdb, CPU s": importing(rounds // 2),
        "composing and writing 30 metrics the first time, CPU s": first,
        "composing 30 metrics, CPU s": composed,
        "writing them, CPU s": written,
        "evaluating 10,000 rows, wall s": total,
        "of which outside DuckDB, wall s": own,
        **follow,
        **many_models(folder),
        "a table macro over 1,000 rows / its statement as a macro without arguments, CPU": calling_macros(rounds),
        **commanding(rounds // 2),
    }


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), *map(int, sys.argv[2:]))))
