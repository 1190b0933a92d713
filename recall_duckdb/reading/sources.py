"""Finds what the user gave: the runs, the qrels and the optional inputs, each a path, a table, a query or an object."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from numbers import Number
from os import PathLike, fspath
from pathlib import Path

import duckdb
from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions import trees
from recall_duckdb.dialects import DIALECTS
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    EngineError,
    RecallError,
    first_line,
    is_sound,
    kind_of,
    quote,
    some,
    spell,
)
from recall_duckdb.paths import is_endless
from recall_duckdb.question import OPTIONAL_INPUTS, Question
from recall_duckdb.reading import shapes
from recall_duckdb.reading.files import Files, glob, has_marks, is_remote, local, path_kind
from recall_duckdb.reading.formats import Json, Parquet, format_of, json, looking, open_files, pattern
from recall_duckdb.reading.formats.base import Request
from recall_duckdb.reading.lists import Lists, with_fields, with_rows
from recall_duckdb.reading.objects import described, load_columns, load_object
from recall_duckdb.reading.shapes import Rows
from recall_duckdb.reading.source import Source, Sources
from recall_duckdb.reading.tables import is_query, meanings, rows_of_query, subquery, table_named
from recall_duckdb.reading.usual_names import aliases_of, is_usual_name


def find_all(data: Question, session: Session, *, must_exist: bool = True) -> Sources:
    """Find the sources of a question that the user named or gave."""
    return _Finder(data, session, must_exist=must_exist).sources()


class _Finder:
    """Finds the sources of a question, each on the session that reads it."""

    def __init__(self, data: Question, session: Session, *, must_exist: bool) -> None:
        names = data.names
        self.data, self.names, self.session, self.must_exist = data, names, session, must_exist
        of_qrels = [*names.qrels_query, names.qrels_item, names.relevance, *names.qrels_by]
        columns = [*names.query, names.item, *names.scores, data.rank, data.model, *names.by, *names.item_by, *of_qrels]
        self.wanted = frozenset(filter(None, columns))
        self.here = session if isinstance(session, DuckDB) and session.target == "duckdb" else None
        self.held_in: dict[str, Files] = {}  # the JSON files that hold a single object, by side

    def sources(self) -> Sources:
        """Return all sources, with a row for each item of lists next to numbers."""
        data, names = self.data, self.names
        run_values = self._runs()
        if data.qrels is data.run and data.qrels_item is not None and None not in run_values:
            text = f"for several models, pass the judged items as {spell('qrels')}, the same for all"
            first = next(iter(run_values.values()))
            fix = f"If each file holds them, pass {spell('qrels', first)}" if isinstance(first, str) else None
            raise ArgumentError(text, argument="run", fix=fix)
        judged = None if data.qrels is None else self._columns_in(data.qrels, "qrels", shapes.layout_of("qrels", names))
        optional = data.optional_inputs().items()
        others = {role: shapes.columns_of(each, shapes.layout_of(role, names)) for role, each in optional}
        sides = {side_of(model): value for model, value in run_values.items()}
        sides |= {role: value for role, value in others.items() if "query" in OPTIONAL_INPUTS[role][0]}
        shapes.check_positions(sides if judged is None else sides | {"qrels": judged})
        runs = {
            model: self._find(value, side_of(model), "run" if model is None else f"run_{number}")
            for number, (model, value) in enumerate(run_values.items(), start=1)
        }
        runs = runs if self.here is None else self._with_numbers(runs, self.here)
        qrels = None if judged is None else self._find(judged, "qrels", "qrels")
        if qrels is not None and self.here is not None and names.relevance is not None:
            lists = Lists(qrels, names.qrels_item, self.here, "qrels", look=self.must_exist)
            qrels = lists.with_grades(names.relevance)
            replace(lists, source=qrels).check_relevant()
        if qrels is not None:
            qrels = replace(qrels, aliases={**qrels.aliases, **aliases_of(qrels.columns or ())})
        of_sides = {role: self._find(value, role, role) for role, value in others.items()}
        self._check_file_columns([*runs.values()], [*([] if qrels is None else [qrels]), *of_sides.values()])
        return Sources(runs, qrels, of_sides)

    def _find(self, value: object, side: str, role: str) -> Source:
        given, is_run = self.data.file_columns, role.startswith("run")
        own = given.get("columns" if is_run or "qrels_columns" not in given else "qrels_columns", [])
        source = find(value, self.session, side, role, must_exist=self.must_exist, file_columns=own, names=self.wanted)
        held = self.held_in.get(side, self.held_in.get(side.partition(" ")[0]))
        if held is not None:  # ids in files are text
            source = replace(source, label=some([*held.patterns], 1), untyped=True, watched=held)
        return with_fields(source, self.wanted, self.session, side)

    def _columns_in(self, value: object, side: str, layout: shapes.Layout) -> object:
        """Return what a value holds as columns, if it or the object in a JSON file is one of `shapes`."""
        found = None if self.here is None else object_in(value, side, self.here, self.wanted)
        if found is not None:
            value, self.held_in[side] = found
        return shapes.columns_of(value, layout if found is None else replace(layout, may_be_paths=False))

    def _runs(self) -> Mapping[str | None, object]:
        """Return the runs by model name, which is None for a run without a name."""
        data, names = self.data, self.names
        layout = shapes.layout_of("run", names, is_labelled=data.qrels is None)
        run = self._columns_in(data.run, "run", layout)
        named = isinstance(run, Mapping) and not is_columns(run, [*names.query, names.item])
        if isinstance(run, Mapping) and "run" in self.held_in:  # no text in a file is a path
            named &= all(_paths(value) is None for value in run.values())
        several = [named, len(names.scores) > 1, data.model is not None]
        if sum(several) > 1 or (len(names.scores) > 1 and data.rank is not None):
            text = "pass only one of these: several named runs, a model column, several score columns"
            raise ArgumentError(text, argument="run", fix="A rank column allows no score columns")
        if not isinstance(run, Mapping) or not named:
            return {None: run}
        if not run:
            raise ArgumentError("the dict is empty: name at least one run, or give its columns", argument="run")
        for name, value in run.items():
            if isinstance(value, Number) or (isinstance(value, str) and not isinstance(name, str)):
                text = f"{quote(name)} holds {quote(value)}, which is not a list"
                raise ArgumentTypeError(text, argument="run", fix=advice.files.single_items("run"))
            if not isinstance(name, str):
                raise ArgumentTypeError(f"a model is named by text, not by {quote(name)}", argument="run")
            if name and not is_sound(name):
                raise ArgumentError(f"{quote(name)} cannot be the name of a model", argument="run")
        layout = replace(layout, may_be_paths=False)
        return {name: self._columns_in(value, side_of(name), layout) for name, value in run.items()}

    def _with_numbers(self, runs: Mapping[str | None, Source], session: DuckDB) -> dict[str | None, Source]:
        """Return runs with the numbers next to items in lists, after a check of those that nothing reads."""
        data, names, policies, found = self.data, self.names, self.data.policies, dict[str | None, Source]()
        orders = [*([] if data.rank is None else [data.rank]), *names.scores]
        is_low_first = data.rank is not None or policies.order == "ascending"
        labels = names.relevance if data.qrels is None and data.needs_judgements else None
        for model, source in runs.items():
            lists = Lists(source, names.item, session, side_of(model), look=self.must_exist)
            lists = replace(lists, source=lists.with_findings(self.wanted, names.query))
            found[model] = lists.with_rows(orders, labels, is_low_first=is_low_first)
            if labels is not None:
                replace(lists, source=found[model], item=labels).check_relevant()
        return with_rows(found, names.item, names.scores[0], data.rank, policies)

    def _check_file_columns(self, runs: Sequence[Source], others: Sequence[Source]) -> None:
        """Refuse names of the columns of files without a header if there is no such file."""
        read_by = {"columns": [*runs, *([] if "qrels_columns" in self.data.file_columns else others)]}
        for argument in self.data.file_columns:
            if not any(source.is_named or source.columns is None for source in read_by.get(argument, others)):
                text = "it names the columns of files without a header, but no such file was given"
                fix = f"Leave it out; {spell('query')}, {spell('item')} and so on choose among columns with names"
                raise ArgumentError(text, argument=argument, fix=fix)


def object_in(
    value: object, side: str, session: DuckDB, names: frozenset[str] = frozenset()
) -> tuple[dict[str, object], Files] | None:
    """Return the run or the judgements that a single object in a JSON file holds, and the file; None for others."""
    paths = None if is_query(value) else _paths(value)
    if paths is None or not all(is_sound(path) and isinstance(format_of(pattern(path)), Json) for path in paths):
        return None
    if isinstance(value, str) and session.has_connection and session.table(meanings(value)) is not None:
        return None
    with looking(Request(paths, [*map(pattern, paths)], side, side, session, names=names)) as request:
        found = json.object_in(request)
    return None if found is None else (found, request.watched)


def side_of(model: str | None) -> str:
    """Return what messages call a run."""
    return "run" if model is None else f"run {quote(model)}"


def is_columns(value: Mapping[object, object], names: Sequence[str]) -> bool:
    """Return True if a dict holds columns of values, not runs by model name."""
    wanted = {name.casefold() for name in names}
    names_columns = any(is_usual_name(str(name)) for name in value)
    return any(
        (str(name).casefold() in wanted and not _is_relation(column))
        or (_is_values(column) and (names_columns or not shapes.is_by_query_and_item(column)))
        for name, column in value.items()
    )


def _is_values(value: object) -> bool:
    """Return True if a value can only be a column: a list or array that does not hold paths."""
    is_array = isinstance(value, (list, tuple)) or type(value).__name__ in ("ndarray", "Series")
    return is_array and _paths(value) is None and not shapes.holds_records(value) and not shapes.holds_lists(value)


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
    if isinstance(value, (exp.Table, exp.Subquery)):  # from `recall_duckdb.sqlmesh`
        return Source(value, None, value.sql("duckdb"), elsewhere=session.target != "duckdb")
    is_here = isinstance(session, DuckDB) and session.target == "duckdb"
    if is_query(value) and not (is_here and must_exist):  # the statement is only written, or runs elsewhere
        relation = subquery(value, session.target, side)
        columns = None if isinstance(session, DuckDB) else session.describe(relation)
        return Source(relation, columns, "the query", elsewhere=True)
    paths = None if is_query(value) else _paths(value)
    if any(not is_sound(path) for path in paths or []):
        raise ArgumentError(f"{quote(value)} cannot be a path or a name", argument=side)
    if not isinstance(session, DuckDB) or not is_here:
        return _elsewhere(value, paths, session, side, role)
    if paths is not None:
        request = Request(
            paths, [*map(pattern, paths)], side, role, session, must_exist, is_result, file_columns, names
        )
        return _of_paths(value, request)
    label = f"the {'rows' if isinstance(value, Rows) else type(value).__name__} given"
    if isinstance(value, Mapping):
        return load_columns(value, session, side, role, label)
    if is_query(value):
        value, label = rows_of_query(value, session, side), "the query"
    _check_object(value, side)
    return load_object(value, session, side, role, label)


def _of_paths(value: object, request: Request) -> Source:
    """Return the table that a name means, or the files that paths name."""
    session, side = request.session, request.side
    if isinstance(value, str):
        table = session.table(meanings(value)) if session.has_connection or format_of(value) is None else None
        if table is not None:
            return Source(table, described(session, table, side, repr(value)), value, may_collate=True)
    source = open_files(request)
    if source is None and isinstance(value, str) and not request.must_exist:  # a table of another place
        return Source(table_named(value, side), None, value)
    if source is None:
        lost = next(path for path in request.paths if path_kind(path) != "file")
        raise advice.files.absent_table(lost, session, side)
    return source


def _check_object(value: object, side: str) -> None:
    name = type(value).__name__
    if value is None or isinstance(value, (list, tuple, set, int, float)):
        fix = "Pass a path, a table name with connection=, a frame, a DuckDB relation, or a dict of columns"
        raise ArgumentTypeError(f"{kind_of(value)} cannot be read", argument=side, fix=fix)
    if name == "ndarray":
        fix = "Pass a dict of columns, {'query': …, 'item': …}, or rows: [tuple(row) for row in array.tolist()]"
        raise ArgumentTypeError("a NumPy array has no column names", argument=side, fix=fix)
    if name in ("RecordBatchReader", "RecordBatch"):  # streams can be read only once
        fix = "Pass a table: reader.read_all() or pyarrow.Table.from_batches([batch])"
        raise ArgumentTypeError(f"a pyarrow {name} can be read only once", argument=side, fix=fix)


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
        text = f"{label} is not a table that a statement for {session.target} could name"
        raise ArgumentError(text, argument=side, fix=f"Pass the name of a table or view there: 'schema.{role}'")
    fix = ""
    try:
        table = table_named(str(value), side) if is_name else session.bind(paths or value, side)
        fix = "Name a table or view that this connection may read, or roll back a transaction that failed"
        return Source(table, session.describe(table), label, may_collate=True, elsewhere=True)
    except Exception as error:  # each engine has its own errors
        if isinstance(error, RecallError) and not fix:
            raise
        text = f"{session.name} could not read {label!r}: {first_line(error)}"
        raise EngineError(text, argument=side, fix=fix) from error


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
