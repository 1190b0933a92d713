"""Makes a table of a dict of columns: lists and arrays of values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from numbers import Number
from typing import Any

from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, is_sound, kind_of, quote
from recall_duckdb.inputs.cells import cells_of, is_list
from recall_duckdb.inputs.source import Source
from recall_duckdb.inputs.unreadable import single_items


def load(columns: Mapping[Any, Any], session: DuckDB, side: str, role: str, label: str) -> Source:
    """Return a table of the columns of a dict; columns that cannot be read are left out, and refused if they are read.

    Raises:
        ArgumentError: columns differ in length, or there is none.
        ArgumentTypeError: a value is no column, or no column can be read.
    """
    _check_columns(columns, side)
    if all(_is_plain_array(values) for values in columns.values()):
        relation = session.bind({name: _native(values) for name, values in columns.items()}, role)
        return Source(relation, session.describe(relation), label)
    table = {name: cells_of(_native(values) if _is_plain_array(values) else values) for name, values in columns.items()}
    faults = {path: fault for name, cells in table.items() for path, fault in cells.faults(name).items()}
    sound = {name: cells for name, cells in table.items() if cells.fault is None}
    if not sound:
        name, fault = next(iter(faults.items()))
        raise ArgumentTypeError(f"column {quote(name)} {fault}", argument=side)
    kinds = {name: cells.kind for name, cells in sound.items() if cells.kind is not None}
    relation = session.load({name: cells.values for name, cells in sound.items()}, role, kinds)
    blank = frozenset(name for name, cells in sound.items() if _is_blank(cells.values))
    unordered = frozenset(name for name, cells in sound.items() if cells.is_unordered)
    return Source(relation, session.describe(relation), label, blank=blank, unordered=unordered, faults=faults)


def _check_columns(columns: Mapping[Any, Any], side: str) -> None:
    if not columns:
        raise ArgumentError(
            "the dict is empty", argument=side, fix="Give its columns, such as {'query': […], 'item': […]}"
        )
    for name, values in columns.items():
        if isinstance(name, str) and not is_sound(name):
            raise ArgumentError(f"{quote(name)} cannot be a column name", argument=side)
        if not isinstance(name, str) or not is_list(values):
            plain = " without a dimension" if hasattr(values, "tolist") else ""
            above = (
                f". If {quote(name)} is a split or another name above the queries, pass what it holds: "
                "{query: {item: number}}"
            )
            more = above if isinstance(values, Mapping) else ""
            numbers = values if isinstance(values, Mapping) else columns
            if isinstance(values, (str, Number)) and side in ("run", "qrels"):
                more = f". {single_items(side)}"
            elif numbers and all(map(_is_number_in_text, numbers.values())):
                more = (
                    ". If these are numbers of items, they are text: pass {query: {item: float(number) for item, "
                    f"number in items.items()}} for query, items in {side.partition(' ')[0]}.items()}}"
                )
            raise ArgumentTypeError(
                (
                    f"a dict of columns holds lists or arrays by column name, but {quote(name)} is "
                    f"{kind_of(values)}{plain}{more}"
                ),
                argument=side,
            )
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        details = ", ".join(f"{quote(name)} has {length}" for name, length in lengths.items())
        raise ArgumentError(f"columns of different length: {details}", argument=side)


def _is_number_in_text(value: object) -> bool:
    return (
        isinstance(value, str)
        and re.fullmatch(r"\s*[-+]?[0-9.]+(?:e[-+]?[0-9]+)?\s*", value, re.IGNORECASE) is not None
    )


def _is_blank(value: object) -> bool:
    """Return True if a list, with the lists and maps inside it, holds no value."""
    if isinstance(value, dict):  # a map has keys, and an object has fields
        return _is_blank(value.get("key", list(value)))
    return value is None or (isinstance(value, list) and all(map(_is_blank, value)))


def _is_plain_array(values: object) -> bool:
    dtype = getattr(values, "dtype", None)
    return (
        type(values).__module__ == "numpy" and getattr(values, "ndim", 0) == 1 and getattr(dtype, "kind", "") in "iuf"
    )


def _native(values: Any) -> Any:
    """Convert an array of numbers to what DuckDB accepts: native byte order, at most 8 bytes each."""
    dtype = values.dtype.newbyteorder("=")
    return values.astype("float64" if dtype.kind == "f" and dtype.itemsize > 8 else dtype, copy=False)
