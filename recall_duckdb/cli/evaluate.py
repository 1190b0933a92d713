"""The command `evaluate`: evaluates runs, and tries gates."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from recall_duckdb import evaluate, file_writing, report
from recall_duckdb.cli import options
from recall_duckdb.cli.files import ValuesFile, add_history, add_per_query, appender, target_of, values_file
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import with_progress
from recall_duckdb.cli.running import Answer, in_format
from recall_duckdb.comparison.gates import Gates, Outcome, try_gates
from recall_duckdb.comparison.settings import MeanInterval
from recall_duckdb.errors import ArgumentError, quote
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.reporting import history
from recall_duckdb.reporting.judging import say_judged
from recall_duckdb.result import Result


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_question(parser, EvaluateQuestion)
    options.add_format(parser, report.TREC)
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


def _add_gates(parser: Parser) -> None:
    """Add an option for each gate."""
    gates, helps = parser.groups["gates"], {name: options.help_of(Gates, name) for name in Gates.__dataclass_fields__}
    gates.add_argument("--at-least", action="append", metavar="M=X", help=f"{helps['at_least']}; repeatable")
    gates.add_argument("--not-below", metavar="MODEL|FILE", help=helps["not_below"])
    written = {name: f"--{name.replace('_', '-')}" for name in ("max_drop", "significant", "common")}
    for name, option in written.items():
        text = helps[name].removeprefix("True to ")
        for other, its_option in written.items():
            text = text.replace(f"`{other}`", its_option)
        how: dict[str, Any] = {"metavar": "X"} if name == "max_drop" else {"action": "store_true"}
        gates.add_argument(option, help=f"with --not-below: {text}", **how)
    gates.add_argument("--junit", metavar="FILE", help="also write the gates to an XML file, as JUnit does")
    gates.add_argument(
        "--summary", metavar="FILE", help="also append table and gates to a Markdown file: $GITHUB_STEP_SUMMARY"
    )


def run(arguments: argparse.Namespace) -> Answer:
    """Evaluate, try the gates, and write what else was asked for."""
    connection, append = options.connection_of(arguments), appender(arguments)
    limits = {name: value for name in Gates.__dataclass_fields__ if (value := getattr(arguments, name)) is not None}
    gates, values = Gates(**limits), values_file(arguments)
    files = _gate_files(arguments)
    _check_distinct(arguments, values, files)
    _check_shown(arguments)
    question = options.question_of(arguments, EvaluateQuestion)
    if "junit" in files:  # a build must not read those of an earlier run if this one fails
        files["junit"].unlink(missing_ok=True)

    def work() -> tuple[Result, Outcome, Answer]:
        result = evaluate(**question, connection=connection)
        outcome = try_gates(gates, result.data)
        if arguments.format == report.TREC:
            return result, outcome, Answer(result.to_trec(each_query=arguments.each_query))
        if not arguments.intervals:
            return result, outcome, in_format(arguments, result.shown)
        intervals = result.intervals(interval=arguments.interval or "auto").shown
        return result, outcome, in_format(arguments, replace(intervals, read_as=result.read_as))

    result, outcome, answer = with_progress(connection, work)
    # A failed gate keeps its baseline. Otherwise the next try would pass.
    has_failed = outcome.failed and gates.not_below not in (None, *result.counts)
    if values is not None and has_failed and values.target == file_writing.target(str(gates.not_below), "not_below"):
        outcome.warnings.append(f"{values.name} was not replaced, because a gate failed")
        values = None

    def write() -> None:
        if values is not None:
            values.write(result)
        append(result)  # also if a gate failed
        for name, path in files.items():
            _write_gates(name, path, result, outcome)

    kinds = {"warning": outcome.warnings, "gate passed": outcome.passed, "gate failed": outcome.failed}
    lines = say_judged(result.data)
    lines += [f"{kind}: {line}" for kind, texts in kinds.items() for line in texts]
    return replace(answer, below=lines, has_faults=bool(outcome.failed), then=lambda: with_progress(connection, write))


def _check_shown(arguments: argparse.Namespace) -> None:
    """Raise `ArgumentError` if options about what is printed contradict each other."""
    if arguments.intervals and arguments.format == report.TREC:
        raise ArgumentError("trec_eval's format has none", argument="--intervals", fix="Choose another --format")
    if arguments.interval is not None and not arguments.intervals:
        raise ArgumentError("there is no interval to find", argument="--interval", fix="Pass --intervals too")
    if arguments.each_query and arguments.format != report.TREC:
        raise ArgumentError(
            "needs --format trec; for a file of values, pass --per-query FILE", argument="-q, --each-query"
        )


def _check_distinct(arguments: argparse.Namespace, values: ValuesFile | None, files: Mapping[str, Path]) -> None:
    """Raise `ArgumentError` if two options name one file to write, or one of them the baseline of a gate."""
    written = {f"--{name}": path for name, path in files.items()}
    if arguments.append:
        written["--append"] = history.target_of(arguments.append)[1]
    if values is not None:
        written["--per-query"] = values.target
    if arguments.not_below is not None and Path(arguments.not_below).exists():  # values may replace their baseline
        written |= {"--not-below": file_writing.target(arguments.not_below, "not_below")} if files else {}
    first: dict[Path, str] = {}
    for option, path in written.items():
        other = first.setdefault(path, option)
        if other != option and {option, other} != {"--per-query", "--not-below"}:
            raise ArgumentError(
                f"both name {quote(path.name)}",
                argument=", ".join(sorted([other, option])),
                fix="Choose another path for one of them",
            )


def _gate_files(arguments: argparse.Namespace) -> dict[str, Path]:
    """Return the files that --junit and --summary name; raises `ArgumentError` if they cannot be written."""
    named = [name for name in ("junit", "summary") if getattr(arguments, name) is not None]
    files = {name: target_of(arguments, name) for name in named}
    if files and arguments.at_least is None and arguments.not_below is None:
        raise ArgumentError("there is no gate", argument=next(iter(files)), fix="Pass --at-least or --not-below too")
    return files


def _write_gates(name: str, path: Path, result: Result, outcome: Outcome) -> None:
    """Write a file of JUnit, or append to a file of Markdown, which other steps of a build write too."""
    text = f"{outcome.to_junit()}\n"
    if name == "summary":
        before = path.read_text("utf-8") if path.exists() else ""
        text = f"{before}{outcome.to_markdown()}\n\n{result.to_markdown()}\n\n"
    with file_writing.replacing(path, str(path), name) as written:
        Path(written).write_text(text, "utf-8", newline="\n")
