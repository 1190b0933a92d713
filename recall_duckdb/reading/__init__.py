"""Reads the user's data: finds what the user gave, and makes relations with canonical columns of it.

What cannot be read raises a `RecallError`, whose text `recall_duckdb.advice` writes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from recall_duckdb import advice
from recall_duckdb.errors import RecallError
from recall_duckdb.question import Question
from recall_duckdb.reading import plan, sources
from recall_duckdb.reading.source import Inputs, Sources, SourceSelect

__all__ = ["Inputs", "SourceSelect", "Sources", "find", "prepare"]
_P = ParamSpec("_P")
_T = TypeVar("_T")


def _advised(read: Callable[Concatenate[Question, _P], _T]) -> Callable[Concatenate[Question, _P], _T]:
    """Replace errors by one that says what to pass instead, if advice knows what the user gave."""

    def advised(question: Question, /, *arguments: _P.args, **options: _P.kwargs) -> _T:
        try:
            return read(question, *arguments, **options)
        except RecallError as error:
            try:
                better = advice.objects.of_question(question)
            except Exception as fault:  # an object of another package may raise anything when it is looked at
                raise error from fault
            if better is None:
                raise
            raise better from error

    return advised


find = _advised(sources.find_all)
prepare = _advised(plan.prepare)
