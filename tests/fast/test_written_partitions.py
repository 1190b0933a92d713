"""A large run whose rows are scattered is written to disk once, by partition, and the files are always removed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from fast_plans import find
from recall_duckdb.fast.choosing import choose
from recall_duckdb.fast.label_lists import LabelLists
from recall_duckdb.fast.packed_lists import PackedLists
from recall_duckdb.fast.partitions import Partitions
from sqlglot import exp

from recall_duckdb import evaluate
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.spilling import free_bytes
from recall_duckdb.errors import DataError, EngineError
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.stages import heard_by

pytestmark = pytest.mark.nightly

# 40,000 queries with 50 candidates each. At this limit, the run would be scanned five times.
# The columns have names that the package uses itself.
NAMED: dict[str, Any] = {"query": "part", "item": "number", "score": "Query Low", "relevance": "code"}
CANDIDATES = 'i // 50 - 7 AS part, i % 50 AS number, hash(i) / 2e19 AS "Query Low", i % 9 AS code'
RUN = f"SELECT {CANDIDATES} FROM range(2_000_000) t (i)"
QRELS = "SELECT i - 7 AS part, i % 50 AS number, 1 AS code FROM range(40_000) t (i)"
SCATTERED = f"SELECT * FROM ({RUN}) ORDER BY hash(part, number)"
METRICS = ["recall@50", "ndcg@5", "rr@20"]
LIMIT = "78MB"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a run in two orders, and its qrels."""
    folder = tmp_path_factory.mktemp("written")
    with duckdb.connect() as connection:
        for name, statement in {"run": SCATTERED, "clustered": RUN, "qrels": QRELS}.items():
            connection.sql(statement).write_parquet(str(folder / f"{name}.parquet"))
    return folder


@pytest.fixture
def spilled(tmp_path: Path) -> Iterator[Path]:
    """A folder to spill to, whose path has special characters. No temporary file may remain after the test."""
    parent = tmp_path / "query=5"
    parent.mkdir()
    yield parent / "it's [a] *; -- %.folder"
    assert list(tmp_path.rglob("recall_duckdb_*")) == []


def limited(spilled: Path, **config: Any) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"memory_limit": LIMIT, "threads": 2, "temp_directory": str(spilled), **config})


def partitions(connection: duckdb.DuckDBPyConnection, run: Any, qrels: Any) -> Partitions:
    session = DuckDB(connection)
    plan = plan_question(EvaluateQuestion(run, qrels, METRICS, **NAMED), session)
    packed = find(choose(plan, session), PackedLists)
    assert packed is not None
    return packed.partitions


@pytest.mark.load
def test_a_scattered_run_is_written_in_partitions(folder: Path, spilled: Path) -> None:
    run, qrels = folder / "run.parquet", folder / "qrels.parquet"
    heard: list[str] = []
    with limited(spilled) as connection, heard_by(lambda stage, *_: heard.append(stage)):
        assert partitions(connection, run, qrels) == Partitions(32, (-7, 39_992), are_written=True)
        found = evaluate(run, qrels, METRICS, connection=connection, **NAMED)
        assert found.to_dicts() == evaluate(run, qrels, METRICS, **NAMED).to_dicts()
    assert heard.count("writing partitions") == 1


@pytest.mark.load
def test_a_labelled_run_is_written_in_partitions(folder: Path, spilled: Path) -> None:
    run = folder / "run.parquet"
    with limited(spilled) as connection:
        assert partitions(connection, run, None).are_written
        found = evaluate(run, None, METRICS, connection=connection, **NAMED)
    assert found.to_dicts() == evaluate(run, None, METRICS, **NAMED).to_dicts()


@pytest.mark.parametrize("low", [-(2**63), 2**31 - 50, 2**62, 2**63 - 101])
@pytest.mark.parametrize("is_labelled", [False, True])
def test_queries_of_any_range_are_spread_over_the_partitions(low: int, is_labelled: bool) -> None:
    """100 queries in 50 partitions have two each, also if their numbers are equal as doubles."""
    rows = [(low + query, query % 7 * 10 + item, -item, item % 2) for query in range(100) for item in range(5)]
    columns = dict(zip(NAMED.values(), map(list, zip(*rows, strict=True)), strict=True))
    with duckdb.connect() as connection:
        session = DuckDB(connection)
        plan = plan_question(EvaluateQuestion(columns, None if is_labelled else columns, METRICS, **NAMED), session)
        chosen = choose(plan, session, many_rows=0)
        packed = find(chosen, PackedLists)
        labels = find(chosen, LabelLists)
        assert packed is not None
        assert (labels is not None) == is_labelled
        parts = Partitions(50, (low, low + 99), are_written=True)
        asked = chosen.faster if labels is None else replace(plan, replacements=labels.replacements())
        numbers = "labelled_numbers" if is_labelled else "numbers"
        with session.write_partitions(parts.assign_partitions(asked, numbers), "part") as written:
            counts = [session.rows(exp.select("count(DISTINCT query)").from_(each)) for each in written]
    assert counts == [[(2,)]] * 50


def test_a_run_is_scanned_for_each_partition_if_its_queries_lie_together(folder: Path, spilled: Path) -> None:
    with limited(spilled) as connection:
        found = partitions(connection, folder / "clustered.parquet", folder / "qrels.parquet")
    assert found == Partitions(5, (-7, 39_992))


def test_a_run_is_scanned_for_each_partition_if_the_disk_has_no_room(folder: Path, spilled: Path) -> None:
    with limited(spilled, max_temp_directory_size="20MB") as connection:
        found = partitions(connection, folder / "run.parquet", folder / "qrels.parquet")
    assert found == Partitions(5, (-7, 39_992))


@pytest.mark.parametrize(
    ("setting", "value", "room"),
    [
        ("max_temp_directory_size", "2MB", 2_000_000),
        ("max_temp_directory_size", "1B", 1),
        ("temp_directory", "", 0),
        ("temp_directory", "/no/such/folder", 0),
        ("temp_file_encryption", "true", 0),
        ("enable_external_access", "false", 0),
    ],
)
def test_files_may_be_written_where_duckdb_may_spill(spilled: Path, setting: str, value: str, room: int) -> None:
    with limited(spilled) as connection:
        assert DuckDB(connection).scratch_bytes() > 1_000_000_000
        connection.execute(f"SET {setting} = '{value}'")
        assert DuckDB(connection).scratch_bytes() == pytest.approx(room, rel=0.1)


@pytest.mark.parametrize("kind", ["HUGEINT", "VARCHAR"])
def test_queries_that_are_not_integers_of_parquet_are_not_written(spilled: Path, kind: str) -> None:
    with limited(spilled) as connection:
        connection.execute(f"CREATE TABLE run AS SELECT * REPLACE (CAST(part AS {kind}) AS part) FROM ({SCATTERED})")
        connection.execute(f"CREATE TABLE qrels AS SELECT * REPLACE (CAST(part AS {kind}) AS part) FROM ({QRELS})")
        assert not partitions(connection, "run", "qrels").are_written


def written(session: DuckDB, number: str) -> AbstractContextManager[list[exp.Expr]]:
    """Write the numbers 0 to 999,999 in partitions by their remainder."""
    numbers = exp.select("i % 3 AS part", f"{number} AS number", dialect="duckdb")
    return session.write_partitions(numbers.from_("range(1000000) AS t(i)", dialect="duckdb"), "part")


def test_each_relation_has_the_rows_of_one_value(spilled: Path) -> None:
    counted = exp.select("min(number % 3)", "count(DISTINCT number)")
    with limited(spilled) as connection:
        session = DuckDB(connection)
        with written(session, "i") as relations:
            found = [session.rows(counted.from_(each)) for each in relations]
    assert found == [[(0, 333_334)], [(1, 333_333)], [(2, 333_333)]]


def test_files_are_removed_after_an_error(spilled: Path) -> None:
    number = "CASE WHEN i < 900000 THEN i ELSE error('stop') END"
    with limited(spilled) as connection:
        writing = written(DuckDB(connection), number)
        with pytest.raises(EngineError, match="stop"):
            writing.__enter__()


def test_files_are_removed_after_an_interrupt(spilled: Path) -> None:
    def interrupted() -> None:
        with written(DuckDB(connection), "i"):
            [folder] = spilled.parent.iterdir()
            assert {each.name for each in (folder / "rows").iterdir()} == {"part=0", "part=1", "part=2"}
            assert folder.stat().st_mode & 0o777 == 0o700
            raise KeyboardInterrupt

    with limited(spilled) as connection, pytest.raises(KeyboardInterrupt):
        interrupted()


def test_a_folder_that_is_not_there_has_the_room_of_the_one_above(tmp_path: Path) -> None:
    free = free_bytes(str(tmp_path / "a"), "90% of available disk space")
    assert free > 0
    assert free_bytes(str(tmp_path / "a"), "1.0 MiB") == min(free, 2**20)
    assert free_bytes(str(tmp_path / "a" / "b"), "1.0 MiB") == 0


@pytest.mark.load
def test_duckdb_spills_after_files_were_written(spilled: Path) -> None:
    """DuckDB keeps the folder where it spills open: who removes it makes the next spill fail."""
    large = "CREATE OR REPLACE TEMP TABLE large AS SELECT hash(i) AS a, hash(a) AS b FROM range(8_000_000) t (i)"
    with limited(spilled) as connection:
        for _ in range(2):
            with written(DuckDB(connection), "i"):
                connection.execute(large)
            connection.execute("DROP TABLE large")
        connection.execute(large)
    assert not spilled.exists()


def test_rows_without_a_query_are_a_fault(folder: Path, spilled: Path) -> None:
    """The first 100,000 rows, by which the plan is chosen, hold no query."""
    first = f"(SELECT * REPLACE (NULL AS part) FROM '{folder}/run.parquet' LIMIT 100_000)"
    with limited(spilled) as connection:
        connection.execute(f"CREATE TABLE run AS {first} UNION ALL FROM '{folder}/run.parquet'")
        with pytest.raises(DataError, match="Column 'part', column 'number' or the model is NULL in the run"):
            evaluate("run", folder / "qrels.parquet", METRICS, connection=connection, **NAMED)
