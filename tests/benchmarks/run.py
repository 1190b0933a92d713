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
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # a script finds only the modules in its own folder

from benchmarks.data import DATA_SETS, METRIC_SETS
from benchmarks.subjects import SUBJECTS, Job

TESTS = Path(__file__).resolve().parent.parent
OWN = "own"
ROWS = (1_000_000, 5_000_000, 20_000_000)
MOST_SECONDS = 600  # of one measurement
EXACT, ROUGH = 1e-9, 1e-3  # another order of ties changes a mean by less than a wrong definition
HEADER = ["subject", "wall s", "CPU s", "wall / ours", "peak MB", "remarks"]


@dataclass
class Measured:
    """The measurements of one subject on one job.

    Attributes:
        name: the subject.
        rounds: seconds (wall, cpu) and megabytes (peak) of each round, in order.
        values: the values that it computed, by metric.
        without: the metrics that it does not define as we do.
        trouble: why it has no further results: it is not installed, died or disagrees.
    """

    name: str
    rounds: list[dict[str, float]] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    trouble: str | None = None

    def take(self, job: Job) -> None:
        """Run one round in its own process."""
        subject = SUBJECTS[self.name]
        self.without = [name for name in job.metrics if not subject.computes(name)]
        asked = replace(job, metrics=[name for name in job.metrics if subject.computes(name)])
        taken = child("benchmarks.subjects", self.name, json.dumps(asdict(asked)))
        self.trouble = taken.get("failed")
        if self.trouble is None:
            self.values = taken.pop("values")
            self.rounds.append(taken)

    def differences(self, ours: Measured) -> list[str]:
        """Return the values that differ from ours; such a subject has no further results."""
        tolerance = EXACT if SUBJECTS[self.name].is_exact else ROUGH
        found = [
            f"{name} is {self.values.get(name)} in {self.name}, {own} in ours"
            for name, own in ours.values.items()
            if self.rounds and name not in self.without and not abs(self.values.get(name, 9) - own) <= tolerance
        ]
        self.trouble = self.trouble or ("disagrees" if found else None)
        return found

    def row(self, ours: Measured) -> list[str]:
        """Return the row of the table: medians, the median ratio of rounds, and the largest peak."""
        remarks = "; ".join([*filter(None, [self.trouble]), *(f"without {name}" for name in self.without)])
        if not self.rounds or self.trouble:
            return [self.name, *["-"] * 4, remarks]
        wall, cpu, peak = ([one[what] for one in self.rounds] for what in ("wall", "cpu", "peak"))
        ratios = [mine / own["wall"] for mine, own in zip(wall, ours.rounds, strict=False)]
        ratio = f"{statistics.median(ratios):.2f}" if ratios else "-"
        seconds = [f"{statistics.median(each):.3f}" for each in (wall, cpu)]
        return [self.name, *seconds, ratio, f"{max(peak):.0f}", remarks]


def child(module: str, *given: str) -> dict[str, Any]:
    """Run a module and return its JSON; if it dies or takes too long, return the reason instead of raising."""
    command = [sys.executable, "-m", module, *given]
    try:
        done = subprocess.run(command, cwd=TESTS, capture_output=True, text=True, check=False, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return {"failed": f"took more than {MOST_SECONDS} s"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    taken: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])  # some libraries print before this line
    return taken


def measure(given: argparse.Namespace, folder: Path, rows: int, data: str, metrics: str) -> dict[str, Any]:
    """Measure the subjects of a case in turn, and print their table. Every round starts with another subject."""
    data_set, title = DATA_SETS[data], f"{data}, {rows:,} rows, {metrics}"
    run, qrels = data_set.files(folder, rows)
    for path in filter(None, (run, qrels)):
        path.read_bytes()  # so that the first measurement does not wait for the disk
    settings = {"memory_limit": given.memory_limit, "temp_directory": str(folder / "spill")}
    settings |= {} if given.threads is None else {"threads": given.threads}
    job = Job(str(run), None if qrels is None else str(qrels), METRIC_SETS[metrics], settings, data_set.options)
    subjects = [Measured(name) for name in given.subjects or SUBJECTS if SUBJECTS[name].takes(data_set, rows)]
    for number in range(given.repeats):
        start = number % len(subjects)
        for measured in subjects[start:] + subjects[:start]:
            if measured.trouble is None:
                print(f"{title}: {measured.name}, round {number + 1}", file=sys.stderr)
                measured.take(job)
    ours = next((each for each in subjects if each.name == "ours"), Measured("ours"))
    differences = [text for each in subjects for text in each.differences(ours)]
    print(f"\n{title}: {', '.join(job.metrics)}\n")
    for row in [HEADER, ["---"] * len(HEADER), *(each.row(ours) for each in subjects)]:
        print(f"| {' | '.join(row)} |", flush=True)
    named = {"data": data, "rows": rows, "metrics": metrics}
    return {**named, "differences": differences, "subjects": [*map(asdict, subjects)]}


def machine(given: argparse.Namespace) -> dict[str, Any]:
    """Return the machine, the versions of packages, and the settings."""
    processors = Path("/proc/cpuinfo")
    lines = processors.read_text("utf-8").splitlines() if processors.exists() else []
    packages = {"recall-duckdb", "duckdb", "sqlglot", *(each.package for each in SUBJECTS.values())}
    installed = {each.name.replace("_", "-").lower(): each.version for each in distributions()}
    return {
        "cpu": next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine()),
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "python": platform.python_version(),
        "versions": {name: version for name, version in installed.items() if name in packages},
        "memory_limit": given.memory_limit,
        "threads": given.threads,
    }


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Run the benchmark of recall_duckdb; without arguments, all of it.")
    parser.add_argument("--rows", type=int, nargs="+", default=ROWS, help="numbers of candidates")
    parser.add_argument("--only", nargs="+", choices=[*DATA_SETS, OWN], metavar="DATASET")
    parser.add_argument("--metrics", nargs="+", choices=METRIC_SETS, metavar="SET", help=", ".join(METRIC_SETS))
    parser.add_argument("--subjects", nargs="+", choices=SUBJECTS, metavar="NAME", help="; ".join(SUBJECTS))
    parser.add_argument("--repeats", type=int, default=5, help="rounds of each case (default: 5)")
    parser.add_argument("--memory-limit", default="2GB", help="DuckDB's memory limit (default: 2GB)")
    parser.add_argument("--threads", type=int, help="threads of DuckDB and Polars (default: one per core)")
    parser.add_argument("--folder", type=Path, help="the folder of the data (default: a temporary folder)")
    parser.add_argument("--json", type=Path, help="a file for everything that was measured")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    """Run the benchmark and return its exit code: 1 if a subject disagrees with ours."""
    asked = arguments(given)
    if asked.threads is not None:
        os.environ["POLARS_MAX_THREADS"] = str(asked.threads)  # which the processes of subjects read
    found: dict[str, Any] = {"machine": machine(asked), "cases": []}
    print(json.dumps(found["machine"]))
    with contextlib.ExitStack() as stack:
        folder = (asked.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        for rows in asked.rows:
            for data, data_set in DATA_SETS.items():
                for metrics in (asked.metrics or data_set.sets) if data in (asked.only or DATA_SETS) else ():
                    found["cases"].append(measure(asked, folder, rows, data, metrics))
        if OWN in (asked.only or [OWN]):
            found["own"] = child("benchmarks.own", str(folder), str(asked.repeats), *map(str, asked.rows))
            print("\nThe package's own cost\n", *(f"{each}: {cost}" for each, cost in found["own"].items()), sep="\n")
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    differences = [text for case in found["cases"] for text in case["differences"]]
    print(*differences, sep="\n", file=sys.stderr)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
