"""Several kinds of slices in one statement: those of each column, and those of all columns together.

A template has two levels: all queries (is_slice = 0), and the slices (is_slice = 1). With several kinds of slices, the
second becomes one level for each kind (is_slice = 1, 2, …), in which the other columns are NULL.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.reading.columns import canonical_names

LEVEL = "is_slice"


def levels_of(slices: str, count: int) -> list[list[str]]:
    """Return the slice columns of each kind of slices, for this many columns.

    >>> levels_of("both", 2)
    [['slice_1'], ['slice_2'], ['slice_1', 'slice_2']]
    """
    names = canonical_names("slice", count)
    if slices == "crossed" or count < 2:
        return [names]
    return [*([name] for name in names), *([names] if slices == "both" else [])]


def add_levels(tree: exp.Select, keys: Sequence[str], levels: Sequence[Sequence[str]]) -> None:
    """Let a SELECT that groups by keys have rows of each kind of slices too, in an engine that has GROUPING SETS."""
    names = dict.fromkeys(name for kind in levels for name in kind)
    shown = [exp.alias_(trees.column(name), f"level_{name}") for name in names]
    tree.set("expressions", [*map(trees.column, keys), *shown, *tree.expressions[len(keys) :]])
    sets = [exp.Tuple(expressions=[*map(trees.column, [*keys, *kind])]) for kind in ([], *levels)]
    tree.set("group", exp.Group(grouping_sets=[exp.GroupingSets(expressions=sets)]))
    totals = [exp.EQ(this=exp.func("grouping", trees.column(name)), expression=trees.literal(1)) for name in names]
    kept = [exp.or_(each, each.this.expressions[0].is_(exp.null()).not_()) for each in totals]
    tree.set("having", exp.Having(this=exp.and_(*kept)))
    tree.args["having"].comments = [" a query without a slice counts only in the overall means "]


def split_levels(tree: exp.Expr, levels: Sequence[Sequence[str]]) -> None:
    """Split, in place, the level of slices of a filled template into one level for each kind of slices."""
    if len(levels) < 2:
        return
    for condition in trees.find(tree, exp.EQ):
        if condition.left.name != LEVEL or condition.right.name != "1":
            continue
        if isinstance(condition.parent, exp.If):
            column = condition.parent.args["true"].name
            kinds = [number for number, names in enumerate(levels, start=1) if column in names]
            condition.replace(_is_one_of(kinds))
        else:
            _split_condition(condition, levels)
    for select in trees.find(tree, exp.Select):
        number = next((each.this for each in select.expressions if each.alias == LEVEL), None)
        if isinstance(number, exp.Literal) and number.name == "1":
            copies = [select.copy() for _ in levels]
            for kind, copy in enumerate(copies, start=1):
                next(each for each in copy.expressions if each.alias == LEVEL).set("this", trees.literal(kind))
            select.replace(trees.union_all(copies))


def _is_one_of(kinds: Sequence[int]) -> exp.Expr:
    """Return the condition that a row is of one of these kinds of slices."""
    numbers, level = [trees.literal(kind) for kind in kinds], trees.column(LEVEL)
    return exp.EQ(this=level, expression=numbers[0]) if len(kinds) == 1 else exp.In(this=level, expressions=numbers)


def _split_condition(condition: exp.EQ, levels: Sequence[Sequence[str]]) -> None:
    """Replace `is_slice = 1 AND slice_1 IS NOT NULL AND …` by such a condition for each kind of slices."""
    every: exp.Expr = condition
    while isinstance(every.parent, exp.And):
        every = every.parent
    columns = {name for names in levels for name in names}
    of_columns: dict[str, exp.Expr] = {}
    others: list[exp.Expr] = []
    for part in every.flatten() if isinstance(every, exp.And) else ():
        read = {column.name for column in trees.find(part, exp.Column)} & columns
        if part is not condition:
            of_columns.update(dict.fromkeys(read, part))
            others += [] if read else [part]
    kinds = enumerate(levels, start=1)
    conditions = [exp.and_(_is_one_of([kind]), *others, *(of_columns[name] for name in names)) for kind, names in kinds]
    every.replace(exp.or_(*conditions))
