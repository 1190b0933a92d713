"""Finds what the user gave, and makes relations with canonical columns of it."""

from recall_duckdb.reading.canonical import prepare
from recall_duckdb.reading.finding import Sources, find
from recall_duckdb.reading.relations import Inputs, SourceSelect

__all__ = ["Inputs", "SourceSelect", "Sources", "find", "prepare"]
