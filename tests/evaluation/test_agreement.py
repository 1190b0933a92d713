"""Agreement: how far the lists of models agree with those of a baseline, without judgements."""

from __future__ import annotations

import inspect
import json
from typing import Any

import duckdb
import pytest
from asking import Output, Patch, fails, output_of
from conftest import examples
from hypothesis import given
from hypothesis import strategies as st

from recall_duckdb import ArgumentError, DataError, RecallError, UnknownNameError, agreement
from recall_duckdb.cli import main

Lists = dict[int, list[int]]


def run_of(lists: Lists) -> dict[str, list[Any]]:
    """Return a run with these lists of items, best first."""
    rows = [(query, item, -place) for query, items in lists.items() for place, item in enumerate(items)]
    return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "score"))}


def rbo(one: list[int], other: list[int], p: float) -> float:
    """Rank-biased overlap as in equation 32 of Webber, Moffat and Zobel (2010), term by term."""
    shorter, longer = sorted((one, other), key=len)
    s, l = len(shorter), len(longer)  # noqa: E741  the names of the paper

    def overlap(depth: int) -> int:
        return len(set(shorter[:depth]) & set(longer[:depth]))

    total = sum(overlap(d) / d * p**d for d in range(1, l + 1))
    total += sum(overlap(s) * (d - s) / (s * d) * p**d for d in range(s + 1, l + 1))
    return (1 - p) / p * total + ((overlap(l) - overlap(s)) / l + overlap(s) / s) * p**l


def test_two_lists_are_compared_by_items_and_by_ranks() -> None:
    found = agreement({"old": run_of({1: [1, 2, 3]}), "new": run_of({1: [1, 2, 4]})}, baseline="old", k=3)
    assert found.to_dicts() == [
        {
            "model": "new", "k": 3, "jaccard": 2 / 4,
            "rbo": pytest.approx(0.1 / 0.9 * (0.9 + 0.9**2 + 2 / 3 * 0.9**3) + 2 / 3 * 0.9**3, abs=1e-12),
            "changed": 1, "queries": 1, "only_model": 0, "only_baseline": 0,
        }
    ]  # fmt: skip


def test_rbo_is_that_of_a_published_example() -> None:
    """The example of https://github.com/b4ny4n/rankmeasures."""
    runs = {"old": run_of({1: [1, 2, 3, 4, 5]}), "new": run_of({1: [2, 3, 4, 1, 5]})}
    found = agreement(runs, baseline="old")
    assert found.value("rbo") == pytest.approx(0.828, abs=0.0005)
    assert found.value("jaccard") == 1
    assert found.value("changed") == 1


lists = st.dictionaries(st.integers(0, 3), st.lists(st.integers(0, 8), unique=True, min_size=1), min_size=1)


@examples(100)
@given(old=lists, new=lists, k=st.sampled_from([1, 2, 5, None]), p=st.sampled_from([0.01, 0.5, 0.9, 0.999]))
def test_agreement_equals_the_plain_reference(old: Lists, new: Lists, k: int | None, p: float) -> None:
    runs, both = {"old": run_of(old), "new": run_of(new)}, sorted(old.keys() & new.keys())
    if not both:
        fails(DataError, "no model has a query in common", agreement, runs, baseline="old", k=k, p=p)
        return
    found = agreement(runs, baseline="old", k=k, p=p)
    pairs = {query: (old[query][:k], new[query][:k]) for query in both}
    jaccards = {query: len({*a} & {*b}) / len({*a} | {*b}) for query, (a, b) in pairs.items()}
    rbos = {query: rbo(a, b, p) for query, (a, b) in pairs.items()}
    [row] = found.to_dicts()
    assert row["queries"] == len(both)
    assert row["only_model"] == len(new.keys() - old.keys())
    assert row["only_baseline"] == len(old.keys() - new.keys())
    assert row["changed"] == sum(a != b for a, b in pairs.values())
    for name, values in (("jaccard", jaccards), ("rbo", rbos)):
        assert row[name] == pytest.approx(sum(values.values()) / len(both), abs=1e-12)
    queries = found.per_query().fetchall()
    assert {query: (jaccard, overlap) for _, query, jaccard, overlap, _ in queries} == {
        query: (pytest.approx(jaccards[query], abs=1e-12), pytest.approx(rbos[query], abs=1e-12)) for query in both
    }
    assert [row[3] for row in queries] == sorted(row[3] for row in queries)


def test_models_may_be_score_columns_or_a_column() -> None:
    run = {"user": [1, 1, 2, 2], "product": ["a", "b", "a", "b"], "old": [2.0, 1.0, 2.0, 1.0], "new": [1.0, 2.0] * 2}
    found = agreement(run, baseline="old", query="user", item="product", score=["old", "new"], k=1)
    assert found.value("changed") == 2
    assert found.per_query().columns == ["model", "user", "jaccard", "rbo", "changed"]
    long = {
        "m": [1, 1, 2, 2], "query": [1, 1, 1, 1], "item": ["a", "b", "a", "b"], "place": [1, 2, 2, 1],
    }  # fmt: skip
    assert agreement(long, baseline=1, model="m", rank="place").to_dicts()[0]["model"] == 2


def test_the_runs_may_be_restricted_and_recommend_only_some_items() -> None:
    runs = {"old": run_of({1: [1, 2, 3]}), "new": run_of({1: [2, 1, 3]})}
    assert agreement(runs, baseline="old", exclude={"query": [1], "item": [1]}).value("changed") == 0
    assert agreement(runs, baseline="old", items={"item": [3]}).value("rbo") == 1
    assert agreement(runs, baseline="old", min_score=-1).value("jaccard") == 1


def test_the_values_are_shown_with_what_was_compared() -> None:
    runs = {"old": run_of({1: [1], 2: [1]}), "new": run_of({1: [2]})}
    assert repr(agreement(runs, baseline="old")).splitlines() == [
        "model  jaccard@10  rbo@10  changed  queries",
        "-----  ----------  ------  -------  -------",
        "new        0.0000  0.0000        1        1",
        "baseline: old; rbo: rank-biased overlap, p = 0.9",
        "queries left out because only one of the two has a list: 0 of new, 1 of old",
    ]


def test_the_rows_are_a_relation() -> None:
    found = agreement({"old": run_of({1: [1]}), "new": run_of({1: [2]})}, baseline="old")
    assert found.rows.columns == list(found.to_dicts()[0])
    assert found.to_polars().height == 1
    assert "| new |" in found.to_markdown()
    assert "<table" in found._repr_html_()


RUNS = {"old": run_of({1: [1, 2]}), "new": run_of({1: [2, 1]})}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, ArgumentError, "baseline: there are several models. Name one of 'old', 'new'"),
        ({"baseline": "odl"}, UnknownNameError, "baseline: there is no model 'odl'"),
        ({"run": RUNS["old"], "baseline": "old"}, ArgumentError, "run: pass at least two models"),
        ({"baseline": "old", "k": 0}, ArgumentError, "k must be a whole number"),
        ({"baseline": "old", "p": 1}, ArgumentError, "p: a number from 0.01 to 0.999 is expected"),
        ({"baseline": "old", "p": "0.9"}, RecallError, "p: a number is expected"),
        ({"baseline": "old", "ties": "expected"}, ArgumentError, "ties: 'expected' gives no single list"),
        ({"baseline": "old", "query": "rbo"}, ArgumentError, "query: the result has a column 'rbo'"),
        ({"baseline": "old", "run": {**RUNS, "new": run_of({1: [1, 1]})}}, DataError, "more than once in a query"),
    ],
)
def test_what_cannot_be_compared_is_refused(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    fails(error, message, agreement, **{"run": RUNS, **arguments})


def test_a_model_must_be_named_if_there_are_several() -> None:
    found = agreement({**RUNS, "newer": RUNS["old"]}, baseline="old")
    fails(ArgumentError, "model: there are several models. Name one of 'new', 'newer'", found.value, "rbo")
    fails(UnknownNameError, "there is no model 'nwe'", found.per_query, model="nwe")
    fails(UnknownNameError, "there is no column 'rob'", found.value, "rob", model="new")


def test_it_takes_no_judgements() -> None:
    assert not {"qrels", "metrics", "threshold", "by"} & set(inspect.signature(agreement).parameters)
    with pytest.raises(TypeError, match=r"agreement\(\) got an unexpected keyword argument 'qrels'"):
        agreement(RUNS, baseline="old", qrels={})


@pytest.mark.slow
def test_the_command_line_compares_files(tmp_path: Any, monkeypatch: Patch, capsys: Output) -> None:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        for name, items in {"old": [1, 2, 3], "new": [2, 1, 3]}.items():
            rows = ", ".join(f"(1, {item}, {-place})" for place, item in enumerate(items))
            connection.sql(f"SELECT * FROM (VALUES {rows}) AS t (query, item, score)").write_csv(f"{name}.csv")
    files = ["old.csv", "new.csv", "--baseline", "old"]
    assert "new       0.0000  0.0000        1        1" in output_of(
        capsys, "agreement", *files, "-k", "1", "-p", "0.5"
    )
    assert "new     1.0000" in output_of(capsys, "agreement", *files, "-k", "none")
    assert json.loads(output_of(capsys, "agreement", *files, "--format", "json"))[0]["jaccard"] == 1
    assert main(["agreement", *files, "-k", "1", "--each-query", "--format", "csv"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "model,query,jaccard,rbo,changed"
    assert main(["agreement", "old.csv", "--baseline", "old"]) == 2


def test_a_model_whose_lists_are_all_empty_has_a_row() -> None:
    runs = {"old": run_of({1: [1, 2]}), "new": run_of({1: [1, 2]}), "empty": {**run_of({1: [1]}), "score": [-9.0]}}
    found = {row["model"]: row for row in agreement(runs, baseline="old", min_score=-5).to_dicts()}
    assert (found["new"]["queries"], found["empty"]["queries"], found["empty"]["only_baseline"]) == (1, 0, 1)


@pytest.mark.parametrize("p", [0.5, 0.7, 0.9, 0.98])
def test_identical_lists_have_an_rbo_of_exactly_1(p: float) -> None:
    run = run_of({1: list(range(30)), 2: [5]})
    assert agreement({"old": run, "new": run}, baseline="old", k=None, p=p).value("rbo") == 1


def test_the_highest_score_of_a_duplicate_may_count() -> None:
    run = {"query": [1, 1, 1], "item": ["a", "b", "a"], "score": [3.0, 2.0, 1.0]}
    assert agreement({"old": run, "new": run}, baseline="old", duplicates="best").value("jaccard") == 1
