"""The history of means: a folder with a parquet file for each run."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from glob import escape
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlglot import exp

from recall_duckdb import __version__, file_writing
from recall_duckdb.comparison.shown import is_over_all
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, is_sound, quote
from recall_duckdb.reading import sources

COLUMNS = {
    **{"run_id": "VARCHAR", "time": "TIMESTAMP"},
    **dict.fromkeys(("version", "policies", "model", "slice", "metric"), "VARCHAR"),
    **{"k": "BIGINT", "value": "DOUBLE", "queries": "BIGINT"},
}
_KEY = ("run_id", "model", "slice", "metric", "k")  # identifies a mean
_NEVER_NULL = ("run_id", "time", "version", "policies", "model", "metric")


def append(
    history: str | os.PathLike[str],
    means: Sequence[Mapping[str, Any]],
    by: Sequence[str],
    policies: Mapping[str, Any],
    run_id: str | None,
) -> str:
    """Add a file with means to a history, whose folder is created if there is none, and return the id of the run.

    Raises:
        ArgumentError: the file cannot be written, or the history already contains this run.
        ArgumentTypeError: a path or an id is not text.
        DataError: a file there is not of a history.
    """
    if run_id is not None and (not isinstance(run_id, str) or not is_sound(run_id)):
        raise ArgumentTypeError(f"a non-empty string is expected, not {quote(run_id)}", argument="run_id")
    name, folder = target_of(history)
    run = run_id or uuid4().hex
    now = datetime.now(timezone.utc).replace(tzinfo=None)
    of_run = {"run_id": run, "time": now, "version": __version__, "policies": as_json(policies)}
    rows = [{**row, **of_run, "model": str(row["model"])} for row in means]
    for row in rows:  # NULL over all queries
        row["slice"] = None if is_over_all(row, by) else as_json({name: row[name] for name in by})
    with DuckDB() as session:
        if _holds_runs(folder):
            earlier = _rows(name, session, exp.EQ(this=trees.column("run_id"), expression=trees.literal(run)))
            known, new = ({tuple(row[name] for name in _KEY) for row in each} for each in (earlier, rows))
            if known & new:
                problem, fix = f"{quote(name)} already contains run {quote(run)}", "Choose another id"
                raise ArgumentError(problem, argument="run_id", fix=fix)
        with file_writing.cannot_write(name, "history"):
            folder.mkdir(exist_ok=True)
        added = session.relation_of({column: [row[column] for row in rows] for column in COLUMNS}, COLUMNS)
        file = folder / f"{now:%Y%m%dT%H%M%S%f}-{uuid4().hex}.parquet"
        with file_writing.replacing(file, name, "history") as written:
            added.write_parquet(written)
    return run


def check(history: str | os.PathLike[str]) -> None:
    """Raise an error, as `append` does, if a history cannot be written, or holds other files."""
    name, folder = target_of(history)
    if _holds_runs(folder):
        _rows(name, DuckDB(), exp.false())


def target_of(history: str | os.PathLike[str]) -> tuple[str, Path]:
    """Return the path of a history as text, and its folder; raises as `append` does."""
    name = file_writing.path_text(history, "history")
    folder = Path(os.path.realpath(name))
    is_new = not os.path.lexists(folder) and folder.parent.is_dir()  # another process may create it after this
    return name, folder if is_new or folder.is_dir() else file_writing.target(name, "history")


def as_json(policies: Mapping[str, Any]) -> str:
    """Return the policies that are set as JSON."""
    given = {name: each for name, each in policies.items() if each is not None}
    return json.dumps(given, ensure_ascii=False, default=str)


def read(file: str, metrics: Sequence[tuple[str, int | None]]) -> list[dict[str, Any]]:
    """Return the means of these metrics over all queries, oldest first; raises as `append` does."""
    rows = _rows(file, DuckDB(), exp.Is(this=trees.column("slice"), expression=exp.null()))
    return [row for row in rows if (row["metric"], row["k"]) in metrics]


def _holds_runs(folder: Path) -> bool:
    return folder.is_file() or any(folder.glob("*.parquet"))


def _rows(name: str, session: DuckDB, where: exp.Expr) -> list[dict[str, Any]]:
    """Return rows of a history, oldest first; raises `DataError` if a file there, or a row, is not of a history."""
    if Path(name).is_file():
        problem = f"{name!r} is a file, not the folder of a history"
        raise DataError(problem, argument="history", fix="Make a folder, and move it there")
    files = str(Path(escape(name), "*.parquet")) if Path(name).is_dir() else name
    source = sources.find(files, session, "history", "history", is_result=True)
    for file, columns in (source.files or {name: source.columns or {}}).items():
        types = {column: str(kind) for column, kind in columns.items()}
        if types != COLUMNS:
            is_history = all(types.get(name) == COLUMNS[name] for name in ("run_id", "version", "metric", "value"))
            found, known = (", ".join(map(" ".join, each.items())) or "none" for each in (types, COLUMNS))
            problem = f"{file!r} is {'of a history of another version' if is_history else 'not of a history'}"
            fix = "Choose a new folder, or one that append created"
            fix = f"Its columns are {found}; those of a history are {known}. {fix}"
            raise DataError(problem, argument="history", fix=fix)
    holes = (exp.Is(this=trees.column(column), expression=exp.null()) for column in _NEVER_NULL)
    tree = exp.select(*map(trees.column, COLUMNS)).from_(source.relation.copy()).where(exp.or_(where, *holes))
    rows = session.dicts(tree.order_by("time", "run_id"))
    for row in rows:
        hole = next((column for column in _NEVER_NULL if row[column] is None), None)
        problem, fix = f"column {hole!r} of {name!r} holds NULL", "Fill it in, or remove these rows"
        if hole is None and not isinstance(row["time"], datetime):  # a year above 9999
            problem, fix = f"{quote(name)} holds the time {quote(row['time'])}", "Correct the row, or remove it"
        elif hole is None:
            continue
        raise DataError(problem, argument="history", fix=fix)
    return rows
