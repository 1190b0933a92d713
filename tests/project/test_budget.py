"""No part of the project holds more than .ci/budget allows, and the command `make budget` writes what it holds."""

from __future__ import annotations

from pathlib import Path

from budget import BUDGET, counts, parts, with_counts
from folders import ROOT

PARTS = parts(BUDGET.read_text("utf-8"))


def test_no_part_is_above_its_limit() -> None:
    found = counts(PARTS, ROOT)
    above = [
        f"{part.name} has {found[part.name]} {part.unit}, but .ci/budget allows {part.limit}: delete as many"
        for part in PARTS
        if found.get(part.name, 0) > part.limit
    ]
    assert not above, "\n".join(above)


def test_every_module_counts_for_a_part() -> None:
    lines = sum(path.read_bytes().count(b"\n") for path in (ROOT / "recall_duckdb").rglob("*.py"))
    in_package = [part for part in PARTS if any(pattern.startswith("recall_duckdb/") for pattern in part.patterns)]
    assert sum(counts(in_package, ROOT).values()) == lines


def test_a_file_counts_for_the_first_part_that_matches_its_path(tmp_path: Path) -> None:
    for name in ("code/a/one.py", "code/a/b/two.py", "code/three.py", "code/four.txt", "page.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("one line\nand another\n")
    text = "# limit\n 9 lines a code/a/*.py\n 9 lines rest code/*.py\n 9 words docs page.md\n 20 minutes ci\n"
    assert counts(parts(text), tmp_path) == {"a": 4, "rest": 2, "docs": 4}
    assert with_counts(text, tmp_path).splitlines()[1:] == [
        "      4 lines a code/a/*.py",
        "      2 lines rest code/*.py",
        "      4 words docs page.md",
        " 20 minutes ci",
    ]
