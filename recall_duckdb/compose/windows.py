"""Replaces windows over whole groups by aggregates, where only the group reads them."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from recall_duckdb.compose.scopes import Scopes, find_own, in_window, is_nullable, is_plain, items, join_keys, joins

_AGGREGATES = (exp.Sum, exp.Max, exp.Min)


@dataclass
class _Trace:
    """Where a column comes from: the SELECT that computes it, and those that pass it on, the reader first."""

    select: exp.Select
    value: exp.Expr
    passing: list[tuple[exp.Select, exp.Expr, str]]  # a SELECT, and the relation and column that it reads


def to_aggregates(scopes: Scopes) -> None:
    """Replace MAX(x) by SUM(y) under GROUP BY g, where x is SUM(y) OVER (PARTITION BY g) further up.

    If x is the sum of y down to a rank, MAX(x) over the top ranks is the sum of y over the top ranks. The rows of a
    group must be those of the partition, so joins on the way may neither drop nor repeat a row.
    """
    for select in scopes.selects:
        group = select.args.get("group")
        if group is None or not is_plain(select) or joins(select) or select.args.get("where") is not None:
            continue
        if not all(isinstance(key, exp.Column) for key in group.expressions):
            continue
        for aggregate in find_own(select, exp.Max, exp.Min):
            if in_window(aggregate):
                continue
            column = aggregate.this
            if isinstance(column, exp.Column):
                replacement = _aggregate(scopes, select, column)
            else:
                replacement = _sum_in_top(scopes, select, column) if isinstance(aggregate, exp.Max) else None
            if replacement is not None and aggregate.parent is not None:
                aggregate.replace(_in_cast(replacement, aggregate.parent))


def _in_cast(value: exp.Expr, parent: exp.Expr) -> exp.Expr:
    """Return a sum of whole numbers without its cast, if the result is cast to a double anyway."""
    is_cast = isinstance(value, exp.Cast) and isinstance(parent, exp.Cast) and isinstance(value.this, exp.Sum)
    result: exp.Expr = value.this if is_cast and parent.args["to"].this is exp.DataType.Type.DOUBLE else value
    return result


def _trace(scopes: Scopes, select: exp.Select, column: exp.Column) -> _Trace | None:
    passing: list[tuple[exp.Select, exp.Expr, str]] = []
    while True:
        item = scopes.resolve(select, column)
        query = None if item is None else scopes.query(item)
        if item is None or not isinstance(query, exp.Select):
            return _Trace(select, column, passing)
        values = scopes.projection(item, column.name)
        if not values or not is_plain(query):
            return None
        passing.append((select, item, column.name))
        select = query
        if not isinstance(values[0], exp.Column):
            return _Trace(select, values[0], passing)
        column = values[0]


def _aggregate(scopes: Scopes, reader: exp.Select, column: exp.Column) -> exp.Expr | None:
    """Return the aggregate of a window over the rows of a group, with the cast around it."""
    trace = _trace(scopes, reader, column)
    if trace is None:
        return None
    cast = trace.value if isinstance(trace.value, exp.Cast) else None
    window = trace.value if cast is None else cast.this
    if not isinstance(window, exp.Window) or any(window.args.get(name) for name in ("order", "spec", "alias")):
        return None
    function = window.this
    is_known = isinstance(function, _AGGREGATES) and isinstance(function.this, exp.Column)
    argument = _passed_on(trace, function.this.name) if is_known else None
    if argument is None or not _same_rows(scopes, reader, trace, window):
        return None
    aggregate: exp.Expr = type(function)(this=exp.column(argument))
    return aggregate if cast is None else exp.Cast(this=aggregate, to=cast.to.copy())


def _passed_on(trace: _Trace, name: str) -> str | None:
    """Return the name of a column of the computing SELECT as the reader sees it."""
    for select in (trace.select, *(select for select, *_ in reversed(trace.passing[1:]))):
        names = [
            each.alias_or_name
            for each in select.expressions
            if isinstance(each.unalias(), exp.Column) and each.unalias().name == name
        ]
        if not names:
            return None
        name = names[0]
    return name


def _same_rows(scopes: Scopes, reader: exp.Select, trace: _Trace, window: exp.Window) -> bool:
    """Return True if a group of the reader holds each row of a partition once, and no other row."""
    written = window.args.get("partition_by") or []
    if trace.select.args.get("qualify") or not all(isinstance(key, exp.Column) for key in written):
        return False
    partition = {key.name for key in written}
    left = set(partition)
    crossed: dict[int, set[str]] = {}  # keys of other relations on the way, by the id of the relation
    on_the_way = {id(select) for select, *_ in trace.passing[1:]}
    for key in reader.args["group"].expressions:
        key_trace = _trace(scopes, reader, key)
        if key_trace is None:
            return False
        names = [name for select, _, name in key_trace.passing if select is trace.select]
        if names:
            if names[0] not in partition:
                return False
            left.discard(names[0])
            continue
        for select, item, name in key_trace.passing:
            if id(select) in on_the_way:
                crossed.setdefault(id(item), set()).add(name)
    if left:
        return False
    return all(_passes_rows(scopes, select, item, crossed) for select, item, _ in trace.passing[1:])


def _passes_rows(scopes: Scopes, select: exp.Select, item: exp.Expr, crossed: dict[int, set[str]]) -> bool:
    """Return True if a SELECT has each row of one of its relations once, for each value of crossed keys."""
    if any(select.args.get(name) for name in ("where", "group", "having", "qualify", "order")):
        return False
    for other in items(select):
        join = other.parent if isinstance(other.parent, exp.Join) else None
        using = set(join_keys(join))
        if other is item:
            are_kept = not is_nullable(item)
        elif is_nullable(other) and using:
            are_kept = scopes.is_unique(other, using)
        else:
            is_crossed = join is None or not (using or join.args.get("on"))
            are_kept = is_crossed and scopes.is_unique(other, crossed.get(id(other), set()))
        if not are_kept:
            return False
    return True


def _sum_in_top(scopes: Scopes, reader: exp.Select, case: exp.Expr) -> exp.Expr | None:
    """Return SUM(CASE WHEN top THEN y END) for MAX(CASE WHEN top THEN x END) if x is the sum of y down to a rank."""
    if not isinstance(case, exp.Case) or case.this is not None or case.args.get("default"):
        return None
    [branch, *others] = case.args["ifs"]
    top, column = branch.this, branch.args["true"]
    if others or not isinstance(column, exp.Column) or not _is_top(top):
        return None
    trace, rank = _trace(scopes, reader, column), _trace(scopes, reader, top.this)
    if trace is None or rank is None or not isinstance(trace.value, exp.Window):
        return None
    ranks = [name for select, _, name in rank.passing if select is trace.select]
    item = _down_to(trace.value, ranks[0]) if ranks else None
    argument = None if item is None else _counted(scopes, trace, item)
    if argument is None or not _same_rows(scopes, reader, trace, trace.value):
        return None
    return exp.Sum(this=exp.Case(ifs=[exp.If(this=top.copy(), true=exp.column(argument))]))


def _counted(scopes: Scopes, trace: _Trace, column: exp.Column) -> str | None:
    """Return the name by which a reader sees a column, if it holds whole numbers, none below 0."""
    column_trace = _trace(scopes, trace.select, column)
    return None if column_trace is None or not _is_flag(column_trace.value) else _passed_on(trace, column.name)


def _is_top(condition: exp.Expr) -> bool:
    """Return True for rank BETWEEN 1 AND k, or AND rank."""
    if not isinstance(condition, exp.Between) or not isinstance(condition.this, exp.Column):
        return False
    high = condition.args["high"]
    return bool(condition.args["low"] == exp.Literal.number(1) and (high.is_int or high == condition.this))


def _down_to(window: exp.Window, rank: str) -> exp.Column | None:
    """Return y for the sum of CASE WHEN rank >= 1 THEN y ELSE 0 END down to a rank, with NULL as the last rank."""
    case = window.this.this
    value = case.args["ifs"][0].args["true"] if isinstance(case, exp.Case) else None
    if not isinstance(value, exp.Column):
        return None
    column, one, zero = exp.column(rank), exp.Literal.number(1), exp.Literal.number(0)
    counts = exp.GTE(this=column.copy(), expression=one.copy())
    is_null = exp.Is(this=column.copy(), expression=exp.null())
    last = exp.Case(ifs=[exp.If(this=is_null, true=one)], default=zero.copy())
    expected = window.copy()
    expected.set("this", exp.Sum(this=exp.Case(ifs=[exp.If(this=counts, true=value.copy())], default=zero)))
    expected.set("order", exp.Order(expressions=[exp.Ordered(this=each, nulls_first=True) for each in (last, column)]))
    expected.set("spec", exp.WindowSpec(kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end="CURRENT ROW"))
    return value if window == expected else None


def _is_flag(value: exp.Expr) -> bool:
    """Return True for a CASE of whole numbers, none below 0."""
    if not isinstance(value, exp.Case) or value.args.get("default") is None:
        return False
    results = [*(branch.args["true"] for branch in value.args["ifs"]), value.args["default"]]
    return all(isinstance(each, exp.Literal) and each.is_int for each in results)
