"""ClickHouse, in this process."""

from __future__ import annotations

import json
import shutil
import tempfile
from typing import Any

from engines.base import Engine, Tables, kind, missing


class ClickHouse(Engine):
    name = "ClickHouse"
    dialect = "clickhouse"

    @classmethod
    def missing(cls) -> str | None:
        return missing(package="chdb", how="pip install chdb")

    def __init__(self) -> None:
        from chdb import session

        self.home = tempfile.mkdtemp()
        self.session: Any = session.Session(self.home)
        self.session.query("CREATE DATABASE IF NOT EXISTS t ENGINE=Atomic")
        self.session.query("USE t")

    def load(self, tables: Tables) -> None:
        types = {"text": "Nullable(String)", "int": "Nullable(Int64)", "float": "Nullable(Float64)"}
        for name, columns in tables.items():
            held = ", ".join(f"`{column}` {types[kind(values)]}" for column, values in columns.items())
            self.session.query(f"DROP TABLE IF EXISTS `{name}`")
            self.session.query(f"CREATE TABLE `{name}` ({held}) ENGINE=Memory")
            rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
            lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
            if rows:
                self.session.query(f"INSERT INTO `{name}` FORMAT JSONEachRow {lines}")

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        found = json.loads(str(self.session.query(statement, "JSONCompact")))
        whole = [place for place, column in enumerate(found["meta"]) if "Int" in column["type"]]
        return [column["name"] for column in found["meta"]], [
            tuple(int(value) if place in whole and value is not None else value for place, value in enumerate(row))
            for row in found["data"]
        ]

    def close(self) -> None:
        self.session.close()
        shutil.rmtree(self.home, ignore_errors=True)
