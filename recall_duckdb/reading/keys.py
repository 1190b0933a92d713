"""Brings the ids of one key, over all sources, to types that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import DataError, quote, respelled
from recall_duckdb.reading.columns import COMPOSITE, Reader, element_of, family_of, shortest_text
from recall_duckdb.reading.usual_names import is_usual_name

_UNSIGNED = ("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint")
_EXACT = {"double": 2**53, "float": 2**24}  # from these numbers on, some whole numbers are no value of the type
_MOST_DIGITS = 38  # of a DECIMAL

Key = tuple[Reader, str, str]  # a column of one source, by argument and name
_Column = tuple[Reader, str]


def match(keys: Sequence[Key], session: Session, *, check: bool, as_text: bool = False, hint: bool = True) -> None:
    """Bring the columns of one key, over all sources, to types that compare exactly: to text if `as_text`.

    Refuses types that do not: an id would match nothing, or several. With `hint`, the message names `ids='text'`.
    Refuses ids that are no single values, and with `check` floating-point ids that may be one of several.
    """
    columns = [(reader, reader.name(argument, name)) for reader, argument, name in keys]
    for (reader, column), (_, argument, _) in zip(columns, keys, strict=True):
        if argument != "by":
            reader.check_single(argument, column)
            kind = element_of(reader.kind(column))
            if check and kind is not None and kind.id in _EXACT:
                _raise_first("inexact_ids", reader, column, session, "DOUBLE", exact=_EXACT[kind.id])
    if as_text and _may_differ(columns):
        for reader, column in columns:
            reader.read_as_text(column)
        return
    known = [(reader, column) for reader, column in columns if reader.kind(column) is not None]
    filled = [(reader, column) for reader, column in known
              if not reader.is_blank(column) and _key_family(reader.kind(column)) != "unknown"]  # fmt: skip
    if not filled:
        return
    typed = [(reader, column) for reader, column in filled if not reader.source.untyped]
    converted = _read_as_whole_numbers(typed, session, check=check)
    _check_types([each for each in typed if each not in converted], hint=hint)
    if len(typed) < len(filled) and check and isinstance(session, DuckDB):
        _check_spelling(filled, session)
    if len(typed) < len(filled) and _may_differ(filled):
        for reader, column in known:
            reader.read_as_text(column)
        return
    first, name = (typed or filled)[0]
    for reader, column in known:
        if reader.is_blank(column):
            reader.read_as(column, first.key_type(name))


def _read_as_whole_numbers(columns: Sequence[_Column], session: Session, *, check: bool) -> list[_Column]:
    """Read columns of other types as whole numbers, if one holds such; return the columns so read."""
    whole = [
        element_of(reader.kind(name)) for reader, name in columns if _key_family(reader.kind(name)) == "whole number"
    ]
    is_unsigned = any(kind.id == "uhugeint" for kind in whole)  # it compares exactly with unsigned integers only
    is_mixed = any(kind.id != "decimal" for kind in whole) or len(columns) > len(whole)
    converted = []
    for reader, column in columns if whole and not is_unsigned else ():
        kind = element_of(reader.kind(column))
        if kind.id in _EXACT and (check or family_of(reader.kind(column)) not in ("list", "map")):
            reader.read_as_whole_number(column)
            if check:
                _raise_first("fractional_ids", reader, column, session, "DOUBLE")
        elif _is_whole_decimal(kind) and is_mixed and not reader.source.elsewhere:
            reader.read_as(column, "HUGEINT")
        else:
            continue
        converted.append((reader, column))
    return converted


def _check_spelling(columns: Sequence[_Column], session: Session) -> None:
    """Raise `DataError` if a file of text writes an id otherwise than the other side, such as 007 for 7."""
    written = [reader.written_as.get(column, element_of(reader.kind(column))) for reader, column in columns]
    kinds = {str(kind): kind for kind in written if family_of(kind) != "text"}
    for (reader, column), own in zip(columns, written, strict=True):
        is_text = reader.source.untyped and family_of(element_of(reader.kind(column))) == "text"
        for name in [each for each in kinds if each != str(own)] if is_text else ():
            _raise_first("spelled_ids", reader, column, session, name, as_text=kinds[name])


def _check_types(columns: Sequence[_Column], *, hint: bool) -> None:
    """Refuse columns of which two do not compare exactly."""
    by_kind: dict[str, _Column] = {}
    for reader, column in columns:
        by_kind.setdefault(str(element_of(reader.kind(column))), (reader, column))
    for one, other in combinations(by_kind.values(), 2):
        if not _are_exact(*(element_of(reader.kind(column)) for reader, column in (one, other))):
            raise advice.columns.unlike_types(one, other, hint=hint)


def _single_ids(reader: Reader, column: str, ids: exp.Expr) -> exp.Select:
    """Return the ids of a column, also those in lists and maps, each in a row."""
    family = family_of(reader.kind(column))
    ids = exp.func("map_keys", ids) if family == "map" else ids
    ids = exp.Anonymous(this="unnest", expressions=[ids]) if family in ("list", "map") else ids
    return exp.select(exp.alias_(ids, "id")).from_(reader.source.relation.copy())


def _are_exact(one: Any, other: Any) -> bool:
    """Return True if ids of two different types compare exactly in DuckDB."""
    if _key_family(one) != _key_family(other):
        return False
    if "uhugeint" in (one.id, other.id):  # DuckDB compares it with HUGEINT as DOUBLE
        return one.id in _UNSIGNED and other.id in _UNSIGNED
    sizes = [dict(kind.children) for kind in (one, other) if kind.id == "decimal"]
    digits = max((size["precision"] - size["scale"] for size in sizes), default=0)
    return digits + max((size["scale"] for size in sizes), default=0) <= _MOST_DIGITS


def _may_differ(columns: Sequence[_Column]) -> bool:
    """Return True if the columns of a key are of several types, or of unknown types."""
    kinds = [reader.kind(name) for reader, name in columns if reader.kind(name) is None or not reader.is_blank(name)]
    families = set(map(_key_family, kinds))
    return len(families) > 1 or "unknown" in families


def _key_family(kind: Any) -> str:
    """Return the family of a key's type; FLOAT and DOUBLE differ, because 0.1 differs between them."""
    element = element_of(kind)
    if element is None or element.id not in (*_EXACT, "decimal"):
        return family_of(element)
    return "whole number" if _is_whole_decimal(element) else str(element.id)


def _is_whole_decimal(kind: Any) -> bool:
    return bool(kind.id == "decimal" and dict(kind.children)["scale"] == 0)


def check_split(reader: Reader, column: str, session: Session) -> None:
    """Raise `DataError` if the items of a run without scores are text that may be several ids: ranked lists."""
    if isinstance(session, DuckDB) and family_of(reader.kind(column)) == "text":
        _raise_first("unsplit_ids", reader, column, session, "VARCHAR")


def check_models(reader: Reader, session: Session) -> None:
    """Raise `DataError` if the run may hold several models, because a column that no argument names says so."""
    for column in (name for name in reader.free() if is_usual_name(name, "model")):
        if not reader.source.is_canonical and family_of(reader.kind(column)) not in COMPOSITE:
            _raise_first("unnamed_models", reader, column, session, "VARCHAR")


def _raise_first(
    name: str, reader: Reader, column: str, session: Session, kind: str, exact: int | None = None, as_text: Any = None
) -> None:
    """Raise `DataError` for the first id of a column for which a check finds a fault.

    The check reads the ids as they are, and cast to a type; if `as_text` is that type, as its shortest text.
    """
    check = templates.checks()[name]
    cast: exp.Expr = exp.TryCast(this=trees.column("id"), to=exp.DataType.build(kind, dialect="duckdb"))
    cast = cast if as_text is None else shortest_text(cast, as_text)
    raw_ids = _single_ids(reader, column, reader.as_written(column)).subquery("given")
    ids = exp.select("id", exp.alias_(cast, "number")).from_(raw_ids)
    in_list = family_of(reader.kind(column)) in ("list", "map")
    statement = check.filled({"exact": exact, "is_whole": kind != "DOUBLE", "in_list": in_list}, {"ids": ids})
    for first, *_ in session.rows(statement.copy().limit(1)):
        [(count,)] = session.rows(exp.select(exp.Count(this=exp.Star())).from_(statement.subquery("faults")))
        rule = check.head["Rule"].format(column=repr(column), count=f"{count:,}")
        text = f"{reader.side} ({reader.source.label}): {rule}, for example {quote(first)}"
        raise DataError(text, fix=respelled(check.head["Do"]))
