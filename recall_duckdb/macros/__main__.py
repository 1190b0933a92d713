"""Write the table macros or, with `--check`, fail if they are out of date."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.metadata import version

from recall_duckdb.dbt.files import SQLGLOT
from recall_duckdb.definitions import templates
from recall_duckdb.macros.files import text
from recall_duckdb.macros.names import FILE


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file; return 1 if `--check` finds a change, 2 if it cannot be written."""
    parser = argparse.ArgumentParser(prog="python -m recall_duckdb.macros", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the file would change")
    options = parser.parse_args(arguments)
    if version("sqlglot") != SQLGLOT:
        print(f"the macros need sqlglot {SQLGLOT}, not {version('sqlglot')}: pip install sqlglot=={SQLGLOT}")
        return 2
    path, written = templates.sql_folder() / FILE, text()
    if path.exists() and path.read_text("utf-8") == written:
        return 0
    if options.check:
        print(f"sql/{FILE} is out of date: run python -m recall_duckdb.macros")
        return 1
    path.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
