"""The comparison of models with a baseline, and the intervals of means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from weakref import finalize

from sqlglot import exp

from recall_duckdb import report
from recall_duckdb.comparison import distributions, shown
from recall_duckdb.comparison.leaderboard import COLUMNS, leaderboard_table, rank_models
from recall_duckdb.comparison.settings import Interval, Key, Settings
from recall_duckdb.comparison.sums import ComparisonStatement, QueryValues, Sums, kept_statement, read_steps, read_sums
from recall_duckdb.definitions.reading import is_better_lower, is_share, never_decides
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentError, RecallError, UnknownNameError, can_pass, commas, nearest, quote
from recall_duckdb.frames import ModelRows, find_row
from recall_duckdb.question.metrics import parse
from recall_duckdb.reporting import charts
from recall_duckdb.result_data import ResultData

if TYPE_CHECKING:
    import duckdb

    from recall_duckdb.reporting.charts import Chart


@dataclass(eq=False)
class Owner:
    """What keeps the values of queries for as long as a comparison holds it."""

    is_closed: bool = False
    finalizer: finalize[..., Any] | None = None  # removes the values after the owner was collected


@dataclass(frozen=True)
class Inputs:
    """What is compared."""

    session: Session  # where the values are
    values: QueryValues
    reported: Sequence[Mapping[str, Any]]  # rows of means without values of queries, such as coverage or a median
    order: Sequence[Key]  # of the metrics
    owner: Owner | ResultData  # keeps the values there
    definitions: Mapping[str, Template]  # of the metrics, by name
    models: Sequence[object]  # in the order in which they were given, if that is known

    def __getstate__(self) -> dict[str, Any]:
        """Return the values of queries as columns in memory, to copy or to pickle, unless they are gone."""
        is_closed = self.owner.is_closed
        if not is_closed:
            self.session.check_fetched()
        columns = None if is_closed else self._columns()
        return {**self.__dict__, "session": None, "owner": Owner(is_closed), "columns": columns}

    def __setstate__(self, state: dict[str, Any]) -> None:
        columns = state.pop("columns")
        self.__dict__.update(state, session=DuckDB())
        if columns is not None:
            self.__dict__.update(self._stored(*columns).__dict__)
            assert isinstance(self.owner, Owner)
            assert isinstance(self.values.relation, exp.Table)
            self.owner.finalizer = self.session.keep(self.values.relation, self.owner)

    def on_duckdb(self) -> Inputs:
        """Return these inputs with the values of queries on DuckDB."""
        return self if isinstance(self.session, DuckDB) else self._stored(*self._columns())

    def _columns(self) -> tuple[dict[str, list[Any]], dict[str, str]]:
        """Return the values of queries as columns in memory, with their types."""
        rows, types = self.session.rows_and_types(ComparisonStatement(self.values, Settings()).of("per_query"))
        return {name: [row[name] for row in rows] for name in types}, types

    def _stored(self, columns: Mapping[str, list[Any]], types: Mapping[str, str]) -> Inputs:
        here, values = DuckDB(), self.values
        names = dict(zip(values.metrics, values.names, strict=True))
        values = replace(values, relation=here.keep_values(columns, types), metrics=names)
        return replace(self, session=here, values=values)

    def settings_of(self, settings: Settings) -> Settings:
        """Return the settings with what the definitions of the metrics say."""
        lower, descriptive = self.metrics_that(is_better_lower), self.metrics_that(never_decides)
        return replace(settings, lower=lower, descriptive=descriptive)

    def metrics_that(self, holds: Callable[[Template], bool]) -> frozenset[str]:
        """Return the names of the metrics for whose definitions something holds."""
        return frozenset(name for name, each in self.definitions.items() if holds(each))


class ComparisonRows(ModelRows):
    """The rows of a comparison, of intervals or of a leaderboard, in memory."""

    _column: ClassVar[str]
    """The column that `value` reads by default."""

    _write: ClassVar[Callable[..., report.Table]]
    """Writes the table for readers."""

    def __init__(
        self, inputs: Inputs, rows: _Rows, types: Mapping[str, str], settings: Settings, more: Sequence[Any] = ()
    ) -> None:
        super().__init__(rows, types)
        self._inputs, self._more = inputs, more
        self.settings = settings
        """How the numbers were computed, as `Settings`."""

    @property
    def by(self) -> list[str]:
        """The columns of slices."""
        return list(self._inputs.values.by)

    @property
    def _session(self) -> DuckDB:
        session = self._inputs.session
        return session if isinstance(session, DuckDB) else super()._session

    def value(
        self, metric: str, column: str | None = None, *, model: object = None, by: Mapping[str, object] | None = None
    ) -> Any:
        """Return one number of the table.

        Args:
            metric: the name and cutoff, in any spelling, such as "recall@10".
            column: the column to read; default: delta of a comparison, value of intervals.
            model: the model, if the table has several.
            by: the slice as {column: value}.

        Raises:
            UnknownNameError: there is no such row or column.
            ArgumentError: the table has several models, and `model` names none.
        """
        name, k = self._metric(metric)
        row = find_row(self._rows, self.by, by, model=self._model(model), metric=name, k=k)
        return row[_require_known("column", self._column if column is None else column, row)]

    def _metric(self, metric: str) -> Key:
        known = {report.metric_name(row): (row["metric"], row["k"]) for row in self._rows}
        own = own_name(metric) if isinstance(metric, str) and metric not in known else metric
        return known[own if isinstance(own, str) and own in known else _require_known("metric", metric, known)]

    @property
    def shown(self) -> report.Table:
        """The rows as a table for readers."""
        return self.table_of(self._rows, self.by)

    def table_of(self, rows: _Rows, by: list[str]) -> report.Table:
        """Return some of the rows as a table for readers, with these columns of slices."""
        return self._write(rows, self._types, by, self.settings, self._more)

    def to_latex(self) -> str:
        r"""Return the table in LaTeX, which needs the packages booktabs, amssymb and, if it is wide, graphicx."""
        return self.shown.latex()


def own_name(metric: str) -> str:
    """Return the name of a metric of this package for any of its names, and other texts as they are.

    >>> own_name("map@10"), own_name("clicks")
    ('ap@10', 'clicks')
    """
    try:
        [parsed] = parse(metric)
    except (RecallError, ValueError):  # ValueError: a name that stands for several metrics
        return metric
    return str(parsed)


def _require_known(argument: str, name: object, known: Iterable[str]) -> str:
    """Return a name if it is among those known; raises `UnknownNameError`, which names the argument."""
    if isinstance(name, str) and name in known:
        return name
    fix = f"{nearest(name, known) if isinstance(name, str) else ''} It has {commas(known)}"
    raise UnknownNameError(f"{quote(name)} is not in this table", argument=argument, fix=fix)


class Comparison(ComparisonRows):
    """The comparison of models with a baseline, as `Result.compare` and `compare` return it.

    It has a row for each model, metric and cutoff, and with slices one for each slice too. Columns: model, the columns
    of `by` (NULL over all queries), metric, k, then

    - queries: how many queries count for both models; unpaired: how many count for only one of them, where a query in
      different slices counts twice;
    - baseline, value, delta: the means over these queries, and the mean difference;
    - sd: the standard deviation of the differences; low and high: the interval of the mean difference;
    - wins, ties, losses: for how many queries the model is better, equal or worse, which depends on the metric;
    - t: the statistic of Student's test; p: the p-value of the test, two-sided; p_adjusted: p adjusted for the number
      of models; effect: the mean difference in standard deviations;
    - relative: the mean difference as a share of the baseline's mean, such as 0.05 for 5 % more;
    - detectable: the smallest mean difference that the t-test finds with these queries in 80 % of samples, if p is not
      adjusted; queries_needed: the number of queries with which it does so for a difference as large as delta.

    A metric with one value for the whole run, or with another mean than the arithmetic one, has NULL in all columns but
    baseline, value and delta.
    """

    _column, _write = "delta", staticmethod(shown.comparison_table)

    def changes(self, metric: str, *, model: object = None) -> duckdb.DuckDBPyRelation:
        """Return the values of one metric for each query that counts for both models, with the largest loss first.

        Args:
            metric: the name and cutoff, such as "recall@10".
            model: the model, if several were compared with the baseline.

        Returns:
            A DuckDB relation with the query columns, the columns of `by`, baseline, value and delta.

        Raises:
            UnknownNameError: there is no such metric or model.
            ArgumentError: several models were compared, and `model` names none; or the result was closed.
        """
        settings = replace(self.settings, model=self._model(model))
        inputs = self._of_queries(metric).on_duckdb()
        _check_names("query, by", [*inputs.values.query, *inputs.values.by], ("baseline", "value", "delta"))
        if inputs.owner.finalizer is not None:
            inputs.owner.finalizer.detach()  # the relation reads the values for as long as it is used
        return inputs.session.relation(ComparisonStatement(inputs.values, settings).of("changes", output=True))

    def leaderboard(self) -> Leaderboard:
        """Return all models in order, compared in every pair with the test and the correction of this comparison.

        Raises:
            ArgumentError: the result was closed.

        Example:
            >>> from recall_duckdb import compare
            >>> old, new = ({"query": [1, 2, 3], "rr": values} for values in ([0.5, 0.5, 0.0], [0.5, 1.0, 0.5]))
            >>> print(compare({"old": old, "new": new}, baseline="old").leaderboard())
            model  rr
            -----  --------
            new    0.6667 a
            old    0.3333 a
            models that share a letter do not differ significantly at p < 0.05; the best have an a
            p: paired t-test, adjusted by Holm for all pairs
        """
        self._check_open()
        return leaderboard(self._inputs, replace(self.settings, baseline=None))

    def plot(self, metric: str | None = None, *, model: object = None, queries: bool = False) -> Chart:
        """Draw the mean difference of each model from the baseline, also in slices; needs the extra `report`.

        Args:
            metric: the name and cutoff, such as "recall@10"; by default the first metric.
            model: one of the models; by default each model is drawn.
            queries: True for the change of each query, the largest loss first; of many, 140 evenly spaced ones.

        Returns:
            A chart of Altair, which notebooks show; several are next to each other, as `altair.HConcatChart`.

        Raises:
            MissingPackageError: Altair is not installed.
            UnknownNameError, ArgumentError: as in `changes`.
        """
        models = dict.fromkeys(row["model"] for row in self._rows) if model is None else [self._model(model)]
        key = self._metric(report.metric_name(self._rows[0]) if metric is None else metric)
        if queries:
            inputs = self._of_queries(shown.write_metric(key)).on_duckdb()
            bars: dict[tuple[Key, object], _Rows] = {}
            for row in rows_of_queries(inputs, self.settings, key, "bars", charts.MOST_BARS):
                if row["model"] in models:
                    bars.setdefault((key, row["model"]), []).append(row)
            return charts.plot_queries(bars, self.settings)
        rows = [row for row in self._rows if (row["metric"], row["k"]) == key and row["model"] in models]
        return charts.plot_differences(rows, self.by, self.settings)

    def _of_queries(self, metric: str) -> Inputs:
        """Return the values of one metric; raises `ArgumentError` if it has none, or if they are gone."""
        key, values = self._metric(metric), self._inputs.values
        if key not in values.metrics:
            problem = f"{metric!r} has no values of queries, only a value for the whole run"
            raise ArgumentError(problem, argument="metric")
        self._check_open()
        return replace(self._inputs, values=values.of(key))

    def _check_open(self) -> None:
        """Raise `ArgumentError` if the values of queries are gone."""
        if self._inputs.owner.is_closed:
            raise ArgumentError("the result was closed, and its values are gone: read them before close()")
        self._inputs.session.check_fetched()


class Intervals(ComparisonRows):
    """The intervals of means, as `Result.intervals` returns them.

    It has a row for each model, metric and cutoff, and with slices one for each slice too. Columns: model, the columns
    of `by`, metric, k, queries, value (the mean), sd (the standard deviation of the values), standard_error (of the
    mean), low and high (the interval of the mean), the quantiles q10, q25, median, q75 and q90, and interval_method,
    which says how low and high were found: "exact", "t", "wilson" or "bootstrap".
    """

    _column, _write = "value", staticmethod(shown.intervals_table)


class Leaderboard(ComparisonRows):
    """Models in the order of their means, as `Result.leaderboard` and `Comparison.leaderboard` return them.

    It has a row for each model and metric, over all queries. The models are in the order of the first metric, the best
    first; counts and judged do not order them. Columns: model, metric, k, queries, value (the mean), low and high (its
    interval), then

    - place: 1 and the number of models with a better mean; is_best: True for the best mean, but not for counts;
    - letters: two models differ significantly on the metric if they share no letter; the best has the letter a;
    - rank_low: 1 and the number of models that are significantly better; rank_high: the number of models that are not
      significantly worse, with itself. With the sign test, the better model of a pair wins more queries; with the other
      tests, it has the better mean over the queries that both have.

    letters, rank_low and rank_high are NULL for a metric without values of queries, for counts, and for a single model.
    """

    _column, _write = "value", staticmethod(leaderboard_table)

    @property
    def pairs(self) -> _Rows:
        """The comparison of every two models, a dict each: baseline_model and the columns of a `Comparison`.

        p_adjusted is adjusted for the number of pairs.
        """
        return list(self._more)

    @property
    def models(self) -> list[object]:
        """The models, the best first."""
        return list(dict.fromkeys(row["model"] for row in self._rows))

    def plot(self, metric: str | None = None) -> Chart:
        """Draw how the other models differ from the best one, by default on the first metric; needs `report`."""
        key = self._metric(report.metric_name(self._rows[0]) if metric is None else metric)
        return charts.plot_pairs(self._rows, self.pairs, key, self.settings)


def compare_result(data: ResultData, settings: Settings) -> Comparison:
    """Return the comparison of `Result.compare`; raises as it does."""
    data.model(settings.baseline, "baseline")
    if len(data.counts) < 2:
        way = "call recall_duckdb.compare with" if can_pass("connection") else "pass --values and"
        problem, fix = "the result has one model, so there is nothing to compare", "Evaluate several runs at once, or"
        raise ArgumentError(problem, argument="baseline", fix=f"{fix} {way} files of values")
    with data.explaining_lost_values():
        return compare_models(comparable(data), settings)


def comparable(data: ResultData, problem: str = "a weighted result cannot be compared") -> Inputs:
    """Return the values of queries, and the means of other metrics.

    Raises:
        ArgumentError: the result is weighted.
        DataError: no query has a value.
    """
    data.check_values()
    plan = data.plan
    if plan.has("weights"):
        raise ArgumentError(problem, argument="weights", fix="Evaluate without weights")
    data.session.check_fetched()
    statement, inputs = data.statement, plan.inputs
    relation = statement.of_table("per_query") if data.stored is None else data.stored
    metrics = {(metric.name, metric.k): metric for metric in plan.metrics}
    columns = {key: metric.column for key, metric in metrics.items() if metric.mean == "arithmetic"}
    reported = [{**row, "queries": None} for row in data.means if (row["metric"], row["k"]) not in columns]
    values = QueryValues(relation, inputs.query, inputs.by, columns, inputs.one_model, inputs.of_items, inputs.slices)
    definitions = {metric.name: metric.template for metric in plan.metrics}
    return Inputs(data.session, values, reported, list(metrics), data, definitions, list(data.counts))


def compare_models(inputs: Inputs, settings: Settings, notes: Sequence[str] = ()) -> Comparison:
    """Return the comparison of models with the baseline of the settings; `notes` go below its table."""
    values, settings = inputs.values, inputs.settings_of(settings)
    _check_names("by", values.by, ("model", "metric", "k", *_NUMBERS, *_OF_CHANGE))
    tested, types = _test(inputs, settings)
    _adjust(tested, settings)
    rows, types = [row for _, row in tested], types | _OF_CHANGE
    for row in rows:
        row["relative"] = row["delta"] / abs(row["baseline"]) if row["baseline"] and row["queries"] else None
        row["detectable"] = distributions.detectable(row["queries"], row["sd"], settings.confidence)
        row["queries_needed"] = distributions.queries_needed(row["delta"], row["sd"], settings.confidence)
    rows += _reported_rows(inputs.reported, types, settings, values.by)
    return Comparison(inputs, _sort_rows(rows, inputs), types, settings, notes)


_Rows: TypeAlias = "list[dict[str, Any]]"
_Tested: TypeAlias = "tuple[Sums, dict[str, Any]]"


def _test(inputs: Inputs, settings: Settings) -> tuple[list[_Tested], dict[str, str]]:
    """Return the rows of models against the baseline before p is adjusted, with their sums, and the types of keys."""
    shares, types = inputs.metrics_that(is_share), _types(inputs.values.by) | _NUMBERS
    here = inputs.on_duckdb() if settings.needs_samples else inputs  # other engines compute sums alone
    sums, kinds = read_sums(here.session, here.values, settings)
    randomized, resampled = _draw(here, settings, sums)
    tested = []
    for each in sums:
        row = each.row(inputs.values.by)
        sd, error = row["sd"], row["standard_error"]
        limits = (-1.0, 1.0) if each.metric[0] in shares else _ANY  # of a difference
        _, (row["low"], row["high"]) = _interval(each, row, "delta", settings, resampled.get(each), limits)
        row["t"], row["effect"] = (row["delta"] / error, row["delta"] / sd) if error else (None, None)
        row["p"] = randomized.get(each)
        if settings.test == "t" and row["t"] is not None:
            row["p"] = distributions.student_p(row["t"], each.queries - 1)
        elif settings.test == "sign" and each.queries:
            row["p"] = distributions.sign_p(each.wins, each.losses)
        row["p_adjusted"] = row["p"]
        if each.metric[0] in settings.lower:
            row["wins"], row["losses"] = row["losses"], row["wins"]
        tested.append((each, {name: row[name] for name in types}))
    return tested, types | kinds


_Range: TypeAlias = "tuple[float, float]"
_ANY: _Range = (-inf, inf)


def _interval(
    sums: Sums, row: Mapping[str, Any], mean: str, settings: Settings, between: _Range | None, limits: _Range
) -> tuple[str | None, _Range | tuple[None, None]]:
    """Return how the interval of a mean was found, and the interval, within the limits of the metric.

    `between` are the two statistics that bound the samples of the bootstrap.
    """
    kind, n, confidence = settings.interval, sums.queries, settings.confidence
    if n < 2 or (kind == "wilson" and not sums.is_share):
        return None, (None, None)
    if kind == "wilson":
        return kind, distributions.wilson_interval(row[mean], n, confidence)
    if kind == "auto" and sums.ones is not None:
        return "exact", distributions.exact_interval(sums.ones, n, confidence)
    critical, error = distributions.student_critical(n - 1, confidence), row["standard_error"]
    least, most = between or (-critical, critical)
    low, high = row[mean] - most * error, row[mean] - least * error
    if kind != "t" or mean == "delta":
        low, high = max(low, limits[0]), min(high, limits[1])
    return "bootstrap" if kind == "bootstrap" else "t", (low, high)


def _adjust(tested: Sequence[_Tested], settings: Settings) -> None:
    """Adjust p for the number of models, or pairs of them, on one metric in one slice; a row without p is left out."""
    families: dict[Any, list[dict[str, Any]]] = {}
    for sums, row in tested:
        where = None if settings.over_slices else sums.slice
        if row["p"] is not None:
            families.setdefault((sums.metric, sums.level > 0, where), []).append(row)
    for rows in families.values():
        for row, p in zip(rows, distributions.adjust([row["p"] for row in rows], settings.correction), strict=True):
            row["p_adjusted"] = p


def _draw(inputs: Inputs, settings: Settings, sums: Sequence[Sums]) -> tuple[dict[Sums, float], dict[Sums, _Range]]:
    """Return p of the randomization test, and the two statistics that bound the samples of the bootstrap."""
    randomized, resampled = dict[Sums, float](), dict[Sums, _Range]()
    if not settings.needs_samples:
        return randomized, resampled
    from recall_duckdb.comparison import samples

    assert isinstance(inputs.session, DuckDB)
    for own, steps in read_steps(inputs.session, inputs.values, settings, sums):
        if settings.baseline is not None and settings.test == "randomization":
            p_values = samples.randomization_p(steps, settings.samples or 10_000, settings.seed)
            randomized |= zip(own, p_values, strict=True)
        if settings.interval == "bootstrap":
            chosen = [(each, array) for each, array in zip(own, steps, strict=True) if each.queries > 1]
            centers = [round(Fraction(each.steps_sum, each.queries)) for each, _ in chosen]
            how = settings.samples or 2_000, settings.seed, settings.confidence
            between = samples.bootstrap_t([array for _, array in chosen], centers, *how)
            resampled |= zip((each for each, _ in chosen), between, strict=True)
    return randomized, resampled


def leaderboard(inputs: Inputs, settings: Settings, first: Key | None = None) -> Leaderboard:
    """Return the leaderboard of the models of these values, in the order of a metric; the settings have no baseline.

    Every two models are compared over all queries, with p adjusted for the number of pairs.
    """
    settings = inputs.settings_of(settings)
    over_queries = [row for row in inputs.reported if shown.is_over_all(row, inputs.values.by)]
    reported = [{name: row[name] for name in ("model", "metric", "k", "queries", "value")} for row in over_queries]
    over_all = replace(inputs, values=replace(inputs.values, by=()), reported=reported)
    means = intervals(over_all, settings.of_means).to_dicts() if over_all.values.metrics else reported
    models, here, tested = list(dict.fromkeys(row["model"] for row in means)), over_all.on_duckdb(), list[_Tested]()
    interval: Interval = "bootstrap" if settings.interval == "bootstrap" else "t"
    for place, baseline in enumerate(models[:-1]):
        both = replace(here, values=replace(here.values, models=models[place:]))
        of_baseline, _ = _test(both, replace(settings, baseline=baseline, interval=interval))
        tested += [(sums, {"baseline_model": baseline, **row}) for sums, row in of_baseline]
    _adjust(tested, settings)
    places = {pair: place for place, pair in enumerate(combinations(models, 2))}
    pairs = sorted((row for _, row in tested), key=lambda row: places[row["baseline_model"], row["model"]])
    return Leaderboard(over_all, rank_models(means, pairs, settings, first), COLUMNS, settings, pairs)


def intervals(inputs: Inputs, settings: Settings) -> Intervals:
    """Return the intervals of means."""
    by, shares = inputs.values.by, inputs.metrics_that(is_share)
    _check_names("by", by, ("model", "metric", "k", *_OF_INTERVALS))
    here, quantiles = inputs.on_duckdb(), list[Sequence[Any]]()
    sums, kinds = read_sums(here.session, here.values, settings)
    _, resampled = _draw(here, settings, sums)
    for part in here.values.parts():
        rows_of_part = here.session.rows(kept_statement(part, settings, "quantiles"))
        quantiles += [row[-1] or [None] * 5 for row in rows_of_part]
    rows, types = [], _types(by) | _OF_INTERVALS
    for each, of_each in zip(sums, quantiles, strict=True):
        row, limits = each.row(by), (0.0, 1.0) if each.is_share and each.metric[0] in shares else _ANY
        found = _interval(each, row, "value", settings, resampled.get(each), limits)
        row["interval_method"], (row["low"], row["high"]) = found
        row |= zip(("q10", "q25", "median", "q75", "q90"), of_each, strict=True)
        rows.append({name: row[name] for name in types})
    rows += [{**dict.fromkeys(types), **row} for row in inputs.reported]
    return Intervals(inputs, _sort_rows(rows, inputs), types | kinds, settings)


def rows_of_queries(inputs: Inputs, settings: Settings, metric: Key, relation: str, most: int) -> list[dict[str, Any]]:
    """Return the rows of `extremes` or `bars` for one metric; columns have canonical names."""
    return inputs.session.dicts(ComparisonStatement(inputs.values.of(metric), settings, most=most).of(relation))


# The columns of comparisons and of intervals after those that name the row, with their types.
_NUMBERS = {
    **dict.fromkeys(("queries", "unpaired"), "BIGINT"),
    **dict.fromkeys(("baseline", "value", "delta", "sd", "low", "high"), "DOUBLE"),
    **dict.fromkeys(("wins", "ties", "losses"), "BIGINT"),
    **dict.fromkeys(("t", "p", "p_adjusted", "effect"), "DOUBLE"),
}
_OF_CHANGE = {"relative": "DOUBLE", "detectable": "DOUBLE", "queries_needed": "BIGINT"}

_OF_INTERVALS = {
    "queries": "BIGINT",
    **dict.fromkeys(("value", "sd", "standard_error", "low", "high", "q10", "q25", "median", "q75", "q90"), "DOUBLE"),
    "interval_method": "VARCHAR",
}


def _check_names(argument: str, names: Sequence[str], taken: Iterable[str]) -> None:
    """Raise `ArgumentError` if a column of the user has the name of a column of the result."""
    for name in (each for each in names if each.casefold() in taken):
        text = f"the result has a column {name!r} of its own: rename the column in your data"
        raise ArgumentError(text, argument=argument)


def _types(by: Sequence[str]) -> dict[str, str]:
    """Return the columns that name a row, with their types if there are no values of queries."""
    return {"model": "VARCHAR", **dict.fromkeys(by, "VARCHAR"), "metric": "VARCHAR", "k": "BIGINT"}


def _reported_rows(
    reported: Sequence[Mapping[str, Any]], types: Mapping[str, str], settings: Settings, by: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the rows of metrics without values of queries: value, baseline and delta."""
    key_of, rows = itemgetter(*by, "metric", "k"), []
    of_baseline = {key_of(row): row["value"] for row in reported if row["model"] == settings.baseline}
    for row in (row for row in reported if row["model"] != settings.baseline):
        baseline = of_baseline.get(key_of(row))
        delta = None if row["value"] is None or baseline is None else row["value"] - baseline
        rows.append({**dict.fromkeys(types), **row, "baseline": baseline, "delta": delta})
    return rows


def _sort_rows(rows: _Rows, inputs: Inputs) -> _Rows:
    """Return the rows by model in their given order, slice and metric; rows over all queries come first."""

    def slice_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[name] for name in inputs.values.by)

    models, metrics = shown.places([*inputs.models, *(row["model"] for row in rows)]), shown.places(inputs.order)
    slices = shown.places([(None,) * len(inputs.values.by), *map(slice_of, rows)])
    return sorted(rows, key=lambda row: (models[row["model"]], slices[slice_of(row)], metrics[row["metric"], row["k"]]))
