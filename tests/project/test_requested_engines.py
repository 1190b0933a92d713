"""Tests of an engine run only if RECALL_DUCKDB_ENGINES names it, and CI names those whose statements changed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import executed
import pytest
from asking import fails
from engine_cases import CASES
from engines import ON_REQUEST, requested
from folders import ROOT, TESTS

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
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECALL_DUCKDB_", "PYTEST_"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", OF_SQLMESH],
        check=False, cwd=ROOT, env={**kept, "RECALL_DUCKDB_ENGINES": engines}, capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, printed in done.stdout) == (status, True), done.stdout + done.stderr


@pytest.mark.parametrize(
    ("names", "expected"),
    [("", []), ("Spark", ["Spark"]), ("dbt, Postgres", ["Postgres", "dbt"]), ("all", sorted(ON_REQUEST))],
)
def test_engines_are_requested_by_name(monkeypatch: pytest.MonkeyPatch, names: str, expected: list[str]) -> None:
    monkeypatch.setenv("RECALL_DUCKDB_ENGINES", names)
    assert sorted(requested()) == expected


def test_a_request_for_an_unknown_engine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize(
    ("dialects", "others"),
    [
        ([], []),
        (["postgres", "redshift", "sqlite"], []),
        (["presto", "spark"], ["Spark", "Trino"]),
        (["snowflake"], ["FakeSnow", "sqlfluff"]),
        (["a new dialect"], ["sqlfluff"]),
    ],
)
def test_ci_runs_the_fast_engines_and_those_whose_statements_changed(dialects: list[str], others: list[str]) -> None:
    assert executed.engines_to_run(dialects) == ["DataFusion", "Postgres", "ClickHouse", *others]


def test_a_case_changed_if_its_statement_is_not_the_one_that_was_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executed, "OF_RELATIVES", ["labels", "slices"])
    recorded = executed.hashes_of("trino")
    assert executed.changed(recorded, executed.hashes_of("trino")) == []
    monkeypatch.setitem(CASES, "slices", CASES["labels"])
    assert executed.changed(recorded, executed.hashes_of("trino")) == ["slices"]
    assert executed.changed("", recorded) == ["labels", "slices"]
