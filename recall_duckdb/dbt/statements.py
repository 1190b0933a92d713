"""Write a statement in the SQL of a dialect, with Jinja for the parts that are known only when a macro is rendered.

All edits are made on the tree, in which markers (names) stand for Jinja. After the text is laid out, Jinja replaces the
markers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from sqlglot import exp

from recall_duckdb.dbt.branches import branch_on
from recall_duckdb.dbt.loops import JOINED, METRIC, SEVERAL, SLICE, Loop
from recall_duckdb.dbt.parameters import Parameters
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.trees import Value
from recall_duckdb.dialects import rewrite, write

METRIC_COLUMN = "metric_raw"
"""The column of a metric's relation that Jinja renames after the metric."""
_MARKER = re.compile(r"jinja_\d+_")


class UndecidedError(ValueError):
    """A list may be empty, so Jinja has to decide about the clause around it."""


class Writer:
    """Writer of one statement for one dialect, after all its clauses are settled."""

    def __init__(
        self, dialect: str, parameters: Parameters, loops: Mapping[str, Loop], settled: Mapping[str, Value]
    ) -> None:
        self._dialect, self._parameters, self._loops, self._settled = dialect, parameters, loops, settled
        self._parts: list[tuple[str, Callable[[re.Match[str]], str]]] = []

    def statement(self, tree: exp.Select) -> str:
        """Return the text of a statement."""
        self._mark_cutoffs(tree)
        self._mark_choices(tree)
        tree = self._rewrite(tree)
        for name in tree.find_all(exp.Identifier):
            if name.name == METRIC_COLUMN:
                name.set("this", self._marker(METRIC["raw"]))
        self._mark_loops(tree)
        self._mark_joins(tree)
        self._mark_tables(tree)
        return self._fill(write(tree, self._dialect, pretty=True))

    def expression(self, tree: exp.Expr) -> str:
        """Return the text of an expression without repeated parts, with the stand-in columns of one metric or slice."""
        select = exp.select(tree)
        self._mark_cutoffs(select)
        select = self._rewrite(select)
        names = {**METRIC, **SLICE.columns}
        for column in list(select.find_all(exp.Column)):
            if column.name in names:
                column.this.set("this", self._marker(names[column.name]))
        return self._fill(write(select.expressions[0], self._dialect, pretty=True))

    def _rewrite(self, tree: exp.Select) -> exp.Select:
        rewritten = rewrite(tree, self._dialect)
        assert isinstance(rewritten, exp.Select)
        return rewritten

    def _marker(self, text: str | Callable[[re.Match[str]], str], pattern: str = "{}") -> str:
        name = f"jinja_{len(self._parts)}_"
        part = text if callable(text) else lambda match: _indent(text, match)
        self._parts.append((pattern.replace("{}", name), part))
        return name

    def _fill(self, text: str) -> str:
        for pattern, part in reversed(self._parts):
            text, _ = re.subn(pattern, part, text)
        text = self._parameters.fill(text)
        left = _MARKER.search(text)
        if left is not None:
            raise ValueError(
                f"{self._dialect}: the marker {left[0]} is left, because its pattern did not match: {text}"
            )
        # DOUBLE differs most often between adapters. Its name stays until here, so that lines break as in SQL.
        return text.replace(f"AS {double(self._dialect)})", "AS {{ recall_duckdb.type_double() }})")

    def _mark_cutoffs(self, tree: exp.Select) -> None:
        """Write `coalesce($k, rank)` as one expression, so that no form without a cutoff is needed."""
        for node in _cutoffs(tree):
            whole = write(node.expressions[0], self._dialect)
            node.replace(exp.column(self._marker(f"{{{{ m.k or '{whole}' }}}}")))

    def _mark_choices(self, tree: exp.Select) -> None:
        for alias in list(choices(tree)):
            deciding = decides(alias)
            names = [name for name in self._parameters.tests if name in deciding]
            value = alias.this

            def form(settled: Mapping[str, Value], value: exp.Expr = value) -> str:
                bound = exp.select(value.copy())
                trees.bind(bound, settled)
                return Writer(self._dialect, self._parameters, {}, {}).expression(bound.expressions[0])

            alias.set("this", exp.column(self._marker(branch_on(names, self._parameters.tests, form))))

    def _mark_loops(self, tree: exp.Select) -> None:
        elements: dict[int, tuple[exp.Expr, Loop]] = {}
        for node in list(tree.find_all(exp.Column, exp.Identifier, exp.Alias)):
            if isinstance(node, exp.Alias):  # a marker has replaced its columns
                name, stands_in = node.alias, node.this.name.startswith("jinja_")
            else:  # a join key is a bare identifier
                name, stands_in = node.name, isinstance(node, exp.Column) or isinstance(node.parent, exp.Join)
            of_joined = isinstance(node.parent, exp.Join) and node.parent.this.name in JOINED
            if of_joined and not self._loops.get(name, Loop("", {"": ""})).columns:
                continue  # the key of an optional join is there whenever the join is
            if stands_in and name in self._loops:
                element = node if isinstance(node, exp.Alias) else trees.element(node)
                elements.setdefault(id(element), (element, self._loops[name]))
        may_be_empty = {key: loop.may_be_empty for key, (_, loop) in elements.items()}
        for element, loop in elements.values():
            self._mark_loop(element, loop, may_be_empty)

    def _mark_loop(self, element: exp.Expr, loop: Loop, may_be_empty: dict[int, bool]) -> None:
        """Replace a repeated element with a marker; `may_be_empty` says which elements may be absent."""
        copy = self._rename_columns(element.copy(), loop)
        if isinstance(copy, exp.If):
            self._mark_branch(element, copy, loop)
            return
        text = copy.name if isinstance(copy, exp.Identifier) else write(copy, self._dialect, pretty=True)
        assert element.parent is not None
        is_listed = isinstance(element.parent.args.get(element.arg_key or ""), list)
        if isinstance(element.parent, trees.CONDITIONS) or not is_listed:
            self._mark_condition(element, text, loop)
        else:
            self._mark_item(element, text, loop, may_be_empty)

    def _mark_branch(self, element: exp.Expr, copy: exp.If, loop: Loop) -> None:
        condition, value = (write(part, self._dialect) for part in (copy.this, copy.args["true"]))
        text = f"WHEN {condition} THEN {value}"
        name = self._marker(lambda match: loop.wrap(text + match[1]), r"WHEN {}\s+THEN {}(\s+)")
        element.replace(exp.If(this=exp.column(name), true=exp.column(name)))

    def _mark_condition(self, element: exp.Expr, text: str, loop: Loop) -> None:
        if isinstance(element.parent, exp.And) and loop.may_be_empty:
            if element.parent.this is element and not isinstance(element.parent.this, exp.And):
                raise UndecidedError("the first condition may be absent")
            name = self._marker(lambda match: loop.wrap(match[1] + text), r"(\s+AND ){}")
        else:
            name = self._marker(loop.wrap(text + "{{ ' AND ' if not loop.last }}"))
        element.replace(exp.column(name))

    def _mark_item(self, element: exp.Expr, text: str, loop: Loop, may_be_empty: dict[int, bool]) -> None:
        """Replace an element of a list with a marker; raise `UndecidedError` if the list may be empty."""
        parent, key = element.parent, element.arg_key
        assert parent is not None
        assert key is not None
        items = parent.args[key]
        stays = [not may_be_empty.get(id(item), False) for item in items]
        place = next(number for number, item in enumerate(items) if item is element)
        if True not in stays:
            raise UndecidedError("a list of columns may be empty")
        # Elements before the first one that is always present carry their own commas.
        if place < stays.index(True):
            name = self._marker(lambda match: loop.wrap(f"{_indent(text, match)},{match[1]}"), r"{},(\s+)")
        elif place > stays.index(True):
            name = self._marker(lambda match: loop.wrap(f",{match[1]}{_indent(text, match)}"), r",(\s+){}")
        else:
            name = self._marker(loop.wrap(text + "{{ ', ' if not loop.last }}"))
        marker = exp.to_identifier(name) if isinstance(element, exp.Identifier) else exp.column(name)
        may_be_empty[id(marker)] = loop.may_be_empty
        parent.set(key, [marker if item is element else item for item in items])

    def _rename_columns(self, element: exp.Expr, loop: Loop) -> exp.Expr:
        """Rename the columns of an element as the loop does, and return it."""
        if isinstance(element, exp.Alias):
            name = {**loop.columns, **loop.aliases}.get(element.alias)
            if name is not None:
                element.set("alias", exp.to_identifier(self._marker(name)))
        if isinstance(element, exp.Identifier):
            return exp.to_identifier(self._marker(loop.columns.get(element.name, element.name)))
        for column in list(element.find_all(exp.Column)):
            if column.name in loop.columns:
                column.this.set("this", self._marker(loop.columns[column.name]))
        return element

    def _mark_joins(self, tree: exp.Select) -> None:
        for join in list(tree.find_all(exp.Join)):
            if join.this.name in SEVERAL:
                self._mark_join(join, Loop(SEVERAL[join.this.name][0], {}))
            name = JOINED.get(join.this.name)
            if name is not None and name not in self._settled:
                self._mark_join(join, Loop(f"if {self._parameters.tests[name][0][1]}", {}))
            elif name is not None and not self._settled[name]:
                join.pop()

    def _mark_join(self, join: exp.Join, loop: Loop) -> None:
        self._mark_tables(join)
        text = write(join.copy(), self._dialect, pretty=True).strip()
        marker = self._marker(lambda match: loop.wrap(match[1] + text), r"(\s+)CROSS JOIN {}")
        join.replace(exp.Join(this=exp.to_table(marker), kind="CROSS"))

    def _mark_tables(self, tree: exp.Expr) -> None:
        names = {cte.alias for cte in tree.find_all(exp.CTE)}
        for table in tree.find_all(exp.Table):
            if table.name not in names and not table.name.startswith("jinja_"):
                table.set("this", exp.to_identifier(self._marker(_read(table.name))))


def double(dialect: str) -> str:
    """Return the name of the type DOUBLE in a dialect."""
    return write(exp.cast(exp.null(), "DOUBLE").to, dialect)


def text(dialect: str) -> str:
    """Return the name of the type VARCHAR in a dialect."""
    tree = rewrite(exp.select(exp.cast(exp.column("id"), "VARCHAR", dialect="duckdb")), dialect)
    [cast] = tree.find_all(exp.Cast)
    return write(cast.to, dialect)


def _read(relation: str) -> str:
    if relation == "source":
        return "{{ source.relation }}"
    place = SEVERAL[relation][1] if relation in SEVERAL else f"'{relation}'"
    return f"{{{{ recall_duckdb.read(q, {place}) }}}}"


def choices(tree: exp.Select) -> Iterable[exp.Alias]:
    """Yield the columns that contain a parameter which changes only their expression."""
    for alias in tree.find_all(exp.Alias):
        if isinstance(alias.parent, exp.Select) and decides(alias) and not alias.find(exp.Window):
            yield alias


def _indent(text: str, match: re.Match[str]) -> str:
    """Indent the text to its insertion point."""
    line = match.string[: match.start()].rpartition("\n")[2]
    depth = len(match[1].rpartition("\n")[2]) if match.re.groups and "\n" in match[1] else 0
    return text.replace("\n", "\n" + " " * max(depth, len(line) - len(line.lstrip())))


def decides(tree: exp.Expr) -> set[str]:
    """Return the parameters that change the SQL; cutoffs that are only written into it do not count."""
    cutoffs = [id(node.this) for node in _cutoffs(tree)]
    return {str(node.this) for node in tree.find_all(exp.Placeholder) if id(node) not in cutoffs}


def _cutoffs(tree: exp.Expr) -> list[exp.Coalesce]:
    """Return the `coalesce($k, …)` nodes of a tree."""
    coalesces = [node for node in tree.find_all(exp.Coalesce) if isinstance(node.this, exp.Placeholder)]
    return [node for node in coalesces if str(node.this.this) == "k"]
