"""The command line."""

from __future__ import annotations

from recall_duckdb.cli.commands import main

__all__ = ["main"]
