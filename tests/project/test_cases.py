"""The README's command runs a test of every module, and each way to run the tests takes its cases."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from folders import ROOT, TESTS


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
    "few": ["usual[1]", "nightly[1]", "product[1-1]", "random"],
    "rest": ["usual[2]", "slow", "slow_nightly[1]", "product[2-2]", "random"],
}
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
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RECALL_DUCKDB_", "PYTEST_"))}
    command, environment = [sys.executable, "-c", COLLECT], {**kept, "PYTHONPATH": str(TESTS)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    parts = dict(part.split("\n", 1) for part in done.stdout.split("cases ")[1:])
    assert {cases: re.findall(r"test_module\.py::test_(\S+)", part) for cases, part in parts.items()} == EXPECTED
