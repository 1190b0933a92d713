"""Finds a relation: a path, a table's name, a frame, a relation, columns of values, a TREC file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path

import duckdb
from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.dialects import DIALECTS
from recall_duckdb.engines import Columns, DuckDB, Session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    EngineError,
    RecallError,
    first_line,
    is_sound,
    kind_of,
    quote,
)
from recall_duckdb.paths import is_endless
from recall_duckdb.reading.files import glob, has_marks, is_remote, local, path_kind
from recall_duckdb.reading.formats import Parquet, files_by_format, format_of, open_files, pattern
from recall_duckdb.reading.formats.base import Request
from recall_duckdb.reading.objects import load_columns, settle_cells
from recall_duckdb.reading.shapes.base import Rows
from recall_duckdb.reading.shapes.by_query import holds_lists, holds_records, is_by_query_and_item
from recall_duckdb.reading.source import Source, names_as_written, repeated_names
from recall_duckdb.reading.tables import is_query, meanings, rows_of_query, subquery, table_named
from recall_duckdb.reading.usual_names import is_usual_name


def is_columns(value: Mapping[object, object], names: Sequence[str]) -> bool:
    """Return True if a dict holds columns of values, not runs by model name."""
    wanted = {name.casefold() for name in names}
    names_columns = any(is_usual_name(str(name)) for name in value)
    return any(
        (str(name).casefold() in wanted and not _is_relation(column))
        or (_is_values(column) and (names_columns or not is_by_query_and_item(column)))
        for name, column in value.items()
    )


def _is_values(value: object) -> bool:
    """Return True if a value can only be a column: a list or array that does not hold paths."""
    is_array = isinstance(value, (list, tuple)) or type(value).__name__ in ("ndarray", "Series")
    return is_array and _paths(value) is None and not holds_records(value) and not holds_lists(value)


def _is_relation(value: object) -> bool:
    is_text = isinstance(value, (str, PathLike, Mapping, duckdb.DuckDBPyRelation))
    return is_text or type(value).__name__ in ("DataFrame", "LazyFrame", "Table", "RecordBatch", "Dataset")


def find(
    value: object,
    session: Session,
    side: str,
    role: str,
    *,
    must_exist: bool = True,
    is_result: bool = False,
    file_columns: Sequence[str] = (),
    names: frozenset[str] = frozenset(),
) -> Source:
    """Find the relation that a value names or holds.

    `file_columns` names the columns of files without a header; `names` are the columns that the question names.

    Files that are a result of this package hold all their columns: with `is_result`, a directory such as model=bm25
    adds or replaces none.
    """
    if isinstance(value, (exp.Table, exp.Subquery)) or is_query(value):
        return _of_query(value, session, side, role, names, must_exist)
    paths = _paths(value)
    if any(not is_sound(path) for path in paths or []):
        raise ArgumentError(f"{quote(value)} cannot be a path or a name", argument=side)
    if session.target != "duckdb":
        return _elsewhere(value, paths, session, side, role)
    assert isinstance(session, DuckDB)
    if isinstance(value, str):
        table = session.table(meanings(value)) if session.has_connection or format_of(value) is None else None
        if table is not None:
            return Source(table, _describe(session, table, side, repr(value)), value, may_collate=True)
    if paths is not None:
        patterns = list(map(pattern, paths))
        source = open_files(Request(paths, patterns, side, role, session, must_exist, is_result, file_columns, names))
        return source or _table_or_error(value, paths, session, side, must_exist)
    if isinstance(value, Mapping):
        kind = "rows" if isinstance(value, Rows) else type(value).__name__
        return load_columns(value, session, side, role, f"the {kind} given")
    _check_object(value, side)
    return _of_object(value, session, side, role, names, f"the {type(value).__name__} given")


def by_format(value: object, session: Session) -> list[object]:
    """Return paths as a list for each format, each of which is a source; any other value as a single one."""
    paths = None if is_query(value) else _paths(value)
    if paths is None or not all(map(is_sound, paths)) or not isinstance(session, DuckDB) or session.target != "duckdb":
        return [value]
    if len(paths) == 1 and not has_marks(paths[0]):  # `find` looks for a table first
        return [value]
    groups: dict[object, list[str]] = {}
    for path in paths:
        for form, files in files_by_format(path, session).items():
            groups.setdefault(form, []).extend(files)
    return list(groups.values()) if len(groups) > 1 and None not in groups else [value]


def _check_object(value: object, side: str) -> None:
    """Refuse objects without named columns, and streams."""
    if value is None or isinstance(value, (list, tuple, set, int, float)):
        raise ArgumentTypeError(
            f"{kind_of(value)} cannot be read; pass a path, a list of paths, a table name with connection=, a "
            "DuckDB relation, a pandas, polars or pyarrow table, or a dict of columns",
            argument=side,
        )
    if type(value).__name__ == "ndarray":
        raise ArgumentTypeError(
            "a NumPy array has no column names; pass a dict of columns, as in {'query': …, 'item': …}, or for an "
            "array of rows: [tuple(row) for row in array.tolist()]",
            argument=side,
        )
    if type(value).__name__ in ("RecordBatchReader", "RecordBatch"):  # streams can be read only once
        raise ArgumentTypeError(
            f"a pyarrow {type(value).__name__} can be read only once",
            argument=side,
            fix="Pass a table: reader.read_all() or pyarrow.Table.from_batches([batch])",
        )


def _of_query(
    value: str | exp.Table | exp.Subquery,
    session: Session,
    side: str,
    role: str,
    names: frozenset[str],
    must_exist: bool,
) -> Source:
    """Return the rows of a query or, if a statement is only written or runs elsewhere, the query in parentheses."""
    if not isinstance(value, str):  # from `recall_duckdb.sqlmesh`
        return Source(value, None, value.sql("duckdb"), elsewhere=session.target != "duckdb")
    if isinstance(session, DuckDB) and session.target == "duckdb" and must_exist:
        return _of_object(rows_of_query(value, session, side), session, side, role, names, "the query")
    relation, is_written = subquery(value, session.target, side), isinstance(session, DuckDB)
    return Source(relation, None if is_written else session.describe(relation), "the query", elsewhere=True)


def _of_object(value: object, session: DuckDB, side: str, role: str, names: frozenset[str], label: str) -> Source:
    """Return the relation that a frame, table or DuckDB relation holds."""
    frame, unordered, faults, kinds = settle_cells(value, side, names)
    relation: exp.Expr = session.bind(frame, role)
    lists = {name: exp.cast(trees.column(name, quoted=True), kind, dialect="duckdb") for name, kind in kinds.items()}
    casts = [exp.alias_(cast, name, quoted=True) for name, cast in lists.items()]
    if casts:
        relation = exp.select(exp.Star(replace=casts)).from_(relation).subquery("typed")
    columns = _describe(session, relation, side, label)
    is_relation = isinstance(value, duckdb.DuckDBPyRelation)
    rows = len(value) if hasattr(value, "__len__") and not is_relation else None
    return Source(
        relation,
        columns,
        label,
        rows,
        blank=frozenset(columns) if rows == 0 else frozenset(),
        may_collate=is_relation,
        repeated=repeated_names(columns, names_as_written(frame, columns)),
        unordered=unordered,
        faults=faults,
    )


def _table_or_error(value: object, paths: list[str], session: DuckDB, side: str, must_exist: bool) -> Source:
    """Return a table of another place if a statement is only written; raises the error for a file that is not there."""
    if isinstance(value, str) and not must_exist:
        return Source(table_named(value, side), None, value)
    raise advice.files.absent_table(next(path for path in paths if path_kind(path) != "file"), session, side)


def _elsewhere(value: object, paths: list[str] | None, session: Session, side: str, role: str) -> Source:
    """Find a table of another engine by its name, or another source that this engine reads."""
    is_name = isinstance(value, str) and format_of(value) is None and "/" not in value
    label = value if isinstance(value, str) else f"the {type(value).__name__} given"
    if isinstance(session, DuckDB):  # the statement is only written, and runs elsewhere
        if isinstance(value, str) and is_name:
            known = session.table(meanings(value)) if session.has_connection else None
            columns = None if known is None else session.describe(known)
            return Source(table_named(value, side), columns, label, may_collate=True, elsewhere=True)
        if isinstance(value, str) and isinstance(format_of(value), Parquet) and DIALECTS[session.target].reads_parquet:
            return Source(exp.Table(this=trees.identifier(value), db=trees.identifier("parquet")), None, label)
        raise ArgumentError(
            f"{label} is not a table that a statement for {session.target} could name",
            argument=side,
            fix=f"Pass the name of a table or view there, as in 'schema.{role}'",
        )
    if is_name:
        table = table_named(str(value), side)
    else:
        try:
            table = session.bind(paths or value, side)
        except RecallError:
            raise
        except Exception as error:  # each engine has its own errors
            raise EngineError(f"{session.name} could not read {label!r}: {first_line(error)}", argument=side) from error
    try:
        columns = session.describe(table)
    except Exception as error:  # each driver has its own errors
        raise EngineError(
            f"{session.name} could not read {label!r}: {first_line(error)}",
            argument=side,
            fix=(
                "Name a table or view that is there and that this connection may read; if a statement failed before, "
                "roll back its transaction"
            ),
        ) from error
    return Source(table, columns, label, may_collate=True, elsewhere=True)


def _describe(session: Session, relation: exp.Expr, side: str, label: str) -> Columns:
    try:
        return session.describe(relation)
    except duckdb.Error as error:
        raise DataError(f"{label} cannot be read: {error}", argument=side) from error


def _paths(value: object) -> list[str] | None:
    if isinstance(value, (str, PathLike)):
        return [fspath(value)]
    if isinstance(value, (list, tuple)) and value and all(isinstance(path, (str, PathLike)) for path in value):
        return [fspath(path) for path in value]
    return None


def refuse_input(argument: str, name: str, file: Path, inputs: Iterable[object]) -> None:
    """Raise `ArgumentError` if a file to write is one of the files that are read, also through a link or a glob."""
    if path_kind(str(file)) != "file":
        return
    named = [path for value in inputs if not is_query(value) for path in _paths(value) or []]
    paths = [path for path in named if is_sound(path) and not is_remote(path)]
    here = [local(path) for path in paths if not (path_kind(local(path)) == "folder" and is_endless(local(path)))]
    patterns = [pattern(path) for path in here if has_marks(pattern(path))]
    if patterns:
        here += map(local, glob(patterns, DuckDB()))
    if any(path_kind(each) == "file" and file.samefile(each) for each in here):
        raise ArgumentError(f"{name!r} is one of the input files", argument=argument, fix="Choose another path")
