"""The benchmark data: candidates and judgements computed from row numbers, in the row orders that runs have."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.subjects import SQL

METRIC_SETS = {
    "k10": ["recall@1", "recall@3", "recall@5", "recall@10", "ndcg@10", "ap@10", "rr@10"],
    "k50": ["recall@5", "recall@10", "recall@20", "recall@50", "ndcg@10", "ap@10", "rr@50"],
    "whole": ["recall@5", "recall@10", "recall@20", "recall@50", "ndcg@10", "ap@10", "rr"],
    "one": ["recall@10"],
    "few": ["recall@10", "ndcg@10", "ap@10", "rr@10"],
}


@dataclass(frozen=True)
class DataSet:
    """A run, the qrels that judge it, and what is measured on them.

    Attributes:
        run: the SQL file of the run.
        qrels: the SQL file of the qrels; None if the run holds the labels.
        width: candidates for each query.
        shape: what the run has: "scores", "ranks" or "labels".
        sets: the metric sets.
        options: further arguments of `evaluate`.
    """

    run: str
    qrels: str | None = "qrels"
    width: int = 100
    shape: str = "scores"
    sets: tuple[str, ...] = ("k50",)
    options: Mapping[str, Any] = field(default_factory=dict)


DATA_SETS = {
    "clustered": DataSet("clustered", sets=("k10", "k50", "whole", "one")),
    "shuffled": DataSet("shuffled", sets=("k10", "k50")),
    "sorted": DataSet("sorted"),
    "ranked": DataSet("ranked", shape="ranks", options={"rank": "rank"}),
    "labelled": DataSet("labelled", qrels=None, shape="labels", sets=("k10", "k50")),
    "ties": DataSet("ties"),
    "scaled": DataSet("scaled", sets=("k10", "k50")),
    "long": DataSet("clustered", width=10_000),
    "short": DataSet("clustered", width=10),
    "text": DataSet("text", qrels="text_qrels"),
}
# The libraries take minutes for more than 1 M rows. 100 M rows show how cost grows.
FULL_RUN: dict[int, dict[str, tuple[str, ...]]] = {
    1_000_000: {"clustered": ("k50", "whole")},
    20_000_000: {name: data_set.sets for name, data_set in DATA_SETS.items()},
    100_000_000: {"clustered": ("k50",), "shuffled": ("k50",)},
}


def build(folder: Path, name: str, rows: int, width: int, names: Sequence[str] = ()) -> Path:
    """Return the parquet file of an SQL file; build it in 2 GB of memory if the folder does not have it yet.

    `names` gives its columns other names, in their order.
    """
    import duckdb

    candidates = (SQL / "candidates.sql").read_text("utf-8")
    statement = (SQL / f"{name}.sql").read_text("utf-8")
    if names:
        quoted = ['"' + each.replace('"', '""') + '"' for each in names]
        statement = f"SELECT * FROM ({statement}) AS named ({', '.join(quoted)})"
    # hash() may differ between versions, so files of two versions must not mix in a folder that is kept.
    version = hashlib.sha256(f"{duckdb.__version__} {candidates} {statement}".encode()).hexdigest()[:8]
    path = folder / f"{name}-{rows}x{width}-{version}.parquet"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        with duckdb.connect(config={"memory_limit": "2GB", "temp_directory": str(folder / "spill")}) as connection:
            connection.execute(candidates)
            connection.execute(
                f"COPY ({statement}) TO $path (FORMAT parquet)",
                {"rows": rows, "width": width, "path": str(unfinished)},
            )
        unfinished.replace(path)
    return path


def files(folder: Path, name: str, rows: int) -> tuple[Path, Path | None]:
    """Return the run and qrels files of a data set; None for qrels if the run holds the labels."""
    data_set = DATA_SETS[name]
    run = build(folder, data_set.run, rows, data_set.width)
    return run, None if data_set.qrels is None else build(folder, data_set.qrels, rows, data_set.width)
