"""Series of pandas, with queries in the index."""

from __future__ import annotations

from typing import Any

from recall_duckdb.inputs.cells import cells_of
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape


class Series(Shape):
    """A Series of lists by query, as `groupby(…).apply(list)` makes it, or of numbers by query and item."""

    def rows(self, value: Any, layout: Layout) -> Rows | None:
        """Return a row for each value."""
        if not is_series(value):
            return None
        levels = [value.index.get_level_values(level).tolist() for level in range(value.index.nlevels)]
        if len(levels) == len(layout.query) and any(isinstance(each, (list, dict)) for each in cells_of(value).values):
            return Rows(zip([*layout.query, layout.item], [*levels, value.tolist()], strict=True))
        if layout.number is not None and len(levels) == len(layout.query) + 1:
            return Rows(zip(layout.columns, [*levels, value.tolist()], strict=True))
        return None


def is_series(value: object) -> bool:
    """Return True for a Series of pandas."""
    return type(value).__name__ == "Series" and type(value).__module__.partition(".")[0] == "pandas"


def is_by_query_and_item(value: Any) -> bool:
    """Return True for a Series of pandas with several levels: a run or qrels by itself, and no list of items."""
    return is_series(value) and value.index.nlevels > 1
