"""First contact: what a user gives at first, and what the message says where that is not understood."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from engines import ENGINES, Engine
from test_sqlmesh import asked, written

from recall_duckdb import (
    ArgumentError,
    DataError,
    RecallError,
    UnknownNameError,
    check,
    evaluate,
    sql,
)
from recall_duckdb.cli import main

Columns = dict[str, list[Any]]
RUN: Columns = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: Columns = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}
PURCHASES: Columns = {"query": QRELS["query"], "item": QRELS["item"]}
METRICS = ["recall@1,3", "ndcg@3", "ap", "num_rel", "err(max_grade=2)@3"]


def message(kind: type[RecallError], run: Any = RUN, qrels: Any = QRELS, **arguments: Any) -> str:
    """The message of the error that evaluate() raises, which must be of this kind."""
    with pytest.raises(kind) as caught:
        evaluate(run, qrels, **arguments)
    return str(caught.value)


def renamed(columns: Columns, **names: str) -> Columns:
    return {names.get(name, name): values for name, values in columns.items()}


def without(columns: Columns, *names: str) -> Columns:
    return {name: values for name, values in columns.items() if name not in names}


# Interactions without a column of relevance.


@pytest.mark.parametrize("policies", [{}, {"nulls": "drop"}, {"duplicates": "best"}, {"by": "country"}])
def test_every_row_of_the_qrels_is_relevant_with_relevance_none(policies: dict[str, Any]) -> None:
    country = {"country": ["NL", "NL", "BE"]} if "by" in policies else {}
    expected = evaluate(RUN, {**QRELS, **country}, METRICS, **policies).to_dicts()
    assert evaluate(RUN, {**PURCHASES, **country}, METRICS, relevance=None, **policies).to_dicts() == expected


def test_relevance_none_reads_no_column_of_relevance() -> None:
    graded = {**QRELS, "relevance": [0, 5, None]}
    assert evaluate(RUN, graded, "num_rel", relevance=None).value("num_rel") == 3


def test_relevance_none_of_files(tmp_path: Path) -> None:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(PURCHASES).write_parquet(tmp_path / "purchases.parquet")
    pl.DataFrame(PURCHASES).write_csv(tmp_path / "purchases.csv")
    (tmp_path / "purchases.qrels").write_text("q1 0 b 0\nq1 0 x 1\nq2 0 c 2\n")
    for name in ("purchases.parquet", "purchases.csv", "purchases.qrels"):
        result = evaluate(tmp_path / "run.parquet", tmp_path / name, METRICS, relevance=None)
        assert result.to_dicts() == evaluate(RUN, QRELS, METRICS).to_dicts()


def test_relevance_none_takes_duckdbs_fast_plans() -> None:
    connection = duckdb.connect()
    connection.execute("""
        CREATE TABLE run AS SELECT row // 20 AS query, row * 7 % 997 AS item, hash(row) / 2e19 AS score
        FROM range(120000) AS rows (row);
        CREATE TABLE purchases AS SELECT query, item FROM run WHERE item % 3 = 0;
        CREATE TABLE qrels AS SELECT *, 1 AS relevance FROM purchases;
    """)
    asked_for = ["recall@5,10", "ndcg@10", "ap@5"]
    expected = evaluate("run", "qrels", asked_for, connection=connection).to_dicts()
    assert evaluate("run", "purchases", asked_for, relevance=None, connection=connection).to_dicts() == expected


def test_relevance_none_makes_no_difference_to_lists_of_relevant_items() -> None:
    lists = {"query": ["q1", "q2"], "item": [["b", "x"], ["c"]]}
    assert evaluate(RUN, lists, METRICS, relevance=None).to_dicts() == evaluate(RUN, lists, METRICS).to_dicts()


def test_relevance_none_contradicts_maps_to_relevance() -> None:
    maps = {"query": ["q1"], "item": [{"b": 0.0, "x": 2.0}]}
    assert "relevance: None says that every row of the qrels is relevant, but column 'item' (item=) holds maps" in (
        message(ArgumentError, qrels=maps, relevance=None).replace("qrels_item=", "item=")
    )


@pytest.mark.parametrize("function", [evaluate, sql, check])
def test_relevance_none_of_a_run_that_holds_the_labels_is_refused(function: Any) -> None:
    with pytest.raises(ArgumentError, match="relevance: None says that every row of the qrels is relevant, but there"):
        function(RUN, relevance=None)


def test_check_takes_relevance_none() -> None:
    faults = check(RUN, {"query": ["q1", "q1", "q3"], "item": ["b", "b", "x"]}, "recall@1", relevance=None)
    assert {fault.check for fault in faults} == {"qrels_duplicates", "missing", "unjudged_queries"}


def load(connection: sqlite3.Connection, tables: dict[str, Columns]) -> None:
    for name, columns in tables.items():
        connection.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        marks = ", ".join("?" * len(columns))
        connection.executemany(f"INSERT INTO {name} VALUES ({marks})", list(zip(*columns.values(), strict=True)))


@pytest.fixture
def shop() -> Iterator[sqlite3.Connection]:
    """A DB-API connection whose table of purchases has no column of relevance."""
    connection = sqlite3.connect(":memory:")
    load(connection, {"run": RUN, "purchases": PURCHASES, "qrels": QRELS})
    yield connection
    connection.close()


def test_relevance_none_over_a_connection(shop: sqlite3.Connection) -> None:
    there: dict[str, Any] = {"run": "run", "connection": shop}
    asked_for = ["recall@1,3", "ndcg@3", "ap"]
    expected = evaluate(qrels="qrels", metrics=asked_for, **there).to_dicts()
    assert evaluate(qrels="purchases", metrics=asked_for, relevance=None, **there).to_dicts() == expected
    assert check(qrels="purchases", relevance=None, **there).checks
    with pytest.raises(UnknownNameError, match="If every row of the qrels is relevant, pass relevance=None"):
        evaluate(qrels="purchases", **there)


@pytest.mark.parametrize("engine", ENGINES, indirect=True)
def test_relevance_none_on_every_engine(engine: Engine) -> None:
    engine.load({"run": RUN, "qrels": PURCHASES})
    there = {"connection": engine.connect(), "dialect": engine.dialect}
    found = evaluate("run", "qrels", ["recall@1,3", "ap"], relevance=None, **there).to_dicts()
    expected = evaluate(RUN, QRELS, ["recall@1,3", "ap"]).to_dicts()
    assert [row["value"] for row in found] == pytest.approx([row["value"] for row in expected], abs=1e-12)


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake", "tsql", "bigquery"])
def test_relevance_none_in_written_sql_reads_no_column(dialect: str) -> None:
    text = sql("run", "purchases", "recall@3", relevance=None, dialect=dialect)
    assert "relevance" in text
    assert not any(quoted in text for quoted in ('"relevance"', "`relevance`", "[relevance]", '"RELEVANCE"'))


def test_relevance_null_in_a_sqlmesh_model() -> None:
    expected = written(run="recs", qrels="sales", metrics="rr", relevance=None)
    assert asked("recall_duckdb(recs, sales, 'rr', relevance := NULL)") == expected


def test_relevance_none_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(PURCHASES).write_parquet(tmp_path / "purchases.parquet")
    command = [str(tmp_path / "run.parquet"), "--qrels", str(tmp_path / "purchases.parquet"), "-m", "num_rel"]
    assert main(["evaluate", *command]) == 2
    assert (
        "has no column 'relevance' (--relevance). If every row of the qrels is relevant, pass --relevance none. "
        "Its columns: 'query', 'item'" in capsys.readouterr().err
    )
    assert main(["evaluate", *command, "--relevance", "none"]) == 0
    assert "num_rel    3" in capsys.readouterr().out
    assert main(["sql", *command, "--relevance", "none"]) == 0
    assert main(["check", *command, "--relevance", "none", "--skip", "short"]) == 0
    assert main(["evaluate", command[0], "--relevance", "none"]) == 2
    assert "--relevance: None says that every row of the qrels is relevant, but there are no --qrels" in (
        capsys.readouterr().err
    )


def test_qrels_without_the_column_relevance_say_what_to_pass() -> None:
    assert (
        "qrels (the dict given) has no column 'relevance' (relevance=). If every row of the qrels is relevant, pass "
        "relevance=None. Its columns: 'query', 'item'" in message(UnknownNameError, qrels=PURCHASES)
    )
    assert "relevance=None" not in message(UnknownNameError, qrels=PURCHASES, relevance="grade")


# The usual names of columns.


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        *[("query", name) for name in ("query_id", "qid", "user", "user_id", "userId", "session", "topic", "query-id")],
        *[("item", name) for name in ("item_id", "doc_id", "docid", "DocNo", "doc", "document", "product_id")],
        *[("item", name) for name in ("movie_id", "movieId", "corpus-id", "ItemID")],
        *[("score", name) for name in ("similarity", "prediction", "Predicted", "rating")],
    ],
)
def test_a_usual_name_of_a_column_of_the_run_is_suggested(argument: str, name: str) -> None:
    told = message(UnknownNameError, run=renamed(RUN, **{argument: name}))
    assert f"has no column '{argument}' ({argument}=). Did you mean {argument}={name!r}?" in told


@pytest.mark.parametrize("name", ["label", "rating", "grade", "target", "rel", "qrel", "Relevant", "score"])
def test_a_usual_name_of_relevance_is_suggested(name: str) -> None:
    told = message(UnknownNameError, qrels=renamed(QRELS, relevance=name))
    assert f"Did you mean relevance={name!r}? If every row of the qrels is relevant, pass relevance=None." in told
    if name != "score":  # which is that of the run
        labelled = {**RUN, name: [0, 1, 1]}
        assert f"to judge by. Did you mean relevance={name!r}?" in message(UnknownNameError, run=labelled, qrels=None)


@pytest.mark.parametrize("name", ["system", "run", "run_id", "method"])
def test_a_usual_name_of_the_model_is_suggested(name: str) -> None:
    run = {**RUN, name: ["bm25"] * 3}
    assert f"Did you mean model={name!r}?" in message(UnknownNameError, run=run, model="model")


def test_a_run_with_ranks_and_no_scores_is_told_of_rank() -> None:
    assert "Did you mean rank='position'?" in message(UnknownNameError, run=renamed(RUN, score="position"))


@pytest.mark.parametrize(("argument", "name"), [("query", "topic"), ("item", "docno")])
def test_a_column_that_the_qrels_alone_call_otherwise(argument: str, name: str) -> None:
    told = message(UnknownNameError, qrels=renamed(QRELS, **{argument: name}))
    assert f"qrels (the dict given) has no column '{argument}' (qrels_{argument}=). " in told
    assert f"Did you mean qrels_{argument}={name!r}?" in told


def test_a_name_that_was_given_is_looked_for_by_its_spelling_first() -> None:
    run = {**renamed(RUN, item="product"), "doc_id": [1, 2, 3]}
    assert "Did you mean item='product'?" in message(UnknownNameError, run=run, item="prodct")
    assert "Did you mean item='doc_id'?" in message(UnknownNameError, run=run)


def test_no_column_is_suggested_that_another_argument_names() -> None:
    run, qrels = renamed(RUN, query="user"), {**renamed(QRELS, query="user"), "day": [1, 1, 1]}
    told = message(UnknownNameError, run=run, qrels=qrels, query=["user", "day"])
    assert "has no column 'day' (query=). Its columns" in told


def test_a_usual_name_is_suggested_as_an_option_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame(renamed(RUN, item="doc_id")).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(QRELS).write_parquet(tmp_path / "qrels.parquet")
    command = ["evaluate", str(tmp_path / "run.parquet"), "--qrels", str(tmp_path / "qrels.parquet")]
    assert main(command) == 2
    assert "has no column 'item' (--item). Did you mean --item doc_id?" in capsys.readouterr().err
    assert main([*command, "--item", "doc_id"]) == 2
    assert "has no column 'doc_id' (--qrels-item). Did you mean --qrels-item item?" in capsys.readouterr().err
    assert main([*command, "--item", "doc_id", "--qrels-item", "item"]) == 0


def test_a_usual_name_is_suggested_over_a_connection(shop: sqlite3.Connection) -> None:
    load(shop, {"recs": renamed(RUN, item="doc_id")})
    with pytest.raises(UnknownNameError, match=r"no column 'item' \(item=\). Did you mean item='doc_id'\?"):
        evaluate("recs", "qrels", connection=shop)


def test_a_dict_of_columns_with_other_names_is_no_dict_of_runs() -> None:
    told = message(UnknownNameError, run=renamed(RUN, query="user_id", item="movie_id"))
    assert "Did you mean query='user_id'?" in told or "Did you mean item='movie_id'?" in told


# Run and qrels that were swapped.


def test_a_swapped_run_and_qrels_are_told() -> None:
    told = message(UnknownNameError, run=QRELS, qrels=RUN)
    assert "run (the dict given) has no column 'score' (score=), but the qrels (the dict given) have one" in told
    assert "Are run and qrels swapped?" in told
    assert "swapped?" in message(UnknownNameError, run=PURCHASES, qrels=RUN, relevance=None)
    ranked = renamed(RUN, score="position")
    assert "'position' (rank=)" in message(UnknownNameError, run=QRELS, qrels=ranked, rank="position")


def test_qrels_whose_relevance_is_called_score_are_not_told_to_be_swapped() -> None:
    beir = renamed(QRELS, relevance="score")
    assert "Did you mean relevance='score'?" in message(UnknownNameError, qrels=beir)
    assert "swapped" not in message(UnknownNameError, run=renamed(RUN, score="similarity"), qrels=beir)
    lists = {"query": ["q1", "q2"], "item": [["a", "b"], ["c"]]}
    assert evaluate(lists, beir, "recall@1", relevance=None).value("recall@1") == 0.5


def test_swapped_trec_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 0.5 tag\nq1 Q0 b 2 0.4 tag\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    assert evaluate(tmp_path / "run", tmp_path / "qrels", "rr").value("rr") == 1
    for arguments in ({"run": tmp_path / "qrels"}, {"qrels": tmp_path / "run"}):
        assert "Are run and qrels swapped?" in message(DataError, **arguments)
    (tmp_path / "broken").write_text("q1 0 a 1\nq1 0\n")
    assert "swapped?" not in message(DataError, qrels=tmp_path / "broken")
