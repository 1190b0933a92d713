"""Functions over lists: the value of one query from its ranked items and its relevant items, by the same definitions.

A definition is a chain of SELECTs over the judged items of many queries. A function has those of one query as a list of
structs, sorted by rank. An aggregate or a window of the definition becomes a function of that list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sqlglot import exp

from recall_duckdb.compose.lists import ROW, ListForm, Lists, for_each, with_columns
from recall_duckdb.definitions import functions, templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.macros.arguments import double, error, expression, wrong_options
from recall_duckdb.macros.creating import Macro
from recall_duckdb.macros.names import SCHEMA, argument
from recall_duckdb.question.metrics import Metric, options
from recall_duckdb.question.policies import Policies

# The arguments of every function without a default.
_LISTS = ("recommended", "relevant")
# What the functions of metrics call, with its arguments: the judged items of a query, and the message for a mistake. A
# statement with several functions computes each once, because the calls are the same.
_JUDGED, _OF_JUDGED = "_judged_list", {"grades": None, "threshold": None, "gain": "linear"}
_FAULT = "_list_fault"
_OF_FAULT = {
    **{"grades": None, "k": None, "threshold": None, "gain": "linear"},
    **{"needs_k": False, "whole": False, "max_grade": None},
}
_QUERY = "_q"  # the name of a lambda parameter; no argument has it
_FOR_USERS = "The same for one query, from lists."
_FOR_FUNCTIONS = "Not for users: "


def of_metrics() -> list[Macro]:
    """Return the function of each metric that has one."""
    return [_of_metric(template) for template in supported_metrics()]


def helpers() -> list[Macro]:
    """Return what the functions of metrics call, and the macros of tables."""
    return [_judged(), _fault(), *map(_of_judged, supported_metrics())]


def public_name(template: Template) -> str:
    """Return the name of the function and the table macro of a metric, as in dbt."""
    return f"{template.name}_at_k" if "k" in template.parameters else template.name


def value_of(template: Template, values: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the call of the function that computes a metric from these judged items, retrieved items and settings."""
    return _call(_value_name(template), [values[name] for name in ("judged", "retrieved", *settings(template))])


def settings(template: Template) -> dict[str, exp.Expr]:
    """Return the parameters of a metric, the cutoff first, as the arguments give them."""
    own = [option for name, option in options(template).items() if name in template.parameters]
    given = {each.name: argument(each.name) if each.choices else double(argument(each.name)) for each in own}
    cutoff = exp.TryCast(this=exp.cast(argument("k"), "VARCHAR"), to=exp.DataType.build("BIGINT"))
    return {**({"k": cutoff} if "k" in template.parameters else {}), **given}


def reads_whole_lists(template: Template) -> bool:
    """Return True if a metric reads whole lists whatever its cutoff."""
    return replace(Metric(template), k=1).depth is None


def _value_name(template: Template) -> str:
    return f"_{template.name}"


def supported_metrics() -> list[Template]:
    """Return the metrics that have a function: those of the judged items of a query, and of nothing else."""
    of_judged = [template for template in templates.own_metrics().values() if template.reads == ["judged"]]
    return [each for each in of_judged if not each.of_whole_run and each.tree().find(exp.Join) is None]


def _judged() -> Macro:
    graded = templates.relations()["graded"][""].tree()
    fields = _fields_of([*_LISTS, *_OF_JUDGED])
    threshold, rounded = double(fields["threshold"]), expression("as_float", number=fields["threshold"])
    given = {"threshold": threshold, "threshold_as_float": rounded, "gain": fields["gain"]}
    trees.bind(graded, {**Policies().settings(), **given})
    for branch in list(trees.find(graded, exp.If)):
        if branch.find(exp.Bracket):  # gain = table: functions have no such option
            branch.pop()
    columns: dict[str, exp.Expr] = {name: _field_of(ROW, name) for name in ("rank", "relevance")}
    for each in graded.expressions:
        if each.alias in ("is_relevant", "gain"):
            columns[each.alias] = with_columns(each.this, columns)
    rows = for_each(_value_of("judged", fields), _struct(columns))
    description = f"{_FOR_FUNCTIONS}the judged items of a query, in the order of their ranks."
    return Macro(_JUDGED, description, _LISTS, _OF_JUDGED, _let(_QUERY, _arguments(fields), rows))


def _fault() -> Macro:
    fields = _fields_of([*_LISTS, *_OF_FAULT])
    description = f"{_FOR_FUNCTIONS}the message for the first mistake in the arguments, NULL if there is none."
    body = _let(_QUERY, _arguments(fields), _value_of("fault", fields))
    return Macro(_FAULT, description, _LISTS, _OF_FAULT, body)


def _value_of(name: str, values: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the expression of the only column of a file of `sql/list_functions`."""
    tree = templates.list_functions()[name][""].tree()
    trees.bind(tree, values)
    for mapped in reversed(trees.find(tree, exp.Transform)):  # sqlglot 27 reads list_transform as any other function
        mapped.replace(_call("list_transform", [mapped.this, mapped.expression]))
    value: exp.Expr
    [value] = [each.this for each in tree.expressions]
    return value


def _fields_of(names: Sequence[str]) -> dict[str, exp.Expr]:
    return {name: _field_of(_QUERY, name) for name in names}


def _arguments(names: Iterable[str]) -> exp.Struct:
    """Return the values of arguments, outside a lambda, which cannot hold an aggregate."""
    return _struct({name: argument(name) for name in names})


def _of_judged(template: Template) -> Macro:
    """Return the function of the judged items of a query; NULL where the definition has no value."""
    arguments = ["judged", "retrieved", *settings(template)]
    value = exp.Paren(this=_value(template, _fields_of(arguments)))
    for field in trees.find(value, exp.Column):
        if field.table == _QUERY:
            field.replace(argument(field.name))
    return Macro(_value_name(template), f"{_FOR_FUNCTIONS}{template.name} of judged items.", arguments, {}, value.this)


def _of_metric(template: Template) -> Macro:
    """Return the function of a metric."""
    cutoff = {"k": 10} if "k" in template.parameters else {}
    own = {name: option for name, option in options(template).items() if name != "mean"}
    chosen = Metric(template).values(Policies().settings())
    defaults = {**cutoff, "grades": None, **{name: chosen[name] for name in own}}
    given = settings(template)
    judging = [name for name in _OF_JUDGED if name in defaults and (name != "gain" or name not in template.options)]
    parts = {
        **given,
        "judged": _with_names(_JUDGED, {name: argument(name) for name in judging}),
        "fault": _with_names(_FAULT, _facts(template, defaults)),
        "retrieved": exp.cast(exp.func("len", argument("recommended")), "BIGINT"),
    }
    value = value_of(template, _fields_of(["judged", "retrieved", *given]))
    if template.head.get("Empty") != "skip":
        value = exp.func("coalesce", value, trees.literal(0))
    cases = wrong_options([option for name, option in own.items() if name != "threshold"])
    fault: exp.Expr = _field_of(_QUERY, "fault")
    if cases.args["ifs"]:
        parts["mistake"] = cases
        fault = exp.func("coalesce", _field_of(_QUERY, "mistake"), fault)
    ifs = [(exp.not_(_is_null(fault)), error(fault.copy())), (exp.not_(_is_null(_field_of(_QUERY, "judged"))), value)]
    checked = exp.Case(ifs=[exp.If(this=condition, true=result) for condition, result in ifs])
    return Macro(public_name(template), _FOR_USERS, _LISTS, defaults, _let(_QUERY, _struct(parts), checked))


def _value(template: Template, arguments: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the value of a metric from the judged items of a query; each list that it reads is computed once."""
    judged, fields = arguments["judged"], ("rank", "relevance", "is_relevant", "gain")
    ideal = exp.Paren(this=_call("sorted_down", [for_each(judged, _field_of(ROW, "gain"))]))
    functions.expand(ideal, templates.shared_functions())
    form = ListForm(
        Lists(judged, judged, exp.column("_list_0"), "", "gain", holds_all=True),
        {
            **{name: _field_of(ROW, name) for name in fields},
            "is_recommended": trees.literal(1),
            "recommended": arguments["retrieved"],
        },
        [ideal.this],
    )
    value = form.value(template, arguments)
    for name, listed in reversed(form.needed([value]).items()):
        value = _let(name, listed, value)
    return value


def _facts(template: Template, arguments: Mapping[str, object]) -> dict[str, exp.Expr]:
    """Return the arguments of the macro that finds a mistake."""
    facts: dict[str, exp.Expr] = {name: argument(name) for name in _OF_FAULT if name in arguments}
    if "gain" in template.options:  # its gains are not those of the relevance
        facts.pop("gain", None)
    if template.head.get("Cutoff") == "required":
        facts["needs_k"] = exp.true()
    if "k" in arguments and reads_whole_lists(template):
        facts["whole"] = exp.true()
    return facts


def _with_names(name: str, arguments: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the call of a macro with the lists, and other arguments by name."""
    named = [exp.PropertyEQ(this=exp.to_identifier(each), expression=value) for each, value in arguments.items()]
    return _call(name, [*map(argument, _LISTS), *named])


def _field_of(row: str, name: str) -> exp.Column:
    """Return a field of a struct."""
    return exp.column(name, table=row)


def _struct(fields: Mapping[str, exp.Expr]) -> exp.Struct:
    pairs = fields.items()
    return exp.Struct(
        expressions=[exp.PropertyEQ(this=exp.to_identifier(name), expression=value) for name, value in pairs]
    )


def _is_null(value: exp.Expr) -> exp.Expr:
    return exp.Is(this=value, expression=exp.null())


def _call(name: str, arguments: Sequence[exp.Expr]) -> exp.Expr:
    """Return the call of a function; a name that begins with an underscore is one of our macros."""
    call = exp.Anonymous(this=name, expressions=[each.copy() for each in arguments])
    return exp.Dot(this=exp.to_identifier(SCHEMA), expression=call) if name.startswith("_") else call


def _let(name: str, value: exp.Expr, body: exp.Expr) -> exp.Expr:
    """Return an expression in which a name stands for a value that is computed once."""
    function = exp.Lambda(this=body, expressions=[exp.to_identifier(name)])
    values = _call("list_transform", [exp.Array(expressions=[value]), function])
    return _call("list_extract", [values, trees.literal(1)])
