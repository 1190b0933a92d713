"""How good is my ranking? Recall@k and the family of ranking metrics as SQL, run in place by DuckDB."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recall_duckdb.agreeing import Agreement
    from recall_duckdb.api import agreement, check, evaluate, pool, sql
    from recall_duckdb.arrays import precision_at_k, recall, recall_at_k
    from recall_duckdb.checking import Faults
    from recall_duckdb.comparison.comparison import Comparison, Intervals, Leaderboard
    from recall_duckdb.comparison.files import compare
    from recall_duckdb.counts import Counts
    from recall_duckdb.errors import (
        ArgumentError,
        ArgumentTypeError,
        DataError,
        EngineError,
        MetricFileError,
        MissingPackageError,
        RecallError,
        RecallWarning,
        UnknownNameError,
    )
    from recall_duckdb.macros.installing import install, uninstall
    from recall_duckdb.result import Result

__version__ = "0.1.0"
__all__ = [
    "Agreement",
    "ArgumentError",
    "ArgumentTypeError",
    "Comparison",
    "Counts",
    "DataError",
    "EngineError",
    "Faults",
    "Intervals",
    "Leaderboard",
    "MetricFileError",
    "MissingPackageError",
    "RecallError",
    "RecallWarning",
    "Result",
    "UnknownNameError",
    "agreement",
    "check",
    "compare",
    "evaluate",
    "install",
    "pool",
    "precision_at_k",
    "recall",
    "recall_at_k",
    "sql",
    "uninstall",
]

# Loaded when first asked for: importing this package then costs nothing beyond importing DuckDB.
_HOMES = {
    "agreeing": ["Agreement"],
    "api": ["agreement", "check", "evaluate", "pool", "sql"],
    "arrays": ["precision_at_k", "recall", "recall_at_k"],
    "checking": ["Faults"],
    "comparison.comparison": ["Comparison", "Intervals", "Leaderboard"],
    "comparison.files": ["compare"],
    "counts": ["Counts"],
    "errors": [name for name in __all__ if name.endswith(("Error", "Warning"))],
    "macros.installing": ["install", "uninstall"],
    "result": ["Result"],
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
