"""Answer a small question with one statement, which is kept for the next question of the same form.

With few rows, a statement costs more than its rows. This one returns counts, means, the values of queries, and signs
for notes.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from math import inf
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import duckdb

from recall_duckdb import checking
from recall_duckdb.answering.answers import Answer, Texts, Values
from recall_duckdb.answering.lists import checks_seen, covers, in_lists, may_cover, read
from recall_duckdb.answering.planning import plan_of
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.dialects import executable
from recall_duckdb.engines import DuckDB, Session, reading
from recall_duckdb.engines.opening import open_session
from recall_duckdb.engines.shared import connect_to_internal
from recall_duckdb.errors import DataError, EngineError
from recall_duckdb.noting import look
from recall_duckdb.question import OPTIONAL_INPUTS, Question
from recall_duckdb.reading import Sources, find
from recall_duckdb.reading.cells import is_sparse
from recall_duckdb.reading.columns import canonical_names
from recall_duckdb.reading.files import unchanged
from recall_duckdb.reading.forgotten import check_unused
from recall_duckdb.reading.formats.parquet import rows_in
from recall_duckdb.reading.source import Source
from recall_duckdb.stages import stage

_MANY_ROWS = 250_000  # with more, another key may be faster
_FEW_ROWS = 20_000  # with more, threads save more time than opening a database takes
_BYTES_PER_LINE = 6  # the shortest line of a text file: 1,1,1
_MANY_BYTES = 10_000_000
_MANY_QUESTIONS = 128
_DATA = {"run", "qrels", "connection", "metrics", "metric_folder", "create", *OPTIONAL_INPUTS}


@dataclass(frozen=True)
class _Known:
    """What is kept of a question: its plan, its statement unless it cannot be answered in this way, and other texts."""

    plan: Plan
    statement: duckdb.Statement | None
    texts: Texts = field(default_factory=dict)


# By the form of a question; the oldest goes first.
_known: dict[object, _Known] = {}


def answer(question: Question, session: Session) -> Answer | None:
    """Return the answer to a question, or None if it is not small or its data are not sound.

    It is computed on the user's connection if there is one, and else on a database that small questions share.
    """
    if not isinstance(session, DuckDB) or not may_cover(question):
        return None
    values = [question.run, question.qrels, *question.optional_inputs().values()]
    sizes = [size for value in values for size in _sizes(value, session)]
    rows, unknown = sum(size for size in sizes if size < inf), sizes.count(inf)
    if rows > _MANY_ROWS:
        return None
    if session.stays:
        # An error would abort the user's transaction.
        return None if session.is_in_transaction else _try_statement(question, session, rows, unknown)
    if unknown:
        return None
    connection = connect_to_internal()
    try:
        small = _try_statement(question, DuckDB(internal=connection), rows, unknown)
        session.has_little = small is not None
        return small
    finally:
        connection.close()


def open_for(question: Question, *, has_relation: bool = False) -> Session:
    """Return a session for a question, on a database that small questions share if its data have few rows.

    With `has_relation`, the answer is a relation, whose database runs statements of the user.
    """
    session = open_session(question.connection, question.dialect, question.sources())
    if not isinstance(session, DuckDB) or session.stays:
        return session
    if not has_few(question, session):
        return session
    few = session if has_relation else DuckDB(internal=connect_to_internal())
    few.has_little = True
    return few


def has_few(question: Question, session: DuckDB) -> bool:
    """Return True if a question has so few rows that opening a database would take longer than it."""
    values = (question.run, question.qrels, *question.optional_inputs().values())
    rows, scores = 0.0, len(question.names.scores)
    for size in (size for value in values for size in _sizes(value, session)):
        rows += size * scores
        if rows > _FEW_ROWS:
            return False
    return True


def _try_statement(question: Question, session: DuckDB, rows: float, tables: int) -> Answer | None:
    """Return the answer to a question, or None if this many tables have too many further rows, or on unsound data."""
    stage("reading columns")
    try:
        sources = find(question, session)
        watched = [source.watched for source in sources.all if source.watched is not None]
        with unchanged(watched, session), reading("answer a small question"):
            stored = [source for source in sources.all if source.may_collate]
            counts = {id(source): session.count_rows(source.relation, _MANY_ROWS + 1) for source in stored}
            if len(stored) != tables or rows + sum(counts.values()) > _MANY_ROWS:
                return None
            known = _look_up(question, sources, session)
            if known.statement is None:
                return None
            check_unused(known.plan.inputs.unused, session, may_repeat=False)
            told = [replace(each, rows=counts.get(id(each), each.rows)) for each in sources.all]
            read_as = tuple(each.of(source) for each, source in zip(known.plan.inputs.read_as, told, strict=True))
            # The files of this question, and the names and rows of its sources.
            plan = replace(known.plan, inputs=replace(known.plan.inputs, watched=watched, read_as=read_as))
            try:
                checking.check_rows(plan, session, checks_seen(plan))
                stage("computing metrics")
                found = read(plan, session.rows_of(known.statement))
            except DataError:  # the evaluation by definition names the query; a changed file is still an error
                return None
            if found is None:
                return None
            result = found.answer(plan, session)
            notes = look(question, plan, session, result.counts, result.means, found.signs)
            return replace(result, values=_values(plan, found.rest, known.texts), notes=notes)
    except EngineError:  # the evaluation by definition reports it
        return None
    finally:
        session.clear()


def _sizes(value: object, session: DuckDB) -> Iterator[float]:
    """Return at least how many rows each part of a value holds, without reading them; infinity if that is not known."""
    if isinstance(value, (str, PathLike)):
        yield _rows_of_file(fspath(value), session)
    elif isinstance(value, Mapping):  # columns, queries or runs
        for each in value.values():
            yield from [len(each)] if isinstance(each, (list, tuple)) else _sizes(each, session)
    elif value is not None:
        are_paths = isinstance(value, (list, tuple)) and any(isinstance(each, (str, PathLike)) for each in value[:1])
        is_sized = hasattr(value, "__len__") and not are_paths and not isinstance(value, duckdb.DuckDBPyRelation)
        is_sized = is_sized and getattr(value, "ndim", 1) > 0 and not is_sparse(value)
        yield 1 if isinstance(value, (int, float)) else len(value) if is_sized else inf  # type: ignore[arg-type]


def _rows_of_file(path: str, session: DuckDB) -> float:
    """Return the number of rows of a parquet file, or at least that of a text file; infinity for anything else."""
    try:
        status, endings = Path(path).stat(), Path(path.casefold()).suffixes
    except (OSError, ValueError):  # a table's name, a pattern, a URL or no file
        return inf
    size = status.st_size
    if endings[-1:] in ([".gz"], [".zst"]) or size > _MANY_BYTES or not stat.S_ISREG(status.st_mode):
        return inf
    if endings[-1:] not in ([".parquet"], [".parq"], [".pq"]):
        return size / _BYTES_PER_LINE
    with suppress(duckdb.Error):  # the evaluation by definition reports it
        # Opening a second database would take longer than the question.
        rows = rows_in([path], session.connection.cursor if session.stays else connect_to_internal)
        return inf if rows is None else float(rows)
    return inf


def _look_up(question: Question, sources: Sources, session: DuckDB) -> _Known:
    """Return what is known of a question of this form; keep it if the plan depends on nothing else."""
    form = _form(question, sources)
    known = None if form is None else _known.get(form)
    if known is None:
        plan = plan_of(question, sources, session)
        known = _Known(plan, _statement(plan, session) if covers(plan) else None)
        if form is not None and not plan.inputs.values_are_read:
            while len(_known) >= _MANY_QUESTIONS:
                with suppress(KeyError, RuntimeError, StopIteration):  # another thread removed it
                    del _known[next(iter(_known))]
            _known[form] = known
    return known


def _form(question: Question, sources: Sources) -> object | None:
    """Return what the plan of a question depends on; None if that includes values of the data."""
    forms = []
    for source in sources.all:
        if not _has_types(source):
            return None
        columns = tuple((name, str(kind)) for name, kind in (source.columns or {}).items())
        faults = frozenset(source.faults)
        forms.append((source.relation, columns, source.blank, source.may_collate, source.unordered, faults))
    names = tuple(map(str, question.parsed_metrics))
    options = tuple(repr(getattr(question, field.name)) for field in fields(question) if field.name not in _DATA)
    return names, options, tuple(sources.runs), len(sources.qrels), tuple(sources.optional), tuple(forms)


def _has_types(source: Source) -> bool:
    """Return True if the columns and their types say all about a source, unlike those of text files."""
    special = (source.untyped, source.is_canonical, source.tags, source.files, source.partitions)
    return not any((*special, source.overridden, source.repeated, source.elsewhere))


def _statement(plan: Plan, session: DuckDB) -> duckdb.Statement:
    few = in_lists(with_stacked_scores(plan, session), has_signs=True)
    text = executable(Statement(few).of_answer(["answers", "query_values"]), copy=False)
    [statement] = session.connection.extract_statements(text)
    return statement


def _values(plan: Plan, rest: Mapping[object, Sequence[Any]], texts: Texts) -> Values:
    """Return the values of queries that the columns of `query_values` give, one row a model."""
    keys = ["model"] if plan.has_models else []
    keys += canonical_names("query", len(plan.inputs.query)) + canonical_names("slice", len(plan.inputs.by))
    numbers = dict.fromkeys(["query_weight"] if plan.has("weights") else [], "DOUBLE")
    numbers |= dict.fromkeys(("relevant", "retrieved"), "BIGINT")
    numbers |= {metric.column: "DOUBLE" for metric in plan.metrics}
    columns: dict[str, list[Any]] = {}
    types: dict[str, str] = {}
    for model, row in rest.items():
        kinds, lists = row[: len(keys)], list(row[len(keys) :])
        if plan.has_models:
            lists.insert(0, [model] * len(lists[0]))
        for name, kind, column in zip([*keys, *numbers], [*kinds, *numbers.values()], lists, strict=True):
            columns.setdefault(name, []).extend(column)
            types[name] = kind
    return Values(columns, types, texts)
