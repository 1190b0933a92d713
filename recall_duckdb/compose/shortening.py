"""Shortens a composed statement: removes everything that cannot change its answer.

`shorten` is for statements that a person reads. The engine of an evaluation removes most of this by itself. It knows
only the forms of the files in `sql/`: a relation is a CTE of the statement, a derived table, or of the user.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from sqlglot import exp

from recall_duckdb.compose.plan import LABELLED
from recall_duckdb.definitions import folding
from recall_duckdb.definitions.functions import substitute
from recall_duckdb.definitions.trees import FROM, WITH, E, branches, is_double, is_of_user

# Relations that keep their name, whatever they hold.
_PERMANENT = frozenset(("ranked", "judged", "per_query"))
_CHEAP = 12  # nodes of an expression that may be computed twice
_CLAUSES = ("where", "group", "having", "qualify", "order")
_CONSTANT = (exp.Literal, exp.Null, exp.Cast, exp.DataType, exp.DataTypeParam, exp.Paren, exp.Neg)
_LEAVES = frozenset((exp.Column, exp.DataType, exp.Identifier, exp.Literal))


def shorten(statement: exp.Query, *, joins_fill_nulls: bool = True) -> None:
    """Remove, in place, all that does not change the rows of a statement.

    Args:
        statement: a statement of `Statement`, before the rewrites of a dialect.
        joins_fill_nulls: whether the engine fills columns of a LEFT JOIN without a match with NULL.
    """
    scopes = Scopes(statement, joins_fill_nulls)
    while any(step(scopes) for step in (_remove_unread, _fold, _remove_joins, _inline)):
        scopes.look()  # from the first step again after each change
    are_shared = any(len(readers) > 1 for readers in scopes.readers.values())
    for cte in statement.ctes:  # materialize only relations that are still read more than once
        if cte.args.get("materialized") is not False or not are_shared:
            cte.set("materialized", True if len(scopes.readers[id(cte)]) > 1 else None)


class Scopes:
    """What each SELECT of a statement reads; `look` again after a change of that.

    Attributes:
        selects: the SELECTs, each after those that it reads.
        holders: CTEs and derived tables, each before its readers.
        readers: the tables that read a CTE, by its id.
        joins_fill_nulls: as in `shorten`; ClickHouse fills 0.
    """

    def __init__(self, statement: exp.Query, joins_fill_nulls: bool) -> None:
        self.statement, self.joins_fill_nulls = statement, joins_fill_nulls
        self._nodes: dict[int, tuple[exp.Select, list[exp.Expr]]] = {}  # by the id of the SELECT, which it keeps alive
        self.look()

    def look(self) -> bool:
        """Look at what the statement reads; returns True."""
        self.selects: list[exp.Select] = []
        self.holders: list[exp.CTE | exp.Subquery] = []
        self.readers: dict[int, list[exp.Table]] = {}
        self._ctes: dict[str, exp.CTE] = {}
        self._definitions: dict[int, exp.CTE] = {}  # by the id of a table
        self._columns: dict[int, frozenset[str]] = {}  # by the id of a query
        for cte in self.statement.ctes:
            self._visit(cte.this)
            self.holders.append(cte)
            self.readers[id(cte)] = []
            self._ctes[cte.alias] = cte
        self._visit(self.statement)
        return True

    def find(self, select: exp.Select, *kinds: type[E]) -> list[E]:
        """Return the nodes of these kinds in a SELECT without names, and without its CTEs and derived tables."""
        if id(select) not in self._nodes:
            nodes: list[exp.Expr] = []
            stack: list[Any] = [value for key, value in select.args.items() if key != WITH]
            while stack:
                node = stack.pop()
                if type(node) is list:
                    stack.extend(reversed(node))
                elif isinstance(node, exp.Expression):
                    nodes.append(node)
                    is_item = type(node) is exp.Subquery and isinstance(node.parent, (exp.From, exp.Join))
                    if type(node) not in _LEAVES and not is_item:
                        stack.extend(reversed(node.args.values()))
            self._nodes[id(select)] = select, nodes
        return [node for node in self._nodes[id(select)][1] if isinstance(node, kinds)]

    def names_read(self, select: exp.Select | None, apart_from: exp.Join | None = None) -> set[str]:
        """Return the names of columns that a SELECT reads."""
        assert select is not None
        names = {column.name for column in self.find(select, exp.Column)}
        return names.union(*(_join_keys(join) for join in _joins(select) if join is not apart_from))

    def changed(self, select: exp.Select) -> bool:
        """Forget the nodes of a SELECT that was changed; returns True."""
        self._nodes.pop(id(select), None)
        return True

    def _visit(self, query: exp.Expr) -> None:
        for select in branches(query):
            for item in [each for each in items(select) if not is_of_user(each)]:
                if isinstance(item, exp.Subquery):
                    self._visit(item.this)
                    self.holders.append(item)
                elif isinstance(item, exp.Table) and not item.db and item.name in self._ctes:
                    self._definitions[id(item)] = self._ctes[item.name]
                    self.readers[id(self._ctes[item.name])].append(item)
            self.selects.append(select)

    def cte(self, item: exp.Expr) -> exp.CTE | None:
        """Return the CTE that a table is; None for a table of the user."""
        return self._definitions.get(id(item))

    def query(self, item: exp.Expr) -> exp.Query | None:
        """Return the query behind a relation; None for a relation of the user."""
        holder = item if isinstance(item, exp.Subquery) and not is_of_user(item) else self.cte(item)
        return None if holder is None else cast("exp.Query", holder.this)

    def columns(self, item: exp.Expr) -> frozenset[str] | None:
        """Return the names of a relation's columns when they were first asked for; None if they are not known."""
        query = self.query(item)
        if query is None:
            return None
        if id(query) not in self._columns:
            self._columns[id(query)] = frozenset(query.named_selects)
        return self._columns[id(query)]

    def source(self, select: exp.Select, column: exp.Column) -> exp.Expr | None:
        """Return the relation of a SELECT that a column is of; None if it is an alias, or not known."""
        read = items(select)
        if column.table:
            return next((item for item in read if item.alias_or_name == column.table), None)
        known = [self.columns(item) for item in read]
        if None in known:
            return read[0] if len(read) == 1 else None
        return next((item for item, names in zip(read, known, strict=True) if column.name in (names or ())), None)

    def values(self, item: exp.Expr, name: str) -> list[exp.Expr]:
        """Return the expressions of a column, one for each part of a union; [] if they are not known."""
        selects = branches(self.query(item))
        names = [each.alias_or_name for each in selects[0].expressions] if selects else []
        return [each.expressions[names.index(name)].unalias() for each in selects] if name in names else []


def _remove_unread(scopes: Scopes) -> bool:
    """Remove CTEs that nothing reads, and columns that no reader names."""
    changed = False
    for holder in reversed(scopes.holders):  # readers first
        reading = scopes.readers.get(id(holder), [holder])
        if reading:
            names = set[str]().union(*(scopes.names_read(each.parent_select) for each in reading))
            changed |= _keep_columns(scopes, holder.this, names)
        else:
            holder.pop()
            changed = True
    return changed


def _keep_columns(scopes: Scopes, query: exp.Expr, needed: set[str]) -> bool:
    """Remove the columns of a query that are not needed and not used by the query itself."""
    selects = branches(query)
    tops = [select.args["qualify"] for select in selects if select.args.get("qualify")]
    needed = needed | {column.name for top in tops for column in top.find_all(exp.Column)}
    projections = selects[0].expressions
    places = {place for place, each in enumerate(projections) if each.alias_or_name in needed} or {0}
    for select in selects:  # an unnested list makes the rows, even if nothing reads its items
        places |= {place for place, each in enumerate(select.expressions) if each.find(exp.Explode)}
    if len(places) == len(projections) or any(select.args.get("distinct") for select in selects):
        return False
    for select in selects:
        select.set("expressions", [each for place, each in enumerate(select.expressions) if place in places])
        scopes.changed(select)
    return True


def _fold(scopes: Scopes) -> bool:
    """Replace columns that are constant in the relation that they are read from, and fold what this decides."""
    changed = False
    for select in scopes.selects:
        for column in scopes.find(select, exp.Column):
            item = None if isinstance(column.parent, exp.PivotAlias) else scopes.source(select, column)
            values = [] if item is None else scopes.values(item, column.name)
            if item is None or not values:
                continue
            above = column.parent
            if above is not None and _is_cast_to_double(above) and all(map(is_double, values)):
                _replace(select, above, column)
            elif not all(_is_constant(each) and each == values[0] for each in values):
                continue
            elif isinstance(item.parent, exp.Join) and item.parent.side:
                if not scopes.joins_fill_nulls or not _fold_match(column, values[0]):
                    continue
            else:
                _put(select, column, values[0].copy())
            changed = scopes.changed(select)
        for node in scopes.find(select, exp.Between, exp.Cast, exp.GT, exp.GTE, exp.IsNan, exp.Nullif, exp.Sum):
            replacement = _simpler(node)
            if replacement is not None and node.parent is not None:
                _replace(select, node, replacement)
                changed = scopes.changed(select)
    return changed


def _is_constant(expression: exp.Expr) -> bool:
    """Return True for an expression of literals alone, whose type is known."""
    return not isinstance(expression, exp.Null) and all(isinstance(node, _CONSTANT) for node in expression.walk())


def _fold_match(column: exp.Column, value: exp.Expr) -> bool:
    """Fold CASE WHEN flag = 1 THEN x END to x, if flag is 1 in all rows of the joined relation that x comes from."""
    case = column.find_ancestor(exp.Case)
    if case is None or case.args.get("default") is not None or len(case.args["ifs"]) != 1:
        return False
    [branch] = case.args["ifs"]
    is_test = type(branch.this) is exp.EQ and branch.this.this is column and branch.this.expression == value
    if not is_test or not isinstance(branch.args["true"], exp.Column):
        return False
    case.replace(branch.args["true"])
    return True


def _put(select: exp.Select, column: exp.Column, value: exp.Expr) -> None:
    """Put a constant in the place of a column, or remove the column where a constant has no effect."""
    above = column.parent
    window = above.find_ancestor(exp.Window, exp.Select) if isinstance(above, exp.Ordered) else None
    if isinstance(above, exp.Group):
        column.pop()
    elif above is not None and isinstance(window, exp.Window) and len(window.args["order"].expressions) == 1:
        # Snowflake and others refuse ROW_NUMBER() without ORDER BY. The key of the partition orders nothing either.
        above.replace(exp.Ordered(this=window.args["partition_by"][0].copy()))
    else:
        _replace(select, column, value)


def _replace(select: exp.Select, node: exp.Expr, replacement: exp.Expr) -> None:
    """Replace a node of a SELECT, whose columns keep their names, and fold what this decides."""
    if node.parent is select:
        replacement = exp.alias_(replacement, node.output_name)
    folding.settle(node, replacement)


def _simpler(node: exp.Expr) -> exp.Expr | None:
    """Return a simpler expression of the same value, or None."""
    if isinstance(node, exp.Cast):  # a double that is cast to a double again
        return node.this.unnest() if _is_cast_to_double(node) and is_double(node.this) else None
    if isinstance(node, exp.Between):  # a rank in a whole list
        is_whole = node.this == node.args["high"]
        return exp.GTE(this=node.this, expression=node.args["low"]) if is_whole else None
    if isinstance(node, exp.IsNan):
        return None if _number(node.this) is None else exp.false()
    if isinstance(node, exp.Sum):  # of ones in a group, which has rows
        is_group = bool(node.parent_select and node.parent_select.args.get("group"))
        is_count = is_group and node.this == exp.Literal.number(1) and not isinstance(node.parent, exp.Window)
        return exp.Count(this=exp.Star(), big_int=True) if is_count else None
    left, right = _number(node.this), _number(node.expression)
    if left is None or right is None or (isinstance(node, exp.Nullif) and left == right):
        return None
    is_true = left > right if isinstance(node, exp.GT) else left >= right
    return node.this if isinstance(node, exp.Nullif) else exp.convert(is_true)


def _is_cast_to_double(node: exp.Expr) -> bool:
    return type(node) is exp.Cast and node.to.this is exp.DataType.Type.DOUBLE


def _number(node: exp.Expr) -> int | None:
    """Return the whole number that a literal is, also as a double."""
    literal = node.this if _is_cast_to_double(node) else node
    return int(literal.name) if isinstance(literal, exp.Literal) and literal.is_int else None


def _remove_joins(scopes: Scopes) -> bool:
    """Remove joins with relations of which no column is read: each has at most one row for a key."""
    changed = False
    for select in scopes.selects:
        for join in reversed(_joins(select)):
            columns, using = scopes.columns(join.this), set(_join_keys(join))
            if not using or join.side != "LEFT" or columns is None:
                continue
            if scopes.names_read(select, apart_from=join).isdisjoint(columns - using):
                join.pop()
                changed = scopes.changed(select)
    return changed


def _inline(scopes: Scopes) -> bool:
    """Move relations into the SELECT that reads them, and drop those that only pass columns on."""
    changed = False
    for holder in scopes.holders:
        if isinstance(holder, exp.CTE) and holder.alias not in _PERMANENT and _skip(scopes, holder):
            changed = scopes.look()
    for select in scopes.selects:  # a SELECT is inlined into a later one
        while _merge(scopes, select):
            changed = scopes.look()
    return changed


def _skip(scopes: Scopes, cte: exp.CTE) -> bool:
    """Let the readers of a CTE read the CTE that it passes on."""
    query, readers = cte.this, scopes.readers[id(cte)]
    if not isinstance(query, exp.Select) or not _is_plain(query) or _joins(query) or _clauses(query):
        return False
    behind, columns = scopes.cte(items(query)[0]), scopes.columns(items(query)[0])
    if behind is None or columns is None or not all(map(_is_passed, query.expressions)):
        return False
    if behind.alias in LABELLED and len(scopes.readers[id(behind)]) == 1:
        return False  # merged instead, under the better name
    more = columns - set(query.named_selects)
    if not all(more.isdisjoint(scopes.names_read(table.parent_select)) for table in readers):
        return False
    for table in readers:
        table.set("this", exp.to_identifier(behind.alias))
    return bool(readers)


def _merge(scopes: Scopes, select: exp.Select) -> bool:
    """Let a SELECT read what its first relation reads, if that is a query that nothing else reads."""
    item = items(select)[0] if _is_plain(select) else select
    if item.args.get("pivots"):  # UNPIVOT takes columns alone
        return False
    inner, cte = scopes.query(item), scopes.cte(item)
    if (
        not isinstance(inner, exp.Select)
        or (cte and len(scopes.readers[id(cte)]) > 1)
        or not _may_move(scopes, inner, select)
    ):
        return False
    below, is_peeled = items(inner)[0], False
    if cte is not None and cte.alias in _PERMANENT:
        is_peeled = isinstance(below, exp.Subquery) and not _joins(inner) and not _clauses(inner)
        if not is_peeled and not (cte.alias == "judged" and all(map(_is_passed, inner.expressions))):
            return False
    columns = [node for node in scopes.find(select, exp.Column) if scopes.source(select, node) is item]
    values = _projections(inner)
    if not _fits(select, columns, values) or not _may_expose(scopes, select, inner, columns, values):
        return False
    scopes.changed(select)
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
        cte.pop()
    return True


def _may_move(scopes: Scopes, inner: exp.Select, select: exp.Select) -> bool:
    """Return True if a query keeps equal rows, calls no function that makes rows, and a SELECT can take its clauses."""
    has_order = bool(inner.args.get("order"))
    if _is_complex(scopes, inner) and (_joins(select) or _clauses(select) or _is_complex(scopes, select)):
        return False
    return _is_plain(inner) and not has_order and not scopes.find(inner, exp.Anonymous, exp.UDTF, exp.Explode)


def _fits(select: exp.Select, columns: list[exp.Column], values: Mapping[str, exp.Expr]) -> bool:
    """Return True if a SELECT can take over the expressions of the query that it reads."""
    if any(name in values and not _is_same(values[name], name) for name in _keys(select)):
        return False
    times = Counter(column.name for column in columns)  # no expression may be computed twice
    return all(times[name] <= 1 or _is_cheap(each, times[name]) for name, each in values.items())


def _is_cheap(value: exp.Expr, times: int) -> bool:
    """Return True if an expression may be computed so often: a column, or twice a choice between columns."""
    if isinstance(value, exp.Column) or _is_constant(value):
        return True
    is_short = isinstance(value, exp.Case) and len([*value.walk()]) <= _CHEAP and times == 2
    return is_short and value.find(exp.AggFunc, exp.Anonymous, exp.Window) is None


def _may_expose(
    scopes: Scopes, select: exp.Select, inner: exp.Select, columns: list[exp.Column], values: Mapping[str, exp.Expr]
) -> bool:
    """Return True if no name in a SELECT becomes ambiguous by the columns of the relations that it would read."""
    new, others = items(inner), items(select)[1:]
    if {each.alias_or_name for each in others} & {each.alias_or_name for each in new}:
        return False
    replaced = set(map(id, columns))
    free = {node.name for node in scopes.find(select, exp.Column) if id(node) not in replaced and not node.table}
    exposed, theirs = [scopes.columns(each) for each in new], [scopes.columns(each) for each in others]
    if None in exposed:
        return not others and not free and _clauses(select) in ([], ["where"])
    exposed_names = set[str]().union(*(names or () for names in exposed))
    their_names = set[str]().union(*(names or () for names in theirs))
    if None in theirs or exposed_names & free or (exposed_names & their_names) - _keys(select):
        return False
    # ClickHouse reads an alias instead of the column of its name.
    read = {node.name for column in columns for node in values[column.name].find_all(exp.Column)}
    return all(
        isinstance(value, exp.Column) and value.name == name
        for name, value in ((name, values.get(value.name, value)) for name, value in _projections(select).items())
        if name in read
    )


def _take_clauses(select: exp.Select, inner: exp.Select) -> None:
    select.set(FROM, inner.args[FROM])
    select.set("joins", [*_joins(inner), *_joins(select)] or None)
    for name in ("group", "having", "qualify"):
        if inner.args.get(name) is not None:
            select.set(name, inner.args[name])
    where, own_where = inner.args.get("where"), select.args.get("where")
    if where is not None:
        both = where.this if own_where is None else exp.and_(where.this, own_where.this, copy=False)
        select.set("where", exp.Where(this=both))
    select.add_comments(None if select.comments else inner.comments)


def items(select: exp.Select) -> list[exp.Expr]:
    """Return the relations of FROM and the joins."""
    first = select.args.get(FROM)
    return [*([] if first is None else [first.this]), *(join.this for join in _joins(select))]


def _joins(select: exp.Select) -> Sequence[exp.Join]:
    return select.args.get("joins") or []


def _join_keys(join: exp.Join) -> list[str]:
    return [key.name for key in join.args.get("using") or []]


def _keys(select: exp.Select) -> set[str]:
    """Return the names of the columns that the joins of a SELECT use."""
    return {name for join in _joins(select) for name in _join_keys(join)}


def _projections(select: exp.Select) -> dict[str, exp.Expr]:
    """Return the expressions of a SELECT by the names of its columns."""
    return {each.alias_or_name: each.unalias() for each in select.expressions}


def _is_passed(projection: exp.Expr) -> bool:
    """Return True for a column that keeps its name."""
    return _is_same(projection.unalias(), projection.alias_or_name)


def _is_same(value: exp.Expr, name: str) -> bool:
    return isinstance(value, exp.Column) and value.name == name and not value.this.quoted


def _clauses(select: exp.Select) -> list[str]:
    return [name for name in _CLAUSES if select.args.get(name)]


def _is_plain(select: exp.Select) -> bool:
    """Return True if a SELECT reads relations, and keeps equal rows."""
    return bool(select.args.get(FROM)) and not select.args.get("distinct")


def _is_complex(scopes: Scopes, select: exp.Select) -> bool:
    """Return True if a filter cannot move past a SELECT."""
    has_clause = any(select.args.get(name) for name in ("group", "having", "qualify"))
    return has_clause or bool(scopes.find(select, exp.Window, exp.AggFunc))
