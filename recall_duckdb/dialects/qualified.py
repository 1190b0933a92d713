"""Names DuckDB's functions in full, so that no macro of the connection can take the place of one.

`CREATE MACRO power(a, b) AS a * b` changes what power(2, 3) is on that connection, and so would every nDCG. A name in
full, system.main.power, is looked up in DuckDB's own catalog alone. Macros can replace operators too, but not
comparisons, CASE, CAST, COALESCE, IN and BETWEEN, which are no functions. An index `x[1]` and a struct `{'a': 1}` stay
as they are: DuckDB raises an error if a macro has the name of the function behind them. So do the rare operators that
`sql/README.md` lists, which no definition uses.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import trees

_CATALOG = "system.main."
# The functions that every supported version of DuckDB has. A metric file may call macros by any other name.
NAMES = frozenset(Path(__file__).with_suffix(".txt").read_text("utf-8").split())
_OPERATORS: dict[type[exp.Expr], str] = {
    exp.Add: "+",
    exp.Sub: "-",
    exp.Mul: "*",
    exp.Div: "/",
    exp.IntDiv: "//",
    exp.Mod: "%",
    exp.BitwiseAnd: "&",
    exp.BitwiseOr: "|",
    exp.BitwiseLeftShift: "<<",
    exp.BitwiseRightShift: ">>",
    exp.DPipe: "||",
    exp.Glob: "~~~",
    exp.Like: "~~",
    exp.ILike: "~~*",
    exp.Neg: "-",
    exp.BitwiseNot: "~",
}
_ALL = NAMES.union(_OPERATORS.values())
# Functions that sqlglot writes as operators, or may write with a path, by its classes: some versions lack JSONType.
_OF_JSON = {
    "JSONExtract": "json_extract",
    "JSONExtractScalar": "json_extract_string",
    "JSONType": "json_type",
}
_WORDS = (exp.DataType, exp.Interval, exp.Var)


def name_in_full(statement: exp.Expr, names: Set[str] = _ALL) -> None:
    """Replace, in place, the calls of DuckDB's functions and operators, or of those in `names`, by their full names.

    Example:
        >>> from sqlglot import parse_one
        >>> tree = parse_one("SELECT power(a, 2) + my_macro(b) AS c", read="duckdb")
        >>> name_in_full(tree)
        >>> tree.sql("duckdb", normalize_functions=False)
        'SELECT system.main."+"(system.main.POWER(a, 2), my_macro(b)) AS c'
    """
    for node in reversed(trees.find(statement, exp.Func, exp.Binary, exp.Unary, exp.Array, exp.Unnest)):
        # A metric file may already use a full name. ESCAPE needs the word LIKE before it.
        if not isinstance(node.parent, (exp.Dot, exp.Escape)):
            replacement = _in_full(node, names)
            if replacement is not None:
                node.replace(replacement)


def _in_full(node: Any, names: Set[str]) -> exp.Expr | None:
    """Return the call by its full name; None for what is no call of one of DuckDB's functions."""
    operator = _OPERATORS.get(type(node))
    if operator is not None:
        is_number = isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal)
        operands = [node.this] if isinstance(node, exp.Unary) else [node.left, node.right]
        if is_number or operator not in names:
            return None
        call = _call(f'"{operator}"', operands)
        is_negated = node.args.get("negate")  # a NOT LIKE b, which sqlglot 27 reads as NOT a LIKE b
        return exp.paren(exp.Not(this=call), copy=False) if is_negated else call
    of_json = _OF_JSON.get(type(node).__name__)
    if of_json is not None and of_json in names:
        return _call(of_json, [node.args[key] for key in ("this", "expression") if node.args.get(key)])
    if isinstance(node, exp.Anonymous):
        return _call(node.name, node.expressions) if node.name.lower() in names else None
    if isinstance(node, exp.Array):
        is_list = not any(isinstance(each, (exp.Query, exp.Comprehension)) for each in node.expressions)
        return _call("list_value", node.expressions) if is_list and "list_value" in names else None
    return _function(node, names)


def _function(node: exp.Expr, names: Set[str]) -> exp.Expr | None:
    # In a lambda, an identifier is a parameter.
    words = _WORDS if node.find_ancestor(exp.Lambda) else (*_WORDS, exp.Identifier)
    if any(isinstance(value, words) for value in node.args.values()):
        return None  # special syntax such as CAST(x AS type), not a call
    shape = tuple((key, _shape(value)) for key, value in node.args.items() if value is not None and value != [])
    kind: Any = type(node)  # mypy does not know that type(node) is hashable
    written = _written_name(kind, shape)
    if written is None or written[0].lower() not in names:
        return None
    name, order = written
    arguments = [argument for key, _ in shape for argument in _nodes(node.args[key])]
    return _call(name, [arguments[place] for place in order])


def _call(name: str, arguments: list[exp.Expr]) -> exp.Anonymous:
    return exp.Anonymous(this=f"{_CATALOG}{name}", expressions=arguments)


def _nodes(value: Any) -> list[exp.Expr]:
    return [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, exp.Expression)]


def _shape(value: Any) -> Any:
    """Reduce an argument to its kind, so that all calls of one form share an entry of the cache."""
    if isinstance(value, list):
        return tuple(map(_shape, value))
    if not isinstance(value, exp.Expression):
        return value
    if isinstance(value, exp.Boolean):
        return exp.true if value.this else exp.false
    return exp.Placeholder


@lru_cache(maxsize=1024)
def _written_name(kind: Any, shape: tuple[tuple[str, Any], ...]) -> tuple[str, list[int]] | None:
    """Return the name that sqlglot writes for a function, and which of its arguments it writes, in order.

    None if it does not write it as a call of one of DuckDB's functions.
    """
    count = 0

    def sample(part: Any) -> Any:
        nonlocal count
        if isinstance(part, tuple):
            return [sample(each) for each in part]
        if not callable(part):
            return part
        count += 1
        return trees.column(f"_{count - 1}") if part is exp.Placeholder else part()

    text = kind(**{key: sample(part) for key, part in shape}).sql("duckdb")
    call = re.fullmatch(r"(\w+)\((.*)\)", text)
    order = re.findall(r"_(\d+)", call[2]) if call else []
    is_call = call is not None and ", ".join(f"_{place}" for place in order) == call[2]
    return (call[1], [int(place) for place in order]) if call and is_call and call[1].lower() in NAMES else None
