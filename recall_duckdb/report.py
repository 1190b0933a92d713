"""The tables that commands and results print: text, Markdown, HTML and LaTeX for readers, JSON and CSV for programs."""

from __future__ import annotations

import csv
import html as markup
import io
import json
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recall_duckdb.errors import DataError, quote, shorten

if TYPE_CHECKING:
    from recall_duckdb.question.metrics import Metric

_MOST_MODELS, _MOST_LETTERS = 5, 80  # of models that are columns; others are rows, unless there are more metrics
_GITHUB = 980, 7.5, 27.0  # the pixels of a README, of a letter, and of the borders of a cell
_A4 = 345, 5.0, 12.0  # the points of a line of LaTeX's article, of a digit, and between two columns


def printable(text: str, keep: str = "") -> str:
    r"""Escape unprintable characters, as `repr` does: control characters, direction marks, unusual spaces.

    >>> printable("a\x1b[2J" + chr(0x202E))
    'a\\x1b[2J\\u202e'
    """
    return "".join(letter if letter.isprintable() or letter in keep else repr(letter)[1:-1] for letter in text)


def format_value(row: dict[str, Any]) -> str:
    """Format a value for readers: counts as whole numbers, all others with four decimals."""
    if row["value"] is None:
        return ""
    return f"{row['value']:,.0f}" if row["metric"] in _TOTALS else f"{row['value']:.4f}"


_TOTALS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")  # metrics that are counts


@dataclass(frozen=True)
class Table:
    """A table for readers, and the rows for programs."""

    header: Sequence[str]  # the names of the columns
    body: Sequence[Sequence[Any]]  # the rows; a cell that is None is empty
    notes: Sequence[str] = ()  # the lines below the table
    numbers: int = 0  # how many of the last columns are numbers, if none is in `texts`
    # The rows for programs, with values at full precision; None for those of `body`
    rows: list[dict[str, Any]] | None = None
    columns: Sequence[str] | None = None  # the columns of these rows; None for those of `header`
    bold: Collection[tuple[int, int]] = field(default_factory=set)  # the row and column of each cell in bold, from 0
    # How the data of an evaluation were read, for the last lines below the table and for JSON
    read_as: Sequence[str] = ()
    texts: Collection[str] = ()  # the columns whose texts are cut

    @property
    def left(self) -> int:
        """The number of text columns."""
        return len(self.header) - self.numbers

    @property
    def lines(self) -> list[list[str]]:
        """The header and the rows as text, with unprintable characters escaped, and long ids shortened."""
        texts = [["" if cell is None else str(cell) for cell in line] for line in (self.header, *self.body)]
        for place in [place for place, name in enumerate(self.header) if name in self.texts]:
            for line in texts:
                line[place] = cut(line[place])
        return [[printable(shorten(cell)) for cell in line] for line in texts]

    @property
    def below(self) -> list[str]:
        """The lines below the table: its notes and, of an evaluation, how the data were read."""
        return [printable(line) for line in [*self.notes, *self.read_as]]

    def without_constants(self) -> Table:
        """Return the table with its model and its number of queries as notes, if these are the same in several rows."""
        columns = [place for place, name in enumerate(self.header) if name in ("model", "queries")]
        same = [place for place in columns if len(self.body) > 1 and len({line[place] for line in self.body}) == 1]
        kept = [place for place in range(len(self.header)) if place not in same]
        header, *body = [[line[place] for place in kept] for line in (self.header, *self.body)]
        notes = [*(f"{self.header[place]}: {self.body[0][place]}" for place in same), *self.notes]
        bold = {(row, kept.index(column)) for row, column in self.bold if column in kept}
        numbers = self.numbers - sum(place >= self.left for place in same)
        return replace(self, header=header, body=body, notes=notes, numbers=numbers, bold=bold)

    def _is_wide(self, most: int, letter: float, gap: float) -> bool:
        """Return True if the table is wider than a page, with this width of a letter and this gap after a column."""
        return sum(max(map(text_width, each)) * letter + gap for each in zip(*self.lines, strict=True)) > most

    def _cells(self, escape: Callable[[str], str], bold: str) -> list[list[str]]:
        """Return the header and the rows, escaped, with bold cells in a format."""
        lines = [list(map(escape, line)) for line in self.lines]
        for row, column in self.bold:
            lines[row + 1][column] = bold.format(lines[row + 1][column])
        return lines

    def text(self, width: int | None = None) -> str:
        """Return the table as text. Columns of numbers that do not fit into `width` follow in further tables.

        If the columns of text and one of numbers do not fit, each cell is a line.

        >>> row = {"model": "run", "metric": "rr", "k": 5, "value": 0.25, "queries": 4}
        >>> table = means_table([row, {**row, "model": "other"}], [], ["run", "other"], ["4 queries"])
        >>> print(table.text(16))
        metric     run
        ------  ------
        rr@5    0.2500
        <BLANKLINE>
        metric   other
        ------  ------
        rr@5    0.2500
        4 queries
        """
        if not self.header:
            return "\n".join(wrap(line, width) for line in self.below)
        lines = self.lines
        widths = [max(map(text_width, column)) for column in zip(*lines, strict=True)]
        least = sum(widths[: self.left]) + 2 * self.left + max(widths[self.left :], default=-2)
        if width is not None and least > width:
            names = max(map(text_width, lines[0]))
            shown = [
                "\n".join(
                    wrap(f"{_pad(name, names)}  {cell}".rstrip(), width, names + 2)
                    for name, cell in zip(lines[0], line, strict=True)
                )
                for line in lines[1:]
            ]
            return "\n".join(["\n\n".join(shown), "", *(wrap(line, width) for line in self.below)])
        parts: list[list[int]] = [[*range(self.left)]]
        for place in range(self.left, len(widths)):
            taken = sum(widths[each] + 2 for each in parts[-1]) + widths[place]
            if width is not None and taken > width and len(parts[-1]) > self.left:
                parts.append([*range(self.left)])
            parts[-1].append(place)
        rows = [lines[0], ["-" * each for each in widths], *lines[1:]]
        shown = [
            "\n".join(
                "  ".join(_pad(line[place], widths[place], is_left=place < self.left) for place in part).rstrip()
                for line in rows
            )
            for part in parts
        ]
        return "\n".join(["\n\n".join(shown), *(wrap(line, width) for line in self.below)])

    def on_terminal(self) -> str:
        """Return the table as `text` does for the terminal that standard output is."""
        return self.text(terminal_width())

    def markdown(self) -> str:
        """Return the table for a README or an issue."""
        shown = self.without_constants() if self._is_wide(*_GITHUB) else self
        header, *body = shown._cells(markdown_text, "**{}**")
        rule = [":--" if column < shown.left else "--:" for column in range(len(header))]
        notes = ["", *(f"{markdown_text(note)}  " for note in shown.below)] if shown.below else []
        return "\n".join([*(f"| {' | '.join(line)} |" for line in [header, rule, *body]), *notes]).rstrip()

    def latex(self) -> str:
        r"""Return the table for LaTeX, with the rules of the package booktabs; notes are in the paragraph below it.

        A table that is wider than a page of A4 is scaled by the package graphicx.

        >>> print(Table(["model", "rr"], [["b_m25", "0.5"]], numbers=1).latex())
        \begin{tabular}{lr}
        \toprule
        model & rr \\
        \midrule
        b\_m25 & 0.5 \\
        \bottomrule
        \end{tabular}
        """
        shown = self.without_constants() if self._is_wide(*_A4) else self
        header, *body = [" & ".join(line) + r" \\" for line in shown._cells(_latex, r"\textbf{{{}}}")]
        columns = "l" * shown.left + "r" * shown.numbers
        table = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", header, r"\midrule", *body, r"\bottomrule"]
        table.append(r"\end{tabular}")
        if shown._is_wide(*_A4):
            table = [r"\resizebox{\textwidth}{!}{%", *table, "}"]
        notes = ["", *(_latex(note) + r" \\" for note in shown.below)] if shown.below else []
        return "\n".join([*table, *notes]).removesuffix(r" \\")

    def html(self) -> str:
        """Return the table for a notebook."""
        header, *body = self._cells(markup.escape, "<b>{}</b>")
        return html_table(header, body, self.left, "<br>".join(map(markup.escape, self.below)))

    def records(self) -> list[dict[str, Any]]:
        """Return the rows for programs."""
        return [dict(zip(self.header, row, strict=True)) for row in self.body] if self.rows is None else self.rows

    def json(self) -> str:
        """Return one JSON object for each row, at full precision; those of an evaluation say how it read its data."""
        more = {"read_as": list(self.read_as)} if self.read_as else {}
        return json_text([{**row, **more} for row in self.records()], indent=2)

    def csv(self) -> str:
        """Return one CSV line for each row, at full precision.

        CSV is for programs, so names stay as they are, or ids would not match those in the data. A name that begins
        with =, +, - or @ is a formula to a spreadsheet: import such a column as text.
        """
        columns = self.header if self.columns is None else self.columns
        return csv_text([columns, *([row[name] for name in columns] for row in self.records())])


def terminal_width(of: str = "stdout") -> int | None:
    """Return the width of the terminal that a standard stream is; None for a file or a pipe, which take any line."""
    try:
        is_terminal = getattr(sys, of).isatty()
    except (AttributeError, ValueError):  # none, a replacement that cannot tell, or a closed stream
        return None
    return shutil.get_terminal_size().columns if is_terminal else None


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> text_width("ndcg"), text_width("東京"), text_width("e" + chr(0x301))
    (4, 4, 1)
    """
    narrow = sum(unicodedata.category(letter) not in ("Mn", "Me") for letter in text)
    return narrow + sum(unicodedata.east_asian_width(letter) in ("W", "F") for letter in text)


def _pad(text: str, width: int, *, is_left: bool = True) -> str:
    blanks = " " * (width - text_width(text))
    return f"{text}{blanks}" if is_left else f"{blanks}{text}"


def wrap(text: str, width: int | None, indent: int = 2) -> str:
    """Return a text whose lines break at spaces, with further lines indented.

    >>> print(wrap("bm25, dense, hybrid: 200 queries", 24))
    bm25, dense, hybrid: 200
      queries
    """
    if width is None or text_width(text) <= width:
        return text
    least = indent + 20  # or numbers would break: a narrower terminal breaks the lines itself
    return textwrap.fill(text, max(width, least), subsequent_indent=" " * indent, break_on_hyphens=False)


def means_table(rows: list[dict[str, Any]], by: Sequence[str], models: Sequence[Any], notes: Sequence[str]) -> Table:
    """Return the means of several models, with a column for each of them or, if they are many, for each metric.

    With slices, a row has its number of queries too.
    """
    metrics = list(dict.fromkeys(map(metric_name, rows)))
    are_wide = len(models) > _MOST_MODELS or len("".join(map(str, models))) > _MOST_LETTERS
    are_rows = are_wide and len(models) > len(metrics)
    title, names, others = ("model", models, metrics) if are_rows else ("metric", metrics, models)
    lines: dict[tuple[object, ...], dict[object, str]] = {}
    queries: dict[tuple[object, ...], list[int]] = {}
    for row in rows:
        part, pair = tuple(row[name] for name in by), (row["model"], metric_name(row))
        name, other = pair if are_rows else pair[::-1]
        lines.setdefault((part, name), {})[other] = format_value(row)
        queries.setdefault((part, name), []).append(row["queries"] or 0)
    ranges = {key: "-".join(f"{each:,}" for each in sorted({min(held), max(held)})) for key, held in queries.items()}
    body = [
        [
            *("all" if value is None else str(value) for value in part),
            *([str(name), ranges[part, name]] if by else [str(name)]),
            *(line.get(other) for other in others),
        ]
        for part in dict.fromkeys(tuple(row[name] for name in by) for row in rows)
        for name in names
        if (line := lines.get((part, name))) is not None
    ]
    header = [*by, title, *(["queries"] if by else []), *map(str, others)]
    columns = ["model", *by, "metric", "k", "value", "queries"]
    return Table(header, body, notes, len(header) - len(by) - 1, rows, columns)


def metric_name(row: Mapping[str, Any]) -> str:
    """Return the metric of a row with its cutoff, as in `recall@10`."""
    return str(row["metric"]) if row["k"] is None else f"{row['metric']}@{row['k']}"


_MOST_OF_TEXT = 60  # letters of a text in a table


def cut(text: str, most: int = _MOST_OF_TEXT) -> str:
    r"""Return a text on one line, cut after this many letters.

    >>> cut("a  long\ntext", 6), cut("short")
    ('a long…', 'short')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}…"


_OF_LATEX = {
    "\\": r"\textbackslash{}",
    **{letter: f"\\{letter}" for letter in "&%$#_{}"},
    **{"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}"},
    **{"|": r"\textbar{}", "▲": r"$\blacktriangle$", "▼": r"$\blacktriangledown$", "[": "{[}", "]": "{]}", "*": "{*}"},
}


def _latex(text: str) -> str:
    r"""Escape the special characters of LaTeX. Brackets and a star would be options after the end of a line.

    >>> _latex("a_b & 5%")
    'a\\_b \\& 5\\%'
    """
    return "".join(_OF_LATEX.get(letter, letter) for letter in text)


def markdown_text(text: str) -> str:
    r"""Escape unprintable characters and those special in Markdown and HTML, so that the text shows unchanged.

    Where GitHub would make a link of a name or address although it is escaped, an empty comment separates its parts.

    >>> markdown_text("a|b <img>"), markdown_text("@me recall@10 www.a.b")
    ('a\\|b &lt;img&gt;', '@<!-- -->me recall@10 www<!-- -->.a.b')
    """
    escaped = re.sub(r"([\\`*_\[\]|~#]|^[-+=])", r"\\\1", markup.escape(printable(text), quote=False))
    return _LINKED.sub(r"\g<0><!-- -->", escaped)


# What comes before a mention, an email address and a URL in Markdown.
_LINKED = re.compile(r"(?<!\w)@(?=\w)|@(?=[\w-]+\.\w)|\b(?:https?|ftp|mailto|xmpp):(?=\S)|\bwww(?=\.)", re.IGNORECASE)


def html_table(
    header: Sequence[str],
    body: Sequence[Sequence[str]],
    left: int,
    notes: str,
    *,
    attributes: str = "",
    relevant: Collection[int] = (),
) -> str:
    """Return a table of cells of HTML, of which the first `left` are text; rows may have the class "relevant"."""

    def row(cells: Sequence[str], tag: str, kind: str = "") -> str:
        sides = ["left" if column < left else "right" for column in range(len(cells))]
        inner = (f'<{tag} style="text-align:{side}">{cell}</{tag}>' for side, cell in zip(sides, cells, strict=True))
        return f"<tr{kind}>{''.join(inner)}</tr>"

    rows = "".join(row(cells, "td", ' class="relevant"' * (number in relevant)) for number, cells in enumerate(body))
    table = f"<table{attributes}><thead>{row(header, 'th')}</thead><tbody>{rows}</tbody></table>"
    return f"{table}<p>{notes}</p>"


def json_text(value: object, indent: int | None = None) -> str:
    r"""Write a value as JSON, with unprintable characters escaped.

    >>> json_text("é" + chr(0x202E))
    '"é\\u202e"'
    """
    text = json.dumps(value, indent=indent, default=str, ensure_ascii=False)
    return "".join(letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text)


def csv_text(lines: Iterable[Sequence[object]]) -> str:
    r"""Write lines as CSV by RFC 4180, but with Unix line ends. Values are not changed.

    >>> csv_text([["model", "value"], ["=a\r", 0.5]])
    'model,value\n"=a\r",0.5'
    """
    written = []
    for line in lines:
        buffer = io.StringIO(newline="")
        csv.writer(buffer).writerow(line)  # quotes \r only if it ends lines
        written.append(buffer.getvalue().removesuffix("\r\n"))
    return "\n".join(written)


def trec(
    metrics: Sequence[Metric], means: list[dict[str, Any]], per_query: list[dict[str, Any]], query: Sequence[str]
) -> str:
    """Return trec_eval's output lines, of each query and of all; a query of several columns becomes "7,2024".

    Raises:
        DataError: a query cannot be a field of such a line.

    >>> from recall_duckdb.question.metrics import parse
    >>> trec(parse("P_5"), [{"model": "bm25", "metric": "precision", "k": 5, "value": 0.25}], [], []).split()
    ['runid', 'all', 'bm25', 'P_5', 'all', '0.2500']
    """
    lines, whole = [], ("geometric", "whole")  # trec_eval prints no value for each query of these
    of_queries = [metric for metric in metrics if metric.mean not in whole and metric.trec_name != "num_q"]
    for model in dict.fromkeys(row["model"] for row in means):
        for row in [row for row in per_query if row["model"] == model]:
            name = ",".join(str(row[column]) for column in query)
            if not re.fullmatch(r"\S+", name) or not name.isprintable():
                raise DataError(
                    f"query {quote(name)} cannot be a field of trec_eval's output, whose fields end at whitespace",
                    fix="Read the values of each query from per_query (--per-query FILE)",
                )
            lines += [_trec_line(metric, name, row[str(metric)]) for metric in of_queries]
        lines.append(f"{'runid':<22}\tall\t{printable(str(model))}")
        values = {(row["metric"], row["k"]): row["value"] for row in reversed(means) if row["model"] == model}
        lines += [_trec_line(metric, "all", values[metric.name, metric.k]) for metric in metrics]
    return "\n".join(lines)


def _trec_line(metric: Metric, query: str, value: float | None) -> str:
    shown = "" if value is None else f"{value:.0f}" if metric.name in _TOTALS else f"{value:.4f}"
    return f"{metric.trec_name:<22}\t{query}\t{shown}"


FORMATS: dict[str, Callable[[Table], str]] = {  # of every command
    **{"table": Table.on_terminal, "json": Table.json, "csv": Table.csv},
    **{"markdown": Table.markdown, "html": Table.html},
}
PROGRAMS = ("json", "csv")  # read these formats, which have a row for each value, at full length
TREC = "trec"  # a further format of `evaluate` alone: lines of metrics and queries, not a table
