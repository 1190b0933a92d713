"""Modules import each other in one direction, and importing the package is cheap."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from folders import ROOT

import recall_duckdb
from recall_duckdb.definitions import templates

PACKAGE = Path(recall_duckdb.__file__).parent
PATHS = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    return {name: ast.parse(path.read_text("utf-8")) for name, path in PATHS.items()}


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the modules of the package that statements import."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            below = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= below if below <= PATHS.keys() else {*below, node.module}
    return names & PATHS.keys()


def test_there_is_no_circle_of_imports(trees: dict[str, ast.Module]) -> None:
    graph = {name: imported(tree.body) - {name} for name, tree in trees.items()}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle
    assert order.index("recall_duckdb.errors") < order.index("recall_duckdb.result_data")
    assert order.index("recall_duckdb.result_data") < order.index("recall_duckdb.result")


def test_only_the_package_of_advice_is_imported_which_imports_its_modules_on_demand(
    trees: dict[str, ast.Module],
) -> None:
    readers = {name: tree for name, tree in trees.items() if not name.startswith("recall_duckdb.advice")}
    found = {each for tree in readers.values() for each in imported(ast.walk(tree)) if "advice" in each}
    assert found == {"recall_duckdb.advice"}


def test_a_clone_finds_its_sql() -> None:
    """`.ci/package` looks for the files of a wheel, and asks an installed one for a value."""
    assert templates.sql_folder() == ROOT / "sql"


# It prints which modules are imported, and how far the package works without optional packages.
PROGRAM = """
import sys
import recall_duckdb

optional = "pandas", "numpy", "polars", "pyarrow", "altair", "vl_convert"
print([name for name in ("sqlglot", *optional) if name in sys.modules])
sys.modules.update(dict.fromkeys(optional))
from recall_duckdb import compare, evaluate
result = evaluate({"q": ["a", "b"]}, {"q": ["b"]}, "rr")
values = {"old": {"query": [1, 2], "rr": [0.5, 1.0]}, "new": {"query": [1, 2], "rr": [1.0, 0.5]}}
print(result.value("rr"), compare(values, baseline="old").value("rr", "p"))
print([name for name in sys.modules if name.startswith("recall_duckdb.advice.")])
try: evaluate({"q": [{"id": "a"}]}, {"q": ["a"]}, "rr")
except TypeError: print("recall_duckdb.advice.objects" in sys.modules)
for call in result.to_polars, lambda: compare(values, baseline="old", test="randomization"):
    try: call()
    except recall_duckdb.MissingPackageError as error: print(error)
from recall_duckdb.cli import main
print(main(["metrics"]))
"""


def test_the_core_needs_only_duckdb_and_sqlglot_which_is_imported_on_demand_as_advice_is() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True, timeout=300)
    lines = done.stdout.splitlines()
    needed = "in a clone of recall_duckdb"
    assert lines[:6] == [
        *("[]", "0.5 1.0", "[]", "True", f"this needs polars: pip install '.[polars]' {needed}"),
        f"test: 'randomization' needs numpy: pip install '.[compare]' {needed}. test='t' works without it",
    ]
    assert lines[-1] == "0"


def test_the_dbt_package_takes_only_versions_of_dbt_that_are_tested() -> None:
    [limit] = re.findall(r'require-dbt-version: .*"<(\d+)\.0\.0"', (ROOT / "sql" / "dbt_project.yml").read_text())
    [tested] = set(re.findall(r"dbt-core>=(\d+)\.", (ROOT / ".ci" / "engines").read_text()))
    assert int(limit) == int(tested) + 1


def test_every_public_name_exists_and_is_documented() -> None:
    for name in recall_duckdb.__all__:
        assert getattr(recall_duckdb, name).__doc__
    assert dir(recall_duckdb) == recall_duckdb.__all__
    with pytest.raises(AttributeError, match="no attribute 'recal'"):
        _ = recall_duckdb.recal


def test_definitions_are_only_in_sql() -> None:
    formula = re.compile(r"\b(is_relevant|ideal_rank|hits)\b|\blog2\(|\bln\(")
    clause = re.compile(r"[\"'][^\"']*\b(SELECT .* FROM|GROUP BY|PARTITION BY|LEFT JOIN)\b")
    for path in (ROOT / "recall_duckdb").glob("*.py"):
        code = re.sub(r'"""(?s:.*?)"""', "", path.read_text())
        assert not formula.search(code), path
        assert not clause.search(code), path
