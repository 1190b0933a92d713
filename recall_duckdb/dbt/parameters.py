"""What Jinja calls the parameters of a template: `q` is the question, and `m` one of its metrics.

A parameter that decides what is written becomes an `if` for each of its values, and a number becomes an expression.
Which options a metric has, and whether they are words or numbers, is read from the head of its file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import METRICS, Option, Template
from recall_duckdb.definitions.trees import Value
from recall_duckdb.errors import MetricFileError
from recall_duckdb.question.policies import CHOICES

Tests = Mapping[str, tuple[tuple[Value, str], ...]]
"""The values of each parameter that decides something, each with Jinja's test for it."""


class Stand(NamedTuple):
    """A value that stands in a tree for one known only when a macro is rendered, and Jinja's expression for that."""

    value: Value
    expression: str


# A whole number, a double or a text, as the value will be, so that rewrites treat it alike. Each has about the width of
# the value, so that lines break where they would in SQL; Jinja's expressions are longer.
_STANDS = {
    "k": Stand(910001, "m.k"),
    "depth": Stand(910002, "q.depth"),
    "metric_no": Stand(910003, "m.number"),
    "threshold": Stand(910004.5, "q.judging.threshold"),
    "min_score": Stand(910005.5, "q.min_score"),
    "metric": Stand("metric_name", "m.name"),
}
_FIRST_OPTION = 910006.5
_LEFT = re.compile(r"9100\d\d(?:\.5)?|metric_name")
# The cutoff and the limits may be left out, which decides more than a number.
OPTIONAL = ("depth", "min_score", "threshold", "k")
# What `add_metric` in sql/macros/metrics.sql stores about a metric in addition to its options.
OF_METRIC = (
    *("template", "name", "k", "asked", "column", "plain", "whole_run", "empty", "looks_to_k", "expected", "needs"),
    *("judged_by", "judging", "number", "mean"),
)


def _among(place: str, values: Iterable[str]) -> tuple[tuple[Value, str], ...]:
    return tuple((value, f"{place} == {value!r}") for value in values)


def _default_last(values: Sequence[str]) -> list[str]:
    """Return the values that a macro may be given, in an order by which the default is the `else`."""
    kept = [value for value in values if value != "error"]
    return [*kept[1:], kept[0]]


def _given(stand: Stand) -> tuple[tuple[Value, str], ...]:
    return (None, f"{stand.expression} is none"), (stand.value, f"{stand.expression} is not none")


def _flag(place: str) -> tuple[tuple[Value, str], ...]:
    return (True, place), (False, f"not {place}")


@cache
def _tests() -> Tests:
    """Return the parameters that decide something in any question."""
    gains = templates.relations()["graded"][""].options["gain"].choices
    means = templates.relations()["averages"][""].options["mean"].choices
    return {
        "models": _flag("q.models"),
        "exclude": _flag("q.has_exclude"),
        "items": _flag("q.has_items"),
        "sliced": _flag("q.slices"),
        "weighted": _flag("q.has_weights"),
        "semantics": _among("q.semantics", _default_last(CHOICES["semantics"])),
        "precision": _among("q.precision", _default_last(CHOICES["precision"])),
        "nulls": (("drop", "q.nulls == 'drop'"), ("error", "q.nulls != 'drop'")),  # unchecked, a NULL is ranked last
        **{name: _given(_STANDS[name]) for name in OPTIONAL},
        "gain": _among("q.judging.gain", _default_last(gains)),
        "no_relevant": _among("q.no_relevant", _default_last(CHOICES["no_relevant"])),
        "missing": _among("q.missing", _default_last(CHOICES["missing"])),
        "empty": _among("m.empty", ("skip", "zero")),
        "mean": _among("m.mean", ("whole", *reversed(means))),
    }


@dataclass(frozen=True)
class Parameters:
    """The parameters of one template: those that decide something, and those that are written."""

    tests: Tests
    stands: Mapping[str, Stand]

    @property
    def always(self) -> dict[str, Value]:
        """The values that stand for the parameters that decide nothing."""
        return {name: stand.value for name, stand in self.stands.items() if name not in self.tests}

    def filled(self, text: str) -> str:
        """Return a text with Jinja's expressions in the place of what stands for them.

        Raises:
            ValueError: a rewrite has changed what stands for a parameter.
        """
        for stand in self.stands.values():
            text = text.replace(str(stand.value), f"{{{{ {stand.expression} }}}}")
        left = _LEFT.search(text)
        if left is not None:
            raise ValueError(f"{left[0]} stands for a parameter, but a rewrite has changed it: {text}")
        return text


def parameters_of(template: Template | None = None) -> Parameters:
    """Return the parameters of a template, or only those that every question has.

    Raises:
        MetricFileError: the template has a parameter, or an option, that no macro can have.
    """
    tests, stands = dict(_tests()), dict(_STANDS)
    options = template.options.values() if template is not None and template.stage == METRICS else ()
    for number, option in enumerate(options):
        if option.choices:
            tests[option.name] = _among(f"m.{option.name}", option.choices)
        else:
            stands[option.name] = Stand(_FIRST_OPTION + number, f"m.{option.name}")
    found = Parameters(tests, stands)
    if template is not None:
        _check(template, found)
    return found


def _check(template: Template, found: Parameters) -> None:
    is_metric = template.stage == METRICS
    for name in sorted(template.parameters - found.tests.keys() - found.stands.keys()):
        fix = (
            f"give it values in the head, as in `-- Option: ${name} = 1 in (0, inf)`"
            if is_metric
            else "say in recall_duckdb/dbt/parameters.py what it is called there"
        )
        raise MetricFileError(f"{template.path}: the macros of dbt know no parameter ${name}: {fix}")
    for option in template.options.values() if is_metric else ():
        check_option(template, option, (*OF_METRIC, *dir(dict)))


def check_option(template: Template, option: Option, taken: Iterable[str]) -> None:
    """Refuse an option of a metric with a name that means something else in a macro."""
    if option.name in taken:
        raise MetricFileError(
            f"{template.path}: ${option.name} has a meaning of its own in the macros of dbt: give the option of "
            f"{template.name} another name"
        )
