"""The options that several commands have: adds them to a parser, and reads them as arguments and a connection."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from dataclasses import fields
from glob import iglob
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from recall_duckdb import report
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.progress import is_on_terminal, with_progress
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.engines import connect
from recall_duckdb.errors import ArgumentError, RecallError, first_line, quote, respelled
from recall_duckdb.question import OPTIONAL_INPUTS, Data, Question, argument_docs
from recall_duckdb.question.metrics import parse
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.question import FILE_COLUMNS, SLICES
from recall_duckdb.reading.formats import name_of
from recall_duckdb.reading.tables import is_query

T = TypeVar("T")
_RUNS = "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model"
_TABLES = "a path, or the name of a table as the dialect writes it"
_NUMBERS: dict[str, type] = {"confidence": float, "tie_within": float, "samples": int, "seed": int}
SETTINGS = [*HOW, *_NUMBERS]  # the options that are settings of a comparison
_MOST_THREADS = 1024


def add_format(parser: Parser, *more: str, default: str = "table") -> None:
    """Add the option that chooses the format of the output; `more` are formats of this command alone."""
    choices = [*report.FORMATS, *more]
    parser.groups["output"].add_argument("--format", choices=choices, default=default, help=f"default: {default}")


def add_how(parser: Parser, without_baseline: str = "") -> None:
    """Add an option for each setting of a comparison; the help says what the command does without a baseline."""
    how, helps = parser.groups["comparison"], {name: help_of(Settings, name) for name in ("baseline", *SETTINGS)}
    baseline = helps["baseline"].partition(";")[0]
    how.add_argument("--baseline", metavar="MODEL", help=f"{baseline}{without_baseline}")
    if without_baseline:  # a leaderboard takes no interval
        helps["interval"] = "how the interval of the mean difference is found; needs --baseline"
    for name, choices in HOW.items():
        how.add_argument(f"--{name}", choices=choices, default=choices[0], help=helps[name])
    for name, kind in _NUMBERS.items():
        how.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="X", help=helps[name])


def add_question(parser: Parser, kind: type[Question], *, is_run: bool = True) -> None:
    """Add an option for each argument of a question, with the documentation of the argument as help.

    A question that is run by DuckDB has its options too; of another one, the runs are tables.
    """
    parser.add_argument("run", nargs="+", metavar="RUN", help=_RUNS if is_run else _TABLES)
    if is_run:
        limits = parser.groups["duckdb"]
        file = "a database file of DuckDB, which is only read: sources may be its tables, and queries in parentheses"
        limits.add_argument("--database", metavar="FILE", help=file)
        memory = "memory for DuckDB, such as 2GB; beyond it DuckDB spills to disk"
        limits.add_argument("--memory-limit", metavar="SIZE", help=memory)
        limits.add_argument("--threads", type=int, metavar="N", help="how many threads DuckDB may use")
    if "qrels" not in kind.hidden:
        parser.is_metric = _is_metric
        parser.add_argument("--qrels", metavar="PATH", help=help_of(kind, "qrels"))
        parser.add_argument(
            "-m",
            "--metric",
            action="append",
            metavar="M",
            help=f"{help_of(kind, 'metrics')}; several in a row, and repeatable (default: recall@10)",
        )
    columns, optional, policies = (parser.groups[name] for name in ("columns", "inputs", "policies"))
    for argument in fields(kind):
        if argument.name in kind.hidden:
            continue
        option, help_ = f"--{argument.name.replace('_', '-')}", help_of(kind, argument.name)
        if argument.name in OPTIONAL_INPUTS:
            keys, numbers = OPTIONAL_INPUTS[argument.name]
            optional.add_argument(option, metavar="PATH", help=f"{', '.join([*keys, *numbers])}: {help_}")
        elif argument.name in CHOICES:
            usual, *others = CHOICES[argument.name]
            choices = others if usual is None else [usual, *others]
            policies.add_argument(option, choices=choices, default=usual, help=help_)
        elif argument.name == "slices":
            columns.add_argument(option, choices=SLICES, help=help_)
        elif argument.name in LIMITS:
            policies.add_argument(option, type=LIMITS[argument.name], metavar="X", help=help_)
        elif argument.name in Data.__dataclass_fields__ and argument.name not in ("run", "qrels"):
            is_list = argument.name in FILE_COLUMNS
            several = "Sequence" in str(argument.type) and not is_list
            action, more = ("append", "; repeatable") if several else ("store", "")
            columns.add_argument(option, action=action, metavar="NAMES" if is_list else "COLUMN", help=f"{help_}{more}")
    if "metric_folder" not in kind.hidden:
        parser.add_argument("--metric-folder", action="append", metavar="DIR", help=help_of(kind, "metric_folder"))


def add_texts(parser: Parser) -> None:
    """Add the option for the texts of queries and items."""
    about = "query or item, text: the texts to show next to ids, of queries or of items; repeatable"
    parser.groups["inputs"].add_argument("--texts", metavar="PATH", action="append", help=about)


def _is_metric(word: str) -> bool:
    """Return True if a word names metrics of the package, and no file."""
    try:
        parse(word)
    except RecallError:
        return False
    return not Path(word).exists()


def help_of(kind: type, name: str) -> str:
    """Return the documentation of an argument of a question, or of settings, as the help of its option."""
    return respelled(argument_docs(kind)[name]).rstrip(".").replace("None", "none").replace("%", "%%")


def ask(arguments: argparse.Namespace, kind: type[Question], answer: Callable[..., T]) -> T:
    """Return what a function of the package answers to the question of a command, with a progress bar."""
    connection, question = connection_of(arguments), question_of(arguments, kind)
    return with_progress(connection, lambda: answer(**question, connection=connection))


def question_of(arguments: argparse.Namespace, kind: type[Question]) -> dict[str, Any]:
    """Return the keyword arguments of a question, without options that were not given."""
    if arguments.score is not None and arguments.rank is not None:
        raise ArgumentError("Pass either --score or --rank, not both")
    named = named_runs(arguments.run)
    values = {name: value for name, value in vars(arguments).items() if value is not None}
    question = {argument.name: values[argument.name] for argument in fields(kind) if argument.name in values}
    question |= {name: None for name in ("relevance", "k") if question.get(name) == "none"}
    if "metric" in values:
        question["metrics"] = values["metric"]
    return {**question, "run": named if len(named) > 1 or _is_named(arguments.run[0]) else arguments.run[0]}


def named_runs(runs: list[str]) -> dict[str, str]:
    """Return the runs by model name: NAME of NAME=PATH, or the file name without its extension."""
    named: dict[str, str] = {}
    for text in runs:
        name, _, path = text.partition("=")
        if not _is_named(text):
            if is_query(text) and len(runs) > 1:
                raise ArgumentError(f"{quote(text)} needs a name, as in bm25=(SELECT …)", argument="run")
            name, path = name_of(text), text
        elif not name or not path:
            raise ArgumentError(
                f"{quote(text)} needs {'a path after' if name else 'a name before'} its equals sign", argument="run"
            )
        if name in named:
            raise ArgumentError(
                f"two runs are called {quote(name)}: name them, as in first={named[name]} second={path}"
            )
        named[name] = path
    return named


def _is_named(text: str) -> bool:
    """Return True for NAME=PATH; the path of a hive partition, such as day=1/run.parquet, contains "=" too."""
    name, equals, _ = text.partition("=")
    is_path = "/" in name or os.sep in name or os.path.exists(text)  # noqa: PTH110 - Path fails if a text is too long
    return bool(equals) and not is_path and not is_query(text) and not any(iglob(text))  # noqa: PTH207 - a path may be absolute


def connection_of(arguments: argparse.Namespace) -> duckdb.DuckDBPyConnection | None:
    """Return a connection with the limits given: to a database file that is only read, or in memory.

    It is None without a database, limits and a terminal for its progress: a small question does without it.
    """
    config: dict[str, Any] = {}
    if arguments.memory_limit:
        config["memory_limit"] = arguments.memory_limit
    if arguments.threads is not None:
        if not 1 <= arguments.threads <= _MOST_THREADS:  # DuckDB hangs if there are too many
            raise ArgumentError(
                f"a number from 1 to {_MOST_THREADS} is expected, not {arguments.threads}", argument="--threads"
            )
        config["threads"] = arguments.threads
    if not config and arguments.database is None and not is_on_terminal():
        return None
    try:
        limited = connect(**config)
    except duckdb.Error as error:
        raise ArgumentError(str(error), argument="--memory-limit") from error
    if arguments.database is None:
        return limited
    limited.close()
    try:
        return connect(arguments.database, **config)
    except duckdb.Error as error:
        raise ArgumentError(
            f"{quote(arguments.database)} cannot be opened: {first_line(error)}", argument="--database"
        ) from error


def input_paths(arguments: argparse.Namespace) -> list[object]:
    """Return the paths that a command reads."""
    optional = (getattr(arguments, name) for name in OPTIONAL_INPUTS)
    return [*named_runs(arguments.run).values(), arguments.qrels, *optional, *(getattr(arguments, "texts", None) or ())]


def settings_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a comparison that were given."""
    return {name: value for name in SETTINGS if (value := getattr(arguments, name)) is not None}
