"""Composes statements of `evaluate` whose policies are arguments of a table macro."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Plan, Statement
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Column
from recall_duckdb.inputs import Inputs, SourceSelect
from recall_duckdb.inputs.usual_names import USUAL_NAMES
from recall_duckdb.macros.faults import is_given
from recall_duckdb.macros.names import argument
from recall_duckdb.macros.reading import expression, relation, statement_of
from recall_duckdb.question.policies import DISTANCE, RANKS

_TIES = ("item_desc", "item", "optimistic", "pessimistic", "given")
# The variant of a relation for duplicates = error.
_ROWS = {"run": "scores", "qrels": "rows"}
_OWN = ("run_source", "qrels_source")
# The rows for duplicates = best, in a relation of their own: every reader of run would plan them again.
_BEST = {"run_best": "run", "qrels_best": "qrels"}


@dataclass(frozen=True)
class MacroPlan(Plan):
    """A question whose policies are arguments of a macro."""

    @cached_property
    def _shared_values(self) -> dict[str, Any]:
        arguments = {name: argument(name) for name in ("ties", "missing", "no_relevant", "nulls", "duplicates")}
        return {
            **super()._shared_values,
            **arguments,
            "depth": expression("arguments", "depth"),
            "ideal_depth": None,
            "min_score": double(argument("min_score")),
            "min_score_as_float": expression("as_float", number=argument("min_score")),
            "max_grade": double(argument("max_grade")),
            "sliced": is_given("by"),
        }

    @property
    def has_gain(self) -> bool:
        """True if an argument of the macro chooses the gains."""
        return True

    def values(self, judging: Any = None) -> dict[str, Any]:
        """Return the parameters of the templates: arguments of the macro where these decide them."""
        threshold = {
            "threshold": double(argument("threshold")),
            "threshold_as_float": expression("as_float", number=argument("threshold")),
        }
        gain = {"gain": argument("gain")} if self.has_gain else {}
        return {**super().values(judging), **threshold, **gain}


class MacroStatement(Statement):
    """Composes a SELECT whose policies are arguments."""

    plan: MacroPlan

    def _materialized(self, name: str) -> bool | None:
        """Return True to compute a relation once; what the user names is read in place.

        Contenders have many readers, of which one is left in a call.
        """
        if name in _BEST:
            return True
        return super()._materialized(name) if name in self._counts and name != "contenders" else None

    def _relation(self, name: str) -> exp.Expr:
        if name in _BEST:
            return self._of_variant(templates.relations()[_BEST[name]]["best"]).where(_is_best(_BEST[name]))
        if name in templates.table_macros() and name not in _OWN:
            return self._of_arguments(name)
        return super()._relation(name)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        if template.name == "ranked":
            return self._ranked()
        if template.name in _ROWS:
            return self._with_best(template.name)
        tree = super()._fill_template(template, judging)
        if template.name == "graded":
            without_gain_tables(tree)
        return tree

    def _of_arguments(self, name: str) -> exp.Select:
        """Return a relation of `sql/table_macros`."""
        names = {"distance": DISTANCE, "usual_ranks": RANKS, "usual_models": USUAL_NAMES["model"]}
        read = {"statement": statement_of("run"), "sides": expression("sides")}
        tree = relation(name, **names, **read, depth=expression("arguments", "depth"))
        self._need(tree)
        return tree

    def _ranked(self) -> exp.Select:
        """Return the rows of the variant that arguments choose; DuckDB prunes the others when it plans a call."""
        has_model = is_given("model")
        parts = []
        for value in _TIES:
            tree = self._of_variant(templates.relations()["ranked"][value])
            are_given = exp.EQ(this=argument("ranks"), expression=trees.literal("given"))
            is_chosen = exp.EQ(this=argument("ties"), expression=trees.literal(value))
            chosen = are_given if value == "given" else exp.and_(is_chosen, exp.not_(are_given))
            alone = _without_model(tree)
            variants = (
                [(tree, chosen)]
                if alone is None
                else [(tree, chosen.and_(has_model)), (alone, chosen.and_(exp.not_(has_model)))]
            )
            for variant, condition in variants:
                columns = [trees.column(each) for each in tree.named_selects]
                parts.append(exp.select(*columns).from_(variant.subquery(f"ranked_{value}")).where(condition))
        first = trees.union_all(parts)
        columns = [trees.column(each) for each in parts[0].named_selects]
        return exp.select(*columns).from_(first.subquery("chosen"))

    def _with_best(self, relation: str) -> exp.Select:
        """Return the rows of run or qrels, or those that duplicates = best keeps."""
        tree = self._of_variant(templates.relations()[relation][_ROWS[relation]])
        columns = [trees.column(each) for each in tree.named_selects]
        tree = tree.where(exp.not_(_is_best(relation)))
        best = exp.select(*columns).from_(f"{relation}_best")
        self._need(best)
        return exp.select(*columns).from_(trees.union_all([tree, best]).subquery("chosen"))

    def _of_variant(self, template: Template) -> exp.Select:
        tree = super()._fill_template(template)
        for key in trees.find(tree, exp.Ordered):
            # Without the key that puts NULL scores last, which `score DESC NULLS LAST` does too, a sort is faster.
            if isinstance(key.this, exp.Case) and key.this.find(exp.Is):
                key.pop()
        return tree


def inputs() -> Inputs:
    """Return the relations that the arguments `run` and `qrels` name."""
    columns = {
        "run_source": (["model", "query", "item"], ["score"], ["score_type", "exact_score"]),
        "qrels_source": (["query", "item"], ["relevance"], ["slice", "relevance_type"]),
    }
    selects = {}
    for name in _OWN:
        source = relation(name, statement=statement_of(name.removesuffix("_source"))).subquery("source")
        names, numbers, extras = ([Column(trees.column(each), each) for each in group] for group in columns[name])
        selects[name] = [SourceSelect(source, names, numbers, extras)]
    return Inputs(selects, "scores", "rows", ["query"], ["slice"], "qrels", None, {}, True, [])


def _is_best(relation: str) -> exp.Expr:
    """Return the condition that duplicates = best applies: as in `evaluate`, to scores, and to the qrels."""
    is_best = exp.EQ(this=argument("duplicates"), expression=trees.literal("best"))
    return exp.and_(is_best, expression("facts", "run_is_scores")) if relation == "run" else is_best


def with_fewer_ctes(tree: exp.Query) -> exp.Query:
    """Put each CTE that is read once in the place where it is read, in place.

    DuckDB 1.4 takes a time that grows with the square of the number of CTEs to load a macro.
    """
    ctes = {cte.alias: cte for cte in tree.ctes}
    for name, cte in reversed(ctes.items()):
        reads = [table for table in trees.find(tree, exp.Table) if table.name == name]
        if len(reads) == 1 and not cte.args.get("materialized"):
            reads[0].replace(cte.this.subquery(reads[0].alias_or_name))
            cte.pop()
    return tree


def _without_model(tree: exp.Select) -> exp.Select | None:
    """Return a copy whose windows are not of each model, which costs time if there is one; None without windows."""
    copy = tree.copy()
    windows = trees.find(copy, exp.Window)
    for window in windows:
        window.set("partition_by", [key for key in window.args["partition_by"] if key.name != "model"])
    return copy if windows else None


def double(value: exp.Expr) -> exp.Expr:
    """Return a value as DOUBLE."""
    return exp.cast(value, "DOUBLE")


def without_gain_tables(tree: exp.Select) -> None:
    """Remove the branch `gain = table`: macros have no such option."""
    for branch in list(trees.find(tree, exp.If)):
        if branch.find(exp.Bracket):
            branch.pop()
