"""Finds what the user gave, and makes relations with canonical columns of it."""

from recall_duckdb.inputs.prepare import Inputs, SourceSelect, prepare

__all__ = ["Inputs", "SourceSelect", "prepare"]
