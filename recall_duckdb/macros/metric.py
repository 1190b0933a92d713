"""Composes the SELECT of a macro that users call: it reads the helper, which checks the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.macros import helper
from recall_duckdb.macros.composed import MacroPlan, MacroStatement, double, inputs
from recall_duckdb.macros.faults import wrong_options
from recall_duckdb.macros.names import argument
from recall_duckdb.macros.reading import expression, relation
from recall_duckdb.question.metrics import Metric, options
from recall_duckdb.question.policies import Policies

# What the helper has joined, and what only its checks read.
_JOINED = ("models", "retrieved", "slices")
_OF_CHECKS = ("relevant", "retrieved", "repeated_item", "run_queries")


@dataclass(frozen=True)
class MetricPlan(MacroPlan):
    """A question that reads the helper."""

    @property
    def has_gain(self) -> bool:
        """True if an argument chooses the gains; a metric with an option `gain` of its own computes them itself."""
        templates_of_metrics = [each.template for each in self.metrics]
        return any("gain" in options(template) and "gain" not in template.options for template in templates_of_metrics)

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options of the metrics that are arguments of the macro."""
        own = {name: each for metric in self.metrics for name, each in options(metric.template).items()}
        return {name: each for name, each in own.items() if name not in ("threshold", "mean")}

    @property
    def takes_k(self) -> bool:
        """True if an argument holds the cutoffs."""
        return any("k" in metric.template.parameters for metric in self.metrics)

    def helper_options(self) -> dict[str, exp.Expr]:
        """Return the options with which these metrics call the helper."""
        own = [metric.template for metric in self.metrics]
        given: dict[str, exp.Expr] = {}
        if self.takes_k:
            is_deep = any(replace(metric, k=1).depth is None for metric in self.metrics)
            facts = {
                "whole": is_deep,
                "several": all(template.is_plain for template in own),
                "required": any(template.head.get("Cutoff") == "required" for template in own),
            }
            given["k"] = argument("k")
            given |= {name: trees.literal(fact) for name, fact in facts.items() if fact != helper.OPTIONS[name]}
        chosen = {"gain": self.has_gain, "max_grade": "max_grade" in self.options}
        given |= {name: argument(name) for name, is_given in chosen.items() if is_given}
        return given | ({"mistake": wrong_options(list(self.options.values()))} if self.options else {})


class MetricStatement(MacroStatement):
    """Composes the SELECT of a macro from the judged items of the helper."""

    plan: MetricPlan

    def of_means(self, *, columns: Sequence[str]) -> exp.Select:
        """Return the SELECT of means, with a row for each metric and cutoff."""
        return self._shown(self._fill_template(self._template("means")), columns)

    def of_queries(self, columns: Sequence[str]) -> exp.Select:
        """Return the SELECT of the values of each query, with a row for each query and cutoff."""
        keys = [trees.column(name) for name in ("model", "query", "slice", "k")]
        values = [exp.alias_(trees.column(metric.column), metric.name) for metric in self.plan.metrics]
        order = [exp.Ordered(this=trees.column(name), desc=False, nulls_first=True) for name in ("model", "query", "k")]
        tree = exp.select(*keys, *values).from_("per_query").order_by(*order)
        self._need(tree)
        return self._shown(tree, columns)

    def _shown(self, tree: exp.Select, columns: Sequence[str]) -> exp.Select:
        """Return the SELECT of the columns asked for, with the model and the slice only if arguments name them."""
        answer = exp.select(*helper.named(columns)).from_(tree.subquery("found"))
        shown = relation("shown")
        for table in trees.find(shown, exp.Table):
            table.replace(answer.subquery("answer"))
        self._with(shown)
        judged = next(cte.this for cte in shown.ctes if cte.alias == "judged")
        read = {column.name for column in shown.find_all(exp.Column)}
        judged.set("expressions", [trees.column(name) for name in helper.judged_columns() if name in read])
        for select in shown.find_all(exp.Select):  # the helper and the head of the macro say the same
            select.comments = None
        return shown

    def _relation(self, name: str) -> exp.Expr:
        if name == "judged":
            return helper.call([], self.plan.helper_options())
        if name == "cutoffs":
            none = exp.Array(expressions=[exp.cast(exp.null(), "BIGINT")])
            return relation(name, cutoffs=expression("arguments", "cutoffs") if self.plan.takes_k else none)
        return super()._relation(name)

    def _drop_joins(self, tree: exp.Select) -> None:
        for join in trees.find(tree, exp.Join):
            if join.this.name in _JOINED:
                join.pop()
        super()._drop_joins(tree)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        tree = super()._fill_template(template, judging)
        if template.name == "measured":
            tree.join("cutoffs", join_type="cross", copy=False)
            self._need(exp.select("k").from_("cutoffs"))
            for name in ("slice", "candidates"):
                tree.append("expressions", exp.alias_(exp.Max(this=trees.column(name)), name))
        if template.name in ("measured", "averages"):
            tree.append("expressions", trees.column("k"))
            tree.args["group"].append("expressions", trees.column("k"))
        if template.name == "per_query":
            tree.set("expressions", [each for each in tree.expressions if each.alias not in _OF_CHECKS])
            tree.append("expressions", trees.column("k"))
        if template.name == "means":
            tree.args["order"].append("expressions", exp.Ordered(this=trees.column("k"), desc=False, nulls_first=True))
        return tree

    def _cutoff(self, metric: Metric) -> exp.Expr:  # noqa: ARG002
        return trees.column("k")

    def _values(self, metric: Metric) -> dict[str, Any]:
        own = metric.template.options
        settings = super()._values(metric)
        given = {name: argument(name) if option.choices else double(argument(name)) for name, option in own.items()}
        k = {"k": expression("arguments", "first_cutoff")} if "k" in metric.template.parameters else {}
        return {**settings, **given, **k}

    def _metrics_relation(self) -> exp.Expr:
        tree = super()._metrics_relation()
        for select in tree.find_all(exp.Select):
            select.set("expressions", [each for each in select.expressions if each.alias != "k"])
        return tree


def statement_of(metrics: Sequence[Metric]) -> MetricStatement:
    """Return the statement that computes these metrics."""
    return MetricStatement(MetricPlan(inputs(), list(metrics), Policies()))
