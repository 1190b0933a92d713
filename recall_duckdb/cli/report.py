"""The command `report`: writes a report as one HTML file."""

from __future__ import annotations

import argparse

from recall_duckdb import evaluate
from recall_duckdb.cli.appending import add_history, appender
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_how, add_question, add_texts
from recall_duckdb.cli.options import connection_of, input_paths, question_of, settings_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer
from recall_duckdb.errors import ArgumentError
from recall_duckdb.inputs import sources
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.reporting.plots import NO_CHARTS, has_charts
from recall_duckdb.reporting.writing import target_of


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, EvaluateQuestion, RUNS)
    add_texts(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the .html file to write")
    parser.add_argument("--queries", type=int, metavar="N", help="how many worst and best queries (default: 10)")
    checks = "run the data checks; by default they run on up to 500,000 rows"
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, help=checks)
    parser.add_argument("--history", metavar="FILE", help="a history, to draw the trend; --append draws it too")
    add_history(parser)
    add_how(parser)
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Evaluate, and write a report of the result."""
    connection, how, append = connection_of(arguments), settings_of(arguments), appender(arguments)
    if arguments.append is not None and arguments.history is not None:
        raise ArgumentError("Pass either --append or --history, not both: --append draws the trend too")
    sources.refuse_input("path", *target_of(arguments.output), [*input_paths(arguments), arguments.history])
    more = {name: value for name in ("baseline", "queries", "texts") if (value := getattr(arguments, name)) is not None}

    def work() -> list[str]:
        result = evaluate(**question_of(arguments, EvaluateQuestion), connection=connection)
        append(result)  # an error leaves the report as it was
        drawn = arguments.append or arguments.history
        return result.report(arguments.output, check=arguments.check, history=drawn, **more, **how)

    decision = with_progress(connection, work)
    lines = [f"wrote {arguments.output}", *([] if has_charts() else [f"warning: {NO_CHARTS}"])]
    return Answer("\n".join(decision), lines)
