"""Writes the other pictures in this folder, of real data: `python docs/images/screens.py`.

They are a report of two and of ten models, a terminal of 80 and of 200 columns, a notebook and a chart. The ten models
are the two recommenders of fixtures/movielens and mixtures of their ranks. The script needs what report.py needs, and
Linux for the terminal.
"""

from __future__ import annotations

import fcntl
import html
import os
import pty
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
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


def terminal(columns: int, *commands: list[str], folder: Path) -> str:
    """Return a page with commands and what they print on a terminal of this width."""
    shown = []
    for command in commands:
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 60, columns, 0, 0))
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        program = [sys.executable, "-m", "recall_duckdb", *command]
        output = b""
        with subprocess.Popen(program, cwd=folder, env=environment, stdout=theirs, stderr=subprocess.DEVNULL):
            os.close(theirs)
            try:
                while chunk := os.read(ours, 4096):
                    output += chunk
            except OSError:  # the program has ended
                pass
        os.close(ours)
        shown.append(f"$ recall-duckdb {' '.join(map(quoted, command))}\n{output.decode().replace(chr(13), '')}")
    body = "".join(f"<pre>{html.escape(text)}</pre>" for text in shown)
    return PAGE.format(font="monospace", background="#111827", ink="#e5e7eb", body=body)


def quoted(word: str) -> str:
    """Return a word of a command as one types it."""
    return f'"{word}"' if " " in word else word


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
    runs = [f"{model}.parquet" for model in models]
    options = ["--qrels", "test.parquet", "--query", "user_id", "--item", "movie_id", "--relevance", "rating"]
    asked = [word for metric in METRICS for word in ("-m", metric)]
    commands = [
        ["evaluate", *runs, *options, *asked],
        ["compare", runs[0], runs[5], runs[-1], *options, *asked[:4], "--baseline", "popularity"],
    ]
    for columns in (80, 200):
        (folder / f"terminal-{columns}.html").write_text(terminal(columns, *commands, folder=folder), "utf-8")
    (folder / "notebook.html").write_text(notebook(ten), "utf-8")
    return {
        "report-two.png": ("two.html", 1280, "light"),
        "report-two-phone.png": ("two.html", 390, "dark"),
        "report-ten.png": ("ten.html", 1280, "dark"),
        "report-ten-phone.png": ("ten.html", 390, "light"),
        "terminal-80.png": ("terminal-80.html", 760, "light"),
        "terminal-200.png": ("terminal-200.html", 1800, "light"),
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
