"""Says why a file or table cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import duckdb

from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.statements import known_tables
from recall_duckdb.errors import (
    ArgumentError,
    DataError,
    RecallError,
    UnknownNameError,
    can_pass,
    malformed_line,
    nearest_name,
    quote,
    some,
    spell,
)
from recall_duckdb.reading.usual_names import fields_of


def absent_table(name: str, session: DuckDB, side: str) -> RecallError:
    """Return the error for a name that is neither a file nor a table."""
    if name == "-":
        return ArgumentError(
            "'-' is a pipe, but files are read more than once", argument=side, fix="Name a regular file"
        )
    if re.match(r"\s*(select|with|from)\s", name, re.IGNORECASE):
        return ArgumentError(f"{quote(name)} is a query, not a table", argument=side, fix="Put it in parentheses")
    if not session.has_connection and not can_pass("connection"):  # the command line without a database
        return absent(name, side)
    if not session.has_connection:
        more = "" if side == "run" or not side.startswith("run ") else f". {single_items('run')}"
        return absent(name, side, hint=f"; for a table or view, pass connection={more}")
    known = dict(session.rows(known_tables()))
    if not known and not can_pass("connection"):
        return absent(name, side)
    alike = nearest_name(name, known)
    return absent(name, side, "file, table or view", "" if alike is None else f" Did you mean {quote(known[alike])}?")


def single_items(side: str) -> str:
    """Return the advice for a dict that may hold an item for each query instead of lists of items."""
    return f"If each query has one item, pass {{query: [item] for query, item in {side}.items()}}"


def absent(path: str, side: str, wanted: str = "file", hint: str = "") -> RecallError:
    """Return the error for a path at which there is nothing to read, with the reason if it is known."""
    try:
        names = sorted(each.name for each in Path(path).iterdir()) if Path(path).is_dir() else None
        if names is None:
            Path(path).stat()
    except PermissionError:
        return _permission_error(path, side)
    except OSError:  # it does not exist, or its name is too long
        names = None
    if names is None:
        return UnknownNameError(f"there is no {wanted} {quote(path)}{'.' if '?' in hint else ''}{hint}", argument=side)
    content = f"it holds {some(names, show=quote)}: pass the files or a glob" if names else "it is empty"
    return UnknownNameError(f"the folder {quote(path)} holds no parquet files; {content}", argument=side)


# What reads files that only look like text by their ending.
_READERS = {
    **dict.fromkeys(("pkl", "pickle"), "pandas.read_pickle"),
    **dict.fromkeys(("xlsx", "xls", "xlsm", "xlsb", "ods"), "pandas.read_excel"),
    **dict.fromkeys(("feather", "arrow"), "pandas.read_feather"),
    **dict.fromkeys(("h5", "hdf5"), "pandas.read_hdf"),
    **{"orc": "pandas.read_orc", "npy": "numpy.load", "npz": "numpy.load"},
}


def foreign(paths: Iterable[str], side: str) -> ArgumentError | None:
    """Return the error for a path whose ending is that of a format that is not read, with the line to read it."""
    in_python = can_pass("connection")
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                start = file.read(16)
        except OSError:
            start = b""
        library = "sqlite3" if start.startswith(b"SQLite format 3") else "duckdb" if start[8:12] == b"DUCK" else None
        if library is not None:
            way = f"connection={library}.connect({path!r})" if in_python else spell("database", path)
            fix = f"Pass {way} and the name of a table"
            return ArgumentError(f"{quote(path)} is a database", argument=side, fix=fix)
        name = re.sub(r"\.(gz|zst)$", "", Path(path).name, flags=re.IGNORECASE)
        ending = name.rpartition(".")[2].casefold()
        if ending in _READERS:
            line = f"{_READERS[ending]}({path!r})"
            fix = f"Pass {line}" if in_python else f"In Python, pass {line}"
            if not in_python and line.startswith("pandas."):
                parquet = str(Path(path).with_name(f"{Path(name).stem}.parquet"))
                fix = f"Write it as parquet in Python: {line}.to_parquet({parquet!r})"
            text = f"{quote(path)} is a .{ending} file, a format that is not read"
            return ArgumentError(text, argument=side, fix=fix)
    return None


_NAMELESS = "has no header, so its columns have no names"


def headerless(side: str, label: str, lines: Sequence[str], names: Sequence[str] = (), why: str = "") -> str:
    """Return the message for a file of text whose columns cannot be known.

    `lines` are its first lines, and `names` the names of the query, the item and the number.
    """
    line = next(iter(lines), "")
    if side.startswith(("values", "not_below")):  # of a comparison or a gate
        return (
            f"{side}: {quote(label)} {_NAMELESS}. Give it one, such as query,recall@10. Its first line: {quote(line)}"
        )
    is_run = side.startswith("run")
    number, argument = ("score", "columns") if is_run else ("relevance", "qrels_columns")
    fields = fields_of(line)
    count = max(len(fields), 2)
    known = [*names, *["query", "item", number][len(names) :]]
    is_time = not is_run and count > 2 and re.fullmatch(r"\d{9,}", fields[2].strip()) is not None
    known[2:] = ["time"] if is_time else known[2:]
    columns = [*known, *(f"other_{place}" for place in range(len(known) + 1, count + 1))][:count]
    are_ranks = ""
    if is_run and count > 2:
        are_ranks = f" If the numbers are ranks, write rank instead of score, and pass {spell('rank', 'rank')}."
    every = "" if is_run or (count > 2 and not is_time) else f" with {spell('relevance', None)}"
    ways = [
        f"in {spell(argument, ','.join(columns))}{every}",
        f"in {spell(argument, ','.join([*known[:2], '...']))} if a line holds a query and any number of items",
    ]
    return (
        f"{side} ({label}) {why or _NAMELESS}. Name its columns in their order, as {', or '.join(ways)}.{are_ranks} "
        f"The name of a TREC file may end in .trec, .run or .qrels. Its first line: {quote(line)}"
    )


def _permission_error(path: str, side: str) -> DataError:
    """Return the error for a path that this user may not read."""
    return DataError(
        f"permission denied: {quote(path)} may not be read by this user",
        argument=side,
        fix="Change the mode of the file and its folders (chmod), or copy it",
    )


def unreadable(side: str, label: str, kind: str, error: Exception) -> DataError:
    """Return the error for a file that DuckDB could not read as this kind: parquet, csv, json or text."""
    if isinstance(error, duckdb.IOException) and "Permission denied" in str(error):
        return _permission_error(label, side)
    extension = re.search(r"install the required extension '(\w+)", str(error))
    if extension is not None:
        return DataError(
            f"{label!r} needs DuckDB's extension {extension[1]}, which could not be installed",
            argument=side,
            fix=f"Run INSTALL {extension[1]} in DuckDB where there is a network, or copy the file to this machine",
        )
    line = malformed_line(error)
    if line is not None:
        return DataError(line, argument=side)
    if "not utf-8 encoded" in str(error):
        return DataError(
            f"{label!r} is not in UTF-8",
            argument=side,
            fix=(
                "Convert it, as in: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE, or with -f LATIN1 if it was written in "
                "another encoding"
            ),
        )
    if kind in ("csv", "text"):  # the rest are DuckDB's options, which cannot be passed here
        error = type(error)(re.split(r"\n(?:The search space|Possible |Potential )", str(error))[0])
    return DataError(
        f"{label!r} cannot be read as {kind}; it may be cut short or of another format",
        argument=side,
        fix=f"Write or fetch it again, under a name that ends as its format does ({error})",
    )
