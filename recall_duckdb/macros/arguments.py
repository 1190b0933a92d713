"""The arguments of macros, and `sql/table_macros`, where a parameter is an argument unless it is given a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Option
from recall_duckdb.definitions.trees import Value
from recall_duckdb.macros.names import argument
from recall_duckdb.question import EvaluateQuestion

_DEFAULTS = {field.name: field.default for field in fields(EvaluateQuestion)}
# The arguments that every table macro has, with the defaults of `evaluate`. `sql(form="macro")` writes other policies.
COMMON = {
    name: _DEFAULTS[name]
    for name in (
        *("query", "item", "score", "rank", "relevance", "model", "by", "qrels_query", "qrels_item"),
        *("threshold", "missing", "no_relevant"),
    )
}


def relation(name: str, /, *arithmetic: str, **values: Value | Sequence[str] | exp.Expr) -> exp.Select:
    """Return the SELECT of a file, whose parameters are arguments of the macro, apart from those with `values`."""
    tree = templates.table_macros()[name][""].tree(*arithmetic)
    arguments = {parameter: argument(parameter) for parameter in trees.parameters(tree)}
    trees.bind(tree, {**arguments, **values})
    return tree


def expression(name: str, column: str = "", /, **values: Value | Sequence[str] | exp.Expr) -> exp.Expr:
    """Return the expression of a column of a file, by default of its only one."""
    value: exp.Expr
    [value] = [each.this for each in relation(name, **values).expressions if column in ("", each.alias)]
    return value


def double(value: exp.Expr) -> exp.Expr:
    """Return a value as DOUBLE."""
    return exp.cast(value, "DOUBLE")


def error(text: exp.Expr) -> exp.Expr:
    """Return the call that raises an error."""
    return exp.Anonymous(this="error", expressions=[text])


def wrong_options(options: Sequence[Option]) -> exp.Expr:
    """Return the message for an option that is out of range, NULL if there is none."""
    cases = exp.Case(ifs=[])
    for option in options:
        value = argument(option.name)
        choices = [choice for choice in option.choices if choice != templates.TABLE]
        if choices:
            allowed: exp.Expr = exp.In(this=value, expressions=[trees.literal(choice) for choice in choices])
            expected = f"{', '.join(choices[:-1])} or {choices[-1]}"
        else:
            low, high = (exp.GTE if option.closed[0] else exp.GT), (exp.LTE if option.closed[1] else exp.LT)
            allowed = exp.and_(
                low(this=value.copy(), expression=trees.literal(option.low)),
                high(this=value.copy(), expression=trees.literal(option.high)),
            )
            expected = str(option).partition(" (")[0].removeprefix(f"{option.name} is ")
        before = trees.literal(f"{option.name}: {expected} is expected, not ")
        mistake = expression("wrong_option", is_allowed=allowed, before=before, value=value.copy())
        cases.append("ifs", mistake.args["ifs"][0])
    return cases
