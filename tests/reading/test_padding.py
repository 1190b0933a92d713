"""Items that only fill up short lists, such as -1 in the results of vector indexes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow
import pytest
from asking import fails
from forms import assert_same, in_lists, in_rows, only, with_any_number_of_rows

from recall_duckdb import DataError, agreement, check, evaluate, install, pool

RUN = {"query": [1, 1, 2], "item": [5, -1, 6], "score": [2, 1, 1]}
QRELS = {"query": [1, 2], "item": [5, 6], "relevance": [1, 1]}


@pytest.mark.parametrize(
    ("run", "example"),
    [
        (RUN, "query=1, item=-1"),
        (pyarrow.table({**RUN, "item": [5.0, -1.0, 6.0]}), "query=1, item=-1"),
        (pyarrow.table({**RUN, "item": pyarrow.array([5, 2**32 - 1, 6], "uint32")}), "query=1, item=4294967295"),
        (pyarrow.table({**RUN, "item": pyarrow.array([5, 2**64 - 1, 6], "uint64")}), f"query=1, item={2**64 - 1}"),
        ({"query": [1, 2], "item": [[5, 7], [6, -1]]}, "query=2, item=-1"),
        ({"query": [1, 2], "item": np.array([[5, 7], [6, -1]])}, "query=2, item=-1"),
        ({**RUN, "relevance": [1, 0, 1]}, "query=1, item=-1"),
    ],
)
def test_padding_is_refused_by_name_in_every_shape(run: Any, example: str) -> None:
    qrels = None if "relevance" in (run if isinstance(run, dict) else {}) else QRELS
    expected = (
        r"^The run holds an item with which vector indexes fill short lists \(column 'item'\), and which is relevant "
        rf"for no query \(1 case\), for example {example}\. If it is filler, remove it from the run\. If it is a real "
        r"item, pass padding='keep'\.$"
    )
    fails(DataError, expected, evaluate, run, qrels, "recall@2")
    assert evaluate(run, qrels, "recall@2", padding="keep").value("recall@2") == 1


@pytest.mark.parametrize(
    ("items", "relevant"),
    [
        ([5, -1, -2], 5),
        ([5, -1, 6], -1),
        (["5", "-1", "b"], "5"),
        (["5", "-1", "-2"], "5"),
        (["5", "-1", "6"], "-1"),
        ([5, 2**32 - 1, 6], 5),
    ],
)
def test_an_item_that_may_be_real_is_kept(items: list[Any], relevant: Any) -> None:
    qrels = {"query": [1], "item": [relevant], "relevance": [1]}
    assert evaluate({**RUN, "item": items}, qrels, "recall@2").value("recall@2") == 1


def test_padding_of_the_relevant_items_is_refused() -> None:
    found, relevant = np.array([[5, 7], [6, -1]]), np.array([[5, -1], [6, -1]])
    labelled = {"query": [1], "item": [[5, 7]], "relevance": [[5, -1]]}
    for run, qrels in (
        (found[:, :1], relevant),
        (found, relevant),
        (found, {"query": [0, 1], "item": relevant}),
        (found, dict(enumerate(relevant))),
    ):
        given = run if isinstance(qrels, np.ndarray) else dict(enumerate(run))
        with pytest.raises(DataError, match=r"The qrels hold an item with which vector indexes .* example query=0"):
            evaluate(given, qrels, "recall@2")
        assert evaluate(given, qrels, "recall@2", padding="keep").value("recall@2") != 0
    fails(DataError, "remove it from the lists of the qrels", evaluate, labelled, None, "recall@2")
    negative = evaluate({"query": [1], "item": [[5, -1]]}, {"query": [1], "item": [[-1, -2]]}, "recall@2")
    assert negative.value("recall@2") == 0.5


@pytest.mark.parametrize(
    ("run_type", "qrels_type", "filler"),
    [("int64", "uint32", 2**32 - 1), ("uint32", "int64", -1), ("uint8", "int64", -1)],
)
def test_padding_of_each_side_is_found_by_its_own_type(run_type: str, qrels_type: str, filler: int) -> None:
    run = pyarrow.table({**RUN, "item": pyarrow.array([5, 7, 6], run_type)})
    relevant = pyarrow.array([[5, filler], [6, 7]], pyarrow.list_(getattr(pyarrow, qrels_type)()))
    for qrels in (
        pyarrow.table({"query": [1, 2], "item": relevant}),
        {1: np.array([5, filler], qrels_type), 2: np.array([6, 7], qrels_type)},
    ):
        with pytest.raises(DataError, match=rf"^The qrels hold an item with which .* query=1, item={filler}\."):
            evaluate(run, qrels, "recall@2", relevance=None)
        assert "qrels_padding" in [fault.check for fault in check(run, qrels, "recall@2", relevance=None)]
        assert evaluate(run, qrels, "recall@2", relevance=None, padding="keep").value("recall@2") == 0.5


def test_padding_of_labels_is_found_by_their_own_type() -> None:
    relevant = pyarrow.array([[5, 2**32 - 1]], pyarrow.list_(pyarrow.uint32()))
    run = pyarrow.table({"query": [1], "item": [[5, 7]], "bought": relevant})
    with pytest.raises(DataError, match=r"^The qrels hold an item with which .* query=1, bought=4294967295\."):
        evaluate(run, metrics="recall@2", relevance="bought")


def test_unsigned_padding_may_be_compared_as_text() -> None:
    run = pyarrow.table({**RUN, "item": pyarrow.array([5, 2**32 - 1, 6], "uint32")})
    with pytest.raises(DataError, match="item with which vector indexes fill short lists .*item='4294967295'"):
        evaluate(run, {**QRELS, "item": ["5", "6"]}, "recall@2", ids="text")


def test_padding_of_a_csv_file_has_the_type_of_the_ids_on_the_other_side(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query,item,score\n1,5,2\n1,-1,1\n2,6,1\n")
    for qrels in (QRELS, {"query": [1, 2], "item": [[5], [6]]}):
        with pytest.raises(DataError, match="item with which vector indexes fill short lists .*item='-1'"):
            evaluate(tmp_path / "run.csv", qrels, "recall@2", relevance=None)


@pytest.mark.slow
def test_macros_find_padding_by_the_type_of_the_run() -> None:
    connection = duckdb.connect()
    install(connection)
    connection.execute(
        "CREATE TABLE run AS FROM (VALUES (1, 5, 2), (1, 4294967295, 1), (2, 6, 1)) AS given (query, item, score);"
        "CREATE TABLE unsigned_run AS SELECT query, CAST(item AS UINTEGER) AS item, score FROM run;"
        "CREATE TABLE qrels AS FROM (VALUES (1, 5, 1), (2, 6, 1)) AS given (query, item, relevance);"
        "CREATE TABLE unsigned_qrels AS SELECT query, CAST(item AS UINTEGER) AS item, relevance FROM qrels;"
    )
    for qrels in ("qrels", "unsigned_qrels"):
        with pytest.raises(duckdb.Error, match="fill short lists"):
            connection.sql(f"FROM recall_duckdb.recall_at_k('unsigned_run', '{qrels}', 2)").fetchall()
        assert connection.sql(f"SELECT value FROM recall_duckdb.recall_at_k('run', '{qrels}', 2)").fetchall() == [
            (1.0,)
        ]


TEXT_RUN = {**RUN, "item": ["5", "-1", "6"]}
TEXT_QRELS = {**QRELS, "item": ["5", "6"]}


@pytest.mark.slow
@pytest.mark.parametrize("rows", [20_000, -1])
def test_padding_may_be_text(rows: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("recall_duckdb.answering.planning.FEW_ROWS", rows)
    (tmp_path / "run.csv").write_text("query,item,score\n1,5,2\n1,-1,1\n2,6,1\n")
    (tmp_path / "qrels.csv").write_text("query,item,relevance\n1,5,1\n2,6,1\n")
    given: list[tuple[Any, Any, dict[str, Any]]] = [
        (TEXT_RUN, TEXT_QRELS, {}),
        (tmp_path / "run.csv", tmp_path / "qrels.csv", {}),
        (RUN, TEXT_QRELS, {"ids": "text"}),
        ({"query": [1, 2], "item": [["5"], ["6", "-1"]]}, TEXT_QRELS, {}),
    ]
    for run, qrels, policies in given:
        with pytest.raises(DataError, match="item with which vector indexes fill short lists .*item='-1'"):
            evaluate(run, qrels, "recall@2", **policies)
        assert evaluate(run, qrels, "recall@2", padding="keep", **policies).value("recall@2") == 1


def test_one_run_of_several_may_have_padding() -> None:
    unsigned = pyarrow.table({**RUN, "item": pyarrow.array([5, 7, 6], "uint32")})
    with pytest.raises(DataError, match="item with which vector indexes fill .*item=-1"):
        evaluate({"old": unsigned, "new": RUN}, QRELS, "recall@2")


def test_padding_may_be_removed_by_other_inputs() -> None:
    assert evaluate(RUN, QRELS, "recall@2", items={"item": [5, 6]}).value("recall@2") == 1
    assert evaluate(RUN, QRELS, "recall@2", exclude={"query": [1], "item": [-1]}).value("recall@2") == 1


def test_check_and_evaluate_count_the_rows_of_padding() -> None:
    run = {"query": [1, 1, 1], "item": [5, -1, -1], "score": [3, 2, 1]}
    fails(DataError, r"\(2 cases\)", evaluate, run, QRELS, "recall@2")
    assert [(fault.check, fault.faults) for fault in check(run, QRELS, "recall@1", skip="missing")] == [
        ("padding", 2),
        ("run_duplicates", 1),
    ]


def test_other_functions_refuse_padding_too() -> None:
    assert [fault.check for fault in check(RUN, QRELS, "recall@1", skip=["unjudged_items"])] == ["padding"]
    fails(DataError, "item with which vector indexes fill short lists", pool, RUN, QRELS, "recall@2")
    with pytest.raises(DataError, match="item with which vector indexes fill short lists"):
        agreement({"old": RUN, "new": RUN}, baseline="old")


@pytest.mark.parametrize("key", ["row", "cutoff", "numbers"])
def test_large_runs_are_looked_at_with_every_key(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_any_number_of_rows(monkeypatch)
    only(monkeypatch, key)
    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE run AS SELECT i // 10 AS query, i % 10 - 1 AS item, i % 7 AS score FROM range(400) t (i)"
    )
    connection.execute("CREATE TABLE qrels AS SELECT i AS query, 3 AS item, 1 AS relevance FROM range(40) t (i)")
    with pytest.raises(DataError, match=r"\(40 cases\), for example query=0, item=-1"):
        evaluate("run", "qrels", "recall@2", connection=connection)
    kept = evaluate("run", "qrels", "recall@10", connection=connection, padding="keep")
    assert kept.value("recall@10") == 1


@pytest.mark.parametrize("key", ["row", "cutoff", "numbers"])
def test_distances_give_the_same_values_with_every_key(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_any_number_of_rows(monkeypatch)
    only(monkeypatch, key)
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE run AS SELECT i // 10 AS query, i % 10 AS item, (i * 31 % 11 - 5) / 4 AS distance "
            "FROM range(400) AS t (i)"
        )
        connection.execute(
            "CREATE TABLE qrels AS SELECT i AS query, i % 10 AS item, 1 AS relevance FROM range(40) t (i)"
        )
        asked: dict[str, Any] = {"score": "distance", "order": "ascending", "connection": connection}
        found = in_lists("run", "qrels", "ndcg@3", **asked)
        assert found is not None
        assert_same(found, in_rows("run", "qrels", "ndcg@3", **asked))
