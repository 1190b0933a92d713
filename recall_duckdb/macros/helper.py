"""The helper that every macro reads: the pipeline down to the judged items, and the checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from recall_duckdb.compose import Replacements
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.macros.composed import MacroPlan, MacroStatement, inputs, with_fewer_ctes
from recall_duckdb.macros.faults import above_zero, checks, example, is_given, rule_of, when
from recall_duckdb.macros.names import RELATION, SCHEMA, argument, output
from recall_duckdb.macros.reading import COMMON
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import Policies

NAME = "_judged"
# Arguments in addition to COMMON: the cutoffs, and what decides which of them are right and how deep lists are read;
# what options of metrics say about relevance; a mistake in these options; and whether the faults are returned.
OPTIONS = {
    "k": None,
    "whole": False,
    "several": True,
    "required": False,
    "gain": "linear",
    "max_grade": None,
    "mistake": None,
    "only_faults": False,
}
FAULT = ("check", "rule", "faults", "do", "example")
# Rows are checked before duplicates = best removes any, and queries before they are judged.
_READ = {"run": "run_source", "exact_scores": "run_source", "qrels": "qrels_source", "per_query": "judged_queries"}

# The relations that begin a WITH of their own within the last: DuckDB 1.4 copies all of a WITH for each CTE in it.
_LEVELS = ("ranked", "retrieved", "faults")


def select() -> exp.Query:
    """Return the SELECT of the helper."""
    replacements = Replacements(reads={("ranked", "candidates"): "contenders"}, in_place=frozenset({"graded"}))
    metric = Metric(templates.own_metrics()["num_rel_ret"])  # any metric of judged items
    statement = HelperStatement(MacroPlan(inputs(), [metric], Policies(), replacements))
    return _in_levels(with_fewer_ctes(statement.of_judged_or_faults()))


def short() -> exp.Query:
    """Return a SELECT that DuckDB cannot plan before it knows the arguments, as it cannot plan that of the helper."""
    return exp.select(exp.Star()).from_(exp.Table(this=exp.Anonymous(this="query", expressions=[argument("run")])))


def faults() -> exp.Query:
    """Return the SELECT of the faults that checks find."""
    faults = call(FAULT, {"only_faults": exp.true()})
    return exp.select(*named(FAULT)).from_(faults.order_by("place").subquery("faults"))


def named(columns: Sequence[str]) -> list[exp.Expr]:
    """Return our columns under their names without a prefix."""
    return [exp.alias_(trees.column(name), output(name)) for name in columns]


def judged_columns() -> list[str]:
    """Return the columns of judged items."""
    return [*templates.relations()["judged"]["ordered"].tree().named_selects, "candidates", "slice"]


def call(columns: Sequence[str], options: Mapping[str, exp.Expr]) -> exp.Select:
    """Return the SELECT that calls the helper with these of its options."""
    common = [argument(name) for name in ("run", "qrels", *COMMON)]
    named = [exp.PropertyEQ(this=exp.to_identifier(name), expression=value) for name, value in options.items()]
    function = exp.Anonymous(this=NAME, expressions=[*common, *named])
    return exp.select(*map(trees.column, columns)).from_(
        exp.Table(this=exp.Dot(this=exp.to_identifier(SCHEMA), expression=function))
    )


class HelperStatement(MacroStatement):
    """Composes the SELECT of the helper."""

    def of_judged_or_faults(self) -> exp.Query:
        """Return the SELECT of the judged items or, if an argument says so, of the faults."""
        plain = exp.select(exp.Star(), exp.alias_(exp.null(), "slice")).from_("judged")
        sliced = exp.select(exp.Star()).from_("judged").join("slices", using=["query"], join_type="left")
        reported = exp.select(exp.Star()).from_("faults")
        for tree in (reported, sliced, plain):
            self._need(tree)
        rows = _first_of([(argument("only_faults"), reported), (is_given("by"), sliced), (exp.true(), plain)])
        gate = self._of_arguments("sound")
        return self._with(exp.select(exp.Star()).from_(rows.subquery("rows")).where(exp.Paren(this=gate)))

    def _relation(self, name: str) -> exp.Expr:
        return self._faults() if name == "faults" else super()._relation(name)

    def _fill_template(self, template: Template, judging: int = 0) -> exp.Select:
        tree = super()._fill_template(template, judging)
        if template.name == "judged":  # it joins `retrieved` already
            for select in trees.find(tree, exp.Select):
                select.append("expressions", trees.column("candidates"))
        return tree

    def _faults(self) -> exp.Query:
        """Return a row for each check that finds something; DuckDB does not plan checks that do not apply."""
        parts = []
        for place, check in enumerate(checks(), start=1):
            fault, condition = self._fault(check, place), when(check)
            if condition is not None:  # outside, so that DuckDB leaves out the whole check
                fault = exp.select(exp.Star()).from_(fault.subquery(check.name)).where(condition)
            parts.append(fault)
        return trees.union_all(parts)

    def _fault(self, check: Template, place: int) -> exp.Select:
        for_macros = templates.table_macros().get(check.name, {"": check})  # a macro does not know the types of columns
        tree = for_macros[""].tree()
        ranks = {"run": "given_ranks"} if check.when.get("run") == ("ranks",) else {}
        for table in trees.find(tree, exp.Table):
            table.set("this", exp.to_identifier({**_READ, **ranks}.get(table.name, table.name)))
        self._fill(tree, check)
        columns = {
            "place": trees.literal(place),
            "check": trees.literal(check.name),
            "rule": rule_of(check.head["Rule"]),
            "faults": exp.Count(this=exp.Star()),
            "do": rule_of(check.head["Do"]),
            "example": example(check, tree.named_selects),
        }
        fault = exp.select(*(exp.alias_(value, name) for name, value in columns.items()))
        return fault.from_(tree.subquery("rows_found")).having(above_zero(exp.Count(this=exp.Star())))


def _first_of(variants: Sequence[tuple[exp.Expr, exp.Query]]) -> exp.Select:
    """Return the rows of the first variant whose condition holds, or of the last; DuckDB does not plan the others."""
    names = [f"rows_{number}" for number in range(1, len(variants) + 1)]
    texts = [trees.literal(f"{RELATION}{name}") for name in names]
    cases = [exp.If(this=condition, true=text) for text, (condition, _) in zip(texts, variants, strict=True)]
    name = exp.Case(ifs=cases[:-1], default=texts[-1])
    tree = exp.select(exp.Star()).from_(exp.Table(this=exp.Anonymous(this="query_table", expressions=[name])))
    for alias, (_, variant) in zip(names, variants, strict=True):
        tree.with_(alias, as_=variant, copy=False, append=True)
    return tree


def _in_levels(tree: exp.Query) -> exp.Query:
    """Return a query whose WITH is split at the relations of `_LEVELS`."""
    levels: list[list[exp.CTE]] = [[]]
    for cte in list(tree.ctes):
        if cte.alias in _LEVELS:
            levels.append([])
        levels[-1].append(cte.pop())
    for place, level in enumerate(reversed(levels)):
        tree = exp.select(exp.Star()).from_(tree.subquery("level")) if place else tree
        tree.set(trees.WITH, exp.With(expressions=level))
    return tree
