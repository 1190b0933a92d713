"""Reads the shapes in which other libraries hold runs and qrels: one module for each, in the order to try them."""

from __future__ import annotations

from recall_duckdb.inputs.shapes.base import Layout, Rows, Shape
from recall_duckdb.inputs.shapes.judgements import Judgements
from recall_duckdb.inputs.shapes.lists import Lists, are_paths, holds_lists
from recall_duckdb.inputs.shapes.nested import Nested
from recall_duckdb.inputs.shapes.optional import Keys, Numbers
from recall_duckdb.inputs.shapes.pairs import Pairs
from recall_duckdb.inputs.shapes.positions import (
    ListsByPosition,
    PairsOfLists,
    ScoredLists,
    Sparse,
    check_positions,
)
from recall_duckdb.inputs.shapes.predictions import Predictions
from recall_duckdb.inputs.shapes.records import Records, holds_records
from recall_duckdb.inputs.shapes.search_results import Hits, RankedArrays
from recall_duckdb.inputs.shapes.series import Series, is_by_query_and_item
from recall_duckdb.question import OPTIONAL_INPUTS, Names

__all__ = [
    "ONE_KEY",
    "SHAPES",
    "TWO_KEYS",
    "Rows",
    "are_paths",
    "check_positions",
    "holds_lists",
    "holds_records",
    "is_by_query_and_item",
    "optional_columns",
    "qrels_columns",
    "run_columns",
]

SHAPES: tuple[Shape, ...] = (
    *(Sparse(), Predictions(), Judgements(), Hits(), RankedArrays(), Nested(), Pairs(), ScoredLists(), Lists()),
    *(PairsOfLists(), ListsByPosition(), Series(), Records()),
)
# Of optional inputs with one key, such as items, and with two, such as query and item.
ONE_KEY: tuple[Shape, ...] = (Keys(), Numbers(), Records())
TWO_KEYS: tuple[Shape, ...] = (Sparse(), Nested(), Pairs(), Lists(), Series(), Records())


def run_columns(value: object, names: Names, *, is_labelled: bool) -> object:
    """Return a run in the shape of another library as a dict of columns; other values are returned unchanged.

    Raises:
        ArgumentTypeError: records differ in their fields, or a query does not fit the query columns.
    """
    labels = names.relevance if is_labelled else None
    return _columns(value, Layout("run", names.query, names.item, names.scores[0], _taken_names(names), labels), SHAPES)


def qrels_columns(value: object, names: Names, *, keeps_order: bool = False) -> object:
    """Return qrels in the shape of another library as a dict of columns; other values are returned unchanged.

    Items in a list or set are relevant, with relevance 1. With `keeps_order`, lists stay lists.

    Raises:
        ArgumentTypeError: records differ in their fields, or a query does not fit the query columns.
    """
    layout = Layout(
        "qrels", names.qrels_query, names.qrels_item, names.relevance, _taken_names(names), keeps_order=keeps_order
    )
    return _columns(value, layout, SHAPES)


def optional_columns(role: str, value: object, names: Names) -> object:
    """Return an optional input that is a list, array or dict as a dict of columns; other values unchanged.

    Raises:
        ArgumentTypeError: records differ in their fields, or a query does not fit the query columns.
    """
    keys, numbers = OPTIONAL_INPUTS[role]
    key_columns = {"query": names.query, "item": [names.item]}
    columns = [name for key in keys for name in key_columns.get(key, [key])]
    values = {"item_slices": names.item_by, "query_slices": names.by}.get(role, numbers)
    layout = Layout(role, columns[:-1], columns[-1], next(iter(values), None), _taken_names(names))
    return _columns(value, layout, ONE_KEY if len(keys) == 1 else TWO_KEYS)


def _taken_names(names: Names) -> frozenset[str]:
    relevance = [] if names.relevance is None else [names.relevance]
    of_run = [*names.query, names.item, *names.scores, *names.by]
    return frozenset([*of_run, *relevance, *names.qrels_query, names.qrels_item])


def _columns(value: object, layout: Layout, tried: tuple[Shape, ...]) -> object:
    if isinstance(value, (set, frozenset)) and all(isinstance(each, tuple) for each in value):
        value = list(value)  # rows have no order
    for shape in tried:
        rows = shape.rows(value, layout)
        if rows is not None:
            return rows
    return value
