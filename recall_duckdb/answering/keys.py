"""Chooses how the list form finds the top of each list: the one choice that depends on the size of the data.

`max(row(score, item), k)` is right for ids of any type. For large runs of whole-number ids, one number holds both. For
other large runs, the score cutoff of each list leaves out most rows first. Lists that do not fit in memory are left to
rows, which DuckDB can write to the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, frexp, inf, isfinite, ldexp, log2
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.compose.kept import reads_parquet
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB
from recall_duckdb.reading import SourceSelect

SHARE = 1 / 8  # of the memory limit, for lists
# `max(value, k)` reserves k values in each of thousands of lists. Deeper tops, and ideal orders, are sorted as a whole.
DEEPEST, DEEPEST_IDEAL = 1000, 128
MOST_SURVIVORS = 0.4  # the largest share of rows that may reach the score cutoff
_MANY_ROWS = 100_000  # with fewer, another key saves nothing
_LIST_BYTES, _NUMBER_BYTES, ROW_BYTES = 128, 8, 40
_ITEM_BITS = 31  # the most bits that an item may take in a number
_TOP, _SHORT_LIST = 128, 110  # the most numbers to keep of a list; also of whole lists that have about as many rows
_ROWS_PER_LIST = 50  # if the range of the queries leaves as many rows to each, they need not be counted
_OPEN = 0.05  # the most lists to expect whose scores the numbers do not tell apart


# A key is what replaces relations and parameters of the list form.
ROW = Replacements()  # row(score, item)
WHOLE = Replacements(parameters={"top": None})  # the same for a cutoff below most lists: these are sorted whole
CUTOFF = Replacements(reads={("retrieved", "candidates"): "top_candidates"})


@dataclass(frozen=True)
class Size:
    """The size and the ranges of a run."""

    rows: int  # the number of rows
    lists: int  # about how many lists they make
    items: tuple[int, int] | None  # the range of the items; None unless they are whole numbers
    largest: float  # the largest absolute score or rank, infinite if one is


def choose(plan: Plan, session: DuckDB) -> list[Replacements]:
    """Return the keys to try, the fastest first; none if the lists do not fit in memory."""
    if not _judgements_fit(plan, session):
        return []
    size = size_of(plan, session)
    if size is None:
        return [ROW] if _text_bytes(plan) <= SHARE * session.resources[0] / 2 else []
    length = ceil(size.rows / size.lists)
    depth = length if plan.depth is None else min(plan.depth, length)
    found = _numbers(plan, session, size, depth) if fit(size.lists, depth, _NUMBER_BYTES, session) else []
    if fit(size.lists, depth, ROW_BYTES, session):
        reads_once = plan.policies.duplicates == "best"  # a cutoff would group the run by item twice
        is_beyond = plan.depth is not None and plan.depth > length
        of_rows = WHOLE if is_beyond else ROW
        found.append(CUTOFF if not reads_once and has_cutoff(size, plan.depth, session) else of_rows)
    return found


def _judgements_fit(plan: Plan, session: DuckDB) -> bool:
    """Return True if the lists of judged items fit in memory; text would have to be read whole, and is not counted."""
    most = int(SHARE * session.resources[0] / ROW_BYTES)
    selects = filter(_is_quick_to_read, plan.inputs.selects[plan.resolve("qrels_source")])
    return sum(session.count_rows(each.relation, most + 1) for each in selects) <= most


def within(depth: int | None, most: int) -> int | None:
    """Return a depth for `max(value, depth)`, which reserves as many values; None if that is too many."""
    return None if depth is None or depth > most else depth


def fit(lists: int, depth: int, width: int, session: DuckDB) -> bool:
    """Return True if the tops of this many lists fit in memory on each thread, with this many bytes for each item."""
    memory, threads = session.resources
    return lists * (_LIST_BYTES + width * (depth + 1)) * threads <= SHARE * memory


def has_cutoff(size: Size, depth: int | None, session: DuckDB) -> bool:
    """Return True if the score cutoffs of lists leave few of many rows, and fit in memory."""
    if depth is None or depth > DEEPEST or size.rows < _MANY_ROWS:
        return False
    return size.lists * depth < MOST_SURVIVORS * size.rows and fit(size.lists, depth, _NUMBER_BYTES, session)


def _selects(plan: Plan) -> list[SourceSelect]:
    return plan.inputs.selects[plan.resolve("run_source")]


def _text_bytes(plan: Plan) -> float:
    """Return the bytes of the files of a question; infinity if they are not known, or compressed."""
    paths = [Path(path) for files in plan.inputs.watched for path in files.states]
    if any(path.suffix in (".gz", ".zst") or not path.is_file() for path in paths):
        return inf
    return sum(path.stat().st_size for path in paths)


def size_of(plan: Plan, session: DuckDB) -> Size | None:
    """Return the size of a run; None for text, which would have to be read whole."""
    selects = _selects(plan)
    if plan.inputs.run_shape not in ("scores", "ranks") or not all(map(_is_quick_to_read, selects)):
        return None
    rows = lists = 0
    items: list[Any] = []
    scores: list[float] = []
    for select in selects:
        found, copies = _look(session, "limits", select), max(1, len(select.stacked))
        low, high = found["query_low"], found["query_high"]
        by_query = len(plan.inputs.query) == 1 and plan.inputs.models is not None
        queries = high - low + 1 if by_query and low is not None else inf
        if queries * _ROWS_PER_LIST > found["row_count"]:
            queries = _look(session, "list_count", select)["lists"]
        rows += found["row_count"] * copies
        lists += min(queries, found["row_count"]) * copies
        items += [found["item_low"], found["item_high"]]
        scores += [found["score_low"], found["score_high"]]
    if not rows or None in scores:
        return None
    largest = max(map(abs, scores)) if all(map(isfinite, scores)) else inf
    return Size(rows, max(1, lists), None if None in items else (min(items), max(items)), largest)


def _is_quick_to_read(select: SourceSelect) -> bool:
    """Return True for a table, view, frame or parquet file; False for text, whose ids have no range."""
    relation = (select.stacked or [select])[0].relation
    return reads_parquet(relation) or (isinstance(relation, exp.Table) and trees.mark_of(relation, "files") is None)


def _numbers(plan: Plan, session: DuckDB, size: Size, depth: int) -> list[Replacements]:
    """Return the keys that pack a score, or rank, and an item in one number; none if it cannot hold both."""
    is_usual = plan.inputs.score_type is None and plan.policies.min_score is None
    if size.rows < _MANY_ROWS or size.items is None or not is_usual or not isfinite(size.largest):
        return []
    low, high = size.items
    bits = (high - low).bit_length()
    cells = 62 - bits  # the bits of a cell without its sign
    needed = ceil(log2(size.rows * depth / _OPEN))
    scale = cells - 1 - frexp(size.largest)[1]
    if not (bits <= _ITEM_BITS and -(2**62) < low <= high < 2**62 and needed <= cells and 0 <= scale < 1000):
        return []
    parameters: dict[str, Value] = {
        "item_low": low, "item_high": high, "item_codes": 2**bits, "score_scale": ldexp(1.0, scale),
    }  # fmt: skip
    selects = _selects(plan) if plan.inputs.run_shape == "scores" else []  # a cell holds a rank exactly
    if any(_look(session, "equal_scores", select, parameters)["equal_scores"] for select in selects):
        return []
    of_whole_lists = [_TOP, None] if depth <= _SHORT_LIST else [None]
    tops = [plan.depth] if within(plan.depth, _TOP) else of_whole_lists
    return [
        Replacements({"retrieved": "numbers"}, parameters={**parameters, "by_number": True, "top": top}) for top in tops
    ]


def _look(
    session: DuckDB, name: str, select: SourceSelect, parameters: Mapping[str, Value] | None = None
) -> dict[str, Any]:
    """Return the row of a file of `sql/lists` that looks at a relation of the user."""
    wanted = templates.relations()[name][""].columns
    first = (select.stacked or [select])[0]
    columns = {column.name.removesuffix("_1"): column for column in (*first.names, *first.numbers)}
    columns["score"] = columns.get("score") or columns["rank"]
    read = [exp.alias_(each.expression.copy(), name) for name, each in columns.items() if name in wanted]
    if "list_key" in wanted:
        of_list = (each.expression.copy() for each in first.names if each.name != "item")
        read.append(exp.alias_(exp.func("hash", *of_list), "list_key"))
    tree = templates.relations()[name][""].tree()
    trees.bind(tree, parameters or {})
    for table in trees.find(tree, exp.Table):
        table.replace(exp.Select(expressions=read).from_(trees.of_user(first.relation)).subquery("source"))
    [row] = session.dicts(tree)
    return row
