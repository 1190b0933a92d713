"""Makes canonical relations of what the user gave: finds the sources, their columns and their shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlglot import exp

from recall_duckdb.definitions.trees import Column, literal
from recall_duckdb.engines import Session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    UnknownNameError,
    apart,
    commas,
    nearest,
    told,
)
from recall_duckdb.inputs.columns import NUMBERS, Reader, as_number, family_of, numbered
from recall_duckdb.inputs.finding import Found, side_of
from recall_duckdb.inputs.keys import Key, match
from recall_duckdb.inputs.relations import Inputs, SourceSelect
from recall_duckdb.question import OPTIONAL_INPUTS, Data, Names, Question

LONE_MODEL = "run"
_LARGEST_RANK = 2**53  # above it, not every whole number is a DOUBLE


def prepare(data: Question, found: Found, session: Session, *, must_exist: bool = True) -> Inputs:
    """Find the columns that the user named, compare types, and return the canonical relations.

    Raises:
        UnknownNameError: a column is not there; the message lists those that are.
        ArgumentError: arguments contradict each other.
        ArgumentTypeError: a column has a type that its part does not allow, or run and qrels differ in a key's type.
    """
    names = data.names
    of_run = [*names.query, names.item, *names.scores, names.relevance, data.rank, data.model, *names.by]
    readers = {model: Reader(source, side_of(model), filter(None, of_run)) for model, source in found.runs.items()}
    first = next(iter(readers.values()))
    labelled = data.qrels is None and data.needs_judgements
    judge = first
    if found.qrels is not None:
        of_qrels = [*names.qrels_query, names.qrels_item, names.relevance, *names.by]
        judge = Reader(found.qrels, "qrels", filter(None, of_qrels))
        _check_swapped(first, judge, names, data.rank)
    run_shape = "scores" if data.rank is None or data.policies.ranks == "renumber" else "ranks"
    if first.family("item", names.item) == "list":
        run_shape = "lists"
        names = replace(names, qrels_item=names.relevance or "") if labelled else names
    _check_labels(judge, names, labelled)
    if session.target != "duckdb":
        _check_single(first, "item", names.item, session.target)
        _check_single(judge, "qrels_item", names.qrels_item, session.target)
    optional = {role: Reader(source, role) for role, source in found.optional.items()}
    _compare(
        list(readers.values()),
        judge,
        optional,
        names,
        data.model,
        session,
        check=must_exist,
        as_text=data.policies.ids == "text",
    )
    _check_unused(data, run_shape)
    has_qrels = labelled or data.qrels is not None
    by_side = "item_slices" if names.item_by else _by_side(first, judge, names, has_qrels)
    selects, models = _run_selects(data, names, readers, run_shape)
    qrels_shape, judged = _qrels_select(names, judge, labelled) if has_qrels else ("none", None)
    if labelled and qrels_shape != "rows" and (len(readers) > 1 or data.model is not None):
        raise ArgumentError(
            f"run: for several models with lists, pass the relevant items as {told('qrels')}, the same for all"
        )
    relations = {"run_source": selects} | ({} if judged is None else {"qrels_source": [judged]})
    owners = [reader for reader in readers.values() for _ in names.scores]
    if labelled and qrels_shape == "rows":
        relations = {"labelled": selects}
        for select, reader in zip(selects, owners, strict=True):
            select.numbers.append(_relevance(reader, names))
    sliced = list(zip(selects, owners, strict=True)) if names.by else []
    if judged is not None and by_side == "qrels" and "labelled" not in relations:
        sliced = [(judged, judge)]
    for select, reader in sliced:
        select.extras.extend(_keys(reader, "by", names.by, "slice"))
    user_names = {
        "query": names.query[0], "item": names.item, "score": data.rank or names.scores[0], "rank": data.rank or "rank",
        "relevance": names.relevance or "relevance",
        "qrels_query": names.qrels_query[0], "qrels_item": names.qrels_item,
        "by": ", ".join(names.by or names.item_by), "model": data.model or "model",
    }  # fmt: skip
    relations |= {role: [_optional_select(role, reader, names)] for role, reader in optional.items()}
    looked_up = first.source.columns is not None and judge.source.columns is not None
    all_files = [reader.source.watched for reader in (*readers.values(), judge, *optional.values())]
    watched = list({id(files): files for files in all_files if files is not None}.values())
    return Inputs(
        relations,
        run_shape,
        qrels_shape,
        names.query,
        names.by or names.item_by,
        by_side,
        models,
        user_names,
        looked_up,
        watched,
    )


def _check_single(reader: Reader, argument: str, name: str, dialect: str) -> None:
    """Refuse lists and maps on other engines: each unnests them in another way."""
    if reader.family(argument, name) in ("list", "map"):
        raise ArgumentError(
            f"{reader.side} ({reader.source.label}): column {name!r} ({told(argument)}) holds lists. SQL for "
            f"{dialect} cannot unnest them: make a view with one row for each item"
        )


def _optional_columns(reader: Reader, role: str, names: Names) -> dict[str, list[str]]:
    """Return the key columns of an optional input, with the names of the run or else of the qrels."""
    found = {}
    shared = {"query": (names.query, names.qrels_query), "item": ([names.item], [names.qrels_item])}
    for key in OPTIONAL_INPUTS[role][0]:
        of_run, of_qrels = shared.get(key, ([key], [key]))
        in_qrels = not all(map(reader.has, of_run)) and all(map(reader.has, of_qrels))
        found[key] = of_qrels if in_qrels else of_run
    if role == "item_slices":
        found["item_by"] = names.item_by
    names_used = [name for own in found.values() for name in own]
    if len(set(names_used)) < len(names_used):
        raise ArgumentError(
            f"{role}: two of its columns would have the same name: {commas(names_used)}. Rename the item "
            "column of the run"
        )
    return found


def _optional_select(role: str, reader: Reader, names: Names) -> SourceSelect:
    for name in _optional_columns(reader, role, names).get("item", []):
        if reader.family("item", name) in ("list", "map"):
            raise ArgumentTypeError(f"{role}: column {name!r} holds lists, but a row is of one item: unnest it first")
    keys = [
        column
        for key, own in _optional_columns(reader, role, names).items()
        for column in _keys(reader, key, own, "slice" if key == "item_by" else key)
    ]
    return SourceSelect(reader.source.relation, keys, [_number(reader, number) for number in OPTIONAL_INPUTS[role][1]])


def _number(reader: Reader, name: str) -> Column:
    if name == "weight" and reader.side == "features" and not reader.has(name):
        return Column(literal(1), name)
    return reader.number(name, name, NUMBERS, f"{name} is a number")


def _check_unused(data: Data, shape: str) -> None:
    """Refuse arguments that could only be ignored."""
    for name in ("qrels_query", "qrels_item"):
        if data.qrels is None and getattr(data, name) is not None:
            raise ArgumentError(
                f"{name}: it names a column of the qrels, but there are none. Pass {told('qrels')}, or leave it out"
            )
    scored = data.score not in ("score", ["score"], ("score",))
    shape = "ranks" if data.rank is not None and shape == "scores" else shape
    if shape == "lists" and (data.rank is not None or scored):
        raise ArgumentError(
            f"{'score' if data.rank is None else 'rank'}: {data.item!r} ({told('item')}) holds lists, whose "
            "order is the ranking. Leave it out, or name a column of single items"
        )
    if shape == "ranks" and scored:
        raise ArgumentError(f"score: {data.rank!r} ({told('rank')}) already ranks the items. Pass only one of the two")


def _run_selects(
    data: Data, names: Names, readers: Mapping[str | None, Reader], shape: str
) -> tuple[list[SourceSelect], list[str] | None]:
    """Return a SELECT for each model, and the names of the models, or None if a column holds them."""
    selects, models = [], []
    for model, reader in readers.items():
        for score in names.scores:
            unnamed = score if len(names.scores) > 1 else reader.source.tag or LONE_MODEL
            models.append(unnamed if model is None else model)
            selects.append(_run_select(data, names, reader, shape, score))
    if data.model is not None:
        for select, reader in zip(selects, readers.values(), strict=True):
            select.names.insert(0, reader.key("model", data.model, "model"))
        return selects, None
    if len(models) > 1:  # one model needs no column, and its statement is cheaper
        for select, name in zip(selects, models, strict=True):
            select.names.insert(0, Column(literal(name), "model"))
    return selects, models


def _check_trec(reader: Reader, query: list[str]) -> None:
    if reader.source.is_trec and len(query) > 1:
        raise ArgumentError(
            f"query: {reader.source.label!r} is a TREC file, whose query is one column, not {commas(query)}. "
            "Name one column, or give the data in another form"
        )


def _check_labels(judge: Reader, names: Names, labelled: bool) -> None:
    if labelled and judge.source.is_trec:
        raise ArgumentError(f"run: {judge.source.label!r} is a TREC run, which holds no labels. Pass {told('qrels')}")
    if labelled and names.relevance is not None and not judge.has(names.relevance):
        hint = judge.hint("relevance", names.relevance)
        raise UnknownNameError(
            f"no {told('qrels')} was given, and run ({judge.source.label}) has no column "
            f"{names.relevance!r} ({told('relevance')}) to judge by.{hint} {'Otherwise pass' if hint else 'Pass'} "
            f"{told('qrels')}. Its columns: {commas(judge.source.columns or [])}"
        )


def _check_swapped(run: Reader, judge: Reader, names: Names, rank: str | None) -> None:
    """Refuse a run and qrels each of which lacks its own number and has the other's."""
    argument, ordered = ("rank", [rank]) if rank is not None else ("score", names.scores)
    in_run, in_qrels = ([reader.has(name) for name in ordered] for reader in (run, judge))
    is_list = run.has(names.item) and run.family("item", names.item) == "list"  # lists need no score
    is_judged = names.relevance is None or (run.has(names.relevance) and not judge.has(names.relevance))
    if all(in_qrels) and not any(in_run) and is_judged and not is_list:
        lacks = "" if names.relevance is None else f", and the qrels have no column {names.relevance!r}"
        raise UnknownNameError(
            f"run ({run.source.label}) has no column {ordered[0]!r} ({told(argument)}), but the qrels "
            f"({judge.source.label}) have one{lacks}. Are run and qrels swapped? "
            f"Columns of the run: {commas(run.source.columns or [])}"
        )


def _compare(
    readers: list[Reader],
    judge: Reader,
    optional: Mapping[str, Reader],
    names: Names,
    model: str | None,
    session: Session,
    *,
    check: bool,
    as_text: bool,
) -> None:
    """Bring the keys of all sources to types that can be equal."""
    numbers = [*names.scores, *([] if names.relevance is None else [names.relevance])]
    for reader in [*readers, judge]:
        _check_trec(reader, names.query)
    for reader in readers:
        own = {**_text(reader, names, model), **dict.fromkeys(names.query, "query"), names.item: "item"}
        if reader is judge:  # with lists, the relevant items are a separate column
            own[names.qrels_item] = "qrels_item"
        reader.untyped_as(own, numbers, session)
    if judge not in readers:
        own = {**dict.fromkeys(names.qrels_query, "qrels_query"), names.qrels_item: "qrels_item"}
        judge.untyped_as({**_text(judge, names, None), **own}, numbers, session)
    held = [
        (reader, _optional_columns(reader, role, names), OPTIONAL_INPUTS[role][1]) for role, reader in optional.items()
    ]
    for reader, columns_by_key, weights in held:
        reader.untyped_as({name: key for key, own in columns_by_key.items() for name in own}, weights, session)
    keys = [("query", mine, "qrels_query", theirs) for mine, theirs in zip(names.query, names.qrels_query, strict=True)]
    for place, (argument, mine, other, theirs) in enumerate(
        [*keys, ("item", names.item, "qrels_item", names.qrels_item)]
    ):
        columns: list[Key] = [*((reader, argument, mine) for reader in readers), (judge, other, theirs)]
        for reader, columns_by_key, _ in held:
            if argument == "query" and "query" in columns_by_key:
                columns.append((reader, "query", columns_by_key["query"][place]))
            columns += [
                (reader, key, columns_by_key[key][0])
                for key in ("item", "other")
                if argument == "item" and key in columns_by_key
            ]
        match(columns, session, check=check, as_text=as_text)
    for name in names.by:
        if all(reader.has(name) for reader in readers) and (judge in readers or not judge.has(name)):
            match([(reader, "by", name) for reader in readers], session, check=check)


def _text(reader: Reader, names: Names, model: str | None) -> dict[str, str]:
    """Return the columns other than ids that are text in files without types: model and slices."""
    held = {name: "by" for name in names.by if reader.has(name)}
    return held if model is None else {**held, model: "model"}


def _by_side(run: Reader, judge: Reader, names: Names, has_qrels: bool) -> str | None:
    if not names.by:
        return None
    for side, reader in (*([("qrels", judge)] if has_qrels else []), ("run", run)):
        if all(reader.has(name) for name in names.by):
            return side
    of_qrels = [name for name in names.by if judge.has(name)]
    others = [name for name in names.by if name not in of_qrels]
    if all(run.has(name) for name in others):
        raise ArgumentError(
            f"by: the columns must be in one relation, but the qrels hold {commas(of_qrels)} and only the run holds "
            f"{commas(others)}. Put all of them into the qrels, or pass the columns of one relation"
        )
    held = list(dict.fromkeys([*(judge.source.columns or []), *(run.source.columns or [])]))
    lost = [name for name in others if not run.has(name)]
    raise UnknownNameError(
        f"by: neither qrels nor run has the {'column' if len(lost) == 1 else 'columns'} {commas(lost)}."
        f"{apart('by', lost[0]) or nearest(lost[0], held)} Columns there: {commas(held)}"
    )


def _keys(reader: Reader, argument: str, names: list[str], canonical: str) -> list[Column]:
    pairs = zip(names, numbered(canonical, len(names)), strict=True)
    return [reader.key(argument, name, column) for name, column in pairs]


def _relevance(reader: Reader, names: Names) -> Column:
    if names.relevance is None:
        return Column(literal(1), "relevance")
    column = reader.number("relevance", names.relevance, (*NUMBERS, "boolean"), "relevance is a number")
    may_fail = reader.source.untyped or reader.source.elsewhere
    if may_fail and reader.family("relevance", names.relevance) == "boolean":
        # DuckDB 2 would cast the text true to a number while it reads the file, which fails. PostgreSQL has no cast
        # from boolean to a number.
        return column._replace(expression=as_number(column.expression))
    return column


def _run_select(data: Data, names: Names, reader: Reader, shape: str, score: str) -> SourceSelect:
    keys, relation = _keys(reader, "query", names.query, "query"), reader.source.relation
    held = reader.family("item", names.item)
    if held not in ("unknown", "list") if shape == "lists" else held in ("list", "map"):
        raise ArgumentTypeError(f"{reader.side}: column {names.item!r} must hold lists in every run, or in none")
    if shape == "lists":
        return SourceSelect(relation, keys, extras=[reader.key("item", names.item, "items")])
    keys.append(reader.key("item", names.item, "item"))
    if data.rank is None:
        return SourceSelect(relation, keys, [reader.number("score", score, NUMBERS, "a score is a number")])
    rank = reader.number("rank", data.rank, NUMBERS, "a rank is a whole number, 1 for the first")
    if shape == "scores":
        number = exp.cast(rank.expression, "DOUBLE")  # an unsigned number cannot be negated
        return SourceSelect(relation, keys, [Column(exp.Neg(this=number), "score")])
    is_whole = reader.family("rank", data.rank) != "number"
    return SourceSelect(relation, [*keys, rank if is_whole else rank._replace(expression=_whole(rank.expression))])


def _whole(number: exp.Expr) -> exp.Case:
    """Return a number as BIGINT, and NULL if it is not a whole number."""
    is_whole = exp.and_(
        exp.EQ(this=number, expression=exp.Floor(this=number.copy())),
        exp.Between(this=number.copy(), low=literal(-_LARGEST_RANK), high=literal(_LARGEST_RANK)),
    )
    return exp.Case(ifs=[exp.If(this=is_whole, true=exp.cast(number.copy(), "BIGINT"))])


def _qrels_select(names: Names, reader: Reader, labelled: bool) -> tuple[str, SourceSelect]:
    keys, relation = _keys(reader, "qrels_query", names.qrels_query, "query"), reader.source.relation
    held = reader.family("qrels_item", names.qrels_item)
    if held == "map" and names.relevance is None:
        raise ArgumentError(
            f"{told('relevance', None)} means that every row of the qrels is relevant, but column "
            f"{names.qrels_item!r} ({told('qrels_item')}) holds maps, which say how relevant each item is. Leave "
            f"{told('relevance')} out, or pass lists of the relevant items"
        )
    if held == "map":
        kind = dict(reader.kind(reader.name("qrels_item", names.qrels_item)).children)["value"]
        if family_of(kind) not in (*NUMBERS, "boolean"):
            raise ArgumentTypeError(
                f"{reader.side} ({reader.source.label}): the maps in column {names.qrels_item!r} "
                f"({told('qrels_item')}) hold {kind}, but relevance is a number"
            )
    if held in ("list", "map"):
        return f"{held}s", SourceSelect(relation, keys, extras=[reader.key("qrels_item", names.qrels_item, "items")])
    if labelled and names.relevance is not None and names.qrels_item == names.relevance:
        raise ArgumentTypeError(
            f"{reader.side}: where {names.item!r} holds lists, {names.relevance!r} ({told('relevance')}) holds lists "
            "of the relevant items, or maps from item to relevance; "
            f"it is {reader.kind(reader.name('relevance', names.relevance))}"
        )
    if labelled:
        return "rows", SourceSelect(relation, keys)
    return "rows", SourceSelect(
        relation, [*keys, reader.key("qrels_item", names.qrels_item, "item")], [_relevance(reader, names)]
    )
