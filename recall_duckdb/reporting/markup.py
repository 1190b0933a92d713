"""The parts of a page of HTML: text, notes, and what opens or scrolls."""

from __future__ import annotations

import html
import re

from recall_duckdb.report import printable

_MAX_CHARACTERS = 300  # of the name of a model, a query or an item


def section(title: str, content: str, *, folds: bool = False) -> str:
    """Return a section with a title, or nothing without content; one that folds opens with a click on its title."""
    if not content:
        return ""
    if folds:
        opened = f"<details><summary><h2>{text(title)}</h2></summary>{content}</details>"
        return f'<section class="folded">{opened}</section>'
    return f"<section><h2>{text(title)}</h2>{content}</section>"


def fold(title: str, content: str) -> str:
    """Return content that opens with a click on its title."""
    return f"<details><summary>{text(title)}</summary>{content}</details>"


def scroll(table: str) -> str:
    """Return a table that scrolls sideways on its own if it is too wide."""
    return f'<div class="scroll">{table}</div>'


def mute(note: str) -> str:
    """Return a note in muted color, if there is one."""
    return f'<p class="muted">{sentences(note)}</p>' if note else ""


def sentences(prose: str) -> str:
    """Return sentences as HTML, in which no line breaks within a p-value."""
    return re.sub(r"\bp (=|&lt;|≤) (?=\d)", r"p&nbsp;\1&nbsp;", text(prose))


def name(value: object) -> str:
    """Return the name of a model, a query or a slice as HTML, cut if it is long."""
    shown = str(value)
    return text(shown if len(shown) <= _MAX_CHARACTERS else f"{shown[:_MAX_CHARACTERS]}…")


def text(value: object) -> str:
    """Return a value as text of HTML."""
    return html.escape(printable(str(value), keep="\n"))
