"""Reads the user's data: finds what the user gave, and makes relations with canonical columns of it.

What cannot be read raises a `RecallError`, whose text `recall_duckdb.advice` writes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from recall_duckdb import advice
from recall_duckdb.errors import RecallError
from recall_duckdb.question import Question
from recall_duckdb.reading.plan import Roles
from recall_duckdb.reading.source import Inputs, Sources, SourceSelect
from recall_duckdb.reading.sources import find_all

__all__ = ["Inputs", "Roles", "SourceSelect", "Sources", "advised", "find_all"]


@contextmanager
def advised(question: Question) -> Iterator[None]:
    """Replace errors of this block by one that says what to pass instead, if advice knows what the user gave."""
    try:
        yield
    except RecallError as error:
        try:
            better = advice.objects.of_question(question)
        except Exception as fault:  # an object of another package may raise anything when it is looked at
            raise error from fault
        if better is None:
            raise
        raise better from error
