"""Our numbers equal those in the tests and documentation of other packages, or differ for a stated reason.

Each file in fixtures/peers names the package, its license and the source file of its cases. `theirs` is their function,
`metric` and `policies` are our question, and `expected` is their number: a mean, or a value for each query. If no
policy gives this number, `differs` has our number and the reason. `without` lists metrics that this package does not
have.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

import pytest
from folders import FIXTURES

from recall_duckdb import evaluate

FOLDER = FIXTURES / "peers"
PEERS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))}
CASES = [(name, place, case) for name, peer in PEERS.items() for place, case in enumerate(peer["cases"])]

Values = float | dict[str, float | None] | None


@lru_cache
def evaluated(peer: str, data: str, policies: str) -> dict[str, tuple[float | None, dict[str, float | None]]]:
    """Return the mean and the values per query by metric.

    Metrics are those of all cases with these policies and kinds of inputs, which then share a statement.
    """
    held, sets = PEERS[peer]["data"][data], PEERS[peer]["data"]
    cases = [case for case in PEERS[peer]["cases"] if json.dumps(case.get("policies", {})) == policies]
    metrics = [case["metric"] for case in cases if optional(sets[case["data"]]).keys() == optional(held).keys()]
    metrics = list(dict.fromkeys(metrics))
    run, qrels = columns(held["run"], "score"), columns(held["qrels"], "relevance")
    options: dict[str, Any] = {**optional(held), **json.loads(policies)}
    with evaluate(run, qrels, metrics, **options) as result:
        rows, names, means = result.per_query.fetchall(), result.per_query.columns, result.to_dicts()
    shown = [row["metric"] + ("" if row["k"] is None else f"@{row['k']}") for row in means]
    return {
        metric: (row["value"], {each[1]: each[names.index(name)] for each in rows} if name in names else {})
        for metric, name, row in zip(metrics, shown, means, strict=True)
    }


def columns(lists: dict[str, Any], number: str) -> dict[str, list[Any]]:
    """Return a row for each item, from maps of numbers or from lists, best first. null in a list is an empty rank."""
    rows = []
    for query, held in lists.items():
        if isinstance(held, dict):
            rows += [(query, item, float(value)) for item, value in held.items()]
        else:
            items = [f"at rank {rank}" if item is None else item for rank, item in enumerate(held, start=1)]
            rows += [(query, item, 1.0 if number == "relevance" else -float(rank)) for rank, item in enumerate(items)]
    return {
        "query": [query for query, _, _ in rows],
        "item": [item for _, item, _ in rows],
        number: [value for _, _, value in rows],
    }


def optional(held: dict[str, Any]) -> dict[str, dict[str, list[str]]]:
    """Return the optional inputs."""
    found: dict[str, dict[str, list[str]]] = {}
    if "catalog" in held:
        found["catalog"] = {"item": held["catalog"]}
    for name, key, value in (("training", "query", "item"), ("features", "item", "feature")):
        rows = [(one, other) for one, others in held.get(name, {}).items() for other in others]
        if rows:
            found[name] = {key: [one for one, _ in rows], value: [other for _, other in rows]}
    return found


def ours(peer: str, case: dict[str, Any], like: Values) -> Values:
    """Return our number for a case: a mean, or the values of the queries in `like`."""
    mean, values = evaluated(peer, case["data"], json.dumps(case.get("policies", {})))[case["metric"]]
    return {query: values[query] for query in like} if isinstance(like, dict) else mean


def are_close(found: Values, expected: Values, within: float) -> bool:
    if isinstance(found, dict) and isinstance(expected, dict):
        return all(are_close(found[query], value, within) for query, value in expected.items())
    if isinstance(found, float) and isinstance(expected, (int, float)):
        return abs(found - expected) <= within
    return found is expected


@pytest.mark.slow
def test_our_numbers_equal_the_published_ones_or_differ_for_a_known_reason() -> None:
    wrong = []
    for name, place, case in CASES:
        expected = case["differs"]["ours"] if "differs" in case else case["expected"]
        if not are_close(found := ours(name, case, expected), expected, case["within"]):
            wrong.append((name, place, found, expected))
    assert wrong == []


@pytest.mark.slow
def test_numbers_marked_as_different_differ() -> None:
    different = [(name, place, case) for name, place, case in CASES if "differs" in case]
    assert [(name, place) for name, place, case in different if len(case["differs"]["why"]) <= 20] == []
    equal = [
        (name, place)
        for name, place, case in different
        if are_close(ours(name, case, case["expected"]), case["expected"], case["within"])
    ]
    assert equal == []


@pytest.mark.parametrize("peer", PEERS)
def test_a_file_of_published_numbers_names_its_source_and_license(peer: str) -> None:
    held = PEERS[peer]
    assert held["peer"]
    assert held["source"]
    assert held["license"].partition(",")[0] in ("Apache-2.0", "BSD-3-Clause", "MIT")
    assert {case["data"] for case in held["cases"]} == set(held["data"])
