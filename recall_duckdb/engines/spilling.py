"""Where a connection spills to the disk, and where an evaluation writes temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any
from weakref import finalize

import duckdb


def connect(database: str | None = None, **config: Any) -> duckdb.DuckDBPyConnection:
    """Open a connection whose spill files only this user can read; their folder goes with the connection.

    It is to a database file, which is only read, or in memory. Where no folder can be made, on a read-only disk say,
    DuckDB does not spill: what exceeds its memory is an error.
    """
    place: dict[str, Any] = {} if database is None else {"database": database, "read_only": True}
    try:
        folder = tempfile.mkdtemp(prefix="recall_duckdb_")
    except OSError:
        return duckdb.connect(**place, config={**config, "temp_directory": ""})
    try:
        connection = duckdb.connect(**place, config={**config, "temp_directory": folder})
    except BaseException:
        shutil.rmtree(folder)
        raise
    finalize(connection, _remove_folder, folder, os.getpid())
    return connection


def _remove_folder(folder: str, process: int) -> None:
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
