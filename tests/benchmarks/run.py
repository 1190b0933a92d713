"""Run the benchmark.

    python tests/benchmarks/run.py

README.md explains what it measures and how to read the output.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # a script finds only the modules in its own folder

from benchmarks import report, small
from benchmarks.data import DATA_SETS, FULL_RUN, METRIC_SETS, files
from benchmarks.grow import ROWS, grow
from benchmarks.harness import TESTS, Case, run_case, subjects_of
from benchmarks.subjects import SUBJECTS, Job, use_threads
from benchmarks.targets import targets, targets_of_small

OWN = "own"


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Run the benchmark of recall_duckdb; without arguments, all of it.")
    parser.add_argument("--rows", type=int, nargs="+", help="numbers of candidates (default: 1 M, 20 M and 100 M)")
    parser.add_argument(
        "--only", nargs="+", choices=[*DATA_SETS, OWN], metavar="DATASET", help=", ".join([*DATA_SETS, OWN])
    )
    parser.add_argument("--metrics", nargs="+", choices=METRIC_SETS, metavar="SET", help=", ".join(METRIC_SETS))
    parser.add_argument("--subjects", nargs="+", choices=SUBJECTS, metavar="NAME", help="; ".join(SUBJECTS))
    parser.add_argument("--grow", action="store_true", help="measure growth with rows, models, metrics and depth")
    parser.add_argument("--small", action="store_true", help="measure small evaluations, again and again in a process")
    parser.add_argument("--repeats", type=int, default=5, help="rounds of each case (default: 5)")
    parser.add_argument("--memory-limit", default="2GB", help="DuckDB's memory limit (default: 2GB)")
    parser.add_argument("--threads", type=int, help="threads of DuckDB and Polars (default: one per core)")
    parser.add_argument("--timeout", type=float, default=600, help="seconds that a measurement may take (default: 600)")
    parser.add_argument("--folder", type=Path, help="the folder of the data (default: a temporary folder)")
    parser.add_argument("--json", type=Path, help="a file for everything that was measured")
    parser.add_argument("--markdown", type=Path, help=f"a file for the tables; text below {report.MARK} is replaced")
    return parser.parse_args(given)


def planned(given: argparse.Namespace) -> Iterator[tuple[int, str, str]]:
    """Yield the rows, data set and metric set of each case: the full run, restricted by the arguments."""
    every: dict[str, tuple[str, ...]] = {name: data_set.sets for name, data_set in DATA_SETS.items()}
    for rows in given.rows or FULL_RUN:
        # A data set that is named runs at any size.
        sets = every if given.only else FULL_RUN.get(rows, every)
        for data, names in sets.items():
            if not given.only or data in given.only:
                yield from ((rows, data, name) for name in given.metrics or names)


def run(given: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure all cases, print and write each table when it is complete, and return all measurements."""
    shown = []
    machine = about(given)
    measured: dict[str, Any] = {"machine": machine}

    def show(text: str, markdown: str) -> None:
        print(f"{text}\n", flush=True)
        shown.append(markdown)
        if given.markdown:
            report.write_markdown(given.markdown, "\n\n".join(shown))
        if given.json:
            given.json.write_text(json.dumps(measured, indent=1) + "\n", "utf-8")

    show(report.of_machine(machine), report.of_machine(machine))
    options = {"repeats": given.repeats, "timeout": given.timeout, "tell": tell}
    if given.grow:
        growth = grow(folder, given.rows or ROWS, memory_limit=given.memory_limit, **options)
        measured["growth"] = {axis: [asdict(case) for case in cases] for axis, cases in growth.items()}
        show(*(report.of_growth(growth, markdown=markdown) for markdown in (False, True)))
    elif given.small:
        tables = small.small(folder, rows=given.rows or small.ROWS, repeats=given.repeats, tell=tell)
        measured["small"] = {name: [asdict(case) for case in cases] for name, cases in tables.items()}
        measured["cases"] = measured["small"]["calls"]
        show(*(report.of_small(tables, markdown=markdown) for markdown in (False, True)))
        found = targets_of_small(tables)
        measured["targets"] = [asdict(target) for target in found]
        show(*(report.of_targets(found, markdown=markdown) for markdown in (False, True)))
    else:
        cases: list[Case] = []
        every = list(planned(given))
        for number, (rows, data, metrics) in enumerate(every, start=1):
            tell(f"case {number} of {len(every)}: {data}, {rows:,} rows, {metrics}")
            cases.append(one_case(given, folder, rows, data, metrics, options))
            measured["cases"] = [asdict(case) for case in cases]
            show(*(report.of_case(cases[-1], markdown=markdown) for markdown in (False, True)))
        own: dict[str, float] = {}
        if not given.only or OWN in given.only:
            own = measured["own"] = own_cost(folder, 3 * given.repeats)
            show(*(report.of_own(own, markdown=markdown) for markdown in (False, True)))
        found = targets(cases, own, given.memory_limit)
        measured["targets"] = [asdict(target) for target in found]
        show(*(report.of_targets(found, markdown=markdown) for markdown in (False, True)))
    return measured


def one_case(
    given: argparse.Namespace, folder: Path, rows: int, data: str, metrics: str, options: dict[str, Any]
) -> Case:
    """Measure a data set and metric set with the subjects that can run on it."""
    tell(f"{data}, {rows:,} rows: building")
    data_set = DATA_SETS[data]
    run_file, qrels_file = files(folder, data, rows)
    job = Job(
        run=str(run_file),
        qrels=None if qrels_file is None else str(qrels_file),
        metrics=METRIC_SETS[metrics],
        memory_limit=given.memory_limit,
        folder=str(folder),
        options=data_set.options,
        threads=given.threads,
    )
    subjects = subjects_of(
        given.subjects or list(SUBJECTS), shape=data_set.shape, data=data, rows=rows, metrics=job.metrics
    )
    return run_case(Case(data, rows, metrics, subjects), job, **options)


def own_cost(folder: Path, rounds: int) -> dict[str, float]:
    """Return what the package costs outside the engine, in seconds."""
    tell("the package's own cost")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.own", str(folder), str(rounds)],
        cwd=TESTS,
        capture_output=True,
        text=True,
        check=True,
    )
    own: dict[str, float] = json.loads(done.stdout)
    return own


def about(given: argparse.Namespace) -> dict[str, Any]:
    """Return the machine, the versions and the settings."""
    processors = Path("/proc/cpuinfo")
    lines = processors.read_text("utf-8").splitlines() if processors.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=TESTS, capture_output=True, text=True, check=False
    )
    return {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "cpu": models[0] if models else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30),
        "load": os.getloadavg(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "versions": dict(versions()),
        "commit": commit.stdout.strip() or "unknown",
        "repeats": given.repeats,
        "memory_limit": given.memory_limit,
        "threads": given.threads or os.cpu_count(),
    }


def versions() -> Iterator[tuple[str, str]]:
    """Yield the versions of the package, its dependencies and the packages of the subjects."""
    packages = [package for subject in SUBJECTS.values() for package in subject.packages]
    for name in dict.fromkeys(["recall-duckdb", "duckdb", "sqlglot", *packages]):
        with contextlib.suppress(PackageNotFoundError):
            yield name, version(name)


def tell(text: str) -> None:
    """Print progress to standard error."""
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 1 if a subject disagrees with ours."""
    asked = arguments(given)
    use_threads(asked.threads)
    with contextlib.ExitStack() as stack:
        folder = (asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        measured = run(asked, folder)
    disagreements = [text for case in measured.get("cases", []) for text in case["disagreements"]]
    for text in disagreements:
        tell(f"disagreement: {text}")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
