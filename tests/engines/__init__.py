"""The engines that run the statements of dialects, and the choice of engines to test.

RECALL_DUCKDB_ENGINES names the engines to test. A test marked `needs(name)` is deselected if that name is not among
them, and fails if the engine is named but not installed.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from engines.base import RELATIVE, Engine, Tables, start
from engines.clickhouse import ClickHouse
from engines.fakesnow import FakeSnow
from engines.fusion import DataFusion
from engines.googlesql import GoogleSQL
from engines.mariadb import MariaDB
from engines.postgres import Postgres
from engines.spark import Spark
from engines.sqlite import SQLite
from engines.trino import Trino

__all__ = ["ENGINES", "ON_REQUEST", "RELATIVE", "Engine", "Tables", "on", "requested", "start"]

ENGINES: dict[str, type[Engine]] = {
    engine.__name__: engine
    for engine in (SQLite, Postgres, MariaDB, ClickHouse, DataFusion, GoogleSQL, FakeSnow, Trino, Spark)
}

# SQLite comes with Python; the others need packages, programs or separate environments.
ON_REQUEST = (*(name for name in ENGINES if name != "SQLite"), "sqlfluff", "dbt", "SQLMesh", "clients", "Chromium")


def requested() -> frozenset[str]:
    """Return the names in RECALL_DUCKDB_ENGINES, which is "all" or names separated by commas."""
    names = os.environ.get("RECALL_DUCKDB_ENGINES", "")
    if names == "all":
        return frozenset(ON_REQUEST)
    asked = {name.strip() for name in names.split(",")} - {""}
    if unknown := sorted(asked - {*ON_REQUEST}):
        known = ", ".join(ON_REQUEST)
        raise pytest.UsageError(f"RECALL_DUCKDB_ENGINES: unknown name {unknown[0]!r}. Use all, or names among {known}.")
    return frozenset(asked)


def on(engine: str, *values: object, nightly: bool = False) -> Any:
    """Return the parameters of a test that runs on an engine, or each night on an engine that needs no request."""
    marks = [pytest.mark.needs(engine)] if engine in ON_REQUEST else [pytest.mark.nightly] * nightly
    return pytest.param(engine, *values, marks=marks)
