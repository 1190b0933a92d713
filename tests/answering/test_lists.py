"""The list form gives the numbers and the faults of rows, whatever finds the top of each list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import polars
import pytest
from asking import Patch, fails
from forms import assert_same, error_of, in_lists, in_rows, is_one_statement, kind, only, with_any_number_of_rows
from pyarrow import parquet
from random_data.naming import some_names

from recall_duckdb import check, evaluate
from recall_duckdb.answering import forms, keys, planning
from recall_duckdb.answering.planning import plan_question
from recall_duckdb.compose import Plan, Replacements
from recall_duckdb.engines import DuckDB
from recall_duckdb.errors import DataError, EngineError
from recall_duckdb.question import EvaluateQuestion

Columns = dict[str, list[Any]]

CUT = ["recall@1,3", "precision@3", "ndcg@3", "ap@3", "rr@3", "err@2", "judged@3", "rbp@2", "f1@3"]
WHOLE = ["recall", "ndcg", "ap", "rr", "bpref", "num_ret", "r_precision"]


@pytest.fixture(autouse=True)
def _with_any_number_of_rows(monkeypatch: Patch) -> None:
    with_any_number_of_rows(monkeypatch)


IDS: dict[str, Callable[[int], Any]] = {
    "small": int,
    "negative": lambda number: 3 - number * 2**20,
    "near 2^62": lambda number: 2**62 - 1 - number,
    "beyond 2^62": lambda number: 2**62 + number,
    "far apart": lambda number: number * 2**40,
    "text": lambda number: f"item {number}",
}
SCORES = {"halves": [0.5, 1.0, -2.5, 3.0], "tenths": [0.1, 0.7, -0.3, 12345.6], "large": [1e300, -1e300, 0.0, 1.0]}


def data(seed: int, ids: str = "small", scores: str = "halves") -> tuple[Columns, Columns]:
    """Return a run and qrels of 8 queries each, of which 6 are in both; a third of the scores is equal."""
    chosen, of = Random(seed), IDS[ids]
    run: Columns = {"query": [], "item": [], "score": []}
    qrels: Columns = {"query": [], "item": [], "relevance": []}
    for columns, queries, numbers in ((run, range(8), SCORES[scores]), (qrels, range(2, 10), [-1.0, 0.0, 1.0, 2.0])):
        for query in queries:
            items = chosen.sample(range(12), chosen.choice([1, 4, 8, 12]))
            columns["query"] += [of(query)] * len(items)
            columns["item"] += map(of, items)
            columns[list(columns)[2]] += [chosen.choice(numbers) * chosen.choice([1, 1, 4]) for _ in items]
    qrels["relevance"] = [min(each, 4.0) for each in qrels["relevance"]]
    return run, qrels


@pytest.mark.product
@pytest.mark.parametrize("depth", [{"metrics": CUT}, {"metrics": WHOLE}, {"metrics": WHOLE, "depth": 2}], ids=str)
@pytest.mark.parametrize("ties", ["item_desc", "item"])
@pytest.mark.parametrize("scores", SCORES)
@pytest.mark.parametrize("ids", IDS)
def test_every_key_gives_the_numbers_of_rows(
    monkeypatch: Patch, ids: str, scores: str, ties: str, depth: dict[str, Any]
) -> None:
    names = dict(zip(("query", "item", "score", "relevance"), some_names(4, (ids, scores)), strict=True))
    sides = data(7, ids, scores)
    run, qrels = (polars.DataFrame({names[name]: values for name, values in side.items()}) for side in sides)
    asked = {"run": run, "qrels": qrels, "ties": ties, **depth, **names}
    wanted = in_rows(**asked)
    for key in ["row", *(["cutoff"] if depth["metrics"] is CUT or "depth" in depth else []), "numbers"]:
        only(monkeypatch, key)
        found = in_lists(**asked)
        # A number holds halves exactly, but not 0.1 next to 12345.6: equal scores share a cell.
        has_numbers = ids in ("small", "negative", "near 2^62") and scores == "halves"
        assert (found is not None) == (key != "numbers" or has_numbers), key
        if found is not None:
            assert_same(found, wanted)


RUN, QRELS = data(7)
OTHER = data(8)[0]
LABELLED = {**RUN, "score": [*range(len(RUN["query"]))], "relevance": [item % 3 for item in RUN["item"]]}
RANKED = {
    "query": RUN["query"], "item": RUN["item"],
    "rank": [RUN["query"][:row].count(query) + 1 for row, query in enumerate(RUN["query"])],
}  # fmt: skip
LISTS: Columns = {"query": [2, 3, 4, 11], "item": [[5, 1, 7], [], [3, 2, 1, 0], [1]]}
STACKED = {name: [*RUN[name], *OTHER[name]] for name in RUN}
MODELS = {**STACKED, "model": ["b"] * len(RUN["query"]) + ["a"] * len(OTHER["query"])}
QUESTIONS: list[dict[str, Any]] = [
    {"missing": "skip"}, {"no_relevant": "skip"}, {"threshold": 2}, {"order": "ascending"}, {"min_score": 0.75},
    {"ties": "item"},
    {"metrics": ["recall@2", "recall(threshold=2)@3", "ndcg@3", "ap(threshold=1.5)"]},
    {"metrics": ["ndcg(gain=exponential)@2", "dcg(gain=binary)@4", "rbp(gain=scaled)@3", "ndcg(base=10)@3"]},
    {"metrics": ["ap(mean=geometric)@3", "rr(mean=median)@2", "hits(mean=sum)@2", "rr(mean=q90)@2"]},
    {"semantics": "trec_eval_9"}, {"precision": "retrieved"}, {"unjudged": "drop"}, {"depth": 2},
    {"exclude": {"query": [2, 3], "item": [RUN["item"][-1], 4]}}, {"items": {"item": [0, 1, 2, 3, 5, 8]}},
    {"weights": {"query": [*range(2, 10)], "weight": [1 + query / 3 for query in range(8)]}},
    {"qrels": {**QRELS, "country": [f"c{query % 3}" for query in QRELS["query"]]}, "by": "country"},
    {"run": {**RUN, "country": [f"c{query % 3}" for query in RUN["query"]]}, "by": "country", "missing": "skip"},
    {"query_slices": {"query": [*range(2, 10)], "a": [*"xxyyxxyy"], "b": [*range(8)]}, "by": ["a", "b"]},
    {"run": {"b": RUN, "a": OTHER}}, {"run": MODELS, "model": "model"},
    {"run": {**RUN, "other": RUN["item"]}, "score": ["score", "other"]},
    {"run": {**RUN, **{f"s{i}": [hash((i, row)) % 8 / 4 for row in RUN["item"]] for i in range(25)}},
     "score": [f"s{i}" for i in range(25)]},
    {"run": LABELLED, "qrels": None}, {"run": RANKED, "rank": "rank"}, {"run": LISTS},
    {"run": {**STACKED, "score": [*range(len(STACKED["query"]))]}, "duplicates": "best"},
    {"run": {**RUN, "score": [None, *RUN["score"][1:]]}, "nulls": "drop"},
    {"qrels": {name: [*values, values[0]] for name, values in QRELS.items()}, "duplicates": "best"},
    {"qrels": LISTS}, {"qrels": LISTS, "qrels_depth": 2}, {"qrels": {2: {5: 1, 7: 2}, 3: {1: 0}, 9: {}}},
    {"run": {**RUN, "day": [item % 2 for item in RUN["item"]]}, "query": ["query", "day"],
     "qrels": {**QRELS, "day": [item % 2 for item in QRELS["item"]]}},
]  # fmt: skip


# These change the judgements or what is made of ranks, not how a key finds the top of a list.
OF_JUDGEMENTS = {
    "missing", "no_relevant", "threshold", "metrics", "semantics", "precision", "qrels", "qrels_depth",
}  # fmt: skip


@pytest.mark.product
@pytest.mark.parametrize("metrics", [CUT, WHOLE], ids=["cut", "whole"])
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: str(question)[:60])
def test_lists_answer_every_question_that_they_cover(
    monkeypatch: Patch, question: dict[str, Any], metrics: list[str]
) -> None:
    asked = {"run": RUN, "qrels": QRELS, "metrics": metrics, **question}
    wanted, chosen = in_rows(**asked), keys.choose(*planned_on(DuckDB(), **asked))
    assert chosen
    kinds = {*map(kind, chosen)} | ({"cutoff"} if asked["metrics"] is CUT else set())
    for key in {"row"} | (set() if question.keys() <= OF_JUDGEMENTS else kinds):
        only(monkeypatch, key)
        found = in_lists(**asked)
        assert found is not None, key
        assert_same(found, wanted)
    monkeypatch.setattr(planning, "FEW_ROWS", 20_000)
    assert is_one_statement(**asked)
    assert_same(evaluate(**asked), wanted)


@pytest.mark.parametrize(
    "question",
    [
        {"ties": "expected", "metrics": "recall@3"}, {"ties": "optimistic"}, {"nulls": "last"},
        {"empty": "allow"}, {"short": "error"}, {"metrics": "ndcg(gain=1:2,2:5)@2"}, {"metrics": "auc"},
        {"metrics": "eleven_point"},
        {"run": RANKED, "rank": "rank", "ranks": "given"},
        {"metrics": "recall@3", "item_by": "tier", "item_slices": {"item": [*range(12)], "tier": [*"xy"] * 6}},
        {"metrics": "coverage@3", "catalog": {"item": [*range(12)]}},
    ],
    ids=str,
)  # fmt: skip
def test_other_questions_are_answered_in_rows(question: dict[str, Any]) -> None:
    assert in_lists(**{"run": RUN, "qrels": QRELS, "metrics": CUT, **question}) is None


def planned_on(session: DuckDB, **asked: Any) -> tuple[Plan, DuckDB]:
    return plan_question(EvaluateQuestion(**asked), session), session


LARGE = "SELECT i // 50 AS query, i % 50 AS item, hash(i) / 2e19 AS score FROM range(200000) AS t (i)"
JUDGED = "SELECT i // 5 AS query, i % 5 * 12 AS item, i % 3 AS relevance FROM range(20000) AS t (i)"
TEXT_JUDGED = f"(SELECT * REPLACE ('i' || item AS item) FROM ({JUDGED}))"
FILES = {
    "run": LARGE,
    "qrels": JUDGED,
    "halves": f"SELECT * REPLACE (hash(score) % 1024 / 1024 AS score) FROM ({LARGE})",
    "tenths": f"SELECT * REPLACE (hash(score) % 1000 / 1000 AS score) FROM ({LARGE})",
    "text": f"SELECT * REPLACE ('i' || item AS item) FROM ({LARGE})",
    "wide": f"SELECT * REPLACE (hash(item) // 2 AS item) FROM ({LARGE})",
    "tiny": f"SELECT * REPLACE ((item * 5 - 128)::TINYINT AS item) FROM ({LARGE})",
    "long": f"SELECT * REPLACE (query % 1000 AS query, 50 * query + item AS item) FROM ({LARGE})",
    "nan": f"SELECT * REPLACE (if(query = 7 AND item = 3, 'nan'::DOUBLE, score) AS score) FROM ({LARGE})",
    "infinite": f"SELECT * REPLACE (if(query = 7 AND item = 3, 'inf'::DOUBLE, score) AS score) FROM ({LARGE})",
    "far": f"SELECT * REPLACE (if(query = 77, {2**62}, query) AS query) FROM ({LARGE})",
    "few": f"FROM ({LARGE}) LIMIT 50000",
    "ranked": f"SELECT query, item, row_number() OVER (PARTITION BY query ORDER BY score DESC) AS rank FROM ({LARGE})",
    "labelled": f"SELECT *, item % 7 = 0 AS relevance FROM ({LARGE})",
    "nested": f"SELECT query, list(item ORDER BY score DESC) AS item FROM ({LARGE}) GROUP BY query",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with 4,000 lists of 50 items in different files."""
    folder = tmp_path_factory.mktemp("lists")
    with duckdb.connect() as connection:
        for name, statement in FILES.items():
            connection.sql(statement).write_parquet(str(folder / f"{name}.parquet"))
        connection.sql(LARGE).write_csv(str(folder / "run.csv"))
    return folder


CHOICES: list[tuple[str, str, dict[str, Any], list[str]]] = [
    ("run", "recall@10", {}, ["numbers 10", "cutoff"]),
    ("run", "recall@10", {"ties": "item"}, ["numbers 10", "cutoff"]),
    ("run", "recall@40", {}, ["numbers 40", "row"]),  # most of each list
    ("run", "recall", {}, ["numbers 128", "numbers", "row"]),  # short lists as a whole
    ("run", "recall@129", {}, ["numbers 128", "numbers", "whole"]),
    ("run", "recall", {"depth": 5}, ["numbers 5", "cutoff"]),
    ("run", "recall@10", {"duplicates": "best"}, ["numbers 10", "row"]),  # a cutoff would group the run twice
    ("run", "recall@10", {"min_score": 0.5}, ["cutoff"]),
    ("halves", "recall@10", {}, ["numbers 10", "cutoff"]),  # equal scores that a cell holds exactly
    ("tenths", "recall@10", {}, ["cutoff"]),  # equal scores share a cell
    ("text", "recall@10", {"qrels": TEXT_JUDGED}, ["cutoff"]),
    ("text", "recall", {"qrels": TEXT_JUDGED}, ["row"]),
    ("text", "recall@60", {"qrels": TEXT_JUDGED}, ["whole"]),  # below the end of most lists
    ("wide", "recall@10", {}, ["cutoff"]),  # 64-bit items
    ("tiny", "recall@10", {}, ["numbers 10", "cutoff"]),
    ("long", "recall", {}, ["numbers", "row"]),  # 200 items a list
    ("long", "recall@20", {}, ["numbers 20", "cutoff"]),
    ("long", "recall@150", {}, ["numbers", "row"]),
    ("nan", "recall@10", {}, ["cutoff"]),
    ("infinite", "recall@10", {}, ["cutoff"]),
    ("far", "recall@10", {}, ["numbers 10", "cutoff"]),  # one query far from the others does not multiply the lists
    ("few", "recall@10", {}, ["row"]),
    ("ranked", "recall@10", {"rank": "rank"}, ["numbers 10", "cutoff"]),
    ("labelled", "recall@10", {"qrels": None}, ["numbers 10", "cutoff"]),
    ("nested", "recall@10", {}, ["row"]),
    ("run.csv", "recall@10", {}, ["row"]),  # would have to be read whole
]


@pytest.mark.parametrize(("file", "metric", "arguments", "expected"), CHOICES)
def test_keys_are_chosen_by_question_and_ranges(
    monkeypatch: Patch, folder: Path, file: str, metric: str, arguments: Any, expected: list[str]
) -> None:
    monkeypatch.setattr(keys, "_MANY_ROWS", 100_000)
    run = folder / (file if "." in file else f"{file}.parquet")
    asked = {"run": run, "qrels": folder / "qrels.parquet", "metrics": metric, **arguments}
    plan, session = planned_on(DuckDB(duckdb.connect()), **asked)
    assert [kind(key) for key in keys.choose(plan, session)] == expected


@pytest.mark.product
@pytest.mark.parametrize("file", ["run", "text", "ranked", "labelled", "nested", "run.csv"])
@pytest.mark.parametrize("metric", ["recall@10", "ndcg@40", "ap"])
def test_lists_of_large_files_give_the_numbers_of_rows(folder: Path, file: str, metric: str) -> None:
    others: dict[str, dict[str, Any]] = {
        "text": {"qrels": TEXT_JUDGED}, "labelled": {"qrels": None}, "ranked": {"rank": "rank"}
    }  # fmt: skip
    run = folder / (file if "." in file else f"{file}.parquet")
    with duckdb.connect(config={"default_order": "desc"}) as connection:
        asked = {"run": run, "qrels": folder / "qrels.parquet", "metrics": metric, **others.get(file, {})}
        found = in_lists(**asked, connection=connection)
        assert found is not None
        assert_same(found, in_rows(**asked, connection=connection))


def test_lists_that_do_not_fit_in_memory_take_rows(folder: Path) -> None:
    for run, large in (("run.parquet", 12_800_000), ("run.csv", 70_000_000)):
        for memory, has_keys in ((2 * large, True), (large // 2, False)):
            session = DuckDB(duckdb.connect())
            session.resources = memory, 1  # bytes, threads
            plan, _ = planned_on(session, run=folder / run, qrels=folder / "qrels.parquet", metrics="recall@10")
            assert bool(keys.choose(plan, session)) == has_keys


def tried(monkeypatch: Patch) -> list[str]:
    """Return a list to which the keys that are tried are added."""
    kinds: list[str] = []
    form = forms.in_lists

    def heard(plan: Plan, *, is_small: bool, key: Replacements) -> Plan:
        kinds.append(kind(key))
        return form(plan, is_small=is_small, key=key)

    monkeypatch.setattr(forms, "in_lists", heard)
    return kinds


@pytest.mark.parametrize(
    ("equal", "far", "expected"),
    [
        (0.9, 0, ["numbers 40"]),
        (0.5, 1e9, ["numbers 40"]),
        (0.9, 1e9, ["numbers 40", "row"]),
        (0.9, -1e9, ["numbers 40", "row"]),
    ],
)
def test_scores_that_share_a_cell_are_answered_by_the_next_key(
    monkeypatch: Patch, equal: float, far: float, expected: list[str]
) -> None:
    """One score far from the others makes all cells large. The 20,000 rows that are looked at have no equal scores."""
    with duckdb.connect() as connection:
        score = f"CASE query * 100 + item WHEN 60002 THEN {equal} WHEN 60003 THEN {equal} WHEN 7713 THEN {far}"
        connection.execute(f"CREATE TABLE run AS SELECT * REPLACE ({score} ELSE score END AS score) FROM ({LARGE})")
        connection.execute(f"CREATE TABLE qrels AS {JUDGED}")
        asked = {"run": "run", "qrels": "qrels", "metrics": ["recall@10", "rr@40"], "connection": connection}
        kinds = tried(monkeypatch)
        found = in_lists(**asked)
        assert found is not None
        assert kinds == expected
        assert_same(found, in_rows(**asked))


@pytest.mark.parametrize(("longest", "expected"), [(128, ["numbers 128"]), (129, ["numbers 128", "numbers"])])
def test_a_list_longer_than_the_numbers_that_are_kept(monkeypatch: Patch, longest: int, expected: list[str]) -> None:
    rows = [(1, item) for item in range(longest)] + [(query, item) for query in range(2, 9) for item in range(9)]
    run = {"query": [row[0] for row in rows], "item": [row[1] for row in rows], "score": [*range(len(rows))]}
    qrels = {"query": [1, 1, 2], "item": [0, 7, 0], "relevance": [1, 2, 1]}
    kinds = tried(monkeypatch)
    asked = [WHOLE, ["recall@200", "ndcg@129"]]
    found = [in_lists(run=run, qrels=qrels, metrics=metrics) for metrics in asked]
    assert kinds == 2 * expected
    for each, metrics in zip(found, asked, strict=True):
        assert each is not None
        assert_same(each, in_rows(run, qrels, metrics))


def changed(columns: Columns, column: str, row: int, value: Any) -> Columns:
    """Return the columns with another value in one row."""
    return {**columns, column: [*columns[column][:row], value, *columns[column][row + 1 :]]}


TEXT, TEXT_QRELS = data(7, "text")
NAN = float("nan")
TWO_FIRST: Columns = {"query": [2, 2, 3], "item": [5, 7, 5], "rank": [1, 1, 1]}
FIRST: dict[str, Any] = {"rank": "rank"}
WITHOUT_7: dict[str, Any] = {"exclude": {"query": [2], "item": [7]}}
FAULTS: dict[str, dict[str, Any]] = {
    "a query is NULL": {"run": changed(RUN, "query", 3, None)},
    "an item is NULL": {"run": changed(RUN, "item", 3, None)},
    "a score is NULL": {"run": changed(RUN, "score", 3, None)},
    "a score is NaN": {"run": changed(RUN, "score", 3, NAN)},
    "a model is NULL": {"run": changed(MODELS, "model", 3, None), "model": "model"},
    "an item twice in the top": {"run": {"query": [2, 2, 2], "item": [5, 7, 5], "score": [0.5, 0.25, 0.5]}},
    "a list as text": {"run": changed(TEXT, "item", 3, '["a", "b"]'), "qrels": TEXT_QRELS},
    "padding below the top": {"run": {**RUN, "item": [*RUN["item"][:-1], -1], "score": [*RUN["score"][:-1], -99.0]}},
    "a gap in the ranks": {"run": changed(RANKED, "rank", 0, 99), "rank": "rank"},
    "a rank twice": {"run": changed(RANKED, "rank", 1, 1), "rank": "rank"},
    "a rank of 0": {"run": changed(RANKED, "rank", 0, 0), "rank": "rank"},
    "a rank far below": {"run": changed(RANKED, "rank", 0, -(2**62)), "rank": "rank"},
    "an item twice in a list": {"run": {"query": [2], "item": [[5, 5, 7]]}},
    "a query of the qrels is NULL": {"qrels": changed(QRELS, "query", 3, None)},
    "an item of the qrels is NULL": {"qrels": changed(QRELS, "item", 3, None)},
    "a relevance is NULL": {"qrels": changed(QRELS, "relevance", 3, None)},
    "a relevance is NaN": {"qrels": changed(QRELS, "relevance", 3, NAN)},
    "a relevance is too large": {"qrels": changed(QRELS, "relevance", 3, 1e12)},
    "a relevance is infinite": {"qrels": changed(QRELS, "relevance", 3, float("inf"))},
    "a gain is too large": {"qrels": changed(QRELS, "relevance", 3, 40), "metrics": "ndcg(gain=exponential)@3"},
    "an item is judged twice": {"qrels": {name: [*values, values[0]] for name, values in QRELS.items()}},
    "judged padding": {"qrels": {"query": [2, 3], "item": [[5, 1, -1], [7]]}},
    "judged text lists": {"run": TEXT, "qrels": changed(TEXT_QRELS, "item", 3, '["a", "b"]')},
    "nothing is relevant": {"qrels": {**QRELS, "relevance": [0] * len(QRELS["query"])}},
    "no query on both sides": {"qrels": {**QRELS, "query": [99] * len(QRELS["query"])}},
    "a query is missing": {"missing": "error"},
    "nothing relevant for a query": {"no_relevant": "error", "threshold": 4},
    "a query without a slice": {"query_slices": {"query": [2], "country": ["x"]}, "by": "country"},
    "a slice is NULL": {"query_slices": {"query": [*range(2, 10)], "c": [None, *"xxxxxxx"]}, "by": "c"},
    "a weight is missing": {"weights": {"query": [2], "weight": [1.0]}},
    "an irrelevant copy above a relevant one": {
        "run": {"query": [1, 1, 1], "item": [1, 2, 1], "score": [3, 2, 1], "relevance": [0, 1, 1]}, "qrels": None
    },
    "a labelled item twice": {
        "run": {"query": [1, 1, 1], "item": [1, 2, 1], "score": [3, 2, 1], "relevance": [1, 0, 1]}, "qrels": None
    },
    "no label": {"run": changed(LABELLED, "relevance", 3, None), "qrels": None},
    "the last rank is repeated": {**FIRST, "run": TWO_FIRST, "metrics": "recall@1"},
    "a second list below the cutoff": {"run": {"query": [2, 2, 3], "item": [[5], [7], [5]]}, "metrics": "recall@1"},
    "the rank of an excluded item is NULL": {**FIRST, "run": {**TWO_FIRST, "rank": [1, None, 1]}, **WITHOUT_7},
    "an excluded item leaves a gap": {**FIRST, "run": {**TWO_FIRST, "rank": [1, 9, 1]}, **WITHOUT_7},
    "the score of an excluded item is NULL": {
        "run": {"query": [2, 2, 3], "item": [5, 7, 5], "score": [0.5, None, 0.5]}, **WITHOUT_7
    },
    "the relevance of an item that is not listed is NULL": {
        "qrels": changed(QRELS, "relevance", 3, None), "items": {"item": sorted({*QRELS["item"]} - {QRELS["item"][3]})}
    },
}  # fmt: skip


@pytest.mark.product
@pytest.mark.parametrize("key", ["row", "cutoff", "numbers"])
@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told_as_by_rows(monkeypatch: Patch, fault: str, key: str) -> None:
    asked = {"run": RUN, "qrels": QRELS, "metrics": "recall@2", **FAULTS[fault]}
    only(monkeypatch, key)
    message = error_of(evaluate, **asked)
    assert message
    assert message == error_of(in_rows, **asked)
    monkeypatch.setattr(planning, "FEW_ROWS", 20_000)
    assert message == error_of(evaluate, **asked)


@pytest.mark.parametrize("key", ["row", "cutoff", "numbers"])
def test_copies_below_the_top_count_nowhere(monkeypatch: Patch, key: str) -> None:
    only(monkeypatch, key)
    copied = {"query": [1] * 5, "item": [1, 2, 3, 4, 1], "score": [5, 4, 3, 2, 1], "relevance": [0, 1, 0, 1, 0]}
    once = {name: values[:-1] for name, values in copied.items()}
    found, wanted = (in_lists(run=run, qrels=None, metrics=["recall@3", "ndcg@3", "ap@3"]) for run in (copied, once))
    assert found is not None
    assert wanted is not None
    assert found.to_dicts() == wanted.to_dicts()
    with pytest.raises(DataError, match="The qrels judge an item"):  # judged counts irrelevant items
        evaluate(copied, metrics="judged@3")
    assert {fault.check for fault in check(copied, skip="ties")} >= {"qrels_duplicates", "run_duplicates"}


@pytest.mark.slow
def test_a_nan_missing_from_parquet_statistics_is_refused(folder: Path, tmp_path: Path) -> None:
    """pyarrow writes statistics without NaN, from which DuckDB 2 concludes that there is none."""
    path = tmp_path / "run.parquet"
    parquet.write_table(parquet.read_table(folder / "nan.parquet"), path)
    for metric in ("recall@10", "recall"):
        fails(DataError, r"'score' is NULL or NaN \(1 case\)", evaluate, path, folder / "qrels.parquet", metric)
        result = evaluate(path, folder / "qrels.parquet", metric, nulls="drop")
        assert result.counts["run"].run_rows_dropped == 1


@pytest.mark.parametrize("metric", ["ndcg@1000000", "ndcg@20000", "recall@1000000"])
def test_a_cutoff_beyond_every_list_costs_no_more_than_the_lists(folder: Path, metric: str) -> None:
    files = (folder / "run.parquet", folder / "qrels.parquet")
    with duckdb.connect(config={"memory_limit": "400MB", "threads": 2}) as connection:
        deep = evaluate(*files, metric, connection=connection).to_dicts()
    assert deep[0]["value"] == evaluate(*files, metric.partition("@")[0]).to_dicts()[0]["value"]


ALL_GAINS = """\
-- The sum of all gains, also those of items that no list holds.
--
-- Grain:  one row per (model, query).
-- Params: $k, the cutoff.
-- Depth:  $k
SELECT
  model AS model,
  query AS query,
  sum(CASE WHEN $k > 0 THEN gain ELSE 0 END) AS all_gains
FROM judged
GROUP BY model, query
"""


def test_a_custom_metric_reads_judged_as_defined(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "all_gains.sql").write_text(ALL_GAINS)
    files = (folder / "run.parquet", folder / "qrels.parquet")
    result = evaluate(*files, ["all_gains@1", "recall@1"], metric_folder=tmp_path)
    with duckdb.connect() as connection:
        [(wanted,)] = connection.sql(f"SELECT sum(relevance) / count(DISTINCT query) FROM ({JUDGED})").fetchall()
    assert result.value("all_gains@1") == wanted
    assert result.value("recall@1") == pytest.approx(evaluate(*files, "recall@1").value("recall@1"), rel=1e-12)


@pytest.mark.parametrize("key", ["row", "cutoff", "numbers"])
def test_only_the_judged_queries_are_left_on_the_connection(folder: Path, monkeypatch: Patch, key: str) -> None:
    only(monkeypatch, key)
    with duckdb.connect() as connection:
        qrels = f"(FROM ({JUDGED}) WHERE query < 100)"
        result = evaluate(folder / "run.parquet", qrels, "recall@10", connection=connection)
        [(rows,)] = connection.sql("SELECT count(*) FROM duckdb_tables()").fetchall()
        assert rows == 1
        assert result.data.stored is not None
        stored = result.data.stored.sql("duckdb")
        assert connection.sql(f"SELECT count(*) FROM {stored}").fetchall() == [(100,)]
        result.close()
        assert connection.sql("FROM duckdb_tables()").fetchall() == []


def test_a_fault_in_a_transaction_leaves_no_table(folder: Path) -> None:
    wrong = f"(SELECT * REPLACE (if(rank = 3, 4, rank) AS rank) FROM '{folder}/ranked.parquet')"
    with duckdb.connect() as connection:
        connection.begin()
        with pytest.raises(DataError, match="are not 1, 2, 3 and so on"):
            evaluate(wrong, folder / "qrels.parquet", "recall@10", rank="rank", connection=connection)
        assert connection.sql("FROM duckdb_tables()").fetchall() == []
        connection.rollback()


def test_an_out_of_memory_error_suggests_fixes_and_leaves_no_table(folder: Path) -> None:
    with duckdb.connect(config={"memory_limit": "2MB", "threads": 1}) as connection:
        with pytest.raises(EngineError, match=r"ran out of memory: raise its memory_limit .*fewer threads.*cutoffs"):
            evaluate(folder / "text.parquet", TEXT_JUDGED, "ap", connection=connection)
        assert connection.sql("FROM duckdb_tables()").fetchall() == []


SCATTERED = "SELECT (hash(i) % 25000)::BIGINT AS query, i AS item, hash(i + 7) / 2e19 AS score FROM range(2500000) t(i)"
LONG_NAMES = "'user ' || query AS query, 'an item that has a long name ' || item AS item, score"


# DuckDB 1 spills less: it needs more than twice the limit.
@pytest.mark.load
@pytest.mark.parametrize(
    ("columns", "metrics", "megabytes"),
    [("*", ["recall@10", "ndcg@50", "rr@50"], 40), (LONG_NAMES, ["recall@10"], 60), (LONG_NAMES, ["ap", "rr"], 80)],
    ids=["numbers", "text", "whole lists"],
)
def test_data_larger_than_memory_are_evaluated(
    tmp_path: Path, columns: str, metrics: list[str], megabytes: int
) -> None:
    """The data are 2.5 million rows in scattered order: 60 MB as numbers, 220 MB as text."""
    judged = f"SELECT query, item, 1 AS score FROM ({SCATTERED}) WHERE hash(item) % 40 = 0"
    with duckdb.connect(config={"threads": 1}) as connection:  # several threads write other files each time
        connection.sql(f"SELECT {columns} FROM ({SCATTERED})").write_parquet(str(tmp_path / "run.parquet"))
        connection.sql(f"SELECT {columns} FROM ({judged})").write_parquet(str(tmp_path / "qrels.parquet"))
    files = (tmp_path / "run.parquet", tmp_path / "qrels.parquet")
    factor = 1 if int(duckdb.__version__.split(".")[0]) >= 2 else 3
    limited: dict[str, Any] = {
        "memory_limit": f"{megabytes * factor}MB", "threads": 1, "temp_directory": str(tmp_path / "spilled"),
    }  # fmt: skip
    with duckdb.connect() as roomy, duckdb.connect(config=limited) as tight:
        wanted = in_rows(*files, metrics, relevance="score", connection=roomy)
        assert_same(evaluate(*files, metrics, relevance="score", connection=tight), wanted)
