"""The file of values of queries that `evaluate` and `compare` write."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from recall_duckdb import file_writing
from recall_duckdb.cli.options import input_paths
from recall_duckdb.cli.parser import Parser
from recall_duckdb.errors import UnknownNameError, quote
from recall_duckdb.inputs import sources
from recall_duckdb.result import Result

_EXTENSIONS = {".parquet": "parquet", ".csv": "csv", ".json": "json"}


@dataclass(frozen=True)
class ValuesFile:
    """A file for values of queries: its name, the file that this is, and its format."""

    name: str
    target: Path
    form: str

    def write(self, result: Result) -> None:
        """Write the values of a result."""
        with file_writing.replacing(self.target, self.name, "per_query") as written:
            result.write_per_query(written, self.form)


def add_per_query(parser: Parser) -> None:
    """Add the option that names the file."""
    parser.groups["output"].add_argument(
        "--per-query", metavar="FILE", help="also write the values of each query to a .parquet, .csv or .json file"
    )


def values_file(arguments: argparse.Namespace) -> ValuesFile | None:
    """Return the file that the command names, None for none; raises `ArgumentError` if it cannot be written."""
    name = arguments.per_query
    if name is None:
        return None
    form = _EXTENSIONS.get(Path(name).suffix)
    if form is None:
        raise UnknownNameError(f"{quote(name)} must end in one of {', '.join(_EXTENSIONS)}", argument="--per-query")
    target = file_writing.target(name, "per_query")
    sources.refuse_input("per_query", name, target, input_paths(arguments))
    return ValuesFile(name, target, form)
