"""The SQL of other engines: a record for each dialect, the rewrites that it needs, and the writing of statements."""

from recall_duckdb.dialects.registry import DIALECTS, Dialect, find_dialect, spoken_through
from recall_duckdb.dialects.structure import without_clashes
from recall_duckdb.dialects.writing import (
    add_head,
    evidence,
    executable,
    readable,
    render,
    rewrite,
    rewrite_for_readers,
    write,
)

__all__ = [
    "DIALECTS",
    "Dialect",
    "add_head",
    "evidence",
    "executable",
    "find_dialect",
    "readable",
    "render",
    "rewrite",
    "rewrite_for_readers",
    "spoken_through",
    "without_clashes",
    "write",
]
