"""The rows of a result as dicts, frames and tables of other packages."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from recall_duckdb import report
from recall_duckdb.engines import DuckDB, reading
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, MissingPackageError, UnknownNameError, commas, quote

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow


class Frames(ABC):
    """Rows that can be read as dicts, as frames of pandas, polars and pyarrow, or as a table for readers."""

    @property
    @abstractmethod
    def _relation(self) -> duckdb.DuckDBPyRelation:
        """The rows as a relation."""

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as a list of dicts."""

    @property
    @abstractmethod
    def shown(self) -> report.Table:
        """The table for readers."""

    def __repr__(self) -> str:
        return self.shown.on_terminal()

    def _repr_html_(self) -> str:
        return self.shown.html()

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas data frame (needs pandas)."""
        need("pandas", "pandas")
        with reading("read the rows"):
            return cast("pandas.DataFrame", self._relation.df())

    df = to_pandas  # as on a relation of DuckDB

    def to_polars(self) -> polars.DataFrame:
        """Return the rows as a polars data frame (needs polars and pyarrow)."""
        need("polars", "polars", "pyarrow")
        with reading("read the rows"):
            return cast("polars.DataFrame", self._relation.pl())

    def to_arrow(self) -> pyarrow.Table:
        """Return the rows as a pyarrow table (needs pyarrow)."""
        need("arrow", "pyarrow")
        with reading("read the rows"):
            return self._relation.to_arrow_table()


class ModelRows(Frames):
    """Rows in memory of several models."""

    def __init__(self, rows: list[dict[str, Any]], types: Mapping[str, str]) -> None:
        self._rows, self._types = rows, types

    def __getstate__(self) -> dict[str, Any]:
        """Return the rows without their relation, to copy or to pickle."""
        return {name: value for name, value in self.__dict__.items() if name != "rows"}

    @cached_property
    def rows(self) -> duckdb.DuckDBPyRelation:
        """The rows as a relation of DuckDB."""
        columns = {name: [row[name] for row in self._rows] for name in self._types}
        return self._session.relation_of(columns, self._types)

    @property
    def _session(self) -> DuckDB:
        """The session of the relation."""
        return DuckDB()

    @property
    def _relation(self) -> duckdb.DuckDBPyRelation:
        return self.rows

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as a list of dicts."""
        return [dict(row) for row in self._rows]

    def _model(self, model: object) -> object:
        """Return a model by its name, or the only one for None."""
        return choose_model(model, list(dict.fromkeys(row["model"] for row in self._rows)))

    def to_markdown(self) -> str:
        """Return the table in Markdown."""
        return self.shown.markdown()


def choose_model(model: object, models: list[Any], argument: str = "model") -> object:
    """Return a model by its name, or the only one for None; raises an error that names the argument."""
    if model is None and len(models) == 1:
        return models[0]
    if model is None:
        raise ArgumentError("there are several models", argument=argument, fix=f"Name one of {commas(models)}")
    if model not in models:
        raise UnknownNameError(f"there is no model {quote(model)}", argument=argument, fix=f"Models: {commas(models)}")
    return model


def find_row(
    rows: Sequence[dict[str, Any]], columns: Sequence[str], by: Mapping[str, object] | None, **wanted: object
) -> dict[str, Any]:
    """Return the row with these values in a slice, None for all queries; raises an error that names `by`."""
    if by is not None and not isinstance(by, Mapping):
        raise ArgumentTypeError(
            f"a dict of column and value is expected, as in {{'country': 'NL'}}, not {quote(by)}", argument="by"
        )
    for name in by or {}:
        if name not in columns:
            available = f"by {commas(columns)}" if columns else "none: pass by= to evaluate"
            raise UnknownNameError(f"this result has no slices by {quote(name)}; it has {available}", argument="by")
    wanted |= {**dict.fromkeys(columns), **(by or {})}
    for row in rows:
        if all(row[name] == value for name, value in wanted.items()):
            return row
    slices = dict.fromkeys(tuple((name, row[name]) for name in columns if row[name] is not None) for row in rows)
    known = commas(each[0][1] if len(columns) == 1 else dict(each) for each in slices if each)
    raise UnknownNameError(f"there is no slice {dict(by or {})!r}", argument="by", fix=f"There are {known}")


def is_installed(package: str) -> bool:
    """Return True if an optional package is installed."""
    return sys.modules.get(package, True) is not None and find_spec(package) is not None


def need(extra: str, *packages: str) -> None:
    """Raise `MissingPackageError` if an optional package is not installed."""
    for package in packages:
        if not is_installed(package):
            raise MissingPackageError(f"this needs {package}: pip install '.[{extra}]' in a clone of recall_duckdb")
