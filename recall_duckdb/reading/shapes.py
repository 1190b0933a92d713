"""Reads the shapes in which other libraries, or people, hold runs and qrels in Python: as rows, or by query.

A list or array without ids of queries has them by position, from 0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import chain
from numbers import Integral
from os import PathLike
from typing import Any

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, RecallError, quote, spell
from recall_duckdb.question import OPTIONAL_INPUTS, Names
from recall_duckdb.reading.cells import (
    are_numbers,
    cells_of,
    has_lists,
    is_list,
    is_matrix,
    is_series,
    is_sparse,
    pairs_of_series,
    to_list,
)
from recall_duckdb.reading.formats import format_of
from recall_duckdb.reading.usual_names import LISTS_BY_QUERY, OF_MTEB, RATINGS, RESPONSE, is_usual_name

# The first fields of ScoredDoc and Qrel in ir_measures.
_IR_MEASURES = ("query_id", "doc_id")


class Rows(dict[str, Any]):
    """Columns that were made from the rows of another shape.

    Attributes:
        by_position: the number of queries, if they have no ids but are numbered from 0; None if they have ids.
        may_be_records: True if each list may be a row of query, item and number instead of the items of a query.
    """

    by_position: int | None = None
    may_be_records: bool = False


@dataclass(frozen=True)
class Layout:
    """The columns to make of a shape."""

    side: str  # run or qrels; or the name of an optional input
    query: Sequence[str]  # the query columns; of an optional input, all keys but the last one
    item: str  # the item column; of an optional input, its last key
    number: str | None  # the column of the score or relevance; None if every row of the qrels is relevant
    taken: frozenset[str]  # further names of columns; a dict with such a key is one of columns
    labels: str | None = None  # the column of the relevant items in a run that holds its labels
    may_be_paths: bool = True  # of a run: whether lists of paths are files of models, not ids

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order of the values of a row."""
        return [*self.query, self.item, *([] if self.number is None else [self.number])]

    def rows(self, rows: Iterable[tuple[Any, ...]], columns: Sequence[str] = ()) -> Rows:
        """Return rows as columns by position; a query of several columns is a tuple in the first place."""
        columns = columns or self.columns
        table = Rows({name: [] for name in columns})
        for row in rows:
            first = row[0] if row and isinstance(row[0], tuple) else row[:1]
            values = (*first, *row[1:])[: len(columns)]  # a Qrel of ir_measures ends with its iteration
            if len(values) != len(table):
                text = f"{quote(row)} has {len(values)} values, but {', '.join(columns)} are expected"
                fix = "Pass these values in this order, or name the columns"
                raise ArgumentTypeError(text, argument=self.side, fix=fix)
            for column, value in zip(table.values(), values, strict=True):
                column.append(value)
        return table

    def lists(self, lists: Iterable[tuple[Any, Any]]) -> Rows:
        """Return pairs of a query and its items, or its map from items to numbers, as columns."""
        return self.rows(lists, [*self.query, self.item])


def layout_of(side: str, names: Names, *, is_labelled: bool = False) -> Layout:
    """Return the columns to make of a run, which may hold its labels, of qrels, or of an optional input."""
    of_run, of_qrels = [*names.query, names.item, *names.scores], [*names.qrels_query, names.qrels_item]
    taken = frozenset(filter(None, [*of_run, *names.by, names.relevance, *of_qrels]))
    if side == "run":
        labels = names.relevance if is_labelled else None
        return Layout(side, names.query, names.item, names.scores[0], taken, labels)
    if side == "qrels":
        return Layout(side, names.qrels_query, names.qrels_item, names.relevance, taken)
    keys, numbers = OPTIONAL_INPUTS[side]
    key_columns = {"query": names.query, "item": [names.item]}
    columns = [name for key in keys for name in key_columns.get(key, [key])]
    values = {"item_slices": names.item_by, "query_slices": names.by}.get(side, numbers)
    return Layout(side, columns[:-1], columns[-1], next(iter(values), None), taken)


def columns_of(value: object, layout: Layout) -> object:
    """Return a value in the shape of another library as a dict of columns; other values are returned unchanged.

    Items in a list or set of qrels are relevant, with relevance 1.
    """
    is_judged, given = layout.side in ("run", "qrels"), value
    value = value.to_dict() if layout.side == "item_map" and is_series(value) else value  # type: ignore[attr-defined]
    if layout.side == "item_map" and isinstance(value, Mapping) and "unit" not in value:
        # It is {item: unit} or {item: [units]}.
        value = {item: units if is_list(units) else [units] for item, units in value.items()}
    if isinstance(value, (set, frozenset)) and all(isinstance(each, tuple) for each in value):
        value = list(value)  # rows have no order
    if not is_judged and len(OPTIONAL_INPUTS[layout.side][0]) == 1:
        rows = _read_ids(value, layout)
    elif is_sparse(value):  # one kind is a dict too
        rows = _read_sparse(value, layout)
    elif isinstance(value, Mapping):
        try:
            value = within_tools(value, layout.side)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            if isinstance(error, RecallError):
                raise
            text = f"it has the names of a tool's file, but not its form ({error!r})"
            raise DataError(text, argument=layout.side, fix="Pass {query: {item: number}}") from error
        given, rows = value, _by_query(_without_series(value, layout.side), layout)
    elif is_series(value):
        rows = _read_series(value, layout)
    elif is_judged and is_matrix(value):
        rows = _read_matrix(value, layout)
    else:
        rows = (_read_lists(value, layout) if is_judged else None) or read_records(value, layout)
    return given if rows is None else rows


def within_tools(value: Mapping[Any, Any], side: str) -> Mapping[Any, Any]:
    """Return the run or the judgements in what tools write as JSON; other dicts are returned unchanged."""
    inner = value.get(RESPONSE)
    if isinstance(inner, Mapping) and not are_numbers([*inner.values()]):
        return within_tools(inner, side)
    if OF_MTEB in value:
        splits = {f"{side}[{subset!r}][{split!r}]": run for subset, runs in value.items() if subset != OF_MTEB
                  for split, run in runs.items()}  # fmt: skip
        if len(splits) > 1:
            text = f"it holds the predictions of {len(splits)} splits"
            raise ArgumentTypeError(text, argument=side, fix=f"Pass those of one: {' or '.join(splits)}")
        [run] = splits.values()
        return {**run}
    judged: Mapping[Any, Any] | None = value.get(LISTS_BY_QUERY)
    known = LISTS_BY_QUERY if isinstance(judged, Mapping) and all(map(is_list, judged.values())) else ""
    for name, (query, item) in RATINGS.items():
        lists = value.get(name)
        if isinstance(lists, list) and all(isinstance(each, Mapping) and "ratings" in each for each in lists):
            known, judged = name, dict[Any, list[Any]]()
            for each in lists:  # the ratings may be text
                rated = ((one[item], one["rating"]) for one in each["ratings"])
                pairs = [(doc, None if rating is None else float(rating)) for doc, rating in rated]
                judged.setdefault(each[query], []).extend(pairs)
    if known and side != "qrels":
        raise ArgumentTypeError(f"{known!r} holds judgements", argument=side, fix="Pass it as qrels")
    return judged if known and judged is not None else value


def read_records(value: Any, layout: Layout) -> Rows | None:
    """Read a list or iterator of dicts, dataclasses or named tuples, with the names of columns, or of tuples."""
    records = list(value) if isinstance(value, Iterator) and not hasattr(value, "read_next_batch") else value
    if not isinstance(records, (list, tuple)) or not records:
        return None
    first = records[0]
    if isinstance(first, Mapping):
        read: Callable[[Any], Mapping[str, Any]] = dict
    elif hasattr(first, "_fields") and not set(first._fields) >= set(_IR_MEASURES):
        read = type(first)._asdict
    elif is_dataclass(first) and not isinstance(first, type):
        read = lambda record: {field.name: getattr(record, field.name) for field in fields(record)}  # noqa: E731
    else:
        return layout.rows(tuple(record) for record in records) if isinstance(first, tuple) else None
    table = Rows({name: [] for name in read(first)})
    for number, record in enumerate(records):  # all must have the fields of the first one
        values = read(record) if isinstance(record, type(first)) else {}
        if values.keys() != table.keys():
            text = f"record {number} is {quote(record)}, but the first one has the fields {', '.join(map(str, table))}"
            raise ArgumentTypeError(text, argument=layout.side, fix="Give all records the same fields")
        for name, column in table.items():
            column.append(values[name])
    return table


def _read_ids(value: Any, layout: Layout) -> Rows | None:
    """Read an optional input of a single key: ids, or a number or slice for each id."""
    if layout.number is None:
        ids = [*value] if isinstance(value, Mapping) and value and are_numbers([*value.values()]) else value
        are_ids = is_list(ids) and not is_matrix(ids) and not are_paths(ids) and not holds_records(ids) and len(ids)
        return Rows({layout.item: ids}) if are_ids else read_records(value, layout)
    if is_series(value):
        return layout.rows(pairs_of_series(value))
    is_dict = isinstance(value, Mapping) and bool(value) and not has_lists(value.values())
    return layout.rows(value.items()) if is_dict else read_records(value, layout)


def _read_lists(value: Any, layout: Layout) -> Rows | None:
    """Read [[items], …], [[(item, number), …], …], or [(items, relevant items), …] of a run with its labels."""
    if not isinstance(value, (list, tuple)) or not value:
        return None
    are_pairs = all(isinstance(each, (list, tuple)) and len(each) == 2 and all(map(is_list, each)) for each in value)
    if are_pairs and layout.labels is not None:
        triples = ((number, *each) for number, each in enumerate(value))
        rows = layout.rows(triples, [*layout.query, layout.item, layout.labels])
    elif all(is_list(each) and not isinstance(each, tuple) and not is_matrix(each) for each in value):
        found = _by_query(dict(enumerate(value)), layout, is_named=False)
        rows = layout.lists(enumerate(value)) if found is None else found
    else:
        return None
    lasts = [to_list(each)[-1] for each in value if len(each) == len(layout.columns)]
    rows.may_be_records = len(lasts) == len(value) and are_numbers(lasts)
    rows.by_position = len(value)
    return rows


def _read_matrix(matrix: Any, layout: Layout) -> Rows:
    """Read a 2-D array of items, with a row for each query; refuse scores and labels, whose columns are the items."""
    kind = str(matrix.dtype).rpartition(".")[2]
    numbers = matrix[matrix == matrix] if kind.startswith(("int", "uint", "float")) else None  # noqa: PLR0124  no NaN
    has_fractions = numbers is not None and bool((numbers % 1 != 0).any())
    are_labels = kind == "bool" or (numbers is not None and bool(((numbers == 0) | (numbers == 1)).all()))
    if has_fractions or (are_labels and matrix.shape[1] > 1):
        text = f"a 2-D array holds the ids of items, but these are {'scores' if has_fractions else 'labels'}"
        line = "{query: dict(enumerate(row)) for query, row in enumerate(array.tolist())}"
        raise ArgumentTypeError(text, argument=layout.side, fix=f"If each column is an item, pass {line}")
    rows: Any = matrix
    if kind.startswith("float"):
        rows = [to_list(row) for row in matrix]
        for row in rows:
            while row and row[-1] != row[-1]:  # NaN, which fills up short lists
                row.pop()
    read = layout.lists(enumerate(rows))
    fits = len(matrix) > 0 and matrix.shape[1] == len(layout.columns)
    read.may_be_records = fits and are_numbers(to_list(matrix)[0][-1:])
    read[layout.item], read.by_position = rows, len(matrix)
    return read


def _read_sparse(value: Any, layout: Layout) -> Rows | None:
    """Read a sparse matrix of SciPy, which has a row for each query and a column for each item."""
    if value.ndim != 2:
        return None
    stored = value.tocoo(copy=True)
    stored.sum_duplicates()
    rows = Rows({layout.query[0]: stored.row, layout.item: stored.col})
    rows |= {} if layout.number is None else {layout.number: stored.data}
    rows.by_position = value.shape[0]
    return rows


def check_positions(inputs: Mapping[str, object]) -> None:
    """Refuse inputs that are matched by position if another one has ids or another number of queries."""
    counts = {side: value.by_position if isinstance(value, Rows) else None for side, value in inputs.items()}
    side = next((each for each, count in counts.items() if count is not None), None)
    if side is None:
        return
    other = next((each for each, count in counts.items() if count is None), None)
    if other is not None:
        text = f"its queries have no ids, only positions, but those of {other} may have"
        fix = (
            "Pass dicts: dict(zip(queries, lists)), for an array {query: dict(enumerate(row)) for query, row in "
            "zip(queries, array)}, and for a sparse matrix {query: dict(zip(rows[[place]].indices, "
            "rows[[place]].data)) for place, query in enumerate(queries)} with rows = matrix.tocsr()"
        )
        raise ArgumentTypeError(text, argument=side, fix=fix)
    if all(isinstance(value, Rows) and value.may_be_records for value in inputs.values()):
        text = "each list may be a row, such as (query, item, score), or the items of a query"
        fix = "Pass tuples for rows, or dict(enumerate(lists)) for the items of queries"
        raise ArgumentTypeError(text, argument=side, fix=fix)
    different = next((each for each, count in counts.items() if count != counts[side]), None)
    if different is not None:
        text = f"{side} has {counts[side]} queries, but {different} has {counts[different]}"
        fix = "Pass one list for each query, or {query: list}"
        raise ArgumentError(f"{text}; they are matched by position", fix=fix)


def converted(line: str, name: str, side: str, *, is_named: bool) -> str:
    """Return the code that converts what a run or qrels hold for each query, by query or by position."""
    return f"{{query: {line} for query, {name} in {side}.items()}}" if is_named else f"[{line} for {name} in {side}]"


def _by_query(value: Mapping[Any, Any], layout: Layout, *, is_named: bool = True) -> Rows | None:
    """Read {query: {item: number}}, {query: [(item, number)]} or {query: [item]}; queries may be positions."""
    lists = list(value.values())
    if lists and all(isinstance(each, Mapping) for each in lists):
        numbers = [number for each in lists for number in each.values()]
        may_be_empty = layout.side == "qrels"  # an empty run is that of a model
        is_read = (numbers or may_be_empty) and are_numbers(numbers)
        return _of_pairs({query: [*each.items()] for query, each in value.items()}, layout) if is_read else None
    if all(isinstance(each, (list, tuple)) for each in lists) and any(lists):
        pairs = [pair for each in lists for pair in each]
        if all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
            _check_pairs(pairs, layout.side, is_named)
            if are_numbers([number for _, number in pairs]):
                return _of_pairs(value, layout)
    if not _are_lists(value, layout):
        return None
    triples = ((query, item, 1) for query, items in value.items() for item in to_list(items))
    return layout.lists(value.items()) if layout.side in ("run", "qrels") else layout.rows(triples)


def _of_pairs(value: Mapping[Any, Any], layout: Layout) -> Rows:
    """Return pairs of an item and its number by query, with a row for each item.

    Qrels have lists for each query if one of them has no item.
    """
    if layout.side == "qrels" and layout.number is None:
        text = f"{spell('relevance', None)} means that every item is relevant, but the items have numbers"
        raise ArgumentError(text, fix=f"Leave {spell('relevance')} out, or pass lists of the relevant items")
    if layout.side != "qrels" or all(value.values()):
        return layout.rows((query, *pair) for query, pairs in value.items() for pair in pairs)
    parts = {query: [[pair[place] for pair in pairs] for place in (0, 1)] for query, pairs in value.items()}
    return layout.rows((query, *lists) for query, lists in parts.items())


def _check_pairs(pairs: Sequence[Any], side: str, is_named: bool) -> None:
    """Refuse pairs that may be two items, or that begin with the number."""
    lists = (pair for pair in pairs if isinstance(pair, list))
    if any(all(isinstance(each, Integral) and not isinstance(each, bool) for each in pair) for pair in lists):
        with_numbers = converted("[tuple(pair) for pair in pairs]", "pairs", side, is_named=is_named)
        items = converted("[item for pair in pairs for item in pair]", "pairs", side, is_named=is_named)
        text = f"{quote(pairs[0])} may be an item and its number, or two items"
        fix = f"For an item and its number, pass {with_numbers}. For items, pass {items}"
        raise ArgumentTypeError(text, argument=side, fix=fix)
    if are_numbers([first for first, _ in pairs]) and not are_numbers([number for _, number in pairs]):
        turned = converted("[(item, number) for number, item in pairs]", "pairs", side, is_named=is_named)
        text = f"pairs are (item, number), but {quote(pairs[0])} begins with a number"
        raise ArgumentTypeError(text, argument=side, fix=f"Pass {turned}")


def _without_series(value: Mapping[Any, Any], side: str) -> Mapping[Any, Any]:
    """Return Series of numbers by text as pairs; refuse those by numbers, which may be of rows or items.

    An index counts rows if it is 0, 1, 2, …, or if all of them together are, in the groups of a frame.
    """
    series = {query: each for query, each in value.items() if is_series(each) and each.index.nlevels == 1}
    rows = {query: each.index.tolist() for query, each in series.items()}
    counted = {*range(sum(map(len, rows.values())))}
    if {*chain(*rows.values())} == counted and all(each == sorted(each) for each in rows.values()):
        return value
    of_items = [query for query, each in series.items()
                if each.dtype.kind in "iufb" and rows[query] != [*range(len(each))]]  # fmt: skip
    if len(of_items) == len(value) and all(isinstance(item, str) for each in rows.values() for item in each):
        return {query: [*pairs_of_series(each)] for query, each in series.items()}
    if of_items:
        text = f"the Series of {quote(of_items[0])} holds numbers, which may be items, or be of the items in its index"
        lines = [converted(f"series.{each}()", "series", side, is_named=True) for each in ("to_dict", "tolist")]
        fix = f"For items in the index, pass {lines[0]}. For items as the values, pass {lines[1]}"
        raise ArgumentTypeError(text, argument=side, fix=fix)
    return value


def has_columns(keys: Iterable[Any], names: Collection[str]) -> bool:
    """Return True if a key is the name of a column: one of these, or one that people use."""
    return any(isinstance(key, str) and (key in names or is_usual_name(key)) for key in keys)


def _are_lists(value: Mapping[Any, Any], layout: Layout) -> bool:
    """Return True for lists of items by query; not for a dict of columns, or of paths or other shapes by model name.

    Some lists may be None, which a check finds.
    """
    lists = [items for items in value.values() if items is not None]
    if not lists or has_columns(value, {*layout.columns, *layout.taken}):
        return False
    if any(
        not is_list(each) or holds_records(each) or holds_lists(each) or is_by_query_and_item(each) for each in lists
    ):
        return False
    return layout.side != "run" or not layout.may_be_paths or not all(map(are_paths, lists))


def holds_records(value: Any) -> bool:
    """Return True for a list of dicts or tuples: rows of a relation, not ids."""
    return isinstance(value, (list, tuple)) and any(isinstance(each, (Mapping, tuple)) for each in value)


def holds_lists(items: Any) -> bool:
    """Return True for a list of lists, or an array of more than one dimension."""
    is_nested = isinstance(items, list) and bool(items) and all(map(is_list, items))
    return is_nested or getattr(items, "ndim", 1) > 1


def are_paths(values: Any) -> bool:
    """Return True if a list holds paths: objects of `pathlib`, or text with an ending that DuckDB reads.

    Whether a file is there does not matter: the title of a film may be the name of a folder.
    """
    if not isinstance(values, (list, tuple)) or not values:
        return False
    return all(isinstance(each, PathLike) or (isinstance(each, str) and format_of(each) is not None) for each in values)


def _read_series(value: Any, layout: Layout) -> Rows | None:
    """Read a Series of lists by query, as `groupby(…).apply(list)` makes it, or of numbers by query and item."""
    levels = [value.index.get_level_values(level).tolist() for level in range(value.index.nlevels)]
    if len(levels) == len(layout.query) and any(isinstance(each, (list, dict)) for each in cells_of(value).values):
        return Rows(zip([*layout.query, layout.item], [*levels, value.tolist()], strict=True))
    if layout.number is not None and len(levels) == len(layout.query) + 1:
        return Rows(zip(layout.columns, [*levels, value.tolist()], strict=True))
    return None


def is_by_query_and_item(value: Any) -> bool:
    """Return True for a Series of pandas with several levels: a run or qrels by itself, and no list of items."""
    return is_series(value) and value.index.nlevels > 1
