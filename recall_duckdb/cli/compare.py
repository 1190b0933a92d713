"""The command `compare`: compares runs with a baseline."""

from __future__ import annotations

import argparse
from dataclasses import replace

from recall_duckdb import compare, evaluate
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_how, add_question
from recall_duckdb.cli.options import SETTINGS, connection_of, named_runs, question_of, settings_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.per_query import add_per_query, values_file
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.errors import ArgumentError
from recall_duckdb.question import EvaluateQuestion

# The options of `compare --values`.
_OF_VALUES = ["run", "values", "query", "by", "item_by", "metric", "baseline", *SETTINGS]
_OF_VALUES += ["format", "database", "memory_limit", "threads"]


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, EvaluateQuestion, RUNS)
    add_how(parser)
    add_per_query(parser)
    parser.add_argument(
        "--values",
        action="store_true",
        help="the files hold values of queries, as --per-query writes them; metrics are their columns",
    )
    add_format(parser)
    add_duckdb(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Compare runs, or files of values of queries."""
    connection, how = connection_of(arguments), settings_of(arguments)
    files, values = named_runs(arguments.run), values_file(arguments)

    def work() -> Answer:
        if arguments.values:
            if len(files) < 2:
                raise ArgumentError(
                    "two files are expected at least, that of the baseline and another one", argument="run"
                )
            for name in arguments.parser.given_arguments(arguments):
                if name not in _OF_VALUES:
                    raise ArgumentError("it has no effect with --values, because nothing is evaluated", argument=name)
            columns = {name: getattr(arguments, name) for name in ("query", "by", "item_by")}
            columns = {name: value for name, value in columns.items() if value is not None}
            columns["metrics"] = arguments.metric
            comparison = compare(files, baseline=arguments.baseline, **columns, **how, connection=connection)
            return in_format(arguments, comparison.shown)
        result = evaluate(**question_of(arguments, EvaluateQuestion), connection=connection)
        shown = result.compare(arguments.baseline, **how).shown
        answer = in_format(arguments, replace(shown, more_notes=[*shown.more_notes, *result.notes]))
        return replace(answer, then=lambda: values.write(result) if values is not None else None)

    return with_progress(connection, work)
