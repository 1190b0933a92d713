"""Keeps the texts of statements for DuckDB: with few rows, composing and writing one takes longer than running it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Protocol

from sqlglot import exp

from recall_duckdb.compose.plan import Plan
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.dialects import executable
from recall_duckdb.engines import IS_DUCKDB_1
from recall_duckdb.reading import SourceSelect
from recall_duckdb.reading.files import Files

_PARAMETER = "value_"  # before the number of a parameter, in its name


class Composes(Protocol):
    """A dataclass whose methods compose statements, and whose fields determine these."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    def with_parameters(self) -> tuple[Any, list[str]] | None:
        """Return a copy whose changing values are parameters, and these values; None if the text must not be kept."""


class Kept:
    """A statement that is composed when a session needs it; its text is kept for statements of the same form.

    Args:
        composer: composes the statement.
        compose: the method of its class that does.
        arguments: the arguments of the method.
        options: further arguments, by name.
    """

    def __init__(
        self, composer: Composes, compose: Callable[..., exp.Query], *arguments: object, **options: object
    ) -> None:
        self._composer, self._compose, self._arguments, self._options = composer, compose, arguments, options

    def tree(self) -> exp.Query:
        """Compose the statement."""
        return self._compose(replace(self._composer), *self._arguments, **self._options)

    def text(self) -> tuple[str, list[str]] | None:
        """Return the text and its parameters; None if it is not kept."""
        changed = self._composer.with_parameters()
        if changed is None:
            return None
        composer, values = changed
        statement = Kept(composer, self._compose, *self._arguments, **self._options)
        text, numbers = _text(_Form(form_of((self._compose, self._arguments, self._options, composer)), statement))
        return text, [values[number] for number in numbers]


@dataclass(frozen=True)
class _Form:
    """What the text of a statement depends on, and the statement itself."""

    key: object
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


def path_of(relation: exp.Expr) -> exp.Literal | None:
    """Return the path of a parquet file to pass as a parameter, or None if a relation reads no single file.

    It is also None in DuckDB 1, which imports pandas for the first parameter: that takes 0.4 seconds.
    """
    if IS_DUCKDB_1 or not reads_parquet(relation) or not relation.expressions:
        return None
    path = relation.expressions[0]
    return path if isinstance(path, exp.Literal) and path.is_string else None


def reads_parquet(relation: exp.Expr) -> bool:
    """Return True for a call of read_parquet, for which sqlglot 27 has no class."""
    if not isinstance(relation, exp.Func):
        return False
    name: str = relation.name if isinstance(relation, exp.Anonymous) else relation.sql_name()
    return name.upper() == "READ_PARQUET"


def with_path_as_parameter(relation: exp.Expr, number: int) -> exp.Expr:
    """Return a copy of a relation that reads one parquet file, whose path is the parameter of this number."""
    changed = relation.copy()
    changed.args["expressions"][0].replace(parameter(number))
    return changed


def parameter(number: int) -> exp.Placeholder:
    """Return the parameter for the value of this number of what `with_parameters` returns."""
    return exp.Placeholder(this=f"{_PARAMETER}{number}")


def form_of(value: object) -> object:
    """Return what can be compared, and looked up, instead of a value that says what a statement is.

    Equal trees of sqlglot may differ in the case of letters, and 1 is equal to True and to 1.0: none have one form.
    """
    parts: Iterable[object]
    if isinstance(value, exp.Expression):
        parts = ((name, form_of(each)) for name, each in value.args.items() if each is not None and each != [])
    elif isinstance(value, (list, tuple)):
        parts = map(form_of, value)
    elif isinstance(value, Mapping):
        parts = ((form_of(key), form_of(each)) for key, each in value.items())
    elif isinstance(value, Template):
        parts = (value.stage, value.name, value.variant)
    elif isinstance(value, Files):  # says when a file changed, and nothing about a statement
        parts = ()
    elif is_dataclass(value):
        parts = (form_of(getattr(value, each.name)) for each in fields(value))
    else:
        parts = (repr(value) if isinstance(value, float) else value,)
    return (type(value), *parts)


def with_paths_as_parameters(plan: Plan) -> tuple[Plan, list[str]]:
    """Return a plan whose paths of parquet files are parameters, and the paths, each once."""
    paths: list[str] = []

    def changed(select: SourceSelect) -> SourceSelect:
        path = path_of(select.relation)
        if path is None:
            return select
        if path.name not in paths:
            paths.append(path.name)
        return replace(select, relation=with_path_as_parameter(select.relation, paths.index(path.name)))

    selects = {name: [*map(changed, each)] for name, each in plan.inputs.selects.items()}
    return replace(plan, inputs=replace(plan.inputs, selects=selects, watched=[], read_as=())), paths
