"""The power of Student's test: how large a difference some queries find, and how many queries a difference needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import ceil, cos, erfc, exp, expm1, inf, pi, prod, sqrt
from statistics import NormalDist

POWER = 0.8  # the share of samples in which the test finds the difference
_STEPS = 8  # of the quadrature, for each standard deviation and side; the error falls exponentially
_FEW = 30  # queries; the values above it are those of a polynomial of 1 / queries, to about 1e-11
_NODES = (inf, *(2 * _FEW / (1 - cos(pi * place / 6)) for place in range(1, 7)))  # of the polynomial (Chebyshev)
_MOST = 10**12


def detectable(queries: int | None, sd: float | None, confidence: float) -> float | None:
    """Return the smallest mean difference that Student's test finds with power 0.8; None without a spread.

    Args:
        queries: the number of pairs.
        sd: the standard deviation of the differences.
        confidence: the test finds a difference if p is below 1 minus this.

    >>> round(detectable(100, 0.25, 0.95), 6)
    0.070728
    """
    if queries is None or queries < 2 or not sd:
        return None
    return _noncentrality(queries, confidence) * sd / sqrt(queries)


def queries_needed(delta: float | None, sd: float | None, confidence: float) -> int | None:
    """Return the smallest number of queries with which Student's test finds this mean difference with power 0.8.

    It is None without a difference or a spread, and for more than 10^12 queries.

    >>> queries_needed(0.05, 0.25, 0.95)
    199
    """
    if not delta or not sd:
        return None
    effect = abs(delta) / sd
    critical = NormalDist().inv_cdf((1 + confidence) / 2)
    about = ((critical + NormalDist().inv_cdf(POWER)) / effect) ** 2 + critical**2 / 2
    if about > _MOST:
        return None
    low, high = 1, max(ceil(about), 2)
    while not _finds(high, effect, confidence):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _finds(middle, effect, confidence) else (middle, high)
    return high


def _finds(queries: int, effect: float, confidence: float) -> bool:
    return effect * sqrt(queries) >= _noncentrality(queries, confidence)


def _noncentrality(queries: int, confidence: float) -> float:
    """Return the mean difference in standard errors that is found with power 0.8."""
    if queries < _FEW:
        return _exact(queries, confidence)
    return sum(
        _exact(node, confidence)
        * prod((1 / queries - 1 / other) / (1 / node - 1 / other) for other in _NODES if other != node)
        for node in _NODES
    )


@lru_cache(maxsize=1_000)
def _exact(queries: float, confidence: float) -> float:
    """Return the same, by numerical integration; `queries` may be infinite."""
    df = queries - 1
    normal = NormalDist().inv_cdf((1 + confidence) / 2)
    critical = _solve(lambda t: 1 - confidence - _beyond(t, 0.0, df), normal + (normal**3 + normal) / (4 * df))
    wider = sqrt(1 + critical**2 / (2 * df))
    return _solve(lambda shift: _beyond(critical, shift, df) - POWER, critical + NormalDist().inv_cdf(POWER) * wider)


def _beyond(t: float, shift: float, df: float) -> float:
    """Return the share of the noncentral t distribution beyond -t and t.

    It is a normal variable over s, the square root of chi-squared / df: the mean over s of the normal shares beyond
    -t s and t s. Over log s, the trapezoidal rule is exact to about 1e-11.
    """
    if df == inf:
        return _outside(t, shift)
    spread = 1 / sqrt(2 * df)
    low, high = min(-9 * spread, -30 / df), min(9 * spread, 3.0)
    step = spread / _STEPS
    total = weights = 0.0
    for number in range(int((high - low) / step) + 1):
        place = low + number * step
        weight = exp(df * (place - expm1(2 * place) / 2))
        total += weight * _outside(t * exp(place), shift)
        weights += weight
    return total / weights


def _outside(t: float, shift: float) -> float:
    """Return the share beyond -t and t of a normal distribution about a shift."""
    return (erfc((t - shift) / sqrt(2)) + erfc((t + shift) / sqrt(2))) / 2


def _solve(rises: Callable[[float], float], start: float) -> float:
    """Return where a rising function is 0, by the secant method within a bracket."""
    low, high = 0.0, start
    while rises(high) < 0:
        low, high = high, 2 * high + 1
    before, place = 0.999 * high, high
    f_before, f_place = rises(before), rises(place)
    for _ in range(60):
        if abs(f_place) < 1e-13 or high - low < 1e-13 * high:
            break
        if f_place < 0:
            low = place
        else:
            high = place
        slope = (f_place - f_before) / (place - before) if place != before else inf
        following = place - f_place / slope if slope else inf
        if not low < following < high:
            following = (low + high) / 2
        before, f_before, place = place, f_place, following
        f_place = rises(place)
    return place
