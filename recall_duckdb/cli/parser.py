"""The parser of the command line, which loads the module of a command when its options are first read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from recall_duckdb.cli import output


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


class Parser(argparse.ArgumentParser):
    """A parser whose errors say what is wrong and where help is, without a page of usage."""

    def __init__(self, **arguments: Any) -> None:
        super().__init__(allow_abbrev=False, **arguments)  # a new option would change what an abbreviation means
        for action in (None, "store"):
            self.register("action", action, _Once)

    def given_arguments(self, arguments: argparse.Namespace) -> list[str]:
        """Return the arguments that the command was given, including values equal to a default."""
        return [
            action.dest
            for action in self._actions
            if getattr(action, "_given", False) or getattr(arguments, action.dest, None) not in (None, action.default)
        ]

    def error(self, message: str) -> NoReturn:
        """Print the message without a page of usage, and exit with status 2."""
        output.complain(f"{self.prog}: {message}{'' if message.endswith('?') else '.'} See {self.prog} --help")
        raise SystemExit(2)

    def _print_message(self, message: str, file: object = None) -> None:  # noqa: ARG002
        """Print help or the version on standard output, which may be closed."""
        output.say(message.removesuffix("\n"))


class CommandParser(Parser):
    """The parser of a command, whose module adds its options and runs it."""

    _is_loaded = False

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Add the options of the command, then parse them."""
        if not self._is_loaded:
            self._is_loaded = True
            module = import_module(f"recall_duckdb.cli.{self.prog.rpartition(' ')[2]}")
            module.add_options(self)
            self.set_defaults(command=module.run, parser=self)
        return super().parse_known_args(args, namespace)
