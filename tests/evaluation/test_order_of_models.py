"""Models stay in the order in which they were given, in tables, rows and frames."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest

from recall_duckdb import evaluate

RUN = {"query": [1, 2], "item": ["a", "b"], "score": [0.9, 0.1], "worse": [0.1, 0.1], "country": ["NL", "BE"]}
QRELS = {"query": [1, 2], "item": ["a", "b"], "relevance": [1, 1]}
NAMED = dict.fromkeys(("new", "base", "old"), RUN)
CASES: dict[str, tuple[Any, dict[str, Any], list[str]]] = {
    "runs": (NAMED, {}, ["new", "base", "old"]),
    "scores": (RUN, {"score": ["worse", "score"]}, ["worse", "score"]),
    "stored values": (NAMED, {"ties": "item"}, ["new", "base", "old"]),
    "slices": (NAMED, {"by": "country"}, ["new", "base", "old"]),
    "a connection": (NAMED, {"connection": duckdb.connect()}, ["new", "base", "old"]),
    "a column, by name": ({**RUN, "model": ["z", "a"]}, {"model": "model"}, ["a", "z"]),
}


@pytest.mark.parametrize(("run", "arguments", "models"), CASES.values(), ids=CASES)
def test_models_stay_in_the_order_in_which_they_were_given(run: Any, arguments: Any, models: list[str]) -> None:
    result = evaluate(run, QRELS, ["rr", "recall@1"], **arguments)

    def in_order(rows: list[Any]) -> list[str]:
        return list(dict.fromkeys(rows))

    assert list(result.counts) == models
    assert in_order([row["model"] for row in result.to_dicts()]) == models
    for relation in (result.means, result.per_query):
        assert in_order([model for (model,) in relation.select("model").fetchall()]) == models
    assert [line.split()[-1] for line in result.to_trec().splitlines() if line.startswith("runid")] == models
