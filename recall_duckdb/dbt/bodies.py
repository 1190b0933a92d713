"""The bodies of the macros: the statement of each SQL file, with Jinja for the parts that depend on the question."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from recall_duckdb.dbt.branches import branch_on
from recall_duckdb.dbt.loops import LOOPS, OWN_LOOPS
from recall_duckdb.dbt.parameters import Parameters, parameters_of
from recall_duckdb.dbt.statements import METRIC_COLUMN, UndecidedError, Writer, choices, decides
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Value


def _body(template: Template, dialect: str, tree: exp.Select) -> str:
    """Return the text of a statement, with all its forms joined into one."""
    parameters = parameters_of(template)
    tests = parameters.tests
    trees.bind(tree, parameters.always)
    inline = {name for alias in choices(tree) for name in decides(alias)}
    outside = tree.copy()
    for alias in list(choices(outside)):
        alias.set("this", exp.null())
    deciding = decides(tree) - (inline - decides(outside))
    names = [name for name in tests if name in deciding]

    def form(settled: Mapping[str, Value]) -> str:
        bound = tree.copy()
        trees.bind(bound, {name: value for name, value in settled.items() if name != "models"})
        loops = {**LOOPS, **OWN_LOOPS.get(template.name, {})}
        if template.stage == templates.COMPARISON:  # there are always models, no item slices, and one value
            loops.pop("model")
            loops.pop("value")
            trees.repeat(bound, {"item_slice_no": []})
        if "models" in settled:
            loops.pop("model")
            if not settled["models"]:
                trees.repeat(bound, {"model": []})
        return Writer(dialect, parameters, loops, settled).statement(bound)

    try:
        return branch_on(names, tests, form)
    except UndecidedError:
        return branch_on(["models", *names], tests, form)


def relation(template: Template, dialect: str) -> str:
    """Return the text of a relation, or of the rows that a check finds."""
    tree = template.tree("expected")
    if template.name == "measured":
        tree.expressions[-1].set("this", exp.column("raw"))
    if template.name == "per_query":
        tree.join("others_measured", using=["model", "query", "item_slice_no"], join_type="inner", copy=False)
        tree.join("metric_of_queries", using=["model", "query"], join_type="left", copy=False)
        tree.join("metric_of_runs", using=["model"], join_type="left", copy=False)
    if template.name == "pairs":  # a query has the slice of the tested model
        trees.bind(tree, {"same_slices": True})
    if template.name == "means":  # a table or view has no order
        tree.set("order", None)
    return _body(template, dialect, tree)


def metric(template: Template, dialect: str) -> str:
    """Return the text of a metric: an expression if it is a plain aggregate, otherwise a relation."""
    tree = template.tree("expected")
    if not template.is_plain:
        tree.expressions[-1].set("alias", exp.to_identifier(METRIC_COLUMN))
        return _body(template, dialect, tree)
    return _forms(
        parameters_of(template), tree, lambda writer, form: writer.expression(form.expressions[-1].this), dialect
    )


def metric_row(dialect: str) -> str:
    """Return the text of a metric's row in the relation `metrics`."""
    columns = [exp.alias_(exp.Placeholder(this=name), name) for name in ("metric_no", "metric")]
    tree = exp.select(*columns, exp.alias_(exp.cast(exp.Placeholder(this="k"), "BIGINT"), "k"))
    return _forms(parameters_of(), tree, Writer.statement, dialect)


def _forms(parameters: Parameters, tree: exp.Select, text: Callable[[Writer, exp.Select], str], dialect: str) -> str:
    """Return the text of a tree without repeated parts, with a branch for each value of its parameters."""
    trees.bind(tree, parameters.always)

    def form(settled: Mapping[str, Value]) -> str:
        bound = tree.copy()
        trees.bind(bound, settled)
        return text(Writer(dialect, parameters, {}, settled), bound)

    deciding = decides(tree)
    return branch_on([name for name in parameters.tests if name in deciding], parameters.tests, form)
