"""Measure small evaluations: calls in a process that has made them before, the first call, and several models.

    python -m benchmarks.small '{"work": "calls", …}'

Each measurement prints its seconds as JSON and runs in its own process, so that a first call is really the first.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.data import METRIC_SETS, build
from benchmarks.harness import TESTS, Case, Measured, compare
from benchmarks.subjects import SUBJECTS, Job, Values, cpu_seconds, frame_of

ROWS = (1_000, 10_000, 100_000)
KINDS = ("pandas", "polars", "parquet")
MODELS = (1, 2, 4, 8, 16)
METRICS = METRIC_SETS["few"]
PEERS = ("pytrec_eval", "ir_measures", "ranx", "polars")
PROCESSES = 7
FIRST = "a statement of DuckDB"


def small(folder: Path, *, rows: Sequence[int], repeats: int, tell: Callable[[str], None]) -> dict[str, list[Case]]:
    """Return the cases of each table. A case of calls is named after what the data come from."""
    calls = []
    for number in rows:
        for kind in KINDS:
            tell(f"calls with {number:,} rows from {kind}")
            found = child({"work": "calls", **paths(folder, number), "kind": kind, "repeats": repeats})
            case = Case(kind, number, "few", [Measured(**each) for each in found])
            compare(case)
            calls.append(case)
    tell("the first call of a process")
    first = Case("parquet", rows[0], "few", [Measured("ours"), Measured(FIRST)])
    for _ in range(PROCESSES):
        for measured in first.subjects:
            measured.rounds.append(child({"work": "first", **paths(folder, rows[0]), "name": measured.name}))
    models = []
    for number in MODELS:
        tell(f"calls with {number} models")
        found = child({"work": "models", **paths(folder, 10_000), "models": number, "repeats": repeats})
        models.append(Case(str(number), 10_000, "few", [Measured(**each) for each in found]))
    return {"calls": calls, "first": [first], "models": models}


def paths(folder: Path, rows: int) -> dict[str, str]:
    """Return the run and qrels files."""
    return {role: str(build(folder, name, rows, 100)) for role, name in (("run", "clustered"), ("qrels", "qrels"))}


def child(asked: dict[str, Any]) -> Any:
    """Return what a process of its own measures; like a user's, it keeps the bytecode of modules."""
    command = [sys.executable, "-m", "benchmarks.small", json.dumps(asked)]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, cwd=TESTS, env=kept, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def timed(work: Callable[[], object]) -> dict[str, float]:
    """Return the wall and CPU seconds of one call."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    work()
    return {"wall": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu}


def evaluated(job: Job) -> Values:
    """Evaluate as in a notebook, without a connection."""
    from recall_duckdb import evaluate

    rows = evaluate(job.run, job.qrels, job.metrics).to_dicts()
    return {f"{row['metric']}@{row['k']}": row["value"] for row in rows}


def calls(run: str, qrels: str, kind: str, repeats: int) -> list[dict[str, Any]]:
    """Measure every subject on the same data in turn, after a first call that is not measured."""
    held = [read(path, kind) for path in (run, qrels)]
    found: list[Measured] = []
    works: list[tuple[Measured, Callable[[], Values]]] = []
    for name in ("ours", *PEERS):
        asked = [metric for metric in METRICS if SUBJECTS[name].computes(metric)]
        measured = Measured(name, without=[metric for metric in METRICS if metric not in asked])
        found.append(measured)
        job = Job(held[0], held[1], asked, memory_limit="2GB", folder=".")
        try:
            work = evaluated if name == "ours" else SUBJECTS[name].prepare()
        except ModuleNotFoundError as error:
            measured.trouble = f"not installed: {error.name}"
            continue
        measured.values = work(job)
        works.append((measured, partial(work, job)))
    for number in range(repeats):
        start = number % len(works)
        for measured, call in works[start:] + works[:start]:
            measured.rounds.append(timed(call))
    return [vars(measured) for measured in found]


def read(path: str, kind: str) -> Any:
    """Return a file as a pandas or polars frame, or its path."""
    if kind == "polars":
        import polars as pl

        return pl.read_parquet(path)
    return path if kind == "parquet" else frame_of(path)


def first(run: str, qrels: str, name: str) -> dict[str, float]:
    """Measure the first call of this process after `import duckdb`, or a connection with one statement."""
    import duckdb

    def statement() -> None:
        with duckdb.connect() as connection:
            joined = connection.read_parquet(run).join(connection.read_parquet(qrels), "query, item")
            joined.aggregate("count(*), sum(score)").fetchall()

    return timed(statement if name == FIRST else lambda: evaluated(Job(run, qrels, METRICS, "2GB", ".")))


def models(run: str, qrels: str, models: int, repeats: int) -> list[dict[str, Any]]:
    """Measure one call with several models, and a call for each of them."""
    from recall_duckdb import evaluate

    judged = frame_of(qrels)
    runs = {f"model {number}": frame_of(run) for number in range(models)}
    for number, one in enumerate(runs.values()):
        one["score"] = (one["score"] * (number + 1)) % 1
    together, alone = Measured("one call"), Measured("a call for each")

    def one_by_one() -> None:
        for each in runs.values():
            evaluate(each, judged, METRICS)

    works: list[tuple[Measured, Callable[[], object]]] = [
        (together, lambda: evaluate(runs, judged, METRICS)),
        (alone, one_by_one),
    ]
    for number in range(repeats + 1):  # the first round is not measured
        for measured, work in works:
            taken = timed(work)
            measured.rounds += [taken] * (number > 0)
    return [vars(measured) for measured in (together, alone)]


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    works: dict[str, Callable[..., Any]] = {"calls": calls, "first": first, "models": models}
    print(json.dumps(works[given.pop("work")](**given)))
