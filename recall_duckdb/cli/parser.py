"""The parser of the command line, which loads the module of a command when its options are first read."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NoReturn

from recall_duckdb.cli import output

# The groups of options, in the order in which the help has them; empty ones are not printed.
GROUPS = {
    "output": "output",
    "gates": "gates (the exit status is 1 if one fails; with --by or --item-by also in each slice)",
    "comparison": "comparison (the first is the default)",
    "columns": "columns (default: the option's own name)",
    "inputs": "optional inputs",
    "policies": "policies (the first is the default)",
    "duckdb": "DuckDB",
}


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

    def __init__(self, **arguments: Any) -> None:
        arguments = {"formatter_class": argparse.RawDescriptionHelpFormatter, **arguments}
        super().__init__(allow_abbrev=False, **arguments)  # a new option would change what an abbreviation means
        for action in (None, "store"):
            self.register("action", action, _Once)
        self.groups = {name: self.add_argument_group(title) for name, title in GROUPS.items()}
        self.is_metric: Callable[[str], bool] | None = None  # says if a word that follows one of -m is another

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
            self.load(self.prog.rpartition(" ")[2])
        return super().parse_known_args(self._repeat_metric(args or ()), namespace)

    def load(self, name: str) -> None:
        """Add the options of a command."""
        self._is_loaded = True
        module = import_module(f"recall_duckdb.cli.{name}")
        module.add_options(self)
        self.set_defaults(command=module.run, parser=self)

    def _repeat_metric(self, words: Sequence[str]) -> list[str]:
        """Return the words with a -m before each metric that follows another one, as in `-m recall@10 ndcg@10`.

        A word is a metric if it names one and there is no such file, unless it is the only word that can be a run.
        """
        if self.is_metric is None:
            return list(words)
        places, followers = self._places(words, self.is_metric)
        metrics = {place for place in followers if self.is_metric(words[place])}
        if not metrics or len(metrics) == len(places):
            return list(words)
        return [part for place, word in enumerate(words) for part in (("-m", word) if place in metrics else (word,))]

    def _places(self, words: Sequence[str], is_metric: Callable[[str], bool]) -> tuple[list[int], list[int]]:
        """Return the places of words that are neither options nor their values, and of those of them after -m."""
        places, followers, options = list[int](), list[int](), self.options
        takes_value = is_after_metric = False
        for place, word in enumerate(words):
            if takes_value:
                takes_value = False
            elif word.startswith("-") and len(word) > 1:
                action = options.get(word)
                takes_value = action is not None and action.nargs != 0
                is_after_metric = word in ("-m", "--metric")
            else:
                places.append(place)
                if is_after_metric:
                    followers.append(place)
                is_after_metric = is_after_metric and is_metric(word)
        return places, followers
