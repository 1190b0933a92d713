"""Write the output of a command to standard output and standard error."""

from __future__ import annotations

import os
import sys
import textwrap
from contextlib import suppress
from errno import EBADF
from typing import TextIO

from recall_duckdb.errors import ArgumentError
from recall_duckdb.report import printable


def show(text: str, *, is_data: bool, is_styled: bool = False) -> None:
    """Print the answer of a command on standard output; raises `ArgumentError` as `say` does.

    Control characters are escaped, since names may come from files of others. Data, which are CSV and SQL, hold names
    unchanged, for programs, except on a terminal. In a text with styles, names are escaped already.
    """
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    say(text if is_data and not is_terminal else printable(text, keep="\n\t\x1b" if is_styled else "\n\t"))


def say(text: str) -> None:
    """Print a text on standard output; raises `ArgumentError` if it cannot be written.

    A pipe that its reader closes early, as `head` does, is no error.
    """
    try:
        _write(sys.stdout, text)
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"the output cannot be written as {error.encoding}, which lacks {error.object[error.start]!r}: set the "
            "environment variable PYTHONIOENCODING=utf-8"
        ) from error
    except BrokenPipeError:
        pass
    except OSError as error:
        raise ArgumentError(f"the output cannot be written: {error.strerror or error}") from error


def complain(message: str) -> None:
    """Print an error message on standard error, if that is open.

    Further lines, such as DuckDB's, are indented, so that they do not look like other messages.
    """
    with suppress(OSError):
        _write(sys.stderr, textwrap.indent(printable(message, keep="\n"), "  ").strip())


def _write(stream: TextIO | None, text: str) -> None:
    """Write a line and flush it; raises `OSError` if the stream is closed."""
    if stream is None:  # Python sets None for a descriptor that was closed at start
        raise OSError(EBADF, os.strerror(EBADF))
    try:
        stream.write(f"{text}\n")
        stream.flush()
    except OSError:
        # At exit Python would try to write the rest of the text and report the failure.
        null = os.open(os.devnull, os.O_WRONLY)
        if null != stream.fileno():  # equal if that descriptor was closed
            os.dup2(null, stream.fileno())
            os.close(null)
        raise
