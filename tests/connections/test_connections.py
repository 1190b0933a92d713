"""Connections of each kind: rights, collations, types, drivers, data frames, and what they do not support."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest
from asking import fails
from engine_cases import Columns, assert_same, in_order, question, rows_of
from engines import start
from engines.mariadb import MariaDB
from engines.postgres import Postgres
from engines.spark import Spark

from recall_duckdb import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    EngineError,
    UnknownNameError,
    check,
    evaluate,
    sql,
)

on_postgres = pytest.mark.needs("Postgres")


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    server = start(Postgres)
    yield server
    server.close()


TIED: dict[str, Columns] = {
    "run": {"query": ["q"] * 6, "item": ["a", "B", "A", "b", "é", "z"], "score": [1.0] * 6},
    "qrels": {"query": ["q"] * 2, "item": ["b", "é"], "relevance": [1.0, 1.0]},
}


@on_postgres
def test_text_compares_by_its_bytes_whatever_the_collation(postgres: Postgres) -> None:
    postgres.run("CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
    postgres.connection.close()
    postgres.connection = postgres.open("english")
    postgres.load(TIED)
    asked = ["rr", "ap", "precision@2"]
    expected = rows_of(evaluate(TIED["run"], TIED["qrels"], asked).to_dicts())
    assert_same(rows_of(evaluate("run", "qrels", asked, connection=postgres.connect()).to_dicts()), expected)
    written = sql("run", "qrels", asked, connection=postgres.connect())
    assert 'CAST("item" AS TEXT) COLLATE "C" AS item' in written
    assert "text ids" not in written
    unknown = sql("run", "qrels", asked, dialect="postgres")  # only text takes a collation, and the types are unknown
    assert "text ids compare as the column's collation has it" in unknown
    assert [round(row[3], 3) for row in postgres.rows(unknown)] != [round(row[3], 3) for row in expected]


@on_postgres
def test_totals_are_whole_numbers(postgres: Postgres) -> None:
    queries = [f"q{place // 10}" for place in range(3000)]
    items = [f"i{place}" for place in range(3000)]
    held: Columns = {"query": queries, "item": items, "score": [1.0] * 3000, "relevance": [1.0] * 3000}
    postgres.load({"held": held})
    result = evaluate("held", metrics=["num_ret", "num_rel", "num_q", "precision@10"], connection=postgres.connect())
    assert [row["value"] for row in result.to_dicts()] == [3000, 3000, 300, 1]


@on_postgres
def test_a_user_with_read_access_can_evaluate_and_check(postgres: Postgres) -> None:
    postgres.load(TIED)
    postgres.run("CREATE ROLE reader LOGIN")
    postgres.run("GRANT SELECT ON run TO reader")
    with closing(postgres.open(user="reader", options="-c default_transaction_read_only=on")) as reader:
        with pytest.raises(
            EngineError, match="qrels: postgres could not read 'qrels': permission denied for table qrels"
        ):
            evaluate("run", "qrels", "rr", connection=reader)
        postgres.run("GRANT SELECT ON qrels TO reader")
        assert evaluate("run", "qrels", "rr", connection=reader).value("rr") == pytest.approx(1, abs=1e-12)
        assert check("run", "qrels", "recall@2", connection=reader)
        with pytest.raises(
            EngineError, match="postgres could not create the table: cannot execute CREATE TABLE AS in a"
        ):
            evaluate("run", "qrels", "rr", connection=reader, create="made")


@on_postgres
def test_numbers_and_times_of_a_driver_keep_their_values(postgres: Postgres) -> None:
    postgres.run("CREATE TABLE run (query NUMERIC, item TIMESTAMPTZ, score NUMERIC)")
    postgres.run("CREATE TABLE qrels (query NUMERIC, item TIMESTAMPTZ, relevance NUMERIC)")
    large = 10**30
    postgres.run(f"INSERT INTO run VALUES ({large}, '2024-01-01 10:00+05', 1), (2, '2024-01-01 10:00+05', 'Infinity')")
    postgres.run(f"INSERT INTO qrels VALUES ({large}, '2024-01-01 10:00+05', 1), (2, '2024-01-01 10:00+05', 1)")
    result = evaluate("run", "qrels", "rr", connection=postgres.connect())
    assert sorted(query for _, query, _ in result.per_query.fetchall()) == [2, large]
    [infinite] = [
        fault for fault in check("run", "qrels", "rr", connection=postgres.connect()) if "infin" in fault.rule
    ]
    assert infinite.examples[0]["score"] == float("inf")
    swapped = evaluate("run", "qrels", "rr", query="item", item="query", connection=postgres.connect())
    assert "2024-01-01 05:00" in str(swapped.per_query.project("item AT TIME ZONE 'UTC'").fetchall()[0][0])


TYPED = """
    CREATE TYPE tier AS ENUM ('gold', 'basic');
    CREATE TABLE run (query TEXT, item UUID, score NUMERIC, "Score" REAL);
    CREATE TABLE qrels (query TEXT, item UUID, relevance BOOLEAN, is_new BOOLEAN, tier tier);
    CREATE TABLE empty (query TEXT, item UUID, relevance BOOLEAN);
    CREATE TABLE run_of_flags AS SELECT true AS query, 7 AS item, 1 AS score;
    CREATE TABLE empty_of_flags (query BOOLEAN, item INT, relevance BOOLEAN);
    INSERT INTO run SELECT 'q' || place % 2, ('00000000-0000-0000-0000-00000000000' || place)::UUID, 1, place
    FROM generate_series(1, 6) AS places (place);
    INSERT INTO qrels SELECT query, item, true, query = 'q1', (CASE query WHEN 'q1' THEN 'gold' ELSE 'basic' END)::tier
    FROM run WHERE "Score" < 4;
"""


@on_postgres
def test_types_without_order_or_collation_in_postgres_are_read(postgres: Postgres) -> None:
    postgres.run(TYPED)
    there = {"run": "run", "qrels": "qrels", "connection": postgres.connect()}
    assert evaluate(**there, metrics="rr").value("rr") == pytest.approx((1 / 2 + 1 / 3) / 2, abs=1e-12)
    news = evaluate(**there, metrics="rr", by="is_new")
    assert news.value("rr", by={"is_new": True}) == pytest.approx(1 / 2, abs=1e-12)
    tiers = evaluate(**there, metrics="ap", by="tier")
    assert tiers.value("ap", by={"tier": "gold"}) == pytest.approx((1 / 2 + 2 / 3) / 2, abs=1e-12)
    assert evaluate(**there, metrics="rr", score="Score").value("rr") == pytest.approx(5 / 12, abs=1e-12)
    with pytest.raises(ArgumentError, match="the columns 'score', 'Score' may all be 'SCORE'. Pass the name of one"):
        evaluate(**there, metrics="rr", score="SCORE")
    fails(DataError, "The qrels have no rows", evaluate, **{**there, "qrels": "empty"}, metrics="rr")
    with pytest.raises(DataError, match="The qrels have no rows"):
        evaluate(**{**there, "run": "run_of_flags", "qrels": "empty_of_flags"}, metrics="rr")


@pytest.mark.needs("MariaDB")
def test_text_of_differing_character_sets_is_compared() -> None:
    with closing(start(MariaDB)) as server:
        for name, number, letters in (("run", "score", "latin1"), ("qrels", "relevance", "utf8mb3")):
            held = f"query VARCHAR(9), item VARCHAR(9), {number} DOUBLE"
            server.run(f"CREATE TABLE {name} ({held}) CHARACTER SET {letters}")
            server.run(f"INSERT INTO {name} VALUES ('q', 'é', 1)")
        assert evaluate("run", "qrels", "rr", connection=server.connect()).value("rr") == 1
        server.run("SET NAMES utf8mb4 COLLATE utf8mb4_general_ci")
        server.run("CREATE TABLE other AS SELECT query, 'x' AS item, score FROM run")
        two = evaluate({"bm": "run", "BM": "other"}, "qrels", "rr", connection=server.connect())
        assert [two.value("rr", model=model) for model in ("bm", "BM")] == [1, 0]


@pytest.fixture
def shop() -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SHOP)
        yield connection


SHOP = """
    CREATE TABLE recs (user_id INTEGER, product TEXT, points REAL, bought INTEGER, shelf TEXT);
    INSERT INTO recs VALUES (1, 'a', 0.9, 0, 's'), (1, 'b', 0.8, 1, 's'), (2, 'c', 0.7, 1, 's');
    CREATE TABLE sales (user_id INTEGER, product TEXT, amount REAL);
    INSERT INTO sales VALUES (1, 'b', 2), (2, 'x', 1), (3, 'c', 1);
    CREATE TABLE named (user_id TEXT, product TEXT, amount REAL);
    INSERT INTO named VALUES ('1', 'b', 2);
"""


NAMED: dict[str, Any] = {"query": "user_id", "item": "product", "score": "points", "relevance": "amount"}


def test_pythons_sqlite_connection_is_an_engine(shop: sqlite3.Connection) -> None:
    result = evaluate("recs", "sales", ["recall@1,2", "rr"], connection=shop, **NAMED)
    assert [(row["metric"], row["k"], row["value"], row["queries"]) for row in result.to_dicts()] == [
        ("recall", 1, 0.0, 3),
        ("recall", 2, 1 / 3, 3),
        ("rr", None, 0.5 / 3, 3),
    ]
    assert result.counts["run"].missing == 1
    assert result.per_query.columns == ["model", "user_id", "recall@1", "recall@2", "rr"]
    assert result.per_query.fetchall()[0] == ("run", 1, 0.0, 1.0, 0.5)
    assert "\nrun: 3 queries judged, 2 retrieved; 1 missing" in repr(result)


def test_a_column_name_may_contain_quotes() -> None:
    run: Columns = {'"q"': ["a", "b"], "item": ["x", "x"], "score": [1.0, 1.0]}
    qrels: Columns = {'"q"': ["a", "b"], "item": ["x", "y"], "relevance": [1.0, 1.0], '"c"': ["NL", "BE"]}
    result = evaluate(run, qrels, "rr", query='"q"', by='"c"')
    assert result.value("rr", by={'"c"': "NL"}) == 1
    assert result.per_query.columns == ["model", '"q"', '"c"', "rr"]
    assert "recip_rank" in result.to_trec(each_query=True)


def test_create_needs_a_connection_that_keeps_the_table() -> None:
    with pytest.raises(ArgumentError, match="create: the table would be lost after the evaluation"):
        evaluate(TIED["run"], TIED["qrels"], "rr", create="made")
    with duckdb.connect() as connection:
        evaluate(TIED["run"], TIED["qrels"], "rr", connection=connection, create='"Made it"')
        assert connection.sql('FROM "Made it"').fetchall() == [("run", "q", 1.0)]
    written = sql("run", "qrels", "rr", dialect="tsql", per_query=True, form="table", name="made")
    assert "ORDER BY" not in written.partition("INTO made")[2]


def test_values_per_query_are_written_to_a_local_file(shop: sqlite3.Connection, tmp_path: Path) -> None:
    result = evaluate("recs", "sales", "rr", connection=shop, **NAMED)
    result.write_per_query(str(tmp_path / "values.parquet"), "parquet")
    assert duckdb.read_parquet(str(tmp_path / "values.parquet")).fetchall() == result.per_query.fetchall()


@pytest.mark.parametrize(
    ("asked", "error", "message"),
    [
        ({"run": "nope"}, EngineError, "run: sqlite could not read 'nope': no such table: nope. Name a table or view"),
        ({"qrels": "nope"}, EngineError, "qrels: sqlite could not read 'nope'"),
        (
            {"item": "prodct"}, UnknownNameError,
            "run (recs) has no column 'prodct' (item=). Did you mean item='product'?",
        ),
        ({"score": "shelf"}, ArgumentTypeError, "column 'shelf' (score=) is of type VARCHAR, but a score is a number"),
        ({"qrels": "named"}, ArgumentTypeError, "run and qrels differ in type: column 'user_id' of run is BIGINT"),
        (
            {"run": {name: [1.0] for name in NAMED.values()}}, ArgumentTypeError,
            "run: a dict is not in sqlite. Name a table or view there",
        ),
        ({"run": "runs/run.parquet"}, ArgumentTypeError, "run: 'runs/run.parquet' is not in sqlite"),
        ({"qrels": {"q1": ["a"]}}, ArgumentTypeError, "qrels: a Python object is not in sqlite. Name a table"),
        ({"run": "a.b.c.d"}, ArgumentError, "cannot be the name of a table"),
        ({"dialect": "sqlit"}, UnknownNameError, "there is no dialect 'sqlit'. Did you mean 'sqlite'?"),
        ({"dialect": "mssql"}, UnknownNameError, "there is no dialect 'mssql'. Did you mean 'tsql'?"),
        (
            {"dialect": "snowflake"}, ArgumentError,
            "a sqlite3.Connection does not run 'snowflake'. Leave dialect= out, or pass 'sqlite'",
        ),
        (
            {"run": "SELECT * FROM recs"}, ArgumentError,
            "run: 'SELECT * FROM recs' is a query, not a table. Put it in parentheses",
        ),
        ({"create": 3}, ArgumentTypeError, "create: the name of a table is expected, not 3"),
        ({"dialect": "duckdb"}, ArgumentError, "'duckdb' needs a DuckDB connection"),
        (
            {"connection": object()}, ArgumentTypeError,
            "a DB-API 2.0 connection or a SparkSession is expected, not object",
        ),
        (
            {"connection": None, "dialect": "postgres"}, ArgumentError,
            "there is no connection=, so 'postgres' cannot run",
        ),
        ({"connection": duckdb, "dialect": "sqlite"}, ArgumentTypeError, "is expected, not module"),
    ],
)  # fmt: skip
def test_an_invalid_argument_over_a_connection_raises(
    shop: sqlite3.Connection, asked: dict[str, Any], error: type[Exception], message: str
) -> None:
    assert message in fails(
        error, "", evaluate, **{"run": "recs", "qrels": "sales", "connection": shop, **NAMED, **asked}
    )


def test_text_in_a_column_of_numbers_is_null_and_not_zero(shop: sqlite3.Connection) -> None:
    shop.execute("INSERT INTO recs VALUES (2, 'x', '', 0, 's')")
    shop.execute("INSERT INTO sales VALUES (1, 'c', 'n/a')")
    with pytest.raises(DataError, match="'points' is NULL or NaN .1 case., for example user_id=2, product='x'"):
        evaluate("recs", "sales", "rr", connection=shop, **{**NAMED, "relevance": None})
    result = evaluate("recs", "sales", "recall", nulls="drop", connection=shop, **NAMED)
    assert (result.counts["run"].run_rows_dropped, result.counts["run"].qrels_rows_dropped) == (1, 1)
    assert result.value("recall") == 1 / 3


def test_a_driver_may_return_rows_as_dicts(shop: sqlite3.Connection) -> None:
    def answer() -> tuple[Any, Any]:
        result = evaluate("recs", "sales", "rr", connection=shop, by="product", qrels_item="product", **NAMED)
        return result.to_dicts(), result.per_query.fetchall()

    of_tuples = answer()
    shop.row_factory = lambda cursor, row: dict(zip([name for name, *_ in cursor.description], row, strict=True))
    assert answer() == of_tuples


def test_an_asynchronous_connection_is_refused() -> None:
    class Driver:
        def cursor(self) -> None: ...

        async def commit(self) -> None: ...

    with pytest.raises(ArgumentTypeError, match="Driver: it is asynchronous"):
        evaluate("recs", "sales", "rr", connection=Driver(), dialect="sqlite")


def test_an_unknown_driver_needs_a_dialect(shop: sqlite3.Connection) -> None:
    class Driver:
        cursor = shop.cursor

    with pytest.raises(
        ArgumentError, match=r"dialect: the SQL dialect of a .*Driver is unknown. Pass dialect=, one of"
    ):
        evaluate("recs", "sales", "rr", connection=Driver(), **NAMED)
    assert evaluate("recs", "sales", "rr", connection=Driver(), dialect="sqlite", **NAMED).value("rr") == 0.5 / 3


@on_postgres
def test_metrics_with_their_own_threshold_or_gain_are_checked_as_on_duckdb(postgres: Postgres) -> None:
    held, _ = question("every metric")
    asked = ["recall@2", "precision(threshold=2)@2", "ndcg(gain=exponential)@3"]
    postgres.load(held)
    other: dict[str, Any] = {"metrics": asked, "skip": ["near_items"]}  # a check that only DuckDB runs
    expected = in_order(check(held["run"], held["qrels"], **other))
    assert in_order(check("run", "qrels", **other, connection=postgres.connect())) == expected


def test_lists_and_files_are_refused_for_other_dialects() -> None:
    connection = duckdb.connect().execute("CREATE TABLE lists AS SELECT 1 AS query, ['a', 'b'] AS item")
    connection.execute("CREATE TABLE qrels AS SELECT 1 AS query, 'a' AS item, 1 AS relevance")
    with pytest.raises(ArgumentError, match=r"run \(lists\): column 'item' \(item=\) holds lists. SQL for"):
        sql("lists", "qrels", connection=connection, dialect="postgres")
    with pytest.raises(ArgumentError, match=r"run: run.csv is not a table that a statement for postgres could name"):
        sql("run.csv", "qrels", dialect="postgres")


@pytest.mark.needs("Spark")
def test_spark_reads_frames_and_parquet(tmp_path: Path) -> None:
    spark = start(Spark).connect()
    before = spark.sql("SHOW TABLES").count()
    held = {name: duckdb.from_arrow(pyarrow.table(TIED[name])) for name in TIED}
    for name, relation in held.items():
        relation.write_parquet(str(tmp_path / f"{name}.parquet"))
    expected = rows_of(evaluate(TIED["run"], TIED["qrels"], ["rr", "ap"]).to_dicts())
    paths: dict[str, Any] = {name: str(tmp_path / f"{name}.parquet") for name in TIED}
    frames: dict[str, Any] = {name: spark.read.parquet(path) for name, path in paths.items()}
    for relations in (paths, frames):
        found = evaluate(**relations, metrics=["rr", "ap"], connection=spark)
        assert_same(rows_of(found.to_dicts()), expected)
        found.close()
    assert spark.sql("SHOW TABLES").count() == before
    result = evaluate(**frames, metrics="rr", connection=spark)
    assert len(result.per_query.fetchall()) > 0
    collected = evaluate(**frames, metrics="rr", connection=spark)
    assert spark.sql("SHOW TABLES").count() == before + 2
    del collected
    gc.collect()
    evaluate(**frames, metrics="rr", connection=spark).close()
    assert spark.sql("SHOW TABLES").count() == before + 1  # the table of the open result
    result.close()
    assert spark.sql("SHOW TABLES").count() == before
    fails(ArgumentTypeError, "run: a dict is not in spark", evaluate, TIED["run"], paths["qrels"], connection=spark)
    with pytest.raises(EngineError, match=r"run: spark could not read '.*nope.parquet'"):
        evaluate(str(tmp_path / "nope.parquet"), paths["qrels"], connection=spark)
