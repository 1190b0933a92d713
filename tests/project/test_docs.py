"""What the README and docs/ show is true: examples run, printed output and tables are current, links resolve."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import duckdb
import pytest
from asking import fails, output_of
from folders import ROOT
from sqlglot_text import as_written

from recall_duckdb import dialects
from recall_duckdb.cli import main
from recall_duckdb.definitions import templates

DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted(DOCS.rglob("*.md"))
WITH_EXAMPLES = [ROOT / "README.md", *PAGES]
OTHERS = [ROOT / "CONTRIBUTING.md", ROOT / "tests" / "benchmarks" / "README.md", *sorted((ROOT / "sql").glob("*.md"))]
WITH_LINKS = [*WITH_EXAMPLES, *OTHERS]
FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)


# Relations that read files and single columns, which the table leaves out.
OF_READING = (*("source", "trec_run", "trec_qrels", "trec_form", "text_lines", "item_lists", "parquet_files"),
              *("texts", "counts", "slices"))  # fmt: skip


def commands(text: str) -> list[tuple[str, str]]:
    """Return the commands of the console blocks of a page, each with the output below it."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            lines = example.splitlines(keepends=True)
            end = next(number for number, line in enumerate(lines, start=1) if not line.endswith("\\\n"))
            found.append(("".join(lines[:end]), "".join(lines[end:])))
    return found


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def page(file: str) -> str:
    return (DOCS / file).read_text("utf-8")


def block(title: str, text: str = README) -> str:
    """Return the code block below the comment of that title."""
    found = re.search(rf"<!-- {title} -->\n```\w+\n(.*?)```", text, re.DOTALL)
    assert found, title
    return found[1]


def anchors(path: Path) -> set[str]:
    """Return the anchors that GitHub gives to headings: lower case, hyphens for spaces, no punctuation."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(path: Path) -> list[str]:
    """Return the relative links of a page to a file or heading that does not exist."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCED.sub("", path.read_text("utf-8"))):
        file, _, anchor = unquote(link).partition("#")
        target = path.parent / file if file else path
        if re.match(r"\w+:", link):
            continue
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(link)
    return found


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=relative)
def test_every_python_example_runs(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = re.findall(r"^```python\n(.*)$", path.read_text("utf-8"), re.MULTILINE)
    assert [line for line in examples if not line.startswith(">>> ")] == []
    monkeypatch.chdir(tmp_path)  # where the examples write their files
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    if "demo/" in path.read_text("utf-8"):
        main(["demo"])
    failed, run = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert run >= len(examples)
    assert failed == 0
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    capsys.readouterr()
    for command, output in commands(path.read_text("utf-8")):  # which may read what the Python examples have written
        assert printed(command, capsys) == output, command


def printed(command: str, capsys: pytest.CaptureFixture[str], status: int | None = None) -> str:
    """Return what a command prints; this process runs it if it needs no shell, because a new one takes a second."""
    if command.startswith("recall-duckdb ") and not re.search("[|>]", command):
        assert main(shlex.split(command.replace("\\\n", ""))[1:]) == status or status is None
        return "".join(capsys.readouterr())
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    return done.stdout + done.stderr


def test_every_relative_link_leads_to_a_file_and_heading() -> None:
    assert {relative(path): links for path in WITH_LINKS if (links := broken_links(path))} == {}


def test_a_link_to_no_file_or_no_heading_is_broken(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# The `A`, page\n```\n# no heading\n```\n")
    links = ["a.md", "a.md#the-a-page", "#b-page", "https://example.org/x", "a.md#no-heading", "c.md", "#missing"]
    (tmp_path / "b.md").write_text("# B page\n" + "\n".join(f"[x]({link})" for link in links))
    assert broken_links(tmp_path / "b.md") == links[4:]


@pytest.mark.needs("Chromium")
def test_no_page_of_the_site_scrolls_sideways_or_links_to_a_mailbox(browser: Any, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", DOCS, tmp_path], check=True, timeout=300)
    pages = sorted(tmp_path.rglob("*.html"))
    for width in (390, 1024, 1366):
        page = browser.new_page(viewport={"width": width, "height": 900})
        for path in pages:
            page.goto(path.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name
            assert "mailto:" not in page.content(), path.name
        page.close()
    assert len(pages) > 40


def test_the_readmes_show_the_statement_and_the_definition_of_recall() -> None:
    statement = (ROOT / "fixtures/statements/snowflake/every_purchase_is_relevant.sql").read_text("utf-8")
    assert block("the statement of recall", (ROOT / "sql" / "README.md").read_text("utf-8")) == statement
    assert (ROOT / "sql" / "4_metrics" / "recall.sql").read_text().endswith(block("the definition of recall"))


def test_the_commands_of_the_readme_work_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    setup = "python3 -m venv .venv && . .venv/bin/activate && pip install -q . && "
    first, *others, tests = re.findall(r"^```bash\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    assert first.startswith(setup)
    assert (block("the main job"), block("the tests")) == (first, tests)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    commands = re.split(r"(?<!\\)\n| &&\n", "".join([first.removeprefix(setup), *others]).rstrip())
    found = [printed(command, capsys, status=0) for command in commands]
    assert found[1] == block("its output")
    assert "\nthe build fails\n" in found[-1]
    [(macros, statement)] = re.findall(r"^```sql\n\.read (\S+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    with duckdb.connect() as connection:
        connection.execute((ROOT / macros).read_text("utf-8"))
        assert connection.sql(statement).project("round(value, 4)").fetchall() == [(0.3493,)]


def test_the_documented_python_versions_are_those_of_the_metadata() -> None:
    [tested] = re.findall(r"CI runs the tests on Python ([\d., and]+\d)\.", page("guide/install.md"))
    metadata = (ROOT / "pyproject.toml").read_text()
    versions = re.split(", | and ", tested)
    assert versions == re.findall(r'"Programming Language :: Python :: (3\.\d+)"', metadata)
    assert f"tests Python {versions[0]} to {versions[-1]}" in README.replace("\n", " ")


def test_every_metric_is_documented() -> None:
    table = page("guide/metrics.md").partition("## Options")[0]
    names = templates.metric_files(templates.sql_folder() / templates.METRICS)
    assert [metric for metric in names if not re.search(rf"\b{metric}\b", table)] == []


def test_the_relations_in_the_sql_readme_are_those_in_the_folders() -> None:
    text = (ROOT / "sql" / "README.md").read_text()
    tables, *_ = text.partition("## Functions")
    cells = re.findall(r"^\| ([\w/, ]+) \|", tables, re.MULTILINE)
    listed = {name.partition("/")[0] for cell in cells for name in cell.split(", ")} - {"relation"}
    held = {*templates.relations(), *templates.comparisons()}
    assert listed == held - {*OF_READING}


def test_the_pages_from_the_code_are_those_written_now() -> None:
    pages = runpy.run_path(str(DOCS / "build.py"))["pages"]()
    assert [str(path) for path, text in pages.items() if path.read_text("utf-8") != text] == [], "run docs/build.py"


def test_options_without_an_argument_are_on_the_page_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    text = page("guide/command-line.md")
    arguments = page("reference/arguments.md") + page("guide/policies.md")
    for command in ("evaluate", "compare", "report", "sql", "check", "metrics", "dialects"):
        fails(SystemExit, "", main, [command, "--help"])
        for option in re.findall(r"^  (?:-\w(?: \w+)?, )?--([\w-]+)", capsys.readouterr().out, re.MULTILINE):
            argument = {"metric": "metrics"}.get(option, option.replace("-", "_"))
            assert f"`{argument}`" in arguments or f"`--{option}" in text, option


def test_the_dialects_are_documented_with_their_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert f"<!-- the dialects -->\n{output_of(capsys, 'dialects', '--format', 'markdown')}\n" in page("guide/sql.md")


@as_written
@pytest.mark.parametrize("part", range(4))
def test_the_statements_in_fixtures_are_current(part: int) -> None:
    folder = ROOT / "fixtures" / "dialects"
    held = {path.stem: path.read_text("utf-8") for path in folder.glob("*.sql")}
    assert sorted(held) == sorted(dialects.DIALECTS)
    statement = runpy.run_path(str(folder / "build.py"))["statement"]
    assert [each for each in sorted(held)[part::4] if held[each] != statement(each) + "\n"] == [], "run build.py"


CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_every_package_has_a_rule() -> None:
    packages = {path.parent.relative_to(ROOT).as_posix() for path in (ROOT / "recall_duckdb").glob("*/__init__.py")}
    rules = re.findall(r"^\| `(recall_duckdb/\w+)` \| ", (ROOT / "docs" / "how-it-works.md").read_text(), re.MULTILINE)
    assert set(rules) == packages


def test_every_path_exists() -> None:
    paths = re.findall(r"`((?:recall_duckdb|sql|tests|docs|fixtures|\.ci|\.github)(?:/[\w./]+)?)`", CONTRIBUTING)
    assert len(paths) > 50
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_every_command_is_a_target_with_help() -> None:
    targets = set(re.findall(r"^([\w-]+):.*##", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`?make ([a-z-]+)", CONTRIBUTING)) == targets - {"help"}
