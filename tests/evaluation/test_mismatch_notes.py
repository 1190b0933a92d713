"""A result says if run and qrels seem not to fit together."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from asking import fails

from recall_duckdb import DataError, RecallWarning, agreement, check, evaluate, pool
from recall_duckdb.cli import main

SPELLINGS = [("A", "a"), (" a", "a"), ("007", "7"), ("11.0", "11"), ("e\u0301", "\u00e9")]


def quiet(*arguments: Any, **options: Any) -> list[str]:
    """Return the notes of an evaluation that must not warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return evaluate(*arguments, **options).notes


NEAR_ITEM = "differs from a judged one only in case, blanks, leading zeros"
USERS = {"user": ["A", "b"], "day": [1, 1], "item": ["i", "j"]}
MANY_NUMBERS, MANY_TEXTS = {"q": [*map(str, range(10))]}, {"q": [f"d{number}" for number in range(10)]}


@pytest.mark.parametrize(
    ("run", "qrels", "options", "expected"),
    [
        ({"q": ["x"]}, {"q": ["a"]}, {}, r"no item of the run is judged for its query .*item='x', judged_item='a'"),
        (
            {**USERS, "score": [1.0, 1.0]}, {**USERS, "user": ["a", "b"], "relevance": [1, 1]},
            {"query": ["user", "day"]},
            "user='A', day=1, judged_query_1='a', judged_query_2=1, difference_of_query_1='case'",
        ),
        ({"good": {"q": {"a": 1.0}}, "other": {"q": {"x": 1.0}}}, {"q": {"a": 1}}, {}, "model='other'"),
        *(
            ({"q": [retrieved]}, {"q": [judged]}, {}, "only in a number at the end, as a chunk differs from its doc")
            for retrieved, judged in (("d1#3", "d1"), ("d1_chunk_3", "d1"), ("d1", "d1-3"), ("d1", "d1:3"))
        ),
    ],
)  # fmt: skip
def test_a_run_that_seems_not_to_fit_the_qrels_gets_a_warning(
    run: Any, qrels: Any, options: dict[str, Any], expected: str
) -> None:
    with pytest.warns(RecallWarning, match=expected):
        evaluate(run, qrels, "recall@2", **options)


def test_other_numbers_at_the_end_are_no_chunks() -> None:
    for retrieved, judged in (("d_1", "d_2"), ("d1", "d13"), ("d1#3", "d2")):
        with pytest.warns(RecallWarning, match="no item of the run is judged") as caught:
            result = evaluate({"q": [retrieved]}, {"q": [judged]}, "recall@2")
        assert "chunk" not in str(caught[0].message)
        assert result.value("recall@2") == 0
        assert result.notes == [
            "run: 1 query judged, 1 retrieved",
            "no item of the run is judged for its query (1 case), for example candidates=1, "
            f"item={retrieved!r}, judged_item={judged!r}",
        ]


@pytest.mark.parametrize(("retrieved", "judged"), SPELLINGS)
def test_another_spelling_of_an_item_gets_a_note(retrieved: str, judged: str) -> None:
    run, qrels = {"q": ["x", retrieved], "r": ["y"]}, {"q": ["x", judged], "r": ["y"]}
    for given, truth in ((run, qrels), (qrels, run)):
        with pytest.warns(RecallWarning, match=r"only in case, blanks, .* \(1 case\), for example query='q', item="):
            assert evaluate(given, truth, "recall@2").value("recall@2") == 0.75
    with pytest.warns(RecallWarning, match=NEAR_ITEM):  # no other item matches
        evaluate({"q": [retrieved]}, {"q": [judged]}, "recall@2")
    told = r"^The run holds none of the queries .* Unicode form \(1 case\), for example query=.* in the same way in run"
    fails(DataError, told, evaluate, {retrieved: ["b"]}, {judged: ["b"]}, "recall@2")


def test_numbers_against_other_text_are_an_error() -> None:
    told = r"items of only one side are numbers \(1 case\), for example item='0'"
    fails(DataError, told, evaluate, MANY_NUMBERS, MANY_TEXTS, "recall@2")
    fails(DataError, "items of only one side are numbers", evaluate, MANY_TEXTS, MANY_NUMBERS, "recall@2")


@pytest.mark.parametrize(("retrieved", "judged"), SPELLINGS)
@pytest.mark.usefixtures("any_size")
def test_queries_in_another_spelling_get_a_note_although_others_match(retrieved: str, judged: str) -> None:
    run, qrels = {"x": ["a"], retrieved: ["b"]}, {"x": ["a"], judged: ["b"]}
    for given, truth, of_run, of_qrels in ((run, qrels, retrieved, judged), (qrels, run, judged, retrieved)):
        expected = (
            "a query of the run differs from a judged one only in case, blanks, leading zeros, a "
            f"final .0 or its Unicode form (1 case), for example query={of_run!r}, judged_query={of_qrels!r}, "
        )
        with pytest.warns(RecallWarning, match=re.escape(expected)):
            result = evaluate(given, truth, "recall@2")
        assert (result.value("recall@2"), len(result.notes)) == (0.5, 2)


EXCLUDED: dict[str, Any] = {"q": ["b"], "r": ["b"]}
WITHOUT_EFFECT = "exclude removes nothing: no pair of it is in the run, which is right only if the run was filtered"


@pytest.mark.slow
def test_an_exclude_that_removes_nothing_gets_a_note_with_a_pair_of_each_side() -> None:
    run, qrels = {"q": ["a"], "s": ["b"]}, {"q": ["a"], "s": ["b"]}
    for asked, metrics in ((qrels, "rr"), (None, "overlap@2")):
        with pytest.warns(RecallWarning, match=WITHOUT_EFFECT):
            [_, note] = evaluate(run, asked, metrics, exclude=EXCLUDED).notes
        assert note.endswith("for example query='q', item='a', excluded_query='q', excluded_item='b'")
    with pytest.warns(RecallWarning, match=WITHOUT_EFFECT):
        pool(run, qrels, "rr@2", exclude=EXCLUDED)
    with pytest.warns(RecallWarning, match=WITHOUT_EFFECT):
        agreement({"old": run, "new": run}, baseline="old", exclude=EXCLUDED)


@pytest.mark.parametrize(("retrieved", "excluded"), SPELLINGS)
def test_a_note_names_the_spelling_of_an_exclude_that_removes_nothing(retrieved: str, excluded: str) -> None:
    for run, given in (
        ({"q": [retrieved, "b"]}, {"q": [excluded]}),
        ({"q": ["b"], retrieved: ["i"]}, {excluded: ["i"]}),
    ):
        with pytest.warns(RecallWarning, match=r"a pair of exclude differs from a row of the run only in case, blanks"):
            assert len(evaluate(run, {"q": ["b"]}, "rr", exclude=given).notes) == 3
    labelled = {"query": [1, 1], "item": [retrieved, "b"], "score": [2, 1], "relevance": [0, 1]}
    with pytest.warns(RecallWarning, match="a pair of exclude differs from a row of the run"):
        evaluate(labelled, metrics="rr", exclude={"query": [1], "item": [excluded]})


def test_a_pool_warns_of_queries_in_another_spelling() -> None:
    with pytest.warns(RecallWarning, match="a query of the run .* query='7', judged_query='007'"):
        pool({"7": ["a"], "x": ["a"]}, {"007": ["a"], "x": ["a"]}, "rr@2")


def many(*, zeros: int) -> tuple[dict[str, list[object]], dict[str, list[object]]]:
    """Return a run and qrels of 300 queries; in this many queries, the item of the run has leading zeros."""
    items = [f"00{query}" if query < zeros else f"{query}" for query in range(300)]
    run: dict[str, list[object]] = {"query": [*range(300)], "item": [*items], "score": [1] * 300}
    return run, {"query": [*range(300)], "item": [*map(str, range(300))], "relevance": [1] * 300}


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        # Queries or items such as A and a may be two, if both are retrieved or judged.
        ({"a": ["i"], "A": ["i"]}, {"a": ["i"], "x": ["i"]}), ({"A": ["i"], "b": ["i"]}, {"A": ["i"], "c": ["i"]}),
        ({1: ["i"], 2: ["i"]}, {1: ["i"], 3: ["i"]}), ({"q": ["a", "A"]}, {"q": ["a", "x"]}),
        ({"q": ["A", "b"]}, {"q": ["A", "c"]}), ({"q": ["007", "7"]}, {"q": ["007"]}), many(zeros=0),
        ({"q": {"a": 1.0}}, {"q": {"a": 0, "b": 1}}),  # a judged item that is not relevant is enough
    ],
)  # fmt: skip
def test_ids_of_one_spelling_get_no_note(run: Any, qrels: Any) -> None:
    assert len(quiet(run, qrels, "recall@2")) == 1


def test_an_exclude_that_removes_a_row_or_is_empty_gets_no_note() -> None:
    run, qrels = {"q": ["a", "b"], "r": ["b"]}, {"q": ["b"], "r": ["b"]}
    given: dict[str, Any]
    for given in ({"q": ["a", "A"], "z": ["a"]}, {"query": [], "item": []}):
        assert len(quiet(run, qrels, "rr", exclude=given)) == 1
    assert len(quiet({"old": run, "new": {"q": ["b"]}}, qrels, "rr", exclude={"q": ["a"]})) == 2
    assert quiet({"query": [], "item": [], "score": []}, {"q": ["a"]}, "recall@2", empty="allow") == [
        "run: 1 query judged, 0 retrieved; 1 missing from the run, counted as 0"
    ]


def test_an_exclude_that_is_the_qrels_and_scores_that_are_all_equal_get_a_note_where_they_decide(any_size: str) -> None:
    run = {"query": [*range(16)] * 2, "item": [1] * 16 + [2] * 16, "score": [1.0] * 32}
    qrels = {"query": [*range(16)], "item": [1] * 16, "relevance": [1] * 16}
    with pytest.warns(RecallWarning, match="all values of column 'score' are equal"):
        evaluate(run, qrels, "recall@1")
    with pytest.warns(RecallWarning, match="exclude holds nearly all relevant items"):
        evaluate({**run, "score": [*range(32)]}, qrels, "recall@2", exclude=qrels)
    assert [len(quiet(run, qrels, metrics)) for metrics in ("recall,precision", "recall@2")] == [1, 1]
    assert len(quiet(run, qrels, "recall@1", ties="expected")) == 1


def test_other_spellings_are_counted(any_size: str) -> None:
    large = any_size == "large"
    with pytest.warns(RecallWarning, match="leading zeros") as caught:
        result = evaluate(*many(zeros=200), "recall@2")
    assert result.value("recall@2") == 1 / 3
    assert str(caught[0].message).startswith("in a sample of up to 100 queries, ") == large
    assert ("(100 cases)" if large else "(200 cases)") in str(caught[0].message)


def test_swapped_columns_are_recognized() -> None:
    qrels = {"query": ["q", "r"], "item": ["a", "b"], "relevance": [1, 1]}
    run = {"item": ["q", "r"], "query": ["a", "b"], "score": [1, 1]}
    with pytest.raises(
        DataError, match="none of the queries .*The columns of query and item are swapped .*Swap query="
    ):
        evaluate(run, qrels, "rr")
    swapped = evaluate(run, qrels, "rr", query="item", item="query", qrels_query="query", qrels_item="item")
    assert swapped.value("rr") == 1
    fails(DataError, r"compare the items too\.$", evaluate, {**run, "item": ["x", "y"]}, qrels, "rr")


@pytest.mark.usefixtures("any_size")
def test_negative_relevance_gets_a_note() -> None:
    result = evaluate({"q": ["a", "b"]}, {"q": {"a": -1, "b": 1}}, "rr")
    assert result.notes[1:] == [
        "relevance below 0 means pooled but not judged: neither relevant nor judged as not relevant (1 case), for "
        "example query='q', item='a', relevance=-1.0"
    ]
    labelled = {"query": [1, 1], "item": ["a", "b"], "score": [2, 1], "relevance": [-0.5, 1]}
    assert "relevance below 0" in evaluate(labelled, metrics="rr").notes[1]


@pytest.mark.slow
@pytest.mark.usefixtures("any_size")
def test_qrels_without_other_items_get_a_note_if_a_metric_counts_these() -> None:
    run = {"query": [1, 1], "item": ["a", "x"], "score": [2, 1]}
    relevant = {"query": [1, 1], "item": ["a", "b"], "relevance": [1, 2]}
    expected = "every item of the qrels is relevant, so nothing is judged as not relevant for {} to count"
    assert evaluate(run, relevant, "bpref,rr,judged@2").notes[1:] == [expected.format("bpref, judged@2")]
    assert evaluate(run, relevant, "rr", unjudged="drop").notes[1:] == [expected.format("unjudged='drop'")]
    assert evaluate(run, relevant, "rr,recall@2").notes[1:] == []
    assert evaluate(run, {**relevant, "relevance": [1, 0]}, "bpref").notes[1:] == []
    assert evaluate(run, relevant, "bpref", threshold=2).notes[1:] == []
    for qrels, relevance in ((relevant, None), ({1: ["a", "b"]}, "relevance"), ({"query": [1], "item": [["a"]]}, None)):
        assert evaluate(run, qrels, "bpref", relevance=relevance).notes[1:] == []


@pytest.mark.usefixtures("any_size")
def test_grades_that_are_all_relevant_get_a_note_if_a_threshold_decides() -> None:
    run = {"query": [1, 1], "item": ["a", "x"], "score": [2, 1]}
    stars = {"query": [1, 1, 1], "item": ["a", "b", "c"], "relevance": [1, 4, 5]}
    expected = (
        "every grade of the qrels is relevant for {}: pass threshold= if low grades mean not relevant (3 cases), for "
        "example relevance=1.0"
    )

    def noted(metrics: str, qrels: Any = stars, **arguments: Any) -> list[str]:
        return evaluate(run, qrels, metrics, **arguments).notes[1:]

    assert noted("rr,recall@2") == [expected.format("rr and recall@2")]
    assert noted("ndcg@2,ndcg(gain=binary)@2") == [expected.format("ndcg(gain=binary)@2")]
    assert noted("ndcg@2") == []  # a grade is a gain
    assert noted("rr", threshold=4) == []
    assert noted("rr(threshold=4)") == []
    assert noted("rr", relevance=None) == []
    for relevance in ([0, 4, 5], [1, 2, 2], [1, 1, 1]):
        assert noted("rr", {**stars, "relevance": relevance}) == []


def test_the_first_rank_of_a_trec_run_should_have_the_best_score(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"

    def noted(lines: str, **options: Any) -> list[str]:
        path.write_text(lines)
        return evaluate(path, {"q": ["a"]}, "rr", **options).notes[1:]

    good = "q Q0 a 1 0.9 t\nq Q0 b 2 0.9 t\nr Q0 a 0 0.5 t\nr Q0 b 0 0.7 t\n"  # some tools write one rank for all
    assert noted(good) == []
    [note] = noted(good + "s Q0 a 1 0.1 t\ns Q0 b 2 0.2 t\n")
    assert "ranks are ignored, but in 1 list the first rank does not have the highest score" in note
    assert "query='s'" in note
    distances: Any = "q Q0 a 1 0.1 t\nq Q0 b 2 0.2 t\nr Q0 a 1 0.1 t\nr Q0 b 2 0.1 t\n"
    assert noted(distances, order="ascending") == []
    assert "have the highest score" in noted(distances)[0]
    [note] = noted(distances + "s Q0 a 1 0.9 t\ns Q0 b 2 0.2 t\n", order="ascending")
    assert "in 1 list the first rank does not have the lowest score" in note


def test_a_trec_run_with_one_score_gets_a_note(tmp_path: Path) -> None:
    (tmp_path / "run.trec").write_text("q Q0 a 1 1 t\nq Q0 b 2 1 t\nr Q0 a 1 1 t\n")
    [_, note] = evaluate(tmp_path / "run.trec", {"q": ["a"]}, "rr").notes
    assert "ranks are ignored, but in 1 list" in note
    assert "all scores are equal, for example query='q'" in note


def test_check_counts_items_in_another_spelling_that_do_not_make_every_metric_0() -> None:
    found = check({"q": ["a", "B"]}, {"q": ["a", "b"]}, "recall@2")
    assert [(fault.check, fault.faults) for fault in found] == [("near_items", 1)]
    found = check({"q": ["a"], "R": ["a"]}, {"q": ["a"], "r": ["a"]}, "recall@1")
    assert ("near_queries", 1) in [(fault.check, fault.faults) for fault in found]
    found = check({"Q": ["a"]}, {"q": ["a"]}, "recall@1", skip=["near_queries", "missing"])
    assert {fault.check for fault in found} == {"no_common_query", "no_common_item", "unjudged_queries"}


def test_the_command_line_warns_on_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.csv").write_text("query,item,score\nq,x,1\n")
    (tmp_path / "qrels.csv").write_text("query,item,relevance\nq,a,1\n")
    assert main(["evaluate", f"{tmp_path}/run.csv", "--qrels", f"{tmp_path}/qrels.csv", "--format", "json"]) == 0
    assert capsys.readouterr().err == (
        "recall-duckdb: no item of the run is judged for its query (1 case), for example candidates=1, item='x', "
        "judged_item='a'\n"
    )


QUERIES = [f"q{number}" for number in range(8)]
RANKED = {query: [f"d{place}" for place in range(20)] for query in QUERIES}
RELEVANT = {query: [f"d{place}" for place in range(number % 4 + 1)] for number, query in enumerate(QUERIES)}
SCORED = {query: {item: 1 / (place + 2) for place, item in enumerate(items)} for query, items in RANKED.items()}
GRADED = {query: dict.fromkeys(items, 1) for query, items in RELEVANT.items()}
RANKED_PAIRS = {query: list(scores.items()) for query, scores in SCORED.items()}


@pytest.mark.parametrize("run", [RANKED, SCORED, RANKED_PAIRS], ids=["lists", "scores", "pairs"])
@pytest.mark.parametrize("qrels", [RELEVANT, GRADED], ids=["lists", "grades"])
def test_swapped_arguments_are_recognized(run: Any, qrels: Any) -> None:
    for other in (qrels, {"old": qrels, "new": qrels}):
        with pytest.warns(RecallWarning, match="run and qrels look swapped"):
            assert "look swapped" in repr(evaluate(other, run, "rr"))
    assert "swapped" not in "".join(quiet(run, qrels, "rr"))


def test_swapped_lists_by_position_or_with_one_relevant_item_are_recognized() -> None:
    given: list[tuple[Any, Any]] = [([*RANKED.values()], [*RELEVANT.values()])]
    given += [(SCORED, {query: {"d3": 1} for query in QUERIES})]
    for run, qrels in given:
        with pytest.warns(RecallWarning, match="run and qrels look swapped"):
            assert evaluate(qrels, run, "rr").value("rr") == 1
        assert "swapped" not in repr(evaluate(run, qrels, "rr"))


def test_swapped_frames_are_recognized_by_whole_grades_and_full_lists_of_scores() -> None:
    run, qrels = (pd.DataFrame([(query, *pair) for query, numbers in data.items() for pair in numbers.items()],
                               columns=["query", "item", "score"]) for data in (SCORED, GRADED))  # fmt: skip
    for scores, grades in ((run, qrels.assign(score=5)), (run.to_dict("list"), qrels.to_dict("list"))):
        with pytest.warns(RecallWarning, match="run and qrels look swapped"):
            evaluate(grades, scores, "rr", relevance="score")
        assert "swapped" not in repr([quiet(scores, judged, "rr", relevance="score") for judged in (grades, scores)])


def test_true_neighbors_and_fractional_relevance_do_not_look_swapped() -> None:
    top = {query: items[:5] for query, items in RANKED.items()}
    cut = {query: items[: 5 - (number == 2)] for number, (query, items) in enumerate(RANKED.items())}
    watched = {query: dict([*SCORED[query].items()][: 12 + number]) for number, query in enumerate(QUERIES)}
    columns = {"query": [1] * 20, "item": [*range(20)], **{f"other {number}": [*range(20)] for number in range(9)}}
    one, few = {query: {"d3": 1} for query in QUERIES}, {query: items[:9] for query, items in RANKED.items()}
    for run, qrels in ((top, RANKED), (cut, RANKED), (one, RANKED), (top, watched), (SCORED, watched), (RELEVANT, few)):
        assert "swapped" not in "".join(quiet(run, qrels, "rr"))
    quiet({1: [3], 2: [4, 5]}, columns, "rr", relevance=None)
    places = [(query, place) for query in range(9) for place in range(20)]
    judged = pd.DataFrame(
        [(query, place, 1 / (1 + place)) for query, place in places], columns=["query", "item", "relevance"]
    )
    run = pd.DataFrame(
        [(query, place, 4 - place) for query, place in places if place < 5], columns=["query", "item", "score"]
    )
    assert "swapped" not in repr(quiet(run, judged, "ndcg@5"))
