"""Gates: limits that the means of an evaluation must meet, so that a build can stop."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite, nan
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from recall_duckdb.comparison.comparison import Comparison, Inputs, comparable, compare_models
from recall_duckdb.comparison.files import Part, compare_parts, part_of
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import is_over_all, metric_name, write_metric
from recall_duckdb.definitions.reading import is_better_lower, never_decides
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError, commas, quote, spell
from recall_duckdb.question import metrics
from recall_duckdb.question.metrics import Metric
from recall_duckdb.reading import sources
from recall_duckdb.reading.columns import Reader, canonical_names
from recall_duckdb.reading.source import Source
from recall_duckdb.report import markdown_text, printable
from recall_duckdb.result_data import ResultData

# With --significant, a warning tells that a drop by more than this share of the baseline is possible.
_DROP_TO_SEE = 0.05
_STEP = 2.0**-40  # differences are rounded to whole steps


@dataclass(frozen=True)
class Gates:
    """The limits.

    Attributes:
        at_least: metrics with the lowest mean that passes, as in "recall@10=0.3".
        not_below: a model of this evaluation, or a file of values of queries that an earlier one wrote. No mean may be
            worse: lower or, of a metric for which lower is better, higher.
        max_drop: how much worse a mean may be. It excludes `significant`.
        significant: True to fail only for a mean that is significantly worse. It excludes `max_drop`.
        common: True to compare the queries that both have, if they differ.

    Raises:
        ArgumentError: the limits contradict each other, or a limit is no finite number.

    Example:
        >>> Gates(at_least=["recall@10=0.3"]).limits
        [('recall@10', '0.3')]
    """

    at_least: Sequence[str] = ()
    not_below: str | None = None
    max_drop: str | None = None
    significant: bool = False
    common: bool = False

    def __post_init__(self) -> None:
        alone = {"max_drop": self.max_drop is not None, "significant": self.significant, "common": self.common}
        for name, is_given in alone.items():
            if is_given and self.not_below is None:
                raise ArgumentError(
                    "there is nothing to compare with", argument=name, fix=f"Pass {spell('not_below')} too"
                )
        if self.max_drop is not None and self.significant:
            raise ArgumentError(
                f"pass either {spell('max_drop')} or {spell('significant')}, not both", argument="max_drop"
            )
        if self.max_drop is not None and not 0 <= self.drop < inf:
            raise ArgumentError(f"a finite number of at least 0 is expected, not {self.max_drop}", argument="max_drop")
        _ = self.limits

    @property
    def drop(self) -> float:
        """How much worse a mean may be, NaN if the user wrote no number."""
        number = _number(self.max_drop or "0")
        return nan if number is None else number

    @property
    def limits(self) -> list[tuple[str, str]]:
        """The metrics of `at_least` with their limits as the user wrote them."""
        limits = []
        for text in self.at_least:
            metric, _, limit = text.rpartition("=")
            number = _number(limit)
            if not metric or number is None:
                raise ArgumentError(
                    f"a metric and its limit are expected, as in recall@10=0.3, not {quote(text)}", argument="at_least"
                )
            if "," in re.sub(r"\([^)]*\)", "", metric):
                raise ArgumentError(
                    "one metric is expected, as in recall@1=0.3; repeat the option", argument="at_least"
                )
            if not isfinite(number):
                raise ArgumentError(
                    f"a finite limit is expected, as in {metric}=0.3, not {quote(limit)}", argument="at_least"
                )
            limits.append((metric, limit.strip()))
        return limits


def _number(text: str) -> float | None:
    """Return a number that is written with the digits 0 to 9, or None.

    >>> _number("0.3"), _number("1_0"), _number("x")
    (0.3, None, None)
    """
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Gate:
    """What one gate found."""

    name: str  # does not depend on the values
    failed: list[str]  # a line for each mean that failed
    passed: str  # the line if no mean failed


@dataclass(frozen=True)
class Outcome:
    """What gates found."""

    gates: list[Gate]
    warnings: list[str] = field(default_factory=list)  # what may be wrong although a gate passed

    @property
    def failed(self) -> list[str]:
        """A line for each mean that failed."""
        return [line for gate in self.gates for line in gate.failed]

    @property
    def passed(self) -> list[str]:
        """A line for each gate that passed."""
        return [gate.passed for gate in self.gates if gate.passed and not gate.failed]

    def to_junit(self) -> str:
        """Return the gates as a report of JUnit: a test case for each gate, whose name is the same in each build.

        >>> line = "rr of run is 0.2500, below 0.3"
        >>> print(Outcome([Gate("rr is at least 0.3", [line], "")]).to_junit())
        <testsuites>
          <testsuite name="recall-duckdb" tests="1" failures="1">
            <testcase classname="gates" name="rr is at least 0.3">
              <failure message="rr of run is 0.2500, below 0.3" />
            </testcase>
          </testsuite>
        </testsuites>
        """
        suites = Element("testsuites")
        counts = {"tests": str(len(self.gates)), "failures": str(sum(bool(gate.failed) for gate in self.gates))}
        suite = SubElement(suites, "testsuite", {"name": "recall-duckdb", **counts})
        for gate in self.gates:
            case = SubElement(suite, "testcase", classname="gates", name=printable(gate.name))
            if gate.failed:
                SubElement(case, "failure", message="\n".join(map(printable, gate.failed)))
        if self.warnings:
            SubElement(suite, "system-out").text = "\n".join(f"warning: {printable(line)}" for line in self.warnings)
        indent(suites)
        return tostring(suites, "unicode")

    def to_markdown(self) -> str:
        """Return the gates as a list in Markdown, the failed ones first.

        >>> print(Outcome([Gate("rr is at least 0.2", [], "rr is at least 0.2")]).to_markdown())
        - ✅ rr is at least 0.2
        """
        kinds = {"❌": self.failed, "⚠️": self.warnings, "✅": self.passed}
        return "\n".join(f"- {mark} {markdown_text(line)}" for mark, lines in kinds.items() for line in lines)


def try_gates(gates: Gates, data: ResultData) -> Outcome:
    """Return which gates the means of a result fail, over all queries and in each slice.

    Raises:
        UnknownNameError: a metric was not asked for, or the file of values lacks it or a model.
        DataError: the file of values is not sound.
    """
    limits = [_try_limit(name, limit, data) for name, limit in gates.limits]
    found = list({gate.name: gate for gate in limits}.values())  # a limit may be given twice
    if gates.not_below is None:
        return Outcome(found)
    how = "significantly " if gates.significant else ""
    most = "" if gates.max_drop is None else f" by more than {gates.max_drop}"
    name = f"no mean is {how}worse than that of {gates.not_below}{most}"
    try:
        data.check_values()
    except DataError as error:
        return Outcome([*found, Gate(name, [str(error)], "")])
    inputs = comparable(data)
    names = dict.fromkeys(map(metric_name, inputs.reported))
    inputs, left_out = _keep_quality(inputs)
    if not inputs.values.metrics:
        raise ArgumentError(
            "nothing can be compared",
            argument="not_below",
            fix=(
                f"Files of values have only arithmetic means over queries, which {commas(names)} "
                f"{'is' if len(names) == 1 else 'are'} not"
            ),
        )
    warnings = [f"{name} is not compared: files of values have only arithmetic means over queries" for name in names]
    warnings += left_out
    worse, lower = list[str](), inputs.metrics_that(is_better_lower)
    for comparison in _comparisons(gates.not_below, data, inputs):
        worse += _failures(gates, comparison, lower)
        warnings += _warnings(gates, comparison, lower)
    return Outcome([*found, Gate(name, worse, name)], warnings)


def _try_limit(name: str, limit: str, data: ResultData) -> Gate:
    """Return the gate that compares the means of a metric with a limit, which it shows as the user wrote it."""
    metric, by = _asked_metric(name, data), data.plan.inputs.by
    rows = [row for row in data.means if (row["metric"], row["k"]) == (metric.name, metric.k)]
    if metric.template.of_whole_run:  # slices have no value
        rows = [row for row in rows if is_over_all(row, by)]
    gate = f"{metric} is at least {limit}"
    too_low = list(_too_low(rows, limit, by))
    if too_low:
        return Gate(gate, too_low, "")
    lowest = min(rows, key=lambda row: float(row["value"]))
    where = _where(lowest, by).removeprefix(f"{metric_name(lowest)} of ")
    return Gate(gate, [], f"{gate}; the lowest is {lowest['value']:.4f}, of {where}")


def _keep_quality(inputs: Inputs) -> tuple[Inputs, list[str]]:
    """Return the values of metrics about quality, and a warning for each other one; all values if none is."""
    descriptive = inputs.metrics_that(never_decides)
    metrics = {key: column for key, column in inputs.values.metrics.items() if key[0] not in descriptive}
    if not metrics:
        return inputs, []
    warnings = [
        f"{write_metric(key)} is not compared: it says nothing about quality; {spell('at_least')} can limit it"
        for key in inputs.values.metrics
        if key not in metrics
    ]
    return replace(inputs, values=replace(inputs.values, metrics=metrics)), warnings


def _asked_metric(name: str, data: ResultData) -> Metric:
    """Return the metric of a limit; raises `UnknownNameError` if it was not asked for."""
    metric = metrics.find(name, data.plan.metrics)
    if metric is None:
        metrics.parse(name, data.question.metric_folder)  # a misspelt name
        raise UnknownNameError(
            f"{quote(name)} is not among the metrics that were asked for, {commas(map(str, data.plan.metrics))}",
            argument="at_least",
            fix=f"Pass {spell('metrics', name)} too",
        )
    return metric


def _too_low(rows: Sequence[Mapping[str, Any]], limit: str, by: Sequence[str]) -> Iterator[str]:
    """Yield a line for each mean that is below a limit, or missing."""
    for row in rows:
        where = _where(row, by)
        if row["value"] is None:
            yield f"{where} has no value, so it is not at least {limit}"
        elif row["value"] < float(limit):
            yield f"{where} is {_apart(row['value'], float(limit))[0]}, below {limit}"


def _comparisons(path: str, data: ResultData, inputs: Inputs) -> Iterator[Comparison]:
    """Yield the comparison with a model, or with a file: of all models with its only one, or of each with its namesake.

    A name of one of several models is that model.
    """
    session, values = inputs.session, inputs.values
    if path in data.counts and len(data.counts) > 1:
        settings = Settings(path, over_slices=bool(values.by))
        yield compare_models(replace(inputs, reported=[]), settings)
        return
    assert isinstance(session, DuckDB)
    source = sources.find(path, session, "not_below", "baseline_values", is_result=True)
    query, by = list(values.query), list(values.by)
    _check_slices(path, source, by, "item_by" if values.of_items else "by")
    baseline = part_of(path, source, query, by, session)
    known = baseline.models(session)
    models = list(data.counts)
    for model in models if len(known) > 1 else ():
        if model not in known:
            raise UnknownNameError(
                f"{quote(path)} has no values of {quote(model)}",
                argument="not_below",
                fix=f"It has those of {commas(known)}. Name the model after one of them, as in {known[0]}=PATH",
            )
    groups: list[Any] = [([model], model) for model in models] if len(known) > 1 else [(models, None)]
    columns = session.describe(values.relation)
    current = Source(values.relation, columns, "this evaluation")
    for group, namesake in groups:
        name = f"{path} (baseline)" if path in models else path
        reader = Reader(current, "this evaluation")
        canonical = canonical_names("query", len(query)), canonical_names("slice", len(by))
        parts = [Part(name, baseline.reader, query, by, baseline.metrics, namesake)]
        parts += [
            Part(str(model), reader, *canonical, values.metrics, None if values.one_model is not None else model)
            for model in group
        ]
        settings = Settings(name, over_slices=bool(by), same_slices=False)
        wanted = list(map(write_metric, values.metrics))
        of_items, slices = values.of_items, values.slices
        yield compare_parts(parts, settings, session, wanted, "not_below", of_items=of_items, slices=slices)


def _check_slices(path: str, source: Source, by: Sequence[str], argument: str) -> None:
    """Raise `UnknownNameError` if a file of values lacks a column of slices, which an argument names."""
    reader = Reader(source, path)
    missing = [name for name in by if not reader.has(name)]
    if missing:
        raise UnknownNameError(
            f"{quote(path)} has no values by {commas(missing)}",
            argument="not_below",
            fix=f"Write it with {spell(argument, [*by])} too, or leave out {spell(argument)}",
        )


def _failures(gates: Gates, comparison: Comparison, lower: Collection[str]) -> Iterator[str]:
    """Yield a line for each mean that is worse, or has no pair; of metrics in `lower`, lower is better."""
    by = comparison.by
    differ: dict[Any, int] = {}
    for row in comparison.to_dicts():
        if row["unpaired"]:
            differ[row["model"]] = max(row["unpaired"], differ.get(row["model"], 0))
        where = _where(row, by)
        if not row["queries"]:
            yield f"{where} has no query in common with the baseline"
        elif _is_worse(gates, row, comparison.settings, lower):
            p = f", {_p_of(row)}" if gates.significant else ""
            value, baseline = _apart(row["value"], row["baseline"])
            side = "above" if row["metric"] in lower else "below"
            most = "" if gates.max_drop is None else f"; at most {gates.max_drop} is allowed"
            better = "; lower is better" if row["metric"] in lower else ""
            yield f"{where} is {value}, {side} the baseline's {baseline} by {abs(row['delta']):.4g}{p}{most}{better}"
    for model, count in differ.items() if not gates.common else ():
        queries = "1 query counts" if count == 1 else f"{count:,} queries count"
        slices = ", or for both in different slices (counted twice)" if by else ""
        yield (
            f"{model} and the baseline have different queries: {queries} for only one of them{slices}. "
            f"Evaluate the same queries, or pass {spell('common')}"
        )


def _apart(value: float, limit: float) -> tuple[str, str]:
    """Return two numbers with four decimals, or more if they would look equal.

    >>> _apart(0.25, 0.5), _apart(0.4999991, 0.5)
    (('0.2500', '0.5000'), ('0.499999', '0.500000'))
    """
    for decimals in range(4, 17):
        low, high = f"{value:.{decimals}f}", f"{limit:.{decimals}f}"
        if low != high:
            return low, high
    return repr(value), repr(limit)


def _p_of(row: Mapping[str, Any]) -> str:
    """Return the p of a row, or why it has none: such a fall cannot be tested, so it fails."""
    if row["p_adjusted"] is not None:
        return f"p = {row['p_adjusted']:.4g}"
    return "which a single query cannot test" if row["queries"] == 1 else "in every query alike, so there is no p"


def _fall(row: Mapping[str, Any], lower: Collection[str]) -> float:
    """Return how much worse a mean is than that of the baseline; below 0 if it is better."""
    return float(row["delta"] if row["metric"] in lower else -row["delta"])


def _is_worse(gates: Gates, row: Mapping[str, Any], settings: Settings, lower: Collection[str]) -> bool:
    if gates.significant:
        is_clear = row["p_adjusted"] is None or row["p_adjusted"] < 1 - settings.confidence
        return is_clear and _fall(row, lower) > 0
    return _fall(row, lower) > (0 if gates.max_drop is None else gates.drop + _STEP)


def _warnings(gates: Gates, comparison: Comparison, lower: Collection[str]) -> Iterator[str]:
    """Yield a warning for each mean whose interval holds a large drop: not significant is not as good."""
    for row in comparison.to_dicts() if gates.significant else ():
        if not row["queries"] or _is_worse(gates, row, comparison.settings, lower):
            continue
        queries = "1 query is" if row["queries"] == 1 else f"{row['queries']:,} queries are"
        side, worst = ("higher", row["high"]) if row["metric"] in lower else ("lower", row["low"])
        if worst is None or _fall({**row, "delta": worst}, lower) > _DROP_TO_SEE * abs(row["baseline"]):
            where = _where(row, comparison.by)
            yield f"{where} may be {side} by more than {_DROP_TO_SEE:.0%}: {queries} too few to tell"


def _where(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """Return which mean a row holds: the metric, the model and the slice."""
    slices = ", ".join(f"{name}={row[name]}" for name in by if row[name] is not None)
    return f"{metric_name(row)} of {row['model']}{f' in {slices}' if slices else ''}"
