"""The command `report`: writes a report as one HTML file."""

from __future__ import annotations

import argparse
from typing import Any

from recall_duckdb import evaluate
from recall_duckdb.cli import options
from recall_duckdb.cli.files import add_history, appender
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer
from recall_duckdb.errors import ArgumentError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.reading import sources
from recall_duckdb.reporting.plots import NO_CHARTS, has_charts
from recall_duckdb.reporting.writing import target_of


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, EvaluateQuestion)
    options.add_texts(parser)
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the .html file to write")
    parser.add_argument("--queries", type=int, metavar="N", help="how many worst and best queries (default: 10)")
    checks = "run the data checks; by default they run on up to 500,000 rows"
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, help=checks)
    parser.add_argument("--history", metavar="FOLDER", help="a history, to draw the trend; --append draws it too")
    add_history(parser)
    options.add_how(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Evaluate, and write a report of the result."""
    how, append = options.settings_of(arguments), appender(arguments)
    if arguments.append is not None and arguments.history is not None:
        raise ArgumentError("Pass either --append or --history, not both: --append draws the trend too")
    sources.refuse_input("path", *target_of(arguments.output), [*options.input_paths(arguments), arguments.history])
    more = {name: value for name in ("baseline", "queries", "texts") if (value := getattr(arguments, name)) is not None}

    def write(**question: Any) -> list[str]:
        result = evaluate(**question)
        append(result)  # an error leaves the report as it was
        drawn = arguments.append or arguments.history
        return result.report(arguments.output, check=arguments.check, history=drawn, **more, **how)

    decision = options.ask(arguments, EvaluateQuestion, write)
    lines = [f"wrote {arguments.output}", *([] if has_charts() else [f"warning: {NO_CHARTS}"])]
    return Answer("\n".join(decision), lines)
