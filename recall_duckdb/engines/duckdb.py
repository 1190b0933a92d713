"""Runs statements on DuckDB, and removes the temporary tables and views that an evaluation made there."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import count
from threading import Lock, get_ident
from typing import Any, Literal, NoReturn
from uuid import uuid4
from weakref import WeakKeyDictionary, WeakSet, finalize

import duckdb
import sqlglot.dialects.duckdb  # noqa: F401  which the first statement would otherwise load
from sqlglot import exp

from recall_duckdb.definitions import trees
from recall_duckdb.dialects import executable
from recall_duckdb.engines.base import Columns, Composed, Session, creation, tree_of
from recall_duckdb.engines.failures import TRANSACTION_ABORTED, explain_failure, not_readable
from recall_duckdb.engines.interrupts import T, run_interruptibly
from recall_duckdb.engines.shared import connect_to_shared, parsed
from recall_duckdb.engines.spilling import bytes_of
from recall_duckdb.engines.statements import (
    NUMBER_OF_TRANSACTION,
    WITHOUT_EFFECT,
    catalog_entries,
    counting,
    of_lists,
    removal,
    schemas_of,
    text_of_lists,
    without_rows,
)
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, EngineError, RecallError

OWN_TABLE = "recall_duckdb_own_"  # before the number of a table that is stored in a database of its own
IS_DUCKDB_1 = int(duckdb.__version__.split(".")[0]) < 2

# In DuckDB 1 a relation does not keep its connection open, so `evaluate(…).means.filter(…)` would find it closed.
# The connections of the last evaluations stay open for that. By process, because a fork must not close those of its
# parent, which crashes.
_recent: dict[int, deque[duckdb.DuckDBPyConnection]] = {}

# Temporary objects to remove, by connection. The next evaluation removes objects that remain after an error in a
# transaction, or after a result was collected. A finalizer must not touch the connection: it may run in any
# thread, within a transaction, and before the user has fetched the rows of a statement.
_leftovers: WeakKeyDictionary[duckdb.DuckDBPyConnection, dict[str, Literal["table", "view"]]] = WeakKeyDictionary()

# The sessions that evaluate on a connection of the user now: all of one thread.
_at_work: WeakKeyDictionary[duckdb.DuckDBPyConnection, WeakSet[DuckDB]] = WeakKeyDictionary()
_lock = Lock()

# The numbers in the names of inputs that are bound now. The lowest free one is taken, so that an evaluation has mostly
# the same names as the last, and a statement can be used again.
_taken: dict[int, object] = {}

# The codes of the types of pandas columns that are arrays as DuckDB reads them: numbers and booleans.
_PLAIN = frozenset("?bBhHiIlLqQfd")

# The error of DuckDB 2 if rows of the last statement were not fetched to the end, or another thread runs a statement.
# DuckDB 1 discards such rows, and nothing shows that they exist.
_IN_USE: tuple[type[Exception], ...] = tuple(filter(None, [getattr(duckdb, "ResourceInUseException", None)]))


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise what a signal handler raised while DuckDB ran; DuckDB raises a RuntimeError instead.

    DuckDB 1 gives it as the cause. DuckDB 2 does not say what it was: then it is KeyboardInterrupt, as on Ctrl-C.
    """
    try:
        yield
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise error.__cause__ or KeyboardInterrupt() from None


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Raise `EngineError` for what DuckDB raises while a relation is made or read, and what a signal handler raised."""
    try:
        with interruptible():
            yield
    except (duckdb.Error, UnicodeError) as error:
        raise explain_failure(what, error) from error


def _refuse_another_thread() -> NoReturn:
    fix = (
        "Pass connection.cursor() in each thread, which does not see temporary tables or uncommitted rows of the others"
    )
    raise ArgumentError("another thread uses it now", argument="connection", fix=fix)


class DuckDB(Session):
    """A connection to DuckDB: the user's, `internal`, or one in memory that is made when it is first needed.

    Inputs that are Python objects are bound as temporary views or tables until `release`. The only table that stays is
    the temporary table of per-query values that a result reads from.
    """

    dialect, name = "duckdb", "DuckDB"

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection | None = None,
        sources: Sequence[object] = (),
        target: str = "duckdb",
        internal: duckdb.DuckDBPyConnection | None = None,
    ) -> None:
        self.has_connection = connection is not None
        self.target = target
        relations = [source for source in sources if isinstance(source, duckdb.DuckDBPyRelation)]
        if connection is None and relations:  # DuckDB 1 does not tell the connection, and duckdb.sql(…) has this one
            own = getattr(relations[0], "_con", None)
            connection = own if isinstance(own, duckdb.DuckDBPyConnection) else duckdb.default_connection()
        self._user_connection = connection
        self.stays = connection is not None
        if internal is not None:
            self.connection = internal
        self._tables = count(1)
        self._number: int | None = None if self.stays else 0  # a connection of its own has no other inputs
        self._temporary: dict[str, Literal["table", "view"]] = {}
        self._thread = get_ident()
        if connection is not None:
            self._begin(connection)

    def _begin(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Take the connection for this thread until `release`, and look at its state."""
        with _lock:
            self._check_thread(connection)
            _at_work.setdefault(connection, WeakSet()).add(self)
        try:
            self.check_fetched()
            [collation] = self._settings("default_collation")
            if collation and str(collation).casefold() != "binary":
                told = f"its default_collation is {collation!r}, under which different ids are equal"
                raise ArgumentError(f"{told}: run SET default_collation = '' first", argument="connection")
            self._sweep()
        except BaseException:
            self.release()
            raise

    def _check_thread(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Raise `ArgumentError` if another thread evaluates on the connection."""
        if any(other._thread != get_ident() for other in list(_at_work.get(connection, ()))):
            _refuse_another_thread()

    @cached_property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The connection given, or one in memory, made when it is first needed."""
        if self._user_connection is not None:
            return self._user_connection
        connection = connect_to_shared()
        if IS_DUCKDB_1:
            _recent.setdefault(os.getpid(), deque(maxlen=16)).append(connection)
        return connection

    @cached_property
    def resources(self) -> tuple[int, int]:
        """How many bytes of memory its statements may take, and how many threads."""
        memory, threads = self._settings("memory_limit", "threads")
        return bytes_of(memory), int(threads)

    def _settings(self, *names: str) -> tuple[Any, ...]:
        return self.rows_of(f"SELECT {', '.join(f'system.main.current_setting({name!r})' for name in names)}")[0]

    def check_fetched(self) -> None:
        """Raise `ArgumentError` if rows of the last statement are unfetched, which only DuckDB 2 reports."""
        if self._user_connection is not None:
            self._check_thread(self._user_connection)
        used = self._use()
        if used is not None and "busy" in used:
            _refuse_another_thread()
        if used is not None:
            raise ArgumentError(
                "rows of its last statement are not fetched, or fetchone() has not reached their end, and they would "
                "be discarded",
                argument="connection",
                fix="Fetch them with fetchall(), or pass connection.cursor(), which does not see temporary tables or "
                "uncommitted rows",
            )

    def _failure(self) -> duckdb.Error | None:
        """Return the error of a statement without effect, which tells the state of the connection; or None."""
        try:
            self.connection.sql(WITHOUT_EFFECT).fetchall()
        except duckdb.Error as error:
            return error
        return None

    def _use(self) -> str | None:
        """Return DuckDB's report that rows of the last statement are unfetched, or another thread runs one; or None."""
        failure = self._failure() if _IN_USE else None
        return str(failure) if isinstance(failure, _IN_USE) else None  # the next statement reports other errors

    @cached_property
    def is_in_transaction(self) -> bool:
        """True within BEGIN and COMMIT, where two statements have one transaction; raises `EngineError`."""
        return self.rows_of(NUMBER_OF_TRANSACTION) == self.rows_of(NUMBER_OF_TRANSACTION)

    @contextmanager
    def rehearsal(self) -> Iterator[DuckDB | None]:
        """Yield a session of its own to read files first if an error would abort the user's transaction, or None."""
        if self._user_connection is None or not self.is_in_transaction:
            yield None
            return
        # A cursor has the settings of the database, but not this one of its connection.
        [folders] = self._settings("file_search_path")
        with self._user_connection.cursor() as cursor:
            session = DuckDB(internal=cursor)
            if folders:
                cursor.execute(f"SET file_search_path = {trees.literal(folders).sql('duckdb')}")
            yield session

    def count_rows(self, relation: exp.Expr, most: float) -> int:
        """Return the number of rows of a relation, or `most` if there are more; raises `EngineError`."""
        return int(self.rows_of(counting(relation, int(most)))[0][0])

    def execute(self, statement: exp.Expr, parameters: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        """Run a statement, which is spent; raises `EngineError` with DuckDB's message where it does not run."""
        text = executable(statement, copy=False)
        return run_interruptibly(self.connection, lambda: self._run(text, parameters))

    def _run(self, statement: str | duckdb.Statement, parameters: Sequence[object] = ()) -> duckdb.DuckDBPyConnection:
        try:
            with interruptible():
                return self.connection.execute(statement, list(parameters))
        except (duckdb.Error, RuntimeError, UnicodeError) as error:
            raise self._explain_failure("run a statement", error) from error

    def rows(self, statement: exp.Query | Composed) -> list[tuple[Any, ...]]:
        """Return the rows of a statement; raises `EngineError` as `execute` does."""
        return self._read(statement, lambda cursor: cursor.fetchall())

    def _read(self, statement: exp.Query | Composed, read: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
        text, parameters = self._write(statement)

        def run() -> T:
            cursor = self._run(text, parameters)
            return self._fetch(lambda: read(cursor))

        return run_interruptibly(self.connection, run)

    def dicts(self, statement: exp.Query | Composed) -> list[dict[str, Any]]:
        """Return the rows of a statement, with DuckDB's names of columns; raises `EngineError` as `execute` does."""
        return self.rows_and_types(statement)[0]

    def rows_and_types(self, statement: exp.Query | Composed) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Return the rows of a statement and the types of its columns; raises `EngineError` as `execute` does."""

        def read(cursor: duckdb.DuckDBPyConnection) -> tuple[list[dict[str, Any]], dict[str, str]]:
            types = {name: str(kind) for name, kind, *_ in cursor.description or []}
            return [dict(zip(types, row, strict=True)) for row in cursor.fetchall()], types

        return self._read(statement, read)

    def arrays(self, statement: exp.Query | Composed) -> dict[str, Any]:
        """Return the columns of a statement as arrays of NumPy; raises `EngineError` as `execute` does."""
        return self._read(statement, lambda cursor: cursor.fetchnumpy())

    def rows_of(self, statement: str | duckdb.Statement) -> list[tuple[Any, ...]]:
        """Return the rows of a quick statement, without a thread of its own, which takes a tenth of a millisecond."""
        return self._fetch(self._run(statement).fetchall)

    def _fetch(self, fetch: Callable[[], T]) -> T:
        try:  # some errors appear only here, such as a missing Python package for a value
            with interruptible():
                return fetch()
        except (duckdb.Error, ImportError, ValueError, OverflowError) as error:
            self._abort()
            raise self._explain_failure("give the rows of a statement", error) from error
        except BaseException:
            self._abort()
            raise

    def _write(self, statement: exp.Query | Composed, start: str = "") -> tuple[str | duckdb.Statement, list[str]]:
        """Return a statement, which is spent, after a start, and its parameters; a text that is kept is parsed once."""
        kept = None if isinstance(statement, exp.Query) else statement.text()
        if kept is None:
            return start + executable(tree_of(statement), copy=False), []
        if start and self.stays:  # with another name each time
            return start + kept[0], kept[1]
        try:
            return parsed(start + kept[0], self.connection), kept[1]
        except (duckdb.Error, UnicodeError) as error:
            raise self._explain_failure("parse a statement", error) from error

    def _explain_failure(self, what: str, error: Exception) -> RecallError:
        """Return the error for what DuckDB raised, which says if it aborted the user's transaction."""
        failure = explain_failure(what, error)
        is_known = self._user_connection is None or isinstance(error, duckdb.TransactionException)
        if is_known or not isinstance(self._failure(), duckdb.TransactionException):
            return failure
        return type(failure)(f"{str(failure).rstrip('.')}. {TRANSACTION_ABORTED}")

    def _abort(self) -> None:
        """Discard the rows of a statement that were not fetched: DuckDB 2 refuses other statements before that."""
        if hasattr(self.connection, "abort"):
            self.connection.abort()

    def relation(self, statement: exp.Query) -> duckdb.DuckDBPyRelation:
        """Return a statement as a relation that runs when it is read; raises `EngineError` as `execute` does."""
        with reading("give a relation"):
            return self.connection.sql(executable(statement))

    def values(self, statement: exp.Query | Composed) -> duckdb.DuckDBPyRelation:
        """Return the rows of a statement as a relation in memory, which needs no stored table; raises `EngineError`."""
        text, parameters = self._write(statement)

        def read() -> duckdb.DuckDBPyRelation:
            if IS_DUCKDB_1:  # which runs a statement with parameters now
                return self.connection.sql(text, params=parameters)
            return self.connection.sql(text, params=parameters or None).materialize()

        with reading("give a relation"):
            return run_interruptibly(self.connection, read)

    def relation_of(
        self, columns: Mapping[str, list[Any]], types: Mapping[str, str], text: str | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Return columns, each cast to its type, as a relation that needs no stored table; for few rows.

        `text` is a statement that selects from `of_lists(types)`; by default it is that.
        """
        text = text_of_lists(tuple(types.items())) if text is None else text
        with reading("give a relation"):
            return self.connection.sql(parsed(text, self.connection), params=[columns[name] for name in types])

    def describe(self, relation: exp.Expr) -> Columns:
        """Return the columns of a relation and their types, without reading its rows; raises `duckdb.Error`."""
        empty = self.connection.sql(without_rows(relation))
        return dict(zip(empty.columns, empty.types, strict=True))

    def table(self, meanings: Sequence[Sequence[str]]) -> exp.Table | None:
        """Return the table or view that a name means, by its possible parts; None if there is none.

        It comes qualified in full, since a relation of the pipeline may have the same name.
        """
        if self._user_connection is None:
            return None  # a new connection holds no tables
        rows = run_interruptibly(self.connection, lambda: self.rows_of(catalog_entries(*map(tuple, meanings))))
        if not rows:
            return None
        # First the full name, then as DuckDB resolves it: temporary, or in the current database and schema.
        parts = map(trees.identifier, max(rows, key=lambda row: row[3:])[:3])
        return exp.Table(**dict(zip(("catalog", "db", "this"), parts, strict=True)))

    def check_free(self, parts: Sequence[str], argument: str) -> None:
        """Raise `ArgumentError` if a new table of this name cannot be created, which would abort a transaction."""
        schemas = self.rows(schemas_of(parts))
        if not schemas:
            told = f"there is no schema or database {parts[-2]!r}"
            raise ArgumentError(told, argument=argument, fix="Create it first")
        if self.rows_of(catalog_entries(*((*schema, parts[-1]) for schema in schemas))):
            told = f"there is a table or view {'.'.join(parts)!r} already"
            raise ArgumentError(told, argument=argument, fix="Drop it, or choose another name")

    def bind(self, value: object, role: str) -> exp.Table:
        """Register a frame or relation without copying its data, and return the name that statements can read."""
        table = self._name_temporary(self._input_name(role), "view")
        try:
            self.connection.register(table.name, _arrays(value) or value)
        except Exception as error:  # the object itself provides its data, and may raise anything
            raise ArgumentTypeError(not_readable(role, value, error)) from error
        return table

    def load(
        self, columns: Mapping[str, Sequence[object]], role: str, kinds: Mapping[str, str] | None = None
    ) -> exp.Table:
        """Store Python lists, one a column, as a temporary table; `kinds` has the type of some columns' ids."""
        table = self._name_temporary(self._input_name(role), "table")
        projections = []
        for number, (column, values) in enumerate(columns.items(), start=1):
            placeholder: exp.Expr = exp.Placeholder(this=str(number))
            if kinds is not None and column in kinds:
                depth = "[][]" if any(isinstance(value, list) for value in values) else "[]"
                placeholder = exp.cast(placeholder, kinds[column] + depth, dialect="duckdb")
            projections.append(exp.alias_(exp.func("unnest", placeholder), trees.identifier(column)))
        try:
            self.execute(creation(table.copy(), exp.select(*projections), temporary=True), list(columns.values()))
        except EngineError as error:
            raise ArgumentTypeError(f"DuckDB cannot take these values: {error.__cause__}", argument=role) from error
        return table

    def keep_values(self, columns: Mapping[str, Sequence[object]], types: Mapping[str, str]) -> exp.Table:
        """Store columns in a temporary table, each cast to its type, and return its name; `release` removes it."""
        table = self._name_temporary(f"recall_duckdb_{uuid4().hex}", "table")
        self.execute(creation(table.copy(), of_lists(types), temporary=True), [columns[name] for name in types])
        return table

    def _input_name(self, role: str) -> str:
        """Return the name under which an input is bound until `release`; no other thread has it."""
        if self._number is None:
            self._number = next(number for number in count(1) if _taken.setdefault(number, self) is self)
        return f"recall_duckdb input {self._number} {role}"

    def _name_temporary(self, name: str, kind: Literal["table", "view"]) -> exp.Table:
        """Name a temporary object; `release` removes it, also if an interrupt ends the statement that makes it."""
        self._temporary[name] = kind
        self._left.pop(name, None)
        return exp.Table(this=trees.identifier(name))

    def create(self, table: exp.Table, statement: exp.Query) -> None:
        """Write the rows of a statement to a new table of that name, which stays."""
        self.execute(creation(table, statement))

    def store_files(self, relation: exp.Expr, columns: Iterable[str | exp.Expr]) -> exp.Table:
        """Store columns of a relation that reads files, as `store` does, so that the files are parsed once."""
        rows = exp.select(*columns, dialect="duckdb").from_(relation.copy())
        is_loaded = any(each.name.startswith(self._input_name("")) for each in relation.find_all(exp.Table))
        with self.rehearsal() as other:
            if other is not None and not is_loaded:
                other.store(rows.copy())
        table = self.store(rows, self._input_name(f"rows of files {next(self._tables)}"))
        table.meta["files"] = relation
        return table

    def store(self, statement: exp.Query | Composed, name: str | None = None) -> exp.Table:
        """Store the rows of a statement in a temporary table until `release`, unless it is kept."""
        if name is None:  # the same in each database of its own, so that texts of it are kept
            name = f"recall_duckdb_{uuid4().hex}" if self.stays else f"{OWN_TABLE}{next(self._tables)}"
        table = self._name_temporary(name, "table")
        text, parameters = self._write(statement, f"CREATE TEMPORARY TABLE {table.this.sql('duckdb')} AS ")
        run_interruptibly(self.connection, lambda: self._run(text, parameters))
        return table

    def keep(self, table: exp.Table, owner: object) -> finalize[..., Any]:
        """Keep a stored table until its owner is collected, or for good if the returned finalizer is detached."""
        finalizer = finalize(owner, self._left.__setitem__, table.name, "table")
        finalizer.atexit = False
        del self._temporary[table.name]
        return finalizer

    def write(self, statement: exp.Query, path: str, file_format: str) -> None:
        """Write the rows of a statement to a file, as parquet, csv or json."""
        options = [exp.CopyParameter(this=exp.var("FORMAT"), expression=exp.var(file_format.upper()))]
        files = [trees.literal(path)]
        self.execute(exp.Copy(this=statement.subquery(), kind=False, files=files, params=options))

    def drop(self, table: exp.Table) -> None:
        """Remove a stored table. If the connection refuses, or holds rows for its user, the next evaluation does."""
        self._left[table.name] = "table"
        self._temporary.pop(table.name, None)
        if self._use() is None:
            self._sweep()

    def release(self) -> None:
        """Remove what `clear` removes, and leave the connection to other threads."""
        self.clear()
        if self._user_connection is not None:
            with _lock:
                _at_work.get(self._user_connection, WeakSet()).discard(self)

    def clear(self) -> None:
        """Remove the inputs that were Python objects, and every stored table that was not kept."""
        if self._temporary:
            self._left.update(self._temporary)
            self._temporary.clear()
            self._sweep()
        if self._number:
            _taken.pop(self._number, None)
            self._number = None

    @property
    def _left(self) -> dict[str, Literal["table", "view"]]:
        return _leftovers.setdefault(self.connection, {})

    def _sweep(self) -> None:
        """Remove the temporary objects that are left over, unless the transaction failed or the connection closed."""
        left = self._left
        for name, kind in list(left.items()):
            try:
                if kind == "view":
                    self.connection.unregister(name)
                else:
                    self.execute(removal(exp.Table(this=trees.identifier(name))))
            except (duckdb.Error, EngineError):
                continue
            left.pop(name, None)


def _arrays(value: object) -> dict[str, Any] | None:
    """Return the columns of a pandas frame as arrays, which DuckDB binds in a third of the time; None for others."""
    if type(value).__module__.partition(".")[0] != "pandas" or type(value).__name__ != "DataFrame":
        return None
    columns = list(value.items())  # type: ignore[attr-defined]
    are_plain = all(isinstance(name, str) and getattr(column.dtype, "char", "O") in _PLAIN for name, column in columns)
    if not are_plain or len({name.casefold() for name, _ in columns}) < len(columns):
        return None
    return {name: column.to_numpy() for name, column in columns}
