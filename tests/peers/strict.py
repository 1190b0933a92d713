"""Hold a test suite to a list of tests that are out of scope: each of these must fail, and all others must pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest


def strict(out_of_scope: Mapping[str, str], least: int) -> Callable[[list[Any]], None]:
    """A `pytest_collection_modifyitems` that expects these tests, by name with the reason, to fail.

    An unknown name is an error, and so are fewer tests in scope than `least`: a suite that was renamed tests nothing.
    """

    @pytest.hookimpl(trylast=True)  # after -k has left out what is not asked for
    def pytest_collection_modifyitems(items: list[Any]) -> None:
        names = {item.nodeid.partition("::")[2] for item in items}
        in_scope = len(names - out_of_scope.keys())
        if unknown := sorted(out_of_scope.keys() - names):
            raise pytest.UsageError(f"no test is called {', '.join(unknown)}")
        if in_scope < least:
            raise pytest.UsageError(f"{in_scope} tests are in scope, but at least {least} should be")
        for item in items:
            reason = out_of_scope.get(item.nodeid.partition("::")[2])
            if reason is not None:
                item.add_marker(pytest.mark.xfail(reason=reason, strict=True))

    return pytest_collection_modifyitems
