"""The command `evaluate`: evaluates runs, and tries gates."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from recall_duckdb import evaluate, file_writing, report
from recall_duckdb.cli.appending import add_history, appender
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question, help_of
from recall_duckdb.cli.options import connection_of, input_paths, question_of
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.comparison.gates import Gates, Outcome, try_gates
from recall_duckdb.errors import ArgumentError, UnknownNameError, quote
from recall_duckdb.inputs import sources
from recall_duckdb.question import EvaluateQuestion, argument_docs
from recall_duckdb.reporting import history
from recall_duckdb.result import Result

_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".json": "json"}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_question(parser, EvaluateQuestion, RUNS)
    add_format(parser, report.TREC)
    parser.add_argument(
        "-q", "--each-query", action="store_true", help="with --format trec: the values of each query too"
    )
    parser.add_argument(
        "--intervals", action="store_true", help="print the interval, standard error and quantiles of each mean"
    )
    parser.add_argument(
        "--per-query", metavar="FILE", help="also write the values of each query to a .parquet, .csv or .json file"
    )
    add_history(parser)
    _add_gates(parser)
    add_duckdb(parser)


def _add_gates(parser: argparse.ArgumentParser) -> None:
    """Add an option for each gate."""
    said = argument_docs(Gates)
    gates = parser.add_argument_group(
        "gates (the exit status is 1 if one fails; with --by or --item-by also in each slice)"
    )
    gates.add_argument("--at-least", action="append", metavar="M=X", help=f"{help_of(said['at_least'])}; repeatable")
    gates.add_argument("--not-below", metavar="FILE", help=help_of(said["not_below"]))
    gates.add_argument("--max-drop", metavar="X", help=f"with --not-below: {help_of(said['max_drop'])}")
    for name in ("significant", "common"):
        text = help_of(said[name]).removeprefix("True to ")
        gates.add_argument(f"--{name}", action="store_true", help=f"with --not-below: {text}")


def run(arguments: argparse.Namespace) -> Answer:
    """Evaluate, try the gates, and write what else was asked for."""
    connection, file, append = connection_of(arguments), arguments.per_query, appender(arguments)
    named = {name: value for name in Gates.__dataclass_fields__ if (value := getattr(arguments, name)) is not None}
    gates = Gates(**named)
    extension = _EXTENSIONS.get(Path(file).suffix) if file else None
    if file and extension is None:
        raise UnknownNameError(f"{quote(file)} must end in one of {', '.join(_EXTENSIONS)}", argument="--per-query")
    target = file_writing.target(file, "per_query") if file else None
    if target:
        sources.refuse_input("per_query", file, target, input_paths(arguments))
    added = arguments.append and history.target_of(arguments.append)[1]
    if target and target == added:
        raise ArgumentError(
            f"both name {quote(file)}", argument="--append, --per-query", fix="Choose another path for one of them"
        )
    if arguments.intervals and arguments.format == report.TREC:
        raise ArgumentError("trec_eval's format has none", argument="--intervals", fix="Choose another --format")
    if arguments.each_query and arguments.format != report.TREC:
        raise ArgumentError(
            "needs --format trec; for a file of values, pass --per-query FILE", argument="-q, --each-query"
        )
    question = question_of(arguments, EvaluateQuestion)

    def work() -> tuple[Result, Outcome, Answer]:
        result = evaluate(**question, connection=connection)
        outcome = try_gates(gates, result.data)
        if arguments.format == report.TREC:
            return result, outcome, Answer(result.to_trec(each_query=arguments.each_query))
        return result, outcome, in_format(arguments, (result.intervals() if arguments.intervals else result).shown)

    result, outcome, answer = with_progress(connection, work)
    # A failed gate keeps its baseline. Otherwise the next try would pass.
    is_kept = (
        bool(outcome.failed)
        and gates.not_below is not None
        and target == file_writing.target(gates.not_below, "not_below")
    )
    if is_kept:
        outcome.warnings.append(f"{file} was not replaced, because a gate failed")

    def write() -> None:
        if target and extension and not is_kept:
            with file_writing.replacing(target, file, "per_query") as written:
                result.write_per_query(written, extension)
        append(result)  # also if a gate failed

    lines = [f"warning: {line}" for line in outcome.warnings] + [f"gate failed: {line}" for line in outcome.failed]
    return replace(answer, below=lines, has_faults=bool(outcome.failed), then=lambda: with_progress(connection, write))
