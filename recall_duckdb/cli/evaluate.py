"""The command `evaluate`: evaluates runs, and tries gates."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import get_args

from recall_duckdb import evaluate, file_writing, report
from recall_duckdb.cli.appending import add_history, appender
from recall_duckdb.cli.arguments import RUNS, add_duckdb, add_format, add_question, help_of
from recall_duckdb.cli.options import connection_of, question_of
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.per_query import add_per_query, values_file
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.comparison.gates import Gates, Outcome, try_gates
from recall_duckdb.comparison.settings import MeanInterval
from recall_duckdb.errors import ArgumentError, quote
from recall_duckdb.question import EvaluateQuestion, argument_docs
from recall_duckdb.reporting import history
from recall_duckdb.result import Result


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_question(parser, EvaluateQuestion, RUNS)
    add_format(parser, report.TREC)
    shown = parser.groups["output"]
    shown.add_argument(
        "-q", "--each-query", action="store_true", help="with --format trec: the values of each query too"
    )
    shown.add_argument(
        "--intervals", action="store_true", help="print the interval, standard error and quantiles of each mean"
    )
    names = get_args(MeanInterval)
    shown.add_argument("--interval", choices=names, help=f"with --intervals: how they are found (default: {names[0]})")
    add_per_query(parser)
    add_history(parser)
    _add_gates(parser)
    add_duckdb(parser)


def _add_gates(parser: Parser) -> None:
    """Add an option for each gate."""
    docs = argument_docs(Gates)
    gates = parser.groups["gates"]
    gates.add_argument("--at-least", action="append", metavar="M=X", help=f"{help_of(docs['at_least'])}; repeatable")
    gates.add_argument("--not-below", metavar="MODEL|FILE", help=help_of(docs["not_below"]))
    gates.add_argument("--max-drop", metavar="X", help=f"with --not-below: {help_of(docs['max_drop'])}")
    for name in ("significant", "common"):
        text = help_of(docs[name]).removeprefix("True to ")
        gates.add_argument(f"--{name}", action="store_true", help=f"with --not-below: {text}")


def run(arguments: argparse.Namespace) -> Answer:
    """Evaluate, try the gates, and write what else was asked for."""
    connection, append = connection_of(arguments), appender(arguments)
    limits = {name: value for name in Gates.__dataclass_fields__ if (value := getattr(arguments, name)) is not None}
    gates, values = Gates(**limits), values_file(arguments)
    if values is not None and arguments.append and values.target == history.target_of(arguments.append)[1]:
        raise ArgumentError(
            f"both name {quote(values.name)}",
            argument="--append, --per-query",
            fix="Choose another path for one of them",
        )
    if arguments.intervals and arguments.format == report.TREC:
        raise ArgumentError("trec_eval's format has none", argument="--intervals", fix="Choose another --format")
    if arguments.interval is not None and not arguments.intervals:
        raise ArgumentError("there is no interval to find", argument="--interval", fix="Pass --intervals too")
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
        table = result.intervals(interval=arguments.interval or "auto") if arguments.intervals else result
        return result, outcome, in_format(arguments, table.shown)

    result, outcome, answer = with_progress(connection, work)
    # A failed gate keeps its baseline. Otherwise the next try would pass.
    keeps_baseline = (
        values is not None
        and bool(outcome.failed)
        and gates.not_below is not None
        and gates.not_below not in result.counts
        and values.target == file_writing.target(gates.not_below, "not_below")
    )
    if values is not None and keeps_baseline:
        outcome.warnings.append(f"{values.name} was not replaced, because a gate failed")

    def write() -> None:
        if values is not None and not keeps_baseline:
            values.write(result)
        append(result)  # also if a gate failed

    kinds = {"warning": outcome.warnings, "gate passed": outcome.passed, "gate failed": outcome.failed}
    lines = [f"{kind}: {line}" for kind, texts in kinds.items() for line in texts]
    return replace(answer, below=lines, has_faults=bool(outcome.failed), then=lambda: with_progress(connection, write))
