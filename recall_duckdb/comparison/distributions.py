"""The distributions of tests and intervals, corrections of p-values, and the power of Student's test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, comb, cos, exp, expm1, inf, lgamma, log, log1p, pi, prod, sqrt
from statistics import NormalDist

POWER = 0.8  # the share of samples in which the test finds the difference
_FEW = 30  # queries; the values above it are those of a polynomial of 1 / queries, to about 1e-11
_NODES = (1e15, *(2 * _FEW / (1 - cos(pi * place / 6)) for place in range(1, 7)))  # of the polynomial (Chebyshev)
_MOST = 10**12
_MOST_CRITICAL = 200  # the terms of the power grow with its square; only two or three queries can have more


def student_p(t: float, df: float) -> float:
    """Return the share of Student's distribution beyond -t and t, with a relative error below 1e-10."""
    ratio = t * t / df
    return beta_share(1 / (1 + ratio), ratio / (1 + ratio) if ratio < inf else 1.0, df / 2, 0.5)


@lru_cache(maxsize=10_000)
def student_critical(df: float, confidence: float) -> float:
    """Return the t between whose negative and itself this share of Student's distribution lies."""
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    near = normal + (normal**3 + normal) / (4 * df)  # Abramowitz and Stegun, 26.7.5
    return normal if df == inf else _solve(lambda t: (1 - confidence) / student_p(t, df), 1, near)


def sign_p(wins: int, losses: int) -> float:
    """Return the two-sided p-value of the sign test: the exact binomial test with probability 1/2."""
    more, fewer, trials = max(wins, losses), min(wins, losses), wins + losses
    if more - fewer < 2:
        return 1.0
    if trials <= _FEW:
        return sum(comb(trials, count) for count in range(fewer + 1)) / 2.0 ** (trials - 1)
    return 2 * beta_share(0.5, 0.5, more, fewer + 1)


@lru_cache(maxsize=10_000)
def exact_interval(ones: int, queries: int, confidence: float) -> tuple[float, float]:
    """Return the interval of a share of ones of Clopper and Pearson (Biometrika 26(4), 1934)."""
    return _least_share(ones, queries, confidence), 1 - _least_share(queries - ones, queries, confidence)


def _least_share(ones: int, queries: int, confidence: float) -> float:
    """Return the lowest share for which this many ones, or more, have at least the probability of the tail."""
    tail, more = (1 - confidence) / 2, queries - ones + 1
    if ones < 2:
        return -expm1(log1p(-tail) / queries) if ones else 0.0
    if ones == queries:
        return float(tail ** (1 / queries))
    return _solve(lambda share: beta_share(share, 1 - share, ones, more), tail, (ones - 1) / (queries - 1), most=1.0)


def wilson_interval(mean: float, queries: int, confidence: float) -> tuple[float, float]:
    """Return Wilson's interval of a mean of values from 0 to 1 (JASA 22(158), 1927)."""
    critical = NormalDist().inv_cdf((1 + confidence) / 2)
    spread = critical * sqrt(max(mean * (1 - mean), 0) / queries + (critical / (2 * queries)) ** 2)
    middle, all_of_it = mean + critical**2 / (2 * queries), 1 + critical**2 / queries
    return max((middle - spread) / all_of_it, 0.0), min((middle + spread) / all_of_it, 1.0)


def adjust(p_values: Sequence[float], correction: str) -> list[float]:
    """Return p-values adjusted for their number: by Holm (1979), Bonferroni, or Benjamini and Hochberg (1995).

    >>> adjust([0.01, 0.04, 0.03], "holm"), adjust([0.01, 0.04, 0.03], "bonferroni")
    ([0.03, 0.06, 0.06], [0.03, 0.12, 0.09])
    """
    count = len(p_values)
    if correction in ("none", "bonferroni"):
        return [min(p * count, 1.0) if correction == "bonferroni" else p for p in p_values]
    adjusted, last = [0.0] * count, 0.0 if correction == "holm" else 1.0
    order = sorted(range(count), key=p_values.__getitem__, reverse=correction == "bh")
    for number, place in enumerate(order):
        p = p_values[place] * (count - number if correction == "holm" else count / (count - number))
        last = min(max(last, p), 1.0) if correction == "holm" else min(last, p)
        adjusted[place] = last
    return adjusted


def beta_share(x: float, y: float, a: float, b: float) -> float:
    """Return the share of the beta distribution below x = 1 - y, with a relative error below 1e-10.

    It is the continued fraction of DLMF 8.17.22 in its even form (Didonato and Morris, Algorithm 708, 1992).
    """
    if x <= 0 or y <= 0:
        return float(y <= 0)
    left = (a + b) * y - b if y < x else a - (a + b) * x  # the difference from the mean keeps its digits
    if left < (0.5 if x > y else -0.5):  # the fraction converges slowly beyond the mean
        return 1 - beta_share(y, x, b, a)
    tops, bottoms = (0.0, 1.0), (1.0, (left + 1) / (1 + 1 / a))
    value = tops[1] / bottoms[1]
    for n in range(1, 1_000_000):
        w, place = n * (b - n) * x, a + 2 * n - 1
        alpha = (a + n - 1) * (a + b + n - 1) * w * x / (place * place)
        beta = n + w / place + (a + n) * (left + 1 + n * (1 + y)) / (place + 2)
        tops, bottoms = (
            (tops[1], alpha * tops[0] + beta * tops[1]),
            (bottoms[1], alpha * bottoms[0] + beta * bottoms[1]),
        )
        before, value = value, tops[1] / bottoms[1]
        tops, bottoms = (tops[0] / bottoms[1], value), (bottoms[0] / bottoms[1], 1.0)
        if abs(value - before) <= 2e-16 * value:
            break
    return _product(x, y, a, b) * value


def _product(x: float, y: float, a: float, b: float) -> float:
    """Return x^a y^b / B(a, b).

    The difference of logarithms of gamma functions would lose digits if a or b is large: it is a saddle-point expansion
    of the binomial distribution (Loader, Fast and Accurate Computation of Binomial Probabilities, 2000).
    """
    n = a + b
    exponent = _stirling_error(n) - _stirling_error(a) - _stirling_error(b) - _deviance(a, n * x) - _deviance(b, n * y)
    return exp(exponent) * sqrt(a * b / (2 * pi * n))


def _stirling_error(x: float) -> float:
    """Return ln(x!) minus Stirling's formula."""
    if x < 15:
        return lgamma(x + 1) - (x + 0.5) * log(x) + x - log(2 * pi) / 2
    u = 1 / (x * x)
    return (1 / 12 - u * (1 / 360 - u * (1 / 1260 - u * (1 / 1680 - u * (1 / 1188 - u * 691 / 360360))))) / x


def _deviance(x: float, mean: float) -> float:
    """Return x ln(x / mean) + mean - x, without the digits that the difference loses near 0."""
    if abs(x - mean) > mean / 2:
        return x * log(x / mean) + mean - x if mean else inf
    ratio = (x - mean) / mean
    return mean * ((1 + ratio) * log1p(ratio) - ratio)


def detectable(queries: int | None, sd: float | None, confidence: float) -> float | None:
    """Return the smallest mean difference that Student's test of pairs finds with power 0.8; None without a spread.

    The test finds a difference if p is below 1 - confidence. It is None too if its critical value is above 200.
    """
    if queries is None or queries < 2 or not sd:
        return None
    shift = _noncentrality(queries, confidence)
    return None if shift is None else shift * sd / sqrt(queries)


def queries_needed(delta: float | None, sd: float | None, confidence: float) -> int | None:
    """Return the smallest number of queries with which Student's test finds this mean difference with power 0.8.

    It is None without a difference or a spread, and for more than 10^12 queries.
    """
    if not delta or not sd:
        return None
    effect, critical = abs(delta) / sd, NormalDist().inv_cdf((1 + confidence) / 2)
    about = ((critical + NormalDist().inv_cdf(POWER)) / effect) ** 2 + critical**2 / 2
    if about > _MOST:
        return None

    def finds(queries: int) -> bool:
        shift = _noncentrality(queries, confidence)
        return shift is not None and effect * sqrt(queries) >= shift

    near = max(ceil(about), 2)
    queries = max(ceil(((_noncentrality(near, confidence) or 0) / effect) ** 2), 2)  # off by a few
    while not finds(queries):
        queries += 1
    while queries > 2 and finds(queries - 1):
        queries -= 1
    return queries


def _noncentrality(queries: int, confidence: float) -> float | None:
    """Return the mean difference in standard errors that is found with power 0.8."""
    if queries < _FEW:
        return _exact(queries, confidence)
    return sum(
        (_exact(node, confidence) or inf)
        * prod((1 / queries - 1 / other) / (1 / node - 1 / other) for other in _NODES if other != node)
        for node in _NODES
    )


@lru_cache(maxsize=1_000)
def _exact(queries: float, confidence: float) -> float | None:
    """Return what `_noncentrality` returns, as a sum; None if it has too many terms."""
    critical = student_critical(queries - 1, confidence)
    if critical > _MOST_CRITICAL:
        return None
    wider = sqrt(1 + critical**2 / (2 * (queries - 1)))
    near = critical + NormalDist().inv_cdf(POWER) * wider
    return _solve(lambda shift: _beyond(critical, shift, queries - 1), POWER, near)


def _beyond(t: float, shift: float, df: float) -> float:
    """Return the share of the noncentral t distribution beyond -t and t: the mean of beta shares, by Poisson's law."""
    y, a, b, mean = t * t / (df + t * t), df / 2, 0.5, shift * shift / 2
    share, step = beta_share(1 - y, y, a, b), _product(1 - y, y, a, b) / b
    total = weights = 0.0
    for count in range(int(mean + 9 * sqrt(mean)) + 40):
        weight = exp(count * log(mean) - mean - lgamma(count + 1))
        total += weight * share
        weights += weight
        share, step, b = share + step, step * y * (a + b) / (b + 1), b + 1
    return total / weights


def _solve(share: Callable[[float], float], wanted: float, near: float, most: float = inf) -> float:
    """Return where a rising share is the wanted one, below `most`: the secant method of its logarithm in a bracket."""

    def above(place: float) -> float:
        return log(max(share(place), 1e-300) / wanted)

    low, high = 0.0, near
    while (f_high := above(high)) < 0:
        low, high = high, min(2 * high + 1, (high + most) / 2)
    before, f_before, place = high, f_high, 0.999 * high
    for _ in range(100):
        f_place = above(place)
        low, high = (place, high) if f_place < 0 else (low, place)
        slope = (f_place - f_before) / (place - before) if place != before else 0
        following = place - f_place / slope if slope else inf
        before, f_before = place, f_place
        place = following if low <= following <= high else (low + high) / 2
        if abs(place - before) <= 1e-15 * before:
            break
    return place
