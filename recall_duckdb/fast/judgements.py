"""Looks through judgements in lists for items that are there twice, before the check that groups them."""

from __future__ import annotations

from math import ceil

from recall_duckdb.compose import Plan, Statement
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.fast.forms import FastPlan, Part
from recall_duckdb.fast.limits import SHARE, Limits, are_small, bytes_kept, parts_of
from recall_duckdb.fast.packing import FEW_PARTS
from recall_duckdb.stages import each_part

# A list of judgements is looked through where it is less than so much longer than the average, and shorter than this:
# where one is not, all are grouped by items after all.
_LONGER, _TOO_MANY = 1.5, 2000


def looked_through(plan: Plan, session: DuckDB, run: Limits, qrels: Limits) -> tuple[tuple[Part, ...], int]:
    """The parts in which judgements are looked through in lists, none: not at all; and how many are too many for that.

    Of few judgements a list for each query is no faster than a group for each item.
    """
    too_many = ceil(_LONGER * qrels.rows / qrels.lists) + 1
    if not are_small(qrels.items) or qrels.rows < run.rows or too_many > _TOO_MANY or not qrels.are_lists_counted:
        return (), 0
    shares = bytes_kept(qrels, too_many, session) / (SHARE * session.resources[0])
    return parts_of(plan, qrels, shares, most=FEW_PARTS), too_many


def are_single(plan: FastPlan, session: Session) -> bool:
    """Whether it was looked for an item that a query judges twice, and there is none."""
    parts = plan.forms.looked_through
    return bool(parts) and not any(
        session.rows(Statement(plan.of_part(part)).of_table("repeated_judgements").limit(1))
        for part in each_part("checking judgements", parts)
    )
