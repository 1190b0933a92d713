"""For any data, values equal the plain reference, and irrelevant changes do not change a bit of them."""

from __future__ import annotations

import math
import random
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import duckdb
import pytest
from conftest import examples
from drawn import names
from hypothesis import assume, given
from hypothesis import strategies as st
from random_data.drawing import of_few_orders
from random_data.ids import TEXTS
from random_data.questions import OWN_OPTIONS, WITHOUT_EXPECTATION, Metrics, beyond_accuracy
from reference import METRICS, MOST_ORDERS, Id, Mean, Query, Row, Tally, reference

from recall_duckdb import evaluate
from recall_duckdb.errors import ArgumentError, DataError

A_FEW = ["recall@2", "precision@3", "f1", "rr", "ap", "ndcg@3", "ndcg"]
POLICIES: dict[str, tuple[str, ...]] = {
    "no_relevant": ("zero", "skip"),
    "missing": ("zero", "skip"),
    "ties": ("item_desc", "item", "optimistic", "pessimistic", "expected", "expected"),
    "duplicates": ("error", "best"),
    "nulls": ("error", "drop", "last"),
    "precision": ("k", "retrieved"),
    "semantics": ("trec_eval_10", "trec_eval_9"),
}
# Settings of a user's connection that must not change the numbers.
ADVERSE = ("default_null_order = 'nulls_first'", "default_order = 'desc'", "preserve_insertion_order = false")

EDGES = [2**31, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]
DISTANT = [*EDGES, 2**22, 2**26 - 1, 2**28, 2**30 - 1, -(2**31), 2**62]
UUIDS = [str(uuid.UUID(int=number)) for number in (*range(8), 2**64, 2**127, 2**128 - 1)]

ids_of_one_kind: st.SearchStrategy[st.SearchStrategy[Id]] = st.sampled_from(
    [
        st.sampled_from(TEXTS) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3),
        st.integers(-3, 12) | st.sampled_from(DISTANT),
        st.sampled_from(UUIDS),
    ]
)
close_scores = [0.0, -0.0, 1.0, 1.0 + 1e-12, 0.3, 0.1 + 0.2, 1e-300, 1e300, -1e300, 16777216.0, 16777217.0]
scores_of_one_kind: st.SearchStrategy[st.SearchStrategy[float]] = st.sampled_from(
    [
        st.sampled_from(close_scores) | st.floats(allow_nan=False),
        st.integers(-2, 2) | st.sampled_from(EDGES),
    ]
)
grades_of_one_kind: st.SearchStrategy[st.SearchStrategy[float]] = st.sampled_from(
    [
        st.integers(-2, 4),
        st.sampled_from([-1.0, -0.5, 0.0, -0.0, 0.1, 0.5, 1.0, 1.5]) | st.floats(1e-300, 1e9),
        st.booleans(),
    ]
)


@dataclass(frozen=True)
class Question:
    """A run and qrels, with the metrics and policies to evaluate.

    Attributes:
        columns: the names of the columns that identify a query.
        others: the names of the columns item, score and relevance.
    """

    columns: tuple[str, ...]
    run: list[Row]
    qrels: list[Row]
    metrics: list[str]
    policies: dict[str, Any] = field(default_factory=dict)
    others: tuple[str, str, str] = ("item", "score", "relevance")

    @property
    def run_columns(self) -> dict[str, list[Any]]:
        return _columns(self.columns, self.run, *self.others[:2])

    @property
    def qrels_columns(self) -> dict[str, list[Any]]:
        return _columns(self.columns, self.qrels, *self.others[::2])

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments that name the columns."""
        return {"query": self.columns, **dict(zip(("item", "score", "relevance"), self.others, strict=True))}


@dataclass(frozen=True)
class Answer:
    """The result of `evaluate`: values by query and metric, means by metric, numbers of queries."""

    per_query: dict[Query, dict[str, float | None]]
    means: dict[str, Mean]
    tally: Tally


def _columns(queries: Sequence[str], rows: Sequence[Row], item: str, number: str) -> dict[str, list[Any]]:
    keys = {name: [query[place] for query, _, _ in rows] for place, name in enumerate(queries)}
    return {**keys, item: [each for _, each, _ in rows], number: [value for _, _, value in rows]}


@st.composite
def questions(draw: st.DrawFn, *, sound: bool = False, nulls: str | None = None) -> Question:
    """Draw a run and qrels that share a query with a relevant item; sound: no NULL, no duplicate, default policies."""
    item, score, relevance, *columns = draw(names(draw(st.sampled_from([4, 4, 5]))))
    pools = [draw(st.lists(draw(ids_of_one_kind), min_size=1, max_size=4, unique=True)) for _ in columns]
    queries = st.tuples(*map(st.sampled_from, pools))
    held = draw(st.lists(draw(ids_of_one_kind), min_size=draw(st.sampled_from([1, 4, 8])), max_size=10, unique=True))
    items = st.sampled_from(held)
    scores = draw(st.lists(draw(scores_of_one_kind), min_size=1, max_size=4))
    grades = draw(st.lists(draw(grades_of_one_kind), min_size=1, max_size=5))
    best = max(*grades, type(grades[0])(1))

    policies: dict[str, Any] = {}
    if not sound:
        policies = {name: draw(st.sampled_from(choices)) for name, choices in POLICIES.items()}
        policies["nulls"] = nulls or policies["nulls"]
        limits = [float(grade) for grade in [*grades, best] if grade > 0]
        policies["threshold"] = draw(st.none() | st.none() | st.sampled_from(limits))
        policies["min_score"] = draw(st.none() | st.sampled_from([0.0, *filter(math.isfinite, scores)]).map(float))
    nulls, distinct = policies.get("nulls", "error"), policies.get("duplicates", "error") == "error"
    metrics = A_FEW
    if not sound:
        chance = random.Random(draw(st.integers(0, 2**32)))
        drawn = Metrics(chance, policies, [*grades, best], favoured=False).some()
        known = [name for name in drawn if not beyond_accuracy(name)] or A_FEW
        metrics = draw(st.lists(st.sampled_from(known), min_size=min(3, len(known)), unique=True))

    any_query = _or_none(queries, st.tuples(*(st.sampled_from([None, *pool]) for pool in pools)), nulls == "drop")
    any_item = _or_none(items, st.none(), nulls == "drop")
    any_score = _or_none(st.sampled_from(scores), _no_number(scores), nulls != "error")
    any_grade = _or_none(st.sampled_from(grades), _no_number(grades), nulls == "drop")
    retrieved = draw(st.tuples(queries, items, st.sampled_from(scores)))
    relevant = (retrieved[0], draw(items), best)
    run = draw(_rows(st.tuples(any_query, any_item, any_score), retrieved, distinct))
    qrels = draw(_rows(st.tuples(any_query, any_item, any_grade), relevant, distinct))
    if policies.get("ties") == "expected":
        run = of_few_orders(sorted(run, key=lambda row: row != retrieved), policies, MOST_ORDERS)
    return Question(tuple(columns), run, qrels, metrics, policies, (item, score, relevance))


def _or_none(values: st.SearchStrategy[Any], none: st.SearchStrategy[Any], wanted: bool) -> st.SearchStrategy[Any]:
    return values | values | values | none if wanted else values


def _no_number(numbers: list[float]) -> st.SearchStrategy[float | None]:
    return st.sampled_from([None, math.nan]) if isinstance(numbers[0], float) else st.none()


@st.composite
def _rows(draw: st.DrawFn, row: st.SearchStrategy[Row], needed: Row, distinct: bool) -> list[Row]:
    """Draw few or many rows, including the needed row."""
    rows = draw(st.lists(row, min_size=draw(st.sampled_from([0, 8, 16, 24])), max_size=32))
    if distinct:
        rows = list({one[:2]: one for one in rows if one[:2] != needed[:2]}.values())
    rows.insert(draw(st.integers(0, len(rows))), needed)
    return rows


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


@pytest.fixture(scope="module")
def adverse_connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        for setting in ADVERSE:
            connection.execute(f"SET {setting}")
        yield connection


def ask(question: Question, connection: duckdb.DuckDBPyConnection, run: Any = None, qrels: Any = None) -> Answer:
    """Evaluate a question; run and qrels replace its dicts of columns if given."""
    result = evaluate(
        question.run_columns if run is None else run,
        question.qrels_columns if qrels is None else qrels,
        question.metrics,
        padding="keep",  # random items may be -1
        connection=connection,
        **question.arguments,
        **question.policies,
    )
    rows, columns = result.per_query.fetchall(), result.per_query.columns
    first = 1 + len(question.columns)
    assert columns[first:] == question.metrics
    per_query = {row[1:first]: dict(zip(question.metrics, row[first:], strict=True)) for row in rows}
    assert len(per_query) == len(rows)
    means = {
        name: Mean(row["value"], row["queries"]) for name, row in zip(question.metrics, result.to_dicts(), strict=True)
    }
    counts = result.counts["run"]
    result.close()
    return Answer(per_query, means, Tally(counts.judged, counts.retrieved, counts.both, counts.without_relevant))


def as_arrow(columns: dict[str, list[Any]]) -> Any:
    import pyarrow

    return pyarrow.table(columns)


def is_close(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return math.isclose(found, expected, rel_tol=1e-12, abs_tol=1e-12)


def assert_is_the_reference(question: Question, answer: Answer) -> None:
    expected = reference(question.run, question.qrels, question.metrics, **question.policies)
    assert answer.tally == expected.tally
    assert answer.per_query.keys() == expected.per_query.keys()
    for query, values in expected.per_query.items():
        for metric, value in values.items():
            assert is_close(answer.per_query[query][metric], value), (
                query,
                metric,
                answer.per_query[query][metric],
                value,
            )
    for metric, mean in expected.means.items():
        assert answer.means[metric].queries == mean.queries
        assert is_close(answer.means[metric].value, mean.value), (metric, answer.means[metric].value, mean.value)


@pytest.mark.parametrize("nulls", POLICIES["nulls"])
@examples(75)
@given(data=st.data(), arrow=st.tuples(st.booleans(), st.booleans()))
def test_values_and_means_equal_the_plain_reference(
    connection: duckdb.DuckDBPyConnection, nulls: str, data: st.DataObject, arrow: tuple[bool, bool]
) -> None:
    question = data.draw(questions(nulls=nulls))
    run, qrels = (
        as_arrow(columns) if wanted else columns
        for columns, wanted in zip((question.run_columns, question.qrels_columns), arrow, strict=True)
    )
    assert_is_the_reference(question, ask(question, connection, run, qrels))


@examples(15)
@given(question=questions(sound=True), data=st.data())
def test_labels_in_the_run_act_as_qrels(
    connection: duckdb.DuckDBPyConnection, question: Question, data: st.DataObject
) -> None:
    grades = data.draw(st.lists(st.integers(-1, 2), min_size=len(question.run), max_size=len(question.run)))
    assume(max(grades) > 0)
    labelled = [(query, item, float(grade)) for (query, item, _), grade in zip(question.run, grades, strict=True)]
    columns = {**question.run_columns, question.others[2]: grades}
    result = evaluate(columns, metrics=A_FEW, connection=connection, **question.arguments)
    expected = reference(question.run, labelled, A_FEW)
    for metric, mean in expected.means.items():
        assert is_close(result.value(metric), mean.value), metric
    result.close()


def values(
    connection: duckdb.DuckDBPyConnection, run: Any, qrels: Any, **arguments: Any
) -> dict[Any, dict[str, float | None]]:
    """Return the means of `evaluate` by model and metric."""
    result = evaluate(run, qrels, A_FEW, connection=connection, **arguments)
    found = {model: {metric: result.value(metric, model=model) for metric in A_FEW} for model in result.counts}
    result.close()
    return found


@pytest.mark.slow
@examples(12)
@given(question=questions(sound=True))
def test_every_shape_of_the_data_gives_the_plain_reference(
    connection: duckdb.DuckDBPyConnection, question: Question
) -> None:
    run, qrels, query = question.run, question.qrels, question.columns
    item, score, relevance = question.others
    named: dict[str, Any] = {"query": query, "item": item, "relevance": relevance}
    scored = {**named, "score": score}
    scores = {"one": [score or 0 for _, _, score in run], "two": [-(score or 0) for _, _, score in run]}
    runs = {name: [(*row[:2], score) for row, score in zip(run, held, strict=True)] for name, held in scores.items()}
    columns = {name: _columns(query, rows, item, score) for name, rows in runs.items()}
    keys = {name: column for name, column in columns["one"].items() if name != score}
    stacked = {name: [*columns["one"][name], *columns["two"][name]] for name in columns["one"]}
    stacked["system"] = ["one"] * len(run) + ["two"] * len(run)
    lists = {name: in_lists(rows) for name, rows in runs.items()}
    nested = {
        name: {**{column: [key[place] for key in held] for place, column in enumerate(query)}, item: [*held.values()]}
        for name, held in lists.items()
    }
    ranked = {
        name: _columns(
            query, [(key, each, rank) for key in held for rank, each in enumerate(held[key], 1)], item, "position"
        )
        for name, held in lists.items()
    }
    judged: dict[Query, dict[Id | None, float]] = {}
    for key, each, grade in qrels:
        judged.setdefault(key, {})[each] = float(grade or 0)
    maps = {
        **{column: [key[place] for key in judged] for place, column in enumerate(query)},
        item: [*judged.values()],
    }
    given = question.qrels_columns
    expected = {name: reference(rows, qrels, A_FEW).means for name, rows in runs.items()}
    for found in (
        values(connection, columns, given, **scored),
        values(connection, stacked, given, **scored, model="system"),
        values(connection, {**keys, **scores}, given, **named, score=["one", "two"]),
        values(connection, ranked, given, **named, rank="position"),
        values(connection, nested, given, **named),
        values(connection, nested, maps, **named),
    ):
        assert_are(expected, found)

    labels = [judged.get(key, {}).get(each, 0.0) for key, each, _ in run]
    assume(max(labels) > 0)
    rows: list[Row] = [(*row[:2], label) for row, label in zip(run, labels, strict=True)]
    expected = {name: reference(ranking, rows, A_FEW).means for name, ranking in runs.items()}
    wide = {**keys, **scores, relevance: labels}
    for found in (
        values(connection, wide, None, **named, score=["one", "two"]),
        values(connection, {**stacked, relevance: labels * 2}, None, **scored, model="system"),
        values(connection, {name: {**held, relevance: labels} for name, held in columns.items()}, None, **scored),
    ):
        assert_are(expected, found)


def assert_are(expected: dict[str, dict[str, Mean]], found: dict[Any, dict[str, float | None]]) -> None:
    for name, means in expected.items():
        for metric, mean in means.items():
            assert is_close(found[name][metric], mean.value), (name, metric)


def in_lists(rows: Sequence[Row]) -> dict[Query, list[Id | None]]:
    """Return the items of every query in rank order."""
    lists: dict[Query, list[Id | None]] = {}
    for query, item, _ in sorted(rows, key=lambda row: (row[2] or 0, row[1]), reverse=True):
        lists.setdefault(query, []).append(item)
    return lists


@examples(20)
@given(question=questions(), data=st.data(), threads=st.sampled_from([1, 2, 4]))
def test_row_order_files_and_threads_change_no_bit(
    connection: duckdb.DuckDBPyConnection, question: Question, data: st.DataObject, threads: int
) -> None:
    expected = ask(question, connection)
    other = replace(
        question, run=data.draw(st.permutations(question.run)), qrels=data.draw(st.permutations(question.qrels))
    )
    connection.execute(f"SET threads = {threads}")
    try:
        with tempfile.TemporaryDirectory() as folder:
            runs = written(other.run_columns, data.draw(st.integers(1, 4)), Path(folder), "run")
            qrels = written(other.qrels_columns, data.draw(st.integers(1, 2)), Path(folder), "qrels")
            assert ask(other, connection, runs, qrels) == expected
    finally:
        connection.execute("RESET threads")


def written(columns: dict[str, list[Any]], files: int, folder: Path, name: str) -> list[Path]:
    """Write columns to parquet files with the same schema, some of which may be empty, and return their paths."""
    import pyarrow.parquet

    table = as_arrow(columns)
    paths = [folder / f"{name}_{number}.parquet" for number in range(files)]
    for number, path in enumerate(paths):
        pyarrow.parquet.write_table(table.slice(number * 3, 3 if number < files - 1 else None), path)
    return paths


LARGE_RUN = """
    SELECT query, item, (hash(query, item) % 97) / 7.0 AS score
    FROM range(500) AS queries (query), range(400) AS items (item)
"""
LARGE_QRELS = """
    SELECT query, item, (hash(item, query) % 89) / 11.0 - 2 AS relevance
    FROM range(510) AS queries (query), range(0, 500, 7) AS items (item)
"""


EVERY_METRIC = [f"{metric}({option})" for metric, known in OWN_OPTIONS.items() for option in known.split()]
EVERY_METRIC = [f"{name}@3" if name.startswith("partial_auc") else name for name in (*METRICS, *EVERY_METRIC)]
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
            answers.append(ask(Question(("query",), run, qrels, metrics, {"ties": ties}), connection))
            shuffle(run)
            shuffle(qrels)
    assert 0 < (answers[0].means["recall"].value or 0) < 1
    assert answers[0].tally == Tally(judged=64, retrieved=60, both=60, without_relevant=0)
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.slow
def test_row_order_files_and_threads_change_no_bit_of_large_data(tmp_path: Path) -> None:
    question = Question(("query",), [], [], ["recall@10", "f1@20", "rr", "ap@100", "ap", "dcg@30", "ndcg@10", "ndcg"])
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


@pytest.mark.slow
@examples(25)
@given(question=questions())
def test_connection_settings_change_no_bit(
    connection: duckdb.DuckDBPyConnection, adverse_connection: duckdb.DuckDBPyConnection, question: Question
) -> None:
    assert ask(question, adverse_connection) == ask(question, connection)


@examples(15)
@given(question=questions(sound=True), data=st.data())
def test_an_order_preserving_change_of_the_scores_changes_nothing(
    connection: duckdb.DuckDBPyConnection, question: Question, data: st.DataObject
) -> None:
    old = sorted({float(score) for _, _, score in question.run if score is not None})
    new = data.draw(st.lists(st.floats(allow_nan=False), min_size=len(old), max_size=len(old), unique=True).map(sorted))
    mapped = dict(zip(old, new, strict=True))
    other = replace(question, run=[(query, item, mapped[float(score or 0)]) for query, item, score in question.run])
    assert ask(other, connection) == ask(question, connection)


@examples(15)
@given(question=questions())
def test_cumulative_metrics_never_fall_as_k_grows(connection: duckdb.DuckDBPyConnection, question: Question) -> None:
    growing = ("recall", "hit_rate", "rr", "ap", "dcg", "rbp")
    metrics = [f"{metric}{k}" for metric in growing for k in ("@1", "@2", "@3", "@5", "@8", "")]
    for values in ask(replace(question, metrics=metrics), connection).per_query.values():
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


@examples(15)
@given(question=questions(sound=True), threshold=st.sampled_from([None, 1]))
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
    "ap(over=hits)@3",
    "err@5",
    "fall_out(of=judged)@2",
    "11pt_avg",
    "set_map",
    "gm_map",
]


@pytest.mark.parametrize("metric", WITHOUT_CLOSED_FORM)
def test_expected_ties_are_refused_by_name_for_a_metric_without_a_closed_form(metric: str) -> None:
    rows = {"query": [1, 1], "item": ["a", "b"], "score": [1, 1], "relevance": [1, 0]}
    with pytest.raises(ArgumentError, match="'expected' has no closed form for") as caught:
        evaluate(rows, metrics=["recall@5", metric], ties="expected")
    assert "recall" not in str(caught.value)


@examples(20)
@given(
    question=questions(sound=True),
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
    rows = [(query, new) for query in {query for query, _, _ in question.run}]
    judged = (
        []
        if grade is None
        else [(query, new, grade) for query, _ in rows if query in {row[0] for row in question.qrels}]
    )
    other = replace(
        question, run=[*question.run, *((*row, -math.inf) for row in rows)], qrels=[*question.qrels, *judged]
    )
    assert ask(other, connection) == ask(question, connection)


@pytest.mark.parametrize(
    ("run", "qrels", "options", "message"),
    [
        ([], [(1, 1, 1)], {}, "run has no rows"),
        ([(1, 1, None)], [(1, 1, 1)], {"nulls": "drop"}, "run has no rows"),
        ([(1, 1, 1)], [], {}, "qrels have no rows"),
        ([(1, 1, 1)], [(2, 1, 1)], {}, "none of the queries of the qrels"),
        ([(1, 1, 1)], [(1, 1, 0), (2, 1, -1)], {}, "never above 0"),
        ([(1, 1, 1)], [(1, 1, 1), (2, 1, 2)], {"threshold": 2.5}, "never at or above the threshold 2.5"),
    ],
)
def test_data_that_would_make_every_value_0_are_refused(
    run: list[tuple[int, int, float | None]],
    qrels: list[tuple[int, int, float]],
    options: dict[str, Any],
    message: str,
) -> None:
    question = Question(
        columns=("query",),
        run=[((query,), item, score) for query, item, score in run],
        qrels=[((query,), item, relevance) for query, item, relevance in qrels],
        metrics=["recall@10"],
        policies=options,
    )
    with duckdb.connect() as connection, pytest.raises(DataError, match=message):
        ask(question, connection)


@pytest.mark.parametrize("scale", [1e-30, 1e-20, 1e-9, 1e9])
def test_ndcg_does_not_depend_on_the_scale_of_relevance(scale: float) -> None:
    run = {"query": [1, 1, 1], "item": [1, 2, 3], "score": [3, 2, 1]}
    grades = [1.0, 3.0, 2.0]
    qrels = {"query": [1, 1, 1], "item": [1, 2, 3], "relevance": [grade * scale for grade in grades]}
    expected = reference(
        [((1,), item, float(-item)) for item in (1, 2, 3)],
        [((1,), item, grade) for item, grade in zip((1, 2, 3), grades, strict=True)],
        ["ndcg"],
    )
    assert is_close(evaluate(run, qrels, "ndcg").value("ndcg"), expected.means["ndcg"].value)


@pytest.mark.parametrize(
    ("no_relevant", "value", "mean"), [("zero", 0.0, Mean(1 / 3, 3)), ("skip", None, Mean(0.5, 2))]
)
def test_precision_of_an_empty_list_follows_no_relevant_and_of_a_missing_list_is_0(
    connection: duckdb.DuckDBPyConnection, no_relevant: str, value: float | None, mean: Mean
) -> None:
    question = Question(
        columns=("query",),
        run=[(("low",), "a", 1.0), (("high",), "a", 3.0)],
        qrels=[(("low",), "a", 1), (("high",), "a", 1), (("missing",), "a", 1)],
        metrics=["precision", "precision@2"],
        policies={"no_relevant": no_relevant, "precision": "retrieved", "min_score": 2.0},
    )
    answer = ask(question, connection)
    for metric in question.metrics:
        found = {query: values[metric] for (query,), values in answer.per_query.items()}
        assert found == {"low": value, "high": 1.0, "missing": 0.0}
        assert answer.means[metric] == mean
    assert_is_the_reference(question, answer)


def test_relevance_just_below_the_maximum_has_a_mean_of_dcg(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    rows: list[Row] = [((query,), 1, 9e11) for query in range(200)]
    answer = ask(Question(("query",), rows, rows, ["dcg"]), connection)
    assert is_close(answer.means["dcg"].value, 9e11)
