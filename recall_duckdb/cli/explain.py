"""The command `explain`: shows the list of one query item by item."""

from __future__ import annotations

import argparse

from recall_duckdb import evaluate, report
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.errors import UnknownNameError
from recall_duckdb.question import EvaluateQuestion


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("query_id", metavar="QUERY", help="a query; a,b if two columns identify it")
    add_question(parser, EvaluateQuestion, RUNS)
    parser.add_argument("--baseline", metavar="MODEL", help="the model to compare the lists of the others with")
    parser.add_argument(
        "-k", type=int, metavar="K", help="how many items of a list count (default: the largest cutoff of the metrics)"
    )
    add_format(parser)
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Show the items of the query in the list of each model."""
    connection, question = connection_of(arguments), question_of(arguments, EvaluateQuestion)
    columns = arguments.query or []
    query = tuple(arguments.query_id.split(",")) if len(columns) > 1 else arguments.query_id

    def work() -> report.Records:
        result = evaluate(**question, connection=connection)
        names: list[str] = []
        rows: list[tuple[object, ...]] = []
        for model in result.counts:
            if str(model) != arguments.baseline or len(result.counts) == 1:
                items = result.explain(query, baseline=arguments.baseline, model=model, k=arguments.k)
                places = [0, 1, 2, 3, 4] if arguments.baseline is not None else [0, 1, 3]  # of the item, its rank
                names = ["model", *(items.columns[place] for place in places)]
                rows += [(model, *(row[place] for place in places)) for row in items.fetchall()]
        return report.Records(names, rows)

    try:
        return in_format(arguments, with_progress(connection, work))
    except UnknownNameError as error:
        if error.argument != "query":
            raise
        raise UnknownNameError(error.problem, argument="QUERY", fix=error.fix) from error
