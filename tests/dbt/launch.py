"""Run dbt as a separate program, because it needs a separate Python environment.

`python launch.py TARGET ARGUMENT…` runs dbt once. `python launch.py TARGET` runs dbt once for every input line, in one
process. Each input line is JSON: dbt's arguments, after variables of the environment as NAME=value. Each output line is
{"success": …, "error": …, "results": [[id, status, message], …]}, and also has "names" and "rows" for `show`. dbt's own
output goes to standard error, and its files go to RECALL_DUCKDB_HOME.
"""

from __future__ import annotations

import json
import os
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

_VARIABLE = re.compile(r"[A-Z_]+=")


def use_chdb() -> None:
    """Connect dbt-clickhouse to a ClickHouse in this process; its client supports this, but its profile does not."""
    import clickhouse_connect

    get_client = clickhouse_connect.get_client

    def get_chdb(**options: Any) -> Any:
        return get_client(interface="chdb", path=options["host"], settings=options["settings"])

    clickhouse_connect.get_client = get_chdb


def plain(value: object) -> object:
    """Convert a value to JSON. dbt makes decimals from the shortest text of floats, so converting back is exact."""
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, (str, bool, int, type(None))) else str(value)


def answer(done: Any) -> dict[str, object]:
    """Return the outcome of a command."""
    results = getattr(done.result, "results", [])  # some, like docs, have none
    outcome: dict[str, object] = {
        "success": done.success,
        "error": None if done.exception is None else str(done.exception),
        "results": [
            [getattr(result, "node", result).unique_id, str(result.status), result.message] for result in results
        ],
    }
    table = getattr(results[0], "agate_table", None) if len(results) == 1 else None
    if table is not None:
        outcome |= {"names": list(table.column_names), "rows": [[plain(value) for value in row] for row in table.rows]}
    return outcome


def main(target: str, *arguments: str) -> None:
    """Run the command in the arguments, or without arguments each input line."""
    home = Path(os.environ["RECALL_DUCKDB_HOME"])
    os.environ |= {
        "DBT_PROFILES_DIR": str(Path(__file__).parent), "DBT_TARGET": target, "DBT_TARGET_PATH": str(home / "target"),
        "DBT_LOG_PATH": str(home / "logs"), "DBT_USE_COLORS": "0", "DBT_SEND_ANONYMOUS_USAGE_STATS": "0",
    }  # fmt: skip
    from dbt.cli.main import dbtRunner

    if target == "clickhouse":
        use_chdb()
    if arguments:
        done = dbtRunner().invoke(list(arguments))
        sys.exit(not done.success if done.exception is None else str(done.exception))
    with os.fdopen(os.dup(1), "w") as out:
        os.dup2(2, 1)  # Spark's Java writes where Python's print does
        for line in sys.stdin:
            given = json.loads(line)
            variables = [each for each in given if _VARIABLE.match(each)]
            os.environ |= dict(each.split("=", 1) for each in variables)
            print(json.dumps(answer(dbtRunner().invoke(given[len(variables) :]))), file=out, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
