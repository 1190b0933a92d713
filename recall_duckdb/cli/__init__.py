"""The command line."""

from __future__ import annotations

from recall_duckdb.cli.parser import main

__all__ = ["main"]
