"""Write the macros of the dbt package."""

from __future__ import annotations

import sys

from recall_duckdb.dbt.command import run
from recall_duckdb.dbt.package import files
from recall_duckdb.definitions import templates

if __name__ == "__main__":
    sys.exit(run("recall_duckdb.dbt", templates.sql_folder() / "macros", "generated/**/*.*", files))
