"""Rewrites for dialects change only what they should, also in a user's metric file."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest
from asking import fails
from engine_cases import OPTIONAL_INPUTS, assert_same, question
from engines.sqlite import SQLite

from recall_duckdb import ArgumentError, evaluate, sql

OWN = {
    "nan_first": "sum(CASE WHEN isnan(gain) THEN 7 WHEN is_relevant = 1 THEN 2 ELSE 3 END) AS nan_first FROM judged",
    "nan_alone": "coalesce(sum(CASE WHEN isnan(gain) THEN 7 END), 1) AS nan_alone FROM judged",
    "nan_later": "sum(CASE WHEN gain > 9 THEN 9 WHEN isnan(CAST(rank AS DOUBLE)) THEN 7 ELSE 1 END) AS nan_later "
    "FROM judged",
    "qualified": "max(run.rank) AS qualified FROM run",
}


@pytest.mark.parametrize("name", OWN)
def test_a_custom_metric_gives_the_same_in_sqlite(name: str, tmp_path: Path) -> None:
    written = f"SELECT model AS model, query AS query, {OWN[name]} GROUP BY model, query"
    if name == "qualified":
        written = "WITH run AS (SELECT model AS model, query AS query, rank AS rank FROM ranked) " + written
    held, asked = question("every metric")
    asked = {**asked, "metrics": own_metric(tmp_path, name, written), "metric_folder": tmp_path}
    asked = {key: value for key, value in asked.items() if key not in OPTIONAL_INPUTS}
    with closing(SQLite()) as server:
        server.load(held)
        found = evaluate(**asked, connection=server.connect())
        expected = evaluate(**{**asked, "run": held["run"], "qrels": held["qrels"]})
        assert_same(found.per_query.fetchall(), expected.per_query.fetchall())


def own_metric(folder: Path, name: str, text: str) -> str:
    (folder / f"{name}.sql").write_text(f"-- A metric.\n--\n-- Grain:  one row per (model, query).\n{text}\n")
    return name


@pytest.mark.parametrize("dialect", ["clickhouse", "exasol", "risingwave"])
def test_a_decimal_in_a_custom_metric_is_kept(dialect: str, tmp_path: Path) -> None:
    written = "SELECT model AS model, query AS query, max(CAST(gain AS DECIMAL(9, 2))) AS top FROM judged"
    own_metric(tmp_path, "top", f"{written} GROUP BY model, query")
    found = sql("run", "qrels", "top", metric_folder=tmp_path, dialect=dialect)
    assert re.search(r"CAST\((judged\.)?gain AS (Nullable\()?DECIMAL\(9, 2\)", found, re.IGNORECASE)


def test_mysql_casts_row_numbers_but_not_percent_ranks(tmp_path: Path) -> None:
    shares = "percent_rank() OVER (PARTITION BY model, query ORDER BY gain ASC NULLS FIRST) AS share FROM judged"
    inner = f"SELECT model AS model, query AS query, {shares}"
    own_metric(
        tmp_path, "top", f"SELECT model AS model, query AS query, max(share) AS top FROM ({inner}) AS t GROUP BY 1, 2"
    )
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
    written = f"SELECT model AS model, query AS query, count(*) AS rows_of FROM {joined} GROUP BY model, query"
    own_metric(tmp_path, "rows_of", written)
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
