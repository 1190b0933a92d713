"""The metrics once more, slow and plain: written from the definitions, one query at a time, with no SQL.

A run is a list of (query, item, score) and qrels are a list of (query, item, relevance). A query is a tuple of ids, so
that it may be one column or several. `reference` gives what `evaluate` is to give for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Id = int | str
Query = tuple[Id | None, ...]
Row = tuple[Query, Id | None, float | None]


class Mean(NamedTuple):
    """A mean, None over no query, and the number of queries that it is the mean of."""

    value: float | None
    queries: int


class Tally(NamedTuple):
    """How many queries there are of each kind."""

    judged: int
    retrieved: int
    both: int
    without_relevant: int


@dataclass(frozen=True)
class Reference:
    """What an evaluation is to give: values by query and metric, means by metric, numbers of queries."""

    per_query: dict[Query, dict[str, float | None]]
    means: dict[str, Mean]
    tally: Tally


@dataclass(frozen=True)
class Ranking:
    """One query's recommended list against its judgements.

    Attributes:
        relevant: for each rank from the first, whether the item there is relevant.
        gains: for each rank from the first, the gain of the item there.
        ideal: the gains of all judged items, highest first.
        all_relevant: R, how many items are relevant, retrieved or not.
        over: what precision divides by: "k", or "retrieved" where the list may be shorter.
    """

    relevant: list[bool]
    gains: list[float]
    ideal: list[float]
    all_relevant: int
    over: str

    def hits(self, k: int | None) -> int:
        """How many of the first k are relevant; of all, where k is None."""
        return sum(self.relevant[:k])

    def precision_divisor(self, k: int | None) -> int:
        """The k of precision at k."""
        if k is None:
            return len(self.relevant)
        return min(k, len(self.relevant)) if self.over == "retrieved" else k


def _ratio(numerator: float, denominator: float) -> float | None:
    return None if denominator == 0 else numerator / denominator


def recall(ranking: Ranking, k: int | None) -> float | None:
    return _ratio(ranking.hits(k), ranking.all_relevant)


def capped_recall(ranking: Ranking, k: int | None) -> float | None:
    most = min(len(ranking.relevant) if k is None else k, ranking.all_relevant)
    return _ratio(ranking.hits(k), most)


def precision(ranking: Ranking, k: int | None) -> float | None:
    return _ratio(ranking.hits(k), ranking.precision_divisor(k))


def f1(ranking: Ranking, k: int | None) -> float | None:
    if ranking.all_relevant == 0 and ranking.precision_divisor(k) == 0:
        return None
    shares = precision(ranking, k), recall(ranking, k)
    if not all(shares):
        return 0.0  # no hit
    return 2 / sum(1 / share for share in shares if share)


def hit_rate(ranking: Ranking, k: int | None) -> float | None:
    return 1.0 if ranking.hits(k) > 0 else 0.0


def r_precision(ranking: Ranking, k: int | None) -> float | None:
    return _ratio(ranking.hits(ranking.all_relevant), ranking.all_relevant)


def rr(ranking: Ranking, k: int | None) -> float | None:
    for rank, is_relevant in enumerate(ranking.relevant[:k], start=1):
        if is_relevant:
            return 1 / rank
    return 0.0


def ap(ranking: Ranking, k: int | None) -> float | None:
    found = [rank for rank, is_relevant in enumerate(ranking.relevant[:k], start=1) if is_relevant]
    return _ratio(math.fsum(hit / rank for hit, rank in enumerate(found, start=1)), ranking.all_relevant)


def _discounted(gains: Sequence[float], k: int | None) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains[:k], start=1))


def dcg(ranking: Ranking, k: int | None) -> float | None:
    return _discounted(ranking.gains, k)


def ndcg(ranking: Ranking, k: int | None) -> float | None:
    return _ratio(_discounted(ranking.gains, k), _discounted(ranking.ideal, k))


METRICS: dict[str, Callable[[Ranking, int | None], float | None]] = {
    metric.__name__: metric
    for metric in (recall, capped_recall, precision, f1, hit_rate, r_precision, rr, ap, dcg, ndcg)
}


def reference(
    run: Iterable[Row],
    qrels: Iterable[Row],
    metrics: Iterable[str],
    *,
    no_relevant: str = "zero",
    missing: str = "zero",
    ties: str = "item_desc",
    duplicates: str = "error",
    nulls: str = "error",
    precision: str = "k",
    threshold: float | None = None,
    min_score: float | None = None,
) -> Reference:
    """Every metric, named as in "recall@10" or "recall", for every judged query, and its mean."""
    retrieved = _by_query(run, nulls, duplicates)
    judged = {
        query: {item: relevance or 0.0 for item, relevance in items.items()}
        for query, items in _by_query(qrels, nulls, duplicates).items()
    }
    names = list(metrics)
    per_query: dict[Query, dict[str, float | None]] = {}
    without_relevant = 0
    for query, relevances in judged.items():
        ranking = _ranking(retrieved.get(query, {}), relevances, ties, threshold, min_score, precision)
        without_relevant += ranking.all_relevant == 0
        per_query[query] = {}
        for name in names:
            value = _value(name, ranking)
            if ranking.all_relevant == 0 and no_relevant == "skip":
                value = None
            elif query not in retrieved:
                value = None if missing == "skip" else value or 0.0
            elif value is None and no_relevant == "zero":
                value = 0.0
            per_query[query][name] = value
    return Reference(
        per_query=per_query,
        means={name: _mean(values[name] for values in per_query.values()) for name in names},
        tally=Tally(len(judged), len(retrieved), len(judged.keys() & retrieved.keys()), without_relevant),
    )


def _value(name: str, ranking: Ranking) -> float | None:
    metric, at, k = name.partition("@")
    return METRICS[metric](ranking, int(k) if at else None)


def _mean(values: Iterable[float | None]) -> Mean:
    counted = [value for value in values if value is not None]
    return Mean(_ratio(math.fsum(counted), len(counted)), len(counted))


def _by_query(rows: Iterable[Row], nulls: str, duplicates: str) -> dict[Query, dict[Id, float | None]]:
    """The items of every query with their scores or relevance, as the policies nulls and duplicates leave them."""
    found: dict[Query, dict[Id, float | None]] = {}
    for query, item, given in rows:
        number = None if given is None or math.isnan(given) else float(given)
        if nulls == "drop" and (None in query or item is None or number is None):
            continue
        if item is None or None in query:
            raise ValueError("an id is None")
        if number is None and nulls == "error":
            raise ValueError("a score or relevance is None")
        items = found.setdefault(query, {})
        if item not in items:
            items[item] = number
        elif duplicates == "error":
            raise ValueError("an item stands twice in a query")
        else:
            items[item] = max((other for other in (items[item], number) if other is not None), default=None)
    return found


def _ranking(
    candidates: dict[Id, float | None],
    relevances: dict[Id, float],
    ties: str,
    threshold: float | None,
    min_score: float | None,
    over: str,
) -> Ranking:
    gains = {item: max(0.0, relevance) for item, relevance in relevances.items()}
    lowest = 0.0 if threshold is None else threshold
    relevant = {item for item, relevance in relevances.items() if relevance > 0 and relevance >= lowest}
    recommended = [
        item
        for item in _ordered(candidates, gains, ties)
        if min_score is None or _at_least(candidates[item], min_score)
    ]
    return Ranking(
        relevant=[item in relevant for item in recommended],
        gains=[gains.get(item, 0.0) for item in recommended],
        ideal=sorted(gains.values(), reverse=True),
        all_relevant=len(relevant),
        over=over,
    )


def _at_least(score: float | None, lowest: float) -> bool:
    return score is not None and score >= lowest


def _ordered(candidates: dict[Id, float | None], gains: dict[Id, float], ties: str) -> list[Id]:
    """The candidates from the first rank on: by the last thing that counts first, as sorting keeps what is equal."""
    order = sorted(candidates, key=_id_order, reverse=ties != "item")
    if ties in ("optimistic", "pessimistic"):
        order.sort(key=lambda item: gains.get(item, 0.0), reverse=ties == "optimistic")
    order.sort(key=lambda item: _score_order(candidates[item]))
    return order


def _id_order(item: Id) -> tuple[int, bytes]:
    return (0, item.encode()) if isinstance(item, str) else (item, b"")


def _score_order(score: float | None) -> tuple[bool, float]:
    return (score is None, 0.0 if score is None else -score)
