"""What a definition reads, directly or through other relations."""

from __future__ import annotations

from functools import cache

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import Template

# `shown` reads the qrels for the queries that count. `ranked` and `candidates` read them only under some policies.
_QUERIES_ONLY = frozenset({"shown", "ranked", "candidates"})

# The optional inputs that a question reads whatever its metrics are.
NOT_OF_METRICS = frozenset({"exclude", "items", "weights", "item_slices", "query_slices", "item_map"})


@cache
def per_judging() -> frozenset[str]:
    """Return the relations that depend on a metric's threshold or gain: graded and what reads it, up to measured."""
    dependents, added = set[str](), {"graded"}
    while added:
        dependents |= added
        behind = dependents - {"measured"}
        variants = [(name, each) for name, by_variant in templates.relations().items() for each in by_variant.values()]
        readers = {name for name, each in variants if each.named & behind}
        added = readers - dependents
    return frozenset(dependents)


@cache
def skipped() -> dict[str, tuple[str, frozenset[str]]]:
    """Return what to read instead of a relation while none of its parameters is set, with these parameters."""
    return {
        name: (template.head["Else"], frozenset(template.deciding))
        for name, by_variant in templates.relations().items()
        for template in by_variant.values()
        if "Else" in template.head
    }


def is_set(value: object, default: object = None) -> bool:
    """Return True if a parameter has another value than that of a question without this option.

    A flag is set if it is true, and a number if there is one. A policy is set if it is not the default.
    """
    return value is not None and value is not False and value != default


def inputs_of(template: Template) -> frozenset[str]:
    """Return the inputs that a statement may read, directly or through other relations."""
    behind = _behind(frozenset(template.reads), frozenset())
    return behind & (set(templates.INPUTS) - NOT_OF_METRICS)


def is_better_lower(template: Template) -> bool:
    """Return True if a lower value of a metric is better."""
    return template.head.get("Better") == "lower"


def never_decides(template: Template) -> bool:
    """Return True if a metric describes the data, and says nothing about the quality of a ranking."""
    return template.head.get("Decides") == "no"


def is_share(template: Template) -> bool:
    """Return True if the values of a metric are from 0 to 1."""
    return template.head.get("Range") == "0 to 1"


@cache
def in_item_slices() -> list[str]:
    """Return the names of our metrics that can be computed in slices of items."""
    return [name for name, template in templates.own_metrics().items() if "Slices" in template.head]


def needs_judgements(template: Template) -> bool:
    """Return True if the value of a metric depends on the qrels, other than on which queries they hold."""
    return "qrels" in _behind(frozenset(template.reads), _QUERIES_ONLY)


@cache
def _behind(names: frozenset[str], ignored: frozenset[str]) -> frozenset[str]:
    """Return the relations that these read, directly or not, and themselves; those in `ignored` read nothing."""
    behind: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in behind:
            behind.add(name)
            variants = {} if name in ignored else templates.relations().get(name, {})
            waiting += [read for variant in variants.values() for read in variant.named]
    return frozenset(behind)
