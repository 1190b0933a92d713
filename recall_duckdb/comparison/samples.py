"""Random samples: signs for the randomization test, and queries drawn with replacement for the bootstrap. Needs NumPy.

The numbers depend on the seed and on the number of pairs, and on nothing else: the bits of PCG64 are the same in each
version of NumPy, and sums are of whole numbers below 2^53, which are exact in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from recall_duckdb.comparison.distributions import student_critical

_BLOCK = 2**20  # draws, or signs, in memory at once
_MOST_NUMBERS = 2**23  # in an array
_HALF = 21  # bits of a step in the lower of two numbers


def randomization_p(steps: Sequence[Any], samples: int, seed: int) -> list[float]:
    """Return the p-values of the randomization test: how often random signs give a sum at least as far from 0.

    `steps` has an array of differences for each test. All choices of signs are tried if they are at most as many as the
    samples (Smucker, Allan and Carterette, CIKM 2007). The differences as they are count as one more sample.
    """
    p_values = [_exact_p(each[each != 0], samples) for each in steps]
    left = [place for place, p in enumerate(p_values) if p is None]
    for n, places in _of_one_length([steps[place] for place in left], samples):
        numbers = np.stack([steps[left[place]] for place in places])
        shift = max(n.bit_length() - _HALF + 1, 0)  # so that sums fit into 64 bits
        numbers = (numbers + (1 << shift >> 1)) >> shift
        halves = np.concatenate([numbers >> _HALF, numbers & ((1 << _HALF) - 1)]).astype(float)
        own, hits = numbers.sum(axis=1), np.int64(1)
        for flips in _flips(n, samples, seed):
            upper, lower = np.split((flips @ halves.T).astype(np.int64), 2, axis=1)
            flipped = (upper << _HALF) + lower  # the sum of what is flipped: the new sum is the own sum less twice this
            hits = hits + ((flipped <= np.minimum(own, 0)) | (flipped >= np.maximum(own, 0))).sum(axis=0)
        for place, count in zip(places, hits, strict=True):
            p_values[left[place]] = int(count) / (samples + 1)
    return [float(p) for p in p_values if p is not None]


def _exact_p(changes: Any, samples: int) -> float | None:
    """Return the share of all choices of signs; None if they are too many. Half of them mirror the others."""
    if not len(changes):
        return 1.0
    if len(changes) > samples.bit_length() - 1:
        return None
    sums = changes[:1]
    for change in changes[1:]:
        sums = np.concatenate([sums + change, sums - change])
    return float((abs(sums) >= abs(changes.sum())).mean())


def bootstrap_t(
    steps: Sequence[Any], centers: Sequence[int], samples: int, seed: int, confidence: float
) -> list[tuple[float, float]]:
    """Return between which values Student's statistic is in this share of samples of the bootstrap.

    `steps` has an array of at least two values for each mean, and `centers` a number near it. Intervals from them hold
    the mean of skewed values more often than BCa and percentiles of means: see `docs/decisions.md` (Efron and
    Tibshirani, An Introduction to the Bootstrap, 1993, section 12.5).
    """
    found = [(0.0, 0.0)] * len(steps)
    tail = max(int((samples + 1) * (1 - confidence) / 2 + 1e-6) - 1, 0)  # 1 - 0.9 is below 0.1
    for n, places in _of_one_length(steps, samples):
        values = np.stack([steps[place] - centers[place] for place in places]).astype(float)
        statistics = _statistics(values, samples, seed)
        farthest = np.max(np.abs(statistics), axis=0, where=np.isfinite(statistics), initial=0)
        limits = np.maximum(farthest, student_critical(n - 1, confidence))
        statistics = np.sort(np.clip(statistics, -limits, limits), axis=0)
        for number, place in enumerate(places):
            found[place] = float(statistics[tail, number]), float(statistics[-1 - tail, number])
    return found


def _statistics(values: Any, samples: int, seed: int) -> Any:
    """Return Student's statistic of each sample (rows) of each list (columns); infinite if the sample has no spread."""
    n = values.shape[1]
    values, _ = _rounded(values, n)
    squares, units = _rounded(values * values, n)
    both = np.concatenate([values, squares])
    own, least = values.sum(axis=1), (values * values).max(axis=1) * (n * 2.0**-51)  # rounding is below this
    found = []
    for counts in _counts(n, samples, seed):
        sums, of_squares = np.split(counts @ both.T, 2, axis=1)
        change, variance = sums - own, (of_squares * units - sums * sums / n) / (n - 1)
        spread = np.where(variance > least, variance, 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            found.append(np.where(change == 0, 0, change / np.sqrt(n * spread)))
    return np.concatenate(found)


def _rounded(values: Any, n: int) -> tuple[Any, Any]:
    """Return lists of numbers as whole numbers of units, of which n have an exact sum, and the units, powers of two."""
    _, exponents = np.frexp(np.abs(values).max(axis=1))
    units = np.ldexp(1.0, np.maximum(exponents - 53 + n.bit_length(), 0))
    return np.rint(values / units[:, None]), units


def _of_one_length(steps: Sequence[Any], samples: int) -> Iterator[tuple[int, list[int]]]:
    """Yield a length and the places of lists of this length, which share random numbers; as many as memory holds."""
    by_length: dict[int, list[int]] = {}
    for place, each in enumerate(steps):
        by_length.setdefault(len(each), []).append(place)
    for n, places in by_length.items():
        step = max(_MOST_NUMBERS // max(n, samples), 1)
        for first in range(0, len(places), step):
            yield n, places[first : first + step]


def _flips(n: int, samples: int, seed: int) -> Iterator[Any]:
    """Yield blocks of samples (rows) in which each of n pairs is flipped (1) or not (0)."""
    for words in _words(n, -(-n // 64), samples, seed):
        yield np.unpackbits(words.view(np.uint8), axis=1, count=n, bitorder="little").astype(float)


def _counts(n: int, samples: int, seed: int) -> Iterator[Any]:
    """Yield blocks of samples (rows) with how often each of n queries is drawn."""
    for words in _words(n, -(-n // 2), samples, seed):
        halves = words.view("<u4")[:, :n].astype(np.uint64)
        drawn = ((halves * np.uint64(n)) >> np.uint64(32)).view(np.int64)
        drawn += n * np.arange(len(drawn))[:, None]
        yield np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(float)


def _words(n: int, words: int, samples: int, seed: int) -> Iterator[Any]:
    """Yield blocks of samples with their random words of 64 bits."""
    random, step = np.random.PCG64(seed), max(_BLOCK // n, 1)
    for first in range(0, samples, step):
        count = min(step, samples - first)
        yield random.random_raw(count * words).astype("<u8").reshape(count, words)
