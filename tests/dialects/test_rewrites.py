"""Rewrites for dialects change only what they should, also in a user's metric file."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from asking import fails, metric_file
from engine_cases import OPTIONAL_INPUTS, assert_same, question
from engines.fusion import DataFusion
from engines.sqlite import SQLite

from recall_duckdb import ArgumentError, evaluate, sql

OWN = {
    "nan_first": "sum(CASE WHEN isnan(gain) THEN 7 WHEN is_relevant = 1 THEN 2 ELSE 3 END)",
    "nan_alone": "coalesce(sum(CASE WHEN isnan(gain) THEN 7 END), 1)",
    "nan_later": "sum(CASE WHEN gain > 9 THEN 9 WHEN isnan(CAST(rank AS DOUBLE)) THEN 7 ELSE 1 END)",
    "qualified": "max(run.rank)",
}
RANKS = "WITH run AS (SELECT model AS model, query AS query, rank AS rank FROM ranked) "


@pytest.mark.parametrize("name", OWN)
def test_a_custom_metric_gives_the_same_in_sqlite(name: str, tmp_path: Path) -> None:
    rest = ("FROM run", RANKS) if name == "qualified" else ()
    held, asked = question("every metric")
    asked = {**asked, "metrics": name, "metric_folder": metric_file(tmp_path, name, OWN[name], *rest)}
    asked = {key: value for key, value in asked.items() if key not in OPTIONAL_INPUTS}
    with closing(SQLite()) as server:
        server.load(held)
        found = evaluate(**asked, connection=server.connect())
        expected = evaluate(**{**asked, "run": held["run"], "qrels": held["qrels"]})
        assert_same(found.per_query.fetchall(), expected.per_query.fetchall())


@pytest.mark.needs("DataFusion")
@pytest.mark.parametrize(("ties", "expected"), [("optimistic", 1.0), ("pessimistic", 0.0)])
def test_data_fusion_orders_by_a_relevance_that_is_always_1(ties: Any, expected: float) -> None:
    run: dict[str, list[Any]] = {"query": ["q"] * 3, "item": ["a", "b", "c"], "score": [1.0] * 3}
    server = DataFusion()
    server.load({"run": run, "qrels": {"query": ["q"], "item": ["b"]}})
    text = sql("run", "qrels", "recall@1", relevance=None, ties=ties, dialect="datafusion")
    assert server.run(text)[1] == [("run", "recall", 1, expected, 1)]


@pytest.mark.parametrize("dialect", ["clickhouse", "exasol", "risingwave"])
def test_a_decimal_in_a_custom_metric_is_kept(dialect: str, tmp_path: Path) -> None:
    metric_file(tmp_path, "top", "max(CAST(gain AS DECIMAL(9, 2)))")
    found = sql("run", "qrels", "top", metric_folder=tmp_path, dialect=dialect)
    assert re.search(r"CAST\((judged\.)?gain AS (Nullable\()?DECIMAL\(9, 2\)", found, re.IGNORECASE)


def test_mysql_casts_row_numbers_but_not_percent_ranks(tmp_path: Path) -> None:
    shares = "percent_rank() OVER (PARTITION BY model, query ORDER BY gain ASC NULLS FIRST) AS share FROM judged"
    metric_file(tmp_path, "top", "max(share)", f"FROM (SELECT model AS model, query AS query, {shares}) AS t")
    found = sql("run", "qrels", ["top", "ndcg"], metric_folder=tmp_path, dialect="mysql")
    assert "CAST(PERCENT_RANK()" not in found
    assert "CAST(ROW_NUMBER() OVER" in found


@pytest.mark.parametrize(
    ("joined", "message"),
    [
        ("judged FULL JOIN ranked USING (model, query, item)", "a metric file has a FULL JOIN with USING"),
        ("judged CROSS JOIN unnest([1, 2]) AS two (x)", r"a metric file joins UNNEST\(\[1, 2\]\) AS two\(x\), whose"),
    ],
)
def test_a_join_that_the_dialect_lacks_is_refused(joined: str, message: str, tmp_path: Path) -> None:
    metric_file(tmp_path, "rows_of", "count(*)", f"FROM {joined}")
    fails(ArgumentError, message, sql, "run", "qrels", "rows_of", metric_folder=tmp_path, dialect="oracle")


def test_a_new_table_is_written_in_the_syntax_of_the_engine() -> None:
    made = sql("run", "qrels", "rr", dialect="teradata", form="table", name="shop.made")
    assert made.startswith("CREATE TABLE shop.made AS\n(\n")
    assert made.endswith("\n) WITH DATA")
    with pytest.raises(
        ArgumentError, match="form: Materialize cannot create a table from a query. Pass form='view' and"
    ):
        sql("run", "qrels", "rr", dialect="materialize", form="table", name="made")
    assert sql("run", "qrels", "rr", dialect="materialize", form="view", name="made").startswith("CREATE VIEW made AS")


def test_names_are_in_capitals_if_the_dialect_capitalizes_unquoted_names() -> None:
    written = sql("run", "qrels", ["recall"], query="user_id", item="Item", score='"points"', dialect="snowflake")
    assert '"USER_ID" AS query' in written
    assert '"Item" AS item' in written
    assert 'CAST("points" AS DOUBLE)' in written
    assert '"user_id" AS query' in sql("run", "qrels", ["recall"], query="user_id", dialect="redshift")
