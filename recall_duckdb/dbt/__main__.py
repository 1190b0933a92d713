"""Write the macros of the dbt package."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from recall_duckdb.dbt.command import run
from recall_duckdb.dbt.package import files
from recall_duckdb.definitions import templates


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the files; return the exit code."""
    return run("recall_duckdb.dbt", arguments, templates.sql_folder() / "macros", "generated/**/*.*", files)


if __name__ == "__main__":
    sys.exit(main())
