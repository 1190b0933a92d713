"""Modules of the package import each other in one direction, at the top of the file."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import recall_duckdb

PACKAGE = Path(recall_duckdb.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
}
# These import Altair, which is optional and slow to import.
WITH_ALTAIR = {"recall_duckdb.reporting.charts", "recall_duckdb.reporting.figures"}


def imported(node: ast.AST) -> set[str]:
    """Return the modules of the package that a statement imports."""
    if isinstance(node, ast.Import):
        names = {alias.name for alias in node.names}
    elif isinstance(node, ast.ImportFrom) and node.module:
        below = {f"{node.module}.{alias.name}" for alias in node.names}
        names = (below & MODULES.keys()) | ({node.module} if below - MODULES.keys() else set())
    else:
        return set()
    return names & MODULES.keys()


def at_top(path: Path) -> set[str]:
    return set().union(*map(imported, ast.parse(path.read_text("utf-8")).body))


def in_functions(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return set().union(*(imported(node) for function in functions for node in ast.walk(function)))


def test_there_is_no_circle_of_imports() -> None:
    graph = {name: at_top(path) - {name} for name, path in MODULES.items()}
    order = list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle
    assert order.index("recall_duckdb.errors") < order.index("recall_duckdb.result_data")
    assert order.index("recall_duckdb.result_data") < order.index("recall_duckdb.result")


def test_modules_are_imported_at_the_top() -> None:
    inside = {name: in_functions(path) - WITH_ALTAIR for name, path in MODULES.items()}
    assert {name: found for name, found in inside.items() if found} == {}
