"""Writes `sql/recall_duckdb.sql`: table macros and functions of lists, by the same definitions.

A definition is a chain of SELECTs over the judged items of many queries. A function has those of one query as a list of
structs, sorted by rank. An aggregate or a window of the definition becomes a function of that list. A table macro
applies the same functions to the lists of `_judged`. `sql/table_macros.sql` holds the statements as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from recall_duckdb import __version__
from recall_duckdb.compose.lists import ROW, ListForm, Lists, call, for_each, graded_columns, with_columns
from recall_duckdb.definitions import functions, templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.dialects import write
from recall_duckdb.dialects.values import powers_of_whole_numbers
from recall_duckdb.macros.installing import SCHEMA
from recall_duckdb.macros.package import without
from recall_duckdb.question import EvaluateQuestion
from recall_duckdb.question.metrics import Metric, options
from recall_duckdb.question.policies import DISTANCE, RANKS, Policies
from recall_duckdb.reading.usual_names import USUAL_NAMES

TOGETHER = ("recall", "precision", "f1", "hit_rate", "rr", "ap", "ndcg")
"""The metrics of ranking_metrics."""
IN_FULL = frozenset(
    (
        *("abs", "avg", "count", "exp", "favg", "floor", "fsum", "greatest", "isfinite", "isnan", "lead", "least"),
        *("list_count", "list_grade_up", "list_max", "list_position", "list_sum", "ln", "nullif", "power", "rank"),
        *("row_number", "sum"),
    )
)
"""The functions that a body calls by their full names, so that a macro of the user with one of these names changes no
value: those that compute numbers, except max and min. With all functions, the file would be a seventh larger."""
# The arguments that every table macro has, in their order. `sql(form="macro")` writes other policies.
_COMMON = (
    *("query", "item", "score", "rank", "relevance", "model", "by", "qrels_query", "qrels_item"),
    *("threshold", "missing", "no_relevant"),
)
# The checks of the data, in the order in which `evaluate` reports them. Of two faults in both relations, that of the
# run is reported.
_CHECKS = (
    *("empty_run", "empty_qrels", "qrels_joined_ids", "run_ids", "run_ranks", "run_text_lists", "qrels_ids"),
    *("qrels_text_lists", "no_common_item", "ranks", "ranks_gap", "run_duplicates", "run_scores", "gains", "grades"),
    *("padding", "qrels_duplicates", "qrels_range", "qrels_relevance", "slices_of_qrels", "missing"),
    *("no_common_query", "no_relevant", "nothing_relevant", "slice_nulls"),
)
# What texts of checks name, in the order of the values that `_told` puts there.
_TOLD = (
    *("query", "item", "qrels_query", "qrels_item", "score", "rank", "relevance", "by", "max_grade"),
    *("relevant_if", "advice"),
)
_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
# Sentences about inputs that macros do not take.
_NOT_TAKEN = re.compile(r"inside a list|list of one item|an empty list|in query=")
_QUERY = "_q"  # what the names of arguments belong to, until a body is complete


def text() -> str:
    """Return the file."""
    template = (templates.sql_folder() / "table_macros.sql").read_text("utf-8").partition("\n\n")[2]
    before, of_metric, after = template.split("-- $metric\n")
    metrics = {each.name: _of_metric(each) for each in supported_metrics()}
    filled = _filled("$metrics".join([before, after]), _values([metrics[name] for name in TOGETHER]))
    filled = filled.replace("$metrics", "".join(_filled(of_metric, values) for values in metrics.values()))
    filled = filled.replace("$macros", _array(dict.fromkeys(re.findall(rf"MACRO {SCHEMA}\.(\w+)\(", filled))))
    return re.sub(rf"(?<![\w.])({'|'.join(sorted(IN_FULL))})(?=\()", r"system.main.\1", filled, flags=re.IGNORECASE)


def supported_metrics() -> list[Template]:
    """Return the metrics that have a function: those of the judged items of a query, and of nothing else."""
    return [template for template in templates.own_metrics().values() if template.may_be_in_lists]


def _filled(template: str, values: Mapping[str, str]) -> str:
    return re.sub(r"\$(\w+)", lambda name: values.get(name[1], name[0]), template)


def _values(together: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """Return what stands for each `$name` in `sql/table_macros.sql`, with the values of the metrics of `TOGETHER`."""
    metrics = [templates.own_metrics()[name] for name in TOGETHER]
    columns = [f"CASE WHEN _is_counted THEN {each['of_query']} END AS {each['metric']}" for each in together]
    return {
        **{name: str(place) for place, name in enumerate(_CHECKS, start=1)},
        "distance": _literal(f"(?i){DISTANCE}"),
        "usual_ranks": _literal("|".join(RANKS)),
        "usual_models": _literal("|".join(USUAL_NAMES["model"])),
        "nested": str(len(_CHECKS) + 1),
        "version": __version__,
        "checks": _array(_CHECKS),
        "texts": _array(map(_told, _CHECKS)),
        "judged_rows": _judged_rows(),
        **_common(),
        "options": _with_defaults({"k": 10} | _own_options(metrics)) + _common()["common"],
        "names": _array(TOGETHER),
        "of_names": ", ".join(each["of_query"] for each in together),
        "columns_of_names": ",\n    ".join(columns),
        "more": _more(metrics),
    }


def _of_metric(template: Template) -> dict[str, str]:
    """Return what stands for each `$name` in the part of `sql/table_macros.sql` for each metric."""
    parameters, value = _judged_form(template)
    own, has_k, is_skipped = _own_options([template]), "k" in template.parameters, template.head.get("Empty") == "skip"
    cutoff = {"k": 10} if has_k else {}

    def called(of_query: str, of_option: str, otherwise: str) -> str:
        given = {name: of_query + name for name in ("judged", "retrieved", "k")}
        given |= {name: of_option + name for name in own}
        numbers = {name for name, default in own.items() if not isinstance(default, str)}
        arguments = [f"CAST({given[name]} AS DOUBLE)" if name in numbers else given[name] for name in parameters]
        value = f"{SCHEMA}._{template.name}({', '.join(arguments)})"
        return value if is_skipped else f"coalesce({value}, {otherwise})"

    return {
        "metric": template.name,
        "public": f"{template.name}_at_k" if has_k else template.name,
        "about": template.definition,
        "parameters": ", ".join(parameters),
        "value": value,
        "k": "k" if has_k else "NULL",
        "defaults": _with_defaults(cutoff | own),
        "of_lists": _with_defaults(cutoff | {"grades": None, "threshold": None} | own).removesuffix(", "),
        "of_query": called("_", "", "_otherwise"),
        "of_list": called("_q.q.", "_q.", "0"),
        "own": "".join(f", {_literal(name)}: {name}" for name in own if name in parameters),
        "sums": ", _sums := TRUE" if template.head.get("Mean") == "sum" else "",
        "more": _more([template]),
        **_common(),
    }


def _common() -> dict[str, str]:
    """Return the arguments that every table macro has, as names and with their defaults."""
    names = [write(exp.to_identifier(name), "duckdb") for name in _COMMON]  # `by` needs quotes
    defaults = [EvaluateQuestion.__dataclass_fields__[name].default for name in _COMMON]
    common = _with_defaults(dict(zip(names, defaults, strict=True))).removesuffix(", ")
    return {"given": ", ".join(names), "columns": ", ".join(names[:-2]), "common": common}


def _more(metrics: Sequence[Template]) -> str:
    """Return what these metrics pass to `_judged` or `_of_lists` in addition to the common arguments."""
    whole = any("k" in each.parameters and replace(Metric(each), k=1).depth is None for each in metrics)
    facts = {"whole": whole, "required": any(each.head.get("Cutoff") == "required" for each in metrics)}
    # A metric with an option `gain` of its own computes the gains itself.
    own = {name for each in metrics for name in _own_options([each]) if name != "gain" or name not in each.options}
    found = {name: option for each in metrics for name, option in options(each).items()}
    wrong = [_wrong(found[name]) for name in found if name in _own_options(metrics)]
    given = [f", _{fact} := TRUE" for fact, is_so in facts.items() if is_so]
    given += [f", _{name} := {name}" for name in ("gain", "max_grade") if name in own]
    mistake = f"coalesce({', '.join(wrong)})" if wrong[1:] else "".join(wrong)
    return "".join([*given, *([f", _mistake := {mistake}"] if wrong else [])])


def _wrong(option: Option) -> str:
    """Return the message for an option that has no allowed value, as an expression."""
    name, choices = option.name, [choice for choice in option.choices if choice != templates.TABLE]
    low, high = (">=" if option.closed[0] else ">"), ("<=" if option.closed[1] else "<")
    allowed = f"{name} {low} {option.low:.15g} AND {name} {high} {option.high:.15g}"
    if choices:
        allowed = f"{name} IN ({', '.join(map(_literal, choices))})"
    expected = str(replace(option, choices=tuple(choices))).partition(" (")[0].replace(" is ", ": ", 1)
    return f"{SCHEMA}._wrong({allowed}, {name}, {_literal(expected)})"


def _own_options(metrics: Sequence[Template]) -> dict[str, object]:
    """Return the options of metrics that are arguments of their macros only, with their defaults."""
    chosen = {name: value for each in metrics for name, value in Metric(each).values(Policies().settings()).items()}
    names = [name for each in metrics for name in options(each) if name not in ("threshold", "mean")]
    return {name: chosen[name] for name in names}


def _judged_rows() -> str:
    """Return the judged items of a query with gain and is_relevant."""
    given = {"threshold": exp.column("threshold"), "threshold_as_float": exp.column("as_float")}
    graded = graded_columns({**Policies().settings(), **given, "gain": exp.column("gain_kind")})
    for branch in trees.find(graded["gain"], exp.If):
        if branch.find(exp.Bracket):  # gain = table: functions have no such option
            branch.pop()
    columns: dict[str, exp.Expr] = {name: exp.column(name, table=ROW) for name in ("rank", "relevance")}
    columns |= {name: with_columns(value, columns) for name, value in graded.items()}
    return _written(for_each(exp.column("judged"), trees.struct(columns)))


def _judged_form(template: Template) -> tuple[list[str], str]:
    """Return the parameters and the body of the function of the judged items of a query."""
    own = [name for name in options(template) if name in template.parameters]
    parameters = ["judged", "retrieved", *(["k"] if "k" in template.parameters else []), *own]
    judged = exp.column("judged", table=_QUERY)
    ideal = exp.Paren(this=call("sorted_down", [for_each(judged, exp.column("gain", table=ROW))]))
    functions.expand(ideal, templates.shared_functions())
    columns: dict[str, exp.Expr] = {
        name: exp.column(name, table=ROW) for name in ("rank", "relevance", "is_relevant", "gain")
    }
    columns |= {"is_recommended": trees.literal(1), "recommended": exp.column("retrieved", table=_QUERY)}
    lists = Lists(judged, judged, exp.column("_list_0"), "", "gain", holds_all=True)
    form = ListForm(lists, columns, [ideal.this])
    value = form.value(template, {name: exp.column(name, table=_QUERY) for name in parameters})
    for name, listed in reversed(form.needed([value]).items()):  # each list is computed once
        body = exp.Lambda(this=value, expressions=[exp.to_identifier(name)])
        values = call("list_transform", [exp.Array(expressions=[listed]), body])
        value = exp.Bracket(this=values, expressions=[trees.literal(1)], offset=1)
    value = exp.Paren(this=value)
    given = [field for field in trees.find(value, exp.Column) if field.table == _QUERY]
    for field in given:
        field.set("table", None)
    if not any(field.name == "retrieved" for field in given):
        parameters.remove("retrieved")
    return parameters, _written(value.this)


def _told(name: str) -> str:
    """Return the rule of a check, '<do>' and what to do, as macros say it: without what they do not take."""
    head = templates.checks()[name].head
    told = "<do>".join(without(head[field], _NOT_TAKEN) for field in ("Rule", "Do"))
    if not set(_ARGUMENT.findall(told)) <= set(_COMMON):
        told += " {advice}"
    told = _ARGUMENT.sub(lambda match: f"{match[1]} := " if match[1] in _COMMON else match[0], told)
    told = re.sub(r"\b([a-z_]+)=(?=[ ,.])", r"\1", told)  # an argument without a value

    def placed(column: re.Match[str]) -> str:
        place = f"{{{_TOLD.index(column[1])}}}"
        return place if column[1] in ("max_grade", "relevant_if", "advice") else f"column '{place}'"

    return re.sub(r"\{(\w+)\}", placed, told)


def _with_defaults(arguments: Mapping[str, object]) -> str:
    return "".join(f"{name} := {_literal(value)}, " for name, value in arguments.items())


def _array(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_literal, values))}]"


def _literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return "NULL" if value is None else str(value)


def _written(tree: exp.Expr) -> str:
    powers_of_whole_numbers(tree)
    return write(tree, "duckdb")
