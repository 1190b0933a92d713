"""The tables that commands and results print: text, Markdown, HTML and LaTeX for readers, JSON and CSV for programs."""

from __future__ import annotations

import csv
import html as markup
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from recall_duckdb.errors import DataError, quote, shorten
from recall_duckdb.fitting import shows_bold, table_lines, table_width, terminal_width, text_width, wrap

if TYPE_CHECKING:
    from recall_duckdb.question.metrics import Metric

_NOTEBOOK = 100  # the letters that a notebook shows in a line at 1280 pixels
_GITHUB = 980, 7.5, 27.0  # the pixels of a README, of a letter, and of the borders of a cell
_A4 = 345, 5.0, 12.0  # the points of a line of LaTeX's article, of a digit, and between two columns
_SMALL = 0.8  # the size of footnotes


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


# Metrics that are counts.
_TOTALS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")


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
    turned: Table | None = None  # the same table with other columns, to show where this one is too wide

    @property
    def left(self) -> int:
        """The number of text columns: all but numbers or, so that long texts become narrow, those up to the texts."""
        places = [place for place, name in enumerate(self.header, start=1) if name in self.texts]
        return max(places, default=len(self.header) - self.numbers)

    @property
    def lines(self) -> list[list[str]]:
        """The header and the rows as text, with unprintable characters escaped, and long ids shortened."""
        texts = [["" if cell is None else str(cell) for cell in line] for line in (self.header, *self.body)]
        if self.texts:
            are_texts = [name in self.texts for name in self.header]
            cut_or_not = [list(zip(line, are_texts, strict=True)) for line in texts]
            texts = [[cut(cell) if is_text else cell for cell, is_text in line] for line in cut_or_not]
        return [[printable(shorten(cell)) for cell in line] for line in texts]

    @property
    def below(self) -> list[str]:
        """The lines below the table: its notes and, of an evaluation, how the data were read."""
        return [printable(line) for line in [*self.notes, *self.read_as]]

    def upright(self, width: float | None, of: Callable[[Sequence[Sequence[str]]], float] = table_width) -> Table:
        """Return the turned table if this one is wider than `width` and that is narrower."""
        if width is None or self.turned is None:
            return self
        wide, narrow = of(self.lines), of(self.turned.lines)
        return replace(self.turned, read_as=self.read_as) if wide > width and narrow < wide else self

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

    def text(self, width: int | None = None, *, has_bold: bool = False) -> str:
        """Return the table for a terminal of this width, which may show bold; without columns it is only its notes.

        >>> row = {"model": "run", "metric": "rr", "k": 5, "value": 0.25, "queries": 4}
        >>> print(means_table([row], [], ["run"], ["4 queries"]).text())
        metric     run
        ------  ------
        rr@5    0.2500
        4 queries
        """
        shown = self.upright(width)
        bold = {(row + 1, column) for row, column in shown.bold} if has_bold else ()
        table = table_lines(shown.lines, shown.left, width, bold) if shown.header else []
        return "\n".join([*table, *(line for note in shown.below for line in wrap(note, width, "  "))])

    def on_terminal(self) -> str:
        """Return the table as `text` does, which fits the terminal that standard output is."""
        return self.text(terminal_width())

    def styled(self) -> str:
        """Return the table as `on_terminal` does, with bold cells if the terminal shows these: for the command line."""
        return self.text(terminal_width(), has_bold=shows_bold())

    def markdown(self) -> str:
        """Return the table for a README or an issue."""
        shown = self._fitting(*_GITHUB)
        header, *body = [list(map(_markdown, line)) for line in shown.lines]
        for row, column in shown.bold:
            body[row][column] = f"**{body[row][column]}**"
        rule = [":--" if column < shown.left else "--:" for column in range(len(header))]
        notes = ["", *(f"{_markdown(note)}  " for note in shown.below)] if shown.below else []
        return "\n".join([*(f"| {' | '.join(line)} |" for line in [header, rule, *body]), *notes]).rstrip()

    def latex(self) -> str:
        r"""Return the table for LaTeX, with the rules of the package booktabs; notes are in the paragraph below it.

        A table that is wider than a page of A4 has smaller letters and, if that is not enough, is scaled by graphicx.

        >>> print(Table(["model", "rr"], [["b_m25", "0.5"]], numbers=1).latex())
        \begin{tabular}{lr}
        \toprule
        model & rr \\
        \midrule
        b\_m25 & 0.5 \\
        \bottomrule
        \end{tabular}
        """
        shown = self._fitting(*_A4)
        header, *body = [list(map(_latex, line)) for line in shown.lines]
        for row, column in shown.bold:
            body[row][column] = rf"\textbf{{{body[row][column]}}}"
        lines = [" & ".join(line) + r" \\" for line in [header, *body]]
        columns = "l" * shown.left + "r" * (len(header) - shown.left)
        table = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
        table.append(r"\end{tabular}")
        most, letter, gap = _A4
        if _width(shown.lines, letter, gap) > most:
            table = [r"{\footnotesize\setlength{\tabcolsep}{3pt}%", *table, "}"]
            if _width(shown.lines, letter * _SMALL, gap / 2) > most:
                table = [r"\resizebox{\textwidth}{!}{%", *table[1:-1], "}"]
        notes = ["", *(_latex(note) + r" \\" for note in shown.below)] if shown.below else []
        return "\n".join([*table, *notes]).removesuffix(r" \\")

    def _fitting(self, most: float, letter: float, gap: float) -> Table:
        """Return the table or, if it is wider than a page, the turned one, and without columns of one value."""
        shown = self.upright(most, lambda lines: _width(lines, letter, gap))
        return shown.without_constants() if _width(shown.lines, letter, gap) > most else shown

    def html(self) -> str:
        """Return the table for a notebook; means of many models have these as rows, so that a page need not scroll."""
        shown = self.upright(_NOTEBOOK)
        header, *body = [list(map(markup.escape, line)) for line in shown.lines]
        for row, column in shown.bold:
            body[row][column] = f"<b>{body[row][column]}</b>"
        return html_table(header, body, shown.left, "<br>".join(map(markup.escape, shown.below)))

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


def _width(lines: Sequence[Sequence[str]], letter: float, gap: float) -> float:
    """Return the width of a table in the units of a letter, and of what is added to each column."""
    return sum(max(map(text_width, column)) * letter + gap for column in zip(*lines, strict=True))


def means_table(rows: list[dict[str, Any]], by: Sequence[str], models: Sequence[Any], notes: Sequence[str]) -> Table:
    """Return the means of several models, with a column for each of them or, turned, for each metric.

    With slices, a row has its number of queries too.
    """
    cells: dict[tuple[Any, ...], str] = {}
    queries: dict[tuple[Any, ...], list[int]] = {}
    slices, metrics = dict[tuple[Any, ...], None](), dict[str, None]()
    for row in rows:
        part = tuple(row[name] for name in by)
        metric = row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"
        slices[part] = metrics[metric] = None
        cells[part, row["model"], metric] = format_value(row)
        for line_of in ((part, "metric", metric), (part, "model", row["model"])):
            queries.setdefault(line_of, []).append(row["queries"] or 0)

    def table(title: str, names: Sequence[Any], others: Sequence[Any], turned: Table | None = None) -> Table:
        body = []
        for part in slices:
            texts = ["all" if value is None else str(value) for value in part]
            for name in names:
                keys = ((name, other) if title == "model" else (other, name) for other in others)
                line = [cells.get((part, *key)) for key in keys]
                if any(cell is not None for cell in line):
                    size = [_range(queries[part, title, name])] if by else []
                    body.append([*texts, str(name), *size, *line])
        header = [*by, title, *(["queries"] if by else []), *map(str, others)]
        columns = ["model", *by, "metric", "k", "value", "queries"]
        return Table(header, body, notes, len(header) - len(by) - 1, rows, columns, turned=turned)

    return table("metric", list(metrics), models, table("model", models, list(metrics)))


def _range(numbers: Sequence[int]) -> str:
    """Return a number, or the lowest and the highest of several.

    >>> _range([1200, 1200]), _range([3, 5, 4])
    ('1,200', '3-5')
    """
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}-{high:,}"


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
    """Return a line with unprintable and special characters escaped for Markdown."""
    return _markdown(printable(text))


def _markdown(text: str) -> str:
    r"""Escape the special characters of Markdown and HTML, so that the text shows unchanged.

    Where GitHub would make a link of a name or address although it is escaped, an empty comment separates its parts.

    >>> _markdown("a|b <img>"), _markdown("@me recall@10 www.a.b")
    ('a\\|b &lt;img&gt;', '@<!-- -->me recall@10 www<!-- -->.a.b')
    """
    escaped = re.sub(r"([\\`*_\[\]|~#]|^[-+=])", r"\\\1", markup.escape(text, quote=False))
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
        inner = "".join(
            f'<{tag} style="text-align:{side}">{cell}</{tag}>' for side, cell in zip(sides, cells, strict=True)
        )
        return f"<tr{kind}>{inner}</tr>"

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
    lines = []
    for model in dict.fromkeys(row["model"] for row in means):
        for row in [row for row in per_query if row["model"] == model]:
            name = ",".join(str(row[column]) for column in query)
            if not re.fullmatch(r"\S+", name) or not name.isprintable():
                raise DataError(
                    f"query {quote(name)} cannot be a field of trec_eval's output, whose fields end at whitespace",
                    fix="Read the values of each query from per_query (--per-query FILE)",
                )
            lines += [_trec_line(metric, name, row[str(metric)]) for metric in metrics if _has_queries(metric)]
        lines.append(_trec_text("runid", "all", printable(str(model))))
        values = {(row["metric"], row["k"]): row["value"] for row in reversed(means) if row["model"] == model}
        lines += [_trec_line(metric, "all", values[metric.name, metric.k]) for metric in metrics]
    return "\n".join(lines)


def _has_queries(metric: Metric) -> bool:
    """Return True if trec_eval prints the metric for each query: no geometric mean, num_q or whole-run value."""
    return metric.mean not in ("geometric", "whole") and metric.trec_name != "num_q"


def _trec_line(metric: Metric, query: str, value: float | None) -> str:
    shown = "" if value is None else f"{value:.0f}" if metric.name in _TOTALS else f"{value:.4f}"
    return _trec_text(metric.trec_name, query, shown)


def _trec_text(name: str, query: str, value: object) -> str:
    return f"{name:<22}\t{query}\t{value}"


@dataclass(frozen=True)
class Format:
    """A format in which every command prints its table."""

    write: Callable[[Table], str]  # returns the text of a table
    # True if cells may hold sentences, because a page wraps them; False if these are notes below the table
    wraps: bool = False
    is_data: bool = False  # True if names stay as they are for programs, with control characters
    is_styled: bool = False  # True if cells are escaped already, and the codes of a terminal are ours
    is_long: bool = False  # True if it has a row for each value, at full length


FORMATS = {
    "table": Format(Table.styled, is_styled=True),
    "json": Format(Table.json, is_long=True),
    "csv": Format(Table.csv, is_data=True, is_long=True),
    "markdown": Format(Table.markdown, wraps=True),
    "html": Format(Table.html, wraps=True),
}
TREC = "trec"
"""A further format of `evaluate` alone: lines of metrics and queries, not a table."""
