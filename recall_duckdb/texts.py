"""The texts of queries and items next to their ids, for `explain`, `pool` and reports."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import duckdb

from recall_duckdb.engines import DuckDB, reading
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import RecallWarning, quote
from recall_duckdb.question import Question
from recall_duckdb.reading.columns import apart_from, family_of
from recall_duckdb.reading.files import unchanged
from recall_duckdb.reading.texts import Ids, Texts, find_texts, look_up, parts_of

_COLUMNS = {"query": "query_text", "item": "text"}  # of the texts
_NOUNS = {"query": "queries", "item": "items"}
_FRAMES = 4  # from the warning to the caller of `explain`


def texts_of(question: Question, texts: object, shown: Ids) -> Texts:
    """Return the texts of ids that are shown, from the sources that `texts=` gives; raises as `explain` does."""
    parts, names = parts_of(texts, question.names), question.names
    with open_session(question.connection, question.dialect, [*question.sources(), *parts]) as session:
        sources = find_texts(parts, session, names)
        with unchanged([files for each in sources if (files := each.reader.source.watched) is not None], session):
            return look_up(sources, shown, session, names)


def with_texts(
    relation: duckdb.DuckDBPyRelation, question: Question, texts: object, *, shows_query: bool
) -> duckdb.DuckDBPyRelation:
    """Return rows with the texts of their ids: query_text before the item, and text after it.

    The rows begin with the query and the item; without `shows_query`, the query is left out. Warns if no id of a kind
    has a text.
    """
    with reading("read the rows"):
        rows = relation.fetchall()
    kinds = dict(zip(relation.columns, relation.types, strict=True))
    types = {name: "BIGINT" if family_of(kind) == "unknown" else str(kind) for name, kind in kinds.items()}
    count = len(question.names.query)
    ids = {"query": [row[:count] for row in rows], "item": [row[count : count + 1] for row in rows]}
    found = texts_of(question, texts, {key: without_repeats(each) for key, each in ids.items()})
    _warn_of_none(found, ids, _FRAMES + shows_query)  # pool is called through its signature
    added = dict(zip(_COLUMNS, apart_from(relation.columns, list(_COLUMNS.values())), strict=True))

    def line(cells: Sequence[Any], texts_of_cells: Mapping[str, Any]) -> tuple[Any, ...]:
        query, item = ([texts_of_cells[key]] if key in found else [] for key in _COLUMNS)
        return (*(cells[:count] if shows_query else ()), *query, cells[count], *item, *cells[count + 1 :])

    lines = [
        line(row, {key: by_id.get(ids[key][place]) for key, by_id in found.items()}) for place, row in enumerate(rows)
    ]
    columns = {name: [each[place] for each in lines] for place, name in enumerate(line(relation.columns, added))}
    is_duckdb = isinstance(question.connection, duckdb.DuckDBPyConnection)
    with DuckDB(question.connection if is_duckdb else None) as session:
        return session.relation_of(columns, {name: types.get(name, "VARCHAR") for name in columns})


def without_repeats(ids: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Return ids once each, without missing ones."""
    return [each for each in dict.fromkeys(ids) if None not in each]


def missing(texts: Mapping[str, Mapping[Any, str | None]]) -> str:
    """Return how many ids have no text, as a clause, from texts by id; an empty text if all have one.

    >>> missing({"query": {}, "item": {"a": "Apples", "b": None}})
    '1 of 2 items has no text'
    """
    parts = []
    for key, by_id in texts.items():
        without = sum(text is None for text in by_id.values())
        noun = key if len(by_id) == 1 else _NOUNS[key]
        parts += [f"{without:,} of {len(by_id):,} {noun} {'has' if without == 1 else 'have'} no text"] * (without > 0)
    return " and ".join(parts)


def missing_lines(texts: Mapping[str, Mapping[Any, str | None]]) -> list[str]:
    """Return a line for a command that says how many ids have no text, unless none has: this is a warning already."""
    line = missing({key: by_id for key, by_id in texts.items() if any(by_id.values())})
    return [f"texts: {line}"] if line else []


def _warn_of_none(found: Texts, ids: Ids, frames: int) -> None:
    """Warn if no id of a kind has a text: the ids may be written in another way."""
    for key, by_id in found.items():
        if ids[key] and not by_id:
            example = quote(ids[key][0][0] if len(ids[key][0]) == 1 else ids[key][0])
            text = f"texts: none of the {_NOUNS[key]} that are shown has a text, such as {example}"
            warnings.warn(text, RecallWarning, stacklevel=frames)
