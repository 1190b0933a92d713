"""Reads the shapes in which other libraries, or people, hold runs and qrels in Python."""

from __future__ import annotations

from collections.abc import Mapping

from recall_duckdb.question import OPTIONAL_INPUTS, Names
from recall_duckdb.reading.cells import is_list, is_matrix, is_series, is_sparse
from recall_duckdb.reading.shapes import by_query, positions, records
from recall_duckdb.reading.shapes.base import Layout, Rows


def layout_of_run(names: Names, *, is_labelled: bool) -> Layout:
    """Return the columns to make of a run."""
    labels = names.relevance if is_labelled else None
    return Layout("run", names.query, names.item, names.scores[0], _taken_names(names), labels)


def layout_of_qrels(names: Names, *, keeps_order: bool = False) -> Layout:
    """Return the columns to make of qrels. With `keeps_order`, lists stay lists."""
    return Layout(
        "qrels", names.qrels_query, names.qrels_item, names.relevance, _taken_names(names), keeps_order=keeps_order
    )


def layout_of_optional(role: str, names: Names) -> Layout:
    """Return the columns to make of an optional input."""
    keys, numbers = OPTIONAL_INPUTS[role]
    key_columns = {"query": names.query, "item": [names.item]}
    columns = [name for key in keys for name in key_columns.get(key, [key])]
    values = {"item_slices": names.item_by, "query_slices": names.by}.get(role, numbers)
    return Layout(role, columns[:-1], columns[-1], next(iter(values), None), _taken_names(names))


def _taken_names(names: Names) -> frozenset[str]:
    relevance = [] if names.relevance is None else [names.relevance]
    of_run = [*names.query, names.item, *names.scores, *names.by]
    return frozenset([*of_run, *relevance, *names.qrels_query, names.qrels_item])


def columns_of(value: object, layout: Layout) -> object:
    """Return a value in the shape of another library as a dict of columns; other values are returned unchanged.

    Items in a list or set of qrels are relevant, with relevance 1.
    """
    rows = _rows_of(value, layout)
    return value if rows is None else rows


def _rows_of(value: object, layout: Layout) -> Rows | None:
    is_judged = layout.side in ("run", "qrels")
    if layout.side == "item_map":
        value = value.to_dict() if is_series(value) else value  # type: ignore[attr-defined]
        if isinstance(value, Mapping) and "unit" not in value:  # {item: unit} or {item: [units]}
            value = {item: units if is_list(units) else [units] for item, units in value.items()}
    if isinstance(value, (set, frozenset)) and all(isinstance(each, tuple) for each in value):
        value = list(value)  # rows have no order
    if not is_judged and len(OPTIONAL_INPUTS[layout.side][0]) == 1:
        return records.read_ids(value, layout)
    if is_sparse(value):  # one kind is a dict too
        return positions.read_sparse(value, layout)
    if isinstance(value, Mapping):
        return by_query.read_dict(value, layout)
    if is_series(value):
        return by_query.read_series(value, layout)
    if is_judged and is_matrix(value):
        return positions.read_matrix(value, layout)
    found = positions.read_lists(value, layout) if is_judged else None
    return records.read_records(value, layout) if found is None else found
