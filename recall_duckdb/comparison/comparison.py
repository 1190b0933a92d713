"""The comparison of models with a baseline, and the intervals of means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Protocol
from weakref import finalize

from sqlglot import exp

from recall_duckdb import report
from recall_duckdb.comparison.leaderboard import COLUMNS, leaderboard_table, rank_models
from recall_duckdb.comparison.power import detectable, queries_needed
from recall_duckdb.comparison.settings import Interval, Key, Settings
from recall_duckdb.comparison.shown import comparison_table, intervals_table, is_over_all, metric_name
from recall_duckdb.comparison.statement import ComparisonStatement, QueryValues
from recall_duckdb.compose import Kept
from recall_duckdb.definitions.reading import is_better_lower, is_share, never_decides
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, RecallError, UnknownNameError, commas, nearest, quote
from recall_duckdb.frames import ModelRows
from recall_duckdb.question.metrics import parse
from recall_duckdb.reporting import plots
from recall_duckdb.stages import stage

if TYPE_CHECKING:
    import duckdb

    from recall_duckdb.reporting.charts import Chart

_MOST_VALUES = 5_000_000  # of pairs of models, that a statement joins
_MOST_WORDS = 1_000_000  # how many random words a statement reads: four draws, or 128 signs, each


class Owner(Protocol):
    """What keeps the values of queries."""

    is_closed: bool


@dataclass(eq=False)
class Copied:
    """What keeps the values of queries of a copy."""

    is_closed: bool


@dataclass(frozen=True)
class Inputs:
    """What is compared.

    Attributes:
        session: where the values are; the last steps run on DuckDB.
        values: the values of queries.
        reported: the means of metrics without values of queries, such as coverage or a median: rows of means, in
            which the number of queries is None.
        order: the order of the metrics.
        finalizer: what removes the values after their owner was collected.
        owner: what keeps the values there.
        definitions: the definition of each metric of this package or of the user, by name.
        models: the models in the order in which they were given, if that is known.
    """

    session: Session
    values: QueryValues
    reported: Sequence[Mapping[str, Any]]
    order: Sequence[Key]
    finalizer: finalize[..., Any] | None
    owner: Owner
    definitions: Mapping[str, Template]
    models: Sequence[object]

    def __getstate__(self) -> dict[str, Any]:
        """Return the values of queries as columns in memory, to copy or to pickle, unless they are gone."""
        state = {**self.__dict__, "session": None, "finalizer": None, "owner": Copied(self.owner.is_closed)}
        if self.owner.is_closed:
            return {**state, "columns": None}
        self.session.check_fetched()
        fetched = fetch_values(self)
        relation, here = fetched.values.relation, fetched.session
        assert isinstance(here, DuckDB)
        source = relation.subquery("per_query") if isinstance(relation, exp.Select) else relation
        rows, types = here.rows_and_types(exp.select(exp.Star()).from_(source.copy()))
        columns = {name: [row[name] for row in rows] for name in types}
        return {**state, "values": fetched.values, "columns": columns, "types": types}

    def __setstate__(self, state: dict[str, Any]) -> None:
        columns, types = state.pop("columns"), state.pop("types", {})
        session = state["session"] = DuckDB()
        if columns is not None:
            table = session.keep_values(columns, types)
            state["values"] = replace(state["values"], relation=table)
            state["finalizer"] = session.keep(table, state["owner"])
        self.__dict__.update(state)

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

    def __init__(
        self, inputs: Inputs, rows: list[dict[str, Any]], types: Mapping[str, str], settings: Settings
    ) -> None:
        super().__init__(rows, types)
        self._inputs = inputs
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
        if by is not None and not isinstance(by, Mapping):
            raise ArgumentTypeError(
                f"a dict of column and value is expected, as in {{'country': 'NL'}}, not {quote(by)}", argument="by"
            )
        wanted = {"model": self._model(model), **dict.fromkeys(self.by), **(by or {})}
        name, k = self._metric(metric)
        wanted |= {"metric": name, "k": k}
        for row in self._rows:
            if all(name in row and row[name] == value for name, value in wanted.items()):
                return row[_require_known("column", self._column if column is None else column, row)]
        slices = f"slices are by {commas(self.by)}" if self.by else "there are none: pass by= to evaluate"
        raise UnknownNameError(f"there is no slice {dict(by or {})!r}; {slices}", argument="by")

    def _metric(self, metric: str) -> Key:
        known = {metric_name(row): (row["metric"], row["k"]) for row in self._rows}
        own = own_name(metric) if isinstance(metric, str) and metric not in known else metric
        return known[own if isinstance(own, str) and own in known else _require_known("metric", metric, known)]

    def to_latex(self) -> str:
        r"""Return the table in LaTeX; its rules need `\usepackage{booktabs}`, and ▲ and ▼ `\usepackage{amssymb}`."""
        return report.latex(self.shown)


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
    hint = nearest(name, known) if isinstance(name, str) else ""
    raise UnknownNameError(
        f"{quote(name)} is not in this table", argument=argument, fix=f"{hint} It has {commas(known)}"
    )


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

    _column = "delta"

    def __init__(
        self,
        inputs: Inputs,
        rows: list[dict[str, Any]],
        types: Mapping[str, str],
        settings: Settings,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__(inputs, rows, types, settings)
        self._notes = list(notes)

    def per_query(self, metric: str, *, model: object = None) -> duckdb.DuckDBPyRelation:
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
        inputs = self._of_queries(metric)
        _check_names("query, by", [*inputs.values.query, *inputs.values.by], ("baseline", "value", "delta"))
        here, values, _ = _on_duckdb(inputs, Settings())
        if inputs.finalizer is not None:
            inputs.finalizer.detach()  # the relation reads the values for as long as it is used
        return here.relation(ComparisonStatement(values, settings).of("changes", output=True))

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

    def plot(self, metric: str | None = None, *, model: object = None) -> Chart:
        """Draw the change of each query as a bar, with the largest loss first.

        Needs the extra `report`. Up to 140 bars are drawn; of more queries, evenly spaced ones.

        Args:
            metric: the name and cutoff, such as "recall@10"; by default the first metric.
            model: one of the models; by default each model is drawn.

        Returns:
            A chart of Altair, which notebooks show: `altair.Chart`, or `altair.HConcatChart` for several models.

        Raises:
            MissingPackageError: Altair is not installed.
            UnknownNameError, ArgumentError: as in `per_query`.

        Example:
            >>> from recall_duckdb import compare
            >>> old, new = ({"query": [1, 2, 3], "rr": values} for values in ([0.5, 0.5, 0.0], [0.5, 1.0, 0.5]))
            >>> type(compare({"old": old, "new": new}, baseline="old").plot())
            <class 'altair.vegalite.v6.api.Chart'>
        """
        plots.need_altair()
        name = metric_name(self._rows[0]) if metric is None else metric
        models = dict.fromkeys(row["model"] for row in self._rows) if model is None else [self._model(model)]
        inputs, key = fetch_values(self._of_queries(name)), self._metric(name)
        bars = rows_of_queries(inputs, self.settings, key, "bars", plots.MOST_BARS)
        return plots.changes(bars, self.settings, key, list(models))

    def _of_queries(self, metric: str) -> Inputs:
        """Return the values of one metric; raises `ArgumentError` if it has none, or if they are gone."""
        key, values = self._metric(metric), self._inputs.values
        if key not in values.metrics:
            raise ArgumentError(
                f"{metric!r} has no values of queries, only a value for the whole run", argument="metric"
            )
        self._check_open()
        return replace(self._inputs, values=values.of(key))

    def _check_open(self) -> None:
        """Raise `ArgumentError` if the values of queries are gone."""
        if self._inputs.owner.is_closed:
            raise ArgumentError("the result was closed, and its values are gone: read them before close()")
        self._inputs.session.check_fetched()

    @property
    def shown(self) -> report.Table:
        """The comparison as a table for readers."""
        return self.table_of(self._rows, self.by)

    def table_of(self, rows: list[dict[str, Any]], by: list[str]) -> report.Table:
        """Return some of the rows as a table for readers, with these columns of slices."""
        return comparison_table(rows, self._types, by, self.settings, self._notes)


class Intervals(ComparisonRows):
    """The intervals of means, as `Result.intervals` returns them.

    It has a row for each model, metric and cutoff, and with slices one for each slice too. Columns: model, the columns
    of `by`, metric, k, queries, value (the mean), sd (the standard deviation of the values), standard_error (of the
    mean), low and high (the interval of the mean), the quantiles q10, q25, median, q75 and q90, and interval_method,
    which says how low and high were found: "exact", "t", "wilson" or "bootstrap".
    """

    _column = "value"

    @property
    def shown(self) -> report.Table:
        """The intervals as a table for readers."""
        return self.table_of(self._rows, self.by)

    def table_of(self, rows: list[dict[str, Any]], by: list[str]) -> report.Table:
        """Return some of the rows as a table for readers, with these columns of slices."""
        return intervals_table(rows, self._types, by, self.settings)


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

    Attributes:
        pairs: the comparison of every two models, a dict each: baseline_model, model, metric, k and the numbers of a
            `Comparison`. p_adjusted is adjusted for the number of pairs.
    """

    _column = "value"

    def __init__(
        self, inputs: Inputs, rows: list[dict[str, Any]], pairs: list[dict[str, Any]], settings: Settings
    ) -> None:
        super().__init__(inputs, rows, COLUMNS, settings)
        self.pairs = pairs

    @property
    def by(self) -> list[str]:
        """No columns of slices: a leaderboard is over all queries."""
        return []

    @property
    def models(self) -> list[object]:
        """The models, the best first."""
        return list(dict.fromkeys(row["model"] for row in self._rows))

    @property
    def shown(self) -> report.Table:
        """The leaderboard as a table for readers."""
        return leaderboard_table(self._rows, self.pairs, self.settings)


def compare_models(inputs: Inputs, settings: Settings, notes: Sequence[str] = ()) -> Comparison:
    """Return the comparison of models with the baseline of the settings; `notes` go below its table."""
    stage("comparing models")
    values, settings = inputs.values, inputs.settings_of(settings)
    _check_names("by", values.by, ("model", "metric", "k", *_NUMBERS, *_OF_CHANGE))
    rows, types = _rows(inputs, settings, "compared", _NUMBERS)
    types |= _OF_CHANGE
    for row in rows:
        row["relative"] = row["delta"] / abs(row["baseline"]) if row["baseline"] and row["queries"] else None
        row["detectable"] = detectable(row["queries"], row["sd"], settings.confidence)
        row["queries_needed"] = queries_needed(row["delta"], row["sd"], settings.confidence)
        _turn_wins(row, settings)
    rows += _reported_rows(inputs.reported, types, settings, values.by)
    return Comparison(inputs, _sort_rows(rows, inputs), types, settings, notes)


def _turn_wins(row: dict[str, Any], settings: Settings) -> None:
    """Count a fall as a win if a lower value is better; the statement counts rises."""
    if row["metric"] in settings.lower:
        row["wins"], row["losses"] = row["losses"], row["wins"]


def compare_every_pair(inputs: Inputs, models: Sequence[object], settings: Settings) -> list[dict[str, Any]]:
    """Return the comparison of every two models over all queries, with p adjusted for the number of pairs.

    The values have no slices. The settings have no baseline.
    """
    pairs = list(combinations(models, 2))
    if not pairs or not inputs.values.metrics:
        return []
    interval: Interval = "bootstrap" if settings.interval == "bootstrap" else "t"
    inputs, settings = fetch_values(inputs), replace(settings, every_pair=True, interval=interval)
    here, rows = inputs.session, list[dict[str, Any]]()
    assert isinstance(here, DuckDB)
    for values in inputs.values.parts():
        for row in _compare_pairs(here, values, settings, pairs):
            baseline, model = pairs[int(row["model"])]
            del row["unpaired"]
            _turn_wins(row, settings)
            rows.append({"baseline_model": baseline, **row, "model": model})
    places = {pair: place for place, pair in enumerate(pairs)}
    return sorted(rows, key=lambda row: places[row["baseline_model"], row["model"]])


def _compare_pairs(
    here: DuckDB, values: QueryValues, settings: Settings, pairs: Sequence[tuple[object, object]]
) -> list[dict[str, Any]]:
    """Return the comparison of pairs on a few metrics, with the number of the pair as the model.

    Each statement joins the values of some pairs; p is adjusted for all of them.
    """
    stored: dict[str, exp.Table] = {}
    try:
        stored["scales"] = here.store(ComparisonStatement(values, settings).of("scales"))
        step = max(_MOST_VALUES // max(_count_queries(here, values) * len(values.metrics), 1), 1)
        for first in range(0, len(pairs), step):
            numbers = range(first, min(first + step, len(pairs)))
            with (
                _store_pairs(here, values, settings, stored["scales"], pairs, numbers) as bound,
                _draw_samples(here, values, settings, bound) as samples,
            ):
                tested = ComparisonStatement(values, settings, bound | samples).of("tested")
                if "tested" in stored:
                    here.append(stored["tested"], tested)
                else:
                    stored["tested"] = here.store(tested)
        return here.dicts(ComparisonStatement(values, settings, stored).of("compared"))
    finally:
        for table in stored.values():
            here.drop(table)


def _count_queries(here: DuckDB, values: QueryValues) -> int:
    """Return how many queries a model has, on average."""
    models, count = exp.Count(this=exp.column("model"), distinct=True), exp.Count(this=exp.Star())
    [(rows, of_models)] = here.rows(exp.select(count, models).from_(values.select().subquery("values_of_queries")))
    return int(rows // max(of_models, 1))


@contextmanager
def _store_pairs(
    here: DuckDB,
    values: QueryValues,
    settings: Settings,
    scales: exp.Table,
    pairs: Sequence[tuple[object, object]],
    numbers: range,
) -> Iterator[dict[str, exp.Table]]:
    """Yield the stored values of the pairs with these numbers, under the name per_query, and the scales."""
    first_models, models = zip(*(pairs[number] for number in numbers), strict=True)
    columns = {"pair": [*map(str, numbers)], "first_model": [*first_models], "model": [*models]}
    stored: list[exp.Table] = []
    try:
        stored.append(here.keep_values(columns, dict.fromkeys(columns, "VARCHAR")))
        statement = ComparisonStatement(values, settings, {"model_pairs": stored[0]})
        stored.append(here.store(statement.of("every_pair")))
        yield {"scales": scales, "per_query": stored[1]}
    finally:
        for table in stored:
            here.drop(table)


def leaderboard(inputs: Inputs, settings: Settings, first: Key | None = None) -> Leaderboard:
    """Return the leaderboard of the models of these values, in the order of a metric; the settings have no baseline."""
    stage("comparing every pair of models")
    settings = inputs.settings_of(settings)
    over_queries = [row for row in inputs.reported if is_over_all(row, inputs.values.by)]
    reported = [{name: row[name] for name in ("model", "metric", "k", "queries", "value")} for row in over_queries]
    over_all = replace(inputs, values=replace(inputs.values, by=()), reported=reported)
    means = intervals(over_all, settings.of_means).to_dicts() if over_all.values.metrics else reported
    models = list(dict.fromkeys(row["model"] for row in means))
    pairs = compare_every_pair(over_all, models, settings)
    return Leaderboard(inputs, rank_models(means, pairs, settings, first), pairs, settings)


def has_common_queries(comparison: Comparison) -> bool:
    """Return True if a model has a query in common with the baseline, whatever its slice."""
    inputs = replace(comparison._inputs, values=replace(comparison._inputs.values, by=()))
    return any(row["queries"] for row in compare_models(inputs, Settings(comparison.settings.baseline)).to_dicts())


def intervals(inputs: Inputs, settings: Settings) -> Intervals:
    """Return the intervals of means."""
    stage("computing intervals")
    by, shares = inputs.values.by, inputs.metrics_that(is_share)
    _check_names("by", by, ("model", "metric", "k", *_OF_INTERVALS))
    rows, types = _rows(inputs, settings, "intervals", _OF_INTERVALS)
    for name in ("is_binary", "is_share"):
        types.pop(name, None)
    for row in rows:
        is_exact = row.pop("is_binary") and settings.interval == "auto"
        row["interval_method"] = None if row["low"] is None else _interval_name(settings.interval, is_exact=is_exact)
        is_bounded = row.pop("is_share") and row["metric"] in shares  # values of files may be in percent
        if row["interval_method"] == "t" and settings.interval == "auto" and is_bounded:
            row["low"], row["high"] = max(row["low"], 0.0), min(row["high"], 1.0)
    types["interval_method"] = "VARCHAR"
    rows += [{**dict.fromkeys(types), **row} for row in inputs.reported]
    return Intervals(inputs, _sort_rows(rows, inputs), types, settings)


def _interval_name(interval: str, *, is_exact: bool) -> str:
    """Return the name of the interval of a row: `auto` is exact or Student's."""
    return interval if interval != "auto" else "exact" if is_exact else "t"


def _rows(
    inputs: Inputs, settings: Settings, relation: str, numbers: Mapping[str, str]
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Return the rows of a relation and the types of its columns; `numbers` are those after the keys."""
    rows, types = list[dict[str, Any]](), _types(inputs.values.by, numbers)
    parts = list(inputs.values.parts())
    for part in parts:
        here, values, bound = _on_duckdb(replace(inputs, values=part), settings)
        with (
            _numbered(here, values, settings, len(parts)) as (values, own),
            _draw_samples(here, values, own) as samples,
        ):
            statement = ComparisonStatement(values, own, bound | samples)
            part_rows, types = here.rows_and_types(Kept(statement, ComparisonStatement.of, relation, output=True))
        named = dict(zip(values.metrics, part.metrics, strict=True))
        for row in part_rows:
            row["metric"], row["k"] = named[row["metric"], row["k"]]
        rows += part_rows
    return rows, types


@contextmanager
def _numbered(
    here: DuckDB, values: QueryValues, settings: Settings, parts: int
) -> Iterator[tuple[QueryValues, Settings]]:
    """Yield values of numbered metrics, stored, and their settings, so that one text is kept for all parts.

    With many metrics, composing and writing a statement for each part took longer than running it.
    """
    if parts == 1:
        yield values, settings
        return
    table = here.store(ComparisonStatement(values, settings).of("per_query"))
    numbers = {metric: f"metric_{number}" for number, metric in enumerate(values.metrics, start=1)}
    lower = frozenset(numbers[name, k] for name, k in numbers if name in settings.lower)
    metrics: dict[Key, str] = {
        (number, None): ours for number, ours in zip(numbers.values(), values.names, strict=True)
    }
    try:
        yield replace(values, relation=table, metrics=metrics, one_model=None), replace(settings, lower=lower)
    finally:
        here.drop(table)


def fetch_values(inputs: Inputs) -> Inputs:
    """Return the inputs with the values of queries on DuckDB, where every statement of this stage runs."""
    here, values, _ = _on_duckdb(inputs, Settings())
    return replace(inputs, session=here, values=values)


def rows_of_queries(inputs: Inputs, settings: Settings, metric: Key, relation: str, most: int) -> list[dict[str, Any]]:
    """Return the rows of `extremes` or `bars` for one metric; columns have canonical names."""
    return inputs.session.dicts(ComparisonStatement(inputs.values.of(metric), settings, most=most).of(relation))


def _on_duckdb(inputs: Inputs, settings: Settings) -> tuple[DuckDB, QueryValues, dict[str, exp.Expr]]:
    """Return a session of DuckDB with the values there, or only their sums if a comparison needs no more."""
    session, values = inputs.session, inputs.values
    if isinstance(session, DuckDB):
        return session, values, {}
    here = DuckDB()
    if settings.baseline is not None and settings.test != "randomization" and settings.interval != "bootstrap":
        statements = {name: ComparisonStatement(values, settings).of(name) for name in ("sums", "base_counts")}
        return here, values, {name: _fetch_rows(session, each, here) for name, each in statements.items()}
    fetched = _fetch_rows(session, ComparisonStatement(values, settings).of("per_query"), here)
    return here, replace(values, relation=fetched, metrics=dict(zip(values.metrics, values.names, strict=True))), {}


@contextmanager
def _draw_samples(
    here: DuckDB, values: QueryValues, settings: Settings, bound: Mapping[str, exp.Expr] | None = None
) -> Iterator[dict[str, exp.Table]]:
    """Yield the relations of random samples that the settings need, stored; `bound` are relations to read as they are.

    A statement reads the random words of some samples, so that its memory does not depend on their number.
    """
    stored: dict[str, exp.Table] = {}

    def store(*names: str) -> None:
        for name in names:
            stored[name] = here.store(ComparisonStatement(values, settings, {**(bound or {}), **stored}).of(name))

    def store_samples(name: str, words: str, rounds: int) -> None:
        """Store a relation of samples, whose rounds each read as many words as the relation `words` counts."""
        read = {**(bound or {}), **stored}
        [(size,)] = here.rows(exp.select(words).from_(stored[words].copy()))
        step, end = max(_MOST_WORDS // max(size, 1), 1) * size, size * rounds
        first = ComparisonStatement(values, settings, read, words=(0, min(step, end)))
        stored[name] = here.store(first.of(name))
        for start in range(step, end, max(step, 1)):
            later = ComparisonStatement(values, settings, read, words=(start, min(start + step, end)))
            here.append(stored[name], later.of(name))

    try:
        if settings.test == "randomization":
            store("placed", "blocks", "block_sums")
            store_samples("flipped", "blocks", settings.flips // 16 + 1)
        if settings.interval == "bootstrap":
            store("levels", "words", "step_lists")
            store_samples("resampled", "words", settings.resamples)
        yield stored
    finally:
        for table in stored.values():
            here.drop(table)


def _fetch_rows(session: Session, statement: exp.Select, here: DuckDB) -> exp.Table:
    """Fetch the rows of a statement into a table of DuckDB."""
    rows, types = session.rows_and_types(statement)
    return here.keep_values({name: [row[name] for row in rows] for name in types}, types)


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


def _types(by: Sequence[str], numbers: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of a table without values of queries, with their types."""
    return {"model": "VARCHAR", **dict.fromkeys(by, "VARCHAR"), "metric": "VARCHAR", "k": "BIGINT", **numbers}


def _reported_rows(
    reported: Sequence[Mapping[str, Any]], types: Mapping[str, str], settings: Settings, by: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the rows of metrics without values of queries: value, baseline and delta."""

    def key(row: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(row[name] for name in (*by, "metric", "k"))

    of_baseline = {key(row): row["value"] for row in reported if row["model"] == settings.baseline}
    rows = []
    for row in (row for row in reported if row["model"] != settings.baseline):
        baseline = of_baseline.get(key(row))
        delta = None if row["value"] is None or baseline is None else row["value"] - baseline
        rows.append({**dict.fromkeys(types), **row, "baseline": baseline, "delta": delta})
    return rows


def _sort_rows(rows: list[dict[str, Any]], inputs: Inputs) -> list[dict[str, Any]]:
    """Return the rows by model in their given order, slice and metric; rows over all queries come first."""
    by = inputs.values.by
    slices = dict.fromkeys([(None,) * len(by), *(tuple(row[name] for name in by) for row in rows)])
    models = dict.fromkeys([*inputs.models, *(row["model"] for row in rows)])
    places = [{key: place for place, key in enumerate(keys)} for keys in (models, slices, inputs.order)]

    def place(row: dict[str, Any]) -> list[int]:
        keys: list[Any] = [row["model"], tuple(row[name] for name in by), (row["metric"], row["k"])]
        return [order[key] for order, key in zip(places, keys, strict=True)]

    return sorted(rows, key=place)
