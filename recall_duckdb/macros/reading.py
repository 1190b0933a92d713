"""The arguments of macros, and `sql/table_macros`, where a parameter is an argument unless it is given a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Value
from recall_duckdb.macros.names import argument
from recall_duckdb.question import EvaluateQuestion

_DEFAULTS = {field.name: field.default for field in fields(EvaluateQuestion)}
# The arguments that every macro has, with the defaults of `evaluate`. `sql(form="macro")` writes other policies.
COMMON = {
    name: _DEFAULTS[name]
    for name in (
        *("query", "item", "score", "rank", "relevance", "model", "by", "qrels_query", "qrels_item"),
        *("threshold", "missing", "no_relevant"),
    )
}


def relation(name: str, /, **values: Value | Sequence[str] | exp.Expr) -> exp.Select:
    """Return the SELECT of a file, whose parameters are arguments of the macro, apart from those with `values`."""
    tree = templates.table_macros()[name][""].tree()
    arguments = {parameter: argument(parameter) for parameter in trees.parameters(tree)}
    trees.bind(tree, {**arguments, **values})
    return tree


def expression(name: str, column: str = "", /, **values: Value | Sequence[str] | exp.Expr) -> exp.Expr:
    """Return the expression of a column of a file, by default of its only one."""
    value: exp.Expr
    [value] = [each.this for each in relation(name, **values).expressions if column in ("", each.alias)]
    return value


def statement_of(side: str) -> exp.Expr:
    """Return the text of the statement that reads one side; it raises an error if run or qrels is unreadable.

    `query` reads a text that is constant, so DuckDB decides it before it reads anything.
    """
    mistake = expression("unreadable", of_run=side == "run", sides=expression("sides"))
    raised = exp.Anonymous(this="error", expressions=[mistake])
    return exp.func("coalesce", raised, expression("reading", given=argument(side)))
