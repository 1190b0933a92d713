"""Reads the shapes in which other libraries, or people, hold runs and qrels in Python."""

from __future__ import annotations

from recall_duckdb.question import OPTIONAL_INPUTS, Names
from recall_duckdb.reading.shapes import by_query, positions, records, search_results
from recall_duckdb.reading.shapes.base import Layout, Shape

# In the order to try them.
SHAPES: tuple[Shape, ...] = (
    *(positions.read_sparse, by_query.read_predictions, by_query.read_judgements),
    *(search_results.refuse_hits, search_results.refuse_ranked_arrays),
    *(by_query.read_nested, by_query.read_pairs, by_query.read_lists),
    *(positions.read_pairs_of_lists, positions.read_lists_by_position, by_query.read_series, records.read_records),
)
# Of optional inputs with one key, such as items, and with two, such as query and item.
ONE_KEY: tuple[Shape, ...] = (records.read_keys, records.read_numbers, records.read_records)
TWO_KEYS: tuple[Shape, ...] = (
    *(positions.read_sparse, by_query.read_nested, by_query.read_pairs, by_query.read_lists),
    *(by_query.read_series, records.read_records),
)


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
    found = (read(value, layout) for read in tried)
    return next((rows for rows in found if rows is not None), value)
