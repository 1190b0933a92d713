"""Composes the statements that compare models, from the values of queries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from recall_duckdb.comparison.settings import Settings
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Column, Copy
from recall_duckdb.inputs.columns import canonical_names

_NO = "number_of_metric"  # becomes the number itself
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
    """

    relation: exp.Expr
    query: Sequence[str]
    by: Sequence[str]
    metrics: Mapping[tuple[str, int | None], str]
    one_model: str | None = None
    of_items: bool = False

    @property
    def names(self) -> list[str]:
        """The names of the columns of values within statements."""
        return [f"value_of_{number}" for number in range(1, len(self.metrics) + 1)]

    @property
    def users_names(self) -> dict[str, str]:
        """The user's names of the columns of queries and slices, by canonical name."""
        queries = zip(canonical_names("query", len(self.query)), self.query, strict=True)
        return {**dict(queries), **dict(zip(canonical_names("slice", len(self.by)), self.by, strict=True))}

    @property
    def slice_numbers(self) -> list[str]:
        """The column that numbers the slices of items, if there are any."""
        return ["item_slice_no"] if self.of_items else []

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
        names = [*self.users_names, *self.slice_numbers]
        keys = [exp.alias_(model, "model"), *(exp.alias_(trees.column(name), name) for name in names)]
        values = [
            exp.alias_(trees.column(theirs, quoted=True), ours)
            for ours, theirs in zip(self.names, self.metrics.values(), strict=True)
        ]
        relation = self.relation.copy()
        held = relation.subquery("held") if isinstance(relation, exp.Query) else relation
        return exp.select(*keys, *values).from_(held)


@dataclass
class Statement:
    """Composes one statement of the stage `6_comparison`; relations in `bound` are read as they are, not computed."""

    values: QueryValues
    settings: Settings
    bound: Mapping[str, exp.Expr] = field(default_factory=dict)
    most: int | None = None  # how many queries the statement selects
    words: tuple[int, int] = (0, 0)  # the random words that it reads, from the first to before the last
    _ctes: dict[str, exp.Expr] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def of(self, relation: str, *, variant: str | None = None, output: bool = False) -> exp.Select:
        """Return the statement that selects a relation; with `output`, with the user's column names."""
        tree = self._values() if relation == "per_query" else self._fill(relation, variant)
        for projection in tree.expressions if output else []:
            if projection.alias in self.values.users_names:
                projection.set("alias", trees.identifier(self.values.users_names[projection.alias]))
        for name, cte in self._ctes.items():
            alias = exp.TableAlias(this=exp.to_identifier(name))
            several = self._counts[name] > 1
            tree.with_(alias, as_=cte, materialized=True if several else None, copy=False, append=True)
        return tree

    def _fill(self, relation: str, variant: str | None = None) -> exp.Select:
        """Return a relation with its parameters bound and its stand-in columns repeated; adds what it reads."""
        template = templates.comparisons()[relation][variant or self.settings.variants.get(relation, "")]
        tree = template.tree()
        is_lower = any(metric in self.settings.lower for metric, _ in self.values.metrics)
        more = {"sliced": bool(self.values.by), "most": self.most, "lower_is_better": is_lower}
        more |= {"first_word": self.words[0], "last_word": self.words[1]}
        more["whole_queries"] = self.values.of_items and self.most is not None
        trees.bind(tree, {**self.settings.parameters, **more})
        self._need(tree)
        by = canonical_names("slice", len(self.values.by))
        slices: list[Copy] = [({f"{side}slice": f"{side}{own}" for side in _SIDES}, {}) for own in by]
        queries: list[Copy] = [({"query": own}, {}) for own in canonical_names("query", len(self.values.query))]
        numbers: list[Copy] = [({name: name}, {}) for name in self.values.slice_numbers]
        trees.repeat(tree, {"query": queries, "item_slice_no": numbers, **{f"{side}slice": slices for side in _SIDES}})
        names = template.columns | {alias.alias for alias in trees.find(tree, exp.Alias)}
        wide = {name for name in names if name.endswith("_of_metric")}
        values: list[Copy] = [
            ({name: name.replace("_metric", f"_{no}") for name in wide} | {_NO: Column(trees.literal(no), _NO)}, {})
            for no in range(1, len(self.values.metrics) + 1)
        ]
        trees.repeat(tree, dict.fromkeys(wide, values))
        return tree

    def _need(self, tree: exp.Select) -> None:
        """Add the relations that a tree reads, each after the relations that it reads itself."""
        own = {cte.alias for cte in tree.ctes}
        for table in trees.find(tree, exp.Table):
            name = table.name
            if not name or name in own:
                continue
            if name in self.bound:
                table.replace(exp.alias_(self.bound[name].copy(), name, table=True))
                continue
            self._counts[name] = self._counts.get(name, 0) + 1
            if self._counts[name] == 1:
                self._ctes[name] = self._relation(name)  # after the relations that it reads

    def _values(self) -> exp.Select:
        """Return the relation of values; if it is a statement, its own relations go before it."""
        tree = self.values.select()
        held = tree.find(exp.Subquery)
        if isinstance(self.values.relation, exp.Select) and held is not None:
            for cte in held.this.ctes:
                self._ctes[cte.alias] = cte.this
                self._counts[cte.alias] = 2 if cte.args.get("materialized") else 1
            for name in ("with_", "with"):  # its name in sqlglot 30, and in 27
                held.this.set(name, None)
        return tree

    def _relation(self, name: str) -> exp.Expr:
        if name == "per_query":
            return self._values()
        if name == "metrics":
            return trees.union_all(
                [
                    exp.select(
                        exp.alias_(trees.literal(number), "metric_no"),
                        exp.alias_(trees.literal(metric), "metric"),
                        exp.alias_(exp.cast(trees.literal(k), exp.DataType.Type.BIGINT), "k"),
                    )
                    for number, (metric, k) in enumerate(self.values.metrics, start=1)
                ]
            )
        return self._fill(name)


_SIDES = ("", "base_", "level_", "own_")
