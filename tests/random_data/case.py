"""A case: data sets, a question about them, the names and types of their columns, and the paths to take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reference import Id, OptionalInputs, Query, Row


@dataclass(frozen=True)
class DataSet:
    """The run and qrels of one model or slice."""

    run: list[Row]
    qrels: list[Row]

    @property
    def judged(self) -> set[Query]:
        """The judged queries."""
        return {query for query, _, _ in self.qrels}


@dataclass(frozen=True)
class Names:
    """The names of tables, columns and models.

    Attributes:
        number: the column of the score or rank.
        group: the column of the slices in the qrels.
        models: the name of each model, which is a score column, a key of the dict of runs, or a value.
        unused: a column of the run and one of the qrels that no argument names, None without such a column.
    """

    query: tuple[str, ...] = ("query",)
    item: str = "item"
    number: str = "score"
    relevance: str = "relevance"
    model: str = "model"
    group: str = "group"
    qrels_query: tuple[str, ...] = ("query",)
    qrels_item: str = "item"
    models: tuple[str, ...] = ("run",)
    unused: tuple[str | None, str | None] = (None, None)
    tables: tuple[str, str] = ("run", "qrels")


@dataclass(frozen=True)
class Ids:
    """Ids of one kind, and the types of the columns that hold them."""

    kind: str  # the kind, such as "uuid"
    held: list[Id]  # the ids to draw from, and two more that no data set holds
    types: tuple[str, str]  # the DuckDB types in the run and in the qrels

    @property
    def drawn(self) -> list[Id]:
        """The ids to draw from."""
        return self.held[:-2]


@dataclass(frozen=True)
class Case:
    """One question, answered on several paths."""

    number: int  # `made` makes the case again from its number
    shape: str  # how the run is passed: "scores", "ranks", "lists", "labels"
    # The role of each data set: the "only" one; a slice by a column of the query ("key") or another column ("group");
    # a model, by a "column", as "runs" of a dict, or as columns of "scores".
    together: str
    source: str  # how a relation is passed: "dict", "arrow", "table", "parquet"
    data_sets: list[DataSet]
    metrics: list[str]
    policies: dict[str, Any]  # the policies that differ from their defaults
    optional: OptionalInputs
    paths: tuple[str, ...]  # the paths to an answer
    names: Names
    queries: Ids  # of a query of two columns, the ids of both
    items: Ids
    number_type: str  # the DuckDB type of the score or rank
    relevance_type: str
    qrels_as: str = "rows"  # the shape of the qrels; for a run of lists, also "lists" or "maps"

    @property
    def are_models(self) -> bool:
        """True if each data set is a model."""
        return self.together in ("column", "runs", "scores")

    @property
    def by(self) -> str | None:
        """The column of the slices, None without slices."""
        return {"key": self.names.query[0], "group": self.names.group}.get(self.together)

    @property
    def kinds(self) -> list[str]:
        """What is special about the case, for the summary."""
        found = [f"shape: {self.shape}", f"together: {self.together}", f"source: {self.source}"]
        found += [f"qrels as: {self.qrels_as}", f"queries: {self.queries.kind}", f"items: {self.items.kind}"]
        types = {*self.queries.types, *self.items.types} if self.source != "dict" else set()
        found += [f"type of ids: {each}" for each in types]
        if self.items.types[0] != self.items.types[1] and types:
            found.append("type of ids: several")
        if self.source != "dict":
            found += [f"type of scores: {self.number_type}", f"type of relevance: {self.relevance_type}"]
        found += [f"policy: {name}={value}" for name, value in self.policies.items() if isinstance(value, str)]
        found += [f"policy: {name}" for name, value in self.policies.items() if not isinstance(value, str)]
        return found


@dataclass(frozen=True)
class Relation:
    """A relation to pass: its name, its columns, and their DuckDB types."""

    name: str
    columns: Mapping[str, list[Any]]
    types: Mapping[str, str]
