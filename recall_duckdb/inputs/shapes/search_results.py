"""Shapes: results of searches in other libraries, which are refused with the line that converts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, quote
from recall_duckdb.inputs.cells import has_lists, to_list
from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape
from recall_duckdb.inputs.shapes.positions import is_matrix
from recall_duckdb.inputs.usual_names import USUAL_NAMES, is_usual_name, without_separators
from recall_duckdb.question.policies import is_distance

_IDS = ("id", "key", "chunkid", "nodeid", "pointid")


class Hits(Shape):
    """{query: [{id, score}]}, or [[{corpus_id, score}]] of sentence-transformers."""

    def rows(self, value: object, layout: Layout) -> Rows | None:
        """Raise `ArgumentTypeError` with the line that makes pairs of an item and its number."""
        are_named = isinstance(value, Mapping)
        lists = [*value.values()] if isinstance(value, Mapping) else value
        if layout.side not in ("run", "qrels") or not isinstance(lists, (list, tuple)):
            return None
        if not lists or not all(map(_are_hits, lists)) or not any(lists):
            return None
        if isinstance(value, Mapping) and any(_is_column(name, {*layout.columns, *layout.taken}) for name in value):
            return None
        first = next(hit for hits in lists for hit in hits)
        if any(_is_column(name, set(layout.query), "query") for name in first):  # rows of named runs
            return None
        line, is_low_first = _line(first, layout)
        each = f"{layout.side}.items()" if are_named else f"zip(queries, {layout.side})"
        raise ArgumentTypeError(
            f"{layout.side}: each query has a list of dicts, such as {quote(first)}. Pass {{query: [{line} for hit in "
            f"hits] for query, hits in {each}}}" + (", with order='ascending'" if is_low_first else "")
        )


def _are_hits(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(hit, Mapping) for hit in value)


def _is_column(name: object, names: set[str], argument: str | None = None) -> bool:
    """Return True if a name is one of these, or is common for a column, or for that of one argument."""
    if not isinstance(name, str):
        return False
    is_usual = is_usual_name(name) if argument is None else without_separators(name) in USUAL_NAMES[argument]
    return name in names or is_usual


def _line(hit: Mapping[Any, Any], layout: Layout) -> tuple[str, bool]:
    """Return the pair of the item and the number of a hit as Python code, and True if low numbers are the best."""
    texts = {name: without_separators(str(name)) for name in hit}
    items = [name for name, text in texts.items() if name == layout.item or text in (*USUAL_NAMES["item"], *_IDS)]
    item = f"hit[{(items or ['id'])[0]!r}]"
    argument = "score" if layout.side == "run" else "relevance"
    numbers = [name for name, text in texts.items() if name == layout.number or text in USUAL_NAMES[argument]]
    if layout.side == "run" and not numbers:
        numbers = [name for name, text in texts.items() if is_distance(text)]
    if not numbers or layout.number is None:
        return item, False
    return f"({item}, hit[{numbers[0]!r}])", is_distance(str(numbers[0]))


class RankedArrays(Shape):
    """The scores and the items of each query in two arrays: of FAISS, or in a dict of Chroma."""

    def rows(self, value: Any, layout: Layout) -> Rows | None:
        """Raise `ArgumentTypeError` with the line that makes ranked lists."""
        if layout.side != "run":
            return None
        if isinstance(value, Mapping):
            is_of_chroma = has_lists(value.get("ids", ())) and "distances" in value
            items = "run['ids']" if is_of_chroma and layout.item not in value else None
        else:
            items = _items_of_pair(value) if layout.labels is None else None
        if items is None:
            return None
        raise ArgumentTypeError(
            f"run: the items and scores of each query are in separate arrays. The items are in rank order: pass {items}"
            f", or dict(zip(queries, {items})) if the qrels have ids of queries"
        )


def _items_of_pair(value: object) -> str | None:
    """Return which of two arrays holds the items as Python code; None if these are not two such arrays."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    if not all(map(is_matrix, value)) and not (isinstance(value, tuple) and all(map(has_lists, value))):
        return None
    return f"run[{next((place for place, each in enumerate(value) if _are_ids(each)), 1)}]"


def _are_ids(lists: Sequence[Any]) -> bool:
    return not any(isinstance(first, float) for each in lists for first in to_list(each)[:1])
