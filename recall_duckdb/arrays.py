"""Metrics of one query, from arrays and lists, computed by the same SQL."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, RecallWarning
from recall_duckdb.evaluation import evaluate_question
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.question.cutoffs import EXPECTED, cutoff
from recall_duckdb.question.policies import policies
from recall_duckdb.reading.cells import cells_of, is_array


def recall_at_k(y_true: Iterable[Any], y_score: Iterable[Any], k: int, **options: Any) -> float | None:
    """Compute recall@k of one query from its labels and scores.

    Args:
        y_true: a label for each candidate; above 0 is relevant.
        y_score: a score for each candidate.
        k: the cutoff.
        **options: policies of `evaluate`, such as `ties`, `threshold` or `short="error"`.

    Returns:
        The share of the relevant candidates that are among the k with the highest scores. If none is relevant: 0, or
        None with `no_relevant="skip"`. Of equal scores the later candidate ranks first, unless `ties` says otherwise.

    Raises:
        ArgumentError: y_true and y_score differ in length, or k is not a whole number from 1 to 999999999999999999.
        ArgumentTypeError: an argument is not a list or array.
        DataError: a score is missing, or a policy refuses the data.

    Example:
        >>> recall_at_k([1, 1, 0, 0, 1], [0.4, 0.1, 0.2, 0.5, 0.3], 3)
        0.6666666666666666
    """
    return _value_of_labels("recall", y_true, y_score, k, options)


def precision_at_k(y_true: Iterable[Any], y_score: Iterable[Any], k: int, **options: Any) -> float | None:
    """Compute precision@k of one query from its labels and scores; arguments and errors are those of `recall_at_k`.

    Returns:
        The share of the k candidates with the highest scores that are relevant. With fewer than k candidates it still
        divides by k, unless `precision="retrieved"`.

    Example:
        >>> precision_at_k([1, 1, 0, 0, 1], [0.4, 0.1, 0.2, 0.5, 0.3], 2)
        0.5
    """
    return _value_of_labels("precision", y_true, y_score, k, options)


def recall(
    recommended: Iterable[Any],
    relevant: Iterable[Any] | Mapping[Any, float],
    k: int | None = None,
    **options: Any,
) -> float | None:
    """Compute the recall of one list of items.

    Args:
        recommended: the items in rank order; a list, tuple or NumPy array.
        relevant: the relevant items: a list, tuple, NumPy array or set, or a dict from item to relevance.
        k: the cutoff; None for the whole list.
        **options: policies of `evaluate`, such as `no_relevant="error"` or `threshold`.

    Returns:
        The share of the relevant items that are among the first k recommended. If none is relevant: 0, or None with
        `no_relevant="skip"`.

    Raises:
        ArgumentTypeError: an argument has the wrong type.
        ArgumentError: k is not a whole number from 1 to 999999999999999999.
        DataError: a list holds an item twice, or a policy refuses the data.

    Example:
        >>> recall(["A", "B", "C", "L", "Y", "U", "F", "Z"], {"A", "K", "B", "Z"}, k=5)
        0.5
    """
    items = _values("recommended", recommended)
    judged = relevant if isinstance(relevant, (set, frozenset, Mapping)) else _values("relevant", relevant)
    # An empty list has no type, so the type of the other list's items is used for both.
    return _value("recall", {"query": [0], "item": [items], "relevance": [judged]}, k, options)


def _value_of_labels(metric: str, y_true: Any, y_score: Any, k: object, options: dict[str, Any]) -> float | None:
    labels, scores = _values("y_true", y_true), _values("y_score", y_score)
    if len(labels) != len(scores):
        raise ArgumentError(f"y_true and y_score differ in length: {len(labels)} labels, {len(scores)} scores")
    if k is None:
        raise ArgumentError(f"{EXPECTED}, not None")
    if all(isinstance(each, int) and each > 0 for each in (*labels, *scores)) and (
        1 < len(labels) == len({*labels}) == len({*scores})
    ):
        warnings.warn(
            "every label is relevant, and labels and scores are distinct whole numbers. For ids of items, call "
            "recall_duckdb.recall(recommended, relevant, k)",
            RecallWarning,
            stacklevel=3,
        )
    data = {"query": [0] * len(labels), "item": list(range(len(labels))), "score": scores, "relevance": labels}
    return _value(metric, data, k, options)


def _values(argument: str, values: Any) -> list[Any]:
    """Convert a list, tuple or array to a list of Python values."""
    if not isinstance(values, (list, tuple)) and not is_array(values):
        raise ArgumentTypeError(f"a list or an array is expected, not {type(values).__name__}", argument=argument)
    cells = cells_of(values)
    if cells.fault is not None:
        raise ArgumentTypeError(f"{argument} {cells.fault}")
    if any(isinstance(value, (list, dict)) for value in cells.values):
        raise ArgumentTypeError(f"{argument} holds lists, but single values are expected", fix="Flatten it first")
    return cells.values


def _value(metric: str, data: dict[str, Any], k: object, options: dict[str, Any]) -> float | None:
    whole = cutoff(k)
    no_relevant = policies(options).no_relevant
    name = metric if whole is None else f"{metric}@{whole}"
    result = evaluate_question(EvaluateQuestion(data, metrics=name, **{"empty": "allow", **options}))
    if any(counts.judged for counts in result.counts.values()):
        [mean] = result.means
        return None if mean["value"] is None else float(mean["value"])
    if no_relevant == "error":
        raise DataError("no item is relevant, and no_relevant='error' was passed", fix="Pass 'zero' or 'skip'")
    return None if no_relevant == "skip" else 0.0
