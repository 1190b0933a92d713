"""Modules import each other in one direction, at the top of the file, and importing the package is cheap."""

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
# It imports NumPy, which is optional and slow to import.
WITH_EXTRAS = {"recall_duckdb.comparison.samples"}


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


def test_modules_are_imported_at_the_top(trees: dict[str, ast.Module]) -> None:
    for name, tree in trees.items():
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        inside = [node for function in functions for node in ast.walk(function)]
        assert imported(inside) <= WITH_EXTRAS, name


def test_advice_is_imported_when_an_error_is_raised(trees: dict[str, ast.Module]) -> None:
    readers = {name: tree for name, tree in trees.items() if not name.startswith("recall_duckdb.advice")}
    found = {each for tree in readers.values() for each in imported(ast.walk(tree)) if "advice" in each}
    assert found == {"recall_duckdb.advice"}  # which imports its modules on demand
    lines = (
        "import sys",
        "from recall_duckdb import evaluate",
        "evaluate({'q': ['a']}, {'q': ['a']}, 'rr')",
        "print([name for name in sys.modules if name.startswith('recall_duckdb.advice.')])",
        "try: evaluate({'q': [{'id': 'a'}]}, {'q': ['a']}, 'rr')",
        "except TypeError: print('recall_duckdb.advice.objects' in sys.modules)",
    )
    shown = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["[]", "True"]


def python(*arguments: str) -> str:
    return subprocess.run([sys.executable, *arguments], check=True, capture_output=True, text=True, timeout=300).stdout


def test_a_clone_finds_its_sql() -> None:
    """`.ci/package` looks for the files of a wheel, and asks an installed one for a value."""
    assert templates.sql_folder() == ROOT / "sql"


def test_importing_loads_neither_sqlglot_nor_optional_packages() -> None:
    others = "sqlglot", "pandas", "numpy", "polars", "altair"
    code = f"import sys, recall_duckdb; print([name for name in {others!r} if name in sys.modules])"
    assert python("-c", code).strip() == "[]"


def test_the_core_needs_only_duckdb_and_sqlglot() -> None:
    blocked = "pandas", "numpy", "polars", "pyarrow", "altair", "vl_convert"
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "import recall_duckdb\n"
        "from recall_duckdb.cli import main\n"
        "run = {'query': [1, 1], 'item': ['a', 'b'], 'score': [2, 1], 'relevance': [0, 1]}\n"
        "result = recall_duckdb.evaluate(run, metrics='rr')\n"
        "try: result.to_polars()\n"
        "except recall_duckdb.RecallError as error: print(error)\n"
        "values = {'old': {'query': [1, 2], 'rr': [0.5, 1.0]}, 'new': {'query': [1, 2], 'rr': [1.0, 0.5]}}\n"
        "try: recall_duckdb.compare(values, baseline='old', test='randomization')\n"
        "except recall_duckdb.MissingPackageError as error: print(error)\n"
        "print(recall_duckdb.compare(values, baseline='old').value('rr', 'p'))\n"
        "print(result.to_dicts()[0]['value'], main(['metrics']))"
    )
    lines = python("-c", code).splitlines()
    assert lines[0] == "this needs polars: pip install '.[polars]' in a clone of recall_duckdb"
    needed = "pip install '.[compare]' in a clone of recall_duckdb"
    assert lines[1] == f"test: 'randomization' needs numpy: {needed}. test='t' works without it"
    assert lines[2] == "1.0"
    assert lines[-1] == "0.5 0"


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
