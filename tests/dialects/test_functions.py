"""The functions of lists of other dialects: each returns what DuckDB's function returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import duckdb
import pytest
from engines import Engine, on
from folders import ROOT
from sqlglot import exp
from sqlglot_text import as_written

from recall_duckdb import ArgumentError, UnknownNameError, functions, install
from recall_duckdb.cli import main
from recall_duckdb.definitions.trees import literal
from recall_duckdb.macros.list_functions import supported_metrics
from recall_duckdb.macros.portable import FRAMES
from recall_duckdb.question.metrics import Metric, parse

FIXTURES = ROOT / "fixtures" / "functions"
# How an engine stores the lists; GoogleSQL reads them from a subquery.
STORED = {
    "GoogleSQL": "",
    "ClickHouse": "CREATE OR REPLACE TABLE lists ENGINE = Memory AS",
    "Spark": "CACHE TABLE lists AS",
    "Trino": "CREATE TABLE lists AS",
}
SCHEMAS = {"Trino": "memory.default."}
# Every metric, at a cutoff if it has one, and options beyond the defaults.
METRICS = [
    *(f"{each.name}@3" if "k" in each.parameters else each.name for each in supported_metrics()),
    *("ap(over=capped)", "ap(over=hits)", "ap(threshold=2)", "dcg(base=10,gain=exponential)", "fbeta(beta=0.5)"),
    *("iprec(recall=0.2)", "ndcg(gain=exponential)", "ndcg(gain=binary,threshold=2)", "precision(over=retrieved)"),
    *("rbp(p=0.5,gain=linear)", "rbp(gain=scaled)", "rbp(over=ideal)"),
    "recall(threshold=0.7)",
]
# The options take each engine another second or two, so only the fastest engine runs them all.
FEWER = [*METRICS[: len(supported_metrics())], "rbp(over=ideal)"]
ASKED = {"ClickHouse": METRICS, "GoogleSQL": METRICS, "Spark": FEWER, "Trino": FEWER}
List = list[Any] | None


def lists() -> Iterator[tuple[int, List, List, int | None, List]]:
    """Yield a query with its ranked items, its judged items, a cutoff and the grades."""
    random = Random("functions of lists")
    items = [f"i{number}" for number in range(40)]
    yield 0, [], ["i1", "i2"], 3, None
    yield 1, ["i1", "i2"], [], 3, None
    yield 2, ["i1", "i2", "i3"], ["i2", "i1"], 2, None
    yield 3, ["i1"], ["i1", "i2"], None, [0.0, 0.0]
    for query in range(4, 24):
        judged = random.sample(items, random.choice([1, 2, 5, 12]))
        grades = [random.choice([-1.0, 0.0, 0.5, 0.7, 1.0, 2.0, 3.5]) for _ in judged]
        ranked = random.sample(items, random.choice([1, 3, 10, 25]))
        yield query, ranked, judged, random.choice([1, 3, 10, None]), random.choice([grades, grades, None])


def select(dialect: str) -> str:
    """Return the SELECT of the lists in a dialect; ClickHouse has an empty list for NULL."""
    rows = []
    for query, recommended, relevant, k, grades in lists():
        given = [] if grades is None and dialect == "clickhouse" else grades
        columns = {
            "query": literal(query),
            "recommended": exp.cast(literal(recommended), "VARCHAR[]"),
            "relevant": exp.cast(literal(relevant), "VARCHAR[]"),
            "k": exp.cast(literal(k), "BIGINT"),
            "grades": exp.cast(literal(given), "DOUBLE[]"),
        }
        rows.append(exp.select(*(exp.alias_(value, name) for name, value in columns.items())))
    return exp.union(*rows, distinct=False).sql(dialect)


def one(text: str) -> Metric:
    """Return a metric."""
    [metric] = parse(text)
    return metric


def name_of(metric: Metric) -> str:
    """Return the name of a function."""
    name = replace(metric, k=None).column
    return f"{name}_at_k" if "k" in metric.template.parameters else name


def arguments(metric: Metric) -> str:
    """Return the lists, the cutoff and the grades; partial_auc has no value without a cutoff."""
    k = "coalesce(k, 3), " if metric.template.name == "partial_auc" else "k, "
    return f"recommended, relevant, {k if 'k' in metric.template.parameters else ''}grades"


@pytest.fixture(scope="module")
def wanted() -> dict[str, list[Any]]:
    """Return the values of each metric in DuckDB, whose functions return what `evaluate` does."""
    calls = []
    for metric in map(one, METRICS):
        options = "".join(f", {name} := {literal(value).sql('duckdb')}" for name, value in metric.options)
        own = arguments(metric).replace("grades", "grades := grades")
        calls.append(f"recall_duckdb.{name_of(replace(metric, options=()))}({own}{options})")
    with duckdb.connect() as connection:
        install(connection)
        rows = connection.execute(f"SELECT {', '.join(calls)} FROM ({select('duckdb')}) ORDER BY query").fetchall()
    values = [[None if each is None else pytest.approx(each, rel=1e-12, abs=1e-12) for each in row] for row in rows]
    return {metric: list(column) for metric, column in zip(METRICS, zip(*values, strict=True), strict=True)}


def create(engine: Engine, *metrics: str) -> None:
    """Create functions in an engine."""
    for metric in metrics:
        statement = functions(metric, dialect=engine.dialect).split("\n", 2)[2].rstrip(";\n")
        engine.run(statement.replace("FUNCTION ", f"FUNCTION {SCHEMAS.get(engine.name, '')}", 1))


@pytest.mark.parametrize("engine", [on(name) for name in STORED], indirect=True)
def test_values_equal_those_of_duckdb(engine: Engine, wanted: dict[str, list[Any]]) -> None:
    asked = ASKED[engine.name]
    create(engine, *asked)
    given = select(engine.dialect)
    table = "lists"
    if STORED[engine.name]:
        engine.run(f"{STORED[engine.name]} {given}")
    else:
        table = f"({given}) AS lists"
    schema = SCHEMAS.get(engine.name, "")
    calls = [f"{schema}{name_of(metric)}({arguments(metric)}) AS value_{n}" for n, metric in enumerate(map(one, asked))]
    rows = sorted(engine.rows(f"SELECT query, {', '.join(calls)} FROM {table}"), key=lambda row: row[0])
    assert dict(zip(asked, map(list, zip(*(row[1:] for row in rows), strict=True)), strict=True)) == {
        metric: wanted[metric] for metric in asked
    }


def call(engine: Engine, name: str, recommended: Any, relevant: Any, *others: Any) -> str:
    """Return a SELECT of a value from a row of lists."""
    kinds = ["VARCHAR[]", "VARCHAR[]", *("DOUBLE[]" if isinstance(each, list) else "BIGINT" for each in others)]
    values = [exp.cast(literal(each), kind) for each, kind in zip([recommended, relevant, *others], kinds, strict=True)]
    names = ["recommended", "relevant", "k", "grades"][: len(values)]
    row = exp.select(*(exp.alias_(value, each) for value, each in zip(values, names, strict=True))).sql(engine.dialect)
    return f"SELECT {SCHEMAS.get(engine.name, '')}{name}({', '.join(names)}) AS found FROM ({row}) AS given"


MISTAKES = {
    "k: a whole number above 0 is expected": (["a"], ["a"], 0, [1.0]),
    "recommended: an item occurs twice": (["a", "b", "a"], ["a"], 3, [1.0]),
    "recommended: .*or is NULL": (["a", None], ["a"], 3, [1.0]),
    "relevant: an item occurs twice": (["a"], ["a", "a"], 3, [1.0, 1.0]),
    "relevant: .*or is NULL": (["a"], ["a", None], 3, [1.0, 1.0]),
    "grades: one number is expected for each": (["a"], ["a"], 3, [1.0, 2.0]),
    "grades: one number is expected for each relevant item": (["a"], ["a"], 3, [None]),
    "grades: a grade is too large": (["a"], ["a"], 3, [1e12]),
}


@pytest.mark.parametrize("engine", [on(name) for name in STORED], indirect=True)
def test_a_mistake_is_an_error(engine: Engine) -> None:
    create(engine, "recall", "dcg(gain=1:1,2:5)")
    assert engine.rows(call(engine, "dcg_gain_1_1_2_5_at_k", ["b", "a"], ["b"], 3, [2.0])) == [(5.0,)]
    assert engine.rows(call(engine, "recall_at_k", ["a", "b", "b"], ["a", "c"], 2, [1.0, 1.0])) == [(0.5,)]
    for message, values in MISTAKES.items():
        with pytest.raises(Exception, match=message):
            engine.rows(call(engine, "recall_at_k", *values))


@pytest.mark.parametrize("engine", [on(name) for name in STORED if name != "ClickHouse"], indirect=True)
def test_null_is_no_judgement_or_nothing_recommended(engine: Engine) -> None:
    create(engine, "recall", "num_ret")
    assert engine.rows(call(engine, "recall_at_k", ["a", "a"], None, 3, [1.0])) == [(None,)]
    assert engine.rows(call(engine, "recall_at_k", None, ["a"], 3, [1.0])) == [(0.0,)]


@pytest.mark.parametrize("engine", [on("ClickHouse"), on("GoogleSQL")], indirect=True)
def test_an_empty_list_of_grades_means_none(engine: Engine) -> None:
    """A list in a table of these engines is never NULL."""
    create(engine, "ndcg")
    given = call(engine, "ndcg_at_k", ["a", "b"], ["b"], 3, [1.0])
    without = call(engine, "ndcg_at_k", ["a", "b"], ["b"], 3, [])
    assert engine.rows(without) == engine.rows(given)


@as_written
@pytest.mark.parametrize("dialect", FRAMES)
def test_statements_are_those_of_the_fixtures(dialect: str) -> None:
    """Change them with `python fixtures/functions/build.py`."""
    for path in (FIXTURES / dialect).glob("*.sql"):
        assert functions(path.stem, dialect=dialect) == path.read_text("utf-8")
    assert {path.stem for path in (FIXTURES / dialect).glob("*.sql")} == {"recall", "ndcg", "num_ret"}


@pytest.mark.slow
@pytest.mark.parametrize("dialect", FRAMES)
def test_each_metric_has_a_function_that_stands_alone(dialect: str) -> None:
    text = functions(dialect=dialect)
    assert text.count("\nCREATE ") == len(supported_metrics()) == len({*text.split("\n\n")})
    assert functions("recall@10", dialect=dialect) == functions(["recall", "recall@5"], dialect=dialect)
    for operation in ("list_", "places_of", "running_sums", "order_up", "sorted_by", "_row", "_q."):
        assert operation not in text.replace("_list_", "")


@pytest.mark.slow
def test_the_functions_of_duckdb_are_those_of_the_macro_file() -> None:
    text = functions("recall", dialect="duckdb")
    assert text.startswith("CREATE SCHEMA IF NOT EXISTS recall_duckdb;\n")
    with duckdb.connect() as connection:
        connection.execute(text)
        assert connection.execute("SELECT recall_duckdb.recall_at_k(['a'], ['a', 'b'], 2)").fetchall() == [(0.5,)]
    assert functions().count("CREATE OR REPLACE MACRO") == len(supported_metrics()) + 2


@pytest.mark.parametrize(
    ("metric", "dialect", "message"),
    [
        ("coverage", "spark", "metrics: coverage cannot be computed from the lists of one query. Metrics that can"),
        ("ap(mean=geometric)", "spark", r"ap\(mean=geometric\): a function returns the value of one query"),
        ("recall", "postgres", "dialect: 'postgres' has no functions of lists. Dialects that have them: 'bigquery'"),
        ("recall", "snowflake", "'snowflake' has no functions of lists, because nothing could test them: fakesnow"),
    ],
)
def test_a_function_that_cannot_be_written_is_an_error(metric: str, dialect: str, message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        functions(metric, dialect=dialect)


def test_an_unknown_dialect_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="there is no dialect 'sparc'"):
        functions(dialect="sparc")


def test_the_command_prints_the_statements(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sql", "--functions", "--dialect", "trino", "-m", "recall"]) == 0
    assert capsys.readouterr().out == functions("recall", dialect="trino")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["run.parquet", "--functions"], "--functions: a function reads no table, and has no policies. Leave out RUN"),
        (["--functions", "--as", "view", "x"], "Leave out --as"),
        (["--functions", "--no-relevant", "skip"], "Leave out --no-relevant"),
        (["--functions", "--dialect", "hive"], "--dialect: 'hive' has no functions of lists"),
    ],
)
def test_the_command_refuses_what_a_function_does_not_read(
    capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert main(["sql", *options]) == 2
    assert message in capsys.readouterr().err


def test_the_command_needs_a_run_without_functions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["sql", "-m", "recall"])
    assert "the following arguments are required: RUN" in capsys.readouterr().err
