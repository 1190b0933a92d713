"""Names all columns that run, qrels and optional inputs lack, in one message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from recall_duckdb.errors import UnknownNameError, commas, quote, spell
from recall_duckdb.reading.columns import Reader, family_of

# The columns that a source must have: for each, the argument that names it, and its name.
Wanted: TypeAlias = Sequence[tuple[str, str | None]]

# How a hint begins that proposes an argument.
_PROPOSAL = "Did you mean "
_MOST_SOURCES = 3  # that the message describes


def check_missing(wanted: Iterable[tuple[Reader, Wanted]]) -> None:
    """Refuse sources that lack several columns. Where a single one is missing, its reader says so later.

    Raises:
        UnknownNameError: the message lists the missing columns of up to three sources, with likely ones instead, and
            the columns of these sources.
    """
    lacking = [(reader, missing) for reader, columns in wanted if (missing := _find_missing(reader, columns))]
    if sum(len(missing) for _, missing in lacking) < 2:
        return
    meant: set[str] = set()
    of_qrels = [each for each in lacking[_MOST_SOURCES:] if each[0].side == "qrels"][:1]  # needs its own arguments
    described = [*lacking[: _MOST_SOURCES - len(of_qrels)], *of_qrels]
    parts = [_describe(reader, missing, meant) for reader, missing in described]
    more = len(lacking) - len(parts)
    parts += [f"{more:,} more {'source lacks' if more == 1 else 'sources lack'} columns too"] if more else []
    raise UnknownNameError(". ".join(parts))


def _find_missing(reader: Reader, columns: Wanted) -> list[tuple[str, str]]:
    """Return the columns that a source lacks, each once; none if it has other faults, which its reader reports."""
    source = reader.source
    if source.columns is None or source.is_canonical or source.headerless is not None:
        return []
    has_lists = any(family_of(kind) in ("list", "map") for kind in source.columns.values())
    missing: dict[str, tuple[str, str]] = {}
    for argument, name in columns:
        # Lists need no score or relevance.
        if name is None or reader.has(name) or (has_lists and argument in ("score", "relevance")):
            continue
        missing.setdefault(name.casefold(), (argument, name))
    return list(missing.values())


def _describe(reader: Reader, missing: Sequence[tuple[str, str]], before: set[str]) -> str:
    """Return the sentences about one source; `before` are the arguments that earlier ones proposed."""
    proposed: list[str] = []
    others: list[str] = []
    are_items = reader.of_each_item() and any(argument.endswith("item") for argument, _ in missing)
    for argument, name in missing:
        if are_items and argument in ("score", "rank", "relevance"):  # the items' columns hold these numbers
            continue
        hint = reader.hint(argument, name).strip()
        instead = hint.removeprefix(_PROPOSAL).partition("?")[0] if hint.startswith(_PROPOSAL) else ""
        if not instead:
            others += [hint] if hint and hint not in others else []
        elif (
            instead not in proposed and re.sub(r"qrels[_-]", "", instead) not in before
        ):  # query= also names the query column of the qrels
            proposed.append(instead)
    before |= set(proposed)
    columns = ", ".join(quote(name) for _, name in missing)
    arguments = ", ".join(spell(argument) for argument, _ in missing)
    return (
        f"{reader.side} ({reader.source.label}) has no {'columns' if len(missing) > 1 else 'column'} {columns} "
        f"({arguments}).{f' {_PROPOSAL}' + ', '.join(proposed) + '?' if proposed else ''}"
        f"{''.join(f' {hint}' for hint in others)} Its columns: {commas(reader.source.columns or [])}"
    )
