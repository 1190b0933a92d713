"""Find the file to write, and write it in one step."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from errno import ENOSPC
from pathlib import Path

import duckdb

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, EngineError, first_line, quote
from recall_duckdb.paths import special

# A file to write, by the argument that names it.
_EXAMPLES = {
    **dict.fromkeys(("per_query", "not_below"), "values.parquet"),
    "path": "report.html",
    "history": "history",
    "junit": "gates.xml",
    "summary": "summary.md",
}


def target_ending(path: object, endings: Sequence[str], argument: str) -> tuple[str, Path]:
    """Return a path as text, and the file to write, as `target` does; its name must have one of the endings."""
    name = path_text(path, argument)
    if Path(name).suffix not in endings:
        raise ArgumentError(f"{quote(name)} must end in {' or '.join(endings)}", argument=argument)
    return name, target(name, argument)


def path_text(path: object, argument: str) -> str:
    """Return a path as text; raises `ArgumentTypeError` or `ArgumentError` if it cannot be one."""
    if not isinstance(path, (str, os.PathLike)):
        raise ArgumentTypeError(f"a path is expected, not {quote(path)}", argument=argument)
    try:
        name = os.fsdecode(path)
        is_path = bool(name) and "\0" not in name and bool(os.fsencode(name))
    except UnicodeEncodeError:
        is_path = False
    if not is_path:
        raise ArgumentError(f"{quote(path)} cannot be a path", argument=argument)
    return name


def target(name: str, argument: str) -> Path:
    """Return the file to write, with symbolic links resolved; raises `ArgumentError` if it is no regular file."""
    path_text(name, argument)
    with cannot_write(name, argument):
        path = Path(os.path.realpath(name))
        try:
            is_file = stat.S_ISREG(path.stat().st_mode)
        except FileNotFoundError:
            path.parent.stat()  # raises if there is no such directory
            return path
    if not is_file:
        kind = special(path) or "a directory"
        raise ArgumentError(
            f"{quote(name)} is {kind}", argument=argument, fix=f"Name a regular file, as in {_EXAMPLES[argument]}"
        )
    return path


@contextmanager
def replacing(path: Path, name: str, argument: str) -> Iterator[str]:
    """Yield a temporary path to write; on success, move the file over `path` in one step.

    The temporary directory is next to the target because a rename is atomic only within one file system. The new file
    gets the mode of the file that it replaces.
    """
    with (
        cannot_write(name, argument, ". Nothing was written"),
        tempfile.TemporaryDirectory(prefix=".recall-duckdb-", dir=path.parent, ignore_cleanup_errors=True) as folder,
    ):
        written = Path(folder, "written")
        # DuckDB expects UTF-8, but under LC_ALL=C Python has decoded the directory as ASCII.
        yield os.fsencode(written).decode()
        if path.exists():
            written.chmod(stat.S_IMODE(path.stat().st_mode))
        written.replace(path)


@contextmanager
def cannot_write(name: str, argument: str, effect: str = "") -> Iterator[None]:
    """Raise `ArgumentError` for an error of the operating system."""
    try:
        yield
    except (OSError, UnicodeError, EngineError) as error:
        cause = error.__cause__ if isinstance(error, EngineError) else error
        if isinstance(error, EngineError) and not isinstance(cause, duckdb.IOException):
            raise
        reason = getattr(cause, "strerror", None) or first_line(cause)
        if os.strerror(ENOSPC) in reason:
            reason = "the disk is full"
        raise ArgumentError(f"cannot write {quote(name)}: {reason}{effect}", argument=argument) from error
