"""Mistakes raise errors, not wrong numbers. A message names the column or argument, the rule, an example and a fix."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import QRELS, RUN, fails, refused, renamed

import recall_duckdb
from recall_duckdb import RecallError, compare, errors, evaluate, recall
from recall_duckdb.definitions import templates
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, EngineError, UnknownNameError, quote

Columns = dict[str, list[Any]]
PURCHASES: Columns = {"query": QRELS["query"], "item": QRELS["item"]}
NAN = float("nan")


class Unwritable:
    """A value whose repr raises."""

    def __repr__(self) -> str:
        raise RuntimeError


def test_errors_are_also_pythons_own_kinds() -> None:
    assert issubclass(ArgumentError, ValueError)
    assert issubclass(UnknownNameError, ValueError)
    assert issubclass(DataError, ValueError)
    assert issubclass(ArgumentTypeError, TypeError)
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, Exception)]
    kinds = [kind for kind in kinds if not issubclass(kind, Warning)]
    assert all(issubclass(kind, RecallError) for kind in kinds)


TOO_LARGE = [10**18, 2**63, 10**400, 10**9999, 1e18, 1e300, float("inf"), "9" * 19, "9" * 5000]


@pytest.mark.parametrize(
    "k", ["0", "-3", "2.5", "ten", "", "1e3", "9" * 20, 0, 2.5, "x", NAN, True, *TOO_LARGE], ids=quote
)
def test_an_invalid_cutoff_raises(k: Any) -> None:
    rule = "k must be a whole number from 1 to 999999999999999999, not"
    if isinstance(k, str):
        refused(ArgumentError, rule, k if len(k) < 100 else "", metrics=f"recall@{k}")
    fails(ValueError, rule, recall_duckdb.recall_at_k, [1, 0], [0.2, 0.1], k)
    fails(ValueError, rule, recall, [1], [1], k=k)


LISTS: Columns = {"query": ["q1", "q2"], "item": [["a", "b"], ["c"]], "rank": [1, 1], "s": [1, 1]}
RANKS: Columns = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "rank": [1, 2, 1]}
NUMBERS: Columns = {"query": [1], "item": ["a"], "score": [1]}
HOLED: Columns = {"query": [1, 2], "item": [["a", None], ["b"]]}
USERS = renamed(RUN, query="user")
TWO_SITES = {"one": {**RUN, "site": ["1", "1", "2"]}, "two": {**RUN, "site": [1, 1, 2]}}
ONLY_IN_ONE_SIDE = {"run": {**RUN, "plan": ["free"] * 3}, "qrels": {**QRELS, "country": ["NL"] * 3}}
BEIR = renamed(QRELS, relevance="score")
DAYS = {**renamed(QRELS, query="user"), "day": [1, 1, 1]}
FRAMES = {
    "run": pl.DataFrame({"user_id": ["u"], "movie": ["m"], "rating": [1.0]}),
    "qrels": pl.DataFrame({"user_id": ["u"], "movie": ["m"], "clicked": [1]}),
}
MAPS: dict[str, dict[str, Any]] = {
    "no number": {"query": [1, 2], "item": [{"a": NAN, "b": 1.0}, {"a": 1.0}]},
    "text": {"query": [1], "item": [{"a": "2"}]},
}
FLOATS = pa.table({"query": pa.array([0.1], pa.float32()), "item": ["a"], "score": [1]})
A_NAME = "a column name, or a list of them, is expected, not"
ONE_OF_3 = "leave out one of 1, 2, 3"
ARGUMENTS: list[tuple[type[RecallError], str | list[str], dict[str, Any]]] = [
    # Metrics.
    (UnknownNameError, ["there is no metric 'recal'", "Did you mean 'recall'?"], {"metrics": "recal@5"}),
    (ArgumentError, "'r_precision' takes no cutoff", {"metrics": "r_precision@5"}),
    (ArgumentError, "name at least one", {"metrics": []}),
    (ArgumentTypeError, "not 10", {"metrics": [10]}),
    (ArgumentTypeError, "not int", {"metrics": 10}),
    # Missing columns.
    (
        UnknownNameError,
        ["no column 'scor' (score=)", "Did you mean score='score'?", "'query', 'item', 'score'",
         "If it holds ranks instead, name their column (rank=)"],
        {"score": "scor"},
    ),
    (UnknownNameError, ["qrels", "no column 'user' (qrels_query=)"], {"qrels_query": "user"}),
    (
        UnknownNameError, ["by: neither qrels nor run has the column 'country'. Columns", "query_slices="],
        {"by": "country"},
    ),
    (UnknownNameError, "has the columns 'a', 'b'. Columns", {"by": ["a", "relevance", "b"]}),
    (
        ArgumentError,
        "by: the qrels hold 'country', and only the run holds 'plan'",
        {**ONLY_IN_ONE_SIDE, "by": ["plan", "country"]},
    ),
    (UnknownNameError, "has no column 'day' (query=). Its columns", {"run": USERS, "qrels": DAYS,
                                                                    "query": ["user", "day"]}),
    (
        UnknownNameError,
        ["run (the DataFrame given) has no columns 'query', 'item', 'score' (query=, item=, score=). Did you mean "
         "query='user_id', item='movie', score='rating'? Its columns: 'user_id', 'movie', 'rating'. ",
         "qrels (the DataFrame given) has no columns 'query', 'item', 'relevance' (qrels_query=, qrels_item=, "
         "relevance=). Did you mean relevance='clicked'?"],  # query= also names the column of the qrels
        FRAMES,
    ),
    (UnknownNameError, "exclude (the DataFrame given) has no columns 'query', 'item'", {"exclude": FRAMES["run"]}),
    (
        UnknownNameError, "has no columns 'query', 'item' (query=, item=)",  # lists need no score
        {**FRAMES, "run": pl.DataFrame({"user": ["u"], "liked": [["m"]]})},
    ),
    # Names that stand for other columns.
    (UnknownNameError, "Did you mean rank='position'?", {"run": renamed(RUN, score="position")}),
    (UnknownNameError, "Did you mean item='product'?", {"item": "prodct", "run": {
        **renamed(RUN, item="product"), "doc_id": [1, 2, 3]}}),
    (UnknownNameError, "Did you mean item='doc_id'?", {"run": {**renamed(RUN, item="product"), "doc_id": [1, 2, 3]}}),
    (
        UnknownNameError, "Did you mean query='user_id', item='movie_id'?",
        {"run": renamed(RUN, query="user_id", item="movie_id")},
    ),
    *(
        (UnknownNameError, f"Did you mean model={name!r}?", {"run": {**RUN, name: ["bm25"] * 3}, "model": "model"})
        for name in ("system", "run", "run_id", "method")
    ),
    *(
        (
            UnknownNameError,
            [f"qrels (the dict given) has no column '{argument}' (qrels_{argument}=). ",
             f"Did you mean qrels_{argument}={name!r}?"],
            {"qrels": renamed(QRELS, **{argument: name})},
        )
        for argument, name in (("query", "topic"), ("item", "docno"))
    ),
    (UnknownNameError, "Did you mean relevance='score'?", {"qrels": BEIR}),
    (UnknownNameError, "Did you mean query=['query', 'day']?", {"query": "query,day"}),
    (UnknownNameError, "Did you mean by=['a', 'b']?", {"by": "a,b"}),
    (
        UnknownNameError,
        ["exclude (the dict given) has no columns 'query', 'item' (query=, item=)",
         "Rename its column 'uid' to 'query'. Rename its column 'pid' to 'item'."],
        {"exclude": {"uid": ["q1"], "pid": ["a"]}},
    ),
    (UnknownNameError, "Rename its column 'pid' to 'item'", {"metrics": "coverage@3", "catalog": {"pid": ["a"]}}),
    # Relevance.
    (
        UnknownNameError,
        "qrels (the dict given) has no column 'relevance' (relevance=). If every row of the qrels is relevant, pass "
        "relevance=None. Its columns: 'query', 'item'",
        {"qrels": PURCHASES},
    ),
    *(
        (UnknownNameError, "If every row of the qrels is relevant, pass relevance=None", {"relevance": text})
        for text in ("none", "None")
    ),
    (UnknownNameError, "to judge by. Pass qrels=. Its columns", {"qrels": None}),
    (
        UnknownNameError, "relevance='label'? Otherwise pass qrels=. Its",
        {"run": {**RUN, "label": [0, 1, 1]}, "qrels": None},
    ),
    (
        ArgumentError,
        "relevance=None means that every row is relevant, but column 'item' holds maps",
        {"qrels": {"query": ["q1"], "item": [{"b": 0.0, "x": 2.0}]}, "relevance": None},
    ),
    (ArgumentError, "every item is relevant, but the items have n", {"qrels": {"q1": {"b": 0}}, "relevance": None}),
    (
        ArgumentError, "the qrels have relevance 1, which is below 2",
        {"qrels": PURCHASES, "relevance": None, "threshold": 2},
    ),
    # Swapped run and qrels.
    (
        UnknownNameError,
        ["run (the dict given) has no column 'score' (score=), but the qrels (the dict given) have one",
         "Are run and qrels swapped?"],
        {"run": QRELS, "qrels": RUN},
    ),
    (UnknownNameError, "swapped?", {"run": PURCHASES, "qrels": RUN, "relevance": None}),
    (
        UnknownNameError, "'position' (rank=)",
        {"run": QRELS, "qrels": renamed(RUN, score="position"), "rank": "position"},
    ),
    # Sources.
    (UnknownNameError, "run: there is no file 'nowhere.parquet'", {"run": "nowhere.parquet"}),
    (UnknownNameError, ["pass connection=", "'runs'"], {"run": "runs"}),
    (UnknownNameError, "there is no file", {"run": "a" * 5000}),
    (UnknownNameError, "there is no file", {"run": "a" * 5000 + ".csv"}),
    (ArgumentError, "cannot be a path", {"run": "run_\ud800.csv"}),
    (ArgumentError, "cannot be a path", {"run": ""}),
    (ArgumentTypeError, "a list cannot be read. Pass a path", {"run": [1, 2]}),
    (ArgumentTypeError, "a list cannot be read. Pass a path", {"run": (row for row in [1, 2])}),
    (ArgumentTypeError, "None cannot be read", {"run": {"a": None}}),
    (ArgumentTypeError, ["connection:", "not str"], {"connection": "run.db"}),
    (ArgumentTypeError, "object cannot be read", {"run": object()}),
    (ArgumentTypeError, "can be read only once", {"run": pa.table(RUN).to_reader()}),
    (
        ArgumentTypeError, "another connection",
        {"run": duckdb.connect().sql("SELECT 1 AS query"), "connection": duckdb.connect()},
    ),
    # Names of columns.
    (ArgumentError, "cannot be a column name", {"query": "\ud800"}),
    (ArgumentError, "cannot be a column name", {"item": "it\0em"}),
    (ArgumentError, "cannot be a column name", {"run": {**RUN, "\ud800": [1, 2, 3]}}),
    (ArgumentError, "cannot be the name of a model", {"run": {"\ud800": RUN, "b": RUN}}),
    (ArgumentTypeError, "cannot take these values", {"run": {**RUN, "item": ["a", "\ud800", "c"]}}),
    (DataError, "several columns are named 'SCORE', or differ only in case", {"run": {"SCORE": RUN["score"], **RUN}}),
    # NULL, and values of the wrong type.
    (DataError, "is NULL in the run", {"run": {**RUN, "item": ["a", None, "c"]}, "nulls": "last"}),
    (DataError, ["is NULL in the run", "item=None"], {"run": {**RUN, "item": pd.Series(["a", None, "c"])}}),
    (DataError, ["is NULL in the qrels", "query=None"], {"qrels": {**QRELS, "query": ["q1", None, "q2"]}}),
    (DataError, ["'relevance' is NULL or NaN", "item='x'"], {"qrels": {**QRELS, "relevance": [1, None, 1]}}),
    (
        ArgumentTypeError, "'relevance' (relevance=) is of type VARCHAR",
        {"qrels": {**QRELS, "relevance": ["y", "n", "y"]}},
    ),
    (DataError, "1e12 or more", {"qrels": {**QRELS, "relevance": [1.0, float("inf"), 1.0]}}),
    (
        ArgumentTypeError, "'score' (score=) is of type VARCHAR, but a score is a number",
        {"run": {**RUN, "score": ["x", "y", "z"]}},
    ),
    (ArgumentTypeError, "a rank is a whole number", {"run": {**RUN, "rank": ["1", "2", "1"]}, "rank": "rank"}),
    *(
        (ArgumentTypeError, [f"column '{column}' ({column}=) mixes text", told], {"run": {**RUN, column: values}})
        for column, values, told in (
            ("item", ["7", 7, "c"], "'7' and 7"),
            ("query", ["q1", 1.5, "q2"], "'q1' and 1.5"),
            ("item", [["a"], [1], ["c"]], "'a' and 1"),
        )
    ),
    (ArgumentTypeError, ["'site' of run 'one' is VARCHAR", "'site' of run 'two'"], {"run": TWO_SITES, "by": "site"}),
    (
        ArgumentTypeError, ["'query' of run is FLOAT", "of qrels is DOUBLE"],
        {"run": FLOATS, "qrels": {"query": [0.1], "item": ["a"], "relevance": [1]}},
    ),
    (DataError, ["'relevance' is NULL or NaN", "item='a'"], {"run": NUMBERS, "qrels": MAPS["no number"]}),
    (ArgumentTypeError, ["the maps in column 'item'", "hold VARCHAR"], {"run": NUMBERS, "qrels": MAPS["text"]}),
    (DataError, "NULL in the qrels", {"run": NUMBERS, "qrels": HOLED}),
    (DataError, "NULL in the qrels", {"run": NUMBERS, "qrels": HOLED, "nulls": "drop"}),
    # Arguments without effect.
    (ArgumentError, "rank: 'item' (item=) holds lists", {"run": LISTS, "rank": "rank"}),
    (ArgumentError, "score: 'item' (item=) holds lists", {"run": LISTS, "score": "s"}),
    (ArgumentError, "score: 'rank' (rank=) already ranks", {"run": RANKS, "rank": "rank", "score": "s"}),
    (ArgumentError, "ties: 'item' needs a score", {"run": RANKS, "rank": "rank", "ties": "item"}),
    (ArgumentError, "ties: 'optimistic' needs a score", {"run": LISTS, "ties": "optimistic"}),
    (ArgumentError, "min_score: 1.0 needs a score", {"run": RANKS, "rank": "rank", "min_score": 1}),
    (
        ArgumentError, "qrels_query: it names a column of the qrels, but there are none",
        {"run": {**RUN, "relevance": [1, 1, 1]}, "qrels": None, "qrels_query": "query"},
    ),
    (ArgumentError, ["'metric'", "rename"], {"by": "metric"}),
    # Ranks.
    *(
        (DataError, ["not 1, 2, 3", "query='q1'"], {"run": {**RANKS, "rank": ranks}, "rank": "rank"})
        for ranks in ([0, 1, 1], [1, 1, 1], [1, 3, 1])
    ),
    *((DataError, "'rank' is NULL", {"run": {**RANKS, "rank": [first, None, 1]}, "rank": "rank"}) for first in (1, 2)),
    *(
        (DataError, [told, "query='q1'"], {"run": {**RANKS, "rank": ranks}, "rank": "rank", "metrics": "recall@2"})
        for ranks, told in (([2, 3, 1], "not 1, 2, 3"), ([1, 3, 1], ONE_OF_3), ([3, 4, 1], ONE_OF_3))
    ),
    # Values of arguments.
    (UnknownNameError, ["ties: 'itme' is not one of", "Did you mean 'item'?"], {"ties": "itme"}),
    (UnknownNameError, "ties: ['item'] is not one of", {"ties": ["item"]}),
    (RecallError, "nulls: None is not one of", {"nulls": None}),
    (ArgumentError, "threshold: 0.0 is not above 0", {"threshold": 0}),
    (ArgumentTypeError, "threshold: a number is expected, not '2'", {"threshold": "2"}),
    (ArgumentTypeError, "threshold: a number is expected, not a value of type", {"threshold": Unwritable()}),
    (ArgumentError, "threshold: a finite number is expected (below 1.8e308), not a value", {"threshold": 10**9999}),
    (ArgumentError, "min_score: a finite number is expected (below 1.8e308), not 1000", {"min_score": 10**400}),
    (ArgumentError, "min_score: a finite number", {"min_score": float("inf")}),
    (ArgumentError, "query: name the column", {"query": []}),
    (ArgumentError, "names a column twice", {"query": ["query", "QUERY"]}),
    (ArgumentTypeError, "query: a column name is expected, not 1", {"query": [1]}),
    (ArgumentTypeError, f"query: {A_NAME} 5", {"query": 5}),
    (ArgumentTypeError, f"relevance: {A_NAME} 1", {"relevance": 1}),
    (ArgumentTypeError, f"rank: {A_NAME} 5", {"rank": 5}),
    (ArgumentTypeError, f"model: {A_NAME} {{}}", {"model": {}}),
    (ArgumentError, "the result has a column 'model' of its own", {"query": "model"}),
    (ArgumentError, "must be as many columns as query", {"qrels_query": ["a", "b"]}),
    (ArgumentError, "run: pass only one of these: several named runs", {"score": ["a", "b"], "model": "m"}),
    (ArgumentError, "'nowhere' is not a folder that holds .sql files", {"metric_folder": "nowhere"}),
    (ArgumentError, "is not a folder that holds .sql files", {"metric_folder": "x" * 5000}),
    (ArgumentTypeError, "metric_folder: the path of a folder, or a list, is expected, not 5", {"metric_folder": 5}),
    # Data that cannot give a value.
    (
        DataError, "The run holds none of the queries of the qrels (2 cases), for example query='q8'. Compare",
        {"qrels": {**QRELS, "query": ["q8", "q8", "q9"]}},
    ),
    (
        DataError, "No row of the qrels is relevant: column 'relevance' is never above 0. Check",
        {"qrels": {**QRELS, "relevance": [0, 0, 0]}},
    ),
    *(
        (
            DataError, f"'relevance' is never at or above the threshold {said}.",
            {"qrels": {**QRELS, "relevance": [0.1] * 3}, "threshold": threshold},
        )
        for threshold, said in (
            (0.12345678, "0.12345678"), (12345678, "12345678"), (2.0, "2"), (np.float64(2.5), "2.5"),
            (Fraction(5, 2), "2.5"),
        )
    ),
    (
        DataError, "'relevance' is above 7.1234567, the max_grade of",
        {"qrels": {**QRELS, "relevance": [8.5] * 3}, "metrics": "err(max_grade=7.1234567)"},
    ),
    (
        DataError, "If -1 only fills up short lists, leave it out",
        {"run": {"u": [1]}, "qrels": {"u": [-1, 2, -1]}, "metrics": "rr"},
    ),
    (
        DataError, "Column 'query' is NULL in the run (1 case)",
        {"run": {"query": ["u", None], "item": ["a", "b"], "score": [2, 1]}, "qrels": {"u": ["a"]}},
    ),
    (
        UnknownNameError, "to judge by. Pass qrels=, or qrels_item='expected' if it",  # not scores of retrieved objects
        {"run": [{"query": "u", "found": [{"id": "a", "score": 0.3}], "expected": ["a"]}], "qrels": None,
         "item": "found.id"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "parts", "arguments"), ARGUMENTS)
def test_a_mistake_is_named_with_its_rule(
    kind: type[RecallError], parts: str | list[str], arguments: dict[str, Any]
) -> None:
    refused(kind, *([parts] if isinstance(parts, str) else parts), **arguments)


@pytest.mark.parametrize(
    ("absent", "arguments"),
    [
        ("qrels_query='user_id'", FRAMES),
        ("relevance=None", {"qrels": PURCHASES, "relevance": "grade"}),
        ("swapped?", {"run": {**PURCHASES, "rank": [1, 2, 1]}, "qrels": RUN, "relevance": None}),
        (
            "swapped?",
            {"run": PURCHASES, "qrels": renamed(RUN, query="qid", item="doc"), "qrels_query": "qid",
             "qrels_item": "doc", "relevance": None},
        ),
        ("swapped", {"run": renamed(RUN, score="similarity"), "qrels": BEIR}),
    ],
)  # fmt: skip
def test_a_message_suggests_nothing_that_does_not_help(absent: str, arguments: dict[str, Any]) -> None:
    assert absent not in refused(UnknownNameError, **arguments)


def test_the_first_sources_that_lack_columns_are_named() -> None:
    message = refused(
        UnknownNameError, "run 'b' (the DataFrame given) has no columns", "qrels (the DataFrame given) has no columns",
        run=dict.fromkeys("abcdefgh", FRAMES["run"]), qrels=FRAMES["qrels"],
    )  # fmt: skip
    assert "run 'c'" not in message
    assert message.endswith("6 more sources lack columns too")


USUAL = {
    "query": ("query_id", "qid", "user", "user_id", "userId", "session", "topic", "query-id"),
    "item": (
        "item_id", "doc_id", "docid", "DocNo", "doc", "document", "product_id", "movie_id", "movieId", "corpus-id",
        "ItemID",
    ),
    "score": ("similarity", "prediction", "Predicted", "rating"),
}  # fmt: skip


@pytest.mark.parametrize("argument", USUAL)
def test_a_usual_name_of_a_column_of_the_run_is_suggested(argument: str) -> None:
    for name in USUAL[argument]:
        expected = f"has no column '{argument}' ({argument}=). Did you mean {argument}={name!r}?"
        refused(UnknownNameError, expected, run=renamed(RUN, **{argument: name}))


def test_a_usual_name_of_relevance_is_suggested() -> None:
    for name in ("label", "rating", "grade", "target", "rel", "qrel", "Relevant", "score"):
        swapped = " Or are run and qrels swapped?" * (name == "score")
        expected = f"Did you mean relevance={name!r}?{swapped} If every row of the qrels is relevant, pass relevance="
        refused(UnknownNameError, expected, qrels=renamed(QRELS, relevance=name))
        if name != "score":  # a run has its own score
            expected = f"to judge by. Did you mean relevance={name!r}?"
            refused(UnknownNameError, expected, run={**RUN, name: [0, 1, 1]}, qrels=None)


def test_a_table_or_view_that_cannot_be_read_raises() -> None:
    there: dict[str, Any] = {"connection": duckdb.connect()}
    refused(UnknownNameError, "no file, table or view 'runs'", run="runs", **there)
    there["connection"].execute("CREATE TABLE gone (query INT); CREATE VIEW view_of_it AS FROM gone; DROP TABLE gone")
    refused(DataError, "run: 'view_of_it' cannot be read", "gone", run="view_of_it", **there)
    there["connection"].execute("CREATE TABLE recs AS SELECT 1 AS query, 1 AS item, 1 AS score")
    refused(UnknownNameError, "no file, table or view 'recz'. Did you mean 'recs'?", run="recz", **there)
    there["connection"].execute("SET default_collation = 'nocase'")
    refused(ArgumentError, "default_collation is 'nocase'", **there)


@pytest.mark.parametrize(
    ("columns", "arguments", "message"),
    [
        ("[1] AS query, 1 AS item", {}, "'query' (query=) is of type INTEGER[]"),
        ("{'a': 1} AS query, 1 AS item", {}, "'query' (query=) is of type STRUCT"),
        ("1 AS query, {'a': 1} AS item", {}, "'item' (item=) is of type STRUCT"),
        ("1 AS query, 1 AS item, [1] AS system", {"model": "system"}, "'system' (model=) is of type INTEGER[]"),
        ("1 AS query, 1 AS item, map {1: 1} AS site", {"by": "site"}, "'site' (by=) is of type MAP"),
    ],
)
def test_a_key_of_nested_type_raises(columns: str, arguments: dict[str, Any], message: str) -> None:
    run = duckdb.sql(f"SELECT {columns}, 1 AS score, 1 AS relevance")
    refused(ArgumentTypeError, message, "must hold single values", run=run, qrels=None, **arguments)


def test_a_value_without_a_python_form_raises() -> None:
    run = duckdb.sql("SELECT INTERVAL '2000000000 days' AS query, 1 AS item, NULL AS score, 1 AS relevance")
    fails(EngineError, "could not give the rows of a statement.* <= 999999999", evaluate, run)


def test_reading_a_closed_result_raises() -> None:
    result = evaluate(RUN, QRELS)
    assert result.means.fetchall()
    result.close()
    for read in (lambda: result.means, lambda: result.per_query, lambda: result.to_trec(each_query=True)):
        fails(ArgumentError, "the result was closed", read)


def test_a_name_of_columns_that_differ_only_in_case_raises(tmp_path: Path) -> None:
    frame = pl.DataFrame({**RUN, "Score": [0.1, 0.2, 0.3]})
    frame.write_parquet(tmp_path / "run.parquet")
    relation = duckdb.sql("SELECT 'q1' AS query, 'b' AS item, 1 AS score, 2 AS Score")
    for run in (frame, tmp_path / "run.parquet", relation):
        for name in ("score", "Score"):
            refused(DataError, "several columns are named 'score', or differ only in case", run=run, score=name)


def test_invalid_lists_raise() -> None:
    twice = {"query": [1, 1], "item": [["a", "b"], ["c"]], "relevance": [["a"], ["c"]]}
    holed = {**HOLED, "relevance": [["a"], ["b"]]}
    copies = {"m": ["1", "1", "2"], "query": [1] * 3, "item": ["a"] * 3, "score": [3, 2, 1], "relevance": [1] * 3}
    fails(DataError, "more than one list in column 'item', for a query .* query=1", evaluate, twice)
    fails(DataError, "Column 'item' is NULL .* query=1, item=None", evaluate, holed)
    fails(DataError, "A list in column 'item' holds a NULL", evaluate, holed, nulls="drop")
    fails(DataError, "more than once .* m='1', query=1, item='a'", evaluate, copies, model="m")


@pytest.mark.nightly
@pytest.mark.parametrize("queries", [100_000, 200_000, 400_000])
@pytest.mark.parametrize(("metric", "ties"), [("dcg@10", "item"), ("dcg(mean=sum)@10", "expected")])
def test_values_that_add_up_to_too_much_for_an_exact_mean_raise(metric: str, ties: str, queries: int) -> None:
    """Each relevance is below 1e12, but the sum is not below 8.5e16."""
    pairs = {"query": list(range(queries)), "item": [1] * queries}
    run, qrels = {**pairs, "score": [1.0] * queries}, {**pairs, "relevance": [9e11] * queries}
    told = "add up to more than 8.5e16", "Divide the relevance values, gains or options by a constant"
    refused(DataError, *told, run=run, qrels=qrels, metrics=metric, ties=ties)


@pytest.mark.slow
def test_large_weights_do_not_add_up_to_too_much() -> None:
    pairs = {"query": list(range(200_000)), "item": [1] * 200_000}
    run, qrels = {**pairs, "score": [1.0] * 200_000}, {**pairs, "relevance": [1e3] * 200_000}
    weights = {"query": pairs["query"], "weight": [1e9] * 200_000}
    assert evaluate(run, qrels, "dcg@10", weights=weights).value("dcg@10") == pytest.approx(1e3, rel=1e-15)


def test_several_runs_of_lists_need_separate_qrels() -> None:
    run = {"query": [1], "item": [["a"]], "relevance": [["a"]]}
    fails(ArgumentError, "pass the relevant items as qrels=", evaluate, {"one": run, "two": run})
    both = {"model": ["one", "two"], "query": [1, 1], "item": [["a"], ["b"]], "relevance": [["a"], ["a"]]}
    fails(ArgumentError, "pass the relevant items as qrels=", evaluate, both, model="model")
    qrels = {"query": [1], "item": [["a"]]}
    assert evaluate(both, qrels, model="model").value("recall@10", model="one") == 1.0


def test_two_metrics_cannot_share_a_column(tmp_path: Path) -> None:
    text = Path(templates.metric_files(templates.sql_folder() / templates.METRICS)["hit_rate"].path).read_text()
    (tmp_path / "recall_at_1.sql").write_text(text.replace("AS hit_rate", "AS recall_at_1"))
    refused(ArgumentError, "share a column", metrics=["recall@1", "recall_at_1"], metric_folder=tmp_path)


def test_what_is_next_to_a_mistake_is_allowed() -> None:
    assert evaluate(NUMBERS, MAPS["no number"], nulls="last").value("recall@10") == 0.0
    judged = pa.table({"query": pa.array([0.1], pa.float32()), "item": ["a"], "relevance": [1]})
    assert evaluate(FLOATS, judged).value("recall@10") == 1.0
    lists = {"query": ["q1", "q2"], "item": [["a", "b"], ["c"]]}
    assert evaluate(lists, BEIR, "recall@1", relevance=None).value("recall@1") == 0.5
    assert evaluate(RUN, PURCHASES, "recall@3", relevance=None, threshold=1).value("recall@3") == 0.75
    assert "scores below 0.12345678 not recommended" in repr(evaluate(RUN, QRELS, min_score=0.12345678))


def test_a_value_that_was_not_asked_for_raises() -> None:
    result = evaluate({"one": RUN, "two": RUN}, QRELS)
    fails(UnknownNameError, "'recall@5' was not asked for. Did you mean 'recall@10'?", result.value, "recall@5")
    fails(ArgumentError, "Name one of 'one', 'two'", result.value, "recall@10")
    fails(UnknownNameError, "there is no model 'three'", result.value, "recall@10", model="three")
    values = pd.DataFrame({"user_id": [1, 2], "recall@1": [0.0, 1.0]})
    fails(UnknownNameError, "Did you mean query='user_id'", compare, {"a": values, "b": values}, baseline="a")


@pytest.mark.parametrize("name", ["a.b.c.d", "a..b", ".a", "a."])
def test_an_invalid_name_of_a_table_raises(name: str) -> None:
    fails(ArgumentError, "cannot be the name of a table", recall_duckdb.sql, name, "qrels")


def test_a_notebook_shows_the_users_line_and_the_message() -> None:
    with pytest.raises(UnknownNameError) as raised:
        evaluate({"query": [1], "item": [1], "score": [1.0]}, {"query": [1], "itm": [1], "relevance": [1]})
    line, message = raised.value._render_traceback_()
    assert re.fullmatch(r'line \d+: evaluate\(\{"query": .*', line)
    assert message == f"UnknownNameError: {raised.value}"
    assert "has no column 'item' (qrels_item=)" in message


def test_several_columns_in_one_name_are_refused_in_a_statement_too() -> None:
    told = r"'user,day' \(query=\) would be a single column. Did you mean query=\['user', 'day'\]"
    fails(ArgumentError, told, recall_duckdb.sql, "run", "qrels", query="user,day")


def test_a_file_with_a_column_for_each_rank_is_refused_with_the_query_that_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "by_rank.csv"
    for text in ("query,1,2\nq,a,b\n", "day,query,1,2\n7,q,a,b\n7,r,c,\n", "query,item_1,item_2\nq,7.10,b\n"):
        path.write_text(text)
        query = re.search(r"As a query: (\(.*\))\. Its", refused(UnknownNameError, run=path))
        assert query is not None
        assert evaluate(query[1], {"q": ["b"]}, "rr").value("rr") == 0.5
    path.write_text("query,1,10,2\nq,a,c,b\n")  # as text sorts, so that lists of them would be in another order
    assert "by rank" not in refused(UnknownNameError, run=path)
