"""Write the table macros of DuckDB."""

from __future__ import annotations

import sys

from recall_duckdb.dbt.command import run
from recall_duckdb.definitions import templates
from recall_duckdb.macros.installing import FILE
from recall_duckdb.macros.writing import text

if __name__ == "__main__":
    sys.exit(run("recall_duckdb.macros", templates.sql_folder(), FILE, lambda: {FILE: text()}))
