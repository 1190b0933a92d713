"""The command `compare`: compares runs with a baseline, or every two of them for a leaderboard."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from shlex import quote as quote_for_shell
from typing import Any

import duckdb

from recall_duckdb import compare, evaluate
from recall_duckdb.cli import options
from recall_duckdb.cli.files import add_per_query, values_file
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.comparison.comparison import Comparison, Leaderboard
from recall_duckdb.errors import ArgumentError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.reporting.judging import say_judged

# The options of `compare --values`.
_OF_VALUES = ["run", "values", "query", "by", "slices", "item_by", "metric", "baseline", *options.SETTINGS]
_OF_VALUES += ["format", "database", "memory_limit", "threads"]

# Without a baseline, `compare` prints a leaderboard: it is over all queries, and has no differences.
_NEEDS_BASELINE = {
    **dict.fromkeys(("by", "slices", "item_by"), "a leaderboard is over all queries and items"),
    "interval": "a leaderboard has no differences, so they have no intervals",
}


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, EvaluateQuestion)
    options.add_how(parser, "; without it, every two models are compared, for a leaderboard")
    add_per_query(parser)
    parser.add_argument(
        "--values",
        action="store_true",
        help="the files hold values of queries, as --per-query writes them; metrics are their columns",
    )
    options.add_format(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """Compare runs, or files of values of queries, with a baseline; without one, every two of them."""
    connection, how = options.connection_of(arguments), options.settings_of(arguments)
    files, values = options.named_runs(arguments.run), values_file(arguments)
    if arguments.baseline is None:
        for name in arguments.parser.given_arguments(arguments):
            if name in _NEEDS_BASELINE:
                fix = f"Pass --baseline too, or leave out --{name.replace('_', '-')}"
                raise ArgumentError(_NEEDS_BASELINE[name], argument=name, fix=fix)
        del how["interval"]

    def work() -> Answer:
        if arguments.values:
            return _answer(arguments, _compare_values(arguments, files, how, connection))
        result = evaluate(**options.question_of(arguments, EvaluateQuestion), connection=connection)
        if arguments.baseline is None and len(result.counts) < 2:
            raise ArgumentError(
                "there is one model, so there is nothing to compare",
                argument="run",
                fix="Pass several runs, as in compare old.parquet new.parquet",
            )
        table: Comparison | Leaderboard
        table = result.leaderboard(**how) if arguments.baseline is None else result.compare(arguments.baseline, **how)
        answer = _answer(arguments, table, result.notes, result.read_as)
        below = [*say_judged(result.data), *answer.below]
        return replace(answer, below=below, then=lambda: values.write(result) if values is not None else None)

    return with_progress(connection, work)


def _answer(
    arguments: argparse.Namespace,
    table: Comparison | Leaderboard,
    notes: Sequence[str] = (),
    read_as: Sequence[str] = (),
) -> Answer:
    """Return a table in the format of the command; a leaderboard of two models with what shows their difference."""
    shown = table.shown
    answer = in_format(arguments, replace(shown, notes=[*shown.notes, *notes], read_as=read_as))
    if not isinstance(table, Leaderboard) or len(table.models) > 2:
        return answer
    baseline = quote_for_shell(str(table.models[-1]))
    return replace(answer, below=[f"--baseline {baseline} shows the difference, with its interval and p"])


def _compare_values(
    arguments: argparse.Namespace,
    files: Mapping[str, str],
    how: Mapping[str, Any],
    connection: duckdb.DuckDBPyConnection | None,
) -> Comparison | Leaderboard:
    """Compare files of values of queries."""
    for name in arguments.parser.given_arguments(arguments):
        if name not in _OF_VALUES:
            raise ArgumentError("it has no effect with --values, because nothing is evaluated", argument=name)
    names = ("query", "by", "slices", "item_by")
    columns = {name: value for name in names if (value := getattr(arguments, name)) is not None}
    columns |= {"baseline": arguments.baseline, "metrics": arguments.metric}
    comparison = compare(files, **columns, **how, connection=connection)
    return comparison.leaderboard() if arguments.baseline is None else comparison
