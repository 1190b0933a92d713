"""Writes the errors about columns: those that are missing, with likely ones instead, and those of a wrong type."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from recall_duckdb.advice.files import headerless
from recall_duckdb.definitions.trees import identifier, literal
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    RecallError,
    UnknownNameError,
    apart,
    commas,
    nearest_name,
    quote,
    spell,
)
from recall_duckdb.question.policies import is_distance
from recall_duckdb.reading.columns import FIXED, NUMBERS, Reader, element_of, family_of
from recall_duckdb.reading.usual_names import USUAL_NAMES, as_score, is_usual_name, usual_field, without_separators

_Column = tuple[Reader, str]
_MOST_SOURCES = 3  # that the message describes


def absent(reader: Reader, argument: str, name: str) -> RecallError:
    """Return the error for a column that a source lacks, or that cannot be read."""
    source = reader.source
    if name in source.faults:
        return ArgumentTypeError(f"{reader.column(argument, name)} {source.faults[name]}")
    if source.headerless is not None:
        text = headerless(reader.side, source.label, source.headerless, reader.named[:3])
        is_header = f". If that line is a header, pass its names as {spell('query')}, {spell('item')} and so on"
        return UnknownNameError(f"{text}{is_header if source.may_have_header else ''}")
    problem, fix = _describe(reader, [(argument, name)], set(), is_alone=True)
    return UnknownNameError(problem, fix=fix)


def several_absent(lacking: Sequence[tuple[Reader, Sequence[tuple[str, str]]]]) -> UnknownNameError:
    """Return the error for sources that lack several columns, given by argument and name."""
    meant: set[str] = set()
    of_qrels = [each for each in lacking[_MOST_SOURCES:] if each[0].side == "qrels"][:1]  # needs its own arguments
    described = [*lacking[: _MOST_SOURCES - len(of_qrels)], *of_qrels]
    parts = [". ".join(_describe(reader, missing, meant)) for reader, missing in described]
    more = len(lacking) - len(parts)
    parts += [f"{more:,} more {'source lacks' if more == 1 else 'sources lack'} columns too"] if more else []
    return UnknownNameError(". ".join(parts))


def _describe(
    reader: Reader, missing: Sequence[tuple[str, str]], before: set[str], *, is_alone: bool = False
) -> tuple[str, str]:
    """Return what one source lacks, and what to pass instead; `before` are the arguments that earlier ones proposed.

    With `is_alone`, nothing else is missing, so that there is room for all advice.
    """
    proposed, others = list[str](), list[str]()
    are_items = _of_each_item(reader) and any(argument.endswith("item") for argument, _ in missing)
    for argument, name in missing:
        if are_items and argument in ("score", "rank", "relevance"):  # the items' columns hold these numbers
            continue
        instead, more = _proposal(reader, argument, name)
        if more and more not in others and (not instead or is_alone):
            others.append(more)
        if instead and instead not in proposed and re.sub(r"qrels[_-]", "", instead) not in before:
            proposed.append(instead)  # query= also names the query column of the qrels
    before |= set(proposed)
    columns = ", ".join(quote(name) for _, name in missing)
    arguments = ", ".join(spell(argument) for argument, _ in missing if argument not in FIXED)
    problem = f"{reader.side} ({reader.source.label}) has no {'columns' if len(missing) > 1 else 'column'} {columns}"
    instead = f" Did you mean {', '.join(proposed)}?" if proposed else ""
    if reader.side == "item_map":
        instead, others = f" {_renamed(reader)}", []
    fix = f"{instead}{''.join(others)} Its columns: {commas(reader.source.columns or [])}".strip()
    return f"{problem} ({arguments})" if arguments else problem, fix


def _proposal(reader: Reader, argument: str, name: str) -> tuple[str, str]:
    """Return the arguments to pass instead of a missing column, and further sentences; "" for none."""
    meant = meant_by(reader, argument, name)
    instead = "" if meant is None else spell(argument, meant)
    several = apart(argument, name).removeprefix(" Did you mean ").removesuffix("?")
    role = argument.removeprefix("qrels_")
    if argument in ("by", "item_by"):
        return several or instead, ""
    if argument in FIXED or not reader.side.startswith(("run", "qrels", "values")):  # no argument for this source alone
        return "", "" if meant is None else f" Rename its column {meant!r} to {name!r}."
    if several and role in ("query", "score"):
        return several, ""
    mixed = "" if reader.side == "run" else " If other runs hold scores, make one column of them: minus the distance."
    if argument == "score" and meant is None and (other := _instead_of_score(reader)):
        return other, mixed if spell("order", "ascending") in other else ""
    wide = _in_ranks(reader)
    of_items = _of_each_item(reader) if role == "item" else ""
    if of_items or (wide and role in ("item", "score")):
        return "", f"{wide}{of_items}"
    more = ""
    if argument == "relevance" and reader.side == "qrels" and name.casefold() in ("relevance", "none"):
        swapped = " Or are run and qrels swapped?" if meant is not None and "score" in meant.casefold() else ""
        more = f"{swapped} If every row of the qrels is relevant, pass {spell('relevance', None)}."
    elif argument == "score":
        in_ranks = f" If it holds ranks instead, name their column ({spell('rank')})."
        more = (is_distance(name) and mixed) or in_ranks
    return instead, more


def _instead_of_score(reader: Reader) -> str:
    """Return the arguments for a column of distances or ranks; "" if there is none."""
    distance = next((name for name in reader.source.columns or () if is_distance(name)), None)
    if distance is not None:
        return f"{spell('score', distance)} with {spell('order', 'ascending')}"
    rank = meant_by(reader, "rank", "rank")
    return "" if rank is None else spell("rank", rank)


def meant_by(reader: Reader, argument: str, name: str) -> str | None:
    """Return the column that the user probably meant, by spelling or by common name; None if there is none."""
    free = reader.free()
    usual = USUAL_NAMES.get(argument.removeprefix("qrels_"), ())
    alike = {without_separators(column): column for column in reversed(free)}
    known = next((alike[each] for each in usual if each in alike), None)
    # A field in a column of lists of objects; a score next to an item is that of the run.
    for column, kind in (reader.source.columns or {}).items() if usual and known is None else ():
        inner = element_of(kind) if family_of(kind) == "list" and not reader.source.elsewhere else None
        fields = [] if inner is None or inner.id != "struct" else [field for field, _ in inner.children]
        fields = [field for field in fields if argument != "relevance" or not is_usual_name(field, "score")]
        field = usual_field(fields, argument.removeprefix("qrels_"))
        if field is not None:
            known = f"{column}.{field}"
            break
    # Prefer common names if the user kept the default name.
    return known or nearest_name(name, free) if name in usual[:1] else nearest_name(name, free) or known


def _of_each_item(reader: Reader) -> str:
    """Return how to read a column for each item, if all columns that no argument names may hold its numbers."""
    keys = [name for name in reader.source.columns or {} if reader.is_named(name) or is_usual_name(name, "query")]
    others = [name for name in reader.source.columns or {} if name not in keys]
    families = {family_of(reader.kind(name)) for name in others}
    are_numbers = families <= {"whole number", "number"} or families == {"boolean"}
    if len(others) < 3 or not are_numbers or any(map(is_usual_name, others)) or reader.source.elsewhere:
        return ""
    are = f" If {commas(others[:2])} and so on are items, make a row for each query and item. In pandas: "
    if not keys:
        return f"{are}frame.stack().dropna(), with the query as the index."
    number, excluded = "score" if reader.side.startswith("run") else "relevance", ", ".join(map(_quoted, keys))
    unpivot = f"FROM (UNPIVOT relation ON COLUMNS(* EXCLUDE ({excluded})) INTO NAME item VALUE {number})"
    return f"{are}frame.set_index({keys}).stack().dropna(), or without set_index. In DuckDB: {unpivot}."


def _renamed(reader: Reader) -> str:
    names = list(reader.source.columns or ())
    others = [name for name in names if name.casefold() not in ("item", "unit")]
    if reader.source.watched is None or len(names) < 2:
        return "Rename its columns to 'item' and 'unit'."
    missing = [name for name in ("item", "unit") if name not in map(str.casefold, names)]
    new = dict(zip(missing, others, strict=False))
    columns = ", ".join(f"{_quoted(new[name])} AS {name}" if name in new else name for name in ("item", "unit"))
    return f"Name its columns: (SELECT {columns} FROM {literal(reader.source.label).sql('duckdb')})."  # noqa: S608


def _quoted(name: str) -> str:
    return identifier(name).sql("duckdb")


def _in_ranks(reader: Reader) -> str:
    """Return how to read items in a column for each rank, if names of columns are numbered."""
    columns = reader.source.columns or ()
    places = {name: int(found[0]) for name in columns if (found := re.search("[0-9]+$", name))}
    numbered_names, stems = list(places), {name.rstrip("0123456789") for name in places}
    if len(places) < 2 or len(stems) > 1 or [*places.values()] != sorted(places.values()):  # lists keep their order
        return ""
    if len(numbered_names) == len(columns):
        if stems == {""} and "0" not in numbered_names:
            return ""
        return f" If the columns have no names, name them by their numbers, as in {spell('query', numbered_names[0])}."
    others = [name for name in columns if name not in numbered_names]
    query = next((name for name in others if is_usual_name(name, "query")), others[0])
    told = f" If {commas(numbered_names[:2])} and so on hold the items by rank, make one column of lists."
    if reader.source.watched is None:
        names = "[name for name in frame if name[-1:].isdigit()]"
        return f"{told} In pandas: frame.set_index({query!r})[{names}].apply(list, axis=1)."
    path, ranks = literal(reader.source.label).sql("duckdb"), re.escape(*stems).replace("'", "''")
    is_text = re.search(r"\.[ct]sv\b", reader.source.label, re.IGNORECASE) is not None  # its header may look like a row
    relation = f"read_csv({path}, header = true, all_varchar = true)" if is_text else path
    lists = f"SELECT {_quoted(query)}, [*COLUMNS('^{ranks}[0-9]+$')] AS item FROM {relation}"  # noqa: S608 - only shown
    short = f"SELECT {_quoted(query)}, list_filter(item, lambda x: x IS NOT NULL) AS item FROM ({lists})"  # noqa: S608
    return f"{told} As a query: ({short})."


def swapped(run: Reader, judge: Reader, argument: str, name: str, relevance: str | None) -> UnknownNameError:
    """Return the error for a run without this number, which the qrels have."""
    lacks = "" if relevance is None else f", and the qrels have no column {relevance!r}"
    missing = f"{run.where} has no column {name!r} ({spell(argument)})"
    text = f"{missing}, but the qrels ({judge.source.label}) have one{lacks}"
    fix = f"Are run and qrels swapped? Columns of the run: {commas(run.source.columns or [])}"
    return UnknownNameError(text, fix=fix)


def no_labels(run: Reader, relevance: str) -> UnknownNameError:
    """Return the error for a run without labels, where no qrels were given."""
    meant, more = _proposal(run, "relevance", relevance)
    instead = f"Did you mean {meant}?{more} Otherwise pass" if meant else f"{more} Otherwise pass" if more else "Pass"
    lacks = f"{run.where} has no column {relevance!r} ({spell('relevance')}) to judge by"
    lists = [each for each in run.free() if re.fullmatch(r"\w+\[\]", str(run.kind(each)))]  # of single values
    relevant = f", or {spell('qrels_item', lists[0])} if it holds the relevant items" if lists else ""
    fix = f"{instead} {spell('qrels')}{relevant}. Its columns: {commas(run.source.columns or [])}"
    return UnknownNameError(f"no {spell('qrels')} was given, and {lacks}", fix=fix)


def no_slices(judge: Reader, run: Reader, by: Sequence[str], qrels_by: Sequence[str]) -> RecallError:
    """Return the error for columns of slices that are not all in one relation."""
    of_qrels = [name for name, in_qrels in zip(by, qrels_by, strict=True) if judge.has(in_qrels)]
    others = [name for name in by if name not in of_qrels]
    lost = [name for name in others if not run.has(name)]
    if not lost:
        text = f"the qrels hold {commas(of_qrels)}, and only the run holds {commas(others)}"
        return ArgumentError(text, argument="by", fix="Pass columns of one relation, or put all of them into the qrels")
    columns = list(dict.fromkeys([*(judge.source.columns or []), *(run.source.columns or [])]))
    alike = nearest_name(lost[0], columns)
    near = "" if alike is None else f" Did you mean {quote(alike)}?"
    text = f"neither qrels nor run has the {'column' if len(lost) == 1 else 'columns'} {commas(lost)}"
    of_queries = f"If a table of queries holds it, pass that as {spell('query_slices')}"
    fix = f"{apart('by', lost[0]) or near} Columns there: {commas(columns)}. {of_queries}"
    return UnknownNameError(text, argument="by", fix=fix)


def not_single(reader: Reader, argument: str, name: str, inner: Any) -> ArgumentTypeError:
    """Return the error for a column of objects, or of lists in lists; `inner` is the type of an element."""
    kind = reader.kind(name)
    fields = dict(inner.children) if inner.id == "struct" else {"id": None} if inner.id == "map" else {}
    fix = "take the value out of this one"
    if fields and not reader.source.elsewhere:
        fix = f"name the field that holds it, as in {_paths(argument, name, fields)}"
        if kind.id == "struct" and all(family_of(each) in NUMBERS for _, each in kind.children):
            numbers = "{item: number for item, number in found.items() if number is not None}"
            fix += f". If its fields are items, pass maps: {{query: {numbers} for query, found in rows}}"
    rule = f"it must hold single values{'' if inner is kind else ' or lists of them'}"
    text = f"{reader.column(argument, name)} is of type {kind}, but {rule}"
    return ArgumentTypeError(text, fix=f"Name another column, or {fix}")


def _paths(argument: str, name: str, fields: Mapping[str, Any]) -> str:
    """Return the arguments that read the item of objects, and the number next to it if they have one."""
    numbers = [field for field, kind in fields.items() if kind is not None and family_of(kind) in (*NUMBERS, "boolean")]
    others = [field for field in fields if field not in numbers]
    item = f"{name}.{usual_field(fields, 'item') or [*others, *fields][0]}"
    number = usual_field(numbers, "score" if argument == "item" else "relevance")
    if argument not in ("item", "qrels_item", "relevance") or number is None or f"{name}.{number}" == item:
        return spell(argument, item)
    if argument == "item":
        return f"{spell('item', item)}, {as_score(f'{name}.{number}')}"
    return f"{spell('qrels_item', item)}, {spell('relevance', f'{name}.{number}')}"


def no_number(reader: Reader, argument: str, name: str, rule: str) -> ArgumentTypeError:
    """Return the error for a column that holds no numbers."""
    kind = reader.kind(reader.name(argument, name))
    if argument == "relevance" and family_of(kind) == "list":
        labels = f"[item in items for item, items in zip(frame['item'], frame[{name!r}])]"
        fix = f"Label each row: frame.assign(**{{{name!r}: {labels}}}). Or pass the lists as {spell('qrels')}"
        fix += f" or, if each query is one row, as {spell('qrels_item', name)} without {spell('relevance')}"
        return ArgumentTypeError(f"{reader.column(argument, name)} holds lists next to single items", fix=fix)
    text = f"{reader.column(argument, name)} is of type {kind}, but {rule}"
    return ArgumentTypeError(text, fix="Name another column, or cast this one")


def unlike_types(one: _Column, other: _Column, *, hint: bool) -> ArgumentTypeError:
    """Return the error for columns of ids that do not compare exactly; with `hint`, the reader can pass ids='text'."""
    (first, name), (second, column) = one, other
    kinds = [reader.kind(each) for reader, each in (one, other)]
    # Floating-point numbers in lists have no shortest text.
    of_lists = [family_of(element_of(kind)) for kind in kinds if family_of(kind) in ("list", "map")]
    way = f", or pass {spell('ids', 'text')} if both sides write an id in the same way"
    as_text = way if hint and "number" not in of_lists else ""
    return ArgumentTypeError(
        f"{first.side} and {second.side} differ in type: column {name!r} of {first.side} is {element_of(kinds[0])}, "
        f"column {column!r} of {second.side} is {element_of(kinds[1])}; ids compare within one type",
        fix=f"Cast one of them{as_text}",
    )
