"""The functions of lists as text: in other dialects each is a statement of its own, by the same definitions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from string import ascii_lowercase

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.functions import Function, expand, substitute
from recall_duckdb.definitions.trees import Value
from recall_duckdb.dialects import evidence, find_dialect, write
from recall_duckdb.errors import ArgumentError, commas, quote
from recall_duckdb.macros.list_functions import (
    PLACE,
    QUERY,
    ROW,
    MetricRows,
    call,
    columns_of,
    field_of,
    helpers,
    let,
    names_in,
    of_metric,
    supported_metrics,
    with_columns,
)
from recall_duckdb.macros.names import CREATE_SCHEMA
from recall_duckdb.question.metrics import Metric, parse
from recall_duckdb.question.policies import Policies

_RANKS, _RELEVANCES = "_ranks", "_relevances"
# The same before they are sorted by rank.
_UNSORTED_RANKS, _UNSORTED_RELEVANCES = "_unsorted_ranks", "_unsorted_relevances"


@dataclass(frozen=True)
class _Frame:
    """How a dialect creates a function.

    Attributes:
        operations: the file of `sql/list_operations`.
        types: the type of each argument, with its default if the dialect has them.
        beginning: what stands between the arguments and the value.
        maps_several: whether it has arrayMap, whose lambda takes the items of several lists. ClickHouse copies any
            other list that a lambda reads for each item.
        declares: whether lists are variables with types. Trino fails on a function that reads the argument of another
            function around it, and takes minutes for such an expression.
        raises_in_condition: whether the function that raises an error takes the condition.
        has_lambdas: whether functions take lambdas. In BigQuery, a subquery reads the items instead, and
            `WITH(name AS value, …)` computes a value once.
        creates: how the statement begins. In BigQuery, only a temporary function needs no dataset.
    """

    operations: str
    types: Mapping[str, str]
    beginning: str
    maps_several: bool = False
    declares: bool = False
    raises_in_condition: bool = False
    has_lambdas: bool = True
    creates: str = "CREATE OR REPLACE FUNCTION"


def _types(ids: str, k: str, grades: str) -> dict[str, str]:
    return {"recommended": f" {ids}", "relevant": f" {ids}", "k": f" {k}", "grades": f" {grades}"}


_SPARK = _Frame(
    "spark",
    _types("ARRAY<STRING>", "BIGINT DEFAULT 10", "ARRAY<DOUBLE> DEFAULT NULL"),
    "(\n  {}\n)\nRETURNS DOUBLE\nRETURN",
)
FRAMES = {
    "bigquery": _Frame(
        "bigquery",
        _types("ARRAY<STRING>", "INT64", "ARRAY<FLOAT64>"),
        "(\n  {}\n)\nRETURNS FLOAT64\nAS",
        has_lambdas=False,
        creates="CREATE TEMP FUNCTION",
    ),
    "clickhouse": _Frame("clickhouse", {}, " AS ({}) ->", maps_several=True, raises_in_condition=True),
    "databricks": _SPARK,
    "spark": _SPARK,
    "trino": _Frame(
        "trino",
        _types("array(varchar)", "bigint", "array(double)"),
        "(\n  {}\n)\nRETURNS double\nNOT DETERMINISTIC\nBEGIN",
        declares=True,
    ),
}


# The type of a variable, by the operation that returns its value; a CASE chooses the grades.
_VARIABLES = {
    **dict.fromkeys(("list_sum", "list_max"), "double"),
    **dict.fromkeys(("list_transform", "running_sums", "sorted_by", ""), "array(double)"),
    **dict.fromkeys(("order_up", "order_down"), "array(bigint)"),
    "top_items": "array(varchar)",
}


def functions(metrics: str | Iterable[str] | None = None, *, dialect: str = "duckdb") -> str:
    """Return the statements that create functions of lists: the value of one query, from its ranked and relevant items.

    Args:
        metrics: the names of metrics, as in `evaluate`; default: all metrics that have a function. The cutoff is an
            argument of the function. In other dialects than DuckDB, options are written into it, and into its name:
            ndcg(gain=exponential) becomes ndcg_gain_exponential_at_k.
        dialect: duckdb, or one of bigquery, clickhouse, databricks, spark and trino.

    Returns:
        The text of the statements, one for each metric. The arguments are recommended, relevant, k and grades. In other
        dialects than DuckDB, each stands alone.

    Raises:
        UnknownNameError: there is no such metric or dialect.
        ArgumentError: the dialect has no functions of lists, or the metric cannot be computed from two lists.

    Example:
        >>> print(functions("recall", dialect="clickhouse").splitlines()[2])
        CREATE OR REPLACE FUNCTION recall_at_k AS (recommended, relevant, k, grades) ->
    """
    name = find_dialect(dialect).name
    if name == "snowflake":
        raise ArgumentError(
            "'snowflake' has no functions of lists, because nothing could test them: fakesnow does not run functions",
            argument="dialect",
            fix="Use `sql`, which reads rows",
        )
    if name not in (*FRAMES, "duckdb"):
        raise ArgumentError(
            f"{quote(name)} has no functions of lists",
            argument="dialect",
            fix=f"Dialects that have them: {commas(sorted([*FRAMES, 'duckdb']))}. For others, `sql` reads rows",
        )
    supported = {template.name: template for template in supported_metrics()}
    chosen = [Metric(each) for each in supported.values()] if metrics is None else parse(metrics)
    for metric in chosen:
        if metric.template.name not in supported:
            raise ArgumentError(
                f"{metric} cannot be computed from the lists of one query",
                argument="metrics",
                fix=f"Metrics that can: {commas(supported)}",
            )
        if "mean" in dict(metric.options):
            raise ArgumentError(
                f"{metric}: a function returns the value of one query, and mean is how values are averaged",
                argument="metrics",
                fix=f"Leave it out, as in {metric.template.name}",
            )
    if name == "duckdb":
        created = [
            *helpers(),
            *(of_metric(each) for each in {metric.template.name: metric.template for metric in chosen}.values()),
        ]
        return "\n".join([f"{CREATE_SCHEMA}\n", *(macro.text() for macro in created)])
    texts = {_name(metric): _create(metric, name) for metric in chosen}
    head = "-- The value of one query, from its ranked items and its relevant items."
    return "\n".join([f"{head}\n-- dialect: {name} ({evidence(name)})", *texts.values()])


def _name(metric: Metric) -> str:
    whole = replace(metric, k=None).column
    return f"{whole}_at_k" if "k" in metric.template.parameters else whole


def _create(metric: Metric, dialect: str) -> str:
    """Return the statement that creates the function of a metric."""
    frame = FRAMES[dialect]
    names = ["recommended", "relevant", *(["k"] if "k" in metric.template.parameters else []), "grades"]
    separator = ",\n  " if frame.types else ", "
    arguments = separator.join(f"{name}{frame.types.get(name, '')}" for name in names)
    beginning = f"{frame.creates} {_name(metric)}{frame.beginning.format(arguments)}"
    value = _say(_checked(metric, frame), frame)
    if not frame.declares:
        said = _expanded(value, frame)
        return f"{beginning}\n{write(said if frame.has_lambdas else exp.paren(said, copy=False), dialect)};\n"
    value, variables = _declared(value)
    lines = [
        f"  DECLARE {name} {kind} DEFAULT {write(_expanded(each, frame), dialect)};"
        for name, (kind, each) in variables.items()
    ]
    return "\n".join([beginning, *lines, f"  RETURN {write(_expanded(value, frame), dialect)};", "END;\n"])


def _declared(value: exp.Expr) -> tuple[exp.Expr, dict[str, tuple[str, exp.Expr]]]:
    """Return a value, and the variables that it reads, each with its type and its value, in their order."""
    holder: exp.Expr = exp.Paren(this=value)
    variables: dict[str, tuple[str, exp.Expr]] = {}
    while (named := _first_let(holder)) is not None:
        array, function = named.expressions[0].expressions
        [item] = array.expressions
        operation = item.name if isinstance(item, exp.Anonymous) else ""
        variables[function.expressions[0].name] = (_VARIABLES[operation], item)
        named.replace(function.this)
    return holder.this, variables


def _first_let(holder: exp.Expr) -> exp.Anonymous | None:
    """Return the expression around a named value that is computed first: values before those that read them."""
    first = None
    while lets := [each for each in trees.find(holder, exp.Anonymous) if _is_let(each)]:
        first = lets[0]
        holder = first.expressions[0].expressions[0]
    return first


def _is_let(call: exp.Anonymous) -> bool:
    mapped = call.expressions[0] if call.name == "list_extract" else None
    if not isinstance(mapped, exp.Anonymous) or mapped.name != "list_transform":
        return False
    return isinstance(mapped.expressions[0], exp.Array)


def _checked(metric: Metric, frame: _Frame) -> exp.Expr:
    """Return the value of a metric, or an error for a mistake in the arguments."""
    value = _value(metric)
    if metric.template.head.get("Empty") != "skip":
        value = exp.func("coalesce", value, trees.literal(0))
    mistakes = columns_of("mistakes", _facts(metric))["mistake"]
    cases = []
    for branch in mistakes.args["ifs"]:
        condition, message = branch.this, branch.args["true"]
        if not names_in(condition):  # only of the cutoff, which this metric does not take: BigQuery refuses NULL < 1
            continue
        if isinstance(message, exp.Null):
            cases.append(branch)
        elif frame.raises_in_condition:
            condition = call("raised_if", [exp.func("coalesce", condition, exp.false()), message])
            cases.append(exp.If(this=condition, true=exp.null()))
        else:
            cases.append(exp.If(this=condition, true=call("raised", [message])))
    return exp.Case(ifs=cases, default=value)


def _facts(metric: Metric) -> dict[str, exp.Expr]:
    """Return the arguments of `mistakes`."""
    has_k = "k" in metric.template.parameters
    options = metric.values(Policies().settings())
    judging = metric.judging(None)
    whole = has_k and replace(metric, k=1).depth is None
    return {
        **{name: exp.column(name) for name in ("recommended", "relevant", "grades")},
        "k": exp.column("k") if has_k else exp.null(),
        "needs_k": trees.literal(metric.template.head.get("Cutoff") == "required"),
        "whole": trees.literal(whole),
        "too_large": trees.literal(40 if judging.gain == "exponential" else 1e12),
        "max_grade": trees.literal(options.get("max_grade")),
    }


def _value(metric: Metric) -> exp.Expr:
    """Return the value of a metric from the lists of ranks and relevance."""
    arguments: dict[str, Value | exp.Expr] = {**metric.values(Policies().settings())}
    if "k" in metric.template.parameters:
        arguments["k"] = field_of(QUERY, "k")
    holder = exp.Paren(this=MetricRows(arguments, metric.template).value())
    retrieved, rows = call("list_length", [exp.column("recommended")]), call("places_of", [exp.column(_RELEVANCES)])
    of_query = {"k": exp.column("k"), "retrieved": retrieved, "rows": rows}
    of_row = _of_row(metric)
    for column in trees.find(holder, exp.Column):
        if column.table == QUERY:
            substitute(column, of_query[column.name].copy())
        elif column.table == ROW:
            substitute(column, of_row[column.name].copy())
    for function in trees.find(holder, exp.Lambda):
        if function.expressions[0].name == ROW:
            function.set("expressions", [exp.to_identifier(PLACE)])
    for name in trees.find(holder, exp.Identifier):  # in Trino, names of variables may not end in a number
        if numbered := re.fullmatch(r"_list_(\d+)", name.name):
            name.set("this", f"_list_{ascii_lowercase[int(numbered[1])]}")
    _name_running_sums(holder)
    return _with_lists(holder.this)


def _of_row(metric: Metric) -> dict[str, exp.Expr]:
    """Return the columns of a judged item, by its place in the lists."""
    columns = {
        "rank": call("list_extract", [exp.column(_RANKS), exp.column(PLACE)]),
        "relevance": call("list_extract", [exp.column(_RELEVANCES), exp.column(PLACE)]),
    }
    graded = templates.relations()["graded"][""].tree()
    trees.bind(graded, metric.judging(None).values())
    judged = {each.alias: with_columns(each.this, columns) for each in graded.expressions}
    return {**columns, "is_relevant": judged["is_relevant"], "gain": judged["gain"]}


def _name_running_sums(holder: exp.Expr) -> None:
    """Replace sums of the first items of a list by an item of the list of such sums, in place."""
    names = set()
    for total in trees.find(holder, exp.Anonymous):
        first = total.expressions[0] if total.name == "list_sum" else None
        if isinstance(first, exp.Anonymous) and first.name == "list_slice":
            items, _, place = first.expressions
            names.add(items.name)
            substitute(total, call("list_extract", [items, place]))
    for function in trees.find(holder, exp.Lambda):
        if function.parent is not None and function.expressions[0].name in names:
            [value] = function.parent.expressions[0].expressions
            value.replace(call("running_sums", [value]))


def _with_lists(value: exp.Expr) -> exp.Expr:
    """Return a value in which the names of the lists stand for these lists, sorted by rank only if that matters."""
    arguments = {name: exp.column(name) for name in ("recommended", "relevant", "grades")}
    lists = {name: exp.column(f"_{name}") for name in ("keys", "places")}
    unsorted = columns_of("lists", {**arguments, **lists, "items": exp.column(_UNSORTED_RANKS)})
    computed = [(_RANKS, unsorted["ranks"]), (_RELEVANCES, unsorted["relevances"])]
    if _reads_order(value):
        sorted_too = columns_of("lists", {**arguments, **lists, "items": exp.column(_UNSORTED_RELEVANCES)})
        computed = [
            (_UNSORTED_RANKS, unsorted["ranks"]),
            (_UNSORTED_RELEVANCES, unsorted["relevances"]),
            *((f"_{name}", unsorted[name]) for name in ("keys", "places")),
            (_RANKS, unsorted["sorted"]),
            (_RELEVANCES, sorted_too["sorted"]),
        ]
    for name, listed in reversed(computed):
        value = let(name, listed, value)
    return value


def _reads_order(value: exp.Expr) -> bool:
    places = [column for column in trees.find(value, exp.Column) if column.name == PLACE]
    is_read = any(each.name == "running_sums" for each in trees.find(value, exp.Anonymous))
    return is_read or any(getattr(place.parent, "name", "") != "list_extract" for place in places)


def _say(value: exp.Expr, frame: _Frame) -> exp.Expr:
    """Return a value whose operations are those of the dialect's file."""
    holder = exp.Paren(this=value)
    for each in reversed(trees.find(holder, exp.Anonymous)):
        if each.name == "list_grade_up":
            numbers, direction = each.expressions
            each.replace(call("order_down" if direction.name == "DESC" else "order_up", [numbers]))
        elif each.name == "list_transform":
            _map_items(each, frame)
    _share_arguments(holder, templates.list_operations(frame.operations))
    result: exp.Expr = holder.this
    return result


def _expanded(value: exp.Expr, frame: _Frame) -> exp.Expr:
    """Return a value with the functions of the dialect in place of operations."""
    holder = exp.Paren(this=value)
    operations = templates.list_operations(frame.operations)
    expand(holder, operations)
    _drop_unread(holder)
    for each in reversed(trees.find(holder, exp.Anonymous)):
        if each.name == "list_transform":
            items, function = each.expressions
            if not frame.has_lambdas:
                _read_by_subquery(each, operations["value_of_each"])
                continue
            mapped = ("arrayMap", [function, items]) if frame.maps_several else ("transform", [items, function])
            each.replace(call(*mapped))
    for paren in trees.find(holder, exp.Paren):
        if isinstance(paren.this, exp.Bracket):
            paren.replace(paren.this)
    result: exp.Expr = holder.this
    return result


def _read_by_subquery(mapped: exp.Anonymous, subquery: Function) -> None:
    """Replace, in place, a lambda over items by a subquery, and a lambda that names a value by `WITH(…)`."""
    items, function = mapped.expressions
    [name] = function.expressions
    if mapped.parent is not None and _is_one_value(items):
        value, rest = exp.Alias(this=name, alias=items.expressions[0]), function.this
        others = rest.expressions if isinstance(rest, exp.Anonymous) and rest.name == "WITH" else [rest]
        mapped.parent.replace(call("WITH", [value, *others]))
        return
    tree = subquery.body.copy()
    [read] = trees.find(tree, exp.Unnest)
    read.args["alias"].set("columns", [name.copy()])
    values = dict(zip(subquery.parameters, (items, function.this), strict=True))
    for column in trees.find(tree, exp.Column):
        if column.name in values:
            substitute(column, values[column.name].copy())
    mapped.replace(tree)


def _is_one_value(items: exp.Expr) -> bool:
    return isinstance(items, exp.Array) and not isinstance(items.expressions[0], exp.Query)


def _drop_unread(holder: exp.Expr) -> None:
    """Remove the lists that nothing reads, in place."""
    for function in reversed(trees.find(holder, exp.Lambda)):
        mapped = function.parent
        if not isinstance(mapped, exp.Anonymous) or mapped.name != "list_transform" or mapped.parent is None:
            continue
        if _is_one_value(mapped.expressions[0]) and function.expressions[0].name not in names_in(function.this):
            mapped.parent.replace(function.this)


def _share_arguments(holder: exp.Expr, operations: Mapping[str, Function]) -> None:
    """Compute once, in place, each argument that the body of an operation reads several times."""
    number = 0
    for each in reversed(trees.find(holder, exp.Anonymous)):
        if each.name not in operations:
            continue
        function, arguments = operations[each.name], list(each.expressions)
        names = [column.name for column in trees.find(function.body, exp.Column)]
        shared = {}
        for place, (parameter, argument) in enumerate(zip(function.parameters, arguments, strict=True)):
            if names.count(parameter) > 1 and not isinstance(argument, (exp.Column, exp.Literal, exp.Null)):
                name = f"_shared_{ascii_lowercase[number]}"
                number += 1
                shared[name] = argument
                arguments[place] = exp.column(name)
        value = call(each.name, arguments)
        for name, argument in shared.items():
            value = let(name, argument, value)
        if shared:
            each.replace(value)


def _map_items(mapped: exp.Anonymous, frame: _Frame) -> None:
    """Pass the items of lists to a function that reads them by their place, where the dialect can, in place."""
    items, function = mapped.expressions
    if not (isinstance(items, exp.Anonymous) and items.name == "places_of"):
        return
    reads = [
        each
        for each in trees.find(function, exp.Anonymous)
        if each.name == "list_extract" and each.expressions[1].name == PLACE
    ]
    if not reads:
        return
    lists = list(dict.fromkeys(each.expressions[0].name for each in reads))
    places = [column for column in trees.find(function.this, exp.Column) if column.name == PLACE]
    only_items = len(places) == len(reads)
    if not frame.maps_several and not (only_items and len(lists) == 1):
        return
    holder = exp.Paren(this=function.this)
    for each in reads:
        each.replace(exp.column(f"_item_of{each.expressions[0].name}"))
    names = [f"_item_of{name}" for name in lists]
    sources: list[exp.Expr] = [exp.column(name) for name in lists]
    if not only_items:
        names, sources = [PLACE, *names], [items, *sources]
    function = exp.Lambda(this=holder.this, expressions=[exp.to_identifier(name) for name in names])
    if len(sources) == 1:
        mapped.set("expressions", [sources[0], function])
    else:
        mapped.replace(call("arrayMap", [function, *sources]))
