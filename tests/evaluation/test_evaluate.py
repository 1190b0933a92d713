"""The inputs and the result of evaluate(): every kind of source, every shape, slices and models."""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import fails, metric_file

import recall_duckdb
from recall_duckdb import Counts, check, evaluate, pool
from recall_duckdb.engines import IS_DUCKDB_1
from recall_duckdb.errors import ArgumentTypeError, DataError

RUN: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q2", "q9"],
    "item": ["a", "b", "c", "a"],
    "score": [0.9, 0.8, 0.7, 0.6],
}
QRELS: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q2", "q3"],
    "item": ["b", "x", "c", "d"],
    "relevance": [1, 1, 1, 1],
}
# q1 finds one of two items, at rank 2; q2 finds one of one; q3 is missing; q9 is not judged: (1/2 + 1 + 0) / 3
RECALL = 0.5


def as_parquet(folder: Path, name: str, columns: dict[str, Any]) -> str:
    path = folder / f"{name}.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return str(path)


def as_csv(folder: Path, name: str, columns: dict[str, Any]) -> str:
    pl.DataFrame(columns).write_csv(folder / f"{name}.csv")
    return str(folder / f"{name}.csv")


def as_json(folder: Path, name: str, columns: dict[str, Any]) -> str:
    path = folder / f"{name}.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in pl.DataFrame(columns).to_dicts()))
    return str(path)


def as_trec(folder: Path, name: str, columns: dict[str, Any]) -> str:
    path = folder / f"{name}.trec.gz"
    rows = pl.DataFrame(columns).rows()
    if name == "run":
        lines = [f"{query}  Q0 {item}  1 {score} tag" for query, item, score in rows]
    else:
        lines = [f"{query} 0 {item} {relevance}" for query, item, relevance in rows]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return str(path)


SOURCES: dict[str, Callable[[Path, str, dict[str, Any]], object]] = {
    "a parquet path": as_parquet,
    "a Path": lambda folder, name, columns: Path(as_parquet(folder, name, columns)),
    "a glob": lambda folder, name, columns: as_parquet(folder, name, columns).replace(name, f"{name[:2]}*"),
    "a list of paths": lambda folder, name, columns: [as_parquet(folder, name, columns)],
    "a CSV file": as_csv,
    "a JSON file": as_json,
    "a TREC file": as_trec,
    "a pandas frame": lambda folder, name, columns: pd.DataFrame(columns),
    "a pandas frame of categories": lambda folder, name, columns: pd.DataFrame(columns).astype({"item": "category"}),
    "a polars frame": lambda folder, name, columns: pl.DataFrame(columns),
    "a polars lazy frame": lambda folder, name, columns: pl.LazyFrame(columns),
    "a pyarrow table": lambda folder, name, columns: pa.table(columns),
    "a dict of lists": lambda folder, name, columns: columns,
    "a dict of arrays": lambda folder, name, columns: {key: np.array(values) for key, values in columns.items()},
    "a dict of series": lambda folder, name, columns: {key: pd.Series(values) for key, values in columns.items()},
}


@pytest.mark.product
@pytest.mark.parametrize("run_kind", SOURCES)
@pytest.mark.parametrize("qrels_kind", ["a parquet path", "a CSV file", "a TREC file", "a dict of lists"])
def test_all_kinds_of_sources_combine(run_kind: str, qrels_kind: str, tmp_path: Path) -> None:
    run = SOURCES[run_kind](tmp_path, "run", RUN)
    qrels = SOURCES[qrels_kind](tmp_path, "qrels", QRELS)
    assert evaluate(run, qrels).value("recall@10") == RECALL


def test_hive_partitions_are_columns(tmp_path: Path) -> None:
    for query in ("q1", "q2", "q9"):
        folder = tmp_path / "run" / f"query={query}"
        folder.mkdir(parents=True)
        pl.DataFrame(RUN).filter(pl.col("query") == query).drop("query").write_parquet(folder / "part.parquet")
    assert evaluate(tmp_path / "run", QRELS).value("recall@10") == RECALL
    assert evaluate(str(tmp_path / "run" / "*" / "*.parquet"), QRELS).value("recall@10") == RECALL


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.register("run_frame", pa.table(RUN))
    connection.register("qrels_frame", pa.table(QRELS))
    connection.execute(
        'CREATE SCHEMA s; CREATE TABLE s."it\'s; ""mine"" --" AS FROM run_frame; CREATE VIEW judged AS FROM qrels_frame'
    )
    return connection


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        ('s.it\'s; "mine" --', "judged"),
        ('memory.s.it\'s; "mine" --', "JUDGED"),
        (lambda connection: connection.sql("SELECT * FROM run_frame WHERE score > 0"), "qrels_frame"),
        *(("ranked", "judged"), ("metrics", "judged")),  # the names of relations in our SQL
        ({name.upper(): values for name, values in RUN.items()}, "judged"),
    ],
)
def test_tables_views_and_relations_of_a_connection_are_read(
    run: Any, qrels: str, connection: duckdb.DuckDBPyConnection
) -> None:
    connection.execute("CREATE TABLE ranked AS FROM run_frame; CREATE TABLE metrics AS FROM run_frame")
    given = run(connection) if callable(run) else run
    assert evaluate(given, qrels, connection=connection).value("recall@10") == RECALL


def test_a_bare_name_resolves_as_in_duckdb(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "ATTACH ':memory:' AS aaa; CREATE TABLE aaa.run AS SELECT 'q1' AS query, 'z' AS item, 1 AS score"
    )
    connection.execute("CREATE SCHEMA other; CREATE TABLE other.run AS FROM aaa.run; CREATE VIEW run AS FROM run_frame")
    assert evaluate("run", "judged", connection=connection).value("recall@10") == RECALL
    connection.execute("CREATE TEMP VIEW run AS FROM aaa.run")
    assert evaluate("run", "judged", connection=connection).value("recall@10") == 0.0


def test_a_relation_brings_its_connection(connection: duckdb.DuckDBPyConnection) -> None:
    """DuckDB 1 does not tell the connection of a relation, which is named then."""
    run, qrels = connection.sql("FROM run_frame"), connection.sql("FROM judged")
    given: dict[str, Any] = {"connection": connection} if IS_DUCKDB_1 else {}
    assert evaluate(run, qrels, **given).value("recall@10") == RECALL
    assert evaluate(run, "judged", **given).value("recall@10") == RECALL
    assert check(run, qrels, **given).rows == check("run_frame", "judged", connection=connection).rows
    assert pool(run, qrels, "rr", **given).fetchall() == pool(run, "judged", "rr", connection=connection).fetchall()


def test_a_relation_of_another_connection_is_refused_with_what_to_pass(connection: duckdb.DuckDBPyConnection) -> None:
    with duckdb.connect() as other:
        other.register("their_qrels", pa.table(QRELS))
        qrels = other.sql("FROM their_qrels")
        with pytest.raises(ArgumentTypeError, match=r"pass that one as connection=, or .* qrels\.to_arrow_table\(\)"):
            evaluate(connection.sql("FROM run_frame"), qrels, connection=connection)
        run = connection.sql("FROM run_frame")
        assert evaluate(run, qrels.to_arrow_table(), connection=connection).value("recall@10") == RECALL


def test_text_ids_compare_by_their_bytes_under_any_collation(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("""
        CREATE TABLE collated
            (query TEXT COLLATE NOCASE, item TEXT COLLATE NOCASE, score INT, site TEXT COLLATE NOCASE);
        INSERT INTO collated VALUES ('q', 'a', 2, 's'), ('q', 'A', 1, 's'), ('Q', 'B', 1, 'S'), ('Q', 'a', 1, 'S');
    """)
    qrels = {"query": ["q", "Q"], "item": ["A", "B"], "relevance": [1, 1]}
    for run in ("collated", connection.sql("FROM collated")):
        result = evaluate(run, qrels, "rr", by="site", connection=connection)
        assert result.per_query.fetchall() == [("run", "Q", "S", 0.5), ("run", "q", "s", 0.5)]
    statement = recall_duckdb.sql("collated", "judged", connection=connection, dialect="snowflake")
    assert "COLLATE" not in statement


def test_a_column_name_may_contain_anything() -> None:
    names = ['User Id"; DROP TABLE run; --', "it`s\nitem", "Punktzahl 🎯 $k {score}"]
    run = dict(zip(names, RUN.values(), strict=True))
    qrels = {**dict(zip(names, QRELS.values(), strict=False)), "relevance": QRELS["relevance"]}
    result = evaluate(run, qrels, query=names[0], item=names[1], score=names[2])
    assert result.value("recall@10") == RECALL
    assert result.per_query.columns == ["model", names[0], "recall@10"]


@pytest.mark.parametrize(
    ("run", "qrels", "expected"),
    [
        ("7,007,2\n7,7,1\n007,NULL,1\n", "7,7,1\n007,NULL,1\n", {"007": 1.0, "7": 0.5}),
        ("1,10,2\n1,9,2\n", {"query": [1], "item": [9], "relevance": [1]}, {"1": 1.0}),  # as text, 9 is first
    ],
    ids=["text", "numbers"],
)
def test_ids_in_csv_are_text_also_if_the_qrels_have_numbers(
    run: str, qrels: Any, expected: dict[Any, float], tmp_path: Path
) -> None:
    (tmp_path / "run.csv").write_text(f"query,item,score\n{run}")
    if isinstance(qrels, str):
        (tmp_path / "qrels.csv").write_text(f"query,item,relevance\n{qrels}")
        qrels = tmp_path / "qrels.csv"
    assert {row[1]: row[2] for row in evaluate(tmp_path / "run.csv", qrels, "rr").per_query.fetchall()} == expected


def test_parquet_files_of_differing_number_types_have_the_wider_type(tmp_path: Path) -> None:
    pl.DataFrame({"query": [1], "item": ["a"], "relevance": [1]}).write_parquet(tmp_path / "qrels_1.parquet")
    pl.DataFrame({"query": [2], "item": ["b"], "relevance": [0.4]}).write_parquet(tmp_path / "qrels_2.parquet")
    run = {"query": [1, 2], "item": ["a", "b"], "score": [1, 1]}
    paths = [tmp_path / "qrels_1.parquet", tmp_path / "qrels_2.parquet"]
    for qrels in (paths, tmp_path / "*.parquet", tmp_path):
        assert evaluate(run, qrels, "dcg").value("dcg") == pytest.approx((1 + 0.4) / 2, abs=1e-15)


def test_models_and_slices_in_csv_stay_text(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("system,query,item,score,zip\n1.50,1,a,1,10.0\n1.5,1,b,1,10.0\n")
    qrels = {"query": ["1"], "item": ["a"], "relevance": [1]}
    result = evaluate(tmp_path / "run.csv", qrels, "rr", model="system", by="zip")
    assert [(row["model"], row["zip"], row["value"]) for row in result.to_dicts()] == [
        ("1.5", None, 0.0), ("1.5", "10.0", 0.0), ("1.50", None, 1.0), ("1.50", "10.0", 1.0),
    ]  # fmt: skip


def test_a_file_name_that_looks_like_a_glob_is_read_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "a[1]"
    folder.mkdir()
    for name in ("run[1]", "run*", "run?", "run1", "run12"):
        score = 0.1 if name in ("run1", "run12") else 0.9
        pl.DataFrame({**RUN, "score": [0.8, score, 0.7, 0.6]}).write_csv(folder / f"{name}.csv")
    for name in ("run[1]", "run*", "run?"):
        assert evaluate(folder / f"{name}.csv", QRELS, "rr").value("rr") == pytest.approx((1 + 1 + 0) / 3)
    assert evaluate(folder / "run1.csv", QRELS, "rr").value("rr") == (0.5 + 1 + 0) / 3
    pl.DataFrame(RUN).write_parquet(folder / "run.parquet")
    assert evaluate(folder, QRELS).value("recall@10") == RECALL


def test_lines_of_a_trec_file_may_end_in_lf_or_crlf(tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(b"q1 Q0 a 1 0.9 m\r\nq1 Q0 b 2 0.8 m\n\r\nq2 Q0 c 1 0.7 m\r\n")
    (tmp_path / "qrels").write_bytes(b"q1 0 b 1\nq1 0 x 1\nq2 0 c 1\r\nq3 0 d 1\r\n\n")
    assert evaluate(tmp_path / "run", tmp_path / "qrels").value("recall@10") == RECALL


@pytest.mark.parametrize("dtype", [">i8", "<i8", ">f8", "f2", "longdouble"])
@pytest.mark.parametrize("query", [np.array([1, 1]), [1, 1]])
def test_arrays_of_any_byte_order_and_width_are_read(dtype: str, query: Any) -> None:
    run = {"query": query, "item": np.array([1, 2]), "score": np.array([2, 3], dtype)}
    assert evaluate(run, {"query": [1], "item": [2], "relevance": np.array([1], dtype)}, "rr").value("rr") == 1.0


def test_labels_in_csv_may_be_true_and_false(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("query,item,score,relevance\n1,a,2,false\n1,b,1,true\n")
    assert evaluate(tmp_path / "run.csv", metrics="rr").value("rr") == 0.5


def test_hive_partitions_of_csv_files_are_text_ids(tmp_path: Path) -> None:
    for query in ("07", "7"):
        (tmp_path / f"query={query}").mkdir()
        (tmp_path / f"query={query}" / "run.csv").write_text(f"item,score\n{query},1\n")
    qrels = {"query": ["07", "7"], "item": ["07", "07"], "relevance": [1, 1]}
    result = evaluate(tmp_path / "*" / "*.csv", qrels, "rr")
    assert result.per_query.fetchall() == [("run", "07", 1.0), ("run", "7", 0.0)]


def test_text_in_json_that_looks_like_a_date_stays_text(tmp_path: Path) -> None:
    lines = [{"query": "2024-01-01", "item": "00000000-0000-0000-0000-00000000000A", "score": 1}]
    (tmp_path / "run.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    qrels = {"query": ["2024-01-01"], "item": ["00000000-0000-0000-0000-00000000000A"], "relevance": [1]}
    result = evaluate(tmp_path / "run.jsonl", qrels)
    assert result.per_query.fetchall() == [("run", "2024-01-01", 1.0)]
    (tmp_path / "lists.json").write_text('[{"query": "q", "item": ["2024-01-01", "b"], "relevance": ["2024-01-01"]}]')
    assert evaluate(tmp_path / "lists.json", metrics="rr").value("rr") == 1.0


def test_scores_in_json_may_have_their_first_decimals_late(tmp_path: Path) -> None:
    lines: list[dict[str, float]] = [{"query": 1, "item": item, "score": 5} for item in range(30_000)]
    lines += [{"query": 1, "item": -1, "score": 5.4}]
    (tmp_path / "run.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    assert evaluate(tmp_path / "run.jsonl", {"query": [1], "item": [-1], "relevance": [1]}, "rr").value("rr") == 1.0


def test_text_in_a_json_column_loses_its_quotes(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute(
        "CREATE TABLE kept AS SELECT to_json(query) AS query, to_json(item) AS item, score FROM run_frame"
    )
    assert evaluate("kept", "judged", connection=connection).value("recall@10") == RECALL


# --- shapes -----------------------------------------------------------------------------------------------------------


def test_lists_are_judged_by_lists_and_maps(tmp_path: Path) -> None:
    cases = {"query": [1, 2], "item": [["A", "B", "C"], ["N", "X"]], "relevance": [["A", "K"], []]}
    assert evaluate(cases, metrics="recall@1").value("recall@1") == 0.25
    path = tmp_path / "cases.parquet"
    pl.DataFrame(cases).write_parquet(path)
    assert evaluate(path, metrics="recall@1").value("recall@1") == 0.25
    graded = {**cases, "relevance": [{"A": 1.0, "C": 3.0}, {"N": 0.0}]}
    assert evaluate(graded, metrics="dcg@3").value("dcg@3") == pytest.approx((1 + 3 / 2) / 2, abs=1e-15)


@pytest.mark.parametrize("nulls", ["error", "drop"])
def test_slices_by_a_column_of_the_query_that_the_qrels_name_otherwise(nulls: Any) -> None:
    """Query (2, "tu") is missing from the run. The column day of the qrels is that of the judgement."""
    run = {"user": [1, 1, 2], "day": ["mo", "tu", "mo"], "item": ["a", "a", "b"], "score": [1, 1, 1]}
    qrels = {"who": [1, 1, 2], "when": ["mo", "tu", "tu"], "item": ["a", "b", "b"], "day": ["we", "th", "fr"]}
    names: dict[str, Any] = {"query": ["user", "day"], "qrels_query": ["who", "when"], "by": "Day", "relevance": None}
    result = evaluate(run, qrels, "recall", nulls=nulls, **names)
    assert [(row["Day"], row["value"], row["queries"]) for row in result.to_dicts()] == [
        (None, 1 / 3, 3),
        ("mo", 1.0, 1),
        ("tu", 0.0, 2),
    ]


@pytest.mark.parametrize("side", ["qrels", "run"])
def test_slices_come_with_the_total(side: str) -> None:
    run = {name: values[:3] for name, values in RUN.items()}
    qrels = {name: values[:3] for name, values in QRELS.items()}
    (qrels if side == "qrels" else run)["Country"] = ["NL", "NL", "BE"]
    result = evaluate(run, qrels, by="Country")
    assert result.means.columns == ["model", "Country", "metric", "k", "value", "queries"]
    assert result.means.fetchall() == [
        ("run", None, "recall", 10, 0.75, 2),
        ("run", "BE", "recall", 10, 1.0, 1),
        ("run", "NL", "recall", 10, 0.5, 1),
    ]
    assert result.value("recall@10", by={"Country": "BE"}) == 1.0


def test_nulls_drop_counts_a_query_without_a_slice_only_in_the_total() -> None:
    qrels = {**QRELS, "country": ["NL", "NL", "BE", None]}
    result = evaluate(RUN, qrels, by="country", nulls="drop")
    assert [(row["country"], row["queries"]) for row in result.to_dicts()] == [(None, 3), ("BE", 1), ("NL", 1)]


def test_a_skipped_query_needs_no_slice() -> None:
    run = {**RUN, "country": ["NL"] * len(RUN["query"])}
    fails(DataError, r"query='q3', country=None.*missing='skip' to leave out", evaluate, run, QRELS, by="country")
    result = evaluate(run, QRELS, by="country", missing="skip")
    assert [(row["country"], row["queries"]) for row in result.to_dicts()] == [(None, 2), ("NL", 2)]


def test_a_metric_file_is_a_metric(tmp_path: Path) -> None:
    last = "CAST(max(CASE WHEN rank = $k THEN is_relevant ELSE 0 END) AS DOUBLE)"
    metric_file(tmp_path, "last_hit", last, head="-- Params: $k.\n")
    found = "WITH found AS (SELECT model AS model, query AS query, rank AS rank FROM judged WHERE is_relevant = 1)\n"
    metric_file(tmp_path, "mean_rank", "avg(CAST(rank AS DOUBLE))", "FROM found", before=found)
    result = evaluate(
        {"one": RUN, "two": RUN}, QRELS, ["last_hit@1,2", "recall@1", "mean_rank"], metric_folder=tmp_path
    )
    rows = [row for row in result.per_query.fetchall() if row[0] == "two"]
    assert rows == [
        ("two", "q1", 0.0, 1.0, 0.0, 2.0),
        ("two", "q2", 1.0, 0.0, 1.0, 1.0),
        ("two", "q3", 0.0, 0.0, 0.0, 0.0),
    ]


# --- the result -------------------------------------------------------------------------------------------------------


def test_each_mean_of_the_values_of_queries() -> None:
    """Given the ranks 1 to 5, a quantile q is 1 + 4 * q."""
    run = {f"q{rank}": [*"vwxyz"[: rank - 1], "a"] for rank in range(1, 6)}
    expected = {
        **{"arithmetic": 3, "geometric": 120 ** (1 / 5), "sum": 15},
        **{"median": 3, "q10": 1.4, "q25": 2, "q75": 4, "q90": 4.6},
    }
    result = evaluate(run, {query: ["a"] for query in run}, [f"average_rank(mean={mean})" for mean in expected])
    found = dict(zip(expected, (row["value"] for row in result.to_dicts()), strict=True))
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


def test_tied_items_below_the_threshold_have_gains() -> None:
    """Given two tied items, of which one has grade 1 and none is relevant, each rank has a gain of 1/2."""
    run = {"query": ["q"] * 3, "item": ["a", "b", "c"], "score": [1.0, 1.0, 0.0]}
    qrels = {"query": ["q", "q"], "item": ["a", "c"], "relevance": [1, 3]}
    result = evaluate(run, qrels, ["dcg@1", "dcg@2", "recall@2", "recall@3"], ties="expected", threshold=2)
    expected = [1 / 2, 1 / 2 + 1 / 2 / math.log2(3), 0, 1]
    assert [row["value"] for row in result.to_dicts()] == pytest.approx(expected, rel=0, abs=1e-12)


def test_the_result_counts_queries() -> None:
    result = evaluate(RUN, {**QRELS, "relevance": [1, 1, 0, 1]})
    assert result.counts == {"run": Counts(judged=3, retrieved=3, both=2, without_relevant=1)}
    assert (result.counts["run"].missing, result.counts["run"].unjudged) == (1, 1)
    assert str(result).splitlines()[-3] == (
        "run: 3 queries judged, 2 retrieved; 1 missing from the run, counted as 0; 1 without relevant items, "
        "counted as 0; 1 retrieved but not judged, ignored"
    )


def test_the_means_convert_to_frames_and_dicts() -> None:
    result = evaluate(RUN, QRELS)
    expected = [{"model": "run", "metric": "recall", "k": 10, "value": RECALL, "queries": 3}]
    assert result.to_dicts() == expected
    assert result.to_pandas().to_dict("records") == result.df().to_dict("records") == expected
    assert result.to_polars().to_dicts() == expected
    assert result.to_arrow().to_pylist() == expected


def test_the_printed_result_has_a_column_for_each_model() -> None:
    result = evaluate({"one": RUN, "<two>": RUN}, QRELS, ["recall@1", "rr"])
    assert str(result).splitlines()[:4] == [
        "metric       one   <two>",
        "--------  ------  ------",
        "recall@1  0.3333  0.3333",
        "rr        0.5000  0.5000",
    ]
    assert '<th style="text-align:right">&lt;two&gt;</th>' in result._repr_html_()


def test_the_sql_of_the_result_gives_the_same_means(tmp_path: Path) -> None:
    run, qrels = as_parquet(tmp_path, "run", RUN), as_parquet(tmp_path, "qrels", QRELS)
    result = evaluate(run, qrels, ["recall@1,10", "ndcg", "ap@2"])
    rows, means = (sorted(each, key=str) for each in (duckdb.execute(result.sql).fetchall(), result.means.fetchall()))
    pairs = [*zip(rows, means, strict=True)]
    assert [(*one[:3], one[4]) for one, _ in pairs] == [(*other[:3], other[4]) for _, other in pairs]
    assert [one[3] for one, _ in pairs] == pytest.approx([other[3] for _, other in pairs], abs=1e-12)
    assert recall_duckdb.sql(run, qrels, ["recall@1,10", "ndcg", "ap@2"]) == result.sql


def test_sql_may_name_tables_of_another_database() -> None:
    statement = recall_duckdb.sql("shop.recs", "shop.purchases", query="user_id", dialect="snowflake")
    assert "FROM shop.recs" in statement
    assert re.search(r"QUALIFY\s+rank <= 10", statement)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("recs", "recs"), ("Shop.Recs$1", "Shop.Recs$1"), ("a.b.c", "a.b.c"), ("my shop.f(x)", '"my shop"."f(x)"'),
        ("it's a;b--", '"it\'s a;b--"'), ('we"ird', '"we""ird"'), ('"my.shop"."a""b"', '"my.shop"."a""b"'),
        ("`p-1.d`.t", '"p-1.d".t'), ("[my shop].[a]]b]", '"my shop"."a]b"'),
    ],
)  # fmt: skip
def test_sql_quotes_the_name_of_a_table_only_if_needed(name: str, written: str) -> None:
    assert f"FROM {written}\n" in recall_duckdb.sql(name, "qrels")


def test_all_metrics_and_cutoffs_scan_the_run_once(tmp_path: Path) -> None:
    run, qrels = as_parquet(tmp_path, "run", RUN), as_parquet(tmp_path, "qrels", QRELS)
    statement = recall_duckdb.sql(run, qrels, ["recall@5,10,20,50", "precision@5", "ndcg@10", "ap@10", "rr@10", "f1@5"])
    [(_, plan)] = duckdb.execute(f"EXPLAIN {statement}").fetchall()
    assert plan.count("run.parquet") <= 1
    assert statement.count("read_parquet".upper()) + statement.count("read_parquet") == 2


@pytest.mark.parametrize("nulls", ["error", "last", "drop"])
def test_two_slices_of_a_query_are_found_before_duplicates_are_removed(nulls: Any) -> None:
    run = {"query": ["q"], "item": ["a"], "score": [1.0]}
    qrels = {"query": ["q", "q"], "item": ["a", "a"], "relevance": [1, 1], "country": ["DE", "US"]}
    with pytest.raises(DataError, match="A query has two values of column 'country'"):
        evaluate(run, qrels, "recall@1", by="country", duplicates="best", nulls=nulls)


def test_fixed_size_arrays_are_lists() -> None:
    relation = duckdb.sql("SELECT 1 AS query, array_value('a', 'b') AS item, ['b'] AS relevance")
    assert evaluate(relation, metrics="rr").value("rr") == 0.5


@pytest.mark.slow
def test_dropped_rows_are_counted() -> None:
    run = {**RUN, "score": [0.9, None, 0.7, float("nan")]}
    assert evaluate(run, QRELS, nulls="drop").counts["run"].run_rows_dropped == 2
    twice = {name: [*values, values[0]] for name, values in RUN.items()}
    assert evaluate(twice, QRELS, duplicates="best").counts["run"].run_rows_dropped == 1
