"""Row order, files, threads, settings and scale do not change numbers; random data are in test_random_data.py."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import duckdb
import pytest
from random_data.__main__ import SEED
from random_data.comparing import Tally, compare
from random_data.drawing import cases
from random_data.paths import Answerer
from random_data.questions import OWN_OPTIONS, WITHOUT_EXPECTATION
from reference import METRICS

from recall_duckdb import Counts, evaluate
from recall_duckdb.errors import ArgumentError

# Settings of a user's connection that must not change the numbers.
ADVERSE = ("default_null_order = 'nulls_first'", "default_order = 'desc'", "preserve_insertion_order = false")


@pytest.mark.slow
def test_connection_settings_change_no_value(tmp_path: Path) -> None:
    tally = Tally()
    with duckdb.connect() as adverse:
        for setting in ADVERSE:
            adverse.execute(f"SET {setting}")
        for case in cases(SEED, 8, first=20):
            compare(case, Answerer(case, adverse, tmp_path), tally, ["evaluate", "definition"])
    assert (tally.cases, tally.differences) == (8, [])


EVERY_METRIC = [f"{name}@3" if name == "partial_auc" else name for name in METRICS]
OPTIONS = {metric: known for metric, known in OWN_OPTIONS.items() if metric in METRICS and metric != "partial_auc"}
EVERY_METRIC += [f"{metric}({option})" for metric, known in OPTIONS.items() for option in known.split()]
OPEN = ("ap(over=hits)", "fall_out(of=judged)", "gm_map", "ap(mean=geometric)")
CLOSED_FORM = [name for name in EVERY_METRIC if not name.startswith(WITHOUT_EXPECTATION) and name not in OPEN]
Answer = tuple[list[dict[str, Any]], list[Any], dict[str, Counts]]


def answer(connection: duckdb.DuckDBPyConnection, run: Any, qrels: Any, metrics: list[str], **policies: Any) -> Answer:
    with evaluate(run, qrels, metrics, connection=connection, **policies) as result:
        return result.to_dicts(), result.per_query.fetchall(), result.counts


@pytest.mark.slow
@pytest.mark.parametrize(("ties", "metrics"), [("item_desc", EVERY_METRIC), ("expected", CLOSED_FORM)])
def test_evaluations_with_other_threads_and_row_orders_give_the_same_bits(ties: str, metrics: list[str]) -> None:
    shuffle = random.Random(20).shuffle
    grades = (0.1, 0.3, 0.7, 1, 2.3, 4, -1, 0)
    run = [(query, item, float(item * query % 7)) for query in range(60) for item in range(40)]
    qrels = [(query, item, grades[(item + query) % 8]) for query in range(64) for item in range(1, 60, 3)]
    answers = []
    with duckdb.connect() as connection:
        for threads in (1, 2, 4):
            connection.execute(f"SET threads = {threads}")
            answers.append(answer(connection, run, qrels, metrics, ties=ties))
            shuffle(run)
            shuffle(qrels)
    assert 0 < answers[0][0][0]["value"] < 1
    assert answers[0][2]["run"] == Counts(judged=64, retrieved=60, both=60, without_relevant=0)
    assert answers[0] == answers[1] == answers[2]


LARGE = {
    "run": """
        SELECT query, item, (hash(query, item) % 97) / 7.0 AS score
        FROM range(500) AS queries (query), range(400) AS items (item)
    """,
    "qrels": """
        SELECT query, item, (hash(item, query) % 89) / 11.0 - 2 AS relevance
        FROM range(510) AS queries (query), range(0, 500, 7) AS items (item)
    """,
}


@pytest.mark.slow
def test_row_order_files_and_threads_change_no_bit_of_large_data(tmp_path: Path) -> None:
    metrics, answers = ["recall@10", "f1@20", "rr", "ap@100", "ap", "dcg@30", "ndcg@10", "ndcg"], []
    for threads, order in ((1, "query, item"), (2, "hash(item, query)"), (4, "item DESC, query")):
        with duckdb.connect(config={"threads": threads}) as connection:
            for name, rows in LARGE.items():
                for part in range(threads):
                    connection.execute(
                        f"COPY (SELECT * FROM ({rows}) WHERE (query + item) % {threads} = {part} ORDER BY {order}) "
                        f"TO '{tmp_path}/{name}_{threads}_{part}.parquet' (ROW_GROUP_SIZE 8192)"
                    )
            run, qrels = (sorted(tmp_path.glob(f"{name}_{threads}_*")) for name in LARGE)
            answers.append(answer(connection, {"run": run}, qrels, metrics))
    assert answers[0][2]["run"] == Counts(judged=510, retrieved=500, both=500, without_relevant=0)
    assert answers[0] == answers[1] == answers[2]


WITHOUT_CLOSED_FORM = [
    *(f"{name}@3" if name == "partial_auc" else name for name in WITHOUT_EXPECTATION),
    *("ap(over=hits)@3", "err@5", "fall_out(of=judged)@2", "11pt_avg", "set_map", "gm_map"),
]


def test_expected_ties_are_refused_by_name_for_a_metric_without_a_closed_form() -> None:
    rows = {"query": [1, 1], "item": ["a", "b"], "score": [1, 1], "relevance": [1, 0]}
    for metric in WITHOUT_CLOSED_FORM:
        with pytest.raises(ArgumentError, match="'expected' has no closed form for") as caught:
            evaluate(rows, metrics=["recall@5", metric], ties="expected")
        assert "'recall'" not in str(caught.value)


@pytest.mark.parametrize("scale", [1e-30, 1e-20, 1e-9, 1e9])
def test_ndcg_does_not_depend_on_the_scale_of_relevance(scale: float) -> None:
    run = {"q": ["a", "b", "c"]}
    expected = (1 + 3 / math.log2(3) + 2 / 2) / (3 + 2 / math.log2(3) + 1 / 2)
    found = evaluate(run, {"q": {"a": 1 * scale, "b": 3 * scale, "c": 2 * scale}}, "ndcg").value("ndcg")
    assert found == pytest.approx(expected, rel=1e-12, abs=0)


def test_relevance_just_below_the_maximum_has_a_mean_of_dcg() -> None:
    found = evaluate({q: ["a"] for q in range(200)}, {q: {"a": 9e11} for q in range(200)}, "dcg").value("dcg")
    assert found == pytest.approx(9e11, rel=1e-12, abs=0)
