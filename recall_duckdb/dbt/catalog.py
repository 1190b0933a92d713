"""The facts about metrics and adapters that macros written by hand need, as macros that return them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from math import inf

from recall_duckdb.metrics import Metric, needs_binary_gain, options
from recall_duckdb.question import BESIDE
from recall_duckdb.templates import Template, inputs_of


def _said(value: object) -> str:
    """A value as Jinja writes it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key!r}: {_said(held)}" for key, held in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_said, value)) + "]"
    return repr(value).lower() if isinstance(value, bool) or value is None else repr(value)


def catalog(relations: Iterable[str], metrics: Mapping[str, Template], adapters: Iterable[str]) -> str:
    """Return the macros that choose a relation or metric by its name, and those of the facts."""
    by_name = [(f"name == {name!r}", f"recall_duckdb.relation_{name}(q)") for name in relations if name != "source"]
    of_metric = [(f"m.template == {name!r}", f"recall_duckdb.metric_{name}(q, m)") for name in metrics]
    known = f"{{% macro adapters() %}}\n  {{{{- return({list(adapters)}) -}}}}\n{{% endmacro %}}\n"
    chosen = [_chosen("relation_of_pipeline", "q, name", by_name), _chosen("metric", "q, m", of_metric)]
    return "\n".join([*chosen, _metrics(metrics), known])


def _metrics(metrics: Mapping[str, Template]) -> str:
    """Return a macro that returns what is known of every metric."""
    rows = []
    for name, template in metrics.items():
        metric = Metric(template)
        held = {
            option.name: {
                "default": option.default,
                "choices": list(option.choices),
                "low": option.low if option.low > -inf else -1e308,
                "high": option.high if option.high < inf else None,
                "closed": list(option.closed),
                "says": str(option),
            }
            for option in options(template).values()
        }
        said = {
            "takes_k": "k" in template.parameters,
            "looks_to_k": template.head.get("Depth") == "$k",
            "plain": template.is_plain,
            "whole_run": template.of_whole_run,
            "empty": template.head.get("Empty", "zero"),
            "expected": metric.has_expectation,
            "unexpected": dict(re.findall(r"(\w+) = (\w+)", template.head.get("Ties", ""))),
            "needs_binary_gain": needs_binary_gain(template),
            "own_gain": "gain" in template.options,
            "needs": sorted(inputs_of(template) & set(BESIDE)),
            "options": held,
        }
        rows.append(f"    {name!r}: {_said(said)},")
    return "\n".join(["{% macro metric_catalog() %}", "  {{- return({", *rows, "  }) -}}", "{% endmacro %}", ""])


def _chosen(name: str, signature: str, calls: Iterable[tuple[str, str]]) -> str:
    """A macro that calls one of others: dbt finds only the calls that it can read."""
    lines = [
        f"  {{%- {'elif' if number else 'if'} {test} -%}} {{{{- {call} -}}}}"
        for number, (test, call) in enumerate(calls)
    ]
    return "\n".join([f"{{% macro {name}({signature}) %}}", *lines, "  {%- endif -%}", "{% endmacro %}", ""])
