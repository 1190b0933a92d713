"""Makes a table of a dict of columns: lists and arrays of values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

from sqlglot import exp

from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, is_sound


def load(columns: Mapping[Any, Any], session: DuckDB, side: str, role: str) -> tuple[exp.Table, frozenset[str]]:
    """Return a table of the columns of a dict, and which of them hold no value."""
    if not columns:
        raise ArgumentError(f"{side}: the dict is empty. Give its columns, such as {{'query': […], 'item': […]}}")
    for name, values in columns.items():
        if isinstance(name, str) and not is_sound(name):
            raise ArgumentError(f"{side}: {name!r} cannot be a column name")
        if not isinstance(name, str) or isinstance(values, (str, bytes)) or not hasattr(values, "__len__"):
            raise ArgumentTypeError(
                f"{side}: a dict of columns holds lists or arrays by column name, "
                f"but {name!r} is a {type(values).__name__}"
            )
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name!r} has {length}" for name, length in lengths.items())
        raise ArgumentError(f"{side}: columns of different length: {said}")
    if columns and all(_is_plain_array(values) for values in columns.values()):
        return session.bind({name: _native(values) for name, values in columns.items()}, role), frozenset()
    plain = {name: _without_nan([_plain(value) for value in _listed(values)]) for name, values in columns.items()}
    for name, values in plain.items():
        _check_mixed(name, values, side)
    return session.load(plain, role), frozenset(name for name, values in plain.items() if _is_blank(values))


def _without_nan(values: list[Any]) -> list[Any]:
    """Replace NaN, which marks missing text in pandas, by None."""
    if not any(isinstance(value, str) for value in values):
        return values
    return [None if isinstance(value, float) and isnan(value) else value for value in values]


def _check_mixed(name: str, values: list[Any], side: str) -> None:
    """Refuse a column of text and other values: DuckDB would make all of them text, and 7 equal to "7"."""
    found: dict[bool, object] = {}
    for value in _leaves(values):
        found.setdefault(isinstance(value, str), value)
    if len(found) > 1:
        raise ArgumentTypeError(
            f"{side}: column {name!r} mixes text and other values, such as {found[True]!r} and {found[False]!r}. "
            "Make all of them text, or none"
        )


def _leaves(value: object) -> Iterator[object]:
    """Yield the ids in a list, and in the lists and maps inside it."""
    if isinstance(value, list):
        for held in value:
            yield from _leaves(held)
    elif isinstance(value, dict):
        yield from _leaves(value["key"])
    elif value is not None:
        yield value


def _is_blank(value: object) -> bool:
    """Return True if a list, with the lists and maps inside it, holds no value."""
    if isinstance(value, dict):
        return _is_blank(value["key"])
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


def _listed(values: Any) -> list[Any]:
    if _is_plain_array(values):
        values = _native(values)
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(values, method):
            return list(getattr(values, method)())
    return list(values)


def _plain(value: Any) -> Any:
    """Convert a cell to what DuckDB accepts: a set to a list, a NumPy value to a Python value."""
    if isinstance(value, Mapping):
        return {"key": [_plain(key) for key in value], "value": [_plain(held) for held in value.values()]}
    if isinstance(value, (set, frozenset, list, tuple)):
        return [_plain(held) for held in value]
    return _plain(value.tolist()) if hasattr(value, "tolist") else value
