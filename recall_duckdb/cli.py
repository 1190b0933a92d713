"""The command line: `recall-duckdb evaluate`, `check`, `pool`, `sql`, `metrics` and `dialects`."""

from __future__ import annotations

import argparse
import os
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

import duckdb

from recall_duckdb import __version__, check, checking, dialects, evaluate, output, pool, report, sql
from recall_duckdb.definitions import reading
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import DuckDB, connect
from recall_duckdb.errors import ArgumentError, RecallError, UnknownNameError, advice, nearest, told_in
from recall_duckdb.inputs import sources
from recall_duckdb.progress import with_progress
from recall_duckdb.question import (
    OPTIONAL_INPUTS,
    CheckQuestion,
    Data,
    EvaluateQuestion,
    PoolQuestion,
    Question,
    SqlQuestion,
    documented,
    metrics,
)
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.spellings import spellings

_MOST_THREADS = 1024
_RUNS = "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model"
_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".json": "json"}
_POOL_FORMATS: dict[str, Callable[[list[str], list[tuple[Any, ...]]], str]] = {
    "csv": lambda names, rows: report.csv_text([names, *rows]),
    "json": lambda names, rows: report.json_text([dict(zip(names, row, strict=True)) for row in rows], indent=2),
    "table": lambda names, rows: report.text(report.Listing(names, [list(map(str, row)) for row in rows])),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 if `check` found a fault, 2 on a mistake in the command or the data, 130 on Ctrl-C.
    """
    options: dict[str, str] = {}
    try:
        arguments, unknown = _parser().parse_known_args(argv)
        if unknown:
            arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(unknown[0], arguments)}")
        options = _options(arguments)
        for name, value in vars(arguments).items():
            if value == "" or (isinstance(value, list) and "" in value):
                raise ArgumentError(f"{name}: the value is empty: give one, or leave it out")
        with told_in(options):
            said = arguments.command(arguments)
        text, has_faults = said if isinstance(said, tuple) else (said, False)
        output.show(text)
    except RecallError as error:
        subject, colon, rest = str(error).partition(": ")
        output.complain(f"recall-duckdb: {options.get(subject, subject)}{colon}{rest}")
        return 2
    except KeyboardInterrupt:
        output.complain("recall-duckdb: interrupted")
        return 130
    return 1 if has_faults else 0


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the option for each Python argument; a policy that `check` lacks is an option of `evaluate`."""
    names = vars(arguments).keys() - {"command", "made", "parser", "run"}
    own = {name: f"--{name.replace('_', '-')}" for name in names} | ({"made": "--as"} if "made" in arguments else {})
    policies = {name: f"evaluate --{name.replace('_', '-')}" for name in CHOICES}
    return {**policies, "metrics": "--metric", "view": "--as view", "table": "--as table", **own}


class _Once(argparse.Action):
    """Store the value of an option, and refuse a second one, which would replace the first."""

    _given = False

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        """Store the value, as argparse does."""
        if self._given:
            parser.error(f"{option} was given twice, but it takes one value: pass it once")
        self._given = True
        setattr(namespace, self.dest, values)


class _Parser(argparse.ArgumentParser):
    """A parser whose errors say what is wrong and where help is, without a page of usage."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(**arguments)
        for action in (None, "store"):
            self.register("action", action, _Once)

    def error(self, message: str) -> NoReturn:
        output.complain(f"{self.prog}: {message}{'' if message.endswith('?') else '.'} See {self.prog} --help")
        raise SystemExit(2)

    def _print_message(self, message: str, file: object = None) -> None:  # noqa: ARG002
        """Print help or the version on standard output, which may be closed."""
        output.say(message.removesuffix("\n"))


def _hint(argument: str, arguments: argparse.Namespace) -> str:
    """Return a hint at what an unknown argument may have meant."""
    option, options = argument.partition("=")[0], _options(arguments)
    if option.startswith("-k") and "metric" in arguments:
        return ". A cutoff is part of a metric, as in -m recall@5"
    if "run" in arguments and (option == "--run" or not option.startswith("-")):
        return ". Pass runs without an option, one after the other"
    if options.get(option.strip("-").replace("-", "_")) == f"evaluate {option}":
        return f". {option} is an option of evaluate"
    near = nearest(option, [word for word in options.values() if " " not in word])
    return f".{near}" if near else ""


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="recall-duckdb",
        description="How good is my ranking? Recall@k and its family, computed by DuckDB on your files.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    evaluated = commands.add_parser("evaluate", help="evaluate runs and print the means")
    _add_question(evaluated, EvaluateQuestion, _RUNS)
    evaluated.add_argument("--format", choices=[*report.FORMATS, "trec"], default="table", help="default: table")
    evaluated.add_argument(
        "-q", "--each-query", action="store_true", help="with --format trec: the values of each query too"
    )
    evaluated.add_argument(
        "--per-query", metavar="FILE", help="also write the values of each query to a .parquet, .csv or .json file"
    )
    _add_limits(evaluated)
    evaluated.set_defaults(command=_evaluate, parser=evaluated)

    written = commands.add_parser("sql", help="print the statement instead of running it")
    _add_question(written, SqlQuestion, "a path, or the name of a table as the dialect writes it")
    written.add_argument("--dialect", default="duckdb", metavar="D", help="the SQL dialect, as listed by `dialects`")
    written.add_argument("--per-query", action="store_true", help="the values of each query instead of the means")
    written.add_argument("--pool", action="store_true", help=_help(documented(SqlQuestion)["pool"]))
    written.add_argument(
        "--as",
        dest="made",
        nargs="+",
        default=["select"],
        metavar=("KIND", "NAME"),
        help="view NAME or table NAME, to create a view or table; select (the default), for the SELECT alone",
    )
    written.set_defaults(command=_sql, parser=written)

    tried = commands.add_parser("dialects", help="list the dialects that sql writes, and how each was tested")
    tried.add_argument("--format", choices=["table", "markdown"], default="table", help="default: table")
    tried.set_defaults(command=_dialects, parser=tried)

    checked = commands.add_parser("check", help="find faults in run and qrels; the exit status is 1 if there are any")
    _add_question(checked, CheckQuestion, _RUNS)
    checked.add_argument("--format", choices=list(checking.FORMATS), default="table", help="default: table")
    checked.add_argument("--skip", action="append", metavar="CHECK", help="leave this check out; repeatable")
    _add_limits(checked)
    checked.set_defaults(command=_check, parser=checked)

    pooled = commands.add_parser("pool", help="list the unjudged items that the metrics read, to judge next")
    _add_question(pooled, PoolQuestion, _RUNS)
    pooled.add_argument("--format", choices=list(_POOL_FORMATS), default="csv", help="default: csv")
    _add_limits(pooled)
    pooled.set_defaults(command=_pool, parser=pooled)

    described = commands.add_parser(
        "metrics", help="list every metric: its definition, options, other names and source"
    )
    described.add_argument("--metric-folder", action="append", metavar="DIR", help="a folder of your own metric files")
    described.set_defaults(command=_metrics, parser=described)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="memory for DuckDB, such as 2GB; beyond it DuckDB spills to disk"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads DuckDB may use")


def _add_question(parser: argparse.ArgumentParser, kind: type[Question], run: str) -> None:
    """Add an option for each argument of a question, with the documentation of the argument as help."""
    said = documented(kind)
    parser.add_argument("run", nargs="+", metavar="RUN", help=run)
    parser.add_argument("--qrels", metavar="PATH", help=_help(said["qrels"]))
    parser.add_argument(
        "-m",
        "--metric",
        action="append",
        metavar="M",
        help=f"{_help(said['metrics'])}; repeatable (default: recall@10)",
    )
    columns = parser.add_argument_group("columns (default: the option's own name)")
    optional = parser.add_argument_group("optional inputs")
    policies = parser.add_argument_group("policies (the first is the default)")
    for argument in fields(kind):
        option, help_ = f"--{argument.name.replace('_', '-')}", _help(said[argument.name])
        if argument.name in OPTIONAL_INPUTS:
            keys, numbers = OPTIONAL_INPUTS[argument.name]
            optional.add_argument(option, metavar="PATH", help=f"{', '.join([*keys, *numbers])}: {help_}")
        elif argument.name in CHOICES:
            choices = CHOICES[argument.name]
            policies.add_argument(option, choices=choices, default=choices[0], help=help_)
        elif argument.name in LIMITS:
            policies.add_argument(option, type=LIMITS[argument.name], metavar="X", help=help_)
        elif argument.name in Data.__dataclass_fields__ and argument.name not in ("run", "qrels"):
            several = "Sequence" in str(argument.type)
            action, more = ("append", "; repeatable") if several else ("store", "")
            columns.add_argument(option, action=action, metavar="COLUMN", help=f"{help_}{more}")
    parser.add_argument("--metric-folder", action="append", metavar="DIR", help=_help(said["metric_folder"]))


def _help(text: str) -> str:
    """Return the documentation of an argument as the help of its option."""
    return advice(text).rstrip(".").replace("None", "none").replace("%", "%%")


def _question(arguments: argparse.Namespace, kind: type[Question]) -> dict[str, Any]:
    """Return the keyword arguments of a question, without options that were not given."""
    if arguments.score is not None and arguments.rank is not None:
        raise ArgumentError("Pass either --score or --rank, not both")
    runs = arguments.run
    named = _named_runs(runs)
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    own = {argument.name: given[argument.name] for argument in fields(kind) if argument.name in given}
    if own.get("relevance") == "none":
        own["relevance"] = None
    if "metric" in given:
        own["metrics"] = given["metric"]
    return {**own, "run": named if len(named) > 1 or "=" in runs[0] else runs[0]}


def _named_runs(runs: list[str]) -> dict[str, str]:
    """Return the runs by model name: NAME of NAME=PATH, or the file name without its extension."""
    named: dict[str, str] = {}
    for text in runs:
        name, equals, path = text.partition("=")
        # the path of a hive partition, such as day=1/run.parquet, contains "=" too
        if not equals or "/" in name or os.sep in name or Path(text).exists():
            name, path = Path(text).name.partition(".")[0], text
        elif not name or not path:
            raise ArgumentError(f"run: {text!r} needs {'a path after' if name else 'a name before'} its equals sign")
        if name in named:
            raise ArgumentError(f"two runs are called {name!r}: name them, as in first={named[name]} second={path}")
        named[name] = path
    return named


def _connection(arguments: argparse.Namespace) -> duckdb.DuckDBPyConnection:
    """Return an in-memory connection with the limits given."""
    config: dict[str, Any] = {}
    if arguments.memory_limit:
        config["memory_limit"] = arguments.memory_limit
    if arguments.threads is not None:
        if not 1 <= arguments.threads <= _MOST_THREADS:  # DuckDB hangs if there are too many
            raise ArgumentError(f"--threads: a number from 1 to {_MOST_THREADS} is expected, not {arguments.threads}")
        config["threads"] = arguments.threads
    try:
        return connect(**config)
    except duckdb.Error as error:
        raise ArgumentError(f"--memory-limit: {error}") from error


def _check(arguments: argparse.Namespace) -> tuple[str, bool]:
    """Return the report of `check`, and True if it found a fault."""
    connection, question = _connection(arguments), _question(arguments, CheckQuestion)
    faults = with_progress(connection, lambda: check(**question, connection=connection))
    return checking.FORMATS[arguments.format](faults), not faults.clean


def _pool(arguments: argparse.Namespace) -> str:
    connection, question = _connection(arguments), _question(arguments, PoolQuestion)
    found = with_progress(connection, lambda: pool(**question, connection=connection))
    return _POOL_FORMATS[arguments.format](found.columns, found.fetchall())


def _evaluate(arguments: argparse.Namespace) -> str:
    connection, file = _connection(arguments), arguments.per_query
    extension = _EXTENSIONS.get(Path(file).suffix) if file else None
    if file and extension is None:
        raise UnknownNameError(f"--per-query: {file!r} must end in one of {', '.join(_EXTENSIONS)}")
    target = output.target(file) if file else None
    paths = [
        *_named_runs(arguments.run).values(),
        arguments.qrels,
        *(getattr(arguments, name) for name in OPTIONAL_INPUTS),
    ]
    if target and sources.holds(list(filter(None, paths)), str(target), DuckDB(connection)):
        raise ArgumentError(f"--per-query: {file!r} is one of the input files. Choose another path")
    if arguments.each_query and arguments.format != "trec":
        raise ArgumentError("-q, --each-query: needs --format trec; for a file of values, pass --per-query FILE")
    question = _question(arguments, EvaluateQuestion)

    def work() -> str:
        result = evaluate(**question, connection=connection)
        if target and extension:
            with output.replacing(target, file) as written:
                result.write_per_query(written, extension)
        if arguments.format == "trec":
            return result.to_trec(each_query=arguments.each_query)
        return report.FORMATS[arguments.format](result.shown)

    return with_progress(connection, work)


def _sql(arguments: argparse.Namespace) -> str:
    kind, *names = arguments.made
    if kind in ("view", "table") and not names:
        raise ArgumentError(f"--as {kind} needs the name of the {kind}, as in --as {kind} recall")
    if kind not in ("view", "table", "select") or len(names) != (kind != "select"):
        raise ArgumentError(f"--as: view NAME, table NAME or select is expected, not {' '.join(arguments.made)!r}")
    made = {kind: names[0]} if names else {}
    return sql(**_question(arguments, SqlQuestion), **made)


def _dialects(arguments: argparse.Namespace) -> str:
    listing = report.Listing(["dialect", "evidence"], [[name, dialects.evidence(name)] for name in dialects.DIALECTS])
    return report.markdown(listing) if arguments.format == "markdown" else report.text(listing)


def _metrics(arguments: argparse.Namespace) -> str:
    found = metrics.catalog(arguments.metric_folder)
    aliases = ", ".join(f"{theirs}= means {ours}=" for theirs, ours in metrics.OPTION_ALIASES.items())
    return "\n\n".join(
        [
            *(_described(name, template) for name, template in found.items()),
            f"In other names, x is a number; {aliases}.",
        ]
    )


def _described(name: str, template: Template) -> str:
    """Return the description of a metric: definition, options, other names."""
    aliases = {ours: theirs for theirs, ours in metrics.OPTION_ALIASES.items()}
    others = [each.shown(aliases) for each in spellings(template, "Trec", "Also") if each.name != name]
    needed = [f"--{each}" for each in sorted(reading.inputs_of(template)) if each in OPTIONAL_INPUTS]
    lines = {
        "": template.definition,
        "options": "; ".join(map(str, metrics.options(template).values())),
        "also": ", ".join(others),
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
