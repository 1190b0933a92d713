"""Models are compared as scipy and statsmodels compare them, and the same bits come out every time."""

from __future__ import annotations

import csv
import json
import math
import random
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pyarrow
import pytest
from asking import Output, Patch, error_of, fails, output_of
from folders import ROOT

from recall_duckdb import (
    ArgumentError,
    ArgumentTypeError,
    Comparison,
    DataError,
    RecallError,
    UnknownNameError,
    compare,
    evaluate,
)
from recall_duckdb.cli import main
from recall_duckdb.comparison import samples, sums
from recall_duckdb.comparison.settings import Test
from recall_duckdb.compose import kept
from recall_duckdb.evaluation import explain_queries
from recall_duckdb.question.policies import CHOICES

FIXTURES = ROOT / "fixtures" / "comparison"
SHARED = ROOT.parent / "shared" / "data" / "compare"
GOLDENS = sorted(FIXTURES.glob("*.json")) + sorted(SHARED.glob("thousand.json"))
CORRECTIONS: dict[str, Any] = {"p_holm": "holm", "p_bonferroni": "bonferroni", "p_bh": "bh"}
Rows = list[dict[str, Any]]


def values(path: Path) -> dict[str, dict[str, list[Any]]]:
    """Return the values of a golden by model, as columns."""
    found: dict[str, dict[str, list[Any]]] = {}
    with path.with_suffix(".csv").open() as file:
        for row in csv.DictReader(file):
            columns = found.setdefault(row.pop("model"), {})
            for name, text in row.items():
                columns.setdefault(name, []).append(float(text) if "@" in name else text)
    return found


def by_cell(compared: Comparison) -> dict[tuple[Any, ...], dict[str, Any]]:
    return {(row["model"], row.get("slice"), f"{row['metric']}@{row['k']}"): row for row in compared.to_dicts()}


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_a_comparison_matches_scipy_and_statsmodels(path: Path) -> None:
    held, golden = values(path), json.loads(path.read_text())["comparisons"]
    found = {how: by_cell(compare(held, baseline="base", by="slice", correction=how)) for how in CORRECTIONS.values()}
    signs = by_cell(compare(held, baseline="base", by="slice", test="sign"))
    flips = by_cell(compare(held, baseline="base", by="slice", test="randomization"))
    assert len(golden) == len(signs) >= 8
    for row in golden:
        cell = row["model"], row["slice"], row["metric"]
        got = found["holm"][cell]
        for name in ("queries", "wins", "ties", "losses"):
            assert got[name] == row[name]
        low, high = row["ci95"] or (None, None)
        means = {"baseline": row["baseline"], "value": row["value"], "delta": row["delta"], "sd": row["sd"]}
        for name, number in {**means, "low": low, "high": high}.items():
            assert got[name] == (None if number is None else pytest.approx(number, rel=0, abs=1e-11))
        for name in ("baseline", "value", "delta"):
            assert got[name] == pytest.approx(row[name], rel=0, abs=1e-12)
        for name, number in {"t": row["t"], "effect": row["dz"], "p": row["p_t"]}.items():
            assert got[name] == (None if number is None else pytest.approx(number, rel=1e-9, abs=1e-9))
        for name, how in CORRECTIONS.items():
            expected = row.get(name)
            assert found[how][cell]["p_adjusted"] == (None if expected is None else pytest.approx(expected, abs=1e-9))
        assert signs[cell]["p"] == pytest.approx(row["p_sign"], abs=1e-9)
        if row.get("p_randomization_exact") is not None:
            assert flips[cell]["p"] == pytest.approx(row["p_randomization_exact"], abs=1e-12)


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_the_interval_of_a_mean_matches_scipy(path: Path) -> None:
    held, golden = values(path), json.loads(path.read_text())["means"]
    run, qrels = as_run({model: columns["recall@10"] for model, columns in held.items()})
    result = evaluate(run, qrels, f"dcg@{LONGEST}")
    for row in result.intervals().to_dicts():
        expected = golden[f"{row['model']} recall@10"]
        low, high = expected["ci95"] or (None, None)
        numbers = {"low": low, "high": high, **{name: expected[name] for name in ("sd", "median")}}
        numbers["value"] = expected["mean"]
        for name, number in numbers.items():
            assert row[name] == (None if number is None else pytest.approx(number, abs=1e-9))
        if row["sd"] is not None:
            assert row["standard_error"] == pytest.approx(row["sd"] / math.sqrt(row["queries"]), rel=1e-12)


LONGEST = 1


def as_run(numbers: dict[str, list[float]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return runs and qrels for which dcg@1 has these values: the first item of each list has the value as its gain."""
    qrels: dict[str, list[Any]] = {"query": [], "item": [], "relevance": []}
    runs: dict[str, Any] = {}
    for model, own in numbers.items():
        runs[model] = {"query": list(range(len(own))), "item": [f"{model}{n}" for n in range(len(own))]}
        runs[model]["score"] = [1.0] * len(own)
        qrels["query"] += runs[model]["query"]
        qrels["item"] += runs[model]["item"]
        qrels["relevance"] += own
    return runs, qrels


def flipped(differences: list[float], samples: int) -> float:
    """Return the p-value of the randomization test, computed in Python."""
    chance, total, hits = random.Random(5), abs(math.fsum(differences)), 0
    for _ in range(samples):
        drawn = math.fsum(each if chance.random() < 0.5 else -each for each in differences)
        hits += abs(drawn) >= total - 1e-12
    return (1 + hits) / (samples + 1)


def test_the_randomization_test_agrees_with_random_signs_in_python() -> None:
    held, samples = values(FIXTURES / "fifty.json"), 10_000
    found = by_cell(
        compare(held, baseline="base", test="randomization", samples=samples, metrics=["ndcg@10", "recall@10"])
    )
    for (model, _, metric), row in found.items():
        pairs = zip(held["base"][metric], held[model][metric], strict=True)
        p = flipped([own - base for base, own in pairs], samples)
        assert row["p"] == pytest.approx(p, abs=4 * math.sqrt(2 * max(p * (1 - p), 1 / samples) / samples))


HOW: list[dict[str, Any]] = [{}, {"test": "sign"}, {"test": "randomization", "interval": "bootstrap", "samples": 500}]


@pytest.mark.parametrize("how", HOW, ids=str)
def test_threads_and_the_order_of_rows_change_no_bit(how: dict[str, Any]) -> None:
    held = values(FIXTURES / "fifty.json")
    found = []
    for threads, seed in ((1, None), (4, 3), (3, 8)):
        connection = duckdb.connect(config={"threads": threads})
        given: dict[str, Any] = {}
        for model, columns in held.items():
            order = list(range(len(columns["query"])))
            if seed is not None:
                random.Random(seed).shuffle(order)
            given[model] = {name: [column[place] for place in order] for name, column in columns.items()}
        found.append(compare(given, baseline="base", by="slice", connection=connection, **how).to_dicts())
    assert found[0] == found[1] == found[2]


def test_random_numbers_are_the_same_in_every_version_of_numpy() -> None:
    """These numbers were computed with NumPy 1.26.4 and 2.4.6, and DuckDB 1.4.4 and 2.0.1."""
    held = values(FIXTURES / "fifty.json")
    how: dict[str, Any] = {"test": "randomization", "interval": "bootstrap", "samples": 999, "seed": 42}
    row, other = (compare(held, baseline="base", **{**how, "seed": seed}).to_dicts()[0] for seed in (42, 43))
    assert {name: row[name] for name in ("model", "metric", "p", "low", "high")} == PINNED
    assert 0 < abs(other["p"] - row["p"]) < 0.01
    assert 0 < abs(other["low"] - row["low"]) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("how", [{"interval": "bootstrap"}, {"test": "randomization"}], ids=str)
def test_samples_in_one_block_and_in_many_have_the_same_bits(how: dict[str, Any], monkeypatch: Patch) -> None:
    """Given slices, and a model that lacks two of three queries."""
    held = values(FIXTURES / "fifty.json")
    held["short"] = {name: column[::3] for name, column in held["better"].items()}
    asked: dict[str, Any] = {"baseline": "base", "by": "slice", "samples": 500, **how}
    whole = compare(held, **asked).to_dicts()
    monkeypatch.setattr(samples, "_BLOCK", 200)
    monkeypatch.setattr(samples, "_MOST_NUMBERS", 1_000)
    monkeypatch.setattr(sums, "_MOST_VALUES", 200)
    assert compare(held, **asked).to_dicts() == whole


@pytest.mark.slow
@pytest.mark.parametrize("how", HOW, ids=str)
def test_metrics_in_one_statement_and_in_several_have_the_same_bits(how: dict[str, Any], monkeypatch: Patch) -> None:
    """A statement has at most 100 metrics, which bounds its memory; a metric of a whole run has no values."""
    metrics = ["recall@1", "rr", "overlap@2", "ndcg@2", "ap"]
    result = evaluate(RUNS, QRELS, metrics, by="country")
    intervals = {name: value for name, value in how.items() if name != "test"}
    whole = result.compare("old", **how).to_dicts(), result.intervals(**intervals).to_dicts()
    assert list(dict.fromkeys(row["metric"] for row in whole[0])) == ["recall", "rr", "overlap", "ndcg", "ap"]
    monkeypatch.setattr(sums, "_MOST_METRICS", 2)
    assert (result.compare("old", **how).to_dicts(), result.intervals(**intervals).to_dicts()) == whole


@pytest.mark.load
@pytest.mark.parametrize("how", [{"interval": "bootstrap"}, {"test": "randomization"}], ids=str)
def test_random_samples_keep_few_bytes_for_each_query(how: dict[str, Any]) -> None:
    """Given 20,000 queries and 200 samples, which are four million draws, 60 MB are enough."""
    connection = duckdb.connect(config={"memory_limit": "60MB", "threads": 2, "max_temp_directory_size": "0B"})
    queries = range(20_000)
    given = {
        model: pyarrow.table({"query": queries, "rr": [1 / (query + more) for query in queries]})
        for model, more in (("old", 2), ("new", 1))
    }
    row = compare(given, baseline="old", samples=200, connection=connection, **how).to_dicts()[0]
    assert row["low"] < row["delta"] < row["high"]
    assert row["p"] == 1 / 201 or "interval" in how


PINNED = {"model": "better", "metric": "ndcg", "p": 0.006, "low": 0.011113019686793381, "high": 0.06540743883845737}


def test_a_comparison_of_a_result_is_that_of_its_values() -> None:
    """Given two systems and slices, `Result.compare` gives what `compare` gives for the values per query."""
    result = evaluate(RUNS, QRELS, ["recall@1,2", "rr"], by="country")
    rows = result.per_query.fetchall()
    columns = result.per_query.columns
    files = {
        model: {name: [row[place] for row in rows if row[0] == model] for place, name in enumerate(columns) if place}
        for model in RUNS
    }
    assert compare(files, baseline="old", by="country").to_dicts() == result.compare("old").to_dicts()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["parquet", "csv", "json"])
def test_values_of_several_models_in_one_file_are_compared(tmp_path: Path, ending: str, capsys: Output) -> None:
    """Given a file of three models, alone or a query in parentheses for each, the values of each are read."""
    result, path = evaluate(RUNS, QRELS, ["recall@1,2", "rr"]), str(tmp_path / f"values.{ending}")
    result.write_per_query(path, ending)
    assert compare({"kept": path}, baseline="old").to_dicts() == result.compare("old").to_dicts()
    values = {model: f"(FROM '{path}' WHERE model = '{model}')" for model in RUNS}
    assert compare(values, baseline="old").to_dicts() == result.compare("old").to_dicts()
    given = [f"{model}={query}" for model, query in values.items()]
    first = output_of(capsys, "compare", "--values", *given, "--baseline", "old", "--format", "csv").splitlines()[1]
    assert first.startswith("new,recall,1,")
    fails(
        DataError,
        r"column 'model' holds several models, 'new', 'old', 'same'\. Pass the rows of each",
        compare,
        {"a": path, "b": path},
        baseline="a",
    )


@pytest.mark.parametrize("name", ["values.parquet", "day=1/values.parquet", "day=1/values.csv", "model=1/values.json"])
def test_the_advised_source_of_one_of_several_models_is_read(tmp_path: Path, name: str, capsys: Output) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    models = {"BAAI/bge=1": RUNS["new"], "it's": RUNS["old"]}
    evaluate(models, QRELS, "rr").write_per_query(str(path), path.suffix[1:])
    error = error_of(capsys, "compare", "--values", f"a={path}", f"b={path}")
    new = error.strip().rpartition("as in ")[2]
    assert new.startswith("BAAI_bge_1=(FROM ")
    old = new.replace("BAAI_bge_1=", "it_s=").replace("BAAI/bge=1", "it''s")
    compared = output_of(capsys, "compare", "--values", old, new, "--baseline", "it_s", "--format", "csv")
    assert "BAAI_bge_1,rr,,12,0," in compared


def test_the_advised_rows_of_a_table_are_read() -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE \"kept values\" AS SELECT unnest(['x', 'y']) AS model, 1 AS query, 0.5 AS rr")
    both = {"a": "kept values", "b": "kept values"}
    error = fails(DataError, "several models", compare, both, baseline="a", connection=connection)
    rows = error.rpartition("as in ")[2]
    assert compare({"a": rows, "b": rows}, baseline="a", connection=connection).value("rr", "ties") == 1


@pytest.mark.parametrize("case", ["csv rr", "csv RR", "json RR", "pyarrow rr", "pyarrow RR"])
def test_one_of_several_columns_with_a_name_is_not_compared(tmp_path: Path, case: str) -> None:
    """Given a name that several columns of values have, only other columns can be compared."""
    kind, other = case.split()
    names, path = ["query", "ap", "rr", other], tmp_path / f"values.{kind}"
    path.write_text(f"{','.join(names)}\n1,0.5,0.5,0.25\n")
    if kind == "json":
        path.write_text(json.dumps(dict.fromkeys(names, 1)))
    table = pyarrow.table([[1], [0.5], [0.5], [0.25]], names=names)
    given: dict[str, Any] = dict.fromkeys("ab", table if kind == "pyarrow" else str(path))
    for metrics in (None, "rr"):
        fails(DataError, "several columns are named 'rr', or differ", compare, given, baseline="a", metrics=metrics)
    assert compare(given, baseline="a", metrics="ap").value("ap", "ties") == 1


QUERIES = list(range(12))
QRELS = {"query": QUERIES * 2, "item": ["a"] * 12 + ["b"] * 12, "relevance": [1] * 24, "country": ["NL", "BE"] * 12}
RUNS = {
    "old": {"query": QUERIES * 2, "item": ["a"] * 12 + ["x"] * 12, "score": [1.0] * 12 + [0.5, 2.0] * 6},
    "new": {"query": QUERIES * 2, "item": ["a"] * 12 + ["b"] * 12, "score": [1.0] * 12 + [0.5, 0.1] * 6},
    "same": {"query": QUERIES * 2, "item": ["a"] * 12 + ["x"] * 12, "score": [1.0] * 12 + [0.5, 2.0] * 6},
}


@pytest.mark.slow
def test_a_statement_is_composed_once_for_all_comparisons_of_its_form() -> None:
    """Composing, writing and parsing it takes half of a small comparison."""
    run, qrels = as_run({"old": [0.5, 1.0, 0.0], "new": [1.0, 1.0, 0.25]})
    connection = duckdb.connect()
    found = []
    for place in (None, connection, None, connection):
        result = evaluate(run, qrels, f"dcg@{LONGEST}", connection=place)
        found.append((result.compare(baseline="old").to_dicts(), result.intervals().to_dicts()))
        if len(found) == 2:  # one without a connection, one on it
            composed = kept._text.cache_info().misses
    assert kept._text.cache_info().misses == composed
    assert all(each == found[0] for each in found)


@pytest.mark.slow
def test_a_comparison_does_not_depend_on_an_earlier_one() -> None:
    """Equal values may be different SQL: 1, 1.0 and True."""
    held = {name: [random.Random(name).random() for _ in range(20)] for name in ("1", "True", "it's", "$1")}
    run, qrels = as_run(held)
    result = evaluate(run, qrels, f"dcg@{LONGEST}")
    asked: list[dict[str, Any]] = [{"baseline": name} for name in held]
    asked += [{"baseline": "1", "tie_within": width} for width in (0, 0.0, 0.3, 1)]
    asked += [{"baseline": "1", "confidence": share} for share in (0.5, 0.95)]
    asked += [{"baseline": "1", "test": "sign"}, {"baseline": "1", "correction": "bh"}]

    def found(*, again: bool) -> list[Rows]:
        tables = []
        for each in asked:
            if again:
                kept._text.cache_clear()
            tables.append(result.compare(**each).to_dicts())
        return tables

    assert found(again=False) == found(again=True) == found(again=False)


def test_the_table_marks_models_that_are_better_or_worse() -> None:
    shown = str(evaluate(RUNS, QRELS, ["recall@2", "rr"]).compare("old"))
    assert shown.splitlines() == [
        "metric    model  queries     old   value      delta  relative        95% interval  wins/ties/losses       p",
        "--------  -----  -------  ------  ------  ---------  --------  ------------------  ----------------  ------",
        "recall@2  new         12  0.5000  1.0000  +0.5000     +100.0%  [+0.5000, +0.5000]            12/0/0",
        "recall@2  same        12  0.5000  0.5000  +0.0000       +0.0%  [+0.0000, +0.0000]            0/12/0",
        "rr        new         12  0.7500  1.0000  +0.2500 ▲    +33.3%  [+0.0841, +0.4159]             6/6/0  0.0069",
        "rr        same        12  0.7500  0.7500  +0.0000       +0.0%  [+0.0000, +0.0000]            0/12/0",
        "baseline: old; p: paired t-test, adjusted by Holm; ▲ better, ▼ worse at p < 0.05; Student's interval of delta",
    ]


def test_a_comparison_is_read_as_rows_frames_markdown_and_html() -> None:
    compared = evaluate(RUNS, QRELS, "recall@2", by="country").compare("old")
    rows = compared.to_dicts()
    names = ["model", "country", "metric", "k", "queries", "unpaired"]
    names += ["baseline", "value", "delta", "sd", "low", "high"]
    tests = ["wins", "ties", "losses", "t", "p", "p_adjusted", "effect", "relative", "detectable", "queries_needed"]
    assert list(rows[0]) == [*names, *tests] == compared.rows.columns
    assert compared.rows.fetchall() == [tuple(row.values()) for row in rows]
    assert compared.to_pandas()["delta"].tolist() == [row["delta"] for row in rows]
    assert compared.to_polars()["wins"].to_list() == [row["wins"] for row in rows]
    assert compared.to_arrow().column_names == compared.rows.columns
    assert compared.to_markdown().startswith("| country | metric | model |")
    assert "<td" in compared._repr_html_()
    assert compared.value("recall@2", "wins", model="new", by={"country": "NL"}) == 6


def test_per_query_shows_the_largest_loss_first() -> None:
    compared = evaluate({"new": RUNS["new"], "old": RUNS["old"]}, QRELS, ["rr", "recall@2"]).compare("new")
    assert compared.changes("rr").limit(2).fetchall() == [(1, 1.0, 0.5, -0.5), (3, 1.0, 0.5, -0.5)]
    assert compared.changes("rr").columns == ["query", "baseline", "value", "delta"]


def test_values_stay_readable_after_the_result_is_gone() -> None:
    connection = duckdb.connect()
    worst = evaluate(RUNS, QRELS, "rr", connection=connection).compare("old").changes("rr", model="new")
    evaluate(RUNS, QRELS, "rr", connection=connection)
    assert len(worst.fetchall()) == 12


def test_values_are_gone_after_close() -> None:
    result = evaluate(RUNS, QRELS, "rr", connection=duckdb.connect())
    compared = result.compare("old")
    result.close()
    assert compared.value("rr", model="new") == 0.25
    fails(ArgumentError, "the result was closed, and its values are gone", compared.changes, "rr", model="new")


def test_explain_shows_what_entered_and_left() -> None:
    result = evaluate(RUNS, QRELS, ["recall@1"])
    assert result.explain(1, baseline="old", model="new").fetchall() == [
        ("a", 1.0, 2, 1, "entered", True),
        ("b", 1.0, None, 2, None, True),
        ("x", None, 1, None, "left", False),
    ]
    assert [row[4] for row in result.explain(1, baseline="old", model="new", k=2).fetchall()] == [
        "up",
        "entered",
        "left",
    ]
    assert evaluate(RUNS["old"], QRELS, "recall@1").explain(0).fetchall()[0] == ("a", 1.0, None, 1, None, True)


@pytest.mark.parametrize("ids", [("a", "b"), (7, 9)], ids=["text", "numbers"])
@pytest.mark.parametrize("item", ["rank", "Relevance", "change", "baseline_rank", "item"])
def test_a_column_of_an_explanation_gets_a_number_if_the_user_has_its_name(item: str, ids: tuple[Any, Any]) -> None:
    query = "rank" if item == "change" else "change"
    run = {query: [1, 1], item: ids, "old": [2.0, 1.0], "new": [1.0, 2.0]}
    qrels = {query: [1], item: ids[:1], "grade": [3]}
    result = evaluate(run, qrels, "recall@1", query=query, item=item, relevance="grade", score=["old", "new"])
    found = result.explain(1, baseline="old", model="new")
    own = ["relevance", "baseline_rank", "rank", "change", "is_relevant"]
    assert found.columns == [item, *(f"{name}_1" if name == item.lower() else name for name in own)]
    assert found.fetchall() == [(ids[0], 3.0, 1, 2, "left", True), (ids[1], None, 2, 1, "entered", False)]
    assert result.data.question is not None
    of_report = explain_queries(result.data.question, [(1,)], "old", "new", 1, [])
    assert of_report.fetchall() == [(1, *row) for row in found.fetchall()]
    assert len(set(of_report.columns)) == 7


@pytest.mark.slow
@pytest.mark.parametrize("keys", [("query",), ("query", "day")])
def test_several_queries_are_explained_as_each_is(keys: tuple[str, ...]) -> None:
    def dated(columns: Any) -> dict[str, Any]:
        return {**columns, "day": ["2026-01-01"] * len(columns["query"])}

    runs: dict[str, Any] = {name: dated(run) for name, run in RUNS.items()}
    qrels = dated(QRELS)
    result = evaluate(runs, qrels, ["recall@1"], query=list(keys))
    queries = [(query, "2026-01-01")[: len(keys)] for query in dict.fromkeys(qrels["query"])]
    assert result.data.question is not None
    found = explain_queries(result.data.question, queries, "old", "new", 1, []).fetchall()
    assert len(queries) > 1
    for query in queries:
        one = result.explain(query, baseline="old", model="new").fetchall()
        assert one == [row[len(keys) :] for row in found if row[: len(keys)] == query]


def test_metrics_of_the_whole_run_have_only_values() -> None:
    catalog = {"item": ["a", "b", "x", "y"]}
    compared = evaluate(RUNS, QRELS, ["coverage@2", "recall@2", "rr(mean=median)"], catalog=catalog).compare("old")
    rows = [row for row in compared.to_dicts() if row["model"] == "new"]
    assert [(row["metric"], row["baseline"], row["value"], row["delta"], row["p"]) for row in rows] == [
        ("coverage", 0.5, 0.5, 0.0, None),
        ("recall", 0.5, 1.0, 0.5, None),
        ("rr(mean=median)", 0.75, 1.0, 0.25, None),
    ]
    assert [row["queries"] for row in rows] == [None, 12, None]
    result = evaluate(RUNS, QRELS, "coverage@2", catalog=catalog)
    assert result.compare("old").to_dicts()[0]["delta"] == 0.0
    assert result.compare("old").rows.fetchall()[0][:3] == ("new", "coverage", 2)
    assert [row["value"] for row in result.intervals().to_dicts()] == [0.5, 0.5, 0.5]


def test_queries_of_one_model_alone_are_left_out_and_counted() -> None:
    old = {"query": [1, 2, 3], "by": ["x", "y", "y"], "rr": [0.5, 1.0, None]}
    new = {"query": [1, 2, 4], "by": ["x", "x", "y"], "rr": [1.0, 0.5, 1.0]}
    alone = compare({"old": old, "new": new}, baseline="old")
    assert [(row["queries"], row["unpaired"], row["delta"]) for row in alone.to_dicts()] == [(2, 1, 0.0)]
    assert "queries left out because only one of the two models has a value: 1 for new on rr" in str(alone)
    sliced = compare({"old": old, "new": new}, baseline="old", by="by").to_dicts()
    assert [(row["by"], row["queries"], row["unpaired"]) for row in sliced] == [(None, 1, 3), ("x", 1, 1), ("y", 0, 2)]


# (queries, mean / spread, p): half of the differences are mean + spread, half mean - spread. p is an incomplete beta
# function, which mpmath computed with 40 digits.
SMALL_P = [
    (2, 64.0, 0.0099463745579008257),
    (4, 512.0, 3.1621101407480554e-9),
    (10, 1.0, 0.014956363910414215),
    (10, 256.0, 5.4776306071477225e-23),
    (50, 1.5, 3.8870983858822286e-14),
    (100, 16.0, 4.0941708197510499e-121),
    (400, 1.0, 4.9560532661250577e-62),
    (800, 2.0, 1.8210992559916208e-281),
    (1600, 0.5, 1.4750242431881448e-79),
    (1600, 1.125, 2.8401858836439515e-286),
    (3000, 0.0625, 0.00062834397132654727),
    (3000, 0.6875, 2.1971581936511017e-254),
]


def test_a_small_p_of_student_has_its_digits() -> None:
    spread = 2.0**-10
    given: dict[str, Any] = {"base": {"query": list(range(3000)), "dcg": [0.0] * 3000}}
    for queries, ratio, _ in SMALL_P:
        both = [spread * (ratio + sign) for sign in (-1, 1)]
        given[f"{queries} {ratio}"] = {"query": list(range(queries)), "dcg": both * (queries // 2)}
    found = {row["model"]: row["p"] for row in compare(given, baseline="base").to_dicts()}
    assert found == {f"{queries} {ratio}": pytest.approx(p, rel=2e-11, abs=0) for queries, ratio, p in SMALL_P}


def test_a_small_p_of_the_sign_test_has_its_digits() -> None:
    tails = {
        (10, 0): 1,
        (100, 10): 19415908147836,
        (1000, 2): 500_501,
        (31, 15): 2**30,
    }  # choices of signs with at most so few losses
    given: dict[str, Any] = {"base": {"query": list(range(1000)), "rr": [0.5] * 1000}}
    for queries, losses in tails:
        rr = [0.0] * losses + [1.0] * (queries - losses)
        given[f"{queries} {losses}"] = {"query": list(range(queries)), "rr": rr}
    found = {row["model"]: row["p"] for row in compare(given, baseline="base", test="sign").to_dicts()}
    expected = {f"{queries} {losses}": 2 * count / 2**queries for (queries, losses), count in tails.items()}
    assert found == {name: pytest.approx(p, rel=1e-11, abs=0) for name, p in expected.items()}
    assert found["31 15"] == 1


def test_the_bootstrap_leaves_out_the_same_number_of_samples_whatever_the_rounding() -> None:
    """Given 999 samples and a confidence of 0.9, the limits are the 50th from both ends."""
    numbers: Any = numpy.arange(10) ** 2
    of_90, of_less = (samples.bootstrap_t([numbers], [28], 999, 0, confidence) for confidence in (0.9, 0.9 - 1e-9))
    assert of_90 == of_less


def test_a_result_is_compared_with_its_first_model_by_default() -> None:
    result = evaluate(RUNS, QRELS)
    assert result.compare().to_dicts() == result.compare(next(iter(RUNS))).to_dicts()


def days(queries: list[int], days: list[str], rr: list[float]) -> dict[str, Any]:
    return {"query": queries, "day": days, "rr": rr, "ap": rr}


# Both have Monday; Tuesday is only in old, Wednesday only in good and rare.
OF_DAYS = {
    "old": days([1, 2, 3, 4, 5, 6], ["Mon"] * 5 + ["Tue"], [0.5] * 6),
    "good": days([1, 2, 3, 4, 5, 7], ["Mon"] * 5 + ["Wed"], [1.0, 0.9, 0.8, 1.0, 0.9, 1.0]),
    "rare": {**days([5, 8], ["Mon", "Wed"], [0.5, 0.2]), "ap": [None, 0.2]},
}


@pytest.mark.parametrize(
    ("test", "p_of_good", "p_of_rare"),
    [("t", 0.0003587352603774516, None), ("sign", 0.0625, 1.0), ("randomization", 0.0625, 1.0)],
)
def test_without_pairs_p_is_null_and_not_in_the_correction(
    test: Test, p_of_good: float, p_of_rare: float | None
) -> None:
    found = compare(OF_DAYS, baseline="old", by="day", test=test, correction="bonferroni").to_dicts()
    p = {(row["model"], row["metric"], row["day"]): (row["p"], row["p_adjusted"]) for row in found}
    assert p["rare", "ap", None] == p["rare", "ap", "Mon"] == (None, None)
    assert p["good", "ap", None] == p["good", "ap", "Mon"] == pytest.approx((p_of_good, p_of_good), rel=1e-9)
    assert p["rare", "rr", None][0] == p_of_rare
    for day in ("Tue", "Wed"):
        assert {p[model, metric, day] for model in ("good", "rare") for metric in ("rr", "ap")} == {(None, None)}


@pytest.mark.parametrize("test", ["t", "sign", "randomization"])
def test_a_slice_of_one_model_alone_has_a_row_without_pairs(test: Test) -> None:
    found = compare(OF_DAYS, baseline="old", by="day", test=test)
    rows = [
        tuple(row[name] for name in ("model", "day", "queries", "unpaired", "wins", "delta"))
        for row in found.to_dicts()
    ]
    assert [row for row in rows[::2] if row[1] not in (None, "Mon")] == [
        (model, day, 0, 1, 0, None) for model in ("good", "rare") for day in ("Tue", "Wed")
    ]
    [line] = [line for line in str(found).splitlines() if line.startswith("Tue") and "rr  " in line and "rare" in line]
    assert line.split() == ["Tue", "rr", "rare", "0", "0/0/0"]
    assert "| Tue | rr | rare | 0 |  |  |    |  |  | 0/0/0 |  |" in found.to_markdown()
    assert "0/0/0" in found._repr_html_()


def test_a_tie_can_be_wider() -> None:
    old, new = {"query": [1, 2, 3], "rr": [0.5, 0.5, 0.5]}, {"query": [1, 2, 3], "rr": [0.505, 0.4, 0.6]}
    row = compare({"old": old, "new": new}, baseline="old", tie_within=0.01).to_dicts()[0]
    assert (row["wins"], row["ties"], row["losses"]) == (1, 1, 1)


@pytest.mark.parametrize("size", [4.0, 1e6, 1e18, 2.0**62, 1e300, 1.7e308])
def test_values_are_compared_up_to_the_largest_double(size: float) -> None:
    old, new = ({"query": [1, 2, 3, 4], "dcg": [size * share for share in shares]} for shares in LARGE)
    row = compare({"old": old, "new": new}, baseline="old").to_dicts()[0]
    means = {name: row[name] / size for name in ("baseline", "value", "delta")}
    assert means == pytest.approx({"baseline": 0.625, "value": 0.75, "delta": 0.125}, rel=1e-12)
    assert (row["wins"], row["ties"], row["losses"]) == (1, 3, 0)
    assert (row["sd"] / size, row["t"]) == pytest.approx((0.25, 1.0), rel=1e-12)


LARGE = [0.5, 0.5, 1.0, 0.5], [1.0, 0.5, 1.0, 0.5]


def test_files_of_all_formats_are_compared(tmp_path: Path) -> None:
    """Given values that evaluations wrote to parquet and CSV, `compare` reads them back."""
    for model, ending in (("old", "parquet"), ("new", "csv")):
        evaluate(RUNS[model], QRELS, ["recall@2", "rr"]).write_per_query(str(tmp_path / f"{model}.{ending}"), ending)
    found = compare({"old": tmp_path / "old.parquet", "new": str(tmp_path / "new.csv")}, baseline="old")
    assert found.value("recall@2", "value") == 1.0
    (tmp_path / "old.parquet").unlink()
    assert len(found.changes("rr").fetchall()) == 12


@pytest.mark.parametrize(
    ("name", "content"), [("a.csv", "u,1\nv,0\n"), ("a.eval", "rr\tu\t0.5\n"), ("a.trec", "u 0 a 1\nv 0 b 0\n")]
)
def test_a_file_without_names_of_metrics_is_refused(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    values = {"old": tmp_path / name, "new": {"query": ["u", "v"], "relevance": [1.0, 0.0]}}
    with pytest.raises(
        RecallError, match=r"values of 'old': .* has no header, .* Give it one, such as query,recall@10"
    ):
        compare(values, baseline="old")


def test_only_metrics_that_every_model_has_are_compared() -> None:
    old, new = {"query": [1], "rr": [0.5], "ap": [0.5]}, {"query": [1], "rr": [0.5], "ndcg@3": [0.5]}
    found = compare({"old": old, "new": new}, baseline="old")
    assert [row["metric"] for row in found.to_dicts()] == ["rr"]
    assert str(found).endswith("not compared, because some model lacks it: ap, ndcg@3")


TWO = {"a": {"query": [1, 2], "rr": [0.5, 1.0]}, "b": {"query": [1, 2], "rr": [0.5, 1.0]}}
UNNAMED: dict[Any, Any] = {None: TWO["a"], "b": TWO["b"]}
FAULTS: list[tuple[Callable[[], object], type[RecallError], str]] = [
    (lambda: compare({"a": TWO["a"]}, baseline="a"), ArgumentError, "values: there is one model"),
    (lambda: compare(UNNAMED, baseline="b"), ArgumentTypeError, "values: a model is named by text, not by None"),
    (lambda: compare(TWO, baseline="a", metrics=[]), ArgumentError, "metrics: the list is empty"),
    (lambda: compare(TWO, baseline="c"), UnknownNameError, "baseline: there is no model 'c'. Models: 'a', 'b'"),
    (lambda: compare(TWO, baseline="a", test="tt"), UnknownNameError, "test: 'tt' is not one of 't'"),  # type: ignore[arg-type]
    (lambda: compare(TWO, baseline="a", confidence=95), ArgumentError, "confidence: a number between 0 and 1"),
    (lambda: compare(TWO, baseline="a", samples=99), ArgumentError, "samples: a whole number from 100 to 10000000"),
    (lambda: compare(TWO, baseline="a", samples=10_000_001), ArgumentError, "is expected, not 10000001"),
    (lambda: compare(TWO, baseline="a", seed=-1), ArgumentError, "seed: a whole number from 0 to 9223372036854775807"),
    (lambda: compare(TWO, baseline="a", seed=2**63), ArgumentError, "is expected, not 9223372036854775808"),
    (lambda: compare(TWO, baseline="a", confidence=0), ArgumentError, "such as 0.95, is expected, not 0"),
    (lambda: compare(TWO, baseline="a", confidence=1), ArgumentError, "such as 0.95, is expected, not 1"),
    (lambda: compare(TWO, baseline="a", tie_within=-1e-9), ArgumentError, "tie_within: a number of at least 0"),
    (lambda: compare(TWO, baseline="a", metrics="ap"), UnknownNameError, "has no numeric column 'ap'. It has 'rr'"),
    (lambda: compare(TWO, baseline="a", by="day"), UnknownNameError, "has no column 'day'"),
    (
        lambda: compare({**TWO, "b": {"query": [1, 1], "rr": [0.5, 1.0]}}, baseline="a"),
        DataError,
        "values of 'b': a query is in several rows, for example query=1. Keep one row",
    ),
    (
        lambda: compare(RUNS, baseline=None),
        DataError,
        "pass their columns as item_by=. To compare runs, call evaluate(…).compare(…)",
    ),
    (
        lambda: compare({**TWO, "b": {"query": [1, None], "rr": [0.5, 1.0]}}, baseline="a"),
        DataError,
        "values of 'b': a row has no query, for example query=None. Fill in",
    ),
    (
        lambda: compare({**TWO, "b": pyarrow.table({"query": [1, 2], "rr": [0.5, math.nan]})}, baseline="a"),
        DataError,
        "values of 'b': a value is NaN or infinite, for example query=2, rr=nan. Correct",
    ),
    (
        lambda: compare({**TWO, "b": {"query": ["x"], "rr": [0.5]}}, baseline="a"),
        ArgumentTypeError,
        "values of 'a' and values of 'b' differ in type",
    ),
    (
        lambda: compare({**TWO, "b": {"query": [1], "ap": [0.5]}}, baseline="a"),
        ArgumentError,
        "no column of values in common: 'a' has 'rr'; 'b' has 'ap'",
    ),
    (
        lambda: compare({f"m{number}": {"query": [1], f"c{number}": [0.5]} for number in range(8)}, baseline="m0"),
        ArgumentError,
        "no column of values in common: 'm0' has 'c0'; 'm1' has 'c1'; 'm2' has 'c2' and 5 more. Evaluate them with",
    ),
    (
        lambda: compare({**TWO, "b": {"query": [98, 99], "rr": [0.5, 0.5]}}, baseline="a"),
        DataError,
        "'b' and the baseline 'a' have no query in common. Check that both name the same queries",
    ),
    (
        lambda: compare(
            {model: {"query": [1], "country": [where], "rr": [1.0]} for model, where in (("a", "NL"), ("b", "BE"))},
            baseline="a",
            by="country",
        ),
        DataError,
        "'b' and the baseline 'a' have no query in common in the same slice. "
        "Check that both name the same queries in the same way, and column 'country' too, or leave out by=",
    ),
    (
        lambda: compare({**TWO, "b": {"query": [1, 2], "model": ["x", "y"], "rr": [0.5, 0.5]}}, baseline="a"),
        DataError,
        "column 'model' holds several models, 'x', 'y'. Pass the rows of each as a source, as in "
        "frame[frame['model'] == 'x']",
    ),
    (
        lambda: compare({**TWO, "b": {"query": [1, 2], "Model": ["x", None], "rr": [0.5, 0.5]}}, baseline="a"),
        DataError,
        "column 'model' holds several models, 'x', None. Pass the rows of each as a source, as in "
        "frame[frame['Model'] == 'x']",
    ),
    (
        lambda: compare({**TWO, "b": "(SELECT unnest(['it''s', 'z']) AS model, 1 AS query, 0.5 AS rr)"}, baseline="a"),
        DataError,
        "as in (FROM (…) WHERE model = 'it''s')",
    ),
    (
        lambda: compare({model: {**own, "delta": [1, 2]} for model, own in TWO.items()}, baseline="a", by="delta"),
        ArgumentError,
        "by: the result has a column 'delta' of its own: rename the column in your data",
    ),
    (lambda: evaluate(RUNS["old"], QRELS).compare("run"), ArgumentError, "the result has one model"),
    (lambda: evaluate(RUNS, QRELS).compare("older"), UnknownNameError, "there is no model 'older'"),
    (lambda: evaluate(RUNS, QRELS).compare("old").value("recall@10"), ArgumentError, "there are several models"),
    (
        lambda: compare(TWO, baseline="a").value("rr", by={"country": "NL"}),
        UnknownNameError,
        "by: this result has no slices by 'country'; it has none: pass by= to evaluate",
    ),
    (lambda: evaluate(RUNS, QRELS).explain(0, baseline="old"), ArgumentError, "Name one of"),
    (lambda: evaluate(RUNS["old"], QRELS).explain("z"), UnknownNameError, "query: there is no query 'z'"),
    (lambda: evaluate(RUNS["old"], QRELS).explain(0, k=0), ArgumentError, "k: a whole number above 0"),
    (
        lambda: evaluate(RUNS, QRELS, weights={"query": QUERIES, "weight": [1.0] * 12}).compare("old"),
        ArgumentError,
        "weights: a weighted result cannot be compared",
    ),
    (
        lambda: evaluate(RUNS, QRELS, "rr(mean=median)", weights={"query": QUERIES, "weight": [1.0] * 12}),
        ArgumentError,
        "weights: rr(mean=median) takes no weights",
    ),
]


# What is right for no argument below, and what is right only for some.
NEVER: list[Any] = [object(), b"rr", {1, 2}, [None], [["rr"]], True, math.nan, "no such", "\0", "\ud800"]
SOMETIMES: list[Any] = [None, 5, -1, 0.5, math.inf, 10**400, "", [], {}, {"rr": 1}, "rr", ["rr"]]
RIGHT: dict[str, list[Any]] = {  # by argument; the others are wrong
    "values": [{"rr": 1}],  # a source alone, whose error names it
    "baseline": [],
    "first": [None],
    "query": ["rr", ["rr"]],
    "by": [None, [], "rr", ["rr"]],
    "item_by": [None, [], "rr", ["rr"]],
    "metrics": [None, "rr", ["rr"], {"rr": 1}],
    "metric": ["rr"],
    "column": [None],
    "test": [],
    "interval": [],
    "correction": [],
    "confidence": [0.5],
    "tie_within": [5, 0.5],
    "samples": [None],
    "seed": [5],
    "connection": [None],
    "model": [None],
    "slice": [None, {}],
}
NAMES = ["test", "interval", "correction", "confidence", "tie_within", "samples", "seed"]
OWN = ["values", "baseline", "query", "by", "item_by", "metrics", "connection"]


def given(call: Callable[..., object], name: str, **others: Any) -> Callable[[Any], object]:
    return lambda value: call(**{**others, name: value})


def calls_with_one_argument() -> list[tuple[str, str, Callable[[Any], object]]]:
    """Return each function of comparisons and intervals with each of its arguments left open."""
    result = evaluate({"new": RUNS["new"], "old": RUNS["old"]}, QRELS, ["recall@1,2", "rr"], by="country")
    compared, intervals = result.compare("old"), result.intervals()
    found = [("compare", name, given(compare, name, **{"values": TWO, "baseline": "a"})) for name in OWN + NAMES]
    found += [("Result.compare", name, given(result.compare, name, baseline="old")) for name in ["baseline", *NAMES]]
    of_mean = ("interval", "confidence", "samples", "seed")
    found += [("Result.intervals", name, given(result.intervals, name)) for name in of_mean]
    for table in (compared, intervals):
        for name in ("metric", "column", "model", "by"):
            found.append((f"{type(table).__name__}.value", name, given(table.value, name, metric="rr", model="new")))
    found += [("changes", name, given(compared.changes, name, metric="rr")) for name in ("metric", "model")]
    found += [("Comparison.plot", name, given(compared.plot, name)) for name in ("metric", "model")]
    return [*found, ("Result.plot", "metric", result.plot)]


@pytest.mark.slow
def test_an_argument_of_a_wrong_type_is_named() -> None:
    wrong = []
    for function, name, call in calls_with_one_argument():
        kind = {
            ("compare", "baseline"): "first",
            ("Result.compare", "baseline"): "first",
            ("Comparison.value", "by"): "slice",
            ("Intervals.value", "by"): "slice",
        }
        right = RIGHT[kind.get((function, name), name)]
        for value in [*NEVER, *(value for value in SOMETIMES if value not in right)]:
            is_default = value is None and name == "metric" and function.endswith("plot")
            try:
                call(value)
            except RecallError as error:
                message = str(error)
                if not (message.startswith(f"{name}: ") or f"({name}=)" in message) or len(message) > 500:
                    wrong.append(f"{function}({name}={value!r}): {message}")
            else:
                wrong += [] if is_default else [f"{function}({name}={value!r}) is accepted"]
    assert not wrong


@pytest.mark.parametrize(
    "option",
    [["--qrels", "q.csv"], ["--ties", "expected"], ["--ties", CHOICES["ties"][0]], ["--score", "s"], ["--depth", "5"]],
    ids=" ".join,
)
def test_an_option_without_effect_on_values_is_refused(option: list[str], capsys: Output) -> None:
    assert main(["compare", "--values", "a.csv", "b.csv", "--baseline", "a", *option]) == 2
    assert f"{option[0]}: it has no effect with --values" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "value", "same"),
    [
        ("confidence", Decimal("0.9"), 0.9),
        ("confidence", numpy.float32(0.5), 0.5),
        ("samples", numpy.int64(200), 200),
        ("seed", numpy.uint8(7), 7),
        ("tie_within", numpy.float64(0.25), 0.25),
        ("tie_within", Fraction(1, 4), 0.25),
    ],
)
def test_numbers_of_other_types_are_taken(name: str, value: Any, same: Any) -> None:
    how: dict[str, Any] = {"test": "randomization", "interval": "bootstrap", "samples": 100}
    one, other = ({**how, name: number} for number in (value, same))
    assert compare(OF_DAYS, baseline="old", **one).to_dicts() == compare(OF_DAYS, baseline="old", **other).to_dicts()


@pytest.mark.parametrize(("call", "kind", "message"), FAULTS, ids=[message for *_, message in FAULTS])
def test_a_fault_is_named_with_its_fix(call: Callable[[], object], kind: type[RecallError], message: str) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert message in str(caught.value)


def test_value_of_intervals_is_the_mean_or_another_column() -> None:
    run = {"query": ["q1", "q2"], "item": ["a", "b"], "score": [1.0, 1.0]}
    qrels = {"query": ["q1", "q2"], "item": ["a", "x"], "relevance": [1, 1]}
    found = evaluate(run, qrels, "recall@1").intervals()
    assert found.value("recall@1") == 0.5
    assert found.value("recall@1", "queries") == 2
    fails(UnknownNameError, "'recall@5' is not in this table", found.value, "recall@5")


def test_a_model_without_a_common_query_has_rows_with_0_queries() -> None:
    values = {
        "old": {"q": [1, 2], "rr": [0.25, 0.5]},
        "new": {"q": [1, 2], "rr": [0.5, 0.5]},
        "x": {"q": [7], "rr": [0.4]},
    }
    found = compare(values, baseline="old", query="q").to_dicts()
    assert [(row["model"], row["queries"], row["unpaired"], row["delta"]) for row in found] == [
        ("new", 2, 0, 0.125),
        ("x", 0, 3, None),
    ]


def test_models_keep_their_order() -> None:
    """Given models in an order that is not that of their names, tables, counts and comparisons have it."""
    run = {"query": [1, 1, 2, 2], "item": ["a", "x", "b", "y"], "relevance": [1, 0, 1, 0]}
    scores = {"z": [2.0, 1.0, 2.0, 1.0], "m": [1.0, 2.0, 2.0, 1.0], "a": [1.0, 2.0, 1.0, 2.0]}
    result = evaluate({**run, **scores}, metrics="rr", score=list(scores))
    assert str(result).split()[:4] == ["metric", "z", "m", "a"]
    assert list(result.counts) == ["z", "m", "a"]
    assert [row["model"] for row in result.compare("m").to_dicts()] == ["z", "a"]
    assert [row["model"] for row in result.intervals().to_dicts()] == ["z", "m", "a"]
    values = {name: {"query": [1, 2, 3], "rr": [0.5, 0.25, number]} for number, name in enumerate(scores)}
    assert [row["model"] for row in compare(values, baseline="m").to_dicts()] == ["z", "a"]


def test_every_name_of_a_metric_reads_its_numbers() -> None:
    """Given values of ap@10, map@10 and MAP@10 name them, and a column with a name of its own stays as it is."""
    values = {
        name: {"query": [1, 2, 3], "ap@10": [0.5, 0.25, number / 9], "map": [1, 2, 3]}
        for number, name in enumerate("ab")
    }
    compared = compare(values, baseline="a", metrics=["map@10", "map"])
    assert [(row["metric"], row["k"]) for row in compared.to_dicts()] == [("ap", 10), ("map", None)]
    assert compared.value("MAP@10") == compared.value("ap@10")
    assert compared.changes("map@10").columns == ["query", "baseline", "value", "delta"]
    fails(UnknownNameError, "It has 'ap@10', 'map'", compared.value, "rr")


def test_a_difference_is_also_a_share_of_the_baseline() -> None:
    """Given a fall from 0.5 to 0.4 and one from 0, relative is -0.2 and NULL."""
    old = {"query": [1, 2], "rr": [0.25, 0.75], "recall@1": [0.0, 0.0]}
    new = {"query": [1, 2], "rr": [0.2, 0.6], "recall@1": [1.0, 0.0]}
    compared = compare({"old": old, "new": new}, baseline="old")
    assert compared.value("rr", "relative") == pytest.approx(-0.2)
    assert compared.value("recall@1", "relative") is None


def test_the_column_that_is_named_is_compared_although_a_metric_has_that_name_too() -> None:
    """Given files with the columns ap@10 and map@10, each name means its own column."""
    old = {"query": [1, 2, 3], "ap@10": [0.1, 0.2, 0.3], "map@10": [0.9, 0.8, 0.7]}
    new = {"query": [1, 2, 3], "ap@10": [0.2, 0.3, 0.1], "map@10": [0.1, 0.2, 0.1]}
    rows = compare({"old": old, "new": new}, baseline="old", metrics=["map@10", "ap@10"]).to_dicts()
    assert [(row["metric"], round(row["delta"], 3)) for row in rows] == [("map", -0.667), ("ap", 0.0)]


def test_a_confidence_that_is_1_in_floating_point_is_refused() -> None:
    with pytest.raises(ArgumentError, match="confidence: a number below 0.9999999999999998 is expected"):
        evaluate(RUNS, QRELS, "rr").compare("old", confidence=1 - 2**-53)
