"""Writes the other pictures in this folder, of real data: `python docs/images/screens.py`.

They are a report of two and of ten models, a notebook and a chart. The ten models are the two recommenders of
fixtures/movielens and mixtures of their ranks. The script needs what report.py needs.
"""

from __future__ import annotations

import html
import runpy
import shutil
import tempfile
from pathlib import Path
from typing import Any

import duckdb

from recall_duckdb import Result, evaluate

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MIXTURES = [f"mixture {share}0 %" for share in range(1, 9)]
METRICS = ["ndcg@10", "recall@10", "rr", "hit_rate@10"]
COLUMNS: dict[str, Any] = {"query": "user_id", "item": "movie_id", "relevance": "rating"}
# The share of a mixture is that of item_cosine. A movie that a model does not list has rank 1,000 in it.
MIXTURE = """
    SELECT user_id, movie_id,
      $share / (60 + coalesce(cosine.rank, 1000)) + (1 - $share) / (60 + coalesce(popular.rank, 1000)) AS score
    FROM (SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY score DESC, movie_id) AS rank
          FROM read_parquet($cosine)) AS cosine
    FULL JOIN (SELECT *, row_number() OVER (PARTITION BY user_id ORDER BY score DESC, movie_id) AS rank
               FROM read_parquet($popular)) AS popular USING (user_id, movie_id)
"""
PAGE = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; padding: 16px; font: 14px/1.35 {font}; background: {background}; color: {ink} }}
pre {{ font: inherit; margin: 0 0 1em; white-space: pre-wrap }} h3 {{ font: bold 13px monospace; margin: 1.2em 0 .4em }}
table {{ border-collapse: collapse }} td, th {{ padding: 3px 10px; border-bottom: 1px solid #ccc }}
</style>{body}"""


def write_data(folder: Path) -> list[str]:
    """Write the qrels and the runs of ten models to a folder, and return the names of the models."""
    movielens = runpy.run_path(str(ROOT / "fixtures" / "movielens" / "build.py"))
    with duckdb.connect() as connection:
        movielens["build"](folder, connection)
        paths = {"cosine": str(folder / "item_cosine.parquet"), "popular": str(folder / "popularity.parquet")}
        for number, name in enumerate(MIXTURES, start=1):
            mixed = connection.sql(MIXTURE, params={"share": number / 10, **paths})
            mixed.write_parquet(str(folder / f"{name}.parquet"))
    return ["popularity", *MIXTURES, "item_cosine"]


def evaluated(folder: Path, models: list[str], metrics: list[str]) -> Result:
    """Return the result of these models."""
    runs = {model: folder / f"{model}.parquet" for model in models}
    return evaluate(runs, folder / "test.parquet", metrics, **COLUMNS)


def notebook(result: Result) -> str:
    """Return a page with what a notebook shows of a result."""
    cells: dict[str, Any] = {
        "result": result,
        "result.leaderboard()": result.leaderboard(),
        'result.compare(baseline="popularity")': result.compare(baseline="popularity"),
    }
    body = "".join(f"<h3>{html.escape(name)}</h3>{cell._repr_html_()}" for name, cell in cells.items())
    return PAGE.format(font="system-ui, sans-serif", background="white", ink="black", body=body)


def write_pages(folder: Path) -> dict[str, tuple[str, int, str]]:
    """Write the pages to a folder, and return the page, width and color scheme of each picture."""
    models = write_data(folder)
    two, ten = evaluated(folder, ["popularity", "item_cosine"], METRICS), evaluated(folder, models, METRICS)
    two.report(folder / "two.html", baseline="popularity")
    ten.report(folder / "ten.html")
    some = evaluated(folder, ["popularity", "mixture 50 %", "item_cosine"], ["ndcg@1-20", "recall@1-20"])
    some.plot().save(str(HERE / "chart.png"), scale_factor=2)
    (folder / "notebook.html").write_text(notebook(ten), "utf-8")
    return {
        "report-two.png": ("two.html", 1280, "light"),
        "report-two-phone.png": ("two.html", 390, "dark"),
        "report-ten.png": ("ten.html", 1280, "dark"),
        "report-ten-phone.png": ("ten.html", 390, "light"),
        "notebook.png": ("notebook.html", 1280, "light"),
    }


def main() -> None:
    """Write the pictures."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        pictures = write_pages(Path(name))
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for picture, (file, width, scheme) in pictures.items():
            page = browser.new_page(viewport={"width": width, "height": 400}, color_scheme=scheme)
            page.goto((Path(name) / file).as_uri())
            height = page.evaluate("document.documentElement.scrollHeight")
            clip = {"x": 0, "y": 0, "width": width, "height": min(height, 2_400)}  # a screen or two
            page.screenshot(path=HERE / picture, full_page=True, clip=clip)
        browser.close()


if __name__ == "__main__":
    main()
