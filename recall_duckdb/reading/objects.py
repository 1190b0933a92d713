"""Frames and dicts of columns as DuckDB reads them.

DuckDB makes text of objects, leaves out the index of pandas, and knows no float16.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from numbers import Number
from types import MappingProxyType
from typing import Any, NamedTuple

from recall_duckdb import advice
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, commas, is_sound, kind_of, quote
from recall_duckdb.reading.cells import Cells, cells_of, is_list
from recall_duckdb.reading.source import Source

_MOST_SPARSE = 100  # columns to make dense although no argument names them; more may not fit in memory


class Settled(NamedTuple):
    """A frame that DuckDB reads as it is, without the columns that cannot be read."""

    frame: Any
    unordered: frozenset[str] = frozenset()  # columns that held sets, and are lists now
    faults: Mapping[str, str] = MappingProxyType({})  # columns that cannot be read, and why
    kinds: Mapping[str, str] = MappingProxyType({})  # of columns of lists, where Python's values have lost their types


def settle_cells(value: Any, side: str, names: Iterable[str] = ()) -> Settled:
    """Return a frame of pandas or polars with lists instead of sets and arrays; a Dataset of Hugging Face as a table.

    `names` are the columns that the question names.
    """
    package, name = type(value).__module__.partition(".")[0], type(value).__name__
    if (package, name) == ("datasets", "Dataset"):
        return Settled(_with_floats(value.with_format("arrow")[:]))
    if (package, name) == ("pyarrow", "Table"):
        return Settled(_with_floats(value))
    if name != "DataFrame" or package not in ("pandas", "polars"):
        return Settled(value)
    settled = _of_pandas(_with_index(_dense(value, side, names))) if package == "pandas" else _of_polars(value)
    if settled.faults and not len(settled.frame.columns):
        name, fault = next(iter(settled.faults.items()))
        raise ArgumentTypeError(f"column {quote(name)} {fault}", argument=side)
    return settled


def _dense(frame: Any, side: str, names: Iterable[str]) -> Any:
    """Return a frame of pandas without sparse columns, which DuckDB cannot read."""
    sparse = [number for number, dtype in enumerate(frame.dtypes) if type(dtype).__name__ == "SparseDtype"]
    if not sparse:
        return frame
    wanted = {name.casefold() for name in names}
    named = {number for number, name in enumerate(frame.columns) if str(name).casefold() in wanted}
    are_many = len(sparse) > _MOST_SPARSE
    if wanted and named.isdisjoint(sparse) and (len(sparse) == len(frame.columns) or (are_many and len(named) < 2)):
        raise _wide(frame.iloc[:, sparse], side)
    converted = named.intersection(sparse) if are_many else sparse
    dense = frame.copy(deep=False)
    for number in converted:
        dense.isetitem(number, frame.iloc[:, number].sparse.to_dense())
    left_out = set(sparse).difference(converted)
    return dense.iloc[:, [number for number in range(len(frame.columns)) if number not in left_out]]


def _wide(frame: Any, side: str) -> ArgumentTypeError:
    """Return the error for sparse columns of which no argument names one: there may be one for each item."""
    line = "frame.stack().dropna()"
    if all(dtype.fill_value == 0 for dtype in frame.dtypes):  # the items that are not stored have no score
        line = "coo = frame.sparse.to_coo(); pd.Series(coo.data, [frame.index[coo.row], frame.columns[coo.col]])"
    return ArgumentTypeError(
        f"{len(frame.columns):,} columns of the DataFrame are sparse, and no argument names one of them",
        argument=side,
        fix=(
            "If each is an item, make the query the index of the frame, and pass a Series with a row for each query "
            f"and item: {line}. The sparse columns: {commas(frame.columns)}"
        ),
    )


def _with_index(frame: Any) -> Any:
    """Return a frame of pandas with the named levels of its index as columns."""
    columns = {str(name).casefold() for name in frame.columns}
    levels = [name for name in frame.index.names if name is not None and str(name).casefold() not in columns]
    return frame.reset_index(level=levels) if levels else frame


def _of_pandas(frame: Any) -> Settled:
    unread = [number for number, dtype in enumerate(frame.dtypes) if _is_of_pandas_only(dtype)]
    faults = {
        str(frame.columns[number]): f"is of type {frame.dtypes.iloc[number]}, which DuckDB cannot read. Make it "
        + ("numbers: numpy.real(column)" if frame.dtypes.iloc[number].kind == "c" else "text: column.astype('string')")
        for number in unread
    }
    frame = frame.iloc[:, [number for number in range(len(frame.columns)) if number not in unread]] if unread else frame
    objects = [number for number, dtype in enumerate(frame.dtypes) if str(dtype) == "object"]
    columns = {number: cells_of(frame.iloc[:, number].to_numpy()) for number in objects}
    names = {number: str(frame.columns[number]) for number in objects}
    nested = [number for number, cells in columns.items() if _is_nested(cells)]
    frame = frame.copy(deep=False) if nested else frame
    for number in nested:
        frame.isetitem(number, type(frame.iloc[:, number])(columns[number].values, index=frame.index, dtype=object))
    faults |= {path: fault for number, cells in columns.items() for path, fault in cells.faults(names[number]).items()}
    faulty = [number for number, cells in columns.items() if cells.fault is not None]
    if faulty:
        frame = frame.iloc[:, [number for number in range(len(frame.columns)) if number not in faulty]]
    unordered = frozenset(names[number] for number, cells in columns.items() if cells.is_unordered)
    kinds = {names[number]: f"{kind}[]" for number in nested if (kind := columns[number].kind) is not None}
    return Settled(frame, unordered, faults, kinds)


def _is_of_pandas_only(dtype: Any) -> bool:
    """Return True for a type of pandas that DuckDB has no type for: periods, intervals and complex numbers."""
    if type(dtype).__name__ == "CategoricalDtype":
        return _is_of_pandas_only(dtype.categories.dtype)
    return type(dtype).__name__ in ("PeriodDtype", "IntervalDtype") or dtype.kind == "c"


def _is_nested(cells: Cells) -> bool:
    return cells.fault is None and any(isinstance(value, (list, dict)) for value in cells.values)


def _of_polars(frame: Any) -> Settled:
    import polars

    objects = [name for name, dtype in frame.schema.items() if str(dtype) == "Object"]
    fault = "holds Python objects, which polars gives to no other package. Make it lists, or single values, in polars"
    frame = frame.drop(objects) if objects else frame
    halves = [name for name, dtype in frame.schema.items() if str(dtype) == "Float16"]
    frame = frame.cast(dict.fromkeys(halves, polars.Float32)) if halves else frame
    return Settled(frame, faults=dict.fromkeys(objects, fault))


def _with_floats(table: Any) -> Any:
    """Return a table of pyarrow with 32 bits for floats of 16 bits, which DuckDB cannot read."""
    import pyarrow

    for number, column in enumerate(table.schema):
        if pyarrow.types.is_float16(column.type):
            table = table.set_column(number, column.name, table.column(number).cast(pyarrow.float32()))
    return table


def load_columns(columns: Mapping[Any, Any], session: DuckDB, side: str, role: str, label: str) -> Source:
    """Return a table of the columns of a dict; columns that cannot be read are left out, and refused if read."""
    _check_columns(columns, side)
    rows = len(next(iter(columns.values())))
    if all(_is_plain_array(values) for values in columns.values()):
        relation = session.bind({name: _native(values) for name, values in columns.items()}, role)
        return Source(relation, session.describe(relation), label, rows)
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
    return Source(relation, session.describe(relation), label, rows, blank=blank, unordered=unordered, faults=faults)


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
                more = f". {advice.files.single_items(side)}"
            elif numbers and all(map(_is_number_in_text, numbers.values())):
                more = (
                    ". If these are numbers of items, they are text: pass {query: {item: float(number) for item, "
                    f"number in items.items()}} for query, items in {side.partition(' ')[0]}.items()}}"
                )
            raise ArgumentTypeError(
                f"a dict of columns holds lists or arrays by column name, but {quote(name)} is "
                f"{kind_of(values)}{plain}{more}",
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
