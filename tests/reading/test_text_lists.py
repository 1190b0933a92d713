"""Text that is a list would be one id and match nothing: it is refused by name."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pytest
from fault_cases import BRACKETED_IDS, TEXT_LISTS

from recall_duckdb import DataError, RecallError, RecallWarning, check, evaluate, install

RUN = {"query": [1, 1, 2], "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("text", TEXT_LISTS)
def test_the_text_of_a_list_is_no_id(text: str) -> None:
    with pytest.raises(DataError, match="Column 'item' holds the text of a list in the qrels, which would be one id"):
        evaluate(RUN, {"query": [1, 2], "item": [text, "a"]}, "recall@2", relevance=None)
    with pytest.raises(DataError, match="Column 'item' holds the text of a list in the run, which would be one id"):
        evaluate({**RUN, "item": ["a", text, "a"]}, {"query": [1], "item": ["a"]}, "recall@2", relevance=None)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("text", [*BRACKETED_IDS, "Rocky 4"])
def test_an_id_may_have_brackets_and_blanks(text: str) -> None:
    run = {"query": [1, 1], "item": [text, "b"], "score": [2.0, 1.0]}
    assert evaluate(run, {"query": [1], "item": [text]}, "recall@1", relevance=None).value("recall@1") == 1


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("text", ["a b", "a,b", "a, b", "a|b", " a  b "])
def test_several_ids_in_one_text_are_refused(text: str) -> None:
    with pytest.raises(DataError, match="holds several ids in one text in the qrels: no item of the qrels is an item"):
        evaluate(RUN, {"query": [1, 2], "item": [text, "x"]}, "recall@2", relevance=None)


@pytest.mark.usefixtures("any_size")
def test_several_ids_in_one_text_next_to_single_ids_give_a_warning() -> None:
    qrels = {"query": [1, 2, 3], "item": ["a b", "a", "b x"]}
    with pytest.warns(RecallWarning, match=r"'item' may hold several ids in one text .*\(2 cases\), .*item='a b'"):
        evaluate(RUN, qrels, "recall@2", relevance=None)
    assert "joined_items" in [fault.check for fault in check(RUN, qrels, relevance=None)]
    assert "joined_items" not in [
        fault.check for fault in check(RUN, {**qrels, "item": ["a b", "x", "b x"]}, relevance=None)
    ]


TITLES = ["Alien 3", "Tom, Dick and Harry", "M | A", "Heat", "The Thing"]


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize(
    "shown",
    [
        ["Alien", "Aliens", "Heat", "The Thing"],  # a title of several words is found
        ["Alien", "Aliens", "Heat"],  # only a title of one word is found
        ["Jaws", "Aliens", "Halloween 3"],  # nothing is found, and no word is a title of its own
    ],
)
def test_titles_are_not_refused(shown: list[str]) -> None:
    run = {"query": [1] * len(shown), "item": shown, "score": range(len(shown), 0, -1)}
    qrels = {"query": range(1, 6), "item": TITLES}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RecallWarning)
        notes = evaluate(run, qrels, "recall@5", relevance=None).notes
    assert not any("several ids" in note for note in notes)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("separator", [" ", ",", ", ", ";", "|"])
def test_products_of_orders_in_one_text_are_refused(separator: str) -> None:
    products = [f"B{number:09}" for number in range(40)]
    run = {"query": [order for order in range(8) for _ in range(5)], "item": products, "score": [5, 4, 3, 2, 1] * 8}
    orders = [separator.join([*products[5 * order : 5 * order + 2], "B999"]) for order in range(8)]
    with pytest.raises(DataError, match=r"holds several ids in one text in the qrels.* \(8 cases\)"):
        evaluate(run, {"query": range(8), "item": orders}, "recall@5", relevance=None)
    with pytest.warns(RecallWarning, match="may hold several ids in one text"):
        evaluate(run, {"query": range(8), "item": [*orders[:7], products[36]]}, "recall@5", relevance=None)


@pytest.mark.usefixtures("any_size")
def test_texts_with_blanks_are_titles_if_one_is_an_item_of_the_run() -> None:
    run = {"query": [1, 2], "item": ["Alien", "Alien 3"], "score": [1.0, 1.0]}
    qrels = {"query": [1, 2], "item": ["Alien Predator", "Alien 3"]}
    assert evaluate(run, qrels, "recall@1", relevance=None).value("recall@1") == 0.5
    assert check(run, qrels, "recall@1", relevance=None).clean


def test_a_list_column_that_went_through_csv_is_refused(tmp_path: Path) -> None:
    frame = pd.DataFrame({"user": ["u"], "shown": [["b", "x"]], "bought": [["x"]]})
    assert evaluate(frame, metrics="rr", query="user", item="shown", relevance="bought").value("rr") == 0.5
    frame.to_csv(tmp_path / "lists.csv", index=False)
    for read in (str(tmp_path / "lists.csv"), pd.read_csv(tmp_path / "lists.csv")):
        with pytest.raises(DataError, match="run has no scores, and the texts of column 'shown' may be lists"):
            evaluate(read, {"user": ["u"], "shown": ["x"]}, "rr", query="user", item="shown", relevance=None)


def test_a_submission_of_kaggle_is_refused(tmp_path: Path) -> None:
    (tmp_path / "submission.csv").write_text("user,prediction\nu,a b\nv,c\n")
    (tmp_path / "truth.csv").write_text("user,prediction\nu,b\nv,c\n")
    with pytest.raises(DataError, match=r"may be lists in rank order, for example 'a b'.*str.findall"):
        evaluate(
            tmp_path / "submission.csv", tmp_path / "truth.csv", "recall@2", query="user", item="prediction",
            relevance=None,
        )  # fmt: skip


def test_exclude_refuses_the_text_of_a_list() -> None:
    with pytest.raises(DataError, match="Column 'item' holds the text of a list in exclude"):
        evaluate(RUN, {"query": [1], "item": ["a"]}, "recall@2", relevance=None,
                 exclude={"query": [1], "item": ["['b']"]})  # fmt: skip


def test_check_counts_the_texts_that_are_lists() -> None:
    found = check(RUN, {"query": [1, 2], "item": ["['a']", "['b']"]}, relevance=None)
    assert {fault.check: fault.faults for fault in found}["qrels_text_lists"] == 2


@pytest.mark.slow
def test_a_macro_refuses_texts_that_are_lists() -> None:
    with duckdb.connect() as connection:
        install(connection)
        connection.execute("CREATE TABLE run AS SELECT 1 AS query, unnest(['a', 'b']) AS item, 1.0 AS score")
        connection.execute("CREATE TABLE qrels (query INTEGER, item VARCHAR, relevance INTEGER)")
        for text, message in (("['b']", "holds the text of a list"), ("a b", "holds several ids in one")):
            connection.execute("DELETE FROM qrels")
            connection.execute("INSERT INTO qrels VALUES (1, ?, 1)", [text])
            with pytest.raises(duckdb.Error, match=message):
                connection.sql("FROM recall_duckdb.recall_at_k('run', 'qrels', 1)").fetchall()


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ([{"doc": "a"}], "is of type STRUCT.doc VARCHAR....*name the field that holds it, as in item='shown.doc'"),
        ([["a", "b"]], "is of type VARCHAR.*, but it must hold single values or lists of them"),
        ({"doc": "a"}, "is of type STRUCT.doc VARCHAR., but it must hold single values"),
    ],
)
def test_objects_are_not_compared_as_a_whole(cell: Any, message: str) -> None:
    frame = pl.DataFrame({"query": ["q"], "shown": [cell], "bought": [cell], "score": [1.0]})
    with pytest.raises(RecallError, match=f"column 'shown' .item=. {message}"):
        evaluate(frame, frame, metrics="rr", item="shown", relevance=None)


@pytest.mark.parametrize(
    ("texts", "ids"),
    [
        (["[10 20 30]", "[4]"], [["10", "20", "30"], ["4"]]),
        (["['a' 'b' 'c']", "['d']"], [["a", "b", "c"], ["d"]]),
        (["[p1, p31]", "{p26,p2}"], [["p1", "p31"], ["p26", "p2"]]),
    ],
)
def test_the_advice_on_texts_that_are_lists_gives_their_ids(texts: list[str], ids: list[list[str]]) -> None:
    run = {"query": [1, 2], "item": ["x", "y"], "score": [1.0, 1.0]}
    with pytest.raises(DataError, match="holds the text of a list") as caught:
        evaluate(run, {"query": [1, 2], "item": texts}, "recall@1", relevance=None)
    assert r"column.str.findall(r'[\w.-]+'), in DuckDB regexp_extract_all(column, '[\w.-]+')" in str(caught.value)
    assert list(pd.Series(texts).str.findall(r"[\w.-]+")) == ids
    assert [
        duckdb.execute(r"SELECT regexp_extract_all($1, '[\w.-]+')", [text]).fetchall()[0][0] for text in texts
    ] == ids


@pytest.mark.parametrize("text", ["a b", "a,b", "a, b", "a; b", "a|b", " a  b "])
def test_the_advice_on_joined_ids_gives_their_ids(text: str) -> None:
    with pytest.raises(DataError, match="holds several ids in one text") as caught:
        evaluate(RUN, {"query": [1, 2], "item": [text, "x"]}, "recall@2", relevance=None)
    assert "column.str.strip().str.split('[ ,;|]+'), in DuckDB with string_split_regex(trim(column), '[ ,;|]+')" in str(
        caught.value
    )
    assert list(pd.Series([text]).str.strip().str.split("[ ,;|]+")) == [["a", "b"]]
    assert duckdb.execute("SELECT string_split_regex(trim($1), '[ ,;|]+')", [text]).fetchall() == [(["a", "b"],)]


@pytest.mark.usefixtures("any_size")
def test_a_list_of_one_item_says_that_a_title_is_one_id() -> None:
    run = {"query": [1, 2], "item": ["red", "Good"], "score": [1.0, 1.0]}
    titles = pd.DataFrame({"query": [1, 2], "item": ["red shoes", "Good, Bad"]})
    with pytest.raises(
        DataError, match=r"If each text is one id, make it a list of one item, in pandas with column.map"
    ):
        evaluate(run, titles, "recall@1", relevance=None)
    singles = titles.assign(item=titles["item"].map(lambda text: [text]))
    assert evaluate(run, singles, "num_rel", relevance=None).value("num_rel") == 2
    graded = titles.assign(item=[{"red shoes": 2}, {"Good, Bad": 1}])
    assert evaluate(run, graded, "num_rel").value("num_rel") == 2
