"""Answer a question with the list form: one row a query, and columns that say whether the data are sound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.answering import keys
from recall_duckdb.answering.answers import Answer, in_order_of_names, largest_relevance
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.compose import Kept, Plan, Replacements, Statement, of_queries
from recall_duckdb.compose.lists import has_list_form
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.measuring import with_dropped_rows
from recall_duckdb.noting import Signs
from recall_duckdb.question import Question
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import Policies
from recall_duckdb.reading.columns import canonical_names
from recall_duckdb.stages import stage

_MOST_METRICS = 200  # with more, several statements compute a few each
# The policies that the list form takes into account. With another value than the default of any other policy, rows
# answer, so that a new policy is right before the list form knows it.
_COVERED = (
    *("no_relevant", "missing", "ties", "precision", "unjudged", "ranks", "padding", "semantics", "ids", "order"),
    *("threshold", "min_score", "qrels_depth", "depth"),
)
_VARIANTS = dict.fromkeys(("retrieved", "measured", "per_query"), "lists")
# What checks read that look at no row which a question leaves out.
_OF_KEPT_ROWS = {"per_query", "named_models"}


def may_cover(question: Question) -> bool:
    """Return True if the list form has the metrics and policies of a question."""
    policies, metrics = question.policies, question.parsed_metrics
    usual = replace(Policies(), **{name: getattr(policies, name) for name in _COVERED})
    is_usual = policies == usual and policies.ties in ("item_desc", "item") and policies.ranks != "given"
    return is_usual and len(metrics) <= _MOST_METRICS and all(map(_is_covered, metrics))


def covers(plan: Plan) -> bool:
    """Return True if the list form has the inputs of a question, too, and shows the faults of all its queries."""
    inputs = plan.inputs
    unseen = checking.names(checking.settings(plan, command="evaluate")) - templates.seen_by("lists")
    is_seen = not any("per_query" in templates.checks()[name].reads for name in unseen)
    return plan.has_qrels and inputs.ranked is None and not inputs.of_items and is_seen


def _is_covered(metric: Metric) -> bool:
    has_table = ":" in str(dict(metric.options).get("gain"))  # its gains may not have the order of the relevance
    return metric.is_of_ours and not has_table and _has_list_form(metric.template.name)


@cache
def _has_list_form(name: str) -> bool:
    """Return True if a metric of this package has a list form; it is parsed only when a question asks for it."""
    return has_list_form(templates.own_metrics()[name])


def in_lists(plan: Plan, *, has_signs: bool, key: keys.Key | None = None) -> Plan:
    """Return the plan that answers with lists."""
    key = key or keys.Key()
    parameters: dict[str, Value] = {
        "largest_relevance": largest_relevance(plan),
        "has_signs": has_signs,
        "top": keys.within(plan.depth, keys.DEEPEST),
        "ideal_depth": keys.within(plan.ideal_depth, keys.DEEPEST_IDEAL),
        **key.parameters,
    }
    return replace(plan, replacements=Replacements({**_VARIANTS, **key.variants}, key.reads, parameters))


def checks_seen(plan: Plan) -> frozenset[str]:
    """Return the checks whose faults the answer shows; the others run before it.

    If a question leaves out rows, lists do not show the faults of these.
    """
    seen, checks = templates.seen_by("lists"), templates.checks()
    if (plan.resolve("candidates"), plan.resolve("judgements")) == ("run", "qrels"):
        return seen
    return frozenset(name for name in seen if _OF_KEPT_ROWS.issuperset(checks[name].reads))


def answer(question: Question, plan: Plan, session: Session) -> Answer | None:
    """Return the answer from lists; None if the list form does not cover the question, or the data are not sound."""
    if not isinstance(session, DuckDB) or not may_cover(question) or not covers(plan):
        return None
    plan = with_stacked_scores(plan, session)
    chosen = keys.choose(plan, session)
    if chosen:
        checking.check_rows(plan, session, checks_seen(plan))
    for key in chosen:
        stage("ranking and computing metrics")
        lists = in_lists(plan, has_signs=False, key=key)
        stored = session.store(Kept(Statement(lists), Statement.of_table, "per_query"))
        stage("averaging")
        found = read(plan, session.rows(Kept(Statement(lists, of_queries(stored)), Statement.of_answer, ["answers"])))
        if found is not None:
            checking.check_sums(plan, session, of_queries(stored))
            session.execute(exp.delete(stored.copy(), "is_judged IS NULL", dialect="duckdb"))
            return replace(found.answer(plan, session), per_query=stored)
        session.drop(stored)
    return None


@dataclass(frozen=True)
class Found:
    """What the rows of an answer hold.

    Attributes:
        counts: the counts of queries, by model.
        means: the rows of means.
        signs: the signs for notes.
        rest: the other columns of each model.
    """

    counts: dict[object, Counts]
    means: list[dict[str, Any]]
    signs: Signs
    rest: dict[object, list[Any]]

    def answer(self, plan: Plan, session: Session) -> Answer:
        """Return the answer without values of queries and notes."""
        return Answer(plan, with_dropped_rows(self.counts, plan, session), self.means)


def read(plan: Plan, rows: list[tuple[Any, ...]]) -> Found | None:
    """Return what the rows of `of_answer` hold, of each model and then its slices; None if the data are not sound."""
    counts: dict[object, Counts] = {}
    means: list[dict[str, Any]] = []
    rest: dict[object, list[Any]] = {}
    signs = None
    for row in rows:
        cells = iter(row)
        model = next(cells) if plan.has_models else plan.inputs.one_model
        level = next(cells)
        slices = [next(cells) for _ in canonical_names("slice", len(plan.inputs.by))]
        values, numbers = ([next(cells) for _ in plan.metrics] for _ in range(2))
        if level == 0:
            judged, retrieved, both, without, is_sound = (next(cells) for _ in range(5))
            if not is_sound:
                return None
            counts[model] = Counts(judged, retrieved, both, without)
            signs = _merged(signs, Signs(*(next(cells) for _ in range(4))))
            rest[model] = [*cells]
        of_group = {"model": model, **dict(zip(plan.inputs.by, slices, strict=True))}
        means += [
            {**of_group, "metric": metric.name, "k": metric.k, "value": value, "queries": number}
            for metric, value, number in zip(plan.metrics, values, numbers, strict=True)
        ]
    ordered = in_order_of_names(plan, counts)
    return None if ordered is None or signs is None else Found(ordered, means, signs, rest)


def _merged(first: Signs | None, second: Signs) -> Signs:
    """Return the signs of two models in one."""
    if first is None:
        return second
    return replace(
        second,
        forms_differ=first.forms_differ or second.forms_differ,
        may_be_reversed=first.may_be_reversed or second.may_be_reversed,
    )
