"""The checks that a macro runs, with the messages of `evaluate`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.macros.names import COMMON, argument, named

_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
_ALONE = re.compile(r"\b([a-z_]+)=(?=[ ,.])")  # an argument without a value
# Sentences about inputs that macros do not take: lists, and several query columns.
_NOT_TAKEN = re.compile(r"inside a list|list of one item|an empty list|in query=")
# The checks that stop an evaluation, if they apply.
STOPPING = (
    "empty_run",
    "empty_qrels",
    "run_ids",
    "run_text_lists",
    "run_scores",
    "inexact_scores",
    "run_ranks",
    "qrels_ids",
    "qrels_text_lists",
    "qrels_joined_ids",
    "qrels_relevance",
    "qrels_duplicates",
    "qrels_range",
    "gains",
    "grades",
    "duplicates",
    "ranks",
    "ranks_gap",
    "ranks_given",
    "padding",
    "no_common_query",
    "nothing_relevant",
    "slices_of_qrels",
    "slice_nulls",
)
# The checks of `ranking_check`, which has no metric and reads whole lists.
_OF_METRICS = ("duplicates", "gains", "grades", "ranks_gap")
_OF_DATA = ("run_duplicates", "run_infinite", "no_common_item", "missing", "no_relevant")
CHECKS = (*(name for name in STOPPING if name not in _OF_METRICS), *_OF_DATA)
# What is the same in each call of a macro. The lists above decide the others, and the metric decides `grades`.
_FIXED = {"empty": "error", "qrels": "rows", "engine": "duckdb"}
_DECIDED = ("command", "exact_scores", "texts", "missing", "no_relevant", "grades", "item")


def when(check: Template) -> exp.Expr | None:
    """Return the condition on the arguments under which a check applies; None if it always does."""
    conditions: list[exp.Expr] = []
    for part in filter(None, check.head.get("When", "").split(";")):
        name, _, values = (text.strip() for text in part.partition("="))
        allowed = [value.strip() for value in values.split(",")]
        if name in ("nulls", "duplicates", "gain", "ranks", "padding"):
            conditions.append(exp.In(this=argument(name), expressions=[trees.literal(value) for value in allowed]))
        elif name == "run":
            conditions.append(has_scores() if allowed == ["scores"] else exp.not_(has_scores()))
        elif name == "slices":
            conditions.append(exp.Not(this=exp.Is(this=argument("by"), expression=exp.null())))
        elif name not in _DECIDED and _FIXED[name] not in allowed:
            raise ValueError(f"{check.path}: the check never applies to a macro")
    return exp.and_(*conditions) if conditions else None


def has_scores() -> exp.Expr:
    """Return the condition that the run has scores, or ranks that only give the order."""
    renumbered = exp.EQ(this=argument("ranks"), expression=trees.literal("renumber"))
    return exp.Paren(this=exp.or_(exp.Is(this=argument("rank"), expression=exp.null()), renumbered))


def message(check: Template, cases: exp.Expr, example: exp.Expr) -> exp.Expr:
    """Return the error of a check as evaluate writes it."""
    rule, do = check.head["Rule"], check.head["Do"]
    first, *parts = _parts(f"{rule[0].upper()}{rule[1:]}")
    parts = [trees.literal(f"{first.name[0].upper()}{first.name[1:]}"), *parts]
    if check.tree().named_selects != ["found"]:
        one = exp.EQ(this=cases.copy(), expression=trees.literal(1))
        many = concat(exp.func("format", trees.literal("{:,}"), cases), trees.literal(" cases"))
        counted = exp.Case(ifs=[exp.If(this=one, true=trees.literal("1 case"))], default=many)
        parts += [trees.literal(" ("), counted, trees.literal("), for example "), example]
    return concat(*parts, trees.literal(". "), *_parts(do))


def rule_of(text: str) -> exp.Expr:
    """Return the text of a rule or a fix with the names of the user's columns."""
    return concat(*_parts(text))


def concat(*parts: exp.Expr) -> exp.Expr:
    """Return the text of the parts, in which NULL is empty. With `||`, a NULL would hide the whole message."""
    return exp.Concat(expressions=list(parts), safe=True, coalesce=True)


def _parts(text: str) -> list[exp.Expr]:
    # A sentence about an argument that macros do not have is left out.
    sentences = [
        each
        for each in re.split(r"(?<=\.) ", " ".join(text.split()))
        if set(_ARGUMENT.findall(each)) <= set(COMMON) and not _NOT_TAKEN.search(each)
    ]
    shown = _ALONE.sub(r"\1", _ARGUMENT.sub(lambda found: f"{named(found[1])} := ", " ".join(sentences)))
    parts: list[exp.Expr] = []
    for piece in re.split(r"(\{\w+\})", shown):
        name = piece.strip("{}")
        if not piece.startswith("{"):
            parts.append(trees.literal(piece))
        elif name == "relevant_if":
            least = concat(trees.literal("at or above the threshold "), argument("threshold"))
            none = exp.Is(this=argument("threshold"), expression=exp.null())
            parts.append(exp.Case(ifs=[exp.If(this=none, true=trees.literal("above 0"))], default=least))
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


def pair(key: str, check: Template) -> exp.Expr:
    """Return `query='q1'` for an example, with the user's name of the column."""
    side = "qrels_" if check.name.startswith("qrels_") and key in ("query", "item") else ""
    users = {"slice": "by", "model": "model", "query": f"{side}query", "item": f"{side}item", "rank": "rank"}
    name = _name(users[key]) if key in users else trees.literal(key)
    name = exp.func("coalesce", name, trees.literal(key)) if key in ("model", "slice", "rank") else name
    value = exp.cast(_score_of_user() if key == "score" else trees.column(key), "VARCHAR")
    is_text = exp.EQ(this=exp.func("typeof", trees.column(key)), expression=trees.literal("VARCHAR"))
    quoted = concat(trees.literal("'"), value.copy(), trees.literal("'"))
    shown = exp.Case(ifs=[exp.If(this=is_text, true=quoted)], default=value)
    null = exp.If(this=exp.Is(this=trees.column(key), expression=exp.null()), true=trees.literal("NULL"))
    shown.set("ifs", [null, *shown.args["ifs"]])
    return concat(name, trees.literal("="), shown)


def _score_of_user() -> exp.Expr:
    is_ascending = exp.EQ(this=argument("order"), expression=trees.literal("ascending"))
    negated = exp.Sub(this=trees.literal(0), expression=trees.column("score"))
    return exp.Case(ifs=[exp.If(this=is_ascending, true=negated)], default=trees.column("score"))


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


def _priority(check: Template) -> tuple[bool, int, str]:
    return "per_query" in check.reads, int(check.head.get("Order", "3")), check.name


def in_order(names: Sequence[str]) -> list[Template]:
    """Return checks in the order in which `evaluate` reports them: those of rows, then those of queries."""
    return sorted((templates.checks()[name] for name in names), key=_priority)


def wrong_options(options: Sequence[Option]) -> exp.Expr:
    """Return the message for an option that is out of range, NULL if there is none."""
    cases = exp.Case(ifs=[])
    for option in options:
        given = argument(option.name)
        choices = [choice for choice in option.choices if choice != templates.TABLE]
        if choices:
            allowed: exp.Expr = exp.In(this=given, expressions=[trees.literal(choice) for choice in choices])
            expected = f"{', '.join(choices[:-1])} or {choices[-1]}"
        else:
            low, high = (exp.GTE if option.closed[0] else exp.GT), (exp.LTE if option.closed[1] else exp.LT)
            allowed = exp.and_(
                low(this=given.copy(), expression=trees.literal(option.low)),
                high(this=given.copy(), expression=trees.literal(option.high)),
            )
            expected = str(option).partition(" (")[0].removeprefix(f"{option.name} is ")
        before = trees.literal(f"{option.name}: {expected} is expected, not ")
        text = concat(before, exp.func("coalesce", _text(given), trees.literal("NULL")))
        is_wrong = exp.Not(this=exp.func("coalesce", exp.Paren(this=allowed), exp.false()))
        cases.append("ifs", exp.If(this=is_wrong, true=text))
    return cases


def _text(value: exp.Expr) -> exp.Expr:
    return exp.cast(value.copy(), "VARCHAR")
