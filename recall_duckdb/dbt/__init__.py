"""Generate the macros of the dbt package from the SQL files: `python -m recall_duckdb.dbt`.

`parameters` and `loops` say what Jinja calls the parts of a statement that a question decides, `statements` writes one
statement with them, `branches` joins its forms into one text, and `bodies` does that for each SQL file. `arguments` has
the macros that users call, `catalog` the facts that macros written by hand need, and `files` puts it all together.
"""
