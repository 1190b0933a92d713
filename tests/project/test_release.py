"""Workflows run the scripts in .ci, and `.ci/release` names what keeps a clone from being released."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from asking import fails
from folders import ROOT

REPOSITORY = "https://github.com/owner/name"
METADATA = runpy.run_path(str(ROOT / ".ci" / "release" / "metadata.py"))
VERSIONS = runpy.run_path(str(ROOT / ".ci" / "release" / "versions.py"))
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


def test_links_are_those_of_the_version_and_code_is_no_link() -> None:
    text = "See [the page](docs/a.md), ![an image](b.png)[x](#x) and [y](https://example.org)."
    assert with_absolute_links(text, "", "1") == "See the page, [x](#x) and [y](https://example.org)."
    text = "```python\nfunctions[0](argument)\n```\n[a](b)\n"
    assert with_absolute_links(text, REPOSITORY, "1") == text.replace("(b)", f"({REPOSITORY}/blob/v1/b)")
    assert urls("", "1") == {}
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
    shutil.copytree(ROOT / ".ci" / "release", tmp_path / ".ci" / "release")
    program = [sys.executable, str(tmp_path / ".ci" / "release" / "check.py"), "publishing"]
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, message is None) in ((0, True), (1, False))
    assert (message or "") in done.stderr


def test_one_command_sets_the_version_everywhere(tmp_path: Path) -> None:
    for file in (*VERSIONS["named_versions"](ROOT), "recall_duckdb/__init__.py"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    [now] = {*VERSIONS["named_versions"](ROOT).values()}
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## 98.0.0 (unreleased)\n\n## 97.0.0 (2027-01-31)\n")
    VERSIONS["set_version"](tmp_path, "98.7.6", date(2027, 2, 1))
    named = VERSIONS["named_versions"](tmp_path)
    assert named == {**dict.fromkeys(named, "98.7.6"), "sql/recall_duckdb.sql": now}
    assert (tmp_path / "CHANGELOG.md").read_text().startswith("# Changelog\n\n## 98.7.6 (2027-02-01)\n")
    with pytest.raises(ValueError, match=r"CHANGELOG.md has no heading like `## 99.0.0 \(unreleased\)`"):
        VERSIONS["set_version"](tmp_path, "99.0.0", date(2027, 2, 1))
    with pytest.raises(ValueError, match=r"a version like 1.2.3 is expected, not 'v99'"):
        VERSIONS["set_version"](tmp_path, "v99", date(2027, 2, 1))


def workflow(path: Path) -> dict[Any, Any]:
    found = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def test_a_workflow_runs_the_steps_of_its_script() -> None:
    """The script for the nightly run makes one run on one machine of the jobs of both workflows."""
    of_ci, of_night = (commands(ROOT / ".github" / "workflows" / f"{name}.yml") for name in ("ci", "nightly"))
    assert script("run") == of_ci
    assert script("nightly") == ({command.partition(" ")[0] for command in of_ci} | of_night) - {
        ".ci/newest",
        ".ci/pythons 10",
    }


def commands(path: Path) -> set[str]:
    """Return the scripts that a workflow runs, with their arguments."""
    return {
        step["run"] for job in workflow(path)["jobs"].values() for step in job["steps"] if ".ci/" in step.get("run", "")
    }


def script(name: str) -> set[str]:
    """Return the scripts that a script in .ci runs, with their arguments."""
    text = (ROOT / ".ci" / name).read_text("utf-8")
    return set(re.findall(r"^(?:in_background|step \".*?\") (\.ci/.*)$", text, re.MULTILINE))


def test_actions_are_pinned_by_hash_and_only_named_jobs_may_write() -> None:
    pinned = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/(ci|nightly)\.yml # .*")
    found = {path: workflow(path) for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
    for path, held in found.items():
        used = re.findall(r"uses: (.*)", path.read_text("utf-8"))
        assert [each for each in used if not pinned.fullmatch(each)] == [], path
        assert held["permissions"] == {}, path
    jobs = {f"{path.stem} {name}": job for path, held in found.items() for name, job in held["jobs"].items()}
    writing = {name for name, job in jobs.items() if job["permissions"] != {"contents": "read"}}
    assert writing == {"release publish", "release github", "codeql analyze"}


def test_the_text_of_a_release_is_the_section_of_its_version() -> None:
    notes = runpy.run_path(str(ROOT / ".ci" / "release" / "notes.py"))["notes"]
    changelog = "# Changelog\n\n## 1.1.0 (2027-02-01)\n\n- A.\n\n## 1.0.0 (2027-01-31)\n\nThe first version.\n"
    assert notes(changelog, "1.1.0") == "- A.\n"
    assert notes(changelog, "1.0.0") == "The first version.\n"
    fails(ValueError, r"no section `## 1\.2\.0`", notes, changelog, "1.2.0")
