"""Compare `evaluate` with the plain-Python reference on random data sets.

    python tests/random_data.py --data-sets 20000 --seed 16

takes some minutes of CPU time. A case is one call of `evaluate`, with one data set, or with many data sets as
slices or models. Case n of a seed does not depend on the other cases, so `--case n` repeats it.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_float
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow
import pyarrow.parquet
from fast_plans import made_by
from reference import OF_ITEMS, OF_LISTS, WITH_CUTOFF, Id, Mean, OptionalInputs, Query, Reference, Row, read, reference

from recall_duckdb import evaluate, evaluation
from recall_duckdb.compose import Plan
from recall_duckdb.engines import Session
from recall_duckdb.fast import answers, choosing, small
from recall_duckdb.fast.choosing import Chosen
from recall_duckdb.question import Question

SEED, DATA_SETS = 16, 20_000
TOLERANCE = 1e-12  # absolute up to 1, relative above

MOST_SLICES, MOST_MODELS = 120, 12
MOST_ORDERS = 24  # of tied items; the reference tries each of them for ties="expected"
CUTOFFS = (1, 2, 3, 4, 5, 7, 10, 20, 100, 1000)

TEXTS = (
    "",
    " ",
    "a",
    "A",
    "b",
    "B",
    "Z",
    "z",
    "é",
    "e\u0301",
    "漢",
    "😀",
    "\uffff",
    "a b",
    "a,b",
    "$k",
    "'",
    '"',
    "\\",
)
NUMBERS_AS_TEXT = ("7", "07", "007", "7.0", "10", "9", "-1", "1e3", "NULL", "null", "NaN", "inf", "true")
LARGE = (2**31, 2**53, 2**53 + 1, 2**63 - 1, -(2**63))

# Some scores are equal, some are equal only as 32-bit floats, and some overflow a 32-bit float.
SCORES: dict[str, tuple[float, ...]] = {
    "few": (0.0, 1.0, 2.0),
    "close": (0.0, -0.0, 1.0, 1.0 + 1e-12, 0.3, 0.1 + 0.2, 0.3 + 1e-9, 16777216.0, 16777217.0, -2.5),
    "extreme": (1e300, 1e200, -1e300, 1e-300, 5e-324, 0.0, math.inf, -math.inf, 1.7976931348623157e308, 3.5e38),
    "whole": (-2, -1, 0, 1, 2, 3),
    "large": (2**53, 2**53 + 1, 2**62, -(2**62), 7),
}
GRADES: dict[str, tuple[float, ...]] = {
    "binary": (0, 1),
    "graded": (-2, -1, 0, 0, 1, 2, 3, 4),
    "fractional": (-1.5, -0.5, -0.0, 0.0, 0.1, 0.5, 1.0, 1.5, 2.25),
    "wide": (0.0, 1e-9, 1e-3, 1.0, 30.0, 12345.678, 1e9),
    "truth": (False, True),
    "relevant": (1,),
}
OWN_OPTIONS: dict[str, tuple[str, ...]] = {
    "precision": ("over=retrieved", "over=k"),
    "f1": ("over=retrieved",),
    "fbeta": ("beta=0.5", "beta=2", "beta=2,over=retrieved"),
    "ap": ("over=capped", "over=k", "over=hits"),
    "dcg": ("gain=exponential", "gain=binary", "gain=binary,threshold=2", "base=10"),
    "ndcg": ("base=10", "gain=exponential", "gain=binary", "gain=binary,threshold=2", "gain=1:0.5,2:7,3:1"),
    "err": ("max_grade=6",),
    "rbp": (
        "p=0.5",
        "p=0.95",
        "gain=linear",
        "gain=scaled",
        "p=0.8,gain=scaled",
        "over=ideal",
        "gain=scaled,over=ideal",
    ),
    "judged": ("over=k",),
    "partial_auc": ("over=capped",),
    "r_precision_mult": ("multiple=0.2", "multiple=1.7"),
    "rbp_residual": ("p=0.5",),
    "utility": ("hit=3,missed=-2", "other=0"),
    "normalized_gain": ("gain=binary", "gain=exponential"),
    "ndcg_rel": ("gain=binary", "gain=exponential", "gain=1:3,2:0"),
    "ndcg_r": ("gain=binary", "gain=exponential"),
    "fall_out": ("of=judged",),
    "iprec": ("recall=0.1", "recall=0.3", "recall=0.5", "recall=1"),
}
ACCURACY = (
    *WITH_CUTOFF,
    *("r_precision", "set_ap", "bpref", "inf_ap", "auc", "iprec", "eleven_point"),
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "r_precision_mult", "normalized_gain"),
    *("ndcg_rel", "ndcg_r", "rbp_residual", "utility"),
)
WITHOUT_THRESHOLD = (
    *("dcg", "ndcg", "err", "judged", "num_q", "num_ret", "normalized_gain", "ndcg_rel", "ndcg_r", "rbp_residual"),
    "unjudged",
)
WITHOUT_EXPECTATION = (
    *("bpref", "inf_ap", "iprec", "eleven_point", "err", "judged", "set_ap", "average_rank", "partial_auc"),
    *("normalized_gain", "ndcg_rel", "ndcg_r", "rbp_residual", "unjudged", "num_nonrel_judged_ret"),
)
# The optional input that a metric beyond accuracy needs.
NEEDS = {
    "popularity": "training",
    "novelty": "training",
    "diversity": "features",
    "pair_diversity": "pairs",
    "coverage": "catalog",
    "gini": "catalog",
}


@dataclass(frozen=True)
class DataSet:
    """The run and qrels of one model or slice."""

    run: list[Row]
    qrels: list[Row]


@dataclass(frozen=True)
class Case:
    """One call of `evaluate`.

    Attributes:
        number: `made` makes the case again from its number.
        shape: how the run is passed: "scores", "ranks", "lists", "labels".
        together: the role of each data set: the "only" one; a slice by a column of the query ("key") or by another
            column ("group"); a model, by a "column", as "runs" of a dict, or as columns of "scores".
        source: how a relation is passed: "dict", "arrow", "table", "parquet".
        forced: True if DuckDB's fast plans are chosen for any number of rows.
        columns: the columns that identify a query.
        data_sets: the data sets to evaluate.
        metrics: the metrics to compute.
        policies: the policies that differ from their defaults.
        optional: the optional inputs.
        qrels_as: the shape of the qrels: "rows" or, for a run of lists, also "lists" or "maps".
    """

    number: int
    shape: str
    together: str
    source: str
    forced: bool
    columns: tuple[str, ...]
    data_sets: list[DataSet]
    metrics: list[str]
    policies: dict[str, Any]
    optional: OptionalInputs
    qrels_as: str = "rows"

    @property
    def are_models(self) -> bool:
        """True if each data set is a model."""
        return self.together in ("column", "runs", "scores")


@dataclass
class Tally:
    """What was compared, and the differences that were found."""

    cases: int = 0
    data_sets: int = 0
    values: int = 0
    means: int = 0
    worst: float = 0.0
    worst_at: str = ""
    kinds: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def compare(self, found: float | None, expected: float | None, where: str) -> None:
        """Record the difference between the value that was found and the expected value."""
        if found is None or expected is None or not math.isfinite(found) or not math.isfinite(expected):
            if found is not expected and found != expected:
                self.differences.append(f"{where}: {found!r} instead of {expected!r}")
            return
        difference = abs(found - expected) / max(1.0, abs(expected))
        if difference > self.worst:
            self.worst, self.worst_at = difference, where
        if difference > TOLERANCE:
            self.differences.append(f"{where}: {found!r} instead of {expected!r}")


def cases(seed: int, data_sets: int) -> Iterator[Case]:
    """Yield cases of a seed until they contain this many data sets."""
    number = 0
    while data_sets > 0:
        case = made(seed, number)
        yield case
        data_sets -= len(case.data_sets)
        number += 1


def made(seed: int, number: int) -> Case:
    """Return the case of this seed and number."""
    return _Maker(Random(f"{seed}:{number}"), number).case()


class _Maker:
    """Makes one case from random numbers."""

    def __init__(self, random: Random, number: int) -> None:
        self.random = random
        self.number = number

    def case(self) -> Case:
        pick = self.random.choice
        self.together = pick([*["only"] * 6, *["key"] * 3, "group", "column", "runs", "scores"])
        self.are_models = self.together in ("column", "runs", "scores")
        self.source = pick(["dict", "arrow", "table", "table", "parquet", "parquet"])
        self.forced = self.source in ("table", "parquet") and self.random.random() < 0.7
        self.favoured = self.forced and self.random.random() < 0.8  # a question that a fast plan can answer
        shapes = ["scores"] if self.together == "scores" else ["scores", "scores", "scores", "ranks", "lists", "labels"]
        if self.together == "group":
            shapes.remove("labels")
        self.shape = pick(["scores", "scores", "ranks"]) if self.favoured and len(shapes) > 1 else pick(shapes)
        self.source = "dict" if self.shape == "lists" else self.source
        self.columns = (
            pick([("query",), ("query",), ("day", "user name")])
            if self.together == "only" and not self.favoured
            else ("query",)
        )
        if self.together == "key":
            self.columns = ("data set", "query")
        self.qrels_as = pick(["rows", "lists", "maps"]) if self.shape == "lists" and self.together == "only" else "rows"
        size = {"only": 1, "key": MOST_SLICES, "group": MOST_SLICES}.get(self.together, MOST_MODELS)
        self.count = self.random.randint(min(size, 2), size)

        self.grades = GRADES[
            pick(["binary", "graded", "graded", "fractional", "fractional", "wide", "truth", "relevant"])
        ]
        if self.qrels_as == "lists":
            self.grades = GRADES["relevant"]
        self.best = max(float(grade) for grade in self.grades)
        self.scores = self.score_pool()
        self.policies = self.some_policies()
        self.items = self.ids(self.random.choice([3, 6, 6, 12, 12, 12, 60, 150]))
        self.queries = self.ids(self.random.choice([1, 3, 6]))
        metrics = self.some_metrics()
        sets = self.some_data_sets()
        optional = self.some_optional_inputs(sets, metrics)
        return Case(
            number=self.number,
            shape=self.shape,
            together=self.together,
            source=self.source,
            forced=self.forced,
            columns=self.columns,
            data_sets=sets,
            metrics=metrics,
            policies=self.policies,
            optional=optional,
            qrels_as=self.qrels_as,
        )

    def ids(self, count: int) -> list[Id]:
        """Return this many ids, all text or all whole numbers."""
        kind = self.random.choice(["text", "text", "whole", "whole", "large"])
        if kind == "text":
            held = [*TEXTS, *NUMBERS_AS_TEXT]
            self.random.shuffle(held)
            return [*held[:count], *(f"i{number}" for number in range(len(held), count))]
        if kind == "whole":
            start = self.random.choice([0, -30, 2**31 - 5, 10**12])
            return list(range(start, start + count))
        return self.random.sample([*LARGE, *range(max(count, 5))], count)

    def score_pool(self) -> list[float]:
        kind = self.random.choice([*SCORES, "distinct", "distinct"])
        if kind == "distinct":
            return [self.random.uniform(-10, 10) for _ in range(200)]
        return list(SCORES[kind])

    def some_policies(self) -> dict[str, Any]:
        pick = self.random.choice
        scored = self.shape in ("scores", "labels")
        found: dict[str, Any] = {
            "no_relevant": pick(["zero", "zero", "skip"]),
            "missing": pick(["zero", "zero", "skip"]),
            "precision": pick(["k", "k", "retrieved"]),
            "threshold": pick([None, None, *(float(grade) for grade in self.grades if grade > 0)]),
            "unjudged": pick(["keep", "keep", "keep", "drop"]),
        }
        if found["unjudged"] == "drop":  # it may leave no item of a model or slice
            found["empty"] = "allow"
        if self.shape == "ranks":
            found["ranks"] = pick(["error", "error", "renumber"])
        if self.shape == "scores":
            found["nulls"] = pick(["error", "error", "drop", "last"])
            found["duplicates"] = pick(["error", "error", "error", "best"])
        if self.shape == "scores" and self.together == "scores":
            found["duplicates"] = "error"
        if self.favoured:
            found |= {
                "unjudged": "keep",
                "duplicates": "error",
                "nulls": pick(["error", "drop"]) if self.shape == "scores" else "error",
            }
        if scored:
            found["semantics"] = pick(["trec_eval_10", "trec_eval_10", "trec_eval_9"])
            found["ties"] = pick(["item_desc", "item_desc", "item", "optimistic", "pessimistic", "expected"])
            finite = [float(score) for score in self.scores if math.isfinite(score)]
            found["min_score"] = pick([None, None, None, pick(finite)])
            if self.favoured:
                found |= {"ties": pick(["item_desc", "item", found["ties"]]), "min_score": None}
        if self.random.random() < 0.2 and found.get("ties") != "expected":
            found["depth"] = pick([1, 2, 5, 50])
        usual = {"no_relevant": "zero", "missing": "zero", "precision": "k", "nulls": "error", "duplicates": "error"}
        usual |= {
            "semantics": "trec_eval_10",
            "ties": "item_desc",
            "unjudged": "keep",
            "ranks": "error",
            "empty": "error",
        }
        return {name: value for name, value in found.items() if value is not None and usual.get(name) != value}

    def some_metrics(self) -> list[str]:
        """Return a few of the metrics that these policies and grades allow, each with options and a cutoff."""
        known = [name for name in ACCURACY if not (self.is_linear and name in WITHOUT_EXPECTATION)]
        if "depth" in self.policies:
            known.remove("auc")
        if self.favoured:
            known = [
                name
                for name in known
                if name in WITH_CUTOFF and name not in ("fall_out", "unjudged", "partial_auc", "average_rank")
            ]
        wanted = self.random.randint(2, 8)
        found: dict[str, None] = {}
        while len(found) < wanted:
            found[self.metric(self.random.choice(known))] = None
        if not self.is_linear and self.random.random() < 0.3:
            for name in self.random.sample([*OF_ITEMS, *OF_LISTS], self.random.randint(1, 3)):
                mean = self.random.choice(["", "", "(mean=geometric)", "(mean=sum)"]) if name in OF_ITEMS else ""
                found[name + mean + self.cutoff()] = None
        return [name for name in found if not self.is_out_of_range(name)] or ["recall@3"]

    @property
    def is_linear(self) -> bool:
        """True if all metrics are sums over a list, as expectations and DuckDB's fast plans require."""
        return self.expected or self.favoured

    @property
    def expected(self) -> bool:
        return self.policies.get("ties") == "expected"

    def metric(self, name: str) -> str:
        option = self.random.choice(["", "", *OWN_OPTIONS.get(name, ())])
        if self.is_linear and option in ("over=hits", "of=judged"):
            option = ""
        reached = [f"threshold={limit:g}" for limit in (0.5, 1, 2) if limit <= self.best]
        threshold = ""
        if name not in WITHOUT_THRESHOLD and "threshold" not in option and "gain=" not in option:
            threshold = self.random.choice(["", "", "", *reached])
        means = ["arithmetic" if name.startswith("num_") else "sum", "" if self.expected else "geometric"]
        mean = self.random.choice(["", "", "", *(f"mean={kind}" for kind in means if kind)])
        options = ",".join(filter(None, (option, threshold, mean)))
        cutoff = (self.cutoff() or ("@3" if name == "partial_auc" else "")) if name in WITH_CUTOFF else ""
        return name + (f"({options})" if options else "") + cutoff

    def is_out_of_range(self, name: str) -> bool:
        """Return True if the metric refuses relevance this high, or if no relevance reaches its threshold."""
        asked = read(name)
        return (
            (asked.metric == "err" and self.best > asked.options.get("max_grade", 4))
            or (asked.options.get("gain") == "exponential" and self.best > 30)
            or asked.options.get("threshold", 0) > self.best
        )

    def cutoff(self) -> str:
        shallow = ["@1", "@2", "@3", "@5", "@10"]
        return self.random.choice(shallow if self.favoured else ["", *(f"@{k}" for k in CUTOFFS)])

    def some_data_sets(self) -> list[DataSet]:
        """Return the data sets; the first run, and the run of every model, has a query with a relevant item."""
        found: list[DataSet] = []
        qrels: list[Row] = []
        for place in range(self.count):
            key: tuple[Id, ...] = {"key": (place,), "group": ()}.get(self.together, ())
            prefix = f"{place}/" if self.together == "group" else None
            needed = self.query(key, prefix)
            if not (self.are_models and place):
                relevant = (needed, self.random.choice(self.items), self.best_grade())
                qrels = self.rows(key, prefix, self.grades, relevant if place == 0 else None, is_run=False)
            if self.are_models:
                needed = qrels[0][0] if place == 0 else found[0].run[0][0]
            first = (needed, self.random.choice(self.items), self.finite_score())
            if self.together == "scores" and place:
                run = [(*row[:2], self.score(0.1)) for row in found[0].run]
                run[0] = (*run[0][:2], self.finite_score())
            else:
                run = self.rows(key, prefix, self.scores, first if self.are_models or not place else None, is_run=True)
            found.append(DataSet(self.of_few_orders(run) if self.expected else run, qrels))
        if self.together == "scores" and self.expected:
            found = self.in_common(found)
        if self.shape == "labels":
            found = self.labelled(found)
        return found

    def in_common(self, sets: list[DataSet]) -> list[DataSet]:
        """Keep the rows of the runs that every model has."""
        common = set.intersection(*({row[:2] for row in one.run} for one in sets))
        return [DataSet([row for row in one.run if row[:2] in common], one.qrels) for one in sets]

    def labelled(self, sets: list[DataSet]) -> list[DataSet]:
        """Replace the qrels by labels in the runs; the labels of all models judge every model."""
        pairs = [row[:2] for one in sets for row in one.run]
        labels = {pair: self.random.choice(self.grades) for pair in pairs}
        labels[pairs[0]] = self.best_grade()
        if self.are_models:
            return [DataSet(one.run, [(*pair, label) for pair, label in labels.items()]) for one in sets]
        return [DataSet(one.run, [(*row[:2], labels[row[:2]]) for row in one.run]) for one in sets]

    def best_grade(self) -> float:
        return max(self.grades)

    def finite_score(self) -> float:
        """Return a score that no policy leaves out."""
        lowest = self.policies.get("min_score", -math.inf)
        return max((score for score in self.scores if math.isfinite(score)), key=lambda score: (score >= lowest, score))

    def query(self, key: tuple[Id, ...], prefix: str | None) -> Query:
        query = self.random.choice(self.queries)
        if prefix is not None:
            return (f"{prefix}{query}",)
        return (*key, query) if len(self.columns) == len(key) + 1 else (self.random.choice(self.queries), query)

    def score(self, nulls: float) -> float | None:
        if self.policies.get("nulls") in ("drop", "last") and self.random.random() < nulls:
            return self.random.choice([None, math.nan]) if isinstance(self.scores[0], float) else None
        return self.random.choice(self.scores)

    def rows(
        self, key: tuple[Id, ...], prefix: str | None, numbers: Sequence[float], first: Row | None, *, is_run: bool
    ) -> list[Row]:
        """Return the rows of one data set, with missing queries, long lists and duplicates."""
        best, nulls = self.policies.get("duplicates") == "best", self.policies.get("nulls", "error")
        found: list[Row] = [] if first is None else [first]
        of_kind = isinstance(numbers[0], float)
        for _ in range(self.random.randint(0 if found else 1, 5)):
            query, most = self.query(key, prefix), self.random.choice([1, 3, 6, 12, len(self.items)])
            for item in self.random.sample(self.items, min(most, len(self.items))):
                number: float | None = self.random.choice(numbers)
                if nulls != "error" and self.random.random() < 0.1:
                    number = self.random.choice([None, math.nan]) if of_kind else None
                copies = 2 if best and self.random.random() < 0.2 else 1
                found.extend((query, item, number) for _ in range(copies))
                if copies == 2:
                    found[-1] = (query, item, self.random.choice(numbers))
        if nulls == "drop" and self.random.random() < 0.3:
            found.append(((*found[0][0][:-1], None), self.items[0], numbers[0]))
            found.append((found[0][0], None, numbers[0]))
        if not best:
            once: dict[tuple[Query, Id | None], Row] = {}
            for row in found:
                once.setdefault(row[:2], row)
            found = [*once.values()]
        return found

    def of_few_orders(self, run: list[Row]) -> list[Row]:
        """Drop rows whose ties would give a query more than MOST_ORDERS orders."""
        tied: dict[Query, Counter[float | None]] = {}
        kept = []
        for row in run:
            query, _, score = row
            group = None if score is None or math.isnan(score) else float(score)
            if group is not None and self.policies.get("semantics") == "trec_eval_9":
                group = c_float(group).value
            groups = tied.setdefault(query, Counter())
            groups[group] += 1
            if math.prod(map(math.factorial, groups.values())) <= MOST_ORDERS:
                kept.append(row)
            else:
                groups[group] -= 1
        return kept

    def some_optional_inputs(self, sets: list[DataSet], metrics: list[str]) -> OptionalInputs:
        """Return the optional inputs that the metrics need, and sometimes exclude, items and weights."""
        random = self.random
        needed = {NEEDS.get(read(name).metric) for name in metrics}
        judged = sorted({row[0] for one in sets for row in one.qrels if None not in row[0]}, key=repr)
        kept = {row[:2] for one in sets for row in (one.run[:1] + one.qrels[:1])}
        pairs = sorted({row[:2] for one in sets for row in one.run if None not in row[0]} - kept, key=repr)
        exclude = (
            [pair for pair in pairs if pair[1] is not None] if random.random() < 0.15 and not self.favoured else []
        )
        exclude = random.sample(exclude, random.randint(0, len(exclude)))
        items = None
        if random.random() < 0.1 and self.shape != "lists" and not self.favoured:
            chosen = random.sample(self.items, random.randint(1, len(self.items)))
            items = frozenset({*chosen, *(item for _, item in kept if item is not None)})
        weights = None
        if random.random() < 0.15:
            weights = {query: float(random.choice([0, 1, 2, 0.5, 10])) for query in judged}
            weights.update({row[0]: 1.0 for one in sets for row in one.qrels[:1]})
        others: list[Id] = ["other", "others"] if isinstance(self.items[0], str) else [10**6, 10**6 + 1]
        held = [*self.items, *others]
        shown = next(item for _, item, _ in sets[0].run if item is not None)  # each relation must contain this item
        training: set[tuple[Query, Id]] = set()
        if "training" in needed:
            training = {
                (tuple("t" if isinstance(part, str) else part for part in query), item)
                for query in judged
                for item in [shown, *random.sample(held, random.randint(1, len(held)))]
            }
        features: dict[Id, dict[str, float]] = {}
        if "features" in needed:
            for item in dict.fromkeys([shown, *random.sample(self.items, random.randint(1, len(self.items)))]):
                names = random.sample("fghij", random.randint(1, 4))
                features[item] = {name: random.choice([1.0, 1.0, 0.5, 2.0, -1.0]) for name in names}
        similarities: dict[tuple[Id, Id], float] = {}
        if "pairs" in needed:
            for one in self.items:
                for other in random.sample(self.items, min(len(self.items), 3)):
                    if one != other and (other, one) not in similarities:
                        similarities[one, other] = random.choice([0.0, 0.25, 0.7, 1.0, -0.5])
            if not any(shown in pair for pair in similarities):
                similarities[shown, next(item for item in held if item != shown)] = 1.0
        catalog = [shown, *random.sample(self.items, random.randint(1, len(self.items)))] if "catalog" in needed else []
        return OptionalInputs(
            exclude=frozenset((query, item) for query, item in exclude if item is not None),
            items=items,
            weights=weights,
            training=frozenset(training),
            catalog=frozenset(catalog),
            features=features,
            similarities=similarities,
        )


class Evaluator:
    """Evaluates cases on one connection."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.connection = duckdb.connect()
        self.fast_plans: Counter[str] = Counter()

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def compare(self, case: Case, tally: Tally) -> None:
        """Compare the values, means and counts of `evaluate` with those of the reference."""
        tally.cases += 1
        tally.data_sets += len(case.data_sets)
        tally.kinds.update(
            [case.shape, f"together: {case.together}", case.source, *(["forced"] if case.forced else [])]
        )
        tally.kinds.update(f"{name}={value}" for name, value in case.policies.items() if isinstance(value, str))
        tally.kinds.update(read(name).metric for name in case.metrics)
        where = f"case {case.number}"
        try:
            found = self.answer(case)
        except Exception as error:  # a case that fails is reported as a difference
            tally.differences.append(f"{where}: {type(error).__name__}: {error}")
            return
        expected = [by_the_reference(case, place) for place in range(len(case.data_sets))]
        per_query = [name for name in case.metrics if read(name).metric not in OF_LISTS]
        for place, one in enumerate(expected):
            model = model_name(case, place)
            wanted = one.per_query
            mine = {
                query: values
                for (name, query), values in found.per_query.items()
                if name == model and is_of(case, place, query)
            }
            if mine.keys() != wanted.keys():
                tally.differences.append(f"{where}, data set {place}: queries {mine.keys() ^ wanted.keys()}")
                continue
            for query, values in wanted.items():
                for name in per_query:
                    tally.values += 1
                    tally.compare(mine[query][name], values[name], f"{where}, data set {place}, {query}, {name}")
            for name, mean in one.means.items():
                key = (model, None if case.are_models or case.together == "only" else place, name)
                if case.together in ("key", "group") and (not wanted or read(name).metric in OF_LISTS):
                    continue
                self.compare_mean(tally, found.means.get(key), mean, f"{where}, data set {place}, mean {name}")
        if case.together in ("key", "group"):
            for name in per_query:
                weighed = [
                    (values[name], case.optional.weight(query))
                    for one in expected
                    for query, values in one.per_query.items()
                ]
                self.compare_mean(tally, found.means["run", None, name], read(name).mean(weighed), f"{where}, {name}")
        for model, counts in found.counts.items():
            tallies = [one.tally for place, one in enumerate(expected) if model_name(case, place) == model]
            wanted_counts = tuple(map(sum, zip(*tallies, strict=True)))
            if counts != wanted_counts:
                tally.differences.append(f"{where}, counts of {model}: {counts} instead of {wanted_counts}")

    @staticmethod
    def compare_mean(tally: Tally, found: Mean | None, expected: Mean, where: str) -> None:
        tally.means += 1
        if found is None or found.queries != expected.queries:
            tally.differences.append(f"{where}: {found} instead of {expected}")
            return
        tally.compare(found.value, expected.value, where)

    def answer(self, case: Case) -> Answer:
        """Evaluate a case."""
        arguments = self.arguments(case)
        by = {"key": ["data set"], "group": ["group"]}.get(case.together)
        with fastest(case.forced, by_definition=case.forced or case.number % 2 == 1) as fast_plans:
            result = evaluate(
                **arguments,
                metrics=case.metrics,
                query=case.columns,
                by=by,
                connection=self.connection,
                **case.policies,
            )
        self.fast_plans.update(fast_plans)
        names = result.per_query.columns
        first = len(names) - sum(read(name).metric not in OF_LISTS for name in case.metrics)
        asked = [name for name in case.metrics if read(name).metric not in OF_LISTS]
        assert names[first:] == asked, (names, asked)
        width = len(case.columns)
        per_query = {
            (row[0], tuple(row[1 : 1 + width])): dict(zip(asked, row[first:], strict=True))
            for row in result.per_query.fetchall()
        }
        means = {}
        for row in result.to_dicts():
            k = "" if row["k"] is None else f"@{row['k']}"
            part = row[by[0]] if by else None
            means[row["model"], part, row["metric"] + k] = Mean(row["value"], row["queries"])
        counts: dict[str, tuple[int, ...]] = {
            str(model): (one.judged, one.retrieved, one.both, one.without_relevant)
            for model, one in result.counts.items()
        }
        result.close()
        for table in ("run", "qrels", *(f"run{place}" for place in range(MOST_MODELS))):
            self.connection.execute(f"DROP TABLE IF EXISTS {table}")
        return Answer(per_query, means, counts)

    def arguments(self, case: Case) -> dict[str, Any]:
        """Return the relations of a case, and the arguments that name their columns."""
        found: dict[str, Any] = {}
        runs = [self.run_columns(case, one) for one in case.data_sets]
        kind = _kind([row[1] for one in case.data_sets for row in [*one.run, *one.qrels]])
        if case.together == "column":
            found["model"] = "system"
            runs = [{"system": [f"m{place}"] * len(run["item"]), **run} for place, run in enumerate(runs)]
        if case.together == "scores":
            found["score"] = [f"m{place}" for place in range(len(runs))]
            scores = {f"m{place}": run["score"] for place, run in enumerate(runs)}
            runs = [{**{name: values for name, values in runs[0].items() if name != "score"}, **scores}]
        if case.together == "runs":
            found["run"] = {f"m{place}": self.given(case, run, f"run{place}", kind) for place, run in enumerate(runs)}
        else:
            found["run"] = self.given(case, _stacked(runs), "run", kind)
        if case.shape == "ranks":
            found["rank"] = "rank"
        if case.shape != "labels":
            sets = case.data_sets[:1] if case.are_models else case.data_sets
            qrels = _stacked([self.qrels_columns(case, one, place) for place, one in enumerate(sets)])
            found["qrels"] = self.given(case, qrels, "qrels", kind)
        return {**found, **optional_columns(case)}

    @staticmethod
    def run_columns(case: Case, one: DataSet) -> dict[str, list[Any]]:
        if case.shape in ("scores", "labels"):
            columns = _columns(case.columns, one.run, "score")
            labels = {row[:2]: row[2] for row in one.qrels}
            return {**columns, "relevance": [labels[row[:2]] for row in one.run]} if case.shape == "labels" else columns
        lists = in_rank_order(one.run)
        if case.shape == "ranks":
            step = 3 if case.policies.get("ranks") == "renumber" else 1  # it closes gaps
            rows: list[Row] = [
                (query, item, 1 + place * step) for query in lists for place, item in enumerate(lists[query])
            ]
            return _columns(case.columns, rows, "rank")
        return {**_keys(case.columns, list(lists)), "item": list(lists.values())}

    @staticmethod
    def qrels_columns(case: Case, one: DataSet, place: int) -> dict[str, list[Any]]:
        if case.qrels_as == "rows":
            columns = _columns(case.columns, one.qrels, "relevance")
            return {**columns, "group": [place] * len(one.qrels)} if case.together == "group" else columns
        held: dict[Query, dict[Id | None, float | None]] = {}
        for query, item, grade in one.qrels:
            held.setdefault(query, {})[item] = grade
        lists = [*held.values()] if case.qrels_as == "maps" else [list(items) for items in held.values()]
        return {**_keys(case.columns, list(held)), "item": lists}

    def given(self, case: Case, columns: dict[str, list[Any]], name: str, kind: Any) -> Any:
        """Return the relation as the kind of source that the case asks for."""
        if case.source == "dict":
            return columns
        frame = pyarrow.table(
            {key: pyarrow.array(values, kind if key == "item" else None) for key, values in columns.items()}
        )
        if case.source == "arrow":
            return frame
        if case.source == "parquet":
            path = self.folder / f"{name}.parquet"
            pyarrow.parquet.write_table(frame, path)
            return path
        self.connection.execute(f"CREATE OR REPLACE TABLE {name} AS FROM frame")
        return name


@dataclass(frozen=True)
class Answer:
    """A result: values by model and query, means by model, slice and metric, counts by model."""

    per_query: dict[tuple[str, Query], dict[str, float | None]]
    means: dict[tuple[str, Any, str], Mean]
    counts: dict[str, tuple[int, ...]]


@contextmanager
def fastest(forced: bool, *, by_definition: bool) -> Iterator[list[str]]:
    """If forced, make `evaluate` choose fast plans for any number of rows; yield the names of what it chose.

    If by definition, it does not answer small questions with one statement.
    """
    before: Any = vars(evaluation)["choose"]
    usual = small.answer
    chosen: list[str] = []

    def answer(question: Question, session: Session) -> answers.Answer | None:
        found = None if by_definition else usual(question, session)
        chosen.extend([] if found is None else ["one statement"])
        return found

    def choose(plan: Plan, session: Session) -> Chosen:
        found = choosing.choose(plan, session, many_rows=0, equal_scores=math.inf)
        chosen.extend(type(each).__name__ for each in found.fast_plans)
        chosen.append(f"lists: {made_by(found)[1]}")
        return found

    if forced:
        vars(evaluation)["choose"] = choose
    vars(small)["answer"] = answer
    try:
        yield chosen
    finally:
        vars(evaluation)["choose"] = before
        vars(small)["answer"] = usual


def by_the_reference(case: Case, place: int) -> Reference:
    """Return the result of the reference for one data set of a case."""
    one = case.data_sets[place]
    run = one.run
    if case.shape in ("ranks", "lists"):
        run = [
            (query, item, -float(rank))
            for query, items in in_rank_order(run).items()
            for rank, item in enumerate(items)
        ]
    return reference(run, one.qrels, case.metrics, **case.policies, optional=case.optional)


def in_rank_order(rows: Sequence[Row]) -> dict[Query, list[Id | None]]:
    """Return the items of every query, best first."""
    lists: dict[Query, list[Id | None]] = {}
    for query, item, _ in sorted(rows, key=lambda row: -float(row[2] or 0)):
        lists.setdefault(query, []).append(item)
    return lists


def model_name(case: Case, place: int) -> str:
    """Return the name that a data set's model has in the result."""
    return f"m{place}" if case.are_models else "run"


def is_of(case: Case, place: int, query: Query) -> bool:
    """Return True if a query belongs to this data set."""
    if case.together == "key":
        return query[0] == place
    return case.together != "group" or str(query[0]).startswith(f"{place}/")


def optional_columns(case: Case) -> dict[str, Any]:
    """Return the optional inputs as columns."""
    optional = case.optional
    found: dict[str, Any] = {}
    if optional.exclude:
        rows = sorted(optional.exclude, key=repr)
        found["exclude"] = {**_keys(case.columns, [query for query, _ in rows]), "item": [item for _, item in rows]}
    if optional.items is not None:
        found["items"] = {"item": sorted(optional.items, key=repr)}
    if optional.weights is not None:
        found["weights"] = {**_keys(case.columns, list(optional.weights)), "weight": list(optional.weights.values())}
    if optional.training:
        rows = sorted(optional.training, key=repr)
        found["training"] = {**_keys(case.columns, [query for query, _ in rows]), "item": [item for _, item in rows]}
    if optional.catalog:
        found["catalog"] = {"item": sorted(optional.catalog, key=repr)}
    if optional.features:
        held = [(item, name, weight) for item, names in optional.features.items() for name, weight in names.items()]
        found["features"] = dict(zip(("item", "feature", "weight"), map(list, zip(*held, strict=True)), strict=True))
    if optional.similarities:
        pairs = [(one, other, number) for (one, other), number in optional.similarities.items()]
        found["pairs"] = dict(zip(("item", "other", "similarity"), map(list, zip(*pairs, strict=True)), strict=True))
    return found


def _kind(items: list[Id | None]) -> Any:
    return pyarrow.string() if any(isinstance(item, str) for item in items) else pyarrow.int64()


def _keys(names: Sequence[str], queries: list[Query]) -> dict[str, list[Any]]:
    return {name: [query[place] for query in queries] for place, name in enumerate(names)}


def _columns(names: Sequence[str], rows: Sequence[Row], number: str) -> dict[str, list[Any]]:
    keys = _keys(names, [query for query, _, _ in rows])
    return {**keys, "item": [item for _, item, _ in rows], number: [value for _, _, value in rows]}


def _stacked(relations: list[dict[str, list[Any]]]) -> dict[str, list[Any]]:
    return {name: [value for one in relations for value in one[name]] for name in relations[0]}


def compared(seed: int, data_sets: int, *, only: int | None = None, tell: bool = False) -> Tally:
    """Compare a number of data sets of a seed, or one case, and return the tally."""
    tally, started, reported = Tally(), time.monotonic(), 0
    wanted = cases(seed, data_sets) if only is None else iter([made(seed, only)])
    with tempfile.TemporaryDirectory() as folder, Evaluator(Path(folder)) as evaluator:
        for case in wanted:
            evaluator.compare(case, tally)
            if tell and tally.data_sets - reported >= 1000:
                reported = tally.data_sets
                print(f"{reported:,} data sets, {time.monotonic() - started:.0f} s", flush=True)
                for difference in tally.differences[:20]:
                    print("  ", difference, flush=True)
        tally.kinds.update(evaluator.fast_plans)
    return tally


def main() -> int:
    """Compare data sets, and print a summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--data-sets", type=int, default=DATA_SETS)
    parser.add_argument("--case", type=int, help="compare this case alone, and print it")
    given = parser.parse_args()
    if given.case is not None:
        print(made(given.seed, given.case))
    tally = compared(given.seed, given.data_sets, only=given.case, tell=given.case is None)
    for kind, count in sorted(tally.kinds.items()):
        print(f"{count:6,} cases: {kind}")
    print(f"seed {given.seed}, DuckDB {duckdb.__version__}")
    print(f"{tally.data_sets:,} data sets in {tally.cases:,} calls: {tally.values:,} values and {tally.means:,} means")
    print(f"largest difference {tally.worst:.3g} ({tally.worst_at})")
    print(f"{len(tally.differences):,} differences above {TOLERANCE}")
    for difference in tally.differences[:200]:
        print("  ", difference)
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
