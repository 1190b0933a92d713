"""Splits a line of a text file into fields, and recognizes a header."""

from __future__ import annotations

import csv
import re

from recall_duckdb.inputs.usual_names import is_usual_name

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


def is_header(fields: list[str], usual: int = 2) -> bool:
    """Return True if fields are names: none is a number, and some have a usual name or, as in RecBole, a type.

    >>> is_header(["user_id:token", "item_id:token"]), is_header(["q1", "Q0", "doc", "1"])
    (True, False)
    """
    names = [re.sub(r":\w+$", "", field.strip()) for field in fields]
    return not any(map(_NUMBER.fullmatch, names)) and sum(map(is_usual_name, names)) >= usual
