"""Ids of run and qrels that have different types."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow
import pytest

from recall_duckdb import check, evaluate
from recall_duckdb.errors import ArgumentTypeError

RUN = {"query": [1, 1, 2], "item": [10, 7, 7], "score": [2.0, 1.0, 1.0]}


@pytest.mark.parametrize(
    ("queries", "items"),
    [
        (["1", "2"], ["7", "7"]),
        ([1.0, 2.0], [7.0, 7.0]),
        ([1, 2], ["7", "7"]),
        ([Decimal("1.00"), Decimal("2.00")], [Decimal("7.0"), Decimal("7.0")]),
    ],
)
def test_ids_of_different_types_compare_as_their_shortest_text(queries: list[Any], items: list[Any]) -> None:
    qrels = {"query": queries, "item": items, "relevance": [1, 1]}
    with pytest.raises(ArgumentTypeError, match=r"differ in type.*Cast one of them, or pass ids='text'"):
        evaluate(RUN, qrels, "rr")
    assert evaluate(RUN, qrels, "rr", ids="text").value("rr") == 0.75
    assert check(RUN, qrels, "rr", ids="text").clean


def test_other_numbers_keep_their_decimals() -> None:
    run = {"query": ["q", "q"], "item": ["0.5", "1"], "score": [2.0, 1.0]}
    qrels = {"query": ["q", "q"], "item": [0.5, 1.0], "relevance": [1, 0]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 1


def test_ids_of_one_type_stay_as_they_are() -> None:
    """Whole numbers order equal scores as numbers: 10 is above 7."""
    run = {**RUN, "score": [1.0, 1.0, 1.0]}
    qrels = {"query": [1], "item": [10], "relevance": [1]}
    assert evaluate(run, qrels, "rr", ids="text").value("rr") == 1
    as_text = {**qrels, "item": ["10"]}
    assert evaluate(run, as_text, "rr", ids="text").value("rr") == 0.5  # '10' is below '7'


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
