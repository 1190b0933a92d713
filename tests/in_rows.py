"""Answers in rows, by the definitions, and how other answers are compared with them."""

from __future__ import annotations

from typing import Any

import pytest

from recall_duckdb import Result, evaluation
from recall_duckdb.answering.planning import planned
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import DataError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.result_data import ResultData


def in_rows(run: object, qrels: object = None, metrics: Any = ("recall@10",), **options: Any) -> Result:
    """Return what `evaluate` does, computed in rows."""
    question = EvaluateQuestion(run, qrels, metrics, **options)
    session = open_session(question.connection, sources=question.sources())
    try:
        with planned(question, session) as plan:
            return Result(ResultData(question, session, evaluation.by_definition(plan, session)))
    finally:
        session.release()


def assert_same(found: Result, wanted: Result) -> None:
    """Compare means, counts and values of queries; numbers to 1e-12, because lists sum them in another order."""
    assert found.counts == wanted.counts
    assert found.per_query.columns == wanted.per_query.columns
    assert found.per_query.types == wanted.per_query.types
    means = [[tuple(row.values()) for row in result.to_dicts()] for result in (found, wanted)]
    for rows, others in (means, [_sorted(result.per_query.fetchall()) for result in (found, wanted)]):
        assert rows == [tuple(map(_about, row)) for row in others]


def _sorted(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: [str(value) for value in row if not isinstance(value, float)])


def _about(value: object) -> object:
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True) if isinstance(value, float) else value


def error_of(how: Any, *arguments: Any, **options: Any) -> str:
    """Return the message of the error that a function raises; '' for none."""
    try:
        how(*arguments, **options)
    except DataError as error:
        return str(error)
    return ""
