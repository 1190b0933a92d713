"""The options of a command as the arguments of a question, and as a connection."""

from __future__ import annotations

import argparse
import os
from dataclasses import fields
from glob import iglob
from typing import Any

import duckdb

from recall_duckdb.cli.progress import is_on_terminal
from recall_duckdb.comparison.settings import CHOICES as HOW
from recall_duckdb.engines import connect
from recall_duckdb.errors import ArgumentError, first_line, quote
from recall_duckdb.inputs.formats import name_of
from recall_duckdb.inputs.tables import is_query
from recall_duckdb.question import OPTIONAL_INPUTS, Question

_MOST_THREADS = 1024
# The options that are settings of a comparison.
SETTINGS = [*HOW, "confidence", "tie_within", "samples", "seed"]


def question_of(arguments: argparse.Namespace, kind: type[Question]) -> dict[str, Any]:
    """Return the keyword arguments of a question, without options that were not given."""
    if arguments.score is not None and arguments.rank is not None:
        raise ArgumentError("Pass either --score or --rank, not both")
    runs = arguments.run
    named = named_runs(runs)
    values = {name: value for name, value in vars(arguments).items() if value is not None}
    question = {argument.name: values[argument.name] for argument in fields(kind) if argument.name in values}
    question |= {name: None for name in ("relevance", "k") if question.get(name) == "none"}
    if "metric" in values:
        question["metrics"] = values["metric"]
    return {**question, "run": named if len(named) > 1 or _is_named(runs[0]) else runs[0]}


def named_runs(runs: list[str]) -> dict[str, str]:
    """Return the runs by model name: NAME of NAME=PATH, or the file name without its extension."""
    named: dict[str, str] = {}
    for text in runs:
        name, _, path = text.partition("=")
        if not _is_named(text):
            if is_query(text) and len(runs) > 1:
                raise ArgumentError(f"{quote(text)} needs a name, as in bm25=(SELECT …)", argument="run")
            name, path = name_of(text), text
        elif not name or not path:
            raise ArgumentError(
                f"{quote(text)} needs {'a path after' if name else 'a name before'} its equals sign", argument="run"
            )
        if name in named:
            raise ArgumentError(
                f"two runs are called {quote(name)}: name them, as in first={named[name]} second={path}"
            )
        named[name] = path
    return named


def _is_named(text: str) -> bool:
    """Return True for NAME=PATH; the path of a hive partition, such as day=1/run.parquet, contains "=" too."""
    name, equals, _ = text.partition("=")
    is_path = "/" in name or os.sep in name or os.path.exists(text)  # noqa: PTH110 - Path fails if a text is too long
    return bool(equals) and not is_path and not is_query(text) and not any(iglob(text))  # noqa: PTH207 - a path may be absolute


def connection_of(arguments: argparse.Namespace) -> duckdb.DuckDBPyConnection | None:
    """Return a connection with the limits given: to a database file that is only read, or in memory.

    It is None without a database, limits and a terminal for its progress: a small question does without it.
    """
    config: dict[str, Any] = {}
    if arguments.memory_limit:
        config["memory_limit"] = arguments.memory_limit
    if arguments.threads is not None:
        if not 1 <= arguments.threads <= _MOST_THREADS:  # DuckDB hangs if there are too many
            raise ArgumentError(
                f"a number from 1 to {_MOST_THREADS} is expected, not {arguments.threads}", argument="--threads"
            )
        config["threads"] = arguments.threads
    if not config and arguments.database is None and not is_on_terminal():
        return None
    try:
        limited = connect(**config)
    except duckdb.Error as error:
        raise ArgumentError(str(error), argument="--memory-limit") from error
    if arguments.database is None:
        return limited
    limited.close()
    try:
        return connect(arguments.database, **config)
    except duckdb.Error as error:
        raise ArgumentError(
            f"{quote(arguments.database)} cannot be opened: {first_line(error)}", argument="--database"
        ) from error


def input_paths(arguments: argparse.Namespace) -> list[object]:
    """Return the paths that a command reads."""
    optional = (getattr(arguments, name) for name in OPTIONAL_INPUTS)
    return [*named_runs(arguments.run).values(), arguments.qrels, *optional, *(getattr(arguments, "texts", None) or ())]


def settings_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the settings of a comparison that were given."""
    return {name: value for name in SETTINGS if (value := getattr(arguments, name)) is not None}
