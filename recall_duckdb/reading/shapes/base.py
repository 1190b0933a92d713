"""What readers of shapes share: the columns to make of a value, and rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote


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
    keeps_order: bool = False  # True if the order of relevant items counts, so that lists stay lists

    @property
    def columns(self) -> list[str]:
        """The names of the columns, in the order of the values of a row."""
        return [*self.query, self.item, *([] if self.number is None else [self.number])]


def rows_of(rows: Iterable[tuple[Any, ...]], columns: Sequence[str], side: str) -> Rows:
    """Return rows as columns by position; a query of several columns is a tuple in the first place."""
    table = Rows({name: [] for name in columns})
    keys = len(columns)
    for row in rows:
        first = row[0] if isinstance(row[0], tuple) else (row[0],)
        values = (*first, *row[1:])[:keys]  # a Qrel of ir_measures ends with its iteration
        if len(values) != keys:
            raise ArgumentTypeError(
                f"{quote(row)} has {len(values)} values, but {', '.join(columns)} are expected",
                argument=side,
                fix="Pass these values in this order, or name the columns",
            )
        for column, value in zip(table.values(), values, strict=True):
            column.append(value)
    return table
