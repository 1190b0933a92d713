"""Records: a list or iterator of dicts, dataclasses, tuples or named tuples, as ir_measures has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape, rows_of

# The first fields of ScoredDoc and Qrel in ir_measures.
_IR_MEASURES = ("query_id", "doc_id")


class Records(Shape):
    """A list of dicts, dataclasses or named tuples, with the names of columns, or of tuples, by position."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return a row for each record."""
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


def holds_records(value: Any) -> bool:
    """Return True for a list of dicts or tuples: rows of a relation, not ids."""
    return isinstance(value, (list, tuple)) and any(isinstance(each, (Mapping, tuple)) for each in value)


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
