"""Spark, in a local session."""

from __future__ import annotations

import tempfile
from typing import Any

from engines.base import Engine, Tables, kind, missing


class Spark(Engine):
    name = "Spark"
    dialect = "spark"
    relatives = ("databricks", "hive")
    impossible_names = ("${x}",)  # the syntax of a setting

    @classmethod
    def missing(cls) -> str | None:
        return missing(package="pyspark", how="pip install pyspark") or missing(program="java", how="install Java 17")

    def __init__(self) -> None:
        from pyspark.sql import SparkSession

        settings = {
            "spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "1", "spark.sql.codegen.wholeStage": "false",
            "spark.sql.codegen.factoryMode": "NO_CODEGEN", "spark.sql.adaptive.enabled": "false",
            "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.warehouse.dir": tempfile.mkdtemp(),
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        }  # fmt: skip
        builder = SparkSession.builder.master("local[2]")
        for name, value in settings.items():
            builder = builder.config(name, value)
        self.session = builder.getOrCreate()
        self.session.sparkContext.setLogLevel("ERROR")

    def load(self, tables: Tables) -> None:
        import pyarrow as pa

        types = {"text": pa.string(), "int": pa.int64(), "float": pa.float64()}
        for name, columns in tables.items():
            # A frame made from rows would start a Python worker of Spark for each statement.
            held = {column: pa.array(values, types[kind(column, values)]) for column, values in columns.items()}
            self.session.createDataFrame(pa.table(held)).createOrReplaceTempView(name)

    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        found = self.session.sql(statement)
        return found.columns, [tuple(row) for row in found.collect()]

    def connect(self) -> Any:
        return self.session

    def close(self) -> None:
        self.session.stop()
