"""Writes report.png, the picture of a report in the README, and report.txt, its words: `python docs/images/report.py`.

It is the report of the data that `recall-duckdb demo` writes. It needs the extra `report`, playwright and Chromium. A
test compares report.txt with the report of today, and fails if the picture is older than what it shows.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import tempfile
from pathlib import Path

from recall_duckdb.cli import main

OPTIONS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"]  # fmt: skip
COMMAND = (
    "report demo/popular.parquet demo/personal.parquet --qrels demo/watched.parquet --query user_id --item film_id "
    "-m ndcg@10 recall@10 --baseline popular --by segment --texts demo/films.parquet -o report.html"
)


def written() -> str:
    """Write the data and the report to this folder, and return the words of its first part, without the date."""
    main(["demo"])
    main(COMMAND.split())
    page = Path("report.html").read_text("utf-8")
    first = page[page.index("<body") :].partition('class="cards"')
    shown = first[0] + first[2].partition("</section>")[0]
    words = html.unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", shown, flags=re.DOTALL)).partition("▲")[2]
    return " ".join(words.split())


def draw(folder: Path) -> None:
    """Write the picture of the first part of the report, and its words."""
    from playwright.sync_api import sync_playwright

    picture = Path(__file__).resolve().with_suffix(".png")
    os.chdir(folder)
    picture.with_suffix(".txt").write_text(f"{written()}\n", "utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        page = browser.new_page(viewport={"width": 1000, "height": 900})
        page.goto((folder / "report.html").as_uri())
        cards = page.locator(".cards").first.bounding_box()
        assert cards is not None
        clip = {"x": 0, "y": 0, "width": 1000, "height": cards["y"] + cards["height"] + 16}
        page.screenshot(path=picture, full_page=True, clip=clip)
        browser.close()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        draw(Path(made))
