"""Leaderboards: the models in order, with letters that say which do not differ significantly."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations_with_replacement
from string import ascii_lowercase
from typing import Any

from recall_duckdb import report
from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.comparison.shown import left_out_note, level, lower_note, mark_of, places, test_text
from recall_duckdb.errors import some
from recall_duckdb.report import metric_name

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
    rows: list[dict[str, Any]],
    columns: Iterable[str],
    _: Sequence[str],
    settings: Settings,
    pairs: Sequence[Mapping[str, Any]],
) -> report.Table:
    """Return a leaderboard as a table of text: a row for each model, and a column for each metric; it has no slices.

    The numbers are below each other whatever their letters. Notes say how the models were compared.
    """
    models, metrics = places(row["model"] for row in rows), places(map(metric_name, rows))
    pairs = [pair for pair in pairs if metric_name(pair) in metrics]
    body = [[str(model), *("" for _ in metrics)] for model in models]
    bold, lines = set(), list[str]()
    for row in rows:
        place = models[row["model"]], 1 + metrics[metric_name(row)]
        body[place[0]][place[1]] = f"{report.format_value(row)} {row['letters'] or ''}".strip()
        if row["is_best"]:
            bold.add(place)
    if any(row["letters"] for row in rows):
        # True if no model is significantly better than one with the best mean.
        is_best_first = all(row["rank_low"] == 1 for row in rows if row["place"] == 1 and row["letters"])
        best = "; the best have an a" if is_best_first else ""
        lines.append(f"models that share a letter do not differ significantly at p < {level(settings)}{best}")
        lines.append(f"{test_text(settings)}{' for all pairs' * (settings.correction != 'none')}")
    notes = [*lines, *lower_note(rows, settings), *pair_notes(rows, pairs, settings)]
    return report.Table(["model", *metrics], body, notes, rows=rows, columns=list(columns), bold=bold)


def pair_notes(rows: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings) -> list[str]:
    """Return which pairs the order of the means does not show: the worse mean wins, or the queries differ."""
    place = {(row["model"], metric_name(row)): row["place"] for row in rows}
    turned, unpaired, untested = list[str](), list[str](), list[str]()
    for pair in pairs:
        metric, models = metric_name(pair), f"{pair['baseline_model']} and {pair['model']}"
        if pair["unpaired"]:
            unpaired.append(f"{pair['unpaired']:,} for {models} on {metric}")
        if mark_of(pair, settings) == "•":
            untested.append(f"{models} on {metric}")
        found = None if pair["metric"] in settings.descriptive else beats(pair, settings)
        if found is not None and place[found[0], metric] > place[found[1], metric]:
            turned.append(f"{found[0]} against {found[1]} on {metric}")
    how = "wins more queries" if settings.test == "sign" else "is significantly better on the queries that both have"
    notes = [f"the model with the worse mean {how}: {some(turned)}"] if turned else []
    notes += [f"not tested, so they share a letter: {some(untested)}"] if untested else []
    return [*notes, *left_out_note(unpaired)]


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

    `means` has a row for each model and metric over all queries. `first` is the metric that orders the models, by
    default the first that says something about quality.
    """
    metrics: dict[Key, list[Mapping[str, Any]]] = {}
    for row in means:
        metrics.setdefault((row["metric"], row["k"]), []).append(row)
    rows: dict[tuple[object, Key], dict[str, Any]] = {}
    for metric, of_metric in metrics.items():
        for row in _rank(of_metric, [pair for pair in pairs if (pair["metric"], pair["k"]) == metric], settings):
            rows[row["model"], metric] = {name: row[name] for name in COLUMNS}
    compared = {(pair["metric"], pair["k"]) for pair in pairs}  # metrics with values of queries go first
    decides = first or min(
        metrics, key=lambda key: (key[0] in settings.descriptive, bool(compared) and key not in compared)
    )
    order = [model for model, metric in rows if metric == decides]
    return [rows[model, metric] for model in order for metric in metrics if (model, metric) in rows]


def _rank(
    of_metric: Sequence[Mapping[str, Any]], pairs: Sequence[Mapping[str, Any]], settings: Settings
) -> list[dict[str, Any]]:
    """Return the rows of one metric, the best first; models with the same mean keep their order."""

    def badness(row: Mapping[str, Any]) -> tuple[bool, float]:
        value = row["value"]
        return value is None, 0 if value is None else value if row["metric"] in settings.lower else -value

    order = [{**dict.fromkeys(COLUMNS), **row} for row in sorted(of_metric, key=badness)]
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
    sets, covered = list[list[object]](), set[tuple[object, object]]()
    for place, model in enumerate(models):
        for other in (*models[place + 1 :], model):  # it has a letter too if it differs from all others
            if other not in apart[model] and (model, other) not in covered:
                chosen, excluded = {model, other}, {model, other, *apart[model], *apart[other]}
                for each in models:
                    if each not in excluded:
                        chosen.add(each)
                        excluded |= {each, *apart[each]}
                sets.append([each for each in models if each in chosen])
                covered |= set(combinations_with_replacement(sets[-1], 2))
    places_of = places(models)
    sets.sort(key=lambda each: [places_of[model] for model in each])
    between = "" if len(sets) <= len(ascii_lowercase) else ","
    names = [_letters(number) for number in range(len(sets))]
    return {
        model: between.join(name for name, each in zip(names, sets, strict=True) if model in each) for model in models
    }


def _letters(number: int) -> str:
    """Return the name of a set of models: a to z, then aa, ab and so on.

    >>> [_letters(number) for number in (0, 25, 26, 27, 701, 702)]
    ['a', 'z', 'aa', 'ab', 'zz', 'aaa']
    """
    before, last = divmod(number, len(ascii_lowercase))
    return f"{_letters(before - 1) if before else ''}{ascii_lowercase[last]}"
