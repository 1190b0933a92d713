"""Shapes: the judgements of OpenSearch, Elasticsearch and LlamaIndex, as json.load returns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recall_duckdb.errors import ArgumentTypeError
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape
from recall_duckdb.inputs.shapes.lists import Lists
from recall_duckdb.inputs.shapes.nested import Nested
from recall_duckdb.inputs.usual_names import LISTS_BY_QUERY, RATINGS


class Judgements(Shape):
    """{"judgmentRatings": [{query, ratings}]}, {"requests": [{id, ratings}]} or {"relevant_docs": {query: [items]}}."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Return a row for each judgement.

        Raises:
            ArgumentTypeError: the judgements are passed as a run, or an object lacks a name.
        """
        name = _name_of(value) if isinstance(value, Mapping) and layout.side in ("run", "qrels") else None
        if name is None or not isinstance(value, Mapping):
            return None
        if layout.side == "run":
            raise ArgumentTypeError(f"{name!r} holds judgements", argument="run", fix="Pass the dict as qrels")
        if name in LISTS_BY_QUERY:
            return Lists().rows(value[name], layout)
        query, item = RATINGS[name]
        try:
            return Nested().rows(_ratings(value[name], query, item), layout)
        except (KeyError, TypeError, ValueError) as error:
            raise ArgumentTypeError(
                (
                    f"{name!r} holds a list of {{{query!r}, 'ratings': [{{{item!r}, 'rating'}}]}}, and one of them "
                    f"differs: {error!r}"
                ),
                argument="qrels",
                fix="Pass {query: {item: relevance}}",
            ) from None


def _name_of(value: Mapping[Any, Any]) -> str | None:
    """Return the name that holds the judgements; None for other dicts, such as columns with this name."""
    for name in RATINGS:
        inner = value.get(name)
        if isinstance(inner, list) and inner and all(isinstance(each, Mapping) and "ratings" in each for each in inner):
            return name
    are_lists = isinstance(value.get("queries"), Mapping)  # the texts of the queries are next to the lists
    return next((name for name in LISTS_BY_QUERY if are_lists and isinstance(value.get(name), Mapping)), None)


def _ratings(queries: list[Any], query_name: str, item_name: str) -> dict[Any, dict[Any, float]]:
    """Return the ratings by query and item; OpenSearch writes numbers as text."""
    return {each[query_name]: {one[item_name]: float(one["rating"]) for one in each["ratings"]} for each in queries}
