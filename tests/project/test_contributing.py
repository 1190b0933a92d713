"""CONTRIBUTING.md names only files that exist, and its commands are those of the Makefile."""

from __future__ import annotations

import re

from folders import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text()
MAKEFILE = (ROOT / "Makefile").read_text()


def test_every_package_has_a_rule() -> None:
    packages = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "recall_duckdb").glob("*/__init__.py")}
    rules = re.findall(r"^\| `(recall_duckdb/\w+)` \| ", (ROOT / "docs" / "how-it-works.md").read_text(), re.MULTILINE)
    assert set(rules) == packages


def test_every_path_exists() -> None:
    paths = re.findall(r"`((?:recall_duckdb|sql|tests|docs|fixtures|\.ci|\.github)(?:/[\w./]+)?)`", PAGE)
    assert len(paths) > 50
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_command_is_a_target_with_help() -> None:
    targets = set(re.findall(r"^([\w-]+):.*##", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)", PAGE)) == targets - {"help"}
