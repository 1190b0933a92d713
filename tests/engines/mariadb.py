"""MariaDB, a server from Debian's package, started for the tests. It is the nearest relative of MySQL here."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from math import isnan
from pathlib import Path
from typing import Any

from engines.base import RELATIVE, Engine, Tables, kind, missing, quoted

MODE = "ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO"


class MariaDB(Engine):
    """MariaDB with the default SQL mode of MySQL.

    Doris and StarRocks are not `relatives`: they cast to BIGINT and STRING, but MariaDB calls these SIGNED and CHAR.
    """

    name = "MariaDB"
    dialect = "mysql"
    label = RELATIVE
    has_infinity = False
    impossible_names = ("é😀", "\t")  # names have characters of at most three bytes and no space at the end
    program = Path("/usr/sbin/mariadbd")

    @classmethod
    def missing(cls) -> str | None:
        package = missing(package="pymysql", how="pip install pymysql")
        return package or missing(program=str(cls.program), how="apt-get install mariadb-server-core")

    def __init__(self) -> None:
        import pymysql

        self.home = tempfile.mkdtemp()
        data = Path(self.home, "data")
        data.mkdir()
        address = f"{self.home}/socket"
        options = [
            "--no-defaults", f"--datadir={data}", f"--socket={address}", "--skip-networking", "--skip-grant-tables",
            "--character-set-server=utf8mb4", "--collation-server=utf8mb4_bin", "--innodb-flush-log-at-trx-commit=0",
        ]  # fmt: skip
        if os.geteuid() == 0:  # without this option, MariaDB refuses to run as root
            options.append("--user=root")
        self.server = subprocess.Popen(
            [self.program, *options], cwd=self.home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self._wait_for(address)
        self.connection = pymysql.connect(
            unix_socket=address, user="root", charset="utf8mb4", collation="utf8mb4_bin", autocommit=True
        )
        self._execute(f"SET sql_mode = '{MODE}'")
        self._execute("CREATE DATABASE t")
        self._execute("USE t")

    def _wait_for(self, address: str) -> None:
        while self.server.poll() is None:
            with socket.socket(socket.AF_UNIX) as probe:  # pymysql leaves a socket open if it cannot connect
                try:
                    probe.connect(address)
                    return
                except OSError:
                    time.sleep(0.1)
        raise RuntimeError("MariaDB did not start")

    def _execute(self, statement: str) -> None:
        with self.connection.cursor() as cursor:
            cursor.execute(statement)

    def load(self, tables: Tables) -> None:
        types = {"text": "VARCHAR(200)", "int": "BIGINT", "float": "DOUBLE"}
        for name, columns in tables.items():
            held = ", ".join(
                f"{quoted(column, '`')} {types[kind(column, values)]}" for column, values in columns.items()
            )
            marks = ", ".join("%s" for _ in columns)
            self._execute(f"DROP TABLE IF EXISTS `{name}`")
            self._execute(f"CREATE TABLE `{name}` ({held})")
            with self.connection.cursor() as cursor:
                rows = [tuple(map(_storable, row)) for row in zip(*columns.values(), strict=True)]
                cursor.executemany(f"INSERT INTO `{name}` VALUES ({marks})", rows)

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        with self.connection.cursor() as cursor:
            cursor.execute(statement)
            return [column[0] for column in cursor.description or []], list(cursor.fetchall())

    def connect(self) -> Any:
        return self.connection

    def close(self) -> None:
        self.connection.close()
        self.server.terminate()
        self.server.wait(300)
        shutil.rmtree(self.home, ignore_errors=True)


def _storable(value: Any) -> Any:
    """Convert NaN to None, because no column can hold NaN."""
    return None if isinstance(value, float) and isnan(value) else value
