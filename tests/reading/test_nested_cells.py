"""Cells of columns: sets, arrays and maps are read like lists and dicts, and mixtures are refused by name."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import fails

from recall_duckdb import ArgumentTypeError, DataError, RecallWarning, evaluate, recall, recall_at_k

Frame = Callable[[dict[str, Any]], Any]
FRAMES = pytest.mark.parametrize("frame", [dict, pd.DataFrame], ids=["dict", "pandas"])


def value(run: object, qrels: object = None, metric: str = "recall@1", **arguments: Any) -> float:
    found = evaluate(run, qrels, metric, **arguments).value(metric)
    assert found is not None
    return found


@pytest.mark.product
@FRAMES
@pytest.mark.parametrize(
    "cell",
    [["a"], ("a",), {"a"}, frozenset({"a"}), {"a": 1}.keys(), np.array(["a"]), pd.Series(["a"]), {"a": 1}],
    ids=["list", "tuple", "set", "frozenset", "keys", "array", "Series", "map"],
)
def test_a_cell_of_relevant_items_may_have_any_form(frame: Frame, cell: Any) -> None:
    qrels = frame({"query": ["u", "v"], "item": [cell, cell]})
    assert value({"u": ["a"], "v": ["x"]}, qrels) == 0.5


@FRAMES
def test_lists_and_sets_may_stand_in_one_column(frame: Frame) -> None:
    qrels = frame({"query": ["u", "v", "w"], "item": [["a"], {"b"}, []]})
    assert value({"u": ["a"], "v": ["b"], "w": ["b"]}, qrels) == 2 / 3


@pytest.mark.product
@FRAMES
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([["a"], "b"], r"mixes lists, maps and single values: row 0 holds \['a'\], row 1 holds 'b'"),
        ([{"a": 1}, ["b"]], r"mixes lists, maps and single values: row 0 holds {'a': 1}, row 1 holds \['b'\]"),
        (["7", 7], "mixes text and other values, such as '7' and 7"),
        ([["7"], [7]], "mixes text and other values, such as '7' and 7"),
        ([{"7": 1}, {7: 1}], "mixes text and other values, such as '7' and 7"),
        ([["a"], [["b", 0.9]]], r"holds lists of values that are no ids, such as \['b', 0.9\] in row 1"),
        ([["a"], [{"doc": "b"}]], r"holds lists of values that are no ids, such as {'doc': 'b'} in row 1"),
        ([object(), "b"], "holds an object in row 0, which is no id"),
    ],
    ids=["value", "map", "text", "text in lists", "text in maps", "pairs", "objects", "object"],
)
def test_a_mixture_is_refused_with_its_rows(frame: Frame, cells: list[Any], said: str) -> None:
    qrels = frame({"query": ["u", "v"], "item": cells, "relevance": [1, 1]})
    with pytest.raises(ArgumentTypeError, match=rf"^qrels \(the .* given\): column 'item' \(qrels_item=\) {said}"):
        value({"u": ["a"], "v": ["b"]}, qrels)


@FRAMES
def test_only_a_column_that_is_read_is_refused(frame: Frame) -> None:
    qrels = frame({"query": ["u"], "item": ["a"], "relevance": [1], "note": [[{"by": "ann"}]]})
    assert value({"u": ["a"]}, qrels) == 1


def test_objects_in_polars_are_refused_by_name() -> None:
    qrels = pl.DataFrame({"query": ["u"], "item": pl.Series([{"a"}], dtype=pl.Object)})
    with pytest.raises(
        ArgumentTypeError, match="column 'item' .* holds Python objects, which polars gives to no other"
    ):
        value({"u": ["a"]}, qrels)


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_lists_of_objects_are_refused_in_every_table(frame: Frame) -> None:
    table = frame({"query": ["u"], "item": [[{"doc": "a"}]]})
    for run, qrels in ((table, table), (table, {"u": ["a"]}), ({"u": ["a"]}, table)):
        fails(ArgumentTypeError, r"is of type STRUCT\(doc VARCHAR\)\[\], but it must hold single", value, run, qrels)
    assert value(frame({"query": ["u"], "hits": [[{"doc": "a"}]]}), {"u": ["a"]}, item="hits.doc") == 1


@pytest.mark.parametrize("items", [{frozenset("ab")}, {("a", "b")}, deque([["a", "b"]]), pd.Series([["a", "b"]])])
def test_lists_inside_lists_of_relevant_items_are_refused(items: Any) -> None:
    with pytest.raises(ArgumentTypeError, match=r"'item' .* holds lists of values that are no ids, such as"):
        value({"u": ["a"]}, {"u": items})


def test_objects_in_lists_may_lack_fields_and_have_values_of_several_types() -> None:
    run = {"query": ["u", "v"], "hits": [[{"doc": "a", "score": 0.9}, {"doc": "b"}], [{"doc": "c", "score": 0.5}]]}
    assert value(run, {"u": ["a"], "v": ["c"]}, item="hits.doc") == 1


@pytest.mark.parametrize(
    "run",
    [
        {"u": {"a", "b"}},
        {"query": ["u"], "item": [frozenset({"a", "b"})]},
        pd.DataFrame({"query": ["u"], "item": [{"a", "b"}]}),
    ],
    ids=["dict", "columns", "pandas"],
)
def test_a_set_is_no_ranking(run: object) -> None:
    for given in (run, {"model": run}):
        with pytest.raises(ArgumentTypeError, match=r"holds sets, which have no order. Pass lists"):
            value(given, {"u": ["a"]})


@pytest.mark.parametrize("qrels", [{"u": [], "v": ["b"]}, {"u": {}, "v": {"b": 1}}], ids=["lists", "dicts"])
def test_a_query_without_relevant_items_counts(qrels: Any) -> None:
    run = {"u": ["x"], "v": ["b"]}
    assert [value(run, qrels, no_relevant=choice) for choice in ("zero", "skip")] == [0.5, 1]
    assert value({"u": {"x": 1.0}, "v": {"b": 1.0}}, {"u": [], "v": ["b"]}, relevance=None) == 0.5
    with pytest.raises(DataError, match="A query has no relevant item .1 case., for example query='u'"):
        value(run, qrels, no_relevant="error")
    fails(DataError, "No row of the qrels is relevant", value, run, {"u": type(qrels["u"])(), "v": type(qrels["u"])()})


SCORED = {"query": ["u", "v"], "item": [["a", "b"], ["c", "d"]], "score": [[1.0, 2.0], [1.0, 2.0]]}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_lists_of_scores_order_the_lists_of_items(frame: Frame) -> None:
    assert value(frame(SCORED), {"u": ["b"], "v": ["d"]}) == 1
    named = frame({**SCORED, "y_pred": SCORED["score"], "score": [[2.0, 1.0], [2.0, 1.0]]})
    for score, right in {"score": 0, "y_pred": 1}.items():
        assert value(named, {"u": ["b"], "v": ["d"]}, score=score) == right
    assert value(frame(SCORED), {"u": ["b"], "v": ["d"]}, order="ascending") == 0
    ranks = {**SCORED, "place": [[2, 1], [2, 1]]}
    assert value(frame(ranks), {"u": ["b"], "v": ["d"]}, rank="place") == 1


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_lists_of_scores_under_another_name_are_said(frame: Frame) -> None:
    run = frame({"query": SCORED["query"], "item": SCORED["item"], "y_pred": SCORED["score"]})
    with pytest.warns(
        RecallWarning, match="'item' are ranked by position, but 'y_pred' orders their .* score='y_pred'"
    ):
        assert value(run, {"u": ["b"], "v": ["d"]}) == 0
    others: dict[str, Any] = {"bought": [[1, 2], [1, 2]], "prices": [[1.0], [2.0]], "falling": [[2.0, 1.0], [5.0, 5.0]]}
    for name, column in others.items():
        other = evaluate(frame({"query": ["u", "v"], "item": SCORED["item"], name: column}), {"u": ["b"], "v": ["d"]})
        assert other.notes == ["run: 2 queries judged, 2 retrieved"]


@FRAMES
@pytest.mark.parametrize("score", [[[1.0], [1.0, 2.0]], [None, [1.0, 2.0]]])
def test_each_item_needs_its_score(frame: Frame, score: Any) -> None:
    with pytest.raises(DataError, match="the lists of columns 'item' and 'score' differ in length, for example item="):
        value(frame({**SCORED, "score": score}), {"u": ["b"], "v": ["d"]})


@pytest.mark.product
@pytest.mark.parametrize("name", ["scores", "similarity", "distances"])
@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_lists_of_scores_under_a_usual_name_are_not_ignored(frame: Frame, name: str) -> None:
    run = {"query": SCORED["query"], "item": SCORED["item"], name: SCORED["score"]}
    with pytest.raises(ArgumentTypeError, match=rf"column '{name}' .* holds lists next to those of column 'item'"):
        value(frame(run), {"u": ["b"], "v": ["d"]})


@pytest.mark.product
@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("relevance", [[[0, 1], []], [[0.0, 1.0], []], [[False, True], []]])
def test_lists_of_relevance_grade_the_lists_of_items(frame: Frame, relevance: Any) -> None:
    """A query whose lists are empty counts as 0."""
    qrels = frame({"query": ["u", "v"], "item": [["a", "b"], []], "relevance": relevance})
    assert value({"u": ["a", "b"], "v": ["a"]}, qrels, "rr") == 0.25
    with pytest.raises(
        DataError, match="a list of column 'item', next to the relevance in 'relevance', holds an item twice"
    ):
        value({"u": ["a"]}, frame({"query": ["u"], "item": [["a", "a"]], "relevance": [[1, 2]]}))


@pytest.mark.parametrize(("name", "relevance"), [("relevance", [0]), ("grades", [[0.0, 1.0]])])
@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_a_relevance_next_to_lists_of_items_is_not_ignored(frame: Frame, name: str, relevance: Any) -> None:
    qrels = frame({"query": ["u"], "item": [["a", "b"]], name: relevance})
    with pytest.raises(ArgumentTypeError, match=rf"column '{name}' .* holds the relevance next to lists in column"):
        value({"u": ["a"]}, qrels)
    assert value({"u": ["a"]}, qrels, relevance=None) == 0.5


def test_lists_of_items_may_be_in_a_column_called_score_or_relevance() -> None:
    run, qrels = {"query": ["u"], "score": [["a", "b"]]}, {"query": ["u"], "relevance": [["a"]]}
    assert value(run, qrels, item="score", qrels_item="relevance") == 1.0
    assert (
        value({"score": ["u"], "item": [["a"]]}, {"query": ["u"], "item": [["a"]]}, query="score", qrels_query="query")
        == 1.0
    )


@pytest.mark.parametrize("name", ["bought", "predicted", "country"])
def test_other_columns_next_to_lists_of_items_are_left_alone(name: str) -> None:
    rows = {"query": ["u"], "item": [[1, 2]], name: [[1, 3]]}
    assert value(rows, rows) == 0.5


@pytest.mark.parametrize("frame", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_nan_is_no_id(frame: Frame) -> None:
    qrels = {"query": [1], "item": [2], "relevance": [1]}
    for column in ("query", "item"):
        ids = {"query": np.array([1, 1]), "item": np.array([3, 2])} | {column: np.array([np.nan, 2.0])}
        with pytest.raises(DataError, match=rf"is NULL in the run \(1 case\), for example .*{column}=None"):
            value(frame({**ids, "score": np.array([2.0, 1.0])}), qrels)


NAN_LISTS: list[Any] = [
    {"query": [1, 2], "item": np.array([[5, np.nan], [6, 7]])},
    {1: np.array([5, np.nan]), 2: np.array([6.0, 7.0])},
    pl.DataFrame({"query": [1, 2], "item": [[5.0, np.nan], [6.0, 7.0]]}),
    pd.DataFrame({"query": [1, 2], "item": [np.array([5, np.nan]), np.array([6.0, 7.0])]}),
]


@pytest.mark.parametrize("run", NAN_LISTS, ids=["array", "arrays", "polars", "pandas"])
def test_nan_in_a_list_is_no_id(run: Any) -> None:
    with pytest.raises(
        DataError, match="are NaN in a list, for example nan|is NULL in the run .1 case., for example query=1"
    ):
        value(run, {1: [5], 2: [6]})


NAN = float("nan")
TEXTS_WITH_NAN: dict[str, Any] = {
    "array": {"q": np.array(["a", NAN, "b"], dtype=object)},
    "array of text": {"q": np.array(["a", NAN, "b"])},
    "array of long text": {"query": ["q", "q"], "item": np.array(["a" * 40, NAN]), "score": [2, 1]},
    "2-D array of text": {"query": ["q"], "item": np.array([["a", NAN, "b"]])},
    "column of text": {"query": ["q", "q"], "item": np.array(["a", NAN]), "score": [2, 1]},
    "list": {"q": ["a", NAN, "b"]},
    "only nan": {"q": [NAN], "r": ["a"]},
    "numpy": {"q": [np.str_("a"), np.float64("nan")]},
    "pandas": pd.DataFrame({"query": ["q", "r"], "item": [["a", NAN, "b"], ["c"]]}),
    "Series": pd.Series({"q": ["a", NAN, "b"]}),
    "objects": {"query": ["q"], "item": [[{"id": "a"}, {"id": NAN}]]},
    "objects in objects": {"query": ["q"], "item": [[{"id": {"id": "a"}}, {"id": {"id": NAN}}]]},
    "object": {"query": ["q", "q"], "item": [{"id": "a"}, {"id": NAN}], "score": [2, 1]},
}


@pytest.mark.parametrize("name", TEXTS_WITH_NAN)
def test_nan_among_text_makes_no_item_called_nan(name: str) -> None:
    run, field = TEXTS_WITH_NAN[name], {"objects": "item.id", "objects in objects": "item.id.id", "object": "item.id"}
    qrels = pd.DataFrame({"query": ["q"], "item": ["nan"], "relevance": [1]})
    arguments = {"item": field[name], "qrels_item": "item"} if name in field else {}
    with pytest.raises(DataError, match=r"is NULL in the run \(1 case\), for example query='q', item.*=None"):
        value(run, qrels, **arguments)


def test_text_that_is_nan_by_itself_is_an_id() -> None:
    for array in (np.array(["nan", "b"]), np.array(["nan", "b"], dtype=object)):
        assert value({"q": array}, {"q": ["nan"]}) == 1


@FRAMES
@pytest.mark.parametrize("key", [None, NAN, pd.NA])
def test_a_map_without_an_id_as_a_key_is_refused(frame: Frame, key: object) -> None:
    qrels = frame({"query": ["q"], "item": [{"a": 1, key: 1}]})
    with pytest.raises(ArgumentTypeError, match=r"holds a map with NaN or None as a key, which is no id. Remove this"):
        value({"q": ["nan"]}, qrels)


def test_the_line_that_makes_text_of_a_mixture_keeps_what_is_missing() -> None:
    items = ["a", 7, None, NAN]
    with pytest.raises(ArgumentTypeError, match="such as 'a' and 7") as error:
        value({"q": items}, {"q": ["nan"]})
    line = str(error.value).partition("as in ")[2].partition(", or none")[0]
    run = {"q": eval(line, {"items": items})}
    assert run["q"][:2] == ["a", "7"]
    fails(DataError, r"is NULL in the run \(2 cases\)", value, run, {"q": ["nan"]})


def test_true_and_false_next_to_items_are_labels() -> None:
    labelled = {"query": ["u"], "item": [["a", "b"]], "relevance": [[False, True]]}
    for frame in (dict, pd.DataFrame, pl.DataFrame, pa.table):
        assert value(frame(labelled), metric="rr") == 0.5
        assert value(frame({**labelled, "score": [[1, 2]]}), metric="rr") == 1


LARGEST = 2**32 - 1
UNSIGNED = np.array([[5, LARGEST], [6, 7]], "uint32")


@pytest.mark.parametrize(
    "run",
    [
        {"query": [1, 2], "item": UNSIGNED},
        {"query": [1, 2], "item": list(UNSIGNED)},
        {1: UNSIGNED[0], 2: UNSIGNED[1]},
        pd.DataFrame({"query": [1, 2], "item": list(UNSIGNED)}),
        {"query": [1, 1], "item": pd.Series(UNSIGNED[0]), "score": [2, 1]},
        {"query": [1, 1], "item": pl.Series(UNSIGNED[0]), "score": [2, 1]},
        {"query": [1, 1], "item": pa.array(UNSIGNED[0]), "score": [2, 1]},
    ],
    ids=["2-D array", "arrays", "dict", "cells", "Series", "polars", "arrow"],
)
def test_padding_of_unsigned_arrays_is_found(run: Any) -> None:
    fails(DataError, f"for example query=1, item={LARGEST}. If it is filler", value, run, {1: [5]})
    assert value(run, {1: [5]}, padding="keep") == 1


def test_labels_may_be_values_of_numpy_and_no_sets() -> None:
    assert recall_at_k([np.bool_(True), np.bool_(False)], [0, 1], 1) == 0
    assert value({1: {7: 0.5}}, {1: {7: np.bool_(True)}}) == 1
    assert recall(["a"], pd.Series(["a", "b"])) == 0.5
    with pytest.raises(ArgumentTypeError, match=r"^y_true mixes lists, maps and single values: row 0 holds \{1\}, row"):
        recall_at_k([{1}, 0], [0.5, 0.4], 1)
    with pytest.raises(ArgumentTypeError, match=r"^y_score holds lists, but single values are expected. Flatten it"):
        recall_at_k([1, 0], np.array([[0.5], [0.4]]), 1)
    with pytest.raises(ArgumentTypeError, match="column 'relevance' .* mixes lists, maps and single values"):
        value({"query": [1, 1], "item": [1, 2], "score": [0.5, 0.4], "relevance": [{1}, 0]})


def test_an_array_without_a_dimension_is_no_column() -> None:
    with pytest.raises(ArgumentTypeError, match="but 'score' is an ndarray without a dimension"):
        value({"query": [0], "item": [1], "score": np.array(0.5)}, {0: [1]})
    fails(ArgumentTypeError, "y_true: a list or an array is expected, not ndarray", recall_at_k, np.array(1), [0.5], 1)
    assert value({"query": [0, 0], "item": [1, 2], "score": [np.array(0.5), np.array(0.7)]}, {0: [2]}) == 1
