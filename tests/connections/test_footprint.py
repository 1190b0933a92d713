"""What a call leaves on the user's connection: nothing, after success, after an error and within a transaction."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from asking import fails

from recall_duckdb import (
    ArgumentError,
    DataError,
    RecallError,
    UnknownNameError,
    agreement,
    check,
    compare,
    evaluate,
    install,
    pool,
    sql,
    uninstall,
)

# Runs of ten items for 40 queries, and qrels with one relevant item for each.
TABLES = """
CREATE TABLE run AS SELECT range // 10 AS query, range % 10 AS item, hash(range) % 99 AS score FROM range(400);
CREATE TABLE other AS SELECT query, item, hash(item) % 7 AS score FROM run;
CREATE TABLE doubled AS SELECT * FROM run UNION ALL SELECT query, item, score + 0.5 FROM run;
CREATE TABLE qrels AS SELECT query, item, 1 AS relevance FROM run WHERE item = 3;
CREATE TABLE mine (a INTEGER);
"""
STATE = """
SELECT 'table', schema_name, table_name FROM duckdb_tables()
UNION ALL SELECT 'view', schema_name, view_name FROM duckdb_views() WHERE NOT internal
UNION ALL SELECT 'schema', database_name, schema_name FROM duckdb_schemas() WHERE NOT internal
UNION ALL SELECT 'setting', name, value FROM duckdb_settings() WHERE name <> 'secret_directory'
UNION ALL SELECT 'function', schema_name, function_name FROM duckdb_functions() WHERE NOT internal
UNION ALL SELECT 'sequence', schema_name, sequence_name FROM duckdb_sequences()
UNION ALL SELECT 'database', database_name, path FROM duckdb_databases()
UNION ALL SELECT 'variable', name, value::VARCHAR FROM duckdb_variables()
UNION ALL SELECT 'prepared', name, statement FROM duckdb_prepared_statements()
"""

Call = Callable[[duckdb.DuckDBPyConnection], object]


def frame(connection: duckdb.DuckDBPyConnection, table: str) -> pd.DataFrame:
    return connection.sql(f"FROM {table}").df()


def closed(connection: duckdb.DuckDBPyConnection, *args: Any, **options: Any) -> None:
    with evaluate(*args, connection=connection, **options) as result:
        assert result.per_query.fetchall()
        assert result.means.fetchall()


def compared(connection: duckdb.DuckDBPyConnection) -> None:
    runs = {"run": "run", "other": "other"}
    with evaluate(runs, "qrels", "rr", connection=connection) as result:
        found = result.compare("run", test="randomization", interval="bootstrap", samples=100)
        assert found.changes("rr").fetchall()
        assert result.intervals().rows.fetchall()


def reported(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    with evaluate({"run": "run", "other": "other"}, "qrels", "rr", connection=connection) as result:
        result.report(path, baseline="run")


def files_compared(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE TEMP VIEW old AS SELECT query, 0.5 AS rr FROM qrels")
    assert compare({"old": "old", "new": "old"}, baseline="old", connection=connection).rows.fetchall()
    connection.execute("DROP VIEW old")


def installed(connection: duckdb.DuckDBPyConnection) -> None:
    install(connection)
    uninstall(connection)


SUCCESSES: dict[str, Call] = {
    "evaluate tables": lambda c: closed(c, "run", "qrels", "ndcg@5"),
    "evaluate tables by definition": lambda c: closed(c, "run", "qrels", "ndcg@5", ties="optimistic"),
    "evaluate frames": lambda c: closed(c, frame(c, "run"), frame(c, "qrels"), "ndcg@5", ties="item"),
    "evaluate a file of text": lambda c: closed(c, "sound.csv", "qrels", "ndcg@5"),
    "evaluate dicts": lambda c: closed(c, {"query": [1], "item": [1], "score": [1.0]}, "qrels", "rr", missing="skip"),
    "check": lambda c: check("run", frame(c, "qrels"), "rr", connection=c),
    "sql": lambda c: sql("run", "qrels", "rr", connection=c),
    "pool": lambda c: pool("run", frame(c, "qrels"), "rr@3", connection=c).fetchall(),
    "agreement": lambda c: agreement({"a": "run", "b": "other"}, baseline="a", connection=c).per_query().fetchall(),
    "compare results": compared,
    "compare files": files_compared,
    "explain": lambda c: evaluate("run", "qrels", "rr", connection=c).explain(7).fetchall(),
    "report": lambda c: reported(c, "report.html"),
    "install and uninstall": installed,
}
# Calls whose error is found before any statement fails, so that a transaction goes on.
ERRORS: dict[str, tuple[Call, str]] = {
    "a duplicate": (lambda c: evaluate("doubled", "qrels", "rr", connection=c), "more than once"),
    "a duplicate in a pool": (lambda c: pool("doubled", "qrels", "rr", connection=c), "more than once"),
    "a duplicate in agreement": (
        lambda c: agreement({"a": "run", "b": "doubled"}, baseline="a", connection=c),
        "more than once",
    ),
    "no such column": (lambda c: check(frame(c, "run"), "qrels", "rr", query="user", connection=c), "no column 'user'"),
    "no such table": (lambda c: evaluate("nothing", "qrels", "rr", connection=c), "there is no file, table or view"),
    "a table of this name": (
        lambda c: evaluate("run", "qrels", "rr", create="mine", connection=c),
        "create: there is a table or view 'mine' already",
    ),
    "no such schema": (
        lambda c: evaluate("run", "qrels", "rr", create="nowhere.new", connection=c),
        "create: there is no schema or database 'nowhere'",
    ),
    "no such query": (lambda c: evaluate("run", "qrels", "rr", connection=c).explain("zz"), "there is no query 'zz'"),
    "a malformed line": (lambda c: evaluate("cut.csv", "qrels", "rr", connection=c), "line 30002 .* is malformed"),
    "a malformed line near the top": (lambda c: check("top.csv", "qrels", "rr", connection=c), "line 3 .* malformed"),
    "a text among scores": (lambda c: pool("text.csv", "qrels", "rr", connection=c), "line 30002 .* is malformed"),
    "bytes that are no text": (lambda c: evaluate("bytes.csv", "qrels", "rr", connection=c), "line 30002"),
    "a malformed object": (lambda c: evaluate("cut.json", "qrels", "rr", connection=c), "'cut.json' is malformed"),
    **{
        f"no such file: {path}": (
            lambda c, path=path: evaluate(path, "qrels", "rr", connection=c),  # type: ignore[misc]
            "there is no file|is empty",
        )
        for path in ("no.csv", "no/such.json", "no.parquet", "no*.csv", "no*.parquet", "empty")
    },
    "no such qrels": (lambda c: check("run", "no.csv", "rr", connection=c), "qrels: there is no file 'no.csv'"),
    "no such optional input": (
        lambda c: pool("run", "qrels", "rr", exclude="no.jsonl", connection=c),
        "exclude: there is no file 'no.jsonl'",
    ),
    "no such values": (
        lambda c: compare({"a": "no.csv", "b": "no.csv"}, baseline="a", connection=c),
        "there is no file 'no.csv'",
    ),
    "no such server": (
        lambda c: evaluate("nothing://nowhere/run.parquet", "qrels", "rr", connection=c),
        "nothing://nowhere/run.parquet",
    ),
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sound = "query,item,score\n" + "".join(f"{row // 10},{row % 10},{row / 2}\n" for row in range(30_000))
    Path("sound.csv").write_text(sound)
    Path("cut.csv").write_text(sound + '7,"a,1\n')
    Path("text.csv").write_text(sound + "7,3,abc\n")
    Path("bytes.csv").write_bytes(sound.encode() + b"7,\xff,1\n")
    Path("top.csv").write_text('query,item,score\n1,2,3\n1,"a,1\n')
    Path("empty").mkdir()
    rows = [json.dumps({"query": row, "item": row, "score": row}) for row in range(10)]
    Path("cut.json").write_text("\n".join([*rows, '{"query":']))


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        connection.execute(TABLES)
        yield connection


def state(connection: duckdb.DuckDBPyConnection) -> list[tuple[object, ...]]:
    """Return all that a connection holds, except rows."""
    return sorted(connection.sql(STATE).fetchall(), key=str)


def is_in_transaction(connection: duckdb.DuckDBPyConnection) -> bool:
    one, other = (connection.sql("SELECT txid_current()").fetchall() for _ in range(2))
    return one == other


@pytest.mark.parametrize("name", SUCCESSES)
def test_a_call_leaves_nothing_on_the_connection(connection: duckdb.DuckDBPyConnection, name: str) -> None:
    before = state(connection)
    SUCCESSES[name](connection)
    # The next call removes the table of a result that was collected.
    evaluate("run", "qrels", "rr", connection=connection).close()
    assert state(connection) == before
    assert not is_in_transaction(connection)


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_leaves_nothing_on_the_connection_and_a_transaction_open(
    connection: duckdb.DuckDBPyConnection, name: str
) -> None:
    call, message = ERRORS[name]
    before = state(connection)
    connection.execute("BEGIN; INSERT INTO mine VALUES (1)")
    fails(RecallError, message, call, connection)
    assert is_in_transaction(connection)
    connection.execute("COMMIT")
    assert connection.sql("FROM mine").fetchall() == [(1,)]
    evaluate("run", "qrels", "rr", connection=connection).close()
    assert state(connection) == before


def test_an_error_that_aborts_a_transaction_says_so(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("CREATE VIEW broken AS SELECT query, item, error('no score today') AS score FROM run")
    connection.execute("BEGIN; INSERT INTO mine VALUES (1)")
    with pytest.raises(RecallError, match="no score today.* The error aborted your transaction: run ROLLBACK"):
        evaluate("broken", "qrels", "rr", connection=connection)
    connection.execute("ROLLBACK")
    fails(RecallError, r"no score today[^R]*$", evaluate, "broken", "qrels", "rr", connection=connection)


def test_a_file_on_the_search_path_is_found_within_a_transaction(connection: duckdb.DuckDBPyConnection) -> None:
    Path("my runs").mkdir()
    Path("my runs/run.csv").write_text("query,item,score\n0,3,1\n")
    connection.execute("SET file_search_path = 'my runs'; BEGIN")
    assert evaluate("run.csv", "qrels", "rr", connection=connection).counts["run"].both == 1
    fails(UnknownNameError, r"there is no file 'no\.csv'", evaluate, "no.csv", "qrels", "rr", connection=connection)
    assert is_in_transaction(connection)


def test_a_statement_for_a_file_that_is_not_there_yet_is_written_within_a_transaction(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("BEGIN")
    written = sql("later.csv", "qrels", "rr", connection=connection)
    connection.execute("COMMIT")
    assert written == sql("later.csv", "qrels", "rr", connection=connection)


def test_a_file_that_changed_after_the_evaluation_is_not_explained() -> None:
    def write(rows: str) -> None:
        Path("run.csv").write_text(f"query,item,score\n{rows}")

    write("1,a,2\n1,b,1\n")
    qrels = {"query": [1], "item": ["b"], "relevance": [1]}
    runs = {"old": "run.csv", "new": {"query": [1], "item": ["b"], "score": [1.0]}}
    result = evaluate("run.csv", qrels, "rr")
    agreed = agreement(runs, baseline="old")
    assert result.explain(1).fetchall()[0] == ("b", 1.0, None, 2, None, True)
    write("1,b,9\n1,a,1\n")
    for read in (lambda: result.explain(1), lambda: result.report("report.html"), agreed.per_query):
        fails(DataError, "the file 'run.csv' changed since the evaluation", read)
    again = evaluate("run.csv", qrels, "rr")  # a question of the same form as the first
    assert again.explain(1).fetchall()[0] == ("b", 1.0, None, 1, None, True)


@pytest.mark.parametrize(
    ("keys", "query", "expected"),
    [([1, 2], "2", 2), ([1, 2], "zz", None), (["1", "x"], 1, 1), (["1", "x"], "x", 1), ([1, 2], 1.5, None)],
)
def test_a_query_is_explained_by_its_value_or_not_found(keys: list[Any], query: object, expected: int | None) -> None:
    run = {"query": keys, "item": ["a", "b"], "score": [1.0, 2.0]}
    result = evaluate(run, {"query": keys, "item": ["a", "b"], "relevance": [1, 1]}, "rr")
    if expected is None:
        fails(UnknownNameError, "there is no query", result.explain, query)
    else:
        assert len(result.explain(query).fetchall()) == 1


def test_threads_that_share_a_connection_are_refused_by_name(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "CREATE TABLE long AS SELECT range // 100 AS query, range AS item, hash(range) AS score FROM range(99999)"
    )
    right = evaluate("long", "qrels", "rr", connection=connection).value("rr")
    found: list[object] = []

    def ask() -> None:
        for _ in range(3):
            try:
                found.append(evaluate("long", "qrels", "rr", connection=connection).value("rr"))
            except ArgumentError as error:
                found.append(str(error).partition(".")[0])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {right} <= set(found) <= {right, "connection: another thread uses it now"}
    assert evaluate("long", "qrels", "rr", connection=connection).value("rr") == right


def test_quoted_names_of_tables_are_understood(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute('CREATE SCHEMA "s.t"; CREATE TABLE "s.t"."run" AS FROM run; ATTACH \':memory:\' AS files')
    connection.execute('CREATE TABLE memory.main."a.b" AS FROM qrels; CREATE TABLE files.qrels AS FROM qrels')
    expected = evaluate("run", "qrels", "rr", connection=connection).value("rr")
    runs = ('"s.t"."run"', '"s.t".run', 'memory."s.t".run', "main.run", '"run"')
    for run, qrels in zip(
        runs, ('memory.main."a.b"', '"a.b"', "a.b", "files.qrels", 'files.main."qrels"'), strict=True
    ):
        assert evaluate(run, qrels, "rr", connection=connection).value("rr") == expected


def test_a_missing_slice_is_null_or_nan() -> None:
    run = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0]}
    for missing in (None, float("nan")):
        qrels = {"query": [1, 2], "item": ["a", "b"], "relevance": [1, 1], "age": [missing, 3.0]}
        fails(DataError, "Column 'age' is NULL for a judged query", evaluate, run, qrels, "rr", by="age")
        rows = evaluate(run, qrels, "rr", by="age", nulls="drop").to_dicts()
        assert [(row["age"], row["queries"]) for row in rows] == [(None, 2), (3.0, 1)]
