"""Brings the ids of one key, over all sources, to types that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import templates
from recall_duckdb.definitions.trees import identifier
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentTypeError, DataError, told
from recall_duckdb.inputs.columns import Reader, element_of, family_of
from recall_duckdb.inputs.sources import Source

_WIDE = ("ubigint", "hugeint", "uhugeint")  # integers outside BIGINT

Key = tuple[Reader, str, str]  # a column of one source, by argument and name


def match(keys: Sequence[Key], session: Session, *, check: bool, as_text: bool = False, hint: bool = True) -> None:
    """Bring the columns of one key, over all sources, to types that can be equal: to text if `as_text`.

    Refuses those that can never be: they would silently match nothing. With `hint`, the message names `ids='text'`.
    """
    columns = [(reader, reader.name(argument, name)) for reader, argument, name in keys]
    if as_text and _may_differ(columns):
        for reader, own in columns:
            reader.read_as_text(own)
        return
    known = [(reader, own) for reader, own in columns if reader.kind(own) is not None]
    held = [(reader, own) for reader, own in known if not reader.is_blank(own)]
    held = [(reader, own) for reader, own in held if _key_family(reader.kind(own)) != "unknown"]
    typed = [(reader, own) for reader, own in held if not reader.source.untyped]
    if not held:
        return
    first, name = (typed or held)[0]
    kind = element_of(first.kind(name))
    if family_of(kind) == "whole number":
        wide = next((element_of(r.kind(own)) for r, own in typed if element_of(r.kind(own)).id in _WIDE), "BIGINT")
        for reader, own in held:
            if reader.source.untyped:
                reader.read_as(own, str(wide))
                if check and isinstance(session, DuckDB):
                    _check_whole(reader.source, own, str(wide), session, reader.side)
        held = typed
    as_texts = f", or pass {told('ids', 'text')}" if hint else ""
    for reader, own in held:
        if _key_family(reader.kind(own)) != _key_family(kind):
            raise ArgumentTypeError(
                f"{first.side} and {reader.side} differ in type: column {name!r} of {first.side} is {kind}, column "
                f"{own!r} of {reader.side} is {element_of(reader.kind(own))}; ids compare within one type. "
                f"Cast one of them{as_texts}"
            )
    for reader, own in known:
        if reader.is_blank(own):
            reader.read_as(own, first.key_type(name))


def _may_differ(columns: Sequence[tuple[Reader, str]]) -> bool:
    """Return True if the columns of a key are of several types, or of unknown types."""
    held = [reader.kind(own) for reader, own in columns if reader.kind(own) is None or not reader.is_blank(own)]
    families = set(map(_key_family, held))
    is_untyped = any(reader.source.untyped for reader, _ in columns)
    return len(families) > 1 or "unknown" in families or (is_untyped and "text" not in families)


def _key_family(kind: Any) -> str:
    """Return the family of a key's type; FLOAT and DOUBLE differ, because 0.1 differs between them."""
    element = element_of(kind)
    return "float" if element is not None and element.id == "float" else family_of(element)


def _check_whole(source: Source, column: str, kind: str, session: DuckDB, side: str) -> None:
    """Raise `DataError` where a column of text that is to be read as whole numbers holds anything else."""
    check = templates.checks()["whole_ids"]
    tree = check.tree()
    own = exp.Column(this=identifier(column))
    whole = exp.TryCast(this=own, to=exp.DataType.build(kind, dialect="duckdb"))
    ids = exp.select(exp.alias_(own, "id"), exp.alias_(whole, "whole")).from_(source.relation.copy())
    for table in list(tree.find_all(exp.Table)):
        table.replace(ids.subquery("ids"))
    rows = session.rows(tree.limit(1))
    if rows:
        rule = check.head["Rule"].format(column=repr(column))
        raise DataError(f"{side} ({source.label}): {rule}, for example {rows[0][0]!r}. {check.head['Do']}")
