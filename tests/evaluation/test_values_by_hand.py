"""Values computed by hand: areas under the ROC curve, ranks, discounts, clicks, abstention and tables of gains."""

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


# The relevance of the list is 2 0 1 3, and one more item of relevance 2 is not retrieved.
GRADED_RUN = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
GRADES = {"q": {"a": 2, "b": 0, "c": 1, "d": 3, "e": 2}}


def dcg(*gains: float) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


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
        ("dcg(gain=0:0,1:1,2:5,3:7)@4", dcg(5, 0, 1, 7)),
        ("ndcg(gain=0:0,1:1,2:5,3:7)@4", dcg(5, 0, 1, 7) / dcg(7, 5, 5, 1)),
        ("ndcg(gain=1:0.5,2:9,3:1)@4", dcg(9, 0, 0.5, 1) / dcg(9, 9, 1, 0.5)),  # the ideal order is by gain
        ("ndcg(gain=2:5)@4", dcg(5, 0, 1, 3) / dcg(5, 5, 3, 1)),  # 1 and 3 are their own gains
        ("ndcg(gain=1:0,2:0,3:1)@4", dcg(0, 0, 0, 1) / dcg(1)),
        ("ndcg(gain=1:0,2:0,3:0)@4", 0),  # without any gain, the query counts as 0
        ("rbp(gain=linear)@4", 0.1 * (2 + 1 * 0.9**2 + 3 * 0.9**3)),  # has its own gains
    ],
)
def test_the_value_of_a_list(metric: str, value: float) -> None:
    run, qrels = (GRADED_RUN, GRADES) if "gain=" in metric else (RUN, QRELS)
    assert evaluate(run, qrels, metric).per_query.fetchall()[0][2] == pytest.approx(value, rel=0, abs=1e-12)


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


def test_a_table_is_named_in_one_way() -> None:
    """Gains of ir_measures are read too, and the numbers of a table are sorted."""
    asked = ["ndcg(gain=2:5,1:1.50)@4", "nDCG(gains={1: 1.5, 2: 5})@4", "ndcg( gains=1:1.5, 2:5, threshold=0.5 )@4"]
    metrics = [evaluate(GRADED_RUN, GRADES, metric).to_dicts()[0]["metric"] for metric in asked[:2]]
    assert metrics == ["ndcg(gain=1:1.5,2:5)"] * 2
    fails(ArgumentError, "the threshold has no effect here", evaluate, GRADED_RUN, GRADES, asked[2])


@pytest.mark.parametrize(
    "table", ["1:1,2", "1:1,1:2", "1:-1", "0:1", "-1:2", "1:1e3", "1:2000000000000", "table", "1:x"]
)
def test_a_wrong_table_is_refused(table: str) -> None:
    with pytest.raises(
        ArgumentError, match=r"gain is linear, exponential, binary or a table such as 1:1,2:5|no option"
    ):
        evaluate(GRADED_RUN, GRADES, f"ndcg(gain={table})@4")


def test_several_tables_at_once() -> None:
    asked = ["ndcg(gain=2:5)@4", "ndcg(gain=3:5)@4", "ndcg@4"]
    together = {row["metric"]: row["value"] for row in evaluate(GRADED_RUN, GRADES, asked).to_dicts()}
    alone = [evaluate(GRADED_RUN, GRADES, metric).to_dicts()[0] for metric in asked]
    assert together == {row["metric"]: row["value"] for row in alone}
