"""Questions that every engine answers like DuckDB, with their tables, and the comparison of the answers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import pytest
from engines import ENGINES

from recall_duckdb import evaluate
from recall_duckdb.definitions import templates

Columns = dict[str, list[Any]]
OPTIONAL_INPUTS = (
    "exclude", "items", "weights", "training", "obvious", "catalog", "features", "pairs", "item_map", "item_slices",
    "query_slices",
)  # fmt: skip
OF_METRICS = ("training", "obvious", "catalog", "features", "pairs")
EVERY = [
    f"{name}@3" if "k" in template.parameters else name
    for name, template in templates.own_metrics().items()
    if name not in ("iprec", "f1")
]
OPTIONS = [  # a case of its own: Trino refuses a statement of more than 150 stages
    "recall", "ap", "ndcg", "iprec(recall=0.3)", "f1@2", "ap(over=capped)@2", "ap(over=hits)", "gm_map",
    "rbp(p=0.5)@2", "rbp(gain=scaled)@2", "rbp(gain=linear)", "rbp(over=ideal)@2", "rbp(gain=linear,over=ideal)",
    "ndcg(gain=exponential)@3", "ndcg(gain=binary)", "ndcg(gain=1:0.5,2:5)@3", "ndcg(discount=lenskit)@3",
    "dcg(base=3,discount=lenskit)", "precision(threshold=2)@2", "fall_out(of=judged)@2", "err@2",
]  # fmt: skip
LINEAR = [
    "recall@1,3", "precision@2", "hits@3", "hit_rate@2", "rr", "ap", "ap@2", "dcg@3", "ndcg@3", "r_precision", "rbp",
    "rbp(gain=scaled)@2", "rbp(gain=linear)", "f1@2",
]  # fmt: skip
FEW = ["recall@2", "precision@3", "rr", "ap@3", "ndcg", "hit_rate@1"]
AT_2 = ["recall@2", "precision@2", "ndcg@2", "hits@2"]  # rows of UNPIVOT where an engine has it
IN_ITEM_SLICES = [
    *("recall@1,3", "recall(threshold=2)@2", "hits@3", "hit_rate@2", "rr", "dcg(gain=exponential)@3", "rbp@3"),
    *("num_rel", "num_rel_ret", "average_rank@3"),
]
NONE = -1e9  # replaces NULL in comparisons; no metric has this value
LARGE = [
    -(2**63) + 1, -(2**62), -(2**53) - 1, -(2**53), -(2**31) - 1, -1, 2**28, 2**30, 2**31, 2**53, 2**53 + 1, 2**63 - 1,
]  # fmt: skip
TEXTS = ["a", "A", "b", "B", "Z", "z", "é", "É", "ß", "10", "9", "漢"]


@dataclass(frozen=True)
class Case:
    metrics: list[str]
    options: dict[str, Any] = field(default_factory=dict)
    ids: str = "text"
    shape: str = "scores"


CASES = {
    "every metric": Case(EVERY, {name: name for name in OF_METRICS}),
    "every metric, whole numbers": Case(EVERY, {name: name for name in OF_METRICS}, ids="int"),
    "every option": Case(OPTIONS),
    **{f"ties={ties}": Case(FEW, {"ties": ties}) for ties in ("item", "optimistic", "pessimistic")},
    "ties=item, whole numbers": Case(FEW, {"ties": "item"}, ids="int"),
    "ties=item, numbers of 64 bits": Case(FEW, {"ties": "item"}, ids="large"),
    "ties=expected": Case(LINEAR, {"ties": "expected"}),
    "ties=expected, threshold": Case(LINEAR, {"ties": "expected", "threshold": 2, "min_score": 0.3}),
    "no_relevant=skip": Case(FEW, {"no_relevant": "skip"}),
    "missing=skip": Case(FEW, {"missing": "skip"}),
    "nulls=drop": Case(FEW, {"nulls": "drop"}, shape="nulls"),
    "nulls=last": Case(FEW, {"nulls": "last"}, shape="nulls"),
    "duplicates=best": Case(FEW, {"duplicates": "best"}, shape="twice"),
    "precision=retrieved": Case(["precision@20", "f1@20"], {"precision": "retrieved"}),
    "threshold, min_score": Case(FEW, {"threshold": 2, "min_score": 0.5}),
    "semantics=trec_eval_9": Case([*FEW, "11pt_avg", "iprec(recall=0.3)"], {"semantics": "trec_eval_9"}, shape="close"),
    "semantics=trec_eval_9, scores of all sizes": Case(FEW, {"semantics": "trec_eval_9"}, shape="floats"),
    "ids=text": Case(FEW, {"ids": "text", "exclude": "exclude"}, ids="int", shape="text ids"),
    "depth": Case([*FEW, "recall"], {"depth": 2}),
    "unjudged=drop": Case(FEW, {"unjudged": "drop"}),
    "a rank": Case(FEW, {"rank": "place"}, shape="ranks"),
    "ranks=given": Case(FEW, {"rank": "place", "ranks": "given"}, shape="gaps"),
    "ranks=given, exclude": Case(FEW, {"rank": "place", "ranks": "given", "exclude": "exclude"}, shape="gaps"),
    "ranks=renumber": Case(FEW, {"rank": "place", "ranks": "renumber", "ties": "item"}, shape="gaps"),
    "empty=allow": Case(FEW, {"empty": "allow", "items": "items"}, shape="nothing listed"),
    "no qrels": Case(
        ["coverage@2", "overlap@2", "novelty@2", "diversity@2"],
        {"qrels": None, "by": "country", **{name: name for name in ("catalog", "training", "features")}},
        shape="run slices",
    ),
    "a model column": Case(FEW, {"model": "system"}, shape="models"),
    "one cutoff": Case(AT_2, {"model": "system", "no_relevant": "skip"}, shape="models"),
    "one cutoff, slices, weights": Case(AT_2, {"by": "country", "weights": "weights"}, shape="slices"),
    "labels": Case(FEW, {"qrels": None}, shape="labels"),
    "a query of two columns": Case(FEW, {"query": ["user", "day"]}, shape="two"),
    "long lists": Case(["rbp(p=0.5)", "rbp(p=0.5,over=ideal)", "rbp_residual(p=0.5)", "err"], shape="long"),
    "slices": Case([*FEW, "overlap@2"], {"by": "country"}, shape="slices"),
    "several cutoffs, slices": Case(FEW, {"by": "country"}, shape="slices"),
    "item slices": Case(IN_ITEM_SLICES, {"item_by": "tier", "item_slices": "item_slices"}),
    "item slices of two columns, ties=expected": Case(
        ["recall@2", "rr"],
        {"item_by": ["tier", "kind"], "item_slices": "item_slices", "ties": "expected", "missing": "skip"},
        ids="int",
    ),
    "query slices": Case([*FEW, "overlap@2"], {"by": "country", "query_slices": "query_slices"}),
    "item_map": Case([*FEW, "recall_all@3"], {"item_map": "item_map"}),
    "item_map, an expression": Case(FEW, {"item_map": "item - (item % 3)"}, ids="int"),
    "exclude, items, weights": Case(FEW, {name: name for name in ("exclude", "items", "weights")}),
}

REWRITTEN = [
    "every metric", "every option", "ties=expected, threshold", "nulls=last",
    "semantics=trec_eval_9, scores of all sizes", "a model column", "labels", "slices", "item slices",
    "exclude, items, weights",
]  # fmt: skip
# Every function, type and keyword that the statements of a relative have is in these cases.
OF_RELATIVES = [*REWRITTEN, "ids=text", "empty=allow"]

PAIRS = [(name, dialect) for name, kind in ENGINES.items() for dialect in (kind.dialect, *kind.relatives)]


@lru_cache
def tables(ids: str, shape: str) -> dict[str, dict[str, list[Any]]]:
    """Return tables of twelve queries, with ties, missing and empty queries; the same on every call."""
    chance = random.Random(7)
    items: Any = {"text": TEXTS, "int": list(range(-2, 10)), "large": LARGE}[ids]
    queries: Any = {
        "text": [f"{text}{number}" for number, text in enumerate(TEXTS)],
        "int": list(range(12)),
        "large": LARGE[::-1],
    }[ids]
    run = [
        (query, item, chance.choice([0.1, 0.3, 0.5, 0.9, 1.0, 1.0 + 1e-12]))
        for query in [*queries[:10], queries[-1]]
        for item in chance.sample(items, chance.randint(1, 9))
        if query != queries[3]
    ]
    qrels = [
        (query, item, float(chance.choice([-1, 0, 0, 1, 1, 2, 3])))
        for query in queries[:11]
        for item in chance.sample(items, chance.randint(2, 6))
    ]
    qrels = [(query, item, 0.0 if query == queries[5] else grade) for query, item, grade in qrels]
    held = dict(zip(("query", "item", "score"), map(list, zip(*run, strict=True)), strict=True))
    judged = dict(zip(("query", "item", "relevance"), map(list, zip(*qrels, strict=True)), strict=True))
    found: dict[str, dict[str, list[Any]]] = {"run": held, "qrels": judged}
    if shape == "nulls":
        held["score"] = [None if place % 4 == 0 else score for place, score in enumerate(held["score"])]
        judged["relevance"] = [None if place % 5 == 0 else grade for place, grade in enumerate(judged["relevance"])]
    if shape == "close":  # every third score differs, but not as a 32-bit float
        held["score"] = [0.7 if place % 3 else 0.7 + 1e-9 * chance.random() for place in range(len(run))]
    if shape == "floats":  # equal per query as 32-bit floats, some of them zero, infinite or subnormal
        sizes = [1.0, 1e40, 1e-40, -1e40, 1e-50]
        held["score"] = [
            sizes[queries.index(query) % 5] * (1 + 1e-10 * (place * 7 % 9)) for place, (query, *_) in enumerate(run)
        ]
    if shape == "twice":
        found["run"] = {name: values + values[::3] for name, values in held.items()}
        found["qrels"] = {name: values + values[::4] for name, values in judged.items()}
    if shape == "ranks":
        places = [[other for other, *_ in run[:place]].count(query) + 1 for place, (query, *_) in enumerate(run)]
        found["run"] = {"query": held["query"], "item": held["item"], "place": places}
    if shape == "models":
        doubled = {name: values + values for name, values in held.items()}
        doubled["score"] = held["score"] + held["score"][::-1]
        found["run"] = {"system": ["old"] * len(run) + ["New"] * len(run), **doubled}
    if shape == "labels":
        found["run"] = {**held, "relevance": [float(place % 3 == 0) for place in range(len(run))]}
    if shape == "two":
        for side in (held, judged):
            query = side.pop("query")
            side["user"], side["day"] = [each[0] for each in query], [each[1:] for each in query]
    _change(found, shape)
    if shape == "slices":
        judged["country"] = ["NL" if ord(str(query)[0]) % 2 else "be" for query in judged["query"]]
    pairs = list(dict.fromkeys((chance.choice(queries), chance.choice(items)) for _ in range(40)))
    found["training"] = {"query": [query for query, _ in pairs], "item": [item for _, item in pairs]}
    found["obvious"] = {"query": [row[0] for row in run[::2]], "item": [row[1] for row in run[::2]]}
    found["exclude"] = {"query": [row[0] for row in run[:6]], "item": [row[1] for row in run[:6]]}
    found["items"] = {"item": ["absent"] if shape == "nothing listed" else items[:9]}
    found["catalog"] = {"item": [*items, *items[:2]]}
    found["item_slices"] = {"item": items, "tier": ["É", "e", "B"] * 4, "kind": [1, 1, 2, 2] * 3}
    found["query_slices"] = {"query": queries, "country": ["NL", "be", "É"] * 4}
    found["item_map"] = {
        "item": [*items[:9], items[0]],
        "unit": [*(items[place - place % 3] for place in range(9)), items[11]],
    }
    found["weights"] = {"query": queries, "weight": [1.0, 2.0, 0.5] * 4}
    found["features"] = {
        "item": items * 2, "feature": [f"f{place % 4}" for place in range(24)], "weight": [1.0, 2.0, 3.0] * 8,
    }  # fmt: skip
    found["pairs"] = {"item": items[:-1], "other": items[1:], "similarity": [0.1 * place for place in range(11)]}
    return found


def _change(tables: dict[str, dict[str, list[Any]]], shape: str) -> None:
    run, qrels = tables["run"], tables["qrels"]
    if shape == "text ids":
        qrels["item"] = list(map(str, qrels["item"]))
    if shape == "gaps":
        run["place"] = [1 + 2 * place for place in range(len(run.pop("score")))]
    if shape == "long":  # 0.5^1200 is smaller than the smallest double
        items, queries = [f"{place:04}" for place in range(1200)], [qrels["query"][0]] * 1200
        run.update(query=queries, item=items, score=[float(-place) for place in range(1200)])
        qrels.update(query=queries, item=items, relevance=[4.0] * 1200)
    if shape == "run slices":
        run["country"] = ["NL" if ord(str(query)[0]) % 2 else "be" for query in run["query"]]


def arguments(case: Case) -> dict[str, Any]:
    options = {"qrels": "qrels", **case.options}
    return {"run": "run", "metrics": case.metrics, **options}


def question(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    case = CASES[name]
    return tables(case.ids, case.shape), arguments(case)


@lru_cache
def on_duckdb(name: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    case = CASES[name]
    held: dict[str, Any] = tables(case.ids, case.shape)
    asked: dict[str, Any] = {
        name: value if isinstance(value, list) else held.get(value, value) for name, value in arguments(case).items()
    }
    result = evaluate(**asked)
    return [tuple(row.values()) for row in result.to_dicts()], result.per_query.fetchall()


def columns(relation: Any) -> Columns:
    held: Columns = relation.to_dict(as_series=False) if hasattr(relation, "to_dict") else relation
    return held


def as_tables(run: Any, qrels: Any, arguments: dict[str, Any]) -> tuple[dict[str, Columns], dict[str, Any]]:
    """Return the relations of a question as tables, and the question with their names instead."""
    held: dict[str, Columns] = {}
    runs = {} if "item" in run else {model: f"run_{place}" for place, model in enumerate(run)}
    for model, name in runs.items():
        held[name] = columns(run[model])
    if not runs:
        held["run"] = columns(run)
    if qrels is not None:
        held["qrels"] = columns(qrels)
    held |= {name: columns(arguments[name]) for name in OPTIONAL_INPUTS if name in arguments}
    asked = {**arguments, **{name: name for name in OPTIONAL_INPUTS if name in arguments}}
    return held, {"run": runs or "run", "qrels": None if qrels is None else "qrels", **asked}


def assert_same(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    if not expected:
        assert found == []
        return
    values = [place for place in range(len(expected[0])) if any(isinstance(row[place], float) for row in expected)]
    mine, theirs = (sorted(map(tuple, rows), key=lambda row: keys(row, values)) for rows in (found, expected))
    assert [keys(row, values) for row in mine] == [keys(row, values) for row in theirs]
    for one, other in zip(mine, theirs, strict=True):
        numbers = [[NONE if row[place] is None else float(row[place]) for place in values] for row in (one, other)]
        assert numbers[0] == pytest.approx(numbers[1], rel=0, abs=1e-12), keys(other, values)


def keys(row: tuple[Any, ...], values: list[int]) -> list[str]:
    return [str(value) for place, value in enumerate(row) if place not in values]


def rows_of(found: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in found]


def in_order(faults: Any) -> list[dict[str, Any]]:
    return sorted(faults.to_dicts(), key=lambda fault: str(fault["check"]))
