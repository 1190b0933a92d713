"""What an evaluation found, as plain data: `Result` and the functions for comparisons and reports read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from weakref import finalize

import duckdb
from sqlglot import exp

from recall_duckdb import report
from recall_duckdb.answering.answers import Answer, values_in
from recall_duckdb.compose import Plan, Statement, for_readers
from recall_duckdb.counts import Counts, notes
from recall_duckdb.definitions import trees
from recall_duckdb.dialects import executable, readable
from recall_duckdb.engines import DuckDB, Session, of_lists
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    EngineError,
    UnknownNameError,
    commas,
    nearest,
    quote,
)
from recall_duckdb.frames import choose_model
from recall_duckdb.question import EvaluateQuestion, metrics
from recall_duckdb.question.metrics import Metric
from recall_duckdb.reading import read_as

if TYPE_CHECKING:
    from recall_duckdb.comparison.gates import Outcome

_TYPES_OF_MEANS = {"metric": "VARCHAR", "k": "BIGINT", "value": "DOUBLE", "queries": "BIGINT"}


@dataclass(eq=False)
class ResultData:
    """The answer to a question, and where the values of queries are."""

    question: EvaluateQuestion  # what was asked
    session: Session  # where it was answered
    answer: Answer  # the plan, the counts, the means, and the values of queries if they are in memory
    # The table with the values of queries; None if they are in memory, or computed when they are read
    stored: exp.Table | None = field(init=False)
    is_closed: bool = False  # True after `close`
    appended: frozenset[str] = frozenset()  # the histories that the means were added to
    gates: Outcome | None = None  # what gates found, for a report

    def __post_init__(self) -> None:
        self.stored = self.answer.per_query
        # The table lives as long as this object.
        self.finalizer: finalize[..., Any] | None = self._keep_stored()

    def __getstate__(self) -> dict[str, Any]:
        """Return the answer with the values of queries in memory, to copy or to pickle; raises `ArgumentTypeError`."""
        question, answer, stored = self.question, self.answer, self.stored
        if question.connection is not None or any(
            isinstance(source, duckdb.DuckDBPyRelation) for source in question.sources()
        ):
            raise ArgumentTypeError(
                "a result on a connection, or of a DuckDB relation, cannot be copied or pickled",
                fix=(
                    "Keep to_dicts() or to_pandas() instead, or write the values of queries with "
                    "write_per_query(path, 'parquet')"
                ),
            )
        if stored is not None and not self.is_closed:
            assert isinstance(self.session, DuckDB)
            with self.explaining_lost_values():
                answer = replace(answer, values=values_in(stored, self.session))
        answer = replace(answer, per_query=None)
        return {"question": question, "answer": answer, "is_closed": self.is_closed, "appended": self.appended}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, session=DuckDB(), stored=None, finalizer=None)

    @property
    def plan(self) -> Plan:
        """The prepared question."""
        return self.answer.plan

    @property
    def counts(self) -> dict[object, Counts]:
        """Counts of queries and rows, by model, in the order in which the models were given."""
        return self.answer.counts

    @property
    def means(self) -> list[dict[str, Any]]:
        """The means in long form: model, the columns of `by`, metric, k, value, queries."""
        return self.answer.means

    def check_values(self) -> None:
        """Raise `DataError` if no query counts in any mean. Metrics of the whole run have no values of queries."""
        whole = {metric.name for metric in self.plan.metrics if metric.template.of_whole_run}
        counted = [row["queries"] for row in self.means if row["metric"] not in whole]
        if counted and not any(counted):
            raise DataError(
                "no metric has a value for any query",
                fix="Check the run and the qrels, and the policies that leave out queries or allow empty data",
            )

    @property
    def notes(self) -> list[str]:
        """The lines below the table: how many queries and rows count, and what the data suggest."""
        return [*notes(self.plan, self.counts, self.means), *(note.text for note in self.answer.notes)]

    @property
    def read_as(self) -> list[str]:
        """How run and qrels were read, in a line a side."""
        return read_as.lines(self.plan.inputs.read_as)

    @property
    def shown(self) -> report.Table:
        """The means with models side by side, for reports."""
        return replace(self.table_of(self.means, self.plan.inputs.by), read_as=self.read_as)

    def table_of(self, rows: list[dict[str, Any]], by: list[str]) -> report.Table:
        """Return some of the means as a table for readers, with these columns of slices."""
        return report.means_table(rows, by, list(self.counts), self.notes)

    @property
    def sql(self) -> str:
        """The statement of the means, as the files in `sql/` define them."""
        dialect = self.session.dialect
        return readable(for_readers(self.plan, dialect), dialect)

    def means_relation(self) -> duckdb.DuckDBPyRelation:
        """Return the means as a relation."""
        self._check_open()
        inputs, values = self.plan.inputs, self.answer.values
        models = "VARCHAR" if inputs.models is not None else None if values is None else values.types.get("model")
        if models is None or inputs.by or not isinstance(self.session, DuckDB):  # Python does not hold every type
            return self.session.values(self._in_given_order(self.statement.of("means")))
        self.session.check_fetched()
        types = {"model": models, **_TYPES_OF_MEANS}
        return self.session.relation_of({name: [row[name] for row in self.means] for name in types}, types)

    def per_query_relation(self) -> duckdb.DuckDBPyRelation:
        """Return the values of queries as a relation."""
        self._check_open()
        session, values = self.session, self.answer.values
        if isinstance(session, DuckDB):
            session.check_fetched()
        if values is None or not isinstance(session, DuckDB):
            return session.relation(self.per_query)
        statement = Statement(self.plan, {"per_query": of_lists(values.types).subquery("per_query")})
        in_order = self._in_given_order(statement.of_per_query(metric_names=True))
        return session.relation_of(values.columns, values.types, executable(in_order, copy=False))

    def _in_given_order(self, statement: exp.Select) -> exp.Select:
        """Return a statement that sorts its rows by model first, with the models in the order in which they were given.

        Models in a column are sorted by name.
        """
        order, models = statement.args.get("order"), self.plan.inputs.models or []
        if order is None or len(models) < 2:
            return statement
        first = order.expressions[0]
        places = exp.Case()
        for place, model in enumerate(models):
            places = places.when(exp.EQ(this=first.this.copy(), expression=trees.literal(model)), trees.literal(place))
        first.set("this", places)
        return statement

    def _check_open(self) -> None:
        if self.is_closed:
            raise ArgumentError("the result was closed, and its relations are gone: read them before close()")

    @property
    def statement(self) -> Statement:
        """Composes statements over the stored values of queries or, if none are stored, over the inputs."""
        self._check_open()
        values = self.answer.values
        if self.stored is None and values is not None:
            assert isinstance(self.session, DuckDB)
            self.session.check_fetched()
            self.stored = self.session.keep_values(values.columns, values.types)
            self.finalizer = self._keep_stored()
        return Statement(self.plan, {} if self.stored is None else {"per_query": self.stored})

    @property
    def per_query(self) -> exp.Select:
        """The statement that reads the values of queries, with the names of metrics as columns."""
        return self._in_given_order(self.statement.of_per_query(metric_names=True))

    def metric(self, name: str) -> Metric:
        """Return the metric that a name means, in any spelling; raises `UnknownNameError`."""
        metric = metrics.find(name, self.plan.metrics) if isinstance(name, str) else None
        if metric is None:
            names = list(map(str, self.plan.metrics))
            raise UnknownNameError(
                f"{quote(name)} was not asked for", fix=f"{nearest(str(name), names)} This result has {commas(names)}"
            )
        return metric

    def model(self, model: object, argument: str = "model") -> object:
        """Return a model by its name, or the only model for None; raises an error that names the argument."""
        return choose_model(model, list(self.counts), argument)

    @contextmanager
    def explaining_lost_values(self) -> Iterator[None]:
        """Say what to do if a statement fails because the values of queries are gone."""
        try:
            yield
        except EngineError as error:
            if self.stored is None and self.answer.values is None:
                raise
            if isinstance(error.__cause__, (duckdb.IOException, duckdb.OutOfMemoryException)):
                raise  # the values are there, but the disk or memory is full
            raise EngineError(
                (
                    "the values of queries cannot be read: a rollback removed their table, the connection is closed, "
                    "or rows of its last statement are not fetched"
                ),
                fix=f"Evaluate again to read them. The means are still in value() and to_dicts() ({error})",
            ) from error

    def rows_per_query(self) -> list[dict[str, Any]]:
        """Return the values of queries as a list of dicts, without those of item slices."""
        self.session.check_fetched()
        with self.explaining_lost_values():
            rows = self.session.dicts(self.per_query)
        of_items = self.plan.inputs.by if self.plan.inputs.of_items else []
        return [row for row in rows if all(row[name] is None for name in of_items)]

    def write_per_query(self, path: str, file_format: str) -> None:
        """Write the values of queries to a file, as parquet, csv or json."""
        self.session.check_fetched()
        with self.explaining_lost_values():
            self.session.write(self.per_query, path, file_format)

    def close(self) -> None:
        """Drop the table with the values of queries."""
        if self.is_closed:
            return
        self.is_closed = True
        if self.finalizer is not None:
            self.finalizer.detach()
        if self.stored is not None:
            self.session.drop(self.stored)

    def _keep_stored(self) -> finalize[..., Any] | None:
        return None if self.stored is None else self.session.keep(self.stored, self)
