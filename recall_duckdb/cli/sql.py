"""The command `sql`: prints the statement, or functions of lists."""

from __future__ import annotations

import argparse

from recall_duckdb import functions, sql
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.errors import ArgumentError, quote
from recall_duckdb.question import SqlQuestion

# Options whose names are not those of their arguments.
_OPTIONS = {"run": "RUN", "form": "--as"}


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
    parser.add_argument(
        "--functions",
        action="store_true",
        help="statements that create functions of lists instead, which return the value of one query; alone, or with "
        "--dialect and --metric (default: all metrics that have a function)",
    )


def run(arguments: argparse.Namespace) -> Answer:
    """Print the statement."""
    if arguments.functions:
        return Answer(_functions(arguments), is_data=True)
    if not arguments.run:
        arguments.parser.error("the following arguments are required: RUN")
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


def _functions(arguments: argparse.Namespace) -> str:
    given = arguments.parser.given_arguments(arguments)
    others = [name for name in given if name not in ("functions", "dialect", "metric") and getattr(arguments, name)]
    if others:
        raise ArgumentError(
            "a function reads no table, and has no policies",
            argument="--functions",
            fix=f"Leave out {_OPTIONS.get(others[0]) or '--' + others[0].replace('_', '-')}",
        )
    return functions(arguments.metric, dialect=arguments.dialect).removesuffix("\n")
