"""Render the macros of the dbt package without dbt: in plain Jinja, with the names that dbt defines."""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import jinja2
import jinja2.ext
from folders import ROOT

from recall_duckdb.macros.package import ADAPTERS

FOLDER = ROOT / "sql" / "macros"

# Adapters whose dbt.escape_single_quotes writes a backslash.
BACKSLASH = ("bigquery", "databricks", "snowflake", "spark")


class CompilationError(Exception):
    """Raised if a macro refuses its arguments."""


class _ReturnedError(Exception):
    """Raised by dbt's `return`, with which a macro returns any value; macros of plain Jinja return text."""

    def __init__(self, value: object) -> None:
        self.value = value


class Package:
    """The macros as dbt dispatches them for one adapter."""

    def __init__(self, adapter: str, parents: tuple[str, ...], folder: Path = FOLDER, **config: object) -> None:
        environment = _environment()
        self._found: dict[str, Callable[..., Any]] = {}
        self._arguments: dict[str, list[str]] = {}
        names = SimpleNamespace()
        environment.globals.update(
            {
                "recall_duckdb": names,
                "adapter": SimpleNamespace(
                    type=lambda: adapter,
                    dispatch=lambda name, package: self._dispatched(name, (adapter, *parents, "default")),
                ),
                "config": config,  # of the data test
                "exceptions": SimpleNamespace(raise_compiler_error=_refuse),
                "return": _return,
                "execute": True,
                "env_var": os.environ.get,
                "modules": SimpleNamespace(datetime=datetime, re=re),
                "dbt": SimpleNamespace(
                    concat=" || ".join,
                    string_literal=lambda text: f"'{text}'",
                    escape_single_quotes=lambda text: text.replace("'", "\\'" if adapter in BACKSLASH else "''"),
                ),
            }
        )
        for path in sorted(folder.rglob("*.sql")):
            code = _compiled(path.read_text("utf-8"))
            module = jinja2.Template.from_code(environment, code, environment.make_globals(None)).module
            for name, macro in vars(module).items():
                if isinstance(macro, jinja2.runtime.Macro):
                    assert name not in self._found, f"{path}: {name} is defined twice"
                    self._found[name] = _returning(macro)
                    self._arguments[name] = list(macro.arguments)
        vars(names).update(self._found)

    def _dispatched(self, name: str, prefixes: tuple[str, ...]) -> Callable[..., Any]:
        return next(self._found[f"{prefix}__{name}"] for prefix in prefixes if f"{prefix}__{name}" in self._found)

    def call(self, name: str, *arguments: object, **named: object) -> str:
        """Return the text of a macro; raise `CompilationError` if it refuses its arguments."""
        return str(self._found[name](*arguments, **named)).strip()

    def value(self, name: str) -> object:
        """Return what a macro returns."""
        return self._found[name]()

    def arguments(self, name: str) -> list[str]:
        """Return the names of a macro's arguments."""
        return self._arguments[name]

    @property
    def names(self) -> set[str]:
        """The names of all macros; those of data tests begin with test_, as in dbt."""
        return set(self._found)


class _Test(jinja2.ext.Extension):
    """`{% test name(…) %}` is a macro called test_name."""

    def __init__(self, environment: jinja2.Environment) -> None:
        super().__init__(environment)
        self.tags = {"test"}

    def parse(self, parser: jinja2.parser.Parser) -> jinja2.nodes.Node:
        node = jinja2.nodes.Macro(lineno=next(parser.stream).lineno)
        node.name = "test_" + parser.parse_assign_target(name_only=True).name
        parser.parse_signature(node)
        node.body = parser.parse_statements(("name:endtest",), drop_needle=True)
        return node


def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        extensions=[jinja2.ext.do, _Test], undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )


@cache
def _compiled(text: str) -> CodeType:
    """Compile a file of macros; the code is the same for every adapter."""
    return _environment().compile(text)


def _returning(macro: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: object, **named: object) -> Any:
        try:
            return macro(*arguments, **named)
        except _ReturnedError as returned:
            return returned.value

    return call


def _return(value: object = None) -> None:
    raise _ReturnedError(value)


def _refuse(message: str) -> None:
    raise CompilationError(message)


@cache
def package(adapter: str, folder: Path = FOLDER) -> Package:
    parents, parent = [], ADAPTERS[adapter]
    while parent:
        parents.append(parent)
        parent = ADAPTERS[parent]
    return Package(adapter, tuple(parents), folder)
