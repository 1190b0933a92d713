"""Tables of gains, as in `ndcg(gain=1:1,2:5)@10`, computed by hand."""

from __future__ import annotations

import math

import pytest
from asking import fails

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError

# The relevance of the list is 2 0 1 3, and one more item of relevance 2 is not retrieved.
RUN = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}
QRELS = {"q": {"a": 2, "b": 0, "c": 1, "d": 3, "e": 2}}


def dcg(*gains: float) -> float:
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


@pytest.mark.parametrize(
    ("metric", "value"),
    [
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
    [row] = evaluate(RUN, QRELS, metric).to_dicts()
    assert row["value"] == pytest.approx(value, rel=0, abs=1e-12)


def test_a_table_is_named_in_one_way() -> None:
    """Gains of ir_measures are read too, and the numbers of a table are sorted."""
    asked = ["ndcg(gain=2:5,1:1.50)@4", "nDCG(gains={1: 1.5, 2: 5})@4", "ndcg( gains=1:1.5, 2:5, threshold=0.5 )@4"]
    metrics = [evaluate(RUN, QRELS, metric).to_dicts()[0]["metric"] for metric in asked[:2]]
    assert metrics == ["ndcg(gain=1:1.5,2:5)"] * 2
    fails(ArgumentError, "the threshold has no effect here", evaluate, RUN, QRELS, asked[2])


@pytest.mark.parametrize(
    "table", ["1:1,2", "1:1,1:2", "1:-1", "0:1", "-1:2", "1:1e3", "1:2000000000000", "table", "1:x"]
)
def test_a_wrong_table_is_refused(table: str) -> None:
    with pytest.raises(
        ArgumentError, match=r"gain is linear, exponential, binary or a table such as 1:1,2:5|no option"
    ):
        evaluate(RUN, QRELS, f"ndcg(gain={table})@4")


def test_several_tables_at_once() -> None:
    asked = ["ndcg(gain=2:5)@4", "ndcg(gain=3:5)@4", "ndcg@4"]
    together = {row["metric"]: row["value"] for row in evaluate(RUN, QRELS, asked).to_dicts()}
    alone = [evaluate(RUN, QRELS, metric).to_dicts()[0] for metric in asked]
    assert together == {row["metric"]: row["value"] for row in alone}
