"""The forms in which a question can be answered: as lists, as rows that are read in one pass, and as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf, nextafter

from recall_duckdb import checking
from recall_duckdb.answering import keys
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.definitions.templates import Template
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
_IN_LISTS = ("nulls", "duplicates")  # which lists take into account, too
# What a form reads whole if it reads less than a side of the data.
_OF_ALL_FORMS = {"per_query", "named_models", "candidates", "judgements"}


@dataclass(frozen=True)
class Form:
    """A form of an answer."""

    plan: Plan  # the plan, with the files that replace definitions
    # The relations whose columns the statement of the means selects, too; except for rows, one says if data are sound.
    columns: list[str]
    # The checks whose faults that column does not show; the statement counts these. None if all checks run before.
    checks: Sequence[Template] | None = None
    is_stored: bool = True  # True if the values of queries are stored, False if they are in the columns

    @property
    def shows_faults(self) -> bool:
        """True if a column says whether the data are sound; otherwise checks run before the statement."""
        return self.columns != ["counts"]


def forms(plan: Plan, session: Session, *, is_small: bool) -> Iterator[Form]:
    """Yield the forms that answer a question, the fastest first. The last one, rows, answers every question."""
    if not isinstance(session, DuckDB):
        if covers(plan, "one_pass") and _is_usual(plan):
            yield Form(_one_pass(plan), ["counts", "soundness"], _unseen(plan, "one_pass"))
        yield Form(plan, ["counts"])
        return
    plan = with_stacked_scores(plan, session)
    if covers(plan, "lists") and _are_in_lists(plan):
        columns = ["answers", *(["query_values"] if is_small else [])]
        checks = None if plan.policies.duplicates == "best" else _unseen(plan, "lists")
        for key in [keys.ROW] if is_small else keys.choose(plan, session):
            yield Form(in_lists(plan, is_small=is_small, key=key), columns, checks, not is_small)
    yield Form(plan, ["counts"])


def removes_rows(plan: Plan) -> bool:
    """Return True if a policy removes rows of run or qrels as they are read."""
    return plan.policies.nulls == "drop" or plan.policies.duplicates == "best"


def sides_with_less(plan: Plan) -> dict[str, str]:
    """Return the relation of what `exclude`, `items` or a policy leaves of a side, by side."""
    used = {"run": "candidates", "qrels": "judgements"}
    return {side: name for side, name in used.items() if plan.resolve(name) != side}


def _unseen(plan: Plan, form: str) -> list[Template]:
    """Return the checks of rows whose faults a form does not show, which are more if it reads less than a side."""
    *_, (_, checks) = checking.of_rows(plan)
    less = sides_with_less(plan)
    shown = _OF_ALL_FORMS | ({"run", "qrels"} - less.keys())
    return [check for check in checks if form not in check.seen_by or (less and not shown.issuperset(check.named))]


def covers(plan: Plan, form: str) -> bool:
    """Return True if a form knows the policies of a question, and shows all faults of its queries."""
    covered = (*_COVERED, *(_IN_LISTS if form == "lists" and plan.policies.nulls != "last" else ()))
    usual = replace(Policies(), **{name: getattr(plan.policies, name) for name in covered})
    of_queries = [check for check in checking.checks_of(plan, "evaluate") if "per_query" in check.named]
    are_seen = all(form in check.seen_by for check in of_queries)
    is_usual = plan.policies == usual and plan.policies.ties in ("item_desc", "item")
    return is_usual and are_seen and plan.has_qrels and plan.inputs.ranked is None


def _is_usual(plan: Plan) -> bool:
    """Return True if one pass has the inputs and metrics of a question."""
    inputs = plan.inputs
    shape = (inputs.run_shape, inputs.qrels_shape, plan.resolve("candidates"), len(inputs.by), len(plan.judgings))
    return shape == ("scores", "rows", "run", 0, 1) and all(metric.template.is_plain for metric in plan.metrics)


def _one_pass(plan: Plan) -> Plan:
    """Return the plan that reads the run once, for engines that compute a relation wherever it is read."""
    variants = dict.fromkeys(("judged", "measured", "per_query"), "one_pass")
    reads = {("ranked", "candidates"): "marked", ("graded", "judgements"): "marked_judgements"}
    return replace(plan, replacements=Replacements(variants, reads, {"largest_relevance": _largest_relevance(plan)}))


def _are_in_lists(plan: Plan) -> bool:
    """Return True if lists have the inputs and metrics of a question."""
    is_usual = plan.policies.ranks != "given" and not plan.inputs.of_items
    return is_usual and len(plan.metrics) <= _MOST_METRICS and all(map(_is_in_lists, plan.metrics))


def _is_in_lists(metric: Metric) -> bool:
    has_table = ":" in str(dict(metric.options).get("gain"))  # its gains may not have the order of the relevance
    return metric.is_of_ours and not has_table and metric.template.may_be_in_lists


def in_lists(plan: Plan, *, is_small: bool, key: Replacements) -> Plan:
    """Return the plan that answers with lists."""
    parameters: dict[str, Value] = {
        "largest_relevance": _largest_relevance(plan),
        # For notes, the scores of all lists are kept, or of one list in 32.
        "sampled": 1 if is_small else 32 if plan.inputs.run_shape == "scores" else None,
        "are_ranks": plan.has_strict_ranks and "run" not in sides_with_less(plan),  # others leave gaps
        "top": keys.within(plan.depth, keys.DEEPEST),
        "ideal_depth": keys.within(plan.ideal_depth, keys.DEEPEST_IDEAL),
        **key.parameters,
    }
    variants = {**dict.fromkeys(("retrieved", "measured", "per_query"), "lists"), **key.variants}
    return replace(plan, replacements=Replacements(variants, key.reads, parameters))


def _largest_relevance(plan: Plan) -> float:
    """Return the number that every relevance is below if the checks of the qrels find nothing."""
    is_exponential = any(judging.gain == "exponential" for judging in plan.judgings)
    largest = 40.0 if is_exponential else 1e12
    if isinstance(plan.max_grade, (int, float)):
        largest = min(largest, nextafter(plan.max_grade * 1.0000001, inf))  # as in sql/checks/grades.sql
    return largest
