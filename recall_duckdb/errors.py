"""The errors. Every message says what is wrong, where, and how to fix it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from difflib import get_close_matches
from itertools import islice, takewhile
from pathlib import Path
from shlex import quote as quote_word
from types import MappingProxyType

_PACKAGE = str(Path(__file__).parent / "_")[:-1]  # with the separator


class RecallError(Exception):
    """The base class of all errors of this package.

    >>> error = ArgumentError("several models were compared", argument="model", fix="Name one of 'a', 'b'")
    >>> str(error), error.argument, error.problem
    ("model: several models were compared. Name one of 'a', 'b'", 'model', 'several models were compared')

    Attributes:
        argument: what the error is about: arguments as Python names them, a source such as "run 'bm25'", or an option
            of the command line; None if the problem says it.
        problem: what is wrong.
        fix: what helps; None if the problem says it.
    """

    def __init__(self, problem: str, *, argument: str | None = None, fix: str | None = None) -> None:
        self.argument, self.problem, self.fix = argument or None, problem, (fix or "").strip() or None
        super().__init__(message(problem, argument, self.fix))

    def _render_traceback_(self) -> list[str]:
        """Return what a notebook shows: the user's line and the message, without the lines of this package."""
        from traceback import extract_tb  # takes 2 ms, for a notebook alone

        frames = takewhile(lambda frame: not frame.filename.startswith(_PACKAGE), extract_tb(self.__traceback__))
        places = [f"line {each.lineno}: {each.line}" for each in frames if each.line and "IPython" not in each.filename]
        return [*places[-1:], f"{type(self).__name__}: {self}"]


def message(problem: str, argument: str | None = None, fix: str | None = None) -> str:
    """Return the text of an error: `argument: problem. fix`."""
    text = f"{problem.removesuffix('.')}. {fix}" if fix else problem
    return f"{argument}: {text}" if argument else text


class ArgumentError(RecallError, ValueError):
    """An argument has an invalid value."""


class ArgumentTypeError(RecallError, TypeError):
    """An argument, or the column that it names, has the wrong type."""


class UnknownNameError(ArgumentError):
    """There is no metric, column, relation, policy or dialect with this name."""


class DataError(RecallError, ValueError):
    """The data break a rule on which the numbers depend."""


class RecallWarning(UserWarning):
    """The data look wrong, although no rule is broken: the ids of run and qrels seem not to fit together."""


class MetricFileError(RecallError, ValueError):
    """A metric file is invalid."""


class MissingPackageError(RecallError, ImportError):
    """An optional package is not installed."""


class EngineError(RecallError):
    """The engine refused a statement, or could not finish it."""


_WORDS: ContextVar[Mapping[str, str]] = ContextVar("_WORDS", default=MappingProxyType({}))


@contextmanager
def spell_with(words: Mapping[str, str]) -> Iterator[None]:
    """Write arguments in messages by these words while the context is active, such as nulls= as --nulls."""
    before = _WORDS.set(words)
    try:
        yield
    finally:
        _WORDS.reset(before)


def spell(name: str, value: str | list[str] | None = "") -> str:
    """Return an argument as the reader of the message writes it: `nulls='drop'` or `--nulls drop`.

    >>> spell("rank"), spell("nulls", "drop"), spell("relevance", None)
    ('rank=', "nulls='drop'", 'relevance=None')
    >>> with spell_with({"nulls": "--nulls", "relevance": "--relevance", "by": "--by"}):
    ...     spell("nulls", "drop"), spell("relevance", None), spell("by", ["a", "b c"])
    ('--nulls drop', '--relevance none', "--by a --by 'b c'")
    """
    word = _WORDS.get().get(name)
    if word is None:
        return f"{name}=" if value == "" else f"{name}={quote(value)}"
    values = value if isinstance(value, list) else ["none" if value is None else value]
    return " ".join(f"{word} {quote_word(each)}" if each else word for each in values)


def can_pass(name: str) -> bool:
    """Return True if the reader of a message can pass this argument: the command line has no `connection`."""
    return not _WORDS.get() or name in _WORDS.get()


def apart(argument: str, name: str) -> str:
    """Return a hint to pass a text such as "user,day" as several names, or an empty string for one name.

    >>> apart("query", "user, day")
    " Did you mean query=['user', 'day']?"
    """
    names = [part.strip() for part in name.split(",")]
    return f" Did you mean {spell(argument, names)}?" if all(names[1:]) and len(names) > 1 else ""


def respelled(text: str) -> str:
    """Return advice with its arguments as the reader writes them: `nulls='drop'` or `--nulls drop`.

    >>> with spell_with({"nulls": "--nulls"}):
    ...     respelled("Ask for err(max_grade=5), or pass nulls='drop'.")
    'Ask for err(max_grade=5), or pass --nulls drop.'
    """
    return re.sub(r"\b([a-z_]+)=(?:'(\w+)'|(?![\w']))", lambda match: spell(match[1], match[2] or ""), text)


def first_line(error: object) -> str:
    r"""Return the first line of an engine's message; later lines show a statement that the user did not write.

    >>> first_line(ValueError("no such table.\nLINE 1: SELECT …"))
    'no such table'
    """
    return shorten((str(error).strip().splitlines() or [type(error).__name__])[0].rstrip("."))


def digits(number: object) -> str:
    """Return a number with all its digits, as Python writes it, without `.0`.

    >>> digits(2.0), digits(0.12345678), digits(12345678.0)
    ('2', '0.12345678', '12345678')
    """
    return str(number).removesuffix(".0")


_MOST_LETTERS = 200


def quote(value: object) -> str:
    """Return a value as messages show it: shortened, or its type if Python cannot write it.

    >>> quote("a"), quote("a" * 1000)[-3:], quote(10**9999)
    ("'a'", 'aa…', 'a value of type int')
    """
    try:
        return shorten(repr(value))
    except Exception:  # repr() may raise anything; Python itself raises for integers of more than 4,300 digits
        return f"a value of type {type(value).__name__}"


def shorten(text: str) -> str:
    """Return a text as readers see it: an id may have a million letters."""
    return text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…"


def kind_of(value: object) -> str:
    """Return the type of a value with its article.

    >>> kind_of(["a"]), kind_of(1), kind_of(None)
    ('a list', 'an int', 'None')
    """
    name = type(value).__name__
    article = "an" if name[0] in "aeioAEIO" or name == "ndarray" else "a"
    return "None" if value is None else f"{article} {name}"


def pairs(row: Mapping[str, object]) -> str:
    """Return a row as messages show it.

    >>> pairs({"query": "q1", "item": 7})
    "query='q1', item=7"
    """
    return ", ".join(f"{name}={quote(value)}" for name, value in row.items())


_QUOTING = (
    "Correct the line. In CSV, a value with a delimiter, line break or double quote must be in double quotes, and a "
    'quote inside it must be written twice, as in "15"" screen"'
)
_FIXES = {  # by the first words of DuckDB's message
    "Value with unterminated quote": _QUOTING,
    "Expected Number of Columns": _QUOTING,
    "Maximum line size": _QUOTING,
    "Error when converting": "Correct the value, or name another column",
    "Invalid unicode": "Write the file in UTF-8",
}
_MARKS = {",": "decimal_separator=','", r"\.+,": "decimal_separator=',', thousands='.'", r",+\.": "thousands=','"}
_LINE = re.compile(
    r"CSV Error on Line: (?P<number>\d+)\s+Original Line:\s*(?P<text>[^\r\n]*)(?s:.*?)"
    rf"^(?P<fault>(?P<words>{'|'.join(_FIXES)}).*)$(?s:.*)^ *file = (?P<file>.*)$",
    re.MULTILINE,
)
_JSON = re.compile(r'(?:Malformed JSON|JSON transform error) in file "(?P<file>.*?)", (?P<fault>.*)')
_JSON_FAULTS = {  # by words of DuckDB's message: what a file holds, and the fix
    "has duplicate key": ("holds a key twice", "Remove one"),
    "transform error": ("holds a value of another type than its first rows", "Correct the value, or write one type"),
    "UTF-16": ("is not in UTF-8", "Convert it, as in: iconv -f UTF-16 -t UTF-8 FILE > NEW_FILE"),
    "Malformed": ("is malformed", "Correct the line, or remove it"),
}


def malformed_line(error: object) -> str | None:
    r"""Return what DuckDB's error says about a malformed line of a CSV or JSON file, and the fix; None for others.

    >>> error = "CSV Error on Line: 7\nOriginal Line: q1,a\nExpected Number of Columns: 3 Found: 2\n\n  file = run.csv"
    >>> str(malformed_line(error)).partition(". ")[0]
    "line 7 of 'run.csv' is malformed (it begins 'q1,a'): Expected Number of Columns: 3 Found: 2"
    >>> malformed_line("no such table")
    """
    json, line = _JSON.search(str(error)), _LINE.search(str(error))
    if json is not None:
        what, fix = next(each for words, each in _JSON_FAULTS.items() if words in json[0])
        fault = re.sub(r"in (?:line|record/value) (\d+)", lambda at: _in_line(json, at[1]), json["fault"].rstrip(" ."))
        return f"{json['file']!r} {what}: {fault}. {fix}"
    if line is None:
        return None
    where = f"line {line['number']} of {line['file']!r} is malformed (it begins {line['text'][:100]!r})"
    fix, number = _FIXES[line["words"]], re.search(r'string "[+-]?([\d.,]+)"', line["fault"])
    marks = "".join(re.findall("[.,]", number[1] if number else ""))
    for options in (each for form, each in _MARKS.items() if re.fullmatch(form, marks)):
        fix += f". If all numbers are written so, this reads them: (FROM read_csv({line['file']!r}, {options}))"
    return f"{where}: {line['fault'].rstrip('.')}. {fix}"


def _in_line(error: re.Match[str], number: str) -> str:
    """Return the number of a line of JSON of a file; DuckDB counts no blank lines, but a malformed line twice."""
    line = int(number) - error[0].startswith("Malformed")
    with suppress(OSError, ValueError), Path(error["file"]).open(encoding="utf-8", newline="\n") as lines:
        filled = (place for place, text in enumerate(lines, start=1) if text.strip())
        line = next(islice(filled, line - 1, None), line)
    return f"in line {line}"  # of a compressed file, as DuckDB counts


def check_flag(name: str, value: object) -> None:
    """Raise `ArgumentTypeError` if a value is neither True nor False: the text "no" would count as true."""
    if not isinstance(value, bool):
        raise ArgumentTypeError(f"True or False is expected, not {quote(value)}", argument=name)


def nearest(name: object, known: Iterable[str]) -> str:
    """Return a hint at the known name nearest to `name`, or an empty string.

    >>> nearest("recal", ["recall", "rr"])
    " Did you mean 'recall'?"
    """
    suggestion = nearest_name(name, known)
    return "" if suggestion is None else f" Did you mean {quote(suggestion)}?"


def nearest_name(name: object, known: Iterable[str]) -> str | None:
    """Return the known name nearest to `name`, or None."""
    if not isinstance(name, str) or len(name) > _MOST_LETTERS:  # comparing long texts takes minutes
        return None
    by_folded = {candidate.casefold(): candidate for candidate in known}
    matches = get_close_matches(name.casefold(), by_folded, n=1, cutoff=0.6)
    return by_folded[matches[0]] if matches else None


def is_sound(text: str) -> bool:
    """Return True if DuckDB accepts a string as a literal: not empty, no NUL, valid Unicode.

    >>> is_sound("é"), is_sound(chr(0xD800))
    (True, False)
    """
    return bool(text) and "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def commas(names: Iterable[object]) -> str:
    """Return quoted names separated by commas, and only the first 50 of them.

    >>> commas(["a", "b"])
    "'a', 'b'"
    """
    return some(list(names), 50, show=quote)


def some(
    things: Sequence[object],
    most: int = 3,
    *,
    between: str = ", ",
    last: str | None = None,
    show: Callable[[object], str] = str,
) -> str:
    """Return the first things as text, and how many more there are; `last` comes before the last if there are no more.

    >>> some(["a", "b", "c"], 2, last=" and "), some(["a", "b", "c", "d"], 2)
    ('a, b and c', 'a, b and 2 more')
    """
    shown = list(map(show, things[: number_shown(len(things), most)]))
    if len(shown) < len(things):
        shown, last = [*shown, f"{len(things) - len(shown):,} more"], " and "
    return (last or between).join([between.join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def number_shown(count: int, most: int) -> int:
    """Return how many of these things to show: `most`, or all if that would leave out only one.

    >>> number_shown(5, 3), number_shown(4, 3)
    (3, 4)
    """
    return count if count <= most + 1 else most
