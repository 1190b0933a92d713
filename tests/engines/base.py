"""The interface of all engines for the tests: load tables, run a statement, get rows, and connect as a user does."""

from __future__ import annotations

import importlib.util
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

Tables = Mapping[str, Mapping[str, Sequence[Any]]]
"""Tables by name, each with columns by name: lists of text, whole numbers or floats, with None for NULL."""


RELATIVE = "executed on a relative"
"""What a test on an engine proves about a dialect other than the engine's own."""


class Engine(ABC):
    """A separate database, which starts empty.

    Attributes:
        name: its name.
        dialect: the dialect that it runs.
        relatives: dialects that have no engine here, but whose statements this engine runs unchanged.
        label: what a test on it proves about its dialect.
        can_create: True if it can create a table from a statement.
        has_infinity: True if a column of floats can hold infinity.
        impossible_names: names that it does not accept for a column.
    """

    name: ClassVar[str]
    dialect: ClassVar[str]
    relatives: ClassVar[tuple[str, ...]] = ()
    label: ClassVar[str] = "executed"
    can_create: ClassVar[bool] = True
    has_infinity: ClassVar[bool] = True
    impossible_names: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def missing(cls) -> str | None:
        """Return why it cannot run here and what to install, or None if it can."""
        return None

    @abstractmethod
    def load(self, tables: Tables) -> None:
        """Create the tables, replacing tables of the same name."""

    @abstractmethod
    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Return the columns and rows of a statement, with numbers as int or float."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement, with numbers as int or float."""
        return self.run(statement)[1]

    def connect(self) -> Any:
        """Return what a user of the engine passes as connection=."""
        return Connection(self)

    @abstractmethod
    def close(self) -> None:
        """Stop the engine."""


Kind = TypeVar("Kind", bound=Engine)


def start(kind: type[Kind]) -> Kind:
    """Start an engine, or fail the test and say what is missing."""
    reason = kind.missing()
    assert reason is None, reason
    return kind()


class Connection:
    """A DB-API connection to an engine whose Python package has no DB-API."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def cursor(self) -> Cursor:
        return Cursor(self.engine)


class Cursor:
    """The part of a DB-API cursor that reads rows."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.description: list[tuple[Any, ...]] | None = None
        self._rows: list[tuple[Any, ...]] = []

    def execute(self, statement: str) -> None:
        names, self._rows = self.engine.run(statement)
        self.description = [(name, None, None, None, None, None, None) for name in names]

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self._rows

    def close(self) -> None:
        self._rows = []


NUMBERS = ("score", "relevance", "weight", "similarity")


def kind(name: str, values: Sequence[Any]) -> str:
    """Return the type of a column: text, int or float. The name decides for a column without values."""
    held = {type(value) for value in values if value is not None}
    if float in held or (not held and name in NUMBERS):
        return "float"
    return "int" if int in held else "text"


def missing(package: str = "", program: str = "", how: str = "") -> str | None:
    """Return why an engine cannot run here, or None if it can."""
    if package and importlib.util.find_spec(package) is None:
        return f"needs the Python package {package}: {how}"
    if program and not Path(program).exists() and shutil.which(program) is None:
        return f"needs {program}: {how}"
    return None


def quoted(name: str, mark: str = '"') -> str:
    """Quote a name."""
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


def make(execute: Any, name: str, columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> None:
    held = ", ".join(f"{quoted(column)} {types[kind(column, values)]}" for column, values in columns.items())
    execute(f"DROP TABLE IF EXISTS {quoted(name)}")
    execute(f"CREATE TABLE {quoted(name)} ({held})")
