"""The command line: `recall-duckdb evaluate`, `compare`, `report`, `agreement`, `check`, `pool`, `sql` and others."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from threading import current_thread, main_thread
from typing import NoReturn

from recall_duckdb import __version__
from recall_duckdb.cli import output
from recall_duckdb.cli.commands import COMMANDS, GROUPS
from recall_duckdb.cli.parser import CommandParser, Parser
from recall_duckdb.errors import RecallError, nearest, quote

_HEAD = "How good is my ranking? Recall@k and its family, computed by DuckDB on files."


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
        return _run(argv)
    except KeyboardInterrupt:
        output.complain(f"recall-duckdb: {'terminated' if ended_by else 'interrupted'}")
        return 143 if ended_by else 130
    finally:
        if is_default:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(argv: Sequence[str] | None) -> int:
    """Run a command; returns the exit status, without that of an interrupt."""
    parser = _parser()
    words = sys.argv[1:] if argv is None else argv
    try:
        if not words:
            parser.print_help()
            return 2
        name = next((word for word in words if not word.startswith("-")), None)
        if name is not None and name not in COMMANDS:
            parser.error(f"there is no command {quote(name)}.{nearest(name, COMMANDS)}".removesuffix("."))
        arguments, unknown = parser.parse_known_args(words)
        return int(import_module("recall_duckdb.cli.running").run(arguments, unknown))
    except RecallError as error:
        output.complain(f"recall-duckdb: {error}")
        return 2


def _parser() -> Parser:
    """Return the parser, with a parser for each command, which adds its options when it is used."""
    examples = [f"{name} {COMMANDS[name][1]}" for name in ("evaluate", "compare")]
    listed = [
        f"{group}:\n" + "\n".join(f"  {name:9}  {purpose}" for name, (purpose, *_) in commands.items())
        for group, commands in GROUPS.items()
    ]
    parser = Parser(
        prog="recall-duckdb",
        usage="recall-duckdb COMMAND ...",
        description="\n\n".join([_examples(examples), _HEAD, *listed]),
        epilog="recall-duckdb COMMAND --help describes a command.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    commands = parser.add_subparsers(
        prog="recall-duckdb", required=True, metavar="COMMAND", help=argparse.SUPPRESS, parser_class=CommandParser
    )
    for name, (purpose, *examples) in COMMANDS.items():
        lines = _examples([f"{name} {example}" for example in examples])
        description = f"{lines}\n\n{purpose[0].upper()}{purpose[1:]}."
        commands.add_parser(name, usage=f"recall-duckdb {name} ...", description=description)
    return parser


def _examples(examples: Sequence[str]) -> str:
    """Return examples for the first lines of a help."""
    return "\n".join(["Examples:", *(f"  recall-duckdb {example}" for example in examples)])
