"""Numbers with decimals: a FLOAT column holds 0.7 as 0.699999988, and still reaches a limit of 0.7."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow
import pytest
from macros import Package
from random_data.plans import EVALUATED, planned

from recall_duckdb import DataError, check, evaluate, install, sql

# 0.7 is below its decimal as FLOAT, and 0.1 and 4.3 are above.
GRADES, SCORES = (0.7, 1.0, 0.1), (0.83, 0.7, 0.1)


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    """Return a connection with a run and qrels whose numbers are of type FLOAT, and the macros."""
    held = duckdb.connect().execute("CREATE TABLE qrels (query VARCHAR, item VARCHAR, relevance FLOAT)")
    held.execute("CREATE TABLE run (query VARCHAR, item VARCHAR, score FLOAT)")
    held.executemany("INSERT INTO qrels VALUES ('u', ?, ?)", list(zip("abc", GRADES, strict=True)))
    held.executemany("INSERT INTO run VALUES ('u', ?, ?)", list(zip("abc", SCORES, strict=True)))
    held.execute("CREATE TABLE high AS SELECT query, item, CAST(4.3 AS FLOAT) AS relevance FROM qrels WHERE item = 'a'")
    install(held)
    return held


def value(rows: Sequence[dict[str, Any]]) -> float:
    [row] = rows
    return float(row["value"])


# By hand: a has grade .7 and rank 1, b has 1 and rank 2, c has .1 and rank 3.
ASKED: list[tuple[str, dict[str, Any], float]] = [
    ("hit_rate@1", {"threshold": 0.7}, 1.0),
    ("hit_rate(threshold=0.7)@1", {}, 1.0),
    ("num_rel", {"threshold": 0.1}, 3.0),
    ("num_rel", {"threshold": 0.71}, 1.0),
    ("num_ret", {"min_score": 0.7}, 2.0),
    ("num_ret", {"min_score": 0.83}, 1.0),
    ("num_ret", {"min_score": 0.7, "ties": "expected"}, 2.0),
    ("num_ret", {"min_score": 0.7, "semantics": "trec_eval_9"}, 2.0),
    ("ndcg(gain=0.7:3,1:1,0.1:0)@1", {}, 1.0),
    ("ndcg(gain=binary,threshold=0.7)@1", {}, 1.0),
]


@pytest.mark.product
@pytest.mark.parametrize(("metric", "policies", "expected"), ASKED)
@pytest.mark.parametrize("path", EVALUATED)
def test_a_float_reaches_its_decimal_on_every_plan(
    connection: duckdb.DuckDBPyConnection, path: str, metric: str, policies: dict[str, Any], expected: float
) -> None:
    with planned(path):
        assert value(evaluate("run", "qrels", metric, connection=connection, **policies).to_dicts()) == expected


@pytest.mark.parametrize(("metric", "policies", "expected"), ASKED)
def test_a_float_reaches_its_decimal_in_written_sql(
    connection: duckdb.DuckDBPyConnection, metric: str, policies: dict[str, Any], expected: float
) -> None:
    """The columns are unknown if `sql` has no connection."""
    for known in (None, connection):
        relation = connection.sql(sql("run", "qrels", metric, connection=known, **policies))
        assert value([dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]) == expected


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("hit_rate_at_k('run', 'qrels', k := 1, threshold := 0.7)", 1.0),
        ("num_rel('run', 'qrels', threshold := 0.1)", 3.0),
        ("num_rel('run', 'qrels', threshold := 0.71)", 1.0),
        ("ndcg_at_k('run', 'qrels', k := 1, gain := 'binary', threshold := 0.7)", 1.0),
    ],
)
def test_a_float_reaches_its_decimal_in_a_macro(
    connection: duckdb.DuckDBPyConnection, call: str, expected: float
) -> None:
    relation = connection.sql(f"SELECT value FROM recall_duckdb.{call}")
    assert relation.fetchall() == [(expected,)]


@pytest.mark.parametrize(
    ("metric", "policies", "expected"),
    [each for each in ASKED if each[1].keys() <= {"threshold", "min_score"} and ":" not in each[0]],
)
def test_a_float_reaches_its_decimal_in_a_dbt_macro(
    connection: duckdb.DuckDBPyConnection, metric: str, policies: dict[str, Any], expected: float
) -> None:
    text = Package("duckdb", ()).call("evaluate", metric, run="run", qrels="qrels", **policies)
    relation = connection.sql(text)
    assert value([dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]) == expected


@pytest.mark.parametrize(
    ("score", "least"),
    [
        (16777216, 16777217),  # a FLOAT holds both as the first
        (1700000000.0, 1700000001.5),
        (0.0, 1e-300),  # too small for a FLOAT
        (1.0, 1.0 + 1e-12),
    ],
)
def test_a_number_that_no_float_column_holds_is_a_limit_as_it_is(score: float, least: float) -> None:
    run, qrels = {"query": ["u"], "item": ["a"], "score": [score]}, {"u": ["a"]}
    assert evaluate(run, qrels, "num_ret", min_score=least).value("num_ret") == 0.0
    with duckdb.connect() as own:
        own.execute("CREATE TABLE run AS SELECT 'u' AS query, 'a' AS item, $score AS score", {"score": score})
        own.execute("CREATE TABLE qrels AS SELECT 'u' AS query, 'a' AS item, 1 AS relevance")
        assert value(own.sql(sql("run", "qrels", "num_ret", min_score=least)).df().to_dict("records")) == 0.0
        own.execute(sql("run", "qrels", "num_ret", min_score=least, form="macro", name="retrieved"))
        assert own.execute("SELECT value FROM retrieved('run', 'qrels')").fetchall() == [(0.0,)]
        text = Package("duckdb", ()).call("evaluate", "num_ret", run="run", qrels="qrels", min_score=least)
        assert value(own.sql(text).df().to_dict("records")) == 0.0


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(dict, id="columns of NumPy"),
        pytest.param(pd.DataFrame, id="pandas"),
        pytest.param(pl.DataFrame, id="polars"),
        pytest.param(pyarrow.table, id="Arrow"),
        pytest.param(
            lambda frame: {"u": dict(zip(frame["item"], frame["relevance"], strict=True))}, id="np.float32 in a dict"
        ),
    ],
)
def test_a_float_of_any_frame_reaches_its_decimal(made: Callable[[dict[str, Any]], Any]) -> None:
    held = {"query": ["u", "u"], "item": ["a", "b"], "relevance": np.array([0.7, 1.0], dtype=np.float32)}
    assert value(evaluate({"u": ["a", "b"]}, made(held), "hit_rate(threshold=0.7)@1").to_dicts()) == 1.0


def test_the_next_number_below_does_not_reach_a_limit() -> None:
    below = [float(np.nextafter(np.float32(0.7), np.float32(0))), float(np.nextafter(0.7, 0)), 0.69]
    for grade in below:
        qrels = {"u": {"a": grade, "b": 1.0}}
        assert value(evaluate({"u": ["a", "b"]}, qrels, "hit_rate(threshold=0.7)@1").to_dicts()) == 0.0


@pytest.mark.slow
def test_a_float_is_not_above_the_decimal_of_max_grade(connection: duckdb.DuckDBPyConnection) -> None:
    """4.3 as FLOAT is 4.3000002. An item of the highest grade satisfies with probability (2^4.3 - 1) / 2^4.3."""
    expected = pytest.approx(1 - 2**-4.3, abs=1e-6)
    for path in ("evaluate", "definition"):
        with planned(path):
            found = evaluate("run", "high", "err(max_grade=4.3)@1", connection=connection)
            assert value(found.to_dicts()) == expected
    [(found,)] = connection.sql(
        "SELECT value FROM recall_duckdb.err_at_k('run', 'high', k := 1, max_grade := 4.3)"
    ).fetchall()
    assert found == expected
    assert list(check("run", "high", "err(max_grade=4.3)@1", connection=connection)) == []
    assert [fault.check for fault in check("run", "high", "err(max_grade=4.29)@1", connection=connection)] == ["grades"]


# Beyond double precision: as DOUBLE, the scores of each pair are equal.
BEYOND = [
    ("BIGINT", "1700000000000000001", "1700000000000000000"),
    ("BIGINT", "-9223372036854775807", "-9223372036854775808"),
    ("UBIGINT", "18446744073709551615", "18446744073709551614"),
    ("HUGEINT", "100000000000000000001", "100000000000000000000"),
    ("DECIMAL(38, 20)", "1.00000000000000000001", "1"),
    ("DECIMAL(18, 4)", "12345678901234.5679", "12345678901234.5678"),
]


def run_of(kind: str, high: str, low: str, held: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyConnection:
    """Return a connection with a run of two scores of this type for each query; item a has the high one."""
    held = held or duckdb.connect()
    rows = f"('a', CAST('{high}' AS {kind})), ('b', CAST('{low}' AS {kind}))"
    held.execute(
        "CREATE OR REPLACE TABLE run AS "
        f"SELECT query, item, score FROM range(3) q (query), (VALUES {rows}) i (item, score)"
    )
    held.execute("CREATE OR REPLACE TABLE qrels AS SELECT DISTINCT query, 'a' AS item, 1 AS relevance FROM run")
    return held


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "high", "low"), BEYOND)
def test_scores_beyond_double_precision_do_not_tie(kind: str, high: str, low: str) -> None:
    """Equal scores would be ordered by item, descending: b first."""
    with run_of(kind, high, low) as held:
        for path in EVALUATED if kind == "BIGINT" else ("evaluate", "definition"):
            with planned(path):
                assert evaluate("run", "qrels", "rr", connection=held).value("rr") == 1.0
        assert evaluate("run", "qrels", "rr", ties="expected", connection=held).value("rr") == 1.0
        assert evaluate("run", "qrels", "rr", order="ascending", ties="item", connection=held).value("rr") == 0.5
        assert check("run", "qrels", "rr@1", connection=held).clean
        [row] = held.sql(sql("run", "qrels", "rr", connection=held)).fetchall()
        assert row[3] == 1.0


@pytest.mark.parametrize("ending", ["csv", "jsonl", "trec"])
def test_nanoseconds_of_a_text_file_tie_but_not_those_of_a_json_object(ending: str, tmp_path: Path) -> None:
    nanoseconds = 1_700_000_000_000_000_000
    times = {"a": nanoseconds + 1, "b": nanoseconds + 2}
    lines = {
        "csv": ["query,item,score", *(f"q,{item},{time}" for item, time in times.items())],
        "jsonl": [json.dumps({"query": "q", "item": item, "score": time}) for item, time in times.items()],
        "trec": [f"q Q0 {item} 1 {time} t" for item, time in times.items()],
    }
    run = tmp_path / f"run.{ending}"
    run.write_text("\n".join(lines[ending]))
    assert evaluate(run, {"q": ["b"]}, "rr", ties="item").value("rr") == 0.5
    assert evaluate(run, {"q": ["b"]}, "rr", ties="item_desc").value("rr") == 1.0
    of_object = tmp_path / "object.json"  # it is read as the dict in it
    of_object.write_text(json.dumps({"q": times}))
    for each in ({"q": times}, of_object):
        assert evaluate(each, {"q": ["b"]}, "rr", ties="item").value("rr") == 1.0


def test_nanoseconds_of_a_frame_do_not_tie() -> None:
    run = pd.DataFrame({"query": ["u", "u"], "item": ["a", "b"], "score": [1700000000000000001, 1700000000000000000]})
    assert evaluate(run, {"u": {"a": 1}}, "rr").value("rr") == 1.0
    assert evaluate({"u": {"a": 2**62 + 1, "b": 2**62}}, {"u": {"a": 1}}, "rr").value("rr") == 1.0


def test_models_with_scores_of_different_types_are_compared_exactly_if_a_type_holds_all() -> None:
    high, low = 2**60 + 1, 2**60
    wide = {"query": ["u", "u"], "item": ["a", "b"], "one": np.array([high, low], dtype=np.uint64), "two": [1, 2]}
    found = evaluate(wide, {"u": {"a": 1}}, "rr", score=["one", "two"])
    assert (found.value("rr", model="one"), found.value("rr", model="two")) == (1.0, 0.5)


def test_a_null_among_whole_numbers_is_a_fault_or_dropped() -> None:
    with run_of("BIGINT", "1700000000000000001", "1700000000000000000") as held:
        held.execute("INSERT INTO run VALUES (0, 'c', NULL)")
        assert [fault.check for fault in check("run", "qrels", "rr", connection=held).rows] == ["run_scores"]
        assert evaluate("run", "qrels", "rr", nulls="drop", connection=held).value("rr") == 1.0
        assert evaluate("run", "qrels", "rr", nulls="last", connection=held).value("rr") == 1.0


@pytest.mark.slow
def test_a_macro_compares_scores_exactly() -> None:
    with duckdb.connect() as held:
        install(held)
        call = "SELECT value FROM recall_duckdb.rr_at_k('run', 'qrels', 1)"
        found = {high: run_of(kind, high, low, held).sql(call).fetchall() for kind, high, low in BEYOND}
    assert found == {high: [(1.0,)] for _, high, _ in BEYOND}


def test_models_with_scores_of_types_that_no_type_holds_are_refused_if_they_tie() -> None:
    exact = {"query": ["u", "u"], "item": ["a", "b"], "score": [2**53 + 1, 2**53]}
    doubles = {"query": ["u", "u"], "item": ["a", "b"], "score": [0.5, 0.25]}
    with pytest.raises(DataError, match=r"scores that differ.*model='exact'.*lowest=9007199254740992"):
        evaluate({"exact": exact, "doubles": doubles}, {"u": {"a": 1}}, "rr")
    small = {**exact, "score": [2, 1]}
    assert evaluate({"small": small, "doubles": doubles}, {"u": {"a": 1}}, "rr").value("rr", model="small") == 1.0


def test_exact_scores_are_refused_next_to_ranks_and_exact_scores_of_other_types_if_they_tie() -> None:
    large = pd.DataFrame({"query": ["u", "u"], "item": ["a", "b"], "score": [2**60 + 1, 2**60]})
    ranks = {"query": ["u", "u"], "item": ["a", "b"], "rank": [1, 2]}
    digits = duckdb.sql(
        "SELECT 'u' AS query, * "
        "FROM (VALUES ('a', 0.00000000000000000002), ('b', 0.00000000000000000001)) i (item, score)"
    )
    wide = duckdb.sql(f"SELECT 'u' AS query, 'a' AS item, CAST({10**30} AS HUGEINT) AS score")
    runs: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"large": large, "ranks": ranks}, {"rank": "rank"}),
        ({"large": large, "digits": digits}, {}),
        ({"wide": wide, "digits": digits}, {}),
    ]
    for given, policies in runs:
        with pytest.raises(DataError, match="scores that differ, but are equal as DOUBLE"):
            evaluate(given, {"u": {"a": 1}}, "rr", **policies)
    small = {"large": large.assign(score=[2, 1]), "ranks": ranks}
    assert evaluate(small, {"u": {"a": 1}}, "rr", rank="rank").value("rr", model="large") == 1.0
