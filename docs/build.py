"""Writes the pages of docs/ that come from the code: `python docs/build.py`.

The arguments come from docstrings, and metrics and checks from the heads of SQL files.
"""

from __future__ import annotations

import json
import re
from dataclasses import fields
from inspect import signature
from pathlib import Path

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.reading import inputs_of
from recall_duckdb.definitions.templates import Template
from recall_duckdb.question import (
    OPTIONAL_INPUTS,
    AgreementQuestion,
    CheckQuestion,
    EvaluateQuestion,
    PoolQuestion,
    Question,
    SqlQuestion,
    argument_docs,
)
from recall_duckdb.question.metrics import OPTION_ALIASES, options
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.spellings import spellings

DOCS = Path(__file__).parent
PACKAGE = DOCS.parent / "recall_duckdb"
KINDS: dict[str, type[Question]] = {
    "evaluate": EvaluateQuestion,
    "sql": SqlQuestion,
    "check": CheckQuestion,
    "pool": PoolQuestion,
    "agreement": AgreementQuestion,
}
GENERATED = "<!-- Written by docs/build.py: do not edit. -->"
FIGURES = "<!-- figures: written by docs/build.py -->", "<!-- end of figures -->"
POLICIES = "<!-- policies: written by docs/build.py -->", "<!-- end of policies -->"

ARGUMENTS = f"""# Arguments

{GENERATED}

The functions `evaluate`, `sql`, `check`, `pool` and `agreement` take these arguments. The commands of the same names
take them as options: `qrels_query=` is `--qrels-query`, and `metrics=` is `--metric`. Runs are positional.
`connection` and `create` are for Python only. `dialect` is an option of `sql` only. [Policies](../guide/policies.md)
are arguments too.

| argument | of | default | what it is |
|---|---|---|---|
"""
METRICS = f"""# All metrics

{GENERATED}

Each metric is one SQL file in `sql/4_metrics`, with its edge cases and source: open SQL. R is the number of relevant
items of a query, and k the cutoff.

Each metric has the option `mean` (arithmetic, geometric, sum, median, q10, q25, q75 or q90; default: arithmetic),
unless it is of a whole run. If it asks which items are relevant, it has the option `threshold` (default: the policy).
Other options are below. The first name is that of trec_eval, if it has the metric.

A value that is NULL counts as 0, unless the policy `no_relevant` says otherwise.
"""
# Options that the page explains once.
EXPLAINED = ("mean", "threshold")
CHECKS = f"""# All checks

{GENERATED}

Each check is one SQL file in `sql/checks`. `check` runs every check that applies to the data and the metrics.
`evaluate` stops at the first fault that its policies do not allow. [Checks](../guide/checks.md) says how to run them.
A message says how to fix the fault, as does its attribute `do`. These are the rules that each finds broken:

"""
# What stands for a value in a rule.
VALUE = "…"


def pages() -> dict[Path, str]:
    """Return the text of each page by its path."""
    correctness, policies = DOCS / "guide" / "correctness.md", DOCS / "guide" / "policies.md"
    return {
        DOCS / "reference" / "arguments.md": ARGUMENTS + "\n".join(argument_rows()) + "\n",
        DOCS / "reference" / "metrics.md": "\n".join([METRICS, *map(metric, own_templates())]),
        DOCS / "reference" / "checks.md": CHECKS + "\n".join(check_lines()) + "\n",
        correctness: between(correctness, *FIGURES, figures()),
        policies: between(policies, *POLICIES, policy_table()),
    }


def between(path: Path, begin: str, end: str, text: str) -> str:
    """Return a page with the text between two marks replaced."""
    above, _, rest = path.read_text("utf-8").partition(begin)
    return f"{above}{begin}\n\n{text}\n{end}{rest.partition(end)[2]}"


def figures() -> str:
    """Return a table of what the tests compare the numbers with, counted in their files."""
    fixtures, tests = DOCS.parent / "fixtures", DOCS.parent / "tests"
    goldens = [json.loads(path.read_text("utf-8")) for path in sorted(fixtures.glob("goldens/*/expected.json"))]
    blocks = [
        block for golden in goldens for block in golden.values() if isinstance(block, dict) and "per_query" in block
    ]
    values = sum(len(block.get("mean_complete", ())) + sum(map(len, block["per_query"].values())) for block in blocks)
    measures = {measure for block in blocks for measure in block["per_query"]}
    trec = [path for path in (fixtures / "trec_eval").iterdir() if path.name.startswith("out.")]
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in trec)
    suites = re.findall(
        r'^        "([\w-]+)==([\d.]+)",$', (tests / "peers" / "__main__.py").read_text("utf-8"), re.MULTILINE
    )
    peers = [json.loads(path.read_text("utf-8"))["peer"] for path in sorted((fixtures / "peers").glob("*.json"))]
    asked = re.search(r"SEED, QUESTIONS = \d+, ([\d_]+)", (tests / "random_data" / "__main__.py").read_text("utf-8"))
    records = json.loads((PACKAGE / "dialects" / "evidence.json").read_text("utf-8")).values()
    executed = [record for record in records if record["label"].startswith("executed")]
    engines = sorted({name for record in executed for name in record["on"]})
    rows = {
        "values of trec_eval and formulas (`fixtures/goldens`)": f"{values:,}, of {len(measures)} measures and cutoffs",
        "lines of trec_eval's own expected outputs (`fixtures/trec_eval`)": f"{lines:,} in {len(trec)} files",
        "test suites of other packages (`make peers`)": "; ".join(" ".join(suite) for suite in suites),
        "published numbers of other packages (`fixtures/peers`)": "; ".join(peers),
        "random questions, each about data of its own (`make random`)": f"{int(asked[1]) if asked else 0:,}",
        "dialects whose statements ran on an engine": f"{len(executed)} of {len(records)}, besides DuckDB's",
        "engines that ran them": ", ".join(engines),
        "metrics, and data checks": f"{len(own_templates())}, and {len(templates.checks())}",
    }
    return "| compared with | |\n|---|---|\n" + "".join(f"| {name} | {text} |\n" for name, text in rows.items())


def policy_table() -> str:
    """Return a table of the policies, with their values, the default first."""
    said = argument_docs(EvaluateQuestion)
    values = {name: ", ".join(choice or "(not given)" for choice in choices) for name, choices in CHOICES.items()}
    values |= dict.fromkeys(LIMITS, "a number")
    rows = "".join(f"| `{name}` | {text} | {said[name]} |\n" for name, text in values.items())
    return f"| policy | values, the default first | what it decides |\n|---|---|---|\n{rows}"


def argument_rows() -> list[str]:
    """Return a row for each argument except policies, in the order of the signatures."""
    rows: dict[str, str] = {}
    for kind in KINDS.values():
        said = argument_docs(kind)
        for field in sorted(fields(kind), key=lambda field: list(signature(kind).parameters).index(field.name)):
            if field.name in CHOICES or field.name in LIMITS:
                continue
            functions = [name for name, other in KINDS.items() if field.name in taken(other)]
            others = KINDS.keys() - functions
            if len(functions) > len(others):
                everywhere = f"all but {' and '.join(sorted(others))}" if others else "all"
            else:
                everywhere = ", ".join(functions)
            default = "" if field.name == "run" else f"`{field.default!r}`"
            about = said[field.name]
            if field.name in OPTIONAL_INPUTS:
                keys, numbers = OPTIONAL_INPUTS[field.name]
                about = f"(columns {', '.join([*keys, *numbers])}) {about}"
            rows.setdefault(field.name, f"| `{field.name}` | {everywhere} | {default} | {about} |")
    return list(rows.values())


def taken(kind: type[Question]) -> set[str]:
    """Return the names of the arguments of a question."""
    return {each.name for each in fields(kind)} - {*kind.hidden}


def own_templates() -> list[Template]:
    """Return the metrics of the package in the order of their names."""
    return [template for _, template in sorted(templates.own_metrics().items())]


def metric(template: Template) -> str:
    """Return the section of a metric."""
    aliases = {ours: theirs for theirs, ours in OPTION_ALIASES.items()}
    others = [each.show(aliases) for each in spellings(template, "Trec", "Also") if each.name != template.name]
    needed = [f"{each}=" for each in sorted(inputs_of(template)) if each in OPTIONAL_INPUTS]
    facts = {
        "Options": "; ".join(str(each) for each in options(template).values() if each.name not in EXPLAINED),
        "Names": ", ".join(f"`{each}`" for each in others),
        "Needs": ", ".join(f"`{each}`" for each in needed),
        "Better": template.head.get("Better", ""),
        "Decides": template.head.get("Decides", ""),
        "Slices of items": template.head.get("Slices", "").replace("items", "yes", 1),
    }
    lines = "\n".join(f"- {name}: {fact}" for name, fact in facts.items() if fact)
    parts = [f"## {template.name}", template.definition, lines, f"[SQL](../../sql/4_metrics/{template.name}.sql)"]
    return "\n\n".join(part for part in parts if part) + "\n"


def check_lines() -> list[str]:
    """Return a line for each check."""
    return [f"- `{name}`: {plain(check.head['Rule'])}" for name, check in sorted(templates.checks().items())]


def plain(text: str) -> str:
    """Return a rule as text; a placeholder becomes the argument it stands for, or `…`."""
    text = re.sub(r" \(\{\w+\}\)", "", text)  # the column's name, after what it holds
    filled = re.sub(r"\{(?:qrels_)?(query|item|score|rank|relevance|model|by)\}", r"\1", text)
    return re.sub(r"\{[^}]*\}", VALUE, filled)


if __name__ == "__main__":
    for path, text in pages().items():
        path.write_text(text, "utf-8")
