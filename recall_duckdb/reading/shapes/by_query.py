"""Shapes that hold something for each query: dicts of dicts, of pairs and of lists, and Series of pandas."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from numbers import Integral
from os import PathLike
from typing import Any

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, commas, quote
from recall_duckdb.reading.cells import are_numbers, cells_of, has_lists, is_list, is_series, pairs_of_series, to_list
from recall_duckdb.reading.formats import format_of
from recall_duckdb.reading.shapes.base import Layout, Rows, rows_of
from recall_duckdb.reading.usual_names import LISTS_BY_QUERY, OF_MTEB, RATINGS, is_usual_name

# What may fill up short lists; the check qrels_padding looks at them as lists.
_FILLERS = (-1, "-1", 2**32 - 1, 2**64 - 1)


def read_dict(value: Mapping[Any, Any], layout: Layout) -> Rows | None:
    """Read what a dict holds for each query; None for a dict of columns or of runs by model name."""
    if OF_MTEB in value:
        value = _predictions(value, layout)
    name = _name_of(value) if layout.side in ("run", "qrels") else None
    if name is not None:
        value = _judgements(value, name, layout)
    if value and all(map(_is_named_series, value.values())):
        value = {query: dict(pairs_of_series(each)) for query, each in value.items()}
    _check_series(value, layout.side)
    if _is_nested(value, layout):
        return _of_maps(value, layout)
    rows = _of_pairs(value, layout) if _are_pairs(value) else None
    return _of_lists(value, layout) if rows is None and _is_lists(value, layout) else rows


def _of_maps(value: Mapping[Any, Any], layout: Layout) -> Rows:
    """Return {query: {item: number}}, as pytrec_eval, ranx and BEIR have them, with a row for each item.

    Qrels have one for each query if one of them has no item.
    """
    if layout.side == "qrels" and not all(value.values()):
        maps = value.items() if layout.number else ((query, list(numbers)) for query, numbers in value.items())
        return rows_of(maps, [*layout.query, layout.item], layout.side)
    rows = ((query, item, number) for query, numbers in value.items() for item, number in numbers.items())
    return rows_of(rows, layout.columns, layout.side)


def _is_named_series(value: Any) -> bool:
    """Return True for a Series of numbers with text as its index: a number for each item."""
    if not is_series(value) or value.dtype.kind not in "iufb" or value.index.nlevels > 1:
        return False
    return len(value) > 0 and all(isinstance(item, str) for item in value.index)


def _check_series(value: Mapping[object, Any], side: str) -> None:
    """Refuse Series of numbers whose indexes do not count rows: they may be items by row, or numbers by item.

    Each index is 0, 1, 2, …, or all of them together are, in the groups of a frame.
    """
    rows = [each.index.tolist() for each in value.values() if is_series(each) and each.index.nlevels == 1]
    counted = [*range(sum(map(len, rows)))]
    if {*chain(*rows)} == {*counted} and all(each == sorted(each) for each in rows):
        return
    for query, each in value.items():
        are_numbers_by_index = is_series(each) and each.index.nlevels == 1 and each.dtype.kind in "iufb"
        if are_numbers_by_index and each.index.tolist() != [*range(len(each))]:
            raise ArgumentTypeError(
                f"the Series of {quote(query)} holds numbers, which may be items, or belong to the items in its index",
                argument=side,
                fix=(
                    f"For items in the index, pass {{query: series.to_dict() for query, series in {side}.items()}}. "
                    f"For items as the values, pass {{query: series.tolist() for query, series in {side}.items()}}"
                ),
            )


def _is_nested(value: Mapping[object, object], layout: Layout) -> bool:
    inner = [each for each in value.values() if isinstance(each, Mapping)]
    numbers = [number for each in inner for number in each.values()]
    may_be_empty = layout.side == "qrels" and bool(inner)  # an empty run is that of a model
    return len(inner) == len(value) and (bool(numbers) or may_be_empty) and are_numbers(numbers)


def _predictions(value: Mapping[Any, Any], layout: Layout) -> Any:
    """Return the only predictions of MTEB: {"mteb_model_meta": …, subset: {split: {query: {item: score}}}}."""
    inner: Any = value
    for level in ("subset", "split"):
        names = [name for name in inner if name != OF_MTEB] if isinstance(inner, Mapping) else []
        if len(names) != 1:
            raise ArgumentError(
                f"predictions of MTEB of one {level} are expected, but the dict holds {commas(names) or 'none'}",
                argument=layout.side,
                fix="Pass those of one, as in data['default']['test']",
            )
        inner = inner[names[0]]
    return inner


def _judgements(value: Mapping[Any, Any], name: str, layout: Layout) -> Any:
    """Return the judgements of OpenSearch, Elasticsearch and LlamaIndex, as json.load returns them.

    They are {"judgmentRatings": [{query, ratings}]}, {"requests": [{id, ratings}]} or
    {"relevant_docs": {query: [items]}}.
    """
    if layout.side == "run":
        raise ArgumentTypeError(f"{name!r} holds judgements", argument="run", fix="Pass the dict as qrels")
    if name in LISTS_BY_QUERY:
        return value[name]
    query, item = RATINGS[name]
    try:
        return _ratings(value[name], query, item)
    except (KeyError, TypeError, ValueError) as error:
        raise ArgumentTypeError(
            f"{name!r} holds a list of {{{query!r}, 'ratings': [{{{item!r}, 'rating'}}]}}, and one of them differs: "
            f"{error!r}",
            argument="qrels",
            fix="Pass {query: {item: relevance}}",
        ) from None


def _name_of(value: Mapping[Any, Any]) -> str | None:
    """Return the name that holds the judgements; None for other dicts, such as columns with this name."""
    for name in RATINGS:
        inner = value.get(name)
        if isinstance(inner, list) and inner and all(isinstance(each, Mapping) and "ratings" in each for each in inner):
            return name
    are_lists = isinstance(value.get("queries"), Mapping)  # the texts of the queries are next to the lists
    return next((name for name in LISTS_BY_QUERY if are_lists and isinstance(value.get(name), Mapping)), None)


def _ratings(queries: list[Any], query_name: str, item_name: str) -> dict[Any, dict[Any, float]]:
    """Return the ratings by query and item; OpenSearch writes numbers as text."""
    return {each[query_name]: {one[item_name]: float(one["rating"]) for one in each["ratings"]} for each in queries}


def _of_pairs(value: Mapping[Any, Any], layout: Layout) -> Rows | None:
    """Return {query: [(item, number), …]}, as Surprise's get_top_n makes them; None for pairs without numbers.

    Qrels with an empty list are read as maps.
    """
    pairs = [pair for each in value.values() for pair in each]
    if any(isinstance(pair, list) and all(map(_is_whole, pair)) for pair in pairs):
        raise ArgumentTypeError(
            f"{quote(pairs[0])} may be an item and its number, or two items",
            argument=layout.side,
            fix=(
                f"For an item and its number, pass {{query: [tuple(pair) for pair in pairs] for query, pairs in "
                f"{layout.side}.items()}}. For items, pass {{query: [item for pair in pairs for item in pair] for "
                f"query, pairs in {layout.side}.items()}}"
            ),
        )
    if not are_numbers([number for _, number in pairs]):
        if are_numbers([first for first, _ in pairs]):
            raise ArgumentTypeError(
                f"pairs are (item, number), but {quote(pairs[0])} begins with a number",
                argument=layout.side,
                fix=(
                    "Pass {query: [(item, number) for number, item in pairs] for query, pairs in "
                    f"{layout.side}.items()}}"
                ),
            )
        return None
    if layout.side == "qrels" and not all(value.values()):
        return _of_maps({query: _as_dict(query, each) for query, each in value.items()}, layout)
    rows = ((query, *pair) for query, each in value.items() for pair in each)
    return rows_of(rows, layout.columns, layout.side)


def _is_whole(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _are_pairs(value: Mapping[object, Any]) -> bool:
    lists = list(value.values())
    if not all(isinstance(each, (list, tuple)) for each in lists) or not any(lists):
        return False
    return all(isinstance(pair, (list, tuple)) and len(pair) == 2 for each in lists for pair in each)


def _as_dict(query: object, pairs: Any) -> dict[Any, Any]:
    judgements = dict(map(tuple, pairs))
    if len(judgements) < len(pairs):
        raise ArgumentTypeError(
            f"query {quote(query)} judges an item twice", argument="qrels", fix="Keep one of the judgements"
        )
    return judgements


def _of_lists(value: Mapping[Any, Any], layout: Layout) -> Rows:
    """Return {query: [items]}, ranked for a run and relevant for qrels.

    There is a row for each query, with its items; for qrels a row for each item, unless a list is empty.
    """
    # Rows are faster, but none stands for a query without relevant items, and an item must be a single id.
    are_lists = layout.side == "run" or layout.keeps_order
    if not are_lists and (layout.side != "qrels" or _hold_single_items(value)):
        items = ((query, item, 1) for query, items in value.items() for item in to_list(items))
        return rows_of(items, layout.columns, layout.side)
    return rows_of(value.items(), [*layout.query, layout.item], layout.side)


def _hold_single_items(value: Mapping[object, Any]) -> bool:
    """Return True if each query has an item, no item is a list or set, and none may fill up a short list."""
    if any(items is None for items in value.values()):
        return False
    items = list(chain.from_iterable(map(to_list, value.values())))
    return all(map(len, value.values())) and not has_lists(items) and not any(each in items for each in _FILLERS)


def _is_lists(value: Mapping[object, Any], layout: Layout) -> bool:
    """Return True for lists of items by query; not for a dict of columns, or of paths or other shapes by model name.

    Some lists may be None, which a check finds.
    """
    names = {*layout.columns, *layout.taken}
    if not value or any(isinstance(key, str) and (key in names or is_usual_name(key)) for key in value):
        return False
    if any(map(is_by_query_and_item, value.values())):
        return False
    lists = [items for items in value.values() if items is not None]
    if not lists or not all(is_list(items) and not holds_records(items) and not holds_lists(items) for items in lists):
        return False
    return layout.side != "run" or not all(map(are_paths, lists))


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
    return all(
        isinstance(value, PathLike) or (isinstance(value, str) and format_of(value) is not None) for value in values
    )


def read_series(value: Any, layout: Layout) -> Rows | None:
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
