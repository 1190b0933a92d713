"""The paths to an answer: `evaluate` with each plan, the statement of `sql`, the table macros."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import duckdb
from reference import OF_LISTS, Mean, OptionalInputs, Query, read

from random_data.case import Case
from random_data.ids import DECIMAL, plain
from random_data.plans import EVALUATED, FORCED, planned
from random_data.questions import OF_MACROS, beyond_accuracy
from random_data.relations import Passing, drawn, quoted, shuffled
from recall_duckdb import evaluate, install, sql
from recall_duckdb.macros.writing import TOGETHER, supported_metrics

OTHERS = ("alone", "sql", "sql per query", "macros", "shuffled")
PATHS = (*EVALUATED, *OTHERS)
# Types of ids that evaluate compares with whole numbers of other types, and macros do not.
_OF_EVALUATE = {"DOUBLE", "UHUGEINT", DECIMAL}


def some(random: Random, case: Case) -> tuple[str, ...]:
    """Draw paths of a case: some ways of `evaluate`, often in lists, and some others."""
    forced = random.sample([*FORCED], random.choice([0, 1, 1]))
    usual = random.sample(["evaluate", "definition", "lists", "lists"], random.choice([1, 2]))
    others = [path for path in (*OTHERS, "macros", "macros") if applies(path, case)]
    return tuple(dict.fromkeys([*usual, *forced, *random.sample(others, random.choice([1, 2]))]))


def applies(path: str, case: Case) -> bool:
    """Return True if a path can answer a case."""
    if path.startswith("sql"):
        return case.source in ("table", "parquet")
    return path != "macros" or has_macros(case)


def has_macros(case: Case) -> bool:
    """Return True if the table macros can answer a case."""
    return (
        case.source in ("table", "parquet")
        and case.shape in ("scores", "ranks")
        and case.together in ("only", "group", "column")
        and len(case.names.query) == 1
        and case.policies.keys() <= {*OF_MACROS}
        and case.policies.get("ties") != "expected"
        and case.optional == OptionalInputs()
        and not any('"' in name for name in case.names.tables)  # query_table cannot read them
        and all(len({*ids.types}) == 1 or _OF_EVALUATE.isdisjoint(ids.types) for ids in (case.items, case.queries))
    )


PerQuery = dict[tuple[str, Query], dict[str, float | None]]  # by model and query, the value of each metric
Means = dict[tuple[str, Any, str], Mean]  # by model, slice and metric


@dataclass(frozen=True)
class Answer:
    """What a path returned."""

    path: str  # the path
    metrics: list[str]  # the metrics that it computed
    per_query: PerQuery | None = None  # values of queries; None if the path has none
    means: Means | None = None  # means; None if the path has none
    counts: dict[str, tuple[int, ...]] = field(default_factory=dict)  # counts by model; empty if the path has no counts


class Answerer:
    """Answers one case on one connection, on any path."""

    def __init__(self, case: Case, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self.case, self.connection, self.folder = case, connection, folder
        self.random = Random(case.number)
        self.plans: list[str] = []

    def answers(self, path: str) -> Iterator[Answer]:
        """Yield the answers of a path that applies."""
        case = self.case
        if path in EVALUATED:
            yield self.evaluated(path, case.metrics)
        elif path == "alone":
            own = [name for name in case.metrics if not (case.shape == "labels" and beyond_accuracy(name))]
            for name in self.random.sample(own, min(3, len(own))):
                yield self.evaluated(self.random.choice(EVALUATED), [name], path)
        elif path == "shuffled":
            settings = self.random.choice(EVALUATED)
            yield self.evaluated(settings, case.metrics, f"{path} from {settings}", reordered=True)
        elif path == "macros":
            yield from self.of_macros()
        else:
            yield self.of_statement(path)

    @contextmanager
    def given(self, metrics: list[str], *, reordered: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the arguments of `evaluate` or `sql`; the relations exist only meanwhile."""
        relations, named = drawn(self.case, metrics)
        passing = Passing(self.case.source, self.connection, self.folder)
        try:
            if reordered:
                relations = {name: shuffled(each, self.random) for name, each in relations.items()}
            passed = {name: passing.given(each) for name, each in relations.items()}
            yield {**passed, **named, **self.case.policies, "metrics": metrics}
        finally:
            passing.remove()

    def evaluated(self, settings: str, metrics: list[str], path: str = "", *, reordered: bool = False) -> Answer:
        """Return what `evaluate` returns; reordered: for shuffled rows, on another number of threads."""
        with self.given(metrics, reordered=reordered) as arguments, planned(settings) as plans:
            self.connection.execute(f"SET threads = {self.random.choice([1, 3]) if reordered else 2}")
            result = evaluate(**arguments, connection=self.connection)
            self.plans += plans
            columns = result.per_query.columns
            per_query = self.values(columns, result.per_query.fetchall(), metrics)
            assert all([*values] == columns[len(columns) - len(values) :] for values in per_query.values()), columns
            means = self.means_of(result.to_dicts())
            counts: dict[str, tuple[int, ...]] = {
                self.named(model): (one.judged, one.retrieved, one.both, one.without_relevant)
                for model, one in result.counts.items()
            }
            result.close()
        return Answer(path or settings, metrics, per_query, means, counts)

    def of_statement(self, path: str) -> Answer:
        """Return what the statement of `sql` returns, for one metric or for all."""
        known, per_query = self.case.metrics, path == "sql per query"
        metrics = self.random.sample(known, self.random.choice([1, len(known)]))
        metrics = known if all(map(beyond_accuracy, metrics)) else metrics
        with self.given(metrics) as arguments:
            relation = self.connection.execute(sql(**arguments, connection=self.connection, per_query=per_query))
            columns, rows = [name for name, *_ in relation.description or ()], relation.fetchall()
        if per_query:
            return Answer(path, metrics, self.values(columns, rows, metrics))
        return Answer(path, metrics, means=self.means_of([dict(zip(columns, row, strict=True)) for row in rows]))

    def values(self, columns: list[str], rows: list[tuple[Any, ...]], metrics: list[str]) -> PerQuery:
        """Return the values of queries in rows of the model, the query, and the values."""
        asked = [name for name in metrics if read(name).metric not in OF_LISTS]
        first, width = len(columns) - len(asked), len(self.case.names.query)
        found = {
            (self.named(row[0]), tuple(map(plain, row[1 : 1 + width]))): dict(zip(asked, row[first:], strict=True))
            for row in rows
        }
        assert len(found) == len(rows), "two rows of a query"
        return found

    def named(self, model: object) -> str:
        """Return the model of a row; the only one of a file has its name."""
        return str(model) if self.case.are_models else "run"

    def means_of(self, rows: list[dict[str, Any]]) -> Means:
        """Return the means in rows of the model, the slice, the metric, k, the value and the number of queries."""
        by = self.case.by
        found = {
            (self.named(row.get("model")), None if by is None else row[by], _with_k(row, row["metric"])): Mean(
                row["value"], row["queries"]
            )
            for row in rows
        }
        assert len(found) == len(rows), "two rows of a mean"
        return found

    def of_macros(self) -> Iterator[Answer]:
        """Yield the answers of the macros of some metrics, and of one of those for several metrics."""
        case, random = self.case, self.random
        if not self.connection.execute("FROM duckdb_schemas() WHERE schema_name = 'recall_duckdb'").fetchall():
            install(self.connection)
        templates = {template.name: template for template in supported_metrics()}
        known = [name for name in case.metrics if read(name).metric in templates and _has_plain_options(name)]
        cutoffs: list[int | None] = random.choice([[None], [10], random.sample([1, 2, 3, 10], 2)])
        together = [name if k is None else f"{name}@{k}" for name in TOGETHER for k in cutoffs]
        several = {"k": "NULL" if cutoffs == [None] else literal(cutoffs)}
        with self.given(case.metrics) as arguments:
            for name in random.sample(known, min(2, len(known))):
                asked = read(name)
                macro, own = asked.metric, {key: literal(value) for key, value in asked.options.items()}
                if "k" in templates[asked.metric].parameters:
                    macro, own = f"{macro}_at_k", {"k": literal(asked.k), **own}
                call = _call(macro, own, case, arguments)
                rows = [{**row, "metric": name.partition("@")[0]} for row in self.rows_of(call)]
                yield Answer(f"macro {call}", [name], means=self.means_of(rows))
            if random.random() < 0.5:
                call = _call("ranking_metrics", several, case, arguments)
                yield Answer(f"macro {call}", together, means=self.means_of(self.rows_of(call)))
            else:
                call = _call("ranking_metrics_per_query", several, case, arguments)
                found: PerQuery = {}
                for row in self.rows_of(call):
                    values = found.setdefault((self.named(row.get("model")), (plain(row["query"]),)), {})
                    values.update({_with_k(row, name): row[name] for name in TOGETHER})
                yield Answer(f"macro {call}", together, found)

    def rows_of(self, call: str) -> list[dict[str, Any]]:
        """Return the rows of a macro; the slice has the name of its column, as in `evaluate`."""
        relation = self.connection.sql(f"FROM {call}")
        rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        return rows if self.case.by is None else [{**row, self.case.by: row.get("slice")} for row in rows]


def _with_k(row: Mapping[str, Any], metric: str) -> str:
    return metric if row["k"] is None else f"{metric}@{row['k']}"


def _has_plain_options(name: str) -> bool:
    """Return True if macros have all options of a metric."""
    options = read(name).options.items()
    return not any(key == "mean" or (isinstance(value, str) and ":" in value) for key, value in options)


def _call(macro: str, own: Mapping[str, str], case: Case, arguments: Mapping[str, Any]) -> str:
    names = case.names
    given = {"query": names.query[0], "item": names.item, "qrels_query": names.qrels_query[0]}
    given |= {"qrels_item": names.qrels_item, "relevance": names.relevance, **case.policies}
    given["rank" if case.shape == "ranks" else "score"] = names.number
    given |= {"model": names.model} if case.together == "column" else {}
    given |= {"by": names.group} if case.together == "group" else {}
    sources = [str(arguments[side]) for side in ("run", "qrels")]
    if case.source == "table":  # macros take the names of tables as SQL writes them
        sources = [quoted(name) for name in sources]
    named = {**{name: literal(value) for name, value in given.items()}, **own}
    options = [f"{quoted(name)} := {value}" for name, value in named.items()]
    return f"recall_duckdb.{macro}({', '.join([*map(literal, sources), *options])})"


def literal(value: object) -> str:
    """Return a value in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
