"""Files of text are read as tools write them, or refused by name: separators, blanks, headers and encodings."""

from __future__ import annotations

import codecs
import pickle
from pathlib import Path
from typing import Any

import duckdb
import pytest

from recall_duckdb import ArgumentError, DataError, check, evaluate

QRELS = {"q1": ["d1"], "q2": ["d, 2"]}


# The list b, a of a query in files of text, and the arguments that name its columns.
LISTS: dict[str, tuple[str, dict[str, Any]]] = {
    "run.csv": ("query,item,score,lang\nq,a,0.5,en\nq,b,0.6,en\n", {}),
    "run.trec": ("q Q0 a 2 0.5 t\nq Q0 b 1 0.6 t\n", {}),
    "rows.jsonl": ('{"query": "q", "item": "a", "score": 0.5}\n{"query": "q", "item": "b", "score": 0.6}\n', {}),
    "lists.jsonl": ('{"query": "q", "item": ["b", "a"]}\n', {}),
    "objects.jsonl": ('{"query": "q", "hits": [{"doc": "b"}, {"doc": "a"}]}\n', {"item": "hits.doc"}),
    "lists.txt": ("q b a\n", {"columns": ["query", "item", "..."]}),
}


@pytest.mark.parametrize("name", LISTS)
def test_the_statement_of_a_result_reads_its_files(name: str, tmp_path: Path) -> None:
    text, names = LISTS[name]
    (tmp_path / name).write_text(text)
    (tmp_path / "qrels.csv").write_text("query,item,relevance\nq,a,1\n")
    result = evaluate(tmp_path / name, tmp_path / "qrels.csv", "rr", qrels_item="item", **names)
    for each in (result, pickle.loads(pickle.dumps(result))):
        assert [row[3] for row in duckdb.execute(each.sql).fetchall()] == [result.value("rr")] == [0.5]


@pytest.mark.parametrize(
    "content",
    [
        'query, item, score\nq1, d1, 0.5\nq1, d2, 0.4\nq2, "d, 2", 0.5\n',
        'query,item,score\nq1, d1, 0.5\nq1, d2, 0.4\nq2, "d, 2", 0.5\n',
        'query, item, score\nq1,d1,0.5\nq1,d2,0.4\nq2,"d, 2",0.5\n',
        'query; item; score\nq1; d1; 0.5\nq1; d2; 0.4\nq2; "d, 2"; 0.5\n',
        "query\t item\t score\nq1\t d1\t 0.5\nq1\t d2\t 0.4\nq2\t d, 2\t 0.5\n",
    ],
)
def test_a_blank_after_each_comma_is_no_part_of_an_id(content: str, tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text(content)
    assert evaluate(tmp_path / "run.csv", QRELS, "recall@1").value("recall@1") == 1.0
    assert [fault.check for fault in check(tmp_path / "run.csv", QRELS, "recall@1")] == []


def test_a_blank_before_some_ids_is_part_of_them(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text('query,item,score\nq1," d1",0.5\nq1,d2,0.4\n')
    assert evaluate(tmp_path / "run.csv", {"q1": [" d1"]}, "recall@1").value("recall@1") == 1.0


@pytest.mark.product
@pytest.mark.parametrize("ending", ["csv", "dat", "txt", "inter"])
@pytest.mark.parametrize("separator", ["::", "\t", ",", ";", "|", " "])
def test_a_header_names_the_columns_whatever_the_ending_and_separator(
    separator: str, ending: str, tmp_path: Path
) -> None:
    rows = [("user_id", "item_id", "rating"), ("q1", "d1", "5"), ("q2", "d3", "1")]
    path = tmp_path / f"ratings.{ending}"
    path.write_text("".join(f"{separator.join(row)}\n" for row in rows))
    names: dict[str, Any] = {"qrels_query": "user_id", "qrels_item": "item_id", "relevance": "rating"}
    assert evaluate({"q1": ["d1"], "q2": ["d1"]}, path, "recall@1", **names).value("recall@1") == 0.5


def test_the_types_in_a_header_of_recbole_are_no_part_of_its_names(tmp_path: Path) -> None:
    path = tmp_path / "ml-100k.inter"
    path.write_text(
        "user_id:token\titem_id:token\trating:float\ttimestamp:float\n1\t10\t3\t881250949\n2\t11\t1\t8812\n"
    )
    run = {"user_id": ["1", "2"], "item_id": ["10", "10"], "score": [0.5, 0.5]}
    names: dict[str, Any] = {"query": "user_id", "item": "item_id", "relevance": "rating"}
    assert evaluate(run, path, "recall@1", **names).value("recall@1") == 0.5
    named = {**names, "query": "user_id", "qrels_query": "user_id:token"}
    assert evaluate(run, path, "recall@1", **named).value("recall@1") == 0.5


@pytest.mark.product
@pytest.mark.parametrize("character", ["\x01", "\x02", "\x1f"])
@pytest.mark.parametrize(
    ("name", "line", "columns"),
    [
        ("qrels.csv", "query,item,relevance\nq1,{item},1\n", None),
        ("qrels.txt", "q1 0 {item} 1\n", None),
        ("qrels.inter", "q1 {item}\n", ["query", "item", "..."]),
    ],
)
def test_an_id_may_hold_a_control_character(
    name: str, line: str, columns: list[str] | None, character: str, tmp_path: Path
) -> None:
    item = f"d{character}1"
    (tmp_path / name).write_text(line.format(item=item))
    assert evaluate({"q1": ["d2", item]}, tmp_path / name, "rr", qrels_columns=columns).value("rr") == 0.5


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("beir.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td3\t1\n"),
        ("quepid.csv", "query,docid,rating\nq1,d1,1\nq2,d3,1\n"),
        ("quepid.csv", "query,doc_id,rating\nq1,d1,1\nq2,d3,1\n"),
    ],
)
def test_the_columns_of_qrels_that_tools_write_need_no_names(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    run = {"q1": ["d1"], "q2": ["d1"]}
    assert evaluate(run, tmp_path / name, "recall@1").value("recall@1") == 0.5
    scored = {"query": ["q1", "q2"], "item": ["d1", "d1"], "score": [0.5, 0.5]}
    assert evaluate(scored, tmp_path / name, "recall@1").value("recall@1") == 0.5


def test_a_frame_of_beir_needs_no_names() -> None:
    qrels = {"query-id": ["q1", "q2"], "corpus-id": ["d1", "d3"], "score": [1, 1]}
    assert evaluate({"q1": ["d1"], "q2": ["d1"]}, qrels, "recall@1").value("recall@1") == 0.5


@pytest.mark.parametrize("name", ["qrels.csv", "qrels.tsv", "judged.qrels", "qrels.txt"])
@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_file_in_utf_16_is_an_error_with_the_command_that_converts_it(name: str, mark: bytes, tmp_path: Path) -> None:
    encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    (tmp_path / name).write_bytes(mark + "query,item,relevance\nq1,d1,1\n".encode(encoding))
    with pytest.raises(DataError, match=rf"qrels: .*{name}' is not in UTF-8. Convert it, .* iconv -f UTF-16"):
        evaluate({"q1": ["d1"]}, tmp_path / name, "recall@1")


def test_files_of_different_formats_are_refused_with_the_query_that_reads_them(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("query,item,score\nq1,d1,1\n")
    (tmp_path / "b.json").write_text('[{"query": "q2", "item": "d1", "score": 1}]')
    paths, judged = [tmp_path / "a.csv", tmp_path / "b.json"], {"q1": ["d1"]}
    query = f"(FROM '{paths[0]}' UNION ALL BY NAME FROM '{paths[1]}')"
    for run, qrels in ((paths, judged), (judged, paths), (judged, str(tmp_path / "*"))):
        with pytest.raises(ArgumentError, match="different formats: .*FROM .*a.csv' UNION ALL BY NAME FROM .*b.json'"):
            evaluate(run, qrels)
    assert evaluate(judged, query, "recall@1", relevance="score").value("recall@1") == 0.5


def test_a_column_that_one_of_several_files_lacks_is_named(tmp_path: Path) -> None:
    (tmp_path / "r1.csv").write_text("query,item,score\nq1,d1,0.5\n")
    other = tmp_path / "r2.csv"
    other.write_text("query,doc,score\nq2,d1,0.5\n")
    with pytest.raises(DataError, match="r2.csv' has no column 'item', which other files of .*Name the columns of all"):
        evaluate(tmp_path / "r*.csv", {"q2": ["d1"]}, "recall@1")
    other.write_text(other.read_text().replace("doc", "item"))
    assert evaluate(tmp_path / "r*.csv", {"q2": ["d1"]}, "recall@1").value("recall@1") == 1.0
