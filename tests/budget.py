"""Counts what .ci/budget limits. `python tests/budget.py` writes today's counts as the limits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from folders import ROOT

BUDGET = ROOT / ".ci" / "budget"
UNITS: dict[str, Callable[[bytes], int]] = {
    "lines": lambda content: content.count(b"\n"),
    "words": lambda content: len(content.split()),
    "bytes": len,
}


class Part(NamedTuple):
    """A line of the budget."""

    limit: int
    unit: str
    name: str
    patterns: list[str]


def parts(text: str) -> list[Part]:
    """Return the lines of a budget without the comments."""
    rows = [line.split() for line in text.splitlines() if not line.startswith("#")]
    return [Part(int(limit), unit, name, patterns) for limit, unit, name, *patterns in rows]


def counts(of: list[Part], root: Path) -> dict[str, int]:
    """Return the count of each part that has patterns."""
    found = Counter(dict.fromkeys((part.name for part in of if part.patterns), 0))
    tops = {pattern.partition("/")[0] for part in of for pattern in part.patterns}
    for path in sorted(path for top in tops for path in (root / top, *(root / top).rglob("*")) if path.is_file()):
        name, content = path.relative_to(root).as_posix(), path.read_bytes()
        for unit, count in UNITS.items():
            matching = (
                part for part in of if part.unit == unit and any(fnmatchcase(name, each) for each in part.patterns)
            )
            if first := next(matching, None):
                found[first.name] += count(content)
    return dict(found)


def with_counts(text: str, root: Path) -> str:
    """Return the budget with today's counts as the limits."""
    found = counts(parts(text), root)
    return re.sub(
        r"^ *\d+( \w+ +)(\S+)(?= )", lambda line: f"{found[line[2]]:7}{line[1]}{line[2]}", text, flags=re.MULTILINE
    )


if __name__ == "__main__":
    BUDGET.write_text(with_counts(BUDGET.read_text("utf-8"), ROOT), "utf-8")
