"""For every adapter, the macros of the dbt package compute what Python computes, and refuse what they do not have."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
import yaml
from engine_cases import assert_same
from macros import FOLDER, CompilationError, Package, package
from sqlglot_text import as_written

from recall_duckdb import __version__, evaluate
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.reading import inputs_of
from recall_duckdb.macros.package import ADAPTERS, files
from recall_duckdb.question.policies import CHOICES, LIMITS

pytestmark = pytest.mark.nightly

TABLES = {"run": "shop.recommendations", "qrels": "shop.purchases"}
OPTIONAL_INPUTS = {name: f"shop.{name}" for name in ("training", "obvious", "catalog", "features", "pairs")}


def cutoffs(name: str) -> str:
    """Return a metric at two cutoffs, or without a cutoff if it takes none."""
    return f"{name}@2,5" if "k" in templates.own_metrics()[name].parameters else name


OWN = templates.own_metrics()
ALL = [cutoffs(name) for name in OWN]
ACCURACY = [cutoffs(name) for name, metric in OWN.items() if not inputs_of(metric) & OPTIONAL_INPUTS.keys()]
WITH_OPTIONS = [
    *("ap(over=capped)@5", "ap(over=k)@5", "ap(over=hits)", "ap(mean=geometric)", "precision(over=retrieved)@5"),
    *("fall_out(of=judged)@5", "judged(over=k)@5", "rbp(p=0.5)@5", "rbp(gain=linear)@5", "rbp(p=0.5,gain=scaled)"),
    *("rbp(over=ideal)@5", "rbp(gain=scaled,over=ideal)@2", "fbeta(beta=2)@5", "iprec(recall=0.25)", "dcg(base=2.5)@5"),
    *("err(max_grade=3)@5", "recall(mean=sum)@5", "utility(hit=2,other=0,missed=-1)", "r_precision_mult(multiple=0.5)"),
    *("partial_auc(over=capped)@3", "f1(over=retrieved)@5", "ndcg", "precision", "capped_recall", "rr"),
]
SEVERAL_JUDGINGS = [
    *("ndcg(gain=exponential)@5", "precision(threshold=2)@5", "recall@5", "ndcg(gain=binary)@5", "bpref(threshold=2)"),
    *("auc(threshold=2)", "ndcg(threshold=2,gain=binary)@5"),
]
SOME = ["recall@5", "ndcg@5", "ap", "average_rank@5", "auc", "coverage@5", "num_q"]
# Arguments of `evaluate`, which are the same in Python and in a model of dbt.
QUESTIONS: dict[str, dict[str, Any]] = {
    "thresholds without relevant items": {
        "metrics": ["recall@5", "recall(threshold=2)@5", "ndcg(gain=binary,threshold=3)@5"],
        "no_relevant": "skip",
    },
    "low scores and no relevant items": {"metrics": ["precision", "set_ap"], "min_score": 0.9, "no_relevant": "skip"},
    "all metrics": {"metrics": ALL, **OPTIONAL_INPUTS},
    "whole lists": {"metrics": [name.partition("@")[0] for name in ALL if "partial" not in name], **OPTIONAL_INPUTS},
    "options": {"metrics": WITH_OPTIONS},
    "several judgings": {"metrics": SEVERAL_JUDGINGS, "no_relevant": "skip"},
    "only another judging": {"metrics": "precision(threshold=2)@5", "no_relevant": "skip"},
    "skipped queries": {"metrics": SOME, "no_relevant": "skip", "missing": "skip", "catalog": "shop.catalog"},
    "missing queries": {"metrics": SOME, "missing": "skip", "catalog": "shop.catalog"},
    "a threshold": {"metrics": ACCURACY, "threshold": 2},
    "a minimum score": {"metrics": SOME, "min_score": 0.5, "catalog": "shop.catalog"},
    "a score that nothing reaches": {"metrics": SOME[:4], "min_score": 5},
    "ascending scores": {"metrics": SOME, "order": "ascending", "catalog": "shop.catalog"},
    "slices": {"metrics": SOME, "by": ["country", "device"], "catalog": "shop.catalog"},
    "slices of the run": {"metrics": SOME, "by": "shelf", "by_in": "run", "catalog": "shop.catalog"},
    "slices of a table": {"metrics": SOME, "by": "city", "query_slices": "shop.users", "catalog": "shop.catalog"},
    "weights": {"metrics": ["ap(mean=geometric)", *SOME[:5]], "weights": "shop.w", "by": "country"},
    "excluded items": {"metrics": SOME, "exclude": "shop.seen", "catalog": "shop.catalog"},
    "ranks": {"metrics": SOME, "rank": "position", "run": "shop.ranked", "catalog": "shop.catalog"},
    "ranks and excluded items": {"metrics": SOME[:4], "rank": "position", "run": "shop.ranked", "exclude": "shop.seen"},
    "several runs": {"metrics": SOME[:4], "run": {"bm25": "shop.one", "it's": "shop.two"}, "by": "country"},
    "one run": {"metrics": "recall@5", "run": "shop.one"},
    "queries of two columns": {
        "metrics": SOME[:5], "query": ["query", "day"], "qrels_query": ["query", "on_day"], "by": "day",
    },
    "labels in the run": {"metrics": SOME[:4], "qrels": None, "run": "shop.labelled", "relevance": "clicked"},
    "labels of several models": {
        "metrics": SOME[:4], "qrels": None, "run": "shop.shown", "relevance": "clicked", "model": "model",
        "by": "country",
    },
    "no judgements": {"metrics": ["overlap@5", "coverage@5"], "qrels": None, "catalog": "shop.catalog"},
}  # fmt: skip


def of_model(question: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a question whose run holds several models, unless it says otherwise."""
    return {**TABLES, **({} if "run" in question else {"model": "model"}), **question}


def macro(adapter: str, question: Mapping[str, Any], **given: Any) -> str:
    """Return what `evaluate` of the dbt package writes."""
    return package(adapter).call("evaluate", **{**TABLES, **question, **given})


@pytest.fixture(scope="module")
def shop() -> duckdb.DuckDBPyConnection:
    """Return a database with lists of two models, judgements with every kind of relevance, and the optional inputs."""
    opened = duckdb.connect().execute("CREATE SCHEMA shop; USE memory.shop")
    pairs = "FROM range(20) AS q(q), range(24) AS i(i)"
    for statement in (
        "recommendations AS SELECT m AS model, 'u' || q AS query, 'i' || i AS item, q % 3 AS day, "
        "'s' || q % 4 AS shelf, "
        f"(hash(q, i, m) % 7)::DOUBLE / 7 AS score {pairs}, (VALUES ('a'), ('b')) AS models(m) "
        "WHERE hash(q, i, m, 1) % 3 = 0 AND NOT (m = 'b' AND q % 6 = 0)",
        "purchases AS SELECT 'u' || q AS query, 'i' || i AS item, q % 3 AS on_day, "
        "['BE', 'NL', NULL][1 + q % 3] AS country, "
        "['web', 'app'][1 + q % 2] AS device, CASE WHEN q % 5 = 0 THEN 0.0 ELSE (hash(i, q) % 5)::DOUBLE - 1 END "
        f"AS relevance {pairs} WHERE hash(i, q, 2) % 2 = 0 AND q < 18",
        "seen AS SELECT DISTINCT query, item FROM recommendations WHERE hash(query, item) % 6 = 0",
        "obvious AS SELECT DISTINCT query, item FROM recommendations WHERE hash(query, item, 3) % 3 = 0",
        "w AS SELECT DISTINCT query, (hash(query) % 4 + (query = 'u1')::INT)::DOUBLE / 2 AS weight FROM purchases",
        "users AS SELECT DISTINCT query, 'c' || right(query, 1) AS city FROM purchases",
        "training AS SELECT 'x' || t % 7 AS query, 'i' || t * 5 % 21 AS item FROM range(60) AS _(t)",
        "catalog AS SELECT 'i' || i AS item FROM range(26) AS _(i)",
        "features AS SELECT 'i' || i AS item, 'f' || i * f % 5 AS feature, 0.5 + f AS weight "
        "FROM range(22) AS _(i), range(3) AS _(f)",
        "pairs AS SELECT 'i' || i AS item, 'i' || j AS other, (i * j % 11)::DOUBLE / 11 AS similarity "
        "FROM range(24) AS _(i), range(24) AS _(j) WHERE i < j",
        "one AS SELECT * EXCLUDE (model) FROM recommendations WHERE model = 'a'",
        "two AS SELECT * EXCLUDE (model) FROM recommendations WHERE model = 'b'",
        "ranked AS SELECT query, item, row_number() OVER (PARTITION BY query ORDER BY score DESC, item) AS position "
        "FROM one",
        "shown AS SELECT *, (hash(query, item) % 3)::INT AS clicked, CASE WHEN shelf <> 's0' THEN shelf END AS country "
        "FROM recommendations",
        "labelled AS SELECT * EXCLUDE (model) FROM shown WHERE model = 'a'",
    ):
        opened.execute(f"CREATE TABLE {statement}")
    return opened


def computed(shop: duckdb.DuckDBPyConnection, question: Mapping[str, Any], *, per_query: bool) -> list[tuple[Any, ...]]:
    """Return what Python computes."""
    relations: dict[str, Any] = {}
    for name, value in question.items():
        if isinstance(value, dict):
            relations[name] = {model: shop.sql(f"FROM {table}") for model, table in value.items()}
        elif isinstance(value, str) and value.startswith("shop."):
            relations[name] = shop.sql(f"FROM {value}")
    crossed: dict[str, Any] = {"slices": "crossed"} if question.get("by") else {}
    given = {name: value for name, value in question.items() if name != "by_in"}
    result = evaluate(**{**given, **relations, **crossed}, nulls="last", connection=shop)
    return (result.per_query if per_query else result.means).fetchall()


@pytest.mark.parametrize("per_query", [False, True])
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_macro_computes_what_python_computes(name: str, per_query: bool, shop: duckdb.DuckDBPyConnection) -> None:
    question = of_model(QUESTIONS[name])
    found = shop.execute(package("duckdb").call("evaluate", **question, per_query=per_query)).fetchall()
    assert found
    assert_same(found, computed(shop, question, per_query=per_query))


@pytest.mark.slow
@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_has_one_text_but_for_types_and_few_functions(adapter: str) -> None:
    """Another parser takes the text, and no Jinja is left in it."""
    for name, asked in QUESTIONS.items():
        for per_query in (False, True):
            text = package(adapter).call("evaluate", **of_model(asked), per_query=per_query)
            assert not {"{", "}"} & {*text}, name
            assert "None" not in text
            sqlglot.parse_one(text, read=adapter)
    text = macro(adapter, {"metrics": ["recall@10", "ndcg@10"]})
    assert ("CASE metric_no" in text) == (
        adapter in ("bigquery", "spark", "databricks", "trino", "athena", "clickhouse")
    )
    assert ("toNullable" in text) == (adapter == "clickhouse")
    assert ("DOUBLE PRECISION" in text) == (adapter in ("postgres", "redshift"))


def test_compiled_statements_are_short() -> None:
    """The limits of lines are those of issue 52."""
    columns = {"query": "user_id", "item": "item_id"}
    assert len(macro("duckdb", {"metrics": "recall@10", **columns}).splitlines()) <= 30
    assert len(by_day(metrics="recall@10", windows=[1, 7], **columns).splitlines()) <= 90
    check = package("duckdb").call("test_check", TABLES["run"], TABLES["qrels"], **columns)
    assert len(check.splitlines()) <= 150
    written = [path.read_text("utf-8").count("\n") for path in FOLDER.rglob("*.*")]
    assert sum(written) <= 2000


@as_written
def test_generated_files_are_current() -> None:
    written = files()
    assert {path: (FOLDER / path).read_text("utf-8") for path in written} == written


REFUSED = [
    name for name in (*CHOICES, *LIMITS) if name not in ("no_relevant", "missing", "order", "threshold", "min_score")
]


@pytest.mark.parametrize("name", [*REFUSED, "items", "item_by", "item_slices"])
def test_a_policy_that_the_package_lacks_is_refused_with_what_writes_it(name: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: {name}: the dbt package has no such argument. "
                       "`recall-duckdb sql --form dbt` writes a model with every argument and policy"):  # fmt: skip
        macro("duckdb", {"metrics": "recall@5", name: "expected"})


def test_nan_is_no_number(shop: duckdb.DuckDBPyConnection) -> None:
    """NaN and NULL rank last, and relevance of NaN is not judged."""
    scores = "(VALUES ('q', 'a', 'NaN'::DOUBLE), ('q', 'b', 2), ('q', 'c', NULL)) AS _(query, item, score)"
    grades = "(VALUES ('q', 'a', 1::DOUBLE), ('q', 'c', 'NaN')) AS _(query, item, relevance)"
    text = macro("duckdb", {"metrics": ["rr", "num_rel"], "run": f"(FROM {scores})", "qrels": f"(FROM {grades})"})
    assert [row[3] for row in shop.execute(text).fetchall()] == [1 / 3, 1.0]


def test_a_run_or_qrels_without_rows_have_no_means(shop: duckdb.DuckDBPyConnection) -> None:
    for given in (
        {"run": "(FROM shop.one WHERE false)"},
        {"run": "shop.one", "qrels": "(FROM shop.purchases WHERE false)"},
    ):
        for metrics in ("recall@5", SOME[:5]):
            assert shop.execute(macro("duckdb", {"metrics": metrics, **given})).fetchall() == []


def test_the_arguments_of_every_macro_are_documented() -> None:
    held = package("duckdb")
    paths = (FOLDER / "macros.yml", FOLDER / "generated" / "macros.yml")
    properties = [each for path in paths for each in yaml.safe_load(path.read_text("utf-8"))["macros"]]
    assert len({each["name"] for each in properties}) == len(properties)
    documented = {each["name"]: [one["name"] for one in each.get("arguments", [])] for each in properties}
    assert all(one["type"] and one["description"] for each in properties for one in each.get("arguments", []))
    assert all(each["docs"] == {"show": False} for each in properties if "arguments" not in each)
    assert set(documented) == held.names
    called = {name: arguments for name, arguments in documented.items() if arguments}
    assert {name: held.arguments(name) for name in called} == called
    metrics_called = {
        name if "k" not in template.parameters else f"{name}_at_k" for name, template in templates.own_metrics().items()
    }
    assert called.keys() >= metrics_called | {f"test_{name}_at_least" for name in metrics_called} | {"evaluate"}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metrics": "recal@10"}, "there is no metric recal"),
        ({"user": "user_id"}, "evaluate has no argument user. Its arguments: metrics, run, qrels, query, item, score"),
        ({"metrics": "foo_10"}, "there is no metric foo_10 (in foo_10). Known:"),
        ({"metrics": []}, "metrics: name at least one"),
        ({"metrics": "recall@0"}, "k must be a whole number from 1 to 999999999999999999, not 0"),
        ({"metrics": "recall@ten"}, "k must be a whole number"),
        ({"metrics": "bpref@10"}, "takes no cutoff"),
        ({"metrics": "rbp(gain=scaled,threshold=2)@10"}, "the threshold has no effect here"),
        ({"metrics": "rbp(p=2)@10"}, "p is a number above 0 and below 1"),
        (
            {"metrics": "ndcg(gain=1:1,2:5)@10"},
            "takes no tables of gains. `recall-duckdb sql --form dbt` writes a model",
        ),
        ({"metrics": "ndcg(gain=table)@10"}, "gain: table is not one of linear, exponential, binary"),
        ({"metrics": "ap(mean=median)"}, "mean: median is not one of arithmetic, geometric, sum"),
        ({"metrics": "rbp(q=2)@10"}, "rbp has no option q=2"),
        ({"metrics": "ndcg(threshold=2)"}, "the threshold has no effect here"),
        ({"metrics": "coverage@10"}, "coverage needs catalog=: pass the relation"),
        ({"no_relevant": "error"}, "no_relevant: a macro cannot raise an error for data: use a data test"),
        ({"missing": "none"}, "missing: none is not one of zero, skip"),
        ({"relevance": "none"}, "relevance: none in quotes is a column name: write none, or null in YAML"),
        ({"threshold": 0}, "threshold: 0 is not above 0"),
        ({"threshold": "2"}, "threshold: a number is expected, not the text '2': write it without quotes"),
        ({"threshold": float("nan")}, "threshold: a number is expected, not nan"),
        ({"metrics": "recall@5@7"}, "recall@5@7 is not a valid metric"),
        ({"metrics": "rbp(p=0.5)x@5"}, "is not a valid metric"),
        ({"metrics": "rbp(p=0.5@5"}, "is not a valid metric"),
        ({"metrics": "rbp(p=nan)@5"}, "p is a number above 0 and below 1"),
        ({"metrics": "iprec(recall=1-5)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=0.1.2)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=e5)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "iprec(recall=)"}, "recall is a number at least 0 and at most 1"),
        ({"metrics": "rbp(p=0.5=0.6)@5"}, "rbp has no option"),
        ({"metrics": {"recall": 5}}, "metrics: a name such as 'recall@10' is expected"),
        ({"metrics": None}, "metrics: a name such as 'recall@10' is expected"),
        ({"rank": "place", "score": "points"}, "score: place (rank=) already ranks the items"),
        ({"run": {}}, "run: a relation is expected"),
        ({"run": None}, "run: a relation is expected"),
        ({"run": {"a\\b": "x"}}, "run: a\\b cannot be a name: engines differ"),
        ({"run": {1: "x"}}, "run: a text is expected, not 1. Write it in quotes"),
        ({"score": ["a", "b"]}, "score: one column is expected"),
        ({"item": ""}, "item: one column is expected"),
        ({"by": "upper(country)"}, "by: upper(country) is not a column name"),
        ({"catalog": "shop.catalog"}, "catalog: no requested metric reads it"),
        ({"query": []}, "query: name the column"),
        ({"query": ["a", "a"]}, "names a column twice"),
        ({"qrels_query": ["a", "b"]}, "must be as many columns"),
        ({"by": '"Value"'}, 'by: the result has a column "Value" of its own'),
        ({"query": "recall_at_10", "metrics": "recall@10"}, "the result has a column recall_at_10 for the metric"),
        ({"qrels": None, "relevance": None}, "relevance: without qrels="),
        ({"qrels": None, "qrels_item": "x"}, "no qrels= was given"),
        ({"run": {"a": "x", "b": "y"}, "model": "system"}, "model: pass only one of"),
        ({"rank": "position", "min_score": 1}, "it needs a score"),
        ({"rank": "position", "order": "ascending"}, "order: ascending needs a score"),
        ({"order": "ascending", "min_score": 1}, "min_score: it is a lowest score"),
        ({"score": '"Distance"'}, 'score: "Distance" is usually a distance'),
        ({"score": "Position"}, "score: Position is usually a rank, of which the lowest is the best. Pass rank="),
        ({"item": "query"}, "query, item: both name the column query"),
        ({"qrels_item": "relevance"}, "qrels_item, relevance: both name the column relevance"),
    ],
)
def test_an_invalid_argument_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: .*{re.escape(message)}"):
        macro("duckdb", {"metrics": "recall@10", **given})


def test_an_unknown_adapter_is_an_error() -> None:
    with pytest.raises(CompilationError, match="the adapter sqlserver is not one of duckdb, postgres, snowflake"):
        Package("sqlserver", ()).call("recall_at_k", "shop.recommendations", "shop.purchases")


@pytest.mark.parametrize("name", templates.own_metrics())
def test_the_macro_and_the_test_of_a_metric_call_evaluate(name: str) -> None:
    takes_k = "k" in templates.own_metrics()[name].parameters
    optional = {
        each: OPTIONAL_INPUTS[each] for each in inputs_of(templates.own_metrics()[name]) if each in OPTIONAL_INPUTS
    }
    given = {"query": "user_id", "relevance": "quantity", **optional}
    expected = macro("duckdb", {"metrics": f"{name}@3,7" if takes_k else name, **given})
    called, cutoffs = (f"{name}_at_k", {"k": [3, 7]}) if takes_k else (name, {})
    assert package("duckdb").call(called, *TABLES.values(), **cutoffs, **given) == expected
    test = package("duckdb").call(f"test_{called}_at_least", TABLES["run"], 0.5, TABLES["qrels"], **cutoffs, **given)
    assert " ".join(expected.split()) in " ".join(test.split())


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("recall_at_k", {"run": "shop.run", "kk": 5}, "evaluate has no argument kk"),
        ("test_recall_at_k_at_least", {"model": "shop.run", "at_least": 0.5, "kk": 5}, "evaluate has no argument kk"),
        (
            "means_by_day",
            {"metrics": "rr", "run": "shop.run", "date": "2026-01-03"},
            "means_by_day has no argument date",
        ),
        ("test_check", {"model": "shop.run", "user": "user_id"}, "check has no argument user"),
    ],
)
def test_an_unknown_argument_is_an_error_with_the_known_ones(name: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: {told}. Its arguments: .*query, item,"):
        package("duckdb").call(name, **given)


def test_an_argument_by_position_and_by_name_is_an_error() -> None:
    with pytest.raises(
        CompilationError, match="recall_duckdb: evaluate is given metrics twice. Its arguments: metrics,"
    ):
        package("duckdb").call("evaluate", "recall@5", TABLES["run"], metrics="rr")


@pytest.mark.parametrize(
    ("other", "own"),
    [
        ("map@10", "ap@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("NDCG@5,10", "ndcg@5,10"),
        ("mrr(threshold=2)", "rr(threshold=2)"),
        (["rr", "P_5"], ["rr", "precision@5"]),
    ],
)
def test_names_of_other_libraries_are_names_of_metrics(other: Any, own: Any) -> None:
    assert macro("duckdb", {"metrics": other}) == macro("duckdb", {"metrics": own})


def test_the_test_of_a_metric_takes_no_per_query() -> None:
    with pytest.raises(CompilationError, match="per_query: the test is of means: leave it out"):
        package("duckdb").call("test_recall_at_k_at_least", TABLES["run"], 0.5, TABLES["qrels"], per_query=True)


def test_options_of_a_metric_are_arguments_of_its_macro() -> None:
    called = package("duckdb").call("fbeta_at_k", *TABLES.values(), k=[5, 10], beta=2, over="retrieved", mean="sum")
    assert called == macro("duckdb", {"metrics": "fbeta(beta=2,over=retrieved,mean=sum)@5,10"})


def test_relevance_none_and_filters_are_written() -> None:
    text = macro("duckdb", {"metrics": "recall@10", "relevance": None, "filter": "day > 3", "qrels_filter": "day > 4"})
    assert re.search(r"AS rd_score\n  FROM shop.recommendations\n  WHERE day > 3\n", text)
    assert re.search(r"CAST\(1 AS DOUBLE\) AS relevance\n  FROM shop.purchases\n  WHERE day > 4\n", text)
    text = macro("duckdb", {"metrics": "recall@10", "filter": "day > 3", "qrels_filter": ""})
    assert text.count("WHERE day > 3") == 1


def by_day(**given: object) -> str:
    """Return what `means_by_day` of the dbt package writes."""
    return package("duckdb").call("means_by_day", **{"metrics": "recall@2", "days": "2026-01-03", **TABLES, **given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"days": None}, "days: a day such as '2026-01-31' is expected, or a list of them, not nothing"),
        ({"days": "yesterday"}, "days: a day such as '2026-01-31' is expected, or a list of them, not yesterday"),
        *(
            ({"days": day}, f"days: a day such as '2026-01-31' is expected, or a list of them, not {day}")
            for day in (
                "2026-02-30",
                "2026-13-01",
                "9999-12-31",
                "0001-01-01",
                "2026-01-02 garbage",
                "2026-01-02T",
                "²026-01-02",
            )
        ),
        ({"day_column": ["day"]}, "day_column: one column is expected, not ['day']"),
        ({"day_column": ""}, "day_column: one column is expected, not nothing"),
        ({"qrels_day_column": ["day"]}, "qrels_day_column: one column is expected, not ['day']"),
        ({"days": ["2026-01-01", "2026-01-01"]}, "days: name at least one day, and each once"),
        ({"days": []}, "days: name at least one day"),
        ({"windows": 0}, "windows: numbers of days are expected, such as [1, 7, 28], each once, not 0"),
        ({"windows": [7, 7]}, "windows: numbers of days are expected, such as [1, 7, 28], each once, not 7"),
        ({"windows": []}, "windows: name at least one length"),
        ({"windows": 7, "day_column": None}, "windows: 7 days need the column of the day in run and qrels"),
        ({"windows": 7, "qrels_day_column": ""}, "windows: 7 days need the column of the day in run and qrels"),
        ({"days": ["2026-01-01", "2026-01-02"], "day_column": None}, "day_column: without it, the run holds a single"),
        ({"by": "version"}, "by: the result has a column version of its own"),
    ],
)
def test_an_invalid_day_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: .*{re.escape(message)}"):
        by_day(**given)


@pytest.mark.parametrize("day", [datetime.date(2026, 1, 3), "2026-01-03 08:00:00", "2026-01-03T00:00:00+00:00"])
def test_a_day_can_be_a_date_or_a_time(day: object) -> None:
    assert by_day(days=day) == by_day(days="2026-01-03")


@pytest.mark.parametrize(("windows", "read"), [(1, {1}), (7, {3}), ([1, 2], {1, 2})])
def test_a_day_reads_only_the_files_of_its_window(windows: object, read: set[int], tmp_path: Path) -> None:
    opened = duckdb.connect().execute("CREATE SCHEMA shop")
    for name in ("recommendations", "purchases"):
        rows = "SELECT DATE '2026-01-01' + d::INT AS day, 'u' AS query, 'a' AS item, 1 AS score, 1 AS relevance"
        opened.execute(f"COPY ({rows} FROM range(9) AS _(d)) TO '{tmp_path / name}' (FORMAT parquet, PARTITION_BY day)")
        written = f"read_parquet('{tmp_path / name}/*/*', hive_partitioning = true)"
        opened.execute(f"CREATE VIEW shop.{name} AS FROM {written}")
    [[_, plan]] = opened.execute(f"EXPLAIN (FORMAT json) {by_day(windows=windows)}").fetchall()
    assert {int(scanned) for scanned in re.findall(r'"Scanning Files": "(\d+)/9"', plan)} == read
    means = opened.execute(by_day(windows=windows, days=["2026-01-03", "2026-01-04"])).fetchall()
    assert {row[4] for row in means} == ({3, 4} if windows == 7 else read)


def test_a_day_can_be_a_time_and_have_another_name_in_the_qrels() -> None:
    opened = duckdb.connect().execute("CREATE SCHEMA shop")
    opened.execute(
        "CREATE TABLE shop.recommendations AS SELECT 'u' AS query, 'a' AS item, 1 AS score, "
        "TIMESTAMP '2026-01-03 23:59:59.5' AS day"
    )
    opened.execute(
        "CREATE TABLE shop.purchases AS SELECT 'u' AS query, 'a' AS item, 1 AS relevance, DATE '2026-01-03' AS d"
    )
    found = opened.execute(by_day(qrels_day_column="d")).fetchall()
    assert [(row[3], row[4]) for row in found] == [(1.0, 1)]
    static = by_day(qrels_day_column="", filter="query <> 'v'", qrels_filter="")
    assert static.count("WHERE") == by_day(qrels_day_column="d", qrels_filter="").count("WHERE") - 1
    assert len(opened.execute(static).fetchall()) == 1
    assert "day >=" not in by_day(day_column=None)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"query": ["query", '"kind"'], "qrels_query": ["query", "kind"]},
        {"query": ["query", "DAY"], "qrels_query": ["query", "on_day"]},
    ],
)
def test_times_of_a_day_match_in_several_days(given: dict[str, object]) -> None:
    opened = duckdb.connect().execute("CREATE SCHEMA shop")
    at = "SELECT 'u' AS query, 'k' AS kind, 'a' AS item, DATE '2026-01-03' AS on_day"
    opened.execute(f"CREATE TABLE shop.recommendations AS {at}, 1 AS score, TIMESTAMP '2026-01-03 08:00:00' AS day")
    opened.execute(f"CREATE TABLE shop.purchases AS {at}, 1 AS relevance, TIMESTAMP '2026-01-03 21:30:00' AS day")
    if "DAY" in given.get("query", ""):  # type: ignore[operator]
        opened.execute("ALTER TABLE shop.recommendations ALTER day TYPE DATE")
    found = opened.execute(by_day(windows=[1, 7], **given)).fetchall()
    assert sorted((row[7], row[3], row[4]) for row in found) == [(1, 1.0, 1), (7, 1.0, 1)]


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_replaces_the_rows_of_a_day(adapter: str) -> None:
    written = package(adapter).call("replace_days", "night")
    assert "'materialized': 'incremental'" in written
    assert "'full_refresh': False" in written
    assert written.count("night") == 1
    assert ("delete+insert" in written) != ("insert_overwrite" in written)
    assert ("insert_overwrite" in written) == (adapter in ("spark", "bigquery", "athena"))


def test_the_dbt_package_has_the_version_of_the_python_package() -> None:
    assert f"version: {__version__}\n" in (FOLDER.parent / "dbt_project.yml").read_text("utf-8")
