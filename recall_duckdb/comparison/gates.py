"""Gates: limits that the means of an evaluation must meet, so that a build can stop."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from recall_duckdb.comparison.comparison import Comparison, Inputs, comparable, compare_models
from recall_duckdb.comparison.files import Part, compare_parts, models_of, part_of
from recall_duckdb.comparison.settings import Settings
from recall_duckdb.comparison.shown import gain_of, is_over_all, slice_name, write_metric
from recall_duckdb.definitions.reading import is_share, never_decides
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError, commas, quote, spell
from recall_duckdb.question import metrics
from recall_duckdb.reading import sources
from recall_duckdb.reading.columns import Reader, canonical_names
from recall_duckdb.reading.source import Source
from recall_duckdb.report import markdown_text, metric_name, printable
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
        for name in ("max_drop", "significant", "common"):
            if getattr(self, name) not in (None, False) and self.not_below is None:
                fix = f"Pass {spell('not_below')} too"
                raise ArgumentError("there is nothing to compare with", argument=name, fix=fix)
        if self.max_drop is not None and self.significant:
            both = f"{spell('max_drop')} or {spell('significant')}"
            raise ArgumentError(f"pass either {both}, not both", argument="max_drop")
        drop = _number(self.max_drop or "0")
        if drop is None or not 0 <= drop < inf:
            raise ArgumentError(f"a finite number of at least 0 is expected, not {self.max_drop}", argument="max_drop")
        _ = self.limits

    @property
    def limits(self) -> list[tuple[str, str]]:
        """The metrics of `at_least` with their limits as the user wrote them."""
        limits = []
        for text in self.at_least:
            metric, _, limit = text.rpartition("=")
            number, problem = _number(limit), None
            if not metric or number is None:
                problem = f"a metric and its limit are expected, as in recall@10=0.3, not {quote(text)}"
            elif "," in re.sub(r"\([^)]*\)", "", metric):
                problem = "one metric is expected, as in recall@1=0.3; repeat the option"
            elif not isfinite(number):
                problem = f"a finite limit is expected, as in {metric}=0.3, not {quote(limit)}"
            elif metric.endswith(">"):
                problem = f"write {metric[:-1]}={limit}: the mean must be at least that"
            if problem is not None:
                raise ArgumentError(problem, argument="at_least")
            limits.append((metric, limit.strip()))
        return limits


def _number(text: str) -> float | None:
    """Return a number that is written with the digits 0 to 9, or None."""
    try:
        return float(text) if text.isascii() and "_" not in text else None
    except ValueError:
        return None


@dataclass(frozen=True)
class Gate:
    """What one gate found."""

    name: str  # does not depend on the values
    failed: list[tuple[object, str]]  # a model and a line for each mean that failed
    passed: str  # the line if no mean failed


@dataclass(frozen=True)
class Outcome:
    """What gates found."""

    gates: list[Gate]
    warnings: list[str] = field(default_factory=list)  # what may be wrong although a gate passed
    decision: Sequence[str] = ()  # what the report concludes, if there is one

    @property
    def lines(self) -> dict[str, list[str]]:
        """The lines to print: of each mean that failed, of each warning, and of each gate that passed."""
        failed = [line for gate in self.gates for _, line in gate.failed]
        passed = [gate.passed for gate in self.gates if gate.passed and not gate.failed]
        return {"gate failed": failed, "warning": self.warnings, "gate passed": passed}

    @property
    def has_failed(self) -> bool:
        """True if a mean failed."""
        return any(gate.failed for gate in self.gates)

    def failed_by(self, model: object) -> list[str]:
        """Return the names of the gates that a model fails."""
        return [gate.name for gate in self.gates if str(model) in {str(each) for each, _ in gate.failed}]

    def to_junit(self) -> str:
        """Return the gates as a report of JUnit: a test case for each gate, whose name is the same in each build."""
        suites = Element("testsuites")
        counts = {"tests": str(len(self.gates)), "failures": str(sum(bool(gate.failed) for gate in self.gates))}
        suite = SubElement(suites, "testsuite", {"name": "recall-duckdb", **counts})
        for gate in self.gates:
            case = SubElement(suite, "testcase", classname="gates", name=printable(gate.name))
            if gate.failed:
                SubElement(case, "failure", message="\n".join(printable(line) for _, line in gate.failed))
        if lines := [*self.decision, *(f"warning: {line}" for line in self.warnings)]:
            SubElement(suite, "system-out").text = "\n".join(map(printable, lines))
        indent(suites)
        return tostring(suites, "unicode")

    def to_markdown(self) -> str:
        """Return the decision and the gates in Markdown, failed ones first. The call of `pool` is code."""
        marked = zip(("❌", "⚠️", "✅"), self.lines.values(), strict=True)
        listed = (f"- {mark} {markdown_text(line)}" for mark, lines in marked for line in lines)
        words = "recall-duckdb pool "  # as code, because escapes would be copied with it
        told = (f"    {printable(each)}" if each.startswith(words) else markdown_text(each) for each in self.decision)
        return "\n".join([*(f"{each}\n" for each in told), *listed])


def try_gates(gates: Gates, data: ResultData) -> Outcome:
    """Return which gates the means of a result fail, over all queries and in each slice.

    Raises:
        UnknownNameError: a metric was not asked for, or the file of values lacks it or a model.
        DataError: the file of values is not sound.
    """
    found = list({gate.name: gate for gate in (_try_limit(*each, data) for each in gates.limits)}.values())  # each once
    if gates.not_below is None:
        return Outcome(found)
    how = "significantly " if gates.significant else ""
    most = "" if gates.max_drop is None else f" by more than {gates.max_drop}"
    name = f"no mean is {how}worse than that of {gates.not_below}{most}"
    try:
        data.check_values()
    except DataError as error:
        return Outcome([*found, Gate(name, [(None, str(error))], "")])
    inputs = comparable(data)
    others = list(dict.fromkeys(map(metric_name, inputs.reported)))
    if not inputs.values.metrics:
        verb = "is" if len(others) == 1 else "are"
        fix = f"Files of values have only arithmetic means over queries, which {commas(others)} {verb} not"
        raise ArgumentError("nothing can be compared", argument="not_below", fix=fix)
    warnings = [f"{name} is not compared: files of values have only arithmetic means over queries" for name in others]
    descriptive = inputs.metrics_that(never_decides)
    quality = {key: column for key, column in inputs.values.metrics.items() if key[0] not in descriptive}
    why = f"it says nothing about quality; {spell('at_least')} can limit it"
    left_out = [key for key in inputs.values.metrics if quality and key not in quality]
    warnings += [f"{write_metric(key)} is not compared: {why}" for key in left_out]
    if float(gates.max_drop or 0) > 1 and {name for name, _ in quality} <= inputs.metrics_that(is_share):
        told = f"all values are from 0 to 1, so no mean can drop by more than {gates.max_drop}"
        raise ArgumentError(told, argument="max_drop", fix="Pass 0.05 for five points")
    inputs = replace(inputs, values=replace(inputs.values, metrics=quality or inputs.values.metrics))
    failed: list[tuple[object, str]] = []
    for comparison in _comparisons(gates.not_below, data, inputs):
        failed += _failures(gates, comparison)
        warnings += _warnings(gates, comparison)
    return Outcome([*found, Gate(name, failed, name)], warnings)


def _try_limit(name: str, limit: str, data: ResultData) -> Gate:
    """Return the gate that compares the means of a metric with a limit, which it shows as the user wrote it.

    Raises:
        UnknownNameError: the metric was not asked for.
    """
    metric, by = metrics.find(name, data.plan.metrics), data.plan.inputs.by
    if metric is None:
        metrics.parse(name, data.question.metric_folder)  # a misspelt name
        asked = commas(map(str, data.plan.metrics))
        problem = f"{quote(name)} is not among the metrics that were asked for, {asked}"
        raise UnknownNameError(problem, argument="at_least", fix=f"Pass {spell('metrics', name)} too")
    rows = [row for row in data.means if (row["metric"], row["k"]) == (metric.name, metric.k)]
    if metric.template.of_whole_run:  # slices have no value
        rows = [row for row in rows if is_over_all(row, by)]
    gate, too_low = f"{metric} is at least {limit}", list[tuple[object, str]]()
    for model, value, where in ((row["model"], row["value"], _where(row, by)) for row in rows):
        if value is None:
            too_low.append((model, f"{where} has no value, so it is not at least {limit}"))
        elif value < float(limit):
            too_low.append((model, f"{where} is {_apart(value, float(limit))[0]}, below {limit}"))
    if too_low:
        return Gate(gate, too_low, "")
    lowest = min(rows, key=lambda row: float(row["value"]))
    where = _where(lowest, by).removeprefix(f"{metric_name(lowest)} of ")
    return Gate(gate, [], f"{gate}; the lowest is {lowest['value']:.4f}, of {where}")


def _comparisons(path: str, data: ResultData, inputs: Inputs) -> Iterator[Comparison]:
    """Yield the comparison with a model, or with a file: of all models with its one, or of each with its namesake."""
    session, values, models = inputs.session, inputs.values, list(data.counts)
    if path in models and len(models) > 1:
        yield compare_models(replace(inputs, reported=[]), Settings(path, over_slices=bool(values.by)))
        return
    assert isinstance(session, DuckDB)
    source = sources.find(path, session, "not_below", "baseline_values", is_result=True)
    of_file, by_option = Reader(source, path), "item_by" if values.of_items else "by"
    if missing := [name for name in values.by if not of_file.has(name)]:
        fix = f"Write it with {spell(by_option, [*values.by])} too, or leave out {spell(by_option)}"
        raise UnknownNameError(f"{quote(path)} has no values by {commas(missing)}", argument="not_below", fix=fix)
    name = f"{path} (baseline)" if path in models else path
    held = models_of(path, source, session)
    for model in models if held else ():
        if model not in held:
            fix = f"It has those of {commas(held)}. Name the model after one of them, as in {held[0]}=PATH"
            raise UnknownNameError(f"{quote(path)} has no values of {quote(model)}", argument="not_below", fix=fix)
    types, settings = session.describe(values.relation), Settings(name, over_slices=bool(values.by), same_slices=False)
    names = canonical_names("query", len(values.query)), canonical_names("slice", len(values.by))
    reader = Reader(Source(values.relation, types, "this evaluation"), "this evaluation")
    wanted, kinds = list(map(write_metric, values.metrics)), (values.of_items, values.slices, inputs.definitions)
    is_one = values.one_model is not None
    for group in [[model] for model in models] if held else [models]:
        baseline = part_of(path, source, values.query, values.by, session, only=group[0] if held else None)
        own = [Part(str(model), reader, *names, values.metrics, None if is_one else model) for model in group]
        parts = [replace(baseline, model=name), *own]
        yield compare_parts(parts, settings, session, wanted, "not_below", *kinds)


def _failures(gates: Gates, comparison: Comparison) -> Iterator[tuple[object, str]]:
    """Yield the model and a line for each mean that is worse or has no pair, and for each model with other queries."""
    by, settings, differ = comparison.by, comparison.settings, dict[object, int]()
    for row in comparison.to_dicts():
        model, where = row["model"], _where(row, by)
        if row["unpaired"]:
            differ[model] = max(row["unpaired"], differ.get(model, 0))
        if not row["queries"]:
            yield model, f"{where} has no query in common with the baseline"
        elif _is_worse(gates, row, settings):
            value, other = _apart(row["value"], row["baseline"])
            side, better = ("above", "; lower is better") if row["metric"] in settings.lower else ("below", "")
            most = f", {_p_of(row)}" if gates.significant else ""
            most = most if gates.max_drop is None else f"; at most {gates.max_drop} is allowed"
            yield model, f"{where} is {value}, {side} the baseline's {other} by {abs(row['delta']):.4g}{most}{better}"
    for model, count in differ.items() if not gates.common else ():
        queries = "1 query counts" if count == 1 else f"{count:,} queries count"
        slices = ", or for both in different slices (counted twice)" if by else ""
        problem = f"{model} and the baseline have different queries: {queries} for only one of them{slices}"
        yield model, f"{problem}. Evaluate the same queries, or pass {spell('common')}"


def _apart(value: float, limit: float) -> tuple[str, str]:
    """Return two numbers with four decimals, or more if they would look equal."""
    texts = ((f"{value:.{decimals}f}", f"{limit:.{decimals}f}") for decimals in range(4, 17))
    return next((pair for pair in texts if pair[0] != pair[1]), (repr(value), repr(limit)))


def _p_of(row: Mapping[str, Any]) -> str:
    """Return the p of a row, or why it has none: such a fall cannot be tested, so it fails."""
    if row["p_adjusted"] is not None:
        return f"p = {row['p_adjusted']:.4g}"
    return "which a single query cannot test" if row["queries"] == 1 else "in every query alike, so there is no p"


def _is_worse(gates: Gates, row: Mapping[str, Any], settings: Settings) -> bool:
    if gates.significant and row["p_adjusted"] is not None and row["p_adjusted"] >= 1 - settings.confidence:
        return False
    return -gain_of(row, settings) > (0 if gates.max_drop is None else float(gates.max_drop) + _STEP)


def _warnings(gates: Gates, comparison: Comparison) -> Iterator[str]:
    """Yield a warning for each mean whose interval holds a large drop: not significant is not as good."""
    for row in comparison.to_dicts() if gates.significant else ():
        if not row["queries"] or _is_worse(gates, row, comparison.settings):
            continue
        queries = "1 query is" if row["queries"] == 1 else f"{row['queries']:,} queries are"
        side, end = ("higher", "high") if row["metric"] in comparison.settings.lower else ("lower", "low")
        worst = row[end] and -gain_of({**row, "delta": row[end]}, comparison.settings)
        if worst is None or worst > _DROP_TO_SEE * abs(row["baseline"]):
            where = _where(row, comparison.by)
            yield f"{where} may be {side} by more than {_DROP_TO_SEE:.0%}: {queries} too few to tell"


def _where(row: Mapping[str, Any], by: Sequence[str]) -> str:
    """Return which mean a row holds: the metric, the model and the slice."""
    slices = slice_name(row, by)
    return f"{metric_name(row)} of {row['model']}{f' in {slices}' if slices else ''}"
