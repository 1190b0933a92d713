"""The import that makes the macro available in a project."""

from recall_duckdb.sqlmesh import recall_duckdb

__all__ = ["recall_duckdb"]
