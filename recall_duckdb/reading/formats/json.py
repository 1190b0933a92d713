"""Reads JSON files: an object a row, in an array or on lines; or a single object, such as {query: {item: score}}."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.errors import DataError, EngineError, first_line, quote
from recall_duckdb.reading.files import is_remote
from recall_duckdb.reading.formats.base import Format, Request, has_rows, source_of
from recall_duckdb.reading.source import Source, repeated_names
from recall_duckdb.reading.usual_names import OF_TOOLS, is_usual_name

_LARGEST_OBJECT = 16_777_216  # bytes: DuckDB's own limit
# Files that pandas' to_json(orient=…) writes, by their names: the table in them.
_OF_PANDAS = {
    ("schema", "data"): "pandas.DataFrame(data['data'])",
    ("columns", "index", "data"): "pandas.DataFrame(data['data'], columns=data['columns'])",
}


class Json(Format):
    """JSON files. DuckDB guesses the types of columns from the first rows."""

    name = "json"
    endings = frozenset({"json", "jsonl", "ndjson"})
    needs_rows = True

    def call(self, request: Request) -> exp.Expr:
        """Return a call of read_json."""
        return exp.func("read_json", request.path)

    def open(self, request: Request) -> Source:
        """Return the relation that reads the rows."""
        source = source_of(request, self.call(request), untyped=True)
        if list(source.columns or ()) == ["json"] and has_rows(source, request.session):  # DuckDB found no names
            instead = "data for lists of items, or [tuple(row) for row in data] for rows of query, item and number"
            raise _refusal(request, "holds lists or values, not objects", instead)
        return replace(source, faults=source.faults | repeated_names(source.columns or ()))


def object_in(request: Request) -> dict[str, Any] | None:
    """Return the single object of a file if it holds a run or judgements; None for a row, or for several objects."""
    data = _single_object(request) if len(request.watched.states) <= 1 else None
    is_row = data is not None and not request.names.isdisjoint(data)
    if data is None or (not is_row and any(isinstance(data.get(name), (dict, list)) for name in OF_TOOLS)):
        return data
    if tuple(data) in _OF_PANDAS:
        raise _refusal(request, "holds a table of pandas", _OF_PANDAS[tuple(data)])
    are_paths = any(name.partition(".")[0] in data for name in request.names if "." in name)  # into a row
    kinds = set(map(type, data.values()))
    if kinds == {dict} and not are_paths and any(name in request.names or is_usual_name(name) for name in data):
        raise _refusal(request, "holds columns, not rows", "pandas.DataFrame(data)")
    return data if kinds in ({dict}, {list}) and not are_paths else None


def _unique(request: Request, pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return pairs as an object; raises `DataError` for a repeated key."""
    found = dict[Any, Any]()
    for name, value in pairs:
        if name in found:
            text = f"{request.label!r} holds a key twice, {quote(name)}, and only one of its values can count"
            raise DataError(text, argument=request.side, fix="Remove one")
        found[name] = value
    return found


def _single_object(request: Request, size: int = 0) -> dict[str, Any] | None:
    """Return the object that a file holds, of at most `size` bytes; None if it holds several, or an array."""
    options = trees.option("maximum_object_size", trees.literal(size or _LARGEST_OBJECT))
    objects = exp.func("read_json_objects", request.path, options)
    # This leaves out a comma after the last value, which DuckDB reads but Python does not.
    content = exp.func("json_extract", exp.column("json"), trees.literal("$"))
    try:
        rows = request.session.rows(exp.select(content).from_(objects).limit(2))
    except EngineError as error:
        file = request.files[0]
        if not size and "maximum_object_size" in first_line(error) and not is_remote(file):
            return _single_object(request, 20 * Path(file).stat().st_size)  # it may be compressed
        return None  # the statement that reads the rows reports the error
    try:
        value = json.loads(rows[0][0], object_pairs_hook=partial(_unique, request)) if len(rows) == 1 else None
    except (ValueError, RecursionError) as error:  # a number has too many digits, or lists are nested too deeply
        if isinstance(error, DataError):
            raise
        raise advice.files.unreadable(request.side, request.label, "json", error) from error
    return value if isinstance(value, dict) else None


def _refusal(request: Request, problem: str, instead: str) -> DataError:
    fix = f"Read it with data = json.load(open(path)), and pass {instead}"
    return DataError(f"{request.label!r} {problem}", argument=request.side, fix=fix)
