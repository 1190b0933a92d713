"""Helpers for the tests of DuckDB's fast plans."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import pytest
from recall_duckdb.fast import small
from recall_duckdb.fast.base import FastPlan
from recall_duckdb.fast.choosing import Chosen, choose
from recall_duckdb.fast.label_lists import LabelLists

from recall_duckdb import evaluation
from recall_duckdb.compose import Statement
from recall_duckdb.engines import DuckDB

P = TypeVar("P", bound=FastPlan)


def made_by(chosen: Chosen) -> tuple[bool, str, bool]:
    """Return whether ideal lists are used, how lists are made, and whether a score cutoff is used."""
    replacements = chosen.faster.replacements
    has_cutoff = replacements.reads.get(("ranked", "candidates")) == "contenders"
    has_ideal = replacements.variants.get("judged") in ("apart", "listed")
    return has_ideal, replacements.variants.get("placed", "ranked"), has_cutoff


def find(chosen: Chosen, kind: type[P]) -> P | None:
    """Return the chosen fast plan of this kind, or that of label lists; None if there is none."""
    held = [plan.packed for plan in chosen.fast_plans if isinstance(plan, LabelLists)]
    return next((plan for plan in (*chosen.fast_plans, *held) if isinstance(plan, kind)), None)


def only(chosen: Chosen, *plans: FastPlan, keep: type[FastPlan]) -> Chosen:
    """Return the choice with only these plans and, if it was chosen, the plan of the kind to keep."""
    kept = find(chosen, keep)
    return replace(chosen, fast_plans=(*([] if kept is None else [kept]), *plans))


def forced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `evaluate` choose fast plans for any number of rows, and answer no question with one statement."""
    monkeypatch.setattr(small, "_MANY_ROWS", 0)
    monkeypatch.setattr(evaluation, "choose", partial(choose, many_rows=0))


def per_query(session: DuckDB, chosen: Chosen) -> list[tuple[Any, ...]]:
    """Return the values of each query, sorted."""
    fast = chosen.prepare()
    statement = Statement(replace(chosen.plan, replacements=fast.replacements), fast.bound)
    rows = sorted(session.rows(statement.of_table("per_query")), key=str)
    for table in fast.bound.values():
        session.drop(table)
    return rows
