"""Numbers next to items in lists: scores, labels and grades, which are read with the items, or noticed if they are not.

They are lists in another column, or fields of the same objects, such as `hits.score` next to `hits.doc_id`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError, quote, respelled, spell
from recall_duckdb.question.policies import is_distance
from recall_duckdb.reading.columns import NUMBERS, call, element_of, family_of
from recall_duckdb.reading.nested import elements, field_of, of_all_rows, own_name, places_in, unnest
from recall_duckdb.reading.source import Finding, Source
from recall_duckdb.reading.usual_names import as_score, is_usual_of_lists

_LABELS = (*NUMBERS, "boolean")


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
        parts = {name: elements(source, name) for name in (items, *numbers)}
        if not scores:
            parts[orders[0]] = places_in(items, is_low_first=is_low_first)
        return unnest(source, parts)

    def with_grades(self, relevance: str) -> Source:
        """Return qrels with a map from item to relevance for each query, if lists next to the items hold it."""
        items, grades = self._items, self._numbers(relevance, _LABELS)
        if items is None or grades is None:
            return self.source
        source = self._with_fixed_types(items, [grades])
        self._raise_if_found("list_duplicates", grades, _column(grades))
        columns = dict(source.columns or {})
        kind = duckdb.map_type(element_of(columns[items]), element_of(columns.pop(grades)))
        others = [_column(name) for name in columns if name != items]
        graded = exp.alias_(call("graded_items", _column(items), _column(grades)), items, quoted=True)
        relation = exp.select(*others, graded).from_(source.relation).subquery("with_grades")
        return replace(source, relation=relation, columns={**columns, items: kind})

    def check_relevant(self) -> None:
        """Raise `DataError` if all items would be relevant, although numbers in the same objects include 0."""
        for name, (numbers, _) in self._fields.items() if self._items is not None else ():
            self._raise_if_found("unread_grades", name, numbers)

    def with_finding(self, names: Collection[str]) -> Source:
        """Return a run with a finding if it is ranked by lists, but numbers next to their items have another order.

        `names` are the columns that the question names.
        """
        items = self._items
        if items is None or not self.look:
            return self.source
        lists = {name: (_column(name), self._element(name)) for name in self.source.columns or {}
                 if self._numbers(name, NUMBERS) is not None}  # fmt: skip
        read = {name.casefold() for name in names}
        found = {}
        for name, (numbers, family) in {**lists, **self._fields}.items():
            if name.casefold() not in read and (family == "number" or is_usual_of_lists(_field(name), "score")):
                found[name] = self._first("unread_scores", numbers, is_distance=is_distance(name))
        if not found or None in found.values():  # numbers in the order of the lists explain it
            return replace(self.source, values_are_read=self.source.values_are_read or bool(found))
        name, row = next(iter(found.items()))
        finding = self._finding("unread_scores", name, dict(zip((self.item, name), row or (), strict=True)))
        return replace(self.source, findings=(*self.source.findings, finding), values_are_read=True)

    def with_lone_candidates(self, query: Sequence[str]) -> Source:
        """Return a run with a finding if the user named the columns of its file, and every query has one candidate."""
        name = own_name(self.source, query[0])
        if not (self.look and self.source.is_named and self._items is None and name is not None and len(query) == 1):
            return self.source
        head = templates.checks()["single_candidates"]
        ids = exp.select(exp.alias_(_column(name), "id")).from_(self.source.relation.copy())
        [(first,)] = self.session.rows(head.filled({}, {"ids": ids})) or [(None,)]
        if first is None:
            return replace(self.source, values_are_read=True)
        finding = self._finding("single_candidates", name, {name: first})
        return replace(self.source, findings=(*self.source.findings, finding), values_are_read=True)

    @property
    def _items(self) -> str | None:
        """The column of the items as the source spells it; None if it holds no lists, or sets."""
        name = own_name(self.source, self.item)
        is_list = name is not None and self._family(name) == "list" and name not in self.source.unordered
        return name if is_list else None

    def _numbers(self, name: str, families: Collection[str]) -> str | None:
        """Return a column as the source spells it; None if it holds no lists of these families, or the items."""
        own = own_name(self.source, name)
        if own is None or own == own_name(self.source, self.item) or self._family(own) != "list":
            return None
        return own if self._element(own) in families else None

    @property
    def _fields(self) -> dict[str, tuple[exp.Expr, str]]:
        """The numbers in the objects of the items, and their families, by the paths that name them."""
        *parents, last = self.item.split(".")
        first = own_name(self.source, parents[0]) if parents else None
        if first is None:
            return {}
        path = [first, *parents[1:]]
        _, kind = field_of(self.source.columns or {}, path, self.side, self.source.label)
        inner = element_of(kind) if family_of(kind) == "list" else None
        fields = [] if inner is None or inner.id != "struct" else [name for name, _ in inner.children]
        found = {}
        for name in fields:
            numbers, kind = field_of(self.source.columns or {}, [*path, name], self.side, self.source.label)
            if name.casefold() != last.casefold() and family_of(element_of(kind)) in (
                "whole number",
                "number",
                "boolean",
            ):
                found[".".join([*parents, name])] = (numbers, family_of(element_of(kind)))
        return found

    def _family(self, name: str) -> str:
        return family_of((self.source.columns or {})[name])

    def _element(self, name: str) -> str:
        return family_of(element_of((self.source.columns or {})[name]))

    def _with_fixed_types(self, items: str, others: Collection[str]) -> Source:
        """Return the source; raises `DataError` if the lists of a row differ in length."""
        for name in others:
            self._raise_if_found("list_lengths", name, _column(name))
        return of_all_rows(self.source, {items, *others}, self.session)

    def _first(self, check: str, numbers: exp.Expr, **parameters: Any) -> tuple[Any, ...] | None:
        """Return the first row that a check finds in the lists of items and numbers."""
        items, _ = field_of(self.source.columns or {}, [self._items or self.item], self.side, self.source.label)
        ids = exp.select(exp.alias_(items, "id"), exp.alias_(numbers.copy(), "number")).from_(
            self.source.relation.copy()
        )
        rows = self.session.rows(templates.checks()[check].filled(parameters, {"ids": ids}).limit(1))
        return rows[0] if rows else None

    def _finding(self, check: str, name: str, example: dict[str, Any]) -> Finding:
        rule, do = self._texts(check, name)
        return Finding(check, f"{self.side} ({self.source.label}): {rule}", do, example)

    def _raise_if_found(self, check: str, name: str, numbers: exp.Expr) -> None:
        row = self._first(check, numbers) if self.look else None
        if row is not None:
            rule, do = self._texts(check, name)
            shown = f"{self.item}={quote(row[0])}, {name}={quote(row[1])}"
            raise DataError(f"{self.side} ({self.source.label}): {rule}, for example {shown}", fix=do)

    def _texts(self, check: str, name: str) -> tuple[str, str]:
        """Return what a check says and advises about the items and the numbers of this name."""
        head = templates.checks()[check].head
        words = {
            "item": repr(self.item),
            "number": repr(name),
            "by_score": as_score(name),
            "graded": f"{spell('qrels_item', self.item)}, {spell('relevance', name)}",
            "ungraded": f"{spell('qrels_item', self.item)}, {spell('relevance', None)}",
        }
        return head["Rule"].format(**words), respelled(head["Do"]).format(**words)


def _column(name: str) -> exp.Column:
    return exp.Column(this=trees.identifier(name))


def _field(path: str) -> str:
    return path.rpartition(".")[2]
