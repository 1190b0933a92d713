"""Recognizes what people have in Python that is not read as it is, and writes the line that converts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from numbers import Number
from typing import Any

from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentTypeError, RecallError, commas, kind_of, quote, spell
from recall_duckdb.question import Question
from recall_duckdb.question.policies import is_distance
from recall_duckdb.reading.cells import (
    are_numbers,
    form_of,
    has_lists,
    is_array,
    is_list,
    is_matrix,
    is_series,
    to_list,
)
from recall_duckdb.reading.shapes import Layout, converted, has_columns, is_by_query_and_item, layout_of, within_tools
from recall_duckdb.reading.sources import is_columns, object_in
from recall_duckdb.reading.usual_names import IDS, USUAL_NAMES, without_separators

_Error = RecallError | None


def of_question(question: Question) -> _Error:
    """Return the error that says what to pass instead of the run or the qrels of a question, or None.

    A reader or a check has refused them, so they are none of the shapes that are read.
    """
    names, is_labelled = question.names, question.qrels is None
    (run, in_run), (qrels, in_qrels) = _opened(question.run, "run"), _opened(question.qrels, "qrels")
    sides = [(run, layout_of("run", names, is_labelled=is_labelled))]
    if isinstance(run, Mapping) and not is_columns(run, [*names.query, names.item]):  # several models
        sides += [(value, sides[0][1]) for value in run.values()]
    sides += [] if is_labelled else [(qrels, layout_of("qrels", names))]
    found = (recognize(value, layout) for value, layout in sides for recognize in _RECOGNIZED)
    error = _labels(run, qrels) or next((error for error in found if error is not None), None)
    way = {"run": in_run, "qrels": in_qrels}.get(str(error and error.argument), "")
    return error and ArgumentTypeError(error.problem, argument=error.argument, fix=f"{way}{error.fix}")


def _opened(value: Any, side: str) -> tuple[Any, str]:
    """Return what a JSON file holds, and how to read it; other values are returned unchanged."""
    found = object_in(value, side, DuckDB())
    value, way = (value, "") if found is None else (found[0], f"Read it with {side} = json.load(open(path)). ")
    if isinstance(value, Mapping):
        within_tools(value, side)  # raises the error that is known already
    return value, way


# Where a response holds its hits: of Elasticsearch and OpenSearch (twice), Pinecone, Qdrant, Milvus and others.
_HITS = ("hits", "matches", "points", "results", "result", "documents")


def _hits(value: Any, layout: Layout) -> _Error:
    """Recognize hits by query, also below the keys of a response: dicts, objects, or pairs of an object and its score.

    sentence-transformers returns [[{corpus_id, score}]], LangChain [(document, score)] for a query.
    """
    is_named = isinstance(value, Mapping)
    lists = [*value.values()] if is_named else value
    if (
        not isinstance(lists, (list, tuple))
        or not lists
        or (is_named and has_columns(value, {*layout.columns, *layout.taken}))
    ):
        return None
    is_one = not is_named and not isinstance(lists[0], Mapping) and all(map(_is_hit, lists)) and not _where(lists[0])
    where = [] if is_one else _where(lists[0])
    results = [lists] if is_one else [_at(each, where) for each in lists]
    if not all(isinstance(each, (list, tuple)) and all(map(_is_hit, each)) for each in results) or not any(results):
        return None
    first = next(hit for hits in results for hit in hits)
    # Rows, also of named runs, have a query column, or one into which a path leads.
    paths = [name.partition(".")[0] for name in (*layout.columns, *layout.taken) if "." in name]
    of_rows = {*USUAL_NAMES["query"], *map(without_separators, [*layout.query, *paths])}
    if any(without_separators(code) in of_rows for row in (lists[0], first) for code in _fields(row)):
        return None
    line, order = _line(first, layout, results)
    if "[...]" in line and not isinstance(first, Mapping):  # no hits, but paths or frames
        return None
    given = f"{layout.side}.items()}}" if is_named else f"zip(queries, {layout.side})}}, with the ids of the queries"
    way = f"{{query: [{line} for hit in hits{''.join(where)}] for query, hits in {given}"
    way = f"{{query: [{line} for hit in {layout.side}]}}, with the id of the query" if is_one else way
    key = ", with the key of the id" if "[...]" in line else ""
    text = f"each query has a list of {'dicts' if isinstance(first, Mapping) else 'objects'}, such as {quote(first)}"
    return ArgumentTypeError(text, argument=layout.side, fix=f"Pass {way}{key}{order}")


def _is_hit(value: object) -> bool:
    value = value[0] if isinstance(value, tuple) and len(value) == 2 else value
    return form_of(type(value)) in ("map", "other")


def _fields(value: object) -> dict[str, Any]:
    """Return the values in a dict, an object or a pair, by the code that reads them."""
    if isinstance(value, Mapping):
        return {f"[{name!r}]": each for name, each in value.items()}
    if isinstance(value, tuple):
        return {f"[{place}]": each for place, each in enumerate(value)}
    return {f".{name}": each for name, each in getattr(value, "__dict__", {}).items() if name[:1] != "_"}


def _where(response: object) -> list[str]:
    """Return the code that reads the hits of a response, by level; none for a list of hits."""
    fields = {} if isinstance(response, (list, tuple)) else _fields(response)
    code = next((code for name in _HITS for code in fields if without_separators(code) == name), None)
    return [] if code is None else [code, *_where(fields[code])]


def _at(response: Any, where: Sequence[str]) -> Any:
    """Return what a response holds at this place; None if it lacks it."""
    for code in where:
        response = _fields(response).get(code)
    return response


def _line(hit: Any, layout: Layout, lists: Sequence[Any]) -> tuple[str, str]:
    """Return the item of a hit as Python code, or the pair of the item and its number, and how to order the numbers.

    A distance, or the number in a pair, is left out of lists in its order: the lowest or the highest may be the best.
    """
    item, is_run = _item(hit, {layout.item}), layout.side == "run"
    usual = (*USUAL_NAMES["score" if is_run else "relevance"], without_separators(layout.number or ""))
    numbers = [code for code in _fields(hit) if without_separators(code) in usual or (not is_run and code == "[1]")]
    if numbers and layout.number is not None:
        return f"(hit{item}, hit{numbers[0]})", ""
    distances = [code for code, value in _fields(hit).items()
                 if isinstance(value, Number) and (is_distance(code) or isinstance(hit, tuple))]  # fmt: skip
    found = [[_at(each, [code]) for each in hits] for hits in lists for code in distances[:1]]
    is_known = all(isinstance(each, Number) for numbers in found for each in numbers)
    are_sorted = is_known and any(
        all(each == sorted(each, reverse=is_reverse) for each in found) for is_reverse in (False, True)
    )
    if not is_known or not is_run or are_sorted:
        return f"hit{item}", ""
    order = f", with {spell('order', 'ascending')} if the lowest is the best"
    return f"(hit{item}, hit{distances[0]})", order


def _item(hit: object, names: Set[str]) -> str:
    """Return the code that reads the id of a hit: the usual name, also inside its fields, or the first id.

    It is `[...]` if no value may be an id.
    """
    fields = {code: value for code, value in _fields(hit).items() if value is not None}
    usual = [*names, *USUAL_NAMES["item"], *IDS]
    named = [code for code in fields if without_separators(code) in {*map(without_separators, usual)}]
    inner = [code for code, value in fields.items() if _is_hit(value) and _item(value, names) != "[...]"]
    ids = [code for code, value in fields.items() if isinstance(value, (str, int))]
    for code in (*named, *inner, *ids):
        return code + (_item(fields[code], names) if _is_hit(fields[code]) and fields[code] else "")
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
    text = "the items and scores of each query are in separate arrays"
    line = f"{items}, or dict(zip(queries, {items})) if the qrels have ids of queries"
    return ArgumentTypeError(text, argument="run", fix=f"Pass only the items, which are in rank order: {line}")


def _nested_lists(value: Any, layout: Layout) -> _Error:
    """Recognize lists of lists by query, such as baskets, or groups of alternatives."""
    is_named = isinstance(value, Mapping)
    lists = value.values() if is_named else value if isinstance(value, list) and layout.labels is None else ()
    kinds = (list, tuple) if is_named else list  # by position, a tuple holds the items and the relevant ones
    if not lists or not all(isinstance(each, kinds) and each and all(map(is_list, each)) for each in lists):
        return None
    parts = [part for each in lists for part in each]
    if any(isinstance(part, tuple) for part in parts) or all(
        len(part) == 2 and are_numbers(part[1:]) for part in parts
    ):
        return None  # pairs, which may be an item and its number
    flat = converted("[item for part in parts for item in part]", "parts", layout.side, is_named=is_named)
    groups = ". If each list holds alternatives, of which one is enough, map them to one id with item_map="
    text = f"each query has a list of lists, such as {quote(next(iter(lists)))}"
    fix = f"Pass {flat}, or only one of its lists{groups if layout.side == 'qrels' else ''}"
    return ArgumentTypeError(text, argument=layout.side, fix=fix)


def _tuple_keys(value: Any, layout: Layout) -> _Error:
    """Recognize keys of several parts: of a query of several columns, or of a query and an item."""
    is_of_pandas = is_series(value)
    if not is_of_pandas and not (isinstance(value, Mapping) and value and all(isinstance(key, tuple) for key in value)):
        return None
    width, keys = value.index.nlevels if is_of_pandas else len(next(iter(value))), len(layout.query)
    values = value.to_numpy() if is_of_pandas else value.values()
    has_numbers = not is_of_pandas and any(isinstance(each, Number) for each in values)
    if width == keys + 1 and has_numbers:
        line = f"pd.Series({layout.side}).rename_axis({[*layout.query, layout.item]})"
        return ArgumentTypeError("its keys are pairs of a query and an item", argument=layout.side, fix=f"Pass {line}")
    if width <= keys or has_numbers or (is_of_pandas and not has_lists(values)):
        return None
    columns = [f"query_{place}" for place in range(1, width + 1)]
    frame = f" and {layout.side}.rename_axis({columns}).rename({layout.item!r}).reset_index()" if is_of_pandas else ""
    text = f"its keys have {width} parts, but the query is {commas(layout.query)}"
    fix = f"Pass {spell('query', columns)}{frame}, with a name for each part"
    return ArgumentTypeError(text, argument=layout.side, fix=fix)


def _other_tables(value: Any, layout: Layout) -> _Error:
    line = f"{layout.side}.to_df()" if hasattr(value, "to_df") and not hasattr(value, "fetchall") else None
    if getattr(getattr(value, "dtype", None), "names", None):
        line = f"pd.DataFrame({layout.side})"
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


_RECOGNIZED = (_other_tables, _hits, _ranked_arrays, _tuple_keys, _nested_lists)
