"""Answer a question: compose a statement, run it, read it, and look whether the data are sound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.answering.forms import Form, removes_rows, sides_with_less
from recall_duckdb.compose import Kept, Plan, Replacements, Statement
from recall_duckdb.compose.lists import NotInListsError
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.noting import Note, look
from recall_duckdb.question import Question
from recall_duckdb.reading.columns import canonical_names

Rows = Sequence[Mapping[str, Any]]
_NUMBERS = {"BIGINT", "INTEGER", "DOUBLE"}  # the types of columns that Python holds as they are


@dataclass(frozen=True)
class Values:
    """The values of queries in memory: the columns of the relation `per_query`, and their types."""

    columns: Mapping[str, list[Any]]
    types: Mapping[str, str]


@dataclass(frozen=True)
class Answer:
    """The answer to a question: its plan, counts by model, rows of means, and values of queries.

    The values are in memory, in a stored table, or neither. `notes` say what the data suggest.
    """

    plan: Plan
    counts: dict[object, Counts]
    means: list[dict[str, Any]]
    values: Values | None = None
    per_query: exp.Table | None = None
    notes: Sequence[Note] = ()


def answer(question: Question, plan: Plan, session: Session, wanted: Iterable[Form]) -> Answer | None:
    """Return the answer in the first form that shows sound data, or None; rows raise what is wrong with the data."""
    may_be_in_lists = True
    for form in wanted:
        if form.shows_faults and not may_be_in_lists:
            continue
        try:
            stored, rows = compute(form, session)
        except NotInListsError:
            may_be_in_lists = False
            continue
        models = {row.get("model", plan.inputs.one_model): row for row in rows if row["is_slice"] == 0}
        if form.shows_faults and not _are_sound(models, plan):
            if stored is not None:
                session.drop(stored)
            continue
        counts = _with_dropped_rows(_counts(plan, models, session), form, models, session)
        found = Answer(plan, counts, _means(plan, rows), per_query=stored)
        if not form.is_stored:
            found = replace(found, values=_values(plan, models))
        signs = [*models.values()] if "answers" in form.columns else None
        return replace(found, notes=look(question, plan, session, found.counts, found.means, signs))
    return None


def compute(form: Form, session: Session) -> tuple[exp.Table | None, Rows]:
    """Run the statements of a form, and the checks that it needs; return the values of queries, and the means."""
    plan = form.plan
    if not form.shows_faults:
        checking.check_metric_types(plan, session)
    checking.check_rows(plan, session, are_shown=form.checks is not None)
    stored = session.store(Kept(Statement(plan), Statement.of_table, "per_query")) if form.is_stored else None
    bound = {} if stored is None else {"per_query": stored}
    if not form.shows_faults:
        checking.check_queries(plan, session, bound)
        checking.check_metric_values(plan, session, bound)
    checking.check_sums(plan, session, bound)
    rows = session.dicts(Kept(Statement(plan, bound), Statement.of_answer, form.columns, form.checks or ()))
    if "answers" in form.columns and isinstance(session, DuckDB) and stored is not None:
        session.execute(exp.delete(stored.copy(), "is_judged IS NULL", dialect="duckdb"))
    return stored, rows


def values_in(table: exp.Table, session: DuckDB) -> Values:
    """Return the values of queries in a stored table as columns in memory, with keys as text, which loses nothing."""
    types = {name: str(kind) for name, kind in session.describe(table).items()}
    columns = {name: trees.column(name) if kind in _NUMBERS else exp.cast(trees.column(name), "VARCHAR")
               for name, kind in types.items()}  # fmt: skip
    rows = session.rows(exp.select(*(exp.alias_(each, name) for name, each in columns.items())).from_(table.copy()))
    return Values({name: [row[place] for row in rows] for place, name in enumerate(types)}, types)


def _are_sound(models: Mapping[Any, Mapping[str, Any]], plan: Plan) -> bool:
    """Return True if no model has a fault, and none is missing."""
    are_all = bool(models) and (plan.inputs.models is None or set(plan.inputs.models) == set(models))
    return are_all and all(row["is_sound"] and not row.get("faults") for row in models.values())


def _counts(plan: Plan, models: Mapping[Any, Mapping[str, Any]], session: Session) -> dict[Any, Counts]:
    """Return the counts of each model, in the order in which the user named them."""
    columns = ("judged", "retrieved_queries", "both_sides", "without_relevant")
    counts = {model: Counts(*(row[name] or 0 for name in columns)) for model, row in models.items()}
    if not any(each.judged for each in counts.values()):  # as empty = allow allows
        rows = session.dicts(Statement(plan).of_table("models"))
        rows.sort(key=lambda row: row.get("model", 0))
        counts = {row.get("model", plan.inputs.one_model): Counts(0, row["run_queries"] or 0, 0, 0) for row in rows}
    if not plan.has_qrels:
        counts = {model: replace(each, without_relevant=0) for model, each in counts.items()}
    return {name: counts.get(name, Counts(0, 0, 0, 0)) for name in plan.inputs.models or counts}


def _means(plan: Plan, rows: Rows) -> list[dict[str, Any]]:
    """Return the means in long form, of each model, as the user named them, and then its slices."""
    slices = dict(zip(plan.inputs.by, canonical_names("level_slice", len(plan.inputs.by)), strict=True))
    means = []
    for row in rows:
        group = {"model": row.get("model", plan.inputs.one_model), **{name: row[slices[name]] for name in slices}}
        for metric in plan.metrics:
            numbers = {"value": row[f"{metric.column}_mean"], "queries": row[f"{metric.column}_queries"]}
            means.append({**group, "metric": metric.name, "k": metric.k, **numbers})
    models = plan.inputs.models
    return means if models is None else sorted(means, key=lambda row: models.index(row["model"]))


def _values(plan: Plan, models: Mapping[Any, Mapping[str, Any]]) -> Values:
    """Return the values of queries that the columns of `query_values` give, one row a model."""
    keys = [*canonical_names("query", len(plan.inputs.query)), *canonical_names("slice", len(plan.inputs.by))]
    numbers = dict.fromkeys(["query_weight"] if plan.has("weights") else [], "DOUBLE")
    numbers |= dict.fromkeys(("relevant", "retrieved"), "BIGINT")
    columns: dict[str, list[Any]] = {}
    types: dict[str, str] = {}
    for model, row in models.items():
        if plan.has_models:
            types["model"] = row["type_of_model"]
            columns.setdefault("model", []).extend([model] * row["judged"])
        types |= {**{name: row[f"type_of_{name}"] for name in keys}, **numbers}
        for name in (*keys, *numbers):
            columns.setdefault(name, []).extend(row[f"listed_{name}"])
        for metric in plan.metrics:
            columns.setdefault(metric.column, []).extend(row[f"{metric.column}_listed"])
    return Values(columns, {**types, **dict.fromkeys((metric.column for metric in plan.metrics), "DOUBLE")})


def _with_dropped_rows(
    counts: Mapping[Any, Counts], form: Form, models: Mapping[Any, Mapping[str, Any]], session: Session
) -> dict[Any, Counts]:
    """Return counts with the numbers of rows that policies, `exclude` or `items` removed."""
    plan = replace(form.plan, replacements=Replacements())
    used = {"run": "candidates", "qrels": "judgements"} if removes_rows(plan) else sides_with_less(plan)
    if not used:
        return dict(counts)
    found: dict[tuple[str | None, Any], int] = {}
    if "answers" in form.columns and not form.plan.replacements.reads:  # each list is read whole
        found = {("candidates", name if plan.has_models else None): row["candidates"] for name, row in models.items()}
    left = [name for name in used.values() if not (name == "candidates" and found)]
    parts = [(plan, left), (plan.keeping_all_rows(), [*used])] if removes_rows(plan) else [(plan, [*left, *used])]
    for each, names in parts:
        rows = session.rows(Kept(Statement(each), Statement.of_counts, names)) if names else []
        found |= {(relation, model): number for relation, model, number in rows}

    def dropped(side: str, model: object) -> int:
        return found.get((side, model), 0) - found.get((used.get(side), model), 0)

    return {
        name: replace(
            each,
            run_rows_dropped=dropped("run", name if plan.has_models else None),
            qrels_rows_dropped=dropped("qrels", None),
        )
        for name, each in counts.items()
    }
