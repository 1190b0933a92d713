"""fakesnow, which rewrites Snowflake's SQL for DuckDB and runs it there, in a separate process and environment.

It proves little about Snowflake: sqlglot, which wrote the statement, also reads it, and DuckDB computes it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from math import isnan
from pathlib import Path
from typing import Any

from engines.base import Engine, Tables, kind, quoted

SERVER = Path(__file__).with_name("fakesnow_server.py")


class FakeSnow(Engine):
    name = "fakesnow"
    dialect = "snowflake"
    label = "emulated and parsed"
    has_infinity = False  # nor NaN: its rewritten INSERT has neither
    impossible_names = ("a'b", "''", "a\\'b")  # it stores names in its own table without escaping quotes
    python = os.environ.get("RECALL_DUCKDB_FAKESNOW", "")

    @classmethod
    def missing(cls) -> str | None:
        how = "python -m venv V && V/bin/pip install fakesnow 'snowflake-connector-python<5', and V/bin/python in it"
        return None if cls.python else f"needs RECALL_DUCKDB_FAKESNOW: {how}"

    def __init__(self) -> None:
        # -I: do not import this folder's fakesnow.py; -W: ignore fakesnow's own warnings.
        self.program = subprocess.Popen(
            [self.python, "-I", "-W", "ignore", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def _ask(self, statement: str, parameters: list[Any] | None = None) -> dict[str, Any]:
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.program.stdin.write(json.dumps([statement, parameters]) + "\n")
        self.program.stdin.flush()
        answer: dict[str, Any] = json.loads(self.program.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"fakesnow: {answer['error']}")
        return answer

    def load(self, tables: Tables) -> None:
        types = {"text": "VARCHAR", "int": "BIGINT", "float": "DOUBLE"}
        for name, columns in tables.items():
            held = ", ".join(f"{_name(column)} {types[kind(column, values)]}" for column, values in columns.items())
            rows = list(zip(*columns.values(), strict=True))
            marks = ", ".join(f"({', '.join('%s' for _ in columns)})" for _ in rows)
            self._ask(f"CREATE OR REPLACE TABLE {name} ({held})")
            if rows:
                self._ask(f"INSERT INTO {name} VALUES {marks}", [_storable(value) for row in rows for value in row])

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        answer = self._ask(statement)
        return answer["names"], [tuple(row) for row in answer["rows"]]

    def close(self) -> None:
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        self.program.stdin.close()
        self.program.wait(300)
        self.program.stdout.close()


def _storable(value: Any) -> Any:
    return None if isinstance(value, float) and isnan(value) else value


def _name(column: str) -> str:
    """Return a name as users write it: quoted only if necessary. Snowflake turns an unquoted name into capitals."""
    return column if re.fullmatch("[a-z_]+", column) and column != "select" else quoted(column)
