"""How a macro reads the relations that its arguments `run` and `qrels` name."""

from __future__ import annotations

from collections.abc import Mapping

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.inputs.usual_names import USUAL_NAMES
from recall_duckdb.macros.names import argument


def statement_of(side: str) -> exp.Expr:
    """Return the text of the statement that reads one side; it raises an error if run or qrels is unreadable.

    `query` reads a text that is constant, so DuckDB decides it before it reads anything.
    """
    statement = _expression("reading", {"given": argument(side)})
    arguments: dict[str, exp.Expr] = {"run": argument("run"), "qrels": argument("qrels"), "sides": _sides()}
    arguments |= {name: argument(name) for name in ("query", "item", "model", "by", "qrels_query", "qrels_item")}
    arguments["of_run"] = trees.literal(side == "run")
    mistake = exp.Anonymous(this="error", expressions=[_expression("unreadable", arguments)])
    return exp.func("coalesce", mistake, statement)


def wrong_files() -> exp.Select:
    """Return the relation that holds a message if files would be misread."""
    tree = templates.table_macros()["wrong_files"][""].tree()
    trees.bind(tree, {"sides": _sides()})
    return tree


def unnamed_models() -> exp.Select:
    """Return the relation that holds a message if the run may hold several models."""
    tree = templates.table_macros()["unnamed_models"][""].tree()
    names = ("model", "query", "item", "score", "rank", "by")
    arguments = {name: argument(name) for name in names}
    trees.bind(tree, {**arguments, "statement": statement_of("run"), "names": list(USUAL_NAMES["model"])})
    return tree


def _expression(name: str, values: Mapping[str, exp.Expr]) -> exp.Expr:
    tree = templates.table_macros()[name][""].tree()
    trees.bind(tree, values)
    [expression] = [each.this for each in tree.expressions]
    assert isinstance(expression, exp.Expr)
    return expression


def _sides() -> exp.Array:
    """Return a list for each side: its name, the argument, three columns of ids, and the column of numbers.

    As text, a list in place of a name does not stop DuckDB before our message.
    """
    of_qrels = [exp.func("coalesce", argument(f"qrels_{name}"), argument(name)) for name in ("query", "item")]
    sides = {
        "run": [
            *map(argument, ("model", "query", "item")),
            exp.func("coalesce", argument("rank"), argument("score")),
        ],
        "qrels": [argument("by"), *of_qrels, argument("relevance")],
    }
    rows = []
    for side, columns in sides.items():
        *ids, number = columns
        texts = [exp.cast(each, "VARCHAR") for each in (argument(side), *ids)]
        rows.append(exp.Array(expressions=[trees.literal(side), *texts, number]))
    return exp.Array(expressions=rows)
