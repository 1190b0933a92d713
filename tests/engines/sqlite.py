"""SQLite, which comes with Python."""

from __future__ import annotations

import sqlite3
from typing import Any

from engines.base import Engine, Tables, make, quoted


class SQLite(Engine):
    name = "SQLite"
    dialect = "sqlite"

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def load(self, tables: Tables) -> None:
        for name, columns in tables.items():
            make(self.connection.execute, name, columns, {"text": "TEXT", "int": "BIGINT", "float": "DOUBLE"})
            marks = ", ".join("?" for _ in columns)
            self.connection.executemany(
                f"INSERT INTO {quoted(name)} VALUES ({marks})", zip(*columns.values(), strict=True)
            )

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        cursor = self.connection.execute(statement)
        return [column[0] for column in cursor.description or []], cursor.fetchall()

    def connect(self) -> sqlite3.Connection:
        return self.connection

    def close(self) -> None:
        self.connection.close()
