"""A leaderboard has the best model first, and letters that say which models do not differ significantly."""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from asking import fails

from recall_duckdb import ArgumentError, Leaderboard, compare, evaluate
from recall_duckdb.comparison.leaderboard import share_letters

QUERIES = list(range(40))
# How many of four relevant items a model finds for a query: clearly more, about the same, and clearly fewer.
FOUND = {
    "worst": [query % 2 for query in QUERIES],
    "good": [2 + (query % 3 == 0) for query in QUERIES],
    "best": [2 + (query % 3 > 0) - (query % 5 == 0) for query in QUERIES],
}


def per_query() -> dict[str, dict[str, list[Any]]]:
    """Return values of queries by model, as columns."""
    values = {model: [count / 4 for count in found] for model, found in FOUND.items()}
    return {
        model: {"query": QUERIES, "recall@10": each, "fall_out@10": [1 - value for value in each]}
        for model, each in values.items()
    }


def leaderboard(**options: Any) -> Leaderboard:
    return compare(per_query(), baseline="worst", **options).leaderboard()


def test_the_best_model_comes_first_with_letters_and_bold() -> None:
    found = leaderboard()
    assert found.models == ["best", "good", "worst"]
    assert found.shown.text().splitlines() == [
        "model  recall@10  fall_out@10",
        "-----  ---------  -----------",
        "best   0.6125 a   0.3875 a",
        "good   0.5875 a   0.4125 a",
        "worst  0.1250 b   0.8750 b",
        "models that share a letter do not differ significantly at p < 0.05; the best have an a",
        "p: paired t-test, adjusted by Holm for all pairs",
        "lower is better: fall_out@10",
    ]
    assert found.to_markdown().splitlines()[2:4] == [
        "| best | **0.6125 a** | **0.3875 a** |",
        "| good | 0.5875 a | 0.4125 a |",
    ]
    assert '<td style="text-align:left"><b>0.6125 a</b></td>' in found._repr_html_()
    assert r"best & \textbf{0.6125 a} & \textbf{0.3875 a} \\" in found.to_latex()


def test_a_table_of_some_rows_has_their_metrics_alone() -> None:
    found = compare(HALF_OF_QUERIES, baseline="u").leaderboard()
    both = leaderboard()
    rows = [row for row in both.to_dicts() if row["metric"] == "recall"]
    assert both.table_of(rows, []).text().splitlines()[0] == "model  recall@10"
    assert found.table_of([], []).notes == []


def test_ranks_count_the_models_that_are_clearly_better_or_not_clearly_worse() -> None:
    rows = {(row["model"], row["metric"]): row for row in leaderboard().to_dicts()}
    ranks = {model: (row["rank_low"], row["rank_high"]) for (model, metric), row in rows.items() if metric == "recall"}
    assert ranks == {"best": (1, 2), "good": (1, 2), "worst": (3, 3)}
    assert [rows[model, "fall_out"]["place"] for model in ("best", "good", "worst")] == [1, 2, 3]


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"test": "sign"},
        {"test": "randomization", "samples": 1_000},
        {"interval": "bootstrap", "samples": 200},
        {"tie_within": 0.3},
    ],
    ids=str,
)
def test_a_pair_has_the_numbers_of_its_comparison(options: dict[str, Any]) -> None:
    """Given any test, every pair has the bits of `compare` with one model as the baseline, before the correction."""
    values = per_query()
    for pair in leaderboard(**options).pairs:
        baseline = pair.pop("baseline_model")
        two = {name: values[name] for name in (baseline, pair["model"])}
        alone = compare(two, baseline=baseline, correction="none", metrics="recall@10", **options).to_dicts()[0]
        if pair["metric"] == "recall":
            ours = {name: value for name, value in pair.items() if name != "p_adjusted"}
            assert ours == {name: alone[name] for name in ours}


def test_p_is_adjusted_for_all_pairs() -> None:
    """Given three pairs, Holm multiplies the smallest p by 3, the next by 2, and the last by 1."""
    pairs = [pair for pair in leaderboard().pairs if pair["metric"] == "recall"]
    assert {frozenset((pair["baseline_model"], pair["model"])) for pair in pairs} == {
        *map(frozenset, combinations(FOUND, 2))
    }
    ordered = sorted(pairs, key=lambda pair: pair["p"])
    assert [pair["p_adjusted"] for pair in ordered] == [
        pair["p"] * factor for pair, factor in zip(ordered, (3, 2, 1), strict=True)
    ]
    bonferroni = leaderboard(correction="bonferroni").pairs
    assert [pair["p_adjusted"] for pair in bonferroni if pair["metric"] == "recall"] == [
        min(3 * pair["p"], 1) for pair in pairs
    ]


def test_two_models_share_a_letter_unless_they_differ() -> None:
    """Given random pairs that differ, letters say exactly which, and no letter is needless."""
    generator = random.Random(7)
    for count in range(1, 8):
        for _ in range(30):
            models = list(range(count))
            clear = [pair for pair in combinations(models, 2) if generator.random() < 0.5]
            letters = share_letters(models, clear)
            apart = [pair for pair in combinations(models, 2) if not set(letters[pair[0]]) & set(letters[pair[1]])]
            assert apart == clear
            assert letters[0].startswith("a")


def test_100_models_have_letters_although_their_differences_are_not_in_order() -> None:
    """Some models differ clearly, and others between them do not: then there are very many largest sets."""
    draw, models = random.Random(0), list(range(100))
    levels = sorted((draw.gauss(0, 1) for _ in models), reverse=True)
    clear = [pair for pair in combinations(models, 2) if levels[pair[0]] - levels[pair[1]] > draw.gauss(0.5, 0.3)]
    letters = {model: {*each.split(",")} for model, each in share_letters(models, clear).items()}
    assert [pair for pair in combinations(models, 2) if not letters[pair[0]] & letters[pair[1]]] == clear
    names = set[str]().union(*letters.values())
    assert {"a", "z", "aa"} <= names
    assert all(re.fullmatch("[a-z]+", name) for name in names)


# The first model has the higher mean, and the second wins 22 of 30 queries.
MANY_WINS: dict[str, dict[str, list[Any]]] = {
    "A": {"query": list(range(30)), "rr": [1.0] * 8 + [0.4] * 22},
    "B": {"query": list(range(30)), "rr": [0.0] * 8 + [0.5] * 22},
}
# The first model has values for half of the queries, and the second is better for each of these.
HALF_OF_QUERIES = {
    "u": {"query": list(range(10)), "rr": [0.7 + query / 100 for query in range(10)]},
    "v": {"query": list(range(20)), "rr": [0.8 + query / 90 for query in range(10)] + [0.1] * 10},
}


@pytest.mark.parametrize(
    ("values", "test", "notes"),
    [
        (MANY_WINS, "sign", ["the model with the worse mean wins more queries: B against A on rr"]),
        (
            HALF_OF_QUERIES,
            "t",
            [
                "the model with the worse mean is significantly better on the queries that both have: "
                "v against u on rr",
                "queries left out because only one of the two models has a value: 10 for u and v on rr",
            ],
        ),
    ],
)
def test_ranks_have_the_direction_of_the_test(values: dict[str, Any], test: Any, notes: list[str]) -> None:
    """The model with the worse mean is significantly better: it is ranked first, and notes say so."""
    first, second = values
    compared = compare(values, baseline=second, test=test)
    assert "▼" in repr(compared).splitlines()[2]
    found = compared.leaderboard()
    rows = {row["model"]: row for row in found.to_dicts()}
    assert [rows[model]["place"] for model in values] == [1, 2]
    assert (rows[first]["rank_low"], rows[first]["rank_high"]) == (2, 2)
    assert (rows[second]["rank_low"], rows[second]["rank_high"]) == (1, 1)
    assert found.shown.notes[2:] == notes
    assert "the best have an a" not in found.shown.notes[0]


def test_ranks_of_a_lower_better_metric_have_the_direction_of_the_test() -> None:
    values = {
        model: {"query": each["query"], "fall_out@10": [1 - value for value in each["rr"]]}
        for model, each in MANY_WINS.items()
    }
    found = compare(values, baseline="B", test="sign").leaderboard()
    assert {row["model"]: row["rank_low"] for row in found.to_dicts()} == {"A": 2, "B": 1}


RUN = {"query": [1, 1, 2, 2], "item": ["a", "x", "b", "y"], "relevance": [1, 0, 1, 0]}


def test_a_result_of_one_model_has_a_leaderboard_without_letters() -> None:
    found = evaluate({**RUN, "score": [2.0, 1.0, 1.0, 2.0]}, metrics=["rr", "num_ret"]).leaderboard()
    assert found.shown.text().splitlines() == ["model  rr      num_ret", "-----  ------  -------", "run    0.7500  4"]
    assert found.pairs == []
    assert [row["letters"] for row in found.to_dicts()] == [None, None]


def test_slices_and_metrics_of_the_whole_run_change_no_order() -> None:
    run = {**RUN, "good": [2.0, 1.0, 2.0, 1.0], "bad": [1.0, 2.0, 1.0, 2.0], "kind": ["s", "s", "t", "t"]}
    found = evaluate(
        run, metrics=["num_ret", "rr", "rr(mean=geometric)"], score=["bad", "good"], by="kind"
    ).leaderboard()
    assert found.models == ["good", "bad"]
    assert [row["value"] for row in found.to_dicts() if row["metric"] == "rr"] == [1.0, 0.5]
    assert not {(0, 1), (1, 1)} & set(found.shown.bold)  # both retrieve as much, and more is not better


def test_ids_of_models_may_be_numbers() -> None:
    models = {**RUN, "query": [1, 1, 1, 1], "model": [7, 7, 8, 8], "score": [1.0, 2.0, 2.0, 1.0]}
    found = evaluate(models, metrics="rr", model="model").leaderboard()
    assert found.models == [8, 7]
    assert len(found.pairs) == 1


def test_a_weighted_or_closed_result_has_no_leaderboard() -> None:
    weights = {"query": [1, 2], "weight": [1.0, 2.0]}
    with pytest.raises(ArgumentError, match="weighted"):
        evaluate({**RUN, "score": [2.0, 1.0, 1.0, 2.0]}, metrics="rr", weights=weights).leaderboard()
    result = evaluate({**RUN, "old": [2.0, 1.0, 1.0, 2.0], "new": [2, 1, 2, 1]}, metrics="rr", score=["old", "new"])
    compared = result.compare("old")
    result.close()
    fails(ArgumentError, "closed", compared.leaderboard)


def test_every_table_is_written_for_latex(tmp_path: Path) -> None:
    """Given names with special characters, LaTeX shows them as they are."""
    run = {**RUN, "a_b & 5% {x}": [2.0, 1.0, 1.0, 2.0], "~\\^|<$#": [2.0, 1.0, 2.0, 1.0]}
    result = evaluate(run, metrics="rr", score=["a_b & 5% {x}", "~\\^|<$#"])
    for table in (result, result.compare("a_b & 5% {x}"), result.intervals(), result.leaderboard()):
        written = table.to_latex()
        assert r"a\_b \& 5\% \{x\}" in written or r"\textasciitilde{}\textbackslash{}\textasciicircum{}" in written
        assert written.count(r"\begin{tabular}") == written.count(r"\end{tabular}") == 1
    assert result.shown.latex() == result.to_latex()
    assert result.to_markdown().startswith("| metric | a\\_b &amp; 5% {x} |")


@pytest.mark.parametrize("count", [4, 12])
def test_a_wide_table_fits_a_page_of_a4_and_a_readme(count: int) -> None:
    run = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0], "relevance": [1, 0]}
    result = evaluate({f"a model with a long name {number}": run for number in range(count)}, metrics=["rr", "ap"])
    assert result.to_markdown().startswith("| model | rr | ap |\n")
    assert result.to_latex().startswith("\\begin{tabular}{lrr}\n")
    compared = result.compare("a model with a long name 0")
    assert compared.to_latex().startswith("\\resizebox{\\textwidth}{!}{%\n\\begin{tabular}{llr")
    assert "\n\\end{tabular}\n}\n\nqueries: 2 " in compared.to_latex()
    assert "| queries |" not in compared.to_markdown()


def test_a_report_with_wilson_intervals_compares_pairs(tmp_path: Path) -> None:
    """Given Wilson's intervals of means, pairs have Student's."""
    run = {**RUN, "old": [2.0, 1.0, 1.0, 2.0], "new": [2, 1, 2, 1]}
    result = evaluate(run, metrics="rr", score=["old", "new"])
    options: dict[str, Any] = {"interval": "wilson", "check": False}
    assert result.report(tmp_path / "report.html", **options)
