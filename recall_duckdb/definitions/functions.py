"""Expand the shared arithmetic of `sql/functions.sql` in every statement, so that engines need no macros.

DuckDB can also run that file as it is: each of its statements creates a macro.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sqlglot
from sqlglot import exp

from recall_duckdb.definitions import trees

# Clauses around a call that change which rows an aggregate or window function sees.
_CLAUSES = (exp.Filter, exp.IgnoreNulls, exp.RespectNulls, exp.Window, exp.WithinGroup)
# Operators, and syntax that binds as tightly, in addition to sqlglot's operator classes.
_OPERATORS = (exp.AtTimeZone, exp.Between, exp.Bracket, exp.In)

_CREATION = re.compile(r"^CREATE FUNCTION (\w+)\(.*?;$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Function:
    """A function: the names of its parameters, and its body with all other functions expanded."""

    parameters: tuple[str, ...]
    body: exp.Expr


class Functions(Mapping[str, Function]):
    r"""The functions that a file creates, by name. A function may call others, and is parsed when it is first called.

    Raises:
        ValueError: the file holds something else than `CREATE FUNCTION name(parameter, …) AS expression;`.

    Example:
        >>> functions = Functions("CREATE FUNCTION half(x) AS x / 2;\nCREATE FUNCTION quarter(x) AS half(half(x));")
        >>> list(functions), functions["quarter"].body.sql("duckdb")
        (['half', 'quarter'], 'x / 2 / 2')
    """

    def __init__(self, text: str) -> None:
        self._texts = {statement[1]: statement[0] for statement in _CREATION.finditer(text)}
        others = [line for line in _CREATION.sub("", text).splitlines() if line and not line.startswith("--")]
        if others:
            raise ValueError(f"not CREATE FUNCTION name(parameter, …) AS expression: {others[0]}")
        self._parsed: dict[str, Function] = {}

    def __getitem__(self, name: str) -> Function:
        """Return a function; raises ValueError for another text than `CREATE FUNCTION name(parameter, …) AS value`."""
        if name not in self._parsed:
            self._parsed[name] = self._parse(self._texts[name])
        return self._parsed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def _parse(self, text: str) -> Function:
        [statement] = sqlglot.parse(text, read="duckdb")
        if not isinstance(statement, exp.Create) or not isinstance(statement.this, exp.UserDefinedFunction):
            raise ValueError(f"not CREATE FUNCTION name(parameter, …) AS expression: {statement}")
        holder = exp.Paren(this=trees.tidy(statement.expression))
        expand(holder, self)
        parameters = tuple(parameter.name for parameter in statement.this.expressions)
        return Function(parameters, holder.this)


def expand(tree: exp.Expr, functions: Mapping[str, Function]) -> None:
    """Replace, in place, every call of a function by its body, with the arguments in place of the parameters.

    A name is matched in any case. A call with a schema, such as main.ratio(a, b), means the user's macro and stays.

    Raises:
        ValueError: a call has too few or too many arguments, or a clause such as DISTINCT or OVER.

    Example:
        >>> tree = sqlglot.parse_one("SELECT half(a + b) AS c", read="duckdb")
        >>> expand(tree, Functions("CREATE FUNCTION half(x) AS x / 2;"))
        >>> tree.sql("duckdb")
        'SELECT (a + b) / 2 AS c'
    """

    def is_call(node: exp.Anonymous) -> bool:
        return node.name.lower() in functions and not isinstance(node.parent, exp.Dot)

    while calls := [*filter(is_call, trees.find(tree, exp.Anonymous))]:
        for call in reversed(calls):  # innermost first
            function = functions[call.name.lower()]
            _check(call, function)
            arguments = dict(zip(function.parameters, call.expressions, strict=True))
            body = exp.Paren(this=function.body.copy())  # so that a body that is a parameter can be replaced
            for parameter in trees.find(body, exp.Column):
                if parameter.name in arguments:
                    substitute(parameter, arguments[parameter.name].copy())
            substitute(call, body.this)


def _check(call: exp.Anonymous, function: Function) -> None:
    name, arguments, parameters = call.name.lower(), call.expressions, function.parameters
    is_clause = isinstance(call.parent, _CLAUSES) and call is call.parent.this
    if is_clause or any(isinstance(argument, (exp.Distinct, exp.Order)) for argument in arguments):
        told = (
            f"{name}({', '.join(parameters)}) takes no DISTINCT, ORDER BY, FILTER or OVER: use CASE in the argument, or"
        )
        raise ValueError(f"{told} prepare the rows in a CTE")
    if len(arguments) != len(parameters):
        raise ValueError(f"{name}({', '.join(parameters)}) got {len(arguments)} arguments")


def substitute(node: exp.Expr, replacement: exp.Expr) -> None:
    """Replace a node; add parentheses if the operators around it bind more tightly."""
    if _is_operator(node.parent) and _is_operator(replacement) and not _binds(replacement, node):
        replacement = exp.Paren(this=replacement)
    node.replace(replacement)


def _is_operator(node: exp.Expr | None) -> bool:
    """Return True if a node is written as an operator; sqlglot also treats x ** y, AND and OR as functions."""
    is_function = isinstance(node, (exp.Func, exp.Paren)) and not isinstance(node, exp.Connector)
    return isinstance(node, (exp.Binary, exp.Unary, *_OPERATORS)) and not is_function


def _binds(replacement: exp.Expr, node: exp.Expr) -> bool:
    """Return True if an operator needs no parentheses inside another: a * b in a * b / c, a = b in a = b AND c."""
    above, factors = node.parent, (exp.Mul, exp.Div)
    if isinstance(replacement, factors) and isinstance(above, factors):
        return node is above.this
    return isinstance(above, exp.Connector) and not isinstance(replacement, exp.Connector)
