"""Answer a question over a connection with one statement, which reads the run once.

An evaluation by definition reads the run for the checks of rows, the checks of queries, the counts and the means. An
engine that computes a relation wherever it is read reads it several times in each. If the data are not sound, the
evaluation by definition follows, which names the fault.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recall_duckdb import checking
from recall_duckdb.answering.answers import Answer, in_order_of_names, largest_relevance, supports
from recall_duckdb.compose import Plan, Replacements, Statement, of_queries
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import templates
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.stages import stage

_VARIANTS = dict.fromkeys(("judged", "measured", "per_query"), "one_pass")
_OF_QUERIES = ("judged", "retrieved_queries", "both_sides", "without_relevant", "is_sound")


def faster(plan: Plan, session: Session) -> Plan | None:
    """Return the plan that reads the run once, or None if it does not apply."""
    if isinstance(session, DuckDB) or not _sees_every_fault(plan):
        return None
    policies = plan.policies
    usual = (policies.nulls, policies.duplicates, policies.empty)
    if policies.ties not in ("item_desc", "item") or usual != ("error", "error", "error") or not supports(policies):
        return None
    if not all(metric.template.is_plain for metric in plan.metrics):
        return None
    reads = {("ranked", "candidates"): "marked", ("graded", "judgements"): "marked_judgements"}
    parameters = {"largest_relevance": largest_relevance(plan)}
    return replace(plan, replacements=Replacements(_VARIANTS, reads, parameters))


def _sees_every_fault(plan: Plan) -> bool:
    """Return True if the statement sees the faults of all checks that apply; inexact_scores runs before it."""
    inputs = plan.inputs
    usual = (inputs.run_shape, inputs.qrels_shape, plan.resolve("candidates"), len(inputs.by), len(plan.judgings))
    if usual != ("scores", "rows", "run", 0, 1) or inputs.ranked is not None:
        return False
    applying = checking.names(checking.settings(plan, command="evaluate"))
    return applying <= templates.seen_by("one_pass") | {"inexact_scores"}


def answer(plan: Plan, session: Session) -> Answer | None:
    """Return the answer to a question, or None if this plan does not apply or the data are not sound.

    Raises `EngineError` with the engine's message if the statement fails. Unsound data do not cause that.
    """
    quick = faster(plan, session)
    if quick is None:
        return None
    if plan.has("exact_scores"):
        checking.raise_if_found("inexact_scores", plan, session)
    stage("ranking and computing metrics")
    stored = session.store(Statement(quick).of_table("per_query"))
    statement = Statement(quick, of_queries(stored)).of_means_and(["counts", "soundness"])
    values = _read(quick, session.dicts(statement))
    if values is None and stored is not None:
        session.drop(stored)
    return None if values is None else replace(values, per_query=stored)


def _read(plan: Plan, rows: list[dict[str, Any]]) -> Answer | None:
    """Return the answer in rows of means with counts; None if the data are not sound."""
    counts: dict[object, Counts] = {}
    for row in rows:
        judged, retrieved, both, without, is_sound = (row.pop(name) for name in _OF_QUERIES)
        if not is_sound:
            return None
        counts[row["model"]] = Counts(judged, retrieved, both, without)
    ordered = in_order_of_names(plan, counts)
    return None if ordered is None else Answer(plan, ordered, rows)
