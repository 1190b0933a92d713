"""Random data sets give the values, means and counts of the reference in plain Python. `make random` compares more."""

from __future__ import annotations

import pytest
from asking import nightly_but
from random_data.__main__ import SEED
from random_data.case import Case
from random_data.comparing import Tally, compared, is_refused
from random_data.drawing import cases
from random_data.paths import PATHS
from random_data.plans import FORCED

MANY = 1_500  # drawn, but not compared
MOST_LOOKED_AT = 400
USUAL = ("evaluate", "definition")


@pytest.fixture(scope="module")
def drawn() -> list[Case]:
    return list(cases(SEED, MANY))


@pytest.mark.parametrize("part", nightly_but(range(9), range(36)))
def test_random_data_sets_match_the_reference(part: int) -> None:
    """The data sets have scores, ranks, lists or labels, of one or several models, and any policies and types."""
    tally = compared(cases(SEED, 3, first=part * 3))
    assert (tally.cases, tally.differences) == (3, [])
    assert min(tally.answers, tally.values, tally.means) > 0


@pytest.mark.slow
def test_models_that_lose_all_their_rows_must_be_refused(drawn: list[Case]) -> None:
    """Some are in a column of the run, which lacks them then, and others are runs of their own."""
    lost = [case for case in drawn[:MOST_LOOKED_AT] if is_refused(case)]
    assert {"column", "runs"} <= {case.together for case in lost}
    tally = compared([next(case for case in lost if case.together == way) for way in ("column", "runs")], [*USUAL])
    assert tally.differences == []
    assert tally.refusals == 2 * len(USUAL)


KINDS = {
    "shape": ["scores", "ranks", "lists", "labels"],
    "together": ["only", "key", "group", "column", "runs", "scores"],
    "source": ["dict", "arrow", "table", "parquet"],
    "qrels as": ["rows", "lists", "maps"],
    "items": ["text", "small", "limit", "range", "wide", "decimal", "uuid", "date", "timestamp"],
    "queries": ["text", "small", "limit", "range", "wide", "decimal", "uuid", "date", "timestamp"],
    "type of ids": ["TINYINT", "UINTEGER", "BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DECIMAL(38,0)", "several"],
    "type of relevance": ["BOOLEAN", "UTINYINT", "INTEGER", "FLOAT", "DOUBLE", "DECIMAL(18,4)"],
    "policy": [
        "ties=expected", "nulls=last", "unjudged=drop", "semantics=trec_eval_9", "ranks=renumber", "depth",
        "order=ascending",
    ],
}  # fmt: skip


@pytest.mark.slow
def test_each_kind_and_path_is_drawn(drawn: list[Case]) -> None:
    found = {name for case in drawn for name in case.kinds}
    assert {f"{kind}: {name}" for kind, names in KINDS.items() for name in names} - found == set()
    assert {path for case in drawn for path in case.paths} == {*PATHS}


FORCING = (0, 12, 14, 96)  # cases that together take every way and key
PLANS = ("lists", "rows", "row", "cutoff", "numbers")


@pytest.mark.slow
def test_every_plan_is_forced(drawn: list[Case]) -> None:
    tally = compared([drawn[number] for number in FORCING], [*FORCED])
    assert tally.differences == []
    assert {f"plan: {plan}" for plan in PLANS} <= {*tally.kinds}


@pytest.mark.parametrize(("found", "expected"), [(1 + 1e-11, 1.0), (None, 0.0), (0.0, None), (1e9 + 1, 1e9)])
def test_an_unexpected_value_is_a_difference(found: float | None, expected: float | None) -> None:
    tally = Tally()
    tally.compare(expected, expected, "equal")
    assert tally.differences == []
    tally.compare(found, expected, "here")
    assert tally.differences == [f"here: {found!r} instead of {expected!r}"]


def test_an_exception_is_a_difference_and_the_comparison_goes_on() -> None:
    tally = Tally()
    with tally.differing("case 1, fast"):
        raise ZeroDivisionError("no list")
    assert tally.differences == ["case 1, fast: ZeroDivisionError: no list"]
    assert tally.crashes == 1
