"""The cells of a column of Python objects: single values, lists or maps, as DuckDB takes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from itertools import chain
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
_PLAIN = ("single", "missing")
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
    may_be_lists = not are_numbers_only and any(_form(each) == "list" for each in set(map(type, values)))
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
    method = next((each for each in _TO_LIST if hasattr(values, each)), None)
    items = list(values) if method is None else list(getattr(values, method)())
    dtype = getattr(values, "dtype", None)
    # NumPy makes text of 32 letters a value or more, of four bytes each, of text and floats.
    is_wide = getattr(dtype, "kind", "") == "U" and getattr(dtype, "itemsize", 0) >= 4 * 32
    return _without_text_of_nan(items) if is_wide and type(values).__module__ == "numpy" else items


def cells_of(values: Iterable[Any]) -> Cells:
    """Return the cells of a column as DuckDB takes them, or why they cannot be read."""
    kind, cells = _unsigned_type(values), to_list(values)
    types = set(map(type, cells))
    if types <= {str} or types <= {int} or types <= {float}:
        return Cells(cells, kind=kind)
    kinds = {_unsigned_type(value) for value in cells} if any(map(_is_array_type, types)) else {kind}
    cells = list(map(_bare, cells)) if any(map(_is_foreign, types)) else cells
    if len(_forms(cells)) > 1 and float in set(map(type, cells)):  # pandas marks missing cells by NaN
        cells = [None if value != value else value for value in cells]  # noqa: PLR0124
    if any(_form(each) == "missing" and each is not type(None) for each in types):
        cells = [None if _form(type(value)) == "missing" else value for value in cells]
    forms = _forms(cells)
    fault = _fault(cells, forms)
    if fault is not None:
        return Cells(cells, fault=fault)
    if "list" in forms:
        are_sets = any(issubclass(each, _SETS) for each in types)
        return _lists(cells, are_sets, kinds.pop() if len(kinds) == 1 else kind)
    if "map" in forms:
        return _maps(cells)
    single = _without_nan(cells)
    return Cells(single, kind=kind, fault=_mixture(single))


def _forms(values: Iterable[Any]) -> dict[str, type]:
    """Return the forms of values that are there, each with a type of this form."""
    return {form: each for each in set(map(type, values)) if (form := _form(each)) != "missing"}


def _fault(values: Sequence[Any], forms: Mapping[str, type]) -> str | None:
    """Return what is wrong with the forms of cells."""
    first = {form: next((row, each) for row, each in enumerate(values) if _form(type(each)) == form) for form in forms}
    if "other" in first:
        row, value = first["other"]
        return f"holds {kind_of(value)} in row {row}, which is no id. Make all its values text or numbers"
    if len(first) < 2:
        return None
    (row, value), (other, second), *_ = sorted(first.values(), key=lambda cell: cell[0])
    return (
        f"mixes lists, maps and single values: row {row} holds {quote(value)}, row {other} holds {quote(second)}. "
        "Make all of them lists, or none"
    )


def _lists(values: Sequence[Any], are_sets: bool, kind: str | None) -> Cells:
    lists = [None if value is None else list(value) for value in values]
    if any(map(_is_foreign, set(map(type, _leaves_of(lists))))):
        lists = [None if value is None else list(map(_bare, value)) for value in lists]
    types = set(map(type, _leaves_of(lists)))
    if _are_texts_with_nan(types):
        lists = [None if value is None else list(map(_none_for_nan, value)) for value in lists]
    leaves = {_form(each) for each in types} - {"missing"}
    if leaves == {"map"}:
        objects = list(_leaves_of(lists))
        fields = iter(_with_same_fields(objects))
        cells = [None if items is None else [next(fields) for _ in items] for items in lists]
        return Cells(cells, field_faults=_field_faults(objects))
    if leaves <= {"single"}:
        return Cells(lists, are_sets, kind, _mixture(_leaves_of(lists)))
    row, value = next(
        (row, each) for row, items in enumerate(lists) for each in items or [] if _form(type(each)) not in _PLAIN
    )
    fault = (
        f"holds lists of values that are no ids, such as {quote(value)} in row {row}. Take the id out of each one, or "
        "make a row for each item"
    )
    return Cells(lists, are_sets, kind, fault)


def _leaves_of(lists: Iterable[list[Any] | None]) -> Iterator[Any]:
    return chain.from_iterable(filter(None, lists))


def _with_same_fields(objects: Sequence[Any]) -> list[Any]:
    """Return objects such that all have the same fields, as DuckDB expects."""
    names = dict.fromkeys(chain.from_iterable(filter(None, objects)))
    fields = {name: _field([each and each.get(name) for each in objects]) for name in names}
    return [each and {name: values[row] for name, values in fields.items()} for row, each in enumerate(objects)]


def _field_faults(objects: Sequence[Any]) -> dict[str, str]:
    """Return why fields of objects cannot be read, by their path."""
    faults: dict[str, str] = {}
    for name in dict.fromkeys(chain.from_iterable(filter(None, objects))):
        values = [each and each.get(name) for each in objects]
        if "map" in _forms(values):
            inner = [each for each in values if isinstance(each, Mapping)]
            faults |= {f"{name}.{path}": fault for path, fault in _field_faults(inner).items()}
        elif (fault := _mixture(_without_nan(values))) is not None:
            faults[name] = fault
    return faults


def _field(values: list[Any]) -> list[Any]:
    """Return the values of a field of objects without NaN among text or objects."""
    return _with_same_fields(values) if _forms(values).keys() == {"map"} else _without_nan(values)


def _maps(values: Sequence[Any]) -> Cells:
    maps = [None if value is None else (list(map(_bare, value)), list(map(_bare, value.values()))) for value in values]
    present_maps = [each for each in maps if each is not None]
    names = _without_nan(list(dict.fromkeys(chain.from_iterable(keys for keys, _ in present_maps))))
    if any(_form(type(name)) == "missing" for name in names):
        return Cells([], fault="holds a map with NaN or None as a key, which is no id. Remove this key")
    if _are_texts_with_nan(set(map(type, chain.from_iterable(map_values for _, map_values in present_maps)))):
        fields: dict[Any, list[Any]] = {}
        for key, value in chain.from_iterable(zip(*each, strict=True) for each in present_maps):
            fields.setdefault(key, []).append(value)
        cleaned = {key: iter(_field(field_values)) for key, field_values in fields.items()}
        maps = [None if each is None else (each[0], [next(cleaned[key]) for key in each[0]]) for each in maps]
    entries = [None if each is None else {"key": each[0], "value": each[1]} for each in maps]
    return Cells(entries, fault=_mixture(names))


def _mixture(values: Iterable[Any]) -> str | None:
    """Return a fault for text among other values: DuckDB would make all of them text, and 7 equal to "7"."""
    examples: dict[type, object] = {}
    for value in values:
        examples.setdefault(type(value), value)
    texts = [value for each, value in examples.items() if issubclass(each, str)]
    others = [value for each, value in examples.items() if not issubclass(each, str) and _form(each) != "missing"]
    if not texts or not others:
        return None
    return (
        f"mixes text and other values, such as {quote(texts[0])} and {quote(others[0])}. Make all of them text, as in "
        "[item if item is None or item != item else str(item) for item in items], or none"
    )


def _without_text_of_nan(values: list[Any]) -> list[Any]:
    """Replace the text that NumPy makes of NaN by None, also in rows of a 2-D array."""
    return [
        _without_text_of_nan(value) if isinstance(value, list) else None if value == "nan" else value
        for value in values
    ]


def _without_nan(values: list[Any]) -> list[Any]:
    """Replace NaN, which marks missing text in pandas, by None."""
    return list(map(_none_for_nan, values)) if _are_texts_with_nan(set(map(type, values))) else values


def _are_texts_with_nan(types: set[type]) -> bool:
    return float in types and any(issubclass(each, str) for each in types)


def _none_for_nan(value: Any) -> Any:
    return None if isinstance(value, float) and value != value else value  # noqa: PLR0124


def _bare(value: Any) -> Any:
    """Return an array, a tensor or a value of NumPy as Python's value."""
    if isinstance(value, str):  # also NumPy's text
        return str(value) if hasattr(value, "tolist") else value
    return to_list(value) if is_array(value) else value.tolist() if hasattr(value, "tolist") else value


def _is_foreign(kind: type) -> bool:
    """Return True for a type of arrays, or of single values of NumPy or tensors."""
    return hasattr(kind, "tolist") or _is_array_type(kind)


def _unsigned_type(values: object) -> str | None:
    """Return the type of the unsigned numbers in an array; None for any other value."""
    dtype = str(getattr(values, "dtype", getattr(values, "type", "")))
    return _UNSIGNED.get(dtype.rpartition(".")[2].casefold())  # torch.uint32, UInt32


def _form(kind: type) -> str:
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
