"""The history of means: a parquet file to which each run adds its own."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlglot import exp

from recall_duckdb import __version__, file_writing
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, is_sound, quote
from recall_duckdb.locks import hold_lock
from recall_duckdb.reading import sources
from recall_duckdb.reading.files import unchanged
from recall_duckdb.reading.source import Source
from recall_duckdb.stages import stage

COLUMNS = {
    "run_id": "VARCHAR",
    "time": "TIMESTAMP",
    "version": "VARCHAR",
    "policies": "VARCHAR",
    "model": "VARCHAR",
    "slice": "VARCHAR",
    "metric": "VARCHAR",
    "k": "BIGINT",
    "value": "DOUBLE",
    "queries": "BIGINT",
}
# Columns that identify a mean.
_KEY = ("run_id", "model", "slice", "metric", "k")
_NEVER_NULL = ("run_id", "time", "version", "policies", "model", "metric")
_MOST_SECONDS = 30  # to wait for another process that adds to the history


def append(
    history: str | os.PathLike[str],
    means: Sequence[Mapping[str, Any]],
    by: Sequence[str],
    policies: Mapping[str, Any],
    run_id: str | None,
) -> str:
    """Add means to a history, which is created if there is none, and return the id of the run.

    Raises:
        ArgumentError: the file cannot be written, or already contains this run.
        ArgumentTypeError: a path or an id is not text.
        DataError: the file is not a history, or changes while it is being read.
    """
    if run_id is not None and (not isinstance(run_id, str) or not is_sound(run_id)):
        raise ArgumentTypeError(f"a non-empty string is expected, not {quote(run_id)}", argument="run_id")
    stage("reading the history")
    file, path = target_of(history)
    run = run_id or uuid4().hex
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    rows = [
        {
            **{"run_id": run, "time": now, "version": __version__, "policies": as_json(policies)},
            **{"model": str(row["model"]), "slice": _slice(row, by), "metric": row["metric"], "k": row["k"]},
            **{"value": row["value"], "queries": row["queries"]},
        }
        for row in means
    ]
    session = DuckDB()
    try:
        with _lock_history(file, path):
            earlier = _find_history(file, session) if path.exists() else None
            if earlier is not None:
                _check_new(rows, earlier, session, file)
            added = session.keep_values({name: [row[name] for row in rows] for name in COLUMNS}, COLUMNS)
            parts = [_select(relation) for relation in ([] if earlier is None else [earlier.relation]) + [added]]
            watched = [] if earlier is None or earlier.watched is None else [earlier.watched]
            stage("writing the history")
            with file_writing.replacing(path, file, "history") as written, unchanged(watched, session):
                session.write(trees.union_all(parts), written, "parquet")
    finally:
        session.release()
    return run


@contextmanager
def _lock_history(file: str, path: Path) -> Iterator[None]:
    """Hold the lock of a file next to the history, so that no run that another process adds is lost."""
    with ExitStack() as stack:
        lock = path.with_name(f"{path.name}.lock")
        try:
            is_held = stack.enter_context(hold_lock(lock, _MOST_SECONDS))
        except OSError as error:
            raise ArgumentError(f"cannot lock {str(lock)!r}: {error.strerror}", argument="history") from error
        if not is_held:
            raise ArgumentError(
                f"another process has been adding to {file!r} for {_MOST_SECONDS} seconds",
                argument="history",
                fix="Run again when it has ended",
            )
        yield


def check(history: str | os.PathLike[str]) -> None:
    """Raise an error, as `append` does, if a file cannot be written, or is there and not a history."""
    file, path = target_of(history)
    if path.exists():
        _find_history(file, DuckDB())


def target_of(history: str | os.PathLike[str]) -> tuple[str, Path]:
    """Return the path of a history as text, and the file to write; raises as `append` does."""
    return file_writing.target_ending(history, (".parquet",), "history")


def as_json(policies: Mapping[str, Any]) -> str:
    """Return the policies that are set as JSON."""
    return _text({name: value for name, value in policies.items() if value is not None})


def read(file: str, models: Sequence[object], metrics: Sequence[tuple[str, int | None]]) -> list[dict[str, Any]]:
    """Return the means of these models and metrics over all queries, oldest first; raises as `append` does."""
    session = DuckDB()
    tree = _select(_find_history(file, session).relation)
    wanted = [
        exp.EQ(this=trees.column("metric"), expression=trees.literal(name)).and_(
            exp.NullSafeEQ(this=trees.column("k"), expression=trees.literal(k))
        )
        for name, k in metrics
    ]
    names = [trees.literal(str(model)) for model in models]
    tree = tree.where(
        exp.Is(this=trees.column("slice"), expression=exp.null()),
        exp.In(this=trees.column("model"), expressions=names),
        exp.or_(*wanted),
    )
    rows = session.dicts(tree.order_by("time", "run_id"))
    for row in rows:
        if not isinstance(row["time"], datetime):  # a year above 9999
            raise DataError(
                f"{quote(file)} holds the time {quote(row['time'])}",
                argument="history",
                fix="Correct the row, or remove it",
            )
    return rows


def _find_history(file: str, session: DuckDB) -> Source:
    """Return the relation of a history; raises `DataError` if the file holds anything else."""
    source = sources.find(file, session, "history", "history", is_result=True)
    types = {name: str(kind) for name, kind in (source.columns or {}).items()}
    if types != COLUMNS:
        is_history = all(types.get(name) == COLUMNS[name] for name in ("run_id", "version", "metric", "value"))
        raise DataError(
            f"{file!r} is a history of another version" if is_history else f"{file!r} is not a history",
            argument="history",
            fix=(
                f"Its columns are {_columns(types)}; those of a history are {_columns(COLUMNS)}. Choose a new file, or "
                "one that append created"
            ),
        )
    for name in _NEVER_NULL:
        holes = exp.select(trees.literal(1)).from_(source.relation.copy())
        if session.rows(holes.where(exp.Is(this=trees.column(name), expression=exp.null())).limit(1)):
            raise DataError(
                f"column {name!r} of {file!r} holds NULL", argument="history", fix="Fill it in, or remove these rows"
            )
    return source


def _check_new(rows: Sequence[Mapping[str, Any]], earlier: Source, session: DuckDB, file: str) -> None:
    """Raise `ArgumentError` if a history holds one of the rows."""
    run = rows[0]["run_id"]
    tree = _select(earlier.relation).where(exp.EQ(this=trees.column("run_id"), expression=trees.literal(run)))
    keys = {tuple(row[name] for name in _KEY) for row in session.dicts(tree)}
    if any(tuple(row[name] for name in _KEY) in keys for row in rows):
        raise ArgumentError(
            f"{quote(file)} already contains run {quote(run)}", argument="run_id", fix="Choose another id"
        )


def _select(relation: exp.Expr) -> exp.Select:
    return exp.select(*map(trees.column, COLUMNS)).from_(relation.copy())


def _slice(row: Mapping[str, Any], by: Sequence[str]) -> str | None:
    """Return the slice of a mean as JSON, or None if the mean is over all queries."""
    values = {name: row[name] for name in by if row[name] is not None}
    return _text(values) if values else None


def _text(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _columns(types: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {kind}" for name, kind in types.items()) or "none"
