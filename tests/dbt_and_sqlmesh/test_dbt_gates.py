"""The data tests of means and of values per query fail for what is worse, whichever direction is better."""

from __future__ import annotations

import re
from typing import Any

import duckdb
import pytest
from macros import BACKSLASH, CompilationError, Package, package

from recall_duckdb.definitions.reading import is_better_lower
from recall_duckdb.definitions.templates import own_metrics
from recall_duckdb.macros.package import ADAPTERS

pytestmark = pytest.mark.nightly


@pytest.fixture
def opened() -> duckdb.DuckDBPyConnection:
    """Return a database with means, and with values per query, of three models."""
    opened = duckdb.connect()
    opened.execute(
        "CREATE TABLE means AS SELECT * FROM (VALUES "
        "('new', NULL, 'recall', 10, 0.5), ('new', 'BE', 'recall', 10, 0.2), ('new', NULL, 'average_rank', 10, 3.0), "
        "('old', NULL, 'recall', 10, 0.45), ('old', 'BE', 'recall', 10, 0.3), ('old', NULL, 'average_rank', 10, 2.0)) "
        "AS _(model, country, metric, k, value)"
    )
    opened.execute(
        "CREATE TABLE per_user AS SELECT model, i AS query, 0.5 + better * 0.1 + i % 3 * 0.01 AS recall_at_10, "
        "3 + better + i % 3 * 0.1 AS average_rank_at_10 "
        "FROM range(20) AS _(i), (VALUES ('new', 1), ('old', 0)) AS models(model, better)"
    )
    return opened


def failing(opened: duckdb.DuckDBPyConnection, test: str, model: str, **given: Any) -> list[dict[str, Any]]:
    """Return the rows that a data test finds."""
    found = opened.execute(package("duckdb").call(f"test_{test}", model, **given))
    names = [column[0] for column in found.description or []]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


@pytest.mark.parametrize(
    ("given", "failed"),
    [
        ({"metric": "recall@10", "at_least": 0.2}, []),
        ({"metric": "recall@10", "at_least": 0.4}, [("new", "BE"), ("old", "BE")]),
        ({"metric": "recall@10", "at_least": 0.4, "filter": "country IS NULL"}, []),
        ({"metric": "average_rank@10", "at_most": 2.5}, [("new", None)]),
        ({"metric": ["recall@10", "ndcg@10"], "at_least": 0.1}, [(None, None)]),
        ({"metric": "recall", "at_least": 0.1}, [(None, None)]),
        ({"metric": "recall_10", "at_least": 0.4}, [("new", "BE"), ("old", "BE")]),
    ],
)
def test_a_mean_may_have_a_bound(
    given: dict[str, Any], failed: list[tuple[Any, ...]], opened: duckdb.DuckDBPyConnection
) -> None:
    rows = failing(opened, "metric_at_least", "means", by="country", **given)
    assert sorted(((row["model"], row["country"]) for row in rows), key=str) == failed


def test_the_mean_of_values_may_have_a_bound(opened: duckdb.DuckDBPyConnection) -> None:
    for metric in ("recall@10", "recall_at_10"):
        [row] = failing(opened, "metric_at_least", "per_user", metric=metric, at_least=0.55, per_query=True)
        assert (row["model"], row["value"]) == ("old", pytest.approx(0.5095))
    [row] = failing(opened, "metric_at_least", "per_user", metric="average_rank@10", at_most=3.5, per_query=True)
    assert row["model"] == "new"


@pytest.mark.parametrize(
    ("metric", "baseline", "is_worse"),
    [
        ("recall@10", "old", False),
        ("recall_at_10", "new", True),
        ("average_rank@10", "old", True),
        ("average_rank_at_10", "new", False),
    ],
)
@pytest.mark.parametrize("margin", [None, 0.05])
def test_values_are_not_worse_whichever_direction_is_better(
    metric: str, baseline: str, is_worse: bool, margin: float | None, opened: duckdb.DuckDBPyConnection
) -> None:
    given = {"metric": metric, "baseline": baseline, "margin": margin}
    assert bool(failing(opened, "metric_not_worse_than", "per_user", **given)) == is_worse


def test_two_rows_for_a_query_fail(opened: duckdb.DuckDBPyConnection) -> None:
    opened.execute("CREATE TABLE old AS SELECT query, recall_at_10 FROM per_user WHERE model = 'old'")
    given = {"metric": "recall@10", "baseline_values": "old", "margin": 0.5}
    assert failing(opened, "metric_not_worse_than", "per_user", **given) == []
    opened.execute("INSERT INTO old SELECT * FROM old LIMIT 1")
    assert {row["rows_per_query"] for row in failing(opened, "metric_not_worse_than", "per_user", **given)} == {2}


@pytest.mark.parametrize(
    ("given", "failed"),
    [
        ({"metric": "recall@10", "margin": 0.1}, []),
        ({"metric": "recall@10", "margin": 0.05}, ["BE"]),
        ({"metric": "average_rank@10", "margin": 1}, []),
        ({"metric": "average_rank@10", "margin": 0.5}, [None]),
        ({"metric": "ndcg@10", "margin": 0.5}, [None]),
        ({"metric": "recall@10", "margin": 0.5, "baseline": "nobody"}, [None, "BE", None, "BE"]),
    ],
)
def test_means_are_not_worse_than_those_of_the_baseline(
    given: dict[str, Any], failed: list[str | None], opened: duckdb.DuckDBPyConnection
) -> None:
    asked = {"baseline": "old", "by": "country", "per_query": False, **given}
    rows = failing(opened, "metric_not_worse_than", "means", **asked)
    assert sorted((row["country"] for row in rows), key=str) == sorted(failed, key=str)


def test_means_are_not_worse_than_those_of_another_relation(opened: duckdb.DuckDBPyConnection) -> None:
    opened.execute("CREATE TABLE before AS FROM means WHERE model = 'old'")
    given = {"metric": "recall@10", "baseline_values": "before", "by": "country", "per_query": False, "margin": 0.01}
    assert [row["model"] for row in failing(opened, "metric_not_worse_than", "means", **given)] == ["new"]
    opened.execute("INSERT INTO before FROM before WHERE country IS NULL")
    rows = failing(opened, "metric_not_worse_than", "means", **given)
    assert {row["baseline_rows"] for row in rows if row["country"] is None} == {2}


@pytest.mark.parametrize(("value", "baseline"), [("NULL", "NULL"), ("0.5", "NULL"), ("'NaN'", "0.5"), ("0.5", "'NaN'")])
def test_means_that_are_no_numbers_fail(value: str, baseline: str, opened: duckdb.DuckDBPyConnection) -> None:
    opened.execute("ALTER TABLE means ALTER value TYPE DOUBLE")
    for metric in ("ndcg", "average_rank"):
        for model, mean in (("new", value), ("old", baseline)):
            opened.execute(f"INSERT INTO means SELECT '{model}', NULL, '{metric}', 5, CAST({mean} AS DOUBLE)")
        given = {"metric": f"{metric}@5", "baseline": "old", "per_query": False, "margin": 0.5}
        [row] = failing(opened, "metric_not_worse_than", "means", **given)
        assert row["model"] == "new"
        bound = {"at_least": 0.1} if metric == "ndcg" else {"at_most": 9}
        rows = failing(opened, "metric_at_least", "means", metric=f"{metric}@5", **bound)
        assert len(rows) == (value != "0.5") + (baseline != "0.5")


@pytest.mark.parametrize(("before", "now"), [("0.5", "'NaN'"), ("'NaN'", "0.5")])
def test_a_mean_that_is_no_number_is_below_the_previous(before: str, now: str) -> None:
    opened = duckdb.connect()
    opened.execute(
        "CREATE TABLE nights AS SELECT 'a' AS model, metric, 5 AS k, day, value::DOUBLE AS value "
        "FROM (VALUES ('rr'), ('unjudged')) AS metrics(metric), "
        f"(VALUES (1, {before}::DOUBLE), (2, {now}::DOUBLE)) AS days(day, value)"
    )
    assert len(failing(opened, "metric_not_below_previous", "nights", order_by="day", tolerance=1)) == 2


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_a_text_of_the_user_ends_where_it_should(adapter: str) -> None:
    quote = "\\'" if adapter in BACKSLASH else "''"
    per_query = {"metric": "nullif(x, 'b')", "baseline": "bob's"}
    means = {"metric": "recall@10", "baseline": "bob's", "per_query": False, "margin": 0.1}
    previous = {"metric": "bob's", "order_by": "day"}
    for test, given in (("not_worse_than", per_query), ("not_worse_than", means), ("not_below_previous", previous)):
        assert f"'bob{quote}s'" in package(adapter).call(f"test_metric_{test}", "shop.means", **given)
    text = package(adapter).call("test_metric_not_worse_than", "shop.means", **per_query)
    assert f"'nullif(x, {quote}b{quote})' AS asked_metric" in text


@pytest.mark.parametrize(
    ("metrics", "columns"),
    [
        (['"recall@10"'], ['"recall@10"']),
        ("`recall@10`", ["`recall@10`"]),
        (["recall@10", "recall_at_10", "recall@5,10"], ["recall_at_10", "recall_at_5"]),
    ],
)
def test_a_comparison_reads_each_column_once(metrics: Any, columns: list[str]) -> None:
    text = package("duckdb").call("compare", "per_user", metrics, baseline="old")
    assert re.findall(r"'(\S*)' AS metric,", text) == columns


def test_a_rise_of_a_metric_of_which_lower_is_better_is_below_the_previous(opened: duckdb.DuckDBPyConnection) -> None:
    opened.execute("CREATE TABLE nights AS SELECT *, 1 AS day FROM means WHERE model = 'old'")
    opened.execute("INSERT INTO nights SELECT 'old', country, metric, k, value, 2 FROM means WHERE model = 'new'")
    rows = failing(opened, "metric_not_below_previous", "nights", order_by="day", by="country", tolerance=0.01)
    assert sorted((row["metric"], row["country"]) for row in rows) == [("average_rank", None), ("recall", "BE")]


@pytest.mark.parametrize("name", [name for name, template in own_metrics().items() if is_better_lower(template)])
def test_only_a_column_of_a_metric_has_its_direction(name: str, opened: duckdb.DuckDBPyConnection) -> None:
    q: dict[str, Any] = {}
    takes_k = "k" in own_metrics()[name].parameters
    asked = [f"{name}@10" if takes_k else name]
    asked += [f"fall_out(of=judged{each})@10" for each in ("", ",threshold=2") if name == "fall_out"]
    package("duckdb").call("add_metrics", q, asked, None)
    for column in (name, *asked, *(metric["column"] for metric in q["metrics"])):
        assert package("duckdb").call("is_lower", column) == "True", column
    for column in (f"{name}_debiased_recall", f"{name}_at_home", f"{name}_at_10_share", f"{name}s", f"x_{name}"):
        assert package("duckdb").call("is_lower", column) == "False", column
    opened.execute(f"ALTER TABLE per_user RENAME COLUMN recall_at_10 TO {name}_debiased_recall")
    given = {"metric": f"{name}_debiased_recall", "baseline": "new", "margin": 0.05}
    assert failing(opened, "metric_not_worse_than", "per_user", **given)


def test_a_comparison_counts_a_fall_as_a_win_if_lower_is_better(opened: duckdb.DuckDBPyConnection) -> None:
    metrics = ["recall@10", "average_rank@10"]
    text = package("duckdb").call("compare", "per_user", metrics, baseline="old")
    found = opened.execute(f"SELECT metric, delta > 0, wins, losses FROM ({text}) ORDER BY metric").fetchall()
    assert found == [("average_rank_at_10", True, 0, 20), ("recall_at_10", True, 20, 0)]


@pytest.mark.parametrize(
    ("test", "given", "message"),
    [
        *(
            (test, {**given, argument: value}, f"{argument}: {message}")
            for test, argument, given in (
                ("metric_not_worse_than", "baseline", {"metric": "recall@10"}),
                ("metric_not_worse_than", "baseline", {"metric": "recall@10", "per_query": False, "margin": 1}),
                ("metric_not_below_previous", "metric", {"order_by": "day"}),
            )
            for value, message in (
                ("x\\' OR 1=1 --", "x\\' OR 1=1 -- cannot be a name: engines differ in how they read"),
                ("${env}", "${env} cannot be a name: engines differ in how they read"),
            )
        ),
        (
            "metric_not_worse_than",
            {"metric": "recall@10", "baseline": 7, "per_query": False, "margin": 1},
            "baseline: a text is expected, not 7",
        ),
        ("metric_at_least", {"metric": "recall@10"}, "at_least, at_most: pass exactly one of the two"),
        ("metric_at_least", {"metric": "average_rank@10", "at_least": 2}, "at_least: average_rank is a metric for"),
        ("metric_at_least", {"metric": "recall@10", "at_most": 2}, "at_most: recall is a metric for which higher"),
        ("metric_not_worse_than", {"metric": "mop@10", "baseline": "old"}, "there is no metric mop (in mop@10). Known"),
        (
            "metric_not_worse_than",
            {"metric": "recall@10", "baseline": "old", "per_query": False},
            "margin: means have no interval",
        ),
    ],
)
def test_an_invalid_gate_is_a_compilation_error(test: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: {re.escape(message)}"):
        package("duckdb").call(f"test_{test}", "shop.means", **given)


@pytest.mark.parametrize(
    ("test", "other", "given"),
    [
        ("recall_at_k_at_least", "qrels", {"at_least": 0.1, "k": 5}),
        ("bpref_at_least", "qrels", {"at_least": 0.1}),
        ("check", "qrels", {}),
        ("metric_not_worse_than", "baseline_values", {"metric": "recall@10"}),
        ("metric_not_worse_than", "baseline_values", {"metric": "recall@10", "per_query": False, "margin": 0.1}),
    ],
)
def test_a_condition_on_one_of_two_relations_is_refused(test: str, other: str, given: dict[str, Any]) -> None:
    filtered = Package("duckdb", (), where="country = 'BE'")
    message = (
        f"recall_duckdb: where: dbt filters the tested relation with it, but not {other}: pass the condition as the "
    )
    with pytest.raises(CompilationError, match=message + "argument filter, which filters both"):
        filtered.call(f"test_{test}", "(SELECT 1) AS dbt_subquery", **{other: "shop.other"}, **given)


def test_a_condition_on_the_only_relation_is_that_of_dbt() -> None:
    filtered = Package("duckdb", (), where="country = 'BE'")
    for test, given in (
        ("coverage_at_k_at_least", {"at_least": 0.1, "qrels": None, "catalog": "shop.products"}),
        ("recall_at_k_at_least", {"at_least": 0.1, "qrels": None, "relevance": "clicked"}),
        ("check", {"qrels": None, "metrics": "coverage@2", "catalog": "shop.products"}),
        ("metric_not_worse_than", {"metric": "recall@10", "baseline": "old"}),
        ("metric_not_below_previous", {"order_by": "day"}),
    ):
        assert filtered.call(f"test_{test}", "shop.run", **given) == package("duckdb").call(
            f"test_{test}", "shop.run", **given
        )


def test_a_condition_filters_the_previous_means_too(opened: duckdb.DuckDBPyConnection) -> None:
    opened.execute("CREATE TABLE before AS SELECT * REPLACE (value + (country IS NOT NULL)::INT AS value) FROM means")
    where, given = "country IS NULL", {"previous": "before", "metric": "recall", "by": "country"}
    assert len(failing(opened, "metric_not_below_previous", "means", **given)) == 2
    model = f"(SELECT * FROM means WHERE {where}) AS dbt_subquery"
    text = Package("duckdb", (), where=where).call("test_metric_not_below_previous", model, **given)
    assert opened.execute(text).fetchall() == []


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_has_the_gates(adapter: str) -> None:
    given = {"metric": ["recall@10", "average_rank@5"], "baseline": "old", "by": "country", "margin": 0.1}
    assert "direction" in package(adapter).call("test_metric_not_worse_than", "shop.m", per_query=False, **given)
    assert "rows_per_query" in package(adapter).call("test_metric_not_worse_than", "shop.m", **given)
