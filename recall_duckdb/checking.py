"""Runs the data checks of `sql/checks` and turns what they find into an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from recall_duckdb import templates
from recall_duckdb.compiler import Plan, Statement
from recall_duckdb.engines import Session
from recall_duckdb.errors import DataError
from recall_duckdb.templates import Template


def check_rows(plan: Plan, session: Session, settings: Mapping[str, object]) -> None:
    """Raise `DataError` for the first fault in the rows of run and qrels."""
    wanted = [check for check in _applying(settings) if "per_query" not in check.reads]
    kept_all = plan if plan.policies.nulls == "drop" else plan.keeping_all_rows()
    _raise_first(wanted, lambda: Statement(kept_all), plan, session)


def check_queries(plan: Plan, session: Session, settings: Mapping[str, object], per_query: exp.Expr) -> None:
    """Raise `DataError` for the first fault that shows in the per-query relation, which is there already."""
    wanted = [check for check in _applying(settings) if "per_query" in check.reads]
    _raise_first(wanted, lambda: Statement(plan, {"per_query": per_query}), plan, session)


def _applying(settings: Mapping[str, object]) -> list[Template]:
    return [check for check in templates.checks().values() if _applies(check.head.get("When", ""), settings)]


def _applies(condition: str, settings: Mapping[str, object]) -> bool:
    """Whether a condition such as "run = scores; nulls = error, last" holds; an empty one does."""
    for part in filter(None, condition.split(";")):
        name, _, values = part.partition("=")
        if str(settings.get(name.strip())) not in [value.strip() for value in values.split(",")]:
            return False
    return True


def _raise_first(checks: list[Template], statement: Any, plan: Plan, session: Session) -> None:
    if not checks:
        return
    faults = dict(session.rows(statement().of_checks(checks)))
    # An empty relation or a missing id explains other faults, so it is told first.
    found = sorted((name for name, count in faults.items() if count), key=_priority)
    if found:
        check = templates.checks()[found[0]]
        example = session.dicts(statement().of_check(check).limit(1))
        raise DataError(_message(check, plan, example, faults[check.name]))


def _priority(name: str) -> tuple[bool, bool, str]:
    return (not name.startswith("empty"), not name.endswith("_ids"), name)


def _message(check: Template, plan: Plan, example: list[dict[str, Any]], count: int) -> str:
    inputs, threshold = plan.inputs, plan.policies.threshold
    called = {name: f"column {own!r}" for name, own in inputs.called.items()}
    words = {
        **called,
        "relevant_if": "above 0" if threshold is None else f"at or above the threshold {threshold:g}",
        "largest_k": plan.values()["largest_k"],
    }
    rule, do = (check.head[part].format_map(words) for part in ("Rule", "Do"))
    if check.name.startswith("empty"):
        return f"{rule[0].upper()}{rule[1:]}. {do}"
    shown = ", ".join(f"{_users_name(name, plan)}={value!r}" for name, value in example[0].items())
    cases = "1 case" if count == 1 else f"{count:,} cases"
    return f"{rule[0].upper()}{rule[1:]} ({cases}), for example {shown}. {do}"


def _users_name(name: str, plan: Plan) -> str:
    stem, _, number = name.rpartition("_")
    columns = {"query": plan.inputs.query, "slice": plan.inputs.by}
    if stem in columns and number.isdigit():
        return columns[stem][int(number) - 1]
    if name == "slice":
        return plan.inputs.by[0]
    return plan.inputs.called.get(name, name)
