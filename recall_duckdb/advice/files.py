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
from recall_duckdb.reading.tables import check_no_query
from recall_duckdb.reading.usual_names import fields_of


def absent_table(name: str, session: DuckDB, side: str) -> RecallError:
    """Return the error for a name that is neither a file nor a table."""
    if name == "-":
        text = "'-' is a pipe, but files are read more than once"
        return ArgumentError(text, argument=side, fix="Name a regular file")
    check_no_query(name, side)
    known = dict(session.rows(known_tables())) if session.has_connection else {}
    if not known and not can_pass("connection"):  # the command line without tables
        return absent(name, side)
    if not session.has_connection:
        more = f". {single_items('run')}" if side.startswith("run ") else ""
        return absent(name, side, hint=f"; for a table or view, pass connection={more}")
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
    **{"orc": "pandas.read_orc", "npy": "numpy.load", "npz": "numpy.load", "zip": "pandas.read_csv"},
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


def headerless(side: str, label: str, line: str, names: Sequence[str] = (), why: str = "") -> str:
    """Return the message for a file of text whose columns cannot be known.

    `line` is its first line, and `names` are the names of the query, the item and the number.
    """
    if side.startswith(("values", "not_below")):  # of a comparison or a gate
        fix = f"Give it one, such as query,recall@10. Its first line: {quote(line)}"
        return f"{side}: {quote(label)} {_NAMELESS}. {fix}"
    is_run, fields = side.startswith("run"), fields_of(line)
    number, argument = ("score", "columns") if is_run else ("relevance", "qrels_columns")
    known = [*names, *["query", "item", number][len(names) :]]
    is_time = not is_run and len(fields) > 2 and re.fullmatch(r"\d{9,}", fields[2].strip()) is not None
    known[2:] = ["time"] if is_time else known[2:]
    columns = [*known, *(f"other_{place}" for place in range(len(known) + 1, len(fields) + 1))][: max(len(fields), 2)]
    has_number = len(columns) > 2 and not is_time
    ranks = f" If the numbers are ranks, write rank instead of score, and pass {spell('rank', 'rank')}."
    every = "" if is_run or has_number else f" with {spell('relevance', None)}"
    named, lists = spell(argument, ",".join(columns)), spell(argument, ",".join([*known[:2], "..."]))
    return (
        f"{side} ({label}) {why or _NAMELESS}. Name its columns in their order, as in {named}{every}, or in {lists} if "
        f"a line holds a query and any number of items.{ranks if is_run and has_number else ''} The name of a TREC "
        f"file may end in .trec, .run or .qrels. Its first line: {quote(line)}"
    )


def _permission_error(path: str, side: str) -> DataError:
    text = f"permission denied: {quote(path)} may not be read by this user"
    return DataError(text, argument=side, fix="Change the mode of the file and its folders (chmod), or copy it")


def unreadable(side: str, label: str, kind: str, error: Exception) -> DataError:
    """Return the error for a file that DuckDB could not read as this kind: parquet, csv, json or text."""
    if isinstance(error, duckdb.IOException) and "Permission denied" in str(error):
        return _permission_error(label, side)
    extension = re.search(r"install the required extension '(\w+)", str(error))
    if extension is not None:
        text = f"{label!r} needs DuckDB's extension {extension[1]}, which could not be installed"
        fix = f"Run INSTALL {extension[1]} in DuckDB where there is a network, or copy the file to this machine"
        return DataError(text, argument=side, fix=fix)
    unlike = re.search(r'Current file: (.*)\nColumn with name: "(.*)" is missing', str(error))
    if unlike is not None:
        text = f"{unlike[1]!r} has no column {unlike[2]!r}, which other files of {label!r} have"
        return DataError(text, argument=side, fix="Name the columns of all files alike")
    line = malformed_line(error)
    if line is not None:
        return DataError(line, argument=side)
    if "not utf-8 encoded" in str(error):
        fix = "Convert it, as in: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE, or with -f LATIN1"
        return DataError(f"{label!r} is not in UTF-8", argument=side, fix=fix)
    if kind in ("csv", "text"):  # the rest are DuckDB's options, which cannot be passed here
        error = type(error)(re.split(r"\n(?:The search space|Possible |Potential )", str(error))[0])
    text = f"{label!r} cannot be read as {kind}; it may be cut short or of another format"
    fix = f"Write or fetch it again, under a name that ends as its format does ({error})"
    return DataError(text, argument=side, fix=fix)
