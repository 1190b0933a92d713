"""What is inside columns: fields by paths such as `hits.doc_id`, lists and maps that become rows, and their numbers.

Numbers next to items in lists are scores, labels and grades, in lists of another column or in fields of the same
objects, such as `hits.score` next to `hits.doc_id`. They are read with the items, or noticed if they are not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import Columns, DuckDB, Session
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError, commas, pairs, quote, respelled, spell
from recall_duckdb.question.policies import Scale, is_distance
from recall_duckdb.reading.columns import MAP, NUMBERS, as_text, call, element_of, family_of
from recall_duckdb.reading.source import Finding, Source
from recall_duckdb.reading.usual_names import as_score, is_usual_of_lists

_Model = TypeVar("_Model")
_Part: TypeAlias = "tuple[exp.Expr, Any]"  # an expression and its type
_LABELS = (*NUMBERS, "boolean")


def with_fields(source: Source, names: Iterable[str], session: Session, side: str) -> Source:
    """Return a source with a column for each name that is a path into one of its columns."""
    columns = source.columns
    if columns is None or source.elsewhere:
        return source
    paths = {}
    for name in names:
        first, _, rest = name.partition(".")
        alike = source.spellings.get(first.casefold(), [])
        is_path = rest and name not in source.faults and name.casefold() not in source.spellings
        if is_path and len(alike) == 1 and _has_names(columns[alike[0]]):
            paths[name] = [alike[0], *rest.split(".")]
    if not paths:
        return source
    source = of_all_rows(source, {path[0] for path in paths.values()}, session)
    fields = {name: field_of(source.columns or {}, path, side, source.label) for name, path in paths.items()}
    added = [exp.alias_(value, name, quoted=True) for name, (value, _) in fields.items()]
    relation = exp.select(exp.Star(), *added).from_(source.relation).subquery("with_fields")
    kinds = {name: kind for name, (_, kind) in fields.items()}
    return replace(source, relation=relation, columns={**(source.columns or {}), **kinds})


def of_all_rows(source: Source, names: Iterable[str], session: Session) -> Source:
    """Return a JSON file with the types of all its rows instead of the first ones, and text as text; or the source."""
    if not source.is_json:
        return source
    call = source.relation.copy()
    call.append("expressions", trees.option("sample_size", trees.literal(-1)))
    columns = session.describe(call)
    texts = {name: str(_with_texts(columns[name])) for name in names}
    return replace(source, relation=call, columns=columns).with_types(texts)


def _with_texts(kind: Any) -> Any:
    """Return a type in which what DuckDB guessed from text in JSON, such as a date, is text."""
    fields = dict(kind.children) if kind.id in ("list", "struct", "map") else {}
    if kind.id == "list":
        return duckdb.list_type(_with_texts(fields["child"]))
    if kind.id == "struct":
        return duckdb.struct_type({name: _with_texts(inner) for name, inner in fields.items()})
    if kind.id == "map":
        return duckdb.map_type(duckdb.sqltype("VARCHAR"), _with_texts(fields["value"]))
    return kind if family_of(kind) in _LABELS else duckdb.sqltype("VARCHAR")


def field_of(columns: Columns, path: Sequence[str], side: str, label: str) -> _Part:
    """Return the expression of a path and its type; in a list, the field of each element."""
    value, kind = _column(path[0]), columns[path[0]]
    for place, name in enumerate(path[1:], start=1):
        in_list = family_of(kind) == "list"
        inner = element_of(kind) if in_list else kind
        fields = dict(inner.children) if inner.id in ("struct", "map") else {}
        key = name if inner.id == "map" else next((each for each in fields if each.casefold() == name.casefold()), None)
        if key is None:
            text = f"{side} ({label}): {quote('.'.join(path[:place]))} has no field {quote(name)}"
            fix = f"Its fields: {commas(fields)}" if fields else f"It is of type {kind}"
            raise UnknownNameError(text, fix=fix)
        function = f"{'value_of' if inner.id == 'map' else 'field_of'}{'_each' if in_list else ''}"
        value = call(function, value, trees.literal(key))
        kind = fields["value" if inner.id == "map" else key]
        kind = duckdb.list_type(kind) if in_list else kind
    return value, kind


def _has_names(kind: Any) -> bool:
    """Return True for objects, and for maps from text, also in lists."""
    kind = element_of(kind) if family_of(kind) == "list" else kind
    return kind.id == "struct" or (kind.id == "map" and family_of(dict(kind.children)["key"]) == "text")


def with_rows(
    runs: Mapping[_Model, Source], item: str, score: str, rank: str | None, scale: Scale
) -> dict[_Model, Source]:
    """Return the runs, in which maps from item to score, and lists next to runs of rows, became rows.

    These get the score column, or the rank column if runs hold ranks.
    """
    sources = {model: _of_map(source, item, score) for model, source in runs.items()}
    names = {model: name for model, source in sources.items() if (name := source.own_name(item)) is not None}
    lists = {model: name for model, name in names.items() if _has_lists(sources[model], name)}
    if len(lists) in (0, len(sources)):
        return sources
    if rank is None and scale.min_score is not None:
        raise ArgumentError(
            f"{scale.min_score!r} needs a score in every run, but {item!r} holds lists in rank order in one of them",
            argument="min_score",
            fix="Leave it out, or evaluate the runs with scores by themselves",
        )
    number, is_low_first = rank or score, rank is not None or scale.order == "ascending"
    for model, name in lists.items():
        source = sources[model]
        if name not in source.unordered and source.own_name(number) is None:  # later checks refuse others
            places = _places_in(name, is_low_first=is_low_first)
            sources[model] = _unnest(source, {name: _elements(source, name), number: places})
    return sources


def _has_lists(source: Source, column: str) -> bool:
    return family_of((source.columns or {})[column]) == "list"


def _of_map(source: Source, item: str, score: str) -> Source:
    """Return a run with a row for each entry of a map from item to a number; other runs are returned unchanged."""
    column = source.own_name(item)
    if column is None or source.columns is None or source.own_name(score) is not None:
        return source
    if source.is_json and as_text(source.columns[column]) == MAP:
        source = source.with_types({column: MAP})
    kind = (source.columns or {})[column]
    types = dict(kind.children) if family_of(kind) == "map" else {}
    if not types or family_of(types["value"]) not in NUMBERS:
        return source
    keys, values = (
        call("list_or_null", exp.Anonymous(this=name, expressions=[_column(column)]))
        for name in ("map_keys", "map_values")
    )
    return _unnest(source, {column: (keys, types["key"]), score: (values, types["value"])})


def _column(name: str) -> exp.Expr:
    return exp.Column(this=trees.identifier(name))


def _elements(source: Source, column: str) -> _Part:
    """Return the elements of a column of lists, and their type; a NULL list holds NULL, which a check refuses."""
    return call("list_or_null", _column(column)), element_of((source.columns or {})[column])


def _places_in(column: str, *, is_low_first: bool) -> _Part:
    """Return the places in a column of lists as ranks, or as scores that give the same order, and their type."""
    function = "ranks_in_list" if is_low_first else "scores_in_list"
    return call(function, _column(column)), duckdb.sqltype("BIGINT")


def _unnest(source: Source, parts: Mapping[str, _Part]) -> Source:
    """Return a source with a row for each element of lists, which replace the columns of these names."""
    added = [exp.alias_(exp.Anonymous(this="unnest", expressions=[value]), name, quoted=True)
             for name, (value, _) in parts.items()]  # fmt: skip
    kinds = {name: kind for name, kind in (source.columns or {}).items() if name not in parts}
    relation = exp.select(*map(_column, kinds), *added).from_(source.relation).subquery("with_rows")
    columns = {**kinds, **{name: kind for name, (_, kind) in parts.items()}}
    return replace(source, relation=relation, columns=columns)


@dataclass(frozen=True)
class Lists:
    """A source whose items may be in lists."""

    source: Source  # the source
    item: str  # the item column
    session: DuckDB  # where the source is
    side: str  # what messages call the source
    look: bool  # True if its rows may be looked at

    def with_rows(self, orders: Sequence[str], labels: str | None, *, is_low_first: bool) -> Source:
        """Return a run with a row for each item, if lists next to the items hold its scores, ranks or labels.

        Args:
            orders: the columns of ranks or scores. With labels alone, items keep the order of their list.
            labels: the column of labels, if the run holds them. Lists of True and False are labels, and so are numbers
                in the objects of the items; other lists hold relevant items.
            is_low_first: True if the lowest number comes first.
        """
        items, scores = self._items, [name for each in orders if (name := self._numbers(each, NUMBERS)) is not None]
        marks = None if labels is None else self._numbers(labels, _LABELS)
        if marks is not None and marks not in self._fields and self._element(marks) != "boolean":
            marks = None
        numbers = [*scores, *([] if marks is None else [marks])]
        if items is None or not numbers:
            return self.source
        source = self._with_fixed_types(items, numbers)
        parts = {name: _elements(source, name) for name in (items, *numbers)}
        if not scores:
            parts[orders[0]] = _places_in(items, is_low_first=is_low_first)
        return _unnest(source, parts)

    def with_grades(self, relevance: str) -> Source:
        """Return qrels with a map from item to relevance for each query, if lists next to the items hold it."""
        items, grades = self._items, self._numbers(relevance, _LABELS)
        if items is None or grades is None:
            return self.source
        source = self._with_fixed_types(items, [grades])
        self._refuse("list_duplicates", grades, _column(grades))
        columns = dict(source.columns or {})
        kind = duckdb.map_type(element_of(columns[items]), element_of(columns.pop(grades)))
        others = [_column(name) for name in columns if name != items]
        graded = exp.alias_(call("graded_items", _column(items), _column(grades)), items, quoted=True)
        relation = exp.select(*others, graded).from_(source.relation).subquery("with_grades")
        return replace(source, relation=relation, columns={**columns, items: kind})

    def check_relevant(self) -> None:
        """Raise `DataError` if all items would be relevant, although numbers in the same objects include 0."""
        for name, (numbers, _) in self._fields.items() if self._items is not None else ():
            self._refuse("unread_grades", name, numbers)

    def with_findings(self, names: Collection[str], query: Sequence[str]) -> Source:
        """Return a run with what a look at its rows finds.

        It is ranked by lists, but numbers next to their items have another order. Or the user named the columns of its
        file, and every query has one candidate. `names` are the columns that the question names.
        """
        if not self.look:
            return self.source
        if self._items is None:
            name = self.source.own_name(query[0]) if self.source.is_named and len(query) == 1 else None
            return self._with(None if name is None else replace(self, item=name)._find("single_candidates", name, None))
        lists = {name: (_column(name), self._element(name)) for name in self.source.columns or {}
                 if self._numbers(name, NUMBERS) is not None}  # fmt: skip
        read = {name.casefold() for name in names}
        found = {
            name: self._find("unread_scores", name, numbers, is_distance=is_distance(name))
            for name, (numbers, family) in {**lists, **self._fields}.items()
            if name.casefold() not in read
            and (family == "number" or is_usual_of_lists(name.rpartition(".")[2], "score"))
        }
        is_explained = None in found.values()  # numbers in the order of the lists explain it
        return self._with(None if is_explained else next(iter(found.values()), None))

    @property
    def _items(self) -> str | None:
        """The column of the items as the source spells it; None if it holds no lists, or sets."""
        name = self.source.own_name(self.item)
        is_list = name is not None and _has_lists(self.source, name) and name not in self.source.unordered
        return name if is_list else None

    def _numbers(self, name: str, families: Collection[str]) -> str | None:
        """Return a column as the source spells it; None if it holds no lists of these families, or the items."""
        own = self.source.own_name(name)
        if own is None or own == self.source.own_name(self.item) or not _has_lists(self.source, own):
            return None
        return own if self._element(own) in families else None

    @property
    def _fields(self) -> dict[str, tuple[exp.Expr, str]]:
        """The numbers in the objects of the items, and their families, by the paths that name them."""
        *parents, last = self.item.split(".")
        first = self.source.own_name(parents[0]) if parents else None
        if first is None:
            return {}
        path, columns = [first, *parents[1:]], self.source.columns or {}
        _, kind = field_of(columns, path, self.side, self.source.label)
        inner = element_of(kind) if family_of(kind) == "list" else None
        found = {}
        for name, _ in inner.children if inner is not None and inner.id == "struct" else ():
            numbers, kind = field_of(columns, [*path, name], self.side, self.source.label)
            family = family_of(element_of(kind))
            if name.casefold() != last.casefold() and family in ("whole number", "number", "boolean"):
                found[".".join([*parents, name])] = (numbers, family)
        return found

    def _element(self, name: str) -> str:
        return family_of(element_of((self.source.columns or {})[name]))

    def _with_fixed_types(self, items: str, others: Collection[str]) -> Source:
        """Return the source; raises `DataError` if the lists of a row differ in length."""
        for name in others:
            self._refuse("list_lengths", name, _column(name))
        return of_all_rows(self.source, {items, *others}, self.session)

    def _find(self, check: str, name: str, numbers: exp.Expr | None, **parameters: Any) -> Finding | None:
        """Return what a check finds in the items and the numbers of this name, with the first row; None for nothing."""
        values = [_column(self._items or self.item), *([] if numbers is None else [numbers.copy()])]
        named = map(exp.alias_, values, ("id", "number"))
        tree = templates.checks()[check].filled(
            parameters, {"ids": exp.select(*named).from_(self.source.relation.copy())}
        )
        row = next(iter(self.session.rows(tree.limit(1))), None)
        if row is None:
            return None
        head = templates.checks()[check].head
        words = {
            "item": repr(self.item),
            "number": repr(name),
            "by_score": as_score(name),
            "graded": f"{spell('qrels_item', self.item)}, {spell('relevance', name)}",
            "ungraded": f"{spell('qrels_item', self.item)}, {spell('relevance', None)}",
        }
        rule = f"{self.side} ({self.source.label}): {head['Rule'].format(**words)}"
        example = dict(zip((self.item, name), row, strict=False))
        return Finding(check, rule, respelled(head["Do"]).format(**words), example)

    def _with(self, finding: Finding | None) -> Source:
        return self.source if finding is None else replace(self.source, findings=(*self.source.findings, finding))

    def _refuse(self, check: str, name: str, numbers: exp.Expr) -> None:
        finding = self._find(check, name, numbers) if self.look else None
        if finding is not None:
            raise DataError(f"{finding.rule}, for example {pairs(finding.example)}", fix=finding.do)
