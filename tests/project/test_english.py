"""No text that people read contains an awkward phrase of this table."""

from __future__ import annotations

import re
import subprocess

import pytest
from folders import ROOT

# What to write instead of awkward phrases.
PHRASES = {
    "our …, the user's …, or the name of the thing": r"\bof (ours|theirs)\b|\bby theirs\b",
    "the user's …": r"\bof the user's(?=[.,;:]| (?:that|which|under|alone|own)\b)",
    "the thing, by its name": r"\bthe ones? that\b|\b(those|that) which\b|\bso called\b|\bstands? for one that\b",
    "except for, or only one": r"\bbut (for|one)\b",
    "the error says …, or the message reports …": r"\b(is|are|be|was) told\b",
    "differ": r"\b(is|are|be) told apart\b",
    "next to, in addition to, other than, or besides": r"\b[Bb]eside\b",
    "is renamed, or is replaced by": r"\bgives? way to\b",
    "does not need": r"\b(has?|have) no need of\b",
    "scanned, or checked": r"\b(looked|gone) through\b",
    "when, with a number": r"\bworth a second look\b|\bas (deep|long|far|much) as [^.,;]{0,30} that it\b",
    "in place, or is in": r"\bwhere (it|they|the data|data) lies?\b|\blies? in\b",
    "a number": r"\bso much (longer|more|less) than\b",
    "it, directly": r"\bto be said\b|\bas it were\b|\bto whoever\b",
    "compared with": r"\bheld against\b",
    "still": r"\ball the same\b",
    "here, or nothing": r"\bat hand\b",
    "check, or note": r"\bmind\b",
    "such as …": r"\bthe like\b",
    "its own": r"\bof its own right\b",
    "True if …": r"^\s*(\"\"\"|#|--)\s*Whether\b",
}
# Generated files, data, and this table.
NOT_PROSE = re.compile(
    r"generated/|^fixtures/(?!.*\.(py|md)$)|\.(json|csv|txt|lock|parquet|gz|png)$|^tests/project/test_english\.py$|^LICENSE$"
)


@pytest.mark.slow
def test_no_text_has_an_awkward_phrase() -> None:
    """Files are those of git or, without git, those in the folders."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    folders = [ROOT / name for name in ("recall_duckdb", "sql", "tests", "docs", "fixtures")]
    names = listed.splitlines() or [str(path.relative_to(ROOT)) for each in folders for path in each.rglob("*")]
    prose = [name for name in names if (ROOT / name).is_file() and not NOT_PROSE.search(name)]
    found = [
        f"{name}:{number}: {match[0].strip()!r}: write {better}"
        for name in prose
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), start=1)
        for better, phrase in PHRASES.items()
        if (match := re.search(phrase, line))
    ]
    assert len(prose) > 400
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text", ["a column of ours gives way to one so called", "Whether it applies", "all, but for one", "is told first"]
)
def test_the_table_finds(text: str) -> None:
    assert any(re.search(phrase, f"# {text}") for phrase in PHRASES.values())
