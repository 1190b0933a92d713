"""The checks that a macro runs, with the messages of `evaluate`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.errors import commas
from recall_duckdb.macros.names import argument, in_call
from recall_duckdb.macros.reading import COMMON, expression, relation
from recall_duckdb.question import OPTIONAL_INPUTS
from recall_duckdb.question.policies import Policies

_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
_ALONE = re.compile(r"\b([a-z_]+)=(?=[ ,.])")  # an argument without a value
# Sentences about inputs that macros do not take: lists, and several query columns.
_NOT_TAKEN = re.compile(r"inside a list|list of one item|an empty list|in query=")
_OTHER_POLICIES = "For such an argument, write a macro: recall-duckdb sql --form macro."
# The facts that are arguments of the helper.
_CHOSEN = ("gain",)
# The facts that are the same in each call. A macro knows the types of columns only when it is called, so the SQL of a
# check decides by them. Facts that are None never hold: a macro has no such input, and no check explains another.
_FIXED = {
    **Policies().settings(),
    **dict.fromkeys((*OPTIONAL_INPUTS, "metrics", "copies", "source", "explains")),
    **{"qrels": "rows", "engine": "duckdb", "keys": "one", "macro": "yes"},
    **{"texts": "may_be_lists", "item": "may_be_padding", "exact_scores": "given"},
}
# The parameters and relations of checks that a macro does not have.
_LACKING = {"largest_k", "no_item", "first_item", "beyond_items", "metrics"}


def checks() -> list[Template]:
    """Return the checks of macros, in the order in which `evaluate` reports faults.

    Raises:
        ValueError: a macro cannot run a check that applies to it.
    """
    applicable = [check for check in templates.checks().values() if _may_apply(check)]
    for check in applicable:
        when(check)
        _check_needs(check)
    # Of two faults in both relations, that of the run is reported.
    return sorted(
        applicable, key=lambda check: ("per_query" in check.reads, check.order[0], "run" not in check.reads, check.name)
    )


def _may_apply(check: Template) -> bool:
    decided = {name: value for name, value in _FIXED.items() if name not in _CHOSEN}
    return all(
        not {*_values_of_fact(name)}.isdisjoint(allowed)
        if _values_of_fact(name)
        else name not in decided or str(decided[name]) in allowed
        for name, allowed in check.when.items()
    )


def _check_needs(check: Template) -> None:
    """Raise ValueError if a check needs what a macro does not have."""
    template = templates.table_macros().get(check.name, {"": check})[""]
    lacking = sorted(_LACKING & {*template.parameters, *template.reads} if template is check else ())
    lacking += [f"{{{name}}}" for name in _placeholders(check) if name not in (*COMMON, "relevant_if", "max_grade")]
    if lacking:
        raise ValueError(
            f"{check.path}: a table macro has no {commas(lacking)}. Write sql/table_macros/{check.name}.sql, or "
            "leave the check out of macros with `macro = no` in the field When"
        )


def _placeholders(check: Template) -> list[str]:
    return re.findall(r"\{(\w+)\}", f"{check.head['Rule']} {check.head['Do']}")


def when(check: Template) -> exp.Expr | None:
    """Return the condition on the arguments under which a check applies; None if it always does."""
    conditions: list[exp.Expr] = []
    for name, allowed in check.when.items():
        if name in _CHOSEN:
            conditions.append(exp.In(this=argument(name), expressions=[trees.literal(value) for value in allowed]))
        elif _values_of_fact(name):
            conditions.append(exp.or_(*(holds for value, holds in _values_of_fact(name).items() if value in allowed)))
        elif name not in _FIXED:
            raise ValueError(
                f"{check.path}: When: a table macro cannot decide {name!r}. Leave the check out of macros with "
                "`macro = no`"
            )
    return exp.and_(*conditions) if conditions else None


def _values_of_fact(name: str) -> dict[str, exp.Expr]:
    """Return the values that a fact can have in a macro, each with its condition on the arguments; else nothing."""
    conditions = {each.alias: each.this for each in relation("facts").expressions}
    prefix = f"{name}_is_"
    return {key.removeprefix(prefix): holds for key, holds in conditions.items() if key.startswith(prefix)}


def is_given(name: str) -> exp.Expr:
    """Return the condition that an argument is not NULL."""
    return exp.Not(this=exp.Is(this=argument(name), expression=exp.null()))


def rule_of(text: str) -> exp.Expr:
    """Return the text of a rule or a fix with the names of the user's columns."""
    return concat(*_parts(text))


def concat(*parts: exp.Expr) -> exp.Expr:
    """Return the text of the parts, in which NULL is empty. With `||`, a NULL would hide the whole message."""
    return exp.Concat(expressions=list(parts), safe=True, coalesce=True)


def _parts(text: str) -> list[exp.Expr]:
    sentences = [each for each in re.split(r"(?<=\.) ", " ".join(text.split())) if not _NOT_TAKEN.search(each)]
    if not set(_ARGUMENT.findall(" ".join(sentences))) <= set(COMMON):
        sentences.append(_OTHER_POLICIES)
    shown = _ARGUMENT.sub(
        lambda match: f"{in_call(match[1])} := " if match[1] in COMMON else match[0], " ".join(sentences)
    )
    shown = _ALONE.sub(r"\1", shown)
    parts: list[exp.Expr] = []
    for piece in re.split(r"(\{\w+\})", shown):
        name = piece.strip("{}")
        if not piece.startswith("{"):
            parts.append(trees.literal(piece))
        elif name == "relevant_if":
            parts.append(expression("in_messages", name))
        elif name == "max_grade":
            parts.append(argument(name))
        else:
            parts += [trees.literal("column '"), _name(name), trees.literal("'")]
    return [part for part in parts if part != trees.literal("")]


def _name(name: str) -> exp.Expr:
    if name.startswith("qrels_"):
        return exp.func("coalesce", argument(name), argument(name.removeprefix("qrels_")))
    if name == "score":  # which is the rank if ranks only give the order
        return exp.func("coalesce", argument("rank"), argument("score"))
    # Without a column of relevance, each row of the qrels has relevance 1.
    return exp.func("coalesce", argument(name), trees.literal(name)) if name == "relevance" else argument(name)


def example(check: Template, columns: Sequence[str]) -> exp.Expr:
    """Return `query='q1', item='a'` for one of the rows that a check finds; NULL if it only counts rows."""
    pairs = {key: _pair(key, check) for key in columns if key != "found"}
    if not pairs:
        return exp.null()
    if "model" in pairs:  # shown only if an argument names its column
        pairs["model"] = exp.Case(ifs=[exp.If(this=is_given("model"), true=pairs["model"])])
    return exp.Min(this=exp.func("concat_ws", trees.literal(", "), *pairs.values(), dialect="duckdb"))


def _pair(key: str, check: Template) -> exp.Expr:
    """Return the text `query='q1'`, with the user's name of the column."""
    side = "qrels_" if check.name.startswith("qrels_") and key in ("query", "item") else ""
    users = {"slice": "by", "model": "model", "query": f"{side}query", "item": f"{side}item", "rank": "rank"}
    name = _name(users[key]) if key in users else trees.literal(key)
    name = exp.func("coalesce", name, trees.literal(key)) if key in ("model", "slice", "rank") else name
    return expression("example_pair", name=name, ours=trees.column(key), value=trees.column(key))


def above_zero(value: exp.Expr) -> exp.Expr:
    """Return the condition that a number is above 0."""
    return exp.GT(this=value, expression=trees.literal(0))


def error(text: exp.Expr) -> exp.Expr:
    """Return the call that raises an error."""
    return exp.Anonymous(this="error", expressions=[text])


def wrong_options(options: Sequence[Option]) -> exp.Expr:
    """Return the message for an option that is out of range, NULL if there is none."""
    cases = exp.Case(ifs=[])
    for option in options:
        value = argument(option.name)
        choices = [choice for choice in option.choices if choice != templates.TABLE]
        if choices:
            allowed: exp.Expr = exp.In(this=value, expressions=[trees.literal(choice) for choice in choices])
            expected = f"{', '.join(choices[:-1])} or {choices[-1]}"
        else:
            low, high = (exp.GTE if option.closed[0] else exp.GT), (exp.LTE if option.closed[1] else exp.LT)
            allowed = exp.and_(
                low(this=value.copy(), expression=trees.literal(option.low)),
                high(this=value.copy(), expression=trees.literal(option.high)),
            )
            expected = str(option).partition(" (")[0].removeprefix(f"{option.name} is ")
        before = trees.literal(f"{option.name}: {expected} is expected, not ")
        mistake = expression("wrong_option", is_allowed=allowed, before=before, value=value.copy())
        cases.append("ifs", mistake.args["ifs"][0])
    return cases
