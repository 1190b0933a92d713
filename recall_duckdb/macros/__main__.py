"""Write the table macros of DuckDB and the macros of the dbt package, or check that they are current."""

from __future__ import annotations

import sys
from importlib.metadata import version

from recall_duckdb.definitions import templates
from recall_duckdb.errors import RecallError
from recall_duckdb.macros.installing import FILE
from recall_duckdb.macros.package import files
from recall_duckdb.macros.writing import text

SQLGLOT = "30.30.0"
"""Versions of sqlglot write some statements differently, so one version writes the committed files."""


def main() -> int:
    """Write the files that changed; return 1 if `--check` finds a change, 2 if they cannot be written."""
    is_check = sys.argv[1:] == ["--check"]
    try:
        if version("sqlglot") != SQLGLOT:
            raise RecallError(f"the macros need sqlglot {SQLGLOT}, not {version('sqlglot')}: pip install it")
        written = {f"macros/{path}": each for path, each in files().items()} | {FILE: text()}
    except RecallError as error:
        print(error, file=sys.stderr)
        return 2
    folder = templates.sql_folder()
    generated = {str(path.relative_to(folder)) for path in (folder / "macros" / "generated").glob("*")}
    before = {path: (folder / path).read_text("utf-8") for path in {*written, *generated} if (folder / path).is_file()}
    changed = [path for path in sorted({*written, *generated}) if before.get(path) != written.get(path)]
    for path in changed:
        if is_check:
            print(f"sql/{path} is out of date: run python -m recall_duckdb.macros")
        elif path in written:
            (folder / path).write_text(written[path], "utf-8")
        else:
            (folder / path).unlink()
    return 1 if is_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
