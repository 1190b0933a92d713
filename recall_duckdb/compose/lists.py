"""The list form of a metric: an expression over two lists of a query, made from the definition of its rows.

A definition is a chain of SELECTs over the judged items of many queries. Here those of one query are lists: `found` has
the items of the run, in the order of their ranks, and `judged` all of them. An aggregate or a window of the definition
becomes a function of one of the lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from sqlglot import exp

from recall_duckdb.definitions import functions, templates, trees
from recall_duckdb.definitions.folding import settle
from recall_duckdb.definitions.templates import Template
from recall_duckdb.definitions.trees import Value
from recall_duckdb.question.policies import Policies

# The names of lambda parameters: a row of a list, and its place. No column has one of these names.
ROW, PLACE = "_row", "_place"
_LIST = "_list"
_IDEAL_RANK = "_ideal_rank"  # the place in the list `ideal`
_AGGREGATES: dict[type[exp.Expr], str] = {exp.Sum: "sum", exp.Max: "max", exp.Min: "min"}


@dataclass(frozen=True)
class Lists:
    """The lists of a query.

    Attributes:
        found: structs with rank and relevance, in the order of the ranks; without the judged items that have no rank
            unless `holds_all`, and otherwise with them at the end.
        judged: all judged items, in any order: structs as in `found`, or numbers.
        ideal: numbers from the highest to the lowest.
        number: the column that is the number in these two lists; '' if `judged` has structs.
        ideal_number: the column that is the number in `ideal`.
        holds_all: True if `found` has items without a rank.
    """

    found: exp.Expr
    judged: exp.Expr
    ideal: exp.Expr
    number: str
    ideal_number: str
    holds_all: bool = False


class NotInListsError(ValueError):
    """A definition has no list form."""


@dataclass
class ListForm:
    """Makes the list form of metrics.

    Attributes:
        lists: the lists of a query.
        given: the columns of a row, or of a query, that are there already.
        shared: the lists that several aggregates read, each computed once.
    """

    lists: Lists
    given: Mapping[str, exp.Expr] = field(default_factory=dict)
    shared: list[exp.Expr] = field(default_factory=list)

    @cached_property
    def columns(self) -> dict[str, exp.Expr]:
        """The columns of the relation judged."""
        relations = templates.relations()
        columns = {"ideal_rank": exp.column(_IDEAL_RANK), **self.given}
        for template in (relations["ideal"][""], relations["judged"]["ordered"]):
            for select in _levels(_filled(template, {})):
                columns |= self._resolved(select, columns)
        return columns

    def value(self, template: Template, values: Mapping[str, Value | exp.Expr]) -> exp.Expr:
        """Return the value of a metric; raises `NotInListsError` if its definition has no list form."""
        columns = dict(self.columns)
        *inner, last = _levels(_filled(template, values))
        for select in inner:
            columns |= self._resolved(select, columns)
        holder = exp.Paren(this=self._resolve(last.expressions[-1].this, columns))
        for aggregate in trees.find(holder, *_AGGREGATES):
            functions.substitute(aggregate, self._aggregated(aggregate))
        return cast("exp.Expr", holder.this)

    def _resolved(self, select: exp.Select, columns: Mapping[str, exp.Expr]) -> dict[str, exp.Expr]:
        """Return the columns that a SELECT makes of others."""
        return {
            each.alias: self._resolve(each.this, columns)
            for each in select.expressions
            if each.alias not in self.given
            and each.alias != "ideal_rank"
            and all(column.table or column.name in columns for column in trees.find(_tidy(each), exp.Column))
        }

    def _resolve(self, expression: exp.Expr, columns: Mapping[str, exp.Expr]) -> exp.Expr:
        """Return an expression of one row, in which each window is one of the shared lists, or a part of it."""
        holder = exp.Paren(this=with_columns(_tidy(expression), columns))
        for window in trees.find(holder, exp.Window):
            functions.substitute(window, self._window(window))
        return cast("exp.Expr", holder.this)

    def _window(self, window: exp.Expr) -> exp.Expr:
        order = window.args.get("order")
        if order is None:
            return self._shared(self._aggregated(window.this))
        [key] = order.expressions
        if isinstance(window.this, exp.RowNumber) and not key.args.get("desc"):  # in the order of the ranks
            return exp.column(PLACE)
        if key.args.get("desc") or not isinstance(window.this, exp.Sum) or key.this.name != "rank":
            raise NotInListsError(f"a window with another order: {window}")
        values = self._shared(for_each(self.lists.found, window.this.this))
        total = self._of_list("sum", call("list_slice", [values, trees.literal(1), exp.column(PLACE)]))
        if self.lists.holds_all:
            return total
        return call("list_extract", [self._shared(for_each(self.lists.found, total)), exp.column(PLACE)])

    def _aggregated(self, aggregate: exp.Expr) -> exp.Expr:
        """Return an aggregate over all judged items as a function of a list."""
        value, name = aggregate.this, _AGGREGATES[type(aggregate)]
        read = {(column.table or column.name, column.name) for column in trees.find(value, exp.Column)}
        of_rows = {column for table, column in read if table in (ROW, PLACE)}
        if (_IDEAL_RANK, _IDEAL_RANK) in read:
            if (ROW, "rank") in read or (PLACE, PLACE) in read:
                raise NotInListsError(f"an aggregate of ranks and ideal ranks: {aggregate}")
            numbers = _of_numbers(with_columns(value, {_IDEAL_RANK: exp.column(PLACE)}), self.lists.ideal_number)
            total = self._of_list(name, for_each(self.lists.ideal, numbers))
            return total if self.lists.holds_all else exp.func("coalesce", total, trees.literal(0))
        if (ROW, "rank") not in read and (PLACE, PLACE) not in read:
            if isinstance(aggregate, exp.Max) and not of_rows:  # all rows share it
                return value.copy()  # type: ignore[no-any-return]
            number = self.lists.number
            return self._of_list(name, for_each(self.lists.judged, _of_numbers(value, number) if number else value))
        listed = self._of_list(name, for_each(self.lists.found, value))
        if self.lists.holds_all:
            return listed
        results = _results(value)
        if len(results) > 1:
            raise NotInListsError(f"an aggregate of items without a rank: {value}")
        return exp.func("coalesce", listed, trees.literal(0)) if results == [0] else listed

    def _of_list(self, name: str, listed: exp.Expr) -> exp.Expr:
        """Return an aggregate of a list; in a statement not as DuckDB's macro, whose parts the user's may replace."""
        if self.lists.holds_all:
            return call(f"list_{name}", [listed])
        return call("list_aggregate", [listed, trees.literal(name)])

    def _shared(self, value: exp.Expr) -> exp.Expr:
        """Return the name of a list, which is computed before the value."""
        if value not in self.shared:
            self.shared.append(value)
        return exp.column(f"{_LIST}_{self.shared.index(value)}")

    def needed(self, values: Iterable[exp.Expr]) -> dict[str, exp.Expr]:
        """Return the shared lists that values read, by name; each may read those before it."""
        read = set().union(*map(names_in, values))
        needed = {}
        for number, value in reversed([*enumerate(self.shared)]):
            if (name := f"{_LIST}_{number}") in read:
                needed[name] = value
                read |= names_in(value)
        return dict(reversed(needed.items()))


def graded_columns(values: Mapping[str, Value | exp.Expr]) -> dict[str, exp.Expr]:
    """Return is_relevant and gain as expressions of a relevance, with these values of their parameters."""
    tree = templates.relations()["graded"][""].tree()
    trees.bind(tree, values)
    return {each.alias: each.this for each in tree.expressions if each.alias in ("is_relevant", "gain")}


def name_fields(value: exp.Expr) -> None:
    """Replace, in place, `_row.rank` by a call of a function that can be named in full."""
    for column in trees.find(value, exp.Column):
        if column.table == ROW:
            column.replace(exp.func("struct_extract", exp.column(ROW), trees.literal(column.name), dialect="duckdb"))


def _results(value: exp.Expr) -> list[int | None]:
    """Return the values that an expression may have in a row without a rank; others than 0 and NULL are an error."""
    if isinstance(value, (exp.Paren, exp.Cast)):
        return _results(value.this)
    if isinstance(value, exp.Null) or _is_rank(value):
        return [None]
    if isinstance(value, exp.Literal) and not value.is_string and float(value.name) == 0:
        return [0]
    if not isinstance(value, exp.Case) or value.this is not None:
        raise NotInListsError(f"an aggregate of items without a rank: {value}")
    results: list[int | None] = []
    for each in value.args["ifs"]:
        known = _truth(each.this)
        if known is not False:
            results += _results(each.args["true"])
        if known is True:
            return [*dict.fromkeys(results)]
    default = value.args.get("default")
    return [*dict.fromkeys(results + (_results(default) if default is not None else [None]))]


def _truth(condition: exp.Expr) -> bool | None:
    """Return whether a condition holds in a row without a rank; False also if it is NULL, None if that is not known."""
    if isinstance(condition, exp.Paren):
        return _truth(condition.this)
    if isinstance(condition, (exp.And, exp.Or)):
        sides = [_truth(condition.left), _truth(condition.right)]
        decisive = isinstance(condition, exp.Or)
        return decisive if decisive in sides else None if None in sides else not decisive
    if isinstance(condition, exp.Is) and isinstance(condition.expression, exp.Null):
        return True if _is_rank(condition.this) else None
    if isinstance(condition, (exp.Between, exp.GTE, exp.GT, exp.LTE, exp.LT, exp.EQ)) and _is_rank(condition.this):
        return False
    return None


def _is_rank(value: exp.Expr) -> bool:
    return isinstance(value, exp.Column) and value.table == ROW and value.name == "rank"


def _of_numbers(value: exp.Expr, number: str) -> exp.Expr:
    """Return an expression of the rows of a list of numbers, which are this column."""
    holder = exp.Paren(this=value.copy())
    for column in trees.find(holder, exp.Column):
        if column.table == ROW:
            if number and column.name != number:
                raise NotInListsError(f"a list of {number} that is read as {column.name}")
            column.replace(exp.column(ROW))
    return cast("exp.Expr", holder.this)


def _filled(template: Template, values: Mapping[str, Value | exp.Expr]) -> exp.Select:
    tree = template.tree("plain")  # the rows of one query are in one order, so that sums have the same bits
    trees.bind(tree, {**Policies().settings(), **values})
    for total in trees.find(tree, exp.Sum):
        if total.parent is not None and total.this == exp.column("is_relevant") and not total.find_ancestor(exp.Window):
            total.replace(exp.Max(this=exp.column("relevant")))  # the number is there already
    return tree


def _levels(tree: exp.Select) -> list[exp.Select]:
    """Return the SELECTs of a definition, the innermost first."""
    relation = tree.args[trees.FROM].this
    return [*(_levels(relation.this) if isinstance(relation, exp.Subquery) else []), tree]


def _tidy(expression: exp.Expr) -> exp.Expr:
    """Return a copy whose windows are of one query, and have the one key that decides their order.

    A CASE before it puts items without a rank last, where they are. A key after it decides between items of equal gain.
    """
    copy = expression.copy()
    for window in trees.find(copy, exp.Window):
        window.set("partition_by", None)
        order = window.args.get("order")
        if order is not None:
            first, *others = [key for key in order.expressions if not isinstance(key.this, exp.Case)]
            assert all(key.this.name == "item" for key in others), f"a window with several keys: {window}"
            order.set("expressions", [first])
    return copy


def with_columns(expression: exp.Expr, columns: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return a copy with the expressions of columns in place of their names."""
    holder = exp.Paren(this=expression.copy())
    for column in trees.find(holder, exp.Column):
        if not column.table and column.name in columns:
            value = columns[column.name].copy()
            (settle if isinstance(value, exp.Literal) else functions.substitute)(column, value)
    return cast("exp.Expr", holder.this)


def call(name: str, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the call of a function of DuckDB."""
    return exp.Anonymous(this=name, expressions=[each.copy() for each in arguments])


def names_in(tree: exp.Expr) -> set[str]:
    """Return the names of the columns in a tree."""
    return {column.name for column in trees.find(tree, exp.Column)}


def for_each(rows: exp.Expr, value: exp.Expr) -> exp.Expr:
    """Return the list of a value of each row."""
    names = map(exp.to_identifier, [ROW, PLACE] if PLACE in names_in(value) else [ROW])
    return call("list_transform", [rows, exp.Lambda(this=value.copy(), expressions=[*names])])
