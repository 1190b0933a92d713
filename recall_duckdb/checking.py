"""Run the data checks of `sql/checks`: `evaluate` raises the first fault, and `check` returns all of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from sqlglot import exp

from recall_duckdb import dialects, report
from recall_duckdb.answering import keys
from recall_duckdb.compose import Kept, Plan, Replacements, Statement
from recall_duckdb.definitions import templates, trees
from recall_duckdb.definitions.templates import Template
from recall_duckdb.engines import IS_DUCKDB_1, DuckDB, Session
from recall_duckdb.engines.failures import too_large_sum
from recall_duckdb.errors import (
    ArgumentTypeError,
    DataError,
    MetricFileError,
    UnknownNameError,
    apart,
    digits,
    nearest,
    pairs,
    quote,
    respelled,
    some,
    spell,
)
from recall_duckdb.question import OPTIONAL_INPUTS
from recall_duckdb.question.metrics import Metric, needs_binary_gain
from recall_duckdb.reading import read_as
from recall_duckdb.reading.columns import NUMBERS, apart_from, canonical_names, family_of

_EXAMPLES = 3
_SAMPLED = 1000  # lists of each model of a large run
# What looks at items before they are mapped to units.
_OF_ITEMS = {"lists", "run_list_items", "qrels_list_items", "padding", "qrels_padding"}
_LARGEST_VALUE = 1e38 / 2**70  # a mean is summed in units of 2^-70 as DECIMAL(38, 0)
# The relations that hold the user's data: the run (whole, or without items left out), qrels and the optional inputs.
_ROWS = {"run", "exact_scores", "candidates", "qrels", *templates.INPUTS}
_WITH_QUERIES = {"given_run", "judgements"}  # what a check of values of queries may also read


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

    @property
    def told(self) -> str:
        """The rule, the number of rows that break it, and the first of them."""
        if not self.examples:
            return self.rule
        cases = "1 case" if self.faults == 1 else f"{self.faults:,} cases"
        return f"{self.rule} ({cases}), for example {pairs(self.examples[0])}"


class Faults:
    """The result of `check`: a `Fault` for each kind of fault that was found.

    It is true if there is any fault. Its length is the number of kinds.

    Attributes:
        rows: the faults, a `Fault` for each kind.
        checks: the names of the checks that ran.
        read_as: how run and qrels were read, in a line a side, as in `Result.read_as`.

    Example:
        >>> Faults([], ["ties"]).clean
        True
    """

    def __init__(self, rows: list[Fault], checks: list[str], read_as: Sequence[str] = ()) -> None:
        self.rows, self.checks, self.read_as = rows, checks, list(read_as)

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
        return faults_table(self, wide=False).on_terminal()

    def _repr_html_(self) -> str:
        return faults_table(self, wide=True).html()


class _Examples(list[dict[str, Any]]):
    """Examples, whose text is JSON."""

    def __str__(self) -> str:
        return report.json_text(self)


def faults_table(faults: Faults, *, wide: bool) -> report.Table:
    """Return the faults as a table. Examples and fixes are columns if it is wide, or else notes below it."""
    between = ["example", "what to do"] if wide else []
    header = ["check", "rule", *between, "faults"] if wide or not faults.clean else []
    body, notes = [], []
    for row in faults:
        between = [_show_example(row), row.do] if wide else []
        body.append([row.check, row.rule, *between, f"{row.faults:,}"])
        notes += [] if wide else [" ".join(filter(None, [f"{row.check}:", _show_example(row), row.do]))]
    if faults.clean:
        count = len(faults.checks)
        notes = [f"No fault found by {count} {'check' if count == 1 else 'checks'}."]
    rows = [{**row, "examples": _Examples(row["examples"])} for row in faults.to_dicts()]
    # JSON has a row for each fault, without how the data were read.
    return report.Table(header, body, [*notes, *faults.read_as], 1, rows, [each.name for each in fields(Fault)])


def _show_example(fault: Fault) -> str:
    return f"for example {pairs(fault.examples[0])}." if fault.examples else ""


def settings(plan: Plan, *, command: str) -> dict[str, object]:
    """Return what the condition `When` of a check can name: policies, shape of the data, metrics, command."""
    inputs = plan.inputs
    models = "column" if inputs.models is None else "one" if inputs.one_model is not None else "named"
    policies = plan.policies
    may_lose_rows = (
        policies.nulls == "drop"
        or (policies.ranks == "given" and policies.depth is not None)
        or inputs.run_shape == "lists"
        or plan.resolve("candidates") == "candidates"
    )
    exponential = any(judging.gain == "exponential" for judging in plan.judgings)
    return {
        **plan.policies.settings(),
        "run": "units" if plan.unit is not None and inputs.run_shape == "lists" else inputs.run_shape,
        "qrels": inputs.qrels_shape,
        "slices": inputs.by_side,
        **{name: "given" for name in OPTIONAL_INPUTS if plan.has(name)},
        "units": None if plan.unit is None else "given",
        "models": models,
        "left_out": "rows" if may_lose_rows else None,
        "metrics": "own" if _own_metrics(plan) else None,
        "copies": "labelled" if plan.only_relevant else None,
        "grades": None if plan.max_grade is None else "limited",
        "gain": "exponential" if exponential else None,
        "item": None if inputs.padding is None else "may_be_padding",
        "qrels_item": None if inputs.qrels_padding is None else "may_be_padding",
        "exact_scores": "given" if plan.has("exact_scores") else None,
        "engine": inputs.engine,
        "query": "text" if inputs.text_queries else None,
        "texts": "may_be_lists" if inputs.text_items else None,
        "keys": "one" if len(inputs.query) == 1 else "several",
        "explains": "nothing",
        "dbt": "no",  # the package of dbt leaves out such a check
        "command": command,
    }


def _own_metrics(plan: Plan) -> list[str]:
    """Return the user's metrics that are not plain aggregates; each is a relation joined to the others."""
    return [str(metric) for metric in plan.metrics if not (metric.is_of_ours or metric.template.is_plain)]


# Sentences of advice that help only under these settings, by their first words.
_ONLY_IF = {
    "If an item may repeat": "run = scores, lists",
    "If ranks only give the order": "run = ranks",
    "If a query has nothing relevant": "qrels = lists, maps",
    "If nothing was retrieved": "run = lists",
}
_OF_JUDGED = ("bpref", "inf_ap", "judged", "num_nonrel_judged_ret", "unjudged")


def of_judged(plan: Plan) -> list[str]:
    """Return what of a question compares items judged as relevant with those judged as not relevant."""
    texts = [str(metric) for metric in plan.metrics if metric.name in _OF_JUDGED or ("of", "judged") in metric.options]
    return [*texts, *(["unjudged='drop'"] if plan.policies.unjudged == "drop" else [])]


def of_threshold(plan: Plan) -> list[str]:
    """Return the metrics for which any relevance above 0 counts as relevant, because no threshold was given."""
    if plan.policies.threshold is not None:
        return []
    return [
        str(metric)
        for metric, options in ((metric, dict(metric.options)) for metric in plan.metrics)
        if "threshold" not in options and (options.get("gain") == "binary" or not needs_binary_gain(metric.template))
    ]


def of_rows(plan: Plan, command: str = "evaluate") -> Iterator[tuple[Plan, list[Template]]]:
    """Yield the checks of rows with the plan whose rows they look at; most are the last."""
    of_plan = plan, [check for check in checks_of(plan, command) if "per_query" not in check.named]
    for each, chosen in (*_of_other_rows(plan, command), of_plan):
        yield _before_policies(each), chosen


def check_rows(plan: Plan, session: Session, command: str = "evaluate", *, are_shown: bool = False) -> None:
    """Raise `DataError` for the first fault in the rows of run and qrels.

    If `are_shown`, the answer shows the faults, except those of items before these are mapped to units.
    """
    *others, of_plan = of_rows(replace(plan, replacements=Replacements()), command)
    for each, checks in others if are_shown else (*others, of_plan):
        refuse(checks, Statement(each), session)


def _of_other_rows(plan: Plan, command: str) -> Iterator[tuple[Plan, list[Template]]]:
    """Yield checks with the rows that they look at: runs with ranks if others hold scores, and items without units."""
    if plan.inputs.ranked is not None:
        ranked = replace(plan, inputs=plan.inputs.ranked)
        yield ranked, [check for check in checks_of(ranked, command) if check.when.get("run") == ("ranks",)]
    if plan.unit is not None:
        unmapped = replace(plan, unit=None)
        yield unmapped, [check for check in checks_of(unmapped, command) if check.name in _OF_ITEMS]


def check_queries(plan: Plan, session: Session, bound: Mapping[str, exp.Expr]) -> None:
    """Raise `DataError` for the first fault in the relation `per_query`, which `bound` holds if it is stored."""
    checks = [check for check in checks_of(plan, "evaluate") if "per_query" in check.named]
    refuse(checks, Statement(plan, bound), session)


def check_metric_types(plan: Plan, session: Session) -> None:
    """Raise `MetricFileError` if a metric of the user gives no numbers."""
    for metric in plan.metrics if isinstance(session, DuckDB) else []:
        if not metric.is_of_ours:
            [kind] = session.describe(Statement(plan).of_metric(metric).subquery("values_of_metric")).values()
            if family_of(kind) not in (*NUMBERS, "boolean", "unknown"):
                raise MetricFileError(
                    f"{metric.template.path}: {metric} gives values of type {kind}, but a metric gives numbers"
                )


def check_metric_values(plan: Plan, session: Session, bound: Mapping[str, exp.Expr]) -> None:
    """Raise `MetricFileError` if a metric of the user gives a value that has no mean: infinite, NaN or too large."""
    inputs = plan.inputs
    keys = [*(["model"] if plan.has_models else []), *canonical_names("query", len(inputs.query))]
    for metric in plan.metrics:
        if metric.is_of_ours or "per_query" not in bound:
            continue
        size = exp.Abs(this=trees.column(metric.column))
        is_sound = exp.LT(this=size, expression=trees.literal(_LARGEST_VALUE))
        statement = exp.select(*keys, metric.column).from_(bound["per_query"].copy()).where(exp.Not(this=is_sound))
        for row in session.rows(statement.order_by(*keys).limit(1)):
            where = pairs(dict(zip([*keys[: -len(inputs.query)], *inputs.query], row, strict=False)))
            raise MetricFileError(
                f"{metric.template.path}: {metric} is {row[-1]} for {where}, but the value of a metric is a number "
                f"between -{_LARGEST_VALUE:g} and {_LARGEST_VALUE:g}, or NULL"
            )


def check_sums(plan: Plan, session: Session, bound: Mapping[str, exp.Expr]) -> None:
    """Raise `DataError` if the values of a metric add up to too much for an exact mean.

    DuckDB 2 and other engines raise an error themselves. DuckDB 1 does not if the sums of its threads exceed the limit
    only together: the mean would be negative. Weights are at most 1 and only make a sum smaller.
    """
    if not (IS_DUCKDB_1 and isinstance(session, DuckDB) and "per_query" in bound):
        return
    summed = [metric for metric in plan.metrics if metric.mean not in ("whole", "geometric") and not metric.is_quantile]
    sums = [exp.Sum(this=exp.Abs(this=trees.column(metric.column))) for metric in summed]
    slices = canonical_names("slice", len(plan.inputs.by)) if plan.inputs.of_items else []  # and the total has a row
    keys = [*(["model"] if plan.has_models else []), *slices]
    totals = exp.select(*sums).from_(bound["per_query"].copy()).group_by(*keys)
    for row in session.rows(totals) if sums else []:
        for metric, total in zip(summed, row, strict=True):
            if total is not None and total >= _LARGEST_VALUE:
                raise too_large_sum(str(metric), f"{total:.3g}")


def _before_policies(plan: Plan) -> Plan:
    """Return the plan without policies that remove rows, except nulls='drop'."""
    whole = plan.keeping_all_rows()
    return replace(whole, policies=replace(whole.policies, nulls="drop")) if plan.policies.nulls == "drop" else whole


def find_fault(name: str, plan: Plan, session: Session, looked_at: int | None = None) -> Fault | None:
    """Return what one check finds in all rows, or in this many queries, whether or not it applies; None for nothing."""
    kept_all = replace(plan.keeping_all_rows(), replacements=Replacements(parameters={"looked_at": looked_at}))
    for fault in run([templates.checks()[name]], Statement(kept_all), session):
        rule = fault.rule if looked_at is None else f"in a sample of up to {looked_at} queries, {fault.rule}"
        return replace(fault, rule=rule)
    return None


def find_explanations(name: str, plan: Plan, session: Session) -> list[Fault]:
    """Return what the checks find that explain a fault of another check, such as swapped columns."""
    if not isinstance(session, DuckDB):
        return []
    wanted = sorted(check.name for check in checks_of(plan, "check", explains=name) if "explains" in check.when)
    return [fault for each in wanted if (fault := find_fault(each, plan, session)) is not None]


def skipped_checks(names: object) -> set[str]:
    """Return a set of the names of checks; raises `UnknownNameError` with the nearest name if one is unknown."""
    checks = templates.checks()
    if names is not None and not isinstance(names, Iterable):
        raise ArgumentTypeError(f"the names of checks are expected, not {quote(names)}", argument="skip")
    chosen = [names] if isinstance(names, str) else [] if names is None else list(names)
    for name in chosen:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"the name of a check is expected, not {quote(name)}", argument="skip")
        if name not in checks:
            raise UnknownNameError(
                f"there is no check {quote(name)}",
                argument="skip",
                fix=f"{apart('skip', name) or nearest(name, checks)} Known: {', '.join(map(repr, checks))}",
            )
    return set(chosen)


def find(plan: Plan, session: Session, skip: Collection[str] = (), *, is_small: bool = True) -> Faults:
    """Return every kind of fault that the checks find; a fault does not hide others."""
    wanted = [check for check in checks_of(plan, "check") if check.name not in skip]
    in_rows = [check for check in wanted if _ROWS.issuperset(check.reads)]
    of_queries = [check for check in wanted if {"per_query"} <= {*check.reads} <= {"per_query", *_WITH_QUERIES}]
    of_lists = [check for check in wanted if check not in (*in_rows, *of_queries)]
    whole = Metric(templates.own_metrics()["recall"])
    everywhere = Replacements(parameters={"only_relevant": False})
    # Reads every list to its end.
    kept_all = replace(plan.keeping_all_rows(), metrics=[*plan.metrics, whole], replacements=everywhere)
    reads = {}
    if isinstance(session, DuckDB) and not is_small:
        size = keys.size_of(plan, session)
        if size is not None and keys.fit(size.lists, size.rows // size.lists, keys.ROW_BYTES, session):
            reads = {("run_duplicates", "run"): "repeating"}
    faults = run(in_rows, Statement(replace(kept_all, replacements=replace(everywhere, reads=reads))), session)
    for other, others in _of_other_rows(kept_all, "check"):
        checks = [check for check in others if check.name not in skip]
        faults += run(checks, Statement(other), session)
        wanted += checks
    statement = Statement(_sound_rows_only(plan, {row.check for row in faults} | set(skip)))
    parts = [of_queries + of_lists]
    if not is_small:  # what several checks read is stored until the session ends
        statement = with_stored_lists(statement.plan, session)
        _store("per_query", statement, session)
        faults += run(of_queries, statement, session)
        replacements = replace(statement.plan.replacements, parameters={"looked_at": _SAMPLED})
        sample = replace(statement, plan=replace(statement.plan, replacements=replacements))
        # One at a time: each ranks or groups the whole run, and all at once would need as much memory as all together.
        # A check that can look at a sample looks at all lists only if it finds a fault there.
        parts = [[one] for one in of_lists if "looked_at" not in one.parameters or run([one], sample, session)]
    for checks in parts:
        faults += run(checks, statement, session)
    reasons = [reason for fault in faults for reason in find_explanations(fault.check, plan, session)]
    told = {fault.check for fault in faults} | set(skip)
    faults += {reason.check: reason for reason in reasons if reason.check not in told}.values()
    found = plan.inputs.findings
    faults += [Fault(one.check, one.rule, 1, one.do, [one.example]) for one in found if one.check not in skip]
    in_order = sorted(faults, key=lambda row: templates.checks()[row.check].order)
    return Faults(in_order, [check.name for check in wanted], read_as.lines(plan.inputs.read_as))


def with_stored_lists(plan: Plan, session: Session) -> Statement:
    """Return a statement that reads stored lists, if the engine is DuckDB: no check ranks the run again."""
    statement = Statement(plan, {})
    if not isinstance(session, DuckDB):
        return statement
    if plan.variant("run") == "best":
        _store("run", statement, session)
    cut = replace(plan, metrics=[metric for metric in plan.metrics if metric.k is not None])
    if cut.metrics and _has_cutoffs(cut, session):
        _store("top_candidates", statement, session, cut)
        readers = ["ties", *(["ranked"] if plan.depth == cut.depth else [])]
        reads = {(reader, "candidates"): "top_candidates" for reader in readers}
        statement.plan = replace(plan, replacements=replace(plan.replacements, reads=reads))
    if plan.inputs.run_shape == "scores":  # otherwise the run holds the ranks
        _store("ranked", statement, session)
    _store("retrieved", statement, session)
    return statement


def _store(relation: str, statement: Statement, session: Session, plan: Plan | None = None) -> None:
    """Store a relation that a statement reads, as it is for its plan or a similar one, if the engine can store it."""
    table = session.store(replace(statement, plan=plan or statement.plan).of_table(relation))
    if table is not None:
        statement.bound = {**statement.bound, relation: table}


def _has_cutoffs(plan: Plan, session: DuckDB) -> bool:
    """Return True if a score cutoff for each list leaves few rows, and its scores fit in memory."""
    # The policy depth may end lists above the largest cutoff of a metric, where ties are still reported.
    if plan.values()["largest_k"] != plan.depth or plan.inputs.run_shape != "scores":
        return False
    size = keys.size_of(plan, session)
    return size is not None and keys.has_cutoff(size, plan.depth, session)


def _sound_rows_only(plan: Plan, doubtful: set[str]) -> Plan:
    """Return the question for sound rows only, so that faulty rows neither hide other faults nor raise errors."""
    repeated = not doubtful.isdisjoint({"run_duplicates", "qrels_duplicates"})
    recall = templates.own_metrics()["recall"]  # defined for any data
    variants = {
        (metric.k, tuple(option for option in metric.options if option[0] == "threshold")) for metric in plan.metrics
    }
    if plan.values()["depth"] is None:
        variants.add((None, ()))
    policies = replace(plan.policies, nulls="drop", duplicates="best" if repeated else plan.policies.duplicates)
    return replace(plan, metrics=[Metric(recall, *each) for each in sorted(variants, key=str)], policies=policies)


def checks_of(plan: Plan, command: str, **changed: str) -> list[Template]:
    """Return the checks that apply to a question under its settings, some of which may be changed."""
    known = {**settings(plan, command=command), **changed}
    return [check for check in templates.checks().values() if _applies(check.when, known)]


def _applies(when: Mapping[str, Sequence[str]], settings: Mapping[str, object]) -> bool:
    """Return True if each fact has one of the allowed values."""
    return all(str(settings.get(name)) in allowed for name, allowed in when.items())


def run(checks: Sequence[Template], statement: Statement, session: Session, most: int | None = None) -> list[Fault]:
    """Return the faults that checks find, or the first of them, in the order in which they explain each other."""
    alone = dialects.DIALECTS[session.dialect].limits_size and any("per_query" in check.named for check in checks)
    groups = [[check] for check in checks] if alone else [checks] if checks else []
    statements = [Kept(statement, Statement.of_checks, group) for group in groups]
    counts = {name: count for each in statements for name, count in session.rows(each)}
    faulty = sorted((check for check in checks if counts.get(check.name)), key=lambda check: check.order)
    return [_fault(check, counts[check.name], statement, session, most or _EXAMPLES) for check in faulty[:most]]


def refuse(checks: Sequence[Template], statement: Statement, session: Session) -> None:
    """Raise `DataError` for the first fault that checks find, with what explains it."""
    for fault in run(checks, statement, session, most=1):
        told = [fault, *find_explanations(fault.check, statement.plan, session)]
        raise DataError(" ".join(f"{each.told[0].upper()}{each.told[1:]}. {each.do}" for each in told))


def _fault(check: Template, count: int, statement: Statement, session: Session, most: int) -> Fault:
    plan, threshold = statement.plan, statement.plan.policies.threshold
    values = plan.values()
    words = {
        **{name: f"column {column!r}" for name, column in plan.inputs.user_names.items()},
        "relevant_if": "above 0" if threshold is None else f"at or above the threshold {digits(threshold)}",
        "largest_k": values["largest_k"] or "",
        "max_grade": "" if plan.max_grade is None else digits(plan.max_grade),
        "own_metrics": ", ".join(_own_metrics(plan)),
        "of_judged": ", ".join(of_judged(plan)),
        "of_threshold": some(of_threshold(plan), last=" and "),
    }
    rule, do = (respelled(text).format_map(words) for text in (check.head["Rule"], _helpful(check.head["Do"], plan)))
    shows = check.tree().named_selects != ["found"]  # an empty relation has no example
    rows = session.dicts(Kept(statement, Statement.of_check, check, most)) if shows else []
    examples = [_of_the_user(row, check, plan) for row in rows]
    if check.name == "qrels_duplicates" and rows and rows[0]["item"] == plan.inputs.qrels_padding is not None:
        do = f"If {rows[0]['item']!r} only fills up short lists, leave it out of the qrels. {do}"
    return Fault(check.name, _of_nulls(rule, examples), count, do, examples)


def _of_nulls(rule: str, examples: Sequence[Mapping[str, object]]) -> str:
    """Name the columns that are NULL in the examples, instead of all those that must not be."""
    columns, is_null, where = rule.partition(" is NULL in the ")
    nulls = dict.fromkeys(f"column {name!r}" for row in examples for name, value in row.items() if value is None)
    named = [column for column in nulls if column in columns]
    return f"{' and '.join(named)}{is_null}{where}" if is_null and named else rule


def _helpful(text: str, plan: Plan) -> str:
    """Return advice without the sentences that do not help with these data."""
    known = settings(plan, command="check")
    left_out = [words for words, only in _ONLY_IF.items() if not _applies(templates.conditions(only), known)]
    return " ".join(sentence for sentence in re.split(r"(?<=\.) ", text) if not sentence.startswith((*left_out,)))


def name_followed(faults: Faults, policies: Mapping[str, object]) -> Faults:
    """Return the faults, with a remark in their advice at each policy that is in force already."""

    def followed(fault: Fault) -> Fault:
        words = [spell(name, value) for name, value in policies.items() if isinstance(value, str)]
        pattern = "|".join(rf"{re.escape(word)}(?!\w)" for word in words)
        return replace(fault, do=re.sub(pattern, r"\g<0> (in force already)", fault.do))

    return Faults([followed(fault) for fault in faults], faults.checks)


def _of_the_user(row: dict[str, Any], check: Template, plan: Plan) -> dict[str, Any]:
    """Restore the user's column names and scores; rename our columns on a clash."""
    if plan.policies.order == "ascending" and row.get("score") is not None:
        row = {**row, "score": 0 - row["score"]}
    users = {name: _users_name(name, check, plan) for name in row}
    theirs = [each for name, each in users.items() if each != name]
    ours = [name for name, each in users.items() if each == name]
    users |= dict(zip(ours, apart_from(theirs, ours), strict=True))
    return {users[name]: value for name, value in row.items()}


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
