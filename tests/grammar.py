"""Parse statements with the grammars of sqlfluff, which are independent of sqlglot."""

from __future__ import annotations

import re
from functools import cache
from typing import Any


@cache
def _linter(grammar: str) -> Any:
    from sqlfluff.core import FluffConfig, Linter

    return Linter(config=FluffConfig(overrides={"dialect": grammar, "templater": "raw"}))


@cache
def complaints(grammar: str, statement: str) -> list[str]:
    """Return the parser's errors for a statement."""
    parsed = _linter(grammar).parse_string(f"{statement}\n")
    return [str(violation) for violation in parsed.violations]


def parts(statement: str) -> list[str]:
    """Split a statement into one statement for each relation, and one for the final SELECT.

    Many statements share relations, and parsing takes a second for each 10 KB.
    """
    first, *rest = re.split(r"^\), (\S+) AS \($", statement, flags=re.MULTILINE)
    if not rest:
        return [statement]
    start = re.fullmatch(r"(?:/\*.*?\*/\n)?WITH (\S+) AS \(\n(.*)", first, flags=re.DOTALL)
    assert start is not None
    names, bodies = [start[1], *rest[::2]], [start[2], *rest[1::2]]
    bodies[-1], end = re.split(r"^\)$", bodies[-1], maxsplit=1, flags=re.MULTILINE)
    relations = [
        f"WITH {name} AS (\n{body.strip()}\n)\nSELECT a FROM {name}" for name, body in zip(names, bodies, strict=True)
    ]
    return [*relations, f"WITH {names[0]} AS (\nSELECT a FROM b\n)\n{end.strip()}"]
