"""Writes the statements that DuckDB runs so that no macro of the connection can take the place of a built-in function.

`CREATE MACRO power(a, b) AS a * b` changes what power(2, 3) is on that connection, and so would every nDCG. A name in
full, system.main.power, is looked up in DuckDB's own catalog alone. Macros can replace arithmetic operators too;
comparisons, CASE, CAST, COALESCE, IN and BETWEEN are no functions, and cannot be replaced. An index `x[1]` and a struct
`{'a': 1}` stay as they are: DuckDB raises an error if a macro has the name of the function behind them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlglot import exp
from sqlglot.dialects.duckdb import DuckDB

_CATALOG = "system.main."
# The functions that every supported version of DuckDB has. A metric file may call macros by any other name.
NAMES = frozenset(Path(__file__).with_suffix(".txt").read_text("utf-8").split())
_USUAL = DuckDB.Generator.TRANSFORMS
_OPERATORS = frozenset(("+", "-", "*", "/", "//", "%", "&"))


class InFull(DuckDB):
    """DuckDB's dialect, in which its functions and operators are named in full: `system.main.power(2, 3)`."""

    class Generator(DuckDB.Generator):  # type: ignore[misc, valid-type]  # a variable to mypy
        """Names what DuckDB would look up along the search path, where macros come first."""

        TRANSFORMS = {  # noqa: RUF012  as sqlglot declares it
            **_USUAL,
            exp.Array: lambda self, array: self._list(array),
        }

        def func(self, name: str, *args: Any, **options: Any) -> str:
            """The call of a function, by its full name if it is one of DuckDB's."""
            call = super().func(name, *args, **options)
            return f"{_CATALOG}{call}" if name.lower() in NAMES else call

        def dot_sql(self, expression: exp.Dot) -> str:
            """A name that a metric file gives in full, `memory.main.power(2, 3)`, stays."""
            function = self.sql(expression, "expression").removeprefix(_CATALOG)
            return f"{self.sql(expression, 'this')}.{function}"

        def binary(self, expression: exp.Binary, op: str) -> str:
            """An arithmetic operator as the function that it is."""
            if op in _OPERATORS:
                return f'{_CATALOG}"{op}"({self.format_args(expression.left, expression.right)})'
            return str(super().binary(expression, op))

        def neg_sql(self, expression: exp.Neg) -> str:
            """A minus sign as the function that it is, unless it belongs to a number."""
            if isinstance(expression.this, exp.Literal):
                return str(super().neg_sql(expression))
            return f'{_CATALOG}"-"({self.sql(expression, "this")})'

        def _list(self, array: exp.Array) -> str:
            if any(isinstance(each, (exp.Query, exp.Comprehension)) for each in array.expressions):
                return _USUAL[exp.Array](self, array)
            return self.func("list_value", *array.expressions)
