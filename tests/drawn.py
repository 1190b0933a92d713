"""Column names and ids for tests. Draw them, so that no test holds only for the names and ids of the documentation."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import duckdb
from hypothesis import strategies as st

# Names that need quotes, and names that the package uses itself: of canonical columns, of columns and relations of
# fast plans, and of output. `model` and `rank` are missing: a query or a score column of this name is refused.
NAMES = (
    *("user_id", "query", "item", "score", "relevance", "slice", "label", "clicked", "weight"),
    *("number", "code", "codes", "places", "source", "run", "qrels", "tops", "items", "hits", "gain", "relevant"),
    *("query_low", "row_count", "sampled_score", "part", "extra", "name", "query_1", "is_open", "n", "found"),
    *(
        "User ID",
        "ITEM",
        "Query",
        "a b",
        'a "quoted" name',
        "it's",
        "a.b",
        "$k",
        "?",
        "*",
        "--",
        "é",
        "漢",
        "select",
        "1",
    ),
)
SPAN = 40  # the largest id has this number

# The smallest and the largest number of a type; text holds the numbers as text.
_BOUNDS = {
    "TINYINT": (-(2**7), 2**7 - 1),
    "INTEGER": (-(2**31), 2**31 - 1),
    "UINTEGER": (0, 2**32 - 1),
    "BIGINT": (-(2**63), 2**63 - 1),
    "UBIGINT": (0, 2**64 - 1),
    "HUGEINT": (-(2**126), 2**126),
    "DECIMAL(38, 0)": (-(10**37), 10**37),
    "DECIMAL(38, 2)": (-(10**35), 10**35),
    "VARCHAR": (-(2**63), 2**63 - 1),
    "UUID": (0, 2**126),
}
KINDS = tuple(_BOUNDS)
WHOLE = tuple(kind for kind in KINDS if kind.endswith("INT") or kind.endswith("INTEGER"))


@dataclass(frozen=True)
class Ids:
    """The ids number 0 to 40 of a column: equally spaced numbers of a type of DuckDB, or text or UUIDs of them.

    Attributes:
        kind: the type.
        low: the smallest number.
        step: the distance of two neighbours.
    """

    kind: str = "BIGINT"
    low: int = 0
    step: int = 1

    def of(self, number: int) -> str:
        """Return the id with this number, as text that DuckDB casts to the type."""
        held = self.low + number * self.step
        return str(uuid.UUID(int=held)) if self.kind == "UUID" else str(held)

    def others(self) -> list[str]:
        """Return ids of this type that have no number: the most distant ones."""
        bounds = _BOUNDS[self.kind]
        held = [bound for bound in bounds if not self.low <= bound <= self.low + SPAN * self.step]
        return [str(uuid.UUID(int=bound)) if self.kind == "UUID" else str(bound) for bound in held]


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
    """Draw names of columns of one relation.

    DuckDB does not tell capital letters apart. Next to `query`, it would name a second one of a file `query_1`.
    """
    return st.lists(st.sampled_from(NAMES), min_size=number, max_size=number, unique_by=_without_number)


def _without_number(name: str) -> str:
    return re.sub(r"_\d+$", "", name.casefold())


def some_names(number: int, seed: object) -> list[str]:
    """Return names of columns of one relation, for tests that draw nothing else."""
    shuffled = Random(repr(seed)).sample(NAMES, len(NAMES))
    return list({name.casefold(): name for name in shuffled}.values())[:number]


def quoted(name: str) -> str:
    """Return a name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def create(
    connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[Any]]
) -> None:
    """Create a table with these names and types of columns."""
    held = ", ".join(f"CAST(unnest(?) AS {kind}) AS {quoted(name)}" for name, kind in columns)
    values = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(f"CREATE TABLE {table} AS SELECT {held}", values)
