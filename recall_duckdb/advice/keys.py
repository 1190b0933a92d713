"""Writes the errors about ids of different types, with what makes them comparable."""

from __future__ import annotations

from sqlglot import exp

from recall_duckdb.definitions import templates
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentTypeError, quote, spell
from recall_duckdb.reading.columns import Reader, element_of, family_of
from recall_duckdb.reading.keys import single_ids

_Column = tuple[Reader, str]


def unlike_types(one: _Column, other: _Column, session: Session, *, hint: bool, look: bool) -> ArgumentTypeError:
    """Return the error for two columns of ids that do not compare exactly.

    With `hint`, the reader can pass `ids='text'`. With `look`, look at the ids for what helps.
    """
    (first, name), (second, column) = one, other
    fix = "Cast one of them"
    if hint and _may_be_text(*one) and _may_be_text(*other):
        fix = _what_helps(one, other, session if look else None)
    return ArgumentTypeError(
        f"{first.side} and {second.side} differ in type: column {name!r} of {first.side} is "
        f"{element_of(first.kind(name))}, column {column!r} of {second.side} is {element_of(second.kind(column))}; "
        "ids compare within one type",
        fix=fix,
    )


def _may_be_text(reader: Reader, column: str) -> bool:
    """Return True if ids='text' reads a column: not floating-point numbers in lists, which have no shortest text."""
    is_list = family_of(reader.kind(column)) in ("list", "map")
    return not is_list or family_of(element_of(reader.kind(column))) != "number"


def _what_helps(one: _Column, other: _Column, session: Session | None) -> str:
    """Return what makes the ids of two columns comparable. Without a session of DuckDB, no id is looked at."""
    as_text = f"Cast one of them, or pass {spell('ids', 'text')}"
    if not isinstance(session, DuckDB):
        return f"{as_text} if both sides write an id in the same way"
    texts = {"ids": _as_texts(*one), "other_ids": _as_texts(*other)}
    statement = templates.relations()["alike_ids"][""].filled({}, texts)
    [(equal, spelling, other_spelling, example, other_example)] = session.rows(statement)
    if equal:
        return as_text
    if spelling is not None:
        return (
            f"As text, the ids would still differ, such as {quote(spelling)} and {quote(other_spelling)}. Write them "
            "in the same way on both sides"
        )
    return (
        f"As text, no id of one is an id of the other, for example {quote(example)} and {quote(other_example)}. Name "
        "columns that hold the same ids"
    )


def _as_texts(reader: Reader, column: str) -> exp.Select:
    """Return the ids of a column as the text that ids='text' makes of them."""
    same = Reader(reader.source, reader.side)
    same.read_as_text(column)
    argument = column if reader.source.is_canonical else "item"  # which decides the column of such a source
    ids: exp.Expr = same.key(argument, column, "id").expression
    return single_ids(reader, column, ids)
