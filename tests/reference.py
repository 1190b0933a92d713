"""A slow, plain implementation of the metrics, written from their definitions: one query at a time, without SQL.

A run is a list of (query, item, score) and qrels are a list of (query, item, relevance). A query is a tuple of ids, one
for each of its columns. `reference` returns what `evaluate` must return for them.
"""

from __future__ import annotations

import ctypes
import inspect
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

Id = int | str
Query = tuple[Id | None, ...]
Row = tuple[Query, Id | None, float | None]
Candidates = dict[Id, float | None]  # the score of each item
Relevances = dict[Id, float]

MOST_ORDERS = 720  # of tied items; each of them is tried


class Mean(NamedTuple):
    """A mean, None if no query counts, and the number of queries that count."""

    value: float | None
    queries: int


class Tally(NamedTuple):
    """The number of queries of each kind."""

    judged: int
    retrieved: int
    both: int
    without_relevant: int


@dataclass(frozen=True)
class Reference:
    """The expected result of an evaluation: values by query and metric, means by metric, numbers of queries."""

    per_query: dict[Query, dict[str, float | None]]
    means: dict[str, Mean]
    tally: Tally


@dataclass(frozen=True)
class OptionalInputs:
    """The optional inputs.

    Attributes:
        exclude: pairs of query and item to remove from the run before ranking.
        items: the only items of run and qrels that count; None: all.
        weights: the weight of every query in a mean; None: equal weights.
        training: pairs of query and item, from which the popularity of items is computed.
        catalog: the items that could be recommended.
        features: the features of items, each with its weight.
        similarities: the similarity of two items, each pair once.
    """

    exclude: frozenset[tuple[Query, Id]] = frozenset()
    items: frozenset[Id] | None = None
    weights: Mapping[Query, float] | None = None
    training: frozenset[tuple[Query, Id]] = frozenset()
    catalog: frozenset[Id] = frozenset()
    features: Mapping[Id, Mapping[str, float]] = field(default_factory=dict)
    similarities: Mapping[tuple[Id, Id], float] = field(default_factory=dict)

    @cached_property
    def holders(self) -> Counter[Id]:
        """For each item, the number of training queries that contain it."""
        return Counter(item for _, item in self.training)

    @cached_property
    def training_queries(self) -> int:
        """The number of queries in the training data."""
        return len({query for query, _ in self.training})

    def keeps(self, query: Query, item: Id | None) -> bool:
        """Return True if this item may be in the list of this query."""
        return (query, item) not in self.exclude and self.is_listed(item)

    def is_listed(self, item: Id | None) -> bool:
        """Return True if this item counts in run and qrels."""
        return self.items is None or item in self.items

    def weight(self, query: Query) -> float:
        """Return the weight of a query in a mean."""
        return 1.0 if self.weights is None else self.weights[query]


def as_float(number: float) -> float:
    """Return a number as a column of 32-bit floats holds it."""
    return ctypes.c_float(number).value


def reaches(number: float, lowest: float) -> bool:
    """Return True if a number is at least the lowest, which a column of 32-bit floats may hold rounded."""
    return number >= lowest or is_in_a_float_column(number, lowest)


def is_in_a_float_column(number: float, named: float) -> bool:
    """Return True if a column of 32-bit floats holds a number of at most 7 digits as the other number."""
    return number == as_float(named) and float(f"{named:.7g}") == named and abs(named) >= 1e-37


@dataclass(frozen=True)
class Judging:
    """The rule for which items are relevant, and for their gains."""

    threshold: float | None  # the lowest relevance of a relevant item; None: any relevance above 0
    gain: str = "linear"  # "linear", "exponential", "binary" or a table such as "1:1,2:5"

    def is_relevant(self, relevance: float | None) -> bool:
        """Return True if an item of this relevance is relevant; None is the relevance of an unjudged item."""
        return relevance is not None and relevance > 0 and reaches(relevance, self.threshold or 0)

    def worth(self, relevance: float | None) -> float:
        """Return the gain of an item of this relevance."""
        if relevance is None or relevance <= 0:
            return 0.0
        if self.gain == "binary":
            return float(self.is_relevant(relevance))
        for pair in self.gain.split(",") if ":" in self.gain else ():
            named, gain = map(float, pair.split(":"))
            if relevance == named or is_in_a_float_column(relevance, named):
                return gain
        return 2.0**relevance - 1 if self.gain == "exponential" else relevance


@dataclass(frozen=True)
class Ranking:
    """One query's recommended list, in one order of its ties, with its judgements.

    Attributes:
        places: the relevance of the item at each rank, None if it is not judged, or if there is no item.
        retrieved: n, the number of items in the list: fewer than ranks if ranks are given and skip numbers.
        judgements: the relevance of every judged item, retrieved or not.
        candidates: score and relevance of every candidate, recommended or not.
        judging: the rule for relevance and gains.
        over: the divisor of precision: "k", or "retrieved", which may be less than k.
        semantics: "trec_eval_10" or "trec_eval_9".
    """

    places: Sequence[float | None]
    retrieved: int
    judgements: list[float]
    candidates: list[tuple[float | None, float | None]]
    judging: Judging
    over: str
    semantics: str

    @cached_property
    def relevant(self) -> list[bool]:
        """For each rank, True if its item is relevant."""
        return list(map(self.judging.is_relevant, self.places))

    @cached_property
    def all_relevant(self) -> int:
        """R, the number of relevant items, retrieved or not."""
        return sum(map(self.judging.is_relevant, self.judgements))

    def hit_ranks(self, k: int | None) -> list[int]:
        """Return the ranks of the relevant items, down to k."""
        return [rank for rank, is_relevant in enumerate(self.relevant[:k], start=1) if is_relevant]

    @property
    def gains(self) -> list[float]:
        """The gain of the item at each rank."""
        return list(map(self.judging.worth, self.places))

    @property
    def ideal(self) -> list[float]:
        """The gains of all judged items, highest first."""
        return sorted(map(self.judging.worth, self.judgements), reverse=True)

    @property
    def non_relevant(self) -> list[bool]:
        """For each rank, True if its item is judged as not relevant."""
        return list(map(self.is_non_relevant, self.places))

    def is_non_relevant(self, relevance: float | None) -> bool:
        """Return True if this relevance means judged as not relevant; below 0 means pooled, but not judged."""
        return relevance is not None and relevance >= 0 and not self.judging.is_relevant(relevance)

    def hits(self, k: int | None) -> int:
        """Return the number of relevant items in the first k, or in the whole list if k is None."""
        return sum(self.relevant[:k])

    def length(self, k: int | None) -> int:
        """Return k, or the length of the list if k is None."""
        return self.retrieved if k is None else k

    def held(self, k: int | None) -> int:
        """Return the number of items in the top k."""
        return min(self.length(k), self.retrieved)

    def precision_divisor(self, k: int | None, over: str) -> int:
        """Return the divisor of precision at k."""
        return self.held(k) if (over or self.over) == "retrieved" else self.length(k)


Metric = Callable[..., float | None]  # of a ranking, the cutoff, None for the whole list, and options


def _ratio(numerator: float, denominator: float) -> float | None:
    return None if denominator == 0 else numerator / denominator


def _discounted(gains: Sequence[float], k: int | None, base: float = 2, discount: str = "trec_eval") -> float:
    def divisor(rank: int) -> float:
        return max(math.log(rank, base), 1) if discount == "lenskit" else math.log(rank + 1, base)

    return math.fsum(gain / divisor(rank) for rank, gain in enumerate(gains[:k], start=1))


def fbeta(ranking: Ranking, k: int | None, beta: float = 1, over: str = "") -> float | None:
    divisor, hits = ranking.precision_divisor(k, over), ranking.hits(k)
    if hits == 0:
        return None if ranking.all_relevant == 0 and divisor == 0 else 0.0
    share, found = hits / divisor, hits / ranking.all_relevant
    return (1 + beta**2) * share * found / (beta**2 * share + found)


def ap(ranking: Ranking, k: int | None, over: str = "relevant") -> float | None:
    found = ranking.hit_ranks(k)
    divisor = {
        "relevant": ranking.all_relevant,
        "capped": min(ranking.length(k), ranking.all_relevant),
        "k": ranking.length(k),
        "hits": len(found),
    }
    return _ratio(math.fsum(hit / rank for hit, rank in enumerate(found, start=1)), divisor[over])


def err(ranking: Ranking, k: int | None, max_grade: float = 4) -> float | None:
    terms, goes_on = [], 1.0
    for rank, relevance in enumerate(ranking.places[:k], start=1):
        satisfies = (2 ** max(relevance or 0, 0) - 1) / 2**max_grade
        terms.append(goes_on * satisfies / rank)
        goes_on *= 1 - satisfies
    return math.fsum(terms)


def rbp(ranking: Ranking, k: int | None, p: float = 0.9, gain: str = "binary", over: str = "nothing") -> float | None:
    highest = max(1.0, *ranking.judgements) if gain == "scaled" else 1.0

    def of(places: Sequence[float | None]) -> float:
        if gain == "binary":
            gains = [float(ranking.judging.is_relevant(relevance)) for relevance in places]
        else:
            gains = [max(relevance or 0.0, 0.0) / highest for relevance in places]
        return (1 - p) * math.fsum(worth * p**before for before, worth in enumerate(gains))

    own = of(ranking.places[:k])
    return own if over == "nothing" else _ratio(own, of(sorted(ranking.judgements, reverse=True)[:k]))


def fall_out(ranking: Ranking, k: int | None, of: str = "retrieved") -> float | None:
    if of == "judged":
        return _ratio(sum(ranking.non_relevant[:k]), sum(map(ranking.is_non_relevant, ranking.judgements)))
    return _ratio(ranking.held(k) - ranking.hits(k), ranking.retrieved - ranking.hits(None))


def partial_auc(ranking: Ranking, k: int, over: str = "relevant") -> float | None:
    others = area = hits = 0
    for is_relevant in ranking.relevant:
        hits += is_relevant
        if not is_relevant:
            others += 1
        elif others < k and (over == "relevant" or hits <= k):
            area += k - others
    return _ratio(area, k * (min(k, ranking.all_relevant) if over == "capped" else ranking.all_relevant))


def r_precision_mult(ranking: Ranking, _: int | None, multiple: float = 1) -> float | None:
    cutoff = math.floor(multiple * ranking.all_relevant + 0.9)
    return _ratio(ranking.hits(cutoff), cutoff) if ranking.all_relevant else None


def normalized_gain(ranking: Ranking, _: int | None) -> float | None:
    total, ahead = 0.0, Fraction(2)
    for place, gain in enumerate(ranking.gains):
        ahead += Fraction(max([1.0, *ranking.ideal[place : place + 1]])) - Fraction(gain)
        total += gain / math.log2(ahead)
    return _ratio(total, math.fsum(ranking.ideal))


def ndcg_rel(ranking: Ranking, _: int | None) -> float | None:
    relevant = sum(gain > 0 for gain in ranking.ideal)
    ranks = [rank for rank, gain in enumerate(ranking.gains, start=1) if gain > 0]
    found = [_discounted(ranking.gains, rank) / _discounted(ranking.ideal, rank) for rank in ranks]
    if not relevant:
        return None
    last = _discounted(ranking.gains, None) / _discounted(ranking.ideal, None)
    return (math.fsum(found) + (relevant - len(ranks)) * last) / relevant


def ndcg_r(ranking: Ranking, _: int | None) -> float | None:
    ideal = [gain for gain in ranking.ideal if gain > 0]
    cutoffs: list[int | None] = [sum(gain >= level for gain in ideal) for level in sorted(set(ideal))]
    if ideal and ranking.retrieved > len(ideal) + 1:
        cutoffs.append(None)
    found = [_discounted(ranking.gains, k) / _discounted(ideal, k) for k in cutoffs]
    return _ratio(math.fsum(found), len(found))


def rbp_residual(ranking: Ranking, _: int | None, p: float = 0.9) -> float:
    weights = [p**place for place, relevance in enumerate(ranking.places) if relevance is None or relevance < 0]
    if ranking.retrieved == len(ranking.places) - len(weights):
        return 0.0  # every item is judged
    return p ** len(ranking.places) + (1 - p) * math.fsum(weights)


def utility(ranking: Ranking, _: int | None, hit: float = 1, other: float = -1, missed: float = 0) -> float:
    hits = ranking.hits(None)
    return hit * hits + other * (ranking.retrieved - hits) + missed * (ranking.all_relevant - hits)


def bpref(ranking: Ranking, _: int | None) -> float | None:
    most = min(sum(map(ranking.is_non_relevant, ranking.judgements)), ranking.all_relevant)
    above = [sum(ranking.non_relevant[:rank]) for rank in ranking.hit_ranks(None)]
    terms = [1 - min(number, ranking.all_relevant) / most if number else 1.0 for number in above]
    return _ratio(math.fsum(terms), ranking.all_relevant)


def inf_ap(ranking: Ranking, _: int | None) -> float | None:
    epsilon, terms = 0.00001, []
    for rank in ranking.hit_ranks(None):
        above = [relevance for relevance in ranking.places[: rank - 1] if relevance is not None]
        hits, judged_above = ranking.hits(rank - 1), sum(relevance >= 0 for relevance in above)
        share = (hits + epsilon) / (judged_above + 2 * epsilon)
        terms.append(1.0 if rank == 1 else 1 / rank + len(above) / rank * share)
    return _ratio(math.fsum(terms), ranking.all_relevant)


def auc(ranking: Ranking, _: int | None) -> float | None:
    orders: dict[bool, list[tuple[bool, float]]] = {True: [], False: []}  # a smaller value ranks first
    for score, relevance in ranking.candidates:
        orders[ranking.judging.is_relevant(relevance)].append(_score_order(score))
    won = sum((one < other) + (one == other) / 2 for one in orders[True] for other in orders[False])
    return _ratio(won, len(orders[True]) * len(orders[False]))


def iprec(ranking: Ranking, _: int | None, recall: float = 0) -> float:
    rounding = 0.9 if ranking.semantics == "trec_eval_9" else 0.5
    needed = math.floor(recall * ranking.all_relevant + rounding)
    return max((hit / rank for hit, rank in enumerate(ranking.hit_ranks(None), start=1) if hit >= needed), default=0.0)


_WITH_CUTOFF: dict[str, Metric] = {
    "recall": lambda r, k: _ratio(r.hits(k), r.all_relevant),
    "capped_recall": lambda r, k: _ratio(r.hits(k), min(r.length(k), r.all_relevant)),
    "precision": lambda r, k, over="": _ratio(r.hits(k), r.precision_divisor(k, over)),
    "f1": lambda r, k, over="": fbeta(r, k, over=over),
    "fbeta": fbeta,
    "hits": lambda r, k: float(r.hits(k)),
    "recall_all": lambda r, k: float(r.hits(k) == r.all_relevant) if r.all_relevant else None,
    "clicks": lambda r, k: min(
        (float((rank - 1) // 10) for rank in r.hit_ranks(k or 500)), default=(k or 500) / 10 + 1
    ),
    "hit_rate": lambda r, k: 1.0 if r.hits(k) > 0 else 0.0,
    "rr": lambda r, k: next((1 / rank for rank in r.hit_ranks(k)), 0.0),
    "ap": ap,
    "dcg": lambda r, k, base=2, discount="trec_eval": _discounted(r.gains, k, base, discount),
    "ndcg": lambda r, k, base=2, discount="trec_eval": _ratio(
        _discounted(r.gains, k, base, discount), _discounted(r.ideal, k, base, discount)
    ),
    "err": err,
    "rbp": rbp,
    "judged": lambda r, k, over="retrieved": _ratio(
        sum(relevance is not None for relevance in r.places[:k]), r.held(k) if over == "retrieved" else r.length(k)
    ),
    "fall_out": fall_out,
    "average_rank": lambda r, k: _ratio(sum(r.hit_ranks(k)), len(r.hit_ranks(k))),
    "partial_auc": partial_auc,
    "unjudged": lambda r, k: _ratio(
        r.held(k) - sum(relevance is not None and relevance >= 0 for relevance in r.places[:k]), r.length(k)
    ),
    "ncg": lambda r, k: _ratio(math.fsum(r.gains[:k]), math.fsum(r.ideal[:k])),
    "gain_recall": lambda r, k: _ratio(math.fsum(r.gains[:k]), math.fsum(r.ideal)),
}
METRICS: dict[str, Metric] = {
    **_WITH_CUTOFF,
    "r_precision": lambda r, _: _ratio(r.hits(r.all_relevant), r.all_relevant),
    "r_precision_mult": r_precision_mult,
    "abstention": lambda r, _: None if r.all_relevant else float(r.retrieved == 0),
    "set_ap": lambda r, _: _ratio(r.hits(None) ** 2, r.retrieved * r.all_relevant),
    "bpref": bpref,
    "inf_ap": inf_ap,
    "auc": auc,
    "iprec": iprec,
    "eleven_point": lambda r, _: math.fsum(iprec(r, None, tenths / 10) for tenths in range(11)) / 11,
    "normalized_gain": normalized_gain,
    "ndcg_rel": ndcg_rel,
    "ndcg_r": ndcg_r,
    "rbp_residual": rbp_residual,
    "utility": utility,
    "num_q": lambda r, _: 1.0,
    "num_ret": lambda r, _: float(r.retrieved),
    "num_rel": lambda r, _: float(r.all_relevant),
    "num_rel_ret": lambda r, _: float(r.hits(None)),
    "num_nonrel_judged_ret": lambda r, _: float(sum(r.non_relevant)),
}
WITH_CUTOFF = [*_WITH_CUTOFF]
SUMS = ("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret")


# Metrics of the items of one list, and of all lists together. They need no relevance. A list has None at a rank
# without an item.
def _unlike(items: Sequence[Id], similarity: Callable[[Id, Id], float]) -> float | None:
    pairs = list(itertools.combinations(items, 2))
    mean = _ratio(math.fsum(similarity(*pair) for pair in pairs), len(pairs))
    return None if mean is None else 1 - mean


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    norms = math.hypot(*one.values()) * math.hypot(*other.values())
    return math.fsum(one[name] * other[name] for name in one.keys() & other.keys()) / norms if norms else 0.0


def popularity(items: Sequence[Id], optional: OptionalInputs) -> float | None:
    return _ratio(math.fsum(optional.holders[item] / optional.training_queries for item in items), len(items))


def novelty(items: Sequence[Id], optional: OptionalInputs) -> float | None:
    surprise = [-math.log2(max(optional.holders[item], 1) / optional.training_queries) for item in items]
    return _ratio(math.fsum(surprise), len(items))


def diversity(items: Sequence[Id], optional: OptionalInputs) -> float | None:
    return _unlike(items, lambda one, other: _cosine(optional.features.get(one, {}), optional.features.get(other, {})))


def pair_diversity(items: Sequence[Id], optional: OptionalInputs) -> float | None:
    known = optional.similarities
    return _unlike(items, lambda one, other: known.get((one, other), known.get((other, one), 0.0)))


def coverage(lists: Sequence[Sequence[Id | None]], k: int | None, optional: OptionalInputs) -> float | None:
    shown = {item for items in lists for item in items[:k]}
    return _ratio(len(shown & optional.catalog), len(optional.catalog))


def gini(lists: Sequence[Sequence[Id | None]], k: int | None, optional: OptionalInputs) -> float | None:
    shown = Counter(item for items in lists for item in items[:k])
    often, n = sorted(shown[item] for item in optional.catalog), len(optional.catalog)
    return _ratio(sum((2 * place - n - 1) * times for place, times in enumerate(often, start=1)), n * sum(often))


def overlap(lists: Sequence[Sequence[Id | None]], k: int | None, optional: OptionalInputs) -> float | None:
    tops = [set(items[:k]) - {None} for items in lists]
    divisor = max(map(len, tops), default=0) if k is None else k
    shares = [_ratio(len(one & other), divisor) or 0.0 for one, other in itertools.combinations(tops, 2)]
    return _ratio(math.fsum(shares), len(shares))


OF_ITEMS = {metric.__name__: metric for metric in (popularity, novelty, diversity, pair_diversity)}
OF_LISTS = {metric.__name__: metric for metric in (coverage, gini, overlap)}


@dataclass(frozen=True)
class Asked:
    """A metric as read from its name, such as `ndcg(gain=exponential)@10`."""

    metric: str
    k: int | None
    options: dict[str, Any] = field(default_factory=dict)

    def judging(self, threshold: float | None) -> Judging:
        """Return its rule for relevance and gains, given the policy threshold."""
        return Judging(self.options.get("threshold", threshold), self.options.get("gain", "linear"))

    def of(self, ranking: Ranking) -> float | None:
        """Return its value for one order of one list."""
        known = inspect.signature(METRICS[self.metric]).parameters
        own = {name: value for name, value in self.options.items() if name in known}
        return METRICS[self.metric](ranking, self.k, **own)

    def mean(self, values: Iterable[tuple[float | None, float]]) -> Mean:
        """Return the mean of the values of queries, each with its weight; a query without a value does not count.

        A sum ignores weights. In the other means, a query of weight 0 does not count.
        """
        kind = self.mean_kind
        counted = [(value, weight) for value, weight in values if value is not None and (kind == "sum" or weight > 0)]
        if kind == "sum":
            return Mean(math.fsum(value for value, _ in counted) if counted else None, len(counted))
        all_weights = math.fsum(weight for _, weight in counted)
        if kind == "geometric" and counted:
            logarithms = [weight * math.log(max(value, 0.00001)) for value, weight in counted]
            return Mean(math.exp(math.fsum(logarithms) / all_weights), len(counted))
        return Mean(_ratio(math.fsum(value * weight for value, weight in counted), all_weights), len(counted))

    @property
    def mean_kind(self) -> str:
        """The kind of its mean: "arithmetic", "geometric" or "sum"."""
        return str(self.options.get("mean", "sum" if self.metric in SUMS else "arithmetic"))


@cache
def read(name: str) -> Asked:
    """Parse a name such as "ndcg(gain=exponential)@10"."""
    match = re.fullmatch(r"(\w+)(?:\((.+)\))?(?:@([0-9]+))?", name)
    assert match is not None, name
    given = re.findall(r"(\w+)=([^=]+)(?:,|$)", match[2] or "")
    options = {key: value if value.isalpha() or ":" in value else float(value) for key, value in given}
    return Asked(match[1], int(match[3]) if match[3] else None, options)


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
    semantics: str = "trec_eval_10",
    threshold: float | None = None,
    min_score: float | None = None,
    unjudged: str = "keep",
    ranks: str = "error",
    empty: str = "error",
    depth: int | None = None,
    optional: OptionalInputs | None = None,
) -> Reference:
    """Return every metric, such as "recall@10" or "rbp(p=0.5)", for every judged query, and its mean.

    If ranks are given, the score of a row is minus its rank.
    """
    optional = optional or OptionalInputs()
    run = [row for row in run if optional.keeps(row[0], row[1])]
    qrels = [row for row in qrels if optional.is_listed(row[1])]
    retrieved = {query: _compared(items, semantics) for query, items in _by_query(run, nulls, duplicates).items()}
    if semantics == "trec_eval_9" and min_score is not None:
        min_score = as_float(min_score)
    judgements = {  # unknown relevance means pooled, but not judged
        query: {item: -1.0 if relevance is None else relevance for item, relevance in items.items()}
        for query, items in _by_query(qrels, nulls, duplicates).items()
    }
    if unjudged == "drop":
        retrieved = _kept(retrieved, lambda query, item, _: judgements.get(query, {}).get(item, -1) >= 0)
    if ranks == "given":
        retrieved = _kept(retrieved, lambda _, __, rank: depth is None or rank <= depth)
    asked = {name: read(name) for name in metrics}

    def is_skipped(query: Query, judging: Judging) -> bool:
        has_relevant = any(map(judging.is_relevant, judgements[query].values()))
        return (no_relevant == "skip" and not has_relevant) or (missing == "skip" and query not in retrieved)

    usual = Judging(threshold)
    lists: dict[Query, list[Id | None]] = {}
    per_query: dict[Query, dict[str, float | None]] = {}
    for query, relevances in judgements.items():
        candidates = retrieved.get(query, {})
        if depth:
            candidates = {item: candidates[item] for item in _ordered(candidates, relevances, ties)[:depth]}
        orders = _orders(candidates, relevances, ties, min_score, ranks)
        recommended = [] if ties == "expected" else orders[0]
        if recommended and not is_skipped(query, usual):
            lists[query] = recommended
        length = len(candidates if ranks == "given" else orders[0])
        scored = [(score, relevances.get(item)) for item, score in candidates.items()]
        held = list(relevances.values())
        places = Counter(tuple(None if item is None else relevances.get(item) for item in order) for order in orders)
        per_query[query] = {}
        for name, one in ((name, one) for name, one in asked.items() if one.metric not in OF_LISTS):
            judging = one.judging(threshold)
            if one.metric in OF_ITEMS:
                value = OF_ITEMS[one.metric]([item for item in recommended[: one.k] if item is not None], optional)
            else:
                value = _expected(
                    (one.of(Ranking(order, length, held, scored, judging, precision, semantics)), times)
                    for order, times in places.items()
                )
            if is_skipped(query, judging):
                value = None
            elif one.metric not in (*OF_ITEMS, "average_rank", "abstention"):  # an undefined value of these is never 0
                value = 0.0 if value is None and (query not in retrieved or no_relevant == "zero") else value
            per_query[query][name] = value
    counted = sum(not is_skipped(query, usual) for query in judgements)
    means = {
        name: _mean_of_lists(OF_LISTS[one.metric]([*lists.values()], one.k, optional), counted)
        if one.metric in OF_LISTS
        else one.mean((values[name], optional.weight(query)) for query, values in per_query.items())
        for name, one in asked.items()
    }
    without = sum(not any(map(usual.is_relevant, items.values())) for items in judgements.values())
    both = judgements.keys() & retrieved.keys()
    return Reference(per_query, means, Tally(len(judgements), len(retrieved), len(both), without))


def _mean_of_lists(value: float | None, queries: int) -> Mean:
    return Mean(None, 0) if value is None or queries == 0 else Mean(value, queries)


def _expected(values: Iterable[tuple[float | None, int]]) -> float | None:
    """Return the mean of values, each weighted by its count; None if there are none."""
    met = list(values)
    counted = [(value, count) for value, count in met if value is not None]
    assert len(counted) in (0, len(met))
    return _ratio(math.fsum(value * count for value, count in counted), sum(count for _, count in counted))


def _by_query(rows: Iterable[Row], nulls: str, duplicates: str) -> dict[Query, Candidates]:
    """Return the score or relevance of each query's items, after the policies nulls and duplicates."""
    found: dict[Query, Candidates] = {}
    for query, item, given in rows:
        number = None if given is None or math.isnan(given) else given
        number = float(number) if isinstance(number, bool) else number  # whole numbers compare exactly
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
            raise ValueError("a query has an item twice")
        else:
            items[item] = max((other for other in (items[item], number) if other is not None), default=None)
    return found


def _compared(scores: Candidates, semantics: str) -> Candidates:
    """Return the scores to compare: trec_eval 9 rounds them to 32-bit floats, and large ones become infinite."""
    if semantics == "trec_eval_10":
        return scores
    return {item: None if score is None else as_float(score) for item, score in scores.items()}


def _orders(
    candidates: Candidates, relevances: Relevances, ties: str, min_score: float | None, ranks: str
) -> list[list[Id | None]]:
    """Return the recommended item at each rank, None if there is none: for all orders of ties if ties = expected."""
    if ranks == "given":
        by_rank = {-round(score or 0): item for item, score in candidates.items()}
        return [[by_rank.get(rank) for rank in range(1, max(by_rank, default=0) + 1)]]
    recommended = {  # scores and min_score compare as DOUBLE
        item: score
        for item, score in candidates.items()
        if min_score is None or (score is not None and reaches(float(score), min_score))
    }
    ordered = _ordered(recommended, relevances, ties)
    if ties != "expected":
        return [[*ordered]]
    groups = [list(group) for _, group in itertools.groupby(ordered, key=lambda item: _score_order(candidates[item]))]
    assert math.prod(math.factorial(len(group)) for group in groups) <= MOST_ORDERS
    return [[*itertools.chain(*order)] for order in itertools.product(*map(itertools.permutations, groups))]


def _kept(retrieved: dict[Query, Candidates], is_kept: Callable[[Query, Id, float], bool]) -> dict[Query, Candidates]:
    """Return the candidates that are kept, by query, item and minus the score; a query without any is missing."""
    kept = {
        query: {item: score for item, score in items.items() if is_kept(query, item, -(score or 0))}
        for query, items in retrieved.items()
    }
    return {query: items for query, items in kept.items() if items}


def _ordered(candidates: Candidates, relevances: Relevances, ties: str) -> list[Id]:
    """Return the candidates in order of rank: sorts are stable, so the last tie-breaker is sorted by first."""
    order = sorted(candidates, key=_id_order, reverse=ties != "item")
    if ties in ("optimistic", "pessimistic"):
        order.sort(key=lambda item: max(0.0, relevances.get(item, 0.0)), reverse=ties == "optimistic")
    order.sort(key=lambda item: _score_order(candidates[item]))
    return order


def _id_order(item: Id) -> tuple[int, bytes]:
    return (0, item.encode()) if isinstance(item, str) else (item, b"")


def _score_order(score: float | None) -> tuple[bool, float]:
    return (score is None, 0.0 if score is None else -score)
