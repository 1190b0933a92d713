"""Recognizes what people have in Python that is not read as it is, and writes the line that converts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from numbers import Number
from typing import Any

from recall_duckdb.errors import ArgumentTypeError, RecallError, commas, kind_of, quote, spell
from recall_duckdb.question import Question
from recall_duckdb.question.policies import is_distance
from recall_duckdb.reading.cells import are_numbers, has_lists, is_array, is_list, is_matrix, is_series, to_list
from recall_duckdb.reading.shapes import Layout, is_by_query_and_item, layout_of_qrels, layout_of_run
from recall_duckdb.reading.sources import is_columns
from recall_duckdb.reading.usual_names import IDS, USUAL_NAMES, is_usual_name, without_separators

_Error = RecallError | None


def of_question(question: Question) -> _Error:
    """Return the error that says what to pass instead of the run or the qrels of a question, or None.

    A reader or a check has refused them, so they are none of the shapes that are read.
    """
    names, is_labelled = question.names, question.qrels is None
    sides = [(question.run, layout_of_run(names, is_labelled=is_labelled))]
    run = question.run
    if isinstance(run, Mapping) and not is_columns(run, [*names.query, names.item]):  # several models
        sides += [(value, sides[0][1]) for value in run.values()]
    sides += [] if is_labelled else [(question.qrels, layout_of_qrels(names))]
    found = (recognize(value, layout) for value, layout in sides for recognize in _RECOGNIZED)
    return _labels(run, question.qrels) or next((error for error in found if error is not None), None)


# Where a response holds its hits: of Elasticsearch and OpenSearch (twice), Pinecone, Qdrant, Milvus and others.
_HITS = ("hits", "matches", "points", "results", "result", "documents")


def _hits(value: Any, layout: Layout) -> _Error:
    """Recognize lists of {id, score} by query, also below the keys of a response.

    sentence-transformers returns [[{corpus_id, score}]].
    """
    are_named = isinstance(value, Mapping)
    lists = [*value.values()] if isinstance(value, Mapping) else value
    names = {*layout.columns, *layout.taken}
    if not isinstance(lists, (list, tuple)) or not lists:
        return None
    if isinstance(value, Mapping) and any(_is_column(name, names) for name in value):
        return None
    if not are_named and isinstance(lists[0], Mapping):  # rows, with a query column or one into which a path leads
        paths = [name.partition(".")[0] for name in names if "." in name]
        if any(name in paths or _is_column(name, {*layout.query}, "query") for name in lists[0]):
            return None
    where, results = _where(lists[0]), lists
    for name in where:
        results = [each.get(name) if isinstance(each, Mapping) else None for each in results]
    are_hits = all(
        isinstance(each, (list, tuple)) and all(isinstance(hit, Mapping) for hit in each) for each in results
    )
    if not are_hits or not any(results):
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


def _where(response: object) -> list[str]:
    """Return the keys that lead from a response to its hits; none for a list of hits."""
    name = next((name for name in _HITS if name in response), None) if isinstance(response, Mapping) else None
    return [] if name is None else [name, *_where(response[name])]  # type: ignore[index]


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
    items = None
    if isinstance(value, Mapping):
        ids = value.get("ids")
        is_of_chroma = "distances" in value and is_list(ids) and has_lists(ids)
        items = "run['ids']" if is_of_chroma and layout.item not in value else None
    elif isinstance(value, (list, tuple)) and len(value) == 2 and all(map(has_lists, value)):
        are_scores = [all(isinstance(each, float) for row in lists for each in to_list(row)) for lists in value]
        # Two queries with pairs of an item and its score are alike.
        are_arrays = (isinstance(value, tuple) or all(map(is_matrix, value))) and are_scores[0] != are_scores[1]
        items = f"run[{are_scores.index(False)}]" if are_arrays and layout.labels is None else None
    if items is None or layout.side != "run":
        return None
    return ArgumentTypeError(
        "the items and scores of each query are in separate arrays",
        argument="run",
        fix=(
            f"Pass only the items, which are in rank order: {items}, or dict(zip(queries, {items})) if the qrels "
            "have ids of queries"
        ),
    )


def _nested_lists(value: Any, layout: Layout) -> _Error:
    """Recognize lists of lists by query, such as baskets, or groups of alternatives."""
    lists = value.values() if isinstance(value, Mapping) else ()
    if not lists or not all(isinstance(each, (list, tuple)) and each and all(map(is_list, each)) for each in lists):
        return None
    parts = [part for each in lists for part in each]
    if any(isinstance(part, tuple) for part in parts) or all(len(part) == 2 and are_numbers(part) for part in parts):
        return None  # pairs, which may be an item and its number
    groups = ". If each list holds alternatives, of which one is enough, map them to one id with item_map="
    return ArgumentTypeError(
        f"each query has a list of lists, such as {quote(next(iter(lists)))}",
        argument=layout.side,
        fix=(
            f"For the items of all its lists, pass {{query: [item for part in parts for item in part] for query, parts "
            f"in {layout.side}.items()}}; for those of the first, parts[0] instead of the inner list"
            f"{groups if layout.side == 'qrels' else ''}"
        ),
    )


def _tuple_keys(value: Any, layout: Layout) -> _Error:
    """Recognize keys of several parts: of a query of several columns, or of a query and an item."""
    if is_series(value):
        width = value.index.nlevels
        are_lists, pairs = has_lists(value.to_numpy()), layout.side
    elif isinstance(value, Mapping) and value and all(isinstance(key, tuple) for key in value):
        width, are_lists = len(next(iter(value))), not any(isinstance(each, Number) for each in value.values())
        pairs = f"pd.Series({layout.side})"
    else:
        return None
    keys = len(layout.query)
    if width == keys + 1 and not are_lists and not is_series(value):
        fix = f"Pass {pairs}.rename_axis({[*layout.query, layout.item]})"
        return ArgumentTypeError("its keys are pairs of a query and an item", argument=layout.side, fix=fix)
    if width <= keys or not are_lists:
        return None
    columns = [f"query_{place}" for place in range(1, width + 1)]
    argument = "qrels_query" if layout.side == "qrels" else "query"
    frame = f" and {pairs}.rename_axis({columns}).rename({layout.item!r}).reset_index()" if is_series(value) else ""
    return ArgumentTypeError(
        f"its keys have {width} parts, but the query is {commas(layout.query)} ({spell(argument)})",
        argument=layout.side,
        fix=f"Pass {spell('query', columns)}{frame}, with a name for each part",
    )


def _foreign_table(value: Any, layout: Layout) -> _Error:
    """Recognize tables of other packages, and an answer of OpenSearch that holds a document."""
    if isinstance(value, Mapping):
        line = f"{layout.side}['_source']" if isinstance(value.get("_source"), Mapping) else None
    elif getattr(getattr(value, "dtype", None), "names", None):
        line = f"pd.DataFrame({layout.side})"
    else:
        line = f"{layout.side}.to_df()" if hasattr(value, "to_df") and not hasattr(value, "fetchall") else None
    if line is None:
        return None
    return ArgumentTypeError(f"{kind_of(value)} is not read as it is", argument=layout.side, fix=f"Pass {line}")


def _labels(run: Any, qrels: Any) -> _Error:
    """Recognize a label for each row of an array of items."""
    is_flat = is_list(qrels) and len(qrels) > 0 and not has_lists(qrels) and not is_by_query_and_item(qrels)
    are_ids = is_matrix(run) or (isinstance(run, (list, tuple)) and all(map(is_list, run)))
    if not is_flat or not are_ids or len(run) != len(qrels) or isinstance(next(iter(qrels)), (tuple, Mapping)):
        return None
    line = "qrels.to_numpy().reshape(-1, 1)" if is_series(qrels) else "qrels.reshape(-1, 1)"
    line = line if is_array(qrels) else "[[item] for item in qrels]"
    return ArgumentTypeError("it holds one item for each list of the run", argument="qrels", fix=f"Pass {line}")


_RECOGNIZED = (_hits, _ranked_arrays, _foreign_table, _tuple_keys, _nested_lists)
