"""Answer a question: plan it, check the data, run the statement, and return the result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import duckdb
from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.checking import Faults
from recall_duckdb.compose import Plan, Statement, of_queries
from recall_duckdb.counts import Counts
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.trees import as_literal
from recall_duckdb.dialects import add_head
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import ArgumentError, EngineError, UnknownNameError, commas
from recall_duckdb.fast import one_pass, small
from recall_duckdb.fast.choosing import choose
from recall_duckdb.fast.stacked_scores import with_stacked_scores
from recall_duckdb.inputs import Found, find, prepare
from recall_duckdb.inputs.files import unchanged
from recall_duckdb.inputs.tables import table_named
from recall_duckdb.question import CheckQuestion, EvaluateQuestion, PoolQuestion, Question, SqlQuestion
from recall_duckdb.question.metrics import Metric
from recall_duckdb.question.policies import Policies
from recall_duckdb.result import Result
from recall_duckdb.stages import stage


def evaluated(question: EvaluateQuestion) -> Result:
    """Return the result of `evaluate`."""
    made = None if question.create is None else table_named(question.create, "create")
    session = open_session(question.connection, question.dialect, question.sources())
    if made is not None and not session.stays:
        raise ArgumentError("create: the table would be lost after the evaluation. Pass connection= to keep it")
    found = small.answer(question, session) if made is None else None
    if found is not None:
        return Result(found.plan, session, None, found.counts, found.means, found.values, question)
    return by_definition(question, session, made)


def by_definition(question: EvaluateQuestion, session: Session, made: exp.Table | None = None) -> Result:
    """Return the result of `evaluate` from the relations as they are defined, or from fast plans for some of them."""
    try:
        asked = planned(question, session)
        with unchanged(asked.inputs.watched, session):
            found = one_pass.answer(asked, session)
            if found is not None:
                if made is not None:
                    session.create(made, Statement(found.plan, of_queries(found.per_query)).of_per_query())
                return Result(found.plan, session, found.per_query, found.counts, found.means, question=question)
            chosen = choose(asked, session)
            plan = chosen.asked
            settings = checking.settings(plan, command="evaluate")
            checking.check_rows(plan, session, settings, chosen.settled())
            fast = chosen.prepared()
            if fast.unsettled:
                checking.check_again(plan, session, settings, fast.unsettled)
            stage("computing metrics" if fast.bound else "ranking and computing metrics")
            faster = replace(plan, replacements=fast.replacements)
            per_query = session.store(Statement(faster, fast.bound).of_table("per_query"))
            for table in fast.bound.values():
                session.drop(table)
            bound = of_queries(per_query)
            checking.check_queries(plan, session, settings, bound)
            counts = _counts(plan, session, Statement(plan, bound))
            stage("averaging")
            means = session.dicts(Statement(asked, bound).of("means"))
        if made is not None:
            session.create(made, Statement(plan, bound).of_per_query())
        return Result(asked, session, per_query, counts, means, question=question)
    finally:
        session.release()


def explained(
    question: EvaluateQuestion, query: object, baseline: object, model: object, k: int | None
) -> duckdb.DuckDBPyRelation:
    """Return the relation of `Result.explain`, for models that are there; raises as it does."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise ArgumentError(f"k: a whole number above 0 is expected, not {k!r}")
    keys = query if isinstance(query, (tuple, list)) else (query,)
    missing = UnknownNameError(f"query: there is no query {query!r}, neither in the run nor in the qrels")
    try:
        found = explanations(question, [keys], baseline, model, k, query_columns=False)
    except EngineError as error:
        if isinstance(error.__cause__, duckdb.ConversionException):  # a text that is no id of the column's type
            raise missing from error
        raise
    if not found.limit(1).fetchall():
        raise missing
    return found


def explanations(
    question: EvaluateQuestion,
    queries: Sequence[Sequence[object]],
    baseline: object,
    model: object,
    k: int | None,
    *,
    query_columns: bool = True,
) -> duckdb.DuckDBPyRelation:
    """Return the items of several queries from one statement: the columns of the query, then those of `explain`."""
    session = open_session(question.connection, question.dialect, question.sources())
    try:
        asked = planned(question, session)
        names = asked.inputs.query
        for keys in queries:
            if len(keys) != len(names):
                shown = keys[0] if len(keys) == 1 else tuple(keys)
                raise ArgumentError(f"query: values of {commas(names)} are expected, not {shown!r}")
        if not asked.has_qrels:
            raise ArgumentError("query: lists are explained by relevance, but the result has no qrels")
        settings = {
            "baseline": as_literal(baseline),
            "model": as_literal(model),
            "one_model": not asked.has_models,
            "top": asked.depth if k is None else k,
        }
        whole = replace(asked, metrics=[Metric(templates.own_metrics()["recall"])])  # reads every list to its end
        values = [list(map(as_literal, keys)) for keys in queries]
        with unchanged(asked.inputs.watched, session):
            return session.values(Statement(whole).of_explanation(values, settings, query_columns=query_columns))
    finally:
        session.release()


def checked(question: CheckQuestion, skip: set[str]) -> Faults:
    """Return the faults of a run and qrels from all checks except those to skip."""
    found = checked_up_to(None, question, skip)
    assert found is not None
    return found


def checked_up_to(most: int | None, question: CheckQuestion, skip: set[str]) -> Faults | None:
    """Return the faults as `checked` does, or None if the run is not on DuckDB or has more than `most` rows."""
    session = open_session(question.connection, question.dialect, question.sources())
    try:
        asked = planned(question, session)
        with unchanged(asked.inputs.watched, session):
            if most is not None and not _has_at_most(most, asked, session):
                return None
            return checking.find(with_stacked_scores(asked, session), session, skip)
    finally:
        session.release()


def _has_at_most(most: int, plan: Plan, session: Session) -> bool:
    names = {plan.resolved(name) for name in ("run_source", "qrels_source")}
    selects = [select for name in names for select in plan.inputs.selects.get(name, [])]
    return (
        isinstance(session, DuckDB) and sum(session.count_rows(select.relation, most + 1) for select in selects) <= most
    )


def pooled(question: PoolQuestion) -> duckdb.DuckDBPyRelation:
    """Return the relation of `pool`."""
    session = open_session(question.connection, question.dialect, question.sources())
    try:
        asked = planned(question, session)
        with unchanged(asked.inputs.watched, session):
            checking.check_rows(asked, session, checking.settings(asked, command="evaluate"))
            stage("ranking")
            statement = Statement(asked).of_pool()
            stored = session.store(statement)
        if stored is not None:
            kept = session.keep(stored, session)
            if kept is not None:  # the relation may be read for as long as the connection lives
                kept.detach()
            statement = exp.select("*").from_(stored)
        return session.relation(statement)
    finally:
        session.release()


def composed(question: SqlQuestion, session: Session) -> exp.Select:
    """Return the tree of the statement of `sql`, with its head comment, before the rewrites of its dialect."""
    plan = planned(question, session, must_exist=False)
    if question.pool:
        statement, selects = Statement(plan).of_pool(), "the unjudged items that they read"
    elif question.per_query:
        statement, selects = Statement(plan).of_per_query(), "a row for each query"
    else:
        statement, selects = Statement(plan).of("means"), "their means"
    add_head(statement, plan.head(selects), session.target)
    return statement


def planned(question: Question, session: Session, *, must_exist: bool = True) -> Plan:
    """Find the data of a question, and return its plan without fast plans, as every engine runs it."""
    stage("reading columns")
    return plan_of(question, find(question, session, must_exist=must_exist), session, must_exist=must_exist)


def plan_of(question: Question, found: Found, session: Session, *, must_exist: bool = True) -> Plan:
    """Return the plan of a question whose sources were found."""
    policies, inputs = question.policies, prepare(question, found, session, must_exist=must_exist)
    ranked = "a rank column" if question.rank is not None else "lists in rank order"
    for name, has_effect in (
        ("min_score", inputs.run_shape == "scores" and question.rank is None),
        ("ties", inputs.run_shape == "scores"),
    ):
        if not has_effect and getattr(policies, name) != getattr(Policies, name):
            raise ArgumentError(f"{name}: {getattr(policies, name)!r} needs a score, but the run has {ranked}")
    quantile = next((metric for metric in question.asked if metric.is_quantile), None)
    if quantile is not None and session.target != "duckdb":
        raise ArgumentError(f"metrics: {quantile} needs DuckDB. Ask {session.target} for values of queries instead")
    if quantile is not None and "weights" in inputs.selects:
        raise ArgumentError(
            f"weights: {quantile} takes no weights. Ask for an arithmetic mean, or evaluate without them"
        )
    if policies.duplicates == "best" and inputs.qrels_shape not in ("rows", "none"):
        raise ArgumentError("duplicates: 'best' needs qrels with a row for each item, but they hold lists or maps")
    return Plan(inputs, question.asked, policies)


def _counts(plan: Plan, session: Session, statement: Statement) -> dict[object, Counts]:
    stage("counting queries")
    dropped: dict[str, dict[object, int]] = {"run": {}, "qrels": {}}  # by model; None stands for all models
    left_out = plan.policies.nulls == "drop" or plan.policies.duplicates == "best"
    for side, used in (("run", "candidates"), ("qrels", "judgements")):
        if left_out or plan.resolved(used) != side:
            kept = dict(session.rows(Statement(plan).of_count(used)))
            held = dict(session.rows(Statement(plan.keeping_all_rows()).of_count(side)))
            dropped[side] = {model: held[model] - kept.get(model, 0) for model in held}
    counts: dict[object, Counts] = {}
    for row in session.dicts(statement.of("counts")):
        counts[row["model"]] = Counts(
            judged=row["judged"],
            retrieved=row["retrieved_queries"] or 0,
            both=row["both_sides"] or 0,
            without_relevant=(row["without_relevant"] or 0) if plan.has_qrels else 0,
            run_rows_dropped=dropped["run"].get(row["model"] if plan.has_models else None, 0),
            qrels_rows_dropped=dropped["qrels"].get(None, 0),
        )
    none = Counts(judged=0, retrieved=0, both=0, without_relevant=0)
    return {name: counts.get(name, none) for name in plan.inputs.models} if plan.inputs.models else counts
