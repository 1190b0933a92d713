"""The report as one HTML page: text, tables and charts, without scripts and without anything from a network."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from recall_duckdb import report
from recall_duckdb.comparison.shown import is_over_all, metric_name, number_text, percent
from recall_duckdb.errors import number_shown, shorten, some
from recall_duckdb.report import printable
from recall_duckdb.reporting.contents import MOST_CHECKED, Changed, Contents, Queries
from recall_duckdb.reporting.decisions import Decision
from recall_duckdb.reporting.plots import NO_CHARTS

_MOST_OPEN = 4  # models of a report whose sections are all open
_MOST_ROWS = 200  # of a table
_MAX_CHARACTERS = 300  # of the name of a model, a query or an item
_MOST_OF_TEXT = 100  # letters of the text of a query or an item
_KINDS = {"▲": "better", "▼": "worse"}
# Nothing is loaded and no script runs, whatever names the data hold.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


@dataclass(frozen=True)
class Group:
    """Charts with one subject.

    Attributes:
        drawn: a title and the SVG of each.
        note: what they show, and what is left out.
    """

    drawn: Sequence[tuple[str, str]]
    note: str = ""


@dataclass(frozen=True)
class Series:
    """How a model looks in charts: its color in CSS, the style of its line, and the letter for its dot."""

    model: object
    color: str
    line: str
    dot: str


@dataclass(frozen=True)
class Figures:
    """The charts of a report.

    Attributes:
        legend: how each model looks; the baseline comes first.
        curves: metrics against k.
        changes: the change of each query.
        slices: differences or means in slices.
        trend: means over time.
    """

    legend: Sequence[Series]
    curves: Group
    changes: Group
    slices: Group
    trend: Group


def page(contents: Contents, figures: Figures | None) -> str:
    """Return the HTML of a report, without charts if there are no figures."""
    title = _title(contents)
    style = Path(__file__).with_name("report.css").read_text("utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"><link rel="icon" href="data:,">'
        f"<title>{_text(title)}</title><style>{style}</style>"
    )
    body = "\n".join(filter(None, [_header(contents, title, figures), *_sections(contents, figures)]))
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body><main>\n{body}\n</main></body></html>\n'


def _sections(contents: Contents, figures: Figures | None) -> Iterator[str]:
    is_compared = contents.comparison is not None
    folds = len(contents.models) > _MOST_OPEN
    means = _section("Means", _table(contents, contents.intervals or contents.data), folds=folds)
    yield _section("Decision", _decisions(contents))
    if contents.leaderboard is not None:
        yield _section("Leaderboard", _scroll(report.html(contents.leaderboard.shown)))
    yield (
        means
        if contents.comparison is None
        else _section("Differences", _table(contents, contents.comparison), folds=folds)
    )
    if figures is not None:
        yield from _charts(figures, is_compared=is_compared, folds=folds)
    yield means if is_compared else ""
    lists = "".join(_queries(contents, each) for each in contents.queries)
    yield _section("Queries", lists + (_mute(contents.queries_note) if lists else ""), folds=folds)
    yield _section("Data", _counts(contents) + _faults(contents), folds=folds)
    yield _section("How it was computed", _how(contents), folds=folds)


def _charts(figures: Figures, *, is_compared: bool, folds: bool) -> Iterator[str]:
    legend = _legend(figures.legend)
    compared = _legend(figures.legend[1:] if is_compared else figures.legend, of_dots=True)
    groups = {
        "Means against k": (legend, figures.curves),
        "Changes of queries" if is_compared else "Values of queries": ("", figures.changes),
        "Differences in slices" if is_compared else "Means in slices": (compared, figures.slices),
        "Trend of means": (legend, figures.trend),
    }
    for title, (names, charts) in groups.items():
        shown = "".join(f"<figure><figcaption>{_text(name)}</figcaption>{svg}</figure>" for name, svg in charts.drawn)
        drawn = f'{names}<div class="charts">{shown}</div>' if shown else ""
        yield _section(title, _mute(charts.note) + drawn, folds=folds and title != "Means against k")


def _title(contents: Contents) -> str:
    baseline, others = "", contents.models
    if contents.comparison is not None:
        baseline, others = f" compared with {others[0]}", others[1:]
    return f"Ranking report: {some(others, last=' and ') or 'no model'}{baseline}"


def _header(contents: Contents, title: str, figures: Figures | None) -> str:
    origin = f"{contents.created:%Y-%m-%d %H:%M} UTC, recall_duckdb {contents.versions['recall_duckdb']}"
    note = "" if figures is not None else f"{NO_CHARTS[0].upper()}{NO_CHARTS[1:]}."
    return f"<header><h1>{_text(title)}</h1>{_mute(origin)}{_mute(note)}</header>"


def _decisions(contents: Contents) -> str:
    shown, of_models = contents.decisions, list[Decision]()
    if len(shown) > len(contents.models) - (contents.comparison is not None):  # the first is about the best model
        shown, of_models = shown[:1], shown[1:]
    text = _mute(contents.basis) + "".join(map(_decision, shown))
    judging = contents.judging
    if judging is not None and judging.matters:
        said = _text(" ".join(judging.sentences))
        text += f'<div class="decision"><span class="mark">!</span><p>{said}</p></div>'
        if len(judging.every) > 2:
            text += _fold("Judged items of each model", _scroll(report.html(judging.table)))
    if of_models:
        title = "Each model" if contents.comparison is None else f"Each model against {contents.settings.baseline}"
        text += _fold(title, "".join(map(_decision, of_models)))
    return text


def _decision(decision: Decision) -> str:
    numbers = _text(f": {decision.numbers}." if decision.numbers else ".")
    return (
        f'<div class="decision {_KINDS.get(decision.mark, "")}"><span class="mark">{decision.mark}</span>'
        f"<p><strong>{_text(decision.verdict)}</strong>{numbers}</p>{_mute(' '.join(decision.details))}</div>"
    )


def _table(contents: Contents, of: Any) -> str:
    """Return a table of the rows over all queries, and one of those in slices, which opens."""
    rows = of.shown.rows
    over_all = [row for row in rows if is_over_all(row, contents.by)]
    in_slices = [row for row in rows if not is_over_all(row, contents.by)]
    text = _first_rows(over_all, lambda first: of.table_of(first, []))
    if in_slices:
        table = _first_rows(in_slices, lambda first: replace(of.table_of(first, contents.by), notes=[]))
        text += _fold("In slices", table)
    return text


def _first_rows(rows: list[dict[str, Any]], table_of: Callable[[list[dict[str, Any]]], report.Table]) -> str:
    """Return a table of the first rows, and a note if there are more."""
    most = number_shown(len(rows), _MOST_ROWS)
    more = f"{len(rows) - most:,} further rows are not shown." if most < len(rows) else ""
    return _scroll(report.html(table_of(rows[:most]))) + _mute(more)


def _legend(models: Sequence[Series], *, of_dots: bool = False) -> str:
    def symbol(of: Series) -> str:
        if of_dots:
            return f'<span class="dot" style="color:{of.color}">{of.dot}</span>'
        return f'<span class="swatch" style="border-top-color:{of.color};border-top-style:{of.line}"></span>'

    items = "".join(f"<li>{symbol(each)}{_name(each.model)}</li>" for each in models)
    return f'<ul class="legend">{items}</ul>'


def _queries(contents: Contents, queries: Queries) -> str:
    lists = {"Worst": queries.worst, "Best": queries.best}
    if contents.comparison is None:
        lists = {"Lowest": queries.worst}
    shown = "".join(
        f"<div><h3>{name}</h3>{''.join(_change(contents, change) for change in changes)}</div>"
        for name, changes in lists.items()
        if changes
    )
    title = f"{queries.model}, by {contents.first}"
    return f'<h3>{_text(title)}</h3><div class="queries">{shown}</div>' if shown else ""


def _change(contents: Contents, change: Changed) -> str:
    name = _with_text(contents, "query", change.query, _name(", ".join(map(str, change.query))))
    where = f' <span class="muted">{_name(change.slice_name)}</span>' if change.slice_name else ""
    values = f'<span class="values">{number_text(change.baseline)} → {number_text(change.value)}</span>'
    kind = "better" if change.is_better else "worse"
    last = f'<span class="delta {kind}">{number_text(change.delta, sign=True)}</span>'
    if contents.comparison is None:
        values, last = "", f'<span class="delta">{number_text(change.value)}</span>'
    summary = f'<span class="change"><span>{name}{where}</span>{values}{last}</span>'
    if not change.items:
        return f"<div>{summary}</div>"
    return f"<details><summary>{summary}</summary>{_items(contents, change)}</details>"


def _items(contents: Contents, change: Changed) -> str:
    is_compared, is_relevant = contents.comparison is not None, contents.data.question.policies.is_relevant
    header = [contents.item, "change", "relevance", "rank before", "after"]
    body = []
    for values in change.items:
        item, relevance, before, rank, move = map(_cell, values)
        name = _with_text(contents, "item", (values[0],), item)
        body.append([name, move, relevance, before, rank] if is_compared else [name, relevance, rank])
    header = list(map(_cell, header if is_compared else [contents.item, "relevance", "rank"]))
    relevant = {number for number, values in enumerate(change.items) if is_relevant(values[1])}
    note = f"{change.left_out:,} further items are not shown." if change.left_out else ""
    left = 2 if is_compared else 1
    return _scroll(report.html_table(header, body, left, note, attributes=' class="items"', relevant=relevant))


def _cell(value: object) -> str:
    """Return a value of an item as HTML: whole numbers without decimals, and an empty text for NULL."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return html.escape(printable(shorten("" if value is None else str(value))))


def _with_text(contents: Contents, key: str, ids: tuple[object, ...], name: str) -> str:
    """Return the text of a query or an item with its id, of which `name` is the HTML, or the id alone."""
    text = contents.texts.get(key, {}).get(ids)
    if text is None:
        return name
    return f'<span class="text">{_text(report.cut(text, _MOST_OF_TEXT))}</span> <span class="id">{name}</span>'


def _counts(contents: Contents) -> str:
    names = ["judged", "retrieved", "both", "missing", "without_relevant", "unjudged"]
    names += ["run_rows_dropped", "qrels_rows_dropped"]
    header = ["model", *(name.replace("_", " ") for name in names)]
    body = [
        [str(model), *(f"{getattr(counts, name):,}" for name in names)]
        for model, counts in contents.data.counts.items()
    ]
    notes = [*contents.data.notes, *contents.data.read_as]
    return f"<h3>Queries and rows</h3>{_scroll(report.html(report.Records(header, body, notes, numbers=len(names))))}"


def _faults(contents: Contents) -> str:
    if contents.faults is None:
        text = f"""
            The checks did not run: they were turned off, or the data have more than {MOST_CHECKED:,} rows, or the
            engine is not DuckDB. Faults that the policies refuse would have stopped the evaluation. recall-duckdb check
            finds others.
        """
        return f"<h3>Faults</h3>{_mute(' '.join(text.split()))}"
    return f'<h3>Faults</h3><div class="wide">{_scroll(contents.faults._repr_html_())}</div>'


def _how(contents: Contents) -> str:
    settings, is_compared = contents.settings, contents.comparison is not None
    tests = {"test": settings.test, "correction": settings.correction, "tie within": settings.tie_within}
    has_tests = is_compared or contents.leaderboard is not None
    methods = [settings.interval]
    if not is_compared and contents.intervals is not None:
        methods = [name for row in contents.intervals.to_dicts() if (name := row["interval_method"]) is not None]
    facts = {
        "metrics": ", ".join(dict.fromkeys(map(metric_name, contents.data.means))),
        **({"baseline": settings.baseline} if is_compared else {}),
        **(tests if has_tests else {}),
        "interval": f"{', '.join(dict.fromkeys(methods))}, {percent(settings.confidence)}",
        **({"seed": settings.seed} if "randomization" in tests.values() or settings.interval == "bootstrap" else {}),
        "policies": ", ".join(f"{name} = {value}" for name, value in contents.policies.items() if value is not None),
        "versions": ", ".join(f"{name} {version}" for name, version in contents.versions.items()),
    }
    listed = "".join(f"<dt>{_text(name)}</dt><dd>{_text(value)}</dd>" for name, value in facts.items())
    sql = _fold("The SQL of the means", f"<pre>{_text(contents.data.sql)}</pre>")
    return f"<dl>{listed}</dl>{sql}"


def _section(title: str, content: str, *, folds: bool = False) -> str:
    """Return a section with a title, or nothing without content; one that folds opens with a click on its title."""
    if not content:
        return ""
    if folds:
        return (
            f'<section class="folded"><details><summary><h2>{_text(title)}</h2></summary>{content}</details></section>'
        )
    return f"<section><h2>{_text(title)}</h2>{content}</section>"


def _fold(title: str, content: str) -> str:
    """Return content that opens with a click on its title."""
    return f"<details><summary>{_text(title)}</summary>{content}</details>"


def _scroll(table: str) -> str:
    """Return a table that scrolls sideways on its own if it is too wide."""
    return f'<div class="scroll">{table}</div>'


def _mute(text: str) -> str:
    """Return a note in muted color, if there is one."""
    return f'<p class="muted">{_text(text)}</p>' if text else ""


def _name(value: object) -> str:
    """Return the name of a model, a query or a slice as HTML, cut if it is long."""
    text = str(value)
    return _text(text if len(text) <= _MAX_CHARACTERS else f"{text[:_MAX_CHARACTERS]}…")


def _text(value: object) -> str:
    """Return a value as text of HTML."""
    return html.escape(printable(str(value), keep="\n"))
