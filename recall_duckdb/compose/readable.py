"""Composes the statement that `sql` and `Result.sql` return, before the rewrites of its dialect."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from recall_duckdb.compose.plain import write_plainly
from recall_duckdb.compose.plan import Plan, Replacements
from recall_duckdb.compose.pruning import shorten
from recall_duckdb.compose.statement import Statement
from recall_duckdb.definitions.trees import branches
from recall_duckdb.dialects import add_head, find_dialect

POOL, PER_QUERY, MEANS = "the unjudged items that they read", "a row for each query", "their means"


def for_readers(plan: Plan, dialect: str, *, selects: str = MEANS, sums: str = "plain") -> exp.Query:
    """Return the statement of a plan, with a comment at its head; `selects` says what it selects of the metrics."""
    record = find_dialect(dialect)
    if not record.joins_fill_nulls:  # there, a plain number without a match in a join is 0
        sums = "exact"
    plan = replace(plan, sums=sums)
    inputs, of_queries = plan.inputs, not any(metric.template.of_whole_run for metric in plan.metrics)
    if sums == "plain" and inputs.by and record.has_grouping_sets and of_queries and not inputs.of_items:
        plan = replace(plan, replacements=Replacements({"averages": "whole"}))
    composed = Statement(plan)
    if selects == POOL:
        statement: exp.Query = composed.of_pool()
    elif selects == PER_QUERY:
        statement = composed.of_per_query()
    elif sums == "plain":
        statement = composed.of_readable_means(stacked=not record.repeats_relations or len(plan.metrics) == 1)
    else:
        statement = composed.of("means")
    if plan.is_of_ours:
        fills, repeats = record.joins_fill_nulls, record.repeats_relations
        shorten(statement, plan.keys, joins_fill_nulls=fills, repeats_relations=repeats)
    if sums == "plain":
        for number, select in enumerate(branches(statement) if selects == MEANS else []):
            select.comments = None  # the names of the columns say what it is
            if number:  # a UNION has the names of its first SELECT
                select.set("expressions", [each.unalias() for each in select.expressions])
        write_plainly(statement, divides_as_doubles=record.divides_as_doubles)
    add_head(statement, composed.head(selects), dialect)
    return statement
