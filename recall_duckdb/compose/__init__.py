"""Composes one statement from the templates that a plan needs."""

from recall_duckdb.compose.kept import Kept
from recall_duckdb.compose.plan import Plan, Replacements
from recall_duckdb.compose.readable import for_readers
from recall_duckdb.compose.statement import Statement, name_under

__all__ = ["Kept", "Plan", "Replacements", "Statement", "for_readers", "name_under"]
