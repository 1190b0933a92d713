"""The command that writes generated files, or checks that they are current."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path

from recall_duckdb.definitions import templates
from recall_duckdb.errors import RecallError

# Versions of sqlglot write some statements differently, so one version writes the committed files.
SQLGLOT = "30.30.0"


def run(module: str, folder: Path, pattern: str, files: Callable[[], Mapping[str, str]]) -> int:
    """Write the files of a folder that changed; return 1 if `--check` finds a change, 2 if they cannot be written.

    Args:
        module: the module that is run, for messages.
        folder: the folder of the files.
        pattern: the generated files in the folder.
        files: returns the text of each file by its path in the folder.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {module}", description="Write the macros.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything would change")
    is_check = parser.parse_args().check
    try:
        if version("sqlglot") != SQLGLOT:
            raise RecallError(f"the macros need sqlglot {SQLGLOT}, not {version('sqlglot')}: pip install it")
        written = files()
    except RecallError as error:
        print(error, file=sys.stderr)
        return 2
    before = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in folder.glob(pattern)}
    changed = sorted(path for path in {*before, *written} if before.get(path) != written.get(path))
    for path in changed:
        if is_check:
            shown = (folder / path).relative_to(templates.sql_folder().parent).as_posix()
            print(f"{shown} is out of date: run python -m {module}")
        elif path in written:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(written[path], "utf-8")
        else:
            (folder / path).unlink()
    return 1 if is_check and changed else 0
