"""The command `agreement`: compares lists with those of a baseline."""

from __future__ import annotations

import argparse

from recall_duckdb import agreement, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import AgreementQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, AgreementQuestion)
    helps = {name: options.help_of(AgreementQuestion, name) for name in ("baseline", "k", "p")}
    parser.add_argument("--baseline", metavar="MODEL", required=True, help=helps["baseline"])
    whole = f"{helps['k'].partition(';')[0]}, or none for whole lists (default: 10)"
    parser.add_argument("-k", type=_cutoff, metavar="K", help=whole)
    parser.add_argument("-p", type=float, metavar="P", help=f"{helps['p']} (default: 0.9)")
    parser.groups["output"].add_argument(
        "--each-query", action="store_true", help="print each query, the largest change first"
    )
    options.add_format(parser)


def _cutoff(text: str) -> int | str:
    return text if text == "none" else int(text)


def run(arguments: argparse.Namespace) -> Answer:
    """Compare the lists of the models."""
    result = options.ask(arguments, AgreementQuestion, agreement)
    if not arguments.each_query:
        return in_format(arguments, result.shown)
    queries = result.per_query()
    return in_format(arguments, report.Records(queries.columns, queries.fetchall()))
