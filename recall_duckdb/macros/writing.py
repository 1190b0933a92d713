"""Writes `sql/recall_duckdb.sql`: table macros and functions of lists, by the same definitions.

A definition is a chain of SELECTs over the judged items of many queries. A function has those of one query as a list of
structs, sorted by rank. An aggregate or a window of the definition becomes a function of that list. A table macro
applies the same functions to the lists of `_judged`, which `sql/table_macros.sql` holds as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import fill

import sqlglot
from sqlglot import exp

from recall_duckdb import __version__
from recall_duckdb.compose.lists import ROW, ListForm, Lists, for_each, graded_columns, with_columns
from recall_duckdb.definitions import functions, templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.dialects import write
from recall_duckdb.dialects.qualified import name_in_full
from recall_duckdb.dialects.values import powers_of_whole_numbers
from recall_duckdb.macros.installing import SCHEMA
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
_ALONE = re.compile(r"\b([a-z_]+)=(?=[ ,.])")  # an argument without a value
# Sentences about inputs that macros do not take.
_NOT_TAKEN = re.compile(r"inside a list|list of one item|an empty list|in query=")
# What the functions of metrics call, with its arguments: the judged items of a query, and the message for a mistake. A
# statement with several functions computes each once, because the calls are the same.
_LISTS = ("recommended", "relevant")
_OF_JUDGED = ("grades", "threshold", "gain")
_OF_FAULT = ("grades", "threshold", "k", "gain", "needs_k", "whole", "max_grade")
_NO_BREAK = "\u00a0:=\u00a0"
_QUERY = "_q"  # the name of a lambda parameter; no argument has it


@dataclass(frozen=True)
class Macro:
    """A table macro, or a function, whose body is an expression. They may share a name: the place of a call decides."""

    name: str
    description: str
    arguments: Sequence[str]
    defaults: Mapping[str, object]
    body: str | exp.Expr

    def text(self) -> str:
        """Return the statement that creates the macro."""
        body = self.body if isinstance(self.body, str) else _written(self.body)
        arguments = ", ".join(filter(None, [*self.arguments, _with_defaults(self.defaults)]))
        head = f"CREATE MACRO {SCHEMA}.{self.name}({arguments.replace(' := ', _NO_BREAK)}) AS"
        created = fill(head, 120, subsequent_indent="  ", break_on_hyphens=False).replace(_NO_BREAK, " := ")
        return f"-- {self.description}\n{created}\n{body};\n" if self.description else f"{created}\n{body};\n"


def text() -> str:
    """Return the file. A macro comes after those that it calls, which DuckDB plans when it creates it."""
    template = (templates.sql_folder() / "table_macros.sql").read_text("utf-8").partition("\n\n")[2]
    template = re.sub(rf"(?<![\w.])({'|'.join(sorted(IN_FULL))})\(", r"system.main.\1(", template)
    own = [each.text() for each in sorted([*_table_macros(), *list_functions()], key=lambda macro: macro.name)]
    # When DuckDB creates a macro, it plans those that it calls. With this one, DuckDB 1.4 would take ten times as long.
    before, lists, after = re.split(r"(CREATE MACRO \w+\._lists\([^;]*;\n)", re.sub(r" +-- .*", "", template))
    head = lists.partition("AS TABLE")[0]
    short = f"{head}AS TABLE FROM query(run);\n"
    written = "\n".join([f"{before}{short}{after}", "".join(own), f"-- In place of the short one above.\n{lists}"])
    filled = written.replace("CREATE MACRO", "CREATE OR REPLACE MACRO")
    values = _values() | {"macros": _array(dict.fromkeys(re.findall(rf"MACRO {SCHEMA}\.(\w+)\(", filled)))}
    return re.sub(r"\$(\w+)\b(?!\$)", lambda name: values.get(name[1], name[0]), filled)


def supported_metrics() -> list[Template]:
    """Return the metrics that have a function: those of the judged items of a query, and of nothing else."""
    return [template for template in templates.own_metrics().values() if template.may_be_in_lists]


def list_functions() -> list[Macro]:
    """Return the functions of each metric that has one: of judged items, and of lists."""
    return [*map(_of_judged, supported_metrics()), *map(_of_lists, supported_metrics())]


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


def _of_judged(template: Template) -> Macro:
    """Return the function of the judged items of a query; NULL where the definition has no value."""
    arguments = ["judged", "retrieved", *_settings(template)]
    judged = exp.column("judged", table=_QUERY)
    ideal = exp.Paren(this=_call("sorted_down", [for_each(judged, exp.column("gain", table=ROW))]))
    functions.expand(ideal, templates.shared_functions())
    columns: dict[str, exp.Expr] = {
        name: exp.column(name, table=ROW) for name in ("rank", "relevance", "is_relevant", "gain")
    }
    columns |= {"is_recommended": trees.literal(1), "recommended": exp.column("retrieved", table=_QUERY)}
    lists = Lists(judged, judged, exp.column("_list_0"), "", "gain", holds_all=True)
    form = ListForm(lists, columns, [ideal.this])
    value = form.value(template, {name: exp.column(name, table=_QUERY) for name in arguments})
    for name, listed in reversed(form.needed([value]).items()):  # each list is computed once
        value = _let(name, listed, value)
    value = exp.Paren(this=value)
    if not any(field.name == "retrieved" for field in trees.find(value, exp.Column)):
        arguments.remove("retrieved")
    for field in trees.find(value, exp.Column):
        if field.table == _QUERY:
            field.replace(exp.column(field.name))
    return Macro(f"_{template.name}", "", arguments, {}, value.this)


def _of_lists(template: Template) -> Macro:
    """Return the function of a metric for users."""
    own, arguments = _own_options(template), _of_judged(template).arguments
    defaults = {**_cutoff(template), "grades": None, "threshold": None, **own}
    judging = [name for name in _OF_JUDGED if name in defaults and (name != "gain" or name not in template.options)]
    faulty = [name for name in _OF_FAULT if name in judging or (name in ("k", "max_grade") and name in defaults)]
    parts = {"judged": _with_names("_judged_list", judging), "retrieved": exp.func("len", exp.column("recommended"))}
    parts = {name: {**parts, **_settings(template)}[name] for name in arguments}
    value = _call(f"_{template.name}", [exp.column(name, table=_QUERY) for name in arguments])
    if template.head.get("Empty") != "skip":
        value = exp.func("coalesce", value, trees.literal(0))
    is_judged = exp.not_(exp.column("judged", table=_QUERY).is_(exp.null()))
    value = _let(_QUERY, trees.struct(parts), exp.Case(ifs=[exp.If(this=is_judged, true=value)]))
    fault = _with_names("_list_fault", faulty, _facts(template))
    if own:
        fault = exp.func("coalesce", sqlglot.parse_one(_mistake([template]), read="duckdb"), fault)
    raised = _call("error", [fault])  # NULL without a fault
    return Macro(_public(template), "", _LISTS, defaults, exp.func("coalesce", raised, value))


def _table_macros() -> list[Macro]:
    """Return the macro of each metric that has a function of lists, and that of several metrics."""
    about = f"The means of {', '.join(TOGETHER)}: metric, k, value, queries."
    each = [_of_means(_public(each), each.definition, [each]) for each in supported_metrics()]
    together = [templates.own_metrics()[name] for name in TOGETHER]
    return [*each, _of_means("ranking_metrics", about, together)]


def _of_means(name: str, description: str, metrics: Sequence[Template]) -> Macro:
    """Return a macro of the means of metrics."""
    listed = f", {_array(each.name for each in metrics)}, [{', '.join(map(_value, metrics))}]"
    sums = ", _sums := TRUE" if metrics[0].head.get("Mean") == "sum" else ""
    common = ", ".join(["run", "qrels", "k" if any(map(_cutoff, metrics)) else "NULL", *map(_named, _COMMON)])
    body = f"TABLE\nFROM {SCHEMA}._means({common}{listed}{sums}{''.join(_of_helper(metrics))})"
    return Macro(name, description, ("run", "qrels"), _defaults(metrics), body)


def _defaults(metrics: Sequence[Template]) -> dict[str, object]:
    """Return the arguments of the table macro of metrics, with their defaults."""
    own = {name: value for each in metrics for name, value in _own_options(each).items()}
    return {**({"k": 10} if any(map(_cutoff, metrics)) else {}), **own, **_common()}


def _of_helper(metrics: Sequence[Template]) -> list[str]:
    """Return what these metrics pass to `_judged` in addition to the common arguments."""
    facts = [f", _{fact} := TRUE" for fact in ("whole", "required") if any(_facts(each)[fact] for each in metrics)]
    # A metric with an option `gain` of its own computes the gains itself.
    own = {name for each in metrics for name in _own_options(each) if name != "gain" or name not in each.options}
    mistake = _mistake(metrics)
    given = [f", _{name} := {name}" for name in ("gain", "max_grade") if name in own]
    return [*facts, *given, *([f", _mistake := {mistake}"] if mistake else [])]


def _value(template: Template) -> str:
    """Return the value of a query, as an expression over the columns of `_judged`."""
    given = {**_settings(template), **{name: exp.column(f"_{name}") for name in ("judged", "retrieved", "k")}}
    call = _call(f"_{template.name}", [given[name] for name in _of_judged(template).arguments])
    return _written(call) if template.head.get("Empty") == "skip" else f"coalesce({_written(call)}, _otherwise)"


def _common() -> dict[str, object]:
    return {name: EvaluateQuestion.__dataclass_fields__[name].default for name in _COMMON}


def _public(template: Template) -> str:
    """Return the name of the function and the table macro of a metric, as in dbt."""
    return f"{template.name}_at_k" if _cutoff(template) else template.name


def _cutoff(template: Template) -> dict[str, object]:
    return {"k": 10} if "k" in template.parameters else {}


def _own_options(template: Template) -> dict[str, object]:
    """Return the options of a metric that are arguments of its macros only, with their defaults."""
    chosen = Metric(template).values(Policies().settings())
    return {name: chosen[name] for name in options(template) if name not in ("threshold", "mean")}


def _settings(template: Template) -> dict[str, exp.Expr]:
    """Return the parameters of a metric, the cutoff first, as the arguments give them."""
    own = [option for name, option in options(template).items() if name in template.parameters]
    given = {
        each.name: exp.column(each.name) if each.choices else exp.cast(exp.column(each.name), "DOUBLE") for each in own
    }
    cutoff = exp.TryCast(this=exp.cast(exp.column("k"), "VARCHAR"), to=exp.DataType.build("BIGINT"))
    return {**({"k": cutoff} if _cutoff(template) else {}), **given}


def _facts(template: Template) -> dict[str, bool]:
    """Return whether a metric needs a cutoff, and whether it reads whole lists whatever its cutoff."""
    whole = bool(_cutoff(template)) and replace(Metric(template), k=1).depth is None
    return {"required": template.head.get("Cutoff") == "required", "whole": whole}


def _mistake(metrics: Sequence[Template]) -> str:
    """Return the message for the first wrong option of metrics, as an expression; '' without options."""
    found = {option.name: option for each in metrics for option in options(each).values()}
    wrong = [_wrong(option) for name, option in found.items() if name not in ("threshold", "mean")]
    return f"coalesce({', '.join(wrong)})" if wrong[1:] else "".join(wrong)


def _wrong(option: Option) -> str:
    name, choices = f'"{option.name}"', [choice for choice in option.choices if choice != templates.TABLE]
    if choices:
        allowed = f"{name} IN ({', '.join(map(_literal, choices))})"
        expected = f"{', '.join(choices[:-1])} or {choices[-1]}"
    else:
        low, high = (">=" if option.closed[0] else ">"), ("<=" if option.closed[1] else "<")
        allowed = f"{name} {low} {option.low:.15g} AND {name} {high} {option.high:.15g}"
        expected = str(option).partition(" (")[0].removeprefix(f"{option.name} is ")
    return f"{SCHEMA}._wrong({allowed}, {name}, {_literal(f'{option.name}: {expected}')})"


def _values() -> dict[str, str]:
    """Return what stands for each `$name` in `sql/table_macros.sql`."""
    together = [templates.own_metrics()[name] for name in TOGETHER]
    columns = [f"CASE WHEN _is_counted THEN {_value(each)} END AS {each.name}" for each in together]
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
        "common": _with_defaults(_common()),
        "options": _with_defaults(_defaults(together)),
        "values": ",\n    ".join(columns),
        "more": "".join(_of_helper(together)),
    }


def _told(name: str) -> str:
    """Return the rule of a check, '<do>' and what to do, as macros say it: without what they do not take."""
    head = templates.checks()[name].head
    return f"{_told_text(head['Rule'])}<do>{_told_text(head['Do'])}"


def _told_text(text: str) -> str:
    sentences = [each for each in re.split(r"(?<=\.) ", " ".join(text.split())) if not _NOT_TAKEN.search(each)]
    if not set(_ARGUMENT.findall(" ".join(sentences))) <= set(_COMMON):
        sentences.append("{advice}")
    shown = " ".join(sentences)
    shown = _ARGUMENT.sub(lambda match: f"{_named(match[1])} := " if match[1] in _COMMON else match[0], shown)
    shown = _ALONE.sub(r"\1", shown).replace("{", "{{").replace("}", "}}")
    for place, column in enumerate(_TOLD):
        quotes = "" if column in ("max_grade", "relevant_if", "advice") else "'"
        shown = shown.replace(f"{{{{{column}}}}}", f"{'column ' if quotes else ''}{quotes}{{{place}}}{quotes}")
    return shown


def _literal(value: object) -> str:
    return write(trees.literal(value), "duckdb")  # type: ignore[arg-type]


def _with_defaults(arguments: Mapping[str, object]) -> str:
    return ", ".join(f"{_named(name)} := {_literal(value)}" for name, value in arguments.items())


def _array(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_literal, values))}]"


def _named(argument: str) -> str:
    """Return the name of an argument as a call of the macro writes it; a reserved word needs quotes.

    >>> _named("score"), _named("order")
    ('score', '"order"')
    """
    return write(exp.to_identifier(argument), "duckdb")


def _written(tree: exp.Expr) -> str:
    powers_of_whole_numbers(tree)
    name_in_full(holder := exp.Paren(this=tree), IN_FULL)  # the body itself may be a call
    return write(holder.this, "duckdb")


def _with_names(name: str, arguments: Sequence[str], facts: Mapping[str, bool] | None = None) -> exp.Expr:
    """Return the call of a macro with the lists, and other arguments: the first ones by place, and others by name."""
    names = {"required": "needs_k", "whole": "whole"}
    values: dict[str, exp.Expr] = {each: exp.column(each) for each in arguments}
    values |= {names[fact]: exp.true() for fact, is_so in (facts or {}).items() if is_so}
    by_place = [each for place, each in zip(_OF_FAULT, values, strict=False) if place == each]
    others = [each for each in values if each not in by_place]
    named = [exp.PropertyEQ(this=exp.to_identifier(each), expression=values[each]) for each in others]
    return _call(name, [*map(exp.column, (*_LISTS, *by_place)), *named])


def _call(name: str, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the call of a function; a name that begins with an underscore is one of our macros."""
    call = exp.Anonymous(this=name, expressions=[each.copy() for each in arguments])
    return exp.Dot(this=exp.to_identifier(SCHEMA), expression=call) if name.startswith("_") else call


def _let(name: str, value: exp.Expr, body: exp.Expr) -> exp.Expr:
    """Return an expression in which a name stands for a value that is computed once."""
    function = exp.Lambda(this=body, expressions=[exp.to_identifier(name)])
    values = _call("list_transform", [exp.Array(expressions=[value]), function])
    return exp.Bracket(this=values, expressions=[trees.literal(1)], offset=1)
