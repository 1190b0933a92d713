"""Partial areas under the ROC curve, average ranks and the base of the discount, computed by hand."""

from __future__ import annotations

import math

import pytest
from asking import fails

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError

# The list of q1 is R N R N N R, with one more relevant item that is not retrieved. q2 retrieves nothing relevant.
RUN = {
    "query": ["q1"] * 6 + ["q2"],
    "item": ["a", "x", "b", "y", "z", "c", "x"],
    "score": [6.0, 5.0, 4.0, 3.0, 2.0, 1.0, 1.0],
}
QRELS = {"query": ["q1"] * 5 + ["q2"], "item": ["a", "b", "c", "d", "x", "w"], "relevance": [1, 1, 1, 1, 0, 2]}


@pytest.mark.parametrize(
    ("metric", "value"),
    [
        ("partial_auc@1", 1 / (4 * 1)),  # only a is above the first other item
        ("partial_auc@2", (2 + 1) / (4 * 2)),
        ("partial_auc@3", (3 + 2) / (4 * 3)),  # c has three others above it
        ("partial_auc@4", (4 + 3 + 1) / (4 * 4)),
        ("partial_auc(over=capped)@1", 1 / 1),
        ("partial_auc(over=capped)@2", (2 + 1) / (2 * 2)),
        ("average_rank", (1 + 3 + 6) / 3),
        ("average_rank@3", (1 + 3) / 2),
        ("dcg@3", 1 + 1 / 2),
        ("dcg(base=10)@3", math.log2(10) * (1 + 1 / 2)),
        ("ndcg(base=10)@3", (1 + 1 / 2) / (1 + 1 / math.log2(3) + 1 / 2)),
    ],
)
def test_the_value_of_a_list(metric: str, value: float) -> None:
    first = evaluate(RUN, QRELS, metric).per_query.fetchall()[0]
    assert first[2] == pytest.approx(value, rel=0, abs=1e-12)


def test_queries_without_hits_count_for_areas_but_not_for_average_ranks() -> None:
    result = evaluate(RUN, QRELS, ["partial_auc@2", "average_rank@3"])
    assert [(row["value"], row["queries"]) for row in result.to_dicts()] == [(3 / 8 / 2, 2), (2, 1)]


def test_a_partial_area_needs_a_cutoff() -> None:
    fails(ArgumentError, "partial_auc needs a cutoff, as in partial_auc@10", evaluate, RUN, QRELS, "partial_auc")
