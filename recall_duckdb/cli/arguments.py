"""The options that several commands have."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from recall_duckdb import report
from recall_duckdb.cli.parser import Parser
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.errors import RecallError, advice
from recall_duckdb.question import OPTIONAL_INPUTS, Data, Question, argument_docs
from recall_duckdb.question.metrics import parse
from recall_duckdb.question.policies import CHOICES, LIMITS
from recall_duckdb.question.question import FILE_COLUMNS, SLICES

RUNS = "a parquet, CSV, JSON or TREC file, a glob, or NAME=PATH to name the model"


def add_format(parser: Parser, *more: str, default: str = "table") -> None:
    """Add the option that chooses the format of the output; `more` are formats of this command alone."""
    choices = [*report.FORMATS, *more]
    parser.groups["output"].add_argument("--format", choices=choices, default=default, help=f"default: {default}")


def add_duckdb(parser: Parser) -> None:
    """Add the options of DuckDB: the database, and limits."""
    limits = parser.groups["duckdb"]
    limits.add_argument(
        "--database",
        metavar="FILE",
        help="a database file of DuckDB, which is only read: sources may be its tables, and queries in parentheses",
    )
    limits.add_argument(
        "--memory-limit", metavar="SIZE", help="memory for DuckDB, such as 2GB; beyond it DuckDB spills to disk"
    )
    limits.add_argument("--threads", type=int, metavar="N", help="how many threads DuckDB may use")


def add_how(parser: Parser, without_baseline: str = "") -> None:
    """Add an option for each setting of a comparison; the help says what the command does without a baseline."""
    docs = argument_docs(Settings)
    how = parser.groups["comparison"]
    baseline = help_of(docs["baseline"].partition(";")[0])
    how.add_argument("--baseline", metavar="MODEL", help=f"{baseline}{without_baseline}")
    if without_baseline:  # a leaderboard takes no interval
        docs = {**docs, "interval": "how the interval of the mean difference is found; needs --baseline"}
    for name, choices in HOW.items():
        how.add_argument(f"--{name}", choices=choices, default=choices[0], help=help_of(docs[name]))
    numbers: dict[str, type] = {"confidence": float, "tie_within": float, "samples": int, "seed": int}
    for name, kind in numbers.items():
        how.add_argument(f"--{name.replace('_', '-')}", type=kind, metavar="X", help=help_of(docs[name]))


def add_question(parser: Parser, kind: type[Question], run: str, *, needs_run: bool = True) -> None:
    """Add an option for each argument of a question, with the documentation of the argument as help."""
    docs = argument_docs(kind)
    parser.add_argument("run", nargs="+" if needs_run else "*", metavar="RUN", help=run)
    if "qrels" not in kind.hidden:
        parser.is_metric = _is_metric
        parser.add_argument("--qrels", metavar="PATH", help=help_of(docs["qrels"]))
        parser.add_argument(
            "-m",
            "--metric",
            action="append",
            metavar="M",
            help=f"{help_of(docs['metrics'])}; several in a row, and repeatable (default: recall@10)",
        )
    columns, optional, policies = (parser.groups[name] for name in ("columns", "inputs", "policies"))
    for argument in fields(kind):
        if argument.name in kind.hidden:
            continue
        option, help_ = f"--{argument.name.replace('_', '-')}", help_of(docs[argument.name])
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
        parser.add_argument("--metric-folder", action="append", metavar="DIR", help=help_of(docs["metric_folder"]))


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


def help_of(text: str) -> str:
    """Return the documentation of an argument as the help of its option."""
    return advice(text).rstrip(".").replace("None", "none").replace("%", "%%")
