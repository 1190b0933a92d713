"""Columns inside other columns: fields by paths such as `retrieved.doc_id`, and rows of lists and maps in a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import Columns, Session
from recall_duckdb.errors import ArgumentError, UnknownNameError, commas, quote, spell
from recall_duckdb.question.policies import Scale
from recall_duckdb.reading.columns import NUMBERS, as_text, call, element_of, family_of
from recall_duckdb.reading.source import Source

_Model = TypeVar("_Model")
# The type as which maps in JSON are read.
_MAP = "MAP(VARCHAR, DOUBLE)"
_NESTED = ("struct", "map", "list", "array")


def with_fields(source: Source, names: Iterable[str], session: Session, side: str) -> Source:
    """Return a source with a column for each name that is a path into one of its columns."""
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
    source = of_all_rows(source, {path[0] for path in paths.values()}, session)
    fields = {name: field_of(source.columns or {}, path, side, source.label) for name, path in paths.items()}
    added = [exp.alias_(value, name, quoted=True) for name, (value, _) in fields.items()]
    relation = exp.select(exp.Star(), *added).from_(source.relation).subquery("with_fields")
    return replace(
        source,
        relation=relation,
        columns={**(source.columns or {}), **{name: kind for name, (_, kind) in fields.items()}},
    )


def of_all_rows(source: Source, names: Iterable[str], session: Session) -> Source:
    """Return a JSON file with the types of all its rows instead of the first ones, and text as text; or the source."""
    if not source.is_json:
        return source
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


def field_of(columns: Columns, path: Sequence[str], side: str, label: str) -> tuple[exp.Expr, Any]:
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


def with_rows(
    runs: Mapping[_Model, Source], item: str, score: str, rank: str | None, scale: Scale
) -> dict[_Model, Source]:
    """Return the runs, in which maps from item to score, and lists next to runs of rows, became rows.

    Args:
        runs: the runs by model name.
        item: the item column.
        score: the score column, which is added.
        rank: the rank column, which is added to lists instead; None if runs hold scores.
        scale: the policies that say how scores compare.
    """
    sources = {model: _of_map(source, item, score) for model, source in runs.items()}
    are_lists = {model: _family(source, item) == "list" for model, source in sources.items()}
    if all(are_lists.values()):
        return sources
    if any(are_lists.values()) and rank is None and scale.min_score is not None:
        raise ArgumentError(
            f"{scale.min_score!r} needs a score in every run, but {spell('item', item)} holds lists in rank order "
            "in one of them",
            argument="min_score",
            fix="Leave it out, or evaluate the runs with scores by themselves",
        )
    is_low_first = rank is not None or scale.order == "ascending"
    added = rank or score
    return {
        model: _of_list(each, item, added, is_low_first=is_low_first) if are_lists[model] else each
        for model, each in sources.items()
    }


def own_name(source: Source, name: str) -> str | None:
    """Return a column's name as the source spells it; None if it is not there, or is not the user's."""
    alike = source.spellings.get(name.casefold(), [])
    return alike[0] if len(alike) == 1 and not source.elsewhere and not source.is_canonical else None


def _family(source: Source, name: str) -> str | None:
    column = own_name(source, name)
    return None if column is None or source.columns is None else family_of(source.columns[column])


def _of_map(source: Source, item: str, score: str) -> Source:
    """Return a run with a row for each entry of a map from item to a number; other runs are returned unchanged."""
    column = own_name(source, item)
    if column is None or source.columns is None or own_name(source, score) is not None:
        return source
    if source.is_json and as_text(source.columns[column]) == _MAP:
        source = source.with_types({column: _MAP})
    columns = source.columns or {}
    types = dict(columns[column].children) if family_of(columns[column]) == "map" else {}
    if not types or family_of(types["value"]) not in NUMBERS:
        return source
    cell = exp.Column(this=trees.identifier(column))
    keys, values = (exp.Anonymous(this=name, expressions=[cell.copy()]) for name in ("map_keys", "map_values"))
    parts = {column: (call("list_or_null", keys), types["key"]), score: (call("list_or_null", values), types["value"])}
    return unnest(source, parts)


def _of_list(source: Source, item: str, number: str, *, is_low_first: bool) -> Source:
    """Return a run with a row for each item of a list, with a rank, or a score that gives the same order."""
    name = own_name(source, item)
    if name is None or source.columns is None or name in source.unordered or own_name(source, number) is not None:
        return source  # the later checks refuse it
    return unnest(source, {name: elements(source, name), number: places_in(name, is_low_first=is_low_first)})


def elements(source: Source, column: str) -> tuple[exp.Expr, Any]:
    """Return the elements of a column of lists, and their type; a NULL list holds NULL, which a check refuses."""
    cell = exp.Column(this=trees.identifier(column))
    return call("list_or_null", cell), element_of((source.columns or {})[column])


def places_in(column: str, *, is_low_first: bool) -> tuple[exp.Expr, Any]:
    """Return the places in a column of lists as ranks, or as scores that give the same order, and their type."""
    cell = exp.Column(this=trees.identifier(column))
    return call("ranks_in_list" if is_low_first else "scores_in_list", cell), duckdb.sqltype("BIGINT")


def unnest(source: Source, parts: Mapping[str, tuple[exp.Expr, Any]]) -> Source:
    """Return a source with a row for each element of lists, which replace the columns of these names."""
    added = [exp.alias_(exp.Anonymous(this="unnest", expressions=[value]), name, quoted=True)
             for name, (value, _) in parts.items()]  # fmt: skip
    kinds = {name: kind for name, kind in (source.columns or {}).items() if name not in parts}
    others = [exp.Column(this=trees.identifier(name)) for name in kinds]
    relation = exp.select(*others, *added).from_(source.relation).subquery("with_rows")
    columns = {**kinds, **{name: kind for name, (_, kind) in parts.items()}}
    return replace(source, relation=relation, columns=columns)
