"""Optional inputs as lists, arrays and dicts: items, pairs, and a number for each query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_duckdb.inputs.cells import are_numbers, has_lists, is_list
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape, rows_of
from recall_duckdb.inputs.shapes.lists import are_paths
from recall_duckdb.inputs.shapes.positions import is_matrix
from recall_duckdb.inputs.shapes.records import holds_records
from recall_duckdb.inputs.shapes.series import is_series


class Keys(Shape):
    """A list, set, array or Series of ids, or a dict with a number for each id, for an input of a single key."""

    def rows(self, value: Any, layout: Layout) -> Rows | None:
        """Return a row for each id."""
        is_counted = isinstance(value, Mapping) and len(value) > 0 and are_numbers([*value.values()])
        ids = [*value] if is_counted else value
        if layout.number is not None or not is_list(ids) or is_matrix(ids):
            return None
        return None if are_paths(ids) or holds_records(ids) or not len(ids) else Rows({layout.item: ids})


class Numbers(Shape):
    """{id: number}, or a Series of numbers by id, for an input of a single key and a number or slice."""

    def rows(self, value: Any, layout: Layout) -> Rows | None:
        """Return a row for each id."""
        if layout.number is None:
            return None
        pairs = zip(value.index.tolist(), value.tolist(), strict=True) if is_series(value) else None
        if isinstance(value, Mapping) and value and not has_lists(value.values()):
            pairs = value.items()  # type: ignore[assignment]
        return None if pairs is None else rows_of(pairs, layout.columns, layout.side)
