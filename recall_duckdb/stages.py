"""Report which stage of an evaluation is running, for the progress bar. Costs almost nothing without a listener."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Called with the name of a new stage, the number of its part (from 1), and the number of parts.
Listener = Callable[[str, int, int], None]
_LISTENER: ContextVar[Listener | None] = ContextVar("_LISTENER", default=None)


@contextmanager
def heard_by(listener: Listener) -> Iterator[None]:
    """Call `listener` when a stage begins, while the context is active.

    >>> with heard_by(print):
    ...     stage("averaging")
    averaging 1 1
    """
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


def stage(name: str, part: int = 1, parts: int = 1) -> None:
    """Report that a stage, or a part of it, begins."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(name, part, parts)
