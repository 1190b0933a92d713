"""What Hypothesis draws: names of columns, and ids that are equally spaced numbers of a type."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import duckdb
from hypothesis import strategies as st
from random_data.ids import WHOLE as BOUNDS_OF_WHOLE
from random_data.naming import some_names
from random_data.relations import quoted

SPAN = 40  # the largest id has this number
WHOLE = ("TINYINT", "INTEGER", "UINTEGER", "BIGINT", "UBIGINT", "HUGEINT")
# The smallest and the largest number of a type; text holds the numbers as text.
_BOUNDS = {
    **{kind: BOUNDS_OF_WHOLE[kind] for kind in WHOLE},
    **{"HUGEINT": (-(2**126), 2**126), "DECIMAL(38, 0)": (-(10**37), 10**37), "DECIMAL(38, 2)": (-(10**35), 10**35)},
    **{"VARCHAR": BOUNDS_OF_WHOLE["BIGINT"], "UUID": (0, 2**126)},
}
KINDS = tuple(_BOUNDS)


@dataclass(frozen=True)
class Ids:
    """The ids number 0 to 40 of a column: numbers of a type from `low` on in equal steps, or text or UUIDs of them."""

    kind: str = "BIGINT"
    low: int = 0
    step: int = 1

    def of(self, number: int) -> str:
        """Return the id with this number, as text that DuckDB casts to the type."""
        return self._text(self.low + number * self.step)

    def others(self) -> list[str]:
        """Return ids of this type that have no number: the most distant ones."""
        high = self.low + SPAN * self.step
        return [self._text(bound) for bound in _BOUNDS[self.kind] if not self.low <= bound <= high]

    def _text(self, held: int) -> str:
        return str(uuid.UUID(int=held)) if self.kind == "UUID" else str(held)


@st.composite
def ids(draw: st.DrawFn, kinds: Sequence[str] = KINDS) -> Ids:
    """Draw ids: of any type, anywhere in its range, and with a range of up to 32 bits or of the whole type."""
    kind = draw(st.sampled_from(kinds))
    low, high = _BOUNDS[kind]
    spans = [2**bits - 1 for bits in (6, 22, 26, 27, 28, 29, 30, 31, 32, 62) if 2**bits - 1 <= high - low]
    span = draw(st.sampled_from([SPAN, SPAN, *spans]))
    starts = [0, -30, -(2**22), 2**22 - 9, 2**31 - 9, 2**53 - 9, 2**62 - span - 1, low, high - span]
    start = draw(st.sampled_from([each for each in starts if low <= each <= high - span]))
    return Ids(kind, start, span // SPAN)


def names(number: int) -> st.SearchStrategy[list[str]]:
    """Draw names of columns of one relation."""
    return st.integers(0, 9_999).map(partial(some_names, number))


def create(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]
) -> None:
    """Create a table with these names and types of columns."""
    held = ", ".join(f"CAST(unnest(?) AS {kind}) AS {quoted(name)}" for name, kind in columns)
    values = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(f"CREATE TABLE {table} AS SELECT {held}", values)
