"""The options of each command, most of them made from the arguments of questions, and what they hold."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from glob import iglob
from pathlib import Path
from typing import Any, TypeVar, get_args

import duckdb

from recall_duckdb import report
from recall_duckdb.cli.parser import COMMANDS, Parser, parser_of
from recall_duckdb.comparison.gates import Gates
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.comparison.settings import MeanInterval, Settings
from recall_duckdb.engines import connect
from recall_duckdb.errors import ArgumentError, RecallError, first_line, nearest, quote, respelled
from recall_duckdb.question import (
    OPTIONAL_INPUTS,
    AgreementQuestion,
    CheckQuestion,
    Data,
    EvaluateQuestion,
    PoolQuestion,
    Question,
    SqlQuestion,
    argument_docs,
)
from recall_duckdb.question.metrics import parse
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.question import FILE_COLUMNS, SLICES
from recall_duckdb.reading.formats import name_of
from recall_duckdb.reading.tables import is_query
from recall_duckdb.report import terminal_width

T = TypeVar("T")
QUESTIONS: dict[str, type[Question]] = {
    **dict.fromkeys(("evaluate", "compare", "report", "explain"), EvaluateQuestion),
    **{"agreement": AgreementQuestion, "check": CheckQuestion, "pool": PoolQuestion, "sql": SqlQuestion},
}
_RUNS = "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model"
_NUMBERS: dict[str, type] = {"confidence": float, "tie_within": float, "samples": int, "seed": int}
SETTINGS = [*HOW, *_NUMBERS]  # the options that are settings of a comparison
_MOST_THREADS = 1024


def _help_of(kind: type, name: str) -> str:
    """Return the documentation of an argument of a question, or of settings, as the help of its option."""
    return respelled(argument_docs(kind)[name]).rstrip(".").replace("None", "none")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _further() -> Iterator[tuple[str, str, str, str, dict[str, Any]]]:
    """Yield the options that no question has: their commands, group, names and help, and what argparse takes."""
    file, folder = {"metavar": "FILE"}, {"metavar": "FOLDER"}
    number, flag, repeated = {"type": int}, {"action": "store_true"}, {"action": "append"}
    formats, intervals, model = [*report.FORMATS], get_args(MeanInterval), {"metavar": "MODEL"}
    of_sql, of_lists = partial(_help_of, SqlQuestion), partial(_help_of, AgreementQuestion)
    depth = f"{of_lists('k').partition(';')[0]}, or none for whole lists (default: 10)"
    tables, evaluated = "compare agreement check explain dialects", "with --intervals: how they are found (default: {})"
    yield tables, "output", "--format", "default: table", {"choices": formats, "default": "table"}
    yield "evaluate", "output", "--format", "default: table", {"choices": [*formats, report.TREC], "default": "table"}
    yield "pool", "output", "--format", "default: csv", {"choices": formats, "default": "csv"}
    yield "evaluate", "output", "-q --each-query", "with --format trec: the values of each query too", flag
    yield "evaluate", "output", "--intervals", "print the interval, standard error and quantiles of each mean", flag
    yield "evaluate", "output", "--interval", evaluated.format(intervals[0]), {"choices": intervals}
    yield "agreement", "output", "--each-query", "print each query, the largest change first", flag
    yield "evaluate compare", "output", "--per-query", "also write each query's values to .parquet, .csv or .json", file
    about = "add the means to a history, as a .parquet file in this folder; see --run-id"
    yield "evaluate report", "output", "--append", about, folder
    yield "evaluate report", "output", "--run-id", "with --append: the run's name (default: random)", {"metavar": "ID"}
    about = "query or item, text: the texts to show next to ids, of queries or of items; repeatable"
    yield "explain pool report", "inputs", "--texts", about, {"metavar": "PATH", **repeated}
    yield "compare", "", "--values", "the files hold values of queries, as --per-query writes them", flag
    yield "report", "", "-o --output", "the .html file to write", {**file, "required": True}
    yield "report", "", "--queries", "how many worst and best queries (default: 10)", {**number, "metavar": "N"}
    about = "run the data checks; by default they run on up to 500,000 rows"
    yield "report", "", "--check", about, {"action": argparse.BooleanOptionalAction}
    yield "report", "", "--history", "a history, to draw the trend; --append draws it too", folder
    yield "explain", "", "--baseline", "the model to compare the lists of the others with", model
    yield "agreement", "", "--baseline", of_lists("baseline"), {**model, "required": True}
    yield "explain", "", "-k", "how many items of a list count; default: the largest cutoff", {**number, "metavar": "K"}
    yield "agreement", "", "-k", depth, {"type": _cutoff, "metavar": "K"}
    yield "agreement", "", "-p", f"{of_lists('p')} (default: 0.9)", {"type": float, "metavar": "P"}
    yield "check", "", "--skip", "leave this check out; repeatable", {**repeated, "metavar": "CHECK"}
    yield "sql", "", "--dialect", "the SQL dialect, as listed by `dialects`", {"default": "duckdb", "metavar": "D"}
    yield "sql", "", "--per-query", "the values of each query instead of the means", flag
    yield "sql", "", "--pool", of_sql("pool"), flag
    yield "sql", "", "--form", of_sql("form"), {"default": "select", "metavar": "F"}
    yield "sql", "", "--name", of_sql("name"), {"metavar": "NAME"}
    yield "sql", "", "--at-least", of_sql("at_least"), {"type": _limit, "metavar": "X"}
    yield "sql", "", "--sums", of_sql("sums"), {"default": "plain", "metavar": "S"}
    yield "demo", "", "folder", "the folder to write; default: demo", {"nargs": "?", "default": "demo", **folder}
    yield "metrics", "", "name", "a metric, in any spelling (default: all)", {"nargs": "*", "metavar": "METRIC"}
    yield "metrics", "", "--metric-folder", "a folder of your own metric files", {**repeated, "metavar": "DIR"}


def _cutoff(text: str) -> int | str:
    return text if text == "none" else int(text)


def _limit(text: str) -> float:
    metric, _, number = text.rpartition("=")
    if metric:
        raise argparse.ArgumentTypeError(f"it is one number for all means: name {metric} with -m, and pass {number}")
    return float(text)


def add_options(parser: Parser, command: str) -> None:
    """Add the options of a command."""
    if command == "explain":
        parser.add("", "query_id", metavar="QUERY", help="a query; a,b if two columns identify it")
    if command in QUESTIONS:
        _add_question(parser, QUESTIONS[command], is_run=command != "sql")
    for commands, group, names, about, how in _further():
        if command in commands.split():
            parser.add(group, *names.split(), help=about, **how)
    if command in ("evaluate", "compare", "report"):
        _add_gates(partial(parser.add, "gates"))
    if command in ("compare", "report"):
        _add_settings(partial(parser.add, "comparison"), is_optional=command == "compare")


def _add_gates(add: Callable[..., None]) -> None:
    of = partial(_help_of, Gates)
    add("--at-least", action="append", metavar="M=X", help=f"{of('at_least')}; repeatable")
    add("--not-below", metavar="MODEL|FILE", help=of("not_below"))
    for name in ("max_drop", "significant", "common"):
        text = re.sub(r"`(\w+)`", lambda found: _option(found[1]), of(name).removeprefix("True to "))
        how: dict[str, Any] = {"metavar": "X"} if name == "max_drop" else {"action": "store_true"}
        add(_option(name), help=f"with --not-below: {text}", **how)
    add("--junit", metavar="FILE", help="also write the gates to an XML file, as JUnit does")
    add("--summary", metavar="FILE", help="also append table and gates to a Markdown file: $GITHUB_STEP_SUMMARY")


def _add_settings(add: Callable[..., None], *, is_optional: bool) -> None:
    """Add an option for each setting of a comparison; without a baseline, there may be a leaderboard."""
    helps = {name: _help_of(Settings, name) for name in ("baseline", *SETTINGS)}
    baseline, more = helps["baseline"].partition(";")[0], ""
    if is_optional:  # a leaderboard takes no interval
        more = "; without it, every two models are compared, for a leaderboard"
        helps["interval"] = "how the interval of the mean difference is found; needs --baseline"
    add("--baseline", metavar="MODEL", help=f"{baseline}{more}")
    for name, choices in HOW.items():
        add(_option(name), choices=choices, default=choices[0], help=helps[name])
    for name, kind in _NUMBERS.items():
        add(_option(name), type=kind, metavar="X", help=helps[name])


def _add_question(parser: Parser, kind: type[Question], *, is_run: bool) -> None:
    """Add an option for each argument of a question, with the documentation of the argument as help.

    A question that is run by DuckDB has its options too; of another one, the runs are tables.
    """
    runs = _RUNS if is_run else "a path, or the name of a table as the dialect writes it"
    parser.add("", "run", nargs="+", metavar="RUN", help=runs)
    if is_run:
        file = "a database file of DuckDB, which is only read: sources may be its tables, and queries in parentheses"
        parser.add("duckdb", "--database", metavar="FILE", help=file)
        memory = "memory for DuckDB, such as 2GB; beyond it DuckDB spills to disk"
        parser.add("duckdb", "--memory-limit", metavar="SIZE", help=memory)
        parser.add("duckdb", "--threads", type=int, metavar="N", help="how many threads DuckDB may use")
    if "qrels" not in kind.hidden:
        parser.add("", "--qrels", metavar="PATH", help=_help_of(kind, "qrels"))
        metrics = f"{_help_of(kind, 'metrics')}; several in a row, and repeatable (default: recall@10)"
        parser.add("", "-m", "--metric", action="append", metavar="M", help=metrics)
    for argument in fields(kind):
        name = argument.name
        if name in kind.hidden:
            continue
        add, help_ = partial(parser.add, "policies", _option(name)), _help_of(kind, name)
        if name in OPTIONAL_INPUTS:
            keys, numbers = OPTIONAL_INPUTS[name]
            parser.add("inputs", _option(name), metavar="PATH", help=f"{', '.join([*keys, *numbers])}: {help_}")
        elif name in CHOICES:
            usual, *others = CHOICES[name]
            add(choices=others if usual is None else [usual, *others], default=usual, help=help_)
        elif name == "slices":
            parser.add("columns", _option(name), choices=SLICES, help=help_)
        elif name in LIMITS:
            add(type=LIMITS[name], metavar="X", help=help_)
        elif name in Data.__dataclass_fields__ and name not in ("run", "qrels"):
            metavar = "NAMES" if name in FILE_COLUMNS else "COLUMN"
            is_repeated = "Sequence" in str(argument.type) and metavar == "COLUMN"
            action, more = ("append", "; repeatable") if is_repeated else ("store", "")
            parser.add("columns", _option(name), action=action, metavar=metavar, help=f"{help_}{more}")
    if "metric_folder" not in kind.hidden:
        help_ = _help_of(kind, "metric_folder")
        parser.add("", "--metric-folder", action="append", metavar="DIR", help=help_)


def parse_words(command: str, parser: Parser, words: Sequence[str]) -> argparse.Namespace:
    """Return what the words of a command hold; ends it with a hint if one of them is unknown."""
    add_options(parser, command)
    if "--metric" in parser.options:
        words = parser.repeat_metric(words, _is_metric)
    arguments, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(unknown[0], command, parser)}")
    arguments.parser = parser
    return arguments


def _is_metric(word: str) -> bool:
    """Return True if a word names metrics of the package, and no file."""
    try:
        parse(word)
    except RecallError:
        return False
    return not Path(word).exists()


def _hint(argument: str, command: str, parser: Parser) -> str:
    option, known = argument.partition("=")[0], spellings(parser).values()
    if option in ("-o", "--output"):
        return ". To write the output to a file, end the command with > FILE"
    if option.startswith("-k") and "--metric" in known:
        return ". A cutoff is part of a metric, as in -m recall@5"
    if command in QUESTIONS and (option == "--run" or not option.startswith("-")):
        return ". Pass runs without an option, one after the other, and repeat an option for each of its values"
    for other in COMMANDS if option.startswith("-") else ():
        add_options(its_parser := parser_of(other), other)
        if option in its_parser.options and other != command:
            return f". {option} is an option of {other}"
    near = nearest(option, known)
    return f".{near}" if near else ""


def spellings(parser: Parser) -> dict[str, str]:
    """Return the option of each argument of Python."""
    options = {action.dest: names for names, action in parser.options.items() if names not in ("-h", "--help")}
    return {**options, **({"metrics": "--metric"} if "metric" in options else {})}


def ask(arguments: argparse.Namespace, answer: Callable[..., T]) -> T:
    """Return what a function of the package answers to the question of a command."""
    return answer(connection=connection_of(arguments), **question_of(arguments))


def question_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the keyword arguments of a question, without options that were not given."""
    if arguments.score is not None and arguments.rank is not None:
        raise ArgumentError("Pass either --score or --rank, not both")
    named = named_runs(arguments.run)
    question = given(arguments, [argument.name for argument in fields(QUESTIONS[arguments.command])])
    question |= {name: None for name in ("relevance", "k") if question.get(name) == "none"}
    if getattr(arguments, "metric", None) is not None:
        question["metrics"] = arguments.metric
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
            missing = "a path after" if name else "a name before"
            raise ArgumentError(f"{quote(text)} needs {missing} its equals sign", argument="run")
        if name in named:
            fix = f"name them, as in first={named[name]} second={path}"
            raise ArgumentError(f"two runs are called {quote(name)}: {fix}")
        named[name] = path
    return named


def _is_named(text: str) -> bool:
    """Return True for NAME=PATH; the path of a hive partition, such as day=1/run.parquet, contains "=" too."""
    name, equals, _ = text.partition("=")
    is_path = "/" in name or os.sep in name or os.path.exists(text)  # noqa: PTH110 - Path fails if a text is too long
    return bool(equals) and not is_path and not is_query(text) and not any(iglob(text))  # noqa: PTH207 - a path may be absolute


def connection_of(arguments: argparse.Namespace) -> duckdb.DuckDBPyConnection | None:
    """Return a connection with the limits given: to a database file that is only read, or in memory.

    It is None without a database, limits and a terminal: a small question does without it. On a terminal, DuckDB shows
    the progress of a statement that takes more than two seconds.
    """
    config, file = given(arguments, ("memory_limit", "threads")), arguments.database
    if not 1 <= config.get("threads", 1) <= _MOST_THREADS:  # DuckDB hangs if there are too many
        problem = f"a number from 1 to {_MOST_THREADS} is expected, not {arguments.threads}"
        raise ArgumentError(problem, argument="--threads")
    is_terminal = terminal_width("stdout") is not None
    if not config and file is None and not is_terminal:
        return None
    try:
        connection = connect(**config)
    except duckdb.Error as error:
        raise ArgumentError(str(error), argument="--memory-limit") from error
    if file is not None:
        connection.close()
        try:
            connection = connect(file, **config)
        except duckdb.Error as error:
            problem = f"{quote(file)} cannot be opened: {first_line(error)}"
            raise ArgumentError(problem, argument="--database") from error
    if is_terminal:
        connection.execute("SET enable_progress_bar = true")
    arguments.open = connection  # in DuckDB 1, relations do not keep it open
    return connection


def input_paths(arguments: argparse.Namespace) -> list[object]:
    """Return the paths that a command reads."""
    named = given(arguments, ("qrels", *OPTIONAL_INPUTS, "history"))
    return [*named_runs(arguments.run).values(), *named.values(), *(getattr(arguments, "texts", None) or ())]


def given(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the arguments of these names that have a value."""
    return {name: value for name in names if (value := getattr(arguments, name, None)) is not None}
