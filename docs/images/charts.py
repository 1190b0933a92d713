"""Writes the pictures of the page of charts: `python docs/images/charts.py`. It needs the extra `report`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from recall_duckdb import evaluate
from recall_duckdb.cli import main

HERE = Path(__file__).resolve().parent


def draw(folder: Path) -> None:
    """Write the demo's data to a folder, and a picture of each chart next to this script."""
    os.chdir(folder)
    main(["demo"])
    runs = {name: f"demo/{name}.parquet" for name in ("popular", "personal")}
    metrics = ["ndcg@1-20", "recall@1-20"]
    result = evaluate(runs, "demo/watched.parquet", metrics, query="user_id", item="film_id")
    charts = {
        "curves": result.plot(),
        "changes": result.compare("popular").plot("ndcg@10"),
    }
    for name, chart in charts.items():
        chart.save(str(HERE / f"{name}.svg"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        draw(Path(made))
