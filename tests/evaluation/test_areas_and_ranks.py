"""Partial areas under the ROC curve, average ranks, discounts, clicks and abstention, computed by hand."""

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
        ("dcg(discount=lenskit)@6", 1 + 1 / math.log2(3) + 1 / math.log2(6)),
        ("dcg(discount=lenskit,base=4)", 1 + 1 + 1 / math.log(6, 4)),
        ("ndcg(discount=lenskit)@3", (1 + 1 / math.log2(3)) / (1 + 1 + 1 / math.log2(3))),
        ("recall_all", 0),
        ("clicks@3", 0),
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


def test_recall_all_asks_for_all_relevant_items_in_the_top_k() -> None:
    result = evaluate({"q1": ["a", "x", "b"]}, {"q1": ["a", "b"]}, ["recall_all@2,3,4", "hit_rate@2"])
    assert [row["value"] for row in result.to_dicts()] == [0, 1, 1, 1]


@pytest.mark.parametrize(
    ("rank", "clicks"), [(1, 0), (10, 0), (11, 1), (20, 1), (21, 2), (491, 49), (500, 49), (501, 51)]
)
def test_clicks_are_pages_of_ten_items_before_the_first_relevant_one(rank: int, clicks: int) -> None:
    """As in the code of Spotify's challenge: 500 items count, and a list without a relevant one costs 51 clicks."""
    run = {"q1": [f"i{place}" for place in range(1, 601)]}
    assert evaluate(run, {"q1": [f"i{rank}", "i600"]}, "clicks").value("clicks") == clicks


def test_a_cutoff_ends_the_pages_of_clicks() -> None:
    result = evaluate({"q1": [f"i{place}" for place in range(30)]}, {"q1": ["i25"]}, "clicks@20,30")
    assert [row["value"] for row in result.to_dicts()] == [20 / 10 + 1, 2]


def test_abstention_is_the_share_of_queries_without_an_answer_that_retrieve_nothing() -> None:
    """Of q1, q2 and q3, which have no relevant item, q1 retrieves an item of at least 0.5; q4 has an answer."""
    run = {"q1": {"a": 0.6}, "q2": {"a": 0.4, "b": 0.3}, "q4": {"a": 0.1}}
    qrels = {"q1": {"a": 0}, "q2": {"a": 0}, "q3": {"a": 0}, "q4": {"a": 1}}
    [row] = evaluate(run, qrels, "abstention", min_score=0.5).to_dicts()
    assert (row["value"], row["queries"]) == (2 / 3, 3)
    assert evaluate(run, qrels, "abstention").value("abstention") == 1 / 3
