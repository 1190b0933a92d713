"""The macros and data tests that users call, with their arguments."""

from __future__ import annotations

import json
import keyword
import re
import textwrap
from collections.abc import Iterable, Mapping
from itertools import chain, count
from typing import NamedTuple

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question import OPTIONAL_INPUTS, Data, argument_docs
from recall_duckdb.question.metrics import options
from recall_duckdb.question.policies import CHOICES, LIMITS


class Argument(NamedTuple):
    """An argument of a macro: its type in dbt, its default in Jinja, and its description."""

    type: str
    default: str
    description: str


def _arguments_in(file: str) -> dict[str, Argument]:
    """Return the arguments in the first comment of a file of `sql/macros`: `k (list[integer]) = 10: the cutoff`."""
    comment, _, _ = (templates.sql_folder() / "macros" / file).read_text("utf-8").partition("#}")
    written = re.findall(r"^ {3}(\w+) \((.+?)\)(?: = ([^:\s]+))?: (.*(?:\n {5}.*)*)", comment, re.MULTILINE)
    if len(written) != len(re.findall(r"^ {1,4}\w+ \(", comment, re.MULTILINE)):
        raise MetricFileError(f"{file}: an argument is not written as `   k (list[integer]) = 10: the cutoff`")
    return {name: Argument(type_, default, " ".join(text.split())) for name, type_, default, text in written}


def _optional_input(name: str) -> Argument:
    description = argument_docs(Data)[name].partition(";")[0].rstrip(".")
    columns = ", ".join(chain(*OPTIONAL_INPUTS[name]))
    return Argument("relation", "none", f"{description}: a relation with the columns {columns}")


_OF_QUESTION = _arguments_in("question.sql")
_POLICIES = [name for name in _OF_QUESTION if name in (*CHOICES, *LIMITS)]
ARGUMENTS = {
    **{name: argument for name, argument in _OF_QUESTION.items() if name not in _POLICIES},
    **{name: _optional_input(name) for name in OPTIONAL_INPUTS},
    **{name: _OF_QUESTION[name] for name in _POLICIES},
}
_OF_DAYS, _OF_CHECK = _arguments_in("days.sql"), _arguments_in("checks.sql")
_METRICS = Argument("list[string]", "", "names such as recall@5,10 or fbeta(beta=2)@10, one metric per string")
_AT_LEAST = Argument("float", "", "the lowest value that passes, at every cutoff, for every model and slice")


def policy_choices(name: str) -> list[str | None]:
    """Return the values of a policy that macros accept, the default first, which may not be Python's."""
    values: list[str | None] = [value for value in CHOICES[name] if value != "error"]
    default = ARGUMENTS[name].default
    usual = None if default == "none" else default.strip("'")
    return [usual, *(value for value in values if value != usual)]


# Arguments that the macros of a metric already have.
_OWN_WORDS = ("model_column", "at_least", "kwargs", "means", "recall_duckdb")
_TAKEN = (*ARGUMENTS, *_OWN_WORDS, *keyword.kwlist, "none", "true", "false")


class Public(NamedTuple):
    """A macro or data test that users call."""

    name: str
    description: str
    arguments: Mapping[str, Argument]
    text: str


def question_macros() -> list[Public]:
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
    metrics = Argument("list[string]", "", "the metrics whose cutoffs limit the pool, such as ndcg@10")
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
    question = {"qrels": ARGUMENTS["qrels"], "metrics": _METRICS, **_without("run", "qrels", "k", "per_query", "model")}
    asked = _mapping(question, "'run': model, 'model': model_column")
    return _public(
        "test_check",
        "Fails for each kind of fault in the data that evaluate of Python would raise as an error. Its rows name the "
        "check, count the faults, and say what to do. Put it on the run.",
        {"model": _OF_CHECK["model"], **question, **_OF_CHECK},
        "  {%- do recall_duckdb.check_where('qrels', qrels) -%}\n"
        f"  {{{{- recall_duckdb.faults({asked}, only, skip) -}}}}\n",
    )


def _without(*names: str) -> dict[str, Argument]:
    return {name: argument for name, argument in ARGUMENTS.items() if name not in names}


def _public(name: str, description: str, arguments: Mapping[str, Argument], body: str) -> Public:
    """Return a macro, or a data test if its name begins with `test_`; it refuses other arguments or passes them on."""
    kind = "test" if name.startswith("test_") else "macro"
    written = [f"{each}={default}" if default else each for each, (_, default, _) in arguments.items()]
    signature = textwrap.fill(", ".join(written), 118, initial_indent="  ", subsequent_indent="  ")
    called = name.removeprefix("test_")
    if "**kwargs" not in body:
        known = _wrapped(map(repr, arguments))
        body = f"  {{%- do recall_duckdb.check_arguments({called!r}, kwargs, [{known}]) -%}}\n{body}"
    text = f"{{% {kind} {called}(\n{signature}\n) %}}\n{body}{{% end{kind} %}}\n"
    return Public(name, description, arguments, text)


def _mapping(names: Iterable[str], settings: str = "") -> str:
    """Return arguments as a mapping in Jinja, with the pairs of other settings."""
    return f"{{{_wrapped([*(f'{name!r}: {name}' for name in names), *filter(None, [settings])])}}}"


def _wrapped(values: Iterable[str]) -> str:
    """Return values in Jinja on lines of their own, separated by commas."""
    return "\n" + textwrap.fill(", ".join(values), 118, initial_indent="    ", subsequent_indent="    ") + "\n  "


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
    shared = {
        **arguments,
        **{name: ARGUMENTS[name] for name in ("by", "filter")},
        "model_column": _OF_CHECK["model_column"],
    }
    shared.pop("run")
    passed = "by=by, filter=filter, model=model_column, per_query=false, **kwargs"
    at_least = _public(
        f"test_{macro}_at_least",
        f"Fails for each mean of {name} that is below at_least, and if there are no means. The other arguments are "
        "those of evaluate, without per_query.",
        {"model": _OF_CHECK["model"], "at_least": _AT_LEAST, **shared},
        "  {%- do recall_duckdb.check_where('qrels', qrels) -%}\n"
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
