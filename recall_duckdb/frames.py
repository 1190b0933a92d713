"""The rows of a result as dicts, frames and tables of other packages."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from recall_duckdb.engines import reading
from recall_duckdb.errors import MissingPackageError

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow


class Frames(ABC):
    """Rows that can be read as dicts, or as frames of pandas, polars and pyarrow."""

    @property
    @abstractmethod
    def _relation(self) -> duckdb.DuckDBPyRelation:
        """The rows as a relation."""

    @abstractmethod
    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the rows as a list of dicts."""

    def to_pandas(self) -> pandas.DataFrame:
        """Return the rows as a pandas data frame (needs pandas)."""
        need("pandas", "pandas")
        with reading("read the rows"):
            return cast("pandas.DataFrame", self._relation.df())

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


def need(extra: str, *packages: str) -> None:
    """Raise `MissingPackageError` if an optional package is not installed."""
    for package in packages:
        if sys.modules.get(package, True) is None or find_spec(package) is None:
            raise MissingPackageError(f"this needs {package}: pip install 'recall-duckdb[{extra}]'")
