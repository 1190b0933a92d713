"""The generated file `sql/recall_duckdb.sql`: every macro, in a schema of their own."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from recall_duckdb import __version__
from recall_duckdb.definitions import trees
from recall_duckdb.dialects import write
from recall_duckdb.macros import list_functions
from recall_duckdb.macros.arguments import error
from recall_duckdb.macros.creating import Macro
from recall_duckdb.macros.names import CREATE_SCHEMA, LIST, SCHEMA, TITLE, VERSION, argument
from recall_duckdb.macros.table_macros import NAME, table_macros

_REFUSED = f"{SCHEMA}_refused"
_SHORT = "Stands for the helper while the macros that call it are created; replaced at the end of the file."


def macros() -> list[Macro]:
    """Return every macro, by name; a function comes after what it calls, and after the table macro of its name."""
    created = [*table_macros(), *list_functions.helpers(), *list_functions.of_metrics()]
    return sorted(created, key=lambda macro: macro.name)


def _refusal() -> exp.Expr:
    """Return the statement that stops the file if a database has the name of the schema."""
    text = (
        f"a database is called {SCHEMA}, like the schema of the macros. Attach it under another name, call "
        "recall_duckdb.install from Python, or load what follows CREATE SCHEMA in this file"
    )
    has_name = exp.EQ(this=exp.func("lower", exp.column("database_name")), expression=trees.literal(SCHEMA))
    is_taken = exp.GT(this=exp.Count(this=exp.Star()), expression=trees.literal(0))
    message = exp.Case(ifs=[exp.If(this=is_taken, true=error(trees.literal(text)))])
    refused = exp.select(message).from_(exp.Anonymous(this="duckdb_databases")).where(has_name).subquery()
    given = exp.SetItem(this=exp.EQ(this=exp.column(_REFUSED), expression=refused), kind="VARIABLE")
    return exp.Set(expressions=[given])


def text() -> str:
    """Return the file."""
    own = macros()
    head = (
        f"-- {TITLE}. Written by `python -m recall_duckdb.macros`.\n"
        f"-- Version {__version__}. Any DuckDB client can load this file: DuckDB 1.4.3 or later.\n"
        "-- In a database with the name of the schema, DuckDB could not tell them apart: check before creating it.\n"
        f"{write(_refusal(), 'duckdb', pretty=True)};\n"
        f"RESET VARIABLE {_REFUSED};\n"
        f"{CREATE_SCHEMA}\n"
    )
    listed = dict.fromkeys([LIST, VERSION, *(macro.name for macro in own)])
    names = exp.Array(expressions=list(map(trees.literal, listed)))
    list_of_names = (
        "-- The names of the macros in this file.\n"
        f"CREATE OR REPLACE MACRO {SCHEMA}.{LIST}() AS {write(names, 'duckdb', pretty=True)};\n"
        "-- The version of the macros.\n"
        f"CREATE OR REPLACE MACRO {SCHEMA}.{VERSION}() AS {write(trees.literal(__version__), 'duckdb')};\n"
    )
    # When DuckDB creates a macro, it plans those that it calls. With the helper itself, 1.4 takes four times as long.
    whole, *others = sorted(own, key=lambda macro: macro.name != NAME)
    # DuckDB cannot plan this before it knows the arguments, as it cannot plan the helper.
    named = exp.Table(this=exp.Anonymous(this="query", expressions=[argument("run")]))
    short = replace(whole, description=_SHORT, body=exp.select(exp.Star()).from_(named))
    return "\n".join([head, list_of_names, *(macro.text() for macro in [short, *others, whole])])
