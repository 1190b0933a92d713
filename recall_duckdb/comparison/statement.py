"""Composes the statements that compare models, from the values of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from recall_duckdb.comparison.settings import Settings
from recall_duckdb.compose.composer import Composer, metrics_relation, rename_output, stand_ins_of
from recall_duckdb.compose.kept import parameter
from recall_duckdb.compose.levels import levels_of
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Column, Copy
from recall_duckdb.inputs.columns import users_names

_NUMBER = "number_of_metric"  # becomes the number itself
_SIDES = ("", "base_", "level_", "own_")  # before the names of slice columns
_MOST_METRICS = 100  # the time of a CASE, and the memory of a statement, grow with the number of metrics


@dataclass(frozen=True)
class QueryValues:
    """The values of queries, in a relation with a row for each model and query.

    Attributes:
        relation: the relation, with the columns model, query and slice (numbered if there are several), and a column of
            values for each metric.
        query: the user's names of the columns that identify a query.
        by: the user's names of the columns of slices.
        metrics: the columns of values, by metric and cutoff.
        one_model: the model, if the relation has no column of models.
        of_items: True if a query also has a row for each slice of items, numbered by the column item_slice_no.
        slices: the kinds of slices: each, crossed or both.
    """

    relation: exp.Expr
    query: Sequence[str]
    by: Sequence[str]
    metrics: Mapping[tuple[str, int | None], str]
    one_model: str | None = None
    of_items: bool = False
    slices: str = "crossed"

    @property
    def names(self) -> list[str]:
        """The names of the columns of values within statements."""
        return [f"value_of_{number}" for number in range(1, len(self.metrics) + 1)]

    @property
    def users_names(self) -> dict[str, str]:
        """The user's names of the columns of queries and slices, by canonical name."""
        return users_names(self.query, self.by)

    def of(self, metric: tuple[str, int | None]) -> QueryValues:
        """Return the values of one metric."""
        return replace(self, metrics={metric: self.metrics[metric]})

    def parts(self) -> Iterator[QueryValues]:
        """Yield the values of a few metrics each."""
        metrics = list(self.metrics.items())
        for first in range(0, len(metrics), _MOST_METRICS):
            yield replace(self, metrics=dict(metrics[first : first + _MOST_METRICS]))

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
        return exp.select(*keys, *values).from_(source)


@dataclass
class ComparisonStatement(Composer):
    """Composes one statement of the stage `6_comparison`; relations in `bound` are read as they are, not computed."""

    values: QueryValues
    settings: Settings
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)
    most: int | None = None  # how many queries the statement selects
    words: tuple[int, int] = (0, 0)  # the random words that it reads, from the first to before the last

    def of(
        self, relation: str, *, variant: str | None = None, output: bool = False, limit: int | None = None
    ) -> exp.Select:
        """Return the statement that selects a relation, up to a limit; with `output`, with the user's column names."""
        tree = self._values() if relation == "per_query" else self._fill(relation, variant)
        if output:
            rename_output(tree, self.values.users_names, looked_up=True)
        self._with(tree)
        return tree if limit is None else tree.limit(limit, copy=False)

    def with_parameters(self) -> tuple[ComparisonStatement, list[str]] | None:
        """Return the statement with the name of the stored table, which changes, as a parameter, and this name.

        Returns None, so that its text is not kept, for other relations, and if it reads relations that are bound.
        """
        table = self.values.relation
        if self.bound or not isinstance(table, exp.Table) or len(table.parts) > 1:
            return None
        return replace(self, values=replace(self.values, relation=exp.func("query_table", parameter(0)))), [table.name]

    def _fill(self, relation: str, variant: str | None = None) -> exp.Select:
        """Return a relation with its parameters bound and its stand-in columns repeated; adds what it reads."""
        template = templates.comparisons()[relation][variant or self.settings.variants.get(relation, "")]
        tree = template.tree()
        parameters = {
            **self.settings.parameters,
            "sliced": bool(self.values.by),
            "crossed": len(self._levels) == 1,
            "most": self.most,
            "lower_is_better": any(metric in self.settings.lower for metric, _ in self.values.metrics),
            "first_word": self.words[0],
            "last_word": self.words[1],
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

    def _relation(self, name: str) -> exp.Expr:
        if name == "per_query":
            return self._values()
        if name == "metrics":
            return metrics_relation(self.values.metrics)
        return self._fill(name)
