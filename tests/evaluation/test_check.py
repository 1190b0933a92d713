"""`check` reports all faults of the data at once: each file in sql/checks finds its own fault, and nothing else."""

from __future__ import annotations

import csv
import io
import json
from itertools import permutations
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest
from asking import error_of, fails, output_of
from fault_cases import CASES, FILES, LIKED, LISTS, METRICS, QRELS, RANKS, RUN, TWO_ROWS, WEIGHTS, note, sampled
from random_data.plans import planned

from recall_duckdb import check, evaluate
from recall_duckdb.checking import Faults
from recall_duckdb.cli import main
from recall_duckdb.definitions import templates
from recall_duckdb.errors import DataError, RecallError, RecallWarning, UnknownNameError, pairs


def test_every_check_has_a_case() -> None:
    assert list(CASES) == sorted(templates.checks())


@pytest.mark.parametrize("name", CASES)
def test_a_check_finds_its_fault(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    arguments = {"metrics": METRICS, **case.arguments}
    if name == "metric_rows":
        (tmp_path / "two_rows.sql").write_text(TWO_ROWS)
        arguments["metric_folder"] = tmp_path
    run = case.run
    if name in FILES:
        text, told = FILES[name]
        run = tmp_path / run
        run.write_text(text)
    if case.ask is note:
        written = note(run, case.qrels, **arguments)
        rule = "near_items" if name == "unlike_forms" else name  # which looks for the items that have these forms
        assert templates.checks()[rule].head["Rule"].partition("{")[0] in written
        count = "1 case" if case.faults == 1 else f"{case.faults} cases"
        assert case.example is None or f"({count}), for example {pairs(case.example)}" in written
        return
    if case.ask is not check:
        with pytest.raises(DataError) as caught:
            case.ask(run, case.qrels, **arguments)
        shown = ", ".join(f"{key}={value!r}" for key, value in (case.example or {}).items())
        count = "1 case" if case.faults == 1 else f"{case.faults} cases"
        if name not in FILES:
            rule = templates.checks()[name].head["Rule"].partition("{")[0]
            told = f"({count}), for example {shown}. " if case.example else rule[1:]
        assert told in str(caught.value)
        return
    found = check(case.run, case.qrels, **arguments)
    [fault] = [row for row in found if row.check == name]
    assert fault.faults == case.faults
    assert fault.examples[:1] == ([] if case.example is None else [case.example])
    assert len(fault.examples) == (0 if case.example is None else min(3, case.faults))
    assert {row.check for row in found} == {name} | case.also
    assert "{" not in fault.rule + fault.do


@pytest.mark.slow
def test_evaluate_refuses_data_with_the_words_of_check() -> None:
    for name in ("gains", "grades"):
        case = CASES[name]
        [fault] = check(case.run, case.qrels, **case.arguments)
        with pytest.raises(DataError) as caught:
            evaluate(case.run, case.qrels, **case.arguments)
        assert fault.rule.casefold() in str(caught.value).casefold()
        assert fault.do in str(caught.value)
    assert evaluate(RUN, {**QRELS, "relevance": [0, 50, 1, -3]}, "ndcg").value("ndcg") is not None
    [fault] = check(RUN, {**QRELS, "relevance": [0, 50, 1, -3]}, "ndcg")
    assert fault.check == "unjudged_items"  # below 0 means pooled but not judged


@pytest.mark.parametrize(
    ("run", "qrels", "arguments"),
    [
        (RUN, QRELS, {}), (RUN, {"query": ["q1", "q2"], "item": [{"b": 1, "a": 0}, {"c": 1, "d": 0}]}, {}),
        (RANKS, QRELS, {"rank": "rank"}), (LISTS, LIKED, {}), (LISTS, QRELS, {}),
        ({**RUN, "relevance": QRELS["relevance"]}, None, {}),
        ({**RUN, "other": [4, 3, 2, 1]}, QRELS, {"score": ["score", "other"]}), ({"one": RUN, "two": RUN}, QRELS, {}),
        ({**RUN, "model": ["m"] * 4}, QRELS, {"model": "model"}),
        ({**LISTS, "model": ["m"] * 2}, LIKED, {"model": "model"}),
        ({**RUN, "day": [1, 1, 2, 2]}, {**QRELS, "day": [1, 1, 2, 2]}, {"query": ["query", "day"]}),
        (RUN, {**QRELS, "land": ["NL", "NL", "BE", "BE"]}, {"by": "land"}),
        ({**RUN, "land": ["NL", "NL", "BE", "BE"]}, QRELS, {"by": "land"}), (RUN, QRELS, {"weights": WEIGHTS}),
        (RUN, QRELS, {"metrics": ["ap", "rr", "recall"]}),
        (RUN, QRELS, {"threshold": 1, "min_score": 0.1, "semantics": "trec_eval_9"}),
        (RUN, {**QRELS, "relevance": [-1, 1, 1, -2]}, {}), (sampled(9), None, {"metrics": "recall@2"}),
    ],
)  # fmt: skip
def test_sound_data_are_clean(run: Any, qrels: Any, arguments: dict[str, Any]) -> None:
    found = check(run, qrels, **{"metrics": METRICS, **arguments})
    assert found.to_dicts() == []
    assert found.clean
    assert not found
    assert len(found.checks) > 10


@pytest.mark.slow
def test_all_faults_are_reported_at_once() -> None:
    run = {
        "user": ["q1", "q1", "q1", None, "q3"],
        "thing": ["a", "a", "b", "c", "d"],
        "points": [0.5, 0.5, None, 0.2, float("inf")],
    }
    qrels = {"user": ["q1", "q1", "q2", "q2"], "thing": ["a", "a", "b", None], "relevance": [1, 2, None, float("inf")]}
    found = check(run, qrels, "recall@2", query="user", item="thing", score="points")
    assert [(row.check, row.faults) for row in found] == [
        ("qrels_ids", 1), ("run_ids", 1), ("qrels_duplicates", 1), ("qrels_range", 1), ("qrels_relevance", 1),
        ("run_duplicates", 1), ("run_infinite", 1), ("run_scores", 1), ("short", 1), ("unjudged_queries", 1),
    ]  # fmt: skip
    examples = {row.check: row.examples[0] for row in found}
    assert examples["run_ids"] == {"user": None, "thing": "c"}
    assert examples["run_scores"] == {"user": "q1", "thing": "b"}
    assert "column 'points'" in next(row.rule for row in found if row.check == "run_scores")


@pytest.mark.parametrize("tied", range(1, 6))
def test_ties_are_reported_if_their_order_changes_the_number_of_hits(tied: int) -> None:
    for relevant in range(tied + 1):
        labels = [0, *[int(place < relevant) for place in range(tied)], 1]
        run = {
            "query": [1] * len(labels), "item": list(range(len(labels))), "relevance": labels,
            "score": [2, *[1] * tied, 0],
        }  # fmt: skip
        orders = [[0, *order, 1] for order in set(permutations(labels[1:-1]))]
        for first in (1, 2):  # every other cutoff, so that at most three have a fault: a check gives three examples
            cutoffs = range(first, tied + 3, 2)
            changed = [k for k in cutoffs if len({sum(order[:k]) for order in orders}) > 1]
            asked = [f"recall@{k}" for k in cutoffs]
            found = check(run, metrics=asked, skip=["no_relevant", "short"])
            assert [row.check for row in found] == (["ties"] if changed else []), relevant
            assert [row.faults for row in found] == ([len(changed)] if changed else []), relevant
            assert sorted(example["k"] for row in found for example in row.examples) == changed, relevant


@pytest.mark.parametrize(
    ("others", "is_reported"),
    [(4, True), (3, False)],  # of 15 items, lists of three are 20 %
)
def test_lists_look_sampled_if_they_hold_up_to_20_percent_of_the_items(others: int, is_reported: bool) -> None:
    run = sampled(11)
    for place, relevance in enumerate(run["relevance"]):
        if not relevance:
            run["item"][place] = f"other {place % others}"
    found = [fault.check for fault in check(run, metrics="recall@2")]
    assert ("sampled" in found) is is_reported


@pytest.mark.parametrize(
    ("ties", "is_refused"),
    [("item", True), ("item_desc", False)],  # a is on rank 1, or below b on rank 2
)
def test_labels_that_differ_are_refused_in_the_top_of_a_list(ties: Any, is_refused: bool) -> None:
    run = {"query": ["q"] * 3, "item": ["a", "a", "b"], "score": [2.0, 1.0, 2.0], "relevance": [0, 1, 0]}
    for path in ("evaluate", "definition"):
        with planned(path):
            if is_refused:
                with pytest.raises(DataError, match="labels copies of an item .* for example query='q', item='a'"):
                    evaluate(run, metrics="recall@1", ties=ties)
            else:
                assert evaluate(run, metrics="recall@1", ties=ties).value("recall@1") == 0


@pytest.mark.parametrize(("retrieved", "judged"), [(9, 10), (10, 9)])
def test_fewer_than_ten_items_of_another_form_may_differ_by_chance(retrieved: int, judged: int) -> None:
    """Ten on each side are refused by the check `unlike_items`."""
    qrels = {"q": {f"d{number}": 1 for number in range(judged)}}
    with pytest.warns(RecallWarning, match="no item of the run is"):
        assert evaluate({"q": [str(number) for number in range(retrieved)]}, qrels, "rr").value("rr") == 0


def test_nothing_is_unjudged_if_the_qrels_hold_only_relevant_items() -> None:
    run = {**RUN, "item": ["a", "b", "c", "z"]}
    assert check(run, {"query": ["q1", "q2"], "item": ["b", "c"], "relevance": [1, 1]}, "recall@2").clean
    found = check(run, {"query": ["q1", "q1", "q2"], "item": ["b", "a", "c"], "relevance": [1, 0, 1]}, "recall@2")
    assert found.to_dicts()[0]["examples"] == [{"query": "q2", "share": 0.5, "unjudged": 1}]


VANISHED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # a run whose rows are all left out, and why
    "unjudged": ({"item": ["z"], "score": [1.0]}, {"unjudged": "drop"}),
    "exclude": ({"item": ["a"], "score": [1.0]}, {"exclude": {"query": ["q1"], "item": ["a"]}}),
    "lists": ({"item": [["z"]]}, {"unjudged": "drop"}),
    "labels": ({"item": ["a"], "score": [1.0], "relevance": [1]}, {"exclude": {"query": ["q1"], "item": ["a"]}}),
    "depth": ({"item": ["a"], "rank": [5]}, {"rank": "rank", "ranks": "given", "depth": 2}),
    "no qrels": (
        {"item": ["a"], "score": [1.0]},
        {"metrics": "overlap@2", "exclude": {"query": ["q1"], "item": ["a"]}},
    ),
}


@pytest.mark.parametrize("case", VANISHED)
def test_a_column_of_models_that_are_all_left_out_is_refused_as_a_named_run_is(case: str) -> None:
    columns, policies = VANISHED[case]
    run, has_qrels = {"query": ["q1"], **columns}, case not in ("labels", "no qrels")
    qrels = {"query": ["q1"], "item": ["b"], "relevance": [1]} if has_qrels else None
    asked = {"metrics": "recall@2", **policies}
    fails(DataError, "", evaluate, {"one": run}, qrels, **asked)
    of_models = {**run, "system": ["one"]}
    with pytest.raises(DataError, match=r"Every row of a model is left out.*for example system='one'"):
        evaluate(of_models, qrels, model="system", **asked)
    if "exclude" in policies:
        assert "lost_models" in {row.check for row in check(of_models, qrels, model="system", **asked)}


def test_a_metric_file_of_the_whole_run_with_several_rows_raises(tmp_path: Path) -> None:
    text = TWO_ROWS.replace("  query AS query,\n", "")
    (tmp_path / "two_rows.sql").write_text(text)
    with pytest.raises(DataError, match=r"metric from your files \(two_rows\) has more than one row"):
        evaluate(RUN, QRELS, ["rr", "two_rows"], metric_folder=tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [
        {"by": "country", "query_slices": {"query": ["q1"], "country": ["NL"]}},
        {"weights": {"query": ["q1"], "weight": [1.0]}},
    ],
    ids=["slices", "weights"],
)
def test_a_table_of_users_that_lacks_some_counts_users(arguments: dict[str, Any]) -> None:
    """Given three models, a query without a row is one case, not three."""
    with pytest.raises(DataError, match=r"\(1 case\), for example query='q2'"):
        evaluate(dict.fromkeys(("old", "new", "newer"), RUN), QRELS, "rr", **arguments)


def test_checks_can_be_skipped() -> None:
    case = CASES["no_common_query"]
    assert [row.check for row in check(case.run, case.qrels, skip="missing")] != ["missing"]
    names = [row.check for row in check(case.run, case.qrels)]
    assert "missing" in names
    assert check(case.run, case.qrels, skip=names).clean
    fails(UnknownNameError, "there is no check 'tie'. Did you mean 'ties'?", check, RUN, QRELS, skip=["tie"])
    fails(RecallError, "the name of a check is expected, not 3", check, RUN, QRELS, skip=[3])
    fails(RecallError, "skip: the names of checks are expected, not 5", check, RUN, QRELS, skip=5)
    assert check(RUN, QRELS, skip=None).clean == check(RUN, QRELS).clean


def test_the_users_columns_keep_their_names_in_examples() -> None:
    run = {"copies": ["q1", "q1"], "item": ["a", "a"], "score": [1, 2]}
    qrels = {"copies": ["q1"], "things": ["a"], "relevance": [1]}
    [fault] = check(run, qrels, "recall@1", query="copies", qrels_item="things")
    assert fault.examples == [{"copies": "q1", "item": "a", "copies_1": 2}]
    qrels = {"user": ["q1"] * 2, "thing": ["a"] * 2, "relevance": [1] * 2}
    [fault] = check(
        {**run, "item": ["a", "b"]}, qrels, "recall@1", query="copies", qrels_query="user", qrels_item="thing"
    )
    assert fault.examples[0].keys() == {"user", "thing", "copies", "lowest", "highest"}


def test_faults_are_shown_as_text_and_html() -> None:
    found = check(RUN, QRELS, "recall@3")
    assert repr(found).splitlines() == [
        "check  rule                                     faults",
        "-----  ---------------------------------------  ------",
        "short  a query has fewer candidates than k = 3       2",
        "short: for example query='q1', candidates=2. Ask for a smaller k, or choose short='allow'.",
        "run: dict, 4 rows; query, item, score (highest first)",
        "qrels: dict, 4 rows; query, item, relevance (relevant above 0)",
    ]
    html = found._repr_html_()
    assert '<td style="text-align:left">for example query=&#x27;q1&#x27;, candidates=2.</td>' in html
    assert repr(Faults([], ["ties"])) == "No fault found by 1 check."
    assert "No fault found by 1 check." in Faults([], ["ties"])._repr_html_()


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    pl.DataFrame(RUN).write_parquet(tmp_path / "run.parquet")
    pl.DataFrame(QRELS).write_parquet(tmp_path / "qrels.parquet")
    return str(tmp_path / "run.parquet"), str(tmp_path / "qrels.parquet")


def test_the_exit_status_says_if_faults_were_found(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    call = ["check", files[0], "--qrels", files[1]]
    assert output_of(capsys, *call, "-m", "recall@2").startswith("No fault found by ")
    assert main([*call, "-m", "recall@3"]) == 1
    assert capsys.readouterr().out.splitlines()[2].split() == [
        "short", "a", "query", "has", "fewer", "candidates", "than", "k", "=", "3", "2",
    ]  # fmt: skip
    assert main([*call, "-m", "recall@3", "--skip", "short", "--skip", "ties", "--threads", "1"]) == 0
    assert "Did you mean 'short'?" in error_of(capsys, *call, "--skip", "shorts")
    assert main([*call, "--score", "points"]) == 2
    with pytest.raises(SystemExit, match="2"):
        main([*call, "--nulls", "drop"])  # a policy of evaluate that check does not have


def test_the_command_prints_json_csv_and_markdown(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    call = ["check", files[0], "--qrels", files[1], "-m", "recall@3", "--format"]
    assert main([*call, "json"]) == 1
    rows = json.loads(capsys.readouterr().out)
    advice = "Ask for a smaller k, or choose evaluate --short allow."  # an option that check itself does not have
    assert rows == [{**fault, "do": advice} for fault in check(*files, "recall@3").to_dicts()]
    assert main([*call, "csv"]) == 1
    [line] = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert (line["check"], line["faults"], json.loads(line["examples"])) == ("short", "2", rows[0]["examples"])
    assert main([*call, "markdown"]) == 1
    assert capsys.readouterr().out.splitlines()[1:3] == [
        "| :-- | :-- | :-- | :-- | --: |",
        f"| short | a query has fewer candidates than k = 3 | for example query='q1', candidates=2. | {advice} | 2 |",
    ]
    for form, expected in (("json", "[]"), ("csv", "check,rule,faults,do,examples")):
        assert output_of(capsys, *call[:5], "recall@2", "--format", form).strip() == expected


@pytest.mark.load
def test_check_needs_less_memory_than_its_rows(tmp_path: Path) -> None:
    columns = "i // 200 AS query, i % 200 AS item, (i * 7919) % 100003 AS score, i % 5 AS relevance"
    duckdb.execute(f"COPY (SELECT {columns} FROM range(2000000) AS t (i)) TO '{tmp_path}/run.parquet'")
    limit = "600MB" if duckdb.__version__.startswith("1.") else "150MB"  # DuckDB 1 spills less, also in evaluate
    connection = duckdb.connect(config={"memory_limit": limit, "threads": 2, "temp_directory": str(tmp_path)})
    found = check(f"{tmp_path}/run.parquet", metrics="recall@10", threshold=5, connection=connection)
    assert {row.check: row.faults for row in found} == {"no_relevant": 10_000, "nothing_relevant": 1}
    assert {row.check: len(row.examples) for row in found} == {"no_relevant": 3, "nothing_relevant": 0}
