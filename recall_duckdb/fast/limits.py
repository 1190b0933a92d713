"""The sizes and ranges of a run or qrels, read before anything else runs, mostly from parquet statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, isfinite
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Kept, Plan
from recall_duckdb.compose.kept import path_of, reads_parquet, with_path_as_parameter
from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.inputs import SourceSelect

# Skip the count of queries if their range leaves at least this many rows for each list. Otherwise count them, and treat
# the range as dense if it is at most this many times the count: one query far from the others would multiply it.
_ROWS_PER_LIST, _MOST = 50, 1.2


@dataclass(frozen=True)
class Limits:
    """The size and ranges of a run or qrels.

    Attributes:
        rows: the number of rows.
        lists: the number of lists, one for each query and model; an upper bound if they are not counted.
        are_lists_counted: False if the number of lists is unknown; then `lists` is the number of rows.
        queries: the range of the queries, None if they are not integers or do not fill most of their range.
        items: the range of the items, None if they are not integers.
        largest: the largest absolute score, rank or relevance, infinite if one is NaN or infinite.
    """

    rows: int
    lists: int
    are_lists_counted: bool
    queries: tuple[int, int] | None
    items: tuple[int, int] | None
    largest: float

    @property
    def are_items_small(self) -> bool:
        """Return True if items, and the difference of any two, are 64-bit integers."""
        return self.items is not None and -(2**62) < self.items[0] <= self.items[1] < 2**62


def limits_of(plan: Plan, session: DuckDB, relation: str) -> Limits | None:
    """Return the limits of a source relation; None if it has no rows, or is text that would have to be read whole."""
    selects = selects_of(plan, relation)
    if not all(_is_quick_to_read(select) for select in selects):
        return None
    numbers = ("relevance",) if relation == "qrels_source" else ("score", "rank")
    statistics = [row_of(session, "limits", select, numbers) for select in selects]
    if any(each["row_count"] == 0 or each["score_low"] is None for each in statistics):
        return None
    by_query = len(plan.inputs.query) == 1 and (plan.inputs.models is not None or relation == "qrels_source")
    lists, queries = 0, None
    for each, select in zip(statistics, selects, strict=True):
        span, models = _span(each), max(1, len(select.stacked))
        count, is_dense = each["row_count"], False
        if by_query:
            is_dense = span * models * _ROWS_PER_LIST <= each["row_count"]
            count = span if is_dense else row_of(session, "list_count", select)["lists"]
            if span <= _MOST * count:
                is_dense, count = True, span
        lists += max(1, min(int(count) * models, each["row_count"]))
        if is_dense and models == len(statistics) == 1:
            queries = each["query_low"], each["query_high"]
    rows = sum(each["row_count"] for each in statistics)
    return Limits(rows, lists, by_query, queries, _items(statistics), _largest_score(statistics))


def _span(statistics: Mapping[str, Any]) -> float:
    low, high = statistics["query_low"], statistics["query_high"]
    return inf if low is None or high is None else high - low + 1


def _items(statistics: Sequence[Mapping[str, Any]]) -> tuple[int, int] | None:
    items = [each[name] for each in statistics for name in ("item_low", "item_high")]
    return None if None in items else (min(items), max(items))


def _largest_score(statistics: Sequence[Mapping[str, Any]]) -> float:
    scores = [float(each[name]) for each in statistics for name in ("score_low", "score_high")]
    return max(map(abs, scores)) if all(map(isfinite, scores)) else inf


def _is_quick_to_read(select: SourceSelect) -> bool:
    """Return True for a table, view, frame or parquet file; False for text, which would have to be read whole."""
    relation = (select.stacked or [select])[0].relation
    return isinstance(relation, exp.Table) or reads_parquet(relation)


def selects_of(plan: Plan, relation: str) -> list[SourceSelect]:
    """Return the SELECTs that read a source relation."""
    return plan.inputs.selects[plan.resolve(relation)]


def row_of(
    session: DuckDB, name: str, select: SourceSelect, numbers: Sequence[str] = ("score", "rank", "relevance")
) -> dict[str, Any]:
    """Return the row of a file of `sql/duckdb` that looks at a relation of the user.

    Its column score is the first of `numbers` that the relation has.
    """
    wanted = templates.relations()[name][""].columns
    columns = {column.name.removesuffix("_1"): column for column in (*select.names, *select.numbers)}
    columns["score"] = next(columns[name] for name in numbers if name in columns)
    read = {name: column.expression for name, column in columns.items() if name in wanted}
    [row] = session.dicts(Kept(_Look(name, select.relation, read), _Look.tree))
    return row


@dataclass(frozen=True)
class _Look:
    """Composes the statement that looks at a relation of the user.

    Attributes:
        name: the name of a file of `sql/duckdb`.
        relation: the relation.
        read: the columns that the file reads, by name.
    """

    name: str
    relation: exp.Expr
    read: Mapping[str, exp.Expr]

    def with_parameters(self) -> tuple[_Look, list[str]]:
        """Return the same with the path of a parquet file as a parameter, and the path: other files share its text."""
        path = path_of(self.relation)
        if path is None:
            return self, []
        return replace(self, relation=with_path_as_parameter(self.relation, 0)), [path.name]

    def tree(self) -> exp.Select:
        """Compose the statement."""
        read = [exp.alias_(expression.copy(), name) for name, expression in self.read.items()]
        source = exp.Select(expressions=read).from_(trees.of_user(self.relation))
        tree = templates.relations()[self.name][""].tree()
        for table in trees.find(tree, exp.Table):
            table.replace(source.subquery("source"))
        return tree
