"""The result of `evaluate`: relations to query, and values to read."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from recall_duckdb import report
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.dialects import add_head, render
from recall_duckdb.engines import DuckDB, reading
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    EngineError,
    MissingPackageError,
    UnknownNameError,
    commas,
    nearest,
)
from recall_duckdb.question import metrics
from recall_duckdb.stages import stage

if TYPE_CHECKING:
    import duckdb
    import pandas
    import polars
    import pyarrow
    from sqlglot import exp

    from recall_duckdb.engines import Session


@dataclass(frozen=True)
class Counts:
    """The number of queries and rows behind the means of a model.

    Attributes:
        judged: queries of the qrels. The means are over these, unless a policy leaves some out.
        retrieved: queries of the run.
        both: judged queries that the run has.
        without_relevant: judged queries without relevant items.
        run_rows_dropped: rows of the run that `nulls`, `duplicates`, `unjudged`, `exclude` or `items` removed.
        qrels_rows_dropped: rows of the qrels that these removed.

    Example:
        >>> Counts(judged=3, retrieved=2, both=2, without_relevant=1).missing
        1
    """

    judged: int
    retrieved: int
    both: int
    without_relevant: int
    run_rows_dropped: int = 0
    qrels_rows_dropped: int = 0

    @property
    def missing(self) -> int:
        """The number of judged queries that the run lacks."""
        return self.judged - self.both

    @property
    def unjudged(self) -> int:
        """The number of queries of the run that the qrels lack; they are ignored."""
        return self.retrieved - self.both


@dataclass(frozen=True)
class Values:
    """The values of queries in memory: the columns of the relation `per_query`, and their types."""

    columns: Mapping[str, list[Any]]
    types: Mapping[str, str]


class Result:
    """The result of `evaluate`.

    It holds the means in memory. The values of queries are in a temporary table of the connection; those of a small
    question are in memory, and become a table when a relation is read. `close()`, or the end of `with`, drops the
    table. Otherwise the next evaluation on the connection drops the tables of collected results, unless `per_query` was
    read, because other relations may read the table: use `with` in a loop that reads `per_query`. Over a DB-API
    connection nothing is stored; the values of queries are computed when they are read. With DuckDB 1, `close()`
    discards unfetched rows of `connection.execute(...)`.
    """

    def __init__(
        self,
        plan: Plan,
        session: Session,
        per_query: exp.Table | None,
        counts: dict[Any, Counts],
        means: list[dict[str, Any]],
        values: Values | None = None,
    ) -> None:
        self._plan, self._session, self._stored, self._rows = plan, session, per_query, means
        self._values = values
        self._is_closed = False
        self._finalizer = None if per_query is None else session.keep(per_query, self)
        self.counts: dict[Any, Counts] = counts
        """Counts of queries and dropped rows by model, as `Counts`."""

    @property
    def _statement(self) -> Statement:
        """Compose statements over the stored values per query or, if none are stored, over the inputs."""
        if self._is_closed:
            raise ArgumentError("the result was closed, and its relations are gone: read them before close()")
        if self._stored is None and self._values is not None:
            assert isinstance(self._session, DuckDB)
            self._session.check_fetched()
            self._stored = self._session.keep_values(self._values.columns, self._values.types)
            self._finalizer = self._session.keep(self._stored, self)
        return Statement(self._plan, {} if self._stored is None else {"per_query": self._stored})

    @contextmanager
    def _explaining_lost_values(self) -> Iterator[None]:
        try:
            yield
        except EngineError as error:
            if self._stored is None and self._values is None:
                raise
            raise EngineError(
                "the values of queries cannot be read: a rollback removed their table, the connection is closed, or "
                "rows of its last statement are not fetched. Evaluate again to read them. The means are still in "
                f"value() and to_dicts() ({error})"
            ) from error

    @cached_property
    def means(self) -> duckdb.DuckDBPyRelation:
        """A relation of the means, with model, the columns of `by`, metric, k (NULL: the whole list), value, queries.

        The columns of `by` are NULL in the rows over all queries. `queries` is the number of queries in the mean.
        """
        with self._explaining_lost_values():
            return self._session.values(self._statement.of("means"))

    @cached_property
    def per_query(self) -> duckdb.DuckDBPyRelation:
        """A relation of the values of queries: model, the query columns, the columns of `by`, a column per metric."""
        with self._explaining_lost_values():
            relation = self._session.relation(self._per_query)
        if self._finalizer is not None:
            self._finalizer.detach()
        return relation

    @property
    def _per_query(self) -> exp.Select:
        return self._statement.of_per_query(metric_names=True)

    @cached_property
    def sql(self) -> str:
        """The statement of the means, as the files in `sql/` define them.

        `evaluate` ran it in two parts, because it stores the relation `per_query`. On DuckDB it may have used fast
        plans for some relations, which give the same bits (`sql/README.md`).
        """
        statement, dialect = Statement(self._plan).of("means"), self._session.dialect
        add_head(statement, self._plan.head(), dialect)
        return render(statement, dialect, pretty=True, copy=False)

    def value(self, metric: str, *, model: object = None, by: Mapping[str, object] | None = None) -> float | None:
        """Return the mean of one metric, such as "recall@10"; None if no query counts.

        Args:
            metric: the name and cutoff, in any spelling.
            model: the model, if there are several.
            by: the slice as {column: value}, for a mean within it.

        Raises:
            UnknownNameError: the metric, model or slice is not in this result.
            ArgumentError: the result has several models, and `model` names none.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0], "relevance": [0, 1]}
            >>> evaluate(run, metrics="recall@1,2").value("recall@2")
            1.0
        """
        found = metrics.find(metric, self._plan.metrics) if isinstance(metric, str) else None
        if found is None:
            asked = list(map(str, self._plan.metrics))
            raise UnknownNameError(
                f"{metric!r} was not asked for.{nearest(str(metric), asked)} This result has {commas(asked)}"
            )
        wanted: dict[str, object] = {"metric": found.name, "k": found.k, "model": self._model(model)}
        wanted |= dict.fromkeys(self._plan.inputs.by)
        if by is not None and not isinstance(by, Mapping):
            raise ArgumentTypeError(
                f"by: a dict of column and value is expected, as in {{'country': 'NL'}}, not {by!r}"
            )
        for name, value in (by or {}).items():
            if name not in self._plan.inputs.by:
                held = f"by {commas(self._plan.inputs.by)}" if self._plan.inputs.by else "none: pass by= to evaluate"
                raise UnknownNameError(f"by: this result has no slices by {name!r}; it has {held}")
            wanted[name] = value
        for row in self._rows:
            if all(row[name] == value for name, value in wanted.items()):
                return None if row["value"] is None else float(row["value"])
        slices = {tuple(row[name] for name in by or {}): None for row in self._rows}
        shown = commas(value[0] if len(value) == 1 else value for value in slices if None not in value)
        raise UnknownNameError(f"by: there is no slice {dict(by or {})!r}. There are {shown}")

    def _model(self, model: object) -> object:
        models = list(self.counts)
        if model is None and len(models) == 1:
            return models[0]
        if model is None:
            raise ArgumentError(f"model: the result has several models. Name one of {', '.join(map(repr, models))}")
        if model not in models:
            raise UnknownNameError(f"there is no model {model!r}. Models: {', '.join(map(repr, models))}")
        return model

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the means as a list of dicts, a row each."""
        return [dict(row) for row in self._rows]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the means as a pandas data frame (needs pandas)."""
        _need("pandas", "pandas")
        with reading("read the means"):
            return cast("pandas.DataFrame", self.means.df())

    def to_polars(self) -> polars.DataFrame:
        """Return the means as a polars data frame (needs polars and pyarrow)."""
        _need("polars", "polars", "pyarrow")
        with reading("read the means"):
            return cast("polars.DataFrame", self.means.pl())

    def to_arrow(self) -> pyarrow.Table:
        """Return the means as a pyarrow table (needs pyarrow)."""
        _need("arrow", "pyarrow")
        with reading("read the means"):
            return self.means.to_arrow_table()

    def to_trec(self, *, each_query: bool = False) -> str:
        """Return the lines that trec_eval prints: measure, query or "all", and value, separated by tabs.

        Values have four decimals, counts none. Each model is a run, and its name comes first.

        Args:
            each_query: also return the values of each query, before the means, as `trec_eval -q` does.

        Raises:
            DataError: with `each_query`, a query contains whitespace or a control character.
        """
        per_query = []
        if each_query:
            self._session.check_fetched()
            with self._explaining_lost_values():
                per_query = self._session.dicts(self._per_query)
        return report.trec(self._plan.metrics, self._rows, per_query, self._plan.inputs.query)

    def close(self) -> None:
        """Drop the temporary table and the relations `means` and `per_query`; `value` and `to_dicts` still work."""
        if self._is_closed:
            return
        self._is_closed = True
        for name in ("means", "per_query"):
            self.__dict__.pop(name, None)
        if self._finalizer is not None:
            self._finalizer.detach()
        if self._stored is not None:
            self._session.drop(self._stored)

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def write_per_query(self, path: str, file_format: str) -> None:
        """Write the values of queries to a file, as parquet, csv or json."""
        stage("writing values per query")
        self._session.check_fetched()
        with self._explaining_lost_values():
            self._session.write(self._per_query, path, file_format)

    def comparison(self) -> report.Comparison:
        """Return the means with models side by side, for reports."""
        return report.Comparison(
            rows=self._rows,
            by=self._plan.inputs.by,
            models=list(self.counts),
            notes=[note for model in self.counts for note in self._notes(model)],
        )

    def _notes(self, model: object) -> list[str]:
        policies, counts = self._plan.policies, self.counts[model]
        counted = {"zero": "counted as 0", "skip": "left out", "error": ""}
        kind = "judged, " if self._plan.has_qrels else "in the runs, "
        parts = [f"{_queries(counts.judged)} {kind}{counts.both:,} retrieved"]
        if counts.missing:
            parts.append(f"{counts.missing:,} missing from the run, {counted[policies.missing]}")
        if counts.without_relevant:
            parts.append(f"{counts.without_relevant:,} without relevant items, {counted[policies.no_relevant]}")
        if counts.unjudged:
            parts.append(f"{counts.unjudged:,} retrieved but not judged, ignored")
        for side, dropped in (("run", counts.run_rows_dropped), ("qrels", counts.qrels_rows_dropped)):
            if dropped or (side == "run" and self._plan.resolved("candidates") != "run"):
                parts.append(f"{dropped:,} {'row' if dropped == 1 else 'rows'} of the {side} left out")
        if policies.min_score is not None:
            parts.append(f"scores below {policies.min_score:g} not recommended")
        if self._plan.has("weights"):
            parts.append("queries weighted")
        parts += self._means_of(model, counts.judged)
        return [f"{model}: {'; '.join(parts)}"]

    def _means_of(self, model: object, judged: int) -> list[str]:
        """Return the number of queries of each mean that does not cover all judged queries."""
        rows = [
            row for row in self._rows if row["model"] == model and not any(row[name] for name in self._plan.inputs.by)
        ]
        whole = {metric.name for metric in self._plan.metrics if metric.template.of_whole_run}
        numbers: dict[int, list[str]] = {}
        for row in rows:
            if row["metric"] not in whole and row["queries"] != judged:
                name = row["metric"] if row["k"] is None else f"{row['metric']}@{row['k']}"
                numbers.setdefault(row["queries"], []).append(name)
        every = len([row for row in rows if row["metric"] not in whole])
        return [
            f"{'means' if len(names) == every else ', '.join(names)} of {_queries(queries)}"
            for queries, names in numbers.items()
        ]

    def __repr__(self) -> str:
        return report.text(self.comparison())

    def _repr_html_(self) -> str:
        return report.html(self.comparison())


def _queries(count: int) -> str:
    return f"{count:,} {'query' if count == 1 else 'queries'}"


def _need(extra: str, *packages: str) -> None:
    """Raise `MissingPackageError` if an optional package is not installed."""
    for package in packages:
        if sys.modules.get(package, True) is None or find_spec(package) is None:
            raise MissingPackageError(f"this needs {package}: pip install 'recall-duckdb[{extra}]'")
