"""`evaluate`, `sql` and `check`: from what a user has to a result they hold in their hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, TypeVar

from sqlglot import exp

from recall_duckdb import checking
from recall_duckdb import metrics as metric_names
from recall_duckdb.checking import Faults
from recall_duckdb.compiler import Plan, Statement
from recall_duckdb.dialects import describe, render
from recall_duckdb.engines import Session, creation
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, listed, shown, told
from recall_duckdb.files import unchanged
from recall_duckdb.inputs import BESIDE, Arguments, prepare
from recall_duckdb.metrics import MetricFolders
from recall_duckdb.plans import choose, prepared, with_stacked_scores
from recall_duckdb.policies import (
    Duplicates,
    Missing,
    NoRelevant,
    Nulls,
    Policies,
    Precision,
    Semantics,
    Short,
    Ties,
)
from recall_duckdb.result import Counts, Result
from recall_duckdb.sources import table_named
from recall_duckdb.stages import stage
from recall_duckdb.templates import inputs_of
from recall_duckdb.warehouses import open_session

T = TypeVar("T")


def evaluate(
    run: object,
    qrels: object = None,
    metrics: str | Iterable[str] = ("recall@10",),
    *,
    query: str | Sequence[str] = "query",
    item: str = "item",
    score: str | Sequence[str] = "score",
    rank: str | None = None,
    relevance: str | None = "relevance",
    model: str | None = None,
    by: str | Sequence[str] | None = None,
    qrels_query: str | Sequence[str] | None = None,
    qrels_item: str | None = None,
    exclude: object = None,
    items: object = None,
    weights: object = None,
    training: object = None,
    catalog: object = None,
    features: object = None,
    pairs: object = None,
    connection: Any = None,
    dialect: str | None = None,
    create: str | None = None,
    metric_folder: MetricFolders = None,
    no_relevant: NoRelevant = "zero",
    missing: Missing = "zero",
    short: Short = "allow",
    ties: Ties = "item_desc",
    duplicates: Duplicates = "error",
    nulls: Nulls = "error",
    precision: Precision = "k",
    semantics: Semantics = "trec_eval_10",
    threshold: float | None = None,
    min_score: float | None = None,
) -> Result:
    """Evaluate a run against qrels: every metric asked for, in one pass over the data where it lies.

    A run or qrels is a path, glob or list of paths (parquet, CSV, JSON, a TREC file), the name of a table or view of
    `connection`, a DuckDB relation, a pandas, polars or pyarrow table, or a dict of columns. Without qrels, the run's
    column `relevance` judges its rows. Where `item` holds lists, a row is a query: its items in rank order.

    A source is read more than once, and must hold the same rows each time: store one that is random or sampled first. A
    file that changes meanwhile is an error, but a file behind a table, view or relation is not watched.

    Args:
        run: what was retrieved; `{"name": run, ...}` compares several.
        qrels: what is relevant; None where the run holds the labels.
        metrics: "recall@10", "recall@5,10,20", "recall" (the whole list), "ndcg(gain=exponential)@10" (with an option),
            "ndcg_cut_10" (as trec_eval or ir_measures call it), or a list of these.
        query: the column, or columns, that say which query (user, case) a row belongs to.
        item: the column of what was retrieved.
        score: the column that orders a query's items, highest first; several columns are a model each.
        rank: a column of ranks, 1 for the first, instead of a score.
        relevance: the column of relevance in the qrels, or in the run where no qrels are given; None if every row of
            the qrels is relevant, as in a table of purchases.
        model: a column that says which model a row of the run is of.
        by: columns to average within, beside the total; each must be the same in all rows of a query.
        qrels_query: the query column of the qrels, if it has another name there.
        qrels_item: the item column of the qrels, if it has another name there.
        exclude: pairs of query and item to take out of the run before it is ranked, such as those seen in training.
        items: the items to restrict run and qrels to; a query of which no judged item is left is no judged query.
        weights: a `weight` for each query, for weighted means.
        training: pairs of query and item from which popularity and novelty count how popular an item is.
        catalog: the items that could be recommended, for coverage and gini.
        features: the features of items (`item`, `feature` and, if you like, `weight`), for diversity.
        pairs: how similar items are (`item`, `other`, `similarity`), for pair_diversity.
        connection: where the relations lie: a DuckDB connection (by default one of its own, in memory), a DB-API 2.0
            connection or a SparkSession. Run and qrels are then tables there, for Spark also data frames and parquet;
            no more than the means comes back, and the values per query where they are asked for. Rows of
            `connection.execute(...)` that were not fetched yet are lost: pass `connection.cursor()` to keep them.
        dialect: the SQL of the connection, if it cannot be told from its driver.
        create: the name of a table to make there of the values per query, with the columns of `sql(per_query=True)`;
            to commit it, where the driver does not do so itself, is yours.
        metric_folder: a folder of metric files of your own, whose metrics are then asked for by name.
        no_relevant: a query with nothing relevant counts 0, is left out ("skip"), or is an error.
        missing: a judged query for which the run retrieves nothing counts 0, is left out ("skip"), or is an error.
        short: fewer candidates than k are allowed, or an error.
        ties: the order of equal scores: the item that sorts last first ("item_desc", trec_eval's), the one that sorts
            first ("item"), relevant first ("optimistic") or relevant last ("pessimistic"); "expected" is the mean over
            all their orders.
        duplicates: the same item twice in a query is an error, or its highest score counts ("best").
        nulls: a NULL or NaN is an error, its row is left out ("drop"), or a NULL score is ranked last and a NULL
            relevance is as one below 0, pooled but not judged ("last").
        precision: precision divides by "k", or by how many were "retrieved" where that is fewer.
        semantics: "trec_eval_9" compares scores as 32-bit floats, as pytrec_eval, ir_measures and BEIR do.
        threshold: the relevance from which an item is relevant; by default anything above 0. Relevance is not
            rounded: 0.5 is relevant, but trec_eval truncates it to 0.
        min_score: the score below which a candidate is not recommended.

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
    arguments, policies = filled(Arguments, locals()), filled(Policies, locals())
    return run_evaluation(
        arguments,
        metrics,
        policies,
        connection=connection,
        dialect=dialect,
        create=create,
        metric_folder=metric_folder,
    )


def sql(
    run: object = "run",
    qrels: object = None,
    metrics: str | Iterable[str] = ("recall@10",),
    *,
    per_query: bool = False,
    view: str | None = None,
    table: str | None = None,
    query: str | Sequence[str] = "query",
    item: str = "item",
    score: str | Sequence[str] = "score",
    rank: str | None = None,
    relevance: str | None = "relevance",
    model: str | None = None,
    by: str | Sequence[str] | None = None,
    qrels_query: str | Sequence[str] | None = None,
    qrels_item: str | None = None,
    exclude: object = None,
    items: object = None,
    weights: object = None,
    training: object = None,
    catalog: object = None,
    features: object = None,
    pairs: object = None,
    connection: Any = None,
    dialect: str | None = None,
    metric_folder: MetricFolders = None,
    no_relevant: NoRelevant = "zero",
    missing: Missing = "zero",
    short: Short = "allow",
    ties: Ties = "item_desc",
    duplicates: Duplicates = "error",
    nulls: Nulls = "error",
    precision: Precision = "k",
    semantics: Semantics = "trec_eval_10",
    threshold: float | None = None,
    min_score: float | None = None,
) -> str:
    """The statement that `evaluate` would run for the same arguments, from the inputs to the means, without running it.

    Columns and types are looked up where a source can be found; the name of a table that cannot be is taken as it is,
    so that a statement can be written for a warehouse. No row is read and no data check is made.

    Args:
        run: the name of a table, as the dialect writes it; in DuckDB's own dialect also a path, as are the others.
        qrels: what is relevant; the arguments that are not named here are those of `evaluate`.
        metrics: as `evaluate` takes them.
        dialect: whose SQL to write: that of the connection or, without one, DuckDB's.
        per_query: the values of each query instead of the means.
        view: a name, for a statement that creates a view of it.
        table: a name, for a statement that creates a table of it.
        query: the column or columns that say which query a row belongs to.
        item: the item column.
        score: the score column or columns.
        rank: the column of ranks.
        relevance: the column of relevance; None if every row of the qrels is relevant.
        model: the column of models.
        by: the columns of slices.
        qrels_query: the query column of the qrels.
        qrels_item: the item column of the qrels.
        exclude: pairs that are taken out of the run.
        items: the items that run and qrels are restricted to.
        weights: a weight for each query.
        training: what popularity and novelty count.
        catalog: the items that could be recommended.
        features: the features of items.
        pairs: how similar items are.
        connection: where to look up columns and types: a connection as `evaluate` takes it.
        metric_folder: a folder of metric files of your own.
        no_relevant: this and the others that follow are the policies of `evaluate`.
        missing: a judged query for which the run retrieves nothing.
        short: is not part of the statement.
        ties: the order of equal scores.
        duplicates: the same item twice in a query.
        nulls: a NULL or NaN.
        precision: what precision divides by.
        semantics: how scores compare.
        threshold: the relevance from which an item is relevant.
        min_score: the score below which a candidate is not recommended.

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
    arguments, policies = filled(Arguments, locals()), filled(Policies, locals())
    if not isinstance(per_query, bool):
        raise ArgumentTypeError(f"per_query: True or False is expected, not {shown(per_query)}")
    if view is not None and table is not None:
        raise ArgumentError("Pass either view= or table=, not both")
    name = table if view is None else view
    made = None if name is None else table_named(name, "table" if view is None else "view")
    session = open_session(connection, dialect, _sources(arguments), only_written=True)
    try:
        statement = compose(arguments, metrics, policies, session, per_query=per_query, metric_folder=metric_folder)
        if made is None:
            return render(statement, session.target, pretty=True, copy=False)
        kind = "TABLE" if view is None else "VIEW"
        return render(creation(made, statement, kind=kind), session.target, pretty=True, copy=False)
    finally:
        session.release()


def compose(
    arguments: Arguments,
    metrics: str | Iterable[str],
    policies: Policies,
    session: Session,
    *,
    per_query: bool = False,
    metric_folder: MetricFolders = None,
) -> exp.Select:
    """The statement of `sql` as a tree, with the comment at its head, before its dialect's rewrites."""
    plan = planned(arguments, metrics, policies, session, metric_folder, must_exist=False)
    composed = Statement(plan)
    statement = composed.of_per_query() if per_query else composed.of("means")
    describe(statement, plan.head(per_query=per_query), session.target)
    return statement


def filled(kind: type[T], given: Mapping[str, Any]) -> T:
    """A dataclass of arguments, each from the parameter of its name."""
    return kind(**{item.name: given[item.name] for item in fields(kind)})  # type: ignore[arg-type]


def run_evaluation(
    arguments: Arguments,
    metrics: str | Iterable[str],
    policies: Policies,
    *,
    connection: Any = None,
    dialect: str | None = None,
    create: str | None = None,
    metric_folder: MetricFolders = None,
    emptiness: str = "error",
) -> Result:
    """`evaluate`, from its arguments to its result; `emptiness="allow"` takes a case in which nothing is relevant."""
    made = None if create is None else table_named(create, "create")
    session = open_session(connection, dialect, _sources(arguments))
    if made is not None and not session.stays:
        raise ArgumentError("create: the table would go with the evaluation: pass the connection= that is to hold it")
    try:
        asked = planned(arguments, metrics, policies, session, metric_folder)
        with unchanged(asked.inputs.watched, session):
            chosen = choose(asked, session)
            settings = checking.settings(chosen, command="evaluate", emptiness=emptiness)
            checking.check_rows(chosen, session, settings)
            plan, tops = prepared(chosen, session)
            if chosen.forms.packing is not None:
                checking.check_lists(plan, session, settings)
            first = {} if tops is None else {"tops": tops}
            stage("ranking and computing metrics" if tops is None else "computing metrics")
            per_query = session.store(Statement(plan, first).of_table("per_query"))
            if tops is not None:
                session.drop(tops)
            bound = {} if per_query is None else {"per_query": per_query}
            checking.check_queries(plan, session, settings, bound)
            counts = _counts(plan, session, Statement(plan, bound))
            stage("averaging")
            means = session.dicts(Statement(asked, bound).of("means"))
        if made is not None:
            session.create(made, Statement(plan, bound).of_per_query())
        return Result(asked, session, per_query, counts, means)
    finally:
        session.release()


def _sources(arguments: Arguments) -> list[object]:
    runs = list(arguments.run.values()) if isinstance(arguments.run, dict) else [arguments.run]
    return [*runs, arguments.qrels, *arguments.beside().values()]


def planned(
    arguments: Arguments,
    metrics: str | Iterable[str],
    policies: Policies,
    session: Session,
    metric_folder: MetricFolders,
    *,
    must_exist: bool = True,
) -> Plan:
    """The question that the arguments of `evaluate` ask, in the forms that every engine runs."""
    stage("reading columns")
    asked = metric_names.parse(metrics, metric_folder)
    inputs = prepare(arguments, session, must_exist=must_exist)
    if inputs.run_shape != "scores":
        for name, value in (
            ("min_score", policies.min_score is not None),
            ("duplicates", policies.duplicates == "best"),
            ("ties", policies.ties != "item_desc"),
        ):
            if value:
                given = "a rank column" if inputs.run_shape == "ranks" else "lists in rank order"
                raise ArgumentError(f"{name}: {getattr(policies, name)!r} needs a score, but the run has {given}")
    if policies.duplicates == "best" and inputs.qrels_shape != "rows":
        raise ArgumentError("duplicates: 'best' needs qrels with a row for each item, but they hold lists or maps")
    taken = {str(metric).casefold() for metric in asked}
    for argument, names in (("query", inputs.query), ("by", inputs.by)):
        for name in names:
            if name.casefold() in taken:
                raise ArgumentError(
                    f"{argument}: the result has a column {name!r} for the metric: rename the one in your data"
                )
    _check_beside(asked, arguments)
    if policies.ties == "expected":
        without = [str(metric) for metric in asked if not metric.has_expectation]
        if without:
            raise ArgumentError(
                f"ties: 'expected' has no closed form for {listed(without)}: leave it out, or choose another order"
            )
    return Plan(inputs, asked, policies)


def _check_beside(asked: list[metric_names.Metric], arguments: Arguments) -> None:
    """Refuse a metric that needs a relation which was not given, and a relation that no metric needs."""
    given = arguments.beside()
    read = {name: metric for metric in asked for name in inputs_of(metric.template)}
    for name, metric in read.items():
        if name in BESIDE and name not in given:
            keys, numbers, what = BESIDE[name]
            raise ArgumentError(
                f"{metric} needs {told(name)}: a relation with the columns {', '.join([*keys, *numbers])}: {what}. "
                "Pass a path, a table's name or a frame"
            )
    unread = [name for name in given if name not in {*read, "exclude", "items", "weights"}]
    if unread:
        raise ArgumentError(
            f"{unread[0]}: no metric that was asked for reads it; leave it out, or ask for one that does"
        )


def _counts(plan: Plan, session: Session, statement: Statement) -> dict[object, Counts]:
    stage("counting queries")
    dropped: dict[str, dict[object, int]] = {"run": {}, "qrels": {}}  # by model; under None, of them all
    left_out = plan.policies.nulls == "drop" or plan.policies.duplicates == "best"
    for side, used in (("run", "candidates"), ("qrels", "judgements")):
        if left_out or plan.called(used) != side:
            kept = dict(session.rows(Statement(plan).of_count(used)))
            held = dict(session.rows(Statement(plan.keeping_all_rows()).of_count(side)))
            dropped[side] = {model: held[model] - kept.get(model, 0) for model in held}
    counts: dict[object, Counts] = {}
    for row in session.dicts(statement.of("counts")):
        counts[row["model"]] = Counts(
            judged=row["judged"],
            retrieved=row["retrieved_queries"] or 0,
            both=row["both_sides"] or 0,
            without_relevant=row["without_relevant"] or 0,
            run_rows_dropped=dropped["run"].get(row["model"] if plan.has_models else None, 0),
            qrels_rows_dropped=dropped["qrels"].get(None, 0),
        )
    return {name: counts[name] for name in plan.inputs.models} if plan.inputs.models else counts


def check(
    run: object,
    qrels: object = None,
    metrics: str | Iterable[str] = ("recall@10",),
    *,
    query: str | Sequence[str] = "query",
    item: str = "item",
    score: str | Sequence[str] = "score",
    rank: str | None = None,
    relevance: str | None = "relevance",
    model: str | None = None,
    by: str | Sequence[str] | None = None,
    qrels_query: str | Sequence[str] | None = None,
    qrels_item: str | None = None,
    exclude: object = None,
    items: object = None,
    weights: object = None,
    training: object = None,
    catalog: object = None,
    features: object = None,
    pairs: object = None,
    connection: Any = None,
    dialect: str | None = None,
    metric_folder: MetricFolders = None,
    semantics: Semantics = "trec_eval_10",
    threshold: float | None = None,
    min_score: float | None = None,
    skip: str | Iterable[str] | None = None,
) -> Faults:
    """Look for everything in a run and qrels that could make their numbers mean something else.

    `evaluate` stops at the first fault that breaks a rule; this finds all of them, and what is no error there because a
    policy takes it: missing and unjudged queries, short lists, unjudged items in the top k, equal scores across a
    cutoff, lists that look sampled. Each is a query in `sql/checks`. No data are fetched but three examples of each.

    Args:
        run: what was retrieved, as `evaluate` takes it; so are the other arguments.
        qrels: what is relevant.
        metrics: the metrics to look on behalf of: their cutoffs, and the relevance that they can take.
        query: the query column or columns.
        item: the item column.
        score: the score column or columns.
        rank: the column of ranks.
        relevance: the column of relevance; None if every row of the qrels is relevant.
        model: the column of models.
        by: the columns of slices.
        qrels_query: the query column of the qrels.
        qrels_item: the item column of the qrels.
        exclude: pairs that are taken out of the run.
        items: the items that run and qrels are restricted to.
        weights: a weight for each query.
        training: what popularity and novelty count.
        catalog: the items that could be recommended.
        features: the features of items.
        pairs: how similar items are.
        connection: where the relations lie, as `evaluate` takes it.
        dialect: the SQL of the connection, if it cannot be told from its driver.
        metric_folder: a folder of metric files of your own.
        semantics: how scores compare, which decides what is a tie.
        threshold: the relevance from which an item is relevant.
        min_score: the score below which a candidate is not recommended.
        skip: the names of checks to leave out.

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
    arguments = filled(Arguments, locals())
    skipped = checking.known(skip)
    policies = Policies(
        no_relevant="error", missing="error", short="error", duplicates="error", nulls="error",
        semantics=semantics, threshold=threshold, min_score=min_score,
    )  # fmt: skip
    session = open_session(connection, dialect, _sources(arguments))
    try:
        asked = planned(arguments, metrics, policies, session, metric_folder)
        with unchanged(asked.inputs.watched, session):
            return checking.find(with_stacked_scores(asked, session), session, skipped)
    finally:
        session.release()
