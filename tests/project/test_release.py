"""PyPI shows the README without dead links, and `release/check.py` names what keeps a clone from being released."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from folders import ROOT

REPOSITORY = "https://github.com/owner/name"
METADATA = runpy.run_path(str(ROOT / "release" / "metadata.py"))
with_absolute_links: Callable[[str, str, str], str] = METADATA["with_absolute_links"]
urls: Callable[[str, str], dict[str, str]] = METADATA["urls"]


def test_on_pypi_every_link_of_the_readme_leads_to_a_file_of_the_version() -> None:
    text = with_absolute_links((ROOT / "README.md").read_text("utf-8"), REPOSITORY, "1.2.3")
    links = re.findall(r"\]\(([^)]+)\)", text)
    own = [link.removeprefix(REPOSITORY) for link in links if link.startswith(REPOSITORY)]
    assert len(own) > 20
    assert [link for link in links if not link.startswith("https://")] == []
    assert "/raw/v1.2.3/docs/images/report.png" in own
    paths = [re.fullmatch(r"/(?:raw|blob)/v1\.2\.3/([^#]+)(#.*)?", link) for link in own]
    assert [link for link, path in zip(own, paths, strict=True) if not path or not (ROOT / path[1]).is_file()] == []


def test_without_a_repository_the_readme_has_no_links_to_files() -> None:
    text = "See [the page](docs/a.md), ![an image](b.png)[x](#x) and [y](https://example.org)."
    assert with_absolute_links(text, "", "1") == "See the page, [x](#x) and [y](https://example.org)."
    assert urls("", "1") == {}


def test_code_is_no_link() -> None:
    text = "```python\nfunctions[0](argument)\n```\n[a](b)\n"
    assert with_absolute_links(text, REPOSITORY, "1") == text.replace("(b)", f"({REPOSITORY}/blob/v1/b)")


def test_the_addresses_are_those_of_the_version() -> None:
    assert urls(REPOSITORY, "1.2.3")["Changelog"] == f"{REPOSITORY}/blob/v1.2.3/CHANGELOG.md"


@pytest.mark.parametrize(
    ("repository", "heading", "environment", "message"),
    [
        ("", "1.0.0 (2027-01-31)", {}, "publishing: pyproject.toml names no repository: set `repository`"),
        (REPOSITORY, "1.0.0 (unreleased)", {}, "CHANGELOG.md has no date: the heading should be like `## 1.0.0 (2027"),
        (REPOSITORY, "1.0.0 (2027-01-31)", {"GITHUB_REF_NAME": "v1.1.0"}, "the tag v1.1.0 is not v1.0.0"),
        (REPOSITORY, "1.0.0 (2027-01-31)", {"GITHUB_REPOSITORY": "a/fork"}, "this is the repository a/fork, but"),
        (REPOSITORY, "1.0.0 (2027-01-31)", {"GITHUB_REF_NAME": "v1.0.0", "GITHUB_REPOSITORY": "owner/name"}, None),
    ],
)
def test_what_keeps_a_version_from_being_published_is_named(
    tmp_path: Path, repository: str, heading: str, environment: dict[str, str], message: str | None
) -> None:
    (tmp_path / "recall_duckdb").mkdir()
    (tmp_path / "recall_duckdb" / "__init__.py").write_text('__version__ = "1.0.0"\n')
    (tmp_path / "pyproject.toml").write_text(f'repository = "{repository}"\n')
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n## {heading}\n")
    (tmp_path / "release").mkdir()
    shutil.copy(ROOT / "release" / "check.py", tmp_path / "release")
    program = [sys.executable, str(tmp_path / "release" / "check.py"), "publishing"]
    done = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, message is None) in ((0, True), (1, False))
    assert (message or "") in done.stderr
