"""The command `macros`: prints the SQL file of the table macros."""

from __future__ import annotations

import argparse

from recall_duckdb.cli.running import Answer
from recall_duckdb.macros.installing import macro_file


def add_options(_: argparse.ArgumentParser) -> None:
    """Add no options: the command has none."""


def run(_: argparse.Namespace) -> Answer:
    """Print the file."""
    return Answer(macro_file().removesuffix("\n"), is_data=True)
