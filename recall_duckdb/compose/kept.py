"""Keeps the texts of statements for DuckDB: with few rows, composing and writing one takes longer than running it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from sqlglot import exp

from recall_duckdb.compose.plan import Plan
from recall_duckdb.compose.statement import Statement
from recall_duckdb.definitions import trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.dialects import executable
from recall_duckdb.engines import IS_DUCKDB_1
from recall_duckdb.inputs import SourceSelect
from recall_duckdb.inputs.files import Files

_MANY_SOURCES = 20  # with more, the text is long, and running it takes longer than writing it
_PATH = "path_"  # before the number of a path, in the name of its parameter


def text_of(
    statement: Statement, method: str, *arguments: object, limit: int | None = None
) -> tuple[str, list[str]] | None:
    """Return the text for DuckDB of what a method of a statement returns, up to a limit, and its parameters.

    The paths of parquet files are parameters: other files with the same columns have the same text, which is kept.
    Returns None if it is not kept: for metrics of the user, whose file may change, for stored tables, which have
    another name each time, and for many sources.
    """
    plan = statement.plan
    many = sum(map(len, plan.inputs.selects.values())) > _MANY_SOURCES
    if many or statement.bound or not plan.is_of_ours:
        return None
    plan, paths = _with_paths_as_parameters(plan)
    key = (method, form_of(arguments), limit, form_of(plan), form_of(statement.part))
    text, numbers = _text(_Form(key, replace(statement, plan=plan), method, arguments, limit))
    return text, [paths[number] for number in numbers]


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


def with_path_as_parameter(relation: exp.Expr, name: str) -> exp.Expr:
    """Return a copy of a relation that reads one parquet file, whose path is the parameter of this name."""
    changed = relation.copy()
    changed.args["expressions"][0].replace(exp.Placeholder(this=name))
    return changed


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


def _with_paths_as_parameters(plan: Plan) -> tuple[Plan, list[str]]:
    """Return a plan whose paths of parquet files are parameters, and the paths, each once."""
    paths: list[str] = []

    def changed(select: SourceSelect) -> SourceSelect:
        path = path_of(select.relation)
        if path is None:
            return select
        if path.name not in paths:
            paths.append(path.name)
        return replace(select, relation=with_path_as_parameter(select.relation, f"{_PATH}{paths.index(path.name)}"))

    selects = {name: [*map(changed, each)] for name, each in plan.inputs.selects.items()}
    return replace(plan, inputs=replace(plan.inputs, selects=selects, watched=[])), paths


@dataclass(frozen=True)
class _Form:
    """What the text of a statement depends on, and the statement itself."""

    key: object
    statement: Statement = field(compare=False)
    method: str = field(compare=False)
    arguments: tuple[Any, ...] = field(compare=False)
    limit: int | None = field(compare=False)


@lru_cache(maxsize=128)
def _text(form: _Form) -> tuple[str, list[int]]:
    """Return the text, and the numbers of the paths that are its parameters: DuckDB refuses others."""
    statement = replace(form.statement)  # the form is kept, and must not hold the tree
    tree = getattr(statement, form.method)(*form.arguments)
    numbers: list[int] = []
    for parameter in trees.find(tree, exp.Placeholder):
        number = int(parameter.name.removeprefix(_PATH))
        if number not in numbers:
            numbers.append(number)
        parameter.set("this", str(numbers.index(number) + 1))
    return executable(tree if form.limit is None else tree.limit(form.limit, copy=False), copy=False), numbers
