"""Say about a result what its data suggest: that run and qrels may not fit together, or that a number says little.

A note is rare, so ordinary data must not pay for it. The statement of a small question returns signs on the way, which
say what to look for. Other questions look at few rows for the same signs.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from recall_duckdb import checking
from recall_duckdb.checking import Fault
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import templates
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import RecallWarning, pairs
from recall_duckdb.question import Question
from recall_duckdb.reading.cells import is_list
from recall_duckdb.reading.swapped import looks_swapped

# Metrics that are not 0 if nothing is found.
_NEVER_ZERO = {"fall_out", "num_q", "num_rel", "num_ret", "rbp_residual", "unjudged", "utility"}
_FRAMES = 4  # from the warning to the line that calls `evaluate`
_SWAPPED = (
    "run and qrels look swapped: the qrels hold distinct scores or lists of equal length, and the run holds few items "
    "or equal numbers. Pass the run first, then the qrels"
)
_FEW_QUERIES = 16  # in which the check reversed_scores finds nothing
_QUERIES = 100  # of a question that is not small, to look at for other spellings


# What the statement of a small question says of each model, as in sql/lists/answers.sql; None for other questions.
Signs = Sequence[Mapping[str, Any]] | None


@dataclass(frozen=True)
class Note:
    """What the data suggest, and whether it is worth a Python warning: a number is probably not what is meant."""

    text: str
    warns: bool


def warn(notes: Sequence[Note], frames: int = _FRAMES) -> None:
    """Warn of what the data of a result suggest."""
    texts = [note.text for note in notes if note.warns]
    if texts:
        warnings.warn("; ".join(texts), RecallWarning, stacklevel=frames)


def warn_of_lists(plan: Plan, session: Session) -> None:
    """Warn about likely mistakes in the data of `pool` or `agreement`, whose results have no notes."""
    faults = _of_exclude(plan, session)
    if plan.has_qrels and isinstance(session, DuckDB) and plan.inputs.text_queries:
        faults.append(checking.find_fault("near_queries", plan, session))
    warn([Note(fault.told, warns=True) for fault in faults if fault is not None], _FRAMES + 2)


def look(
    question: Question,
    plan: Plan,
    session: Session,
    counts: Mapping[Any, Counts],
    means: Sequence[dict[str, Any]],
    signs: Signs = None,
) -> list[Note]:
    """Return what the data of an evaluation suggest; with `signs`, the question is small."""
    faults: list[Fault | None] = []
    if plan.has_qrels and not plan.has("labelled"):
        are_zero = any(each.retrieved and _are_zero(means, model) for model, each in counts.items())
        apart = checking.find_fault("no_common_item", plan, session) if are_zero else None
        if apart is None:
            faults.append(_near(plan, session, counts, signs))
        else:
            if isinstance(session, DuckDB) and plan.inputs.text_items:
                checking.refuse([templates.checks()["unlike_items"]], Statement(plan.keeping_all_rows()), session)
                faults.append(checking.find_fault("near_items", plan, session))
            faults = [apart, *faults, *checking.find_explanations("no_common_item", plan, session)]
        faults.append(_near_queries(plan, session, counts))
    if signs is None and plan.inputs.qrels_shape == "rows" and isinstance(session, DuckDB) and plan.inputs.text_items:
        faults.append(checking.find_fault("joined_items", plan, session))
    faults += _of_exclude(plan, session, counts)
    noted = [Note(fault.told, warns=True) for fault in faults if fault is not None]
    if (reversed_scores := _reversed(plan, session, counts, signs)) is not None:
        noted.append(Note(f"{reversed_scores.told}. {reversed_scores.do}", warns=True))
    names = question.names
    if looks_swapped(question.run, question.qrels, [*names.query, names.item, *names.qrels_query, names.qrels_item]):
        noted.append(Note(_SWAPPED, warns=True))
    noted += [Note(f"{each.rule}, for example {pairs(each.example)}. {each.do}", warns=True)
              for each in plan.inputs.findings]  # fmt: skip
    noted += [Note(remark, warns=False) for remark in plan.inputs.remarks]
    return noted + [Note(fault.told, warns=False) for fault in _of_relevance(question, plan, session, signs)]


def _near(plan: Plan, session: Session, counts: Mapping[Any, Counts], signs: Signs) -> Fault | None:
    """Return the items in another spelling, if ids of one side have a form that those of the other side lack."""
    if not (isinstance(session, DuckDB) and plan.inputs.text_items):
        return None
    if signs is not None:
        differ = any(each["forms_differ"] for each in signs)
        return checking.find_fault("near_items", plan, session) if differ else None
    if checking.find_fault("unlike_forms", plan, session) is None:
        return None
    are_few = all(each.judged <= _QUERIES for each in counts.values())
    return checking.find_fault("near_items", plan, session, looked_at=None if are_few else _QUERIES)


def _near_queries(plan: Plan, session: Session, counts: Mapping[Any, Counts]) -> Fault | None:
    """Return the queries in another spelling, if a run lacks judged queries and has others instead."""
    may_be = any(each.missing and each.unjudged for each in counts.values())
    if not (may_be and isinstance(session, DuckDB) and plan.inputs.text_queries):
        return None
    return checking.find_fault("near_queries", plan, session)


def _reversed(plan: Plan, session: Session, counts: Mapping[Any, Counts], signs: Signs) -> Fault | None:
    """Return that the order of the scores seems to be wrong; fewer queries than _FEW_QUERIES cannot show it."""
    may_be = signs is None or any(each["may_be_reversed"] for each in signs)
    has_enough = any(each.both >= _FEW_QUERIES for each in counts.values())
    if not (may_be and has_enough and plan.has_qrels and plan.inputs.run_shape == "scores"):
        return None
    return checking.find_fault("reversed_scores", plan, session, looked_at=_QUERIES)


def _of_exclude(plan: Plan, session: Session, counts: Mapping[Any, Counts] | None = None) -> list[Fault | None]:
    """Return that `exclude` removes nothing, and the pairs in another spelling; the counts may show that it does."""
    usual = replace(plan.policies, unjudged="keep", nulls="error", duplicates="error")
    removes_alone = plan.policies == usual and not plan.has("items")
    if removes_alone and any(each.run_rows_dropped for each in (counts or {}).values()):
        return []
    idle = checking.find_fault("no_common_exclude", plan, session) if plan.has("exclude") else None
    if idle is None or not isinstance(session, DuckDB):
        return [idle]
    return [idle, checking.find_fault("near_exclude", plan, session, looked_at=_QUERIES)]


def _of_relevance(question: Question, plan: Plan, session: Session, signs: Signs) -> list[Fault]:
    """Return what the relevance of the qrels suggests, if it was given."""
    if not (plan.has_qrels and isinstance(session, DuckDB) and _is_graded(question, plan)):
        return []
    if signs is None and plan.has("labelled") and plan.has_models:  # each judgement is there once for each model
        return []
    lowest, highest = [signs[0][name] if signs else None for name in ("least_relevance", "most_relevance")]
    names = []
    if lowest is None or lowest < 0:
        names.append("negative_relevance")
    if (lowest is None or lowest > 0) and checking.of_judged(plan):
        names.append("all_relevant")
    has_grades = lowest is None or highest is None or 0 < lowest < highest
    if has_grades and checking.of_threshold(plan):
        names.append("low_grades")
    return [fault for name in names if (fault := checking.find_fault(name, plan, session)) is not None]


def _is_graded(question: Question, plan: Plan) -> bool:
    """Return True if the user gave the relevance: not for lists of relevant items."""
    relevance, qrels = question.names.relevance, question.qrels
    if relevance is None or plan.inputs.qrels_shape == "lists":
        return False
    are_lists = isinstance(qrels, Mapping) and relevance not in qrels and all(map(is_list, qrels.values()))
    return not are_lists


def _are_zero(means: Sequence[dict[str, Any]], model: object) -> bool:
    """Return True if every metric of a model that judgements could make positive is 0."""
    rows = [row for row in means if row["model"] == model and row["metric"].partition("(")[0] not in _NEVER_ZERO]
    return any(row["value"] == 0 for row in rows) and not any(row["value"] for row in rows)
