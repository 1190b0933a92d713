"""A release has the macros in a database file: attached, they are called as after loading `recall_duckdb.sql`."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import duckdb
import pytest
import yaml
from folders import ROOT

from recall_duckdb import __version__, evaluate

PAGE = (ROOT / "docs" / "guide" / "macros.md").read_text("utf-8")
MACROS = ROOT / "sql" / "recall_duckdb.sql"


@pytest.fixture
def con(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> duckdb.DuckDBPyConnection:
    """Return a connection in a folder with the database file and the example data of the page."""
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(ROOT / ".ci" / "release" / "database.py"))["write_database"](
        MACROS, Path("recall_duckdb.duckdb")
    )
    for statement in re.findall(r"^COPY .*;$", PAGE, re.MULTILINE):
        duckdb.execute(statement)
    return duckdb.connect()


def test_the_example_of_the_page_works_without_installing_anything(con: duckdb.DuckDBPyConnection) -> None:
    [example] = re.findall(r"<!-- attach -->\n```sql\n(.*?)```", PAGE, re.DOTALL)
    assert con.execute(example).fetchall() == [("recall", 1, 0.5, 2), ("recall", 2, 0.75, 2)]
    assert con.execute("SELECT recall_duckdb.recall_duckdb_version()").fetchall() == [(__version__,)]
    assert con.execute("SELECT recall_duckdb.recall_at_k(['a', 'b'], ['b'], 2)").fetchall() == [(1.0,)]
    assert not list(Path().glob("*.wal"))


@pytest.mark.slow
def test_macros_of_an_attached_file_read_tables_of_the_own_database(con: duckdb.DuckDBPyConnection) -> None:
    con.execute("ATTACH 'recall_duckdb.duckdb' (READ_ONLY)")
    con.execute(
        "CREATE TABLE run AS FROM 'run.parquet'; CREATE SCHEMA shop; CREATE TABLE shop.qrels AS FROM 'qrels.parquet'"
    )
    found = con.execute("SELECT value FROM recall_duckdb.recall_at_k('run', 'shop.qrels', 2)").fetchall()
    assert found == [(evaluate("run", "shop.qrels", "recall@2", connection=con).value("recall@2"),)]


def test_the_example_in_the_description_of_an_extension_works(con: duckdb.DuckDBPyConnection) -> None:
    description = yaml.safe_load((ROOT / ".ci" / "release" / "extension" / "description.yml").read_text("utf-8"))
    con.execute("ATTACH 'recall_duckdb.duckdb' (READ_ONLY)")
    assert con.execute(description["docs"]["hello_world"]).fetchall() == [(pytest.approx(0.6309, abs=1e-4),)]


def test_the_schema_and_its_database_have_one_name() -> None:
    assert runpy.run_path(str(ROOT / ".ci" / "release" / "database.py"))["CREATE_SCHEMA"] in MACROS.read_text("utf-8")
