"""Compute the values and means of many metrics in several statements.

The time in which DuckDB binds the aggregates of a SELECT grows with the square of their number: nDCG at 1,000 cutoffs
takes 9 to 15 s in one statement, and 5 s in ten.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Kept, Plan, Statement, name_under
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.question.metrics import Metric
from recall_duckdb.stages import each_part

MOST_METRICS = 100  # in one statement


def with_dropped_rows(counts: Mapping[object, Counts], plan: Plan, session: Session) -> dict[object, Counts]:
    """Return counts with the numbers of rows that policies, `exclude` or `items` removed."""
    left_out = plan.policies.nulls == "drop" or plan.policies.duplicates == "best"
    dropped: dict[str, dict[object, int]] = {"run": {}, "qrels": {}}  # by model; None stands for all models
    for side, used in (("run", "candidates"), ("qrels", "judgements")):
        if left_out or plan.resolve(used) != side:
            after = dict(session.rows(Kept(Statement(plan), Statement.of_count, used)))
            before = dict(session.rows(Kept(Statement(plan.keeping_all_rows()), Statement.of_count, side)))
            dropped[side] = {model: before[model] - after.get(model, 0) for model in before}
    return {
        model: replace(
            each,
            run_rows_dropped=dropped["run"].get(model if plan.has_models else None, 0),
            qrels_rows_dropped=dropped["qrels"].get(None, 0),
        )
        for model, each in counts.items()
    }


def store_values(plan: Plan, session: Session) -> exp.Table | None:
    """Store the values of all metrics for each query, the relation `per_query`; None if the engine stores nothing.

    With many metrics, DuckDB stores the judged items once, and reads them for a few metrics at a time.
    """
    stored: dict[str, exp.Expr] = {}
    tables: list[exp.Table] = []
    for judging in range(len(plan.judgings)) if isinstance(session, DuckDB) else []:
        plain = [each for each in plan.metrics if each.template.is_plain and plan.judging_no(each) == judging]
        if len(plain) > MOST_METRICS and isinstance(session, DuckDB):
            judged = session.store(Statement(plan).of_table("judged", judging))
            stored[name_under(judging, "judged")] = judged
            measured = _measure(plan, session, stored, judging, _parts(plain))
            stored[name_under(judging, "measured")] = _join(measured)
            tables += [judged, *(table for table, _ in measured)]
    per_query = session.store(Kept(Statement(plan, stored), Statement.of_table, "per_query"))
    for table in tables:
        session.drop(table)
    return per_query


def means(plan: Plan, session: Session, bound: Mapping[str, exp.Expr]) -> list[dict[str, Any]]:
    """Return the rows of the relation `means`, from a few metrics at a time if `bound` holds their values."""
    parts = _parts(plan.metrics) if bound else [plan.metrics]
    if len(parts) == 1:
        return session.dicts(Kept(Statement(plan, bound), Statement.of, "means"))
    tables = [
        (len(part), session.dicts(Statement(plan, bound, part=part).of("means")))
        for part in each_part("averaging", parts)
    ]
    # Each part has a row for each of its metrics, for the same models and slices in the same order.
    groups = len(tables[0][1]) // tables[0][0]
    return [row for group in range(groups) for size, rows in tables for row in rows[group * size : (group + 1) * size]]


def _parts(metrics: Sequence[Metric]) -> list[Sequence[Metric]]:
    return [metrics[first : first + MOST_METRICS] for first in range(0, len(metrics), MOST_METRICS)]


def _measure(
    plan: Plan, session: DuckDB, bound: Mapping[str, exp.Expr], judging: int, parts: Sequence[Sequence[Metric]]
) -> list[tuple[exp.Table, list[str]]]:
    """Store the relation `measured` of each part; return the tables and the names of their columns."""
    tables = []
    for part in each_part("computing metrics", parts):
        statement = Statement(plan, bound, part=part).of_table("measured", judging)
        names = statement.named_selects
        tables.append((session.store(statement), names))
    return tables


def _join(parts: Sequence[tuple[exp.Table, Sequence[str]]]) -> exp.Subquery:
    """Return the relation with the columns of all parts: first those that they share, the keys, then the others."""
    shared = [name for name in parts[0][1] if all(name in names for _, names in parts)]
    others = chain.from_iterable([name for name in names if name not in shared] for _, names in parts)
    keys, relevant_items = shared[:-1], shared[-1]
    tables = [exp.alias_(table.copy(), f"part_{number}", table=True) for number, (table, _) in enumerate(parts)]
    first = [exp.column(name, "part_0") for name in (*keys, relevant_items)]
    joined = exp.select(*first, *map(trees.column, others)).from_(tables[0])
    for table in tables[1:]:
        joined.join(table, using=[*keys], join_type="inner", copy=False)
    return joined.subquery()
