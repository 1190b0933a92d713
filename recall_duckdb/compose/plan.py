"""The plan of a statement: the question, and the relations that faster ones replace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from recall_duckdb.definitions import reading
from recall_duckdb.definitions.trees import Value
from recall_duckdb.question.metrics import Judging, Metric
from recall_duckdb.question.policies import Policies, as_float
from recall_duckdb.reading import Inputs


@dataclass(frozen=True)
class Replacements:
    """The files that replace definitions and return the same rows; empty if nothing is replaced.

    Attributes:
        variants: the variant file to use, by relation.
        reads: the relation to read instead of another, by (relation that reads, relation that it names).
        parameters: values for the parameters of these files.
    """

    variants: Mapping[str, str] = field(default_factory=dict)
    reads: Mapping[tuple[str, str], str] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)


DEFAULTS = Policies().settings()
# Relations that are a single one if the run holds the labels.
LABELLED = ("run_source", "qrels_source")


@dataclass(frozen=True)
class Plan:
    """The inputs, metrics and policies of one question, and the replacements that answer it.

    `known_models` are the models in a column of the run, once they were read; the run may be gone when means are read.
    `unit` is the expression for the unit of an item; None if items are not mapped.
    `sums` says how numbers are added up: 'exact', with the same bits in any order of the rows, or 'plain'.
    """

    inputs: Inputs
    metrics: list[Metric]
    policies: Policies
    replacements: Replacements = field(default_factory=Replacements)
    known_models: list[Value] | None = None
    sums: str = "exact"
    unit: exp.Expr | None = None

    @property
    def carries_slices(self) -> bool:
        """True if the slice of a query is read with its judged items."""
        inputs, is_plain = self.inputs, self.sums == "plain" and self.policies.ties != "expected"
        is_read = inputs.by_side == "qrels" and not self.has("items")  # `judgements` passes no slice on
        return is_plain and is_read and not inputs.of_items and len(self.judgings) == 1

    @property
    def arithmetic(self) -> list[str]:
        """The files in `sql/arithmetic/` whose functions the statement calls."""
        expected = ["expected"] if self.policies.ties == "expected" else []
        return [*expected, *(["plain"] if self.sums == "plain" else [])]

    def values(self, judging: Judging | None = None) -> dict[str, Value]:
        """Return the parameters of the templates, except those of metrics; `judging` decides threshold and gain."""
        judging = judging or self.judgings[0]
        return {**self._shared_values, **judging.values()}

    @cached_property
    def _shared_values(self) -> dict[str, Value]:
        is_text = isinstance(self.inputs.padding or self.inputs.qrels_padding, str)
        return {
            **self.policies.settings(),
            "only_relevant": self.only_relevant,
            **{"looked_at": None, "sampled": None, "by_number": False},
            "are_ranks": self.has_strict_ranks,
            "min_score": self.policies.lowest_score,
            "min_score_as_float": as_float(self.policies.lowest_score),
            "depth": self.depth,
            "list_depth": self.policies.depth,
            "ideal_depth": self.ideal_depth,
            "largest_k": max((metric.k for metric in self.metrics if metric.k is not None), default=None),
            "sliced": bool(self.inputs.by),
            "item_sliced": self.inputs.of_items,
            "qrels": self.inputs.qrels_shape,
            **{name: self.has(name) for name in ("exclude", "items")},
            "judged_only": self.policies.unjudged == "drop",
            "may_be_empty": self.policies.empty == "allow",
            "no_item": self.inputs.padding if self.policies.padding == "error" else None,
            "no_qrels_item": self.inputs.qrels_padding if self.policies.padding == "error" else None,
            **({"first_item": "0", "beyond_items": ":"} if is_text else {"first_item": 0, "beyond_items": None}),
            "text_items": self.inputs.text_items,
            "weighted": self.has("weights"),
            "max_grade": self.max_grade,
            "unit": self.unit,
            **self.replacements.parameters,
        }

    @property
    def depth(self) -> int | None:
        """The deepest rank that any metric reads; None for whole lists."""
        deepest, limit = _deepest([metric.depth for metric in self.metrics]), self.policies.depth
        return deepest if limit is None else min(limit, deepest or limit)

    @property
    def ideal_depth(self) -> int | None:
        """The deepest rank of the ideal order that any metric reads; None for the whole order."""
        readers = [metric for metric in self.metrics if metric.reads_ideal_order]
        return _deepest([metric.depth if metric.template.cuts_ideal_order else None for metric in readers] or [1])

    @cached_property
    def max_grade(self) -> Value:
        """The lowest max_grade of the metrics; None if no metric has this option."""
        values = [metric.values(self.policies.settings()).get("max_grade") for metric in self.metrics]
        return min((value for value in values if isinstance(value, (int, float))), default=None)

    @property
    def has_models(self) -> bool:
        """True if the run has a model column."""
        return self.inputs.one_model is None

    @property
    def only_relevant(self) -> bool:
        """True if the run holds its labels, and copies of an irrelevant item below the top cannot change a number."""
        ordered = self.inputs.run_shape == "scores" and self.policies.ties in ("item_desc", "item")
        return self.has("labelled") and ordered and not self.has_models and self.is_linear

    @property
    def keeps_best(self) -> bool:
        """True if copies of an item count once, at the best score or the first place, and the items behind move up."""
        return self.policies.duplicates == "best" and self.inputs.run_shape != "ranks"

    @property
    def has_strict_ranks(self) -> bool:
        """True if the ranks of a list must be 1, 2, 3 and so on."""
        shape = self.inputs.run_shape
        is_list = shape == "lists" and self.unit is None and not self.keeps_best
        return is_list or (shape == "ranks" and self.policies.ranks == "error")

    @property
    def is_linear(self) -> bool:
        """True if every metric is a sum over the relevant items of a list; metrics of the user may not be."""
        return self.policies.ties != "expected" and all(
            metric.is_of_ours and metric.template.is_plain and metric.has_expectation for metric in self.metrics
        )

    @property
    def has_qrels(self) -> bool:
        """True if there are judgements: False for metrics of the run alone, such as coverage, without qrels."""
        return self.inputs.qrels_shape != "none"

    def has(self, name: str) -> bool:
        """Return True if the user gave this relation."""
        return name in self.inputs.selects

    @cached_property
    def judgings(self) -> list[Judging]:
        """The judgings of the metrics; the first has the policy threshold, which decides what no_relevant means."""
        threshold = self.policies.threshold
        judgings = list(dict.fromkeys(metric.judging(threshold) for metric in self.metrics))
        if all(judging.threshold != threshold for judging in judgings):
            judgings.append(Judging(threshold))
        return sorted(judgings, key=lambda judging: (judging.threshold != threshold, judging.gain != "linear"))

    def judging_no(self, metric: Metric) -> int:
        """Return the number of a metric's judging."""
        return self.judgings.index(metric.judging(self.policies.threshold))

    @property
    def is_of_ours(self) -> bool:
        """True if no metric is a file of the user, whose SQL may have any form."""
        return all(metric.is_of_ours for metric in self.metrics)

    def resolve(self, relation: str) -> str:
        """Return the relation to read when this one is skipped, or the relation itself."""
        if relation.endswith("_units") and self.unit is None:
            relation = relation.replace("_units", "_rows")
        if (relation, self.inputs.run_shape) == ("run_rows", "scores"):  # nothing to unnest
            relation = "run_source"
        if (relation, self.inputs.qrels_shape) == ("qrels_rows", "rows"):
            relation = "qrels_source"
        if relation in LABELLED and self.has("labelled"):
            return "labelled"
        if relation == "named_models" and self.inputs.models is None and self.known_models is None:
            return "given_models"
        instead, parameters = reading.skipped().get(relation, (relation, ()))
        values = self.values() if parameters else {}
        return relation if any(reading.is_set(values[name], DEFAULTS.get(name)) for name in parameters) else instead

    def variant(self, relation: str) -> str:
        """Return the variant of a relation that this question needs; '' if there is only one."""
        inputs = self.inputs
        ties: str = self.policies.ties
        # The items behind a removed item move up, unless ranks are given.
        if inputs.run_shape != "scores" and self.unit is None and not self.keeps_best:
            strict = "strict" if self.resolve("candidates") == "run" else "item_desc"
            ties = "given" if self.policies.ranks == "given" else strict
        chosen = {
            "run": "best" if self.keeps_best else inputs.run_shape if self.unit is None else "mapped",
            "run_rows": inputs.run_shape,
            "qrels": self._qrels_variant(),
            "qrels_rows": inputs.qrels_shape,
            **dict.fromkeys(("run_units", "qrels_units"), "mapped"),
            "ranked": ties,
            "judged": "expected" if ties == "expected" else "ordered",
            "models": "named" if self.policies.empty == "allow" and self.has_models else "retrieved",
            "slices": inputs.by_side or "",
            "averages": "" if inputs.by or inputs.of_items else "whole",
            **self.replacements.variants,
        }
        return chosen.get(relation, "")

    def _qrels_variant(self) -> str:
        if self.policies.duplicates == "best" and self.has_qrels:
            return "best"
        if self.unit is not None and self.has_qrels:
            return "mapped"
        if self.inputs.qrels_shape != "rows":
            return self.inputs.qrels_shape
        shared = self.has("labelled") and self.inputs.one_model is None
        return "shared" if shared else "rows"

    def keeping_all_rows(self) -> Plan:
        """Return the question before any policy removed rows, for the checks of rows."""
        return replace(self, policies=replace(self.policies, duplicates="error", nulls="error"))


def _deepest(depths: Sequence[int | None]) -> int | None:
    return None if None in depths else max(depth for depth in depths if depth is not None)
