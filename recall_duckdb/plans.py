"""Chooses among forms of a relation that give the same answer: by what is known before anything runs.

The files in `sql/2_ranking` and `sql/3_judging` are the definition, and what every other engine runs. DuckDB can do
some of it faster: the heads of those forms say `Plan:`. What decides is the question (which metrics, how deep), the
shape of the run, and its size and range, which parquet files and tables tell without being read.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, frexp, ldexp
from typing import Any

from sqlglot import exp

from recall_duckdb.compiler import Forms, Packing, Plan, Statement, of_source
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.inputs import SourceSelect

# Of fewer rows than this a choice is not worth the statement that it takes.
_MANY_ROWS = 100_000
# max(number, k) keeps k numbers for each list and thread, which cannot spill: what a list takes beside its numbers, and
# the share of the memory limit that all may take. Measured: where the lists lie scattered, DuckDB begins them anew time
# and again, and needs eight times that.
_LIST_BYTES, _NUMBER_BYTES = 128, 8
_SHARE = 0.125
# What a row takes in a list of its query.
_LISTED_BYTES = 32
# So that they take no more, queries are divided into parts, each of which is a scan of the run: so many at most.
_MOST_PARTS = 64
# A bar is worth a second look at the rows where it leaves less than this share of them.
_WORTHWHILE = 0.4
# Down to here, looking through a list for each of its items takes less than sorting it.
_SHALLOW = 128
# DuckDB's max(number, k) refuses a k from here on.
_LARGEST_K = 1_000_000
# Two scores of a list that share a cell leave it open, to be ranked after all: so many of the lists may be expected to.
_SHARED_CELLS = 0.01


@dataclass(frozen=True)
class _Limits:
    """How many rows and lists a run has, and the range of its items and scores.

    And that of its queries, where they are whole numbers of which most are there: then as many are in a part of it.
    """

    rows: int
    lists: int
    queries: tuple[int, int] | None
    items: tuple[Any, Any]
    scores: tuple[Any, Any]


def choose(plan: Plan, session: Session, *, many_rows: int = _MANY_ROWS) -> Plan:
    """The same question with the forms that answer it fastest there; of fewer rows than many, as it is defined."""
    if not isinstance(session, DuckDB):
        return plan
    ties: str = plan.policies.ties
    apart = ties != "expected" and all(metric.template.is_plain and metric.has_expectation for metric in plan.metrics)
    depth = plan.depth
    limits = _limits(plan, session) if _is_plain(plan) and depth is not None and depth + 1 < _LARGEST_K else None
    if depth is None or limits is None or limits.rows < many_rows:
        return replace(plan, forms=Forms(apart=apart))
    parts = _parts(limits, depth, session)
    packing = _packing(plan, limits, depth, parts) if apart and _can_pack(plan, parts) else None
    barred = (
        packing is None
        and parts == 1
        and plan.inputs.run_shape == "scores"
        and limits.lists * depth < _WORTHWHILE * limits.rows
    )
    return replace(plan, forms=Forms(apart, packing, barred, _can_list(plan, session)))


def prepared(plan: Plan, session: Session) -> dict[str, exp.Table]:
    """The relations of a plan that are computed first, part by part, as temporary tables by their names."""
    packing = plan.forms.packing
    if packing is None or not isinstance(session, DuckDB):
        return {}
    parts = (replace(plan, forms=replace(plan.forms, packing=replace(packing, part=n))) for n in range(packing.parts))
    tops = session.store(Statement(next(parts)).of_table("tops"))
    try:
        for part in parts:
            session.append(tops, Statement(part).of_table("tops"))
    except BaseException:
        session.drop(tops)
        raise
    return {"tops": tops}


def _is_plain(plan: Plan) -> bool:
    """Whether the candidates are the run's rows, as they lie, so that looking at them twice costs two scans."""
    shape = plan.inputs.run_shape
    return plan.called("candidates") == "run" and shape in ("scores", "ranks") and plan.variant("run") == shape


def _can_pack(plan: Plan, parts: int) -> bool:
    """Whether every candidate is recommended and has a score, and its place is by score and item alone."""
    policies = plan.policies
    if parts > (_MOST_PARTS if len(plan.inputs.query) == 1 else 1):
        return False
    return policies.ties in ("item_desc", "item") and policies.nulls != "last" and policies.min_score is None


def _packing(plan: Plan, limits: _Limits, depth: int, parts: int) -> Packing | None:
    """How scores, or ranks, and items go into one number each, or None where they do not."""
    low, high = limits.items
    if not (type(low) is type(high) is int and -(2**62) < low <= high < 2**62):
        return None
    largest = depth + 1.0 if plan.inputs.run_shape == "ranks" else max(map(abs, map(float, limits.scores)))
    # Under trec_eval_9 a score above this is infinite, and one below may be rounded up to the next power of two.
    if not largest < 3e38:
        return None
    codes = (high - low).bit_length()
    cells = 62 - codes  # bits of a cell, beside its sign
    if codes > 31 or limits.rows / limits.lists * depth > _SHARED_CELLS * 2.0**cells:
        return None
    scale = cells - 1 - frexp(largest)[1]  # below 2^exponent, and what it is rounded to not above
    if not -1000 < scale < 1000:
        return None
    return Packing(low, high, 2**codes, ldexp(1.0, scale), depth <= _SHALLOW, parts, queries=limits.queries)


def _can_list(plan: Plan, session: DuckDB) -> bool:
    """Whether the judgements are of whole numbers, and so few that lists of them are a small part of the memory."""
    selects = plan.inputs.selects[plan.called("qrels_source")]
    if plan.variant("qrels") != "rows" or not all(_has_statistics(select.relation) for select in selects):
        return False
    found = [_row(session, "limits", select) for select in selects]
    few = sum(each["row_count"] for each in found) * _LISTED_BYTES <= _SHARE * session.resources[0]
    return few and all(type(each["item_low"]) is int for each in found)


def _parts(limits: _Limits, depth: int, session: DuckDB) -> int:
    """Into how many parts the queries go, so that what max(number, k) keeps of each is a small part of the memory."""
    memory, threads = session.resources
    needed = limits.lists * (_LIST_BYTES + _NUMBER_BYTES * (depth + 1)) * threads
    return max(1, ceil(needed / (_SHARE * memory)))


def _limits(plan: Plan, session: DuckDB) -> _Limits | None:
    """What the statistics of the run's files or tables tell; None where they would have to be read for it."""
    selects = plan.inputs.selects[plan.called("run_source")]
    if not all(_has_statistics(select.relation) for select in selects):
        return None
    found = [_row(session, "limits", select) for select in selects]
    rows = sum(each["row_count"] for each in found)
    if any(each["item_low"] is None or each["score_low"] is None for each in found):
        return None
    lists, queries = 0, None
    for each, select in zip(found, selects, strict=True):
        one_key = plan.inputs.models is not None and len(plan.inputs.query) == 1
        numbered = type(each["query_low"]) is int
        span = each["query_high"] - each["query_low"] + 1 if numbered else each["row_count"]
        if one_key and not numbered:
            span = _row(session, "list_count", select)["lists"]
        lists += min(span, each["row_count"]) if one_key else each["row_count"]
        if one_key and numbered and len(found) == 1 and span <= each["row_count"]:
            queries = each["query_low"], each["query_high"]
    items = [each[name] for each in found for name in ("item_low", "item_high")]
    scores = [each[name] for each in found for name in ("score_low", "score_high")]
    return _Limits(rows, lists, queries, (min(items), max(items)), (min(scores), max(scores)))


def _has_statistics(relation: exp.Expr) -> bool:
    """Whether a relation is a table or parquet file, and not text that would have to be read whole."""
    return isinstance(relation, exp.Table) or relation.sql("duckdb").startswith("READ_PARQUET(")


def _row(session: DuckDB, name: str, select: SourceSelect) -> dict[str, Any]:
    return session.dicts(of_source(name, select))[0]
