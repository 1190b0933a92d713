"""Every client of DuckDB loads sql/recall_duckdb.sql and gives the same answers; the page of docs is true."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
from pathlib import Path

import duckdb
import pytest
from folders import ROOT

from recall_duckdb import install

CASES = ROOT / "fixtures" / "clients"
FILES = [str(ROOT / "sql" / "recall_duckdb.sql"), str(CASES / "setup.sql"), str(CASES / "cases.sql")]
EXPECTED = (CASES / "expected.txt").read_text("utf-8")


def test_the_cases_are_those_written_now() -> None:
    written = runpy.run_path(str(CASES / "build.py"))["files"]()
    assert {name: (CASES / name).read_text("utf-8") for name in written} == written


@pytest.mark.slow
def test_python() -> None:
    connection = duckdb.connect()
    install(connection)
    connection.execute((CASES / "setup.sql").read_text("utf-8"))
    rows = connection.execute((CASES / "cases.sql").read_text("utf-8")).fetchall()
    assert "".join(f"{line}\n" for (line,) in rows) == EXPECTED


def folder() -> Path:
    """Return the folder in which .ci/engines installs the clients."""
    return Path(os.environ["RECALL_DUCKDB_CLIENTS"])


def page(name: str) -> tuple[str, str]:
    """Return the code block of a client's section, and the output below it."""
    _, _, rest = (ROOT / "docs" / "guide" / "clients.md").read_text("utf-8").partition(f"\n## {name}\n")
    text, _, _ = rest.partition("\n## ")
    [found] = re.findall(r"```(?:sql|js|java)\n(.*?)```\n\n```text\n(.*?)```", text, re.DOTALL)
    assert isinstance(found, tuple)
    return found


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """Return a folder with the macros and the files that the page reads."""
    (tmp_path / "recall_duckdb.sql").symlink_to(FILES[0])
    text = (ROOT / "docs" / "guide" / "macros.md").read_text("utf-8")
    for statement in re.findall(r"^COPY .*;$", text, re.MULTILINE):
        duckdb.execute(statement.replace("TO '", f"TO '{tmp_path}/"))
    return tmp_path


def output(command: list[str], cwd: Path | None = None, given: str | None = None) -> str:
    done = subprocess.run(command, input=given, cwd=cwd, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def module(name: str, text: str) -> str:
    """Return the path of a new module among the clients, because Node looks for packages next to a module."""
    path = folder() / name
    path.write_text(text, "utf-8")
    return str(path)


@pytest.mark.needs("clients")
@pytest.mark.parametrize("version", ["1.4", "1.5"])
def test_the_command_line(version: str, example: Path) -> None:
    program = str(folder() / f"cli-{version}" / "bin" / "duckdb")
    given = f".read {FILES[0]}\n.read {FILES[1]}\n.read {FILES[2]}\n;\n"
    assert output([program, "-noheader", "-list"], given=given) == EXPECTED
    code, shown = page("Command line")
    assert output([program], example, code) == shown


@pytest.mark.needs("clients")
@pytest.mark.parametrize(("client", "name"), [("client.mjs", "Node"), ("wasm.cjs", "DuckDB-WASM")])
def test_node(client: str, name: str, example: Path) -> None:
    own = module(client, (ROOT / "tests" / "clients" / client).read_text("utf-8"))
    assert output(["node", own, *FILES]) == EXPECTED
    code, shown = page(name)
    assert output(["node", module(f"page-{client}", code)], example) == shown


@pytest.mark.needs("clients")
def test_java(example: Path) -> None:
    [driver] = folder().glob("duckdb_jdbc-*.jar")
    java = ["java", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", str(driver)]
    assert output([*java, str(ROOT / "tests" / "clients" / "Client.java"), *FILES]) == EXPECTED
    code, shown = page("Java")
    (example / "Recall.java").write_text(code, "utf-8")
    assert output([*java, "Recall.java"], example) == shown
