"""The canonical relations: what the composer knows about the data."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlglot import exp

from recall_duckdb.definitions.trees import Column
from recall_duckdb.reading.files import Files
from recall_duckdb.reading.read_as import ReadAs
from recall_duckdb.reading.source import Finding


@dataclass(frozen=True)
class SourceSelect:
    """A relation of the user and its columns under canonical names, for the template `source`."""

    relation: exp.Expr
    names: list[Column]
    numbers: list[Column] = field(default_factory=list)
    extras: list[Column] = field(default_factory=list)
    stacked: list[SourceSelect] = field(default_factory=list)  # one for each score column, if one scan reads them all


@dataclass(frozen=True)
class UnusedColumn:
    """A column of a run that no argument names, and that may be a part of the query or hold models."""

    label: str  # what messages call the run
    name: str  # the name of the column
    run: exp.Query  # the rows of the run, with the column as value
    qrels: exp.Query | None  # the same of the qrels; None if they lack the column
    query: dict[str, str]  # the user's columns of the query, by canonical name
    has_model: bool  # True if the rows of the run have a model
    is_shared: bool  # True if both sides have the column, or the run holds its labels
    query_with: str  # the arguments that make it a part of the query
    repeats: list[exp.Select]  # find duplicates in the first lists of the run and, if shared, of the qrels


@dataclass(frozen=True)
class Inputs:
    """The user's data as canonical relations."""

    selects: dict[str, list[SourceSelect]]  # by relation: run_source, qrels_source, exact_scores, or labelled
    run_shape: str  # scores, ranks, lists
    qrels_shape: str  # rows, lists, maps; none for a question without qrels
    query: list[str]
    by: list[str]
    by_side: str | None  # the relation that holds the slice columns: qrels, run, item_slices
    models: list[str] | None  # None if a column holds them
    user_names: dict[str, str]  # the user's column names by canonical name, for messages
    looked_up: bool  # True if the columns of run and qrels are known
    watched: list[Files]  # the files that are read, to notice if one changes meanwhile
    padding: int | str | None = None  # the item of the run that may only fill up short lists; None if no item can
    qrels_padding: int | str | None = None  # the same for the qrels, whose items may have another type
    text_items: bool = False  # True if items are text that may hold lists
    text_queries: bool = False  # True if a column of the query is text
    score_type: str | None = None  # as which scores compare; None for DOUBLE
    values_are_read: bool = False  # True if values of ids were looked at: other data may have other inputs
    remarks: tuple[str, ...] = ()  # what the files say that an evaluation ignores
    findings: tuple[Finding, ...] = ()  # what a look at the rows found
    engine: str = "duckdb"  # the dialect of the engine that holds the data
    slices: str = "crossed"  # each, crossed or both
    unused: list[UnusedColumn] = field(default_factory=list)  # values decide if one of these was forgotten
    read_as: tuple[ReadAs, ...] = ()  # how each source is read, in the order of the sources
    ranked: Inputs | None = None  # the runs of ranks by themselves, if other runs hold scores

    @property
    def of_items(self) -> bool:
        """True if slices are of items, not of queries."""
        return self.by_side == "item_slices"

    @property
    def one_model(self) -> str | None:
        """The name of the only model, or None where there are several or a column holds them."""
        return self.models[0] if self.models is not None and len(self.models) == 1 else None
