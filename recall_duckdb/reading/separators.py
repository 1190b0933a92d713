"""Splits a line of a text file into fields, and recognizes a header."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from recall_duckdb.reading.usual_names import is_usual_name

# What may separate fields, in the order to try.
SEPARATORS = ("\t", "::", ",", ";", "|", " ")
_NUMBER = re.compile(r"[+-]?\d+([.]\d*)?(e[+-]?\d+)?", re.IGNORECASE)


def fields_of(line: str, separator: str | None = None) -> list[str]:
    r"""Return the fields of a line; without a separator, by the first of `SEPARATORS` that it holds.

    >>> fields_of("1::10::3"), fields_of('1,"a, b"'), fields_of("1\tRocky 4")
    (['1', '10', '3'], ['1', 'a, b'], ['1', 'Rocky 4'])
    """
    line = line.strip(" \r\n")
    separator = separator or next((each for each in SEPARATORS if each in line), ",")
    if len(separator) > 1:
        return line.split(separator)
    return next(csv.reader([line], delimiter=separator), [])


def raw_fields(line: str, separator: str) -> list[str]:
    """Return the fields of a line as they are written, with their quotes and blanks.

    >>> raw_fields('1, "a, b", 0.5', ",")
    ['1', ' "a, b"', ' 0.5']
    """
    mark = re.escape(separator)
    return re.findall(rf'(?:^|{mark})( *"(?:[^"]|"")*" *(?=$|{mark})|.*?(?=$|{mark}))', line)


def are_alike(lines: Sequence[str]) -> bool:
    """Return True if the fields after the first look alike: lines of a query and items, not of an item and a number.

    >>> are_alike(["1,10,20"]), are_alike(["1,10,5"]), are_alike(["u,a,b"]), are_alike(["u,a,b", "v,a"])
    (True, False, True, True)
    """
    fields = [fields_of(line) for line in lines]
    if len({row[0] for row in fields if row}) < len(fields):  # a list is of another query than the one before
        return False
    rows = [row[1:] for row in fields]
    if len({*map(len, rows)}) > 1:
        return True
    forms = {_form(column) for column in zip(*rows, strict=True)}
    return len(forms) == 1 and "decimal" not in forms and len(rows[0]) > 1


def is_number(text: str) -> bool:
    """Return True if a text is a number."""
    return _NUMBER.fullmatch(text.strip()) is not None


def _form(values: Sequence[str]) -> str:
    """Return the form of values: text, decimal, or the number of digits of the longest whole number."""
    if not all(map(is_number, values)):
        return "text"
    are_whole = all(value.strip().isdigit() for value in values)
    return str(max(len(value.strip()) for value in values)) if are_whole else "decimal"


def is_header(fields: list[str], usual: int = 2) -> bool:
    """Return True if fields are names: none is a number, and some have a usual name or, as in RecBole, a type.

    >>> is_header(["user_id:token", "item_id:token"]), is_header(["q1", "Q0", "doc", "1"])
    (True, False)
    """
    names = [re.sub(r":\w+$", "", field.strip()) for field in fields]
    return not any(map(_NUMBER.fullmatch, names)) and sum(map(is_usual_name, names)) >= usual
