"""What DuckDB does faster than the definitions do, with the same answer: relations that are replaced by name."""

from recall_duckdb.fast.choose import choose, later_checks, open_checks, settled_checks
from recall_duckdb.fast.forms import FastPlan
from recall_duckdb.fast.packing import prepared
from recall_duckdb.fast.stacking import with_stacked_scores

__all__ = [
    "FastPlan",
    "choose",
    "later_checks",
    "open_checks",
    "prepared",
    "settled_checks",
    "with_stacked_scores",
]
