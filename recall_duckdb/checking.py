"""Run the data checks of `sql/checks`: `evaluate` raises the first fault, and `check` returns all of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from sqlglot import exp

from recall_duckdb import dialects, report
from recall_duckdb.compose import Plan, Replacements, Statement
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import Session
from recall_duckdb.errors import ArgumentTypeError, DataError, UnknownNameError, advice, apart, nearest, shown
from recall_duckdb.question import OPTIONAL_INPUTS
from recall_duckdb.question.metrics import Metric
from recall_duckdb.stages import each_part, stage

_EXAMPLES = 3
# The relations that hold the user's data: run, qrels and the optional inputs.
_ROWS = {"run", "qrels", *templates.INPUTS}


@dataclass(frozen=True)
class Fault:
    """One kind of fault that was found.

    Attributes:
        check: the name of the check, as `skip=` takes it.
        rule: the rule that is broken.
        faults: the number of rows that break it.
        do: how to fix it.
        examples: up to three of these rows, with the user's column names.
    """

    check: str
    rule: str
    faults: int
    do: str
    examples: list[dict[str, Any]]


class Faults:
    """The result of `check`: a `Fault` for each kind of fault that was found.

    It is true if there is any fault. Its length is the number of kinds.

    Attributes:
        rows: the faults, a `Fault` for each kind.
        checks: the names of the checks that ran.

    Example:
        >>> Faults([], ["ties"]).clean
        True
    """

    def __init__(self, rows: list[Fault], checks: list[str]) -> None:
        self.rows, self.checks = rows, checks

    @property
    def clean(self) -> bool:
        """True if nothing was found."""
        return not self.rows

    def to_dicts(self) -> list[dict[str, Any]]:
        """Return the faults as a list of dicts with check, rule, faults, do and examples."""
        return [asdict(row) for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Fault]:
        return iter(self.rows)

    def __repr__(self) -> str:
        return FORMATS["table"](self)

    def _repr_html_(self) -> str:
        return report.html(_Listing(self, wide=True))


@dataclass(frozen=True)
class _Listing:
    """The faults as a table. Examples and fixes are columns if it is wide, or else notes below it."""

    found: Faults
    wide: bool

    @property
    def left(self) -> int:
        return 4 if self.wide else 2

    @property
    def notes(self) -> list[str]:
        if self.found.clean:
            made = len(self.found.checks)
            return [f"No fault found by {made} {'check' if made == 1 else 'checks'}."]
        if self.wide:
            return []
        return [" ".join(filter(None, [f"{row.check}:", _shown(row), row.do])) for row in self.found]

    def table(self) -> tuple[list[str], list[list[str]]]:
        body = []
        for row in self.found:
            between = [_shown(row), row.do] if self.wide else []
            body.append([row.check, row.rule, *between, f"{row.faults:,}"])
        return ["check", "rule", *(["example", "what to do"] if self.wide else []), "faults"], body


def _shown(fault: Fault) -> str:
    return f"for example {_pairs(fault.examples[0])}." if fault.examples else ""


def _pairs(example: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in example.items())


def _table(found: Faults) -> str:
    listing = _Listing(found, wide=False)
    return listing.notes[0] if found.clean else report.text(listing)


def _json(found: Faults) -> str:
    return report.json_text(found.to_dicts(), indent=2)


def _csv(found: Faults) -> str:
    rows = ([row.check, row.rule, row.faults, row.do, report.json_text(row.examples)] for row in found)
    return report.csv_text([["check", "rule", "faults", "do", "examples"], *rows])


FORMATS: dict[str, Callable[[Faults], str]] = {
    "table": _table,
    "json": _json,
    "csv": _csv,
    "markdown": lambda found: report.markdown(_Listing(found, wide=True)),
}


def settings(plan: Plan, *, command: str) -> dict[str, object]:
    """Return what the condition `When` of a check can name: policies, shape of the data, metrics, command."""
    inputs = plan.inputs
    models = "column" if inputs.models is None else "one" if inputs.one_model is not None else "named"
    may_lose_rows = (
        plan.policies.nulls == "drop" or inputs.run_shape == "lists" or plan.resolved("candidates") == "candidates"
    )
    exponential = any(judging.gain == "exponential" for judging in plan.judgings)
    return {
        **plan.policies.settings(),
        "run": inputs.run_shape,
        "qrels": inputs.qrels_shape,
        "slices": inputs.by_side,
        **{name: "given" for name in OPTIONAL_INPUTS if plan.has(name)},
        "models": models,
        "left_out": "rows" if may_lose_rows else None,
        "metrics": "own" if _own_metrics(plan) else None,
        "copies": "labelled" if plan.only_relevant else None,
        "grades": None if plan.max_grade is None else "limited",
        "gain": "exponential" if exponential else None,
        "command": command,
    }


def _own_metrics(plan: Plan) -> list[str]:
    """Return the user's metrics that are not plain aggregates; each is a relation joined to the others."""
    return [str(metric) for metric in plan.metrics if not (metric.is_of_ours or metric.template.is_plain)]


def check_rows(plan: Plan, session: Session, settings: Mapping[str, object], leave_out: Collection[str] = ()) -> None:
    """Raise `DataError` for the first fault in the rows of run and qrels.

    The checks in `leave_out` run only if another check finds a fault.
    """
    stage("checking rows")
    wanted = [check for check in _applying(settings) if "per_query" not in check.reads]
    kept_all = _before_policies(plan)
    made = [check for check in wanted if check.name not in leave_out]
    if any(_counted(made, lambda: Statement(kept_all), session).values()):
        _raise_first(wanted, lambda: Statement(kept_all), plan, session)


def check_again(plan: Plan, session: Session, settings: Mapping[str, object], names: Collection[str]) -> None:
    """Raise `DataError` for the first fault that these checks find; `check_rows` has left them out."""
    stage("checking lists")
    wanted = [check for check in _applying(settings) if check.name in names]
    kept_all = _before_policies(plan)
    _raise_first(wanted, lambda: Statement(kept_all), plan, session)


def _before_policies(plan: Plan) -> Plan:
    """Return the plan without policies that remove rows, except nulls='drop'."""
    kept = plan.keeping_all_rows()
    return replace(kept, policies=replace(kept.policies, nulls="drop")) if plan.policies.nulls == "drop" else kept


def check_queries(plan: Plan, session: Session, settings: Mapping[str, object], bound: Mapping[str, exp.Expr]) -> None:
    """Raise `DataError` for the first fault in the relation `per_query`, which `bound` holds if it is stored."""
    stage("checking queries")
    wanted = [check for check in _applying(settings) if "per_query" in check.reads]
    _raise_first(wanted, lambda: Statement(plan, bound), plan, session)


def known(names: object) -> set[str]:
    """Return a set of the names of checks; raises `UnknownNameError` with the nearest name if one is unknown."""
    checks = templates.checks()
    if names is not None and not isinstance(names, Iterable):
        raise ArgumentTypeError(f"skip: the names of checks are expected, not {shown(names)}")
    given = [names] if isinstance(names, str) else [] if names is None else list(names)
    for name in given:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"skip: the name of a check is expected, not {shown(name)}")
        if name not in checks:
            raise UnknownNameError(
                f"skip: there is no check {shown(name)}.{apart('skip', name) or nearest(name, checks)} "
                f"Known: {', '.join(map(repr, checks))}"
            )
    return set(given)


def find(plan: Plan, session: Session, skip: Collection[str] = ()) -> Faults:
    """Return every kind of fault that the checks find; a fault does not hide others."""
    wanted = [check for check in _applying(settings(plan, command="check")) if check.name not in skip]
    of_rows = [check for check in wanted if _ROWS.issuperset(check.reads)]
    of_queries = [check for check in wanted if {"per_query"} <= set(check.reads) <= {"per_query", "given_run"}]
    of_lists = [check for check in wanted if check not in (*of_rows, *of_queries)]
    whole = Metric(templates.own_metrics()["recall"])
    stage("checking rows")
    everywhere = Replacements(parameters={"only_relevant": False})
    # Reads every list to its end.
    kept_all = replace(plan.keeping_all_rows(), metrics=[*plan.metrics, whole], replacements=everywhere)
    found = _found(of_rows, lambda: Statement(kept_all), kept_all, session)
    sound = _sound(plan, {row.check for row in found} | set(skip))
    stage("computing metrics")
    per_query = session.store(Statement(sound).of_table("per_query"))
    bound = {} if per_query is None else {"per_query": per_query}
    try:
        stage("checking queries")
        found += _found(of_queries, lambda: Statement(sound, bound), plan, session)
        # One at a time: each ranks or groups the whole run, and all at once would need as much memory as all together.
        for check in each_part("checking lists", of_lists):
            found += _found([check], lambda: Statement(sound, bound), plan, session)
    finally:
        if per_query is not None:
            session.drop(per_query)
    return Faults(sorted(found, key=lambda row: _priority(row.check)), [check.name for check in wanted])


def _sound(plan: Plan, doubtful: set[str]) -> Plan:
    """Return the question for sound rows only, so that faulty rows neither hide other faults nor raise errors.

    Its metric is recall at the same cutoffs, because recall is defined for any data.
    """
    repeated = not doubtful.isdisjoint({"run_duplicates", "qrels_duplicates"}) and plan.inputs.run_shape == "scores"
    recall = templates.own_metrics()["recall"]
    asked = {
        (metric.k, tuple(option for option in metric.options if option[0] == "threshold")) for metric in plan.metrics
    }
    if plan.values()["depth"] is None:
        asked.add((None, ()))
    policies = replace(plan.policies, nulls="drop", duplicates="best" if repeated else "error")
    return replace(plan, metrics=[Metric(recall, *each) for each in sorted(asked, key=str)], policies=policies)


def names(settings: Mapping[str, object]) -> set[str]:
    """Return the names of the checks that apply under these settings."""
    return {check.name for check in _applying(settings)}


def _applying(settings: Mapping[str, object]) -> list[Template]:
    return [check for check in templates.checks().values() if _applies(check.head.get("When", ""), settings)]


def _applies(condition: str, settings: Mapping[str, object]) -> bool:
    """Return True if a condition such as "run = scores; nulls = error, last" holds, or is empty."""
    for part in filter(None, condition.split(";")):
        name, _, values = part.partition("=")
        if str(settings.get(name.strip())) not in [value.strip() for value in values.split(",")]:
            return False
    return True


def _found(checks: list[Template], statement: Callable[[], Statement], plan: Plan, session: Session) -> list[Fault]:
    counts = _counted(checks, statement, session)
    return [
        _fault(templates.checks()[name], count, statement(), plan, session) for name, count in counts.items() if count
    ]


def _counted(checks: list[Template], statement: Callable[[], Statement], session: Session) -> dict[str, int]:
    """Return the number of faults by check, from one statement, or one for each check if that would be too large."""
    alone = dialects.DIALECTS[session.dialect].repeats_relations and any("per_query" in check.reads for check in checks)
    groups = [[check] for check in checks] if alone else [checks] if checks else []
    return {name: count for group in groups for name, count in session.rows(statement().of_checks(group))}


def _raise_first(checks: list[Template], statement: Callable[[], Statement], plan: Plan, session: Session) -> None:
    counts = _counted(checks, statement, session)
    # An empty relation, or a row without an id or a rank, explains other faults, so it is reported first.
    found = sorted((name for name, count in counts.items() if count), key=_priority)
    if found:
        check = templates.checks()[found[0]]
        raise DataError(_message(_fault(check, counts[check.name], statement(), plan, session, 1)))


def _priority(name: str) -> tuple[int, str]:
    return int(templates.checks()[name].head.get("Order", "3")), name


def _fault(
    check: Template, count: int, statement: Statement, plan: Plan, session: Session, examples: int = _EXAMPLES
) -> Fault:
    inputs, values = plan.inputs, plan.values()
    threshold = plan.policies.threshold
    words = {
        **{name: f"column {own!r}" for name, own in inputs.user_names.items()},
        "relevant_if": "above 0" if threshold is None else f"at or above the threshold {threshold:g}",
        "largest_k": values["largest_k"] or "",
        "max_grade": "" if plan.max_grade is None else f"{plan.max_grade:g}",
        "own_metrics": ", ".join(_own_metrics(plan)),
    }
    rule, do = (advice(check.head[part]).format_map(words) for part in ("Rule", "Do"))
    shows = check.tree().named_selects != ["found"]  # an empty relation has no example
    rows = session.dicts(statement.of_check(check).limit(examples)) if shows else []
    return Fault(check.name, rule, count, do, [_of_the_user(row, check, plan) for row in rows])


def _message(fault: Fault) -> str:
    rule = f"{fault.rule[0].upper()}{fault.rule[1:]}"
    if not fault.examples:
        return f"{rule}. {fault.do}"
    cases = "1 case" if fault.faults == 1 else f"{fault.faults:,} cases"
    return f"{rule} ({cases}), for example {_pairs(fault.examples[0])}. {fault.do}"


def _of_the_user(row: dict[str, Any], check: Template, plan: Plan) -> dict[str, Any]:
    """Restore the user's column names; rename ours on a clash."""
    users = {name: _users_name(name, check, plan) for name in row}
    theirs = {own for name, own in users.items() if own != name}
    return {f"{name}_" if users[name] == name and name in theirs else users[name]: value for name, value in row.items()}


def _users_name(name: str, check: Template, plan: Plan) -> str:
    user_names = plan.inputs.user_names
    stem, _, number = name.rpartition("_")
    columns = {"query": plan.inputs.query, "slice": plan.inputs.by}
    if stem in columns and number.isdigit():
        return columns[stem][int(number) - 1]
    if name == "slice":
        return plan.inputs.by[0]
    side = "qrels_" if check.name.startswith("qrels_") else ""
    return user_names.get(f"{side}{name}", user_names.get(name, name))
