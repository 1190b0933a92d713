"""What every engine is to the tests: load tables, run a statement, get rows; and the connection that a user has."""

from __future__ import annotations

import importlib.util
import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, TypeVar

Tables = Mapping[str, Mapping[str, Sequence[Any]]]
"""Tables by name, and their columns by theirs: lists of text, of whole numbers or of floats, None for NULL."""


RELATIVE = "executed on a relative"
"""What an engine proves of a dialect that is not its own."""


class Engine(ABC):
    """A database of its own, empty at first.

    Attributes:
        name: what it is called.
        dialect: whose SQL it runs.
        relatives: the dialects that no engine here speaks, but this one understands as they are written.
        label: what it proves of its dialect.
        can_create: whether it makes tables of what a statement gives.
        has_infinity: whether a column of floats can hold what is infinite.
        impossible_names: what no column can be called there, or could be told.
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
        """Say why it cannot run here and what to install; None if it can."""
        return None

    @abstractmethod
    def load(self, tables: Tables) -> None:
        """Make the tables, in the place of those of the same name."""

    @abstractmethod
    def run(self, statement: str) -> tuple[list[str], list[tuple[Any, ...]]]:
        """The columns and rows of a statement, numbers as int or float."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """The rows of a statement, numbers as int or float."""
        return self.run(statement)[1]

    def connect(self) -> Any:
        """What a user of the engine passes as connection=."""
        return Connection(self)

    @abstractmethod
    def close(self) -> None:
        """Stop it."""


Kind = TypeVar("Kind", bound=Engine)


def start(kind: type[Kind]) -> Kind:
    """Start an engine, or fail the test with what is missing."""
    reason = kind.missing()
    assert reason is None, reason
    return kind()


class Connection:
    """A DB-API connection to an engine whose Python package has none."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def cursor(self) -> Cursor:
        return Cursor(self.engine)


class Cursor:
    """As much of a DB-API cursor as a reader of rows needs."""

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
    """Whether a column holds text, int or float; one without values does what its name says."""
    held = {type(value) for value in values if value is not None}
    if float in held or (not held and name in NUMBERS):
        return "float"
    return "int" if int in held else "text"


def missing(package: str = "", program: str = "", how: str = "") -> str | None:
    """Why an engine cannot run here, or None."""
    if package and importlib.util.find_spec(package) is None:
        return f"needs the Python package {package}: {how}"
    if program and not Path(program).exists() and shutil.which(program) is None:
        return f"needs {program}: {how}"
    return None


def quoted(name: str, mark: str = '"') -> str:
    """A name between marks."""
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


def make(execute: Any, name: str, columns: Mapping[str, Sequence[Any]], types: Mapping[str, str]) -> None:
    held = ", ".join(f"{quoted(column)} {types[kind(column, values)]}" for column, values in columns.items())
    execute(f"DROP TABLE IF EXISTS {quoted(name)}")
    execute(f"CREATE TABLE {quoted(name)} ({held})")
