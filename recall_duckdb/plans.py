"""Chooses among forms of a relation that give the same answer: by what is known before anything else runs.

The files in `sql/2_ranking` and `sql/3_judging` are the definition, and what every other engine runs. DuckDB can do
some of it faster: the heads of those forms say `Plan:`. What decides is the question (which metrics, how deep), the
shape of the run, and the sizes and ranges that `sql/1_inputs/limits.sql` tells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, frexp, inf, isfinite, ldexp
from typing import Any

from sqlglot import exp

from recall_duckdb.compiler import Forms, Packing, Plan, Statement, of_source
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.inputs import SourceSelect

# Of fewer rows than this, what could be saved is less than a choice costs.
_MANY_ROWS = 100_000
# How deep lists are kept, of items and of gains: deeper ones are better sorted.
_DEEPEST = 128
# A bar is worth a second look at the rows where it leaves less than this share of them; and no deeper than this, since
# the lists that it is found in are handled by the thousand.
_WORTHWHILE, _DEEPEST_BAR = 0.4, 1000
# max(number, k) keeps k numbers for each list and thread, which cannot spill: what a list takes, and each number, and
# the share of the memory limit that all may take. Measured: where the lists lie scattered, DuckDB begins them anew time
# and again, and needs six times that.
_LIST_BYTES, _NUMBER_BYTES, _SHARE = 128, 8, 1 / 8
# The same for the gains of the ideal order, which cannot go in parts: measured to the limit.
_IDEAL_SHARE = 1 / 5
# So that they take no more, queries are divided into parts, each of which is a scan of the run: so many at most.
_MOST_PARTS = 64
# What a row takes in a list of its query.
_ROW_BYTES = 32
# Two scores of a list that share a cell leave it open, to be ranked after all: so many of the lists may be expected to.
_SHARED_CELLS = 0.01


@dataclass(frozen=True)
class _Limits:
    """How many rows and lists a relation has, and the range of its items, where they are whole numbers.

    And that of its queries, where they are whole numbers of which most are there: then as many are in a part of it.
    """

    rows: int
    lists: int
    queries: tuple[int, int] | None
    items: tuple[int, int] | None
    largest: float  # of the scores, without their signs; infinite where one is no number


def choose(plan: Plan, session: Session, *, many_rows: int = _MANY_ROWS) -> Plan:
    """The same question with the forms that answer it fastest there; of fewer rows than many, as it is defined."""
    shape, depth = plan.inputs.run_shape, plan.depth
    # Where the candidates are not the run's rows as they lie, a second look at them costs more than a scan.
    is_plain = plan.called("candidates") == "run" and shape in ("scores", "ranks") and plan.variant("run") == shape
    if not (isinstance(session, DuckDB) and is_plain):
        return plan
    run = _limits(plan, session, "run_source")
    if run is None or run.rows < many_rows:
        return plan
    qrels = _limits(plan, session, "qrels_source") if plan.variant("qrels") == "rows" else None
    room = _SHARE * session.resources[0]
    ideal_room = _IDEAL_SHARE * session.resources[0]
    apart = qrels is not None and _can_part(plan) and _kept(qrels, plan.ideal_depth or 0, session) <= ideal_room
    # Of few judgements a list for each query is no faster than a group for each item.
    many = qrels is not None and qrels.items is not None and qrels.rows == run.rows
    listed = many and run.rows * _ROW_BYTES <= room
    packing, barred = None, False
    if depth is not None:
        parts = max(1, ceil(_kept(run, depth, session) / room))
        packing = _packing(plan, run, depth, parts) if apart else None
        few = run.lists * depth < _WORTHWHILE * run.rows and depth <= _DEEPEST_BAR
        barred = packing is None and shape == "scores" and parts == 1 and few
    return replace(plan, forms=Forms(apart, packing, barred, listed))


def prepared(plan: Plan, session: Session) -> exp.Table | None:
    """The relation tops as a temporary table, computed part by part, where lists are packed."""
    packing = plan.forms.packing
    if packing is None or not isinstance(session, DuckDB):
        return None
    parts = (replace(plan, forms=replace(plan.forms, packing=replace(packing, part=n))) for n in range(packing.parts))
    tops = session.store(Statement(next(parts)).of_table("tops"))
    with session.undoing(tops):
        for part in parts:
            session.append(tops, Statement(part).of_table("tops"))
    return tops


def _can_part(plan: Plan) -> bool:
    """Whether no metric looks at a rank and an ideal rank in one row, or far down the ideal order.

    A metric of a user's own may, whatever its head says of ties.
    """
    linear = all(metric.is_of_ours and metric.template.is_plain and metric.has_expectation for metric in plan.metrics)
    return linear and plan.policies.ties != "expected" and plan.ideal_depth is not None and plan.ideal_depth <= _DEEPEST


def _packing(plan: Plan, limits: _Limits, depth: int, parts: int) -> Packing | None:
    """How scores, or ranks, and items go into one number each, or None where they do not."""
    policies = plan.policies
    by_score_alone = policies.ties in ("item_desc", "item") and policies.nulls != "last" and policies.min_score is None
    if not by_score_alone or depth > _DEEPEST or parts > (_MOST_PARTS if len(plan.inputs.query) == 1 else 1):
        return None
    if limits.items is None or not isfinite(limits.largest):
        return None
    low, high = limits.items
    largest = depth + 1.0 if plan.inputs.run_shape == "ranks" else limits.largest
    codes = (high - low).bit_length()
    cells = 62 - codes  # bits of a cell, beside its sign
    if (
        not -(2**62) < low <= high < 2**62
        or codes > 31
        or limits.rows / limits.lists * depth > _SHARED_CELLS * 2**cells
    ):
        return None
    # Scores are below 2^exponent, and what they are rounded to under trec_eval_9 is not above. A scale below 1 could
    # make 0 of a score that is not, and one far above 1 an infinity of the scale itself.
    scale = cells - 1 - frexp(largest)[1]
    return Packing(low, high, 2**codes, ldexp(1.0, scale), parts, queries=limits.queries) if 0 <= scale < 1000 else None


def _kept(limits: _Limits, depth: int, session: DuckDB) -> int:
    """The bytes that max(number, k) keeps, for lists of this depth and one more."""
    return limits.lists * (_LIST_BYTES + _NUMBER_BYTES * (depth + 1)) * session.resources[1]


def _limits(plan: Plan, session: DuckDB, relation: str) -> _Limits | None:
    """The limits of run or qrels; None where there is nothing in it, or text would have to be read whole for them."""
    selects = plan.inputs.selects[plan.called(relation)]
    if not all(_is_at_hand(select.relation) for select in selects):
        return None
    found = [_row(session, "limits", select) for select in selects]
    if any(each["row_count"] == 0 or each["score_low"] is None for each in found):
        return None
    by_query = len(plan.inputs.query) == 1 and (plan.inputs.models is not None or relation == "qrels_source")
    lists, queries = 0, None
    for each, select in zip(found, selects, strict=True):
        numbered = by_query and each["query_low"] is not None and each["query_high"] is not None
        span = each["query_high"] - each["query_low"] + 1 if numbered else each["row_count"]
        if by_query and not numbered:
            span = _row(session, "list_count", select)["lists"]
        lists += max(1, min(span, each["row_count"]))
        if numbered and len(found) == 1 and span <= each["row_count"]:
            queries = each["query_low"], each["query_high"]
    items = [each[name] for each in found for name in ("item_low", "item_high")]
    scores = [each[name] for each in found for name in ("score_low", "score_high")]
    rows = sum(each["row_count"] for each in found)
    largest = max(map(abs, scores)) if all(map(isfinite, scores)) else inf
    return _Limits(rows, lists, queries, None if None in items else (min(items), max(items)), largest)


def _is_at_hand(relation: exp.Expr) -> bool:
    """Whether a relation is a table, view, frame or parquet file, and not text that would have to be read whole."""
    return isinstance(relation, exp.Table) or relation.sql("duckdb").startswith("READ_PARQUET(")


def _row(session: DuckDB, name: str, select: SourceSelect) -> dict[str, Any]:
    return session.dicts(of_source(name, select))[0]
