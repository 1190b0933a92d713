"""What a project says to have the macro."""

from recall_duckdb.sqlmesh import recall_duckdb

__all__ = ["recall_duckdb"]
