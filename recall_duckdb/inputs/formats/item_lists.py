"""Reads files of a user and items on each line, whose columns are named with "..." at the end."""

from __future__ import annotations

import re

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.errors import ArgumentError, quote, spell
from recall_duckdb.inputs.formats import lines
from recall_duckdb.inputs.formats.base import Format, Request
from recall_duckdb.inputs.separators import SEPARATORS
from recall_duckdb.inputs.source import Source

_SEPARATED_BY = 1000  # the first lines in which a separator is looked for


class ItemLists(Format):
    """Lines of a user, and of items in rank order or that are relevant."""

    name = "text"

    def call(self, request: Request) -> exp.Expr:
        """Return the query that splits the lines at blanks."""
        return _rows(request, " +")

    def open(self, request: Request) -> Source:
        """Return the relation, split by what separates the fields of the first line."""
        first = [line.strip(" \t\r") for line in lines.first_lines_of(request, _SEPARATED_BY)]
        # A user without items has a line of a single field.
        separator = next((each for line in first for each in SEPARATORS if each in line), None)
        if separator is None:
            raise ArgumentError(
                (
                    f"{spell('columns', ','.join(request.columns))} means that a line holds several items, but the "
                    f"first line of {request.label!r} holds one field: {quote(next(iter(first), ''))}"
                ),
                argument=request.side,
            )
        relation = _rows(request, " +" if separator == " " else f"[ \t]*{re.escape(separator)}[ \t]*")
        columns = request.session.describe(relation)
        return Source(relation, columns, request.label, is_named=True, watched=request.watched)


def _rows(request: Request, separator: str) -> exp.Expr:
    """Return a row for each line with a list of items; of an optional input, a row for each item."""
    tree = templates.relations()["item_lists"][""].tree()
    trees.bind(tree, {"path": request.patterns, "separator": separator})
    items: exp.Expr = trees.column("items")
    if not request.role.startswith(("run", "qrels")):
        items = exp.func("unnest", items)
    key, item, _ = request.columns
    chosen = [exp.alias_(trees.column("key"), key, quoted=True), exp.alias_(items, item, quoted=True)]
    return exp.select(*chosen).from_(tree.subquery("lines")).subquery("lists")
