"""Composes the SELECT of a table macro: the statement of `evaluate`, with arguments in place of fixed policies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Column, Value
from recall_duckdb.inputs import Inputs, SourceSelect
from recall_duckdb.macros.faults import (
    above_zero,
    between,
    checks_of,
    concat,
    error,
    has_scores,
    message,
    pair,
    rule_of,
    when,
    wrong_options,
)
from recall_duckdb.macros.names import argument, output
from recall_duckdb.macros.reading import statement_of, unnamed_models, wrong_files
from recall_duckdb.question.metrics import Metric, options
from recall_duckdb.question.policies import DISTANCES, RANKS, Policies

# The variants of a relation that an argument chooses among when the macro is called.
_CHOSEN = {
    "ranked": ("ties", ("item_desc", "item", "optimistic", "pessimistic", "given")),
    "run": ("duplicates", ("error", "best")),
    "qrels": ("duplicates", ("error", "best")),
}
_VARIANTS = {("run", "error"): "scores", ("qrels", "error"): "rows"}
_OWN = ("run_source", "qrels_source")
# The relations that only a macro reads.
_ADDED = ("given_ranks", "list_lengths", "score_cutoffs", "contenders")


@dataclass(frozen=True)
class MacroPlan(Plan):
    """A question whose policies are arguments of a macro."""

    @cached_property
    def _shared_values(self) -> dict[str, Any]:
        arguments = {name: argument(name) for name in ("ties", "missing", "no_relevant", "nulls", "duplicates")}
        return {
            **super()._shared_values,
            **arguments,
            "depth": self.cut_depth,
            "ideal_depth": None,
            "min_score": _double(argument("min_score")),
            "min_score_as_float": _as_float(argument("min_score")),
            "max_grade": _double(argument("max_grade")),
            "sliced": exp.Not(this=exp.Is(this=argument("by"), expression=exp.null())),
        }

    @property
    def cut_depth(self) -> exp.Expr:
        """The deepest cutoff, NULL for the whole list: an expression that DuckDB folds."""
        cut = [replace(metric, k=1) if "k" in metric.template.parameters else metric for metric in self.metrics]
        whole = any(metric.depth is None for metric in cut)
        return exp.null() if whole else arguments_of("depth")

    @property
    def has_gain(self) -> bool:
        """True if an argument chooses the gains; a metric with an option `gain` of its own computes them itself."""
        own = [each.template for each in self.metrics]
        return any("gain" in options(template) and "gain" not in template.options for template in own)

    def values(self, judging: Any = None) -> dict[str, Any]:
        """Return the parameters of the templates: arguments of the macro where these decide them."""
        threshold = {
            "threshold": _double(argument("threshold")),
            "threshold_as_float": _as_float(argument("threshold")),
        }
        gain = {"gain": argument("gain")} if self.has_gain else {}
        return {**super().values(judging), **threshold, **gain}


class MacroStatement(Statement):
    """Composes the SELECT of a macro."""

    plan: MacroPlan

    def of_means(self, *, columns: Sequence[str]) -> exp.Select:
        """Return the SELECT of means, with a row for each metric and cutoff."""
        tree = self._fill_template(self._template("means"))
        return self._add_checks(tree, columns)

    def of_queries(self, metrics: Sequence[Metric], columns: Sequence[str]) -> exp.Select:
        """Return the SELECT of the values of each query, with a row for each query and cutoff."""
        keys = [trees.column(name) for name in ("model", "query", "slice", "k")]
        values = [exp.alias_(trees.column(metric.column), metric.name) for metric in metrics]
        order = [exp.Ordered(this=trees.column(name), desc=False, nulls_first=True) for name in ("model", "query", "k")]
        tree = exp.select(*keys, *values).from_("per_query").order_by(*order)
        self._need(tree)
        return self._add_checks(tree, columns)

    def of_faults(self, checks: Sequence[Template]) -> exp.Query:
        """Return the SELECT of the faults that checks find: check, rule, faults, do and an example."""
        parts = []
        for check in checks:
            found = {
                "check": trees.literal(check.name),
                "rule": rule_of(check.head["Rule"]),
                "faults": trees.column("cases"),
                "do": rule_of(check.head["Do"]),
                "example": trees.column("example"),
            }
            columns = [exp.alias_(value, output(key)) for key, value in found.items()]
            parts.append(exp.select(*columns).from_(self._fault_counts(check)).where(above_zero(trees.column("cases"))))
        tree = trees.union_all(parts).subquery("faults")
        selected = exp.select(exp.Star()).from_(tree)
        return self._with(selected.where(self._gate(), copy=False))

    def _add_checks(self, tree: exp.Select, columns: Sequence[str]) -> exp.Select:
        """Return the SELECT with the columns asked for, which raises an error for the first fault."""
        tree = self._with_gate(tree)
        named = [exp.alias_(trees.column(name), output(name)) for name in columns]
        answer = exp.select(*named).from_(tree.subquery("found"))
        shown = self._of_arguments(templates.table_macros()["shown"][""], bound=True)
        for table in trees.find(shown, exp.Table):
            table.replace(answer.subquery("answer"))
        self._with(shown)
        return shown

    def _with_gate(self, tree: exp.Select) -> exp.Select:
        own = [metric.template for metric in self.plan.metrics]
        checks = [(check, self._fault_counts(check)) for check in checks_of(own, "evaluate")]
        cases = [
            exp.If(
                this=above_zero(exp.column("cases", found.alias)),
                true=error(message(check, exp.column("cases", found.alias), exp.column("example", found.alias))),
            )
            for check, found in checks
        ]
        return tree.where(self._gate(cases, [found for _, found in checks]), copy=False)

    def _gate(self, cases: Sequence[exp.If] = (), relations: Sequence[exp.Subquery] = ()) -> exp.Expr:
        """Return the condition that raises an error for the first mistake in the arguments, else for the first case.

        One CASE decides: DuckDB runs several conditions at the same time, and the fastest would raise its error.
        """
        names = ["mistakes", *(["wrong_cutoffs"] if self._takes_k else [])]
        mistakes = {name: self._fill_template(templates.table_macros()[name][""]) for name in names}
        mistakes["wrong_files"] = wrong_files()
        mistakes["key_types"] = self._fill_template(templates.table_macros()["key_types"][""])
        mistakes["unnamed_models"] = unnamed_models()
        own = {name: each for metric in self.plan.metrics for name, each in options(metric.template).items()}
        own = {name: each for name, each in own.items() if name not in ("threshold", "mean")}
        if own:
            wrong = exp.alias_(wrong_options(list(own.values())), "mistake")
            mistakes["wrong_options"] = exp.select(wrong)
        decided = exp.Case(ifs=[*map(_report_mistake, mistakes), *cases], default=exp.true())
        first, *others = (tree.subquery(name) for name, tree in mistakes.items())
        gate = exp.select(decided).from_(first)
        for other in others:
            gate = gate.join(other, join_type="left", on=exp.true(), copy=False)
        for found in relations:
            gate = gate.join(found, join_type="cross", copy=False)
        return exp.Paren(this=gate)

    def _fault_counts(self, check: Template) -> exp.Subquery:
        """Return the number of rows that a check finds, and an example."""
        for_macros = templates.table_macros().get(check.name, {"": check})  # a macro does not know the types of columns
        tree = for_macros[""].tree()
        condition = when(check)
        ranks = check.when.get("run") == ("ranks",)
        # Rows are checked before duplicates = best removes any.
        before = {
            "run": "given_ranks" if ranks else "run_source",
            "exact_scores": "run_source",
            "qrels": "qrels_source",
        }
        for table in trees.find(tree, exp.Table):
            table.set("this", exp.to_identifier(before.get(table.name, table.name)))
        self._fill(tree, check)
        for table in trees.find(tree, exp.Table):
            if table.name == "per_query":
                table.set("this", exp.to_identifier("per_query_once"))
        self._add_once(tree)
        own = [key for key in tree.named_selects if key != "found"]
        columns = [exp.alias_(exp.Count(this=exp.Star()), "cases")]
        texts = [pair(key, check) for key in own]
        if own[:1] == ["model"]:  # shown only if an argument names its column
            with_model = concat(texts[0], trees.literal(", "))
            is_one = exp.Is(this=argument("model"), expression=exp.null())
            of_model = exp.Case(ifs=[exp.If(this=is_one, true=trees.literal(""))], default=with_model)
            texts[:2] = [concat(of_model, texts[1])]
        joined = concat(*between(texts, ", ")) if texts else exp.null()
        columns.append(exp.alias_(exp.Min(this=joined) if texts else exp.null(), "example"))
        found = exp.select(*columns).from_(tree.subquery("rows_found"))
        if condition is not None:
            found = found.where(condition, copy=False)
        return found.subquery(f"check_{check.name}")

    def _add_once(self, tree: exp.Select) -> None:
        reads = any(table.name == "per_query_once" for table in trees.find(tree, exp.Table))
        if reads and "per_query_once" not in self._ctes:
            first = arguments_of("first_cutoff") if self._takes_k else exp.null()
            once = exp.select(exp.Star()).from_("per_query")
            once = once.where(exp.NullSafeEQ(this=trees.column("k"), expression=first), copy=False)
            self._need(once)
            self._ctes["per_query_once"] = once

    @cached_property
    def _takes_k(self) -> bool:
        return any("k" in metric.template.parameters for metric in self.plan.metrics)

    def _materialized(self, name: str) -> bool | None:
        """Return True to compute a relation once; what the user names is read in place."""
        return super()._materialized(name) if name in self._counts else None

    def _relation(self, name: str) -> exp.Expr:
        own = templates.table_macros()
        if name == "cutoffs":
            tree = own[name][""].tree()
            none = exp.Array(expressions=[exp.cast(exp.null(), "BIGINT")])
            trees.bind(tree, {"cutoffs": arguments_of("cutoffs") if self._takes_k else none})
            return tree
        if name in _ADDED:
            return self._of_arguments(own[name][""])
        return super()._relation(name)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        if template.stage == templates.TABLE_MACROS:
            return self._of_arguments(template)
        if template.name in _CHOSEN and template.stage != templates.DUCKDB:
            return self._of_variants(template.name)
        tree = super()._fill_template(template, judging)
        if template.name == "measured":
            tree.join("cutoffs", join_type="cross", copy=False)
            self._need(exp.select("k").from_("cutoffs"))
        if template.name in ("measured", "averages"):
            tree.append("expressions", trees.column("k"))
            tree.args["group"].append("expressions", trees.column("k"))
        if template.name == "per_query":
            tree.append("expressions", trees.column("k"))
        if template.name == "means":
            tree.args["order"].append("expressions", exp.Ordered(this=trees.column("k"), desc=False, nulls_first=True))
        if template.name == "graded":
            _without_gain_tables(tree)
        return tree

    def _of_arguments(self, template: Template, *, bound: bool = False) -> exp.Select:
        """Return a template of `sql/table_macros`, in which each parameter is an argument of the macro."""
        tree = template.tree()
        own = [metric.template for metric in self.plan.metrics]
        facts: dict[str, Value | Sequence[str] | exp.Expr] = {
            "distances": list(DISTANCES),
            "usual_ranks": list(RANKS),
            "several": all(template.is_plain for template in own),
            "depth": self.plan.cut_depth,
            "required": any(template.head.get("Cutoff") == "required" for template in own),
        }
        names = {str(node.this) for node in trees.find(tree, exp.Placeholder)}
        trees.bind(tree, {**{name: argument(name) for name in names}, **facts})
        if not bound:
            self._need(tree)
        return tree

    def _of_variants(self, relation: str) -> exp.Select:
        """Return the rows of the variant that an argument chooses; DuckDB prunes the others when it plans a call."""
        name, values = _CHOSEN[relation]
        has_model = exp.Not(this=exp.Is(this=argument("model"), expression=exp.null()))
        parts = []
        for value in values:
            template = templates.relations()[relation][_VARIANTS.get((relation, value), value)]
            chosen: exp.Expr = exp.EQ(this=argument(name), expression=trees.literal(value))
            if relation == "run":  # as in `evaluate`, best applies to scores, and to the qrels
                chosen = chosen.and_(has_scores()) if value == "best" else chosen.or_(exp.not_(has_scores()))
            if relation == "ranked":
                are_given = exp.EQ(this=argument("ranks"), expression=trees.literal("given"))
                chosen = are_given if value == "given" else exp.and_(chosen, exp.not_(are_given))
            tree = self._of_variant(template)
            alone = _without_model(tree)
            variants = (
                [(tree, chosen)]
                if alone is None
                else [(tree, chosen.and_(has_model)), (alone, chosen.and_(exp.not_(has_model)))]
            )
            for variant, condition in variants:
                columns = [trees.column(each) for each in tree.named_selects]
                parts.append(exp.select(*columns).from_(variant.subquery(f"{relation}_{value}")).where(condition))
        first = trees.union_all(parts)
        columns = [trees.column(each) for each in parts[0].named_selects]
        return exp.select(*columns).from_(first.subquery("chosen"))

    def _cutoff(self, metric: Metric) -> exp.Expr:  # noqa: ARG002
        return trees.column("k")

    def _of_variant(self, template: Template) -> exp.Select:
        tree = super()._fill_template(template)
        for key in trees.find(tree, exp.Ordered):
            # Without the key that puts NULL scores last, which `score DESC NULLS LAST` does too, a sort is faster.
            if isinstance(key.this, exp.Case) and key.this.find(exp.Is):
                key.pop()
        return tree

    def _values(self, metric: Metric) -> dict[str, Any]:
        own = metric.template.options
        settings = super()._values(metric)
        given = {name: argument(name) if option.choices else _double(argument(name)) for name, option in own.items()}
        k = {"k": arguments_of("first_cutoff")} if "k" in metric.template.parameters else {}
        return {**settings, **given, **k}

    def _metrics_relation(self) -> exp.Expr:
        tree = super()._metrics_relation()
        for select in tree.find_all(exp.Select):
            select.set("expressions", [each for each in select.expressions if each.alias != "k"])
        return tree


def arguments_of(name: str) -> exp.Expr:
    """Return an expression of `sql/table_macros/arguments.sql`."""
    tree = templates.table_macros()["arguments"][""].tree()
    trees.bind(tree, {"k": argument("k")})
    [found] = [each.this for each in tree.expressions if each.alias == name]
    assert isinstance(found, exp.Expr)
    return found


def plan_of(metrics: Sequence[Metric]) -> MacroPlan:
    """Return the plan of a macro that computes these metrics."""
    own = templates.table_macros()
    selects = {}
    columns = {
        "run_source": (["model", "query", "item"], ["score"], ["score_type", "exact_score"]),
        "qrels_source": (["query", "item"], ["relevance"], ["slice", "relevance_type"]),
    }
    for name in _OWN:
        tree = own[name][""].tree()
        given = {str(node.this): argument(str(node.this)) for node in trees.find(tree, exp.Placeholder)}
        trees.bind(tree, {**given, "statement": statement_of(name.removesuffix("_source"))})
        names, numbers, extras = ([Column(trees.column(each), each) for each in group] for group in columns[name])
        selects[name] = [SourceSelect(tree.subquery("source"), names, numbers, extras)]
    inputs = Inputs(selects, "scores", "rows", ["query"], ["slice"], "qrels", None, {}, True, [])
    plan = MacroPlan(inputs, list(metrics), Policies())
    if isinstance(plan.cut_depth, exp.Null):
        return plan
    return replace(plan, replacements=Replacements(reads={("ranked", "candidates"): "contenders"}))


def with_fewer_ctes(tree: exp.Query) -> exp.Query:
    """Put each CTE that is read once in the place where it is read, in place.

    DuckDB 1.4 takes a time that grows with the square of the number of CTEs to load a macro.
    """
    ctes = {cte.alias: cte for cte in tree.ctes}
    for name, cte in reversed(ctes.items()):
        reads = [table for table in trees.find(tree, exp.Table) if table.name == name]
        if len(reads) == 1:
            reads[0].replace(cte.this.subquery(reads[0].alias_or_name))
            cte.pop()
    return tree


def _report_mistake(name: str) -> exp.If:
    """Return the branch that raises an error if a relation holds a mistake."""
    mistake = exp.column("mistake", name)
    return exp.If(this=exp.Not(this=exp.Is(this=mistake, expression=exp.null())), true=error(mistake.copy()))


def _without_model(tree: exp.Select) -> exp.Select | None:
    """Return a copy whose windows are not of each model, which costs time if there is one; None without windows."""
    copy = tree.copy()
    windows = trees.find(copy, exp.Window)
    for window in windows:
        window.set("partition_by", [key for key in window.args["partition_by"] if key.name != "model"])
    return copy if windows else None


def _double(value: exp.Expr) -> exp.Expr:
    return exp.cast(value, "DOUBLE")


def _as_float(value: exp.Expr) -> exp.Expr:
    """Return a number as a FLOAT column holds it, NULL if it is out of its range or has more than 7 digits."""
    digits = _double(exp.func("printf", trees.literal("%.7g"), _double(value)))
    is_short = exp.and_(
        exp.EQ(this=digits, expression=_double(value.copy())),
        exp.GTE(this=exp.Abs(this=_double(value.copy())), expression=_double(trees.literal("1e-37"))),
    )
    rounded = _double(exp.TryCast(this=_double(value.copy()), to=exp.DataType.build("FLOAT")))
    return exp.Case(ifs=[exp.If(this=is_short, true=rounded)])


def _without_gain_tables(tree: exp.Select) -> None:
    """Remove the branch `gain = table`: macros have no such option."""
    for branch in list(trees.find(tree, exp.If)):
        if branch.find(exp.Bracket):
            branch.pop()
