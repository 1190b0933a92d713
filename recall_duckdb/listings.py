"""What the commands `metrics` and `dialects` print."""

from __future__ import annotations

import textwrap

from recall_duckdb import dialects, report
from recall_duckdb.definitions import reading
from recall_duckdb.definitions.templates import Template
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.metrics import MetricFolders
from recall_duckdb.question.spellings import spellings


def dialects_with_evidence() -> report.Records:
    """Return a table of the dialects and how each was tested."""
    return report.Records(["dialect", "evidence"], [[name, dialects.evidence(name)] for name in dialects.DIALECTS])


def metrics_with_options(folders: MetricFolders) -> str:
    """Return the description of each metric."""
    found = metrics.catalog(folders)
    aliases = ", ".join(f"{theirs}= means {ours}=" for theirs, ours in metrics.OPTION_ALIASES.items())
    return "\n\n".join(
        [
            *(_describe(name, template) for name, template in found.items()),
            f"In other names, x is a number; {aliases}.",
        ]
    )


def _describe(name: str, template: Template) -> str:
    """Return the description of a metric: definition, options, other names."""
    aliases = {ours: theirs for theirs, ours in metrics.OPTION_ALIASES.items()}
    others = [each.show(aliases) for each in spellings(template, "Trec", "Also") if each.name != name]
    needed = [f"--{each}" for each in sorted(reading.inputs_of(template)) if each in OPTIONAL_INPUTS]
    lines = {
        "": template.definition,
        "options": "; ".join(map(str, metrics.options(template).values())),
        "also": ", ".join(others),
        "needs": ", ".join(needed),
        "edges": template.head.get("Edges", ""),
        "source": template.head.get("Source", "not given"),
    }
    wrapped = [
        textwrap.fill(f"{label}: {text}" if label else text, 100, initial_indent="  ", subsequent_indent="    ")
        for label, text in lines.items()
        if text
    ]
    return "\n".join([f"{name}@k" if "k" in template.parameters else name, *wrapped])
