"""The texts of statements are kept: no question gets the text of another, and few rows get the answer of many."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas
import pyarrow
import pytest
from pyarrow import parquet

from recall_duckdb import agreement, check, evaluate, pool
from recall_duckdb.compose import kept
from recall_duckdb.definitions import templates
from recall_duckdb.engines import IS_DUCKDB_1, shared
from recall_duckdb.errors import DataError

Columns = dict[str, list[Any]]

RUN: Columns = {
    "query": [1, 1, 2, 2, 3], "item": ["a", "b", "a", "c", "a"], "score": [0.9, 0.8, 0.7, 0.7, 0.5],
    "other": [0.1, 0.8, 0.9, 0.7, 0.5], "land": ["NL", "NL", "BE", "BE", "BE"],
}  # fmt: skip
QRELS: Columns = {"query": [1, 1, 2, 4], "item": ["b", "x", "a", "c"], "relevance": [1, 2, 1, 0]}
OTHER: Columns = {**RUN, "score": [0.8, 0.9, 0.7, 0.6, 0.5]}


def as_text(columns: Columns) -> Columns:
    return {**columns, "query": list(map(str, columns["query"]))}


def renamed(columns: Columns, **names: str) -> Columns:
    return {names.get(name, name): column for name, column in columns.items()}


def rows(relation: duckdb.DuckDBPyRelation) -> list[Any]:
    return [*relation.columns, *map(str, relation.types), *relation.fetchall()]


def of_pool(run: Any, qrels: Any, **options: Any) -> list[Any]:
    return rows(pool(run, qrels, **{"metrics": "recall@2", **options}))


def of_models(other: object, **options: Any) -> list[Any]:
    return rows(agreement({"old": RUN, "new": other}, **{"baseline": "old", "k": 2, **options}).rows)


def of_check(run: object, qrels: object, **options: Any) -> list[Any]:
    faults = check(run, qrels, **{"metrics": "recall@2", **options})
    return [*faults.checks, *faults.to_dicts()]


FEW = {"missing", "no_relevant", "run_duplicates", "short", "ties", "unjudged_queries"}


def checked(run: object, qrels: object, but: str = "", **options: Any) -> list[Any]:
    """Return what a few checks find, because all of them take four times as long."""
    return of_check(run, qrels, skip=sorted({*templates.checks()} - (FEW - {but})), **options)


def questions(folder: Path) -> list[Callable[[], list[Any]]]:
    """Return questions that differ in one respect each: a name, a type, a path, a policy, a metric or a cutoff."""
    for name in ("run", "Run", "other"):  # other files of the same columns
        (folder / name).mkdir()
        columns = OTHER if name == "other" else {**RUN, "item": [f"{name} {item}" for item in RUN["item"]]}
        parquet.write_table(pyarrow.table(columns), folder / name / "run.parquet")
    paths = [folder / name / "run.parquet" for name in ("run", "Run", "other")]
    users = renamed(RUN, query="user"), renamed(QRELS, query="user")
    capitals = renamed(RUN, query="Query"), renamed(QRELS, query="Query")
    return [
        *(lambda path=path, ask=ask: ask(path, QRELS) for path in paths for ask in (of_pool, checked)),
        *(lambda path=path: of_models(path) for path in paths),
        *(
            lambda ask=ask, options=options: ask(RUN, QRELS, **options)
            for ask, options in (
                (of_pool, {}), (of_pool, {"metrics": "recall@1"}), (of_pool, {"metrics": "recall(threshold=2)@2"}),
                (of_pool, {"score": "other"}), (of_pool, {"ties": "item"}), (of_pool, {"min_score": 0.6}),
                (checked, {}), (checked, {"threshold": 1}), (checked, {"threshold": 2}), (checked, {"by": "land"}),
                (checked, {"exclude": {"query": [1], "item": ["b"]}}), (checked, {"score": ["score", "other"]}),
            )
        ),
        lambda: of_pool(as_text(RUN), as_text(QRELS)),
        lambda: of_pool(RUN, as_text(QRELS), ids="text"),
        lambda: of_pool(*users, query="user"),
        lambda: of_pool(*capitals, query="Query"),
        lambda: checked(pandas.DataFrame(RUN), QRELS),
        lambda: checked(RUN, QRELS, but="ties"),
        *(
            lambda options=options: of_models(OTHER, **options)
            for options in ({}, {"k": 1}, {"k": None}, {"p": 0.5}, {"baseline": "new"})
        ),
        lambda: rows(agreement({"old": RUN, "New": OTHER, "new": RUN}, baseline="new", k=2).rows),
        lambda: rows(agreement({"old": RUN, "New": OTHER, "new": RUN}, baseline="New", k=2).rows),
    ]  # fmt: skip


@pytest.mark.slow
def test_no_question_gets_the_statement_of_another(tmp_path: Path) -> None:
    asked = questions(tmp_path)
    alone = []
    for ask in asked:
        kept._text.cache_clear()
        alone.append(ask())
    kept._text.cache_clear()
    assert [ask() for ask in asked] == alone


@pytest.mark.slow
def test_files_of_the_same_columns_share_a_statement(tmp_path: Path) -> None:
    asked = questions(tmp_path)[:9]
    for ask in asked[:2] + asked[6:7]:
        ask()
    before = kept._text.cache_info().misses
    for ask in asked:
        ask()
    written = kept._text.cache_info().misses - before
    if IS_DUCKDB_1:  # the first parameter would import pandas
        assert written > 1
    else:
        assert written <= 1  # one file has another fault, whose rows are looked up


@pytest.mark.parametrize("faults", [{}, {"score": [0.9, None, 0.7, 0.7, 0.5]}, {"item": ["a", "a", "b", "b", "b"]}])
def test_few_rows_get_the_answer_of_many(faults: Columns) -> None:
    run, many = {**RUN, **faults}, duckdb.connect()
    assert of_check(run, QRELS) == of_check(run, QRELS, connection=many)
    for ask in (of_pool, lambda data, _, **options: of_models(data, **options)):
        answers = []
        for connection in (None, many):
            try:
                answers.append(ask(run, QRELS, connection=connection))
            except DataError as error:
                answers.append([str(error)])
        assert answers[0] == answers[1]


def test_few_rows_of_files_that_change(tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    for item in ("u", "v", "w"):  # of the same size, and written in the same second
        parquet.write_table(pyarrow.table({**RUN, "item": [item, "b", "a", "c", "a"]}), path)
        assert pool(path, QRELS, "recall@2").fetchall()[0] == (1, item, 1, 1)
        assert item in str(check(path, QRELS, "recall@2").to_dicts())


def test_the_pool_of_few_rows_can_be_read_later() -> None:
    first = pool(RUN, QRELS, "recall@2")
    second = pool(OTHER, QRELS, "recall@1")
    evaluate(RUN, QRELS, "recall@2")
    assert first.filter("query = 1").fetchall() == [(1, "a", 1, 1)]
    assert second.aggregate("count(*)").fetchall() == [(1,)]


def test_what_is_kept_is_bounded() -> None:
    assert kept._text.cache_parameters()["maxsize"] == 128
    with duckdb.connect() as connection:
        for number in range(300):
            shared.parsed(f"SELECT {number}", connection)
    assert len(shared._parsed) <= 256
