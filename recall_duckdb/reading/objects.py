"""Frames and dicts of columns as DuckDB reads them.

DuckDB makes text of objects, leaves out the index of pandas, and knows no float16.
"""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Number
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.engines import Columns, DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, is_sound, kind_of, quote
from recall_duckdb.reading.cells import cells_of, is_list
from recall_duckdb.reading.source import Source, repeated_names
from recall_duckdb.reading.usual_names import is_number


def described(session: DuckDB, relation: exp.Expr, side: str, label: str) -> Columns:
    """Return the columns of a relation; raises `DataError` if DuckDB cannot read it."""
    try:
        return session.describe(relation)
    except duckdb.Error as error:
        raise DataError(f"{label} cannot be read: {error}", argument=side) from error


def load_object(value: Any, session: DuckDB, side: str, role: str, label: str) -> Source:
    """Return the relation that a frame, table or DuckDB relation holds; columns that cannot be read are left out."""
    kind = (type(value).__module__.partition(".")[0], type(value).__name__)
    is_relation = isinstance(value, duckdb.DuckDBPyRelation)
    frame, faults = value, dict[str, str]()  # columns that cannot be read, and why
    kinds, unordered = dict[str, str](), set[str]()
    if kind in (("datasets", "Dataset"), ("pyarrow", "Table")):
        frame = _with_floats(value.with_format("arrow")[:] if kind[1] == "Dataset" else value)
    elif kind == ("pandas", "DataFrame"):
        frame, kinds, unordered = _of_pandas(value, faults)
    elif kind == ("polars", "DataFrame"):
        frame = _of_polars(value, faults)
    if faults and not len(frame.columns):
        raise _unreadable(faults, side)
    relation: exp.Expr = session.bind(frame, role)
    if kinds:
        casts = [
            exp.alias_(exp.cast(trees.column(name, quoted=True), each, dialect="duckdb"), name, quoted=True)
            for name, each in kinds.items()
        ]
        relation = exp.select(exp.Star(replace=casts)).from_(relation).subquery("typed")
    columns = described(session, relation, side, label)
    written = frame.schema.names if kind[0] == "pyarrow" and hasattr(frame, "schema") else None
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
        unordered=frozenset(unordered),
        faults=faults | repeated_names(columns, None if written is None else lambda: map(str, written)),
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
    unread: list[int] = []
    for number, dtype in enumerate(frame.dtypes):
        name = str(frame.columns[number])
        if (way := _way_to_read(dtype, name)) is not None:
            if all(type(each).__name__ == "SparseDtype" for each in frame.dtypes):  # a column for each item
                way = "a Series: coo = frame.sparse.to_coo(); " + _ROWS_OF_SPARSE
            faults[name] = f"is of type {dtype}, which DuckDB cannot read. Make it {way}"
            unread.append(number)
        if str(dtype) != "object":
            continue
        column = frame.iloc[:, number]
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


_ROWS_OF_SPARSE = "pd.Series(coo.data, [frame.index[coo.row], frame.columns[coo.col]])"


def _way_to_read(dtype: Any, name: object) -> str | None:
    """Return what to make of a type of pandas that DuckDB has no type for; None for others."""
    dtype = dtype.categories.dtype if type(dtype).__name__ == "CategoricalDtype" else dtype
    if type(dtype).__name__ == "SparseDtype":
        return f"dense: frame[{name!r}].sparse.to_dense()"
    if type(dtype).__name__ in ("PeriodDtype", "IntervalDtype"):
        return f"text: frame[{name!r}].astype('string')"
    return f"numbers: numpy.real(frame[{name!r}])" if dtype.kind == "c" else None


def _of_polars(frame: Any, faults: dict[str, str]) -> Any:
    objects = [name for name, dtype in frame.schema.items() if str(dtype) == "Object"]
    fault = "holds Python objects, which polars gives to no other package. Make it lists, or single values, in polars"
    faults |= dict.fromkeys(objects, fault)
    frame = frame.drop(objects) if objects else frame
    return _with_floats(frame.to_arrow()) if "Float16" in map(str, frame.dtypes) else frame


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
        return Source(relation, found, label, rows, faults=repeated_names(found, lambda: columns))
    table = {name: cells_of(_native(values) if _is_plain_array(values) else values) for name, values in columns.items()}
    faults = {path: fault for name, cells in table.items() for path, fault in cells.faults(name).items()}
    sound = {name: cells for name, cells in table.items() if cells.fault is None}
    if not sound:
        raise _unreadable(faults, side)
    kinds = {name: cells.kind for name, cells in sound.items() if cells.kind is not None}
    relation = session.load({name: cells.values for name, cells in sound.items()}, role, kinds)
    blank = frozenset(name for name, cells in sound.items() if _is_blank(cells.values))
    unordered = frozenset(name for name, cells in sound.items() if cells.is_unordered)
    found = session.describe(relation)
    faults |= repeated_names(found, lambda: columns)
    return Source(relation, found, label, rows, blank=blank, unordered=unordered, faults=faults)


def _check_columns(columns: Mapping[Any, Any], side: str) -> None:
    if not columns:
        fix = "Give its columns, such as {'query': […], 'item': […]}"
        raise ArgumentError("the dict is empty", argument=side, fix=fix)
    for name, values in columns.items():
        if isinstance(name, str) and not is_sound(name):
            raise ArgumentError(f"{quote(name)} cannot be a column name", argument=side)
        if isinstance(name, str) and is_list(values):
            continue
        plain = " without a dimension" if hasattr(values, "tolist") else ""
        text = f"a dict of columns holds lists or arrays by column name, but {quote(name)} is {kind_of(values)}{plain}"
        raise ArgumentTypeError(text, argument=side, fix=_instead(name, values, columns, side))
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        details = ", ".join(f"{quote(name)} has {length}" for name, length in lengths.items())
        raise ArgumentError(f"columns of different length: {details}", argument=side)


def _instead(name: object, values: object, columns: Mapping[Any, Any], side: str) -> str:
    """Return what to pass instead of a dict whose value of this name is no column."""
    numbers = values if isinstance(values, Mapping) else columns
    if isinstance(values, (str, Number)) and side in ("run", "qrels"):
        return advice.files.single_items(side)
    if numbers and all(isinstance(each, str) and is_number(each) for each in numbers.values()):
        return (
            "If these are numbers of items, pass {query: {item: float(number) for item, number in items.items()} for "
            f"query, items in {side.partition(' ')[0]}.items()}}"
        )
    if not isinstance(values, Mapping):
        return ""
    return f"If {quote(name)} is a split or another name above the queries, pass what it holds"


def _unreadable(faults: Mapping[str, str], side: str) -> ArgumentTypeError:
    name, fault = next(iter(faults.items()))
    return ArgumentTypeError(f"column {quote(name)} {fault}", argument=side)


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
