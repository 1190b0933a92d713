"""Fast plans: SQL files of `sql/duckdb` that replace definitions on DuckDB and give the same rows.

Each plan is a module here: its class says what it replaces, and its `choose` when to use it. `choosing.RULES` lists
these rules in the order in which they are tried. Neither the composer nor the checks know any of them.
"""
