"""Copy the package for exercises that change its files as a contributor would."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from folders import ROOT

from recall_duckdb.macros.__main__ import SQLGLOT

GENERATES_MACROS = pytest.mark.skipif(
    version("sqlglot") != SQLGLOT, reason=f"the macros are generated with sqlglot {SQLGLOT}"
)


class Copied:
    """A copy of the package and its SQL that knows which of its files an exercise has changed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("recall_duckdb", "sql"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        self._before = self._texts()

    def write(self, path: str, text: str) -> None:
        """Add a file."""
        assert not (self.folder / path).exists()
        (self.folder / path).parent.mkdir(exist_ok=True)
        (self.folder / path).write_text(text)

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace text that occurs exactly once in a file."""
        text = (self.folder / path).read_text()
        assert text.count(old) == 1, f"{path} holds {old!r} {text.count(old)} times"
        (self.folder / path).write_text(text.replace(old, new))

    def changed(self) -> set[str]:
        """Return the paths of the changed files, except for generated macros."""
        now = self._texts()
        differing = {path for path in self._before.keys() | now.keys() if self._before.get(path) != now.get(path)}
        return {path for path in differing if not path.startswith(("sql/macros/generated/", "sql/recall_duckdb.sql"))}

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run Python with this copy of the package."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PYTHONDONTWRITEBYTECODE": ""}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def answer(self, code: str) -> Any:
        """Run a program with this copy, and return the value of its variable `answer`."""
        return json.loads(self.run("-c", f"import json\n{code}\nprint(json.dumps(answer))").stdout)

    def _texts(self) -> dict[str, str]:
        paths = [path for name in ("recall_duckdb", "sql") for path in (self.folder / name).rglob("*")]
        return {
            path.relative_to(self.folder).as_posix(): path.read_text(encoding="utf-8")
            for path in paths
            if path.is_file() and "__pycache__" not in path.parts
        }
