"""Composes one statement from the templates that a plan needs."""

from recall_duckdb.compose.plan import Plan, Replacements, of_queries
from recall_duckdb.compose.pruning import shorten
from recall_duckdb.compose.statement import Statement, name_under, of_user

__all__ = ["Plan", "Replacements", "Statement", "name_under", "of_queries", "of_user", "shorten"]
