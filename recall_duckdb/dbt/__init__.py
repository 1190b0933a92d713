"""Generate the macros of the dbt package from the SQL files: `python -m recall_duckdb.dbt`.

`parameters` and `loops` define the Jinja for the parts of a statement that depend on the question. `statements` writes
one statement with this Jinja, `branches` joins the forms of a statement into one text, and `bodies` does this for each
SQL file. `checks` collects the data checks, `arguments` defines the macros that users call, and `catalog` the facts for
handwritten macros. `files` puts everything together.
"""
