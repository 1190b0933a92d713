"""Macros that return facts about metrics and adapters, for the handwritten macros."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from graphlib import TopologicalSorter
from math import inf

from recall_duckdb import __version__, messages
from recall_duckdb.compose.plan import DEFAULTS, LABELLED
from recall_duckdb.dbt import checks
from recall_duckdb.dbt.arguments import ARGUMENTS, policy_choices
from recall_duckdb.dbt.parameters import parameters_of
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.reading import (
    in_item_slices,
    inputs_of,
    is_better_lower,
    is_set,
    needs_judgements,
    skipped,
)
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.question import OPTIONAL_INPUTS, RESULT_COLUMNS
from recall_duckdb.question.cutoffs import LARGEST_K
from recall_duckdb.question.metrics import PORTABLE_MEANS, Metric, needs_binary_gain, options
from recall_duckdb.question.policies import CHOICES, DISTANCE, RANKS
from recall_duckdb.question.spellings import spellings


def _literal(value: object) -> str:
    """Return a value as a Jinja literal."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return repr(value).lower() if isinstance(value, bool) or value is None else repr(value)


def catalog(relations: Mapping[str, Template], metrics: Mapping[str, Template], adapters: Iterable[str]) -> str:
    """Return the macros that call a relation or metric by its name, and the macros that return facts."""
    by_name = [(f"name == {name!r}", f"recall_duckdb.relation_{name}(q)") for name in relations if name != "source"]
    of_metric = [(f"m.template == {name!r}", f"recall_duckdb.metric_{name}(q, m)") for name in metrics]
    chosen = [_chosen("relation_of_pipeline", "q, name", by_name), _chosen("metric", "q, m", of_metric), _instead()]
    texts = {name.lower(): each.text for name, each in vars(messages).items() if name.isupper()}
    facts = {"adapters": list(adapters), **_facts(relations), "spellings": _spellings(metrics)}
    of_checks = {name: checks.facts(check) for name, check in checks.checks().items()}
    returned: dict[str, Mapping[str, object]] = {
        "facts": facts,
        "checks": of_checks,
        "messages": texts,
        "metric_catalog": _metrics(metrics),
    }
    return "\n".join([*chosen, *(_write_mapping(name, values) for name, values in returned.items())])


def _instead() -> str:
    """Return the macro that returns the relation to read instead of one that the question skips, or none."""
    lines = []
    for name, (instead, parameters) in skipped().items():
        tests = parameters_of(templates.relations()[name][""]).tests
        set_by = [
            test for each in sorted(parameters) for value, test in tests[each] if is_set(value, DEFAULTS.get(each))
        ]
        lines.append(f"  {{%- if name == {name!r} and not ({' or '.join(set_by)}) -%}} {{{{- return({instead!r}) -}}}}")
        lines.append("  {%- endif -%}")
    return "\n".join(["{% macro instead(q, name) %}", *lines, "  {{- return(none) -}}", "{% endmacro %}", ""])


def _write_mapping(name: str, values: Mapping[str, object]) -> str:
    """Return a macro that returns a mapping of these values."""
    rows = [f"    {key!r}: {_literal(value)}," for key, value in values.items()]
    return "\n".join([f"{{% macro {name}() %}}", "  {{- return({", *rows, "  }) -}}", "{% endmacro %}", ""])


def _facts(relations: Mapping[str, Template]) -> dict[str, object]:
    """Return the facts that the handwritten macros share with Python."""
    optional_inputs = {name: {"names": names, "numbers": numbers} for name, (names, numbers) in OPTIONAL_INPUTS.items()}
    return {
        # Macros check no data.
        "policies": {name: policy_choices(name) for name in CHOICES if name in ARGUMENTS},
        "version": __version__,
        "distance": DISTANCE,
        "ranks": RANKS,
        "optional_inputs": optional_inputs,
        "result_columns": RESULT_COLUMNS,
        "largest_k": LARGEST_K,
        "labelled": LABELLED,
        "in_item_slices": in_item_slices(),
        "pipeline": pipeline(relations.values()),
    }


def pipeline(relations: Iterable[Template]) -> dict[str, list[str]]:
    """Return the names of the relations, each after the relations that it reads.

    `judged` relations exist once for each judging: `graded` and its readers, up to `measured`. `summary` relations read
    `measured`. The others are `shared`. Metrics may read any relation except those of the summary.
    """
    reads: dict[str, list[str]] = {"labelled": []}
    for template in relations:
        if template.name == "source":  # it reads the user's relations
            continue
        reads[template.name] = [*reads.get(template.name, []), *template.reads]
    parts: dict[str, list[str]] = {"shared": [], "judged": [], "summary": []}
    part_of: dict[str, str] = {}
    for name in TopologicalSorter(reads).static_order():
        above = {part_of[read] for read in reads.get(name, []) if read != "measured"}
        is_summary = "measured" in reads.get(name, []) or "summary" in above
        part_of[name] = "summary" if is_summary else "judged" if name == "graded" or "judged" in above else "shared"
        parts[part_of[name]].append(name)
    parts["summary"].remove("means")  # it is the result itself
    return parts


def _metrics(metrics: Mapping[str, Template]) -> dict[str, object]:
    """Return the facts about each metric that macros need."""
    facts: dict[str, object] = {}
    for name, template in metrics.items():
        metric = Metric(template)
        choices = {
            option.name: {
                "default": option.default,
                "choices": list(option.choices),
                "low": option.low if option.low > -inf else -1e308,
                "high": option.high if option.high < inf else None,
                "closed": list(option.closed),
                "says": str(option),
            }
            for option in map(_portable, options(template).values())
        }
        facts[name] = {
            "takes_k": "k" in template.parameters,
            "needs_k": template.head.get("Cutoff") == "required",
            "looks_to_k": template.head.get("Depth") == "$k",
            "plain": template.is_plain,
            "whole_run": template.of_whole_run,
            "empty": template.head.get("Empty", "zero"),
            "expected": metric.has_expectation,
            "in_item_slices": metric.has_item_slices,
            "not_in_item_slices": dict(re.findall(r"(\w+) = (\w+)", template.head.get("Slices", ""))),
            "unexpected": dict(re.findall(r"(\w+) = (\w+)", template.head.get("Ties", ""))),
            "needs_binary_gain": needs_binary_gain(template),
            "lower": is_better_lower(template),
            "own_gain": "gain" in template.options,
            "reads_candidates": "candidates" in template.reads,
            "needs_judgements": needs_judgements(template),
            "needs": sorted(inputs_of(template) & set(OPTIONAL_INPUTS)),
            "options": choices,
        }
    return facts


def _spellings(metrics: Mapping[str, Template]) -> dict[str, str]:
    """Return the names of other libraries for metrics, in lower case and without cutoffs and options.

    A name that ends with an underscore is followed by the cutoff, as in ndcg_cut_10.
    """
    found: dict[str, str] = {}
    for name, template in metrics.items():
        for spelling in spellings(template, "Trec", "Also"):
            other = spelling.name.partition("@")[0].lower().removesuffix("$k")
            if not spelling.options and "$" not in other and other not in metrics:
                found.setdefault(other, name)
    return found


def _portable(option: Option) -> Option:
    """Return an option without values that only DuckDB knows."""
    if option.name != "mean":
        return option
    return replace(option, choices=tuple(choice for choice in option.choices if choice in PORTABLE_MEANS))


def _chosen(name: str, signature: str, calls: Iterable[tuple[str, str]]) -> str:
    """Return a macro that calls another by its name. It writes out each call, since dbt follows no others."""
    lines = [
        f"  {{%- {'elif' if number else 'if'} {test} -%}} {{{{- {call} -}}}}"
        for number, (test, call) in enumerate(calls)
    ]
    return "\n".join([f"{{% macro {name}({signature}) %}}", *lines, "  {%- endif -%}", "{% endmacro %}", ""])
