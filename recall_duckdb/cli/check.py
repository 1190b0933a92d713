"""The command `check`: finds faults in run and qrels."""

from __future__ import annotations

import argparse
from dataclasses import replace

from recall_duckdb import check, checking, report
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import CheckQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, CheckQuestion, RUNS)
    add_format(parser)
    parser.add_argument("--skip", action="append", metavar="CHECK", help="leave this check out; repeatable")
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Run the checks."""
    connection, question = connection_of(arguments), question_of(arguments, CheckQuestion)
    faults = with_progress(connection, lambda: check(**question, connection=connection))
    shown = checking.faults_table(faults, wide=report.FORMATS[arguments.format].wraps)
    return replace(in_format(arguments, shown), has_faults=not faults.clean)
