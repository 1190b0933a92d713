"""The engines that dialects are executed on.

An engine is there when its package or program is; `missing` says how to get it. In CI every one has to be there.
"""

from __future__ import annotations

from engines.base import ALL, RELATIVE, Engine, Tables, need
from engines.clickhouse import ClickHouse
from engines.fakesnow import FakeSnow
from engines.fusion import DataFusion
from engines.googlesql import GoogleSQL
from engines.mariadb import MariaDB
from engines.postgres import Postgres
from engines.spark import Spark
from engines.sqlite import SQLite
from engines.trino import Trino

__all__ = ["ALL", "ENGINES", "RELATIVE", "Engine", "Tables", "need"]

ENGINES: dict[str, type[Engine]] = {
    engine.__name__: engine
    for engine in (SQLite, Postgres, MariaDB, ClickHouse, DataFusion, GoogleSQL, FakeSnow, Trino, Spark)
}
