"""Edits of sqlglot trees: a template's parameters become literals, and its stand-in columns become real ones.

Templates are complete SQL statements. Two things in them are filled in, always on the tree and never in text:

- a parameter, written `$k`, becomes a literal, and what it decides is folded: `coalesce(10, rank)` becomes `10`, and a
  condition that is true is removed;
- a stand-in column such as `query` or `value` becomes as many columns as needed, or none: the projection, grouping key,
  join key, order key, condition or CASE branch that contains it is repeated for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, cast

import sqlglot
from sqlglot import exp

from recall_duckdb.definitions.folding import settle

# The names of these arguments in sqlglot 30 and 27.
FROM = "from_" if "from_" in exp.Select.arg_types else "from"
WITH = "with_" if "with_" in exp.Select.arg_types else "with"

# A table of numbers, such as gains by relevance, is a tuple of pairs.
Value = str | int | float | bool | tuple[tuple[float, float], ...] | None
E = TypeVar("E", bound="exp.Expr")


class Column(NamedTuple):
    """What a stand-in column becomes in one copy, if a new name is not enough: an expression and its name."""

    expression: exp.Expr
    name: str


# The replacements of stand-in columns in one copy: by column name, another name or an expression.
NewColumns = Mapping[str, str | Column]
# One copy of parts that are repeated together: stand-in columns, and parameter values by name.
Copy = tuple[NewColumns, Mapping[str, Value]]


def parse(text: str) -> exp.Select:
    """Parse one SELECT in DuckDB's SQL; raises `sqlglot.errors.SqlglotError` or ValueError for anything else."""
    tree = sqlglot.parse_one(text, read="duckdb")
    if not isinstance(tree, exp.Select):
        raise ValueError("not one SELECT statement")
    return tidy(tree)


def tidy(tree: E) -> E:
    """Remove from a tree what makes copies slow: positions of names in the text, and empty arguments."""
    for node in tree.walk():
        node._meta = None
        node.comments = node.comments or None
        node.args = {name: value for name, value in node.args.items() if value is not None and value != []}
        if isinstance(node, exp.Identifier) and node.name.islower():
            node.set("quoted", False)  # sqlglot 27 reads "exclude" as a keyword unless it is quoted
    check_modulo(tree)
    for node in find(tree, exp.Parameter):  # SQLMesh changes sqlglot, which then reads $k as this
        node.replace(exp.Placeholder(this=node.name))
    return tree


def check_modulo(tree: exp.Expr) -> None:
    """Raise `ValueError` for a remainder of a sum without parentheses: early versions of sqlglot read a + b % c so."""
    for node in find(tree, exp.Mod):
        if isinstance(node.this, (exp.Add, exp.Sub)):
            raise ValueError(f"write parentheses around the remainder in {node.sql('duckdb')}")


def name_columns(tree: exp.Expr) -> None:
    """Alias every projected column by its own name, in place: in a join, ClickHouse would name it `t.item`."""
    for select in find(tree, exp.Select):
        for projection in select.expressions:
            if isinstance(projection, exp.Column) and isinstance(projection.this, exp.Identifier):
                named = exp.Alias(alias=projection.this.copy())
                projection.replace(named)
                named.set("this", projection)


# Leaves, which are half of all nodes.
_LEAVES = frozenset((exp.Identifier, exp.Literal))


def find(tree: exp.Expr, *kinds: type[E]) -> list[E]:
    """Return the nodes of these kinds in the order of sqlglot's `find_all`, in half the time."""
    nodes: list[Any] = [tree]
    names_asked = any(issubclass(exp.Identifier, kind) for kind in kinds)
    for node in nodes:  # the list grows in the loop: breadth first
        kind = type(node)
        # A column holds only names, except for a star, which may hold anything: t.* REPLACE (…).
        if kind in _LEAVES or (kind is exp.Column and not names_asked and type(node.args["this"]) is exp.Identifier):
            continue
        for value in node.args.values():
            if isinstance(value, exp.Expression):
                nodes.append(value)
            elif isinstance(value, list):
                nodes += [each for each in value if isinstance(each, exp.Expression)]
    return [node for node in nodes if isinstance(node, kinds)]


def literal(value: Value | Sequence[Value]) -> exp.Expr:
    """Return a Python value as a SQL literal; sqlglot quotes text, so it can never become SQL."""
    if value is None:
        return exp.null()
    if isinstance(value, bool):
        return exp.true() if value else exp.false()
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, int):
        return exp.Literal.number(value)
    if isinstance(value, float):
        # DuckDB reads a literal such as 0.1 as DECIMAL; the cast makes it a double again.
        return exp.cast(exp.Literal.string(repr(value)), exp.DataType.Type.DOUBLE)
    return exp.Array(expressions=[literal(item) for item in value])


def is_double(node: exp.Expr) -> bool:
    """Return True if an expression is a double on every engine; the number 0 may take its place."""
    if isinstance(node, (exp.Paren, exp.Nullif, exp.Neg, exp.Sum, exp.Avg, exp.Max, exp.Min)):
        return is_double(node.this)
    if isinstance(node, exp.Case):
        results = [*(branch.args["true"] for branch in node.args["ifs"]), node.args.get("default") or exp.null()]
        known = [each for each in results if not isinstance(each, exp.Null) and each != exp.Literal.number(0)]
        return bool(known) and all(map(is_double, known))
    if type(node) is exp.Cast:
        return bool(node.to.this is exp.DataType.Type.DOUBLE)
    if isinstance(node, (exp.Add, exp.Div, exp.Mul, exp.Sub)):
        return is_double(node.left) or is_double(node.right)
    if isinstance(node, exp.Pow):
        return is_double(node.this) and is_double(node.expression)
    return isinstance(node, exp.Ln)


def as_literal(value: object) -> Value:
    """Return a model or a query as a value for `literal`: DuckDB compares text with a date or a UUID as such."""
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def option(name: str, value: exp.Expr) -> exp.Expr:
    """Return a named argument of a table function."""
    return exp.EQ(this=column(name), expression=value)


def struct(values: Mapping[str, str | exp.Expr]) -> exp.Expr:
    """Return texts or expressions by name as a struct."""
    fields = [exp.PropertyEQ(this=identifier(key), expression=exp.convert(value)) for key, value in values.items()]
    return exp.Struct(expressions=fields)


def identifier(name: str) -> exp.Identifier:
    """Return a user's name as a quoted identifier, so that no character has a special meaning."""
    return exp.to_identifier(name, quoted=True)


def as_given(name: str, *, looked_up: bool = False) -> exp.Identifier:
    """Return a user's name for a new or unknown column, quoted only if the engine would not read it bare.

    If the user wrote quotes, use the text between them, unless a column was found whose name contains the quotes.
    """
    marked = not looked_up and len(name) > 2 and name[0] == name[-1] and name[0] in '"`'
    if marked:
        return identifier(name[1:-1].replace(name[0] * 2, name[0]))
    node = identifier(name)
    node.meta["as_given"] = True
    return node


def column(name: str, *, quoted: bool = False) -> exp.Column:
    """Return a column by its name alone."""
    return exp.Column(this=exp.to_identifier(name, quoted=quoted))


def ascending(names: Iterable[str]) -> list[exp.Ordered]:
    """Return the keys that sort by columns, with NULL first."""
    return [exp.Ordered(this=column(name), desc=False, nulls_first=True) for name in names]


def any_of(keys: Sequence[str], rows: Sequence[Sequence[exp.Expr]]) -> exp.Expr:
    """Return the condition that these columns equal one of the rows of values."""
    if len(keys) == 1:
        return exp.In(this=column(keys[0]), expressions=[value.copy() for (value,) in rows])
    equal = [
        exp.and_(*(exp.EQ(this=column(key), expression=value.copy()) for key, value in pairs))
        for pairs in (zip(keys, row, strict=True) for row in rows)
    ]
    return exp.paren(exp.or_(*equal), copy=False)


def union_all(parts: Sequence[exp.Select]) -> exp.Query:
    """Return the UNION ALL of several SELECTs."""
    union: exp.Query = parts[0]
    for part in parts[1:]:
        union = exp.Union(this=union, expression=part, distinct=False)
        union.meta["is_composed"] = True
    return union


def branches(query: exp.Expr | None) -> list[exp.Select]:
    """Return the SELECTs of a set operation in order, or the one SELECT; [] for anything else."""
    selects: list[exp.Select] = []
    ahead = [query]
    while ahead:
        node = ahead.pop()
        if isinstance(node, exp.SetOperation):
            ahead += [node.expression, node.this]
        elif isinstance(node, exp.Select):
            selects.append(node)
    return selects


def mark_of(node: exp.Expr, name: str) -> Any:
    """Return a mark of a node: is_composed, if `union_all` made it, or the files whose rows a stored table holds."""
    return (node._meta or {}).get(name)


def of_user(relation: exp.Expr) -> exp.Expr:
    """Return a copy of a user's relation, marked so that its name never means a relation of the pipeline."""
    copy = relation.copy() if isinstance(relation, (exp.Table, exp.Subquery)) else exp.Table(this=relation.copy())
    for part in (copy, *find(copy, exp.Table, exp.CTE)):
        part.meta["of_the_user"] = True
    return copy


def is_of_user(node: exp.Expr) -> bool:
    """Return True if `of_user` marked this node."""
    return bool(mark_of(node, "of_the_user"))


def parameters(tree: exp.Expr) -> set[str]:
    """Return the names of the parameters in a tree."""
    return {str(node.this) for node in find(tree, exp.Placeholder)}


def tables(tree: exp.Expr) -> list[str]:
    """Return the relations that a tree reads, without its own CTEs, in order and with repetitions."""
    ctes = {cte.alias for cte in find(tree, exp.CTE)}
    return [table.name for table in find(tree, exp.Table) if table.name not in ctes | {""}]


def bind(tree: exp.Expr, values: Mapping[str, Value | Sequence[str] | exp.Expr]) -> None:
    """Replace the parameters named in `values` by literals or expressions, in place, and fold what they decide."""
    for node in find(tree, exp.Placeholder):
        name, bracket = str(node.this), node.parent if isinstance(node.parent, exp.Bracket) else None
        value = values.get(name)
        if name not in values:
            continue
        if bracket is not None and isinstance(value, (tuple, str)):
            settle(bracket, column(value) if isinstance(value, str) else _look_up(bracket, value))
            continue
        if bracket is not None and isinstance(value, int):
            value -= 1  # sqlglot's trees count indexes from 0
        settle(node, value.copy() if isinstance(value, exp.Condition) else literal(cast("Value", value)))


def _look_up(bracket: exp.Bracket, table: Sequence[tuple[float, float]]) -> exp.Case:
    """Return what `$table[x]` is: the number of x in the table, NULL if it has none."""
    [number] = bracket.expressions
    case = exp.Case(ifs=[])
    for value, result in table:
        case.append("ifs", exp.If(this=exp.EQ(this=number.copy(), expression=literal(value)), true=literal(result)))
    return case


_LISTS: dict[type[exp.Expr], str] = {
    exp.Select: "expressions",
    exp.Group: "expressions",
    exp.Order: "expressions",
    exp.Window: "partition_by",
    exp.Join: "using",
    exp.Case: "ifs",
}
# Clauses with conditions, each of which is repeated.
CONDITIONS = (exp.Connector, exp.Where, exp.Having, exp.Qualify)


def element(node: exp.Expr) -> exp.Expr:
    """Return the part of a statement that must be repeated together with a stand-in column."""
    while node.parent is not None:
        parent = node.parent
        simple_case = not isinstance(parent, exp.Case) or parent.this is not None
        if _LISTS.get(type(parent)) == node.arg_key and simple_case:
            return node
        if isinstance(parent, CONDITIONS):
            return node
        if isinstance(parent, exp.Paren) and isinstance(parent.parent, (*CONDITIONS, exp.Not)):
            return node
        node = parent
    raise ValueError("a stand-in column is in a place where nothing can be repeated")


def repeat(tree: exp.Expr, stand_ins: Mapping[str, Sequence[Copy]]) -> None:
    """Repeat, in place, every part of a tree that reads a stand-in column, once for each copy listed under its name."""
    elements: dict[int, tuple[exp.Expr, Sequence[Copy]]] = {}
    for node in find(tree, exp.Column, exp.Identifier):
        if node.name not in stand_ins:
            continue
        is_column = isinstance(node, exp.Column) and not node.table
        if is_column or isinstance(node.parent, exp.Join):  # a join key is a bare identifier
            part = element(node)
            elements[id(part)] = part, stand_ins[node.name]
    for part, copies in elements.values():
        _replace_element(part, _copies_of(part, copies))


def _copies_of(element: exp.Expr, copies: Sequence[Copy]) -> list[exp.Expr]:
    if isinstance(element, exp.Identifier):  # a join key
        return [exp.to_identifier(_name(columns[element.name])) for columns, _ in copies]
    asked = parameters(element)
    folded: dict[tuple[tuple[str, Value], ...], exp.Expr] = {}  # copies with the same values are folded once
    elements = []
    for columns, values in copies:
        key = tuple((name, value) for name, value in values.items() if name in asked)
        if key not in folded:
            folded[key] = exp.Paren(this=element.copy())  # so that the element itself can be replaced
            bind(folded[key], dict(key))
        elements.append(_with_columns(folded[key].copy(), columns))
    return elements


def _with_columns(holder: exp.Expr, columns: NewColumns) -> exp.Expr:
    """Return the element in parentheses, with its stand-in columns replaced in place."""
    for node in find(holder, exp.Column):
        new = None if node.table else columns.get(node.name)
        if new is not None:
            node.replace(new.expression.copy() if isinstance(new, Column) else column(new))
    element: exp.Expr = holder.this
    if isinstance(element, exp.Alias) and element.alias in columns:
        element.set("alias", exp.to_identifier(_name(columns[element.alias])))
    return element


def _name(column: str | Column) -> str:
    return column if isinstance(column, str) else column.name


def _replace_element(element: exp.Expr, copies: list[exp.Expr]) -> None:
    parent, key = element.parent, element.arg_key
    assert parent is not None
    assert key is not None
    if _LISTS.get(type(parent)) != key:
        settle(element, exp.and_(*copies, copy=False) if copies else exp.true())
        return
    siblings: list[exp.Expr] = []
    for sibling in parent.args[key]:
        siblings.extend(copies if sibling is element else [sibling])
    parent.set(key, siblings)
    if siblings:
        return
    if isinstance(parent, exp.Join):  # without keys this is a cross join
        parent.set("using", None)
        parent.set("side", None)
        parent.set("kind", "CROSS")
    elif isinstance(parent, (exp.Group, exp.Order)):
        parent.pop()
