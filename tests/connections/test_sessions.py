"""The effects of an evaluation on its connection and disk: on interrupts, in transactions, and after it ends."""

from __future__ import annotations

import gc
import os
import pty
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import duckdb
import polars as pl
import pytest
from asking import fails
from sqlglot import exp

from recall_duckdb import ArgumentError, EngineError, Result, UnknownNameError, check, engines, evaluate, sql
from recall_duckdb.answering import planning
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.interrupts import Work

DUCKDB_2 = int(duckdb.__version__.split(".")[0]) >= 2
RUN: dict[str, list[Any]] = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
QRELS: dict[str, list[Any]] = {"query": ["q1", "q2"], "item": ["b", "c"], "relevance": [1, 1]}
MEANS = [("run", "recall", 1, 0.5, 2)]

# A run with relevance labels.
LONG = "SELECT range // 100 AS query, range % 100 AS item, range * 7919 % 1000 AS score, 1 AS relevance FROM range({})"

# start() sends a signal to its own process after some seconds of CPU time.
INTERRUPTED = """
import os, signal, sys, threading, time

import duckdb

from recall_duckdb import check, evaluate
from recall_duckdb.cli import main

def interrupt(until):
    while time.process_time() < until:
        time.sleep(0.01)
    os.kill(os.getpid(), int(os.environ.get("SIGNAL", signal.SIGINT)))

def start():
    until = time.process_time() + float(sys.argv[1])
    threading.Thread(target=interrupt, args=(until,), daemon=True).start()
"""

ON_A_CONNECTION = """
connection = duckdb.connect(config={"threads": 2})
# For a bare path, DuckDB first looks for a Python variable of that name, and loses an interrupt that it meets there.
connection.execute(f"CREATE VIEW run AS FROM read_parquet({sys.argv[2]!r})")
frame = {"query": [1], "item": [1], "score": [1.0], "relevance": [1]}
evaluate(frame, metrics="recall@1", connection=connection)  # DuckDB 1 loses an interrupt while it imports pandas
ask = evaluate if sys.argv[3] == "evaluate" else check
try:
    start()
    ask("run", metrics=["recall@10", "ap"], items={"item": list(range(100))}, connection=connection)
except KeyboardInterrupt:
    print("interrupted")
print(connection.sql("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall())
print(connection.sql("SELECT table_name FROM duckdb_tables()").fetchall())
print(evaluate(frame, metrics="recall@1", connection=connection).to_dicts()[0]["value"])
"""

ENDLESS = """
from sqlglot import parse_one
from recall_duckdb.engines import DuckDB

connection = duckdb.connect()
connection.execute("CREATE TABLE long AS SELECT CAST(range AS DOUBLE) AS i FROM range(1000000)")
session = DuckDB(connection)
endless = "SELECT sum(sqrt(a.i * b.i)) AS total FROM long AS a, long AS b"
start()
try:
    getattr(session, sys.argv[2])(parse_one(endless, dialect="duckdb"))
except KeyboardInterrupt:
    print("interrupted")
print(connection.execute("SELECT 1").fetchall())
"""


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A parquet file with a run that takes seconds to evaluate."""
    path = tmp_path_factory.mktemp("large") / "run.parquet"
    duckdb.execute(f"COPY ({LONG.format(10_000_000)}) TO '{path}'")
    return path


def ours(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the names of our temporary tables and views on a connection."""
    found = "SELECT table_name FROM duckdb_tables() UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal"
    return [name for (name,) in connection.sql(found).fetchall() if "recall_duckdb" in name]


def stored(connection: duckdb.DuckDBPyConnection) -> Result:
    """Return a result whose values of queries are in a table: with nulls="last" they never stay in memory."""
    return evaluate(RUN, QRELS, "recall@1", connection=connection, nulls="last")


@pytest.mark.load
@pytest.mark.parametrize("command", ["evaluate", "check"])
@pytest.mark.parametrize("seconds", [0.05, 1.5])
def test_ctrl_c_raises_keyboard_interrupt_and_leaves_nothing_on_the_connection(
    tmp_path: Path, large: Path, command: str, seconds: float
) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED + ON_A_CONNECTION)
    asked = [sys.executable, str(script), str(seconds), str(large), command]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout.splitlines() == ["interrupted", "[('run',)]", "[]", "1.0"], done.stderr


def test_a_function_is_not_called_if_a_signal_comes_before_its_thread_starts() -> None:
    called: list[int] = []
    work = Work(duckdb.connect(), lambda: called.append(1))
    work.end()
    work.start()
    assert work.wait(300)
    assert called == []


def test_an_evaluation_works_where_no_thread_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.12 and later start none while they exit, as in a function of `atexit`."""

    def start(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", start)
    with duckdb.connect() as connection:
        means = evaluate(RUN, QRELS, "recall@1", connection=connection).means.fetchall()
        assert means == MEANS
        with pytest.raises(EngineError, match="nothing"):
            DuckDB(connection).rows(exp.select("*").from_("nothing"))


@pytest.mark.parametrize("method", ["rows", "execute", "rows_and_types", "values"])
def test_ctrl_c_ends_a_statement_that_takes_days(tmp_path: Path, method: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED + ENDLESS)
    asked = [sys.executable, str(script), "0.5", method]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "interrupted\n[(1,)]\n", done.stderr


@pytest.mark.load
@pytest.mark.parametrize("seconds", [0.3, 3.0])
@pytest.mark.parametrize("terminal", [False, True], ids=["to a file", "to a terminal"])
@pytest.mark.parametrize(
    ("number", "status", "message"), [(signal.SIGINT, 130, b"interrupted"), (signal.SIGTERM, 143, b"terminated")]
)
def test_ctrl_c_and_sigterm_end_the_command_and_leave_no_file(
    tmp_path: Path, large: Path, seconds: float, terminal: bool, number: int, status: int, message: bytes
) -> None:
    script, spilled, shown = tmp_path / "script.py", tmp_path / "spilled", bytearray()
    script.write_text(INTERRUPTED + "start(); sys.exit(main(sys.argv[2:]))")
    spilled.mkdir()
    question = ["evaluate", str(large), "-m", "ap", "-m", "official", "--threads", "2", "--memory-limit", "400MB"]
    reading, writing = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(
        [sys.executable, str(script), str(seconds), *question, "--per-query", str(tmp_path / "values.parquet")],
        stdout=subprocess.PIPE,
        stderr=writing,
        env={**os.environ, "TMPDIR": str(spilled), "SIGNAL": str(int(number))},
    ) as process:
        os.close(writing)
        with suppress(OSError):  # Linux raises this when the other end of a terminal is closed
            while read := os.read(reading, 10_000):
                shown += read
        assert process.stdout is not None
        assert (process.wait(), process.stdout.read()) == (status, b"")
    os.close(reading)
    assert shown.rstrip().endswith(b"recall-duckdb: " + message)
    assert sorted(tmp_path.iterdir()) == [script, spilled]
    assert list(spilled.iterdir()) == []


def test_an_interrupt_from_another_thread_is_an_engine_error(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(f"CREATE VIEW run AS {LONG.format(100_000_000)}")
    done = threading.Event()

    def interrupt() -> None:
        while not done.wait(0.1):
            connection.interrupt()

    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(EngineError) as caught:
            evaluate("run", metrics="ap", connection=connection)
    finally:
        done.set()
        thread.join()
    assert isinstance(caught.value.__cause__, duckdb.InterruptException)
    assert ours(connection) == []


@pytest.mark.parametrize("qrels", [QRELS, pl.DataFrame(QRELS)], ids=["columns", "a frame"])
@pytest.mark.parametrize("ask", [evaluate, check])
def test_an_error_in_a_transaction_is_raised_unchanged(
    connection: duckdb.DuckDBPyConnection, qrels: object, ask: Callable[..., Any]
) -> None:
    connection.execute("CREATE VIEW run AS SELECT 'q1' AS query, 'a' AS item, CAST('x' || random() AS DOUBLE) AS score")
    connection.begin()
    fails(EngineError, "Could not convert string 'x", ask, "run", qrels, "recall@1", connection=connection)
    connection.rollback()
    assert evaluate(RUN, qrels, "recall@1", connection=connection).value("recall@1") == 0.5
    assert len(ours(connection)) <= 1  # the values per query of that result


def fail_transaction(connection: duckdb.DuckDBPyConnection) -> None:
    connection.begin()
    with pytest.raises(duckdb.Error):
        connection.execute("SELECT CAST('x' AS INT)").fetchall()


LOST = pytest.mark.parametrize("lose", [fail_transaction, duckdb.DuckDBPyConnection.close])


@LOST
def test_an_error_within_with_is_not_replaced(
    connection: duckdb.DuckDBPyConnection, lose: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    def fail() -> None:
        with evaluate(RUN, QRELS, "recall@1", connection=connection):
            lose(connection)
            raise LookupError("mine")

    fails(LookupError, "mine", fail)


@LOST
def test_the_means_outlive_the_connection(
    connection: duckdb.DuckDBPyConnection, lose: Callable[[duckdb.DuckDBPyConnection], None]
) -> None:
    result = evaluate(RUN, QRELS, "recall@1", connection=connection)
    lose(connection)
    for _ in range(2):
        assert result.value("recall@1") == 0.5
        assert result.to_dicts() == [{"model": "run", "metric": "recall", "k": 1, "value": 0.5, "queries": 2}]
        assert "recall@1  0.5000" in str(result)
        result.close()


@pytest.mark.parametrize("gone", ["rolled back", "closed"])
def test_an_error_says_why_the_values_per_query_cannot_be_read(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "FEW_ROWS", -1)  # few values would be in memory
    connection = duckdb.connect()
    connection.begin()
    result = evaluate(RUN, QRELS, "recall@1", connection=connection)
    if gone == "rolled back":
        connection.rollback()
    else:
        connection.close()
    told = r"the values of queries cannot be read: a rollback removed their table.*still in value\(\) and to_dicts\(\)"
    fails(EngineError, told, lambda: result.per_query)
    fails(EngineError, told, result.to_trec, each_query=True)
    assert result.value("recall@1") == 0.5
    fails(UnknownNameError, r"there is no model \[\]\. Models: 'run'", result.value, "recall@1", model=[])


@pytest.mark.skipif(not DUCKDB_2, reason="DuckDB 1 discards such rows and does not report them")
def test_unfetched_rows_are_kept(connection: duckdb.DuckDBPyConnection) -> None:
    for function in (evaluate, check, sql):
        connection.execute("FROM range(5000)")
        with pytest.raises(ArgumentError, match=r"Fetch them with fetchall\(\), or pass connection.cursor\(\)"):
            function(RUN, QRELS, connection=connection)
        assert len(connection.fetchall()) == 5000
    with evaluate(RUN, QRELS, "recall@1", connection=connection) as result:
        connection.execute("FROM range(5000)")
        fails(ArgumentError, "rows of its last statement are not fetched", lambda: result.per_query)
        fails(ArgumentError, "rows of its last statement are not fetched", result.to_trec, each_query=True)
        fails(ArgumentError, "rows of its last statement are not fetched", result.write_per_query, "values.csv", "csv")
    assert len(connection.fetchall()) == 5000
    assert stored(connection).means.fetchall() == MEANS
    assert len(ours(connection)) == 1


@pytest.mark.skipif(not DUCKDB_2, reason="DuckDB 1 waits for the other thread")
def test_a_connection_that_another_thread_uses_is_refused_as_such(connection: duckdb.DuckDBPyConnection) -> None:
    started = threading.Event()

    def run() -> None:
        started.set()
        with suppress(duckdb.Error):
            connection.execute("SELECT count(*) FROM range(1000000) a, range(1000000) b").fetchall()

    other = threading.Thread(target=run)
    other.start()
    started.wait()
    time.sleep(0.2)
    try:
        for function in (evaluate, check, sql):
            with pytest.raises(ArgumentError, match=r"another thread uses it now. Pass connection.cursor\(\)"):
                function(RUN, QRELS, connection=connection)
    finally:
        while other.is_alive():
            connection.interrupt()
            other.join(0.1)


def test_the_next_evaluation_drops_a_table_that_could_not_be_dropped(connection: duckdb.DuckDBPyConnection) -> None:
    result = stored(connection)
    assert result.means.fetchall() == MEANS
    fail_transaction(connection)
    result.close()
    connection.rollback()
    assert len(ours(connection)) == 1
    evaluate(RUN, QRELS, "recall@1", connection=connection).close()
    assert ours(connection) == []


def test_leftover_tables_do_not_break_the_next_evaluation(connection: duckdb.DuckDBPyConnection) -> None:
    for role in ("run", "qrels"):
        connection.execute(f'CREATE TEMP TABLE "recall_duckdb input {role}" (query INT)')
    assert evaluate(RUN, QRELS, "recall@1", connection=connection).value("recall@1") == 0.5


@pytest.mark.slow
def test_unclosed_results_do_not_accumulate(connection: duckdb.DuckDBPyConnection) -> None:
    def memory() -> int:
        [(held,)] = connection.sql("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchall()
        return int(held)

    assert stored(connection).means.fetchall() == MEANS
    before = memory()
    for _ in range(15):
        assert stored(connection).value("recall@1") == 0.5
        assert stored(connection).means.fetchall() == MEANS
    assert len(ours(connection)) <= 1
    assert memory() <= before + 500_000  # one table takes 262,144 bytes
    held = [stored(connection) for _ in range(3)]
    assert [result.means.fetchall() for result in held] == [MEANS] * 3
    assert len(ours(connection)) == len(held)


def test_relations_of_a_small_question_make_no_table(connection: duckdb.DuckDBPyConnection) -> None:
    result = evaluate(RUN, QRELS, "recall@1", connection=connection)
    assert result.means.fetchall() == MEANS
    assert result.per_query.fetchall() == [("run", "q1", 0.0), ("run", "q2", 1.0)]
    assert ours(connection) == []


@pytest.mark.parametrize("nulls", ["error", "last"])  # values in memory, and in a table
def test_relations_outlive_their_result(connection: duckdb.DuckDBPyConnection, nulls: Literal["error", "last"]) -> None:
    means = evaluate(RUN, QRELS, "recall@1", connection=connection, nulls=nulls).means
    best = evaluate(RUN, QRELS, "recall@1", connection=connection, nulls=nulls).means.filter("value > 0.1")
    per_query = evaluate(RUN, QRELS, "recall@1", connection=connection, nulls=nulls).per_query
    found = evaluate(RUN, QRELS, "recall@1", connection=connection, nulls=nulls).per_query.filter('"recall@1" = 1')
    gc.collect()
    evaluate(RUN, QRELS, "recall@1", connection=connection, nulls=nulls).close()
    assert (means.fetchall(), best.fetchall()) == (MEANS, MEANS)
    assert per_query.fetchall() == [("run", "q1", 0.0), ("run", "q2", 1.0)]
    assert found.fetchall() == [("run", "q2", 1.0)]


def test_a_collected_result_does_not_touch_its_connection(connection: duckdb.DuckDBPyConnection) -> None:
    result = evaluate(RUN, QRELS, "recall@1", connection=connection)
    connection.execute("FROM range(5000)")
    del result
    gc.collect()
    assert len(connection.fetchall()) == 5000


def test_a_result_may_be_collected_after_its_connection() -> None:
    connection = duckdb.connect()
    result = evaluate(RUN, QRELS, "recall@1", connection=connection)
    connection.close()
    del connection
    gc.collect()
    del result
    gc.collect()


@pytest.mark.parametrize(
    "value",
    [
        "DATE '2024-02-29'", "TIMESTAMP_NS '2024-01-01 00:00:00.123456789'", "TIMESTAMP '2024-01-01 00:00:00.1'",
        "TIME '01:02:03.456'", "TRUE", "-170141183460469231731687303715884105727::HUGEINT", "0.1::FLOAT", "1e-300",
        "12.30::DECIMAL(9, 2)", "'NL; \"'", "''", "'it''s'::ENUM ('it''s', 'b')", "'\\x00\\xAA'::BLOB",
        "'00000000-0000-0000-0000-00000000000a'::UUID", "255::UTINYINT",
    ],
)  # fmt: skip
def test_the_relation_of_means_has_the_types_and_values_of_the_statement(
    connection: duckdb.DuckDBPyConnection, value: str
) -> None:
    connection.execute(
        f"CREATE TABLE run AS SELECT range % 3 AS query, range AS item, 1 / (range + 1) AS score, "
        f"range % 2 AS relevance, {value} AS slice FROM range(10)"
    )
    result = evaluate("run", metrics=["recall@2", "ndcg"], by="slice", connection=connection)
    statement, means = connection.sql(result.sql), result.means
    assert (means.columns, means.types) == (statement.columns, statement.types)
    found, expected = (
        sorted(rows.fetchall(), key=lambda row: (*map(str, row[:-2]), row[-1])) for rows in (statement, means)
    )
    assert [(*row[:-2], row[-1]) for row in found] == [(*row[:-2], row[-1]) for row in expected]
    assert [row[-2] for row in found] == pytest.approx([row[-2] for row in expected], abs=1e-12)


def test_the_spill_folder_is_private_and_removed_with_the_connection() -> None:
    connection = engines.connect(memory_limit="100MB", threads=2)
    [(folder,)] = connection.sql("SELECT current_setting('temp_directory')").fetchall()
    connection.execute("CREATE TEMP TABLE large AS SELECT range, hash(range) AS a, hash(a) AS b FROM range(10_000_000)")
    assert Path(folder).stat().st_mode & 0o777 == 0o700
    assert list(Path(folder).iterdir()) != []
    del connection
    gc.collect()
    assert not Path(folder).exists()


@pytest.mark.parametrize(
    "code",
    [
        "from recall_duckdb import pool; unjudged = pool(run, qrels, 'recall@2')",
        "result = evaluate(run, qrels); connection = result.data.session.connection",
        "result = evaluate(run, qrels); means = result.means",
    ],
)
def test_the_spill_folder_is_removed_at_exit(tmp_path: Path, code: str) -> None:
    shown = (
        "import os, stat; print([oct(os.stat(entry).st_mode & 0o777) for entry in os.scandir(os.environ['TMPDIR'])])"
    )
    asked = f"from recall_duckdb import evaluate\nrun, qrels = {RUN!r}, {QRELS!r}\n{code}\n{shown}"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", asked], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "['0o700']\n"
    assert list(tmp_path.iterdir()) == []


def test_no_spill_folder_is_left_if_the_connection_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    fails(duckdb.Error, "", engines.connect, memory_limit="much")
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_spilled_if_no_folder_can_be_created(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "missing"
    monkeypatch.setattr("tempfile.tempdir", str(missing))
    assert evaluate(RUN, QRELS, "num_ret").value("num_ret") == 3
    connection = engines.connect(memory_limit="20MB", threads=1)
    large = "SELECT range % 10 AS query, hash(range) AS item, range AS score FROM range(3_000_000)"
    connection.execute(f"CREATE VIEW run AS {large}")
    connection.execute("CREATE VIEW qrels AS SELECT query, item, 1 AS relevance FROM run")
    with pytest.raises(EngineError, match=r"out of memory: name a folder that it can write to \(TMPDIR\), raise"):
        evaluate("run", "qrels", "ap", connection=connection)
    assert not missing.exists()
