"""The command `pool`: lists the items to judge next."""

from __future__ import annotations

import argparse

from recall_duckdb import pool, report
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import PoolQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, PoolQuestion, RUNS)
    add_format(parser, default="csv")
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """List the items to judge."""
    connection, question = connection_of(arguments), question_of(arguments, PoolQuestion)
    items = with_progress(connection, lambda: pool(**question, connection=connection))
    return in_format(arguments, report.Records(items.columns, items.fetchall()))
