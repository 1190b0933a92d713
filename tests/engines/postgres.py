"""PostgreSQL, a server from Debian's package, started for the tests."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from engines.base import Engine, Tables, make, missing, quoted


class Postgres(Engine):
    name = "PostgreSQL"
    dialect = "postgres"
    relatives = ("redshift", "materialize", "risingwave")
    programs = max(Path("/usr/lib/postgresql").glob("*/bin"), default=Path("/usr/lib/postgresql"))

    @classmethod
    def missing(cls) -> str | None:
        package = missing(package="psycopg", how="pip install 'psycopg[binary]'")
        return package or missing(program=str(cls.programs / "initdb"), how="apt-get install postgresql")

    def __init__(self) -> None:
        import psycopg

        self.home = tempfile.mkdtemp()
        options: dict[str, Any] = {"cwd": self.home, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            options |= {"user": "postgres", "group": "postgres", "extra_groups": []}
            shutil.chown(self.home, "postgres", "postgres")
        data = f"{self.home}/data"
        new = ["-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8"]
        subprocess.run([self.programs / "initdb", *new], check=True, **options)
        start = ["-D", data, "-k", self.home, "-c", "listen_addresses=", "-c", "fsync=off"]
        self.server = subprocess.Popen([self.programs / "postgres", *start], **options)
        while self.server.poll() is None:
            try:
                self.connection = self.open()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise RuntimeError("PostgreSQL did not start")

    def open(self, database: str = "postgres", user: str = "postgres", options: str = "") -> Any:
        """Open a connection to one of its databases."""
        import psycopg

        # A prepared statement would still refer to the tables of the previous case.
        place: dict[str, Any] = {"host": self.home, "dbname": database, "user": user, "options": options}
        return psycopg.connect(**place, autocommit=True, prepare_threshold=None)

    def load(self, tables: Tables) -> None:
        types = {"text": "TEXT", "int": "BIGINT", "float": "DOUBLE PRECISION"}
        for name, columns in tables.items():
            make(self.connection.execute, name, columns, types)
            with self.connection.cursor() as cursor, cursor.copy(f"COPY {quoted(name)} FROM STDIN") as copy:
                for row in zip(*columns.values(), strict=True):
                    copy.write_row(row)

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        cursor = self.connection.execute(statement)
        if cursor.description is None:
            return [], []
        return [column.name for column in cursor.description], cursor.fetchall()

    def connect(self) -> Any:
        return self.connection

    def close(self) -> None:
        self.connection.close()
        self.server.send_signal(signal.SIGINT)
        self.server.wait(300)
        shutil.rmtree(self.home, ignore_errors=True)
