"""The command line: reads the words of a command, which other modules run, so that help does not wait for DuckDB."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from errno import EBADF
from importlib import import_module
from threading import current_thread, main_thread
from typing import Any, NoReturn, TextIO

from recall_duckdb import __version__
from recall_duckdb.errors import ArgumentError, RecallError, nearest, quote
from recall_duckdb.report import printable, terminal_width, wrap

# What each command does, by group, and the arguments of its examples.
GROUPS = {
    "To start": {"demo": "write the data of a small film service, and print what to try on them"},
    "Metrics": {
        "evaluate": "evaluate runs and print the means",
        "compare": "compare runs with a baseline, or all of them for a leaderboard",
        "report": "write a report as one HTML file, with charts",
        "agreement": "compare lists with those of a baseline, without judgements",
        "metrics": "describe metrics: definition, options, other names and source",
    },
    "Data and judgements": {
        "check": "find faults in run and qrels; the exit status is 1 if there are any",
        "explain": "show the list of one query item by item, next to that of a baseline",
        "pool": "list the unjudged items that the metrics read, to judge next",
    },
    "SQL": {
        "sql": "print the statement instead of running it",
        "macros": "print the SQL file that adds the metrics to DuckDB as macros",
        "dialects": "list the dialects that sql writes, and how each was tested",
    },
}
_EXAMPLES = {
    "demo": ("films", "/tmp/films"),
    "evaluate": (
        "run.parquet --qrels qrels.parquet -m recall@10 ndcg@10",
        "old.csv new.csv --qrels qrels.csv --not-below old",
    ),
    "compare": (
        "old.csv new.csv --qrels qrels.csv --baseline old",
        "a.csv b.csv c.csv --qrels qrels.csv -m ndcg@10 recall@10",
        "old.parquet new.parquet --values --baseline old",
    ),
    "report": (
        "run.parquet --qrels qrels.parquet -o report.html",
        "a.csv b.csv --qrels qrels.csv --baseline a -o report.html",
    ),
    "agreement": ("exact.parquet index.parquet --baseline exact", "old.csv new.csv --baseline old -k 20 --each-query"),
    "metrics": ("ndcg recall@10", "--metric-folder my_metrics"),
    "check": ("run.parquet --qrels qrels.parquet", "run.parquet --qrels qrels.parquet --format json"),
    "explain": ("q17 run.parquet --qrels qrels.parquet -k 20", "q17 old.csv new.csv --qrels qrels.csv --baseline old"),
    "pool": ("run.parquet --qrels qrels.parquet -m ndcg@10", "old.csv new.csv --qrels qrels.csv --format table"),
    "sql": (
        "run.parquet --qrels qrels.parquet -m recall@10",
        "recs --qrels sales --dialect snowflake --form view --name v",
    ),
    "macros": ("> recall.sql", "| duckdb shop.duckdb"),
    "dialects": ("--format markdown", "--format json"),
}
COMMANDS = {name: (about, *_EXAMPLES[name]) for group in GROUPS.values() for name, about in group.items()}
# The groups of options, in the order in which the help has them; empty ones are not printed.
_OPTIONS = {
    "output": "output",
    "gates": "gates (the exit status is 1 if one fails; with --by or --item-by also in each slice)",
    "comparison": "comparison (the first is the default)",
    "columns": "columns (default: the option's own name)",
    "inputs": "optional inputs",
    "policies": "policies (the first is the default)",
    "duckdb": "DuckDB",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 if `check` found a fault or a gate failed, 2 on a mistake in the command or the data, 130 on
    Ctrl-C, 143 on SIGTERM.
    """
    ended_by: list[int] = []

    def terminate(number: int, _: object) -> NoReturn:
        ended_by.append(number)
        raise KeyboardInterrupt

    is_default = signal.getsignal(signal.SIGTERM) is signal.SIG_DFL and current_thread() is main_thread()
    if is_default:  # which would end the process and leave its temporary folders
        signal.signal(signal.SIGTERM, terminate)
    try:
        return _run(sys.argv[1:] if argv is None else argv)
    except KeyboardInterrupt:
        complain("terminated" if ended_by else "interrupted")
        return 143 if ended_by else 130
    finally:
        if is_default:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(words: Sequence[str]) -> int:
    """Run a command; returns the exit status, without that of an interrupt."""
    name, is_command = words[0] if words else "--help", bool(words) and words[0] in COMMANDS
    parser = parser_of(name) if is_command else _parser()
    try:
        if is_command:
            return int(import_module("recall_duckdb.cli.commands").run(name, parser, words[1:]))
        if not words:
            parser.print_help()
            return 2
        if name.startswith("-"):  # --help and --version, which end here
            parser.parse_args(words)
        parser.error(f"there is no command {quote(name)}.{nearest(name, COMMANDS)}".removesuffix("."))
    except RecallError as error:
        complain(str(error))
        return 2


def _parser() -> Parser:
    listed = [
        f"{group}:\n" + "\n".join(f"  {name:9}  {purpose}" for name, purpose in commands.items())
        for group, commands in GROUPS.items()
    ]
    head = "How good is my ranking? Recall@k and its family, computed by DuckDB on files."
    parser = Parser(
        prog="recall-duckdb",
        usage="recall-duckdb COMMAND ...",
        description="\n\n".join(
            [_examples([f"{name} {COMMANDS[name][1]}" for name in ("evaluate", "compare")]), head, *listed]
        ),
        epilog="recall-duckdb COMMAND --help describes a command.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    return parser


def parser_of(command: str) -> Parser:
    """Return the parser of a command, still without options."""
    purpose, *examples = COMMANDS[command]
    lines = _examples([f"{command} {example}" for example in examples])
    return Parser(
        prog=f"recall-duckdb {command}",
        usage=f"recall-duckdb {command} ...",
        description=f"{lines}\n\n{purpose[0].upper()}{purpose[1:]}.",
    )


def _examples(examples: Sequence[str]) -> str:
    return "\n".join(["Examples:", *(f"  recall-duckdb {example}" for example in examples)])


class _Once(argparse.Action):
    """Store the value of an option, and refuse a second one, which would replace the first."""

    _has_value = False

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        """Store the value, as argparse does."""
        if self._has_value:
            parser.error(f"{option} was given twice, but it takes one value: pass it once")
        self._has_value = True
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser whose errors say what is wrong and where help is, without a page of usage."""

    def __init__(self, **texts: Any) -> None:
        # Without abbreviations, whose meaning a new option would change.
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **texts)
        for action in (None, "store"):
            self.register("action", action, _Once)
        self._groups = {name: self.add_argument_group(title) for name, title in _OPTIONS.items()}

    def add(self, group: str, *names: str, **how: Any) -> None:
        """Add an option to a group; `help=` is its text, with "%" as it is. A group "" has no title."""
        if "help" in how:
            how["help"] = how["help"].replace("%", "%%")
        (self._groups[group] if group else self).add_argument(*names, **how)

    def given_arguments(self, arguments: argparse.Namespace) -> list[str]:
        """Return the arguments that the command was given, including values equal to a default."""
        return [
            action.dest
            for action in self._actions
            if getattr(action, "_has_value", False)
            or getattr(arguments, action.dest, None) not in (None, action.default)
        ]

    @property
    def options(self) -> dict[str, argparse.Action]:
        """The options by name, such as -m and --metric."""
        return {name: action for action in self._actions for name in action.option_strings}

    def error(self, message: str) -> NoReturn:
        """Print the message without a page of usage, and exit with status 2."""
        complain(f"{message}{'' if message.endswith('?') else '.'} See {self.prog} --help", self.prog)
        raise SystemExit(2)

    def _print_message(self, message: str, file: object = None) -> None:  # noqa: ARG002
        """Print help or the version on standard output, which may be closed."""
        say(message.removesuffix("\n"))

    def repeat_metric(self, words: Sequence[str], is_metric: Callable[[str], bool]) -> list[str]:
        """Return the words with a -m before each metric that follows another one, as in `-m recall@10 ndcg@10`.

        A word is a metric if `is_metric` says so, unless it is the only word that can be a run.
        """
        repeated, options = list[str](), self.options
        takes_value = is_after_metric = has_run = False
        for word in words:
            if takes_value:
                takes_value = False
            elif word.startswith("-") and len(word) > 1:
                action = options.get(word)
                takes_value = action is not None and action.nargs != 0
                is_after_metric = word in ("-m", "--metric")
            elif is_after_metric and is_metric(word):
                repeated.append("-m")
            else:
                is_after_metric, has_run = False, True
            repeated.append(word)
        return repeated if has_run else list(words)


def say(text: str) -> None:
    """Print a text on standard output; raises `ArgumentError` if it cannot be written.

    A pipe that its reader closes early, as `head` does, is no error.
    """
    try:
        _write(sys.stdout, text)
    except UnicodeEncodeError as error:
        problem = f"the output cannot be written as {error.encoding}, which lacks {error.object[error.start]!r}"
        raise ArgumentError(f"{problem}: set the environment variable PYTHONIOENCODING=utf-8") from error
    except BrokenPipeError:
        pass
    except OSError as error:
        raise ArgumentError(f"the output cannot be written: {error.strerror or error}") from error


def complain(message: str, program: str = "recall-duckdb") -> None:
    """Print a message on standard error, if that is open; on a terminal, its lines break at words.

    Further lines, such as DuckDB's, are indented, so that they do not look like other messages.
    """
    width, text = terminal_width("stderr"), f"{program}: {printable(message, keep=chr(10))}"
    lines = [wrap(line, width and width - 2, 0) for line in text.splitlines()]
    with suppress(OSError):
        _write(sys.stderr, textwrap.indent("\n".join(lines), "  ").strip())


def _write(stream: TextIO | None, text: str) -> None:
    """Write a line and flush it; raises `OSError` if the stream is closed."""
    if stream is None:  # Python sets None for a descriptor that was closed at start
        raise OSError(EBADF, os.strerror(EBADF))
    try:
        stream.write(f"{text}\n")
        stream.flush()
    except OSError:
        # At exit Python would try to write the rest of the text and report the failure.
        null = os.open(os.devnull, os.O_WRONLY)
        if null != stream.fileno():  # equal if that descriptor was closed
            os.dup2(null, stream.fileno())
            os.close(null)
        raise
