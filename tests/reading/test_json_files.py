"""JSON files of other tools: a single object by query, and maps on lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from asking import fails

from recall_duckdb import ArgumentTypeError, DataError, RecallError, UnknownNameError, check, evaluate, sql
from recall_duckdb.reading.formats import json as json_format

SCORES = {"q1": {"a": 0.9, "b": 0.8}, "q2": {"c": 0.7}}
LISTS = {"q1": ["a", "b"], "q2": ["c"]}
GRADES = {"q1": {"b": 1}, "q2": {"c": 2, "d": 1}}
RELEVANT = {"q1": ["b"], "q2": ["c", "d"]}
OPENSEARCH = {
    "judgmentRatings": [
        {"query": "q1", "ratings": [{"docId": "b", "rating": "1.0"}]},
        {"query": "q2", "ratings": [{"docId": "c", "rating": "2.0"}, {"docId": "d", "rating": "1.0"}]},
    ]
}
RANK_EVAL = {
    "requests": [
        {"id": "q1", "request": {"query": {}}, "ratings": [{"_index": "docs", "_id": "b", "rating": 1}]},
        {"id": "q2", "ratings": [{"_id": "c", "rating": 2}, {"_id": "d", "rating": 1}]},
    ],
    "metric": {"precision": {"k": 10}},
}
RESPONSE = {"_id": 1, "_source": RANK_EVAL}
MTEB = {"mteb_model_meta": {"model_name": "bge", "revision": "1"}}
LLAMA_INDEX = {"queries": {"q1": "who"}, "corpus": {"b": "text"}, "relevant_docs": RELEVANT, "mode": "text"}


def written(folder: Path, data: Any, name: str = "data.json") -> str:
    """Return the path of a file that json.dump wrote."""
    (folder / name).write_text(json.dumps(data))
    return str(folder / name)


def on_lines(folder: Path, rows: list[Any]) -> str:
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return str(folder / "rows.jsonl")


@pytest.mark.product
@pytest.mark.parametrize("run", [SCORES, LISTS])
@pytest.mark.parametrize(
    ("qrels", "held"),
    [(GRADES, GRADES), (RELEVANT, RELEVANT), (OPENSEARCH, GRADES), (RESPONSE, GRADES), (LLAMA_INDEX, RELEVANT)],
)
def test_a_file_holds_what_the_dict_in_it_holds(run: Any, qrels: Any, held: Any, tmp_path: Path) -> None:
    paths = written(tmp_path, run, "run.json"), written(tmp_path, qrels, "qrels.json")
    result = evaluate(*paths, ["recall@1,2", "ndcg"])
    assert (result.value("recall@1"), result.value("recall@2")) == (0.25, 0.75)
    assert {result.value("ndcg")} == {evaluate(run, each, "ndcg").value("ndcg") for each in (qrels, held)}
    assert check(*paths, "recall@1").clean
    assert "recall" in sql(*paths, "recall@1")


@pytest.mark.parametrize("qrels", [{"q1": {"b": 1}, "q2": {}}, {"q1": ["b"], "q2": []}])
def test_a_query_without_judged_items_is_judged(qrels: Any, tmp_path: Path) -> None:
    path = written(tmp_path, qrels)
    assert evaluate(LISTS, path, "recall@2", no_relevant="zero").value("recall@2") == 0.5
    assert evaluate(LISTS, path, "recall@2", no_relevant="skip").value("recall@2") == 1


@pytest.mark.slow
def test_an_object_may_be_larger_than_the_limit_of_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_format, "_LARGEST_OBJECT", 1_000_000)
    run = {f"q{query}": {f"d{item}": item / 7 for item in range(200)} for query in range(300)}
    assert len(json.dumps(run)) > 1_000_000
    assert evaluate(written(tmp_path, run), {query: ["d199"] for query in run}, "recall@1").value("recall@1") == 1


@pytest.mark.parametrize("run", [{"q": ["a.csv", "b.json"]}, {"m": {"q": ["a.csv", "b.json"]}}])
def test_ids_that_end_as_files_do_are_no_paths(run: Any, tmp_path: Path) -> None:
    assert evaluate(written(tmp_path, run), {"q": ["b.json"]}, "rr").value("rr") == 0.5


def test_ids_of_json_names_are_text(tmp_path: Path) -> None:
    path, qrels = written(tmp_path, {1: {10: 0.5}}), {"query": [1], "item": [10], "relevance": [1]}
    assert evaluate(path, qrels, "recall@1").value("recall@1") == 1
    with duckdb.connect() as connection:  # a table comes before a file
        connection.execute(f'CREATE TABLE "{path}" AS SELECT 1 AS query, 11 AS item, 0.5 AS score')
        assert evaluate(path, qrels, "recall@1", connection=connection).value("recall@1") == 0
        several = written(tmp_path, {"one": SCORES, "two": LISTS}, "several.json")
        connection.execute("BEGIN")
        assert evaluate(several, GRADES, "rr", connection=connection).value("rr", model="two") == 0.75


@pytest.mark.product
@pytest.mark.parametrize("value", [1, 0.5, True])
@pytest.mark.parametrize("count", [2, 300])
def test_maps_on_lines_may_have_few_or_many_names(count: int, value: Any, tmp_path: Path) -> None:
    rows = [{"query": f"q{number}", "relevance": {f"d{number}": value}} for number in range(count)]
    found = evaluate({"q1": ["d1"]}, on_lines(tmp_path, rows), "recall@1", qrels_item="relevance", missing="skip")
    assert found.value("recall@1") == 1
    labelled = [{**row, "item": [*row["relevance"]]} for row in rows]
    assert evaluate(on_lines(tmp_path, labelled), metrics="recall@1").value("recall@1") == 1


def test_a_grade_with_decimals_may_follow_below_the_first_rows(tmp_path: Path) -> None:
    """DuckDB would take whole numbers from the first 20,480 rows, and round 1.5."""
    rows = [{"query": f"q{number}", "relevance": {"a": 1}} for number in range(21_000)]
    path = on_lines(tmp_path, [*rows, {"query": "q", "relevance": {"a": 1.5}}])
    assert evaluate({"q": ["a"]}, path, "dcg@1", qrels_item="relevance", missing="skip").value("dcg@1") == 1.5


# A file as the run or the qrels, and what the error says.
REFUSED: list[tuple[str, Any, str]] = [
    ("run", {"query": {"0": 1}, "item": {"0": 2}, "score": {"0": 3}}, "holds columns, not rows.*pandas.DataFrame.data"),
    ("run", {"q": [{"doc_id": "a", "score": 1}]}, r"run = json.load\(open\(path\)\). Pass {query: .* in run.items"),
    ("run", {"q": {"a": "high"}}, "run 'q': .* 'a' is a str"),
    ("run", {"q": [0.5]}, "cannot be read as text"),
    ("run", OPENSEARCH, "'judgmentRatings' holds judgements. Pass it as qrels"),
    ("run", {**MTEB, "ab": {"test": SCORES, "dev": SCORES}}, r"2 splits. Pass those of one: run\['ab'\]\['test'\] or"),
    ("run", {**MTEB, "en": {"test": SCORES}, "de": {"dev": SCORES}}, r"run\['en'\]\['test'\] or run\['de'\]\['dev"),
    ("run", {**MTEB, "en": None}, "has the names of a tool's file, but not its form"),
    ("run", {"_source": {"m": "run.parquet"}}, "but 'm' is a str"),  # no path
    ("qrels", {"requests": [{"id": "q1", "ratings": [{"_id": "a"}]}]}, "but not its form .KeyError.'rating'"),
    ("qrels", {"judgmentRatings": []}, "the dict is empty"),
    ("qrels", {"test": GRADES}, "If 'test' is a split or another name above the queries, pass what it holds"),
    ("qrels", {"test": RELEVANT}, "If 'test' is a split or another name above the queries, pass what it holds"),
    ("qrels", {"schema": {"fields": []}, "data": []}, r"holds a table of pandas. .*pandas.DataFrame\(data\['data'\]\)"),
    ("qrels", {"columns": ["query"], "index": [0], "data": [["q1"]]}, r"Frame\(data\['data'\], columns=data\['columns"),
    ("qrels", [["q1", "a", 1]], r"holds lists or values, not objects. .* \[tuple\(row\) for row in data\]"),
]


@pytest.mark.parametrize(("side", "data", "message"), REFUSED)
def test_other_forms_are_refused_with_what_converts_them(side: str, data: Any, message: str, tmp_path: Path) -> None:
    fails(RecallError, message, evaluate, **{"run": SCORES, "qrels": GRADES, side: written(tmp_path, data)})


COLUMNS = {"query": ["q1", "q1", "q2"], "item": ["a", "b", "c"], "score": [0.9, 0.8, 0.7]}
PAIRS = {query: [*map(list, scores.items())] for query, scores in SCORES.items()}


@pytest.mark.parametrize("run", [COLUMNS, PAIRS, {"bm25": SCORES}, {"bm25": LISTS}])
def test_a_file_may_hold_columns_pairs_and_models_as_a_dict_does(run: Any, tmp_path: Path) -> None:
    result = evaluate(written(tmp_path, run), GRADES, "recall@1,2")
    assert (result.value("recall@1"), result.value("recall@2")) == (0.25, 0.75)


def test_names_above_the_queries_of_a_dict_may_be_a_split() -> None:
    fails(ArgumentTypeError, "If 'default' is a split or an", evaluate, SCORES, {"default": {"test": GRADES}})


def test_columns_that_the_question_names_are_no_queries(tmp_path: Path) -> None:
    path = written(tmp_path, {"u": {"0": 1}, "i": {"0": 2}})
    fails(DataError, "columns, not rows", evaluate, path, GRADES, query="u", item="i")


def test_a_single_row_is_a_row(tmp_path: Path) -> None:
    path = written(tmp_path, {"query": "q", "item": ["a", "b"], "relevant_docs": ["b"], "_source": {"title": "b"}})
    assert evaluate(path, metrics="rr", relevance="relevant_docs").value("rr") == 0.5
    hits = written(tmp_path, {"query": {"id": "q"}, "hits": {"ids": ["a", "b"]}})
    assert evaluate(hits, {"q": ["b"]}, "rr", query="query.id", item="hits.ids").value("rr") == 0.5


@pytest.mark.parametrize(("subset", "split"), [("default", "test"), ("en", "dev.v2")])
def test_predictions_of_mteb_are_below_their_subset_and_split(subset: str, split: str, tmp_path: Path) -> None:
    run = {**MTEB, subset: {split: SCORES}}
    for each in (run, written(tmp_path, run)):
        assert evaluate(each, GRADES, "recall@2").value("recall@2") == 0.75


def test_a_column_may_have_the_name_of_judgements() -> None:
    run = {"query": ["q1"], "item": ["a"], "score": [1], "requests": [3]}
    assert evaluate(run, {"q1": ["a"]}, "recall@1").value("recall@1") == 1.0


@pytest.mark.parametrize("side", ["run", "qrels"])
@pytest.mark.parametrize(
    "text",
    [
        '{"q1": ["a"], "q1": ["b"]}',
        '{"q1": {"a": 1}, "q1": {"b": 1}}',
        '{"q1": {"a": 1, "a": 2}}',
        '{"query": "q1", "item": {"a": 1, "a": 2}}\n{"query": "q2", "item": {"b": 1}}\n',
        '{"query": "q1", "query": "q2", "item": "a", "score": 1, "relevance": 1}\n',
    ],
)
def test_a_key_that_an_object_holds_twice_is_refused(text: str, side: str, tmp_path: Path) -> None:
    (path := tmp_path / "data.json").write_text(text)
    fails(DataError, "holds a key twice", evaluate, **{"run": SCORES, "qrels": GRADES, side: path})


def test_python_reads_a_comma_at_the_end_as_duckdb_does_and_refuses_numbers_of_many_digits(tmp_path: Path) -> None:
    (path := tmp_path / "run.json").write_text('{"q1": {"a": 2, "b": 1,}, "q2": {"c": 1},}')
    assert evaluate(path, GRADES, "rr").value("rr") == 0.75
    path.write_text('{"q1": {"a": ' + "1" * 5000 + "}}")
    fails(DataError, "cannot be read as json", evaluate, path, GRADES)


@pytest.mark.parametrize("side", ["run", "qrels"])
def test_an_item_that_a_map_in_parquet_holds_twice_is_refused(side: str, tmp_path: Path) -> None:
    maps = pa.array([[("a", 1.0), ("a", 2.0)]], pa.map_(pa.string(), pa.float64()))
    pq.write_table(pa.table({"query": ["q1"], "item": maps}), tmp_path / "data.parquet")
    fails(DataError, "more than once", evaluate, **{"run": SCORES, "qrels": GRADES, side: tmp_path / "data.parquet"})


def test_json_in_utf_16_is_refused_with_the_command_that_converts_it(tmp_path: Path) -> None:
    (tmp_path / "qrels.json").write_text(json.dumps(GRADES), encoding="utf-16")
    fails(DataError, "is not in UTF-8: .*Convert it, as in: iconv -f UTF-16", evaluate, SCORES, tmp_path / "qrels.json")


def test_a_field_of_lists_of_objects_is_suggested(tmp_path: Path) -> None:
    path = on_lines(tmp_path, [{"query": "q1", "results": [{"corpus_id": "a", "score": 1}]}])
    fails(UnknownNameError, r"no column 'item' .* Did you mean item='results.corpus_id'", evaluate, path, GRADES)


def test_maps_in_a_run_rank_items_by_their_scores(tmp_path: Path) -> None:
    path = on_lines(tmp_path, [{"query": query, "item": scores} for query, scores in SCORES.items()])
    assert evaluate(path, GRADES, "rr").value("rr") == 0.75
    frame = pd.DataFrame({"query": [*SCORES], "item": [*SCORES.values()]})
    assert evaluate({"maps": frame, "lists": LISTS}, GRADES, "rr").value("rr", model="maps") == 0.75
