"""Composes the statement that `sql` and `Result.sql` return, before the rewrites of its dialect."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from recall_duckdb.compose.plain import write_plainly
from recall_duckdb.compose.plan import Plan, Replacements
from recall_duckdb.compose.shortening import shorten
from recall_duckdb.compose.statement import Statement
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.trees import branches
from recall_duckdb.dialects import Dialect, add_head, find_dialect

POOL, PER_QUERY, MEANS = "the unjudged items that they read", "a row for each query", "their means"


def for_readers(plan: Plan, dialect: str, *, selects: str = MEANS, sums: str = "plain") -> exp.Query:
    """Return the statement of a plan, with a comment at its head; `selects` says what it selects of the metrics."""
    record = find_dialect(dialect)
    if not record.joins_fill_nulls:  # there, a plain number without a match in a join is 0
        sums = "exact"
    plan = replace(plan, sums=sums)
    if plan.is_of_ours:
        plan = replace(plan, replacements=_replacements(plan, record))
    composed = Statement(plan)
    if selects == POOL:
        statement: exp.Query = composed.of_pool()
    elif selects == PER_QUERY:
        statement = composed.of_per_query()
    elif sums == "plain" or len(plan.metrics) == 1:
        statement = composed.of_readable_means(
            unpivots=record.has_unpivot and sums == "plain", repeats_relations=record.repeats_relations
        )
    else:
        statement = composed.of("means")
    _read_files(statement)
    if plan.is_of_ours:
        _read_models(statement, plan, repeats_relations=record.repeats_relations)
        shorten(statement, joins_fill_nulls=record.joins_fill_nulls)
    if sums == "plain":
        for number, select in enumerate(branches(statement) if selects == MEANS else []):
            select.comments = None  # the names of the columns say what it is
            if number:  # a UNION has the names of its first SELECT
                select.set("expressions", [each.unalias() for each in select.expressions])
        write_plainly(statement, divides_as_doubles=record.divides_as_doubles)
    add_head(statement, composed.head(selects), dialect)
    return statement


def _read_files(statement: exp.Query) -> None:
    """Read, in place, files instead of the stored tables that hold their rows."""
    for table in trees.find(statement, exp.Table):
        if (files := trees.mark_of(table, "files")) is not None:
            reader = trees.of_user(files)
            reader.set("alias", table.args.get("alias") or reader.args.get("alias"))
            table.replace(reader)


def _replacements(plan: Plan, record: Dialect) -> Replacements:
    """Return the files that leave out what only an evaluation reads."""
    variants, inputs = {"retrieved": "counted"}, plan.inputs
    of_queries = not any(metric.template.of_whole_run for metric in plan.metrics)
    if plan.sums == "plain" and inputs.by and record.has_grouping_sets and of_queries and not inputs.of_items:
        variants["averages"] = "whole"
    return Replacements(variants)


def _read_models(statement: exp.Query, plan: Plan, *, repeats_relations: bool) -> None:
    """Read the models, in place, from the top of the lists, or from the run if that would be ranked once more."""
    readers = [
        each for each in trees.find(statement, exp.Table) if each.name == "models" and not trees.is_of_user(each)
    ]
    cte = next((cte for cte in statement.ctes if cte.alias == "models"), None)
    for table in readers:
        select = table.parent_select
        join = select.args["joins"][0] if select is not None else None
        if join is not None and plan.has_models and join.this.name.startswith("ideal"):
            join.comments = [" every model has every judged query, also one for which it retrieves nothing "]
        elif join is not None and not plan.has_models:  # a single row, which nothing reads
            table.replace(join.this)
            join.pop()
    if cte is not None and plan.has_models and plan.variant("models") == "retrieved":
        keeps_top = plan.depth is not None and plan.variant("ranked") not in ("expected", "given")
        is_whole = repeats_relations and keeps_top and plan.resolve("candidates") == "run"
        models = exp.select(exp.alias_(trees.column("model"), "model")).from_("run" if is_whole else "ranked")
        if plan.sums == "plain" and len(readers) == 1:
            readers[0].replace(models.distinct().subquery("models"))
            cte.pop()
        else:
            models.comments = cte.this.comments
            cte.set("this", models.group_by(trees.column("model")))
