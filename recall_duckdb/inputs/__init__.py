"""Finds what the user gave, and makes relations with canonical columns of it."""

from recall_duckdb.inputs.canonical import prepare
from recall_duckdb.inputs.finding import Sources, find
from recall_duckdb.inputs.relations import Inputs, SourceSelect

__all__ = ["Inputs", "SourceSelect", "Sources", "find", "prepare"]
