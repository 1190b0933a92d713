"""Store the lists that several data checks read, so that the run is ranked once and not once for each check."""

from __future__ import annotations

from dataclasses import replace

from recall_duckdb.answering.keys import has_cutoff, size_of
from recall_duckdb.checking import SharedLists
from recall_duckdb.compose import Plan
from recall_duckdb.engines import DuckDB
from recall_duckdb.stages import stage


def store_lists(shared: SharedLists) -> None:
    """Store the lists of a question with many rows if the engine is DuckDB."""
    plan, session = shared.plan, shared.session
    if not isinstance(session, DuckDB):
        return
    stage("ranking")
    if plan.variant("run") == "best":
        shared.store("run")
    cut = replace(plan, metrics=[metric for metric in plan.metrics if metric.k is not None])
    if cut.metrics and _has_cutoffs(cut, session):
        shared.store("top_candidates", cut)
        readers = ["ties", *(["ranked"] if plan.depth == cut.depth else [])]
        reads = {(reader, "candidates"): "top_candidates" for reader in readers}
        shared.plan = replace(plan, replacements=replace(plan.replacements, reads=reads))
    if plan.inputs.run_shape == "scores":  # otherwise the run holds the ranks
        shared.store("ranked")
    shared.store("retrieved")


def _has_cutoffs(plan: Plan, session: DuckDB) -> bool:
    """Return True if a score cutoff for each list leaves few rows, and its scores fit in memory.

    The policy depth may end lists above the largest cutoff of a metric, where ties are still reported.
    """
    if plan.values()["largest_k"] != plan.depth or plan.inputs.run_shape != "scores":
        return False
    size = size_of(plan, session)
    return size is not None and has_cutoff(size, plan.depth, session)
