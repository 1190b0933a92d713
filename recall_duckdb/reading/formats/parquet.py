"""Reads parquet files. Several files are read by the names of their columns."""

from __future__ import annotations

from dataclasses import replace
from glob import escape

from duckdb import DuckDBPyConnection
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.dialects import executable
from recall_duckdb.engines import Columns
from recall_duckdb.reading.files import has_marks, state_of
from recall_duckdb.reading.formats.base import Format, Request, inside_files, source_of
from recall_duckdb.reading.source import Source, repeated_names


class Parquet(Format):
    """Parquet files."""

    name = "parquet"
    endings = frozenset({"parquet", "parq", "pq"})

    def call(self, request: Request) -> exp.Expr:
        """Return a call of read_parquet."""
        # DuckDB would cast the columns of all files to the types of the first: 0.4 to 0, '007' to 7.
        options = [trees.option("union_by_name", exp.true())] if _are_several(request) else []
        return exp.func("read_parquet", request.path, *options)

    def open(self, request: Request) -> Source:
        """Return the relation, with the columns of each file if the files differ."""
        source = source_of(request, self.call(request))
        files = _files(request) if _are_several(request) else {}
        rows = _rows_in([*request.watched.states], request.session.connection)
        names = exp.select("name").from_(exp.func("parquet_schema", request.path))
        repeated = repeated_names(source.columns or {}, lambda: (str(name) for (name,) in request.session.rows(names)))
        return replace(source, rows=rows, files=files, faults=source.faults | repeated)


def _rows_in(paths: list[str], connection: DuckDBPyConnection) -> int | None:
    """Return the number of rows that local parquet files state at their end, None for other files."""
    if not all(map(state_of, paths)):
        return None
    metadata = exp.func("parquet_file_metadata", trees.literal(list(map(escape, paths))))
    counts = connection.execute(executable(exp.select("num_rows").from_(metadata), copy=False)).fetchall()
    return sum(int(count) for (count,) in counts)


def _are_several(request: Request) -> bool:
    return len(request.patterns) > 1 or has_marks(request.patterns[0])


def _files(request: Request) -> dict[str, Columns]:
    """Return one file and its columns for each set of columns; empty if all files have the same."""
    listing = templates.relations()["parquet_files"][""].filled({"path": request.patterns})
    files = [file for (file,) in request.session.rows(listing)]
    if len(files) == 1:
        return {}
    describe = request.session.describe
    return {file: describe(inside_files(exp.func("read_parquet", trees.literal(escape(file))))) for file in files}
