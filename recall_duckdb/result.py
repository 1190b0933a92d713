"""The result of `evaluate`: relations to query, and values to read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import duckdb

from recall_duckdb import report
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.counts import Counts, notes
from recall_duckdb.dialects import add_head, render
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    EngineError,
    UnknownNameError,
    check_flag,
    commas,
    nearest,
    shown,
)
from recall_duckdb.frames import Frames
from recall_duckdb.question import metrics
from recall_duckdb.reporting.methods import Reporting

if TYPE_CHECKING:
    from sqlglot import exp

    from recall_duckdb.comparison.comparison import Comparison, Inputs, Intervals
    from recall_duckdb.comparison.settings import Correction, Interval, Test
    from recall_duckdb.engines import Session
    from recall_duckdb.fast.answers import Values
    from recall_duckdb.noting import Note
    from recall_duckdb.question import EvaluateQuestion


class Result(Reporting, Frames):
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
        question: EvaluateQuestion | None = None,
        data_notes: Sequence[Note] = (),
    ) -> None:
        self._question = question
        self._plan, self._session, self._stored, self._rows = plan, session, per_query, means
        self._values = values
        self.is_closed = False
        """True after `close()`."""
        self._finalizer = None if per_query is None else session.keep(per_query, self)
        self.counts: dict[Any, Counts] = counts
        """Counts of queries and dropped rows by model, as `Counts`."""
        self.data_notes = list(data_notes)
        """What the data suggest, as `Note`: for example that run and qrels may not fit together."""

    @property
    def _statement(self) -> Statement:
        """Compose statements over the stored values per query or, if none are stored, over the inputs."""
        if self.is_closed:
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
            if isinstance(error.__cause__, (duckdb.IOException, duckdb.OutOfMemoryException)):
                raise  # the values are there, but the disk or memory is full
            raise EngineError(
                "the values of queries cannot be read: a rollback removed their table, the connection is closed, or "
                "rows of its last statement are not fetched. Evaluate again to read them. The means are still in "
                f"value() and to_dicts() ({error})"
            ) from error

    @cached_property
    def means(self) -> duckdb.DuckDBPyRelation:
        """A relation of the means, with model, the columns of `by`, metric, k (NULL: the whole list), value, queries.

        The slice columns are NULL in the rows over all queries. `queries` is the number of queries in the mean.
        """
        with self._explaining_lost_values():
            return self._session.values(self._statement.of("means"))

    @property
    def _relation(self) -> duckdb.DuckDBPyRelation:
        return self.means

    @cached_property
    def per_query(self) -> duckdb.DuckDBPyRelation:
        """A relation of the values of queries: model, the query columns, the slice columns, a column per metric."""
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
        found = self.metric(metric)
        wanted: dict[str, object] = {"metric": found.name, "k": found.k, "model": self._model(model)}
        wanted |= dict.fromkeys(self._plan.inputs.by)
        if by is not None and not isinstance(by, Mapping):
            raise ArgumentTypeError(
                f"by: a dict of column and value is expected, as in {{'country': 'NL'}}, not {shown(by)}"
            )
        for name, value in (by or {}).items():
            if name not in self._plan.inputs.by:
                held = f"by {commas(self._plan.inputs.by)}" if self._plan.inputs.by else "none: pass by= to evaluate"
                raise UnknownNameError(f"by: this result has no slices by {shown(name)}; it has {held}")
            wanted[name] = value
        for row in self._rows:
            if all(row[name] == value for name, value in wanted.items()):
                return None if row["value"] is None else float(row["value"])
        slices = dict.fromkeys(tuple(row[name] for name in by or {}) for row in self._rows)
        known = commas(value[0] if len(value) == 1 else value for value in slices if None not in value)
        raise UnknownNameError(f"by: there is no slice {dict(by or {})!r}. There are {known}")

    def metric(self, name: str) -> metrics.Metric:
        """Return the metric of this result that a name means, in any spelling; raises `UnknownNameError`."""
        found = metrics.find(name, self._plan.metrics) if isinstance(name, str) else None
        if found is None:
            asked = list(map(str, self._plan.metrics))
            raise UnknownNameError(
                f"{shown(name)} was not asked for.{nearest(str(name), asked)} This result has {commas(asked)}"
            )
        return found

    def _model(self, model: object, argument: str = "model") -> object:
        models = list(self.counts)
        if model is None and len(models) == 1:
            return models[0]
        if model is None:
            raise ArgumentError(f"{argument}: the result has several models. Name one of {commas(models)}")
        if model not in models:
            raise UnknownNameError(f"{argument}: there is no model {shown(model)}. Models: {commas(models)}")
        return model

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the means as a list of dicts, a row each."""
        return [dict(row) for row in self._rows]

    def compare(
        self,
        baseline: object,
        *,
        test: Test = "t",
        interval: Interval = "t",
        correction: Correction = "holm",
        confidence: float = 0.95,
        tie_within: float = 0.0,
        samples: int | None = None,
        seed: int = 0,
    ) -> Comparison:
        """Compare every other model with a baseline, query by query.

        Args:
            baseline: the model that the others are compared with.
            test: "t" (Student's paired t-test), "randomization" (random signs of the differences) or "sign".
            interval: "t" (Student's interval of the mean difference) or "bootstrap" (percentiles of means of queries
                drawn at random).
            correction: how p-values are adjusted for the number of models: "holm", "bonferroni", "bh"
                (Benjamini-Hochberg) or "none".
            confidence: the share of intervals that hold the true mean difference.
            tie_within: the largest difference that counts as a tie.
            samples: how many random samples: by default 10,000 for the randomization test, 2,000 for the bootstrap.
            seed: which random numbers to use; the same seed gives the same result.

        Returns:
            A `Comparison`: `.rows` (model, the columns of `by`, metric, k, queries, unpaired, baseline, value, delta,
            sd, low, high, wins, ties, losses, t, p, p_adjusted, effect), `.to_pandas()`, `.to_dicts()`,
            `.per_query("recall@10")`.

        Raises:
            UnknownNameError: there is no such model, test, interval or correction.
            ArgumentError: the result has one model, is weighted, or a number is out of range.
            EngineError: the values of queries are gone.

        The definitions are in `sql/6_comparison`.

        Example:
            >>> from recall_duckdb import evaluate
            >>> qrels = {"query": [1, 2, 3], "item": ["a", "b", "c"], "relevance": [1, 1, 1]}
            >>> run = {"query": [1, 2, 3], "item": ["a", "b", "x"], "old": [1.0, 1.0, 1.0], "new": [2.0, 2.0, 2.0]}
            >>> result = evaluate(run, qrels, "recall@1", score=["old", "new"])
            >>> result.compare(baseline="old").value("recall@1")
            0.0
        """
        from recall_duckdb.comparison.comparison import compared
        from recall_duckdb.comparison.settings import Settings

        base = self._model(baseline, "baseline")
        settings = Settings(base, test, interval, correction, confidence, tie_within, samples, seed)
        if len(self.counts) < 2:
            raise ArgumentError(
                "baseline: the result has one model, so there is nothing to compare. Evaluate several runs at once, "
                "or call recall_duckdb.compare with files of values"
            )
        with self._explaining_lost_values():
            return compared(self.comparable(), settings)

    def intervals(
        self, *, interval: Interval = "t", confidence: float = 0.95, samples: int | None = None, seed: int = 0
    ) -> Intervals:
        """Return the interval, standard error and quantiles of every mean.

        Args:
            interval: "t" (Student's interval) or "bootstrap".
            confidence: the share of intervals that hold the true mean.
            samples: how many random samples the bootstrap takes; 2,000 by default.
            seed: which random numbers it uses.

        Returns:
            `Intervals`: `.rows` (model, the columns of `by`, metric, k, queries, value, sd, standard_error, low, high,
            q10, q25, median, q75, q90), `.to_pandas()`, `.to_dicts()`.

        Raises:
            UnknownNameError: there is no such interval.
            ArgumentError: the result is weighted, or a number is out of range.
            EngineError: the values of queries are gone.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 2], "item": ["a", "b"], "score": [1.0, 1.0], "relevance": [1, 0]}
            >>> found = evaluate(run, metrics="recall@1").intervals().to_dicts()[0]
            >>> found["value"], found["sd"].__round__(4), found["median"]
            (0.5, 0.7071, 0.5)
        """
        from recall_duckdb.comparison import comparison
        from recall_duckdb.comparison.settings import Settings

        settings = Settings(interval=interval, confidence=confidence, samples=samples, seed=seed)
        with self._explaining_lost_values():
            return comparison.intervals(self.comparable(), settings)

    def explain(
        self, query: object, *, baseline: object = None, model: object = None, k: int | None = None
    ) -> duckdb.DuckDBPyRelation:
        """Show the list of one query item by item, next to the list of a baseline. Run and qrels are read again.

        Args:
            query: the query; a tuple if several columns identify it.
            baseline: the model to compare with; None for one list alone.
            model: the model, if there are several others.
            k: how many items of a list count; by default the largest cutoff of the metrics.

        Returns:
            A DuckDB relation of the items in the first k of a list and of all judged items: item, relevance,
            baseline_rank, rank (NULL if the list lacks it), and change: entered, left, up, down, same, or NULL. If the
            item column has one of these names, ours gets _1, as in rank_1.

        Raises:
            UnknownNameError: there is no such query or model.
            ArgumentError: there are several models, and `model` names none; k is no whole number above 0.

        Example:
            >>> from recall_duckdb import evaluate
            >>> qrels = {"query": [1, 1], "item": ["a", "b"], "relevance": [1, 1]}
            >>> run = {"query": [1, 1], "item": ["a", "x"], "old": [2.0, 1.0], "new": [1.0, 2.0]}
            >>> result = evaluate(run, qrels, "recall@1", score=["old", "new"])
            >>> result.explain(1, baseline="old", model="new").fetchall()
            [('x', None, 2, 1, 'entered'), ('a', 1.0, 1, 2, 'left'), ('b', 1.0, None, None, None)]
        """
        from recall_duckdb.evaluation import explained

        base = None if baseline is None else self._model(baseline, "baseline")
        others = [name for name in self.counts if name != base]
        chosen = others[0] if model is None and len(others) == 1 else self._model(model)
        assert self._question is not None
        return explained(self._question, query, base, chosen, k, self._plan.inputs.watched)

    def comparable(self) -> Inputs:
        """Return the values of queries, and the means of other metrics; raises `ArgumentError` with weights."""
        from recall_duckdb.comparison.comparison import Inputs, Reported
        from recall_duckdb.comparison.statement import QueryValues
        from recall_duckdb.definitions.reading import is_better_lower

        if self._plan.has("weights"):
            raise ArgumentError("weights: a weighted result cannot be compared. Evaluate without weights")
        self._session.check_fetched()
        statement, inputs = self._statement, self._plan.inputs
        relation = statement.of_table("per_query") if self._stored is None else self._stored
        metrics = {(metric.name, metric.k): metric for metric in self._plan.metrics}
        columns = {key: metric.column for key, metric in metrics.items() if metric.mean == "arithmetic"}
        reported = [
            Reported(row["model"], tuple(row[name] for name in inputs.by), (row["metric"], row["k"]), row["value"])
            for row in self._rows
            if (row["metric"], row["k"]) not in columns
        ]
        values = QueryValues(relation, inputs.query, inputs.by, columns, inputs.one_model, inputs.of_items)
        lower = frozenset(metric.name for metric in self._plan.metrics if is_better_lower(metric.template))
        return Inputs(self._session, values, reported, list(metrics), self._finalizer, self, lower)

    def to_trec(self, *, each_query: bool = False) -> str:
        """Return the lines that trec_eval prints: measure, query or "all", and value, separated by tabs.

        Values have four decimals, counts none. Each model is a run, and its name comes first.

        Args:
            each_query: also return the values of each query, before the means, as `trec_eval -q` does.

        Raises:
            ArgumentTypeError: `each_query` is neither True nor False.
            DataError: with `each_query`, a query contains whitespace or a control character.
        """
        check_flag("each_query", each_query)
        per_query = []
        if each_query:
            self._session.check_fetched()
            with self._explaining_lost_values():
                per_query = self._session.dicts(self._per_query)
            of_items = self._plan.inputs.by if self._plan.inputs.of_items else []
            per_query = [row for row in per_query if all(row[name] is None for name in of_items)]
        return report.trec(self._plan.metrics, self._rows, per_query, self._plan.inputs.query)

    def close(self) -> None:
        """Drop the temporary table and the relations `means` and `per_query`; `value` and `to_dicts` still work."""
        if self.is_closed:
            return
        self.is_closed = True
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

    @property
    def has_qrels(self) -> bool:
        """True if relevance comes from qrels, not from labels in the run."""
        return self._plan.has_qrels and "labelled" not in self._plan.inputs.selects

    @property
    def notes(self) -> list[str]:
        """The lines below the table: how many queries and rows count, and what the data suggest."""
        return [*notes(self._plan, self.counts, self._rows), *(note.text for note in self.data_notes)]

    @property
    def shown(self) -> report.Means:
        """Return the means with models side by side, for reports."""
        return report.Means(
            rows=self._rows,
            by=self._plan.inputs.by,
            models=list(self.counts),
            notes=self.notes,
        )

    def __repr__(self) -> str:
        return report.text(self.shown)

    def _repr_html_(self) -> str:
        return report.html(self.shown)
