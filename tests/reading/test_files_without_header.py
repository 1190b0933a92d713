"""Files without a header are read under the names that `columns` and `qrels_columns` give, and refused without them."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
from asking import error_of, fails, output_of

from recall_duckdb import ArgumentError, DataError, RecallError, check, evaluate, sql

RUN = {"1": ["10", "11"], "2": ["12", "10"]}
# User 1 likes item 10, which is first; user 2 likes item 10, which is second.
RATINGS = [("1", "10", "5", "881250949"), ("2", "10", "4", "881250950"), ("2", "12", "0", "881250951")]


def lines(rows: Sequence[tuple[str, ...]], separator: str = "\t") -> str:
    return "".join(f"{separator.join(row)}\n" for row in rows)


@pytest.mark.product
@pytest.mark.parametrize("separator", ["\t", "::", ",", ";", "|", " "])
@pytest.mark.parametrize("name", ["u.data", "u1.test", "ratings.dat", "ratings.csv", "ml.rating", "ratings.txt.gz"])
def test_the_columns_of_a_file_without_a_header_can_be_named(name: str, separator: str, tmp_path: Path) -> None:
    content = lines(RATINGS, separator).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    named: dict[str, Any] = {"columns": ["user", "item", "rating", "timestamp"]}
    result = evaluate(
        RUN, tmp_path / name, "recall@1,2", qrels_query="user", qrels_item="item", relevance="rating", **named
    )
    assert (result.value("recall@1"), result.value("recall@2")) == (0.5, 1.0)


def test_run_and_qrels_may_have_different_columns_without_a_header(tmp_path: Path) -> None:
    run, qrels = tmp_path / "run.csv", tmp_path / "u.data"
    run.write_text("1,10,0.9\n1,11,0.8\n2,12,0.7\n2,10,0.6\n")
    qrels.write_text(lines(RATINGS))
    named: dict[str, Any] = {"columns": "query,item,score", "qrels_columns": "query, item, relevance, timestamp"}
    assert evaluate(run, qrels, "recall@1", **named).value("recall@1") == 0.5
    assert list(check(run, qrels, "recall@1", **named)) == []
    written = sql(str(run), str(qrels), "recall@1", **named)
    assert duckdb.connect().execute(written).fetchall() == [("run", "recall", 1, 0.5, 2)]


def test_the_command_line_names_columns_with_commas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "run.csv").write_text("1,10,0.9\n1,11,0.8\n2,12,0.7\n2,10,0.6\n")
    (tmp_path / "u.data").write_text(lines(RATINGS))
    command = ["evaluate", str(tmp_path / "run.csv"), "--qrels", str(tmp_path / "u.data"), "-m", "recall@1"]
    names = ["--columns", "query,item,score", "--qrels-columns", "query,item,relevance,time"]
    assert "run,recall,1,0.5,2" in output_of(capsys, *command, *names, "--format", "csv")
    assert "--columns query,item,score names 3 columns, but the first line of" in error_of(capsys, *command, *names[:2])


@pytest.mark.parametrize("separator", [" ", "\t", ",", "::"])
def test_a_line_may_hold_a_user_and_any_number_of_items(separator: str, tmp_path: Path) -> None:
    path = tmp_path / "test.txt"
    path.write_text(lines([("1", "10", "13", "14"), ("2", "10"), ("3",)], separator))
    result = evaluate(RUN, path, "recall@2", columns="query,item,...")
    assert result.value("recall@2") == pytest.approx((1 / 3 + 1 + 0) / 3)  # user 3 likes nothing, which counts as 0
    assert evaluate(path, {"1": ["14"], "2": ["10"]}, "rr", columns="query,item,...").value("rr") == (1 / 3 + 1) / 2
    excluded = evaluate(RUN, {"1": ["11"]}, "recall@1", exclude=path, columns="query,item,...")
    assert excluded.value("recall@1") == 1.0  # without item 10


def test_the_first_user_may_have_no_items(tmp_path: Path) -> None:
    (tmp_path / "test.txt").write_text("3 \n1 10 13 14\n2 10\n")
    result = evaluate(RUN, tmp_path / "test.txt", "recall@2", columns="query,item,...")
    assert result.value("recall@2") == pytest.approx((1 / 3 + 1 + 0) / 3)


def test_a_query_may_begin_with_a_hash_if_columns_are_named(tmp_path: Path) -> None:
    (tmp_path / "judged.txt").write_text("#1 0 10 1\n#2 0 10 1\n")
    run = {"#1": ["10"], "#2": ["11"]}
    with pytest.raises(DataError, match="qrels_columns='query,iteration,item,relevance'"):
        evaluate(run, tmp_path / "judged.txt", "recall@1")
    named: dict[str, Any] = {"qrels_columns": "query,iteration,item,relevance"}
    assert evaluate(run, tmp_path / "judged.txt", "recall@1", **named).value("recall@1") == 0.5


@pytest.mark.parametrize(
    ("content", "named", "expected"),
    [
        ("1\t10\t5\t881\n", "query,item,relevance", "names 3 columns, but the first line of .* has 4 fields: '1.t10"),
        ("1 10 5\n1 11\n", "query,item,relevance", "line 2 of .* is malformed .*: 3 Found: 2"),
        ("1 10 5\n1 11 5 6\n", "query,item,relevance", "line 2 of .* is malformed .*: 3 Found: 4"),
        ("1 10 five\n", "query,item,relevance", "line 1 of .* converting column .relevance"),
        ("query,item,relevance\n1,10,5\n", "query,item,relevance", "qrels_columns: .* no such file was given"),
        ("1\n", "query,item,...", "the first line of .* holds one field: '1'"),
    ],
)
def test_a_file_that_does_not_fit_the_names_is_an_error(
    content: str, named: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "qrels.dat").write_text(content)
    fails(RecallError, expected, evaluate, RUN, tmp_path / "qrels.dat", "recall@1", qrels_columns=named)


@pytest.mark.parametrize("named", ["", "a,...", "a,...,b", "...", "a,b,c,...", "a,A", [], ["a", 1]])
def test_names_that_name_no_columns_are_an_error(named: Any) -> None:
    fails(RecallError, "^columns: ", evaluate, RUN, RUN, columns=named)


def test_names_for_data_that_have_names_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "qrels.qrels").write_text("1 0 10 1\n")
    both: dict[str, Any] = {"columns": "query,item,score", "qrels_columns": "query,x,item,relevance"}
    for options in (both, {"columns": "a,b"}):
        with pytest.raises(ArgumentError, match="no such file was given|names 2 columns"):
            evaluate(RUN, tmp_path / "qrels.qrels", "recall@1", **options)


@pytest.mark.parametrize(
    "option", [{"relevance": "rating"}, {"qrels_query": "user"}, {"qrels_item": "movie"}, {"score": "s"}, {"rank": "r"}]
)
def test_names_of_columns_for_a_trec_file_are_an_error(option: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 10 1 0.9 mine\n")
    (tmp_path / "qrels").write_text("1 0 10 1\n")
    with pytest.raises(ArgumentError, match=f"{next(iter(option))}: .* has fixed columns"):
        evaluate(tmp_path / "run", tmp_path / "qrels", "recall@1", **option)


def test_the_ranks_of_a_trec_run_are_read_as_the_error_says(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("1 Q0 10 1 0.5 mine\n1 Q0 11 2 0.9 mine\n")
    (tmp_path / "qrels").write_text("1 0 10 1\n")
    with pytest.raises(ArgumentError, match="scores order a TREC run") as caught:
        evaluate(tmp_path / "run", tmp_path / "qrels", "rr", rank="rank")
    columns, qrels_columns = re.findall(r"='(.*?)'", str(caught.value))
    named = {"columns": columns, "qrels_columns": qrels_columns, "rank": "rank"}
    assert evaluate(tmp_path / "run", tmp_path / "qrels", "rr", **named).value("rr") == 1
    assert evaluate(tmp_path / "run", tmp_path / "qrels", "rr").value("rr") == 0.5
