"""The files that commands write in addition to their answer: values of queries, and a history of means."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from recall_duckdb import file_writing
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.errors import ArgumentError
from recall_duckdb.reading import sources
from recall_duckdb.reporting import history
from recall_duckdb.result import Result


@dataclass(frozen=True)
class ValuesFile:
    """A file for values of queries: its name, the file that this is, and its format."""

    name: str
    target: Path
    form: str

    def write(self, result: Result) -> None:
        """Write the values of a result."""
        with file_writing.replacing(self.target, self.name, "per_query") as written:
            result.write_per_query(written, self.form)


def add_per_query(parser: Parser) -> None:
    """Add the option that names the file."""
    parser.groups["output"].add_argument(
        "--per-query", metavar="FILE", help="also write the values of each query to a .parquet, .csv or .json file"
    )


def values_file(arguments: argparse.Namespace) -> ValuesFile | None:
    """Return the file that the command names, None for none; raises `ArgumentError` if it cannot be written."""
    if arguments.per_query is None:
        return None
    name, _ = file_writing.target_ending(arguments.per_query, (".parquet", ".csv", ".json"), "per_query")
    return ValuesFile(name, target_of(arguments, "per_query"), Path(name).suffix[1:])


def target_of(arguments: argparse.Namespace, name: str) -> Path:
    """Return the file to write that an option names; raises `ArgumentError` if it is an input or cannot be written."""
    path = getattr(arguments, name)
    target = file_writing.target(path, name)
    sources.refuse_input(name, path, target, options.input_paths(arguments))
    return target


def add_history(parser: Parser) -> None:
    """Add the options that add the means to a history."""
    parser.groups["output"].add_argument(
        "--append", metavar="FOLDER", help="add the means to a history, as a .parquet file in this folder; see --run-id"
    )
    parser.groups["output"].add_argument(
        "--run-id", metavar="ID", help="with --append: the name of this run (default: a random one)"
    )


def appender(arguments: argparse.Namespace) -> Callable[[Result], object]:
    """Return what adds the means of a result to the history of the command, if it names one that can be written."""
    if arguments.append is not None:
        sources.refuse_input("history", *history.target_of(arguments.append), options.input_paths(arguments))
        history.check(arguments.append)
        return lambda result: result.append(arguments.append, run_id=arguments.run_id)
    if arguments.run_id is not None:
        raise ArgumentError("there is no history to add the run to", argument="--run-id", fix="Pass --append too")
    return lambda _: None
