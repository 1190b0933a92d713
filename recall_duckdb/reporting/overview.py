"""The first screen of a report: the decision, how every model differs from one, and what to know before acting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import TypeAlias

from recall_duckdb import report
from recall_duckdb.comparison.shown import (
    is_over_all,
    mark_of,
    metric_name,
    number_text,
    percent,
    slice_name,
    write_metric,
)
from recall_duckdb.definitions.reading import needs_judgements
from recall_duckdb.errors import number_shown, some
from recall_duckdb.reporting.contents import Contents
from recall_duckdb.reporting.decisions import Decision, change_text
from recall_duckdb.reporting.markup import fold, mute, name, sentences, text

_KINDS = {"▲": "better", "▼": "worse"}
_MOST_ROWS = 12  # of a plot; others open
_MOST_SLICES = 30
_MOST_TICKS = 7


def overview(contents: Contents) -> str:
    """Return the decision, a plot and three cards, as HTML."""
    decision = contents.decisions[0]
    shown = "".join(_decision(each, contents.basis) for each in contents.decisions)
    shown += _differences(contents, decision)
    parts = {"How sure?": decision.sure, "For whom not?": _against(contents, decision), "Look next": _next(contents)}
    cards = {title: " ".join(filter(None, lines)) for title, lines in parts.items()}
    told = "".join(f"<div><h3>{title}</h3>{mute(lines)}</div>" for title, lines in cards.items() if lines)
    return f'<section>{shown}<div class="cards">{told}</div></section>'


def _decision(decision: Decision, basis: str) -> str:
    numbers = f"<p>{sentences(decision.numbers)}.</p>" if decision.numbers else ""
    notes = " ".join(filter(None, [f"{decision.ties} (shaded)." if decision.ties else "", basis]))
    return (
        f'<div class="decision {_KINDS.get(decision.mark, "")}"><span class="mark">{decision.mark}</span>'
        f"<div><h1>{text(decision.verdict)}.</h1>{numbers}{mute(notes)}</div></div>"
    )


def _differences(contents: Contents, decision: Decision) -> str:
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
    within = f"{percent(contents.settings.confidence)} intervals, each alone"
    title = f"{contents.first} of each model minus that of {decision.reference}; {within}. Grey: no clear difference."
    zero = f"{decision.reference} {number_text(rows[0]['baseline'])}" if rows else ""
    return mute(title) + plot(lines, [contents.first, "change", "queries"], zero) if lines else ""


# A row of a plot: its name, a value with the ends of its interval, its numbers, and its class.
Line: TypeAlias = "tuple[str, float, float | None, float | None, Sequence[str], str]"


def plot(lines: Sequence[Line], header: Sequence[str], zero: str | None) -> str:
    """Return lines on one scale, the first of them open; `zero` names the line at 0, and None is without one."""
    bounds = [end for line in lines for end in line[1:4] if end is not None]
    bounds += [] if zero is None else [0.0]
    margin = (max(bounds) - min(bounds) or 1.0) / 20
    low, high = min(bounds) - margin, max(bounds) + margin

    def at(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    def row(line: Line) -> str:
        drawn = "" if zero is None else f'<i class="zero" style="left:{at(0)}"></i>'
        label, value, first, last, numbers, kind = line
        if first is not None and last is not None:
            drawn += f'<i class="bar" style="left:{at(first)};right:{at(low + high - last)}"></i>'
        return cells(kind, label, f'{drawn}<i class="dot" style="left:{at(value)}"></i>', numbers)

    def cells(kind: str, label: str, drawn: str, numbers: Sequence[str]) -> str:
        right = "".join(f"<td>{text(number)}</td>" for number in numbers)
        return f'<tr class="{kind.strip()}"><th>{name(label)}</th><td class="axis">{drawn}</td>{right}</tr>'

    here = f'<span style="left:{at(0)};transform:translateX(-{at(0)})">{name(zero)}</span>' if zero else ""
    scale = "".join(f'<span style="left:{at(tick)}">{tick:.10g}</span>' for tick in _ticks(low, high))
    most = number_shown(len(lines), _MOST_ROWS)
    rows = [cells("head", "", here, header), *map(row, lines[:most]), cells("head", "", scale, ["" for _ in header])]
    more = f'<table class="plot">{"".join(map(row, lines[most:]))}</table>' if lines[most:] else ""
    table = f'<table class="plot">{"".join(rows)}</table>'
    return table + (fold(f"{len(lines) - most:,} more", more) if more else "")


def slices(contents: Contents) -> str:
    """Return the differences, or without a baseline the means, in the slices with the most queries."""
    found, by, count = contents.comparison, contents.by, 0
    shown, zero = ("value", None) if found is None else ("delta", "")
    names = len(contents.models) > (1 if found is None else 2)
    drawn = ""
    for metric in map(write_metric, contents.main):
        rows = [row for row in (contents.means if found is None else found.to_dicts()) if metric_name(row) == metric]
        rows = [row for row in rows if row[shown] is not None and not is_over_all(row, by)]
        rows.sort(key=lambda row: (-(row["queries"] or 0), slice_name(row, by), contents.models.index(row["model"])))
        count = max(count, len(rows))
        lines = list[Line]()
        for row in rows[:_MOST_SLICES]:
            label = slice_name(row, by) + (f" · {row['model']}" if names else "")
            numbers = [number_text(row[shown], sign=found is not None), f"{row['queries'] or 0:,}"]
            lines.append((label, row[shown], row["low"], row["high"], numbers, ""))
        drawn += f"<h3>{text(metric)}</h3>{plot(lines, [shown, 'queries'], zero)}" if lines else ""
    note = f"Lines are {percent(contents.settings.confidence)} intervals, not adjusted for the number of slices."
    note += f" Of {count:,} lines, the {_MOST_SLICES} with the most queries are shown." * (count > _MOST_SLICES)
    return mute(note) + drawn if drawn else ""


def _ticks(low: float, high: float) -> Iterable[float]:
    """Return round numbers between two ends."""
    least = (high - low) / _MOST_TICKS
    power = 10.0 ** floor(log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
    return (step * place for place in range(ceil(low / step), floor(high / step) + 1))


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
    lines = [] if contents.comparison else [no_hits(contents, decision.model)]
    is_best = decision.model == decision.reference
    rows = [row for row in decision.rows if is_best or row["model"] == decision.model]
    if rows and rows[0]["wins"] is not None:
        keeps = decision.mark == "▼" or is_best
        other, count = (rows[0]["model"], rows[0]["wins"]) if keeps else (decision.reference, rows[0]["losses"])
        worst = [each for held in contents.queries if held.model == decision.model for each in held.worst[:1]]
        loss = f"; the largest loss is {abs(worst[0].delta):.4f} (query {_ids(worst[0].query)})" if worst else ""
        queries = "query" if count == 1 else "queries"
        lines.append(f"{other} is better for {count:,} {queries}{'' if keeps else loss}.")
    return [*lines, *decision.against]


def _next(contents: Contents) -> list[str]:
    """Return what to look at: the queries that lost most, the ties at a cutoff, and the items to judge."""
    lines = []
    worst = [_ids(each.query) for held in contents.queries[:1] for each in held.worst[:3] if each.delta]
    if worst:
        lost = "lost most" if contents.comparison is not None else "are lowest"
        lines.append(f"Queries that {lost}: {some(worst)}.")
    faults = [] if contents.faults is None else list(contents.faults)
    lines += [f"{each.faults:,} ties at a cutoff. {each.do}" for each in faults if each.check == "ties"]
    others = [each.check for each in faults if each.check != "ties"]
    lines += [f"Faults in the data: {some(others)}."] if others else []
    lines += [] if contents.judging is None else contents.judging.sentences
    return lines or ["The checks found no fault." if contents.faults is not None else "The checks did not run."]


def _ids(query: tuple[object, ...]) -> str:
    return report.cut(", ".join(map(str, query)))
