"""Fast plans give the same values as the definitions, and are chosen if they are faster."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import cycle
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pyarrow
import pytest
from conftest import examples
from drawn import KINDS, SPAN, Ids, create, ids, names, quoted
from drawn import WHOLE as WHOLE_NUMBERS
from fast_plans import find, made_by, only, per_query
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from recall_duckdb.fast import choosing, packed_lists, small
from recall_duckdb.fast.choosing import Chosen, choose
from recall_duckdb.fast.ideal_lists import IdealLists
from recall_duckdb.fast.label_lists import LabelLists
from recall_duckdb.fast.limits import limits_of, row_of, selects_of
from recall_duckdb.fast.packed_lists import PackedLists
from recall_duckdb.fast.partitions import Partitions
from recall_duckdb.fast.score_cutoffs import ScoreCutoffs
from sqlglot import exp

from recall_duckdb import check, evaluate
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.compose import Plan, Statement
from recall_duckdb.definitions import templates
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError, EngineError
from recall_duckdb.question import EvaluateQuestion

pytestmark = pytest.mark.nightly

METRICS = ["recall@{k}", "precision@1", "ndcg@2", "ndcg(gain=exponential)@{k}", "ap@{k}", "rr@{k}"]
METRICS += ["rbp(gain=scaled)@{k}", "rbp(gain=linear)@{k}"]
LISTS = ["recall(threshold=2)", "ndcg", "ap", "rr"]  # these read whole lists
WHOLE = [*LISTS, "auc"]
OF_ITEMS = ["judged@{k}", "err@{k}"]  # these read single items, so that judged has them
# Scores that are equal, differ in the last bit, or differ by orders of magnitude.
SCORES = {
    "whole": st.integers(-3, 3).map(float),
    "tenths": st.integers(-9, 9).map(lambda number: number / 10),
    "neighbours": st.integers(0, 4).map(lambda number: 1 + number * 2.0**-52),
    "scattered": st.floats(-1e12, 1e12, allow_nan=False),
    "any": st.floats(allow_nan=False, allow_infinity=False),
}


@pytest.fixture(autouse=True)
def _not_by_one_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no question be small: `test_small_questions.py` is about those that one statement answers."""
    monkeypatch.setattr(small, "_MANY_ROWS", 0)


@dataclass(frozen=True)
class Case:
    """A run and qrels, whose rows hold the numbers of ids, and a question about them.

    Attributes:
        queries, items: the ids.
        wider: the types of queries and items in the qrels.
        of_run: the names of the columns of the run: query, item, score or rank, relevance.
        of_qrels: the names of the columns of the qrels: query, item, relevance.
        memory: the memory that plans may take, if not all; with less, queries are partitioned.
        parts: how partitions are made in addition: by the hash of the query, by range, or written.
    """

    queries: Ids
    items: Ids
    wider: tuple[str, str]
    of_run: list[str]
    of_qrels: list[str]
    run: list[tuple[int, int, float]]
    qrels: list[tuple[int, str, float]]
    metrics: list[str]
    policies: Mapping[str, Any]
    memory: int | None
    parts: str

    @property
    def columns(self) -> dict[str, str]:
        """The arguments that name the columns of the run and of the qrels."""
        arguments = ("query", "item", "score", "qrels_query", "qrels_item", "relevance")
        return dict(zip(arguments, (*self.of_run[:3], *self.of_qrels), strict=True))

    def partitions(self) -> Partitions | None:
        """Return three partitions, or None if queries of this type are not partitioned in this way."""
        if self.parts == "hash":
            return Partitions(3)
        if self.queries.kind not in WHOLE_NUMBERS or (self.parts == "written" and self.queries.kind == "HUGEINT"):
            return None
        whole = self.queries.low, self.queries.low + SPAN * self.queries.step
        return Partitions(3, whole, are_written=self.parts == "written")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    kinds = ("INTEGER", "BIGINT", "BIGINT", "BIGINT", *KINDS)  # most plans are for whole numbers
    queries, items = draw(ids(kinds)), draw(ids(kinds))
    wider = [draw(st.sampled_from([each.kind, each.kind, *_wider(each.kind)])) for each in (queries, items)]
    score = SCORES[draw(st.sampled_from(sorted(SCORES)))]
    held = st.lists(st.integers(0, SPAN), min_size=1, max_size=25, unique=True)
    run = [(query, item, draw(score)) for query in range(draw(st.integers(1, 4))) for item in draw(held)]
    if draw(st.booleans()):  # more lists than judged queries
        run = [(4 * copy + query, item, score) for copy in range(4) for query, item, score in run]
    grades = st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0, 3.0])
    qrels = [(query, items.of(item), draw(grades)) for query in range(3) for item in draw(held)]
    if draw(st.booleans()):  # not in any list, and too far from other items
        qrels += [(0, item, 1.0) for item in items.others()]
    k = draw(st.sampled_from([1, 2, 3, 10, 30]))
    extra = draw(st.sampled_from([[], [], [], OF_ITEMS, WHOLE, LISTS]))
    ties = draw(st.sampled_from([*["item_desc", "item"] * 3, "optimistic", "pessimistic", "expected"]))
    policies = {
        "ties": ties,
        "semantics": draw(st.sampled_from(["trec_eval_10", "trec_eval_9"])),
        "threshold": draw(st.sampled_from([None, 2.0])),
        **draw(st.sampled_from([{}, {}, {}, {}, {"min_score": 0.2}, {"order": "ascending"}])),
        "no_relevant": draw(st.sampled_from(["zero", "skip"])),
    }
    asked = [*METRICS, *(extra if extra is not OF_ITEMS or ties != "expected" else [])]
    return Case(
        queries,
        items,
        (wider[0], wider[1]),
        draw(names(4)),
        draw(names(3)),
        run,
        qrels,
        [metric.format(k=k) for metric in asked],
        policies,
        draw(st.sampled_from([None, None, 3_500, 5_500, 9_100])),
        draw(st.sampled_from(["hash", "range", "written"])),
    )


def _wider(kind: str) -> list[str]:
    """Return types that hold every number of a type, and are compared with it."""
    wider = ["INTEGER", "BIGINT", "HUGEINT"]
    return wider[wider.index(kind) + 1 :] if kind in wider else ["HUGEINT"] if kind in WHOLE_NUMBERS else []


def in_duckdb(case: Case, *, labels: list[float] | None = None, kind: str = "DOUBLE") -> DuckDB:
    """Create the tables run and qrels or, with labels, a labelled run."""
    connection = duckdb.connect()
    types = [case.queries.kind, case.items.kind, "DOUBLE", kind]
    rows: list[tuple[Any, ...]] = [
        (case.queries.of(query), case.items.of(item), score) for query, item, score in case.run
    ]
    if labels is None:
        judged = [(case.queries.of(query), item, grade) for query, item, grade in case.qrels]
        create(connection, "qrels", list(zip(case.of_qrels, [*case.wider, "DOUBLE"], strict=True)), judged)
    held = rows if labels is None else [(*row, label) for row, label in zip(rows, labels, strict=True)]
    create(connection, "run", list(zip(case.of_run, types, strict=False))[: len(held[0])], held)
    session = DuckDB(connection)
    if case.memory is not None:
        session.resources = case.memory, 2
    return session


def plan_of(session: DuckDB, metrics: list[str], policies: Mapping[str, Any] | None = None, **given: Any) -> Plan:
    return plan_question(
        EvaluateQuestion(**{"run": "run", "qrels": "qrels", "metrics": metrics, **given, **(policies or {})}), session
    )


def with_partitions(labels: LabelLists, parts: Partitions) -> LabelLists:
    labelled = None if labels.labelled is None else replace(labels.labelled, partitions=parts)
    return replace(labels, packed=replace(labels.packed, partitions=parts), labelled=labelled)


def all_fast_plans(plan: Plan, session: DuckDB, parts: Partitions | None) -> Iterator[Chosen]:
    """Yield the question with each combination of fast plans that applies, also in these partitions."""
    chosen = choose(plan, session, many_rows=0, equal_scores=inf)
    yield chosen
    yield only(chosen, keep=IdealLists)
    if plan.depth is not None and plan.inputs.run_shape == "scores":
        yield only(chosen, ScoreCutoffs(), keep=IdealLists)
    labels = find(chosen, LabelLists)
    packed = find(chosen, PackedLists)
    if packed is not None:
        yield only(chosen, packed, keep=IdealLists)
        if parts is not None and not (parts.are_written and (plan.has_models or packed.tops == "ranks")):
            yield only(chosen, replace(packed, partitions=parts), keep=IdealLists)
            if labels is not None:
                yield only(chosen, with_partitions(labels, parts), keep=IdealLists)


@given(cases())
@examples(50)
def test_every_fast_plan_gives_the_same_bits_as_the_definition(case: Case) -> None:
    session = in_duckdb(case)
    plan = plan_of(session, case.metrics, case.policies, **case.columns)
    wanted = per_query(session, Chosen(plan))
    assert len(wanted) == 3
    for other, order in zip(all_fast_plans(plan, session, case.partitions()), cycle(("desc", "asc")), strict=False):
        session.connection.execute(f"SET default_order = '{order}'")
        assert per_query(session, other) == wanted, (other.fast_plans, order)
    session.connection.close()


@pytest.mark.parametrize("item", ["i % 50", "i % 50 || ''"], ids=["packed", "hashed"])
@pytest.mark.parametrize("top", [49, 50, 51])
def test_a_list_longer_than_the_kept_top_is_ranked(item: str, top: int) -> None:
    session = DuckDB(duckdb.connect())
    for table, rows in (("run", RUN), ("qrels", QRELS)):
        items = item if table == "run" else item.replace("i % 50", "i % 5 * 12")
        statement = rows.replace("i % 50 AS item" if table == "run" else "i % 5 * 12 AS item", f"{items} AS item")
        session.connection.execute(f"CREATE TABLE {table} AS {statement}")
    session.connection.execute("DELETE FROM run WHERE query % 3 = 0 AND hash(query, item) % 3 = 0")
    plan = plan_of(session, LISTS)
    chosen = choose(plan, session, equal_scores=inf)
    packed = find(chosen, PackedLists)
    assert packed is not None
    assert made_by(chosen)[1] == ("packed" if item == "i % 50" else "hashed")
    shorter = only(chosen, replace(packed, top=top), keep=IdealLists)
    assert per_query(session, shorter) == per_query(session, Chosen(plan))


@pytest.mark.slow
@given(cases())
@examples(16)
def test_fast_plans_give_the_same_with_given_ranks(case: Case) -> None:
    session = in_duckdb(case)
    query, item, score, rank = map(quoted, case.of_run)
    order = f"row_number() OVER (PARTITION BY {query} ORDER BY {score} DESC, {item} DESC) AS {rank}"
    session.connection.execute(f"CREATE TABLE ranked AS SELECT {query}, {item}, {order} FROM run")
    policies = {name: case.policies[name] for name in ("threshold", "no_relevant")}
    columns = {name: column for name, column in case.columns.items() if name != "score"}
    plan = plan_of(session, case.metrics, policies, run="ranked", rank=case.of_run[3], **columns)
    wanted = per_query(session, Chosen(plan))
    for other, order in zip(all_fast_plans(plan, session, case.partitions()), cycle(("desc", "asc")), strict=False):
        session.connection.execute(f"SET default_order = '{order}'")
        assert per_query(session, other) == wanted, (other.fast_plans, order)
    session.connection.close()


# The labels of a run, with the type of their column. With high labels, an item and its label take more than 32 bits.
LABELS: dict[str, tuple[str, list[float]]] = {
    "clicks": ("BIGINT", [0, 0, 1]),
    "grades": ("BIGINT", [-1, 0, 0, 1, 2, 3]),
    "high grades": ("DOUBLE", [0, 0, 1, 5, 9, 40]),
    "highest labels": ("BIGINT", [0, 0, 1, 255]),
    "too high": ("BIGINT", [0, 0, 1, 256]),
    "fractions": ("DOUBLE", [-1.0, 0.0, 0.0, 1.0, 3.0, 0.5]),
}


@given(cases(), st.sampled_from(sorted(LABELS)), st.randoms(use_true_random=False))
@examples(50)
def test_fast_plans_give_the_same_with_labels_in_the_run(case: Case, labels: str, chance: Random) -> None:
    kind, grades = LABELS[labels]
    session = in_duckdb(case, labels=[chance.choice(grades) for _ in case.run], kind=kind)
    columns = {**{name: case.columns[name] for name in ("query", "item", "score")}, "relevance": case.of_run[3]}
    metrics = [metric for metric in case.metrics if max(grades) < 5 or not ("exponential" in metric or "err" in metric)]
    plan = plan_of(session, metrics, case.policies, qrels=None, **columns)
    wanted = per_query(session, Chosen(plan))
    for other, order in zip(all_fast_plans(plan, session, case.partitions()), cycle(("desc", "asc")), strict=False):
        session.connection.execute(f"SET default_order = '{order}'")
        assert per_query(session, other) == wanted, (other.fast_plans, order)
    session.connection.close()


LOOKS = ("limits", "list_count", "label_sample", "query_sample", "score_sample", "typical_score")


@pytest.mark.parametrize("look", LOOKS)
def test_a_relation_is_looked_at_under_any_column_names(look: str) -> None:
    rows = [(7, 30, 0.5, 1.0), (7, 31, 0.5, 2.5), (9, 32, 0.25, 0.0)]
    found = []
    for columns in (("query", "item", "score", "relevance"), ("item", "Score", "relevance", "source")):
        with duckdb.connect() as connection:
            create(connection, "run", list(zip(columns, ["BIGINT", "BIGINT", "DOUBLE", "DOUBLE"], strict=True)), rows)
            session, (query, item, score, label) = DuckDB(connection), columns
            plan = plan_of(session, ["rr"], qrels=None, query=query, item=item, score=score, relevance=label)
            [select] = selects_of(plan, "run_source")
            found.append(row_of(session, look, select))
    assert found[0] == found[1]


# A number of a labelled run holds an item and its label: together, these ranges and labels take 31 to 39 bits.
@pytest.mark.parametrize("ties", ["item_desc", "item"])
@pytest.mark.parametrize(
    ("bits", "highest"), [(31, 1), (30, 1), (29, 1), (28, 3), (27, 5), (26, 9), (22, 255), (31, 255)]
)
def test_a_labelled_run_may_hold_distant_items_and_high_labels(bits: int, highest: int, ties: str) -> None:
    items = [0, 1, 2**bits - 2, 2**bits - 1]
    rows = {"user": [1] * 4, "item": items, "score": [0.5, 0.5, 0.5, 0.25], "clicked": [0, highest, 1, 0]}
    with duckdb.connect() as connection:
        connection.from_arrow(pyarrow.table(rows)).create("run")
        session, named = DuckDB(connection), {"query": "user", "relevance": "clicked"}
        plan = plan_of(session, ["rr", "ndcg@1", "recall@2"], {"ties": ties}, qrels=None, **named)
        chosen = choose(plan, session, many_rows=0)
        labels = find(chosen, LabelLists)
        assert labels is not None
        assert labels.labelled is not None
        [(*_, rr, ndcg, recall)] = per_query(session, chosen)
    # The three equal scores are in the order of their items, or in the opposite order.
    assert (rr, recall) == (1.0 if ties == "item_desc" else 0.5, 1.0 if ties == "item_desc" else 0.5)
    assert ndcg == pytest.approx(1 / highest if ties == "item_desc" else 0.0)


def test_judged_items_may_be_far_from_the_items_of_the_run() -> None:
    """The items of the run are close together, and more than 32 bits away from a judged item."""
    run = {"query": [1, 1], "item": [2**31 - 2, 2**31 - 1], "rank": [1, 2]}
    qrels = {"query": [1, 1], "item": [-(2**31), 2**31 - 1], "relevance": [1, 1]}
    with duckdb.connect() as connection:
        for name, columns in (("run", run), ("qrels", qrels)):
            connection.from_arrow(pyarrow.table(columns)).create(name)
        session = DuckDB(connection)
        chosen = choose(plan_of(session, ["rr@2", "recall@2"], rank="rank"), session, many_rows=0)
        assert find(chosen, LabelLists)
        [(*_, rr, recall)] = per_query(session, chosen)
    assert (rr, recall) == (0.5, 0.5)


def test_constants_are_cast_before_they_are_combined() -> None:
    """DuckDB computes with constants in 32 bits if each of them fits: 1073741823 * 4 is an error."""
    arithmetic = (exp.Add, exp.Sub, exp.Mul, exp.IntDiv, exp.BitwiseLeftShift)
    for variants in templates.relations().values():
        for template in variants.values():
            for node in template.tree().find_all(*arithmetic) if template.stage == templates.DUCKDB else ():
                is_wide = any(node.find_all(exp.Identifier, exp.Func))  # holds a column, a variable or a cast
                assert is_wide or len(list(node.find_all(exp.Placeholder))) < 2, (template.path, node.sql("duckdb"))


RUN = "SELECT i // 50 AS query, i % 50 AS item, hash(i) % 1000 / 1000 AS score FROM range(200000) AS t (i)"
QRELS = "SELECT i // 5 AS query, i % 5 * 12 AS item, i % 3 AS relevance FROM range(20000) AS t (i)"


CHANGED = {
    "wide": "hash(item) // 2 AS item",
    "narrow": "(item * 5 - 128)::TINYINT AS item",
    "flat": "CASE item WHEN 4 THEN if(query = 7, 1e38, -1) WHEN 5 THEN 0 WHEN 3 THEN 1e-303 ELSE -score END AS score",
    "unknown": "CASE WHEN query = 7 AND item = 3 THEN 'nan'::DOUBLE ELSE score END AS score",
}


# Labelled runs: with ranks instead of scores, with relevance in halves, and with relevance too high for a label.
LABELLED = {
    "ranks": "query, item, relevance, row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank",
    "halves": "* REPLACE (relevance::DOUBLE / 2 AS relevance)",
    "highly": "* REPLACE (relevance::BIGINT * 1000 AS relevance)",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 200,000 candidates of 4,000 queries in different files."""
    folder = tmp_path_factory.mktemp("plans")
    with duckdb.connect() as connection:
        connection.sql(QRELS).write_parquet(str(folder / "qrels.parquet"))
        connection.sql(RUN).write_parquet(str(folder / "run.parquet"))
        connection.sql(RUN).write_csv(str(folder / "run.csv"))
        rank = "row_number() OVER (PARTITION BY query ORDER BY score DESC, item DESC) AS rank"
        connection.sql(f"SELECT query, item, {rank} FROM ({RUN})").write_parquet(str(folder / "ranked.parquet"))
        connection.sql(f"SELECT * REPLACE ('u' || query AS query, 'i' || item AS item) FROM ({RUN})").write_parquet(
            str(folder / "text.parquet")
        )
        connection.sql(f"SELECT * REPLACE ('u' || query AS query, 'i' || item AS item) FROM ({QRELS})").write_parquet(
            str(folder / "qrels_text.parquet")
        )
        connection.sql(
            f"SELECT * REPLACE (query % 1000 AS query, 50 * query + item AS item) FROM ({RUN})"
        ).write_parquet(str(folder / "long.parquet"))
        varied = "'u' || query AS query, 'i' || item AS item, hash(query, item) / 1e19 AS score"
        connection.sql(f"SELECT * REPLACE ({varied}) FROM ({RUN})").write_parquet(str(folder / "varied.parquet"))
        connection.sql(f"SELECT *, item % 7 = 0 AS relevance FROM ({RUN})").write_parquet(
            str(folder / "labelled.parquet")
        )
        labelled = f"FROM (SELECT *, item % 7 = 0 AS relevance FROM ({RUN}))"
        for name, changed in LABELLED.items():
            connection.sql(f"SELECT {changed} {labelled}").write_parquet(str(folder / f"labelled_{name}.parquet"))
        connection.sql(f"SELECT * FROM ({RUN}) LIMIT 50000").write_parquet(str(folder / "few.parquet"))
        often = varied.replace("hash(", "if(item % 10 = 0, 0, hash(").replace("/ 1e19 AS", "/ 1e19) AS")
        connection.sql(f"SELECT * REPLACE ({often}) FROM ({RUN})").write_parquet(str(folder / "often.parquet"))
        for name, changed in CHANGED.items():
            connection.sql(f"SELECT * REPLACE ({changed}) FROM ({RUN})").write_parquet(str(folder / f"{name}.parquet"))
    return folder


def write(statement: str, path: Path) -> None:
    with duckdb.connect() as connection:
        connection.sql(statement).write_parquet(str(path))


CHOICES: list[tuple[str, str, dict[str, Any], tuple[bool, str, bool]]] = [
    # file, metric, arguments; expected: separate judged table, how lists are made, score cutoff
    ("run", "recall@10", {}, (True, "packed", False)),
    ("run", "recall@10", {"ties": "item"}, (True, "packed", False)),
    ("run", "recall@10", {"ties": "pessimistic"}, (True, "ranked", True)),
    ("run", "recall@10", {"ties": "expected"}, (False, "ranked", True)),
    ("run", "recall@10", {"nulls": "last"}, (True, "ranked", True)),
    ("run", "recall@10", {"min_score": 0.5}, (True, "ranked", True)),
    ("run", "recall@10", {"duplicates": "best"}, (False, "ranked", False)),  # all items are grouped first
    ("run", "ndcg@200", {"ties": "item"}, (False, "ranked", False)),  # deep in the ideal order
    ("run", "ndcg", {}, (True, "packed", False)),  # short lists as a whole
    ("flat", "recall@10", {}, (True, "packed", False)),  # one score is far larger than the others
    ("unknown", "recall@10", {"nulls": "drop"}, (True, "packed", False)),  # a score is NaN
    ("narrow", "recall@10", {}, (True, "packed", False)),
    ("run", "recall@40", {"ties": "pessimistic"}, (True, "ranked", False)),  # most of each list
    ("run", "recall", {"ties": "pessimistic"}, (True, "ranked", False)),
    ("long", "recall", {}, (True, "ranked", False)),  # long lists as a whole
    ("run", "judged@10", {}, (False, "ranked", True)),  # needs to know which items were judged
    ("text", "recall@10", {"qrels": "qrels_text"}, (True, "ranked", True)),
    ("text", "recall@40", {"qrels": "qrels_text"}, (True, "ranked", False)),  # most of each list, with many ties
    ("varied", "recall@40", {"qrels": "qrels_text"}, (True, "hashed", False)),
    ("varied", "recall@40", {"qrels": "qrels_text", "ties": "optimistic"}, (True, "hashed", False)),
    ("varied", "recall@40", {"qrels": "qrels_text", "ties": "expected"}, (False, "ranked", False)),
    ("varied", "recall@40", {"qrels": "qrels_text", "nulls": "last"}, (True, "ranked", False)),
    ("varied", "ap", {"qrels": "qrels_text"}, (True, "hashed", False)),
    ("often", "ap", {"qrels": "qrels_text"}, (True, "ranked", False)),  # many of the scores are 0
    ("wide", "recall@10", {}, (True, "ranked", True)),  # 64-bit items
    ("ranked", "recall@10", {"rank": "rank"}, (True, "packed", False)),
    ("few", "recall@10", {}, (False, "ranked", False)),
]


@pytest.mark.parametrize(("file", "metric", "arguments", "expected"), CHOICES)
def test_fast_plans_are_chosen_by_question_and_data_range(
    folder: Path, file: str, metric: str, arguments: dict[str, Any], expected: tuple[bool, str, bool]
) -> None:
    given = {name: value for name, value in arguments.items() if name in ("rank",)}
    policies = {name: value for name, value in arguments.items() if name not in ("rank", "qrels")}
    session = DuckDB(duckdb.connect())
    qrels = folder / f"{arguments.get('qrels', 'qrels')}.parquet"
    plan = plan_of(session, [metric], policies, run=folder / f"{file}.parquet", qrels=qrels, **given)
    assert made_by(choose(plan, session)) == expected


@pytest.mark.parametrize(("file", "qrels"), [("run", "qrels"), ("varied", "qrels_text"), ("labelled", "labelled")])
@pytest.mark.parametrize("metric", ["recall@10", "recall@40", "ap"])
def test_columns_may_have_any_names(folder: Path, file: str, qrels: str, metric: str) -> None:
    with duckdb.connect() as connection:
        for table, source, number in (("mine", file, "score"), ("theirs", qrels, "relevance")):
            columns = f'query AS "rank", item AS "a ""b"" c", {number} AS places'
            connection.execute(f"CREATE VIEW {table} AS SELECT {columns} FROM '{folder}/{source}.parquet'")
        connection.execute("ALTER VIEW mine RENAME TO one")
        connection.execute("CREATE VIEW mine AS SELECT *, -places AS others FROM one")
        named: dict[str, Any] = {"query": "rank", "item": 'a "b" c', "score": "places", "relevance": "places"}
        found = evaluate("mine", "theirs", metric, connection=connection, **named)
        wanted = evaluate(folder / f"{file}.parquet", folder / f"{qrels}.parquet", metric, score="score")
        assert found.value(metric) == wanted.value(metric)
        both = evaluate("mine", "theirs", metric, connection=connection, **{**named, "score": ["places", "others"]})
        assert both.value(metric, model="places") == wanted.value(metric)


def test_no_fast_plan_is_chosen_if_a_file_would_have_to_be_read_first(folder: Path) -> None:
    session = DuckDB(duckdb.connect())
    plan = plan_of(session, ["recall@10"], run=folder / "run.csv", qrels=folder / "qrels.parquet")
    assert choose(plan, session).fast_plans == ()


@pytest.mark.parametrize(
    "parts", [Partitions(), Partitions(3), Partitions(3, (1, 3)), Partitions(3, (1, 3), are_written=True)]
)
def test_a_labelled_row_without_a_query_is_found_in_any_partition(parts: Partitions) -> None:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE run (query BIGINT, item BIGINT, score DOUBLE, relevance DOUBLE)")
    connection.execute("INSERT INTO run VALUES (1, 1, 0.5, 1), (2, 2, 0.5, 0), (3, 3, 0.5, 1), (NULL, 4, 0.5, 1)")
    session = DuckDB(connection)
    plan = plan_of(session, ["recall@5"], qrels=None, relevance="relevance")
    labels = find(choose(plan, session, many_rows=0), LabelLists)
    assert labels is not None
    assert "run_ids" in with_partitions(labels, parts).prepare().unsettled


def test_less_memory_means_more_partitions(folder: Path) -> None:
    parts = []
    for limit in ("8GB", "24MB", "12MB"):
        session = DuckDB(duckdb.connect(config={"memory_limit": limit, "threads": 2}))
        plan = plan_of(session, ["recall@50"], run=folder / "run.parquet", qrels=folder / "qrels.parquet")
        packed = find(choose(plan, session), PackedLists)
        assert packed is not None
        parts.append(packed.partitions.count)
    assert parts == sorted(set(parts))
    assert parts[0] == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("SELECT * REPLACE (CASE WHEN query = 7 AND rank = 3 THEN 4 ELSE rank END AS rank)", "smallest=1, largest=10"),
        ("SELECT * REPLACE (CASE WHEN query = 7 AND rank = 2 THEN 1 ELSE rank END AS rank)", "smallest=1, largest=10"),
        ("SELECT * REPLACE (CASE WHEN query = 7 AND rank = 1 THEN 0 ELSE rank END AS rank)", "smallest=0, largest=10"),
        ("SELECT * REPLACE (CASE WHEN query = 7 THEN rank - 9000000000000000000 ELSE rank END AS rank)", "smallest=-"),
        (
            "SELECT * REPLACE (CASE WHEN query = 7 AND rank = 11 THEN 10 ELSE rank END AS rank)",
            "smallest=1, largest=10",
        ),
    ],
)
def test_fast_plans_refuse_invalid_ranks(folder: Path, tmp_path: Path, change: str, message: str) -> None:
    path = tmp_path / "ranked.parquet"
    write(f"{change} FROM '{folder}/ranked.parquet'", path)
    with pytest.raises(DataError, match=rf"'rank' in a query are not 1, 2, 3 .*query=7.*{message}"):
        evaluate(path, folder / "qrels.parquet", "recall@10", rank="rank")


@pytest.mark.parametrize("k", [1, 10, 61, 62, 63, 100, 128])
def test_only_ranks_that_are_not_1_2_3_make_lists_open(tmp_path: Path, k: int) -> None:
    session, path = DuckDB(duckdb.connect()), tmp_path / "ranked.parquet"
    sound = "SELECT i // 130 AS query, i AS item, i % 130 + 1 AS rank FROM range(130000) AS numbers (i)"
    session.connection.execute("CREATE TABLE qrels AS SELECT 7 AS query, 910 AS item, 1 AS relevance")
    for change, at, opened in (
        ("rank", 1, 0),
        ("0", 1, 1),
        (f"rank - {2**62}", k, 1),
        (f"{max(k - 1, 0)}", k, 1),
        (f"{k}", k + 1, 1),
        (f"{k + 1}", k, 0),  # a short list, which is checked for a gap
        ("200", 130, 0),
    ):
        write(f"SELECT * REPLACE (if(query = 7 AND rank = {at}, {change}, rank) AS rank) FROM ({sound})", path)
        plan = plan_of(session, [f"recall@{k}"], run=path, rank="rank")
        packed = find(choose(plan, session), PackedLists)
        assert packed is not None
        tops = packed_lists.store_tops(plan, session, packed.replacements(), packed.partitions)
        assert packed_lists.counts(tops, plan, session)["open_lists"] == opened, (change, at)
        session.drop(tops)


@pytest.mark.parametrize(
    ("left_out", "items"), [("query = 7 AND rank = 10", 9), ("query = 7 AND rank <= 10", 0)], ids=["one", "all"]
)
def test_fast_plans_refuse_ranks_that_continue_after_a_gap(
    folder: Path, tmp_path: Path, left_out: str, items: int
) -> None:
    path, detail = tmp_path / "ranked.parquet", f"query=7, depth=10, items={items}, largest=50"
    write(f"FROM '{folder}/ranked.parquet' WHERE NOT ({left_out})", path)
    with pytest.raises(DataError, match=rf"'rank' in a query leave out one of 1, 2, 3 .*{detail}"):
        evaluate(path, folder / "qrels.parquet", "recall@10", rank="rank")


def test_only_short_lists_are_checked_for_a_gap(folder: Path, tmp_path: Path) -> None:
    session, path = DuckDB(duckdb.connect()), tmp_path / "ranked.parquet"
    write(f"FROM '{folder}/ranked.parquet' WHERE NOT (query = 7 AND rank >= 10)", path)
    for run, is_short in ((folder / "ranked.parquet", False), (path, True)):
        plan = plan_of(session, ["recall@10"], run=run, qrels=folder / "qrels.parquet", rank="rank")
        packed = find(choose(plan, session), PackedLists)
        assert packed is not None
        assert packed.prepare().unsettled == ({"ranks_gap"} if is_short else set())
        [mean] = session.dicts(Statement(plan).of_table("means"))
        assert evaluate(run, folder / "qrels.parquet", "recall@10", rank="rank").value("recall@10") == mean["value"]


def test_fast_plans_refuse_a_gap_that_a_dropped_row_leaves(folder: Path, tmp_path: Path) -> None:
    path, detail = tmp_path / "ranked.parquet", "query=7, items=49, smallest=1, largest=50"
    write(f"SELECT * REPLACE (if(query = 7 AND rank = 2, NULL, item) AS item) FROM '{folder}/ranked.parquet'", path)
    with pytest.raises(DataError, match=rf"'rank' in a query are not 1, 2, 3 .*{detail}"):
        evaluate(path, folder / "qrels.parquet", "recall@60", rank="rank", nulls="drop")


THE_RUN_HOLDS, THE_QRELS_JUDGE = (
    rf"{start} an item \(column 'item'\) more than once.*\(1 case\).*" for start in ("The run holds", "The qrels judge")
)


def test_fast_plans_refuse_duplicates_with_given_ranks(folder: Path, tmp_path: Path) -> None:
    path, ranked = tmp_path / "ranked.parquet", f"'{folder}/ranked.parquet'"
    second = f"(SELECT item FROM {ranked} WHERE query = 7 AND rank = 2)"
    write(f"SELECT * REPLACE (if(query = 7 AND rank = 4, {second}, item) AS item) FROM {ranked}", path)
    with pytest.raises(DataError, match=THE_RUN_HOLDS + "query=7, item="):
        evaluate(path, folder / "qrels.parquet", "recall@10", rank="rank")


@pytest.mark.parametrize(
    ("file", "qrels", "metric", "memory", "message"),
    [
        ("run", "qrels", "recall@10", "1GB", THE_RUN_HOLDS + "query=7, item=14"),
        ("run", "qrels", "recall", "1GB", THE_RUN_HOLDS + "query=7, item=14"),
        ("varied", "qrels_text", "recall@40", "1GB", THE_RUN_HOLDS + "query='u7', item='i14'"),
        ("labelled", None, "recall@10", "1GB", THE_QRELS_JUDGE + "query=7, item=14"),
    ],
    ids=["packed", "whole list", "hashed", "labels"],
)
def test_fast_plans_refuse_duplicates(
    folder: Path, tmp_path: Path, file: str, qrels: str | None, metric: str, memory: str, message: str
) -> None:
    path = tmp_path / "run.parquet"
    again = "SELECT * REPLACE (2 + score AS score)"
    rows = f"FROM '{folder}/{file}.parquet'"
    twice = "query::VARCHAR IN ('u7', '7') AND item::VARCHAR IN ('i14', '14')"
    write(f"SELECT * {rows} UNION ALL {again} {rows} WHERE {twice}", path)
    judged = None if qrels is None else folder / f"{qrels}.parquet"
    with duckdb.connect(config={"memory_limit": memory, "threads": 4}) as connection:
        with pytest.raises(DataError, match=message):
            evaluate(path, judged, metric, connection=connection)
        assert connection.sql("FROM duckdb_tables()").fetchall() == []


@pytest.mark.parametrize(
    ("file", "qrels", "policies", "expected"),
    [
        ("run", "qrels", {}, "no lists"),
        ("ranked", "qrels", {"rank": "rank"}, "two relations"),
        ("labelled", None, {}, "one scan"),
        ("labelled", None, {"ties": "item", "threshold": 1}, "one scan"),
        ("labelled", None, {"semantics": "trec_eval_9"}, "no lists"),  # scores are rounded first
        ("labelled", None, {"ties": "optimistic"}, "no lists"),
        ("labelled_ranks", None, {"rank": "rank"}, "no lists"),
        ("labelled_halves", None, {}, "no lists"),
        ("labelled_highly", None, {}, "no lists"),
        ("text", "qrels_text", {}, "no lists"),
    ],
)
def test_lists_of_labels_are_used_if_relevance_is_a_small_whole_number(
    folder: Path, file: str, qrels: str | None, policies: dict[str, Any], expected: str
) -> None:
    session = DuckDB(duckdb.connect())
    judged = None if qrels is None else folder / f"{qrels}.parquet"
    plan = plan_of(session, ["recall@10", "ndcg@10"], policies, run=folder / f"{file}.parquet", qrels=judged)
    chosen = choose(plan, session)
    labels = find(chosen, LabelLists)
    found = "no lists" if labels is None else "two relations" if labels.labelled is None else "one scan"
    assert found == expected
    assert per_query(session, chosen) == per_query(session, Chosen(plan))


@pytest.mark.slow
@pytest.mark.parametrize("parts", [None, Partitions(3), Partitions(3, (0, 3999)), Partitions(3, (0, 3999), True)])
def test_lists_with_more_labels_than_expected_are_read_again(folder: Path, parts: Partitions | None) -> None:
    session = DuckDB(duckdb.connect())
    rows = f"FROM '{folder}/labelled.parquet'"
    crowded = "SELECT * REPLACE (relevance OR (query % 1000 = 7 AND item < 30) AS relevance)"  # others hold 8 labels
    session.connection.execute(f"CREATE TABLE labelled AS {crowded} {rows}")
    plan = plan_of(session, ["recall@10", "ndcg@10", "ap"], run="labelled", qrels=None, relevance="relevance")
    labels = find(choose(plan, session), LabelLists)
    assert labels is not None
    session.connection.execute("SET default_order = 'desc'")  # no list may follow it
    if parts is not None:
        labels = with_partitions(labels, parts)
    for most in (7, 8, 23, 40):
        fewer = only(choose(plan, session), replace(labels, most_relevant=most), keep=IdealLists)
        prepared = fewer.prepare()
        assert prepared.unsettled == set()
        assert prepared.replacements.variants["judged"] == "listed"
        assert per_query(session, fewer) == per_query(session, Chosen(plan))


def test_labels_that_do_not_fit_in_memory_are_not_read_again(folder: Path) -> None:
    session = DuckDB(duckdb.connect())
    plan = plan_of(session, ["recall@10", "ndcg@10"], run=folder / "labelled.parquet", qrels=None)
    labels = find(choose(plan, session), LabelLists)
    assert labels is not None
    fewer = only(choose(plan, session), replace(labels, most_relevant=7), keep=IdealLists)
    wanted = per_query(session, Chosen(plan))
    session.resources = 4_000_000, 1  # 4,000 lists with 8 labels of 32 bytes
    assert "qrels_duplicates" in fewer.prepare().unsettled
    assert per_query(session, fewer) == wanted


def test_a_fault_in_a_list_with_more_labels_than_expected_is_found(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with duckdb.connect() as connection:
        changed = "relevance OR query = 7 AS relevance, if(query = 7 AND item = 13, 14, item) AS item"
        connection.execute(f"CREATE TABLE run AS SELECT * REPLACE ({changed}) FROM '{folder}/labelled.parquet'")
        told = faults_told(connection, monkeypatch, qrels=None, metrics=["recall@10", "ndcg@10"])
        assert told[0] == told[1]
        assert told[0]


ODD_SCORES = ["1e9", "-1e9", "1.7e308", "-1.7e308", "'inf'::DOUBLE", "'-inf'::DOUBLE"]
# Few bits are left for scores.
ITEMS = {"run": "item * 40_000_000", "text": "'i' || item", "labelled": "item * 40_000_000"}


@pytest.mark.parametrize("score", ODD_SCORES)
@pytest.mark.parametrize("kind", ITEMS)
@pytest.mark.parametrize("k", [10, 40])
def test_one_score_far_from_the_others_opens_few_lists(folder: Path, kind: str, score: str, k: int) -> None:
    session, item = DuckDB(duckdb.connect()), ITEMS[kind]
    changed = f"{item} AS item, if(query = 77 AND item = 13, {score}, hash(query, item) / 2e19) AS score"
    session.connection.execute(f"CREATE TABLE odd AS SELECT * REPLACE ({changed}) FROM '{folder}/labelled.parquet'")
    session.connection.execute(
        f"CREATE TABLE judged AS SELECT * REPLACE ({item} AS item) FROM '{folder}/qrels.parquet'"
    )
    given: dict[str, Any] = {"qrels": "judged"}
    if kind == "labelled":
        given = {"qrels": None, "relevance": "relevance"}
    plan = plan_of(session, [f"recall@{k}", "ndcg@10"], run="odd", **given)
    chosen = choose(plan, session, equal_scores=inf)
    assert find(chosen, PackedLists)
    prepared = chosen.prepare()
    assert prepared.unsettled <= {"ranks_gap"}
    [(lists,)] = session.rows(exp.select("count(*)").from_(prepared.bound["tops"]).where("is_open = 1"))
    assert 1 <= lists < 40
    assert per_query(session, chosen) == per_query(session, Chosen(plan))


def test_all_lists_are_ranked_by_definition_if_many_are_open(folder: Path) -> None:
    session = DuckDB(duckdb.connect())
    close = "item * 40_000_000 AS item, 1 + item * 1e-12 AS score"  # equal numbers for all scores of a list
    for table, file in (("run", "run"), ("labelled", "labelled")):
        session.connection.execute(f"CREATE TABLE {table} AS SELECT * REPLACE ({close}) FROM '{folder}/{file}.parquet'")
    for run, qrels in (("run", folder / "qrels.parquet"), ("labelled", None)):
        given: dict[str, Any] = {} if qrels else {"relevance": "relevance"}
        plan = plan_of(session, ["recall@10", "ndcg@10"], run=run, qrels=qrels, **given)
        chosen = choose(plan, session)
        assert find(chosen, PackedLists)
        prepared = chosen.prepare()
        assert prepared.bound == {}
        assert prepared.replacements.reads["ranked", "candidates"] == "contenders"
        assert "run_scores" in prepared.unsettled
        assert per_query(session, chosen) == per_query(session, Chosen(plan))


@pytest.mark.parametrize("query", [-(2**62), 2**62, 199_999])
def test_one_query_far_from_the_others_does_not_multiply_the_lists(folder: Path, query: int) -> None:
    session = DuckDB(duckdb.connect())
    rows = f"SELECT * REPLACE (if(query = 77, {query}, query) AS query) FROM '{folder}/run.parquet'"
    session.connection.execute(f"CREATE TABLE odd AS {rows}")
    plan = plan_of(session, ["recall@10"], run="odd", qrels=folder / "qrels.parquet")
    found = limits_of(plan, session, "run_source")
    assert found is not None
    assert found.lists == pytest.approx(4000, rel=0.2)
    assert found.queries is None
    assert per_query(session, choose(plan, session)) == per_query(session, Chosen(plan))


def test_relevance_that_is_not_whole_is_judged_without_labels(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "qrels.parquet"
    write(f"SELECT * REPLACE (if(query = 7, 1.5, relevance::DOUBLE) AS relevance) FROM '{folder}/qrels.parquet'", path)
    session = DuckDB(duckdb.connect())
    plan = plan_of(session, ["recall@10", "ndcg@10"], run=folder / "ranked.parquet", qrels=path, rank="rank")
    chosen = choose(plan, session)
    assert find(chosen, LabelLists)
    assert chosen.prepare().replacements.variants["judged"] == "apart"
    assert per_query(session, chosen) == per_query(session, Chosen(plan))


# Changes of the rows of query 7: of a labelled run, of a run with ranks, or of qrels.
IN_LABELS = {
    "no relevance": "SELECT * REPLACE (if({0} AND item = 14, NULL, relevance) AS relevance)",
    "relevance is NaN": "SELECT * REPLACE (if({0} AND item = 14, 'nan', relevance::DOUBLE) AS relevance)",
    "relevance is too large": "SELECT * REPLACE (if({0} AND item = 14, 1e12, relevance::DOUBLE) AS relevance)",
    "no item": "SELECT * REPLACE (if({0} AND item = 14, NULL, item) AS item)",
    "no query": "SELECT * REPLACE (if({0} AND item = 14, NULL, query) AS query)",
    "an item twice": "SELECT * REPLACE (if({0} AND item = 7, 14, item) AS item)",
    "an item twice, once irrelevant": "SELECT * REPLACE (if({0} AND item = 13, 14, item) AS item)",
    "two irrelevant items": "SELECT * REPLACE (if({0} AND item < 28 AND relevance = 0, 1, item) AS item)",
    "an item twice and no relevance": (
        "SELECT * REPLACE (if({0} AND item = 7, 14, item) AS item, if({0} AND item = 3, NULL, relevance) AS relevance)"
    ),
}
IN_SCORES = {
    "no score": "SELECT * REPLACE (if({0} AND item = 14, NULL, score) AS score)",
    "no score and an item twice": (
        "SELECT * REPLACE (if({0} AND item = 14, NULL, score) AS score, if({0} AND item = 7, 14, item) AS item)"
    ),
}


@pytest.mark.parametrize("change", [*IN_LABELS.values(), *IN_SCORES.values()], ids=[*IN_LABELS, *IN_SCORES])
@pytest.mark.parametrize("k", [10, 30])
def test_faults_of_a_labelled_run_are_told_as_by_the_definitions(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: str, k: int
) -> None:
    with duckdb.connect() as connection:
        changed = change.format("query = 7")
        connection.execute(f"CREATE TABLE run AS {changed} FROM '{folder}/labelled.parquet'")
        connection.execute("UPDATE run SET score = 2 + hash(item) / 1e20 WHERE query = 7 AND score IS NOT NULL")
        told = faults_told(connection, monkeypatch, qrels=None, metrics=[f"recall@{k}", f"ndcg@{k}"])
        assert told[0] == told[1]


@pytest.mark.parametrize("ties", ["item_desc", "item"])
@pytest.mark.parametrize(
    ("irrelevant_at", "relevant_at", "k", "is_fault"),
    [(1, 40, 10, True), (40, 1, 10, False), (15, 40, 10, False), (15, 40, 30, True), (10, 40, 10, True)],
)
def test_an_irrelevant_copy_above_a_relevant_one_is_a_fault_in_the_top(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    ties: str,
    irrelevant_at: int,
    relevant_at: int,
    k: int,
    is_fault: bool,
) -> None:
    """The list of query 7 has equal scores in fives, and holds item 99 at two ranks."""
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE run AS FROM '{folder}/labelled.parquet' WHERE query <> 7 OR item < 48")
        connection.execute("UPDATE run SET score = 10 - item // 5 WHERE query = 7")
        order = "score DESC, item " + ("DESC" if ties == "item_desc" else "ASC")
        at = f"SELECT score FROM run WHERE query = 7 ORDER BY {order} LIMIT 1 OFFSET"
        above, below = (f"({at} {rank - 1}) + 1e-6" for rank in sorted((irrelevant_at, relevant_at)))
        labels = (0, 1) if irrelevant_at < relevant_at else (1, 0)
        for score, label in zip((below, above), reversed(labels), strict=True):
            connection.execute(
                f"INSERT INTO run BY NAME SELECT 7 AS query, 99 AS item, {score} AS score, {label} AS relevance"
            )
        told = faults_told(connection, monkeypatch, qrels=None, metrics=[f"recall@{k}"], ties=ties)
        assert told[0] == told[1]
        assert told[0].partition(" (")[0] == ("The run labels copies of an item" if is_fault else "")


@pytest.mark.parametrize("change", IN_LABELS.values(), ids=IN_LABELS)
@pytest.mark.parametrize("run", ["run", "ranked"])
def test_faults_of_qrels_are_told_as_by_the_definitions(
    folder: Path, monkeypatch: pytest.MonkeyPatch, change: str, run: str
) -> None:
    with duckdb.connect() as connection:
        changed = change.format("query = 7")
        connection.execute(f"CREATE TABLE run AS FROM '{folder}/{run}.parquet'")
        rows = f"SELECT query, item, relevance FROM '{folder}/labelled.parquet' WHERE item % 7 IN (0, 1, 6) OR item = 3"
        connection.execute(f"CREATE TABLE qrels AS {changed} FROM ({rows})")
        rank = "rank" if run == "ranked" else None
        told = faults_told(connection, monkeypatch, qrels="qrels", rank=rank, metrics=["recall@10", "ndcg@10"])
        assert told[0] == told[1]
        assert told[0]


def faults_told(
    connection: duckdb.DuckDBPyConnection, monkeypatch: pytest.MonkeyPatch, **given: Any
) -> tuple[str, str]:
    """Return the errors of fast plans and of the definitions; '' if there is none."""
    told = []
    for rules in (choosing.RULES, ()):
        with monkeypatch.context() as patched:
            patched.setattr(choosing, "RULES", rules)
            try:
                evaluate("run", connection=connection, **given)
                told.append("")
            except DataError as error:
                told.append(str(error))
    return told[0], told[1]


@pytest.mark.slow
def test_a_copy_of_an_irrelevant_item_below_the_top_of_a_labelled_run_counts_nowhere(
    folder: Path, tmp_path: Path
) -> None:
    rows, path = f"FROM '{folder}/labelled.parquet'", tmp_path / "copies.parquet"
    copies = f"SELECT * REPLACE (-1 - score AS score) {rows} WHERE relevance = 0 AND query % 10 = 7"
    write(f"SELECT * {rows} UNION ALL {copies}", path)
    metrics = ["recall@10", "ndcg@10", "ap@10"]
    with duckdb.connect() as connection:
        assert find(choose(plan_of(DuckDB(connection), metrics, run=path, qrels=None), DuckDB(connection)), PackedLists)
    assert (
        evaluate(path, metrics=metrics).to_dicts() == evaluate(folder / "labelled.parquet", metrics=metrics).to_dicts()
    )
    with pytest.raises(DataError, match="The qrels judge an item"):  # judged counts irrelevant items
        evaluate(path, metrics="judged@10")
    assert {fault.check for fault in check(path, skip="ties")} >= {"qrels_duplicates", "run_duplicates"}


def test_a_nan_score_is_refused_even_if_statistics_do_not_show_it(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    nan = "CASE WHEN query = 7 AND item = 14 THEN 'nan'::DOUBLE ELSE score END AS score"
    write(f"SELECT * REPLACE ({nan}) FROM '{folder}/run.parquet'", path)
    with pytest.raises(DataError, match=r"'score' is NULL or NaN \(1 case\)"):
        evaluate(path, folder / "qrels.parquet", "recall@10")


@pytest.mark.parametrize("file", ["narrow", "flat"])
@pytest.mark.parametrize("ties", ["item_desc", "item"])
def test_numbers_at_the_limits_of_their_types_are_exact(folder: Path, file: str, ties: str) -> None:
    with duckdb.connect() as connection:
        session = DuckDB(connection)
        qrels = f"(SELECT query, item{' * 5 - 128' if file == 'narrow' else ''} AS item, relevance FROM ({QRELS}))"
        connection.execute(f"CREATE TABLE qrels AS FROM {qrels}")
        plan = plan_of(session, ["recall@1,10", "ndcg@10"], {"ties": ties}, run=folder / f"{file}.parquet")
        assert per_query(session, choose(plan, session)) == per_query(session, Chosen(plan))


def test_a_nan_missing_from_parquet_statistics_is_refused(folder: Path, tmp_path: Path) -> None:
    """pyarrow writes statistics without NaN, from which DuckDB 2 concludes that there is none."""
    path = tmp_path / "run.parquet"
    parquet.write_table(parquet.read_table(folder / "unknown.parquet"), path)
    for k in (10, 50):
        with pytest.raises(DataError, match=r"'score' is NULL or NaN \(1 case\)"):
            evaluate(path, folder / "qrels.parquet", f"recall@{k}")
        result = evaluate(path, folder / "qrels.parquet", f"recall@{k}", nulls="drop")
        assert result.counts["run"].run_rows_dropped == 1


@pytest.mark.parametrize("metric", ["ndcg@1000000", "ndcg@20000", "recall@1000000"])
def test_a_cutoff_beyond_every_list_costs_no_more_than_the_lists(folder: Path, metric: str) -> None:
    files = (folder / "run.parquet", folder / "qrels.parquet")
    with duckdb.connect(config={"memory_limit": "200MB", "default_order": "desc"}) as connection:
        deep = evaluate(*files, metric, connection=connection).to_dicts()
    whole = evaluate(*files, metric.partition("@")[0]).to_dicts()
    assert deep[0]["value"] == whole[0]["value"]


ALL_OF_THEM = """\
-- The sum of all gains in the ideal order, for any cutoff.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff.
-- Depth:  $k
-- Ties:   expected
SELECT
  model AS model,
  query AS query,
  sum(CASE WHEN ideal_rank > 0 AND $k > 0 AND relevance >= 0 THEN gain ELSE 0 END) AS all_of_them
FROM judged
GROUP BY model, query
"""


def test_a_custom_metric_reads_judged_as_defined(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "all_of_them.sql").write_text(ALL_OF_THEM)
    files = (folder / "run.parquet", folder / "qrels.parquet")
    result = evaluate(*files, ["all_of_them@1", "recall@1"], metric_folder=tmp_path)
    with duckdb.connect() as connection:
        gains = f"SELECT sum(relevance) AS gains FROM ({QRELS}) GROUP BY query"
        [(wanted,)] = connection.sql(f"SELECT avg(gains) FROM ({gains})").fetchall()
    assert result.value("all_of_them@1") == wanted


def test_a_failure_in_a_transaction_is_reported_and_leaves_no_table(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "ranked.parquet"
    write(f"SELECT * REPLACE (CASE WHEN rank = 3 THEN 4 ELSE rank END AS rank) FROM '{folder}/ranked.parquet'", path)
    with duckdb.connect() as connection:
        connection.begin()
        with pytest.raises(DataError, match="are not 1, 2, 3 and so on"):
            evaluate(path, folder / "qrels.parquet", "recall@10", rank="rank", connection=connection)
        assert connection.sql("FROM duckdb_tables()").fetchall() == []
        connection.rollback()


def test_the_sql_of_a_fast_result_is_the_definition(folder: Path) -> None:
    result = evaluate(folder / "run.parquet", folder / "qrels.parquet", ["recall@10", "ndcg@10"])
    assert "QUALIFY" in result.sql
    assert "packed" not in result.sql
    with duckdb.connect() as connection:
        assert connection.sql(result.sql).fetchall() == result.means.fetchall()


def test_an_out_of_memory_error_suggests_fixes_and_leaves_no_table(folder: Path) -> None:
    with duckdb.connect(config={"memory_limit": "2MB", "threads": 1}) as connection:
        with pytest.raises(EngineError, match=r"ran out of memory: raise its memory_limit .*fewer threads.*cutoffs"):
            evaluate(folder / "varied.parquet", folder / "qrels_text.parquet", "ap", connection=connection)
        assert connection.sql("FROM duckdb_tables()").fetchall() == []


def test_only_the_result_is_left_on_the_connection(folder: Path) -> None:
    with duckdb.connect() as connection:
        result = evaluate(folder / "run.parquet", folder / "qrels.parquet", "recall@10", connection=connection)
        assert len(connection.sql("FROM duckdb_tables()").fetchall()) == 1
        result.close()
        assert connection.sql("FROM duckdb_tables()").fetchall() == []


LARGE = """
    SELECT
        (hash(i) % 25000)::BIGINT AS query, i AS item, hash(i + 7) % 1000000007 / 1000000007 AS score
    FROM range(2500000) AS t (i)
"""
JUDGED = "SELECT query, item, 1 AS relevance FROM large WHERE hash(item) % 40 = 0"


TEXT = "'user ' || query AS query, 'an item that has a long name ' || item AS item, score"


# DuckDB 1 spills less: it needs more than twice the limit.
@pytest.mark.load
@pytest.mark.parametrize(
    ("columns", "metrics", "megabytes"),
    [
        ("*", ["recall@10", "ndcg@50", "rr@50"], 40),
        (TEXT, ["recall@10"], 60),
        (TEXT, ["ap", "rr"], 80),
    ],
    ids=["packed", "score cutoff", "whole lists"],
)
def test_data_larger_than_memory_are_evaluated(
    tmp_path: Path, columns: str, metrics: list[str], megabytes: int
) -> None:
    """The data are 2.5 million rows in scattered order: 60 MB as numbers, 220 MB as text."""
    with duckdb.connect(config={"threads": 1}) as connection:  # several threads write other files each time
        connection.execute(f"CREATE VIEW large AS {LARGE}")
        connection.sql(f"SELECT {columns} FROM large").write_parquet(str(tmp_path / "run.parquet"))
        judged = f"SELECT {columns.replace('score', 'relevance')} FROM ({JUDGED})"
        connection.sql(judged).write_parquet(str(tmp_path / "qrels.parquet"))
    files = (tmp_path / "run.parquet", tmp_path / "qrels.parquet")
    factor = 1 if int(duckdb.__version__.split(".")[0]) >= 2 else 3
    limited: dict[str, Any] = {
        "memory_limit": f"{megabytes * factor}MB",
        "threads": 1,
        "temp_directory": str(tmp_path / "spilled"),
    }
    with duckdb.connect() as roomy, duckdb.connect(config=limited) as tight:
        wanted = evaluate(*files, metrics, connection=roomy).to_dicts()
        assert evaluate(*files, metrics, connection=tight).to_dicts() == wanted
