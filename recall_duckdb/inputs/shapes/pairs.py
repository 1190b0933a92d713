"""Lists of pairs, as Surprise's get_top_n makes them: {query: [(item, number), …]}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote
from recall_duckdb.inputs.cells import are_numbers
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape, rows_of
from recall_duckdb.inputs.shapes.nested import Nested


class Pairs(Shape):
    """{query: [(item, score), …]} or {query: [(item, relevance), …]}."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return a row for each pair; qrels with an empty list are read as nested dicts."""
        if not isinstance(value, Mapping) or not _are_pairs(value):
            return None
        pairs = [pair for each in value.values() for pair in each]
        if not are_numbers([number for _, number in pairs]):
            if are_numbers([first for first, _ in pairs]):
                raise ArgumentTypeError(
                    f"pairs are (item, number), but {quote(pairs[0])} begins with a number",
                    argument=layout.side,
                    fix="Pass {query: [(item, number) for number, item in pairs] for query, pairs in found.items()}",
                )
            return None
        if layout.side == "qrels" and not all(value.values()):
            return Nested().rows({query: _as_dict(query, each) for query, each in value.items()}, layout)
        rows = ((query, *pair) for query, each in value.items() for pair in each)
        return rows_of(rows, layout.columns, layout.side)


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
