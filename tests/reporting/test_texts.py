"""Texts of queries and items next to their ids: `texts=` of explain, pool and report, and `--texts`."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import Output, fails, output_of

from recall_duckdb import ArgumentError, ArgumentTypeError, DataError, RecallError, RecallWarning, evaluate, pool
from recall_duckdb.cli import main

RUN = {"query": ["q1", "q1", "q2"], "item": ["a", "x", "y"], "score": [2.0, 1.0, 1.0]}
QRELS = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "y"], "relevance": [1, 0, 1]}
ITEMS = {"item": ["a", "x", "b", "z"], "text": ["Apples", "Quinces", "Bananas", "Not shown"]}
QUERIES = {"query": ["q1", "q2"], "text": ["red fruit", "yellow fruit"]}
LONG = "A text that goes on and on. " * 10


class Row(NamedTuple):
    """A row of texts with names."""

    item: str
    text: str


@dataclass
class Titled:
    """An object with an id and a title."""

    item: str
    title: str


def texts_in(found: duckdb.DuckDBPyRelation, ids: str = "item", text: str = "text") -> dict[Any, Any]:
    return dict(found.select(ids, text).fetchall())


def explained(texts: object, **how: Any) -> dict[Any, Any]:
    return texts_in(evaluate(RUN, QRELS, "recall@2", **how).explain("q1", texts=texts))


def test_explain_shows_the_text_of_each_item_beside_its_id() -> None:
    found = evaluate(RUN, QRELS, "recall@2").explain("q1", texts=ITEMS)
    assert found.columns == ["item", "text", "relevance", "baseline_rank", "rank", "change", "is_relevant"]
    assert [row[:3] for row in found.fetchall()] == [
        *(("a", "Apples", 1.0), ("x", "Quinces", None), ("b", "Bananas", 0.0))
    ]


def test_texts_of_queries_have_a_column_of_their_own() -> None:
    found = evaluate(RUN, QRELS, "recall@2").explain("q1", texts=[QUERIES, ITEMS])
    assert found.columns[:3] == ["query_text", "item", "text"]
    assert found.fetchall()[0][:3] == ("red fruit", "a", "Apples")
    alone = evaluate(RUN, QRELS, "recall@2").explain("q1", texts=QUERIES)
    assert alone.columns[:3] == ["query_text", "item", "relevance"]


def test_pool_shows_the_texts_of_queries_and_items() -> None:
    found = pool(RUN, {**QRELS, "relevance": [1, 0, -1]}, "recall@2", texts=[QUERIES, ITEMS])
    assert found.columns == ["query", "query_text", "item", "text", "best_rank", "models"]
    assert found.fetchall() == [("q1", "red fruit", "x", "Quinces", 2, 1), ("q2", "yellow fruit", "y", None, 1, 1)]


def test_an_empty_pool_has_the_columns_of_texts() -> None:
    found = pool(RUN, {**RUN, "relevance": [1, 1, 1]}, "recall@2", texts=ITEMS)
    assert (found.columns, found.fetchall()) == (["query", "item", "text", "best_rank", "models"], [])


@pytest.mark.parametrize(
    "texts",
    [
        ITEMS,
        {"item": dict(zip(*ITEMS.values(), strict=True))},
        {"item": pd.Series(ITEMS["text"], index=ITEMS["item"])},
        pd.DataFrame(ITEMS),
        pl.DataFrame(ITEMS),
        pa.table(ITEMS),
        [{"item": item, "title": text} for item, text in zip(*ITEMS.values(), strict=True)],
        [Row(*pair) for pair in zip(*ITEMS.values(), strict=True)],
        [Titled(*pair) for pair in zip(*ITEMS.values(), strict=True)],
        (Row(*pair) for pair in zip(*ITEMS.values(), strict=True)),
        [{name: values[:2] for name, values in ITEMS.items()}, {name: values[2:] for name, values in ITEMS.items()}],
    ],
    ids=["columns", "dict", "Series", "pandas", "polars", "arrow", "dicts", "tuples", "objects", "iterator", "two"],
)
def test_texts_are_in_any_form_that_a_run_may_have(texts: object) -> None:
    assert explained(texts) == {"a": "Apples", "x": "Quinces", "b": "Bananas"}


def test_texts_by_id_do_not_clash_with_a_column_of_ids_called_text() -> None:
    run, qrels = ({"text": each["query"], **each} for each in (RUN, QRELS))
    titles = [{"item": {"a": "Apples"}}, {"text": {"q1": "red fruit"}}]
    found = evaluate(run, qrels, "recall@2", query="text").explain("q1", texts=titles)
    assert found.fetchall()[0][:3] == ("red fruit", "a", "Apples")


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_texts_are_in_a_file(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"items.{ending}"
    frame = pd.DataFrame({"item": ["1", "02"], "title": ["1984", "2001"]})
    write = {"csv": partial(frame.to_csv, index=False), "parquet": frame.to_parquet}
    write.get(ending, partial(frame.to_json, orient="records"))(path)
    run = {"query": [1, 1], "item": ["1", "02"], "score": [2.0, 1.0], "relevance": [1, 0]}
    assert texts_in(evaluate(run, metrics="recall@2").explain(1, texts=path)) == {"1": "1984", "02": "2001"}


def test_texts_are_in_a_table_or_a_query_of_the_connection() -> None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE docs AS SELECT 'a' AS item, 'Apples' AS title, 'A long text' AS body")
        for texts in ("docs", connection.table("docs")):
            assert explained(texts, connection=connection)["a"] == "Apples"
        assert explained("(SELECT item, body FROM docs)", connection=connection)["a"] == "A long text"


def test_texts_are_in_a_table_of_another_engine() -> None:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript("""
            CREATE TABLE run (query TEXT, item TEXT, score REAL); INSERT INTO run VALUES ('q1', 'a', 2), ('q1', 'x', 1);
            CREATE TABLE qrels (query TEXT, item TEXT, relevance INT); INSERT INTO qrels VALUES ('q1', 'a', 1);
            CREATE TABLE docs (item TEXT, title TEXT); INSERT INTO docs VALUES ('a', 'Apples'), ('z', 'Not shown');
        """)
        result = evaluate("run", "qrels", "recall@2", connection=connection)
        assert texts_in(result.explain("q1", texts="docs")) == {"a": "Apples", "x": None}


def test_columns_are_named_as_in_the_run_or_as_in_the_qrels() -> None:
    run = {"user": [7, 7], "film": [1, 2], "score": [2.0, 1.0]}
    qrels = {"user": [7], "movie": [1], "relevance": [1]}
    result = evaluate(run, qrels, "recall@2", query="user", item="film", qrels_item="movie")
    for column in ("film", "movie"):
        titles = {column: [1, 2], "title": ["Alien", "Brazil"], "year": [1979, 1985]}
        assert texts_in(result.explain(7, texts=titles), "film") == {1: "Alien", 2: "Brazil"}


def test_a_query_of_two_columns_has_its_text_in_a_row_with_both() -> None:
    run = {"user": ["u", "u"], "day": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0]}
    texts = {"user": ["u", "u"], "day": [1, 2], "text": ["Monday", "Tuesday"]}
    found = pool(run, metrics="recall@1", query=["user", "day"], texts=texts)
    assert found.columns[:4] == ["user", "day", "query_text", "item"]
    assert [row[1:4] for row in found.fetchall()] == [(1, "Monday", "a"), (2, "Tuesday", "b")]


def test_a_column_of_texts_gets_a_number_if_the_user_has_its_name() -> None:
    run = {"query": [1], "text": ["a"], "score": [1.0]}
    found = pool(run, metrics="recall@1", item="text", texts={"text": {"a": "Apples"}})
    assert (found.columns[:3], found.fetchall()[0][:3]) == (["query", "text", "text_1"], (1, "a", "Apples"))


@pytest.mark.parametrize(
    ("ids", "other"),
    [([1, 2], ["1.0", "2.0"]), (["1", "2"], [1, 2]), ([1.0, 2.0], [1, 2]), ([1, 2], [1.0, 2.0])],
    ids=["text", "numbers", "whole", "floats"],
)
def test_ids_of_several_types_compare_as_text(ids: list[Any], other: list[Any]) -> None:
    run = {"query": [1, 1], "item": ids, "score": [2.0, 1.0], "relevance": [1, 0]}
    texts = {"item": [float(each) if isinstance(each, str) and "." in each else each for each in other],
             "text": ["one", "two"]}  # fmt: skip
    for options in ({}, {"ids": "text"}):
        found = evaluate(run, metrics="recall@2", **options).explain(1, texts=texts)  # type: ignore[arg-type]
        assert found.select("text").fetchall() == [("one",), ("two",)]


def test_ids_of_files_without_types_fit_numbers(tmp_path: Path) -> None:
    """As for other inputs: a CSV file does not say that its ids are text, so numbers are no fault."""
    (tmp_path / "run.csv").write_text("query,item,score,relevance\n1,7,2,1\n1,8,1,0\n")
    (tmp_path / "items.csv").write_text("item,title\n7,Seven\n")
    numbers = {"item": [7], "title": ["Seven"]}
    result = evaluate(tmp_path / "run.csv", metrics="recall@2")
    for texts in (numbers, tmp_path / "items.csv"):
        assert texts_in(result.explain("1", texts=texts)) == {"7": "Seven", "8": None}


def test_an_id_without_a_text_has_none_and_a_blank_is_none() -> None:
    assert explained({"item": ["a", "x", "b"], "text": [" ", None, "Bananas"]}) == {
        "a": None,
        "x": None,
        "b": "Bananas",
    }


def test_a_warning_says_that_no_id_has_a_text() -> None:
    with pytest.warns(RecallWarning, match="texts: none of the items that are shown has a text, such as 'a'"):
        explained({"item": ["doc-a", "doc-x"], "text": ["Apples", "Quinces"]})
    with pytest.warns(RecallWarning, match="such as 'x'") as caught:
        pool(RUN, QRELS, "recall@2", texts={"item": {"doc-x": "Quinces"}})
    assert caught[0].filename == __file__  # of the call
    with pytest.warns(RecallWarning) as caught:
        evaluate(RUN, QRELS, "recall@2").explain("q1", texts={"item": {"doc-x": "Quinces"}})
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        explained({"item": ["a"], "text": ["Apples"]})


def test_the_same_text_twice_is_one_text() -> None:
    assert explained({"item": ["a", "a"], "text": ["Apples", "Apples"]})["a"] == "Apples"


FAULTS: list[tuple[object, type[RecallError], str]] = [
    ({"doc": ["a"], "text": ["A"]}, ArgumentError, r"has neither 'query' \(query=\) nor 'item' \(item=\)"),
    ({"query": ["q1"], "item": ["a"], "text": ["A"]}, ArgumentError, r"has both 'query' .* and 'item'"),
    ({"item": ["a"]}, ArgumentError, "has no column of texts. Name the one to show 'text' or 'title'. Its columns"),
    ({"item": ["a"], "de": ["A"], "en": ["A"]}, ArgumentError, "several columns that may hold the texts: 'de', 'en'"),
    ({"item": ["a"], "text": [1]}, ArgumentTypeError, "column 'text' is of type INTEGER, but it must hold text"),
    ({"item": ["a", "a"], "text": ["A", "B"]}, DataError, "the item 'a' has two texts, 'A' and 'B'. Keep one row"),
    ([ITEMS, {"item": {"a": "B"}}], DataError, "the item 'a' has two texts, 'Apples' and 'B'"),
    ({"a": "Apples"}, ArgumentTypeError, "Pass {'item': {id: text}} for items, or {'query': {id: text}} for queries"),
    (pd.Series({"a": "Apples"}), ArgumentTypeError, "a Series of texts by id does not say"),
    ([], ArgumentError, "texts: the list is empty"),
    (7, ArgumentTypeError, "texts: an int cannot be read. Pass a path"),
    ("items.parquet", ArgumentError, "texts: there is no file 'items.parquet'"),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "kind", "message"), FAULTS)
def test_a_fault_is_named(texts: object, kind: type[RecallError], message: str) -> None:
    fails(kind, message, explained, texts)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of a command that reads the data above from files, with a long text."""
    monkeypatch.chdir(tmp_path)
    for name, data in {"run": RUN, "qrels": QRELS, "queries": QUERIES}.items():
        pd.DataFrame(data).to_csv(f"{name}.csv", index=False)
    pd.DataFrame({"item": ["a", "x"], "title": ["<b>Apples</b>\nand pears", LONG]}).to_csv("items.csv", index=False)
    return ["run.csv", "--qrels", "qrels.csv", "-m", "recall@2", "--texts", "items.csv", "--texts", "queries.csv"]


def test_a_table_cuts_long_texts_and_says_how_many_are_missing(files: list[str], capsys: Output) -> None:
    assert main(["explain", "q1", *files]) == 0
    shown = capsys.readouterr()
    assert [re.split("  +", line) for line in shown.out.splitlines()[2:]] == [
        ["run", "a", "<b>Apples</b> and pears", "1.0 ✓", "1"],
        ["run", "x", "A text that goes on and on. A text that goes on and on. A te…", "2"],
        ["run", "b", "0.0"],
        ["query q1: red fruit"],
    ]
    assert shown.err == "recall-duckdb: texts: 1 of 3 items has no text\n"


def test_a_column_called_model_and_ours_have_two_names(files: list[str], capsys: Output) -> None:
    """Given an item column called model, an object of JSON has no key twice, and a table cuts its texts."""
    for name in ("run", "qrels", "items"):
        pd.read_csv(f"{name}.csv").rename(columns={"item": "model"}).to_csv(f"{name}.csv", index=False)
    for asked in (files, files[:5]):  # with texts, and without
        first = json.loads(output_of(capsys, "explain", "q1", *asked, "--item", "model", "--format", "json"))[0]
        assert (first["model_1"], first["model"], first["rank"]) == ("run", "a", 1)
    assert main(["explain", "q1", *files, "--item", "model"]) == 0
    shown = capsys.readouterr()
    assert f"{LONG[:60].rstrip()}…" in shown.out
    assert shown.err == "recall-duckdb: texts: 1 of 3 items has no text\n"


def test_the_texts_of_several_models_are_looked_up_once(files: list[str], capsys: Output) -> None:
    Path("other.csv").write_text(Path("run.csv").read_text())
    pd.DataFrame({"item": ["p"], "title": ["Pears"]}).to_csv("items.csv", index=False)
    assert main(["explain", "q1", "other.csv", *files]) == 0
    shown = capsys.readouterr()
    assert shown.out.count("query q1: red fruit") == 1
    assert shown.err.count("none of the items that are shown has a text") == 1


def test_json_and_csv_have_whole_texts(files: list[str], capsys: Output) -> None:
    rows = json.loads(output_of(capsys, "explain", "q1", *files, "--format", "json"))
    assert [(row["query_text"], row["text"]) for row in rows] == [
        *(("red fruit", "<b>Apples</b>\nand pears"), ("red fruit", LONG), ("red fruit", None))
    ]
    assert main(["pool", *files]) == 0
    shown = capsys.readouterr()
    [row] = csv.DictReader(io.StringIO(shown.out))
    assert row == {"query": "q1", "query_text": "red fruit", "item": "x", "text": LONG, "best_rank": "2", "models": "1"}
    assert shown.err == ""


def test_a_table_for_a_page_has_relevant_rows_in_bold_and_escapes_texts(files: list[str], capsys: Output) -> None:
    page = output_of(capsys, "explain", "q1", *files, "--format", "html")
    assert "<b>&lt;b&gt;Apples&lt;/b&gt; and pears</b>" in page
    assert page.count("<b>") == 5  # the cells of the relevant row
    assert "| **run** | **a** |" in output_of(capsys, "explain", "q1", *files, "--format", "markdown")


def test_an_error_names_the_option(files: list[str], capsys: Output) -> None:
    assert main(["explain", "q1", *files, "--texts", "nothing.csv"]) == 2
    assert "recall-duckdb: --texts: there is no file 'nothing.csv'" in capsys.readouterr().err
    assert main(["explain", "q1", *files, "--texts", "qrels.csv"]) == 2
    assert "has both 'query' (--query) and 'item' (--item)" in capsys.readouterr().err


@pytest.mark.slow
def test_a_report_shows_texts_with_their_ids_and_marks_relevant_items(tmp_path: Path) -> None:
    titles = {"item": {"a": "<b>Apples</b>", "x": LONG}}
    path = tmp_path / "report.html"
    evaluate(RUN, QRELS, "rr").report(path, texts=[titles, QUERIES])
    page = path.read_text("utf-8")
    assert '<span class="text">red fruit</span> <span class="id">q1</span>' in page
    apples = '<td style="text-align:left"><span class="text">&lt;b&gt;Apples&lt;/b&gt;</span> <span class="id">a</span>'
    assert f'<tr class="relevant">{apples}' in page
    assert f'<span class="text">{LONG[:99]}' in page
    assert LONG not in page
    assert '<tr><td style="text-align:left">b</td>' in page  # it has no text
    assert "2 of 4 items have no text: the id stands alone." in page


def test_a_report_without_texts_marks_relevant_items_too(tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    run = {"query": [1, 1, 1], "item": [7, 8, 9], "score": [3.0, 2.0, 1.0], "relevance": [2, 1, 0]}
    evaluate(run, metrics="rr", threshold=2).report(path)
    assert re.findall(r'<tr class="relevant"><td style="text-align:left">(\d)<', path.read_text("utf-8")) == ["7"]


@pytest.mark.slow
def test_the_command_report_reads_texts_and_never_writes_over_them(files: list[str], capsys: Output) -> None:
    assert main(["report", *files, "-o", "report.html"]) == 0
    assert "&lt;b&gt;Apples&lt;/b&gt; and pears" in Path("report.html").read_text("utf-8")
    Path("texts.html").write_text("item,title\na,Apples\n")
    assert main(["report", *files[:-4], "--texts", "texts.html", "-o", "texts.html"]) == 2
    assert "--output: 'texts.html' is one of the input files" in capsys.readouterr().err
    with pytest.raises(ArgumentError, match="path: 'texts.html' is one of the input files"):
        evaluate(RUN, QRELS, "rr").report("texts.html", texts="texts.html")
