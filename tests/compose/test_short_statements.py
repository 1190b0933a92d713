"""The statement of `sql` has nothing that cannot change its answer, and gives the same bits as the whole one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace
from typing import Any, NamedTuple

import duckdb
import pyarrow
import pytest
from asking import metric_file, nightly_but
from engine_cases import CASES, EVERY, OF_METRICS, OPTIONS, arguments, tables
from folders import FIXTURES
from sqlglot_text import as_written

from recall_duckdb import checking, evaluate, sql
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.compose import Statement, for_readers
from recall_duckdb.compose.readable import MEANS, PER_QUERY
from recall_duckdb.definitions import reading, templates
from recall_duckdb.dialects import DIALECTS, Dialect, readable, render
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import RecallError
from recall_duckdb.question import SqlQuestion
from recall_duckdb.question.metrics import parse
from recall_duckdb.question.policies import CHOICES, LIMITS

build = SimpleNamespace(**run_path(str(FIXTURES / "statements" / "build.py")))
SHOP: dict[str, Any] = {"run": "shop.recommendations", "qrels": "shop.purchases", "query": "user_id", "item": "item_id"}


def question_of(metrics: list[str]) -> dict[str, Any]:
    """Return the arguments for metrics, with the inputs that they read."""
    read = {each for metric in parse(metrics) for each in reading.inputs_of(metric.template)}
    return {"run": "run", "qrels": "qrels", "metrics": metrics, **{each: each for each in OF_METRICS if each in read}}


def statements(connection: duckdb.DuckDBPyConnection, asked: dict[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """Return the whole statement of the means and that of each query, with the short ones of two dialects."""
    question = SqlQuestion(**asked, connection=connection)
    session = open_session(connection, None, question.sources(), only_written=True)
    try:
        plan = plan_question(question, session, must_exist=False)
        for selects in (MEANS, PER_QUERY):
            whole = Statement(plan).of("means") if selects == MEANS else Statement(plan).of_per_query()
            short = [for_readers(plan, dialect, selects=selects, sums="exact") for dialect in ("duckdb", "clickhouse")]
            yield render(whole), {readable(each, "duckdb") for each in short}
    finally:
        session.release()


def assert_same_bits(held: dict[str, Any], asked: dict[str, Any]) -> None:
    with duckdb.connect() as connection:
        for name, columns in held.items():
            connection.register(f"{name}_frame", pyarrow.table(dict(columns)))
            connection.execute(f'CREATE TABLE "{name}" AS FROM "{name}_frame"')
        for whole, shorter in statements(connection, asked):
            relation = connection.sql(whole)
            columns, expected = relation.columns, sorted(map(repr, relation.fetchall()))
            for short in shorter:
                found = connection.sql(short)
                assert (found.columns, sorted(map(repr, found.fetchall()))) == (columns, expected), short


# Statements do not depend on these ids.
OF_IDS = {"every metric, whole numbers", "ties=item, whole numbers", "ties=item, numbers of 64 bits"}
SHORTEST_FIRST = sorted(CASES, key=lambda name: len(CASES[name].metrics))


@pytest.mark.parametrize("name", nightly_but({*CASES} - OF_IDS, SHORTEST_FIRST))
def test_the_short_statement_gives_the_bits_of_the_whole_one(name: str) -> None:
    case = CASES[name]
    assert_same_bits(tables(case.ids, case.shape), arguments(case))


@pytest.mark.slow
@pytest.mark.nightly
@pytest.mark.parametrize("first", range(8))
def test_every_metric_alone_gives_the_bits_of_the_whole_statement(first: int) -> None:
    for metric in [*EVERY, *OPTIONS, "precision@2", "f1@3"][first::8]:
        assert_same_bits(tables("text", "scores"), question_of([metric]))


@as_written
def test_recall_is_short_in_every_dialect() -> None:
    for dialect, record in DIALECTS.items():
        lines = sql(**SHOP, metrics="recall@10", dialect=dialect).splitlines()
        assert len(lines) <= 61, dialect
        assert sum(" OVER (" in line for line in lines) <= (1 if record.joins_fill_nulls else 2), dialect


@as_written
def test_statements_have_the_length_of_their_question() -> None:
    four = ["recall@10", "ndcg@10", "rr@10", "precision@10"]
    for dialect, longest in (("bigquery", 37), ("databricks", 37), ("duckdb", 36), ("snowflake", 40), ("spark", 40)):
        text = sql("run", "qrels", four, dialect=dialect)
        assert len(text.splitlines()) <= 6 + longest, dialect  # the head has six
        assert "CASE metric_no" not in text


@as_written
@pytest.mark.nightly
@pytest.mark.parametrize("first", range(5))
def test_every_metric_takes_a_third_of_the_lines_or_less(first: int) -> None:
    for metric in EVERY[first::5]:
        asked = {**question_of([metric]), **SHOP}
        question = SqlQuestion(**asked, dialect="snowflake")
        session = open_session(None, "snowflake", question.sources(), only_written=True)
        whole = Statement(plan_question(question, session, must_exist=False)).of("means")
        lines = len(sql(**asked, dialect="snowflake").splitlines())
        assert lines * 3 <= len(whole.sql("snowflake", pretty=True).splitlines()) + 21, metric  # a head has seven


def test_an_unpivot_of_the_user_is_written_as_it_is() -> None:
    assert "UNPIVOT(metric_value FOR x IN (a))" in sql("(FROM t UNPIVOT (metric_value FOR x IN (a)))", "qrels", "rr")


def test_qualify_is_written_where_the_dialect_has_it() -> None:
    for dialect, record in DIALECTS.items():
        text = sql(**SHOP, metrics="recall@10", dialect=dialect)
        assert bool(re.search(r'QUALIFY\s+"?rank"? <= 10', text)) == record.has_qualify, dialect


def test_each_rank_has_an_order_also_if_all_items_are_equally_relevant() -> None:
    """Snowflake and Spark refuse ROW_NUMBER() without ORDER BY."""
    for metric in ("ndcg@10", "ncg@10", "ndcg_rel", "ndcg(gain=binary)@10", "recall@10"):
        text = sql("recs", "sales", metric, relevance=None, dialect="snowflake")
        windows = re.findall(r"ROW_NUMBER\(\)\s+OVER \(PARTITION BY [^()]*\)", text)
        assert windows, metric
        assert all("ORDER BY" in window for window in windows), metric


def test_a_column_of_the_run_called_rank_is_not_the_rank() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE run AS SELECT 1 AS query, i AS item, i AS score, 99 AS rank FROM range(3) AS t (i)"
        )
        connection.execute("CREATE TABLE qrels AS SELECT 1 AS query, 2 AS item, 1 AS relevance")
        for fixed in ("recall@1", "recall"):
            assert connection.sql(sql("run", "qrels", fixed)).fetchall()[0][3] == 1.0


@pytest.mark.parametrize("metric", ["num_ret", "num_rel"])
def test_lists_are_counted_by_their_items_also_if_nothing_reads_these(metric: str) -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE lists AS SELECT 1 AS query, ['a', 'b'] AS item")
        text = sql("lists", "lists", metric, relevance=None, connection=connection)
        assert connection.sql(text).fetchall()[0][3] == 2


def test_every_relation_of_a_short_statement_says_what_it_is() -> None:
    text = sql(**SHOP, metrics=["recall@10", "ndcg@10"], dialect="snowflake", model="recommender", by="country")
    after = re.findall(r"(\w+) AS \(\s+(/\*|SELECT)", text)
    assert {first for _, first in after} == {"/*"}
    assert {"ranked", "ideal", "per_query"} <= {name for name, _ in after}


@as_written
def test_the_statements_in_fixtures_are_those_of_today() -> None:
    assert set(build.HERE.glob("*/*.sql")) == set(build.files())
    for dialect in build.WRITTEN:
        for name in build.STATEMENTS:
            written = (build.HERE / dialect / f"{name}.sql").read_text("utf-8")
            assert build.statement(name, dialect) + "\n" == written, "run: make generate"


def shop(qrels: str = "sales") -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(f"""
        CREATE TABLE recs AS SELECT i % 5 AS query, i AS item, i % 7 + 0.5 AS score FROM range(50) t(i);
        CREATE TABLE {qrels} AS SELECT i % 5 AS query, i AS item, i % 3 AS relevance FROM range(0, 60, 2) t(i);
    """)
    return connection


FLOOR = "CASE WHEN score - 6 > 0 THEN score - 6 ELSE 0 END"
QUERIES = {
    "a CTE": "(WITH best AS (SELECT * FROM recs) SELECT query, item, score FROM best)",
    "a derived table": "(SELECT query, item, max(s) AS score FROM (SELECT *, score AS s FROM recs) GROUP BY ALL)",
    "GROUP BY ALL": "(SELECT query, item, max(score) AS score FROM (FROM recs SELECT *, 1 AS n) GROUP BY ALL)",
    "ORDER BY ALL": "(SELECT query, item, score FROM (SELECT *, 1 AS n FROM recs ORDER BY ALL LIMIT 9))",
    "a floor": f"(SELECT query, item, 1 / row_number() OVER (ORDER BY {FLOOR} DESC, item DESC) AS score FROM recs)",
    "other case": "(SELECT QUERY, Item, max(SCORE) AS Score FROM recs GROUP BY QUERY, Item)",
}


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_a_query_of_the_user_stays_as_it_is(query: str) -> None:
    connection = shop()
    expected = evaluate(query, "sales", "recall@3", connection=connection).value("recall@3")
    for given in (None, connection):
        statement = sql(query, "sales", "recall@3", connection=given)
        assert [row[3] for row in connection.sql(statement).fetchall()] == [pytest.approx(expected, abs=1e-12)]


@pytest.mark.parametrize("name", ["ranked", "run", "qrels", "judged", "per_query", "excluded"])
def test_a_table_with_the_name_of_a_relation_is_the_users(name: str) -> None:
    connection = shop(name)
    expected = evaluate("recs", name, "recall@3", connection=connection).value("recall@3")
    assert [row[3] for row in connection.sql(sql("recs", name, "recall@3")).fetchall()] == [
        pytest.approx(expected, abs=1e-12)
    ]


OWN = "WITH own AS (SELECT model, query, item, rank AS place, hits FROM judged WHERE rank >= 1) "
GROUPED = "WITH g AS (SELECT model, query, relevance, count(*) AS n FROM judged GROUP BY ALL) "
JOINED = "FROM judged INNER JOIN (SELECT DISTINCT model, query, rank FROM judged) AS r USING (model, query, rank)"
METRICS = {  # the value, what follows it, and what is before it
    "star": ("count(*)", "FROM (SELECT * FROM ranked) AS a", ""),
    "above": ("sum(CASE WHEN rank > (SELECT min(rank) FROM judged) THEN 1 ELSE 0 END)", "FROM judged", ""),
    "of_a_cte": ("max(hits)", "FROM own WHERE place < 3", OWN),
    "group_by_all": ("max(n)", "FROM g", GROUPED),
    "filtered": ("max(top_gain) FILTER (WHERE rank <= 2)", "FROM judged", ""),
    "joined": ("count(*)", JOINED, ""),
    "below": ("sum(CASE WHEN NOT rank <= rank THEN 1 ELSE 0 END)", "FROM judged", ""),
    "numbered": ("sum(c)", "FROM judged CROSS JOIN (SELECT unnest([1, 2, 3]) AS c) AS numbers", ""),
}


@pytest.mark.parametrize("name", METRICS)
def test_a_metric_of_the_user_means_what_it_says(name: str, tmp_path: Path) -> None:
    metric_file(tmp_path, name, *METRICS[name])
    connection = shop()
    given: dict[str, Any] = {"run": "recs", "qrels": "sales", "metrics": name, "metric_folder": tmp_path}
    [row] = connection.sql(sql(**given)).fetchall()
    assert row[3] == pytest.approx(evaluate(**given, connection=connection).value(name), abs=1e-12)


@pytest.mark.parametrize(("dialect", "record"), DIALECTS.items())
def test_models_are_read_from_the_run_where_the_ranking_would_be_computed_again(dialect: str, record: Dialect) -> None:
    def models(**options: Any) -> str:
        text = sql("recs", "qrels", "recall@10", model="system", dialect=dialect, **options)
        if record.joins_fill_nulls:
            [definition] = re.findall(r"\(\s*(SELECT DISTINCT\s[^()]*)\)\s+(?:AS )?\W?models", text, re.IGNORECASE)
        else:
            [definition] = re.findall(r"models AS \(\s*/\*.*?\*/(.*?)\)", text, re.IGNORECASE | re.DOTALL)
        return " ".join(definition.lower().split())

    source = "from run" if record.repeats_relations else "from ranked"
    assert source in models()
    for options in ({"exclude": "seen"}, {"rank": "place", "ranks": "given", "depth": 5}, {"unjudged": "drop"}):
        assert "from ranked" in models(**options)  # a model that loses all of its rows is not there


# Questions that read all policies between them.
READS: dict[str, dict[str, Any]] = {
    "scores": {"metrics": ["recall@2"]},
    "precision": {"metrics": ["precision@2"]},
    "models": {"metrics": ["rr"], "model": "m"},
    "ranks": {"metrics": ["recall@2"], "rank": "place"},
    "distances": {"metrics": ["recall@2"], "score": "distance"},
    "lists": {"run": "lists", "metrics": ["recall@2"]},
    "lists of relevant items": {"qrels": "lists", "metrics": ["recall@2"]},
    "ids of two types": {"qrels": "texts", "metrics": ["recall@2"]},
}
REFUSED = {"distances", "ids of two types"}  # by default
VALUES: dict[str, list[Any]] = {
    **{name: [*values] for name, values in CHOICES.items()},
    **{name: [None, 2] for name in LIMITS},
}


class Read(NamedTuple):
    """What depends on policies: a statement, and the checks of its question."""

    statement: str
    checks: list[str]
    named: dict[str, str]  # the policies in the head of the statement


@cache
def read_policies(name: str, policy: str = "nulls", value: Any = "error") -> Read | None:
    """Return what a question reads with this value of a policy, or None if the value is refused."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE runs AS SELECT 1 AS query, 'a' AS item, 0.9 AS score, 1 AS place, 'x' AS m, 0.1 AS distance"
        )
        connection.execute("CREATE TABLE judged AS SELECT 1 AS query, 'a' AS item, 1.0 AS relevance")
        connection.execute("CREATE TABLE lists AS SELECT 1 AS query, ['a'] AS item")
        connection.execute("CREATE TABLE texts AS SELECT '1' AS query, 'a' AS item, 1.0 AS relevance")
        given = {"run": "runs", "qrels": "judged", **READS[name], policy: value}
        try:
            head, statement = sql(**given, connection=connection).split("*/", 1)
        except RecallError:
            return None
        question = SqlQuestion(**given, connection=connection)
        session = open_session(connection, None, question.sources(), only_written=True)
        facts = checking.settings(plan_question(question, session, must_exist=False), command="evaluate")
        session.release()
    checks = [
        name
        for name, check in templates.checks().items()
        if all(str(facts.get(fact)) in allowed for fact, allowed in check.when.items())
    ]
    [named] = re.findall(r"policies: (.*?)\nnot checked", head, re.DOTALL)
    return Read(statement, checks, dict(each.split("=") for each in re.split(r",\s+", named)))


@pytest.mark.parametrize(("policy", "value"), [(name, each) for name in VALUES for each in VALUES[name][1:]])
def test_every_value_of_every_policy_changes_a_statement_or_the_checks(policy: str, value: Any) -> None:
    def changes(name: str) -> bool:
        after = read_policies(name, policy, value)
        return after is not None and after[:2] != (read_policies(name) or ())[:2]

    assert any(map(changes, READS)), f"{policy}={value} has no effect on these questions"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in READS if name not in REFUSED])
def test_a_head_names_the_policies_that_change_the_statement(name: str) -> None:
    """Policies that other values would not change are left out: precision=k says nothing about recall."""
    usual = read_policies(name)
    assert usual is not None
    for policy, (default, *others) in VALUES.items():
        if default not in (None, "error") and policy != "ids":  # these stand in other lines of the head
            after = (read_policies(name, policy, value) for value in others)
            is_read = any(each is not None and each.statement != usual.statement for each in after)
            assert (policy in usual.named) == is_read, policy


@pytest.mark.parametrize("asked", ["ncg expected", "unjudged@1 optimistic", "judged@1 optimistic"])
def test_tied_items_have_the_places_of_evaluate(asked: Any) -> None:
    """Given an irrelevant item, one that is not judged, and a relevant one that is not retrieved or is last."""
    run = "SELECT * FROM (VALUES (1, 'a', 1), (1, 'b', 1), (1, 'c', 0)) AS t (query, item, score)"
    qrels = "SELECT * FROM (VALUES (1, 'a', 0), (1, 'c', 1), (1, 'd', 2)) AS t (query, item, relevance)"
    metric, ties = asked.split()
    [row] = duckdb.execute(sql(f"({run})", f"({qrels})", metric, ties=ties)).fetchall()
    assert row[3] == pytest.approx(evaluate(f"({run})", f"({qrels})", metric, ties=ties).value(metric), rel=1e-12)
