"""Modules of the package import each other in one direction, at the top of the file."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterable
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import recall_duckdb

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
