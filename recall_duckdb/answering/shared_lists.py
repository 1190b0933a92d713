"""Store the lists that several data checks read, so that the run is ranked once and not once for each check."""

from __future__ import annotations

from dataclasses import replace

from recall_duckdb.answering.answers import supports
from recall_duckdb.answering.keys import has_cutoff
from recall_duckdb.checking import SharedLists
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.engines import DuckDB
from recall_duckdb.stages import stage

# With fewer rows, storing lists costs more than it saves.
_MANY_ROWS = 50_000


def store_lists(shared: SharedLists, *, many_rows: int = _MANY_ROWS) -> None:
    """Store the lists of a question if the engine is DuckDB and the run has at least this many rows."""
    plan, session = shared.plan, shared.session
    if not isinstance(session, DuckDB) or session.has_little or not supports(plan.policies):
        return
    # Count the run as it is given: without its duplicates, DuckDB would have to group it.
    [(lists, rows)] = session.rows(Statement(plan.keeping_all_rows()).of_table("run_size"))
    if rows < many_rows:
        return
    stage("ranking")
    if plan.variant("run") == "best":
        shared.store("run")
    cut = replace(plan, metrics=[metric for metric in plan.metrics if metric.k is not None])
    if cut.metrics and _has_cutoffs(cut, session, lists, rows):
        shared.store("contenders", cut)
        readers = ["ties", *(["ranked"] if plan.depth == cut.depth else [])]
        reads = {(reader, "candidates"): "contenders" for reader in readers}
        shared.plan = replace(plan, replacements=replace(plan.replacements, reads=reads))
    if plan.inputs.run_shape == "scores":  # otherwise the run holds the ranks
        shared.store("ranked")
    shared.store("retrieved")


def _has_cutoffs(plan: Plan, session: DuckDB, lists: int, rows: int) -> bool:
    """Return True if a score cutoff for each list leaves few rows, and its scores fit in memory.

    The policy depth may end lists above the largest cutoff of a metric, where ties are still reported.
    """
    depth = plan.values()["largest_k"]
    if not isinstance(depth, int) or depth != plan.depth or plan.inputs.run_shape != "scores":
        return False
    return has_cutoff(rows, lists, depth, session)
