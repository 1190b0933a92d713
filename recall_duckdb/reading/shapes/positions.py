"""Shapes whose queries have no ids: lists, rows of an array and rows of a sparse matrix, by position from 0."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_duckdb.errors import ArgumentError, ArgumentTypeError
from recall_duckdb.reading.cells import are_numbers, is_list, is_matrix, to_list
from recall_duckdb.reading.shapes.base import Layout, Rows


def read_lists(value: Any, layout: Layout) -> Rows | None:
    """Read [[items], …], or [(items in rank order, relevant items), …] of a run with its labels.

    The position of each list is the query.
    """
    if not isinstance(value, (list, tuple)) or not value:
        return None
    are_pairs = all(isinstance(each, (list, tuple)) and len(each) == 2 and all(map(is_list, each)) for each in value)
    if are_pairs and layout.labels is not None:
        retrieved, relevant = (list(each) for each in zip(*value, strict=True))
        return by_position(len(value), layout, {layout.item: retrieved, layout.labels: relevant})
    are_lists = all(is_list(each) and not isinstance(each, tuple) and not is_matrix(each) for each in value)
    return _by_position(value, layout) if are_lists else None


def read_matrix(matrix: Any, layout: Layout) -> Rows:
    """Read a 2-D array of items, with the position of each row as the query."""
    _check_ids(matrix, layout.side)
    return _by_position(_without_fill(matrix), layout)


def _by_position(lists: Any, layout: Layout) -> Rows:
    rows = by_position(len(lists), layout, {layout.item: lists})
    if {len(each) for each in lists} == {len(layout.columns)}:
        rows.may_be_records = are_numbers([to_list(each)[-1] for each in lists])
    return rows


def _without_fill(matrix: Any) -> Any:
    """Return the rows of a matrix of floating-point ids without the NaN at their ends, which fill up short lists."""
    if "float" not in str(matrix.dtype):
        return matrix
    rows = [to_list(row) for row in matrix]
    for row in rows:
        while row and row[-1] != row[-1]:  # it is NaN
            row.pop()
    return rows


def read_sparse(value: Any, layout: Layout) -> Rows | None:
    """Read a sparse matrix of SciPy, which has a row for each query and a column for each item."""
    if value.ndim != 2:
        return None
    stored = value.tocoo(copy=True)
    stored.sum_duplicates()
    numbers = {} if layout.number is None else {layout.number: stored.data}
    rows = by_position(value.shape[0], layout, {layout.item: stored.col, **numbers})
    rows[layout.query[0]] = stored.row
    return rows


def by_position(count: int, layout: Layout, columns: Mapping[str, Any]) -> Rows:
    """Return the columns of a shape without ids of queries, with their numbers from 0."""
    if len(layout.query) != 1:
        raise ArgumentError(
            f"lists by position have one query column, not {len(layout.query)}",
            argument=layout.side,
            fix="Pass a dict with a tuple for each query",
        )
    rows = Rows({layout.query[0]: range(count), **columns})
    rows.by_position = count
    return rows


def _check_ids(matrix: Any, side: str) -> None:
    """Refuse a matrix of scores or labels, whose columns are the items."""
    kind = str(matrix.dtype).rpartition(".")[2]
    numbers = matrix[matrix == matrix] if kind.startswith(("int", "uint", "float")) else None  # noqa: PLR0124  no NaN
    has_fractions = numbers is not None and bool((numbers % 1 != 0).any())
    are_labels = kind == "bool" or (numbers is not None and bool(((numbers == 0) | (numbers == 1)).all()))
    if has_fractions or (are_labels and matrix.shape[1] > 1):
        raise ArgumentTypeError(
            f"a 2-D array holds the ids of items, but these are {'scores' if has_fractions else 'labels'}",
            argument=side,
            fix=(
                "If each column is an item, pass {query: dict(enumerate(row)) for query, row in "
                "enumerate(array.tolist())}"
            ),
        )


def check_positions(inputs: Mapping[str, object]) -> None:
    """Refuse inputs that are matched by position if another one has ids or another number of queries."""
    counts = {side: value.by_position if isinstance(value, Rows) else None for side, value in inputs.items()}
    side = next((each for each, count in counts.items() if count is not None), None)
    if side is None:
        return
    other = next((each for each, count in counts.items() if count is None), None)
    if other is not None:
        raise ArgumentTypeError(
            f"its queries have no ids, only positions, but those of {other} may have",
            argument=side,
            fix=(
                "Pass dicts: dict(zip(queries, lists)), for an array {query: dict(enumerate(row)) for query, row in "
                "zip(queries, array)}, and for a sparse matrix {query: dict(zip(rows[[place]].indices, "
                "rows[[place]].data)) for place, query in enumerate(queries)} with rows = matrix.tocsr()"
            ),
        )
    if all(isinstance(value, Rows) and value.may_be_records for value in inputs.values()):
        raise ArgumentTypeError(
            "each list may be a row, such as (query, item, score), or the items of a query",
            argument=side,
            fix="Pass tuples for rows, or dict(enumerate(lists)) for the items of queries",
        )
    different = next((each for each, count in counts.items() if count != counts[side]), None)
    if different is not None:
        raise ArgumentError(
            f"{side} has {counts[side]} queries, but {different} has {counts[different]}; they are matched by position",
            fix="Pass one list for each query, or {query: list}",
        )
