"""Every client of DuckDB loads sql/recall_duckdb.sql and gives the same twenty answers."""

from __future__ import annotations

import os
import runpy
import subprocess
from pathlib import Path

import duckdb
import pytest

from recall_duckdb import install

ROOT = Path(__file__).parent.parent
CASES = ROOT / "fixtures" / "clients"
FILES = [str(ROOT / "sql" / "recall_duckdb.sql"), str(CASES / "setup.sql"), str(CASES / "cases.sql")]
EXPECTED = (CASES / "expected.txt").read_text("utf-8")


def test_the_cases_are_those_written_now() -> None:
    written = runpy.run_path(str(CASES / "build.py"))["files"]()
    assert {name: (CASES / name).read_text("utf-8") for name in written} == written


def test_python() -> None:
    connection = duckdb.connect()
    install(connection)
    connection.execute((CASES / "setup.sql").read_text("utf-8"))
    rows = connection.execute((CASES / "cases.sql").read_text("utf-8")).fetchall()
    assert "".join(f"{line}\n" for (line,) in rows) == EXPECTED


def folder() -> Path:
    """Return the folder in which .ci/engines installs the clients."""
    return Path(os.environ["RECALL_DUCKDB_CLIENTS"])


@pytest.mark.needs("clients")
@pytest.mark.parametrize("version", ["1.4", "1.5"])
def test_the_command_line(version: str) -> None:
    program = folder() / f"cli-{version}" / "bin" / "duckdb"
    given = f".read {FILES[0]}\n.read {FILES[1]}\n.read {FILES[2]}\n;\n"
    done = subprocess.run(
        [program, "-noheader", "-list"], input=given, capture_output=True, encoding="utf-8", check=False
    )
    assert (done.stdout, done.stderr) == (EXPECTED, "")


@pytest.mark.needs("clients")
def test_node() -> None:
    client = folder() / "client.mjs"  # Node looks for packages next to a module
    client.write_text((ROOT / "tests" / "clients" / "client.mjs").read_text("utf-8"), "utf-8")
    done = subprocess.run(["node", client, *FILES], capture_output=True, encoding="utf-8", check=False)
    assert (done.stdout, done.stderr) == (EXPECTED, "")


@pytest.mark.needs("clients")
def test_java() -> None:
    [driver] = folder().glob("duckdb_jdbc-*.jar")
    client = ROOT / "tests" / "clients" / "Client.java"
    command = ["java", "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", str(driver), str(client), *FILES]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout == EXPECTED, done.stderr
