"""How models are compared: the test, the interval and the correction, checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from numbers import Integral
from typing import Literal, get_args

from recall_duckdb.errors import ArgumentError, ArgumentTypeError, MissingPackageError, quote, spell
from recall_duckdb.frames import is_installed
from recall_duckdb.question.policies import check_choice, number

Key = tuple[str, int | None]  # a metric and its cutoff
Test = Literal["t", "randomization", "sign"]
Interval = Literal["t", "bootstrap"]
MeanInterval = Literal["auto", "t", "wilson", "bootstrap"]
Correction = Literal["holm", "bonferroni", "bh", "none"]
_KINDS: Mapping[str, object] = {"test": Test, "interval": Interval, "correction": Correction}
CHOICES: Mapping[str, tuple[str, ...]] = {name: get_args(kind) for name, kind in _KINDS.items()}
_NUMBERS: Sequence[tuple[str, str, Callable[[float], bool]]] = (
    ("confidence", "between 0 and 1, such as 0.95,", lambda number: 0 < number < 1),
    ("confidence", "below 0.9999999999999998", lambda number: (1 + number) / 2 < 1),
    ("tie_within", "of at least 0", lambda number: 0 <= number < inf),
    ("samples", "from 100 to 10000000", lambda number: 100 <= number <= 10**7),  # few say nothing, more take days
    ("seed", f"from 0 to {2**63 - 1}", lambda number: 0 <= number < 2**63),
)


@dataclass(frozen=True)
class Settings:
    """How models are compared.

    Attributes:
        baseline: the model that the others are compared with; None for the intervals of means.
        test: the test of the differences.
        interval: how the interval of the mean difference, or without a baseline that of a mean, is found.
        correction: how p-values are adjusted for the number of models.
        confidence: the share of intervals that hold the true mean, between 0 and 1.
        tie_within: the largest difference that is a tie.
        samples: how many random samples to take; by default 10,000 for the randomization test, 2,000 for the bootstrap.
        seed: which random numbers these take: with the same seed, the result is the same to the last bit.
        over_slices: True to adjust p-values for the number of slices too.
        same_slices: True if a query has the same slice under every model.
        model: the model whose changes are listed.
        lower: the metrics for which a lower value is better; `compare` reads them from the files of the metrics.
        descriptive: the metrics that describe the data, such as the share of judged items, and never decide.

    Raises:
        ArgumentTypeError: an argument has the wrong type.
        ArgumentError: an argument has an invalid value.
        MissingPackageError: random samples need NumPy, which is not installed.

    Example:
        >>> Settings(baseline="bm25", confidence=0.9).of_means.interval
        'auto'
    """

    baseline: object = None
    test: Test = "t"
    interval: Interval | MeanInterval = "t"
    correction: Correction = "holm"
    confidence: float = 0.95
    tie_within: float = 0.0
    samples: int | None = None
    seed: int = 0
    over_slices: bool = False
    same_slices: bool = True
    model: object = None
    lower: frozenset[str] = frozenset()
    descriptive: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        of_means = {"interval": get_args(MeanInterval)} if self.baseline is None else {}
        for name, choices in {**CHOICES, **of_means}.items():
            check_choice(name, value := getattr(self, name), choices)
            if value in ("randomization", "bootstrap") and not is_installed("numpy"):
                problem = f"{quote(value)} needs numpy: pip install '.[compare]' in a clone of recall_duckdb"
                raise MissingPackageError(problem, argument=name, fix=f"{spell(name, 't')} works without it")
        for name, expected, holds in _NUMBERS:
            given, is_whole = getattr(self, name), name in ("samples", "seed")
            if name == "samples" and given is None:
                continue
            if is_whole and (isinstance(given, bool) or not isinstance(given, Integral)):
                raise ArgumentTypeError(f"a whole number is expected, not {quote(given)}", argument=name)
            found = int(given) if is_whole else number(name, given)
            if not holds(found):
                problem = f"a {'whole ' if is_whole else ''}number {expected} is expected, not {quote(given)}"
                raise ArgumentError(problem, argument=name)
            object.__setattr__(self, name, found)

    @property
    def of_means(self) -> Settings:
        """The settings of the intervals of means that a comparison with these settings shows."""
        kind: MeanInterval = "auto" if self.interval == "t" else self.interval
        return Settings(interval=kind, confidence=self.confidence, samples=self.samples, seed=self.seed)

    @property
    def needs_samples(self) -> bool:
        """True if the test or the interval needs random samples."""
        return self.interval == "bootstrap" or (self.baseline is not None and self.test == "randomization")
