"""What is known of run and qrels before anything else runs: rows, lists, ranges, and the memory that lists take."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, isfinite
from typing import Any

from sqlglot import exp

from recall_duckdb import templates, trees
from recall_duckdb.compose import Plan, of_user
from recall_duckdb.engines import DuckDB
from recall_duckdb.fast.forms import Part
from recall_duckdb.inputs import SourceSelect

# max(number, k) keeps k numbers for each list and thread, which cannot spill: what a list takes, and each number.
_LIST_BYTES, _NUMBER_BYTES = 128, 8
# The share of the memory limit that they may take. Measured: where the lists lie scattered, DuckDB begins them anew
# time and again, and needs six times that.
SHARE = 1 / 8
# So that they take no more, queries are divided into parts, each of which is a scan of the run: so many at most.
_MOST_PARTS = 64


@dataclass(frozen=True)
class Limits:
    """How many rows and lists a relation has, and the range of its items, where they are whole numbers.

    And that of its queries, where they are whole numbers of which most are there: then as many are in a part of it.
    """

    rows: int
    lists: int
    queries: tuple[int, int] | None
    items: tuple[int, int] | None
    largest: float  # of the scores, without their signs; infinite where one is no number
    are_lists_counted: bool  # or as many as rows, which is the most that there can be


def limits_of(plan: Plan, session: DuckDB, relation: str) -> Limits | None:
    """The limits of run or qrels; None where there is nothing in it, or text would have to be read whole for them."""
    selects = plan.inputs.selects[plan.called(relation)]
    if not all(_is_at_hand(select) for select in selects):
        return None
    found = [first_row(session, "limits", select) for select in selects]
    if any(each["row_count"] == 0 or each["score_low"] is None for each in found):
        return None
    by_query = len(plan.inputs.query) == 1 and (plan.inputs.models is not None or relation == "qrels_source")
    lists, queries = 0, None
    for each, select in zip(found, selects, strict=True):
        low, high = each["query_low"], each["query_high"]
        models = max(1, len(select.stacked))
        span = inf if low is None or high is None else high - low + 1
        is_dense = by_query and span * models <= each["row_count"]
        count = each["row_count"]
        if by_query:
            count = span if is_dense else first_row(session, "list_count", select)["lists"]
        lists += max(1, min(int(count) * models, each["row_count"]))
        if is_dense and models == len(found) == 1:
            queries = low, high
    items = [each[name] for each in found for name in ("item_low", "item_high")]
    scores = [each[name] for each in found for name in ("score_low", "score_high")]
    rows = sum(each["row_count"] for each in found)
    largest = max(map(abs, scores)) if all(map(isfinite, scores)) else inf
    return Limits(rows, lists, queries, None if None in items else (min(items), max(items)), largest, by_query)


def _is_at_hand(select: SourceSelect) -> bool:
    """Whether a relation is a table, view, frame or parquet file, and not text that would have to be read whole."""
    relation = (select.stacked or [select])[0].relation
    return isinstance(relation, exp.Table) or relation.sql("duckdb").startswith("READ_PARQUET(")


def first_row(session: DuckDB, name: str, select: SourceSelect) -> dict[str, Any]:
    """Return the one row of a template that looks at a relation of the user."""
    return session.dicts(_of_source(name, select))[0]


def _of_source(name: str, select: SourceSelect) -> exp.Select:
    """The statement of a template that looks at one relation of the user's."""
    tree = templates.relations()[name][""].tree()
    columns = {column.name.removesuffix("_1"): column for column in (*select.names, *select.numbers)}
    columns["score"] = next(columns[name] for name in ("score", "rank", "relevance") if name in columns)
    trees.repeat(tree, {name: [({name: column}, {})] for name, column in columns.items()})
    for table in trees.find(tree, exp.Table):
        table.replace(of_user(select.relation))
    return tree


def bytes_kept(limits: Limits, depth: int, session: DuckDB) -> int:
    """The bytes that max(number, k) keeps, for lists of this depth and one more."""
    return limits.lists * (_LIST_BYTES + _NUMBER_BYTES * (depth + 1)) * session.resources[1]


def parts_of(plan: Plan, limits: Limits, shares: float, most: int = _MOST_PARTS) -> tuple[Part, ...]:
    """The parts of the queries, of which each takes no more than its share of memory; none, where they are too many."""
    count = max(1, ceil(shares))
    if count > (most if len(plan.inputs.query) == 1 else 1):
        return ()
    if count == 1 or limits.queries is None:
        return tuple(Part(number, count) for number in range(count))
    low, high = limits.queries
    starts = [low + (high + 1 - low) * number // count for number in range(count + 1)]
    return tuple(Part(n, count, (starts[n], starts[n + 1] - 1)) for n in range(count))


def are_small(items: tuple[int, int] | None) -> bool:
    """Whether items are whole numbers, all of which, and the differences of any two, are 64-bit numbers."""
    return items is not None and -(2**62) < items[0] <= items[1] < 2**62
