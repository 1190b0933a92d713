"""The SQLMesh macro: a project gives the same numbers as `evaluate`, and the macro takes the arguments of `sql`.

SQLMesh runs in a separate environment; RECALL_DUCKDB_SQLMESH is the path of its Python.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest
from engine_cases import assert_same
from folders import ROOT, TESTS
from sqlglot import exp, parse_one

import recall_duckdb
from recall_duckdb import ArgumentError, ArgumentTypeError, EngineError, MissingPackageError, UnknownNameError, evaluate
from recall_duckdb import sqlmesh as module

PROJECT = TESTS / "sqlmesh"
RUN, QRELS = (str(PROJECT / "seeds" / f"{name}.csv") for name in ("recommendations", "purchases"))
NAMES: dict[str, Any] = {"query": ["user_id", "day"], "item": "item_id"}
of_sqlmesh = pytest.mark.needs("SQLMesh")
BY_USER = ["recall@1,3", "ndcg@3", "ap", "num_ret"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The outcome of the project, planned and run in a temporary folder."""
    python = os.environ.get("RECALL_DUCKDB_SQLMESH", "")
    assert python, "needs RECALL_DUCKDB_SQLMESH: python -m venv V && V/bin/pip install sqlmesh, and V/bin/python in it"
    folder = tmp_path_factory.mktemp("sqlmesh") / "project"
    shutil.copytree(PROJECT, folder)
    asked = {"run": "shop.recommendations", "qrels": "shop.purchases", "metrics": BY_USER, "per_query": True, **NAMES}
    done = subprocess.run(
        [python, "-W", "ignore", "run.py", json.dumps(asked)],
        check=False, capture_output=True, text=True, cwd=folder, timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def expected(relation: Any) -> tuple[list[str], list[tuple[Any, ...]]]:
    return relation.columns, relation.fetchall()


def assert_holds(table: dict[str, Any], columns: list[str], rows: list[tuple[Any, ...]]) -> None:
    assert table["columns"] == columns
    assert_same([tuple(row) for row in table["rows"]], rows)


@of_sqlmesh
def test_a_model_holds_the_means(project: Any) -> None:
    metrics = ["recall@1,3", "ndcg@3", "precision(threshold=2)@2", "official"]
    policies: dict[str, Any] = {"missing": "skip", "ties": "optimistic", "threshold": 1.5, "min_score": 0.2}
    result = evaluate({"run": RUN}, QRELS, metrics, by="country", **NAMES, **policies)
    assert_holds(project["tables"]["shop.quality"], *expected(result.means))


@of_sqlmesh
def test_a_model_holds_the_values_per_query(project: Any) -> None:
    columns, rows = expected(evaluate({"run": RUN}, QRELS, BY_USER, **NAMES).per_query)
    assert_holds(project["tables"]["shop.quality_by_user"], [name.replace("@", "_at_") for name in columns], rows)


@of_sqlmesh
def test_an_incremental_model_holds_the_means_of_each_day(project: Any) -> None:
    columns, rows = expected(evaluate({"run": RUN}, QRELS, ["recall@3", "ndcg@3", "rr"], by="day", **NAMES).means)
    days = [row for row in rows if row[1] is not None]
    assert_holds(project["planned"], columns, [row for row in days if row[1] <= "2024-05-02"])
    assert_holds(project["tables"]["shop.quality_by_day"], columns, days)
    assert {row[1] for row in days} == {f"2024-05-0{day}" for day in range(1, 5)}


@of_sqlmesh
def test_a_model_reads_several_runs_and_qrels_from_queries(project: Any) -> None:
    runs = {"every": duckdb.sql(f"FROM '{RUN}'"), "low": duckdb.sql(f"FROM '{RUN}' WHERE score < 0.9")}
    qrels = duckdb.sql(f"SELECT * REPLACE (1 AS relevance) FROM '{QRELS}' WHERE relevance > 0")
    result = evaluate(runs, qrels, ["recall@3", "rr"], **NAMES)
    assert_holds(project["tables"]["shop.quality_of_runs"], *expected(result.means))


@of_sqlmesh
def test_sqlmesh_finds_the_dependencies_of_models_with_any_names(project: Any) -> None:
    found = {
        name.removeprefix("shop."): {each.replace('"', "").removeprefix("warehouse.shop.") for each in tables}
        for name, tables in project["depends_on"].items()
    }
    both = {"recommendations", "purchases"}
    assert found == {
        **{name: set() for name in both},
        **dict.fromkeys(("quality", "quality_by_user", "quality_by_day"), both),
        "run": {"recommendations"},
        "qrels": {"purchases"},
        "quality_of_runs": {"recommendations", "run", "qrels"},
    }


@of_sqlmesh
def test_models_are_read_from_sqlmeshs_physical_tables(project: Any) -> None:
    tables = [table for table in parse_one(project["physical"], read="duckdb").find_all(exp.Table) if table.db]
    assert {table.db for table in tables} == {"sqlmesh__shop"}
    assert {table.name.split("__")[1] for table in tables} == {"recommendations", "purchases"}
    assert project["dev"] == project["tables"]["shop.quality"]


@of_sqlmesh
def test_a_project_can_be_loaded_twice_in_one_process(project: Any) -> None:
    assert project["again"] == sorted(project["tables"])


@of_sqlmesh
@pytest.mark.parametrize("dialect", ["bigquery", "clickhouse", "postgres", "snowflake", "tsql"])
def test_a_model_in_another_dialect_equals_the_statement_of_sql(project: Any, dialect: str) -> None:
    sqlmeshs, ours = project["written"][dialect]
    assert sqlmeshs == ours


def asked(call: str, dialect: str = "duckdb", **local: object) -> str:
    """Return the statement of the macro for a call in a model of this dialect, parsed as SQLMesh does."""
    given = parse_one(call, read=dialect).expressions
    named = {each.name: each.expression for each in given if isinstance(each, exp.PropertyEQ)}
    values = [each for each in given if not isinstance(each, exp.PropertyEQ)]
    evaluator = SimpleNamespace(dialect=dialect, locals=local)
    return str(module._macro(evaluator, *values, **named).sql(dialect, comments=False))


def written(dialect: str = "duckdb", **given: Any) -> str:
    """Return the statement of `sql` without ORDER BY."""
    tree = parse_one(recall_duckdb.sql(**given, dialect=dialect, form="view", name="made"), read=dialect).expression
    text = str(tree.sql(dialect, comments=False))
    return re.sub(r"([^\s(]+) IS NOT NULL", r"NOT \1 IS NULL", text)  # as sqlglot writes it


def test_relevance_null_works_in_a_sqlmesh_model() -> None:
    expected = written(run="recs", qrels="sales", metrics="rr", relevance=None)
    assert asked("recall_duckdb(recs, sales, 'rr', relevance := NULL)") == expected


@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "snowflake"])
def test_the_macro_takes_the_arguments_of_sql(dialect: str) -> None:
    policies = {"no_relevant": "skip", "ties": "pessimistic", "threshold": 2, "min_score": -0.5}
    call = """recall_duckdb(
      warehouse.shop.recs, 'shop.sales', ('recall@1,2', 'coverage@3'), query := (user_id, day), item := item_id,
      score := ('bm25', 'dense'), by := country, items := shop.sold, catalog := shop.products,
      qrels_item := (product), rank := NULL,
      no_relevant := 'skip', ties := pessimistic, threshold := 2, min_score := -0.5
    )"""
    assert asked(call, dialect) == written(
        dialect, run="warehouse.shop.recs", qrels="shop.sales", metrics=["recall@1,2", "coverage@3"],
        query=["user_id", "day"], item="item_id", score=["bm25", "dense"], by="country", items="shop.sold",
        catalog="shop.products", qrels_item="product", **policies,
    )  # fmt: skip


def test_a_name_is_read_by_the_rules_of_the_dialect_and_never_as_sql() -> None:
    call = """recall_duckdb(recs, sales, 'rr', query := {}, item := "item; DROP", per_query := TRUE)"""
    upper = asked(call.format("User_Id"), "snowflake")
    assert upper == asked(call.format("'user_id'"), "snowflake") == asked(call.format('"USER_ID"'), "snowflake")
    assert upper != asked(call.format('"User_Id"'), "snowflake")
    assert '"User_Id" AS query' in asked(call.format('"User_Id"'), "snowflake")
    assert '"item; DROP" AS item' in upper


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        ("f(a, b, qurey := x)", UnknownNameError, "no argument 'qurey'. Did you mean 'query'"),
        ("f(a, b, dialect := 'spark')", UnknownNameError, "no argument 'dialect'"),
        ("f(a, b, query := x.y)", ArgumentTypeError, "query: a name or a value is expected, not x.y"),
        ("f(a + 1, b)", ArgumentError, "run: the name of a model or a query in parentheses is expected, not a \\+ 1"),
        ("f(a, (c := b))", ArgumentError, "qrels: the name of a model or a query"),
        ("f(a, b, 'recal@1')", UnknownNameError, "recall"),
    ],
)
def test_an_invalid_call_is_refused(call: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        asked(call)


def test_a_model_in_the_dialect_of_another_engine_is_refused() -> None:
    for dialect in ("postgres", "duckdb"):
        assert asked("f(a, b)", "postgres", engine_adapter=SimpleNamespace(dialect=dialect))
    with pytest.raises(EngineError, match="in the SQL of duckdb, but runs on snowflake. Write dialect snowflake"):
        asked("f(a, b)", engine_adapter=SimpleNamespace(dialect="snowflake"))
    with pytest.raises(UnknownNameError, match="no dialect 'db2'"):
        module._macro(SimpleNamespace(dialect="db2", locals={}))


def test_without_sqlmesh_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlmesh", None)
    with pytest.raises(MissingPackageError, match=r"pip install '\.\[sqlmesh\]'"):
        _ = module.recall_duckdb
    with pytest.raises(AttributeError, match="no attribute 'recal'"):
        _ = module.recal
