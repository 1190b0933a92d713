"""Sums of the values of queries, by model, slice and metric: what tests and intervals are computed from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from math import sqrt
from typing import Any

from sqlglot import exp

from recall_duckdb.comparison.settings import Key, Settings
from recall_duckdb.compose import Kept
from recall_duckdb.compose.composer import Composer, metrics_relation, rename_output, stand_ins_of
from recall_duckdb.compose.kept import parameter
from recall_duckdb.compose.levels import levels_of
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Column, Copy, as_literal
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.reading.columns import users_names

_NUMBER = "number_of_metric"  # becomes the number itself
_SIDES = ("", "base_", "level_")  # before the names of slice columns
_MOST_VALUES = 10_000_000  # differences in memory
_MOST_METRICS = 100  # the time of a CASE, and the memory of a statement, grow with the number of metrics


@dataclass(frozen=True)
class QueryValues:
    """The values of queries, in a relation with a row for each model and query.

    Its columns are model, query and slice (numbered if there are several), and a column of values for each metric.
    """

    relation: exp.Expr
    query: Sequence[str]  # the user's names of the columns that identify a query
    by: Sequence[str]  # the user's names of the columns of slices
    metrics: Mapping[Key, str]  # the columns of values
    one_model: str | None = None  # the model, if the relation has no column of models
    of_items: bool = False  # True if a query also has a row for each slice of items, numbered by item_slice_no
    slices: str = "crossed"  # the kinds of slices: each, crossed or both
    models: Sequence[object] | None = None  # the models to read, by default all

    @property
    def names(self) -> list[str]:
        """The names of the columns of values within statements."""
        return [f"value_of_{number}" for number in range(1, len(self.metrics) + 1)]

    @property
    def users_names(self) -> dict[str, str]:
        """The user's names of the columns of queries and slices, by canonical name."""
        return users_names(self.query, self.by)

    def of(self, metric: Key) -> QueryValues:
        """Return the values of one metric."""
        return replace(self, metrics={metric: self.metrics[metric]})

    def parts(self, most: int | None = None) -> Iterator[QueryValues]:
        """Yield the values of a few metrics each, by default of as many as a statement has."""
        most, metrics = most or _MOST_METRICS, list(self.metrics.items())
        for first in range(0, len(metrics), most):
            yield replace(self, metrics=dict(metrics[first : first + most]))

    def select(self) -> exp.Select:
        """Return the SELECT of the relation without other columns."""
        model = trees.column("model") if self.one_model is None else trees.literal(self.one_model)
        names = [*self.users_names, *(["item_slice_no"] if self.of_items else [])]
        keys = [exp.alias_(model, "model"), *(exp.alias_(trees.column(name), name) for name in names)]
        values = [
            exp.alias_(trees.column(theirs, quoted=True), ours)
            for ours, theirs in zip(self.names, self.metrics.values(), strict=True)
        ]
        relation = self.relation.copy()
        source = relation.subquery("values_of_queries") if isinstance(relation, exp.Query) else relation
        tree = exp.select(*keys, *values).from_(source)
        if self.models is None:
            return tree
        return tree.where(exp.In(this=model, expressions=[trees.literal(as_literal(each)) for each in self.models]))


@dataclass(frozen=True)
class Sums:
    """The sums of a model on a metric over all queries, or in a slice."""

    model: object
    level: int  # 0 over all queries, else the number of the kind of slices
    slice: tuple[Any, ...]  # with None for each column that does not name it
    metric: Key
    base_counted: int  # how many queries of the baseline have a value
    counted: int  # how many queries of the model have a value
    queries: int  # how many are pairs, over which the sums are
    base_sum: float  # of the values of the baseline, as shares of the scale
    own_sum: float
    scaled_by: float  # the scale, a power of two; a step is 2^-40 of it
    steps_sum: int  # of the differences, in whole steps
    squares: int  # of the differences
    wins: int  # differences above 0, and no tie
    losses: int

    def row(self, by: Sequence[str]) -> dict[str, Any]:
        """Return the row of a comparison, as far as sums say it; means are None without pairs.

        The standard deviation is None for fewer than two pairs, and exact, so that equal differences have 0.
        """
        n, step = self.queries, self.scaled_by / 2**40
        spread = max(n * self.squares - self.steps_sum**2, 0)  # the variance in steps, times n (n - 1)
        sd = sqrt(spread / (n * (n - 1))) * step if n > 1 else None
        return {
            **{"model": self.model, **dict(zip(by, self.slice, strict=True))},
            **{"metric": self.metric[0], "k": self.metric[1]},
            **{"queries": n, "unpaired": self.counted + self.base_counted - 2 * n},
            "baseline": self.base_sum / n * self.scaled_by if n else None,
            "value": self.own_sum / n * self.scaled_by if n else None,
            "delta": self.steps_sum / n * step if n else None,
            **{"sd": sd, "standard_error": None if sd is None else sd / sqrt(n)},
            **{"wins": self.wins, "ties": n - self.wins - self.losses, "losses": self.losses},
        }

    @property
    def is_share(self) -> bool:
        """True if all values, of a model without a baseline, are from 0 to 1."""
        return self.losses == 0 and self.scaled_by == 1

    @property
    def ones(self) -> int | None:
        """How many values, of a model without a baseline, are 1, if all are 0 or 1."""
        is_binary = self.queries > 1 and self.is_share and self.squares == self.steps_sum << 40
        return self.steps_sum >> 40 if is_binary else None


_NUMBERS = [each.name for each in fields(Sums)][4:]
_FLOATS = ("base_sum", "own_sum", "scaled_by")


def read_sums(session: Session, values: QueryValues, settings: Settings) -> tuple[list[Sums], dict[str, str]]:
    """Return the sums by model, slice and metric, in this order, and the types of the columns of models and slices."""
    found, by, types = list[Sums](), len(values.by), dict[str, str]()
    for part in values.parts():
        metrics = list(part.metrics)
        rows, kinds = session.rows_and_types(kept_statement(part, settings, "sums"))
        for row in rows:
            model, level, *slice_, number = list(row.values())[: by + 3]
            key: list[Any] = [model, int(level), tuple(slice_), metrics[int(number) - 1]]
            sums = Sums(*key, *[(float if name in _FLOATS else int)(row[name] or 0) for name in _NUMBERS])
            n, square = sums.queries, sums.steps_sum**2
            is_rounded = isinstance(row["squares"], float)  # as in SQLite, without DECIMAL
            if is_rounded and n and n * sums.squares - square <= n * 2**-52 * n * sums.squares:
                sums = replace(sums, squares=square // n)
            found.append(sums)
        model, _, *slices = list(kinds.values())[: by + 2]
        types = {"model": model, **dict(zip(values.by, slices, strict=True))}
    return found, types


def read_steps(
    session: DuckDB, values: QueryValues, settings: Settings, sums: Sequence[Sums]
) -> Iterator[tuple[list[Sums], list[Any]]]:
    """Yield sums that have pairs, with the differences of each in whole steps as an array in the order of the queries.

    The sums are those of all metrics in one part, in their order. A few metrics are read at once.
    """
    pairs = sum(each.queries for each in sums) // max(len(values.metrics), 1)
    most = max(_MOST_VALUES // max(pairs, 1), 1)
    for part in (few for many in values.parts() for few in many.parts(most)):  # in the order of the sums
        own = [each for each in sums if each.queries and each.metric in part.metrics]
        yield own, list(session.arrays(kept_statement(part, settings, "step_lists"))["steps_list"])


def kept_statement(values: QueryValues, settings: Settings, relation: str) -> Kept:
    """Return the statement that selects a relation in the order of its keys."""
    return Kept(ComparisonStatement(values, settings), ComparisonStatement.sorted, relation)


@dataclass
class ComparisonStatement(Composer):
    """Composes one statement of the stage `6_comparison`."""

    values: QueryValues
    settings: Settings
    most: int | None = None  # how many queries the statement selects
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)

    def sorted(self, relation: str) -> exp.Select:
        """Return the statement that selects a relation in the order of its keys, the last of which is metric_no."""
        tree = self.of(relation)
        names = tree.named_selects
        return tree.order_by(*trees.ascending(names[: names.index("metric_no") + 1]), copy=False)

    def of(self, relation: str, *, variant: str = "", output: bool = False, limit: int | None = None) -> exp.Select:
        """Return the statement that selects a relation, up to a limit; with `output`, with the user's column names."""
        tree = self._relation(relation, variant)
        assert isinstance(tree, exp.Select)
        if output:
            rename_output(tree, self.values.users_names, looked_up=True)
        self._with(tree)
        return tree if limit is None else tree.limit(limit, copy=False)

    def with_parameters(self) -> tuple[ComparisonStatement, list[str]] | None:
        """Return the statement with the name of the stored table, which changes, as a parameter, and this name.

        Returns None, so that its text is not kept, for other relations.
        """
        table = self.values.relation
        if not isinstance(table, exp.Table) or len(table.parts) > 1:
            return None
        return replace(self, values=replace(self.values, relation=exp.func("query_table", parameter(0)))), [table.name]

    def _relation(self, name: str, variant: str = "") -> exp.Expr:
        """Return a relation with its parameters bound and its stand-in columns repeated; adds what it reads."""
        settings = self.settings
        if name == "per_query":
            return self._values()
        if name == "metrics":
            return metrics_relation(self.values.metrics)
        if name == "pairs":
            variant = "zero" if settings.baseline is None else "baseline"
        template = templates.comparisons()[name][variant]
        tree = template.tree()
        parameters = {
            **{"baseline": as_literal(settings.baseline), "model": as_literal(settings.model)},
            **{"tie_within": settings.tie_within, "same_slices": settings.same_slices},
            **{"sliced": bool(self.values.by), "most": self.most},
            "lower_is_better": any(metric in settings.lower for metric, _ in self.values.metrics),
            "whole_queries": self.values.of_items and self.most is not None,
        }
        names = template.columns | {alias.alias for alias in trees.find(tree, exp.Alias)}
        of_metrics = {name for name in names if name.endswith("_of_metric")}
        self._fill_in(tree, template, parameters, self._stand_ins(of_metrics))
        return tree

    @property
    def _levels(self) -> Sequence[Sequence[str]]:
        return levels_of(self.values.slices, len(self.values.by))

    def _stand_ins(self, of_metrics: set[str]) -> dict[str, list[Copy]]:
        """Return the copies of stand-in columns, of which these are repeated for each metric."""
        copies: list[Copy] = []
        for no in range(1, len(self.values.metrics) + 1):
            columns = {name: name.replace("_metric", f"_{no}") for name in of_metrics}
            copies.append(({**columns, _NUMBER: Column(trees.literal(no), _NUMBER)}, {}))
        return {
            **({} if self.values.of_items else {"item_slice_no": []}),
            **stand_ins_of("query", len(self.values.query), ("",)),
            **stand_ins_of("slice", len(self.values.by), _SIDES),
            **dict.fromkeys(of_metrics, copies),
        }

    def _values(self) -> exp.Select:
        """Return the relation of values; if it is a statement, its own relations go before it."""
        tree = self.values.select()
        subquery = tree.find(exp.Subquery)
        if isinstance(self.values.relation, exp.Select) and subquery is not None:
            for cte in subquery.this.ctes:
                self._ctes[cte.alias] = cte.this
                self._counts[cte.alias] = 2 if cte.args.get("materialized") else 1
            subquery.this.set(trees.WITH, None)
        return tree
