"""Policies for incomplete input: unjudged items, ranks with gaps, empty data, and questions without qrels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from recall_duckdb import evaluate, pool, sql
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, DataError

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


def test_unjudged_items_are_removed_from_ranks_and_lists() -> None:
    ranks = {**{name: RUN[name] for name in ("query", "item")}, "rank": [1, 2, 3, 4, 1, 2]}
    lists = {"query": [1, 2], "item": [list("abcd"), list("ab")]}
    for run, options in ((ranks, {"rank": "rank"}), (lists, {})):
        assert values(run, QRELS, "rr", unjudged="drop", **options) == {"rr": 0.75}


def test_a_query_without_judged_items_is_missing() -> None:
    run = {"query": [1, 1, 2], "item": list("bdz"), "score": [2.0, 1.0, 1.0]}
    assert values(run, QRELS, "rr", unjudged="drop") == {"rr": 0.25}
    assert values(run, QRELS, "rr", unjudged="drop", missing="skip") == {"rr": 0.5}


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
    with pytest.raises(DataError, match="more than once in a query's list"):
        evaluate(run, qrels, "rr", rank="rank", duplicates="best")
    assert values(run, qrels, "rr", rank="rank", duplicates="best", ranks="renumber") == {"rr": 1 / 3}


def test_an_empty_run_has_the_values_of_missing_queries() -> None:
    assert values(EMPTY_RUN, QRELS, "rr,num_q", empty="allow") == {"rr": 0.0, "num_q": 2}
    assert values(EMPTY_RUN, QRELS, "rr", empty="allow", missing="skip") == {"rr": None}
    with pytest.raises(DataError, match="The run has no rows"):
        evaluate(EMPTY_RUN, QRELS, "rr")


def test_an_empty_run_among_others_is_a_model() -> None:
    result = evaluate({"full": RUN, "none": EMPTY_RUN}, QRELS, "rr", empty="allow")
    assert result.means.fetchall() == [("full", "rr", None, 0.625, 2), ("none", "rr", None, 0.0, 2)]
    assert result.counts["none"].missing == 2


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
