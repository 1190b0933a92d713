"""What is at a path: a file, a folder with data, or something that cannot be read as a file."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_SPECIAL = {
    stat.S_IFIFO: "a FIFO (named pipe)",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_MOST_FOLDERS = 1_000  # in which a parquet file is looked for


def special(path: str | os.PathLike[str]) -> str | None:
    """Return what is at a path that is neither a file nor a folder, such as "a device", which reading may block.

    >>> special("/dev/null"), special("."), special("missing")
    ('a device', None, None)
    """
    try:
        return _SPECIAL.get(stat.S_IFMT(os.stat(path).st_mode))  # noqa: PTH116 - a path may hold a NUL
    except (OSError, ValueError):
        return None


def is_endless(folder: str) -> bool:
    """Return True if a search for parquet files in a folder could take minutes.

    It is the root of a disk, or none of its first 1,000 folders holds a parquet file.
    """
    path = Path(os.path.realpath(folder))
    if path.parent == path:
        return True
    for count, (_, _, files) in enumerate(os.walk(folder), start=1):
        if any(name.endswith(".parquet") for name in files):
            return False
        if count >= _MOST_FOLDERS:
            return True
    return False
