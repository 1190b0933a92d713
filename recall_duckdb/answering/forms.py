"""The forms in which a question can be answered: as lists, as rows that are read in one pass, and as rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import inf, nextafter

from recall_duckdb import checking
from recall_duckdb.answering import keys
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.compose.lists import has_list_form
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.trees import Value
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import Policies

_MOST_METRICS = 200  # in lists: DuckDB would plan more for longer than rows take
# The policies that lists and one pass take into account. With another value than the default of any other policy, rows
# answer, so that a new policy is right before these know it.
_COVERED = (
    *("no_relevant", "missing", "ties", "precision", "unjudged", "ranks", "padding", "semantics", "ids", "order"),
    *("threshold", "min_score", "qrels_depth", "depth"),
)
# What checks read that look at no row which a question leaves out.
_OF_KEPT_ROWS = {"per_query", "named_models"}


@dataclass(frozen=True)
class Form:
    """A form of an answer."""

    plan: Plan  # the plan, with the files that replace definitions
    columns: list[str]  # the relations whose columns the statement of the means selects, too
    # The checks whose faults these columns show; the others run before. Empty for rows
    seen: frozenset[str] = frozenset()
    is_stored: bool = True  # True if the values of queries are stored, False if they are in the columns


def forms(plan: Plan, session: Session, *, is_small: bool) -> Iterator[Form]:
    """Yield the forms that answer a question, the fastest first. The last one, rows, answers every question."""
    if not isinstance(session, DuckDB):
        if covers(plan, "one_pass") and _is_usual(plan):
            yield _one_pass(plan)
        yield Form(plan, ["counts"])
        return
    plan = with_stacked_scores(plan, session)
    if covers(plan, "lists") and _are_in_lists(plan):
        for key in [keys.Key()] if is_small else keys.choose(plan, session):
            columns = ["answers", *(["query_values"] if is_small else [])]
            yield Form(in_lists(plan, has_signs=is_small, key=key), columns, _seen_in_lists(plan), not is_small)
    yield Form(plan, ["counts"])


def covers(plan: Plan, form: str) -> bool:
    """Return True if a form knows the policies of a question, and shows all faults of its queries."""
    usual = replace(Policies(), **{name: getattr(plan.policies, name) for name in _COVERED})
    unseen = checking.names(checking.settings(plan, command="evaluate")) - templates.seen_by(form)
    are_seen = not any("per_query" in templates.checks()[name].reads for name in unseen)
    is_usual = plan.policies == usual and plan.policies.ties in ("item_desc", "item")
    return is_usual and are_seen and plan.has_qrels and plan.inputs.ranked is None


def _is_usual(plan: Plan) -> bool:
    """Return True if one pass has the inputs and metrics of a question."""
    inputs = plan.inputs
    shape = (inputs.run_shape, inputs.qrels_shape, plan.resolve("candidates"), len(inputs.by), len(plan.judgings))
    return shape == ("scores", "rows", "run", 0, 1) and all(metric.template.is_plain for metric in plan.metrics)


def _one_pass(plan: Plan) -> Form:
    """Return the form that reads the run once, for engines that compute a relation wherever it is read."""
    variants = dict.fromkeys(("judged", "measured", "per_query"), "one_pass")
    reads = {("ranked", "candidates"): "marked", ("graded", "judgements"): "marked_judgements"}
    replacements = Replacements(variants, reads, {"largest_relevance": _largest_relevance(plan)})
    return Form(replace(plan, replacements=replacements), ["counts", "soundness"], templates.seen_by("one_pass"))


def _are_in_lists(plan: Plan) -> bool:
    """Return True if lists have the inputs and metrics of a question."""
    is_usual = plan.policies.ranks != "given" and not plan.inputs.of_items
    return is_usual and len(plan.metrics) <= _MOST_METRICS and all(map(_is_in_lists, plan.metrics))


def _is_in_lists(metric: Metric) -> bool:
    has_table = ":" in str(dict(metric.options).get("gain"))  # its gains may not have the order of the relevance
    return metric.is_of_ours and not has_table and _has_list_form(metric.template.name)


@cache
def _has_list_form(name: str) -> bool:
    """Return True if a metric of this package has a list form; it is parsed only when a question asks for it."""
    return has_list_form(templates.own_metrics()[name])


def in_lists(plan: Plan, *, has_signs: bool, key: keys.Key) -> Plan:
    """Return the plan that answers with lists."""
    parameters: dict[str, Value] = {
        "largest_relevance": _largest_relevance(plan),
        "has_signs": has_signs,
        "top": keys.within(plan.depth, keys.DEEPEST),
        "ideal_depth": keys.within(plan.ideal_depth, keys.DEEPEST_IDEAL),
        **key.parameters,
    }
    variants = {**dict.fromkeys(("retrieved", "measured", "per_query"), "lists"), **key.variants}
    return replace(plan, replacements=Replacements(variants, key.reads, parameters))


def _seen_in_lists(plan: Plan) -> frozenset[str]:
    """Return the checks whose faults lists show; if a question leaves out rows, not the faults of these."""
    seen, checks = templates.seen_by("lists"), templates.checks()
    if (plan.resolve("candidates"), plan.resolve("judgements")) == ("run", "qrels"):
        return seen
    return frozenset(name for name in seen if _OF_KEPT_ROWS.issuperset(checks[name].reads))


def _largest_relevance(plan: Plan) -> float:
    """Return the number that every relevance is below if the checks of the qrels find nothing."""
    is_exponential = any(judging.gain == "exponential" for judging in plan.judgings)
    largest = 40.0 if is_exponential else 1e12
    if isinstance(plan.max_grade, (int, float)):
        largest = min(largest, nextafter(plan.max_grade * 1.0000001, inf))  # as in sql/checks/grades.sql
    return largest
