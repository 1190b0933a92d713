"""The SELECT of the values of queries, and the names of result columns."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from sqlglot import exp

from recall_duckdb.compose.plan import Plan
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.trees import Column
from recall_duckdb.inputs.columns import canonical_names, users_names


def values_of_queries(plan: Plan, table: exp.Table, metrics: list[tuple[str, str]]) -> exp.Select:
    """Return the SELECT of models, queries and slices under the user's names, and of metrics under the given names."""
    inputs = plan.inputs
    one = inputs.one_model
    model = Column(trees.column("model") if one is None else trees.literal(one), "model")
    of_queries = {metric.column for metric in plan.metrics if not metric.template.of_whole_run}
    shown = [
        *users_names(inputs.query).items(),
        *((ours, theirs) for ours, theirs in users_names((), inputs.by).items() if theirs not in inputs.query),
        *((ours, theirs) for ours, theirs in metrics if ours in of_queries),
    ]
    columns = [model, *(Column(trees.column(ours), theirs) for ours, theirs in shown)]
    keys = [*([] if inputs.one_model is not None else ["model"]), *canonical_names("query", len(inputs.query))]
    keys += ["item_slice_no"] if inputs.of_items else []
    order = [exp.Ordered(this=trees.column(key), desc=False, nulls_first=True) for key in keys]
    selected = [
        exp.alias_(column.expression, trees.as_given(column.name, looked_up=inputs.looked_up)) for column in columns
    ]
    return exp.select(*selected).from_(table.copy()).order_by(*order)


def apart_from(users: Sequence[str], ours: Sequence[str]) -> list[str]:
    """Return our column names, apart from the user's: a name that the user has gets `_1`, or the next free number.

    >>> apart_from(["query", "Rank"], ["relevance", "rank"])
    ['relevance', 'rank_1']
    """
    theirs = {name.casefold() for name in users}

    def free(name: str) -> str:
        numbered_names = (f"{name}_{number}" for number in count(1))
        return next(each for each in numbered_names if each not in theirs.union(ours))

    return [free(name) if name in theirs else name for name in ours]
