"""Reads JSON files: an object a row, in an array or on lines; or a single object, such as {query: {item: score}}."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates
from recall_duckdb.errors import DataError, EngineError, commas
from recall_duckdb.reading.files import is_remote
from recall_duckdb.reading.formats.base import Format, Request, has_rows, source_of
from recall_duckdb.reading.source import Source, repeated_names
from recall_duckdb.reading.usual_names import LISTS_BY_QUERY, OF_MTEB, RATINGS, is_usual_name

_LARGEST_OBJECT = 16_777_216  # bytes: DuckDB's own limit
_NUMBERS = {"UBIGINT", "BIGINT", "DOUBLE", "HUGEINT", "NULL"}
_IDS = {"VARCHAR", "UBIGINT", "BIGINT", "NULL"}
# Qrels by the name that holds them: the definition that reads them, with its parameters.
_JUDGEMENTS: dict[str, tuple[str, dict[str, str]]] = {
    **{
        name: ("json_ratings", {"queries": name, "query_name": query, "item_name": item})
        for name, (query, item) in RATINGS.items()
    },
    **{name: ("json_lists", {"inside": f".{name}"}) for name in LISTS_BY_QUERY},
}
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
        source = _open_object(request) or source_of(request, self.call(request), untyped=True)
        if list(source.columns or ()) == ["json"] and has_rows(source, request.session):  # DuckDB found no names
            instead = "data for lists of items, or [tuple(row) for row in data] for rows of query, item and number"
            raise _refusal(request, "holds lists or values, not objects", instead)
        return replace(source, repeated=repeated_names(source.columns or ()))


@dataclass(frozen=True)
class _Content:
    """The names in an object, and the types of the values: of the object, of objects in it, and of arrays in it."""

    names: Sequence[str]
    types: set[str]
    in_objects: set[str]
    in_arrays: set[str]


def _open_object(request: Request) -> Source | None:
    """Return the relation that a file holds as a single object; None for a row, or a file of several objects."""
    if request.role.partition("_")[0] not in ("run", "qrels") or len(request.watched.states) > 1:
        return None
    content, size = _content(request)
    if content is None:
        return None
    levels: list[str] = []
    if OF_MTEB in content.names:  # {mteb_model_meta, subset: {split: {query: {item: score}}}}
        for level in ("subset", "split"):
            names = [name for name in content.names if name != OF_MTEB]
            if len(names) != 1:
                example = "".join(f"[{name!r}]" for name in [*levels, *names[:1], *([] if levels else ["test"])])
                problem = f"the predictions of several {level}s, {commas(names)}" if names else f"no {level}"
                raise _refusal(request, f"holds {problem}", f"those of one, such as data{example}")
            levels += names
            content = _content_within(request, size, levels) or content
        return _by_query(request, content, size, levels)
    if tuple(content.names) in _OF_PANDAS:
        raise _refusal(request, "holds a table of pandas", _OF_PANDAS[tuple(content.names)])
    known = next((name for name in _JUDGEMENTS if name in content.names), None)
    if known is not None:
        if request.role.startswith("run"):
            text = f"{request.side} ({request.label}): {known!r} holds judgements"
            raise DataError(text, fix="Pass the file as qrels")
        definition, parameters = _JUDGEMENTS[known]
        return _source(request, definition, size, parameters)
    are_paths = any(name.partition(".")[0] in content.names for name in request.names if "." in name)  # into a row
    if are_paths or content.types not in ({"OBJECT"}, {"ARRAY"}):
        return None
    if any(name in request.names or is_usual_name(name) for name in content.names):
        raise _refusal(request, "holds columns, not rows", "pandas.DataFrame(data)")
    return _by_query(request, content, size, [])


def _by_query(request: Request, content: _Content, size: int, levels: Sequence[str]) -> Source:
    """Return the relation of an object whose values are all objects, or all arrays, below the names in `levels`."""
    inside = {"inside": "".join(f'."{name}"' for name in levels)}
    if content.types == {"ARRAY"} and content.in_arrays <= _IDS:
        return _source(request, "json_lists", size, inside)
    if content.types == {"OBJECT"} and content.in_objects <= _NUMBERS:
        return _source(request, "json_scores" if request.role.startswith("run") else "json_maps", size, inside)
    if content.in_arrays in ({"ARRAY"}, {"OBJECT"}):
        kind = "pairs" if content.in_arrays == {"ARRAY"} else "objects"
        raise _refusal(request, f"holds lists of {kind} by query", "data")
    above = ""
    if content.in_objects in ({"OBJECT"}, {"ARRAY"}):
        above = f". If the names of models, subsets or splits are above the queries: data[{content.names[0]!r}]"
    raise _refusal(request, "holds neither scores nor lists of ids by query", f"{{query: {{item: score}}}}{above}")


def _content(request: Request) -> tuple[_Content | None, int]:
    """Return what a file of a single object holds, None for other files; and the most bytes that an object needs."""
    try:
        return _content_within(request, _LARGEST_OBJECT), _LARGEST_OBJECT
    except duckdb.InvalidInputException as error:
        [path] = request.watched.states or request.paths
        if "maximum_object_size" not in str(error) or is_remote(path):
            raise
        size = 20 * Path(path).stat().st_size  # it may be compressed
        return _content_within(request, size), size


def _content_within(request: Request, size: int, levels: Sequence[str] = ()) -> _Content | None:
    inside = {"inside": "".join(f'."{name}"' for name in levels)}
    try:
        rows = request.session.rows(_definition(request, "json_content", size, inside))
    except EngineError as error:
        if isinstance(error.__cause__, duckdb.Error):  # as the other formats raise it
            raise error.__cause__ from error
        raise
    return next((_Content(names, *(set(each or ()) for each in types)) for names, *types in rows), None)


def _source(request: Request, definition: str, size: int, parameters: dict[str, str]) -> Source:
    relation = _definition(request, definition, size, parameters).subquery("objects")
    columns = request.session.describe(relation)
    return Source(relation, columns, request.label, untyped=True, is_canonical=True, watched=request.watched)


def _definition(request: Request, name: str, size: int, parameters: dict[str, str]) -> exp.Select:
    return templates.relations()[name][""].filled({"path": request.patterns, "largest_object": size, **parameters})


def _refusal(request: Request, problem: str, instead: str) -> DataError:
    fix = f"Read it with data = json.load(open(path)), and pass {instead}"
    return DataError(f"{request.label!r} {problem}", argument=request.side, fix=fix)
