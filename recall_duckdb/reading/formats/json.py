"""Reads JSON files: an object a row, in an array or on lines; or a single object, such as {query: {item: score}}."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.errors import DataError, EngineError, commas, quote
from recall_duckdb.reading.files import is_remote
from recall_duckdb.reading.formats.base import Format, Request, has_rows, source_of
from recall_duckdb.reading.objects import load_columns
from recall_duckdb.reading.source import Source, repeated_names
from recall_duckdb.reading.usual_names import LISTS_BY_QUERY, OF_MTEB, RATINGS, is_usual_name

_LARGEST_OBJECT = 16_777_216  # bytes: DuckDB's own limit
_NUMBERS = {int, float, type(None)}
_IDS = {str, int, type(None)}
# Files that pandas' to_json(orient=…) writes, by their names: the table in them.
_OF_PANDAS = {
    ("schema", "data"): "pandas.DataFrame(data['data'])",
    ("columns", "index", "data"): "pandas.DataFrame(data['data'], columns=data['columns'])",
}


class Json(Format):
    """JSON files. DuckDB guesses the types of columns from the first rows."""

    name = "json"
    endings = frozenset({"json", "jsonl", "ndjson"})
    needs_rows = ("",)

    def call(self, request: Request) -> exp.Expr:
        """Return a call of read_json."""
        return exp.func("read_json", request.path)

    def open(self, request: Request) -> Source:
        """Return the relation that reads the rows, or what a single object holds by query."""
        if (columns := _columns_of_object(request)) is not None:
            table = load_columns(columns, request.session, request.side, request.role, request.label)
            return replace(table, rows=None, untyped=True, is_canonical=True, watched=request.watched)
        source = source_of(request, self.call(request), untyped=True)
        if list(source.columns or ()) == ["json"] and has_rows(source, request.session):  # DuckDB found no names
            instead = "data for lists of items, or [tuple(row) for row in data] for rows of query, item and number"
            raise _refusal(request, "holds lists or values, not objects", instead)
        return replace(source, repeated=repeated_names(source.columns or ()))


def _columns_of_object(request: Request) -> dict[str, list[Any]] | None:
    """Return the columns that a file holds as a single object; None for a row, or a file of several objects."""
    is_other = request.role.partition("_")[0] not in ("run", "qrels") or len(request.watched.states) > 1
    if is_other or (data := _single_object(request)) is None:
        return None
    if OF_MTEB in data:  # {mteb_model_meta, subset: {split: {query: {item: score}}}}
        levels: list[str] = []
        for level in ("subset", "split"):
            names = [name for name in data if name != OF_MTEB]
            if len(names) != 1:
                example = "".join(f"[{name!r}]" for name in [*levels, *names[:1], *([] if levels else ["test"])])
                problem = f"the predictions of several {level}s, {commas(names)}" if names else f"no {level}"
                raise _refusal(request, f"holds {problem}", f"those of one, such as data{example}")
            levels += names
            data = data[names[0]] if isinstance(data[names[0]], dict) else {}
        return _by_query(request, data)
    if tuple(data) in _OF_PANDAS:
        raise _refusal(request, "holds a table of pandas", _OF_PANDAS[tuple(data)])
    if (known := next((name for name in (*RATINGS, *LISTS_BY_QUERY) if name in data), None)) is not None:
        if request.role.startswith("run"):
            raise DataError(
                f"{request.side} ({request.label}): {known!r} holds judgements", fix="Pass the file as qrels"
            )
        return _by_query(request, _judgements(request, known, data[known]))
    are_paths = any(name.partition(".")[0] in data for name in request.names if "." in name)  # into a row
    if are_paths or _types(data.values()) not in ({dict}, {list}):
        return None
    if any(name in request.names or is_usual_name(name) for name in data):
        raise _refusal(request, "holds columns, not rows", "pandas.DataFrame(data)")
    return _by_query(request, data)


def _by_query(request: Request, data: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the columns of an object whose values are all objects, or all arrays."""
    values = [*data.values()]
    inside = _types(each for value in values for each in (value.values() if isinstance(value, dict) else value))
    if _types(values) <= {list} and inside <= _IDS:  # or there are none
        items: list[Any] = [list(map(_text, value)) for value in values]
        return {"query": [*data], "item": items}
    if _types(values) == {dict} and inside <= _NUMBERS:
        if not request.role.startswith("run"):
            return {"query": [*data], "item": values}
        rows = [(query, *pair) for query, scores in data.items() for pair in scores.items()]
        return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "score"))}
    if _types(values) == {list} and inside in ({list}, {dict}):
        raise _refusal(request, f"holds lists of {'pairs' if inside == {list} else 'objects'} by query", "data")
    above = ""
    if _types(values) == {dict} and inside in ({dict}, {list}):
        above = f". If the names of models, subsets or splits are above the queries: data[{next(iter(data))!r}]"
    raise _refusal(request, "holds neither scores nor lists of ids by query", f"{{query: {{item: score}}}}{above}")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _types(values: Iterable[Any]) -> set[type]:
    return set(map(type, values))


def _unique(request: Request, pairs: Sequence[tuple[Any, Any]]) -> dict[Any, Any]:
    """Return pairs as an object; raises `DataError` for a repeated key."""
    found = dict[Any, Any]()
    for name, value in pairs:
        if name in found:
            text = f"{request.label!r} holds a key twice, {quote(name)}, and only one of its values can count"
            raise DataError(text, argument=request.side, fix="Remove one")
        found[name] = value
    return found


def _judgements(request: Request, known: str, held: Any) -> dict[str, Any]:
    """Return what tools hold under a name: lists of items by query, or lists of ratings, whose numbers may be text."""
    if known in LISTS_BY_QUERY and isinstance(held, dict):
        return held
    try:
        query, item = RATINGS[known]
        rows = [(_text(each[query]), [(_text(one[item]), one["rating"]) for one in each["ratings"]]) for each in held]
        numbers = [[(name, each if each is None else float(each)) for name, each in ratings] for _, ratings in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise _refusal(request, f"holds {known!r} in an unknown form", "{query: {item: relevance}}") from error
    return _unique(request, [(name, _unique(request, each)) for (name, _), each in zip(rows, numbers, strict=True)])


def _single_object(request: Request, size: int = 0) -> dict[str, Any] | None:
    """Return the object that a file holds, of at most `size` bytes; None if it holds several, or an array."""
    options = trees.option("maximum_object_size", trees.literal(size or _LARGEST_OBJECT))
    objects = exp.func("read_json_objects", request.path, options)
    # This leaves out a comma after the last value, which DuckDB reads but Python does not.
    content = exp.func("json_extract", exp.column("json"), trees.literal("$"))
    try:
        rows = request.session.rows(exp.select(content).from_(objects).limit(2))
    except EngineError as error:
        fault, file = error.__cause__, next(iter(request.watched.states or request.paths))
        if not size and "maximum_object_size" in str(fault) and not is_remote(file):
            return _single_object(request, 20 * Path(file).stat().st_size)  # it may be compressed
        raise (fault if isinstance(fault, duckdb.Error) else error) from error  # as the other formats raise it
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
