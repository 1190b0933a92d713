"""The folders where a connection spills, and where an evaluation writes files that it reads again."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
    """Return how many bytes may be written in the folder where DuckDB spills, within DuckDB's limit for it."""
    if not spill_folder:
        return 0
    there = next(parent for parent in Path(spill_folder, "files").absolute().parents if parent.exists())
    if not os.access(there, os.W_OK):
        return 0
    free = int(shutil.disk_usage(there).free * _SHARE)
    return free if "%" in limit else min(free, bytes_of(limit))  # unless set, it is "90% of available disk space"


@contextmanager
def scratch_folder(spill_folder: str) -> Iterator[Path]:
    """Make a folder that only this user can read, in the folder where DuckDB spills, and remove it at the end."""
    parent = Path(spill_folder).absolute()
    is_new = not parent.exists()
    parent.mkdir(parents=True, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="recall_duckdb_", dir=parent)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if is_new:
            with suppress(OSError):  # DuckDB may have spilled there since
                parent.rmdir()


def bytes_of(shown: str) -> int:
    """Return the number of bytes that a setting of DuckDB shows.

    >>> bytes_of("1.5 KiB")
    1536
    """
    number, unit = shown.split()
    return int(float(number) * 1024 ** ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"].index(unit))
