"""The macros and data tests that users call, with their arguments."""

from __future__ import annotations

import json
import keyword
import textwrap
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from recall_duckdb.dbt.parameters import check_option
from recall_duckdb.definitions.templates import Template
from recall_duckdb.question import OPTIONAL_INPUTS, Data, documented
from recall_duckdb.question.metrics import options
from recall_duckdb.question.policies import CHOICES


class Argument(NamedTuple):
    """An argument of a macro: its type and default in dbt's words, and what it says."""

    type: str
    default: str
    says: str


# What macros do where Python would check the data first.
_UNCHECKED = {"duplicates": None, "nulls": "last"}


def policy_choices(name: str) -> list[str | None]:
    """Return the values of a policy that a macro takes, its default first."""
    values: list[str | None] = [value for value in CHOICES[name] if value != "error"]
    usual = _UNCHECKED.get(name, values[0])
    return [usual, *(value for value in values if value != usual)]


def _policy(name: str, says: str) -> Argument:
    usual = policy_choices(name)[0]
    return Argument("string", "none" if usual is None else repr(usual), says)


_COLUMNS = "list[string]"
ARGUMENTS = {
    "run": Argument("relation", "", "what was retrieved: a relation, or a mapping of relations by their models' names"),
    "qrels": Argument("relation", "none", "what is relevant; without it, the column relevance of the run judges"),
    "k": Argument("list[integer]", "10", "the cutoff, or a list of them; none for the whole list"),
    "query": Argument(_COLUMNS, "'query'", "the column of queries, or users; or a list of columns"),
    "item": Argument("string", "'item'", "the column of items"),
    "score": Argument("string", "'score'", "the column of scores, of which the highest is the best"),
    "rank": Argument("string", "none", "the column of ranks from 1, in the place of a score"),
    "relevance": Argument(
        "string", "'relevance'", "the column of relevance; none (in YAML null) where every row of qrels is relevant"
    ),
    "model": Argument("string", "none", "the column that says which model a row is of"),
    "by": Argument(_COLUMNS, "none", "the columns to average within, in addition to the means over all queries"),
    "by_in": Argument("string", "'qrels'", "the relation that holds the columns of by: qrels or run"),
    "qrels_query": Argument(_COLUMNS, "none", "what query is called in qrels, if otherwise"),
    "qrels_item": Argument("string", "none", "what item is called in qrels, if otherwise"),
    "filter": Argument("string", "none", "a condition on the rows of run, and on those of qrels"),
    "qrels_filter": Argument("string", "none", "the condition on the rows of qrels, if it is another; '' for none"),
    "per_query": Argument("bool", "false", "a row for each judged query, a column for each metric, instead of means"),
    **{
        name: Argument(
            "relation",
            "none",
            f"{documented(Data)[name].partition(';')[0].rstrip('.')}: a relation with the columns "
            f"{', '.join([*keys, *numbers])}",
        )
        for name, (keys, numbers) in OPTIONAL_INPUTS.items()
    },
    "no_relevant": _policy("no_relevant", "a query with nothing relevant: zero or skip"),
    "missing": _policy("missing", "a judged query for which the run retrieves nothing: zero or skip"),
    "ties": _policy("ties", "equal scores: item_desc, item, optimistic, pessimistic or expected"),
    "duplicates": _policy("duplicates", "an item twice in a list counts twice (none: test for it), or once (best)"),
    "nulls": _policy("nulls", "a NULL score is ranked last, a NULL relevance none (last); or drop the row"),
    "precision": _policy("precision", "what precision divides by where fewer are retrieved: k or retrieved"),
    "semantics": _policy("semantics", "scores compare in 64 bits (trec_eval_10) or 32 (trec_eval_9)"),
    "threshold": Argument("float", "none", "the relevance from which an item is relevant; none: anything above 0"),
    "min_score": Argument("float", "none", "the score below which an item is not recommended; none: all are"),
}
_TESTED = Argument("relation", "", "the relation that dbt tests: the run")
_AT_LEAST = Argument("float", "", "the least that each value may be, at every cutoff, of every model and slice")
_MODEL_COLUMN = Argument("string", "none", "the column that says which model a row is of")
# The macro and data tests for several metrics, in `evaluate.sql` and `tests.sql`.
_OTHERS = {
    "evaluate": (
        "Several metrics in one pass. A SELECT of their means in long form: model, the columns of by, metric, k, value "
        "and queries; or, as per_query, of a row for each judged query.",
        {
            "metrics": Argument(_COLUMNS, "", "names such as recall@5,10 or fbeta(beta=2)@10, each text of one metric"),
            **{key: argument for key, argument in ARGUMENTS.items() if key != "k"},
        },
    ),
    "test_metric_not_below_previous": (
        "Fails for every mean that is lower than before by more than a tolerance, or gone, and where there is none: of "
        "each metric that is compared, more is better.",
        {
            "model": Argument("relation", "", "the relation that dbt tests: means, as evaluate selects them"),
            "previous": Argument("relation", "none", "the means of the run before"),
            "order_by": Argument("string", "none", "instead: a column that tells the runs in the same table apart"),
            "metric": Argument(_COLUMNS, "none", "the metrics to compare, by their names there; none: all"),
            "by": Argument(_COLUMNS, "none", "the columns of slices"),
            "tolerance": Argument("float", "0", "how much lower a value may be"),
        },
    ),
    "test_no_duplicate_recommendations": (
        "Fails for every item that a list holds more than once.",
        {
            "model": _TESTED,
            **{name: ARGUMENTS[name] for name in ("query", "item")},
            "model_column": _MODEL_COLUMN,
        },
    ),
}
# Arguments that the macros of a metric already have.
_TAKEN = (*ARGUMENTS, "model_column", "at_least", "means", "recall_duckdb", *keyword.kwlist, "none", "true", "false")


class Public(NamedTuple):
    """A macro or data test that users call."""

    name: str
    says: str
    arguments: Mapping[str, Argument]
    text: str = ""


def of_several() -> list[Public]:
    """Return the macro and the data tests that are of no one metric."""
    return [Public(name, says, arguments) for name, (says, arguments) in _OTHERS.items()]


def evaluate() -> str:
    """Return the macro `evaluate`, which takes every argument and hands them on as one mapping."""
    _, arguments = _OTHERS["evaluate"]
    given = ", ".join(f"{name!r}: {name}" for name in arguments)
    asked = textwrap.fill(given, 118, initial_indent="    ", subsequent_indent="    ")
    return (
        f"{{% macro evaluate({_signature(arguments)}) %}}\n"
        f"  {{%- set q = recall_duckdb.question({{\n{asked}\n  }}) -%}}\n"
        "  {{- recall_duckdb.composed(q, per_query) -}}\n"
        "{% endmacro %}\n"
    )


def of_metric(template: Template) -> list[Public]:
    """Return the macro of a metric, and the data test that fails if a mean is below a value.

    Raises:
        MetricFileError: an option of the metric has the name of an argument.
    """
    for option in template.options.values():
        check_option(template, option, _TAKEN)
    name, takes_k = template.name, "k" in template.parameters
    macro = f"{name}_at_k" if takes_k else name
    own = {
        option.name: Argument("string" if option.choices else "float", "none", str(option))
        for option in options(template).values()
        if option.name != "threshold"
    }
    first = ("run", "qrels", "k") if takes_k else ("run", "qrels")
    common = {key: value for key, value in ARGUMENTS.items() if key not in ("run", "qrels", "k")}
    arguments = {**{key: ARGUMENTS[key] for key in first}, **own, **common}
    given = ", ".join(f"{option!r}: {option}" for option in own)
    spelled = f"recall_duckdb.metric_name({name!r}, {'k' if takes_k else 'none'}, {{{given}}})"
    passed = ", ".join(f"{key}={key}" for key in common)
    of_means = Public(
        macro,
        template.definition,
        arguments,
        f"{{% macro {macro}({_signature(arguments)}) %}}\n"
        f"  {{{{- recall_duckdb.evaluate({spelled}, run, qrels, {passed}) -}}}}\n"
        "{% endmacro %}\n",
    )
    kept = {key: value for key, value in arguments.items() if key not in ("run", "model", "per_query")}
    arguments = {"model": _TESTED, "at_least": _AT_LEAST, **kept, "model_column": _MODEL_COLUMN}
    passed = ", ".join(f"{key}={'model_column' if key == 'model' else key}" for key in common if key != "per_query")
    at_least = Public(
        f"test_{macro}_at_least",
        f"Fails for every mean of {name} that is below a value, and where there is none.",
        arguments,
        f"{{% test {macro}_at_least({_signature(arguments)}) %}}\n"
        f"  {{%- set means = recall_duckdb.evaluate({spelled}, model, qrels, {passed}) -%}}\n"
        f"  {{{{- recall_duckdb.means_at_least(means, {spelled}, at_least, by, model, filter) -}}}}\n"
        "{% endtest %}\n",
    )
    return [of_means, at_least]


def _signature(arguments: Mapping[str, Argument]) -> str:
    written = [f"{name}={default}" if default else name for name, (_, default, _) in arguments.items()]
    return "\n" + textwrap.fill(", ".join(written), 118, initial_indent="  ", subsequent_indent="  ") + "\n"


def documented_in_yaml(public: Iterable[Public], others: Iterable[str]) -> str:
    """Return the properties of the macros in dbt's YAML: the public ones with their arguments, the others hidden."""
    lines = ["# Written by `python -m recall_duckdb.dbt`.", "version: 2", "macros:"]
    for macro in public:
        lines += [f"  - name: {macro.name}", f"    description: {json.dumps(macro.says, ensure_ascii=False)}"]
        lines += ["    arguments:"]
        for name, argument in macro.arguments.items():
            usual = f" (default: {argument.default})" if argument.default else ""
            lines += [f"      - name: {name}", f"        type: {argument.type}"]
            lines += [f"        description: {json.dumps(argument.says + usual, ensure_ascii=False)}"]
    for name in sorted(others):
        lines += [f"  - name: {name}", "    docs: {show: false}"]
    return "\n".join([*lines, ""])
