"""The paths to an answer: `evaluate` with each fast plan, the statement of `sql`, the table macros."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import duckdb
from fast_plans import made_by
from reference import OF_LISTS, Mean, OptionalInputs, Query, read

from random_data.case import Case, Relation
from random_data.ids import DECIMAL, plain
from random_data.questions import OF_MACROS, beyond_accuracy
from random_data.relations import Passing, drawn, quoted, shuffled
from recall_duckdb import evaluate, evaluation, install, sql
from recall_duckdb.compose import Plan
from recall_duckdb.engines import Session
from recall_duckdb.fast import (
    answers,
    choosing,
    ideal_lists,
    packed_lists,
    partitions,
    score_cutoffs,
    small,
    stacked_scores,
)
from recall_duckdb.fast.choosing import Chosen
from recall_duckdb.macros.files import TOGETHER, supported_metrics
from recall_duckdb.question import Question

# Types of ids that evaluate compares with whole numbers of other types, and macros do not.
_OF_EVALUATE = {"DOUBLE", "UHUGEINT", DECIMAL}
# How each path changes the choice of a plan: the names of a module, with the values that they get.
Changes = Mapping[tuple[Any, str], Any]
_FAST: Changes = {(stacked_scores, "_MANY_SCORES"): 1}
_PARTITIONED: Changes = {
    (partitions, "kept_bytes"): lambda limits, k, session: 5 * partitions.SHARE * session.resources[0]
}
FORCED: dict[str, Changes] = {
    "fast": _FAST,
    "fast: ideal lists": {**_FAST, (choosing, "RULES"): (ideal_lists.choose,)},
    "fast: score cutoffs": {
        (choosing, "RULES"): (score_cutoffs.choose,),
        (score_cutoffs, "MOST_SURVIVORS"): math.inf,
    },
    "fast: hashes": {
        (choosing, "RULES"): (ideal_lists.choose, packed_lists.choose),
        (packed_lists, "_by_item"): lambda *_: None,
        (packed_lists, "_FEW_SURVIVORS"): 0,
    },
    "fast: partitions": {**_PARTITIONED, (partitions, "_MANY_SCANS"): math.inf},
    "fast: written": {**_PARTITIONED, (partitions, "_MANY_SCANS"): 0, (partitions, "_FILES"): 3},
}
EVALUATED = ("evaluate", "definition", *FORCED)
OTHERS = ("alone", "sql", "sql per query", "macros", "shuffled")
PATHS = (*EVALUATED, *OTHERS)


def some(random: Random, case: Case) -> tuple[str, ...]:
    """Draw paths of a case: some ways of `evaluate`, often with the fast plans that it chooses, and some others."""
    forced = random.sample([*FORCED], random.choice([0, 1, 1]))
    usual = random.sample(["evaluate", "definition", "fast", "fast"], random.choice([1, 2]))
    others = [path for path in (*OTHERS, "macros", "macros") if applies(path, case)]
    return tuple(dict.fromkeys([*usual, *forced, *random.sample(others, random.choice([1, 2]))]))


def applies(path: str, case: Case) -> bool:
    """Return True if a path can answer a case."""
    if path.startswith("sql"):
        return case.source in ("table", "parquet")
    return path != "macros" or has_macros(case)


@dataclass(frozen=True)
class Answer:
    """What a path returned.

    Attributes:
        path: the path.
        metrics: the metrics that it computed.
        per_query: values by model and query; None if the path has no values of queries.
        means: means by model, slice and metric; None if the path has no means.
        counts: counts by model; empty if the path has no counts.
    """

    path: str
    metrics: list[str]
    per_query: dict[tuple[str, Query], dict[str, float | None]] | None = None
    means: dict[tuple[str, Any, str], Mean] | None = None
    counts: dict[str, tuple[int, ...]] = field(default_factory=dict)


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
            yield self.of_statement(per_query=path == "sql per query")

    @contextmanager
    def given(self, metrics: list[str], *, reordered: bool = False) -> Iterator[dict[str, Any]]:
        """Yield the arguments of `evaluate` or `sql`; the relations exist only meanwhile."""
        found, passing = drawn(self.case, metrics), Passing(self.case.source, self.connection, self.folder)

        def ordered(relation: Relation) -> Relation:
            return shuffled(relation, self.random) if reordered else relation

        try:
            relations = {
                name: {key: ordered(one) for key, one in each.items()} if isinstance(each, dict) else ordered(each)
                for name, each in found.relations.items()
            }
            passed = {name: passing.given(each) for name, each in relations.items()}
            yield {**passed, **found.named, **self.case.policies, "metrics": metrics}
        finally:
            passing.remove()

    def evaluated(self, settings: str, metrics: list[str], path: str = "", *, reordered: bool = False) -> Answer:
        """Return what `evaluate` returns; reordered: for shuffled rows, on another number of threads."""
        with self.given(metrics, reordered=reordered) as arguments, planned(settings) as plans:
            self.connection.execute(f"SET threads = {self.random.choice([1, 3]) if reordered else 2}")
            result = evaluate(**arguments, connection=self.connection)
            self.plans += plans
            columns, rows = result.per_query.columns, result.per_query.fetchall()
            per_query = self.values(columns, rows, metrics)
            asked = [name for name in metrics if read(name).metric not in OF_LISTS]
            assert columns[len(columns) - len(asked) :] == asked, (columns, asked)
            means = self.means_of(result.to_dicts())
            counts: dict[str, tuple[int, ...]] = {
                str(model): (one.judged, one.retrieved, one.both, one.without_relevant)
                for model, one in result.counts.items()
            }
            result.close()
        return Answer(path or settings, metrics, per_query, means, counts)

    def of_statement(self, *, per_query: bool) -> Answer:
        """Return what the statement of `sql` returns."""
        path, metrics = "sql per query" if per_query else "sql", self.case.metrics
        with self.given(metrics) as arguments:
            statement = sql(**arguments, connection=self.connection, per_query=per_query)
            relation = self.connection.execute(statement)
            columns, rows = [name for name, *_ in relation.description or ()], relation.fetchall()
        if per_query:
            return Answer(path, metrics, self.values(columns, rows, metrics))
        return Answer(path, metrics, means=self.means_of([dict(zip(columns, row, strict=True)) for row in rows]))

    def values(
        self, columns: list[str], rows: list[tuple[Any, ...]], metrics: list[str]
    ) -> dict[tuple[str, Query], dict[str, float | None]]:
        """Return the values of queries in rows of the model, the query, and the values."""
        asked = [name for name in metrics if read(name).metric not in OF_LISTS]
        first, width = len(columns) - len(asked), len(self.case.names.query)
        found = {}
        for row in rows:
            key = str(row[0]), tuple(map(plain, row[1 : 1 + width]))
            assert key not in found, f"two rows of {key}"
            found[key] = dict(zip(asked, row[first:], strict=True))
        return found

    def means_of(self, rows: list[dict[str, Any]]) -> dict[tuple[str, Any, str], Mean]:
        """Return the means in rows of the model, the slice, the metric, k, the value and the number of queries."""
        found = {}
        for row in rows:
            k = "" if row["k"] is None else f"@{row['k']}"
            slice_ = row[self.case.by] if self.case.by is not None else None
            key = str(row.get("model", "run")), slice_, row["metric"] + k
            assert key not in found, f"two rows of {key}"
            found[key] = Mean(row["value"], row["queries"])
        return found

    def of_macros(self) -> Iterator[Answer]:
        """Yield the answers of the macros of some metrics, and of those for several metrics."""
        case, random = self.case, self.random
        if not self.connection.execute("FROM duckdb_schemas() WHERE schema_name = 'recall_duckdb'").fetchall():
            install(self.connection)
        known = [name for name in case.metrics if is_macro_metric(name)]
        cutoffs: list[int | None] = random.choice([[None], [10], random.sample([1, 2, 3, 10], 2)])
        together = [name if k is None else f"{name}@{k}" for name in TOGETHER for k in cutoffs]
        several = "NULL" if cutoffs == [None] else literal(cutoffs)
        with self.given(case.metrics) as arguments:
            for name in random.sample(known, min(2, len(known))):
                call = macro_call(name, case, arguments)
                yield Answer(f"macro {call}", [name], means=self.means_of(self.rows_of(call, name)))
            if random.random() < 0.5:
                call = _call("ranking_metrics", {"k": several}, case, arguments)
                yield Answer(f"macro {call}", together, means=self.means_of(self.rows_of(call)))
            else:
                call = _call("ranking_metrics_per_query", {"k": several}, case, arguments)
                found: dict[tuple[str, Query], dict[str, float | None]] = {}
                for row in self.rows_of(call):
                    k = "" if row["k"] is None else f"@{row['k']}"
                    values = found.setdefault((str(row.get("model", "run")), (plain(row["query"]),)), {})
                    values.update({name + k: row[name] for name in TOGETHER})
                yield Answer(f"macro {call}", together, found)

    def rows_of(self, call: str, name: str | None = None) -> list[dict[str, Any]]:
        """Return the rows of a macro as those of `evaluate`: with the name of the metric, and of the slice."""
        relation = self.connection.sql(f"FROM {call}")
        rows = [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
        for row in rows:
            if name is not None:
                row["metric"] = name.partition("@")[0]
            if self.case.by is not None:
                row[self.case.by] = row.get("slice")
        return rows


@contextmanager
def planned(path: str) -> Iterator[list[str]]:
    """Make `evaluate` plan in the way of a path, for any number of rows; yield the names of the plans that it chose."""
    usual, choose = small.answer, choosing.choose
    chosen: list[str] = []

    def answer(question: Question, session: Session) -> answers.Answer | None:
        found = usual(question, session) if path == "evaluate" else None
        chosen.extend([] if found is None else ["one statement"])
        return found

    def chosen_plan(plan: Plan, session: Session) -> Chosen:
        is_forced = path in FORCED
        found = choose(plan, session, many_rows=0, equal_scores=math.inf) if is_forced else choose(plan, session)
        chosen.extend(type(each).__name__ for each in found.fast_plans)
        chosen.extend(["stacked scores"] if found.plan is not plan else [])
        chosen.append(f"lists: {made_by(found)[1]}")
        return found

    changes = {(small, "answer"): answer, (evaluation, "choose"): chosen_plan, **FORCED.get(path, {})}
    before = {key: vars(key[0])[key[1]] for key in changes}
    try:
        for (module, name), value in changes.items():
            setattr(module, name, value)
        yield chosen
    finally:
        for (module, name), value in before.items():
            setattr(module, name, value)


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
        and not _are_beyond_double(case)  # macros compare scores as DOUBLE
        and not any('"' in name for name in case.names.tables)  # query_table cannot read them
        and all(len({*ids.types}) == 1 or _OF_EVALUATE.isdisjoint(ids.types) for ids in (case.items, case.queries))
    )


def _are_beyond_double(case: Case) -> bool:
    """Return True if a score is a whole number that DOUBLE does not hold."""
    scores = (row[2] for one in case.data_sets for row in one.run)
    return any(isinstance(score, int) and abs(score) > 2**53 for score in scores)


def is_macro_metric(name: str) -> bool:
    """Return True if a metric with these options has a macro."""
    asked = read(name)
    options = asked.options.items()
    is_plain = not any(key == "mean" or (isinstance(value, str) and ":" in value) for key, value in options)
    return is_plain and asked.metric in {template.name for template in supported_metrics()}


def macro_call(name: str, case: Case, arguments: Mapping[str, Any]) -> str:
    """Return the call of a metric's macro."""
    asked = read(name)
    template = next(each for each in supported_metrics() if each.name == asked.metric)
    own = {key: literal(value) for key, value in asked.options.items()}
    takes_k = "k" in template.parameters
    k = {"k": "NULL" if asked.k is None else str(asked.k)} if takes_k else {}
    return _call(f"{asked.metric}_at_k" if takes_k else asked.metric, {**k, **own}, case, arguments)


def _call(macro: str, own: Mapping[str, str], case: Case, arguments: Mapping[str, Any]) -> str:
    names = case.names
    given = {"query": names.query[0], "item": names.item, "qrels_query": names.qrels_query[0]}
    given |= {"qrels_item": names.qrels_item, "relevance": names.relevance}
    given |= case.policies
    given["rank" if case.shape == "ranks" else "score"] = names.number
    given |= {"model": names.model} if case.together == "column" else {}
    given |= {"by": names.group} if case.together == "group" else {}
    named = {**{name: literal(value) for name, value in given.items()}, **own}
    sources = [str(arguments[side]) for side in ("run", "qrels")]
    if case.source == "table":  # macros take the names of tables as SQL writes them
        sources = [quoted(name) for name in sources]
    relations = ", ".join(map(literal, sources))
    options = ", ".join(f"{quoted(name)} := {value}" for name, value in named.items())
    return f"recall_duckdb.{macro}({relations}, {options})"


def literal(value: object) -> str:
    """Return a value in SQL."""
    if value is None:
        return "NULL"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else repr(value)
