"""Fills the parts of the page's template: what is not HTML already is escaped."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from string import Template

from recall_duckdb.report import printable

_MAX_CHARACTERS = 300  # of the name of a model, a query or an item
HERE = Path(__file__).parent  # of the template and its style sheet


class Html(str):
    """A text that is HTML; any other is escaped when a part is filled."""

    __slots__ = ()


@cache
def _parts() -> dict[str, Template]:
    _, *parts = re.split(r"<!-- part: (\w+) -->\n", HERE.joinpath("report.html").read_text("utf-8"))
    return {name: Template(text.removesuffix("\n")) for name, text in zip(parts[::2], parts[1::2], strict=True)}


def fill(part: str, **values: object) -> Html:
    """Return a part of the template with these values, or an empty text if one of them is None."""
    if None in values.values():
        return Html()
    return Html(_parts()[part].substitute({name: escape(value) for name, value in values.items()}))


def escape(value: object) -> Html:
    """Return a value as HTML; the parts of a list follow each other."""
    if isinstance(value, list):
        return Html("".join(map(escape, value)))
    return value if isinstance(value, Html) else Html(html.escape(printable(str(value), keep="\n")))


def prose(sentences: str) -> Html:
    """Return sentences as HTML, in which no line breaks within a p-value."""
    return Html(re.sub(r"\bp (=|&lt;|≤) (?=\d)", r"p&nbsp;\1&nbsp;", escape(sentences)))


def mute(note: str) -> Html:
    """Return a note in muted color, if there is one."""
    return fill("muted", note=prose(note) if note else None)


def cut_name(value: object) -> str:
    """Return the name of a model, a query or a slice, cut if it is long."""
    shown = str(value)
    return shown if len(shown) <= _MAX_CHARACTERS else f"{shown[:_MAX_CHARACTERS]}…"
