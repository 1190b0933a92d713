"""Reads files: one module for each format, in the order in which a path's ending is looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from glob import escape
from pathlib import Path

import duckdb

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, DataError
from recall_duckdb.reading.files import check_kinds, glob, has_marks, path_kind, watch
from recall_duckdb.reading.formats.base import Format, Request, has_rows
from recall_duckdb.reading.formats.csv import Csv
from recall_duckdb.reading.formats.json import Json
from recall_duckdb.reading.formats.parquet import Parquet
from recall_duckdb.reading.formats.trec import Trec
from recall_duckdb.reading.source import Source
from recall_duckdb.reading.usual_names import fields_of, is_header

__all__ = ["FORMATS", "Json", "Parquet", "format_of", "looking", "name_of", "open_files", "pattern", "register"]


FORMATS: list[Format] = [Parquet(), Csv(), Json()]
# What the names of text files usually end in, which does not belong to the name of a model.
_TEXT_ENDINGS = frozenset({"trec", "run", "res", "txt", "dat", "data", "test", "inter", "rating"})


def register(form: Format) -> None:
    """Read files whose names have the endings of this format."""
    FORMATS.append(form)


def format_of(path: str) -> Format | None:
    """Return the format of a path by its ending, or None for an ending that is not known."""
    ending = _parts(path)[1].casefold()
    return next((each for each in FORMATS if ending in each.endings), None)


def name_of(path: str) -> str:
    """Return the name of a file without the ending of its format; other dots belong to the name.

    >>> name_of("runs/hybrid-weighted-0.3.parquet"), name_of("bm25.v2.run.gz"), name_of("run.bm25"), name_of(".csv")
    ('hybrid-weighted-0.3', 'bm25.v2', 'run.bm25', 'run')
    """
    stem, ending = _parts(path)
    is_ending = format_of(path) is not None or ending.casefold() in _TEXT_ENDINGS
    return (stem or "run") if is_ending or not ending else f"{stem}.{ending}"


def _parts(path: str) -> tuple[str, str]:
    """Return a file's name up to its last dot, and what follows it, without the ending of a compression."""
    bare = re.sub(r"[?#].*$", "", path) if "://" in path else path
    name = re.sub(r"\.(gz|zst)$", "", Path(bare).name, flags=re.IGNORECASE)
    stem, dot, ending = name.rpartition(".")
    return (stem, ending) if dot else (name, "")


def pattern(path: str) -> str:
    """Return a path for DuckDB: a folder means all its files, and an existing file's name is no pattern."""
    kind = path_kind(path)
    if kind == "folder":
        return str(Path(escape(path)) / "**" / "*.parquet")
    return escape(path) if kind == "file" else path


def open_files(request: Request) -> Source | None:
    """Return the relation that files hold; None if the paths name no file and end in no known way."""
    paths, side, session = request.paths, request.side, request.session
    check_kinds(paths, side)
    found = [_forms(path, session) for path in paths]
    if not all(found):
        return None
    forms = {form: file for each in found for form, file in each.items()}
    if len(forms) > 1:
        query = " UNION ALL BY NAME ".join(f"FROM {trees.literal(file).sql('duckdb')}" for file in forms.values())
        relation = "" if None in forms else f", or read them with DuckDB and pass a query, view or relation: ({query})"
        text = f"the files are of different formats: {request.label}"
        raise ArgumentError(text, argument=side, fix=f"Write them in one format{relation}")
    [form] = forms
    with looking(request) as first:
        source = _open(form, first)
        if first.session is session or (source.columns is None and not source.is_canonical):  # there is no file yet
            return source
    return _open(form, replace(first, session=session))


@contextmanager
def looking(request: Request) -> Iterator[Request]:
    """Yield what to open on a session on which an error does no harm, with the files as they were before."""
    check_kinds(request.paths, request.side)
    with request.session.rehearsal() as other:
        session = request.session if other is None else other
        watched = watch(request.side, dict(zip(request.paths, request.patterns, strict=True)), session)
        check_kinds(watched.states, request.side)
        yield replace(request, session=session, watched=watched)


def _forms(path: str, session: DuckDB) -> dict[Format | None, str]:
    """Return a file that a path finds for each format, which is None for other endings."""
    known = format_of(pattern(path))
    if known is not None or path_kind(path) == "file":
        return {known: pattern(path)}
    files = glob([pattern(path)], session) if has_marks(pattern(path)) else []
    return {format_of(file): file for file in files}


def _open(form: Format | None, request: Request) -> Source:
    """Open files; those of an unknown format have a header, or else they are TREC files."""
    side, label, session = request.side, request.label, request.session
    is_text = form is None
    try:
        if form is None:
            form = Csv() if request.columns or is_header(fields_of(request.first_line)) else Trec()
        source = form.open(request)
        is_empty = request.must_exist and form.needs_rows and not has_rows(source, session)
    except (duckdb.Error, DataError) as error:
        is_of_files = isinstance(error, duckdb.IOException)
        is_absent = is_of_files and ("No files found" in str(error) or "does not exist" in str(error))
        if is_absent and not request.must_exist:
            return Source((form or Trec()).call(request), None, label)
        foreign = advice.files.foreign(request.paths, side) if is_text else None
        if foreign is not None:
            raise foreign from error
        if isinstance(error, DataError):
            raise
        if is_absent:
            here = (path for path in request.paths if "://" not in path)
            lost = next((path for path in here if not glob([pattern(path)], session)), label)
            raise advice.files.absent(lost, side) from error
        better = error if is_of_files or form is None else form.fault(request, error)
        raise advice.files.unreadable(side, label, "text" if form is None else form.name, better) from error
    if is_empty:
        raise DataError(f"{label!r} holds no rows", argument=side, fix="Check the path, or what wrote the file")
    return source
