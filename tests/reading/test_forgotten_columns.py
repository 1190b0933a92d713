"""A column that no argument names is refused if it splits the lists of queries, and never if it describes items."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from asking import fails

from recall_duckdb import DataError, agreement, check, evaluate, pool
from recall_duckdb.cli import main
from recall_duckdb.reading import forgotten

Columns = dict[str, list[Any]]

# Two queries, each with the same id in two languages.
RUN: Columns = {
    "lang": ["de"] * 4 + ["en"] * 4,
    "query": [1, 1, 2, 2] * 2,
    "item": ["a", "b", "c", "d", "b", "a", "c", "d"],
    "score": [0.9, 0.8, 0.9, 0.8, 0.7, 0.6, 0.7, 0.6],
}
QRELS: Columns = {
    "lang": ["de", "de", "en", "en"],
    "query": [1, 2, 1, 2],
    "item": ["a", "d", "a", "c"],
    "relevance": [1, 1, 1, 1],
}
# The same, where each language has items of its own.
APART: tuple[Columns, Columns] = (
    {**RUN, "item": [f"{lang}-{item}" for lang, item in zip(RUN["lang"], RUN["item"], strict=True)]},
    {**QRELS, "item": [f"{lang}-{item}" for lang, item in zip(QRELS["lang"], QRELS["item"], strict=True)]},
)
# The lists of two models, which share items below the first.
MODELS: Columns = {
    "arm": ["x"] * 3 + ["y"] * 3,
    "query": [1] * 6,
    "item": ["a", "b", "c", "d", "b", "c"],
    "score": [20.0, 19.0, 18.0, 0.7, 0.6, 0.5],
}
BOUGHT: Columns = {"query": [1], "item": ["a"], "relevance": [1]}

ASKS_QUERY = (
    r"no argument names column '{0}', but a query has several lists by it, for example query=1: {0}=.* and {0}=.*\. "
    r"If it is a part of the query, pass query=\['{0}', 'query'\]\."
)
ASKS_MODEL = (
    r"no argument names column 'arm', but a query has several lists by it, for example query=1: arm='x' and arm='y'\. "
    r"If its values are models, pass it as model=\. If all rows of a query are one list, pass duplicates='best'\.$"
)


def renamed(columns: Columns, old: str, new: str) -> Columns:
    return {new if name == old else name: values for name, values in columns.items()}


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("ask", [evaluate, check, pool])
@pytest.mark.parametrize("given", [(RUN, QRELS), APART], ids=["items of both", "items apart"])
def test_a_forgotten_part_of_the_query_is_refused(ask: Callable[..., Any], given: tuple[Columns, Columns]) -> None:
    fails(DataError, ASKS_QUERY.format("lang"), ask, *given, "rr")
    assert evaluate(*given, "rr", query=["lang", "query"]).value("rr") == 0.75


@pytest.mark.parametrize(
    "name", ["language", "Locale", "subset", "split", "fold", "dataset", "task_name", "domain", "session", "position"]
)
def test_the_usual_names_of_parts_are_known(name: str) -> None:
    run, qrels = (renamed(side, "lang", name) for side in APART)
    fails(DataError, ASKS_QUERY.format(name), evaluate, run, qrels, "rr")


def test_duplicates_tell_under_any_name() -> None:
    run, qrels = (renamed(side, "lang", "shop") for side in (RUN, QRELS))
    with pytest.raises(DataError, match=rf"{ASKS_QUERY.format('shop')} If its values are models, pass it as model="):
        evaluate(run, qrels, "rr@1")
    only_in_qrels = renamed(APART[0], "lang", "shop"), qrels
    fails(DataError, ASKS_QUERY.format("shop"), evaluate, *only_in_qrels, "rr@1")


def test_the_refusal_names_the_columns_of_both_sides() -> None:
    qrels = renamed(QRELS, "query", "topic")
    expected = r"pass query=\['lang', 'query'\] and qrels_query=\['lang', 'topic'\]"
    fails(DataError, expected, evaluate, RUN, qrels, "rr", qrels_query="topic")


def test_labels_in_the_run_are_on_both_sides() -> None:
    labelled = {**RUN, "relevance": [1, 0, 0, 1, 0, 1, 1, 0]}
    fails(DataError, ASKS_QUERY.format("lang"), evaluate, labelled, metrics="rr")
    assert evaluate(labelled, metrics="rr", query=["lang", "query"]).value("rr") == 0.75


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("ask", [evaluate, check, pool])
def test_lists_of_several_models_are_refused_under_any_name(ask: Callable[..., Any]) -> None:
    fails(DataError, ASKS_MODEL, ask, MODELS, BOUGHT, "rr@1")
    assert [row["value"] for row in evaluate(MODELS, BOUGHT, "rr@1", model="arm").to_dicts()] == [1, 0]
    assert evaluate(MODELS, BOUGHT, "rr@1", duplicates="best").value("rr@1") == 1


def test_agreement_refuses_lists_of_several_models() -> None:
    runs = {"old": {name: MODELS[name][:3] for name in ("query", "item", "score")}, "new": MODELS}
    fails(DataError, f"run 'new'.*{ASKS_MODEL}", agreement, runs, baseline="old")


def test_ranks_of_several_models_are_refused() -> None:
    ranks = {**{name: MODELS[name] for name in ("arm", "query", "item")}, "rank": [1, 2, 3] * 2}
    fails(DataError, ASKS_MODEL, evaluate, ranks, BOUGHT, "rr", rank="rank")


def test_of_two_columns_the_one_that_makes_lists_is_named() -> None:
    several = {"title": ["s", "t", "u", "v", "t", "u"], "rank": [1, 2, 3] * 2, "page": [*range(6)], **MODELS}
    fails(DataError, ASKS_MODEL, evaluate, several, BOUGHT, "rr@1")


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    "described",
    [
        pytest.param({"title": ["s", "t", "u", "s"]}, id="a title"),
        pytest.param({"price": [1, 2, 2, 1]}, id="a price"),
        pytest.param({"category": ["x", "x", "y", "y"]}, id="a category"),
        pytest.param({"brand": ["x", "y", "y", "x"], "source": ["s", "s", "t", "t"]}, id="a brand and a source"),
        pytest.param({"rank": [1, 2, 1, 2]}, id="a rank next to the score"),
        pytest.param({"position": [1, 2, 1, 2]}, id="a position next to the score"),
        pytest.param({"day": [1, 1, 2, 2]}, id="the day of a list, one for each query"),
        pytest.param({"lang": ["de", "de", "en", "en"]}, id="the language of a query"),
        pytest.param({"weight": [0.5, 0.5, 0.25, 0.25]}, id="decimals"),
        pytest.param({"lang": [None] * 4}, id="nothing"),
    ],
)
def test_what_describes_items_and_queries_is_never_refused(described: Columns) -> None:
    run = {"query": [1, 1, 2, 2], "item": ["a", "b", "a", "c"], "score": [0.9, 0.8, 0.7, 0.6], **described}
    qrels = {"query": [1, 2], "item": ["a", "c"], "relevance": [1, 1]}
    for columns in ({}, {name: values[::2] for name, values in described.items()}):
        assert evaluate(run, {**qrels, **columns}, "rr").value("rr") == 0.75


def test_items_may_be_of_several_languages_if_the_qrels_do_not_say_so() -> None:
    run = {"lang": ["de", "en"] * 2, "query": [1] * 4, "item": ["a", "b", "c", "d"], "score": [4, 3, 2, 1]}
    assert evaluate(run, BOUGHT, "rr").value("rr") == 1


def test_the_days_of_purchases_may_differ_from_the_day_of_the_lists() -> None:
    run = {"query": [1, 1], "item": ["a", "b"], "score": [0.9, 0.8], "day": [7, 7]}
    bought = {"query": [1, 1, 1], "item": ["a", "a", "b"], "relevance": [1, 1, 1], "day": [8, 9, 9]}
    assert evaluate(run, bought, "recall@1", duplicates="best").value("recall@1") == 0.5


def test_copies_that_no_column_tells_apart_are_duplicates() -> None:
    run = {"query": [1] * 4, "item": ["a", "b", "a", "b"], "score": [4, 3, 2, 1], "category": ["x", "y", "x", "y"]}
    fails(DataError, "The run holds an item .* more than once in a query's list", evaluate, run, BOUGHT, "rr")


def test_a_second_question_of_the_same_form_is_checked_too() -> None:
    sound = {**MODELS, "item": ["a", "b", "c", "d", "e", "f"]}
    for _ in range(2):
        assert evaluate(sound, BOUGHT, "rr@1").value("rr@1") == 1
        fails(DataError, ASKS_MODEL, evaluate, MODELS, BOUGHT, "rr@1")


def test_whole_lists_of_the_first_queries_are_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forgotten, "_FIRST_ROWS", 1)
    fails(DataError, ASKS_MODEL, evaluate, pd.DataFrame(MODELS), BOUGHT, "rr@1")


def test_files_and_tables_are_looked_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(tmp_path / f"{name}.csv") for name in ("run", "qrels")]
    for path, columns in zip(paths, APART, strict=True):
        pd.DataFrame(columns).to_csv(path, index=False)
    assert main(["evaluate", paths[0], "--qrels", paths[1], "-m", "rr"]) == 2
    assert "If it is a part of the query, pass --query lang --query query." in capsys.readouterr().err
    connection = duckdb.connect()
    for name, columns in (("run", MODELS), ("qrels", BOUGHT)):
        connection.from_df(pd.DataFrame(columns)).create(name)
    fails(DataError, ASKS_MODEL, evaluate, "run", "qrels", "rr@1", connection=connection)
