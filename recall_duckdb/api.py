"""`evaluate`, `sql` and `check`: the functions of the package, each of which takes one kind of question."""

from __future__ import annotations

from recall_duckdb import checking
from recall_duckdb.checking import Faults
from recall_duckdb.dialects import render
from recall_duckdb.engines import creation
from recall_duckdb.engines.opening import open_session
from recall_duckdb.evaluation import checked, composed, evaluated
from recall_duckdb.inputs.tables import table_named
from recall_duckdb.question import CheckQuestion, EvaluateQuestion, SqlQuestion, takes
from recall_duckdb.result import Result


@takes(EvaluateQuestion)
def evaluate(question: EvaluateQuestion) -> Result:
    """Evaluate a run against qrels: every metric asked for, in one pass over the data where it lies.

    A run or qrels is a path, glob or list of paths (parquet, CSV, JSON, a TREC file), the name of a table or view of
    `connection`, a DuckDB relation, a pandas, polars or pyarrow table, or a dict of columns. Without qrels, the run's
    column `relevance` judges its rows. Where `item` holds lists, a row is a query: its items in rank order.

    A source is read more than once, and must hold the same rows each time: store one that is random or sampled first. A
    file that changes meanwhile is an error, but a file behind a table, view or relation is not watched.

    Returns:
        A `Result`: `.means` (model, the columns of `by`, metric, k, value, queries), `.per_query` (model, the query
        columns, the columns of `by`, a column per metric), `.value("recall@10")`, `.counts`, `.sql`. The values
        per query are a temporary table of the connection until `.close()`.

    Raises:
        RecallError: its kinds say what is wrong: `ArgumentError` and `UnknownNameError` (also ValueError),
            `ArgumentTypeError` (also TypeError), `DataError` (also ValueError), `EngineError`.

    The defaults are those of trec_eval 10 with -c.

    Example:
        >>> run = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
        >>> qrels = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}
        >>> evaluate(run, qrels, ["recall@1,2", "rr"]).to_dicts()[0]
        {'model': 'run', 'metric': 'recall', 'k': 1, 'value': 0.5, 'queries': 2}
    """
    return evaluated(question)


@takes(SqlQuestion)
def sql(question: SqlQuestion) -> str:
    """Return the statement that `evaluate` would run for the same arguments, without running it.

    Columns and types are looked up where a source can be found; the name of a table that cannot be is taken as it is,
    so that a statement can be written for a warehouse. No row is read and no data check is made: the comment at
    its head names the policies that are "error" and were not checked.

    Returns:
        The text of one SELECT with the columns of `Result.means`; or, with `per_query`, with those of
        `Result.per_query`, the metrics under names of letters, digits and underscores, as in recall_at_10. A comment
        at its head says what it computes, by which policies, and how its dialect was tried. Functions have their short
        names, `power(…)`, so a macro of that name changes the result on the connection that runs the statement.

    Raises:
        RecallError: as `evaluate` does for its arguments; `UnknownNameError` for an unknown dialect; `ArgumentError`
            for what the dialect cannot express.

    Example:
        >>> print(sql("run", "qrels", "recall@10", dialect="sqlite", view="recall").splitlines()[0])
        CREATE VIEW recall AS
    """
    name = question.table if question.view is None else question.view
    made = None if name is None else table_named(name, "table" if question.view is None else "view")
    session = open_session(question.connection, question.dialect, question.sources(), only_written=True)
    try:
        statement = composed(question, session, per_query=question.per_query)
        if made is None:
            return render(statement, session.target, pretty=True, copy=False)
        kind = "TABLE" if question.view is None else "VIEW"
        return render(creation(made, statement, kind=kind), session.target, pretty=True, copy=False)
    finally:
        session.release()


@takes(CheckQuestion)
def check(question: CheckQuestion) -> Faults:
    """Look for everything in a run and qrels that could make their numbers mean something else.

    `evaluate` stops at the first fault that breaks a rule; this finds all of them, and what is no error there because a
    policy takes it: missing and unjudged queries, short lists, unjudged items in the top k, equal scores across a
    cutoff, lists that look sampled. Each is a query in `sql/checks`. No data are fetched but three examples of each.

    Returns:
        `Faults`: a row for each kind of fault, with `check`, `rule`, `faults` (how many rows break it), `do` and
        `examples`. It is true if there is any, and `.clean` if there is none.

    Raises:
        RecallError: as `evaluate` does for its arguments, and for a file that cannot be read; `UnknownNameError` for an
            unknown name in `skip`.

    Example:
        >>> run = {"query": ["q1", "q1", "q2"], "item": ["a", "a", "c"], "score": [0.9, None, 0.7]}
        >>> qrels = {"query": ["q1", "q2"], "item": ["a", "c"], "relevance": [1, 1]}
        >>> faults = check(run, qrels, "recall@1")
        >>> [(fault.check, fault.faults, fault.examples[0]["item"]) for fault in faults]
        [('run_duplicates', 1, 'a'), ('run_scores', 1, 'a')]
    """
    return checked(question, checking.known(question.skip))
