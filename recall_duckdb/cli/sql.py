"""The command `sql`: prints the statement."""

from __future__ import annotations

import argparse

from recall_duckdb import sql
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.errors import ArgumentError, quote
from recall_duckdb.question import SqlQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, SqlQuestion, is_run=False)
    parser.add_argument("--dialect", default="duckdb", metavar="D", help="the SQL dialect, as listed by `dialects`")
    parser.add_argument("--per-query", action="store_true", help="the values of each query instead of the means")
    parser.add_argument("--pool", action="store_true", help=options.help_of(SqlQuestion, "pool"))
    parser.add_argument(
        "--as",
        dest="form",
        nargs="+",
        default=["select"],
        metavar=("KIND", "NAME"),
        help="view NAME or table NAME, to create a view or table; select (the default), for the SELECT alone",
    )


def run(arguments: argparse.Namespace) -> Answer:
    """Print the statement."""
    kind, *names = arguments.form
    if kind in ("view", "table") and not names:
        raise ArgumentError(f"--as {kind} needs the name of the {kind}, as in --as {kind} recall")
    if kind not in ("view", "table", "select") or len(names) != (kind != "select"):
        raise ArgumentError(
            f"view NAME, table NAME or select is expected, not {quote(' '.join(arguments.form))}", argument="--as"
        )
    target = {kind: names[0]} if names else {}
    text = sql(**options.question_of(arguments, SqlQuestion), **target)
    return Answer(f"{text};" if target else text, is_data=True)  # a SELECT alone may become part of a statement
