"""The faults that a macro tells: which checks apply, and their messages, as evaluate writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from recall_duckdb import messages
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.errors import commas
from recall_duckdb.macros.names import COMMON, argument

_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
# The checks that stop an evaluation, if they apply.
STOPPING = (
    "empty_run",
    "empty_qrels",
    "run_ids",
    "run_scores",
    "run_ranks",
    "qrels_ids",
    "qrels_relevance",
    "qrels_duplicates",
    "qrels_range",
    "duplicates",
    "ranks",
    "no_common_query",
    "nothing_relevant",
    "slices_of_qrels",
    "slice_nulls",
)
# The checks of `ranking_check`.
CHECKS = (*(name for name in STOPPING if name != "duplicates"), "run_duplicates", "run_infinite", "no_common_item")


def when(check: Template) -> exp.Expr | None:
    """Return the condition on the arguments under which a check applies; None if it always does."""
    conditions: list[exp.Expr] = []
    for part in filter(None, check.head.get("When", "").split(";")):
        name, _, values = (text.strip() for text in part.partition("="))
        allowed = [value.strip() for value in values.split(",")]
        if name in ("nulls", "duplicates"):
            conditions.append(exp.In(this=argument(name), expressions=[trees.literal(value) for value in allowed]))
        if name == "run":
            given = exp.Is(this=argument("rank"), expression=exp.null())
            conditions.append(given if allowed == ["scores"] else exp.Not(this=given))
        if name == "slices":
            conditions.append(exp.Not(this=exp.Is(this=argument("by"), expression=exp.null())))
    return exp.and_(*conditions) if conditions else None


def message(check: Template, cases: exp.Expr, example: exp.Expr) -> exp.Expr:
    """Return the error of a check as evaluate writes it."""
    rule, do = check.head["Rule"], check.head["Do"]
    first, *parts = _parts(f"{rule[0].upper()}{rule[1:]}")
    parts = [trees.literal(f"{first.name[0].upper()}{first.name[1:]}"), *parts]
    if check.tree().named_selects != ["found"]:
        one = exp.EQ(this=cases.copy(), expression=trees.literal(1))
        many = exp.func("concat", exp.func("format", trees.literal("{:,}"), cases), trees.literal(" cases"))
        counted = exp.Case(ifs=[exp.If(this=one, true=trees.literal("1 case"))], default=many)
        parts += [trees.literal(" ("), counted, trees.literal("), for example "), example]
    return exp.func("concat", *parts, trees.literal(". "), *_parts(do))


def rule_of(text: str) -> exp.Expr:
    """Return the text of a rule or a fix with the names of the user's columns."""
    return exp.func("concat", *_parts(text))


def _parts(text: str) -> list[exp.Expr]:
    # A sentence about an argument that macros do not have is left out.
    sentences = [
        each for each in re.split(r"(?<=\.) ", " ".join(text.split())) if set(_ARGUMENT.findall(each)) <= set(COMMON)
    ]
    shown = _ARGUMENT.sub(r"\1 := ", " ".join(sentences))
    parts: list[exp.Expr] = []
    for piece in re.split(r"(\{\w+\})", shown):
        name = piece.strip("{}")
        if not piece.startswith("{"):
            parts.append(trees.literal(piece))
        elif name == "relevant_if":
            least = exp.func("concat", trees.literal("at or above the threshold "), argument("threshold"))
            none = exp.Is(this=argument("threshold"), expression=exp.null())
            parts.append(exp.Case(ifs=[exp.If(this=none, true=trees.literal("above 0"))], default=least))
        else:
            parts += [trees.literal("column '"), _name(name), trees.literal("'")]
    return [part for part in parts if part != trees.literal("")]


def _name(name: str) -> exp.Expr:
    if name.startswith("qrels_"):
        return exp.func("coalesce", argument(name), argument(name.removeprefix("qrels_")))
    return argument(name)


def pair(key: str, check: Template) -> exp.Expr:
    """Return `query='q1'` for an example, with the user's name of the column."""
    side = "qrels_" if check.name.startswith("qrels_") and key in ("query", "item") else ""
    users = {"slice": "by", "model": "model", "query": f"{side}query", "item": f"{side}item", "rank": "rank"}
    name = _name(users[key]) if key in users else trees.literal(key)
    name = exp.func("coalesce", name, trees.literal(key)) if key in ("model", "slice", "rank") else name
    value = exp.cast(trees.column(key), "VARCHAR")
    is_text = exp.EQ(this=exp.func("typeof", trees.column(key)), expression=trees.literal("VARCHAR"))
    quoted = exp.func("concat", trees.literal("'"), value.copy(), trees.literal("'"))
    shown = exp.Case(ifs=[exp.If(this=is_text, true=quoted)], default=value)
    null = exp.If(this=exp.Is(this=trees.column(key), expression=exp.null()), true=trees.literal("NULL"))
    shown.set("ifs", [null, *shown.args["ifs"]])
    return exp.func("concat", name, trees.literal("="), shown)


def between(parts: Sequence[exp.Expr], text: str) -> list[exp.Expr]:
    """Return the parts with a text between each two."""
    found: list[exp.Expr] = []
    for part in parts:
        found += [trees.literal(text), part] if found else [part]
    return found


def above_zero(value: exp.Expr) -> exp.Expr:
    """Return the condition that a number is above 0."""
    return exp.GT(this=value, expression=trees.literal(0))


def error(text: exp.Expr) -> exp.Expr:
    """Return the call that raises an error."""
    return exp.Anonymous(this="error", expressions=[text])


def priority(check: Template) -> tuple[int, str]:
    """Return the place of a check among others."""
    return int(check.head.get("Order", "3")), check.name


def in_order(names: Sequence[str]) -> list[Template]:
    """Return checks in the order in which evaluate tells their faults."""
    return sorted((templates.checks()[name] for name in names), key=priority)


def wrong_options(options: Sequence[Option]) -> exp.Expr:
    """Return the message for an option that is out of range, NULL if there is none."""
    cases = exp.Case(ifs=[])
    for option in options:
        given = argument(option.name)
        choices = [choice for choice in option.choices if choice != templates.TABLE]
        if choices:
            allowed: exp.Expr = exp.In(this=given, expressions=[trees.literal(choice) for choice in choices])
            expected = f"{option.name} is {commas(choices)}"
        else:
            low, high = (exp.GTE if option.closed[0] else exp.GT), (exp.LTE if option.closed[1] else exp.LT)
            allowed = exp.and_(
                low(this=given.copy(), expression=trees.literal(option.low)),
                high(this=given.copy(), expression=trees.literal(option.high)),
            )
            expected = f"{option.name} {str(option).partition(' (')[0].removeprefix(option.name).strip()}"
        told = messages.OPTION.format(text=option.name, option=expected, value="")
        text = exp.func("concat", trees.literal(told), exp.func("coalesce", _text(given), trees.literal("NULL")))
        is_wrong = exp.Not(this=exp.func("coalesce", exp.Paren(this=allowed), exp.false()))
        cases.append("ifs", exp.If(this=is_wrong, true=text))
    return cases


def _text(value: exp.Expr) -> exp.Expr:
    return exp.cast(value.copy(), "VARCHAR")
