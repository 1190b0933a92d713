"""How run and qrels were read is said in one line a side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import output_of

from recall_duckdb import check, evaluate
from recall_duckdb.cli import main

RUN = {"query": [1, 1], "item": ["a", "b"], "score": [0.9, 0.1]}
QRELS = {"query": [1], "item": ["a"], "relevance": [1]}

OF_QRELS = "qrels: dict, 1 row; query, item, relevance (relevant above 0)"
# What was given, with the arguments, and how the run was read, and the qrels if not as above.
READ: dict[str, tuple[Any, Any, dict[str, Any], list[str]]] = {
    "distances that rank the nearest last": (
        {"query": [1, 1], "item": ["a", "b"], "vec_dst": [0.1, 0.9]},
        QRELS,
        {"score": "vec_dst"},
        ["run: dict, 2 rows; query, item, vec_dst (highest first)"],
    ),
    "distances": (
        {"query": [1, 1], "item": ["a", "b"], "distance": [0.1, 0.9]},
        QRELS,
        {"score": "distance", "order": "ascending"},
        ["run: dict, 2 rows; query, item, distance (lowest first)"],
    ),
    "a forgotten key column": (
        {**RUN, "tongue": ["en", "en"], "price": [1, 2]},
        {**QRELS, "tongue": ["en"]},
        {},
        [
            "run: dict, 2 rows; query, item, score (highest first); not used: tongue and price",
            "qrels: dict, 1 row; query, item, relevance (relevant above 0); not used: tongue",
        ],
    ),
    "two models under an unusual name": (
        {**RUN, "arm": ["x", "y"]},
        QRELS,
        {},
        ["run: dict, 2 rows; query, item, score (highest first); not used: arm"],
    ),
    "two models": (
        {**RUN, "arm": ["x", "y"]},
        QRELS,
        {"model": "arm"},
        ["run: dict, 2 rows; query, item, score (highest first); model: arm"],
    ),
    "lists of scores next to lists of items": (
        {"query": [1], "item": [["a", "b"]], "y_hat": [[0.1, 0.9]]},
        QRELS,
        {},
        ["run: dict, 1 row; query, item (lists, best first); not used: y_hat"],
    ),
    "a path into objects": (
        {"query": [1], "response": [[{"id": "a", "score": 0.1}, {"id": "b", "score": 0.9}]]},
        {"query": [1], "item": ["a"], "relevance": [1]},
        {"item": "response.id", "qrels_item": "item"},
        ["run: dict, 1 row; query, response.id (lists, best first)"],
    ),
    "judgements in the objects of the run": (
        {"query": [1], "item": [["a", "b"]], "g": [[{"id": "a", "grade": 1}, {"id": "b", "grade": 0}]]},
        None,
        {"qrels_item": "g.id", "relevance": "g.grade"},
        [
            "run: dict, 1 row; query, item (lists, best first)",
            "qrels: dict, 1 row; query, g.id (maps of relevance, relevant above 0)",
        ],
    ),
    "purchases": (
        {"user": [1], "sku": ["a"], "score": [1.0]},
        {"user": [1], "sku": ["a"], "bought_at": ["2026-01-01"]},
        {"query": "user", "item": "sku", "relevance": None},
        [
            "run: dict, 1 row; user, sku, score (highest first)",
            "qrels: dict, 1 row; user, sku, every row relevant; not used: bought_at",
        ],
    ),
    "a threshold, and qrels with other names": (
        RUN,
        {"user": [1], "movie": ["a"], "stars": [5]},
        {"qrels_query": "user", "qrels_item": "movie", "relevance": "stars", "threshold": 4, "ids": "text"},
        [
            "run: dict, 2 rows; query, item, score (highest first); ids as text",
            "qrels: dict, 1 row; user, movie, stars (relevant from 4); ids as text",
        ],
    ),
    "ranks, with pairs left out": (
        {"query": [1, 1], "item": ["a", "b"], "position": [1, 2]},
        QRELS,
        {"rank": "position", "exclude": {"query": [1], "item": ["b"]}, "items": ["a", "b"]},
        ["run: dict, 2 rows; query, item, position (rank, lowest first); exclude: dict, 1 row; items: 2 rows"],
    ),
    "ranks as they are": (
        {"query": [1], "item": ["a"], "rank": [3]},
        QRELS,
        {"rank": "rank", "ranks": "given"},
        ["run: dict, 1 row; query, item, rank (ranks as given)"],
    ),
    "labels in the run, with slices": (
        {**RUN, "label": [1, 0], "country": ["NL", "NL"]},
        None,
        {"relevance": "label", "by": "country"},
        ["run: dict, 2 rows; query, item, score (highest first), label (relevant above 0); by: country"],
    ),
    "runs that are read alike": (
        {"old": RUN, "new": {"query": [1], "item": ["a"], "score": [0.9]}},
        {1: {"a": 1}},
        {},
        [
            "runs: dict, 3 rows; query, item, score (highest first)",
            "qrels: 1 row; query, item, relevance (relevant above 0)",
        ],
    ),
    "runs of scores and of ranks": (
        {"old": RUN, "new": {"query": [1], "item": ["a"], "place": [1]}},
        QRELS,
        {"rank": "place"},
        [
            "run old: dict, 2 rows; query, item, score (highest first)",
            "run new: dict, 1 row; query, item, place (rank, lowest first)",
        ],
    ),
    "maps of relevance": (
        RUN,
        {"query": [1], "item": [{"a": 1}]},
        {},
        [
            "run: dict, 2 rows; query, item, score (highest first)",
            "qrels: dict, 1 row; query, item (maps of relevance, relevant above 0)",
        ],
    ),
}


@pytest.mark.parametrize(("run", "qrels", "arguments", "lines"), READ.values(), ids=READ)
@pytest.mark.filterwarnings("ignore::recall_duckdb.RecallWarning")
def test_a_result_says_how_its_data_were_read(
    run: Any, qrels: Any, arguments: dict[str, Any], lines: list[str]
) -> None:
    result = evaluate(run, qrels, "recall@2", **arguments)
    lines = lines if qrels is None or lines[-1].startswith("qrels") else [*lines, OF_QRELS]
    assert result.read_as == lines
    assert set(lines) <= set(repr(result).splitlines())


@pytest.mark.parametrize("ties", ["item_desc", "expected"])  # answered by one statement, or by several
def test_rows_are_counted_if_that_reads_none_of_them(tmp_path: Path, ties: Any) -> None:
    connection = duckdb.connect()
    for name, rows in (("a", 2), ("b", 3)):
        relation = connection.sql(f"SELECT '{name}' AS query, i AS item, 0.5 AS score FROM range({rows}) AS t (i)")
        relation.write_parquet(str(tmp_path / f"{name}.parquet"))
        relation.write_csv(str(tmp_path / f"{name}.csv"))
    qrels = {"query": ["a", "b"], "item": [0, 0]}

    def rows_in(pattern: str) -> str:
        result = evaluate(str(tmp_path / pattern), qrels, relevance=None, ties=ties)
        return result.read_as[0].partition(";")[0].removeprefix(f"run: {tmp_path}/")

    assert rows_in("a.parquet") == "a.parquet, 2 rows"
    assert rows_in("*.parquet") == "*.parquet, 5 rows"
    assert rows_in("a.csv") == "a.csv"
    connection.sql("SELECT 'a' AS query, 0 AS item, 0.5 AS score").write_parquet(str(tmp_path / "a.parquet"))
    assert rows_in("a.parquet") == "a.parquet, 1 row"


def test_rows_of_a_small_table_are_counted() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE recs AS SELECT 1 AS query, 'a' AS item, CAST(0.5 AS DOUBLE) AS score")
        first = evaluate("recs", QRELS, connection=connection)
        assert first.read_as[0] == "run: recs, 1 row; query, item, score (highest first)"
        connection.execute("INSERT INTO recs VALUES (1, 'b', 0.4)")
        second = evaluate(
            "recs", connection.sql("SELECT 1 AS query, 'a' AS item, 1 AS relevance"), connection=connection
        )
        assert second.read_as == [
            "run: recs, 2 rows; query, item, score (highest first)",
            "qrels: DuckDBPyRelation, 1 row; query, item, relevance (relevant above 0)",
        ]
        assert first.read_as[0] == "run: recs, 1 row; query, item, score (highest first)"


@pytest.mark.slow
def test_commands_and_reports_say_how_the_data_were_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.csv").write_text("query,item,score,lang\n1,a,0.9,en\n1,b,0.1,en\n")
    (tmp_path / "qrels.csv").write_text("query,item,relevance,lang\n1,a,1,en\n")
    lines = [
        f"run: {tmp_path}/run.csv; query, item, score (highest first); not used: lang",
        f"qrels: {tmp_path}/qrels.csv; query, item, relevance (relevant above 0); not used: lang",
    ]
    files = [str(tmp_path / "run.csv"), "--qrels", str(tmp_path / "qrels.csv"), "-m", "rr"]
    for options in ([], ["--intervals"]):
        assert set(lines) <= set(output_of(capsys, "evaluate", *files, *options).splitlines())
        assert main(["evaluate", *files, *options, "--format", "json"]) == 0
        assert [row["read_as"] for row in json.loads(capsys.readouterr().out)] == [lines]
    main(["check", *files])
    assert set(lines) <= set(capsys.readouterr().out.splitlines())
    main(["check", *files, "--format", "json"])
    assert capsys.readouterr().err.splitlines() == [f"recall-duckdb: {line}" for line in lines]
    assert main(["report", *files, "-o", str(tmp_path / "report.html")]) == 0
    page = (tmp_path / "report.html").read_text("utf-8")
    assert all(line in page for line in lines)


def test_faults_say_how_the_data_were_read() -> None:
    assert check(RUN, QRELS).read_as == evaluate(RUN, QRELS).read_as
