"""Trino, a server of one node, started for the tests from jars that Maven has downloaded."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from engines.base import Engine, Tables, make, missing

HERE = Path(__file__).parent / "trino_server"
VERSION = ElementTree.parse(HERE / "pom.xml").findtext(".//{*}trino.version")
JARS = Path.home() / ".cache" / "recall_duckdb" / f"trino-{VERSION}"


class Trino(Engine):
    name = "Trino"
    dialect = "trino"
    relatives = ("presto", "athena")

    @classmethod
    def missing(cls) -> str | None:
        return (
            missing(package="trino", how="pip install trino")
            or missing(program="java", how="install a JDK, 17 or later")
            or missing(program=str(JARS), how=f"mvn -q -f {HERE} dependency:copy-dependencies")
        )

    def __init__(self) -> None:
        from trino.dbapi import connect

        self.held: dict[str, str] = {}
        self.home = tempfile.mkdtemp()
        quick = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx2g"]
        log = Path(self.home, "log")
        with log.open("w") as errors:
            self.server = subprocess.Popen(
                ["java", *quick, "-cp", f"{JARS}/*", HERE / "Main.java", self.home],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        assert self.server.stdout is not None
        port = self.server.stdout.readline()
        if not port:
            raise RuntimeError(f"Trino did not start: {log.read_text()[-2000:]}")
        self.connection = connect(
            host="127.0.0.1",
            port=int(port),
            user="test",
            catalog="memory",
            schema="default",
            session_properties={"task_concurrency": "1"},
            legacy_prepared_statements=False,
        )

    def load(self, tables: Tables) -> None:
        types = {"text": "VARCHAR", "int": "BIGINT", "float": "DOUBLE"}
        for name, columns in tables.items():
            if self.held.get(name) == repr(columns):  # an INSERT takes longer than many queries
                continue
            self.held.pop(name, None)
            make(self._execute, name, columns, types)
            rows = list(zip(*columns.values(), strict=True))
            if rows:
                row = f"({', '.join('?' * len(columns))})"
                values = [value for row in rows for value in row]
                self._execute(f'INSERT INTO "{name}" VALUES {", ".join([row] * len(rows))}', values)
            self.held[name] = repr(columns)

    def _execute(self, statement: str, values: list[Any] | None = None) -> Any:
        cursor = self.connection.cursor()
        cursor.execute(statement, values)
        return cursor.description, cursor.fetchall()  # the statement ends only when its rows are fetched

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        description, rows = self._execute(statement)
        return [column[0] for column in description or []], [tuple(row) for row in rows]

    def connect(self) -> Any:
        return self.connection

    def close(self) -> None:
        self.connection.close()
        self.server.communicate(timeout=300)
        shutil.rmtree(self.home, ignore_errors=True)
