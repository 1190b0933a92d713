"""Compares models by files, tables or frames that hold the values of queries, kept from earlier evaluations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb.comparison.comparison import Comparison, Inputs, Owner, compare_models, own_name
from recall_duckdb.comparison.settings import Correction, Interval, Key, Settings, Test
from recall_duckdb.comparison.shown import is_over_all, write_metric
from recall_duckdb.comparison.sums import ComparisonStatement, QueryValues
from recall_duckdb.compose import Kept
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import DuckDB
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import (
    ArgumentError,
    ArgumentTypeError,
    DataError,
    UnknownNameError,
    can_pass,
    commas,
    is_sound,
    nearest,
    pairs,
    quote,
    respelled,
    some,
)
from recall_duckdb.frames import choose_model
from recall_duckdb.question.question import Slices, check_slices, column_names
from recall_duckdb.reading import sources
from recall_duckdb.reading.columns import NUMBERS, Reader, canonical_names, family_of
from recall_duckdb.reading.files import unchanged
from recall_duckdb.reading.formats import format_of
from recall_duckdb.reading.keys import match
from recall_duckdb.reading.source import Source

MODEL = "model"


def compare(
    values: Mapping[str, object],
    *,
    baseline: str | None,
    query: str | Sequence[str] = "query",
    by: str | Sequence[str] | None = None,
    slices: Slices = "each",
    item_by: str | Sequence[str] | None = None,
    metrics: str | Iterable[str] | None = None,
    test: Test = "t",
    interval: Interval = "t",
    correction: Correction = "holm",
    confidence: float = 0.95,
    tie_within: float = 0.0,
    samples: int | None = None,
    seed: int = 0,
    connection: duckdb.DuckDBPyConnection | None = None,
) -> Comparison:
    """Compare models by the values of queries that earlier evaluations wrote, with `--per-query` or `create=`.

    Args:
        values: the values of queries by model name: paths (parquet, CSV or JSON files), names of tables or views in
            `connection`, DuckDB relations, pandas, polars or pyarrow tables, or dicts of columns. Each has a row for
            each query, and a column for each metric, such as "recall@10".
        baseline: the model that the others are compared with; None for the first.
        query: the column, or columns, of the query.
        by: the columns of slices. A query whose slice differs between two models is left out in both.
        slices: with several columns in `by`: "each" for the slices of each column, "crossed" for those of their
            combinations, or "both".
        item_by: the columns of slices of items instead, in values that were evaluated with them.
        metrics: the columns of values to compare, or other names of their metrics; by default all numbers that every
            model has.
        test: the test of the differences, as in `Result.compare`.
        interval: the interval of the mean difference, as there.
        correction: how p-values are adjusted for the number of models, as there.
        confidence: the share of intervals that hold the true mean difference.
        tie_within: the largest difference that counts as a tie.
        samples: how many random samples to take, as there.
        seed: which random numbers to use; the same seed gives the same result.
        connection: a DuckDB connection, for its tables.

    Returns:
        A `Comparison`, as `Result.compare` returns it.

    Raises:
        UnknownNameError: there is no such model, file, column, test, interval or correction.
        ArgumentError: an argument is out of range, or the models have no metric in common.
        ArgumentTypeError: a column or argument has the wrong type.
        DataError: a query is there twice or is NULL, or a value is NaN or infinite.
        MissingPackageError: random samples need NumPy, which is not installed.

    The sums are in `sql/6_comparison`.

    Example:
        >>> old = {"query": [1, 2, 3], "recall@10": [0.5, 0.5, 0.0]}
        >>> new = {"query": [1, 2, 3], "recall@10": [0.5, 1.0, 0.5]}
        >>> compare({"old": old, "new": new}, baseline="old").value("recall@10", "wins")
        2
    """
    if not isinstance(values, Mapping) or not values:
        problem = "a dict of at least two models is expected, as in {'old': path, 'new': path}"
        raise ArgumentTypeError(problem, argument="values", fix=runs_instead())
    for name in values:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"a model is named by text, not by {quote(name)}", argument="values")
        if not is_sound(name):
            raise ArgumentError(f"{quote(name)} cannot be the name of a model", argument="values")
    first = next(iter(values)) if baseline is None else baseline
    settings = Settings(first, test, interval, correction, confidence, tie_within, samples, seed, same_slices=False)
    session = open_session(connection, None, list(values.values()))
    if not isinstance(session, DuckDB):
        raise ArgumentTypeError("a DuckDB connection is expected: values are compared there", argument="connection")
    with session:
        is_list = isinstance(metrics, Iterable) and not isinstance(metrics, str)
        asked: list[Any] = list(metrics) if is_list else [metrics]  # type: ignore[arg-type]
        asked = [name for place, name in enumerate(asked) if name not in asked[:place]]
        keys, wanted = column_names("query", query), None if metrics is None else column_names("metrics", asked)
        of_queries, of_items = column_names("by", by), column_names("item_by", item_by)
        for argument, names, more in (("query", keys, ""), ("metrics", wanted, ", or leave it out for all")):
            if names == []:
                raise ArgumentError("the list is empty", argument=argument, fix=f"Name at least one column{more}")
        if of_queries and of_items:
            problem = "slices of items do not combine with slices of queries (by)"
            raise ArgumentError(problem, argument="item_by", fix="Pass one of them")
        columns = of_queries or of_items
        check_slices(slices, columns)
        by_argument, kind = ("item_by", "crossed") if of_items else ("by", slices)
        found = _sources(values, session)
        [(side, source), *others] = found.items()
        models = [] if others else models_of(side, source, session)
        parts = [part_of(str(model), source, keys, columns, session, by_argument, model) for model in models]
        parts = parts or [part_of(*each, keys, columns, session, by_argument) for each in found.items()]
        if len(parts) < 2:
            fix = f"Pass the values of another model too, or one source whose column {MODEL!r} names several"
            raise ArgumentError("there is one model, so there is nothing to compare", argument="values", fix=fix)
        first = parts[0].model if baseline is None else baseline
        settings = replace(settings, baseline=choose_model(first, [part.model for part in parts], "baseline"))
        comparison = compare_parts(parts, settings, session, wanted, "metrics", bool(of_items), kind)
        _check_common(comparison)
        return comparison


def runs_instead() -> str:
    """Return how to compare runs, which some pass as values of queries."""
    if not can_pass("values"):
        return "To compare with a run, pass it next to the others, as in live=run.parquet, and --not-below live"
    return f"To compare runs, {'call evaluate(…).compare(…)' if can_pass('connection') else 'leave out --values'}"


@dataclass(frozen=True)
class Part:
    """The values of one model in a source."""

    model: str
    reader: Reader  # the columns of the source
    query: Sequence[str]  # the columns of the query
    by: Sequence[str]  # the columns of slices
    metrics: Mapping[Key, str]  # the columns of values
    only: object = None  # the model to take, if the source holds several

    def select(self, chosen: Sequence[Key]) -> exp.Select:
        """Return the SELECT of the values with canonical names."""
        columns: list[exp.Expr] = [exp.alias_(trees.literal(self.model), MODEL)]
        for argument, names, canonical in (("query", self.query, "query"), ("by", self.by, "slice")):
            for name, column in zip(names, canonical_names(canonical, len(names)), strict=True):
                columns.append(exp.alias_(self.reader.key(argument, name, column).expression, column))
        for number, key in enumerate(chosen, start=1):
            value = exp.Column(this=trees.identifier(self.reader.name("metrics", self.metrics[key])))
            columns.append(exp.alias_(exp.cast(value, exp.DataType.Type.DOUBLE), f"value_of_{number}"))
        tree = exp.select(*columns).from_(self.reader.source.relation.copy())
        if self.only is None:
            return tree
        return tree.where(exp.EQ(this=_model_column(self.reader), expression=trees.literal(str(self.only))))


def _model_column(reader: Reader) -> exp.Column:
    return exp.Column(this=trees.identifier(reader.name(MODEL, MODEL)))


def models_of(side: str, source: Source, session: DuckDB) -> list[object]:
    """Return the models of a source if its column of models names several; [] otherwise."""
    reader = Reader(source, side)
    if not reader.has(MODEL):
        return []
    column = _model_column(reader)
    held = session.rows(exp.select(column).distinct().from_(source.relation.copy()).order_by(column.copy()))
    return [model for (model,) in held] if len(held) > 1 else []


def part_of(
    model: str,
    source: Source,
    query: Sequence[str],
    by: Sequence[str],
    session: DuckDB,
    argument: str = "by",
    only: object = None,
) -> Part:
    """Return the values of a model in a source; `argument` is what names the columns of slices.

    Raises:
        UnknownNameError: a column is missing.
        DataError: the source holds several models, and `only` names none of them.
    """
    reader = Reader(source, f"values of {model!r}", [*query, *by])
    if (held := models_of(reader.side, source, session)) and (only is None or None in held):
        problem = f"{reader.side} ({source.label}): column {MODEL!r} holds several models, {commas(held)}"
        first = next(each for each in held if each is not None)
        # On the command line, `--values` needs a name.
        given = "" if can_pass("connection") else re.sub(r"[^\w.-]", "_", str(first)) + "="
        rows = _rows_of(source, reader.name(MODEL, MODEL), first)
        raise DataError(problem, fix=f"Pass the rows of each as a source, as in {given}{rows}")
    ids = dict.fromkeys(query, "query") | dict.fromkeys(by, argument)
    others = {MODEL, *(reader.name(argument, name).casefold() for name, argument in ids.items())}
    numbers = [name for name, kind in (source.columns or {}).items() if family_of(kind) in NUMBERS]
    metrics = {key_of(name): name for name in numbers if name.casefold() not in others}
    reader.untyped_as(ids, list(metrics.values()), session)
    reader.store(session)
    return Part(model, reader, query, by, metrics, only)


def _rows_of(source: Source, column: str, model: object) -> str:
    """Return what reads the rows of one of the models in a source."""
    if source.watched is None and source.label.endswith(" given"):
        return f"frame[frame[{column!r}] == {model!r}]"
    name, path = (trees.literal(str(text)).sql("duckdb") for text in (model, source.label))
    if source.watched is None:
        path = "(…)" if source.label == "the query" else source.relation.sql("duckdb")
    elif "=" in source.label and (form := format_of(source.label)) is not None:  # no directory is a column
        path = f"read_{form.name}({path}, hive_partitioning = false)"
    return f"(FROM {path} WHERE {MODEL} = {name})"


def _sources(values: Mapping[str, object], session: DuckDB) -> dict[str, Source]:
    """Return the source of the values of each model."""
    found = {}
    for number, (model, each) in enumerate(values.items(), start=1):
        try:
            found[model] = sources.find(each, session, f"values of {model!r}", f"values_{number}", is_result=True)
        except DataError as error:
            if not isinstance(each, (str, PathLike)) or format_of(str(each)) is not None:
                raise
            fix = f"{error.fix or ''} {runs_instead()}"  # it may be a TREC file
            raise DataError(error.problem, argument=error.argument, fix=fix) from error
    return found


def key_of(column: str) -> Key:
    """Return the metric and cutoff that a column is named after.

    >>> key_of("recall@10"), key_of("rr"), key_of("recall_at_10")
    (('recall', 10), ('rr', None), ('recall_at_10', None))
    """
    name, _, k = column.rpartition("@")
    return (name, int(k)) if name and k.isdecimal() else (column, None)


def compare_parts(
    parts: Sequence[Part],
    settings: Settings,
    session: DuckDB,
    wanted: Sequence[str] | None,
    argument: str,
    of_items: bool,
    slices: str,
    definitions: Mapping[str, Template] | None = None,
) -> Comparison:
    """Return the comparison of models whose values are in several sources; raises as `compare` does.

    Messages name the columns of the first source. `argument` is what asks for the metrics that are wanted. With
    `of_items`, slices are of items, and the rows without a slice are of whole queries. `definitions` has the metrics by
    name; by default they are those of this package.
    """
    query, by = parts[0].query, parts[0].by
    for key in ("query", "by"):
        for names in zip(*(getattr(part, key) for part in parts), strict=True):
            same = [(part.reader, key, name) for part, name in zip(parts, names, strict=True)]
            match(same, session, check=True, hint=False)
    chosen = _choose_metrics(parts, wanted, argument)
    columns = {key: f"value_of_{number}" for number, key in enumerate(chosen, start=1)}
    given = trees.union_all([part.select(chosen) for part in parts])
    values = QueryValues(given, query, by, columns, slices=slices)
    statement = ComparisonStatement(values, settings).of("numbered" if of_items else "per_query")
    with unchanged([part.reader.source.watched for part in parts if part.reader.source.watched is not None], session):
        relation = session.store(statement)
    values = replace(values, relation=relation, of_items=of_items)
    models = [part.model for part in parts]
    _check(values, models, settings, session)
    if definitions is None:
        own = templates.own_metrics()
        definitions = {name: own[base] for name, _ in chosen if (base := name.partition("(")[0]) in own}
    owner = Owner()
    owner.finalizer = session.keep(relation, owner)
    inputs = Inputs(session, values, [], chosen, owner, definitions, models)
    others = {part.metrics[key]: None for part in parts for key in part.metrics if key not in chosen}
    note = f"not compared, because some model lacks it: {', '.join(others)}"
    return compare_models(inputs, settings, [note] if others and wanted is None else [])


def _choose_metrics(parts: Sequence[Part], wanted: Sequence[str] | None, argument: str) -> list[Key]:
    """Return the metrics to compare: those wanted, or those of all parts in the order of the first."""
    common = [key for key in parts[0].metrics if all(key in part.metrics for part in parts)]
    if wanted is None and not common:
        columns = [f"{part.model!r} has {commas(part.metrics.values()) or 'none'}" for part in parts]
        problem = f"the models have no column of values in common: {some(columns, between='; ')}"
        raise ArgumentError(problem, argument="values", fix="Evaluate them with the same metrics")
    if wanted is None:
        return common
    keys = []
    for name in wanted:
        named = key_of(name)
        shared = [key for key in (named, key_of(own_name(name))) if key in common]
        if not shared:
            part = next(part for part in parts if named not in part.metrics)
            known = list(part.metrics.values())
            fix = f"{nearest(name, known)} It has {commas(known) or 'none'}"
            fix += f". {runs_instead()}" if argument == "not_below" and not common else ""
            side = f"{part.reader.side} ({part.reader.source.label})"
            raise UnknownNameError(f"{side} has no numeric column {name!r}", argument=argument, fix=fix)
        keys += shared[:1]
    return list(dict.fromkeys(keys))


def _check(values: QueryValues, models: Sequence[str], settings: Settings, session: DuckDB) -> None:
    """Raise `DataError` for a model without rows, a query that is NULL or there twice, a value that is not finite."""
    held = {model for (model,) in session.rows(exp.select(MODEL).distinct().from_(values.relation.copy()))}
    for model in models:
        if model not in held:
            raise DataError(f"there is no row for {model!r}", argument="values", fix="Check the file, or what wrote it")
    users = {**values.users_names, **dict(zip(values.names, map(write_metric, values.metrics), strict=True))}
    for name, fault in templates.comparisons()["faults"].items():
        statement = ComparisonStatement(values, settings)
        for row in session.dicts(Kept(statement, ComparisonStatement.of, "faults", variant=name, limit=1)):
            model, rule = row.pop("model"), fault.head["Rule"]
            example = pairs({users.get(column, column): value for column, value in row.items()})
            problem = f"values of {model!r}: {rule}, for example {example}"
            more = runs_instead() if name == "repeated" else ""
            raise DataError(problem, fix=f"{respelled(fault.head['Do'])} {more}")


def _check_common(comparison: Comparison) -> None:
    """Raise `DataError` if no model shares a query with the baseline."""
    over_all = [row for row in comparison.to_dicts() if is_over_all(row, comparison.by)]
    if any(row["queries"] for row in over_all):
        return
    problem = f"{over_all[0]['model']!r} and the baseline {comparison.settings.baseline!r} have no query in common"
    fix = "Check that both name the same queries in the same way"
    if comparison.by:
        columns = f"column{'s' if len(comparison.by) > 1 else ''} {commas(comparison.by)}"
        problem, fix = f"{problem} in the same slice", f"{fix}, and {columns} too, or leave out by="
    raise DataError(problem, argument="values", fix=fix)
