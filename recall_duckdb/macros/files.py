"""The generated file `sql/recall_duckdb.sql`: every macro, in a schema of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from recall_duckdb import __version__
from recall_duckdb.definitions import reading, templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.dialects import write
from recall_duckdb.macros import helper, list_functions
from recall_duckdb.macros.creating import Macro
from recall_duckdb.macros.faults import above_zero, error
from recall_duckdb.macros.metric import statement_of
from recall_duckdb.macros.names import CREATE_SCHEMA, LIST, SCHEMA, TITLE, VERSION
from recall_duckdb.macros.reading import COMMON
from recall_duckdb.question import OPTIONAL_INPUTS
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import Policies

TOGETHER = ("recall", "precision", "f1", "hit_rate", "rr", "ap", "ndcg")
_REFUSED = f"{SCHEMA}_refused"
_SHORT = "Stands for the helper while the macros that call it are created; replaced at the end of the file."
_RUN_AND_QRELS = ("run", "qrels")
_MEANS = ("model", "slice", "metric", "k", "value", "queries")


def macros() -> list[Macro]:
    """Return every macro, by name; a function comes after what it calls, and after the table macro of its name."""
    created = [
        *map(of_metric, supported_metrics()),
        *of_several(),
        *list_functions.helpers(),
        *list_functions.of_metrics(),
    ]
    return sorted(created, key=lambda macro: macro.name)


def supported_metrics() -> list[Template]:
    """Return the metrics that have a macro: those of each query that read only run and qrels."""
    of_queries = [template for template in templates.own_metrics().values() if not template.of_whole_run]
    return [template for template in of_queries if reading.inputs_of(template).isdisjoint(OPTIONAL_INPUTS)]


def of_metric(template: Template) -> Macro:
    """Return the macro of a metric, named as in dbt."""
    takes_k = "k" in template.parameters
    return Macro(
        f"{template.name}_at_k" if takes_k else template.name,
        template.definition,
        _RUN_AND_QRELS,
        {**({"k": 10} if takes_k else {}), **_options([template]), **COMMON},
        statement_of([Metric(template)]).of_means(columns=_MEANS),
    )


def of_several() -> list[Macro]:
    """Return the macros of several metrics, and that of the checks, and the helper that all of them read."""
    own = [templates.own_metrics()[name] for name in TOGETHER]
    metrics = [Metric(template) for template in own]
    arguments = {"k": 10, **_options(own), **COMMON}
    return [
        Macro(
            "ranking_metrics",
            f"The means of {', '.join(TOGETHER)}, in one pass: metric, k, value, queries.",
            _RUN_AND_QRELS,
            arguments,
            statement_of(metrics).of_means(columns=_MEANS),
        ),
        Macro(
            "ranking_metrics_per_query",
            f"The values of each query: query, k, {', '.join(TOGETHER)}.",
            _RUN_AND_QRELS,
            arguments,
            statement_of(metrics).of_queries(("model", "query", "slice", "k", *TOGETHER)),
        ),
        Macro(
            "ranking_check",
            "The faults of run and qrels: check, rule, faults, do and an example.",
            _RUN_AND_QRELS,
            COMMON,
            helper.faults(),
        ),
        Macro(
            helper.NAME,
            "Read by the other macros, not by users: the judged items with their ranks, after all checks.",
            _RUN_AND_QRELS,
            {**COMMON, **helper.OPTIONS},
            helper.select(),
        ),
    ]


def _options(metrics: Sequence[Template]) -> dict[str, object]:
    defaults: dict[str, object] = {}
    for template in metrics:
        defaults |= Metric(template).values(Policies().settings())
    return {name: value for name, value in defaults.items() if name not in ("k", "threshold", "mean")}


def _refusal() -> exp.Expr:
    """Return the statement that stops the file if a database has the name of the schema."""
    text = (
        f"a database is called {SCHEMA}, like the schema of the macros. Attach it under another name, call "
        "recall_duckdb.install from Python, or load what follows CREATE SCHEMA in this file"
    )
    has_name = exp.EQ(this=exp.func("lower", exp.column("database_name")), expression=trees.literal(SCHEMA))
    message = exp.Case(ifs=[exp.If(this=above_zero(exp.Count(this=exp.Star())), true=error(trees.literal(text)))])
    refused = exp.select(message).from_(exp.Anonymous(this="duckdb_databases")).where(has_name).subquery()
    given = exp.SetItem(this=exp.EQ(this=exp.column(_REFUSED), expression=refused), kind="VARIABLE")
    return exp.Set(expressions=[given])


def text() -> str:
    """Return the file."""
    own = macros()
    head = (
        f"-- {TITLE}. Written by `python -m recall_duckdb.macros`.\n"
        f"-- Version {__version__}. Any DuckDB client can load this file: DuckDB 1.4.3 or later.\n"
        "-- In a database with the name of the schema, DuckDB could not tell them apart: check before creating it.\n"
        f"{write(_refusal(), 'duckdb', pretty=True)};\n"
        f"RESET VARIABLE {_REFUSED};\n"
        f"{CREATE_SCHEMA}\n"
    )
    listed = dict.fromkeys([LIST, VERSION, *(macro.name for macro in own)])
    names = exp.Array(expressions=list(map(trees.literal, listed)))
    list_of_names = (
        "-- The names of the macros in this file.\n"
        f"CREATE OR REPLACE MACRO {SCHEMA}.{LIST}() AS {write(names, 'duckdb', pretty=True)};\n"
        "-- The version of the macros.\n"
        f"CREATE OR REPLACE MACRO {SCHEMA}.{VERSION}() AS {write(trees.literal(__version__), 'duckdb')};\n"
    )
    # When DuckDB creates a macro, it plans those that it calls. With the helper itself, 1.4 takes four times as long.
    whole, *others = sorted(own, key=lambda macro: macro.name != helper.NAME)
    short = replace(whole, description=_SHORT, body=helper.short())
    return "\n".join([head, list_of_names, *(macro.text() for macro in [short, *others, whole])])
