"""NaN in parquet is always found, although DuckDB 2 decides isnan(x) by statistics, which leave out NaN."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from pathlib import Path
from re import escape
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from asking import Patch, fails
from forms import only, with_any_number_of_rows
from pyarrow import parquet
from random_data.naming import some_names
from random_data.relations import quoted

from recall_duckdb import check, evaluate
from recall_duckdb.errors import DataError

NAN = float("nan")
QRELS = {"query": ["q"], "item": ["a"], "relevance": [1.0]}
COLUMNS: dict[str, list[float | None]] = {
    "nan and one": [NAN, 1.0],
    "one and nan": [1.0, NAN],
    "one, two and nan": [1.0, 2.0, NAN],
    "null and nan": [None, NAN],
    "only nan": [NAN],
    "zeros and nan": [0.0, -0.0, NAN],
    "infinities and nan": [float("inf"), float("-inf"), NAN],
}
WRITERS: dict[str, Callable[[pa.Table, Path], Any]] = {
    "pyarrow": parquet.write_table,
    "pyarrow, one row per group": lambda table, path: parquet.write_table(table, path, row_group_size=1),
    "polars": lambda table, path: pl.DataFrame(table).write_parquet(path, statistics="full"),
    "pandas": lambda table, path: table.to_pandas(types_mapper=pd.ArrowDtype).to_parquet(path),
}


def written(
    path: Path, numbers: Sequence[float | None], *, column: str = "score", write: str = "pyarrow", bits: int = 64
) -> Path:
    """Write a parquet file with one query, whose items a, b, … have these numbers, and return its path."""
    kind = pa.float64() if bits == 64 else pa.float32()
    items = list("abcdef"[: len(numbers)])
    table = pa.table({"query": ["q"] * len(items), "item": items, column: pa.array(numbers, kind)})
    WRITERS[write](table, path)
    return path


@pytest.mark.product
@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("numbers", COLUMNS.values(), ids=COLUMNS)
def test_a_nan_score_or_relevance_is_refused(
    tmp_path: Path, numbers: list[float | None], write: str, bits: int
) -> None:
    run = written(tmp_path / "run.parquet", numbers, write=write, bits=bits)
    fails(DataError, "Column 'score' is NULL or NaN", evaluate, run, QRELS, "rr")
    [fault] = [fault for fault in check(run, QRELS) if fault.check == "run_scores"]
    assert fault.faults == sum(number is None or isnan(number) for number in numbers)
    if float("inf") not in numbers:
        qrels = written(tmp_path / "qrels.parquet", numbers, column="relevance", write=write, bits=bits)
        sound = {"query": ["q"], "item": ["a"], "score": [1.0]}
        fails(DataError, "Column 'relevance' is NULL or NaN", evaluate, sound, qrels, "rr")


@pytest.mark.parametrize("numbers", [[NAN, 1.0], [1.0, NAN], [1.0, 2.0, NAN]])
def test_a_nan_score_is_dropped_or_ranked_last(tmp_path: Path, numbers: list[float]) -> None:
    run = written(tmp_path / "run.parquet", numbers)
    nan = "abc"[list(map(isnan, numbers)).index(True)]
    judged = {**QRELS, "item": [nan]}
    dropped = evaluate(run, judged, "rr", nulls="drop")
    assert (dropped.value("rr"), dropped.counts["run"].run_rows_dropped) == (0.0, 1)
    assert evaluate(run, judged, "rr", nulls="last").value("rr") == 1 / len(numbers)


def test_a_nan_in_a_map_of_relevance_is_refused(tmp_path: Path) -> None:
    kind = pa.map_(pa.string(), pa.float64())
    maps = pa.array([[("a", NAN), ("b", 1.0)]], kind)
    parquet.write_table(pa.table({"query": ["q"], "item": [["b", "a"]], "relevance": maps}), tmp_path / "cases.parquet")
    fails(DataError, "Column 'relevance' is NULL or NaN", evaluate, tmp_path / "cases.parquet", metrics="rr")


def test_a_nan_weight_is_refused(tmp_path: Path) -> None:
    run = {"query": ["q", "r"], "item": ["a", "a"], "score": [1.0, 1.0]}
    qrels = {"query": ["q", "r"], "item": ["a", "a"], "relevance": [1, 1]}
    parquet.write_table(pa.table({"query": ["q", "r"], "weight": [1.0, NAN]}), tmp_path / "weights.parquet")
    fails(DataError, "weight", evaluate, run, qrels, "rr", weights=tmp_path / "weights.parquet")


def test_a_nan_is_found_in_views_relations_and_globs(tmp_path: Path) -> None:
    path = written(tmp_path / "run.parquet", [1.0, NAN])
    with duckdb.connect() as connection:
        connection.execute(f"CREATE VIEW run AS SELECT * FROM '{path}'")
        relation = connection.sql(f"SELECT * FROM '{path}' WHERE query = 'q'")
        for run in ("run", relation, str(tmp_path / "*.parquet"), [path]):
            fails(DataError, "Column 'score' is NULL or NaN", evaluate, run, QRELS, "rr", connection=connection)


KEYS = {"numbers": "recall@10", "numbers of whole lists": "ap", "cutoff": "recall@10", "row": "ap"}


@pytest.mark.product
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("column", ["score", "relevance"])
@pytest.mark.parametrize("key", KEYS)
def test_every_key_finds_a_nan(tmp_path: Path, monkeypatch: Patch, key: str, column: str, labelled: bool) -> None:
    with_any_number_of_rows(monkeypatch)
    only(monkeypatch, key.partition(" ")[0])
    names: dict[str, Any] = dict(
        zip(("query", "item", "score", "relevance"), some_names(4, (key, column, labelled)), strict=True)
    )
    values = {"score": "1.0", "relevance": "CAST(i % 7 = 0 AS DOUBLE)"}
    values[column] = f"CASE WHEN i = 353 THEN 'nan'::DOUBLE ELSE {values[column]} END"
    columns = ", ".join(f"{value} AS {quoted(names[name])}" for name, value in values.items())
    ids = f"query AS {quoted(names['query'])}, item AS {quoted(names['item'])}"
    with duckdb.connect() as connection:
        numbers = "SELECT i, i // 50 AS query, i % 50 AS item FROM range(3000) AS t (i)"
        rows = connection.sql(f"SELECT {ids}, {columns} FROM ({numbers})").to_arrow_table()
        parquet.write_table(rows, tmp_path / "run.parquet")
        parquet.write_table(rows.drop_columns(names["score"]), tmp_path / "qrels.parquet")
        run, qrels = tmp_path / "run.parquet", None if labelled else tmp_path / "qrels.parquet"
        with pytest.raises(DataError, match=rf"{escape(repr(names[column]))} is NULL or NaN \(1 case\)"):
            evaluate(run, qrels, KEYS[key], **names)
        counts = evaluate(run, qrels, KEYS[key], nulls="drop", **names).counts["run"]
        # A labelled row is dropped as a whole.
        expected_drops = (labelled or column == "score", labelled or column == "relevance")
        assert (counts.run_rows_dropped, counts.qrels_rows_dropped) == expected_drops
