"""Ends a statement of DuckDB as soon as a signal handler raises, such as on Ctrl-C.

DuckDB 2 looks for signals only when a statement begins and ends, and Python runs handlers only in the main thread. So
the statement runs in a second thread, and the main thread waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from typing import Generic, TypeVar

import duckdb

T = TypeVar("T")


class Work(Generic[T]):
    """A function that uses a connection and runs in a thread of its own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, function: Callable[[], T]) -> None:
        """Take a function, which `start` calls in a copy of the context of this call."""
        self._connection, self._function = connection, function
        self._is_stopped = False
        self._ended = threading.Event()  # in Python 3.11, a thread whose join() was interrupted counts as ended
        self._results: list[T] = []
        self._errors: list[BaseException] = []
        # Python waits for this thread when it exits. A daemon thread in DuckDB would abort the process.
        self._thread = threading.Thread(target=copy_context().run, args=(self._run,))

    def _run(self) -> None:
        try:
            if not self._is_stopped:
                self._results.append(self._function())
        except BaseException as error:
            self._errors.append(error)
        finally:
            self._ended.set()

    def start(self) -> None:
        """Call the function in its thread, or in this one if none can start, as while Python 3.12 or later exits."""
        try:
            self._thread.start()
        except RuntimeError as error:
            if "new thread" not in str(error):  # a signal handler raised it
                raise
            self._run()

    def wait(self, seconds: float) -> bool:
        """Wait for the function at most some seconds; returns True if it has ended."""
        return self._ended.wait(seconds)

    def end(self) -> None:
        """Interrupt the statements of the function until it has ended; it is not called if its thread starts later."""
        self._is_stopped = True  # a signal may come while the thread starts
        while self._thread.ident is not None and not self._ended.is_set():
            self._connection.interrupt()  # which has no effect between two statements
            self._ended.wait(0.1)

    def result(self) -> T:
        """Return what the function returned; raises what it raised."""
        if self._errors:
            raise self._errors.pop()
        return self._results.pop()


def run_interruptibly(connection: duckdb.DuckDBPyConnection, function: Callable[[], T]) -> T:
    """Return the result of a function that runs statements on a connection; an interrupt ends the statement."""
    if threading.current_thread() is not threading.main_thread():
        return function()
    work = Work(connection, function)
    try:
        work.start()
        while not work.wait(0.1):  # on Windows, Ctrl-C does not end a wait
            pass
    except BaseException:
        work.end()
        raise
    return work.result()
