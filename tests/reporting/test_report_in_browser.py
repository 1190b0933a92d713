"""A report in Chromium: it loads nothing, runs nothing, fits a phone, and is readable in light, dark and print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recall_duckdb import Result, evaluate

pytestmark = pytest.mark.needs("Chromium")
MODEL = "<script>alert(1)</script>"
QUERY = '"><img src=x onerror="alert(1)">'
ITEM = "</td></table><b onclick='alert(1)'>bold"
SLICE = "</svg><script>alert(2)</script>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with hostile names, long names, slices and a trend."""
    folder = tmp_path_factory.mktemp("report")
    names = [QUERY, *(f"query {number} {'with a long name ' * 4}" for number in range(20))]
    run: dict[str, list[Any]] = {"query": [], "item": [], "old": [], MODEL: []}
    qrels: dict[str, list[Any]] = {"query": [], "item": [], "relevance": [], "kind": []}
    for place, name in enumerate(names):
        for number in range(20):
            run["query"].append(name)
            run["item"].append(ITEM if number == 0 else f"item-{number}")
            run["old"].append(number if place else -number)
            run[MODEL].append(-number if place % 3 else number)
        for number in (0, 7):
            qrels["query"].append(name)
            qrels["item"].append(ITEM if number == 0 else f"item-{number}")
            qrels["relevance"].append(1)
            qrels["kind"].append(SLICE if place % 2 else "plain")
    result = evaluate(run, qrels, ["ndcg@10", "recall@1,5,10,20"], score=["old", MODEL], by="kind")
    for build in ("1", "2"):
        result.append(folder / "history", run_id=build)
    result.report(folder / "report.html", baseline="old", history=folder / "history")
    return folder / "report.html"


class Opened:
    """A page that shows a report, and what it asked for or complained about."""

    def __init__(self, browser: Any, report: Path, width: int, scheme: str = "light") -> None:
        self.page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.address = report.as_uri()
        self.page.goto(self.address)
        self.page.wait_for_load_state("networkidle")

    def _dismiss(self, dialog: Any) -> None:
        self.complaints.append(dialog.message)
        dialog.dismiss()

    def open_all(self) -> None:
        """Open every part that is closed."""
        self.page.eval_on_selector_all("details", "all => all.forEach(each => each.open = true)")


@pytest.fixture
def opened(browser: Any, report: Path, request: pytest.FixtureRequest) -> Iterator[Opened]:
    page = Opened(browser, report, *request.param)
    yield page
    page.page.close()


WIDE, NARROW = (1280,), (390,)


@pytest.mark.parametrize("opened", [WIDE], indirect=True)
def test_the_page_loads_and_runs_nothing(opened: Opened) -> None:
    opened.open_all()
    opened.page.locator("summary").first.click()
    addresses = [address for address in opened.requests if not address.startswith("data:")]
    assert addresses == [opened.address]
    assert opened.complaints == []
    assert opened.page.locator("script, img, [onclick], [onerror]").count() == 0


@pytest.mark.parametrize("opened", [WIDE], indirect=True)
def test_hostile_names_are_text(opened: Opened) -> None:
    opened.open_all()
    text = opened.page.inner_text("main")
    for name in (MODEL, QUERY, ITEM, SLICE):
        assert name in text
    assert opened.page.title() == f"Ranking report: {MODEL} compared with old"
    assert opened.page.locator(".plot th", has_text="</svg>").count() > 0


@pytest.mark.parametrize("opened", [WIDE], indirect=True)
def test_every_section_has_its_tables_and_charts(opened: Opened) -> None:
    titles = opened.page.locator("h2").all_inner_texts()
    assert titles == [
        "Differences", "Means against k", "Changes of queries", "Differences in slices", "Trend of means", "Means",
        "Queries", "Data", "How it was computed",
    ]  # fmt: skip
    charts = {title: opened.page.locator("section", has=opened.page.get_by_role("heading", name=title, exact=True))
              .locator("svg").count() for title in titles}  # fmt: skip
    assert {title: count for title, count in charts.items() if count} == {
        "Means against k": 1, "Changes of queries": 2, "Trend of means": 2,
    }  # fmt: skip
    assert opened.page.locator("h1").inner_text().startswith(f"Ship {MODEL} instead of old")
    slices = opened.page.locator("section", has=opened.page.get_by_role("heading", name="Differences in slices"))
    assert slices.locator(".plot").count() == 2
    for box in opened.page.locator("svg").all():
        size = box.bounding_box()
        assert size["width"] > 200
        assert size["height"] > 60


@pytest.mark.parametrize("opened", [WIDE], indirect=True)
def test_a_query_opens_to_its_items(opened: Opened) -> None:
    query = opened.page.locator(".queries details").first
    assert not query.locator("table").is_visible()
    query.locator("summary").click()
    assert query.locator("table").is_visible()
    assert query.locator("th").all_inner_texts() == ["item", "change", "relevance", "rank before", "after"]


@pytest.mark.parametrize("opened", [NARROW, (320,)], indirect=True)
def test_a_phone_shows_the_page_without_scrolling_sideways(opened: Opened) -> None:
    opened.open_all()
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= opened.page.viewport_size["width"]
    sizes = opened.page.eval_on_selector_all("svg text", "all => all.map(each => each.getBoundingClientRect().height)")
    assert min(size for size in sizes if size) >= 9  # pixels


def luminance(color: str) -> float:
    """Return the relative luminance of a color such as rgb(17, 24, 39), as WCAG defines it."""
    found = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in found)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


COLORS = """
    (selector, property) => [...new Set([...document.querySelectorAll(selector)]
        .map(each => getComputedStyle(each)[property]).filter(each => each.startsWith('rgb(')))]
"""


@pytest.mark.parametrize(
    ("scheme", "media"), [("light", "screen"), ("dark", "screen"), ("light", "print"), ("dark", "print")]
)
def test_text_and_charts_are_readable_in_light_dark_and_print(
    browser: Any, report: Path, scheme: str, media: str
) -> None:
    page = Opened(browser, report, 1280, scheme).page
    page.emulate_media(media=media, color_scheme=scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (luminance(paper) < 0.1) == (scheme == "dark" and media == "screen")
    find = f"([selector, property]) => ({COLORS})(selector, property)"
    for selector in ("p", "td", "th", "h1", "h2", "dd", "dt", "summary", ".delta", ".mark"):
        for color in page.evaluate(find, [selector, "color"]):
            assert contrast(color, paper) >= 4.5, (selector, color)
    texts = page.evaluate(find, ["svg text", "fill"])
    lines = page.evaluate(find, ["svg .mark-line path, svg .mark-rule line", "stroke"])
    bars = page.evaluate(find, ["svg .mark-rect path", "fill"])
    assert texts
    assert len(bars) == 2
    assert all(contrast(color, paper) >= 4.5 for color in texts)
    assert len(lines) >= 2
    assert all(contrast(color, paper) >= 3 for color in bars)
    page.close()


@pytest.mark.parametrize("opened", [WIDE], indirect=True)
def test_the_page_prints(opened: Opened, tmp_path: Path) -> None:
    opened.page.pdf(path=tmp_path / "report.pdf", format="A4")
    content = (tmp_path / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 12


def ten_models() -> Result:
    """Return a result of ten models with long names, of which the last is the best."""
    queries = [f"q{number}" for number in range(30)]
    names = [f"a model with the number {number} and a long name" for number in range(10)]
    run: dict[str, list[Any]] = {"query": [], "item": []} | {name: [] for name in names}
    for place, query in enumerate(queries):
        for item in range(12):
            run["query"].append(query)
            run["item"].append(f"i{item}")
            for number, name in enumerate(names):
                is_found = (place * 7 + number * 3) % 10 < number
                run[name].append(20 if item == 0 and is_found else 12 - item if item else 0)
    qrels = {"query": queries * 2, "item": ["i0"] * 30 + ["i1"] * 30, "relevance": [1] * 30 + [0] * 30}
    return evaluate(run, qrels, ["ndcg@10", "recall@1,5,10"], score=names)


@pytest.mark.parametrize("width", [1366, 1024, 390])
@pytest.mark.parametrize("baseline", [None, "a model with the number 0 and a long name"])
def test_ten_models_are_decided_on_the_first_screen(
    browser: Any, tmp_path: Path, width: int, baseline: str | None
) -> None:
    """Given ten models, verdict and plot come first, long parts are closed, and the page is no wider."""
    ten_models().report(tmp_path / "report.html", baseline=baseline)
    shown = Opened(browser, tmp_path / "report.html", width)
    page = shown.page
    best = "a model with the number 9 and a long name"
    assert page.locator("h1").inner_text().startswith(f"Ship {best}")
    plot = page.locator(".plot").first.bounding_box()
    assert page.locator("h1").bounding_box()["y"] < plot["y"] < 700
    if width > 390:
        assert plot["y"] + plot["height"] < 800
    assert page.locator(".plot").first.locator("tr").count() == 11  # nine models, and two lines of labels
    for cell in page.locator(".plot td:not(.axis)").all():
        box = cell.bounding_box()
        assert box is None or box["x"] + box["width"] <= width  # a long name pushes no number off the screen
    closing = page.get_by_role("heading", name="How it was computed").bounding_box()["y"]
    assert closing - page.get_by_role("heading", name="Queries", exact=True).bounding_box()["y"] < 200  # closed
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert shown.complaints == []
    assert not page.locator(".queries").first.is_visible()
    page.emulate_media(media="print")
    assert page.locator(".queries").first.is_visible()  # print opens what is closed
    page.emulate_media(media="screen")
    shown.open_all()
    assert page.locator(".queries").first.is_visible()
    assert page.locator("section h3", has_text=f"{best}, by ndcg@10").count() == 1  # the details of the best model
    title = re.compile(r"\s*".join(["ndcg@10", "of", *best.split()]))  # a long one has several lines
    assert page.locator("figure", has_text=title).count() == 1
    assert page.evaluate("document.documentElement.scrollWidth") == width
