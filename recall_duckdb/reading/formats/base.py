"""The interface of a file format, and what formats share: columns from the paths of files, and single lines."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from glob import escape
from typing import Any, ClassVar

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError, EngineError, some
from recall_duckdb.reading.files import Files, is_remote
from recall_duckdb.reading.source import Source


@dataclass(frozen=True)
class Request:
    """The files to open."""

    paths: list[str]  # as the user wrote them
    patterns: list[str]  # DuckDB's pattern for each path
    side: str  # what messages call the relation
    role: str  # the relation that the files are: run, run_1, qrels, weights, …
    session: DuckDB  # the DuckDB session that reads them
    must_exist: bool = True  # False if a statement is only written, so that the files may be elsewhere
    is_result: bool = False  # True if the files hold all their columns, and a directory such as day=1 is none
    columns: Sequence[str] = ()  # the names of the columns of files without a header; empty if the user named none
    names: frozenset[str] = frozenset()  # the columns that the question names
    watched: Files = field(default_factory=lambda: Files("", {}))  # the files as they were before the first read

    @property
    def files(self) -> list[str]:
        """The files that were found; the paths before a look at them."""
        return [*(self.watched.states or self.paths)]

    @property
    def path(self) -> exp.Expr:
        """The patterns as an argument of a table function: a text, or a list of several."""
        return trees.literal(self.patterns[0] if len(self.patterns) == 1 else self.patterns)

    @property
    def holds_values(self) -> bool:
        """True if the files hold values of queries, for a comparison or a gate."""
        return self.side.startswith(("values", "not_below"))

    @property
    def label(self) -> str:
        """What messages call the files."""
        return some(self.paths, 1, last=" and ")

    @property
    def first_line(self) -> str:
        """The first line of the first file that is not empty; "" if there is none."""
        return next(iter(self.first_lines(1)), "")

    def first_lines(self, count: int) -> list[str]:
        """Return the first lines of the first file that are not empty."""
        file = pattern_of(self.files[0])
        self.session.describe(_lines(file).subquery())  # raises duckdb.Error if it is not text
        return first_lines(file, 0, count, self.session)


class Format(ABC):
    """How files of one format are read. A new format is a subclass, listed in `FORMATS`."""

    name: ClassVar[str]  # what messages call it
    endings: ClassVar[frozenset[str]] = frozenset()  # of files, in lower case; .gz and .zst may follow
    needs_rows: ClassVar[bool] = False  # True if an empty file has no columns

    @abstractmethod
    def call(self, request: Request) -> exp.Expr:
        """Return the call that reads the files, without looking at them."""

    @abstractmethod
    def open(self, request: Request) -> Source:
        """Look at the files, and return the relation that reads them."""

    def fault(self, request: Request, error: duckdb.Error) -> duckdb.Error:  # noqa: ARG002
        """Return the error that says best why files cannot be read; `error` is what reading them raised."""
        return error


def source_of(request: Request, relation: exp.Expr, **facts: Any) -> Source:
    """Return a source that DuckDB reads from files, with the columns that come from their paths."""
    session = request.session
    relation = inside_files(relation) if request.is_result else relation
    columns = session.describe(relation)
    directories = {} if request.is_result else directories_of(request.files)
    inside = session.describe(inside_files(relation)) if directories else columns
    fault = "the column {!r} of the file has the name of the directory {!r} in its path. Rename one of the two"
    both = {name: directories[name.casefold()] for name in inside if name.casefold() in directories}
    return Source(
        relation,
        columns,
        request.label,
        partitions=frozenset(columns) - frozenset(inside),
        watched=request.watched,
        faults={name: fault.format(name, directory) for name, directory in both.items()},
        **facts,
    )


def directories_of(files: Sequence[str]) -> dict[str, str]:
    """Return directories such as day=1 by name, if they are in the path of every file.

    DuckDB reads them as columns, also in place of those in the files.
    """
    parts = [[part for part in re.split(r"[/\\]", file)[:-1] if part.count("=") == 1] for file in files]
    names = [{part.partition("=")[0].casefold(): part for part in reversed(each)} for each in parts]
    return {name: part for name, part in names[0].items() if all(name in each for each in names)}


def has_rows(source: Source, session: DuckDB) -> bool:
    """Return True if a source has a row; raises `duckdb.Error`."""
    try:
        return bool(session.rows(exp.select(exp.Star()).from_(source.relation.copy()).limit(1)))
    except EngineError as error:
        raise (error.__cause__ if isinstance(error.__cause__, duckdb.Error) else error) from error


def inside_files(call: exp.Expr) -> exp.Expr:
    """Read files without the columns that come from their paths."""
    call = call.copy()
    call.append("expressions", trees.option("hive_partitioning", exp.false()))
    return call


def first_lines(pattern: str, skip: int, count: int, session: DuckDB) -> list[str]:
    """Return some of the first lines of a file that are not empty, after those to skip."""
    is_empty = exp.Is(this=trees.column("line"), expression=exp.null())
    statement = _lines(pattern).where(exp.Not(this=is_empty)).limit(count).offset(skip)
    return [str(line) for _, line in session.rows(statement)]


def place_of(line: str, request: Request) -> tuple[str, int]:
    """Return the file that holds a line, and the line's number there."""
    for file in request.files:
        statement = _lines(pattern_of(file)).where(exp.EQ(this=trees.column("line"), expression=trees.literal(line)))
        for number, _ in request.session.rows(statement.limit(1)):
            return file, int(number)
    text = f"the file {request.label!r} changed while it was being read"
    raise DataError(text, argument=request.side, fix="Run again")


def pattern_of(file: str) -> str:
    """Return DuckDB's pattern for one file that was found."""
    return file if is_remote(file) else escape(file)


def _lines(pattern: str) -> exp.Select:
    number = exp.alias_(exp.Window(this=exp.RowNumber()), "line_number")
    numbered = exp.select(number, "line").from_(lines_of([pattern]).subquery("text_lines"))
    return exp.select("line_number", "line").from_(numbered.subquery("lines"))


def lines_of(patterns: Sequence[str]) -> exp.Select:
    """Return the lines of text files."""
    return templates.relations()["text_lines"][""].filled({"path": list(patterns)})
