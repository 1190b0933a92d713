"""The command `check`: finds faults in run and qrels."""

from __future__ import annotations

import argparse
from dataclasses import replace

from recall_duckdb import check, checking, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import CheckQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, CheckQuestion)
    options.add_format(parser)
    parser.add_argument("--skip", action="append", metavar="CHECK", help="leave this check out; repeatable")


def run(arguments: argparse.Namespace) -> Answer:
    """Run the checks."""
    faults = options.ask(arguments, CheckQuestion, check)
    shown = checking.faults_table(faults, wide=report.FORMATS[arguments.format].wraps)
    # Formats for programs have rows alone, and none without a fault.
    below = faults.read_as if report.FORMATS[arguments.format].is_long else []
    return replace(in_format(arguments, shown), below=below, has_faults=not faults.clean)
