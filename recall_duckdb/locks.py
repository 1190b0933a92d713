"""Locks that end with their process, and temporary folders that a later process removes if theirs was killed."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from weakref import finalize

_LOCK = "recall_duckdb.lock"  # in each folder of this package; its lock says that the process is alive

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(path: Path) -> int | None:
    """Lock a file, which is created if there is none, and return it open; None if another process holds the lock.

    The lock ends when the file is closed, or when the process ends, even if it is killed.

    Raises:
        OSError: the file cannot be opened, or its file system has no locks.
    """
    file = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        _lock(file)
        if os.path.samestat(os.fstat(file), path.stat()):
            return file
    except (BlockingIOError, PermissionError):  # the latter on Windows
        pass
    except FileNotFoundError:  # its last owner has removed the file
        pass
    except OSError:
        os.close(file)
        raise
    os.close(file)
    return None


@contextmanager
def hold_lock(path: Path, seconds: float) -> Iterator[bool]:
    """Hold the lock of a file, which is removed at the end. Yield False if other processes hold it for so long.

    Raises:
        OSError: as `try_lock` does.
    """
    started = time.monotonic()
    while (file := try_lock(path)) is None and time.monotonic() - started < seconds:
        time.sleep(0.05)
    try:
        yield file is not None
    finally:
        if file is not None:
            _close_and_remove(file, path)


def _close_and_remove(file: int, path: Path) -> None:
    if sys.platform != "win32":
        path.unlink(missing_ok=True)  # while it is locked: later it may be the lock of another process
    os.close(file)
    if sys.platform == "win32":  # open files cannot be removed there
        with suppress(OSError):
            path.unlink()


class OwnFolder:
    """A temporary folder that only this user can read. It is removed when nothing refers to this object.

    If its process is killed, the next process that makes a folder in the same place removes it.

    Raises:
        OSError: the folder cannot be made.
    """

    def __init__(self, prefix: str, parent: str | os.PathLike[str]) -> None:
        _remove_abandoned(prefix, os.fspath(parent))
        self.path, lock = _make_locked_folder(prefix, parent)
        self.remove = finalize(self, _remove, self.path, lock, os.getpid())
        """Remove the folder now."""


def _make_locked_folder(prefix: str, parent: str | os.PathLike[str]) -> tuple[Path, int | None]:
    """Return a new folder and its lock, which is None if the file system has no locks: then no process removes it."""
    while True:
        path = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            lock = try_lock(path / _LOCK)
        except OSError:
            return path, None
        if lock is not None:  # otherwise another process has removed the folder, because it was not locked yet
            return path, lock


def _remove(folder: Path, lock: int | None, process: int) -> None:
    if os.getpid() == process:  # a forked process has the finalizer too
        if lock is not None:
            os.close(lock)
        shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=64)  # once in each place: a place may hold many files
def _remove_abandoned(prefix: str, parent: str) -> None:
    """Remove the folders of this user whose process has ended without removing them."""
    with suppress(OSError):  # this user may not list the place
        for entry in list(os.scandir(parent)):
            if entry.name.startswith(prefix) and entry.is_dir(follow_symlinks=False) and _is_own(entry):
                with suppress(OSError):
                    _remove_if_abandoned(Path(entry.path))


def _is_own(entry: os.DirEntry[str]) -> bool:
    """Return True if a folder is of this user and holds a lock, so that this package has made it."""
    is_of_user = sys.platform == "win32" or entry.stat(follow_symlinks=False).st_uid == os.geteuid()
    return is_of_user and (Path(entry.path) / _LOCK).is_file()


def _remove_if_abandoned(folder: Path) -> None:
    lock = try_lock(folder / _LOCK)
    if lock is not None:
        _remove(folder, lock, os.getpid())
