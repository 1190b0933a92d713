"""Runs a command: prints its answer, and its errors with the names of options."""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from recall_duckdb import report
from recall_duckdb.cli import output
from recall_duckdb.cli.commands import COMMANDS
from recall_duckdb.cli.parser import CommandParser
from recall_duckdb.errors import ArgumentError, RecallError, RecallWarning, message, nearest, spell_with
from recall_duckdb.question.policies import CHOICES


@dataclass(frozen=True)
class Answer:
    """What a command prints, the lines for standard error, what it does after that, and if it found a fault."""

    text: str
    below: Sequence[str] = ()
    has_faults: bool = False
    then: Callable[[], object] | None = None  # what may fail without the loss of the text
    is_data: bool = False  # True for programs: names stay as they are, with control characters
    is_styled: bool = False  # True if names are escaped already, and the codes of a terminal are ours


def in_format(arguments: argparse.Namespace, shown: report.Rows) -> Answer:
    """Return a table in the format of the command."""
    form = report.FORMATS[arguments.format]
    return Answer(form.write(shown), is_data=form.is_data, is_styled=form.is_styled)


def run(arguments: argparse.Namespace, unknown: Sequence[str]) -> int:
    """Run the command that was parsed; returns its exit status, as `main` does."""
    options = _options(arguments)
    if unknown:
        arguments.parser.error(f"unrecognized arguments: {' '.join(unknown)}{_hint(unknown[0], arguments)}")
    try:
        for name, value in vars(arguments).items():
            if value == "" or (isinstance(value, list) and "" in value):
                raise ArgumentError("the value is empty: give one, or leave it out", argument=name)
        with spell_with(options), _warnings_as_lines():
            answer: Answer = arguments.command(arguments)
            output.show(answer.text, is_data=answer.is_data, is_styled=answer.is_styled)
            for line in answer.below:
                output.complain(f"recall-duckdb: {line}")
            if answer.then is not None:
                answer.then()
    except RecallError as error:
        option = ", ".join(options.get(name, name) for name in (error.argument or "").split(", "))
        output.complain(f"recall-duckdb: {message(error.problem, option, error.fix)}")
        return 2
    return 1 if answer.has_faults else 0


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Write a warning about the data as a line on standard error, without the place in the code."""
    with warnings.catch_warnings():
        before = warnings.showwarning

        def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, RecallWarning):
                output.complain(f"recall-duckdb: {message}")
            else:
                before(message, category, *place, **more)

        warnings.showwarning = show
        warnings.simplefilter("always", RecallWarning)
        yield


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    """Return the option for each Python argument; a policy that `check` lacks is an option of `evaluate`."""
    names = vars(arguments).keys() - {"command", "parser", "query_id", "run", "folder"}
    options = {name: f"--{name.replace('_', '-')}" for name in names}
    options |= {name: f"-{name}" for name in ("k", "p") if name in options}
    if "append" in arguments:
        options |= {"path": "--output", "history": "--history" if arguments.append is None else "--append"}
    policies = {name: f"evaluate --{name.replace('_', '-')}" for name in CHOICES}
    return {**policies, "metrics": "--metric", **options}


def _hint(argument: str, arguments: argparse.Namespace) -> str:
    """Return a hint at what an unknown argument may have meant."""
    option, options = argument.partition("=")[0], _options(arguments)
    if option.startswith("-k") and "metric" in arguments:
        return ". A cutoff is part of a metric, as in -m recall@5"
    if "run" in arguments and (option == "--run" or not option.startswith("-")):
        return ". Pass runs without an option, one after the other, and repeat an option for each of its values"
    if (other := _command_with(option, arguments)) is not None:
        return f". {option} is an option of {other}"
    near = nearest(option, [word for word in options.values() if " " not in word])
    return f".{near}" if near else ""


def _command_with(option: str, arguments: argparse.Namespace) -> str | None:
    """Return another command that has an option, None if none has."""
    for name in COMMANDS if option.startswith("-") else ():
        parser = CommandParser(prog=name)
        parser.load(name)
        if option in parser.options and name != arguments.parser.prog.rpartition(" ")[2]:
            return name
    return None
