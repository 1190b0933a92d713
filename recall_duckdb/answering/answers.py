"""Answer a question: compose a statement, run it, read it, and look whether the data are sound."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.answering.forms import Form
from recall_duckdb.compose import Kept, Plan, Statement, of_queries
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import trees
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.noting import Note, Signs, look
from recall_duckdb.question import Question
from recall_duckdb.reading.columns import canonical_names
from recall_duckdb.stages import stage

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
    for form in wanted:
        stored, rows = compute(form, session)
        counts = _counts(plan, rows, session, shows_faults=bool(form.seen))
        if counts is None:
            if stored is not None:
                session.drop(stored)
            continue
        found = Answer(plan, _with_dropped_rows(counts, plan, session), _means(plan, rows), per_query=stored)
        if not form.is_stored:
            found = replace(found, values=_values(plan, rows))
        elif isinstance(session, DuckDB) and session.has_little and stored is not None:
            found = replace(found, values=values_in(stored, session), per_query=None)
        stage("looking at the data")
        signs = None if form.is_stored else _signs(rows)
        return replace(found, notes=look(question, plan, session, found.counts, found.means, signs))
    return None


def compute(form: Form, session: Session) -> tuple[exp.Table | None, Rows]:
    """Run the checks and statements of a form; return the stored values of queries, and the rows of means."""
    plan = form.plan
    if not form.seen:
        checking.check_metric_types(plan, session)
    checking.check_rows(plan.by_definition(), session, form.seen)
    stage("ranking and computing metrics")
    stored = session.store(Kept(Statement(plan), Statement.of_table, "per_query")) if form.is_stored else None
    bound = of_queries(stored)
    checking.check_queries(plan, session, bound, form.seen)
    checking.check_metric_values(plan, session, bound)
    checking.check_sums(plan, session, bound)
    stage("averaging")
    rows = session.dicts(Kept(Statement(plan, bound), Statement.of_answer, form.columns))
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


def _counts(plan: Plan, rows: Rows, session: Session, *, shows_faults: bool) -> dict[object, Counts] | None:
    """Return the counts of each model, in the order in which the user named them; None if rows show a fault."""
    counts: dict[object, Counts] = {}
    names = plan.inputs.models
    for row in rows:
        if row["is_slice"] == 0:
            if shows_faults and not row["is_sound"]:
                return None
            numbers = (row[name] or 0 for name in ("judged", "retrieved_queries", "both_sides", "without_relevant"))
            counts[row.get("model", plan.inputs.one_model)] = Counts(*numbers)
    if shows_faults and (not counts or (names is not None and set(names) != set(counts))):
        return None
    if not any(each.judged for each in counts.values()):  # as empty = allow allows
        models = session.dicts(Statement(plan).of_table("models"))
        models.sort(key=lambda row: row.get("model", 0))
        counts = {row.get("model", plan.inputs.one_model): Counts(0, row["run_queries"] or 0, 0, 0) for row in models}
    if not plan.has_qrels:
        counts = {model: replace(each, without_relevant=0) for model, each in counts.items()}
    return counts if names is None else {name: counts.get(name, Counts(0, 0, 0, 0)) for name in names}


def _means(plan: Plan, rows: Rows) -> list[dict[str, Any]]:
    """Return the means in long form, of each model and then its slices."""
    slices = dict(zip(plan.inputs.by, canonical_names("level_slice", len(plan.inputs.by)), strict=True))
    means = []
    for row in rows:
        group = {"model": row.get("model", plan.inputs.one_model), **{name: row[slices[name]] for name in slices}}
        for metric in plan.metrics:
            numbers = {"value": row[f"{metric.column}_mean"], "queries": row[f"{metric.column}_queries"]}
            means.append({**group, "metric": metric.name, "k": metric.k, **numbers})
    return means


def _signs(rows: Rows) -> Signs:
    """Return the signs for notes that the columns of `answers` give; the relevance is the same for all models."""
    models = [row for row in rows if row["is_slice"] == 0]
    differ, reversed_ = (any(row[name] for row in models) for name in ("forms_differ", "may_be_reversed"))
    return Signs(models[0]["least_relevance"], models[0]["most_relevance"], differ, reversed_)


def _values(plan: Plan, rows: Rows) -> Values:
    """Return the values of queries that the columns of `query_values` give, one row a model."""
    keys = [*canonical_names("query", len(plan.inputs.query)), *canonical_names("slice", len(plan.inputs.by))]
    numbers = dict.fromkeys(["query_weight"] if plan.has("weights") else [], "DOUBLE")
    numbers |= dict.fromkeys(("relevant", "retrieved"), "BIGINT")
    columns: dict[str, list[Any]] = {}
    types: dict[str, str] = {}
    for row in rows:
        if row["is_slice"] == 0:
            if plan.has_models:
                types["model"] = row["type_of_model"]
                columns.setdefault("model", []).extend([row["model"]] * row["judged"])
            types |= {**{name: row[f"type_of_{name}"] for name in keys}, **numbers}
            for name in (*keys, *numbers):
                columns.setdefault(name, []).extend(row[f"listed_{name}"])
            for metric in plan.metrics:
                columns.setdefault(metric.column, []).extend(row[f"{metric.column}_listed"])
    return Values(columns, {**types, **dict.fromkeys((metric.column for metric in plan.metrics), "DOUBLE")})


def _with_dropped_rows(counts: Mapping[object, Counts], plan: Plan, session: Session) -> dict[object, Counts]:
    """Return counts with the numbers of rows that policies, `exclude` or `items` removed."""
    left_out = plan.policies.nulls == "drop" or plan.policies.duplicates == "best"
    sides = {"run": "candidates", "qrels": "judgements"}
    sides = {side: used for side, used in sides.items() if left_out or plan.resolve(used) != side}
    if not sides:
        return dict(counts)
    parts = (
        [(plan, [*sides.values()]), (plan.keeping_all_rows(), [*sides])]
        if left_out
        else [(plan, [*sides.values(), *sides])]
    )
    rows = [row for each, names in parts for row in session.rows(Kept(Statement(each), Statement.of_counts, names))]
    found: dict[Any, int] = {(relation, model): count for relation, model, count in rows}

    def dropped(side: str, model: object) -> int:
        return found.get((side, model), 0) - found.get((sides.get(side), model), 0)

    return {
        name: replace(
            each,
            run_rows_dropped=dropped("run", name if plan.has_models else None),
            qrels_rows_dropped=dropped("qrels", None),
        )
        for name, each in counts.items()
    }
