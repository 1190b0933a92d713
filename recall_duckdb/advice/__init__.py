"""Writes the errors about data that cannot be read. A module is imported when it writes its first message."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["columns", "files", "objects"]

if TYPE_CHECKING:
    from recall_duckdb.advice import columns, files, objects
else:

    def __getattr__(name: str) -> ModuleType:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return import_module(f"{__name__}.{name}")
