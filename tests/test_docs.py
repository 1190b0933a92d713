"""What the README shows is true: its examples run, its output is what is printed, its tables are complete."""

from __future__ import annotations

import doctest
import re
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from recall_duckdb import dialects, policies, templates
from recall_duckdb.cli import main

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def block(title: str) -> str:
    """The code block under the comment of that title."""
    found = re.search(rf"<!-- {title} -->\n```\w+\n(.*?)```", README, re.DOTALL)
    assert found, title
    return found[1]


def test_the_examples_of_the_readme_run() -> None:
    failed, run = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert run > 0
    assert failed == 0


def test_the_main_job_prints_what_the_readme_shows() -> None:
    setup, _, job = block("the main job").replace("\\\n", "").rpartition("&&")
    assert setup.split() == ["python3", "-m", "venv", ".venv", "&&", ".venv/bin/pip", "install", "-q", "."]
    program = f'"{sys.executable}" -m recall_duckdb ' + job.strip().removeprefix(".venv/bin/recall-duckdb")
    done = subprocess.run(["bash", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == block("its output")


def test_the_python_versions_that_the_readme_says_are_tested_are_those_of_the_metadata() -> None:
    [tested] = re.findall(r"CI runs the tests on Python ([\d., and]+\d)\.", README)
    metadata = (ROOT / "pyproject.toml").read_text()
    assert re.split(", | and ", tested) == re.findall(r'"Programming Language :: Python :: (3\.\d+)"', metadata)


def test_every_policy_and_its_values_are_in_the_readme() -> None:
    for name, choices in policies.CHOICES.items():
        assert f"| `{name}` | {', '.join(choices)} |" in README
    for name in ("threshold", "min_score"):
        assert f"| `{name}` |" in README


def test_every_metric_is_named_in_the_readme() -> None:
    names = templates.metric_files(templates.sql_folder() / templates.METRICS)
    words = (
        README.replace("hit rate", "hit_rate")
        .replace("r-precision", "r_precision")
        .replace("capped recall", "capped_recall")
    )
    missing = [name for name in names if not re.search(rf"\b{name}\b", words)]
    assert missing == []


def test_the_relations_in_the_sql_readme_are_those_in_the_folders() -> None:
    text = (ROOT / "sql" / "README.md").read_text()
    table, *_ = text.partition("## A metric of your own")
    cells = re.findall(r"^\| ([\w/, ]+) \|", table, re.MULTILINE)
    listed = {name.partition("/")[0] for cell in cells for name in cell.split(", ")} - {"relation"}
    held = set(templates.relations()) - {"source", "trec_run", "trec_qrels", "parquet_files", "counts", "slices"}
    assert listed == held


def test_every_check_of_the_command_is_in_the_readme() -> None:
    section = README[README.index("### Check the data first") : README.index("### Write it as SQL")]
    of_files = {"trec_lines", "whole_ids"}
    of_evaluate = {"duplicates", "metric_rows", "qrels_list_items", "ranks_gap", "run_list_items"}
    missing = [name for name in templates.checks() if not re.search(rf"\b{name}\b", section)]
    assert set(missing) == of_evaluate | of_files


def test_the_dialects_are_in_the_readme_with_their_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dialects", "--format", "markdown"]) == 0
    assert f"<!-- the dialects -->\n{capsys.readouterr().out}" in README


@pytest.mark.skipif(int(version("sqlglot").split(".")[0]) < 30, reason="sqlglot before 30 writes them in other words")
def test_the_statements_in_fixtures_are_those_written_now() -> None:
    folder = ROOT / "fixtures" / "dialects"
    held = {path.stem: path.read_text("utf-8") for path in folder.glob("*.sql")}
    assert sorted(held) == sorted(dialects.DIALECTS)
    statement = runpy.run_path(str(folder / "build.py"))["statement"]
    assert [dialect for dialect in held if held[dialect] != statement(dialect) + "\n"] == [], "run build.py, and look"
