"""Write a database that holds the macros: `python .ci/release/database.py recall_duckdb.sql recall_duckdb.duckdb`.

It needs the oldest DuckDB that is supported, because an older DuckDB cannot open the file of a newer one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import duckdb

CREATE_SCHEMA = "CREATE SCHEMA IF NOT EXISTS recall_duckdb;"


def write_database(macros: Path, database: Path) -> None:
    """Create the macros of a file in a new database, whose file is then complete without a log next to it.

    They are in its schema `main`. Attached as `recall_duckdb`, the database stands for the schema of that name: macros
    find each other, and calls are the same as after loading the file of the macros.
    """
    database.unlink(missing_ok=True)
    with duckdb.connect(str(database)) as connection:
        connection.execute(macros.read_text("utf-8").partition(CREATE_SCHEMA)[2])
        connection.execute("CHECKPOINT")


if __name__ == "__main__":
    write_database(*map(Path, sys.argv[1:]))
