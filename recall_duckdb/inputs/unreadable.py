"""Says why a file or table cannot be read."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import (
    ArgumentError,
    DataError,
    RecallError,
    UnknownNameError,
    can_pass,
    commas,
    malformed_line,
    nearest,
    shown,
)


def absent_table(name: str, session: DuckDB, side: str) -> RecallError:
    """Return the error for a name that is neither a file nor a table."""
    if name == "-" or os.path.exists(name):  # noqa: PTH110 - Path.exists raises if a name is too long
        return ArgumentError(f"{side}: {name!r} is a pipe, but files are read more than once. Name a regular file")
    if not can_pass("connection"):
        return absent(name, side)
    if not session.given:
        return absent(name, side, hint="; for a table or view, pass connection=")
    tables = exp.Table(this=trees.identifier("tables"), db=trees.identifier("information_schema"))
    known = [str(own) for (own,) in session.rows(exp.select("table_name").from_(tables))]
    return absent(name, side, "file, table or view", nearest(name, known))


def absent(path: str, side: str, wanted: str = "file", hint: str = "") -> RecallError:
    """Return the error for a path at which there is nothing to read, with the reason if it is known."""
    try:
        held = sorted(each.name for each in Path(path).iterdir()) if Path(path).is_dir() else None
        if held is None:
            Path(path).stat()
    except PermissionError:
        return denied(path, side)
    except OSError:  # it does not exist, or its name is too long
        held = None
    if held is None:
        return UnknownNameError(f"{side}: there is no {wanted} {shown(path)}{'.' if '?' in hint else ''}{hint}")
    more = f" and {len(held) - 3:,} more" if len(held) > 3 else ""
    content = f"it holds {commas(held[:3])}{more}: pass the files or a glob" if held else "it is empty"
    return UnknownNameError(f"{side}: the folder {shown(path)} holds no parquet files; {content}")


def denied(path: str, side: str) -> DataError:
    """Return the error for a path that this user may not read."""
    return DataError(
        f"{side}: permission denied: {shown(path)} may not be read by this user. Change the mode of the file and its "
        "folders (chmod), or copy it"
    )


def unreadable(side: str, label: str, reader: str | None, error: Exception) -> DataError:
    """Return the error for a file that DuckDB could not read."""
    extension = re.search(r"install the required extension '(\w+)", str(error))
    if extension is not None:
        return DataError(
            f"{side}: {label!r} needs DuckDB's extension {extension[1]}, which could not be installed. Run INSTALL "
            f"{extension[1]} in DuckDB where there is a network, or copy the file to this machine"
        )
    kind = (reader or "read_text").removeprefix("read_")
    line = malformed_line(error)
    if line is not None:
        return DataError(f"{side}: {line}")
    if kind == "csv":  # the rest are DuckDB's options, which cannot be passed here
        error = type(error)(re.split(r"\n(?:The search space|Possible |Potential )", str(error))[0])
    return DataError(
        f"{side}: {label!r} cannot be read as {kind}; it may be cut short or of another format. Write or fetch it "
        f"again, under a name that ends as its format does ({error})"
    )
