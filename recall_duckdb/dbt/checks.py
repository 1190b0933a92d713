"""The data checks that a data test of dbt runs: their SQL, when they apply, and what they say."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import Template
from recall_duckdb.question import OPTIONAL_INPUTS

# The values of the facts that decide if a check applies. `facts_of_checks` in sql/macros/checks.sql has the value of
# each for a question; a check that depends on another fact is not a test of dbt.
_FACTS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(OPTIONAL_INPUTS, ("given",)),
    "command": ("check",),
    "duplicates": ("error", "best"),
    "empty": ("error", "allow"),
    "gain": ("exponential", "other"),
    "grades": ("limited", "none"),
    "missing": ("error", "zero", "skip"),
    "models": ("named", "column", "one"),
    "no_relevant": ("error", "zero", "skip"),
    "nulls": ("error", "last", "drop"),
    "qrels": ("rows", "none"),
    "ranks": ("error", "given", "renumber"),
    "run": ("scores", "ranks"),
    "slices": ("qrels", "run", "query_slices", "none"),
}
# Sentences about lists in cells, which relations of dbt do not have.
_OF_LISTS = re.compile(r"inside a list|an empty list")
_SHOWN = ("model", "query", "item")
NAME = "check_rows"


def checks() -> dict[str, Template]:
    """Return the checks that a data test of dbt runs, by name, in the order in which `evaluate` reports faults."""
    found = {name: check for name, check in templates.checks().items() if _may_apply(check)}
    return dict(sorted(found.items(), key=lambda each: (each[1].order, each[0])))


def _may_apply(check: Template) -> bool:
    return all(not {*_FACTS.get(name, ())}.isdisjoint(allowed) for name, allowed in check.when.items())


def facts(check: Template) -> dict[str, object]:
    """Return what the handwritten macros need to know about a check."""
    fix = " ".join(text for text in re.split(r"(?<=\.) ", check.head["Do"]) if not _OF_LISTS.search(text))
    fix = re.sub(r"\bmodel=", "model_column=", fix)  # dbt uses the word model itself
    shown = [name for name in _SHOWN if name in check.tree().named_selects]
    return {"when": dict(check.when), "rule": check.head["Rule"], "fix": fix, "shown": shown}


def macros(adapters: Mapping[str, str], text: Callable[[Template, str], str]) -> str:
    """Return one macro for each adapter with the rows of every check, by the name of the check.

    An adapter's macro has only the checks whose text differs from that of its fallback. One macro for each check would
    take dbt longer to parse.
    """
    written = [
        f"{{% macro {NAME}(q, name) %}}\n  {{{{- return(adapter.dispatch('{NAME}', 'recall_duckdb')(q, name)) -}}}}\n"
        "{% endmacro %}\n"
    ]
    texts = {adapter: {name: text(check, adapter) for name, check in checks().items()} for adapter in adapters}
    prefixes: dict[str, str] = {}  # by adapter: the prefix of the macro that dbt uses
    for adapter, parent in adapters.items():
        own = {name: each for name, each in texts[adapter].items() if not parent or each != texts[parent][name]}
        prefixes[adapter] = (adapter if parent else "default") if own else prefixes[parent]
        if not own:
            continue
        branches = [
            f"{{%- {'elif' if number else 'if'} name == {name!r} %}}\n{each}\n"
            for number, (name, each) in enumerate(own.items())
        ]
        rest = f"{{%- else -%}}\n{{{{ recall_duckdb.{prefixes[parent]}__{NAME}(q, name) }}}}\n" if parent else ""
        body = "".join([*branches, rest, "{%- endif -%}\n"])
        written.append(f"{{% macro {prefixes[adapter]}__{NAME}(q, name) -%}}\n{body}{{% endmacro %}}\n")
    return "\n".join(written)
