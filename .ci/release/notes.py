"""Print what CHANGELOG.md says of this version, as the text of a release: `python3 .ci/release/notes.py`."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def notes(changelog: str, version: str) -> str:
    """Return the section of a version, without its heading.

    Raises:
        ValueError: the changelog has no such section.
    """
    found = re.search(rf"^## {re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if not found or not found[1].strip():
        raise ValueError(f"CHANGELOG.md has no section `## {version}`")
    return found[1].strip() + "\n"


if __name__ == "__main__":
    [own] = re.findall(
        r'^__version__ = "(.*)"$', (ROOT / "recall_duckdb" / "__init__.py").read_text("utf-8"), re.MULTILINE
    )
    print(notes((ROOT / "CHANGELOG.md").read_text("utf-8"), own), end="")
