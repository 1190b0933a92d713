"""Dicts of lists: {query: [items]}, ranked for a run and relevant for qrels."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from os import PathLike
from typing import Any

from recall_duckdb.inputs.cells import has_lists, is_list, to_list
from recall_duckdb.inputs.formats import format_of
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape, rows_of
from recall_duckdb.inputs.shapes.records import holds_records
from recall_duckdb.inputs.shapes.series import is_by_query_and_item
from recall_duckdb.inputs.usual_names import is_usual_name

# What may fill up short lists; the check qrels_padding looks at them as lists.
_FILLERS = (-1, "-1", 2**32 - 1, 2**64 - 1)


class Lists(Shape):
    """{query: [items]}."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return a row for each query, with its items; for qrels a row for each item, unless a list is empty."""
        if not isinstance(value, Mapping) or not _is_lists(value, layout):
            return None
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
