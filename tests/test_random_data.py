"""Random data sets give the values, means and counts of the reference in plain Python. `random_data.py` tests more."""

from __future__ import annotations

import pytest
from random_data import SEED, Tally, cases, compared, made

FEW = 600  # data sets, which take some seconds


def test_random_data_sets_match_the_reference() -> None:
    tally = compared(SEED, FEW)
    assert tally.differences == []
    assert tally.data_sets >= FEW
    for kind in (
        "scores",
        "ranks",
        "lists",
        "labels",
        "dict",
        "arrow",
        "table",
        "parquet",
        "forced",
        "IdealLists",
        "one statement",
    ):
        assert tally.kinds[kind] > 0, kind


def test_a_case_does_not_depend_on_earlier_cases() -> None:
    assert [case.number for case in cases(SEED, FEW)][:3] == [0, 1, 2]
    assert made(SEED, 5) == made(SEED, 5)
    assert made(SEED, 5) != made(SEED + 1, 5)


@pytest.mark.parametrize(("found", "expected"), [(1 + 1e-11, 1.0), (None, 0.0), (0.0, None), (1e9 + 1, 1e9)])
def test_an_unexpected_value_is_a_difference(found: float | None, expected: float | None) -> None:
    tally = Tally()
    tally.compare(expected, expected, "equal")
    assert tally.differences == []
    tally.compare(found, expected, "here")
    assert tally.differences == [f"here: {found!r} instead of {expected!r}"]
