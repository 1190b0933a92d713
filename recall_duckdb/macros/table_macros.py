"""The table macros: a helper lists and judges the items of every query, and a metric is a function of this list."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlglot import exp

from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Option, Template
from recall_duckdb.macros.arguments import COMMON, error, expression, relation, wrong_options
from recall_duckdb.macros.creating import Macro
from recall_duckdb.macros.list_functions import public_name, reads_whole_lists, settings, supported_metrics, value_of
from recall_duckdb.macros.names import SCHEMA, argument, in_call, output
from recall_duckdb.question.metrics import Metric, options
from recall_duckdb.question.policies import DISTANCE, RANKS, Policies
from recall_duckdb.reading.usual_names import USUAL_NAMES

TOGETHER = ("recall", "precision", "f1", "hit_rate", "rr", "ap", "ndcg")
NAME = "_judged"
# Arguments of the helper in addition to COMMON: the cutoffs, and how deep lists are read; what options of metrics say
# about relevance; a mistake in these options; and whether the faults are returned.
_OF_HELPER = {
    **{"k": None, "whole": False, "required": False, "gain": "linear", "max_grade": None},
    **{"mistake": None, "only_faults": False},
}
# The checks of the data, in the order in which `evaluate` reports them. Of two faults in both relations, that of the
# run is reported.
_CHECKS = (
    *("empty_run", "empty_qrels", "qrels_joined_ids", "run_ids", "run_ranks", "run_text_lists", "qrels_ids"),
    *("qrels_text_lists", "no_common_item", "ranks", "ranks_gap", "run_duplicates", "run_scores", "gains", "grades"),
    *("padding", "qrels_duplicates", "qrels_range", "qrels_relevance", "slices_of_qrels", "missing"),
    *("no_common_query", "no_relevant", "nothing_relevant", "slice_nulls"),
)
_FAULT = ("check", "rule", "faults", "do", "example")
_RUN_AND_QRELS = ("run", "qrels")
_ARGUMENT = re.compile(r"\b([a-z_]+)=(?=')")
_ALONE = re.compile(r"\b([a-z_]+)=(?=[ ,.])")  # an argument without a value
_COLUMN = re.compile(r"\{(?!max_grade|relevant_if)\w+\}")
# Sentences about inputs that macros do not take: lists, and several query columns.
_NOT_TAKEN = re.compile(r"inside a list|list of one item|an empty list|in query=")
_OTHER_POLICIES = "For such an argument, write a macro: recall-duckdb sql --form macro."


def table_macros() -> list[Macro]:
    """Return the macro of each metric that has a function of lists, those of several metrics, and the helper."""
    own = [templates.own_metrics()[name] for name in TOGETHER]
    about = f"The values of each query: query, k, {', '.join(TOGETHER)}."
    faults = exp.select(exp.Star()).from_(_call({"only_faults": exp.true()})).order_by("place")
    return [
        *(_of_means(public_name(each), each.definition, [each]) for each in supported_metrics()),
        _of_means("ranking_metrics", f"The means of {', '.join(TOGETHER)}: metric, k, value, queries.", own),
        Macro("ranking_metrics_per_query", about, _RUN_AND_QRELS, _arguments(own), _of_queries(own)),
        Macro(
            "ranking_check",
            "The faults of run and qrels: check, rule, faults, do and an example.",
            _RUN_AND_QRELS,
            COMMON,
            exp.select(*_named(_FAULT)).from_(faults.subquery("found")),
        ),
        Macro(
            NAME,
            "Read by the other macros, not by users: the judged items with their ranks, after all checks.",
            _RUN_AND_QRELS,
            {**COMMON, **_OF_HELPER},
            _with_relations(relation("helper")),
        ),
    ]


def _of_means(name: str, description: str, metrics: Sequence[Template]) -> Macro:
    """Return a macro of the means of metrics."""
    tree = templates.table_macros()["means"][""].tree("plain")
    [among] = trees.find(tree, exp.Array)
    [mean] = among.expressions
    means = []
    for template in metrics:
        one = exp.Paren(this=mean.copy())
        trees.bind(one, {"metric": template.name, "mean": Metric(template).mean})
        for column in trees.find(one, exp.Column):
            if column.name == "value":
                column.replace(trees.column(template.name))
        means.append(one.this)
    among.set("expressions", means)
    trees.bind(tree, {"by": argument("by")})
    for key in ("model", "slice"):
        [column] = [each for each in tree.expressions if each.alias_or_name == key]
        column.replace(_named([key])[0])
    return Macro(name, description, _RUN_AND_QRELS, _arguments(metrics), _shown(tree, metrics))


def _of_queries(metrics: Sequence[Template]) -> exp.Select:
    """Return the SELECT of the values of each query, with a row for each query and cutoff."""
    columns = _named(("model", "query", "slice", "k", *(template.name for template in metrics)))
    order = [exp.Ordered(this=trees.column(name), desc=False, nulls_first=True) for name in ("model", "query", "k")]
    return _shown(exp.select(*columns).from_("query_values").order_by(*order), metrics)


def _shown(tree: exp.Select, metrics: Sequence[Template]) -> exp.Select:
    """Return the SELECT of an answer, with the model and the slice only if arguments name them."""
    values = templates.table_macros()["query_values"][""].tree()
    [value] = [each for each in values.expressions if each.alias == "value"]
    value.pop()
    for template in metrics:
        judged = {name: trees.column(name) for name in ("judged", "retrieved", "k")}
        one, of_lists = value.copy(), value_of(template, {**settings(template), **judged})
        trees.bind(one, {"raw": of_lists})
        if template.head.get("Empty") == "skip":
            for default in trees.find(one, exp.Coalesce):
                default.replace(of_lists)
        values.append("expressions", exp.alias_(one.this, template.name))
    values.set(trees.FROM, exp.From(this=_call(_options_of_helper(metrics))))
    shown = relation("shown")
    for query, name, read in ((tree, "query_values", values), (shown, "answer", tree)):
        [table] = trees.find(query, exp.Table)
        table.replace(read.subquery(name))
    for node in shown.walk():  # the head of the macro says what it returns
        node.comments = None
    return shown


def _takes_k(metrics: Sequence[Template]) -> bool:
    return any("k" in template.parameters for template in metrics)


def _options(metrics: Sequence[Template]) -> dict[str, Option]:
    """Return the options of metrics that are arguments of a macro."""
    own = {name: each for template in metrics for name, each in options(template).items()}
    return {name: each for name, each in own.items() if name not in ("threshold", "mean")}


def _arguments(metrics: Sequence[Template]) -> dict[str, object]:
    """Return the arguments of the macro of these metrics, with their defaults."""
    defaults: dict[str, object] = {"k": 10} if _takes_k(metrics) else {}
    for template in metrics:
        chosen = Metric(template).values(Policies().settings())
        defaults |= {name: chosen[name] for name in _options([template])}
    return {**defaults, **COMMON}


def _options_of_helper(metrics: Sequence[Template]) -> dict[str, exp.Expr]:
    """Return the arguments with which these metrics call the helper, in addition to COMMON."""
    own = _options(metrics)
    given: dict[str, exp.Expr] = {}
    if _takes_k(metrics):
        given["k"] = argument("k")
        if any(map(reads_whole_lists, metrics)):
            given["whole"] = exp.true()
        if any(template.head.get("Cutoff") == "required" for template in metrics):
            given["required"] = exp.true()
    # A metric with an option `gain` of its own computes the gains itself.
    has_gain = "gain" in own and not any("gain" in template.options for template in metrics)
    chosen = {"gain": has_gain, "max_grade": "max_grade" in own}
    given |= {name: argument(name) for name, is_given in chosen.items() if is_given}
    return given | ({"mistake": wrong_options(list(own.values()))} if own else {})


def _call(given: Mapping[str, exp.Expr]) -> exp.Table:
    """Return the call of the helper with these of its arguments, in addition to COMMON."""
    common = [argument(name) for name in (*_RUN_AND_QRELS, *COMMON)]
    named = [exp.PropertyEQ(this=exp.to_identifier(name), expression=value) for name, value in given.items()]
    function = exp.Anonymous(this=NAME, expressions=[*common, *named])
    return exp.Table(this=exp.Dot(this=exp.to_identifier(SCHEMA), expression=function))


def _named(columns: Sequence[str]) -> list[exp.Expr]:
    """Return our columns under their names without a prefix."""
    return [exp.alias_(trees.column(name), output(name)) for name in columns]


def _with_relations(tree: exp.Select) -> exp.Select:
    """Put the relations that a SELECT reads before it, each after those that it reads."""
    found: dict[str, exp.Select] = {}
    reads: Counter[str] = Counter()

    def add(name: str) -> None:
        if name not in found:
            one = relation(name, **_values(name))
            read(one)
            found[name] = one

    def read(query: exp.Select) -> None:
        for table in trees.find(query, exp.Table):
            if table.name in templates.table_macros():
                reads[table.name] += 1
                add(table.name)

    # DuckDB 1.4 plans the first one first, whose statement raises errors. The helper chooses one of the others by name.
    for name in ("run_source", "faults", "cutoffs"):
        add(name)
    read(tree)
    for name, query in found.items():
        several = True if reads[name] > 1 and not name.endswith("_source") else None  # the user's rows are not copied
        tree.with_(name, as_=query, materialized=several, copy=False, append=True)
    return tree


def _values(name: str) -> dict[str, Any]:
    """Return the values of parameters that are no arguments."""
    heads = [templates.checks()[each].head for each in _CHECKS]
    texts = exp.Array(expressions=[trees.literal(f"{_text(head['Rule'])}<do>{_text(head['Do'])}") for head in heads])
    text = exp.Anonymous(this="list_extract", expressions=[texts, trees.column("place")])
    return {
        **{"distance": DISTANCE, "usual_ranks": RANKS, "usual_models": USUAL_NAMES["model"]},
        "statement": _checked_statement() if name == "run_source" else expression("reading", given=argument("run")),
        "qrels_statement": expression("reading", given=argument("qrels")),
        "sides": expression("sides"),
        "depth": expression("arguments", "depth"),
        "cutoffs": expression("arguments", "cutoffs"),
        "names": exp.Array(expressions=[trees.literal(each) for each in _CHECKS]),
        "message": expression("in_messages", text=text),
    }


def _checked_statement() -> exp.Expr:
    """Return the text of the statement that reads the run; it raises an error if run or qrels is unreadable.

    `query` reads a text that is constant, so DuckDB decides it before it reads anything. It plans the run first.
    """
    raised = error(expression("unreadable", sides=expression("sides")))
    return exp.func("coalesce", raised, expression("reading", given=argument("run")))


def _text(text: str) -> str:
    """Return the text of a rule or a fix as a macro says it: without what macros do not take."""
    sentences = [each for each in re.split(r"(?<=\.) ", " ".join(text.split())) if not _NOT_TAKEN.search(each)]
    if not set(_ARGUMENT.findall(" ".join(sentences))) <= set(COMMON):
        sentences.append(_OTHER_POLICIES)
    shown = _ARGUMENT.sub(
        lambda match: f"{in_call(match[1])} := " if match[1] in COMMON else match[0], " ".join(sentences)
    )
    return _COLUMN.sub(r"column '\g<0>'", _ALONE.sub(r"\1", shown))
