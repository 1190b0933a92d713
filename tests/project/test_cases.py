"""Each way to run the tests takes its cases, and the tests of an engine run only if RECALL_DUCKDB_ENGINES names it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import executed
import pytest
from asking import fails
from engine_cases import CASES
from engines import ON_REQUEST, requested
from folders import ROOT, TESTS

KEPT = {name: value for name, value in os.environ.items() if not name.startswith(("RECALL_DUCKDB_", "PYTEST_"))}


def test_no_module_is_slow_as_a_whole() -> None:
    tests = re.compile(r"^((?:@.*\n(?:[ )].*\n)*)*)def test_", re.MULTILINE)
    for path in sorted(TESTS.glob("*/test_*.py")):
        text = path.read_text("utf-8")
        assert not re.search(r"^pytestmark = .*slow", text, re.MULTILINE), path
        assert any("@pytest.mark.slow" not in marks for marks in tests.findall(text)), path


MODULE = """
import pytest
from hypothesis import given, strategies

@pytest.mark.parametrize("n", [1, 2])
def test_usual(n): ...

@pytest.mark.slow
def test_slow(): ...

@pytest.mark.nightly
@pytest.mark.parametrize("n", [1, 2])
def test_nightly(n): ...

@pytest.mark.parametrize("n", [1, pytest.param(2, marks=pytest.mark.nightly), 3])
def test_nightly_case(n): ...

@pytest.mark.parametrize("n", [1, 2])
def test_of_any_size(n, any_size): ...

@pytest.mark.load
def test_load(): ...

@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("n", [1, 2])
def test_slow_nightly(n): ...

@pytest.mark.product
@pytest.mark.parametrize("a", [1, 2])
@pytest.mark.parametrize("b", [1, 2])
def test_product(a, b): ...

@given(strategies.integers())
def test_random(n): ...
"""


EXPECTED = {
    "few": ["usual[1]", "nightly[1]", "nightly_case[1]", "of_any_size[small-1]", "product[1-1]", "random"],
    "rest": [
        "usual[2]", "slow", "nightly_case[3]", "of_any_size[small-2]", "of_any_size[large-1]", "slow_nightly[1]",
        "product[2-2]", "random",
    ],
}  # fmt: skip
COLLECT = """
import pytest
for cases in ("few", "rest"):
    print(f"cases {cases}")
    pytest.main(f"-q -p conftest --collect-only --cases {cases} -c pyproject.toml test_module.py".split())
"""


@pytest.mark.slow
def test_a_run_takes_its_cases(tmp_path: Path) -> None:
    (tmp_path / "test_module.py").write_text(MODULE, "utf-8")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    command, environment = [sys.executable, "-c", COLLECT], {**KEPT, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    parts = dict(part.split("\n", 1) for part in done.stdout.split("cases ")[1:])
    assert {cases: re.findall(r"test_module\.py::test_(\S+)", part) for cases, part in parts.items()} == EXPECTED


OF_SQLMESH = "tests/dbt_and_sqlmesh/test_sqlmesh.py::test_a_model_holds_the_means"
EVERY_ENGINE = (
    "Postgres, MariaDB, ClickHouse, DataFusion, GoogleSQL, FakeSnow, Trino, Spark, sqlfluff, dbt, SQLMesh, clients, "
    "Chromium"
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engines", "status", "printed"),
    [
        ("", pytest.ExitCode.NO_TESTS_COLLECTED, f"Not tested: {EVERY_ENGINE}. To test them, set RECALL_DUCKDB_"),
        ("all", pytest.ExitCode.TESTS_FAILED, "needs RECALL_DUCKDB_SQLMESH: python -m venv V"),
    ],
    ids=["not requested", "not installed"],
)
def test_a_test_of_an_engine_is_deselected_or_fails(engines: str, status: int, printed: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", OF_SQLMESH],
        check=False, cwd=ROOT, env={**KEPT, "RECALL_DUCKDB_ENGINES": engines}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, printed in done.stdout) == (status, True), done.stdout + done.stderr


def test_engines_are_requested_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for names, expected in (("", []), ("dbt, Postgres", ["Postgres", "dbt"]), ("all", sorted(ON_REQUEST))):
        monkeypatch.setenv("RECALL_DUCKDB_ENGINES", names)
        assert sorted(requested()) == expected
    monkeypatch.setenv("RECALL_DUCKDB_ENGINES", "Postgres,sqlmesh")
    message = f"RECALL_DUCKDB_ENGINES: unknown name 'sqlmesh'. Use all, or names among {EVERY_ENGINE}."
    fails(pytest.UsageError, message, requested)


def test_ci_runs_every_file_that_needs_an_engine() -> None:
    marked = re.compile(r"mark\.(needs|evidence)|\bon\(")
    paths = {*TESTS.glob("*/test_*.py")} - {Path(__file__)}
    files = {path.relative_to(ROOT).as_posix() for path in paths if marked.search(path.read_text())}
    named = set(re.findall(r"tests/\w+/test_\w+\.py", (ROOT / ".ci" / "engines").read_text()))
    assert files
    assert files <= named


def test_ci_runs_the_fast_engines_and_those_whose_statements_changed() -> None:
    changed = {"postgres": [], "presto spark": ["Spark", "Trino"], "snowflake": ["FakeSnow", "sqlfluff"]}
    for dialects, others in {**changed, "new": ["sqlfluff"]}.items():
        assert executed.engines_to_run(dialects.split()) == ["DataFusion", "Postgres", "ClickHouse", *others]


def test_a_case_changed_if_its_statement_is_not_the_one_that_was_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executed, "OF_RELATIVES", ["labels", "slices"])
    recorded = executed.hashes_of("trino")
    assert executed.changed(recorded, executed.hashes_of("trino")) == []
    monkeypatch.setitem(CASES, "slices", CASES["labels"])
    assert executed.changed(recorded, executed.hashes_of("trino")) == ["slices"]
    assert executed.changed("", recorded) == ["labels", "slices"]
