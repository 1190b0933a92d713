"""What a command prints, and what it does after that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from recall_duckdb.cli.parser import complain, say
from recall_duckdb.report import printable, terminal_width


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
