"""The page Troubleshooting in Chromium: a message that is pasted shows its entry."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from folders import ROOT

from recall_duckdb import RecallError, evaluate

pytestmark = pytest.mark.needs("Chromium")
PAGE = (ROOT / "docs" / "guide" / "troubleshooting.md").read_text("utf-8").partition("## Every message\n")[2]


def as_html(markdown: str) -> str:
    """Return headings and bullets as Sphinx writes them."""
    parts = []
    for part in re.split(r"^### ", markdown, flags=re.MULTILINE)[1:]:
        bullets = re.findall(r"^- (.*)$", part, re.MULTILINE)
        entries = [html.escape(re.sub(r"\\(.)", r"\1", bullet)) for bullet in bullets]
        parts.append(f"<section><h3>{part.splitlines()[0]}</h3><ul><li>{'</li><li>'.join(entries)}</li></ul></section>")
    return f"<section id='every-message'><h2>Every message</h2>{''.join(parts)}</section>"


@pytest.fixture
def shown(browser: Any) -> Any:
    """Return a function that pastes a text, and returns the entries that are then shown."""
    page = browser.new_page()
    script = (ROOT / "docs" / "static" / "messages.js").read_text("utf-8")
    page.set_content(f"<script>{script}</script>{as_html(PAGE)}", wait_until="load")

    def paste(text: str) -> list[str]:
        page.locator("textarea").fill(text)
        return list(page.locator("li:not([hidden])").all_inner_texts())

    yield paste
    page.close()


@pytest.mark.parametrize(
    ("arguments", "entry"),
    [
        ({"metrics": "recal@10"}, "there is no metric … (in …). … Known: …"),
        ({"metrics": "partial_auc"}, "… needs a cutoff, as in …@10"),
        ({"metrics": "rr", "threshold": -1}, "threshold: … is not above 0: relevance of 0 or below is never relevant"),
    ],
)
def test_a_message_is_among_the_few_that_are_shown(shown: Any, arguments: dict[str, Any], entry: str) -> None:
    with pytest.raises(RecallError) as error:
        evaluate({"q": ["a"]}, {"q": ["a"]}, **arguments)
    entries = shown(str(error.value))
    assert len(entries) <= 5
    assert any(each.startswith(entry) for each in entries)


def test_words_find_every_message_that_has_them_and_nothing_finds_all(shown: Any) -> None:
    assert all("weights" in entry for entry in shown("weights"))
    assert shown("weights metrics")
    assert len(shown("")) == len(re.findall(r"^- ", PAGE, re.MULTILINE))
