"""Chooses among forms of a relation that give the same answer: by what is known before anything else runs.

The files in `sql/2_ranking` and `sql/3_judging` are the definition, and what every other engine runs. DuckDB can do
some of it faster: the heads of those forms say `Plan:`. What decides is the question (which metrics, how deep), the
shape of the run, and the sizes and ranges that `sql/duckdb/limits.sql` tells.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from math import ceil, frexp, inf, isfinite, ldexp
from typing import Any

from sqlglot import exp

from recall_duckdb import trees
from recall_duckdb.compiler import Plan, Statement, of_source, stacked
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.forms import Forms, Packing, Part
from recall_duckdb.inputs import SourceSelect
from recall_duckdb.stages import each_part, stage

# Of fewer rows than this, what could be saved is less than a choice costs.
_MANY_ROWS = 100_000
# How deep lists are kept, of items and of gains: deeper ones are better sorted. So all of a list is kept where lists
# have no more candidates than this on average; a longer one is ranked after all.
_DEEPEST, _SHORT = 128, 110
# A bar is worth a second look at the rows where it leaves less than this share of them, and is better than lists of
# hashes where it leaves fewer yet; and no deeper than this, since the lists that it is found in are handled by the
# thousand.
_WORTHWHILE, _BETTER_BARRED, _DEEPEST_BAR = 0.4, 0.15, 1000
# max(number, k) keeps k numbers for each list and thread, which cannot spill: what a list takes, and each number, and
# the share of the memory limit that all may take. Measured: where the lists lie scattered, DuckDB begins them anew time
# and again, and needs six times that.
_LIST_BYTES, _NUMBER_BYTES, _SHARE = 128, 8, 1 / 8
# The same for the gains of the ideal order, which cannot go in parts: measured to the limit.
_IDEAL_SHARE = 1 / 4
# What is stored of a list takes a share too, while other statements run: a code for each item, or a number with which
# judgements are joined, and what such a join takes for each of them. Measured: at a quarter it fails.
_ITEM_BYTES, _JOINED_BYTES, _STORED_SHARE = 4, 100, 1 / 5
# So that they take no more, queries are divided into parts, each of which is a scan of the run: so many at most, and
# where the other way is not so slow, or the scan not so fast, fewer.
_MOST_PARTS, _FEW_PARTS = 64, 8
# What a gain takes in a list of its query.
_GAIN_BYTES = 32
# A list of judgements is looked through where it is less than so much longer than the average, and shorter than this:
# where one is not, all are grouped by items after all.
_LONGER, _TOO_MANY = 1.5, 2000
# Two scores of a list that share a cell leave it open, to be ranked after all: so many of the lists may be expected to.
_SHARED_CELLS = 0.01
# Where items go by their hash, equal scores leave a list open too: so many pairs of them may be expected in each, as a
# sample of the scores tells.
_EQUAL_SCORES = 0.1
# Read more score columns of one relation than this in one scan. DuckDB looks up all columns for each scan, which takes
# 0.5 s for 50 score columns of a data frame; one scan that makes rows of 5 million scores takes 0.1 s longer than 25.
_MANY_SCORES = 20
# How many bits of a number an item takes at most, or its hash.
_MOST_CODES = 31


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
    are_lists_counted: bool  # or as many as rows, which is the most that there can be


def choose(plan: Plan, session: Session, *, many_rows: int = _MANY_ROWS, equal_scores: float = _EQUAL_SCORES) -> Plan:
    """The same question with the forms that answer it fastest there; of fewer rows than many, as it is defined.

    Lists are not packed by hashes where so many pairs of equal scores are to be expected in each.
    """
    plan = with_stacked_scores(plan, session)
    shape, depth = plan.inputs.run_shape, plan.depth
    # Where the candidates are not the run's rows as they lie, a second look at them costs more than a scan.
    is_plain = plan.called("candidates") == "run" and shape in ("scores", "ranks") and plan.variant("run") == shape
    if not (isinstance(session, DuckDB) and is_plain):
        return plan
    stage("choosing a plan")
    run = _limits(plan, session, "run_source")
    if run is None or run.rows < many_rows:
        return plan
    qrels = _limits(plan, session, "qrels_source") if plan.variant("qrels") == "rows" else None
    memory = session.resources[0]
    apart = qrels is not None and _can_part(plan) and _ideal_kept(plan, qrels, session) <= _IDEAL_SHARE * memory
    share = run.lists * depth / run.rows if depth is not None and depth <= _DEEPEST_BAR else inf
    packing = _packing(plan, session, run, qrels, share, equal_scores) if qrels and apart else None
    bars = shape == "scores" and share < _WORTHWHILE and _kept(run, depth or 0, session) <= _SHARE * memory
    barred = packing is None and bars
    listed, too_many = _listed(plan, session, run, qrels) if qrels else ((), 0)
    return replace(plan, forms=Forms(apart, packing, barred, listed, too_many))


def with_stacked_scores(plan: Plan, session: Session) -> Plan:
    """Return the same question; DuckDB reads many score columns of one relation in one scan."""
    relation = plan.called("run_source")
    if not isinstance(session, DuckDB):
        return plan
    groups = [
        list(group) for _, group in groupby(plan.inputs.selects[relation], key=lambda select: id(select.relation))
    ]
    if max(map(len, groups)) <= _MANY_SCORES:
        return plan
    selects = [select for group in groups for select in ([stacked(group)] if len(group) > _MANY_SCORES else group)]
    return replace(plan, inputs=replace(plan.inputs, selects={**plan.inputs.selects, relation: selects}))


def _listed(plan: Plan, session: DuckDB, run: _Limits, qrels: _Limits) -> tuple[tuple[Part, ...], int]:
    """The parts in which judgements are looked through in lists, none: not at all; and how many are too many for that.

    Of few judgements a list for each query is no faster than a group for each item.
    """
    too_many = ceil(_LONGER * qrels.rows / qrels.lists) + 1
    if not _are_small(qrels.items) or qrels.rows < run.rows or too_many > _TOO_MANY or not qrels.are_lists_counted:
        return (), 0
    shares = _kept(qrels, too_many, session) / (_SHARE * session.resources[0])
    return _parts(plan, qrels, shares, most=_FEW_PARTS), too_many


def prepared(plan: Plan, session: Session) -> tuple[Plan, exp.Table | None]:
    """The relation tops as a temporary table, computed part by part, where lists are packed.

    And the plan, which knows then whether any list is open, or shorter than what is kept, or missing. Where ranks are
    given, an open list is at fault: it holds an item twice, or its ranks are not 1, 2, 3, …; then the plan is the one
    by definition, which tells.
    """
    packing = plan.forms.packing
    if packing is None or not isinstance(session, DuckDB):
        return plan, None
    statements = (Statement(plan.of_part(part)).of_table("tops") for part in each_part("ranking", packing.parts))
    tops = session.store(next(statements))
    for statement in statements:
        session.append(tops, statement)
    kept = (
        exp.Max(this=trees.column("is_open")),
        exp.Min(this=trees.column("candidates")),
        exp.Count(this=exp.Star()),
    )
    [(is_open, shortest, lists)] = session.rows(exp.select(*kept).from_(tops.copy()))
    if is_open == 1 and plan.inputs.run_shape == "ranks":
        session.drop(tops)
        return plan.by_definition(), None
    any_short = packing.most_lists is None or lists < packing.most_lists or shortest < packing.top
    known = replace(packing, any_open=is_open == 1, any_short=any_short)
    return replace(plan, forms=replace(plan.forms, packing=known)), tops


def _can_part(plan: Plan) -> bool:
    """Whether no metric looks at a rank and an ideal rank in one row, or far down the ideal order, but not all the way.

    A metric of a user's own may, whatever its head says of ties.
    """
    linear = all(metric.is_of_ours and metric.template.is_plain and metric.has_expectation for metric in plan.metrics)
    return linear and plan.policies.ties != "expected" and (plan.ideal_depth or 0) <= _DEEPEST


def _top(plan: Plan, run: _Limits) -> int | None:
    """How much of a list is kept: as far as metrics look, or all of it where lists are short; None: it is too much."""
    if plan.depth is not None:
        return plan.depth if plan.depth <= _DEEPEST else None
    short = plan.inputs.run_shape == "scores" and run.are_lists_counted and run.rows <= _SHORT * run.lists
    return _DEEPEST if short else None


def _packing(
    plan: Plan, session: DuckDB, run: _Limits, qrels: _Limits, share: float, equal_scores: float
) -> Packing | None:
    """How lists are packed: by items, or by their hashes unless a bar leaves so small a share; None: not at all."""
    top, memory = _top(plan, run), session.resources[0]
    parts = _parts(plan, run, _kept(run, top, session) / (_SHARE * memory)) if top else ()
    if top is None or not parts:
        return None
    places = run.lists * min(top, ceil(run.rows / run.lists))
    by_item = _by_item(plan, run, top, parts)
    if by_item is not None:
        return by_item if places * _ITEM_BYTES <= _STORED_SHARE * memory else None
    joined = places * _NUMBER_BYTES + qrels.rows * _JOINED_BYTES
    if share < _BETTER_BARRED or len(parts) > _FEW_PARTS or joined > _STORED_SHARE * memory:
        return None
    return _by_hash(plan, session, run, top, parts, equal_scores)


def _by_item(plan: Plan, run: _Limits, top: int, parts: tuple[Part, ...]) -> Packing | None:
    """How scores, or ranks, and items that are whole numbers go into one number each, or None where they do not."""
    if plan.policies.ties not in ("item_desc", "item") or run.items is None or not _are_small(run.items):
        return None
    low, high = run.items
    codes = (high - low).bit_length()
    if codes > _MOST_CODES:
        return None
    largest = top + 1.0 if plan.inputs.run_shape == "ranks" else run.largest
    scale = _score_scale(plan, run, top, codes, largest)
    most_lists = None if run.queries is None else run.queries[1] - run.queries[0] + 1
    return None if scale is None else Packing((low, high), 2**codes, scale, top, parts, most_lists)


def _are_small(items: tuple[int, int] | None) -> bool:
    """Whether items are whole numbers, all of which, and the differences of any two, are 64-bit numbers."""
    return items is not None and -(2**62) < items[0] <= items[1] < 2**62


def _by_hash(
    plan: Plan, session: DuckDB, run: _Limits, top: int, parts: tuple[Part, ...], equal_scores: float
) -> Packing | None:
    """How scores and the hashes of items go into one number each, or None where they do not, or many are equal."""
    scale = _score_scale(plan, run, top, _MOST_CODES, run.largest)
    if plan.inputs.run_shape != "scores" or not run.are_lists_counted or scale is None:
        return None
    samples = [_row(session, "score_sample", select) for select in plan.inputs.selects[plan.called("run_source")]]
    equal = sum(sample["equal_pairs"] for sample in samples)
    pairs = sum(sample["row_count"] * (sample["row_count"] - 1) for sample in samples)
    length = run.rows / run.lists
    if equal / max(pairs, 1) * length * min(top, length) / 2 > equal_scores:
        return None
    return Packing(None, 2**_MOST_CODES, scale, top, parts)


def _score_scale(plan: Plan, run: _Limits, top: int, codes: int, largest: float) -> float | None:
    """What scores are multiplied by, so that they take the bits that items leave; None where they do not fit."""
    policies = plan.policies
    if policies.nulls == "last" or policies.min_score is not None or not isfinite(largest):
        return None
    cells = 62 - codes  # bits of a cell, beside its sign
    if run.rows / run.lists * top > _SHARED_CELLS * 2**cells:
        return None
    # Scores are below 2^exponent, and what they are rounded to under trec_eval_9 is not above. A scale below 1 could
    # make 0 of a score that is not, and one far above 1 an infinity of the scale itself.
    scale = cells - 1 - frexp(largest)[1]
    return ldexp(1.0, scale) if 0 <= scale < 1000 else None


def _kept(limits: _Limits, depth: int, session: DuckDB) -> int:
    """The bytes that max(number, k) keeps, for lists of this depth and one more."""
    return limits.lists * (_LIST_BYTES + _NUMBER_BYTES * (depth + 1)) * session.resources[1]


def _ideal_kept(plan: Plan, qrels: _Limits, session: DuckDB) -> int:
    """The bytes that the gains of the ideal order take."""
    return qrels.rows * _GAIN_BYTES if plan.ideal_depth is None else _kept(qrels, plan.ideal_depth, session)


def _parts(plan: Plan, limits: _Limits, shares: float, most: int = _MOST_PARTS) -> tuple[Part, ...]:
    """The parts of the queries, of which each takes no more than its share of memory; none, where they are too many."""
    count = max(1, ceil(shares))
    if count > (most if len(plan.inputs.query) == 1 else 1):
        return ()
    if count == 1 or limits.queries is None:
        return tuple(Part(number, count) for number in range(count))
    low, high = limits.queries
    starts = [low + (high + 1 - low) * number // count for number in range(count + 1)]
    return tuple(Part(n, count, (starts[n], starts[n + 1] - 1)) for n in range(count))


def _limits(plan: Plan, session: DuckDB, relation: str) -> _Limits | None:
    """The limits of run or qrels; None where there is nothing in it, or text would have to be read whole for them."""
    selects = plan.inputs.selects[plan.called(relation)]
    if not all(_is_at_hand(select) for select in selects):
        return None
    found = [_row(session, "limits", select) for select in selects]
    if any(each["row_count"] == 0 or each["score_low"] is None for each in found):
        return None
    by_query = len(plan.inputs.query) == 1 and (plan.inputs.models is not None or relation == "qrels_source")
    lists, queries = 0, None
    for each, select in zip(found, selects, strict=True):
        low, high = each["query_low"], each["query_high"]
        models = max(1, len(select.stacked))
        span = inf if low is None or high is None else high - low + 1
        is_dense = by_query and span * models <= each["row_count"]
        count = span if is_dense else _row(session, "list_count", select)["lists"] if by_query else each["row_count"]
        lists += max(1, min(int(count) * models, each["row_count"]))
        if is_dense and models == len(found) == 1:
            queries = low, high
    items = [each[name] for each in found for name in ("item_low", "item_high")]
    scores = [each[name] for each in found for name in ("score_low", "score_high")]
    rows = sum(each["row_count"] for each in found)
    largest = max(map(abs, scores)) if all(map(isfinite, scores)) else inf
    return _Limits(rows, lists, queries, None if None in items else (min(items), max(items)), largest, by_query)


def _is_at_hand(select: SourceSelect) -> bool:
    """Whether a relation is a table, view, frame or parquet file, and not text that would have to be read whole."""
    relation = (select.stacked or [select])[0].relation
    return isinstance(relation, exp.Table) or relation.sql("duckdb").startswith("READ_PARQUET(")


def _row(session: DuckDB, name: str, select: SourceSelect) -> dict[str, Any]:
    return session.dicts(of_source(name, select))[0]
