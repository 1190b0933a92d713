"""Cost is linear in the numbers of models, cutoffs and slices, and many score columns give the same bits as few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from cProfile import Profile
from dataclasses import replace
from typing import Any

import duckdb
import pytest
from forms import assert_same, in_lists, in_rows, with_any_number_of_rows

from recall_duckdb import check, evaluate, sql
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.checking import with_stored_lists
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.definitions import templates
from recall_duckdb.dialects import executable
from recall_duckdb.engines import DuckDB
from recall_duckdb.question import EvaluateQuestion

# Columns of every type of number, with NULL, NaN and infinity in some.
SCORES = (
    "hash({seed} + i) % 1000 / 1000",
    "(hash({seed} + i) % 10)::TINYINT",
    "(hash({seed} + i) % 1000 / 1000)::FLOAT",
    "(hash({seed} + i) % 1000 / 1000)::DECIMAL(9, 3)",
    "2::HUGEINT ** 60 + hash({seed} + i) % 3",
    "CASE hash({seed} + i) % 9 WHEN 0 THEN NULL WHEN 1 THEN 'nan'::DOUBLE ELSE 0.5 END",
)


def scores(count: int) -> list[str]:
    """Return the names of `count` score columns."""
    return [f"s{number}" for number in range(count)]


def filled(count: int, kinds: tuple[str, ...] = SCORES[:1]) -> duckdb.DuckDBPyConnection:
    """Return a connection with qrels and a run that has `count` score columns."""
    connection = duckdb.connect()
    columns = [f"{kinds[seed % len(kinds)].format(seed=seed)} AS s{seed}" for seed in range(count)]
    connection.execute(f"""
        CREATE TABLE run AS
        SELECT i // 20 AS query, i % 20 AS item, i // 80 AS part, {", ".join([*columns, "i % 7 = 0 AS relevance"])}
        FROM range(400) AS t (i)
    """)
    connection.execute(
        "CREATE TABLE qrels AS SELECT query, item, relevance, query::VARCHAR AS slice FROM run WHERE item < 5"
    )
    return connection


def calls(question: Callable[[], object]) -> Counter[str]:
    """Count the calls of each function, also of built-in ones, while a question runs."""
    profile, found = Profile(), Counter[str]()
    profile.runcall(question)
    for entry in profile.getstats():
        found[entry.code if isinstance(entry.code, str) else entry.code.co_name] += entry.callcount
    return found


def ask_scores(count: int) -> Callable[[], object]:
    connection = filled(count)
    return lambda: repr(evaluate("run", "qrels", "recall@10", score=scores(count), connection=connection))


def check_scores(count: int) -> Callable[[], object]:
    connection = filled(count)
    return lambda: check("run", "qrels", "recall@10", score=scores(count), connection=connection)


def write_scores(count: int) -> Callable[[], object]:
    connection = filled(count)
    return lambda: sql("run", "qrels", "recall@10", score=scores(count), connection=connection, dialect="postgres")


def ask_runs(count: int) -> Callable[[], object]:
    connection = filled(1)
    runs = {f"m{number}": "run" for number in range(count)}
    return lambda: repr(evaluate(runs, "qrels", "recall@10", score="s0", connection=connection))


def ask_cutoffs(count: int) -> Callable[[], object]:
    connection = filled(1)
    metrics = [f"recall@{k}" for k in range(1, count + 1)]
    return lambda: repr(evaluate("run", "qrels", metrics, score="s0", connection=connection))


def write_cutoffs(count: int) -> Callable[[], object]:
    connection = filled(1)
    metrics = [f"recall@{k}" for k in range(1, count + 1)]
    return lambda: sql("run", "qrels", metrics, score="s0", connection=connection, dialect="oracle")


def ask_slices(count: int) -> Callable[[], object]:
    connection = filled(1)
    connection.execute(
        "CREATE TABLE many AS SELECT i AS query, 1 AS item, 1 AS relevance, 1 AS s0, i AS slice "
        f"FROM range({count}) AS t (i)"
    )
    return lambda: repr(evaluate("many", None, "recall@10", by="slice", score="s0", connection=connection))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "count", "limit"),
    [
        (ask_scores, 100, 1.85), (check_scores, 100, 1.6), (write_scores, 50, 1.9),
        (ask_runs, 50, 2.2), (ask_cutoffs, 50, 1.85), (write_cutoffs, 25, 1.9), (ask_slices, 50, 1.3),
    ],
)  # fmt: skip
def test_twice_as_many_models_cutoffs_or_slices_take_twice_as_many_calls(
    question: Callable[[int], Callable[[], object]], count: int, limit: float
) -> None:
    """Some calls are made once. The limits leave room for a tenth of what grows with the square of the count."""
    question(2)()  # loads everything that is loaded only once
    few, many = calls(question(count)), calls(question(2 * count))
    assert many.total() <= limit * few.total()


def test_the_number_of_statements_does_not_depend_on_the_number_of_score_columns() -> None:
    assert calls(ask_scores(100))["_run"] == calls(ask_scores(50))["_run"] > 0


def test_the_number_of_scans_does_not_depend_on_the_number_of_score_columns() -> None:
    few, many = (executable(Statement(plan).of_table("per_query")) for plan in map(stacked_plan, (25, 100)))
    assert many.count('"run"') == few.count('"run"')


def test_the_statement_for_duckdb_has_no_union_of_many_selects() -> None:
    """DuckDB's planning time grows with the square of the number of SELECTs if the union is joined."""
    for metrics in (["recall@1", "recall@2"], [f"recall@{k}" for k in range(1, 100)]):
        plan = plan_of(filled(1), score="s0", metrics=metrics)
        assert executable(Statement(plan).of("means")).count(" UNION ALL ") == 0
    assert sql("run", "qrels", [f"recall@{k}" for k in range(1, 100)]).count("UNION ALL") == 98


def plan_of(connection: duckdb.DuckDBPyConnection, *, metrics: Any = "recall@10", **given: Any) -> Plan:
    return plan_question(
        EvaluateQuestion(**{"run": "run", "qrels": "qrels", "metrics": metrics, **given}), DuckDB(connection)
    )


def stacked_plan(count: int) -> Plan:
    connection = filled(count)
    return with_stacked_scores(plan_of(connection, score=scores(count)), DuckDB(connection))


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with filled(30, SCORES) as connection:
        yield connection


@pytest.mark.parametrize(
    "given",
    [
        {"nulls": "drop"},
        {"nulls": "last"},
        {"nulls": "drop", "ties": "expected"},
        {"nulls": "drop", "semantics": "trec_eval_9"},
        {"nulls": "drop", "by": "slice"},
        {"nulls": "drop", "by": "part"},
        {"nulls": "drop", "qrels": None},
        {"nulls": "drop", "qrels": None, "by": ["part"]},
        {"nulls": "drop", "query": ["query", "part"], "qrels": None},
    ],
)
def test_one_scan_of_many_score_columns_gives_the_same_bits_as_a_scan_each(
    connection: duckdb.DuckDBPyConnection, given: dict[str, Any]
) -> None:
    session = DuckDB(connection)
    plan = plan_of(connection, score=scores(30), metrics=["ndcg@5", "ap", "recall@3"], **given)
    stacked = with_stacked_scores(plan, session)
    assert len(stacked.inputs.selects[plan.resolve("run_source")]) == 1
    rows, wanted = (sorted(session.rows(Statement(each).of_table("per_query")), key=str) for each in (stacked, plan))
    assert {row[0] for row in wanted} == set(scores(30))
    assert rows == wanted


@pytest.mark.product
@pytest.mark.parametrize("metrics", [["recall@3"], ["ap", "recall@3"], ["recall@20"], ["ap"]], ids=str)
@pytest.mark.parametrize(
    "given",
    [{}, {"duplicates": "best"}, {"min_score": 0.3}, {"ties": "expected"}, {"unjudged": "drop"}, {"depth": 2}],
    ids=str,
)
def test_checks_find_the_same_faults_in_stored_lists(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, metrics: list[str], given: dict[str, Any]
) -> None:
    with_any_number_of_rows(monkeypatch)
    session = DuckDB(connection)
    plan = plan_of(connection, score=scores(8), metrics=metrics, nulls="drop", **given)
    stored = with_stored_lists(plan, session)
    for name in ("sampled", "ties", "unjudged_items", "unjudged_queries"):
        check = templates.checks()[name]
        wanted = session.rows(Statement(plan).of_check(check))
        assert session.rows(replace(stored).of_check(check)) == wanted
    wanted = session.rows(Statement(plan).of_table("per_query"))
    assert sorted(session.rows(replace(stored).of_table("per_query"))) == sorted(wanted)
    session.release()
    assert connection.sql("SHOW TABLES").fetchall() == [("qrels",), ("run",)]


def test_checks_of_many_score_columns_rank_the_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with_any_number_of_rows(monkeypatch)
    with filled(8) as connection:
        plan = plan_of(connection, score=scores(8), metrics="recall@3")
        stored = with_stored_lists(plan, DuckDB(connection))
        for name in ("ties", "unjudged_items", "unjudged_queries"):
            text = executable(replace(stored).of_check(templates.checks()[name]))
            assert '"run"' not in text


def test_check_finds_the_faults_of_a_large_run() -> None:
    """Every tenth query has a tie between ranks 3 and 4, and every fourth is not judged."""
    with duckdb.connect() as connection:
        connection.execute("""
            CREATE TABLE run AS
            SELECT
              i // 20 AS query, i % 20 AS item,
              CASE WHEN i // 20 % 10 = 0 AND i % 20 = 3 THEN -2.0 ELSE -(i % 20) END AS score, score / 2 AS other
            FROM range(60_000) AS t (i)
        """)
        connection.execute("""
            CREATE TABLE qrels AS
            SELECT query, item, (item = 2)::INTEGER AS relevance FROM run WHERE query % 4 > 0
        """)
        found = check("run", "qrels", "recall@3", score=["score", "other"], connection=connection)
        assert [(fault.check, fault.faults) for fault in found] == [("ties", 300), ("unjudged_queries", 1500)]
        assert found.rows[0].examples[0] == {
            "model": "other", "query": 10, "k": 3, "score": -1.0, "tied": 2, "places": 1, "relevant": 1
        }  # fmt: skip
        assert found.rows[1].examples[0] == {"model": "other", "query": 0, "candidates": 3}
        assert connection.sql("SHOW TABLES").fetchall() == [("qrels",), ("run",)]


@pytest.mark.parametrize("metrics", ["recall@3", "ap", "ndcg@20"])
def test_many_score_columns_give_the_same_in_lists(monkeypatch: pytest.MonkeyPatch, metrics: str) -> None:
    with_any_number_of_rows(monkeypatch)
    with filled(25) as connection:
        asked = {"run": "run", "qrels": "qrels", "metrics": metrics, "score": scores(25), "connection": connection}
        found = in_lists(**asked)
        assert found is not None
        assert_same(found, in_rows(**asked))


@pytest.mark.slow
def test_many_score_columns_have_the_faults_of_each_column(connection: duckdb.DuckDBPyConnection) -> None:
    found = check("run", "qrels", score=scores(30), connection=connection)
    bad = " + ".join(f"count(*) FILTER (coalesce(isnan({score}::DOUBLE), true))" for score in scores(30))
    [(count,)] = connection.sql(f"SELECT {bad} FROM run").fetchall()
    assert {fault.check: fault.faults for fault in found}["run_scores"] == count > 0
