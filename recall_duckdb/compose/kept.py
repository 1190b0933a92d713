"""Keeps the texts of statements for DuckDB: with few rows, composing and writing one takes longer than running it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from sqlglot import exp

from recall_duckdb.compose.plan import Plan
from recall_duckdb.definitions import trees
from recall_duckdb.dialects import executable
from recall_duckdb.engines import IS_DUCKDB_1
from recall_duckdb.reading import SourceSelect

_PARAMETER = "value_"  # before the number of a parameter, in its name


class Kept:
    """A statement that is composed when a session needs it; its text is kept for statements of the same form.

    Args:
        composer: composes the statement: a `Composer` whose fields, as those of a dataclass, determine it.
        compose: the method of its class that does.
        arguments: the arguments of the method.
        options: further arguments, by name.
    """

    def __init__(self, composer: Any, compose: Callable[..., exp.Query], *arguments: object, **options: object) -> None:
        self._composer, self._compose, self._arguments, self._options = composer, compose, arguments, options

    def tree(self) -> exp.Query:
        """Compose the statement."""
        composer = replace(self._composer)  # without what it composed before
        return self._compose(composer, *self._arguments, **self._options)

    def text(self) -> tuple[str, list[str]] | None:
        """Return the text and its parameters; None if it is not kept."""
        changed = self._composer.with_parameters()
        if changed is None:
            return None
        composer, values = changed
        statement = Kept(composer, self._compose, *self._arguments, **self._options)
        text, numbers = _text(_Form(repr((self._compose, self._arguments, self._options, composer)), statement))
        return text, [values[number] for number in numbers]


@dataclass(frozen=True)
class _Form:
    """What the text of a statement depends on, and the statement itself.

    Equal trees of sqlglot may differ in the case of letters, and 1 is equal to True and to 1.0: their texts differ.
    """

    key: str
    statement: Kept = field(compare=False)


@lru_cache(maxsize=128)
def _text(form: _Form) -> tuple[str, list[int]]:
    """Return the text, and the numbers of the values that are its parameters: DuckDB refuses others."""
    tree = form.statement.tree()
    numbers: list[int] = []
    for placeholder in trees.find(tree, exp.Placeholder):
        number = int(placeholder.name.removeprefix(_PARAMETER))
        if number not in numbers:
            numbers.append(number)
        placeholder.set("this", str(numbers.index(number) + 1))
    return executable(tree, copy=False), numbers


def reads_parquet(relation: exp.Expr) -> bool:
    """Return True for a call of read_parquet, for which sqlglot 27 has no class."""
    if not isinstance(relation, exp.Func):
        return False
    name: str = relation.name if isinstance(relation, exp.Anonymous) else relation.sql_name()
    return name.upper() == "READ_PARQUET"


def parameter(number: int) -> exp.Placeholder:
    """Return the parameter for the value of this number of what `with_parameters` returns."""
    return exp.Placeholder(this=f"{_PARAMETER}{number}")


def with_paths_as_parameters(plan: Plan) -> tuple[Plan, list[str]]:
    """Return a plan whose paths of parquet files are parameters, and the paths, each once.

    They stay as they are in DuckDB 1, which imports pandas for the first parameter: that takes 0.4 seconds.
    """
    paths: list[str] = []

    def changed(select: SourceSelect) -> SourceSelect:
        relation = select.relation.copy()
        path = relation.expressions[0] if reads_parquet(relation) and relation.expressions else None
        if IS_DUCKDB_1 or not isinstance(path, exp.Literal) or not path.is_string:
            return select
        if path.name not in paths:
            paths.append(path.name)
        path.replace(parameter(paths.index(path.name)))
        return replace(select, relation=relation)

    selects = {name: [*map(changed, each)] for name, each in plan.inputs.selects.items()}
    return replace(plan, inputs=replace(plan.inputs, selects=selects, watched=[], read_as=())), paths
