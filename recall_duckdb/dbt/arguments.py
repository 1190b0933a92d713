"""The macros and data tests that users call, with their arguments."""

from __future__ import annotations

import json
import keyword
import textwrap
from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import NamedTuple

from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question import OPTIONAL_INPUTS, Data, argument_docs
from recall_duckdb.question.metrics import options
from recall_duckdb.question.policies import CHOICES


class Argument(NamedTuple):
    """An argument of a macro: its type in dbt, its default in Jinja, and its description."""

    type: str
    default: str
    description: str


def _literal(text: str | None) -> str:
    return "none" if text is None else repr(text)


# Macros cannot check the data first, so the defaults of these policies are not Python's.
_UNCHECKED = {"duplicates": None, "nulls": "last", "ranks": None, "empty": None}


def policy_choices(name: str) -> list[str | None]:
    """Return the values of a policy that macros accept, the default first."""
    values: list[str | None] = [value for value in CHOICES[name] if value != "error"]
    usual = _UNCHECKED.get(name, values[0])
    return [usual, *(value for value in values if value != usual)]


_POLICIES = {
    "no_relevant": "a query without relevant items: zero or skip",
    "missing": "a judged query for which the run retrieves nothing: zero or skip",
    "ties": "equal scores: item_desc, item, optimistic, pessimistic or expected",
    "duplicates": "duplicate items in a list all count (none: test for them), or only the best (best)",
    "nulls": "NULL scores rank last and NULL relevance is not judged (last), or drop the row",
    "precision": "precision divides by k, or by the number retrieved if that is smaller (retrieved)",
    "unjudged": "unjudged items keep their ranks (keep), or are removed before ranking (drop)",
    "ranks": (
        "ranks are 1, 2, 3 and so on (none: test for it), used as they are (given), or only give the order (renumber)"
    ),
    "empty": "a run without rows has no means (none), or is evaluated as the other policies say (allow)",
    "ids": "ids of run and qrels compare as they are (typed), or cast to text (text)",
    "order": (
        "high scores come first (descending) or low ones (ascending); none: descending, and a column called distance, "
        "dist or l2 needs one of the two"
    ),
    "semantics": "scores compare as 64-bit (trec_eval_10) or 32-bit floats (trec_eval_9)",
}
_COLUMNS = "list[string]"
ARGUMENTS = {
    "run": Argument("relation", "", "the lists to evaluate: a relation, or a mapping from model names to relations"),
    "qrels": Argument("relation", "none", "the relevance judgements; leave them out if the run holds the labels"),
    "k": Argument("list[integer]", "10", "the cutoff, or a list of them; none for the whole list"),
    "query": Argument(_COLUMNS, "'query'", "the column of the query (user, case), or a list of columns"),
    "item": Argument("string", "'item'", "the column of the item"),
    "score": Argument("string", "'score'", "the column that orders the items of a query, highest first"),
    "rank": Argument("string", "none", "a column of ranks, 1 for the first, instead of a score"),
    "relevance": Argument(
        "string", "'relevance'", "the column of relevance; none (null in YAML) if every row of qrels is relevant"
    ),
    "model": Argument("string", "none", "the column of the model, if the run holds several models"),
    "by": Argument(
        _COLUMNS,
        "none",
        "the columns to average within, in addition to the means over all queries; several are crossed",
    ),
    "by_in": Argument("string", "'qrels'", "the relation that has the columns of by: qrels or run"),
    "item_by": Argument(
        _COLUMNS, "none", "columns of item_slices to slice the relevant items by, for recall and metrics like it"
    ),
    "qrels_query": Argument(_COLUMNS, "none", "the query column of qrels, if it has another name there"),
    "qrels_item": Argument("string", "none", "the item column of qrels, if it has another name there"),
    "filter": Argument("string", "none", "a condition on the rows of run and qrels"),
    "qrels_filter": Argument("string", "none", "the condition on the rows of qrels, if it differs; '' for none"),
    "per_query": Argument("bool", "false", "select a row for each judged query instead of means"),
    **{
        name: Argument(
            "relation",
            "none",
            f"{argument_docs(Data)[name].partition(';')[0].rstrip('.')}: a relation with the columns "
            f"{', '.join([*keys, *numbers])}",
        )
        for name, (keys, numbers) in OPTIONAL_INPUTS.items()
    },
    **{
        name: Argument("string", _literal(policy_choices(name)[0]), description)
        for name, description in _POLICIES.items()
    },
    "depth": Argument("integer", "none", "only the first candidates of each list count, at most this many; none: all"),
    "threshold": Argument("float", "none", "the lowest relevance that counts as relevant; none: anything above 0"),
    "min_score": Argument("float", "none", "the lowest score that is recommended; none: all scores"),
}
_OF_DAYS = {
    "days": Argument("list[string]", "none", "required: the day to write, such as '2026-01-31', or a list of days"),
    "day_column": Argument(
        "string", "'day'", "the column of the day in run and qrels, a date or a time; none if the run is of one day"
    ),
    "qrels_day_column": Argument("string", "none", "the column of the day in qrels, if it differs; '' for none"),
    "windows": Argument("list[integer]", "1", "lengths in days, such as [1, 7, 28], of windows that end on each day"),
}
_METRICS = Argument(_COLUMNS, "", "names such as recall@5,10 or fbeta(beta=2)@10, one metric per string")
_TESTED = Argument("relation", "", "the relation that dbt tests: the run")
_AT_LEAST = Argument("float", "", "the lowest value that passes, at every cutoff, for every model and slice")
_MODEL_COLUMN = Argument("string", "none", "the column of the model, if the run holds several models")
# The values of policies that a data test has in addition, first its default if it is the test's.
_CHECKED = {
    "no_relevant": Argument("string", "'zero'", "error: report queries without relevant items; zero or skip"),
    "missing": Argument("string", "'zero'", "error: report judged queries that are missing from the run; zero or skip"),
    "duplicates": Argument("string", "'error'", "error: report duplicate judgements; best: accept them"),
    "nulls": Argument(
        "string", "'error'", "error: report NULL and NaN; last: accept them as scores and relevance; drop"
    ),
    "ranks": Argument("string", "'error'", "error: report ranks that are not 1, 2, 3 and so on; given or renumber"),
    "empty": Argument("string", "'error'", "error: report relations without rows, or with nothing in common; allow"),
}
_NAMES_OF_CHECKS = {
    "only": Argument(_COLUMNS, "none", "the checks to run, by name; none: all that apply"),
    "skip": Argument(_COLUMNS, "none", "the checks to leave out, by name"),
}
# Arguments that the macros of a metric already have.
_OWN_WORDS = ("model_column", "at_least", "kwargs", "means", "recall_duckdb")
_TAKEN = (*ARGUMENTS, *_OWN_WORDS, *keyword.kwlist, "none", "true", "false")


class Public(NamedTuple):
    """A macro or data test that users call."""

    name: str
    description: str
    arguments: Mapping[str, Argument]
    text: str


def of_questions() -> list[Public]:
    """Return the macros and the data test that take the arguments of a question, in `evaluate.sql`."""
    return [_evaluate(), _pool(), _means_by_day(), _check()]


def _evaluate() -> Public:
    arguments = {"metrics": _METRICS, **_without("k")}
    asked = f"  {{%- set q = recall_duckdb.question({_mapping(arguments)}) -%}}\n"
    return _public(
        "evaluate",
        "Compute several metrics in one pass. The SELECT returns their means: model, the columns of by, metric, k, "
        "value and queries. With per_query, it returns a row for each judged query.",
        arguments,
        f"{asked}  {{{{- recall_duckdb.composed(q, per_query=per_query) -}}}}\n",
    )


def _pool() -> Public:
    metrics = Argument(_COLUMNS, "", "the metrics whose cutoffs limit the pool, such as ndcg@10")
    arguments = {
        "metrics": metrics,
        **_without("k", "by", "by_in", "item_by", "item_slices", "query_slices", "per_query"),
    }
    settings = "'by': none, 'by_in': 'qrels', 'item_by': none, 'item_slices': none, 'query_slices': none, 'pool': true"
    asked = f"  {{%- set q = recall_duckdb.question({_mapping(arguments, settings)}) -%}}\n"
    return _public(
        "pool",
        "Select the unjudged items that the metrics read, over all models, to judge next: query, item, best_rank and "
        "models, the number of lists that hold the item.",
        arguments,
        f"{asked}  {{{{- recall_duckdb.composed(q, pool=true) -}}}}\n",
    )


def _means_by_day() -> Public:
    question = {"metrics": _METRICS, **_without("k", "per_query")}
    first = {name: question[name] for name in ("metrics", "run", "qrels")}
    return _public(
        "means_by_day",
        "Compute the means of a day, and of windows of several days that end on it, for an incremental model with the "
        "configuration of replace_days. The SELECT returns what evaluate returns and policies, version, window_days "
        "and day.",
        {**first, **_OF_DAYS, **question},
        f"  {{{{- recall_duckdb.composed_by_day({_mapping(question)}, {', '.join(_OF_DAYS)}) -}}}}\n",
    )


def _check() -> Public:
    metrics = Argument(_COLUMNS, "none", "metrics with limits, such as err(max_grade=4)@10; none: recall")
    question = {"qrels": ARGUMENTS["qrels"], "metrics": metrics, **_without("run", "qrels", "k", "per_query", "model")}
    asked = _mapping(question, "'run': model, 'model': model_column")
    return _public(
        "test_check",
        "Fails for each kind of fault in the data that evaluate of Python would raise as an error. Its rows name the "
        "check, count the faults, and say what to do. Put it on the run.",
        {"model": _TESTED, **question, **_CHECKED, "model_column": _MODEL_COLUMN, **_NAMES_OF_CHECKS},
        f"  {{{{- recall_duckdb.faults({asked}, {', '.join(_NAMES_OF_CHECKS)}) -}}}}\n",
    )


def _without(*names: str) -> dict[str, Argument]:
    return {name: argument for name, argument in ARGUMENTS.items() if name not in names}


def _public(name: str, description: str, arguments: Mapping[str, Argument], body: str) -> Public:
    """Return a macro, or a data test if its name says so."""
    kind = "test" if name.startswith("test_") else "macro"
    written = [f"{each}={default}" if default else each for each, (_, default, _) in arguments.items()]
    signature = textwrap.fill(", ".join(written), 118, initial_indent="  ", subsequent_indent="  ")
    text = f"{{% {kind} {name.removeprefix('test_')}(\n{signature}\n) %}}\n{body}{{% end{kind} %}}\n"
    return Public(name, description, arguments, text)


def _mapping(names: Iterable[str], settings: str = "") -> str:
    """Return arguments as a mapping in Jinja, with the pairs of other settings."""
    pairs = ", ".join([*(f"{name!r}: {name}" for name in names), *filter(None, [settings])])
    return "{\n" + textwrap.fill(pairs, 118, initial_indent="    ", subsequent_indent="    ") + "\n  }"


def of_metric(template: Template) -> list[Public]:
    """Return the macro of a metric, and its data test, which fails if a mean is too low.

    Raises:
        MetricFileError: an option of the metric has the name of an argument.
    """
    for option in template.options.values():
        check_option(template, option, _TAKEN)
    name, takes_k = template.name, "k" in template.parameters
    macro = f"{name}_at_k" if takes_k else name
    of_options = {
        option.name: Argument("string" if option.choices else "float", "none", str(option))
        for option in options(template).values()
        if option.name != "threshold"
    }
    first = ("run", "qrels", "k") if takes_k else ("run", "qrels")
    arguments = {**{key: ARGUMENTS[key] for key in first}, **of_options}
    pairs = ", ".join(f"{option!r}: {option}" for option in of_options)
    spelled = f"recall_duckdb.metric_name({name!r}, {'k' if takes_k else 'none'}, {{{pairs}}})"
    of_means = _public(
        macro,
        f"{template.definition} The other arguments are those of evaluate.",
        arguments,
        f"  {{{{- recall_duckdb.evaluate({spelled}, run, qrels, **kwargs) -}}}}\n",
    )
    shared = {**arguments, **{name: ARGUMENTS[name] for name in ("by", "filter")}, "model_column": _MODEL_COLUMN}
    shared.pop("run")
    passed = "by=by, filter=filter, model=model_column, per_query=false, **kwargs"
    at_least = _public(
        f"test_{macro}_at_least",
        f"Fails for each mean of {name} that is below at_least, and if there are no means. The other arguments are "
        "those of evaluate, without per_query.",
        {"model": _TESTED, "at_least": _AT_LEAST, **shared},
        f"  {{%- set means = recall_duckdb.evaluate({spelled}, model, qrels, {passed}) -%}}\n"
        f"  {{{{- recall_duckdb.means_at_least(means, {spelled}, at_least, by, model, filter) -}}}}\n",
    )
    return [of_means, at_least]


def documented_in_yaml(public: Iterable[Public], others: Iterable[str]) -> str:
    """Return the YAML properties of the macros: public macros with their arguments, all others hidden.

    Most arguments are the same in each macro. The first macro writes such an argument with an anchor, and the others
    refer to it, because dbt parses the file at each start.
    """
    lines = ["# Written by `python -m recall_duckdb.dbt`.", "version: 2", "macros:"]
    anchors: dict[str, str] = {}  # by properties
    for macro in public:
        lines += [f"  - name: {macro.name}", f"    description: {_quoted(macro.description)}", "    arguments:"]
        for name, argument in macro.arguments.items():
            usual = f" (default: {argument.default})" if argument.default else ""
            description = _quoted(argument.description + usual)
            properties = f"{{name: {_quoted(name)}, type: {_quoted(argument.type)}, description: {description}}}"
            if properties in anchors:
                lines.append(f"      - *{anchors[properties]}")
            else:
                anchors[properties] = _new_name(name, anchors.values())
                lines.append(f"      - &{anchors[properties]} {properties}")
    for name in sorted(others):
        lines.append(f"  - {{name: {name}, docs: {{show: false}}}}")
    return "\n".join([*lines, ""])


def _new_name(name: str, taken: Iterable[str]) -> str:
    names = {*taken}
    return next(each for each in chain([name], (f"{name}_{number}" for number in count(2))) if each not in names)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def check_option(template: Template, option: Option, taken: Iterable[str]) -> None:
    """Raise `MetricFileError` if the name of an option means something else in macros."""
    if option.name in taken:
        raise MetricFileError(
            f"{template.path}: ${option.name} has another meaning in the dbt macros: rename the option of "
            f"{template.name}"
        )
