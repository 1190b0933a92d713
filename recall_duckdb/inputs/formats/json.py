"""Reads JSON files: an object a row, in an array or on lines."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.errors import DataError
from recall_duckdb.inputs.formats.base import Format, Request, source_of
from recall_duckdb.inputs.formats.json_objects import open_object
from recall_duckdb.inputs.source import Source


class Json(Format):
    """JSON files. DuckDB guesses the types of columns from the first rows."""

    name = "json"
    endings = frozenset({"json", "jsonl", "ndjson"})

    def call(self, request: Request) -> exp.Expr:
        """Return a call of read_json."""
        return exp.func("read_json", request.path)

    def open(self, request: Request) -> Source:
        """Return the relation that reads the rows, or what a single object holds by query."""
        source = open_object(request) or source_of(request, self.call(request), is_json=True)
        if list(source.columns or ()) == ["json"] and _has_rows(request, source):  # DuckDB found no names
            raise DataError(
                f"{request.label!r} holds lists or values, not objects",
                argument=request.side,
                fix=(
                    "Read it with data = json.load(open(path)), and pass data for lists of items, or [tuple(row) for "
                    "row in data] for rows of query, item and number"
                ),
            )
        return source

    def lines(self, relation: exp.Expr) -> exp.Expr:
        """Return the relation itself."""
        return relation.copy()

    def needs_rows(self, request: Request) -> bool:  # noqa: ARG002
        """Return True: the columns of an empty file have no names."""
        return True


def _has_rows(request: Request, source: Source) -> bool:
    return bool(request.session.rows(exp.select(exp.Star()).from_(source.relation.copy()).limit(1)))
