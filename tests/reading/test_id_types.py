"""Ids of run and qrels that have different types."""

from __future__ import annotations

import json
import math
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import duckdb
import pyarrow
import pytest
from asking import fails

from recall_duckdb import check, evaluate
from recall_duckdb.errors import ArgumentTypeError, DataError

RUN = {"query": [1, 1, 2], "item": [10, 7, 7], "score": [2.0, 1.0, 1.0]}


@pytest.mark.parametrize(
    ("queries", "items"),
    [(["1", "2"], ["7", "7"]), ([1, 2], ["7", "7"]), ([*map(Decimal, ("1.00", "2.00"))], [Decimal("7.0")] * 2)],
)
def test_ids_of_different_types_compare_as_their_shortest_text(queries: list[Any], items: list[Any]) -> None:
    qrels = {"query": queries, "item": items, "relevance": [1, 1]}
    fails(ArgumentTypeError, r"differ in type.*Cast one of them, or pass ids='text'", evaluate, RUN, qrels, "rr")
    assert evaluate(RUN, qrels, "rr", ids="text").value("rr") == 0.75
    assert check(RUN, qrels, "rr", ids="text").clean


def test_text_is_not_advised_for_lists_that_it_does_not_read() -> None:
    run = {"query": [1, 2], "item": ["10", "7"], "score": [2, 1]}
    qrels = pyarrow.table({"query": [1, 2], "item": [[0.5], [1.5]], "relevance": [1, 1]})
    fails(ArgumentTypeError, "ids compare within one type. Cast one of them$", evaluate, run, qrels, "rr")


@pytest.mark.parametrize("items", [["007", "010"], ["x", "y"]])
def test_ids_that_do_not_match_as_text_are_named(items: list[str]) -> None:
    run = {"query": [1, 2], "item": [10, 7], "score": [2, 1]}
    qrels = {"query": [1, 2], "item": items, "relevance": [1, 1]}
    assert "no_common_item" in [fault.check for fault in check(run, qrels, "rr", ids="text")]


def test_other_numbers_keep_their_decimals() -> None:
    run = {"query": ["q", "q"], "item": ["0.5", "1"], "score": [2.0, 1.0]}
    qrels = {"query": ["q", "q"], "item": [0.5, 1.0], "relevance": [1, 0]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 1


@pytest.mark.parametrize("judged", [4.5, "4.5", Decimal("4.500")])
def test_decimals_have_no_zeros_at_the_end_of_their_text(judged: Any) -> None:
    run = {"query": ["q", "q"], "item": [Decimal("7.00"), Decimal("4.50")], "score": [2.0, 1.0]}
    qrels = {"query": ["q"], "item": [judged], "relevance": [1]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 0.5
    assert evaluate(run, {**qrels, "item": ["7"]}, "rr", ids="text").value("rr") == 1


def test_ids_of_one_type_stay_as_they_are() -> None:
    """Whole numbers order equal scores as numbers: 10 is above 7."""
    run = {**RUN, "score": [1.0, 1.0, 1.0]}
    qrels = {"query": [1], "item": [10], "relevance": [1]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 1
    assert evaluate(run, {**qrels, "item": [10.0]}, "rr").value("rr") == 1
    assert evaluate(run, {**qrels, "item": ["10"]}, "rr", ids="text").value("rr") == 0.5  # '10' is below '7'


def test_a_csv_file_compares_with_whole_numbers_as_text(tmp_path: Path) -> None:
    (tmp_path / "qrels.csv").write_text("query,item,relevance\n1,7,1\n2,x7,1\n")
    assert evaluate(RUN, tmp_path / "qrels.csv", "rr", ids="text").value("rr") == 0.25


def test_lists_compare_as_text() -> None:
    run = {"query": [1], "item": [["a", "7"]]}
    qrels = {"query": ["1"], "item": [[7]]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 0.5
    floats = pyarrow.table({"query": ["1"], "item": pyarrow.array([[7.0]])})
    with pytest.raises(ArgumentTypeError, match="holds lists or maps of DOUBLE, which cannot be read as text"):
        evaluate(run, floats, "rr", ids="text")


def test_optional_inputs_compare_as_text_too() -> None:
    qrels = {"query": [1, 2], "item": [7, 7], "relevance": [1, 1]}
    excluded = {"query": ["1"], "item": ["10"]}
    assert evaluate(RUN, qrels, "rr", ids="text", exclude=excluded).value("rr") == 1


def of_types(run: str, qrels: str, run_id: str = "7", qrels_id: str = "7", **given: Any) -> float | None:
    """Return the recall of a list of one item, with ids of these types."""
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE run AS SELECT 1 AS query, CAST({run_id} AS {run}) AS item, 1 AS score")
    connection.execute(f"CREATE TABLE qrels AS SELECT 1 AS query, CAST({qrels_id} AS {qrels}) AS item, 1 AS relevance")
    return evaluate("run", "qrels", "recall", connection=connection, **given).value("recall")


WHOLE = ["TINYINT", "BIGINT", "UBIGINT", "HUGEINT", "DECIMAL(38, 0)", "DECIMAL(4, 0)", "FLOAT", "DOUBLE"]


@pytest.mark.product
@pytest.mark.parametrize("run", WHOLE)
@pytest.mark.parametrize("qrels", ["BIGINT", "DECIMAL(38, 0)"])
def test_whole_numbers_of_any_type_are_the_same_id(run: str, qrels: str) -> None:
    assert of_types(run, qrels) == of_types(qrels, run) == 1
    assert of_types(run, qrels, "8") == 0


def test_decimals_compare_with_whole_numbers_of_39_digits_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text(f"query,item,score\nq,{17 * 10**37},2\nq,7,1\n")
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE qrels AS SELECT 'q' AS query, CAST(7 AS DECIMAL(38, 0)) AS item, 1 AS relevance"
        )
        assert evaluate(tmp_path / "run.csv", "qrels", "rr", connection=connection).value("rr") == 0.5


@pytest.mark.parametrize("kinds", [("BIGINT", "DECIMAL(38, 0)"), ("HUGEINT", "DECIMAL(38, 0)"), ("UBIGINT", "HUGEINT")])
def test_large_whole_numbers_compare_exactly(kinds: tuple[str, str]) -> None:
    for run, qrels in (kinds, kinds[::-1]):
        assert of_types(run, qrels, "9007199254740993", "9007199254740993") == 1
        assert of_types(run, qrels, "9007199254740993", "9007199254740992") == 0


@pytest.mark.parametrize(
    ("run", "qrels"),
    [
        *[("UHUGEINT", other) for other in ("TINYINT", "HUGEINT", "DECIMAL(38, 0)", "DOUBLE")],
        *[("DECIMAL(10, 2)", other) for other in ("DOUBLE", "BIGINT", "DECIMAL(38, 1)")],
        ("FLOAT", "DOUBLE"),
    ],
)
def test_types_that_do_not_compare_exactly_are_refused(run: str, qrels: str) -> None:
    for one, other in ((run, qrels), (qrels, run)):
        fails(ArgumentTypeError, r"differ in type.*ids compare within one type. Cast one of them", of_types, one, other)


@pytest.mark.parametrize("ids", ["typed", "text"])
@pytest.mark.parametrize(("kind", "large"), [("DOUBLE", 2**53), ("FLOAT", 2**24)])
def test_floating_point_ids_must_be_exact(kind: str, large: int, ids: str) -> None:
    assert of_types(kind, kind, str(large - 1), str(large - 1), ids=ids) == 1
    for other in (kind, "BIGINT", "VARCHAR"):
        expected = f"column 'item' holds ids as floating-point numbers, and some are so large.* for example {large:.1f}"
        fails(DataError, expected.replace("+", r"\+"), of_types, kind, other, str(large), str(large), ids=ids)


def test_floating_point_ids_are_looked_at_anew_in_each_evaluation() -> None:
    qrels = pyarrow.table({"query": [1.0], "item": [7], "relevance": [1]})
    for item, query in ((7, 1.0), (8, 1.0), (7, 2.0**60), (7, 1.0)):
        run = pyarrow.table({"query": [query], "item": [item], "score": [1]})
        if query > 1:
            fails(DataError, "column 'query' holds ids as floating-point numbers", evaluate, run, qrels, "recall")
        else:
            assert evaluate(run, qrels, "recall").value("recall") == (item == 7)


def test_fractions_do_not_compare_with_whole_numbers() -> None:
    expected = "the ids of the other source are whole numbers, but column 'item' holds other values, for example 7.5"
    fails(DataError, expected, of_types, "DOUBLE", "BIGINT", "7.5")
    assert of_types("DOUBLE", "DOUBLE", "7.5", "7.5") == 1


def test_nan_is_no_id() -> None:
    run = pyarrow.table({"query": [1, 1], "item": [7.0, math.nan], "score": [2, 1]})
    qrels = pyarrow.table({"query": [1], "item": [7.0], "relevance": [1]})
    fails(DataError, "Column 'item' is NULL in the run", evaluate, run, qrels, "recall")
    assert evaluate(run, qrels, "num_ret", nulls="drop").value("num_ret") == 1


def test_lists_of_floating_point_ids_are_read_as_whole_numbers() -> None:
    qrels = {"query": [1], "item": [7], "relevance": [1]}
    for items, message in (
        ([7.0, 8.0], ""),
        ([7.0, math.nan], "or are NaN in a list, for example nan"),
        ([7.5], "7.5"),
    ):
        run = pyarrow.table({"query": [1], "item": [items]})
        if message:
            fails(DataError, message, evaluate, run, qrels, "recall")
        else:
            assert evaluate(run, qrels, "recall").value("recall") == 1


def test_large_decimals_compare_as_their_shortest_text() -> None:
    number = "9007199254740993"
    assert of_types("DECIMAL(38, 2)", "VARCHAR", number, f"'{number}'", ids="text") == 1


@pytest.mark.parametrize("last", ["abc", 1.5])
def test_ids_in_json_may_be_text_below_the_rows_that_duckdb_looks_at(tmp_path: Path, last: object) -> None:
    rows = [*range(1, 30_000), last]
    lines = [json.dumps({"query": place, "item": item, "score": 1}) for place, item in enumerate(rows)]
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    qrels = {"query": [5, len(rows) - 1], "item": ["6", str(last)], "relevance": [1, 1]}
    assert evaluate(tmp_path / "run.jsonl", qrels, "rr").value("rr") == 1


@pytest.mark.parametrize("arguments", [{"model": "group"}, {"by": "group"}])
def test_models_and_slices_in_json_are_not_rounded_to_others(tmp_path: Path, arguments: dict[str, Any]) -> None:
    groups = [*[1] * 20_480 * 3, 1.5, 2]  # the first rows make the column whole numbers, in which 1.5 would be 2
    lines = [json.dumps({"query": place, "item": 1, "score": 1, "group": group}) for place, group in enumerate(groups)]
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    last = len(groups) - 1
    asked: dict[str, Any] = {"run": tmp_path / "run.jsonl", "metrics": "rr", **arguments}
    asked["qrels"] = {"query": [0, last - 1, last], "item": [1, 1, 1], "relevance": [1, 1, 1]}
    found = {row.get("group", row["model"]) for row in evaluate(**asked).to_dicts()}
    assert found - {None} == {"1", "1.5", "2"}


def test_ids_in_json_keep_all_their_digits(tmp_path: Path) -> None:
    numbers = ["12345678901234567890123", "12345678901234567890124"]
    lines = [f'{{"query": 1, "item": {number}, "score": 1}}' for number in numbers]
    (tmp_path / "run.jsonl").write_text("\n".join(lines))
    qrels = {"query": ["1"], "item": numbers[1:], "relevance": [1]}
    assert evaluate(tmp_path / "run.jsonl", qrels, "rr").value("rr") == 1 / 2 ** (numbers[1] < numbers[0])


KINDS = {"csv": "query,item,score\n1,{0},2\n1,other,1\n", "trec": "1 Q0 {0} 1 2 tag\n1 Q0 other 2 1 tag\n"}


@pytest.mark.parametrize("kind", [*KINDS, "jsonl"])
@pytest.mark.parametrize(
    ("written", "item"),
    [
        ("7", 7),
        ("7", 7.0),
        ("7.5", Decimal("7.50")),
        ("2024-01-07", date(2024, 1, 7)),
        ("00000000-0000-0000-0000-00000000000a", UUID(int=10)),
    ],
)
def test_ids_of_text_files_equal_the_shortest_text_of_other_types(
    kind: str, written: str, item: Any, tmp_path: Path
) -> None:
    path = tmp_path / f"run.{kind}"
    path.write_text(KINDS.get(kind, '{{"query": 1, "item": "{0}", "score": 2}}').format(written))
    assert evaluate(path, {"query": [1], "item": [item], "relevance": [1]}, "rr").value("rr") == 1


@pytest.mark.parametrize(("written", "item"), [
    *[(each, 7) for each in ("007", "+7", "7.0", "7_0")],
    *[("7.50", 7.5), ("2024-1-7", date(2024, 1, 7)), ("00000000-0000-0000-0000-00000000000A", UUID(int=10))],
])  # fmt: skip
def test_another_spelling_of_an_id_is_refused(written: str, item: Any, tmp_path: Path) -> None:
    for kind, text in KINDS.items():
        path, qrels = tmp_path / f"run.{kind}", {"query": [1], "item": [item], "relevance": [1]}
        path.write_text(text.format(written))
        expected = rf"'item' are spelled in another way than in the other source \(1\).* for example '{written}'"
        fails(DataError, expected.replace("+", r"\+"), evaluate, path, qrels)
        assert evaluate(path, {**qrels, "item": [written]}, "rr", ids="text").value("rr") == 1


@pytest.mark.parametrize(
    ("written", "refused"), [("7.0", "run"), ('"007"', "run"), ("7", ""), ('"7"', ""), ('"x7"', "")]
)
def test_numbers_in_json_are_spelled_in_one_way(written: str, refused: str, tmp_path: Path) -> None:
    (tmp_path / "run.jsonl").write_text(f'{{"query": 1, "item": {written}, "score": 1}}')
    (tmp_path / "qrels.jsonl").write_text('{"query": 1, "item": 7, "relevance": 1}')
    asked = tmp_path / "run.jsonl", tmp_path / "qrels.jsonl", "rr"
    if refused:
        fails(DataError, "run .* 'item' are spelled in another way than in the other source", evaluate, *asked)
    else:
        assert evaluate(*asked, empty="allow").value("rr") == (written != '"x7"')
