"""Answers in rows, by the definitions, answers in lists, and how they are compared."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_duckdb import Result
from recall_duckdb.answering import answers, keys, planning
from recall_duckdb.answering.forms import Form, forms
from recall_duckdb.answering.keys import CUTOFF, ROW, WHOLE, choose
from recall_duckdb.answering.planning import planned
from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import DataError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.result_data import ResultData


def in_rows(run: object, qrels: object = None, metrics: Any = ("recall@10",), **options: Any) -> Result:
    """Return what `evaluate` does, computed in rows."""
    result = _in_forms(EvaluateQuestion(run, qrels, metrics, **options), lambda form: form.columns == ["counts"])
    assert result is not None
    return result


def in_lists(run: object, qrels: object = None, metrics: Any = ("recall@10",), **options: Any) -> Result | None:
    """Return the answer of lists; None if they do not cover the question, or the data are not sound."""
    return _in_forms(EvaluateQuestion(run, qrels, metrics, **options), lambda form: "answers" in form.columns)


def is_one_statement(run: object, qrels: object, metrics: Any = ("recall@10",), **options: Any) -> bool:
    """Return True if one statement answers the question of few rows, and finds no fault."""
    question = EvaluateQuestion(run, qrels, metrics, **options)
    with open_session(question.connection, sources=question.sources()) as session, planned(question, session) as plan:
        are_few = planning.has_at_most(planning.FEW_ROWS, plan, session)
        wanted = filter(lambda form: not form.is_stored, forms(plan, session, is_small=are_few))
        try:
            return answers.answer(question, plan, session, wanted) is not None
        except DataError:
            return False


def _in_forms(question: EvaluateQuestion, is_wanted: Callable[[Form], bool]) -> Result | None:
    """Return the answer in forms of one kind; None if none gives it."""
    session = open_session(question.connection, sources=question.sources())
    try:
        with planned(question, session) as plan:
            wanted = filter(is_wanted, forms(plan, session, is_small=False))
            found = answers.answer(question, plan, session, wanted)
            return None if found is None else Result(ResultData(question, session, found))
    finally:
        session.release()


def with_any_number_of_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no question be small, and each run be large enough for every key."""
    monkeypatch.setattr(planning, "FEW_ROWS", -1)
    monkeypatch.setattr(keys, "_MANY_ROWS", 0)


def kind(key: Replacements) -> str:
    """Return row, whole, cutoff, or numbers with the most that are kept of a list."""
    numbers = f"numbers {key.parameters.get('top') or ''}".strip()
    return next((name for name, each in {"cutoff": CUTOFF, "row": ROW, "whole": WHOLE}.items() if key == each), numbers)


def only(monkeypatch: pytest.MonkeyPatch, wanted: str) -> None:
    """Let lists try the keys of one kind alone."""
    forced = {"row": [ROW], "cutoff": [CUTOFF]}

    def chosen(plan: Plan, session: DuckDB) -> list[Replacements]:
        return forced.get(wanted) or [key for key in choose(plan, session) if kind(key).startswith(wanted)]

    monkeypatch.setattr(keys, "choose", chosen)


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
