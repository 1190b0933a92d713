"""Functions over lists: the value of one query from its ranked items and its relevant items, by the same definitions.

A definition is a chain of SELECTs over the judged items of many queries. A function has those of one query as a list of
structs, sorted by rank. An aggregate or a window of the definition becomes a function of that list.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlglot import exp

from recall_duckdb.definitions import functions, templates, trees
from recall_duckdb.definitions.folding import settle
from recall_duckdb.definitions.templates import Template
from recall_duckdb.macros.composed import double, without_gain_tables
from recall_duckdb.macros.creating import Macro
from recall_duckdb.macros.faults import error, wrong_options
from recall_duckdb.macros.names import SCHEMA, argument
from recall_duckdb.macros.reading import expression
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
# The names of lambda parameters. No argument has one of these names.
_QUERY, _ROW, _PLACE, _LIST = "_q", "_row", "_place", "_list"
_AGGREGATES: dict[type[exp.Expr], str] = {exp.Sum: "list_sum", exp.Max: "list_max"}
_FOR_USERS = "The same for one query, from lists."
_FOR_FUNCTIONS = "For the functions of lists, not for users: "


def of_metrics() -> list[Macro]:
    """Return the function of each metric that has one."""
    return [_of_metric(template) for template in supported_metrics()]


def helpers() -> list[Macro]:
    """Return what the functions of metrics call."""
    return [_judged(), _fault()]


def supported_metrics() -> list[Template]:
    """Return the metrics that have a function: those of the judged items of a query, and of nothing else."""
    of_judged = [template for template in templates.own_metrics().values() if template.reads == ["judged"]]
    return [each for each in of_judged if not each.of_whole_run and each.tree().find(exp.Join) is None]


def _judged() -> Macro:
    graded = templates.relations()["graded"][""].tree()
    fields = _fields_of([*_LISTS, *_OF_JUDGED])
    threshold, rounded = double(fields["threshold"]), expression("as_float", number=fields["threshold"])
    trees.bind(graded, {"threshold": threshold, "threshold_as_float": rounded, "gain": fields["gain"]})
    without_gain_tables(graded)
    columns: dict[str, exp.Expr] = {name: _field_of(_ROW, name) for name in ("rank", "relevance")}
    for each in graded.expressions:
        if each.alias in ("is_relevant", "gain"):
            columns[each.alias] = _with_columns(each.this, columns)
    rows = _for_each(_value_of("judged", fields), _struct(columns))
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


def _of_metric(template: Template) -> Macro:
    """Return the function of a metric."""
    cutoff = {"k": 10} if "k" in template.parameters else {}
    own = {name: option for name, option in options(template).items() if name != "mean"}
    chosen = Metric(template).values(Policies().settings())
    defaults = {**cutoff, "grades": None, **{name: chosen[name] for name in own}}
    numbers = [name for name, option in own.items() if not option.choices]
    settings = {name: double(argument(name)) if name in numbers else argument(name) for name in own}
    if cutoff:
        settings["k"] = exp.TryCast(this=exp.cast(argument("k"), "VARCHAR"), to=exp.DataType.build("BIGINT"))
    judging = [name for name in _OF_JUDGED if name in defaults and (name != "gain" or name not in template.options)]
    parts = {
        "rows": _with_names(_JUDGED, {name: argument(name) for name in judging}),
        "fault": _with_names(_FAULT, _facts(template, defaults)),
        "retrieved": exp.cast(exp.func("len", argument("recommended")), "BIGINT"),
    }
    raw = _MetricRows(_fields_of([*settings]), template).value()
    value = raw if template.head.get("Empty") == "skip" else exp.func("coalesce", raw, trees.literal(0))
    cases = wrong_options([option for name, option in own.items() if name != "threshold"])
    fault: exp.Expr = _field_of(_QUERY, "fault")
    if cases.args["ifs"]:
        parts["mistake"] = cases
        fault = exp.func("coalesce", _field_of(_QUERY, "mistake"), fault)
    ifs = [(exp.not_(_is_null(fault)), error(fault.copy())), (exp.not_(_is_null(_field_of(_QUERY, "rows"))), value)]
    checked = exp.Case(ifs=[exp.If(this=condition, true=result) for condition, result in ifs])
    read = {column.name for column in trees.find(checked, exp.Column) if column.table == _QUERY}
    fields = {name: value for name, value in {**settings, **parts}.items() if name in read}
    name = f"{template.name}_at_k" if cutoff else template.name
    return Macro(name, _FOR_USERS, _LISTS, defaults, _let(_QUERY, _struct(fields), checked))


def _facts(template: Template, arguments: Mapping[str, object]) -> dict[str, exp.Expr]:
    """Return the arguments of the macro that finds a mistake."""
    facts: dict[str, exp.Expr] = {name: argument(name) for name in _OF_FAULT if name in arguments}
    if "gain" in template.options:  # its gains are not those of the relevance
        facts.pop("gain", None)
    if template.head.get("Cutoff") == "required":
        facts["needs_k"] = exp.true()
    if "k" in arguments and replace(Metric(template), k=1).depth is None:
        facts["whole"] = exp.true()
    return facts


def _with_names(name: str, arguments: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return the call of a macro with the lists, and other arguments by name."""
    named = [exp.PropertyEQ(this=exp.to_identifier(each), expression=value) for each, value in arguments.items()]
    return _call(name, [*map(argument, _LISTS), *named])


@dataclass
class _MetricRows:
    """The judged items of a query, and the lists that the windows of the definitions become, each computed once."""

    arguments: Mapping[str, exp.Expr]
    template: Template
    lists: list[exp.Expr] = field(default_factory=list)

    def value(self) -> exp.Expr:
        """Return the value of the metric."""
        relations = templates.relations()
        columns: dict[str, exp.Expr] = {
            **{name: _field_of(_ROW, name) for name in ("rank", "relevance", "is_relevant", "gain")},
            "is_recommended": trees.literal(1),
            "recommended": _field_of(_QUERY, "retrieved"),
        }
        selects = [
            select
            for template in (relations["ideal"][""], relations["judged"]["ordered"], self.template)
            for select in _levels(self._filled(template))
        ]
        for select in selects[:-1]:
            columns |= {
                each.alias: self._resolve(each.this, columns)
                for each in select.expressions
                if all(column.table or column.name in columns for column in trees.find(_tidy(each), exp.Column))
            }
        holder = exp.Paren(this=self._resolve(selects[-1].expressions[-1].this, columns))
        for aggregate in trees.find(holder, *_AGGREGATES):
            functions.substitute(aggregate, _aggregated(aggregate))
        return self._with_lists(holder.this)

    def _filled(self, template: Template) -> exp.Select:
        tree = template.tree()
        trees.bind(tree, {**Policies().settings(), **self.arguments})
        _sum_plainly(tree)
        return tree

    def _resolve(self, expression: exp.Expr, columns: Mapping[str, exp.Expr]) -> exp.Expr:
        """Return an expression of one row, in which each window is one of the lists, or a part of it."""
        holder = exp.Paren(this=_with_columns(_tidy(expression), columns))
        for window in trees.find(holder, exp.Window):
            functions.substitute(window, self._window(window))
        result: exp.Expr = holder.this
        return result

    def _window(self, window: exp.Expr) -> exp.Expr:
        order = window.args.get("order")
        if order is None:
            return self._list(_aggregated(window.this))
        [key] = order.expressions
        if key.args.get("desc"):  # the place of each row in this order
            places = _call("list_grade_up", [_for_each(_field_of(_QUERY, "rows"), key.this), trees.literal("DESC")])
            ranks = _call("list_grade_up", [places, trees.literal("ASC")])
            return _call("list_extract", [self._list(ranks), exp.column(_PLACE)])
        if isinstance(window.this, exp.RowNumber):  # in the order of the ranks, which is that of the rows
            return exp.column(_PLACE)
        values = self._list(_for_each(_field_of(_QUERY, "rows"), window.this.this))
        first = _call("list_slice", [values, trees.literal(1), exp.column(_PLACE)])
        return _call(_AGGREGATES[type(window.this)], [first])

    def _list(self, value: exp.Expr) -> exp.Expr:
        """Return the name of a list, which is computed before the value."""
        if value not in self.lists:
            self.lists.append(value)
        return exp.column(f"{_LIST}_{self.lists.index(value)}")

    def _with_lists(self, value: exp.Expr) -> exp.Expr:
        for number, listed in reversed([*enumerate(self.lists)]):
            name = f"{_LIST}_{number}"
            if name in _names_in(value):
                value = _let(name, listed, value)
        return value


def _sum_plainly(tree: exp.Select) -> None:
    """Replace sums of whole units by sums: the rows of one query are in one order, so that these have the same bits."""
    for cast in trees.find(tree, exp.Cast):
        if isinstance(cast.this, exp.Mul) and cast.to.is_type("decimal"):  # as_units
            functions.substitute(cast, cast.this.this)
        elif isinstance(cast.parent, exp.Div) and cast.parent.expression.find(exp.Pow):  # from_units
            functions.substitute(cast.parent, cast.this)


def _levels(tree: exp.Select) -> list[exp.Select]:
    """Return the SELECTs of a definition, the innermost first."""
    relation = tree.args[trees.FROM].this
    return [*(_levels(relation.this) if isinstance(relation, exp.Subquery) else []), tree]


def _tidy(expression: exp.Expr) -> exp.Expr:
    """Return a copy whose windows are of one query, and have the one key that decides their order.

    A CASE before it puts items without a rank last, where they are. A key after it decides between items of equal gain.
    """
    copy = expression.copy()
    for window in trees.find(copy, exp.Window):
        window.set("partition_by", None)
        order = window.args.get("order")
        if order is not None:
            first, *others = [key for key in order.expressions if not isinstance(key.this, exp.Case)]
            assert all(key.this.name == "item" for key in others), f"a window with several keys: {window}"
            order.set("expressions", [first])
    return copy


def _with_columns(expression: exp.Expr, columns: Mapping[str, exp.Expr]) -> exp.Expr:
    """Return a copy with the expressions of columns in place of their names."""
    holder = exp.Paren(this=expression.copy())
    for column in trees.find(holder, exp.Column):
        if not column.table and column.name in columns:
            value = columns[column.name].copy()
            (settle if isinstance(value, exp.Literal) else functions.substitute)(column, value)
    result: exp.Expr = holder.this
    return result


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


def _names_in(tree: exp.Expr) -> set[str]:
    """Return the names of the columns in a tree."""
    return {column.name for column in trees.find(tree, exp.Column)}


def _for_each(rows: exp.Expr, value: exp.Expr) -> exp.Expr:
    """Return the list of a value of each row."""
    names = [exp.to_identifier(_ROW)]
    if _PLACE in _names_in(value):
        names.append(exp.to_identifier(_PLACE))
    return _call("list_transform", [rows, exp.Lambda(this=value.copy(), expressions=names)])


def _aggregated(aggregate: exp.Expr) -> exp.Expr:
    """Return an aggregate over all rows as a function of a list; that of a value that all rows share is the value."""
    names = {column.table or column.name for column in trees.find(aggregate, exp.Column)}
    if isinstance(aggregate, exp.Max) and names.isdisjoint((_ROW, _PLACE)):
        return aggregate.this.copy()  # type: ignore[no-any-return]
    return _call(_AGGREGATES[type(aggregate)], [_for_each(_field_of(_QUERY, "rows"), aggregate.this)])


def _let(name: str, value: exp.Expr, body: exp.Expr) -> exp.Expr:
    """Return an expression in which a name stands for a value that is computed once."""
    function = exp.Lambda(this=body, expressions=[exp.to_identifier(name)])
    values = _call("list_transform", [exp.Array(expressions=[value]), function])
    return _call("list_extract", [values, trees.literal(1)])
