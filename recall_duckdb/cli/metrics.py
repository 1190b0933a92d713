"""The command `metrics`: lists every metric."""

from __future__ import annotations

import argparse
import textwrap

from recall_duckdb.cli.running import Answer
from recall_duckdb.definitions import reading
from recall_duckdb.definitions.templates import Template
from recall_duckdb.fitting import terminal_width, wrap
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.spellings import spellings

_MOST_LETTERS = 100  # of a line


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--metric-folder", action="append", metavar="DIR", help="a folder of your own metric files")


def run(arguments: argparse.Namespace) -> Answer:
    """Describe each metric."""
    found = metrics.catalog(arguments.metric_folder)
    aliases = ", ".join(f"{theirs}= means {ours}=" for theirs, ours in metrics.OPTION_ALIASES.items())
    described = [_describe(name, template) for name, template in found.items()]
    last = f"In other names, x is a number; {aliases}."
    return Answer("\n\n".join([*described, "\n".join(wrap(last, terminal_width()))]))


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
    width = min(terminal_width() or _MOST_LETTERS, _MOST_LETTERS)
    wrapped = [
        textwrap.fill(f"{label}: {text}" if label else text, width, initial_indent="  ", subsequent_indent="    ")
        for label, text in lines.items()
        if text
    ]
    return "\n".join([f"{name}@k" if "k" in template.parameters else name, *wrapped])
