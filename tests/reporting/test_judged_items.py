"""A report says how much is judged, and does not call a model better if judging more items may turn that."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import Output, output_of

import recall_duckdb
from recall_duckdb import evaluate
from recall_duckdb.question.metrics import parse
from recall_duckdb.reporting.judging import Judging

QUERIES = [f"q{number}" for number in range(20)]


def run_of(items: str) -> dict[str, list[Any]]:
    """Return a run with these items for every query, the first one first."""
    rows = [(query, item, -place) for query in QUERIES for place, item in enumerate(items)]
    return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "score"))}


def qrels_of(relevance: dict[str, int]) -> dict[str, list[Any]]:
    rows = [(query, item, number) for query in QUERIES for item, number in relevance.items()]
    return {name: [row[place] for row in rows] for place, name in enumerate(("query", "item", "relevance"))}


# "a" and "b" are relevant and "n" and "m" are not; nobody judged "u", "v" and "w".
QRELS = qrels_of({"a": 1, "b": 1, "n": 0, "m": 0})
QRELS["relevance"][5] = 0  # or all queries would differ by the same amount
JUDGED, HALF = run_of("abnm"), run_of("auvw")


def files(folder: Path) -> list[str]:
    """Write both runs and the qrels, and return the arguments of a command that reads them."""
    for name, columns in {"old": JUDGED, "new": HALF, "qrels": QRELS}.items():
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        (folder / f"{name}.json").write_text(json.dumps(rows))
    old, new, qrels = (str(folder / f"{name}.json") for name in ("old", "new", "qrels"))
    return [old, new, "--qrels", qrels]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "report.html"


@pytest.mark.slow
def test_a_model_with_unjudged_items_is_not_called_worse(path: Path) -> None:
    """Given half of a list unjudged, the decision is open, and names the shares and what lists the items."""
    said = evaluate({"old": JUDGED, "new": HALF}, QRELS, ["precision@4"]).report(path, baseline="old")
    assert said[0].startswith(
        "Keep old: new is worse, but unjudged items may turn this. precision@4 is 0.2500 instead of 0.4875: "
    )
    assert said[1:] == [
        "Judged of the first 4: 100% for old, 25% for new. This lists the 60 items to judge:",
        "recall_duckdb.pool(run=run, qrels=qrels, metrics='precision@4')",
    ]
    assert re.search(r'class="decision "><span class="mark">⚠<', path.read_text("utf-8"))


@pytest.mark.slow
def test_the_number_of_items_is_that_of_pool_with_the_same_arguments(
    path: Path, tmp_path: Path, capsys: Output
) -> None:
    named: dict[str, Any] = {"query": "user", "item": "film"}
    old, new, qrels = ({named.get(name, name): each[name] for name in each} for each in (JUDGED, HALF, QRELS))
    asked: dict[str, Any] = {**named, "item_map": "trim(item)", "order": "descending"}
    run = {"old": old, "new": new}
    [_, judging, call] = evaluate(run, qrels, "precision@4", **asked).report(path)
    assert judging.endswith("This lists the 60 items to judge:")
    assert f"<code>{call}</code>" in html.unescape(path.read_text("utf-8"))
    assert len(eval(call, {"recall_duckdb": recall_duckdb, "run": run, "qrels": qrels}).fetchall()) == 60
    old_file, *others = files(tmp_path)
    arguments = [f"a b={old_file}", *others, "--nulls", "drop", "-m", "ndcg(gain=exponential)@4"]
    [_, judging, command, counts, *_] = output_of(capsys, "report", *arguments, "-o", str(path)).splitlines()
    assert judging.endswith("This lists the 60 items to judge:")
    program, *words, redirection, file = shlex.split(command)
    assert (program, redirection, file) == ("recall-duckdb", ">", "pool.csv")
    assert len(output_of(capsys, *words).splitlines()) == 1 + 60
    assert counts == "a b, new: 20 queries judged, 20 retrieved"


@pytest.mark.slow
def test_the_call_of_pool_names_the_database(path: Path, tmp_path: Path, capsys: Output) -> None:
    database = str(tmp_path / "shop.duckdb")
    with duckdb.connect(database) as connection:
        for file in filter(os.path.exists, files(tmp_path)):
            connection.execute(f"CREATE TABLE {Path(file).stem} AS FROM '{file}'")
    words = ["old", "new", "--qrels", "qrels", "--database", database, "-m", "rr@4", "-o", str(path)]
    command = output_of(capsys, "report", *words).splitlines()[2]
    assert len(output_of(capsys, *shlex.split(command)[1:-2]).splitlines()) == 1 + 60


@pytest.mark.slow
@pytest.mark.parametrize(
    ("qrels", "options"),
    [
        (qrels_of({item: item in "ab" for item in "abnmuvw"}), {}),  # all is judged
        (qrels_of({"a": 1, "b": 1}), {}),  # nobody judges items as not relevant, as with clicks
        (QRELS, {"unjudged": "drop"}),  # a list holds judged items only
    ],
)
def test_nothing_is_said_if_judging_would_change_nothing(qrels: Any, options: dict[str, Any], path: Path) -> None:
    said = evaluate({"old": JUDGED, "new": HALF}, qrels, "precision@2", **options).report(path, baseline="old")
    assert len(said) == 1
    assert "Judged of the first" not in path.read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["recall@10", "ndcg@10", "ap@10"])
def test_a_decision_is_open_if_judgements_change_what_a_metric_divides_by(metric: str, path: Path) -> None:
    """Given means that do not overlap if none or all unjudged items are relevant, judging still turns the decision."""
    first, second = "abcdefghij", "nmpqklouvw"
    qrels = qrels_of({**dict.fromkeys("abcdeklo", 1), **dict.fromkeys("nmpq", 0)})
    qrels["relevance"][3] = 0
    runs = {"A": run_of(first), "B": run_of(second[4:] + second[:4])}
    before = evaluate(runs, qrels, metric)
    judged = {
        "query": [*qrels["query"], *(query for query in QUERIES for _ in "uvwfghij")],
        "item": [*qrels["item"], *[*"uvwfghij"] * 20],
        "relevance": [*qrels["relevance"], *[1, 1, 1, 0, 0, 0, 0, 0] * 20],
    }
    after = evaluate(runs, judged, metric)
    differences = [
        (each.value(metric, model="A") or 0) - (each.value(metric, model="B") or 0) for each in (before, after)
    ]
    assert differences[0] > 0 > differences[1]
    assert before.report(path, baseline="B")[0].startswith("Ship A instead of B, but unjudged items may turn this. ")


@pytest.mark.parametrize(
    ("metric", "better", "worse", "is_open"),
    [
        ("rr@10", 0.5, 1.0, False),  # items that are judged relevant only raise the better model
        ("rr@10", 1.0, 0.5, True),
        ("rr", 0.5, 1.0, True),  # it reads items below those that were looked at
        ("average_rank@10", 0.5, 1.0, True),  # lower is better
        ("average_rank@10", 1.0, 0.5, True),
    ],
)
def test_a_decision_is_open_if_the_worse_model_may_rise(
    metric: str, better: float, worse: float, is_open: bool
) -> None:
    [decides] = parse(metric)
    assert Judging(decides, {"better": better, "worse": worse}, 4).is_open("better", "worse") is is_open


@pytest.mark.parametrize(
    ("shares", "matters"),
    [((0.9, 0.9), False), ((0.89, 0.89), True), ((0.91, 0.96), False), ((0.9, 0.96), True), ((), False)],
)
def test_shares_below_90_percent_or_more_than_5_apart_matter(shares: tuple[float, ...], matters: bool) -> None:
    held: dict[object, float] = dict(enumerate(shares))
    [metric] = parse("rr@10")
    assert Judging(metric, held, 4).matters is matters


@pytest.mark.parametrize(
    ("models", "said"),
    [("abc", "10% for a, 20% for b, 30% for c."), ("abcd", "from 10% for a to 40% for d.")],
)
def test_of_more_than_three_models_the_range_is_named(models: str, said: str) -> None:
    shares: dict[object, float] = {model: number / 10 for number, model in enumerate(models, 1)}
    [metric] = parse("rr@10")
    assert Judging(metric, shares, 4).sentences[0].startswith(f"Judged of the first 10: {said} This lists ")


@pytest.mark.slow
def test_the_plot_says_how_much_of_each_model_is_judged(path: Path) -> None:
    runs = {"old": JUDGED, "new": HALF, "low": run_of("nuvw")}
    evaluate(runs, QRELS, "precision@4").report(path, baseline="old")
    page = path.read_text("utf-8")
    assert page.index("<th>new (25% judged)</th>") < page.index("<th>low (25% judged)</th>")


@pytest.mark.slow
def test_ties_stay_in_the_decision_if_judging_may_turn_it(path: Path) -> None:
    """Given two equal models that are better than a baseline with unjudged items, the decision names both."""
    runs = {"base": run_of("nmuv"), "one": run_of("abnm"), "two": run_of("abmn")}
    [sentence, *_] = evaluate(runs, QRELS, "precision@4").report(path, baseline="base")
    assert sentence.startswith("Ship one instead of base, but unjudged items may turn this. ")
    assert sentence.endswith(" two is as good as far as 20 queries can tell.")


def test_of_a_metric_of_the_whole_list_the_first_10_items_are_looked_at(path: Path) -> None:
    said = evaluate({"old": JUDGED, "new": HALF}, QRELS, "ap").report(path, baseline="old")
    assert said[1].startswith("Judged of the first 10: 100% for old, 25% for new.")


@pytest.mark.slow
def test_a_model_that_is_judged_completely_and_worse_stays_worse(path: Path) -> None:
    """Given more relevant items of the better model, the recall of the worse one only falls."""
    said = evaluate({"old": run_of("nmpb"), "new": run_of("abuv")}, QRELS, "recall@4").report(path, baseline="old")
    assert "but unjudged items may turn this" in said[0]  # nobody judged "p"
    said = evaluate({"old": run_of("nmb"), "new": run_of("abuv")}, QRELS, "recall@4").report(path, baseline="old")
    assert said[0].startswith("Ship new instead of old. ")
    assert said[1].startswith("Judged of the first 4: 100% for old, 50% for new.")


@pytest.mark.slow
def test_a_metric_that_never_decides_has_no_decision(path: Path) -> None:
    """Given only judged@3, no model is better or has the highest value, and there are no bounds."""
    runs = {"old": JUDGED, "new": HALF, "mid": run_of("aunv")}
    said = evaluate(runs, QRELS, "judged@3").report(path, baseline="old")
    assert said == ["judged@3 does not say which model is better."]
    said = evaluate(runs, QRELS, "judged@3").report(path)
    assert len(said) == 3
    assert all(sentence.startswith(f"{model} has a mean of ") for model, sentence in zip(runs, said, strict=True))


@pytest.mark.slow
def test_counts_and_judged_never_decide(path: Path) -> None:
    """Given judged@2 and num_ret first, the first metric about quality decides, and no count is called better."""
    metrics = ["judged@2", "num_ret", "rr", "unjudged@2"]
    result = evaluate({"old": JUDGED, "new": HALF}, QRELS, metrics)
    assert "rr decides: judged@2 says nothing about quality." in text_of(result, path)
    compared = evaluate({"old": HALF, "new": JUDGED}, QRELS, ["precision@2", "judged@2"])
    compared.report(path, baseline="old")
    assert "Also better" not in path.read_text("utf-8")
    assert [line.count("▲") for line in repr(compared.compare("old")).splitlines()[2:4]] == [1, 0]


def text_of(result: Any, path: Path) -> str:
    result.report(path, baseline="old")
    return path.read_text("utf-8")


@pytest.mark.slow
def test_a_report_of_many_models_names_the_best_and_folds(path: Path) -> None:
    """Given six models, the first sentence is about the best, the leaderboard is open, and long parts are folded."""
    orders = {"f": "mnvw", "e": "mnua", "d": "nmab", "c": "nabm", "b": "anbm", "a": "abnm"}
    qrels = qrels_of({"a": 1, "b": 1, **dict.fromkeys("nmuvw", 0)})
    qrels["relevance"][0] = qrels["relevance"][8] = 0
    result = evaluate({name: run_of(items) for name, items in orders.items()}, qrels, ["ndcg@4", "judged@4"])
    said = result.report(path)
    assert said[0].startswith("Ship a, the best of 6 models by ndcg@4. ndcg@4 is 0.9")
    assert len(said) == 1
    page = path.read_text("utf-8")
    assert "It is clearly better than all others (each p" in page
    assert page.index("<h2>Leaderboard</h2>") < page.index("<details><summary><h2>Means</h2>")
    assert page.index('<td style="text-align:left">a</td>') < page.index('<td style="text-align:left">f</td>')


@pytest.mark.slow
def test_models_that_do_not_differ_from_the_best_are_named(path: Path) -> None:
    qrels = qrels_of({item: item in "ab" for item in "abnmuvw"})
    mixed = {name: [*values[:40], *other[40:]] for (name, values), other in zip(
        run_of("abnm").items(), run_of("nmab").values(), strict=True
    )}  # fmt: skip
    swapped = {name: [*values[:36], *other[36:]] for (name, values), other in zip(
        run_of("nmab").items(), run_of("abnm").values(), strict=True
    )}  # fmt: skip
    said = evaluate({"x": mixed, "y": swapped, "z": run_of("nmuv")}, qrels, "rr").report(path, baseline="z")
    assert said[0].startswith("Ship y instead of z. rr is 0.7")
    assert said[0].endswith(" x is as good as far as 20 queries can tell.")
    said = evaluate({"x": mixed, "y": swapped, "z": run_of("nmuv")}, qrels, "rr").report(path)
    assert said[0].startswith("Ship y: it has the highest rr of 3 models. rr is 0.7")
    assert said[0].endswith(" x is as good as far as 20 queries can tell.")
    assert "It is clearly better than z (each p&nbsp;" in path.read_text("utf-8")


@pytest.mark.slow
def test_an_advice_that_is_followed_already_says_so(path: Path) -> None:
    """Given policies in force, the faults name them, and only these."""
    run = {"query": ["q1", "q1"], "item": ["a", "a"], "score": [1.0, 2.0]}
    qrels = {"query": ["q1", "q2"], "item": ["a", "a"], "relevance": [1, 1]}
    for missing in ("zero", "skip"):
        evaluate(run, qrels, "rr", duplicates="best", missing=missing).report(path)
        page = html.unescape(path.read_text("utf-8"))
        assert f"missing='{missing}' (in force already)" in page
        assert "duplicates='best' (in force already)" in page
        assert page.count("(in force already)") == 2
