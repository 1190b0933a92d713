"""Moves relations into the SELECT that reads them, and drops those that only pass columns on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlglot import exp

from recall_duckdb.compose.constants import is_constant
from recall_duckdb.compose.plan import LABELLED
from recall_duckdb.compose.scopes import (
    Scopes,
    aggregates,
    find_own,
    is_plain,
    items,
    join_keys,
    joins,
    own_nodes,
    projections,
    remove_cte,
)
from recall_duckdb.definitions.functions import substitute
from recall_duckdb.definitions.trees import FROM, WITH

# Relations that keep their name, whatever they hold.
_PERMANENT = frozenset(("ranked", "judged", "per_query"))
_CHEAP = 12  # nodes of an expression that may be computed twice
_CLAUSES = ("where", "group", "having", "qualify", "order")


def inline(scopes: Scopes) -> bool:
    """Inline relations of a statement, in place, and return True if there was one."""
    changed = False
    for holder in scopes.holders:
        if isinstance(holder, exp.CTE) and holder.alias not in _PERMANENT and _skip(scopes, holder):
            scopes, changed = scopes.again(), True
    for select in scopes.selects:  # a SELECT is inlined into a later one
        while _group_once(scopes, select) or _add_up_once(scopes, select) or _merge(scopes, select):
            scopes, changed = scopes.again(), True
    return changed


def _read_alone(scopes: Scopes, select: exp.Select) -> exp.Select | None:
    """Return the first query that a SELECT reads, if nothing else reads it."""
    if not is_plain(select):
        return None
    item = items(select)[0]
    inner, cte = scopes.query(item), scopes.cte(item)
    if not isinstance(inner, exp.Select) or not is_plain(inner):
        return None
    return inner if cte is None or len(scopes.readers[id(cte)]) == 1 else None


def _group_once(scopes: Scopes, select: exp.Select) -> bool:
    """Remove GROUP BY from a relation that another GROUP BY reads, if neither has aggregates."""
    if not _only_groups(select) or joins(select):
        return False
    inner = _read_alone(scopes, select)
    if inner is None or not _only_groups(inner):
        return False
    inner.args["group"].pop()
    return True


def _add_up_once(scopes: Scopes, select: exp.Select) -> bool:
    """Count rows instead of adding up the counts of finer groups."""
    if _clauses(select) != ["group"] or joins(select):
        return False
    inner = _read_alone(scopes, select)
    if inner is None or _clauses(inner) not in (["group"], ["where", "group"]):
        return False
    values = projections(inner)
    sums: list[exp.Expr] = []
    for column in find_own(select, exp.Column):
        value, above = values.get(column.name), column.parent
        if isinstance(value, exp.Column) and not isinstance(above, exp.AggFunc):
            continue  # a key
        if above is None or value is None or not _is_sum_of_counts(above, value):
            return False
        sums.append(above)
    if not sums or len(find_own(select, exp.AggFunc)) != len(sums) or find_own(select, exp.Window):
        return False
    for each in sums:
        each.replace(exp.Count(this=exp.Star(), big_int=True))
    inner.args["group"].pop()
    inner.set("expressions", [each for each in inner.expressions if isinstance(each.unalias(), exp.Column)])
    return True


def _is_sum_of_counts(function: exp.Expr, value: exp.Expr) -> bool:
    """Return True for CAST(SUM(n) AS …) where n is COUNT(*) or SUM(1)."""
    is_cast_sum = type(function) is exp.Sum and isinstance(function.parent, exp.Cast)
    counts = (exp.Count(this=exp.Star()), exp.Count(this=exp.Star(), big_int=True), exp.Sum(this=exp.Literal.number(1)))
    return is_cast_sum and value in counts


def _only_groups(select: exp.Select) -> bool:
    clauses = _clauses(select)
    if "group" not in clauses or "having" in clauses or "qualify" in clauses:
        return False
    return not find_own(select, exp.AggFunc, exp.Window, exp.Anonymous)


def _skip(scopes: Scopes, cte: exp.CTE) -> bool:
    """Let the readers of a CTE read the CTE that it passes on."""
    query = cte.this
    if not isinstance(query, exp.Select) or not is_plain(query) or joins(query) or _clauses(query):
        return False
    source = items(query)[0]
    behind, columns = scopes.cte(source), scopes.columns(source)
    if behind is not None and behind.alias in LABELLED and len(scopes.readers[id(behind)]) == 1:
        return False  # merged instead, under the better name
    if behind is None or columns is None or query.args.get(WITH) or not all(map(_is_passed, query.expressions)):
        return False
    more = columns - set(query.named_selects)
    readers = scopes.readers[id(cte)]
    for table in readers:
        select = table.parent_select
        if select is None or not is_plain(select) or table.args.get("alias") is not None:
            return False
        if any(node.name in more or node.table == cte.alias for node in find_own(select, exp.Column)):
            return False
    for table in readers:
        table.set("this", exp.to_identifier(behind.alias))
    return bool(readers)


def _is_passed(projection: exp.Expr) -> bool:
    """Return True for a column that keeps its name."""
    return _is_same(projection.unalias(), projection.alias_or_name)


def _is_same(value: exp.Expr, name: str) -> bool:
    return isinstance(value, exp.Column) and value.name == name and not value.this.quoted


def _clauses(select: exp.Select) -> list[str]:
    return [name for name in _CLAUSES if select.args.get(name)]


def _is_complex(select: exp.Select) -> bool:
    """Return True if a filter cannot move past a SELECT."""
    return (
        any(select.args.get(name) for name in ("group", "having", "qualify"))
        or aggregates(select)
        or bool(find_own(select, exp.Window))
    )


def _merge(scopes: Scopes, select: exp.Select) -> bool:
    """Let a SELECT read what its first relation reads, if that is a query that nothing else reads."""
    inner = _read_alone(scopes, select)
    if inner is None or not _may_move(inner):
        return False
    item = items(select)[0]
    cte = scopes.cte(item)
    below = items(inner)[0]
    is_named = cte is not None and cte.alias in _PERMANENT
    is_peeled = is_named and isinstance(below, exp.Subquery) and not joins(inner) and not _clauses(inner)
    only_joins = cte is not None and cte.alias == "judged" and all(map(_is_passed, inner.expressions))
    if is_named and not is_peeled and not only_joins:
        return False
    columns = [node for node in find_own(select, exp.Column) if scopes.resolve(select, node) is item]
    values = projections(inner)
    if not _fits(select, inner, columns, values) or not _may_expose(scopes, select, inner, columns, values):
        return False
    for column in columns:
        value = values[column.name].copy()
        if column.parent is select:
            column.replace(exp.alias_(value, column.name))
        else:
            substitute(column, value)
    if cte is not None and is_peeled:  # what it computes is computed by its reader
        cte.set("this", below.this)
        below.this.comments = inner.comments
        return True
    _take_clauses(select, inner)
    if cte is not None:
        remove_cte(cte)
    return True


def _may_move(inner: exp.Select) -> bool:
    """Return True if a query can move: it calls no function that makes rows, or that is unknown."""
    if inner.args.get("order") or inner.args.get(WITH):
        return False
    return not any(isinstance(node, (exp.Anonymous, exp.UDTF, exp.Explode)) for node in own_nodes(inner))


def _fits(select: exp.Select, inner: exp.Select, columns: list[exp.Column], values: Mapping[str, exp.Expr]) -> bool:
    """Return True if a SELECT can take over the clauses and expressions of the query that it reads."""
    is_more = bool(joins(select) or _clauses(select)) or _is_complex(select)
    if _is_complex(inner) and (is_more or not _keeps_names(inner, select, columns)):
        return False
    if any(name in values and not _is_same(values[name], name) for name in _keys(select)):
        return False
    times = Counter(column.name for column in columns)  # no expression may be computed twice
    return all(times[name] <= 1 or _is_cheap(each, times[name]) for name, each in values.items())


def _is_cheap(value: exp.Expr, times: int) -> bool:
    """Return True if an expression may be computed so often: a column, or twice a choice between columns."""
    if isinstance(value, exp.Column) or is_constant(value):
        return True
    nodes = [*value.walk()]
    is_short = isinstance(value, exp.Case) and len(nodes) <= _CHEAP and times == 2
    return is_short and not any(isinstance(each, (exp.AggFunc, exp.Anonymous, exp.Window)) for each in nodes)


def _take_clauses(select: exp.Select, inner: exp.Select) -> None:
    select.set(FROM, inner.args[FROM])
    select.set("joins", [*joins(inner), *joins(select)] or None)
    for name in ("group", "having", "qualify"):
        if inner.args.get(name) is not None:
            select.set(name, inner.args[name])
    where = inner.args.get("where")
    if where is not None:
        own_where = select.args.get("where")
        both = where.this if own_where is None else exp.and_(where.this, own_where.this, copy=False)
        select.set("where", exp.Where(this=both))
    if not select.comments and inner.comments:
        select.add_comments(inner.comments)


def _keys(select: exp.Select) -> set[str]:
    """Return the names of the columns that the joins of a SELECT use."""
    return {name for join in joins(select) for name in join_keys(join)}


def _keeps_names(inner: exp.Select, select: exp.Select, columns: list[exp.Column]) -> bool:
    """Return True if the clauses of a query name no column that a SELECT would rename or drop."""
    changed = {each.alias_or_name for each in inner.expressions if not _is_passed(each)}
    clauses = own_nodes(inner, without=("expressions",))
    named = {node.name for node in clauses if isinstance(node, exp.Column)} & changed
    passed = {each.alias_or_name for each in select.expressions if _is_passed(each)}
    nested = any(each.find(exp.Window) and _is_nested(columns, each) for each in inner.expressions)
    return named <= passed and not nested


def _is_nested(columns: list[exp.Column], projection: exp.Expr) -> bool:
    """Return True if a SELECT reads a column inside a window or an aggregate."""
    name = projection.alias_or_name
    return any(column.name == name and column.find_ancestor(exp.Window, exp.AggFunc) for column in columns)


def _may_expose(
    scopes: Scopes, select: exp.Select, inner: exp.Select, columns: list[exp.Column], values: Mapping[str, exp.Expr]
) -> bool:
    """Return True if no name in a SELECT becomes ambiguous by the columns of the relations that it would read."""
    new, others = items(inner), items(select)[1:]
    if {each.alias_or_name for each in others} & {each.alias_or_name for each in new}:
        return False
    replaced = {id(column) for column in columns}
    free = {node.name for node in find_own(select, exp.Column) if id(node) not in replaced and not node.table}
    exposed, theirs = (_names_of(scopes, each) for each in (new, others))
    if exposed is None:
        return not others and not free and _clauses(select) in ([], ["where"])
    if theirs is None or exposed & free or (exposed & theirs) - _keys(select):
        return False
    read = {node.name for column in columns for node in values[column.name].find_all(exp.Column)}
    return not _captures(select, columns, values, read)


def _names_of(scopes: Scopes, relations: list[exp.Expr]) -> set[str] | None:
    """Return the names of the columns of some relations; None if they are not known."""
    names: set[str] = set()
    for relation in relations:
        columns = scopes.columns(relation)
        if columns is None:
            return None
        names.update(columns)
    return names


def _captures(select: exp.Select, columns: list[exp.Column], values: Mapping[str, exp.Expr], read: set[str]) -> bool:
    """Return True if an alias would have the name of a column that is read: ClickHouse reads the alias instead."""
    for each in select.expressions:
        name, value = each.alias_or_name, each.unalias()
        if isinstance(value, exp.Column):
            value = values.get(value.name, value) if any(value is column for column in columns) else value
            if isinstance(value, exp.Column) and value.name == name:
                continue
        if name in read:
            return True
    return False
