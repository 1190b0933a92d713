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

_OWN = ("run_source", "qrels_source")


@dataclass(frozen=True)
class MacroPlan(Plan):
    """A question whose policies are arguments of a macro."""

    @cached_property
    def _shared_values(self) -> dict[str, Any]:
        return {
            **super()._shared_values,
            **{name: argument(name) for name in ("missing", "no_relevant")},
            "depth": expression("arguments", "depth"),
            "ideal_depth": None,
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
        return super()._materialized(name) if name in self._counts and name != "contenders" else None

    def _relation(self, name: str) -> exp.Expr:
        if name in templates.table_macros() and name not in _OWN:
            return self._of_arguments(name)
        return super()._relation(name)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        if template.name == "ranked":
            return self._ranked()
        tree = super()._fill_template(template, judging)
        if template.name == "graded":
            without_gain_tables(tree)
        return tree

    def _of_arguments(self, name: str) -> exp.Select:
        """Return a relation of `sql/table_macros`."""
        names = {"distance": DISTANCE, "usual_ranks": RANKS, "usual_models": USUAL_NAMES["model"]}
        of_qrels = expression("reading", given=argument("qrels"))
        read = {"statement": statement_of("run"), "qrels_statement": of_qrels, "sides": expression("sides")}
        tree = relation(name, **names, **read, depth=expression("arguments", "depth"))
        self._need(tree)
        return tree

    def _ranked(self) -> exp.Select:
        """Return the ranking of each model, or of the run if it holds one; DuckDB plans only that of the call."""
        tree = super()._fill_template(templates.relations()["ranked"]["item_desc"])
        alone = tree.copy()
        for window in trees.find(alone, exp.Window):  # a model that is the same in all rows costs time
            window.set("partition_by", [key for key in window.args["partition_by"] if key.name != "model"])
        has_model = is_given("model")
        columns = [trees.column(each) for each in tree.named_selects]
        parts = [
            exp.select(*columns).from_(variant.subquery(name)).where(condition)
            for name, variant, condition in (("of_models", tree, has_model), ("alone", alone, exp.not_(has_model)))
        ]
        return exp.select(*columns).from_(trees.union_all(parts).subquery("chosen"))


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


def double(value: exp.Expr) -> exp.Expr:
    """Return a value as DOUBLE."""
    return exp.cast(value, "DOUBLE")


def without_gain_tables(tree: exp.Select) -> None:
    """Remove the branch `gain = table`: macros have no such option."""
    for branch in list(trees.find(tree, exp.If)):
        if branch.find(exp.Bracket):
            branch.pop()
