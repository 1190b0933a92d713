"""Run the test suites of other packages with recall_duckdb in place of their metrics.

    pip install -e . -r tests/peers/requirements.txt
    python -m tests.peers

Each suite is downloaded from PyPI in the version that its adapter supports, and run by pytest in a temporary folder.
The adapter is a pytest plugin. It lists the tests that are out of scope, each with the reason. These tests must fail,
and all others must pass.

The archives of pytrec_eval-terrier, ranx, RecTools, RePlay, torchmetrics and LensKit have no tests. Their published
numbers are in fixtures/peers.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Suite:
    """The tests of a package.

    Attributes:
        package: its name and version on PyPI.
        adapter: the plugin that replaces its metrics with ours.
        tests: its test files and folders in the unpacked archive, or `pkg.module` in the installed package.
        source: True if the tests are in the source archive, False if they are in the wheel, None if installed.
        options: further options for pytest.
        added: text of files that the archive lacks, by path.
    """

    package: str
    adapter: str
    tests: tuple[str, ...]
    source: bool | None
    options: tuple[str, ...] = ()
    added: dict[str, str] = field(default_factory=dict)


# The tests import this module, but the archive has only files named test_*.
METRICS_ARE_EQUAL = """
import unittest


class BaseMeasureTest(unittest.TestCase):
    def assertMetrics(self, found, expected, places=4, not_equal=False):
        found, expected = ({(m.query_id, m.measure): float(m.value) for m in side} for side in (found, expected))
        self.assertEqual(found.keys(), expected.keys())
        close = all(round(found[key] - expected[key], places) == 0 for key in found)
        self.assertTrue(close != not_equal, f"{found} and {expected}")
"""

SUITES = [
    Suite(
        "ir-measures==0.4.3",
        "adapter_ir_measures",
        tuple(
            f"tests/test_{name}.py"
            for name in ("accuracy", "aggregate", "gdeval", "judged", "pytrec_eval", "ranx", "runtime", "providers")
        ),
        source=True,
        added={"tests/__init__.py": "", "tests/base.py": METRICS_ARE_EQUAL},
    ),
    Suite(
        "recommenders==1.2.1",
        "adapter_recommenders",
        ("tests/unit/recommenders/evaluation/test_python_evaluation.py",),
        source=False,
        options=("-k", "ndcg or map or precision or recall or auc or errors or catalog_coverage or diversity"),
    ),
    Suite(
        "scikit-learn==1.9.1",
        "adapter_sklearn",
        ("sklearn.metrics.tests.test_ranking",),
        source=None,
        options=("-k", "dcg"),
    ),
]


def unpacked(suite: Suite, folder: Path) -> Path:
    """Download the archive of a suite, unpack it in a folder and return its root."""
    kind = ["--no-binary", ":all:"] if suite.source else ["--only-binary", ":all:"]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", *kind, "-d", str(folder), suite.package]
    subprocess.run(pip, check=True)
    [archive] = folder.iterdir()
    if suite.source:
        with tarfile.open(archive) as file:
            file.extractall(folder, filter="data")
        [root] = (path for path in folder.iterdir() if path.is_dir())
    else:
        root = folder / "wheel"
        with zipfile.ZipFile(archive) as file:
            file.extractall(root)
    for path, text in suite.added.items():
        (root / path).write_text(text, "utf-8")
    return root


def run(suite: Suite) -> bool:
    """Run a suite and return True if its tests pass and fail as the adapter expects."""
    print(f"=== {suite.package}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) if suite.source is None else unpacked(suite, Path(folder))
        tests = ["--pyargs", *suite.tests] if suite.source is None else list(suite.tests)
        pytest = [sys.executable, "-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", "-p", f"peers.{suite.adapter}"]
        path = os.pathsep.join([str(HERE.parent), str(root), os.environ.get("PYTHONPATH", "")])
        command = [*pytest, "-c", os.devnull, "--rootdir", str(root), *suite.options, *tests]
        return subprocess.run(command, cwd=root, env={**os.environ, "PYTHONPATH": path}, check=False).returncode == 0


def main() -> int:
    """Run all suites, or only those of the packages in the arguments."""
    wanted = [suite for suite in SUITES if len(sys.argv) == 1 or suite.package.partition("==")[0] in sys.argv[1:]]
    results = {suite.package: run(suite) for suite in wanted}
    return 0 if wanted and all(results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
