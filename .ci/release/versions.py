"""Say the version of this clone, and set it: `python3 .ci/release/versions.py 0.2.0`."""

from __future__ import annotations

import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FIX = "run `python3 .ci/release/versions.py VERSION`, then `make generate`"
# Where a version stands. `make generate` writes the last file.
_WRITTEN_BY = r"^means of .*; by recall_duckdb (\S+) for "
_PLACES = {
    "recall_duckdb/__init__.py": r'^__version__ = "(.+)"$',
    "CITATION.cff": r"^version: (\S+)$",
    "sql/dbt_project.yml": r"^version: (\S+)$",
    ".ci/release/extension/description.yml": r"^  version: (\S+)$",
    **dict.fromkeys(("sql/README.md", "docs/guide/sql.md"), _WRITTEN_BY),
    "CHANGELOG.md": r"^## (\S+) \(.+\)$",
    "sql/recall_duckdb.sql": r"^-- Version (\S+)\. ",
}
_CHANGELOG, _GENERATED = "CHANGELOG.md", "sql/recall_duckdb.sql"


def version() -> str:
    """Return the version of this clone."""
    return _named(ROOT / "recall_duckdb" / "__init__.py", "__version__")


def repository() -> str:
    """Return the address of the repository, or "" if pyproject.toml names none."""
    return _named(ROOT / "pyproject.toml", "repository")


def named_versions(root: Path) -> dict[str, str]:
    """Return the version that each file names, "none" if it names none."""
    found = {file: re.search(pattern, _text(root / file), re.MULTILINE) for file, pattern in _PLACES.items()}
    return {file: match[1] if match else "none" for file, match in found.items()}


def set_version(root: Path, version: str, day: date) -> None:
    """Write a version, and the day of its release, into every file that is not generated.

    Raises:
        ValueError: the version is not three numbers, or the changelog does not begin with an unreleased version.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ValueError(f"a version like 1.2.3 is expected, not {version!r}")
    changelog, count = re.subn(
        r"^## \S+ \(unreleased\)$", f"## {version} ({day})", _text(root / _CHANGELOG), count=1, flags=re.MULTILINE
    )
    if not count:
        raise ValueError(f"{_CHANGELOG} has no heading like `## {version} (unreleased)`")
    for file, pattern in _PLACES.items():
        if file not in (_CHANGELOG, _GENERATED):
            changed = re.sub(pattern, lambda found: found[0].replace(found[1], version), _text(root / file), flags=re.M)
            (root / file).write_text(changed, "utf-8")
    (root / _CHANGELOG).write_text(changelog, "utf-8")


def _named(file: Path, name: str) -> str:
    [value] = re.findall(rf'^{name} = "(.*)"$', _text(file), re.MULTILINE)
    return str(value)


def _text(path: Path) -> str:
    return path.read_text("utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {FIX}")
    try:
        set_version(ROOT, sys.argv[1], date.today())
    except ValueError as error:
        sys.exit(str(error))
    print("Now run `make generate`.")
