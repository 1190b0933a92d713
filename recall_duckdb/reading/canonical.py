"""Makes canonical relations of what the user gave: finds the sources, their columns and their shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from recall_duckdb import advice
from recall_duckdb.definitions.trees import Column, literal
from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, DataError, commas, spell
from recall_duckdb.question import OPTIONAL_INPUTS, Data, Names, Question
from recall_duckdb.question.question import check_roles
from recall_duckdb.reading.columns import NUMBERS, Reader, call, canonical_names, element_of, family_of
from recall_duckdb.reading.exact_scores import exact_type, in_one_type, may_exceed_double
from recall_duckdb.reading.files import Files, path_kind
from recall_duckdb.reading.finding import Sources, side_of
from recall_duckdb.reading.forgotten import unused_columns
from recall_duckdb.reading.formats import name_of
from recall_duckdb.reading.keys import Key, check_models, check_split, match
from recall_duckdb.reading.read_as import read_as
from recall_duckdb.reading.relations import Inputs, SourceSelect, UnusedColumn

# The optional inputs that hold slices, with the argument that names their columns.
_SLICES = {"item_slices": "item_by", "query_slices": "by"}
# What messages call the shapes of qrels.
_SHAPES = {"rows": "a row for each item", "lists": "a list for each query", "maps": "a map for each query"}


@dataclass(frozen=True)
class _Parts:
    """A question with the readers of its sources."""

    data: Question
    names: Names
    session: Session
    runs: Mapping[str | None, Reader]
    judges: Sequence[Reader]  # of the qrels; the reader of the run if there are none
    optional: Mapping[str, Reader]
    scored: frozenset[str | None] = frozenset()  # the runs that hold scores if others hold ranks

    @property
    def first(self) -> Reader:
        """The reader of the first run."""
        return next(iter(self.runs.values()))

    @property
    def is_labelled(self) -> bool:
        """True if the run holds its labels."""
        return self.data.qrels is None and self.data.needs_judgements

    @property
    def qrels(self) -> Sequence[Reader]:
        """The readers of the qrels, none if there are none."""
        return () if self.first in self.judges else self.judges

    @property
    def readers(self) -> list[Reader]:
        """The readers of all sources."""
        return [*self.runs.values(), *self.qrels, *self.optional.values()]


def prepare(data: Question, sources: Sources, session: Session, *, must_exist: bool = True) -> Inputs:
    """Find the columns that the user named, compare types, and return the canonical relations."""
    parts = _parts_of(data, sources, session)
    parts, run_shape = _with_shape(parts)
    names, runs, judges = parts.names, [*parts.runs.values()], parts.judges
    _check_parts(parts, run_shape, must_exist=must_exist)
    has_qrels = parts.is_labelled or data.qrels is not None
    by_side = next((role for role in _SLICES if role in parts.optional), None) or _by_side(parts, has_qrels)
    score_type = _score_type(parts) if run_shape == "scores" else None
    selects, models = _run_selects(parts, run_shape, score_type)
    qrels_shape, judged = _qrels_selects(parts) if has_qrels else ("none", [])
    _check_shape_of_qrels(parts, qrels_shape)
    labels_in_run = parts.is_labelled and qrels_shape == "rows"
    _add_to_rows(parts, selects, judged, by_side, labels_in_run)
    relations = {"labelled" if labels_in_run else "run_source": selects}
    relations |= {} if not judged or labels_in_run else {"qrels_source": judged}
    if run_shape == "scores" and score_type is None:
        relations |= _exact_scores(parts, selects)
    relations |= {role: [_optional_select(parts, role)] for role in parts.optional}
    queries = zip(names.query, names.qrels_query, strict=True)
    inputs = Inputs(
        relations,
        run_shape,
        qrels_shape,
        names.query,
        names.by or names.item_by,
        by_side,
        models,
        user_names=_user_names(parts),
        looked_up=all(reader.source.columns is not None for reader in (parts.first, *judges)),
        watched=_watched_files(parts.readers),
        padding=_padding(runs, "item", names.item),
        qrels_padding=_padding(judges, "qrels_item", names.qrels_item) if has_qrels else None,
        text_items=not labels_in_run and _are_text(parts, "item", names.item, names.qrels_item),
        text_queries=not labels_in_run and any(_are_text(parts, "query", *names_of_key) for names_of_key in queries),
        score_type=score_type,
        values_are_read=any(reader.values_are_read for reader in parts.readers),
        remarks=_remarks(runs, data.policies.order or "descending"),
        findings=tuple(finding for reader in runs for finding in reader.source.findings),
        engine=session.target,
        slices=data.slices if names.by else "crossed",
        unused=_unused(parts, relations, run_shape) if must_exist else [],
        read_as=read_as(
            data,
            parts.runs,
            parts.qrels,
            parts.optional.values(),
            run_shape=run_shape,
            qrels_shape=qrels_shape,
            by_side=by_side,
            scored=parts.scored,
        ),
    )
    return replace(inputs, ranked=_ranked_runs(parts, inputs)) if parts.scored else inputs


def _parts_of(data: Question, sources: Sources, session: Session) -> _Parts:
    """Return a question with the readers of its sources, after a check of the columns that they lack."""
    names = data.names
    of_run = [*names.query, names.item, *names.scores, names.relevance, data.rank, data.model, *names.by]
    runs = {model: Reader(source, side_of(model), filter(None, of_run)) for model, source in sources.runs.items()}
    named = [*names.qrels_query, names.qrels_item, names.relevance, *names.qrels_by]
    judges = [Reader(source, "qrels", filter(None, named)) for source in sources.qrels]
    first = next(iter(runs.values()))
    if judges:
        _check_swapped(first, judges[0], names, data.rank)
    for reader in (*runs.values(), *judges):
        _check_trec(reader, names.query, data.model)
    scored = _scored_runs(data, names, runs)
    optional = {role: Reader(source, role) for role, source in sources.optional.items()}
    parts = _Parts(data, names, session, runs, judges or [first], optional, scored)
    _check_missing(_wanted_columns(parts))
    return parts


def _with_shape(parts: _Parts) -> tuple[_Parts, str]:
    """Return the parts and the shape of the runs: scores, ranks or lists. With lists, labels are lists too."""
    data, names = parts.data, parts.names
    if parts.first.family("item", names.item) != "list":
        of_scores = (
            data.rank is None or data.policies.ranks == "renumber" or data.unit is not None or bool(parts.scored)
        )
        return parts, "scores" if of_scores else "ranks"
    if parts.is_labelled:
        parts = replace(parts, names=replace(names, qrels_item=names.relevance or ""))
    return parts, "lists"


def _check_parts(parts: _Parts, run_shape: str, *, must_exist: bool) -> None:
    """Refuse arguments that contradict the data, and bring keys to types that compare."""
    data, names, session = parts.data, parts.names, parts.session
    _check_labels(parts)
    if session.target != "duckdb":
        _check_single(parts.first, "item", names.item, session.target)
        _check_single(parts.judges[0], "qrels_item", names.qrels_item, session.target)
    _compare(parts, check=must_exist)
    _check_unused(data, "scores and ranks" if parts.scored else run_shape)
    _check_fixed(parts)
    if not must_exist:
        return
    if data.model is None:
        for reader in parts.runs.values():
            check_models(reader, session)
    if run_shape == "scores" and data.rank is None and not parts.first.has(names.scores[0]):
        check_split(parts.first, parts.first.name("item", names.item), session)


def _check_shape_of_qrels(parts: _Parts, shape: str) -> None:
    """Refuse a depth for items that are not in lists, and lists of relevant items in the runs of several models."""
    data, names = parts.data, parts.names
    if data.policies.qrels_depth is not None:
        for judge in parts.judges:
            judge.check_ordered("relevance" if data.qrels is None else "qrels_item", names.qrels_item, shape)
    if parts.is_labelled and (len(parts.runs) > 1 or data.model is not None) and shape != "rows":
        raise ArgumentError(
            f"for several models with lists, pass the relevant items as {spell('qrels')}, the same for all",
            argument="run",
        )


def _wanted_columns(parts: _Parts) -> Iterator[tuple[Reader, _Wanted]]:
    """Return the columns that each source must have, by the arguments that name them."""
    data, names = parts.data, parts.names
    query = [("query", name) for name in names.query]
    for model, reader in parts.runs.items():
        by_score = data.rank is None or model in parts.scored
        order = [("score", name) for name in names.scores] if by_score else [("rank", data.rank)]
        yield reader, [*query, ("item", names.item), *order, ("model", data.model)]
    for judge in parts.qrels:
        of_qrels = [("qrels_query", name) for name in names.qrels_query]
        yield judge, [*of_qrels, ("qrels_item", names.qrels_item), ("relevance", names.relevance)]
    for role, reader in parts.optional.items():
        columns = _optional_columns(reader, role, names)
        numbers = [] if role == "features" else [(name, name) for name in OPTIONAL_INPUTS[role][1]]
        yield reader, [*((key, name) for key, key_names in columns.items() for name in key_names), *numbers]


# The columns that a source must have: for each, the argument that names it, and its name.
_Wanted = Sequence[tuple[str, str | None]]


def _check_missing(wanted: Iterable[tuple[Reader, _Wanted]]) -> None:
    """Refuse sources that lack several columns. Where a single one is missing, its reader says so later."""
    lacking = [(reader, missing) for reader, columns in wanted if (missing := _find_missing(reader, columns))]
    if sum(len(missing) for _, missing in lacking) > 1:
        raise advice.columns.several_absent(lacking)


def _find_missing(reader: Reader, columns: _Wanted) -> list[tuple[str, str]]:
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


def _scored_runs(data: Question, names: Names, runs: Mapping[str | None, Reader]) -> frozenset[str | None]:
    """Return the runs that hold scores if others hold ranks, by model name."""
    if data.rank is None:
        return frozenset()
    ranked = {model for model, reader in runs.items() if reader.has(data.rank)}
    others = runs.keys() - ranked
    if not ranked or not all(runs[model].has(names.scores[0]) for model in others):
        return frozenset()
    if others and data.policies.ranks == "given":
        [model] = list(others)[:1]
        raise ArgumentError(
            f"{spell('ranks', 'given')} needs ranks in every run, but {side_of(model)} has no column "
            f"{data.rank!r} ({spell('rank')})",
            fix="Leave it out, or evaluate the runs with scores by themselves",
        )
    return frozenset(others)


def _ranked_runs(parts: _Parts, inputs: Inputs) -> Inputs:
    """Return the runs that hold ranks by themselves, so that their ranks can be checked."""
    ranked = {model: reader for model, reader in parts.runs.items() if model not in parts.scored}
    selects, models = _run_selects(replace(parts, runs=ranked, scored=frozenset()), "ranks", None)
    relations = {**inputs.selects, "run_source": selects}
    user_names = {**inputs.user_names, "score": parts.data.rank or ""}
    return replace(inputs, selects=relations, run_shape="ranks", models=models, user_names=user_names)


def _add_to_rows(
    parts: _Parts,
    selects: Sequence[SourceSelect],
    judged: Sequence[SourceSelect],
    by_side: str | None,
    labels_in_run: bool,
) -> None:
    """Add the columns of slices to the relations that hold them, and the labels of a run to its rows."""
    names = parts.names
    owners = [reader for reader in parts.runs.values() for _ in names.scores]
    if by_side in ("qrels", "run"):
        in_qrels = by_side == "qrels" and not labels_in_run
        sliced, readers = (judged, parts.judges) if in_qrels else (selects, owners)
        for select, reader in zip(sliced, readers, strict=True):
            select.extras.extend(_keys(reader, "by", names.qrels_by if by_side == "qrels" else names.by, "slice"))
    if labels_in_run:
        for select, reader in zip(selects, owners, strict=True):
            select.numbers.append(_relevance(reader, names))


def _unused(parts: _Parts, relations: Mapping[str, list[SourceSelect]], run_shape: str) -> list[UnusedColumn]:
    """Return the columns of runs that no argument names, if the runs have a row for each item."""
    query = list(zip(parts.names.query, parts.names.qrels_query, strict=True))
    judged = relations.get("qrels_source", [])
    judges = [*zip(parts.qrels, judged, strict=True)] if all(len(each.names) > len(query) for each in judged) else []
    selects = relations.get("labelled") or relations["run_source"]
    return [
        column
        for reader, select in zip(parts.runs.values(), selects[:: len(parts.names.scores)], strict=True)
        if run_shape != "lists"
        for column in unused_columns(reader, select, judges, query, is_labelled=parts.is_labelled)
    ]


def _watched_files(readers: Iterable[Reader]) -> list[Files]:
    """Return the files that are read, each once."""
    files = [reader.source.watched for reader in readers]
    return list({id(each): each for each in files if each is not None}.values())


def _remarks(readers: Iterable[Reader], order: str) -> tuple[str, ...]:
    """Return what runs say that an evaluation with this order of scores ignores."""
    return tuple(reader.source.remarks[order] for reader in readers if order in reader.source.remarks)


def _user_names(parts: _Parts) -> dict[str, str]:
    """Return the user's column names by canonical name, for messages."""
    data, names = parts.data, parts.names
    return {
        "query": names.query[0], "item": names.item, "rank": data.rank or "rank",
        "score": names.scores[0] if parts.scored else data.rank or names.scores[0],
        "relevance": names.relevance or "relevance",
        "qrels_query": names.qrels_query[0], "qrels_item": names.qrels_item,
        "by": ", ".join(names.by or names.item_by), "model": data.model or "model",
    }  # fmt: skip


def _padding(readers: Iterable[Reader], argument: str, item: str) -> int | str | None:
    """Return the item that may only fill up short lists; -1 if sources differ in it, None if there is none."""
    items = {reader.padding(reader.name(argument, item)) for reader in readers}
    return items.pop() if len(items) == 1 else next((each for each in (-1, "-1") if each in items), None)


def _are_text(parts: _Parts, key: str, mine: str, theirs: str) -> bool:
    """Return True if a key, with these names in the run and in the qrels, is compared as text."""
    columns = [(reader, reader.name(key, mine)) for reader in parts.runs.values()]
    columns += [(judge, judge.name(f"qrels_{key}", theirs)) for judge in parts.qrels]
    return any(family_of(element_of(reader.kind(column))) == "text" for reader, column in columns)


def _check_single(reader: Reader, argument: str, name: str, dialect: str) -> None:
    """Refuse lists and maps on other engines: each unnests them in another way."""
    if reader.family(argument, name) in ("list", "map"):
        raise ArgumentError(
            f"{reader.side} ({reader.source.label}): column {name!r} ({spell(argument)}) holds lists",
            fix=f"SQL for {dialect} cannot unnest them: make a view with one row for each item",
        )


def _optional_columns(reader: Reader, role: str, names: Names) -> dict[str, list[str]]:
    """Return the key columns of an optional input, with the names of the run, of the qrels, or of the key."""
    columns = {}
    shared = {"query": (names.query, names.qrels_query), "item": ([names.item], [names.qrels_item])}
    for key in OPTIONAL_INPUTS[role][0]:
        known = [*shared.get(key, ()), [key]]
        columns[key] = next((names_of_key for names_of_key in known if all(map(reader.has, names_of_key))), known[0])
    if role in _SLICES:
        columns[_SLICES[role]] = names.item_by or names.by
    names_used = [name for key_names in columns.values() for name in key_names] + list(OPTIONAL_INPUTS[role][1])
    if len(set(names_used)) < len(names_used):
        raise ArgumentError(
            f"two of its columns would have the same name: {commas(names_used)}",
            argument=role,
            fix="Rename the item column of the run",
        )
    return columns


def _optional_select(parts: _Parts, role: str) -> SourceSelect:
    reader, names = parts.optional[role], parts.names
    names_by_key = _optional_columns(reader, role, names)
    for name in names_by_key.get("item", []):
        if reader.family("item", name) in ("list", "map"):
            raise ArgumentTypeError(
                f"column {name!r} holds lists, but a row is of one item",
                argument=role,
                fix="Make a row for each item, with unnest in SQL or explode in frames",
            )
    columns = {
        key: _keys(reader, key, key_names, "slice" if key in _SLICES.values() else key)
        for key, key_names in names_by_key.items()
    }
    # nulls = drop removes a row without a key. A row that lacks a slice may have a slice in another column.
    extras = columns.pop("by", []) if parts.data.slices != "crossed" and len(names.by) > 1 else []
    keys = [column for each in columns.values() for column in each]
    numbers = [_number(reader, number) for number in OPTIONAL_INPUTS[role][1]]
    return SourceSelect(reader.source.relation, keys, numbers, extras)


def _number(reader: Reader, name: str) -> Column:
    if name == "weight" and reader.side == "features" and not reader.has(name):
        return Column(literal(1), name)
    return reader.number(name, name, NUMBERS, f"{name} is a number")


def _check_unused(data: Data, shape: str) -> None:
    """Refuse arguments that could only be ignored."""
    if data.qrels is None and data.qrels_query is not None:
        raise ArgumentError(
            "it names a column of the qrels, but there are none",
            argument="qrels_query",
            fix=f"Pass {spell('qrels')}, or leave it out",
        )
    scored = data.score not in ("score", ["score"], ("score",))
    shape = "ranks" if data.rank is not None and shape == "scores" else shape
    if shape == "lists" and (data.rank is not None or scored):
        raise ArgumentError(
            f"{data.item!r} ({spell('item')}) holds lists, whose order is the ranking",
            argument="score" if data.rank is None else "rank",
            fix="Leave it out, or name a column of single items",
        )
    if shape == "ranks" and scored:
        raise ArgumentError(
            f"{data.rank!r} ({spell('rank')}) already ranks the items", argument="score", fix="Pass only one of the two"
        )


def _check_fixed(parts: _Parts) -> None:
    """Refuse names of columns for files with fixed columns, such as those of TREC."""
    data = parts.data
    of_run = {"score": data.score != "score", "rank": data.rank is not None}
    of_qrels = {
        "relevance": data.relevance not in ("relevance", None),
        "qrels_query": data.qrels_query is not None,
        "qrels_item": data.qrels_item is not None,
    }
    for readers, arguments in (([*parts.runs.values()], of_run), (parts.judges, of_qrels)):
        named = next((name for name, is_given in arguments.items() if is_given), None)
        if named is not None and all(reader.source.is_canonical for reader in readers):
            raise ArgumentError(f"{readers[0].source.label!r} has fixed columns", argument=named, fix="Leave it out")


def _run_selects(parts: _Parts, shape: str, score_type: str | None) -> tuple[list[SourceSelect], list[str] | None]:
    """Return a SELECT for each model, and the names of the models, or None if a column holds them."""
    data, names = parts.data, parts.names
    selects, models = [], []
    for model, reader in parts.runs.items():
        for score in names.scores:
            models.append(model if model is not None else score if len(names.scores) > 1 else _lone_model(reader))
            rank = None if model in parts.scored else data.rank
            selects.append(_run_select(parts, reader, shape, score, rank, score_type))
    if data.model is not None:
        for select, reader in zip(selects, parts.runs.values(), strict=True):
            select.names.insert(0, reader.key("model", data.model, "model"))
        return selects, None
    if len(models) > 1:  # one model needs no column, and its statement is cheaper
        for select, name in zip(selects, models, strict=True):
            select.names.insert(0, Column(literal(name), "model"))
    return selects, models


def _lone_model(reader: Reader) -> str:
    """Return the name of a model that has none: the tag of a TREC run, or the name of its one file."""
    paths = [] if reader.source.watched is None else list(reader.source.watched.patterns)
    of_file = name_of(paths[0]) if len(paths) == 1 and path_kind(paths[0]) == "file" else "run"
    return next(iter(reader.source.tags), of_file)


def _check_trec(reader: Reader, query: list[str], model: str | None) -> None:
    if model is None and len(reader.source.tags) > 1:
        raise DataError(
            f"{reader.source.label!r} holds runs with several tags, such as {commas(reader.source.tags)}",
            argument=reader.side,
            fix=f"Pass {spell('model', 'tag')} to evaluate each, or the file of one run",
        )
    if reader.source.is_canonical and len(query) > 1:
        raise ArgumentError(
            f"{reader.source.label!r} has fixed columns, of which one is the query, not {commas(query)}",
            argument="query",
            fix="Name one column, or give the data in another form",
        )


def _check_labels(parts: _Parts) -> None:
    judge, names, labelled = parts.judges[0], parts.names, parts.is_labelled
    if labelled and judge.source.is_trec:
        raise ArgumentError(
            f"{judge.source.label!r} is a TREC run, which holds no labels", argument="run", fix=f"Pass {spell('qrels')}"
        )
    if labelled and names.relevance is not None and not judge.has(names.relevance):
        raise advice.columns.no_labels(judge, names.relevance)


def _check_swapped(run: Reader, judge: Reader, names: Names, rank: str | None) -> None:
    """Refuse a run and qrels each of which lacks its own number and has the other's."""
    argument, ordered = ("rank", [rank]) if rank is not None else ("score", names.scores)
    in_run, in_qrels = ([reader.has(name) for name in ordered] for reader in (run, judge))
    is_list = run.has(names.item) and run.family("item", names.item) == "list"  # lists need no score
    is_judged = names.relevance is None or (run.has(names.relevance) and not judge.has(names.relevance))
    # Only if run and qrels would be read the other way round.
    have_ids = all(map(judge.has, [*names.query, names.item])) and all(
        map(run.has, [*names.qrels_query, names.qrels_item])
    )
    is_other = rank is None and any(run.unnamed(each) for each in ("score", "rank"))
    if all(in_qrels) and not any(in_run) and is_judged and not is_list and have_ids and not is_other:
        raise advice.columns.swapped(run, judge, argument, ordered[0] or "", names.relevance)


def _compare(parts: _Parts, *, check: bool) -> None:
    """Bring the keys of all sources to types that can be equal."""
    names, session = parts.names, parts.session
    as_text = parts.data.policies.ids == "text"
    _read_untyped(parts)
    optional = [(reader, _optional_columns(reader, role, names)) for role, reader in parts.optional.items()]
    keys = [("query", mine, "qrels_query", theirs) for mine, theirs in zip(names.query, names.qrels_query, strict=True)]
    judged = "relevance" if names.qrels_item == names.relevance else "qrels_item"  # lists in the run are one column
    for place, (argument, mine, other, theirs) in enumerate([*keys, ("item", names.item, judged, names.qrels_item)]):
        columns: list[Key] = [(reader, argument, mine) for reader in parts.runs.values()]
        columns += [(judge, other, theirs) for judge in parts.judges]
        keys_of_optional, part = (("query",), place) if argument == "query" else (("item", "other", "unit"), 0)
        for reader, columns_by_key in optional:
            columns += [(reader, key, columns_by_key[key][part]) for key in keys_of_optional if key in columns_by_key]
        match(columns, session, check=check, as_text=as_text)
    for name in names.by if "query_slices" not in parts.optional else ():
        runs = parts.runs.values()
        if all(reader.has(name) for reader in runs) and not any(judge.has(name) for judge in parts.qrels[:1]):
            match([(reader, "by", name) for reader in runs], session, check=check)


def _read_untyped(parts: _Parts) -> None:
    """Read the ids in files without types as text, and their numbers as numbers."""
    names, model, session = parts.names, parts.data.model, parts.session
    numbers = [*names.scores, *([] if names.relevance is None else [names.relevance])]
    for reader in parts.runs.values():
        ids = {**_text(reader, names, model), **dict.fromkeys(names.query, "query"), names.item: "item"}
        if reader in parts.judges:  # with lists, the relevant items are a separate column
            ids[names.qrels_item] = "qrels_item"
        reader.untyped_as(ids, numbers, session)
    for judge in parts.qrels:
        ids = {**dict.fromkeys(names.qrels_query, "qrels_query"), names.qrels_item: "qrels_item"}
        judge.untyped_as({**_text(judge, names, None), **ids}, numbers, session)
    for role, reader in parts.optional.items():
        columns = _optional_columns(reader, role, names).items()
        reader.untyped_as({name: key for key, each in columns for name in each}, OPTIONAL_INPUTS[role][1], session)


def _text(reader: Reader, names: Names, model: str | None) -> dict[str, str]:
    """Return the columns other than ids that are text in files without types: model and slices."""
    columns = {name: "by" for name in names.by if reader.has(name)}
    return columns if model is None else {**columns, model: "model"}


def _by_side(parts: _Parts, has_qrels: bool) -> str | None:
    names, run, judge = parts.names, parts.first, parts.judges[0]
    if not names.by:
        return None
    if has_qrels and all(judge.has(name) for judge in parts.judges for name in names.qrels_by):
        return "qrels"
    if all(map(run.has, names.by)):
        return "run"
    raise advice.columns.no_slices(judge, run, names.by, names.qrels_by)


def _keys(reader: Reader, argument: str, names: list[str], canonical: str) -> list[Column]:
    pairs = zip(names, canonical_names(canonical, len(names)), strict=True)
    return [reader.key(argument, name, column) for name, column in pairs]


def _relevance(reader: Reader, names: Names) -> Column:
    if names.relevance is None:
        return Column(literal(1), "relevance")
    column = reader.number("relevance", names.relevance, (*NUMBERS, "boolean"), "relevance is a number")
    may_fail = reader.source.untyped or reader.source.elsewhere
    if may_fail and reader.family("relevance", names.relevance) == "boolean":
        # DuckDB 2 would cast the text true to a number while it reads the file, which fails. PostgreSQL has no cast
        # from boolean to a number.
        return column._replace(expression=call("as_number", column.expression))
    return column


def _score_type(parts: _Parts) -> str | None:
    """Return the type as which scores compare in DuckDB, None for DOUBLE. trec_eval compares text as DOUBLE."""
    data, scores = parts.data, parts.names.scores
    if data.rank is not None or parts.session.target != "duckdb" or data.policies.semantics == "trec_eval_9":
        return None
    pairs = [(reader, score) for reader in parts.runs.values() for score in scores if reader.has(score)]
    kinds = [reader.kind(reader.name("score", score)) for reader, score in pairs]
    return exact_type(kinds, ascending=data.policies.order == "ascending")


def _exact_scores(parts: _Parts, selects: Sequence[SourceSelect]) -> dict[str, list[SourceSelect]]:
    """Return the relation of runs with their scores also as they are, if scores that differ may compare as equal."""
    data = parts.data
    if data.policies.semantics == "trec_eval_9":
        return {}
    wide_selects, exact, kinds = [], [], []
    columns = [(model, reader, score) for model, reader in parts.runs.items() for score in parts.names.scores]
    for select, (model, reader, score) in zip(selects, columns, strict=True):
        has_score = (data.rank is None or model in parts.scored) and reader.has(score)
        kind = reader.kind(reader.name("score", score)) if has_score else None
        if may_exceed_double(kind):
            wide_selects.append(select)
            exact.append(reader.number("score", score, NUMBERS, "a score is a number").expression)
            kinds.append(kind)
    if parts.session.target == "duckdb":
        exact = in_one_type(exact, kinds)
    added = [[Column(score, "exact_score")] for score in exact]
    relation = [replace(select, extras=extras) for select, extras in zip(wide_selects, added, strict=True)]
    return {"exact_scores": relation} if relation else {}


def _run_select(
    parts: _Parts, reader: Reader, shape: str, score: str, rank: str | None, score_type: str | None
) -> SourceSelect:
    data, names = parts.data, parts.names
    keys, relation = _keys(reader, "query", names.query, "query"), reader.source.relation
    family = reader.family("item", names.item)
    if family not in ("unknown", "list") if shape == "lists" else family in ("list", "map"):
        raise ArgumentTypeError(
            f"{reader.side} ({reader.source.label}): column {names.item!r} ({spell('item')}) holds "
            f"{f'{family}s' if family in ('list', 'map') else 'single items'}, unlike other runs, or next to scores",
            fix="Pass {query: [items]} for lists in rank order, or {query: {item: score}} for scores, in every run",
        )
    if shape == "lists":
        reader.check_ranked(names.item, names.query, score)
        return SourceSelect(relation, keys, extras=[reader.key("item", names.item, "items")])
    keys.append(reader.key("item", names.item, "item"))
    if rank is None:
        labels = names.relevance if parts.is_labelled else None
        roles = [("score", score), ("item", names.item), ("relevance", labels)]
        check_roles([*(("query", name) for name in names.query), *roles])
        number = reader.number("score", score, NUMBERS, "a score is a number")
        is_ascending = data.policies.order == "ascending"
        if score_type is not None:  # it holds no NaN
            typed = exp.cast(number.expression, score_type, dialect="duckdb")
            signed = exp.Sub(this=literal(0), expression=typed) if is_ascending else typed
            return SourceSelect(relation, [*keys, number._replace(expression=signed)])
        return SourceSelect(relation, keys, [_reverse(number) if is_ascending else number])
    number = reader.number("rank", rank, NUMBERS, "a rank is a whole number, 1 for the first")
    if shape == "scores":
        return SourceSelect(relation, keys, [_reverse(number)._replace(name="score")])
    is_whole = reader.family("rank", rank) != "number"
    return SourceSelect(
        relation, [*keys, number if is_whole else number._replace(expression=call("whole_number", number.expression))]
    )


def _reverse(number: Column) -> Column:
    """Return a number such that the lowest comes first; as DOUBLE, because an unsigned number cannot be negated."""
    double = exp.cast(number.expression, "DOUBLE")
    return number._replace(expression=exp.Sub(this=literal(0), expression=double))  # not -x, so that 0 is not -0.0


def _qrels_selects(parts: _Parts) -> tuple[str, list[SourceSelect]]:
    """Return the shape of the qrels, and a SELECT for each part of them."""
    judges = parts.judges
    read = [_qrels_select(parts.names, judge, parts.is_labelled) for judge in judges]
    shape = read[0][0]
    for judge, (other, _) in zip(judges, read, strict=True):
        if other != shape:
            raise ArgumentTypeError(
                f"{judges[0].source.label!r} holds {_SHAPES[shape]}, but {judge.source.label!r} holds {_SHAPES[other]}",
                argument="qrels",
                fix="Write all of them in one of these forms",
            )
    return shape, [select for _, select in read]


def _qrels_select(names: Names, reader: Reader, labelled: bool) -> tuple[str, SourceSelect]:
    keys, relation = _keys(reader, "qrels_query", names.qrels_query, "query"), reader.source.relation
    family = reader.family("qrels_item", names.qrels_item)
    if family == "map" and names.relevance is None:
        raise ArgumentError(
            f"{spell('relevance', None)} means that every row of the qrels is relevant, but column "
            f"{names.qrels_item!r} ({spell('qrels_item')}) holds maps, which say how relevant each item is",
            fix=f"Leave {spell('relevance')} out, or pass lists of the relevant items",
        )
    if family == "map":
        kind = dict(reader.kind(reader.name("qrels_item", names.qrels_item)).children)["value"]
        if family_of(kind) not in (*NUMBERS, "boolean"):
            raise ArgumentTypeError(
                f"{reader.side} ({reader.source.label}): the maps in column {names.qrels_item!r} "
                f"({spell('qrels_item')}) hold {kind}, but relevance is a number"
            )
    if family == "list" and not labelled and names.relevance is not None:
        reader.check_all_relevant(names.qrels_item, names.qrels_query, names.relevance)
    if family in ("list", "map"):
        return f"{family}s", SourceSelect(relation, keys, extras=[reader.key("qrels_item", names.qrels_item, "items")])
    if labelled and names.relevance is not None and names.qrels_item == names.relevance:
        raise ArgumentTypeError(
            f"where {names.item!r} holds lists, {names.relevance!r} ({spell('relevance')}) holds lists of the "
            "relevant items, or maps from item to relevance; it is "
            f"{reader.kind(reader.name('relevance', names.relevance))}",
            argument=reader.side,
        )
    if labelled:
        return "rows", SourceSelect(relation, keys)
    check_roles([*(("qrels_query", name) for name in names.qrels_query), ("relevance", names.relevance)])
    check_roles([("qrels_item", names.qrels_item), ("relevance", names.relevance)])
    return "rows", SourceSelect(
        relation, [*keys, reader.key("qrels_item", names.qrels_item, "item")], [_relevance(reader, names)]
    )
