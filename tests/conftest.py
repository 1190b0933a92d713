"""The engines, each started once for all tests that ask for it; and what their tests prove of the dialects.

Where RECALL_DUCKDB_ENGINES is "all", as in CI, an engine that is not there is a failure, and what the tests prove must
be what recall_duckdb/evidence.json says; where RECALL_DUCKDB_EVIDENCE is "write", it is written there instead.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from engines import ALL, ENGINES, Engine, need

EVIDENCE = Path(__file__).parent.parent / "recall_duckdb" / "evidence.json"
collect_ignore = ["peers", "sqlmesh"]  # for environments of their own
LABELS = ("executed", "executed on a relative", "emulated and parsed", "parsed only")  # the best first

# By dialect, label and engine or parser: whether each of the tests passed.
outcomes: dict[tuple[str, str, str], list[bool]] = defaultdict(list)


class Started:
    """The engines that run, by name."""

    def __init__(self) -> None:
        self.held: dict[str, Engine] = {}

    def engine(self, name: str) -> Engine:
        """The engine of that name, started if it does not run yet."""
        need(ENGINES[name])
        if name not in self.held:
            self.held[name] = ENGINES[name]()
        return self.held[name]


@pytest.fixture(scope="session")
def started() -> Iterator[Started]:
    started = Started()
    yield started
    for engine in started.held.values():
        engine.close()


@pytest.fixture
def engine(started: Started, request: pytest.FixtureRequest) -> Engine:
    return started.engine(request.param)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == "evidence" and report.when == "call":
            assert isinstance(value, (tuple, list))
            dialect, label, on = value
            outcomes[dialect, label, on].append(report.passed)


def proved() -> dict[str, dict[str, Any]]:
    """What the tests prove of each dialect: the best label of which no test failed, and on what they ran."""
    found = {}
    for dialect in sorted({dialect for dialect, _, _ in outcomes}):
        for label in LABELS:
            needed = ("emulated and parsed", "parsed only") if label == "emulated and parsed" else (label,)
            held = {on: passed for (name, own, on), passed in outcomes.items() if name == dialect and own in needed}
            if label not in {own for name, own, _ in outcomes if name == dialect}:
                continue
            if held and all(all(passed) for passed in held.values()):
                found[dialect] = {"label": label, "on": sorted(held), "cases": sum(map(len, held.values()))}
                break
    return found


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    if not ALL or not outcomes or exitstatus or hasattr(session.config, "workerinput"):
        return
    text = json.dumps(proved(), indent=1) + "\n"
    if os.environ.get("RECALL_DUCKDB_EVIDENCE") == "write":
        EVIDENCE.write_text(text, "utf-8")
    elif EVIDENCE.read_text("utf-8") != text:
        print(f"\n{EVIDENCE} says otherwise than the tests: run them with RECALL_DUCKDB_EVIDENCE=write")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
