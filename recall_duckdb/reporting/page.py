"""The report as one HTML page: text, tables and charts, without scripts and without anything from a network."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from math import ceil, floor, log10
from pathlib import Path
from typing import Any, TypeAlias

import duckdb

from recall_duckdb import __version__, file_writing, report
from recall_duckdb.comparison.comparison import compare_result
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import is_over_all, mark_of, number_text, percent, slice_name, write_metric
from recall_duckdb.counts import queries_text
from recall_duckdb.definitions.reading import needs_judgements
from recall_duckdb.errors import ArgumentError, check_flag, number_shown, shorten, some, spell
from recall_duckdb.reading.files import check_unchanged, unchanged
from recall_duckdb.reading.sources import refuse_input
from recall_duckdb.report import metric_name
from recall_duckdb.reporting.charts import MOST_SLICES, NO_CHARTS, Figures, cut_note, draw_figures, has_charts
from recall_duckdb.reporting.contents import MOST_CHECKED, Changed, Contents, Queries, gather_contents, with_trend
from recall_duckdb.reporting.decisions import ADJUSTED, Decision, change_text
from recall_duckdb.reporting.markup import HERE, Html, cut_name, escape, fill, mute, prose
from recall_duckdb.result_data import ResultData

_KINDS = {"▲": "better", "▼": "worse", "✗": "worse"}
_MOST_QUERIES = 100
_MOST_OPEN = 4  # models of a report whose sections are all open
_MOST_ROWS = 200  # of a table
_MOST_LINES = 12  # of a plot; others open
_MOST_GATES = 6
_MOST_TICKS = 7
_MOST_CUTOFFS = 4  # of a metric in a table that is open
_MOST_OF_TEXT = 100  # letters of the text of a query or an item
# A row of a plot: its name, a value with the ends of its interval, its numbers, and its class.
Line: TypeAlias = "tuple[str, float, float | None, float | None, Sequence[str], str]"


def write_report(
    data: ResultData,
    path: str | os.PathLike[str],
    settings: Settings,
    *,
    history: str | os.PathLike[str] | None,
    queries: int,
    check: bool | None,
    texts: object = None,
) -> list[str]:
    """Write the file of `Result.report`, and return its decision; raises as it does."""
    data.check_values()
    file, target = file_writing.target_ending(path, (".html", ".htm"), "path")
    of_texts = texts if isinstance(texts, (list, tuple)) else [texts]
    refuse_input("path", file, target, [*data.question.sources(), history, *of_texts])
    if isinstance(queries, bool) or not isinstance(queries, int) or not 0 <= queries <= _MOST_QUERIES:
        problem = f"a whole number from 0 to {_MOST_QUERIES} is expected, not {queries!r}"
        raise ArgumentError(problem, argument="queries")
    if check is not None:
        check_flag("check", check)
    trend_file = None if history is None else file_writing.path_text(history, "history")
    compared = None if settings.baseline is None else compare_result(data, replace(settings, over_slices=True))
    watched = data.plan.inputs.watched
    check_unchanged(watched, data.session)
    with unchanged(watched, data.session):  # the files are read again
        contents = gather_contents(data, settings, compared, queries, check, texts)
    if trend_file is not None:
        contents = with_trend(contents, trend_file, [] if os.path.realpath(trend_file) in data.appended else data.means)
    text = page(contents, draw_figures(contents) if has_charts() else None)
    with file_writing.replacing(target, file, "path") as written:
        Path(written).write_text(text, "utf-8", newline="\n")
    return [*(decision.sentence for decision in contents.decisions), *contents.judged]


def page(contents: Contents, figures: Mapping[str, Figures] | None) -> str:
    """Return the HTML of a report, without charts if there are no figures."""
    baseline, others = "", contents.models
    if contents.comparison is not None:
        baseline, others = f" compared with {others[0]}", others[1:]
    title = f"Ranking report: {some(others, last=' and ') or 'no model'}{baseline}"
    note = "" if figures is not None else f"{NO_CHARTS[0].upper()}{NO_CHARTS[1:]}."
    origin = f"{title} · {contents.created:%Y-%m-%d %H:%M} UTC, recall_duckdb {__version__}"
    decision = contents.decisions[0]
    cards = {"How sure?": decision.sure, "For whom not?": _against(contents, decision), "Look next": _next(contents)}
    told = {name: [mute(" ".join(filter(None, lines)))] for name, lines in cards.items()}
    told["Look next"] += [fill("call", call=call) for call in contents.judged[1:]]
    return fill(
        "page",
        title=title,
        style=Html(HERE.joinpath("report.css").read_text("utf-8")),
        origin=[mute(origin), mute(note)],
        decisions=[_decision(each, contents.basis) for each in contents.decisions],
        gates=_gates(contents),
        plot=_differences(contents, decision) if decision.rows else _means(contents),
        cards=[fill("card", title=name, lines=lines) for name, lines in told.items() if any(lines)],
        sections=list(_sections(contents, figures or {})),
    )


def _decision(decision: Decision, basis: str) -> Html:
    numbers = fill("paragraph", note=prose(f"{decision.numbers}.") if decision.numbers else None)
    notes = mute(" ".join(filter(None, [f"{decision.ties} (shaded)." if decision.ties else "", basis])))
    said = {"mark": decision.mark, "verdict": decision.verdict, "numbers": numbers, "notes": notes}
    return fill("decision", kind=_KINDS.get(decision.mark, ""), **said)


def _gates(contents: Contents) -> Html:
    gates = contents.data.gates
    if gates is None:
        return Html()
    marks = {"gate failed": ("✗ gate failed:", "worse"), "gate passed": ("✓ gate passed:", "better")}
    lines = list[Html]()
    for name, said in gates.lines.items():
        mark, kind = marks.get(name, ("⚠", "muted"))
        lines += [fill("gate", kind=kind, mark=mark, line=prose(line)) for line in said]
    most = number_shown(len(lines), _MOST_GATES)
    more = fill("gates", lines=lines[most:] or None)
    return escape([fill("gates", lines=lines[:most] or None), fill("fold", title="More gates", content=more or None)])


def _differences(contents: Contents, decision: Decision) -> Html:
    """Return a row for each model: its difference from the reference with an interval, and its numbers."""
    rows = [row for row in decision.rows if row["delta"] is not None]
    shares = contents.judging.shares if contents.judging is not None and contents.judging.matters else {}
    lines = list[Line]()
    for row in rows:
        model, kind = row["model"], _KINDS.get(mark_of(row, contents.settings), "")
        kind += " level" * (model in decision.level) + " best" * (model == decision.model)
        counts = "" if row["wins"] is None else f"{row['wins']:,} ↑ {row['losses']:,} ↓"
        label = f"{model} ({shares[model]:.0%} judged)" if model in shares else str(model)
        numbers = [number_text(row["value"]), change_text(row), counts]
        lines.append((label, row["delta"], row["low"], row["high"], numbers, kind))
    title = f"{contents.first} of each model minus that of {decision.reference}; "
    title += f"{percent(contents.settings.confidence)} intervals, each alone. Grey: no clear difference."
    zero = f"{decision.reference} {number_text(rows[0]['baseline'])}" if rows else ""
    return escape([mute(title), _plot(lines, [contents.first, "change", "queries"], zero)] if lines else "")


def _means(contents: Contents) -> Html:
    """Return a row for the mean of each metric, with its interval, if there is one model."""
    over_all = [row for row in contents.means if is_over_all(row, contents.by) and row["low"] is not None]
    rows = [row for row in over_all if (row["metric"], row["k"]) in contents.main]
    if not rows or len(contents.models) > 1:
        return Html()
    lines = [(metric_name(row), *_numbers(row, "value"), "") for row in rows]
    note = mute(f"Means with their {percent(contents.settings.confidence)} intervals.")
    return escape([note, _plot(lines, ["mean", "queries", "interval"], "")])


def _numbers(row: Mapping[str, Any], name: str) -> tuple[float, float | None, float | None, list[str]]:
    """Return a value with the ends of its interval, as numbers for a plot and as texts for its columns."""
    queries, low, high = f"{row['queries'] or 0:,}", row["low"], row["high"]
    between = "" if low is None else f"{low:.3f} to {high:.3f}"
    shown = [number_text(row["delta"], sign=True), queries] if name == "delta" else [queries, between]
    return row[name], low, high, [number_text(row["value"]), *shown]


def _plot(lines: Sequence[Line], header: Sequence[str], zero: str) -> Html:
    """Return lines on one scale with 0, the first of them open; `zero` names the line at 0."""
    bounds = [0.0, *(end for line in lines for end in line[1:4] if end is not None)]
    margin = (max(bounds) - min(bounds) or 1.0) / 20
    low, high = min(bounds) - margin, max(bounds) + margin

    def at(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    def row(line: Line) -> Html:
        label, value, first, last, numbers, kind = line
        ends = (None, None) if first is None or last is None else (at(first), at(low + high - last))
        bar = fill("bar", first=ends[0], last=ends[1])
        return cells(kind.strip(), label, [fill("zero", at=at(0)), bar, fill("dot", at=at(value))], numbers)

    def cells(kind: str, label: str, drawn: list[Html], numbers: Sequence[str]) -> Html:
        shown = [fill("number", number=number) for number in numbers]
        return fill("row", kind=kind, label=cut_name(label), drawn=drawn, numbers=shown)

    here = fill("here", at=at(0), name=cut_name(zero) if zero else None)
    least = (high - low) / _MOST_TICKS  # between two ticks
    power = 10.0 ** floor(log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
    ticks = (step * place for place in range(ceil(low / step), floor(high / step) + 1))
    scale = [fill("tick", at=at(tick), name=f"{tick:.10g}") for tick in ticks]
    most = number_shown(len(lines), _MOST_LINES)
    rows = [cells("head", "", [here], header), *map(row, lines[:most]), cells("head", "", scale, ["" for _ in header])]
    more = fill("plot", rows=[*map(row, lines[most:])] or None)
    return escape([fill("plot", rows=rows), fill("fold", title=f"{len(lines) - most:,} more", content=more or None)])


def slices(contents: Contents) -> Html:
    """Return the differences, or without a baseline the means, in the slices with the most queries."""
    is_compared, by, count = contents.comparison is not None, contents.by, 0
    name, several = ("delta", 2) if is_compared else ("value", 1)
    header, drawn = ["value", *(("delta", "queries") if is_compared else ("queries", "interval"))], list[Html]()
    for key in contents.main:
        rows = [row for row in contents.in_slices if (row["metric"], row["k"]) == key and row[name] is not None]
        rows.sort(key=lambda row: (-(row["queries"] or 0), slice_name(row, by), contents.models.index(row["model"])))
        count, lines = max(count, len(rows)), list[Line]()
        for row in rows[:MOST_SLICES]:
            label = slice_name(row, by) + (f" · {row['model']}" if len(contents.models) > several else "")
            kind = _KINDS.get(mark_of(row, contents.settings), "") if is_compared else ""
            lines.append((label, *_numbers(row, name), kind))
        plot = _plot(lines, header, "") if lines else None
        drawn.append(fill("heading", title=write_metric(key), content=plot))
    note = f"Lines are {percent(contents.settings.confidence)} intervals, not adjusted for the number of slices."
    if is_compared:
        note += f" Green: better, red: worse, grey: no clear difference{ADJUSTED[contents.settings.correction]}."
    return escape([mute(note + cut_note(count)), *drawn] if any(drawn) else "")


def no_hits(contents: Contents, model: object) -> str:
    """Return the share of queries with a value of 0, if a higher one is better and there is no baseline."""
    rows, metric = contents.bars.get((contents.main[0], model), []), contents.main[0]
    zeros = [row for row in rows if row["delta"] == 0]
    if not zeros or rows[0]["delta"] or contents.comparison is not None or metric[0] in contents.settings.lower:
        return ""
    share = len(zeros) / len(rows)  # these are evenly spaced
    of_hits = any(needs_judgements(each.template) for each in contents.data.plan.metrics if each.name == metric[0])
    about = "About " if len(rows) < rows[0]["pairs"] else ""
    return f"{about}{share:.0%} of the queries have {'no hit' if of_hits else f'a {contents.first} of 0'}."


def _against(contents: Contents, decision: Decision) -> list[str]:
    """Return for how many queries another model is better, the largest loss, and what else speaks against it."""
    lines = [] if contents.comparison else [no_hits(contents, decision.model), _worst_slice(contents, decision.model)]
    is_best = decision.model == decision.reference
    rows = [row for row in decision.rows if is_best or row["model"] == decision.model]
    if rows and rows[0]["wins"] is not None:
        keeps = is_best or mark_of(rows[0], contents.settings) == "▼"
        other, count = (rows[0]["model"], rows[0]["wins"]) if keeps else (decision.reference, rows[0]["losses"])
        worst = [each for held in contents.queries if held.model == decision.model for each in held.worst[:1]]
        loss = f"; the largest loss is {abs(worst[0].delta):.4f} (query {_ids(worst[0].query)})" if worst else ""
        lines.append(f"{other} is better for {queries_text(count) if count else 'no query'}{'' if keeps else loss}.")
    return [*lines, *decision.against]


def _worst_slice(contents: Contents, model: object) -> str:
    """Return the slice with the worst mean of a model, if there are several."""
    rows = [row for row in contents.in_slices if row["model"] == model and metric_name(row) == contents.first]
    rows = sorted((row for row in rows if row["value"] is not None), key=lambda row: float(row["value"]))
    if len(rows) < 2:
        return ""
    worst = rows[-1 if rows[0]["metric"] in contents.settings.lower else 0]
    queries = "" if worst["queries"] is None else f" for {queries_text(worst['queries'])}"
    return f"Worst in {slice_name(worst, contents.by)}: {number_text(worst['value'])}{queries}."


def _next(contents: Contents) -> list[str]:
    """Return what to look at: the queries that lost most, the ties at a cutoff, and the items to judge."""
    lines = []
    worst = [_ids(each.query) for held in contents.queries[:1] for each in held.worst[:3] if each.delta]
    if worst:
        lost = "lost most" if contents.comparison is not None else "are worst"
        lines.append(f"Queries that {lost}: {some(worst)}. Their lists are below, under Queries.")
    faults = [] if contents.faults is None else list(contents.faults)
    lines += [f"{each.faults:,} ties at a cutoff. {each.do}" for each in faults if each.check == "ties"]
    others = [f"{each.rule} ({each.check})" for each in faults if each.check != "ties"]
    lines += [f"Faults in the data: {some(others, between='; ')}."] if others else []
    found = "The checks did not run, see Data." if contents.faults is None else "The checks found no fault."
    lines += [] if lines or contents.judged else [found]
    if contents.comparison is None:
        ask = "to see for which queries it is worse" if len(contents.models) > 1 else "and another run to compare them"
        lines.append(f"Pass {spell('baseline')} {ask}.")
    return [*lines, *contents.judged[:1]]


def _ids(query: tuple[object, ...]) -> str:
    return report.cut(", ".join(map(str, query)))


def _sections(contents: Contents, figures: Mapping[str, Figures]) -> Iterator[Html]:
    ranked, compared, models, by = contents.leaderboard, contents.comparison, contents.models, contents.by
    board = None if ranked is None else _table(ranked, ranked.models, [], len(ranked.to_dicts()))
    lists = [_queries(contents, each) for each in contents.queries]
    images = {title: [fill("figure", image=Html(image)) for image in each.images] for title, each in figures.items()}
    drawn = {title: [mute(figures[title].note), fill("charts", images=each or None)] for title, each in images.items()}
    parts = {
        "Leaderboard": fill("board", table=board),
        "Differences": "" if compared is None else _table(compared, models, by),
        **{title: drawn.get(title, "") for title in ("Means against k", "Changes of queries", "Values of queries")},
        "Means in slices" if compared is None else "Differences in slices": slices(contents),
        "Trend of means": drawn.get("Trend of means", ""),
        "Means": _table(contents.intervals or contents.data, models, by),
        "Queries": escape([*lists, mute(contents.queries_note)] if any(lists) else ""),
        "Data": _data(contents),
        "How it was computed": _how(contents),
    }
    for title, content in parts.items():
        folds = len(models) > _MOST_OPEN and title not in ("Leaderboard", "Means against k")
        yield fill("folded" if folds else "section", title=title, content=escape(content) or None)


def _first_cutoffs(rows: list[dict[str, Any]]) -> set[str]:
    """Return the metrics with their cutoffs, of metrics with many cutoffs only the first."""
    cutoffs: dict[str, dict[str, None]] = {}
    for row in rows:
        cutoffs.setdefault(row["metric"], {})[metric_name(row)] = None
    return {name for each in cutoffs.values() for name in list(each)[: 1 if len(each) > _MOST_CUTOFFS else None]}


def _table(of: Any, models: Sequence[object], by: list[str], most: int = _MOST_ROWS) -> Html:
    """Return a table of the rows over all queries; those of further cutoffs and of slices open."""
    places = {model: place for place, model in enumerate(models)}
    rows = sorted(of.shown.rows, key=lambda row: places.get(row["model"], len(places)))

    def table(part: list[dict[str, Any]], by: list[str]) -> Html:
        count = number_shown(len(part), most)
        more = mute(f"{len(part) - count:,} further rows are not shown." if count < len(part) else "")
        shown = of.table_of(part[:count], by)
        shown = (replace(shown, notes=[]) if by else shown).without_constants()
        return escape([fill("scroll", table=Html(shown.html())), more])

    over_all, names = [row for row in rows if is_over_all(row, by)], _first_cutoffs(rows)
    in_slices = [row for row in rows if not is_over_all(row, by)]
    first = [row for row in over_all if metric_name(row) in names]
    every = fill("fold", title="At every cutoff", content=table(over_all, []) if first != over_all else None)
    folded = fill("fold", title="In slices", content=table(in_slices, by) if in_slices else None)
    return escape([table(first, []), every, folded])


def _queries(contents: Contents, queries: Queries) -> Html:
    lists = {"Worst": queries.worst, "Best": queries.best}
    if contents.comparison is None:
        lists = {"Worst": queries.worst if any(each.value for each in queries.worst) else []}
    shown = [
        fill("card", title=name, lines=[_change(contents, change) for change in changes])
        for name, changes in lists.items()
        if changes
    ]
    note = mute(no_hits(contents, queries.model))
    content = [note, fill("queries", lists=shown)] if shown or note else None
    return fill("heading", title=f"{queries.model}, by {contents.first}", content=content)


def _change(contents: Contents, change: Changed) -> Html:
    name = _with_text(contents, "query", change.query, cut_name(", ".join(map(str, change.query))))
    kind, last = "better" if change.is_better else "worse", number_text(change.delta, sign=True)
    values = fill("values", before=number_text(change.baseline), after=number_text(change.value))
    if contents.comparison is None:
        values, kind, last = Html(), "", number_text(change.value)
    where = fill("slice", name=cut_name(change.slice_name) if change.slice_name else None)
    shown = fill("change", name=name, where=where, values=values, kind=kind, last=last)
    return fill("items", change=shown, items=_items(contents, change)) if change.items else fill("query", change=shown)


def _items(contents: Contents, change: Changed) -> Html:
    is_compared = contents.comparison is not None
    names = ("change", "relevance", "rank before", "after") if is_compared else ("relevance", "rank")
    header = [contents.data.plan.inputs.user_names.get("item", "item"), *names]
    body = []
    for values in change.items:
        item, relevance, before, rank, move, _ = map(_cell, values)
        name = _with_text(contents, "item", (values[0],), item)
        body.append([name, move, relevance, before, rank] if is_compared else [name, relevance, rank])
    relevant = {number for number, (*_, is_relevant) in enumerate(change.items) if is_relevant}
    note = f"{change.left_out:,} further items are not shown." if change.left_out else ""
    cells = [*map(_cell, header)], body, 1 + is_compared, note
    return fill("scroll", table=Html(report.html_table(*cells, attributes=' class="items"', relevant=relevant)))


def _cell(value: object) -> Html:
    """Return a value of an item as HTML: whole numbers without decimals, and an empty text for NULL."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return escape(shorten("" if value is None else str(value)))


def _with_text(contents: Contents, key: str, ids: tuple[object, ...], name: str) -> Html:
    text = contents.texts.get(key, {}).get(ids)
    return escape(name) if text is None else fill("named", text=report.cut(text, _MOST_OF_TEXT), name=name)


def _data(contents: Contents) -> Html:
    """Return how many queries and rows there are, and what the checks found."""
    names = ["judged", "retrieved", "both", "missing", "without_relevant", "unjudged"]
    names += ["run_rows_dropped", "qrels_rows_dropped"]
    header = ["model", *(name.replace("_", " ") for name in names)]
    counts = contents.data.counts.items()
    body = [[str(model), *(f"{getattr(each, name):,}" for name in names)] for model, each in counts]
    notes = [*contents.data.notes, *contents.data.read_as]
    table = report.Table(header, body, notes, len(names))
    why = f"they were turned off, the data have more than {MOST_CHECKED:,} rows, or the engine is not DuckDB"
    found = mute(f"The checks did not run: {why}. recall-duckdb check runs them.")
    if contents.faults is not None:
        found = fill("wide", table=fill("scroll", table=Html(contents.faults._repr_html_())))
    parts = {"Queries and rows": fill("scroll", table=Html(table.html())), "Faults": found}
    return escape([fill("heading", title=title, content=content) for title, content in parts.items()])


def _how(contents: Contents) -> Html:
    settings, is_compared = contents.settings, contents.comparison is not None
    tests = {"test": settings.test, "correction": settings.correction, "tie within": settings.tie_within}
    has_tests = is_compared or contents.leaderboard is not None
    means = [] if is_compared or contents.intervals is None else contents.intervals.to_dicts()
    methods = [name for row in means if (name := row["interval_method"]) is not None] or [settings.interval]
    facts = {
        "metrics": ", ".join(dict.fromkeys(map(metric_name, contents.data.means))),
        **({"baseline": settings.baseline} if is_compared else {}),
        **(tests if has_tests else {}),
        "interval": f"{', '.join(dict.fromkeys(methods))}, {percent(settings.confidence)}",
        **({"seed": settings.seed} if "randomization" in tests.values() or settings.interval == "bootstrap" else {}),
        "policies": ", ".join(f"{name} = {value}" for name, value in contents.policies.items() if value is not None),
        "versions": f"recall_duckdb {__version__}, DuckDB {duckdb.__version__}, sqlglot {version('sqlglot')}, "
        f"Python {platform.python_version()}",
    }
    listed = [fill("fact", name=name, value=value if value is not None else "") for name, value in facts.items()]
    sql = fill("fold", title="The SQL of the means", content=fill("statement", sql=contents.data.sql))
    return fill("facts", facts=listed, sql=sql)
