"""The functions `evaluate`, `sql`, `check`, `pool` and `agreement`."""

from __future__ import annotations

import duckdb

from recall_duckdb import checking
from recall_duckdb.agreeing import Agreement, compute_agreement
from recall_duckdb.checking import Faults
from recall_duckdb.dialects import readable
from recall_duckdb.engines import creation
from recall_duckdb.engines.opening import open_session
from recall_duckdb.errors import ArgumentError, spell
from recall_duckdb.evaluation import check_question, compose_statement, evaluate_question, pool_question
from recall_duckdb.macros.forms import OF_DBT, write_form
from recall_duckdb.noting import warn
from recall_duckdb.question import AgreementQuestion, CheckQuestion, EvaluateQuestion, PoolQuestion, SqlQuestion, takes
from recall_duckdb.reading.tables import table_named
from recall_duckdb.result import Result
from recall_duckdb.texts import with_texts


@takes(EvaluateQuestion)
def evaluate(question: EvaluateQuestion) -> Result:
    """Evaluate a run against qrels: compute all metrics in one pass, on the data in place.

    Run and qrels are paths, globs or lists of paths (parquet, CSV, JSON or TREC files), names of tables or views in
    `connection`, DuckDB relations, pandas, polars or pyarrow tables, dicts of columns,
    or have a shape of pytrec_eval, ranx or ir_measures, such as `{query: {item: score}}`. Without qrels, the column
    `relevance` of the run judges its rows. If `item` holds lists, a row is a query with its items in rank order.

    Sources are read more than once and must hold the same rows each time: store a random or sampled source first. A
    file that changes during the evaluation is an error. A file behind a table, view or relation is not watched.

    Returns:
        A `Result`: `.means` (model, the columns of `by`, metric, k, value, queries), `.per_query` (model, the query
        columns, the columns of `by`, a column for each metric), `.value("recall@10")`, `.counts`, `.sql`. The values of
        queries are in a temporary table of the connection until `.close()`, or in memory if the data are small.

    Raises:
        RecallError: one of its subclasses: `ArgumentError` and `UnknownNameError` (also ValueError),
            `ArgumentTypeError` (also TypeError), `DataError` (also ValueError), `EngineError`.

    The defaults are those of trec_eval 10 with -c.

    Example:
        >>> run = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
        >>> qrels = {"query": ["q1", "q1", "q2"], "item": ["b", "x", "c"], "relevance": [1, 1, 1]}
        >>> evaluate(run, qrels, ["recall@1,2", "rr"]).to_dicts()[0]
        {'model': 'run', 'metric': 'recall', 'k': 1, 'value': 0.5, 'queries': 2}
    """
    result = Result(evaluate_question(question))
    warn(result.data_notes)
    return result


@takes(SqlQuestion)
def sql(question: SqlQuestion) -> str:
    """Return the statement that `evaluate` would run for the same arguments, without running it.

    Columns and types are looked up if the source can be found. The name of an unknown table is used as it is, so that
    statements can be written for a warehouse. No row is read and no data check runs: the comment at the head of the
    statement names the policies that are "error" and were not checked.

    Returns:
        The text of one SELECT with the columns of `Result.means`; with `per_query`, those of `Result.per_query`, where
        metrics have plain column names such as recall_at_10; with `pool`, those of `pool`. The comment at its head says
        what it computes, with which policies, and how its dialect was tested. Functions have short names such as
        `power(…)`, so a macro with such a name changes the result on the connection that runs the statement.

    Raises:
        RecallError: as in `evaluate`; `UnknownNameError` for an unknown dialect; `ArgumentError` if the dialect cannot
            express the statement.

    Example:
        >>> print(sql("run", "qrels", "recall@10", dialect="sqlite", form="view", name="recall").splitlines()[0])
        CREATE VIEW recall AS
    """
    if question.form in ("macro", "dbt", "test"):
        return write_form(question)
    for each in (each for each in question.sources() if isinstance(each, str) and OF_DBT.fullmatch(each.strip())):
        raise ArgumentError(f"{each} is a relation of dbt", argument="form", fix=f"Pass {spell('form', 'dbt')}")
    new_table = None if question.name is None else table_named(question.name, "name")
    with open_session(question.connection, question.dialect, question.sources(), only_written=True) as session:
        statement = compose_statement(question, session)
        if new_table is None:
            return readable(statement, session.target)
        return readable(creation(new_table, statement, kind=question.form.upper()), session.target)


@takes(CheckQuestion)
def check(question: CheckQuestion) -> Faults:
    """Report everything in a run and qrels that could change the meaning of the numbers.

    `evaluate` stops at the first fault that breaks a rule. `check` reports all faults, and also what a policy of
    `evaluate` accepts: missing and unjudged queries, short lists, unjudged items in the top k, equal scores across a
    cutoff, lists that look sampled. Each check is a query in `sql/checks`. Only three examples of each are fetched.

    Returns:
        `Faults`: a row for each kind of fault, with `check`, `rule`, `faults` (how many rows break it), `do` and
        `examples`. It is true if there is any fault, and `.clean` if there is none.

    Raises:
        RecallError: as in `evaluate` for arguments and unreadable files; `UnknownNameError` for an unknown name in
            `skip`.

    Example:
        >>> run = {"query": ["q1", "q1", "q2"], "item": ["a", "a", "c"], "score": [0.9, None, 0.7]}
        >>> qrels = {"query": ["q1", "q2"], "item": ["a", "c"], "relevance": [1, 1]}
        >>> faults = check(run, qrels, "recall@1")
        >>> [(fault.check, fault.faults, fault.examples[0]["item"]) for fault in faults]
        [('run_duplicates', 1, 'a'), ('run_scores', 1, 'a')]
    """
    faults = check_question(question, checking.skipped_checks(question.skip))
    assert faults is not None
    return faults


@takes(PoolQuestion)
def pool(question: PoolQuestion) -> duckdb.DuckDBPyRelation:
    """Return the unjudged items that the metrics read, over all models: what to judge next.

    For `ndcg@10`, these are the items in the first ten of any list that have no judgement. Without qrels, every item
    is unjudged. Queries that are not judged yet count too.

    Returns:
        A DuckDB relation: the query columns, the item column, best_rank (the best rank of the item in any list) and
        models (the number of lists that hold it). It is in memory, ordered by query, best_rank and item. If a column of
        the user is called best_rank or models, ours is called best_rank_1 or models_1. With `texts`, query_text comes
        after the query and text after the item, for what it holds; they are NULL for an id without a text.

    Raises:
        RecallError: as in `evaluate`; a query is checked whether it is judged or not.

    Example:
        >>> run = {"query": ["q1", "q1", "q1"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
        >>> qrels = {"query": ["q1"], "item": ["a"], "relevance": [1]}
        >>> pool(run, qrels, "ndcg@2").fetchall()
        [('q1', 'b', 2, 1)]
    """
    items = pool_question(question)
    return items if question.texts is None else with_texts(items, question, question.texts, shows_query=True)


@takes(AgreementQuestion)
def agreement(question: AgreementQuestion) -> Agreement:
    """Compare the lists of models with those of a baseline, without judgements: does a change move anything?

    The values are in [0, 1]; 1 means the same top k. Use them before judging a change, or to see how much a new
    version, index or random seed moves.

    Returns:
        An `Agreement`: `.rows` (model, k, jaccard, rbo, changed, queries, only_model, only_baseline),
        `.value("rbo")`, `.to_dicts()`, `.to_pandas()`, and `.per_query()`, with the largest change first.

    Raises:
        RecallError: as in `evaluate`.

    jaccard is the number of items that both top k lists hold, divided by the number that any of them holds. rbo is
    rank-biased overlap, extrapolated from the top k (Webber, Moffat and Zobel, TOIS 2010). The definitions are in
    `sql/7_agreement`.

    Example:
        >>> run = {"query": [1, 1, 1], "item": ["a", "b", "c"], "old": [3.0, 2.0, 1.0], "new": [3.0, 1.0, 2.0]}
        >>> found = agreement(run, baseline="old", score=["old", "new"], k=2)
        >>> found.value("jaccard").__round__(4), found.value("changed")
        (0.3333, 1)
    """
    return compute_agreement(question)
