"""The statement that creates a macro."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import fill

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import rewrite, write
from recall_duckdb.dialects.layout import short_lines
from recall_duckdb.dialects.qualified import name_in_full
from recall_duckdb.dialects.values import powers_of_whole_numbers
from recall_duckdb.macros.names import SCHEMA, add_prefixes, in_call, name_arguments

# The functions that a body calls by their full names, so that a macro of the user with one of these names changes no
# value: those that compute numbers, except max and min. With all functions and operators, the file would be a seventh
# larger.
IN_FULL = frozenset(
    (
        *("abs", "avg", "count", "exp", "floor", "greatest", "isfinite", "isnan", "lead", "least", "list_count"),
        *("list_grade_up", "list_max", "list_position", "list_sum", "ln", "nullif", "power", "rank", "row_number"),
        "sum",
    )
)


@dataclass(frozen=True)
class Macro:
    """A table macro, or a function.

    Attributes:
        name: its name in the schema. A table macro and a function may share one: the place of a call decides.
        description: what it returns.
        required: its first arguments, which have no default.
        optional: the others, with their defaults.
        body: the SELECT of a table macro; the expression of a function.
    """

    name: str
    description: str
    required: Sequence[str]
    optional: Mapping[str, object]
    body: exp.Expr

    @property
    def is_table(self) -> bool:
        """True for a table macro, False for a function."""
        return isinstance(self.body, exp.Query)

    def text(self) -> str:
        """Return the statement that creates the macro."""
        defaults = {name: write(trees.literal(value), "duckdb") for name, value in self.optional.items()}  # type: ignore[arg-type]
        optional = [f"{in_call(name)}\u00a0:=\u00a0{value}" for name, value in defaults.items()]  # not to be broken
        arguments = ", ".join([*map(in_call, self.required), *optional])
        kind = "TABLE" if self.is_table else ""
        head = f"CREATE OR REPLACE MACRO {SCHEMA}.{self.name}({arguments}) AS {kind}".rstrip()
        created = fill(head, 120, subsequent_indent="  ", break_on_hyphens=False).replace("\u00a0", " ")
        body = self.body.copy()
        tree = add_prefixes(rewrite(body, "duckdb")) if self.is_table else name_arguments(body)
        powers_of_whole_numbers(tree)
        name_in_full(holder := exp.Paren(this=tree), IN_FULL)  # the body itself may be a call
        tree = holder.this
        # A function is calls within calls, which are no easier to read on many lines.
        make = short_lines("duckdb") if self.is_table else None
        written = write(tree, "duckdb", pretty=self.is_table) if make is None else make(indent=1, pad=1).generate(tree)
        return f"-- {self.description}\n{created}\n{written};\n"
