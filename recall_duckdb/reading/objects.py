"""Frames and dicts of columns as DuckDB reads them.

DuckDB makes text of objects, leaves out the index of pandas, and knows no float16.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from numbers import Number
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.engines import Columns, DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, commas, is_sound, kind_of, quote
from recall_duckdb.reading.cells import cells_of, is_list
from recall_duckdb.reading.source import Source, repeated_names

_MOST_SPARSE = 100  # columns to make dense although no argument names them; more may not fit in memory


def described(session: DuckDB, relation: exp.Expr, side: str, label: str) -> Columns:
    """Return the columns of a relation; raises `DataError` if DuckDB cannot read it."""
    try:
        return session.describe(relation)
    except duckdb.Error as error:
        raise DataError(f"{label} cannot be read: {error}", argument=side) from error


def load_object(value: Any, session: DuckDB, side: str, role: str, names: Iterable[str], label: str) -> Source:
    """Return the relation that a frame, table or DuckDB relation holds; columns that cannot be read are left out.

    `names` are the columns that the question names.
    """
    kind = (type(value).__module__.partition(".")[0], type(value).__name__)
    is_relation = isinstance(value, duckdb.DuckDBPyRelation)
    frame, faults = value, dict[str, str]()  # columns that cannot be read, and why
    kinds, unordered = dict[str, str](), set[str]()
    if kind in (("datasets", "Dataset"), ("pyarrow", "Table")):
        frame = _with_floats(value.with_format("arrow")[:] if kind[1] == "Dataset" else value)
    elif kind == ("pandas", "DataFrame"):
        frame, kinds, unordered = _of_pandas(_dense(value, side, names), faults)
    elif kind == ("polars", "DataFrame"):
        frame = _of_polars(value, faults)
    if faults and not len(frame.columns):
        name, fault = next(iter(faults.items()))
        raise ArgumentTypeError(f"column {quote(name)} {fault}", argument=side)
    relation: exp.Expr = session.bind(frame, role)
    if kinds:
        casts = {
            name: exp.cast(trees.column(name, quoted=True), each, dialect="duckdb") for name, each in kinds.items()
        }
        star = exp.Star(replace=[exp.alias_(cast, name, quoted=True) for name, cast in casts.items()])
        relation = exp.select(star).from_(relation).subquery("typed")
    columns = described(session, relation, side, label)
    written = frame.schema.names if kind[0] == "pyarrow" else None
    if kind[0] == "pandas" or is_relation:
        written = getattr(frame, "columns", None)  # a Series has none
    rows = len(value) if hasattr(value, "__len__") and not is_relation else None
    return Source(
        relation,
        columns,
        label,
        rows,
        blank=frozenset(columns) if rows == 0 else frozenset(),
        may_collate=is_relation,
        repeated=repeated_names(columns, None if written is None else lambda: map(str, written)),
        unordered=frozenset(unordered),
        faults=faults,
    )


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


def _of_pandas(frame: Any, faults: dict[str, str]) -> tuple[Any, dict[str, str], set[str]]:
    """Return a frame without the columns that have faults, the types that lists have lost, and the columns of sets.

    The named levels of its index become columns, and sets and arrays lists.
    """
    columns = {str(name).casefold() for name in frame.columns}
    levels = [name for name in frame.index.names if name is not None and str(name).casefold() not in columns]
    frame = (frame.reset_index(level=levels) if levels else frame).copy(deep=False)
    kinds: dict[str, str] = {}
    unordered: set[str] = set()
    unread = [number for number, dtype in enumerate(frame.dtypes) if _is_of_pandas_only(dtype)]
    for number in unread:
        dtype = frame.dtypes.iloc[number]
        way = "numbers: numpy.real(column)" if dtype.kind == "c" else "text: column.astype('string')"
        faults[str(frame.columns[number])] = f"is of type {dtype}, which DuckDB cannot read. Make it {way}"
    for number in [number for number, dtype in enumerate(frame.dtypes) if str(dtype) == "object"]:
        name, column = str(frame.columns[number]), frame.iloc[:, number]
        cells = cells_of(column.to_numpy())
        faults.update(cells.faults(name))
        unordered |= {name} if cells.is_unordered else set()
        if cells.fault is not None:
            unread.append(number)
        elif any(isinstance(value, (list, dict)) for value in cells.values):
            frame.isetitem(number, type(column)(cells.values, index=frame.index, dtype=object))
            kinds |= {} if cells.kind is None else {name: f"{cells.kind}[]"}
    read = [number for number in range(len(frame.columns)) if number not in unread]
    return frame.iloc[:, read] if unread else frame, kinds, unordered


def _is_of_pandas_only(dtype: Any) -> bool:
    """Return True for a type of pandas that DuckDB has no type for: periods, intervals and complex numbers."""
    if type(dtype).__name__ == "CategoricalDtype":
        return _is_of_pandas_only(dtype.categories.dtype)
    return type(dtype).__name__ in ("PeriodDtype", "IntervalDtype") or dtype.kind == "c"


def _of_polars(frame: Any, faults: dict[str, str]) -> Any:
    import polars

    objects = [name for name, dtype in frame.schema.items() if str(dtype) == "Object"]
    fault = "holds Python objects, which polars gives to no other package. Make it lists, or single values, in polars"
    faults |= dict.fromkeys(objects, fault)
    frame = frame.drop(objects) if objects else frame
    halves = [name for name, dtype in frame.schema.items() if str(dtype) == "Float16"]
    return frame.cast(dict.fromkeys(halves, polars.Float32)) if halves else frame


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
        found = session.describe(relation)
        return Source(relation, found, label, rows, repeated=repeated_names(found, lambda: columns))
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
    found = session.describe(relation)
    repeated = repeated_names(found, lambda: columns)
    return Source(relation, found, label, rows, blank=blank, unordered=unordered, faults=faults, repeated=repeated)


def _check_columns(columns: Mapping[Any, Any], side: str) -> None:
    if not columns:
        fix = "Give its columns, such as {'query': […], 'item': […]}"
        raise ArgumentError("the dict is empty", argument=side, fix=fix)
    for name, values in columns.items():
        if isinstance(name, str) and not is_sound(name):
            raise ArgumentError(f"{quote(name)} cannot be a column name", argument=side)
        if isinstance(name, str) and is_list(values):
            continue
        numbers, more = columns, ""
        if isinstance(values, Mapping):
            numbers = values
            more = (
                f". If {quote(name)} is a split or another name above the queries, pass what it holds: "
                "{query: {item: number}}"
            )
        if isinstance(values, (str, Number)) and side in ("run", "qrels"):
            more = f". {advice.files.single_items(side)}"
        elif numbers and all(map(_is_number_in_text, numbers.values())):
            more = (
                ". If these are numbers of items, they are text: pass {query: {item: float(number) for item, number in "
                f"items.items()}} for query, items in {side.partition(' ')[0]}.items()}}"
            )
        plain = " without a dimension" if hasattr(values, "tolist") else ""
        raise ArgumentTypeError(
            f"a dict of columns holds lists or arrays by column name, but {quote(name)} is {kind_of(values)}{plain}"
            f"{more}",
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
