"""The workflows of GitHub run the scripts in .ci, pin what they run, and may do no more than they need."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest
import yaml
from asking import fails
from folders import ROOT

FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
READING = {"contents": "read"}


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


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_actions_are_pinned_by_hash_and_only_named_jobs_may_write(path: Path) -> None:
    used = re.findall(r"uses: (.*)", path.read_text("utf-8"))
    pinned = re.compile(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\./\.github/workflows/(ci|nightly)\.yml # .*")
    assert [each for each in used if not pinned.fullmatch(each)] == []
    found = workflow(path)
    assert found["permissions"] == {}
    writing = {name for name, job in found["jobs"].items() if job["permissions"] != READING}
    assert writing == {"release": {"publish", "github"}, "codeql": {"analyze"}}.get(path.stem, set())


def test_the_text_of_a_release_is_the_section_of_its_version() -> None:
    notes = runpy.run_path(str(ROOT / ".ci" / "release" / "notes.py"))["notes"]
    changelog = "# Changelog\n\n## 1.1.0 (2027-02-01)\n\n- A.\n\n## 1.0.0 (2027-01-31)\n\nThe first version.\n"
    assert notes(changelog, "1.1.0") == "- A.\n"
    assert notes(changelog, "1.0.0") == "The first version.\n"
    fails(ValueError, r"no section `## 1\.2\.0`", notes, changelog, "1.2.0")
