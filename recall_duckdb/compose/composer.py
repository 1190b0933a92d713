"""What all composed statements share: they fill in templates, and put the relations that these read in one WITH."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from sqlglot import exp

from recall_duckdb.compose.levels import LEVEL, split_levels
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Column, Copy, Value
from recall_duckdb.reading.columns import canonical_names

Q = TypeVar("Q", bound=exp.Query)


class Composer(ABC):
    """Composes one statement.

    Attributes:
        bound: relations that are read as they are, not computed.
    """

    bound: Mapping[str, exp.Expr]

    def __post_init__(self) -> None:
        self._ctes: dict[str, exp.Expr] = {}  # the relations that are computed, by name
        self._counts: dict[str, int] = {}  # how often each relation is read

    @abstractmethod
    def with_parameters(self) -> tuple[Composer, list[str]] | None:
        """Return a copy whose changing values are parameters, and these values; None if the text must not be kept."""

    @abstractmethod
    def _relation(self, name: str) -> exp.Expr:
        """Return the SELECT of a relation that the statement reads."""

    def _resolve(self, name: str) -> str:
        """Return the relation to read instead of another, or the relation itself."""
        return name

    def _materialized(self, name: str) -> bool | None:
        """Return True to compute a relation once, False to inline it, None for the engine to choose."""
        return True if self._counts[name] > 1 else None

    def _fill_in(
        self,
        tree: exp.Select,
        template: Template,
        values: Mapping[str, Value | Sequence[str] | exp.Expr],
        stand_ins: Mapping[str, Sequence[Copy]],
    ) -> None:
        """Fill in a template: bind its parameters, add the relations that it reads, and repeat its stand-in columns."""
        if template.parameters:
            trees.bind(tree, values)
        self._need(tree)  # while the tree is small; repeated parts read no relation
        if not template.columns.isdisjoint(stand_ins):
            trees.repeat(tree, stand_ins)
        if LEVEL in template.columns:
            split_levels(tree, self._levels)

    @property
    @abstractmethod
    def _levels(self) -> Sequence[Sequence[str]]:
        """The slice columns of each kind of slices."""

    def _need(self, tree: exp.Select) -> None:
        """Add the relations that a tree reads, each after the relations that it reads itself."""
        ctes = {cte.alias for cte in tree.ctes}
        for table in trees.find(tree, exp.Table):
            if not table.name or table.name in ctes:  # a table function has no name
                continue
            name = self._resolve(table.name)
            if name in self.bound:
                table.replace(exp.alias_(self.bound[name].copy(), table.alias_or_name, table=True))
                continue
            if name != table.name:
                table.set("this", exp.to_identifier(name))
            self._counts[name] = self._counts.get(name, 0) + 1
            if name not in self._ctes and self._counts[name] == 1:
                self._ctes[name] = self._relation(name)  # after the relations that it reads

    def _finish(self, tree: exp.Select) -> exp.Select:
        """Put the relations that a new SELECT reads before it, in place, and return it."""
        self._need(tree)
        return self._with(tree)

    def _with(self, tree: Q) -> Q:
        """Put the relations that were added before a tree, in place, and return it."""
        for name, cte in self._ctes.items():
            alias = exp.TableAlias(this=exp.to_identifier(name))  # sqlglot need not parse this name
            tree.with_(alias, as_=cte, materialized=self._materialized(name), copy=False, append=True)
        return tree


def select_from_user(
    template: str, relation: exp.Expr, columns: Mapping[str, Sequence[Column]], *arithmetic: str
) -> exp.Select:
    """Return the SELECT of a template that reads a relation of the user, by its stand-in columns."""
    tree = templates.relations()[template][""].tree(*arithmetic)
    trees.repeat(tree, {name: [({name: column}, {}) for column in each] for name, each in columns.items()})
    for table in trees.find(tree, exp.Table):
        if table.name == "source":
            table.replace(trees.of_user(relation))
    return tree


def rename_output(tree: exp.Select, users: Mapping[str, str], *, looked_up: bool) -> None:
    """Give the columns of a SELECT the user's names, which are listed by canonical name."""
    for projection in tree.expressions:
        if projection.alias in users:
            projection.set("alias", trees.as_given(users[projection.alias], looked_up=looked_up))


def stand_ins_of(name: str, count: int, sides: Sequence[str]) -> dict[str, list[Copy]]:
    """Return the copies of a column that stands for several, also with each of these words before its name."""
    names = canonical_names(name, count)
    copies: list[Copy] = [({f"{side}{name}": f"{side}{each}" for side in sides}, {}) for each in names]
    return {f"{side}{name}": copies for side in sides} if count != 1 else {}


def metrics_relation(metrics: Iterable[tuple[str, int | None]]) -> exp.Query:
    """Return metrics and their cutoffs as rows of metric_no, metric and k."""
    rows = []
    for number, (name, cutoff) in enumerate(metrics, start=1):
        k = exp.Cast(this=trees.literal(cutoff), to=exp.DataType(this=exp.DataType.Type.BIGINT))
        row = {"metric_no": trees.literal(number), "metric": trees.literal(name), "k": k}
        columns = [exp.Alias(this=value, alias=exp.to_identifier(alias)) for alias, value in row.items()]
        rows.append(exp.Select(expressions=columns))
    return trees.union_all(rows)
