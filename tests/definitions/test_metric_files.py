"""Metric files mean what their SQL says: set operations, shared functions and macros."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from asking import fails, metric_file

from recall_duckdb import MetricFileError, evaluate
from recall_duckdb.definitions.templates import metric_files
from recall_duckdb.definitions.volatile import VOLATILE

RUN = {"query": [1, 1], "item": ["a", "b"], "score": [0.9, 0.8]}
QRELS = {"query": [1], "item": ["b"], "relevance": [3]}


@pytest.mark.parametrize(
    ("union", "value", "expected"),
    [
        ("c AS (SELECT 1 AS x UNION SELECT 1 AS x)", "count(*)", 1),
        ("c AS (SELECT 1 AS x UNION ALL SELECT 1 AS x)", "count(*)", 2),
        ("c AS (SELECT 1 AS x UNION ALL SELECT 2 AS x LIMIT 1)", "count(*)", 1),
        ("c AS (SELECT 1 AS x, 10 AS y UNION ALL BY NAME SELECT 20 AS y, 2 AS x)", "sum(x)", 3),
        ("c AS (SELECT 1 AS x EXCEPT SELECT 1 AS x UNION ALL SELECT 5 AS x)", "sum(x)", 5),
        ("c (x) AS (SELECT 1 UNION ALL SELECT 2)", "sum(x)", 3),
        ("c AS (SELECT 1 AS x UNION ALL SELECT 'a' AS x)", "count(*)", 2),
    ],
)
def test_a_set_operation_in_a_metric_file_is_not_rewritten(
    tmp_path: Path, union: str, value: str, expected: float
) -> None:
    folder = metric_file(tmp_path, "mine", f"CAST((SELECT {value} FROM c) AS DOUBLE)", before=f"WITH {union} ")
    assert evaluate(RUN, QRELS, "mine", metric_folder=folder).value("mine") == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("EXACT_SUM(gain)", 3),
        ("sum(CASE WHEN in_top(rank, 1) IN (FALSE) THEN gain ELSE 0 END)", 3),
        ("sum(CASE WHEN NOT in_top(rank, 1) IN (TRUE) THEN gain ELSE 0 END)", 3),
        ("sum(CASE WHEN in_top(rank, 2) AND in_top(rank, 3) THEN gain ELSE 0 END)", 3),
        ("max(ratio(1, 2)) + exact_sum(ratio(gain, 2))", 2),
    ],
)
def test_a_metric_file_calls_shared_functions_anywhere(tmp_path: Path, value: str, expected: float) -> None:
    folder = metric_file(tmp_path, "mine", f"CAST({value} AS DOUBLE)")
    assert evaluate(RUN, QRELS, "mine", metric_folder=folder).value("mine") == expected


@pytest.mark.parametrize(
    "call",
    [
        "exact_sum(gain) FILTER (WHERE rank = 1)",
        "exact_sum(gain) OVER (PARTITION BY query)",
        "exact_sum(DISTINCT gain)",
        "exact_sum(gain ORDER BY rank)",
    ],
)
def test_a_shared_function_with_a_clause_is_refused(tmp_path: Path, call: str) -> None:
    with pytest.raises(MetricFileError, match=r"exact_sum\(x\) takes no DISTINCT, ORDER BY, FILTER or OVER"):
        evaluate(RUN, QRELS, "mine", metric_folder=metric_file(tmp_path, "mine", call))


def test_a_macro_with_the_name_of_a_shared_function_needs_its_schema(tmp_path: Path) -> None:
    folder = metric_file(tmp_path, "mine", "max(main.ratio(1, 2) + ratio(1, 2))")
    with duckdb.connect() as connection:
        connection.execute("CREATE MACRO ratio(a, b) AS 42.0")
        assert evaluate(RUN, QRELS, "mine", connection=connection, metric_folder=folder).value("mine") == 42.5


def test_variables_of_a_list_comprehension_are_not_columns(tmp_path: Path) -> None:
    metric_file(tmp_path, "own", "coalesce(sum(list_sum([x FOR x IN [relevance]])), 0)")
    run = {"query": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0], "relevance": [0, 3]}
    assert evaluate(run, metrics="own", metric_folder=tmp_path).value("own") == 3


VOLATILE_CALLS = {
    "random": "max(rank * random())",
    "nextval": "max(nextval('ids'))",
    "current_setting": "max(length(current_setting('threads')))",
    "write_log": "max(CASE WHEN write_log('x') IS NULL THEN rank END)",
    "(now|current_timestamp)": "max(epoch(now()))",
    "uuid": "max(length(uuid()::VARCHAR))",
    "getvariable": "max(getvariable('x')::DOUBLE)",
    "current_user": "max(length(current_user))",
}
UNSOUND_VALUES = {
    "CAST(max(CASE WHEN query = 2 THEN 'inf' ELSE '1' END) AS DOUBLE)": "mine is inf for query=2, but the value",
    "max(CAST('nan' AS DOUBLE))": "mine is nan for query=1, but the value",
    "-1e300": "mine is -1e[+]300 for query=1, but the value",
    "max(CAST(rank AS VARCHAR))": "mine gives values of type VARCHAR, but a metric gives numbers",
    "list(rank)": "mine gives values of type .*, but a metric gives numbers",
}


@pytest.mark.parametrize("name", VOLATILE_CALLS)
def test_a_metric_file_may_not_call_a_volatile_function(tmp_path: Path, name: str) -> None:
    file = metric_file(tmp_path, "mine", VOLATILE_CALLS[name]) / "mine.sql"
    fails(MetricFileError, f"^{re.escape(str(file))}: calls {name}, whose value may change", metric_files, tmp_path)


def test_every_volatile_function_of_this_duckdb_is_refused() -> None:
    # date_part of a date is consistent, and of a time with a zone it is not: such functions may be called.
    found = duckdb.execute(
        """
        SELECT function_name
        FROM duckdb_functions()
        WHERE internal AND function_type IN ('scalar', 'aggregate', 'window')
        GROUP BY function_name
        HAVING bool_or(stability = 'VOLATILE') OR bool_and(stability <> 'CONSISTENT')
        """
    ).fetchall()
    assert len(found) > 10
    assert {name for (name,) in found} <= VOLATILE


@pytest.mark.parametrize("relation", ["judged", "ranked"])
@pytest.mark.parametrize("expression", UNSOUND_VALUES)
def test_a_value_without_a_mean_names_the_file_the_metric_and_the_query(
    tmp_path: Path, expression: str, relation: str
) -> None:
    file = metric_file(tmp_path, "mine", expression, f"FROM {relation}") / "mine.sql"
    run = {"query": [1, 1, 2], "item": ["a", "b", "a"], "score": [2.0, 1.0, 1.0]}
    qrels = {"query": [1, 2], "item": ["a", "a"], "relevance": [1, 1]}
    with pytest.raises(MetricFileError, match=f"^{re.escape(str(file))}: {UNSOUND_VALUES[expression]}"):
        evaluate(run, qrels, ["mine", "rr"], metric_folder=tmp_path)
