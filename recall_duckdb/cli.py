"""The command line: `recall-duckdb evaluate`, `check`, `sql`, `metrics` and `dialects`."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import textwrap
import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import duckdb

from recall_duckdb import __version__, check, checking, dialects, evaluate, metrics, report, sources, sql, templates
from recall_duckdb.engines import DuckDB, connect
from recall_duckdb.errors import ArgumentError, RecallError, UnknownNameError, nearest, told_in
from recall_duckdb.inputs import BESIDE
from recall_duckdb.policies import CHOICES
from recall_duckdb.result import Result
from recall_duckdb.templates import Template

T = TypeVar("T")
_MOST_THREADS = 1024
_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".json": "json"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 where `check` found a fault, 2 on a mistake of the user's, told in one message.
    """
    arguments, unknown = _parser().parse_known_args(argv)
    if unknown:
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(unknown[0], arguments)}")
    status, options = 0, _options(arguments)
    try:
        with told_in(options):
            said = arguments.command(arguments)
        text, has_faults = said if isinstance(said, tuple) else (said, False)
        status = 1 if has_faults else 0
        _print(text)
    except RecallError as error:
        subject, colon, rest = str(error).partition(": ")
        print(f"recall-duckdb: {options.get(subject, subject)}{colon}{rest}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("recall-duckdb: interrupted", file=sys.stderr)
        return 130
    return status


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    """What the arguments of Python are called here: policies that `check` does not have are those of `evaluate`."""
    names = vars(arguments).keys() - {"command", "made", "parser", "run"}
    own = {name: f"--{name.replace('_', '-')}" for name in names} | ({"made": "--as"} if "made" in arguments else {})
    policies = {name: f"evaluate --{name.replace('_', '-')}" for name in CHOICES}
    return {**policies, "metrics": "--metric", "view": "--as view", "table": "--as table", **own}


def _print(text: str) -> None:
    try:
        print(text)
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"the output cannot be written as {error.encoding}, which lacks {error.object[error.start]!r}: set the "
            "environment variable PYTHONIOENCODING=utf-8"
        ) from error
    except OSError as error:
        # What Python still holds of the text would fail again when it exits.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # whose reader has seen enough
            raise ArgumentError(f"the output cannot be written: {error.strerror or error}") from error


class _Parser(argparse.ArgumentParser):
    """Says what is wrong, and where help is, without a page of usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}{'' if message.endswith('?') else '.'} See {self.prog} --help\n")


def _hint(argument: str, arguments: argparse.Namespace) -> str:
    """What was meant, perhaps, by an argument that the command does not have."""
    option, options = argument.partition("=")[0], _options(arguments)
    if "run" in arguments and (option == "--run" or not option.startswith("-")):
        return ". Runs stand side by side, without an option"
    if options.get(option.strip("-").replace("-", "_")) == f"evaluate {option}":
        return f". {option} is an option of evaluate"
    near = nearest(option, [word for word in options.values() if " " not in word])
    return f".{near}" if near else ""


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="recall-duckdb",
        description="How good is my ranking? Recall@k and its family, by DuckDB, where the data lie.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    evaluated = commands.add_parser("evaluate", help="evaluate runs and print the means")
    _add_question(evaluated, "RUN", "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model")
    evaluated.add_argument("--format", choices=[*report.FORMATS, "trec"], default="table", help="default: table")
    evaluated.add_argument(
        "-q", "--each-query", action="store_true", help="with --format trec: the values of each query too"
    )
    evaluated.add_argument(
        "--per-query", metavar="FILE", help="also write the values per query: .parquet, .csv or .json"
    )
    _add_limits(evaluated)
    evaluated.set_defaults(command=_evaluate, parser=evaluated)

    written = commands.add_parser("sql", help="print the statement instead of running it")
    _add_question(written, "RUN", "a path, or the name of a table as the dialect writes it")
    written.add_argument("--dialect", default="duckdb", metavar="D", help="whose SQL to write, as listed by `dialects`")
    written.add_argument("--per-query", action="store_true", help="the values of each query instead of the means")
    written.add_argument(
        "--as",
        dest="made",
        nargs="+",
        default=["select"],
        metavar=("KIND", "NAME"),
        help="view NAME or table NAME, for a statement that creates it; select (the default) for the rows alone",
    )
    written.set_defaults(command=_sql, parser=written)

    tried = commands.add_parser("dialects", help="list the dialects that sql writes, and how each was tried")
    tried.add_argument("--format", choices=["table", "markdown"], default="table", help="default: table")
    tried.set_defaults(command=_dialects, parser=tried)

    checked = commands.add_parser(
        "check", help="find the faults of run and qrels; the exit status is 1 if there are any"
    )
    _add_question(
        checked, "RUN", "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model", ["semantics"]
    )
    checked.add_argument("--format", choices=list(checking.FORMATS), default="table", help="default: table")
    checked.add_argument(
        "--skip", action="append", default=[], metavar="CHECK", help="leave this check out; repeatable"
    )
    _add_limits(checked)
    checked.set_defaults(command=_check, parser=checked)

    described = commands.add_parser(
        "metrics", help="list every metric: its definition, options, other names and source"
    )
    described.add_argument(
        "--metric-folder", action="append", metavar="DIR", help="a folder of metric files of your own"
    )
    described.set_defaults(command=_metrics, parser=described)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="what DuckDB may use, such as 2GB; beyond it spills to disk"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads DuckDB may use")


def _add_question(
    parser: argparse.ArgumentParser, run: str, run_help: str, choosable: Sequence[str] = tuple(CHOICES)
) -> None:
    parser.add_argument("run", nargs="+", metavar=run, help=run_help)
    parser.add_argument("--qrels", metavar="Q", help="what is relevant; without it, the run's own labels judge")
    parser.add_argument(
        "-m",
        "--metric",
        action="append",
        metavar="M",
        help="such as recall@5,10, rbp(p=0.8), ndcg_cut_10 or official (default: recall@10)",
    )
    columns = parser.add_argument_group("columns (default: the option's own name)")
    columns.add_argument("--query", action="append", metavar="COLUMN", help="repeat for a query of several columns")
    columns.add_argument("--item", default="item", metavar="COLUMN")
    columns.add_argument("--score", action="append", metavar="COLUMN", help="repeat for a model per column")
    columns.add_argument("--rank", metavar="COLUMN", help="ranks from 1, instead of a score")
    columns.add_argument("--relevance", default="relevance", metavar="COLUMN")
    columns.add_argument("--model", metavar="COLUMN", help="says which model a row is of")
    columns.add_argument("--by", action="append", metavar="COLUMN", help="average within it, beside the total")
    columns.add_argument("--qrels-query", action="append", metavar="COLUMN", help="if it has another name in the qrels")
    columns.add_argument("--qrels-item", metavar="COLUMN", help="if it has another name in the qrels")
    beside = parser.add_argument_group("relations beside run and qrels")
    for name, (keys, numbers, what) in BESIDE.items():
        beside.add_argument(f"--{name}", metavar="PATH", help=f"{', '.join([*keys, *numbers])}: {what}")
    policies = parser.add_argument_group("policies (the first is the default)")
    for name in choosable:
        policies.add_argument(f"--{name.replace('_', '-')}", choices=CHOICES[name], default=CHOICES[name][0])
    policies.add_argument("--threshold", type=float, metavar="X", help="the relevance from which an item is relevant")
    policies.add_argument("--min-score", type=float, metavar="X", help="a candidate below it is not recommended")
    parser.add_argument("--metric-folder", action="append", metavar="DIR", help="a folder of metric files of your own")


def _question(arguments: argparse.Namespace, runs: list[str]) -> dict[str, Any]:
    """The keyword arguments that `evaluate` and `sql` share."""
    if arguments.score is not None and arguments.rank is not None:
        raise ArgumentError("--score, --rank: the candidates are in the order of one of the two: leave the other out")
    named = _named_runs(runs)
    return {
        "run": named if len(named) > 1 or "=" in runs[0] else runs[0],
        "qrels": arguments.qrels,
        "metrics": arguments.metric or ["recall@10"],
        "query": arguments.query or "query",
        "item": arguments.item,
        "score": arguments.score or "score",
        "rank": arguments.rank,
        "relevance": arguments.relevance,
        "model": arguments.model,
        "by": arguments.by,
        "qrels_query": arguments.qrels_query,
        "qrels_item": arguments.qrels_item,
        "metric_folder": arguments.metric_folder,
        **{name: getattr(arguments, name) for name in BESIDE},
        **{name: getattr(arguments, name) for name in (*CHOICES, "threshold", "min_score") if name in arguments},
    }


def _named_runs(runs: list[str]) -> dict[str, str]:
    """Runs by model: the name given as NAME=PATH, or else the file's name without its ending."""
    named: dict[str, str] = {}
    for text in runs:
        name, equals, path = text.partition("=")
        # "=" also stands in the path of a hive partition, such as day=1/run.parquet
        if not equals or "/" in name or os.sep in name or Path(text).exists():
            name, path = Path(text).name.partition(".")[0], text
        if name in named:
            raise ArgumentError(f"two runs are called {name!r}: name them, as in first={named[name]} second={path}")
        named[name] = path
    return named


def _connection(arguments: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """A connection in memory that keeps to the limits given."""
    config: dict[str, Any] = {}
    if arguments.memory_limit:
        config["memory_limit"] = arguments.memory_limit
    if arguments.threads is not None:
        if not 1 <= arguments.threads <= _MOST_THREADS:  # DuckDB tries to start any number, and hangs over it
            raise ArgumentError(f"--threads: a number from 1 to {_MOST_THREADS} is expected, not {arguments.threads}")
        config["threads"] = arguments.threads
    try:
        return connect(**config)
    except duckdb.Error as error:
        raise ArgumentError(f"--memory-limit: {error}") from error


def _check(arguments: argparse.Namespace) -> tuple[str, bool]:
    """What `check` finds, and whether that is anything."""
    connection, question = _connection(arguments), _question(arguments, arguments.run)
    faults = _with_progress(connection, lambda: check(**question, skip=arguments.skip, connection=connection))
    return checking.FORMATS[arguments.format](faults), not faults.clean


def _evaluate(arguments: argparse.Namespace) -> str:
    connection = _connection(arguments)
    extension = _EXTENSIONS.get(Path(arguments.per_query).suffix) if arguments.per_query else None
    if arguments.per_query and extension is None:
        raise UnknownNameError(f"--per-query: {arguments.per_query!r} ends in none of {', '.join(_EXTENSIONS)}")
    paths = [*_named_runs(arguments.run).values(), arguments.qrels, *(getattr(arguments, name) for name in BESIDE)]
    if extension and sources.holds(list(filter(None, paths)), arguments.per_query, DuckDB(connection)):
        raise ArgumentError(f"--per-query: {arguments.per_query!r} is a file that is read: write to another")
    if arguments.each_query and arguments.format != "trec":
        raise ArgumentError("-q, --each-query: goes with --format trec; for a file of them, pass --per-query FILE")
    question = _question(arguments, arguments.run)
    result: Result = _with_progress(connection, lambda: evaluate(**question, connection=connection))
    if extension:
        _write_whole(result, Path(arguments.per_query), extension)
    if arguments.format == "trec":
        return result.to_trec(each_query=arguments.each_query)
    return report.FORMATS[arguments.format](result.comparison())


def _write_whole(result: Result, path: Path, extension: str) -> None:
    """Write beside the target and move it there: it appears whole or not at all."""
    try:
        with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as beside:
            written = Path(beside) / path.name
            result.write_per_query(str(written), extension)
            written.replace(path)
    except OSError as error:
        raise ArgumentError(f"--per-query: cannot write {str(path)!r}: {error.strerror or error}") from error


def _with_progress(connection: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Do the work, with a progress bar on a terminal if it takes more than a moment and rich is installed."""
    try:
        from rich.progress import Progress
    except ImportError:
        return work()
    if not sys.stderr.isatty():
        return work()
    from rich.console import Console

    done: list[T] = []
    failed: list[BaseException] = []
    ended = threading.Event()  # in Python 3.11, a thread whose join() was interrupted counts as ended

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=copy_context().run, args=(run,))
    thread.start()
    try:
        if not ended.wait(1.0):
            with Progress(console=Console(stderr=True), transient=True) as progress:
                task = progress.add_task("evaluating", total=100)
                while not ended.wait(0.1):
                    progress.update(task, completed=max(0.0, connection.query_progress()))
    except KeyboardInterrupt:
        while not ended.is_set():  # interrupt() ends only the statement that runs, and there may be none yet
            connection.interrupt()
            ended.wait(0.1)
        raise
    if failed:
        raise failed[0]
    return done[0]


def _sql(arguments: argparse.Namespace) -> str:
    kind, *names = arguments.made
    if kind not in ("view", "table", "select") or len(names) != (kind != "select"):
        raise ArgumentError(f"--as: view NAME, table NAME or select is expected, not {' '.join(arguments.made)!r}")
    made = {kind: names[0]} if names else {}
    question = _question(arguments, arguments.run)
    return sql(**question, dialect=arguments.dialect, per_query=arguments.per_query, **made)


def _dialects(arguments: argparse.Namespace) -> str:
    listing = report.Listing(["dialect", "evidence"], [[name, dialects.evidence(name)] for name in dialects.DIALECTS])
    return report.markdown(listing) if arguments.format == "markdown" else report.text(listing)


def _metrics(arguments: argparse.Namespace) -> str:
    found = metrics.catalog(arguments.metric_folder)
    return "\n\n".join(_described(name, template) for name, template in found.items())


def _described(name: str, template: Template) -> str:
    """What a metric is, and how it may be asked for."""
    others = [template.head[field] for field in ("Trec", "Also") if field in template.head]
    needed = [f"--{each}" for each in sorted(templates.inputs_of(template)) if each in BESIDE]
    lines = {
        "": template.definition,
        "options": "; ".join(map(str, metrics.options(template).values())),
        "also": ", ".join(others).replace("$", ""),
        "needs": ", ".join(needed),
        "edges": template.head.get("Edges", ""),
        "source": template.head.get("Source", "not given"),
    }
    wrapped = [
        textwrap.fill(f"{label}: {text}" if label else text, 100, initial_indent="  ", subsequent_indent="    ")
        for label, text in lines.items()
        if text
    ]
    return "\n".join([f"{name}@k" if "k" in template.parameters else name, *wrapped])
