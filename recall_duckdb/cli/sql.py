"""The command `sql`: prints the statement."""

from __future__ import annotations

import argparse

from recall_duckdb import sql
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.question import SqlQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, SqlQuestion, is_run=False)
    parser.add_argument("--dialect", default="duckdb", metavar="D", help="the SQL dialect, as listed by `dialects`")
    parser.add_argument("--per-query", action="store_true", help="the values of each query instead of the means")
    parser.add_argument("--pool", action="store_true", help=options.help_of(SqlQuestion, "pool"))
    parser.add_argument("--form", default="select", metavar="F", help=options.help_of(SqlQuestion, "form"))
    parser.add_argument("--name", metavar="NAME", help=options.help_of(SqlQuestion, "name"))
    parser.add_argument("--at-least", type=float, metavar="X", help=options.help_of(SqlQuestion, "at_least"))
    parser.add_argument("--sums", default="plain", metavar="S", help=options.help_of(SqlQuestion, "sums"))


def run(arguments: argparse.Namespace) -> Answer:
    """Print the statement."""
    text = sql(**options.question_of(arguments, SqlQuestion))
    return Answer(f"{text};" if arguments.name else text, is_data=True)  # a SELECT alone may become part of a statement
