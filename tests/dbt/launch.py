"""dbt, as a program of its own: it needs a Python environment of its own.

`python launch.py TARGET ARGUMENT…` runs dbt once, and `python launch.py TARGET` once for every line, in one process: a
line of JSON in, dbt's arguments; a line out, {"success": …, "error": …, "results": [[id, status, message], …]}, and
"names" and "rows" if it was `show`. What dbt says goes to standard error, what it makes to RECALL_DUCKDB_HOME.
"""

from __future__ import annotations

import json
import os
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any


def use_chdb() -> None:
    """Let dbt-clickhouse reach a ClickHouse in this process: its client can, but its profile has no word for it."""
    import clickhouse_connect

    get_client = clickhouse_connect.get_client

    def get_chdb(**options: Any) -> Any:
        return get_client(interface="chdb", path=options["host"], settings=options["settings"])

    clickhouse_connect.get_client = get_chdb


def plain(value: object) -> object:
    """A value as JSON has it: dbt makes a decimal of a float's shortest text, which loses nothing."""
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, (str, bool, int, type(None))) else str(value)


def answer(said: Any) -> dict[str, object]:
    """What came of a command."""
    results = getattr(said.result, "results", [])  # some, like docs, have none
    told: dict[str, object] = {
        "success": said.success,
        "error": None if said.exception is None else str(said.exception),
        "results": [
            [getattr(result, "node", result).unique_id, str(result.status), result.message] for result in results
        ],
    }
    table = getattr(results[0], "agate_table", None) if len(results) == 1 else None
    if table is not None:
        told |= {"names": list(table.column_names), "rows": [[plain(value) for value in row] for row in table.rows]}
    return told


def main(target: str, *arguments: str) -> None:
    """Run what the arguments say, or else what every line says."""
    home = Path(os.environ["RECALL_DUCKDB_HOME"])
    os.environ |= {
        "DBT_PROFILES_DIR": str(Path(__file__).parent),
        "DBT_TARGET": target,
        "DBT_TARGET_PATH": str(home / "target"),
        "DBT_LOG_PATH": str(home / "logs"),
        "DBT_USE_COLORS": "0",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "0",
    }
    from dbt.cli.main import dbtRunner

    if target == "clickhouse":
        use_chdb()
    if arguments:
        said = dbtRunner().invoke(list(arguments))
        sys.exit(not said.success if said.exception is None else str(said.exception))
    with os.fdopen(os.dup(1), "w") as out:
        os.dup2(2, 1)  # Spark's Java writes where Python's print does
        for line in sys.stdin:
            print(json.dumps(answer(dbtRunner().invoke(json.loads(line)))), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
