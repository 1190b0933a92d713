"""A pytest plugin that makes recall_duckdb the provider behind the tests of ir_measures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import ir_measures
from ir_measures import Metric, providers, util
from peers.strict import strict

from recall_duckdb import evaluate

OUT_OF_SCOPE = {"TestPytrecEval::test_empty": "it uses measures that we do not have: Compat, costs of cwl_eval"}
pytest_collection_modifyitems = strict(OUT_OF_SCOPE, least=22)

# Our name of each measure; cutoff and options follow theirs.
NAMES = {
    "P": "precision", "R": "recall", "RR": "rr", "AP": "ap", "nDCG": "ndcg", "Rprec": "r_precision", "Bpref": "bpref",
    "infAP": "inf_ap", "SetP": "precision", "SetR": "recall", "SetF": "fbeta", "SetAP": "set_ap",
    "Success": "hit_rate", "IPrec": "iprec", "NumQ": "num_q", "NumRel": "num_rel", "NumRet": "num_ret",
    "Judged": "judged", "ERR": "err", "Accuracy": "auc",
}  # fmt: skip
GUARD = "a query of the adapter"  # so that each call has a relevant item, which `evaluate` requires


def our_name(measure: Any) -> str:
    """Return our metric for a measure."""
    given = {
        name: measure[name] for name in measure.SUPPORTED_PARAMS if measure[name] is not providers.base.NOT_PROVIDED
    }
    if measure.NAME == "SetF":
        return f"SetF(rel={given['rel']},beta={given['beta']})"  # ir_measures' beta is the square of our beta
    name, options = NAMES[measure.NAME], {}
    if measure.NAME == "NumRet" and "rel" in given:
        name = "num_rel_ret"
    if given.get("relative"):
        name = "capped_recall"
    if given.get("rel", 1) != 1:
        options["threshold"] = given["rel"]
    if measure.NAME == "IPrec":
        options["recall"] = given["recall"]
    if given.get("dcg") == "exp-log2":
        options["gain"] = "exponential"
    listed = ",".join(f"{option}={value}" for option, value in options.items())
    cutoff = f"@{given['cutoff']}" if "cutoff" in given else ""
    return name + (f"({listed})" if listed else "") + cutoff


class Value(float):
    """A value that equals any within 1e-12: some tests compare with ==, but we round a sum only once, at the end."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (int, float)) and abs(float(self) - other) <= 1e-12

    __hash__ = float.__hash__


class Provider(providers.Provider):  # type: ignore[misc]
    """Computes measures with `evaluate`, rounded to a number of digits unless None."""

    NAME = "recall_duckdb"

    def __init__(self, digits: int | None = None, gain: str | None = None, **policies: Any) -> None:
        super().__init__()
        self.digits, self.gain, self.policies = digits, gain, policies

    def supports(self, measure: Any) -> bool:
        return measure.NAME in NAMES

    def _evaluator(self, measures: Iterable[Any], qrels: Any) -> Evaluator:
        return Evaluator(list(measures), util.QrelsConverter(qrels).as_dict_of_dict(), self)


class Evaluator(providers.Evaluator):  # type: ignore[misc]
    """Computes measures of one run after another."""

    def __init__(self, measures: list[Any], qrels: dict[str, dict[str, int]], provider: Provider) -> None:
        # A query without a value gets the measure's default, except in Accuracy.
        super().__init__(measures, set() if provider.policies.get("no_relevant") == "skip" else set(qrels))
        self.qrels, self.provider = qrels, provider

    def _iter_calc(self, run: Any) -> Iterator[Any]:
        found = util.RunConverter(run).as_dict_of_dict()
        if not found.keys() & self.qrels.keys():
            return  # `evaluate` refuses such a run
        for measure in self.measures:
            for query, value in self.values(measure, found).items():
                if query in found and value is not None:
                    digits = self.provider.digits
                    yield Metric(query, measure, Value(value if digits is None else round(value, digits)))

    def values(self, measure: Any, run: dict[str, dict[str, float]]) -> dict[str, float | None]:
        """Return the value of a measure for each judged query."""
        name, exclude, gains = our_name(measure), None, {}
        if "judged_only" in measure.SUPPORTED_PARAMS and measure["judged_only"]:
            judged = {(q, item) for q, items in self.qrels.items() for item, grade in items.items() if grade >= 0}
            left_out = [(q, item) for q, items in run.items() for item in items if (q, item) not in judged]
            exclude = {"query": [q for q, _ in left_out], "item": [item for _, item in left_out]} if left_out else None
        if "gains" in measure.SUPPORTED_PARAMS and isinstance(measure["gains"], dict):
            gains = measure["gains"]
        if self.provider.gain and measure.NAME == "nDCG":
            name = name.replace("ndcg", f"ndcg(gain={self.provider.gain})")
        scores = [(q, item, score) for q, items in [*run.items(), (GUARD, {"a": 1.0})] for item, score in items.items()]
        grades = [
            (q, item, gains.get(grade, grade))
            for q, items in [*self.qrels.items(), (GUARD, {"a": 4})]
            for item, grade in items.items()
        ]
        run_columns, qrels_columns = (
            dict(zip(("query", "item", number), map(list, zip(*rows, strict=True)), strict=True))
            for rows, number in ((scores, "score"), (grades, "relevance"))
        )
        options = {**self.provider.policies, "exclude": exclude}
        with evaluate(run_columns, qrels_columns, name, **options) as result:
            rows = {row[1]: row[2] for row in result.per_query.fetchall()}
        return {query: rows[query] for query in self.qrels}


trec_eval_9 = Provider(semantics="trec_eval_9")
replacing = {
    "pytrec_eval": trec_eval_9, "ranx": Provider(), "judged": Provider(ties="item"), "msmarco": Provider(ties="item"),
    "gdeval": Provider(digits=5, gain="exponential"), "accuracy": Provider(no_relevant="skip"),
}  # fmt: skip
for known in list(ir_measures.DefaultPipeline.providers):
    if known.NAME in replacing:
        place = ir_measures.DefaultPipeline.providers.index(known)
        ir_measures.DefaultPipeline.providers[place] = replacing[known.NAME]
for name, provider in replacing.items():
    setattr(ir_measures, name, provider)
providers.PytrecEvalProvider = lambda: trec_eval_9
