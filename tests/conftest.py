"""Select the engines to test, start each of them once, and collect what the tests prove of each dialect.

With RECALL_DUCKDB_ENGINES=all, as each night, this evidence must match recall_duckdb/dialects/evidence.json. Set
RECALL_DUCKDB_EVIDENCE=write to update the file instead, or with fewer engines, its dialects that these prove.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
from collections import defaultdict
from collections.abc import Iterator
from math import ceil
from pathlib import Path
from typing import Any

import pytest
from engines import ENGINES, ON_REQUEST, Engine, requested, start
from hypothesis import HealthCheck, settings

pytest.register_assert_rewrite("engine_cases")  # so that its assertions show both sides

collect_ignore = ["peers", "sqlmesh"]  # these need their own environments
HOW_DBT = (
    "python -m venv V && V/bin/pip install 'dbt-core>=1.11,<1.12' dbt-duckdb dbt-postgres dbt-clickhouse "
    "'dbt-spark[session]' 'duckdb>=2' chdb 'pyspark>=4', and V/bin/python in it"
)
# What Chromium needs in a container, and what keeps it from the network.
_CHROMIUM = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
LABELS = ("executed", "executed on a relative", "emulated and parsed", "parsed only")  # best first

# Property tests draw the same examples on every run: most of them in a run of all cases, ten of each in one of few,
# and the fewest where other versions run what the newest have run. `make random` draws many more in the same time.
FEW = 10
slow = [HealthCheck.too_slow]
settings.register_profile("full", max_examples=50, derandomize=True, deadline=None, suppress_health_check=slow)
settings.register_profile("quick", settings.get_profile("full"), max_examples=15)
settings.register_profile("few", settings.get_profile("full"), max_examples=FEW)
settings.register_profile("least", settings.get_profile("full"), max_examples=5)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --cases, because all cases of all tests take half an hour."""
    meaning = (
        "few: the first case of each test that is not slow; rest: the others, but of products only a few that have "
        "every value of each parameter; all: every case, also the nightly ones "
        "(default: few if the command names no test, else all)"
    )
    parser.addoption("--cases", choices=["few", "rest", "all"], help=meaning)


def pytest_configure(config: pytest.Config) -> None:
    """Choose the cases and the examples, and accept that random data may have no judged item."""
    gc.set_threshold(50_000, 20, 50)  # garbage collections would take a seventh of the time
    if config.option.cases is None:  # the processes of xdist are given the choice
        config.option.cases = "few" if config.args_source is pytest.Config.ArgsSource.TESTPATHS else "all"
    if config.getoption("--hypothesis-profile", None) is None:
        settings.load_profile("few" if config.option.cases == "few" else "full" if os.environ.get("CI") else "quick")
    # Tests of this warning expect it.
    config.addinivalue_line("filterwarnings", "ignore::recall_duckdb.errors.RecallWarning")


def examples(percent: int) -> settings:
    """Return the settings of a test that draws this part of the examples of the profile, or ten of them for few."""
    of_all = ceil(percent * settings.get_profile("full").max_examples / 100)
    most = settings().max_examples
    return settings(max_examples=min(FEW, of_all) if most == FEW else ceil(percent * most / 100))


# For each (dialect, label, engine or parser): True for each test that passed, False for each that failed.
outcomes: dict[tuple[str, str, str], list[bool]] = defaultdict(list)


class Started:
    """The running engines, by name."""

    def __init__(self) -> None:
        self.held: dict[str, Engine] = {}

    def engine(self, name: str) -> Engine:
        """Return the engine of this name; start it if it is not running."""
        if name not in self.held:
            self.held[name] = start(ENGINES[name])
        return self.held[name]


@pytest.fixture(scope="session")
def started() -> Iterator[Started]:
    started = Started()
    yield started
    for engine in started.held.values():
        engine.close()


@pytest.fixture(params=["small", "large"])
def any_size(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Answer questions by one statement for small data, and as if the data were large; return which."""
    if request.param == "large":
        monkeypatch.setattr("recall_duckdb.answering.planning.FEW_ROWS", -1)
    return str(request.param)


@pytest.fixture
def engine(started: Started, request: pytest.FixtureRequest) -> Engine:
    return started.engine(request.param)


@pytest.fixture(scope="session")
def dbt_program() -> Path:
    """Return the interpreter of dbt's environment; fail if it is not set."""
    named = os.environ.get("RECALL_DUCKDB_DBT")
    assert named, f"needs RECALL_DUCKDB_DBT: {HOW_DBT}"
    return Path(named)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Return Chromium."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    assert program, "Chromium is missing: apt-get install chromium"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=_CHROMIUM)
        yield started
        started.close()


def left_out() -> list[str]:
    """Return the engines and tools whose tests are deselected."""
    return [name for name in ON_REQUEST if name not in requested()]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    unwanted = {*left_out()}
    needed = [item for item in items if unwanted.isdisjoint(needs(item))]
    wanted = {*choose(config.option.cases, needed)}
    config.hook.pytest_deselected(items=[item for item in items if item not in wanted])
    items[:] = [item for item in items if item in wanted]


def pytest_collection_finish() -> None:
    """Keep collected tests out of garbage collections."""
    gc.freeze()


def needs(item: pytest.Item) -> list[str]:
    """Return the engines and tools that a test needs."""
    return [name for marker in item.iter_markers("needs") for name in marker.args]


def choose(cases: str, items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests to run."""
    if cases == "all":
        return items
    items = [item for item in items if not is_marked(item, "load")]
    by_test: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        by_test[item.nodeid.partition("[")[0]].append(item)
    first = {of_test[0] for of_test in by_test.values()}
    few = {item for item in first if not is_marked(item, "slow")}
    if cases == "few":
        return [item for item in items if item in few]
    covering = {item for of_test in by_test.values() for item in cover(of_test)}
    return [item for item in items if item in covering and (item not in few or is_random(item))]


def cover(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the first case of a test and those that are not nightly, or of a product a few that have every value."""
    large = [item for item in items if is_large(item)]
    items = items[:1] + [item for item in items[1:] if not is_marked(item, "nightly") and item not in large[1:]]
    if not is_marked(items[0], "product"):
        return items
    cases = [
        (item, {(name, repr(value)) for name, value in item.callspec.params.items()})
        for item in items
        if isinstance(item, pytest.Function)
    ]
    chosen, covered = list[pytest.Item](), set[tuple[str, str]]()
    for new in range(len(cases[0][1]), 0, -1):  # first the cases in which no value has occurred
        for item, values in cases:
            if len(values - covered) >= new:
                chosen.append(item)
                covered |= values
    return chosen


def is_large(item: pytest.Item) -> bool:
    """Return True for a case that answers as if the data were large, of which only the first is taken."""
    if not isinstance(item, pytest.Function) or "any_size" not in item.fixturenames:
        return False
    return bool(item.callspec.params["any_size"] == "large")


def is_marked(item: pytest.Item, name: str) -> bool:
    """Return True for a test with this mark."""
    return item.get_closest_marker(name) is not None


def is_random(item: pytest.Item) -> bool:
    """Return True for a test whose examples hypothesis draws."""
    return getattr(getattr(item, "obj", None), "is_hypothesis_test", False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if names := ", ".join(left_out()):
        terminalreporter.write_line(f"Not tested: {names}. To test them, set RECALL_DUCKDB_ENGINES to all or to names.")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    for name, value in report.user_properties:
        if name == "evidence" and report.when == "call":
            assert isinstance(value, (tuple, list))
            dialect, label, on = value
            outcomes[dialect, label, on].append(report.passed)


def proved() -> dict[str, dict[str, Any]]:
    """Return, for each dialect, the best label without a failed test, and where its tests ran."""
    found = {}
    for dialect in sorted({dialect for dialect, _, _ in outcomes}):
        for label in LABELS:
            needed = ("emulated and parsed", "parsed only") if label == "emulated and parsed" else (label,)
            held = {on: passed for (name, own, on), passed in outcomes.items() if name == dialect and own in needed}
            if label not in {own for name, own, _ in outcomes if name == dialect}:
                continue
            if held and all(all(passed) for passed in held.values()):
                found[dialect] = {"label": label, "on": sorted(held)}
                break
    return found


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    import executed  # here, because assertions of engine_cases are rewritten when it is first imported

    is_write = os.environ.get("RECALL_DUCKDB_EVIDENCE") == "write"
    if (left_out() and not is_write) or not outcomes or exitstatus or hasattr(session.config, "workerinput"):
        return
    known = executed.evidence()
    ran = {(dialect, on) for dialect, _, on in outcomes}
    found = {
        dialect: record
        for dialect, record in proved().items()
        if not left_out() or ran >= {(dialect, on) for on in known.get(dialect, record)["on"]}
    }
    for dialect, hashes in executed.hashes([*found]).items():
        found[dialect]["statements"] = hashes
    if is_write:
        records = {**known, **found} if left_out() else found
        executed.EVIDENCE.write_text(json.dumps(records, indent=1, sort_keys=True) + "\n", "utf-8")
    elif known != found:
        print(
            f"\n{executed.EVIDENCE} differs from what the tests prove. To update it, set RECALL_DUCKDB_EVIDENCE=write"
        )
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
