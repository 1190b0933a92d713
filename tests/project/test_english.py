"""No text that people read contains an awkward phrase of this table."""

from __future__ import annotations

import re
import subprocess

import pytest
from folders import ROOT

# An awkward phrase, and what to write instead.
PHRASES = {
    r"\bof ours\b": "our …, or the name of the thing",
    r"\bof theirs\b": "the user's …",
    r"\bof the user's(?=[.,;:]| (?:that|which|under|alone|own)\b)": "the user's …",
    r"\bthe ones? that\b": "name the thing",
    r"\bthose which\b": "name the things",
    r"\bthat which\b": "what, or name the thing",
    r"\bso called\b": "the name itself",
    r"\bbut for\b": "except for",
    r"\bbut one\b": "except one, or only one",
    r"\b(is|are|be|was) told\b": "the error says …, or the message reports …",
    r"\b(is|are|be) told apart\b": "differ",
    r"\b[Bb]eside\b": "next to, in addition to, other than, or besides",
    r"\bgives? way to\b": "is renamed, or is replaced by",
    r"\bhas? no need of\b": "does not need",
    r"\bhave no need of\b": "do not need",
    r"\blooked through\b": "scanned, or checked",
    r"\bgone through\b": "scanned, or checked",
    r"\bworth a second look\b": "say when, with a number",
    r"\bwhere (it|they|the data|data) lies?\b": "in place",
    r"\blies? in\b": "is in",
    r"\bas (deep|long|far|much) as [^.,;]{0,30} that it\b": "use a number or one clause",
    r"\bto be said\b": "say it",
    r"\bas it were\b": "leave it out",
    r"\bso much (longer|more|less) than\b": "use a number",
    r"\bstands? for one that\b": "name the thing",
    r"\bheld against\b": "compared with",
    r"\bto whoever\b": "name the actor",
    r"\ball the same\b": "still",
    r"\bat hand\b": "here, or leave it out",
    r"\bby theirs\b": "by the user's name",
    r"\bmind\b": "check, or note",
    r"\bthe like\b": "such as …",
    r"\bof its own right\b": "its own",
    r"^\s*(\"\"\"|#|--)\s*Whether\b": "True if …",
}
# Generated files, data, and this table.
NOT_PROSE = re.compile(
    r"generated/|^fixtures/(?!.*\.(py|md)$)|\.(json|csv|txt|lock|parquet|gz|png)$|^tests/project/test_english\.py$|^LICENSE$"
)


@pytest.mark.slow
def test_no_text_has_an_awkward_phrase() -> None:
    found = [
        f"{name}:{number}: {match[0].strip()!r}: write {better}"
        for name in texts()
        for number, line in enumerate((ROOT / name).read_text("utf-8").splitlines(), start=1)
        for phrase, better in PHRASES.items()
        if (match := re.search(phrase, line))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "text",
    [
        "a column of ours gives way to one so called",
        "Whether it applies",
        "sort them, but for the last",
        "is told first",
    ],
)
def test_the_table_finds(text: str) -> None:
    assert any(re.search(phrase, f"# {text}") for phrase in PHRASES)


def texts() -> list[str]:
    """Return the paths of all files that people read: those of git or, without git, those in the folders."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = (
        listed.stdout.split("\n")
        if listed.returncode == 0
        else [
            path.relative_to(ROOT).as_posix()
            for folder in ("recall_duckdb", "sql", "tests", "docs", "fixtures")
            for path in (ROOT / folder).rglob("*")
        ]
    )
    return [name for name in names if (ROOT / name).is_file() and name and not NOT_PROSE.search(name)]
