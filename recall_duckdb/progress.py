"""Shows on a terminal how far a command has come."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

import duckdb

T = TypeVar("T")


def with_progress(connection: duckdb.DuckDBPyConnection, work: Callable[[], T]) -> T:
    """Do the work, with a progress bar on a terminal if it takes more than a moment and rich is installed."""
    try:
        from rich.progress import Progress
    except ImportError:
        return work()
    if sys.stderr is None or not sys.stderr.isatty():
        return work()
    from rich.console import Console

    done: list[T] = []
    failed: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:
            failed.append(error)

    thread = threading.Thread(target=copy_context().run, args=(run,))
    thread.start()
    thread.join(1.0)
    if thread.is_alive():
        with Progress(console=Console(stderr=True), transient=True) as progress:
            task = progress.add_task("evaluating", total=100)
            try:
                while thread.is_alive():
                    thread.join(0.1)
                    progress.update(task, completed=max(0.0, connection.query_progress()))
            except KeyboardInterrupt:
                connection.interrupt()
                thread.join()
                raise
    if failed:
        raise failed[0]
    return done[0]
