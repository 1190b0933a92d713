"""The command line: `recall-duckdb evaluate`, `compare`, `report`, `agreement`, `check`, `pool`, `sql` and others.

The module of a command is named like it, and is loaded only for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module

from recall_duckdb import __version__
from recall_duckdb.cli import output
from recall_duckdb.cli.parser import CommandParser, Parser
from recall_duckdb.errors import RecallError, nearest, quote


@dataclass(frozen=True)
class Command:
    """What the list of commands says about one, and examples for its help; arguments alone."""

    group: str
    purpose: str
    examples: tuple[str, ...]


_METRICS, _DATA, _SQL = "Metrics", "Data and judgements", "SQL"
COMMANDS = {
    "evaluate": Command(
        _METRICS,
        "evaluate runs and print the means",
        (
            "run.parquet --qrels qrels.parquet -m recall@10 ndcg@10",
            "old.csv new.csv --qrels qrels.csv --not-below old",
        ),
    ),
    "compare": Command(
        _METRICS,
        "compare runs with a baseline, or all of them for a leaderboard",
        (
            "old.csv new.csv --qrels qrels.csv --baseline old",
            "a.csv b.csv c.csv --qrels qrels.csv -m ndcg@10 recall@10",
            "old.parquet new.parquet --values --baseline old",
        ),
    ),
    "report": Command(
        _METRICS,
        "write a report as one HTML file, with charts",
        (
            "run.parquet --qrels qrels.parquet -o report.html",
            "a.csv b.csv --qrels qrels.csv --baseline a -o report.html",
        ),
    ),
    "agreement": Command(
        _METRICS,
        "compare lists with those of a baseline, without judgements",
        ("exact.parquet index.parquet --baseline exact", "old.csv new.csv --baseline old -k 20 --each-query"),
    ),
    "metrics": Command(
        _METRICS,
        "describe metrics: definition, options, other names and source",
        ("ndcg recall@10", "--metric-folder my_metrics"),
    ),
    "check": Command(
        _DATA,
        "find faults in run and qrels; the exit status is 1 if there are any",
        ("run.parquet --qrels qrels.parquet", "run.parquet --qrels qrels.parquet --format json"),
    ),
    "explain": Command(
        _DATA,
        "show the list of one query item by item, next to that of a baseline",
        (
            "q17 run.parquet --qrels qrels.parquet -k 20",
            "q17 old.csv new.csv --qrels qrels.csv --baseline old",
        ),
    ),
    "pool": Command(
        _DATA,
        "list the unjudged items that the metrics read, to judge next",
        (
            "run.parquet --qrels qrels.parquet -m ndcg@10",
            "old.csv new.csv --qrels qrels.csv --format table",
        ),
    ),
    "sql": Command(
        _SQL,
        "print the statement instead of running it",
        ("run.parquet --qrels qrels.parquet -m recall@10", "recs --qrels sales --dialect snowflake --as view v"),
    ),
    "macros": Command(
        _SQL, "print the SQL file that adds the metrics to DuckDB as macros", ("> recall.sql", "| duckdb shop.duckdb")
    ),
    "dialects": Command(
        _SQL,
        "list the dialects that sql writes, and how each was tested",
        ("--format markdown", "--format json"),
    ),
}
_HEAD = "How good is my ranking? Recall@k and its family, computed by DuckDB on files."


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 if `check` found a fault or a gate failed, 2 on a mistake in the command or the data, 130 on
    Ctrl-C.
    """
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
        status: int = import_module("recall_duckdb.cli.running").run(arguments, unknown)
    except RecallError as error:
        output.complain(f"recall-duckdb: {error}")
        return 2
    except KeyboardInterrupt:
        output.complain("recall-duckdb: interrupted")
        return 130
    return status


def _parser() -> Parser:
    """Return the parser, with a parser for each command, which adds its options when it is used."""
    examples = [f"{name} {COMMANDS[name].examples[0]}" for name in ("evaluate", "compare")]
    width = max(map(len, COMMANDS))
    groups: dict[str, list[str]] = {}
    for name, command in COMMANDS.items():
        groups.setdefault(command.group, []).append(f"  {name:{width}}  {command.purpose}")
    listed = [f"{group}:\n" + "\n".join(lines) for group, lines in groups.items()]
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
    for name, command in COMMANDS.items():
        purpose = f"{command.purpose[0].upper()}{command.purpose[1:]}."
        examples = [f"{name} {example}" for example in command.examples]
        commands.add_parser(
            name, usage=f"recall-duckdb {name} ...", description="\n\n".join([_examples(examples), purpose])
        )
    return parser


def _examples(examples: Sequence[str]) -> str:
    """Return examples for the first lines of a help."""
    return "\n".join(["Examples:", *(f"  recall-duckdb {example}" for example in examples)])
