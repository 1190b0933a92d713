"""Parses statements by the grammars of sqlfluff, which were written without sqlglot."""

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
    """What the parser has to say against a statement."""
    parsed = _linter(grammar).parse_string(f"{statement}\n")
    return [str(violation) for violation in parsed.violations]


def parts(statement: str) -> list[str]:
    """A statement as one for each of its relations, and one that reads a relation as the last SELECT does.

    Many statements share their relations, and a parser takes a second for each 10 KB.
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
