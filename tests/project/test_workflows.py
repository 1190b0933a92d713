"""The workflows of GitHub test every engine, pin what they run, and may do no more than they need."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml
from engines import ON_REQUEST
from folders import ROOT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
READING = {"contents": "read"}


def workflow(path: Path) -> dict[Any, Any]:
    found = yaml.safe_load(path.read_text("utf-8"))
    assert isinstance(found, dict)
    return found


def test_each_engine_is_tested_by_a_job_of_its_name() -> None:
    names = workflow(ROOT / ".github" / "workflows" / "ci.yml")["jobs"]["engines"]["strategy"]["matrix"]["engines"]
    assert {name.partition(" ")[0] for name in names} == set(ON_REQUEST)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_actions_are_pinned_by_hash_with_their_version(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text("utf-8"))
    pinned = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/ci\.yml # .*")
    assert [each for each in used if not pinned.fullmatch(each)] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_only_named_jobs_may_write(path: Path) -> None:
    found = workflow(path)
    assert found["permissions"] == {}
    writing = {name for name, job in found["jobs"].items() if job["permissions"] != READING}
    assert writing == {"release": {"publish", "github"}, "codeql": {"analyze"}}.get(path.stem, set())


def test_the_text_of_a_release_is_the_section_of_its_version() -> None:
    notes = runpy.run_path(str(ROOT / ".ci" / "release" / "notes.py"))["notes"]
    changelog = "# Changelog\n\n## 1.1.0 (2027-02-01)\n\n- A.\n\n## 1.0.0 (2027-01-31)\n\nThe first version.\n"
    assert notes(changelog, "1.1.0") == "- A.\n"
    assert notes(changelog, "1.0.0") == "The first version.\n"
    with pytest.raises(ValueError, match=r"no section `## 1\.2\.0`"):
        notes(changelog, "1.2.0")
