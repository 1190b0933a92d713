"""What a command prints: its answer, messages, and the progress of its work on a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import duckdb

from recall_duckdb.cli.parser import complain, say
from recall_duckdb.engines.interrupts import Work
from recall_duckdb.report import printable, terminal_width
from recall_duckdb.stages import heard_by

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """What a command prints, the lines for standard error, what it does after that, and if it found a fault."""

    text: str
    below: Sequence[str] = ()
    has_faults: bool = False
    then: Callable[[], object] | None = None  # what may fail without the loss of the text
    is_data: bool = False  # True for programs: names stay as they are, with control characters

    def show(self) -> int:
        """Print the answer; returns the exit status. Raises `ArgumentError` as `say` does.

        Control characters are escaped, since names may come from files of others. Data, which are CSV and SQL, hold
        names unchanged, for programs, except on a terminal.
        """
        say(self.text if self.is_data and terminal_width() is None else printable(self.text, keep="\n\t"))
        for line in self.below:
            complain(line)
        if self.then is not None:
            self.then()
        return 1 if self.has_faults else 0


def with_progress(connection: duckdb.DuckDBPyConnection | None, work: Callable[[], T]) -> T:
    """Do the work. On a terminal, show a progress bar if it takes more than a second and rich is installed."""
    progress = None if connection is None or terminal_width("stderr") is None else _new_bar()
    if connection is None or progress is None:
        return work()
    [task] = progress.tasks
    stage = ("starting", 1, 1)

    def listen(name: str, part: int, parts: int) -> None:
        nonlocal stage
        stage = (name, part, parts)

    # DuckDB reports progress only if its own bar is on. It must not be printed.
    for setting in ("enable_progress_bar_print = false", "enable_progress_bar = true", "progress_bar_time = 0"):
        connection.execute(f"SET {setting}")

    def update() -> None:
        # Progress.update() would stop the clock once a statement is complete.
        name, part, parts = stage
        # DuckDB reports 0 or -1 if it does not know the progress of a statement.
        statement = max(0.0, connection.query_progress()) / 100
        task.description = f"{name}, part {part} of {parts}" if parts > 1 else name
        task.completed = part - 1 + statement
        task.total = parts if task.completed > 0 else None  # without a total, the bar pulses

    with heard_by(listen):
        running = Work(connection, work)
    try:
        running.start()
        if not running.wait(1.0):
            update()
            with progress:
                while not running.wait(0.1):
                    update()
    except BaseException:
        running.end()
        raise
    return running.result()


def _new_bar() -> Progress | None:
    """Return a progress bar with one task, or None if rich is not installed."""
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    except ImportError:
        return None
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn()
    progress = Progress(*columns, console=Console(stderr=True), transient=True)
    progress.add_task("")
    return progress
