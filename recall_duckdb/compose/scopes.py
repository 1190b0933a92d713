"""What each SELECT of a composed statement reads, for the passes that shorten the statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType
from typing import Any, cast

from sqlglot import exp

from recall_duckdb.definitions.trees import FROM, WITH, E, branches, is_of_user

# The columns that identify a row of a relation, in data that have no fault, by relation.
Keys = Mapping[str, Set[str]]
_LEAVES = frozenset((exp.Column, exp.DataType, exp.Identifier, exp.Literal))
_CLAUSES = {"expressions", FROM, WITH, "joins", "where", "group", "having", "qualify", "order", "distinct"}


class Scopes:
    """The SELECTs of a statement, each after those that it reads, and which CTE each table is.

    It must be built again after a change of what is read.

    Attributes:
        joins_fill_nulls: whether an outer join fills columns without a match with NULL. ClickHouse fills 0.
        selects: the SELECTs.
        holders: CTEs and derived tables, each before its readers.
        readers: the tables that read a CTE, by its id.
    """

    def __init__(
        self, statement: exp.Query, keys: Keys = MappingProxyType({}), *, joins_fill_nulls: bool = True
    ) -> None:
        self._statement, self._keys = statement, keys
        self.joins_fill_nulls = joins_fill_nulls
        self.selects: list[exp.Select] = []
        self.holders: list[exp.CTE | exp.Subquery] = []
        self.readers: dict[int, list[exp.Table]] = {}
        self._queries: list[exp.Expr] = []  # the SELECTs and unions
        self._definitions: dict[int, exp.CTE] = {}  # by the id of a table
        self._columns: dict[int, frozenset[str] | None] = {}  # by the id of a relation
        self._places: dict[int, dict[str, int]] = {}  # of projections by name, by the id of a SELECT
        self._visit(statement, {})

    @property
    def is_known(self) -> bool:
        """True if every part has a form that the files in `sql/` use. The passes know no other."""
        return all(map(_is_known, self._queries))

    def again(self) -> Scopes:
        """Return what the changed statement reads."""
        return Scopes(self._statement, self._keys, joins_fill_nulls=self.joins_fill_nulls)

    def _visit(self, query: exp.Expr, known: dict[str, exp.CTE]) -> None:
        self._queries.append(query)
        ctes = query.args.get(WITH)
        if ctes is not None:
            known = dict(known)
            for cte in ctes.expressions:
                self._visit(cte.this, known)
                self.holders.append(cte)
                self.readers[id(cte)] = []
                known[cte.alias] = cte
        if isinstance(query, exp.Union):
            self._visit(query.this, known)
            self._visit(query.expression, known)
        elif isinstance(query, exp.Select):
            self._visit_select(query, known)

    def _visit_select(self, select: exp.Select, known: dict[str, exp.CTE]) -> None:
        for item in items(select):
            if isinstance(item, exp.Table):
                self._read(item, known)
            elif isinstance(item, exp.Subquery):
                self._visit(item.this, known)
                self.holders.append(item)
        self.selects.append(select)

    def _read(self, table: exp.Table, known: dict[str, exp.CTE]) -> None:
        cte = None if table.db or is_of_user(table) else known.get(table.name)
        if cte is not None:
            self._definitions[id(table)] = cte
            self.readers[id(cte)].append(table)

    def cte(self, item: exp.Expr) -> exp.CTE | None:
        """Return the CTE that a table is; None for a table of the user."""
        return self._definitions.get(id(item))

    def query(self, item: exp.Expr) -> exp.Query | None:
        """Return the query behind a relation; None for a table of the user."""
        holder = item if isinstance(item, exp.Subquery) else self.cte(item)
        return None if holder is None else cast("exp.Query", holder.this)

    def columns(self, item: exp.Expr) -> frozenset[str] | None:
        """Return the names of a relation's columns when they were first asked for; None if they are not known."""
        if id(item) not in self._columns:
            query = self.query(item)
            self._columns[id(item)] = None if query is None else frozenset(query.named_selects)
        return self._columns[id(item)]

    def projection(self, item: exp.Expr, name: str) -> list[exp.Expr]:
        """Return the expressions of a column, one for each part of a union; [] if they are not known."""
        selects = branches(self.query(item))
        place = self._place(selects[0], name) if selects else None
        return [] if place is None else [select.expressions[place].unalias() for select in selects]

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
        columns = [self.columns(item) for item in relations]
        if None in columns:
            return relations[0] if len(relations) == 1 else None
        return next((item for item, names in zip(relations, columns, strict=True) if names and name in names), None)

    def is_unique(self, item: exp.Expr, names: Set[str]) -> bool:
        """Return True if a relation has at most one row for each value of these columns."""
        cte, query = self.cte(item), self.query(item)
        if (cte is not None and self._keys.get(cte.alias, {None}) <= names) or is_single(query):
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
            keys = group.expressions
            return bool(keys) and all(isinstance(key, exp.Column) and key.name in passed for key in keys)
        return aggregates(query) or self._passes_unique(query, passed)

    def _passes_unique(self, select: exp.Select, names: Set[str]) -> bool:
        """Return True if the first relation of a SELECT is unique, and no join repeats its rows."""
        for join in joins(select):
            using = set(join_keys(join))
            if not using or not self.is_unique(join.this, using):
                return False
        first = items(select)[0]
        columns = self.columns(first)
        return columns is not None and self.is_unique(first, names & columns)


def _is_known(query: exp.Expr) -> bool:
    """Return True if a query, without those that it reads, has only forms that the files in `sql/` use."""
    ctes: exp.Expr | None = query.args.get(WITH)
    if ctes is not None and (
        ctes.args.get("recursive") or any(cte.args["alias"].args.get("columns") for cte in ctes.expressions)
    ):
        return False
    given = {key for key, value in query.args.items() if value not in (None, [], False)}
    if isinstance(query, exp.Union):
        return given <= {"this", "expression", "order", WITH}
    if not isinstance(query, exp.Select) or not given <= _CLAUSES:
        return False
    for join in joins(query):
        if join.kind not in ("", "CROSS", "INNER") or join.side not in ("", "LEFT") or join.method:
            return False
    for item in items(query):
        if not isinstance(item, exp.Table) and (not isinstance(item, exp.Subquery) or is_of_user(item)):
            return False
    return all(map(_is_known_node, own_nodes(query)))


def _is_known_node(node: exp.Expr) -> bool:
    """Return False for a star, a query inside an expression, new column names, a key by its number, and FILTER."""
    if isinstance(node, exp.Star):
        return isinstance(node.parent, exp.Count)
    if isinstance(node, exp.Query):
        return isinstance(node, exp.Subquery) and is_item(node)
    if isinstance(node, exp.TableAlias):
        return not node.args.get("columns")
    if isinstance(node, exp.Group):
        return not any(value for key, value in node.args.items() if key not in ("expressions", "grouping_sets"))
    if isinstance(node, exp.Literal):
        return not isinstance(node.parent, (exp.Group, exp.Ordered))
    return not isinstance(node, (exp.Filter, exp.IgnoreNulls, exp.RespectNulls))


def items(select: exp.Select) -> list[exp.Expr]:
    """Return the relations of FROM and the joins."""
    first = select.args.get(FROM)
    return [*([] if first is None else [first.this]), *(join.this for join in joins(select))]


def joins(select: exp.Select) -> Sequence[exp.Join]:
    """Return the joins of a SELECT."""
    return select.args.get("joins") or []


def join_keys(join: exp.Expr | None) -> list[str]:
    """Return the names of the columns that a join uses; [] if the node is not a join."""
    return [key.name for key in join.args.get("using") or []] if isinstance(join, exp.Join) else []


def is_nullable(item: exp.Expr) -> bool:
    """Return True if a join may fill a relation with NULL."""
    return isinstance(item.parent, exp.Join) and bool(item.parent.side)


def projections(select: exp.Select) -> dict[str, exp.Expr]:
    """Return the expressions of a SELECT by the names of its columns."""
    return {each.alias_or_name: each.unalias() for each in select.expressions}


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


def find_own(select: exp.Select, *kinds: type[E]) -> list[E]:
    """Return the own nodes of these kinds."""
    return [node for node in own_nodes(select) if isinstance(node, kinds)]


def is_plain(select: exp.Select) -> bool:
    """Return True if a SELECT reads relations, and keeps equal rows."""
    return bool(select.args.get(FROM)) and not select.args.get("distinct")


def is_single(select: exp.Expr | None) -> bool:
    """Return True if a query has exactly one row: constants, or aggregates without GROUP BY and HAVING."""
    if not isinstance(select, exp.Select) or find_own(select, exp.Subquery):
        return False
    if any(select.args.get(name) for name in ("group", "having", "qualify", "where", "limit", "joins")):
        return False
    return select.args.get(FROM) is None or aggregates(select)


def aggregates(select: exp.Select) -> bool:
    """Return True if a SELECT has an aggregate that is no window."""
    return any(isinstance(node, exp.AggFunc) and not in_window(node) for node in own_nodes(select))


def in_window(node: exp.Expr) -> bool:
    """Return True if an aggregate is the function of a window."""
    return isinstance(node.parent, exp.Window) and node.arg_key == "this"


def remove_cte(cte: exp.Expr) -> None:
    """Remove a CTE, and its WITH if that is empty."""
    holder = cte.parent
    cte.pop()
    if holder is not None and not holder.expressions:
        holder.pop()
