"""Run fakesnow as a separate program, because it needs other versions of duckdb and sqlglot than the tested package.

Each input line is JSON: [statement, its parameters or null]. Each output line is {"names": …, "rows": …} or
{"error": …}.
"""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any


def plain(value: object) -> object:
    """Convert a decimal to a JSON number; Snowflake's whole numbers are decimals."""
    if isinstance(value, Decimal):
        return float(value) if value % 1 else int(value)
    return value


def answer(cursor: Any, line: str) -> dict[str, object]:
    try:
        cursor.execute(*json.loads(line))
        names = [column[0] for column in cursor.description]
        return {"names": names, "rows": [[plain(value) for value in row] for row in cursor.fetchall()]}
    except Exception as error:  # reported to the caller
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer each input line."""
    import fakesnow
    import fakesnow.transforms
    import snowflake.connector

    # Otherwise fakesnow stores DECIMAL(38, 0) in the 64 bits of a BIGINT. Snowflake has all 38 digits.
    fakesnow.transforms.integer_precision = lambda expression: expression
    with fakesnow.patch():
        asked = snowflake.connector.connect(database="db1", schema="s1").cursor()
        for given in sys.stdin:
            print(json.dumps(answer(asked, given)), flush=True)


if __name__ == "__main__":
    main()
