"""Recognizes a run that was passed as qrels, and qrels as the run, by what dicts, lists and frames hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

from recall_duckdb.question import Question
from recall_duckdb.reading.cells import are_numbers, is_list, to_list
from recall_duckdb.reading.shapes import has_columns, holds_records

_QUERIES = 100  # to look at
_FEWEST = 5  # queries that say enough
_ROWS = 2000  # of a frame, to look at
_GRADES = frozenset(range(6))  # usual grades of a frame, and stars
_SHORTEST = 10  # a cutoff of ranked lists; judgements of one length are often shorter

_Lists = list[tuple[int, list[float] | None]]  # by query: the number of items, and their numbers if there are any


def looks_swapped(question: Question) -> bool:
    """Return True if each query has distinct scores or a full list in the qrels, but not in the run."""
    run, names = question.run, question.names
    columns = [*names.query, names.item, *names.qrels_query, names.qrels_item]
    ranked = _lists_of(question.qrels, columns)
    runs = [run, *islice(run.values(), _QUERIES)] if isinstance(run, Mapping) else [run]
    if len(ranked) >= _FEWEST:
        return any(_are_judgements(_lists_of(each, columns), ranked) for each in runs)
    scores = _numbers_in(question.qrels, [*names.qrels_query, names.relevance])
    lengths = {len(each) for each in scores}
    if len(scores) < _FEWEST or len(lengths) > 1 or min(lengths) < _SHORTEST or not _are_scores(scores):
        return False
    grades = _numbers_in(run, [*names.query, names.scores[0]])
    are_short = 2 * sum(map(len, grades)) <= min(lengths) * len(grades)
    are_usual = _GRADES.issuperset(grade for each in grades for grade in each)
    return len(grades) >= _FEWEST and are_short and are_usual and _are_grades(grades)


def _numbers_in(frame: Any, names: Sequence[str | None]) -> list[list[float]]:
    """Return the numbers of the first queries of a frame or a dict of columns; the last name is their column."""
    try:
        *queries, numbers = (to_list(frame[name][:_ROWS]) for name in names)
        by_query = dict[Any, list[float]]()
        for query, number in zip(zip(*queries, strict=True), map(float, numbers), strict=True):
            by_query.setdefault(query, []).append(number)
    except Exception:  # another shape, or what an object of another package raises
        return []
    lists = [*by_query.values()]
    return lists[:-1] if len(numbers) == _ROWS else lists  # the last one may be longer


def _lists_of(value: object, columns: Collection[str]) -> _Lists:
    """Return what the first queries hold; an empty list for other shapes than dicts and lists by query."""
    if isinstance(value, Mapping):
        if has_columns(islice(value, _QUERIES), columns):
            return []
    elif not isinstance(value, (list, tuple)):
        return []
    lists: _Lists = []
    for each in islice(value.values() if isinstance(value, Mapping) else value, _QUERIES):
        if not isinstance(each, Mapping) and (not is_list(each) or isinstance(each, tuple)):
            return []
        pairs: Iterable[Any] = each.items() if isinstance(each, Mapping) else each if holds_records(each) else ()
        numbers = [pair[1] for pair in pairs if isinstance(pair, tuple) and len(pair) == 2]
        if not are_numbers(numbers) or None in numbers:
            return []
        lists.append((len(each), [*map(float, numbers)] if numbers else None))
    return lists


def _are_judgements(judged: _Lists, ranked: _Lists) -> bool:
    """Return True if lists look like judgements, and others like a run."""
    if len(judged) < _FEWEST:
        return False
    lengths, full = [length for length, _ in judged], {length for length, _ in ranked}
    scores = [numbers for _, numbers in ranked if numbers is not None]
    grades = [numbers for _, numbers in judged if numbers is not None]
    if scores and not _are_scores(scores):
        return False
    if scores and grades:
        return _are_grades(grades)
    is_full = len(full) == 1 and min(full) >= _SHORTEST
    is_short = 2 * sum(lengths) <= min(full) * len(lengths)
    # Lists of one length without scores may be the top of exact neighbors, which are judgements of one length.
    are_marked = bool(grades) and all(len(set(numbers)) == 1 for numbers in grades) and max(lengths) > 1
    # If most lists have the same length, and a few are shorter, they were cut: they are a run.
    are_ragged = 2 * lengths.count(max(lengths)) < len(lengths)
    return is_full and is_short and (are_marked or (not grades and (bool(scores) or are_ragged)))


def _are_grades(lists: list[list[float]]) -> bool:
    """Return True if all numbers are whole, and equal in all lists or twice in one: scores of a query differ."""
    numbers = {number for each in lists for number in each}
    return all(map(float.is_integer, numbers)) and (
        len(numbers) == 1 or any(len(set(each)) < len(each) for each in lists)
    )


def _are_scores(lists: list[list[float]]) -> bool:
    """Return True if no query has a number twice, and most numbers are fractions."""
    numbers = [number for each in lists for number in each]
    fractions = sum(not number.is_integer() for number in numbers)
    return all(len(set(each)) == len(each) for each in lists) and 2 * fractions > len(numbers) > len(lists)
