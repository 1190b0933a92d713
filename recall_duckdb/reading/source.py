"""A relation of the user that a statement can read, whatever it was made from, and the names of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.engines import Columns
from recall_duckdb.reading.files import Files


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
    is_trec: bool = False  # a TREC file, which has no labels
    is_canonical: bool = False  # a file with fixed columns, which have canonical names
    headerless: tuple[str, ...] | None = None  # the first lines of a CSV file without a header of known names
    may_have_header: bool = False  # True if the first of these lines may be a header
    is_named: bool = False  # a file without a header, whose columns the user named
    indented: frozenset[str] = frozenset()  # columns of a CSV file in which a blank precedes each value
    aliases: Mapping[str, str] = field(default_factory=dict)  # columns by further names, in lower case
    tags: tuple[str, ...] = ()  # the tag of a TREC run, and one more if it has several
    remarks: Mapping[str, str] = field(default_factory=dict)  # for a note, by the order of scores: what is ignored
    findings: tuple[Finding, ...] = ()  # what a result should say about the rows
    values_are_read: bool = False  # True if rows were looked at: other rows may have other findings
    may_collate: bool = False  # a table, view or relation: text columns may have a collation
    files: Mapping[str, Columns] = field(default_factory=dict)  # one file for each set of columns, if files differ
    elsewhere: bool = False  # in an engine other than DuckDB
    watched: Files | None = None  # the files as they were before the first read
    overridden: Mapping[str, str] = field(default_factory=dict)  # by column: the directory whose value DuckDB reads
    repeated: frozenset[str] = frozenset()  # names that several columns have
    unordered: frozenset[str] = frozenset()  # columns of sets, which are no ranking
    faults: Mapping[str, str] = field(default_factory=dict)  # columns that cannot be read, and why

    @cached_property
    def spellings(self) -> dict[str, list[str]]:
        """The columns by their names in lower case."""
        spellings: dict[str, list[str]] = {}
        for name in self.columns or {}:
            spellings.setdefault(name.casefold(), []).append(name)
        for alias, name in self.aliases.items():
            spellings.setdefault(alias, [name])
        return spellings

    @cached_property
    def copies(self) -> dict[str, list[str]]:
        """The columns with a number after their name, score_1, score_2, …, by the name in lower case."""
        copies: dict[str, list[str]] = {}
        for name in self.columns or {}:
            stem, _, number = name.casefold().rpartition("_")
            if number.isdigit():
                copies.setdefault(stem, []).append(name)
        return copies

    @cached_property
    def types_in_files(self) -> dict[str, dict[str, Any]]:
        """The type of each column by its name in lower case, for each of `files`; of two alike, the first."""
        return {
            file: {name.casefold(): columns[name] for name in reversed(list(columns))}
            for file, columns in self.files.items()
        }

    @property
    def is_json(self) -> bool:
        """True if DuckDB guesses types from the first rows of a JSON file."""
        return isinstance(self.relation, exp.Anonymous) and self.relation.name.casefold() == "read_json"

    def with_types(self, types: Mapping[str, str]) -> Source:
        """Return the same CSV or JSON file with these columns read as these types."""
        columns = {**(self.columns or {}), **{name: duckdb.sqltype(text) for name, text in types.items()}}
        inside = {name: text for name, text in types.items() if name not in self.partitions}
        if self.is_json:  # read_json takes the types of all columns or of none
            inside = {name: str(kind) for name, kind in columns.items() if name not in self.partitions}
        outside = {name: text for name, text in types.items() if name in self.partitions}
        call = self.relation.copy()
        if self.is_json:  # an earlier call may have set the types
            arguments = [
                each for each in call.expressions if not (isinstance(each, exp.EQ) and each.this.name == "columns")
            ]
            call.set("expressions", arguments)
        for option, wanted in (("columns" if self.is_json else "types", inside), ("hive_types", outside)):
            if wanted:
                call.append("expressions", trees.option(option, trees.struct(wanted)))
        return replace(self, relation=call, columns=columns)


def were_renamed(columns: Iterable[str]) -> dict[str, list[str]]:
    """Return the columns that DuckDB may have renamed, each with the columns whose name it may have had.

    DuckDB gives all but the first of several columns of one name a number, as in score_1.

    >>> were_renamed(["score", "score_1", "score_1_1", "label_1"])
    {'score_1': ['score'], 'score_1_1': ['score_1', 'score']}
    """
    origins: dict[str, list[str]] = {}
    all_names = set(columns)
    for column in columns:
        name, _, number = column.rpartition("_")
        while number.isdigit():
            if name in all_names:
                origins.setdefault(column, []).append(name)
            name, _, number = name.rpartition("_")
    return origins


def repeated_names(columns: Iterable[str], in_source: Iterable[str]) -> frozenset[str]:
    """Return the names that several columns have, given the names that are written in the file or frame."""
    written = set(in_source)
    return frozenset(name for column, names in were_renamed(columns).items() if column not in written for name in names)


def names_as_written(frame: Any, columns: Iterable[str]) -> list[str]:
    """Return the names of the columns as a frame or relation has them; other kinds have no two columns of one name."""
    package = type(frame).__module__.partition(".")[0]
    names = frame.schema.names if package == "pyarrow" else columns
    if package == "pandas" or isinstance(frame, duckdb.DuckDBPyRelation):
        names = getattr(frame, "columns", columns)  # a Series has none
    return [str(name) for name in names]
