"""How good is my ranking? Recall@k and its family as SQL, run by DuckDB where the data lie."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from recall_duckdb.arrays import precision_at_k, recall, recall_at_k
    from recall_duckdb.checking import Faults
    from recall_duckdb.errors import RecallError
    from recall_duckdb.evaluation import check, evaluate, sql
    from recall_duckdb.result import Counts, Result

__version__ = "0.1.0"
__all__ = [
    "Counts",
    "Faults",
    "RecallError",
    "Result",
    "check",
    "evaluate",
    "precision_at_k",
    "recall",
    "recall_at_k",
    "sql",
]

# Loaded when first asked for: importing this package then costs nothing beyond importing DuckDB.
_HOME = {
    "Counts": "result",
    "Faults": "checking",
    "RecallError": "errors",
    "Result": "result",
    "check": "evaluation",
    "evaluate": "evaluation",
    "precision_at_k": "arrays",
    "recall": "arrays",
    "recall_at_k": "arrays",
    "sql": "evaluation",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
