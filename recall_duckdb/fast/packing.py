"""Packs an item and its score into one number, so that the top of a list is found without sorting its rows."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, frexp, isfinite, ldexp

from sqlglot import exp

from recall_duckdb import trees
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.fast.forms import FastPlan, Packing, Part
from recall_duckdb.fast.limits import SHARE, Limits, are_small, bytes_kept, first_row, parts_of
from recall_duckdb.stages import each_part

# How deep lists are kept at most: deeper ones are better sorted.
DEEPEST = 128
# All of a list is kept where lists have no more candidates than this on average; a longer one is ranked after all.
_SHORT = 110
# What is stored of a list takes memory while other statements run: a code for each item, or a number with which
# judgements are joined, and what such a join takes for each of them.
_ITEM_BYTES, _NUMBER_BYTES, _JOINED_BYTES = 4, 8, 100
# The share of the memory limit for that. Measured: at a quarter it fails.
_STORED_SHARE = 1 / 5
# Where the other way is not so slow, or the scan not so fast, queries are divided into so many parts at most.
FEW_PARTS = 8
# A bar is better than lists of hashes where it leaves less than this share of the rows.
_BETTER_BARRED = 0.15
# Two scores of a list that share a cell leave it open, to be ranked after all: so many of the lists may be expected to.
_SHARED_CELLS = 0.01
# How many bits of a number an item takes at most, or its hash.
_MOST_CODES = 31


def packing_of(
    plan: Plan, session: DuckDB, run: Limits, qrels: Limits, share: float, equal_scores: float
) -> Packing | None:
    """How lists are packed: by items, or by their hashes unless a bar leaves so small a share; None: not at all."""
    top, memory = _top(plan, run), session.resources[0]
    parts = parts_of(plan, run, bytes_kept(run, top, session) / (SHARE * memory)) if top else ()
    if top is None or not parts:
        return None
    places = run.lists * min(top, ceil(run.rows / run.lists))
    by_item = _by_item(plan, run, top, parts)
    if by_item is not None:
        return by_item if places * _ITEM_BYTES <= _STORED_SHARE * memory else None
    joined = places * _NUMBER_BYTES + qrels.rows * _JOINED_BYTES
    if share < _BETTER_BARRED or len(parts) > FEW_PARTS or joined > _STORED_SHARE * memory:
        return None
    return _by_hash(plan, session, run, top, parts, equal_scores)


def _top(plan: Plan, run: Limits) -> int | None:
    """How much of a list is kept: as far as metrics look, or all of it where lists are short; None: it is too much."""
    if plan.depth is not None:
        return plan.depth if plan.depth <= DEEPEST else None
    short = plan.inputs.run_shape == "scores" and run.are_lists_counted and run.rows <= _SHORT * run.lists
    return DEEPEST if short else None


def _by_item(plan: Plan, run: Limits, top: int, parts: tuple[Part, ...]) -> Packing | None:
    """How scores, or ranks, and items that are whole numbers go into one number each, or None where they do not."""
    if plan.policies.ties not in ("item_desc", "item") or run.items is None or not are_small(run.items):
        return None
    low, high = run.items
    codes = (high - low).bit_length()
    if codes > _MOST_CODES:
        return None
    largest = top + 1.0 if plan.inputs.run_shape == "ranks" else run.largest
    scale = _score_scale(plan, run, top, codes, largest)
    most_lists = None if run.queries is None else run.queries[1] - run.queries[0] + 1
    return (
        None if scale is None else Packing(plan.inputs.run_shape, (low, high), 2**codes, scale, top, parts, most_lists)
    )


def _by_hash(
    plan: Plan, session: DuckDB, run: Limits, top: int, parts: tuple[Part, ...], equal_scores: float
) -> Packing | None:
    """How scores and the hashes of items go into one number each, or None where they do not, or many are equal."""
    scale = _score_scale(plan, run, top, _MOST_CODES, run.largest)
    if plan.inputs.run_shape != "scores" or not run.are_lists_counted or scale is None:
        return None
    samples = [first_row(session, "score_sample", select) for select in plan.inputs.selects[plan.called("run_source")]]
    equal = sum(sample["equal_pairs"] for sample in samples)
    pairs = sum(sample["row_count"] * (sample["row_count"] - 1) for sample in samples)
    length = run.rows / run.lists
    if equal / max(pairs, 1) * length * min(top, length) / 2 > equal_scores:
        return None
    return Packing("scores", None, 2**_MOST_CODES, scale, top, parts)


def _score_scale(plan: Plan, run: Limits, top: int, codes: int, largest: float) -> float | None:
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


def prepared(plan: FastPlan, session: Session) -> tuple[FastPlan, exp.Table | None]:
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
        return FastPlan.of(plan), None
    any_short = packing.most_lists is None or lists < packing.most_lists or shortest < packing.top
    known = replace(packing, any_open=is_open == 1, any_short=any_short)
    return replace(plan, forms=replace(plan.forms, packing=known)), tops
