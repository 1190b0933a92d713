"""Slices of several columns: those of each column, those of their combinations, or both."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from asking import fails

from recall_duckdb import ArgumentError, UnknownNameError, compare, evaluate, sql
from recall_duckdb.cli import main

_DRAWN = random.Random(3)
_QUERIES = range(40)
USERS: dict[str, list[Any]] = {
    "query": [*_QUERIES],
    "country": [_DRAWN.choice(["BE", "NL", None]) for _ in _QUERIES],
    "device": [_DRAWN.choice(["app", "tv", "web"]) for _ in _QUERIES],
}
QRELS = {"query": [*_QUERIES], "item": [_DRAWN.randrange(6) for _ in _QUERIES], "relevance": [1 for _ in _QUERIES]}
METRICS = ["recall@3", "rr", "rr(mean=median)"]
BOTH = ["country", "device"]
Rows = list[dict[str, Any]]


def run() -> dict[str, list[Any]]:
    items = [item for _ in _QUERIES for item in _DRAWN.sample(range(6), 6)]
    return {"query": [query for query in _QUERIES for _ in range(6)], "item": items, "score": [6, 5, 4, 3, 2, 1] * 40}


RUNS = {"old": run(), "new": run()}


def evaluated(by: str | list[str], **arguments: Any) -> Any:
    return evaluate(RUNS, QRELS, METRICS, by=by, query_slices=USERS, nulls="drop", **arguments)


def means(by: str | list[str], **arguments: Any) -> Rows:
    return list(evaluated(by, **arguments).to_dicts())


def compared(by: str | list[str], **arguments: Any) -> Rows:
    return list(evaluated(by, **arguments).compare("old", test="sign").to_dicts())


def intervals(by: str | list[str], **arguments: Any) -> Rows:
    return list(evaluated(by, **arguments).intervals().to_dicts())


def together(*parts: Rows) -> list[str]:
    """Return the rows of several answers without repetitions, a column of slices being NULL where one lacks it."""
    return sorted({repr(sorted({**dict.fromkeys(BOTH), **row}.items())) for rows in parts for row in rows})


@pytest.mark.parametrize("answer", [means, compared, intervals])
def test_several_columns_give_the_rows_of_each_column(answer: Callable[..., Rows]) -> None:
    found = answer(BOTH)
    assert together(found) == together(answer("country"), answer("device"))
    assert len(found) == len(together(found))


@pytest.mark.parametrize("answer", [means, compared, intervals])
def test_both_are_the_slices_of_each_column_and_those_of_combinations(answer: Callable[..., Rows]) -> None:
    crossed = answer(BOTH, slices="crossed")
    assert {(row["country"], row["device"]) for row in crossed} == {
        (None, None), *((country, device) for country in ("BE", "NL") for device in ("app", "tv", "web"))
    }  # fmt: skip
    assert together(answer(BOTH, slices="both")) == together(answer(BOTH), crossed)


def test_slices_come_column_by_column() -> None:
    pairs = [(row["country"], row["device"]) for row in means(BOTH, slices="both") if row["model"] == "old"]
    countries, devices = ["BE", "NL"], ["app", "tv", "web"]
    expected = [(None, None), *((country, None) for country in countries), *((None, device) for device in devices)]
    expected += [(country, device) for country in countries for device in devices]
    assert list(dict.fromkeys(pairs)) == expected


@pytest.mark.slow
def test_samples_are_drawn_in_each_slice() -> None:
    """The interval of a slice is about its own queries, and the rows over all queries do not depend on the kind."""
    how: dict[str, Any] = {"test": "randomization", "interval": "bootstrap", "samples": 500}
    users = {**USERS, "country": [country or "DE" for country in USERS["country"]]}
    found = {
        kind: evaluate(RUNS, QRELS, "rr", by=BOTH, slices=kind, query_slices=users).compare("old", **how)
        for kind in ("each", "crossed", "both")
    }
    over_all = [[row for row in each.to_dicts() if row["country"] is row["device"] is None] for each in found.values()]
    assert over_all[0] == over_all[1] == over_all[2]
    for row in found["both"].to_dicts():
        assert row["low"] <= row["delta"] <= row["high"]
        if row["queries"] >= 10:
            assert row["high"] - row["low"] == pytest.approx(3.92 * row["sd"] / row["queries"] ** 0.5, rel=0.3)


def test_a_value_is_found_by_its_column() -> None:
    result = evaluated(BOTH, slices="both")
    assert result.value("rr", model="new", by={"device": "tv"}) == evaluated("device").value(
        "rr", model="new", by={"device": "tv"}
    )
    assert result.compare("old").value("rr", "queries", by={"country": "NL"}) == USERS["country"].count("NL")
    with pytest.raises(UnknownNameError, match="there is no slice {'country': 'NL'}"):
        evaluated(BOTH, slices="crossed").value("rr", model="new", by={"country": "NL"})


def test_an_unknown_slice_is_an_error_that_lists_those_of_the_result() -> None:
    with pytest.raises(
        UnknownNameError, match=r"There are \{'country': 'BE'\}, \{'country': 'NL'\}, \{'device': 'app'\}"
    ):
        evaluated(BOTH).value("rr", model="new", by={"country": "NL", "device": "tv"})
    with pytest.raises(UnknownNameError, match=r"There are \{'country': 'BE', 'device': 'app'\}, "):
        evaluated(BOTH, slices="crossed").value("rr", model="new", by={"country": "NL"})
    with pytest.raises(UnknownNameError, match="There are 'BE', 'NL'$"):
        evaluated("country").value("rr", model="new", by={"country": "DE"})


def test_p_is_adjusted_for_the_slices_of_all_columns() -> None:
    from recall_duckdb.comparison.comparison import comparable, compare_models
    from recall_duckdb.comparison.settings import Settings

    with evaluated(BOTH) as result:
        inputs = comparable(result.data)
        how = Settings("old", correction="bonferroni", over_slices=True)
        rows = [row for row in compare_models(inputs, how).to_dicts() if row["metric"] == "rr" and row["p"] is not None]
    for row in rows:
        slices = 1 if row["country"] is row["device"] is None else 5
        assert row["p_adjusted"] == pytest.approx(min(1, row["p"] * slices))


@pytest.mark.parametrize("kind", ["each", "crossed", "both"])
def test_files_of_values_have_the_slices_of_the_evaluation(tmp_path: Path, kind: Any) -> None:
    result = evaluate(RUNS, QRELS, METRICS[:2], by=BOTH, query_slices=USERS, nulls="drop", slices=kind)
    paths = {}
    for model in RUNS:
        paths[model] = str(tmp_path / f"{model}.parquet")
        result.per_query.filter(f"model = '{model}'").write_parquet(paths[model])
    rows = compare(paths, baseline="old", by=BOTH, slices=kind).to_dicts()
    assert rows == result.compare("old").to_dicts()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["each", "both"])
def test_the_statement_of_another_dialect_has_the_same_rows(kind: Any) -> None:
    one = {**RUNS["old"], "score": [float(score) for score in RUNS["old"]["score"]]}
    tables = {"run": pl.DataFrame(one), "qrels": pl.DataFrame({**QRELS, "device": USERS["device"], "even": [
        query % 2 for query in _QUERIES]})}  # fmt: skip
    with sqlite3.connect(":memory:") as connection:
        for name, frame in tables.items():
            connection.execute(f"CREATE TABLE {name} ({', '.join(frame.columns)})")
            marks = ", ".join("?" * len(frame.columns))
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", frame.rows())
        asked: dict[str, Any] = {"by": ["device", "even"], "slices": kind}
        rows = connection.execute(sql("run", "qrels", ["recall@3"], **asked, dialect="sqlite")).fetchall()
        mine = evaluate(tables["run"], tables["qrels"], "recall@3", **asked)
        theirs = evaluate("run", "qrels", "recall@3", **asked, connection=connection)
        found = [[tuple(row.values()) for row in each.to_dicts()] for each in (mine, theirs)]
        assert found[0] == found[1]
        assert sorted(rows, key=str) == sorted(found[0], key=str)
        assert mine.intervals().to_dicts() == theirs.intervals().to_dicts()


def test_the_command_line_gate_and_history_take_the_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = {name: str(tmp_path / f"{name}.parquet") for name in ("run", "qrels", "users", "history")}
    for name, columns in (("run", RUNS["old"]), ("qrels", QRELS), ("users", {**USERS, "country": ["NL"] * 40})):
        pl.DataFrame(columns).write_parquet(paths[name])
    call = ["evaluate", paths["run"], "--qrels", paths["qrels"], "-m", "rr", "--query-slices", paths["users"]]
    call += ["--by", "country", "--by", "device"]
    assert main([*call, "--slices", "both", "--format", "json"]) == 0
    found = [(row["country"], row["device"]) for row in json.loads(capsys.readouterr().out)]
    assert found == [(None, None), ("NL", None), *((None, d) for d in DEVICES), *(("NL", d) for d in DEVICES)]
    assert main([*call, "--at-least", "rr=0.99", "--append", paths["history"]]) == 1
    assert "of run in device=tv is" in capsys.readouterr().err
    kept = duckdb.read_parquet(f"{paths['history']}/*").project("slice").fetchall()
    assert kept == [(None,), ('{"country": "NL"}',), *((f'{{"device": "{device}"}}',) for device in DEVICES)]


DEVICES = ("app", "tv", "web")


def test_a_kind_without_columns_of_slices_is_refused() -> None:
    values = {"query": [1], "rr": [1.0]}
    message = "slices: 'both' needs columns of slices, but there are none. Pass by= or item_by="
    for ask in (
        lambda: evaluate(RUNS, QRELS, METRICS, slices="both"),
        lambda: sql("run", "qrels", "rr", slices="both"),
        lambda: compare({"a": values, "b": values}, baseline="a", slices="both"),
    ):
        fails(ArgumentError, message, ask)


def test_an_unknown_kind_is_refused() -> None:
    values = {"query": [1], "rr": [1.0]}
    wrong: Any = "cross"
    for ask in (
        lambda: evaluated(BOTH, slices=wrong),
        lambda: compare({"a": values, "b": values}, baseline="a", slices=wrong),
    ):
        fails(UnknownNameError, r"slices: 'cross' .*'each', 'crossed', 'both'.*Did you mean 'crossed'", ask)
