"""The SQLMesh macro `@recall_duckdb(…)`, which is the whole query of a model and takes the arguments of `sql`.

To use it, write `from recall_duckdb.sqlmesh import recall_duckdb` in a file in the project's folder `macros`.
"""

from __future__ import annotations

import inspect
from typing import Any

from sqlglot import exp
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers

from recall_duckdb.dialects import find_dialect, rewrite_for_readers
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    EngineError,
    MissingPackageError,
    UnknownNameError,
    commas,
    nearest,
)
from recall_duckdb.evaluation import compose_statement
from recall_duckdb.question import OPTIONAL_INPUTS, SqlQuestion
from recall_duckdb.question.policies import CHOICES

_RELATIONS = ("run", "qrels", *OPTIONAL_INPUTS)
_OF_SQLMESH = ("form", "name", "at_least", "connection", "dialect")  # the model and its engine decide these
_SIGNATURE = inspect.Signature(
    [parameter for name, parameter in inspect.signature(SqlQuestion).parameters.items() if name not in _OF_SQLMESH]
)


def __getattr__(name: str) -> Any:
    """Return the macro and register it at each import: SQLMesh forgets macros after it has loaded a project."""
    if name != "recall_duckdb":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from sqlmesh import macro
    except ImportError as error:
        raise MissingPackageError("this needs sqlmesh: pip install '.[sqlmesh]' in a clone of recall_duckdb") from error
    return macro()(_macro)


def _macro(evaluator: Any, *positional: exp.Expr, **named: exp.Expr) -> exp.Expr:
    """Return the statement of `sql` in the dialect of the model; SQLMesh writes and parses it again."""
    dialect = find_dialect(str(evaluator.dialect).partition(",")[0]).name
    _check_engine(evaluator, dialect)
    words = list(_SIGNATURE.parameters)
    for name in named:
        if name not in words:
            fix = f"{nearest(name, words)} Arguments: {commas(words)}"
            raise UnknownNameError(f"there is no argument {name!r}", fix=fix)
    bound = _SIGNATURE.bind(*positional, **named)
    for name, value in bound.arguments.items():
        bound.arguments[name] = _argument(name, value, evaluator.dialect)
    question = SqlQuestion(**bound.arguments)
    statement = compose_statement(question, open_session(None, dialect, only_written=True))
    statement.set("order", None)  # a table has no order, and some engines refuse it
    return rewrite_for_readers(statement, dialect)


_macro.__name__ = "recall_duckdb"  # the name in SQLMesh, and in a model's stored environment


def _check_engine(evaluator: Any, dialect: str) -> None:
    """Raise `EngineError` if a model runs on an engine of another dialect: sqlglot's translation may be wrong there.

    DuckDB is allowed: it computes the translation of every dialect, and SQLMesh runs unit tests of models on it.
    """
    adapter = evaluator.locals.get("engine_adapter")  # none before a model runs
    if adapter is not None and adapter.dialect not in (dialect, "duckdb"):
        fix = f"Write dialect {adapter.dialect} in its MODEL (…), and names as {adapter.dialect} reads them"
        raise EngineError(f"the model is in the SQL of {dialect}, but runs on {adapter.dialect}", fix=fix)


def _argument(name: str, value: exp.Expr, dialect: Any) -> Any:
    """Convert an argument of the macro for `sql`; a name without quotes is read as the dialect reads it."""
    if isinstance(value, (exp.Literal, exp.Boolean, exp.Null, exp.Neg)):
        return value.to_py()
    if name in _RELATIONS:
        return _relation(name, value)
    if isinstance(value, (exp.Array, exp.Tuple, exp.Paren)):
        return [_argument(name, each, dialect) for each in value.expressions or [value.this]]
    node = value.this if isinstance(value, exp.Column) and not value.table else value
    if not isinstance(node, exp.Identifier):
        text = f"a name or a value is expected, not {value.sql(dialect)}; put a name in quotes"
        raise ArgumentTypeError(text, argument=name)
    if name not in (*CHOICES, "slices"):
        node = normalize_identifiers(node.copy(), dialect=dialect)
    return node.sql("duckdb") if node.quoted else node.name


def _relation(name: str, value: exp.Expr) -> Any:
    """Convert a model name, a query in parentheses, or several named runs: `(bm25 := shop.bm25, …)`."""
    query = value.unnest()
    if isinstance(query, exp.Query):
        return query.subquery("source")
    if isinstance(value, (exp.Tuple, exp.Paren)) and name == "run":
        runs = value.expressions or [value.this]
        if all(isinstance(each, exp.PropertyEQ) for each in runs):
            return {each.this.name: _relation(name, each.expression) for each in runs}
    if isinstance(value, exp.Table):
        return value
    parts = value.parts if isinstance(value, exp.Column) else [value]
    if not all(isinstance(part, exp.Identifier) for part in parts) or len(parts) > 3:
        text = f"the name of a model or a query in parentheses is expected, not {value.sql('duckdb')}"
        raise ArgumentError(text, argument=name)
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(parts), strict=False)))
