"""Items are mapped to units, such as chunks to documents: the best item of a unit counts."""

from __future__ import annotations

import math
import random
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from asking import Output, fails
from engine_cases import assert_same
from sqlglot import exp, parse_one

from recall_duckdb import agreement, check, evaluate, sql
from recall_duckdb.cli import main
from recall_duckdb.errors import ArgumentError, DataError, UnknownNameError

# By document: q1 has a, b, c, and q2 has d, a.
CHUNKS = {"q1": ["a#1", "a#7", "b#2", "c#1"], "q2": ["d#4", "a#1", "d#1"]}
SCORED = {"q1": {"a#1": 0.9, "a#7": 0.8, "b#2": 0.7, "c#1": 0.6}, "q2": {"d#4": 0.9, "a#1": 0.6, "d#1": 0.5}}
RANKED = pd.DataFrame(
    [(query, item, rank) for query, items in CHUNKS.items() for rank, item in enumerate(items, start=1)],
    columns=["query", "item", "rank"],
)
DOCUMENTS = {"q1": ["b", "c"], "q2": ["d"]}
DOCUMENT = "split_part(item, '#', 1)"
OF_CHUNKS = {chunk: chunk[0] for chunks in CHUNKS.values() for chunk in chunks}
METRICS = ["recall@1,2,3", "rr", "precision@2"]
Pairs = dict[str, list[str]]


@pytest.mark.parametrize("run", [CHUNKS, SCORED, RANKED], ids=["lists", "scores", "ranks"])
@pytest.mark.parametrize(
    "item_map",
    [
        DOCUMENT,
        OF_CHUNKS,
        {chunk: [document] for chunk, document in OF_CHUNKS.items()},
        {"item": [*OF_CHUNKS], "unit": [*OF_CHUNKS.values()]},
        pd.DataFrame({"item": OF_CHUNKS.keys(), "unit": OF_CHUNKS.values()}),
        pd.Series(OF_CHUNKS),
    ],
    ids=["expression", "dict", "lists", "columns", "frame", "series"],
)
def test_a_document_counts_at_its_best_chunk(run: Any, item_map: object) -> None:
    rank = "rank" if run is RANKED else None
    result = evaluate(run, DOCUMENTS, METRICS, item_map=item_map, rank=rank)
    assert [row["value"] for row in result.to_dicts()] == [1 / 2, 3 / 4, 1, 3 / 4, 1 / 2]


def test_the_best_grade_of_a_unit_counts() -> None:
    graded = {"q1": {"a#1": 0, "b#1": 1, "b#9": 3}}
    result = evaluate({"q1": CHUNKS["q1"]}, graded, "dcg@2", item_map=DOCUMENT)
    assert result.value("dcg@2") == pytest.approx(3 / math.log2(3), rel=0, abs=1e-12)


def test_an_item_may_have_several_units_and_items_without_one_stay() -> None:
    """The span s is evidence in d1 and d2; x has no unit."""
    result = evaluate({"q": ["x", "s", "y"]}, {"q": ["d1", "d2", "x"]}, "recall@1,2,3", item_map={"s": ["d1", "d2"]})
    assert [row["value"] for row in result.to_dicts()] == [1 / 3, 2 / 3, 1]


def test_any_item_of_a_group_will_do() -> None:
    groups = {"a": "first", "b": "first", "c": "second"}
    result = evaluate({"q": ["b", "a", "x"]}, {"q": ["first", "second"]}, ["recall@3", "recall_all"], item_map=groups)
    assert [row["value"] for row in result.to_dicts()] == [1 / 2, 0]


def test_a_map_with_other_columns_is_refused_with_the_query_that_names_them(tmp_path: Path) -> None:
    path = tmp_path / "map.csv"
    for names in ("chunk_id,doc_id", "item,doc", "chunk,unit"):
        path.write_text(f"{names}\na1,b\n")
        told = fails(
            UnknownNameError, "item_map .* has no column", evaluate, {"q": ["a1"]}, {"q": ["b"]}, item_map=path
        )
        named = told.partition("Name its columns: ")[2].partition(". Its")[0]
        assert evaluate({"q": ["a1"]}, {"q": ["b"]}, "rr", item_map=named).value("rr") == 1


def test_units_may_be_numbers() -> None:
    assert evaluate({"q": [71, 82]}, {"q": [80]}, "rr", item_map="item - (item % 10)").value("rr") == 1 / 2


def test_a_remainder_is_never_taken_of_a_sum() -> None:
    """Early versions of sqlglot read item - item % 10 as (item - item) % 10, so that every unit would be 0."""
    asked = partial(evaluate, {"q": [71, 82]}, {"q": [80]}, "rr", item_map="item - item % 10")
    if isinstance(parse_one("item - item % 10", read="duckdb"), exp.Mod):
        fails(ArgumentError, "write parentheses around the remainder in item - item % 10", asked)
    else:
        assert asked().value("rr") == 1 / 2


def test_the_run_may_hold_the_labels() -> None:
    labelled = {"query": [1, 1, 1], "item": ["a#1", "b#1", "b#2"], "score": [3, 2, 1], "relevance": [0, 0, 1]}
    assert evaluate(labelled, None, "rr", item_map=DOCUMENT).value("rr") == 1 / 2


def rolled_up(lists: dict[str, dict[str, float]], units: Pairs) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for query, items in lists.items():
        best = found.setdefault(query, {})
        for item, number in items.items():
            for unit in units.get(item, [item]):
                best[unit] = max(best.get(unit, number), number)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_random_units_equal_data_that_python_rolled_up(seed: int) -> None:
    chance = random.Random(seed)
    items = [f"i{number}" for number in range(30)]

    def drawn(numbers: list[float]) -> dict[str, dict[str, float]]:
        queries = (f"q{number}" for number in range(12))
        return {each: {item: chance.choice(numbers) for item in chance.sample(items, 9)} for each in queries}

    run, qrels = drawn([0.1, 0.2, 0.3, 0.5, 0.9]), drawn([-1, 0, 1, 2, 3])
    units = {item: chance.sample(["u1", "u2", "u3", "u4", "u5"], chance.choice([1, 1, 2])) for item in items[:20]}
    metrics = ["recall@3", "ndcg@5", "ap", "bpref", "rr", "judged@5", "clicks"]
    for ties in ("item_desc", "item", "optimistic"):
        mapped = evaluate(run, qrels, metrics, item_map=units, ties=ties)
        expected = evaluate(rolled_up(run, units), rolled_up(qrels, units), metrics, ties=ties)
        assert_same(mapped.per_query.fetchall(), expected.per_query.fetchall())


def test_agreement_check_and_sql_take_units() -> None:
    other = {"q1": ["a#2", "b#2", "c#9"], "q2": ["d#1", "a#3"]}
    assert agreement({"old": CHUNKS, "new": other}, baseline="old", item_map=DOCUMENT).value("jaccard") == 1
    assert check(SCORED, DOCUMENTS, "recall@2", item_map=OF_CHUNKS).clean
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE run AS SELECT 1 AS query, unnest(['a#1', 'a#2', 'b#1']) AS item, 1 AS score")
        connection.execute("CREATE TABLE qrels AS SELECT 1 AS query, 'a' AS item, 1 AS relevance")
        statement = sql("run", "qrels", "rr", item_map=DOCUMENT)
        assert connection.sql(statement).fetchall() == [("run", "rr", None, 1 / 2, 1)]


def test_the_result_says_what_the_units_are() -> None:
    assert f"; item_map: {DOCUMENT}" in evaluate(CHUNKS, DOCUMENTS, item_map=DOCUMENT).read_as[0]
    assert "; item_map: 6 rows" in evaluate(CHUNKS, DOCUMENTS, item_map=OF_CHUNKS).read_as[0]


def test_the_command_line_takes_an_expression_or_a_file(tmp_path: Path, capsys: Output) -> None:
    (tmp_path / "run.txt").write_text("1 Q0 a#1 1 3 t\n1 Q0 a#2 2 2 t\n1 Q0 b#1 3 1 t\n")
    (tmp_path / "qrels.txt").write_text("1 0 b 1\n")
    (tmp_path / "map.csv").write_text("item,unit\na#1,a\na#2,a\nb#1,b\n")
    for item_map in (DOCUMENT, str(tmp_path / "map.csv")):
        asked = ["evaluate", str(tmp_path / "run.txt"), "--qrels", str(tmp_path / "qrels.txt"), "-m", "rr"]
        assert main([*asked, "--item-map", item_map]) == 0
        assert "rr      0.5000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("item_map", "problem"),
    [
        ("split_part(doc, '#', 1)", "reads 'doc'"),
        ("item || other", "reads 'other'"),
        ("item || random()", "calls random, whose value may change"),
        ("max(item)", "has no value for a single item"),
        ("concat(item, (SELECT 1))", "has no value for a single item"),
        ("row_number() OVER (ORDER BY item)", "has no value for a single item"),
    ],
)
def test_an_expression_is_one_of_the_item_alone(item_map: str, problem: str) -> None:
    told = f"{problem}.*Write an expression over the column item alone"
    fails(ArgumentError, told, evaluate, CHUNKS, DOCUMENTS, item_map=item_map)


def test_paths_and_tables_are_no_expressions() -> None:
    for path in ("maps/item.parquet", "data/item", "maps.csv"):
        fails(ArgumentError, "there is no file", evaluate, CHUNKS, DOCUMENTS, item_map=path)


def test_a_map_of_other_items_is_refused() -> None:
    told = "(?i)item_map holds no item of the run or the qrels"
    fails(DataError, told, evaluate, CHUNKS, DOCUMENTS, item_map={"z#1": "z"})


@pytest.mark.parametrize(
    ("run", "item_map", "told"),
    [
        ({"q": [1, 2, 3]}, {1: 2, 2: 3, 3: 4}, "item=2, other_unit=3"),  # is the judged 2 a chunk, or a document?
        ({"q": ["1", "2", "3"]}, {"1": "10", "2": "20", "3": "2"}, "item='2', other_unit='20'"),
        ({"q": [971, 983]}, "item // 10", "is itself an item of another unit"),
        ({"q": ["a#1"]}, {"item": ["a#1", "2"], "unit": ["a", None]}, "unit is NULL in item_map"),
        ({"query": ["q", "q"], "item": [["a#1"], ["b#1"]]}, DOCUMENT, "more than one list"),
        ({"q": ["a#1", None]}, DOCUMENT, "is NULL in the run"),
        ({"q": [30, 40, -1, -1]}, "item // 100 * 100", "vector indexes fill short lists"),
    ],
)
def test_a_map_hides_no_fault_of_the_data(run: Any, item_map: Any, told: str) -> None:
    items = run.get("q") or ["a"]
    judged = {"q": [2 if isinstance(items[0], int) else "2"]}
    fails(DataError, told, evaluate, run, judged, "rr", item_map=item_map)


def test_an_item_without_a_value_of_the_expression_is_dropped_with_nulls() -> None:
    without_x = "nullif(split_part(item, '#', 1), 'x')"
    run, qrels = {"q": {"x#1": 5.0, "b#1": 4.0}}, {"q": ["b"]}
    assert evaluate(run, qrels, "rr", item_map=without_x, nulls="drop").value("rr") == 1


def test_check_counts_units() -> None:
    found = check(CHUNKS, {"q1": {"b": 1, "a": 0}, "q2": {"d": 1}}, "recall@3", item_map=DOCUMENT).to_dicts()
    assert [(each["check"], each["faults"]) for each in found] == [("short", 1), ("unjudged_items", 2)]


def test_a_document_and_a_page_are_one_column() -> None:
    told = r"one column name is expected.*concat_ws\('/', doc, page\) AS item"
    fails(ArgumentError, told, evaluate, CHUNKS, DOCUMENTS, item=["doc", "page"])


def test_given_ranks_have_no_units() -> None:
    asked = {"rank": "rank", "ranks": "given", "item_map": DOCUMENT}
    fails(ArgumentError, "units have other ranks", evaluate, RANKED, DOCUMENTS, **asked)


def test_ids_of_chunks_name_the_argument() -> None:
    """As in the segments of MS MARCO v2.1, judged by document."""
    run = {"1": ["msmarco_v2.1_doc_00_0#6_3617397938", "msmarco_v2.1_doc_13_5#2_17"]}
    with pytest.warns(match=r"item_map= maps chunks to documents .*#6_3617397938"):
        evaluate(run, {"1": ["msmarco_v2.1_doc_00_0"]}, "rr")
