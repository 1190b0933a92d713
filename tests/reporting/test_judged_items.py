"""A report says how much is judged, and does not call a model better if judging more items may turn that."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import Output, output_of

from recall_duckdb import evaluate, pool
from recall_duckdb.cli import main
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
    """Given half of a list unjudged, the decision is open, and names the shares, the bounds and the call."""
    said = evaluate({"old": JUDGED, "new": HALF}, QRELS, ["precision@4"]).report(path, baseline="old")
    assert said[0].startswith(
        "Keep old: new is worse, unless unjudged items turn this. precision@4 is 0.2500 instead of 0.4875: "
    )
    assert said[1:] == [
        "Judged of the first 4: 100% for old, 25% for new. "
        "If no unjudged item is relevant, precision@4 is 0.4875 for old, 0.2500 for new. "
        "If all of them are, it is 0.4875 for old, 1.0000 for new. "
        'recall_duckdb.pool(run, qrels, "precision@4") lists the 60 items to judge.'
    ]
    assert re.search(r'class="decision "><span class="mark">\?<', path.read_text("utf-8"))


@pytest.mark.slow
def test_the_bounds_are_those_of_the_judged_pool(path: Path) -> None:
    """Given the pool judged as relevant with the highest grade, the metric is the bound that the report says."""
    runs = {"old": JUDGED, "new": HALF}
    said = evaluate(runs, QRELS, ["ndcg@3"]).report(path, baseline="old")
    unjudged = pool(runs, QRELS, "ndcg@3").fetchall()
    judged = {name: [*values, *new] for (name, values), new in zip(
        QRELS.items(), ([row[0] for row in unjudged], [row[1] for row in unjudged], [1] * len(unjudged)), strict=True
    )}  # fmt: skip
    after = evaluate(runs, judged, "ndcg@3")
    old, new = (after.value("ndcg@3", model=model) for model in ("old", "new"))
    assert f"If all of them are, it is {old:.4f} for old, {new:.4f} for new." in said[1]


def test_the_call_that_lists_items_has_the_arguments_of_the_question(
    path: Path, tmp_path: Path, capsys: Output
) -> None:
    named: dict[str, Any] = {"query": "user", "item": "film"}
    old, new, qrels = ({named.get(name, name): each[name] for name in each} for each in (JUDGED, HALF, QRELS))
    runs = {"old": old, "new": new}
    said = evaluate(runs, qrels, "precision@4", **named, item_map="trim(item)", order="descending").report(path)
    call = "pool(run, qrels, \"precision@4\", query='user', item='film', item_map='trim(item)', order='descending')"
    assert f"recall_duckdb.{call} lists the 60 items" in said[1]
    assert len(eval(call, {"pool": pool, "run": runs, "qrels": qrels}).fetchall()) == 60
    asked = [*files(tmp_path), "-m", "ndcg(gain=exponential)@4", "--item-map", "trim(item)", "-o", str(path)]
    command = "recall-duckdb pool RUN --qrels QRELS -m 'ndcg(gain=exponential)@4' --item-map 'trim(item)'"
    assert output_of(capsys, "report", *asked).endswith(f"{command} lists the 60 items to judge.\n")


@pytest.mark.parametrize("command", [["evaluate"], ["compare"], ["compare", "--baseline", "old"]], ids=" ".join)
def test_evaluate_and_compare_say_a_low_share_if_judged_was_asked_for(
    command: list[str], tmp_path: Path, capsys: Output
) -> None:
    asked = [*command, *files(tmp_path), "-m"]
    said = (
        "recall-duckdb: Judged of the first 4: 100% for old, 25% for new. Unjudged items count as not relevant; "
        "recall-duckdb pool lists them\n"
    )
    assert main([*asked, "rr", "judged@4"]) == 0
    assert said in capsys.readouterr().err
    assert main([*asked, "rr", "judged@1"]) == 0
    assert "Judged of" not in capsys.readouterr().err


def test_evaluate_says_a_low_share_of_a_query_in_parentheses(tmp_path: Path, capsys: Output) -> None:
    _, new, _, qrels = files(tmp_path)
    database = str(tmp_path / "shop.duckdb")
    with duckdb.connect(database) as connection:
        for name, path in {"run": new, "qrels": qrels}.items():
            connection.read_json(path).create(name)
    arguments = ["(FROM run)", "--qrels", "(FROM qrels)", "--database", database]
    assert main(["evaluate", *arguments, "-m", "judged@4"]) == 0
    assert "Judged of the first 4: 25% for run." in capsys.readouterr().err


@pytest.mark.parametrize("relevance", [[], ["--relevance", "none"]], ids=["relevant", "none"])
def test_evaluate_says_nothing_about_judged_items_if_all_are_relevant(
    relevance: list[str], tmp_path: Path, capsys: Output
) -> None:
    """Given clicks, nobody judged items as not relevant, so every other item of a list is unjudged."""
    arguments = files(tmp_path)
    rows = json.loads(Path(arguments[-1]).read_text())
    Path(arguments[-1]).write_text(json.dumps([row for row in rows if row["relevance"] > 0]))
    assert main(["evaluate", *arguments, "-m", "judged@4", *relevance]) == 0
    assert "Judged of" not in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("qrels", "options"),
    [
        (qrels_of({item: item in "ab" for item in "abnmuvw"}), {}),  # all is judged
        (qrels_of({"a": 1, "b": 1}), {}),  # nobody judges items as not relevant, as with clicks
        (QRELS, {"unjudged": "drop"}),  # a list holds judged items only
    ],
    ids=["all judged", "clicks", "dropped"],
)
def test_nothing_is_said_if_judging_would_change_nothing(qrels: Any, options: dict[str, Any], path: Path) -> None:
    said = evaluate({"old": JUDGED, "new": HALF}, qrels, "precision@2", **options).report(path, baseline="old")
    assert len(said) == 1
    assert "Judged of the first" not in path.read_text("utf-8")


def test_a_decision_that_judging_cannot_turn_stands(path: Path) -> None:
    """Given one unjudged item behind the relevant ones, the better model stays better."""
    said = evaluate({"old": run_of("nmu"), "new": run_of("abnm")}, QRELS, "precision@4").report(path, baseline="old")
    assert said[0].startswith("Ship new instead of old. ")
    assert said[1].startswith("Judged of the first 4: 67% for old, 100% for new.")


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
    assert before.report(path, baseline="B")[0].startswith("Ship A instead of B, unless unjudged items turn this. ")


@pytest.mark.parametrize(
    ("highest", "is_open"),
    [(0.5, True), (0.49, False)],  # of the worse model, if all items are relevant; the better one has at least 0.5
)
def test_a_decision_is_open_if_the_bounds_touch(highest: float, is_open: bool) -> None:
    shares: dict[object, float] = {"better": 0.8, "worse": 0.8}
    judging = Judging("rr", 10, shares, {"better": 0.5, "worse": 0.3}, {"better": 0.7, "worse": highest}, 4, "")
    assert judging.is_open("better", "worse") is is_open


@pytest.mark.parametrize(
    ("shares", "matters"),
    [((0.9, 0.9), False), ((0.89, 0.89), True), ((0.91, 0.96), False), ((0.9, 0.96), True), ((), False)],
)
def test_shares_below_90_percent_or_more_than_5_apart_matter(shares: tuple[float, ...], matters: bool) -> None:
    held: dict[object, float] = dict(enumerate(shares))
    assert Judging("rr", 10, held, held, held, 4, "").matters is matters
    assert bool(Judging("rr", 10, held, held, held, 4, "").sentences) is matters


@pytest.mark.parametrize(
    ("models", "said", "lowest"),
    [
        ("abc", "10% for a, 20% for b, 30% for c.", "0.1000 for a, 0.2000 for b, 0.3000 for c."),
        ("abcd", "from 10% for a to 40% for d.", "0.4000 for d."),
    ],
)
def test_of_more_than_three_models_the_range_and_the_best_are_named(models: str, said: str, lowest: str) -> None:
    shares: dict[object, float] = {model: number / 10 for number, model in enumerate(models, 1)}
    assert Judging("rr", 10, shares, shares, shares, 4, "").sentences[:2] == [
        f"Judged of the first 10: {said}", f"If no unjudged item is relevant, rr is {lowest}"
    ]  # fmt: skip


def test_the_plot_says_how_much_of_each_model_is_judged(path: Path) -> None:
    runs = {"old": JUDGED, "new": HALF, "low": run_of("nuvw")}
    evaluate(runs, QRELS, "precision@4").report(path, baseline="old")
    page = path.read_text("utf-8")
    assert page.index("<th>new (25% judged)</th>") < page.index("<th>low (25% judged)</th>")


def test_ties_stay_in_the_decision_if_judging_may_turn_it(path: Path) -> None:
    """Given two equal models that are better than a baseline with unjudged items, the decision names both."""
    runs = {"base": run_of("nmuv"), "one": run_of("abnm"), "two": run_of("abmn")}
    [sentence, _] = evaluate(runs, QRELS, "precision@4").report(path, baseline="base")
    assert sentence.startswith("Ship one instead of base, unless unjudged items turn this. ")
    assert sentence.endswith(" two is as good as far as 20 queries can tell.")


def test_of_a_metric_of_the_whole_list_the_first_10_items_are_looked_at(path: Path) -> None:
    said = evaluate({"old": JUDGED, "new": HALF}, QRELS, "ap").report(path, baseline="old")
    assert said[1].startswith("Judged of the first 10: 100% for old, 25% for new.")


@pytest.mark.slow
def test_a_model_that_is_judged_completely_and_worse_stays_worse(path: Path) -> None:
    """Given more relevant items of the better model, the recall of the worse one only falls."""
    said = evaluate({"old": run_of("nmpb"), "new": run_of("abuv")}, QRELS, "recall@4").report(path, baseline="old")
    assert "unless unjudged items turn this" in said[0]  # nobody judged "p"
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
    assert said[0].startswith("Ship a, the best of 6 models by ndcg@4. It is 0.9")
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
    assert said[0].startswith("Ship y: it has the highest rr of 3 models. It is 0.7")
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
