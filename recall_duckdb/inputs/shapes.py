"""Turns the shapes that other libraries use into dicts of columns: nested dicts, ranked lists, records and tuples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Number
from os import PathLike
from pathlib import Path
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, shown
from recall_duckdb.inputs.usual_names import is_usual_name
from recall_duckdb.question import Names

# The first fields of ScoredDoc and Qrel in ir_measures.
_IR_MEASURES = ("query_id", "doc_id")


class Rows(dict[str, list[Any]]):
    """Columns that were made from the rows of another shape."""


def run_columns(value: object, names: Names) -> object:
    """Return a run in the shape of another library as a dict of columns; other values are returned unchanged.

    Raises:
        ArgumentTypeError: records differ in their fields, or a query does not fit the query columns.
    """
    if is_nested(value):
        assert isinstance(value, Mapping)
        return _rows(
            ((query, item, score) for query, scores in value.items() for item, score in scores.items()),
            [*names.query, names.item, names.scores[0]],
            "run",
        )
    if is_lists(value, names):
        assert isinstance(value, Mapping)
        return _rows(((query, list(items)) for query, items in value.items()), [*names.query, names.item], "run")
    return _records(value, [*names.query, names.item, names.scores[0]], "run")


def qrels_columns(value: object, names: Names) -> object:
    """Return qrels in the shape of another library as a dict of columns; other values are returned unchanged.

    Items in a list or set are relevant, with relevance 1.

    Raises:
        ArgumentTypeError: records differ in their fields, or a query does not fit the query columns.
    """
    relevance = [] if names.relevance is None else [names.relevance]
    columns = [*names.qrels_query, names.qrels_item, *relevance]
    if is_nested(value):
        assert isinstance(value, Mapping)
        rows = ((query, item, number) for query, grades in value.items() for item, number in grades.items())
        return _rows(rows, columns, "qrels")
    if is_lists(value, names):
        assert isinstance(value, Mapping)
        return _rows(((query, item, 1) for query, items in value.items() for item in items), columns, "qrels")
    return _records(value, columns, "qrels")


def is_nested(value: object) -> bool:
    """Return True for {query: {item: number}}, as pytrec_eval, ranx and BEIR use it."""
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(inner, Mapping) for inner in value.values())
        and any(len(inner) > 0 for inner in value.values())
        and all(_is_number(number) for inner in value.values() for number in inner.values())
    )


def is_lists(value: object, names: Names) -> bool:
    """Return True for {query: [items]}; not for a dict of columns, or of paths by model name."""
    if not isinstance(value, Mapping) or not value:
        return False
    own = {*names.query, names.item, *names.scores, *names.by, names.relevance, *names.qrels_query, names.qrels_item}
    if any(isinstance(key, str) and (key in own or is_usual_name(key)) for key in value):
        return False
    return all(_is_list(items) and not holds_records(items) and not _holds_paths(items) for items in value.values())


def holds_records(value: Any) -> bool:
    """Return True for a list of dicts or tuples: rows of a relation, not ids."""
    return isinstance(value, (list, tuple)) and any(isinstance(each, (Mapping, tuple)) for each in value)


def _is_number(value: object) -> bool:
    return value is None or isinstance(value, Number)


def _is_list(value: object) -> bool:
    return isinstance(value, (list, tuple, set, frozenset)) or type(value).__name__ == "ndarray"


def _holds_paths(values: Any) -> bool:
    """Return True if a list holds paths: an existing file, a pattern, a URL or an ending that DuckDB reads."""
    return any(
        isinstance(value, PathLike)
        or (isinstance(value, str) and (any(mark in value for mark in ("*", "://", "\0")) or _is_file(value)))
        for value in values
    )


def _is_file(path: str) -> bool:
    try:
        return Path(path).suffix in (".parquet", ".csv", ".tsv", ".json", ".jsonl", ".gz") or Path(path).exists()
    except OSError:  # a name that is too long
        return False


def _records(value: object, columns: Sequence[str], side: str) -> object:
    """Return a list of dicts, tuples or named tuples as columns; other values are returned unchanged."""
    is_stream = isinstance(value, Iterator) and not hasattr(value, "read_next_batch")  # as ir_measures reads files
    records = list(value) if is_stream and isinstance(value, Iterator) else value
    if not isinstance(records, (list, tuple)) or not records:
        return value
    first = records[0]
    if isinstance(first, Mapping):
        return _table(records, list(first), dict, side)
    if hasattr(first, "_fields") and not set(first._fields) >= set(_IR_MEASURES):
        return _table(records, list(first._fields), lambda record: record._asdict(), side)
    if isinstance(first, tuple):
        return _rows((tuple(record) for record in records), columns, side)
    return value


def _table(records: Any, fields: Sequence[str], read: Callable[[Any], Mapping[str, Any]], side: str) -> Rows:
    """Return records with named fields as columns; all must have the fields of the first one."""
    held = Rows({name: [] for name in fields})
    for number, record in enumerate(records):
        given = read(record) if isinstance(record, type(records[0])) else {}
        if given.keys() != held.keys():
            raise ArgumentTypeError(
                f"{side}: record {number} is {shown(record)}, but the first record has the fields {', '.join(fields)}. "
                "Give all records the same fields"
            )
        for name, values in held.items():
            values.append(given[name])
    return held


def _rows(rows: Iterator[tuple[Any, ...]], columns: Sequence[str], side: str) -> Rows:
    """Return rows as columns by position; a query of several columns is a tuple in the first place."""
    held = Rows({name: [] for name in columns})
    keys = len(columns)
    for row in rows:
        first = row[0] if isinstance(row[0], tuple) else (row[0],)
        values = (*first, *row[1:])[:keys]  # a Qrel of ir_measures ends with its iteration
        if len(values) != keys:
            raise ArgumentTypeError(
                f"{side}: {shown(row)} has {len(values)} values, but {', '.join(columns)} are expected. "
                "Pass these values in this order, or name the columns"
            )
        for column, value in zip(held.values(), values, strict=True):
            column.append(value)
    return held
