"""The command `dialects`: lists the dialects and how each was tested."""

from __future__ import annotations

import argparse

from recall_duckdb import dialects, report
from recall_duckdb.cli import options
from recall_duckdb.cli.parser import Parser
from recall_duckdb.cli.running import Answer, in_format


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    options.add_format(parser)


def run(arguments: argparse.Namespace) -> Answer:
    """List the dialects."""
    rows = [[name, dialects.evidence(name)] for name in dialects.DIALECTS]
    return in_format(arguments, report.Records(["dialect", "evidence"], rows))
