"""The Jinja names of the parameters of a template: `q` is the question, and `m` is one of its metrics.

A parameter that changes the SQL becomes an `if` with a branch for each value. A number becomes an expression. The
options of a metric, and their types, come from the head of its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from recall_duckdb.dbt.arguments import ARGUMENTS, check_option
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import METRICS, Template
from recall_duckdb.definitions.trees import Value
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question.metrics import PORTABLE_MEANS
from recall_duckdb.question.policies import CHOICES

Tests = Mapping[str, tuple[tuple[Value, str], ...]]
"""The values of each parameter that changes the SQL, each with its Jinja test."""


class Placeholder(NamedTuple):
    """A value in a tree that a Jinja expression replaces, because it is known only when a macro is rendered."""

    value: Value
    expression: str


# Each has the type of the real value, so that rewrites treat both alike, and about its width, so that lines break as in
# SQL; Jinja expressions are longer.
_PLACEHOLDERS = {
    "k": Placeholder(910001, "m.k"),
    "depth": Placeholder(910002, "q.depth"),
    "list_depth": Placeholder(910031, "q.list_depth"),
    "metric_no": Placeholder(910003, "m.number"),
    "threshold": Placeholder(910004.5, "q.judging.threshold"),
    "min_score": Placeholder(910005.5, "q.min_score"),
    "threshold_as_float": Placeholder(910032.5, "recall_duckdb.as_float(q.judging.threshold)"),
    "min_score_as_float": Placeholder(910033.5, "recall_duckdb.as_float(q.min_score)"),
    "metric": Placeholder("metric_name", "m.name"),
    "baseline": Placeholder("baseline_model", "q.baseline"),
    "tie_within": Placeholder(910030.5, "q.tie_within"),
    "max_grade": Placeholder(910034.5, "q.max_grade"),
    "gains": Placeholder("number_in_table", "recall_duckdb.gain_of(q.judging.gains, 'relevance')"),
}
_FIRST_OPTION = 910006.5
_LEFT = re.compile(r"9100\d\d(?:\.5)?|metric_name|baseline_model|number_in_table")
# These numbers may be none, which changes the SQL.
OPTIONAL = ("depth", "list_depth", "min_score", "min_score_as_float", "threshold", "threshold_as_float", "k")
# Parameters that are true or false, with what decides them.
_FLAGS = {
    **{"models": "q.models", "exclude": "q.has_exclude", "items": "q.has_items", "judged_only": "q.judged_only"},
    **{"sliced": "q.slices", "query_sliced": "q.query_sliced", "item_sliced": "q.item_sliced"},
    **{"weighted": "q.has_weights", "same_slices": "q.same_slices", "may_be_empty": "q.may_be_empty"},
}
# What `add_metric` in sql/macros/metrics.sql stores about a metric in addition to its options.
OF_METRIC = (
    *("template", "name", "k", "asked", "column", "plain", "whole_run", "empty", "looks_to_k", "expected", "needs"),
    *("needs_judgements", "reads_candidates", "in_item_slices"),
    *("judged_by", "judging", "number", "mean"),
)


def _among(place: str, values: Iterable[str]) -> tuple[tuple[Value, str], ...]:
    return tuple((value, f"{place} == {value!r}") for value in values)


def _default_last(values: Sequence[str | None]) -> list[str]:
    """Return the values that macros accept, the default last, so that it becomes the `else`."""
    accepted = [value for value in values if value not in (None, "error")]
    return [*accepted[1:], accepted[0]]


def _given(placeholder: Placeholder) -> tuple[tuple[Value, str], ...]:
    return (None, f"{placeholder.expression} is none"), (placeholder.value, f"{placeholder.expression} is not none")


@cache
def _tests() -> Tests:
    """Return the tests of the parameters that every question has."""
    gains = templates.relations()["graded"][""].options["gain"].choices
    means = [mean for mean in templates.relations()["averages"][""].options["mean"].choices if mean in PORTABLE_MEANS]
    return {
        # Macros have no argument for other policies, whose default applies.
        **{name: ((choices[0], "true"),) for name, choices in CHOICES.items() if name not in ARGUMENTS},
        **{name: ((True, flag), (False, f"not {flag}")) for name, flag in _FLAGS.items()},
        **{name: _among(f"q.{name}", _default_last(CHOICES[name])) for name in ("semantics", "precision")},
        "nulls": (("drop", "q.nulls == 'drop'"), ("error", "q.nulls != 'drop'")),  # unchecked, a NULL is ranked last
        **{name: _given(_PLACEHOLDERS[name]) for name in OPTIONAL},
        "gain": _among("q.judging.gain", _default_last(gains)),
        **{name: _among(f"q.{name}", _default_last(CHOICES[name])) for name in ("no_relevant", "missing")},
        "qrels": (("rows", "true"),),  # of checks, as the next two
        "only_relevant": ((False, "true"),),
        "looked_at": ((None, "true"),),
        "undefined": _among("m.empty", ("skip", "zero")),
        "mean": _among("m.mean", ("whole", *reversed(means))),
    }


@dataclass(frozen=True)
class Parameters:
    """The parameters of one template: tests for those that change the SQL, placeholders for those written into it."""

    tests: Tests
    placeholders: Mapping[str, Placeholder]

    @property
    def always(self) -> dict[str, Value]:
        """The placeholders of the parameters that do not change the SQL."""
        return {name: placeholder.value for name, placeholder in self.placeholders.items() if name not in self.tests}

    def fill(self, text: str) -> str:
        """Replace the placeholders in a text with Jinja expressions.

        Raises:
            ValueError: a rewrite has changed a placeholder.
        """
        for placeholder in self.placeholders.values():
            text = text.replace(str(placeholder.value), f"{{{{ {placeholder.expression} }}}}")
        left = _LEFT.search(text)
        if left is not None:
            raise ValueError(f"a rewrite has changed a placeholder into {left[0]}: {text}")
        return text


def parameters_of(template: Template | None = None) -> Parameters:
    """Return the parameters of a template or, without one, those that every question has.

    Raises:
        MetricFileError: macros do not support a parameter or an option of the template.
    """
    tests, placeholders = dict(_tests()), dict(_PLACEHOLDERS)
    options = template.options.values() if template is not None and template.stage == METRICS else ()
    for number, option in enumerate(options):
        if option.choices:
            tests[option.name] = _among(f"m.{option.name}", option.choices)
        else:
            placeholders[option.name] = Placeholder(_FIRST_OPTION + number, f"m.{option.name}")
    known = Parameters(tests, placeholders)
    if template is not None:
        _check(template, known)
    return known


def _check(template: Template, known: Parameters) -> None:
    is_metric = template.stage == METRICS
    for name in sorted(template.parameters - known.tests.keys() - known.placeholders.keys()):
        fix = (
            f"give it values in the head, as in `-- Option: ${name} = 1 in (0, inf)`"
            if is_metric
            else "add its Jinja name to recall_duckdb/dbt/parameters.py"
        )
        raise MetricFileError(f"{template.path}: the dbt macros do not support the parameter ${name}: {fix}")
    for option in template.options.values() if is_metric else ():
        check_option(template, option, (*OF_METRIC, *dir(dict)))
