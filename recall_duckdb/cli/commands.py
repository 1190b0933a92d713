"""The command line: `recall-duckdb evaluate`, `compare`, `report`, `agreement`, `check`, `pool`, `sql` and others.

The module of a command is named like it, and is loaded only for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from recall_duckdb import __version__
from recall_duckdb.cli import output
from recall_duckdb.cli.parser import CommandParser, Parser
from recall_duckdb.errors import RecallError

COMMANDS = {
    "evaluate": "evaluate runs and print the means",
    "compare": "compare runs with a baseline, query by query",
    "report": "write a report as one HTML file, with charts",
    "agreement": "compare lists with those of a baseline, without judgements",
    "sql": "print the statement instead of running it",
    "check": "find faults in run and qrels; the exit status is 1 if there are any",
    "pool": "list the unjudged items that the metrics read, to judge next",
    "macros": "print the SQL file that adds the metrics to DuckDB as macros",
    "dialects": "list the dialects that sql writes, and how each was tested",
    "metrics": "list every metric: its definition, options, other names and source",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    It is 0 on success, 1 if `check` found a fault or a gate failed, 2 on a mistake in the command or the data, 130 on
    Ctrl-C.
    """
    parser = Parser(
        prog="recall-duckdb",
        description="How good is my ranking? Recall@k and its family, computed by DuckDB on your files.",
    )
    parser.add_argument("--version", action="version", version=f"recall-duckdb {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=CommandParser)
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text)
    try:
        arguments, unknown = parser.parse_known_args(argv)
        status: int = import_module("recall_duckdb.cli.running").run(arguments, unknown)
    except RecallError as error:
        output.complain(f"recall-duckdb: {error}")
        return 2
    except KeyboardInterrupt:
        output.complain("recall-duckdb: interrupted")
        return 130
    return status
