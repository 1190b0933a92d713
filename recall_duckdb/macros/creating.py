"""The statement that creates a macro."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import rewrite, write
from recall_duckdb.macros.names import SCHEMA, add_prefixes, in_call, name_arguments


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
        optional = [f"{in_call(name)} := {value}" for name, value in defaults.items()]
        arguments = "\n".join(f"  {argument}," for argument in [*map(in_call, self.required), *optional])[:-1]
        created = f"CREATE OR REPLACE MACRO {SCHEMA}.{self.name}(\n{arguments}\n) AS{' TABLE' if self.is_table else ''}"
        if self.is_table:
            body = write(add_prefixes(rewrite(self.body.copy(), "duckdb")), "duckdb", pretty=True, indent=0)
        else:  # calls within calls, which are no easier to read on many lines
            body = write(name_arguments(self.body.copy()), "duckdb")
        return f"-- {self.description}\n{created}\n{body};\n"
