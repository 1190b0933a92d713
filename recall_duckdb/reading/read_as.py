"""Says in one line a side how the data of a question were read: from where, how many rows, and by which columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recall_duckdb.errors import some
from recall_duckdb.question import OPTIONAL_INPUTS

_MOST_SOURCES = 2  # in a line


@dataclass(frozen=True)
class ReadAs:
    """How one source was read."""

    side: str  # run, qrels, or the argument of an optional input
    model: str | None  # the name of the run; None if it has none, or if this is no run
    label: str  # the path or table, or a word for an object of Python
    rows: int | None  # the number of rows, if it is known without reading them
    columns: str  # the columns and what they are; empty for an optional input


def lines(sources: Sequence[ReadAs]) -> list[str]:
    """Return a line for each side, or several if its sources were read in different ways.

    >>> lines([ReadAs("run", None, "recs.parquet", 3000, "user, item, score (highest first)")])
    ['run: recs.parquet, 3,000 rows; user, item, score (highest first)']
    """
    groups: dict[tuple[str, str], list[ReadAs]] = {}
    for source in sources:
        if source.side not in OPTIONAL_INPUTS:
            groups.setdefault((source.side, source.columns), []).append(source)
    more = [f"; {each.side}: {_sources([each])}" for each in sources if each.side in OPTIONAL_INPUTS]
    found = []
    for (side, columns), alike in groups.items():
        are_all = len(alike) == sum(each.side == side for each in sources)
        models = [] if are_all else [each.model for each in alike if each.model is not None]
        title = f"{side}s" if side == "run" and len(alike) > 1 else side
        title = f"{title} {some(models, _MOST_SOURCES, last=' and ')}" if models else title
        found.append(f"{title}: {_sources(alike)}; {columns}{''.join(more) if side == 'run' else ''}")
    return found


def _sources(sources: Sequence[ReadAs]) -> str:
    """Return the sources with their number of rows, as in `recs.parquet, 3,000 rows`."""
    labels = [label for label in dict.fromkeys(_label(each.label) for each in sources) if label]
    counts = [each.rows for each in sources if each.rows is not None]
    total = sum(counts)
    rows = [f"{total:,} {'row' if total == 1 else 'rows'}"] if len(counts) == len(sources) else []
    return ", ".join([*([some(labels, _MOST_SOURCES, last=" and ")] if labels else []), *rows])


def _label(label: str) -> str:
    """Return what the user gave: a path or a name, or the kind of an object of Python.

    >>> _label("recs.parquet"), _label("the DataFrame given"), _label("the rows given")
    ('recs.parquet', 'DataFrame', '')
    """
    if not label.endswith(" given"):
        return label
    kind = label.removeprefix("the ").removesuffix(" given")
    return "" if kind == "rows" else kind
