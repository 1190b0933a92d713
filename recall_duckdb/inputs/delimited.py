"""Finds how CSV files are written, so that one format holds for every line of them.

DuckDB would guess the quotes from the first 20,480 lines. Without a quoted value among them it would take later quotes
for letters, and an id such as "a" would match nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError

_DOUBLE, _SINGLE, _BACKSLASH = '"', "'", "\\"


@dataclass(frozen=True)
class CsvFormat:
    """How one CSV file is written, as DuckDB detects it in the first lines."""

    file: str = field(compare=False)
    names: tuple[str, ...] = field(compare=False)  # DuckDB's column names
    quote: str = field(compare=False)
    escape: str = field(compare=False)
    delimiter: str
    skip: int  # lines above the header
    has_header: bool


def sniff(files: Iterable[str], session: DuckDB, side: str) -> list[CsvFormat]:
    """Return the format of each file; raises `duckdb.Error` if DuckDB cannot detect it.

    Raises:
        DataError: the values are in single quotes, the files differ in delimiter, header or lines above it, or one of
            several files is empty.
    """
    found = [_sniff(file, session) for file in files]
    for csv in found:
        if csv.quote == _SINGLE:
            raise DataError(
                f"{side}: {csv.file!r} has values in single quotes. CSV has double quotes only, so single quotes "
                "would be part of the values. Write the file with double quotes, or without quotes"
            )
        if len(found) > 1 and _is_blank(csv, session):
            raise DataError(f"{side}: {csv.file!r} holds no rows. Leave it out, or check what wrote the file")
    for csv in found:
        if csv != found[0]:
            raise DataError(
                f"{side}: the files {found[0].file!r} and {csv.file!r} differ in their delimiter, in the number of "
                "lines above the header, or in whether they have a header. Write all files in one way"
            )
    return found


def options(formats: Sequence[CsvFormat]) -> list[exp.Expr]:
    """Return the options of read_csv that read files in one format, and fix the quotes for files not there yet."""
    values: dict[str, str | int] = {
        "quote": _DOUBLE,
        "escape": _BACKSLASH if any(csv.escape == _BACKSLASH for csv in formats) else _DOUBLE,
        "comment": "",  # otherwise DuckDB drops ids such as #1 if any line looks like a comment
    }
    for first in formats[:1]:
        values |= {"delim": first.delimiter, "skip": first.skip, "header": first.has_header}
    return [trees.option(name, trees.literal(value)) for name, value in values.items()]


def header(csv: CsvFormat, session: DuckDB) -> list[str]:
    """Return the names in the header as the file has them; DuckDB renames the second of two that are equal."""
    rows = session.relation(exp.select(exp.Star()).from_(_lines(csv)).limit(1)).fetchall()
    return [str(name).strip() for name in rows[0]] if rows and csv.has_header else list(csv.names)


def fault(formats: Iterable[CsvFormat], session: DuckDB) -> duckdb.Error | None:
    """Return DuckDB's error for the first malformed line of the files, or None.

    If the line is among those from which DuckDB detects the types, reading the file fails without naming the line.
    """
    for csv in formats:
        try:
            session.relation(exp.select(exp.Count(this=exp.Star())).from_(_lines(csv))).fetchall()
        except duckdb.Error as error:
            return error
    return None


def _is_blank(csv: CsvFormat, session: DuckDB) -> bool:
    """Return whether a file has neither a header nor rows; DuckDB detects a single column in it."""
    if len(csv.names) > 1:
        return False
    rows = session.relation(exp.select(exp.Star()).from_(_lines(csv)).limit(1)).fetchall()
    return not any(str(value or "").strip() for row in rows for value in row)


def _sniff(file: str, session: DuckDB) -> CsvFormat:
    found = _detected(file, session)
    # If one line has the wrong number of delimiters, DuckDB detects a single column, or skips the lines up to that one;
    # retry leniently.
    if len(found.names) == 1 or (found.skip and not found.has_header):
        lenient = _detected(file, session, trees.option("ignore_errors", exp.true()))
        return max(found, lenient, key=lambda csv: (csv.has_header, len(csv.names)))
    return found


def _detected(file: str, session: DuckDB, *more: exp.Expr) -> CsvFormat:
    columns = ["Columns", "Quote", "Escape", "Delimiter", "SkipRows", "HasHeader"]
    call = exp.func("sniff_csv", trees.literal(file), trees.option("comment", trees.literal("")), *more)
    [(names, *rest)] = session.relation(exp.select(*columns).from_(call)).fetchall()
    return CsvFormat(file, tuple(column["name"] for column in names), *rest)


def _lines(csv: CsvFormat) -> exp.Expr:
    """Return a call that reads every line of a file, the header too, as text."""
    more = {
        "auto_detect": exp.false(),
        "hive_partitioning": exp.false(),
        "columns": trees.struct(dict.fromkeys(csv.names, "VARCHAR")),
    }
    given = [trees.option(name, value) for name, value in more.items()]
    return exp.func("read_csv", trees.literal(csv.file), *options([replace(csv, has_header=False)]), *given)
