"""The question that a user asks: every argument of `evaluate`, `sql` and `check`, documented and checked once here.

The fields of these classes are the arguments, and their docstrings are what signatures, help and docs say of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

from sqlglot import exp

from recall_duckdb.definitions.reading import NOT_OF_METRICS, in_item_slices, inputs_of, needs_judgements
from recall_duckdb.definitions.units import unit_of_item
from recall_duckdb.errors import ArgumentError, ArgumentTypeError, check_flag, commas, digits, is_sound, quote, spell
from recall_duckdb.question import metrics as metric_names
from recall_duckdb.question.metrics import Metric, MetricFolders
from recall_duckdb.question.policies import (
    CHOICES,
    CREATED,
    FORMS,
    SUMS,
    Policies,
    Scale,
    check_choice,
    is_distance,
    is_rank,
)
from recall_duckdb.question.signatures import argument_docs

RESULT_COLUMNS = ("model", "metric", "k", "value", "queries")

Slices = Literal["each", "crossed", "both"]
SLICES: tuple[str, ...] = get_args(Slices)

# The arguments that name the columns of files without a header.
FILE_COLUMNS = ("columns", "qrels_columns")
# As the last of these names: a line holds any number of items.
FURTHER = "..."

# The optional inputs: their key columns (named as in the run, or else as in the qrels), and their number columns.
OPTIONAL_INPUTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "exclude": (("query", "item"), ()),
    "items": (("item",), ()),
    "weights": (("query",), ("weight",)),
    "training": (("query", "item"), ()),
    "obvious": (("query", "item"), ()),
    "catalog": (("item",), ()),
    "features": (("item", "feature"), ("weight",)),
    "pairs": (("item", "other"), ("similarity",)),
    "item_slices": (("item",), ()),
    "query_slices": (("query",), ()),
    "item_map": (("item", "unit"), ()),
}


@dataclass(frozen=True, eq=False)
class Names:
    """The column names of a question, checked and with defaults filled in."""

    query: list[str]
    item: str
    scores: list[str]
    relevance: str | None
    by: list[str]
    item_by: list[str]
    qrels_query: list[str]
    qrels_item: str

    @property
    def qrels_by(self) -> list[str]:
        """The columns of `by` in the qrels, where a query column may have another name."""
        of_qrels = dict(zip(map(str.casefold, self.query), self.qrels_query, strict=True))
        return [of_qrels.get(name.casefold(), name) for name in self.by]


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class Data:
    """The data of a question: sources and column names.

    Attributes:
        run: the lists to evaluate; `{"name": run, ...}` compares several runs.
        qrels: the relevance judgements; leave them out if the run holds the labels.
        query: the column, or columns, of the query (user, case).
        item: the column of the item.
        score: the column that orders the items of a query, highest first unless `order` is "ascending". Several
            columns are several models.
        rank: a column of ranks, 1 for the first, instead of a score.
        relevance: the column of relevance in the qrels, or in the run if there are no qrels. None means that every row
            of the qrels is relevant, as in a table of purchases.
        model: the column of the model, if the run holds several models.
        by: columns of the qrels, the run or `query_slices` to average within, in addition to the means over all
            queries. Each must have one value for each query.
        slices: with several columns in `by`: "each" for the slices of each column, "crossed" for those of their
            combinations, or "both". Slices of `item_by` are always crossed.
        item_by: columns of `item_slices` to slice the relevant items by, such as head and tail, for recall and other
            metrics of single relevant items. Ranks stay those of the whole list.
        qrels_query: the query column of the qrels, if it has another name there.
        qrels_item: the item column of the qrels, if it has another name there. Without qrels, it names the lists of
            judged items next to those that the run holds.
        columns: the names of the columns, in their order, of files without a header: "user,item,score", or a list. With
            "user,item,..." a line holds a user and any number of items.
        qrels_columns: these names in the qrels and in optional inputs, if they have other columns than the run.
        exclude: pairs of query and item to remove from the run before ranking, such as those seen in training.
        items: the items to restrict run and qrels to. A query without any of these items in the qrels is not judged.
        weights: a weight for each query, for weighted means.
        training: pairs of query and item that give the popularity of items, for popularity, novelty and serendipity.
        obvious: pairs of query and item that are obvious, such as a baseline's lists, for unexpectedness.
        catalog: the items that could be recommended, for coverage, gini and serendipity.
        features: the features of items, for diversity. Without a column weight, all features weigh 1.
        pairs: how similar items are, for pair_diversity.
        item_slices: the slice of each item, in the columns of `item_by`.
        query_slices: the slice of each query, in the columns of `by`, such as a table of users with their countries.
        item_map: the units of items, such as the document of each chunk, which replace the items of run and qrels. The
            best item of a unit counts, as with duplicates="best". Or an expression, "split_part(item, '#', 1)".
    """

    run: object = field(kw_only=False)
    qrels: object = field(default=None, kw_only=False)
    query: str | Sequence[str] = "query"
    item: str = "item"
    score: str | Sequence[str] = "score"
    rank: str | None = None
    relevance: str | None = "relevance"
    model: str | None = None
    by: str | Sequence[str] | None = None
    slices: Slices = "each"
    item_by: str | Sequence[str] | None = None
    qrels_query: str | Sequence[str] | None = None
    qrels_item: str | None = None
    columns: str | Sequence[str] | None = None
    qrels_columns: str | Sequence[str] | None = None
    exclude: object = None
    items: object = None
    weights: object = None
    training: object = None
    obvious: object = None
    catalog: object = None
    features: object = None
    pairs: object = None
    item_slices: object = None
    query_slices: object = None
    item_map: object = None

    def optional_inputs(self) -> dict[str, object]:
        """Return the optional inputs that were given, by the names of their arguments."""
        given = {name: value for name in OPTIONAL_INPUTS if (value := getattr(self, name)) is not None}
        return {name: value for name, value in given.items() if name != "item_map" or self._item_expression is None}

    @cached_property
    def _item_expression(self) -> exp.Expr | None:
        return unit_of_item(self.item_map) if isinstance(self.item_map, str) else None

    @cached_property
    def unit(self) -> exp.Expr | None:
        """The expression for the unit of an item; None if items are not mapped."""
        # An engine may fill the columns of a LEFT JOIN with a default value instead of NULL.
        has_unit = exp.EQ(this=exp.column("has_unit"), expression=exp.Literal.number(1))
        of_table = exp.Case().when(has_unit, exp.column("unit")).else_(exp.column("item"))
        return None if self.item_map is None else self._item_expression or of_table

    def sources(self) -> list[object]:
        """Return every relation that was given."""
        runs = list(self.run.values()) if isinstance(self.run, dict) else [self.run]
        return [*runs, self.qrels, *self.optional_inputs().values()]

    @cached_property
    def file_columns(self) -> dict[str, list[str]]:
        """The columns of files without a header, by the arguments that name them."""
        return {name: of_file(name, value) for name in FILE_COLUMNS if (value := getattr(self, name)) is not None}

    @cached_property
    def names(self) -> Names:
        """The columns that the data are read by."""
        query = column_names("query", self.query)
        _refuse(not query, "query", "name the column, or columns, that say which query a row belongs to")
        qrels_query = column_names("qrels_query", self.qrels_query) or query
        told = f"{commas(qrels_query)} must be as many columns as query: {commas(query)}"
        _refuse(len(qrels_query) != len(query), "qrels_query", told)
        by, item_by = column_names("by", self.by), column_names("item_by", self.item_by)
        for argument, columns in (("by", by), ("item_by", item_by), ("query", query)):
            taken = ("model",) if argument == "query" else RESULT_COLUMNS
            refuse_names(argument, columns, taken, "of its own")
        for argument, single in (("rank", self.rank), ("model", self.model)):
            if single is not None:
                _column(argument, single)
        item = _column("item", self.item)
        labelled = self.qrels is None
        return Names(
            query=query,
            item=item,
            scores=column_names("score", self.score) or ["score"],
            relevance=None if self.relevance is None else _column("relevance", self.relevance),
            by=by,
            item_by=item_by,
            qrels_query=query if labelled else qrels_query,
            qrels_item=item if labelled or self.qrels_item is None else _column("qrels_item", self.qrels_item),
        )


@dataclass(frozen=True, eq=False, kw_only=True, init=False, repr=False)
class Question(Data):
    """A question: data, metrics and connection. Each function has its own subclass.

    Attributes:
        metrics: "recall@10", "recall@5,10,20", "recall@1-10", "recall" (the whole list), "ndcg(gain=exponential)@10"
            (with an option), "ndcg_cut_10" (a name of trec_eval or ir_measures), "official" (what trec_eval prints), or
            a list of these.
        connection: a DuckDB connection (default: a new one in memory), a DB-API 2.0 connection or a SparkSession. With
            the last two, run and qrels are tables there; in Spark also data frames and parquet files. Only means leave
            the engine, and values of queries if you read them. Fetch all rows of `connection.execute(...)` first, with
            fetchall(), or pass `connection.cursor()`: DuckDB 1 discards unfetched rows, and with DuckDB 2 they are an
            error.
        dialect: the SQL dialect; default: that of the connection or, without one, DuckDB's.
        metric_folder: a folder, or folders, of your own metric files. Ask for their metrics by name.
    """

    hidden: ClassVar[tuple[str, ...]] = ()
    """The arguments that a function of this question does not take."""

    metrics: str | Iterable[str] = field(default=("recall@10",), kw_only=False)
    connection: Any = None
    dialect: str | None = None
    metric_folder: MetricFolders = None

    @cached_property
    def parsed_metrics(self) -> list[Metric]:
        """The metrics asked for, in order."""
        return metric_names.parse(self.metrics, self.metric_folder)

    @cached_property
    def needs_judgements(self) -> bool:
        """True if a metric depends on judgements, unlike coverage."""
        return any(needs_judgements(metric.template) for metric in self.parsed_metrics)

    @property
    def policies(self) -> Policies:
        """What is done where libraries differ."""
        raise NotImplementedError

    def __post_init__(self) -> None:
        """Check all that needs no look at the data."""
        for name in ("run", "qrels", *OPTIONAL_INPUTS):
            value = getattr(self, name)
            if isinstance(value, Iterator) and not hasattr(value, "read_next_batch"):  # it may be read more than once
                object.__setattr__(self, name, list(value))
        if self.qrels is None and self.qrels_item is not None:  # in the rows of the run
            object.__setattr__(self, "qrels", self.run)
        columns = {name for metric in self.parsed_metrics for name in (str(metric).casefold(), metric.column)}
        for argument in ("query", "by", "item_by"):
            refuse_names(argument, getattr(self.names, argument), columns, "for the metric")
        _ = self.file_columns
        check_slices(self.slices, [*self.names.by, *self.names.item_by])
        self._check_roles()
        self._check_judgements()
        self._check_optional_inputs()
        self._check_item_slices()
        self._check_query_slices()
        without = [str(metric) for metric in self.parsed_metrics if not metric.has_expectation]
        told = f"'expected' has no closed form for {commas(without)}: leave it out, or choose another order"
        _refuse(self.policies.ties == "expected" and without, "ties", told)

    def _check_roles(self) -> None:
        """Refuse one column in two roles, and a distance or rank as a score whose order the user did not state."""
        # Lists read no score, so its default name may be that of another column.
        names, scores = self.names, self.names.scores if self.rank is None and self.score != "score" else []
        is_labelled = self.qrels is None and self.needs_judgements
        several = [*(("query", name) for name in names.query), *(("score", name) for name in scores)]
        labels = ("relevance", names.relevance if is_labelled else None)
        check_roles([*several, ("item", names.item), ("rank", self.rank), ("model", self.model), labels])
        check_roles([*(("qrels_query", name) for name in names.qrels_query), ("qrels_item", names.qrels_item)])
        for score in scores if self.policies.order is None else ():
            if is_distance(score):
                raise _low_first(score, "a distance", spell("order", "ascending"))
            if is_rank(score):
                raise _low_first(score, "a rank", f"{spell('rank', score)}, or {spell('order', 'ascending')}")

    def _check_judgements(self) -> None:
        """Refuse policies and columns that have no effect without the data that they are about."""
        given, every_row, threshold = spell("qrels"), spell("relevance", None), self.policies.threshold
        is_labelled = self.qrels is None and self.needs_judgements
        told = f"{every_row} means that every row of the qrels is relevant, but no {given} was given"
        fix = f"Pass {given}, or name the column of the run that holds its labels"
        _refuse(is_labelled and self.relevance is None, None, told, fix)
        is_above = self.qrels is not None and self.relevance is None and threshold is not None and threshold > 1
        told = f"without a column of relevance, the qrels have relevance 1, which is below {digits(threshold or 0)}"
        _refuse(is_above, "threshold", told, f"Leave it out, or name the column with {spell('relevance')}")
        for name in ("no_relevant", "unjudged") if self.qrels is None and not self.needs_judgements else ():
            value = getattr(self, name, CHOICES[name][0])
            _refuse(value != CHOICES[name][0], name, f"{value!r} needs judgements", f"Pass {given}, or leave it out")
        is_idle = self.policies.qrels_depth is not None and not self.needs_judgements and self.qrels is None
        _refuse(is_idle, "qrels_depth", "it cuts the lists of relevant items", f"Pass {given}, or leave it out")
        whole = [str(metric) for metric in self.parsed_metrics if "candidates" in metric.template.reads]
        told = f"{commas(whole) if whole else spell('ties', 'expected')} needs whole lists"
        is_cut = self.policies.depth is not None and (whole or self.policies.ties == "expected")
        _refuse(is_cut, "depth", told, "Leave depth out, or cut the lists in the data")
        told = f"{self.policies.ranks!r} needs a rank column"
        has_none = self.rank is None and self.policies.ranks != "error"
        _refuse(has_none, "ranks", told, f"Pass {spell('rank')}, or leave it out")
        is_fixed = self.policies.ranks == "given" and self.unit is not None
        _refuse(is_fixed, "item_map", "units have other ranks than their items", "Leave ranks='given' out")

    def _check_optional_inputs(self) -> None:
        """Refuse a metric that needs a relation which was not given, and a relation that no metric needs."""
        inputs = self.optional_inputs()
        read = {name: metric for metric in self.parsed_metrics for name in inputs_of(metric.template)}
        for name, metric in read.items():
            if name in OPTIONAL_INPUTS and name not in inputs:
                columns = ", ".join(sum(OPTIONAL_INPUTS[name], ()))
                told = (
                    f"{metric} needs {spell(name)}: a relation with the columns {columns}: {argument_docs(Data)[name]}"
                )
                raise ArgumentError(f"{told} Pass a path, a table's name or a frame")
        for name in inputs:
            told = "no requested metric reads it: leave it out, or ask for a metric that does"
            _refuse(name not in {*read, *NOT_OF_METRICS}, name, told)

    def _check_item_slices(self) -> None:
        """Refuse item slices without their columns or relation, with slices of queries, and for other metrics."""
        item_by = self.names.item_by
        if not item_by and self.item_slices is None:
            return
        told = f"pass {spell('item_by')} too, which names the column of it that holds the slices"
        _refuse(not item_by, "item_slices", told)
        needed = f"a path, a table's name or a frame with the columns {commas([self.names.item, *item_by])}"
        told = f"pass {spell('item_slices')} too: {needed}, and a row for each item"
        _refuse(self.item_slices is None, "item_by", told)
        told = "slices of items do not combine with slices of queries (by)"
        _refuse(self.names.by, "item_by", told, "Evaluate once with each")
        shared = [name for name in item_by if name in [*self.names.query, self.names.item]][:1]
        fix = f"Name a column of {spell('item_slices')} with slices, or rename it there"
        _refuse(shared, "item_by", f"{commas(shared)} names the query or the item", fix)
        undefined = [str(metric) for metric in self.parsed_metrics if not metric.has_item_slices]
        told = (
            f"{commas(undefined)} has no meaning within a slice of items, because its value depends on more than the "
            "ranks of the relevant items in the slice"
        )
        _refuse(undefined, "item_by", told, f"Leave it out, or ask for one of {', '.join(in_item_slices())}")

    def _check_query_slices(self) -> None:
        """Refuse slices of queries without the columns that hold them, or in the columns of the query."""
        if self.query_slices is None:
            return
        told = f"pass {spell('by')} too, which names the column of it that holds the slices"
        _refuse(not self.names.by, "query_slices", told)
        shared = [name for name in self.names.by if name in self.names.query][:1]
        fix = f"Name a column of {spell('query_slices')} with slices, or leave that out"
        _refuse(shared, "by", f"{commas(shared)} names the query", fix)


@dataclass(frozen=True, eq=False)
class PolicyQuestion(Policies, Question):
    """A question with policies."""

    def __post_init__(self) -> None:
        Policies.__post_init__(self)
        Question.__post_init__(self)

    @cached_property
    def policies(self) -> Policies:
        """What is done where libraries differ."""
        return Policies(**self.settings() | ({} if self.unit is None else {"duplicates": "best"}))


@dataclass(frozen=True, eq=False, kw_only=True)
class EvaluateQuestion(PolicyQuestion):
    """The question of `evaluate`.

    Attributes:
        create: the name of a new table in the connection for the values of each query, with the columns of
            `sql(per_query=True)`. Commit it yourself if the driver does not.
    """

    create: str | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolQuestion(PolicyQuestion):
    """The question of `pool`. Without qrels, no item is judged.

    Attributes:
        texts: the texts to show next to the ids of queries, of items, or a list of both. A source has the column of the
            query or of the item, and the column text, or else title, or else only one of text. Also {"item": {id:
            text}}.
    """

    texts: object = None

    hidden: ClassVar[tuple[str, ...]] = ("slices",)

    @cached_property
    def needs_judgements(self) -> bool:
        """False: the run holds no labels that a pool would read."""
        return False


@dataclass(frozen=True, eq=False, kw_only=True)
class SqlQuestion(PolicyQuestion):
    """The question of `sql`.

    Attributes:
        run: the name of a table, as the dialect writes it. In DuckDB's dialect, run and the other sources may be paths.
        per_query: select the values of each query instead of the means.
        pool: select the unjudged items that a metric reads, as `pool` does.
        form: 'select', or 'view', 'table' or 'macro' for a statement that creates one; 'dbt' for a dbt model, 'test'
            for a dbt test: these name relations as ref('model') or source('schema', 'table').
        name: the name of the view, table or macro. A macro takes the relations as arguments, and the cutoff `k` if the
            metrics have only one.
        at_least: with form='test', the lowest mean that passes.
        sums: 'plain', as one would write them by hand, or 'exact', with the same bits in any order of the rows.
    """

    run: object = field(default="run", kw_only=False)
    per_query: bool = False
    pool: bool = False
    form: str = "select"
    name: str | None = None
    at_least: float | None = None
    sums: str = "plain"

    @cached_property
    def needs_judgements(self) -> bool:
        """True if the statement reads judgements."""
        return not self.pool and super().needs_judgements

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("per_query", "pool"):
            check_flag(name, getattr(self, name))
        check_choice("sums", self.sums, SUMS)
        _refuse(self.per_query and self.pool, None, "Pass either per_query= or pool=, not both")
        check_choice("form", self.form, FORMS)
        told = f"{spell('form', self.form)} {'needs a' if self.form in CREATED else 'has no'} name"
        _refuse((self.name is not None) != (self.form in CREATED), "name", told)
        told = f"{spell('form', 'test')} needs it, and no other form has it"
        _refuse((self.at_least is not None) != (self.form == "test"), "at_least", told)


@dataclass(frozen=True, eq=False, kw_only=True)
class CheckQuestion(Scale, Question):
    """The question of `check`, which has no policies: it reports every fault.

    Attributes:
        skip: names of checks to skip.
    """

    skip: str | Iterable[str] | None = None
    hidden: ClassVar[tuple[str, ...]] = ("slices",)

    def __post_init__(self) -> None:
        Scale.__post_init__(self)
        Question.__post_init__(self)

    @cached_property
    def policies(self) -> Policies:
        """Policies by which nothing is let pass."""
        return Policies(
            no_relevant="error", missing="error", short="error", nulls="error",
            duplicates="error" if self.unit is None else "best",
            semantics=self.semantics, ids=self.ids, order=self.order, threshold=self.threshold,
            min_score=self.min_score, qrels_depth=self.qrels_depth,
        )  # fmt: skip


def check_slices(value: object, columns: Sequence[str]) -> None:
    """Refuse an unknown kind of slices, and one other than the default if there are no columns of slices."""
    check_choice("slices", value, SLICES)
    told, fix = (
        "needs columns of slices, but there are none",
        f"Pass {spell('by')} or {spell('item_by')} too, or leave it out",
    )
    _refuse(value != SLICES[0] and not columns, "slices", f"{value!r} {told}", fix)


def check_roles(roles: Iterable[tuple[str, str | None]]) -> None:
    """Refuse one column of a relation for two arguments; None is an argument that was not given."""
    first: dict[str, tuple[str, str]] = {}
    for argument, name in roles:
        if name is None:
            continue
        other, spelled = first.setdefault(name.casefold(), (argument, name))
        alike = "" if spelled == name else " (upper and lower case are the same)"
        told = f"both name the column {name!r}{alike}, but a column has one meaning"
        _refuse(other != argument, f"{other}, {argument}", told, "Name two columns")


def _refuse(condition: object, argument: str | None, problem: str, fix: str = "") -> None:
    if condition:
        raise ArgumentError(problem, argument=argument, fix=fix)


def refuse_names(argument: str, names: Iterable[str], taken: Collection[str], whose: str) -> None:
    """Refuse the names of columns that the result has."""
    for name in names:
        told = f"the result has a column {name!r} {whose}: rename the column in your data"
        _refuse(name.casefold() in taken, argument, told)


def _low_first(score: str, kind: str, fix: str) -> ArgumentError:
    """Return the error for a score whose name says that the lowest is the best, while no order was given."""
    descending = f"if the highest is the best, {spell('order', 'descending')}"
    problem = f"{score!r} is usually {kind}, of which the lowest is the best"
    return ArgumentError(problem, argument="score", fix=f"Pass {fix} or, {descending}")


def column_names(argument: str, value: str | Sequence[str] | None) -> list[str]:
    """Return the columns that an argument names; raises `ArgumentError` for an invalid name, or one given twice."""
    if value is not None and (not isinstance(value, Sequence) or isinstance(value, (bytes, bytearray, memoryview))):
        raise ArgumentTypeError(f"a column name, or a list of them, is expected, not {quote(value)}", argument=argument)
    names = [value] if isinstance(value, str) else list(value or [])
    for name in names:
        if not isinstance(name, str):
            raise ArgumentTypeError(f"a column name is expected, not {quote(name)}", argument=argument)
        _refuse(not is_sound(name), argument, f"{quote(name)} cannot be a column name")
    _refuse(len({name.casefold() for name in names}) < len(names), argument, f"{commas(names)} names a column twice")
    return names


def of_file(argument: str, value: str | Sequence[str]) -> list[str]:
    """Return the names of the columns of a file, from a list or a text with commas.

    >>> of_file("columns", "user, item, rating")
    ['user', 'item', 'rating']
    """
    names = [name.strip() for name in value.split(",")] if isinstance(value, str) else value
    names = column_names(argument, names)
    is_wrong = not names or (FURTHER in names and (len(names) != 3 or names[2] != FURTHER))
    told, example = f"name each column of the file, as in {spell(argument, 'user,item,rating')}", f"user,item,{FURTHER}"
    fix = f"Only the lines of a user and several items end with {FURTHER}, as in {spell(argument, example)}"
    _refuse(is_wrong, argument, told, fix)
    return names


def _column(argument: str, value: str) -> str:
    names = column_names(argument, value)
    joined = f"Join them in the data, as in concat_ws('/', {', '.join(names)}) AS {argument}" if names else ""
    _refuse(len(names) != 1, argument, f"one column name is expected, not {quote(value)}", joined)
    return names[0]
