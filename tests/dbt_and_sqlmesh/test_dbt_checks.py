"""The data test `check` of the dbt package finds what `check` of Python finds, and says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import duckdb
import polars as pl
import pytest
from fault_cases import CASES, METRICS, QRELS, RUN, Case
from macros import CompilationError, package

from recall_duckdb import check
from recall_duckdb.macros.package import ADAPTERS, FACTS, check_facts, checks
from recall_duckdb.question import OPTIONAL_INPUTS

pytestmark = pytest.mark.nightly

OF_DBT = checks()
INPUTS = OPTIONAL_INPUTS.keys() & FACTS.keys()
Faults = dict[str, tuple[Any, ...]]


def found(adapter: str, opened: duckdb.DuckDBPyConnection, **given: Any) -> Faults:
    """Run the test `check` on tables, and return the rows of its faults by the name of the check."""
    text = package(adapter).call("test_check", **given)
    return {row[0]: row[1:] for row in opened.execute(text).fetchall()}


def stored(opened: duckdb.DuckDBPyConnection, name: str, data: Any) -> Any:
    """Store data as a table, and return its name; or a mapping of names of models to those of tables."""
    if isinstance(data, Mapping) and all(isinstance(each, (Mapping, pl.DataFrame)) for each in data.values()):
        return {model: stored(opened, f"{name}_{number}", each) for number, (model, each) in enumerate(data.items())}
    frame = pl.DataFrame(data, strict=False)  # noqa: F841
    opened.execute(f"CREATE TABLE {name} AS FROM frame")
    return name


def arguments(opened: duckdb.DuckDBPyConnection, case: Case) -> dict[str, Any]:
    """Return the arguments of the test for the data of a case."""
    given: dict[str, Any] = {"metrics": METRICS, "missing": "error", "no_relevant": "error", **case.arguments}
    for name in INPUTS & given.keys():
        weights = {"weight": [1.0]} if name == "features" else {}  # dbt does not look up which columns there are
        given[name] = stored(opened, name, {**weights, **given[name]})
    if given.get("by") in case.run and given["by"] not in case.qrels:
        given["by_in"] = "run"
    given |= {"model": stored(opened, "run", case.run), "qrels": stored(opened, "qrels", case.qrels)}
    return given | ({"model_column": case.arguments["model"]} if "model" in case.arguments else {})


@pytest.mark.parametrize("name", OF_DBT)
def test_a_data_test_finds_what_python_finds(name: str) -> None:
    case, opened = CASES[name], duckdb.connect()
    faults = found("duckdb", opened, **arguments(opened, case))
    if case.ask is check:
        python = check(case.run, case.qrels, **{"metrics": METRICS, **case.arguments})
        counts = {row.check: row.faults for row in python if row.check in OF_DBT}
        if name == "empty_run":  # without a row there is no model whose queries could be missing
            counts = {name: 1}
        assert {each: row[0] for each, row in faults.items()} == counts
    count, example, rule, fix = faults[name]
    assert count == case.faults
    keys = (case.example or {}).keys() & {"model", "query", "item"}
    assert (example or "").count(", ") == max(len(keys) - 1, 0)
    assert rule
    assert fix
    assert "{" not in rule + fix


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_adapter_counts_the_faults_of_every_check(adapter: str) -> None:
    inputs = {name: f"shop.{name}" for name in INPUTS if name != "query_slices"}
    metrics = ["err@2", "ndcg(gain=exponential)@2", "coverage@2", "novelty@2", "serendipity@2", "diversity@2"]
    given = {"qrels": "shop.qrels", "query": ["user_id", "day"], "model_column": "system", "by": "country", **inputs}
    text = package(adapter).call(
        "test_check", "shop.run", metrics=[*metrics, "pair_diversity@2", "unexpectedness@2"], **given
    )
    names = re.findall(r"'(\w+)' AS check_name", text)
    assert {"run_ids", "qrels_duplicates", "no_common_query", "slices_of_qrels", "grades", "weights_range"} <= {*names}
    assert text.count("(") == text.count(")")
    assert not {"{", "}"} & {*text}
    sliced = {name: value for name, value in given.items() if name not in inputs} | {"query_slices": "shop.users"}
    text = package(adapter).call("test_check", "shop.run", metrics=["rr"], **sliced)
    names = re.findall(r"'(\w+)' AS check_name", text)
    assert {"query_slices_duplicates", "query_slices_ids", "slice_nulls"} <= {*names}


def test_sound_data_have_no_faults() -> None:
    opened = duckdb.connect()
    assert found("duckdb", opened, **arguments(opened, Case(0, None))) == {}


def test_only_and_skip_choose_checks() -> None:
    opened = duckdb.connect()
    repeated = arguments(opened, Case(0, None, run={**RUN, "item": ["a", "a", "c", None]}))
    both = {"run_duplicates", "run_ids"}
    assert found("duckdb", opened, **repeated).keys() == both
    assert found("duckdb", opened, **repeated, skip="run_ids").keys() == {"run_duplicates"}
    assert found("duckdb", opened, **repeated, only=["run_ids", "run_scores"]).keys() == {"run_ids"}
    [[count, example, rule, fix]] = found("duckdb", opened, **repeated, only="run_duplicates").values()
    assert (count, example) == (1, "q1, a")
    assert rule == "the run holds an item (column item) more than once in a query's list"
    assert fix.startswith("Remove the duplicates.")


def test_what_a_check_advises_is_an_argument_of_the_test() -> None:
    advised = {each for check in OF_DBT.values() for each in re.findall(r"([a-z_]+)=", str(check_facts(check)["fix"]))}
    options_of_metrics = {"gain", "max_grade"}
    assert "model_column" in advised
    defaults: Any = package("duckdb").value("defaults")
    assert advised - options_of_metrics <= {*defaults, *INPUTS, "model_column"} - {"model"}


def test_a_run_is_checked_without_qrels() -> None:
    opened = duckdb.connect()
    opened.execute(
        "CREATE TABLE run AS SELECT 'q' AS query, unnest(['a', 'b', 'c', 'c']) AS item, unnest([4, 3, 2, 1]) AS score"
    )
    opened.execute("CREATE TABLE catalog AS SELECT unnest(['a', 'b', 'c']) AS item")
    given = {"model": "run", "metrics": "coverage@2", "catalog": "catalog"}
    assert found("duckdb", opened, **given).keys() == {"run_duplicates"}
    opened.execute("ALTER TABLE run ADD COLUMN relevance INTEGER")
    for metrics in (None, "recall@2", ["coverage@2", "recall@2"]):
        asked = {"model": "run", "metrics": metrics} | ({"catalog": "catalog"} if isinstance(metrics, list) else {})
        assert {"run_duplicates", "qrels_relevance"} <= found("duckdb", opened, **asked).keys()


def test_a_filter_checks_only_some_rows() -> None:
    opened = duckdb.connect()
    given = arguments(opened, Case(0, None, qrels={**QRELS, "item": ["a", "b", "c", "c"]}))
    assert found("duckdb", opened, **given).keys() == {"qrels_duplicates"}
    assert found("duckdb", opened, **given, filter="query = 'q1'") == {}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"only": "run_id"}, "only: there is no check run_id. Known: "),
        ({"skip": "duplicate"}, "skip: there is no check duplicate. Known: "),
        ({"only": "missing"}, "only: the check missing does not apply: it depends on missing"),
        ({"only": "run_ids", "skip": "run_ids"}, "only, skip: no check is left"),
        ({"nulls": "last"}, "nulls: the dbt package has no such argument. `recall-duckdb sql --form dbt` writes"),
        ({"missing": "last"}, "missing: last is not one of zero, skip"),
    ],
)
def test_an_invalid_argument_of_the_test_is_a_compilation_error(given: dict[str, Any], message: str) -> None:
    with pytest.raises(CompilationError, match=f"recall_duckdb: {re.escape(message)}"):
        package("duckdb").call("test_check", "shop.run", "shop.qrels", **given)
