"""Measure evaluations in a process that has made them before, as in a notebook, against Polars and DuckDB by hand.

    python -m benchmarks.warm FOLDER [THREADS]     in the folder tests; the data are kept in FOLDER

All subjects take turns in one process, and their values must agree.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import DATA_SETS, METRIC_SETS, files
from benchmarks.harness import Case, Measured, compare
from benchmarks.subjects import SUBJECTS, Job, cpu_seconds, use_threads

ROWS, ROUNDS = 20_000_000, 3
NAMES = ("ours", "polars", "DuckDB by hand")
CASES = [(name, each) for name in ("clustered", "shuffled", "scaled", "ranked", "labelled") for each in ("k10", "k50")]


def warm(
    folder: Path,
    data: str,
    metrics: str,
    *,
    rows: int,
    rounds: int,
    names: Sequence[str] = NAMES,
    threads: int | None = None,
) -> Case:
    """Return the seconds of each subject on a data set, without those of a first round."""
    data_set = DATA_SETS[data]
    run, qrels = files(folder, data, rows)
    options = dict(data_set.options)
    job = Job(
        str(run), None if qrels is None else str(qrels), METRIC_SETS[metrics], "2GB", str(folder), options, threads
    )
    found = {name: Measured(name) for name in names}
    works = {name: SUBJECTS[name].prepare() for name in names}
    for number in range(rounds + 1):
        for name, work in works.items():
            wall, cpu = time.perf_counter(), cpu_seconds()
            values = work(job)
            taken = {"wall": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu, "peak": 0.0, "imported": 0.0}
            found[name].values = values
            if number > 0:
                found[name].rounds.append(taken)
    case = Case(data, rows, metrics, list(found.values()))
    compare(case)
    return case


def main() -> int:
    """Print the median wall seconds of each subject, how many times as long Polars takes, and we as DuckDB by hand."""
    folder, failed = Path(sys.argv[1]), False
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else None
    use_threads(threads)
    folder.mkdir(parents=True, exist_ok=True)
    for data, metrics in CASES:
        case = warm(folder, data, metrics, rows=ROWS, rounds=ROUNDS, threads=threads)
        shown = ", ".join(f"{each.name} {each.median('wall'):.2f} s" for each in case.subjects)
        ratios = case.ratio("polars", "ours", "wall"), case.ratio("ours", "DuckDB by hand", "wall")
        told = ["the values differ" if ratio is None else f"{ratio:.2f}" for ratio in ratios]
        print(f"{data}, {metrics}: {shown}: polars / ours {told[0]}, ours / DuckDB by hand {told[1]}", flush=True)
        failed = failed or None in ratios
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
