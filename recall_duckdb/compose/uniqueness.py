"""Finds relations that have at most one row for each value of some columns."""

from __future__ import annotations

from collections.abc import Mapping, Set

from sqlglot import exp

from recall_duckdb.compose.scopes import Scopes, aggregates, is_plain, is_single, items, join_keys, joins

# The columns that identify a row of a relation, in data that have no fault.
Keys = Mapping[str, Set[str]]


def is_unique(scopes: Scopes, item: exp.Expr, names: Set[str], keys: Keys) -> bool:
    """Return True if a relation has at most one row for each value of these columns."""
    cte, query = scopes.cte(item), scopes.query(item)
    is_ours = cte is not None and cte.parent is not None and cte.parent.parent is scopes.statement
    if (cte is not None and is_ours and keys.get(cte.alias, {None}) <= names) or is_single(query):
        return True
    if not isinstance(query, exp.Select) or not is_plain(query):
        return False
    passed = {
        projection.unalias().name
        for projection in query.expressions
        if isinstance(projection.unalias(), exp.Column) and projection.alias_or_name in names
    }
    group = query.args.get("group")
    if group is not None:
        return all(isinstance(key, exp.Column) and key.name in passed for key in group.expressions)
    return aggregates(query) or _passes_unique(scopes, query, passed, keys)


def _passes_unique(scopes: Scopes, select: exp.Select, names: Set[str], keys: Keys) -> bool:
    """Return True if the first relation of a SELECT is unique, and no join repeats its rows."""
    for join in joins(select):
        using = set(join_keys(join))
        if not using or not is_unique(scopes, join.this, using, keys):
            return False
    first = items(select)[0]
    columns = scopes.columns(first)
    return columns is not None and is_unique(scopes, first, names & set(columns), keys)
