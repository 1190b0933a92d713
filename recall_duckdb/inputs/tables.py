"""Reads the name of a table, in parts between dots, quoted or not."""

from __future__ import annotations

import re

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, is_sound, quote

_PART = r'(?:"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[(?:[^\]]|\]\])+\])(?=\.|$)|[^.]+'


def table_named(name: str, side: str) -> exp.Table:
    """Parse the name of a table that cannot be looked up; a part stays quoted if it was, or must be."""
    if not isinstance(name, str):
        raise ArgumentTypeError(f"the name of a table is expected, not {quote(name)}", argument=side)
    if re.match(r"\s*(select|with|from)\s", name, re.IGNORECASE):
        raise ArgumentError(f"{quote(name)} is a query, not a table", argument=side, fix="Put it in parentheses")
    if not is_sound(name) or not re.fullmatch(rf"({_PART})(\.({_PART})){{0,2}}", name):
        raise ArgumentError(
            (
                f"{quote(name)} cannot be the name of a table, which has one to three parts between dots: quote a "
                "part that holds a dot itself"
            ),
            argument=side,
        )
    parts = [_part(text) for text in reversed(re.findall(_PART, name))]
    return exp.Table(**dict(zip(("this", "db", "catalog"), parts, strict=False)))


def meanings(name: str) -> list[list[str]]:
    """Return what a name may mean where it can be looked up: the whole text, or the parts between its dots, unquoted.

    >>> meanings('run'), meanings('"s.t".run')
    ([['run']], [['"s.t".run'], ['s.t', 'run']])
    """
    if not re.fullmatch(rf"({_PART})(\.({_PART})){{0,2}}", name):
        return [[name]]
    parts = [_part(text).name for text in re.findall(_PART, name)]
    return [[name]] if parts == [name] else [[name], parts]


def _part(text: str) -> exp.Identifier:
    if len(text) > 2 and (text[0], text[-1]) in (('"', '"'), ("`", "`"), ("[", "]")):
        return trees.identifier(text[1:-1].replace(text[-1] * 2, text[-1]))
    return exp.to_identifier(text, quoted=not re.fullmatch("[A-Za-z_][A-Za-z0-9_$]*", text))
