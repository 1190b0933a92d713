"""`evaluate` and `check` over users' connections to other engines give the same results and faults as in DuckDB."""

from __future__ import annotations

from typing import Any

import pytest
import sqlglot
from asking import fails
from engine_cases import Columns, as_tables, assert_same, in_order, on_duckdb, question, rows_of, tables
from engines import ENGINES, Engine, on
from fault_cases import BRACKETED_IDS, CASES, METRICS, ONLY_DUCKDB, TEXT_LISTS, TWO_ROWS
from macros import package
from sqlglot import exp

from recall_duckdb import ArgumentError, DataError, EngineError, agreement, check, compare, evaluate, pool, sql
from recall_duckdb.definitions import templates
from recall_duckdb.dialects import DIALECTS
from recall_duckdb.macros.package import ADAPTERS

FAULTS = {name: case for name, case in CASES.items() if name not in ONLY_DUCKDB}


INFINITE = {"run_infinite", "qrels_range"}
# Together, these cases run every check. PostgreSQL runs all cases, also SQLite each night, and the slowest only these.
FEWEST = [
    *(
        "catalog_ids", "empty_models", "exclude_ids", "obvious_ids", "features", "inexact_scores",
        "item_slices_missing", "items_ids", "no_common_pairs", "no_common_training", "no_common_units",
    ),
    *("padding", "query_slices_ids", "ranks", "slice_nulls", "slices_of_run", "weights"),
]  # fmt: skip
FEW = [
    *FEWEST,
    *("exclude_text_lists", "qrels_text_lists", "run_text_lists"),
    *("qrels_relevance", "run_duplicates", "run_infinite", "sampled", "ties", "unjudged_items", "unjudged_queries"),
]
FOUND = {"SQLite": list(FAULTS), "Postgres": list(FAULTS), "Trino": FEWEST, "Spark": FEWEST}
ASKED = [
    on(engine, name, nightly=name not in FEW)
    for engine, kind in ENGINES.items()
    for name in FOUND.get(engine, FEW)
    if kind.has_infinity or name not in INFINITE
]


@pytest.mark.slow
def test_a_few_cases_run_every_check() -> None:
    made = set()
    for name in FEWEST:
        case = FAULTS[name]
        made |= set(check(case.run, case.qrels, **{"metrics": METRICS, **case.arguments}).checks)
    of_check = {name for name in templates.checks() if CASES[name].ask is check}
    assert made - ONLY_DUCKDB == of_check - ONLY_DUCKDB


@pytest.mark.parametrize(("engine", "name"), ASKED, indirect=["engine"])
def test_a_check_finds_the_same_faults_as_in_duckdb(engine: Engine, name: str, tmp_path: Any) -> None:
    case = FAULTS[name]
    arguments = {"metrics": METRICS, **case.arguments}
    if name == "metric_rows":
        (tmp_path / "two_rows.sql").write_text(TWO_ROWS)
        arguments["metric_folder"] = tmp_path
    held, asked = as_tables(case.run, case.qrels, arguments)
    engine.load(held)
    there = {"connection": engine.connect(), "dialect": engine.dialect}
    if case.ask is not check:
        with pytest.raises(DataError) as here:
            case.ask(case.run, case.qrels, **arguments)
        with pytest.raises(type(here.value)) as caught:
            case.ask(**asked, **there)
        assert str(caught.value) == str(here.value)
        return
    found = in_order(check(**asked, **there))
    assert found == in_order(check(case.run, case.qrels, **arguments))
    assert found


EVALUATED = [
    on(engine, name)
    for engine in ENGINES
    for name in ("duplicates=best", "slices", "item slices", "nulls=drop", "a model column", "labels")
    if engine not in ("Trino", "Spark") or name in ("duplicates=best", "slices", "item slices")  # the slowest
]


@pytest.mark.parametrize(("engine", "name"), EVALUATED, indirect=["engine"])
def test_evaluate_gives_the_same_values_as_in_duckdb(engine: Engine, name: str) -> None:
    held, asked = question(name)
    means, per_query = on_duckdb(name)
    engine.load(held)
    result = evaluate(**asked, connection=engine.connect(), dialect=engine.dialect)
    assert_same(rows_of(result.to_dicts()), means)
    assert_same(result.means.fetchall(), means)
    assert_same(result.per_query.fetchall(), per_query)
    assert f" for {engine.dialect}" in result.sql
    result.close()


def two_systems() -> dict[str, Columns]:
    """Return tables of two systems with slices; a query has no value under one of them."""
    found = tables("text", "models")
    country = tables("text", "slices")["qrels"]["country"]
    return {"run": found["run"], "qrels": {**found["qrels"], "country": country}}


@pytest.mark.slow
@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_compare_gives_the_same_numbers_as_in_duckdb(engine: Engine) -> None:
    held = two_systems()
    engine.load(held)
    asked: dict[str, Any] = {"metrics": ["recall@2", "dcg@3"], "model": "system", "by": "country", "missing": "skip"}
    here = evaluate(held["run"], held["qrels"], **asked)
    there = evaluate("run", "qrels", **asked, connection=engine.connect(), dialect=engine.dialect)
    assert_same(rows_of(there.compare("old").to_dicts()), rows_of(here.compare("old").to_dicts()))
    if engine.name in ("Trino", "Spark"):  # the slowest
        return
    hows: list[dict[str, Any]] = [{"test": "randomization"}, {"interval": "bootstrap", "test": "sign", "samples": 200}]
    for how in hows:
        compared = there.compare("old", **how)  # these read every value
        assert_same(rows_of(compared.to_dicts()), rows_of(here.compare("old", **how).to_dicts()))
    assert_same(rows_of(there.intervals().to_dicts()), rows_of(here.intervals().to_dicts()))
    worst = there.compare("old").changes("recall@2")
    assert_same(worst.fetchall(), here.compare("old").changes("recall@2").fetchall())
    one = held["run"]["query"][0]
    shown, expected = (each.explain(one, baseline="old", model="New").fetchall() for each in (there, here))
    assert_same([(*row[:-1], bool(row[-1])) for row in shown], expected)  # not every engine has truth values


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_a_pool_holds_the_same_items_as_in_duckdb(engine: Engine) -> None:
    held, _ = question("slices")
    engine.load(held)
    found = engine.rows(sql("run", "qrels", "rr@3", pool=True, dialect=engine.dialect))
    assert sorted(map(tuple, found)) == sorted(pool(held["run"], held["qrels"], "rr@3").fetchall())
    assert len(found) > 3


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_agreement_is_the_same_as_in_duckdb(engine: Engine) -> None:
    held = tables("text", "models")
    engine.load({"run": held["run"]})
    asked: dict[str, Any] = {"baseline": "old", "model": "system", "k": 3}
    here = agreement(held["run"], **asked)
    there = agreement("run", **asked, connection=engine.connect(), dialect=engine.dialect)
    assert_same(rows_of(there.to_dicts()), rows_of(here.to_dicts()))
    assert_same(there.per_query().fetchall(), here.per_query().fetchall())
    assert 0 < here.value("rbo") < 1


@pytest.mark.slow
@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_slices_of_items_are_compared_as_in_duckdb(engine: Engine) -> None:
    held = tables("text", "models")
    engine.load({name: held[name] for name in ("run", "qrels", "item_slices")})
    asked: dict[str, Any] = {"metrics": "recall@2", "model": "system", "item_by": "tier"}
    here = evaluate(held["run"], held["qrels"], **asked, item_slices=held["item_slices"])
    there = evaluate(
        "run", "qrels", **asked, item_slices="item_slices", connection=engine.connect(), dialect=engine.dialect
    )
    assert_same(rows_of(there.compare("old").to_dicts()), rows_of(here.compare("old").to_dicts()))


@pytest.mark.parametrize("engine", [on(name) for name, kind in ENGINES.items() if kind.can_create], indirect=True)
def test_create_writes_the_values_per_query_to_a_table(engine: Engine) -> None:
    held, asked = question("slices")
    engine.load(held)
    connection = {"connection": engine.connect(), "dialect": engine.dialect}
    result = evaluate(**{**asked, "metrics": "recall@2", "create": "made_here"}, **connection)
    made = engine.rows("SELECT country, query, recall_at_2 FROM made_here")
    expected = [(country, query, value) for _, query, country, value in result.per_query.fetchall()]
    assert_same(made, expected)
    fails(EngineError, "could not create the table", evaluate, **{**asked, "create": "made_here"}, **connection)
    engine.run("DROP TABLE made_here")


# Names that could end a name or text, begin a comment or parameter, or be a separate statement.
NAMES = [
    *('a"b', '""', "a`b", "``", "a'b", "''", "\\", "a\\b", "a\\'b", 'a\\"b', "[a]", "a]b", "a b", "a.b", "select"),
    *("a;b", "a--b", "a/*b*/c", "#x", "a\nb", "a\rb", "\t", "é😀", "a%sb%%", "a?b", "a:b", "@x", "${x}", "{{x}}"),
    "x) AS query, 1 AS item, 2 AS score FROM run; DROP TABLE run --",
]
PLAIN: dict[str, Columns] = {
    "run": {"query": ["q", "q"], "item": ["a", "b"], "score": [0.5, 1.0]},
    "qrels": {"query": ["q", "q"], "item": ["a", "b"], "relevance": [1.0, 0.0]},
}


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_no_name_becomes_sql(engine: Engine) -> None:
    engine.load(PLAIN)
    found = []
    for place in range(0, len(NAMES), 8):  # Trino cannot run a statement with more
        several = dict.fromkeys(NAMES[place : place + 8], "run")
        found += engine.rows(sql(several, "qrels", "rr", dialect=engine.dialect))
    assert [model for model, *_ in found if model not in NAMES] == []
    assert [value for *_, value, _ in found] == pytest.approx([0.5] * len(NAMES), abs=1e-12)
    possible = [name for name in NAMES if name not in engine.impossible_names]
    queries = {name: ["q", "q"] for name in possible}
    engine.load({"strange": {**queries, "item": ["a", "b"], "relevance": [1.0, 0.0], "score": [0.5, 1.0]}})
    question: dict[str, Any] = {"metrics": "rr", "query": possible, "dialect": engine.dialect}
    [(*_, value, queries)] = engine.rows(sql("strange", "strange", **question))
    assert (value, queries) == (pytest.approx(0.5, abs=1e-12), 1)
    for name in possible:
        assert text_of(sql("strange", "strange", "rr", query=name, dialect=engine.dialect), engine.dialect) == []


# Columns with the names of other columns in the SQL.
SWAPPED: dict[str, Columns] = {
    "run": {
        "item": ["x", "x", "y", "y"], "query": ["a", "b", "b", "a"], "relevance": [0.9, 0.8, 0.7, 0.6],
        "score": [1, 1, 1, 1],
    },
    "qrels": {
        "item": ["x", "y"], "query": ["b", "b"], "score": [1, 2], "slice": ["late", "soon"], "model": ["soon", "soon"],
    },
}  # fmt: skip


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_user_columns_with_our_column_names_are_not_confused(engine: Engine) -> None:
    engine.load(SWAPPED)
    words: dict[str, Any] = {
        "query": "item", "item": "query", "score": "relevance", "relevance": "score", "dialect": engine.dialect,
    }  # fmt: skip
    means = engine.rows(sql("run", "qrels", "recall@1", by="slice", **words))
    assert [(row[1], float(row[-2])) for row in means] == [(None, 0.5), ("late", 0), ("soon", 1)]
    per_query = engine.rows(sql("run", "qrels", "recall@1", by="slice", per_query=True, **words))
    assert [(*row[1:3], float(row[3])) for row in per_query] == [("x", "late", 0), ("y", "soon", 1)]


OF_ADAPTERS = [on(name) for name, kind in ENGINES.items() if kind.dialect in ADAPTERS]
HELD: dict[str, Columns] = {
    "run": {"query": ["q", "q", "r"], "item": ["a", "b", "a"], "score": [0.9, 0.8, 0.7]},
    "doubled": {"query": ["r", "r"], "item": ["a", "a"], "score": [0.7, 0.6]},
    "nothing": {"query": ["q"], "item": ["a"], "score": [0.9]},
    "qrels": {"query": ["q", "r"], "item": ["b", "a"], "relevance": [1.0, 1.0], "country": ["BE", "FR"]},
    "before": {
        "day": [1, 1, 1, 1], "model": ["run", "run", "run", "run"], "metric": ["recall", "recall", "ndcg", "rr"],
        "k": [1, 2, 2, None], "value": [0.5, 0.8, 0.75, 0.5],
    },
    "after": {
        "day": [1, 1, 2, 2, 2], "model": ["run", "run", "run", "run", "run"],
        "metric": ["recall", "ndcg", "recall", "recall", "ndcg"], "k": [1, 2, 1, 2, 2],
        "value": [0.7, 0.8, 0.6, 0.7, 0.7],
    },
}  # fmt: skip


@pytest.mark.parametrize("engine", OF_ADAPTERS, indirect=True)
def test_the_dbt_data_tests_find_values_that_are_too_low(engine: Engine) -> None:
    engine.load(HELD)

    def found(name: str, *given: object, **named: object) -> list[tuple[Any, ...]]:
        rows = engine.rows(package(engine.dialect).call(f"test_{name}", *given, **named))
        return sorted((tuple(row[:4]) for row in rows), key=str)

    recall: dict[str, Any] = {"qrels": "qrels", "k": [1, 2]}
    assert found("recall_at_k_at_least", "run", 0.5, **recall) == []
    assert found("recall_at_k_at_least", "run", 0.6, **recall) == [("recall", 1, "run", 0.5)]
    assert found("recall_at_k_at_least", "run", 0.6, **recall, filter="query = 'q'") == [("recall", 1, "run", 0)]
    nothing = found("recall_at_k_at_least", "nothing", 0, **recall, filter="query = 'z'", qrels_filter="")
    assert [row[:2] for row in nothing] == [("recall", 1), ("recall", 2)]
    assert len(found("recall_at_k_at_least", "run", 0.6, **recall, by="country")) == 2  # the overall mean, and BE
    assert found("no_duplicate_recommendations", "doubled") == [("r", "a", 2)]

    day = "(SELECT model, metric, k, value FROM after WHERE day = 2) AS today"
    previous: dict[str, Any] = {"previous": "before", "tolerance": 0.05}
    lower = [row[2:4] for row in found("metric_not_below_previous", day, **previous, metric=["recall", "ndcg"])]
    assert lower == [("recall", 2)]
    assert len(found("metric_not_below_previous", day, **previous)) == 2  # rr is gone
    assert [row[0] for row in found("metric_not_below_previous", day, **previous, metric=["ndcg", "recal"])] == [
        "recal"
    ]
    by_day: dict[str, Any] = {"order_by": "day", "metric": ["recall", "ndcg"]}
    assert len(found("metric_not_below_previous", "after", **by_day, tolerance=0.05)) == 2
    assert (
        found("metric_not_below_previous", "after", **by_day, tolerance=0.1) == []
    )  # in doubles, 0.8 - 0.7 exceeds 0.1


VALUES: dict[str, Columns] = {
    "kept": {
        "model": ["old"] * 5 + ["new"] * 5 + ["same"],
        "person": [*"abcde", *"abcde", "a"],
        "country": ["BE", "BE", "FR", "FR", "FR", "BE", "BE", "FR", "FR", "FR", "BE"],
        "recall_at_10": [0.5, 0.25, 1.0, 0.75, None, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5],
        "dcg_at_10": [1.5, 2.25, 3.0, 0.75, 1.0, 2.25, 2.25, 3.5, 1.5, 1.0, 1.5],
    }
}


@pytest.mark.parametrize("engine", [on("Postgres")], indirect=True)
def test_a_power_too_small_for_a_double_is_no_error_in_dbt(engine: Engine) -> None:
    held, asked = question("long lists")
    engine.load(held)
    assert_same(engine.rows(package("postgres").call("evaluate", **asked)), on_duckdb("long lists")[0])


@pytest.mark.parametrize("engine", OF_ADAPTERS, indirect=True)
def test_the_dbt_macro_compares_models_as_python_does(engine: Engine) -> None:
    engine.load(VALUES)
    held = VALUES["kept"]
    files = {
        model: {
            name: [value for value, own in zip(column, held["model"], strict=True) if own == model]
            for name, column in held.items()
        }
        for model in ("old", "new", "same")
    }
    by = {"query": "person", "by": "country"}
    rows = compare(files, baseline="old", **by).to_dicts()  # type: ignore[arg-type]
    exact = ("model", "country", "metric", "queries", "baseline", "value", "delta", "sd", "wins", "ties", "losses", "t")
    expected = {(row["model"], row["country"], row["metric"]): row for row in rows}

    macros = package(engine.dialect)
    found = engine.rows(macros.call("compare", "kept", ["recall_at_10", "dcg_at_10"], baseline="old", **by))
    names = (*exact[:8], "low", "high", *exact[8:])
    assert len(found) == len(rows)
    for row in found:
        got = dict(zip(names, row, strict=True))
        want = expected[got["model"], got["country"], got["metric"]]
        assert_same([tuple(got[name] for name in exact)], [tuple(want[name] for name in exact)])
        for name in ("low", "high"):
            assert got[name] == (None if want[name] is None else pytest.approx(want[name], abs=1e-6))

    def worse(*given: object, **named: object) -> list[tuple[Any, ...]]:
        rows = engine.rows(macros.call("test_metric_not_worse_than", *given, query="person", **named))
        return sorted((tuple(row[:2]) for row in rows), key=str)

    assert worse("kept", "recall_at_10", baseline="old") == []  # not significant
    assert worse("kept", "recall_at_10", baseline="old", margin=0.25) == []
    assert worse("kept", "recall_at_10", baseline="old", margin=0.2) == [("recall_at_10", "new")]
    assert worse("kept", ["recall_at_10"], baseline="old", margin=0, by="country")[0] == ("recall_at_10", "new")
    assert worse("kept", "dcg_at_10", baseline="old", margin=0) == []
    nobody = worse("kept", "dcg_at_10", baseline="nobody", filter="model = 'new'")
    assert nobody == [("dcg_at_10", "new")]
    assert worse("kept", "dcg_at_10", baseline="old", filter="model = 'none'")[0][0] == "dcg_at_10"
    olds = "(SELECT * FROM kept WHERE model = 'old') AS olds"
    assert worse("kept", "recall_at_10", baseline_values=olds, margin=0.2, filter="person <> 'z'") == [
        ("recall_at_10", "new")
    ]


def text_of(statement: str, dialect: str) -> list[str]:
    """Parse a statement in its dialect and return the types of all trees that are not a SELECT."""
    trees = sqlglot.parse(statement, read=DIALECTS[dialect].writer or dialect)
    return [type(tree).__name__ for tree in trees if not isinstance(tree, exp.Select)]


def test_a_name_that_no_engine_accepts_is_refused() -> None:
    for name in ("a\0b", "\ud800"):
        fails(ArgumentError, "cannot be a column name", sql, "run", "qrels", dialect="postgres", query=name)
        fails(ArgumentError, "cannot be the name of a model", sql, {name: "run"}, "qrels", dialect="postgres")
        fails(ArgumentError, "cannot be", sql, name, "qrels", dialect="postgres")
        fails(ArgumentError, "cannot be", sql, "run", "qrels", dialect="postgres", form="view", name=name)


HIGH, LOW = 2**53 + 1, 2**53


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
@pytest.mark.parametrize("order", ["descending", "ascending"])
def test_scores_that_only_a_double_takes_for_equal_are_refused(engine: Engine, order: str) -> None:
    judged: Columns = {"query": [1], "item": ["a"], "relevance": [1]}
    engine.load({"run": {"query": [1, 1], "item": ["a", "b"], "score": [HIGH, LOW]}, "qrels": judged})
    asked = {"connection": engine.connect(), "dialect": engine.dialect, "order": order}
    with pytest.raises(DataError, match=f"'score' holds scores that differ.*lowest={LOW}, highest={HIGH}.*as rank="):
        evaluate("run", "qrels", "rr", **asked)
    assert [fault.check for fault in check("run", "qrels", "recall@2", **asked)] == ["inexact_scores"]
    found = evaluate("run", "qrels", "rr", **asked, semantics="trec_eval_9")  # which compares as FLOAT
    assert found.value("rr") == 0.5
    engine.load({"run": {"query": [1, 2], "item": ["a", "b"], "score": [HIGH, LOW]}, "qrels": judged})
    again = {**asked, "connection": engine.connect()}
    assert evaluate("run", "qrels", "rr", **again).value("rr") == 1.0


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
@pytest.mark.parametrize("text", TEXT_LISTS)
def test_the_text_of_a_list_is_refused(engine: Engine, text: str) -> None:
    judged: Columns = {"query": ["q", "q"], "item": ["a", text], "relevance": [1, 1]}
    engine.load({"run": {"query": ["q"], "item": ["a"], "score": [1.0]}, "qrels": judged})
    with pytest.raises(DataError, match="Column 'item' holds the text of a list in the qrels, which would be one id"):
        evaluate("run", "qrels", "rr", connection=engine.connect(), dialect=engine.dialect)


@pytest.mark.parametrize("engine", [on(name) for name in ENGINES], indirect=True)
def test_an_id_may_have_brackets(engine: Engine) -> None:
    items = BRACKETED_IDS
    queries = ["q"] * len(items)
    run: Columns = {"query": queries, "item": items, "score": [float(score) for score in range(len(items))]}
    judged: Columns = {"query": queries, "item": items, "relevance": [1] * len(items)}
    engine.load({"run": run, "qrels": judged})
    found = evaluate("run", "qrels", "ap", connection=engine.connect(), dialect=engine.dialect)
    assert found.value("ap") == 1.0
