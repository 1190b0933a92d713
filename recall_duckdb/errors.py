"""What can go wrong, named by the situation. Every message says what was found, what is expected and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class RecallError(Exception):
    """The base of every error this package raises."""


class ArgumentError(RecallError, ValueError):
    """An argument has a value that it cannot have."""


class ArgumentTypeError(RecallError, TypeError):
    """An argument, or the column it names, is of a type that it cannot be."""


class UnknownNameError(ArgumentError):
    """A metric, column, relation, policy or dialect is not known by the name given."""


class DataError(RecallError, ValueError):
    """The data break a rule that the numbers depend on."""


class MetricFileError(RecallError, ValueError):
    """A metric file cannot be used as one."""


class MissingPackageError(RecallError, ImportError):
    """An optional package is not installed."""


class EngineError(RecallError):
    """The engine refused or could not finish a statement."""


def first_line(error: object) -> str:
    r"""What an engine says in the first line of its message; others show a statement that the user did not write.

    >>> first_line(ValueError("no such table.\nLINE 1: SELECT …"))
    'no such table'
    """
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at the known name nearest to `name`, or an empty string where none is near.

    >>> nearest("recal", ["recall", "rr"])
    " Did you mean 'recall'?"
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    found = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return f" Did you mean {by_folded[found[0]]!r}?" if found else ""


def is_sound(text: str) -> bool:
    """Whether DuckDB can be told a text: it is not empty, holds no NUL, and is Unicode.

    >>> is_sound("é"), is_sound(chr(0xD800))
    (True, False)
    """
    return bool(text) and "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


_MOST_NAMES = 50


def listed(names: Iterable[object]) -> str:
    """Names as a reader sees them in a message, the first of them where there are very many.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    shown = [repr(name) for name in names]
    more = len(shown) - _MOST_NAMES
    return ", ".join(shown if more <= 0 else [*shown[:_MOST_NAMES], f"and {more:,} more"])
