"""Plan a question: find its data, and check what only the data and the arguments together show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from sqlglot import exp

from recall_duckdb.compose import Plan
from recall_duckdb.engines import DuckDB, Session
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import ArgumentError
from recall_duckdb.question import Question
from recall_duckdb.question.policies import Policies
from recall_duckdb.reading import Roles, Sources, advised, find_all
from recall_duckdb.reading.files import Files, check_unchanged, unchanged
from recall_duckdb.reading.source import Source

FEW_ROWS = 20_000  # of a question that one statement answers, with the values of queries in memory
_MOST_COUNTED = 500_000  # rows of a table; more are not counted


@contextmanager
def planned(question: Question, session: Session, watched: Sequence[Files] = ()) -> Iterator[Plan]:
    """Yield the plan of a question; raises `DataError` if a file changes within the block.

    `watched` are files that must be as they were when the question was answered before.
    """
    check_unchanged(watched, session)
    plan = plan_question(question, session)
    with unchanged(plan.inputs.watched, session):
        yield plan


@contextmanager
def opened(question: Question, watched: Sequence[Files] = ()) -> Iterator[tuple[Session, Plan]]:
    """Yield a session for a question and its plan, as `planned` does."""
    with (
        open_session(question.connection, question.dialect, question.sources()) as session,
        planned(question, session, watched) as plan,
    ):
        yield session, plan


def plan_question(question: Question, session: Session, *, must_exist: bool = True) -> Plan:
    """Find the data of a question, and return its plan."""
    with advised(question):
        sources = find_all(question, session, must_exist=must_exist)
        if must_exist and isinstance(session, DuckDB) and session.stays:
            sources = _counted(sources, session)
        policies, inputs = question.policies, Roles(question, sources, session).inputs(must_exist=must_exist)
    ranked = "a rank column" if question.rank is not None else "lists in rank order"
    for name, has_effect in (
        ("min_score", inputs.run_shape == "scores" and question.rank is None),
        ("order", inputs.run_shape == "scores" and (question.rank is None or inputs.ranked is not None)),
        ("ties", inputs.run_shape == "scores"),
    ):
        if not has_effect and getattr(policies, name) != getattr(Policies, name):
            raise ArgumentError(
                f"{getattr(policies, name)!r} needs a score, but the run has {ranked}",
                argument=name,
                fix="Leave it out",
            )
    quantile = next((metric for metric in question.parsed_metrics if metric.is_quantile), None)
    if quantile is not None and session.target != "duckdb":
        raise ArgumentError(
            f"{quantile} needs DuckDB", argument="metrics", fix=f"Ask {session.target} for values of queries instead"
        )
    if quantile is not None and "weights" in inputs.selects:
        raise ArgumentError(
            f"{quantile} takes no weights",
            argument="weights",
            fix="Ask for an arithmetic mean, or evaluate without them",
        )
    unit = question.unit
    if unit is not None and inputs.text_items and "item_map" not in question.optional_inputs():
        unit = exp.cast(unit, "VARCHAR")  # an expression may give numbers for ids of text
    return Plan(inputs, question.parsed_metrics, policies, unit=unit)


def _counted(sources: Sources, session: DuckDB) -> Sources:
    """Return the sources with the number of rows of small tables, views and relations."""

    def counted(source: Source) -> Source:
        if not source.may_collate or source.rows is not None:
            return source
        rows = session.count_rows(source.relation, _MOST_COUNTED + 1)
        return replace(source, rows=rows if rows <= _MOST_COUNTED else None)

    runs = {name: counted(source) for name, source in sources.runs.items()}
    optional = {name: counted(source) for name, source in sources.optional.items()}
    return replace(sources, runs=runs, qrels=sources.qrels and counted(sources.qrels), optional=optional)


def has_at_most(most: int, plan: Plan, session: Session) -> bool:
    """Return True if run and qrels are on DuckDB and have no more than `most` rows."""
    known = [each.rows for each in plan.inputs.read_as if each.side in ("run", "qrels")]
    if isinstance(session, DuckDB) and known and None not in known:
        return sum(rows or 0 for rows in known) <= most
    names = {plan.resolve(name) for name in ("run_source", "qrels_source")}
    selects = [select for name in names for select in plan.inputs.selects.get(name, [])]
    return (
        isinstance(session, DuckDB) and sum(session.count_rows(select.relation, most + 1) for select in selects) <= most
    )
