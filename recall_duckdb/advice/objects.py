"""Recognizes what people have in Python that is not read as it is, and writes the line that converts it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from numbers import Number
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, RecallError, quote, spell
from recall_duckdb.question import Question
from recall_duckdb.question.policies import is_distance
from recall_duckdb.reading.cells import has_lists, is_list, is_matrix, to_list
from recall_duckdb.reading.shapes import layout_of_qrels, layout_of_run
from recall_duckdb.reading.shapes.base import Layout
from recall_duckdb.reading.sources import is_columns
from recall_duckdb.reading.usual_names import IDS, USUAL_NAMES, is_usual_name, without_separators

_Error = RecallError | None


def of_question(question: Question) -> _Error:
    """Return the error that says what to pass instead of the run or the qrels of a question, or None."""
    names, is_labelled = question.names, question.qrels is None
    sides = [(question.run, layout_of_run(names, is_labelled=is_labelled))]
    run = question.run
    if isinstance(run, Mapping) and not is_columns(run, [*names.query, names.item]):  # several models
        sides += [(value, sides[0][1]) for value in run.values()]
    sides += [] if is_labelled else [(question.qrels, layout_of_qrels(names))]
    return next((error for side in sides if (error := instead(*side)) is not None), None)


def instead(value: object, layout: Layout) -> _Error:
    """Return the error that says what to pass instead of a value; None for a value that nothing here knows.

    A reader or a check has refused the value, so it is none of the shapes that are read.
    """
    found = (recognize(value, layout) for recognize in _RECOGNIZED)
    return next((error for error in found if error is not None), None)


# Where a response holds its hits: of Elasticsearch and OpenSearch (twice), Pinecone, Qdrant, Milvus and others.
_HITS = ("hits", "matches", "points", "results", "result", "documents")


def _hits(value: Any, layout: Layout) -> _Error:
    """Recognize lists of {id, score} by query, also below the keys of a response.

    sentence-transformers returns [[{corpus_id, score}]].
    """
    are_named = isinstance(value, Mapping)
    lists = [*value.values()] if isinstance(value, Mapping) else value
    if not isinstance(lists, (list, tuple)):
        return None
    if not are_named and lists and isinstance(lists[0], Mapping) and _are_rows(lists[0], layout):
        return None
    where = _where(lists[0]) if lists else []
    results = [_inner(each, where) for each in lists]
    if not all(map(_are_hits, results)) or not any(results):
        return None
    if isinstance(value, Mapping) and any(_is_column(name, {*layout.columns, *layout.taken}) for name in value):
        return None
    first = next(hit for hits in results for hit in hits)
    if any(_is_column(name, set(layout.query), "query") for name in first):  # rows of named runs
        return None
    line, order = _line(first, layout, results)
    each = f"{layout.side}.items()" if are_named else f"zip(queries, {layout.side})"
    path = "".join(f"[{name!r}]" for name in where)
    pass_it = "Pass" if are_named else "With the ids of the queries in the list queries, pass"
    return ArgumentTypeError(
        f"each query has a list of dicts, such as {quote(first)}",
        argument=layout.side,
        fix=f"{pass_it} {{query: [{line} for hit in hits{path}] for query, hits in {each}}}"
        + (", with the key of the id" if "[...]" in line else "")
        + order,
    )


def _are_rows(record: Mapping[Any, Any], layout: Layout) -> bool:
    """Return True if a record is a row of a relation: it has a query column, or a column into which a path leads."""
    paths = [name.partition(".")[0] for name in {*layout.columns, *layout.taken} if "." in name]
    return any(name in record for name in paths) or any(_is_column(name, {*layout.query}, "query") for name in record)


def _where(response: object) -> list[str]:
    """Return the keys that lead from a response to its hits; none for a list of hits."""
    name = next((name for name in _HITS if name in response), None) if isinstance(response, Mapping) else None
    return [] if name is None else [name, *_where(response[name])]  # type: ignore[index]


def _inner(response: Any, where: Sequence[str]) -> Any:
    """Return what is at these keys; None if there is nothing."""
    for name in where:
        response = response.get(name) if isinstance(response, Mapping) else None
    return response


def _are_hits(value: object) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(hit, Mapping) for hit in value)


def _is_column(name: object, names: set[str], argument: str | None = None) -> bool:
    """Return True if a name is one of these, or is common for a column, or for that of one argument."""
    if not isinstance(name, str):
        return False
    is_usual = is_usual_name(name) if argument is None else without_separators(name) in USUAL_NAMES[argument]
    return name in names or is_usual


def _line(hit: Mapping[Any, Any], layout: Layout, lists: Sequence[Any]) -> tuple[str, str]:
    """Return the item of a hit as Python code, or the pair of the item and its number, and how to order the numbers.

    A number called distance is left out of lists in its order: some databases give similarities this name.
    """
    item = _item(hit, {layout.item})
    argument = "score" if layout.side == "run" else "relevance"
    usual = USUAL_NAMES[argument]
    numbers = [name for name in hit if name == layout.number or without_separators(str(name)) in usual]
    if numbers and layout.number is not None:
        return f"(hit{item}, hit[{numbers[0]!r}])", ""
    distance = next((name for name, value in hit.items() if is_distance(str(name)) and isinstance(value, Number)), None)
    found = [[each.get(distance) for each in hits] for hits in lists if hits]
    is_known = distance is not None and all(isinstance(each, Number) for distances in found for each in distances)
    if (
        not is_known
        or layout.side != "run"
        or any(all(each == sorted(each, reverse=is_reverse) for each in found) for is_reverse in (False, True))
    ):
        return f"hit{item}", ""
    order = f", with {spell('order', 'ascending')} if the lowest is the best"
    return f"(hit{item}, hit[{distance!r}])", order


def _item(hit: Mapping[Any, Any], names: Set[str]) -> str:
    """Return the keys of the id in a hit as Python code: the usual name, also in an inner dict, or the first id.

    It is `[...]` if no value may be an id.
    """
    usual = [name for name in hit if name in names or without_separators(str(name)) in (*USUAL_NAMES["item"], *IDS)]
    ids = [name for name, value in hit.items() if isinstance(value, (str, int))]
    for name in (*usual, *ids):
        value = hit[name]
        inner = _item(value, names) if isinstance(value, Mapping) and value else ""
        return f"[{name!r}]{inner}"
    return "[...]"


def _ranked_arrays(value: Any, layout: Layout) -> _Error:
    """Recognize the scores and the items of each query in two arrays, of FAISS or in a dict of Chroma."""
    if layout.side != "run":
        return None
    if isinstance(value, Mapping):
        ids = value.get("ids")
        is_of_chroma = "distances" in value and is_list(ids) and has_lists(ids)
        items = "run['ids']" if is_of_chroma and layout.item not in value else None
    else:
        items = _items_of_pair(value) if layout.labels is None else None
    if items is None:
        return None
    return ArgumentTypeError(
        "the items and scores of each query are in separate arrays",
        argument="run",
        fix=(
            f"Pass only the items, which are in rank order: {items}, or dict(zip(queries, {items})) if the qrels "
            "have ids of queries"
        ),
    )


def _items_of_pair(value: object) -> str | None:
    """Return which of two arrays holds the items as Python code; None if these are not two such arrays."""
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        return None
    if not all(map(is_matrix, value)) and not (isinstance(value, tuple) and all(map(has_lists, value))):
        return None
    are_scores = [all(isinstance(each, float) for row in lists for each in to_list(row)) for lists in value]
    if are_scores[0] == are_scores[1]:  # such as two queries with pairs of an item and its score
        return None
    return f"run[{are_scores.index(False)}]"


_RECOGNIZED: tuple[Callable[[Any, Layout], _Error], ...] = (_hits, _ranked_arrays)
