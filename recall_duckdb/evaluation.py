"""Answer a question: plan it, check the data, run the statement, and return the result."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import duckdb
from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb.answering import planning
from recall_duckdb.answering.answers import answer
from recall_duckdb.answering.forms import forms
from recall_duckdb.answering.planning import has_at_most, opened, plan_question, planned
from recall_duckdb.answering.stacked import with_stacked_scores
from recall_duckdb.checking import Faults
from recall_duckdb.compose import Kept, Plan, Statement, for_readers
from recall_duckdb.compose.readable import MEANS, PER_QUERY, POOL
from recall_duckdb.definitions import templates
from recall_duckdb.definitions.trees import as_literal, literal
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError, commas, quote
from recall_duckdb.noting import warn_of_lists
from recall_duckdb.question import CheckQuestion, EvaluateQuestion, PoolQuestion, SqlQuestion
from recall_duckdb.question.metrics import Metric
from recall_duckdb.reading.columns import NUMBERS, canonical_names, family_of
from recall_duckdb.reading.files import Files
from recall_duckdb.reading.tables import table_named
from recall_duckdb.result_data import ResultData


def evaluate_question(question: EvaluateQuestion) -> ResultData:
    """Return what `evaluate` found."""
    table = None if question.create is None else table_named(question.create, "create")
    with open_session(question.connection, question.dialect, question.sources()) as session:
        if table is not None and not session.stays:
            raise ArgumentError(
                "the table would be lost after the evaluation", argument="create", fix="Pass connection= to keep it"
            )
        if table is not None and isinstance(session, DuckDB):
            session.check_free([part.name for part in table.parts], "create")
        with planned(question, session) as original:
            plan = _with_models(original, session)
            is_small = table is None and has_at_most(planning.FEW_ROWS, plan, session)
            result = answer(question, plan, session, forms(plan, session, is_small=is_small))
            assert result is not None
        if table is not None:
            bound = {} if result.per_query is None else {"per_query": result.per_query}
            session.create(table, Statement(plan, bound).of_per_query())
        return ResultData(question, session, result)


def _with_models(plan: Plan, session: Session) -> Plan:
    """Return the plan with the names of the models, if a column holds them and some may be without queries."""
    if plan.policies.empty != "allow" or plan.inputs.models is not None:
        return plan
    models = [model for (model,) in session.rows(Statement(plan).of_table("given_models")) if model is not None]
    if not models:
        raise DataError(
            f"column {plan.inputs.user_names.get('model', 'model')!r} names no model: the run has no rows, or "
            "nulls='drop' removes all of them",
            argument="model",
            fix="Check the path or SQL of the run, or name each model by a run of its own",
        )
    return replace(plan, known_models=[as_literal(model) for model in sorted(models)])  # checks refuse NULL


def explain_queries(
    question: EvaluateQuestion,
    queries: Sequence[object],
    baseline: object,
    model: object,
    k: int | None,
    watched: Sequence[Files],
    *,
    query_columns: bool = True,
    must_exist: bool = True,
) -> duckdb.DuckDBPyRelation:
    """Return the items of queries from one statement: the columns of the query, then those of `Result.explain`.

    Each query is a value, or several if several columns identify it. `watched` are the files as they were when the
    question was answered. Raises as `Result.explain`; without `must_exist`, a query that is not found has no items.
    """
    if k is not None and (isinstance(k, bool) or not isinstance(k, int) or k < 1):
        raise ArgumentError(f"a whole number above 0 is expected, not {quote(k)}", argument="k")
    with opened(question, watched) as (session, plan):
        names = plan.inputs.query
        rows = [query if isinstance(query, (tuple, list)) else (query,) for query in queries]
        for keys in rows:
            if len(keys) != len(names):
                key = keys[0] if len(keys) == 1 else tuple(keys)
                expected = f"one value of {names[0]!r} is" if len(names) == 1 else f"values of {commas(names)} are"
                raise ArgumentError(f"{expected} expected, not {quote(key)}", argument="query")
        if not plan.has_qrels:
            raise ArgumentError("lists are explained by relevance, but the result has no qrels", argument="query")
        settings = {
            "baseline": as_literal(baseline),
            "model": as_literal(model),
            "one_model": not plan.has_models,
            "top": plan.depth if k is None else k,
        }
        whole = replace(plan, metrics=[Metric(templates.own_metrics()["recall"])])  # reads every list to its end
        items = session.values(Statement(whole).of_explanation(_keys(rows, plan, session), settings, query_columns))
    if must_exist and not items.limit(1).fetchall():
        raise UnknownNameError(
            f"there is no query {quote(queries[0])}, neither in the run nor in the qrels", argument="query"
        )
    return items


def _keys(queries: Sequence[Sequence[object]], plan: Plan, session: Session) -> list[list[exp.Expr]]:
    """Return the values of queries as literals that can be compared with their columns."""
    if not isinstance(session, DuckDB):
        return [[literal(as_literal(key)) for key in keys] for keys in queries]
    columns = session.describe(Statement(plan).of_table("run").subquery("run_of_user"))
    types = [columns[name] for name in canonical_names("query", len(plan.inputs.query))]
    return [[_key(key, kind) for key, kind in zip(keys, types, strict=True)] for keys in queries]


def _key(key: object, kind: Any) -> exp.Expr:
    """Return a value as a literal of a type; NULL if it has no such value.

    Without the cast, a text such as 'zz' among numbers would be an error, which aborts a transaction.
    """
    value = as_literal(key)
    if value is None or (isinstance(value, (int, float)) and family_of(kind) in NUMBERS):
        return literal(value)
    return exp.TryCast(this=literal(str(value)), to=exp.DataType.build(str(kind), dialect="duckdb"))


def check_question(question: CheckQuestion, skip: Collection[str] = (), most: int | None = None) -> Faults | None:
    """Return the faults from all checks except those to skip, or None if the run has more than `most` rows."""
    with opened(question) as (session, plan):
        if most is not None and not has_at_most(most, plan, session):
            return None
        is_small = has_at_most(planning.FEW_ROWS, plan, session)
        return checking.find(with_stacked_scores(plan, session), session, skip, is_small=is_small)


def pool_question(question: PoolQuestion) -> duckdb.DuckDBPyRelation:
    """Return the relation of `pool`."""
    with opened(question) as (session, plan):
        checking.check_rows(plan, session, command="pool")
        warn_of_lists(plan, session)
        return session.values(Kept(Statement(plan), Statement.of_pool))


def compose_statement(question: SqlQuestion, session: Session) -> exp.Query:
    """Return the tree of the statement of `sql`, with its head comment, before the rewrites of its dialect."""
    plan = plan_question(question, session, must_exist=False)
    selects = POOL if question.pool else PER_QUERY if question.per_query else MEANS
    return for_readers(plan, session.target, selects=selects, sums=question.sums)
