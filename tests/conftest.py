"""The engines, each started once for all tests that ask for it."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from engines import ENGINES, Engine


@pytest.fixture(scope="session")
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    kind = ENGINES[request.param]
    reason = kind.missing()
    if reason is not None:
        assert os.environ.get("RECALL_DUCKDB_ENGINES") != "all", reason
        pytest.skip(reason)
    opened = kind()
    yield opened
    opened.close()
