"""The formats in which commands print tables: text, Markdown and HTML for readers, and JSON and CSV in long form."""

from __future__ import annotations

import csv
import html as markup
import io
import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from recall_duckdb.errors import DataError, quote, shorten
from recall_duckdb.fitting import shows_bold, table_lines, table_width, terminal_width, wrap

if TYPE_CHECKING:
    from recall_duckdb.question.metrics import Metric


class Shown(Protocol):
    """A table whose first `left` columns are text, with notes below it."""

    @property
    def left(self) -> int:
        """The number of text columns, which come first."""

    @property
    def notes(self) -> list[str]:
        """The lines below the table."""

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows."""


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


class Rows(Shown, Protocol):
    """A table that is also written as rows of values."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, with values at full precision."""

    @property
    def columns(self) -> list[str]:
        """The columns of the rows."""


@dataclass(frozen=True)
class Means:
    """The means of several models: a column for each, or a row if the table is turned."""

    rows: list[dict[str, Any]]
    by: list[str]
    models: list[Any]
    notes: list[str]
    read_as: Sequence[str] = ()
    is_turned: bool = False

    @property
    def columns(self) -> list[str]:
        """The columns of the rows."""
        return ["model", *self.by, "metric", "k", "value", "queries"]

    @property
    def left(self) -> int:
        """The number of text columns: the columns of `by`, and the metric or the model."""
        return len(self.by) + 1

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows: slice columns, metric, and a column for each model, with four decimals.

        Turned, the rows are of models, and the columns of metrics. With slices, a row has its number of queries too.
        """
        cells: dict[tuple[Any, ...], str] = {}
        queries: dict[tuple[Any, ...], list[int]] = {}
        slices, metrics = dict[tuple[Any, ...], None](), dict[str, None]()
        for row in self.rows:
            part = tuple(row[name] for name in self.by)
            metric = row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"
            slices[part] = metrics[metric] = None
            cells[part, row["model"], metric] = format_value(row)
            line_of = row["model"] if self.is_turned else metric
            queries.setdefault((part, line_of), []).append(row["queries"] or 0)
        body = []
        for part in slices:
            texts = ["all" if value is None else str(value) for value in part]
            of_models = [[cells.get((part, model, metric)) for metric in metrics] for model in self.models]
            names = self.models if self.is_turned else list(metrics)
            for name, line in zip(names, of_models if self.is_turned else zip(*of_models, strict=True), strict=True):
                if any(cell is not None for cell in line):
                    size = [_range(queries[part, name])] if self.by else []
                    body.append([*texts, str(name), *size, *(cell or "" for cell in line)])
        rows_are, columns = ("model", metrics) if self.is_turned else ("metric", map(str, self.models))
        return [*self.by, rows_are, *(["queries"] if self.by else []), *columns], body


def _range(numbers: Sequence[int]) -> str:
    """Return a number, or the lowest and the highest of several.

    >>> _range([1200, 1200]), _range([3, 5, 4])
    ('1,200', '3-5')
    """
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}-{high:,}"


@dataclass(frozen=True)
class Records:
    """Rows of values, such as those of a relation, as a table.

    Attributes:
        columns: the columns.
        values: the rows.
        notes: the lines below the table.
        texts: the columns whose texts are cut in a table.
        bold_rows: the numbers of the rows in bold, from 0.
        numbers: how many of the last columns are numbers, if none is in `texts`.
    """

    columns: list[str]
    values: Sequence[Sequence[Any]]
    notes: list[str] = field(default_factory=list)
    texts: Collection[str] = ()
    bold_rows: Collection[int] = ()
    numbers: int = 0

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows, with values at full precision."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.values]

    @property
    def left(self) -> int:
        """The number of text columns: all but numbers or, so that long texts become narrow, those up to the texts."""
        places = [place for place, name in enumerate(self.columns, start=1) if name in self.texts]
        return max(places, default=len(self.columns) - self.numbers)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows."""
        are_texts = [name in self.texts for name in self.columns]
        body = [
            [
                "" if cell is None else cut(str(cell)) if is_text else str(cell)
                for cell, is_text in zip(row, are_texts, strict=True)
            ]
            for row in self.values
        ]
        return self.columns, body

    @property
    def bold(self) -> set[tuple[int, int]]:
        """The row and column of each cell in bold, without empty ones."""
        places = [(row, column) for row in self.bold_rows for column in range(len(self.columns))]
        return {(row, column) for row, column in places if self.values[row][column] is not None}


@dataclass(frozen=True)
class Table:
    """A table of text that is also written as rows of values.

    Attributes:
        header: the names of the columns.
        body: the rows, as text.
        notes: the lines below the table.
        numbers: how many columns are numbers; they come last.
        rows: the rows, with values at full precision.
        columns: the columns of the rows.
        bold: the row and column of each cell in bold, from 0.
        read_as: how the data of an evaluation were read, for the last lines below the table and for JSON.
    """

    header: list[str]
    body: list[list[str]]
    notes: list[str] = field(default_factory=list)
    numbers: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    bold: set[tuple[int, int]] = field(default_factory=set)
    read_as: Sequence[str] = ()

    @property
    def left(self) -> int:
        """The number of text columns."""
        return len(self.header) - self.numbers

    def table(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows."""
        return self.header, self.body


_MOST_OF_TEXT = 60  # letters of a text in a table


def cut(text: str, most: int = _MOST_OF_TEXT) -> str:
    r"""Return a text on one line, cut after this many letters.

    >>> cut("a  long\ntext", 6), cut("short")
    ('a long…', 'short')
    """
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[:most].rstrip()}…"


def text(shown: Shown, width: int | None = None, *, has_bold: bool = False) -> str:
    """Return a table for a terminal of this width, which may show bold; a table without columns is only its notes.

    >>> row = {"model": "run", "metric": "recall", "k": 5, "value": 0.25, "queries": 4}
    >>> print(text(Means([row], [], ["run"], ["run: 4 queries judged"])))
    metric       run
    --------  ------
    recall@5  0.2500
    run: 4 queries judged
    """
    shown = _upright(shown, width)
    lines = _printable_lines(shown)
    bold = {(row + 1, column) for row, column in getattr(shown, "bold", ())} if has_bold else ()
    table = table_lines(lines, shown.left, width, bold) if lines[0] else []
    notes = [line for note in _lines_below(shown) for line in wrap(printable(note), width, "  ")]
    return "\n".join([*table, *notes])


def on_terminal(shown: Shown) -> str:
    """Return a table as `text` does, which fits the terminal that standard output is."""
    return text(shown, terminal_width())


def styled(shown: Shown) -> str:
    """Return a table as `on_terminal` does, with bold cells if the terminal shows these: for the command line."""
    return text(shown, terminal_width(), has_bold=shows_bold())


_PAGE_WIDTH = 100  # the letters that a notebook shows in a line at 1280 pixels


def _upright(shown: Shown, width: int | None) -> Shown:
    """Return means with models as rows if their columns do not fit and this makes the table narrower."""
    if width is None or not isinstance(shown, Means):
        return shown
    turned = replace(shown, is_turned=True)
    wide, narrow = (table_width(_printable_lines(each)) for each in (shown, turned))
    return turned if wide > width and narrow < wide else shown


def markdown(shown: Shown) -> str:
    """Return a table for a README or an issue."""
    header, *body = [[_markdown(cell) for cell in line] for line in _printable_lines(shown)]
    for row, column in getattr(shown, "bold", ()):
        body[row][column] = f"**{body[row][column]}**"
    rule = [":--" if column < shown.left else "--:" for column in range(len(header))]
    below = _lines_below(shown)
    notes = ["", *(f"{_markdown(printable(note))}  " for note in below)] if below else []
    return "\n".join([*(f"| {' | '.join(line)} |" for line in [header, rule, *body]), *notes]).rstrip()


def _lines_below(shown: Shown) -> list[str]:
    """Return the lines below a table: its notes and, of an evaluation, how the data were read."""
    return [*shown.notes, *getattr(shown, "read_as", ())]


def latex(shown: Shown) -> str:
    r"""Return a table for LaTeX, with the rules of the package booktabs; notes are in the paragraph below it.

    >>> print(latex(Records(["model", "rr"], [["b_m25", "0.5"]], numbers=1)))
    \begin{tabular}{lr}
    \toprule
    model & rr \\
    \midrule
    b\_m25 & 0.5 \\
    \bottomrule
    \end{tabular}
    """
    header, *body = [[_latex(cell) for cell in line] for line in _printable_lines(shown)]
    for row, column in getattr(shown, "bold", ()):
        body[row][column] = rf"\textbf{{{body[row][column]}}}"
    lines = [" & ".join(line) + r" \\" for line in [header, *body]]
    columns = "l" * shown.left + "r" * (len(header) - shown.left)
    table = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", lines[0], r"\midrule", *lines[1:]]
    below = _lines_below(shown)
    notes = ["", *(_latex(printable(note)) + r" \\" for note in below)] if below else []
    return "\n".join([*table, r"\bottomrule", r"\end{tabular}", *notes]).removesuffix(r" \\")


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


def _printable_lines(shown: Shown) -> list[list[str]]:
    """Return the header and the rows with unprintable characters escaped, and long ids shortened."""
    header, body = shown.table()
    return [[printable(shorten(cell)) for cell in line] for line in [header, *body]]


def html(shown: Shown) -> str:
    """Return a table for a notebook; means of many models have these as rows, so that a page need not scroll."""
    shown = _upright(shown, _PAGE_WIDTH)
    header, *body = [list(map(markup.escape, line)) for line in _printable_lines(shown)]
    for row, column in getattr(shown, "bold", ()):
        body[row][column] = f"<b>{body[row][column]}</b>"
    notes = "<br>".join(markup.escape(printable(note)) for note in _lines_below(shown))
    return html_table(header, body, shown.left, notes)


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


def as_json(shown: Rows) -> str:
    """Return one JSON object for each row, at full precision; those of an evaluation say how it read its data."""
    read_as = list(getattr(shown, "read_as", ()))
    return json_text([{**row, "read_as": read_as} if read_as else row for row in shown.rows], indent=2)


def json_text(value: object, indent: int | None = None) -> str:
    r"""Write a value as JSON, with unprintable characters escaped.

    >>> json_text("é" + chr(0x202E))
    '"é\\u202e"'
    """
    text = json.dumps(value, indent=indent, default=str, ensure_ascii=False)
    return "".join(letter if letter.isprintable() or letter == "\n" else json.dumps(letter)[1:-1] for letter in text)


def as_csv(shown: Rows) -> str:
    """Return one CSV line for each row, at full precision.

    CSV is for programs, so names stay as they are, or ids would not match those in the data. A name that begins with
    =, +, - or @ is a formula to a spreadsheet: import such a column as text.
    """
    return csv_text([shown.columns, *([row[name] for name in shown.columns] for row in shown.rows)])


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
    """A format in which every command prints its table.

    Attributes:
        write: returns the text of a table.
        wraps: True if cells may hold sentences, because a page wraps them; False if these are notes below the table.
        is_data: True if names stay as they are for programs, with control characters.
        is_styled: True if cells are escaped already, and the codes of a terminal are ours.
        is_long: True if it has a row for each value, at full length.
    """

    write: Callable[[Rows], str]
    wraps: bool = False
    is_data: bool = False
    is_styled: bool = False
    is_long: bool = False


FORMATS = {
    "table": Format(styled, is_styled=True),
    "json": Format(as_json, is_long=True),
    "csv": Format(as_csv, is_data=True, is_long=True),
    "markdown": Format(markdown, wraps=True),
    "html": Format(html, wraps=True),
}
TREC = "trec"
"""A further format of `evaluate` alone: lines of metrics and queries, not a table."""
