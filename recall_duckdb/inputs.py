"""Anything a user has → the canonical relations: which source, which of its columns, which shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb import sources
from recall_duckdb.engines import Columns, Session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    UnknownNameError,
    is_sound,
    listed,
    nearest,
)
from recall_duckdb.sources import Source
from recall_duckdb.trees import Column, literal

LONE_MODEL = "run"
RESULT_COLUMNS = ("model", "metric", "k", "value", "queries")

_FAMILIES = {
    "whole number": (
        *("tinyint", "smallint", "integer", "bigint", "hugeint"),
        *("utinyint", "usmallint", "uinteger", "ubigint", "uhugeint"),
    ),
    "number": ("float", "double", "decimal"),
    "text": ("varchar", "enum", "json"),
    "list": ("list", "array"),
    "unknown": ("null", "sqlnull"),
}
_NUMBERS = ("whole number", "number", "unknown")
_WIDE = ("ubigint", "hugeint", "uhugeint")  # whole numbers that BIGINT does not hold


def _family(kind: Any) -> str:
    """What a DuckDB type is to us: one of the above, or its own kind; 'unknown' matches any."""
    if kind is None:
        return "unknown"
    return next((name for name, kinds in _FAMILIES.items() if kind.id in kinds), str(kind.id))


@dataclass(frozen=True)
class Arguments:
    """What `evaluate` was told about the data, under the names of its arguments."""

    run: object
    qrels: object = None
    query: str | Sequence[str] = "query"
    item: str = "item"
    score: str | Sequence[str] = "score"
    rank: str | None = None
    relevance: str = "relevance"
    model: str | None = None
    by: str | Sequence[str] | None = None
    qrels_query: str | Sequence[str] | None = None
    qrels_item: str | None = None


@dataclass(frozen=True)
class SourceSelect:
    """One relation of the user's, and its columns under canonical names, for the template `source`."""

    relation: exp.Expr
    names: list[Column]
    numbers: list[Column] = field(default_factory=list)
    extras: list[Column] = field(default_factory=list)


@dataclass(frozen=True)
class Inputs:
    """The user's data as the compiler needs it."""

    selects: dict[str, list[SourceSelect]]  # by relation: run_source and qrels_source, or labelled for both in one
    run_shape: str  # scores, ranks, lists
    qrels_shape: str  # rows, lists, maps
    query: list[str]
    by: list[str]
    by_side: str | None  # the relation that holds the slice columns: qrels, run
    models: list[str] | None  # None where a column holds them
    called: dict[str, str]  # the user's names by ours, for messages

    @property
    def one_model(self) -> str | None:
        """The name of the only model, or None where there are several or a column holds them."""
        return self.models[0] if self.models is not None and len(self.models) == 1 else None


def numbered(name: str, count: int) -> list[str]:
    """The canonical names of `count` columns that stand for one.

    >>> numbered("query", 1), numbered("query", 2)
    (['query'], ['query_1', 'query_2'])
    """
    return [name] if count == 1 else [f"{name}_{number}" for number in range(1, count + 1)]


@dataclass(frozen=True)
class _Names:
    """The column names of the arguments, checked, with the ones left out filled in."""

    query: list[str]
    item: str
    scores: list[str]
    relevance: str
    by: list[str]
    qrels_query: list[str]
    qrels_item: str


def _columns(argument: str, value: str | Sequence[str] | None) -> list[str]:
    names = [value] if isinstance(value, str) else list(value or [])
    for name in names:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"{argument}: a column name is expected, not {name!r}")
        if not is_sound(name):
            raise ArgumentError(f"{argument}: {name!r} cannot be a column name")
    if len({name.casefold() for name in names}) < len(names):
        raise ArgumentError(f"{argument}: {listed(names)} names a column twice")
    return names


def _column(argument: str, value: str) -> str:
    names = _columns(argument, value)
    if len(names) != 1:
        raise ArgumentError(f"{argument}: one column name is expected, not {value!r}")
    return names[0]


def _names(arguments: Arguments) -> _Names:
    query = _columns("query", arguments.query)
    if not query:
        raise ArgumentError("query: name the column, or columns, that say which query a row belongs to")
    qrels_query = _columns("qrels_query", arguments.qrels_query) or query
    if len(qrels_query) != len(query):
        raise ArgumentError(f"qrels_query: {listed(qrels_query)} must be as many columns as query: {listed(query)}")
    by = _columns("by", arguments.by)
    for argument, name in [*(("by", name) for name in by), *(("query", name) for name in query)]:
        if name.casefold() in (RESULT_COLUMNS if argument == "by" else ("model",)):
            raise ArgumentError(f"{argument}: the result has a column {name!r} of its own: rename the one in your data")
    item = _column("item", arguments.item)
    labelled = arguments.qrels is None
    return _Names(
        query=query,
        item=item,
        scores=_columns("score", arguments.score) or ["score"],
        relevance=_column("relevance", arguments.relevance),
        by=by,
        qrels_query=query if labelled else qrels_query,
        qrels_item=item if labelled or arguments.qrels_item is None else _column("qrels_item", arguments.qrels_item),
    )


class _Reader:
    """Finds the user's columns in one source, and says what is wrong where they are not as they should be."""

    def __init__(self, source: Source, side: str) -> None:
        self.source, self.side = source, side
        self._casts: dict[str, str] = {}

    def has(self, name: str) -> bool:
        """Whether the source has the column, or may have it where its columns are not known."""
        return self.source.columns is None or self._found(name) is not None

    def _found(self, name: str) -> str | None:
        columns = self.source.columns or {}
        alike = [own for own in columns if own.casefold() == name.casefold()]
        if not alike or alike[0] == name:
            return alike[0] if alike else None
        # DuckDB reads the first of them; in files and frames it calls the others score_1, score_2, …
        others = [own for own in columns if own.casefold().rpartition("_")[0] == name.casefold()]
        alike += [own for own in others if own.rpartition("_")[2].isdigit()]
        if len(alike) > 1:
            raise ArgumentError(
                f"{self.side} ({self.source.label}): the columns {listed(alike)} may all be {name!r}, and DuckDB tells "
                f"no two names apart by their case. Rename the other, or pass {alike[0]!r} if that is the one"
            )
        return alike[0]

    def name(self, argument: str, name: str) -> str:
        """The column's name as the source spells it."""
        if self.source.is_trec:
            name = argument.removeprefix("qrels_")
        if self.source.columns is None:
            return name
        found = self._found(name)
        if found is None:
            raise UnknownNameError(
                f"{self.side} ({self.source.label}) has no column {name!r} ({argument}=)."
                f"{nearest(name, self.source.columns)} Its columns: {listed(self.source.columns)}"
            )
        return found

    def kind(self, name: str) -> Any:
        return None if self.source.columns is None else self.source.columns[name]

    def family(self, argument: str, name: str) -> str:
        return _family(self.kind(self.name(argument, name)))

    def read_as(self, name: str, text: str) -> None:
        """Cast the ids of a column, be they in lists or maps, to a type."""
        forms = {"list": f"{text}[]", "map": f"MAP({text}, DOUBLE)"}
        self._casts[name] = forms.get(_family(self.kind(name)), text)

    def key(self, argument: str, name: str, canonical: str) -> Column:
        """A column that is read as it is, apart from what makes ids comparable."""
        name = self.name(argument, name)
        self._check_files(argument, name)
        composite = ("struct", "union") if argument in ("item", "qrels_item") else ("struct", "union", "list", "map")
        if _family(self.kind(name)) in composite:
            raise ArgumentTypeError(
                f"{self.side} ({self.source.label}): column {name!r} ({argument}=) is of type {self.kind(name)}, but "
                "it must hold single values. Name another column, or take the value out of this one"
            )
        expression: exp.Expr = exp.Column(this=exp.to_identifier(name, quoted=True))
        kind = self.kind(name)
        if name in self._casts:
            expression = exp.cast(expression, self._casts[name], dialect="duckdb")
        elif str(kind) == "JSON":  # its text 'x' is written "x"
            expression = exp.func("json_extract_string", expression, literal("$"))
        elif kind is not None and kind.id == "enum":  # an enum sorts by the order of its values, not as text
            expression = exp.cast(expression, "VARCHAR")
        elif self.source.may_collate and _family(kind) == "text":  # under NOCASE, say, 'a' and 'A' would be one id
            expression = exp.Collate(this=expression, expression=exp.to_identifier("binary", quoted=True))
        return Column(expression, canonical)

    def _check_files(self, argument: str, name: str) -> None:
        """Refuse files that hold a column as different things, which DuckDB would make one, or do not hold it."""
        held: dict[str, str] = {}
        for file, columns in self.source.files.items():
            kind = _kind_in(columns, name)
            if kind is None and not any(part.startswith(f"{name}=") for part in Path(file).parts):
                raise DataError(
                    f"{self.side}: the file {file!r} has no column {name!r} ({argument}=), which other files of "
                    f"{self.source.label!r} have. Leave the file out, or write it again with the column"
                )
            family = _family(_element(kind))
            if argument in ("score", "relevance", "rank") and family in (*_NUMBERS, "boolean"):
                continue
            if family != "unknown":
                held.setdefault(f"{_family(kind)} of {family}", file)
        if len(held) > 1:
            (one, other), kinds = list(held.values())[:2], self.source.files
            raise DataError(
                f"{self.side}: files differ in the type of column {name!r} ({argument}=): it is "
                f"{_kind_in(kinds[one], name)} in {one!r}, {_kind_in(kinds[other], name)} in {other!r}. "
                "Write them again with one type"
            )

    def number(self, argument: str, name: str, families: tuple[str, ...], rule: str) -> Column:
        """A column whose type is one of `families`."""
        if self.family(argument, name) not in families:
            raise ArgumentTypeError(
                f"{self.side} ({self.source.label}): column {name!r} ({argument}=) is of type "
                f"{self.kind(self.name(argument, name))}, but {rule}. Name another column, or cast this one"
            )
        return self.key(argument, name, argument)

    def untyped_as(self, ids: Mapping[str, str], numbers: Sequence[str]) -> None:
        """Read a file without types (CSV) so that ids stay text: "007" and "7" are two items.

        In JSON, text is text, even where it looks like a date, and a number may have decimals further down.
        """
        if not (self.source.untyped or self.source.is_json) or self.source.columns is None:
            return
        types = {self.name(argument, name): "VARCHAR" for name, argument in ids.items()}
        if self.source.is_json:
            types = {own: text for own in types if (text := _as_text(self.kind(own))) is not None}
        held = [own for own in map(self._found, numbers) if own is not None and own not in types]
        types |= {own: "DOUBLE" for own in held if _family(self.kind(own)) in _NUMBERS}
        if types:
            self.source = self.source.typed(types)


_Key = tuple[_Reader, str, str]  # a column of one source, by argument and name


def _as_text(kind: Any) -> str | None:
    """The type of text for what DuckDB read out of text in JSON, None for what was none."""
    if _family(kind) == "list":
        inner = _as_text(_element(kind))
        return None if inner is None else f"{inner}[]"
    return None if _family(kind) in ("whole number", "number", "boolean", "map", "struct", "unknown") else "VARCHAR"


def _match(keys: Sequence[_Key], session: Session, *, check: bool) -> None:
    """Bring the columns of one key, over all sources, to types that can be equal.

    Refuses those that can never be: they would silently match nothing.
    """
    columns = [(reader, reader.name(argument, name)) for reader, argument, name in keys]
    known = [(reader, own) for reader, own in columns if reader.kind(own) is not None]
    held = [(reader, own) for reader, own in known if own not in reader.source.blank]
    held = [(reader, own) for reader, own in held if _key_family(reader.kind(own)) != "unknown"]
    typed = [(reader, own) for reader, own in held if not reader.source.untyped]
    if not held:
        return
    first, name = (typed or held)[0]
    kind = _element(first.kind(name))
    if _family(kind) == "whole number":
        wide = next((_element(r.kind(own)) for r, own in typed if _element(r.kind(own)).id in _WIDE), "BIGINT")
        for reader, own in held:
            if reader.source.untyped:
                reader.read_as(own, str(wide))
                if check:
                    sources.check_whole(reader.source, own, str(wide), session, reader.side)
        held = typed
    for reader, own in held:
        if _key_family(reader.kind(own)) != _key_family(kind):
            raise ArgumentTypeError(
                f"{first.side} and {reader.side} differ in type: column {name!r} of {first.side} is {kind}, column "
                f"{own!r} of {reader.side} is {_element(reader.kind(own))}, so no two values would be equal. "
                "Cast one of them"
            )
    for reader, own in known:
        if own in reader.source.blank:
            reader.read_as(own, "VARCHAR" if _family(kind) == "text" else str(kind))


def _key_family(kind: Any) -> str:
    """What a type is to a key: a FLOAT is no DOUBLE, since 0.1 as one is not 0.1 as the other."""
    element = _element(kind)
    return "float" if element is not None and element.id == "float" else _family(element)


def _kind_in(columns: Columns, name: str) -> Any:
    return next((kind for own, kind in columns.items() if own.casefold() == name.casefold()), None)


def _element(kind: Any) -> Any:
    """The type of the ids in a column that may hold lists of them, or maps from them."""
    if _family(kind) == "list":
        return dict(kind.children)["child"]
    return dict(kind.children)["key"] if _family(kind) == "map" else kind


def prepare(arguments: Arguments, session: Session, *, must_exist: bool = True) -> Inputs:
    """The user's data as the compiler needs it: sources found, columns found, types compared.

    Raises:
        UnknownNameError: a relation or column is not there; the message lists those that are.
        ArgumentError: arguments contradict each other.
        ArgumentTypeError: a column has a type that its part does not allow, or run and qrels differ in a key's type.
    """
    names = _names(arguments)
    readers: dict[str | None, _Reader] = {}
    for number, (model, value) in enumerate(_runs(arguments, names).items(), start=1):
        side = "run" if model is None else f"run {model!r}"
        role = "run" if model is None else f"run_{number}"
        readers[model] = _Reader(sources.find(value, session, side, role, must_exist=must_exist), side)
    first, labelled = next(iter(readers.values())), arguments.qrels is None
    judge = first
    if not labelled:
        judge = _Reader(sources.find(arguments.qrels, session, "qrels", "qrels", must_exist=must_exist), "qrels")
    run_shape = "scores" if arguments.rank is None else "ranks"
    if first.family("item", names.item) == "list":
        run_shape = "lists"
        names = replace(names, qrels_item=names.relevance) if labelled else names
    _check_labels(judge, names, labelled)
    _compare(list(readers.values()), judge, names, arguments.model, session, check=must_exist)
    _check_unused(arguments, run_shape)
    by_side = _by_side(first, judge, names)
    selects, models = _run_selects(arguments, names, readers, run_shape)
    qrels_shape, judged = _qrels_select(names, judge, labelled)
    if labelled and qrels_shape != "rows" and (len(readers) > 1 or arguments.model is not None):
        raise ArgumentError("run: for several models with lists, pass the relevant items as qrels=, the same for all")
    relations = {"run_source": selects, "qrels_source": [judged]}
    owners = [reader for reader in readers.values() for _ in names.scores]
    if labelled and qrels_shape == "rows":
        relations = {"labelled": selects}
        for select, reader in zip(selects, owners, strict=True):
            select.numbers.append(_relevance(reader, names))
    sliced = (
        [(judged, judge)] if by_side == "qrels" and "labelled" not in relations else zip(selects, owners, strict=True)
    )
    for select, reader in sliced if by_side else []:
        select.extras.extend(_keys(reader, "by", names.by, "slice"))
    called = {
        "query": names.query[0], "item": names.item, "score": names.scores[0], "rank": arguments.rank or "rank",
        "relevance": names.relevance, "qrels_query": names.qrels_query[0], "qrels_item": names.qrels_item,
        "by": ", ".join(names.by),
    }  # fmt: skip
    return Inputs(relations, run_shape, qrels_shape, names.query, names.by, by_side, models, called)


def _check_unused(arguments: Arguments, shape: str) -> None:
    """Refuse arguments that could only be ignored."""
    for name in ("qrels_query", "qrels_item"):
        if arguments.qrels is None and getattr(arguments, name) is not None:
            raise ArgumentError(f"{name}: no qrels= was given whose column it could name. Pass qrels=, or leave it out")
    scored = arguments.score not in ("score", ["score"], ("score",))
    if shape == "lists" and (arguments.rank is not None or scored):
        raise ArgumentError(
            f"{'score' if arguments.rank is None else 'rank'}: {arguments.item!r} (item=) holds lists, whose order is "
            "the ranking. Leave it out, or name a column of single items"
        )
    if shape == "ranks" and scored:
        raise ArgumentError(f"score: {arguments.rank!r} (rank=) ranks the items already. Pass one of the two")


def _run_selects(
    arguments: Arguments, names: _Names, readers: Mapping[str | None, _Reader], shape: str
) -> tuple[list[SourceSelect], list[str] | None]:
    """A SELECT for every model, and the models' names, or None where a column holds them."""
    selects, models = [], []
    for model, reader in readers.items():
        for score in names.scores:
            unnamed = score if len(names.scores) > 1 else LONE_MODEL
            models.append(unnamed if model is None else model)
            selects.append(_run_select(arguments, names, reader, shape, score))
    if arguments.model is not None:
        for select, reader in zip(selects, readers.values(), strict=True):
            select.names.insert(0, reader.key("model", arguments.model, "model"))
        return selects, None
    if len(models) > 1:  # one model needs no column, and its statement is cheaper without
        for select, name in zip(selects, models, strict=True):
            select.names.insert(0, Column(literal(name), "model"))
    return selects, models


def _runs(arguments: Arguments, names: _Names) -> Mapping[str | None, object]:
    """The runs by model name; None is the name of one that was not named."""
    run = arguments.run
    named = isinstance(run, Mapping) and not sources.is_columns(run, [*names.query, names.item])
    several = [named, len(names.scores) > 1, arguments.model is not None]
    if sum(several) > 1 or (len(names.scores) > 1 and arguments.rank is not None):
        raise ArgumentError("give one of: several named runs, a model column, several score columns; a rank column "
                            "goes with no score column")  # fmt: skip
    if not isinstance(run, Mapping) or not named:
        return {None: run}
    if not run:
        raise ArgumentError("run: the dict is empty: name at least one run, or give its columns")
    for name in run:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"run: a model is named by text, not by {name!r}")
        if name and not is_sound(name):
            raise ArgumentError(f"run: {name!r} cannot be the name of a model")
    return run


def _check_trec(reader: _Reader, query: list[str]) -> None:
    if reader.source.is_trec and len(query) > 1:
        raise ArgumentError(
            f"query: {reader.source.label!r} is a TREC file, whose query is one column, not {listed(query)}. "
            "Name one column, or give the data in another form"
        )


def _check_labels(judge: _Reader, names: _Names, labelled: bool) -> None:
    if labelled and not judge.has(names.relevance):
        raise UnknownNameError(
            f"no qrels= was given, and run ({judge.source.label}) has no column {names.relevance!r} (relevance=) to "
            f"judge by.{nearest(names.relevance, judge.source.columns or [])} "
            f"Its columns: {listed(judge.source.columns or [])}"
        )


def _compare(
    readers: list[_Reader], judge: _Reader, names: _Names, model: str | None, session: Session, *, check: bool
) -> None:
    """Bring the keys of all sources to types that can be equal."""
    numbers = [*names.scores, names.relevance]
    for reader in [*readers, judge]:
        _check_trec(reader, names.query)
    for reader in readers:
        own = {**_text(reader, names, model), **dict.fromkeys(names.query, "query"), names.item: "item"}
        if reader is judge:  # where it holds lists, the relevant items are a column of their own
            own[names.qrels_item] = "qrels_item"
        reader.untyped_as(own, numbers)
    if judge not in readers:
        own = {**dict.fromkeys(names.qrels_query, "qrels_query"), names.qrels_item: "qrels_item"}
        judge.untyped_as({**_text(judge, names, None), **own}, numbers)
    keys = [("query", mine, "qrels_query", theirs) for mine, theirs in zip(names.query, names.qrels_query, strict=True)]
    for argument, mine, other, theirs in [*keys, ("item", names.item, "qrels_item", names.qrels_item)]:
        columns: list[_Key] = [(reader, argument, mine) for reader in readers]
        _match([*columns, (judge, other, theirs)], session, check=check)
    for name in names.by:
        if all(reader.has(name) for reader in readers) and (judge in readers or not judge.has(name)):
            _match([(reader, "by", name) for reader in readers], session, check=check)


def _text(reader: _Reader, names: _Names, model: str | None) -> dict[str, str]:
    """The columns of a source beside its ids that are text where the file has no types: model and slices."""
    held = {name: "by" for name in names.by if reader.has(name)}
    return held if model is None else {**held, model: "model"}


def _by_side(run: _Reader, judge: _Reader, names: _Names) -> str | None:
    if not names.by:
        return None
    for side, reader in (("qrels", judge), ("run", run)):
        if all(reader.has(name) for name in names.by):
            return side
    held = list(dict.fromkeys([*(judge.source.columns or []), *(run.source.columns or [])]))
    lost = next(name for name in names.by if not (judge.has(name) and run.has(name)))
    raise UnknownNameError(
        f"by: neither qrels nor run has the columns {listed(names.by)}.{nearest(lost, held)} "
        f"Columns there: {listed(held)}"
    )


def _keys(reader: _Reader, argument: str, names: list[str], canonical: str) -> list[Column]:
    pairs = zip(names, numbered(canonical, len(names)), strict=True)
    return [reader.key(argument, name, column) for name, column in pairs]


def _relevance(reader: _Reader, names: _Names) -> Column:
    column = reader.number("relevance", names.relevance, (*_NUMBERS, "boolean"), "relevance is a number")
    if reader.source.untyped and reader.family("relevance", names.relevance) == "boolean":
        # A cast would be made while the file is read, by DuckDB 2, of the text true to a number, which fails.
        held = column.expression
        no = exp.Not(this=held.copy())
        cases = [exp.If(this=held, true=literal(1)), exp.If(this=no, true=literal(0))]
        return column._replace(expression=exp.Case(ifs=cases))
    return column


def _run_select(arguments: Arguments, names: _Names, reader: _Reader, shape: str, score: str) -> SourceSelect:
    keys, relation = _keys(reader, "query", names.query, "query"), reader.source.relation
    held = reader.family("item", names.item)
    if held not in ("unknown", "list") if shape == "lists" else held in ("list", "map"):
        raise ArgumentTypeError(f"{reader.side}: column {names.item!r} must hold lists in every run, or in none")
    if shape == "lists":
        return SourceSelect(relation, keys, extras=[reader.key("item", names.item, "items")])
    keys.append(reader.key("item", names.item, "item"))
    if shape == "ranks":
        rule = "a rank is a whole number, 1 for the first"
        rank = reader.number("rank", arguments.rank or "rank", ("whole number", "unknown"), rule)
        return SourceSelect(relation, [*keys, rank])
    return SourceSelect(relation, keys, [reader.number("score", score, _NUMBERS, "a score is a number")])


def _qrels_select(names: _Names, reader: _Reader, labelled: bool) -> tuple[str, SourceSelect]:
    keys, relation = _keys(reader, "qrels_query", names.qrels_query, "query"), reader.source.relation
    held = reader.family("qrels_item", names.qrels_item)
    if held == "map":
        kind = dict(reader.kind(reader.name("qrels_item", names.qrels_item)).children)["value"]
        if _family(kind) not in (*_NUMBERS, "boolean"):
            raise ArgumentTypeError(
                f"{reader.side} ({reader.source.label}): the maps in column {names.qrels_item!r} (qrels_item=) hold "
                f"{kind}, but relevance is a number"
            )
    if held in ("list", "map"):
        return f"{held}s", SourceSelect(relation, keys, extras=[reader.key("qrels_item", names.qrels_item, "items")])
    if labelled and names.qrels_item == names.relevance:
        raise ArgumentTypeError(
            f"{reader.side}: where {names.item!r} holds lists, {names.relevance!r} (relevance=) holds lists of the "
            "relevant items, or maps from item to relevance; "
            f"it is {reader.kind(reader.name('relevance', names.relevance))}"
        )
    if labelled:
        return "rows", SourceSelect(relation, keys)
    return "rows", SourceSelect(
        relation, [*keys, reader.key("qrels_item", names.qrels_item, "item")], [_relevance(reader, names)]
    )
