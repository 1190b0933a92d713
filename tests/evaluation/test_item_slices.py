"""Slices of items: recall and similar metrics of the relevant items in each slice, by their ranks in the whole list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from asking import fails, metric_file
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st
from reference import Row, reference

from recall_duckdb import ArgumentError, DataError, UnknownNameError, check, compare, evaluate, sql
from recall_duckdb.cli import main
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.reading import in_item_slices

# q1 has relevant items of both tiers, q2 only of the tail. q3 has none, and q4 is missing from the run.
RUN: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q1", "q1", "q2", "q2", "q3"],
    "item": ["a", "b", "x", "y", "x", "y", "a"],
    "score": [4.0, 3.0, 2.0, 1.0, 2.0, 1.0, 1.0],
}
QRELS: dict[str, list[Any]] = {
    "query": ["q1", "q1", "q1", "q2", "q2", "q3", "q4"],
    "item": ["a", "x", "y", "y", "z", "a", "b"],
    "relevance": [1, 1, 1, 1, 1, 0, 1],
}
ITEMS: dict[str, list[Any]] = {"item": ["a", "b", "x", "y", "z"], "tier": ["head", "head", "tail", "tail", "tail"]}
BY_TIER: dict[str, Any] = {"item_by": "tier", "item_slices": ITEMS}


def test_recall_in_a_slice_is_that_of_its_relevant_items_at_their_ranks_in_the_whole_list() -> None:
    result = evaluate(RUN, QRELS, "recall@3", **BY_TIER)
    assert result.means.fetchall() == [
        ("run", None, "recall", 3, (2 / 3 + 1 / 2 + 0 + 0) / 4, 4),
        ("run", "head", "recall", 3, (1 + 0) / 2, 2),  # q1 finds a; q4 is missing, and counts as 0
        ("run", "tail", "recall", 3, (1 / 2 + 1 / 2) / 2, 2),  # q1 finds x at rank 3, but y is at rank 4
    ]
    assert result.value("recall@3", by={"tier": "tail"}) == 0.5


def test_a_query_counts_only_in_the_slices_of_its_relevant_items() -> None:
    assert evaluate(RUN, QRELS, "recall@3", **BY_TIER).per_query.fetchall() == [
        ("run", "q1", None, 2 / 3), ("run", "q1", "head", 1.0), ("run", "q1", "tail", 0.5), ("run", "q2", None, 0.5),
        ("run", "q2", "tail", 0.5), ("run", "q3", None, 0.0), ("run", "q4", None, 0.0), ("run", "q4", "head", 0.0),
    ]  # fmt: skip


@pytest.mark.parametrize("no_relevant", ["zero", "skip"])
def test_no_relevant_decides_only_about_the_total(no_relevant: Any) -> None:
    result = evaluate(RUN, QRELS, "recall@3", no_relevant=no_relevant, **BY_TIER)
    queries = {row["tier"]: row["queries"] for row in result.to_dicts()}
    assert queries == {None: 4 if no_relevant == "zero" else 3, "head": 2, "tail": 2}


def test_a_query_that_the_run_lacks_follows_the_policy_missing_in_a_slice_too() -> None:
    result = evaluate(RUN, QRELS, "recall@3", missing="skip", **BY_TIER)
    assert result.value("recall@3", by={"tier": "head"}) == 1


def test_the_total_and_the_counts_are_those_without_slices() -> None:
    metrics = ["recall@1,3", "rr", "dcg@2", "num_rel"]
    sliced, whole = evaluate(RUN, QRELS, metrics, **BY_TIER), evaluate(RUN, QRELS, metrics)
    assert [row for row in sliced.to_dicts() if row.pop("tier") is None] == whole.to_dicts()
    assert sliced.counts == whole.counts
    assert sliced.to_trec(each_query=True) == whole.to_trec(each_query=True)


def test_items_can_be_sliced_by_several_columns_of_any_type() -> None:
    items = {**ITEMS, "is_new": [True, False, True, False, False]}
    result = evaluate(RUN, QRELS, "hits@4", item_by=["tier", "is_new"], item_slices=items)
    assert [(row["tier"], row["is_new"], row["value"]) for row in result.to_dicts()] == [
        (None, None, 1.0), ("head", False, 0.0), ("head", True, 1.0), ("tail", False, 1.0), ("tail", True, 1.0),
    ]  # fmt: skip


scores = st.sampled_from([0.1, 0.2, 0.2, 0.3])
judgement = st.tuples(st.integers(0, 3), st.integers(0, 5))
METRICS = [
    *("recall@1,2,4", "recall", "recall(threshold=2)@2", "hits@2", "hit_rate@2", "rr", "dcg@3", "num_rel"),
    *("num_rel_ret", "dcg(gain=exponential)@2", "rbp@3", "rbp(p=0.5,gain=linear)"),
]


@examples(100)
@given(
    run=st.dictionaries(judgement, scores, min_size=1),
    qrels=st.dictionaries(judgement, st.sampled_from([-1, 0, 1, 1, 2, 3]), min_size=1),
    tiers=st.lists(st.sampled_from("ab"), min_size=6, max_size=6),
    policies=st.fixed_dictionaries(
        {
            "ties": st.sampled_from(["item_desc", "item", "expected"]),
            "missing": st.sampled_from(["zero", "skip"]),
            "threshold": st.sampled_from([None, 2]),
        }
    ),
)
def test_a_slice_equals_the_reference_with_only_its_items_relevant(
    run: dict[tuple[int, int], float], qrels: dict[tuple[int, int], int], tiers: list[str], policies: dict[str, Any]
) -> None:
    columns = {"query": [query for query, _ in run], "item": [item for _, item in run], "score": list(run.values())}
    judged = {"query": [query for query, _ in qrels], "item": [item for _, item in qrels]}
    items = {"item": list(range(6)), "tier": tiers}
    result = evaluate(
        columns, {**judged, "relevance": list(qrels.values())}, METRICS, item_by="tier", item_slices=items,
        empty="allow", **policies,
    )  # fmt: skip
    names = [str(metric) for metric in result.data.plan.metrics]
    rows = [((query,), item, score) for (query, item), score in run.items()]
    for tier in sorted(set(tiers)):
        of_slice: list[Row] = [
            ((query,), item, grade if tiers[item] == tier else min(grade, 0)) for (query, item), grade in qrels.items()
        ]
        for name in names:
            threshold = 2 if "threshold=2" in name else policies["threshold"]
            relevant = {query for query, _, grade in of_slice if grade is not None and grade >= (threshold or 1)}
            kept = [row for row in of_slice if row[0] in relevant]
            expected = reference(rows, kept, [name], **policies).means[name]
            found = [row for row in result.to_dicts() if row["tier"] == tier and _named(row) == name]
            assert found or not expected.queries
            for row in found:
                assert row["queries"] == expected.queries
                assert row["value"] == pytest.approx(expected.value, abs=1e-12)


def _named(row: dict[str, Any]) -> str:
    return row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"


@pytest.mark.slow
def test_models_are_compared_within_slices() -> None:
    runs = {"old": RUN, "new": {**RUN, "item": ["b", "x", "a", "y", "y", "x", "a"]}}
    found = evaluate(runs, QRELS, "recall@1", **BY_TIER).compare("old")
    assert found.value("recall@1", "queries") == 4
    assert found.value("recall@1", "delta", by={"tier": "head"}) == -0.5
    assert found.value("recall@1", "delta", by={"tier": "tail"}) == 0.25
    assert found.changes("recall@1").fetchall()[0] == ("q1", "head", 1.0, 0.0, -1.0)


@pytest.fixture
def files(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tables: dict[str, dict[str, list[Any]]] = {"run": RUN, "qrels": QRELS, "items": ITEMS}
    with duckdb.connect() as connection:
        for name, columns in tables.items():
            names, rows = ", ".join(columns), ", ".join(map(str, zip(*columns.values(), strict=True)))
            connection.sql(f"SELECT * FROM (VALUES {rows}) AS rows ({names})").write_csv(f"{name}.csv")


ARGUMENTS = ["--qrels", "qrels.csv", "-m", "recall@3", "--item-by", "tier", "--item-slices", "items.csv"]


@pytest.mark.slow
def test_a_report_lists_whole_queries_and_draws_slices(tmp_path: Any) -> None:
    result = evaluate({"old": RUN, "new": {**RUN, "item": RUN["item"][::-1]}}, QRELS, "recall@3", **BY_TIER)
    path = tmp_path / "report.html"
    result.report(path, baseline="old")
    text = path.read_text("utf-8")
    queries = text.partition("<h2>Queries</h2>")[2].partition("<h2>Data</h2>")[0]
    assert '<span class="change">' in queries
    assert not re.search(">(head|tail)<", queries)
    assert "<h2>Differences in slices</h2>" in text


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_the_command_line_slices_items_and_gates_each_slice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--per-query", "old.parquet"]) == 0
    assert "tail  recall@3        2  0.5000" in capsys.readouterr().out
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--not-below", "old.parquet"]) == 0
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--at-least", "recall@3=0.3", "--missing", "skip"]) == 0
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--at-least", "recall@3=0.55", "--missing", "skip"]) == 1
    assert "recall@3 of run in tier=tail is 0.5000, below 0.55" in capsys.readouterr().err


@pytest.mark.usefixtures("files")
def test_a_slice_that_only_the_baseline_has_fails_a_gate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--per-query", "old.parquet"]) == 0
    table = Path("items.csv").read_text()
    Path("items.csv").write_text(table.replace("tail", "head"))
    assert main(["evaluate", "run.csv", *ARGUMENTS, "--not-below", "old.parquet"]) == 1
    assert "recall@3 of run in tier=tail has no query in common with the baseline" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_values_in_files_are_compared_within_slices(capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(RUN, QRELS, "recall@1", **BY_TIER).write_per_query("old.parquet", "parquet")
    new = {**RUN, "item": ["b", "x", "a", "y", "y", "x", "a"]}
    evaluate(new, QRELS, "recall@1", **BY_TIER).write_per_query("new.csv", "csv")
    found = compare({"old": "old.parquet", "new": "new.csv"}, baseline="old", item_by="tier")
    assert found.value("recall@1", "delta", by={"tier": "tail"}) == 0.25
    assert main(["compare", "--values", "old.parquet", "new.csv", "--baseline", "old", "--item-by", "tier"]) == 0
    assert "tail  recall@1" in capsys.readouterr().out
    with pytest.raises(DataError, match="a query is in several rows.*pass their columns as item_by="):
        compare({"old": "old.parquet", "new": "new.csv"}, baseline="old")
    with pytest.raises(ArgumentError, match="item_by: slices of items do not combine"):
        compare({"old": "old.parquet", "new": "new.csv"}, baseline="old", by="tier", item_by="tier")


@pytest.mark.slow
def test_files_of_several_slice_columns_are_compared_as_the_runs_are(tmp_path: Any) -> None:
    items = {**ITEMS, "is_new": [True, False, True, False, False]}
    asked: dict[str, Any] = {"metrics": "recall@1", "item_by": ["tier", "is_new"], "item_slices": items}
    runs = {"old": RUN, "new": {**RUN, "item": ["b", "x", "a", "y", "y", "x", "a"]}}
    paths = {name: str(tmp_path / f"{name}.parquet") for name in runs}
    for name, run in runs.items():
        evaluate(run, QRELS, **asked).write_per_query(paths[name], "parquet")
    found = compare(paths, baseline="old", item_by=["tier", "is_new"])
    assert found.to_dicts() == evaluate(runs, QRELS, **asked).compare("old").to_dicts()


def test_an_item_that_no_query_needs_may_lack_a_slice() -> None:
    items = {"item": ["a", "b", "x", "y", "z", "w"], "tier": ["head", "head", "tail", "tail", "tail", None]}
    assert evaluate(RUN, QRELS, "recall@3", item_by="tier", item_slices=items).value("recall@3", by={"tier": "tail"})


def test_items_are_sliced_by_popularity_and_pairs_by_their_judgements() -> None:
    connection = duckdb.connect().register("judged", pa.table({**QRELS, "is_new": [0, 1, 1, 0, 0, 0, 0]}))
    connection.execute("CREATE TABLE train AS FROM (VALUES ('a'), ('a'), ('b'), ('b'), ('x'), ('y'), ('z')) AS t(item)")
    halves = "(SELECT item, ntile(2) OVER (ORDER BY count(*) DESC, item) AS half FROM train GROUP BY item)"
    result = evaluate(RUN, QRELS, "recall@2", item_by="half", item_slices=halves, connection=connection)
    assert result.value("recall@2", by={"half": 1}) == (1 / 2 + 0) / 2  # a, b and x are popular: q1 finds a, not x
    new = evaluate(RUN, "(SELECT * FROM judged WHERE is_new = 1)", "recall@3", connection=connection)
    assert new.value("recall@3") == 0.5  # q1 finds x at rank 3 of its whole list, and y only at rank 4


def test_with_nulls_drop_an_item_without_a_slice_counts_only_in_the_total() -> None:
    items = {"item": ["a", "b", "x", None], "tier": ["head", "head", "tail", "tail"]}
    result = evaluate(RUN, QRELS, "num_rel", item_by="tier", item_slices=items, nulls="drop")
    assert {row["tier"]: row["value"] for row in result.to_dicts()} == {None: 6, "head": 2, "tail": 1}


def test_check_looks_at_the_items_too() -> None:
    items = {"item": ["a", "a", "x", "y", "z"], "tier": ITEMS["tier"]}
    found = {fault.check for fault in check(RUN, QRELS, "recall@3", item_by="tier", item_slices=items)}
    assert {"item_slices_duplicates", "item_slices_missing"} <= found


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"item_by": "tier"}, ArgumentError, "item_by: pass item_slices= too"),
        ({"item_slices": ITEMS}, ArgumentError, "item_slices: pass item_by= too"),
        ({**BY_TIER, "by": "country"}, ArgumentError, "do not combine with slices of queries"),
        ({**BY_TIER, "item_by": "item"}, ArgumentError, "item_by: 'item' names the query or the item"),
        ({**BY_TIER, "item_by": "model"}, ArgumentError, "item_by: the result has a column 'model'"),
        ({**BY_TIER, "item_by": "recall@3"}, ArgumentError, "item_by: the result has a column 'recall@3'"),
        ({**BY_TIER, "item_by": "tiers"}, UnknownNameError, "item_slices .* has no column 'tiers'"),
        ({**BY_TIER, "metrics": ["recall@3", "ndcg@3"]}, ArgumentError, "item_by: 'ndcg@3' has no meaning within"),
        ({**BY_TIER, "metrics": "rbp(over=ideal)@3"}, ArgumentError, r"'rbp\(over=ideal\)@3' has no meaning"),
    ],
)
def test_what_has_no_meaning_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    fails(error, message, evaluate, RUN, QRELS, **{"metrics": "recall@3", **arguments})


@pytest.mark.parametrize("name", sorted(set(templates.own_metrics()) - set(in_item_slices()) - {"partial_auc"}))
def test_other_metrics_are_refused_by_name(name: str) -> None:
    with pytest.raises(ArgumentError, match="has no meaning|needs|no requested metric"):
        sql("run", "qrels", name, item_by="tier", item_slices="items")


def test_a_metric_of_the_user_can_be_sliced_if_its_head_says_so(tmp_path: Any) -> None:
    lost = "CAST(sum(CASE WHEN is_relevant = 1 AND rank IS NULL THEN 1 ELSE 0 END) AS DOUBLE)"
    asked: dict[str, Any] = {"metrics": "lost", "metric_folder": tmp_path, **BY_TIER}
    metric_file(tmp_path, "lost", lost, head="-- Slices: items\n")
    assert evaluate(RUN, QRELS, **asked).value("lost", by={"tier": "head"}) == 0.5
    metric_file(tmp_path, "lost", lost)
    fails(ArgumentError, "'lost' has no meaning", evaluate, RUN, QRELS, **asked)
    # Only aggregates over judged are grouped by slice.
    metric_file(tmp_path, "lost", lost, "FROM judged AS j", head="-- Slices: items\n")
    fails(ArgumentError, "'lost' has no meaning", evaluate, RUN, QRELS, **asked)
