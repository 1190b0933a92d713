"""Compare with pytrec_eval on random data, using its names of measures.

It contains trec_eval 9, so it is compared with `semantics="trec_eval_9"`: scores are 32-bit floats, and ties go to
the item that sorts last. One call evaluates ten random data sets; each is a slice of a few queries.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pytest
import pytrec_eval
from conftest import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from random_data.ids import TEXTS

from recall_duckdb import evaluate

DATA_SETS = 10  # per example: 30 examples are 300 data sets

Key = tuple[str, str]
Numbers = dict[str, dict[str, float]]

# Some are equal only as 32-bit floats: two near 1, three near 0.3, two near 2^24, and two that become infinite.
SCORES = [0.0, -0.0, 1.0, 1.0 + 1e-12, 0.3, 0.1 + 0.2, 0.3 + 1e-9, -2.5, 1e300, 1e200, -1e300, 16777216.0, 16777217.0]


@dataclass(frozen=True)
class Data:
    """Run and qrels of several data sets: by data set and query, the score or relevance of each item."""

    run: dict[Key, dict[str, float]]
    qrels: dict[Key, dict[str, int]]

    def by_query(self, held: dict[Key, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        """Return the form that pytrec_eval takes, with the data set as part of the query id."""
        return {f"{data_set}/{query}": dict(items) for (data_set, query), items in held.items()}

    def relevant(self, level: int) -> dict[str, int]:
        """Return the number of relevant items of each judged query."""
        return {
            query: sum(grade >= level for grade in grades.values())
            for query, grades in self.by_query(self.qrels).items()
        }


@st.composite
def data(draw: st.DrawFn) -> Data:
    """Draw graded data with ties. Some queries are only in the run or the qrels, or have no relevant item."""
    run: dict[Key, dict[str, float]] = {}
    qrels: dict[Key, dict[str, int]] = {}
    for data_set in map(str, range(DATA_SETS)):
        for query in draw(st.lists(st.sampled_from(["q", "Q", "ü", "10", "9"]), min_size=1, max_size=4, unique=True)):
            items = st.lists(st.sampled_from(TEXTS), min_size=1, max_size=9, unique=True)
            held = draw(st.sampled_from(["both", "both", "both", "both", "run", "qrels"]))
            if held != "qrels":
                found = draw(items)
                scores = st.lists(st.sampled_from(SCORES), min_size=len(found), max_size=len(found))
                run[data_set, query] = dict(zip(found, draw(scores), strict=True))
            if held != "run":
                found = draw(items)
                # At least one is 0 or more: pytrec_eval crashes the process if all are below 0.
                grades = draw(st.lists(st.integers(-2, 4), min_size=len(found) - 1, max_size=len(found) - 1))
                qrels[data_set, query] = dict(zip(found, [*grades, draw(st.integers(0, 4))], strict=True))
    return Data(run, qrels)


def ours(data: Data, measures: list[str], threshold: int | None) -> tuple[Numbers, Numbers]:
    """Return our values by measure and query, and our means by measure and data set."""
    result = evaluate(
        _columns(data.run, "score"),
        _columns(data.qrels, "relevance"),
        measures,
        query=["data_set", "query"],
        by="data_set",
        semantics="trec_eval_9",
        threshold=threshold,
    )
    rows = result.per_query.fetchall()
    values = {
        measure: {f"{row[1]}/{row[2]}": row[place] for row in rows} for place, measure in enumerate(measures, start=3)
    }
    means: Numbers = {measure: {} for measure in measures}
    held = result.to_dicts()
    for data_set in dict.fromkeys(data_set for data_set, _ in data.qrels):
        found = [row["value"] for row in held if row["data_set"] == data_set]
        for measure, value in zip(measures, found, strict=True):
            means[measure][data_set] = value
    result.close()
    return values, means


def _columns(held: dict[Key, dict[str, Any]], number: str) -> dict[str, list[Any]]:
    rows = [(*key, item, value) for key, items in held.items() for item, value in items.items()]
    return dict(zip(("data_set", "query", "item", number), map(list, zip(*rows, strict=True)), strict=True))


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-12)


PYTREC_EVAL = {
    *(
        "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref", "gm_bpref", "recip_rank",
        "infAP",
    ),
    *("iprec_at_recall", "11pt_avg", "ndcg", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
    *("P.1,2,5,10", "recall.1,3,10", "map_cut.1,3,10", "ndcg_cut.1,3,10", "relative_P.2,5", "success.1,3"),
}  # fmt: skip


def of_pytrec_eval(data: Data, level: int) -> dict[str, dict[str, float]]:
    """Return its values by measure and query; it evaluates only the judged queries in the run."""
    evaluator = pytrec_eval.RelevanceEvaluator(data.by_query(data.qrels), PYTREC_EVAL, relevance_level=level)
    found: dict[str, dict[str, float]] = {}
    for query, values in evaluator.evaluate(data.by_query(data.run)).items():
        for measure, value in values.items():
            found.setdefault(measure, {})[query] = value
    return found


def mean(measure: str, values: Iterable[float]) -> float:
    """Return trec_eval's mean of the values of queries; the values of gm_ measures are logarithms."""
    held = list(values)
    if measure.startswith("num_"):
        return math.fsum(held)
    average = math.fsum(held) / len(held)
    return math.exp(average) if measure.startswith("gm_") else average


@examples(30)
@given(data=data(), level=st.sampled_from([1, 1, 2]))
def test_values_and_means_are_those_of_pytrec_eval(data: Data, level: int) -> None:
    relevant = data.relevant(level)
    assume(any(relevant.values()) and data.run.keys() & data.qrels.keys())
    theirs = of_pytrec_eval(data, level)
    values, means = ours(data, sorted(theirs), threshold=None if level == 1 else level)
    for measure, known in theirs.items():
        # As with trec_eval -c, a query that the run misses counts as 0, except in num_q and num_rel.
        missed = dict.fromkeys(relevant, float(measure == "num_q"))
        if measure == "num_rel":
            missed = {query: float(count) for query, count in relevant.items()}
        found = values[measure]
        if measure.startswith("gm_"):
            missed = dict.fromkeys(relevant, math.log(0.00001))
            found = {query: math.log(max(value, 0.00001)) for query, value in found.items()}
        expected = {**missed, **known}
        assert found == close(expected), measure
        assert means[measure] == close(
            {
                data_set: mean(
                    measure, (value for query, value in expected.items() if query.startswith(f"{data_set}/"))
                )
                for data_set in means[measure]
            }
        ), measure
