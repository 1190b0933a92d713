"""Composes the statement: the templates that a question needs, filled in and joined into one WITH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp

from recall_duckdb import templates, trees
from recall_duckdb.inputs import Inputs, SourceSelect, numbered
from recall_duckdb.metrics import Metric
from recall_duckdb.policies import Policies
from recall_duckdb.templates import Template
from recall_duckdb.trees import Column, Copy, Value, named


@dataclass(frozen=True)
class Plan:
    """One question: the inputs, the metrics and the policies."""

    inputs: Inputs
    metrics: list[Metric]
    policies: Policies

    def values(self) -> dict[str, Value]:
        """Every parameter of the templates but those of the metrics."""
        largest = max((metric.k for metric in self.metrics if metric.k is not None), default=None)
        bounded = all(metric.k is not None for metric in self.metrics)
        return {
            **self.policies.settings(),
            "depth": largest if bounded else None,
            "largest_k": largest,
            "sliced": bool(self.inputs.by),
            "qrels": self.inputs.qrels_shape,
        }

    def variant(self, relation: str) -> str:
        """Which form of a relation this question takes; '' for one that has but one."""
        inputs, best = self.inputs, self.policies.duplicates == "best"
        chosen = {
            "run": "best" if best else inputs.run_shape,
            "qrels": self._qrels_variant(),
            "ranked": self.policies.ties if inputs.run_shape == "scores" else "given",
            "slices": inputs.by_side or "",
        }
        return chosen.get(relation, "")

    def _qrels_variant(self) -> str:
        if self.inputs.qrels_shape != "rows":
            return self.inputs.qrels_shape
        if self.policies.duplicates == "best":
            return "best"
        shared = "labelled" in self.inputs.selects and self.inputs.one_model is None
        return "shared" if shared else "rows"

    def keeping_all_rows(self) -> Plan:
        """The same question before any policy has left a row out, as the checks of rows see it."""
        return replace(self, policies=replace(self.policies, duplicates="error", nulls="error"))


@dataclass
class Statement:
    """Composes one statement for a plan; relations in `bound` are read where they are instead of being computed."""

    plan: Plan
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)
    _ctes: dict[str, exp.Expr] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def of(self, relation: str) -> exp.Select:
        """The statement whose rows are those of a relation of the pipeline, under the user's column names."""
        return self._finish(self._filled(self._template(relation)), output=True)

    def of_table(self, relation: str) -> exp.Select:
        """The statement whose rows are those of a relation of the pipeline, under the canonical column names."""
        return self._finish(self._filled(self._template(relation)), output=False)

    def of_check(self, check: Template) -> exp.Select:
        """The statement whose rows are the offending rows of a data check, in order, under the canonical names."""
        tree = check.tree()
        self._fill(tree, check)
        order = [exp.Ordered(this=trees.column(name), desc=False) for name in tree.named_selects]
        return self._finish(tree.order_by(*order, copy=False), output=False)

    def of_checks(self, checks: list[Template]) -> exp.Query:
        """The statement that counts the offending rows of every check given: a row each, of its name and its count."""
        counts: list[exp.Select] = []
        for check in checks:
            tree = check.tree()
            self._fill(tree, check)
            self._need(tree)
            count = exp.alias_(exp.Count(this=exp.Star()), "faults")
            counts.append(
                exp.select(exp.alias_(trees.literal(check.name), "check"), count).from_(tree.subquery("rows"))
            )
        return self._with(trees.union_all(counts))

    def of_count(self, relation: str) -> exp.Query:
        """The statement that counts the rows of a relation of the pipeline."""
        return self._finish(exp.select(exp.alias_(exp.Count(this=exp.Star()), "rows")).from_(relation), output=False)

    def _finish(self, tree: exp.Select, *, output: bool) -> exp.Select:
        self._need(tree)
        if output:
            self._name_output(tree)
        self._with(tree)
        return tree

    def _with(self, tree: exp.Query) -> exp.Query:
        for name, cte in self._ctes.items():
            tree.with_(name, as_=cte, materialized=self._materialized(name), copy=False, append=True)
        return tree

    def _materialized(self, name: str) -> bool | None:
        """A relation read twice is computed once, but an input is read where it lies as often as need be."""
        inputs = {"run", "qrels", *self.plan.inputs.selects}
        if name not in inputs:
            return True if self._counts[name] > 1 else None
        # An input that is read once is still read twice if the input that reads it is.
        return False if any(self._counts.get(each, 0) > 1 for each in inputs) else None

    def _template(self, relation: str) -> Template:
        return templates.relations()[relation][self.plan.variant(relation)]

    def _need(self, tree: exp.Select) -> None:
        """Add the relations that a tree reads, and first those that they read."""
        own = {cte.alias for cte in tree.ctes}
        for table in tree.find_all(exp.Table):
            name = table.name
            if name in own or table.meta.get("of_the_user"):
                continue
            if name in self.bound:
                self._bind_table(table, self.bound[name])
                continue
            if name in ("run_source", "qrels_source") and "labelled" in self.plan.inputs.selects:
                name = "labelled"
                table.set("this", exp.to_identifier(name))
            self._counts[name] = self._counts.get(name, 0) + 1
            if name not in self._ctes and self._counts[name] == 1:
                new = self._relation(name)
                if isinstance(new, exp.Select):
                    self._need(new)
                self._ctes[name] = new

    @staticmethod
    def _bind_table(table: exp.Table, relation: exp.Expr) -> None:
        alias = table.alias_or_name
        table.replace(exp.alias_(relation.copy(), alias, table=True))

    def _relation(self, name: str) -> exp.Expr:
        if name in self.plan.inputs.selects:
            return self._source(self.plan.inputs.selects[name])
        if name == "metrics":
            return self._metrics_relation()
        own = next((metric for metric in self.plan.metrics if metric.column == name), None)
        if own is not None:
            return self._own_metric(own)
        return self._filled(self._template(name))

    def _source(self, selects: list[SourceSelect]) -> exp.Expr:
        """The relations of the user's, one SELECT each, one below the other."""
        parts: list[exp.Select] = []
        for select in selects:
            tree = templates.relations()["source"][""].tree()
            columns = {"name": select.names, "number": select.numbers, "extra": select.extras}
            trees.repeat(tree, {name: [({name: column}, {}) for column in each] for name, each in columns.items()})
            for table in list(tree.find_all(exp.Table)):
                if table.name == "source":
                    table.replace(_of_the_user(select.relation))
            trees.bind(tree, self.plan.values())
            parts.append(tree)
        return trees.union_all(parts)

    def _filled(self, template: Template) -> exp.Select:
        tree = template.tree()
        if template.name == "measured":
            self._measure(tree)
        if template.name == "per_query":
            self._join_own_metrics(tree)
        if not self.plan.inputs.by:
            for join in list(tree.find_all(exp.Join)):
                if join.this.name == "slices":
                    join.pop()
        if template.name == "qrels" and self.plan.inputs.by_side == "run":
            trees.repeat(tree, {"slice": []})  # the slices are columns of the run instead
        self._fill(tree, template)
        return tree

    def _fill(self, tree: exp.Select, template: Template) -> None:
        """Give the stand-in columns and parameters of a template what this question has for them."""
        if not template.columns.isdisjoint(self._stand_ins):
            trees.repeat(tree, self._stand_ins)
        if template.parameters:
            trees.bind(tree, self.plan.values())

    @cached_property
    def _stand_ins(self) -> dict[str, list[Copy]]:
        inputs, metrics = self.plan.inputs, self._metric_copies()
        keys = {
            "model": [] if inputs.one_model is not None else ["model"],
            "query": numbered("query", len(inputs.query)),
            "slice": numbered("slice", len(inputs.by)),
        }
        return {
            **{name: [({name: named(own)}, {}) for own in names] for name, names in keys.items() if names != [name]},
            **dict.fromkeys(("raw", "value", "value_mean", "value_queries"), metrics),
        }

    def _metric_copies(self) -> list[Copy]:
        return [
            (
                {
                    "raw": named(f"{metric.column}_raw"),
                    "value": named(metric.column),
                    "value_mean": named(f"{metric.column}_mean"),
                    "value_queries": named(f"{metric.column}_queries"),
                },
                {"metric_no": number},
            )
            for number, metric in enumerate(self.plan.metrics, start=1)
        ]

    def _measure(self, tree: exp.Select) -> None:
        """Put the projection of every metric that is a plain aggregate of judged in the place of the stand-in."""
        projections = [projection for projection in tree.expressions if projection.alias != "raw"]
        for metric in self.plan.metrics:
            if metric.template.is_plain:
                own = metric.template.tree()
                self._bind_metric(own, metric)
                projections.append(exp.alias_(own.expressions[-1].this, f"{metric.column}_raw"))
        tree.set("expressions", projections)

    def _bind_metric(self, tree: exp.Select, metric: Metric) -> None:
        trees.bind(tree, {**self.plan.values(), "k": metric.k})

    def _own_metric(self, metric: Metric) -> exp.Select:
        """A metric that is more than an aggregate of judged: a relation of its own, with its own CTEs inside."""
        tree = metric.template.tree()
        tree.expressions[-1].set("alias", exp.to_identifier(f"{metric.column}_raw"))
        self._bind_metric(tree, metric)
        self._fill(tree, metric.template)
        return tree

    def _join_own_metrics(self, tree: exp.Select) -> None:
        for metric in self.plan.metrics:
            if not metric.template.is_plain:
                tree.join(metric.column, using=["model", "query"], join_type="left", copy=False)

    def _metrics_relation(self) -> exp.Expr:
        """The metrics asked for, as rows."""
        rows = [
            exp.select(
                exp.alias_(trees.literal(number), "metric_no"),
                exp.alias_(trees.literal(metric.name), "metric"),
                exp.alias_(exp.cast(trees.literal(metric.k), "BIGINT"), "k"),
            )
            for number, metric in enumerate(self.plan.metrics, start=1)
        ]
        return trees.union_all(rows)

    def _name_output(self, tree: exp.Select) -> None:
        """Give the columns of the outermost SELECT the names that the user knows them by."""
        inputs = self.plan.inputs
        users = dict(zip(numbered("slice", len(inputs.by)), inputs.by, strict=True))
        users |= dict(zip(numbered("query", len(inputs.query)), inputs.query, strict=True))
        for projection in tree.expressions:
            if projection.alias in users:
                projection.set("alias", trees.identifier(users[projection.alias]))
        if inputs.one_model is not None:
            tree.set("expressions", [exp.alias_(trees.literal(inputs.one_model), "model"), *tree.expressions])


def _of_the_user(relation: exp.Expr) -> exp.Expr:
    """A copy of a user's relation that is known as theirs, should it have the name of one of ours."""
    copy = relation.copy() if isinstance(relation, (exp.Table, exp.Subquery)) else exp.Table(this=relation.copy())
    for table in copy.find_all(exp.Table):
        table.meta["of_the_user"] = True
    return copy


def per_query_output(plan: Plan, table: exp.Table) -> exp.Select:
    """The per-query relation as the user sees it, from the table that holds it."""
    inputs = plan.inputs
    columns: list[Column] = []
    if inputs.one_model is None:
        columns.append(named("model"))
    else:
        columns.append(Column(trees.literal(inputs.one_model), "model"))
    shown = [*zip(numbered("query", len(inputs.query)), inputs.query, strict=True)]
    shown += [
        pair for pair in zip(numbered("slice", len(inputs.by)), inputs.by, strict=True) if pair[1] not in inputs.query
    ]
    shown += [(metric.column, str(metric)) for metric in plan.metrics]
    columns += [Column(trees.column(ours), theirs) for ours, theirs in shown]
    keys = [] if inputs.one_model is not None else ["model"]
    return (
        exp.select(*(exp.alias_(column.expression, trees.identifier(column.name)) for column in columns))
        .from_(table.copy())
        .order_by(
            *(exp.Ordered(this=trees.column(key), desc=False) for key in [*keys, *numbered("query", len(inputs.query))])
        )
    )
