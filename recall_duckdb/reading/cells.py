"""The cells of a column of Python objects: single values, lists or maps, as DuckDB takes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from itertools import chain, islice
from numbers import Number
from typing import Any
from uuid import UUID

from recall_duckdb.errors import kind_of, quote

# What arrays, series and tensors of other packages have.
_TO_LIST = ("tolist", "to_list", "to_pylist")
_FRAMES = ("DataFrame", "LazyFrame", "Table", "RecordBatch", "Dataset")
_SETS = (set, frozenset)
_LISTS = (list, tuple, range, deque, KeysView, ValuesView, *_SETS)
_SINGLE = (str, bytes, Number, date, time, timedelta, UUID)
# Unsigned types, in which the highest number may only fill up a list: as Python's integers they would lose it.
_UNSIGNED = {"uint32": "UINTEGER", "uint64": "UBIGINT"}


@dataclass(frozen=True)
class Cells:
    """The cells of a column.

    Attributes:
        values: a list of single values, of lists, or of maps as DuckDB takes them; None for a missing one.
        is_unordered: True if a cell was a set.
        kind: the type of the ids in DuckDB, where Python's value has lost it; None otherwise.
        fault: why the column cannot be read, as a message says it after its name; None if it can.
        field_faults: the same for fields of objects in lists, by path, such as `id` or `document.id`.
    """

    values: list[Any]
    is_unordered: bool = False
    kind: str | None = None
    fault: str | None = None
    field_faults: Mapping[str, str] = field(default_factory=dict)

    def faults(self, column: str) -> dict[str, str]:
        """Return the faults by the names that reach them: the column, and paths into it."""
        if self.fault is not None:
            return {column: self.fault}
        return {f"{column}.{path}": fault for path, fault in self.field_faults.items()}


def is_list(value: object) -> bool:
    """Return True for a list, a set, or an array, series or tensor of at least one dimension."""
    return isinstance(value, _LISTS) or is_array(value)


def is_array(value: object) -> bool:
    """Return True for an array, series or tensor of at least one dimension."""
    return _is_array_type(type(value)) and getattr(value, "ndim", 1) > 0


def are_numbers(values: Sequence[object]) -> bool:
    """Return True if all values are numbers, also of NumPy or in tensors without a dimension, or missing."""
    others = {each for each in set(map(type, values)) if not issubclass(each, (Number, type(None)))}
    if any(not hasattr(each, "tolist") or issubclass(each, (str, bytes)) for each in others):
        return False
    return all(getattr(value, "ndim", 1) == 0 for value in values if type(value) in others)


def has_lists(values: Any) -> bool:
    """Return True if a cell of a column is a list, set or array."""
    if is_array(values) and getattr(values, "ndim", 1) > 1:
        return True
    are_numbers_only = getattr(getattr(values, "dtype", None), "kind", "O") in "biuf"
    may_be_lists = not are_numbers_only and any(form_of(each) == "list" for each in set(map(type, values)))
    return may_be_lists and any(map(is_list, values))  # a tensor may have no dimension


def is_sparse(value: object) -> bool:
    """Return True for a sparse matrix or array of SciPy."""
    return type(value).__module__.startswith("scipy.sparse")


def is_matrix(value: object) -> bool:
    """Return True for an array or tensor of two dimensions."""
    return is_array(value) and getattr(value, "ndim", 1) == 2


def is_series(value: object) -> bool:
    """Return True for a Series of pandas."""
    return type(value).__name__ == "Series" and type(value).__module__.partition(".")[0] == "pandas"


def pairs_of_series(series: Any) -> Iterator[tuple[Any, Any]]:
    """Return the pairs of index and value of a Series of pandas."""
    return zip(series.index.tolist(), series.tolist(), strict=True)


def to_list(values: Any) -> list[Any]:
    """Return the values of a list or array as Python's values; NaN that NumPy has made text of is None."""
    # NumPy makes text of 32 letters a value or more, of four bytes each, of text and floats.
    if type(values).__module__ == "numpy" and values.dtype.kind == "U" and values.dtype.itemsize >= 4 * 32:
        values = values.astype(object)
        values[values == "nan"] = None
    method = next((each for each in _TO_LIST if hasattr(values, each)), None)
    return list(values) if method is None else list(getattr(values, method)())


def cells_of(values: Iterable[Any]) -> Cells:
    """Return the cells of a column as DuckDB takes them, or why they cannot be read."""
    kind, given = _unsigned_type(values), to_list(values)
    cells, types = _plain(given), set(map(type, given))
    if any(map(_is_array_type, types)):
        kinds = {_unsigned_type(value) for value in given}
        kind = kinds.pop() if len(kinds) == 1 else kind
    forms = _forms(cells)
    first = {form: next((row, each) for row, each in enumerate(cells) if form_of(type(each)) == form) for form in forms}
    if "other" in forms:
        row, value = first["other"]
        return Cells(
            cells, fault=f"holds {kind_of(value)} in row {row}, which is no id. Make its values text or numbers"
        )
    if len(forms) > 1:
        (row, value), (other, second), *_ = sorted(first.values(), key=lambda cell: cell[0])
        fault = (
            f"mixes lists, maps and single values: row {row} holds {quote(value)}, row {other} holds {quote(second)}"
        )
        return Cells(cells, fault=f"{fault}. Make all of them lists, or none")
    if "list" in forms:
        return _lists(cells, any(issubclass(each, _SETS) for each in types), kind)
    return _maps(cells) if "map" in forms else Cells(cells, kind=kind, fault=_mixture(cells))


def _lists(values: Sequence[Any], are_sets: bool, kind: str | None) -> Cells:
    lists = [None if value is None else list(value) for value in values]
    given = list(chain.from_iterable(filter(None, lists)))
    leaves, faults = _plain(given), dict[str, str]()
    if {"map"} == (forms := _forms(leaves)):
        leaves, faults = _objects(leaves)
    elif not forms <= {"single"}:
        rows = [row for row, items in enumerate(lists) for _ in items or ()]
        place = next(place for place, each in enumerate(leaves) if form_of(type(each)) not in ("single", "missing"))
        fault = f"holds lists of values that are no ids, such as {quote(leaves[place])} in row {rows[place]}"
        fault += ". Take the id out of each one, or make a row for each item"
        return Cells(lists, are_sets, kind, fault)
    if leaves is not given:
        rest = iter(leaves)
        lists = [None if items is None else list(islice(rest, len(items))) for items in lists]
    return Cells(lists, are_sets, kind, None if forms == {"map"} else _mixture(leaves), faults)


def _maps(maps: Sequence[Any]) -> Cells:
    names = _plain(list(chain.from_iterable(filter(None, maps))))
    if any(name is None or name != name for name in names):  # noqa: PLR0124
        return Cells([], fault="holds a map with NaN or None as a key, which is no id. Remove this key")
    values = _plain([value for each in maps for value in (each or {}).values()])
    values = _objects(values)[0] if _forms(values) == {"map"} else values
    keys, rest = iter(names), iter(values)
    entries = [
        None if each is None else {"key": list(islice(keys, len(each))), "value": list(islice(rest, len(each)))}
        for each in maps
    ]
    return Cells(entries, fault=_mixture(names))


def _objects(objects: Sequence[Any]) -> tuple[list[Any], dict[str, str]]:
    """Return objects such that all have the same fields, as DuckDB expects; and why fields cannot be read, by path."""
    fields, faults = dict[Any, list[Any]](), dict[str, str]()
    for name in dict.fromkeys(chain.from_iterable(filter(None, objects))):
        fields[name] = _plain([each and each.get(name) for each in objects])
        if _forms(fields[name]) == {"map"}:
            fields[name], inner = _objects(fields[name])
            faults |= {f"{name}.{path}": fault for path, fault in inner.items()}
        elif (fault := _mixture(fields[name])) is not None:
            faults[name] = fault
    return [each and {name: column[row] for name, column in fields.items()} for row, each in enumerate(objects)], faults


def _mixture(values: Sequence[Any]) -> str | None:
    """Return a fault for text among other values: DuckDB would make all of them text, and 7 equal to "7"."""
    by_type = {type(value): value for value in reversed(values) if value is not None}
    examples = {issubclass(each, str): value for each, value in by_type.items()}
    if len(examples) < 2:
        return None
    return (
        f"mixes text and other values, such as {quote(examples[True])} and {quote(examples[False])}. Make all of them "
        "text, as in [item if item is None or item != item else str(item) for item in items], or none"
    )


def _plain(values: list[Any]) -> list[Any]:
    """Return Python's values; None for what is missing, and for NaN unless all are numbers."""
    types = set(map(type, values))
    if types <= {str} or types <= {int} or types <= {float}:
        return values
    if any(hasattr(each, "tolist") or _is_array_type(each) for each in types):
        values = list(map(_bare, values))
        types = set(map(type, values))
    missing = {each for each in types if form_of(each) == "missing"}
    if float in types and any(issubclass(each, str) or form_of(each) != "single" for each in types - missing):
        values = [None if isinstance(each, float) and each != each else each for each in values]  # noqa: PLR0124
    return [None if type(each) in missing else each for each in values] if missing - {type(None)} else values


def _forms(values: Iterable[Any]) -> set[str]:
    return set(map(form_of, set(map(type, values)))) - {"missing"}


def _bare(value: Any) -> Any:
    """Return an array, a tensor or a value of NumPy as Python's value."""
    if isinstance(value, str):  # also NumPy's text
        return str(value)
    return to_list(value) if is_array(value) else value.tolist() if hasattr(value, "tolist") else value


def _unsigned_type(values: object) -> str | None:
    """Return the type of the unsigned numbers in an array; None for any other value."""
    dtype = str(getattr(values, "dtype", getattr(values, "type", "")))
    return _UNSIGNED.get(dtype.rpartition(".")[2].casefold())  # torch.uint32, UInt32


def form_of(kind: type) -> str:
    """Return the form of a cell of a type: list, map, single, missing or other."""
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType"):
        return "missing"
    if issubclass(kind, Mapping):
        return "map"
    if issubclass(kind, _LISTS) or _is_array_type(kind):
        return "list"
    return "single" if issubclass(kind, _SINGLE) else "other"


def _is_array_type(kind: type) -> bool:
    """Return True for a type of arrays, series or tensors, which may have no dimension."""
    is_sized = hasattr(kind, "__len__") and not issubclass(kind, (str, bytes, Mapping, *_LISTS))
    return is_sized and kind.__name__ not in _FRAMES and any(hasattr(kind, method) for method in _TO_LIST)
