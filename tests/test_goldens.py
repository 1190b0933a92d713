"""The numbers are trec_eval's: golden values of its own code, to all their digits, and the files of its own tests."""

from __future__ import annotations

import csv
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from reference import Reference, Row, reference

from recall_duckdb import evaluate

FIXTURES = Path(__file__).parent.parent / "fixtures"
GOLDENS = FIXTURES / "goldens"
TREC_EVAL = FIXTURES / "trec_eval"
DATASETS = ("worked", "small", "graded", "ties", "edge")

OPTIONS: dict[str, dict[str, Any]] = {
    "trec10": {},
    "docid_asc": {"ties": "item"},
    "trec9_rel2": {"threshold": 2},
    "reference": {},
}
WHOLE_LIST = {
    "map": "ap",
    "ndcg": "ndcg",
    "recip_rank": "rr",
    "Rprec": "r_precision",
    "set_P": "precision",
    "set_recall": "recall",
    "set_F": "f1",
    "set_relative_P": "capped_recall",
}
WITH_CUTOFF = {
    "P": "precision",
    "recall": "recall",
    "map_cut": "ap",
    "ndcg_cut": "ndcg",
    "recip_rank": "rr",
    "relative_P": "capped_recall",
    "success": "hit_rate",
    "f1": "f1",
    "dcg_lin": "dcg",
    "hit_rate": "hit_rate",
}

Values = dict[str, float | None]


def ours(measure: str) -> str | None:
    """Our name of trec_eval's measure (`map_cut_5`) or of one of the formulas beside it (`f1@5`), if we have it."""
    name, _, k = re.sub(r"_(?=[0-9]+$)", "@", measure).partition("@")
    if not k:
        return WHOLE_LIST.get(name)
    return f"{WITH_CUTOFF[name]}@{k}" if name in WITH_CUTOFF else None


@lru_cache
def golden(dataset: str) -> dict[str, Any]:
    blocks: dict[str, Any] = json.loads((GOLDENS / dataset / "expected.json").read_text(encoding="utf-8"))
    return {name: block for name, block in blocks.items() if name in OPTIONS}


def measures(dataset: str, block: str) -> list[str]:
    values = next(iter(golden(dataset)[block]["per_query"].values()))
    return [measure for measure in values if ours(measure)]


@lru_cache
def evaluated(dataset: str, block: str) -> tuple[dict[str, Values], dict[str, tuple[float | None, int]]]:
    """Our values by query and metric, and our means with their number of queries, from the CSV files."""
    folder = GOLDENS / dataset
    names = list(dict.fromkeys(filter(None, map(ours, measures(dataset, block)))))
    result = evaluate(
        folder / "run.csv", folder / "qrels.csv", names, query="query_id", item="doc_id", **OPTIONS[block]
    )
    columns = result.per_query.columns[2:]
    per_query = {row[1]: dict(zip(columns, row[2:], strict=True)) for row in result.per_query.fetchall()}
    means = {row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}": row for row in result.to_dicts()}
    return per_query, {name: (row["value"], row["queries"]) for name, row in means.items()}


@lru_cache
def by_the_reference(dataset: str, block: str) -> Reference:
    """What the plain-Python reference of the other tests says."""
    names = [ours(measure) or "" for measure in measures(dataset, block)]
    run, qrels = rows(dataset, "run.csv", "score"), rows(dataset, "qrels.csv", "relevance")
    return reference(run, qrels, names, **OPTIONS[block])


def rows(dataset: str, name: str, number: str) -> list[Row]:
    with (GOLDENS / dataset / name).open(encoding="utf-8", newline="") as file:
        return [((row["query_id"],), row["doc_id"], float(row[number])) for row in csv.DictReader(file)]


def cases() -> list[tuple[str, str, str]]:
    return [
        (dataset, block, measure)
        for dataset in DATASETS
        for block in golden(dataset)
        for measure in measures(dataset, block)
    ]


def complete(dataset: str, block: str, measure: str, judged: list[str]) -> dict[str, float]:
    """The golden value of every judged query; trec_eval -c counts one that the run misses as 0."""
    held = golden(dataset)[block]["per_query"]
    return {query: held[query][measure] if query in held else 0.0 for query in judged}


@pytest.mark.parametrize(("dataset", "block", "measure"), cases())
def test_every_query_has_the_golden_value(dataset: str, block: str, measure: str) -> None:
    per_query, _ = evaluated(dataset, block)
    name = ours(measure) or ""
    found = {query: values[name] for query, values in per_query.items()}
    assert found == pytest.approx(complete(dataset, block, measure, list(per_query)), rel=0, abs=1e-12)


@pytest.mark.parametrize(("dataset", "block", "measure"), [case for case in cases() if case[1] != "reference"])
def test_the_mean_over_all_judged_queries_is_the_golden_one(dataset: str, block: str, measure: str) -> None:
    per_query, means = evaluated(dataset, block)
    value, queries = means[ours(measure) or ""]
    assert value == pytest.approx(golden(dataset)[block]["mean_complete"][measure], rel=0, abs=1e-12)
    assert queries == len(per_query)


@pytest.mark.parametrize(("dataset", "block", "measure"), cases())
def test_the_plain_reference_has_the_golden_values_too(dataset: str, block: str, measure: str) -> None:
    expected = by_the_reference(dataset, block)
    name = ours(measure) or ""
    found = {str(query): values[name] for (query,), values in expected.per_query.items()}
    assert found == pytest.approx(complete(dataset, block, measure, list(found)), rel=0, abs=1e-12)
    if block != "reference":
        mean = golden(dataset)[block]["mean_complete"][measure]
        assert expected.means[name].value == pytest.approx(mean, rel=0, abs=1e-12)


def test_the_goldens_hold_every_query_of_run_and_qrels() -> None:
    for dataset in DATASETS:
        per_query, _ = evaluated(dataset, "trec10")
        retrieved = {query for (query,), _, _ in rows(dataset, "run.csv", "score")}
        for block in golden(dataset).values():
            assert block["per_query"].keys() == per_query.keys() & retrieved


@lru_cache
def printed() -> dict[str, str]:
    """The values that trec_eval 10 prints for its own test files, by measure."""
    lines = (TREC_EVAL / "out.test.a").read_text(encoding="utf-8").splitlines()
    return {measure: value for measure, _, value in map(str.split, lines)}


@lru_cache
def of_trec_files() -> dict[str, float | None]:
    names = list(dict.fromkeys(filter(None, map(ours, printed()))))
    result = evaluate(TREC_EVAL / "results.test", TREC_EVAL / "qrels.test", names)
    return {name: result.value(name) for name in names}


@pytest.mark.parametrize("measure", [measure for measure in printed() if ours(measure)])
def test_files_of_trec_give_what_trec_eval_prints(measure: str) -> None:
    assert f"{of_trec_files()[ours(measure) or '']:.4f}" == printed()[measure]


def test_files_of_trec_hold_the_queries_that_trec_eval_counts() -> None:
    result = evaluate(str(TREC_EVAL / "results.test"), str(TREC_EVAL / "qrels.test"), "recall@10")
    assert result.counts["run"].both == int(printed()["num_q"]) == 3
