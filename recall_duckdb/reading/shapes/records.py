"""Shapes of rows: lists of dicts, dataclasses or tuples, and ids with a number each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote
from recall_duckdb.reading.cells import are_numbers, has_lists, is_list, is_matrix, is_series, pairs_of_series
from recall_duckdb.reading.shapes.base import Layout, Rows, rows_of
from recall_duckdb.reading.shapes.by_query import are_paths, holds_records

# The first fields of ScoredDoc and Qrel in ir_measures.
_IR_MEASURES = ("query_id", "doc_id")


def read_records(value: Any, layout: Layout) -> Rows | None:
    """Read a list or iterator of dicts, dataclasses or named tuples, with the names of columns, or of tuples."""
    records = list(value) if isinstance(value, Iterator) and not hasattr(value, "read_next_batch") else value
    if not isinstance(records, (list, tuple)) or not records:
        return None
    first = records[0]
    if isinstance(first, Mapping):
        return _table(records, list(first), dict, layout.side)
    if hasattr(first, "_fields") and not set(first._fields) >= set(_IR_MEASURES):
        return _table(records, list(first._fields), lambda record: record._asdict(), layout.side)
    if is_dataclass(first) and not isinstance(first, type):
        names = [field.name for field in fields(first)]
        return _table(records, names, lambda record: {name: getattr(record, name) for name in names}, layout.side)
    if isinstance(first, tuple):
        return rows_of((tuple(record) for record in records), layout.columns, layout.side)
    return None


def _table(records: Any, names: Sequence[str], read: Callable[[Any], Mapping[str, Any]], side: str) -> Rows:
    """Return records with named fields as columns; all must have the fields of the first one."""
    table = Rows({name: [] for name in names})
    for number, record in enumerate(records):
        values = read(record) if isinstance(record, type(records[0])) else {}
        if values.keys() != table.keys():
            raise ArgumentTypeError(
                f"record {number} is {quote(record)}, but the first record has the fields {', '.join(names)}",
                argument=side,
                fix="Give all records the same fields",
            )
        for name, column in table.items():
            column.append(values[name])
    return table


def read_ids(value: Any, layout: Layout) -> Rows | None:
    """Read an optional input of a single key: ids, or a number or slice for each id."""
    is_counted = isinstance(value, Mapping) and len(value) > 0 and are_numbers([*value.values()])
    if layout.number is None:
        ids = [*value] if is_counted else value
        are_ids = is_list(ids) and not is_matrix(ids) and not are_paths(ids) and not holds_records(ids) and len(ids)
        return Rows({layout.item: ids}) if are_ids else read_records(value, layout)
    if is_series(value):
        return rows_of(pairs_of_series(value), layout.columns, layout.side)
    is_dict = isinstance(value, Mapping) and bool(value) and not has_lists(value.values())
    return rows_of(value.items(), layout.columns, layout.side) if is_dict else read_records(value, layout)
