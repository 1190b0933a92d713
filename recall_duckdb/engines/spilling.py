"""Where a connection spills to the disk, and where an evaluation writes temporary files."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import finalize

import duckdb

# Use at most this share of the free space, as DuckDB does.
_SHARE = 0.9


def connect(**config: Any) -> duckdb.DuckDBPyConnection:
    """Open a connection in memory whose spill files only this user can read; their folder goes with the connection.

    Where no folder can be made, on a read-only disk say, DuckDB does not spill: what exceeds its memory is an error.
    """
    try:
        folder = tempfile.mkdtemp(prefix="recall_duckdb_")
    except OSError:
        return duckdb.connect(config={**config, "temp_directory": ""})
    try:
        connection = duckdb.connect(config={**config, "temp_directory": folder})
    except BaseException:
        shutil.rmtree(folder)
        raise
    finalize(connection, _remove_folder, folder, os.getpid())
    return connection


def _remove_folder(folder: str, process: int) -> None:
    if os.getpid() == process:  # a forked process has the finalizer too
        shutil.rmtree(folder, ignore_errors=True)


def free_bytes(spill_folder: str, limit: str) -> int:
    """Return how many bytes of temporary files may be written, within DuckDB's limit for what it spills."""
    if not spill_folder:
        return 0
    try:
        folder = _folder_for_files(spill_folder)
        free = int(shutil.disk_usage(folder).free * _SHARE) if os.access(folder, os.W_OK | os.X_OK) else 0
    except OSError:
        return 0
    return free if "%" in limit else min(free, bytes_of(limit))  # the default is "90% of available disk space"


@contextmanager
def scratch_folder(spill_folder: str) -> Iterator[Path]:
    """Make a folder for temporary files that only this user can read, and remove it at the end."""
    folder = tempfile.mkdtemp(prefix="recall_duckdb_", dir=_folder_for_files(spill_folder))
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _folder_for_files(spill_folder: str) -> Path:
    """Return the folder where DuckDB spills, or the one above if DuckDB has not made it yet.

    Only DuckDB may make and remove its folder: it does not expect another process to do so.
    """
    folder = Path(spill_folder).expanduser().absolute()
    return folder if folder.is_dir() else folder.parent


def bytes_of(shown: str) -> int:
    """Return the number of bytes that a setting of DuckDB shows.

    >>> bytes_of("1.5 KiB")
    1536
    """
    number, unit = shown.split()
    units = {"byte": 0, "bytes": 0, "KiB": 1, "MiB": 2, "GiB": 3, "TiB": 4, "PiB": 5}
    return int(float(number) * 1024 ** units[unit])
