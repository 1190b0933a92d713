"""The engines that dialects are executed on, each behind one small door: load two tables, run a statement, get rows.

An engine is there when its package or program is; `missing` says how to get it. In CI every one has to be there.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

Tables = Mapping[str, Mapping[str, Sequence[Any]]]
"""Tables by name, and their columns by theirs: lists of text, of whole numbers or of floats, None for NULL."""


class Engine(Protocol):
    """A database of its own, empty at first."""

    dialect: str

    def load(self, tables: Tables) -> None:
        """Make the tables, in the place of those of the same name."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a statement, numbers as int or float."""

    def close(self) -> None:
        """Stop it."""


def kind(values: Sequence[Any]) -> str:
    """Whether a column holds text, int or float."""
    held = next((type(value).__name__ for value in values if value is not None), "str")
    return {"str": "text"}.get(held, held)


def missing(package: str = "", program: str = "", how: str = "") -> str | None:
    """Why an engine cannot run here, or None."""
    if package and importlib.util.find_spec(package) is None:
        return f"needs the Python package {package}: {how}"
    if program and not Path(program).exists() and shutil.which(program) is None:
        return f"needs {program}: {how}"
    return None


class SQLite:
    dialect = "sqlite"

    @staticmethod
    def missing() -> str | None:
        return None

    def __init__(self) -> None:
        self.connection = sqlite3.connect(":memory:")

    def load(self, tables: Tables) -> None:
        for name, columns in tables.items():
            _make(self.connection.execute, name, columns, {"text": "TEXT", "int": "BIGINT", "float": "DOUBLE"})
            marks = ", ".join("?" for _ in columns)
            self.connection.executemany(f'INSERT INTO "{name}" VALUES ({marks})', zip(*columns.values(), strict=True))

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(statement).fetchall()

    def close(self) -> None:
        self.connection.close()


def _make(execute: Any, name: str, columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> None:
    held = ", ".join(f'"{column}" {types[kind(values)]}' for column, values in columns.items())
    execute(f'DROP TABLE IF EXISTS "{name}"')
    execute(f'CREATE TABLE "{name}" ({held})')


class Postgres:
    dialect = "postgres"
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
        for _ in range(100):
            try:
                self.connection = psycopg.connect(f"host={self.home} user=postgres dbname=postgres", autocommit=True)
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise RuntimeError("PostgreSQL did not start")

    def load(self, tables: Tables) -> None:
        types = {"text": "TEXT", "int": "BIGINT", "float": "DOUBLE PRECISION"}
        for name, columns in tables.items():
            _make(self.connection.execute, name, columns, types)
            with self.connection.cursor() as cursor, cursor.copy(f'COPY "{name}" FROM STDIN') as copy:
                for row in zip(*columns.values(), strict=True):
                    copy.write_row(row)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.connection.execute(statement).fetchall()
        return found

    def close(self) -> None:
        self.connection.close()
        self.server.send_signal(signal.SIGINT)
        self.server.wait(30)
        shutil.rmtree(self.home, ignore_errors=True)


class ClickHouse:
    dialect = "clickhouse"

    @staticmethod
    def missing() -> str | None:
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

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        found = json.loads(str(self.session.query(statement, "JSONCompact")))
        whole = [place for place, column in enumerate(found["meta"]) if "Int" in column["type"]]
        return [
            tuple(int(value) if place in whole and value is not None else value for place, value in enumerate(row))
            for row in found["data"]
        ]

    def close(self) -> None:
        self.session.close()
        shutil.rmtree(self.home, ignore_errors=True)


class DataFusion:
    dialect = "datafusion"

    @staticmethod
    def missing() -> str | None:
        return missing(package="datafusion", how="pip install datafusion")

    def __init__(self) -> None:
        import datafusion

        self.context = datafusion.SessionContext()

    def load(self, tables: Tables) -> None:
        import pyarrow as pa

        types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64()}
        for name, columns in tables.items():
            if self.context.table_exist(name):
                self.context.deregister_table(name)
            held = pa.table({column: pa.array(values, types[kind(values)]) for column, values in columns.items()})
            self.context.register_record_batches(name, [held.to_batches()])

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return [tuple(row.values()) for batch in self.context.sql(statement).collect() for row in batch.to_pylist()]

    def close(self) -> None:
        pass


class GoogleSQL:
    """The reference implementation of BigQuery's SQL."""

    dialect = "bigquery"

    @staticmethod
    def missing() -> str | None:
        return missing(package="zetasql", how="pip install zetasql")

    def __init__(self) -> None:
        import wasmtime
        import zetasql.core.wasm_client as client

        cache = Path(tempfile.gettempdir()) / f"zetasql-{version('wasmtime')}-{version('zetasql')}.module"

        class Cached:  # compiling the module takes a minute, loading it a moment
            @staticmethod
            def from_file(engine: Any, path: str) -> Any:
                if cache.exists():
                    return wasmtime.Module.deserialize_file(engine, str(cache))
                module = wasmtime.Module.from_file(engine, path)
                cache.write_bytes(module.serialize())
                return module

        def address(instance: Any) -> int:
            return int(ctypes.addressof(instance.memory.data_ptr().contents))

        self.tables: dict[str, Any] = {}
        client.Module = Cached

        def write(instance: Any, at: int, data: bytes) -> None:
            ctypes.memmove(address(instance) + at, data, len(data))

        client.WasmClient.write_bytes = write
        client.WasmClient.read_bytes = lambda self, at, size: ctypes.string_at(address(self) + at, size)

    def load(self, tables: Tables) -> None:
        import zetasql.types as zt
        from zetasql.api import CatalogBuilder, TableBuilder, create_table_content
        from zetasql.core import ZetaSqlLocalService

        self.tables.update(tables)
        language = zt.LanguageOptions.maximum_features()
        language.product_mode = zt.ProductMode.PRODUCT_EXTERNAL
        language.reserved_keywords = sorted({*language.reserved_keywords, "QUALIFY"})
        types = {"text": zt.TypeKind.TYPE_STRING, "int": zt.TypeKind.TYPE_INT64, "float": zt.TypeKind.TYPE_DOUBLE}
        catalog = CatalogBuilder("c")
        content = {}
        for name, columns in self.tables.items():
            table = TableBuilder(name)
            for column, values in columns.items():
                table = table.add_column(column, types[kind(values)])
            catalog = catalog.add_table(table.build())
            content[name] = create_table_content([list(row) for row in zip(*columns.values(), strict=True)])
        functions = zt.ZetaSQLBuiltinFunctionOptions(language_options=language)
        self.options = zt.AnalyzerOptions(language_options=language)
        self.service = ZetaSqlLocalService.get_instance()
        self.catalog = self.service.register_catalog(
            simple_catalog=catalog.with_builtin_functions(functions).build(), table_content=content
        ).registered_id

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        found = self.service.evaluate_query(sql=statement, options=self.options, registered_catalog_id=self.catalog)
        return [tuple(map(_held, row.cell)) for row in found.content.table_data.row]

    def close(self) -> None:
        pass


def _held(cell: Any) -> Any:
    return next((value for name, value in vars(cell).items() if name.endswith("_value") and value is not None), None)


class Spark:
    dialect = "spark"

    @staticmethod
    def missing() -> str | None:
        return missing(package="pyspark", how="pip install pyspark") or missing(program="java", how="install Java 17")

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN", "spark.sql.adaptive.enabled": "false",
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }  # fmt: skip
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def load(self, tables: Tables) -> None:
        from pyspark.sql import types as st

        types = {"text": st.StringType(), "int": st.LongType(), "float": st.DoubleType()}
        for name, columns in tables.items():
            schema = st.StructType([st.StructField(column, types[kind(values)]) for column, values in columns.items()])
            rows = list(zip(*columns.values(), strict=True))
            self.session.createDataFrame(rows, schema).createOrReplaceTempView(name)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self.session.sql(statement).collect()]

    def close(self) -> None:
        self.session.stop()


ENGINES: dict[str, Any] = {
    engine.__name__: engine for engine in (SQLite, Postgres, ClickHouse, DataFusion, GoogleSQL, Spark)
}
