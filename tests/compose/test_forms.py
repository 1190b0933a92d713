"""The statement of a question as a table macro, a dbt model and a dbt test: the same numbers, other relations."""

from __future__ import annotations

from typing import Any

import duckdb
import jinja2
import pyarrow
import pytest
from asking import nightly_but
from engine_cases import CASES, OPTIONAL_INPUTS, assert_same, question

from recall_duckdb import evaluate, sql
from recall_duckdb.errors import RecallError

# A form differs by the relations and columns that it names: by policies, only the statement in it does.
COLUMNS = ("qrels", "by", "model", "query", "rank", "item_by", *OPTIONAL_INPUTS)
NAMING = {tuple(name for name in COLUMNS if name in case.options): case for case in reversed(CASES.values())}


@pytest.mark.parametrize("name", nightly_but((name for name in CASES if CASES[name] in NAMING.values()), CASES))
def test_every_form_gives_the_numbers_of_evaluate(name: str) -> None:
    held, asked = question(name)
    with duckdb.connect() as connection:
        for table, columns in held.items():
            connection.register(f"{table}_frame", pyarrow.table(columns))
            connection.execute(f'CREATE TABLE "{table}" AS FROM "{table}_frame"')
        means = evaluate(**asked, connection=connection).means.fetchall()
        inputs = [each for each in ("run", "qrels", *OPTIONAL_INPUTS) if asked.get(each) in held]
        connection.execute(sql(**asked, form="macro", name="shop_metrics", sums="exact"))
        given = ", ".join(f"'\"{asked[each]}\"'" for each in inputs)
        assert_same(connection.sql(f"FROM shop_metrics({given})").fetchall(), means)
        of_dbt: dict[str, Any] = {**asked, **{each: f"ref('{asked[each]}')" for each in inputs}}
        model = jinja2.Template(sql(**of_dbt, form="dbt")).render(ref='"{}"'.format)
        assert_same(connection.sql(model).fetchall(), means)


def test_columns_may_have_the_names_of_arguments() -> None:
    connection = duckdb.connect()
    connection.execute('CREATE TABLE recs AS SELECT 1 AS "k", i AS run, -i AS qrels FROM range(5) AS t (i)')
    connection.execute('CREATE TABLE sales AS SELECT 1 AS "k", 3 AS run, 1 AS name')
    asked: dict[str, Any] = {"query": "k", "item": "run", "score": "qrels", "relevance": "name", "metrics": "recall@4"}
    connection.execute(sql("recs", "sales", **asked, form="macro", name="recall_at"))
    assert connection.sql("SELECT value FROM recall_at('recs', 'sales')").fetchall() == [(1,)]


def test_a_macro_takes_the_cutoff_and_any_relation() -> None:
    recs = "CREATE TABLE recs AS SELECT 1 AS query, i AS item, -i AS score FROM range(5) AS t (i)"
    connection = duckdb.connect().execute(f"{recs}; CREATE TABLE none AS FROM recs LIMIT 0")
    connection.execute("CREATE TABLE sales AS SELECT 1 AS query, 3 AS item, 1 AS relevance")
    connection.execute(sql("run", "qrels", "recall@10", form="macro", name="recall_at"))
    assert connection.sql("SELECT value FROM recall_at('recs', 'sales')").fetchall() == [(1,)]
    assert connection.sql("SELECT k, value FROM recall_at('recs', 'sales', k := 3)").fetchall() == [(3, 0)]
    for k in ("NULL", "0", "-1", "1.5"):
        with pytest.raises(duckdb.Error, match=f"k: a whole number above 0 is expected, not {k}"):
            connection.sql(f"SELECT value FROM recall_at('recs', 'sales', k := {k})").fetchall()
    connection.execute(sql("run", "qrels", "recall@1,5", form="macro", name="recalls"))
    assert connection.sql("SELECT k, value FROM recalls('recs', 'sales')").fetchall() == [(1, 0), (5, 1)]


@pytest.mark.parametrize(("bound", "failed"), [(0.4, 0), (0.6, 1)])
def test_a_dbt_test_returns_the_means_below_its_bound(bound: float, failed: int) -> None:
    recs = "CREATE TABLE recs AS SELECT 1 AS query, i AS item, -i AS score FROM range(5) AS t (i)"
    connection = duckdb.connect().execute(f"{recs}; CREATE TABLE none AS FROM recs LIMIT 0")
    connection.execute("CREATE TABLE sales AS SELECT 1 AS query, i AS item, 1 AS relevance FROM range(2) AS t (i)")
    test = sql("ref('recs')", "ref('sales')", "recall@1", form="test", at_least=bound)
    text = jinja2.Template(test).render(ref="{}".format)
    assert len(connection.sql(text).fetchall()) == failed
    two = sql({"old": "ref('recs')", "new": "ref('none')"}, "ref('sales')", "recall@1", form="test", at_least=bound)
    assert len(connection.sql(jinja2.Template(two).render(ref="{}".format)).fetchall()) == failed + 1
    connection.execute("DELETE FROM sales")
    assert len(connection.sql(text).fetchall()) == 1  # what vanished passes nothing


def test_braces_in_names_and_values_are_no_jinja() -> None:
    text = sql("ref('recs')", "ref('sales')", "recall@1", form="dbt", query="{{ q }}", min_score=1, item="{% i %}")
    assert '"{{ q }}"' in jinja2.Template(text).render(ref="{}".format)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"run": "recs", "form": "dbt"}, "run: 'recs' is no relation of dbt. Write ref.'model'. or source"),
        ({"run": "ref('a') }} {{ x", "form": "dbt"}, "is no relation of dbt"),
        ({}, "form: ref.'recs'. is a relation of dbt. Pass form='dbt'"),
        ({"form": "macro"}, "name: form='macro' needs a name"),
        ({"form": "dbt", "name": "x"}, "name: form='dbt' has no name"),
        ({"form": "macro", "name": "x", "dialect": "trino"}, "dialect: table macros are of DuckDB"),
        ({"form": "dbt", "at_least": 0.3}, "at_least: form='test' needs it, and no other form has it"),
        ({"form": "test", "at_least": {"recall@10": 0.3}}, "at_least: a number is expected, not .'recall@10': 0.3."),
        ({"form": "test", "at_least": 0.3, "metrics": "gini", "catalog": "c"}, "lower is better for gini"),
        ({"form": "macro", "name": "x", "connection": duckdb.connect()}, "connection: form='macro' names relations"),
        ({"form": "jinja"}, "form"),
    ],
)
def test_what_a_form_cannot_write_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(RecallError, match=message):
        sql(**{"run": "ref('recs')", "qrels": "ref('sales')", "metrics": "recall@10", **asked})


@pytest.mark.parametrize("slices", ["each", "crossed", "both"])
def test_slices_of_several_columns_are_those_of_evaluate(slices: Any) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE recs AS SELECT i % 9 AS query, i AS item, hash(i) % 97 AS score FROM range(90) AS t (i); "
            "CREATE TABLE sales AS SELECT i % 9 AS query, i AS item, i % 4 AS relevance, i % 9 % 2 AS device, "
            "CASE i % 9 % 3 WHEN 1 THEN 'NL' ELSE 'DE' END AS country FROM range(0, 90, 2) AS t (i)"
        )
        asked: dict[str, Any] = {"metrics": ["ndcg@5", "recall@5"], "by": ["country", "device"], "slices": slices}
        means = evaluate("recs", "sales", **asked, connection=connection).means.fetchall()
        assert_same(connection.sql(sql("recs", "sales", **asked)).fetchall(), means)
        expected = evaluate("recs", "sales", "num_ret", ties="expected", connection=connection).means.fetchall()
        assert_same(connection.sql(sql("recs", "sales", "num_ret", ties="expected")).fetchall(), expected)
