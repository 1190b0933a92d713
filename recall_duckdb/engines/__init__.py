"""Where statements run: DuckDB, any DB-API 2.0 connection, or Spark."""

from recall_duckdb.engines.base import Columns, Session, creation
from recall_duckdb.engines.duckdb import IS_DUCKDB_1, OWN_TABLE, DuckDB, reading
from recall_duckdb.engines.spilling import connect
from recall_duckdb.engines.statements import of_lists

__all__ = ["IS_DUCKDB_1", "OWN_TABLE", "Columns", "DuckDB", "Session", "connect", "creation", "of_lists", "reading"]
