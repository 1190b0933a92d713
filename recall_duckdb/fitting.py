"""Fits a table to the width of a terminal: the lines of its cells, in blocks of columns if one block is too wide."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress

_GAP = 2  # spaces between columns
_LEAST_WIDTH = 20  # of a terminal: a narrower one breaks the lines itself
_USUAL_WIDTH = 80
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def terminal_width(of: str = "stdout") -> int | None:
    """Return the width of the terminal that a standard stream is; None for a file or a pipe, which take any line."""
    try:
        is_terminal = getattr(sys, of).isatty()
    except (AttributeError, ValueError):  # none, a replacement that cannot tell, or a closed stream
        is_terminal = False
    if not is_terminal:
        return None
    columns = 0
    with suppress(AttributeError, OSError, ValueError):
        columns = (
            int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(getattr(sys, f"__{of}__").fileno()).columns
        )
    return max(columns or _USUAL_WIDTH, _LEAST_WIDTH)


def shows_bold() -> bool:
    """Return True if standard output is a terminal that shows bold text, unless NO_COLOR or TERM=dumb turns it off."""
    if terminal_width() is None or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return os.name != "nt" or "WT_SESSION" in os.environ  # an old console of Windows would print the codes


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> text_width("ndcg"), text_width("東京"), text_width("e" + chr(0x301))
    (4, 4, 1)
    """
    if text.isascii():
        return len(text)
    narrow = sum(1 for letter in text if unicodedata.category(letter) not in ("Mn", "Me"))
    return narrow + sum(1 for letter in text if unicodedata.east_asian_width(letter) in ("W", "F"))


def table_width(lines: Sequence[Sequence[str]]) -> int:
    """Return the width of a table whose cells are not wrapped."""
    return _total([max(text_width(line[column]) for line in lines) for column in range(len(lines[0]))])


def table_lines(
    lines: Sequence[Sequence[str]], left: int, width: int | None, bold: Collection[tuple[int, int]] = ()
) -> list[str]:
    r"""Return the lines of a table, whose first `lines` are its header and whose first `left` columns are text.

    Without a width, each row is one line. With one, long cells are wrapped, and the columns that do not fit follow in
    blocks, each with the columns of text that name its rows. `bold` are the line and column of each cell in bold.

    >>> rows = [["metric", "old model", "new model"], ["recall@10", "0.2500", "0.5000"]]
    >>> print("\n".join(table_lines(rows, 1, 20)))
    metric     old model
    ---------  ---------
    recall@10     0.2500
    <BLANKLINE>
    metric     new model
    ---------  ---------
    recall@10     0.5000
    """
    columns = [[line[column] for line in lines] for column in range(len(lines[0]))]
    widths = [max(map(text_width, column)) for column in columns]
    if width is None or _total(widths) <= width:
        return _block(dict(enumerate(columns)), widths, left, bold)
    keys = left if left < len(columns) else 1
    _narrow(widths, keys, (width if keys == len(columns) else width // 2))
    rest = max(width - sum(widths[:keys]) - _GAP * keys, 1)
    written: list[str] = []
    for block in _blocks([min(each, rest) for each in widths[keys:]], rest):
        chosen = [*range(keys), *(keys + place for place in block)]
        shown = [min(widths[column], rest) if column >= keys else widths[column] for column in chosen]
        lines_of_block = _block({column: columns[column] for column in chosen}, shown, left, bold)
        written += [*([""] if written else []), *lines_of_block]
    return written


def wrap(text: str, width: int | None, indent: str = "") -> list[str]:
    """Return the lines of a text, broken at spaces, or within words that are longer than a line.

    >>> wrap("bm25, dense: 200 queries", 12)
    ['bm25, dense:', '200 queries']
    """
    if width is None or text_width(text) <= width:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        joined = f"{line} {word}" if line.strip() else f"{line}{word}"
        if text_width(joined) <= width:
            line = joined
            continue
        if line.strip():
            lines.append(line)
        *whole, line = _pieces(f"{indent if lines else ''}{word}", width)
        lines += whole
    return [*lines, line]


def _pieces(word: str, width: int) -> list[str]:
    """Return the pieces of a word, each as wide as fits; at least one letter."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def _narrow(widths: list[int], count: int, most: int) -> None:
    """Narrow the widest of the first columns, until all of these fit."""
    while (excess := _total(widths[:count]) - most) > 0 and max(widths[:count]) > 1:
        widest = max(range(count), key=widths.__getitem__)
        others = [each for each in widths[:count] if each < widths[widest]]
        widths[widest] = max(widths[widest] - excess, max(others, default=1), 1)
        if others and widths[widest] in others:
            widths[widest] = max(widths[widest] - 1, 1)


def _blocks(widths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield the places of the columns of each block; a block has at least one."""
    block: list[int] = []
    for place, width in enumerate(widths):
        if block and _total([widths[each] for each in block]) + _GAP + width > most:
            yield block
            block = []
        block.append(place)
    if block or not widths:
        yield block


def _block(
    columns: Mapping[int, Sequence[str]], widths: Sequence[int], left: int, bold: Collection[tuple[int, int]]
) -> list[str]:
    """Return the lines of a block of columns by their numbers, with a rule below its header."""
    written = []
    for number, row in enumerate(zip(*columns.values(), strict=True)):
        cells = [wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
        for line in range(max(map(len, cells))):
            parts = [cell[line] if line < len(cell) else "" for cell in cells]
            padded = []
            for place, (column, part, width) in enumerate(zip(columns, parts, widths, strict=True)):
                blanks = " " * (width - text_width(part))
                shown = f"{_BOLD}{part}{_PLAIN}" if part and (number, column) in bold else part
                padded.append(f"{shown}{blanks}" if place < left else f"{blanks}{shown}")
            written.append((" " * _GAP).join(padded).rstrip())
        if number == 0:
            written.append((" " * _GAP).join("-" * width for width in widths))
    return written


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + _GAP * (len(widths) - 1)
