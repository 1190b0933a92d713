"""The command `agreement`: compares lists with those of a baseline."""

from __future__ import annotations

import argparse

from recall_duckdb import agreement, report
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question, help_of
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.question import AgreementQuestion, argument_docs


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, AgreementQuestion, RUNS)
    docs = argument_docs(AgreementQuestion)
    parser.add_argument("--baseline", metavar="MODEL", required=True, help=help_of(docs["baseline"]))
    whole = f"{help_of(docs['k'].partition(';')[0])}, or none for whole lists (default: 10)"
    parser.add_argument("-k", type=_cutoff, metavar="K", help=whole)
    parser.add_argument("-p", type=float, metavar="P", help=f"{help_of(docs['p'])} (default: 0.9)")
    parser.groups["output"].add_argument(
        "--each-query", action="store_true", help="print each query, the largest change first"
    )
    add_format(parser)
    add_duckdb(parser)


def _cutoff(text: str) -> int | str:
    return text if text == "none" else int(text)


def run(arguments: argparse.Namespace) -> Answer:
    """Compare the lists of the models."""
    connection, question = connection_of(arguments), question_of(arguments, AgreementQuestion)
    result = with_progress(connection, lambda: agreement(**question, connection=connection))
    if not arguments.each_query:
        return in_format(arguments, result.shown)
    queries = result.per_query()
    return in_format(arguments, report.Records(queries.columns, queries.fetchall()))
