"""The README's command runs a test of every module."""

from __future__ import annotations

import ast

from folders import TESTS


def is_slow(node: ast.stmt) -> bool:
    marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
    return any(ast.unparse(mark) == "pytest.mark.slow" for mark in marks)


def test_no_module_is_slow_as_a_whole() -> None:
    slow = []
    for path in sorted(TESTS.glob("*/test_*.py")):
        body = ast.parse(path.read_text("utf-8")).body
        tests = [node for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        marks = [ast.unparse(node) for node in body if ast.unparse(node).startswith("pytestmark")]
        if all(map(is_slow, tests)) or any("slow" in mark for mark in marks):
            slow.append(path.name)
    assert slow == []
