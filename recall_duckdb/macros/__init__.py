"""DuckDB's table macros: the metrics as table functions in a schema of their own, in one SQL file."""
