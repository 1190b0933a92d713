"""Nested dicts, as pytrec_eval, ranx and BEIR have them: {query: {item: number}}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote
from recall_duckdb.inputs.cells import are_numbers
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape, rows_of
from recall_duckdb.inputs.shapes.series import is_series


class Nested(Shape):
    """{query: {item: score}} or {query: {item: relevance}}."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return a row for each item, or one for each query of qrels if one of them has no item."""
        if isinstance(value, Mapping) and value and all(map(_is_named_series, value.values())):
            value = {query: dict(zip(each.index.tolist(), each.tolist(), strict=True)) for query, each in value.items()}
        if isinstance(value, Mapping):
            _check_series(value, layout.side)
        if not isinstance(value, Mapping) or not _is_nested(value, layout):
            return None
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
    """Refuse Series of floating-point numbers whose index is no count of rows: items by row, or numbers by item."""
    for query, each in value.items():
        is_counted = not is_series(each) or type(each.index).__name__ == "RangeIndex" or not len(each)
        if not is_counted and each.index.nlevels == 1 and each.dtype.kind == "f":
            raise ArgumentTypeError(
                f"the Series of {quote(query)} holds floating-point numbers",
                argument=side,
                fix=(
                    "If its index holds the items, pass {query: series.to_dict() for query, series in "
                    f"{side}.items()}}. If the numbers are items, pass series.astype(int)"
                ),
            )


def _is_nested(value: Mapping[object, object], layout: Layout) -> bool:
    inner = [each for each in value.values() if isinstance(each, Mapping)]
    numbers = [number for each in inner for number in each.values()]
    may_be_empty = layout.side == "qrels" and bool(inner)  # an empty run is that of a model
    return len(inner) == len(value) and (bool(numbers) or may_be_empty) and are_numbers(numbers)
