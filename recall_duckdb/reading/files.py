"""Lists the files that a path stands for, and notices when one changes while it is read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentError, DataError, EngineError, RecallError, quote
from recall_duckdb.paths import is_endless, special

State = tuple[int, ...]  # what differs after a file was written or replaced; empty if it cannot be known

_WHILE_READ = "while it was being read, so the numbers may match no version of it"
# DuckDB crashes if a directory such as size=3 overrides a column of read_blob.
_FATAL = re.compile(r"\b(filename|content|size|last_modified)=", re.IGNORECASE)


@dataclass(frozen=True)
class Files:
    """The files of one source, as they were before the first read."""

    side: str
    patterns: Mapping[str, str]  # DuckDB's pattern by the user's path
    states: Mapping[str, State] = field(default_factory=dict)

    def look(self, session: Session) -> dict[str, State]:
        """Return the state of each file that the paths stand for now; plain local paths need no statement."""
        known = {path: () if has_marks(pattern) else state_of(path) for path, pattern in self.patterns.items()}
        searched = [pattern for path, pattern in self.patterns.items() if not known[path]]
        states = {path: state for path, state in known.items() if state}
        return states | _search(searched, session) if searched else states

    def check(
        self, session: Session, when: str = _WHILE_READ, fix: str = "Run again when nothing writes to it"
    ) -> None:
        """Raise `DataError` if a file was written, replaced, added or removed since the first read."""
        for path, what in self.changed(session).items():
            raise DataError(f"the file {path!r} {what} {when}", argument=self.side, fix=fix)

    def changed(self, session: Session) -> dict[str, str]:
        """Return what happened to each file since the first read: changed, appeared or was removed."""
        now, changes = self.look(session), {}
        for path in {**self.states, **now}:
            before, after = self.states.get(path), now.get(path)
            if before is None or after is None:
                changes[path] = "appeared" if before is None else "was removed"
            elif before and after and before != after:  # a server may not report the state each time
                changes[path] = "changed"
        return changes


def watch(side: str, patterns: Mapping[str, str], session: Session) -> Files:
    """Return the files of a source with their states now; none if DuckDB cannot list them, nor therefore read them."""
    files = Files(side, patterns)
    try:
        return replace(files, states=files.look(session))
    except EngineError:  # the statement that reads the files reports the error
        return Files(side, {})


@contextmanager
def unchanged(sources: Sequence[Files], session: Session) -> Iterator[None]:
    """Raise `DataError` if a file changes within this block; it replaces errors that the change may have caused."""
    try:
        yield
    except RecallError:
        with suppress(EngineError):  # a failed transaction runs no more statements
            for files in sources:
                files.check(session)
        raise
    for files in sources:
        files.check(session)


def check_unchanged(sources: Sequence[Files], session: Session) -> None:
    """Raise `DataError` if a file is not as it was when it was evaluated."""
    for files in sources:
        files.check(session, "since the evaluation, so its rows would not explain the means", "Evaluate again")


def glob(patterns: Sequence[str], session: Session) -> list[str]:
    """Return the files that DuckDB finds for patterns."""
    listing = exp.select("file").from_(exp.Anonymous(this="glob", expressions=[trees.literal(patterns)]))
    return [str(file) for (file,) in session.rows(listing)]


def has_marks(pattern: str) -> bool:
    """Return whether a path may stand for several files."""
    return any(mark in re.sub(r"\[[*?[]\]", "", pattern) for mark in "*?[")


def is_remote(path: str) -> bool:
    """Return whether a path is a URL of another machine."""
    return "://" in path and not path.startswith("file:")


def local(path: str, *, is_windows: bool = os.name == "nt") -> str:
    """Return a path without the scheme `file:`, which DuckDB 1 keeps.

    >>> local("file:///runs/a.csv"), local("file:///C:/runs/a.csv", is_windows=True)
    ('/runs/a.csv', 'C:/runs/a.csv')
    """
    bare = re.sub("^file:(//[^/]*)?(?=/)", "", path)
    return re.sub("^/(?=[A-Za-z]:)", "", bare) if is_windows else bare


def state_of(path: str) -> State:
    """Return the state of a local file; an empty one if it cannot be known."""
    try:
        status = Path(path).stat()
    except (OSError, ValueError):
        return ()
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _search(patterns: list[str], session: Session) -> dict[str, State]:
    """Return the files that DuckDB finds for patterns and URLs, with their states."""
    paths = glob(patterns, session)
    states = {local(path): state_of(local(path)) for path in paths if not is_remote(path)}
    remote = [path for path in paths if is_remote(path)]
    states |= dict.fromkeys(remote, ())
    safe_paths = [path for path in remote if not _FATAL.search(path)]
    if safe_paths:
        modified = exp.func("epoch_us", trees.column("last_modified"))
        details = exp.select("filename", "size", exp.func("coalesce", modified, trees.literal(0)))
        with suppress(EngineError):  # the server does not report it
            rows = session.rows(details.from_(exp.func("read_blob", trees.literal(safe_paths))))
            states |= {str(path): (size, time) for path, size, time in rows}
    return states


def path_kind(path: str) -> str:
    """Return what is at a path: "file", "folder", or "" for nothing."""
    try:
        return "folder" if Path(path).is_dir() else "file" if Path(path).is_file() else ""
    except OSError:  # a name that is too long
        return ""


def check_kinds(paths: Iterable[str], side: str) -> None:
    """Raise `ArgumentError` for a path that would block, or list the whole disk, if DuckDB read it."""
    for path in map(local, paths):
        kind = special(path)
        if kind is not None:
            text = f"{quote(path)} is {kind}, but files are read more than once"
            raise ArgumentError(text, argument=side, fix="Name a regular file")
        if os.path.isdir(path) and is_endless(path):  # noqa: PTH112 - Path.is_dir raises if a name is too long
            text = f"the folder {quote(path)} is too large to search for parquet files"
            raise ArgumentError(text, argument=side, fix="Name the files, a folder that holds them, or a glob")
