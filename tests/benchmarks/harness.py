"""Run subjects in turn, each measurement in its own process, and compare their values."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.subjects import SUBJECTS, Job

TESTS = Path(__file__).resolve().parent.parent
EXACT, ROUGH = 1e-9, 1e-3  # another order of ties changes a mean by less than a wrong definition


@dataclass
class Measured:
    """The measurements of one subject on one job.

    Attributes:
        name: the subject.
        rounds: seconds (wall, cpu) and megabytes (peak, imported) of each round, in order.
        values: the values that it computed, by metric.
        without: the metrics that it does not define as we do.
        trouble: why it has no further results: it is not installed, died or disagrees.
    """

    name: str
    rounds: list[dict[str, float]] = field(default_factory=list)
    values: dict[str, float] = field(default_factory=dict)
    without: list[str] = field(default_factory=list)
    trouble: str | None = None

    def median(self, what: str) -> float | None:
        """Return the median over the rounds, or None if there are no rounds."""
        return statistics.median(taken[what] for taken in self.rounds) if self.rounds else None

    def most(self, what: str) -> float | None:
        """Return the maximum over the rounds, or None if there are no rounds."""
        return max((taken[what] for taken in self.rounds), default=None)


@dataclass
class Case:
    """All subjects on one data set and metric set."""

    data: str
    rows: int
    metrics: str
    subjects: list[Measured]
    disagreements: list[str] = field(default_factory=list)

    def of(self, name: str) -> Measured | None:
        """Return the measurements of a subject, or None unless it finished every round and agrees."""
        found = next((one for one in self.subjects if one.name == name), None)
        return found if found is not None and found.rounds and found.trouble is None else None

    def ratio(self, name: str, other: str, what: str) -> float | None:
        """Return one subject's seconds over another's: the median of the ratios of the rounds."""
        one, by = self.of(name), self.of(other)
        if one is None or by is None:
            return None
        return statistics.median(a[what] / b[what] for a, b in zip(one.rounds, by.rounds, strict=True))


def child(subject: str, job: Job, timeout: float) -> dict[str, Any]:
    """Run one measurement; if the process dies or takes too long, return the reason instead of raising."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.subjects", subject, json.dumps(asdict(job))],
            cwd=TESTS,
            capture_output=True,
            text=True,
            check=False,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return {"failed": f"took more than {timeout:g} s"}
    if done.returncode < 0:
        return {"failed": f"killed by signal {-done.returncode}"}
    if done.returncode:
        return {"failed": (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]}
    taken: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])  # some libraries print before this line
    return taken


def read(path: Path) -> None:
    """Read a file, so that the first measurement does not wait for the disk."""
    with path.open("rb", buffering=0) as file:
        while file.read(2**24):
            pass


def run_case(case: Case, job: Job, *, repeats: int, timeout: float, tell: Callable[[str], None]) -> Case:
    """Measure the subjects of a case in turn. Every round starts with another subject."""
    for path in filter(None, (job.run, job.qrels)):
        read(Path(path))
    for number in range(repeats):
        start = number % len(case.subjects)
        for measured in case.subjects[start:] + case.subjects[:start]:
            if measured.trouble is None:
                tell(f"{case.data}, {case.rows:,} rows, {case.metrics}: {measured.name}, round {number + 1}")
                take(measured, job, timeout)
    compare(case)
    return case


def take(measured: Measured, job: Job, timeout: float) -> None:
    """Run one round of one subject."""
    subject = SUBJECTS[measured.name]
    measured.without = [name for name in job.metrics if not subject.computes(name)]
    asked = [name for name in job.metrics if subject.computes(name)]
    own = replace(job, metrics=asked, memory_limit=subject.memory_limit or job.memory_limit)
    taken = child(measured.name, own, timeout)
    if "missing" in taken:
        measured.trouble = f"not installed: {taken['missing']}"
    elif "failed" in taken:
        measured.trouble = taken["failed"]
    else:
        measured.values = taken.pop("values")
        measured.rounds.append(taken)


def compare(case: Case) -> None:
    """Compare every value with ours."""
    ours = case.of("ours")
    for measured in case.subjects if ours is not None else []:
        subject = SUBJECTS[measured.name]
        if ours is None or not subject.evaluates or not measured.rounds:
            continue
        wrong = []
        for name, own in ours.values.items():
            value = measured.values.get(name)
            tolerance = EXACT if subject.is_exact else ROUGH
            if name not in measured.without and (value is None or not abs(value - own) <= tolerance):
                wrong.append(f"{name} is {value!r} in {measured.name}, {own!r} in ours")
        if wrong:
            measured.trouble = f"disagrees: {wrong[0]}"
        case.disagreements += wrong


def subjects_of(names: Sequence[str], *, shape: str, data: str, rows: int, metrics: Sequence[str]) -> list[Measured]:
    """Return the subjects that can run on these data."""
    found = []
    for name in names:
        subject = SUBJECTS[name]
        if (
            shape in subject.shapes
            and (subject.most_rows is None or rows <= subject.most_rows)
            and (subject.is_exact or data != "ties")
            and any(subject.computes(metric) for metric in metrics)
            and (subject.memory_limit is None or data in ("clustered", "shuffled"))
        ):
            found.append(Measured(name))
    return found
