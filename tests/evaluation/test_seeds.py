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


def test_a_ten_items_hold_five_of_eight_targets() -> None:
    assert recall(TEN_SHOWN, TARGETS) == 5 / 8


def test_a_recall_at_10_of_ten_items_is_their_recall() -> None:
    assert recall(TEN_SHOWN, TARGETS, k=10) == 5 / 8


def test_a_the_first_five_items_hold_three_of_eight_targets() -> None:
    assert recall(TEN_SHOWN, TARGETS, k=5) == 3 / 8


def test_a_numpy_arrays_give_what_lists_give() -> None:
    assert recall(np.array(TEN_SHOWN), np.array(TARGETS), k=5) == 3 / 8


def test_a_lists_and_numpy_arrays_mix() -> None:
    assert recall(np.array(TEN_SHOWN), TARGETS) == 5 / 8
    assert recall(TEN_SHOWN, np.array(TARGETS)) == 5 / 8


@pytest.mark.parametrize("no_targets", [[], np.array([]), np.array([], dtype=np.int64)])
def test_a_recall_without_targets_is_0(no_targets: Any) -> None:
    assert recall(TEN_SHOWN, no_targets) == 0.0


def test_a_recall_without_recommendations_is_0() -> None:
    assert recall([], TARGETS) == 0.0


@pytest.mark.parametrize(
    ("neither", "its_type"),
    [("1, 3, 4", "str"), ({1, 3, 4}, "set"), ({1: 0.5}, "dict"), (None, "NoneType"), (4, "int"), (range(3), "range")],
)
def test_a_recommendations_of_another_type_are_a_type_error_naming_the_type(neither: Any, its_type: str) -> None:
    with pytest.raises(TypeError, match=rf"recommended: a list or an array is expected, not {its_type}"):
        recall(neither, TARGETS)


@pytest.mark.parametrize(
    ("neither", "its_type"), [("1, 3, 4", "str"), (None, "NoneType"), (4, "int"), (range(3), "range")]
)
def test_a_targets_of_another_type_are_a_type_error_naming_the_type(neither: Any, its_type: str) -> None:
    with pytest.raises(TypeError, match=rf"relevant: a list or an array is expected, not {its_type}"):
        recall(TEN_SHOWN, neither)


def shown(metrics: str) -> Result:
    """Evaluate like A: a user without a target counts 0."""
    return evaluate(SEEDS / "shown.parquet", metrics=metrics, query="user", relevance="target", no_relevant="zero")


def test_a_recall_at_10_on_the_frame_is_5_of_8_for_the_user_with_targets() -> None:
    assert per_query(shown("recall@10"), "recall@10")["ada"] == 5 / 8


def test_a_recall_at_5_on_the_frame_is_3_of_8_for_the_user_with_targets() -> None:
    assert per_query(shown("recall@5"), "recall@5")["ada"] == 3 / 8


def test_a_a_user_without_a_target_counts_as_0_in_the_mean() -> None:
    result = shown("recall@5,10")
    assert per_query(result, "recall@10")["ben"] == 0.0
    assert result.value("recall@10") == (5 / 8 + 0) / 2
    assert result.value("recall@5") == (3 / 8 + 0) / 2


def test_a_targets_beyond_the_items_shown_are_found_by_a_longer_list() -> None:
    assert per_query(shown("recall@13"), "recall@13")["ada"] == 7 / 8
    assert per_query(shown("recall@14"), "recall@14")["ada"] == 8 / 8


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
@pytest.mark.parametrize(
    ("metric", "model", "expected"),
    [
        ("recall@3", "Random scores", 2 / 13),
        ("recall@3", "KNN scores", 3 / 13),
        ("recall@4", "Random scores", 2 / 13),
        ("recall@4", "KNN scores", 4 / 13),
    ],
)
def test_b_the_published_object_has_its_published_recall(file: str, metric: str, model: str, expected: float) -> None:
    assert objects(file, "recall@3,4").value(metric, model=model) == expected


def test_b_recall_at_3_of_the_published_object_reads_as_15_38_and_23_08_percent() -> None:
    result = objects("object4.parquet", "recall@3")
    assert f"{result.value('recall@3', model='Random scores'):.2%}" == "15.38%"
    assert f"{result.value('recall@3', model='KNN scores'):.2%}" == "23.08%"


# Object, model, hits / relevant items, and the published number.
PUBLISHED = [
    (0, "Random scores", 0 / 13, "0.000000"),
    (0, "KNN scores", 4 / 13, "0.307692"),
    (1, "Random scores", 4 / 21, "0.190476"),
    (1, "KNN scores", 2 / 21, "0.095238"),
    (2, "Random scores", 1 / 16, "0.062500"),
    (2, "KNN scores", 4 / 16, "0.250000"),
    (3, "Random scores", 1 / 17, "0.058824"),
    (3, "KNN scores", 4 / 17, "0.235294"),
    (4, "Random scores", 2 / 13, "0.153846"),
    (4, "KNN scores", 4 / 13, "0.307692"),
    (5, "Random scores", 2 / 13, "0.153846"),
    (5, "KNN scores", 3 / 13, "0.230769"),
    (6, "Random scores", 3 / 18, "0.166667"),
    (6, "KNN scores", 4 / 18, "0.222222"),
    (7, "Random scores", 2 / 16, "0.125000"),
    (7, "KNN scores", 4 / 16, "0.250000"),
    (8, "Random scores", 2 / 13, "0.153846"),
    (8, "KNN scores", 2 / 13, "0.153846"),
    (9, "Random scores", 2 / 19, "0.105263"),
    (9, "KNN scores", 4 / 19, "0.210526"),
]


@pytest.fixture(scope="module")
def ten_objects() -> dict[tuple[str, int], float]:
    """Return recall@4 by model and object."""
    return {(row[0], row[1]): row[2] for row in objects("objects.parquet", "recall@4").per_query.fetchall()}


@pytest.mark.parametrize(("number", "model", "expected", "published"), PUBLISHED)
def test_b_every_object_has_its_published_recall_at_4(
    number: int, model: str, expected: float, published: str, ten_objects: dict[tuple[str, int], float]
) -> None:
    assert ten_objects[model, number] == expected
    assert f"{ten_objects[model, number]:.6f}" == published


def test_b_the_models_have_their_published_means() -> None:
    result = objects("objects.parquet", "recall@4")
    means = {row["model"]: (f"{row['value']:.6f}", row["queries"]) for row in result.to_dicts()}
    assert means == {"Random scores": ("0.117027", 10), "KNN scores": ("0.226328", 10)}


def test_b_a_mean_is_the_mean_over_the_ten_objects() -> None:
    result = objects("objects.parquet", "recall@4")
    assert result.value("recall@4", model="Random scores") == mean_of(
        (0 / 13 + 4 / 21 + 1 / 16 + 1 / 17 + 2 / 13 + 2 / 13 + 3 / 18 + 2 / 16 + 2 / 13 + 2 / 19) / 10
    )
    assert result.value("recall@4", model="KNN scores") == mean_of(
        (4 / 13 + 2 / 21 + 4 / 16 + 4 / 17 + 4 / 13 + 3 / 13 + 4 / 18 + 4 / 16 + 2 / 13 + 4 / 19) / 10
    )


def test_b_arrays_of_labels_and_scores_have_a_recall_at_3_of_2_of_3() -> None:
    assert recall_at_k(B_LABELS, B_SCORES, 3, short="error") == 2 / 3
    assert recall_at_k(np.array(B_LABELS), np.array(B_SCORES), 3, short="error") == 2 / 3


def test_b_labels_and_scores_of_different_length_are_a_value_error() -> None:
    with pytest.raises(ValueError, match="differ in length: 5 labels, 4 scores"):
        recall_at_k(B_LABELS, B_SCORES[:4], 3)


def test_b_columns_of_different_length_are_a_value_error() -> None:
    columns = {"query": [4] * 5, "item": [0, 1, 2, 3, 4], "relevance": B_LABELS, "score": B_SCORES[:4]}
    with pytest.raises(ValueError, match="columns of different length.*'relevance' has 5, 'score' has 4"):
        evaluate(columns, metrics="recall@3", short="error")


def test_b_a_k_beyond_the_candidates_of_arrays_is_a_value_error() -> None:
    assert recall_at_k(B_LABELS, B_SCORES, 5, short="error") == 3 / 3
    with pytest.raises(ValueError, match="fewer candidates than k = 6"):
        recall_at_k(B_LABELS, B_SCORES, 6, short="error")


def test_b_a_k_beyond_the_candidates_of_an_object_is_a_value_error() -> None:
    assert objects("objects.parquet", "recall@30").value("recall@30", model="KNN scores") == 1.0
    with pytest.raises(ValueError, match=r"fewer candidates than k = 31.*object=0, candidates=30"):
        objects("objects.parquet", "recall@31")


# C. Binary labels and scores per query.


def queries(metrics: str | list[str]) -> Result:
    """Evaluate like C: precision divides by k, and a query without a relevant label is undefined and in no mean."""
    return evaluate(SEEDS / "queries.parquet", metrics=metrics, relevance="label", precision="k", no_relevant="skip")


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall@5", {"long": 2 / 4, "exact": 1 / 2, "short": 2 / 2, "nothing": None}),
        ("recall@10", {"long": 3 / 4, "exact": 2 / 2, "short": 2 / 2, "nothing": None}),
        ("precision@5", {"long": 2 / 5, "exact": 1 / 5, "short": 2 / 5, "nothing": None}),
        ("precision@10", {"long": 3 / 10, "exact": 2 / 10, "short": 2 / 10, "nothing": None}),
        ("f1@5", {"long": 4 / 9, "exact": 2 / 7, "short": 4 / 7, "nothing": None}),
        ("f1@10", {"long": 6 / 14, "exact": 4 / 12, "short": 4 / 12, "nothing": None}),
    ],
)
def test_c_every_query_has_its_share_of_labels_at_every_cutoff(metric: str, expected: dict[str, float | None]) -> None:
    assert per_query(queries(["recall@5,10", "precision@5,10", "f1@5,10"]), metric) == expected


def test_c_average_precision_is_the_mean_precision_at_the_relevant_labels() -> None:
    assert per_query(queries("ap"), "ap") == {
        "long": mean_of((1 / 1 + 2 / 3 + 3 / 6 + 4 / 12) / 4),
        "exact": mean_of((1 / 2 + 2 / 6) / 2),
        "short": mean_of((1 / 1 + 2 / 3) / 2),
        "nothing": None,
    }


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall@5", 2 / 3),
        ("recall@10", 11 / 12),
        ("precision@5", 1 / 3),
        ("precision@10", 7 / 30),
        ("f1@5", 82 / 189),
        ("f1@10", 23 / 63),
        ("ap", 5 / 8),
    ],
)
def test_c_the_mean_is_over_the_three_queries_with_a_relevant_label(metric: str, expected: float) -> None:
    result = queries(["recall@5,10", "precision@5,10", "f1@5,10", "ap"])
    assert result.value(metric) == mean_of(expected)
    assert {row["queries"] for row in result.to_dicts()} == {3}


def test_c_recall_and_precision_are_computed_for_every_cutoff() -> None:
    rows = queries("recall@5,10,precision@5,10").to_dicts()
    assert [(row["metric"], row["k"]) for row in rows] == [
        ("recall", 5),
        ("recall", 10),
        ("precision", 5),
        ("precision", 10),
    ]


def test_c_the_result_counts_the_undefined_query() -> None:
    counts = queries("recall@5").counts["run"]
    assert (counts.judged, counts.without_relevant) == (4, 1)


def test_c_arrays_of_labels_and_scores_have_recall_and_precision() -> None:
    labels, scores = [0, 1, 0, 1, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4]
    assert recall_at_k(labels, scores, 2) == 1 / 3
    assert precision_at_k(labels, scores, 2) == 1 / 2
    assert recall_at_k(labels, scores, 5) == 3 / 3
    assert precision_at_k(labels, scores, 5) == 3 / 5


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


@pytest.mark.parametrize(
    ("metric", "expected", "published"),
    [
        ("precision@3", 2 / 3, "0.67"),
        ("recall@3", 2 / 11, "0.18"),
        ("precision@10", 8 / 10, "0.80"),
        ("recall@10", 8 / 11, "0.73"),
        ("precision@15", 10 / 12, "0.83"),
        ("recall@15", 10 / 11, "0.91"),
    ],
)
def test_d_the_ratings_have_their_published_precision_and_recall(metric: str, expected: float, published: str) -> None:
    value = ratings(SEEDS / "ratings.parquet", "precision@3,10,15,recall@3,10,15").value(metric)
    assert value == expected
    assert f"{value:.2f}" == published


def test_d_ratings_in_lists_have_the_same_precision_and_recall() -> None:
    rows = duckdb.read_parquet(str(SEEDS / "ratings.parquet")).select("actual", "predicted").fetchall()
    actual, predicted = [row[0] for row in rows], [row[1] for row in rows]
    assert ratings_at("precision", actual, predicted, 15) == 10 / 12
    assert ratings_at("recall", actual, predicted, 15) == 10 / 11


def test_d_the_four_rows_with_a_missing_value_are_dropped_and_counted() -> None:
    assert ratings(SEEDS / "ratings.parquet", "recall@3").counts["run"].run_rows_dropped == 4


def test_d_rows_with_a_missing_value_are_an_error_unless_they_are_dropped() -> None:
    with pytest.raises(ValueError, match="'actual' is NULL or NaN|'predicted' is NULL or NaN"):
        evaluate(
            SEEDS / "ratings.parquet", metrics="recall@3", query="user", relevance="actual", score="predicted",
            threshold=2, min_score=2, nulls="error",
        )  # fmt: skip


def test_d_a_relevant_item_that_is_predicted_below_the_threshold_is_no_hit() -> None:
    everything_recommended = evaluate(
        SEEDS / "ratings.parquet", metrics="recall@15", query="user", relevance="actual", score="predicted",
        threshold=2, nulls="drop",
    )  # fmt: skip
    assert everything_recommended.value("recall@15") == 11 / 11
    assert ratings(SEEDS / "ratings.parquet", "recall@15").value("recall@15") == 10 / 11


def test_d_a_rating_at_the_threshold_is_relevant_and_recommended() -> None:
    assert ratings_at("recall", [2.0, 1.9], [2.0, 1.9], 1) == 1 / 1
    assert ratings_at("precision", [2.0, 1.9], [2.0, 1.9], 1) == 1 / 1
    assert ratings_at("precision", [2.0, 1.9], [1.9, 2.0], 2) == 0 / 1


@pytest.mark.parametrize("labels", [[1, 0, 1, 1], [True, False, True, True]])
def test_d_binary_labels_need_no_threshold(labels: list[int]) -> None:
    predicted = [3.5, 3.0, 2.5, 1.0]
    assert recall_at_k(labels, predicted, 3, no_relevant="skip") == 2 / 3
    assert precision_at_k(labels, predicted, 3, precision="retrieved", no_relevant="skip") == 2 / 3
    frame = {"user": ["una"] * 4, "item": [1, 2, 3, 4], "liked": labels, "predicted": predicted}
    result = evaluate(frame, metrics="recall@3", query="user", relevance="liked", score="predicted", no_relevant="skip")
    assert result.value("recall@3") == 2 / 3


@pytest.mark.parametrize("k", [0, -1, -10])
def test_d_a_k_of_0_or_less_is_a_value_error_naming_it(k: int) -> None:
    with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 999999999999999999, not '?{k}\b"):
        ratings(SEEDS / "ratings.parquet", f"recall@{k}")
    with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 999999999999999999, not {k}\b"):
        ratings_at("recall", [4.0], [3.5], k)
    with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 999999999999999999, not {k}\b"):
        ratings_at("precision", [4.0], [3.5], k)
    with pytest.raises(ValueError, match=rf"k must be a whole number from 1 to 999999999999999999, not {k}\b"):
        recall([1], [1], k=k)


@pytest.mark.parametrize("missing", ["user", "item", "actual", "predicted"])
def test_d_a_missing_column_is_a_value_error_naming_it(missing: str) -> None:
    frame = {"user": ["una"], "item": [1], "actual": [4.0], "predicted": [3.5]}
    del frame[missing]
    with pytest.raises(ValueError, match=f"no column '{missing}'"):
        ratings(frame, "recall@3")


THREE_USERS = {
    "user": ["una", "una", "vic", "vic", "wil", "wil"],
    "item": [1, 2, 1, 2, 1, 2],
    "actual": [4.0, 1.0, 1.0, 0.5, 3.0, 4.0],  # vic: nothing relevant
    "predicted": [3.5, 2.5, 3.0, 2.5, 1.0, 1.5],  # wil: nothing recommended
}


def test_d_recall_is_none_if_nothing_is_relevant() -> None:
    assert per_query(ratings(THREE_USERS, "recall@2"), "recall@2")["vic"] is None
    assert ratings_at("recall", [1.0, 0.5], [3.0, 2.5], 2) is None


def test_d_recall_is_0_if_something_is_relevant_but_nothing_is_recommended() -> None:
    assert per_query(ratings(THREE_USERS, "recall@2"), "recall@2")["wil"] == 0.0
    assert ratings_at("recall", [3.0, 4.0], [1.0, 1.5], 2) == 0.0


def test_d_precision_is_none_if_nothing_is_recommended() -> None:
    assert per_query(ratings(THREE_USERS, "precision@2"), "precision@2")["wil"] is None
    assert ratings_at("precision", [3.0, 4.0], [1.0, 1.5], 2) is None


def test_d_precision_is_0_if_something_is_recommended_but_nothing_is_relevant() -> None:
    # skip leaves a query out of every metric. D's 0 / 2 is the value with zero.
    policies: dict[str, Any] = {"threshold": 2, "min_score": 2, "precision": "retrieved", "nulls": "drop"}
    assert precision_at_k([1.0, 0.5], [3.0, 2.5], 2, **policies, no_relevant="zero") == 0 / 2
    assert precision_at_k([1.0, 0.5], [3.0, 2.5], 2, **policies, no_relevant="skip") is None


def test_d_both_are_none_if_nothing_is_relevant_or_recommended() -> None:
    assert ratings_at("recall", [1.0, 0.5], [1.0, 1.5], 2) is None
    assert ratings_at("precision", [1.0, 0.5], [1.0, 1.5], 2) is None


def test_d_both_are_none_if_every_row_has_a_missing_value() -> None:
    assert ratings_at("recall", [None, 4.0], [3.0, None], 2) is None
    assert ratings_at("precision", [None, 4.0], [3.0, None], 2) is None


# E. Ranked lists and sets, or maps from item to weight, per case.

FIRST_LIST, FIRST_SET = ["A", "B", "C", "L", "Y", "U", "F", "Z"], {"A", "K", "B", "Z"}
SECOND_LIST, SECOND_SET = ["N", "X", "Y", "B", "M"], {"E", "B"}


def cases(file: str, metrics: str) -> Result:
    """Evaluate like E: lists are ranked, and a case without a relevant item is an error."""
    return evaluate(
        SEEDS / file, metrics=metrics, query="case", item="predict_list", relevance="ground_truth", no_relevant="error"
    )


def test_e_the_first_five_of_the_list_hold_two_of_the_set_of_four() -> None:
    assert recall(FIRST_LIST, FIRST_SET, k=5, no_relevant="error") == 2 / 4


@pytest.mark.parametrize("kind", [set, frozenset, list, tuple])
def test_e_a_set_a_list_and_a_map_of_the_relevant_items_give_the_same(kind: Any) -> None:
    assert recall(FIRST_LIST, kind(FIRST_SET), k=5, no_relevant="error") == 2 / 4
    assert recall(FIRST_LIST, {"A": 3.0, "K": 1.0, "B": 2.0, "Z": 0.5}, k=5, no_relevant="error") == 2 / 4


def test_e_without_k_the_whole_list_counts() -> None:
    assert recall(FIRST_LIST, FIRST_SET, no_relevant="error") == 3 / 4
    assert recall(SECOND_LIST, SECOND_SET, no_relevant="error") == 1 / 2


@pytest.mark.parametrize("file", ["cases.parquet", "weights.parquet"])
@pytest.mark.parametrize(
    ("metric", "first", "second", "mean"),
    [
        ("recall@3", 2 / 4, 0 / 2, 0.25),
        ("recall@5", 2 / 4, 1 / 2, 0.5),
        ("recall", 3 / 4, 1 / 2, 0.625),
    ],
)
def test_e_mean_recall_is_the_mean_over_the_cases(
    file: str, metric: str, first: float, second: float, mean: float
) -> None:
    result = cases(file, metric)
    assert per_query(result, metric) == {1: first, 2: second}
    assert result.value(metric) == mean


def test_e_two_cases_in_python_have_a_mean_recall_at_3_of_a_quarter() -> None:
    columns = {"case": [1, 2], "predict_list": [FIRST_LIST, SECOND_LIST], "ground_truth": [FIRST_SET, SECOND_SET]}
    result = evaluate(
        columns, metrics="recall@3", query="case", item="predict_list", relevance="ground_truth", no_relevant="error"
    )
    assert result.value("recall@3") == 0.25


@pytest.mark.parametrize("nothing", [set(), [], {}])
def test_e_a_case_without_a_relevant_item_is_an_error(nothing: Any) -> None:
    with pytest.raises(RecallError, match="A query has no relevant item"):
        recall(FIRST_LIST, nothing, k=5, no_relevant="error")


def test_e_one_case_of_several_without_a_relevant_item_is_an_error_naming_it() -> None:
    columns = {"case": [1, 2], "predict_list": [FIRST_LIST, SECOND_LIST], "ground_truth": [FIRST_SET, set()]}
    with pytest.raises(RecallError, match="A query has no relevant item.*case=2"):
        evaluate(columns, metrics="recall@3", query="case", item="predict_list", relevance="ground_truth",
                 no_relevant="error")  # fmt: skip


# Where the five disagree, and the policies that name the choices.

ONE_QUERY_OF_TWO_HAS_A_RELEVANT_ITEM = {
    "query": ["q", "q", "r", "r"],
    "item": [1, 2, 1, 2],
    "score": [0.9, 0.8, 0.9, 0.8],
    "relevance": [1, 0, 0, 0],
}


@pytest.mark.parametrize(
    ("no_relevant", "of_the_other", "mean"),
    [
        pytest.param("zero", 0.0, 1 / 2, id="A: 0"),
        pytest.param("skip", None, 1.0, id="B: undefined"),
        pytest.param("skip", None, 1.0, id="C: undefined"),
        pytest.param("skip", None, 1.0, id="D: None"),
    ],
)
def test_a_query_without_relevant_items_is_0_in_a_and_undefined_in_b_c_and_d(
    no_relevant: Literal["zero", "skip"], of_the_other: float | None, mean: float
) -> None:
    result = evaluate(ONE_QUERY_OF_TWO_HAS_A_RELEVANT_ITEM, metrics="recall@1", no_relevant=no_relevant)
    assert per_query(result, "recall@1") == {"q": 1.0, "r": of_the_other}
    assert result.value("recall@1") == mean
    assert recall_at_k([0, 0], [0.9, 0.8], 1, no_relevant=no_relevant) == of_the_other


def test_a_query_without_relevant_items_is_an_error_in_e() -> None:
    with pytest.raises(ValueError, match="A query has no relevant item.*query='r'"):
        evaluate(ONE_QUERY_OF_TWO_HAS_A_RELEVANT_ITEM, metrics="recall@1", no_relevant="error")


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(lambda: per_query(shown("recall@100"), "recall@100")["ada"], id="A"),
        pytest.param(lambda: per_query(queries("recall@100"), "recall@100")["short"], id="C"),
        pytest.param(lambda: ratings_at("recall", [4.0, 1.0, 2.0], [3.5, 3.0, 2.5], 100), id="D"),
        pytest.param(lambda: recall(["A", "B"], {"B"}, k=100, no_relevant="error"), id="E"),
    ],
)
def test_k_beyond_the_candidates_takes_the_whole_list_in_a_c_d_and_e(value: Any) -> None:
    assert value() == 1.0


def test_k_beyond_the_candidates_is_an_error_in_b() -> None:
    with pytest.raises(ValueError, match="fewer candidates than k = 100"):
        objects("object4.parquet", "recall@100")


def test_precision_divides_by_k_in_c_and_by_recommended_items_of_the_top_k_in_d() -> None:
    actual, predicted = [4.0, 1.0, 2.0, 3.0], [3.5, 3.0, 2.5, 1.0]
    labels = [int(rating >= 2) for rating in actual]
    assert precision_at_k(labels, predicted, 5, precision="k") == 3 / 5
    assert ratings_at("precision", actual, predicted, 5) == 2 / 3
    assert ratings_at("precision", actual, predicted, 2) == 1 / 2


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(
            lambda: evaluate(
                {"user": ["u"] * 4, "item": [1, 2, 3, 4], "score": [4, 3, 2, 1], "target": [0, 1, 1, 1]},
                metrics="recall@2", query="user", relevance="target",
            ).value("recall@2"),
            id="A: target = 1",
        ),
        pytest.param(lambda: recall_at_k([0, 1, 1, 1], [4, 3, 2, 1], 2, short="error"), id="B: label 1"),
        pytest.param(lambda: recall_at_k([0, 1, 1, 1], [4, 3, 2, 1], 2), id="C: label 1"),
        pytest.param(
            lambda: ratings_at("recall", [1.9, 2.0, 3.0, 4.0], [4.0, 3.0, 2.0, 1.0], 2), id="D: rating >= threshold"
        ),
        pytest.param(lambda: recall(["a", "b", "c", "d"], {"b", "c", "d"}, k=2), id="E: in the set"),
    ],
)  # fmt: skip
def test_all_five_read_the_same_three_items_as_relevant(value: Any) -> None:
    assert value() == 1 / 3


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        pytest.param("item_desc", 1 / 1, id="the last item first"),
        pytest.param("item", 0 / 1, id="the first item first"),
        pytest.param("optimistic", 1 / 1, id="relevant items first"),
        pytest.param("pessimistic", 0 / 1, id="relevant items last"),
    ],
)
def test_a_policy_names_the_order_of_equal_scores_that_a_to_d_leave_open(ties: str, expected: float) -> None:
    assert recall_at_k([0, 0, 1], [0.5, 0.5, 0.5], 1, ties=ties) == expected


def test_a_list_is_already_ranked_in_e() -> None:
    assert recall(["A", "B", "C"], {"A"}, k=1) == 1.0
    assert recall(["C", "B", "A"], {"A"}, k=1) == 0.0


# The fixtures.


def build_into(folder: Path) -> Path:
    subprocess.run([sys.executable, str(SEEDS / "build.py"), str(folder)], check=True)
    return folder


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with new output of `build.py`."""
    return build_into(tmp_path_factory.mktemp("seeds"))


def test_the_script_writes_the_committed_files(rebuilt: Path) -> None:
    assert {path.name for path in rebuilt.iterdir()} == {path.name for path in SEEDS.glob("*.parquet")}


@pytest.mark.parametrize("file", sorted(path.name for path in SEEDS.glob("*.parquet")))
def test_the_script_writes_the_committed_rows(file: str, rebuilt: Path) -> None:
    built, committed = (duckdb.read_parquet(str(folder / file)) for folder in (rebuilt, SEEDS))
    assert (built.columns, built.types) == (committed.columns, committed.types)
    assert repr(built.fetchall()) == repr(committed.fetchall())  # as text, because NaN equals NaN there


def test_the_script_writes_the_same_bytes_each_time(rebuilt: Path, tmp_path: Path) -> None:
    again = build_into(tmp_path / "again")
    for path in rebuilt.iterdir():
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name


def test_object_4_has_the_published_rows() -> None:
    object4, csv = duckdb.read_parquet(str(SEEDS / "object4.parquet")), duckdb.read_csv(str(SEEDS / "object4.csv"))
    assert object4.columns == ["object", "item", "relevant", "Random scores", "KNN scores"]
    assert object4.fetchall() == csv.fetchall()
    assert object4.aggregate("count(*), sum(relevant)").fetchall() == [(30, 13)]
    assert duckdb.read_parquet(str(SEEDS / "objects.parquet")).filter("object = 4").fetchall() == csv.fetchall()
