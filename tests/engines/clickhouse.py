"""ClickHouse, run in this process."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from math import isfinite
from typing import Any

from engines.base import Engine, Tables, kind, missing, quoted


class ClickHouse(Engine):
    name = "ClickHouse"
    dialect = "clickhouse"

    @classmethod
    def missing(cls) -> str | None:
        return missing(package="chdb", how="pip install chdb")

    def __init__(self) -> None:
        from chdb import dbapi

        self.home = tempfile.mkdtemp()
        self.connection = dbapi.connect(self.home)
        self._execute("CREATE DATABASE IF NOT EXISTS t ENGINE=Atomic")
        self._execute("USE t")

    def _execute(self, statement: str) -> Any:
        cursor = self.connection.cursor()
        cursor.execute(statement)
        return cursor

    def load(self, tables: Tables) -> None:
        types = {"text": "String", "int": "Int64", "float": "Float64"}
        for name, columns in tables.items():
            held = ", ".join(
                f"{_name(column)} {_nullable(types[kind(column, values)], values)}"
                for column, values in columns.items()
            )
            self._execute(f"DROP TABLE IF EXISTS `{name}`")
            self._execute(f"CREATE TABLE `{name}` ({held}) ENGINE=Memory")
            rows = [dict(zip(columns, map(_readable, row), strict=True)) for row in zip(*columns.values(), strict=True)]
            if rows:
                lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
                self._execute(f"INSERT INTO `{name}` FORMAT JSONEachRow {lines}")

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        cursor = self._execute(statement)
        return [column[0] for column in cursor.description or []], list(cursor.fetchall() or [])

    def connect(self) -> Any:
        return self.connection

    def close(self) -> None:
        self.connection.close()
        shutil.rmtree(self.home, ignore_errors=True)


def _name(text: str) -> str:
    """Quote a name. A backslash is an escape character and is doubled."""
    return quoted(text.replace("\\", "\\\\"), "`")


def _nullable(text: str, values: Sequence[Any]) -> str:
    """Return a type that allows NULL only if values need it, as ClickHouse users do; joins fill other types with 0."""
    return f"Nullable({text})" if None in values else text


def _readable(value: Any) -> Any:
    return str(value) if isinstance(value, float) and not isfinite(value) else value
