"""For any data, values equal the plain reference, and irrelevant changes do not change a bit of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import examples
from hypothesis import assume, given
from hypothesis import strategies as st
from random_data.__main__ import SEED
from random_data.comparing import Tally as Compared
from random_data.comparing import compare, compared
from random_data.drawing import cases
from random_data.naming import some_names
from random_data.paths import Answerer
from random_data.questions import OWN_OPTIONS, WITHOUT_EXPECTATION
from reference import METRICS, Id, Mean, Query, Row, Tally

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError

A_FEW = ["recall@2", "precision@3", "f1", "rr", "ap", "ndcg@3", "ndcg"]
# Settings of a user's connection that must not change the numbers.
ADVERSE = ("default_null_order = 'nulls_first'", "default_order = 'desc'", "preserve_insertion_order = false")
PARTS, SIZE = 12, 6  # of the random data sets; test_random_data.py has the first 20


@dataclass(frozen=True)
class Question:
    """A run and qrels, with the metrics and policies to evaluate.

    Attributes:
        columns: the name of the column of the query, and of those of item, score and relevance.
    """

    run: list[Row]
    qrels: list[Row]
    metrics: list[str] = field(default_factory=lambda: A_FEW)
    policies: dict[str, Any] = field(default_factory=dict)
    columns: tuple[str, ...] = ("query", "item", "score", "relevance")


@dataclass(frozen=True)
class Answer:
    """The result of `evaluate`: values by query and metric, means by metric, numbers of queries."""

    per_query: dict[Query, dict[str, float | None]]
    means: dict[str, Mean]
    tally: Tally


close_scores = [0.0, -0.0, 1.0, 1.0 + 1e-12, 0.3, 0.1 + 0.2, 1e-300, 1e300, -1e300, 16777216.0, 16777217.0]
scores_of_one_kind: st.SearchStrategy[st.SearchStrategy[float]] = st.sampled_from(
    [st.sampled_from(close_scores) | st.floats(allow_nan=False), st.integers(-2, 2)]
)
grades_of_one_kind: st.SearchStrategy[st.SearchStrategy[float]] = st.sampled_from(
    [st.integers(-2, 4), st.sampled_from([-1.0, -0.5, 0.0, -0.0, 0.1, 0.5, 1.0, 1.5]) | st.floats(1e-300, 1e9)]
)


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Draw a run and qrels without faults that share a query with a relevant item."""
    queries = st.tuples(st.sampled_from("abc"))
    items: st.SearchStrategy[Id] = st.sampled_from(draw(st.sampled_from([[*"vwxyz"], [*range(8)]])))
    scores = st.sampled_from(draw(st.lists(draw(scores_of_one_kind), min_size=1, max_size=4)))
    grades = draw(st.lists(draw(grades_of_one_kind), min_size=1, max_size=5))
    best = max(*grades, type(grades[0])(1))
    retrieved: Row = draw(st.tuples(queries, items, scores))
    run = draw(_rows(st.tuples(queries, items, scores), retrieved))
    qrels = draw(_rows(st.tuples(queries, items, st.sampled_from(grades)), (retrieved[0], draw(items), best)))
    return Question(run, qrels)


@st.composite
def _rows(draw: st.DrawFn, row: st.SearchStrategy[Row], needed: Row) -> list[Row]:
    """Draw few or many rows without duplicates, including the needed row."""
    drawn = draw(st.lists(row, min_size=draw(st.sampled_from([0, 8, 16, 24])), max_size=32))
    rows = list({one[:2]: one for one in drawn if one[:2] != needed[:2]}.values())
    rows.insert(draw(st.integers(0, len(rows))), needed)
    return rows


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def ask(question: Question, connection: duckdb.DuckDBPyConnection, run: Any = None, qrels: Any = None) -> Answer:
    """Evaluate a question; run and qrels replace its rows if given."""
    query, item, score, relevance = question.columns
    given = []
    for side, number in (each for each in ((question.run, score), (question.qrels, relevance)) if each[0]):
        keys, *others = zip(*side, strict=True)
        given.append({query: [key for (key,) in keys], **dict(zip((item, number), others, strict=True))})
    asked: dict[str, Any] = dict(zip(("query", "item", "score", "relevance"), question.columns, strict=True))
    asked |= {"run": given[0] if run is None else run, "qrels": given[1] if qrels is None else qrels}
    result = evaluate(metrics=question.metrics, connection=connection, **asked, **question.policies)
    rows, columns = result.per_query.fetchall(), result.per_query.columns
    assert columns[2:] == question.metrics
    per_query = {row[1:2]: dict(zip(question.metrics, row[2:], strict=True)) for row in rows}
    assert len(per_query) == len(rows)
    means = {
        name: Mean(row["value"], row["queries"]) for name, row in zip(question.metrics, result.to_dicts(), strict=True)
    }
    [counts] = result.counts.values()
    result.close()
    return Answer(per_query, means, Tally(counts.judged, counts.retrieved, counts.both, counts.without_relevant))


@pytest.mark.parametrize("part", range(PARTS))
def test_values_and_means_equal_the_plain_reference(part: int) -> None:
    """The data sets have scores, ranks, lists or labels, of one or several models, and any policies and types."""
    tally = compared(cases(SEED, SIZE, first=20 + part * SIZE))
    assert (tally.cases, tally.differences) == (SIZE, [])
    assert min(tally.answers, tally.values, tally.means) > 0


@pytest.mark.slow
def test_connection_settings_change_no_value(tmp_path: Path) -> None:
    tally = Compared()
    with duckdb.connect() as adverse:
        for setting in ADVERSE:
            adverse.execute(f"SET {setting}")
        for case in cases(SEED, 25, first=20):
            compare(case, Answerer(case, adverse, tmp_path), tally, ["evaluate", "definition"])
    assert (tally.cases, tally.differences) == (25, [])


LARGE_RUN = """
    SELECT query, item, (hash(query, item) % 97) / 7.0 AS score
    FROM range(500) AS queries (query), range(400) AS items (item)
"""
LARGE_QRELS = """
    SELECT query, item, (hash(item, query) % 89) / 11.0 - 2 AS relevance
    FROM range(510) AS queries (query), range(0, 500, 7) AS items (item)
"""
EVERY_METRIC = [f"{name}@3" if name == "partial_auc" else name for name in METRICS]
OPTIONS = {metric: known for metric, known in OWN_OPTIONS.items() if metric in METRICS and metric != "partial_auc"}
EVERY_METRIC += [f"{metric}({option})" for metric, known in OPTIONS.items() for option in known.split()]
OPEN = ("ap(over=hits)", "fall_out(of=judged)", "gm_map", "ap(mean=geometric)")
CLOSED_FORM = [name for name in EVERY_METRIC if not name.startswith(WITHOUT_EXPECTATION) and name not in OPEN]


@pytest.mark.slow
@pytest.mark.parametrize(("ties", "metrics"), [("item_desc", EVERY_METRIC), ("expected", CLOSED_FORM)])
def test_eight_evaluations_with_other_threads_and_row_orders_give_the_same_bits(ties: str, metrics: list[str]) -> None:
    shuffle = random.Random(20).shuffle
    grades = (0.1, 0.3, 0.7, 1, 2.3, 4, -1, 0)
    run: list[Row] = [((query,), item, float(item * query % 7)) for query in range(60) for item in range(40)]
    qrels: list[Row] = [((query,), item, grades[(item + query) % 8]) for query in range(64) for item in range(1, 60, 3)]
    answers = []
    with duckdb.connect() as connection:
        for threads in (1, 2, 4, 2) * 2:
            connection.execute(f"SET threads = {threads}")
            answers.append(ask(Question(run, qrels, metrics, {"ties": ties}), connection))
            shuffle(run)
            shuffle(qrels)
    assert 0 < (answers[0].means["recall"].value or 0) < 1
    assert answers[0].tally == Tally(judged=64, retrieved=60, both=60, without_relevant=0)
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.slow
def test_row_order_files_and_threads_change_no_bit_of_large_data(tmp_path: Path) -> None:
    question = Question([], [], ["recall@10", "f1@20", "rr", "ap@100", "ap", "dcg@30", "ndcg@10", "ndcg"])
    answers = []
    for threads, order in ((1, "query, item"), (2, "hash(item, query)"), (4, "item DESC, query")):
        run, qrels = (tmp_path / f"{name}_{threads}" for name in ("run", "qrels"))
        with duckdb.connect(config={"threads": threads}) as connection:
            for rows, folder in ((LARGE_RUN, run), (LARGE_QRELS, qrels)):
                folder.mkdir()
                for part in range(threads):
                    connection.execute(
                        f"COPY (SELECT * FROM ({rows}) WHERE (query + item) % {threads} = {part} ORDER BY {order}) "
                        f"TO '{folder}/{part}.parquet' (ROW_GROUP_SIZE 8192)"
                    )
            answers.append(ask(question, connection, sorted(run.iterdir()), sorted(qrels.iterdir())))
    assert answers[0].tally == Tally(judged=510, retrieved=500, both=500, without_relevant=0)
    assert answers[0] == answers[1] == answers[2]


@examples(15)
@given(question=questions(), names=st.integers(0, 9_999), data=st.data())
def test_an_order_preserving_change_of_the_scores_changes_nothing(
    connection: duckdb.DuckDBPyConnection, question: Question, names: int, data: st.DataObject
) -> None:
    question = replace(question, columns=tuple(some_names(4, names)))
    old = sorted({float(score) for _, _, score in question.run if score is not None})
    new = data.draw(st.lists(st.floats(allow_nan=False), min_size=len(old), max_size=len(old), unique=True).map(sorted))
    mapped = dict(zip(old, new, strict=True))
    other = replace(question, run=[(query, item, mapped[float(score or 0)]) for query, item, score in question.run])
    assert ask(other, connection) == ask(question, connection)


@examples(15)
@given(question=questions(), ties=st.sampled_from(["item_desc", "item", "optimistic", "pessimistic", "expected"]))
def test_cumulative_metrics_never_fall_as_k_grows(
    connection: duckdb.DuckDBPyConnection, question: Question, ties: str
) -> None:
    growing = ("recall", "hit_rate", "rr", "ap", "dcg", "rbp")
    metrics = [f"{metric}{k}" for metric in growing for k in ("@1", "@2", "@3", "@5", "@8", "")]
    for values in ask(replace(question, metrics=metrics, policies={"ties": ties}), connection).per_query.values():
        for metric in growing:
            found = [values[name] for name in metrics if name.partition("@")[0] == metric]
            counted = [value for value in found if value is not None]
            assert counted == sorted(counted), metric


# Metrics that cannot fall if relevant items come earlier. The others can: a hit far down lowers ap(over=hits), and
# bpref, inf_ap, judged and fall_out(of=judged) depend on whether an irrelevant item was judged, which the optimistic
# order ignores. auc counts a tie as half in every order.
BETTER_EARLIER = (
    "recall@1", "recall@2", "recall@3", "precision@2", "hit_rate@2", "rr", "rr@2", "ap", "ap@3", "ap(over=capped)@2",
    "ndcg", "ndcg@2", "ndcg(gain=exponential)@3", "ndcg(gain=binary)@3", "dcg@2", "f1@2", "r_precision",
    "rbp", "auc",
)  # fmt: skip


@pytest.mark.slow
@examples(15)
@given(question=questions(), threshold=st.sampled_from([None, 1]))
def test_optimistic_ties_are_at_least_expected_ties_which_are_at_least_pessimistic(
    connection: duckdb.DuckDBPyConnection, question: Question, threshold: int | None
) -> None:
    highest = max(grade or 0 for _, _, grade in question.qrels)
    assume(highest >= (threshold or 0))
    metrics = [name for name in BETTER_EARLIER if highest <= 30 or "exponential" not in name]
    best, expected, item, worst = (
        ask(replace(question, metrics=metrics, policies={"ties": ties, "threshold": threshold}), connection).per_query
        for ties in ("optimistic", "expected", "item", "pessimistic")
    )
    for query in best:
        for metric in metrics:
            highest_value, lowest_value = best[query][metric] or 0, worst[query][metric] or 0
            rounding = 1e-12 * max(1, abs(highest_value))
            for between in (expected[query][metric] or 0, item[query][metric] or 0):
                assert highest_value + rounding >= between >= lowest_value - rounding, metric


WITHOUT_CLOSED_FORM = [
    *(f"{name}@3" if name == "partial_auc" else name for name in WITHOUT_EXPECTATION),
    *("ap(over=hits)@3", "err@5", "fall_out(of=judged)@2", "11pt_avg", "set_map", "gm_map"),
]


@pytest.mark.parametrize("metric", WITHOUT_CLOSED_FORM)
def test_expected_ties_are_refused_by_name_for_a_metric_without_a_closed_form(metric: str) -> None:
    rows = {"query": [1, 1], "item": ["a", "b"], "score": [1, 1], "relevance": [1, 0]}
    with pytest.raises(ArgumentError, match="'expected' has no closed form for") as caught:
        evaluate(rows, metrics=["recall@5", metric], ties="expected")
    assert "'recall'" not in str(caught.value)


@pytest.mark.slow
@examples(20)
@given(
    question=questions(),
    grade=st.sampled_from([None, 0, -1]),
    ties=st.sampled_from(["item_desc", "optimistic", "pessimistic", "expected"]),
)
def test_an_irrelevant_item_at_the_end_changes_no_metric_of_relevant_items(
    connection: duckdb.DuckDBPyConnection, question: Question, grade: int | None, ties: str
) -> None:
    assume(all(score != -math.inf for _, _, score in question.run))
    metrics = [
        *("recall", "recall@2", "hit_rate", "r_precision", "ap", "ap@3", "ap(over=capped)@3", "rr", "rr@2", "rbp"),
        *("dcg", "dcg@2", "ndcg", "ndcg@3", "ndcg(gain=binary)", "num_rel", "num_rel_ret"),
    ]
    question = replace(question, metrics=metrics, policies={"ties": ties})
    new: Id = "a new item" if isinstance(question.run[0][1], str) else 10**6
    queries, judged = {query for query, _, _ in question.run}, {query for query, _, _ in question.qrels}
    run = [*question.run, *((query, new, -math.inf) for query in queries)]
    qrels = [*question.qrels, *((query, new, grade) for query in queries & judged if grade is not None)]
    assert ask(replace(question, run=run, qrels=qrels), connection) == ask(question, connection)


@pytest.mark.parametrize("scale", [1e-30, 1e-20, 1e-9, 1e9])
def test_ndcg_does_not_depend_on_the_scale_of_relevance(scale: float) -> None:
    run = {"q": ["a", "b", "c"]}
    expected = (1 + 3 / math.log2(3) + 2 / 2) / (3 + 2 / math.log2(3) + 1 / 2)
    found = evaluate(run, {"q": {"a": 1 * scale, "b": 3 * scale, "c": 2 * scale}}, "ndcg").value("ndcg")
    assert found == pytest.approx(expected, rel=1e-12, abs=0)


def test_relevance_just_below_the_maximum_has_a_mean_of_dcg(connection: duckdb.DuckDBPyConnection) -> None:
    rows: list[Row] = [((query,), 1, 9e11) for query in range(200)]
    assert ask(Question(rows, rows, ["dcg"]), connection).means["dcg"].value == pytest.approx(9e11, rel=1e-12, abs=0)
