"""Leaderboards: the models in order, with letters that say which do not differ significantly."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from string import ascii_lowercase
from typing import Any

from recall_duckdb import report
from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.comparison.shown import level, mark_of, metric_name, test_text
from recall_duckdb.errors import some

COLUMNS = {
    **dict.fromkeys(("model", "metric"), "VARCHAR"),
    **dict.fromkeys(("k", "queries"), "BIGINT"),
    **dict.fromkeys(("value", "low", "high"), "DOUBLE"),
    "place": "BIGINT",
    "is_best": "BOOLEAN",
    "letters": "VARCHAR",
    **dict.fromkeys(("rank_low", "rank_high"), "BIGINT"),
}


def leaderboard_table(
    rows: list[dict[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings
) -> report.Table:
    """Return a leaderboard as a table of text: a row for each model, and a column for each metric.

    The numbers are below each other whatever their letters.
    """
    models, metrics = _places(row["model"] for row in rows), _places(map(metric_name, rows))
    body = [[str(model), *("" for _ in metrics)] for model in models]
    bold = set()
    for row in rows:
        place = models[row["model"]], 1 + metrics[metric_name(row)]
        body[place[0]][place[1]] = f"{report.format_value(row)} {row['letters'] or ''}".strip()
        if row["is_best"]:
            bold.add(place)
    notes = [*_notes(rows, settings), *pair_notes(rows, pairs, settings)]
    return report.Table(["model", *metrics], body, notes, rows=rows, columns=list(COLUMNS), bold=bold)


def _places(names: Iterable[Any]) -> dict[Any, int]:
    """Return the places of names, each once, from 0."""
    return {name: place for place, name in enumerate(dict.fromkeys(names))}


def _notes(rows: Sequence[Mapping[str, Any]], settings: Settings) -> list[str]:
    """Return how the models were compared."""
    lines = []
    if any(row["letters"] for row in rows):
        pairs = "" if settings.correction == "none" else " for all pairs"
        # True if no model is significantly better than one with the best mean.
        is_best_first = all(row["rank_low"] == 1 for row in rows if row["place"] == 1 and row["letters"])
        best = "; the best have an a" if is_best_first else ""
        lines.append(f"models that share a letter do not differ significantly at p < {level(settings)}{best}")
        lines.append(f"{test_text(settings)}{pairs}")
    lower = dict.fromkeys(metric_name(row) for row in rows if row["metric"] in settings.lower)
    return [*lines, *([f"lower is better: {', '.join(lower)}"] if lower else [])]


def pair_notes(rows: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings) -> list[str]:
    """Return which pairs the order of the means does not show: the model with the worse mean wins, or queries differ.

    Args:
        rows: the leaderboard.
        pairs: the comparison of every two models.
        settings: how they were compared.
    """
    places = {(row["model"], row["metric"], row["k"]): row for row in rows}
    turned, unpaired = list[str](), list[str]()
    for pair in pairs:
        first, second = (places[pair[name], pair["metric"], pair["k"]] for name in ("baseline_model", "model"))
        if pair["unpaired"]:
            unpaired.append(f"{pair['unpaired']:,} for {first['model']} and {second['model']} on {metric_name(pair)}")
        better, worse = beats(pair, settings) or (None, None)
        if better is None or pair["metric"] in settings.descriptive:
            continue
        winner, loser = (first, second) if better == first["model"] else (second, first)
        if winner["place"] > loser["place"]:
            turned.append(f"{better} against {worse} on {metric_name(pair)}")
    how = "wins more queries" if settings.test == "sign" else "is significantly better on the queries that both have"
    notes = [f"the model with the worse mean {how}: {some(turned)}"] if turned else []
    if unpaired:
        notes.append(f"queries left out because only one of the two models has a value: {some(unpaired)}")
    return notes


def beats(pair: Mapping[str, Any], settings: Settings) -> tuple[object, object] | None:
    """Return the better and the worse model of a pair, by the direction of the test; None if they do not differ."""
    mark = mark_of(pair, settings)
    if mark not in ("▲", "▼"):
        return None
    models = pair["model"], pair["baseline_model"]
    return models if mark == "▲" else models[::-1]


def rank_models(
    means: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings, first: Key | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a leaderboard, with the models in the order of a metric.

    Args:
        means: a row for each model and metric over all queries, with value, queries, low and high.
        pairs: the comparison of every two models.
        settings: how they were compared.
        first: the metric that orders the models; by default the first that says something about quality.
    """
    metrics: dict[Key, dict[object, Mapping[str, Any]]] = {}
    for row in means:
        metrics.setdefault((row["metric"], row["k"]), {})[row["model"]] = row
    rows: dict[tuple[object, Key], dict[str, Any]] = {}
    for metric, by_model in metrics.items():
        for row in _rank(by_model, [pair for pair in pairs if (pair["metric"], pair["k"]) == metric], settings):
            rows[row["model"], metric] = {name: row[name] for name in COLUMNS}
    decides = first or deciding_metric(metrics, {(pair["metric"], pair["k"]) for pair in pairs}, settings)
    order = [model for model, metric in rows if metric == decides]
    return [rows[model, metric] for model in order for metric in metrics if (model, metric) in rows]


def deciding_metric(metrics: Iterable[Key], compared: Collection[Key], settings: Settings) -> Key:
    """Return the first metric that says something about quality, if possible one with values of queries."""
    return min(
        metrics, key=lambda metric: (metric[0] in settings.descriptive, bool(compared) and metric not in compared)
    )


def _rank(
    by_model: Mapping[object, Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of one metric, the best first; models with the same mean keep their order."""

    def badness(row: Mapping[str, Any]) -> tuple[bool, float]:
        value = row["value"]
        return value is None, 0 if value is None else value if row["metric"] in settings.lower else -value

    order = [{**dict.fromkeys(COLUMNS), **row} for row in sorted(by_model.values(), key=badness)]
    models, values = [row["model"] for row in order], list(map(badness, order))
    clear = [found for pair in pairs if (found := beats(pair, settings)) is not None]
    above, below = Counter(worse for _, worse in clear), Counter(better for better, _ in clear)
    letters = share_letters(models, clear)
    for row in order:
        model, has_value = row["model"], row["value"] is not None
        says_quality = has_value and row["metric"] not in settings.descriptive
        row["place"] = 1 + bisect_left(values, badness(row)) if has_value else None
        row["is_best"] = says_quality and row["place"] == 1
        if says_quality and pairs:
            row["letters"] = letters[model]
            row["rank_low"], row["rank_high"] = 1 + above[model], len(models) - below[model]
    return order


def share_letters(models: Sequence[object], clear: Sequence[tuple[object, object]]) -> dict[object, str]:
    """Return the letters of models, of which two share one unless their difference is clear.

    If there are more sets than letters, they have names such as ab, with commas between them.

    A letter stands for models of which no two differ clearly, and each such pair has one (a clique cover: Gramm et al.,
    Algorithms for Compact Letter Displays, 2007). To find all largest sets instead could take forever.

    >>> share_letters(["x", "y", "z"], [("x", "z")])
    {'x': 'a', 'y': 'ab', 'z': 'b'}
    """
    apart: dict[object, set[object]] = {model: set() for model in models}
    for one, other in clear:
        apart[one].add(other)
        apart[other].add(one)
    places = {model: place for place, model in enumerate(models)}
    sets: list[list[object]] = []
    covered: set[tuple[object, object]] = set()
    for place, model in enumerate(models):
        for other in models[place + 1 :]:
            if other not in apart[model] and (model, other) not in covered:
                sets.append(_grow([model, other], models, apart))
                covered |= set(combinations(sets[-1], 2))
        if not any(model in each for each in sets):
            sets.append([model])
    sets.sort(key=lambda each: [places[model] for model in each])
    of_models: dict[object, list[str]] = {model: [] for model in models}
    for number, each in enumerate(sets):
        for model in each:
            of_models[model].append(_letters(number))
    between = "" if len(sets) <= len(ascii_lowercase) else ","
    return {model: between.join(names) for model, names in of_models.items()}


def _letters(number: int) -> str:
    """Return the name of a set of models: a to z, then aa, ab and so on.

    >>> [_letters(number) for number in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    before, last = divmod(number, len(ascii_lowercase))
    return f"{_letters(before - 1) if before else ''}{ascii_lowercase[last]}"


def _grow(pair: Sequence[object], models: Sequence[object], apart: Mapping[object, Collection[object]]) -> list[object]:
    """Return two models with others from which none of them differs clearly, in the order of the models."""
    chosen = [*pair]
    excluded = {*pair, *apart[pair[0]], *apart[pair[1]]}
    for model in models:
        if model not in excluded:
            chosen.append(model)
            excluded |= {model, *apart[model]}
    return [model for model in models if model in chosen]
