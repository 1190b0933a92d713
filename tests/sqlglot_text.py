"""A mark for tests that compare the text of statements with that of the newest sqlglot."""

from __future__ import annotations

from importlib.metadata import version

import pytest
from sqlglot import generator

IS_COMPILED = not str(generator.__file__).endswith(".py")

as_written = pytest.mark.skipif(
    int(version("sqlglot").split(".")[0]) < 30 or IS_COMPILED,
    reason="sqlglot before 30, and compiled, breaks lines elsewhere",
)
