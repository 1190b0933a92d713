"""Results and comparisons can be copied and pickled, and models stay in the order in which they were given."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import fails, metric_file

from recall_duckdb import ArgumentError, ArgumentTypeError, Result, compare, evaluate

RUN = {
    **{"query": [1, 1, 2, 2], "item": ["a", "b", "a", "c"], "country": ["NL", "NL", "BE", "BE"]},
    **{"old": [0.9, 0.1, 0.9, 0.1], "new": [0.1, 0.9, 0.1, 0.9]},
}
QRELS = {"query": [1, 2], "item": ["b", "c"], "relevance": [1, 1]}
ARGUMENTS: dict[str, Any] = {"score": ["old", "new"], "metrics": ["rr", "ndcg@2"]}
COPIES: dict[str, Callable[[Any], Any]] = {
    "copy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),
}
COPIED = pytest.mark.parametrize("copied", COPIES.values(), ids=COPIES)


@COPIED
@pytest.mark.parametrize("more", [{}, {"nulls": "drop"}, {"by": "country"}], ids=["in memory", "stored", "slices"])
def test_a_copy_of_a_result_has_all_that_the_result_has(copied: Callable[[Result], Result], more: Any) -> None:
    result = evaluate(RUN, QRELS, **ARGUMENTS, **more)
    _ = result.means, result.per_query  # relations, which cannot be pickled
    held = copied(result)
    assert repr(held) == repr(result)
    assert held.read_as == result.read_as
    assert held.to_dicts() == result.to_dicts()
    assert held.sql == result.sql
    for name in ("means", "per_query"):
        mine, theirs = getattr(result, name), getattr(held, name)
        assert (theirs.columns, theirs.types, theirs.fetchall()) == (mine.columns, mine.types, mine.fetchall())
    assert held.explain(1, model="new").fetchall() == result.explain(1, model="new").fetchall()
    assert held.intervals().to_dicts() == result.intervals().to_dicts()
    assert held.compare("old").value("rr") == 0.5
    result.close()
    assert held.per_query.fetchall()


@COPIED
def test_a_copy_of_a_closed_result_has_its_means(copied: Callable[[Result], Result]) -> None:
    with evaluate(RUN, QRELS, **ARGUMENTS) as result:
        pass
    held = copied(result)
    assert held.to_dicts() == result.to_dicts()
    with pytest.raises(ArgumentError, match="the result was closed"):
        _ = held.per_query


@COPIED
def test_a_metric_of_a_folder_is_copied_with_its_definition(copied: Callable[[Result], Result], tmp_path: Path) -> None:
    metric_file(tmp_path, "any_hit", "CAST(max(found) AS DOUBLE)")
    result = evaluate(RUN, QRELS, "any_hit", score="old", metric_folder=tmp_path)
    assert copied(result).sql == result.sql


@COPIED
def test_a_copy_of_a_comparison_has_its_values(copied: Callable[[Any], Any]) -> None:
    result = evaluate(RUN, QRELS, **ARGUMENTS)
    values = {"old": {"query": [1, 2], "rr": [0.5, 1.0]}, "new": {"query": [1, 2], "rr": [1.0, 1.0]}}
    for made in (result.compare("old"), compare(values, baseline="old")):
        _ = made.rows
        held = copied(made)
        assert repr(held) == repr(made)
        assert held.to_dicts() == made.to_dicts()
        assert held.changes("rr").fetchall() == made.changes("rr").fetchall()
        assert held.leaderboard().to_dicts() == made.leaderboard().to_dicts()
    for other in (result.leaderboard(), result.intervals()):
        assert copied(other).to_dicts() == other.to_dicts()


@COPIED
def test_a_result_on_a_connection_says_what_to_keep_instead(copied: Callable[[Any], Any]) -> None:
    with duckdb.connect() as connection:
        results = [evaluate(RUN, QRELS, **ARGUMENTS, connection=connection)]
        comparison = results[0].compare("old")
        assert copied(comparison).to_dicts() == comparison.to_dicts()
        relation = duckdb.sql("SELECT 1 AS query, 'a' AS item, 1 AS relevance")
        results.append(evaluate(RUN, relation, **ARGUMENTS))
        for result in results:
            fails(ArgumentTypeError, r"cannot be copied or pickled.*Keep to_dicts\(\)", copied, result)


NAMED: Any = {name: {**RUN, "score": RUN["old"]} for name in ("new", "base", "old")}
ORDERS: dict[str, tuple[Any, dict[str, Any], list[str]]] = {
    "runs": (NAMED, {}, ["new", "base", "old"]),
    "scores": (RUN, {"score": ["old", "new"]}, ["old", "new"]),
    "stored values": (NAMED, {"ties": "item"}, ["new", "base", "old"]),
    "slices": (NAMED, {"by": "country"}, ["new", "base", "old"]),
    "a connection": (NAMED, {"connection": duckdb.connect()}, ["new", "base", "old"]),
    "a column, by name": ({**RUN, "model": [*"zaza"]}, {"model": "model", "score": "old"}, ["a", "z"]),
}


@pytest.mark.parametrize(("run", "arguments", "models"), ORDERS.values(), ids=ORDERS)
def test_models_stay_in_the_order_in_which_they_were_given(run: Any, arguments: Any, models: list[str]) -> None:
    result = evaluate(run, QRELS, ["rr", "recall@1"], **arguments)
    orders = [[row["model"] for row in result.to_dicts()]]
    orders += [[model for (model,) in each.select("model").fetchall()] for each in (result.means, result.per_query)]
    orders += [[line.split()[-1] for line in result.to_trec().splitlines() if line.startswith("runid")]]
    assert [list(dict.fromkeys(order)) for order in (result.counts, *orders)] == [models] * 5
