"""Many metrics are computed in several statements, with the bits of one statement."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import pytest
from forms import in_rows

from recall_duckdb import Result, evaluate, measuring
from recall_duckdb.stages import heard_by

METRICS = [
    *("recall@1-5", "ndcg@1-5", "bpref", "ndcg(gain=exponential)@1-4", "precision(threshold=2)@1-4"),
    *("ap", "recall(threshold=2)@3"),
]
WHOLE_RUN = [*METRICS, "overlap@2", "hits@1-5", "rr(mean=median)", "ap(mean=geometric)"]
_DRAW = random.Random(5)
_QUERIES = range(12)
RUN: dict[str, list[Any]] = {
    "query": [query for query in _QUERIES for _ in range(9)],
    "item": [item for _ in _QUERIES for item in _DRAW.sample(range(20), 9)],
    "score": [_DRAW.randrange(4) / 4 for _ in _QUERIES for _ in range(9)],
}
OTHER = {**RUN, "score": [-score for score in RUN["score"]]}
QRELS: dict[str, list[Any]] = {
    "query": [query for query in range(2, 14) for _ in range(6)],
    "item": [item for _ in range(12) for item in _DRAW.sample(range(20), 6)],
    "relevance": [_DRAW.randrange(4) for _ in range(72)],
}
SLICED = {**QRELS, "country": [f"c{query % 3}" for query in QRELS["query"]]}
WEIGHTS = {"query": [*range(2, 14)], "weight": [1 + query / 3 for query in range(12)]}
TIERS = {"item": [*range(20)], "tier": [f"t{item % 3}" for item in range(20)]}
ASKED: dict[str, dict[str, Any]] = {
    "one run": {"run": RUN, "metrics": WHOLE_RUN},
    "two runs": {"run": {"b": RUN, "a": OTHER}, "metrics": WHOLE_RUN},
    "slices": {"run": {"b": RUN, "a": OTHER}, "qrels": SLICED, "by": "country", "metrics": WHOLE_RUN},
    "slices of items": {"run": RUN, "item_by": "tier", "item_slices": TIERS, "metrics": ["recall@1-7", "hits@1-3"]},
    "weights": {"run": RUN, "weights": WEIGHTS, "metrics": [*METRICS, "ap(mean=geometric)"]},
    "expected ties": {"run": RUN, "ties": "expected", "metrics": ["recall@1-7", "dcg(gain=exponential)@1-4"]},
    "queries left out": {"run": RUN, "missing": "skip", "no_relevant": "skip", "metrics": METRICS},
    "no query": {"run": {"b": {key: values[:0] for key, values in RUN.items()}, "a": RUN}, "empty": "allow"},
}


def everything(result: Result) -> tuple[object, ...]:
    rows = result.per_query
    return result.to_dicts(), result.counts, rows.columns, rows.types, sorted(rows.fetchall(), key=str)


@pytest.mark.parametrize("name", ASKED)
def test_metrics_in_one_statement_and_in_several_have_the_same_bits(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = {"qrels": QRELS, "metrics": METRICS, **ASKED[name]}
    whole = everything(in_rows(**asked))
    monkeypatch.setattr(measuring, "MOST_METRICS", 2)
    assert everything(in_rows(**asked)) == whole


def test_a_labelled_run(monkeypatch: pytest.MonkeyPatch) -> None:
    run = {**RUN, "score": [*range(len(RUN["query"]))], "relevance": [item % 3 for item in RUN["item"]]}
    whole = everything(in_rows(run, metrics=METRICS))
    monkeypatch.setattr(measuring, "MOST_METRICS", 2)
    assert everything(in_rows(run, metrics=METRICS)) == whole


@pytest.mark.slow
def test_the_tables_of_parts_are_removed() -> None:
    """The connection keeps the values of queries alone."""
    connection = duckdb.connect()
    result = evaluate(RUN, QRELS, "recall@1-250", connection=connection)
    tables = connection.sql("SELECT table_name, column_count FROM duckdb_tables()").fetchall()
    assert [columns >= 250 for _, columns in tables] == [True], tables
    assert len(result.to_dicts()) == 250


@pytest.mark.slow
def test_a_statement_computes_at_most_100_metrics() -> None:
    """DuckDB needs four times as long for twice as many aggregates in a statement."""
    stages = list[tuple[str, int, int]]()
    with heard_by(lambda *stage: stages.append(stage)):
        evaluate(RUN, QRELS, "recall@1-250")
    for name in ("computing metrics", "averaging"):
        assert (name, 3, 3) in stages
