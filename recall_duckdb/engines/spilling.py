"""Where a connection spills to the disk, and where an evaluation writes temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any
from weakref import WeakValueDictionary, finalize

import duckdb

from recall_duckdb.locks import OwnFolder

_PREFIX = "recall_duckdb_"
_homes: WeakValueDictionary[tuple[str, int], OwnFolder] = WeakValueDictionary()  # by place and process


def connect(database: str | None = None, **config: Any) -> duckdb.DuckDBPyConnection:
    """Open a connection whose spill files only this user can read; their folder goes with the connection.

    It is to a database file, which is only read, or in memory. Where no folder can be made, on a read-only disk say,
    DuckDB does not spill: what exceeds its memory is an error.
    """
    place: dict[str, Any] = {} if database is None else {"database": database, "read_only": True}
    try:
        home = _home(tempfile.gettempdir())
        folder = tempfile.mkdtemp(dir=home.path)
    except OSError:
        return duckdb.connect(**place, config={**config, "temp_directory": ""})
    try:
        connection = duckdb.connect(**place, config={**config, "temp_directory": folder})
    except BaseException:
        shutil.rmtree(folder)
        raise
    finalize(connection, _remove_folder, folder, home, os.getpid())
    return connection


def _home(parent: str) -> OwnFolder:
    """Return the folder for the spill folders of this process; a folder for each would need an open file for each."""
    home = _homes.get((parent, os.getpid()))
    if home is None or not home.path.is_dir():
        home = _homes[parent, os.getpid()] = OwnFolder(_PREFIX, parent)
    return home


def _remove_folder(folder: str, home: OwnFolder, process: int) -> None:  # noqa: ARG001 - keeps its home
    if os.getpid() == process:  # a forked process has the finalizer too
        shutil.rmtree(folder, ignore_errors=True)


def bytes_of(shown: str) -> int:
    """Return the number of bytes that a setting of DuckDB shows.

    >>> bytes_of("1.5 KiB")
    1536
    """
    number, unit = shown.split()
    units = {"byte": 0, "bytes": 0, "KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4, "PiB": 5}
    return int(float(number) * 1024 ** units[unit])
