"""Columns inside other columns, named by a path: `retrieved.doc_id` for lists of objects with a doc_id."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import Columns, Session
from recall_duckdb.errors import UnknownNameError, commas, quote
from recall_duckdb.inputs.columns import NUMBERS, call, family_of
from recall_duckdb.inputs.source import Source

_NESTED = ("struct", "map", "list", "array")


def with_fields(source: Source, names: Iterable[str], session: Session, side: str) -> Source:
    """Return a source with a column for each name that is a path into one of its columns.

    Raises:
        UnknownNameError: the path leads to no field.
    """
    columns = source.columns
    if columns is None or source.elsewhere:
        return source
    paths = {}
    for name in names:
        first, _, rest = name.partition(".")
        alike = source.spellings.get(first.casefold(), [])
        is_path = rest and name not in source.faults and name.casefold() not in source.spellings
        if is_path and len(alike) == 1 and columns[alike[0]].id in _NESTED:
            paths[name] = [alike[0], *rest.split(".")]
    if not paths:
        return source
    if source.is_json:
        source = _of_all_rows(source, {path[0] for path in paths.values()}, session)
    fields = {name: _field(source.columns or {}, path, side, source.label) for name, path in paths.items()}
    added = [exp.alias_(value, name, quoted=True) for name, (value, _) in fields.items()]
    relation = exp.select(exp.Star(), *added).from_(source.relation).subquery("with_fields")
    return replace(
        source,
        relation=relation,
        columns={**(source.columns or {}), **{name: kind for name, (_, kind) in fields.items()}},
        is_json=False,  # its types are fixed
    )


def _of_all_rows(source: Source, names: Iterable[str], session: Session) -> Source:
    """Return a JSON file with the types of all its rows instead of the first ones, and text as text."""
    call = source.relation.copy()
    call.append("expressions", trees.option("sample_size", trees.literal(-1)))
    columns = session.describe(call)
    texts = {name: str(_with_texts(columns[name])) for name in names}
    return replace(source, relation=call, columns=columns).with_types(texts)


def _with_texts(kind: Any) -> Any:
    """Return a type in which what DuckDB guessed from text in JSON, such as a date, is text."""
    fields = dict(kind.children) if kind.id in ("list", "struct", "map") else {}
    if kind.id == "list":
        return duckdb.list_type(_with_texts(fields["child"]))
    if kind.id == "struct":
        return duckdb.struct_type({name: _with_texts(inner) for name, inner in fields.items()})
    if kind.id == "map":
        return duckdb.map_type(duckdb.sqltype("VARCHAR"), _with_texts(fields["value"]))
    return kind if family_of(kind) in (*NUMBERS, "boolean") else duckdb.sqltype("VARCHAR")


def _field(columns: Columns, path: list[str], side: str, label: str) -> tuple[exp.Expr, Any]:
    """Return the expression of a path and its type; in a list, the field of each element."""
    value: exp.Expr = exp.Column(this=trees.identifier(path[0]))
    kind = columns[path[0]]
    for place, name in enumerate(path[1:], start=1):
        in_list = kind.id in ("list", "array")
        inner = dict(kind.children)["child"] if in_list else kind
        fields = dict(inner.children) if inner.id in ("struct", "map") else {}
        key = name if inner.id == "map" else next((each for each in fields if each.casefold() == name.casefold()), None)
        if key is None:
            there = f"Its fields: {commas(fields)}" if fields else f"It is of type {kind}"
            raise UnknownNameError(
                f"{side} ({label}): {quote('.'.join(path[:place]))} has no field {quote(name)}", fix=there
            )
        function = f"{'value_of' if inner.id == 'map' else 'field_of'}{'_each' if in_list else ''}"
        value = call(function, value, trees.literal(key))
        field_kind = fields["value" if inner.id == "map" else key]
        kind = duckdb.list_type(field_kind) if in_list else field_kind
    return value, kind
