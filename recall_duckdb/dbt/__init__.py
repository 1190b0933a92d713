"""Generate the macros of the dbt package from the SQL files: `python -m recall_duckdb.dbt`."""
