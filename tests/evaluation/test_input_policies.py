"""Policies for incomplete input: unjudged items, ranks with gaps, empty data, and questions without qrels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import duckdb
import numpy as np
import pytest

from recall_duckdb import check, evaluate, pool, sql
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError

RUN: dict[str, Any] = {"query": [1, 1, 1, 1, 2, 2], "item": list("abcdab"), "score": [4.0, 3.0, 2.0, 1.0, 2.0, 1.0]}
QRELS = {"query": [1, 1, 1, 2], "item": list("bdca"), "relevance": [0, 1, -1, 1]}
CATALOG = {"item": list("abcdef")}
TRAINING = {"query": [7, 7, 8], "item": list("aba")}
EMPTY_RUN: dict[str, list[Any]] = {"query": [], "item": [], "score": []}
EMPTY_QRELS: dict[str, list[Any]] = {"query": [], "item": [], "relevance": []}
RANKED = {"query": [1, 1, 1, 2, 2], "item": list("abcab"), "rank": [1, 3, 4, 2, 5]}
LIKED = {"query": [1, 2], "item": list("ca"), "relevance": [1, 1]}


def values(*args: Any, **options: Any) -> dict[str, float | None]:
    result = evaluate(*args, **options)
    return {row["metric"] + (f"@{row['k']}" if row["k"] else ""): row["value"] for row in result.to_dicts()}


def test_unjudged_items_are_removed_before_ranking() -> None:
    # Query 1 keeps b (rank 1) and d (rank 2). a is not judged, and c, below 0, is pooled but not judged.
    assert values(RUN, QRELS, "rr,recall@1,judged@2") == {"rr": (1 / 4 + 1) / 2, "recall@1": 0.5, "judged@2": 0.5}
    dropped = evaluate(RUN, QRELS, "rr,recall@2,judged@2", unjudged="drop")
    assert dropped.per_query.fetchall() == [("run", 1, 0.5, 1.0, 1.0), ("run", 2, 1.0, 1.0, 1.0)]
    assert dropped.counts["run"].run_rows_dropped == 3


def test_relevance_below_0_is_in_the_qrels_but_not_judged() -> None:
    # Of a, b and c of query 1, b and c are in the qrels, c with relevance below 0. Of a and b of query 2, a is.
    assert values(RUN, QRELS, "judged@3,judged(over=k)@3,unjudged@3") == {
        "judged@3": (2 / 3 + 1 / 2) / 2,
        "judged(over=k)@3": (2 / 3 + 1 / 3) / 2,
        "unjudged@3": (2 / 3 + 1 / 3) / 2,
    }


def test_an_item_with_relevance_below_0_is_part_of_the_residual() -> None:
    """Given p = 1/2 and only the first of two items judged, the second has 1/4 and those below the list 1/4."""
    residual = "rbp_residual(p=0.5)"
    assert evaluate({"q": ["a", "b"]}, {"q": {"a": 1, "b": -1}}, residual).value(residual) == 0.5
    assert evaluate({"q": ["a", "b"]}, {"q": {"a": 1, "b": 0}}, residual).value(residual) == 0


def test_unjudged_items_are_removed_from_ranks_and_lists() -> None:
    ranks = {**{name: RUN[name] for name in ("query", "item")}, "rank": [1, 2, 3, 4, 1, 2]}
    lists = {"query": [1, 2], "item": [list("abcd"), list("ab")]}
    for run, options in ((ranks, {"rank": "rank"}), (lists, {})):
        assert values(run, QRELS, "rr", unjudged="drop", **options) == {"rr": 0.75}


def test_a_query_without_judged_items_is_missing() -> None:
    run = {"query": [1, 1, 2], "item": list("bdz"), "score": [2.0, 1.0, 1.0]}
    assert values(run, QRELS, "rr", unjudged="drop") == {"rr": 0.25}
    assert values(run, QRELS, "rr", unjudged="drop", missing="skip") == {"rr": 0.5}


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [[1, 3, 4, 2, 5], [1.0, 3.0, 4.0, 2.0, 5.0]])
def test_given_ranks_keep_gaps(ranks: list[float]) -> None:
    run = {**RANKED, "rank": ranks}
    assert values(run, LIKED, "rr,recall@3", rank="rank", ranks="given") == {"rr": (1 / 4 + 1 / 2) / 2, "recall@3": 0.5}
    assert values(run, LIKED, "rr,recall@3", rank="rank", ranks="renumber") == {"rr": (1 / 3 + 1) / 2, "recall@3": 1.0}


def test_given_ranks_keep_gaps_in_large_runs() -> None:
    """DuckDB's fast plan for ranks applies from 100,000 rows, and leaves lists with gaps to the definitions."""
    with duckdb.connect() as connection:
        connection.execute("""
            CREATE TABLE run AS
                SELECT query, item, CASE WHEN item >= 3 THEN item + 5 ELSE item + 1 END AS rank
                FROM range(12000) AS queries (query), range(10) AS items (item);
            CREATE TABLE qrels AS
                SELECT query, query * 7 % 10 AS item, 1 AS relevance FROM range(12000) AS queries (query);
        """)
        found = evaluate("run", "qrels", "rr@5,rr@20", rank="rank", ranks="given", connection=connection)
        for row in found.to_dicts():
            [(expected,)] = connection.execute(
                "SELECT avg(CASE WHEN rank <= ? THEN 1 / rank ELSE 0 END) FROM qrels JOIN run USING (query, item)",
                [row["k"]],
            ).fetchall()
            assert row["value"] == pytest.approx(expected, rel=0, abs=1e-12)


def test_given_ranks_stay_if_items_are_removed() -> None:
    options = {"rank": "rank", "exclude": {"query": [1], "item": ["b"]}}
    assert values(RANKED, LIKED, "rr", ranks="given", **options) == {"rr": (1 / 4 + 1 / 2) / 2}
    assert values(RANKED, LIKED, "rr", ranks="renumber", **options) == {"rr": (1 / 2 + 1) / 2}


@pytest.mark.parametrize("others", ["", ",recall@5", ",recall@10", ",recall,num_ret"])
def test_given_ranks_retrieve_all_items_of_a_list_whatever_else_is_asked(others: str) -> None:
    """The list holds three items, so that min(k, n) is 3 at k = 3, although only a is at a rank up to 3."""
    run = {"query": [1, 1, 1], "item": list("abc"), "rank": [1, 5, 6]}
    qrels = {"query": [1], "item": ["a"], "relevance": [1]}
    expected = {
        "precision(over=retrieved)@3": 1 / 3,
        "f1(over=retrieved)@3": 2 * 1 / (3 + 1),
        "fbeta(beta=2,over=retrieved)@3": 5 * 1 / (3 + 4 * 1),
        "judged@3": 1 / 3,
        "unjudged@3": 2 / 3,
    }
    found = values(run, qrels, ",".join(expected) + others, rank="rank", ranks="given")
    assert {name: found[name] for name in expected} == expected
    assert values(run, qrels, f"precision@3{others}", rank="rank", ranks="given", precision="retrieved") == {
        **{name: value for name, value in found.items() if name not in expected},
        "precision@3": 1 / 3,
    }


def test_given_ranks_retrieve_what_other_policies_leave_in_a_list() -> None:
    run = {"query": [1, 1, 1], "item": list("abc"), "rank": [1, 5, 6]}
    qrels = {"query": [1, 1], "item": list("ac"), "relevance": [1, 0]}
    asked: dict[str, Any] = {"metrics": "precision(over=retrieved)@3", "rank": "rank", "ranks": "given"}
    left: list[dict[str, Any]] = [{"exclude": {"query": [1], "item": ["b"]}}, {"unjudged": "drop"}, {"depth": 5}]
    for options in left:
        assert values(run, qrels, **asked, **options) == {"precision(over=retrieved)@3": 1 / 2}


@pytest.mark.slow
def test_a_list_with_given_ranks_below_every_cutoff_is_not_missing() -> None:
    run: dict[str, Any] = {"query": [1, 2], "item": list("aa"), "rank": [1, 3]}
    qrels = {"query": [1, 2], "item": list("aa"), "relevance": [1, 1]}
    policies: list[dict[str, Any]] = [{"missing": missing} for missing in ("zero", "skip", "error")]
    for options in policies:
        found = evaluate(run, qrels, "recall@1", rank="rank", ranks="given", **options)
        assert [(row["value"], row["queries"]) for row in found.to_dicts()] == [(0.5, 2)]
        assert (found.counts["run"].retrieved, found.counts["run"].both) == (2, 2)
    alone = {name: column[1:] for name, column in run.items()}
    assert values(alone, qrels, "recall@1", rank="rank", ranks="given") == {"recall@1": 0.0}
    # Each of two lists holds one item, so that no pair has an item in common at k = 1.
    assert values(run, qrels, "overlap@1", rank="rank", ranks="given") == {"overlap@1": 0.0}
    with pytest.raises(DataError, match="fewer candidates than k = 2"):
        evaluate(run, qrels, "recall@2", rank="rank", ranks="given", short="error")
    evaluate(run, qrels, "recall@1", rank="rank", ranks="given", short="error")


def test_renumbered_ranks_only_give_the_order() -> None:
    run = {"query": [1, 1, 1], "item": list("abc"), "rank": [-0.5, 7.0, 7.0]}
    qrels = {"query": [1], "item": ["b"], "relevance": [1]}
    assert values(run, qrels, "rr", rank="rank", ranks="renumber") == {"rr": 1 / 3}  # c before b, as among scores
    assert values(run, qrels, "rr", rank="rank", ranks="renumber", ties="item") == {"rr": 1 / 2}


@pytest.mark.parametrize("kind", ["UTINYINT", "UBIGINT", "TINYINT", "DECIMAL(5, 1)", "FLOAT"])
def test_renumbered_ranks_may_have_any_numeric_type(kind: str) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"""
            CREATE TABLE run AS SELECT 1 AS query, item, CAST(rank AS {kind}) AS rank
            FROM (VALUES ('a', 3), ('b', 100), ('c', 5)) AS rows (item, rank)
        """)
        qrels = {"query": [1], "item": ["c"], "relevance": [1]}
        assert values("run", qrels, "rr", rank="rank", ranks="renumber", connection=connection) == {"rr": 0.5}


def test_ranks_that_cannot_be_used_as_they_are_raise() -> None:
    for ranks in ([0, 1, 2, 1, 2], [1, 1, 2, 1, 2]):
        with pytest.raises(
            DataError, match=r"not different numbers from 1 on .* query=1.*If ranks begin with 0, add 1"
        ):
            evaluate({**RANKED, "rank": ranks}, LIKED, "rr", rank="rank", ranks="given")
    with pytest.raises(DataError, match=r"if ranks begin with 0, add 1.*ranks='renumber'"):
        evaluate({**RANKED, "rank": [0, 1, 2, 0, 1]}, LIKED, "rr", rank="rank")
    with pytest.raises(DataError, match=r"'rank' is NULL, or not a whole number .* query=1, item='b'"):
        evaluate({**RANKED, "rank": [1, 1.5, 3, 1, 2]}, LIKED, "rr", rank="rank")
    with pytest.raises(ArgumentError, match="ranks: 'given' needs a rank column"):
        evaluate(RUN, QRELS, "rr", ranks="given")
    with pytest.raises(ArgumentError, match="min_score: 1.0 needs a score"):
        evaluate(RANKED, LIKED, "rr", rank="rank", ranks="renumber", min_score=1)


def test_the_best_of_duplicate_judgements_counts_for_a_ranked_run() -> None:
    qrels = {"query": [1, 1, 2], "item": list("cca"), "relevance": [0, 1, 1]}
    run = {**RANKED, "rank": [1, 2, 3, 1, 2]}
    with pytest.raises(DataError, match="duplicates='best'"):
        evaluate(run, qrels, "rr", rank="rank")
    assert values(run, qrels, "rr", rank="rank", duplicates="best") == {"rr": (1 / 3 + 1) / 2}
    assert values({"query": [1, 2], "item": [list("abc"), list("ab")]}, qrels, "rr", duplicates="best") == {
        "rr": (1 / 3 + 1) / 2
    }


def test_the_best_rank_of_a_duplicate_item_counts_if_ranks_are_renumbered() -> None:
    run = {"query": [1] * 4, "item": list("abac"), "rank": [1, 2, 3, 4]}
    qrels = {"query": [1], "item": ["c"], "relevance": [1]}
    expected = "more than once in a query's list .*you can pass duplicates='best' with ranks='renumber' instead"
    with pytest.raises(DataError, match=expected):
        evaluate(run, qrels, "rr", rank="rank", duplicates="best")
    assert values(run, qrels, "rr", rank="rank", duplicates="best", ranks="renumber") == {"rr": 1 / 3}


@pytest.mark.slow
def test_the_best_duplicate_is_offered_only_where_it_is_accepted() -> None:
    twice = {"query": [1, 1], "item": ["a", "a"], "score": [2, 1]}
    rows, lists = {"query": [1], "item": ["a"], "relevance": [1]}, {"query": [1], "item": [["a"]]}
    with pytest.raises(DataError, match="duplicates='best'"):
        evaluate(twice, rows, "rr")
    assert evaluate(twice, rows, "rr", duplicates="best").value("rr") == 1
    for run, qrels in ((twice, lists), ({"query": [1], "item": [["a", "a"]]}, rows)):
        with pytest.raises(DataError, match=r"more than once .*Remove the duplicates\. If the lists .* as model=\.$"):
            evaluate(run, qrels, "rr")
    with pytest.raises(DataError, match=r"the qrels judge|The qrels judge .*Remove the duplicates\.$"):
        evaluate(rows | {"score": [1]}, {"query": [1], "item": [["a", "a"]]}, "rr")


def test_a_list_of_given_ranks_that_the_depth_cuts_to_nothing_is_missing() -> None:
    run = {"query": [1, 2], "item": ["c", "a"], "rank": [5, 1]}
    given: dict[str, Any] = {"rank": "rank", "ranks": "given", "missing": "skip"}
    assert values(run, LIKED, "rr,num_q", **given) == {"rr": (1 / 5 + 1) / 2, "num_q": 2}
    assert values(run, LIKED, "rr,num_q", depth=2, **given) == {"rr": 1.0, "num_q": 1}


def test_an_empty_run_has_the_values_of_missing_queries() -> None:
    assert values(EMPTY_RUN, QRELS, "rr,num_q", empty="allow") == {"rr": 0.0, "num_q": 2}
    assert values(EMPTY_RUN, QRELS, "rr", empty="allow", missing="skip") == {"rr": None}
    with pytest.raises(DataError, match="The run has no rows"):
        evaluate(EMPTY_RUN, QRELS, "rr")


def test_an_empty_run_among_others_is_a_model() -> None:
    result = evaluate({"full": RUN, "none": EMPTY_RUN}, QRELS, "rr", empty="allow")
    assert result.means.fetchall() == [("full", "rr", None, 0.625, 2), ("none", "rr", None, 0.0, 2)]
    assert result.counts["none"].missing == 2


def test_a_model_that_is_null_is_refused_where_empty_models_are_allowed() -> None:
    run = {**RUN, "system": ["one"] * (len(RUN["query"]) - 1) + [None]}
    with pytest.raises(DataError, match="the model is NULL in the run"):
        evaluate(run, QRELS, "rr", model="system", empty="allow")


@pytest.mark.slow
def test_a_model_without_judged_items_is_a_model() -> None:
    run = {**RUN, "system": ["full"] * 4 + ["none"] * 2, "item": list("abcdxy")}
    result = evaluate(run, QRELS, "rr", model="system", unjudged="drop", empty="allow")
    assert result.means.fetchall() == [
        ("full", "rr", None, 0.25, 2),
        ("none", "rr", None, 0.0, 2),
    ]


@pytest.mark.parametrize("run", [RUN, EMPTY_RUN])
def test_empty_qrels_have_a_mean_over_no_queries(run: dict[str, Any]) -> None:
    result = evaluate(run, EMPTY_QRELS, "rr,recall@2", empty="allow")
    assert result.means.fetchall() == [("run", "rr", None, None, 0), ("run", "recall", 2, None, 0)]
    assert result.per_query.fetchall() == []
    two = evaluate({"a": run, "b": run}, EMPTY_QRELS, "rr", empty="allow").means.fetchall()
    assert two == [("a", "rr", None, None, 0), ("b", "rr", None, None, 0)]


def test_qrels_without_relevant_items_have_the_values_of_such_queries() -> None:
    qrels = {**QRELS, "relevance": [0, 0, 0, 0]}
    assert values(RUN, qrels, "rr", empty="allow") == {"rr": 0.0}
    assert values(RUN, qrels, "rr", empty="allow", no_relevant="skip") == {"rr": None}
    with pytest.raises(DataError, match="no row of the qrels is relevant|No row of the qrels is relevant"):
        evaluate(RUN, qrels, "rr")


def test_empty_training_data_leave_popularity_undefined() -> None:
    empty: dict[str, list[Any]] = {"query": [], "item": []}
    found = values(RUN, QRELS, "popularity@2,rr", training=empty, empty="allow")
    assert found == {"popularity@2": None, "rr": 0.625}


def test_metrics_that_need_no_judgements_need_no_qrels() -> None:
    assert values(RUN, metrics="coverage@2,overlap@2", catalog=CATALOG) == {"coverage@2": 2 / 6, "overlap@2": 1.0}
    assert values({"query": [1, 2], "item": [["a", "b"], ["a"]]}, metrics="overlap@2") == {"overlap@2": 0.5}
    sliced = evaluate({**RUN, "country": list("xxxxyy")}, metrics="popularity@2", training=TRAINING, by="country")
    assert [(row["country"], row["value"]) for row in sliced.to_dicts()] == [(None, 0.75), ("x", 0.75), ("y", 0.75)]
    assert "without relevant" not in repr(sliced)
    assert "relevance" not in sql("run", metrics="overlap@2", dialect="postgres").partition("qrels")[0]
    with pytest.raises(ArgumentError, match="no_relevant: 'skip' needs judgements"):
        evaluate(RUN, metrics="overlap@2", no_relevant="skip")


def test_without_qrels_every_query_of_the_run_counts() -> None:
    two = {"long": RUN, "short": {name: column[:4] for name, column in RUN.items()}}
    assert evaluate(two, metrics="popularity@2", training=TRAINING).value("popularity@2", model="short") == 0.75
    assert evaluate(two, metrics="popularity@2", training=TRAINING).counts["short"].missing == 1
    judged = {"query": [1, 2], "item": ["z", "z"], "relevance": [1, 1]}
    with_qrels = values(RUN, judged, "overlap@2,popularity@2", training=TRAINING)
    assert values(RUN, metrics="overlap@2,popularity@2", training=TRAINING) == with_qrels


def test_a_pool_holds_the_unjudged_items_that_a_metric_reads() -> None:
    runs = {"one": RUN, "two": {"query": [1, 1, 3], "item": list("zab"), "score": [2.0, 1.0, 1.0]}}
    found = pool(runs, QRELS, "ndcg@1,rr@2")
    assert found.columns == ["query", "item", "best_rank", "models"]
    # Query 3 is not judged at all. c of query 1 is only pooled, but below rank 2.
    assert found.fetchall() == [(1, "a", 1, 2), (1, "z", 1, 1), (2, "b", 2, 1), (3, "b", 1, 1)]
    assert pool(RUN, metrics="ndcg@1").fetchall() == [(1, "a", 1, 1), (2, "a", 1, 1)]


def test_a_pool_has_the_names_of_the_user_and_follows_policies() -> None:
    run = {"item": [1, 1], "query": ["a", "b"], "score": [2.0, 1.0]}  # the names of the two columns are swapped
    qrels = {"item": [1], "query": ["a"], "relevance": [0]}
    found = pool(run, qrels, "recall@2", query="item", item="query", min_score=1.5)
    assert (found.columns, found.fetchall()) == (["item", "query", "best_rank", "models"], [])
    found = pool(run, qrels, "recall@2", query="item", item="query")
    assert found.fetchall() == [(1, "b", 2, 1)]


def test_models_in_a_column_are_in_the_result_if_no_query_is_judged() -> None:
    run = {"model": ["A", "A", "B"], "query": [1, 2, 1], "item": ["a", "b", "a"], "score": [1.0, 2.0, 3.0]}
    exclude = {"query": [1], "item": ["a"]}
    for pairs, retrieved in ((None, [2, 1]), (exclude, [1, 0])):
        result = evaluate(run, EMPTY_QRELS, "rr", model="model", empty="allow", exclude=pairs)
        assert [(row["model"], row["value"], row["queries"]) for row in result.to_dicts()] == [
            ("A", None, 0),
            ("B", None, 0),
        ]
        assert [counts.retrieved for counts in result.counts.values()] == retrieved
    assert evaluate(RUN, EMPTY_QRELS, "rr", empty="allow").counts["run"].retrieved == 2


def test_a_column_of_models_without_rows_names_no_model() -> None:
    for qrels in (QRELS, EMPTY_QRELS):
        with pytest.raises(DataError, match="column 'system' names no model: the run has no rows"):
            evaluate({**EMPTY_RUN, "system": []}, qrels, "rr", model="system", empty="allow")
    nulls = {**RUN, "system": ["A"] * 6, "score": [None] * 6}
    with pytest.raises(DataError, match="names no model: the run has no rows, or nulls='drop' removes all of them"):
        evaluate(nulls, QRELS, "rr", model="system", nulls="drop", empty="allow")


def test_a_model_without_judged_items_is_an_error_that_names_the_policy() -> None:
    other = {"query": [1], "item": ["z"], "score": [1.0]}
    with pytest.raises(DataError, match="A run has no rows .*model='other'.* unjudged='drop'"):
        evaluate({"run": RUN, "other": other}, QRELS, "rr", unjudged="drop")
    run = {"model": ["A", "B"], "query": [1, 1], "item": ["b", "z"], "score": [1.0, 1.0]}
    with pytest.raises(DataError, match="Every row of a model is left out.* model='B'.* unjudged='drop'"):
        evaluate(run, QRELS, "rr", model="model", unjudged="drop")


def test_a_model_whose_scores_are_all_null_is_not_lost_in_silence() -> None:
    run = {"model": ["A", "B"], "query": [1, 1], "item": ["b", "b"], "score": [1.0, None]}
    policies: list[Literal["allow", "error"]] = ["allow", "error"]
    for empty in policies:
        with pytest.raises(DataError, match="Every row of a model is left out.* model='B'.* nulls='drop'"):
            evaluate(run, QRELS, "rr", model="model", nulls="drop", empty=empty)


def test_a_pool_is_ordered_by_query_rank_and_item_and_leaves_no_table_on_the_connection() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE run AS SELECT range // 40 AS query, range % 40 AS item, range % 5 AS score FROM range(9999)"
        )
        connection.execute("CREATE TABLE other AS SELECT query, item, hash(item, query) % 97 AS score FROM run")
        found = pool({"run": "run", "other": "other"}, None, "rr@9", connection=connection)
        rows = found.fetchall()
        assert rows == sorted(rows, key=lambda row: (row[0], row[2], row[1]))
        assert rows == found.fetchall()
        assert [row[0] for row in connection.sql("SELECT table_name FROM duckdb_tables()").fetchall()] == [
            "other",
            "run",
        ]


def test_a_pool_refuses_a_duplicate_item_in_the_part_of_a_list_that_the_metrics_read() -> None:
    run = {"query": [7, 7, 7], "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}
    with pytest.raises(DataError, match=r"The run holds an item \(column 'item'\) more than once .*query=7, item='a'"):
        pool(run, metrics="recall@3")
    assert pool(run, metrics="recall@2").fetchall() == [(7, "a", 1, 1), (7, "b", 2, 1)]
    assert pool(run, metrics="recall@3", duplicates="best").fetchall() == [(7, "a", 1, 1), (7, "b", 2, 1)]


def test_a_column_of_a_pool_gets_a_number_if_the_user_has_its_name() -> None:
    run = {"Models": [1], "best_rank": ["a"], "score": [1.0]}
    found = pool(run, metrics="recall@3", query="Models", item="best_rank")
    assert (found.columns, found.fetchall()) == (["Models", "best_rank", "best_rank_1", "models_1"], [(1, "a", 1, 1)])
    statement = sql("run", metrics="recall@3", query="Models", item="best_rank", pool=True)
    assert 'AS "best_rank_1"' in statement


def test_the_command_line_prints_a_pool(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run").write_text("q1 Q0 a 1 2 m\nq1 Q0 b 2 1 m\n")
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    arguments = ["pool", str(tmp_path / "run"), "--qrels", str(tmp_path / "qrels"), "-m", "P_5"]
    assert main(arguments) == 0
    assert capsys.readouterr().out == "query,item,best_rank,models\nq1,b,2,1\n"
    assert main([*arguments, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"query": "q1", "item": "b", "best_rank": 2, "models": 1}]


def test_depth_cuts_each_list() -> None:
    run = {"query": [1, 1, 1, 2], "item": list("abca"), "score": [3.0, 2.0, 1.0, 1.0]}
    qrels = {"query": [1, 1, 2], "item": list("bca"), "relevance": [1, 1, 1]}
    assert values(run, qrels, "recall,recall@3,precision,rr,num_ret", depth=2) == {
        "recall": 0.75, "recall@3": 0.75, "precision": 0.75, "rr": 0.75, "num_ret": 3,
    }  # fmt: skip
    assert values(run, qrels, "recall@1", depth=2) == values(run, qrels, "recall@1")
    invalid: tuple[Any, ...] = (0, 2.5, "many")
    for depth in invalid:
        with pytest.raises(ArgumentError, match="depth: must be a whole number from 1 to"):
            evaluate(run, qrels, "recall", depth=depth)
    with pytest.raises(ArgumentError, match="depth: 'auc' needs whole lists"):
        evaluate(run, qrels, "auc", depth=2)
    with pytest.raises(ArgumentError, match="depth: ties='expected' needs whole lists"):
        evaluate(run, qrels, "recall", depth=2, ties="expected")


@pytest.mark.slow
def test_qrels_depth_keeps_the_nearest_of_each_list() -> None:
    run = {"q": ["a", "x", "b"], "r": ["c"]}
    truth = {"q": ["a", "b", "c", "d"], "r": ["d", "c"]}
    assert values(run, truth, "recall@1,3", qrels_depth=1) == {"recall@1": 0.5, "recall@3": 0.5}
    assert values(run, truth, "recall@1,3", qrels_depth=2) == {"recall@1": 0.5, "recall@3": 0.75}
    assert values(run, truth, "recall@3", qrels_depth=9) == values(run, truth, "recall@3")
    rows = {"query": ["q", "r"], "item": [*truth.values()]}
    assert values(run, rows, "recall@3", qrels_depth=2) == {"recall@3": 0.75}
    labelled = {"query": ["q", "r"], "item": [*run.values()], "near": [*truth.values()]}
    assert values(labelled, None, "recall@3", relevance="near", qrels_depth=2) == {"recall@3": 0.75}
    assert "only the first 2 of each list relevant" in evaluate(run, truth, "recall@3", qrels_depth=2).notes[0]


def test_qrels_depth_cuts_neighbours_in_arrays() -> None:
    generator = np.random.default_rng(0)
    near = np.array([generator.permutation(500)[:100] for _ in range(8)])
    found = np.array([generator.permutation(each[:14])[:10] for each in near])
    recall = np.mean([len({*one} & {*other[:10]}) / 10 for one, other in zip(found, near, strict=True)])
    assert values(found, near, "recall@10", qrels_depth=10) == {"recall@10": pytest.approx(recall)}
    assert check(found, near, "recall@10", qrels_depth=10).clean


@pytest.mark.parametrize(
    ("qrels", "what"),
    [
        ([("q", "a", 1)], "single items"),
        ({"q": {"a": 1}}, "single items"),
        ({"q": {"a": 1}, "r": {}}, "maps"),
        ({"q": {"a", "b"}}, "sets, which have no order"),
    ],
)
def test_qrels_depth_needs_lists(qrels: Any, what: str) -> None:
    with pytest.raises(ArgumentTypeError, match=f"qrels_depth= cuts lists .* holds {what}. Pass lists, .* QUALIFY"):
        evaluate({"q": ["a"]}, qrels, qrels_depth=1)


def test_qrels_depth_is_a_whole_number_and_needs_judgements() -> None:
    with pytest.raises(ArgumentError, match="qrels_depth: must be a whole number from 1 to"):
        evaluate({"q": ["a"]}, {"q": ["a"]}, qrels_depth=0)
    with pytest.raises(ArgumentError, match="qrels_depth: it cuts the lists of relevant items"):
        evaluate({"q": ["a"]}, metrics="overlap@1", qrels_depth=1)


def test_the_command_line_and_written_statements_cut_the_truth(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE run AS SELECT 'q' AS query, ['a', 'b'] AS item")
    connection.execute("CREATE TABLE near AS SELECT 'q' AS query, ['a', 'c', 'b'] AS item")
    for name in ("run", "near"):
        connection.execute(f"COPY {name} TO '{tmp_path}/{name}.parquet'")
    text = sql("run", "near", "recall@2", qrels_depth=2, connection=connection)
    assert [row[3] for row in connection.sql(text).fetchall()] == [0.5]
    arguments = ["evaluate", f"{tmp_path}/run.parquet", "--qrels", f"{tmp_path}/near.parquet", "-m", "recall@2"]
    assert main([*arguments, "--qrels-depth", "2", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["value"] == 0.5


RANKS_AND_SCORES: dict[str, Any] = {
    "ranks": {"query": ["q", "q"], "item": ["a", "b"], "rank": [1, 2]},
    "scores": {"query": ["q", "q"], "item": ["a", "b"], "score": [0.1, 0.9]},
}


@pytest.mark.slow
def test_one_run_may_hold_ranks_and_another_scores() -> None:
    for runs in (RANKS_AND_SCORES, dict(reversed(RANKS_AND_SCORES.items()))):
        result = evaluate(runs, {"q": ["a"]}, "rr", rank="rank")
        assert (result.value("rr", model="ranks"), result.value("rr", model="scores")) == (1.0, 0.5)
        assert check(runs, {"q": ["a", "b"]}, "rr", rank="rank").clean
    runs = {**RANKS_AND_SCORES, "scores": {"query": ["q", "q"], "item": ["a", "b"], "distance": [0.1, 0.9]}}
    result = evaluate(runs, {"q": ["a"]}, "rr", rank="rank", score="distance", order="ascending")
    assert result.value("rr", model="scores") == 1.0


def test_ranks_beside_scores_are_checked() -> None:
    runs = {**RANKS_AND_SCORES, "gaps": {"query": ["q", "q"], "item": ["a", "b"], "rank": [1, 3]}}
    with pytest.raises(DataError, match="values of column 'rank' in a query are not 1, 2, 3 .* model='gaps'"):
        evaluate(runs, {"q": ["a"]}, "rr", rank="rank")
    assert {fault.check for fault in check(runs, {"q": ["a", "b"]}, "rr", rank="rank")} == {"ranks"}
    result = evaluate(runs, {"q": ["b"]}, "rr", rank="rank", ranks="renumber")
    assert result.value("rr", model="gaps") == 0.5
    with pytest.raises(ArgumentError, match="ranks='given' needs ranks in every run, but run 'scores' has no"):
        evaluate(runs, {"q": ["a"]}, "rr", rank="rank", ranks="given")


@pytest.mark.parametrize("other", [{"q": {"a": 0.1, "b": 0.9}}, RANKS_AND_SCORES["scores"]])
def test_one_run_may_hold_lists_and_another_scores(other: Any) -> None:
    result = evaluate({"lists": {"q": ["a", "b"]}, "scores": other}, {"q": ["a"]}, "rr")
    assert (result.value("rr", model="lists"), result.value("rr", model="scores")) == (1.0, 0.5)


def test_lists_beside_distances_keep_their_order() -> None:
    distances = {"query": ["q", "q"], "item": ["a", "b"], "distance": [0.9, 0.1]}
    runs = {"lists": {"q": ["a", "b"]}, "distances": distances}
    result = evaluate(runs, {"q": ["a"]}, "rr", score="distance", order="ascending")
    assert (result.value("rr", model="lists"), result.value("rr", model="distances")) == (1.0, 0.5)


def test_lists_have_no_score_to_reach() -> None:
    runs = {"lists": {"q": ["a", "b"]}, "scores": {"q": {"a": 0.1, "b": 0.9}}}
    with pytest.raises(ArgumentError, match=r"min_score: 0\.5 needs a score in every run, but .*'item' holds lists"):
        evaluate(runs, {"q": ["a"]}, "rr", min_score=0.5)


@pytest.mark.slow
def test_one_run_may_hold_lists_and_another_ranks() -> None:
    runs = {"lists": {"q": ["b", "a"]}, "ranks": RANKS_AND_SCORES["ranks"]}
    result = evaluate(runs, {"q": ["a"]}, "rr", rank="rank")
    assert (result.value("rr", model="lists"), result.value("rr", model="ranks")) == (0.5, 1.0)


@pytest.mark.parametrize("nulls", ["error", "last"])
@pytest.mark.parametrize(
    ("empty", "run", "qrels", "side"),
    [
        ([], {"query": [1, 2], "item": [["a"], ["b"]]}, {"query": [1, 2], "item": [["a"], None]}, "qrels"),
        ({}, {"query": [1, 2], "item": [["a"], ["b"]]}, {"query": [1, 2], "item": [{"a": 1}, None]}, "qrels"),
        ([], {"query": [1, 2], "item": [["a"], None]}, {1: ["a"], 2: ["b"]}, "run"),
        ({}, {"query": [1, 2], "item": [{"a": 0.5}, None]}, {1: ["a"], 2: ["b"]}, "run"),
    ],
)
def test_a_null_list_is_refused_or_left_out_but_an_empty_list_is_not(
    empty: Any, run: Any, qrels: Any, side: str, nulls: Any
) -> None:
    for ask in (evaluate, pool) if nulls == "error" else (evaluate,):
        with pytest.raises(DataError, match=rf"NULL in the {side} \(1 case\), for example query=2, item=None"):
            ask(run, qrels, "recall@1", nulls=nulls)
    kept = evaluate(run, qrels, "recall@1", nulls="drop")
    expected = (1.0, 1) if side == "qrels" else (0.5, 2)  # a query that is missing from the run is still judged
    assert (kept.value("recall@1"), kept.counts["run"].judged) == expected
    assert f"1 row of the {side} left out" in kept.notes[0]
    given = run if side == "run" else qrels
    given = {**given, "item": [given["item"][0], empty]}
    run, qrels = (given, qrels) if side == "run" else (run, given)
    assert evaluate(run, qrels, "recall@1", nulls=nulls).value("recall@1") == 0.5


def test_null_lists_of_a_labelled_run_and_beside_scores_are_refused() -> None:
    labelled = {"query": [1, 2], "item": [["a"], ["b"]], "relevance": [["a"], None]}
    message = r"'relevance' is NULL in the qrels .* If a query has nothing relevant, give it an empty list or map\."
    with pytest.raises(DataError, match=message):
        evaluate(labelled, metrics="recall@1")
    runs = {"lists": {"query": [1, 2], "item": [["a"], None]}, "scores": {1: {"a": 1.0}, 2: {"b": 1.0}}}
    with pytest.raises(DataError, match="NULL in the run .* model='lists', query=2, item=None"):
        evaluate(runs, {1: ["a"], 2: ["b"]}, "recall@1")


def test_check_counts_null_lists_once() -> None:
    found = check({1: ["a"], 2: ["b"]}, {"query": [1, 2], "item": [["a"], None]}, "recall@1")
    assert [(fault.check, fault.faults) for fault in found] == [("qrels_ids", 1), ("unjudged_queries", 1)]
