"""The result of `evaluate`: relations to query, and values to read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import duckdb

from recall_duckdb.comparison.comparison import (
    Comparison,
    Intervals,
    Leaderboard,
    comparable,
    compare_result,
    intervals,
    leaderboard,
    own_name,
)
from recall_duckdb.comparison.settings import Correction, Interval, MeanInterval, Settings, Test
from recall_duckdb.counts import Counts
from recall_duckdb.errors import check_flag
from recall_duckdb.evaluation import explain_queries
from recall_duckdb.frames import Frames, find_row
from recall_duckdb.noting import Note
from recall_duckdb.question.metrics import Metric
from recall_duckdb.reading.sources import refuse_input
from recall_duckdb.report import Table, trec
from recall_duckdb.reporting.charts import plot_means
from recall_duckdb.reporting.history import append, target_of
from recall_duckdb.reporting.page import write_report
from recall_duckdb.result_data import ResultData
from recall_duckdb.texts import with_texts

if TYPE_CHECKING:
    from recall_duckdb.reporting.charts import Chart


class Result(Frames):
    """The result of `evaluate`.

    It holds the means in memory. The values of queries are in a temporary table of the connection; those of a small
    question are in memory, and become a table when models are compared. `close()`, or the end of `with`, drops the
    table. Otherwise the next evaluation on the connection drops the tables of collected results, unless `per_query` was
    read, because other relations may read the table: use `with` in a loop that reads `per_query`. Over a DB-API
    connection nothing is stored; the values of queries are computed when they are read. With DuckDB 1, `close()`
    discards unfetched rows of `connection.execute(...)`.

    A result can be copied and pickled, with its values of queries and the data that were given in memory, unless it is
    on the user's connection or of a DuckDB relation.
    """

    def __init__(self, data: ResultData) -> None:
        self.data = data
        """What was found, as `ResultData`; not part of the public interface."""

    @property
    def counts(self) -> dict[Any, Counts]:
        """Counts of queries and dropped rows by model, as `Counts`."""
        return self.data.counts

    @property
    def data_notes(self) -> list[Note]:
        """What the data suggest, as `Note`: for example that run and qrels may not fit together."""
        return list(self.data.answer.notes)

    @property
    def read_as(self) -> list[str]:
        r"""How run and qrels were read, in a line a side: source, rows, columns in their roles, and columns not used.

        Several runs that were read in the same way share a line. The number of rows is left out if it is not known
        without reading them, as for CSV files and views.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"user": [1, 1], "item": ["a", "b"], "vec_dist": [0.1, 0.9], "lang": ["en", "nl"]}
            >>> qrels = {"user": [1], "item": ["a"], "lang": ["en"]}
            >>> result = evaluate(run, qrels, "rr", query="user", score="vec_dist", order="ascending", relevance=None)
            >>> print(*result.read_as, sep="\n")
            run: dict, 2 rows; user, item, vec_dist (lowest first); not used: lang
            qrels: dict, 1 row; user, item, every row relevant; not used: lang
        """
        return self.data.read_as

    @property
    def is_closed(self) -> bool:
        """True after `close()`."""
        return self.data.is_closed

    @cached_property
    def means(self) -> duckdb.DuckDBPyRelation:
        """A relation of the means, with model, the columns of `by`, metric, k (NULL: the whole list), value, queries.

        The slice columns are NULL in the rows over all queries. `queries` is the number of queries in the mean.
        """
        with self.data.explaining_lost_values():
            return self.data.means_relation()

    @property
    def _relation(self) -> duckdb.DuckDBPyRelation:
        return self.means

    @cached_property
    def per_query(self) -> duckdb.DuckDBPyRelation:
        """A relation of the values of queries: model, the query columns, the slice columns, a column per metric."""
        data = self.data
        with data.explaining_lost_values():
            relation = data.per_query_relation()
        if data.finalizer is not None:
            data.finalizer.detach()
        return relation

    @cached_property
    def sql(self) -> str:
        """The statement of the means, as the files in `sql/` define them.

        `evaluate` ran it in two parts, because it stores the relation `per_query`. On DuckDB it may have used fast
        plans for some relations, which give the same bits (`sql/README.md`).
        """
        return self.data.sql

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
        chosen = self.data.metric(metric)
        key = {"model": self.data.model(model), "metric": chosen.name, "k": chosen.k}
        row = find_row(self.data.means, self.data.plan.inputs.by, by, **key)
        return None if row["value"] is None else float(row["value"])

    def metric(self, name: str) -> Metric:
        """Return the metric of this result that a name means, in any spelling; raises `UnknownNameError`."""
        return self.data.metric(name)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the means as a list of dicts, a row each."""
        return [dict(row) for row in self.data.means]

    def compare(
        self,
        baseline: object = None,
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
            baseline: the model that the others are compared with; by default the first.
            test: "t" (Student's paired t-test), "randomization" (random signs of the differences) or "sign".
            interval: "t" (Student's, of the mean difference) or "bootstrap" (from queries drawn at random).
            correction: how p-values are adjusted for the number of models: "holm", "bonferroni", "bh"
                (Benjamini-Hochberg) or "none".
            confidence: the share of intervals that hold the true mean difference.
            tie_within: the largest difference that counts as a tie.
            samples: how many random samples: by default 10,000 for the randomization test, 2,000 for the bootstrap.
            seed: which random numbers to use; the same seed gives the same result.

        Returns:
            A `Comparison`: `.rows` (model, the columns of `by`, metric, k, queries, unpaired, baseline, value, delta,
            sd, low, high, wins, ties, losses, t, p, p_adjusted, effect, relative, detectable, queries_needed),
            `.to_pandas()`, `.to_dicts()`, `.changes("recall@10")`.

        Raises:
            UnknownNameError: there is no such model, test, interval or correction.
            ArgumentError: the result has one model, is weighted, or a number is out of range.
            EngineError: the values of queries are gone.
            MissingPackageError: random samples need NumPy, which is not installed.

        The sums are in `sql/6_comparison`.

        Example:
            >>> from recall_duckdb import evaluate
            >>> qrels = {"query": [1, 2, 3], "item": ["a", "b", "c"], "relevance": [1, 1, 1]}
            >>> run = {"query": [1, 2, 3], "item": ["a", "b", "x"], "old": [1.0, 1.0, 1.0], "new": [2.0, 2.0, 2.0]}
            >>> result = evaluate(run, qrels, "recall@1", score=["old", "new"])
            >>> result.compare(baseline="old").value("recall@1")
            0.0
        """
        first = next(iter(self.counts)) if baseline is None else baseline
        settings = Settings(first, test, interval, correction, confidence, tie_within, samples, seed)
        return compare_result(self.data, settings)

    def leaderboard(
        self,
        *,
        test: Test = "t",
        correction: Correction = "holm",
        confidence: float = 0.95,
        tie_within: float = 0.0,
        samples: int | None = None,
        seed: int = 0,
    ) -> Leaderboard:
        """Order the models by the first metric, and say which do not differ significantly.

        Every two models are compared. Models that share a letter do not differ significantly; the best has an a.

        Args:
            test: as in `compare`.
            correction: how p-values are adjusted for the number of pairs on one metric; the values are as in `compare`.
            confidence: two models differ significantly if p is below 1 minus this.
            tie_within: as in `compare`.
            samples: as in `compare`.
            seed: as in `compare`.

        Returns:
            A `Leaderboard`: `.rows` (model, metric, k, queries, value, low, high, place, is_best, letters, rank_low,
            rank_high), `.pairs`, `.models`, `.to_markdown()`, `.to_latex()`, `.to_pandas()`.

        Raises:
            UnknownNameError: there is no such test or correction.
            ArgumentError: the result is weighted, or a number is out of range.
            EngineError: the values of queries are gone.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1, 2, 2], "item": ["a", "x", "b", "y"], "relevance": [1, 0, 1, 0]}
            >>> scores = {"old": [1.0, 2.0, 2.0, 1.0], "new": [2.0, 1.0, 2.0, 1.0]}
            >>> evaluate({**run, **scores}, metrics="rr", score=["old", "new"]).leaderboard().models
            ['new', 'old']
        """
        settings = Settings(None, test, "t", correction, confidence, tie_within, samples, seed)
        with self.data.explaining_lost_values():
            return leaderboard(comparable(self.data), settings)

    def intervals(
        self, *, interval: MeanInterval = "auto", confidence: float = 0.95, samples: int | None = None, seed: int = 0
    ) -> Intervals:
        """Return the interval, standard error and quantiles of every mean.

        Args:
            interval: "t" (Student's interval), "wilson" (for values from 0 to 1) or "bootstrap". By default "auto": the
                exact interval of Clopper and Pearson if the values are 0 or 1 for every query, and otherwise Student's,
                which ends at 0 and 1 for metrics that do.
            confidence: the share of intervals that hold the true mean.
            samples: how many random samples the bootstrap takes; 2,000 by default.
            seed: which random numbers it uses.

        Returns:
            `Intervals`: `.rows` (model, the columns of `by`, metric, k, queries, value, sd, standard_error, low, high,
            q10, q25, median, q75, q90, interval_method), `.to_pandas()`, `.to_dicts()`.

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
        settings = Settings(interval=interval, confidence=confidence, samples=samples, seed=seed)
        with self.data.explaining_lost_values():
            return intervals(comparable(self.data, "a weighted mean has no interval"), settings)

    def explain(
        self,
        query: object,
        *,
        baseline: object = None,
        model: object = None,
        k: int | None = None,
        texts: object = None,
    ) -> duckdb.DuckDBPyRelation:
        """Show the list of one query item by item, next to the list of a baseline. Run and qrels are read again.

        Args:
            query: the query; a tuple if several columns identify it.
            baseline: the model to compare with; None for one list alone.
            model: the model, if there are several others.
            k: how many items of a list count; by default the largest cutoff of the metrics.
            texts: the texts of queries, of items, or a list of both: sources with the column of the query or of the
                item, and the column text, or else title, or else only one of text; or {"item": {id: text}}.

        Returns:
            A DuckDB relation of the items in the first k of a list and of all judged items, the relevant ones first:
            item, relevance, baseline_rank, rank (NULL if the list lacks it), change (entered, left, up, down, same, or
            NULL) and is_relevant. If the item column has one of these names, ours gets _1, as in rank_1. With `texts`,
            query_text comes before the item and text after it, for what it holds; they are NULL for an id without a
            text.

        Raises:
            UnknownNameError: there is no such query or model.
            ArgumentError: there are several models, and `model` names none; k is no whole number above 0; a source of
                texts is not clear.
            ArgumentTypeError: ids of texts have another type than in the run.
            DataError: an id has two texts.

        Example:
            >>> from recall_duckdb import evaluate
            >>> qrels = {"query": [1, 1], "item": ["a", "b"], "relevance": [1, 1]}
            >>> run = {"query": [1, 1], "item": ["a", "x"], "old": [2.0, 1.0], "new": [1.0, 2.0]}
            >>> result = evaluate(run, qrels, "recall@1", score=["old", "new"])
            >>> result.explain(1, baseline="old", model="new").fetchall()
            [('a', 1.0, 1, 2, 'left', True), ('b', 1.0, None, None, None, True), ('x', None, 2, 1, 'entered', False)]
            >>> titles = {"item": {"a": "Apples", "x": "Quinces"}}
            >>> result.explain(1, model="new", texts=titles).select("item", "text").fetchall()
            [('a', 'Apples'), ('b', None), ('x', 'Quinces')]
        """
        data = self.data
        base = None if baseline is None else data.model(baseline, "baseline")
        others = [name for name in self.counts if name != base]
        chosen = others[0] if model is None and len(others) == 1 else data.model(model)
        files, has_texts = data.plan.inputs.watched, texts is not None
        items = explain_queries(data.question, [query], base, chosen, k, files, query_columns=has_texts)
        return with_texts(items, data.question, texts, shows_query=False) if has_texts else items

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        baseline: object = None,
        history: str | os.PathLike[str] | None = None,
        queries: int = 10,
        check: bool | None = None,
        texts: object = None,
        test: Test = "t",
        interval: Interval = "t",
        correction: Correction = "holm",
        confidence: float = 0.95,
        tie_within: float = 0.0,
        samples: int | None = None,
        seed: int = 0,
    ) -> list[str]:
        """Write a report as one HTML file that needs no network: decision, tables, charts, worst and best queries.

        Charts need the extra `report`; without it, the report has only text and tables. Run and qrels are read again
        for the items of the queries that are shown.

        Args:
            path: the file to write, which must end in .html or .htm. It is replaced only if the report is complete.
            baseline: the model that the others are compared with; None for a report without a comparison.
            history: a folder that `append` wrote, to draw the trend of the means up to this result.
            queries: how many of the worst and of the best queries of a model to show, at most 100.
            check: True to run the data checks, False to skip them; by default they run on up to 500,000 rows.
            texts: the texts of queries and items, as in `explain`, to show with their ids.
            test: as in `compare`.
            interval: as in `compare`.
            correction: as in `compare`.
            confidence: as in `compare`.
            tie_within: as in `compare`.
            samples: as in `compare`.
            seed: as in `compare`.

        Returns:
            The decision: which model to ship and why, or a sentence for each model if nothing can be compared; then
            how much is judged if that differs or is little.

        Raises:
            ArgumentError: the file cannot be written, is an input, or an argument is out of range.
            ArgumentTypeError: an argument has the wrong type.
            UnknownNameError: there is no such model, test, interval, correction or history.
            DataError: the history is another kind of file, or a file of the run or qrels has changed.
            EngineError: the values of queries are gone.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> from recall_duckdb import evaluate
            >>> qrels = {"query": [1, 2, 3], "item": ["a", "b", "c"], "relevance": [1, 1, 1]}
            >>> run = {"query": [1, 2, 3], "item": ["a", "b", "x"], "score": [1.0, 1.0, 1.0]}
            >>> with TemporaryDirectory() as folder:
            ...     evaluate(run, qrels, "recall@1").report(f"{folder}/report.html")
            ['run has a mean of 0.6667 for recall@1 over 3 queries. 95% interval [0.0943, 0.9916].']
        """
        settings = Settings(baseline, test, interval, correction, confidence, tie_within, samples, seed)
        return write_report(self.data, path, settings, history=history, queries=queries, check=check, texts=texts)

    def plot(self, metric: str | None = None, *, baseline: object = None) -> Chart:
        """Draw metrics against their cutoffs for every model, or their means as dots, with the intervals of the means.

        Needs the extra `report`. Of more than four models, one has a band. `Comparison.plot` draws differences.

        Args:
            metric: the name of one metric: "recall" for a line over its cutoffs, "recall@10" for dots. By default each
                that was asked for at several cutoffs is a line, and if there is none, each metric has dots.
            baseline: the model to draw in grey.

        Returns:
            A chart of Altair, which notebooks show; several are next to each other, as `altair.HConcatChart`.

        Raises:
            MissingPackageError: Altair is not installed.
            ArgumentError: there is no such metric.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1, 2], "item": ["a", "b", "c"], "score": [2.0, 1.0, 1.0], "relevance": [0, 1, 1]}
            >>> type(evaluate(run, metrics="recall@1,2").plot())
            <class 'altair.vegalite.v6.api.LayerChart'>
        """
        rows = [{"low": None, "high": None, **row} for row in self.to_dicts()]
        if not self.data.plan.has("weights"):  # weighted means have no intervals
            rows = self.intervals().to_dicts()
        name = own_name(metric) if isinstance(metric, str) else metric
        base = None if baseline is None else self.data.model(baseline, "baseline")
        return plot_means(rows, self.data.plan.inputs.by, list(self.counts), name, base)

    def append(self, history: str | os.PathLike[str], *, run_id: str | None = None) -> str:
        """Add the means to a history: a folder with a parquet file for each run, which has a row for each mean.

        The folder is created if there is none. The file is written whole or not at all.

        Args:
            history: the folder.
            run_id: the name of this run, such as a build number; by default a random one.

        Returns:
            The id of the run.

        Raises:
            ArgumentError: the folder cannot be written, is an input, or already contains a mean of this run.
            ArgumentTypeError: an argument is not a path or not a string.
            DataError: no query has a value, or a parquet file in the folder is not of a history.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0], "relevance": [0, 1]}
            >>> with TemporaryDirectory() as folder:
            ...     evaluate(run, metrics="rr").append(f"{folder}/history", run_id="build-17")
            'build-17'
        """
        data = self.data
        data.check_values()
        refuse_input("history", *target_of(history), data.question.sources())
        run = append(history, data.means, data.plan.inputs.by, data.plan.policies.settings(), run_id)
        data.appended |= {os.path.realpath(history)}
        return run

    def to_markdown(self) -> str:
        """Return the means in Markdown, with a column for each model."""
        return self.shown.markdown()

    def to_latex(self) -> str:
        r"""Return the means in LaTeX, with a column for each model; its rules need `\usepackage{booktabs}`."""
        return self.shown.latex()

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
        per_query = self.data.rows_per_query() if each_query else []
        return trec(self.data.plan.metrics, self.data.means, per_query, self.data.plan.inputs.query)

    def write_per_query(self, path: str, file_format: str) -> None:
        """Write the values of queries to a file, as parquet, csv or json."""
        self.data.write_per_query(path, file_format)

    def __getstate__(self) -> dict[str, Any]:
        """Return the result without its relations, to copy or to pickle; raises `ArgumentTypeError` on a connection."""
        return {"data": self.data}

    def close(self) -> None:
        """Drop the temporary table and the relations `means` and `per_query`; `value` and `to_dicts` still work."""
        for name in ("means", "per_query"):
            self.__dict__.pop(name, None)
        self.data.close()

    def __enter__(self) -> Result:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def notes(self) -> list[str]:
        """The lines below the table: how many queries and rows count, and what the data suggest."""
        return self.data.notes

    @property
    def shown(self) -> Table:
        """Return the means with models side by side, for reports."""
        return self.data.shown
