"""The options that add the means to a history, for `evaluate` and `report`."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from recall_duckdb.cli.options import input_paths
from recall_duckdb.cli.parser import Parser
from recall_duckdb.errors import ArgumentError
from recall_duckdb.inputs import sources
from recall_duckdb.reporting import history
from recall_duckdb.result import Result


def add_history(parser: Parser) -> None:
    """Add the options that add the means to a history."""
    parser.groups["output"].add_argument(
        "--append", metavar="FILE", help="add the means to a history, a .parquet file; see --run-id"
    )
    parser.groups["output"].add_argument(
        "--run-id", metavar="ID", help="with --append: the name of this run (default: a random one)"
    )


def appender(arguments: argparse.Namespace) -> Callable[[Result], object]:
    """Return what adds the means of a result to the history of the command, if it names one that can be written."""
    if arguments.append is not None:
        sources.refuse_input("history", *history.target_of(arguments.append), input_paths(arguments))
        history.check(arguments.append)
        return lambda result: result.append(arguments.append, run_id=arguments.run_id)
    if arguments.run_id is not None:
        raise ArgumentError("there is no history to add the run to", argument="--run-id", fix="Pass --append too")
    return lambda _: None
