"""The benchmark data: candidates and judgements computed from row numbers, in the row orders that runs have."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SQL = Path(__file__).parent / "sql"
METRIC_SETS = {
    "k10": ["recall@1", "recall@3", "recall@5", "recall@10", "ndcg@10", "ap@10", "rr@10"],
    "k50": ["recall@5", "recall@10", "recall@20", "recall@50", "ndcg@10", "ap@10", "rr@50"],
    "whole": ["recall@5", "recall@10", "recall@20", "recall@50", "ndcg@10", "ap@10", "rr"],
}


@dataclass(frozen=True)
class DataSet:
    """A run, the qrels that judge it, and what is measured on them."""

    run: str  # the SQL file of the run
    qrels: str | None = "qrels"  # the SQL file of the qrels; None if the run holds the labels
    width: int = 100  # candidates for each query
    sets: tuple[str, ...] = ("k50",)  # the metric sets
    options: Mapping[str, Any] = field(default_factory=dict)  # further arguments of `evaluate`

    def files(self, folder: Path, rows: int) -> tuple[Path, Path | None]:
        """Return the run and qrels files with this number of candidates; None for qrels if the run has the labels."""
        run = build(folder, self.run, rows, self.width)
        return run, None if self.qrels is None else build(folder, self.qrels, rows, self.width)


DATA_SETS = {
    "clustered": DataSet("clustered", sets=("k10", "k50", "whole")),
    "shuffled": DataSet("shuffled", sets=("k10", "k50")), "ranked": DataSet("ranked", options={"rank": "rank"}),
    "labelled": DataSet("labelled", qrels=None, sets=("k10", "k50")), "ties": DataSet("ties"),
    "scaled": DataSet("scaled", sets=("k10", "k50")), "long": DataSet("clustered", width=10_000),
    "short": DataSet("clustered", width=10), "text": DataSet("text", qrels="text_qrels"),
}  # fmt: skip


def build(folder: Path, name: str, rows: int, width: int) -> Path:
    """Return the parquet file of an SQL file; build it in 2 GB of memory if the folder does not have it yet."""
    import duckdb

    candidates, statement = ((SQL / f"{each}.sql").read_text("utf-8") for each in ("candidates", name))
    # hash() may differ between versions, so files of two versions must not mix in a folder that is kept.
    version = hashlib.sha256(f"{duckdb.__version__} {candidates} {statement}".encode()).hexdigest()[:8]
    path = folder / f"{name}-{rows}x{width}-{version}.parquet"
    if not path.exists():
        unfinished = path.with_suffix(".unfinished")
        with duckdb.connect(config={"memory_limit": "2GB", "temp_directory": str(folder / "spill")}) as connection:
            connection.execute(candidates)
            values = {"rows": rows, "width": width, "path": str(unfinished)}
            connection.execute(f"COPY ({statement}) TO $path (FORMAT parquet)", values)
        unfinished.replace(path)
    return path
