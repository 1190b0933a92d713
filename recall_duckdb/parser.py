"""The parser of the command line, and the options of its commands."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any, NoReturn

from recall_duckdb import output, report
from recall_duckdb.comparison.gates import Gates
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.errors import advice
from recall_duckdb.question import OPTIONAL_INPUTS, AgreementQuestion, Data, Question, argument_docs
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.question import FILE_COLUMNS


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


def add_format(parser: argparse.ArgumentParser, *more: str, default: str = "table") -> None:
    """Add the option that chooses the format of the output; `more` are formats of this command alone."""
    choices = [*report.FORMATS, *more]
    parser.add_argument("--format", choices=choices, default=default, help=f"default: {default}")


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the options that limit DuckDB."""
    parser.add_argument(
        "--memory-limit", metavar="SIZE", help="memory for DuckDB, such as 2GB; beyond it DuckDB spills to disk"
    )
    parser.add_argument("--threads", type=int, metavar="N", help="how many threads DuckDB may use")


def add_gates(parser: argparse.ArgumentParser) -> None:
    """Add an option for each gate."""
    said = argument_docs(Gates)
    gates = parser.add_argument_group(
        "gates (the exit status is 1 if one fails; with --by or --item-by also in each slice)"
    )
    gates.add_argument("--at-least", action="append", metavar="M=X", help=f"{help_of(said['at_least'])}; repeatable")
    gates.add_argument("--not-below", metavar="FILE", help=help_of(said["not_below"]))
    gates.add_argument("--max-drop", metavar="X", help=f"with --not-below: {help_of(said['max_drop'])}")
    for name in ("significant", "common"):
        text = help_of(said[name]).removeprefix("True to ")
        gates.add_argument(f"--{name}", action="store_true", help=f"with --not-below: {text}")


def add_history(parser: argparse.ArgumentParser) -> None:
    """Add the options that add the means to a history."""
    parser.add_argument("--append", metavar="FILE", help="add the means to a history, a .parquet file; see --run-id")
    parser.add_argument("--run-id", metavar="ID", help="with --append: the name of this run (default: a random one)")


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of a report."""
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="the .html file to write")
    parser.add_argument("--queries", type=int, metavar="N", help="how many worst and best queries (default: 10)")
    checks = "run the data checks; by default they run on up to 500,000 rows"
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, help=checks)
    parser.add_argument("--history", metavar="FILE", help="a history, to draw the trend; --append draws it too")
    add_history(parser)
    add_how(parser, needs_baseline=False)
    add_limits(parser)


def add_agreement(parser: argparse.ArgumentParser) -> None:
    """Add the options of `agreement` alone."""
    said = argument_docs(AgreementQuestion)
    parser.add_argument("--baseline", metavar="MODEL", required=True, help=help_of(said["baseline"]))
    whole = f"{help_of(said['k'].partition(';')[0])}, or none for whole lists (default: 10)"
    parser.add_argument("-k", type=_cutoff, metavar="K", help=whole)
    parser.add_argument("-p", type=float, metavar="P", help=f"{help_of(said['p'])} (default: 0.9)")


def _cutoff(text: str) -> int | str:
    return text if text == "none" else int(text)


def add_how(parser: argparse.ArgumentParser, *, needs_baseline: bool = True) -> None:
    """Add an option for each setting of a comparison."""
    said = argument_docs(Settings)
    how = parser.add_argument_group("comparison (the first is the default)")
    baseline = help_of(said["baseline"].partition(";")[0])
    how.add_argument("--baseline", metavar="MODEL", required=needs_baseline, help=baseline)
    for name, choices in HOW.items():
        how.add_argument(f"--{name}", choices=choices, default=choices[0], help=help_of(said[name]))
    numbers: dict[str, type] = {"confidence": float, "tie_within": float, "samples": int, "seed": int}
    for name, kind in numbers.items():
        how.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="X", help=help_of(said[name]))


def add_question(parser: argparse.ArgumentParser, kind: type[Question], run: str) -> None:
    """Add an option for each argument of a question, with the documentation of the argument as help."""
    said = argument_docs(kind)
    parser.add_argument("run", nargs="+", metavar="RUN", help=run)
    if "qrels" not in kind.hidden:
        parser.add_argument("--qrels", metavar="PATH", help=help_of(said["qrels"]))
        parser.add_argument(
            "-m",
            "--metric",
            action="append",
            metavar="M",
            help=f"{help_of(said['metrics'])}; repeatable (default: recall@10)",
        )
    columns = parser.add_argument_group("columns (default: the option's own name)")
    optional = parser.add_argument_group("optional inputs")
    policies = parser.add_argument_group("policies (the first is the default)")
    for argument in fields(kind):
        if argument.name in kind.hidden:
            continue
        option, help_ = f"--{argument.name.replace('_', '-')}", help_of(said[argument.name])
        if argument.name in OPTIONAL_INPUTS:
            keys, numbers = OPTIONAL_INPUTS[argument.name]
            optional.add_argument(option, metavar="PATH", help=f"{', '.join([*keys, *numbers])}: {help_}")
        elif argument.name in CHOICES:
            usual, *others = CHOICES[argument.name]
            choices = others if usual is None else [usual, *others]
            policies.add_argument(option, choices=choices, default=usual, help=help_)
        elif argument.name in LIMITS:
            policies.add_argument(option, type=LIMITS[argument.name], metavar="X", help=help_)
        elif argument.name in Data.__dataclass_fields__ and argument.name not in ("run", "qrels"):
            is_list = argument.name in FILE_COLUMNS
            several = "Sequence" in str(argument.type) and not is_list
            action, more = ("append", "; repeatable") if several else ("store", "")
            columns.add_argument(option, action=action, metavar="NAMES" if is_list else "COLUMN", help=f"{help_}{more}")
    if "metric_folder" not in kind.hidden:
        parser.add_argument("--metric-folder", action="append", metavar="DIR", help=help_of(said["metric_folder"]))


def help_of(text: str) -> str:
    """Return the documentation of an argument as the help of its option."""
    return advice(text).rstrip(".").replace("None", "none").replace("%", "%%")
