"""Shortens a composed statement: removes everything that cannot change its answer.

`shorten` is for statements that a person reads. The engine of an evaluation removes most of this by itself.
"""

from __future__ import annotations

from collections.abc import Set

from sqlglot import exp

from recall_duckdb.compose import constants, inlining
from recall_duckdb.compose.scopes import (
    Keys,
    Scopes,
    aggregates,
    find_own,
    is_nullable,
    is_plain,
    is_single,
    items,
    join_keys,
    joins,
    own_nodes,
    remove_cte,
)
from recall_duckdb.definitions.trees import branches


def shorten(
    statement: exp.Query, keys: Keys, *, joins_fill_nulls: bool = True, repeats_relations: bool = False
) -> None:
    """Remove, in place, all that does not change the rows of a statement.

    Args:
        statement: a statement of `Statement`, before the rewrites of a dialect.
        keys: the columns that identify a row of an input, by its relation. The statement does not check them.
        joins_fill_nulls: whether the engine fills columns of a LEFT JOIN without a match with NULL.
        repeats_relations: whether the engine computes a relation again wherever it is read.
    """
    scopes = Scopes(statement, keys, joins_fill_nulls=joins_fill_nulls)
    if not scopes.is_known:
        return
    steps = (_remove_unread, constants.substitute, _remove_joins, inlining.inline)
    while any(step(scopes) for step in steps):  # from the first step again after each change
        scopes = scopes.again()
    if repeats_relations:
        _read_keys_unranked(scopes)
        scopes = scopes.again()
    _renew_hints(scopes)


def _read_keys_unranked(scopes: Scopes) -> None:
    """Read the models from what a relation ranks, if it keeps the top of each list: it is then ranked once."""
    for select in scopes.selects:
        tables = items(select)
        cte = scopes.cte(tables[0]) if len(tables) == 1 else None
        group = select.args.get("group")
        if cte is None or group is None or not isinstance(cte.this, exp.Select) or len(scopes.readers[id(cte)]) < 2:
            continue
        keys = {column.name for column in find_own(select, exp.Column)}
        source = _ranked_whole(cte.this, keys)
        if source is not None and select.named_selects == [key.name for key in group.expressions]:
            tables[0].replace(source.copy())
            select.set("group", None)
            select.set("distinct", exp.Distinct())


def _ranked_whole(ranked: exp.Select, keys: Set[str]) -> exp.Table | None:
    """Return the relation of which a SELECT keeps the first rows of each list, at least one; None for others."""
    [source, *others] = items(ranked)
    top = ranked.args.get("qualify")
    is_whole = not (others or aggregates(ranked) or ranked.args.get("where") or ranked.args.get("group"))
    if not is_whole or not isinstance(source, exp.Table) or not isinstance(top, exp.Qualify):
        return None
    by_name = {each.alias_or_name: each.unalias() for each in ranked.expressions}
    rank = by_name.get(top.this.this.name) if isinstance(top.this, exp.LTE) and top.this.expression.is_int else None
    if not isinstance(rank, exp.Window) or not isinstance(rank.this, exp.RowNumber):
        return None
    passed_on = {name for name, each in by_name.items() if isinstance(each, exp.Column) and each.name == name}
    lists = {each.name for each in rank.args["partition_by"]}
    return source if keys <= lists & passed_on else None


def _renew_hints(scopes: Scopes) -> None:
    """Ask to materialize a relation only if it is still read more than once."""
    are_shared = any(len(readers) > 1 for readers in scopes.readers.values())
    for cte in scopes.holders:
        if isinstance(cte, exp.CTE) and (cte.args.get("materialized") is not False or not are_shared):
            cte.set("materialized", True if len(scopes.readers[id(cte)]) > 1 else None)


def _remove_unread(scopes: Scopes) -> bool:
    """Remove CTEs that nothing reads, and columns that no reader names."""
    changed = False
    names: dict[int, Set[str]] = {}  # by the id of a SELECT
    for holder in reversed(scopes.holders):  # readers first
        reading = (
            [table.parent_select for table in scopes.readers[id(holder)]]
            if isinstance(holder, exp.CTE)
            else [holder.parent_select]
        )
        if not reading:
            remove_cte(holder)
            changed = True
            continue
        needed: set[str] = set()
        for select in reading:
            assert select is not None
            if id(select) not in names:
                names[id(select)] = _names_in(select)
            needed |= names[id(select)]
        changed |= _keep_columns(scopes, holder.this, needed)
    return changed


def _names_in(select: exp.Select) -> Set[str]:
    """Return the names of columns that a SELECT reads."""
    names: set[str] = set()
    for node in own_nodes(select):
        names.update([node.name] if isinstance(node, exp.Column) else join_keys(node))
    return names


def _keep_columns(scopes: Scopes, query: exp.Expr, needed: set[str]) -> bool:
    """Remove the columns of a query that are not needed and not used by the query itself."""
    selects = branches(query)
    names = selects[0].named_selects
    if needed.issuperset(names):
        return False
    for select in selects:
        needed = needed | _used_by_itself(scopes, select)
    places = {place for place, name in enumerate(names) if name in needed}
    if not places:
        places = {next((place for place, each in enumerate(selects[0].expressions) if _is_simple(each)), 0)}
    for select in selects:
        if aggregates(select) and not select.args.get("group"):
            of_all = [place for place, each in enumerate(select.expressions) if each.find(exp.AggFunc)]
            if of_all and not any(place in places for place in of_all):
                places.add(of_all[0])
    if len(places) == len(names) or any(select.args.get("distinct") for select in selects):
        return False
    for select in selects:
        select.set("expressions", [each for place, each in enumerate(select.expressions) if place in places])
    return True


def _is_simple(projection: exp.Expr) -> bool:
    return isinstance(projection.unalias(), (exp.Column, exp.Literal))


def _used_by_itself(scopes: Scopes, select: exp.Select) -> set[str]:
    """Return the names by which a SELECT reads its own columns, as QUALIFY may."""
    return {column.name for column in find_own(select, exp.Column) if scopes.resolve(select, column) is None}


def _remove_joins(scopes: Scopes) -> bool:
    """Remove joins that add, drop and repeat no row, and whose columns nothing reads."""
    changed = False
    for select in scopes.selects:
        if is_plain(select):
            for join in reversed(joins(select)):
                changed |= _remove_join(scopes, select, join)
            changed |= _remove_first(scopes, select)
    return changed


def _remove_join(scopes: Scopes, select: exp.Select, join: exp.Join) -> bool:
    columns = scopes.columns(join.this)
    using = set(join_keys(join))
    is_inner = bool(using) and not join.side and _has_all(scopes, select, join, using)
    if columns is None or not (
        (join.side == "LEFT" and using) or is_inner or (_is_cross(join) and is_single(scopes.query(join.this)))
    ):
        return False
    own_columns = columns - using
    if any(node.table == join.this.alias_or_name for node in find_own(select, exp.Column)):
        return False
    if _reads(select, own_columns, join) or (using and not scopes.is_unique(join.this, using)):
        return False
    _pop_join(join, select)
    return True


def _has_all(scopes: Scopes, select: exp.Select, join: exp.Join, using: Set[str]) -> bool:
    """Return True if the keys of a SELECT come from the relation that it joins, so that each has a match."""
    cte = scopes.cte(join.this)
    if cte is None or using != {"model"}:  # several keys may each be there, but not together, and NULL has no match
        return False
    return _comes_from(scopes, select, "model", cte)


def _comes_from(scopes: Scopes, select: exp.Select, name: str, cte: exp.CTE) -> bool:
    """Return True if all values of a column were read from the column `model` of a CTE."""
    item = scopes.resolve_name(select, name)
    if item is None or is_nullable(item):
        return False
    if scopes.cte(item) is cte:
        # The join with the CTE itself is no evidence: the column must come from another relation.
        return name == "model" and name not in join_keys(item.parent)
    query = scopes.query(item)
    values = scopes.projection(item, name)
    if not isinstance(query, exp.Select) or not is_plain(query) or len(values) != 1:
        return False
    return isinstance(values[0], exp.Column) and _comes_from(scopes, query, values[0].name, cte)


def _remove_first(scopes: Scopes, select: exp.Select) -> bool:
    """Remove the relation of FROM if it is a single row that is crossed with the next relation."""
    [first, *others] = items(select)
    columns = scopes.columns(first)
    if not others or columns is None or not is_single(scopes.query(first)):
        return False
    join = joins(select)[0]
    if not _is_cross(join) or _reads(select, columns, join):
        return False
    first.replace(join.this)
    _pop_join(join, select)
    return True


def _is_cross(join: exp.Join) -> bool:
    return not (join.side or join.args.get("using") or join.args.get("on"))


def _pop_join(join: exp.Join, select: exp.Select) -> None:
    join.pop()
    if not joins(select):
        select.set("joins", None)


def _reads(select: exp.Select, names: Set[str], apart_from: exp.Join) -> bool:
    """Return True if a SELECT may read one of these columns."""
    for node in own_nodes(select):
        read = [node.name] if isinstance(node, exp.Column) else join_keys(node) if node is not apart_from else []
        if not names.isdisjoint(read):
            return True
    return False
