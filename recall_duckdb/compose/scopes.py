"""What each SELECT of a composed statement reads, for the passes that shorten the statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from sqlglot import exp

# The names of these arguments in sqlglot 30 and 27.
FROM = "from_" if "from_" in exp.Select.arg_types else "from"
WITH = "with_" if "with_" in exp.Select.arg_types else "with"
_LEAVES = frozenset((exp.Column, exp.DataType, exp.Identifier, exp.Literal))
_PLAIN = {"expressions", FROM, WITH, "joins", "where", "group", "having", "qualify", "order"}


class Scopes:
    """The SELECTs of a statement, each after those that it reads, and which CTE each table is.

    It must be built again after a change of what is read.
    """

    def __init__(self, statement: exp.Query, *, is_flat: bool = False) -> None:
        self.statement = statement
        self.is_flat = is_flat  # without queries inside expressions, so that nothing is searched for them
        self._has_inner = False
        self.selects: list[exp.Select] = []
        self.holders: list[exp.CTE | exp.Subquery] = []  # CTEs and derived tables, each before its readers
        self.readers: dict[int, list[exp.Table]] = {}  # by the id of a CTE
        self._definitions: dict[int, exp.CTE] = {}  # by the id of a table
        self._columns: dict[int, list[str] | None] = {}  # by the id of a relation
        self._plain: dict[int, bool] = {}  # by the id of a SELECT
        self._places: dict[int, dict[str, int]] = {}  # of projections by name, by the id of a SELECT
        self.is_known = True
        self._visit(statement, {})
        self.is_flat = not self._has_inner

    def again(self) -> Scopes:
        """Return what the changed statement reads."""
        return Scopes(self.statement, is_flat=self.is_flat)

    def _visit(self, query: exp.Expr, known: dict[str, exp.CTE]) -> None:
        ctes = query.args.get(WITH)
        if ctes is not None:
            self.is_known &= not ctes.args.get("recursive")
            known = dict(known)
            for cte in ctes.expressions:
                self._visit(cte.this, known)
                self.holders.append(cte)
                self.readers[id(cte)] = []
                known[cte.alias] = cte
        if isinstance(query, exp.SetOperation):
            self._visit(query.this, known)
            self._visit(query.expression, known)
        elif isinstance(query, exp.Subquery):  # parentheses around a part of a union
            self._visit(query.this, known)
        elif isinstance(query, exp.Select):
            self._visit_select(query, known)
        else:
            self.is_known = False

    def _visit_select(self, select: exp.Select, known: dict[str, exp.CTE]) -> None:
        for item in items(select):
            if isinstance(item, exp.Table):
                self._read(item, known)
            elif isinstance(item, exp.Subquery) and not is_of_user(item):
                self._visit(item.this, known)
                self.holders.append(item)
            else:
                self.is_known = False
        inside = [] if self.is_flat else [node for node in own_nodes(select) if _is_inner(node)]
        self._has_inner |= bool(inside)
        for node in inside:
            if not any(node is not other and other in _above(node, select) for other in inside):
                self._visit(node, known)
        self.selects.append(select)

    def _read(self, table: exp.Table, known: dict[str, exp.CTE]) -> None:
        cte = None if table.db or (table._meta or {}).get("of_the_user") else known.get(table.name)
        if cte is not None:
            self._definitions[id(table)] = cte
            self.readers[id(cte)].append(table)

    def cte(self, item: exp.Expr) -> exp.CTE | None:
        """Return the CTE that a table is; None for a table of the user."""
        return self._definitions.get(id(item))

    def query(self, item: exp.Expr) -> exp.Query | None:
        """Return the query behind a relation; None for a table of the user."""
        if isinstance(item, exp.Subquery):
            return None if is_of_user(item) else cast("exp.Query", item.this)
        cte = self.cte(item)
        return None if cte is None else cast("exp.Query", cte.this)

    def columns(self, item: exp.Expr) -> list[str] | None:
        """Return the names of a relation's columns when they were first asked for; None if they are not known."""
        if id(item) not in self._columns:
            self._columns[id(item)] = self._find_columns(item)
        return self._columns[id(item)]

    def _find_columns(self, item: exp.Expr) -> list[str] | None:
        query = self.query(item)
        alias = item.args.get("alias")
        if query is None or (alias is not None and alias.args.get("columns")):
            return None
        names = list(query.named_selects)
        return None if "*" in names or "" in names else names

    def projection(self, item: exp.Expr, name: str) -> list[exp.Expr]:
        """Return the expressions of a column, one for each part of a union; [] if they are not known."""
        values: list[exp.Expr] = []
        selects = branches(self.query(item))
        place = self._place(selects[0], name) if selects else None
        for select in selects:
            if place is None or place >= len(select.expressions):
                return []
            values.append(select.expressions[place].unalias())
        return values

    def is_plain(self, select: exp.Select) -> bool:
        """Return whether a SELECT was plain when this was first asked."""
        if id(select) not in self._plain:
            self._plain[id(select)] = is_plain(select)
        return self._plain[id(select)]

    def _place(self, select: exp.Select, name: str) -> int | None:
        """Return the first place of a column among the projections, without reading all their names again."""
        place = self._places.get(id(select), {}).get(name)
        projections = select.expressions
        if place is None or place >= len(projections) or projections[place].alias_or_name != name:
            names = select.named_selects
            self._places[id(select)] = {name: place for place, name in reversed([*enumerate(names)])}
            place = self._places[id(select)].get(name)
        return place

    def resolve(self, select: exp.Select, column: exp.Column) -> exp.Expr | None:
        """Return the relation of a SELECT that a column is of; None if it is an alias, or not known."""
        return self.resolve_name(select, column.name, column.table)

    def resolve_name(self, select: exp.Select, name: str, table: str = "") -> exp.Expr | None:
        """Return the relation of a SELECT that has a column of this name."""
        relations = items(select)
        if table:
            return next((item for item in relations if item.alias_or_name == table), None)
        candidates = [(item, self.columns(item)) for item in relations]
        if any(columns is None for _, columns in candidates):
            return candidates[0][0] if len(candidates) == 1 else None
        matches = [item for item, columns in candidates if columns and name in columns]
        if len(matches) > 1 and not all(_joins_by(item, name) for item in matches[1:]):
            return None
        return matches[0] if matches else None


def is_of_user(relation: exp.Subquery) -> bool:
    """Return True for a query of the user, which stays as it is."""
    return bool((relation._meta or {}).get("of_the_user"))


def _is_inner(node: exp.Expr) -> bool:
    """Return True for a query inside an expression."""
    return isinstance(node, exp.Query) and not isinstance(node, exp.Subquery)


def _above(node: exp.Expr, top: exp.Expr) -> list[exp.Expr]:
    ancestors = []
    while node.parent is not None and node is not top:
        node = node.parent
        ancestors.append(node)
    return ancestors


def _joins_by(item: exp.Expr, name: str) -> bool:
    join = item.parent
    return isinstance(join, exp.Join) and name in [key.name for key in join.args.get("using") or []]


def branches(query: exp.Expr | None) -> list[exp.Select]:
    """Return the SELECTs of a UNION ALL, or the one SELECT; [] for other queries."""
    if isinstance(query, exp.Select):
        return [query]
    if isinstance(query, exp.Union) and not query.args.get("distinct") and not _is_modified(query):
        left, right = branches(query.this), branches(query.expression)
        return [*left, *right] if left and right else []
    return []


def _is_modified(query: exp.Union) -> bool:
    return any(query.args.get(name) for name in ("order", "limit", "offset", "by_name", WITH))


def items(select: exp.Select) -> list[exp.Expr]:
    """Return the relations of FROM and the joins."""
    first = select.args.get(FROM)
    return [*([] if first is None else [first.this]), *(join.this for join in joins(select))]


def joins(select: exp.Select) -> Sequence[exp.Join]:
    """Return the joins of a SELECT."""
    return select.args.get("joins") or []


def is_item(node: exp.Expr) -> bool:
    """Return True for a relation of FROM or of a join."""
    return isinstance(node.parent, (exp.From, exp.Join)) and node.arg_key == "this"


def own_nodes(select: exp.Select, *, without: tuple[str, ...] = ()) -> list[exp.Expr]:
    """Return the nodes of a SELECT without names, types, and the nodes of its CTEs and derived tables."""
    stack: list[Any] = [value for key, value in select.args.items() if key != WITH and key not in without]
    nodes: list[exp.Expr] = []
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(reversed(node))
        elif isinstance(node, exp.Expression):
            kind = type(node)
            if kind is not exp.Identifier:
                nodes.append(node)
            if kind not in _LEAVES and not (kind is exp.Subquery and is_item(node)):
                stack.extend(reversed(node.args.values()))
    return nodes


def find_own(select: exp.Select, *kinds: type[exp.Expr]) -> list[exp.Expr]:
    """Return the own nodes of these kinds."""
    return [node for node in own_nodes(select) if isinstance(node, kinds)]


def is_plain(select: exp.Select) -> bool:
    """Return True if a SELECT has only clauses, joins and relations that the passes know, and no subquery in them."""
    clauses = {key for key, value in select.args.items() if value not in (None, [], False)}
    if not clauses <= _PLAIN or not select.args.get(FROM):
        return False
    for join in joins(select):
        if join.kind not in ("", "CROSS", "INNER") or join.side not in ("", "LEFT") or join.method:
            return False
    for node in own_nodes(select):
        if isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count):
            return False
        if isinstance(node, exp.Query) and not (isinstance(node, exp.Subquery) and is_item(node)):
            return False
        if isinstance(node, exp.TableAlias) and node.args.get("columns"):
            return False
    return True


def is_single(select: exp.Expr | None) -> bool:
    """Return True if a query has exactly one row: constants, or aggregates without GROUP BY and HAVING."""
    if not isinstance(select, exp.Select) or find_own(select, exp.Query, exp.UDTF, exp.Explode):
        return False
    if any(select.args.get(name) for name in ("group", "having", "qualify", "where", "limit", "joins")):
        return False
    return select.args.get(FROM) is None or aggregates(select)


def aggregates(select: exp.Select) -> bool:
    """Return True if a SELECT has an aggregate that is no window."""
    return any(isinstance(node, exp.AggFunc) and not in_window(node) for node in own_nodes(select))


def in_window(node: exp.Expr) -> bool:
    """Return True if an aggregate is the function of a window."""
    above = node.parent
    while isinstance(above, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls)):
        node, above = above, above.parent
    return isinstance(above, exp.Window) and node.arg_key == "this"


def remove_cte(cte: exp.Expr) -> None:
    """Remove a CTE, and its WITH if that is empty."""
    holder = cte.parent
    cte.pop()
    if holder is not None and not holder.expressions:
        holder.pop()
