"""Finds the texts of queries and items, and looks up those of the ids that are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, UnknownNameError, commas, quote, spell
from recall_duckdb.question import Names
from recall_duckdb.reading import sources
from recall_duckdb.reading.cells import is_list, is_series, pairs_of_series
from recall_duckdb.reading.columns import Reader, canonical_names, family_of
from recall_duckdb.reading.keys import match
from recall_duckdb.reading.objects import load_columns
from recall_duckdb.reading.shapes import Layout, Rows, read_records
from recall_duckdb.reading.source import Source

Ids = Mapping[str, Sequence[tuple[Any, ...]]]
"""The ids that are shown, each once: "query" and "item", an id with a value for each of its columns."""
Texts = dict[str, dict[tuple[Any, ...], str]]
"""Texts by id, for "query" and "item", of which one is not there if no source holds its texts."""

_USUAL = ("text", "title")  # the first of these columns holds the text
_MOST_LITERALS = 500  # ids in a statement for another engine


class TextSource:
    """A source of texts: its columns of ids, and its column of texts."""

    def __init__(self, source: Source, names: Names) -> None:
        self.reader = Reader(source, "texts", [*names.query, names.item])
        self.side = self.reader.where
        self.key, self.ids = self._find_ids(names)
        self.text = self._find_text()
        # Ids and texts of a file without types are text.
        self.reader.untyped_as({**dict.fromkeys(self.ids, self.key), self.text: "text"}, [])
        if family_of(kind := self.reader.kind(self.text)) not in ("text", "unknown") and not self.reader.is_blank(
            self.text
        ):
            text = f"{self.side}: column {self.text!r} is of type {kind}, but it must hold text"
            raise ArgumentTypeError(text, fix="Name the column of texts 'text', or cast this one")

    def _find_ids(self, names: Names) -> tuple[str, list[str]]:
        """Return which ids it holds, "query" or "item", and their columns, named as in the run or as in the qrels."""
        reader, columns = self.reader, commas(self.reader.source.columns or ())
        named = {"query": (names.query, names.qrels_query), "item": ([names.item], [names.qrels_item])}
        held = {key: each for key, both in named.items() for each in reversed(both) if all(map(reader.has, each))}
        if len(held) > 1:
            both = f"{commas(held['query'])} ({spell('query')}) and {commas(held['item'])} ({spell('item')})"
            fix = "Leave out the column that its texts are not of, as in (SELECT DISTINCT item, text FROM …)"
            raise ArgumentError(f"{self.side} has both {both}", fix=fix)
        if not held and reader.source.headerless is not None:
            reader.name("item", names.item)  # raises the error of a file without a header
        if not held:
            neither = f"neither {commas(names.query)} ({spell('query')}) nor {names.item!r} ({spell('item')})"
            fix = f"Name its column of ids so. Its columns: {columns}"
            raise UnknownNameError(f"{self.side} has {neither}", fix=fix)
        return next(iter(held.items()))

    def _find_text(self) -> str:
        """Return the column of texts: text, or else title, or else the only other column of text."""
        reader, columns = self.reader, self.reader.source.columns or ()
        ids = {reader.name(self.key, name) for name in self.ids}
        usual = [reader.name("text", name) for name in _USUAL if reader.has(name)]
        others = [name for name in columns if name not in ids]
        texts = [name for name in others if family_of(reader.kind(name)) == "text"]
        chosen = [name for name in usual if name not in ids]
        if chosen or len(others) == 1 or len(texts) == 1:
            return (chosen or texts or others)[0]
        several = f"several columns that may hold the texts: {commas(texts)}"
        text = f"{self.side} has {several if texts else 'no column of texts'}"
        raise UnknownNameError(text, fix=f"Name the one to show 'text' or 'title'. Its columns: {commas(columns)}")

    def select(self) -> exp.Select:
        """Return the ids and texts under canonical names."""
        text = exp.cast(self.reader.key("text", self.text, "text").expression, "VARCHAR")
        return _ids_of(self.reader, self.key, self.ids, exp.alias_(text, "text"))


def parts_of(value: object, names: Names) -> list[object]:
    """Return the sources of texts: a value is one source, or a list of sources."""
    value = list(value) if isinstance(value, Iterator) and not hasattr(value, "read_next_batch") else value
    are_sources = isinstance(value, (list, tuple)) and not (value and all(map(_is_record, value)))
    return [part for each in (value if are_sources else [value]) for part in _parts_of(each, names)]  # type: ignore[attr-defined]


def _parts_of(value: Any, names: Names) -> list[object]:
    columns = dict.fromkeys([names.item, *(names.query if len(names.query) == 1 else ())])
    is_by_column = isinstance(value, Mapping) and bool(value) and columns.keys() >= value.keys()
    if is_by_column and all(isinstance(each, Mapping) or is_series(each) for each in value.values()):
        ids = {name.casefold() for name in (*names.query, names.item, *names.qrels_query, names.qrels_item)}
        text = next(name for name in (*_USUAL, "recall_duckdb_text") if name not in ids)
        pairs = {name: [*(pairs_of_series(each) if is_series(each) else each.items())] for name, each in value.items()}
        return [Rows({name: [id_ for id_, _ in each], text: [one for _, one in each]}) for name, each in pairs.items()]
    are_texts = isinstance(value, Mapping) and bool(value) and all(isinstance(each, str) for each in value.values())
    if is_series(value) or are_texts:
        kind = "Series" if is_series(value) else "dict"
        text = f"a {kind} of texts by id does not say if the ids are queries or items"
        fix = f"Pass {{{names.item!r}: {{id: text}}}} for items, or {{{names.query[0]!r}: {{id: text}}}} for queries"
        raise ArgumentTypeError(text, argument="texts", fix=fix)
    rows = read_records(value, Layout("texts", [], names.item, "text", frozenset()))
    return [value if rows is None else rows]


def _is_record(value: object) -> bool:
    """Return True for a row with names: a dict of single values, a named tuple or a dataclass."""
    if isinstance(value, Mapping):
        return not any(is_list(each) or isinstance(each, Mapping) or is_series(each) for each in value.values())
    return hasattr(value, "_fields") or (is_dataclass(value) and not isinstance(value, type))


def find_texts(parts: Sequence[object], session: Session, names: Names) -> list[TextSource]:
    """Find the sources of texts."""
    if not parts:
        raise ArgumentError("the list is empty: give a source, or leave it out", argument="texts")
    wanted = frozenset([*names.query, names.item, *names.qrels_query, names.qrels_item])
    return [
        TextSource(sources.find(part, session, "texts", f"texts_{number}", names=wanted), names)
        for number, part in enumerate(parts, start=1)
    ]


def look_up(texts: Sequence[TextSource], shown: Ids, session: Session, names: Names) -> Texts:
    """Return the texts of the ids that are shown, which statements join with the sources; ids compare as text."""
    found: Texts = {each.key: {} for each in texts}
    columns = {"query": names.query, "item": [names.item]}
    is_here = isinstance(session, DuckDB)
    for number, each in enumerate(texts, start=1):
        step = len(shown[each.key]) if is_here else _MOST_LITERALS
        for start in range(0, len(shown[each.key]), max(step, 1)):
            ids, mine = shown[each.key][start : start + step], columns[each.key]
            ours = Reader(_source_of(ids, mine, session, f"shown_ids_{number}"), "run")
            for name, other in zip(mine, each.ids, strict=True):
                keys = [(ours, each.key, name), (each.reader, each.key, other)]
                match(keys, session, check=is_here, as_text=True)
            for place, *both in session.rows(_statement(ours, mine, each)):
                _add(found[each.key], ids[place], both, each)
    return found


def _add(found: dict[tuple[Any, ...], str], key: tuple[Any, ...], texts: Sequence[str], source: TextSource) -> None:
    """Add the text of an id; raises `DataError` if it has another one already."""
    different = list(dict.fromkeys([*([found[key]] if key in found else []), *texts]))
    if len(different) > 1:
        texts = f"two texts, {quote(different[0])} and {quote(different[1])}"
        text = f"{source.side}: the {source.key} {quote(key[0] if len(key) == 1 else key)} has {texts}"
        raise DataError(text, fix="Keep one row for each id")
    found[key] = different[0]


def _source_of(ids: Sequence[tuple[Any, ...]], names: Sequence[str], session: Session, role: str) -> Source:
    """Return ids as a relation with their places: a table of DuckDB, or rows of literals for another engine."""
    columns = {_PLACE: list(range(len(ids))), **dict(zip(names, map(list, zip(*ids, strict=True)), strict=True))}
    table = load_columns(columns, session if isinstance(session, DuckDB) else DuckDB(), "run", role, "the ids shown")
    if isinstance(session, DuckDB):
        return table
    rows = [
        exp.select(*(exp.alias_(trees.literal(trees.as_literal(value)), trees.as_given(name))
                     for name, value in zip(columns, row, strict=True)))
        for row in zip(*columns.values(), strict=True)
    ]  # fmt: skip
    return Source(trees.union_all(rows).subquery("given_ids"), table.columns, "the ids shown", elsewhere=True)


_PLACE = "recall_duckdb_place"  # of an id among those that are shown


def _statement(ours: Reader, names: Sequence[str], texts: TextSource) -> exp.Select:
    """Return the statement that looks up texts: rows of the place of an id and its texts."""
    place = exp.alias_(exp.Column(this=trees.as_given(_PLACE)), "place")
    parts = {"shown_ids": _ids_of(ours, texts.key, names, place), "texts_source": texts.select()}
    tree = templates.relations()["texts"][""].filled({}, parts)
    [join] = tree.args["joins"]
    join.set("using", [exp.to_identifier(name) for name in canonical_names("id", len(names))])
    return tree


def _ids_of(reader: Reader, argument: str, names: Sequence[str], other: exp.Expr) -> exp.Select:
    """Return the SELECT of ids under canonical names, and of another column."""
    pairs = zip(names, canonical_names("id", len(names)), strict=True)
    ids = [exp.alias_(reader.key(argument, name, column).expression, column) for name, column in pairs]
    return exp.select(*ids, other).from_(reader.source.relation.copy())
