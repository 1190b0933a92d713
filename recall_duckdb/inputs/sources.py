"""Finds a relation: a path, a table's name, a frame, a relation, columns of values, a TREC file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from glob import escape
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
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
    shown,
)
from recall_duckdb.inputs import delimited, dicts, shapes, trec, unreadable
from recall_duckdb.inputs.files import Files, has_marks, is_remote, local, watch
from recall_duckdb.inputs.repeated import names_as_written, repeated_in_file, repeated_names
from recall_duckdb.inputs.tables import table_named

_READERS = {
    "parquet": "read_parquet", "parq": "read_parquet", "pq": "read_parquet",
    "csv": "read_csv", "tsv": "read_csv",
    "json": "read_json", "jsonl": "read_json", "ndjson": "read_json",
}  # fmt: skip


@dataclass(frozen=True)
class Source:
    """A relation that a statement can read, and its columns, where they can be known before it runs."""

    relation: exp.Expr
    columns: Columns | None
    label: str  # the user's name for it
    untyped: bool = False  # a file without types: is 007 text or a number?
    is_json: bool = False  # DuckDB guesses types from the first rows, so text may look like a date
    partitions: frozenset[str] = frozenset()  # columns from the paths of files
    blank: frozenset[str] = frozenset()  # columns without any value, whose type means nothing
    is_trec: bool = False  # a file with fixed columns, which have canonical names
    has_header: bool = True  # False for a CSV file whose columns have no names
    tag: str | None = None  # the tag of a TREC run
    may_collate: bool = False  # a table, view or relation: text columns may have a collation
    files: Mapping[str, Columns] = field(default_factory=dict)  # one file for each set of columns, if files differ
    elsewhere: bool = False  # in an engine other than DuckDB
    watched: Files | None = None  # the files as they were before the first read
    overridden: Mapping[str, str] = field(default_factory=dict)  # by column: the directory whose value DuckDB reads
    repeated: frozenset[str] = frozenset()  # names that several columns have

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """The columns by their names in lower case."""
        found: dict[str, list[str]] = {}
        for name in self.columns or {}:
            found.setdefault(name.casefold(), []).append(name)
        return found

    @cached_property
    def copies(self) -> dict[str, list[str]]:
        """The columns with a number after their name, score_1, score_2, …, by the name in lower case."""
        found: dict[str, list[str]] = {}
        for name in self.columns or {}:
            stem, _, number = name.casefold().rpartition("_")
            if number.isdigit():
                found.setdefault(stem, []).append(name)
        return found

    @cached_property
    def types_in_files(self) -> dict[str, dict[str, Any]]:
        """The type of each column by its name in lower case, for each of `files`; of two alike, the first."""
        return {
            file: {name.casefold(): columns[name] for name in reversed(list(columns))}
            for file, columns in self.files.items()
        }

    def typed(self, types: Mapping[str, str]) -> Source:
        """Return the same CSV or JSON file with these columns read as these types."""
        columns = {**(self.columns or {}), **{name: duckdb.sqltype(text) for name, text in types.items()}}
        inside = {name: text for name, text in types.items() if name not in self.partitions}
        if self.is_json:  # read_json takes the types of all columns or of none
            inside = {name: str(kind) for name, kind in columns.items() if name not in self.partitions}
        outside = {name: text for name, text in types.items() if name in self.partitions}
        call = self.relation.copy()
        for option, wanted in (("columns" if self.is_json else "types", inside), ("hive_types", outside)):
            if wanted:
                call.append("expressions", trees.option(option, trees.struct(wanted)))
        return replace(self, relation=call, columns=columns)


def is_columns(value: Mapping[object, object], names: Sequence[str]) -> bool:
    """Return True if a dict holds columns of values, not runs by model name."""
    wanted = {name.casefold() for name in names}
    return any(
        (str(name).casefold() in wanted and not _is_relation(column)) or _is_values(column)
        for name, column in value.items()
    )


def _is_values(value: object) -> bool:
    """Return True if a value can only be a column: a list or array that does not hold paths."""
    is_array = isinstance(value, (list, tuple)) or type(value).__name__ in ("ndarray", "Series")
    return is_array and _paths(value) is None and not shapes.holds_records(value)


def _is_relation(value: object) -> bool:
    is_text = isinstance(value, (str, PathLike, Mapping, duckdb.DuckDBPyRelation))
    return is_text or type(value).__name__ in ("DataFrame", "LazyFrame", "Table", "RecordBatch", "Dataset")


def find(value: object, session: Session, side: str, role: str, *, must_exist: bool = True) -> Source:
    """Find the relation that a value names or holds.

    Raises:
        UnknownNameError: there is no such file, table or view.
        ArgumentTypeError: a value of this type cannot be read.
        DataError: the file cannot be read as what its name says it is.
    """
    if isinstance(value, (exp.Table, exp.Subquery)):  # from `recall_duckdb.sqlmesh`
        return Source(value, None, value.sql("duckdb"), elsewhere=session.target != "duckdb")
    paths = _paths(value)
    if any(not is_sound(path) for path in paths or []):
        raise ArgumentError(f"{side}: {shown(value)} cannot be a path or a name")
    if session.target != "duckdb":
        return _elsewhere(value, paths, session, side, role)
    assert isinstance(session, DuckDB)
    if isinstance(value, str):
        table = session.table(value) if session.given or not _reader(value) else None
        if table is not None:
            return Source(table, _described(session, table, side, repr(value)), value, may_collate=True)
    if paths is not None:
        return _file(paths, session, side, role, must_exist, isinstance(value, str))
    if isinstance(value, Mapping):
        relation, blank = dicts.load(value, session, side, role)
        given = "rows" if isinstance(value, shapes.Rows) else type(value).__name__
        return Source(relation, session.describe(relation), f"the {given} given", blank=blank)
    if value is None or isinstance(value, (list, tuple, set, int, float)):
        raise ArgumentTypeError(
            f"{side}: a {type(value).__name__} cannot be read; pass a path, a list of paths, a table name with "
            "connection=, a DuckDB relation, a pandas, polars or pyarrow table, or a dict of columns"
        )
    if type(value).__name__ == "ndarray":
        raise ArgumentTypeError(
            f"{side}: a NumPy array has no column names; pass a dict of columns, as in {{'query': …, 'item': …}}"
        )
    if type(value).__name__ in ("RecordBatchReader", "RecordBatch"):  # streams can be read only once
        raise ArgumentTypeError(
            f"{side}: a pyarrow {type(value).__name__} can be read only once. Pass a table: reader.read_all() or "
            "pyarrow.Table.from_batches([batch])"
        )
    relation = session.bind(value, role)
    columns = _described(session, relation, side, f"the {type(value).__name__} given")
    is_relation = isinstance(value, duckdb.DuckDBPyRelation)
    is_blank = hasattr(value, "__len__") and not is_relation and len(value) == 0
    return Source(
        relation,
        columns,
        f"the {type(value).__name__} given",
        blank=frozenset(columns) if is_blank else frozenset(),
        may_collate=is_relation,
        repeated=repeated_names(columns, names_as_written(value, columns)),
    )


def _elsewhere(value: object, paths: list[str] | None, session: Session, side: str, role: str) -> Source:
    """Find a table of another engine by its name, or another source that this engine reads."""
    is_name = isinstance(value, str) and _reader(value) is None and "/" not in value
    label = value if isinstance(value, str) else f"the {type(value).__name__} given"
    if isinstance(session, DuckDB):  # the statement is only written, and runs elsewhere
        if isinstance(value, str) and is_name:
            known = session.table(value) if session.given else None
            columns = None if known is None else session.describe(known)
            return Source(table_named(value, side), columns, label, may_collate=True, elsewhere=True)
        if isinstance(value, str) and _reader(value) == "read_parquet" and DIALECTS[session.target].reads_parquet:
            return Source(exp.Table(this=trees.identifier(value), db=trees.identifier("parquet")), None, label)
        raise ArgumentError(
            f"{side}: {label} is not a table that a statement for {session.target} could name; "
            f"pass the name of a table or view there, as in 'schema.{role}'"
        )
    if is_name:
        table = table_named(str(value), side)
    else:
        try:
            table = session.bind(paths or value, side)
        except RecallError:
            raise
        except Exception as error:  # each engine has its own errors
            raise EngineError(f"{side}: {session.name} could not read {label!r}: {first_line(error)}") from error
    try:
        columns = session.describe(table)
    except Exception as error:  # each driver has its own errors
        raise EngineError(
            f"{side}: {session.name} could not read {label!r}: {first_line(error)}. "
            "Name a table or view that is there and that this connection may read; if a statement failed before, roll "
            "back its transaction"
        ) from error
    return Source(table, columns, label, may_collate=True, elsewhere=True)


def _described(session: Session, relation: exp.Expr, side: str, label: str) -> Columns:
    try:
        return session.describe(relation)
    except duckdb.Error as error:
        raise DataError(f"{side}: {label} cannot be read: {error}") from error


def _paths(value: object) -> list[str] | None:
    if isinstance(value, (str, PathLike)):
        return [fspath(value)]
    if isinstance(value, (list, tuple)) and value and all(isinstance(path, (str, PathLike)) for path in value):
        return [fspath(path) for path in value]
    return None


def _reader(path: str) -> str | None:
    """Return the table function that reads a path by its ending, or None for an ending that is not known."""
    bare = re.sub(r"[?#].*$", "", path) if "://" in path else path
    endings = [part.casefold() for part in Path(bare).name.split(".")[1:]]
    if endings and endings[-1] in ("gz", "zst"):
        endings.pop()
    return _READERS.get(endings[-1]) if endings else None


def _kind(path: str) -> str:
    """Return what is at a path: "file", "folder", or "" for nothing."""
    try:
        return "folder" if Path(path).is_dir() else "file" if Path(path).is_file() else ""
    except OSError:  # a name that is too long
        return ""


def _pattern(path: str) -> str:
    """Return a path for DuckDB: a folder means all its files, and an existing file's name is no pattern."""
    kind = _kind(path)
    if kind == "folder":
        return str(Path(escape(path)) / "**" / "*.parquet")
    return escape(path) if kind == "file" else path


def holds(paths: Sequence[str], file: str, session: DuckDB) -> bool:
    """Return True if an existing file is among those that the paths match."""
    here = [_pattern(path) for path in paths if not is_remote(path)]
    if _kind(file) != "file" or not here:
        return False
    found = exp.select("file").from_(exp.Anonymous(this="glob", expressions=[trees.literal(here)]))
    others = [local(each) for (each,) in session.rows(found)]
    return any(_kind(each) == "file" and Path(file).samefile(each) for each in others)


def _file(paths: list[str], session: DuckDB, side: str, role: str, must_exist: bool, maybe_table: bool) -> Source:
    label = paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"
    given, paths = paths, [_pattern(path) for path in paths]
    readers = {_reader(path) for path in paths}
    if len(readers) > 1:
        raise ArgumentError(f"{side}: the files are of different formats: {label}")
    [reader] = readers
    path = trees.literal(paths[0] if len(paths) == 1 else paths)
    is_parquet_files = reader == "read_parquet" and (len(paths) > 1 or has_marks(paths[0]))
    if reader is None and not all(_kind(path) == "file" for path in given):
        if maybe_table and not must_exist:
            return Source(table_named(given[0], side), None, label)
        raise unreadable.absent_table(next(path for path in given if _kind(path) != "file"), session, side)
    watched = watch(side, dict(zip(given, paths, strict=True)), session)  # before the first read
    # DuckDB would cast the columns of all parquet files to the types of the first: 0.4 to 0, '007' to 7.
    options = [trees.option("union_by_name", exp.true())] if is_parquet_files else []
    csv: list[delimited.CsvFormat] = []
    if reader == "read_csv":
        options = delimited.options(csv)
    try:
        if reader == "read_csv":
            names = [file if is_remote(file) else escape(file) for file in watched.states or given[:1]]
            csv = delimited.sniff(names, session, side)
            reader, options = (None, []) if trec.has_its_form(csv, role) else (reader, delimited.options(csv))
        relation = exp.func(reader, path, *options) if reader else trec.rows(paths, role)
        columns = session.describe(relation)
        files = _parquet_files(session, paths) if is_parquet_files else {}
        directories = _directories(path, session) if reader and "=" in "".join([*given, *watched.states]) else []
        inside = session.describe(_inside(relation)) if directories else columns
        repeated = repeated_in_file(columns, reader, path, csv, session)
    except duckdb.IOException as error:
        if "No files found" in str(error) or "does not exist" in str(error):
            if not must_exist:
                return Source(exp.func(reader, path, *options) if reader else trec.rows(paths, role), None, label)
            raise unreadable.absent(next((path for path in given if not _finds(path, session)), label), side) from error
        if "Permission denied" in str(error):
            raise unreadable.denied(label, side) from error
        raise unreadable.unreadable(side, label, reader, error) from error
    except duckdb.Error as error:
        raise unreadable.unreadable(side, label, reader, delimited.fault(csv, session) or error) from error
    # The columns of an empty CSV file have no types and perhaps no names; those of an empty JSON file have no names.
    is_needed = reader == "read_json" or (reader == "read_csv" and role.startswith(("run", "qrels")))
    if is_needed and must_exist and not session.rows(exp.select(exp.Star()).from_(relation.copy()).limit(1)):
        raise DataError(f"{side}: {label!r} holds no rows. Check the path, or what wrote the file")
    tag = None
    if reader is None:
        trec.check(session, paths, side, role, label)
        columns = {name: kind for name, kind in columns.items() if name not in trec.OF_CHECK}
        tag = trec.tag(session, relation) if "model" in columns else None
    return Source(
        relation,
        columns,
        label,
        untyped=reader == "read_csv",
        is_json=reader == "read_json",
        partitions=frozenset(columns) - frozenset(inside),
        is_trec=reader is None,
        has_header=reader is None or all(each.has_header for each in csv),
        tag=tag,
        files=files,
        watched=watched,
        overridden=_overridden(inside, directories, [*watched.states, *given]),
        repeated=repeated,
    )


def _directories(path: exp.Expr, session: DuckDB) -> list[str]:
    """Return the names before the equals sign of directories, such as day=1, that DuckDB reads as columns."""
    probe = "/"  # no directory has this name
    options = [trees.option("columns", trees.struct({probe: "VARCHAR"})), trees.option("auto_detect", exp.false())]
    return [name for name in session.describe(exp.func("read_csv", path.copy(), *options)) if name != probe]


def _overridden(inside: Iterable[str], directories: list[str], files: list[str]) -> dict[str, str]:
    """Return the columns inside the files that have the name of a directory, each with one such directory."""
    names = {name.casefold() for name in directories}
    parts = [part for file in files for part in re.split(r"[/\\]", file)[:-1]] if names else []
    found = {part.partition("=")[0].casefold(): part for part in reversed(parts)}
    return {own: found.get(own.casefold(), f"{own}=…") for own in inside if own.casefold() in names}


def _finds(path: str, session: DuckDB) -> bool:
    """Return whether DuckDB finds a file for a path; of a remote one that is not known."""
    found = exp.select("file").from_(exp.Anonymous(this="glob", expressions=[trees.literal(_pattern(path))])).limit(1)
    return "://" in path or bool(session.rows(found))


def _parquet_files(session: DuckDB, paths: list[str]) -> dict[str, Columns]:
    """Return one file and its columns for each set of columns; empty if all parquet files have the same."""
    tree = templates.relations()["parquet_files"][""].tree()
    trees.bind(tree, {"path": paths})
    found = [file for (file,) in session.rows(tree)]
    if len(found) == 1:
        return {}
    return {file: session.describe(_inside(exp.func("read_parquet", trees.literal(escape(file))))) for file in found}


def _inside(call: exp.Expr) -> exp.Expr:
    """Read files without the columns that come from their paths."""
    call = call.copy()
    call.append("expressions", trees.option("hive_partitioning", exp.false()))
    return call
