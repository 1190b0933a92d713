"""What is known of the user's data: a relation that a statement can read, and the canonical relations of a question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.definitions.trees import Column
from recall_duckdb.engines import Columns
from recall_duckdb.reading.files import Files
from recall_duckdb.reading.read_as import ReadAs


@dataclass(frozen=True)
class Finding:
    """What a look at the rows of a source found, which no error says."""

    check: str  # the name of the check
    rule: str  # what it found, with the source
    do: str  # what to do about it
    example: dict[str, Any]  # the first row, with the user's column names


@dataclass(frozen=True)
class Source:
    """A relation that a statement can read, and its columns, where they can be known before it runs."""

    relation: exp.Expr
    columns: Columns | None
    label: str  # the user's name for it
    rows: int | None = None  # the number of rows, if it is known without reading them
    untyped: bool = False  # a file of text: its ids are text, whatever they look like
    partitions: frozenset[str] = frozenset()  # columns from the paths of files
    blank: frozenset[str] = frozenset()  # columns without any value, whose type means nothing
    is_canonical: bool = False  # a file with fixed columns, which have canonical names
    headerless: str | None = None  # the first line of a CSV file without a header of known names
    may_have_header: bool = False  # True if this line may be a header
    is_named: bool = False  # a file without a header, whose columns the user named
    indented: frozenset[str] = frozenset()  # columns of a CSV file in which a blank precedes each value
    aliases: Mapping[str, str] = field(default_factory=dict)  # columns by further names, in lower case
    tags: tuple[str, ...] = ()  # the tag of a TREC run, and one more if it has several; empty for other sources
    remarks: Mapping[str, str] = field(default_factory=dict)  # for a note, by the order of scores: what is ignored
    findings: tuple[Finding, ...] = ()  # what a result should say about the rows
    may_collate: bool = False  # a table, view or relation: text columns may have a collation
    files: Mapping[str, Columns] = field(default_factory=dict)  # one file for each set of columns, if files differ
    elsewhere: bool = False  # in an engine other than DuckDB
    watched: Files | None = None  # the files as they were before the first read
    unordered: frozenset[str] = frozenset()  # columns of sets, which are no ranking
    faults: dict[str, str] = field(default_factory=dict)  # columns that cannot be read, and why

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """The columns by their names in lower case."""
        spellings: dict[str, list[str]] = {}
        for name in self.columns or {}:
            spellings.setdefault(name.casefold(), []).append(name)
        return {**{alias: [name] for alias, name in self.aliases.items()}, **spellings}

    @property
    def is_json(self) -> bool:
        """True if DuckDB guesses types from the first rows of a JSON file."""
        return isinstance(self.relation, exp.Anonymous) and self.relation.name.casefold() == "read_json"

    def own_name(self, name: str) -> str | None:
        """Return a column's name as it is spelled here; None if it is not there, or is not the user's."""
        alike = self.spellings.get(name.casefold(), [])
        return alike[0] if len(alike) == 1 and not self.elsewhere and not self.is_canonical else None

    def with_types(self, types: Mapping[str, str]) -> Source:
        """Return the same CSV or JSON file with these columns read as these types."""
        columns = {**(self.columns or {}), **{name: duckdb.sqltype(text) for name, text in types.items()}}
        # read_json takes the types of all columns or of none.
        texts = {name: str(kind) for name, kind in columns.items()} if self.is_json else types
        inside = {name: text for name, text in texts.items() if name not in self.partitions}
        outside = {name: text for name, text in types.items() if name in self.partitions}
        option, call = "columns" if self.is_json else "types", self.relation.copy()
        if self.is_json:  # an earlier call may have set the types
            others = [each for each in call.expressions if not (isinstance(each, exp.EQ) and each.this.name == option)]
            call.set("expressions", others)
        for name, wanted in ((option, inside), ("hive_types", outside)):
            if wanted:
                call.append("expressions", trees.option(name, trees.struct(wanted)))
        return replace(self, relation=call, columns=columns)


def repeated_names(columns: Iterable[str], written: Callable[[], Iterable[str]] | None = None) -> dict[str, str]:
    """Return the faults of names that several columns of a file or frame have, or that differ only in case.

    DuckDB gives all but the first a number, as in score_1. `written` returns the names that are written there; without
    it, as for JSON, names differ in case.

    >>> sorted(repeated_names(["Score", "score_1", "label_1"], lambda: ["Score", "score", "label_1"]))
    ['Score']
    """
    columns, stems = list(columns), set[str]()
    names = {name for name in columns if re.search(r"_\d+$", name)}
    own = (
        (name for name in columns if name.rpartition("_")[0] in columns) if written is None or not names else written()
    )
    names = names.difference(own)
    while names := {name.rpartition("_")[0] for name in names if name.rpartition("_")[2].isdigit()}:
        stems.update(map(str.casefold, names))
    fault = "several columns are named {!r}, or differ only in case. Rename or remove the others"
    return {name: fault.format(name) for name in columns if name.casefold() in stems}


@dataclass(frozen=True)
class SourceSelect:
    """A relation of the user and its columns under canonical names, for the template `source`."""

    relation: exp.Expr
    names: list[Column]
    numbers: list[Column] = field(default_factory=list)
    extras: list[Column] = field(default_factory=list)
    stacked: list[SourceSelect] = field(default_factory=list)  # one for each score column, if one scan reads them all


@dataclass(frozen=True)
class Sources:
    """The sources of a question."""

    runs: Mapping[str | None, Source]  # by model name, which is None for a run without a name
    qrels: Source | None
    optional: Mapping[str, Source]  # by the names of the arguments


@dataclass(frozen=True)
class Inputs:
    """The user's data as canonical relations: what the composer knows about the data."""

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
    remarks: tuple[str, ...] = ()  # what the files say that an evaluation ignores
    findings: tuple[Finding, ...] = ()  # what a look at the rows found
    engine: str = "duckdb"  # the dialect of the engine that holds the data
    slices: str = "crossed"  # each, crossed or both
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
