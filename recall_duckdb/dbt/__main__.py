"""Write the macros or, with `--check`, fail if any of them is out of date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from recall_duckdb.dbt.files import SQLGLOT, files
from recall_duckdb.definitions import templates
from recall_duckdb.errors import RecallError


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the files that changed; return 1 if `--check` finds a change, 2 if the macros cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m recall_duckdb.dbt", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if anything would change")
    options = parser.parse_args(arguments)
    if version("sqlglot") != SQLGLOT:
        return _failed(f"the macros need sqlglot {SQLGLOT}, not {version('sqlglot')}: pip install sqlglot=={SQLGLOT}")
    folder = templates.sql_folder() / "macros"
    before = {
        path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in (folder / "generated").rglob("*.*")
    }
    try:
        written = files()
    except RecallError as error:
        return _failed(str(error))
    changed = sorted(path for path in {*before, *written} if before.get(path) != written.get(path))
    if options.check:
        for path in changed:
            print(f"sql/macros/{path} is out of date: run python -m recall_duckdb.dbt")
        return 1 if changed else 0
    for path in changed:
        if path in written:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(written[path], "utf-8")
        else:
            (folder / path).unlink()
    return 0


def _failed(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
