"""A small question is answered by one statement, with the numbers and the errors of rows."""

from __future__ import annotations

import copy
import datetime
import decimal
import gc
import multiprocessing
import os
import random
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
from asking import fails, nightly_but
from fault_cases import CASES
from forms import assert_same, error_of, in_rows, is_one_statement
from random_data.naming import some_names

from recall_duckdb import Result, evaluate
from recall_duckdb.definitions import templates
from recall_duckdb.errors import ArgumentError, DataError

Columns = dict[str, list[Any]]

METRICS = ["recall@1,3", "precision@3", "ndcg@3", "ap@3", "rr@3", "hit_rate@2", "bpref", "num_rel_ret", "rbp@3"]
RUN: Columns = {"query": [1, 1, 2, 3], "item": ["a", "b", "a", "c"], "score": [0.9, 0.8, 0.7, 0.6]}
QRELS: Columns = {"query": [1, 1, 2, 4], "item": ["b", "x", "a", "c"], "relevance": [1, 2, 1, 0]}


IDS: dict[str, Callable[[int], Any]] = {
    "small": int,
    "text": str,
    "negative": lambda number: -number * 2**40,
    "large": lambda number: 2**63 - 1 - number,
    "unsigned": lambda number: 2**63 + number,
    "uuid": lambda number: str(uuid.UUID(int=2**127 + number)),
}


def some_data(seed: int, ids: Callable[[int], Any]) -> tuple[Columns, Columns]:
    """Return a run with equal scores and a qrels with grades; some queries are only in one of them."""
    chosen = random.Random(seed)
    run: Columns = {"query": [], "item": [], "score": []}
    qrels: Columns = {"query": [], "item": [], "relevance": []}
    for query in range(8):
        for columns, numbers in ((run, [0.5, 0.25, 1 / 3, -1.0]), (qrels, [-1, 0, 1, 2, 3.5])):
            items = chosen.sample(range(12), chosen.choice([0, 1, 6, 12]))
            columns["query"] += [ids(query)] * len(items)
            columns["item"] += [ids(item) for item in items]
            columns[list(columns)[2]] += [float(chosen.choice(numbers)) for _ in items]
    return run, qrels


def assert_as_rows(*arguments: Any, **options: Any) -> None:
    """One statement answers the question, with the bits of rows."""
    assert is_one_statement(*arguments, **options)
    assert_same(evaluate(*arguments, **options), in_rows(*arguments, **options))


# Seed 9 has no query on both sides. Those of each run have all kinds of ids and all options.
@pytest.mark.parametrize("seed", nightly_but([*range(6), 7], [*range(9), *range(10, 19)]))
def test_one_statement_gives_the_bits_of_the_definitions(seed: int) -> None:
    kind = sorted(IDS)[seed % len(IDS)]
    names = dict(zip(("query", "item", "score", "relevance"), some_names(4, seed), strict=True))
    run, qrels = ({names[name]: each for name, each in held.items()} for held in some_data(seed, IDS[kind]))
    options: dict[str, Any] = random.Random(seed).choice(
        [{}, {"missing": "skip"}, {"no_relevant": "skip"}, {"threshold": 2}, {"semantics": "trec_eval_9"}]
    )
    options |= names
    assert_as_rows(run, qrels, METRICS, **options)


@pytest.mark.parametrize(
    "kind", ["TIMESTAMP_NS", "UHUGEINT", "UUID", "DATE", "FLOAT", "BLOB", "DECIMAL(9, 2)", "TIMESTAMPTZ"]
)
def test_a_copy_keeps_ids_of_rare_types(kind: str, tmp_path: Path) -> None:
    values = {
        "TIMESTAMP_NS": "2024-01-01 00:00:00.123456789", "UHUGEINT": str(2**128 - 1), "UUID": str(uuid.UUID(int=5)),
        "DATE": "2024-02-29", "FLOAT": "0.1", "BLOB": "a\\x00b", "DECIMAL(9, 2)": "12.30",
        "TIMESTAMPTZ": "2024-01-01 00:00:00.1+02",
    }  # fmt: skip
    ids = f"'{values[kind]}'::{kind} AS query"
    path = str(tmp_path / "labels.parquet" if kind != "UHUGEINT" else tmp_path / "labels.csv")
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE run AS SELECT {ids}, 'a' AS item, 1.0 AS score, 1 AS relevance")
    connection.execute(f"COPY run TO '{path}'")
    here, there = copy.copy(evaluate(path, ties="expected")), evaluate(path, ties="expected", connection=connection)
    assert here.per_query.types == there.per_query.types
    assert here.per_query.fetchall() == there.per_query.fetchall()


def test_two_query_columns_of_rare_types() -> None:
    days = [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2)] * 2
    numbers = [decimal.Decimal("1.50"), decimal.Decimal("2.25")] * 2
    items = [uuid.UUID(int=number) for number in (1, 2, 3, 3)]
    run = pyarrow.table({"day": days, "case": numbers, "item": list(map(str, items)), "score": [4.0, 3.0, 2.0, 1.0]})
    qrels = pyarrow.table({"day": days[:2], "case": numbers[:2], "item": list(map(str, items[:2]))})
    options: dict[str, Any] = {"query": ["day", "case"], "relevance": None}
    assert_as_rows(run, qrels, **options)


@pytest.mark.parametrize("kind", [pandas.DataFrame, polars.DataFrame, pyarrow.table, dict])
def test_every_kind_of_frame(kind: Any) -> None:
    run, qrels = map(kind, some_data(5, int))
    assert_as_rows(run, qrels, METRICS)


def test_nested_dicts_and_parquet(tmp_path: Path) -> None:
    run = {"q1": {"a": 0.9, "b": 0.8}, "q2": {"a": 0.5}}
    qrels = {"q1": {"b": 1}, "q2": {"c": 1}}
    assert is_one_statement(run, qrels)
    assert evaluate(run, qrels, "recall@2").value("recall@2") == 0.5
    for name, columns in (("run", RUN), ("qrels", QRELS)):
        duckdb.from_arrow(pyarrow.table(columns)).write_parquet(str(tmp_path / f"{name}.parquet"))
    first, second = (str(tmp_path / f"{name}.parquet") for name in ("run", "qrels"))
    assert_as_rows(first, second, METRICS)


def changed(columns: Columns, **others: list[Any]) -> Columns:
    return {**columns, **others}


NAN = float("nan")


SEEN = [name for name, check in templates.checks().items() if "lists" in check.seen_by]
# Data with the other faults are in test_lists too.
SEEN_HERE = (
    "duplicates",
    "empty_models",
    "empty_qrels",
    "empty_run",
    "grades",
    "lists",
    "qrels_joined_ids",
    "ranks_gap",
)


@pytest.mark.parametrize("name", nightly_but(SEEN_HERE, SEEN))
def test_a_check_that_the_statement_sees_is_the_error_of_the_definitions(name: str) -> None:
    """The cases are those of tests/fault_cases.py; `evaluate` raises no error for some of them."""
    case = CASES[name]
    asked = {"metrics": "recall@2", **case.arguments}
    assert error_of(evaluate, case.run, case.qrels, **asked) == error_of(in_rows, case.run, case.qrels, **asked)


def test_nan_in_parquet_with_statistics(tmp_path: Path) -> None:
    """DuckDB 2.0 decides isnan(x) by statistics, which leave NaN out."""
    for name, columns, number in (("run", RUN, "score"), ("qrels", QRELS, "relevance")):
        paths = {}
        for role, held in (("run", RUN), ("qrels", QRELS)):
            own = changed(held, **{number: [*map(float, columns[number][:3]), NAN]}) if role == name else held
            paths[role] = str(tmp_path / f"{name}_{role}.parquet")
            duckdb.from_arrow(pyarrow.table(own)).write_parquet(paths[role])
        assert not is_one_statement(paths["run"], paths["qrels"])
        fails(DataError, "NaN", evaluate, paths["run"], paths["qrels"])


def test_large_runs_go_in_rows(tmp_path: Path) -> None:
    def numbers(rows: int) -> pandas.DataFrame:
        return pandas.DataFrame({"query": [1] * rows, "item": range(rows), "score": range(rows)})

    qrels = pandas.DataFrame({"query": [1], "item": [1], "relevance": [1]})
    assert is_one_statement(numbers(19_999), qrels, "recall@10")
    assert not is_one_statement(numbers(20_000), qrels, "recall@10")
    path = tmp_path / "run.parquet"  # of few bytes, because ids and scores repeat
    queries = [row // 100 for row in range(300_000)]
    columns = {"query": queries, "item": list(range(100)) * 3_000, "score": [1.0] * 300_000}
    duckdb.from_arrow(pyarrow.table(columns)).write_parquet(str(path), compression="zstd")
    assert not is_one_statement(str(path), qrels, "recall@10")


@pytest.mark.parametrize("metric", ["recall", "recall@100000", "recall@2500"])
def test_long_lists_with_many_judgements_go_in_rows(metric: str) -> None:
    """To look up each of 400 judged items in a list of 400 takes longer than a join."""

    def ids(rows: int, number: str) -> pandas.DataFrame:
        return pandas.DataFrame({"query": [1] * rows, "item": range(rows), number: range(rows)})

    assert is_one_statement(ids(250, "score"), ids(400, "relevance"), metric)
    assert not is_one_statement(ids(250, "score"), ids(401, "relevance"), metric)
    assert is_one_statement(ids(10_000, "score"), ids(10_000, "relevance"), "recall@10")
    assert not is_one_statement(ids(2_500, "score").assign(relevance=1), None, metric)


def test_changed_data_are_read_again(tmp_path: Path) -> None:
    frame = pandas.DataFrame(RUN)
    assert evaluate(frame, QRELS, "rr@2").value("rr@2") == 0.5
    frame.loc[1, "score"] = 1.0
    assert evaluate(frame, QRELS, "rr@2").value("rr@2") == pytest.approx(2 / 3)
    path = tmp_path / "run.parquet"
    for score, value in ((0.8, 0.5), (1.0, 2 / 3)):
        written = changed(RUN, score=[0.9, score, 0.7, 0.6])
        duckdb.from_arrow(pyarrow.table(written)).write_parquet(str(path))
        assert evaluate(str(path), QRELS, "rr@2").value("rr@2") == pytest.approx(value)
    # The same columns with other types.
    ids = changed(RUN, query=list(map(str, RUN["query"])))
    judged = changed(QRELS, query=list(map(str, QRELS["query"])))
    duckdb.from_arrow(pyarrow.table(ids)).write_parquet(str(path))
    assert evaluate(str(path), judged, "rr@2").value("rr@2") == 0.5


@pytest.mark.slow
def test_threads_do_not_share_data() -> None:
    def value(number: int) -> float | None:
        run = changed(RUN, score=[0.9, 0.8 + number % 2, 0.7, 0.6])
        return evaluate(run, QRELS, "rr@2").value("rr@2")

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(value, range(64))) == pytest.approx([0.5, 2 / 3] * 32)


@pytest.mark.slow
def test_a_question_on_a_connection_opens_no_other_database(tmp_path: Path) -> None:
    """Opening one takes longer than a small question, as on a terminal, where a connection shows the progress."""
    for name, table in (("run", RUN), ("qrels", QRELS)):
        duckdb.from_arrow(pyarrow.table(table)).write_parquet(str(tmp_path / f"{name}.parquet"))
    code = (
        "import duckdb; from recall_duckdb import evaluate; from recall_duckdb.engines import shared; "
        "evaluate('run.parquet', 'qrels.parquet', 'rr@2', connection=duckdb.connect()).to_dicts(); "
        "print(len(shared._databases))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0"]


def test_a_question_reads_the_definitions_of_its_metrics_only() -> None:
    """Parsing those of all metrics took half of the time of a command."""
    code = (
        "from recall_duckdb import evaluate; from recall_duckdb.definitions import templates; "
        f"evaluate({RUN}, {QRELS}, ['rr@2', 'ndcg@2']).to_dicts(); "
        "print([name for name, metric in templates.own_metrics().items() if '_tree' in vars(metric)])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "['ndcg', 'rr']\n"


def in_a_child(answers: Any) -> None:
    for _ in range(17):  # the last 16 connections stay open
        values = evaluate(RUN, QRELS, "recall@2").means.select("value").fetchall()
    answers.put([value for (value,) in values])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_has_a_database_of_its_own() -> None:
    assert evaluate(RUN, QRELS, "recall@2").means.select("value").fetchall() == [(0.5,)]
    context: Any = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=in_a_child, args=(answers,))
    child.start()
    assert answers.get(timeout=300) == [0.5]
    child.join(300)
    assert child.exitcode == 0


def test_values_of_queries_can_be_read_later_and_after_other_evaluations() -> None:
    first = evaluate(RUN, QRELS, "recall@2")
    second = evaluate(RUN, QRELS, "rr@2")
    assert first.per_query.columns == ["model", "query", "recall@2"]
    assert second.per_query.order("query").fetchall() == [("run", 1, 0.5), ("run", 2, 1.0), ("run", 4, 0.0)]
    assert first.means.fetchall() == [("run", "recall", 2, 0.5, 3)]
    second.close()
    assert second.value("rr@2") == 0.5


def query(result: Result, sql: str) -> list[Any]:
    """Return the rows of a query on the connection of a result's relations."""
    found = result.means.query("means", sql)
    assert found is not None
    return found.fetchall()


def test_what_is_made_of_the_relations_of_one_result_does_not_reach_another() -> None:
    first, second = evaluate(RUN, QRELS, "recall@2"), evaluate(RUN, QRELS, "rr@2")
    for result in (first, second):
        result.means.create("kept")
        result.per_query.create_view("seen")
    assert query(first, "SELECT metric FROM kept") == [("recall",)]
    assert query(second, "SELECT metric FROM kept") == [("rr",)]
    assert query(first, 'SELECT sum("recall@2") FROM seen') == [(1.5,)]
    joined = first.means.join(first.per_query, "model").join(first.intervals().rows.set_alias("other"), "model")
    assert len(joined.fetchall()) == 3


@pytest.mark.slow
def test_what_was_made_of_the_relations_of_a_result_is_removed_after_it() -> None:
    def made() -> set[str]:
        connection = evaluate(RUN, QRELS).data.session.connection  # type: ignore[attr-defined]
        return {name for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}

    result = evaluate(RUN, QRELS, "recall@2")
    result.means.create("kept_for_a_while")
    assert "kept_for_a_while" in made()
    connections = [result.data.session.connection]  # type: ignore[attr-defined]
    del result
    gc.collect()
    assert "kept_for_a_while" in made()
    connections.clear()
    for _ in range(20):  # with DuckDB 1, the connections of the last evaluations stay open
        assert evaluate(RUN, QRELS, "recall@2").means.fetchall() == [("run", "recall", 2, 0.5, 3)]
    gc.collect()
    assert "kept_for_a_while" not in made()


@pytest.mark.slow
def test_threads_read_the_relations_of_their_results() -> None:
    def read(number: int) -> list[Any]:
        result = evaluate(changed(RUN, score=[0.9, 0.8 + number % 2, 0.7, 0.6]), QRELS, "rr@2")
        result.means.create("kept")
        [(kept,)] = query(result, "SELECT value FROM kept")
        return [result.value("rr@2"), kept]

    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(read, range(64)):
            assert found[0] == found[1]


@pytest.fixture
def shop() -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a connection with the tables run and qrels, and a view of the run."""
    with duckdb.connect() as connection:
        for name, columns in (("run", RUN), ("qrels", QRELS)):
            connection.from_arrow(pyarrow.table(columns)).create(name)
        connection.execute("CREATE VIEW lists AS FROM run")
        yield connection


@pytest.mark.slow
def test_a_connection_that_is_given(shop: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    path = str(tmp_path / "run.parquet")
    shop.table("run").write_parquet(path)
    expected = in_rows(RUN, QRELS, METRICS).to_dicts()
    for run in ("run", "lists", shop.table("run"), pandas.DataFrame(RUN), RUN, path):
        assert is_one_statement(run, "qrels", METRICS, connection=shop)
        assert evaluate(run, "qrels", METRICS, connection=shop).to_dicts() == expected
    for run in ({"a": "run", "b": path}, [path]):
        assert is_one_statement(run, "qrels", METRICS, connection=shop)
    assert shop.table("run").fetchall() == list(zip(*RUN.values(), strict=True))
    assert shop.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall() == [("lists",)]


def test_values_of_queries_on_a_connection_that_is_given(shop: duckdb.DuckDBPyConnection) -> None:
    expected = [("run", 1, 0.5), ("run", 2, 1.0), ("run", 4, 0.0)]
    with evaluate("run", "qrels", "rr@2", connection=shop) as result:
        unfetched = shop.execute("FROM range(10)")
        if hasattr(duckdb, "ResourceInUseException"):
            with pytest.raises(ArgumentError, match="not fetched"):
                result.per_query  # noqa: B018
        unfetched.fetchall()
        assert result.per_query.order("query").fetchall() == expected
    assert shop.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("qrels",), ("run",)]


def test_the_tables_of_two_connections_have_the_same_names(shop: duckdb.DuckDBPyConnection) -> None:
    assert evaluate("run", "qrels", "rr@2", connection=shop).value("rr@2") == 0.5
    with duckdb.connect() as other:
        other.from_arrow(pyarrow.table(changed(RUN, score=[0.9, 1.0, 0.7, 0.6]))).create("run")
        other.from_arrow(pyarrow.table(QRELS)).create("qrels")
        assert evaluate("run", "qrels", "rr@2", connection=other).value("rr@2") == pytest.approx(2 / 3)
        other.execute("ALTER TABLE run ALTER query TYPE VARCHAR; ALTER TABLE qrels ALTER query TYPE VARCHAR")
        assert evaluate("run", "qrels", "rr@2", connection=other).value("rr@2") == pytest.approx(2 / 3)


def test_large_tables_are_stored(shop: duckdb.DuckDBPyConnection) -> None:
    shop.execute("INSERT INTO run SELECT 1, 'item ' || range, 0 FROM range(18_000)")
    assert is_one_statement("run", "qrels", "recall", connection=shop)
    shop.execute("INSERT INTO qrels SELECT 1, 'item ' || range, 0 FROM range(2_000)")
    for run in ("run", "lists"):
        assert not is_one_statement(run, "qrels", "recall@2", connection=shop)
    assert not is_one_statement("run", shop.table("qrels"), "recall@2", connection=shop)


def test_a_fault_does_not_end_a_transaction(shop: duckdb.DuckDBPyConnection) -> None:
    shop.begin()
    shop.execute("UPDATE qrels SET relevance = 1000000000000")
    assert not is_one_statement("run", "qrels", connection=shop)
    fails(DataError, "relevance", evaluate, "run", "qrels", connection=shop)
    shop.execute("UPDATE qrels SET relevance = 1").fetchall()
    assert evaluate("run", "qrels", "recall@2", connection=shop).value("recall@2") == 0.5
    shop.rollback()
    assert is_one_statement("run", "qrels", connection=shop)


@pytest.mark.slow
def test_threads_on_one_connection_do_not_share_data(shop: duckdb.DuckDBPyConnection) -> None:
    def value(number: int) -> float | None:
        run = pandas.DataFrame(changed(RUN, score=[0.9, 0.8 + number % 2, 0.7, 0.6]))
        with shop.cursor() as cursor:
            return evaluate(run, "qrels", "rr@2", connection=cursor).value("rr@2")

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(value, range(64))) == pytest.approx([0.5, 2 / 3] * 32)
