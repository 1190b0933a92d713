"""The command `metrics`: lists every metric."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping, Sequence

from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.definitions import reading
from recall_duckdb.definitions.templates import Template
from recall_duckdb.fitting import terminal_width, wrap
from recall_duckdb.question import OPTIONAL_INPUTS, metrics
from recall_duckdb.question.spellings import spellings

_MOST_LETTERS = 100  # of a line


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("name", nargs="*", metavar="METRIC", help="a metric, in any spelling (default: all)")
    parser.add_argument("--metric-folder", action="append", metavar="DIR", help="a folder of your own metric files")


def run(arguments: argparse.Namespace) -> Answer:
    """Describe the metrics that are named, or all."""
    catalog = metrics.catalog(arguments.metric_folder)
    names = [name for text in arguments.name for name in _names(text, catalog, arguments.metric_folder)] or catalog
    aliases = ", ".join(f"{theirs}= means {ours}=" for theirs, ours in metrics.OPTION_ALIASES.items())
    described = [_describe(name, catalog[name]) for name in dict.fromkeys(names)]
    last = f"In other names, x is a number; {aliases}."
    return Answer("\n\n".join([*described, "\n".join(wrap(last, terminal_width()))]))


def _names(text: str, catalog: Mapping[str, Template], folders: Sequence[str] | None) -> list[str]:
    """Return the metrics that a text names, in any spelling; raises `UnknownNameError` if there is none."""
    return [text] if text in catalog else [metric.template.name for metric in metrics.parse(text, folders)]


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
