"""Say about a result what its data suggest: that run and qrels may not fit together, or that a number says little.

A note is rare, so ordinary data must not pay for it. The list form returns signs on the way, which say what to look
for. Where a sign is not known, few rows are looked at instead.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
_OF_RELEVANCE = ("negative_relevance", "all_relevant", "low_grades")  # what these find is often meant
_QUERIES = 100  # of a question that is not small, to look at for other spellings
# What lists that say nothing would say, as in sql/lists/answers.sql.
_UNKNOWN: dict[str, Any] = {**dict.fromkeys(("forms_differ", "least_relevance", "most_relevance")),
                            **dict.fromkeys(("may_be_reversed", "may_be_tied"), True)}  # fmt: skip


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


@dataclass
class _Search:
    """Looks at the data of a plan for what checks find, and keeps it by the name of the check."""

    plan: Plan
    session: Session
    found: dict[str, Fault] = field(default_factory=dict)

    def find(self, name: str, may_be: object = True, looked_at: int | None = None) -> bool:
        """Return True if a check finds a fault; it is run only if there may be one."""
        fault = checking.find_fault(name, self.plan, self.session, looked_at) if may_be else None
        if fault is not None:
            self.found[name] = fault
        return fault is not None

    def find_idle_exclude(self, may_be: object = True) -> None:
        """Look whether `exclude` removes nothing, and for its pairs in another spelling."""
        is_idle = self.find("no_common_exclude", may_be and self.plan.has("exclude"))
        self.find("near_exclude", is_idle and isinstance(self.session, DuckDB), _QUERIES)


def warn_of_lists(plan: Plan, session: Session) -> None:
    """Warn about likely mistakes in the data of `pool` or `agreement`, whose results have no notes."""
    search = _Search(plan, session)
    search.find_idle_exclude()
    search.find("near_queries", plan.has_qrels and isinstance(session, DuckDB) and plan.inputs.text_queries)
    warn([Note(fault.told, warns=True) for fault in search.found.values()], _FRAMES + 2)


def look(
    question: Question,
    plan: Plan,
    session: Session,
    counts: Mapping[Any, Counts],
    means: Sequence[dict[str, Any]],
    signs: Sequence[Mapping[str, Any]] | None = None,
) -> list[Note]:
    """Return what the data of an evaluation suggest; `signs` are what the list form says of each model."""
    search, inputs, each, is_duckdb = _Search(plan, session), plan.inputs, counts.values(), isinstance(session, DuckDB)
    known = signs or [_UNKNOWN]
    find, text_items, text_queries = search.find, is_duckdb and inputs.text_items, is_duckdb and inputs.text_queries
    if plan.has_qrels and not plan.has("labelled"):
        are_zero = any(one.retrieved and _are_zero(means, model) for model, one in counts.items())
        if find("no_common_item", are_zero):
            if text_items:
                checking.refuse([templates.checks()["unlike_items"]], Statement(plan.keeping_all_rows()), session)
            find("near_items", text_items)
            search.found |= {one.check: one for one in checking.find_explanations("no_common_item", plan, session)}
        elif None not in (differ := [sign["forms_differ"] for sign in known]):
            find("near_items", text_items and any(differ))
        elif find("unlike_forms", text_items):
            del search.found["unlike_forms"]
            find("near_items", looked_at=None if all(one.judged <= _QUERIES for one in each) else _QUERIES)
        # A run lacks judged queries, and has others instead.
        find("near_queries", text_queries and any(one.missing and one.unjudged for one in each))
        find("relevant_exclude", are_zero and plan.has("exclude"))
    find("joined_items", signs is None and inputs.qrels_shape == "rows" and text_items)
    usual = replace(plan.policies, unjudged="keep", nulls="error", duplicates="error")
    removes_alone = plan.policies == usual and not plan.has("items")
    search.find_idle_exclude(not (removes_alone and any(one.run_rows_dropped for one in each)))
    find("one_unit", is_duckdb and plan.unit is not None and plan.has_qrels)
    is_scored = plan.has_qrels and inputs.run_shape == "scores" and any(one.both >= _FEW_QUERIES for one in each)
    find("reversed_scores", is_scored and any(sign["may_be_reversed"] for sign in known), _QUERIES)
    is_cut = plan.policies.ties != "expected" and any(metric.k is not None for metric in plan.metrics)
    find("one_score", is_scored and is_cut and any(sign["may_be_tied"] for sign in known))
    lowest, highest = known[0]["least_relevance"], known[0]["most_relevance"]
    # Rows with labels hold each judgement once for each model.
    is_once = signs is not None or not (plan.has("labelled") and plan.has_models)
    is_graded = plan.has_qrels and is_duckdb and is_once and _is_graded(question, plan)
    find("negative_relevance", is_graded and (lowest is None or lowest < 0))
    find("all_relevant", is_graded and (lowest is None or lowest > 0) and checking.of_judged(plan))
    has_grades = lowest is None or highest is None or 0 < lowest < highest
    find("low_grades", is_graded and has_grades and checking.of_threshold(plan))

    texts = {name: f"{fault.told}. {fault.do}" if name == "reversed_scores" else fault.told
             for name, fault in search.found.items()}  # fmt: skip
    loud = [text for name, text in texts.items() if name not in _OF_RELEVANCE]
    if looks_swapped(question):
        loud.append(_SWAPPED)
    loud += [f"{one.rule}, for example {pairs(one.example)}. {one.do}" for one in inputs.findings]
    quiet = [*inputs.remarks, *(text for name, text in texts.items() if name in _OF_RELEVANCE)]
    return [*(Note(text, warns=True) for text in loud), *(Note(text, warns=False) for text in quiet)]


def _is_graded(question: Question, plan: Plan) -> bool:
    """Return True if the user gave the relevance: not for lists of relevant items."""
    relevance, qrels = question.names.relevance, question.qrels
    if relevance is None or plan.inputs.qrels_shape == "lists":
        return False
    return not (isinstance(qrels, Mapping) and relevance not in qrels and all(map(is_list, qrels.values())))


def _are_zero(means: Sequence[dict[str, Any]], model: object) -> bool:
    """Return True if every metric of a model that judgements could make positive is 0."""
    rows = [row for row in means if row["model"] == model and row["metric"].partition("(")[0] not in _NEVER_ZERO]
    return any(row["value"] == 0 for row in rows) and not any(row["value"] for row in rows)
