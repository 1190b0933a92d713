"""The report as one HTML page: text, tables and charts, without scripts and without anything from a network."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from string import Template
from typing import Any

from recall_duckdb import report
from recall_duckdb.comparison.comparison import Leaderboard
from recall_duckdb.comparison.shown import Rows, is_over_all, metric_name, number_text, percent
from recall_duckdb.errors import number_shown, shorten, some
from recall_duckdb.report import printable
from recall_duckdb.reporting import markup
from recall_duckdb.reporting.charts import NO_CHARTS
from recall_duckdb.reporting.contents import MOST_CHECKED, Changed, Contents, Queries
from recall_duckdb.reporting.overview import no_hits, overview, slices

_MOST_OPEN = 4  # models of a report whose sections are all open
_MOST_ROWS = 200  # of a table
_MOST_CUTOFFS = 4  # of a metric in a table that is open
_MOST_OF_TEXT = 100  # letters of the text of a query or an item
_HERE = Path(__file__).parent  # of the template and its style sheet


def page(contents: Contents, figures: Mapping[str, str] | None) -> str:
    """Return the HTML of a report, without charts if there are no figures."""
    title, note = _title(contents), "" if figures is not None else f"{NO_CHARTS[0].upper()}{NO_CHARTS[1:]}."
    origin = f"{title} · {contents.created:%Y-%m-%d %H:%M} UTC, recall_duckdb {contents.versions['recall_duckdb']}"
    return Template(_HERE.joinpath("report.html").read_text("utf-8")).substitute(
        title=markup.text(title),
        style=_HERE.joinpath("report.css").read_text("utf-8"),
        origin=markup.mute(origin),
        note=markup.mute(note),
        sections="\n".join(filter(None, _sections(contents, figures or {}))),
    )


def _sections(contents: Contents, figures: Mapping[str, str]) -> Iterator[str]:
    ranked, compared = contents.leaderboard, contents.comparison
    lists = "".join(_queries(contents, each) for each in contents.queries)
    parts = {
        "Leaderboard": "" if ranked is None else _leaderboard(ranked),
        "Differences": "" if compared is None else _table(contents, compared),
        **{title: figures.get(title, "") for title in ("Means against k", "Changes of queries", "Values of queries")},
        "Means in slices" if compared is None else "Differences in slices": slices(contents),
        "Trend of means": figures.get("Trend of means", ""),
        "Means": _table(contents, contents.intervals or contents.data),
        "Queries": lists + (markup.mute(contents.queries_note) if lists else ""),
        "Data": _counts(contents) + _faults(contents),
        "How it was computed": _how(contents),
    }
    yield overview(contents)
    for title, content in parts.items():
        folds = len(contents.models) > _MOST_OPEN and title not in ("Leaderboard", "Means against k")
        yield markup.section(title, content, folds=folds)


def _leaderboard(ranked: Leaderboard) -> str:
    """Return the leaderboard; of a metric with many cutoffs it has the first, and the others open."""
    whole = ranked.shown
    kept = [
        0,
        *(place for place, name in enumerate(whole.header) if place and name in _first_cutoffs(ranked.to_dicts())),
    ]
    header, *body = [[line[place] for place in kept] for line in (whole.header, *whole.body)]
    bold = {(row, kept.index(column)) for row, column in whole.bold if column in kept}
    shown = f'<div class="board">{markup.scroll(replace(whole, header=header, body=body, bold=bold).html())}</div>'
    more = f'<div class="board">{markup.scroll(replace(whole, notes=[]).html())}</div>'
    return shown + (markup.fold("At every cutoff", more) if len(kept) < len(whole.header) else "")


def _first_cutoffs(rows: Rows) -> set[str]:
    """Return the metrics with their cutoffs, of metrics with many cutoffs only the first."""
    cutoffs: dict[str, dict[str, None]] = {}
    for row in rows:
        cutoffs.setdefault(row["metric"], {})[metric_name(row)] = None
    return {name for each in cutoffs.values() for name in list(each)[: 1 if len(each) > _MOST_CUTOFFS else None]}


def _title(contents: Contents) -> str:
    baseline, others = "", contents.models
    if contents.comparison is not None:
        baseline, others = f" compared with {others[0]}", others[1:]
    return f"Ranking report: {some(others, last=' and ') or 'no model'}{baseline}"


def _table(contents: Contents, of: Any) -> str:
    """Return a table of the rows over all queries; those of further cutoffs and of slices open."""
    places = {model: place for place, model in enumerate(contents.models)}
    rows = sorted(of.shown.rows, key=lambda row: places.get(row["model"], len(places)))
    in_slices = [row for row in rows if not is_over_all(row, contents.by)]
    over_all, names = [row for row in rows if is_over_all(row, contents.by)], _first_cutoffs(rows)
    first = [row for row in over_all if metric_name(row) in names]
    text = _first_rows(first, lambda rows: of.table_of(rows, []))
    if len(first) < len(over_all):
        text += markup.fold("At every cutoff", _first_rows(over_all, lambda rows: of.table_of(rows, [])))
    if in_slices:
        table = _first_rows(in_slices, lambda rows: replace(of.table_of(rows, contents.by), notes=[]))
        text += markup.fold("In slices", table)
    return text


def _first_rows(rows: list[dict[str, Any]], table_of: Callable[[list[dict[str, Any]]], report.Table]) -> str:
    """Return a table of the first rows, and a note if there are more; columns of one value are in the notes."""
    most = number_shown(len(rows), _MOST_ROWS)
    more = f"{len(rows) - most:,} further rows are not shown." if most < len(rows) else ""
    return markup.scroll(table_of(rows[:most]).without_constants().html()) + markup.mute(more)


def _queries(contents: Contents, queries: Queries) -> str:
    lists = {"Worst": queries.worst, "Best": queries.best}
    if contents.comparison is None:
        lists = {"Lowest": queries.worst if any(each.value for each in queries.worst) else []}
    shown = "".join(
        f"<div><h3>{name}</h3>{''.join(_change(contents, change) for change in changes)}</div>"
        for name, changes in lists.items()
        if changes
    )
    title = f"{queries.model}, by {contents.first}"
    note = markup.mute(no_hits(contents, queries.model))
    return f'<h3>{markup.text(title)}</h3>{note}<div class="queries">{shown}</div>' if shown or note else ""


def _change(contents: Contents, change: Changed) -> str:
    name = _with_text(contents, "query", change.query, markup.name(", ".join(map(str, change.query))))
    where = f' <span class="muted">{markup.name(change.slice_name)}</span>' if change.slice_name else ""
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
    return markup.scroll(report.html_table(header, body, left, note, attributes=' class="items"', relevant=relevant))


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
    return f'<span class="text">{markup.text(report.cut(text, _MOST_OF_TEXT))}</span> <span class="id">{name}</span>'


def _counts(contents: Contents) -> str:
    names = ["judged", "retrieved", "both", "missing", "without_relevant", "unjudged"]
    names += ["run_rows_dropped", "qrels_rows_dropped"]
    header = ["model", *(name.replace("_", " ") for name in names)]
    body = [
        [str(model), *(f"{getattr(counts, name):,}" for name in names)]
        for model, counts in contents.data.counts.items()
    ]
    notes = [*contents.data.notes, *contents.data.read_as]
    table = report.Table(header, body, notes, len(names)).html()
    return f"<h3>Queries and rows</h3>{markup.scroll(table)}"


def _faults(contents: Contents) -> str:
    if contents.faults is None:
        why = f"they were turned off, the data have more than {MOST_CHECKED:,} rows, or the engine is not DuckDB"
        return f"<h3>Faults</h3>{markup.mute(f'The checks did not run: {why}. recall-duckdb check runs them.')}"
    return f'<h3>Faults</h3><div class="wide">{markup.scroll(contents.faults._repr_html_())}</div>'


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
    listed = "".join(f"<dt>{markup.text(name)}</dt><dd>{markup.text(value)}</dd>" for name, value in facts.items())
    sql = markup.fold("The SQL of the means", f"<pre>{markup.text(contents.data.sql)}</pre>")
    return f"<dl>{listed}</dl>{sql}"
