"""Fast plans: SQL files of `sql/duckdb` and `sql/one_pass` that replace definitions and give the same rows.

Each plan is a module: its class says what it replaces, and its `choose` is the rule that says when to use it.
`choosing.RULES` lists the rules in the order in which they are tried. The composer and the checks know no plan.
`one_pass` is for engines other than DuckDB.
"""
