"""Five published ways to compute recall@k, A to E, are reproduced with their data and policies.

A   a function on two lists, and one labelled frame of users
B   one wide frame of objects with a score column for each model
C   binary labels and scores per query, several cutoffs, recall and precision
D   one frame of actual and predicted ratings, with a threshold for relevant and recommended
E   ranked lists and sets, or maps from item to weight, per case

Their data are in `fixtures/seeds`, and `build.py` there describes each file.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import duckdb
import numpy as np
import pytest
from asking import fails
from folders import FIXTURES

from recall_duckdb import RecallError, Result, evaluate, precision_at_k, recall, recall_at_k

SEEDS = FIXTURES / "seeds"


def per_query(result: Result, metric: str) -> dict[Any, float | None]:
    """Return the values of a metric by query."""
    place = result.per_query.columns.index(metric)
    return {row[1]: row[place] for row in result.per_query.fetchall()}


def mean_of(value: float) -> Any:
    """Return a value to compare with a mean, which may differ in the last digits because it sums rounded fractions."""
    return pytest.approx(value, rel=1e-14, abs=0)


# A. A function on two lists, and one labelled frame.

TEN_SHOWN = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
TARGETS = [1, 3, 4, 6, 8, 11, 13, 14]


@pytest.mark.parametrize(
    ("recommended", "targets", "k", "expected"),
    [
        (TEN_SHOWN, TARGETS, None, 5 / 8), (TEN_SHOWN, TARGETS, 10, 5 / 8), (TEN_SHOWN, TARGETS, 5, 3 / 8),
        (np.array(TEN_SHOWN), np.array(TARGETS), 5, 3 / 8), (np.array(TEN_SHOWN), TARGETS, None, 5 / 8),
        (TEN_SHOWN, np.array(TARGETS), None, 5 / 8), (TEN_SHOWN, [], None, 0.0), (TEN_SHOWN, np.array([]), None, 0.0),
        (TEN_SHOWN, np.array([], dtype=np.int64), None, 0.0), ([], TARGETS, None, 0.0),
    ],
)  # fmt: skip
def test_a_recall_of_two_lists_or_arrays(recommended: Any, targets: Any, k: int | None, expected: float) -> None:
    assert recall(recommended, targets, k=k) == expected


@pytest.mark.parametrize("wrong", ["1, 3, 4", {1: 0.5}, None, 4, range(3)])
def test_a_what_is_no_list_is_a_type_error_naming_the_type(wrong: Any) -> None:
    kind = type(wrong).__name__
    fails(TypeError, f"recommended: a list or an array is expected, not {kind}", recall, wrong, TARGETS)
    fails(TypeError, "recommended: a list or an array is expected, not set", recall, {1, 3, 4}, TARGETS)
    if kind != "dict":  # grades of items
        fails(TypeError, f"relevant: a list or an array is expected, not {kind}", recall, TEN_SHOWN, wrong)


def shown(metrics: str) -> Result:
    """Evaluate like A: a user without a target counts 0."""
    return evaluate(SEEDS / "shown.parquet", metrics=metrics, query="user", relevance="target", no_relevant="zero")


def test_a_a_user_without_a_target_counts_as_0_in_the_mean_on_the_frame() -> None:
    result = shown("recall@5,10,13,14")
    for k, hits in ((5, 3), (10, 5), (13, 7), (14, 8)):
        assert per_query(result, f"recall@{k}") == {"ada": hits / 8, "ben": 0.0}
        assert result.value(f"recall@{k}") == (hits / 8 + 0) / 2


# B. One wide frame, several score columns.

MODELS = ["Random scores", "KNN scores"]
B_LABELS, B_SCORES = [1, 1, 0, 0, 1], [0.4, 0.1, 0.2, 0.5, 0.3]


def objects(file: str, metrics: str) -> Result:
    """Evaluate like B: each score column is a model, a list shorter than k is an error, and 0 / 0 is undefined."""
    return evaluate(
        SEEDS / file, metrics=metrics, query="object", score=MODELS, relevance="relevant",
        short="error", no_relevant="skip",
    )  # fmt: skip


@pytest.mark.parametrize("file", ["object4.parquet", "object4.csv"])
def test_b_the_published_object_has_its_published_recall(file: str) -> None:
    result = objects(file, "recall@3,4")
    assert [result.value("recall@3", model=model) for model in MODELS] == [2 / 13, 3 / 13]
    assert [result.value("recall@4", model=model) for model in MODELS] == [2 / 13, 4 / 13]
    assert [f"{result.value('recall@3', model=model):.2%}" for model in MODELS] == ["15.38%", "23.08%"]


# For each object: its hits in the top 4 of the random and the KNN scores, its relevant items, the published numbers.
PUBLISHED = [
    (0, 0, 4, 13, "0.000000", "0.307692"), (1, 4, 2, 21, "0.190476", "0.095238"),
    (2, 1, 4, 16, "0.062500", "0.250000"), (3, 1, 4, 17, "0.058824", "0.235294"),
    (4, 2, 4, 13, "0.153846", "0.307692"), (5, 2, 3, 13, "0.153846", "0.230769"),
    (6, 3, 4, 18, "0.166667", "0.222222"), (7, 2, 4, 16, "0.125000", "0.250000"),
    (8, 2, 2, 13, "0.153846", "0.153846"), (9, 2, 4, 19, "0.105263", "0.210526"),
]  # fmt: skip


def test_b_every_object_has_its_published_recall_at_4() -> None:
    result = objects("objects.parquet", "recall@4")
    found = {(model, number): value for model, number, value in result.per_query.fetchall()}
    for number, random, knn, relevant, *published in PUBLISHED:
        values = [found[model, number] for model in MODELS]
        assert values == [random / relevant, knn / relevant]
        assert [f"{value:.6f}" for value in values] == published
    means = {row["model"]: (f"{row['value']:.6f}", row["queries"]) for row in result.to_dicts()}
    assert means == {"Random scores": ("0.117027", 10), "KNN scores": ("0.226328", 10)}
    assert result.value("recall@4", model="Random scores") == mean_of(sum(row[1] / row[3] for row in PUBLISHED) / 10)
    assert result.value("recall@4", model="KNN scores") == mean_of(sum(row[2] / row[3] for row in PUBLISHED) / 10)


def test_b_arrays_of_labels_and_scores_have_a_recall_at_3_of_2_of_3() -> None:
    assert recall_at_k(B_LABELS, B_SCORES, 3, short="error") == 2 / 3
    assert recall_at_k(np.array(B_LABELS), np.array(B_SCORES), 3, short="error") == 2 / 3
    fails(ValueError, "differ in length: 5 labels, 4 scores", recall_at_k, B_LABELS, B_SCORES[:4], 3)
    columns = {"query": [4] * 5, "item": [0, 1, 2, 3, 4], "relevance": B_LABELS, "score": B_SCORES[:4]}
    with pytest.raises(ValueError, match="columns of different length.*'relevance' has 5, 'score' has 4"):
        evaluate(columns, metrics="recall@3", short="error")


def test_b_a_k_beyond_the_candidates_is_a_value_error() -> None:
    assert recall_at_k(B_LABELS, B_SCORES, 5, short="error") == 3 / 3
    fails(ValueError, "fewer candidates than k = 6", recall_at_k, B_LABELS, B_SCORES, 6, short="error")
    assert objects("objects.parquet", "recall@30").value("recall@30", model="KNN scores") == 1.0
    fails(ValueError, r"fewer candidates than k = 31.*object=0, candidates=30", objects, "objects.parquet", "recall@31")


# C. Binary labels and scores per query.


def test_c_every_query_has_its_values_and_the_mean_is_over_the_three_with_a_relevant_label() -> None:
    """Given C's policies, precision divides by k, and a query without a relevant label is undefined and in no mean."""
    ap = (1 / 1 + 2 / 3 + 3 / 6 + 4 / 12) / 4, (1 / 2 + 2 / 6) / 2, (1 / 1 + 2 / 3) / 2
    expected = {  # long, exact, short; the mean
        "recall@5": (2 / 4, 1 / 2, 2 / 2, 2 / 3),
        "recall@10": (3 / 4, 2 / 2, 2 / 2, 11 / 12),
        "precision@5": (2 / 5, 1 / 5, 2 / 5, 1 / 3),
        "precision@10": (3 / 10, 2 / 10, 2 / 10, 7 / 30),
        "f1@5": (4 / 9, 2 / 7, 4 / 7, 82 / 189),
        "f1@10": (6 / 14, 4 / 12, 4 / 12, 23 / 63),
        "ap": (*map(mean_of, ap), 5 / 8),
    }
    result = evaluate(
        SEEDS / "queries.parquet", metrics=["recall@5,10", "precision@5,10", "f1@5,10", "ap"], relevance="label",
        precision="k", no_relevant="skip",
    )  # fmt: skip
    assert result.per_query.columns[2:] == [*expected]
    for metric, (long, exact, short, mean) in expected.items():
        assert per_query(result, metric) == {"long": long, "exact": exact, "short": short, "nothing": None}
        assert result.value(metric) == mean_of(mean)
    assert {row["queries"] for row in result.to_dicts()} == {3}
    counts = result.counts["queries"]
    assert (counts.judged, counts.without_relevant) == (4, 1)


def test_c_arrays_of_labels_and_scores_have_recall_and_precision() -> None:
    labels, scores = [0, 1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert (recall_at_k(labels, scores, 2), precision_at_k(labels, scores, 2)) == (1 / 3, 1 / 2)
    assert (recall_at_k(labels, scores, 5), precision_at_k(labels, scores, 5)) == (3 / 3, 3 / 5)


# D. A frame of actual and predicted ratings.


def ratings(frame: object, metrics: str) -> Result:
    """Evaluate like D: 2.0 or more is relevant or recommended, rows with missing values are dropped, 0 / 0 is None."""
    return evaluate(
        frame, metrics=metrics, query="user", relevance="actual", score="predicted",
        threshold=2, min_score=2, precision="retrieved", nulls="drop", no_relevant="skip",
    )  # fmt: skip


def ratings_at(metric: Literal["recall", "precision"], actual: list[Any], predicted: list[Any], k: int) -> float | None:
    """Evaluate the ratings of one user like D."""
    measured = {"recall": recall_at_k, "precision": precision_at_k}[metric]
    return measured(
        actual, predicted, k, threshold=2, min_score=2, precision="retrieved", nulls="drop", no_relevant="skip"
    )  # fmt: skip


def test_d_the_ratings_have_their_published_precision_and_recall() -> None:
    """The four rows with a missing value are dropped and counted."""
    result = ratings(SEEDS / "ratings.parquet", "precision@3,10,15,recall@3,10,15")
    for metric, expected, published in (
        ("precision@3", 2 / 3, "0.67"),
        ("recall@3", 2 / 11, "0.18"),
        ("precision@10", 8 / 10, "0.80"),
        ("recall@10", 8 / 11, "0.73"),
        ("precision@15", 10 / 12, "0.83"),
        ("recall@15", 10 / 11, "0.91"),
    ):
        assert result.value(metric) == expected
        assert f"{result.value(metric):.2f}" == published
    assert result.counts["ratings"].run_rows_dropped == 4
    rows = duckdb.read_parquet(str(SEEDS / "ratings.parquet")).select("actual", "predicted").fetchall()
    actual, predicted = [row[0] for row in rows], [row[1] for row in rows]
    assert ratings_at("precision", actual, predicted, 15) == 10 / 12
    assert ratings_at("recall", actual, predicted, 15) == 10 / 11


def test_d_each_policy_matters() -> None:
    columns: dict[str, Any] = {"query": "user", "relevance": "actual", "score": "predicted", "threshold": 2}
    with pytest.raises(ValueError, match="'actual' is NULL or NaN|'predicted' is NULL or NaN"):
        evaluate(SEEDS / "ratings.parquet", metrics="recall@3", min_score=2, nulls="error", **columns)
    everything_recommended = evaluate(SEEDS / "ratings.parquet", metrics="recall@15", nulls="drop", **columns)
    assert everything_recommended.value("recall@15") == 11 / 11


@pytest.mark.parametrize(
    ("actual", "predicted", "k", "of_recall", "of_precision"),
    [
        pytest.param([2.0, 1.9], [2.0, 1.9], 1, 1 / 1, 1 / 1, id="at the threshold"),
        pytest.param([2.0, 1.9], [1.9, 2.0], 2, 0 / 1, 0 / 1, id="below the threshold"),
        pytest.param([1.0, 0.5], [3.0, 2.5], 2, None, None, id="nothing relevant"),
        pytest.param([3.0, 4.0], [1.0, 1.5], 2, 0.0, None, id="nothing recommended"),
        pytest.param([1.0, 0.5], [1.0, 1.5], 2, None, None, id="neither"),
        pytest.param([None, 4.0], [3.0, None], 2, None, None, id="a missing value in every row"),
    ],
)
def test_d_the_ratings_of_one_user(
    actual: list[Any], predicted: list[Any], k: int, of_recall: float | None, of_precision: float | None
) -> None:
    assert ratings_at("recall", actual, predicted, k) == of_recall
    assert ratings_at("precision", actual, predicted, k) == of_precision


def test_d_the_values_of_users_without_relevant_or_recommended_items() -> None:
    users = {
        "user": ["una", "una", "vic", "vic", "wil", "wil"],
        "item": [1, 2, 1, 2, 1, 2],
        "actual": [4.0, 1.0, 1.0, 0.5, 3.0, 4.0],  # vic: nothing relevant
        "predicted": [3.5, 2.5, 3.0, 2.5, 1.0, 1.5],  # wil: nothing recommended
    }
    result = ratings(users, "recall@2,precision@2")
    assert per_query(result, "recall@2") == {"una": 1.0, "vic": None, "wil": 0.0}
    assert per_query(result, "precision@2") == {"una": 0.5, "vic": None, "wil": None}
    # skip leaves a query out of every metric. D's 0 / 2 is the value with zero.
    policies: dict[str, Any] = {"threshold": 2, "min_score": 2, "precision": "retrieved", "nulls": "drop"}
    assert precision_at_k([1.0, 0.5], [3.0, 2.5], 2, **policies, no_relevant="zero") == 0 / 2


# E. Ranked lists and sets, or maps from item to weight, per case.

FIRST_LIST, FIRST_SET = ["A", "B", "C", "L", "Y", "U", "F", "Z"], {"A", "K", "B", "Z"}
SECOND_LIST, SECOND_SET = ["N", "X", "Y", "B", "M"], {"E", "B"}


@pytest.mark.parametrize(
    "relevant", [*(kind(FIRST_SET) for kind in (set, frozenset, list, tuple)), {"A": 3.0, "K": 1.0, "B": 2.0, "Z": 0.5}]
)
def test_e_the_first_five_of_the_list_hold_two_of_four_relevant_items(relevant: Any) -> None:
    assert recall(FIRST_LIST, relevant, k=5, no_relevant="error") == 2 / 4


def test_e_without_k_the_whole_list_counts() -> None:
    assert recall(FIRST_LIST, FIRST_SET, no_relevant="error") == 3 / 4
    assert recall(SECOND_LIST, SECOND_SET, no_relevant="error") == 1 / 2


CASES = {"case": [1, 2], "predict_list": [FIRST_LIST, SECOND_LIST], "ground_truth": [FIRST_SET, SECOND_SET]}
E: dict[str, Any] = {"query": "case", "item": "predict_list", "relevance": "ground_truth", "no_relevant": "error"}


@pytest.mark.parametrize(
    "cases", [SEEDS / "cases.parquet", SEEDS / "weights.parquet", CASES], ids=["lists", "maps", "in Python"]
)
def test_e_mean_recall_is_the_mean_over_the_cases(cases: Any) -> None:
    result = evaluate(cases, metrics=["recall@3,5", "recall"], **E)
    for metric, first, second, mean in (
        ("recall@3", 2 / 4, 0 / 2, 0.25),
        ("recall@5", 2 / 4, 1 / 2, 0.5),
        ("recall", 3 / 4, 1 / 2, 0.625),
    ):
        assert per_query(result, metric) == {1: first, 2: second}
        assert result.value(metric) == mean


def test_e_a_case_without_a_relevant_item_is_an_error_naming_it() -> None:
    nothings: tuple[Any, ...] = (set(), [], {})
    for nothing in nothings:
        fails(RecallError, "A query has no relevant item", recall, FIRST_LIST, nothing, k=5, no_relevant="error")
    with pytest.raises(RecallError, match="A query has no relevant item.*case=2"):
        evaluate({**CASES, "ground_truth": [FIRST_SET, set()]}, metrics="recall@3", **E)


# Where the five disagree, and the policies that name the choices.


def test_a_query_without_relevant_items_is_0_in_a_undefined_in_b_c_and_d_and_an_error_in_e() -> None:
    rows = {
        "query": ["q", "q", "r", "r"],
        "item": [1, 2, 1, 2],
        "score": [0.9, 0.8, 0.9, 0.8],
        "relevance": [1, 0, 0, 0],
    }
    choices: list[tuple[Literal["zero", "skip"], float | None, float]] = [("zero", 0.0, 1 / 2), ("skip", None, 1.0)]
    for no_relevant, of_the_other, mean in choices:
        result = evaluate(rows, metrics="recall@1", no_relevant=no_relevant)
        assert per_query(result, "recall@1") == {"q": 1.0, "r": of_the_other}
        assert result.value("recall@1") == mean
        assert recall_at_k([0, 0], [0.9, 0.8], 1, no_relevant=no_relevant) == of_the_other
    with pytest.raises(ValueError, match="A query has no relevant item.*query='r'"):
        evaluate(rows, metrics="recall@1", no_relevant="error")


def test_k_beyond_the_candidates_takes_the_whole_list_in_a_c_d_and_e_and_is_an_error_in_b() -> None:
    assert per_query(shown("recall@100"), "recall@100")["ada"] == 1.0
    of_queries = evaluate(SEEDS / "queries.parquet", metrics="recall@100", relevance="label", no_relevant="skip")
    assert per_query(of_queries, "recall@100")["short"] == 1.0
    assert ratings_at("recall", [4.0, 1.0, 2.0], [3.5, 3.0, 2.5], 100) == 1.0
    assert recall(["A", "B"], {"B"}, k=100, no_relevant="error") == 1.0
    fails(ValueError, "fewer candidates than k = 100", objects, "object4.parquet", "recall@100")


def test_all_five_read_the_same_three_items_as_relevant() -> None:
    """Precision divides by k in C, and by the recommended items of the top k in D."""
    assert precision_at_k([1, 0, 1, 1], [3.5, 3.0, 2.5, 1.0], 5, precision="k") == 3 / 5
    assert ratings_at("precision", [4.0, 1.0, 2.0, 3.0], [3.5, 3.0, 2.5, 1.0], 5) == 2 / 3
    frame = {"user": ["u"] * 4, "item": [1, 2, 3, 4], "score": [4, 3, 2, 1], "target": [0, 1, 1, 1]}
    assert evaluate(frame, metrics="recall@2", query="user", relevance="target").value("recall@2") == 1 / 3  # A
    assert recall_at_k([0, 1, 1, 1], [4, 3, 2, 1], 2, short="error") == 1 / 3  # B
    assert recall_at_k([0, 1, 1, 1], [4, 3, 2, 1], 2) == 1 / 3  # C
    assert ratings_at("recall", [1.9, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 2) == 1 / 3  # D
    assert recall(["a", "b", "c", "d"], {"b", "c", "d"}, k=2) == 1 / 3  # E


# The fixtures.


def test_the_script_writes_the_committed_rows_and_the_same_bytes_each_time(tmp_path: Path) -> None:
    for folder in ("built", "again"):
        subprocess.run([sys.executable, str(SEEDS / "build.py"), str(tmp_path / folder)], check=True)
    files = sorted(path.name for path in (tmp_path / "built").iterdir())
    assert files == sorted(path.name for path in SEEDS.glob("*.parquet"))
    for file in files:
        assert (tmp_path / "built" / file).read_bytes() == (tmp_path / "again" / file).read_bytes(), file
        built, committed = (duckdb.read_parquet(str(folder / file)) for folder in (tmp_path / "built", SEEDS))
        assert (built.columns, built.types) == (committed.columns, committed.types), file
        assert repr(built.fetchall()) == repr(committed.fetchall()), file  # as text, because NaN equals NaN there
