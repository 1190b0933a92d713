"""The numbers match the golden values of trec_eval's own code, and those of other formulas, to 1e-12."""

from __future__ import annotations

import csv
import json
import re
from functools import lru_cache
from typing import Any, NamedTuple

import pytest
from folders import FIXTURES
from reference import Reference, Row, reference

from recall_duckdb import evaluate
from recall_duckdb.question.metrics import parse

GOLDENS = FIXTURES / "goldens"
DATASETS = ("worked", "small", "graded", "ties", "edge")

# The policies that give the numbers of a block. fixtures/goldens/build.py describes the blocks.
OPTIONS: dict[str, dict[str, Any]] = {
    "trec10": {},
    "docid_asc": {"ties": "item"},
    "trec9": {"semantics": "trec_eval_9"},
    "trec9_rel2": {"semantics": "trec_eval_9", "threshold": 2},
    "trec9_judged": {"semantics": "trec_eval_9", "unjudged": "drop"},
    "reference": {},
    "expected_ties": {"ties": "expected"},
}
# Our names of the formulas that trec_eval does not have. Its own measures are asked for by its names.
OURS = {
    "ap_r": "ap", "ap_k": "ap(over=k)", "ap_hits": "ap(over=hits)", "ap_min_k_r": "ap(over=capped)",
    "auc_retrieved": "auc", "bpref": "bpref", "dcg_exp": "dcg(gain=exponential)", "dcg_lin": "dcg", "err": "err",
    "f0.5": "fbeta(beta=0.5)", "f1": "f1", "f2": "fbeta(beta=2)", "fallout_judged": "fall_out(of=judged)",
    "hit_rate": "hit_rate", "infap": "inf_ap", "judged": "judged", "judged_k": "judged(over=k)",
    "ndcg_bin": "ndcg(gain=binary)", "ndcg_exp": "ndcg(gain=exponential)", "ndcg_lin": "ndcg",
    "precision": "precision", "precision_min_k_r": "capped_recall", "precision_retrieved": "precision(over=retrieved)",
    "r_precision": "r_precision", "rbp_0.5": "rbp(p=0.5)", "rbp_0.8": "rbp(p=0.8)", "rbp_0.95": "rbp(p=0.95)",
    "recall": "recall", "recall_capped": "capped_recall", "rr": "rr",
}  # fmt: skip
Values = dict[str, float]


@lru_cache
def golden(dataset: str) -> dict[str, Any]:
    blocks: dict[str, Any] = json.loads((GOLDENS / dataset / "expected.json").read_text(encoding="utf-8"))
    return blocks


BLOCKS = [(dataset, block) for dataset in DATASETS for block in OPTIONS if block in golden(dataset)]


def asked(measure: str, block: str) -> str:
    """Return the metric to ask for: trec_eval's name, such as `map_cut_5`, or our name, such as `f1@5`."""
    if block not in ("reference", "expected_ties"):
        return measure
    name, at, k = measure.partition("@")
    return f"{OURS[name]}{at}{k}"


def own_name(spelling: str) -> str:
    """Return our name of a metric, which trec_eval may have spelled."""
    [metric] = parse(spelling)
    return str(metric)


def measures(dataset: str, block: str) -> list[str]:
    """Return the measures of a block, and the geometric means, which trec_eval has only for all queries."""
    held = golden(dataset)[block]
    return list(dict.fromkeys([*held["per_query"], *held.get("mean_complete", [])]))


def is_at(measure: str, cutoffs: str) -> bool:
    """Return True for a measure of the whole list or at 3, or with "others", for one at another cutoff."""
    return bool(re.search(r"[@_](1|5|10|100)$", measure)) == (cutoffs == "others")


class Evaluated(NamedTuple):
    """Our values of one dataset."""

    per_query: dict[str, Values]
    means: dict[str, float | None]
    queries: set[int]


@lru_cache
def evaluated(block: str, cutoffs: str) -> dict[str, Evaluated]:
    """Return our values for every dataset of a block, evaluated together: a dataset is a slice."""
    datasets = [dataset for dataset in DATASETS if block in golden(dataset)]
    wanted = {measure: asked(measure, block) for measure in measures(datasets[0], block) if is_at(measure, cutoffs)}
    spellings = list(dict.fromkeys(wanted.values()))
    parts = [  # DuckDB plans a statement of 145 metrics for ten seconds
        evaluate(
            columns(datasets, "run.csv", "score"),
            columns(datasets, "qrels.csv", "relevance"),
            spellings[first : first + 50],
            query=["dataset", "query_id"],
            item="doc_id",
            by="dataset",
            **OPTIONS[block],
        )
        for first in range(0, len(spellings), 50)
    ]
    places = {spelling: place for place, spelling in enumerate(spellings, start=3)}
    named = [name for part in parts for name in part.per_query.columns[3:]]
    assert named == [own_name(spelling) for spelling in spellings]
    tables = [part.per_query.fetchall() for part in parts]
    assert all([row[:3] for row in table] == [row[:3] for row in tables[0]] for table in tables)
    found = [(*same[0][:3], *(value for row in same for value in row[3:])) for same in zip(*tables, strict=True)]
    means = [row for part in parts for row in part.to_dicts()]
    with_means = "mean_complete" in golden(datasets[0])[block]
    return {
        dataset: Evaluated(
            per_query={
                measure: {row[2]: row[places[spelling]] for row in found if row[1] == dataset}
                for measure, spelling in wanted.items()
            },
            means={measure: held[places[spelling] - 3]["value"] for measure, spelling in wanted.items() if with_means},
            queries={row["queries"] for row in held},
        )
        for dataset in datasets
        for held in [[row for row in means if row["dataset"] == dataset]]
    }


def columns(datasets: list[str], name: str, number: str) -> dict[str, list[Any]]:
    held = [(dataset, *row) for dataset in datasets for row in rows(dataset, name, number)]
    return {
        "dataset": [dataset for dataset, _, _, _ in held],
        "query_id": [query for _, (query,), _, _ in held],
        "doc_id": [item for _, _, item, _ in held],
        number: [value for _, _, _, value in held],
    }


@lru_cache
def by_the_reference(dataset: str, block: str) -> Reference:
    """Return the values of the plain-Python reference, by our names."""
    names = dict.fromkeys(own_name(asked(measure, block)) for measure in measures(dataset, block))
    run, qrels = rows(dataset, "run.csv", "score"), rows(dataset, "qrels.csv", "relevance")
    return reference(run, qrels, names, **OPTIONS[block])


@lru_cache
def rows(dataset: str, name: str, number: str) -> list[Row]:
    with (GOLDENS / dataset / name).open(encoding="utf-8", newline="") as file:
        return [((row["query_id"],), row["doc_id"], float(row[number])) for row in csv.DictReader(file)]


def relevant(dataset: str, block: str) -> Values:
    """Return the number of relevant items of each judged query."""
    lowest = OPTIONS[block].get("threshold", 1)
    found: Values = {}
    for (query,), _, relevance in rows(dataset, "qrels.csv", "relevance"):
        found[str(query)] = found.get(str(query), 0.0) + float((relevance or 0) >= lowest)
    return found


def complete(dataset: str, block: str, measure: str) -> Values:
    """Return the golden value of every judged query: 0 for 0 / 0, and as with trec_eval -c if the run misses it."""
    held = golden(dataset)
    values = zip(held["queries"], held[block]["per_query"][measure], strict=True)
    missed = relevant(dataset, block) if measure == "num_rel" else dict.fromkeys(relevant(dataset, block), 0.0)
    return {**missed, **{query: value or 0.0 for query, value in values}}


def close(expected: Any) -> Any:
    return pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("cutoffs", ["none and 3", "others"])
def test_every_query_and_every_mean_over_all_judged_queries_has_the_golden_value(cutoffs: str) -> None:
    wrong: list[tuple[str, ...]] = []
    for dataset, block in BLOCKS:
        held, found = golden(dataset)[block], evaluated(block, cutoffs)[dataset]
        for measure in held["per_query"]:
            if is_at(measure, cutoffs) and found.per_query[measure] != close(complete(dataset, block, measure)):
                wrong.append((dataset, block, measure))
        for measure, expected in held.get("mean_complete", {}).items():
            if is_at(measure, cutoffs) and found.means[measure] != close(expected):
                wrong.append((dataset, block, measure, "mean"))
        if found.means:
            assert found.queries == {len(relevant(dataset, block))}
    assert wrong == []


# The reference tries all orders of tied items: too many here, but few in test_random_data.py.
@pytest.mark.parametrize(("dataset", "block"), [case for case in BLOCKS if case[1] != "expected_ties"])
def test_the_plain_reference_has_the_golden_values_too(dataset: str, block: str) -> None:
    expected = by_the_reference(dataset, block)
    names = {measure: own_name(asked(measure, block)) for measure in measures(dataset, block)}
    for measure in golden(dataset)[block]["per_query"]:
        found = {str(query): values[names[measure]] for (query,), values in expected.per_query.items()}
        assert found == close(complete(dataset, block, measure)), measure
    means = golden(dataset)[block].get("mean_complete", {})
    assert {measure: expected.means[names[measure]].value for measure in means} == close(means)


@pytest.mark.parametrize("dataset", DATASETS)
def test_the_csv_files_give_the_golden_values(dataset: str) -> None:
    folder, wanted = GOLDENS / dataset, ["recall_5", "map", "ndcg_cut_10", "P_3"]
    result = evaluate(folder / "run.csv", folder / "qrels.csv", wanted, query="query_id", item="doc_id")
    found = result.per_query.fetchall()
    for place, measure in enumerate(wanted, start=2):
        assert {row[1]: row[place] for row in found} == close(complete(dataset, "trec10", measure)), measure


def test_the_goldens_hold_every_query_of_run_and_qrels_and_every_block() -> None:
    for dataset in DATASETS:
        retrieved = {str(query) for (query,), _, _ in rows(dataset, "run.csv", "score")}
        assert set(golden(dataset)["queries"]) == retrieved & relevant(dataset, "trec10").keys()
    assert len(BLOCKS) == len(DATASETS) * len(OPTIONS) - 1  # in `small`, nothing is relevant at 2
