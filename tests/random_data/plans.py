"""The ways in which `evaluate` plans: by itself, by the definitions, and with plans that it is forced to use.

Only this module of random_data names the plans.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fast_plans import made_by

from recall_duckdb import evaluation
from recall_duckdb.compose import Plan
from recall_duckdb.engines import Session
from recall_duckdb.fast import answers, choosing, ideal_lists, packed_lists, partitions, score_cutoffs, small
from recall_duckdb.fast import stacked_scores as stacked
from recall_duckdb.fast.choosing import Chosen
from recall_duckdb.question import Question

# How each path changes the choice of a plan: the names of a module, with the values that they get.
Changes = Mapping[tuple[Any, str], Any]
_FAST: Changes = {(stacked, "_MANY_SCORES"): 1}
_PARTITIONED: Changes = {
    (partitions, "kept_bytes"): lambda limits, k, session: 5 * partitions.SHARE * session.resources[0]
}
FORCED: dict[str, Changes] = {
    "fast": _FAST,
    "fast: ideal lists": {**_FAST, (choosing, "RULES"): (ideal_lists.choose,)},
    "fast: score cutoffs": {
        (choosing, "RULES"): (score_cutoffs.choose,),
        (score_cutoffs, "MOST_SURVIVORS"): math.inf,
    },
    "fast: hashes": {
        (choosing, "RULES"): (ideal_lists.choose, packed_lists.choose),
        (packed_lists, "_by_item"): lambda *_: None,
        (packed_lists, "_FEW_SURVIVORS"): 0,
    },
    "fast: partitions": {**_PARTITIONED, (partitions, "_MANY_SCANS"): math.inf},
    "fast: written": {**_PARTITIONED, (partitions, "_MANY_SCANS"): 0, (partitions, "_FILES"): 3},
}
EVALUATED = ("evaluate", "definition", *FORCED)


@contextmanager
def planned(path: str) -> Iterator[list[str]]:
    """Make `evaluate` plan in the way of a path, for any number of rows; yield the names of the plans that it chose."""
    usual, choose = small.answer, choosing.choose
    chosen: list[str] = []

    def answer(question: Question, session: Session) -> answers.Answer | None:
        found = usual(question, session) if path == "evaluate" else None
        chosen.extend([] if found is None else ["one statement"])
        return found

    def chosen_plan(plan: Plan, session: Session) -> Chosen:
        is_forced = path in FORCED
        found = choose(plan, session, many_rows=0, equal_scores=math.inf) if is_forced else choose(plan, session)
        chosen.extend(type(each).__name__ for each in found.fast_plans)
        chosen.extend(["stacked scores"] if found.plan is not plan else [])
        chosen.append(f"lists: {made_by(found)[1]}")
        return found

    changes = {(small, "answer"): answer, (evaluation, "choose"): chosen_plan, **FORCED.get(path, {})}
    before = {key: vars(key[0])[key[1]] for key in changes}
    try:
        for (module, name), value in changes.items():
            setattr(module, name, value)
        yield chosen
    finally:
        for (module, name), value in before.items():
            setattr(module, name, value)
