"""Draws questions: metrics with options and cutoffs, and policies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from reference import OF_ITEMS, OF_LISTS, WITH_CUTOFF, as_float, read

CUTOFFS = (1, 2, 3, 4, 5, 7, 10, 20, 100, 1000)
# The options of metrics, each choice without spaces.
OWN_OPTIONS = {
    "precision": "over=retrieved over=k", "f1": "over=retrieved", "fbeta": "beta=0.5 beta=2 beta=2,over=retrieved",
    "ap": "over=capped over=k over=hits",
    "dcg": "gain=exponential gain=binary gain=binary,threshold=2 base=10 discount=lenskit",
    "ndcg": "base=3,discount=lenskit gain=exponential gain=binary,threshold=2 gain=1:0.5,2:7,3:1 gain=0.7:2,1:3",
    "ncg": "gain=exponential gain=binary gain=binary,threshold=2",
    "gain_recall": "gain=exponential gain=binary gain=1:0.5,2:7,3:1", "err": "max_grade=6",
    "rbp": "p=0.5 p=0.95 gain=linear gain=scaled p=0.8,gain=scaled over=ideal gain=scaled,over=ideal",
    "judged": "over=k", "partial_auc": "over=capped", "r_precision_mult": "multiple=0.2 multiple=1.7",
    "rbp_residual": "p=0.5", "utility": "hit=3,missed=-2 other=0", "normalized_gain": "gain=binary gain=exponential",
    "ndcg_rel": "gain=binary gain=exponential gain=1:3,2:0", "ndcg_r": "gain=binary gain=exponential",
    "fall_out": "of=judged", "iprec": "recall=0.1 recall=0.3 recall=0.5 recall=1",
}  # fmt: skip
ACCURACY = (
    *WITH_CUTOFF,
    *("r_precision", "set_ap", "bpref", "inf_ap", "auc", "iprec", "eleven_point"),
    *("num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "r_precision_mult", "normalized_gain"),
    *("ndcg_rel", "ndcg_r", "rbp_residual", "utility", "abstention"),
)
WITHOUT_THRESHOLD = (
    *("dcg", "ndcg", "err", "judged", "num_q", "num_ret", "normalized_gain", "ndcg_rel", "ndcg_r", "rbp_residual"),
    *("unjudged", "ncg", "gain_recall"),
)
WITHOUT_EXPECTATION = (
    *("bpref", "inf_ap", "iprec", "eleven_point", "err", "judged", "set_ap", "average_rank", "partial_auc"),
    *("normalized_gain", "ndcg_rel", "ndcg_r", "rbp_residual", "unjudged", "num_nonrel_judged_ret"),
    *("recall_all", "clicks"),
)
WITHOUT_FAST_PLAN = ("fall_out", "unjudged", "partial_auc", "average_rank")
# The policies that the table macros take.
OF_MACROS = ("no_relevant", "missing", "threshold")
USUAL = {
    **{"no_relevant": "zero", "missing": "zero", "precision": "k", "nulls": "error", "duplicates": "error"},
    **{"semantics": "trec_eval_10", "ties": "item_desc", "unjudged": "keep", "ranks": "error", "empty": "error"},
}
# The optional input that a metric beyond accuracy needs.
NEEDS = {
    **{"popularity": "training", "novelty": "training", "diversity": "features", "pair_diversity": "pairs"},
    **{"coverage": "catalog", "gini": "catalog"},
}


def beyond_accuracy(name: str) -> bool:
    """Return True if a metric needs no judgements."""
    return read(name).metric in (*OF_ITEMS, *OF_LISTS)


def written(number: float) -> float:
    """Return a number as a person writes it: 0.7 for the 32-bit float next to it."""
    short = round(float(number), 2)
    return short if as_float(short) == number else float(number)


def some_policies(
    random: Random, shape: str, together: str, *, favoured: bool, grades: Sequence[float], scores: Sequence[float]
) -> dict[str, Any]:
    """Return the policies of a case that differ from their defaults; favoured: lists can answer the question."""
    pick = random.choice
    found: dict[str, Any] = {
        "no_relevant": pick(["zero", "zero", "skip"]),
        "missing": pick(["zero", "zero", "skip"]),
        "precision": pick(["k", "k", "retrieved"]),
        "threshold": pick([None, None, *(written(grade) for grade in grades if grade > 0)]),
        "unjudged": pick(["keep", "keep", "keep", "drop"]),
    }
    if found["unjudged"] == "drop":  # it may leave no item of a model, which is an error unless that is allowed
        found["empty"] = pick(["allow", "allow", "error"])
    if shape == "ranks":
        found["ranks"] = pick(["error", "error", "renumber", "given", "given"])
    if shape == "scores":
        found["nulls"] = pick(["error", "error", "drop", "last"])
        found["duplicates"] = pick(["error", "error", "error", "best"])
    if shape == "lists":
        found["duplicates"] = pick(["error", "error", "best"])
    if together == "scores":
        found["duplicates"] = "error"
    if favoured:
        found |= {"unjudged": "keep", "duplicates": "error"}
        found["nulls"] = pick(["error", "drop"]) if shape == "scores" else "error"
    if shape in ("scores", "labels"):
        found["semantics"] = pick(["trec_eval_10", "trec_eval_10", "trec_eval_9"])
        found["ties"] = pick(["item_desc", "item_desc", "item", "optimistic", "pessimistic", "expected"])
        found["min_score"] = pick([None, None, None, pick([written(each) for each in scores if math.isfinite(each)])])
        if favoured:
            found |= {"ties": pick(["item_desc", "item", found["ties"]]), "min_score": None}
        if found["min_score"] is None:
            found["order"] = pick([None, None, None, "descending", "ascending"])
    if random.random() < 0.2 and found.get("ties") != "expected":
        found["depth"] = pick([1, 2, 5, 50])
        if found.get("ranks") == "given":
            found["empty"] = pick(["allow", "allow", "error"])
    known = pick([found, found, found, OF_MACROS, OF_MACROS, ()])  # some questions are also for macros, or small
    differing = {name: value for name, value in found.items() if value is not None and USUAL.get(name) != value}
    return {name: value for name, value in differing.items() if name in known}


class Metrics:
    """Draws metrics that the policies and grades of a case allow.

    Linear: all metrics are sums over a list, as expectations require.
    """

    def __init__(self, random: Random, policies: Mapping[str, Any], grades: Sequence[float], *, favoured: bool) -> None:
        self.random, self.policies, self.best, self.favoured = random, policies, max(map(float, grades)), favoured
        self.are_expected = policies.get("ties") == "expected"
        self.are_linear = self.are_expected or favoured

    def some(self) -> list[str]:
        """Return a few metrics, each with options and a cutoff."""
        known = [name for name in ACCURACY if not (self.are_linear and name in WITHOUT_EXPECTATION)]
        if "depth" in self.policies:
            known.remove("auc")
        if self.favoured:
            known = [name for name in known if name in WITH_CUTOFF and name not in WITHOUT_FAST_PLAN]
        wanted = self.random.randint(2, 8)
        found: dict[str, None] = {}
        while len(found) < wanted:
            found[self.one(self.random.choice(known))] = None
        if not self.are_linear and self.random.random() < 0.3:
            for name in self.random.sample([*OF_ITEMS, *OF_LISTS], self.random.randint(1, 3)):
                mean = self.random.choice(["", "", "(mean=geometric)", "(mean=sum)"]) if name in OF_ITEMS else ""
                found[name + mean + self.cutoff()] = None
        return [name for name in found if not self.is_out_of_range(name)] or ["recall@3"]

    def one(self, name: str) -> str:
        """Return the metric with options and a cutoff."""
        option = self.random.choice(["", "", *OWN_OPTIONS.get(name, "").split()])
        if self.are_linear and option in ("over=hits", "of=judged"):
            option = ""
        threshold = ""
        if name not in WITHOUT_THRESHOLD and "threshold" not in option and "gain=" not in option:
            reached = [f"threshold={limit:g}" for limit in (0.5, 0.7, 1, 2) if limit <= self.best]
            threshold = self.random.choice(["", "", "", *reached])
        means = ["mean=arithmetic" if name.startswith("num_") else "mean=sum"]
        means += [] if self.are_expected else ["mean=geometric"]
        mean = self.random.choice(["", "", "", *means])
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
        """Return a cutoff or none."""
        shallow = ["@1", "@2", "@3", "@5", "@10"]
        return self.random.choice(shallow if self.favoured else ["", *(f"@{k}" for k in CUTOFFS)])
