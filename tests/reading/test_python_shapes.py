"""Lists, arrays, matrices, Series and dicts as runs, qrels and optional inputs, from Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import fails
from scipy import sparse

from recall_duckdb import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    RecallError,
    RecallWarning,
    UnknownNameError,
    evaluate,
)


def value(run: object, qrels: object = None, metric: str = "recall@1", **arguments: Any) -> float:
    found = evaluate(run, qrels, metric, **arguments).value(metric)
    assert found is not None
    return found


# Two queries; the first one finds its item at rank 2, the second one at rank 1.
RUNS: dict[str, Any] = {
    "lists": [[7, 8], [9]],
    "arrays": [np.array([7, 8]), np.array([9])],
    "2-D array": np.array([[7, 8], [9, 6]]),
    "sparse scores": sparse.csr_matrix(([0.9, 0.5, 0.1], ([0, 0, 1], [7, 8, 9]))),
    "coordinates": sparse.coo_array(([0.9, 0.5, 0.1], ([0, 0, 1], [7, 8, 9]))),
    **{f: sparse.csr_array(([0.9, 0.5, 0.1], ([0, 0, 1], [7, 8, 9]))).asformat(f) for f in ("csc", "lil", "dok")},
}
QRELS: dict[str, Any] = {
    "lists": [[8], [9]],
    "sets": [{8}, {9}],
    "2-D array": np.array([[8], [9]]),
    "sparse": sparse.csr_matrix(([1, 1], ([0, 1], [8, 9]))),
    "sparse dict": sparse.csr_matrix(([1, 1], ([0, 1], [8, 9]))).todok(),
    "sparse labels": sparse.csr_array(([True, True], ([0, 1], [8, 9]))),
}


@pytest.mark.product
@pytest.mark.parametrize("qrels", QRELS.values(), ids=QRELS)
@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_queries_may_be_numbered_by_position(run: Any, qrels: Any) -> None:
    assert value(run, qrels, "rr") == 0.75


def test_named_runs_may_be_lists_by_position() -> None:
    for names in (["lists", "arrays", "2-D array"], ["sparse scores", "coordinates"]):
        with evaluate({name: RUNS[name] for name in names}, QRELS["lists"], "rr") as result:
            assert [result.value("rr", model=name) for name in names] == [0.75] * len(names)


@pytest.mark.parametrize("pair", [tuple, list])
def test_pairs_of_lists_are_a_run_with_its_relevant_items(pair: Callable[[Any], Any]) -> None:
    assert value([pair((["a", "b"], ["b"])), pair((["c"], {"c"}))], metric="rr") == 0.75
    fails(ArgumentTypeError, "holds sets, which have no order", value, [pair(({"a"}, ["a"]))])


def test_positions_match_only_positions() -> None:
    with pytest.raises(
        ArgumentTypeError, match=r"^run: its queries have no ids, only positions, but those of qrels may"
    ):
        value([["a"], ["b"]], {0: ["a"], 1: ["b"]})
    with pytest.raises(ArgumentTypeError, match=r"^qrels: its queries have no ids, only positions, but those of run"):
        value({0: ["a"], 1: ["b"]}, [["a"], ["b"]])
    with pytest.raises(ArgumentError, match=r"^run has 2 queries, but qrels has 1; they are matched by position"):
        value([["a"], ["b"]], [["a"]])
    fails(ArgumentTypeError, r"but those of weights may", value, [["a"], ["b"]], [["a"], ["b"]], weights={0: 1, 1: 2})


def test_lists_that_may_be_rows_are_refused() -> None:
    for run, qrels in (([[1, 10, 5], [1, 11, 4]], [[1, 10, 1], [1, 11, 0]]), ([["q", "a", 0.5]], [["q", "a", 1]])):
        fails(ArgumentTypeError, r"^run: each list may be a row, such as \(query, item, score\), or", value, run, qrels)
    fails(ArgumentTypeError, "^run: each list may be a row", value, np.array([[1, 10, 5]]), [[1, 10, 1]])
    assert value([[1, 10, 5], [1, 11, 4]], [[1], [4, 7]]) == 0.5


@pytest.mark.parametrize(
    ("matrix", "what"),
    [([[0.1, 0.9]], "scores"), ([[1, 0]], "labels"), ([[True, False]], "labels"), ([[1.0, 0.0]], "labels")],
)
def test_a_matrix_with_a_column_for_each_item_is_refused(matrix: list[list[Any]], what: str) -> None:
    with pytest.raises(ArgumentTypeError, match=rf"^qrels: a 2-D array holds the ids of items, but these are {what}"):
        value(np.array([[0]]), np.array(matrix))
    judged = {query: dict(enumerate(row)) for query, row in enumerate(np.array(matrix).tolist())}
    assert value({0: [0, 1]}, judged) in (0.5, 1)


SCORES = [[0.1, 0.9], [0.1, 0.9]]


@pytest.mark.parametrize("array", [np.array, list, pl.Series])
def test_scores_beside_lists_of_items_rank_them(array: Callable[[Any], Any]) -> None:
    run = {"query": range(2), "item": array([[5, 6], [7, 8]]), "score": array(SCORES), "day": ["a", "b"]}
    assert value(run, {0: [6], 1: [7]}) == 0.5
    assert value({**run, "score": None, "far": array(SCORES)} | {"score": [1, 1]}, {0: [5], 1: [7]}, score="far",
                 order="ascending") == 1  # fmt: skip
    with pytest.raises(DataError, match="the lists of columns 'item' and 'score' differ in length, for example"):
        value({"query": [0, 1], "item": [[5, 6], [7]], "score": SCORES}, {0: [6], 1: [7]})


def test_pairs_of_an_item_and_its_number_are_ranked_by_it() -> None:
    top = defaultdict(list, {"u": [("a", 0.5), ("b", np.float32(0.9))], "v": [("c", 0.1)]})
    assert value(top, {"u": ["b"], "v": ["x"]}) == 0.5
    assert value({"u": [["a", 0.5], ["b", 0.9]]}, {"u": [("b", 1), ("a", 0)]}) == 1
    assert value(top, {"u": [("b", 1)], "v": []}) == 0.5
    with pytest.raises(ArgumentTypeError, match=r"pairs are \(item, number\), but \(0.5, 'a'\) begins with a number"):
        value({"u": [(0.5, "a")]}, {"u": ["b"]})
    fails(DataError, "holds an item twice", value, top, {"u": [("b", 1), ("b", 2)], "v": []})
    fails(DataError, "more than once", value, {"u": pd.Series([2, 1], ["a", "a"])}, {"u": ["a"]}, "rr")
    assert value([top["u"]], [[("b", 1)]]) == 1


@pytest.mark.parametrize("array", [np.array, pd.Series, pl.Series, pa.array, tuple])
def test_lists_in_a_dict_may_be_arrays(array: Callable[[Any], Any]) -> None:
    assert value({"u": array([1, 2]), "v": range(9)}, {"u": array([1]), "v": array([3])}) == 0.5


class Tensor:
    """What a tensor of PyTorch has, which is too large to install for tests."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)
        self.ndim, self.shape, self.dtype = self.values.ndim, self.values.shape, f"torch.{self.values.dtype}"

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: Any) -> Tensor:
        return Tensor(self.values[place.values if isinstance(place, Tensor) else place])

    def __eq__(self, other: object) -> Any:
        return Tensor(self.values == (other.values if isinstance(other, Tensor) else other))

    def __ne__(self, other: object) -> Any:
        return Tensor(self.values != other)

    def __hash__(self) -> int:
        return id(self)

    def __mod__(self, other: object) -> Tensor:
        return Tensor(self.values % other)

    def __or__(self, other: Tensor) -> Tensor:
        return Tensor(self.values | other.values)

    def __bool__(self) -> bool:
        return bool(self.values)

    def any(self) -> Tensor:
        return Tensor(self.values.any())

    def all(self) -> Tensor:
        return Tensor(self.values.all())

    def ravel(self) -> Tensor:
        return Tensor(self.values.ravel())

    def tolist(self) -> Any:
        return self.values.tolist()


def test_tensors_are_read_like_arrays() -> None:
    ids, scores = Tensor([[7, 8], [9, 6]]), Tensor([[0.1, 0.9], [0.9, 0.1]])
    assert value(ids, [[8], [9]], "rr") == 0.75
    assert value({"query": range(2), "item": ids, "score": scores}, {0: Tensor([8]), 1: Tensor([9])}) == 1
    assert value({"query": [0, 0], "item": Tensor([7, 8]), "score": [Tensor(0.1), Tensor(0.9)]}, {0: [8]}) == 1
    assert value({0: {7: Tensor(0.1), 8: Tensor(0.9)}}, {0: [8]}) == 1
    fails(ArgumentTypeError, "these are scores", value, scores, [[8], [9]])
    with pytest.raises(ArgumentTypeError, match="but 'score' is a Tensor without a dimension"):
        value({"query": [0], "item": [7], "score": Tensor(0.5)}, {0: [7]})
    with pytest.raises(DataError, match="with which vector indexes fill short lists"):
        value(Tensor(np.array([[7, 2**32 - 1], [9, 6]], "uint32")), [[7], [9]])


def test_scores_may_have_16_bits() -> None:
    for array in (pa.array, pl.Series, list):
        scores = array(np.array([0.5, 0.7], "float16"))
        columns = {"query": ["u", "u"], "item": ["a", "b"], "score": scores}
        for frame in (pl.DataFrame, pa.table) if array is not list else (dict, pd.DataFrame):
            assert value(frame(columns), {"u": ["b"]}) == 1


def test_lists_in_a_frame_of_pairs_are_refused_with_the_fix() -> None:
    seen = pd.DataFrame({"query": ["u"], "item": [["a"]]})
    with pytest.raises(ArgumentTypeError, match="exclude: column 'item' holds lists, .* explode in frames"):
        value({"u": ["a", "b"]}, {"u": ["b"]}, exclude=seen)
    assert value({"u": ["a", "b"]}, {"u": ["b"]}, exclude=seen.explode("item")) == 1


def test_an_empty_array_has_no_type() -> None:
    assert value({"u": np.array([]), "v": np.array([1, 2])}, {"u": [1], "v": [1]}) == 0.5


FRAME = pd.DataFrame({"user": ["u", "u"], "movie": ["a", "b"], "score": [0.1, 0.9]})
NAMES = {"query": "user", "item": "movie"}


def test_queries_may_be_in_the_index_of_pandas() -> None:
    lists = FRAME.groupby("user").movie.apply(list)
    assert value(lists, lists.map(set)) == 0.5
    for run in (FRAME.set_index("user"), FRAME.set_index(["user", "movie"]), FRAME.set_index(["user", "movie"]).score):
        assert value(run, {"u": ["b"]}, **NAMES) == 1
    numbered = FRAME.set_axis([0, 1, 2], axis=1)
    assert value(numbered, {"u": ["b"]}, query="0", item="1", score="2") == 1


def test_records_may_be_dataclasses() -> None:
    @dataclass
    class Found:
        query: str
        item: str
        score: float

    assert value([Found("u", "a", 0.1), Found("u", "b", 0.9)], {"u": ["b"]}) == 1


def test_titles_are_never_looked_up_in_the_file_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jazz").mkdir()
    (tmp_path / "rock.json").write_text("{}")
    titles = ["jazz", "M*A*S*H (1970)", "https://example.org/page", "rock.json"]
    assert value({"u": titles}, {"u": titles}, "recall@4") == 1
    assert value({"u": titles}, {"u": ["rock.json"]}, "recall@4") == 1
    fails(UnknownNameError, "there is no file 'folk.parquet'", value, {"u": ["folk.parquet"]}, {"u": titles})


IDS: list[Callable[[Any], Any]] = [list, set, tuple, np.array, pd.Series, pd.Index, pl.Series, pa.array]


@pytest.mark.parametrize("ids", IDS)
def test_a_catalog_may_be_a_list_or_an_array(ids: Callable[[Any], Any]) -> None:
    assert value({"u": ["a"]}, metric="coverage@1", catalog=ids(["a", "b", "c", "d"])) == 0.25
    assert value({1: [7, 8]}, {1: [8]}, items=ids([8])) == 1
    fails(ArgumentTypeError, "^items: a", value, {1: [7, 8]}, {1: [8]}, items=[])


@pytest.mark.parametrize(
    "seen",
    [{"u": ["a"]}, {"u": {"a": 1}}, {"u": {"a"}}, [("u", "a")], [{"query": "u", "item": "a"}]],
    ids=["lists", "dicts", "sets", "tuples", "records"],
)
def test_pairs_to_exclude_may_be_dicts_or_lists(seen: Any) -> None:
    assert value({"u": ["a", "b"]}, {"u": ["b"]}, exclude=seen) == 1
    assert value({"u": ["a"]}, metric="popularity@1", training=seen) == 1


def test_excluded_pairs_may_be_a_matrix() -> None:
    seen = sparse.csr_matrix(([1], ([0], [7])), shape=(2, 10))
    assert value([[7, 8], [9]], [[8], [9]], exclude=seen) == 1


@pytest.mark.parametrize("weights", [{"u": 3, "v": 1}, pd.Series({"u": 3, "v": 1}), [("u", 3), ("v", 1)]])
def test_weights_may_be_a_dict(weights: Any) -> None:
    assert value({"u": ["a"], "v": ["x"]}, {"u": ["a"], "v": ["b"]}, weights=weights) == 0.75


def test_weights_of_queries_of_several_columns_have_tuples() -> None:
    run = {("ann", 1): ["a"], ("ann", 2): ["x"]}
    qrels = {("ann", 1): ["a"], ("ann", 2): ["b"]}
    assert value(run, qrels, query=["user", "day"], weights={("ann", 1): 3, ("ann", 2): 1}) == 0.75


def test_features_and_slices_of_items_may_be_dicts() -> None:
    assert value({"u": ["a", "b"]}, metric="diversity@2", features={"a": ["x"], "b": ["y"]}) == 1
    slices = {"a": "head", "b": "tail"}
    with evaluate({"u": ["a", "b"]}, {"u": ["b"]}, "recall@2", item_by="part", item_slices=slices) as result:
        assert [(row["part"], row["value"]) for row in result.to_dicts()] == [(None, 1.0), ("tail", 1.0)]


def test_nan_at_the_end_of_a_row_of_ids_fills_it_up() -> None:
    found = np.array([[7.0, 8.0], [9.0, np.nan]])
    assert value(found, [[8], [9]], "recall@2") == 1.0
    assert value(found, [[8], [9]], "precision@2", precision="retrieved") == 0.75
    with pytest.raises(DataError, match="are NaN in a list, for example nan|is NULL in the run"):
        evaluate(np.array([[np.nan, 8.0], [9.0, 1.0]]), [[8], [9]])


def test_a_series_with_items_as_its_index_holds_their_scores() -> None:
    run = {"q1": pd.Series([2, 1], index=["a", "b"]), "q2": pd.Series([1], index=["c"])}
    assert value(run, {"q1": ["b"], "q2": ["c"]}, "rr") == 0.75


def test_rows_may_be_a_set_or_an_iterator() -> None:
    rows = [("q1", "a", 0.9), ("q1", "b", 0.8)]
    qrels = {("q1", "b", 1)}
    assert value({*rows}, qrels, "rr") == 0.5
    with pytest.warns(RecallWarning, match="no item of the run is judged"):  # which reads the rows again
        assert value(iter(rows), {("q1", "x", 1)}, "rr") == 0.0


def test_a_catalog_may_be_a_dict_of_numbers() -> None:
    assert value({"q1": ["a"]}, {"q1": ["a"]}, "coverage", catalog={"a": 10, "b": 3}) == 0.5


# Two users, three items; user 1 has no score for item 12, user 2 none for item 11.
WIDE = pd.DataFrame([[0.9, 0.5, np.nan], [0.1, np.nan, 0.4]], index=[1, 2], columns=[10, 11, 12])
SHOWN = {1: [11], 2: [12]}


def refused(run: object, qrels: object = None, **arguments: Any) -> str:
    with pytest.raises(RecallError) as error:
        evaluate(run, SHOWN if qrels is None else qrels, **arguments)
    return str(error.value)


def test_a_sparse_column_of_a_frame_is_refused_if_it_is_read() -> None:
    rows = pd.DataFrame({"query": [1, 1], "item": [10, 11], "score": pd.arrays.SparseArray([0.0, 0.5])})
    message = refused(rows, {1: [10]})
    assert "column 'score' (score=) is of type Sparse[float64, nan], which DuckDB cannot read. Make it dense" in message
    column = rows.score
    line = message.partition("dense: ")[2]
    assert value(rows.assign(score=eval(line, {"frame": rows}), other=column), {1: [10]}, "rr") == 0.5
    every = pd.DataFrame.sparse.from_spmatrix(sparse.eye(2, 200, format="csr"))
    assert "column '0' is of type Sparse[float64, 0" in refused(every)
    assert value(pd.concat([rows.assign(score=column.sparse.to_dense()), every], axis=1), {1: [10]}, "rr") == 0.5


def test_a_relation_with_a_column_for_each_item_is_refused_with_a_line_that_converts_it() -> None:
    relation = WIDE.rename_axis("user").reset_index()
    message = refused(relation, query="user")
    line = message.partition("In DuckDB: ")[2].partition(". Its columns")[0]
    assert line == 'FROM (UNPIVOT relation ON COLUMNS(* EXCLUDE ("user")) INTO NAME item VALUE score)'
    assert value(duckdb.sql(line), {"1": ["11"], "2": ["12"]}, "rr", query="user", ids="text") == 0.75
    labels = (WIDE.fillna(0) > 0).astype(int).rename_axis("user").reset_index()
    message = refused({1: [11]}, labels, query="user", relevance=None)
    assert 'EXCLUDE ("user")) INTO NAME item VALUE relevance)' in message
    assert "Did you mean" not in refused(pl.from_pandas(relation.rename(columns=str)), query="user")


def test_series_by_query_and_item_may_be_several_runs() -> None:
    found = WIDE.stack().dropna()
    rows = pd.DataFrame({"query": [1, 2], "item": [11, 12], "score": [1.0, 1.0]})
    for other in (-found, rows):
        with evaluate({"one": found, "other": other}, {1: [11]}, "rr") as result:
            assert [(row["model"], row["value"]) for row in result.to_dicts()] == [("one", 0.5), ("other", 1.0)]


def test_types_that_only_pandas_has_are_refused_if_a_column_is_read() -> None:
    rows = pd.DataFrame({"query": [1, 2], "item": [11, 12], "score": [1.0, 1.0]})
    month = pd.PeriodIndex(["2024-01", "2024-02"], freq="M")
    for other in (month, pd.cut([1, 5], [0, 3, 6]), [1j, 2j]):
        assert value(rows.assign(other=other), SHOWN, "rr") == 1
    message = refused(rows.assign(query=month), pd.DataFrame({"query": month, "item": [11, 12], "relevance": 1}))
    assert (
        "column 'query' (query=) is of type period[M], which DuckDB cannot read. Make it text: frame['query']"
        in message
    )
    text = rows.assign(query=month.astype(str))
    assert value(text, {"2024-01": [11], "2024-02": [12]}, "rr") == 1


def test_none_instead_of_a_list_is_a_null_list() -> None:
    run, judged = {"q1": ["a", "b"], "q2": ["c"]}, {"q1": ["b"], "q2": ["c"]}
    for left, right in (({**run, "q2": None}, judged), (run, {**judged, "q2": None})):
        fails(DataError, r"is NULL in the (run|qrels) \(1 case\), for example query='q2'", evaluate, left, right, "rr")
    assert evaluate({**run, "q2": None}, judged, "rr", nulls="drop").value("rr") == 0.25
    assert evaluate(run, {**judged, "q2": None}, "rr", nulls="drop").value("rr") == 0.5


@pytest.mark.product
@pytest.mark.parametrize("numbers", [[1.0, 0.0], [1, 0], [True, False]])
@pytest.mark.parametrize("index", [[10, 11], [10.0, 11.0], pd.CategoricalIndex([10, 11]), pd.RangeIndex(10, 12)])
def test_a_series_of_numbers_by_number_may_be_items_by_row_or_numbers_by_item(numbers: list[Any], index: Any) -> None:
    by_item = pd.Series(numbers, index=index)
    for run, qrels, name in (({1: [10]}, {1: by_item}, "qrels"), ({1: by_item}, {1: [10]}, "run")):
        fails(ArgumentTypeError, rf"for query, series in {name}\.items\(\)", evaluate, run, qrels, "recall@1")
    assert value({1: [10]}, {1: by_item.to_dict()}) == 1


@pytest.mark.parametrize("index", [None, pd.RangeIndex(2), [0, 1]])
def test_a_series_of_numbers_that_are_counted_holds_items(index: Any) -> None:
    assert value({1: pd.Series([10, 11], index=index)}, {1: [10]}) == 1
    assert value({1: pd.Series(["a", "b"], index=[10, 11])}, {1: ["a"]}) == 1


def test_columns_with_several_index_levels_are_no_runs() -> None:
    frame = pd.DataFrame({"user": [1, 2], "movie": [10, 12], "pred": [0.5, 0.3]}).set_index(
        ["user", "movie"], drop=False
    )
    columns = {"user": frame["user"], "movie": frame["movie"], "pred": frame["pred"]}
    with pytest.raises(RecallError, match=r"Did you mean query='user', item='movie', score='pred'"):
        evaluate(columns, {1: [10]}, "recall@1")
    runs = {"bm25": frame["pred"], "dense": frame["pred"]}
    assert evaluate(runs, {1: [10], 2: [11]}, "recall@1").value("recall@1", model="dense") == 0.5


def test_two_unknown_columns_are_not_taken_for_items() -> None:
    frame = pd.DataFrame({"query": [1, 1], "art": [3, 4], "wert": [0.1, 0.2]})
    fails(RecallError, r"If it holds ranks instead, name their column", evaluate, frame, {1: [3]}, "recall@1")


@pytest.mark.parametrize(
    ("hit", "line"),
    [
        ({"uuid": "a", "metadata": {"distance": 0.1}}, "hit['uuid']"),
        ({"index": 0, "relevance_score": 0.9}, "hit['index']"),
        ({"document": {"id": "a"}, "score": 0.9}, "(hit['document']['id'], hit['score'])"),
        ({"a": 0.9}, "hit[...]"),
    ],
)
def test_the_line_takes_the_id_that_a_hit_has(hit: dict[str, Any], line: str) -> None:
    assert f"Pass {{query: [{line} for hit in hits]" in refused({"q1": [hit]}, {"q1": ["a"]})


def test_a_model_may_be_called_ids() -> None:
    assert "run 'ids': None cannot be read" in refused({"ids": None, "b": {"q": ["a"]}}, {"q": ["a"]})


def test_runs_may_still_be_lists_of_records_and_dicts_of_arrays() -> None:
    rows = [{"query": 1, "item": 3, "score": 0.5}]
    assert value({"bm25": rows}, [{"query": 1, "item": 3, "relevance": 1}], "rr") == 1
    columns = {"query": [1], "ids": [[4, 3]], "distances": [[0.9, 0.8]]}
    assert value(columns, {1: [3]}, "rr", item="ids", score="distances", qrels_item="item", order="descending") == 0.5


def test_columns_named_by_numbers_are_named_in_the_hint() -> None:
    rows = pd.DataFrame([["q1", "a", 0.9], ["q1", "b", 0.8]])
    with pytest.raises(
        UnknownNameError, match="If the columns have no names, name them by their numbers, as in query="
    ):
        evaluate(rows, {"q1": ["b"]})
    assert value(rows, {"q1": ["b"]}, "rr", query="0", item="1", score="2") == 0.5


def test_a_series_of_items_for_each_query_may_have_the_index_of_rows() -> None:
    rows = pd.DataFrame({"query": ["q1", "q1", "q2"], "item": [10, 11, 12]})
    assert (
        value({query: group["item"] for query, group in rows.groupby("query")}, {"q1": [11], "q2": [12]}, "rr") == 0.75
    )
