"""The methods of a result that write a report, draw charts and keep a history."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from recall_duckdb import output
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.errors import ArgumentError, MissingPackageError, check_flag
from recall_duckdb.frames import need
from recall_duckdb.inputs.files import check_unchanged, unchanged
from recall_duckdb.inputs.sources import refuse_input
from recall_duckdb.stages import stage

if TYPE_CHECKING:
    from recall_duckdb.comparison.settings import Correction, Interval, Test
    from recall_duckdb.compose import Plan
    from recall_duckdb.question import EvaluateQuestion
    from recall_duckdb.reporting.charts import Chart
    from recall_duckdb.result import Result

NO_CHARTS = (
    "the report has no charts, because they need altair and vl-convert-python: pip install 'recall-duckdb[report]'"
)
_MOST_QUERIES = 100


class Reporting:
    """The part of a `Result` that writes files and draws charts."""

    _plan: Plan
    _question: EvaluateQuestion | None
    _rows: list[dict[str, Any]]
    _appended: frozenset[str] = frozenset()  # the histories that these means were added to

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        baseline: object = None,
        history: str | os.PathLike[str] | None = None,
        queries: int = 10,
        check: bool | None = None,
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
            history: a file that `append` wrote, to draw the trend of the means up to this result.
            queries: how many of the worst and of the best queries of a model to show, at most 100.
            check: True to run the data checks, False to skip them; by default they run on up to 500,000 rows.
            test: as in `compare`.
            interval: as in `compare`.
            correction: as in `compare`.
            confidence: as in `compare`.
            tie_within: as in `compare`.
            samples: as in `compare`.
            seed: as in `compare`.

        Returns:
            The decision: a sentence for each model.

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
            ['run has a mean of 0.6667 for recall@1 over 3 queries: 95% interval [-0.7676, 2.1009].']
        """
        from recall_duckdb.reporting.contents import gathered, with_trend
        from recall_duckdb.reporting.page import page

        result = cast("Result", self)
        file, target = target_of(path)
        assert self._question is not None
        refuse_input("path", file, target, [*self._question.sources(), history])
        if isinstance(queries, bool) or not isinstance(queries, int) or not 0 <= queries <= _MOST_QUERIES:
            raise ArgumentError(f"queries: a whole number from 0 to {_MOST_QUERIES} is expected, not {queries!r}")
        if check is not None:
            check_flag("check", check)
        kept = None if history is None else output.path_text(history, "history")
        settings = Settings(baseline, test, interval, correction, confidence, tie_within, samples, seed)
        compared = None
        if baseline is not None:
            compared = result.compare(
                baseline, test=test, interval=interval, correction=correction, confidence=confidence,
                tie_within=tie_within, samples=samples, seed=seed,
            )  # fmt: skip
        watched = self._plan.inputs.watched
        check_unchanged(watched, result._session)
        with unchanged(watched, result._session):  # the files are read again
            contents = gathered(
                result, self._plan, self._question, settings, compared=compared, queries=queries, check=check
            )
        if kept is not None:
            own = [] if os.path.realpath(kept) in self._appended else self._rows
            contents = with_trend(contents, kept, own)
        stage("drawing charts")
        figures = None
        if has_charts():
            from recall_duckdb.reporting.figures import drawn

            figures = drawn(contents)
        text = page(contents, figures)
        with output.replacing(target, file, "path") as written:
            Path(written).write_text(text, "utf-8", newline="\n")
        return [decision.sentence for decision in contents.decisions]

    def plot(self, metric: str | None = None) -> Chart:
        """Draw metrics against their cutoffs for every model, with bands for the intervals of the means.

        Needs the extra `report`, which installs Altair.

        Args:
            metric: the name of one metric, such as "recall"; by default each that was asked for at several cutoffs.

        Returns:
            A chart of Altair, which notebooks show: `altair.LayerChart`, or `altair.HConcatChart` for several metrics.

        Raises:
            MissingPackageError: Altair is not installed.
            ArgumentError: no metric was asked for at several cutoffs, or not this one.

        Example:
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1, 2], "item": ["a", "b", "c"], "score": [2.0, 1.0, 1.0], "relevance": [0, 1, 1]}
            >>> type(evaluate(run, metrics="recall@1,2").plot())
            <class 'altair.vegalite.v6.api.LayerChart'>
        """
        from recall_duckdb.reporting.plots import curves

        result = cast("Result", self)
        rows = [{"low": None, "high": None, **row} for row in result.to_dicts()]
        if not self._plan.has("weights"):  # weighted means have no intervals
            rows = result.intervals().to_dicts()
        return curves(rows, self._plan.inputs.by, list(result.counts), metric)

    def append(self, history: str | os.PathLike[str], *, run_id: str | None = None) -> str:
        """Add the means to a history: a parquet file with a row for each mean of each run.

        The file is created if there is none, and written whole or not at all. A process waits for another one that
        adds to the file.

        Args:
            history: the file, which must end in .parquet.
            run_id: the name of this run, such as a build number; by default a random one.

        Returns:
            The id of the run.

        Raises:
            ArgumentError: the file cannot be written, is an input, or already contains a mean of this run.
            ArgumentTypeError: an argument is not a path or not a string.
            DataError: the file is not a history, or it changed while it was being read.

        Example:
            >>> from tempfile import TemporaryDirectory
            >>> from recall_duckdb import evaluate
            >>> run = {"query": [1, 1], "item": ["a", "b"], "score": [2.0, 1.0], "relevance": [0, 1]}
            >>> with TemporaryDirectory() as folder:
            ...     evaluate(run, metrics="rr").append(f"{folder}/history.parquet", run_id="build-17")
            'build-17'
        """
        from recall_duckdb.reporting.history import append, target_of

        assert self._question is not None
        refuse_input("history", *target_of(history), self._question.sources())
        run = append(history, self._rows, self._plan.inputs.by, self._plan.policies.settings(), run_id)
        self._appended |= {os.path.realpath(history)}
        return run

    def write_per_query(self, path: str, file_format: str) -> None:
        """Write the values of queries to a file, as parquet, csv or json."""
        result = cast("Result", self)
        stage("writing values per query")
        result._session.check_fetched()
        with result._explaining_lost_values():
            result._session.write(result._per_query, path, file_format)


def has_charts() -> bool:
    """Return True if the packages that draw charts are installed."""
    try:
        need("report", "altair", "vl_convert")
    except MissingPackageError:
        return False
    return True


def target_of(path: str | os.PathLike[str]) -> tuple[str, Path]:
    """Return the path of a report as text, and the file to write; raises `ArgumentError` if it cannot be written."""
    return output.target_ending(path, (".html", ".htm"), "path")
