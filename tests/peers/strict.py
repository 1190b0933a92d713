"""Require that the tests out of scope fail and all other tests of a suite pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest


def strict(out_of_scope: Mapping[str, str], least: int) -> Callable[[list[Any]], None]:
    """Return a `pytest_collection_modifyitems` hook that expects the tests out of scope to fail.

    The hook raises an error for an unknown name, and if fewer than `least` tests are in scope: a suite whose tests were
    renamed would test nothing.

    Args:
        out_of_scope: reasons by test name.
        least: the least number of tests in scope.
    """

    @pytest.hookimpl(trylast=True)  # after -k has deselected tests
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
